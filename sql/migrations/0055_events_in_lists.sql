-- Events and those who wait for them meet at less cost.
--
-- What is to be matched is kept in lists, a row for many: events that were published together, and subscriptions that
-- were made together. A claim that has room matches as well, and leases who got an event to the worker that claims:
-- such a run is not made ready first and looked for afterwards. To be ready for a conflict costs a look into the index
-- and a record of the log for every row, so an insert tries without, and again if there is one.
-- breaking: no

set local lock_timeout = '5s';

-- Events with the numbers id and more.
alter table pawl.inbox_pending add column more bigint[];

-- Subscriptions that have not been held against the events that came before them.
create table pawl.subscription_check (
    bucket smallint not null,
    id bigint generated always as identity,
    runs uuid[] not null,
    tokens int[] not null,
    ordinals smallint[] not null,
    constraint subscription_check_pk primary key (bucket, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- No row is longer than what a page holds without being cut up.
create function pawl.check_subscriptions(p_bucket smallint, p_run uuid[], p_token int[], p_ordinal smallint[])
returns void
language plpgsql
set search_path = pg_catalog as $$
declare
    c_list constant int := 64;
begin
    insert into pawl.subscription_check (bucket, runs, tokens, ordinals)
    select p_bucket, p_run[n:n + c_list - 1], p_token[n:n + c_list - 1], p_ordinal[n:n + c_list - 1]
      from generate_series(1, cardinality(p_run), c_list) as n;
end
$$;

-- subscription_unchecked stays for commits that are under way with what they know; match_inbox looks after its rows.

create function pawl.subscribe_runs(
    p_bucket smallint, p_run uuid[], p_token int[], p_tenant int[], p_event text[], p_key text[], p_since timestamptz[]
) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan as $$
declare
    v_ordinal smallint[];
    v_run uuid[];
    v_token int[];
begin
    select array_agg(u.ordinal order by u.place) into v_ordinal
      from (
          select n.place, row_number() over (partition by n.run_id, n.token order by n.place) - 1 as ordinal
            from unnest(p_run, p_token) with ordinality as n (run_id, token, place)
      ) as u;
    begin
        insert into pawl.subscription (bucket, run_id, token, ordinal, tenant, event, key, since)
        select p_bucket, u.run_id, u.token, u.ordinal, u.tenant, pawl.event_key(u.event), pawl.event_key(u.key), u.since
          from unnest(p_run, p_token, v_ordinal, p_tenant, p_event, p_key, p_since)
               as u (run_id, token, ordinal, tenant, event, key, since);
        perform pawl.check_subscriptions(p_bucket, p_run, p_token, v_ordinal);
    exception when unique_violation then
        with fresh as (
            insert into pawl.subscription (bucket, run_id, token, ordinal, tenant, event, key, since)
            select p_bucket, u.run_id, u.token, u.ordinal, u.tenant, pawl.event_key(u.event), pawl.event_key(u.key),
                   u.since
              from unnest(p_run, p_token, v_ordinal, p_tenant, p_event, p_key, p_since)
                   as u (run_id, token, ordinal, tenant, event, key, since)
                on conflict do nothing
            returning run_id, token, ordinal
        )
        select array_agg(f.run_id), array_agg(f.token), array_agg(f.ordinal) into v_run, v_token, v_ordinal
          from fresh f;
        perform pawl.check_subscriptions(p_bucket, v_run, v_token, v_ordinal);
    end;
end
$$;

create or replace function pawl.project_runs(
    p_bucket smallint, p_resent_run uuid[], p_resent_seq int[],
    p_sub_run uuid[], p_sub_token int[], p_sub_tenant int[], p_sub_event text[], p_sub_key text[],
    p_sub_since timestamptz[],
    p_unsub_run uuid[], p_unsub_token int[],
    p_open_run uuid[], p_open_token int[], p_open_tenant int[], p_open_workflow int[], p_open_node text[],
    p_open_subject text[], p_open_data jsonb[],
    p_note_run uuid[], p_note_token int[], p_note_data jsonb[],
    p_close_run uuid[], p_close_token int[], p_close_state text[],
    p_publish_run uuid[], p_publish_tenant int[], p_publish_id text[], p_publish_event text[], p_publish_key text[],
    p_publish_data jsonb[],
    p_child_parent uuid[], p_child_data jsonb[],
    p_ended uuid[]
) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off as $$
declare
    v_done uuid[] := '{}';
begin
    if cardinality(p_resent_run) > 0 then
        -- Written by a transaction before this one.
        v_done := array(
            select u.run_id
              from unnest(p_resent_run, p_resent_seq) as u (run_id, seq)
             cross join lateral (
                 select e.xmin as writer
                   from pawl.event e
                  where e.bucket = p_bucket and e.run_id = u.run_id and e.seq = u.seq
                 offset 0
             ) as e
             where e.writer <> pg_current_xact_id()::xid
        );
    end if;
    if cardinality(p_unsub_run) > 0 then
        delete from pawl.subscription s
         where s.ctid = any (array(
               select x.row_id
                 from unnest(p_unsub_run, p_unsub_token) as u (run_id, token)
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.subscription h
                     where h.bucket = p_bucket and h.run_id = u.run_id and h.token = u.token
                    offset 0
                ) as x
                where u.run_id <> all (v_done)
           ));
    end if;
    if cardinality(p_unsub_run) > 0 or cardinality(p_ended) > 0 then
        perform pawl.leave_locks(
            p_bucket, p_unsub_run || p_ended, p_unsub_token || array_fill(null::int, array[cardinality(p_ended)]),
            array_fill(null::text, array[cardinality(p_unsub_run) + cardinality(p_ended)])
        );
    end if;
    if cardinality(p_ended) > 0 then
        delete from pawl.subscription s
         where s.ctid = any (array(
               select x.row_id
                 from unnest(p_ended) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id from pawl.subscription h
                     where h.bucket = p_bucket and h.run_id = u.run_id
                    offset 0
                ) as x
           ));
        perform pawl.project_tasks(
            p_bucket, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
            array_agg(t.run_id), array_agg(t.token), array_agg('withdrawn'::text)
        )
           from unnest(p_ended) as u (run_id)
          cross join lateral (
              select h.run_id, h.token from pawl.human_task h
               where h.run_id = u.run_id and h.bucket + 0 = p_bucket and h.state + 0 = 0
                 -- Those that end for a reason of their own are dealt with below.
                 and not exists (
                     select 1
                       from unnest(p_close_run, p_close_token) as c (run_id, token)
                      where c.run_id = h.run_id and c.token = h.token
                 )
              offset 0
          ) as t
         having count(*) > 0;
    end if;
    if cardinality(p_sub_run) > 0 then
        if v_done = '{}' then
            perform pawl.subscribe_runs(
                p_bucket, p_sub_run, p_sub_token, p_sub_tenant, p_sub_event, p_sub_key, p_sub_since
            );
        else
            perform pawl.subscribe_runs(
                p_bucket, array_agg(u.run_id), array_agg(u.token), array_agg(u.tenant), array_agg(u.event),
                array_agg(u.key), array_agg(u.since)
            )
               from unnest(p_sub_run, p_sub_token, p_sub_tenant, p_sub_event, p_sub_key, p_sub_since)
                    as u (run_id, token, tenant, event, key, since)
              where u.run_id <> all (v_done)
             having count(*) > 0;
        end if;
    end if;
    if cardinality(p_open_run) > 0 or cardinality(p_note_run) > 0 or cardinality(p_close_run) > 0 then
        if v_done = '{}' then
            perform pawl.project_tasks(
                p_bucket, p_open_run, p_open_token, p_open_tenant, p_open_workflow, p_open_node, p_open_subject,
                p_open_data, p_note_run, p_note_token, p_note_data, p_close_run, p_close_token, p_close_state
            );
        else
            perform pawl.project_tasks(
                p_bucket, o.run_id, o.token, o.tenant, o.workflow, o.node, o.subject, o.data, n.run_id, n.token, n.data,
                c.run_id, c.token, c.state
            )
               from (
                   select array_agg(u.run_id), array_agg(u.token), array_agg(u.tenant), array_agg(u.workflow),
                          array_agg(u.node), array_agg(u.subject), array_agg(u.data)
                     from unnest(p_open_run, p_open_token, p_open_tenant, p_open_workflow, p_open_node, p_open_subject,
                                 p_open_data) as u (run_id, token, tenant, workflow, node, subject, data)
                    where u.run_id <> all (v_done)
               ) as o (run_id, token, tenant, workflow, node, subject, data),
               (
                   select array_agg(u.run_id), array_agg(u.token), array_agg(u.data)
                     from unnest(p_note_run, p_note_token, p_note_data) as u (run_id, token, data)
                    where u.run_id <> all (v_done)
               ) as n (run_id, token, data),
               (
                   select array_agg(u.run_id), array_agg(u.token), array_agg(u.state)
                     from unnest(p_close_run, p_close_token, p_close_state) as u (run_id, token, state)
                    where u.run_id <> all (v_done)
               ) as c (run_id, token, state);
        end if;
    end if;
    if cardinality(p_publish_run) > 0 then
        -- Ids are made from run, token and visit: the same event is not taken twice.
        perform pawl.publish_events(
            p_bucket, p_publish_tenant, p_publish_id, p_publish_event, p_publish_key,
            array_fill(null::text, array[cardinality(p_publish_run)]),
            array(select 'run:' || u.run_id::text from unnest(p_publish_run) as u (run_id)),
            array_fill(now(), array[cardinality(p_publish_run)]), p_publish_data
        );
    end if;
    if cardinality(p_child_parent) > 0 then
        perform pawl.leave_signals(
            p_bucket, array_agg(u.parent), array_agg('child'::text), array_agg(u.data), false
        )
           from unnest(p_child_parent, p_child_data) as u (parent, data)
          where (u.data ->> 'run')::uuid <> all (v_done)
         having count(*) > 0;
    end if;
