-- The newest child of the step at p_place (token, node and visit, as keys have them), also in the runs that p_run goes
-- on from, back to p_until: of p_run itself, those before p_since. A child of another version, input or subject stands
-- for something else. Null: there is none, or it is not kept any more.
create or replace function pawl.called_before(
    p_bucket smallint, p_tenant int, p_workflow int, p_run uuid, p_since int, p_place text, p_until uuid,
    p_version int, p_input jsonb, p_subject text
) returns uuid
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
    v_run uuid := p_run;
    v_tries int := p_since - 1;
    v_child uuid;
begin
    loop
        select c.run_id into v_child
          from generate_series(v_tries, 1, -1) as t (since)
         cross join lateral (
             select k.run_id
               from pawl.correlation k
              where k.bucket = p_bucket and k.tenant = p_tenant and k.workflow = p_workflow
                and k.key = format('call:%s%s:%s', v_run, p_place, t.since)
             offset 0
         ) as c
         order by t.since desc
         limit 1;
        exit when v_child is not null or v_run = p_until;
        select coalesce(e.data ->> 'retry_of', e.data ->> 'takes_over')::uuid into v_run
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = v_run and e.seq = 0;
        exit when v_run is null;
        v_tries := 100;  -- as many as a step may have
    end loop;
    return (
        select e.run_id
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = v_child and e.seq = 0 and (e.data ->> 'version')::int = p_version
           and e.data -> 'input' = p_input and coalesce(e.data ->> 'subject', '') = p_subject
    );
end
$$;

-- The child that one which is about to be started stands for, and of that the last retry; no row: none. `undone`: it
-- took something back, or may yet, because it is open. Called by a worker that starts a child again, never for the
-- first one. Locks nothing.
create or replace function pawl.earlier_child(
    p_bucket smallint, p_tenant int, p_workflow int, p_run uuid, p_since int, p_place text, p_until uuid,
    p_version int, p_input jsonb, p_subject text
) returns table (run_id uuid, first_run text, anew_run text, undone boolean)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
#variable_conflict use_column
declare
    v_child uuid;
    v_next uuid := pawl.called_before(
        p_bucket, p_tenant, p_workflow, p_run, p_since, p_place, p_until, p_version, p_input, p_subject
    );
begin
    while v_next is not null loop
        v_child := v_next;
        select r.retried_as into v_next
          from pawl.run r
         where r.bucket = p_bucket and r.run_id = v_child and r.tenant = p_tenant;
    end loop;
    return query
    select v_child, e.data ->> 'first_run', e.data ->> 'anew_run',
           exists (select 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = v_child)
           or exists (select 1 from pawl.event u where u.bucket = p_bucket and u.run_id = v_child and u.type = 14)
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = v_child and e.seq = 0;
end
$$;
