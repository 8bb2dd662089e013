-- Limits cost less. Runs with equal tickets are counted together before anything is taken out of the tickets, and only
-- who gives back a place that somebody waits for says so.
-- breaking: no

set local lock_timeout = '5s';

-- Lets p_count runs in at each gate, whether there is room or not. Returns those gates at which there is too little,
-- with how many places were free before; none where others wait already.
drop function pawl.enter_gates(smallint, text[], int[], int[]);
create function pawl.enter_gates(
    p_bucket smallint, p_gate text[], p_base int[], p_limit int[], p_count int[], out gate text[], out room int[]
)
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
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

-- The places of runs that were just leased. Returns those that found a gate full: they wait there now. p_ticket are
-- the different tickets among p_flow, p_count how many runs have each.
drop function pawl.take_slots(smallint, uuid[], jsonb[]);
create function pawl.take_slots(p_bucket smallint, p_run uuid[], p_flow jsonb[], p_ticket jsonb[], p_count int[])
returns uuid[]
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
set enable_material = off as $$
declare
    v_run uuid[];
    v_gate text[];
    v_base int[];
    v_count int[];
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
    -- Everybody gets in first; nearly always that is all there is to do.
    select e.gate, e.room into v_full, v_room from pawl.enter_gates(p_bucket, v_gate, v_base, v_limit, v_count) e;
    if v_full is null then
        return '{}';
    end if;
    select array_agg(s.run_id), array_agg(s.slot ->> 0) into v_run, v_gate
      from (
          select u.run_id, jsonb_array_elements(u.flow -> 'slots') as slot
            from unnest(p_run, p_flow) as u (run_id, flow)
      ) as s;
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

-- Whoever of the runs that were just leased has to wait is returned. The different tickets and how many have each may
-- be given, as they may in what it calls.
drop function pawl.pass_gates(smallint, uuid[], jsonb[]);
create function pawl.pass_gates(
    p_bucket smallint, p_run uuid[], p_flow jsonb[], p_ticket jsonb[] default null, p_count int[] default null
) returns uuid[]
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
set enable_material = off as $$
declare
    v_back uuid[] := '{}';
begin
    if p_ticket is null then
        select array_agg(w.flow), array_agg(w.count) into p_ticket, p_count
          from (select u.flow, count(*)::int as count from unnest(p_flow) as u (flow) group by u.flow) as w;
    end if;
    if exists (select 1 from unnest(p_ticket) as u (flow) where u.flow ?| array['gather', 'rate']) then
        -- What comes from now on begins another group.
        delete from pawl.flow_group g
         using unnest(p_run, p_flow) as u (run_id, flow)
         where g.bucket = p_bucket and g.gate = u.flow -> 'gather' ->> 0 and g.run_id = u.run_id;
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

-- Gives p_count places of each gate back. Where somebody waits for one of them, the transaction learns it by the
-- setting pawl.made_room.
drop function pawl.leave_gates(smallint, text[]);
create function pawl.leave_gates(p_bucket smallint, p_gate text[], p_count int[]) returns void
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
set enable_material = off as $$
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

create or replace function pawl.commit_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean, p_run uuid[], p_seq int[], p_type smallint[],
    p_attempt smallint[], p_node text[], p_data jsonb[], p_error jsonb[], p_token int[], p_park_run uuid[],
    p_park_due timestamptz[], p_close_run uuid[], p_close_started timestamptz[], p_close_tenant int[],
    p_close_workflow int[], p_close_version int[], p_close_status smallint[], p_close_subject text[],
    p_close_output jsonb[], p_close_error jsonb[], p_close_node text[], p_signal bigint[], p_signal_run uuid[]
) returns timestamptz
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
set enable_material = off as $$
declare
    v_left jsonb[];
    v_row tid[];
    v_due timestamptz[];
    v_freed jsonb[];
    v_count int[];
