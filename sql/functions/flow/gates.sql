-- Passes runs that the caller has just leased through the gates of their tickets (p_ticket, else the ticket of p_flow).
-- Returns the runs that do not go on now: they wait at a gate, are due later, or were cancelled. Locks gates by name.
create or replace function pawl.pass_gates(
    p_bucket smallint, p_run uuid[], p_flow jsonb[], p_ticket jsonb[] default null,
    p_count int[] default null
)
returns uuid[]
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
set enable_material = off
set jit = off
as $$
declare
    v_back uuid[] := '{}';
begin
    if p_ticket is null then
        select array_agg(w.flow), array_agg(w.count) into p_ticket, p_count
          from (select u.flow, count(*)::int as count from unnest(p_flow) as u (flow) group by u.flow) as w;
    end if;
    if exists (select 1 from unnest(p_ticket) as u (flow) where u.flow ?| array['gather', 'rate']) then
        -- Later starts begin another group. A group that a transaction holds stays: the next start finds that its run
        -- has begun.
        delete from pawl.flow_group g
         where g.ctid = any (array(
               select x.row_id
                 from unnest(p_run, p_flow) as u (run_id, flow)
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.flow_group h
                     where h.bucket = p_bucket and h.gate = u.flow -> 'gather' ->> 0 and h.run_id = u.run_id
                       for update skip locked
                ) as x
           ));
        v_back := pawl.take_turns(p_bucket, p_run, p_flow);
        if v_back <> '{}' then
            select array_agg(u.run_id order by u.n), array_agg(u.flow order by u.n), array_agg(u.flow), array_agg(1)
              into p_run, p_flow, p_ticket, p_count
              from unnest(p_run, p_flow) with ordinality as u (run_id, flow, n)
             where u.run_id <> all (v_back);
        end if;
    end if;
    return v_back || pawl.take_slots(p_bucket, p_run, p_flow, p_ticket, p_count);
end
$$;

-- Counts every run in, whether there is room or not; one element of the arrays for each place. Returns the gates that
-- are too full now, or at which runs wait, with the room before the call. Existing gates are locked first, by name;
-- then the missing ones are made, by name. A plain insert costs half of one with `on conflict`, and conflicts are rare:
-- a call that meets one starts over.
create or replace function pawl.enter_gates(
    p_bucket smallint, p_gate text[], p_base int[], p_limit int[], p_count int[], out gate text[], out room int[]
)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off set jit = off as $$
#variable_conflict use_column
declare
    v_gate text[];
    v_base int[];
    v_limit int[];
    v_count int[];
    v_row tid[];
begin
    select array_agg(w.gate), array_agg(w.base), array_agg(w."limit"), array_agg(w.count)
      into v_gate, v_base, v_limit, v_count
      from (
          select u.gate collate "C" as gate, max(u.base) as base, max(u."limit") as "limit",
                 sum(u.count)::int as count
            from unnest(p_gate, p_base, p_limit, p_count) as u (gate, base, "limit", count)
           group by u.gate collate "C"
           order by u.gate collate "C"
      ) as w;
    loop
        begin
            select array_agg(g.row_id order by u.n) into v_row
              from unnest(v_gate) with ordinality as u (gate, n)
              left join lateral (
                  select h.ctid as row_id
                    from pawl.flow_gate h
                   where h.bucket = p_bucket and h.gate = u.gate
                     for no key update
              ) as g on true;
            insert into pawl.flow_gate (bucket, gate, base, "limit", held)
            select p_bucket, u.gate, u.base, u."limit", u.count
              from unnest(v_gate, v_base, v_limit, v_count, v_row) as u (gate, base, "limit", count, row_id)
             where u.row_id is null;
            exit;
        exception when unique_violation then
            -- Another transaction has made one of them. Try again, without the locks of this try.
            null;
        end;
    end loop;
    with entered as (
        update pawl.flow_gate g
           set held = g.held + u.count, "limit" = u."limit", base = u.base, look = g.look or u."limit" > g."limit"
          from unnest(v_base, v_limit, v_count, v_row) as u (base, "limit", count, row_id)
         where g.ctid = u.row_id
        returning g.gate, g.held, g."limit", g.waited, u.count
    ), fresh as (
        select u.gate, u.count as held, u."limit", false, u.count
          from unnest(v_gate, v_limit, v_count, v_row) as u (gate, "limit", count, row_id)
         where u.row_id is null and u.count > u."limit"
    )
    select array_agg(e.gate), array_agg(case when e.waited then 0 else greatest(e."limit" - e.held + e.count, 0) end)
      into gate, room
      from (select * from entered union all select * from fresh) as e (gate, held, "limit", waited, count)
     where e.waited or e.held > e."limit";
