-- Starts runs: event 0 and a live_run row each, leased to p_worker where p_lease says so, else ready at p_due. Event 0
-- tells a priority that is not the usual one. A run whose correlation key is taken is not started; such runs are
-- returned with the id that holds the key. One that was to be leased but has to wait at a gate (p_flow: the tickets) is
-- returned with its own id, and so is one that others will be gathered into. p_flow is null where nobody has made out
-- the tickets yet, and empty when there are none. p_resend: the outcome of the same call is unknown, so skip what is
-- there already.
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
set enable_bitmapscan = off
set jit = off as $$
declare
    v_skip uuid[] := '{}';
    v_tickets uuid[];
    v_joined record;
    v_ticket jsonb[];
    v_count int[];
    v_gathers boolean;
    v_all boolean;
    v_row tid[];
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
        select p_run[i], now(), 0, p_bucket, 0,
               case when p_priority[i] = 0 then p_data[i]
                    else p_data[i] || jsonb_build_object('priority', p_priority[i]) end
          from generate_series(1, cardinality(p_run)) as u (i);
        with live as (
            insert into pawl.live_run
                (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
            select p_run[i], case when p_lease[i] then p_worker end, coalesce(p_due[i], now()), p_tenant[i],
                   p_workflow[i], p_version[i], p_bucket, case when p_lease[i] then 1 else 0 end, p_priority[i],
                   p_subject[i], p_flow[i],
                   case when p_flow[i] is null then null when v_gathers and p_flow[i] ? 'gather' then 4
                        when p_lease[i] then 1 else 2 end
              from generate_series(1, cardinality(p_run)) as u (i)
            returning ctid
        )
        select array_agg(l.ctid) into v_row from live l;
        -- For the first commit of a run that its starter goes on with. A gate may write the row anew.
        if p_worker is not null and cardinality(p_flow) = 0 then
            perform set_config('pawl.rows', v_row::text, true);
        end if;
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
