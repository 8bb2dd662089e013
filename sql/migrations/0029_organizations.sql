-- Organizations: tenants by the id that other systems know them by, with the doors of the per-organization worker:
-- executions that a foreign worker claims and finishes through SQL alone, form submissions, one worker at a time.
-- breaking: no

set local lock_timeout = '5s';

alter table pawl.tenant add column organization uuid not null default gen_random_uuid();
alter table pawl.tenant add constraint tenant_organization_unique unique (organization);

-- Whether the session may work for an organization: its own, or any for those who work for all.
create function pawl.fw_has_org_access(p_organization_id uuid) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return exists (
        select 1
          from pawl.tenant t
         where t.organization = p_organization_id and (t.id = pawl.current_tenant() or pawl.is_engine())
    );
end
$$;

-- The tenant behind an organization. An unknown one and one of somebody else look the same.
create function pawl.organization_tenant(p_organization_id uuid) returns pawl.tenant
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_tenant pawl.tenant;
begin
    if p_organization_id is null or not pawl.fw_has_org_access(p_organization_id) then
        raise exception 'no access to organization %', coalesce(p_organization_id::text, 'null')
            using errcode = 'insufficient_privilege',
                  hint = 'Organizations belong to tenants (pawl.tenant.organization); roles are bound to tenants with '
                         'pawl.bind_role.';
    end if;
    select t.* into v_tenant from pawl.tenant t where t.organization = p_organization_id;
    return v_tenant;
end
$$;

-- Executions ----------------------------------------------------------------------------------------------------------

-- Runs as the worker of an organization sees them. An attempt of a foreign worker that failed stands in the log as a
-- failure of no step in particular.
create view pawl.fw_workflow_executions with (security_barrier) as
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
       x.closed_at as completed_at
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

-- How long a claimed execution is left alone.
create function pawl.fw_lease() returns interval
language sql stable
return coalesce(nullif(current_setting('pawl.fw_lease', true), ''), '5 minutes')::interval;

-- Who holds what foreign workers of a tenant claim now: a worker that never beats again, so that its life is the lease
-- and what was not finished goes to somebody else. One a minute, because to bury one is to look at all open runs.
create function pawl.foreign_worker(p_tenant int) returns uuid
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_minute timestamptz := date_trunc('minute', now());
    v_worker uuid := md5(format('foreign worker %s %s', p_tenant, extract(epoch from v_minute)))::uuid;
begin
    insert into pawl.worker as w (id, host, pid, version, beat_at)
    values (v_worker, 'sql', 0, 'foreign', v_minute + interval '1 minute' + pawl.fw_lease())
        on conflict (id) do update set beat_at = greatest(w.beat_at, excluded.beat_at);
    return v_worker;
end
$$;

-- Takes up to p_batch_size executions of an organization that are due. Only such as nobody has begun and nobody waits
-- for: a run that was left in the middle cannot be taken over by somebody who does not know its log.
create function pawl.fw_claim_queued_executions(p_batch_size integer, p_org_id uuid)
returns setof pawl.fw_workflow_executions
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
    v_tenant pawl.tenant := pawl.organization_tenant(p_org_id);
    v_worker uuid;
    v_runs uuid[];
begin
    if p_batch_size is null or p_batch_size not between 1 and 50 then
        raise exception 'the batch size must be between 1 and 50, not %', coalesce(p_batch_size::text, 'null')
            using errcode = 'invalid_parameter_value';
    end if;
    v_worker := pawl.foreign_worker(v_tenant.id);
    with due as materialized (
        select l.ctid as row_id
          from pawl.live_run l
         where l.bucket = v_tenant.bucket and l.tenant = v_tenant.id and l.state = 0 and l.due_at <= now()
           and not exists (
               select 1
                 from pawl.event e
                where e.bucket = l.bucket and e.run_id = l.run_id
                  and (e.seq = 0 and e.data ? 'caller' or e.seq > 0 and (e.type <> 2 or e.node is not null))
           )
           and not exists (select 1 from pawl.signal s where s.bucket = l.bucket and s.run_id = l.run_id)
         order by l.priority, l.due_at, l.run_id
         limit p_batch_size
           for no key update skip locked
    ), taken as (
        update pawl.live_run l
           set state = 1, worker = v_worker
         where l.ctid = any (array(select due.row_id from due))
        returning l.run_id
    )
    select array_agg(t.run_id) into v_runs from taken t;
    return query
    select e.* from pawl.fw_workflow_executions e where e.id = any (v_runs) order by e.created_at, e.id;
end
$$;

