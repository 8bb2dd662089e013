-- Written by scripts/schema-snapshot --write; compared with the migrations by a test.

CREATE SCHEMA pawl;

CREATE FUNCTION pawl.apply_workflow(p_name text, p_definition jsonb, p_tenant integer DEFAULT 1) RETURNS TABLE(id integer, version integer, changed boolean)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
#variable_conflict use_column
declare
    v_definition jsonb;
begin
    -- Locks the row, so that two applies of one name go one after the other.
    insert into pawl.workflow as w (tenant, name, active_version)
    values (p_tenant, p_name, 1)
        on conflict (tenant, name) do update set updated_at = w.updated_at
    returning w.id, w.active_version into id, version;
    select v.definition into v_definition
      from pawl.workflow_version v where v.workflow = apply_workflow.id and v.version = apply_workflow.version;
    changed := v_definition is distinct from p_definition;
    if changed then
        insert into pawl.workflow_version (workflow, version, definition)
        select apply_workflow.id, coalesce(max(v.version), 0) + 1, p_definition
          from pawl.workflow_version v where v.workflow = apply_workflow.id
        returning workflow_version.version into version;
        update pawl.workflow w
           set active_version = apply_workflow.version, updated_at = now()
         where w.id = apply_workflow.id;
    end if;
    return next;
end
$$;

