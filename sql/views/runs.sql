-- needs: functions/base/names
-- needs: functions/executions/context
-- needs: functions/executions/pulse
-- needs: functions/executions/steps
-- needs: functions/security/tenants

-- Runs of the tenant, open and closed, in the form of the first documents.
create or replace view pawl.workflow_runs with (security_invoker) as
select x.run_id as id,
       w.name as workflow_type,
       (select coalesce(v.label, v.version::text)
          from pawl.workflow_version v where v.workflow = x.workflow and v.version = x.version) as workflow_version,
       case when x.status > 0 then pawl.run_status_name(x.status)
            when (pawl.execution_pulse(x.bucket, x.run_id)).paused then 'paused'
            else 'running' end as status,
       pawl.execution_context(x.bucket, x.run_id, x.workflow, x.version) as payload,
       pawl.uuid7_time(x.run_id) as created_at,
       greatest(pawl.uuid7_time(x.run_id), (pawl.execution_pulse(x.bucket, x.run_id)).at) as updated_at
  from (
      select l.bucket, l.run_id, l.tenant, l.workflow, l.version, 0::smallint as status from pawl.live_run l
       union all
      select r.bucket, r.run_id, r.tenant, r.workflow, r.version, r.status from pawl.run r
  ) as x
  join pawl.workflow w on w.id = x.workflow
 where x.tenant = (select pawl.current_tenant())
   and x.bucket = (select t.bucket from pawl.tenant t where t.id = pawl.current_tenant());

-- The attempts of the steps of the tenant's runs: how many, the pause before the next, and whether the step is a dead
-- letter.
create or replace view pawl.retry_meta with (security_invoker) as
select s.id as step_id, s.attempts, s.backoff_seconds, s.dead_letter, x.run_id
  from (
      select l.bucket, l.run_id, l.tenant, l.workflow, l.version, 0::smallint as status, l.state = 1 as held
        from pawl.live_run l
       union all
      select r.bucket, r.run_id, r.tenant, r.workflow, r.version, r.status, false from pawl.run r
  ) as x
 cross join lateral pawl.execution_steps(x.bucket, x.run_id, x.workflow, x.version, x.status, x.held) s
 where x.tenant = (select pawl.current_tenant())
   and x.bucket = (select t.bucket from pawl.tenant t where t.id = pawl.current_tenant());
