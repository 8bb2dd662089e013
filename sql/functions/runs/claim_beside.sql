-- For a worker without room: leases p_each due runs of each tenant that is not among p_without, and lets as many in at
-- gates. Every other claim begins with another tenant. Gives what claim_runs gives.
create or replace function pawl.claim_beside(
    p_bucket smallint, p_worker uuid, p_limit integer, p_turn integer, p_each integer, p_without integer[]
)
returns table (
    run_id uuid, seq integer, type smallint, attempt smallint, node text, data jsonb, error jsonb,
    at timestamptz, token int, signal bigint
)
language plpgsql
set search_path = pg_catalog
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
set jit = off
as $$
#variable_conflict use_column
declare
    v_taken record;
    v_back uuid[];
    v_ids uuid[];
begin
    perform pawl.assert_worker(p_worker);
    v_taken := pawl.take_of_each(p_bucket, p_worker, p_limit, p_turn, p_each, p_without);
    v_ids := v_taken.ids;
    if v_taken.tickets <> '{}' then
        v_back := pawl.pass_gates(p_bucket, v_taken.tickets, v_taken.flows);
        v_ids := array(select u.run_id from unnest(v_ids) as u (run_id) where u.run_id <> all (v_back));
    end if;
    if cardinality(v_ids) < p_limit and exists (select 1 from pawl.flow_gate g where g.look) then
        v_ids := v_ids || pawl.admit_waiting(p_bucket, p_worker, p_limit - cardinality(v_ids), p_without, p_each);
    end if;
    -- Read after the leases were taken: others may have written until then.
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token, null::bigint
      from unnest(v_ids) as u (run_id)
     cross join lateral (select * from pawl.event l where l.bucket = p_bucket and l.run_id = u.run_id offset 0) as e
     order by e.run_id, e.seq;
    return query
    select s.run_id, null::int, null::smallint, null::smallint, s.kind, s.data, null::jsonb, now(), null::int, s.id
      from pawl.signals_at_once(p_bucket, v_ids) s
     order by s.id;
end
$$;

-- Takes p_each due runs of each tenant that is not among p_without, up to p_limit, and leases them to the worker.
-- `tickets` are those among them that have gates to pass, with their `flows`. Skips locked rows. Called by
-- claim_beside, with its settings.
create or replace function pawl.take_of_each(
    p_bucket smallint, p_worker uuid, p_limit int, p_turn int, p_each int, p_without int[],
    out ids uuid[], out tickets uuid[], out flows jsonb[]
)
language plpgsql set search_path = pg_catalog as $$
begin
    with recursive bounds as materialized (
        select (select l.tenant from pawl.live_run l
                 where l.bucket = p_bucket and l.state = 0
                 order by l.bucket, l.tenant, l.due_at limit 1) as first,
               (select l.tenant from pawl.live_run l
                 where l.bucket = p_bucket and l.state = 0
                 order by l.bucket desc, l.tenant desc, l.due_at desc limit 1) as last
    ), tenant (id) as (
        select (select l.tenant from pawl.live_run l
                 where l.bucket = p_bucket and l.state = 0
                   and l.tenant >= b.first
                                   + ((p_turn & 1) * p_turn::bigint * 64 % (b.last::bigint - b.first + 1))::int
                 order by l.bucket, l.tenant, l.due_at limit 1)
          from bounds b
        union all
        select (select l.tenant from pawl.live_run l
                 where l.bucket = p_bucket and l.state = 0 and l.tenant > t.id
                 order by l.bucket, l.tenant, l.due_at limit 1)
          from tenant t
         where t.id is not null
    ), due as materialized (
        select x.row_id, x.run_id, x.slot, x.flow
          from tenant t
         cross join lateral (
             select l.ctid as row_id, l.run_id, l.slot, l.flow
               from pawl.live_run l
              where l.bucket = p_bucket and l.state = 0 and l.tenant = t.id and l.due_at <= now()
              order by l.due_at
              limit p_each
                for no key update skip locked
         ) as x
         where t.id <> all (p_without)
         limit p_limit
    ), taken as (
        update pawl.live_run l
           set state = 1, worker = p_worker, slot = case when l.slot in (2, 4) then 1 else l.slot end
         where l.ctid = any (array(select due.row_id from due))
        returning l.run_id
    )
    select coalesce(array_agg(t.run_id), '{}'),
           coalesce((select array_agg(due.run_id) from due where due.slot in (2, 4)), '{}'),
           coalesce((select array_agg(due.flow) from due where due.slot in (2, 4)), '{}')
      into ids, tickets, flows
      from taken t;
end
$$;
