-- An idle engine answers sooner: what a claim looks at before it takes anything is one statement, and the usual case
-- (one tenant, one priority) needs no further question. A statement that was not run for a while costs more than what
-- it finds.
-- breaking: no

set local lock_timeout = '5s';

-- Takes up to p_limit due runs of one priority, in the order in which they became due. `tickets` are those among them
-- that have gates to pass; `last_due` is the due time of the last. For claim_runs, which has the planner settings.
create function pawl.take_level(
    p_bucket smallint, p_worker uuid, p_priority smallint, p_limit int, out ids uuid[], out tickets uuid[],
    out flows jsonb[], out last_due timestamptz
)
language plpgsql set search_path = pg_catalog set enable_sort = off as $$
begin
    -- Materialized: a plain sub-select may be evaluated again and lock more rows than the limit.
    with due as materialized (
        select l.ctid as row_id, l.run_id, l.slot, l.flow
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.priority = p_priority and l.due_at <= now()
         order by l.due_at, l.run_id
         limit p_limit
           for no key update skip locked
    ), taken as (
        -- By the place of the row, which its lock keeps still, and by nothing else: a condition on
        -- bucket or run_id may become a scan of the whole index with a filter, depending on how
        -- small the table was when the plan was made.
        update pawl.live_run l
           set state = 1, worker = p_worker, slot = case when l.slot in (2, 4) then 1 else l.slot end
         where l.ctid = any (array(select due.row_id from due))
        returning l.run_id, l.due_at
    )
    select coalesce(array_agg(t.run_id), '{}'), max(t.due_at),
           coalesce((select array_agg(due.run_id) from due where due.slot in (2, 4)), '{}'),
           coalesce((select array_agg(due.flow) from due where due.slot in (2, 4)), '{}')
      into ids, last_due, tickets, flows
      from taken t;
end
$$;

-- Takes up to p_limit due runs, by the time at which they became due and a minute a level of priority. One index range
-- per priority: a million runs that sleep until tomorrow are never walked over. With several priorities a quarter of
-- the claim at a time comes from the one whose first run is the most pressing. For claim_runs.
create or replace function pawl.take_pressing(
    p_bucket smallint, p_worker uuid, p_limit int, out ids uuid[], out tickets uuid[], out flows jsonb[]
)
language plpgsql set search_path = pg_catalog set enable_sort = off as $$
declare
    c_level constant interval := interval '1 minute';
    v_priority smallint;
    v_due timestamptz;
    v_level smallint[] := '{}';
    v_head timestamptz[] := '{}';
    v_best int := 1;
    v_ask int;
    v_taken record;
begin
    ids := '{}';
    tickets := '{}';
    flows := '{}';
    select l.priority, l.due_at into v_priority, v_due
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 0
     order by l.bucket, l.priority, l.due_at, l.run_id
     limit 1;
    while v_priority is not null loop
        if v_due <= now() then
            v_level := v_level || v_priority;
            v_head := v_head || (v_due + v_priority * c_level);
        end if;
        select l.priority, l.due_at into v_priority, v_due
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.priority > v_priority
         order by l.bucket, l.priority, l.due_at, l.run_id
         limit 1;
    end loop;
    while cardinality(v_level) > 0 and cardinality(ids) < p_limit loop
        v_ask := p_limit - cardinality(ids);
        if cardinality(v_level) > 1 then
            v_ask := least(v_ask, greatest(p_limit / 4, 1));
            v_best := array_position(v_head, (select min(h.head) from unnest(v_head) as h (head)));
        end if;
        select t.ids, t.tickets, t.flows, t.last_due into v_taken
          from pawl.take_level(p_bucket, p_worker, v_level[v_best], v_ask) t;
        ids := ids || v_taken.ids;
        tickets := tickets || v_taken.tickets;
        flows := flows || v_taken.flows;
        if cardinality(v_taken.ids) < v_ask then
            v_level := v_level[:v_best - 1] || v_level[v_best + 1:];
            v_head := v_head[:v_best - 1] || v_head[v_best + 1:];
            v_best := 1;
        else
            v_head[v_best] := v_taken.last_due + v_level[v_best] * c_level;
        end if;
    end loop;
end
$$;

