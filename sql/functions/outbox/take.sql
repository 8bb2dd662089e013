-- The next messages of one target, in the order in which they are to arrive: none ahead of an earlier one of the same
-- run, whether that has to wait or is only due later.
create or replace function pawl.pick_outbox(p_bucket smallint, p_target int, p_shard smallint, p_limit int)
returns table (run_id uuid, seq int, due_at timestamptz)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
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

-- Leases a shard of a webhook that has messages due to p_worker for p_lease, and returns them with their content, in
-- the order in which each run made them. No row: there is nothing to send now. Locks one row of pawl.outbox_lease; a
-- shard that another publisher locks is skipped.
create or replace function pawl.take_outbox(p_bucket smallint, p_worker uuid, p_limit int, p_lease interval)
returns table (target int, shard smallint, run_id uuid, seq int, type text, attempts smallint, message text)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off set jit = off as $$
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
    -- A publisher that gets nothing has nothing to settle, and would keep the lease until it ends.
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
