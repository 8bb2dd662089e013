-- The steps of start_runs that have a name of their own. start_runs alone calls them, and they run with its planner
-- settings: each setting costs time at every call.

-- Gathers the starts whose ticket says so (gather_starts, which locks their groups). Returns p_due and p_lease as they
-- are after that: a run that others are gathered into is due later and leased to no worker. `became`, in the order of
-- p_run: the run that a start was gathered into, which is the start's own where it was to be leased and is not; null
-- for all others, and as a whole when there is none.
create or replace function pawl.gather_into_runs(
    p_bucket smallint, p_resend boolean, p_run uuid[], p_tenant int[], p_workflow int[], p_data jsonb[],
    p_correlation text[], p_flow jsonb[], p_due timestamptz[], p_lease boolean[],
    out due timestamptz[], out lease boolean[], out became uuid[]
)
language plpgsql set search_path = pg_catalog as $$
declare
    v_joined record;
begin
    due := p_due;
    lease := p_lease;
    for v_joined in
        select *
          from pawl.gather_starts(p_bucket, p_resend, p_run, p_tenant, p_workflow, p_data, p_correlation, p_flow)
    loop
        if v_joined.requested = v_joined.existing then
            due[v_joined.place] := v_joined.due;
        end if;
        if lease[v_joined.place] or v_joined.requested <> v_joined.existing then
            became := coalesce(became, array_fill(null::uuid, array[cardinality(p_run)]));
            became[v_joined.place] := v_joined.existing;
        end if;
        lease[v_joined.place] := false;
    end loop;
end
$$;

-- Takes the correlation keys for their runs, except for those that became another run. Returns p_became with the runs
-- that hold the keys of others, in the order of p_run; null where there are none. Waits for transactions that take the
-- same keys.
create or replace function pawl.take_keys(
    p_bucket smallint, p_run uuid[], p_tenant int[], p_workflow int[], p_key text[], p_became uuid[]
) returns uuid[]
language plpgsql set search_path = pg_catalog as $$
declare
    v_became uuid[];
begin
    -- Ordered, so that two batches with the same keys wait for each other instead of deadlocking.
    insert into pawl.correlation (bucket, tenant, workflow, key, run_id)
    select p_bucket, p_tenant[i], p_workflow[i], p_key[i], p_run[i]
      from generate_series(1, cardinality(p_run)) as u (i)
     where p_key[i] is not null and (p_became[i] is null or p_became[i] = p_run[i])
     order by p_tenant[i], p_workflow[i], p_key[i], p_run[i]
        on conflict do nothing;
    select array_agg(coalesce(h.run_id, p_became[u.i])) into v_became
      from generate_series(1, cardinality(p_run)) as u (i)
      left join lateral (
          -- A join may be planned as a scan of the bucket, when the table was empty then.
          select c.run_id
            from pawl.correlation c
           where c.bucket = p_bucket and c.tenant = p_tenant[u.i] and c.workflow = p_workflow[u.i]
             and c.key = p_key[u.i]
          offset 0
      ) as h on h.run_id <> p_run[u.i] and (p_became[u.i] is null or p_became[u.i] = p_run[u.i])
    having count(h.run_id) > 0;
    return coalesce(v_became, p_became);
end
$$;

-- Writes the row of each run, ready at p_due: for many starts that no worker goes on with and no gate holds back, a
-- tenth less work than to ask for each. Called by start_runs, with its settings.
create or replace function pawl.insert_ready_runs(
    p_bucket smallint, p_run uuid[], p_tenant int[], p_workflow int[], p_version int[], p_subject text[],
    p_priority smallint[], p_due timestamptz[]
) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    insert into pawl.live_run (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject)
    select u.run_id, coalesce(u.due, now()), u.tenant, u.workflow, u.version, p_bucket, 0, u.priority, u.subject
      from (
          select unnest(p_run) as run_id, unnest(p_due) as due, unnest(p_tenant) as tenant,
                 unnest(p_workflow) as workflow, unnest(p_version) as version, unnest(p_priority) as priority,
                 unnest(p_subject) as subject
      ) as u;
