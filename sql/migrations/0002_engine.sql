-- The hot operations. Each takes the bucket first, does its work in one statement a table over
-- arrays, and pins its planner settings: a table that is empty at ANALYZE and full a second
-- later must not flip a plan.
-- breaking: no

set local lock_timeout = '5s';

-- Stops a worker that was declared dead (SQLSTATE PW001), and holds off declaring it dead until
-- this transaction ends.
create function pawl.assert_worker(p_worker uuid) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    perform 1 from pawl.worker w where w.id = p_worker for key share;
    if not found then
        raise exception 'worker % is not registered or was declared dead', p_worker using errcode = 'PW001';
    end if;
end
$$;

-- Starts runs: event 0 and a live_run row each, leased to p_worker where p_lease says so, else
-- ready at p_due. A run whose correlation key is taken is not started; such runs are returned
-- with the id that holds the key. p_resend: the outcome of the same call is unknown, so skip
-- what is there already.
create function pawl.start_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean,
    p_run uuid[], p_tenant int[], p_workflow int[], p_version int[], p_subject text[], p_priority smallint[],
    p_due timestamptz[], p_data jsonb[], p_correlation text[], p_lease boolean[]
) returns table (requested uuid, existing uuid)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
    v_skip uuid[] := '{}';
begin
    if p_worker is not null then
        perform pawl.assert_worker(p_worker);
    end if;
    if p_correlation is not null then
        -- Ordered, so that two batches with the same keys wait for each other instead of deadlocking.
        insert into pawl.correlation (bucket, tenant, workflow, key, run_id)
        select p_bucket, u.tenant, u.workflow, u.key, u.run_id
          from unnest(p_run, p_tenant, p_workflow, p_correlation) as u (run_id, tenant, workflow, key)
         where u.key is not null
         order by u.tenant, u.workflow, u.key, u.run_id
            on conflict do nothing;
        for requested, existing in
            select u.run_id, c.run_id
              from unnest(p_run, p_tenant, p_workflow, p_correlation) as u (run_id, tenant, workflow, key)
              join pawl.correlation c
                on c.bucket = p_bucket and c.tenant = u.tenant and c.workflow = u.workflow and c.key = u.key
             where u.key is not null and c.run_id <> u.run_id
        loop
            v_skip := v_skip || requested;
            return next;
        end loop;
    end if;
    if p_resend or cardinality(v_skip) > 0 then
        with started as (
            insert into pawl.event (run_id, at, seq, bucket, type, data)
            select u.run_id, now(), 0, p_bucket, 0, u.data
              from unnest(p_run, p_data) as u (run_id, data)
             where u.run_id <> all (v_skip)
                on conflict do nothing
            returning run_id
        )
        insert into pawl.live_run (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject)
        select u.run_id, case when u.lease then p_worker end, coalesce(u.due, now()), u.tenant, u.workflow, u.version,
               p_bucket, case when u.lease then 1 else 0 end, u.priority, u.subject
          from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_lease)
               as u (run_id, tenant, workflow, version, subject, priority, due, lease)
         where u.run_id = any (array(select s.run_id from started s));
        return;
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, data)
    select u.run_id, now(), 0, p_bucket, 0, u.data
      from unnest(p_run, p_data) as u (run_id, data);
    insert into pawl.live_run (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject)
    select u.run_id, case when u.lease then p_worker end, coalesce(u.due, now()), u.tenant, u.workflow, u.version,
           p_bucket, case when u.lease then 1 else 0 end, u.priority, u.subject
      from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_lease)
           as u (run_id, tenant, workflow, version, subject, priority, due, lease);
end
$$;

-- Leases up to p_limit due runs to a worker, most urgent priority first (lower is sooner), and
-- returns their logs, and after them the signals that wait for any run it holds (rows with a signal's
-- id; the kind stands in node). One index range per priority: a million runs that sleep until tomorrow
-- are never walked over.
create function pawl.claim_runs(p_bucket smallint, p_worker uuid, p_limit int)
returns table (
    run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz,
    signal bigint
)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    v_ids uuid[] := '{}';
    v_taken uuid[];
    v_priority smallint;
