-- name: doctor_snapshots
-- Checks return findings: verdict, detail, what to do, and for other languages a code (one of Finding.code of the API)
-- with what the two sentences name.
--
-- What keeps vacuum from cleaning up, the oldest first. $1: for how long that is bearable.
with holders as (
    select now() - a.xact_start as age,
           format('pid %s (%s%s) has been in a transaction for %s, %s: %s', a.pid, a.usename,
                  coalesce(', ' || nullif(a.application_name, ''), ''), date_trunc('second', now() - a.xact_start),
                  a.state, left(regexp_replace(coalesce(a.query, ''), '\s+', ' ', 'g'), 120)) as detail,
           format('let it end, or: select pg_terminate_backend(%s)', a.pid) as next,
           'old_snapshot' as code,
           jsonb_build_object('pid', a.pid, 'user', a.usename, 'age', date_trunc('second', now() - a.xact_start),
                              'state', a.state,
                              'query', left(regexp_replace(coalesce(a.query, ''), '\s+', ' ', 'g'), 120)) as values
      from pg_stat_activity a
     where a.backend_xmin is not null and a.pid <> pg_backend_pid() and a.xact_start is not null
       and a.backend_type = 'client backend'
    union all
    select now() - p.prepared, format('the prepared transaction %L of %s is open since %s', p.gid, p.owner, p.prepared),
           format('commit or roll it back: rollback prepared %L', p.gid),
           'prepared_transaction', jsonb_build_object('gid', quote_literal(p.gid), 'user', p.owner, 'since', p.prepared)
      from pg_prepared_xacts p
    union all
    select interval '1 year',
           format('the replication slot %s%s holds a snapshot that is %s transactions old', s.slot_name,
                                     case when s.active then '' else ', which is not in use,' end,
                                     greatest(age(s.xmin), age(s.catalog_xmin))),
           format('bring its consumer up, or: select pg_drop_replication_slot(%L)', s.slot_name),
           'slot_snapshot',
           jsonb_build_object('slot', s.slot_name, 'count', greatest(age(s.xmin), age(s.catalog_xmin)))
      from pg_replication_slots s
     where greatest(age(s.xmin), age(s.catalog_xmin)) > 1000000
    union all
    select interval '1 year', format('the standby %s holds a snapshot that is %s transactions old', r.application_name,
                                     age(r.backend_xmin)),
           'look for a long query there, or turn hot_standby_feedback off',
           'standby_snapshot', jsonb_build_object('standby', r.application_name, 'count', age(r.backend_xmin))
      from pg_stat_replication r
     where age(r.backend_xmin) > 1000000
), oldest as (
    select * from holders h order by h.age desc limit 5
)
select case when o.age > $1::interval then 'warn' else 'ok' end, o.detail,
       case when o.age > $1::interval then o.next else '' end, o.code, o.values
  from oldest o
 where o.age > $1::interval or o.age = (select max(b.age) from oldest b)
union all
select 'ok', 'no session holds an old snapshot', '', 'no_old_snapshot', '{}'
 where not exists (select 1 from holders) and pg_has_role(current_user, 'pg_read_all_stats', 'usage')
union all
select 'warn', 'this user sees its own sessions only: others may hold an old snapshot',
       format('grant pg_read_all_stats to %I', current_user), 'hidden_sessions', '{}'
 where not pg_has_role(current_user, 'pg_read_all_stats', 'usage')

-- name: doctor_partitions
with wanted as (
    select t.name as parent, w.week, t.name || '_' || to_char(
               date_trunc('week', now() at time zone 'UTC') + w.week * interval '1 week', 'YYYYMMDD') as name
      from unnest(array['event', 'run']) as t (name)
     cross join generate_series(0, 2) as w (week)
), missing as (
    select string_agg(w.name, ', ' order by w.week, w.name) as names, min(w.week) as first
      from wanted w where to_regclass('pawl.' || w.name) is null
), strayed as (
    select string_agg(t.name, ', ') as names
      from (select 'event_default' as name where pg_relation_size('pawl.event_default') > 0
            union all
            select 'run_default' where pg_relation_size('pawl.run_default') > 0) as t
)
select case when m.names is null then 'ok' else 'warn' end,
       coalesce('missing: ' || m.names, 'there for the weeks to come'),
       case when m.names is null then ''
            else 'select pawl.ensure_partitions(); workers do so every hour: see their log for why they could not' end,
       case when m.names is null then 'partitions_there' else 'partitions_missing' end as code,
       jsonb_build_object('names', m.names) as values
  from missing m
union all
select 'warn', 'rows lie in ' || s.names || ': clocks ran ahead, or partitions were missing when they came',
       'nothing is lost; --retention deletes them row by row. See docs/runbook.md, missing partitions',
       'strayed_rows', jsonb_build_object('names', s.names)
  from strayed s where s.names is not null

