-- Has runs wait for their turn where they would begin too soon after others. They are leased by this transaction.
-- Returns those that do not go on now: they are due later, or, where the definition says so, cancelled.
create or replace function pawl.take_turns(p_bucket smallint, p_run uuid[], p_flow jsonb[]) returns uuid[]
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off set jit = off as $$
declare
    v_run record;
    v_gate text;
    v_next timestamptz;
    v_step interval;
    v_spare interval;
    v_later uuid[] := '{}';
    v_later_at timestamptz[] := '{}';
    v_dropped uuid[] := '{}';
begin
    for v_run in
        select u.run_id, u.flow -> 'rate' ->> 0 as gate, u.flow -> 'rate' as rate
          from unnest(p_run, p_flow) with ordinality as u (run_id, flow, n)
         where u.flow ? 'rate'
         order by u.flow -> 'rate' ->> 0, u.n
    loop
        if v_gate is distinct from v_run.gate then
            update pawl.flow_rate r set next_at = v_next where r.bucket = p_bucket and r.gate = v_gate;
            v_gate := v_run.gate;
            insert into pawl.flow_rate (bucket, gate, next_at) values (p_bucket, v_gate, now()) on conflict do nothing;
            select r.next_at into v_next
              from pawl.flow_rate r
             where r.bucket = p_bucket and r.gate = v_gate
               for no key update;
            v_next := greatest(v_next, now());
            v_step := (v_run.rate ->> 2)::bigint * interval '1 microsecond'
                / greatest(pawl.limit_of(v_gate, (v_run.rate ->> 1)::int), 1);
            v_spare := ((v_run.rate ->> 3)::int - 1) * v_step;
        end if;
        if v_next - v_spare > now() then
            if (v_run.rate ->> 4)::boolean then
                v_dropped := v_dropped || v_run.run_id;
                continue;
            end if;
            v_later := v_later || v_run.run_id;
            v_later_at := v_later_at || (v_next - v_spare);
        end if;
        v_next := v_next + v_step;
    end loop;
    if v_gate is null then
        return '{}';
    end if;
    update pawl.flow_rate r set next_at = v_next where r.bucket = p_bucket and r.gate = v_gate;
    -- A gate whose time is over says nothing any more.
    delete from pawl.flow_rate r
     where r.ctid = any (array(
           select o.ctid from pawl.flow_rate o
            where o.next_at < now() - interval '1 minute'
            order by o.next_at
            limit 20
              for update skip locked
       ));
    perform pawl.put_off_to_turn(p_bucket, v_later, v_later_at);
    if v_dropped <> '{}' then
        perform pawl.drop_over_rate(p_bucket, v_dropped);
    end if;
    return v_later || v_dropped;
end
$$;

-- Gives leased runs back until their turn comes, p_due each. Called by take_turns, with its settings.
create or replace function pawl.put_off_to_turn(p_bucket smallint, p_run uuid[], p_due timestamptz[]) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    update pawl.live_run l
       set state = 0, worker = null, flow = l.flow - 'rate', due_at = u.due,
           slot = case when l.flow ? 'slots' then 2 end
      from unnest(p_run, p_due) as u (run_id, due)
     cross join lateral (
         select h.ctid as row_id from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
     ) as x
     where l.ctid = x.row_id;
end
$$;

-- Gives leased runs back to be cancelled, past all gates: there are too many for the rate limit of their workflow.
-- Called by take_turns, with its settings.
create or replace function pawl.drop_over_rate(p_bucket smallint, p_run uuid[]) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    insert into pawl.signal (bucket, run_id, kind, data)
    select p_bucket, u.run_id, 'cancel',
           jsonb_build_object('reason', 'dropped: over the rate limit of its workflow')
      from unnest(p_run) as u (run_id);
    update pawl.live_run l
       set state = 0, worker = null, slot = 3
      from unnest(p_run) as u (run_id)
     cross join lateral (
         select h.ctid as row_id from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
     ) as x
     where l.ctid = x.row_id;
end
$$;

-- Takes up to p_limit due runs: pressing ones, and when there is more due, half of them from tenants in turn. For
-- claim_runs.
create or replace function pawl.take_due(
    p_bucket smallint, p_worker uuid, p_limit int, p_turn int, out ids uuid[], out tickets uuid[],
    out flows jsonb[]
)
language plpgsql set search_path = pg_catalog set enable_sort = off set jit = off as $$
declare
    v_first int;
    v_last int;
    v_pressing int := p_limit;
    v_more record;
begin
    select l.tenant into v_first
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 0
     order by l.bucket, l.tenant, l.due_at
     limit 1;
    if not found then
        ids := '{}';
        tickets := '{}';
        flows := '{}';
        return;
    end if;
    select l.tenant into v_last
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 0
     order by l.bucket desc, l.tenant desc, l.due_at desc
     limit 1;
    if v_first <> v_last then
        v_pressing := (p_limit + 1 - (p_turn & 1)) / 2;
    end if;
    select t.ids, t.tickets, t.flows into ids, tickets, flows
      from pawl.take_pressing(p_bucket, p_worker, v_pressing) t;
    if v_pressing = p_limit or cardinality(ids) < v_pressing then
        return;
    end if;
    select t.ids, t.tickets, t.flows into v_more
      from pawl.take_in_turn(p_bucket, p_worker, p_limit - v_pressing, p_turn & 2147483647, v_first, v_last) t;
    ids := ids || v_more.ids;
    tickets := tickets || v_more.tickets;
    flows := flows || v_more.flows;
    if cardinality(ids) < p_limit then
        select t.ids, t.tickets, t.flows into v_more
          from pawl.take_pressing(p_bucket, p_worker, p_limit - cardinality(ids)) t;
        ids := ids || v_more.ids;
        tickets := tickets || v_more.tickets;
        flows := flows || v_more.flows;
    end if;
end
$$;

-- How many runs of a priority are due, up to p_limit. Without sorts, so that no other index will do.
create or replace function pawl.count_due(p_bucket smallint, p_priority smallint, p_limit int) returns bigint
language plpgsql stable set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off
set enable_sort = off set jit = off as $$
begin
    return (
        select count(*)
          from (
              select 1
                from pawl.live_run l
               where l.bucket = p_bucket and l.state = 0 and l.priority = p_priority and l.due_at <= now()
               order by l.due_at, l.run_id
               limit p_limit
          ) as due
    );
end
$$;
