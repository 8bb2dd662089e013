-- Lets in who waits at gates that got room, up to p_limit, and leases them to p_worker. Waits for nobody: what is
-- locked stays marked for the next one who looks.
create or replace function pawl.admit_waiting(p_bucket smallint, p_worker uuid, p_limit int) returns uuid[]
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
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