end
$$;

-- Writes event 0 and the row of each run that is not there yet, except those of p_skip: for starts that are sent again,
-- or that do not all become runs. Returns those among them, in the order of p_run, that are leased and have gates to
-- pass; null when there are none.
create or replace function pawl.insert_missing_runs(
    p_bucket smallint, p_worker uuid, p_skip uuid[], p_run uuid[], p_tenant int[], p_workflow int[], p_version int[],
    p_subject text[], p_priority smallint[], p_due timestamptz[], p_data jsonb[], p_lease boolean[], p_flow jsonb[]
) returns uuid[]
language plpgsql set search_path = pg_catalog as $$
declare
    v_tickets uuid[];
begin
    with started as (
        insert into pawl.event (run_id, at, seq, bucket, type, data, xid)
        select u.run_id, now(), 0, p_bucket, 0,
               case when u.priority = 0 then u.data else u.data || jsonb_build_object('priority', u.priority) end,
               (select pawl.counted_xid())
          from unnest(p_run, p_data, p_priority) as u (run_id, data, priority)
         where u.run_id <> all (p_skip)
            on conflict do nothing
        returning run_id
    ), live as (
        insert into pawl.live_run
            (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
        select u.run_id, case when u.lease then p_worker end, coalesce(u.due, now()), u.tenant, u.workflow,
               u.version, p_bucket, case when u.lease then 1 else 0 end, u.priority, u.subject, u.flow,
               case when u.flow is null then null when u.flow ? 'gather' then 4
                    when u.lease then 1 else 2 end
          from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_lease, p_flow)
               as u (run_id, tenant, workflow, version, subject, priority, due, lease, flow)
         where u.run_id = any (array(select s.run_id from started s))
        returning run_id, slot
    )
    select array_agg(l.run_id order by array_position(p_run, l.run_id)) into v_tickets from live l where l.slot = 1;
    return v_tickets;
end
$$;

-- Passes the leased runs of a start through their gates (pass_gates, which locks them by name). Returns the runs that
-- the worker does not go on with. p_tickets: the runs that have gates to pass where p_resend or p_skip left some out.
-- With p_resend also returns those that a lost first try has started and that the worker does not hold.
create or replace function pawl.pass_gates_at_start(
    p_bucket smallint, p_worker uuid, p_resend boolean, p_run uuid[], p_flow jsonb[], p_lease boolean[],
    p_skip uuid[], p_tickets uuid[]
) returns setof uuid
language plpgsql set search_path = pg_catalog as $$
declare
    v_flow jsonb[];
begin
    if not p_resend and p_skip = '{}' then
        if not false = any (p_lease) and array_position(p_flow, null) is null then
            -- Nearly always all of them: then nothing has to be picked out.
            return query select unnest(pawl.pass_gates(p_bucket, p_run, p_flow));
            return;
        end if;
        p_tickets := array(
            select u.run_id from unnest(p_run, p_flow, p_lease) with ordinality as u (run_id, flow, lease, n)
             where u.flow is not null and u.lease
             order by u.n
        );
    end if;
    if cardinality(p_tickets) > 0 then
        v_flow := array(
            select p_flow[array_position(p_run, t.run_id)]
              from unnest(p_tickets) with ordinality as t (run_id, n)
             order by t.n
        );
        return query select unnest(pawl.pass_gates(p_bucket, p_tickets, v_flow));
    end if;
    if p_resend then
        -- What became of those that the lost first try has started: the caller may go on with what it holds only.
        return query
        select u.run_id
          from unnest(p_run, p_flow, p_lease) as u (run_id, flow, lease)
         where u.flow is not null and u.lease and u.run_id <> all (p_skip || coalesce(p_tickets, '{}'))
           and not exists (
                   select 1 from pawl.live_run l
                    where l.bucket = p_bucket and l.run_id = u.run_id and l.worker = p_worker
               );
    end if;
end
$$;
