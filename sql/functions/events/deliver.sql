-- Whether a run has got an event at this token before: it waits for the next one then.
create or replace function pawl.was_delivered(p_bucket smallint, p_run uuid, p_token int, p_event text) returns boolean
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
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

-- Delivers the subscriptions that are given by their place and locked.
create or replace function pawl.deliver_events(
    p_bucket smallint, p_worker uuid, p_subscription tid[], p_run uuid[], p_data jsonb[]
) returns uuid[]
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
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
