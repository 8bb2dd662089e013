-- name: report_worker
select draining, to_jsonb(close_tenant), to_jsonb(close_target)
  from pawl.report_worker($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: list_worker_rows
-- Of the whole database. One that drains is drained when it has said itself that it takes no more and holds none.
select jsonb_build_object(
           'id', w.id, 'host', w.host, 'pid', w.pid, 'version', w.version, 'started_at', w.started_at,
           'beat_at', w.beat_at, 'runs', w.runs, 'draining_since', w.drain_at,
           'status', case when w.beat_at < now() - interval '8 s' then 'silent'
                          when w.drain_at is null then 'working'
                          when w.runs > 0 or not w.resting then 'draining' else 'drained' end)
  from pawl.worker w
 order by w.started_at, w.id
 limit 1000

-- name: drain_worker
-- $2: whether it should. One that drains already keeps its time. Not of one that has not heard yet: it would take its
-- own state over.
update pawl.worker w
   set drain_at = case when $2::boolean then coalesce(w.drain_at, now()) end
 where w.id = $1 and w.heard_at is not null
returning w.id

-- name: list_circuits
-- Of a tenant, each target once, with what its workers know of it: open where it is open for one of them.
select jsonb_build_object(
           'target', c.target,
           'state', case when bool_or(c.state = 'open') then 'open' when bool_or(c.state = 'half_open') then 'half_open'
                         else 'closed' end,
           'workers', count(*), 'workers_open', count(*) filter (where c.state <> 'closed'),
           'opened', sum(c.opened), 'until', max(c.until) filter (where c.state = 'open'),
           'error', (array_agg(c.error order by c.changed_at desc) filter (where c.error is not null))[1],
           'changed_at', max(c.changed_at), 'closing', bool_or(c.close_at is not null))
  from pawl.circuit c
 where c.tenant = $1 and ($2::text is null or c.target = $2)
 group by c.target
 order by c.target
 limit 1000

-- name: close_circuit
update pawl.circuit c
   set close_at = now()
 where c.tenant = $1 and c.target = $2
returning c.worker

-- name: list_queue_rows
select d.queue
  from (select 1 as place, q.queue from pawl.describe_own_queues($1) as q (queue)
        union all
        select 2, q.queue from pawl.describe_queues() as q (queue)) as d
 order by d.place, d.queue ->> 'name'

-- name: has_queue
select pawl.has_queue($1)

-- name: peek_queue
select q.message from pawl.peek_queue($1, $2, $3) as q (message)

-- name: purge_queue
select pawl.purge_queue($1)

-- name: show_person_source
-- Where the people of a tenant are (null: in Pawl), and what is redacted of them.
select jsonb_build_object('redacted', pawl.columns_redacted($1), 'source', (
           select jsonb_build_object(
                      'table', format('%I.%I', s.schema_name, s.table_name), 'shared', s.tenant = 0,
                      'key_column', s.key_column, 'tenant_column', s.tenant_column, 'addresses', s.address,
                      'locale_column', s.locale_column, 'timezone_column', s.timezone_column,
                      'columns', to_jsonb(s.columns), 'redacted', to_jsonb(pawl.columns_redacted($1)),
                      'updated_at', s.updated_at,
                      'exists', to_regclass(format('%I.%I', s.schema_name, s.table_name)) is not null)
             from pawl.person_source s
            where s.tenant in ($1, 0)
            order by s.tenant desc
            limit 1))
