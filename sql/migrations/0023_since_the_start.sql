-- Which events count for a run is decided by the database's clock alone. A worker says when the run began by its
-- estimate of that clock, which may be ahead: an event that came in between was never delivered.
-- breaking: no

set local lock_timeout = '5s';

-- The times from which on events count for these runs: not later than their first event.
create function pawl.since_start(p_bucket smallint, p_run uuid[], p_since timestamptz[]) returns timestamptz[]
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
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
