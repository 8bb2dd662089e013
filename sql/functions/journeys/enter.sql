-- needs: functions/versions/input
-- needs: functions/journeys/audience
-- needs: functions/sql_api/start_many

-- Starts the runs of some subjects of an audience with one version; all arrays are of one length. Returns how many
-- entered, had a run already (existing), may not enter (kept_out) or could not (failed), and examples of the last.
create or replace function pawl.enter_version(
    p_bucket smallint, p_head pawl.definition, p_job pawl.job, p_subject text[], p_data jsonb[],
    p_start_at timestamptz[]
) returns jsonb
language plpgsql set search_path = pg_catalog as $$
declare
    v_definition jsonb := (select v.definition from pawl.workflow_version v
                            where v.workflow = (p_head).workflow and v.version = (p_head).version);
    v_needs record := pawl.needed_input(v_definition);
    v_schema jsonb := nullif(v_definition -> 'input_schema', 'null');
    v_test jsonpath := pawl.schema_test(v_schema);
    v_fit record;
    v_counts jsonb;
    v_wrong jsonb;
begin
    select array_agg(u.subject) as subject, array_agg(u.data) as data, array_agg(u.start_at) as start_at,
           array_agg(pawl.audience_key((p_job).schedule, (p_job).slot, u.subject)) as key
      into v_fit
      from unnest(p_subject, p_data, p_start_at) as u (subject, data, start_at)
     where v_needs.problem is null and pawl.has_input(u.data, v_needs.path)
       and case when v_schema is not null then pawl.fits(v_schema, u.data, v_test) else true end;
    if cardinality(v_fit.subject) is distinct from cardinality(p_subject) then
        select jsonb_agg(jsonb_build_object('subject', left(u.subject, 50), 'problem', u.problem)) into v_wrong
          from (
              select u.subject, pawl.input_problem(v_definition, u.data) as problem
                from unnest(p_subject, p_data) as u (subject, data)
               where v_fit.subject is null or u.subject <> all (v_fit.subject)
               limit 10
          ) as u;
    end if;
    if v_fit.subject is not null then
        select jsonb_build_object('entered', count(*) filter (where u.created),
                                  'existing', count(*) filter (where not u.created and u.run_id is not null),
                                  'kept_out', count(*) filter (where u.run_id is null))
          into v_counts
          from pawl.start_checked(
              p_bucket, p_head, v_definition, v_fit.data, v_fit.key, v_fit.subject,
              array_fill(0::smallint, array[cardinality(v_fit.subject)]), v_fit.start_at, 'audience'
          ) as s
         cross join lateral (
             select r.id as run_id, coalesce(s.created[r.n], true) as created
               from unnest(s.run_id) with ordinality as r (id, n)
         ) as u;
    end if;
    return coalesce(v_counts, '{}') || jsonb_build_object(
        'failed', cardinality(p_subject) - coalesce(cardinality(v_fit.subject), 0), 'examples', v_wrong);
end
$$;

-- What is missing in the data of a start, or does not fit, as a sentence; null: nothing.
create or replace function pawl.input_problem(p_definition jsonb, p_data jsonb) returns text
language sql immutable parallel safe
return (
    select coalesce(m.problem, case when m.fields || m.variables <> '{}'
                                    then 'Missing: ' || pawl.first_names(m.fields || m.variables) end,
                    (select u.message
                       from pawl.unfit_input(nullif(p_definition -> 'input_schema', 'null'), p_data) as u))
      from pawl.missing_input(p_definition, p_data) as m
);

-- Starts the runs of some subjects of an audience, each with the version that its share of the starts gives it. Returns
-- the job with what was done.
create or replace function pawl.enter_members(
    p_bucket smallint, p_head pawl.definition, p_job pawl.job, p_subject text[], p_data jsonb[]
) returns pawl.job
language plpgsql set search_path = pg_catalog as $$
declare
    v_head pawl.definition := p_head;
    v_share record;
begin
    for v_share in
        select c.version, array_agg(c.subject) as subject, array_agg(c.data) as data, array_agg(c.at) as at
          from (
              select u.subject, u.data, u.at, case when (p_head).canary is null then (p_head).version else
                         pawl.choose_version((p_head).workflow, (p_head).version, (p_head).canary, u.subject) end
                     as version
                from unnest(p_subject, p_data, pawl.audience_times(p_job, p_subject, p_data)) as u (subject, data, at)
          ) as c
         group by c.version
         order by c.version
    loop
        v_head.version := v_share.version;
        p_job := pawl.add_counts(
            p_job, pawl.enter_version(p_bucket, v_head, p_job, v_share.subject, v_share.data, v_share.at),
            cardinality(v_share.subject)
        );
    end loop;
    return p_job;
