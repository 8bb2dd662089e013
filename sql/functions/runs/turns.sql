-- Takes up to p_limit due runs, by the time at which they became due and a minute a level of priority. One index range
-- per priority: a million runs that sleep until tomorrow are never walked over. With several priorities a quarter of
-- the claim at a time comes from the one whose first run is the most pressing. For claim_runs.
create or replace function pawl.take_pressing(
    p_bucket smallint, p_worker uuid, p_limit int, out ids uuid[], out tickets uuid[], out flows jsonb[]
)
language plpgsql set search_path = pg_catalog set enable_sort = off set jit = off as $$
declare
    c_level constant interval := interval '1 minute';
    v_priority smallint;
    v_due timestamptz;
    v_level smallint[] := '{}';
    v_head timestamptz[] := '{}';
    v_best int := 1;
    v_ask int;
    v_taken record;
begin
    ids := '{}';
    tickets := '{}';
    flows := '{}';
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
    while cardinality(v_level) > 0 and cardinality(ids) < p_limit loop
        v_ask := p_limit - cardinality(ids);
        if cardinality(v_level) > 1 then
            v_ask := least(v_ask, greatest(p_limit / 4, 1));
            v_best := array_position(v_head, (select min(h.head) from unnest(v_head) as h (head)));
        end if;
        select t.ids, t.tickets, t.flows, t.last_due into v_taken
          from pawl.take_level(p_bucket, p_worker, v_level[v_best], v_ask) t;
        ids := ids || v_taken.ids;
        tickets := tickets || v_taken.tickets;
        flows := flows || v_taken.flows;
        if cardinality(v_taken.ids) < v_ask then
            v_level := v_level[:v_best - 1] || v_level[v_best + 1:];
            v_head := v_head[:v_best - 1] || v_head[v_best + 1:];
            v_best := 1;
        else
            v_head[v_best] := v_taken.last_due + v_level[v_best] * c_level;
        end if;
    end loop;
end
$$;

-- Takes up to p_limit due runs from tenants in turn, each one's oldest first. Looks at a bounded number of tenants,
-- from another place each turn. For claim_runs.
create or replace function pawl.take_in_turn(
    p_bucket smallint, p_worker uuid, p_limit int, p_turn int, p_first int, p_last int, out ids uuid[],
    out tickets uuid[], out flows jsonb[]
)
language plpgsql set search_path = pg_catalog set enable_sort = off set jit = off as $$
declare
    c_look constant int := 64;
    v_from int := p_first + ((p_turn::bigint * c_look) % (p_last::bigint - p_first + 1))::int;
    v_tenant int := v_from - 1;
    v_wrapped boolean := false;
    v_due timestamptz;
    v_tenants int[] := '{}';
begin
    ids := '{}';
    tickets := '{}';
    flows := '{}';
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
        return;
    end if;
    with due as materialized (
        select x.row_id, x.run_id, x.slot, x.flow
          from unnest(v_tenants) as u (tenant)
         cross join lateral (
             select l.ctid as row_id, l.run_id, l.slot, l.flow
               from pawl.live_run l
              where l.bucket = p_bucket and l.state = 0 and l.tenant = u.tenant and l.due_at <= now()
              order by l.due_at
              limit (p_limit + cardinality(v_tenants) - 1) / cardinality(v_tenants)
                for no key update skip locked
         ) as x
         limit p_limit
    ), taken as (
        update pawl.live_run l
           set state = 1, worker = p_worker, slot = case when l.slot in (2, 4) then 1 else l.slot end
         where l.ctid = any (array(select due.row_id from due))
        returning l.run_id
    )
    select coalesce(array_agg(t.run_id), '{}'),
           coalesce((select array_agg(due.run_id) from due where due.slot in (2, 4)), '{}'),
           coalesce((select array_agg(due.flow) from due where due.slot in (2, 4)), '{}')
      into ids, tickets, flows
      from taken t;
end
$$;