end
$$;

create function pawl.pend_events(p_bucket smallint, p_number bigint[]) returns void
language plpgsql
set search_path = pg_catalog as $$
declare
    c_list constant int := 100;
begin
    insert into pawl.inbox_pending (bucket, id, more)
    select p_bucket, p_number[n], p_number[n + 1:n + c_list - 1]
      from generate_series(1, cardinality(p_number), c_list) as n;
end
$$;

create or replace function pawl.publish_events(
    p_bucket smallint, p_tenant int[], p_id text[], p_name text[], p_key text[], p_subject text[], p_source text[],
    p_time timestamptz[], p_data jsonb[]
) returns table (tenant int, event_id text)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    v_number bigint[];
    v_tenant int[];
    v_name text[];
    v_id text[];
begin
    begin
        with fresh as (
            insert into pawl.inbox (bucket, tenant, event_id, name, key, subject, source, time, data)
            select p_bucket, u.tenant, u.id, pawl.event_key(u.name), pawl.event_key(u.key), u.subject, u.source,
                   u.time, u.data
              from unnest(p_tenant, p_id, p_name, p_key, p_subject, p_source, p_time, p_data) with ordinality
                   as u (tenant, id, name, key, subject, source, time, data, place)
             order by u.place
            returning id, tenant, name, event_id
        )
        select array_agg(f.id), array_agg(f.tenant), array_agg(f.name), array_agg(f.event_id)
          into v_number, v_tenant, v_name, v_id
          from fresh f;
    exception when unique_violation then
        with fresh as (
            insert into pawl.inbox (bucket, tenant, event_id, name, key, subject, source, time, data)
            select p_bucket, u.tenant, u.id, pawl.event_key(u.name), pawl.event_key(u.key), u.subject, u.source,
                   u.time, u.data
              from unnest(p_tenant, p_id, p_name, p_key, p_subject, p_source, p_time, p_data) with ordinality
                   as u (tenant, id, name, key, subject, source, time, data, place)
             order by u.place
                on conflict do nothing
            returning id, tenant, name, event_id
        )
        select array_agg(f.id), array_agg(f.tenant), array_agg(f.name), array_agg(f.event_id)
          into v_number, v_tenant, v_name, v_id
          from fresh f;
    end;
    perform pawl.pend_events(p_bucket, v_number);
    insert into pawl.trigger_pending (bucket, id)
    select p_bucket, f.id
      from unnest(v_number, v_tenant, v_name) as f (id, tenant, name)
     cross join lateral (
         select 1 from pawl.event_trigger t where t.tenant = f.tenant and t.event = f.name limit 1
     ) as t;
    return query select f.tenant, f.id from unnest(v_tenant, v_id) as f (tenant, id);
