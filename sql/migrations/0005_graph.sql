-- Graphs: which token of a run an event is about, and the kinds of event that branching, waiting and asking need.
-- The functions that read and write the log carry the token along; they replace those of 0002 and 0004.
-- breaking: yes

set local lock_timeout = '5s';

-- Null for the first token, which is the only one of a run without branches: such a run costs nothing more.
alter table pawl.event add column token int;

create or replace function pawl.event_type_name(p_type smallint) returns text
language sql immutable parallel safe
return (array['run_started', 'step_completed', 'step_failed', 'wait_started', 'run_completed', 'run_failed',
              'run_cancelled', 'node_passed', 'routed', 'joined', 'signal_received', 'wait_noted', 'run_paused',
              'run_resumed', 'compensation_started', 'items_listed', 'step_skipped'])[p_type + 1];

alter table pawl.signal drop constraint signal_kind_check;
alter table pawl.signal add constraint signal_kind_check check (
    kind in ('cancel', 'pause', 'resume', 'skip', 'event', 'signal', 'task', 'child', 'callback', 'lock')
);

drop function pawl.commit_runs(
    smallint, uuid, boolean, uuid[], int[], smallint[], smallint[], text[], jsonb[], jsonb[], uuid[], timestamptz[],
    uuid[], timestamptz[], int[], int[], int[], smallint[], text[], jsonb[], jsonb[], text[], bigint[], uuid[]
);
-- The group commit. p_token may be null: every event is of the first token.
-- Appends events, parks runs (ready at a time, or parked without one) and
-- closes runs, all in the transaction that checks the worker's fence. Without p_resend a second
-- write of a sequence number is an error, because only the holder writes; with it, what the lost
-- first try has written is skipped.
create function pawl.commit_runs(
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

drop function pawl.claim_runs(smallint, uuid, int);
-- Leases up to p_limit due runs to a worker, most urgent priority first (lower is sooner), and
-- returns their logs, and after them the signals that wait for any run it holds (rows with a signal's
-- id; the kind stands in node). One index range per priority: a million runs that sleep until tomorrow
-- are never walked over.
create function pawl.claim_runs(p_bucket smallint, p_worker uuid, p_limit int)
returns table (
    run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz,
    token int, signal bigint
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
        select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token, null::bigint
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
        select s.run_id, null::int, null::smallint, null::smallint, s.kind, s.data, null::jsonb, now(), null::int, s.id
          from pawl.pending_signals(p_bucket, p_worker) s;
    end if;
end
$$;

drop function pawl.leased_runs(smallint, uuid, uuid[]);
-- Runs leased to a worker that it does not know of, because the answer to its claim was lost. Scans live_run:
-- called after a broken connection only.
create function pawl.leased_runs(p_bucket smallint, p_worker uuid, p_held uuid[])
returns table (
    run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz, token int
)
language plpgsql set search_path = pg_catalog set enable_seqscan = off as $$
#variable_conflict use_column
begin
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token
      from pawl.live_run l
     cross join lateral (
         select * from pawl.event h where h.bucket = p_bucket and h.run_id = l.run_id offset 0
     ) as e
     where l.bucket = p_bucket and l.worker = p_worker and l.state = 1 and l.run_id <> all (p_held)
     order by e.run_id, e.seq;
end
$$;

drop function pawl.load_log(smallint, uuid);
-- The log of one run. Planned with the id, so that one partition is opened and not all of them.
create function pawl.load_log(p_bucket smallint, p_run uuid)
returns table (seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz, token int)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
    return query
    select e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = p_run
     order by e.seq;
end
$$;

drop function pawl.events_after(smallint, uuid[], int[], int);
-- New events of many runs: those of p_run[i] after p_seq[i].
create function pawl.events_after(p_bucket smallint, p_run uuid[], p_seq int[], p_limit int)
returns table (
    run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz, token int
)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token
      from unnest(p_run, p_seq) as u (run_id, seq)
     cross join lateral (
         select * from pawl.event x where x.bucket = p_bucket and x.run_id = u.run_id and x.seq > u.seq
          order by x.seq
          limit p_limit
     ) as e
     limit p_limit;
end
$$;

-- For each closed run p_run[i] that failed or was cancelled: a new run p_new[i] that goes on where the old one stopped.
-- Its log is that of the old one without the end of the run and without the failures of a step that never finished, so
-- that this step is next and begins with its first attempt; failures after which the run had gone on stay. Times stay
-- too, except that the new run begins now, and with it its timeout. The old run keeps who went on from it, and is not
-- retried a second time. Answers for each run its status ('' when there is none of this tenant) and the new run.
-- Planned for each call: batches are large and rare, and a plan made for a small table would last.
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
    insert into pawl.live_run (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject)
    select u.new, now(), p_tenant, r.workflow, r.version, p_bucket, 0, coalesce(r.priority, 0), r.subject
      from unnest(v_old, v_new) as u (old, new)
     cross join lateral (
         select c.workflow, c.version, c.subject,
                (select (e.data ->> 'priority')::smallint
                   from pawl.event e
                  where e.bucket = p_bucket and e.run_id = u.old and e.seq = 0) as priority
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
