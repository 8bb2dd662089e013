-- needs: functions/base/names
-- needs: functions/executions/context
-- needs: functions/executions/start
-- needs: functions/executions/steps
-- needs: functions/security/tenants
-- needs: functions/versions/steps

-- Every run of the session's tenant as one row. A column that is not asked for costs nothing. The two halves have no
-- conditions of their own, because only then are they planned as one relation, with its indexes.
create or replace view pawl.workflow_executions with (security_invoker) as
select x.run_id as id,
       w.name as workflow_name,
       x.version as workflow_version,
       case when x.status > 0 then pawl.run_status_name(x.status)
            when x.state in (1, 2) or pawl.execution_begun(x.bucket, x.run_id) then 'running'
            else 'pending' end as status,
       pawl.execution_step(x.bucket, x.run_id, x.workflow, x.version) as current_step,
       (select jsonb_array_length(pawl.steps_of(v.definition))
          from pawl.workflow_version v where v.workflow = x.workflow and v.version = x.version) as total_steps,
       pawl.execution_start(x.bucket, x.run_id) -> 'input' as input_payload,
       pawl.execution_context(x.bucket, x.run_id, x.workflow, x.version) as context,
       case x.status when 0 then (pawl.execution_failure(x.bucket, x.run_id, x.status)).message
                     else x.error ->> 'message' end as error_message,
       case when x.status in (0, 2) then (pawl.execution_failure(x.bucket, x.run_id, x.status)).node end as error_step,
       pawl.execution_retries(x.bucket, x.run_id) as retry_count,
       pawl.uuid7_time(x.run_id) as created_at,
       case when x.status > 0 or x.state in (1, 2) or pawl.execution_begun(x.bucket, x.run_id)
            then greatest(
                pawl.uuid7_time(x.run_id),
                to_timestamp((pawl.execution_start(x.bucket, x.run_id) ->> 'start_at')::bigint / 1000000.0)
            ) end as started_at,
       case when x.closed_at is not null then greatest(x.closed_at, pawl.uuid7_time(x.run_id)) end as completed_at,
       c.key as correlation_id,
       pawl.execution_start(x.bucket, x.run_id) ->> 'triggered_by' as triggered_by
  from (
      select l.bucket, l.run_id, l.tenant, l.workflow, l.version, 0::smallint as status, l.state,
             null::timestamptz as closed_at, null::jsonb as error
        from pawl.live_run l
       union all
      select r.bucket, r.run_id, r.tenant, r.workflow, r.version, r.status, null, r.closed_at, r.error
        from pawl.run r
  ) as x
  join pawl.workflow w on w.id = x.workflow
  left join pawl.correlation c
    on c.bucket = x.bucket and c.tenant = x.tenant and c.workflow = x.workflow and c.run_id = x.run_id
 where x.tenant = (select pawl.current_tenant())
   and x.bucket = (select t.bucket from pawl.tenant t where t.id = pawl.current_tenant());
