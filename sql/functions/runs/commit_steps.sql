-- The steps of commit_runs that have a name of their own. They are called by commit_runs and by each other alone, and
-- run with its planner settings: each setting costs time at every call.

-- Where the rows of p_held stand, in its order; p_row: those that are known, with nulls for those that are not, or
-- null. Each unknown row is looked up by its id. Locks nothing: while the worker's row is locked, no other session
-- changes a row that is leased to it, so its place stays known. Tells the client by pawl.rows where the runs stand that
-- stay with their holder, those after the first p_ends. Raises PW002 with the ids of runs that the worker does not
-- hold.
create or replace function pawl.find_held_rows(
    p_bucket smallint, p_worker uuid, p_held uuid[], p_row tid[], p_ends int
) returns tid[]
language plpgsql set search_path = pg_catalog as $$
declare
    v_held tid[];
    v_lost uuid[];
begin
    select array_agg(coalesce(u.row_id, x.row_id)),
           array_agg(u.run_id) filter (where u.row_id is null and x.row_id is null)
      into v_held, v_lost
      from unnest(p_held, p_row) as u (run_id, row_id)
      left join lateral (
          select h.ctid as row_id
            from pawl.live_run h
           where h.bucket = p_bucket and h.run_id = u.run_id and h.worker = p_worker and u.row_id is null
          offset 0
      ) as x on true;
    if v_lost is not null then
        raise exception 'worker % does not hold these runs', p_worker
            using errcode = 'PW002', detail = array_to_string(v_lost, ',');
    end if;
    perform set_config('pawl.rows', (v_held[p_ends + 1:])::text, true);
    return v_held;
end
$$;

-- The tickets of the runs that leave their gates with this commit, one each: those that close, and those that park and
-- give their place back while they wait. Reads the rows as they are before the commit changes them; locks nothing.
create or replace function pawl.places_left(p_close tid[], p_park tid[], p_park_due timestamptz[]) returns jsonb[]
language plpgsql set search_path = pg_catalog as $$
declare
    v_left jsonb[] := array(select h.flow from pawl.live_run h where h.ctid = any (p_close) and h.slot = 1);
begin
    if cardinality(p_park) > 0 then
        v_left := v_left || array(
            select h.flow
              from unnest(p_park, p_park_due) as u (row_id, due)
             cross join lateral (
                 select l.flow
                   from pawl.live_run l
                  where l.ctid = u.row_id and l.slot = 1 and l.flow ? 'free' and (u.due is null or u.due > now())
                 offset 0
             ) as h
        );
    end if;
    return nullif(v_left, '{}');
end
$$;

-- Closes runs: their rows in live_run, which stand at p_row, become rows in run, and those that failed get a dead
-- letter. The arrays are of one length. Raises serialization_failure when another session has changed one of the rows.
create or replace function pawl.close_held_runs(
    p_bucket smallint, p_row tid[], p_run uuid[], p_started timestamptz[], p_tenant int[], p_workflow int[],
    p_version int[], p_status smallint[], p_subject text[], p_output jsonb[], p_error jsonb[], p_node text[]
) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_found int;
begin
    delete from pawl.live_run l where l.ctid = any (p_row);
    get diagnostics v_found = row_count;
    if v_found <> cardinality(p_run) then
        raise exception 'a run that closes was changed by another session' using errcode = 'serialization_failure';
    end if;
    -- To be ready for a conflict costs a look into the index and a record of the log for every row.
    insert into pawl.run
        (run_id, started_at, closed_at, tenant, workflow, version, bucket, status, subject, output, error)
    select p_run[i], p_started[i], now(), p_tenant[i], p_workflow[i], p_version[i], p_bucket, p_status[i],
           p_subject[i], p_output[i], p_error[i]
      from generate_series(1, cardinality(p_run)) as u (i);
    -- Runs that failed, and runs that could not undo all that they did.
    if 2 = any (p_status) or exists (select 1 from unnest(p_error) as u (error) where u.error is not null) then
        perform pawl.write_dead_letters(p_bucket, p_run, p_tenant, p_workflow, p_version, p_status, p_node, p_error);
    end if;
end
$$;

