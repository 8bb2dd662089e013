-- Claims cost less. One run that is alone is taken by a small statement, and its log read from the partition where it
-- lies. An event finds those who wait for it with less work: a message is made of its columns, not of its row, what is
-- left is known from the order in which events were looked at, and nobody looks for messages where there can be none.
-- breaking: no

set local lock_timeout = '5s';

create or replace function pawl.match_events(
    p_bucket smallint, p_limit int, p_worker uuid,
    out delivered int, out more boolean, out stuck boolean, out leased uuid[]
)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_memoize = off as $$
declare
    -- Many are waited for by nobody.
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
    select array_agg(h.place), array_agg(h.subscription), array_agg(h.run_id), array_agg(h.token), array_agg(h.locked)
      into v_place, v_subscription, v_run, v_token, v_locked
      from (
          select q.place, s.row_id as subscription, s.run_id, s.token, l.one is not null as locked
            from unnest(v_id) with ordinality as q (id, place)
           cross join lateral (
               select i.tenant, i.event_id, i.name, i.key, i.at
                 from pawl.inbox i
                where i.bucket + 0 = p_bucket and i.id = q.id
               offset 0
           ) as e
           cross join lateral (
               select h.ctid as row_id, h.run_id, h.token
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
        select array_agg(f.place), array_agg(f.subscription), array_agg(f.run_id), array_agg(f.token)
          into v_place, v_subscription, v_run, v_token
          from (
              select distinct on (u.subscription) u.place, u.subscription, u.run_id, u.token
                from unnest(v_place, v_subscription, v_run, v_token, v_locked)
                     as u (place, subscription, run_id, token, locked)
               where u.locked
               order by u.subscription, v_id[u.place]
          ) as f;
    end if;
    if v_run is not null then
        -- Only now: an event may be large, and of many for one only the first is needed. It is there as long as it is
        -- pending.
        select array_agg(jsonb_build_object(
                   'id', e.event_id, 'name', e.name, 'key', e.key, 'data', e.data, 'token', u.token
               ))
          into v_data
          from unnest(v_place, v_token) as u (place, token)
          left join lateral (
              select i.event_id, i.name, i.key, i.data
                from pawl.inbox i
               where i.bucket + 0 = p_bucket and i.id = v_id[u.place]
              offset 0
          ) as e on true;
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
      from unnest(v_run, v_token, v_ordinal) as q (run_id, token, ordinal)
     cross join lateral (
         select h.ctid as row_id, h.run_id, h.token, h.ordinal, h.tenant, h.event, h.key, h.since
           from pawl.subscription h
          where h.bucket = p_bucket and h.run_id = q.run_id and h.token = q.token and h.ordinal = q.ordinal
         offset 0
     ) as s
     cross join lateral (
         select i.event_id, i.name, i.key, i.data
           from pawl.inbox i
          where i.bucket + 0 = p_bucket and i.tenant = s.tenant and i.name = s.event and i.key = s.key
            and i.at >= s.since
            and not pawl.was_delivered(p_bucket, s.run_id, s.token, i.event_id)
          order by i.at, i.id
          limit 1
     ) as e
      left join lateral (
         select 1 as one from pawl.subscription h where h.ctid = s.row_id for update skip locked
     ) as l on true;
    if v_run is null then
        return;
    end if;
    if false = any (v_locked) then
        -- One that somebody holds locked is to be looked at again: he may not come through.
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

-- One run that is due alone needs no question of whose turn it is: the next one is of the same priority and sleeps, and
-- no other priority is there. To begin a statement with many parts takes longer than all that there is to do then. The
-- lock on the worker is that of assert_worker. No sort is needed and none may be chosen: it would read all that sleep.
-- All other settings are those of claim_runs, which calls it: each costs time at every call.
create function pawl.take_alone(p_bucket smallint, p_worker uuid) returns uuid[]
language plpgsql
set search_path = pg_catalog
set enable_sort = off as $$
declare
    v_ids uuid[];
begin
    with first as materialized (
        select l.ctid as row_id, l.priority, l.due_at <= now() as due, l.slot
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0
         order by l.bucket, l.priority, l.due_at, l.run_id
         limit 2
    )
    update pawl.live_run l
       set state = 1, worker = p_worker
     where l.ctid = (
           select h.row_id
             from (select 1 from pawl.worker w where w.id = p_worker for key share) as w
            cross join lateral (
                select h.ctid as row_id
                  from pawl.live_run h
                 where h.ctid = (
                       select f.row_id
                         from first f
                        where f.due and (f.slot is null or f.slot in (1, 3))
                          and not exists (
                              select 1
                                from first o
                               where o.row_id <> f.row_id
                                 and (o.due or o.priority <> f.priority or f.priority <> (
                                     select l.priority
                                       from pawl.live_run l
                                      where l.bucket = p_bucket and l.state = 0
                                      order by l.bucket desc, l.priority desc, l.due_at desc, l.run_id desc
                                      limit 1
                                 ))
                          )
                   )
                   and h.state = 0
                   for no key update skip locked
            ) as h
            where not exists (select 1 from pawl.flow_gate g)
       )
    returning array[l.run_id] into v_ids;
    return v_ids;
end
$$;

-- The first and the last priority and tenant of those who are ready, or asleep; nothing when the worker is not known,
-- else the lock of assert_worker is held. With the settings of take_alone.
create function pawl.look_at_ready(
    p_bucket smallint, p_worker uuid,
    out low smallint, out high smallint, out first int, out last int, out look boolean
)
language plpgsql
set search_path = pg_catalog
set enable_sort = off as $$
begin
    select (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket, l.priority, l.due_at, l.run_id limit 1),
           (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket desc, l.priority desc, l.due_at desc, l.run_id desc limit 1),
           (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket, l.tenant, l.due_at limit 1),
           (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket desc, l.tenant desc, l.due_at desc limit 1),
           exists (select 1 from pawl.flow_gate g where g.look)
      into low, high, first, last, look
      from pawl.worker w
     where w.id = p_worker
       for key share;
end
$$;

create or replace function pawl.claim_runs(p_bucket smallint, p_worker uuid, p_limit integer, p_turn integer default 0)
returns table (
    run_id uuid, seq integer, type smallint, attempt smallint, node text, data jsonb,
    error jsonb, at timestamptz, token integer, signal bigint
)
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    c_rounds constant int := 10;
    c_few constant int := 100;
    v_seen record;
    v_taken record;
    v_matched record;
    v_due int;
    v_matches boolean;
    v_signals boolean;
    v_delivered boolean := false;
    v_back uuid[];
    v_kept int := 0;
    v_gates boolean;
    v_ids uuid[] := '{}';
begin
    -- Who asks for many has seen that there are.
    if p_limit between 1 and c_few then
        v_ids := pawl.take_alone(p_bucket, p_worker);
    else
        v_ids := null;
    end if;
    if v_ids is null then
        v_ids := pawl.take_alike(p_bucket, p_worker, p_limit);
    end if;
    if v_ids is null then
        v_ids := '{}';
        v_seen := pawl.look_at_ready(p_bucket, p_worker);
        if v_seen.look is null then
            perform pawl.assert_worker(p_worker);
        end if;
        v_gates := v_seen.look;
        -- Half of the claim is kept for those who wait at a gate. They come last: letting them in holds locks, and
        -- nothing is waited for after that.
        if v_gates then
            v_kept := least(greatest(p_limit / 2, 1), p_limit);
        end if;
        for round in 1 .. c_rounds loop
            exit when v_seen.low is null;
            if v_seen.low = v_seen.high and v_seen.first = v_seen.last then
                select t.ids, t.tickets, t.flows into v_taken
                  from pawl.take_level(p_bucket, p_worker, v_seen.low, p_limit - v_kept - cardinality(v_ids)) t;
            else
                select t.ids, t.tickets, t.flows into v_taken
                  from pawl.take_due(
                      p_bucket, p_worker, p_limit - v_kept - cardinality(v_ids), (p_turn & 1073741823) + round - 1
                  ) t;
            end if;
            v_ids := v_ids || v_taken.ids;
            exit when v_taken.tickets = '{}';
            v_gates := true;
            v_back := pawl.pass_gates(p_bucket, v_taken.tickets, v_taken.flows);
            exit when v_back = '{}';
            v_ids := array(select u.run_id from unnest(v_ids) as u (run_id) where u.run_id <> all (v_back));
        end loop;
        if v_gates and cardinality(v_ids) < p_limit then
            if exists (select 1 from pawl.flow_gate g where g.look) then
                v_ids := v_ids || pawl.admit_waiting(p_bucket, p_worker, p_limit - cardinality(v_ids));
            end if;
        end if;
    end if;
    -- Those who have waited for an event come after those who are due, who are not to wait for them. Nothing is waited
    -- for here either. What goes wrong with an event is for match_inbox to tell: claims go on.
    v_due := cardinality(v_ids);
    select v_due < p_limit and (
               exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket)
               or exists (select 1 from pawl.subscription_check q where q.bucket = p_bucket)
           ),
           exists (select 1 from pawl.signal s where s.bucket = p_bucket)
      into v_matches, v_signals;
    if v_matches then
        begin
            for round in 1 .. c_rounds loop
                v_matched := pawl.match_all(p_bucket, p_limit - cardinality(v_ids), p_worker);
                v_ids := v_ids || v_matched.leased;
                v_delivered := v_delivered or v_matched.delivered > 0;
                exit when not v_matched.more or v_matched.stuck or v_due > 0 or cardinality(v_ids) >= p_limit;
            end loop;
            -- A claim may be lost with a crash of the database, as long as it leaves the run ready. This one would
            -- leave it parked.
            if v_delivered then
                perform set_config('synchronous_commit', 'on', true);
            end if;
        exception when others then
            v_ids := v_ids[:v_due];
        end;
    end if;
    if cardinality(v_ids) = 1 then
        return query
        select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token, null::bigint
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = v_ids[1]
         order by e.seq;
    elsif cardinality(v_ids) > 1 then
        return query
        select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token, null::bigint
          from unnest(v_ids) as u (run_id)
         cross join lateral (
             select * from pawl.event l where l.bucket = p_bucket and l.run_id = u.run_id offset 0
         ) as e
         order by e.run_id, e.seq;
    end if;
    -- In the same transaction, so that a run woken by a signal is seen together with it.
    if v_signals or v_delivered then
        return query
        select s.run_id, null::int, null::smallint, null::smallint, s.kind, s.data, null::jsonb, now(), null::int, s.id
          from (
              select h.* from unnest(v_ids) as u (run_id)
               cross join lateral (
                   select g.* from pawl.signal g where g.bucket = p_bucket and g.run_id = u.run_id offset 0
               ) as h
              union all
              select h.*
                from (
                    select g.* from pawl.signal g
                     where g.bucket + 0 = p_bucket and g.worker = p_worker and g.run_id <> all (v_ids)
                     order by g.id
                     limit 1000
                ) as h
          ) as s
         order by s.id;
    end if;
end
$$;

create or replace function pawl.commit_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean, p_run uuid[], p_seq int[], p_type smallint[],
    p_attempt smallint[], p_node text[], p_data jsonb[], p_error jsonb[], p_token int[], p_park_run uuid[],
    p_park_due timestamptz[], p_close_run uuid[], p_close_started timestamptz[], p_close_tenant int[],
    p_close_workflow int[], p_close_version int[], p_close_status smallint[], p_close_subject text[],
    p_close_output jsonb[], p_close_error jsonb[], p_close_node text[], p_signal bigint[], p_signal_run uuid[]
) returns timestamptz
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
set enable_material = off as $$
declare
    v_left jsonb[];
    v_row tid[];
    v_due timestamptz[];
    v_freed jsonb[];
    v_count int[];
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
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox(p_bucket, p_run, p_seq, p_type, p_data);
    end if;
    if cardinality(p_close_run) > 0 then
        -- Nobody but the holder moves a leased row, so its place is known (see claim_runs).
        -- Who holds a place holds it at a gate: without gates there is nothing to give back.
        if exists (select 1 from pawl.flow_gate g) then
            select array_agg(x.row_id), array_agg(x.flow) filter (where x.slot = 1) into v_row, v_left
              from unnest(p_close_run) as u (run_id)
             cross join lateral (
                 select h.ctid as row_id, h.flow, h.slot
                   from pawl.live_run h
                  where h.bucket = p_bucket and h.run_id = u.run_id
                 offset 0
             ) as x;
            if v_left is not null then
                select array_agg(w.flow), array_agg(w.count) into v_left, v_count
                  from (select u.flow, count(*)::int as count from unnest(v_left) as u (flow) group by u.flow) as w;
            end if;
        else
            v_row := array(
                select x.row_id
                  from unnest(p_close_run) as u (run_id)
                 cross join lateral (
                     select h.ctid as row_id
                       from pawl.live_run h
                      where h.bucket = p_bucket and h.run_id = u.run_id
                     offset 0
                 ) as x
            );
        end if;
        delete from pawl.live_run l where l.ctid = any (v_row);
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

drop function pawl.event_signal(pawl.inbox, int);
