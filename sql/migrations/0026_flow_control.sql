-- Flow control, continued: starts, commits and messages know the gates of 0025_flow_gates.sql; tickets for runs that
-- are started by SQL, starts that are gathered into one run, and limits that are changed on a running system.
-- breaking: no

set local lock_timeout = '5s';

-- Starting ------------------------------------------------------------------------------------------------------------

drop function pawl.start_runs(
    smallint, uuid, boolean, uuid[], int[], int[], int[], text[], smallint[], timestamptz[], jsonb[], text[], boolean[]
);
-- Starts runs: event 0 and a live_run row each, leased to p_worker where p_lease says so, else ready at p_due. Event 0
-- tells a priority that is not the usual one. A run whose correlation key is taken is not started; such runs are
-- returned with the id that holds the key. One that was to be leased but has to wait at a gate (p_flow: the tickets) is
-- returned with its own id, and so is one that others will be gathered into. p_flow is null where nobody has made out
-- the tickets yet, and empty when there are none. p_resend: the outcome of the same call is unknown, so skip what is
-- there already.
create function pawl.start_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean,
    p_run uuid[], p_tenant int[], p_workflow int[], p_version int[], p_subject text[], p_priority smallint[],
    p_due timestamptz[], p_data jsonb[], p_correlation text[], p_lease boolean[], p_flow jsonb[] default null
) returns table (requested uuid, existing uuid)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
    v_skip uuid[] := '{}';
    v_tickets uuid[];
    v_joined record;
begin
    if p_worker is not null then
        perform pawl.assert_worker(p_worker);
    end if;
    if p_flow is null then
        select t.flow, t.data into p_flow, p_data
          from pawl.tickets_for(p_workflow, p_version, p_tenant, p_subject, p_data) t;
    end if;
    if cardinality(p_flow) > 0 and exists (select 1 from unnest(p_flow) as u (flow) where u.flow ? 'gather') then
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
                   case when u.flow is null then null when u.flow ? 'gather' then 4 when u.lease then 1 else 2 end
              from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_lease, p_flow)
                   as u (run_id, tenant, workflow, version, subject, priority, due, lease, flow)
             where u.run_id = any (array(select s.run_id from started s))
            returning run_id, slot
        )
        select array_agg(l.run_id order by array_position(p_run, l.run_id)) into v_tickets from live l where l.slot = 1;
    else
        insert into pawl.event (run_id, at, seq, bucket, type, data)
        select u.run_id, now(), 0, p_bucket, 0,
               case when u.priority = 0 then u.data else u.data || jsonb_build_object('priority', u.priority) end
          from unnest(p_run, p_data, p_priority) as u (run_id, data, priority);
        insert into pawl.live_run
            (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
        select u.run_id, case when u.lease then p_worker end, coalesce(u.due, now()), u.tenant, u.workflow, u.version,
               p_bucket, case when u.lease then 1 else 0 end, u.priority, u.subject, u.flow,
               case when u.flow is null then null when u.flow ? 'gather' then 4 when u.lease then 1 else 2 end
          from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_lease, p_flow)
               as u (run_id, tenant, workflow, version, subject, priority, due, lease, flow);
    end if;
    if cardinality(p_flow) = 0 or p_worker is null then
        return;
    end if;
    if not p_resend and cardinality(v_skip) = 0 then
        v_tickets := array(
            select u.run_id from unnest(p_run, p_flow, p_lease) with ordinality as u (run_id, flow, lease, n)
             where u.flow is not null and u.lease
             order by u.n
        );
    end if;
    if cardinality(v_tickets) > 0 then
        for requested in
            select b.run_id
              from unnest(pawl.pass_gates(
                  p_bucket, v_tickets,
                  case when cardinality(v_tickets) = cardinality(p_run) then p_flow
                       else array(
                           select p_flow[array_position(p_run, t.run_id)]
                             from unnest(v_tickets) with ordinality as t (run_id, n)
                            order by t.n
                       ) end
              )) as b (run_id)
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

drop function pawl.start_guarded_runs(
    smallint, uuid, boolean, uuid[], int[], int[], int[], text[], smallint[], timestamptz[], jsonb[], text[], boolean[],
    smallint[]
);
-- pawl.start_runs for workflows that a subject may enter once (p_reentry[i] = 1) or only while it has no open run of it
-- (2); 0 is always. A run that may not start is returned with the one in its way, as with a taken correlation key.
create function pawl.start_guarded_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean,
    p_run uuid[], p_tenant int[], p_workflow int[], p_version int[], p_subject text[], p_priority smallint[],
    p_due timestamptz[], p_data jsonb[], p_correlation text[], p_lease boolean[], p_reentry smallint[],
    p_flow jsonb[] default null
) returns table (requested uuid, existing uuid)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    v_skip uuid[] := '{}';
    v_row record;
