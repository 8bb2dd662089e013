-- To bring events and those who wait for them together costs less: an event that nobody waits for is read once, and a
-- subscription is looked up once, and locked only when there is an event for it.
-- breaking: no

set local lock_timeout = '5s';

create or replace function pawl.match_events(p_bucket smallint, p_limit int, out delivered int, out more boolean)
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
set enable_memoize = off as $$
declare
    v_pending tid[];
    v_number bigint[];
    v_tenant int[];
    v_id text[];
    v_name text[];
    v_key text[];
    v_at timestamptz[];
    v_subscription tid[];
    v_run uuid[];
    v_data jsonb[];
    v_done int;
begin
    select array_agg(q.row_id), array_agg(q.id), array_agg(e.tenant), array_agg(e.event_id), array_agg(e.name),
           array_agg(e.key), array_agg(e.at)
      into v_pending, v_number, v_tenant, v_id, v_name, v_key, v_at
      from (
          select q.id, q.ctid as row_id
            from pawl.inbox_pending q
           where q.bucket = p_bucket
           order by q.id
           limit p_limit
             for update skip locked
      ) as q
     cross join lateral (
         select i.tenant, i.event_id, i.name, i.key, i.at
           from pawl.inbox i
          where i.bucket + 0 = p_bucket and i.id = q.id
         offset 0
     ) as e;
    delivered := 0;
    more := false;
    if v_pending is null then
        return;
    end if;
    -- Of two events for one subscription the first one counts; the other is there when the run waits again. What an
    -- event holds may be large: it is read for those that are wanted.
    select array_agg(m.row_id), array_agg(m.run_id), array_agg(m.data) into v_subscription, v_run, v_data
      from (
          select distinct on (h.row_id) h.row_id, h.run_id, h.data
            from (
                select s.row_id, s.run_id, e.number, pawl.event_signal(i.event, s.token) as data
                  from unnest(v_number, v_tenant, v_id, v_name, v_key, v_at) as e (number, tenant, id, name, key, at)
                 cross join lateral (
                     select h.ctid as row_id, h.run_id, h.token
                       from pawl.subscription h
                      where h.bucket + 0 = p_bucket and h.tenant = e.tenant and h.event = e.name and h.key = e.key
                        and h.since <= e.at
                        and case when h.at <= e.at then true
                                 else not pawl.was_delivered(p_bucket, h.run_id, h.token, e.id) end
                      limit p_limit
                        for update skip locked
                 ) as s
                 cross join lateral (
                     select i as event from pawl.inbox i where i.bucket + 0 = p_bucket and i.id = e.number offset 0
                 ) as i
                 limit p_limit
            ) as h
           order by h.row_id, h.number
      ) as m;
    if v_run is not null then
        perform pawl.deliver_events(p_bucket, v_subscription, v_run, v_data);
        delivered := cardinality(v_run);
    end if;
    delete from pawl.inbox_pending q
     where q.ctid = any (array(
           select e.pending
             from unnest(v_pending, v_tenant, v_id, v_name, v_key, v_at) as e (pending, tenant, id, name, key, at)
             left join lateral (
                 select 1 as one
                   from pawl.subscription h
                  where h.bucket + 0 = p_bucket and h.tenant = e.tenant and h.event = e.name and h.key = e.key
                    and h.since <= e.at
                    and case when h.at <= e.at then true
                             else not pawl.was_delivered(p_bucket, h.run_id, h.token, e.id) end
                  limit 1
             ) as left_over on true
            where left_over.one is null
       ));
    get diagnostics v_done = row_count;
    more := v_done < cardinality(v_pending) or cardinality(v_pending) = p_limit;
end
$$;

create or replace function pawl.match_subscriptions(p_bucket smallint, p_limit int, out delivered int, out more boolean)
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
set enable_memoize = off as $$
declare
    v_pending tid[];
    v_subscription tid[];
    v_run uuid[];
    v_data jsonb[];
    v_matched int;
    v_checked tid[];
begin
    select array_agg(q.row_id), array_agg(s.row_id), array_agg(s.run_id),
           array_agg(case when e.id is not null then pawl.event_signal(e.event, s.token) end), count(e.id)
      into v_pending, v_subscription, v_run, v_data, v_matched
      from (
          select q.ctid as row_id, q.run_id, q.token, q.ordinal
            from pawl.subscription_unchecked q
           where q.bucket = p_bucket
           limit p_limit
             for update skip locked
      ) as q
      left join lateral (
          select h.ctid as row_id, h.run_id, h.token, h.tenant, h.event, h.key, h.since
            from pawl.subscription h
           where h.bucket = p_bucket and h.run_id = q.run_id and h.token = q.token and h.ordinal = q.ordinal
          offset 0
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
    v_checked := v_pending;
    if v_matched > 0 then
        -- One that somebody holds locked stays unchecked: he may not come through. One without an event needs no lock:
        -- who holds it has an event that was not to be seen here yet, and is pending.
        select array_agg(u.pending) filter (where u.data is null or l.run_id is not null),
               array_agg(u.row_id) filter (where l.run_id is not null),
               array_agg(l.run_id) filter (where l.run_id is not null),
               array_agg(u.data) filter (where l.run_id is not null)
          into v_checked, v_subscription, v_run, v_data
          from unnest(v_pending, v_subscription, v_run, v_data) as u (pending, row_id, run_id, data)
          left join lateral (
              select h.run_id
                from pawl.subscription h
               where u.data is not null and h.ctid = u.row_id and h.run_id = u.run_id
                 for update skip locked
          ) as l on true;
    end if;
    delete from pawl.subscription_unchecked q where q.ctid = any (v_checked);
    more := coalesce(cardinality(v_checked), 0) < cardinality(v_pending) or cardinality(v_pending) = p_limit;
    if v_matched > 0 and v_run is not null then
        perform pawl.deliver_events(p_bucket, v_subscription, v_run, v_data);
        delivered := cardinality(v_run);
    end if;
end
$$;
