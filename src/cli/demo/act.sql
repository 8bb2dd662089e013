-- One customer does something: what it was.
select public.demo_act()
