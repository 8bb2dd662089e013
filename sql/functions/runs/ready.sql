-- The first and the last priority and tenant of the runs that are ready, or asleep; nothing when the worker is not
-- known, else the lock of assert_worker is held. With the settings of take_alone.
create or replace function pawl.look_at_ready(
    p_bucket smallint, p_worker uuid,
    out low smallint, out high smallint, out first int, out last int, out look boolean
)
language plpgsql set search_path = pg_catalog set enable_sort = off set jit = off as $$
begin
    select (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket, l.priority, l.due_at, l.run_id limit 1),
           (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket desc, l.priority desc, l.due_at desc, l.run_id desc limit 1),
           (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket, l.tenant, l.due_at limit 1),
           (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket desc, l.tenant desc, l.due_at desc limit 1),
           exists (select 1 from pawl.flow_gate g where g.look)
      into low, high, first, last, look
      from pawl.worker w
     where w.id = p_worker
       for key share;
end
$$;

-- Takes up to p_limit due runs of one priority, in the order in which they became due. `tickets` are those among them
-- that have gates to pass; `last_due` is the due time of the last. For claim_runs, which has the planner settings.
create or replace function pawl.take_level(
    p_bucket smallint, p_worker uuid, p_priority smallint, p_limit int, out ids uuid[], out tickets uuid[],
    out flows jsonb[], out last_due timestamptz
)
language plpgsql set search_path = pg_catalog set enable_sort = off set jit = off as $$
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

-- One run that is due alone needs no question of whose turn it is: the next one is of the same priority and sleeps, and
-- no other priority is there. To begin a statement with many parts takes longer than all that there is to do then. The
-- lock on the worker is that of assert_worker. No sort is needed and none may be chosen: it would read all that sleep.
-- All other settings are those of claim_runs, which calls it: each costs time at every call.
create or replace function pawl.take_alone(p_bucket smallint, p_worker uuid) returns uuid[]
language plpgsql set search_path = pg_catalog set enable_sort = off set jit = off as $$
declare
    v_ids uuid[];
begin
    with first as materialized (
        select l.ctid as row_id, l.priority, l.due_at <= now() as due, l.slot
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0
         order by l.bucket, l.priority, l.due_at, l.run_id
         limit 2
    )
    update pawl.live_run l
       set state = 1, worker = p_worker
     where l.ctid = (
           select h.row_id
             from (select 1 from pawl.worker w where w.id = p_worker for key share) as w
            cross join lateral (
                select h.ctid as row_id
                  from pawl.live_run h
                 where h.ctid = (
                       select f.row_id
                         from first f
                        where f.due and (f.slot is null or f.slot in (1, 3))
                          and not exists (
                              select 1
                                from first o
                               where o.row_id <> f.row_id
                                 and (o.due or o.priority <> f.priority or f.priority <> (
                                     select l.priority
                                       from pawl.live_run l
                                      where l.bucket = p_bucket and l.state = 0
                                      order by l.bucket desc, l.priority desc, l.due_at desc, l.run_id desc
                                      limit 1
                                 ))
                          )
                   )
                   and h.state = 0
                   for no key update skip locked
            ) as h
            where not exists (select 1 from pawl.flow_gate g)
       )
    returning array[l.run_id] into v_ids;
    return v_ids;
end
$$;

-- Takes the runs that are due when all ready runs have one priority and one tenant, and there are no gates. Otherwise
-- takes none and returns null.
create or replace function pawl.take_alike(p_bucket smallint, p_worker uuid, p_limit int) returns uuid[]
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
declare
    v_ids uuid[];
begin
    with seen as materialized (
        -- The lock is that of assert_worker.
        select (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
                 order by l.bucket, l.priority, l.due_at, l.run_id limit 1) as low,
               (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
                 order by l.bucket desc, l.priority desc, l.due_at desc, l.run_id desc limit 1) as high,
               (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
                 order by l.bucket, l.tenant, l.due_at limit 1) as first,
               (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
                 order by l.bucket desc, l.tenant desc, l.due_at desc limit 1) as last
          from pawl.worker w
         where w.id = p_worker and not exists (select 1 from pawl.flow_gate g)
           for key share
    ), due as materialized (
        select l.ctid as row_id, l.slot
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.due_at <= now()
           and l.priority = (select s.low from seen s where s.low = s.high and s.first = s.last)
         order by l.due_at, l.run_id
         limit p_limit
           for no key update skip locked
    ), taken as (
        update pawl.live_run l
           set state = 1, worker = p_worker
         where l.ctid = any (array(
               select due.row_id from due where not exists (select 1 from due where due.slot in (2, 4))
           ))
        returning l.run_id
    )
    select array_agg(t.run_id) into v_ids from taken t;
    return v_ids;
end
$$;
