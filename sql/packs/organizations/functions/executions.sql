-- needs: packs/organizations/views/fw

-- Takes up to p_batch_size executions of an organization that are due. Only those that no worker has begun and that no
-- run waits for: a foreign worker does not know the log, and cannot take over a run in the middle.
create or replace function pawl.fw_claim_queued_executions(p_batch_size integer, p_org_id uuid)
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
create or replace function pawl.fw_finish_execution(
    p_execution_id uuid, p_status text, p_result jsonb default null, p_error text default null,
    p_retry_at timestamptz default null
)
returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    c_result_max constant int := 1048576;
    c_error_max constant int := 10000;
    v_run pawl.live_run;
    v_seq int;
    v_started timestamptz;
    v_closes boolean := p_status in ('completed', 'failed');
    v_error jsonb := case when p_status <> 'completed' then jsonb_build_object(
        'code', 'foreign_worker', 'class', case when p_status = 'failed' then 'permanent' else 'retryable' end,
        'message', coalesce(left(p_error, c_error_max), 'the worker gave no reason')) end;
begin
    if p_status is null or p_status not in ('completed', 'failed', 'retry_pending') then
        raise exception 'an execution ends as completed, failed or retry_pending, not %', coalesce(p_status, 'null')
            using errcode = 'invalid_parameter_value';
    end if;
    if not isfinite(p_retry_at) then
        raise exception 'the time of the next attempt must be a time, not %', p_retry_at
            using errcode = 'datetime_field_overflow', hint = 'Like this: now() + interval ''1 minute''.';
    end if;
    perform pawl.refuse_unreadable(p_result);
    if octet_length(p_result::text) > c_result_max then
        raise exception 'the result has % bytes; at most % are possible', octet_length(p_result::text), c_result_max
            using errcode = 'program_limit_exceeded',
                  hint = 'Keep it in a table of your own, and give the run its key.';
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
                  hint = format('It was finished, or its lease of %s ran out and another worker got it.',
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
