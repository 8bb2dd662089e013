-- Claims are fair. A level of priority is worth a minute of waiting, so nothing waits for ever behind what is more
-- urgent; and when there is more due than a claim takes, half of it goes to the tenants in turn, so a tenant with a
-- million runs does not hold up another's single one.
-- breaking: no

set local lock_timeout = '5s';

-- Without the priority, so that neither this index nor live_run_ready can serve a query that is meant for the other.
create index live_run_turn on pawl.live_run (bucket, tenant, due_at) where state = 0;

-- Takes up to p_limit due runs, by the time at which they became due and a minute a level of priority. One index range
-- per priority: a million runs that sleep until tomorrow are never walked over. With several priorities a quarter of
-- the claim at a time comes from the one whose first run is the most pressing. For claim_runs, which has the other
-- planner settings.
create function pawl.take_pressing(p_bucket smallint, p_worker uuid, p_limit int) returns uuid[]
language plpgsql set enable_sort = off as $$
declare
    c_level constant interval := interval '1 minute';
    v_priority smallint;
    v_due timestamptz;
    v_level smallint[] := '{}';
    v_head timestamptz[] := '{}';
    v_best int := 1;
    v_ask int;
    v_taken uuid[];
    v_ids uuid[] := '{}';
begin
    select l.priority, l.due_at into v_priority, v_due
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 0
     order by l.bucket, l.priority, l.due_at, l.run_id
     limit 1;
    while v_priority is not null loop
        if v_due <= now() then
            v_level := v_level || v_priority;
            v_head := v_head || (v_due + v_priority * c_level);
        end if;
        select l.priority, l.due_at into v_priority, v_due
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.priority > v_priority
         order by l.bucket, l.priority, l.due_at, l.run_id
         limit 1;
    end loop;
    while cardinality(v_level) > 0 and cardinality(v_ids) < p_limit loop
        v_ask := p_limit - cardinality(v_ids);
        if cardinality(v_level) > 1 then
            v_ask := least(v_ask, greatest(p_limit / 4, 1));
            v_best := array_position(v_head, (select min(h.head) from unnest(v_head) as h (head)));
        end if;
        -- Materialized: a plain sub-select may be evaluated again and lock more rows than the limit.
        with due as materialized (
            select l.ctid as row_id
              from pawl.live_run l
             where l.bucket = p_bucket and l.state = 0 and l.priority = v_level[v_best] and l.due_at <= now()
             order by l.due_at, l.run_id
             limit v_ask
               for no key update skip locked
        ), taken as (
            -- By the place of the row, which its lock keeps still, and by nothing else: a condition on
            -- bucket or run_id may become a scan of the whole index with a filter, depending on how
            -- small the table was when the plan was made.
            update pawl.live_run l
               set state = 1, worker = p_worker
             where l.ctid = any (array(select due.row_id from due))
            returning l.run_id, l.due_at
        )
        select array_agg(t.run_id), max(t.due_at) into v_taken, v_due from taken t;
        v_ids := v_ids || coalesce(v_taken, '{}');
        if coalesce(cardinality(v_taken), 0) < v_ask then
            v_level := v_level[:v_best - 1] || v_level[v_best + 1:];
            v_head := v_head[:v_best - 1] || v_head[v_best + 1:];
            v_best := 1;
        else
            v_head[v_best] := v_due + v_level[v_best] * c_level;
        end if;
    end loop;
    return v_ids;
end
$$;

-- Takes up to p_limit due runs from tenants in turn, each one's oldest first. Looks at a bounded number of tenants,
-- from another place each turn. For claim_runs.
create function pawl.take_in_turn(
    p_bucket smallint, p_worker uuid, p_limit int, p_turn int, p_first int, p_last int
) returns uuid[]
language plpgsql set enable_sort = off as $$
declare
    c_look constant int := 64;
    v_from int := p_first + ((p_turn::bigint * c_look) % (p_last::bigint - p_first + 1))::int;
    v_tenant int := v_from - 1;
    v_wrapped boolean := false;
    v_due timestamptz;
    v_tenants int[] := '{}';
    v_ids uuid[];
