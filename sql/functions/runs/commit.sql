-- Commits what a worker did: events, closes, consumed signals, parks. All of it or nothing. Called once per batch of a
-- worker, with the worker's row locked first (assert_worker), then the runs.
--
-- Arrays with one prefix are of one length. p_held: every run that the batch is about, those that close first, then
-- those that park, each in the order of its own array. p_row: where the rows of those runs stood when they were
-- claimed, which spares the look-up. What stands there is compared as a whole: as many rows of this worker, and their
-- ids together; any doubt, and each is looked up by its id. p_resend: the outcome of an earlier try is unknown; what it
-- wrote is not written again. Returns the time of the events. Raises PW001 when the worker is gone, PW002 with the ids
-- of runs that it does not hold.
create or replace function pawl.commit_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean,
    p_run uuid[], p_seq int[], p_type smallint[], p_attempt smallint[], p_node text[], p_data jsonb[],
    p_error jsonb[], p_token int[], p_park_run uuid[], p_park_due timestamptz[],
    p_close_run uuid[], p_close_started timestamptz[], p_close_tenant int[], p_close_workflow int[],
    p_close_version int[], p_close_status smallint[], p_close_subject text[], p_close_output jsonb[],
    p_close_error jsonb[], p_close_node text[],
    p_signal bigint[], p_signal_run uuid[], p_held uuid[] default null, p_row tid[] default null
) returns timestamptz
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off set jit = off as $$
declare
    v_closes int := cardinality(p_close_run);
    v_ends int := v_closes + cardinality(p_park_run);
    v_held tid[];
    v_known int;
    v_found int;
    v_mark bigint;
    v_left jsonb[];
begin
    perform pawl.assert_worker(p_worker);
    if p_resend then
        return pawl.commit_resent(
            p_bucket, p_worker, p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error, p_token, p_park_run,
            p_park_due, p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version, p_close_status,
            p_close_subject, p_close_output, p_close_error, p_close_node, p_signal, p_signal_run, p_held);
    end if;
    p_held := coalesce(p_held, p_close_run || p_park_run);
    -- The cast keeps the planner from reading the whole bucket by its index.
    if p_row is not null then
        select count(*), bit_xor(uuid_hash_extended(h.run_id, 0)) into v_found, v_mark
          from pawl.live_run h
         where h.ctid = any (p_row) and h.bucket::int = p_bucket and h.worker = p_worker;
        select count(*) into v_known
          from generate_series(1, cardinality(p_held)) as u (i)
         where p_row[i] is not null
        having coalesce(bit_xor(uuid_hash_extended(p_held[i], 0)), 0) = coalesce(v_mark, 0);
        v_held := case when v_known = v_found then p_row end;
    end if;
    if v_held is null or array_position(v_held, null) is not null then
        v_held := pawl.find_held_rows(p_bucket, p_worker, p_held, v_held, v_ends);
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token, xid)
    select p_run[i], now(), p_seq[i], p_bucket, p_type[i], p_attempt[i], p_node[i], p_data[i], p_error[i], p_token[i],
           (select pawl.counted_xid())
      from generate_series(1, cardinality(p_run)) as u (i);
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox(p_bucket, p_run, p_seq, p_type, p_data);
    end if;
    if v_ends > 0 and exists (select 1 from pawl.flow_gate g) then
        v_left := pawl.places_left(v_held[:v_closes], v_held[v_closes + 1:v_ends], p_park_due);
    end if;
    if v_closes > 0 then
        perform pawl.close_held_runs(
            p_bucket, v_held[:v_closes], p_close_run, p_close_started, p_close_tenant, p_close_workflow,
            p_close_version, p_close_status, p_close_subject, p_close_output, p_close_error, p_close_node);
    end if;
    if cardinality(p_signal) > 0 then
        perform pawl.consume_signals(p_bucket, p_worker, p_signal, p_signal_run);
    end if;
    if v_ends > v_closes then
        perform pawl.park_held_runs(v_held[v_closes + 1:v_ends], p_park_due);
    end if;
    if v_ends > 0 and (v_left is not null or exists (select 1 from pawl.signal s where s.bucket = p_bucket)) then
        perform pawl.settle_ends(p_bucket, p_park_run, p_close_run, v_left);
    end if;
    return now();
end
$$;