-- name: doctor_stuck_runs
-- Held by a worker that is gone, held for long without an event, or with messages that no worker takes. $1: bucket,
-- $2: patience.
with orphans as (
    select count(*) as count, min(l.run_id::text) as run
      from pawl.live_run l
     where l.bucket = $1 and l.state = 1 and not exists (select 1 from pawl.worker w where w.id = l.worker)
), slow as (
    select count(*) as count, min(s.run_id::text) as run, min(s.at) as since
      from (select l.run_id, e.at
              from (select o.run_id from pawl.live_run o where o.bucket = $1 and o.state = 1 limit 10000) as l
             cross join lateral (
                 select v.at from pawl.event v where v.bucket = $1 and v.run_id = l.run_id order by v.seq desc limit 1
             ) as e
             where e.at < now() - $2::interval) as s
), unread as (
    select count(*) as count, min(s.run_id::text) as run, min(s.at) as since
      from (select * from pawl.signal g where g.bucket = $1 limit 10000) as s
     where s.at < now() - $2::interval
       and exists (select 1 from pawl.live_run l where l.bucket = $1 and l.run_id = s.run_id and l.state <> 3)
)
select 'fail', format('runs held by workers that are gone: %s, such as %s', o.count, o.run),
       'update pawl.live_run l set state = 0, worker = null where l.state = 1'
       ' and not exists (select 1 from pawl.worker w where w.id = l.worker)',
       'orphaned_runs' as code, jsonb_build_object('count', o.count, 'run', o.run) as values
  from orphans o where o.count > 0
union all
select 'warn', format('runs being worked on without any news for long: %s, such as %s since %s', s.count, s.run,
                      date_trunc('second', s.since)),
       format('a step takes its time, or hangs: pawl runs show %s; pawl runs cancel, or skip', s.run),
       'slow_runs', jsonb_build_object('count', s.count, 'run', s.run, 'since', date_trunc('second', s.since))
  from slow s where s.count > 0
union all
select 'warn', format('messages for runs that no worker took: %s, such as for %s since %s', u.count, u.run,
                      date_trunc('second', u.since)),
       format('are workers at work? pawl runs why %s', u.run),
       'unread_messages', jsonb_build_object('count', u.count, 'run', u.run, 'since', date_trunc('second', u.since))
  from unread u where u.count > 0
union all
select 'ok', 'none', '', 'none_stuck', '{}'
 where not exists (select 1 from orphans o where o.count > 0) and not exists (select 1 from slow s where s.count > 0)
   and not exists (select 1 from unread u where u.count > 0)

-- name: doctor_dead_workers
-- $1: bucket, $2: patience. The others declare a worker dead after eight seconds.
with dead as (
    select w.*, (select count(*) from pawl.live_run l where l.bucket = $1 and l.worker = w.id) as held
      from pawl.worker w where w.beat_at < now() - least($2::interval, '30s')
)
select 'warn', format('%s (pid %s on %s) has not been heard of for %s; runs that it holds: %s', d.id, d.pid, d.host,
                      date_trunc('second', now() - d.beat_at), d.held),
       case when exists (select 1 from pawl.worker w where w.beat_at >= now() - least($2::interval, '30s'))
            then 'live workers take its runs over within seconds; if this stays, see their log'
            else 'no worker is alive: start one (pawl worker), it takes the runs over' end,
       case when exists (select 1 from pawl.worker w where w.beat_at >= now() - least($2::interval, '30s'))
            then 'dead_worker' else 'last_worker_dead' end as code,
       jsonb_build_object('worker', d.id, 'pid', d.pid, 'host', d.host, 'age', date_trunc('second', now() - d.beat_at),
                          'count', d.held) as values
  from dead d
union all
select 'ok', 'none', '', 'none_dead', '{}' where not exists (select 1 from dead)

-- name: doctor_lag
-- What is derived from other rows, and how far behind it is. $1: bucket, $2: patience.
with behind as (
    select 'events that were not matched with waiting runs' as what, 'events_behind' as code,
           (select e.at from pawl.inbox e
             where e.id = (select min(p.id) from pawl.inbox_pending p where p.bucket = $1)) as since
    union all
    select 'events that should have started runs', 'starts_behind',
           (select e.at from pawl.inbox e
             where e.id = (select min(p.id) from pawl.trigger_pending p where p.bucket = $1))
    union all
    select 'schedules that should have fired', 'schedules_behind',
           (select min(s.due_at) from pawl.schedule s where s.active and s.paused_at is null)
    union all
    select 'tasks of the database''s queue', 'tasks_behind',
           queues.oldest_task()
)
select 'warn', format('%s, the oldest since %s', b.what, date_trunc('second', b.since)),
       'workers do this: are some at work, and what does their log say?', b.code,
       jsonb_build_object('since', date_trunc('second', b.since)) as values
  from behind b where b.since < now() - $2::interval
union all
select 'ok', 'events, schedules and tasks are up to date', '', 'no_lag', '{}'
 where not exists (select 1 from behind b where b.since < now() - $2::interval)

