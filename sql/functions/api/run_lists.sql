-- One run of a tenant with the data of its event 0. An open run has a live_run row, a closed one a run row, never both.
create or replace function pawl.find_run(p_bucket smallint, p_tenant int, p_run uuid)
returns table (
    run_id uuid, workflow text, version int, status text, subject text, started_at timestamptz, closed_at timestamptz,
    due_at timestamptz, output jsonb, error jsonb, workflow_id int, priority smallint, retried_as uuid, data jsonb
)
language plpgsql stable
set search_path = pg_catalog
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
begin
    return query
    select x.run_id, w.name, x.version, x.status, x.subject, x.started_at, x.closed_at, x.due_at, x.output, x.error,
           x.workflow, x.priority, x.retried_as, pawl.execution_start(p_bucket, p_run)
      from (
          select l.run_id, l.workflow, l.version, pawl.open_status_name(l.state, l.due_at) as status, l.subject,
                 pawl.uuid7_time(l.run_id) as started_at, null::timestamptz as closed_at,
                 case when l.state <> 2 then l.due_at end as due_at, null::jsonb as output, null::jsonb as error,
                 l.priority, null::uuid as retried_as
            from pawl.live_run l
           where l.bucket = p_bucket and l.run_id = p_run and l.tenant = p_tenant
           union all
          select r.run_id, r.workflow, r.version, pawl.run_status_name(r.status), r.subject,
                 least(r.started_at, r.closed_at), r.closed_at, null, r.output, r.error, null, r.retried_as
            from pawl.run r
           where r.bucket = p_bucket and r.run_id = p_run and r.tenant = p_tenant
      ) as x
      join pawl.workflow w on w.id = x.workflow;
end
$$;

