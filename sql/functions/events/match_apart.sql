-- Matching fails for some event: each of those that would come next is tried alone. One that fails again is set aside
-- with its reason and the others go on.
create or replace function pawl.match_apart(
    p_bucket smallint, p_reason text, out delivered int, out more boolean, out stuck boolean, out leased uuid[]
) returns record
language plpgsql
set search_path = pg_catalog as $$
declare
    c_tries constant int := 100;
    v_aside bigint[];
    v_left bigint[];
    v_delivered int;
    v_failed boolean := false;
begin
    delivered := 0;
    stuck := false;
    leased := '{}';
    v_aside := pawl.events_that_fail(p_bucket, c_tries);
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

-- Tries up to p_tries of the events that are pending, each alone, and takes back what it did. Returns those that fail,
-- and notes the reason with them. One that meets a lock does not count as failed.
create or replace function pawl.events_that_fail(p_bucket smallint, p_tries int) returns bigint[]
language plpgsql set search_path = pg_catalog as $$
declare
    v_id bigint;
    v_failed bigint[] := '{}';
begin
    for v_id in
        select u.id
          from (
              select q.id || q.more as ids
                from pawl.inbox_pending q
               where q.bucket = p_bucket
               order by q.id
               limit p_tries
          ) as q
         cross join lateral unnest(q.ids) as u (id)
         limit p_tries
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
                v_failed := v_failed || v_id;
        end;
    end loop;
    return v_failed;
end
$$;
