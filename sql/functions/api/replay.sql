-- Simple enough to become part of the statement that asks. p_workflow is the number of the filter's workflow.
create or replace function pawl.matches_replay(p_letter pawl.dead_letter, p_filter jsonb, p_workflow int)
returns boolean
language sql stable
return (p_letter).replayed_as is null
    and (p_filter ->> 'fingerprint' is null or starts_with((p_letter).fingerprint, p_filter ->> 'fingerprint'))
    and (p_filter ->> 'step' is null or (p_letter).node = p_filter ->> 'step')
    and (p_filter ->> 'workflow' is null or (p_letter).workflow = p_workflow)
    and (p_filter ->> 'after' is null or (p_letter).at > (p_filter ->> 'after')::timestamptz)
    and (p_filter ->> 'before' is null or (p_letter).at < (p_filter ->> 'before')::timestamptz);

-- Records a job that replays the dead letters of p_filter, with how many there are. replay_batch does the work.
create or replace function pawl.create_replay(p_job uuid, p_tenant int, p_filter jsonb) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_workflow int;
begin
    select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_filter ->> 'workflow';
    insert into pawl.job (id, tenant, kind, filter, total)
    select p_job, t.id, 'replay', p_filter, (
               select coalesce(sum(c.count), 0)
                 from pawl.dead_letter_errors(t.bucket, t.id, v_workflow, p_filter ->> 'step',
                                              p_filter ->> 'fingerprint', true) e
                cross join lateral pawl.count_dead_letters(
                    t.bucket, t.id, e.fingerprint, false, (p_filter ->> 'after')::timestamptz,
                    (p_filter ->> 'before')::timestamptz, null
                ) c
                where p_filter ->> 'workflow' is null or v_workflow is not null
           )
      from pawl.tenant t
     where t.id = p_tenant
        on conflict do nothing;
end
$$;

-- What a replay changes about the new runs p_new, in the transaction that made them: `data` of the filter is added to
-- their input, and with `active_version` they are asked to move to the active version of their workflow.
create or replace function pawl.fix_replayed(p_bucket smallint, p_tenant int, p_new uuid[], p_filter jsonb) returns void
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
declare
    v_run uuid[];
    v_data jsonb[];
begin
    if jsonb_typeof(p_filter -> 'data') = 'object' then
        update pawl.event e
           set data = jsonb_set(e.data, '{input}', coalesce(nullif(e.data -> 'input', 'null'), '{}')
                                                   || (p_filter -> 'data'))
         where e.bucket = p_bucket and e.run_id = any (p_new) and e.seq = 0
           and coalesce(jsonb_typeof(e.data -> 'input'), 'null') in ('object', 'null');
    end if;
    if coalesce((p_filter ->> 'active_version')::boolean, false) then
        select array_agg(l.run_id order by l.run_id),
               array_agg(jsonb_build_object('version', d.version, 'by', 'replay') order by l.run_id)
          into v_run, v_data
          from pawl.live_run l
          join pawl.definition d on d.workflow = l.workflow
         where l.bucket = p_bucket and l.run_id = any (p_new) and l.tenant = p_tenant and l.version <> d.version;
        if v_run is not null then
            perform pawl.leave_signals(
                p_bucket, v_run, array_fill('repin'::text, array[cardinality(v_run)]), v_data, false
            );
        end if;
    end if;
end
$$;

-- Retries what matches among the next p_limit dead letters that were there when the job was made, and notes how far it
-- came, in one transaction. The row of the job is the lock.
create or replace function pawl.replay_batch(p_job uuid, p_limit int, p_lease interval) returns setof pawl.job
language plpgsql set search_path = pg_catalog set lock_timeout = '250ms' as $$
declare
    v_job pawl.job;
    v_bucket smallint;
    v_workflow int;
    v_walked int;
    v_runs uuid[];
    v_new uuid[];
    v_done bigint;
    v_failed bigint;
begin
    select j.* into v_job from pawl.job j where j.id = p_job for no key update;
    if not found or v_job.status not in ('queued', 'running') then
        return query select j.* from pawl.job j where j.id = p_job;
        return;
    end if;
    select t.bucket into v_bucket from pawl.tenant t where t.id = v_job.tenant;
    select w.id into v_workflow
      from pawl.workflow w
     where w.tenant = v_job.tenant and w.name = v_job.filter ->> 'workflow';
    with walked as materialized (
        select row_number() over (order by d.at, d.run_id) as place, d.run_id, d.at,
               pawl.matches_replay(d, v_job.filter, v_workflow) as matches
          from pawl.walk_dead_letters(
              v_bucket, v_job.tenant, v_job.filter ->> 'fingerprint', v_job.cursor_at, v_job.cursor_run,
              v_job.created_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff', false, p_limit
          ) d
    )
    select count(*), array_agg(w.run_id) filter (where w.matches),
           coalesce((array_agg(w.at order by w.place desc))[1], v_job.cursor_at),
           coalesce((array_agg(w.run_id order by w.place desc))[1], v_job.cursor_run)
      into v_walked, v_runs, v_job.cursor_at, v_job.cursor_run
      from walked w;
    -- One that another caller replays first, after we looked, is neither: it has its run.
    select count(*) filter (where r.created), count(*) filter (where r.retried_as is null),
           array_agg(r.retried_as) filter (where r.created)
      into v_done, v_failed, v_new
      from pawl.retry_runs(
          v_bucket, v_job.tenant, v_runs, array(select pawl.uuid7() from generate_series(1, cardinality(v_runs)))
      ) r;
    perform pawl.fix_replayed(v_bucket, v_job.tenant, v_new, v_job.filter);
    return query
    update pawl.job j
       set status = case when v_walked < p_limit then 'done' else 'running' end,
           done = j.done + v_done,
           failed = j.failed + v_failed,
           updated_at = now(),
           lease_until = now() + p_lease,
           cursor_at = v_job.cursor_at,
           cursor_run = v_job.cursor_run
     where j.id = p_job
    returning j.*;
end
$$;
