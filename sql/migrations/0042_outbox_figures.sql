-- What goes out, for /metrics: how much waits in the outbox and for how long, how much was given up, and which targets
-- do not work. Messages to channels and queues are counted by who sends them, and so they say what became of them.
-- breaking: no

set local lock_timeout = '5s';

-- Messages that were given up. Not by their state: to take a message changes nothing but that, and would have to
-- change an index then.
create index outbox_given_up on pawl.outbox (bucket, target) where finished_at is not null and error is not null;

create function pawl.figures_of_outbox(p_bucket smallint) returns table (metric text, labels jsonb, value float8)
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

-- What was counted last; counts anew when that is older than p_every and nobody else is at it.
create or replace function pawl.take_figures(p_bucket smallint, p_every interval) returns jsonb
language plpgsql
set search_path = pg_catalog as $$
begin
    if not exists (select 1 from pawl.figures f where f.bucket = p_bucket) then
        insert into pawl.figures (bucket, taken_at, figures) values (p_bucket, '-infinity', '[]')
            on conflict do nothing;
    end if;
    perform 1 from pawl.figures f where f.bucket = p_bucket and f.taken_at <= now() - p_every for update skip locked;
    if found then
        update pawl.figures f
           set taken_at = now(),
               figures = (
                   select coalesce(jsonb_agg(jsonb_build_array(c.metric, c.labels, c.value)), '[]')
                     from (select * from pawl.figures_of_work(p_bucket)
                           union all
                           select * from pawl.figures_of_queues()
                           union all
                           select * from pawl.figures_of_outbox(p_bucket)
                           union all
                           select * from pawl.figures_of_database()) as c)
         where f.bucket = p_bucket;
    end if;
    return (select f.figures from pawl.figures f where f.bucket = p_bucket);
end
$$;

-- Channels and queues of this database: to send and to note that it was sent are one transaction. Says for each
-- target how many were sent, and how many could not be.
create function pawl.publish_inside(p_bucket smallint, p_limit int)
returns table (kind text, sent int, failed int)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
    c_notify_max constant int := 7900;
    v_target record;
    v_run uuid[];
    v_seq int[];
    v_message jsonb[];
begin
    for v_target in
        select t.id, t.kind, t.address, s.shard
          from pawl.outbox_lease s
          join pawl.outbox_target t on t.id = s.target
         where t.disabled_at is null and t.kind <> 'webhook' and s.next_at <= now()
           and exists (select 1 from pawl.outbox o
                        where o.bucket = p_bucket and o.target = s.target and o.shard = s.shard
                          and o.due_at <= now())
           for update of s skip locked
    loop
        select array_agg(p.run_id), array_agg(p.seq) into v_run, v_seq
          from pawl.pick_outbox(p_bucket, v_target.id, v_target.shard, p_limit) p;
        continue when v_run is null;
        v_message := array(
            select jsonb_build_object('id', 'evt_' || m.run_id || '_' || m.seq) || m.message::jsonb
              from pawl.outbox_messages(p_bucket, v_target.id, v_run, v_seq) m
        );
        begin
            if v_target.kind = 'queue' then
                perform pgmq.send_batch(v_target.address, v_message);
            else
                perform pg_notify(v_target.address,
                                  case when octet_length(u.message::text) <= c_notify_max then u.message::text
                                       else (u.message || jsonb_build_object('data', jsonb_build_object(
                                                 'run_id', u.message -> 'data' -> 'run_id',
                                                 'seq', u.message -> 'data' -> 'seq', 'truncated', true)))::text end)
                   from unnest(v_message) as u (message);
            end if;
            perform pawl.settle_outbox(
                p_bucket, v_target.id, null, null, v_run, v_seq, array_fill(2::smallint, array[cardinality(v_run)]),
                array_fill(true, array[cardinality(v_run)]), null, null, null, null, null, null);
            update pawl.outbox_lease s
               set failures = 0
             where s.target = v_target.id and s.shard = v_target.shard and s.failures > 0;
            kind := v_target.kind; sent := cardinality(v_run); failed := 0;
        exception
            when undefined_table or invalid_parameter_value or insufficient_privilege or raise_exception
                 or undefined_function or invalid_schema_name then
                -- The queue is gone, or its name is no name. It may come back.
                update pawl.outbox o
                   set error = sqlerrm, attempts = least(o.attempts + 1, 32767)
                  from unnest(v_run, v_seq) as u (run_id, seq)
                 where o.bucket = p_bucket and o.target = v_target.id and o.run_id = u.run_id and o.seq = u.seq;
                update pawl.outbox_lease s
                   set failures = s.failures + 1,
                       next_at = now() + make_interval(secs => least(300, 5 * 2 ^ least(s.failures, 6)))
                 where s.target = v_target.id and s.shard = v_target.shard;
                kind := v_target.kind; sent := 0; failed := cardinality(v_run);
        end;
        return next;
    end loop;
end
$$;

-- As the release before asks.
create or replace function pawl.publish_outbox(p_bucket smallint, p_limit int) returns int
language sql
set search_path = pg_catalog
return (select coalesce(sum(p.sent), 0)::int from pawl.publish_inside(p_bucket, p_limit) p);
