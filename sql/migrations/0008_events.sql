-- Events from outside, and messages to runs: an inbox that keeps events, subscriptions of runs that wait for one, the
-- matching of the two, and signals that reach a run whatever it is doing.
--
-- The matching never waits for a lock, so it is never part of a deadlock, and whoever commits never waits long for it.
-- Publisher and subscriber both write, commit, and then look at the other side: whatever the order, one of them sees
-- the other, and the deletion of the subscription decides who delivers.
-- breaking: no

set local lock_timeout = '5s';

-- Signals -------------------------------------------------------------------------------------------------------------

-- worker: who held the run when the message was left; so a worker finds its messages without looking at all others.
-- unsure: the run was locked by somebody else, who may have parked it without seeing the message; looked at again by
-- pawl.settle_signals.
alter table pawl.signal
    add column worker uuid,
    add column unsure boolean not null default false;
create index signal_worker on pawl.signal (worker, id) where worker is not null;
create index signal_unsure on pawl.signal (bucket, id) where unsure;

-- Leaves messages for runs that are open, and makes those ready that nobody holds. With p_wait a run that somebody
-- is changing is waited for, one after the other by id; without, its message is left as `unsure`. Returns the runs
-- that were reached.
create function pawl.leave_signals(p_bucket smallint, p_run uuid[], p_kind text[], p_data jsonb[], p_wait boolean)
returns setof uuid
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
    return query
    select distinct u.run_id from unnest(p_run, v_open) as u (run_id, open) where u.open;
end
$$;

-- Sends messages to runs. Returns those that are open; the others get nothing.
create function pawl.send_signals(p_bucket smallint, p_run uuid[], p_kind text[], p_data jsonb[]) returns setof uuid
language sql set search_path = pg_catalog
begin atomic
    select * from pawl.leave_signals(p_bucket, p_run, p_kind, p_data, true);
end;

create or replace function pawl.request_cancel(p_bucket smallint, p_run uuid, p_reason text) returns boolean
language sql set search_path = pg_catalog
begin atomic
    select exists (
        select 1
          from pawl.leave_signals(
              p_bucket, array[p_run], array['cancel'], array[jsonb_build_object('reason', p_reason)], true
          )
    );
end;

-- Gives places up: all of a run's, or those of a token or key where given. Whoever is first then hears of it, by a
-- message that waits for nobody.
create or replace function pawl.leave_locks(p_bucket smallint, p_run uuid[], p_token int[], p_key text[]) returns int
language plpgsql set search_path = pg_catalog set enable_seqscan = off as $$
declare
    v_left record;
    v_next record;
    v_inside boolean;
    v_count int := 0;
begin
    if not exists (select 1 from pawl.lock_place l where l.bucket = p_bucket) then
        return 0;
    end if;
    for v_left in
        select distinct l.tenant, l.key, l.run_id, u.token
          from unnest(p_run, p_token, p_key) as u (run_id, token, key)
          join pawl.lock_place l
            on l.bucket = p_bucket and l.run_id = u.run_id
           and (u.token is null or l.token = u.token) and (u.key is null or l.key = u.key)
         order by l.tenant, l.key, l.run_id
    loop
        perform pg_advisory_xact_lock(
            hashtextextended(format('pawl.lock %s %s %s', p_bucket, v_left.tenant, v_left.key), 0)
        );
        -- Only whoever was inside makes room.
        select l.run_id into v_next
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key
         order by l.place
         limit 1;
        v_inside := v_next.run_id = v_left.run_id;
        delete from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key and l.run_id = v_left.run_id
           and (v_left.token is null or l.token = v_left.token);
        v_count := v_count + 1;
        continue when not v_inside;
        select l.run_id, l.token into v_next
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key
         order by l.place
         limit 1;
        if found then
            perform pawl.leave_signals(
                p_bucket, array[v_next.run_id], array['lock'],
                array[jsonb_build_object('token', v_next.token, 'key', v_left.key)], false
            );
        end if;
    end loop;
    return v_count;
end
$$;

-- Finds out what became of runs that were locked when a message was left for them. Returns how many are still open.
create function pawl.settle_signals(p_bucket smallint, p_limit int) returns int
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
    v_signal tid[];
    v_row tid[];
    v_worker uuid[];
    v_open boolean[];
