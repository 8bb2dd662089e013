-- Lists give full pages whatever else is stored: they find the runs and the dead letters of a tenant, a workflow or an
-- error by an index instead of looking through those of all others up to a limit. The view of runs costs what its row
-- cost, so that just-in-time compilation stays away from it.
-- breaking: no

set local lock_timeout = '5s';

-- Closed runs ---------------------------------------------------------------------------------------------------------

-- A tenant is in one bucket, so the tenant comes first: a condition on `bucket + 0` keeps the planner from the primary
-- key. With the bucket at its end the index alone answers counts, those through pawl.workflow_executions too.
create index run_tenant on pawl.run (tenant, workflow, status, run_id, bucket);
drop index pawl.run_unsuccessful;
-- Few: what a count of the runs that a retry would take leaves out.
create index run_retried on pawl.run (tenant, workflow, status, run_id, bucket) where retried_as is not null;
-- The same moments in a quarter of the time: every run that closes has it computed for the index below.
create or replace function pawl.uuid7_time(p_id uuid) returns timestamptz
language sql immutable parallel safe
return to_timestamp(('x' || encode(substring(uuid_send(p_id) from 1 for 6), 'hex'))::bit(48)::bigint::float8 / 1000);

-- Costs next to nothing to write. It bounds conditions on created_at of pawl.workflow_executions; with larger ranges
-- the planner believes that it pays less by reading all.
create index run_created on pawl.run using brin (pawl.uuid7_time(run_id)) with (pages_per_range = 4);

