-- needs: functions/journeys/quiet_hours
-- needs: functions/journeys/people
-- needs: functions/base/ids

-- Makes a job for each of these slots of a schedule with an audience, unless the slot has one. Returns the new ones.
-- Called by move_schedule, and for a slot that a caller asks for.
create or replace function pawl.open_audiences(p_schedule pawl.schedule, p_slot timestamptz[]) returns uuid[]
language plpgsql set search_path = pg_catalog as $$
declare
    v_new uuid[];
begin
    with fresh as (
        insert into pawl.job (id, tenant, kind, filter, total, schedule, slot, request)
        select pawl.uuid7(), (p_schedule).tenant, 'audience', jsonb_build_object('workflow', w.name), 0,
               (p_schedule).id, s.slot, jsonb_strip_nulls(jsonb_build_object(
                   'action', 'enter', 'workflow', (p_schedule).workflow, 'query', (p_schedule).audience,
                   'timezone', (p_schedule).timezone, 'local_time', (p_schedule).local_time))
          from unnest(p_slot) as s (slot)
          join pawl.workflow w on w.id = (p_schedule).workflow
            on conflict (schedule, slot) where schedule is not null do nothing
        returning id
    )
    select coalesce(array_agg(f.id), '{}') into v_new from fresh f;
    perform pg_notify('pawl_wake', 'jobs');
    return v_new;
end
$$;

-- Begins to read an audience, perhaps once more after a crash: those that were read stay, and count once.
create or replace function pawl.begin_audience(p_job uuid, p_lease interval) returns setof pawl.job
language sql
begin atomic
    update pawl.job j
       set total = j.total - j.failed, failed = 0, examples = '[]', lease_until = now() + p_lease, updated_at = now()
     where j.id = p_job and j.status = 'running'
    returning j.*;
end;

-- Takes some rows of an audience in. Those without a subject, or with one that is too long, are counted as failed.
-- Locks the job. Returns it as it is then; nothing was done if it does not run any more.
create or replace function pawl.add_audience(p_job uuid, p_subject text[], p_data jsonb[], p_lease interval)
returns setof pawl.job
language plpgsql set search_path = pg_catalog as $$
declare
    v_job pawl.job;
    v_added bigint;
    v_wrong jsonb;
begin
    select j.* into v_job from pawl.job j where j.id = p_job for no key update;
    if found and v_job.status = 'running' then
        insert into pawl.audience_member (job, tenant, subject, data)
        select p_job, v_job.tenant, u.subject,
               case when pawl.is_readable(u.data) then u.data else pawl.readable_part(u.data) end
          from unnest(p_subject, p_data) as u (subject, data)
         where octet_length(u.subject) between 1 and 500
            on conflict do nothing;
        get diagnostics v_added = row_count;
        select jsonb_agg(jsonb_build_object('subject', left(u.subject, 50), 'problem', case
                   when coalesce(u.subject, '') = '' then 'the row has no subject'
                   else 'the subject has more than 500 bytes' end)) into v_wrong
          from unnest(p_subject) as u (subject)
         where u.subject is null or octet_length(u.subject) not between 1 and 500;
        return query
        update pawl.job j
           set total = j.total + v_added + coalesce(jsonb_array_length(v_wrong), 0),
               failed = j.failed + coalesce(jsonb_array_length(v_wrong), 0),
               examples = pawl.first_examples(j.examples, v_wrong), lease_until = now() + p_lease, updated_at = now()
         where j.id = p_job
        returning j.*;
    elsif v_job.id is not null then
        return next v_job;
    end if;
end
$$;

-- The audience is read: from now on its runs are started.
create or replace function pawl.end_audience(p_job uuid) returns setof pawl.job
language sql
begin atomic
    update pawl.job j
       set request = j.request || '{"read": true}', updated_at = now()
     where j.id = p_job and j.status = 'running'
    returning j.*;
end;

-- Examples of a job with some more, ten at most.
create or replace function pawl.first_examples(p_there jsonb, p_more jsonb) returns jsonb
language sql immutable parallel safe
return coalesce(jsonb_path_query_array(p_there || coalesce(p_more, '[]'), '$[0 to 9]'), '[]');

-- The key that lets an audience start one run for a subject and slot only.
create or replace function pawl.audience_key(p_schedule int, p_slot timestamptz, p_subject text) returns text
language sql stable parallel safe
return 'audience:' || p_schedule || ':' || to_char(p_slot at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ':'
       || case when octet_length(p_subject) <= 300 then p_subject else 'md5:' || md5(p_subject) end;

-- When the clock of a zone shows p_time next, at p_slot or later. The wall clock counts: a time that the clock leaps
-- over is as many minutes after the leap, and of one that comes twice the second counts. p_zone: one the server knows.
create or replace function pawl.next_local_time(p_slot timestamptz, p_time text, p_zone text) returns timestamptz
language sql stable parallel safe
return (
    select case when today.at >= p_slot then today.at
                else (l.day + interval '1 day' + p_time::interval) at time zone p_zone end
      from (select date_trunc('day', p_slot at time zone p_zone) as day) as l
     cross join lateral (select (l.day + p_time::interval) at time zone p_zone as at) as today
);

-- When the runs of these subjects begin: each where their own clock shows the local time of the audience, or all at
-- once (null). The zone is that of the row, else of the person, else of the trigger.
create or replace function pawl.audience_times(p_job pawl.job, p_subject text[], p_data jsonb[]) returns timestamptz[]
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_time text := (p_job).request ->> 'local_time';
    v_default text := coalesce((p_job).request ->> 'timezone', 'UTC');
    v_zone text[];
begin
    if v_time is null then
        return array_fill(null::timestamptz, array[cardinality(p_subject)]);
    end if;
    v_zone := array(select u.data ->> 'timezone' from unnest(p_data) with ordinality as u (data, n) order by u.n);
    if array_position(v_zone, null) is not null then
        select array_agg(coalesce(z.zone, p.person ->> 'timezone') order by z.n) into v_zone
          from unnest(v_zone) with ordinality as z (zone, n)
          left join pawl.read_persons(array_fill((p_job).tenant, array[cardinality(p_subject)]), p_subject) as p
                 on p.place = z.n;
    end if;
    return array(
        select k.at
          from unnest(v_zone) with ordinality as z (zone, n)
          join (
              select d.zone, pawl.next_local_time((p_job).slot, v_time, pawl.known_zone(d.zone, v_default)) as at
                from (select distinct u.zone from unnest(v_zone) as u (zone)) as d
          ) as k on k.zone is not distinct from z.zone
         order by z.n
    );
end
$$;
