-- What became of messages that were taken. p_wait: milliseconds until the next try. One that was not sent (p_tried
-- false), or may be tried at once, keeps its place. Those behind one that has to wait, wait with it. p_pause: for so
-- long the target is left alone; null: it works. Of one whose lease has gone to another, only what was published
-- counts. p_shard null: the caller holds the target by itself.
create or replace function pawl.settle_outbox(
    p_bucket smallint, p_target int, p_shard smallint, p_worker uuid, p_run uuid[], p_seq int[], p_state smallint[],
    p_tried boolean[], p_status smallint[], p_response text[], p_error text[], p_wait bigint[], p_pause bigint,
    p_disable text
) returns void
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off set jit = off as $$
declare
    v_ours boolean := p_shard is null;
begin
    if p_shard is not null then
        -- First of all: publishers that take or settle messages of the shard wait here, and nowhere else.
        select s.worker is not distinct from p_worker into v_ours
          from pawl.outbox_lease s
         where s.target = p_target and s.shard = p_shard
           for update;
    end if;
    update pawl.outbox o
       set state = u.state,
           attempts = least(o.attempts + case when u.tried then 1 else 0 end, 32767),
           due_at = case when u.state >= 2 then null
                         when u.wait > 0 then now() + make_interval(secs => u.wait / 1000.0)
                         else least(o.due_at, now()) end,
           finished_at = case when u.state >= 2 then now() end,
           status = case when u.tried then u.status else o.status end,
           response = case when u.tried then u.response else o.response end,
           error = case when u.tried then u.error else coalesce(u.error, o.error) end
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
           where v_ours or v.state = 2
      ) as u
     where o.ctid = u.row_id and (o.state = 1 or p_shard is null);
    if v_ours is not true then
        return;
    end if;
    if exists (select 1 from unnest(p_wait) as u (wait) where u.wait > 0) then
        perform pawl.put_off_behind(p_bucket, p_target, p_run, p_seq, p_wait);
    end if;
    update pawl.outbox_lease s
       set worker = null, leased_until = '-infinity',
           next_at = coalesce(now() + make_interval(secs => p_pause / 1000.0), '-infinity'),
           failures = case when p_pause is null then 0 else s.failures + 1 end
     where s.target = p_target and s.shard = p_shard;
    if p_disable is not null then
        update pawl.outbox_target t
           set disabled_at = now(), disabled_because = p_disable
         where t.id = p_target and t.disabled_at is null;
    end if;
end
$$;

-- Has the messages of a run wait that stand behind one that has to wait: p_wait milliseconds each. Called by
-- settle_outbox, with its settings and the shard locked.
create or replace function pawl.put_off_behind(
    p_bucket smallint, p_target int, p_run uuid[], p_seq int[], p_wait bigint[]
) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    update pawl.outbox o
       set due_at = now() + make_interval(secs => u.wait / 1000.0)
      from (
          select v.wait, x.row_id
            from (select w.run_id, min(w.seq) as seq, max(w.wait) as wait
                    from unnest(p_run, p_seq, p_wait) as w (run_id, seq, wait)
                   where w.wait > 0
                   group by w.run_id) as v
           cross join lateral (
               select h.ctid as row_id
                 from pawl.outbox h
                where h.bucket = p_bucket and h.target = p_target and h.run_id = v.run_id and h.seq > v.seq
               offset 0
           ) as x
      ) as u
     where o.ctid = u.row_id and o.due_at < now() + make_interval(secs => u.wait / 1000.0);
end
$$;

-- Deletes messages that are over and older than p_keep, and all messages of targets that were deleted, or have been
-- disabled for that long.
create or replace function pawl.purge_outbox(p_bucket smallint, p_keep interval, p_limit int) returns int
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_gone int;
begin
    -- From one target that has messages to the next.
    with recursive told as (
        (select o.target + 0 as id from pawl.outbox o where o.bucket = p_bucket order by o.target + 0 limit 1)
        union all
        select (select o.target + 0
                  from pawl.outbox o
                 where o.bucket = p_bucket and o.target + 0 > t.id
                 order by o.target + 0
                 limit 1)
          from told t
         where t.id is not null
    ), old as (
        select o.row_id
          from told k
          left join pawl.outbox_target t on t.id = k.id
         cross join lateral (
             select x.ctid as row_id
               from pawl.outbox x
              where x.bucket = p_bucket and x.target + 0 = k.id
                and x.created_at < case when t.id is null then 'infinity' else now() - p_keep end
                and (x.due_at is null or t.id is null or t.disabled_at < now() - p_keep)
              order by x.created_at
              limit p_limit
         ) as o
         limit p_limit
    ), gone as (
        delete from pawl.outbox o where o.ctid = any (array(select old.row_id from old)) returning 1
    )
    select count(*)::int into v_gone from gone;
    return v_gone;
end
$$;
