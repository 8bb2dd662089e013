-- Runs that stop wait for what is under way and undo it; what they could not undo is a dead letter and can be retried.
-- breaking: no

set local lock_timeout = '5s';

create or replace function pawl.event_type_name(p_type smallint) returns text
language sql immutable parallel safe
return (array['run_started', 'step_completed', 'step_failed', 'wait_started', 'run_completed', 'run_failed',
              'run_cancelled', 'node_passed', 'routed', 'joined', 'signal_received', 'wait_noted', 'run_paused',
              'run_resumed', 'compensation_started', 'items_listed', 'step_skipped', 'planned', 'run_repinned',
              'run_held', 'run_stopping'])[p_type + 1];

-- interrupted: the worker that held the run is gone, perhaps in the middle of a step.
alter table pawl.signal drop constraint signal_kind_check;
alter table pawl.signal add constraint signal_kind_check check (
    kind in ('cancel', 'pause', 'resume', 'skip', 'event', 'signal', 'task', 'child', 'callback', 'lock', 'gather',
             'repin', 'interrupted')
);

-- The runs that a worker held are ready for others, who are told.
create function pawl.release_held(p_worker uuid) returns bigint
language sql
set search_path = pg_catalog
as $$
    with released as (
        update pawl.live_run l set state = 0, worker = null
         where l.worker = p_worker and l.state = 1
        returning l.bucket, l.run_id
    ), told as (
        insert into pawl.signal (bucket, run_id, kind, data)
        select r.bucket, r.run_id, 'interrupted', '{}' from released r
        returning 1
    )
    select count(*) from told;
$$;

create or replace function pawl.sweep_dead_workers(p_ttl interval) returns table (worker uuid, runs bigint)
language plpgsql
set search_path = pg_catalog
as $$
#variable_conflict use_column
declare
    v_worker uuid;
begin
    for v_worker in
        select w.id from pawl.worker w where w.beat_at < now() - p_ttl for update skip locked
    loop
        runs := pawl.release_held(v_worker);
        delete from pawl.worker w where w.id = v_worker;
        worker := v_worker;
        return next;
    end loop;
end
$$;

create or replace function pawl.retire_worker(p_worker uuid) returns bigint
language plpgsql
set search_path = pg_catalog
as $$
begin
    delete from pawl.worker w where w.id = p_worker;
    return pawl.release_held(p_worker);
end
$$;

-- p_force: the run ends at once; nothing is waited for or undone.
drop function pawl.request_cancel(smallint, uuid, text);
create function pawl.request_cancel(p_bucket smallint, p_run uuid, p_reason text, p_force boolean default false)
returns boolean
language sql
set search_path = pg_catalog
begin atomic
    select exists (
        select 1
          from pawl.leave_signals(
              p_bucket, array[p_run], array['cancel'],
              array[jsonb_build_object('reason', p_reason)
                    || case when p_force then '{"force": true}'::jsonb else '{}'::jsonb end],
              true
          )
    );
end;

-- Children that end with the run that called them.
create function pawl.end_children(p_bucket smallint, p_child uuid[], p_reason text[]) returns void
language sql
set search_path = pg_catalog
as $$
    select count(*)
      from (
          select array_agg(u.child) as child, array_agg('cancel'::text) as kind,
                 array_agg(jsonb_build_object('reason', u.reason)) as data
            from unnest(p_child, p_reason) as u (child, reason)
      ) as a
     cross join lateral pawl.leave_signals(p_bucket, a.child, a.kind, a.data, false);
$$;

create or replace function pawl.commit_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean,
    p_run uuid[], p_seq int[], p_type smallint[], p_attempt smallint[], p_node text[], p_data jsonb[],
    p_error jsonb[], p_token int[],
    p_park_run uuid[], p_park_due timestamptz[],
    p_close_run uuid[], p_close_started timestamptz[], p_close_tenant int[], p_close_workflow int[],
    p_close_version int[], p_close_status smallint[], p_close_subject text[], p_close_output jsonb[],
    p_close_error jsonb[], p_close_node text[],
    p_signal bigint[], p_signal_run uuid[], p_held uuid[] default null
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
    select array_agg(x.row_id), array_agg(u.run_id) filter (where x.row_id is null) into v_held, v_lost
      from unnest(p_held) as u (run_id)
      left join lateral (
          select h.ctid as row_id
            from pawl.live_run h
           where h.bucket = p_bucket and h.run_id = u.run_id and h.worker = p_worker
          offset 0
      ) as x on true;
    if v_lost is not null then
        raise exception 'worker % does not hold these runs', p_worker
            using errcode = 'PW002', detail = array_to_string(v_lost, ',');
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select u.run_id, now(), u.seq, p_bucket, u.type, u.attempt, u.node, u.data, u.error, u.token
      from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error, p_token)
           as u (run_id, seq, type, attempt, node, data, error, token);
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
        select u.run_id, u.started_at, now(), u.tenant, u.workflow, u.version, p_bucket, u.status, u.subject,
               u.output, u.error
          from unnest(p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version,
                      p_close_status, p_close_subject, p_close_output, p_close_error)
               as u (run_id, started_at, tenant, workflow, version, status, subject, output, error);
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
             where u.status = 2 or u.error is not null
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