begin
    -- A start that happened already is not in its own way, whatever became of its run.
    for requested, existing in
        select u.run_id, held.run_id
          from unnest(p_run, p_tenant, p_workflow, p_correlation) as u (run_id, tenant, workflow, key)
         cross join lateral (
             select c.run_id
               from pawl.correlation c
              where c.bucket = p_bucket and c.tenant = u.tenant and c.workflow = u.workflow and c.key = u.key
             offset 0
         ) as held
         where held.run_id <> u.run_id
    loop
        v_skip := v_skip || requested;
        return next;
    end loop;
    -- One after the other and in order: of two new runs of one subject the second finds the first, and two such
    -- transactions do not deadlock.
    for v_row in
        select u.run_id, u.tenant, u.workflow, u.subject, u.reentry
          from unnest(p_run, p_tenant, p_workflow, p_subject, p_reentry)
               as u (run_id, tenant, workflow, subject, reentry)
         where u.reentry > 0 and u.subject is not null and u.run_id <> all (v_skip)
         order by u.tenant, u.workflow, u.subject, u.run_id
    loop
        insert into pawl.reentry (bucket, tenant, workflow, subject, run_id)
        values (p_bucket, v_row.tenant, v_row.workflow, v_row.subject, v_row.run_id)
            on conflict do nothing;
        continue when found;
        select r.run_id into existing
          from pawl.reentry r
         where r.bucket = p_bucket and r.tenant = v_row.tenant and r.workflow = v_row.workflow
           and r.subject = v_row.subject
           for no key update;
        continue when existing = v_row.run_id;
        if v_row.reentry = 2 and existing <> all (p_run)
            and not exists (select 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = existing)
        then
            update pawl.reentry r
               set run_id = v_row.run_id, at = now()
             where r.bucket = p_bucket and r.tenant = v_row.tenant and r.workflow = v_row.workflow
               and r.subject = v_row.subject;
            continue;
        end if;
        requested := v_row.run_id;
        v_skip := v_skip || requested;
        return next;
    end loop;
    return query
    select s.requested, s.existing
      from (
          select array_agg(u.run_id order by u.place) as run, array_agg(u.tenant order by u.place) as tenant,
                 array_agg(u.workflow order by u.place) as workflow, array_agg(u.version order by u.place) as version,
                 array_agg(u.subject order by u.place) as subject, array_agg(u.priority order by u.place) as priority,
                 array_agg(u.due order by u.place) as due, array_agg(u.data order by u.place) as data,
                 array_agg(u.key order by u.place) as key, array_agg(u.lease order by u.place) as lease,
                 array_agg(u.flow order by u.place) as flow
            from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_data, p_correlation,
                        p_lease, p_flow) with ordinality
                 as u (run_id, tenant, workflow, version, subject, priority, due, data, key, lease, flow, place)
           where u.run_id <> all (v_skip)
      ) as left_over
     cross join lateral pawl.start_runs(
         p_bucket, p_worker, p_resend, left_over.run, left_over.tenant, left_over.workflow, left_over.version,
         left_over.subject, left_over.priority, left_over.due, left_over.data,
         case when p_correlation is not null then left_over.key end, left_over.lease,
         case when p_flow is not null then left_over.flow end
     ) as s
     where left_over.run is not null;
end
$$;

-- Committing ----------------------------------------------------------------------------------------------------------

-- The group commit. p_token may be null: every event is of the first token.
-- Appends events, parks runs (ready at a time, or parked without one) and
-- closes runs, all in the transaction that checks the worker's fence. Without p_resend a second
-- write of a sequence number is an error, because only the holder writes; with it, what the lost
-- first try has written is skipped. Whoever leaves its gates does so last.
create or replace function pawl.commit_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean,
    p_run uuid[], p_seq int[], p_type smallint[], p_attempt smallint[], p_node text[], p_data jsonb[], p_error jsonb[],
    p_token int[],
    p_park_run uuid[], p_park_due timestamptz[],
    p_close_run uuid[], p_close_started timestamptz[], p_close_tenant int[], p_close_workflow int[],
    p_close_version int[], p_close_status smallint[], p_close_subject text[], p_close_output jsonb[],
    p_close_error jsonb[], p_close_node text[],
    p_signal bigint[], p_signal_run uuid[]
) returns timestamptz
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off as $$
declare
    v_left jsonb[];
    v_row tid[];
    v_freed jsonb[];
