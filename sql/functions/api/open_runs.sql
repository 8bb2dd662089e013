-- The ids of open runs that match, newest first.
create or replace function pawl.open_run_ids(
    p_bucket smallint, p_tenant int, p_workflow int, p_status text[], p_subject text, p_ids uuid[], p_from uuid,
    p_before uuid, p_limit int, p_walk int
)
returns setof uuid
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off as $$
declare
    v_from uuid := coalesce(p_from, '00000000-0000-0000-0000-000000000000');
    v_before uuid := coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
    v_rest int := p_limit;
    v_walked int := 0;
    v_id uuid;
    v_fits boolean;
begin
    if p_ids is not null then
        return query
        select u.id
          from unnest(p_ids) as u (id)
         cross join lateral (
             select 1
               from pawl.live_run l
              where l.bucket = p_bucket and l.run_id = u.id and l.tenant = p_tenant
                and (p_workflow is null or l.workflow = p_workflow) and (p_subject is null or l.subject = p_subject)
                and (p_status is null or pawl.open_status_name(l.state, l.due_at) = any (p_status))
             offset 0
         ) as found
         where u.id >= v_from and u.id < v_before
         order by u.id desc
         limit p_limit;
        return;
    end if;
    for v_id, v_fits in
        select l.run_id,
               l.tenant = p_tenant and (p_workflow is null or l.workflow = p_workflow)
               and (p_subject is null or coalesce(l.subject = p_subject, false))
               and (p_status is null or pawl.open_status_name(l.state, l.due_at) = any (p_status))
          from pawl.live_run l
         where l.bucket = p_bucket and l.run_id >= v_from and l.run_id < v_before
         order by l.run_id desc
         limit p_walk
    loop
        v_walked := v_walked + 1;
        v_before := v_id;
        continue when not v_fits;
        return next v_id;
        v_rest := v_rest - 1;
        exit when v_rest = 0;
    end loop;
    if v_rest > 0 and v_walked = p_walk then
        return query
        select i.run_id
          from pawl.scan_open_runs(p_bucket, p_tenant, p_workflow, p_status, p_subject, v_from, v_before, v_rest)
               as i (run_id);
    end if;
end
$$;

-- An index by tenant would cost every claim. Runs that are not among the newest are looked for in one pass over all
-- open runs, as they lie on disk.
create or replace function pawl.scan_open_runs(
    p_bucket smallint, p_tenant int, p_workflow int, p_status text[], p_subject text, p_from uuid, p_before uuid,
    p_limit bigint
)
returns setof uuid
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan set jit = off
set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off set enable_seqscan = on
set enable_sort = on set max_parallel_workers_per_gather = 0 as $$
begin
    return query
    select l.run_id
      from pawl.live_run l
     where l.bucket = p_bucket and l.tenant = p_tenant and l.run_id >= p_from and l.run_id < p_before
       and (p_workflow is null or l.workflow = p_workflow) and (p_subject is null or l.subject = p_subject)
       and (p_status is null or pawl.open_status_name(l.state, l.due_at) = any (p_status))
     order by l.run_id desc
     limit p_limit;
end
$$;

-- How many open runs of a tenant match, at most p_most. The conditions on the status are those of open_status_name, as
-- comparisons of numbers: this may look at every open run. The planner leaves out the bounds that are null, and knows
-- the time, which would be asked for each run.
create or replace function pawl.count_open_matches(
    p_bucket smallint, p_tenant int, p_workflow int, p_status text[], p_subject text, p_from uuid, p_before uuid,
    p_most bigint
)
returns bigint
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan set jit = off
set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off set enable_seqscan = on
set enable_sort = on set max_parallel_workers_per_gather = 0 as $$
declare
    v_now timestamptz := now();
begin
    return (
        select count(*)
          from (select 1
                  from pawl.live_run l
                 where l.bucket = p_bucket and l.tenant = p_tenant and (p_from is null or l.run_id >= p_from)
                   and (p_before is null or l.run_id < p_before)
                   and (p_workflow is null or l.workflow = p_workflow) and (p_subject is null or l.subject = p_subject)
                   and (p_status is null
                        or 'running' = any (p_status) and l.state = 1
                        or 'queued' = any (p_status) and (l.state = 3 or l.state = 0 and l.due_at <= v_now)
                        or 'waiting' = any (p_status) and (l.state = 2 or l.state = 0 and l.due_at > v_now))
                 limit p_most) as x
    );
end
$$;

-- The same by status, in one pass over the open runs: what is rare would be looked for in each. The pass ends at p_most
-- runs that match, and is not `whole` then.
create or replace function pawl.count_open_statuses(
    p_bucket smallint, p_tenant int, p_workflow int, p_subject text, p_from uuid, p_before uuid, p_most bigint
)
returns table (status text, total bigint, whole boolean)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan set jit = off
set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off set enable_seqscan = on
set max_parallel_workers_per_gather = 0 as $$
declare
    v_now timestamptz := now();
begin
    return query
    select u.status, u.total, c.open < p_most
      from (select count(*) as open,
                   count(*) filter (where l.state = 1) as running,
                   count(*) filter (where l.state = 2 or l.state = 0 and l.due_at > v_now) as waiting
              from (select x.state, x.due_at
                      from pawl.live_run x
                     where x.bucket = p_bucket and x.tenant = p_tenant and (p_from is null or x.run_id >= p_from)
                       and (p_before is null or x.run_id < p_before)
                       and (p_workflow is null or x.workflow = p_workflow)
                       and (p_subject is null or x.subject = p_subject)
                     limit p_most) as l) as c
     cross join lateral (values ('queued', c.open - c.running - c.waiting), ('running', c.running),
                                ('waiting', c.waiting)) as u (status, total);
end
$$;