begin
    if not exists (select 1 from pawl.signal s where s.bucket = p_bucket and s.unsure) then
        return 0;
    end if;
    select array_agg(s.row_id), array_agg(l.row_id), array_agg(l.worker), array_agg(o.one is not null)
      into v_signal, v_row, v_worker, v_open
      from (
          select s.ctid as row_id, s.run_id
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
    return (select count(*) from unnest(v_row, v_open) as u (row_id, open) where u.open and u.row_id is null);
end
$$;

drop function pawl.pending_signals(smallint, uuid);
-- Messages for runs that this worker says it holds: a look from time to time that finds what an answer that got lost
-- should have brought.
create function pawl.pending_signals(p_bucket smallint, p_worker uuid, p_held uuid[])
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
      from unnest(p_held) as u (run_id)
     cross join lateral (
         select h.* from pawl.signal h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
     ) as s
     cross join lateral (
         select 1
           from pawl.live_run l
          where l.bucket = p_bucket and l.run_id = u.run_id and l.worker = p_worker
         offset 0
     ) as held
     order by s.id
     limit 1000;
end
$$;

-- Leases up to p_limit due runs to a worker, most urgent priority first (lower is sooner), and
-- returns their logs, and after them the signals that wait for them or came for others that it holds
-- (rows with a signal's id; the kind stands in node). One index range per priority: a million runs that
-- sleep until tomorrow are never walked over, nor are the signals of others.
create or replace function pawl.claim_runs(p_bucket smallint, p_worker uuid, p_limit int)
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

-- The group commit. p_token may be null: every event is of the first token.
-- Appends events, parks runs (ready at a time, or parked without one) and
-- closes runs, all in the transaction that checks the worker's fence. Without p_resend a second
-- write of a sequence number is an error, because only the holder writes; with it, what the lost
-- first try has written is skipped.
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
    return now();
end
$$;

-- The inbox -----------------------------------------------------------------------------------------------------------

-- While a table is small, every index that has a column of the condition looks as good as any other to the planner,
-- and the wrong choice stays when the table grows. So no two indexes of a table here share a column that is asked for
-- alone, and where an index without the bucket is meant, the bucket is hidden: `bucket + 0`.

-- Events from outside, as they came; never changed but for `problem`. They are kept for a while after they were
-- matched, so that a run that comes to its wait later still finds them, and so that one sent twice is known.
create table pawl.inbox (
    id bigint generated always as identity,
    bucket smallint not null,
    tenant int not null,
    event_id text not null,
    name text not null,
    key text not null,
    subject text,
    source text,
    time timestamptz,
    data jsonb,
    at timestamptz not null default now(),
    -- Why a workflow that should have been started by it was not.
    problem text,
    constraint inbox_pk primary key (bucket, tenant, event_id),
    constraint inbox_event_id_check check (octet_length(event_id) between 1 and 400),
    constraint inbox_name_check check (octet_length(name) <= 500),
    constraint inbox_key_check check (octet_length(key) <= 500)
) with (autovacuum_vacuum_insert_scale_factor = 0.2);
create index inbox_id on pawl.inbox (id);
create index inbox_key on pawl.inbox (tenant, name, key, at);

-- Events that were not yet held against the subscriptions. A table of its own, so that the wide rows stay untouched.
create table pawl.inbox_pending (
    bucket smallint not null,
    id bigint not null,
    constraint inbox_pending_pk primary key (bucket, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Runs that wait for an event. `since`: events of that time or later count. `at`: when it began to wait.
create table pawl.subscription (
    run_id uuid not null,
    since timestamptz not null,
    at timestamptz not null default now(),
    tenant int not null,
    token int not null,
    ordinal smallint not null,
    bucket smallint not null,
    event text not null,
    key text not null,
    constraint subscription_pk primary key (bucket, run_id, token, ordinal)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index subscription_key on pawl.subscription (tenant, event, key);

-- Subscriptions that were not yet held against the inbox.
create table pawl.subscription_unchecked (
    bucket smallint not null,
    run_id uuid not null,
    token int not null,
    ordinal smallint not null,
    constraint subscription_unchecked_pk primary key (bucket, run_id, token, ordinal)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Names and keys of any length fit into an index; both sides make them the same way. No commit fails by what a template
-- made of them.
create function pawl.event_key(p_key text) returns text
language sql immutable parallel safe
return case when octet_length(p_key) <= 500 then coalesce(p_key, '') else 'md5:' || md5(p_key) end;

-- Which events start which workflows, and which ones runs of a workflow may wait for ('*': any); both follow from the
-- definitions.
create table pawl.event_trigger (
    tenant int not null,
    event text not null,
    workflow int not null,
    constraint event_trigger_pk primary key (tenant, event, workflow)
);
create table pawl.event_wait (
    workflow int not null,
    event text not null,
    constraint event_wait_pk primary key (workflow, event)
);

-- Events that start workflows and were not yet looked at for that.
create table pawl.trigger_pending (
    bucket smallint not null,
    id bigint not null,
    attempts smallint not null default 0,
    lease_until timestamptz not null default '-infinity',
    constraint trigger_pending_pk primary key (bucket, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create function pawl.keep_triggers() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if tg_op <> 'INSERT' then
        delete from pawl.event_trigger t where t.workflow = old.workflow;
    end if;
    if tg_op <> 'DELETE' and new.active then
        insert into pawl.event_trigger (tenant, event, workflow)
        select distinct new.tenant, t.value ->> 'event', new.workflow
          from jsonb_array_elements(
              case when jsonb_typeof(new.settings -> 'triggers') = 'array' then new.settings -> 'triggers' else '[]' end
          ) as t
         where jsonb_typeof(t.value -> 'event') = 'string'
            on conflict do nothing;
    end if;
    return null;
end
$$;
create trigger definition_triggers after insert or update or delete on pawl.definition
for each row execute function pawl.keep_triggers();

create function pawl.keep_waits() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    insert into pawl.event_wait (workflow, event)
    select distinct new.workflow, case when strpos(e.name #>> '{}', '{{') > 0 then '*' else e.name #>> '{}' end
      from jsonb_path_query(new.definition, 'strict $.**.event ? (@.type() == "string")', '{}', true) as e (name)
        on conflict do nothing;
    return null;
end
$$;
create trigger workflow_version_waits after insert on pawl.workflow_version
for each row execute function pawl.keep_waits();

-- Takes events in. Returns those that are new; one whose id is known is not taken twice.
create function pawl.publish_events(
    p_bucket smallint, p_tenant int[], p_id text[], p_name text[], p_key text[], p_subject text[], p_source text[],
    p_time timestamptz[], p_data jsonb[]
) returns table (tenant int, event_id text)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
begin
    return query
    with fresh as (
        insert into pawl.inbox (bucket, tenant, event_id, name, key, subject, source, time, data)
        select p_bucket, u.tenant, u.id, pawl.event_key(u.name), pawl.event_key(u.key), u.subject, u.source, u.time,
               u.data
          from unnest(p_tenant, p_id, p_name, p_key, p_subject, p_source, p_time, p_data) with ordinality
               as u (tenant, id, name, key, subject, source, time, data, place)
         order by u.place
            on conflict do nothing
        returning id, tenant, name, event_id
    ), pending as (
        insert into pawl.inbox_pending (bucket, id) select p_bucket, f.id from fresh f
    ), starting as (
        insert into pawl.trigger_pending (bucket, id)
        select p_bucket, f.id
          from fresh f
         cross join lateral (
             select 1 from pawl.event_trigger t where t.tenant = f.tenant and t.event = f.name limit 1
         ) as t
    )
    select f.tenant, f.event_id from fresh f;
end
$$;

-- Whether a run has got an event at this token before: it waits for the next one then.
create function pawl.was_delivered(p_bucket smallint, p_run uuid, p_token int, p_event text) returns boolean
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    return exists (
        select 1
          from pawl.signal s
         where s.bucket = p_bucket and s.run_id = p_run and s.kind = 'event' and s.data ->> 'id' = p_event
           and (s.data ->> 'token')::int = p_token
    ) or exists (
        select 1
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type = 10 and e.data ->> 'kind' = 'event'
           and e.data -> 'data' ->> 'id' = p_event and (e.data -> 'data' ->> 'token')::int = p_token
    );
end
$$;

create function pawl.event_signal(p_event pawl.inbox, p_token int) returns jsonb
language sql immutable parallel safe
return jsonb_build_object(
    'id', (p_event).event_id, 'name', (p_event).name, 'key', (p_event).key, 'data', (p_event).data, 'token', p_token
);

-- Delivers the subscriptions that are given by their place and locked.
create function pawl.deliver_events(p_bucket smallint, p_subscription tid[], p_run uuid[], p_data jsonb[]) returns void
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan as $$
begin
    delete from pawl.subscription s where s.ctid = any (p_subscription);
    perform pawl.leave_signals(p_bucket, p_run, array_fill('event'::text, array[cardinality(p_run)]), p_data, false);
end
$$;

-- Events that are new, against the subscriptions. An event stays pending until nobody is left that it should reach:
-- a subscription that somebody holds locked may stay after all.
create function pawl.match_events(p_bucket smallint, p_limit int, out delivered int, out more boolean)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_memoize = off as $$
declare
    v_event bigint[];
    v_pending tid[];
    v_subscription tid[];
    v_run uuid[];
    v_data jsonb[];
    v_done int;
begin
    select array_agg(q.id), array_agg(q.row_id) into v_event, v_pending
      from (
          select q.id, q.ctid as row_id
            from pawl.inbox_pending q
           where q.bucket = p_bucket
           order by q.id
           limit p_limit
             for update skip locked
      ) as q;
    delivered := 0;
    more := false;
    if v_event is null then
        return;
    end if;
    -- Of two events for one subscription the first one counts; the other is there when the run waits again.
    select array_agg(m.row_id), array_agg(m.run_id), array_agg(m.data) into v_subscription, v_run, v_data
      from (
          select distinct on (h.row_id) h.row_id, h.run_id, h.data
            from (
                select s.row_id, s.run_id, e.id, pawl.event_signal(e.event, s.token) as data
                  from unnest(v_event) as u (id)
                 cross join lateral (
                     select i as event, i.id, i.tenant, i.name, i.key, i.at, i.event_id
                       from pawl.inbox i where i.bucket + 0 = p_bucket and i.id = u.id offset 0
                 ) as e
                 cross join lateral (
                     select h.ctid as row_id, h.run_id, h.token
                       from pawl.subscription h
                      where h.bucket + 0 = p_bucket and h.tenant = e.tenant and h.event = e.name and h.key = e.key
                        and h.since <= e.at
                        and case when h.at <= e.at then true
                                 else not pawl.was_delivered(p_bucket, h.run_id, h.token, e.event_id) end
                      limit p_limit
                        for update skip locked
                 ) as s
                 limit p_limit
            ) as h
           order by h.row_id, h.id
      ) as m;
    if v_run is not null then
        perform pawl.deliver_events(p_bucket, v_subscription, v_run, v_data);
        delivered := cardinality(v_run);
    end if;
    delete from pawl.inbox_pending q
     where q.ctid = any (array(
           select u.pending
             from unnest(v_event, v_pending) as u (id, pending)
            cross join lateral (
                select i.* from pawl.inbox i where i.bucket + 0 = p_bucket and i.id = u.id offset 0
            ) as e
             left join lateral (
                 select 1 as one
                   from pawl.subscription h
                  where h.bucket + 0 = p_bucket and h.tenant = e.tenant and h.event = e.name and h.key = e.key
                    and h.since <= e.at
                    and case when h.at <= e.at then true
                             else not pawl.was_delivered(p_bucket, h.run_id, h.token, e.event_id) end
                  limit 1
             ) as left_over on true
            where left_over.one is null
       ));
    get diagnostics v_done = row_count;
    more := v_done < cardinality(v_event) or cardinality(v_event) = p_limit;
end
$$;

-- Subscriptions that are new, against what is in the inbox: an event that came before the wait is not lost.
create function pawl.match_subscriptions(p_bucket smallint, p_limit int, out delivered int, out more boolean)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_memoize = off as $$
declare
    v_pending tid[];
    v_there boolean[];
    v_subscription tid[];
    v_run uuid[];
    v_data jsonb[];
    v_done int;
begin
    select array_agg(q.row_id), array_agg(o.one is not null), array_agg(s.row_id), array_agg(s.run_id),
           array_agg(case when e.id is not null then pawl.event_signal(e.event, s.token) end)
      into v_pending, v_there, v_subscription, v_run, v_data
      from (
          select q.ctid as row_id, q.run_id, q.token, q.ordinal
            from pawl.subscription_unchecked q
           where q.bucket = p_bucket
           limit p_limit
             for update skip locked
      ) as q
      left join lateral (
          select 1 as one
            from pawl.subscription h
           where h.bucket = p_bucket and h.run_id = q.run_id and h.token = q.token and h.ordinal = q.ordinal
          offset 0
      ) as o on true
      left join lateral (
          select h.ctid as row_id, h.run_id, h.token, h.tenant, h.event, h.key, h.since
            from pawl.subscription h
           where h.bucket = p_bucket and h.run_id = q.run_id and h.token = q.token and h.ordinal = q.ordinal
             for update skip locked
      ) as s on true
      left join lateral (
          select i as event, i.id
            from pawl.inbox i
           where i.bucket + 0 = p_bucket and i.tenant = s.tenant and i.name = s.event and i.key = s.key
             and i.at >= s.since
             and not pawl.was_delivered(p_bucket, s.run_id, s.token, i.event_id)
           order by i.at, i.id
           limit 1
      ) as e on true;
    delivered := 0;
    more := false;
    if v_pending is null then
        return;
    end if;
    -- One that somebody holds locked stays: he may not come through.
    delete from pawl.subscription_unchecked q
     where q.ctid = any (array(
           select u.pending
             from unnest(v_pending, v_there, v_subscription) as u (pending, there, row_id)
            where not u.there or u.row_id is not null
       ));
    get diagnostics v_done = row_count;
    more := v_done < cardinality(v_pending) or cardinality(v_pending) = p_limit;
    select array_agg(u.row_id), array_agg(u.run_id), array_agg(u.data) into v_subscription, v_run, v_data
      from unnest(v_subscription, v_run, v_data) as u (row_id, run_id, data)
     where u.data is not null;
    if v_run is not null then
        perform pawl.deliver_events(p_bucket, v_subscription, v_run, v_data);
        delivered := cardinality(v_run);
    end if;
end
$$;

-- Brings events and those who wait for them together, p_limit of each kind at most. Whoever calls it has committed what
-- it should see. `more`: there is something left to do, perhaps because somebody held it locked.
create function pawl.match_inbox(p_bucket smallint, p_limit int) returns table (delivered int, more boolean)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
    v_one record;
begin
    delivered := 0;
    more := false;
    if exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket) then
        v_one := pawl.match_events(p_bucket, p_limit);
        delivered := v_one.delivered;
        more := v_one.more;
    end if;
    if exists (select 1 from pawl.subscription_unchecked q where q.bucket = p_bucket) then
        v_one := pawl.match_subscriptions(p_bucket, p_limit);
        delivered := delivered + v_one.delivered;
        more := more or v_one.more;
    end if;
    more := pawl.settle_signals(p_bucket, p_limit) > 0 or more;
    return next;
end
$$;

-- Events that have been matched and are older than p_keep go, p_limit at a time. One that a run may still come to wait
-- for is kept as long as there is an open run that began before it.
create function pawl.purge_inbox(p_bucket smallint, p_keep interval, p_limit int) returns bigint
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
           and not exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket and q.id = i.id)
           and not exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket and q.id = i.id)
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

-- Newest first, from a cursor; p_scan rows are looked at at most. A last row without a name says how far it came.
create function pawl.list_inbox(
    p_bucket smallint, p_tenant int, p_name text, p_key text, p_before bigint, p_limit int, p_scan int
) returns table (
    id bigint, event_id text, name text, key text, subject text, source text, "time" timestamptz, data jsonb,
    at timestamptz, pending boolean, problem text
)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    v_event pawl.inbox;
    v_looked int := 0;
    v_found int := 0;
begin
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
        problem := v_event.problem;
        pending := exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket and q.id = v_event.id)
            or exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket and q.id = v_event.id);
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

-- Starting by events --------------------------------------------------------------------------------------------------

-- The run that a subject has, or had, of a workflow that it may not enter twice.
create table pawl.reentry (
    bucket smallint not null,
    tenant int not null,
    workflow int not null,
    subject text not null,
    run_id uuid not null,
    at timestamptz not null default now(),
    constraint reentry_pk primary key (bucket, tenant, workflow, subject)
);

-- pawl.start_runs for workflows that a subject may enter once (p_reentry[i] = 1) or only while it has no open run of it
-- (2); 0 is always. A run that may not start is returned with the one in its way, as with a taken correlation key.
create function pawl.start_guarded_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean,
    p_run uuid[], p_tenant int[], p_workflow int[], p_version int[], p_subject text[], p_priority smallint[],
    p_due timestamptz[], p_data jsonb[], p_correlation text[], p_lease boolean[], p_reentry smallint[]
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
                 array_agg(u.key order by u.place) as key, array_agg(u.lease order by u.place) as lease
            from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_data, p_correlation,
                        p_lease) with ordinality
                 as u (run_id, tenant, workflow, version, subject, priority, due, data, key, lease, place)
           where u.run_id <> all (v_skip)
      ) as left_over
     cross join lateral pawl.start_runs(
         p_bucket, p_worker, p_resend, left_over.run, left_over.tenant, left_over.workflow, left_over.version,
         left_over.subject, left_over.priority, left_over.due, left_over.data,
         case when p_correlation is not null then left_over.key end, left_over.lease
     ) as s
     where left_over.run is not null;
end
$$;

-- Events that may start workflows, one row for each workflow; the caller has p_lease to start them and to say so with
-- pawl.finish_triggers. An event that was tried too often (whoever tried it died each time) is put aside.
create function pawl.claim_triggers(p_bucket smallint, p_limit int, p_lease interval)
returns table (
    id bigint, tenant int, event_id text, name text, key text, subject text, source text, "time" timestamptz,
    data jsonb, at timestamptz, workflow int, version int
)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    c_attempts_max constant int := 5;
    v_id bigint[];
    v_row tid[];
begin
    if not exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket) then
        return;
    end if;
    select array_agg(q.id), array_agg(q.row_id) into v_id, v_row
      from (
          select q.id, q.ctid as row_id
            from pawl.trigger_pending q
           where q.bucket = p_bucket and q.lease_until < now()
           order by q.bucket, q.id
           limit p_limit
             for update skip locked
      ) as q;
    if v_id is null then
        return;
    end if;
    update pawl.inbox i
       set problem = format('tried %s times to start workflows by it, and the worker died each time', c_attempts_max)
     where i.bucket + 0 = p_bucket
       and i.id = any (array(
           select q.id from pawl.trigger_pending q where q.ctid = any (v_row) and q.attempts >= c_attempts_max
       ));
    delete from pawl.trigger_pending q where q.ctid = any (v_row) and q.attempts >= c_attempts_max;
    update pawl.trigger_pending q
       set attempts = q.attempts + 1, lease_until = now() + p_lease
     where q.ctid = any (v_row);
    -- An event without a workflow (it was taken away meanwhile) comes too, so that it can be finished.
    return query
    select e.id, e.tenant, e.event_id, e.name, e.key, e.subject, e.source, e.time, e.data, e.at, w.workflow, w.version
      from unnest(v_id) as u (id)
     cross join lateral (
         select i.* from pawl.inbox i where i.bucket + 0 = p_bucket and i.id = u.id and i.problem is null offset 0
     ) as e
      left join lateral (
         select d.workflow, d.version
           from pawl.event_trigger t
           join pawl.definition d on d.workflow = t.workflow and d.active
          where t.tenant = e.tenant and t.event = e.name
         offset 0
     ) as w on true
     order by e.id, w.workflow;
end
$$;

create function pawl.finish_triggers(p_bucket smallint, p_id bigint[], p_problem text[]) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
begin
    delete from pawl.trigger_pending q
     using unnest(p_id) as u (id)
     where q.bucket = p_bucket and q.id = u.id;
    update pawl.inbox i
       set problem = u.problem
      from unnest(p_id, p_problem) as u (id, problem)
     where u.problem is not null and i.bucket + 0 = p_bucket and i.id = u.id;
end
$$;

insert into pawl.event_wait (workflow, event)
select distinct v.workflow, case when strpos(e.name #>> '{}', '{{') > 0 then '*' else e.name #>> '{}' end
  from pawl.workflow_version v
 cross join jsonb_path_query(v.definition, 'strict $.**.event ? (@.type() == "string")', '{}', true) as e (name)
    on conflict do nothing;
insert into pawl.event_trigger (tenant, event, workflow)
select distinct d.tenant, t.value ->> 'event', d.workflow
  from pawl.definition d
 cross join jsonb_array_elements(
     case when jsonb_typeof(d.settings -> 'triggers') = 'array' then d.settings -> 'triggers' else '[]' end
 ) as t
 where d.active and jsonb_typeof(t.value -> 'event') = 'string'
    on conflict do nothing;
