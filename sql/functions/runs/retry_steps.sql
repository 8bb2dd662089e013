-- needs: functions/versions/steps

-- The steps of retry_runs. retry_runs alone calls them, as its owner and with its planner settings, after it has locked
-- the old runs. p_old[i] is the closed run, p_new[i] the one that goes on with it.

-- The nodes of a run, each after the number of the version and a space, after whose failure the run goes on.
create or replace function pawl.nodes_that_continue(p_bucket smallint, p_run uuid, p_version int[]) returns text[]
language sql stable
return array(
    select v.version || ' ' || coalesce(n.node ->> 'id', n.node ->> 'name')
      from pawl.run c
      join pawl.workflow_version v on v.workflow = c.workflow
     cross join lateral jsonb_array_elements(pawl.steps_of(v.definition)) as n (node)
     where c.bucket = p_bucket and c.run_id = p_run and v.version = any (p_version)
       and n.node ->> 'on_failure' = 'continue'
);

-- The events of the old runs that the new ones keep, each with its place in the new log. `anew`: what the run did was
-- undone, so it begins anew, in `version`. `copied`: how many events of the old log the new one begins with. `seqs`:
-- their numbers in the old log, for an event 0 that has owners.
create or replace function pawl.events_kept(p_bucket smallint, p_old uuid[], p_new uuid[])
returns table (
    old uuid, new uuid, type smallint, at timestamptz, attempt smallint, node text, data jsonb, error jsonb, token int,
    anew boolean, began_at timestamptz, version int, place bigint, copied bigint, seqs int[]
)
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
    return query
    select u.old, u.new, e.type, e.at, e.attempt, e.node, e.data, e.error, e.token,
           e.undone and not e.resumes as anew, e.began_at,
           parts.versions[cardinality(parts.versions)] as version,
           row_number() over (partition by u.new order by e.seq) - 1 as place,
           count(*) over (partition by u.new) - case when e.resumes then 0 else 1 end as copied,
           case when e.type = 0 and e.data ? 'owners'
                then array_agg(e.seq) over (partition by u.new) end as seqs
      from unnest(p_old, p_new) as u (old, new)
     cross join lateral (
         -- The versions that the run has had: from which event on, and their names for the nodes before.
         select array_agg(p.seq order by p.seq) as seqs,
                array_agg((p.data ->> 'version')::int order by p.seq) as versions,
                array_agg(coalesce(p.data -> 'map', '{}') order by p.seq) as maps
           from pawl.event p
          where p.bucket = p_bucket and p.run_id = u.old
            and (p.seq = 0 or p.type = 18 and not p.data ? 'refused')
         offset 0
     ) as parts
     cross join lateral (
         select pawl.nodes_that_continue(p_bucket, u.old, parts.versions) as nodes offset 0
     ) as continuing
     cross join lateral (
         -- Whether the visit of the node came to an end at this event or later: it completed, or gave up and the
         -- run went on. The node may have got another name in between.
         select f.*,
                bool_or(
                    f.type in (1, 7, 16)
                    or f.type = 2 and f.data -> 'retry_at' is null
                    and (parts.versions[width_bucket(f.seq, parts.seqs)] || ' ' || f.node = any (continuing.nodes)
                         or f.data ?| array['caught', 'withdrawn'])
                ) over (
                    partition by pawl.name_later(f.node, parts.maps[width_bucket(f.seq, parts.seqs) + 1 :]),
                                 f.token
                        order by f.seq desc
                ) as finished,
                min(f.at) filter (where f.type = 0) over () as began_at,
                bool_or(f.type = 14) over () as undone,
                bool_or(f.type in (5, 6) and f.error ? 'not_undone') over () as resumes
           from pawl.event f
          where f.bucket = p_bucket and f.run_id = u.old
         offset 0
     ) as e
     where e.type not in (4, 5, 6)
       -- One that could not undo everything goes on with that.
       and (e.resumes
            -- What was undone must be done again: such a run begins anew, in the version it had at last.
            or e.type <> 20 and (e.type <> 2 or e.finished) and (not e.undone or e.type = 0)
            -- Children, callbacks and locks answer the old run and do not know the new one: it asks again.
            and (e.type <> 3 or coalesce(e.data ->> 'for', '') not in ('child', 'callback', 'lock'))
            -- A wait that was not over begins anew with all of its time, and a person is asked anew. What ends
            -- the run has no node.
            and (e.finished or e.node is null or e.type <> 11
                 and (e.type <> 3 or coalesce(e.data ->> 'for', '') not in ('event', 'signal', 'task')))
            and (e.type <> 10 or e.data ->> 'kind' not in ('child', 'callback', 'lock', 'task')));