begin
    perform pawl.assert_worker(p_worker);
    if p_resend then
        insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
        select u.run_id, now(), u.seq, p_bucket, u.type, u.attempt, u.node, u.data, u.error, u.token
          from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error, p_token)
               as u (run_id, seq, type, attempt, node, data, error, token)
            on conflict do nothing;
    else
        insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
        select u.run_id, now(), u.seq, p_bucket, u.type, u.attempt, u.node, u.data, u.error, u.token
          from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error, p_token)
               as u (run_id, seq, type, attempt, node, data, error, token);
    end if;
    if cardinality(p_close_run) > 0 then
        -- Nobody but the holder moves a leased row, so its place is known (see claim_runs).
        with gone as (
            delete from pawl.live_run l
             where l.ctid = any (array(
                   select x.row_id
                     from unnest(p_close_run) as u (run_id)
                    cross join lateral (
                        select h.ctid as row_id
                          from pawl.live_run h
                         where h.bucket = p_bucket and h.run_id = u.run_id
                        offset 0
                    ) as x
               ))
            returning l.flow, l.slot
        )
        select array_agg(g.flow) into v_left from gone g where g.slot = 1;
        insert into pawl.run
            (run_id, started_at, closed_at, tenant, workflow, version, bucket, status, subject, output, error)
        select u.run_id, u.started_at, now(), u.tenant, u.workflow, u.version, p_bucket, u.status, u.subject, u.output,
               u.error
          from unnest(p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version, p_close_status,
                      p_close_subject, p_close_output, p_close_error)
               as u (run_id, started_at, tenant, workflow, version, status, subject, output, error)
            on conflict do nothing;
        if 2 = any (p_close_status) then
            insert into pawl.dead_letter (bucket, run_id, tenant, workflow, version, node, error, fingerprint)
            select p_bucket, u.run_id, u.tenant, u.workflow, u.version, u.node, coalesce(u.error, 'null'),
                   pawl.error_fingerprint(u.workflow, u.node, u.error)
              from unnest(p_close_run, p_close_tenant, p_close_workflow, p_close_version, p_close_status, p_close_node,
                          p_close_error)
                   as u (run_id, tenant, workflow, version, status, node, error)
             where u.status = 2
                on conflict do nothing;
        end if;
    end if;
    if cardinality(p_signal) > 0 then
        delete from pawl.signal s
         using unnest(p_signal, p_signal_run) as u (id, run_id)
         where s.bucket = p_bucket and s.run_id = u.run_id and s.id = u.id;
    end if;
    if cardinality(p_park_run) > 0 then
        -- Some give their places back while they wait.
        select array_agg(x.row_id),
               array_agg(x.flow) filter (where x.slot = 1 and x.flow ? 'free' and (u.due is null or u.due > now()))
          into v_row, v_freed
          from unnest(p_park_run, p_park_due) as u (run_id, due)
         cross join lateral (
             select h.ctid as row_id, h.flow, h.slot
               from pawl.live_run h
              where h.bucket = p_bucket and h.run_id = u.run_id and h.worker = p_worker
             offset 0
         ) as x;
        update pawl.live_run l
           set (state, worker, due_at, slot, flow) = (
               select case when u.due is null then 2 else 0 end, null::uuid, coalesce(u.due, l.due_at),
                      case when u.freed then 2 else l.slot end,
                      case when u.freed then l.flow - 'rate' - 'gather' else l.flow end
                 from (
                     select d.due, coalesce(l.slot = 1 and l.flow ? 'free' and (d.due is null or d.due > now()), false)
                       from (select p_park_due[array_position(p_park_run, l.run_id)]) as d (due)
                 ) as u (due, freed)
           )
         where l.ctid = any (v_row);
        v_left := v_left || v_freed;
    end if;
    -- A signal may have come for a run while its holder was parking or closing it: the sender saw a leased run and only
    -- left the message. The row lock orders the two, so the message is visible here or there.
    if exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
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
        delete from pawl.signal s
         using unnest(p_close_run) as u (run_id)
         where s.bucket = p_bucket and s.run_id = u.run_id;
    end if;
    if v_left is not null then
        perform pawl.leave_gates(p_bucket, array(
            select jsonb_array_elements(u.flow -> 'slots') ->> 0 from unnest(v_left) as u (flow)
        ));
    end if;
    return now();
end
$$;

-- Messages ------------------------------------------------------------------------------------------------------------

-- Runs that wait at a gate go on without, to be cancelled. Their rows are locked by this transaction.
create function pawl.leave_queue(p_bucket smallint, p_row tid[]) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
    v_gate text[];
    v_idle tid[];
begin
    with awake as (
        update pawl.live_run l
           set state = 0, due_at = least(l.due_at, now()), slot = 3
         where l.ctid = any (p_row) and l.state = 3
        returning l.run_id
    ), gone as (
        delete from pawl.flow_wait w
         where w.ctid = any (array(
               select x.row_id
                 from awake a
                cross join lateral (
                    select q.ctid as row_id from pawl.flow_wait q where q.bucket = p_bucket and q.run_id = a.run_id
                    offset 0
                ) as x
           ))
        returning w.gate
    )
    select array_agg(distinct g.gate) into v_gate from gone g;
    -- A gate that nobody waits at or is inside of any more; one that is locked is somebody else's matter.
    select array_agg(g.row_id) into v_idle
      from unnest(v_gate) as u (gate)
     cross join lateral (
         select h.ctid as row_id
           from pawl.flow_gate h
          where h.bucket = p_bucket and h.gate = u.gate and h.held = 0
            for update skip locked
     ) as g;
    delete from pawl.flow_gate g
     where g.ctid = any (v_idle)
       and not exists (select 1 from pawl.flow_wait w where w.bucket + 0 = p_bucket and w.gate = g.gate);
end
$$;

-- Leaves messages for runs that are open, and makes those ready that nobody holds. With p_wait a run that somebody
-- is changing is waited for, one after the other by id; without, its message is left as `unsure`. A run that waits at a
-- gate gets its messages when it is let in; a cancel it gets at once. Returns the runs that were reached.
create or replace function pawl.leave_signals(
    p_bucket smallint, p_run uuid[], p_kind text[], p_data jsonb[], p_wait boolean
) returns setof uuid
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
    v_row tid[];
    v_worker uuid[];
    v_open boolean[];
