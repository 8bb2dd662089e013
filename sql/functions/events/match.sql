-- Matches events with waiting runs, p_limit of each kind at most. The caller has committed what this should see.
-- `more`: something is left to do, perhaps because another session held it locked.
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
        -- Before the events: a fact that finds its message may be one.
        perform pawl.match_facts(p_bucket, p_limit);
    exception
        when lock_not_available or deadlock_detected or serialization_failure then
            raise;
        when others then
            raise warning 'facts about messages could not be matched: %', sqlerrm;
    end;
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

-- Matches pending events, then new waits, up to p_limit deliveries together. more: some are left. stuck: what is left
-- cannot be matched now. With a worker: leased are the runs that were leased to it on the way.
create or replace function pawl.match_all(
    p_bucket smallint, p_limit int, p_worker uuid,
    out delivered int, out more boolean, out stuck boolean, out leased uuid[]
)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
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

-- Matches events that are new with the subscriptions, up to p_limit deliveries; p_only: that event alone. An event
-- stays pending until no subscription is left that it should reach: one that another session holds may stay after all.
-- Locks the rows of inbox_pending that it takes and the subscriptions that it serves, and waits for neither.
create or replace function pawl.match_events(
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
        v_data := pawl.events_to_deliver(
            p_bucket, v_id, v_place, v_run, v_token, v_since, v_tenant, v_name, v_key
        );
        leased := pawl.deliver_events(p_bucket, p_worker, v_subscription, v_run, v_data);
        delivered := cardinality(v_run);
    end if;
    delete from pawl.inbox_pending q where q.ctid = any (v_taken);
    if v_last is null and not stuck then
        return;
    end if;
    more := true;
    perform pawl.pend_left_over(p_bucket, v_left, v_last);
end
$$;
