-- The runs of a batch that is sent again and about which there is nothing left to do: all their events stand in the log
-- as they would be written now, or they have none and this worker does not hold them any more. Refuses the batch when
-- another worker has gone on with one of its runs.
create or replace function pawl.resent_runs(
    p_bucket smallint, p_worker uuid, p_held uuid[], p_run uuid[], p_seq int[], p_type smallint[],
    p_attempt smallint[], p_node text[], p_data jsonb[], p_token int[]
) returns uuid[]
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_through uuid[];
    v_lost uuid[];
begin
    select array_agg(h.run_id) filter (where h.same = h.events and (h.events > 0 or not h.mine)),
           array_agg(h.run_id) filter (where h.other > 0 or h.same < h.events and not h.mine)
      into v_through, v_lost
      from (
          select u.run_id, l.one is not null as mine, w.events, w.same, w.other
            from unnest(p_held) as u (run_id)
            left join lateral (
                select 1 as one
                  from pawl.live_run o
                 where o.bucket = p_bucket and o.run_id = u.run_id and o.worker = p_worker
                offset 0
            ) as l on true
           cross join lateral (
               select count(*) as events, count(*) filter (where x.same) as same,
                      count(*) filter (where not x.same) as other
                 from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_token)
                      as n (run_id, seq, type, attempt, node, data, token)
                 left join lateral (
                     select e.type = n.type and e.attempt is not distinct from n.attempt
                            and e.node is not distinct from n.node and e.data is not distinct from n.data
                            and coalesce(e.token, 0) = coalesce(n.token, 0) as same
                       from pawl.event e
                      where e.bucket = p_bucket and e.run_id = n.run_id and e.seq = n.seq
                     offset 0
                 ) as x on true
                where n.run_id = u.run_id
           ) as w
      ) as h;
    if v_lost is not null then
        raise exception 'worker % does not hold these runs any more', p_worker
            using errcode = 'PW002', detail = array_to_string(v_lost, ',');
    end if;
    return coalesce(v_through, '{}');
end
$$;

-- Commits what an earlier try, whose outcome is unknown, has not written: the rest of the batch by commit_runs, which
-- calls this with the worker's row locked. The parameters are those of commit_runs. Raises PW002 when another worker
-- has gone on with one of the runs.
create or replace function pawl.commit_resent(
    p_bucket smallint, p_worker uuid,
    p_run uuid[], p_seq int[], p_type smallint[], p_attempt smallint[], p_node text[], p_data jsonb[],
    p_error jsonb[], p_token int[], p_park_run uuid[], p_park_due timestamptz[],
    p_close_run uuid[], p_close_started timestamptz[], p_close_tenant int[], p_close_workflow int[],
    p_close_version int[], p_close_status smallint[], p_close_subject text[], p_close_output jsonb[],
    p_close_error jsonb[], p_close_node text[], p_signal bigint[], p_signal_run uuid[], p_held uuid[]
) returns timestamptz
language plpgsql set search_path = pg_catalog as $$
declare
    v_through uuid[];
begin
    p_held := coalesce(p_held, p_close_run || p_park_run);
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
    return pawl.commit_runs(
        p_bucket, p_worker, false, p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error, p_token, p_park_run,
        p_park_due, p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version, p_close_status,
        p_close_subject, p_close_output, p_close_error, p_close_node, p_signal, p_signal_run, p_held
    );
end
$$;

-- Removes what is open of runs that are closed: a state that commits refuse to make, and that releases before this one
-- could make when the database crashed. The log decides: only a run whose log has ended goes. Returns what it mended.
create or replace function pawl.mend_runs(p_bucket smallint, p_run uuid[] default null)
returns setof uuid
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
declare
    v_mended record;
begin
    for v_mended in
        delete from pawl.live_run l
         where l.bucket = p_bucket and (p_run is null or l.run_id = any (p_run))
           and exists (select 1 from pawl.run r where r.bucket = p_bucket and r.run_id = l.run_id)
           and exists (
               select 1
                 from pawl.event e
                where e.bucket = p_bucket and e.run_id = l.run_id and e.type in (4, 5, 6)
           )
        returning l.run_id, l.flow, l.slot
    loop
        delete from pawl.signal s where s.bucket = p_bucket and s.run_id = v_mended.run_id;
        delete from pawl.subscription s where s.bucket = p_bucket and s.run_id = v_mended.run_id;
        delete from pawl.flow_wait w where w.bucket = p_bucket and w.run_id = v_mended.run_id;
        if v_mended.slot = 1 then
            perform pawl.leave_gates(p_bucket, array_agg(s.slot ->> 0), array_agg(1))
               from jsonb_array_elements(v_mended.flow -> 'slots') as s (slot)
             having count(*) > 0;
        end if;
        return next v_mended.run_id;
    end loop;
end
$$;
