-- The same for the same error: what differs from run to run in a message (numbers, ids, times, addresses) becomes #.
-- A word with a digit in it is taken for an id.
create or replace function pawl.error_fingerprint(p_workflow int, p_node text, p_error jsonb) returns text
language sql immutable parallel safe
return md5(concat_ws(
    '|', p_workflow, p_node, p_error ->> 'code',
    regexp_replace(
        regexp_replace(
            left(p_error ->> 'message', 1000),
            '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\m[0-9a-f]{8,}\M|\w*[0-9]\w*', '#', 'gi'
        ),
        '#([-+.,:/@]+#)+', '#', 'g'
    )
));

-- The condition on d.replayed_as, spelled as the partial index has it.
create or replace function pawl.replayed_condition(p_replayed boolean) returns text
language sql immutable parallel safe
return case when p_replayed then 'd.replayed_as is not null' when not p_replayed then 'd.replayed_as is null'
            else 'true' end;

-- Walks the dead letters of a tenant by the time they came, p_scan rows at most; the caller checks the other
-- conditions, and a fingerprint that is not whole.
create or replace function pawl.walk_dead_letters(
    p_bucket smallint, p_tenant int, p_fingerprint text, p_from timestamptz, p_from_run uuid, p_before timestamptz,
    p_before_run uuid, p_newest_first boolean, p_scan int
) returns setof pawl.dead_letter
language plpgsql stable
set search_path = pg_catalog
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off as $$
begin
    return query execute format(
        'select d.* from pawl.dead_letter d where d.bucket = $1 and d.tenant = $2 and %1$s (d.at, d.run_id) > ($4, $5)'
        ' and (d.at, d.run_id) < ($6, $7) order by d.at %2$s, d.run_id %2$s limit $8',
        case when length(p_fingerprint) = 32 then 'd.fingerprint = $3 and' else '' end,
        case when p_newest_first then 'desc' else 'asc' end
    ) using p_bucket, p_tenant, p_fingerprint, coalesce(p_from, '-infinity'),
        coalesce(p_from_run, '00000000-0000-0000-0000-000000000000'), coalesce(p_before, 'infinity'),
        coalesce(p_before_run, '00000000-0000-0000-0000-000000000000'), p_scan;
end
$$;

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

-- The errors of a tenant: a fingerprint is made of the workflow, the step and the message. One look at the index for
-- each of them. p_waiting: only errors with dead letters that have not been replayed.
create or replace function pawl.dead_letter_errors(
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
