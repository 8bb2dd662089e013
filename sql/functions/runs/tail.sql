-- needs: functions/retention/partitions
-- Summarises new pages of the log, in each partition that may have some, so that tail_events finds the newest. Readers
-- of the tail call it before they look.
create or replace function pawl.summarize_log() returns void
language sql set search_path = pg_catalog, pg_temp
return pawl.summarize_partitions('pawl.event', null, now() - interval '2 weeks');

-- What happened in a tenant's runs after p_after, oldest first, up to now. "Now" is before the oldest transaction under
-- way, because its events will carry the time it began; one that takes longer than 5 s is not waited for. The last row
-- has the instant to go on from and nothing else.
create or replace function pawl.tail_events(p_bucket smallint, p_tenant int, p_after timestamptz, p_limit int)
returns table (run_id uuid, workflow text, seq int, type text, node text, attempt smallint, at timestamptz)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan set enable_seqscan = off
set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
#variable_conflict use_column
declare
    v_after timestamptz := greatest(p_after, now() - interval '1 hour');
    v_until timestamptz;
    v_walked bigint := 0;
    v_event record;
begin
    select greatest(least(clock_timestamp() - interval '20 ms',
                          min(coalesce(a.xact_start, clock_timestamp() - interval '5 s'))),
                    clock_timestamp() - interval '5 s')
      into v_until
      from pg_stat_activity a
     where a.datname = current_database()
       and (a.xact_start is not null or a.query = '<insufficient privilege>')
       and a.pid <> pg_backend_pid()
       and not pawl.works_for_others(a.usesysid, p_tenant);
    for v_event in
        select e.*, r.tenant, w.name as workflow
          from pawl.events_between(p_bucket, v_after, v_until, p_limit) e
          left join lateral (
              select l.tenant, l.workflow
                from pawl.live_run l
               where l.bucket = p_bucket and l.run_id = e.run_id
               union all
              select c.tenant, c.workflow
                from pawl.run c
               where c.bucket = p_bucket and c.run_id = e.run_id
               limit 1
          ) as r on true
          left join pawl.workflow w on w.id = r.workflow
         order by e.at, e.run_id, e.seq
    loop
        v_walked := v_walked + 1;
        at := v_event.at;
        continue when v_event.tenant is distinct from p_tenant;
        run_id := v_event.run_id;
        workflow := v_event.workflow;
        seq := v_event.seq;
        type := pawl.event_type_name(v_event.type);
        node := v_event.node;
        attempt := v_event.attempt;
        return next;
    end loop;
    run_id := null;
    at := case when v_walked < p_limit then greatest(v_after, v_until - interval '1 microsecond') else at end;
    return next;
end
$$;
