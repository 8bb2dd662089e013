-- needs: functions/journeys/conditions
-- needs: functions/journeys/people

-- pawl.start_runs for workflows with rules of entry. p_reentry: a subject may enter once (1), only while it has no open
-- run of it (2), that many milliseconds after it last entered (1000 and more), or always (0); null: no rule is for the
-- run. A run that may not start is returned with the one in its way, as with a taken correlation key, and without one
-- where its person does not meet enter_if (pawl.kept_out).
create or replace function pawl.start_guarded_runs(
    p_bucket smallint, p_worker uuid, p_resend boolean,
    p_run uuid[], p_tenant int[], p_workflow int[], p_version int[], p_subject text[], p_priority smallint[],
    p_due timestamptz[], p_data jsonb[], p_correlation text[], p_lease boolean[], p_reentry bigint[],
    p_flow jsonb[] default null
) returns table (requested uuid, existing uuid)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
declare
    v_skip uuid[] := '{}';
    v_kept_out uuid[];
    v_row record;
begin
    -- A start that happened already is not in its own way, whatever became of its run.
    for requested, existing in
        select h.requested, h.existing from pawl.held_keys(p_bucket, p_run, p_tenant, p_workflow, p_correlation) as h
    loop
        v_skip := v_skip || requested;
        return next;
    end loop;
    v_kept_out := pawl.kept_out(p_run, p_tenant, p_workflow, p_version, p_subject, p_reentry, v_skip);
    if v_kept_out is not null then
        v_skip := v_skip || v_kept_out;
        return query select u.id, null::uuid from unnest(v_kept_out) as u (id);
    end if;
    -- One after the other and in order: of two new runs of one subject the second finds the first, and two such
    -- transactions do not deadlock.
    for v_row in
        select u.run_id, u.tenant, u.workflow, u.subject, u.reentry
          from unnest(p_run, p_tenant, p_workflow, p_subject, p_reentry)
               as u (run_id, tenant, workflow, subject, reentry)
         where u.reentry > 0 and u.subject is not null and u.run_id <> all (v_skip)
         order by u.tenant, u.workflow, u.subject, u.run_id
    loop
        existing := pawl.take_reentry(
            p_bucket, v_row.tenant, v_row.workflow, v_row.subject, v_row.run_id, v_row.reentry, p_run
        );
        continue when existing is null;
        requested := v_row.run_id;
        v_skip := v_skip || requested;
        return next;
    end loop;
    return query
    select s.requested, s.existing
      from (
          select array_agg(u.run_id order by u.place) as run, array_agg(u.tenant order by u.place) as tenant,
                 array_agg(u.workflow order by u.place) as workflow, array_agg(u.version order by u.place) as version,
                 array_agg(u.subject order by u.place) as subject, array_agg(u.priority order by u.place) as priority,
                 array_agg(u.due order by u.place) as due, array_agg(u.data order by u.place) as data,
                 array_agg(u.key order by u.place) as key, array_agg(u.lease order by u.place) as lease,
                 array_agg(u.flow order by u.place) as flow
            from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_data, p_correlation,
                        p_lease, p_flow) with ordinality
                 as u (run_id, tenant, workflow, version, subject, priority, due, data, key, lease, flow, place)
           where u.run_id <> all (v_skip)
      ) as left_over
     cross join lateral pawl.start_runs(
         p_bucket, p_worker, p_resend, left_over.run, left_over.tenant, left_over.workflow, left_over.version,
         left_over.subject, left_over.priority, left_over.due, left_over.data,
         case when p_correlation is not null then left_over.key end, left_over.lease,
         case when p_flow is not null then left_over.flow end
     ) as s
     where left_over.run is not null;
end
$$;

