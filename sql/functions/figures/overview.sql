-- needs: functions/base/ids

-- What waits in a tenant, for a first look: due runs, tasks of people, errors that were not muted, and targets that are
-- left alone. Runs with the caller's rights. Counts stop at 10,000, errors at 100, targets at 20.
create or replace function pawl.overview(p_bucket smallint, p_tenant int) returns jsonb
language plpgsql stable
set search_path = pg_catalog set jit = off set enable_seqscan = off as $$
begin
    return jsonb_build_object(
        'work', (
            select jsonb_build_object('due', count(*), 'oldest_at', pawl.rfc3339(min(x.due_at)),
                                      'oldest_run_id', (array_agg(x.run_id order by x.due_at))[1])
              from (select l.due_at, l.run_id
                      from pawl.live_run l
                     where l.bucket = p_bucket and l.tenant = p_tenant and l.state = 0 and l.due_at <= now()
                     order by l.due_at
                     limit 10000) as x
        ),
        'tasks', (
            select jsonb_build_object(
                       'open', count(*), 'overdue', count(*) filter (where x.due_at < now()),
                       'due_soon', count(*) filter (where x.due_at >= now() and x.due_at < now() + interval '1 day'),
                       'oldest_at', pawl.rfc3339(min(x.opened_at)),
                       'next_due_at', pawl.rfc3339(min(x.due_at) filter (where x.due_at >= now())))
              from (select t.due_at, t.opened_at
                      from pawl.human_task t
                     where t.bucket + 0 = p_bucket and t.tenant = p_tenant and t.state = 0
                     limit 10000) as x
        ),
        'failures', (
            select jsonb_build_object('groups', count(*), 'runs', coalesce(sum(c.count), 0),
                                      'last_at', pawl.rfc3339(max(c.last_at)))
              from (select e.fingerprint
                      from pawl.dead_letter_errors(p_bucket, p_tenant, null, null, null, true) e
                     where not exists (
                         select 1 from pawl.dead_letter_mute m
                          where m.tenant = p_tenant and m.fingerprint = e.fingerprint
                     )
                     limit 100) as e
             cross join lateral pawl.count_dead_letters(p_bucket, p_tenant, e.fingerprint, false, null, null, 10000) c
        ),
        'targets', pawl.targets_left_alone(p_tenant)
    );
end
$$;

-- Targets of a tenant that get nothing now: switched off, or failing and left alone for a while.
create or replace function pawl.targets_left_alone(p_tenant int) returns jsonb
language plpgsql stable
set search_path = pg_catalog set jit = off set enable_seqscan = off as $$
begin
    return (
        select coalesce(jsonb_agg(to_jsonb(x) order by x.id), '[]')
          from (select t.id, t.name, t.kind,
                       case when t.disabled_at is null then 'failing' else 'disabled' end as state,
                       t.disabled_because as reason, coalesce(l.failures, 0) as failures,
                       pawl.rfc3339(l.until) as until
                  from pawl.outbox_target t
                  left join lateral (
                      select max(s.failures) as failures, max(s.next_at) filter (where s.next_at > now()) as until
                        from pawl.outbox_lease s
                       where s.target = t.id
                  ) as l on true
                 where t.tenant = p_tenant and (t.disabled_at is not null or l.failures > 0)
                 order by t.id
                 limit 20) as x
    );
end
$$;

-- The workers, and how the database was when the workers last looked (pawl.take_figures); null: they did not yet. For
-- operators of the service: it is about all tenants.
create or replace function pawl.overview_of_service(p_bucket smallint) returns jsonb
language plpgsql stable
set search_path = pg_catalog set jit = off as $$
begin
    return jsonb_build_object(
        'workers', (
            select coalesce(jsonb_agg(to_jsonb(x) order by x.started_at), '[]')
              from (select w.id, w.host, w.pid, w.version, pawl.rfc3339(w.started_at) as started_at,
                           pawl.rfc3339(w.beat_at) as beat_at
                      from pawl.worker w
                     order by w.started_at
                     limit 100) as x
        ),
        'database', (
            select jsonb_build_object(
                       'taken_at', pawl.rfc3339(f.taken_at),
                       'horizon_age_seconds', v.figures -> 'pawl_xmin_age_seconds',
                       'connections', v.figures -> 'pawl_database_connections',
                       'connections_max', v.figures -> 'pawl_database_connections_max',
                       'size_bytes', v.figures -> 'pawl_database_size_bytes',
                       'transaction_id_age', v.figures -> 'pawl_transaction_id_age',
                       'partition_weeks_ahead', v.figures -> 'pawl_partition_weeks_ahead',
                       'wal_kept_bytes', v.figures -> 'pawl_replication_slot_retained_bytes',
                       'replication_lag_bytes', v.figures -> 'pawl_replication_lag_bytes')
              from pawl.figures f
             cross join lateral (
                 select jsonb_object_agg(e.figure ->> 0, e.figure -> 2) as figures
                   from jsonb_array_elements(f.figures) as e (figure)
                  where e.figure -> 1 = 'null'
             ) as v
             where f.bucket = p_bucket and isfinite(f.taken_at)
        )
    );
end
$$;
