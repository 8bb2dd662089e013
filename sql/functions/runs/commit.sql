-- Commits what a worker did: events, closes, consumed signals, parks. All of it or nothing. Called once per batch of a
-- worker, with the worker's row locked first (assert_worker), then the runs.
--
-- Arrays with one prefix are of one length. p_held: every run that the batch is about, those that close first, then
-- those that park, each in the order of its own array. p_row: where the rows of those runs stood when they were
-- claimed, which spares the look-up; a row that has moved is looked up by its key. p_resend: the outcome of an earlier
-- try is unknown; what it wrote is not written again. Returns the time of the events. Raises PW001 when the worker is
-- gone, PW002 with the ids of runs that it does not hold.
create or replace function pawl.commit_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean,
    p_run uuid[], p_seq int[], p_type smallint[], p_attempt smallint[], p_node text[], p_data jsonb[],
    p_error jsonb[], p_token int[],
    p_park_run uuid[], p_park_due timestamptz[],
    p_close_run uuid[], p_close_started timestamptz[], p_close_tenant int[], p_close_workflow int[],
    p_close_version int[], p_close_status smallint[], p_close_subject text[], p_close_output jsonb[],
    p_close_error jsonb[], p_close_node text[],
    p_signal bigint[], p_signal_run uuid[], p_held uuid[] default null,
    p_row tid[] default null
) returns timestamptz
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off set jit = off as $$
declare
    c_looks constant int := 10;
    v_through uuid[];
    v_held tid[];
    v_lost uuid[];
    v_known int;
    v_mark bigint;
    v_row tid[];
    v_left jsonb[];
    v_freed jsonb[];
    v_count int[];
    v_found int;
    v_gone int := 0;
    v_gates boolean := false;