begin
    perform pawl.assert_worker(p_worker);
    select l.priority into v_priority
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 0
     order by l.bucket, l.priority, l.due_at, l.run_id
     limit 1;
    while v_priority is not null and cardinality(v_ids) < p_limit loop
        -- Materialized: a plain sub-select may be evaluated again and lock more rows than the limit.
        with due as materialized (
            select l.ctid as row_id
              from pawl.live_run l
             where l.bucket = p_bucket and l.state = 0 and l.priority = v_priority and l.due_at <= now()
             order by l.due_at, l.run_id
             limit p_limit - cardinality(v_ids)
               for no key update skip locked
        ), taken as (
            -- By the place of the row, which its lock keeps still, and by nothing else: a condition on
            -- bucket or run_id may become a scan of the whole index with a filter, depending on how
            -- small the table was when the plan was made.
            update pawl.live_run l
               set state = 1, worker = p_worker
             where l.ctid = any (array(select due.row_id from due))
            returning l.run_id
        )
        select array_agg(t.run_id) into v_taken from taken t;
        v_ids := v_ids || coalesce(v_taken, '{}');
        select l.priority into v_priority
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.priority > v_priority
         order by l.bucket, l.priority, l.due_at, l.run_id
         limit 1;
    end loop;
    if cardinality(v_ids) > 0 then
        return query
        select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, null::bigint
          from unnest(v_ids) as u (run_id)
         cross join lateral (
             select * from pawl.event l where l.bucket = p_bucket and l.run_id = u.run_id offset 0
         ) as e
         order by e.run_id, e.seq;
    end if;
    -- In the same transaction, so that a run woken by a signal is seen together with it. Almost never
    -- are there any.
    if exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        return query
        select s.run_id, null::int, null::smallint, null::smallint, s.kind, s.data, null::jsonb, now(), s.id
          from pawl.pending_signals(p_bucket, p_worker) s;
    end if;
end
$$;

-- Runs leased to a worker that it does not know of, because the answer to its claim was lost. Scans live_run:
-- called after a broken connection only.
create function pawl.leased_runs(p_bucket smallint, p_worker uuid, p_held uuid[])
returns table (
    run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz
)
language plpgsql set search_path = pg_catalog set enable_seqscan = off as $$
#variable_conflict use_column
begin
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at
      from pawl.live_run l
     cross join lateral (
         select * from pawl.event h where h.bucket = p_bucket and h.run_id = l.run_id offset 0
     ) as e
     where l.bucket = p_bucket and l.worker = p_worker and l.state = 1 and l.run_id <> all (p_held)
     order by e.run_id, e.seq;
end
$$;

-- The group commit: appends events, parks runs (ready at a time, or parked without one) and
-- closes runs, all in the transaction that checks the worker's fence. Without p_resend a second
-- write of a sequence number is an error, because only the holder writes; with it, what the lost
-- first try has written is skipped.
create function pawl.commit_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean,
    p_run uuid[], p_seq int[], p_type smallint[], p_attempt smallint[], p_node text[], p_data jsonb[], p_error jsonb[],
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
begin
    perform pawl.assert_worker(p_worker);
    if p_resend then
        insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error)
        select u.run_id, now(), u.seq, p_bucket, u.type, u.attempt, u.node, u.data, u.error
          from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error)
               as u (run_id, seq, type, attempt, node, data, error)
            on conflict do nothing;
    else
        insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error)
        select u.run_id, now(), u.seq, p_bucket, u.type, u.attempt, u.node, u.data, u.error
          from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error)
               as u (run_id, seq, type, attempt, node, data, error);
    end if;
    if cardinality(p_close_run) > 0 then
        -- Nobody but the holder moves a leased row, so its place is known (see claim_runs).
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
           ));
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
                   md5(concat_ws('|', u.workflow, u.node, u.error ->> 'code',
                       regexp_replace(u.error ->> 'message', '[0-9a-fA-F-]{8,}|[0-9]+', '#', 'g')))
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
        update pawl.live_run l
           set (state, worker, due_at) = (
               select case when u.due is null then 2 else 0 end, null::uuid, coalesce(u.due, l.due_at)
                 from (select p_park_due[array_position(p_park_run, l.run_id)]) as u (due)
           )
         where l.ctid = any (array(
               select x.row_id
                 from unnest(p_park_run) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.live_run h
                     where h.bucket = p_bucket and h.run_id = u.run_id and h.worker = p_worker
                    offset 0
                ) as x
           ));
    end if;
    -- A signal may have come for a run while its holder was parking or closing it: the sender saw a leased run and only
    -- left the message. The row lock orders the two, so the message is visible here or there.
    if exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        update pawl.live_run l
           set state = 0, due_at = least(l.due_at, now())
         where l.bucket = p_bucket and l.run_id = any (p_park_run) and l.state in (0, 2)
           and exists (select 1 from pawl.signal s where s.bucket = p_bucket and s.run_id = l.run_id);
        delete from pawl.signal s
         using unnest(p_close_run) as u (run_id)
         where s.bucket = p_bucket and s.run_id = u.run_id;
    end if;
    return now();
