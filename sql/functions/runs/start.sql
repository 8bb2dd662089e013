-- Starts runs: event 0 and a live_run row each, leased to p_worker where p_lease says so, else ready at p_due. Event 0
-- tells a priority that is not the usual one. A run whose correlation key is taken is not started; such runs are
-- returned with the id that holds the key. One that was to be leased but has to wait at a gate (p_flow: the tickets) is
-- returned with its own id, and so is one that others will be gathered into. p_flow is null where the tickets
-- are not made out yet, and empty when there are none. p_resend: the outcome of the same call is unknown, so skip what
-- is there already. Locks the worker's row (PW001 when it is gone), then groups, keys and gates, each kind by name.
create or replace function pawl.start_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean, p_run uuid[], p_tenant int[], p_workflow int[], p_version int[],
    p_subject text[], p_priority smallint[], p_due timestamptz[], p_data jsonb[], p_correlation text[],
    p_lease boolean[], p_flow jsonb[] default null
) returns table (requested uuid, existing uuid)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_skip uuid[] := '{}';
    v_tickets uuid[];
    v_became uuid[];
    v_rows text;
begin
    if p_worker is not null then
        perform pawl.assert_worker(p_worker);
    end if;
    if p_flow is null then
        select * into p_flow, p_data from pawl.tickets_for(p_workflow, p_version, p_tenant, p_subject, p_data);
    end if;
    if cardinality(p_flow) > 0 then
        if exists (select 1 from unnest(p_flow) as u (flow) where u.flow ? 'gather') then
            select g.due, g.lease, g.became into p_due, p_lease, v_became
              from pawl.gather_into_runs(
                  p_bucket, p_resend, p_run, p_tenant, p_workflow, p_data, p_correlation, p_flow, p_due, p_lease) g;
        end if;
    end if;
    if p_correlation is not null then
        v_became := pawl.take_keys(p_bucket, p_run, p_tenant, p_workflow, p_correlation, v_became);
    end if;
    if v_became is not null then
        v_skip := array(select u.id from unnest(p_run, v_became) as u (id, became) where u.became <> u.id);
        return query select * from unnest(p_run, v_became) as u (id, became) where u.became is not null;
    end if;
    if p_resend or cardinality(v_skip) > 0 then
        v_tickets := pawl.insert_missing_runs(p_bucket, p_worker, v_skip, p_run, p_tenant, p_workflow, p_version,
                                              p_subject, p_priority, p_due, p_data, p_lease, p_flow);
    else
        insert into pawl.event (run_id, at, seq, bucket, type, data, xid)
        select u.run_id, now(), 0, p_bucket, 0,
               case when u.priority = 0 then u.data else u.data || jsonb_build_object('priority', u.priority) end,
               (select pawl.counted_xid())
          from (select unnest(p_run) as run_id, unnest(p_data) as data, unnest(p_priority) as priority) as u;
        if p_worker is null and cardinality(p_flow) = 0 then
            perform pawl.insert_ready_runs(p_bucket, p_run, p_tenant, p_workflow, p_version, p_subject, p_priority,
                                           p_due);
        else
            with live as (
                insert into pawl.live_run
                    (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
                select p_run[i], case when p_lease[i] then p_worker end, coalesce(p_due[i], now()), p_tenant[i],
                       p_workflow[i], p_version[i], p_bucket, case when p_lease[i] then 1 else 0 end, p_priority[i],
                       p_subject[i], p_flow[i], case when p_flow[i] is null then null when p_flow[i] ? 'gather' then 4
                                                     when p_lease[i] then 1 else 2 end
                  from generate_series(1, cardinality(p_run)) as u (i) returning ctid
            )
            -- For the first commit of a run that its starter goes on with. A gate may write the row anew.
            select case when p_worker is not null and cardinality(p_flow) = 0
                        then set_config('pawl.rows', array_agg(l.ctid)::text, true) end into v_rows from live l;
        end if;
    end if;
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox_starts(p_bucket, p_run);
    end if;
    if p_worker is not null and cardinality(p_flow) > 0 then
        return query select b, b
          from pawl.pass_gates_at_start(p_bucket, p_worker, p_resend, p_run, p_flow, p_lease, v_skip, v_tickets) as b;
    end if;
end
$$;
