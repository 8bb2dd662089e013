-- Runs that were moved to another version and are done again afterwards: a step that had another name then is known by
-- it, and the new run has the version that its log says.
-- breaking: no

set local lock_timeout = '5s';

-- What a node is called after each of these maps, in turn.
create function pawl.name_later(p_node text, p_maps jsonb[]) returns text
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

-- As the engine writes it.
create function pawl.rfc3339(p_at timestamptz) returns text
language sql immutable parallel safe
return to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');

-- See 0026_flow_control.sql.
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
                     || jsonb_build_object('parent', kept.old, 'retry_of', kept.old, 'copied', kept.copied,
                                           'triggered_by', 'retry')
                     -- What a plan was told stays so.
                     || jsonb_build_object('started_at', coalesce(kept.data ->> 'started_at', pawl.rfc3339(kept.at)))
                     || case when kept.undone then jsonb_build_object('version', kept.version) else '{}' end
                else kept.data end,
           kept.error, kept.token
      from (
          select u.old, u.new, e.type, e.at, e.attempt, e.node, e.data, e.error, e.token, e.undone,
                 parts.versions[cardinality(parts.versions)] as version,
                 row_number() over (partition by u.new order by e.seq) - 1 as place,
                 count(*) over (partition by u.new) - 1 as copied
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
                               or f.data ? 'caught')
                      ) over (
                          partition by pawl.name_later(f.node, parts.maps[width_bucket(f.seq, parts.seqs) + 1 :]),
                                       f.token
                              order by f.seq desc
                      ) as finished,
                      bool_or(f.type = 14) over () as undone
                 from pawl.event f
                where f.bucket = p_bucket and f.run_id = u.old
               offset 0
           ) as e
           -- What was undone must be done again: such a run begins anew, in the version it had at last.
           where e.type not in (4, 5, 6) and (e.type <> 2 or e.finished) and (not e.undone or e.type = 0)
             -- Whoever was to answer the old run does not know the new one: it asks again.
             and (e.type <> 3 or coalesce(e.data ->> 'for', '') not in ('child', 'callback', 'lock'))
             and (e.type <> 10 or e.data ->> 'kind' not in ('child', 'callback', 'lock', 'task'))
      ) as kept;
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

-- See 0026_flow_control.sql.
create or replace function pawl.rerun_from(
    p_bucket smallint, p_tenant int, p_run uuid, p_new uuid, p_before int, p_input jsonb
) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
set enable_seqscan = off set jit = off as $$
declare
    v_run record;
begin
    perform pawl.require_tenant(p_tenant);
    select r.workflow, r.version, r.subject into v_run
      from (
          select l.workflow, l.version, l.subject, l.tenant
            from pawl.live_run l
           where l.bucket = p_bucket and l.run_id = p_run
           union all
          select c.workflow, c.version, c.subject, c.tenant
            from pawl.run c
           where c.bucket = p_bucket and c.run_id = p_run
      ) as r
     where r.tenant = p_tenant;
    if not found then
        return false;
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select p_new, case when kept.type = 0 then now() else kept.at end, kept.place, p_bucket, kept.type, kept.attempt,
           kept.node,
           case when kept.type = 0
                then kept.data - 'start_at' - 'caller' - 'retry_of'
                     || jsonb_build_object('parent', p_run, 'rerun_of', p_run, 'copied', kept.copied,
                                           'triggered_by', 'rerun', 'input', coalesce(p_input, kept.data -> 'input'))
                     || jsonb_build_object('started_at', coalesce(kept.data ->> 'started_at', pawl.rfc3339(kept.at)))
                else kept.data end,
           kept.error, kept.token
      from (
          select e.*, row_number() over (order by e.seq) - 1 as place, count(*) over () - 1 as copied
            from pawl.event e
           where e.bucket = p_bucket and e.run_id = p_run and e.seq < greatest(p_before, 1)
             and e.type not in (4, 5, 6)
             and (e.type <> 3 or coalesce(e.data ->> 'for', '') not in ('child', 'callback', 'lock'))
             and (e.type <> 10 or e.data ->> 'kind' not in ('child', 'callback', 'lock', 'task'))
      ) as kept;
    insert into pawl.live_run
        (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
    select p_new, now(), p_tenant, v_run.workflow,
           -- That of its log, which may end before the run was moved.
           coalesce(
               (select (p.data ->> 'version')::int
                  from pawl.event p
                 where p.bucket = p_bucket and p.run_id = p_new
                   and (p.seq = 0 or p.type = 18 and not p.data ? 'refused')
                 order by p.seq desc
                 limit 1),
               v_run.version
           ), p_bucket, 0, 0, v_run.subject,
           (e.data -> 'flow') - 'gather', case when e.data ? 'flow' then 2 end
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = p_new and e.seq = 0;
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox_starts(p_bucket, array[p_new]);
    end if;
    return true;
end
$$;

-- The calendar of the workers: what is past is not looked at. No meeting that is over by then is in the way of another.
drop index pawl.calendar_event_times;
create index calendar_event_ends on pawl.calendar_event (tenant, ends_at);

-- See 0033_connectors.sql.
create or replace function pawl.free_slots(p_tenant int, p_minutes int, p_count int, p_from timestamptz default now())
returns setof timestamptz
language sql stable set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_bitmapscan = off
begin atomic
    with busy as materialized (
        select e.starts_at, e.ends_at
          from pawl.calendar_event e
         where e.tenant = p_tenant and e.ends_at > p_from
           and e.starts_at < p_from + interval '30 days' + make_interval(mins => p_minutes)
    )
    select s.at
      from generate_series(date_trunc('day', p_from at time zone 'UTC') at time zone 'UTC' + interval '33 hours',
                           p_from + interval '30 days', interval '1 hour') as s (at)
     where extract(isodow from s.at at time zone 'UTC') < 6
       and extract(hour from s.at at time zone 'UTC') between 9 and 16
       and not exists (
           select 1 from busy b where b.starts_at < s.at + make_interval(mins => p_minutes) and b.ends_at > s.at
       )
     order by s.at limit p_count;
end;
