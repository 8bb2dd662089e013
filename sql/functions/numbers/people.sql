-- Notes in which hours people entered workflows, or passed splits (p_variant), and keeps the counts of funnel_people:
-- how many there were in each hour, by the hour before in which they entered. Hours may come in any order: one between
-- two others becomes the hour before of the later. The arrays are of one length. Called by count_log.
create or replace function pawl.note_people(
    p_tenant int[], p_workflow int[], p_variant text[], p_person bigint[], p_hour timestamptz[]
) returns void
language plpgsql set search_path = pg_catalog set enable_seqscan = off set enable_mergejoin = off set jit = off as $$
declare
    v_known bigint[];
begin
    -- Most people come once, and then there are no hours before and after. The projector is locked: no other session
    -- notes the same.
    with asked as materialized (
        select u.tenant, u.workflow, u.variant, u.person, min(u.hour) as hour, max(u.hour) as last
          from unnest(p_tenant, p_workflow, p_variant, p_person, p_hour) as u (tenant, workflow, variant, person, hour)
         group by 1, 2, 3, 4
    ), looked as materialized (
        select a.*, a.hour = a.last and k.one is null as first
          from asked a
          left join lateral (
              select 1 as one from pawl.funnel_person p
               where p.tenant = a.tenant and p.workflow = a.workflow and p.variant = a.variant and p.person = a.person
               limit 1
          ) as k on true
    ), noted as (
        insert into pawl.funnel_person (tenant, workflow, variant, person, at)
        -- In about the order of the index, by what compares fast.
        select l.tenant, l.workflow, l.variant, l.person, l.hour
          from looked l where l.first order by l.tenant, l.workflow, l.person
    ), counted as (
        insert into pawl.funnel_people as p (tenant, workflow, variant, at, before, count)
        select l.tenant, l.workflow, l.variant, l.hour, '-infinity', count(*)
          from looked l where l.first
         group by 1, 2, 3, 4
         order by 1, 2, 3, 4
            on conflict (tenant, workflow, variant, at, before) do update set count = p.count + excluded.count
    )
    select array_agg(distinct l.person) into v_known from looked l where not l.first;
    if v_known is not null then
        perform pawl.note_known_people(array_agg(u.tenant), array_agg(u.workflow), array_agg(u.variant),
                                       array_agg(u.person), array_agg(u.hour))
           from unnest(p_tenant, p_workflow, p_variant, p_person, p_hour) as u (tenant, workflow, variant, person, hour)
           join unnest(v_known) as k (person) on k.person = u.person;
    end if;
end
$$;

-- The same for people who come not for the first time; what is noted already changes nothing. Called by note_people,
-- with its settings.
create or replace function pawl.note_known_people(
    p_tenant int[], p_workflow int[], p_variant text[], p_person bigint[], p_hour timestamptz[]
) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    with fresh as materialized (
        insert into pawl.funnel_person (tenant, workflow, variant, person, at)
        select distinct u.tenant, u.workflow, u.variant, u.person, u.hour
          from unnest(p_tenant, p_workflow, p_variant, p_person, p_hour) as u (tenant, workflow, variant, person, hour)
         order by 1, 2, 3, 4, 5
            on conflict do nothing
        returning *
    ), known as (
        -- The hours that were there around the new ones: this statement sees the table as it was.
        select distinct f.tenant, f.workflow, f.variant, f.person, o.at
          from fresh f
         cross join lateral (
             (select p.at from pawl.funnel_person p
               where p.tenant = f.tenant and p.workflow = f.workflow and p.variant = f.variant and p.person = f.person
                 and p.at > f.at order by p.at limit 1)
              union all
             (select p.at from pawl.funnel_person p
               where p.tenant = f.tenant and p.workflow = f.workflow and p.variant = f.variant and p.person = f.person
                 and p.at < f.at order by p.at desc limit 1)
         ) as o
    ), chain as (
        select a.tenant, a.workflow, a.variant, a.at, a.known,
               coalesce(lag(a.at) over w, '-infinity') as before,
               coalesce(max(a.at) filter (where a.known) over (partition by a.tenant, a.workflow, a.variant, a.person
                                                               order by a.at rows between unbounded preceding
                                                               and 1 preceding), '-infinity') as was
          from (select f.tenant, f.workflow, f.variant, f.person, f.at, false as known from fresh f
                 union all
                select k.tenant, k.workflow, k.variant, k.person, k.at, true from known k) as a
        window w as (partition by a.tenant, a.workflow, a.variant, a.person order by a.at)
    ), change as (
        -- The first hour that was known keeps the hour before it, which may not be here.
        select c.tenant, c.workflow, c.variant, c.at, c.before, 1 as count from chain c
         where not c.known or isfinite(c.before) and c.before <> c.was
         union all
        select c.tenant, c.workflow, c.variant, c.at, c.was, -1 from chain c
         where c.known and isfinite(c.before) and c.before <> c.was
    )
    insert into pawl.funnel_people as p (tenant, workflow, variant, at, before, count)
    select c.tenant, c.workflow, c.variant, c.at, c.before, sum(c.count)
      from change c
     group by c.tenant, c.workflow, c.variant, c.at, c.before
    having sum(c.count) <> 0
     order by 1, 2, 3, 4, 5
        on conflict (tenant, workflow, variant, at, before) do update set count = p.count + excluded.count;
end
$$;