end
$$;

-- Messages for runs that this worker holds. The table is empty almost always, and is always the one
-- to begin with, whatever the planner believes about it: the sub-select is not flattened.
create function pawl.pending_signals(p_bucket smallint, p_worker uuid)
returns table (id bigint, run_id uuid, kind text, data jsonb)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
    if not exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        return;
    end if;
    return query
    select s.id, s.run_id, s.kind, s.data
      from pawl.signal s
     cross join lateral (
         select 1
           from pawl.live_run l
          where l.bucket = p_bucket and l.run_id = s.run_id and l.worker = p_worker
         offset 0
     ) as held
     where s.bucket = p_bucket
     order by s.id
     limit 1000;
end
$$;

-- Asks for a run to be cancelled. Never writes the run: leaves a signal for its holder and, when
-- nobody holds it, makes it ready. Returns false when there is no such open run.
create function pawl.request_cancel(p_bucket smallint, p_run uuid, p_reason text) returns boolean
language plpgsql set search_path = pg_catalog as $$
begin
    perform 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = p_run for no key update;
    if not found then
        return false;
    end if;
    insert into pawl.signal (bucket, run_id, kind, data)
    values (p_bucket, p_run, 'cancel', jsonb_build_object('reason', p_reason));
    update pawl.live_run l
       set state = 0, due_at = least(l.due_at, now())
     where l.bucket = p_bucket and l.run_id = p_run and l.state in (0, 2);
    return true;
end
$$;

-- Takes workers away that have not been heard of for p_ttl and makes their runs ready again. A
-- worker in the middle of a batch holds its row, is skipped, and is looked at next time.
create function pawl.sweep_dead_workers(p_ttl interval) returns table (worker uuid, runs bigint)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_worker uuid;
    v_runs bigint;
begin
    for v_worker in
        select w.id from pawl.worker w where w.beat_at < now() - p_ttl for update skip locked
    loop
        update pawl.live_run l set state = 0, worker = null where l.worker = v_worker and l.state = 1;
        get diagnostics v_runs = row_count;
        delete from pawl.worker w where w.id = v_worker;
        worker := v_worker;
        runs := v_runs;
        return next;
    end loop;
end
$$;

-- A worker that stops. Whatever it still holds becomes ready: without its row nobody would ever
-- look at those runs again. The row goes first, so that a claim under way is waited for and seen
-- by the next statement.
create function pawl.retire_worker(p_worker uuid) returns bigint
language plpgsql set search_path = pg_catalog as $$
declare
    v_runs bigint;
begin
    delete from pawl.worker w where w.id = p_worker;
    update pawl.live_run l set state = 0, worker = null where l.worker = p_worker and l.state = 1;
    get diagnostics v_runs = row_count;
    return v_runs;
end
$$;

