-- Adds the verdicts frequency_cap and holdout to p_verdict for messages that have none, no problem, and are not
-- transactional, and counts those that may go. Rows of pawl.message_reservation are locked in the order of their key.
-- Called by prepare_messages.
create or replace function pawl.reserve_messages(
    p_bucket smallint, p_tenant int[], p_person text[], p_channel text[], p_address text[], p_category text[],
    p_message uuid[], p_verdict text[], p_problem text[], p_now timestamptz
) returns text[]
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_verdict text[] := p_verdict;
    v_place int[];
    v_tenant int[];
    v_person text[];
    v_scope text[];
    v_holdout boolean[];
    v_cap int[];
    v_period interval[];
    v_one record;
begin
    if not exists (
        select 1 from (select distinct u.tenant from unnest(p_tenant) as u (tenant)) as d
         cross join lateral (
             select 1 from pawl.message_policy y
              where y.tenant = d.tenant and (y.cap_count is not null or y.holdout > 0) limit 1
         ) as y
    ) then
        return p_verdict;
    end if;
    select array_agg(x.place), array_agg(x.tenant), array_agg(x.person), array_agg(x.scope), array_agg(x.cap_count),
           array_agg(x.cap_period), array_agg(pawl.place_of(x.tenant || ':' || x.person) < x.holdout * 100)
      into v_place, v_tenant, v_person, v_scope, v_cap, v_period, v_holdout
      from (
          select u.place::int, u.tenant, p.channel as scope, p.cap_count, p.cap_period, p.holdout,
                 pawl.event_key(coalesce(u.person, 'address:' || pawl.address_key(u.channel, u.address))) as person
            from unnest(p_tenant, p_person, p_channel, p_address, p_category, p_verdict, p_problem) with ordinality
                 as u (tenant, person, channel, address, category, verdict, problem, place)
           cross join lateral (
               select y.* from pawl.message_policy y
                where y.tenant = u.tenant and y.channel in (u.channel, '*')
                order by y.channel = '*' limit 1
           ) as p
           where u.verdict is null and u.problem is null and u.category <> 'transactional'
             and (p.cap_count is not null or p.holdout > 0)
      ) as x;
    for v_one in
        select h.place, 'holdout' as verdict
          from unnest(v_place, v_holdout, v_cap) as h (place, held, cap)
         where h.held
    loop
        v_verdict[v_one.place] := v_one.verdict;
    end loop;
    if cardinality(array_remove(v_cap, null)) > 0 then
        perform pawl.lock_reservations(p_bucket, v_tenant, v_person, v_scope, v_cap);
        for v_one in
            select c.place
              from pawl.count_reservations(
                  p_bucket, v_place, v_tenant, v_person, v_scope, v_cap, v_period, v_holdout,
                  array(select p_message[x.place] from unnest(v_place) with ordinality as x (place, n) order by x.n),
                  p_now
              ) as c (place)
        loop
            v_verdict[v_one.place] := 'frequency_cap';
        end loop;
    end if;
    return v_verdict;
end
$$;

-- Makes and locks the rows that count the messages of these people: sessions that count the same come one after the
-- other. Called by reserve_messages, with its settings.
create or replace function pawl.lock_reservations(
    p_bucket smallint, p_tenant int[], p_person text[], p_scope text[], p_cap int[]
) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    insert into pawl.message_reservation (bucket, tenant, person, channel)
    select distinct p_bucket, u.tenant, u.person, u.scope
      from unnest(p_tenant, p_person, p_scope, p_cap) as u (tenant, person, scope, cap)
     where u.cap is not null
     order by 2, 3, 4
        on conflict do nothing;
    perform l.one
       from (
           select distinct u.tenant, u.person, u.scope
             from unnest(p_tenant, p_person, p_scope, p_cap) as u (tenant, person, scope, cap)
            where u.cap is not null
            order by 1, 2, 3
       ) as k
      cross join lateral (
          select 1 as one
            from pawl.message_reservation r
           where r.bucket = p_bucket and r.tenant = k.tenant and r.person = k.person and r.channel = k.scope
          offset 0
             for no key update
      ) as l;
