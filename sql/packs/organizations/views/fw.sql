-- needs: functions/base/names
-- needs: functions/security/tenants

-- Runs as the worker of an organization sees them. An attempt of a foreign worker that failed stands in the log as a
-- failure of no step in particular.
create or replace view pawl.fw_workflow_executions with (security_barrier) as
select x.run_id as id,
       t.organization as organization_id,
       d.id as rule_id,
       w.name as workflow_name,
       coalesce(e.data -> 'input' ->> 'trigger_type', 'manual') as trigger_type,
       e.data -> 'input' as trigger_data,
       case when x.status > 0 then pawl.run_status_name(x.status)
            when x.state = 1 then 'running'
            when x.state = 0 and a.retries > 0 then 'retry_pending'
            when x.state = 0 then 'queued'
            else 'waiting' end as status,
       a.retries + 1 as attempt,
       case when x.state = 0 then x.due_at end as next_retry_at,
       coalesce(x.error ->> 'message', a.last_error) as error_message,
       x.output as result,
       e.data ->> 'correlation_id' as correlation_id,
       pawl.uuid7_time(x.run_id) as created_at,
       case when x.closed_at is not null then greatest(x.closed_at, pawl.uuid7_time(x.run_id)) end as completed_at
  from (
      select l.bucket, l.run_id, l.tenant, l.workflow, 0::smallint as status, l.state, l.due_at,
             null::timestamptz as closed_at, null::jsonb as output, null::jsonb as error
        from pawl.live_run l
       union all
      select r.bucket, r.run_id, r.tenant, r.workflow, r.status, null, null, r.closed_at, r.output, r.error
        from pawl.run r
  ) as x
  join pawl.tenant t on t.id = x.tenant and t.bucket = x.bucket
  join pawl.workflow w on w.id = x.workflow
  left join pawl.definition d on d.workflow = x.workflow
  left join lateral (
      select e.data from pawl.event e where e.bucket = x.bucket and e.run_id = x.run_id and e.seq = 0
  ) as e on true
 cross join lateral (
      select (count(*) filter (where f.data ? 'retry_at'))::int as retries,
             (array_agg(f.error ->> 'message' order by f.seq desc))[1] as last_error
        from pawl.event f
       where f.bucket = x.bucket and f.run_id = x.run_id and f.type = 2
  ) as a
 where t.id = pawl.current_tenant() or pawl.is_engine();

-- Whether a worker of the organization is running, when one last ran, and with what.
create or replace view pawl.fw_module_settings with (security_barrier) as
select t.organization as organization_id,
       coalesce(o.running_until > now(), false) as worker_running,
       o.last_run_at as worker_last_run_at,
       o.last_batch_size as worker_last_batch_size
  from pawl.tenant t
  left join pawl.organization_worker o on o.tenant = t.id
 where t.id = pawl.current_tenant() or pawl.is_engine();
