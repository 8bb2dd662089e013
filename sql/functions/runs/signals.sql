-- Leaves messages for runs that are open, and makes those ready that no worker holds. With p_wait, waits for runs that
-- another transaction is changing, one after the other by id; without, leaves their messages as `unsure`. A run that
-- waits at a gate gets its messages when it is let in; a cancel it gets at once. Returns the runs that were reached.
create or replace function pawl.leave_signals(
    p_bucket smallint, p_run uuid[], p_kind text[], p_data jsonb[], p_wait boolean
) returns setof uuid
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_row tid[];
    v_worker uuid[];
    v_open boolean[];
begin
    -- A statement of its own: what it waited for is seen by the next one only.
    if p_wait then
        select array_agg(l.row_id order by u.place), array_agg(l.worker order by u.place),
               array_agg(l.row_id is not null order by u.place)
          into v_row, v_worker, v_open
          from (
              select n.run_id, n.place from unnest(p_run) with ordinality as n (run_id, place) order by 1, 2 offset 0
          ) as u
          left join lateral (
              select h.ctid as row_id, h.worker
                from pawl.live_run h
               where h.bucket = p_bucket and h.run_id = u.run_id
                 for no key update
          ) as l on true;
    else
        select array_agg(l.row_id order by u.place), array_agg(l.worker order by u.place),
               array_agg(o.one is not null order by u.place)
          into v_row, v_worker, v_open
          from unnest(p_run) with ordinality as u (run_id, place)
          left join lateral (
              select 1 as one from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
          ) as o on true
          left join lateral (
              select h.ctid as row_id, h.worker
                from pawl.live_run h
               where h.bucket = p_bucket and h.run_id = u.run_id
                 for no key update skip locked
          ) as l on true;
    end if;
    insert into pawl.signal (bucket, run_id, kind, data, worker, unsure)
    select p_bucket, u.run_id, u.kind, u.data, u.worker, u.row_id is null
      from unnest(p_run, p_kind, p_data, v_row, v_worker, v_open) as u (run_id, kind, data, row_id, worker, open)
     where u.open;
    update pawl.live_run l
       set state = 0, due_at = least(l.due_at, now())
     where l.ctid = any (v_row) and l.state in (0, 2);
    if 'cancel' = any (p_kind) then
        perform pawl.leave_queue(p_bucket, array(
            select u.row_id from unnest(v_row, p_kind) as u (row_id, kind) where u.kind = 'cancel'
        ));
    end if;
    return query
    select distinct u.run_id from unnest(p_run, v_open) as u (run_id, open) where u.open;
end
$$;

-- Sends messages to runs. Returns those that are open; the others get nothing.
create or replace function pawl.send_signals(p_bucket smallint, p_run uuid[], p_kind text[], p_data jsonb[])
returns setof uuid
language sql set search_path = pg_catalog
begin atomic
    select * from pawl.leave_signals(p_bucket, p_run, p_kind, p_data, true);
end;

-- Leaves a message for a run, once for every key of a tenant: the mark that it was left is written with it. Says
-- whether it was left before, and whether the run is open.
create or replace function pawl.send_signal_once(
    p_bucket smallint, p_tenant int, p_key text, p_run uuid, p_kind text, p_data jsonb,
    out before boolean, out reached boolean
)
language plpgsql
set search_path = pg_catalog as $$
declare
    v_mark text := 'sent:' || encode(sha256(convert_to(p_key, 'UTF8')), 'hex');
begin
    insert into pawl.idempotency_key (tenant, key, fingerprint, status, headers, body)
    values (p_tenant, v_mark, '', 202, '{}', '')
        on conflict do nothing;
    before := not found;
    if before then
        reached := true;
        -- The caller is told that the message is kept: that waits for whatever the mark's own commit waited for.
        perform pg_logical_emit_message(true, 'pawl', '');
        return;
    end if;
    reached := exists (
        select 1 from pawl.leave_signals(p_bucket, array[p_run], array[p_kind], array[p_data], true)
    );
    if not reached then
        delete from pawl.idempotency_key k where k.tenant = p_tenant and k.key = v_mark;
    end if;
end
$$;

-- The oldest messages of these runs, as many as a worker may hold at once: up to 1,000 of each, and 16 MiB in all. How
-- large one is that the server has packed is told only by unpacking it: it counts as 100 times what it takes, or the
-- most that a message may have. What says how a run is taken up comes in any case. The worker asks for the rest when it
-- has committed these.
create or replace function pawl.signals_at_once(p_bucket smallint, p_run uuid[])
returns table (id bigint, run_id uuid, kind text, data jsonb)
language plpgsql stable
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
declare
    c_each constant int := 1000;
    c_bytes constant bigint := 16777216;
    c_message constant bigint := 1048576;
    c_packed constant bigint := 100;
