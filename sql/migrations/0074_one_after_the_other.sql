-- Messages of one run keep their order, one row never stops the others, and asking again is safe.
-- breaking: no

set local lock_timeout = '5s';

-- The moment of the call: a transaction may have begun before the run that waits for its event.
alter table pawl.inbox alter column at set default clock_timestamp();

create or replace function pawl.claim_runs(
    p_bucket smallint, p_worker uuid, p_limit integer, p_turn integer default 0
) returns table (
    run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz,
    token int, signal bigint
)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
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
              -- All of such a run, the oldest first: one that is not settled yet was acknowledged before.
              select h.*
                from (
                    select distinct w.run_id
                      from (
                          select g.run_id
                            from pawl.signal g
                           where g.bucket + 0 = p_bucket and g.worker = p_worker and g.run_id <> all (v_ids)
                           order by g.id
                           limit 1000
                      ) as w
                ) as r
               cross join lateral (
                   select g.* from pawl.signal g
                    where g.bucket = p_bucket and g.run_id = r.run_id
                    order by g.id
                    limit 1000
               ) as h
          ) as s
         order by s.id;
    end if;
end
$$;

drop function pawl.match_events(smallint, int, uuid);
create function pawl.match_events(
    p_bucket smallint, p_limit integer, p_worker uuid, p_only bigint default null, out delivered integer,
    out more boolean, out stuck boolean, out leased uuid[]
) returns record
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_memoize = off set jit = off as $$
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
    if p_only is not null then
        v_id := array[p_only];
    else
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
    end if;
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

-- The first wait that is to be checked goes to the end.
create function pawl.check_last(p_bucket smallint) returns void
language sql
set search_path = pg_catalog
begin atomic
    with old as (
        delete from pawl.subscription_check q
         where q.ctid = (
               select h.ctid from pawl.subscription_check h
                where h.bucket = p_bucket order by h.id limit 1 for update skip locked
           )
        returning q.runs, q.tokens, q.ordinals
    )
    select pawl.check_subscriptions(p_bucket, o.runs[2:] || o.runs[:1], o.tokens[2:] || o.tokens[:1],
                                    o.ordinals[2:] || o.ordinals[:1])
      from old o;
end;

-- Matching fails for some event: each of those that would come next is tried alone. One that fails again is set aside
-- with its reason and the others go on.
create function pawl.match_apart(
    p_bucket smallint, p_reason text, out delivered int, out more boolean, out stuck boolean, out leased uuid[]
) returns record
language plpgsql
set search_path = pg_catalog as $$
declare
    c_tries constant int := 100;
    v_id bigint;
    v_aside bigint[] := '{}';
    v_left bigint[];
    v_delivered int;
    v_failed boolean := false;
begin
    delivered := 0;
    stuck := false;
    leased := '{}';
    for v_id in
        select u.id
          from (
              select q.id || q.more as ids
                from pawl.inbox_pending q
               where q.bucket = p_bucket
               order by q.id
               limit c_tries
          ) as q
         cross join lateral unnest(q.ids) as u (id)
         limit c_tries
    loop
        begin
            perform pawl.match_events(p_bucket, 100, null, v_id);
            raise exception 'tried' using errcode = 'PW010';
        exception
            when sqlstate 'PW010' or lock_not_available or deadlock_detected or serialization_failure then
                null;
            when others then
                update pawl.inbox i set problem = left('not delivered: ' || sqlerrm, 500)
                 where i.bucket + 0 = p_bucket and i.id = v_id;
                v_aside := v_aside || v_id;
        end;
    end loop;
    if v_aside = '{}' then
        -- A wait whose event is there already: one by one, and one that fails goes to the end.
        for v_try in 1 .. c_tries loop
            begin
                select m.delivered, m.more into v_delivered, more from pawl.match_subscriptions(p_bucket, 1, null) as m;
                delivered := delivered + v_delivered;
                exit when not more;
            exception
                when lock_not_available or deadlock_detected or serialization_failure then
                    exit;
                when others then
                    perform pawl.check_last(p_bucket);
                    exit when v_failed;
                    v_failed := true;
            end;
        end loop;
        raise warning 'waits for events cannot all be served: %', p_reason;
        more := coalesce(more, false) and delivered > 0;
        return;
    end if;
    raise warning 'events % are set aside: %', v_aside, p_reason;
    with old as (
        delete from pawl.inbox_pending q
         where q.bucket = p_bucket and (q.id || q.more) && v_aside
        returning q.id || q.more as ids
    )
    select array_agg(u.id order by u.id) into v_left
      from old o cross join lateral unnest(o.ids) as u (id)
     where u.id <> all (v_aside);
    if v_left is not null then
        perform pawl.pend_events(p_bucket, v_left);
    end if;
    more := true;
