-- What functions and views look like in the database, as a hash for each file that makes them. `pawl migrate` compares
-- it with the hash from when it applied the file, and so sees what was changed by hand. p_makes names the functions and
-- views of each file, separated by commas: 'function pawl.is_uuid,view pawl.funnel'. A file that makes none, or whose
-- functions and views are all gone, has no row. Locks nothing.
create or replace function pawl.made_of(p_paths text[], p_makes text[]) returns table (path text, made text)
language sql stable set search_path = pg_catalog as $$
    with found as (
        select 'function ' || n.nspname || '.' || p.proname as thing, pg_get_functiondef(p.oid) as text
          from pg_proc p
          join pg_namespace n on n.oid = p.pronamespace
         where n.nspname in ('pawl', 'pgmq', 'queues', 'internal', 'comms') and p.prokind in ('f', 'p')
         union all
        select 'view ' || n.nspname || '.' || c.relname, pg_get_viewdef(c.oid)
          from pg_class c
          join pg_namespace n on n.oid = c.relnamespace
         where n.nspname in ('pawl', 'pgmq', 'queues', 'internal', 'comms') and c.relkind = 'v'
    )
    select f.path, md5(string_agg(x.text, '' order by x.thing, x.text))
      from unnest(p_paths, p_makes) as f (path, makes)
     cross join lateral unnest(string_to_array(f.makes, ',')) as m (thing)
      join found x on x.thing = m.thing
     group by f.path
$$;