end
$$;

-- Counts messages towards their caps, in the order of their places, and returns the places that are one too many. The
-- rows are locked. A message that counts already stays in; one that is held out takes no room. Forgets what is older
-- than the period. Called by reserve_messages, with its settings.
create or replace function pawl.count_reservations(
    p_bucket smallint, p_place int[], p_tenant int[], p_person text[], p_scope text[], p_cap int[],
    p_period interval[], p_holdout boolean[], p_message uuid[], p_now timestamptz
) returns setof int
language plpgsql set search_path = pg_catalog as $$
begin
    return query
    with asked as materialized (
        select u.place, u.tenant, u.person, u.scope, u.cap, u.holdout, u.message, r.kept, r.kept_times,
               u.message = any (r.kept) as known,
               min(u.place) over (partition by u.tenant, u.person, u.scope, u.message) as first_place
          from unnest(p_place, p_tenant, p_person, p_scope, p_cap, p_period, p_holdout, p_message)
               as u (place, tenant, person, scope, cap, period, holdout, message)
         cross join lateral (
             select array(select m.message from unnest(x.messages, x.times) as m (message, at)
                           where m.at > p_now - u.period) as kept,
                    array(select m.at from unnest(x.messages, x.times) as m (message, at)
                           where m.at > p_now - u.period) as kept_times
               from pawl.message_reservation x
              where x.bucket = p_bucket and x.tenant = u.tenant and x.person = u.person and x.channel = u.scope
             offset 0
         ) as r
         where u.cap is not null
    ), ranked as materialized (
        select a.*, cardinality(a.kept) + dense_rank() over (
                   partition by a.tenant, a.person, a.scope, a.known or a.holdout order by a.first_place
               ) as total
          from asked a
    ), counted as (
        update pawl.message_reservation x
           set messages = n.kept || n.messages, times = n.kept_times || n.times
          from (
              select p_bucket as bucket, g.tenant, g.person, g.scope, g.kept, g.kept_times,
                     array_agg(g.message order by g.place) as messages, array_agg(p_now) as times
                from ranked g
               where not g.known and not g.holdout and g.total <= g.cap and g.place = g.first_place
               group by 2, 3, 4, 5, 6
          ) as n
         where x.bucket = n.bucket and x.tenant = n.tenant and x.person = n.person and x.channel = n.scope
    )
    select g.place from ranked g where not g.known and (case when g.holdout then cardinality(g.kept) >= g.cap
                                                             else g.total > g.cap end);
end
$$;

-- Takes messages out of the counts of their people: they were not sent. Called by project_messages, with its settings.
create or replace function pawl.release_reservations(
    p_bucket smallint, p_tenant int[], p_person text[], p_channel text[], p_address text[], p_message uuid[]
) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    update pawl.message_reservation x
       set messages = array(select m.message from unnest(x.messages) with ordinality as m (message, n)
                             where m.message <> all (g.messages) order by m.n),
           times = array(select m.at from unnest(x.messages, x.times) with ordinality as m (message, at, n)
                          where m.message <> all (g.messages) order by m.n)
      from (
          select p_bucket as bucket, k.tenant, k.person, k.scope, array_agg(k.message) as messages
            from (
                select u.tenant, u.message, p.channel as scope, pawl.event_key(
                           coalesce(u.person, 'address:' || pawl.address_key(u.channel, u.address))) as person
                  from unnest(p_tenant, p_person, p_channel, p_address, p_message)
                       as u (tenant, person, channel, address, message)
                 cross join lateral (
                     select y.channel from pawl.message_policy y
                      where y.tenant = u.tenant and y.channel in (u.channel, '*') and y.cap_count is not null
                     offset 0
                 ) as p
            ) as k
           group by 2, 3, 4
           order by 2, 3, 4
      ) as g
     where x.bucket = g.bucket and x.tenant = g.tenant and x.person = g.person and x.channel = g.scope
       and x.messages && g.messages;
end
$$;
