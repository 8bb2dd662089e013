-- Keeps accounts within the rate at which their providers take messages, over all workers: one row for each place of
-- the arrays, times in microseconds. p_gate: the account; p_step: from one message to the next. A message whose turn
-- comes within a second gets it, and is to be sent after `wait`; the others (`later`) are to ask again after `wait`,
-- one after the other at the rate, so that they do not ask in vain. Called by workers. Locks rows of pawl.flow_rate in
-- the order of their gates: that of the account, then the end of its line.
create or replace function pawl.pace_messages(p_bucket smallint, p_gate text[], p_step bigint[])
returns table (place int, wait bigint, later boolean)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
declare
    c_ahead constant bigint := 1000000;
    v_one record;
    v_go bigint;
    v_first bigint;
    v_line bigint;
begin
    for v_one in
        select u.gate, min(u.step) as step, array_agg(u.place::int order by u.place) as places, count(*) as many
          from unnest(p_gate, p_step) with ordinality as u (gate, step, place)
         group by u.gate
         order by u.gate collate "C"
    loop
        v_first := pawl.lock_turn(p_bucket, v_one.gate, 0);
        v_go := case when v_first > c_ahead then 0 else least(v_one.many, (c_ahead - v_first) / v_one.step + 1) end;
        perform pawl.set_turn(p_bucket, v_one.gate, v_first + v_go * v_one.step);
        if v_go < v_one.many then
            v_line := pawl.lock_turn(p_bucket, v_one.gate || '/line', c_ahead);
            perform pawl.set_turn(p_bucket, v_one.gate || '/line', v_line + (v_one.many - v_go) * v_one.step);
        end if;
        return query
        select p.place, case when p.n <= v_go then v_first + (p.n - 1) * v_one.step
                             else v_line + (p.n - v_go - 1) * v_one.step end, p.n > v_go
          from unnest(v_one.places) with ordinality as p (place, n);
    end loop;
end
$$;

-- In how many microseconds a gate of a rate has its next turn, p_least or more. The gate stays locked. Called by
-- pace_messages, with its settings.
create or replace function pawl.lock_turn(p_bucket smallint, p_gate text, p_least bigint) returns bigint
language plpgsql set search_path = pg_catalog as $$
declare
    v_next timestamptz;
begin
    insert into pawl.flow_rate (bucket, gate, next_at) values (p_bucket, p_gate, now()) on conflict do nothing;
    select r.next_at into v_next
      from pawl.flow_rate r
     where r.bucket = p_bucket and r.gate = p_gate
       for no key update;
    return greatest(p_least, (extract(epoch from v_next - clock_timestamp()) * 1000000)::bigint);
end
$$;

-- Has the next turn of a gate come in so many microseconds. Called by pace_messages, with its settings.
create or replace function pawl.set_turn(p_bucket smallint, p_gate text, p_wait bigint) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    update pawl.flow_rate r
       set next_at = clock_timestamp() + p_wait * interval '1 microsecond'
     where r.bucket = p_bucket and r.gate = p_gate;
end
$$;
