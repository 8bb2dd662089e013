-- For each closed run p_run[i] that failed or was cancelled: a new run p_new[i] that goes on where the old one stopped.
-- Its log is that of the old one without the end of the run and without the failures of a step that never finished, so
-- that this step is next and begins with its first attempt; failures after which the run had gone on stay. Times stay
-- too, except that the new run begins now, and with it its timeout. The new run passes the gates of the old one again.
-- The old run keeps the id of the new one, and is not retried a second time. Returns for each run its status ('' when
-- the tenant has none) and the run that continues it. Locks the rows of pawl.run, in order. Planned for each call:
-- batches are large and rare, and a plan made for a small table would last.
create or replace function pawl.retry_runs(p_bucket smallint, p_tenant int, p_run uuid[], p_new uuid[])
returns table (run_id uuid, status text, retried_as uuid, created boolean)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
declare
    v_old uuid[] := '{}';
    v_new uuid[] := '{}';
begin
    perform pawl.require_tenant(p_tenant);
    -- The row of the old run is the lock: of two retries one waits and then sees the other's run. Ordered, so that two
    -- batches do not wait for each other.
    for run_id, status, retried_as, created in
        select u.old,
               coalesce(pawl.run_status_name(r.status),
                        case when l.state is null then '' else pawl.open_status_name(l.state, l.due_at) end),
               r.retried_as, r.status in (2, 3) and r.retried_as is null
          from (select distinct on (x.old) x.old from unnest(p_run) as x (old) order by x.old) as u
          left join lateral (
              select c.status, c.retried_as
                from pawl.run c
               where c.bucket = p_bucket and c.run_id = u.old and c.tenant = p_tenant
                 for no key update
          ) as r on true
          left join lateral (
              select o.state, o.due_at
                from pawl.live_run o
               where o.bucket = p_bucket and o.run_id = u.old and o.tenant = p_tenant
              offset 0
          ) as l on true
    loop
        created := coalesce(created, false);
        if created then
            retried_as := p_new[array_position(p_run, run_id)];
            v_old := v_old || run_id;
            v_new := v_new || retried_as;
        end if;
        return next;
    end loop;
    if cardinality(v_old) = 0 then
        return;
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select kept.new, case when kept.type = 0 then now() else kept.at end, kept.place, p_bucket, kept.type,
           kept.attempt, kept.node,
           case when kept.type = 0
                then kept.data - 'start_at' - 'caller'
                     - case when kept.anew then array['released', 'branch_run'] else '{}' end
                     || jsonb_build_object('parent', kept.old, 'retry_of', kept.old, 'copied', kept.copied,
                                           'triggered_by', 'retry',  -- Whose steps it tries again, under their keys:
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
      from (
          select u.old, u.new, e.type, e.at, e.attempt, e.node, e.data, e.error, e.token,
                 e.undone and not e.resumes as anew, e.began_at,
                 parts.versions[cardinality(parts.versions)] as version,
                 row_number() over (partition by u.new order by e.seq) - 1 as place,
                 count(*) over (partition by u.new) - case when e.resumes then 0 else 1 end as copied,
                 case when e.type = 0 and e.data ? 'owners'
                      then array_agg(e.seq) over (partition by u.new) end as seqs
            from unnest(v_old, v_new) as u (old, new)
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
               select array(
                          select v.version || ' ' || coalesce(n.node ->> 'id', n.node ->> 'name')
                            from pawl.workflow_version v
                           cross join lateral jsonb_array_elements(pawl.steps_of(v.definition)) as n (node)
                           where v.workflow = c.workflow and v.version = any (parts.versions)
                             and n.node ->> 'on_failure' = 'continue'
                      ) as nodes
                 from pawl.run c
                where c.bucket = p_bucket and c.run_id = u.old
               offset 0
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
                  and (e.type <> 10 or e.data ->> 'kind' not in ('child', 'callback', 'lock', 'task')))
      ) as kept;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select u.new, now(), l.seq, p_bucket, 14, 0, null,
           jsonb_strip_nulls(jsonb_build_object(
               'status', case when l.type = 6 then 'cancelled' when l.code = 'compensation_failed' then 'completed'
                              else 'failed' end,
               'reason', l.reason, 'undo', l.undo
           )),
           case when l.type = 5 and l.code <> 'compensation_failed' then l.error - 'not_undone' end, 0
      from unnest(v_old, v_new) as u (old, new)
     cross join lateral (
         select f.type, f.error, f.error ->> 'code' as code, f.data ->> 'reason' as reason,
                (select count(*) from pawl.event c where c.bucket = p_bucket and c.run_id = u.new) as seq,
                (select jsonb_agg(n.one -> 'record' order by (n.one ->> 'record')::bigint)
                   from jsonb_array_elements(f.error -> 'not_undone') as n (one)) as undo
           from pawl.event f
          where f.bucket = p_bucket and f.run_id = u.old and f.type in (5, 6) and f.error ? 'not_undone'
         offset 0
     ) as l;
    insert into pawl.live_run
        (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
    select u.new, now(), p_tenant, r.workflow, r.version, p_bucket, 0, coalesce(r.priority, 0), r.subject, r.flow,
           case when r.flow is not null then 2 end
      from unnest(v_old, v_new) as u (old, new)
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
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox_starts(p_bucket, v_new);
    end if;
    update pawl.run r
       set retried_as = v_new[array_position(v_old, r.run_id)]
     where r.bucket = p_bucket and r.run_id = any (v_old);
    update pawl.dead_letter d
       set replayed_as = v_new[array_position(v_old, d.run_id)], replayed_at = now()
     where d.bucket = p_bucket and d.run_id = any (v_old);
end
$$;

-- A list that was to be over at some time has as much of it again.
create or replace function pawl.deadline_moved(p_data jsonb, p_since timestamptz) returns jsonb
language sql stable parallel safe
return case when p_data ? 'until'
            then p_data || jsonb_build_object(
                'until',
                (p_data ->> 'until')::bigint + (extract(epoch from now() - p_since) * 1000000)::bigint
            )
            else p_data end;

-- {owners} of a run that is copied from another one: of these events, which are counted anew; {} when it has none.
create or replace function pawl.owners_moved(p_data jsonb, p_seqs int[]) returns jsonb
language sql immutable parallel safe
return (
    select case when count(*) = 0 then '{}'::jsonb
                else jsonb_build_object('owners', jsonb_agg(
                    o.one || jsonb_build_object(
                        'until',
                        (select count(*) from unnest(p_seqs) as s (seq) where s.seq <= (o.one ->> 'until')::int) - 1
                    ) order by o.place
                ))
           end
      from jsonb_array_elements(p_data -> 'owners') with ordinality as o (one, place)
);

-- What a node is called after each of these maps, in turn.
create or replace function pawl.name_later(p_node text, p_maps jsonb[]) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
declare
    v_map jsonb;
begin
    foreach v_map in array p_maps loop
        p_node := coalesce(v_map ->> p_node, p_node);
    end loop;
    return p_node;
end
$$;
