-- Leases up to p_limit due runs to a worker, in the order of priority, time and turns of tenants (take_alone,
-- take_alike, take_pressing, take_in_turn), and runs that waited at a gate that has room. Returns their logs, and after
-- them the signals for runs that the worker holds (rows with a signal's id; the kind stands in node). Matches events
-- that are pending before it takes runs. p_turn: another number with each claim, so that tenants take turns. Locks the
-- rows that it leases, skipping locked ones, and the worker's row; PW001 when the worker is gone.
create or replace function pawl.claim_runs(
    p_bucket smallint, p_worker uuid, p_limit integer, p_turn integer default 0
)
returns table (
    run_id uuid, seq integer, type smallint, attempt smallint, node text, data jsonb, error jsonb,
    at timestamptz, token int, signal bigint
)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
declare
    c_few constant int := 100;
    v_matches boolean;
    v_signals boolean;
    v_matched record;
    v_ids uuid[];
begin
    -- A claimer that asks for many has seen that there are.
    if p_limit between 1 and c_few then
        v_ids := pawl.take_alone(p_bucket, p_worker);
    end if;
    if v_ids is null then
        v_ids := pawl.take_alike(p_bucket, p_worker, p_limit);
    end if;
    if v_ids is null then
        v_ids := pawl.take_unlike(p_bucket, p_worker, p_limit, p_turn);
    end if;
    select cardinality(v_ids) < p_limit and (
               exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket)
               or exists (select 1 from pawl.subscription_check q where q.bucket = p_bucket)
           ),
           exists (select 1 from pawl.signal s where s.bucket = p_bucket)
      into v_matches, v_signals;
    -- Runs that have waited for an event come after those that are due, which do not wait for them.
    if v_matches then
        v_matched := pawl.match_for_claim(p_bucket, p_worker, p_limit - cardinality(v_ids), v_ids = '{}');
        v_ids := v_ids || v_matched.leased;
        v_signals := v_signals or v_matched.delivered;
    end if;
    if cardinality(v_ids) = 1 then
        return query
        select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token, null::bigint
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = v_ids[1]
         order by e.seq;
    elsif cardinality(v_ids) > 1 then
        return query
        select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token, null::bigint
          from unnest(v_ids) as u (run_id)
         cross join lateral (
             select * from pawl.event l where l.bucket = p_bucket and l.run_id = u.run_id offset 0
         ) as e
         order by e.run_id, e.seq;
    end if;
    -- In the same transaction, so that a run woken by a signal is seen together with it.
    if v_signals then
        return query
        select s.run_id, null::int, null::smallint, null::smallint, s.kind, s.data, null::jsonb, now(), null::int, s.id
          from pawl.signals_for_claim(p_bucket, p_worker, v_ids) s
         order by s.id;
    end if;
end
$$;
