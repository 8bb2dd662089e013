-- The gates with room of some tenants, locked, those of a tenant together. Begins with another tenant each time, and
-- with another gate of one that has more than are looked at. The name of a gate begins with its tenant: 17/...
create or replace function pawl.gates_with_room(p_bucket smallint, p_without int[], out gates text[], out tenants int)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    c_gates constant int := 50;
    c_tenants constant int := 16;
    v_from text collate "C" := (100 + floor(random() * 900))::int::text;
    v_after text collate "C" := v_from;
    v_wrapped boolean := false;
    v_name text collate "C";
    v_tenant text;
    v_tenants text[] := '{}';
    v_share int;
begin
    gates := '{}';
    for place in 0 .. c_tenants + cardinality(p_without) loop
        exit when cardinality(v_tenants) = c_tenants;
        select g.gate into v_name
          from pawl.flow_gate g
         where g.bucket + 0 = p_bucket and g.look and g.gate > v_after
         order by g.gate
         limit 1;
        if not found then
            exit when v_wrapped;
            v_wrapped := true;
            v_after := '';
            continue;
        end if;
        exit when v_wrapped and v_name > v_from;
        v_tenant := split_part(v_name, '/', 1);
        v_after := v_tenant || '0';
        if v_tenant::int <> all (p_without) then
            v_tenants := v_tenants || v_tenant;
        end if;
    end loop;
    tenants := cardinality(v_tenants);
    v_share := greatest(c_gates / greatest(tenants, 1), 1);
    foreach v_tenant in array v_tenants loop
        gates := gates || pawl.gates_of_tenant(p_bucket, v_tenant, v_share);
    end loop;
end
$$;

-- Up to p_share gates with room of one tenant, locked; locked ones are skipped. Begins with another one each time where
-- the tenant has more. Called by gates_with_room, with its settings.
create or replace function pawl.gates_of_tenant(p_bucket smallint, p_tenant text, p_share int) returns text[]
language plpgsql set search_path = pg_catalog as $$
declare
    c_counted constant int := 1000;
    v_begin int := 0;
    v_after text collate "C";
    v_gates text[];
begin
    if exists (
        select 1 from pawl.flow_gate g
         where g.bucket + 0 = p_bucket and g.look and g.gate > p_tenant || '/' and g.gate < p_tenant || '0'
        offset p_share
    ) then
        select floor(random() * count(*)) into v_begin
          from (
              select 1 from pawl.flow_gate g
               where g.bucket + 0 = p_bucket and g.look and g.gate > p_tenant || '/' and g.gate < p_tenant || '0'
               limit c_counted
          ) as c;
    end if;
    v_after := p_tenant || '/';
    if v_begin > 0 then
        select g.gate into v_after
          from pawl.flow_gate g
         where g.bucket + 0 = p_bucket and g.look and g.gate > p_tenant || '/' and g.gate < p_tenant || '0'
         order by g.gate
        offset v_begin - 1
         limit 1;
    end if;
    v_gates := array(
        select g.gate
          from pawl.flow_gate g
         where g.bucket + 0 = p_bucket and g.look and g.gate > v_after and g.gate < p_tenant || '0'
         order by g.gate
         limit p_share
           for no key update skip locked
    );
    if v_begin > 0 then
        v_gates := v_gates || array(
            select g.gate
              from pawl.flow_gate g
             where g.bucket + 0 = p_bucket and g.look and g.gate > p_tenant || '/' and g.gate <= v_after
             order by g.gate
             limit greatest(p_share - v_begin, 0)
               for no key update skip locked
        );
    end if;
    return v_gates;
end
$$;

-- Lets in runs that wait at one gate, up to p_limit, and leases them to p_worker. The gate is locked. Waits for no
-- lock: what another transaction holds stays marked for the next claim.
create or replace function pawl.admit_at(p_bucket smallint, p_worker uuid, p_gate text, p_limit int) returns uuid[]
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_gate record;
    v_wait record;
    v_run record;
    v_others text[];
    v_full text;
    v_skipped boolean := false;
    v_admitted uuid[];
    v_run_row tid[] := '{}';
    v_wait_row tid[] := '{}';
