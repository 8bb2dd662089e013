-- The newest closed runs of each workflow and status, found in the index and merged, newest first. Called by
-- closed_run_ids, whose settings it needs.
create or replace function pawl.closed_by_workflow(
    p_bucket smallint, p_tenant int, p_workflow int, p_status smallint[], p_from uuid, p_before uuid, p_limit int,
    p_unretried boolean
)
returns setof uuid
language plpgsql stable set search_path = pg_catalog as $$
begin
    if p_unretried then
        return query
        select x.run_id
          from pawl.workflow w
         cross join unnest(p_status) as s (status)
         cross join lateral (
             select r.run_id
               from pawl.run r
              where r.bucket + 0 = p_bucket and r.tenant = p_tenant and r.workflow = w.id and r.status = s.status
                and r.run_id >= p_from and r.run_id < p_before and r.retried_as is null
              order by r.run_id desc
              limit p_limit
         ) as x
         where w.tenant = p_tenant and (p_workflow is null or w.id = p_workflow)
         order by x.run_id desc
         limit p_limit;
    else
        -- As above, from the index alone.
        return query
        select x.run_id
          from pawl.workflow w
         cross join unnest(p_status) as s (status)
         cross join lateral (
             select r.run_id
               from pawl.run r
              where r.bucket + 0 = p_bucket and r.tenant = p_tenant and r.workflow = w.id and r.status = s.status
                and r.run_id >= p_from and r.run_id < p_before
              order by r.run_id desc
              limit p_limit
         ) as x
         where w.tenant = p_tenant and (p_workflow is null or w.id = p_workflow)
         order by x.run_id desc
         limit p_limit;
    end if;
end
$$;

-- Which of p_ids are closed runs that match, newest first. Called by closed_run_ids, whose settings it needs.
create or replace function pawl.closed_among(
    p_bucket smallint, p_tenant int, p_ids uuid[], p_workflow int, p_status smallint[], p_subject text, p_from uuid,
    p_before uuid, p_limit int, p_unretried boolean
)
returns setof uuid
language plpgsql stable set search_path = pg_catalog as $$
begin
    return query
    select u.id
      from unnest(p_ids) as u (id)
     cross join lateral (
         select 1
           from pawl.run r
          where r.bucket = p_bucket and r.run_id = u.id and r.tenant = p_tenant and r.status = any (p_status)
            and (p_workflow is null or r.workflow = p_workflow) and (p_subject is null or r.subject = p_subject)
            and (not p_unretried or r.retried_as is null)
         offset 0
     ) as found
     where u.id >= p_from and u.id < p_before
     order by u.id desc
     limit p_limit;
end
$$;

-- The ids of a tenant's closed runs with these properties (null: any), newest first. Runs of a tenant that has many are
-- found among the newest of all; after p_walk of those, in the index of each workflow and status (closed_by_workflow).
create or replace function pawl.closed_run_ids(
    p_bucket smallint, p_tenant int, p_workflow int, p_status smallint[], p_subject text, p_ids uuid[], p_from uuid,
    p_before uuid, p_limit int, p_walk int, p_unretried boolean
)
returns setof uuid
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off set enable_memoize = off as $$
declare
    v_from uuid := coalesce(p_from, '00000000-0000-0000-0000-000000000000');
    v_before uuid := coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
    v_status smallint[] := coalesce(p_status, array[1, 2, 3]::smallint[]);
    v_rest int := p_limit;
    v_walked int := 0;
    v_id uuid;
    v_fits boolean;
begin
    if p_ids is not null then
        return query
        select x.run_id
          from pawl.closed_among(p_bucket, p_tenant, p_ids, p_workflow, v_status, p_subject, v_from, v_before, p_limit,
                                 p_unretried) as x (run_id);
        return;
    end if;
    if p_subject is not null then
        return query
        select r.run_id
          from pawl.run r
         where r.bucket = p_bucket and r.tenant = p_tenant and r.subject = p_subject
           and r.run_id >= v_from and r.run_id < v_before and r.status = any (v_status)
           and (p_workflow is null or r.workflow = p_workflow) and (not p_unretried or r.retried_as is null)
         order by r.run_id desc
         limit p_limit;
        return;
    end if;
    if p_workflow is null then
        for v_id, v_fits in
            select r.run_id,
                   r.tenant = p_tenant and r.status = any (v_status) and (not p_unretried or r.retried_as is null)
              from pawl.run r
             where r.bucket = p_bucket and r.run_id >= v_from and r.run_id < v_before
             order by r.run_id desc
             limit p_walk
        loop
            v_walked := v_walked + 1;
            v_before := v_id;
            continue when not v_fits;
            return next v_id;
            v_rest := v_rest - 1;
            exit when v_rest = 0;
        end loop;
        if v_rest = 0 or v_walked < p_walk then
            return;
        end if;
    end if;
    return query
    select x.run_id
      from pawl.closed_by_workflow(p_bucket, p_tenant, p_workflow, v_status, v_from, v_before, v_rest, p_unretried)
           as x (run_id);
end
$$;
