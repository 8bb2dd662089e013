-- Going on from any step, critical sections across runs, and what the steps of a graph see beside the input.
-- breaking: no

set local lock_timeout = '5s';

-- A new run p_new with the log of p_run up to (without) event p_before, and with p_input instead of its input unless
-- that is null: it goes on from there. False when the tenant has no such run. What was waited for from outside is asked
-- for again (see retry_runs).
create function pawl.rerun_from(
    p_bucket smallint, p_tenant int, p_run uuid, p_new uuid, p_before int, p_input jsonb
) returns boolean
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_custom_plan set enable_seqscan = off set jit = off as $$
declare
    v_run record;
begin
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
    insert into pawl.live_run (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject)
    values (p_new, now(), p_tenant, v_run.workflow, v_run.version, p_bucket, 0, 0, v_run.subject);
    return true;
end
$$;

-- Who is inside a critical section, and who waits for it: the one with the lowest place is inside.
create table pawl.lock_place (
    bucket smallint not null,
    tenant int not null,
    key text not null,
    place bigint generated always as identity,
    run_id uuid not null,
    token int not null,
    constraint lock_place_pk primary key (bucket, tenant, key, place),
    constraint lock_place_key_check check (length(key) between 1 and 500)
);
create index lock_place_run on pawl.lock_place (bucket, run_id, token);

-- Takes a place, once however often it is asked for. True: inside. One key is dealt with by one transaction at a time.
create function pawl.enter_lock(p_bucket smallint, p_tenant int, p_key text, p_run uuid, p_token int) returns boolean
language plpgsql set search_path = pg_catalog set enable_seqscan = off as $$
declare
    v_first record;
begin
    perform pg_advisory_xact_lock(hashtextextended(format('pawl.lock %s %s %s', p_bucket, p_tenant, p_key), 0));
    if not exists (
        select 1
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = p_tenant and l.key = p_key and l.run_id = p_run and l.token = p_token
    ) then
        insert into pawl.lock_place (bucket, tenant, key, run_id, token)
        values (p_bucket, p_tenant, p_key, p_run, p_token);
    end if;
    select l.run_id, l.token into v_first
      from pawl.lock_place l
     where l.bucket = p_bucket and l.tenant = p_tenant and l.key = p_key
     order by l.place
     limit 1;
    return v_first.run_id = p_run;
end
$$;

-- Gives places up: all of a run's, or those of a token or key where given. Whoever is first then hears of it.
create function pawl.leave_locks(p_bucket smallint, p_run uuid[], p_token int[], p_key text[]) returns int
language plpgsql set search_path = pg_catalog set enable_seqscan = off as $$
declare
    v_left record;
    v_next record;
    v_inside boolean;
    v_count int := 0;
begin
    if not exists (select 1 from pawl.lock_place l where l.bucket = p_bucket) then
        return 0;
    end if;
    for v_left in
        select distinct l.tenant, l.key, l.run_id, u.token
          from unnest(p_run, p_token, p_key) as u (run_id, token, key)
          join pawl.lock_place l
            on l.bucket = p_bucket and l.run_id = u.run_id
           and (u.token is null or l.token = u.token) and (u.key is null or l.key = u.key)
         order by l.tenant, l.key, l.run_id
    loop
        perform pg_advisory_xact_lock(
            hashtextextended(format('pawl.lock %s %s %s', p_bucket, v_left.tenant, v_left.key), 0)
        );
        -- Only whoever was inside makes room.
        select l.run_id into v_next
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key
         order by l.place
         limit 1;
        v_inside := v_next.run_id = v_left.run_id;
        delete from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key and l.run_id = v_left.run_id
           and (v_left.token is null or l.token = v_left.token);
        v_count := v_count + 1;
        continue when not v_inside;
        select l.run_id, l.token into v_next
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key
         order by l.place
         limit 1;
        if found then
            perform 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = v_next.run_id for no key update;
            insert into pawl.signal (bucket, run_id, kind, data)
            values (p_bucket, v_next.run_id, 'lock', jsonb_build_object('token', v_next.token, 'key', v_left.key));
            update pawl.live_run l
               set state = 0, due_at = least(l.due_at, now())
             where l.bucket = p_bucket and l.run_id = v_next.run_id and l.state in (0, 2);
        end if;
    end loop;
    return v_count;
end
$$;

-- What a start must bring and p_data does not: the required fields, and a value for every placeholder of every step
-- that has no default and is not filled at run time.
create or replace function pawl.missing_input(
    p_definition jsonb, p_data jsonb, out fields text[], out variables text[], out problem text
)
language plpgsql immutable parallel safe set search_path = pg_catalog set jit = off as $$
declare
    v_root text;
    v_placeholder record;
begin
    fields := array(
        select distinct on (min(f.place)) f.field
          from jsonb_array_elements_text(p_definition -> 'required_fields') with ordinality as f (field, place)
         where jsonb_typeof(p_data) is distinct from 'object' or not p_data ? f.field
         group by f.field
         order by min(f.place)
    );
    variables := '{}';
    for v_placeholder in
        select p.*
          from jsonb_array_elements(pawl.steps_of(p_definition)) with ordinality as s (step, place)
         cross join lateral pawl.step_placeholders(s.step)
               with ordinality as p (path, segments, has_default, problem, n)
         order by s.place, p.n
    loop
        if v_placeholder.problem is not null then
            problem := v_placeholder.problem;
            return;
        end if;
        v_root := v_placeholder.segments -> 0 ->> 1;
        continue when v_placeholder.has_default or v_root in ('steps', 'run') or v_root ~ '^step_[0-9]+_(result|error)$'
            or v_placeholder.path = any (variables)
            -- The item of a foreach, and the error that an edge caught.
            or v_root in ('item', 'index') and p_definition @? '$.nodes[*] ? (@.type == "foreach")'
            or v_root = 'error' and p_definition @? '$.edges[*] ? (@.handle starts with "error")'
            or pawl.walk(p_data, v_placeholder.segments, case when v_root = 'input' then 1 else 0 end) is not null;
        variables := variables || v_placeholder.path;
    end loop;
end
$$;
