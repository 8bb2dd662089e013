-- The last sign of life of the worker that holds a run of the session's tenant.
create or replace function pawl.execution_beat(p_bucket smallint, p_run uuid) returns timestamptz
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return (
        select w.beat_at
          from pawl.live_run l
          join pawl.worker w on w.id = l.worker
         where l.bucket = p_bucket and l.run_id = p_run and l.state = 1 and l.tenant = pawl.current_tenant()
    );
end
$$;

-- Whether a person or the engine has paused it, and when something last happened to it.
create or replace function pawl.execution_pulse(p_bucket smallint, p_run uuid, out paused boolean, out at timestamptz)
language plpgsql stable parallel safe
set search_path = pg_catalog set plan_cache_mode = force_generic_plan set jit = off
set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    select e.at into at from pawl.event e where e.bucket = p_bucket and e.run_id = p_run order by e.seq desc limit 1;
    paused := coalesce((
        select e.type = 12 from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type in (12, 13) order by e.seq desc limit 1
    ), false);
end
$$;