begin
    perform pawl.assert_worker(p_worker);
    if p_resend then
        insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
        select u.run_id, now(), u.seq, p_bucket, u.type, u.attempt, u.node, u.data, u.error, u.token
          from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error, p_token)
               as u (run_id, seq, type, attempt, node, data, error, token)
            on conflict do nothing;
    else
        insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
        select u.run_id, now(), u.seq, p_bucket, u.type, u.attempt, u.node, u.data, u.error, u.token
          from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error, p_token)
               as u (run_id, seq, type, attempt, node, data, error, token);
    end if;
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox(p_bucket, p_run, p_seq, p_type, p_data);
    end if;
    if cardinality(p_close_run) > 0 then
        -- Nobody but the holder moves a leased row, so its place is known (see claim_runs).
        -- Who holds a place holds it at a gate: without gates there is nothing to give back.
        if exists (select 1 from pawl.flow_gate g) then
            select array_agg(x.row_id), array_agg(x.flow) filter (where x.slot = 1) into v_row, v_left
              from unnest(p_close_run) as u (run_id)
             cross join lateral (
                 select h.ctid as row_id, h.flow, h.slot
                   from pawl.live_run h
                  where h.bucket = p_bucket and h.run_id = u.run_id
                 offset 0
             ) as x;
            if v_left is not null then
                select array_agg(w.flow), array_agg(w.count) into v_left, v_count
                  from (select u.flow, count(*)::int as count from unnest(v_left) as u (flow) group by u.flow) as w;
            end if;
        else
            v_row := array(
                select x.row_id
                  from unnest(p_close_run) as u (run_id)
                 cross join lateral (
                     select h.ctid as row_id
                       from pawl.live_run h
                      where h.bucket = p_bucket and h.run_id = u.run_id
                     offset 0
                 ) as x
            );
        end if;
        delete from pawl.live_run l where l.ctid = any (v_row);
        if p_resend then
            insert into pawl.run
                (run_id, started_at, closed_at, tenant, workflow, version, bucket, status, subject, output, error)
            select u.run_id, u.started_at, now(), u.tenant, u.workflow, u.version, p_bucket, u.status, u.subject,
                   u.output, u.error
              from unnest(p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version,
                          p_close_status, p_close_subject, p_close_output, p_close_error)
                   as u (run_id, started_at, tenant, workflow, version, status, subject, output, error)
                on conflict do nothing;
        else
            -- To be ready for a conflict costs a look into the index and a record of the log for every row.
            insert into pawl.run
                (run_id, started_at, closed_at, tenant, workflow, version, bucket, status, subject, output, error)
            select u.run_id, u.started_at, now(), u.tenant, u.workflow, u.version, p_bucket, u.status, u.subject,
                   u.output, u.error
              from unnest(p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version,
                          p_close_status, p_close_subject, p_close_output, p_close_error)
                   as u (run_id, started_at, tenant, workflow, version, status, subject, output, error);
        end if;
        if 2 = any (p_close_status) then
            insert into pawl.dead_letter (bucket, run_id, tenant, workflow, version, node, error, fingerprint)
            select p_bucket, u.run_id, u.tenant, u.workflow, u.version, u.node, coalesce(u.error, 'null'),
                   pawl.error_fingerprint(u.workflow, u.node, u.error)
              from unnest(p_close_run, p_close_tenant, p_close_workflow, p_close_version, p_close_status, p_close_node,
                          p_close_error)
                   as u (run_id, tenant, workflow, version, status, node, error)
             where u.status = 2
                on conflict do nothing;
        end if;
    end if;
    if cardinality(p_signal) > 0 then
        delete from pawl.signal s
         where s.ctid = any (array(
               select x.row_id
                 from unnest(p_signal, p_signal_run) as u (id, run_id)
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.signal h
                     where h.bucket = p_bucket and h.run_id = u.run_id and h.id = u.id
                    offset 0
                ) as x
           ));
    end if;
    if cardinality(p_park_run) > 0 then
        -- Some give their places back while they wait.
        select array_agg(x.row_id), array_agg(u.due),
               array_agg(x.flow) filter (where x.slot = 1 and x.flow ? 'free' and (u.due is null or u.due > now()))
          into v_row, v_due, v_freed
          from unnest(p_park_run, p_park_due) as u (run_id, due)
         cross join lateral (
             select h.ctid as row_id, h.flow, h.slot
               from pawl.live_run h
              where h.bucket = p_bucket and h.run_id = u.run_id and h.worker = p_worker
             offset 0
         ) as x;
        update pawl.live_run l
           set state = case when u.due is null then 2 else 0 end, worker = null, due_at = coalesce(u.due, l.due_at),
               slot = case when l.slot = 1 and l.flow ? 'free' and (u.due is null or u.due > now()) then 2
                           else l.slot end,
               flow = case when l.slot = 1 and l.flow ? 'free' and (u.due is null or u.due > now())
                           then l.flow - 'rate' - 'gather' else l.flow end
          from unnest(v_row, v_due) as u (row_id, due)
         where l.ctid = u.row_id;
        v_left := v_left || v_freed;
        v_count := v_count || array_fill(1, array[coalesce(cardinality(v_freed), 0)]);
    end if;
    -- A signal may have come for a run while its holder was parking or closing it: the sender saw a leased run and only
    -- left the message. The row lock orders the two, so the message is visible here or there.
    if exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        update pawl.live_run l
           set state = 0, due_at = least(l.due_at, now())
         where l.ctid = any (array(
               select x.row_id
                 from unnest(p_park_run) as u (run_id)
                cross join lateral (
                    select 1 from pawl.signal s where s.bucket = p_bucket and s.run_id = u.run_id limit 1
                ) as waiting
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.live_run h
                     where h.bucket = p_bucket and h.run_id = u.run_id and h.state in (0, 2)
                    offset 0
                ) as x
           ));
        delete from pawl.signal s
         where s.ctid = any (array(
               select x.row_id
                 from unnest(p_close_run) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id from pawl.signal h
                     where h.bucket = p_bucket and h.run_id = u.run_id
                    offset 0
                ) as x
           ));
    end if;
    if v_left is not null then
        perform pawl.leave_gates(p_bucket, array_agg(s.slot ->> 0), array_agg(s.count))
           from (
               select jsonb_array_elements(u.flow -> 'slots') as slot, u.count
                 from unnest(v_left, v_count) as u (flow, count)
           ) as s
         having count(*) > 0;
    end if;
    return now();