end
$$;

-- Writes the logs of the new runs: the events that are kept, with event 0 and deadlines as the new run needs them.
create or replace function pawl.copy_logs(p_bucket smallint, p_old uuid[], p_new uuid[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select kept.new, case when kept.type = 0 then now() else kept.at end, kept.place, p_bucket, kept.type,
           kept.attempt, kept.node,
           case when kept.type = 0
                then kept.data - 'start_at' - 'caller'
                     - case when kept.anew then array['released', 'branch_run'] else '{}' end
                     || jsonb_build_object('parent', kept.old, 'retry_of', kept.old, 'copied', kept.copied,
                                           'triggered_by', 'retry',
                                           -- Whose steps it tries again: they keep their keys.
                                           'first_run', coalesce(kept.data -> 'first_run', to_jsonb(kept.old)))
                     -- What a plan was told stays so.
                     || jsonb_build_object('started_at', coalesce(kept.data ->> 'started_at', pawl.rfc3339(kept.at)))
                     -- What was undone is something new.
                     || case when kept.anew
                             then jsonb_build_object('version', kept.version, 'anew_run', kept.new) else '{}' end
                     || pawl.owners_moved(kept.data, kept.seqs)
                when kept.type = 15 then pawl.deadline_moved(kept.data, greatest(kept.at, kept.began_at))
                else kept.data end,
           kept.error, kept.token
      from pawl.events_kept(p_bucket, p_old, p_new) as kept;
end
$$;

-- Has runs that could not undo everything go on with that: an event that says what is left, after the copied log.
create or replace function pawl.resume_undo(p_bucket smallint, p_old uuid[], p_new uuid[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select u.new, now(), l.seq, p_bucket, 14, 0, null,
           jsonb_strip_nulls(jsonb_build_object(
               'status', case when l.type = 6 then 'cancelled' when l.code = 'compensation_failed' then 'completed'
                              else 'failed' end,
               'reason', l.reason, 'undo', l.undo
           )),
           case when l.type = 5 and l.code <> 'compensation_failed' then l.error - 'not_undone' end, 0
      from unnest(p_old, p_new) as u (old, new)
     cross join lateral (
         select f.type, f.error, f.error ->> 'code' as code, f.data ->> 'reason' as reason,
                (select count(*) from pawl.event c where c.bucket = p_bucket and c.run_id = u.new) as seq,
                (select jsonb_agg(n.one -> 'record' order by (n.one ->> 'record')::bigint)
                   from jsonb_array_elements(f.error -> 'not_undone') as n (one)) as undo
           from pawl.event f
          where f.bucket = p_bucket and f.run_id = u.old and f.type in (5, 6) and f.error ? 'not_undone'
         offset 0
     ) as l;
end
$$;

-- Writes the rows of the new runs, ready now, with the priority and the gates of the old ones.
create or replace function pawl.insert_retried_runs(p_bucket smallint, p_tenant int, p_old uuid[], p_new uuid[])
returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into pawl.live_run
        (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
    select u.new, now(), p_tenant, r.workflow, r.version, p_bucket, 0, coalesce(r.priority, 0), r.subject, r.flow,
           case when r.flow is not null then 2 end
      from unnest(p_old, p_new) as u (old, new)
     cross join lateral (
         select c.workflow, c.version, c.subject,
                (select (e.data ->> 'priority')::smallint
                   from pawl.event e
                  where e.bucket = p_bucket and e.run_id = u.old and e.seq = 0) as priority,
                (select (e.data -> 'flow') - 'gather'
                   from pawl.event e
                  where e.bucket = p_bucket and e.run_id = u.old and e.seq = 0) as flow
           from pawl.run c
          where c.bucket = p_bucket and c.run_id = u.old
         offset 0
     ) as r;
end
$$;
