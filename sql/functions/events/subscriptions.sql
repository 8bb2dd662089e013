-- Records what runs wait for: rows of pawl.subscription, numbered within each token, and one row of
-- pawl.subscription_check for the matcher, which looks for events that came before. Called by project_runs in the
-- transaction of the commit.
create or replace function pawl.subscribe_runs(
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

-- No row is longer than what a page holds without being cut up.
create or replace function pawl.check_subscriptions(
    p_bucket smallint, p_run uuid[], p_token int[], p_ordinal smallint[]
)
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

-- Moves the first wait of the oldest row of pawl.subscription_check behind the others of that row.
create or replace function pawl.check_last(p_bucket smallint) returns void
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

-- Subscriptions that are new, against what is in the inbox: an event that came before the wait is not lost.
create or replace function pawl.match_subscriptions(
    p_bucket smallint, p_limit int, p_worker uuid,
    out delivered int, out more boolean, out stuck boolean, out leased uuid[]
)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_memoize = off set jit = off as $$
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
    -- One without an event needs no lock: a session that holds it has a pending event that is not visible here yet.
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