end
$$;

-- Takes runs that this transaction has locked from their worker, to wait at the gates given with them.
create or replace function pawl.queue_at_gates(p_bucket smallint, p_run uuid[], p_gate text[]) returns void
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
begin
    with queued as (
        update pawl.live_run l
           set state = 3, worker = null, slot = 2
         where l.ctid = any (array(
               select x.row_id
                 from unnest(p_run) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id
                    offset 0
                ) as x
           ))
        returning l.run_id, l.due_at + l.priority * interval '1 minute' as rank
    )
    insert into pawl.flow_wait (bucket, run_id, gate, rank)
    select p_bucket, q.run_id, p_gate[array_position(p_run, q.run_id)], q.rank from queued q;
end
$$;

-- Gives places back, one for each element of p_gate, and marks gates at which runs may wait.
create or replace function pawl.leave_gates(p_bucket smallint, p_gate text[], p_count int[]) returns void
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off set jit = off as $$
declare
    v_row tid[];
    v_count int[];
    v_idle tid[];
    v_waited boolean;
begin
    -- What is read of a row is as it is now that it is locked.
    select array_agg(g.row_id) filter (where not g.idle), array_agg(w.count) filter (where not g.idle),
           array_agg(g.row_id) filter (where g.idle), bool_or(g.waited)
      into v_row, v_count, v_idle, v_waited
      from (
          select u.gate collate "C" as gate, sum(u.count)::int as count
            from unnest(p_gate, p_count) as u (gate, count)
           group by u.gate collate "C"
           order by u.gate collate "C"
          offset 0
      ) as w
     cross join lateral (
         select h.ctid as row_id, h.waited, h.held <= w.count and not h.waited as idle
           from pawl.flow_gate h
          where h.bucket = p_bucket and h.gate = w.gate
            for no key update
     ) as g;
    if v_idle is not null then
        delete from pawl.flow_gate g where g.ctid = any (v_idle);
    end if;
    if v_row is not null then
        update pawl.flow_gate g
           set held = g.held - u.count, look = g.look or g.waited
          from unnest(v_row, v_count) as u (row_id, count)
         where g.ctid = u.row_id;
    end if;
    if v_waited then
        perform set_config('pawl.made_room', 'on', true);
    end if;
end
$$;

-- Runs that wait at a gate go on without, to be cancelled. Their rows are locked by this transaction.
create or replace function pawl.leave_queue(p_bucket smallint, p_row tid[]) returns void
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_gate text[];
    v_idle tid[];
begin
    with awake as (
        update pawl.live_run l
           set state = 0, due_at = least(l.due_at, now()), slot = 3
         where l.ctid = any (p_row) and l.state = 3
        returning l.run_id
    ), gone as (
        delete from pawl.flow_wait w
         where w.ctid = any (array(
               select x.row_id
                 from awake a
                cross join lateral (
                    select q.ctid as row_id from pawl.flow_wait q where q.bucket = p_bucket and q.run_id = a.run_id
                    offset 0
                ) as x
           ))
        returning w.gate
    )
    select array_agg(distinct g.gate) into v_gate from gone g;
    -- Gates at which no run waits and that no run is inside of. The transaction that locks one sees to it.
    select array_agg(g.row_id) into v_idle
      from unnest(v_gate) as u (gate)
     cross join lateral (
         select h.ctid as row_id
           from pawl.flow_gate h
          where h.bucket = p_bucket and h.gate = u.gate and h.held = 0
            for update skip locked
     ) as g;
    delete from pawl.flow_gate g
     where g.ctid = any (v_idle)
       and not exists (select 1 from pawl.flow_wait w where w.bucket + 0 = p_bucket and w.gate = g.gate);
end
$$;
