-- The outbox, sent: what a message says, who takes which ones, and what became of them.
-- breaking: no

set local lock_timeout = '5s';

-- What is told about an event beside where it happened. Not immutable, which would be a lie that keeps the planner from
-- writing it out in place.
create function pawl.outbox_data(p_type smallint, p_data jsonb, p_error jsonb) returns jsonb
language sql stable parallel safe
return case p_type
    when 0 then jsonb_build_object('input', p_data -> 'input')
    when 1 then jsonb_build_object('result', p_data)
    when 2 then jsonb_build_object('error', p_error, 'will_retry', coalesce(p_data ? 'retry_at', false))
    when 3 then jsonb_build_object('title', p_data -> 'title', 'assignee', p_data -> 'assignee',
                                   'group', p_data -> 'group', 'error', p_data -> 'error')
    when 4 then jsonb_build_object('status', 'completed', 'output', p_data)
    when 5 then jsonb_build_object('status', 'failed', 'error', p_error)
    when 6 then jsonb_build_object('status', 'cancelled', 'reason', p_data -> 'reason')
    when 7 then jsonb_build_object('key', p_data -> 'emit' -> 'key', 'emitted', p_data -> 'emit' -> 'data')
    when 12 then jsonb_build_object('reason', p_data -> 'reason')
    when 16 then jsonb_build_object('by', p_data -> 'by', 'reason', p_data -> 'reason')
    else '{"more": null}'
end;