-- Leases up to p_limit due runs to a worker (see take_due), and those who waited at a gate
-- that got room, and returns their logs, and after them the signals that
-- wait for them or came for others that it holds (rows with a signal's id; the kind stands in node). p_turn is
-- another number with each claim.
create or replace function pawl.claim_runs(p_bucket smallint, p_worker uuid, p_limit int, p_turn int default 0)
returns table (
    run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz,
    token int, signal bigint
)
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    c_rounds constant int := 10;
    v_seen record;
    v_taken record;
    v_back uuid[];
    v_kept int := 0;
    v_gates boolean;
    v_ids uuid[] := '{}';
begin
    -- The lock is that of assert_worker.
    select (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket, l.priority, l.due_at, l.run_id limit 1) as low,
           (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket desc, l.priority desc, l.due_at desc, l.run_id desc limit 1) as high,
           (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket, l.tenant, l.due_at limit 1) as first,
           (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket desc, l.tenant desc, l.due_at desc limit 1) as last,
           exists (select 1 from pawl.flow_gate g where g.look) as look
      into v_seen
      from pawl.worker w
     where w.id = p_worker
       for key share;
    if not found then
        perform pawl.assert_worker(p_worker);
    end if;
    v_gates := v_seen.look;
    -- Half of the claim is kept for those who wait at a gate. They come last: letting them in holds locks, and nothing
    -- is waited for after that.
    if v_gates then
        v_kept := least(greatest(p_limit / 2, 1), p_limit);
    end if;
    for round in 1 .. c_rounds loop
        exit when v_seen.low is null;
        if v_seen.low = v_seen.high and v_seen.first = v_seen.last then
            select t.ids, t.tickets, t.flows into v_taken
              from pawl.take_level(p_bucket, p_worker, v_seen.low, p_limit - v_kept - cardinality(v_ids)) t;
        else
            select t.ids, t.tickets, t.flows into v_taken
              from pawl.take_due(
                  p_bucket, p_worker, p_limit - v_kept - cardinality(v_ids), (p_turn & 1073741823) + round - 1
              ) t;
        end if;
        v_ids := v_ids || v_taken.ids;
        exit when v_taken.tickets = '{}';
        v_gates := true;
        v_back := pawl.pass_gates(p_bucket, v_taken.tickets, v_taken.flows);
        exit when v_back = '{}';
        v_ids := array(select u.run_id from unnest(v_ids) as u (run_id) where u.run_id <> all (v_back));
    end loop;
    if v_gates and cardinality(v_ids) < p_limit then
        if exists (select 1 from pawl.flow_gate g where g.look) then
            v_ids := v_ids || pawl.admit_waiting(p_bucket, p_worker, p_limit - cardinality(v_ids));
        end if;
    end if;
    if cardinality(v_ids) > 0 then
        return query
        select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token, null::bigint
          from unnest(v_ids) as u (run_id)
         cross join lateral (
             select * from pawl.event l where l.bucket = p_bucket and l.run_id = u.run_id offset 0
         ) as e
         order by e.run_id, e.seq;
    end if;
    -- In the same transaction, so that a run woken by a signal is seen together with it.
    if exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        return query
        select s.run_id, null::int, null::smallint, null::smallint, s.kind, s.data, null::jsonb, now(), null::int, s.id
          from (
              select h.* from unnest(v_ids) as u (run_id)
               cross join lateral (
                   select g.* from pawl.signal g where g.bucket = p_bucket and g.run_id = u.run_id offset 0
               ) as h
              union all
              select h.*
                from (
                    select g.* from pawl.signal g
                     where g.bucket + 0 = p_bucket and g.worker = p_worker and g.run_id <> all (v_ids)
                     order by g.id
                     limit 1000
                ) as h
          ) as s
         order by s.id;
    end if;
end
$$;

-- For runs that were parked in this transaction by somebody who cannot carry them on: a message that waits for them has
-- made them due, and he would take them again at once, and again.
create function pawl.put_off_runs(p_bucket smallint, p_run uuid[], p_due timestamptz[]) returns void
language sql
set search_path = pg_catalog as $$
    update pawl.live_run l
       set due_at = x.due
      from (
          select h.ctid as row_id, u.due
            from unnest(p_run, p_due) as u (run_id, due)
           cross join lateral (
               select o.ctid from pawl.live_run o
                where o.bucket = p_bucket and o.run_id = u.run_id and o.state = 0 and o.worker is null
               offset 0
           ) as h
      ) as x
     where l.ctid = x.row_id
$$;