end
$$;

create or replace function pawl.start_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean, p_run uuid[], p_tenant int[], p_workflow int[],
    p_version int[], p_subject text[], p_priority smallint[], p_due timestamptz[], p_data jsonb[],
    p_correlation text[], p_lease boolean[], p_flow jsonb[] default null
) returns table (requested uuid, existing uuid)
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off as $$
declare
    v_skip uuid[] := '{}';
    v_tickets uuid[];
    v_joined record;
    v_ticket jsonb[];
    v_count int[];
    v_gathers boolean;
    v_all boolean;
begin
    if p_worker is not null then
        perform pawl.assert_worker(p_worker);
    end if;
    if p_flow is null then
        select t.flow, t.data into p_flow, p_data
          from pawl.tickets_for(p_workflow, p_version, p_tenant, p_subject, p_data) t;
    end if;
    if cardinality(p_flow) > 0 then
        select array_agg(w.flow), array_agg(w.count), bool_or(w.flow ? 'gather') into v_ticket, v_count, v_gathers
          from (select u.flow, count(*)::int as count from unnest(p_flow) as u (flow) group by u.flow) as w;
    end if;
    if v_gathers then
        for v_joined in
            select *
              from pawl.gather_starts(
                  p_bucket, p_resend, p_run, p_tenant, p_workflow, p_data, p_correlation, p_flow
              )
        loop
            if v_joined.requested = v_joined.existing then
                p_due[v_joined.place] := v_joined.due;
            else
                v_skip := v_skip || v_joined.requested;
            end if;
            if p_lease[v_joined.place] or v_joined.requested <> v_joined.existing then
                requested := v_joined.requested;
                existing := v_joined.existing;
                return next;
            end if;
            p_lease[v_joined.place] := false;
        end loop;
    end if;
    if p_correlation is not null then
        -- Ordered, so that two batches with the same keys wait for each other instead of deadlocking.
        insert into pawl.correlation (bucket, tenant, workflow, key, run_id)
        select p_bucket, u.tenant, u.workflow, u.key, u.run_id
          from unnest(p_run, p_tenant, p_workflow, p_correlation) as u (run_id, tenant, workflow, key)
         where u.key is not null and u.run_id <> all (v_skip)
         order by u.tenant, u.workflow, u.key, u.run_id
            on conflict do nothing;
        for requested, existing in
            select u.run_id, holder.run_id
              from unnest(p_run, p_tenant, p_workflow, p_correlation) as u (run_id, tenant, workflow, key)
             cross join lateral (
                 -- A join may be planned as a scan of the bucket, when the table was empty then.
                 select c.run_id
                   from pawl.correlation c
                  where c.bucket = p_bucket and c.tenant = u.tenant and c.workflow = u.workflow and c.key = u.key
                 offset 0
             ) as holder
             where u.key is not null and holder.run_id <> u.run_id and u.run_id <> all (v_skip)
        loop
            v_skip := v_skip || requested;
            return next;
        end loop;
    end if;
    if p_resend or cardinality(v_skip) > 0 then
        with started as (
            insert into pawl.event (run_id, at, seq, bucket, type, data)
            select u.run_id, now(), 0, p_bucket, 0,
                   case when u.priority = 0 then u.data else u.data || jsonb_build_object('priority', u.priority) end
              from unnest(p_run, p_data, p_priority) as u (run_id, data, priority)
             where u.run_id <> all (v_skip)
                on conflict do nothing
            returning run_id
        ), live as (
            insert into pawl.live_run
                (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
            select u.run_id, case when u.lease then p_worker end, coalesce(u.due, now()), u.tenant, u.workflow,
                   u.version, p_bucket, case when u.lease then 1 else 0 end, u.priority, u.subject, u.flow,
                   case when u.flow is null then null when v_gathers and u.flow ? 'gather' then 4
                        when u.lease then 1 else 2 end
              from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_lease, p_flow)
                   as u (run_id, tenant, workflow, version, subject, priority, due, lease, flow)
             where u.run_id = any (array(select s.run_id from started s))
            returning run_id, slot
        )
        select array_agg(l.run_id order by array_position(p_run, l.run_id)) into v_tickets from live l where l.slot = 1;
    else
        insert into pawl.event (run_id, at, seq, bucket, type, data)
        select u.run_id, now(), 0, p_bucket, 0,
               case when u.priority = 0 then u.data else u.data || jsonb_build_object('priority', u.priority) end
          from unnest(p_run, p_data, p_priority) as u (run_id, data, priority);
        insert into pawl.live_run
            (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
        select u.run_id, case when u.lease then p_worker end, coalesce(u.due, now()), u.tenant, u.workflow, u.version,
               p_bucket, case when u.lease then 1 else 0 end, u.priority, u.subject, u.flow,
               case when u.flow is null then null when v_gathers and u.flow ? 'gather' then 4
                    when u.lease then 1 else 2 end
          from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_lease, p_flow)
               as u (run_id, tenant, workflow, version, subject, priority, due, lease, flow);
    end if;
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox_starts(p_bucket, p_run);
    end if;
    if cardinality(p_flow) = 0 or p_worker is null then
        return;
    end if;
    -- Nearly always all of them: then nothing has to be picked out.
    v_all := not coalesce(v_gathers, false) and not p_resend and cardinality(v_skip) = 0 and not false = any (p_lease)
             and array_position(p_flow, null) is null;
    if v_all then
        v_tickets := p_run;
    elsif not p_resend and cardinality(v_skip) = 0 then
        v_tickets := array(
            select u.run_id from unnest(p_run, p_flow, p_lease) with ordinality as u (run_id, flow, lease, n)
             where u.flow is not null and u.lease
             order by u.n
        );
    end if;
    if cardinality(v_tickets) > 0 then
        for requested in
            select b.run_id
              from unnest(
                  case when v_all then pawl.pass_gates(p_bucket, p_run, p_flow, v_ticket, v_count)
                       else pawl.pass_gates(
                           p_bucket, v_tickets,
                           array(
                               select p_flow[array_position(p_run, t.run_id)]
                                 from unnest(v_tickets) with ordinality as t (run_id, n)
                                order by t.n
                           )
                       ) end
              ) as b (run_id)
        loop
            existing := requested;
            return next;
        end loop;
    end if;
    if p_resend then
        -- What became of those that the lost first try has started: the caller may go on with what it holds only.
        for requested in
            select u.run_id
              from unnest(p_run, p_flow, p_lease) as u (run_id, flow, lease)
             where u.flow is not null and u.lease and u.run_id <> all (v_skip || coalesce(v_tickets, '{}'))
               and not exists (
                       select 1 from pawl.live_run l
                        where l.bucket = p_bucket and l.run_id = u.run_id and l.worker = p_worker
                   )
        loop
            existing := requested;
            return next;
        end loop;
    end if;
end
$$;
