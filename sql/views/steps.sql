-- needs: functions/base/names
-- needs: functions/executions/pulse
-- needs: functions/executions/start
-- needs: functions/executions/steps
-- needs: functions/security/tenants

-- The steps of runs of the tenant, done and due. Reads the log of each run: give the id of a run.
create or replace view pawl.workflow_steps with (security_invoker) as
select s.id, x.run_id, s.step_name, s.seq, s.status, s.input, s.result, s.attempts, s.max_attempts, s.next_attempt_at,
       case when s.status = 'in_progress' then x.worker::text end as lock_owner, s.idempotency_key, s.error,
       s.created_at, s.updated_at,
       case when s.status = 'in_progress' then greatest(s.created_at, x.due_at) end as claimed_at,
       case when s.status = 'in_progress' then pawl.execution_beat(x.bucket, x.run_id) end as last_heartbeat,
       x.priority
  from (
      select l.bucket, l.run_id, l.tenant, l.workflow, l.version, 0::smallint as status, l.state = 1 as held, l.worker,
             l.due_at, l.priority::int as priority
        from pawl.live_run l
       union all
      select r.bucket, r.run_id, r.tenant, r.workflow, r.version, r.status, false, null, null,
             coalesce((pawl.execution_start(r.bucket, r.run_id) ->> 'priority')::int, 0)
        from pawl.run r
  ) as x
 cross join lateral pawl.execution_steps(x.bucket, x.run_id, x.workflow, x.version, x.status, x.held) s
 where x.tenant = (select pawl.current_tenant())
   and x.bucket = (select t.bucket from pawl.tenant t where t.id = pawl.current_tenant());

-- What happened in the steps of runs of the tenant, in order.
create or replace view pawl.step_logs with (security_invoker) as
select md5(x.run_id || ':' || e.seq)::uuid as id,
       md5(d.key)::uuid as step_id,
       case when e.type <> 2 then 'info' when e.data ? 'retry_at' then 'warn' else 'error' end as level,
       pawl.event_type_name(e.type) || coalesce(': ' || (e.error ->> 'message'), '') as message,
       jsonb_strip_nulls(jsonb_build_object(
           'run_id', x.run_id, 'step_name', e.node, 'seq', e.seq, 'attempt', nullif(e.attempt, 0), 'data', e.data,
           'error', e.error)) as meta,
       greatest(e.at, pawl.uuid7_time(x.run_id)) as created_at,
       x.run_id,
       e.seq
  from (
      select l.bucket, l.run_id, l.tenant, l.workflow, l.version from pawl.live_run l
       union all
      select r.bucket, r.run_id, r.tenant, r.workflow, r.version from pawl.run r
  ) as x
  join pawl.workflow_version v on v.workflow = x.workflow and v.version = x.version
 cross join lateral pawl.execution_visits(x.bucket, x.run_id) e
  join lateral pawl.execution_steps_done(x.bucket, x.run_id, v.definition) d
    on d.token = e.token and d.node = e.node and d.visit = e.visit
 where x.tenant = (select pawl.current_tenant())
   and x.bucket = (select t.bucket from pawl.tenant t where t.id = pawl.current_tenant());
