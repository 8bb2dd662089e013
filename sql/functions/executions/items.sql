-- When the items of lists, and the bodies of scopes, were begun: the branches that came to their first steps, each with
-- the event since which. As many items as may run at once begin with the list, each later one when another is over.
create or replace function pawl.execution_items_begun(p_bucket smallint, p_run uuid, p_definition jsonb)
returns table (token int, seq int, at timestamptz)
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
    if p_definition::text !~ '"(foreach|scope)"' then
        return;
    end if;
    return query
    with bodies as (
        select w."from", w."to", count(*) over (partition by w."from") as ways,
               case when jsonb_typeof(b.body -> 'concurrency') = 'number'
                    then (b.body ->> 'concurrency')::int end as most
          from pawl.ways_of(p_definition) w
          join jsonb_array_elements(pawl.steps_of(p_definition)) as s (step)
            on coalesce(s.step ->> 'id', s.step ->> 'name') = w."from"
         cross join lateral (select coalesce(s.step -> 'config', s.step -> 'foreach', '{}')) as b (body)
         where w.handle = case when s.step ->> 'type' = 'foreach' or s.step ? 'foreach' then 'each'
                               when s.step ->> 'type' = 'scope' or s.step ? 'scope' then 'body' end
    ), done as materialized (
        select d.token, d.node, d.first_seq, d.last_seq, d.ended, d.at
          from pawl.execution_steps_done(p_bucket, p_run, p_definition) d
    ), firsts as (
        -- Branches are numbered as they begin: this one had when the first of the later ones was heard of.
        select distinct on (d.token) d.token, d.node, min(d.first_seq) over (order by d.token desc) as heard
          from done d
         order by d.token, d.first_seq
    ), entries as (
        select f.token, f.heard, l.seq, greatest(l.at, pawl.uuid7_time(p_run)) as at,
               coalesce((l.data ->> 'concurrency')::int, b.most, 10) as most,
               (row_number() over (partition by l.seq order by f.token) - 1) / b.ways as item
          from firsts f
          join bodies b on b."to" = f.node
         cross join lateral (
             select e.seq, e.at, e.data
               from pawl.event e
              where e.bucket = p_bucket and e.run_id = p_run and e.type = 15 and e.node = b."from" and e.seq < f.heard
              order by e.seq desc
              limit 1
         ) as l
    ), over_items as (
        select e.seq as listed, max(d.last_seq) as seq, max(d.at) as at,
               row_number() over (partition by e.seq order by max(d.last_seq)) as n
          from entries e
          join done d on d.token = e.token
         group by e.seq, e.item
        having bool_and(d.ended)
    )
    select e.token, coalesce(o.seq, e.seq), coalesce(o.at, e.at)
      from entries e
      left join over_items o on o.listed = e.seq and o.n = e.item + 1 - e.most and o.seq < e.heard;
end
$$;
