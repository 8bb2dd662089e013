-- The steps of match_events. match_events alone calls them, and they run with its planner settings.

-- What each of these waits gets, as messages: the event p_id[p_place] that met it, or an older one that the run has not
-- had. The arrays from p_place on are of one length, and so is the answer.
create or replace function pawl.events_to_deliver(
    p_bucket smallint, p_id bigint[], p_place bigint[], p_run uuid[], p_token int[], p_since timestamptz[],
    p_tenant int[], p_name text[], p_key text[]
) returns jsonb[]
language plpgsql set search_path = pg_catalog as $$
declare
    v_oldest bigint[];
    v_data jsonb[];
begin
    -- Not before it is known which waits get one: an event may be large, and of many for one only the first is needed.
    select array_agg(e.id), array_agg(jsonb_build_object(
               'id', e.event_id, 'name', e.name, 'key', e.key, 'data', e.data, 'token', u.token
           ))
      into v_oldest, v_data
      from unnest(p_token, p_since, p_tenant, p_name, p_key) as u (token, since, tenant, name, key)
      left join lateral (
          select i.id, i.event_id, i.name, i.key, i.data
            from pawl.inbox i
           where i.bucket + 0 = p_bucket and i.tenant = u.tenant and i.name = u.name and i.key = u.key
             and i.at >= u.since
           order by i.at, i.id
           limit 1
      ) as e on true;
    -- A run that is behind gets what came before this event and it has not had.
    if exists (select 1 from unnest(p_place, v_oldest) as u (place, oldest) where p_id[u.place] <> u.oldest) then
        select array_agg(case when p_id[u.place] = u.oldest then u.data
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
          from unnest(p_place, v_oldest, v_data, p_run, p_token, p_since, p_tenant, p_name, p_key)
               as u (place, oldest, data, run_id, token, since, tenant, name, key);
    end if;
    return v_data;
end
$$;

-- Keeps events pending that were not matched with all waits: those of p_left, and p_last, at which the limit ended the
-- matching, when there are more waits for it.
create or replace function pawl.pend_left_over(p_bucket smallint, p_left bigint[], p_last bigint) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    perform pawl.pend_events(p_bucket, array(
        select u.id from unnest(p_left) as u (id)
        union
        select e.id
          from (
              select i.id, i.tenant, i.event_id, i.name, i.key, i.at
                from pawl.inbox i
               where i.bucket + 0 = p_bucket and i.id = p_last
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
