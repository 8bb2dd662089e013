-- Gathers starts with the same key: into a run that has not begun, as a message that changes its input, or into a new
-- one. One row for each start: the run that it became, and, when that is itself, when it is due. A start that was
-- gathered keeps the run under a key of its own, so that it is not gathered twice when its outcome was unknown.
create or replace function pawl.gather_starts(
    p_bucket smallint, p_resend boolean, p_run uuid[], p_tenant int[], p_workflow int[], p_data jsonb[],
    p_correlation text[], p_flow jsonb[]
) returns table (place int, requested uuid, existing uuid, due timestamptz)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
declare
    c_micro constant interval := interval '1 microsecond';
    v_start record;
    v_group record;
begin
    for v_start in
        select u.n::int as place, u.run_id, u.tenant, u.workflow, u.key, u.data -> 'input' as input,
               u.flow -> 'gather' ->> 0 as gate, (u.flow -> 'gather' ->> 1)::int as size,
               (u.flow -> 'gather' ->> 2)::bigint * c_micro as period,
               nullif((u.flow -> 'gather' ->> 3)::bigint, 0) * c_micro as max_wait
          from unnest(p_run, p_tenant, p_workflow, p_data, p_correlation, p_flow) with ordinality
               as u (run_id, tenant, workflow, data, key, flow, n)
         where u.flow ? 'gather'
         order by u.flow -> 'gather' ->> 0, u.n
    loop
        place := v_start.place;
        requested := v_start.run_id;
        due := null;
        -- A taken key leads to its run, whatever that is doing; and what happened already does not happen again.
        select c.run_id into existing
          from pawl.correlation c
         where c.bucket = p_bucket and c.tenant = v_start.tenant and c.workflow = v_start.workflow
           and c.key in (v_start.key, 'gathered:' || requested::text)
         limit 1;
        if found then
            if existing <> requested then
                return next;
            end if;
            continue;
        end if;
        continue when p_resend
            and exists (select 1 from pawl.event e where e.bucket = p_bucket and e.run_id = requested and e.seq = 0);
        v_group := pawl.lock_group(p_bucket, v_start.gate, requested, v_start.size, p_run);
        if not v_group.is_open then
            update pawl.flow_group g
               set run_id = requested, first_at = now(), count = 1
             where g.bucket = p_bucket and g.gate = v_start.gate;
            existing := requested;
            due := now() + case when v_start.size > 0 then v_start.max_wait else v_start.period end;
            return next;
            continue;
        end if;
        existing := v_group.run_id;
        perform pawl.gather_into(
            p_bucket, v_start.gate, existing, requested, v_start.tenant, v_start.workflow, v_start.key,
            case when v_start.size > 0 then jsonb_build_object('item', v_start.input -> 'items' -> 0)
                 else jsonb_build_object('input', v_start.input) end
        );
        return next;
        due := case when v_start.size > 0 and v_group.count + 1 >= v_start.size then now()
                    when v_start.size > 0 then v_group.first_at + v_start.max_wait
                    else least(now() + v_start.period, v_group.first_at + v_start.max_wait) end;
        if existing = any (p_run) then
            place := array_position(p_run, existing);
            requested := existing;
            return next;
        else
            update pawl.live_run l set due_at = due where l.bucket = p_bucket and l.run_id = existing;
        end if;
    end loop;
end
$$;

-- The group of starts with one key, locked: the run that they are gathered into, since when, and how many there are.
-- `is_open`: p_run can be gathered into it; p_size is the most that it takes, 0 for any number. p_batch: the runs that
-- are started by the same call. A group that is not there yet begins with p_run. Called by gather_starts, with its
-- settings.
create or replace function pawl.lock_group(
    p_bucket smallint, p_gate text, p_run uuid, p_size int, p_batch uuid[],
    out run_id uuid, out first_at timestamptz, out count int, out is_open boolean
)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
begin
    insert into pawl.flow_group (bucket, gate, run_id, first_at, count)
    values (p_bucket, p_gate, p_run, now(), 0)
        on conflict do nothing;
    select g.run_id, g.first_at, g.count into run_id, first_at, count
      from pawl.flow_group g
     where g.bucket = p_bucket and g.gate = p_gate
       for no key update;
    is_open := run_id <> p_run and (p_size = 0 or count < p_size);
    if is_open and run_id <> all (p_batch) then
        -- One that is being claimed has begun.
        perform 1
           from pawl.live_run l
          where l.bucket = p_bucket and l.run_id = lock_group.run_id and l.state = 0 and l.slot = 4
            for no key update skip locked;
        is_open := found;
    end if;
end
$$;

-- Gathers the start p_start into the run p_run of a group that is locked: leaves its input as a message for the run,
-- and keeps its keys, so that it is not gathered twice. Called by gather_starts, with its settings.
create or replace function pawl.gather_into(
    p_bucket smallint, p_gate text, p_run uuid, p_start uuid, p_tenant int, p_workflow int, p_key text, p_data jsonb
) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    insert into pawl.correlation (bucket, tenant, workflow, key, run_id)
    select p_bucket, p_tenant, p_workflow, k.key, p_run
      from (values ('gathered:' || p_start::text), (p_key)) as k (key)
     where k.key is not null
        on conflict do nothing;
    insert into pawl.signal (bucket, run_id, kind, data) values (p_bucket, p_run, 'gather', p_data);
    update pawl.flow_group g set count = g.count + 1 where g.bucket = p_bucket and g.gate = p_gate;
end
$$;
