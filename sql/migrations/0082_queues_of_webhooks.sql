-- A webhook to a queue makes the queue of the first tenant, too. The message about a run that a foreign worker gave up
-- counts its attempts.
-- breaking: no
set local lock_timeout = '5s';

create or replace function pawl.own_queue(p_tenant int, p_name text) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    v_queue text := case when p_tenant = 1 then p_name else format('t%s_%s', p_tenant, p_name) end;
begin
    perform pawl.require_tenant(p_tenant);
    if p_name !~ '^[a-zA-Z0-9_-]+$' or length(v_queue) > 47 then
        raise exception 'a queue cannot be called %', quote_literal(p_name) using errcode = 'invalid_parameter_value';
    end if;
    perform pawl.ensure_queue(v_queue);
    if p_tenant = 1 then
        return;
    end if;
    insert into pawl.queue (name, tenant, active) values (v_queue, p_tenant, false) on conflict do nothing;
    perform pawl.share_queue(v_queue, r.role_name, true) from pawl.tenant_role r where r.tenant = p_tenant;
end
$$;

create or replace function pawl.dead_run_message(p_bucket smallint, p_run uuid) returns jsonb
language sql stable
set search_path = pg_catalog
as $$
    select jsonb_build_object(
               'execution_id', d.run_id, 'workflow_name', w.name, 'workflow_version', d.version,
               'steps', pawl.steps_of(v.definition),
               'current_step', coalesce(array_position(pawl.step_names(v.definition), d.node) - 1, 0),
               'context', c.context,
               'visibility_timeout', coalesce(v.definition -> 'visibility_timeout', '60'),
               'max_retries', coalesce(v.definition -> 'max_retries', '3'),
               'rule_id', coalesce(c.context -> 'rule_id', to_jsonb(h.id)),
               'trigger_type', coalesce(c.context -> 'trigger_type', b.triggered_by),
               'organization_id', coalesce(nullif(c.context -> 'organization_id', 'null'), to_jsonb(t.organization)),
               'attempt', f.attempts, 'total_attempts', f.attempts,
               'error', coalesce(d.error ->> 'message', d.error ->> 'code', 'failed'), 'error_step', d.node,
               'failed_at', to_char(d.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           )
      from pawl.dead_letter d
      join pawl.tenant t on t.id = d.tenant
      join pawl.workflow w on w.id = d.workflow
      join pawl.workflow_version v on v.workflow = d.workflow and v.version = d.version
      left join pawl.definition h on h.workflow = d.workflow
     cross join lateral (
         -- Beyond 8 MB it is empty: the run has it.
         select coalesce(jsonb_object_agg(p.key, p.value order by p.rank, e.seq) filter (where p.key is not null), '{}')
                    as context
           from pawl.event e
           left join lateral pawl.context_part(v.definition, e.type, e.node, e.data, e.error) p on true
          where e.bucket = d.bucket and e.run_id = d.run_id
            and 8388608 >= (
                select sum(pg_column_size(s.data)) from pawl.event s where s.bucket = d.bucket and s.run_id = d.run_id
            )
     ) as c
     cross join lateral (
         -- Once: beside the parts of the context it would be read for each of them.
         select e.data -> 'triggered_by' as triggered_by
           from pawl.event e where e.bucket = d.bucket and e.run_id = d.run_id and e.seq = 0
     ) as b
     cross join lateral (
         -- A foreign worker names no step, and its last failure is that of the run.
         select case when d.node is null then 1 + count(*) filter (where e.node is null and e.data ? 'retry_at')
                     else greatest(count(*) filter (where e.node = d.node), 1) end as attempts
           from pawl.event e
          where e.bucket = d.bucket and e.run_id = d.run_id and e.type = 2
     ) as f
     where d.bucket = p_bucket and d.run_id = p_run
$$;
