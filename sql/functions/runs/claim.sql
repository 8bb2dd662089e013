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
    c_rounds constant int := 10;
    c_few constant int := 100;
    v_seen record;
    v_taken record;
    v_matched record;
    v_due int;
    v_matches boolean;
    v_signals boolean;
    v_delivered boolean := false;
    v_back uuid[];
    v_kept int := 0;
    v_gates boolean;
    v_ids uuid[] := '{}';
    v_told uuid[];
begin
    -- Who asks for many has seen that there are.
    if p_limit between 1 and c_few then
        v_ids := pawl.take_alone(p_bucket, p_worker);
    else
        v_ids := null;
    end if;
    if v_ids is null then
        v_ids := pawl.take_alike(p_bucket, p_worker, p_limit);
    end if;
    if v_ids is null then
        v_ids := '{}';
        v_seen := pawl.look_at_ready(p_bucket, p_worker);
        if v_seen.look is null then
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
    -- Those who have waited for an event come after those who are due, who are not to wait for them. Nothing is waited
    -- for here either. What goes wrong with an event is for match_inbox to tell: claims go on.
    v_due := cardinality(v_ids);
    select v_due < p_limit and (
               exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket)
               or exists (select 1 from pawl.subscription_check q where q.bucket = p_bucket)
           ),
           exists (select 1 from pawl.signal s where s.bucket = p_bucket)
      into v_matches, v_signals;
    if v_matches then
        begin
            for round in 1 .. c_rounds loop
                v_matched := pawl.match_all(p_bucket, p_limit - cardinality(v_ids), p_worker);
                v_ids := v_ids || v_matched.leased;
                v_delivered := v_delivered or v_matched.delivered > 0;
                exit when not v_matched.more or v_matched.stuck or v_due > 0 or cardinality(v_ids) >= p_limit;
            end loop;
            -- A claim may be lost with a crash of the database, as long as it leaves the run ready. This one would
            -- leave it parked.
            if v_delivered then
                perform set_config('synchronous_commit', 'on', true);
            end if;
        exception when others then
            v_ids := v_ids[:v_due];
        end;
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
    if v_signals or v_delivered then
        v_told := array(
            select distinct w.run_id
              from (
                  select g.run_id
                    from pawl.signal g
                   where g.bucket + 0 = p_bucket and g.worker = p_worker and g.run_id <> all (v_ids)
                   order by g.id
                   limit 1000
              ) as w
        );
        return query
        select s.run_id, null::int, null::smallint, null::smallint, s.kind, s.data, null::jsonb, now(), null::int, s.id
          from pawl.signals_at_once(p_bucket, v_ids || v_told) s
         order by s.id;
    end if;
end
$$;
