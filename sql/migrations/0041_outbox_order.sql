-- The outbox keeps what it says: messages of a run in their order also when some were put back or the sender changed,
-- none that nobody looks for any more, none published twice by a late word about it, results only up to 20 kB.
-- breaking: no

set local lock_timeout = '5s';

-- Whatever was lost is sent after all.
update pawl.outbox o set due_at = now() where o.state < 2 and o.due_at is null;

alter table pawl.outbox
    add constraint outbox_due_check check (state >= 2 or due_at is not null),
    -- The target before seq: what was told to whom last is one look, however many targets there are.
    drop constraint outbox_pk,
    add constraint outbox_pk primary key (bucket, run_id, target, seq);

-- Every commit asks all targets of a tenant whether they want to hear of it.
create function pawl.limit_outbox_targets() returns trigger
language plpgsql
set search_path = pg_catalog as $$
declare
    c_targets_max constant int := 50;
begin
    -- One after the other, or two at once would both be the last.
    perform pg_advisory_xact_lock(hashtextextended('pawl.outbox_target', new.tenant));
    if (select count(*) from pawl.outbox_target t where t.tenant = new.tenant) >= c_targets_max then
        raise exception 'there are % webhooks already, and a tenant may have no more', c_targets_max
            using errcode = 'configuration_limit_exceeded', hint = 'Delete one, or let one hear of more.';
    end if;
    return new;
end
$$;
create trigger outbox_target_limit before insert on pawl.outbox_target
    for each row execute function pawl.limit_outbox_targets();

-- A message as it is told: {type, timestamp, data}. As text, since it goes out as text. Big results stay where they
-- are; the reader may ask for them. What is stored may be a hundredth of what it says, so the size of that decides
-- only for what is far too big or cannot be.
create or replace function pawl.outbox_text(
    p_row pawl.outbox, p_workflow text, p_node text, p_attempt smallint, p_type smallint, p_data jsonb, p_error jsonb
) returns text
language sql stable parallel safe
return '{"type": ' || to_json((p_row).type) || ', "timestamp": "'
    || to_char((p_row).created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '", "data": '
    || coalesce((p_row).data::text,
                left(json_build_object('run_id', (p_row).run_id, 'seq', (p_row).seq, 'workflow', p_workflow,
                                       'version', (p_row).version, 'subject', (p_row).subject, 'step', p_node,
                                       'attempt', p_attempt)::text, -1)
                || ', ' || case when pg_column_size(p_data) > 100000
                                     or (pg_column_size(p_data) > 64 and octet_length(p_data::text) > 20000)
                                then '"truncated": true}'
                                else substr(pawl.outbox_data(p_type, p_data, p_error)::text, 2) end)
    || '}';

-- The next messages of one target, in the order in which they are to arrive: none ahead of an earlier one of the same
-- run, whether that has to wait or is only due later.
create or replace function pawl.pick_outbox(p_bucket smallint, p_target int, p_shard smallint, p_limit int)
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
        select b.run_id, b.seq, max(b.due_at) over by_run as due_at,
               max(p.due_at) filter (where p.ahead) over by_run as until
          from batch b
         cross join final f
          left join lateral (
              select e.due_at, (e.due_at, e.run_id, e.seq) > (f.due_at, f.run_id, f.seq) as ahead
                from pawl.outbox e
               where e.bucket = p_bucket and e.target = p_target and e.run_id = b.run_id and e.seq < b.seq
               order by e.seq desc
               limit 1
          ) as p on true
        window by_run as (partition by b.run_id order by b.seq)
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
          from (
              select v.until, x.row_id
                from unnest(v_run, v_seq, v_until) as v (run_id, seq, until)
               cross join lateral (
                   select h.ctid as row_id
                     from pawl.outbox h
                    where h.bucket = p_bucket and h.target = p_target and h.run_id = v.run_id and h.seq = v.seq
                   offset 0
               ) as x
               where v.until is not null
          ) as u
         where o.ctid = u.row_id;
    end if;
    return query
        select u.run_id, u.seq, u.due_at
          from unnest(v_run, v_seq, v_due, v_until) with ordinality as u (run_id, seq, due_at, until, n)
         where u.until is null
         order by u.n;
end
$$;

create or replace function pawl.take_outbox(p_bucket smallint, p_worker uuid, p_limit int, p_lease interval)
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
        ), placed as (
            select m.*, max(m.due_at) over (partition by m.run_id order by m.seq) as place from moved m
        )
        select v_target, v_shard, m.run_id, m.seq, m.type, m.attempts,
               pawl.outbox_text(m.row, w.name, e.node, e.attempt, e.type, e.data, e.error)
          from placed m
          left join lateral (
              select x.node, x.attempt, x.type, x.data, x.error from pawl.event x
               where x.bucket = p_bucket and x.run_id = m.run_id and x.seq = m.seq
              offset 0
          ) as e on true
          left join lateral (select x.name from pawl.workflow x where x.id = m.workflow offset 0) as w on true
         order by m.place, m.run_id, m.seq;
end
$$;

-- What became of messages that were taken. p_wait: milliseconds until the next try. One that was not sent (p_tried
-- false), or may be tried at once, keeps its place. Those behind one that has to wait, wait with it. p_pause: for so
-- long the target is left alone; null: it works. Of one whose lease has gone to another, only what was published
-- counts. p_shard null: the caller holds the target by itself.
create or replace function pawl.settle_outbox(
    p_bucket smallint, p_target int, p_shard smallint, p_worker uuid, p_run uuid[], p_seq int[], p_state smallint[],
    p_tried boolean[], p_status smallint[], p_response text[], p_error text[], p_wait bigint[], p_pause bigint,
    p_disable text
) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off as $$
declare
    v_ours boolean := p_shard is null;
begin
    if p_shard is not null then
        -- First of all: whoever takes or settles messages of the shard waits here, and nowhere else.
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
           where v_ours or v.state = 2
      ) as u
     where o.ctid = u.row_id and (o.state = 1 or p_shard is null);
    if v_ours is not true then
        return;
    end if;
    if exists (select 1 from unnest(p_wait) as u (wait) where u.wait > 0) then
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

-- Messages that are over and old; all of those that nobody can get any more: their target was deleted, or has been
-- disabled for so long.
create or replace function pawl.purge_outbox(p_bucket smallint, p_keep interval, p_limit int) returns int
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
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