end
$$;

create or replace function pawl.match_inbox(
    p_bucket smallint, p_limit integer
) returns table(delivered integer, more boolean)
language plpgsql set search_path = pg_catalog as $$
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
    begin
        v_all := pawl.match_all(p_bucket, p_limit, null);
    exception
        when lock_not_available or deadlock_detected or serialization_failure then
            raise;
        when others then
            v_all := pawl.match_apart(p_bucket, sqlerrm);
    end;
    v_left := pawl.settle_signals(p_bucket, p_limit);
    -- Those that were settled may be ready now.
    delivered := v_all.delivered + greatest(v_unsure - v_left, 0);
    more := v_left > 0 or v_all.more;
    return next;
end
$$;

-- A claim fails for some run: each that is due is tried alone. One that fails again is put off, so that the next claim
-- comes past it.
create function pawl.put_off_unclaimable(p_bucket smallint, p_worker uuid, p_limit int)
returns table (run_id uuid, reason text)
language plpgsql
set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_run uuid;
begin
    for v_run in
        select l.run_id
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.due_at <= now()
         order by l.priority, l.due_at, l.run_id
         limit p_limit
    loop
        begin
            update pawl.live_run l set state = 1, worker = p_worker
             where l.bucket = p_bucket and l.run_id = v_run and l.state = 0;
            perform md5(e.data::text || e.error::text)
               from pawl.event e
              where e.bucket = p_bucket and e.run_id = v_run;
            raise exception 'tried' using errcode = 'PW010';
        exception
            when sqlstate 'PW010' or lock_not_available or deadlock_detected or serialization_failure then
                null;
            when others then
                run_id := v_run;
                reason := sqlerrm;
                update pawl.live_run l set due_at = now() + interval '1 minute'
                 where l.bucket = p_bucket and l.run_id = v_run and l.state = 0;
                return next;
        end;
    end loop;
end
$$;

-- As rerun_from, once for a key: the run that it made before, if any; null: the tenant has no such run.
create function pawl.rerun_from_once(
    p_bucket smallint, p_tenant int, p_run uuid, p_new uuid, p_before int, p_input jsonb, p_released jsonb, p_key text
) returns uuid
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    v_workflow int;
    v_known uuid;
begin
    perform pawl.require_tenant(p_tenant);
    if p_key is not null then
        select r.workflow into v_workflow
          from (
              select l.workflow, l.tenant from pawl.live_run l where l.bucket = p_bucket and l.run_id = p_run
               union all
              select c.workflow, c.tenant from pawl.run c where c.bucket = p_bucket and c.run_id = p_run
          ) as r
         where r.tenant = p_tenant;
        -- Waits for a call with the same key that is under way.
        insert into pawl.correlation (bucket, tenant, workflow, key, run_id)
        select p_bucket, p_tenant, v_workflow, p_key, p_new where v_workflow is not null
            on conflict (bucket, tenant, workflow, key) do nothing;
        if not found then
            select c.run_id into v_known
              from pawl.correlation c
             where c.bucket = p_bucket and c.tenant = p_tenant and c.workflow = v_workflow and c.key = p_key;
            return v_known;
        end if;
    end if;
    if pawl.rerun_from(p_bucket, p_tenant, p_run, p_new, p_before, p_input, p_released) then
        return p_new;
    end if;
    return null;
end
$$;