-- Writes a dead letter for each of these closed runs that failed, or that could not undo all that it did.
create or replace function pawl.write_dead_letters(
    p_bucket smallint, p_run uuid[], p_tenant int[], p_workflow int[], p_version int[], p_status smallint[],
    p_node text[], p_error jsonb[]
) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    insert into pawl.dead_letter (bucket, run_id, tenant, workflow, version, node, error, fingerprint)
    select p_bucket, u.run_id, u.tenant, u.workflow, u.version, u.node, coalesce(u.error, 'null'),
           pawl.error_fingerprint(u.workflow, u.node, u.error)
      from unnest(p_run, p_tenant, p_workflow, p_version, p_status, p_node, p_error)
           as u (run_id, tenant, workflow, version, status, node, error)
     where u.status = 2 or u.error ->> 'code' <> 'children_not_undone'
        on conflict do nothing;
end
$$;

-- Deletes the messages that the worker's runs have consumed, and waits for sessions that hold one. Raises PW002 when
-- one is not there.
create or replace function pawl.consume_signals(
    p_bucket smallint, p_worker uuid, p_signal bigint[], p_signal_run uuid[]
) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    c_looks constant int := 10;
    v_found int;
    v_gone int := 0;
begin
    -- Another session may rewrite a message while this one waits for it (settle_signals): then its place is another
    -- one, and the next look finds it there.
    for v_look in 1 .. c_looks loop
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
        get diagnostics v_found = row_count;
        v_gone := v_gone + v_found;
        exit when v_gone >= cardinality(p_signal);
    end loop;
    if v_gone < cardinality(p_signal) then
        raise exception 'worker % consumes a message that is not there', p_worker using errcode = 'PW002';
    end if;
end
$$;

-- Parks the runs whose rows stand at p_row: ready at p_due, or until something wakes them where that is null. A run
-- that waits and whose ticket says so leaves its gate (places_left has told its place). Raises
-- serialization_failure when another session has changed one of the rows.
create or replace function pawl.park_held_runs(p_row tid[], p_due timestamptz[]) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_found int;
begin
    update pawl.live_run l
       set state = case when u.due is null then 2 else 0 end, worker = null, due_at = coalesce(u.due, l.due_at),
           slot = case when l.slot = 1 and l.flow ? 'free' and (u.due is null or u.due > now()) then 2
                       else l.slot end,
           flow = case when l.slot = 1 and l.flow ? 'free' and (u.due is null or u.due > now())
                       then l.flow - 'rate' - 'gather' else l.flow end
      from unnest(p_row, p_due) as u (row_id, due)
     where l.ctid = u.row_id;
    get diagnostics v_found = row_count;
    if v_found <> cardinality(p_row) then
        raise exception 'a run that parks was changed by another session' using errcode = 'serialization_failure';
    end if;
end
$$;

-- Heeds messages that were left while the commit was under way: a run that has parked becomes ready, and the messages
-- of a run that has closed go. Waits for sessions that hold such a message.
create or replace function pawl.heed_late_signals(p_bucket smallint, p_parked uuid[], p_closed uuid[]) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    c_looks constant int := 10;
    v_row tid[];
begin
    update pawl.live_run l
       set state = 0, due_at = least(l.due_at, now())
     where l.ctid = any (array(
           select x.row_id
             from unnest(p_parked) as u (run_id)
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
    for v_look in 1 .. c_looks loop
        v_row := array(
            select x.row_id
              from unnest(p_closed) as u (run_id)
             cross join lateral (
                 select h.ctid as row_id from pawl.signal h where h.bucket = p_bucket and h.run_id = u.run_id
                 offset 0
             ) as x
        );
        exit when v_row = '{}';
        delete from pawl.signal s where s.ctid = any (v_row);
    end loop;
end
$$;

-- What comes after runs have parked or closed. A signal may have come for a run meanwhile: the sender saw a leased run
-- and only left the message. The row lock orders the two, so the message is visible here or there. p_left: the tickets
-- of places in gates that are given back, or null; their gates are locked (leave_gates) after everything else that the
-- commit locks.
create or replace function pawl.settle_ends(p_bucket smallint, p_parked uuid[], p_closed uuid[], p_left jsonb[])
returns void
language plpgsql set search_path = pg_catalog as $$
begin
    if exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        perform pawl.heed_late_signals(p_bucket, p_parked, p_closed);
    end if;
    if p_left is not null then
        perform pawl.leave_gates(p_bucket, array_agg(s.slot ->> 0), array_agg(s.count))
           from (
               select jsonb_array_elements(w.flow -> 'slots') as slot, w.count
                 from (select u.flow, count(*)::int as count from unnest(p_left) as u (flow) group by u.flow) as w
           ) as s
         having count(*) > 0;
    end if;
end
$$;