begin
    -- A statement of its own: what it waited for is seen by the next one only.
    if p_wait then
        select array_agg(l.row_id order by u.place), array_agg(l.worker order by u.place),
               array_agg(l.row_id is not null order by u.place)
          into v_row, v_worker, v_open
          from (
              select n.run_id, n.place from unnest(p_run) with ordinality as n (run_id, place) order by 1, 2 offset 0
          ) as u
          left join lateral (
              select h.ctid as row_id, h.worker
                from pawl.live_run h
               where h.bucket = p_bucket and h.run_id = u.run_id
                 for no key update
          ) as l on true;
    else
        select array_agg(l.row_id order by u.place), array_agg(l.worker order by u.place),
               array_agg(o.one is not null order by u.place)
          into v_row, v_worker, v_open
          from unnest(p_run) with ordinality as u (run_id, place)
          left join lateral (
              select 1 as one from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
          ) as o on true
          left join lateral (
              select h.ctid as row_id, h.worker
                from pawl.live_run h
               where h.bucket = p_bucket and h.run_id = u.run_id
                 for no key update skip locked
          ) as l on true;
    end if;
    insert into pawl.signal (bucket, run_id, kind, data, worker, unsure)
    select p_bucket, u.run_id, u.kind, u.data, u.worker, u.row_id is null
      from unnest(p_run, p_kind, p_data, v_row, v_worker, v_open) as u (run_id, kind, data, row_id, worker, open)
     where u.open;
    update pawl.live_run l
       set state = 0, due_at = least(l.due_at, now())
     where l.ctid = any (v_row) and l.state in (0, 2);
    if 'cancel' = any (p_kind) then
        perform pawl.leave_queue(p_bucket, array(
            select u.row_id from unnest(v_row, p_kind) as u (row_id, kind) where u.kind = 'cancel'
        ));
    end if;
    return query
    select distinct u.run_id from unnest(p_run, v_open) as u (run_id, open) where u.open;
end
$$;

create or replace function pawl.settle_signals(p_bucket smallint, p_limit int) returns int
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
    v_signal tid[];
    v_row tid[];
    v_worker uuid[];
    v_open boolean[];
    v_kind text[];
begin
    if not exists (select 1 from pawl.signal s where s.bucket = p_bucket and s.unsure) then
        return 0;
    end if;
    select array_agg(s.row_id), array_agg(l.row_id), array_agg(l.worker), array_agg(o.one is not null),
           array_agg(s.kind)
      into v_signal, v_row, v_worker, v_open, v_kind
      from (
          select s.ctid as row_id, s.run_id, s.kind
            from pawl.signal s
           where s.bucket = p_bucket and s.unsure
           order by s.id
           limit p_limit
             for update skip locked
      ) as s
      left join lateral (
          select 1 as one from pawl.live_run h where h.bucket = p_bucket and h.run_id = s.run_id offset 0
      ) as o on true
      left join lateral (
          select h.ctid as row_id, h.worker
            from pawl.live_run h
           where h.bucket = p_bucket and h.run_id = s.run_id
             for no key update skip locked
      ) as l on true;
    delete from pawl.signal s
     where s.ctid = any (array(
           select u.signal from unnest(v_signal, v_open) as u (signal, open) where not u.open
       ));
    update pawl.signal s
       set unsure = false, worker = v_worker[array_position(v_signal, s.ctid)]
     where s.ctid = any (array(
           select u.signal from unnest(v_signal, v_row) as u (signal, row_id) where u.row_id is not null
       ));
    update pawl.live_run l
       set state = 0, due_at = least(l.due_at, now())
     where l.ctid = any (v_row) and l.state in (0, 2);
    if 'cancel' = any (v_kind) then
        perform pawl.leave_queue(p_bucket, array(
            select u.row_id from unnest(v_row, v_kind) as u (row_id, kind) where u.kind = 'cancel'
        ));
    end if;
    return (select count(*) from unnest(v_row, v_open) as u (row_id, open) where u.open and u.row_id is null);
end
$$;

-- Going on from an older run ------------------------------------------------------------------------------------------

-- See 0005_graph.sql; the new run passes the gates of the old one again.
create or replace function pawl.retry_runs(p_bucket smallint, p_tenant int, p_run uuid[], p_new uuid[])
returns table (run_id uuid, status text, retried_as uuid, created boolean)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
declare
    v_old uuid[] := '{}';
    v_new uuid[] := '{}';
