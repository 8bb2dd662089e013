-- Signals are found by their run, whatever the statistics say, and a batch is not looked through for each of its rows:
-- with ten thousand signals waiting, taking five hundred cost half a second.
-- breaking: no

set local lock_timeout = '5s';

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
    v_due timestamptz[];
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
        v_row := array(
            select x.row_id
              from unnest(p_close_run) as u (run_id)
             cross join lateral (
                 select h.ctid as row_id from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
             ) as x
        );
        -- Who holds a place holds it at a gate: without gates there is nothing to give back.
        if exists (select 1 from pawl.flow_gate g) then
            with gone as (
                delete from pawl.live_run l where l.ctid = any (v_row) returning l.flow, l.slot
            )
            select array_agg(g.flow) into v_left from gone g where g.slot = 1;
        else
            delete from pawl.live_run l where l.ctid = any (v_row);
        end if;
        if p_resend then
            insert into pawl.run
                (run_id, started_at, closed_at, tenant, workflow, version, bucket, status, subject, output, error)
            select u.run_id, u.started_at, now(), u.tenant, u.workflow, u.version, p_bucket, u.status, u.subject,
                   u.output, u.error
              from unnest(p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version,
                          p_close_status, p_close_subject, p_close_output, p_close_error)
                   as u (run_id, started_at, tenant, workflow, version, status, subject, output, error)
                on conflict do nothing;
        else
            -- To be ready for a conflict costs a look into the index and a record of the log for every row.
            insert into pawl.run
                (run_id, started_at, closed_at, tenant, workflow, version, bucket, status, subject, output, error)
            select u.run_id, u.started_at, now(), u.tenant, u.workflow, u.version, p_bucket, u.status, u.subject,
                   u.output, u.error
              from unnest(p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version,
                          p_close_status, p_close_subject, p_close_output, p_close_error)
                   as u (run_id, started_at, tenant, workflow, version, status, subject, output, error);
        end if;
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
    end if;
    if cardinality(p_park_run) > 0 then
        -- Some give their places back while they wait.
        select array_agg(x.row_id), array_agg(u.due),
               array_agg(x.flow) filter (where x.slot = 1 and x.flow ? 'free' and (u.due is null or u.due > now()))
          into v_row, v_due, v_freed
          from unnest(p_park_run, p_park_due) as u (run_id, due)
         cross join lateral (
             select h.ctid as row_id, h.flow, h.slot
               from pawl.live_run h
              where h.bucket = p_bucket and h.run_id = u.run_id and h.worker = p_worker
             offset 0
         ) as x;
        update pawl.live_run l
           set state = case when u.due is null then 2 else 0 end, worker = null, due_at = coalesce(u.due, l.due_at),
               slot = case when l.slot = 1 and l.flow ? 'free' and (u.due is null or u.due > now()) then 2
                           else l.slot end,
               flow = case when l.slot = 1 and l.flow ? 'free' and (u.due is null or u.due > now())
                           then l.flow - 'rate' - 'gather' else l.flow end
          from unnest(v_row, v_due) as u (row_id, due)
         where l.ctid = u.row_id;
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
         where s.ctid = any (array(
               select x.row_id
                 from unnest(p_close_run) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id from pawl.signal h
                     where h.bucket = p_bucket and h.run_id = u.run_id
                    offset 0
                ) as x
           ));
    end if;
    if v_left is not null then
        perform pawl.leave_gates(p_bucket, array(
            select jsonb_array_elements(u.flow -> 'slots') ->> 0 from unnest(v_left) as u (flow)
        ));
    end if;
    return now();
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
       set unsure = false, worker = u.worker
      from unnest(v_signal, v_row, v_worker) as u (signal, row_id, worker)
     where s.ctid = u.signal and u.row_id is not null;
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
