-- A claim that finds one priority, one tenant and no gates, as nearly all do, asks and takes in one statement.
-- breaking: no

set local lock_timeout = '5s';

-- Takes those who are due when all who are ready have one priority and one tenant, and there are no gates. Nobody is
-- taken otherwise, and null returned.
create function pawl.take_alike(p_bucket smallint, p_worker uuid, p_limit int) returns uuid[]
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
set enable_sort = off as $$
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

create or replace function pawl.claim_runs(p_bucket smallint, p_worker uuid, p_limit integer, p_turn integer default 0)
returns table (
    run_id uuid, seq integer, type smallint, attempt smallint, node text, data jsonb,
    error jsonb, at timestamptz, token integer, signal bigint
)
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off as $$
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
    v_ids := pawl.take_alike(p_bucket, p_worker, p_limit);
    if v_ids is null then
        v_ids := '{}';
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
        -- Half of the claim is kept for those who wait at a gate. They come last: letting them in holds locks, and
        -- nothing is waited for after that.
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
