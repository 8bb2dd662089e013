-- needs: functions/base/names
-- Whether a value of JSON compares so with another, as conditions of steps do (src/model/condition.hpp): numbers by
-- what they are worth, texts by their bytes; values of different types are different, and have no order.
create or replace function pawl.json_holds(p_left jsonb, p_op text, p_right jsonb) returns boolean
language sql immutable parallel safe
return case
    when p_op = '=' then p_left = p_right
    when p_op = '!=' then p_left <> p_right
    when jsonb_typeof(p_left) <> jsonb_typeof(p_right) then false
    when jsonb_typeof(p_left) = 'number' then
        case p_op when '<' then p_left < p_right when '<=' then p_left <= p_right
                  when '>' then p_left > p_right when '>=' then p_left >= p_right else false end
    when jsonb_typeof(p_left) = 'string' then
        case p_op when '<' then (p_left #>> '{}') collate "C" < (p_right #>> '{}')
                  when '<=' then (p_left #>> '{}') collate "C" <= (p_right #>> '{}')
                  when '>' then (p_left #>> '{}') collate "C" > (p_right #>> '{}')
                  when '>=' then (p_left #>> '{}') collate "C" >= (p_right #>> '{}') else false end
    else false
end;

-- Whether the error of a run has a text in it, in any case: its message, code, class or step.
create or replace function pawl.error_has(p_error jsonb, p_text text) returns boolean
language sql immutable parallel safe
return strpos(lower(concat_ws(chr(10), p_error ->> 'message', p_error ->> 'code', p_error ->> 'class',
                              p_error ->> 'step')), lower(p_text)) > 0;

-- The statuses of closed runs that can match: only failed and cancelled ones have an error.
create or replace function pawl.searched_statuses(p_status text[], p_error text) returns smallint[]
language sql immutable parallel safe
return case
    when p_error is null then pawl.closed_statuses(p_status)
    else pawl.closed_statuses(array(
        select s.status from unnest(array['failed', 'cancelled']) as s (status)
         where p_status is null or s.status = any (p_status)))
end;

-- Looks through p_ids, runs of one tenant, in their order, until p_limit of them have the text in their error and meet
-- the conditions on their input: [{path, op, value}] (null: any). Called by the lists and counts of runs, which check
-- the tenant. p_look: as many ids were asked for. Returns what was found, how many were looked through, and where it
-- had to stop although there may be more.
create or replace function pawl.search_runs(
    p_bucket smallint, p_ids uuid[], p_error text, p_where jsonb, p_limit int, p_look int,
    out matched uuid[], out scanned int, out scanned_to uuid
)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off set enable_memoize = off as $$
declare
    v_id uuid;
    v_fits boolean;
begin
    matched := '{}';
    scanned := 0;
    for v_id, v_fits in
        with asked as materialized (
            select a.* from jsonb_to_recordset(p_where) as a (path text[], op text, value jsonb)
        )
        select u.id,
               (p_error is null or coalesce(pawl.error_has(e.error, p_error), false))
               and not exists (
                   select 1 from asked a
                    where not pawl.json_holds(coalesce(d.input #> a.path, 'null'), a.op, coalesce(a.value, 'null'))
               )
          from unnest(p_ids) as u (id)
          left join lateral (
              select r.error from pawl.run r
               where p_error is not null and r.bucket = p_bucket and r.run_id = u.id
              offset 0
          ) as e on true
          left join lateral (
              -- Few gather starts: their input is more than that of the first one.
              select case when v.data -> 'flow' ? 'gather' then pawl.execution_start(p_bucket, u.id)
                          else v.data end -> 'input' as input
                from pawl.event v
               where p_where is not null and v.bucket = p_bucket and v.run_id = u.id and v.seq = 0
              offset 0
          ) as d on true
    loop
        scanned := scanned + 1;
        continue when not v_fits;
        matched := matched || v_id;
        exit when cardinality(matched) = p_limit;
    end loop;
    if scanned = p_look and cardinality(matched) < p_limit then
        scanned_to := p_ids[p_look];
    end if;
end
$$;

-- Counts the runs that match among the p_look newest open and closed ones that meet the other conditions: as
-- pawl.count_runs, which calls it and has checked the tenant.
create or replace function pawl.count_searched_runs(
    p_bucket smallint, p_tenant int, p_workflow int, p_status text[], p_subject text, p_ids uuid[], p_from uuid,
    p_before uuid, p_sample int, p_scan int, p_unretried boolean, p_error text, p_where jsonb, p_look int
)
returns table (total bigint, complete boolean, sample uuid[])
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_open record;
    v_closed record;
    v_ids uuid[] := '{}';
    v_status smallint[] := pawl.searched_statuses(p_status, p_error);
begin
    if p_error is null and coalesce(p_status && array['queued', 'waiting', 'running'], true) then
        v_ids := array(select pawl.open_run_ids(p_bucket, p_tenant, p_workflow, pawl.open_statuses(p_status),
                                                p_subject, p_ids, p_from, p_before, p_look, 1000));
    end if;
    select * into v_open from pawl.search_runs(p_bucket, v_ids, p_error, p_where, p_scan + 1, p_look);
    v_ids := '{}';
    if coalesce(cardinality(v_status), 1) > 0 then
        v_ids := array(select pawl.closed_run_ids(p_bucket, p_tenant, p_workflow, v_status, p_subject, p_ids, p_from,
                                                  p_before, p_look, 1000, p_unretried));
    end if;
    select * into v_closed from pawl.search_runs(p_bucket, v_ids, p_error, p_where, p_scan + 1, p_look);
    return query
    select cardinality(v_open.matched)::bigint + cardinality(v_closed.matched),
           v_open.scanned_to is null and v_closed.scanned_to is null
           and greatest(cardinality(v_open.matched), cardinality(v_closed.matched)) <= p_scan,
           array(select s.id from unnest(v_open.matched || v_closed.matched) as s (id)
                  order by s.id desc limit p_sample);
end
$$;
