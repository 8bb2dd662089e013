-- The steps of claim_runs that are not always needed. claim_runs alone calls them, and they run with its planner
-- settings: each setting costs time at every call.

-- Leases up to p_limit due runs that differ in priority or tenant, or that have gates to pass, and then runs that wait
-- at a gate that has room. Locks the worker's row, the runs that it leases, skipping locked ones, then the gates by
-- name. Returns the runs that go on now. Raises PW001 when the worker is gone.
create or replace function pawl.take_unlike(p_bucket smallint, p_worker uuid, p_limit int, p_turn int) returns uuid[]
language plpgsql set search_path = pg_catalog as $$
declare
    c_rounds constant int := 10;
    v_seen record;
    v_taken record;
    v_back uuid[];
    v_kept int := 0;
    v_gates boolean;
    v_ids uuid[] := '{}';
begin
    v_seen := pawl.look_at_ready(p_bucket, p_worker);
    if v_seen.look is null then
        perform pawl.assert_worker(p_worker);
    end if;
    v_gates := v_seen.look;
    -- Half of the claim is kept for runs that wait at a gate. They come last: letting them in holds locks, and nothing
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
    return v_ids;
end
$$;

-- Matches pending events with the runs that wait for them, and leases up to p_limit of those runs to the worker: in
-- several rounds where nothing else was due (p_idle), else in one. Waits for no lock. An error that an event causes is
-- for match_inbox to tell: then nothing is delivered here, and the claim goes on.
create or replace function pawl.match_for_claim(
    p_bucket smallint, p_worker uuid, p_limit int, p_idle boolean, out leased uuid[], out delivered boolean
)
language plpgsql set search_path = pg_catalog as $$
declare
    c_rounds constant int := 10;
    v_matched record;
begin
    leased := '{}';
    delivered := false;
    for round in 1 .. c_rounds loop
        v_matched := pawl.match_all(p_bucket, p_limit - cardinality(leased), p_worker);
        leased := leased || v_matched.leased;
        delivered := delivered or v_matched.delivered > 0;
        exit when not v_matched.more or v_matched.stuck or not p_idle or cardinality(leased) >= p_limit;
    end loop;
    -- A claim may be lost with a crash of the database, as long as it leaves the run ready. This one would leave it
    -- parked.
    if delivered then
        perform set_config('synchronous_commit', 'on', true);
    end if;
exception when others then
    leased := '{}';
    delivered := false;
end
$$;

-- The messages for the runs of this claim and for others that the worker holds (signals_at_once limits them). Locks
-- nothing.
create or replace function pawl.signals_for_claim(p_bucket smallint, p_worker uuid, p_claimed uuid[])
returns table (id bigint, run_id uuid, kind text, data jsonb)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_told uuid[];
begin
    v_told := array(
        select distinct w.run_id
          from (
              select g.run_id
                from pawl.signal g
               where g.bucket + 0 = p_bucket and g.worker = p_worker and g.run_id <> all (p_claimed)
               order by g.id
               limit 1000
          ) as w
    );
    return query select s.id, s.run_id, s.kind, s.data from pawl.signals_at_once(p_bucket, p_claimed || v_told) s;
end
$$;