begin
    for place in 1 .. c_look loop
        exit when cardinality(v_tenants) >= p_limit;
        select l.tenant, l.due_at into v_tenant, v_due
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.tenant > v_tenant
         order by l.bucket, l.tenant, l.due_at
         limit 1;
        if not found and not v_wrapped then
            v_wrapped := true;
            v_tenant := p_first - 1;
            continue;
        end if;
        exit when not found or v_wrapped and v_tenant >= v_from;
        if v_due <= now() then
            v_tenants := v_tenants || v_tenant;
        end if;
    end loop;
    if v_tenants = '{}' then
        return '{}';
    end if;
    with due as materialized (
        select x.row_id
          from unnest(v_tenants) as u (tenant)
         cross join lateral (
             select l.ctid as row_id
               from pawl.live_run l
              where l.bucket = p_bucket and l.state = 0 and l.tenant = u.tenant and l.due_at <= now()
              order by l.due_at
              limit (p_limit + cardinality(v_tenants) - 1) / cardinality(v_tenants)
                for no key update skip locked
         ) as x
         limit p_limit
    ), taken as (
        update pawl.live_run l
           set state = 1, worker = p_worker
         where l.ctid = any (array(select due.row_id from due))
        returning l.run_id
    )
    select coalesce(array_agg(t.run_id), '{}') into v_ids from taken t;
    return v_ids;
end
$$;

drop function pawl.claim_runs(smallint, uuid, int);
-- Leases up to p_limit due runs to a worker (see take_pressing), and returns their logs, and after them the signals
-- that wait for them or came for others that it holds (rows with a signal's id; the kind stands in node). When there is
-- more due, half of it is taken from tenants in turn; p_turn is another number with each claim.
create function pawl.claim_runs(p_bucket smallint, p_worker uuid, p_limit int, p_turn int default 0)
returns table (
    run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz,
    token int, signal bigint
)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    v_first int;
    v_last int;
    v_pressing int := p_limit;
    v_ids uuid[];
begin
    perform pawl.assert_worker(p_worker);
    select l.tenant into v_first
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 0
     order by l.bucket, l.tenant, l.due_at
     limit 1;
    if found then
        select l.tenant into v_last
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0
         order by l.bucket desc, l.tenant desc, l.due_at desc
         limit 1;
        if v_first <> v_last then
            v_pressing := (p_limit + 1 - (p_turn & 1)) / 2;
        end if;
        v_ids := pawl.take_pressing(p_bucket, p_worker, v_pressing);
        if v_pressing < p_limit and cardinality(v_ids) = v_pressing then
            v_ids := v_ids || pawl.take_in_turn(
                p_bucket, p_worker, p_limit - v_pressing, p_turn & 2147483647, v_first, v_last
            );
            if cardinality(v_ids) < p_limit then
                v_ids := v_ids || pawl.take_pressing(p_bucket, p_worker, p_limit - cardinality(v_ids));
            end if;
        end if;
    else
        v_ids := '{}';
    end if;
    if cardinality(v_ids) > 0 then
        return query
        select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token, null::bigint
          from unnest(v_ids) as u (run_id)
         cross join lateral (
             select * from pawl.event l where l.bucket = p_bucket and l.run_id = u.run_id offset 0
         ) as e
         order by e.run_id, e.seq;
    end if;
    -- In the same transaction, so that a run woken by a signal is seen together with it.
    if exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        return query
        select s.run_id, null::int, null::smallint, null::smallint, s.kind, s.data, null::jsonb, now(), null::int, s.id
          from (
              select h.* from unnest(v_ids) as u (run_id)
               cross join lateral (
                   select g.* from pawl.signal g where g.bucket = p_bucket and g.run_id = u.run_id offset 0
               ) as h
              union all
              select h.*
                from (
                    select g.* from pawl.signal g
                     where g.bucket + 0 = p_bucket and g.worker = p_worker and g.run_id <> all (v_ids)
                     order by g.id
                     limit 1000
                ) as h
          ) as s
         order by s.id;
    end if;
end
$$;
