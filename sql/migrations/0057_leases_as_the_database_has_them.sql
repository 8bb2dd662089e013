-- A commit writes for runs that the database says its worker holds, and for no other. A crash of the database may
-- take a claim back (claims do not wait for the disk) while the worker goes on: its commit is refused with PW002,
-- which names the runs, and the worker drops them. Messages are removed however often they were rewritten meanwhile.
-- A run that waits again gets its oldest event first, whichever side finds it.
-- breaking: no

set local lock_timeout = '5s';

drop function pawl.commit_runs(
    smallint, uuid, boolean, uuid[], int[], smallint[], smallint[], text[], jsonb[], jsonb[], int[], uuid[],
    timestamptz[], uuid[], timestamptz[], int[], int[], int[], smallint[], text[], jsonb[], jsonb[], text[], bigint[],
    uuid[]
);

-- The server on which a worker's session began. After a failover what the worker knows may be more than the new
-- server has: its commits are refused, and it begins anew.
alter table pawl.worker add column timeline text not null default substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);

create or replace function pawl.assert_worker(p_worker uuid) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    perform 1
       from pawl.worker w
      where w.id = p_worker and w.timeline = substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
        for key share;
    if not found then
        raise exception 'worker % is not registered or was declared dead', p_worker using errcode = 'PW001';
    end if;
end
$$;

-- The runs of a batch that is sent again and about which there is nothing left to do: all their events stand in the log
-- as they would be written now, or they have none and this worker does not hold them any more. Refuses the batch when
-- another worker has gone on with one of its runs.
create function pawl.resent_runs(
    p_bucket smallint, p_worker uuid, p_held uuid[], p_run uuid[], p_seq int[], p_type smallint[],
    p_attempt smallint[], p_node text[], p_data jsonb[], p_token int[]
) returns uuid[]
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
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

