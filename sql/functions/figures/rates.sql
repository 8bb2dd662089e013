-- needs: functions/base/ids
-- What began and ended after p_from and until p_until, by tenant and workflow and p_step minutes. Called by rate_runs.
create or replace function pawl.count_rates(p_bucket smallint, p_from timestamptz, p_until timestamptz, p_step int)
returns table (tenant int, workflow int, at timestamptz, started bigint, completed bigint, failed bigint,
               cancelled bigint)
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_custom_plan set jit = off as $$
#variable_conflict use_column
declare
    v_from uuid := pawl.uuid7_bound(p_from);
    v_until uuid := pawl.uuid7_bound(p_until);
begin
    return query
    select x.tenant, x.workflow, date_bin(make_interval(mins => p_step), x.moment, 'epoch'),
           count(*) filter (where x.status = 0), count(*) filter (where x.status = 1),
           count(*) filter (where x.status = 2), count(*) filter (where x.status = 3)
      from (
          select o.tenant, o.workflow, pawl.uuid7_time(o.run_id) as moment, 0 as status
            from pawl.live_run o where o.bucket = p_bucket and o.run_id > v_from and o.run_id <= v_until
           union all
          select r.tenant, r.workflow, pawl.uuid7_time(r.run_id), 0
            from pawl.run r where r.bucket = p_bucket and r.run_id > v_from and r.run_id <= v_until
           union all
          select r.tenant, r.workflow, r.closed_at, r.status
            from pawl.run r where r.bucket = p_bucket and r.closed_at > p_from and r.closed_at <= p_until
      ) as x
     group by 1, 2, 3;
end
$$;

-- Adds what happened since the last call to pawl.run_rate, but for the last ten seconds, which may still be committed;
-- forgets minutes after two days and hours after 400. Called by take_figures, which lets one process count. The first
-- call begins with the last hour.
create or replace function pawl.rate_runs(p_bucket smallint) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_until timestamptz := now() - interval '10 seconds';
    v_from timestamptz := (select coalesce(f.rated_until, now() - interval '1 hour')
                             from pawl.figures f where f.bucket = p_bucket);
begin
    if v_from is null or v_from >= v_until then
        return;
    end if;
    -- So that count_rates reads only the newest pages of closed runs.
    perform pawl.summarize_partitions('pawl.run', 'closed_at', '-infinity');
    -- After a long pause not all at once: the next call goes on.
    v_until := least(v_until, v_from + interval '1 hour');
    insert into pawl.run_rate as r (tenant, workflow, step, at, started, completed, failed, cancelled)
    select c.tenant, c.workflow, s.step, date_bin(make_interval(mins => s.step), c.at, 'epoch'), sum(c.started),
           sum(c.completed), sum(c.failed), sum(c.cancelled)
      from pawl.count_rates(p_bucket, v_from, v_until, 1) c  -- once: hours are sums of minutes
     cross join unnest(array[1, 60]::smallint[]) as s (step)
     group by 1, 2, 3, 4
        on conflict (tenant, step, at, workflow) do update
       set started = r.started + excluded.started, completed = r.completed + excluded.completed,
           failed = r.failed + excluded.failed, cancelled = r.cancelled + excluded.cancelled;
    delete from pawl.run_rate r where r.step = 1 and r.at < now() - interval '2 days';
    delete from pawl.run_rate r where r.step = 60 and r.at < now() - interval '400 days';
    update pawl.figures f set rated_until = v_until where f.bucket = p_bucket;
end
$$;