CREATE FUNCTION pawl.assert_worker(p_worker uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
    perform 1 from pawl.worker w where w.id = p_worker for key share;
    if not found then
        raise exception 'worker % is not registered or was declared dead', p_worker using errcode = 'PW001';
    end if;
end
$$;

CREATE FUNCTION pawl.claim_runs(p_bucket smallint, p_worker uuid, p_limit integer) RETURNS TABLE(run_id uuid, seq integer, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamp with time zone, signal bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_ids uuid[] := '{}';
    v_taken uuid[];
    v_priority smallint;
begin
    perform pawl.assert_worker(p_worker);
    select l.priority into v_priority
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 0
     order by l.bucket, l.priority, l.due_at, l.run_id
     limit 1;
    while v_priority is not null and cardinality(v_ids) < p_limit loop
        -- Materialized: a plain sub-select may be evaluated again and lock more rows than the limit.
        with due as materialized (
            select l.ctid as row_id
              from pawl.live_run l
             where l.bucket = p_bucket and l.state = 0 and l.priority = v_priority and l.due_at <= now()
             order by l.due_at, l.run_id
             limit p_limit - cardinality(v_ids)
               for no key update skip locked
        ), taken as (
            -- By the place of the row, which its lock keeps still, and by nothing else: a condition on
            -- bucket or run_id may become a scan of the whole index with a filter, depending on how
            -- small the table was when the plan was made.
            update pawl.live_run l
               set state = 1, worker = p_worker
             where l.ctid = any (array(select due.row_id from due))
            returning l.run_id
        )
        select array_agg(t.run_id) into v_taken from taken t;
        v_ids := v_ids || coalesce(v_taken, '{}');
        select l.priority into v_priority
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.priority > v_priority
         order by l.bucket, l.priority, l.due_at, l.run_id
         limit 1;
    end loop;
    if cardinality(v_ids) > 0 then
        return query
        select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, null::bigint
          from unnest(v_ids) as u (run_id)
         cross join lateral (
             select * from pawl.event l where l.bucket = p_bucket and l.run_id = u.run_id offset 0
         ) as e
         order by e.run_id, e.seq;
    end if;
    -- In the same transaction, so that a run woken by a signal is seen together with it. Almost never
    -- are there any.
    if exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        return query
        select s.run_id, null::int, null::smallint, null::smallint, s.kind, s.data, null::jsonb, now(), s.id
          from pawl.pending_signals(p_bucket, p_worker) s;
    end if;
end
$$;

CREATE FUNCTION pawl.commit_runs(p_bucket smallint, p_worker uuid, p_resend boolean, p_run uuid[], p_seq integer[], p_type smallint[], p_attempt smallint[], p_node text[], p_data jsonb[], p_error jsonb[], p_park_run uuid[], p_park_due timestamp with time zone[], p_close_run uuid[], p_close_started timestamp with time zone[], p_close_tenant integer[], p_close_workflow integer[], p_close_version integer[], p_close_status smallint[], p_close_subject text[], p_close_output jsonb[], p_close_error jsonb[], p_close_node text[], p_signal bigint[], p_signal_run uuid[]) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    AS $$
begin
    perform pawl.assert_worker(p_worker);
    if p_resend then
        insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error)
        select u.run_id, now(), u.seq, p_bucket, u.type, u.attempt, u.node, u.data, u.error
          from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error)
               as u (run_id, seq, type, attempt, node, data, error)
            on conflict do nothing;
    else
        insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error)
        select u.run_id, now(), u.seq, p_bucket, u.type, u.attempt, u.node, u.data, u.error
          from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error)
               as u (run_id, seq, type, attempt, node, data, error);
    end if;
    if cardinality(p_close_run) > 0 then
        -- Nobody but the holder moves a leased row, so its place is known (see claim_runs).
        delete from pawl.live_run l
         where l.ctid = any (array(
               select x.row_id
                 from unnest(p_close_run) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.live_run h
                     where h.bucket = p_bucket and h.run_id = u.run_id
                    offset 0
                ) as x
           ));
        insert into pawl.run
            (run_id, started_at, closed_at, tenant, workflow, version, bucket, status, subject, output, error)
        select u.run_id, u.started_at, now(), u.tenant, u.workflow, u.version, p_bucket, u.status, u.subject, u.output,
               u.error
          from unnest(p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version, p_close_status,
                      p_close_subject, p_close_output, p_close_error)
               as u (run_id, started_at, tenant, workflow, version, status, subject, output, error)
            on conflict do nothing;
        if 2 = any (p_close_status) then
            insert into pawl.dead_letter (bucket, run_id, tenant, workflow, version, node, error, fingerprint)
            select p_bucket, u.run_id, u.tenant, u.workflow, u.version, u.node, coalesce(u.error, 'null'),
                   md5(concat_ws('|', u.workflow, u.node, u.error ->> 'code',
                       regexp_replace(u.error ->> 'message', '[0-9a-fA-F-]{8,}|[0-9]+', '#', 'g')))
              from unnest(p_close_run, p_close_tenant, p_close_workflow, p_close_version, p_close_status, p_close_node,
                          p_close_error)
                   as u (run_id, tenant, workflow, version, status, node, error)
             where u.status = 2
                on conflict do nothing;
        end if;
    end if;
    if cardinality(p_signal) > 0 then
        delete from pawl.signal s
         using unnest(p_signal, p_signal_run) as u (id, run_id)
         where s.bucket = p_bucket and s.run_id = u.run_id and s.id = u.id;
    end if;
    if cardinality(p_park_run) > 0 then
        update pawl.live_run l
           set (state, worker, due_at) = (
               select case when u.due is null then 2 else 0 end, null::uuid, coalesce(u.due, l.due_at)
                 from (select p_park_due[array_position(p_park_run, l.run_id)]) as u (due)
           )
         where l.ctid = any (array(
               select x.row_id
                 from unnest(p_park_run) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.live_run h
                     where h.bucket = p_bucket and h.run_id = u.run_id and h.worker = p_worker
                    offset 0
                ) as x
           ));
    end if;
    -- A signal may have come for a run while its holder was parking or closing it: the sender saw a leased run and only
    -- left the message. The row lock orders the two, so the message is visible here or there.
    if exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        update pawl.live_run l
           set state = 0, due_at = least(l.due_at, now())
         where l.bucket = p_bucket and l.run_id = any (p_park_run) and l.state in (0, 2)
           and exists (select 1 from pawl.signal s where s.bucket = p_bucket and s.run_id = l.run_id);
        delete from pawl.signal s
         using unnest(p_close_run) as u (run_id)
         where s.bucket = p_bucket and s.run_id = u.run_id;
    end if;
    return now();