create or replace function pawl.retry_runs(p_bucket smallint, p_tenant int, p_run uuid[], p_new uuid[])
returns table (run_id uuid, status text, retried_as uuid, created boolean)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
declare
    v_old uuid[] := '{}';
    v_new uuid[] := '{}';
begin
    perform pawl.require_tenant(p_tenant);
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
                then kept.data - 'start_at' - 'caller' - 'first_run'
                     || jsonb_build_object('parent', kept.old, 'retry_of', kept.old, 'copied', kept.copied,
                                           'triggered_by', 'retry')
                     -- Whose steps it tries again: they keep their keys. What was undone is something new.
                     || case when kept.undone and not kept.resumes then '{}'
                             else jsonb_build_object(
                                 'first_run', coalesce(kept.data -> 'first_run', to_jsonb(kept.old))
                             )
                        end
                     -- What a plan was told stays so.
                     || jsonb_build_object('started_at', coalesce(kept.data ->> 'started_at', pawl.rfc3339(kept.at)))
                     || case when kept.undone and not kept.resumes
                             then jsonb_build_object('version', kept.version) else '{}' end
                else kept.data end,
           kept.error, kept.token
      from (
          select u.old, u.new, e.type, e.at, e.attempt, e.node, e.data, e.error, e.token, e.undone, e.resumes,
                 parts.versions[cardinality(parts.versions)] as version,
                 row_number() over (partition by u.new order by e.seq) - 1 as place,
                 count(*) over (partition by u.new) - case when e.resumes then 0 else 1 end as copied
            from unnest(v_old, v_new) as u (old, new)
           cross join lateral (
               -- The versions that the run has had: from which event on, and their names for the nodes before.
               select array_agg(p.seq order by p.seq) as seqs,
                      array_agg((p.data ->> 'version')::int order by p.seq) as versions,
                      array_agg(coalesce(p.data -> 'map', '{}') order by p.seq) as maps
                 from pawl.event p
                where p.bucket = p_bucket and p.run_id = u.old
                  and (p.seq = 0 or p.type = 18 and not p.data ? 'refused')
               offset 0
           ) as parts
           cross join lateral (
               select array(
                          select v.version || ' ' || coalesce(n.node ->> 'id', n.node ->> 'name')
                            from pawl.workflow_version v
                           cross join lateral jsonb_array_elements(pawl.steps_of(v.definition)) as n (node)
                           where v.workflow = c.workflow and v.version = any (parts.versions)
                             and n.node ->> 'on_failure' = 'continue'
                      ) as nodes
                 from pawl.run c
                where c.bucket = p_bucket and c.run_id = u.old
               offset 0
           ) as continuing
           cross join lateral (
               -- Whether the visit of the node came to an end at this event or later: it completed, or gave up and the
               -- run went on. The node may have got another name in between.
               select f.*,
                      bool_or(
                          f.type in (1, 7, 16)
                          or f.type = 2 and f.data -> 'retry_at' is null
                          and (parts.versions[width_bucket(f.seq, parts.seqs)] || ' ' || f.node = any (continuing.nodes)
                               or f.data ?| array['caught', 'withdrawn'])
                      ) over (
                          partition by pawl.name_later(f.node, parts.maps[width_bucket(f.seq, parts.seqs) + 1 :]),
                                       f.token
                              order by f.seq desc
                      ) as finished,
                      bool_or(f.type = 14) over () as undone,
                      bool_or(f.type in (5, 6) and f.error ? 'not_undone') over () as resumes
                 from pawl.event f
                where f.bucket = p_bucket and f.run_id = u.old
               offset 0
           ) as e
           where e.type not in (4, 5, 6)
             -- One that could not undo everything goes on with that.
             and (e.resumes
                  -- What was undone must be done again: such a run begins anew, in the version it had at last.
                  or e.type <> 20 and (e.type <> 2 or e.finished) and (not e.undone or e.type = 0)
                  -- Whoever was to answer the old run does not know the new one: it asks again.
                  and (e.type <> 3 or coalesce(e.data ->> 'for', '') not in ('child', 'callback', 'lock'))
                  and (e.type <> 10 or e.data ->> 'kind' not in ('child', 'callback', 'lock', 'task')))
      ) as kept;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select u.new, now(), l.seq, p_bucket, 14, 0, null,
           jsonb_strip_nulls(jsonb_build_object(
               'status', case when l.type = 6 then 'cancelled' when l.code = 'compensation_failed' then 'completed'
                              else 'failed' end,
               'reason', l.reason, 'undo', l.undo
           )),
           case when l.type = 5 and l.code <> 'compensation_failed' then l.error - 'not_undone' end, 0
      from unnest(v_old, v_new) as u (old, new)
     cross join lateral (
         select f.type, f.error, f.error ->> 'code' as code, f.data ->> 'reason' as reason,
                (select count(*) from pawl.event c where c.bucket = p_bucket and c.run_id = u.new) as seq,
                (select jsonb_agg(n.one -> 'record' order by (n.one ->> 'record')::bigint)
                   from jsonb_array_elements(f.error -> 'not_undone') as n (one)) as undo
           from pawl.event f
          where f.bucket = p_bucket and f.run_id = u.old and f.type in (5, 6) and f.error ? 'not_undone'
         offset 0
     ) as l;
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
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox_starts(p_bucket, v_new);
    end if;
    update pawl.run r
       set retried_as = v_new[array_position(v_old, r.run_id)]
     where r.bucket = p_bucket and r.run_id = any (v_old);
    update pawl.dead_letter d
       set replayed_as = v_new[array_position(v_old, d.run_id)], replayed_at = now()
     where d.bucket = p_bucket and d.run_id = any (v_old);