begin
    return query
    select s.id, s.run_id, s.kind, s.data
      from (
          select h.id, h.run_id, h.kind, h.data,
                 sum(
                     case when pg_column_compression(h.data) is null then pg_column_size(h.data)
                          else least(c_message, c_packed * pg_column_size(h.data)) end
                 ) over (order by h.id rows between unbounded preceding and 1 preceding) as bytes
            from unnest(p_run) as u (run_id)
           cross join lateral (
               select g.id, g.run_id, g.kind, g.data
                 from pawl.signal g
                where g.bucket = p_bucket and g.run_id = u.run_id
                order by g.id
                limit c_each
           ) as h
      ) as s
     where s.bytes is null or s.bytes < c_bytes or s.kind in ('interrupted', 'repin')
     order by s.id;
end
$$;

-- Messages for runs that this worker says it holds: a look from time to time that finds what an answer that got lost
-- should have brought.
create or replace function pawl.pending_signals(
    p_bucket smallint, p_worker uuid, p_held uuid[]
)
returns table (
    id bigint, run_id uuid, kind text, data jsonb
)
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
#variable_conflict use_column
begin
    if not exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        return;
    end if;
    return query
    select s.id, s.run_id, s.kind, s.data
      from pawl.signals_at_once(p_bucket, array(
          select u.run_id
            from unnest(p_held) as u (run_id)
           cross join lateral (
               select 1 from pawl.signal h where h.bucket = p_bucket and h.run_id = u.run_id limit 1
           ) as told
           cross join lateral (
               select 1
                 from pawl.live_run l
                where l.bucket = p_bucket and l.run_id = u.run_id and l.worker = p_worker
               offset 0
           ) as held
      )) s
     order by s.id
     limit 1000;
end
$$;

-- Finds out what became of runs that were locked when a message was left for them. Returns how many are still open.
create or replace function pawl.settle_signals(p_bucket smallint, p_limit int) returns int
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_signal tid[];
    v_row tid[];
    v_worker uuid[];
    v_open boolean[];
    v_kind text[];
begin
    if not exists (select 1 from pawl.signal s where s.bucket = p_bucket and s.unsure) then
        return 0;
    end if;
    select array_agg(s.row_id), array_agg(l.row_id), array_agg(l.worker), array_agg(o.one is not null),
           array_agg(s.kind)
      into v_signal, v_row, v_worker, v_open, v_kind
      from (
          select s.ctid as row_id, s.run_id, s.kind
            from pawl.signal s
           where s.bucket = p_bucket and s.unsure
           order by s.id
           limit p_limit
             for update skip locked
      ) as s
      left join lateral (
          select 1 as one from pawl.live_run h where h.bucket = p_bucket and h.run_id = s.run_id offset 0
      ) as o on true
      left join lateral (
          select h.ctid as row_id, h.worker
            from pawl.live_run h
           where h.bucket = p_bucket and h.run_id = s.run_id
             for no key update skip locked
      ) as l on true;
    delete from pawl.signal s
     where s.ctid = any (array(
           select u.signal from unnest(v_signal, v_open) as u (signal, open) where not u.open
       ));
    update pawl.signal s
       set unsure = false, worker = u.worker
      from unnest(v_signal, v_row, v_worker) as u (signal, row_id, worker)
     where s.ctid = u.signal and u.row_id is not null;
    update pawl.live_run l
       set state = 0, due_at = least(l.due_at, now())
     where l.ctid = any (v_row) and l.state in (0, 2);
    if 'cancel' = any (v_kind) then
        perform pawl.leave_queue(p_bucket, array(
            select u.row_id from unnest(v_row, v_kind) as u (row_id, kind) where u.kind = 'cancel'
        ));
    end if;
    return (select count(*) from unnest(v_row, v_open) as u (row_id, open) where u.open and u.row_id is null);
end
$$;

-- Asks for a run to be cancelled. Never writes the run: leaves a signal for its holder and, when
-- no worker holds it, makes it ready. Returns false when there is no such open run.
create or replace function pawl.request_cancel(
    p_bucket smallint, p_run uuid, p_reason text, p_force boolean default false
)
returns boolean
language sql
set search_path = pg_catalog
begin atomic
    select exists (
        select 1
          from pawl.leave_signals(
              p_bucket, array[p_run], array['cancel'],
              array[jsonb_build_object('reason', p_reason)
                    || case when p_force then '{"force": true}'::jsonb else '{}'::jsonb end],
              true
          )
    );
end;
