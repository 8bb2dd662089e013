-- Flow control: how many runs with the same key may be under way at once, and how many may begin in a time.
--
-- A run that limits apply to brings a ticket (live_run.flow; src/model/flow_control.hpp) with the gates that it has
-- to pass. It passes them when it is claimed, or started and leased at once: never in a transaction of somebody
-- else's that may stay open. How many are inside a gate is counted in its row, in the transactions in which runs get
-- in and out, so it is right whoever dies. A run that does not get in becomes queued (state 3) and waits at one gate,
-- the first that was full; whoever leaves a gate marks it, and the next claim of anybody lets in those who wait. A
-- gate without anybody inside or before it has no row.
--
-- Rows of gates are locked in the order of their names, after all other rows of a transaction, or not waited for.
-- breaking: no

set local lock_timeout = '5s';

-- live_run.slot: what became of the ticket. 1: it is inside its gates; 2: it has to pass them before it goes on; 3: it
-- goes on without, because it was cancelled before it got in; 4: starts are gathered into it, and it begins when it is
-- due. Null: nothing holds it back.
alter table pawl.live_run
    add column flow jsonb,
    add column slot smallint,
    drop constraint live_run_state_check,
    add constraint live_run_state_check check (state in (0, 1, 2, 3));

-- A start that was gathered into a run that has not begun is a message to it.
alter table pawl.signal drop constraint signal_kind_check;
alter table pawl.signal add constraint signal_kind_check check (
    kind in ('cancel', 'pause', 'resume', 'skip', 'event', 'signal', 'task', 'child', 'callback', 'lock', 'gather')
);

-- held: how many are inside; waited: somebody may be waiting at it; look: it got room since then. All of it changes
-- under the lock of the row, so that whoever waited for the lock sees it.
create table pawl.flow_gate (
    bucket smallint not null,
    gate text collate "C" not null,
    base int not null,
    "limit" int not null,
    held int not null,
    waited boolean not null default false,
    look boolean not null default false,
    constraint flow_gate_pk primary key (bucket, gate)
) with (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off
);
-- Gates that got room while somebody waits.
create index flow_gate_look on pawl.flow_gate (gate) where look;