-- Commits what a worker did: events, closes, consumed messages, parks. All of it or nothing. p_held: every run that the
-- batch is about, those that close first, then those that park, each in the order of its own array.
create function pawl.commit_runs(
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
set enable_material = off as $$
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

-- Removes what is open of runs that are closed: a state that commits refuse to make, and that releases before this one
-- could make when the database crashed. The log decides: only a run whose log has ended goes. Returns what it mended.
create function pawl.mend_runs(p_bucket smallint, p_run uuid[] default null)
returns setof uuid
language plpgsql
set search_path = pg_catalog set enable_seqscan = off as $$
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

-- The oldest event of a key that a waiting token of a run has not had: a number of the inbox, or null. Made for runs
-- that wait again and again: it reads the run's log once, whatever the number of events.
create function pawl.oldest_event(
    p_bucket smallint, p_run uuid, p_token int, p_tenant int, p_name text, p_key text, p_since timestamptz
) returns bigint
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
    -- As a constant of the plan, so that it is looked up and not walked through.
    v_had text[] := array(
        select s.data ->> 'id'
          from pawl.signal s
         where s.bucket = p_bucket and s.run_id = p_run and s.kind = 'event' and (s.data ->> 'token')::int = p_token
        union all
        select e.data -> 'data' ->> 'id'
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type = 10 and e.data ->> 'kind' = 'event'
           and (e.data -> 'data' ->> 'token')::int = p_token
    );
begin
    return (
        select i.id
          from pawl.inbox i
         where i.bucket + 0 = p_bucket and i.tenant = p_tenant and i.name = p_name and i.key = p_key and i.at >= p_since
           and i.event_id <> all (v_had)
         order by i.at, i.id
         limit 1
    );
end
$$;

create or replace function pawl.match_events(
    p_bucket smallint, p_limit int, p_worker uuid,
    out delivered int, out more boolean, out stuck boolean, out leased uuid[]
)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_memoize = off as $$
declare
    -- No run waits for many of them.
    v_most int := greatest(p_limit, 100);
    v_lists refcursor;
    v_list record;
    v_taken tid[] := '{}';
    v_id bigint[] := '{}';
    v_left bigint[] := '{}';
    v_last bigint;
    v_place bigint[];
    v_subscription tid[];
    v_run uuid[];
    v_token int[];
    v_since timestamptz[];
    v_tenant int[];
    v_name text[];
    v_key text[];
    v_oldest bigint[];
    v_data jsonb[];
    v_locked boolean[];
begin
    delivered := 0;
    stuck := false;
    leased := '{}';
    -- One by one: a loop over the query would lock more than are taken.
    open v_lists for
        select q.ctid as row_id, q.id, q.more
          from pawl.inbox_pending q
         where q.bucket = p_bucket
         order by q.id
           for update skip locked;
    loop
        fetch v_lists into v_list;
        exit when not found;
        v_taken := v_taken || v_list.row_id;
        v_id := v_id || v_list.id || v_list.more;
        exit when cardinality(v_id) >= v_most;
    end loop;
    close v_lists;
    more := cardinality(v_id) >= v_most;
    -- One event after the other: where the limit ends this, all before the last one have been looked at whole.
    select array_agg(h.place), array_agg(h.subscription), array_agg(h.run_id), array_agg(h.token), array_agg(h.since),
           array_agg(h.tenant), array_agg(h.name), array_agg(h.key), array_agg(h.locked)
      into v_place, v_subscription, v_run, v_token, v_since, v_tenant, v_name, v_key, v_locked
      from (
          select q.place, s.row_id as subscription, s.run_id, s.token, s.since, e.tenant, e.name, e.key,
                 l.one is not null as locked
            from unnest(v_id) with ordinality as q (id, place)
           cross join lateral (
               select i.tenant, i.event_id, i.name, i.key, i.at
                 from pawl.inbox i
                where i.bucket + 0 = p_bucket and i.id = q.id
               offset 0
           ) as e
           cross join lateral (
               select h.ctid as row_id, h.run_id, h.token, h.since
                 from pawl.subscription h
                where h.bucket + 0 = p_bucket and h.tenant = e.tenant and h.event = e.name and h.key = e.key
                  and h.since <= e.at
                  and case when h.at <= e.at then true
                           else not pawl.was_delivered(p_bucket, h.run_id, h.token, e.event_id) end
                limit p_limit
           ) as s
            left join lateral (
               select 1 as one from pawl.subscription h where h.ctid = s.row_id for update skip locked
           ) as l on true
           limit p_limit
      ) as h;
    if cardinality(v_run) = p_limit then
        v_last := v_id[v_place[p_limit]];
        v_left := v_id[v_place[p_limit] + 1:];
    end if;
    if false = any (v_locked) then
        stuck := true;
        v_left := v_left || array(
            select v_id[u.place] from unnest(v_place, v_locked) as u (place, locked) where not u.locked
        );
    end if;
    if stuck or (select count(distinct u.row_id) from unnest(v_subscription) as u (row_id)) < cardinality(v_run) then
        -- Of two events for one subscription the first one counts; the other is there when the run waits again.
        select array_agg(f.place), array_agg(f.subscription), array_agg(f.run_id), array_agg(f.token),
               array_agg(f.since), array_agg(f.tenant), array_agg(f.name), array_agg(f.key)
          into v_place, v_subscription, v_run, v_token, v_since, v_tenant, v_name, v_key
          from (
              select distinct on (u.subscription) u.*
                from unnest(v_place, v_subscription, v_run, v_token, v_since, v_tenant, v_name, v_key, v_locked)
                     as u (place, subscription, run_id, token, since, tenant, name, key, locked)
               where u.locked
               order by u.subscription, v_id[u.place]
          ) as f;
    end if;
    if v_run is not null then
        -- Only now: an event may be large, and of many for one only the first is needed.
        select array_agg(e.id), array_agg(jsonb_build_object(
                   'id', e.event_id, 'name', e.name, 'key', e.key, 'data', e.data, 'token', u.token
               ))
          into v_oldest, v_data
          from unnest(v_token, v_since, v_tenant, v_name, v_key) as u (token, since, tenant, name, key)
          left join lateral (
              select i.id, i.event_id, i.name, i.key, i.data
                from pawl.inbox i
               where i.bucket + 0 = p_bucket and i.tenant = u.tenant and i.name = u.name and i.key = u.key
                 and i.at >= u.since
               order by i.at, i.id
               limit 1
          ) as e on true;
        -- A run that is behind gets what came before this event and it has not had.
        if exists (select 1 from unnest(v_place, v_oldest) as u (place, oldest) where v_id[u.place] <> u.oldest) then
            select array_agg(case when v_id[u.place] = u.oldest then u.data
                                  else (
                                      select jsonb_build_object(
                                                 'id', i.event_id, 'name', i.name, 'key', i.key, 'data', i.data,
                                                 'token', u.token
                                             )
                                        from pawl.inbox i
                                       where i.bucket + 0 = p_bucket and i.id = pawl.oldest_event(
                                                 p_bucket, u.run_id, u.token, u.tenant, u.name, u.key, u.since
                                             )
                                  ) end)
              into v_data
              from unnest(v_place, v_oldest, v_data, v_run, v_token, v_since, v_tenant, v_name, v_key)
                   as u (place, oldest, data, run_id, token, since, tenant, name, key);
        end if;
        leased := pawl.deliver_events(p_bucket, p_worker, v_subscription, v_run, v_data);
        delivered := cardinality(v_run);
    end if;
    delete from pawl.inbox_pending q where q.ctid = any (v_taken);
    if v_last is null and not stuck then
        return;
    end if;
    more := true;
    perform pawl.pend_events(p_bucket, array(
        select u.id from unnest(v_left) as u (id)
        union
        select e.id
          from (
              select i.id, i.tenant, i.event_id, i.name, i.key, i.at
                from pawl.inbox i
               where i.bucket + 0 = p_bucket and i.id = v_last
              offset 0
          ) as e
         cross join lateral (
             select 1
               from pawl.subscription h
              where h.bucket + 0 = p_bucket and h.tenant = e.tenant and h.event = e.name and h.key = e.key
                and h.since <= e.at
                and case when h.at <= e.at then true
                         else not pawl.was_delivered(p_bucket, h.run_id, h.token, e.event_id) end
              limit 1
         ) as left_over
         order by 1
    ));
end
$$;

create or replace function pawl.match_subscriptions(
    p_bucket smallint, p_limit int, p_worker uuid,
    out delivered int, out more boolean, out stuck boolean, out leased uuid[]
)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_memoize = off as $$
declare
    v_lists refcursor;
    v_list record;
    v_taken tid[] := '{}';
    v_run uuid[] := '{}';
    v_token int[] := '{}';
    v_ordinal smallint[] := '{}';
    v_subscription tid[];
    v_data jsonb[];
    v_locked boolean[];
begin
    delivered := 0;
    stuck := false;
    leased := '{}';
    open v_lists for
        select q.ctid as row_id, q.runs, q.tokens, q.ordinals
          from pawl.subscription_check q
         where q.bucket = p_bucket
         order by q.id
           for update skip locked;
    loop
        fetch v_lists into v_list;
        exit when not found;
        v_taken := v_taken || v_list.row_id;
        v_run := v_run || v_list.runs;
        v_token := v_token || v_list.tokens;
        v_ordinal := v_ordinal || v_list.ordinals;
        exit when cardinality(v_run) >= p_limit;
    end loop;
    close v_lists;
    more := cardinality(v_run) >= p_limit;
    delete from pawl.subscription_check q where q.ctid = any (v_taken);
    if cardinality(v_run) > p_limit then
        perform pawl.check_subscriptions(
            p_bucket, v_run[p_limit + 1:], v_token[p_limit + 1:], v_ordinal[p_limit + 1:]
        );
        v_run := v_run[:p_limit];
        v_token := v_token[:p_limit];
        v_ordinal := v_ordinal[:p_limit];
    end if;
    -- One without an event needs no lock: who holds it has an event that was not to be seen here yet, and is pending.
    select array_agg(s.row_id), array_agg(s.run_id), array_agg(s.token), array_agg(s.ordinal),
           array_agg(jsonb_build_object(
               'id', e.event_id, 'name', e.name, 'key', e.key, 'data', e.data, 'token', s.token
           )),
           array_agg(l.one is not null)
      into v_subscription, v_run, v_token, v_ordinal, v_data, v_locked
      -- A wait may stand in two lists: one whose subscription was held by another session is looked at again.
      from (
          select distinct u.run_id, u.token, u.ordinal
            from unnest(v_run, v_token, v_ordinal) as u (run_id, token, ordinal)
      ) as q (run_id, token, ordinal)
     cross join lateral (
         select h.ctid as row_id, h.run_id, h.token, h.ordinal, h.tenant, h.event, h.key, h.since
           from pawl.subscription h
          where h.bucket = p_bucket and h.run_id = q.run_id and h.token = q.token and h.ordinal = q.ordinal
         offset 0
     ) as s
     cross join lateral (
         select i.id, i.event_id, i.name, i.key, i.data
           from pawl.inbox i
          where i.bucket + 0 = p_bucket and i.tenant = s.tenant and i.name = s.event and i.key = s.key
            and i.at >= s.since
          order by i.at, i.id
          limit 1
     ) as f
     cross join lateral (
         select f.event_id, f.name, f.key, f.data
          where not pawl.was_delivered(p_bucket, s.run_id, s.token, f.event_id)
         union all
         select i.event_id, i.name, i.key, i.data
           from pawl.inbox i
          where pawl.was_delivered(p_bucket, s.run_id, s.token, f.event_id)
            and i.bucket + 0 = p_bucket and i.id = pawl.oldest_event(
                    p_bucket, s.run_id, s.token, s.tenant, s.event, s.key, s.since
                )
     ) as e
      left join lateral (
         select 1 as one from pawl.subscription h where h.ctid = s.row_id for update skip locked
     ) as l on true;
    if v_run is null then
        return;
    end if;
    if false = any (v_locked) then
        -- A locked one is looked at again: the transaction that holds it may not commit.
        more := true;
        stuck := true;
        perform pawl.check_subscriptions(p_bucket, array_agg(u.run_id), array_agg(u.token), array_agg(u.ordinal))
           from unnest(v_run, v_token, v_ordinal, v_locked) as u (run_id, token, ordinal, locked)
          where not u.locked;
        select array_agg(u.subscription), array_agg(u.run_id), array_agg(u.data)
          into v_subscription, v_run, v_data
          from unnest(v_subscription, v_run, v_data, v_locked) as u (subscription, run_id, data, locked)
         where u.locked;
        if v_run is null then
            return;
        end if;
    end if;
    leased := pawl.deliver_events(p_bucket, p_worker, v_subscription, v_run, v_data);
    delivered := cardinality(v_run);
end
$$;

-- Leaves a message for a run, once for every key of a tenant: the mark that it was left is written with it. Says
-- whether it was left before, and whether the run is open.
create function pawl.send_signal_once(
    p_bucket smallint, p_tenant int, p_key text, p_run uuid, p_kind text, p_data jsonb,
    out before boolean, out reached boolean
)
language plpgsql
set search_path = pg_catalog as $$
declare
    v_mark text := 'sent:' || encode(sha256(convert_to(p_key, 'UTF8')), 'hex');
begin
    insert into pawl.idempotency_key (tenant, key, fingerprint, status, headers, body)
    values (p_tenant, v_mark, '', 202, '{}', '')
        on conflict do nothing;
    before := not found;
    if before then
        reached := true;
        -- The caller is told that the message is kept: that waits for whatever the mark's own commit waited for.
        perform pg_logical_emit_message(true, 'pawl', '');
        return;
    end if;
    reached := exists (
        select 1 from pawl.leave_signals(p_bucket, array[p_run], array[p_kind], array[p_data], true)
    );
    if not reached then
        delete from pawl.idempotency_key k where k.tenant = p_tenant and k.key = v_mark;
    end if;
end
$$;
