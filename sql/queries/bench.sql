-- name: bench_counters
-- What the benchmark compares before and after. Dead tuples are those of the hot tables.
select pg_stat_force_next_flush()::text, pg_stat_clear_snapshot()::text,
       (select xact_commit + xact_rollback from pg_stat_database where datname = current_database()),
       (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint,
       (select coalesce(sum(n_dead_tup), 0)::bigint from pg_stat_user_tables where schemaname = 'pawl'),
       pg_backend_pid()

-- name: bench_checkpoint
checkpoint

-- name: bench_hold_snapshot
-- Keeps an old snapshot open: every dead row since then has to be kept.
select count(*) from pawl.worker

-- name: bench_live_run_bytes
select pg_total_relation_size('pawl.live_run')

-- name: bench_event_bytes
select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint
  from pg_inherits
 where inhparent = 'pawl.event'::regclass

-- name: bench_fill_history
-- Closed runs of five events each, in the shape the engine writes, for $1 runs.
with ids as materialized (
    select pawl.uuid7() as run_id from generate_series(1, $1::int)
), logged as (
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data)
    select i.run_id, now(), s.seq, 0, (array[0, 1, 1, 1, 4])[s.seq + 1],
           case when s.seq between 1 and 3 then 1 end, case when s.seq between 1 and 3 then 'step_' || s.seq end,
           case when s.seq = 0 then '{"workflow": 1, "version": 1, "input": {}}'::jsonb end
      from ids i
     cross join generate_series(0, 4) as s (seq)
)
insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, version, bucket, status)
select i.run_id, now(), now(), 1, 1, 1, 0, 1 from ids i

-- name: bench_count_parked
select count(*) from pawl.live_run l where l.state = 2 and l.version = $1

-- name: bench_queue_send
select pgmq.send($1::text, $2::jsonb)

-- name: bench_queue_send_batch
select pgmq.send_batch($1::text, $2::jsonb[])

-- name: bench_queue_read
select msg_id, read_ct, enqueued_at, vt, message from pgmq.read($1::text, 600, $2::int)

-- name: bench_queue_delete
select pgmq.delete($1::text, $2::bigint)

-- name: bench_queue_delete_batch
select pgmq.delete($1::text, $2::bigint[])

-- name: bench_queue_insert
-- What sending a batch comes to without a function around it.
insert into pgmq.q_workflow_dlq (vt, message) select clock_timestamp(), m from unnest($1::jsonb[]) as m returning msg_id

-- name: bench_fill_waits
-- Parked runs that wait for an event with a key each, $1 of them, with keys from $2 on.
with ids as materialized (
    select pawl.uuid7() as run_id, $2::bigint + i - 1 as n from generate_series(1, $1::int) as i
), live as (
    insert into pawl.live_run (run_id, due_at, tenant, workflow, version, bucket, state, priority)
    select i.run_id, now(), 1, 1, 1, 0, 2, 0 from ids i
)
insert into pawl.subscription (bucket, run_id, token, ordinal, tenant, event, key, since)
select 0, i.run_id, 0, 0, 1, 'bench.event', 'k' || i.n, now() - interval '1 hour' from ids i

-- name: bench_fill_outbox
-- Starts of $1 runs of one workflow, told to all targets.
with ids as materialized (
    select array_agg(pawl.uuid7()) as runs from generate_series(1, $1::int)
), log as (
    insert into pawl.event (run_id, at, seq, bucket, type, data)
    select u.run_id, now(), 0, 0, 0, '{"workflow": 1, "version": 1, "input": {"order": 5, "name": "Ada"}}'
      from ids i, unnest(i.runs) as u (run_id)
), messages as (
    insert into pawl.outbox (bucket, target, run_id, seq, shard, tenant, workflow, version, type)
    select 0, t.id, u.run_id, 0, get_byte(uuid_send(u.run_id), 15) & 1, 1, 1, 1, 'run.started'
      from ids i, unnest(i.runs) as u (run_id), pawl.outbox_target t
    returning 1
)
select count(*) from messages

-- name: bench_make_people
-- $1 people with a table of their own as the source, and what they have as addresses.
with made as (
    insert into public.bench_people (id, first_name, tier, address)
    select 'p' || n, 'Ann', 'gold', $2 from generate_series(1, $1::int) as n
    returning 1
)
select count(*) from made

-- name: bench_person_source
select pawl.set_person_source('public.bench_people', key => 'id', address => '{"webhook": "address"}',
                              columns => '{first_name,tier}')

-- name: bench_people_enter
-- The people from number $1 on, $2 of them, enter the journey.
select count(*)
  from pawl.start_many('bench_journey', (
           select jsonb_agg(jsonb_build_object('subject', 'p' || n, 'data', jsonb_build_object('amount', n)))
             from generate_series($1::int, $1::int + $2::int - 1) as n
       ))

-- name: bench_count_messages
-- Messages that were sent, and those that were opened.
select count(*) filter (where m.sent_at is not null), count(*) filter (where m.opened_at is not null),
       count(*) filter (where m.sent_at is null)
  from pawl.message m

-- name: bench_count_funnel
-- Messages sent and opened, as the projector has counted them.
select coalesce(sum(c.count) filter (where c.what = 'sent'), 0)::bigint,
       coalesce(sum(c.count) filter (where c.what = 'opened'), 0)::bigint
  from pawl.funnel_count c
  join pawl.workflow w on w.id = c.workflow and w.name = 'bench_journey'
 where c.span = 'd' and c.variant = ''

-- name: bench_list_messages
select m.id, m.external_id from pawl.message m where m.sent_at is not null

-- name: bench_watch
select pawl.watch_table($1, operations => '{INSERT}', subject => 'user_id', event => $2)

-- name: bench_fill_plain
with made as (
    insert into public.bench_plain (user_id, amount, kind)
    select 'p' || n, n, 'earn' from generate_series(1, $1::int) as n returning 1
)
select count(*) from made

-- name: bench_fill_unnamed
with made as (
    insert into public.bench_unnamed (user_id, amount, kind)
    select 'p' || n, n, 'earn' from generate_series(1, $1::int) as n returning 1
)
select count(*) from made

-- name: bench_fill_unwanted
with made as (
    insert into public.bench_unwanted (user_id, amount, kind)
    select 'p' || n, n, 'earn' from generate_series(1, $1::int) as n returning 1
)
select count(*) from made

-- name: bench_fill_wanted
with made as (
    insert into public.bench_wanted (user_id, amount, kind)
    select 'p' || n, n, 'earn' from generate_series(1, $1::int) as n returning 1
)
select count(*) from made

-- name: bench_insert_each
-- $2 rows, each by a statement of its own, without a commit between them.
select public.bench_insert_each($1, $2)

-- name: bench_take_changes
-- As a matcher does.
select pawl.take_changes(0::smallint)

-- name: bench_count_events
-- Events of these tables, and rows that are not events yet.
select count(*) filter (where i.name = 'bench_wanted'), count(*) filter (where i.name <> 'bench_wanted'),
       (select coalesce(sum(b.count), 0)::bigint from pawl.change_batch b)
  from pawl.inbox i
 where i.name like 'bench\_%'

-- name: bench_start_many
-- $2 runs of $1 in one statement.
select count(*)
  from pawl.start_many($1, (
           select jsonb_agg(jsonb_build_object('subject', 'p' || n, 'data', jsonb_build_object('amount', n)))
             from generate_series(1, $2::int) as n
       ))