end
$$;

CREATE FUNCTION pawl.drop_old_partitions(p_keep interval) RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $_$
declare
    v_week timestamptz;
    v_until uuid;
    v_name text;
    v_table text;
begin
    perform pg_advisory_xact_lock(hashtext('pawl.ensure_partitions'));
    for v_week, v_name in
        select to_timestamp(substring(c.relname from '\d{8}$') || '+00', 'YYYYMMDDTZH'),
               substring(c.relname from '\d{8}$')
          from pg_inherits i
          join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'pawl.event'::regclass and c.relname ~ '^event_\d{8}$'
    loop
        v_until := pawl.uuid7_bound(v_week + interval '1 week');
        continue when v_week + interval '1 week' > now() - p_keep;
        continue when exists (
            select 1 from pawl.live_run l where l.run_id >= pawl.uuid7_bound(v_week) and l.run_id < v_until
        );
        foreach v_table in array array['event', 'run'] loop
            execute format('drop table if exists pawl.%I', v_table || '_' || v_name);
            return next v_table || '_' || v_name;
        end loop;
        delete from pawl.correlation c where c.run_id >= pawl.uuid7_bound(v_week) and c.run_id < v_until;
        delete from pawl.dead_letter d where d.run_id >= pawl.uuid7_bound(v_week) and d.run_id < v_until;
    end loop;
end
$_$;

CREATE FUNCTION pawl.ensure_partitions(p_weeks_ahead integer DEFAULT 4) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_week timestamptz;
    v_table text;
    v_name text;
    v_made int := 0;
begin
    perform pg_advisory_xact_lock(hashtext('pawl.ensure_partitions'));
    for v_week in
        select generate_series(
            date_trunc('week', now() at time zone 'UTC') - interval '1 week',
            date_trunc('week', now() at time zone 'UTC') + p_weeks_ahead * interval '1 week',
            interval '1 week'
        ) at time zone 'UTC'
    loop
        foreach v_table in array array['event', 'run'] loop
            v_name := format('%s_%s', v_table, to_char(v_week at time zone 'UTC', 'YYYYMMDD'));
            continue when to_regclass('pawl.' || v_name) is not null;
            -- Rows of that week may be in the default partition already, written by a clock that ran ahead. They stay
            -- there, and so do the rest of that week: the weeks after it must be made all the same.
            begin
                execute format(
                    'create table pawl.%I partition of pawl.%I for values from (%L) to (%L)'
                    ' with (autovacuum_vacuum_insert_scale_factor = 0.2)',
                    v_name, v_table, pawl.uuid7_bound(v_week), pawl.uuid7_bound(v_week + interval '1 week')
                );
                v_made := v_made + 1;
            exception when check_violation then
                raise warning 'pawl.%_default holds rows of the week %: no partition made', v_table, v_week;
            end;
        end loop;
    end loop;
    return v_made;
end
$$;