-- Open and closed runs, newest first: run ids are time-ordered, so both halves walk their
-- primary key backwards from the cursor and stop at the limit, whatever the statistics say.
-- Planned with the values, so that a missing filter costs nothing.
create or replace function pawl.list_runs(
    p_bucket smallint, p_workflow text, p_status text, p_before uuid, p_limit bigint
)
returns table (
    run_id uuid, workflow text, version int, status text, subject text, started_at timestamptz, closed_at timestamptz,
    due_at timestamptz, output jsonb, error jsonb
)
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    select * from (
        (select l.run_id, w.name, l.version, pawl.live_state_name(l.state), l.subject,
                to_timestamp(('x' || substr(replace(l.run_id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0),
                null::timestamptz, l.due_at, null::jsonb, null::jsonb
           from pawl.live_run l
           join pawl.workflow w on w.id = l.workflow
          where l.bucket = p_bucket and (p_workflow is null or w.name = p_workflow)
            and (p_status is null or pawl.live_state_name(l.state) = p_status or p_status = 'running')
            and (p_before is null or l.run_id < p_before)
          order by l.run_id desc
          limit p_limit)
        union all
        (select r.run_id, w.name, r.version, pawl.run_status_name(r.status), r.subject, r.started_at, r.closed_at,
                null, r.output, r.error
           from pawl.run r
           join pawl.workflow w on w.id = r.workflow
          where r.bucket = p_bucket and (p_workflow is null or w.name = p_workflow)
            and (p_status is null or pawl.run_status_name(r.status) = p_status)
            and (p_before is null or r.run_id < p_before)
          order by r.run_id desc
          limit p_limit)
    ) as both_kinds
     order by 1 desc
     limit p_limit;
end
$$;

-- p_scan: how many of the newest open runs of all tenants may be looked at before all are. p_error, p_where: runs that
-- meet the other conditions are looked through for them, p_look at most (pawl.search_runs); a row without a run follows
-- then and says how many they were, and where that stopped.
create or replace function pawl.list_open_runs(
    p_bucket smallint, p_tenant int, p_workflow text, p_status text[], p_subject text, p_correlation text,
    p_from uuid, p_before uuid, p_limit int, p_scan int, p_error text default null, p_where jsonb default null,
    p_look int default 0
)
returns table (
    run_id uuid, workflow text, version int, status text, subject text, started_at timestamptz, closed_at timestamptz,
    due_at timestamptz, output jsonb, error jsonb, scanned_to uuid, scanned int
)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    v_workflow int;
    v_ids uuid[];
    v_searched record;
begin
    perform pawl.require_tenant(p_tenant);
    -- An open run has no error.
    if p_error is not null or not coalesce(p_status && array['queued', 'waiting', 'running'], true) then
        return;
    end if;
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    if p_correlation is not null then
        v_ids := pawl.correlated_runs(p_bucket, p_tenant, p_correlation);
    end if;
    v_ids := array(select pawl.open_run_ids(p_bucket, p_tenant, v_workflow, pawl.open_statuses(p_status), p_subject,
                                            v_ids, p_from, p_before,
                                            case when p_where is null then p_limit else p_look end,
                                            least(p_scan, 1000)));
    if p_where is not null then
        select * into v_searched from pawl.search_runs(p_bucket, v_ids, null, p_where, p_limit, p_look);
        v_ids := v_searched.matched;
    end if;
    return query
    select l.run_id, w.name, l.version, pawl.open_status_name(l.state, l.due_at), l.subject,
           pawl.uuid7_time(l.run_id), null::timestamptz, case when l.state <> 2 then l.due_at end, null::jsonb,
           null::jsonb, null::uuid, null::int
      from unnest(v_ids) with ordinality as i (run_id, place)
     cross join lateral (
         select * from pawl.live_run x where x.bucket = p_bucket and x.run_id = i.run_id offset 0
     ) as l
      join pawl.workflow w on w.id = l.workflow
     order by i.place;
    if p_where is not null then
        scanned_to := v_searched.scanned_to;
        scanned := v_searched.scanned;
        return next;
    end if;
end
$$;

-- p_scan: how many of the newest runs of all tenants may be looked at before the index of the tenant is asked. The rest
-- is as in list_open_runs.
create or replace function pawl.list_closed_runs(
    p_bucket smallint, p_tenant int, p_workflow text, p_status text[], p_subject text, p_correlation text,
    p_from uuid, p_before uuid, p_limit int, p_scan int, p_error text default null, p_where jsonb default null,
    p_look int default 0
)
returns table (
    run_id uuid, workflow text, version int, status text, subject text, started_at timestamptz, closed_at timestamptz,
    due_at timestamptz, output jsonb, error jsonb, scanned_to uuid, scanned int
)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    v_workflow int;
    v_ids uuid[];
    v_status smallint[] := pawl.searched_statuses(p_status, p_error);
    v_search boolean := p_error is not null or p_where is not null;
    v_searched record;
begin
    perform pawl.require_tenant(p_tenant);
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    if cardinality(v_status) = 0 then
        return;
    end if;
    if p_correlation is not null then
        v_ids := pawl.correlated_runs(p_bucket, p_tenant, p_correlation);
    end if;
    v_ids := array(select pawl.closed_run_ids(p_bucket, p_tenant, v_workflow, v_status, p_subject, v_ids, p_from,
                                              p_before, case when v_search then p_look else p_limit end,
                                              least(p_scan, 1000), false));
    if v_search then
        select * into v_searched from pawl.search_runs(p_bucket, v_ids, p_error, p_where, p_limit, p_look);
        v_ids := v_searched.matched;
    end if;
    return query
    select r.run_id, w.name, r.version, pawl.run_status_name(r.status), r.subject, r.started_at, r.closed_at,
           null::timestamptz, r.output, r.error, null::uuid, null::int
      from unnest(v_ids) with ordinality as i (run_id, place)
     cross join lateral (
         select * from pawl.run x where x.bucket = p_bucket and x.run_id = i.run_id offset 0
     ) as r
      join pawl.workflow w on w.id = r.workflow
     order by i.place;
    if v_search then
        scanned_to := v_searched.scanned_to;
        scanned := v_searched.scanned;
        return next;
    end if;
end
$$;