begin
    -- Read now: those that were let in at the gates before may have passed this one too.
    select g.gate, g."limit", g.held into v_gate
      from pawl.flow_gate g
     where g.bucket = p_bucket and g.gate = p_gate;
    if not found then
        return '{}';
    end if;
    for v_wait in
        select w.ctid as row_id, w.run_id
          from pawl.flow_wait w
         where w.bucket + 0 = p_bucket and w.gate = v_gate.gate
         order by w.rank, w.run_id
         limit greatest(least(v_gate."limit" - v_gate.held, p_limit), 0)
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
            select o.others, o.full_gate into v_others, v_full
              from pawl.room_at_others(p_bucket, p_gate, v_run.slots) o;
            v_skipped := v_skipped or v_full is not distinct from '';
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
    perform pawl.settle_gate(p_bucket, p_gate, cardinality(v_admitted), v_skipped);
    return v_admitted;
end
$$;

-- Whether a run that waits at p_gate finds room at its other gates (p_slots), which are locked by name and made where
-- they are not there. `others`: their names. `full_gate`: the first one without room, empty when another transaction
-- holds it; null when all have room. Called by admit_at, with its settings.
create or replace function pawl.room_at_others(
    p_bucket smallint, p_gate text, p_slots jsonb, out others text[], out full_gate text
)
language plpgsql set search_path = pg_catalog as $$
declare
    v_other text;
    v_state record;
begin
    others := '{}';
    for v_other in
        select s.slot ->> 0 from jsonb_array_elements(p_slots) as s (slot)
         where s.slot ->> 0 <> p_gate
         order by 1
    loop
        insert into pawl.flow_gate (bucket, gate, base, "limit", held)
        select p_bucket, v_other, (s.slot ->> 1)::int, pawl.limit_of(v_other, (s.slot ->> 1)::int), 0
          from jsonb_array_elements(p_slots) as s (slot)
         where s.slot ->> 0 = v_other
           and not exists (select 1 from pawl.flow_gate g where g.bucket = p_bucket and g.gate = v_other)
            on conflict do nothing;
        select g.held, g."limit" into v_state
          from pawl.flow_gate g
         where g.bucket = p_bucket and g.gate = v_other
           for no key update skip locked;
        if not found then
            full_gate := '';
        elsif v_state.held >= v_state."limit" then
            full_gate := v_other;
        end if;
        exit when full_gate is not null;
        others := others || v_other;
    end loop;
end
$$;

-- Counts the runs that were let in at a gate, which is locked, and finds out whether runs still wait there. The gate is
-- looked at again when there is room left for them, or when one was skipped; it goes when it is empty. Called by
-- admit_at, with its settings.
create or replace function pawl.settle_gate(p_bucket smallint, p_gate text, p_admitted int, p_skipped boolean)
returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_waited boolean;
begin
    v_waited := exists (
        select 1 from pawl.flow_wait w where w.bucket + 0 = p_bucket and w.gate = p_gate
    );
    update pawl.flow_gate g
       set held = g.held + p_admitted, waited = v_waited,
           look = v_waited and (p_skipped or g.held + p_admitted < g."limit")
     where g.bucket = p_bucket and g.gate = p_gate;
    delete from pawl.flow_gate g
     where g.bucket = p_bucket and g.gate = p_gate and g.held = 0 and not v_waited;
end
$$;

-- Lets in runs that wait at gates with room, up to p_limit, and leases them to p_worker. Tenants get equal parts; what
-- one of them does not need is for the others. p_without: tenants that are left out. p_each: at most so many of each.
create or replace function pawl.admit_waiting(
    p_bucket smallint, p_worker uuid, p_limit int, p_without int[] default '{}', p_each int default null
) returns uuid[]
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_marked record;
    v_name text;
    v_tenant text;
    v_part int;
    v_left int;
    v_got uuid[];
    v_ids uuid[] := '{}';
begin
    select m.gates, m.tenants into v_marked from pawl.gates_with_room(p_bucket, p_without) m;
    v_part := least((p_limit + v_marked.tenants - 1) / greatest(v_marked.tenants, 1), p_each);
    for round in 1 .. 2 loop
        v_tenant := '';
        foreach v_name in array v_marked.gates loop
            exit when cardinality(v_ids) >= p_limit;
            if split_part(v_name, '/', 1) <> v_tenant then
                v_tenant := split_part(v_name, '/', 1);
                v_left := v_part;
            end if;
            continue when v_left <= 0;
            v_got := pawl.admit_at(p_bucket, p_worker, v_name, least(v_left, p_limit - cardinality(v_ids)));
            v_left := v_left - cardinality(v_got);
            v_ids := v_ids || v_got;
        end loop;
        exit when v_marked.tenants < 2 or p_each is not null;
        v_part := p_limit;
    end loop;
    return v_ids;
end
$$;