end
$$;

-- p_released: the records of its log that the old run has undone since.
drop function pawl.rerun_from(smallint, int, uuid, uuid, int, jsonb);
create function pawl.rerun_from(
    p_bucket smallint, p_tenant int, p_run uuid, p_new uuid, p_before int, p_input jsonb, p_released jsonb default null
) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
set enable_seqscan = off set jit = off as $$
declare
    v_run record;
begin
    perform pawl.require_tenant(p_tenant);
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
                then kept.data - 'start_at' - 'caller' - 'retry_of' - 'first_run' - 'released'
                     || jsonb_build_object('parent', p_run, 'rerun_of', p_run, 'copied', kept.copied,
                                           'triggered_by', 'rerun', 'input', coalesce(p_input, kept.data -> 'input'))
                     || case when p_released is null then '{}' else jsonb_build_object('released', p_released) end
                     || jsonb_build_object('started_at', coalesce(kept.data ->> 'started_at', pawl.rfc3339(kept.at)))
                else kept.data end,
           kept.error, kept.token
      from (
          select e.*, row_number() over (order by e.seq) - 1 as place, count(*) over () - 1 as copied
            from pawl.event e
           where e.bucket = p_bucket and e.run_id = p_run and e.seq < greatest(p_before, 1)
             and e.type not in (4, 5, 6, 20)
             and (e.type <> 3 or coalesce(e.data ->> 'for', '') not in ('child', 'callback', 'lock'))
             and (e.type <> 10 or e.data ->> 'kind' not in ('child', 'callback', 'lock', 'task'))
      ) as kept;
    insert into pawl.live_run
        (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
    select p_new, now(), p_tenant, v_run.workflow,
           -- That of its log, which may end before the run was moved.
           coalesce(
               (select (p.data ->> 'version')::int
                  from pawl.event p
                 where p.bucket = p_bucket and p.run_id = p_new
                   and (p.seq = 0 or p.type = 18 and not p.data ? 'refused')
                 order by p.seq desc
                 limit 1),
               v_run.version
           ), p_bucket, 0, 0, v_run.subject,
           (e.data -> 'flow') - 'gather', case when e.data ? 'flow' then 2 end
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = p_new and e.seq = 0;
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox_starts(p_bucket, array[p_new]);
    end if;
    return true;
end
$$;