-- Lets a run enter its workflow for its subject. Returns the run that is in its way, or null: with p_reentry 1 the
-- first run is, with 2 as long as it is open, with more for that many milliseconds. p_batch: the runs that are started
-- by the same call. Locks the row of the subject, and waits for it. Called by start_guarded_runs, with its settings.
create or replace function pawl.take_reentry(
    p_bucket smallint, p_tenant int, p_workflow int, p_subject text, p_run uuid, p_reentry bigint, p_batch uuid[]
) returns uuid
language plpgsql set search_path = pg_catalog as $$
declare
    v_first uuid;
    v_at timestamptz;
begin
    insert into pawl.reentry (bucket, tenant, workflow, subject, run_id)
    values (p_bucket, p_tenant, p_workflow, p_subject, p_run)
        on conflict do nothing;
    if found then
        return null;
    end if;
    select r.run_id, r.at into v_first, v_at
      from pawl.reentry r
     where r.bucket = p_bucket and r.tenant = p_tenant and r.workflow = p_workflow and r.subject = p_subject
       for no key update;
    if p_reentry > 1 and v_first <> p_run and v_first <> all (p_batch)
        and (p_reentry > 2 and v_at <= now() - p_reentry * interval '1 ms' or p_reentry = 2
             and not exists (select 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = v_first))
    then
        update pawl.reentry r
           set run_id = p_run, at = now()
         where r.bucket = p_bucket and r.tenant = p_tenant and r.workflow = p_workflow and r.subject = p_subject;
        return null;
    end if;
    return nullif(v_first, p_run);
end
$$;

-- Those of some runs whose person does not meet what their version asks (enter_if); null: none. A person who is not
-- known does not, nor a run without a subject. p_reentry null: the rules of entry are not for the run. p_skip: runs
-- that need not be looked at. Called by start_guarded_runs.
create or replace function pawl.kept_out(
    p_run uuid[], p_tenant int[], p_workflow int[], p_version int[], p_subject text[], p_reentry bigint[],
    p_skip uuid[]
) returns uuid[]
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_run uuid[];
    v_path jsonpath[];
    v_tenant int[];
    v_subject text[];
begin
    select array_agg(u.run_id order by u.place), array_agg(r.path order by u.place),
           array_agg(u.tenant order by u.place), array_agg(u.subject order by u.place)
      into v_run, v_path, v_tenant, v_subject
      from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_reentry) with ordinality
           as u (run_id, tenant, workflow, version, subject, reentry, place)
      join (
          select v.workflow, v.version, pawl.conditions_path(v.definition -> 'enter_if') as path
            from (select distinct d.workflow, d.version from unnest(p_workflow, p_version) as d (workflow, version))
                 as d
            join pawl.workflow_version v on v.workflow = d.workflow and v.version = d.version
           where jsonb_typeof(v.definition -> 'enter_if') = 'object'
          offset 0
      ) as r on r.workflow = u.workflow and r.version = u.version and r.path is not null
     where u.reentry is not null and u.run_id <> all (p_skip);
    if v_run is null then
        return null;
    end if;
    return (
        select array_agg(u.run_id)
          from unnest(v_run, v_path) with ordinality as u (run_id, path, place)
          left join pawl.read_persons(v_tenant, v_subject) as p on p.place = u.place
         where not coalesce(jsonb_path_match(p.person, u.path, '{}', true), false)
    );
end
$$;

-- Those of some runs whose correlation key another run has, with that run. Called by start_guarded_runs, with its
-- settings.
create or replace function pawl.held_keys(
    p_bucket smallint, p_run uuid[], p_tenant int[], p_workflow int[], p_correlation text[]
) returns table (requested uuid, existing uuid)
language plpgsql stable set search_path = pg_catalog as $$
begin
    return query
    select u.run_id, held.run_id
      from unnest(p_run, p_tenant, p_workflow, p_correlation) as u (run_id, tenant, workflow, key)
     cross join lateral (
         select c.run_id
           from pawl.correlation c
          where c.bucket = p_bucket and c.tenant = u.tenant and c.workflow = u.workflow and c.key = u.key
         offset 0
     ) as held
     where held.run_id <> u.run_id;
end
$$;
