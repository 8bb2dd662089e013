-- needs: functions/numbers/conversions
-- needs: functions/numbers/log_marks

-- What the logs of runs say about their goals: keys and filters as they were at the start. `at`: the start.
create or replace function pawl.watched_goals(p_bucket smallint, p_run uuid[])
returns table (
    run_id uuid, goal text, tenant int, workflow int, version int, key text, by_person boolean, filter jsonb,
    at timestamptz
)
language plpgsql stable set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    select u.run_id, pawl.event_key(g.goal ->> 'handle'), w.tenant, w.id, (b.data ->> 'version')::int,
           pawl.event_key(g.goal ->> 'key'), coalesce(g.goal ->> 'key' = b.data ->> 'subject', false),
           nullif(g.goal -> 'filter', 'null'), b.at
      from unnest(p_run) as u (run_id)
     cross join lateral (
         select e.at, e.data from pawl.event e where e.bucket = p_bucket and e.run_id = u.run_id and e.seq = 0 offset 0
     ) as b
      join pawl.workflow w on w.id = (b.data ->> 'workflow')::int
     cross join lateral (
         select e.data -> 'goals' as goals
           from pawl.event e
          where e.bucket = p_bucket and e.run_id = u.run_id and e.type = 3 and e.node is null and e.data ? 'goals'
          order by e.seq limit 1
     ) as s
     cross join lateral jsonb_array_elements(
         case jsonb_typeof(s.goals) when 'array' then s.goals else '[]' end
     ) as g (goal)
     where g.goal ->> 'key' is not null;
end
$$;

-- Runs have begun whose logs say what their goals hang on: such events count from the start of the run on, and those
-- that have come are looked at. Called by count_log.
create or replace function pawl.watch_goals(p_bucket smallint, p_run uuid[]) returns bigint
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
declare
    v_doubts bigint;
begin
    with watch as (
        insert into pawl.goal_watch
            (bucket, run_id, goal, tenant, workflow, version, event, key, by_person, filter, at, until)
        select p_bucket, w.run_id, g.name, w.tenant, w.workflow, w.version, g.event, pawl.person_number(w.key),
               w.by_person, w.filter, w.at, coalesce(w.at + make_interval(secs => g.within_ms / 1000.0), 'infinity')
          from pawl.watched_goals(p_bucket, p_run) as w
          join pawl.goal g on g.workflow = w.workflow and g.version = w.version and g.particular and g.name = w.goal
            on conflict do nothing
        returning run_id, goal, tenant, event, key, at, until
    )
    insert into pawl.goal_doubt (bucket, run_id, goal, id, tenant)
    select p_bucket, w.run_id, w.goal, i.id, w.tenant
      from watch w
      join pawl.watched_goals(p_bucket, p_run) as k on k.run_id = w.run_id and k.goal = w.goal
     cross join lateral (
         select x.id from pawl.inbox x
          where x.tenant = w.tenant and x.name = w.event and x.key = k.key and x.at >= w.at and x.at < w.until
          order by x.at limit 100
     ) as i
        on conflict do nothing;
    get diagnostics v_doubts = row_count;
    return v_doubts;
end
$$;

-- Notes events that may be goals of runs that hang on more than their person. Watches whose time is over go. Called by
-- match_goals, with its settings.
create or replace function pawl.doubt_goals(p_bucket smallint, p_id bigint[]) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    insert into pawl.goal_doubt (bucket, run_id, goal, id, tenant)
    select distinct p_bucket, w.run_id, w.goal, i.id, w.tenant
      from (
          select x.id, x.tenant, x.name, x.at, pawl.person_number(k.key) as key, k.is_subject
            from unnest(p_id) as u (id)
            join pawl.inbox x on x.id = u.id and x.bucket + 0 = p_bucket
           cross join lateral (values (x.key, false), (x.subject, true)) as k (key, is_subject)
           where k.key is not null
      ) as i
      join pawl.goal_watch w on w.tenant = i.tenant and w.event = i.name and w.key = i.key
                            and (w.by_person or not i.is_subject) and w.bucket + 0 = p_bucket
     where i.at >= w.at and i.at < w.until
        on conflict do nothing;
    delete from pawl.goal_watch w
     where w.ctid = any (array(select x.ctid from pawl.goal_watch x where x.until < now() - interval '1 day'
                                limit 1000));
end
$$;

-- Says which of the doubts are goals (p_passes) and which are not; a run that has reached its goal is not watched for
-- it any more. The arrays are of one length. Called by the projector.
create or replace function pawl.settle_doubts(
    p_bucket smallint, p_run uuid[], p_goal text[], p_id bigint[], p_passes boolean[]
) returns bigint
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
declare
    v_converted bigint;
begin
    select pawl.note_conversions(p_bucket, array_agg(w.tenant), array_agg(w.workflow), array_agg(w.version),
                                 array_agg(w.run_id), array_agg(b.subject), array_agg(w.goal), array_agg(x.at))
      into v_converted
      from unnest(p_run, p_goal, p_id, p_passes) as u (run_id, goal, id, passes)
      join pawl.goal_watch w on w.bucket = p_bucket and w.run_id = u.run_id and w.goal = u.goal
      join pawl.inbox x on x.id = u.id
     cross join lateral (
         select e.data ->> 'subject' as subject
           from pawl.event e where e.bucket = p_bucket and e.run_id = u.run_id and e.seq = 0
         offset 0
     ) as b
     where u.passes
    having count(*) > 0;
    delete from pawl.goal_watch w
     using unnest(p_run, p_goal, p_passes) as u (run_id, goal, passes)
     where w.bucket = p_bucket and w.run_id = u.run_id and w.goal = u.goal and u.passes;
    delete from pawl.goal_doubt d
     using unnest(p_run, p_goal, p_id) as u (run_id, goal, id)
     where d.bucket = p_bucket and d.run_id = u.run_id and d.goal = u.goal and d.id = u.id;
    return coalesce(v_converted, 0);
end
$$;