end
$$;

-- Gives events to runs; the subscriptions are locked by the caller. With a worker, runs that nobody holds and that have
-- no gate to pass are leased to it, and returned; the others become ready or get a message, and whoever may go on with
-- them is told. One that was woken is due, whoever holds it: when he dies, it is not to sleep on. Waits for no lock.
drop function pawl.deliver_events(smallint, tid[], uuid[], jsonb[]);
create function pawl.deliver_events(
    p_bucket smallint, p_worker uuid, p_subscription tid[], p_run uuid[], p_data jsonb[]
) returns uuid[]
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
    v_row tid[];
    v_holder uuid[];
    v_open boolean[];
    v_free tid[];
    v_leased uuid[] := '{}';
begin
    delete from pawl.subscription s where s.ctid = any (p_subscription);
    -- A row that cannot be locked is open, or is being closed: its message is unsure (see leave_signals).
    select array_agg(l.row_id), array_agg(l.worker), array_agg(l.row_id is not null or o.one is not null),
           array_agg(l.row_id) filter (where l.state in (0, 2) and (l.slot is null or l.slot in (1, 3)))
      into v_row, v_holder, v_open, v_free
      from unnest(p_run) as u (run_id)
      left join lateral (
          select h.ctid as row_id, h.worker, h.state, h.slot
            from pawl.live_run h
           where h.bucket = p_bucket and h.run_id = u.run_id
             for no key update skip locked
      ) as l on true
      left join lateral (
          select 1 as one
            from pawl.live_run h
           where l.row_id is null and h.bucket = p_bucket and h.run_id = u.run_id
          offset 0
      ) as o on true;
    insert into pawl.signal (bucket, run_id, kind, data, worker, unsure)
    select p_bucket, u.run_id, 'event', u.data, u.holder, u.row_id is null
      from unnest(p_run, p_data, v_row, v_holder, v_open) as u (run_id, data, row_id, holder, open)
     where u.open;
    if p_worker is not null and v_free is not null then
        with taken as (
            update pawl.live_run l
               set state = 1, worker = p_worker, due_at = least(l.due_at, now())
             where l.ctid = any (v_free)
            returning l.run_id
        )
        select array_agg(t.run_id) into v_leased from taken t;
        if cardinality(v_free) = cardinality(p_run) then
            return v_leased;
        end if;
    end if;
    update pawl.live_run l
       set state = 0, due_at = least(l.due_at, now())
     where l.ctid = any (v_row) and l.state in (0, 2);
    if p_worker is not null then
        perform pg_notify('pawl_wake', p_bucket::text);
    end if;
    return v_leased;