begin
    -- The row of the old run is the lock: of two retries one waits and then sees the other's run. Ordered, so that two
    -- batches do not wait for each other.
    for run_id, status, retried_as, created in
        select u.old,
               coalesce(pawl.run_status_name(r.status),
                        case when l.state is null then '' else pawl.open_status_name(l.state, l.due_at) end),
               r.retried_as, r.status in (2, 3) and r.retried_as is null
          from (select distinct on (x.old) x.old from unnest(p_run) as x (old) order by x.old) as u
          left join lateral (
              select c.status, c.retried_as
                from pawl.run c
               where c.bucket = p_bucket and c.run_id = u.old and c.tenant = p_tenant
                 for no key update
          ) as r on true
          left join lateral (
              select o.state, o.due_at
                from pawl.live_run o
               where o.bucket = p_bucket and o.run_id = u.old and o.tenant = p_tenant
              offset 0
          ) as l on true
    loop
        created := coalesce(created, false);
        if created then
            retried_as := p_new[array_position(p_run, run_id)];
            v_old := v_old || run_id;
            v_new := v_new || retried_as;
        end if;
        return next;
    end loop;
    if cardinality(v_old) = 0 then
        return;
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select kept.new, case when kept.type = 0 then now() else kept.at end, kept.place, p_bucket, kept.type,
           kept.attempt, kept.node,
           case when kept.type = 0
                then kept.data - 'start_at' - 'caller'
                     || jsonb_build_object('parent', kept.old, 'retry_of', kept.old, 'copied', kept.copied,
                                           'triggered_by', 'retry')
                else kept.data end,
           kept.error, kept.token
      from (
          select u.old, u.new, e.type, e.at, e.attempt, e.node, e.data, e.error, e.token,
                 row_number() over (partition by u.new order by e.seq) - 1 as place,
                 count(*) over (partition by u.new) - 1 as copied
            from unnest(v_old, v_new) as u (old, new)
           cross join lateral (
               select array(
                          select coalesce(n.node ->> 'id', n.node ->> 'name')
                            from jsonb_array_elements(pawl.steps_of(v.definition)) as n (node)
                           where n.node ->> 'on_failure' = 'continue'
                      ) as nodes
                 from pawl.run c
                 join pawl.workflow_version v on v.workflow = c.workflow and v.version = c.version
                where c.bucket = p_bucket and c.run_id = u.old
               offset 0
           ) as continuing
           cross join lateral (
               -- Whether the visit of the node came to an end at this event or later: it completed, or gave up and the
               -- run went on.
               select f.*,
                      bool_or(
                          f.type in (1, 7, 16)
                          or f.type = 2 and f.data -> 'retry_at' is null
                          and (f.node = any (continuing.nodes) or f.data ? 'caught')
                      ) over (partition by f.node, f.token order by f.seq desc) as finished,
                      bool_or(f.type = 14) over () as undone
                 from pawl.event f
                where f.bucket = p_bucket and f.run_id = u.old
               offset 0
           ) as e
           -- What was undone must be done again: such a run begins anew.
           where e.type not in (4, 5, 6) and (e.type <> 2 or e.finished) and (not e.undone or e.type = 0)
             -- Whoever was to answer the old run does not know the new one: it asks again.
             and (e.type <> 3 or coalesce(e.data ->> 'for', '') not in ('child', 'callback', 'lock'))
             and (e.type <> 10 or e.data ->> 'kind' not in ('child', 'callback', 'lock', 'task'))
      ) as kept;
    insert into pawl.live_run
        (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
    select u.new, now(), p_tenant, r.workflow, r.version, p_bucket, 0, coalesce(r.priority, 0), r.subject, r.flow,
           case when r.flow is not null then 2 end
      from unnest(v_old, v_new) as u (old, new)
     cross join lateral (
         select c.workflow, c.version, c.subject,
                (select (e.data ->> 'priority')::smallint
                   from pawl.event e
                  where e.bucket = p_bucket and e.run_id = u.old and e.seq = 0) as priority,
                (select (e.data -> 'flow') - 'gather'
                   from pawl.event e
                  where e.bucket = p_bucket and e.run_id = u.old and e.seq = 0) as flow
           from pawl.run c
          where c.bucket = p_bucket and c.run_id = u.old
         offset 0
     ) as r;
    update pawl.run r
       set retried_as = v_new[array_position(v_old, r.run_id)]
     where r.bucket = p_bucket and r.run_id = any (v_old);
    update pawl.dead_letter d
       set replayed_as = v_new[array_position(v_old, d.run_id)], replayed_at = now()
     where d.bucket = p_bucket and d.run_id = any (v_old);
end
$$;

create or replace function pawl.rerun_from(
    p_bucket smallint, p_tenant int, p_run uuid, p_new uuid, p_before int, p_input jsonb
) returns boolean
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_custom_plan set enable_seqscan = off set jit = off as $$
declare
    v_run record;
begin
    select r.workflow, r.version, r.subject into v_run
      from (
          select l.workflow, l.version, l.subject, l.tenant
            from pawl.live_run l
           where l.bucket = p_bucket and l.run_id = p_run
           union all
          select c.workflow, c.version, c.subject, c.tenant
            from pawl.run c
           where c.bucket = p_bucket and c.run_id = p_run
      ) as r
     where r.tenant = p_tenant;
    if not found then
        return false;
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select p_new, case when kept.type = 0 then now() else kept.at end, kept.place, p_bucket, kept.type, kept.attempt,
           kept.node,
           case when kept.type = 0
                then kept.data - 'start_at' - 'caller' - 'retry_of'
                     || jsonb_build_object('parent', p_run, 'rerun_of', p_run, 'copied', kept.copied,
                                           'triggered_by', 'rerun', 'input', coalesce(p_input, kept.data -> 'input'))
                else kept.data end,
           kept.error, kept.token
      from (
          select e.*, row_number() over (order by e.seq) - 1 as place, count(*) over () - 1 as copied
            from pawl.event e
           where e.bucket = p_bucket and e.run_id = p_run and e.seq < greatest(p_before, 1)
             and e.type not in (4, 5, 6)
             and (e.type <> 3 or coalesce(e.data ->> 'for', '') not in ('child', 'callback', 'lock'))
             and (e.type <> 10 or e.data ->> 'kind' not in ('child', 'callback', 'lock', 'task'))
      ) as kept;
    insert into pawl.live_run
        (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
    select p_new, now(), p_tenant, v_run.workflow, v_run.version, p_bucket, 0, 0, v_run.subject,
           (e.data -> 'flow') - 'gather', case when e.data ? 'flow' then 2 end
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = p_new and e.seq = 0;
    return true;
end
$$;

-- Tickets -------------------------------------------------------------------------------------------------------------

-- The key of a gate, as src/model/flow_control.cpp renders it.
create function pawl.render_key(p_text text, p_data jsonb, p_subject text) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    c_space constant text := E' \t\n\r';
    v_rest text := p_text;
    v_key text := '';
    v_end int;
    v_content text;
    v_bar int;
    v_segments jsonb;
    v_value jsonb;
    v_literal text;
begin
    while strpos(v_rest, '{{') > 0 loop
        v_key := v_key || left(v_rest, strpos(v_rest, '{{') - 1);
        v_rest := substr(v_rest, strpos(v_rest, '{{') + 2);
        v_end := pawl.placeholder_end(v_rest);
        exit when v_end = 0;
        v_content := btrim(left(v_rest, v_end - 1), c_space);
        v_rest := substr(v_rest, v_end + 2);
        v_value := null;
        v_literal := v_content;
        if left(v_content, 1) not in ('"', '''') then
            v_bar := strpos(v_content, '|');
            select p.segments into v_segments
              from pawl.parse_path(
                  btrim(case when v_bar > 0 then left(v_content, v_bar - 1) else v_content end, c_space)
              ) p;
            v_literal := case when v_bar > 0
                              then btrim(substring(v_content from 'default\s*:(.*)$'), c_space) end;
            if v_segments -> 0 ->> 1 = 'run' then
                v_value := pawl.walk(jsonb_build_object('subject', coalesce(p_subject, '')), v_segments, 1);
            end if;
            v_value := coalesce(
                v_value, pawl.walk(p_data, v_segments, case when v_segments -> 0 ->> 1 = 'input' then 1 else 0 end)
            );
        end if;
        if (v_value is null or v_value = 'null') and v_literal is not null then
            v_value := case when left(v_literal, 1) = ''''
                            then to_jsonb(substr(v_literal, 2, length(v_literal) - 2)) else v_literal::jsonb end;
        end if;
        v_key := v_key || case when v_value = 'null' then 'null' else coalesce(v_value #>> '{}', '') end;
    end loop;
    return regexp_replace(left(v_key || v_rest, 200), '[\u0001-\u001f]', ' ', 'g');
end
$$;

-- What a run brings to the limits of its definition (flow_ticket); null when it has none.
create function pawl.flow_ticket(p_flow jsonb, p_tenant int, p_workflow int, p_input jsonb, p_subject text)
returns jsonb
language sql immutable parallel safe set search_path = pg_catalog
return (
    with entry as (
        select e.kind, e.value, e.n,
               format(
                   '%s/%s/%s/%s', case when e.value ->> 'scope' = 'global' then 0 else p_tenant end,
                   case when coalesce(e.value ->> 'scope', 'workflow') = 'workflow' then p_workflow else 0 end,
                   coalesce(e.value ->> 'name', e.name),
                   pawl.render_key(coalesce(e.value ->> 'key', ''), p_input, p_subject)
               ) as gate
          from (
              select 'slot', s.value, s.n, case when s.n = 1 then 'concurrency' else 'concurrency_' || s.n end
                from jsonb_array_elements(
                    case jsonb_typeof(p_flow -> 'concurrency') when 'object'
                         then jsonb_build_array(p_flow -> 'concurrency') else p_flow -> 'concurrency' end
                ) with ordinality as s (value, n)
              union all
              select 'rate', p_flow -> 'rate', 1, 'rate' where jsonb_typeof(p_flow -> 'rate') = 'object'
              union all
              select 'gather', p_flow -> g.kind, 1, g.kind
                from (values ('batch'), ('debounce')) as g (kind)
               where jsonb_typeof(p_flow -> g.kind) = 'object'
          ) as e (kind, value, n, name)
    )
    select nullif(jsonb_strip_nulls(jsonb_build_object(
        'slots', (
            select jsonb_agg(jsonb_build_array(e.gate, (e.value ->> 'limit')::int) order by e.n)
              from entry e where e.kind = 'slot'
        ),
        'free', (select true where p_flow ->> 'while_waiting' = 'free' and p_flow ? 'concurrency'),
        'rate', (
            select jsonb_build_array(
                       e.gate, (e.value ->> 'limit')::int, pawl.duration_ms(e.value -> 'per') * 1000,
                       coalesce((e.value ->> 'burst')::int, 1), coalesce(e.value ->> 'over', 'wait') = 'drop'
                   )
              from entry e where e.kind = 'rate'
        ),
        'gather', (
            select jsonb_build_array(
                       e.gate, coalesce((e.value ->> 'size')::int, 0),
                       coalesce(pawl.duration_ms(e.value -> 'period'), 0) * 1000,
                       coalesce(pawl.duration_ms(e.value -> 'max_wait'), 0) * 1000
                   )
              from entry e where e.kind = 'gather'
        )
    )), '{}')
);

-- The tickets of runs that are started by SQL, in the order of the arrays, and event 0 with them; p_flow is empty and
-- nothing is changed when no workflow among them has limits.
create function pawl.tickets_for(
    p_workflow int[], p_version int[], p_tenant int[], p_subject text[], p_data jsonb[], out flow jsonb[],
    out data jsonb[]
)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
begin
    flow := '{}';
    data := p_data;
    if not exists (
        select 1
          from (select distinct u.workflow, u.version from unnest(p_workflow, p_version) as u (workflow, version)) as u
         cross join lateral (
             select 1 from pawl.workflow_version v
              where v.workflow = u.workflow and v.version = u.version and v.definition ? 'flow'
             offset 0
         ) as v
    ) then
        return;
    end if;
    select array_agg(t.ticket order by u.n),
           array_agg(
               case when t.ticket is null then u.data
                    else u.data || jsonb_build_object('flow', t.ticket)
                         || case when v.flow ? 'batch'
                                 then jsonb_build_object(
                                          'input', jsonb_build_object('items', jsonb_build_array(u.data -> 'input'))
                                      )
                                 else '{}' end
               end order by u.n
           )
      into flow, data
      from unnest(p_workflow, p_version, p_tenant, p_subject, p_data) with ordinality
           as u (workflow, version, tenant, subject, data, n)
      left join lateral (
          select w.definition -> 'flow' as flow
            from pawl.workflow_version w
           where w.workflow = u.workflow and w.version = u.version
          offset 0
      ) as v on true
     cross join lateral (
         select case when v.flow is not null
                     then pawl.flow_ticket(v.flow, u.tenant, u.workflow, u.data -> 'input', u.subject) end
     ) as t (ticket);
end
$$;

-- Gathers starts with the same key: into a run that has not begun, as a message that changes its input, or into a new
-- one. One row for each start: the run that it became, and, when that is itself, when it is due. A start that was
-- gathered keeps the run under a key of its own, so that it is not gathered twice when its outcome was unknown.
create function pawl.gather_starts(
    p_bucket smallint, p_resend boolean, p_run uuid[], p_tenant int[], p_workflow int[], p_data jsonb[],
    p_correlation text[], p_flow jsonb[]
) returns table (place int, requested uuid, existing uuid, due timestamptz)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    c_micro constant interval := interval '1 microsecond';
    v_start record;
    v_group record;
    v_open boolean;
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
        insert into pawl.flow_group (bucket, gate, run_id, first_at, count)
        values (p_bucket, v_start.gate, requested, now(), 0)
            on conflict do nothing;
        select g.run_id, g.first_at, g.count into v_group
          from pawl.flow_group g
         where g.bucket = p_bucket and g.gate = v_start.gate
           for no key update;
        v_open := v_group.run_id <> requested and (v_start.size = 0 or v_group.count < v_start.size);
        if v_open and v_group.run_id <> all (p_run) then
            -- One that is being claimed has begun.
            perform 1
               from pawl.live_run l
              where l.bucket = p_bucket and l.run_id = v_group.run_id and l.state = 0 and l.slot = 4
                for no key update skip locked;
            v_open := found;
        end if;
        if not v_open then
            update pawl.flow_group g
               set run_id = requested, first_at = now(), count = 1
             where g.bucket = p_bucket and g.gate = v_start.gate;
            existing := requested;
            due := now() + case when v_start.size > 0 then v_start.max_wait else v_start.period end;
            return next;
            continue;
        end if;
        existing := v_group.run_id;
        insert into pawl.correlation (bucket, tenant, workflow, key, run_id)
        select p_bucket, v_start.tenant, v_start.workflow, k.key, existing
          from (values ('gathered:' || requested::text), (v_start.key)) as k (key)
         where k.key is not null
            on conflict do nothing;
        insert into pawl.signal (bucket, run_id, kind, data)
        values (
            p_bucket, existing, 'gather',
            case when v_start.size > 0 then jsonb_build_object('item', v_start.input -> 'items' -> 0)
                 else jsonb_build_object('input', v_start.input) end
        );
        update pawl.flow_group g set count = g.count + 1 where g.bucket = p_bucket and g.gate = v_start.gate;
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

-- Limits on a running system ------------------------------------------------------------------------------------------

-- Sets a limit over that of the definitions, or takes it away again (null): of one key, or of all keys. p_workflow is
-- null for a limit that the workflows of a tenant share; p_tenant is 0 for one that everybody shares. Who waits gets in
-- at once where there is room now. Returns the name of the gate; null when there is no such workflow.
create function pawl.set_limit(p_tenant int, p_workflow text, p_name text, p_key text, p_limit int) returns text
language plpgsql set search_path = pg_catalog set enable_seqscan = off as $$
declare
    v_workflow int := 0;
    v_gate text collate "C";
    v_bucket smallint;
begin
    if p_limit not between 0 and 1000000 then
        raise exception 'a limit is a number from 0 to 1000000' using errcode = 'invalid_parameter_value';
    elsif coalesce(p_name, '') = '' or strpos(p_name, '/') > 0 then
        raise exception 'a limit has a name, without a slash' using errcode = 'invalid_parameter_value';
    end if;
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return null;
        end if;
    end if;
    v_gate := format('%s/%s/%s/%s', p_tenant, v_workflow, p_name, left(p_key, 200));
    if p_limit is null then
        delete from pawl.flow_limit l where l.gate = v_gate;
    else
        insert into pawl.flow_limit (gate, "limit") values (v_gate, p_limit)
            on conflict (gate) do update set "limit" = excluded."limit", at = now();
    end if;
    -- In the order in which others lock them.
    perform 1
       from pawl.flow_gate g
      where g.gate >= v_gate and g.gate < v_gate || chr(1114111) and (p_key is null or g.gate = v_gate)
      order by g.gate
        for no key update;
    for v_bucket in
        with changed as (
            update pawl.flow_gate g
               set "limit" = pawl.limit_of(g.gate, g.base), look = true
             where g.gate >= v_gate and g.gate < v_gate || chr(1114111) and (p_key is null or g.gate = v_gate)
            returning g.bucket
        )
        select distinct c.bucket from changed c
    loop
        perform pg_notify('pawl_wake', v_bucket::text);
    end loop;
    return v_gate;
end
$$;

-- Gates that somebody is inside of or waits at, and limits that were set, by name of the gate; those of a tenant and
-- those that everybody shares. `waiting` counts up to 10000.
create function pawl.list_limits(p_tenant int, p_workflow text, p_after text, p_limit int)
returns table (
    gate text, scope text, workflow text, name text, key text, "limit" int, defined int, set int, running int,
    waiting int
)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    select x.gate, case when p.tenant = 0 then 'global' when p.workflow = 0 then 'tenant' else 'workflow' end, w.name,
           p.name, nullif(p.key, ''), coalesce(x."limit", x.set), x.base, x.set, coalesce(x.held, 0),
           (select count(*)::int
              from (select 1 from pawl.flow_wait q where q.gate = x.gate limit 10000) as q)
      from (
          select coalesce(g.gate, l.gate) as gate, g."limit", g.base, g.held, l."limit" as set
            from pawl.flow_gate g
            full join pawl.flow_limit l on l.gate = g.gate
      ) as x
     cross join lateral (
         select split_part(x.gate, '/', 1)::int, split_part(x.gate, '/', 2)::int, split_part(x.gate, '/', 3),
                substring(x.gate from '^[^/]*/[^/]*/[^/]*/(.*)$')
     ) as p (tenant, workflow, name, key)
      left join pawl.workflow w on w.id = p.workflow
     where p.tenant in (0, p_tenant) and (p_workflow is null or w.name = p_workflow)
       and (p_after is null or x.gate collate "C" > p_after collate "C")
     order by x.gate collate "C"
     limit p_limit;
end
$$;

-- What does not agree: gates that count wrongly, that have room while somebody waits and nobody was told, or that are
-- left behind; runs that wait nowhere, and the reverse. Nothing, on a system that works. Reads all open runs.
create function pawl.flow_problems(p_bucket smallint) returns table (gate text, problem text)
language plpgsql stable set search_path = pg_catalog set jit = off as $$
#variable_conflict use_column
begin
    return query
    with inside as (
        select s.slot ->> 0 as gate, count(*)::int as count
          from pawl.live_run l
         cross join lateral jsonb_array_elements(l.flow -> 'slots') as s (slot)
         where l.bucket = p_bucket and l.slot = 1
         group by 1
    )
    select coalesce(g.gate, i.gate), format('counts %s, and %s are inside', coalesce(g.held, 0), coalesce(i.count, 0))
      from (select * from pawl.flow_gate o where o.bucket = p_bucket) as g
      full join inside i on i.gate = g.gate
     where coalesce(g.held, 0) <> coalesce(i.count, 0)
    union all
    select g.gate, 'has room, and somebody waits'
      from pawl.flow_gate g
     where g.bucket = p_bucket and (g.held < g."limit" and not g.look or not g.waited)
       and exists (select 1 from pawl.flow_wait w where w.bucket = p_bucket and w.gate = g.gate)
    union all
    select g.gate, 'is left behind'
      from pawl.flow_gate g
     where g.bucket = p_bucket and g.held = 0 and not g.look
       and not exists (select 1 from pawl.flow_wait w where w.bucket = p_bucket and w.gate = g.gate)
    union all
    select w.gate, format('run %s waits, and %s', w.run_id,
                          case when l.run_id is null then 'is not queued' else 'the gate is not there' end)
      from pawl.flow_wait w
      left join pawl.live_run l on l.bucket = w.bucket and l.run_id = w.run_id and l.state = 3
     where w.bucket = p_bucket
       and (l.run_id is null
            or not exists (select 1 from pawl.flow_gate g where g.bucket = w.bucket and g.gate = w.gate))
    union all
    select l.flow -> 'slots' -> 0 ->> 0, format('run %s is queued and waits nowhere', l.run_id)
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 3
       and not exists (select 1 from pawl.flow_wait w where w.bucket = p_bucket and w.run_id = l.run_id);
end
$$;