-- name: doctor_webhooks
-- Webhooks that do not get their messages, and why. $1: bucket, $2: patience.
with target as (
    select t.id, t.disabled_at, t.disabled_because, n.name as tenant_name,
           format('%s %s%s', t.kind, t.id, case when t.tenant = 1 then '' else ' of tenant ' || n.name end) as what,
           case when t.tenant = 1 then '' else format(' --tenant %s', n.name) end as tenant
      from pawl.outbox_target t
      join pawl.tenant n on n.id = t.tenant
     order by t.id
     limit 1000
), waiting as (
    select t.id, t.what, t.tenant, t.tenant_name, min(o.created_at) as since, count(*) as count, max(o.error) as error
      from target t
     cross join lateral (
         select x.created_at, x.error
           from pawl.outbox x
          where x.bucket = $1 and x.target = t.id and x.due_at is not null
          order by x.shard, x.due_at
          limit 1000
     ) as o
     where t.disabled_at is null
     group by t.id, t.what, t.tenant, t.tenant_name
    having min(o.created_at) < now() - $2::interval
), failed as (
    select t.id, t.what, t.tenant, t.tenant_name, count(*) as count, max(o.error) as error
      from target t
     cross join lateral (
         select x.error
           from pawl.outbox x
          where x.bucket = $1 and x.target = t.id and x.finished_at is not null and x.error is not null
            and x.state = 3
          limit 1000
     ) as o
     group by t.id, t.what, t.tenant, t.tenant_name
), wrong as (
    select t.id, format('%s is disabled since %s: %s', t.what, date_trunc('second', t.disabled_at), t.disabled_because)
           as detail, format('pawl webhooks enable %s%s', t.id, t.tenant) as next, 'webhook_disabled' as code,
           jsonb_build_object('webhook', t.id, 'tenant', t.tenant_name, 'since', date_trunc('second', t.disabled_at),
                              'error', t.disabled_because) as values
      from target t where t.disabled_at is not null
    union all
    select w.id, format('%s: deliveries that wait: %s%s, the oldest since %s%s', w.what, w.count,
                        case when w.count = 1000 then ' or more' else '' end, date_trunc('second', w.since),
                        coalesce(': ' || left(w.error, 300), '')),
           case when w.error is null
                then 'is a pawl serve or worker at work that has the secret key (PAWL_SECRET_KEY)?'
                else format('pawl webhooks deliveries %s --state pending%s', w.id, w.tenant) end,
           case when w.error is null then 'webhook_unsent' else 'webhook_waits' end,
           jsonb_build_object('webhook', w.id, 'tenant', w.tenant_name, 'count', w.count,
                              'since', date_trunc('second', w.since), 'error', left(w.error, 300))
      from waiting w
    union all
    select f.id, format('%s: deliveries that failed for good: %s%s: %s', f.what, f.count,
                        case when f.count = 1000 then ' or more' else '' end, left(f.error, 300)),
           format('pawl webhooks deliveries %s --state failed%s, then redeliver', f.id, f.tenant), 'webhook_failed',
           jsonb_build_object('webhook', f.id, 'tenant', f.tenant_name, 'count', f.count, 'error', left(f.error, 300))
      from failed f
)
(select 'warn', w.detail, w.next, w.code, w.values from wrong w order by w.id limit 20)
union all
select 'ok', 'all get their messages', '', 'webhooks_served', '{}' where not exists (select 1 from wrong)

-- name: doctor_closed_runs
-- $1: bucket. What is open of a closed run is removed by the worker that meets it, or by --repair.
select case when count(*) > 0 then 'fail' else 'ok' end,
       case when count(*) > 0 then format('runs that are closed and open at once: %s', count(*))
            else 'no run is closed and open at once' end,
       case when count(*) > 0 then 'pawl doctor --repair' else '' end,
       case when count(*) > 0 then 'closed_and_open' else 'none_closed_and_open' end as code,
       jsonb_build_object('count', count(*)) as values
  from pawl.live_run l
 where l.bucket = $1
   and exists (select 1 from pawl.run r where r.bucket = $1 and r.run_id = l.run_id)

-- name: mend_all_runs
select mend_runs from pawl.mend_runs($1)

-- name: doctor_flow
-- $1: bucket
select 'fail', format('%s %s', p.gate, p.problem),
       'report it, with this line; a new limit makes the gate count anew: pawl limits set',
       'gate_wrong' as code, jsonb_build_object('gate', p.gate, 'why', p.problem) as values
  from (select * from pawl.flow_problems($1) limit 20) as p
union all
select 'ok', 'gates count what is inside', '', 'gates_right', '{}'
 where not exists (select 1 from pawl.flow_problems($1))

-- name: doctor_write
-- Half a megabyte that nothing compresses; the caller takes it back.
insert into pawl.worker (id, host, pid, version)
select gen_random_uuid(), 'pawl doctor', 0, string_agg(md5(random()::text), '') from generate_series(1, 16384)

-- name: doctor_seat
-- Holds a connection for a moment.
select pg_backend_pid() from pg_sleep(0.2)
