-- The log of one run. Planned with the id, so that one partition is opened and not all of them.
create or replace function pawl.load_log(p_bucket smallint, p_run uuid)
returns table (seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz, token int)
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    select e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = p_run
     order by e.seq;
end
$$;

-- The logs of many runs, in order.
create or replace function pawl.load_logs(p_bucket smallint, p_run uuid[])
returns table (run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb,
               at timestamptz, token int)
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
begin
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token
      from unnest(p_run) as u (run_id)
     cross join lateral (
         select o.* from pawl.event o where o.bucket = p_bucket and o.run_id = u.run_id order by o.seq offset 0
     ) as e;
end
$$;

-- Runs leased to a worker that it does not know of, because the answer to its claim was lost. Scans live_run:
-- called after a broken connection only.
create or replace function pawl.leased_runs(p_bucket smallint, p_worker uuid, p_held uuid[])
returns table (
    run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamptz, token int
)
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token
      from pawl.live_run l
     cross join lateral (
         select * from pawl.event h where h.bucket = p_bucket and h.run_id = l.run_id offset 0
     ) as e
     where l.bucket = p_bucket and l.worker = p_worker and l.state = 1 and l.run_id <> all (p_held)
     order by e.run_id, e.seq;
end
$$;

-- New events of many runs: those of p_run[i] after p_seq[i].
create or replace function pawl.events_after(p_bucket smallint, p_run uuid[], p_seq int[], p_limit int)
returns table (run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb,
               at timestamptz, token int)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set jit = off as $$
#variable_conflict use_column
begin
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error,
           greatest(e.at, pawl.uuid7_time(e.run_id), (
               select s.at from pawl.event s where s.bucket = p_bucket and s.run_id = e.run_id and s.seq = 0
           )), e.token
      from unnest(p_run, p_seq) as u (run_id, seq)
     cross join lateral (
         select * from pawl.event x where x.bucket = p_bucket and x.run_id = u.run_id and x.seq > u.seq
          order by x.seq
          limit p_limit
     ) as e
     limit p_limit;
end
$$;

-- Events of all runs between two instants, oldest first; all events of the last instant even beyond the limit, so that
-- the next call can go on from there. The bucket is hidden from the planner: the primary key is no way in.
create or replace function pawl.events_between(p_bucket smallint, p_after timestamptz, p_until timestamptz, p_limit int)
returns table (run_id uuid, seq int, type smallint, node text, attempt smallint, at timestamptz)
language plpgsql
set search_path = pg_catalog set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
set jit = off as $$
#variable_conflict use_column
begin
    return query
    select e.run_id, e.seq, e.type, e.node, e.attempt, e.at
      from pawl.event e
     where e.bucket + 0 = p_bucket and e.at > p_after and e.at < p_until
     order by e.at
     fetch first p_limit rows with ties;
end
$$;

-- The times from which on events count for these runs: not later than their first event.
create or replace function pawl.since_start(p_bucket smallint, p_run uuid[], p_since timestamptz[])
returns timestamptz[]
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
begin
    return array(
        select least(u.since, e.at)
          from unnest(p_run, p_since) with ordinality as u (run_id, since, place)
          left join lateral (
              select f.at from pawl.event f where f.bucket = p_bucket and f.run_id = u.run_id and f.seq = 0 offset 0
          ) as e on true
         order by u.place
    );
end
$$;

-- The oldest event of a key that a waiting token of a run has not had: a number of the inbox, or null. Made for runs
-- that wait again and again: it reads the run's log once, whatever the number of events.
create or replace function pawl.oldest_event(
    p_bucket smallint, p_run uuid, p_token int, p_tenant int, p_name text, p_key text, p_since timestamptz
) returns bigint
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
declare
    -- As a constant of the plan, so that it is looked up and not walked through.
    v_had text[] := array(
        select s.data ->> 'id'
          from pawl.signal s
         where s.bucket = p_bucket and s.run_id = p_run and s.kind = 'event' and (s.data ->> 'token')::int = p_token
        union all
        select e.data -> 'data' ->> 'id'
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type = 10 and e.data ->> 'kind' = 'event'
           and (e.data -> 'data' ->> 'token')::int = p_token
    );
begin
    return (
        select i.id
          from pawl.inbox i
         where i.bucket + 0 = p_bucket and i.tenant = p_tenant and i.name = p_name and i.key = p_key and i.at >= p_since
           and i.event_id <> all (v_had)
         order by i.at, i.id
         limit 1
    );
end
$$;
