-- The events of a run before event p_before that a run takes over which goes on from there; for rerun_from. A wait that
-- is open then begins anew with all of its time, and a person is asked anew. What ends the run has no node. Children,
-- callbacks and locks answer the old run and do not know the new one.
create or replace function pawl.rerun_log(p_bucket smallint, p_run uuid, p_before int) returns setof pawl.event
language plpgsql stable
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
set enable_seqscan = off set jit = off as $$
begin
    return query
    select e.*
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = p_run and e.seq < greatest(p_before, 1)
       and e.type not in (4, 5, 6, 20)
       and (e.type not in (3, 11) or e.node is null or exists (
           select 1
             from pawl.event l
            where l.bucket = p_bucket and l.run_id = p_run and l.seq > e.seq and l.seq < p_before
              and l.token is not distinct from e.token and l.type in (1, 2, 7, 16)
       ))
       and (e.type <> 3 or coalesce(e.data ->> 'for', '') not in ('child', 'callback', 'lock'))
       and (e.type <> 10 or e.data ->> 'kind' not in ('child', 'callback', 'lock', 'task'));
end
$$;

-- A new run p_new with the log of p_run, open or closed, up to (without) event p_before, and with p_input instead of
-- its input unless that is null: it goes on from there. p_released: the records of its log that the old run has undone
-- since. False when the tenant has no such run. What was waited for from outside is asked for again, waits of other
-- branches that were open begin anew, and gates are passed again (see retry_runs).
create or replace function pawl.rerun_from(
    p_bucket smallint, p_tenant int, p_run uuid, p_new uuid, p_before int, p_input jsonb, p_released jsonb default null
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
                then kept.data - '{start_at,caller,retry_of,first_run,anew_run,branch_run,takes_over,released}'::text[]
                     || jsonb_build_object('parent', p_run, 'rerun_of', p_run, 'copied', kept.copied,
                                           'triggered_by', 'rerun', 'input', coalesce(p_input, kept.data -> 'input'),
                                           -- Who did what it does not do again: undoing that is the same for all.
                                           'owners', coalesce(pawl.owners_moved(kept.data, kept.seqs) -> 'owners', '[]')
                                                     || jsonb_build_object(
                                               'run', coalesce(kept.data -> 'branch_run', kept.data -> 'anew_run',
                                                               kept.data -> 'first_run', to_jsonb(p_run)),
                                               'until', kept.copied))
                     || case when p_released is null then '{}' else jsonb_build_object('released', p_released) end
                     || jsonb_build_object('started_at', coalesce(kept.data ->> 'started_at', pawl.rfc3339(kept.at)))
                when kept.type = 15 then pawl.deadline_moved(kept.data, greatest(kept.at, kept.began_at))
                else kept.data end,
           kept.error, kept.token
      from (
          select e.*, row_number() over (order by e.seq) - 1 as place, count(*) over () - 1 as copied,
                 min(e.at) filter (where e.type = 0) over () as began_at,
                 case when e.type = 0 then array_agg(e.seq) over () end as seqs
            from pawl.rerun_log(p_bucket, p_run, p_before) e
      ) as kept;
    perform pawl.insert_rerun(p_bucket, p_tenant, p_new, v_run.workflow, v_run.version, v_run.subject);
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox_starts(p_bucket, array[p_new]);
    end if;
    return true;
end
$$;

-- Writes the row of a run whose log is there, ready now, with the gates that event 0 names. p_version: that of the old
-- run, where the log tells none. Called by rerun_from, as its owner.
create or replace function pawl.insert_rerun(
    p_bucket smallint, p_tenant int, p_new uuid, p_workflow int, p_version int, p_subject text
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into pawl.live_run
        (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
    select p_new, now(), p_tenant, p_workflow,
           -- That of its log, which may end before the run was moved.
           coalesce(
               (select (p.data ->> 'version')::int
                  from pawl.event p
                 where p.bucket = p_bucket and p.run_id = p_new
                   and (p.seq = 0 or p.type = 18 and not p.data ? 'refused')
                 order by p.seq desc
                 limit 1),
               p_version
           ), p_bucket, 0, 0, p_subject,
           (e.data -> 'flow') - 'gather', case when e.data ? 'flow' then 2 end
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = p_new and e.seq = 0;
end
$$;

-- As rerun_from, once for a key: the run that it made before, if any; null: the tenant has no such run.
create or replace function pawl.rerun_from_once(
    p_bucket smallint, p_tenant int, p_run uuid, p_new uuid, p_before int, p_input jsonb, p_released jsonb, p_key text
) returns uuid
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    v_workflow int;
    v_known uuid;
begin
    perform pawl.require_tenant(p_tenant);
    if p_key is not null then
        select r.workflow into v_workflow
          from (
              select l.workflow, l.tenant from pawl.live_run l where l.bucket = p_bucket and l.run_id = p_run
               union all
              select c.workflow, c.tenant from pawl.run c where c.bucket = p_bucket and c.run_id = p_run
          ) as r
         where r.tenant = p_tenant;
        -- Waits for a call with the same key that is under way.
        insert into pawl.correlation (bucket, tenant, workflow, key, run_id)
        select p_bucket, p_tenant, v_workflow, p_key, p_new where v_workflow is not null
            on conflict (bucket, tenant, workflow, key) do nothing;
        if not found then
            select c.run_id into v_known
              from pawl.correlation c
             where c.bucket = p_bucket and c.tenant = p_tenant and c.workflow = v_workflow and c.key = p_key;
            return v_known;
        end if;
    end if;
    if pawl.rerun_from(p_bucket, p_tenant, p_run, p_new, p_before, p_input, p_released) then
        return p_new;
    end if;
    return null;
end
$$;
