-- Makes a job over the runs that exist now; p_total is the caller's count. The same id again changes nothing.
create or replace function pawl.create_bulk(p_job uuid, p_tenant int, p_filter jsonb, p_request jsonb, p_total bigint)
returns void
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
begin
    insert into pawl.job (id, tenant, kind, filter, request, total, cursor_run)
    select p_job, t.id, 'bulk', p_filter, p_request, p_total,
           -- After the newest run, whatever the clock that made its id says.
           pawl.uuid7_bound(greatest(
               now(), pawl.uuid7_time(o.newest), pawl.uuid7_time(c.newest)
           ) + interval '2 ms')
      from pawl.tenant t
      left join lateral (
          select l.run_id as newest from pawl.live_run l where l.bucket = t.bucket order by l.run_id desc limit 1
      ) as o on true
      left join lateral (
          select r.run_id as newest from pawl.run r where r.bucket = t.bucket order by r.run_id desc limit 1
      ) as c on true
     where t.id = p_tenant
        on conflict do nothing;
end
$$;

-- Does what p_request says to runs of a tenant: leaves them a signal, or retries them. failed, problem: which runs
-- could not be reached, and why. Called by bulk_batch.
create or replace function pawl.reach_runs(
    p_tenant int, p_request jsonb, p_run uuid[],
    out reached uuid[], out failed uuid[], out problem text[]
)
language plpgsql set search_path = pg_catalog as $$
declare
    v_bucket smallint := (select t.bucket from pawl.tenant t where t.id = p_tenant);
    v_signal jsonb := p_request -> 'signal';
begin
    if v_signal is not null then
        -- A run whose row is locked is not waited for: its message is unsure until the lock is gone.
        reached := array(
            select s
              from pawl.leave_signals(
                  v_bucket, p_run, array_fill(v_signal ->> 'kind', array[cardinality(p_run)]),
                  array_fill(v_signal -> 'data', array[cardinality(p_run)]), false
              ) as s
        );
        failed := array(select r from unnest(p_run) as r where r <> all (reached));
        problem := array_fill('the run had closed before it was reached'::text, array[cardinality(failed)]);
    elsif p_request ->> 'action' = 'retry' then
        with retried as materialized (
            select r.*
              from pawl.retry_runs(
                  v_bucket, p_tenant, p_run,
                  array(select pawl.uuid7() from generate_series(1, cardinality(p_run)))
              ) r
        )
        select array(select r.run_id from retried r where r.created),
               array(select r.run_id from retried r where not r.created order by r.run_id),
               array(
                   select case when r.retried_as is null
                               then 'only a failed or cancelled run can be retried; this one is ' || r.status
                               else 'it was retried before, as ' || r.retried_as end
                     from retried r
                    where not r.created
                    order by r.run_id
               )
          into reached, failed, problem;
    else
        -- Done by the caller, in a way that can be repeated.
        reached := p_run;
        failed := '{}';
        problem := '{}';
    end if;
end
$$;

-- The examples of failures that a job shows, at most ten, with these behind them.
create or replace function pawl.bulk_examples(p_examples jsonb, p_failed uuid[], p_problem text[], p_node text[])
returns jsonb
language sql immutable parallel safe set search_path = pg_catalog
return p_examples || coalesce((
    select jsonb_agg(
               jsonb_strip_nulls(jsonb_build_object('run', f.run, 'problem', f.problem, 'node', f.node))
               order by f.place
           )
      from unnest(p_failed, p_problem, p_node) with ordinality as f (run, problem, node, place)
     where f.place <= 10 - jsonb_array_length(p_examples)
), '[]');

-- Does what a job is about to the runs p_run, and notes how far it came, in one transaction: nothing is lost with the
-- server that does it, and nothing is done twice. p_from: where the caller thinks the job stands; if it stands
-- elsewhere, another server was faster and nothing is done. p_to: where the next part begins; null: this was the last.
-- p_failed, p_problem: runs to which it cannot be done, as the caller has found, and p_node: at which step. p_counts:
-- added to those of the job.
create or replace function pawl.bulk_batch(
    p_job uuid, p_lease interval, p_from uuid, p_to uuid, p_run uuid[], p_failed uuid[], p_problem text[],
    p_node text[] default '{}', p_counts jsonb default '{}'
)
returns setof pawl.job
language plpgsql
set search_path = pg_catalog
set lock_timeout = '250ms'
as $$
declare
    v_job pawl.job;
    v_done record;
begin
    select j.* into v_job from pawl.job j where j.id = p_job for no key update;
    if not found or v_job.status not in ('queued', 'running') or v_job.cursor_run is distinct from p_from then
        return query select j.* from pawl.job j where j.id = p_job;
        return;
    end if;
    v_done := pawl.reach_runs(v_job.tenant, v_job.request, p_run);
    p_failed := p_failed || v_done.failed;
    return query
    update pawl.job j
       set status = case when p_to is null then 'done' else 'running' end,
           done = j.done + cardinality(v_done.reached),
           failed = j.failed + cardinality(p_failed),
           examples = pawl.bulk_examples(j.examples, p_failed, p_problem || v_done.problem, p_node),
           counts = j.counts || coalesce((
               select jsonb_object_agg(c.key, coalesce((j.counts -> c.key)::bigint, 0) + c.value::bigint)
                 from jsonb_each(p_counts) as c
           ), '{}'),
           updated_at = now(),
           lease_until = now() + p_lease,
           cursor_run = p_to
     where j.id = p_job
    returning j.*;
end
$$;

-- Trigger on pawl.job: wakes the job runner when the transaction commits.
create or replace function pawl.wake_for_jobs() returns trigger
language plpgsql
set search_path = pg_catalog as $$
begin
    perform pg_notify('pawl_wake', 'jobs');
    return null;
end
$$;

create or replace trigger wake_for_jobs after insert on pawl.job
    for each statement execute function pawl.wake_for_jobs();
