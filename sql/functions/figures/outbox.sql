-- Metrics of the outbox: messages that wait, their age, and targets by state. Counts stop at 10,000.
create or replace function pawl.figures_of_outbox(p_bucket smallint)
returns table (metric text, labels jsonb, value float8)
language plpgsql stable
set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    with target as materialized (
        select t.id, t.kind,
               case when t.disabled_at is not null then 'disabled'
                    when exists (select 1 from pawl.outbox_lease s where s.target = t.id and s.failures > 0)
                    then 'failing' else 'working' end as state
          from pawl.outbox_target t order by t.id limit 1000
    ), counted as (
        select k.kind, waiting.count, waiting.oldest, head.oldest as first, given_up.count as failed
          from (values ('webhook'), ('notify'), ('queue')) as k (kind)
         cross join lateral (
             select count(*) as count, min(w.created_at) as oldest
               from (select o.created_at
                       from target t
                      cross join lateral (
                          select x.created_at from pawl.outbox x
                           where x.bucket = p_bucket and x.target = t.id and x.due_at is not null
                           order by x.shard, x.due_at
                           limit 10000) as o
                      where t.kind = k.kind and t.state <> 'disabled'
                      limit 10000) as w) as waiting
         -- The first of each target, also of those behind the end of the count.
         cross join lateral (
             select min(o.created_at) as oldest
               from target t
              cross join generate_series(0, 1) as s (shard)
              cross join lateral (
                  select x.created_at from pawl.outbox x
                   where x.bucket = p_bucket and x.target = t.id and x.shard = s.shard and x.due_at is not null
                   order by x.due_at
                   limit 1) as o
              where t.kind = k.kind and t.state <> 'disabled') as head
         cross join lateral (
             select count(*) as count
               from (select 1
                       from target t
                      cross join lateral (
                          select 1 from pawl.outbox x
                           where x.bucket = p_bucket and x.target = t.id and x.finished_at is not null
                             and x.error is not null and x.state = 3
                           limit 10000) as o
                      where t.kind = k.kind
                      limit 10000) as g) as given_up
    )
    select m.metric, jsonb_build_object('kind', c.kind), m.value
      from counted c
     cross join lateral (values
         ('pawl_outbox_pending', c.count::float8),
         ('pawl_oldest_outbox_age_seconds',
          coalesce(extract(epoch from now() - least(c.oldest, c.first)), 0)::float8),
         ('pawl_outbox_failed', c.failed::float8)) as m (metric, value)
    union all
    select 'pawl_outbox_targets', jsonb_build_object('kind', k.kind, 'state', s.state), count(t.id)::float8
      from (values ('webhook'), ('notify'), ('queue')) as k (kind)
     cross join (values ('working'), ('failing'), ('disabled')) as s (state)
      left join target t on t.kind = k.kind and t.state = s.state
     group by k.kind, s.state;
end
$$;