-- The log of one run. Planned with the id, so that one partition is opened and not all of them.
create function pawl.load_log(p_bucket smallint, p_run uuid)
returns table (seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
    return query
    select e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = p_run
     order by e.seq;
end
$$;

-- Open and closed runs, newest first: run ids are time-ordered, so both halves walk their
-- primary key backwards from the cursor and stop at the limit, whatever the statistics say.
-- Planned with the values, so that a missing filter costs nothing.
create function pawl.list_runs(p_bucket smallint, p_workflow text, p_status text, p_before uuid, p_limit bigint)
returns table (
    run_id uuid, workflow text, version int, status text, subject text, started_at timestamptz, closed_at timestamptz,
    due_at timestamptz, output jsonb, error jsonb
)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set enable_sort = off as $$
#variable_conflict use_column
begin
    return query
    select * from (
        (select l.run_id, w.name, l.version, pawl.live_state_name(l.state), l.subject,
                to_timestamp(('x' || substr(replace(l.run_id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0),
                null::timestamptz, l.due_at, null::jsonb, null::jsonb
           from pawl.live_run l
           join pawl.workflow w on w.id = l.workflow
          where l.bucket = p_bucket and (p_workflow is null or w.name = p_workflow)
            and (p_status is null or pawl.live_state_name(l.state) = p_status or p_status = 'running')
            and (p_before is null or l.run_id < p_before)
          order by l.run_id desc
          limit p_limit)
        union all
        (select r.run_id, w.name, r.version, pawl.run_status_name(r.status), r.subject, r.started_at, r.closed_at,
                null, r.output, r.error
           from pawl.run r
           join pawl.workflow w on w.id = r.workflow
          where r.bucket = p_bucket and (p_workflow is null or w.name = p_workflow)
            and (p_status is null or pawl.run_status_name(r.status) = p_status)
            and (p_before is null or r.run_id < p_before)
          order by r.run_id desc
          limit p_limit)
    ) as both_kinds
     order by 1 desc
     limit p_limit;
end
$$;

-- For people and programs that speak SQL: starts a run in the caller's own transaction. The
-- engine finds it by polling (within a second), because a NOTIFY here would serialise the
-- caller's commit with everybody else's.
create function pawl.start(
    p_workflow text, p_input jsonb default '{}', p_correlation text default null, p_subject text default null,
    p_priority smallint default 0, p_due timestamptz default null, p_tenant text default 'default'
) returns uuid
language plpgsql set search_path = pg_catalog as $$
declare
    v_run uuid := pawl.uuid7();
    v_workflow record;
    v_existing uuid;
begin
    select w.id, w.tenant, w.active_version, t.bucket, v.definition -> 'timeout_ms' as timeout_ms
      into v_workflow
      from pawl.workflow w
      join pawl.tenant t on t.id = w.tenant
      join pawl.workflow_version v on v.workflow = w.id and v.version = w.active_version
     where t.name = p_tenant and w.name = p_workflow;
    if not found then
        raise exception 'there is no workflow named "%"', p_workflow
            using errcode = 'no_data_found', hint = 'pawl workflows list shows the names.';
    end if;
    select s.existing into v_existing
      from pawl.start_runs(
          v_workflow.bucket, null, false, array[v_run], array[v_workflow.tenant], array[v_workflow.id],
          array[v_workflow.active_version], array[p_subject], array[p_priority], array[p_due],
          array[jsonb_strip_nulls(jsonb_build_object(
              'workflow', v_workflow.id, 'version', v_workflow.active_version, 'subject', p_subject,
              'timeout_ms', v_workflow.timeout_ms
          )) || jsonb_build_object('input', p_input)],
          case when p_correlation is not null then array[p_correlation] end, array[false]
      ) s;
    return coalesce(v_existing, v_run);
end
$$;

-- Makes p_definition the active version of a workflow, as a new immutable version unless it is
-- the active one already.
create function pawl.apply_workflow(p_name text, p_definition jsonb, p_tenant int default 1)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_definition jsonb;
begin
    -- Locks the row, so that two applies of one name go one after the other.
    insert into pawl.workflow as w (tenant, name, active_version)
    values (p_tenant, p_name, 1)
        on conflict (tenant, name) do update set updated_at = w.updated_at
    returning w.id, w.active_version into id, version;
    select v.definition into v_definition
      from pawl.workflow_version v where v.workflow = apply_workflow.id and v.version = apply_workflow.version;
    changed := v_definition is distinct from p_definition;
    if changed then
        insert into pawl.workflow_version (workflow, version, definition)
        select apply_workflow.id, coalesce(max(v.version), 0) + 1, p_definition
          from pawl.workflow_version v where v.workflow = apply_workflow.id
        returning workflow_version.version into version;
        update pawl.workflow w
           set active_version = apply_workflow.version, updated_at = now()
         where w.id = apply_workflow.id;
    end if;
    return next;
end
$$;