-- Newest first. Runs of a tenant who has many are found among the newest of all; after p_walk of them each workflow
-- and status is looked at in the index, and what they give is merged.
create function pawl.closed_run_ids(
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
        select u.id
          from unnest(p_ids) as u (id)
         cross join lateral (
             select 1
               from pawl.run r
              where r.bucket = p_bucket and r.run_id = u.id and r.tenant = p_tenant and r.status = any (v_status)
                and (p_workflow is null or r.workflow = p_workflow) and (p_subject is null or r.subject = p_subject)
                and (not p_unretried or r.retried_as is null)
             offset 0
         ) as found
         where u.id >= v_from and u.id < v_before
         order by u.id desc
         limit p_limit;
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
    if p_unretried then
        return query
        select x.run_id
          from pawl.workflow w
         cross join unnest(v_status) as s (status)
         cross join lateral (
             select r.run_id
               from pawl.run r
              where r.bucket + 0 = p_bucket and r.tenant = p_tenant and r.workflow = w.id and r.status = s.status
                and r.run_id >= v_from and r.run_id < v_before and r.retried_as is null
              order by r.run_id desc
              limit v_rest
         ) as x
         where w.tenant = p_tenant and (p_workflow is null or w.id = p_workflow)
         order by x.run_id desc
         limit v_rest;
    else
        -- As above, from the index alone.
        return query
        select x.run_id
          from pawl.workflow w
         cross join unnest(v_status) as s (status)
         cross join lateral (
             select r.run_id
               from pawl.run r
              where r.bucket + 0 = p_bucket and r.tenant = p_tenant and r.workflow = w.id and r.status = s.status
                and r.run_id >= v_from and r.run_id < v_before
              order by r.run_id desc
              limit v_rest
         ) as x
         where w.tenant = p_tenant and (p_workflow is null or w.id = p_workflow)
         order by x.run_id desc
         limit v_rest;
    end if;
end
$$;

-- Statuses of closed runs by their numbers; null: any.
create function pawl.closed_statuses(p_status text[]) returns smallint[]
language sql immutable parallel safe
return case when p_status is not null then array(
    select s.status
      from unnest(array[1, 2, 3]::smallint[]) as s (status)
     where pawl.run_status_name(s.status) = any (p_status)
) end;

-- p_scan: how many of the newest runs of all tenants may be looked at before the index of the tenant is asked.
create or replace function pawl.list_closed_runs(
    p_bucket smallint, p_tenant int, p_workflow text, p_status text[], p_subject text, p_correlation text,
    p_from uuid, p_before uuid, p_limit int, p_scan int
)
returns table (
    run_id uuid, workflow text, version int, status text, subject text, started_at timestamptz, closed_at timestamptz,
    due_at timestamptz, output jsonb, error jsonb, scanned_to uuid
)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    v_workflow int;
    v_ids uuid[];
begin
    perform pawl.require_tenant(p_tenant);
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    if cardinality(pawl.closed_statuses(p_status)) = 0 then
        return;
    end if;
    if p_correlation is not null then
        v_ids := pawl.correlated_runs(p_bucket, p_tenant, p_correlation);
    end if;
    return query
    select r.run_id, w.name, r.version, pawl.run_status_name(r.status), r.subject, r.started_at, r.closed_at,
           null::timestamptz, r.output, r.error, null::uuid
      from pawl.closed_run_ids(p_bucket, p_tenant, v_workflow, pawl.closed_statuses(p_status), p_subject, v_ids,
                               p_from, p_before, p_limit, least(p_scan, 1000), false)
           with ordinality as i (run_id, place)
     cross join lateral (
         select * from pawl.run x where x.bucket = p_bucket and x.run_id = i.run_id offset 0
     ) as r
      join pawl.workflow w on w.id = r.workflow
     order by i.place;
end
$$;

-- Open runs -----------------------------------------------------------------------------------------------------------

-- An index by tenant would cost every claim. Runs that are not among the newest are looked for in one pass over all
-- open runs, as they lie on disk.
create function pawl.scan_open_runs(
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

create function pawl.count_open_matches(
    p_bucket smallint, p_tenant int, p_workflow int, p_status text[], p_subject text, p_from uuid, p_before uuid,
    p_most bigint
)
returns bigint
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan set jit = off
set enable_indexscan = off set enable_indexonlyscan = off set enable_bitmapscan = off set enable_seqscan = on
set enable_sort = on set max_parallel_workers_per_gather = 0 as $$
begin
    return (
        select count(*)
          from (select 1
                  from pawl.live_run l
                 where l.bucket = p_bucket and l.tenant = p_tenant and l.run_id >= p_from and l.run_id < p_before
                   and (p_workflow is null or l.workflow = p_workflow) and (p_subject is null or l.subject = p_subject)
                   and (p_status is null or pawl.open_status_name(l.state, l.due_at) = any (p_status))
                 limit p_most) as x
    );
end
$$;

-- Newest first.
create function pawl.open_run_ids(
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

-- Statuses of open runs that are a condition; null: any of them will do.
create function pawl.open_statuses(p_status text[]) returns text[]
language sql immutable parallel safe
return case when not coalesce(p_status @> array['queued', 'waiting', 'running'], true) then p_status end;

-- p_scan: how many of the newest open runs of all tenants may be looked at before all are.
create or replace function pawl.list_open_runs(
    p_bucket smallint, p_tenant int, p_workflow text, p_status text[], p_subject text, p_correlation text,
    p_from uuid, p_before uuid, p_limit int, p_scan int
)
returns table (
    run_id uuid, workflow text, version int, status text, subject text, started_at timestamptz, closed_at timestamptz,
    due_at timestamptz, output jsonb, error jsonb, scanned_to uuid
)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    v_workflow int;
    v_ids uuid[];
begin
    perform pawl.require_tenant(p_tenant);
    if not coalesce(p_status && array['queued', 'waiting', 'running'], true) then
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
    return query
    select l.run_id, w.name, l.version, pawl.open_status_name(l.state, l.due_at), l.subject,
           pawl.uuid7_time(l.run_id), null::timestamptz, case when l.state <> 2 then l.due_at end, null::jsonb,
           null::jsonb, null::uuid
      from pawl.open_run_ids(p_bucket, p_tenant, v_workflow, pawl.open_statuses(p_status), p_subject, v_ids, p_from,
                             p_before, p_limit, least(p_scan, 1000))
           with ordinality as i (run_id, place)
     cross join lateral (
         select * from pawl.live_run x where x.bucket = p_bucket and x.run_id = i.run_id offset 0
     ) as l
      join pawl.workflow w on w.id = l.workflow
     order by i.place;
end
$$;

-- Counts up to p_scan open and p_scan closed runs: `complete` says whether these are all.
create or replace function pawl.count_runs(
    p_bucket smallint, p_tenant int, p_workflow text, p_status text[], p_subject text, p_correlation text, p_from uuid,
    p_before uuid, p_sample int, p_scan int, p_unretried boolean
)
returns table (total bigint, complete boolean, sample uuid[])
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
    v_from uuid := coalesce(p_from, '00000000-0000-0000-0000-000000000000');
    v_before uuid := coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
    v_status smallint[] := pawl.closed_statuses(p_status);
    v_workflow int;
    v_workflows int[];
    v_ids uuid[];
    v_open bigint := 0;
    v_closed bigint := 0;
    v_retried bigint := 0;
begin
    perform pawl.require_tenant(p_tenant);
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return query select 0::bigint, true, '{}'::uuid[];
            return;
        end if;
    end if;
    if v_workflow is not null then
        v_workflows := array[v_workflow];
    elsif v_status is not null then
        -- From the runs of a workflow and status to those of the next, not over all of the tenant.
        v_workflows := array(select w.id from pawl.workflow w where w.tenant = p_tenant);
    end if;
    if p_correlation is not null then
        v_ids := pawl.correlated_runs(p_bucket, p_tenant, p_correlation);
        select count(*) into v_open
          from pawl.open_run_ids(p_bucket, p_tenant, v_workflow, pawl.open_statuses(p_status), p_subject, v_ids, p_from,
                                 p_before, p_scan + 1, 1000)
         where coalesce(p_status && array['queued', 'waiting', 'running'], true);
    elsif coalesce(p_status && array['queued', 'waiting', 'running'], true) then
        v_open := pawl.count_open_matches(p_bucket, p_tenant, v_workflow, pawl.open_statuses(p_status), p_subject,
                                          v_from, v_before, p_scan + 1);
    end if;
    if cardinality(v_status) = 0 then
        null;
    elsif p_correlation is not null or p_subject is not null then
        select count(*) into v_closed
          from pawl.closed_run_ids(p_bucket, p_tenant, v_workflow, v_status, p_subject, v_ids, p_from, p_before,
                                   p_scan + 1, 1000, p_unretried);
    else
        if p_unretried then
            select count(*) into v_retried
              from pawl.run r
             where r.bucket + 0 = p_bucket and r.tenant = p_tenant and r.retried_as is not null
               and (v_workflows is null or r.workflow = any (v_workflows))
                   and (v_status is null or r.status = any (v_status))
               and (p_from is null or r.run_id >= p_from) and (p_before is null or r.run_id < p_before);
        end if;
        -- From the index alone.
        select count(*) - v_retried into v_closed
          from (select 1
                  from pawl.run r
                 where r.bucket + 0 = p_bucket and r.tenant = p_tenant
                   and (v_workflows is null or r.workflow = any (v_workflows))
                   and (v_status is null or r.status = any (v_status))
                   and (p_from is null or r.run_id >= p_from) and (p_before is null or r.run_id < p_before)
                 limit p_scan + v_retried + 1) as x;
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

-- Dead letters --------------------------------------------------------------------------------------------------------

create index dead_letter_waiting on pawl.dead_letter (tenant, fingerprint, at, run_id, bucket)
    where replayed_as is null;

-- The errors of a tenant: a fingerprint is made of the workflow, the step and the message. One look at the index for
-- each of them. p_waiting: only errors with dead letters that have not been replayed.
create function pawl.dead_letter_errors(
    p_bucket smallint, p_tenant int, p_workflow int, p_node text, p_prefix text, p_waiting boolean
)
returns table (fingerprint text, workflow int, node text)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
#variable_conflict use_column
declare
    v_next text := coalesce(p_prefix, '');
begin
    loop
        if p_waiting then
            select d.fingerprint, d.workflow, d.node into fingerprint, workflow, node
              from pawl.dead_letter d
             where d.bucket + 0 = p_bucket and d.tenant = p_tenant and d.fingerprint >= v_next
               and d.replayed_as is null
             order by d.fingerprint
             limit 1;
        else
            select d.fingerprint, d.workflow, d.node into fingerprint, workflow, node
              from pawl.dead_letter d
             where d.bucket = p_bucket and d.tenant = p_tenant and d.fingerprint >= v_next
             order by d.fingerprint
             limit 1;
        end if;
        exit when not found or not starts_with(fingerprint, coalesce(p_prefix, ''));
        -- The smallest text after this one that can be a fingerprint's beginning.
        v_next := fingerprint || '0';
        continue when p_workflow <> workflow or (p_node is not null and node is distinct from p_node);
        return next;
    end loop;
end
$$;

-- The condition on d.replayed_as, spelled as the partial index has it.
create function pawl.replayed_condition(p_replayed boolean) returns text
language sql immutable parallel safe
return case when p_replayed then 'd.replayed_as is not null' when not p_replayed then 'd.replayed_as is null'
            else 'true' end;

-- p_scan: how many of the newest dead letters may be looked at before each error is asked for its own.
create or replace function pawl.list_dead_letters(
    p_bucket smallint, p_tenant int, p_workflow text, p_fingerprint text, p_node text, p_replayed boolean,
    p_from timestamptz, p_before timestamptz, p_before_run uuid, p_limit int, p_scan int
)
returns table (
    run_id uuid, at timestamptz, workflow text, version int, node text, error jsonb, fingerprint text,
    replayed_as uuid, replayed_at timestamptz
)
language plpgsql stable
set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off set enable_sort = off set jit = off as $$
#variable_conflict use_column
declare
    v_from timestamptz := coalesce(p_from, '-infinity');
    v_before timestamptz := coalesce(p_before, 'infinity');
    v_before_run uuid := coalesce(p_before_run, '00000000-0000-0000-0000-000000000000');
    v_scan int := least(p_scan, 1000);
    v_walked int := 0;
    v_ids uuid[] := '{}';
    v_workflow int;
    v_letter record;
begin
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    if num_nonnulls(p_workflow, p_fingerprint, p_node) = 0 then
        for v_letter in
            select d.run_id, d.at, p_replayed is null or p_replayed = (d.replayed_as is not null) as fits
              from pawl.dead_letter d
             where d.bucket = p_bucket and d.tenant = p_tenant and d.at > v_from
               and (d.at, d.run_id) < (v_before, v_before_run)
             order by d.at desc, d.run_id desc
             limit v_scan
        loop
            v_walked := v_walked + 1;
            v_before := v_letter.at;
            v_before_run := v_letter.run_id;
            continue when not v_letter.fits;
            v_ids := v_ids || v_letter.run_id;
            exit when cardinality(v_ids) = p_limit;
        end loop;
    end if;
    if cardinality(v_ids) < p_limit and (v_walked = v_scan or num_nonnulls(p_workflow, p_fingerprint, p_node) > 0) then
        for v_letter in execute format(
            'select x.at, x.run_id from pawl.dead_letter_errors($1, $2, $3, $4, $5, $6) e cross join lateral ('
            ' select d.at, d.run_id from pawl.dead_letter d where %s = $1 and d.tenant = $2'
            ' and d.fingerprint = e.fingerprint and %s and d.at > $7 and (d.at, d.run_id) < ($8, $9)'
            ' order by d.at desc, d.run_id desc limit $10'
            ') as x order by x.at desc, x.run_id desc limit $10',
            case when not p_replayed then 'd.bucket + 0' else 'd.bucket' end, pawl.replayed_condition(p_replayed)
        ) using p_bucket, p_tenant, v_workflow, p_node, p_fingerprint, coalesce(not p_replayed, false), v_from,
            v_before, v_before_run, p_limit - cardinality(v_ids)
        loop
            v_ids := v_ids || v_letter.run_id;
        end loop;
    end if;
    return query
    select d.run_id, d.at, w.name, d.version, d.node, d.error, d.fingerprint, d.replayed_as, d.replayed_at
      from unnest(v_ids) with ordinality as i (run_id, place)
     cross join lateral (
         select * from pawl.dead_letter x where x.bucket = p_bucket and x.run_id = i.run_id offset 0
     ) as d
      join pawl.workflow w on w.id = d.workflow
     order by i.place;
end
$$;

-- How many dead letters an error has, counted up to p_most, and when the first and the last of these were written.
create function pawl.count_dead_letters(
    p_bucket smallint, p_tenant int, p_fingerprint text, p_replayed boolean, p_from timestamptz, p_before timestamptz,
    p_most int, out count bigint, out first_at timestamptz, out last_at timestamptz
)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
    if p_replayed = false then
        select count(*), min(x.at), max(x.at) into count, first_at, last_at
          from (select d.at
                  from pawl.dead_letter d
                 where d.bucket + 0 = p_bucket and d.tenant = p_tenant and d.fingerprint = p_fingerprint
                   and d.replayed_as is null
                   and d.at > coalesce(p_from, '-infinity') and d.at < coalesce(p_before, 'infinity')
                 order by d.at desc
                 limit p_most) as x;
    else
        select count(*), min(x.at), max(x.at) into count, first_at, last_at
          from (select d.at
                  from pawl.dead_letter d
                 where d.bucket = p_bucket and d.tenant = p_tenant and d.fingerprint = p_fingerprint
                   and (p_replayed is null or d.replayed_as is not null)
                   and d.at > coalesce(p_from, '-infinity') and d.at < coalesce(p_before, 'infinity')
                 order by d.at desc
                 limit p_most) as x;
    end if;
end
$$;

-- p_scan: the most that is counted of one error.
create or replace function pawl.group_dead_letters(
    p_bucket smallint, p_tenant int, p_workflow text, p_node text, p_replayed boolean, p_from timestamptz,
    p_before timestamptz, p_limit int, p_scan int
)
returns table (
    fingerprint text, workflow text, node text, message text, count bigint, first_at timestamptz, last_at timestamptz,
    sample_run uuid, complete boolean
)
language plpgsql stable
set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
#variable_conflict use_column
declare
    v_workflow int;
begin
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    return query
    with counted as materialized (
        select e.fingerprint, e.workflow, e.node, c.count, c.first_at, c.last_at
          from pawl.dead_letter_errors(p_bucket, p_tenant, v_workflow, p_node, null, coalesce(not p_replayed, false)) e
         cross join lateral pawl.count_dead_letters(p_bucket, p_tenant, e.fingerprint, p_replayed, p_from, p_before,
                                                    p_scan) c
         where c.count > 0
    )
    select g.fingerprint, w.name, g.node, s.error ->> 'message', g.count, g.first_at, g.last_at, s.run_id,
           (select max(c.count) from counted c) < p_scan
      from (select c.* from counted c order by c.count desc, c.last_at desc limit p_limit) as g
      join pawl.workflow w on w.id = g.workflow
     cross join lateral (
         select d.run_id, d.error
           from pawl.dead_letter d
          where d.bucket = p_bucket and d.tenant = p_tenant and d.fingerprint = g.fingerprint and d.at = g.last_at
            and (p_replayed is null or p_replayed = (d.replayed_as is not null))
          order by d.run_id desc
          limit 1
     ) as s
     order by g.count desc, g.last_at desc;
end
$$;

create or replace function pawl.create_replay(p_job uuid, p_tenant int, p_filter jsonb) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_workflow int;
begin
    select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_filter ->> 'workflow';
    insert into pawl.job (id, tenant, kind, filter, total)
    select p_job, t.id, 'replay', p_filter, (
               select coalesce(sum(c.count), 0)
                 from pawl.dead_letter_errors(t.bucket, t.id, v_workflow, p_filter ->> 'step',
                                              p_filter ->> 'fingerprint', true) e
                cross join lateral pawl.count_dead_letters(
                    t.bucket, t.id, e.fingerprint, false, (p_filter ->> 'after')::timestamptz,
                    (p_filter ->> 'before')::timestamptz, null
                ) c
                where p_filter ->> 'workflow' is null or v_workflow is not null
           )
      from pawl.tenant t
     where t.id = p_tenant
        on conflict do nothing;
end
$$;

-- Tasks and events ----------------------------------------------------------------------------------------------------

-- p_scan is not used any more: the conditions are part of the query, which ends with a full page or with the last task.
create or replace function pawl.list_tasks(
    p_bucket smallint, p_tenant int, p_state text, p_assignee text, p_group text, p_workflow text, p_run uuid,
    p_before uuid, p_limit int, p_scan int
)
returns table (task pawl.human_task, workflow text)
language plpgsql stable
set search_path = pg_catalog set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off as $$
#variable_conflict use_column
declare
    v_workflow int;
    v_where text := 't.bucket + 0 = $1 and t.tenant = $2';
begin
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
        v_where := v_where || ' and t.workflow = $3';
    end if;
    -- Spelled as the partial indexes have it.
    if p_state = 'open' then
        v_where := v_where || ' and t.state = 0';
    elsif p_state is not null then
        v_where := v_where || ' and pawl.task_state_name(t.state) = $4';
    end if;
    if p_assignee is not null then
        v_where := v_where || ' and t.assignee = $5';
    end if;
    if p_group is not null then
        v_where := v_where || ' and t.grp = $6';
    end if;
    if p_run is not null then
        v_where := v_where || ' and t.run_id = $7';
    end if;
    if p_before is not null then
        v_where := v_where || ' and t.id < $8';
    end if;
    return query execute format(
        'select x.task, w.name from (select t as task from pawl.human_task t where %s order by t.id desc limit $9) as x'
        ' join pawl.workflow w on w.id = (x.task).workflow order by (x.task).id desc', v_where
    ) using p_bucket, p_tenant, v_workflow, p_state, p_assignee, p_group, p_run, p_before, p_limit;
end
$$;

-- p_scan: how many of the newest events of all tenants may be looked at before the index of the tenant is asked, which
-- costs as much as the tenant has events of that name.
create or replace function pawl.list_inbox(
    p_bucket smallint, p_tenant int, p_name text, p_key text, p_before bigint, p_limit int, p_scan int
)
returns table (
    id bigint, event_id text, name text, key text, subject text, source text, "time" timestamptz, data jsonb,
    at timestamptz, pending boolean, problem text
)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    v_scan int := least(p_scan, 1000);
    v_before bigint := coalesce(p_before, 9223372036854775807);
    v_ids bigint[] := '{}';
    v_walked int := 0;
    v_id bigint;
    v_fits boolean;
begin
    perform pawl.require_tenant(p_tenant);
    for v_id, v_fits in
        select i.id, i.tenant = p_tenant and (p_name is null or i.name = p_name) and (p_key is null or i.key = p_key)
          from pawl.inbox i
         where i.bucket + 0 = p_bucket and i.id < v_before
         order by i.id desc
         limit v_scan
    loop
        v_walked := v_walked + 1;
        v_before := v_id;
        continue when not v_fits;
        v_ids := v_ids || v_id;
        exit when cardinality(v_ids) = p_limit;
    end loop;
    if v_walked = v_scan and cardinality(v_ids) < p_limit then
        v_ids := v_ids || array(
            select i.id
              from pawl.inbox i
             where i.bucket + 0 = p_bucket and i.tenant = p_tenant and (p_name is null or i.name = p_name)
               and (p_key is null or i.key = p_key) and i.id + 0 < v_before
             order by i.id + 0 desc
             limit p_limit - cardinality(v_ids)
        );
    end if;
    return query
    select i.id, i.event_id, i.name, i.key, i.subject, i.source, i.time, i.data, i.at,
           exists (
               select 1
                 from (
                     select q.id, q.more from pawl.inbox_pending q
                      where q.bucket = p_bucket and q.id <= i.id
                      order by q.id desc limit 1000
                 ) as q
                where q.id = i.id or i.id = any (q.more)
           )
           or exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket and q.id = i.id)
           or exists (select 1 from pawl.trigger_held h
                       where h.bucket = p_bucket and h.tenant = p_tenant and h.id = i.id),
           coalesce(i.problem, (
               select h.reason from pawl.trigger_held h
                where h.bucket = p_bucket and h.tenant = p_tenant and h.id = i.id))
      from unnest(v_ids) with ordinality as u (id, place)
     cross join lateral (
         select * from pawl.inbox x where x.bucket + 0 = p_bucket and x.id = u.id offset 0
     ) as i
     order by u.place;
end
$$;

-- pawl.workflow_executions --------------------------------------------------------------------------------------------

-- What the view reads of a run's log. As functions these cost the planner nothing for each week that there is, and
-- their cost is not taken for that of a query which just-in-time compilation could help. They run as the user does who
-- reads the view.

-- In SQL, planned once for a query, because whole lists ask it. The setting keeps it from being made part of the query.
create function pawl.execution_begun(p_bucket smallint, p_run uuid) returns boolean
language sql stable parallel safe set jit = off
begin atomic
    select exists (select 1 from pawl.event e where e.bucket = p_bucket and e.run_id = p_run and e.seq = 1);
end;

-- With which it was started.
create function pawl.execution_start(p_bucket smallint, p_run uuid) returns jsonb
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    return (select e.data from pawl.event e where e.bucket = p_bucket and e.run_id = p_run and e.seq = 0);
end
$$;

create function pawl.execution_step(p_bucket smallint, p_run uuid, p_workflow int, p_version int) returns int
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    return coalesce((
        select coalesce(pawl.step_after(v.definition, e.node),
                        array_position(pawl.step_names(v.definition), e.node) - 1)
          from pawl.event e
         cross join pawl.workflow_version v
         where e.bucket = p_bucket and e.run_id = p_run and v.workflow = p_workflow and v.version = p_version
           and (e.type = 1 or (e.type = 2 and not coalesce(e.data ? 'retry_at', false)
                and pawl.steps_of(v.definition) -> (array_position(pawl.step_names(v.definition), e.node) - 1)
                    ->> 'on_failure' = 'continue'))
         order by e.seq desc
         limit 1
    ), 0);
end
$$;

create function pawl.execution_context(p_bucket smallint, p_run uuid, p_workflow int, p_version int) returns jsonb
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    return (
        select coalesce(jsonb_object_agg(p.key, p.value order by p.rank, e.seq), '{}')
          from pawl.event e
         cross join pawl.workflow_version v
         cross join lateral pawl.context_part(v.definition, e.type, e.node, e.data, e.error) p
         where e.bucket = p_bucket and e.run_id = p_run and v.workflow = p_workflow and v.version = p_version
    );
end
$$;

-- Of an open run: what failed last, if nothing has happened since. Of a failed one: the step that failed.
create function pawl.execution_failure(
    p_bucket smallint, p_run uuid, p_status smallint, out message text, out node text
)
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    if p_status = 0 then
        select case when e.type = 2 then e.error ->> 'message' end, case when e.type = 2 then e.node end
          into message, node
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run
         order by e.seq desc
         limit 1;
    else
        select e.node into node
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type = 2
         order by e.seq desc
         limit 1;
    end if;
end
$$;

create function pawl.execution_retries(p_bucket smallint, p_run uuid) returns int
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    return (
        select count(*)
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type = 2 and e.data ? 'retry_at'
    );
end
$$;

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
       x.closed_at as completed_at,
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

-- Who may read the view may call what it calls.
create or replace function pawl.secure_functions() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    c_for_users constant text[] := array['start', 'start_many', 'emit', 'signal', 'cancel', 'status', 'result',
                                         'current_tenant', 'session_role', 'is_engine', 'fw_has_org_access',
                                         'fw_enqueue_form_submission_automation', 'fw_claim_queued_executions',
                                         'fw_finish_execution'];
    v_function record;
begin
    for v_function in
        select p.oid::regprocedure as name, p.prosecdef,
               (select s.setting from unnest(p.proconfig) as s (setting) where s.setting like 'search\_path=%') as path,
               p.proname = any (c_for_users) or p.proname like 'execution\_%' or p.provolatile = 'i' as for_users,
               p.prosrc ~ 'pawl\.(require|current|sql|organization)_tenant\(' or p.proname = any (c_for_users) as asks
          from pg_proc p
         where p.pronamespace = 'pawl'::regnamespace and p.prokind = 'f'
    loop
        execute format('revoke execute on function %s from public', v_function.name);
        if v_function.prosecdef and v_function.path = 'search_path=pg_catalog' then
            -- Temporary tables last: one called pg_class would come first otherwise.
            execute format('alter function %s set search_path = pg_catalog, pg_temp', v_function.name);
        end if;
        if to_regrole('pawl_worker') is not null then
            execute format('grant execute on function %s to pawl_worker', v_function.name);
        end if;
        if to_regrole('pawl_api') is not null and (v_function.asks or not v_function.prosecdef) then
            execute format('grant execute on function %s to pawl_api', v_function.name);
        end if;
        if to_regrole('pawl_user') is not null and v_function.for_users then
            execute format('grant execute on function %s to pawl_user', v_function.name);
        end if;
    end loop;
end
$$;