-- Ends an execution that was claimed: 'completed' with a result, 'failed' with an error (and a dead letter), or
-- 'retry_pending', to be claimed again at p_retry_at.
create function pawl.fw_finish_execution(
    p_execution_id uuid, p_status text, p_result jsonb default null, p_error text default null,
    p_retry_at timestamptz default null
) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_run pawl.live_run;
    v_seq int;
    v_started timestamptz;
    v_closes boolean := p_status in ('completed', 'failed');
    v_error jsonb := case when p_status <> 'completed' then jsonb_build_object(
        'code', 'foreign_worker', 'class', case when p_status = 'failed' then 'permanent' else 'retryable' end,
        'message', coalesce(p_error, 'the worker gave no reason')) end;
begin
    if p_status is null or p_status not in ('completed', 'failed', 'retry_pending') then
        raise exception 'an execution ends as completed, failed or retry_pending, not %', coalesce(p_status, 'null')
            using errcode = 'invalid_parameter_value';
    end if;
    select l.* into v_run
      from (select distinct t.bucket from pawl.tenant t) as b
     cross join lateral (
         select * from pawl.live_run h where h.bucket = b.bucket and h.run_id = p_execution_id offset 0
     ) as l
      join pawl.worker w on w.id = l.worker and w.version = 'foreign'
     where l.state = 1 and (l.tenant = pawl.current_tenant() or pawl.is_engine());
    if not found then
        raise exception 'execution % is not claimed', p_execution_id
            using errcode = 'object_not_in_prerequisite_state',
                  hint = format('It was finished, or its lease of %s ran out and it went to somebody else.',
                                pawl.fw_lease());
    end if;
    select max(e.seq) + 1, min(e.at) into v_seq, v_started
      from pawl.event e where e.bucket = v_run.bucket and e.run_id = v_run.run_id;
    perform pawl.commit_runs(
        v_run.bucket, v_run.worker, false,
        array[v_run.run_id], array[v_seq],
        array[case p_status when 'completed' then 4 when 'failed' then 5 else 2 end]::smallint[],
        array[null]::smallint[], array[null]::text[],
        array[case p_status
                  when 'completed' then p_result
                  when 'retry_pending' then jsonb_build_object(
                      'retry_at', (extract(epoch from coalesce(p_retry_at, now())) * 1000000)::bigint) end],
        array[v_error], null,
        case when v_closes then '{}' else array[v_run.run_id] end,
        case when v_closes then '{}' else array[coalesce(p_retry_at, now())] end,
        case when v_closes then array[v_run.run_id] else '{}' end, array[v_started], array[v_run.tenant],
        array[v_run.workflow], array[v_run.version],
        array[case p_status when 'completed' then 1 else 2 end]::smallint[],
        array[v_run.subject], array[p_result], array[v_error], array[null]::text[],
        '{}', '{}'
    );
end
$$;

-- One worker at a time ------------------------------------------------------------------------------------------------

-- Who works for an organization: at most one call at a time, and not for ever when it dies.
create table pawl.organization_worker (
    tenant int not null,
    running_until timestamptz not null default '-infinity',
    last_run_at timestamptz,
    last_batch_size int,
    constraint organization_worker_pk primary key (tenant),
    constraint organization_worker_tenant_fk foreign key (tenant) references pawl.tenant (id)
);

create view pawl.fw_module_settings with (security_barrier) as
select t.organization as organization_id,
       coalesce(o.running_until > now(), false) as worker_running,
       o.last_run_at as worker_last_run_at,
       o.last_batch_size as worker_last_batch_size
  from pawl.tenant t
  left join pawl.organization_worker o on o.tenant = t.id
 where t.id = pawl.current_tenant() or pawl.is_engine();

-- Takes the organization's place for p_for; false when somebody has it.
create function pawl.enter_organization(p_tenant int, p_for interval) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into pawl.organization_worker as o (tenant, running_until, last_run_at)
    values (p_tenant, now() + p_for, now())
        on conflict (tenant) do update set running_until = excluded.running_until, last_run_at = now()
     where o.running_until <= now();
    return found;
end
$$;

create function pawl.leave_organization(p_tenant int, p_batch_size int) returns void
language sql set search_path = pg_catalog, pg_temp
begin atomic
    update pawl.organization_worker o
       set running_until = '-infinity', last_batch_size = p_batch_size
     where o.tenant = p_tenant;
end;

-- What there is to do for a tenant now: the runs that are due or under way.
create function pawl.runs_to_do(p_bucket smallint, p_tenant int, p_limit int) returns setof uuid
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
    select l.run_id
      from pawl.live_run l
     where l.bucket = p_bucket and l.tenant = p_tenant and (l.state = 0 and l.due_at <= now() or l.state = 1)
     order by l.due_at, l.run_id
     limit p_limit;