end
$$;

-- The next subjects of an audience, in their order.
create or replace function pawl.next_members(p_job pawl.job, p_limit int, out subject text[], out data jsonb[])
language sql stable
begin atomic
    select array_agg(m.subject order by m.subject), array_agg(m.data order by m.subject)
      from (
          select m.subject, m.data from pawl.audience_member m
           where m.job = (p_job).id and m.subject > coalesce((p_job).cursor_text, '')
           order by m.job, m.subject
           limit p_limit
      ) as m;
end;

-- Starts the runs of the next p_limit subjects of an audience that was read, and notes that, in one transaction. A
-- tenant that may not start as many now waits for a second, and the job says so in `error`. Locks the job. Returns it
-- as it is then.
create or replace function pawl.enter_audience(p_job uuid, p_limit int, p_lease interval) returns setof pawl.job
language plpgsql set search_path = pg_catalog as $$
declare
    v_job pawl.job;
    v_tenant pawl.tenant;
    v_head pawl.definition;
    v_next record;
begin
    select j.* into v_job from pawl.job j where j.id = p_job for no key update;
    if not found then
        return;
    end if;
    select t.* into v_tenant from pawl.tenant t where t.id = v_job.tenant;
    select d.* into v_head from pawl.definition d where d.workflow = (v_job.request ->> 'workflow')::int;
    v_next := pawl.next_members(v_job, least(p_limit, v_tenant.starts_per_second_max));
    if v_job.status <> 'running' then
        return next v_job;
        return;
    elsif v_head.workflow is null or not v_head.active then
        v_job.status := 'failed';
        v_job.error := 'the workflow is not active any more';
    elsif v_next.subject is null then
        v_job.status := 'done';
        v_job.error := null;
        delete from pawl.audience_member m where m.job = p_job;
    else
        begin
            perform pawl.check_limits(v_tenant, cardinality(v_next.subject), null);
            v_job := pawl.enter_members(v_tenant.bucket, v_head, v_job, v_next.subject, v_next.data);
            -- Not from the beginning: the rows that are gone would be passed over again each time.
            delete from pawl.audience_member m
             where m.job = p_job and m.subject >= v_next.subject[1]
               and m.subject <= v_next.subject[cardinality(v_next.subject)];
            v_job.cursor_text := v_next.subject[cardinality(v_next.subject)];
            v_job.error := null;
        exception when configuration_limit_exceeded then
            v_job.error := 'it waits: ' || sqlerrm;
            p_lease := '1 second';
        end;
    end if;
    return query
    update pawl.job j
       set status = v_job.status, error = v_job.error, done = v_job.done, failed = v_job.failed, counts = v_job.counts,
           examples = v_job.examples, cursor_text = v_job.cursor_text, lease_until = now() + p_lease, updated_at = now()
     where j.id = p_job
    returning j.*;
end
$$;

-- A job with what one part of it did to so many subjects.
create or replace function pawl.add_counts(p_job pawl.job, p_part jsonb, p_subjects int) returns pawl.job
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_failed int := (p_part ->> 'failed')::int;
begin
    p_job.done := p_job.done + p_subjects - v_failed;
    p_job.failed := p_job.failed + v_failed;
    p_job.examples := pawl.first_examples(p_job.examples, nullif(p_part -> 'examples', 'null'));
    p_job.counts := (
        select jsonb_object_agg(n.name, coalesce((p_job.counts ->> n.name)::bigint, 0)
                                        + coalesce((p_part ->> n.name)::bigint, 0))
          from unnest(array['entered', 'existing', 'kept_out']) as n (name)
    );
    return p_job;
end
$$;

-- Removes up to p_limit rows of an audience whose job was stopped; returns how many.
create or replace function pawl.purge_audiences(p_limit int) returns bigint
language plpgsql set search_path = pg_catalog as $$
declare
    v_job uuid := (
        select j.id from pawl.job j
         where j.kind = 'audience' and j.status in ('done', 'failed', 'cancelled')
           and exists (select 1 from pawl.audience_member m where m.job = j.id)
         limit 1
    );
    v_gone bigint;
begin
    delete from pawl.audience_member m
     where m.job = v_job and m.subject in (
               select x.subject from pawl.audience_member x where x.job = v_job order by x.subject limit p_limit);
    get diagnostics v_gone = row_count;
    return v_gone;
end
$$;
