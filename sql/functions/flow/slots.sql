-- Lets runs into all their gates, or has them wait at the first one that is full, behind the runs that wait there. They
-- are leased by this transaction, in the order of p_run. Returns those that wait. Locks the gates by name.
create or replace function pawl.take_slots(
    p_bucket smallint, p_run uuid[], p_flow jsonb[], p_ticket jsonb[], p_count int[]
)
returns uuid[]
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off set jit = off as $$
declare
    v_gate text[];
    v_base int[];
    v_count int[];
    v_limit int[];
    v_full text[];
    v_room int[];
begin
    select array_agg(s.slot ->> 0), array_agg((s.slot -> 1)::int), array_agg(s.count)
      into v_gate, v_base, v_count
      from (
          select jsonb_array_elements(u.flow -> 'slots') as slot, u.count
            from unnest(p_ticket, p_count) as u (flow, count)
      ) as s;
    if v_gate is null then
        return '{}';
    end if;
    v_limit := v_base;
    if exists (select 1 from pawl.flow_limit) then
        v_limit := array(
            select pawl.limit_of(u.gate, u.base) from unnest(v_gate, v_base) with ordinality as u (gate, base, n)
             order by u.n
        );
    end if;
    -- All get in first; nearly always that is all there is to do.
    select e.gate, e.room into v_full, v_room from pawl.enter_gates(p_bucket, v_gate, v_base, v_limit, v_count) e;
    if v_full is null then
        return '{}';
    end if;
    return pawl.wait_at_full_gates(p_bucket, p_run, p_flow, v_full, v_room);
end
$$;

-- Has the runs wait that found no room when all had entered (enter_gates: p_full and p_room), each at the first gate
-- that is full; they leave the others, and are no longer leased. A run that was asked to stop does not wait: it goes on
-- without a place. Returns those that wait. The gates are locked. Called by take_slots, with its planner settings.
create or replace function pawl.wait_at_full_gates(
    p_bucket smallint, p_run uuid[], p_flow jsonb[], p_full text[], p_room int[]
) returns uuid[]
language plpgsql set search_path = pg_catalog as $$
declare
    v_run uuid[];
    v_gate text[];
    v_waits uuid[];
    v_waits_at text[];
    v_stops uuid[];
begin
    select array_agg(s.run_id), array_agg(s.slot ->> 0) into v_run, v_gate
      from (
          select u.run_id, jsonb_array_elements(u.flow -> 'slots') as slot
            from unnest(p_run, p_flow) as u (run_id, flow)
      ) as s;
    select w.waits, w.waits_at into v_waits, v_waits_at
      from pawl.runs_without_room(v_run, v_gate, p_full, p_room) w;
    if v_waits = '{}' then
        return v_waits;
    end if;
    perform pawl.take_back_places(p_bucket, v_run, v_gate, v_waits, v_waits_at);
    -- A run that was asked to stop does not wait for a place to stop in.
    if exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        v_stops := array(
            select u.run_id
              from unnest(v_waits) as u (run_id)
             cross join lateral (
                 select 1 from pawl.signal s
                  where s.bucket = p_bucket and s.run_id = u.run_id and s.kind = 'cancel'
                  limit 1
             ) as asked
        );
        update pawl.live_run l
           set slot = 3
         where l.ctid = any (array(
               select x.row_id
                 from unnest(v_stops) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id
                    offset 0
                ) as x
           ));
        select coalesce(array_agg(u.run_id), '{}'), coalesce(array_agg(u.gate), '{}') into v_waits, v_waits_at
          from unnest(v_waits, v_waits_at) as u (run_id, gate)
         where u.run_id <> all (v_stops);
    end if;
    perform pawl.queue_at_gates(p_bucket, v_waits, v_waits_at);
    return v_waits;
end
$$;

-- The runs that find no room, and the gate of each: the first of its gates that is full. The others take the room that
-- there is, in the order of p_run; p_run[i] is to enter p_gate[i]. Changes nothing.
create or replace function pawl.runs_without_room(
    p_run uuid[], p_gate text[], p_full text[], p_room int[], out waits uuid[], out waits_at text[]
)
language plpgsql set search_path = pg_catalog as $$
declare
    v_wanted record;
    v_place int;
    v_at int;
begin
    waits := '{}';
    waits_at := '{}';
    for v_wanted in
        select u.run_id, array_agg(u.gate) as gates
          from unnest(p_run, p_gate) with ordinality as u (run_id, gate, n)
         group by u.run_id
        having array_agg(u.gate) && p_full
         order by min(u.n)
    loop
        v_at := null;
        foreach v_place in array array(select array_position(p_full, g) from unnest(v_wanted.gates) as g) loop
            if v_place is not null and p_room[v_place] <= 0 then
                v_at := v_place;
                exit;
            end if;
        end loop;
        if v_at is not null then
            waits := waits || v_wanted.run_id;
            waits_at := waits_at || p_full[v_at];
        else
            foreach v_place in array array(select array_position(p_full, g) from unnest(v_wanted.gates) as g) loop
                if v_place is not null then
                    p_room[v_place] := p_room[v_place] - 1;
                end if;
            end loop;
        end if;
    end loop;
end
$$;

-- Takes the places back that the runs of p_waits have got in their gates, p_run[i] in p_gate[i], and marks the gates at
-- which they wait. Gates that are empty now go. The gates are locked.
create or replace function pawl.take_back_places(
    p_bucket smallint, p_run uuid[], p_gate text[], p_waits uuid[], p_waits_at text[]
) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    update pawl.flow_gate g
       set held = g.held - w.count, waited = g.waited or w.waits,
           look = g.look or g.waited and g.held - w.count < g."limit"
      from (
          select u.gate, count(*)::int as count, u.gate = any (p_waits_at) as waits
            from unnest(p_run, p_gate) as u (run_id, gate)
           where u.run_id = any (p_waits)
           group by u.gate
      ) as w
     cross join lateral (
         select h.ctid as row_id from pawl.flow_gate h where h.bucket = p_bucket and h.gate = w.gate offset 0
     ) as x
     where g.ctid = x.row_id;
    delete from pawl.flow_gate g
     where g.ctid = any (array(
           select x.row_id
             from (select distinct u.gate from unnest(p_gate) as u (gate)) as w
            cross join lateral (
                select h.ctid as row_id
                  from pawl.flow_gate h
                 where h.bucket = p_bucket and h.gate = w.gate and h.held = 0 and not h.waited
                offset 0
            ) as x
       ));
end
$$;
