-- Metrics of runs: what is due, queued at gates and scheduled, and for how long. Labels are null when there are none.
create or replace function pawl.figures_of_work(p_bucket smallint)
returns table (metric text, labels jsonb, value float8)
language plpgsql stable
set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    with recursive head as (
        (select l.priority, l.due_at from pawl.live_run l
          where l.bucket = p_bucket and l.state = 0 order by l.bucket, l.priority, l.due_at limit 1)
        union all
        select following.priority, following.due_at
          from head
         cross join lateral (
             select l.priority, l.due_at from pawl.live_run l
              where l.bucket = p_bucket and l.state = 0 and l.priority > head.priority
              order by l.bucket, l.priority, l.due_at limit 1) as following
    )
    select 'pawl_ready_runs', null::jsonb,
           least(coalesce(sum(pawl.count_due(p_bucket, h.priority, 10000)), 0), 10000)::float8 from head h
    union all
    select 'pawl_oldest_ready_age_seconds', null,
           coalesce(extract(epoch from now() - min(h.due_at) filter (where h.due_at <= now())), 0)::float8 from head h;
    return query
    select 'pawl_workers', null::jsonb, count(*)::float8 from pawl.worker;
    return query
    with waits as (select f.gate, f.rank from pawl.flow_wait f where f.bucket = p_bucket limit 10000)
    select 'pawl_queued_runs', null::jsonb, count(*)::float8 from waits
    union all
    select 'pawl_oldest_queued_age_seconds', null,
           greatest(coalesce(extract(epoch from now() - min(w.rank)), 0), 0)::float8 from waits w
    union all
    select 'pawl_full_gates', null, count(distinct w.gate)::float8 from waits w;
    return query
    select 'pawl_schedule_overdue_seconds', null::jsonb,
           greatest(coalesce(extract(epoch from now() - min(s.due_at)), 0), 0)::float8
      from pawl.schedule s where s.active and s.paused_at is null;
end
$$;

-- Metrics of what waits for people, for a matcher or for a run: tasks, dead letters, events, signals.
create or replace function pawl.figures_of_waiting(p_bucket smallint)
returns table (metric text, labels jsonb, value float8)
language plpgsql stable
set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    with asked as (
        select w.name, t.opened_at, t.due_at
          from (select h.workflow, h.opened_at, h.due_at from pawl.human_task h
                 where h.bucket = p_bucket and h.state = 0 limit 10000) as t
          join pawl.workflow w on w.id = t.workflow
    ), by_workflow as (
        select a.name, count(*) as open, count(*) filter (where a.due_at < now()) as overdue, min(a.opened_at) as oldest
          from asked a group by a.name order by 2 desc limit 100
    )
    select m.metric, jsonb_build_object('workflow', b.name), m.value
      from by_workflow b
     cross join lateral (values
         ('pawl_human_tasks_open', b.open::float8),
         ('pawl_human_tasks_overdue', b.overdue::float8),
         ('pawl_oldest_human_task_age_seconds', extract(epoch from now() - b.oldest)::float8)) as m (metric, value);
    return query
    with dead as (
        select d.workflow, count(*) as count
          from (select o.workflow from pawl.dead_letter o
                 where o.bucket = p_bucket and o.replayed_as is null order by o.at desc limit 10000) as d
         group by d.workflow order by 2 desc limit 100
    )
    select 'pawl_dead_letters_open', jsonb_build_object('workflow', w.name), sum(d.count)::float8
      from dead d join pawl.workflow w on w.id = d.workflow group by w.name;
    return query
    with unmatched as (
        select i.id, 1 + coalesce(cardinality(i.more), 0) as count
          from pawl.inbox_pending i where i.bucket = p_bucket order by i.id limit 10000
    )
    select 'pawl_unmatched_events', null::jsonb, coalesce(sum(u.count), 0)::float8 from unmatched u
    union all
    select 'pawl_oldest_unmatched_event_age_seconds', null,
           coalesce((select extract(epoch from now() - e.at) from pawl.inbox e
                      where e.id = (select min(u.id) from unmatched u)), 0)::float8;
    return query
    with sent as (select s.at from pawl.signal s where s.bucket = p_bucket limit 10000)
    select 'pawl_pending_signals', null::jsonb, count(*)::float8 from sent
    union all
    select 'pawl_oldest_signal_age_seconds', null,
           coalesce(extract(epoch from now() - min(s.at)), 0)::float8 from sent s;
end
$$;

-- Metrics of events that are held back until their tenant has room.
create or replace function pawl.figures_of_held(p_bucket smallint)
returns table (metric text, labels jsonb, value float8)
language plpgsql stable
set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    with held as (select h.at from pawl.trigger_held h where h.bucket = p_bucket limit 10000)
    select 'pawl_held_events', null::jsonb, count(*)::float8 from held
    union all
    select 'pawl_oldest_held_event_age_seconds', null,
           coalesce(extract(epoch from now() - min(h.at)), 0)::float8 from held h;
end
$$;