end;

-- How those runs are now: open ones that nobody has to do anything for (they wait) count as done.
create function pawl.runs_done(p_bucket smallint, p_run uuid[])
returns table (run_id uuid, status text, error text, dead boolean)
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
    select u.run_id,
           case when r.status is not null then pawl.run_status_name(r.status)
                when l.state = 2 or l.due_at > now() then 'waiting'
                else 'open' end,
           r.error ->> 'message',
           r.status = 2
      from unnest(p_run) as u (run_id)
      left join lateral (
          select h.state, h.due_at from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
      ) as l on true
      left join lateral (
          select c.status, c.error from pawl.run c where c.bucket = p_bucket and c.run_id = u.run_id offset 0
      ) as r on true;
end;

-- Form submissions ----------------------------------------------------------------------------------------------------

-- Whether a filter of a trigger holds for what a form sent. Only the plain comparisons: whoever starts a run in the
-- database does not wait for a worker that knows them all.
create function pawl.form_filter_holds(p_filter jsonb, p_data jsonb) returns boolean
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare
    v_path text := regexp_replace(coalesce(p_filter ->> 'path', p_filter ->> 'field'), '^(event\.)?(data\.)?', '');
    v_found jsonb := p_data #> string_to_array(v_path, '.');
begin
    if coalesce(p_filter, 'null') = 'null' then
        return true;
    elsif p_filter ? 'all' then
        return (select coalesce(bool_and(pawl.form_filter_holds(f.value, p_data)), true)
                  from jsonb_array_elements(p_filter -> 'all') f);
    elsif p_filter ? 'any' then
        return (select coalesce(bool_or(pawl.form_filter_holds(f.value, p_data)), false)
                  from jsonb_array_elements(p_filter -> 'any') f);
    elsif p_filter ? 'not' then
        return not pawl.form_filter_holds(p_filter -> 'not', p_data);
    end if;
    case coalesce(p_filter ->> 'operator', '=')
        when '=' then return coalesce(v_found = p_filter -> 'value', false);
        when '!=' then return coalesce(v_found <> p_filter -> 'value', true);
        when 'exists' then return v_found is not null;
        when 'in' then return coalesce(p_filter -> 'value' @> jsonb_build_array(v_found), false);
        else
            raise exception 'a form is not compared with the operator %', p_filter ->> 'operator'
                using errcode = 'feature_not_supported',
                      hint = 'Use =, !=, in or exists in the filter, or publish the submission with pawl.emit.';
    end case;
end
$$;

-- Starts what an organization wants done with a submitted form: its active workflows with a trigger of the event
-- form_submitted whose filter holds. Returns the first run, or null when there is none; a submission that was enqueued
-- before gives back the run that it has.
create function pawl.fw_enqueue_form_submission_automation(p_form_id uuid, p_submission_id uuid, p_organization_id uuid)
returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_tenant pawl.tenant := pawl.organization_tenant(p_organization_id);
    v_before text := coalesce(current_setting('pawl.tenant', true), '');
    v_data jsonb := jsonb_build_object(
        'trigger_type', 'form_submitted', 'submission_id', p_submission_id, 'form_id', p_form_id,
        'organization_id', p_organization_id, 'submission_data', '{}'::jsonb);
    v_rule record;
    v_run uuid;
    v_first uuid;
begin
    if p_form_id is null or p_submission_id is null then
        raise exception '% is required', case when p_form_id is null then 'p_form_id' else 'p_submission_id' end
            using errcode = 'null_value_not_allowed';
    end if;
    -- Whoever works for all tenants starts for this one; for everybody else it is their own already.
    perform set_config('pawl.tenant', v_tenant.id::text, true);
    for v_rule in
        select distinct on (d.name) d.name
          from pawl.definition d
         cross join jsonb_array_elements(
             case when jsonb_typeof(d.settings -> 'triggers') = 'array' then d.settings -> 'triggers' else '[]' end
         ) as t (trigger)
         where d.tenant = v_tenant.id and d.active and t.trigger ->> 'event' = 'form_submitted'
           and pawl.form_filter_holds(t.trigger -> 'filter', v_data)
         order by d.name
    loop
        v_run := pawl.start(v_rule.name, v_data, 'form:' || p_submission_id, triggered_by => 'form_submitted');
        v_first := coalesce(v_first, v_run);
    end loop;
    perform set_config('pawl.tenant', v_before, true);
    return v_first;
end
$$;