CREATE FUNCTION pawl.event_type_name(p_type smallint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (ARRAY['run_started'::text, 'step_completed'::text, 'step_failed'::text, 'wait_started'::text, 'run_completed'::text, 'run_failed'::text, 'run_cancelled'::text])[(p_type + 1)];

CREATE FUNCTION pawl.leased_runs(p_bucket smallint, p_worker uuid, p_held uuid[]) RETURNS TABLE(run_id uuid, seq integer, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamp with time zone)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at
      from pawl.live_run l
     cross join lateral (
         select * from pawl.event h where h.bucket = p_bucket and h.run_id = l.run_id offset 0
     ) as e
     where l.bucket = p_bucket and l.worker = p_worker and l.state = 1 and l.run_id <> all (p_held)
     order by e.run_id, e.seq;
end
$$;

CREATE FUNCTION pawl.list_runs(p_bucket smallint, p_workflow text, p_status text, p_before uuid, p_limit bigint) RETURNS TABLE(run_id uuid, workflow text, version integer, status text, subject text, started_at timestamp with time zone, closed_at timestamp with time zone, due_at timestamp with time zone, output jsonb, error jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_sort TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    select * from (
        (select l.run_id, w.name, l.version, pawl.live_state_name(l.state), l.subject,
                to_timestamp(('x' || substr(replace(l.run_id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0),
                null::timestamptz, l.due_at, null::jsonb, null::jsonb
           from pawl.live_run l
           join pawl.workflow w on w.id = l.workflow
          where l.bucket = p_bucket and (p_workflow is null or w.name = p_workflow)
            and (p_status is null or pawl.live_state_name(l.state) = p_status or p_status = 'running')
            and (p_before is null or l.run_id < p_before)
          order by l.run_id desc
          limit p_limit)
        union all
        (select r.run_id, w.name, r.version, pawl.run_status_name(r.status), r.subject, r.started_at, r.closed_at,
                null, r.output, r.error
           from pawl.run r
           join pawl.workflow w on w.id = r.workflow
          where r.bucket = p_bucket and (p_workflow is null or w.name = p_workflow)
            and (p_status is null or pawl.run_status_name(r.status) = p_status)
            and (p_before is null or r.run_id < p_before)
          order by r.run_id desc
          limit p_limit)
    ) as both_kinds
     order by 1 desc
     limit p_limit;
end
$$;

CREATE FUNCTION pawl.live_state_name(p_state smallint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (ARRAY['ready'::text, 'leased'::text, 'parked'::text])[(p_state + 1)];

CREATE FUNCTION pawl.load_log(p_bucket smallint, p_run uuid) RETURNS TABLE(seq integer, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    select e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = p_run
     order by e.seq;
end
$$;

CREATE FUNCTION pawl.pending_signals(p_bucket smallint, p_worker uuid) RETURNS TABLE(id bigint, run_id uuid, kind text, data jsonb)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
begin
    if not exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        return;
    end if;
    return query
    select s.id, s.run_id, s.kind, s.data
      from pawl.signal s
     cross join lateral (
         select 1
           from pawl.live_run l
          where l.bucket = p_bucket and l.run_id = s.run_id and l.worker = p_worker
         offset 0
     ) as held
     where s.bucket = p_bucket
     order by s.id
     limit 1000;
end
$$;

CREATE FUNCTION pawl.request_cancel(p_bucket smallint, p_run uuid, p_reason text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
    perform 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = p_run for no key update;
    if not found then
        return false;
    end if;
    insert into pawl.signal (bucket, run_id, kind, data)
    values (p_bucket, p_run, 'cancel', jsonb_build_object('reason', p_reason));
    update pawl.live_run l
       set state = 0, due_at = least(l.due_at, now())
     where l.bucket = p_bucket and l.run_id = p_run and l.state in (0, 2);
    return true;
end
$$;

CREATE FUNCTION pawl.retire_worker(p_worker uuid) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_runs bigint;
begin
    delete from pawl.worker w where w.id = p_worker;
    update pawl.live_run l set state = 0, worker = null where l.worker = p_worker and l.state = 1;
    get diagnostics v_runs = row_count;
    return v_runs;
end
$$;

CREATE FUNCTION pawl.run_status_name(p_status smallint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (ARRAY['running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])[(p_status + 1)];

CREATE FUNCTION pawl.start(p_workflow text, p_input jsonb DEFAULT '{}'::jsonb, p_correlation text DEFAULT NULL::text, p_subject text DEFAULT NULL::text, p_priority smallint DEFAULT 0, p_due timestamp with time zone DEFAULT NULL::timestamp with time zone, p_tenant text DEFAULT 'default'::text) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_run uuid := pawl.uuid7();
    v_workflow record;
    v_existing uuid;
begin
    select w.id, w.tenant, w.active_version, t.bucket, v.definition -> 'timeout_ms' as timeout_ms
      into v_workflow
      from pawl.workflow w
      join pawl.tenant t on t.id = w.tenant
      join pawl.workflow_version v on v.workflow = w.id and v.version = w.active_version
     where t.name = p_tenant and w.name = p_workflow;
    if not found then
        raise exception 'there is no workflow named "%"', p_workflow
            using errcode = 'no_data_found', hint = 'pawl workflows list shows the names.';
    end if;
    select s.existing into v_existing
      from pawl.start_runs(
          v_workflow.bucket, null, false, array[v_run], array[v_workflow.tenant], array[v_workflow.id],
          array[v_workflow.active_version], array[p_subject], array[p_priority], array[p_due],
          array[jsonb_strip_nulls(jsonb_build_object(
              'workflow', v_workflow.id, 'version', v_workflow.active_version, 'subject', p_subject,
              'timeout_ms', v_workflow.timeout_ms
          )) || jsonb_build_object('input', p_input)],
          case when p_correlation is not null then array[p_correlation] end, array[false]
      ) s;
    return coalesce(v_existing, v_run);
end
$$;

CREATE FUNCTION pawl.start_runs(p_bucket smallint, p_worker uuid, p_resend boolean, p_run uuid[], p_tenant integer[], p_workflow integer[], p_version integer[], p_subject text[], p_priority smallint[], p_due timestamp with time zone[], p_data jsonb[], p_correlation text[], p_lease boolean[]) RETURNS TABLE(requested uuid, existing uuid)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
declare
    v_skip uuid[] := '{}';
begin
    if p_worker is not null then
        perform pawl.assert_worker(p_worker);
    end if;
    if p_correlation is not null then
        -- Ordered, so that two batches with the same keys wait for each other instead of deadlocking.
        insert into pawl.correlation (bucket, tenant, workflow, key, run_id)
        select p_bucket, u.tenant, u.workflow, u.key, u.run_id
          from unnest(p_run, p_tenant, p_workflow, p_correlation) as u (run_id, tenant, workflow, key)
         where u.key is not null
         order by u.tenant, u.workflow, u.key, u.run_id
            on conflict do nothing;
        for requested, existing in
            select u.run_id, c.run_id
              from unnest(p_run, p_tenant, p_workflow, p_correlation) as u (run_id, tenant, workflow, key)
              join pawl.correlation c
                on c.bucket = p_bucket and c.tenant = u.tenant and c.workflow = u.workflow and c.key = u.key
             where u.key is not null and c.run_id <> u.run_id
        loop
            v_skip := v_skip || requested;
            return next;
        end loop;
    end if;
    if p_resend or cardinality(v_skip) > 0 then
        with started as (
            insert into pawl.event (run_id, at, seq, bucket, type, data)
            select u.run_id, now(), 0, p_bucket, 0, u.data
              from unnest(p_run, p_data) as u (run_id, data)
             where u.run_id <> all (v_skip)
                on conflict do nothing
            returning run_id
        )
        insert into pawl.live_run (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject)
        select u.run_id, case when u.lease then p_worker end, coalesce(u.due, now()), u.tenant, u.workflow, u.version,
               p_bucket, case when u.lease then 1 else 0 end, u.priority, u.subject
          from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_lease)
               as u (run_id, tenant, workflow, version, subject, priority, due, lease)
         where u.run_id = any (array(select s.run_id from started s));
        return;
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, data)
    select u.run_id, now(), 0, p_bucket, 0, u.data
      from unnest(p_run, p_data) as u (run_id, data);
    insert into pawl.live_run (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject)
    select u.run_id, case when u.lease then p_worker end, coalesce(u.due, now()), u.tenant, u.workflow, u.version,
           p_bucket, case when u.lease then 1 else 0 end, u.priority, u.subject
      from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_lease)
           as u (run_id, tenant, workflow, version, subject, priority, due, lease);
end
$$;

CREATE FUNCTION pawl.sweep_dead_workers(p_ttl interval) RETURNS TABLE(worker uuid, runs bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
#variable_conflict use_column
declare
    v_worker uuid;
    v_runs bigint;
begin
    for v_worker in
        select w.id from pawl.worker w where w.beat_at < now() - p_ttl for update skip locked
    loop
        update pawl.live_run l set state = 0, worker = null where l.worker = v_worker and l.state = 1;
        get diagnostics v_runs = row_count;
        delete from pawl.worker w where w.id = v_worker;
        worker := v_worker;
        runs := v_runs;
        return next;
    end loop;
end
$$;

CREATE FUNCTION pawl.uuid7() RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    RETURN (encode(set_bit(set_bit(OVERLAY(uuid_send(gen_random_uuid()) PLACING SUBSTRING(int8send(((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint) FROM 3) FROM 1 FOR 6), (52)::bigint, 1), (53)::bigint, 1), 'hex'::text))::uuid;

CREATE FUNCTION pawl.uuid7_bound(p_at timestamp with time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((lpad(to_hex(((EXTRACT(epoch FROM p_at) * (1000)::numeric))::bigint), 12, '0'::text) || repeat('0'::text, 20)))::uuid;

CREATE TABLE pawl.correlation (
    bucket smallint NOT NULL,
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    key text NOT NULL,
    run_id uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT correlation_key_check CHECK (((length(key) >= 1) AND (length(key) <= 500)))
);

CREATE TABLE pawl.dead_letter (
    bucket smallint NOT NULL,
    run_id uuid NOT NULL,
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    version integer NOT NULL,
    node text,
    error jsonb NOT NULL,
    fingerprint text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE pawl.event (
    run_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    seq integer NOT NULL,
    bucket smallint NOT NULL,
    type smallint NOT NULL,
    attempt smallint,
    node text,
    data jsonb,
    error jsonb,
    external_message_id text
)
PARTITION BY RANGE (run_id);

CREATE TABLE pawl.event_default (
    run_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    seq integer NOT NULL,
    bucket smallint NOT NULL,
    type smallint NOT NULL,
    attempt smallint,
    node text,
    data jsonb,
    error jsonb,
    external_message_id text
);

CREATE TABLE pawl.live_run (
    run_id uuid NOT NULL,
    worker uuid,
    due_at timestamp with time zone NOT NULL,
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    version integer NOT NULL,
    bucket smallint NOT NULL,
    state smallint NOT NULL,
    priority smallint NOT NULL,
    subject text,
    CONSTRAINT live_run_state_check CHECK ((state = ANY (ARRAY[0, 1, 2]))),
    CONSTRAINT live_run_worker_check CHECK (((state = 1) = (worker IS NOT NULL)))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0', autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='50000', vacuum_truncate=off);

CREATE TABLE pawl.migration (
    number integer NOT NULL,
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE pawl.run (
    run_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone NOT NULL,
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    version integer NOT NULL,
    bucket smallint NOT NULL,
    status smallint NOT NULL,
    subject text,
    output jsonb,
    error jsonb,
    parent uuid,
    CONSTRAINT run_status_check CHECK ((status = ANY (ARRAY[1, 2, 3])))
)
PARTITION BY RANGE (run_id);

CREATE TABLE pawl.run_default (
    run_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone NOT NULL,
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    version integer NOT NULL,
    bucket smallint NOT NULL,
    status smallint NOT NULL,
    subject text,
    output jsonb,
    error jsonb,
    parent uuid,
    CONSTRAINT run_status_check CHECK ((status = ANY (ARRAY[1, 2, 3])))
);

CREATE TABLE pawl.signal (
    id bigint NOT NULL,
    bucket smallint NOT NULL,
    run_id uuid NOT NULL,
    kind text NOT NULL,
    data jsonb,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT signal_kind_check CHECK ((kind = 'cancel'::text))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

ALTER TABLE pawl.signal ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.signal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pawl.tenant (
    id integer NOT NULL,
    name text NOT NULL,
    bucket smallint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT tenant_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

ALTER TABLE pawl.tenant ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.tenant_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pawl.worker (
    id uuid NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    version text NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    beat_at timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='30', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='100');

CREATE TABLE pawl.workflow (
    id integer NOT NULL,
    tenant integer NOT NULL,
    name text NOT NULL,
    active_version integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

ALTER TABLE pawl.workflow ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.workflow_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pawl.workflow_version (
    workflow integer NOT NULL,
    version integer NOT NULL,
    definition jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_version_check CHECK ((version >= 1))
);

ALTER TABLE ONLY pawl.event ATTACH PARTITION pawl.event_default DEFAULT;

ALTER TABLE ONLY pawl.run ATTACH PARTITION pawl.run_default DEFAULT;

ALTER TABLE ONLY pawl.correlation
    ADD CONSTRAINT correlation_pk PRIMARY KEY (bucket, tenant, workflow, key);

ALTER TABLE ONLY pawl.dead_letter
    ADD CONSTRAINT dead_letter_pk PRIMARY KEY (bucket, run_id);

ALTER TABLE ONLY pawl.event
    ADD CONSTRAINT event_pk PRIMARY KEY (bucket, run_id, seq);

ALTER TABLE ONLY pawl.event_default
    ADD CONSTRAINT event_default_pkey PRIMARY KEY (bucket, run_id, seq);

ALTER TABLE ONLY pawl.live_run
    ADD CONSTRAINT live_run_pk PRIMARY KEY (bucket, run_id);

ALTER TABLE ONLY pawl.migration
    ADD CONSTRAINT migration_pk PRIMARY KEY (number);

ALTER TABLE ONLY pawl.run
    ADD CONSTRAINT run_pk PRIMARY KEY (bucket, run_id);

ALTER TABLE ONLY pawl.run_default
    ADD CONSTRAINT run_default_pkey PRIMARY KEY (bucket, run_id);

ALTER TABLE ONLY pawl.signal
    ADD CONSTRAINT signal_pk PRIMARY KEY (bucket, run_id, id);

ALTER TABLE ONLY pawl.tenant
    ADD CONSTRAINT tenant_name_unique UNIQUE (name);

ALTER TABLE ONLY pawl.tenant
    ADD CONSTRAINT tenant_pk PRIMARY KEY (id);

ALTER TABLE ONLY pawl.worker
    ADD CONSTRAINT worker_pk PRIMARY KEY (id);

ALTER TABLE ONLY pawl.workflow
    ADD CONSTRAINT workflow_name_unique UNIQUE (tenant, name);

ALTER TABLE ONLY pawl.workflow
    ADD CONSTRAINT workflow_pk PRIMARY KEY (id);

ALTER TABLE ONLY pawl.workflow_version
    ADD CONSTRAINT workflow_version_pk PRIMARY KEY (workflow, version);

CREATE INDEX dead_letter_fingerprint ON pawl.dead_letter USING btree (bucket, tenant, fingerprint, run_id);

CREATE INDEX live_run_ready ON pawl.live_run USING btree (bucket, priority, due_at, run_id) WHERE (state = 0);

ALTER INDEX pawl.event_pk ATTACH PARTITION pawl.event_default_pkey;

ALTER INDEX pawl.run_pk ATTACH PARTITION pawl.run_default_pkey;

ALTER TABLE ONLY pawl.workflow
    ADD CONSTRAINT workflow_tenant_fk FOREIGN KEY (tenant) REFERENCES pawl.tenant(id);

ALTER TABLE ONLY pawl.workflow_version
    ADD CONSTRAINT workflow_version_workflow_fk FOREIGN KEY (workflow) REFERENCES pawl.workflow(id);