create table pawl.flow_wait (
    bucket smallint not null,
    run_id uuid not null,
    gate text collate "C" not null,
    rank timestamptz not null,
    constraint flow_wait_pk primary key (bucket, run_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
create index flow_wait_turn on pawl.flow_wait (gate, rank, run_id);

-- When the next one may begin, by gate of a rate.
create table pawl.flow_rate (
    bucket smallint not null,
    gate text collate "C" not null,
    next_at timestamptz not null,
    constraint flow_rate_pk primary key (bucket, gate)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index flow_rate_over on pawl.flow_rate (next_at);

-- The run that starts with the same key are gathered into, until it begins.
create table pawl.flow_group (
    bucket smallint not null,
    gate text collate "C" not null,
    run_id uuid not null,
    first_at timestamptz not null,
    count int not null,
    constraint flow_group_pk primary key (bucket, gate)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Limits that people have set on a running system, over those of the definitions: of one gate, or of every gate with
-- this beginning (its name without the key: 'tenant/workflow/name/').
create table pawl.flow_limit (
    gate text collate "C" not null,
    "limit" int not null,
    at timestamptz not null default now(),
    constraint flow_limit_pk primary key (gate),
    constraint flow_limit_check check ("limit" between 0 and 1000000)
);

-- The limit of a gate: what was set, else what the definition says.
create function pawl.limit_of(p_gate text, p_base int) returns int
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_limit int;
begin
    select l."limit" into v_limit
      from pawl.flow_limit l
     where l.gate in (p_gate, substring(p_gate from '^[^/]*/[^/]*/[^/]*/'))
     order by length(l.gate) desc
     limit 1;
    return coalesce(v_limit, p_base);
end
$$;

create or replace function pawl.open_status_name(p_state smallint, p_due timestamptz) returns text
language sql stable parallel safe
return case when p_state = 1 then 'running'
            when p_state = 0 and p_due <= now() or p_state = 3 then 'queued'
            else 'waiting' end;

create or replace function pawl.live_state_name(p_state smallint) returns text
language sql immutable parallel safe
return (array['ready', 'leased', 'parked', 'queued'])[p_state + 1];

-- Passing the gates ---------------------------------------------------------------------------------------------------

-- Runs that this transaction has locked leave the hands of their worker, to wait at the gates given with them.
create function pawl.queue_at_gates(p_bucket smallint, p_run uuid[], p_gate text[]) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
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

-- Counts everybody in, whether there is room or not; one element of the arrays for each place. Returns the gates that
-- are too full now, or at which somebody waits, with the room that there was before. Gates that are there are locked
-- first, by name; then the others are made, by name. A plain insert costs half of one that minds conflicts, which are
-- rare: whoever meets one begins anew.
create function pawl.enter_gates(
    p_bucket smallint, p_gate text[], p_base int[], p_limit int[], out gate text[], out room int[]
)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off as $$
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
          select u.gate collate "C" as gate, max(u.base) as base, max(u."limit") as "limit", count(*)::int as count
            from unnest(p_gate, p_base, p_limit) as u (gate, base, "limit")
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
            -- Somebody else has made one of them meanwhile. Again, without the locks of this try.
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

-- Lets runs into all their gates, or has them wait at the first one that is full, behind those who wait there. They are
-- leased by this transaction, in the order of p_run. Returns those that wait.
create function pawl.take_slots(p_bucket smallint, p_run uuid[], p_flow jsonb[]) returns uuid[]
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off as $$
declare
    v_run uuid[];
    v_gate text[];
    v_base int[];
    v_limit int[];
    v_full text[];
    v_room int[];
    v_wanted record;
    v_place int;
    v_at int;
    v_waits uuid[] := '{}';
    v_waits_at text[] := '{}';
    v_stops uuid[];
begin
    select array_agg(s.run_id), array_agg(s.slot ->> 0), array_agg((s.slot -> 1)::int)
      into v_run, v_gate, v_base
      from (
          select u.run_id, jsonb_array_elements(u.flow -> 'slots') as slot
            from unnest(p_run, p_flow) as u (run_id, flow)
      ) as s;
    if v_run is null then
        return '{}';
    end if;
    v_limit := v_base;
    if exists (select 1 from pawl.flow_limit) then
        v_limit := array(
            select pawl.limit_of(u.gate, u.base) from unnest(v_gate, v_base) with ordinality as u (gate, base, n)
             order by u.n
        );
    end if;
    -- Everybody gets in first; nearly always that is all there is to do.
    select e.gate, e.room into v_full, v_room from pawl.enter_gates(p_bucket, v_gate, v_base, v_limit) e;
    if v_full is null then
        return '{}';
    end if;
    for v_wanted in
        select u.run_id, array_agg(u.gate) as gates
          from unnest(v_run, v_gate) with ordinality as u (run_id, gate, n)
         group by u.run_id
        having array_agg(u.gate) && v_full
         order by min(u.n)
    loop
        v_at := null;
        foreach v_place in array array(select array_position(v_full, g) from unnest(v_wanted.gates) as g) loop
            if v_place is not null and v_room[v_place] <= 0 then
                v_at := v_place;
                exit;
            end if;
        end loop;
        if v_at is not null then
            v_waits := v_waits || v_wanted.run_id;
            v_waits_at := v_waits_at || v_full[v_at];
        else
            foreach v_place in array array(select array_position(v_full, g) from unnest(v_wanted.gates) as g) loop
                if v_place is not null then
                    v_room[v_place] := v_room[v_place] - 1;
                end if;
            end loop;
        end if;
    end loop;
    if v_waits = '{}' then
        return v_waits;
    end if;
    update pawl.flow_gate g
       set held = g.held - w.count, waited = g.waited or w.waits,
           look = g.look or g.waited and g.held - w.count < g."limit"
      from (
          select u.gate, count(*)::int as count, u.gate = any (v_waits_at) as waits
            from unnest(v_run, v_gate) as u (run_id, gate)
           where u.run_id = any (v_waits)
           group by u.gate
      ) as w
     cross join lateral (
         select h.ctid as row_id from pawl.flow_gate h where h.bucket = p_bucket and h.gate = w.gate offset 0
     ) as x
     where g.ctid = x.row_id;
    delete from pawl.flow_gate g
     where g.ctid = any (array(
           select x.row_id
             from (select distinct u.gate from unnest(v_gate) as u (gate)) as w
            cross join lateral (
                select h.ctid as row_id
                  from pawl.flow_gate h
                 where h.bucket = p_bucket and h.gate = w.gate and h.held = 0 and not h.waited
                offset 0
            ) as x
       ));
    -- Who was asked to stop does not wait for a place to stop in.
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

-- Places are given back, one for each element of p_gate. A gate at which somebody may wait is marked.
create function pawl.leave_gates(p_bucket smallint, p_gate text[]) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off as $$
declare
    v_row tid[];
    v_count int[];
    v_gone int;
begin
    select array_agg(g.row_id), array_agg(w.count) into v_row, v_count
      from (
          select u.gate collate "C" as gate, count(*)::int as count
            from unnest(p_gate) as u (gate)
           group by u.gate collate "C"
           order by u.gate collate "C"
          offset 0
      ) as w
     cross join lateral (
         select h.ctid as row_id
           from pawl.flow_gate h
          where h.bucket = p_bucket and h.gate = w.gate
            for no key update
     ) as g;
    delete from pawl.flow_gate g
     using unnest(v_row, v_count) as u (row_id, count)
     where g.ctid = u.row_id and g.held <= u.count and not g.waited;
    get diagnostics v_gone = row_count;
    if v_gone < cardinality(v_row) then
        update pawl.flow_gate g
           set held = g.held - u.count, look = g.look or g.waited
          from unnest(v_row, v_count) as u (row_id, count)
         where g.ctid = u.row_id;
    end if;
end
$$;

-- Has runs wait for their turn where they would begin too soon after others. They are leased by this transaction.
-- Returns those that do not go on now: they are due later, or, where the definition says so, cancelled.
create function pawl.take_turns(p_bucket smallint, p_run uuid[], p_flow jsonb[]) returns uuid[]
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off as $$
declare
    v_run record;
    v_gate text;
    v_next timestamptz;
    v_step interval;
    v_spare interval;
    v_later uuid[] := '{}';
    v_later_at timestamptz[] := '{}';
    v_dropped uuid[] := '{}';
begin
    for v_run in
        select u.run_id, u.flow -> 'rate' ->> 0 as gate, u.flow -> 'rate' as rate
          from unnest(p_run, p_flow) with ordinality as u (run_id, flow, n)
         where u.flow ? 'rate'
         order by u.flow -> 'rate' ->> 0, u.n
    loop
        if v_gate is distinct from v_run.gate then
            update pawl.flow_rate r set next_at = v_next where r.bucket = p_bucket and r.gate = v_gate;
            v_gate := v_run.gate;
            insert into pawl.flow_rate (bucket, gate, next_at) values (p_bucket, v_gate, now()) on conflict do nothing;
            select r.next_at into v_next
              from pawl.flow_rate r
             where r.bucket = p_bucket and r.gate = v_gate
               for no key update;
            v_next := greatest(v_next, now());
            v_step := (v_run.rate ->> 2)::bigint * interval '1 microsecond'
                / greatest(pawl.limit_of(v_gate, (v_run.rate ->> 1)::int), 1);
            v_spare := ((v_run.rate ->> 3)::int - 1) * v_step;
        end if;
        if v_next - v_spare > now() then
            if (v_run.rate ->> 4)::boolean then
                v_dropped := v_dropped || v_run.run_id;
                continue;
            end if;
            v_later := v_later || v_run.run_id;
            v_later_at := v_later_at || (v_next - v_spare);
        end if;
        v_next := v_next + v_step;
    end loop;
    if v_gate is null then
        return '{}';
    end if;
    update pawl.flow_rate r set next_at = v_next where r.bucket = p_bucket and r.gate = v_gate;
    -- A gate whose time is over says nothing any more.
    delete from pawl.flow_rate r
     where r.ctid = any (array(
           select o.ctid from pawl.flow_rate o
            where o.next_at < now() - interval '1 minute'
            order by o.next_at
            limit 20
              for update skip locked
       ));
    update pawl.live_run l
       set state = 0, worker = null, flow = l.flow - 'rate', due_at = u.due,
           slot = case when l.flow ? 'slots' then 2 end
      from unnest(v_later, v_later_at) as u (run_id, due)
     cross join lateral (
         select h.ctid as row_id from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
     ) as x
     where l.ctid = x.row_id;
    if v_dropped <> '{}' then
        insert into pawl.signal (bucket, run_id, kind, data)
        select p_bucket, u.run_id, 'cancel',
               jsonb_build_object('reason', 'dropped: over the rate limit of its workflow')
          from unnest(v_dropped) as u (run_id);
        update pawl.live_run l
           set state = 0, worker = null, slot = 3
          from unnest(v_dropped) as u (run_id)
         cross join lateral (
             select h.ctid as row_id from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
         ) as x
         where l.ctid = x.row_id;
    end if;
    return v_later || v_dropped;
end
$$;

-- Runs that were just leased, and their tickets. Returns those that do not go on now.
create function pawl.pass_gates(p_bucket smallint, p_run uuid[], p_flow jsonb[]) returns uuid[]
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off as $$
declare
    v_back uuid[] := '{}';
begin
    if exists (select 1 from unnest(p_flow) as u (flow) where u.flow ?| array['gather', 'rate']) then
        -- What comes from now on begins another group.
        delete from pawl.flow_group g
         using unnest(p_run, p_flow) as u (run_id, flow)
         where g.bucket = p_bucket and g.gate = u.flow -> 'gather' ->> 0 and g.run_id = u.run_id;
        v_back := pawl.take_turns(p_bucket, p_run, p_flow);
        if v_back <> '{}' then
            select array_agg(u.run_id order by u.n), array_agg(u.flow order by u.n) into p_run, p_flow
              from unnest(p_run, p_flow) with ordinality as u (run_id, flow, n)
             where u.run_id <> all (v_back);
        end if;
    end if;
    return v_back || pawl.take_slots(p_bucket, p_run, p_flow);
end
$$;

-- Lets in who waits at gates that got room, up to p_limit, and leases them to p_worker. Waits for nobody: what is
-- locked stays marked for the next one who looks.
create function pawl.admit_waiting(p_bucket smallint, p_worker uuid, p_limit int) returns uuid[]
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
    c_gates constant int := 50;
    v_marked text[];
    v_name text;
    v_gate record;
    v_wait record;
    v_run record;
    v_others text[];
    v_other text;
    v_state record;
    v_full text;
    v_skipped boolean;
    v_waited boolean;
    v_admitted uuid[];
    v_run_row tid[];
    v_wait_row tid[];
    v_ids uuid[] := '{}';
begin
    v_marked := array(
        select g.gate
          from pawl.flow_gate g
         where g.bucket + 0 = p_bucket and g.look
         order by g.gate
         limit c_gates
           for no key update skip locked
    );
    foreach v_name in array v_marked loop
        exit when cardinality(v_ids) >= p_limit;
        -- Read now: those that were let in at the gates before may have passed this one too.
        select g.gate, g."limit", g.held into v_gate
          from pawl.flow_gate g
         where g.bucket = p_bucket and g.gate = v_name;
        continue when not found;
        v_skipped := false;
        v_run_row := '{}';
        v_wait_row := '{}';
        for v_wait in
            select w.ctid as row_id, w.run_id
              from pawl.flow_wait w
             where w.bucket + 0 = p_bucket and w.gate = v_gate.gate
             order by w.rank, w.run_id
             limit greatest(least(v_gate."limit" - v_gate.held, p_limit - cardinality(v_ids)), 0)
               for update skip locked
        loop
            select l.ctid as row_id, l.flow -> 'slots' as slots into v_run
              from pawl.live_run l
             where l.bucket = p_bucket and l.run_id = v_wait.run_id and l.state = 3
               for no key update skip locked;
            if not found then
                v_skipped := true;
                continue;
            end if;
            v_full := null;
            v_others := '{}';
            if jsonb_array_length(v_run.slots) > 1 then
                for v_other in
                    select s.slot ->> 0 from jsonb_array_elements(v_run.slots) as s (slot)
                     where s.slot ->> 0 <> v_gate.gate
                     order by 1
                loop
                    insert into pawl.flow_gate (bucket, gate, base, "limit", held)
                    select p_bucket, v_other, (s.slot ->> 1)::int, pawl.limit_of(v_other, (s.slot ->> 1)::int), 0
                      from jsonb_array_elements(v_run.slots) as s (slot)
                     where s.slot ->> 0 = v_other
                       and not exists (select 1 from pawl.flow_gate g where g.bucket = p_bucket and g.gate = v_other)
                        on conflict do nothing;
                    select g.held, g."limit" into v_state
                      from pawl.flow_gate g
                     where g.bucket = p_bucket and g.gate = v_other
                       for no key update skip locked;
                    if not found then
                        v_skipped := true;
                        v_full := '';
                    elsif v_state.held >= v_state."limit" then
                        v_full := v_other;
                    end if;
                    exit when v_full is not null;
                    v_others := v_others || v_other;
                end loop;
            end if;
            if v_full <> '' then
                update pawl.flow_wait w set gate = v_full where w.ctid = v_wait.row_id;
                update pawl.flow_gate g set waited = true where g.bucket = p_bucket and g.gate = v_full;
            end if;
            continue when v_full is not null;
            update pawl.flow_gate g set held = g.held + 1 where g.bucket = p_bucket and g.gate = any (v_others);
            v_run_row := v_run_row || v_run.row_id;
            v_wait_row := v_wait_row || v_wait.row_id;
        end loop;
        delete from pawl.flow_wait w where w.ctid = any (v_wait_row);
        with admitted as (
            update pawl.live_run l
               set state = 1, worker = p_worker, slot = 1
             where l.ctid = any (v_run_row)
            returning l.run_id
        )
        select coalesce(array_agg(a.run_id), '{}') into v_admitted from admitted a;
        v_ids := v_ids || v_admitted;
        v_waited := exists (
            select 1 from pawl.flow_wait w where w.bucket + 0 = p_bucket and w.gate = v_gate.gate
        );
        update pawl.flow_gate g
           set held = g.held + cardinality(v_admitted), waited = v_waited,
               look = v_waited and (v_skipped or g.held + cardinality(v_admitted) < g."limit")
         where g.bucket = p_bucket and g.gate = v_gate.gate;
        delete from pawl.flow_gate g
         where g.bucket = p_bucket and g.gate = v_gate.gate and g.held = 0 and not v_waited;
    end loop;
    return v_ids;
end
$$;

-- Claiming ------------------------------------------------------------------------------------------------------------

drop function pawl.take_pressing(smallint, uuid, int);
-- Takes up to p_limit due runs, by the time at which they became due and a minute a level of priority. One index range
-- per priority: a million runs that sleep until tomorrow are never walked over. With several priorities a quarter of
-- the claim at a time comes from the one whose first run is the most pressing. `tickets` are those among
-- them that have gates to pass. For claim_runs, which has the planner settings.
create function pawl.take_pressing(
    p_bucket smallint, p_worker uuid, p_limit int, out ids uuid[], out tickets uuid[], out flows jsonb[]
)
language plpgsql set search_path = pg_catalog set enable_sort = off as $$
declare
    c_level constant interval := interval '1 minute';
    v_priority smallint;
    v_due timestamptz;
    v_level smallint[] := '{}';
    v_head timestamptz[] := '{}';
    v_best int := 1;
    v_ask int;
    v_taken uuid[];
    v_tickets uuid[];
    v_flows jsonb[];
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
        -- Materialized: a plain sub-select may be evaluated again and lock more rows than the limit.
        with due as materialized (
            select l.ctid as row_id, l.run_id, l.slot, l.flow
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
               set state = 1, worker = p_worker, slot = case when l.slot in (2, 4) then 1 else l.slot end
             where l.ctid = any (array(select due.row_id from due))
            returning l.run_id, l.due_at
        )
        select array_agg(t.run_id), max(t.due_at), (select array_agg(due.run_id) from due where due.slot in (2, 4)),
               (select array_agg(due.flow) from due where due.slot in (2, 4))
          into v_taken, v_due, v_tickets, v_flows
          from taken t;
        ids := ids || coalesce(v_taken, '{}');
        tickets := tickets || coalesce(v_tickets, '{}');
        flows := flows || coalesce(v_flows, '{}');
        if coalesce(cardinality(v_taken), 0) < v_ask then
            v_level := v_level[:v_best - 1] || v_level[v_best + 1:];
            v_head := v_head[:v_best - 1] || v_head[v_best + 1:];
            v_best := 1;
        else
            v_head[v_best] := v_due + v_level[v_best] * c_level;
        end if;
    end loop;
end
$$;

drop function pawl.take_in_turn(smallint, uuid, int, int, int, int);
-- Takes up to p_limit due runs from tenants in turn, each one's oldest first. Looks at a bounded number of tenants,
-- from another place each turn. For claim_runs.
create function pawl.take_in_turn(
    p_bucket smallint, p_worker uuid, p_limit int, p_turn int, p_first int, p_last int, out ids uuid[],
    out tickets uuid[], out flows jsonb[]
)
language plpgsql set search_path = pg_catalog set enable_sort = off as $$
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

-- Takes up to p_limit due runs: pressing ones, and when there is more due, half of them from tenants in turn. For
-- claim_runs.
create function pawl.take_due(
    p_bucket smallint, p_worker uuid, p_limit int, p_turn int, out ids uuid[], out tickets uuid[],
    out flows jsonb[]
)
language plpgsql set search_path = pg_catalog set enable_sort = off as $$
declare
    v_first int;
    v_last int;
    v_pressing int := p_limit;
    v_more record;
begin
    select l.tenant into v_first
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 0
     order by l.bucket, l.tenant, l.due_at
     limit 1;
    if not found then
        ids := '{}';
        tickets := '{}';
        flows := '{}';
        return;
    end if;
    select l.tenant into v_last
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 0
     order by l.bucket desc, l.tenant desc, l.due_at desc
     limit 1;
    if v_first <> v_last then
        v_pressing := (p_limit + 1 - (p_turn & 1)) / 2;
    end if;
    select t.ids, t.tickets, t.flows into ids, tickets, flows
      from pawl.take_pressing(p_bucket, p_worker, v_pressing) t;
    if v_pressing = p_limit or cardinality(ids) < v_pressing then
        return;
    end if;
    select t.ids, t.tickets, t.flows into v_more
      from pawl.take_in_turn(p_bucket, p_worker, p_limit - v_pressing, p_turn & 2147483647, v_first, v_last) t;
    ids := ids || v_more.ids;
    tickets := tickets || v_more.tickets;
    flows := flows || v_more.flows;
    if cardinality(ids) < p_limit then
        select t.ids, t.tickets, t.flows into v_more
          from pawl.take_pressing(p_bucket, p_worker, p_limit - cardinality(ids)) t;
        ids := ids || v_more.ids;
        tickets := tickets || v_more.tickets;
        flows := flows || v_more.flows;
    end if;
end
$$;

-- How many runs of a priority are due, up to p_limit. Without sorts, so that no other index will do.
create function pawl.count_due(p_bucket smallint, p_priority smallint, p_limit int) returns bigint
language plpgsql stable
set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
begin
    return (
        select count(*)
          from (
              select 1
                from pawl.live_run l
               where l.bucket = p_bucket and l.state = 0 and l.priority = p_priority and l.due_at <= now()
               order by l.due_at, l.run_id
               limit p_limit
          ) as due
    );
end
$$;

-- Leases up to p_limit due runs to a worker (see take_due), and those who waited at a gate
-- that got room, and returns their logs, and after them the signals that
-- wait for them or came for others that it holds (rows with a signal's id; the kind stands in node). p_turn is
-- another number with each claim.
create or replace function pawl.claim_runs(p_bucket smallint, p_worker uuid, p_limit int, p_turn int default 0)
returns table (
    run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz,
    token int, signal bigint
)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    c_rounds constant int := 10;
    v_taken record;
    v_back uuid[];
    v_kept int := 0;
    v_ids uuid[] := '{}';
begin
    perform pawl.assert_worker(p_worker);
    -- Half of the claim is kept for those who wait at a gate. They come last: letting them in holds locks, and nothing
    -- is waited for after that.
    if exists (select 1 from pawl.flow_gate g where g.look) then
        v_kept := least(greatest(p_limit / 2, 1), p_limit);
    end if;
    for round in 1 .. c_rounds loop
        select t.ids, t.tickets, t.flows into v_taken
          from pawl.take_due(
              p_bucket, p_worker, p_limit - v_kept - cardinality(v_ids), (p_turn & 1073741823) + round - 1
          ) t;
        v_ids := v_ids || v_taken.ids;
        exit when v_taken.tickets = '{}';
        v_back := pawl.pass_gates(p_bucket, v_taken.tickets, v_taken.flows);
        exit when v_back = '{}';
        v_ids := array(select u.run_id from unnest(v_ids) as u (run_id) where u.run_id <> all (v_back));
    end loop;
    if cardinality(v_ids) < p_limit and exists (select 1 from pawl.flow_gate g where g.look) then
        v_ids := v_ids || pawl.admit_waiting(p_bucket, p_worker, p_limit - cardinality(v_ids));
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