end
$$;

-- stuck: something is in somebody else's hands for the moment.
drop function pawl.match_events(smallint, int);
create function pawl.match_events(
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
    v_hits int;
    v_locked int;
    v_left bigint[];
    v_subscription tid[];
    v_run uuid[];
    v_data jsonb[];
begin
    delivered := 0;
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
    with hit as materialized (
        select e.id, e.row_id as event, e.at, s.row_id as subscription, s.run_id, s.token, l.one as locked
          from unnest(v_id) as q (id)
         cross join lateral (
             select i.ctid as row_id, i.id, i.tenant, i.event_id, i.name, i.key, i.at
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
    ), first as (
        -- Of two events for one subscription the first one counts; the other is there when the run waits again.
        select distinct on (h.subscription) h.subscription, h.run_id, h.token, h.event
          from hit h
         where h.locked = 1
         order by h.subscription, h.id
    ), told as (
        select f.subscription, f.run_id, pawl.event_signal(i.event, f.token) as data
          from first f
         cross join lateral (select i as event from pawl.inbox i where i.ctid = f.event) as i
    )
    select (select count(*) from hit), (select count(*) from hit h where h.locked = 1),
           array_agg(t.subscription), array_agg(t.run_id), array_agg(t.data)
      into v_hits, v_locked, v_subscription, v_run, v_data
      from told t;
    if v_run is not null then
        leased := pawl.deliver_events(p_bucket, p_worker, v_subscription, v_run, v_data);
        delivered := cardinality(v_run);
    end if;
    stuck := v_locked < v_hits;
    if v_hits < p_limit and not stuck then
        delete from pawl.inbox_pending q where q.ctid = any (v_taken);
        return;
    end if;
    more := true;
    v_left := array(
        select e.id
          from unnest(v_id) as q (id)
         cross join lateral (
             select i.id, i.tenant, i.event_id, i.name, i.key, i.at
               from pawl.inbox i
              where i.bucket + 0 = p_bucket and i.id = q.id
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
         order by e.id
    );
    delete from pawl.inbox_pending q where q.ctid = any (v_taken);
    perform pawl.pend_events(p_bucket, v_left);
end
$$;

drop function pawl.match_subscriptions(smallint, int);
create function pawl.match_subscriptions(
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
           array_agg(pawl.event_signal(e.event, s.token)), array_agg(l.one is not null)
      into v_subscription, v_run, v_token, v_ordinal, v_data, v_locked
      from unnest(v_run, v_token, v_ordinal) as q (run_id, token, ordinal)
     cross join lateral (
         select h.ctid as row_id, h.run_id, h.token, h.ordinal, h.tenant, h.event, h.key, h.since
           from pawl.subscription h
          where h.bucket = p_bucket and h.run_id = q.run_id and h.token = q.token and h.ordinal = q.ordinal
         offset 0
     ) as s
     cross join lateral (
         select i as event
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

-- With a worker: leased are runs that are its own now.
create function pawl.match_all(
    p_bucket smallint, p_limit int, p_worker uuid,
    out delivered int, out more boolean, out stuck boolean, out leased uuid[]
)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
    v_one record;
begin
    delivered := 0;
    more := false;
    stuck := false;
    leased := '{}';
    if exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket) then
        select m.* into delivered, more, stuck, leased from pawl.match_events(p_bucket, p_limit, p_worker) as m;
    end if;
    if delivered < p_limit and exists (select 1 from pawl.subscription_check q where q.bucket = p_bucket) then
        v_one := pawl.match_subscriptions(p_bucket, p_limit - delivered, p_worker);
        delivered := delivered + v_one.delivered;
        more := more or v_one.more;
        stuck := stuck or v_one.stuck;
        leased := leased || v_one.leased;
    end if;
end
$$;

create or replace function pawl.match_inbox(p_bucket smallint, p_limit int)
returns table (delivered int, more boolean)
language plpgsql
set search_path = pg_catalog as $$
declare
    v_all record;
    v_unsure int := (
        select count(*)
          from (select 1 from pawl.signal s where s.bucket = p_bucket and s.unsure limit p_limit) as u
    );
    v_left int;
begin
    if exists (select 1 from pawl.subscription_unchecked q where q.bucket = p_bucket) then
        with old as (
            delete from pawl.subscription_unchecked q
             where q.ctid = any (array(
                   select h.ctid from pawl.subscription_unchecked h
                    where h.bucket = p_bucket limit p_limit for update skip locked
               ))
            returning q.run_id, q.token, q.ordinal
        )
        select pawl.check_subscriptions(p_bucket, array_agg(o.run_id), array_agg(o.token), array_agg(o.ordinal))
          into v_all
          from old o
         having count(*) > 0;
    end if;
    v_all := pawl.match_all(p_bucket, p_limit, null);
    v_left := pawl.settle_signals(p_bucket, p_limit);
    -- Those that were settled may be ready now.
    delivered := v_all.delivered + greatest(v_unsure - v_left, 0);
    more := v_left > 0 or v_all.more;
    return next;
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
    v_seen record;
    v_taken record;
    v_matched record;
    v_due int;
    v_delivered boolean := false;
    v_back uuid[];
    v_kept int := 0;
    v_gates boolean;
    v_ids uuid[] := '{}';
begin
    v_ids := pawl.take_alike(p_bucket, p_worker, p_limit);
    if v_ids is null then
        v_ids := '{}';
        -- The lock is that of assert_worker.
        select (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
                 order by l.bucket, l.priority, l.due_at, l.run_id limit 1) as low,
               (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
                 order by l.bucket desc, l.priority desc, l.due_at desc, l.run_id desc limit 1) as high,
               (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
                 order by l.bucket, l.tenant, l.due_at limit 1) as first,
               (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
                 order by l.bucket desc, l.tenant desc, l.due_at desc limit 1) as last,
               exists (select 1 from pawl.flow_gate g where g.look) as look
          into v_seen
          from pawl.worker w
         where w.id = p_worker
           for key share;
        if not found then
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
    if v_due < p_limit and (
        exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket)
        or exists (select 1 from pawl.subscription_check q where q.bucket = p_bucket)
    ) then
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
    if cardinality(v_ids) > 0 then
        return query
        select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token, null::bigint
          from unnest(v_ids) as u (run_id)
         cross join lateral (
             select * from pawl.event l where l.bucket = p_bucket and l.run_id = u.run_id offset 0
         ) as e
         order by e.run_id, e.seq;
    end if;
    -- In the same transaction, so that a run woken by a signal is seen together with it.
    if exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
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

create or replace function pawl.list_inbox(
    p_bucket smallint, p_tenant int, p_name text, p_key text, p_before bigint, p_limit int, p_scan int
) returns table (
    id bigint, event_id text, name text, key text, subject text, source text, "time" timestamptz, data jsonb,
    at timestamptz, pending boolean, problem text
)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    v_event pawl.inbox;
    v_looked int := 0;
    v_found int := 0;
begin
    perform pawl.require_tenant(p_tenant);
    for v_event in
        select * from pawl.inbox i
         where i.bucket + 0 = p_bucket and (p_before is null or i.id < p_before)
         order by i.id desc
         limit p_scan
    loop
        v_looked := v_looked + 1;
        id := v_event.id;
        continue when v_event.tenant <> p_tenant or v_event.name <> coalesce(p_name, v_event.name)
            or v_event.key <> coalesce(p_key, v_event.key);
        event_id := v_event.event_id;
        name := v_event.name;
        key := v_event.key;
        subject := v_event.subject;
        source := v_event.source;
        time := v_event.time;
        data := v_event.data;
        at := v_event.at;
        problem := coalesce(v_event.problem, (
            select h.reason from pawl.trigger_held h
             where h.bucket = p_bucket and h.tenant = p_tenant and h.id = v_event.id));
        pending := exists (
                select 1
                  from (
                      select q.id, q.more from pawl.inbox_pending q
                       where q.bucket = p_bucket and q.id <= v_event.id
                       order by q.id desc limit 1000
                  ) as q
                 where q.id = v_event.id or v_event.id = any (q.more)
            )
            or exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket and q.id = v_event.id)
            or exists (select 1 from pawl.trigger_held h
                        where h.bucket = p_bucket and h.tenant = p_tenant and h.id = v_event.id);
        return next;
        v_found := v_found + 1;
        exit when v_found = p_limit;
    end loop;
    if v_found < p_limit and v_looked = p_scan then
        event_id := null;
        name := null;
        key := null;
        subject := null;
        source := null;
        time := null;
        data := null;
        at := null;
        problem := null;
        pending := null;
        return next;
    end if;
end
$$;

create or replace function pawl.purge_inbox(p_bucket smallint, p_keep interval, p_limit int) returns bigint
language plpgsql
set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off as $$
declare
    v_oldest timestamptz;
    v_from bigint := 0;
    v_last bigint;
    v_gone bigint := 0;
    v_count bigint;
begin
    -- Run ids carry their time.
    select to_timestamp(('x' || left(replace(l.run_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) into v_oldest
      from pawl.live_run l
     where l.bucket = p_bucket
     order by l.bucket, l.run_id
     limit 1;
    loop
        select max(w.id) into v_last
          from (select i.id, i.at from pawl.inbox i where i.bucket + 0 = p_bucket and i.id > v_from
                 order by i.id limit p_limit) as w
         where w.at < now() - p_keep;
        exit when v_last is null;
        delete from pawl.inbox i
         where i.bucket + 0 = p_bucket and i.id > v_from and i.id <= v_last and i.at < now() - p_keep
           and not exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket and q.id <= i.id)
           and not exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket and q.id = i.id)
           and not exists (select 1 from pawl.trigger_held h
                            where h.bucket = p_bucket and h.tenant = i.tenant and h.id = i.id)
           and (v_oldest is null or v_oldest > i.at
                or not exists (select 1 from pawl.event_wait w where w.event in (i.name, '*')));
        get diagnostics v_count = row_count;
        v_gone := v_gone + v_count;
        exit when v_gone >= p_limit or v_count > 0;
        v_from := v_last;
    end loop;
    return v_gone;
end
$$;

create or replace function pawl.figures_of_work(p_bucket smallint)
returns table (metric text, labels jsonb, value float8)
language plpgsql stable
set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    with recursive head as (
        (select l.priority, l.due_at from pawl.live_run l
          where l.bucket = p_bucket and l.state = 0 order by l.bucket, l.priority, l.due_at limit 1)
        union all
        select following.priority, following.due_at
          from head
         cross join lateral (
             select l.priority, l.due_at from pawl.live_run l
              where l.bucket = p_bucket and l.state = 0 and l.priority > head.priority
              order by l.bucket, l.priority, l.due_at limit 1) as following
    )
    select 'pawl_ready_runs', null::jsonb,
           least(coalesce(sum(pawl.count_due(p_bucket, h.priority, 10000)), 0), 10000)::float8 from head h
    union all
    select 'pawl_oldest_ready_age_seconds', null,
           coalesce(extract(epoch from now() - min(h.due_at) filter (where h.due_at <= now())), 0)::float8 from head h;
    return query
    select 'pawl_workers', null::jsonb, count(*)::float8 from pawl.worker;
    return query
    with waits as (select f.gate, f.rank from pawl.flow_wait f where f.bucket = p_bucket limit 10000)
    select 'pawl_queued_runs', null::jsonb, count(*)::float8 from waits
    union all
    select 'pawl_oldest_queued_age_seconds', null,
           greatest(coalesce(extract(epoch from now() - min(w.rank)), 0), 0)::float8 from waits w
    union all
    select 'pawl_full_gates', null, count(distinct w.gate)::float8 from waits w;
    return query
    with asked as (
        select w.name, t.opened_at, t.due_at
          from (select h.workflow, h.opened_at, h.due_at from pawl.human_task h
                 where h.bucket = p_bucket and h.state = 0 limit 10000) as t
          join pawl.workflow w on w.id = t.workflow
    ), by_workflow as (
        select a.name, count(*) as open, count(*) filter (where a.due_at < now()) as overdue, min(a.opened_at) as oldest
          from asked a group by a.name order by 2 desc limit 100
    )
    select m.metric, jsonb_build_object('workflow', b.name), m.value
      from by_workflow b
     cross join lateral (values
         ('pawl_human_tasks_open', b.open::float8),
         ('pawl_human_tasks_overdue', b.overdue::float8),
         ('pawl_oldest_human_task_age_seconds', extract(epoch from now() - b.oldest)::float8)) as m (metric, value);
    return query
    with dead as (
        select d.workflow, count(*) as count
          from (select o.workflow from pawl.dead_letter o
                 where o.bucket = p_bucket and o.replayed_as is null order by o.at desc limit 10000) as d
         group by d.workflow order by 2 desc limit 100
    )
    select 'pawl_dead_letters_open', jsonb_build_object('workflow', w.name), sum(d.count)::float8
      from dead d join pawl.workflow w on w.id = d.workflow group by w.name;
    return query
    with unmatched as (
        select i.id, 1 + coalesce(cardinality(i.more), 0) as count
          from pawl.inbox_pending i where i.bucket = p_bucket order by i.id limit 10000
    )
    select 'pawl_unmatched_events', null::jsonb, coalesce(sum(u.count), 0)::float8 from unmatched u
    union all
    select 'pawl_oldest_unmatched_event_age_seconds', null,
           coalesce((select extract(epoch from now() - e.at) from pawl.inbox e
                      where e.id = (select min(u.id) from unmatched u)), 0)::float8;
    return query
    with sent as (select s.at from pawl.signal s where s.bucket = p_bucket limit 10000)
    select 'pawl_pending_signals', null::jsonb, count(*)::float8 from sent
    union all
    select 'pawl_oldest_signal_age_seconds', null,
           coalesce(extract(epoch from now() - min(s.at)), 0)::float8 from sent s;
    return query
    select 'pawl_schedule_overdue_seconds', null::jsonb,
           greatest(coalesce(extract(epoch from now() - min(s.due_at)), 0), 0)::float8
      from pawl.schedule s where s.active and s.paused_at is null;
end
$$;
