-- Figures of the database for /metrics: one process at a time counts them, at a slow pace, and all processes show what
-- was counted. Every count has an end (10,000), every age comes from the head of an index: a million rows cost what
-- ten thousand do.
-- breaking: no

set local lock_timeout = '5s';

create table pawl.figures (
    bucket smallint not null,
    taken_at timestamptz not null,
    figures jsonb not null,
    constraint figures_pk primary key (bucket)
) with (fillfactor = 30);

-- Which failed runs nobody has replayed yet.
create index dead_letter_open on pawl.dead_letter (bucket, at) where replayed_as is null;

-- What waits, for how long. Labels are null when there are none.
create function pawl.figures_of_work(p_bucket smallint) returns table (metric text, labels jsonb, value float8)
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
    with unmatched as (select i.id from pawl.inbox_pending i where i.bucket = p_bucket order by i.id limit 10000)
    select 'pawl_unmatched_events', null::jsonb, count(*)::float8 from unmatched
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
    return query
    select 'pawl_schedule_overdue_seconds', null::jsonb,
           greatest(coalesce(extract(epoch from now() - min(s.due_at)), 0), 0)::float8
      from pawl.schedule s where s.active and s.paused_at is null;
end
$$;

-- Queues of messages and of tasks. They may not be there, or be another's.
create function pawl.figures_of_queues() returns table (metric text, labels jsonb, value float8)
language plpgsql stable
set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
declare
    v_queue text;
begin
    begin
        return query
        with due as (
            select t.scheduled_at from queues.task t
             where t.dequeued_at is null and t.scheduled_at <= now() order by t.scheduled_at limit 10000
        )
        select 'pawl_tasks_due', null::jsonb, count(*)::float8 from due
        union all
        select 'pawl_oldest_task_age_seconds', null,
               coalesce(extract(epoch from now() - min(d.scheduled_at)), 0)::float8 from due d;
    exception when insufficient_privilege or undefined_table or invalid_schema_name then
        null;
    end;
    if to_regclass('pgmq.meta') is null or not has_schema_privilege('pgmq', 'usage')
       or not has_table_privilege('pgmq.meta', 'select') then
        return;
    end if;
    for v_queue in select m.queue_name::text from pgmq.meta m order by 1 limit 100 loop
        begin
            return query execute format(
                'with head as (select q.enqueued_at from pgmq.%1$I q order by q.msg_id limit 10000)
                 select ''pawl_queue_messages'', %2$L::jsonb, count(*)::float8 from head
                 union all
                 select ''pawl_queue_oldest_age_seconds'', %2$L::jsonb,
                        coalesce(extract(epoch from now() - min(h.enqueued_at)), 0)::float8 from head h',
                'q_' || lower(v_queue), jsonb_build_object('queue', v_queue));
        exception when insufficient_privilege or undefined_table then
            continue;
        end;
    end loop;
end
$$;

-- How the database itself is doing.
create function pawl.figures_of_database() returns table (metric text, labels jsonb, value float8)
language plpgsql stable
set search_path = pg_catalog set jit = off as $$
#variable_conflict use_column
begin
    return query
    select 'pawl_xmin_age_seconds', null::jsonb,
           coalesce(extract(epoch from now() - min(a.xact_start)), 0)::float8
      from pg_stat_activity a where a.backend_xmin is not null and a.pid <> pg_backend_pid()
    union all
    select 'pawl_database_connections', null, count(*)::float8
      from pg_stat_activity a where a.backend_type = 'client backend'
    union all
    select 'pawl_database_connections_max', null, current_setting('max_connections')::float8
    union all
    select 'pawl_database_size_bytes', null, pg_database_size(current_database())::float8
    union all
    select 'pawl_transaction_id_age', null, age(d.datfrozenxid)::float8
      from pg_database d where d.datname = current_database();
    return query
    select m.metric, null::jsonb, m.value
      from pg_stat_database d
     cross join lateral (values
         ('pawl_database_commits_total', d.xact_commit::float8), ('pawl_database_rollbacks_total', d.xact_rollback),
         ('pawl_database_deadlocks_total', d.deadlocks), ('pawl_database_blocks_read_total', d.blks_read),
         ('pawl_database_blocks_hit_total', d.blks_hit)) as m (metric, value)
     where d.datname = current_database();
    return query
    select 'pawl_open_runs', null::jsonb, s.n_live_tup::float8 from pg_stat_user_tables s
     where s.relid = 'pawl.live_run'::regclass;
    return query
    select m.metric, jsonb_build_object('table', t.name), m.value
      from (values ('event'), ('run'), ('live_run'), ('signal'), ('inbox'), ('subscription'), ('human_task'),
                   ('dead_letter')) as t (name)
     cross join lateral (
         select sum(pg_total_relation_size(p.relid))::float8 as bytes, coalesce(sum(s.n_dead_tup), 0)::float8 as dead
           from (select ('pawl.' || t.name)::regclass as relid
                 union
                 select b.relid from pg_partition_tree(('pawl.' || t.name)::regclass) b) as p
           left join pg_stat_user_tables s on s.relid = p.relid) as z
     cross join lateral (values ('pawl_table_bytes', z.bytes), ('pawl_table_dead_rows', z.dead)) as m (metric, value);
    return query
    select 'pawl_partition_weeks_ahead', null::jsonb, count(*)::float8
      from generate_series(1, 8) as w (week)
     where to_regclass('pawl.event_' || to_char(date_trunc('week', now() at time zone 'UTC')
                                                + w.week * interval '1 week', 'YYYYMMDD')) is not null;
    return query
    select 'pawl_replication_lag_bytes', null::jsonb,
           coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), r.replay_lsn)), 0)::float8 from pg_stat_replication r
    union all
    select 'pawl_replication_slot_retained_bytes', null,
           coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)), 0)::float8 from pg_replication_slots s;
end
$$;

-- What was counted last; counts anew when that is older than p_every and nobody else is at it.
create function pawl.take_figures(p_bucket smallint, p_every interval) returns jsonb
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
                           select * from pawl.figures_of_database()) as c)
         where f.bucket = p_bucket;
    end if;
    return (select f.figures from pawl.figures f where f.bucket = p_bucket);
end
$$;