begin
    perform pawl.assert_worker(p_worker);
    p_held := coalesce(p_held, p_close_run || p_park_run);
    if p_resend then
        v_through := pawl.resent_runs(
            p_bucket, p_worker, p_held, p_run, p_seq, p_type, p_attempt, p_node, p_data, p_token
        );
        if p_held <@ v_through then
            -- The answer stands for a commit that was lost sight of: it waits for whatever that one waits for.
            perform pg_logical_emit_message(true, 'pawl', '');
            return now();
        end if;
        if v_through <> '{}' then
            select array_agg(u.run_id), array_agg(u.seq), array_agg(u.type), array_agg(u.attempt), array_agg(u.node),
                   array_agg(u.data), array_agg(u.error), array_agg(u.token)
              into p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error, p_token
              from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error, p_token)
                   as u (run_id, seq, type, attempt, node, data, error, token)
             where u.run_id <> all (v_through);
            select coalesce(array_agg(u.run_id), '{}'), array_agg(u.due) into p_park_run, p_park_due
              from unnest(p_park_run, p_park_due) as u (run_id, due)
             where u.run_id <> all (v_through);
            select coalesce(array_agg(u.run_id), '{}'), array_agg(u.started_at), array_agg(u.tenant),
                   array_agg(u.workflow), array_agg(u.version), array_agg(u.status), array_agg(u.subject),
                   array_agg(u.output), array_agg(u.error), array_agg(u.node)
              into p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version, p_close_status,
                   p_close_subject, p_close_output, p_close_error, p_close_node
              from unnest(p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version,
                          p_close_status, p_close_subject, p_close_output, p_close_error, p_close_node)
                   as u (run_id, started_at, tenant, workflow, version, status, subject, output, error, node)
             where u.run_id <> all (v_through);
            select coalesce(array_agg(u.id), '{}'), coalesce(array_agg(u.run_id), '{}') into p_signal, p_signal_run
              from unnest(p_signal, p_signal_run) as u (id, run_id)
             where u.run_id <> all (v_through);
            p_held := array(select u.run_id from unnest(p_held) as u (run_id) where u.run_id <> all (v_through));
        end if;
    end if;
    -- While the worker's row is locked, no other session changes a row that is leased to it: its place stays known.
    -- A row that stands where its holder last knew it needs no look into the index. What is there is compared as a
    -- whole: as many rows of this worker, and their ids together. Any doubt, and each is looked for by its id. (The
    -- cast keeps the planner from reading the whole bucket by its index.)
    if p_row is not null and not p_resend then
        select count(*), bit_xor(uuid_hash_extended(h.run_id, 0)) into v_found, v_mark
          from pawl.live_run h
         where h.ctid = any (p_row) and h.bucket::int = p_bucket and h.worker = p_worker;
        select count(*) into v_known
          from generate_series(1, cardinality(p_held)) as u (i)
         where p_row[i] is not null
        having coalesce(bit_xor(uuid_hash_extended(p_held[i], 0)), 0) = coalesce(v_mark, 0);
        if v_known = v_found then
            v_held := p_row;
        end if;
    end if;
    if v_held is null or array_position(v_held, null) is not null then
        select array_agg(coalesce(u.row_id, x.row_id)),
               array_agg(u.run_id) filter (where u.row_id is null and x.row_id is null)
          into v_held, v_lost
          from unnest(p_held, v_held) as u (run_id, row_id)
          left join lateral (
              select h.ctid as row_id
                from pawl.live_run h
               where h.bucket = p_bucket and h.run_id = u.run_id and h.worker = p_worker and u.row_id is null
              offset 0
          ) as x on true;
        -- For the next commit of the runs that stay with their holder.
        perform set_config('pawl.rows', (v_held[cardinality(p_close_run) + cardinality(p_park_run) + 1:])::text, true);
    end if;
    if v_lost is not null then
        raise exception 'worker % does not hold these runs', p_worker
            using errcode = 'PW002', detail = array_to_string(v_lost, ',');
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select p_run[i], now(), p_seq[i], p_bucket, p_type[i], p_attempt[i], p_node[i], p_data[i], p_error[i], p_token[i]
      from generate_series(1, cardinality(p_run)) as u (i);
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox(p_bucket, p_run, p_seq, p_type, p_data);
    end if;
    if cardinality(p_close_run) > 0 or cardinality(p_park_run) > 0 then
        v_gates := exists (select 1 from pawl.flow_gate g);
    end if;
    if cardinality(p_close_run) > 0 then
        v_row := v_held[:cardinality(p_close_run)];
        -- A run inside a gate gives its place back: without gates there is none.
        if v_gates then
            v_left := array(select h.flow from pawl.live_run h where h.ctid = any (v_row) and h.slot = 1);
            select array_agg(w.flow), array_agg(w.count) into v_left, v_count
              from (select u.flow, count(*)::int as count from unnest(v_left) as u (flow) group by u.flow) as w;
        end if;
        delete from pawl.live_run l where l.ctid = any (v_row);
        get diagnostics v_found = row_count;
        if v_found <> cardinality(p_close_run) then
            raise exception 'a run that closes was changed by another session' using errcode = 'serialization_failure';
        end if;
        -- To be ready for a conflict costs a look into the index and a record of the log for every row.
        insert into pawl.run
            (run_id, started_at, closed_at, tenant, workflow, version, bucket, status, subject, output, error)
        select p_close_run[i], p_close_started[i], now(), p_close_tenant[i], p_close_workflow[i], p_close_version[i],
               p_bucket, p_close_status[i], p_close_subject[i], p_close_output[i], p_close_error[i]
          from generate_series(1, cardinality(p_close_run)) as u (i);
        -- Those that failed, and those that could not undo all that they did.
        if 2 = any (p_close_status)
            or exists (select 1 from unnest(p_close_error) as u (error) where u.error is not null)
        then
            insert into pawl.dead_letter (bucket, run_id, tenant, workflow, version, node, error, fingerprint)
            select p_bucket, u.run_id, u.tenant, u.workflow, u.version, u.node, coalesce(u.error, 'null'),
                   pawl.error_fingerprint(u.workflow, u.node, u.error)
              from unnest(p_close_run, p_close_tenant, p_close_workflow, p_close_version, p_close_status, p_close_node,
                          p_close_error)
                   as u (run_id, tenant, workflow, version, status, node, error)
             where u.status = 2 or u.error ->> 'code' <> 'children_not_undone'
                on conflict do nothing;
        end if;
    end if;
    if cardinality(p_signal) > 0 then
        -- Another session may rewrite a message while this one waits for it (settle_signals): then its place is
        -- another one, and the next look finds it there.
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
    end if;
    if cardinality(p_park_run) > 0 then
        v_row := v_held[cardinality(p_close_run) + 1:cardinality(p_close_run) + cardinality(p_park_run)];
        -- Some give their places back while they wait.
        if v_gates then
            select array_agg(h.flow) into v_freed
              from unnest(v_row, p_park_due) as u (row_id, due)
             cross join lateral (
                 select l.flow
                   from pawl.live_run l
                  where l.ctid = u.row_id and l.slot = 1 and l.flow ? 'free' and (u.due is null or u.due > now())
                 offset 0
             ) as h;
        end if;
        update pawl.live_run l
           set state = case when u.due is null then 2 else 0 end, worker = null, due_at = coalesce(u.due, l.due_at),
               slot = case when l.slot = 1 and l.flow ? 'free' and (u.due is null or u.due > now()) then 2
                           else l.slot end,
               flow = case when l.slot = 1 and l.flow ? 'free' and (u.due is null or u.due > now())
                           then l.flow - 'rate' - 'gather' else l.flow end
          from unnest(v_row, p_park_due) as u (row_id, due)
         where l.ctid = u.row_id;
        get diagnostics v_found = row_count;
        if v_found <> cardinality(p_park_run) then
            raise exception 'a run that parks was changed by another session' using errcode = 'serialization_failure';
        end if;
        v_left := v_left || v_freed;
        v_count := v_count || array_fill(1, array[coalesce(cardinality(v_freed), 0)]);
    end if;
    -- A signal may have come for a run while its holder was parking or closing it: the sender saw a leased run and only
    -- left the message. The row lock orders the two, so the message is visible here or there.
    if (cardinality(p_park_run) > 0 or cardinality(p_close_run) > 0)
        and exists (select 1 from pawl.signal s where s.bucket = p_bucket)
    then
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
        for v_look in 1 .. c_looks loop
            v_row := array(
                select x.row_id
                  from unnest(p_close_run) as u (run_id)
                 cross join lateral (
                     select h.ctid as row_id from pawl.signal h where h.bucket = p_bucket and h.run_id = u.run_id
                     offset 0
                 ) as x
            );
            exit when v_row = '{}';
            delete from pawl.signal s where s.ctid = any (v_row);
        end loop;
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
