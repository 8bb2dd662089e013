-- needs: functions/base/ids
-- How many closed runs of a tenant match, at most p_limit. Called by count_runs, whose settings it needs.
create or replace function pawl.count_closed_matches(
    p_bucket smallint, p_tenant int, p_workflow int, p_status smallint[], p_from uuid, p_before uuid, p_limit int,
    p_unretried boolean
) returns bigint
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    v_workflows int[] := array[p_workflow];
    v_retried bigint := 0;
begin
    if p_workflow is null then
        -- From the runs of a workflow and status to those of the next, not over all of the tenant.
        v_workflows := case when p_status is not null
                            then array(select w.id from pawl.workflow w where w.tenant = p_tenant) end;
    end if;
    if p_unretried then
        select count(*) into v_retried
          from pawl.run r
         where r.bucket + 0 = p_bucket and r.tenant = p_tenant and r.retried_as is not null
           and (v_workflows is null or r.workflow = any (v_workflows))
           and (p_status is null or r.status = any (p_status))
           and (p_from is null or r.run_id >= p_from) and (p_before is null or r.run_id < p_before);
    end if;
    -- From the index alone.
    return (
        select count(*) - v_retried
          from (select 1
                  from pawl.run r
                 where r.bucket + 0 = p_bucket and r.tenant = p_tenant
                   and (v_workflows is null or r.workflow = any (v_workflows))
                   and (p_status is null or r.status = any (p_status))
                   and (p_from is null or r.run_id >= p_from) and (p_before is null or r.run_id < p_before)
                 limit p_limit + v_retried) as x
    );
end
$$;

-- Counts up to p_scan open and p_scan closed runs: `complete` says whether these are all. p_error, p_where: only those
-- of the p_look newest that meet them (pawl.count_searched_runs).
create or replace function pawl.count_runs(
    p_bucket smallint, p_tenant int, p_workflow text, p_status text[], p_subject text, p_correlation text, p_from uuid,
    p_before uuid, p_sample int, p_scan int, p_unretried boolean, p_error text default null,
    p_where jsonb default null, p_look int default 0
)
returns table (total bigint, complete boolean, sample uuid[]) language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off set max_parallel_workers_per_gather = 0 as $$
declare
    v_status smallint[] := pawl.closed_statuses(p_status);
    v_workflow int;
    v_ids uuid[];
    v_open bigint := 0;
    v_closed bigint := 0;
begin
    perform pawl.require_tenant(p_tenant);
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return query select 0::bigint, true, '{}'::uuid[];
            return;
        end if;
    end if;
    if p_correlation is not null then
        v_ids := pawl.correlated_runs(p_bucket, p_tenant, p_correlation);
    end if;
    if p_error is not null or p_where is not null then
        return query
        select * from pawl.count_searched_runs(p_bucket, p_tenant, v_workflow, p_status, p_subject, v_ids, p_from,
                                               p_before, p_sample, p_scan, p_unretried, p_error, p_where, p_look);
        return;
    end if;
    if p_correlation is not null then
        select count(*) into v_open
          from pawl.open_run_ids(p_bucket, p_tenant, v_workflow, pawl.open_statuses(p_status), p_subject, v_ids, p_from,
                                 p_before, p_scan + 1, 1000)
         where coalesce(p_status && array['queued', 'waiting', 'running'], true);
    elsif coalesce(p_status && array['queued', 'waiting', 'running'], true) then
        v_open := pawl.count_open_matches(p_bucket, p_tenant, v_workflow, pawl.open_statuses(p_status), p_subject,
                                          p_from, p_before, p_scan + 1);
    end if;
    if cardinality(v_status) = 0 then
        null;
    elsif p_correlation is not null or p_subject is not null then
        select count(*) into v_closed
          from pawl.closed_run_ids(p_bucket, p_tenant, v_workflow, v_status, p_subject, v_ids, p_from, p_before,
                                   p_scan + 1, 1000, p_unretried);
    else
        v_closed := pawl.count_closed_matches(p_bucket, p_tenant, v_workflow, v_status, p_from, p_before, p_scan + 1,
                                              p_unretried);
    end if;
    return query
    select v_open + v_closed, greatest(v_open, v_closed) <= p_scan, array(
               select s.run_id
                 from (select o.run_id
                         from pawl.open_run_ids(p_bucket, p_tenant, v_workflow, pawl.open_statuses(p_status), p_subject,
                                                v_ids, p_from, p_before, p_sample, 1000) as o (run_id)
                        where v_open > 0
                        union all
                       select c.run_id
                         from pawl.closed_run_ids(p_bucket, p_tenant, v_workflow, v_status, p_subject, v_ids, p_from,
                                                  p_before, p_sample, 1000, p_unretried) as c (run_id)
                        where v_closed > 0) as s
                order by s.run_id desc
                limit p_sample
           );
end
$$;

-- count_runs for each status, or those of p_status. Of the open runs ten times p_scan are looked at: a database with
-- millions of them answers as soon as one with some.
create or replace function pawl.count_runs_by_status(
    p_bucket smallint, p_tenant int, p_workflow text, p_status text[], p_subject text, p_correlation text, p_from uuid,
    p_before uuid, p_scan int, p_error text, p_where jsonb, p_look int
)
returns table (status text, total bigint, complete boolean) language plpgsql stable security definer
set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
    v_wanted text[] := coalesce(p_status, array['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled']);
    v_workflow int;
begin
    perform pawl.require_tenant(p_tenant);
    select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
    if p_correlation is null and p_error is null and p_where is null and v_wanted @> array['queued', 'running']
       and (p_workflow is null or found) then
        return query
        select o.status, least(o.total, p_scan + 1), o.whole and o.total <= p_scan
          from pawl.count_open_statuses(p_bucket, p_tenant, v_workflow, p_subject, p_from, p_before,
                                        10 * p_scan::bigint) as o
         where o.status = any (v_wanted);
        v_wanted := array(select w.status from unnest(v_wanted) as w (status)
                           where w.status not in ('queued', 'running', 'waiting'));
    end if;
    return query
    select w.status, c.total, c.complete
      from (select distinct x.status from unnest(v_wanted) as x (status)) as w
     cross join lateral pawl.count_runs(p_bucket, p_tenant, p_workflow, array[w.status], p_subject, p_correlation,
                                        p_from, p_before, 0, p_scan, false, p_error, p_where, p_look) as c;
end
$$;

-- How many runs of a tenant are open, counted up to p_limit.
create or replace function pawl.count_open_runs(p_bucket smallint, p_tenant int, p_limit int) returns int
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
    select count(*)::int
      from (select 1 from pawl.live_run l where l.bucket = p_bucket and l.tenant = p_tenant limit p_limit) as x;
end;

-- How many runs of a tenant began in the second before this statement, counted up to p_limit. Ids carry their time, so
-- this looks at the runs of one second, those of other tenants among them.
create or replace function pawl.count_recent_starts(p_bucket smallint, p_tenant int, p_limit int) returns int
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
    select count(*)::int
      from ((select 1 from pawl.live_run l
              where l.bucket = p_bucket and l.tenant = p_tenant
                and l.run_id >= pawl.uuid7_bound(statement_timestamp() - interval '1 second')
              limit p_limit)
            union all
            (select 1 from pawl.run r
              where r.bucket = p_bucket and r.tenant = p_tenant
                and r.run_id >= pawl.uuid7_bound(statement_timestamp() - interval '1 second')
              limit p_limit)) as x;
end;