-- A message as it is told: {type, timestamp, data}. As text, since it goes out as text. Big results stay where they
-- are; the reader may ask for them.
create function pawl.outbox_text(
    p_row pawl.outbox, p_workflow text, p_node text, p_attempt smallint, p_type smallint, p_data jsonb, p_error jsonb
) returns text
language sql stable parallel safe
return '{"type": ' || to_json((p_row).type) || ', "timestamp": "'
    || to_char((p_row).created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '", "data": '
    || coalesce((p_row).data::text,
                left(json_build_object('run_id', (p_row).run_id, 'seq', (p_row).seq, 'workflow', p_workflow,
                                       'version', (p_row).version, 'subject', (p_row).subject, 'step', p_node,
                                       'attempt', p_attempt)::text, -1)
                || ', ' || case when pg_column_size(p_data) > 15000 then '"truncated": true}'
                                else substr(pawl.outbox_data(p_type, p_data, p_error)::text, 2) end)
    || '}';

-- Messages, in the order given.
create function pawl.outbox_messages(p_bucket smallint, p_target int, p_run uuid[], p_seq int[])
returns table (run_id uuid, seq int, message text)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off as $$
begin
    return query
        select u.run_id, u.seq, pawl.outbox_text(o.row, w.name, e.node, e.attempt, e.type, e.data, e.error)
          from unnest(p_run, p_seq) with ordinality as u (run_id, seq, n)
         cross join lateral (
             select x as row, x.workflow from pawl.outbox x
              where x.bucket = p_bucket and x.target = p_target and x.run_id = u.run_id and x.seq = u.seq
             offset 0
         ) as o
          left join lateral (
             select x.node, x.attempt, x.type, x.data, x.error from pawl.event x
              where x.bucket = p_bucket and x.run_id = u.run_id and x.seq = u.seq
             offset 0
         ) as e on true
          left join lateral (select x.name from pawl.workflow x where x.id = o.workflow offset 0) as w on true
         order by u.n;
end
$$;

-- The next messages of one target, in the order in which they are to arrive, leased to p_worker: none of what another
-- sends, none ahead of an earlier one of the same run that has to wait.
create function pawl.pick_outbox(p_bucket smallint, p_target int, p_shard smallint, p_limit int)
returns table (run_id uuid, seq int, due_at timestamptz)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
    v_run uuid[];
    v_seq int[];
    v_due timestamptz[];
    v_until timestamptz[];
begin
    with batch as materialized (
        select o.run_id, o.seq, o.due_at
          from pawl.outbox o
         where o.bucket = p_bucket and o.target = p_target and o.shard = p_shard and o.due_at <= now()
         order by o.due_at, o.run_id, o.seq
         limit p_limit
    ), final as (
        select b.run_id, b.seq, b.due_at from batch b order by b.due_at desc, b.run_id desc, b.seq desc limit 1
    ), judged as (
        select b.run_id, b.seq, b.due_at,
               max(p.due_at) filter (where p.ahead) over (partition by b.run_id order by b.seq) as until
          from batch b
         cross join final f
          left join lateral (
              select e.due_at, (e.due_at, e.run_id, e.seq) > (f.due_at, f.run_id, f.seq) as ahead
                from pawl.outbox e
               where e.bucket = p_bucket and e.target = p_target and e.run_id = b.run_id and e.seq < b.seq
               order by e.seq desc
               limit 1
          ) as p on true
    )
    select array_agg(j.run_id order by j.due_at, j.run_id, j.seq), array_agg(j.seq order by j.due_at, j.run_id, j.seq),
           array_agg(j.due_at order by j.due_at, j.run_id, j.seq), array_agg(j.until order by j.due_at, j.run_id, j.seq)
      into v_run, v_seq, v_due, v_until
      from judged j;
    if array_length(v_run, 1) is null then
        return;
    end if;
    if exists (select 1 from unnest(v_until) as u (until) where u.until is not null) then
        update pawl.outbox o
           set due_at = u.until
          from unnest(v_run, v_seq, v_until) as u (run_id, seq, until)
         where o.bucket = p_bucket and o.target = p_target and o.run_id = u.run_id and o.seq = u.seq
           and u.until is not null;
    end if;
    return query
        select u.run_id, u.seq, u.due_at
          from unnest(v_run, v_seq, v_due, v_until) with ordinality as u (run_id, seq, due_at, until, n)
         where u.until is null
         order by u.n;
end
$$;

create function pawl.take_outbox(p_bucket smallint, p_worker uuid, p_limit int, p_lease interval)
returns table (target int, shard smallint, run_id uuid, seq int, type text, attempts smallint, message text)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off as $$
declare
    v_target int;
    v_shard smallint;
    v_most int;
    v_run uuid[];
    v_seq int[];
begin
    select s.target, s.shard, greatest(t.batch_max, p_limit) into v_target, v_shard, v_most
      from pawl.outbox_lease s
      join pawl.outbox_target t on t.id = s.target
     where t.disabled_at is null and t.kind = 'webhook' and s.leased_until <= now() and s.next_at <= now()
       and exists (select 1 from pawl.outbox o
                    where o.bucket = p_bucket and o.target = s.target and o.shard = s.shard and o.due_at <= now())
     order by s.taken_at
     limit 1
       for update of s skip locked;
    if not found then
        return;
    end if;
    select array_agg(p.run_id), array_agg(p.seq) into v_run, v_seq
      from pawl.pick_outbox(p_bucket, v_target, v_shard, v_most) p;
    -- Whoever gets nothing has nothing to settle, and would keep the lease until it ends.
    update pawl.outbox_lease s
       set worker = case when v_run is not null then p_worker end,
           leased_until = case when v_run is not null then now() + p_lease else '-infinity' end,
           taken_at = clock_timestamp()
     where s.target = v_target and s.shard = v_shard;
    if v_run is null then
        return;
    end if;
    return query
        with moved as (
            update pawl.outbox o
               set state = 1
             where o.ctid = any (array(
                   select x.row_id
                     from unnest(v_run, v_seq) as u (run_id, seq)
                    cross join lateral (
                        select h.ctid as row_id
                          from pawl.outbox h
                         where h.bucket = p_bucket and h.target = v_target and h.run_id = u.run_id and h.seq = u.seq
                        offset 0
                    ) as x
               ))
            returning o as row, o.run_id, o.seq, o.type, o.attempts, o.workflow, o.due_at
        )
        select v_target, v_shard, m.run_id, m.seq, m.type, m.attempts,
               pawl.outbox_text(m.row, w.name, e.node, e.attempt, e.type, e.data, e.error)
          from moved m
          left join lateral (
              select x.node, x.attempt, x.type, x.data, x.error from pawl.event x
               where x.bucket = p_bucket and x.run_id = m.run_id and x.seq = m.seq
              offset 0
          ) as e on true
          left join lateral (select x.name from pawl.workflow x where x.id = m.workflow offset 0) as w on true
         order by m.due_at, m.run_id, m.seq;
end
$$;

-- What became of messages that were taken. p_wait: milliseconds until the next try, null when there is none. One that
-- was not sent (p_tried false) has lost nothing. Those behind one that has to wait, wait with it. p_pause: for so long
-- the target is left alone; null: it works.
create function pawl.settle_outbox(
    p_bucket smallint, p_target int, p_shard smallint, p_worker uuid, p_run uuid[], p_seq int[], p_state smallint[],
    p_tried boolean[], p_status smallint[], p_response text[], p_error text[], p_wait bigint[], p_pause bigint,
    p_disable text
) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off as $$
begin
    update pawl.outbox o
       set state = u.state,
           attempts = least(o.attempts + case when u.tried then 1 else 0 end, 32767),
           due_at = now() + make_interval(secs => u.wait / 1000.0),
           finished_at = case when u.state >= 2 then now() end,
           status = case when u.tried then u.status else o.status end,
           response = case when u.tried then u.response else o.response end,
           error = case when u.tried then u.error else o.error end
      from (
          select v.*, x.row_id
            from unnest(p_run, p_seq, p_state, p_tried, p_status, p_response, p_error, p_wait)
                 as v (run_id, seq, state, tried, status, response, error, wait)
           cross join lateral (
               select h.ctid as row_id
                 from pawl.outbox h
                where h.bucket = p_bucket and h.target = p_target and h.run_id = v.run_id and h.seq = v.seq
               offset 0
           ) as x
      ) as u
     where o.ctid = u.row_id;
    if exists (select 1 from unnest(p_wait) as u (wait) where u.wait > 0) then
        update pawl.outbox o
           set due_at = now() + make_interval(secs => u.wait / 1000.0)
          from unnest(p_run, p_seq, p_wait) as u (run_id, seq, wait)
         where o.bucket = p_bucket and o.target = p_target and o.run_id = u.run_id and o.seq > u.seq and u.wait > 0
           and o.due_at < now() + make_interval(secs => u.wait / 1000.0);
    end if;
    update pawl.outbox_lease s
       set worker = null, leased_until = '-infinity',
           next_at = coalesce(now() + make_interval(secs => p_pause / 1000.0), '-infinity'),
           failures = case when p_pause is null then 0 else s.failures + 1 end
     where s.target = p_target and s.shard = p_shard and s.worker = p_worker;
    if p_disable is not null then
        update pawl.outbox_target t
           set disabled_at = now(), disabled_because = p_disable
         where t.id = p_target and t.disabled_at is null;
    end if;
end
$$;

-- Channels and queues of this database: to send and to note that it was sent are one transaction. Returns how many.
create function pawl.publish_outbox(p_bucket smallint, p_limit int) returns int
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan as $$
declare
    c_notify_max constant int := 7900;
    v_target record;
    v_run uuid[];
    v_seq int[];
    v_message jsonb[];
    v_sent int := 0;
begin
    for v_target in
        select t.id, t.kind, t.address, s.shard
          from pawl.outbox_lease s
          join pawl.outbox_target t on t.id = s.target
         where t.disabled_at is null and t.kind <> 'webhook' and s.next_at <= now()
           and exists (select 1 from pawl.outbox o
                        where o.bucket = p_bucket and o.target = s.target and o.shard = s.shard
                          and o.due_at <= now())
           for update of s skip locked
    loop
        select array_agg(p.run_id), array_agg(p.seq) into v_run, v_seq
          from pawl.pick_outbox(p_bucket, v_target.id, v_target.shard, p_limit) p;
        continue when v_run is null;
        v_message := array(
            select jsonb_build_object('id', 'evt_' || m.run_id || '_' || m.seq) || m.message::jsonb
              from pawl.outbox_messages(p_bucket, v_target.id, v_run, v_seq) m
        );
        begin
            if v_target.kind = 'queue' then
                perform pgmq.send_batch(v_target.address, v_message);
            else
                perform pg_notify(v_target.address,
                                  case when octet_length(u.message::text) <= c_notify_max then u.message::text
                                       else (u.message || jsonb_build_object('data', jsonb_build_object(
                                                 'run_id', u.message -> 'data' -> 'run_id',
                                                 'seq', u.message -> 'data' -> 'seq', 'truncated', true)))::text end)
                   from unnest(v_message) as u (message);
            end if;
            perform pawl.settle_outbox(
                p_bucket, v_target.id, null, null, v_run, v_seq, array_fill(2::smallint, array[cardinality(v_run)]),
                array_fill(true, array[cardinality(v_run)]), null, null, null, null, null, null);
            update pawl.outbox_lease s
               set failures = 0
             where s.target = v_target.id and s.shard = v_target.shard and s.failures > 0;
            v_sent := v_sent + cardinality(v_run);
        exception
            when undefined_table or invalid_parameter_value or insufficient_privilege or raise_exception
                 or undefined_function or invalid_schema_name then
                -- The queue is gone, or its name is no name. It may come back.
                update pawl.outbox o
                   set error = sqlerrm, attempts = least(o.attempts + 1, 32767)
                  from unnest(v_run, v_seq) as u (run_id, seq)
                 where o.bucket = p_bucket and o.target = v_target.id and o.run_id = u.run_id and o.seq = u.seq;
                update pawl.outbox_lease s
                   set failures = s.failures + 1,
                       next_at = now() + make_interval(secs => least(300, 5 * 2 ^ least(s.failures, 6)))
                 where s.target = v_target.id and s.shard = v_target.shard;
        end;
    end loop;
    return v_sent;
end
$$;

-- Messages that are over and old.
create function pawl.purge_outbox(p_bucket smallint, p_keep interval, p_limit int) returns int
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    v_gone int;
begin
    with old as (
        select o.target, o.run_id, o.seq
          from pawl.outbox_target t
         cross join lateral (
             select x.target, x.run_id, x.seq
               from pawl.outbox x
              where x.bucket = p_bucket and x.target + 0 = t.id and x.created_at < now() - p_keep and x.due_at is null
              order by x.created_at
              limit p_limit
         ) as o
         limit p_limit
    ), gone as (
        delete from pawl.outbox o
         using old
         where o.bucket = p_bucket and o.target = old.target and o.run_id = old.run_id and o.seq = old.seq
        returning 1
    )
    select count(*)::int into v_gone from gone;
    return v_gone;
end
$$;

-- For those who look from SQL.
create view pawl.outbox_events with (security_invoker) as
select 'evt_' || o.run_id || '_' || o.seq as id, o.target, o.run_id, o.seq, o.type as event_type,
       (select m.message::jsonb
          from pawl.outbox_messages(o.bucket, o.target, array[o.run_id], array[o.seq]) m) as payload,
       (array['pending', 'in_flight', 'published', 'failed'])[o.state + 1] as state, o.state = 2 as published,
       'evt_' || o.run_id || '_' || o.seq as idempotency_key, o.attempts, o.due_at as next_attempt_at, o.created_at,
       o.finished_at, o.error
  from pawl.outbox o;
