-- Makes runs those of another version. Their lease is held by the caller's transaction, which writes the event that
-- says so.
create or replace function pawl.repin_runs(p_bucket smallint, p_run uuid[], p_version int[]) returns void
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
begin
    update pawl.live_run l
       set version = u.version
      from unnest(p_run, p_version) as u (run_id, version)
     where l.bucket = p_bucket and l.run_id = u.run_id;
end
$$;
