-- needs: functions/numbers/conversions
-- needs: functions/numbers/counted
-- needs: functions/numbers/log_marks
-- needs: functions/numbers/particular_goals
-- needs: functions/base/ids

-- Writes down the goals of a version. May run again. Called when a version is made.
create or replace function pawl.keep_goal(p_tenant int, p_workflow int, p_version int, p_definition jsonb) returns void
language sql
begin atomic
    insert into pawl.goal (workflow, version, tenant, event, within_ms, name, particular)
    select p_workflow, p_version, p_tenant, pawl.event_key(g.goal ->> 'event'), pawl.duration_ms(g.goal -> 'within'),
           pawl.event_key(coalesce(g.goal ->> 'name', g.goal ->> 'event')),
           coalesce(nullif(g.goal -> 'filter', 'null'), nullif(g.goal -> 'key', 'null')) is not null
      from jsonb_array_elements(case jsonb_typeof(p_definition -> 'goal')
                                    when 'array' then p_definition -> 'goal'
                                    when 'object' then jsonb_build_array(p_definition -> 'goal')
                                    else '[]' end) as g (goal)
     where jsonb_typeof(g.goal -> 'event') = 'string'
        on conflict do nothing;
end;

-- Trigger on versions: their goals, and whether their workflow counts from now on.
create or replace function pawl.keep_goals() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.keep_goal(w.tenant, w.id, new.version, new.definition) from pawl.workflow w where w.id = new.workflow;
    if pawl.is_journey(new.definition) then
        -- No run can be older than the first version.
        update pawl.workflow w
           set counted_since = '-infinity'
         where w.id = new.workflow and w.counted_since is null
           and not exists (select 1 from pawl.workflow_version v
                            where v.workflow = new.workflow and v.version <> new.version);
        perform pawl.let_count(new.workflow);
    end if;
    return null;
end
$$;

create or replace trigger workflow_version_goals after insert on pawl.workflow_version
for each row execute function pawl.keep_goals();

-- Queues events that are goals for the projector. Called with events that are new in the inbox.
create or replace function pawl.pend_goals(p_bucket smallint, p_id bigint[], p_tenant int[], p_name text[]) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    insert into pawl.goal_pending (bucket, id, tenant)
    select p_bucket, u.id, u.tenant
      from unnest(p_id, p_tenant, p_name) as u (id, tenant, name)
     cross join lateral (
         select 1 from pawl.goal g where g.tenant = u.tenant and g.event = u.name limit 1
     ) as g;
end
$$;

-- Runs with a goal have begun: events that reach it count from now on, and those that came before this was known. The
-- arrays are of one length. Called by count_log.
create or replace function pawl.await_goals(
    p_bucket smallint, p_tenant int[], p_workflow int[], p_version int[], p_run uuid[], p_subject text[],
    p_at timestamptz[]
) returns bigint
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
declare
    v_converted bigint;
begin
    insert into pawl.goal_entry (tenant, workflow, person, run_id, bucket, version, at, until)
    select u.tenant, u.workflow, pawl.person_number(u.subject), u.run_id, p_bucket, u.version, u.at,
           coalesce(max(u.at + make_interval(secs => g.within_ms / 1000.0)), 'infinity')
      from unnest(p_tenant, p_workflow, p_version, p_run, p_subject, p_at)
           as u (tenant, workflow, version, run_id, subject, at)
      join pawl.goal g on g.workflow = u.workflow and g.version = u.version and not g.particular
     group by 1, 2, 3, 4, 6, 7
        on conflict do nothing;
    select pawl.note_conversions(p_bucket, array_agg(u.tenant), array_agg(u.workflow), array_agg(u.version),
                                 array_agg(u.run_id), array_agg(u.subject), array_agg(g.name), array_agg(i.at))
      into v_converted
      from unnest(p_tenant, p_workflow, p_version, p_run, p_subject, p_at)
           as u (tenant, workflow, version, run_id, subject, at)
      join pawl.goal g on g.workflow = u.workflow and g.version = u.version and not g.particular
     cross join lateral (
         select x.at from pawl.inbox x
          where x.tenant = u.tenant and x.name = g.event and x.key = pawl.event_key(u.subject) and x.at >= u.at
            and (g.within_ms is null or x.at < u.at + make_interval(secs => g.within_ms / 1000.0))
          order by x.at limit 1
     ) as i
    having count(*) > 0;
    return v_converted;
end
$$;

-- Looks whose goals p_limit events are, and notes these runs, open or not. Entries whose time is over go. Returns how
-- many events there were. Called by project_funnels.
create or replace function pawl.match_goals(p_bucket smallint, p_limit int) returns bigint
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
declare
    v_id bigint[];
begin
    with gone as (
        delete from pawl.goal_pending p
         where p.bucket = p_bucket
           and p.id = any (array(select x.id from pawl.goal_pending x where x.bucket = p_bucket order by x.id
                                  limit p_limit for update skip locked))
        returning p.id
    )
    select array_agg(g.id) into v_id from gone g;
    if v_id is null then
        return 0;
    end if;
    perform pawl.doubt_goals(p_bucket, v_id);
    perform pawl.note_conversions(p_bucket, array_agg(e.tenant), array_agg(e.workflow), array_agg(e.version),
                                  array_agg(e.run_id), array_agg(i.who), array_agg(g.name), array_agg(i.at))
       from (
           select distinct x.tenant, x.name, x.at, w.who
             from unnest(v_id) as u (id)
             join pawl.inbox x on x.id = u.id and x.bucket + 0 = p_bucket
            cross join lateral (values (x.key), (x.subject)) as w (who)
            where w.who <> ''
       ) as i
       join pawl.goal g on g.tenant = i.tenant and g.event = i.name and not g.particular
       join pawl.goal_entry e on e.bucket = p_bucket and e.tenant = i.tenant and e.workflow = g.workflow
                             and e.version = g.version and e.person = pawl.person_number(i.who) and e.at <= i.at
      where g.within_ms is null or i.at < e.at + make_interval(secs => g.within_ms / 1000.0)
     having count(*) > 0;
    delete from pawl.goal_entry e
     where e.ctid = any (array(select x.ctid from pawl.goal_entry x where x.until < now() - interval '1 day'
                                limit 1000));
    return cardinality(v_id);
end
$$;
