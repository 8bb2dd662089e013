-- Versions in use: the switch, retiring, which one a start gets, and moving runs.
-- breaking: no

set local lock_timeout = '5s';

-- Switches a workflow off, so that nothing starts it whoever applies or activates what, or on again (p_reason null).
-- False: there is no such workflow.
create function pawl.switch_workflow(p_tenant int, p_name text, p_reason text) returns boolean
language plpgsql set search_path = pg_catalog as $$
begin
    perform pg_advisory_xact_lock(hashtext('pawl.definition'));
    update pawl.definition d
       set restore = d.version, off_reason = p_reason, active = p_reason is null
     where d.tenant = p_tenant and d.name = p_name and d.off_reason is distinct from p_reason;
    return exists (select 1 from pawl.definition d where d.tenant = p_tenant and d.name = p_name);
end
$$;

-- Open runs of a workflow by version.
create function pawl.count_open_versions(p_tenant int, p_name text)
returns table (version int, open_runs bigint)
language sql stable set search_path = pg_catalog
begin atomic
    select l.version, count(*)
      from pawl.tenant t
      join pawl.workflow w on w.tenant = t.id
      join pawl.live_run l on l.bucket = t.bucket and l.tenant = t.id and l.workflow = w.id
     where t.id = p_tenant and w.name = p_name
     group by l.version;
end;

-- Nothing starts the version any more. Refused while it has open runs, unless those may go to their end with it
-- (p_drain). p_retired false: brings it back. Returns what is wrong; null: done.
create function pawl.retire_version(
    p_tenant int, p_name text, p_version int, p_drain boolean default false, p_retired boolean default true
) returns text
language plpgsql set search_path = pg_catalog as $$
declare
    v_workflow int;
    v_open bigint;
begin
    perform pg_advisory_xact_lock(hashtext('pawl.definition'));
    select v.workflow into v_workflow
      from pawl.workflow w
      join pawl.workflow_version v on v.workflow = w.id
     where w.tenant = p_tenant and w.name = p_name and v.version = p_version;
    if not found then
        return format('there is no version %s of it', p_version);
    end if;
    if p_retired then
        if exists (select 1 from pawl.definition d where d.workflow = v_workflow and d.version = p_version) then
            return format('version %s is the one that starts use: activate another one first', p_version);
        end if;
        select c.open_runs into v_open
          from pawl.count_open_versions(p_tenant, p_name) c where c.version = p_version;
        if v_open > 0 and not p_drain then
            return format('version %s has %s open run%s: migrate them, or let them go to their end (drain)', p_version,
                          v_open, case when v_open = 1 then '' else 's' end);
        end if;
        update pawl.definition d
           set restore = d.version,
               canary = (select jsonb_agg(c) from jsonb_array_elements(d.canary) as c
                          where (c -> 'version')::int <> p_version)
         where d.workflow = v_workflow and d.canary @> jsonb_build_array(jsonb_build_object('version', p_version));
    end if;
    update pawl.workflow_version v
       set retired_at = case when p_retired then now() end
     where v.workflow = v_workflow and v.version = p_version and (v.retired_at is not null) <> p_retired;
    if found then
        perform pawl.note_version(p_tenant, v_workflow, case when p_retired then 'retired' else 'unretired' end,
                                  p_version);
    end if;
    return null;
end
$$;

-- Which version a start gets ----------------------------------------------------------------------------------------

-- Evenly spread over 0 to 9999.
create function pawl.place_of(p_text text) returns int
language sql immutable parallel safe
return mod(('x00' || left(encode(sha256(convert_to(p_text, 'UTF8')), 'hex'), 14))::bit(64)::bigint, 10000);

-- The same for the same key everywhere: pawl::choose_version computes the same.
create function pawl.choose_version(p_workflow int, p_head int, p_canary jsonb, p_key text) returns int
language sql immutable parallel safe
return coalesce((
    select c.version
      from (
          select (e.one -> 'version')::int as version, e.n,
                 sum(round((e.one ->> 'share')::numeric * 100)) over (order by e.n) as upto
            from jsonb_array_elements(p_canary) with ordinality as e (one, n)
      ) as c
     where pawl.place_of(p_workflow || ':' || p_key) < c.upto
     order by c.n
     limit 1
), p_head);

-- A run is one of another version -----------------------------------------------------------------------------------

create function pawl.repin_runs(p_bucket smallint, p_run uuid[], p_version int[]) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
begin
    update pawl.live_run l
       set version = u.version
      from unnest(p_run, p_version) as u (run_id, version)
     where l.bucket = p_bucket and l.run_id = u.run_id;
end
$$;

-- Starting from SQL ---------------------------------------------------------------------------------------------------

-- As before; says so when the workflow is switched off.
create or replace function pawl.startable(p_tenant int, p_workflow text) returns pawl.definition
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_head pawl.definition;
begin
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_workflow;
    if not found or not v_head.active then
        raise exception 'Workflow not found: %', p_workflow
            using errcode = 'no_data_found',
                  detail = case when v_head.workflow is null then 'There is no workflow of that name.'
                                when v_head.off_reason is not null
                                then format('The workflow is switched off: %s', v_head.off_reason)
                                else 'The workflow is not active.' end,
                  hint = case when v_head.workflow is null then 'select name from pawl.workflow_definitions'
                              when v_head.off_reason is not null
                              then format('select pawl.switch_workflow(%s, %L, null)', p_tenant, p_workflow)
                              else format('select pawl.activate_workflow(%s, %L)', p_tenant, p_workflow) end;
    end if;
    return v_head;
end
$$;

-- As before; where several versions are active, the subject or else the key says which.
create or replace function pawl.start(
    workflow text, data jsonb default '{}', correlation_id text default null, subject text default null,
    priority int default 0, start_at timestamptz default null, triggered_by text default 'sql'
) returns uuid
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
    v_head pawl.definition := pawl.startable(v_tenant.id, start.workflow);
    v_definition jsonb;
begin
    if v_head.canary is not null then
        v_head.version := pawl.choose_version(
            v_head.workflow, v_head.version, v_head.canary,
            coalesce(nullif(start.subject, ''), nullif(start.correlation_id, ''), gen_random_uuid()::text)
        );
    end if;
    select v.definition into v_definition
      from pawl.workflow_version v
     where v.workflow = v_head.workflow and v.version = v_head.version;
    perform pawl.refuse_input(start.workflow, v_definition, coalesce(start.data, '{}'), '');
    perform pawl.check_limits(v_tenant, 1, octet_length(start.data::text));
    return (
        select s.run_id
          from pawl.start_checked(
              v_tenant.bucket, v_head, v_definition, array[start.data], array[nullif(start.correlation_id, '')],
              array[nullif(start.subject, '')], array[start.priority::smallint], array[start.start_at],
              start.triggered_by
          ) s
    );
end
$$;

-- Starts many runs of the version that p_head says. p_place: which ones of a longer list they are; null: that is all.
create function pawl.start_entries(
    p_bucket smallint, p_head pawl.definition, p_runs jsonb, p_place bigint[], p_triggered_by text
) returns table (place bigint, run_id uuid, created boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_definition jsonb;
    v_needs record;
    v_paths jsonb;
    v_entry record;
    v_part int;
begin
    select v.definition into v_definition
      from pawl.workflow_version v
     where v.workflow = (p_head).workflow and v.version = (p_head).version;
    -- What is missing when nothing is given is what must be given. To find that out anew for each run takes long; so
    -- only a run that seems to be wrong is looked at closely.
    v_needs := pawl.missing_input(v_definition, '{}');
    v_paths := (
        select jsonb_agg(jsonb_build_array(
                   p.segments, case when p.segments -> 0 ->> 1 = 'input' then 1 else 0 end
               ))
          from unnest(v_needs.variables) as v (path)
         cross join lateral pawl.parse_path(v.path) as p
    );
    for v_entry in
        select e.entry, format('runs[%s]: ', coalesce(p_place[e.n::int], e.n) - 1) as place
          from jsonb_array_elements(p_runs) with ordinality as e (entry, n)
         where v_needs.problem is not null
            or case when jsonb_typeof(e.entry) <> 'object' or jsonb_typeof(e.entry -> 'data') <> 'object'
                      or e.entry - array['data', 'correlation_id', 'subject', 'priority', 'start_at'] <> '{}' then true
                    else not coalesce(e.entry -> 'data', '{}') ?& v_needs.fields
                      or exists (
                          select 1
                            from jsonb_array_elements(v_paths) as p (need)
                           where pawl.walk(
                                     coalesce(e.entry -> 'data', '{}'), p.need -> 0, (p.need ->> 1)::int
                                 ) is null
                      ) end
         order by e.n
    loop
        perform pawl.refuse_entry(v_entry.entry, v_entry.place);
        perform pawl.refuse_input(
            (p_head).name, v_definition, coalesce(nullif(v_entry.entry -> 'data', 'null'), '{}'), v_entry.place
        );
    end loop;
    for v_part in 0 .. (jsonb_array_length(p_runs) - 1) / 1000 loop
        return query
        select coalesce(p_place[(v_part * 1000 + s.place)::int], v_part * 1000 + s.place), s.run_id, s.created
          from (
              select array_agg(coalesce(nullif(e.entry -> 'data', 'null'), '{}') order by e.n) as data,
                     array_agg(nullif(e.entry ->> 'correlation_id', '') order by e.n) as correlation,
                     array_agg(nullif(e.entry ->> 'subject', '') order by e.n) as subject,
                     array_agg(coalesce((e.entry ->> 'priority')::smallint, 0::smallint) order by e.n) as priority,
                     array_agg((e.entry ->> 'start_at')::timestamptz order by e.n) as start_at
                from jsonb_array_elements(p_runs) with ordinality as e (entry, n)
               where e.n > v_part * 1000 and e.n <= (v_part + 1) * 1000
          ) as part
         cross join lateral pawl.start_checked(
             p_bucket, p_head, v_definition, part.data, part.correlation, part.subject, part.priority,
             part.start_at, p_triggered_by
         ) as s
         where part.data is not null;
    end loop;
end
$$;

-- As before; where several versions are active, the subject or else the key of each says which.
create or replace function pawl.start_many(workflow text, runs jsonb, triggered_by text default 'sql')
returns table (place bigint, run_id uuid, created boolean)
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
    v_head pawl.definition := pawl.startable(v_tenant.id, start_many.workflow);
    v_share record;
begin
    if jsonb_typeof(runs) is distinct from 'array' then
        raise exception 'runs must be a JSON array' using errcode = 'invalid_parameter_value',
            hint = 'jsonb_agg(jsonb_build_object(''data'', to_jsonb(t))) makes one of the rows of a table.';
    elsif jsonb_array_length(runs) > 100000 then
        raise exception 'runs has % entries; at most 100000 can be started by one call', jsonb_array_length(runs)
            using errcode = 'program_limit_exceeded', hint = 'Call it several times; one transaction is enough.';
    end if;
    perform pawl.check_limits(v_tenant, jsonb_array_length(runs), (
        select max(octet_length((e.entry -> 'data')::text))
          from jsonb_array_elements(runs) as e (entry)
    ));
    if v_head.canary is null then
        return query
        select s.place, s.run_id, s.created
          from pawl.start_entries(v_tenant.bucket, v_head, runs, null, start_many.triggered_by) s;
        return;
    end if;
    for v_share in
        select c.version, jsonb_agg(c.entry order by c.n) as entries, array_agg(c.n order by c.n) as places
          from (
              select e.entry, e.n, pawl.choose_version(
                         v_head.workflow, v_head.version, v_head.canary,
                         coalesce(nullif(e.entry ->> 'subject', ''), nullif(e.entry ->> 'correlation_id', ''),
                                  gen_random_uuid()::text)
                     ) as version
                from jsonb_array_elements(runs) with ordinality as e (entry, n)
          ) as c
         group by c.version
         order by c.version
    loop
        v_head.version := v_share.version;
        return query
        select s.place, s.run_id, s.created
          from pawl.start_entries(v_tenant.bucket, v_head, v_share.entries, v_share.places, start_many.triggered_by) s;
    end loop;
end
$$;

-- Jobs ----------------------------------------------------------------------------------------------------------------

drop function pawl.bulk_batch(uuid, interval, uuid, uuid, uuid[], uuid[], text[]);

-- Does what a job is about to the runs p_run, and notes how far it came, in one transaction: nothing is lost with the
-- server that does it, and nothing is done twice. p_from: up to where the caller thinks that the job has come; when
-- that is not so, somebody else was faster and nothing is done. p_to: where the next part begins; null: this was the
-- last. p_failed, p_problem: runs to which it cannot be done, found out by the caller, and
-- p_node: at which step. p_counts: added to those of the job.
create function pawl.bulk_batch(
    p_job uuid, p_lease interval, p_from uuid, p_to uuid, p_run uuid[], p_failed uuid[], p_problem text[],
    p_node text[] default '{}', p_counts jsonb default '{}'
) returns setof pawl.job
language plpgsql set search_path = pg_catalog as $$
declare
    v_job pawl.job;
    v_bucket smallint;
    v_reached uuid[] := '{}';
    v_signal jsonb;
begin
    select j.* into v_job from pawl.job j where j.id = p_job for no key update;
    if not found or v_job.status not in ('queued', 'running') or v_job.cursor_run is distinct from p_from then
        return query select j.* from pawl.job j where j.id = p_job;
        return;
    end if;
    select t.bucket into v_bucket from pawl.tenant t where t.id = v_job.tenant;
    v_signal := v_job.request -> 'signal';
    if v_signal is not null then
        v_reached := array(
            select s
              from pawl.leave_signals(
                  v_bucket, p_run, array_fill(v_signal ->> 'kind', array[cardinality(p_run)]),
                  array_fill(v_signal -> 'data', array[cardinality(p_run)]), true
              ) as s
        );
        p_failed := p_failed || array(select r from unnest(p_run) as r where r <> all (v_reached));
        p_problem := p_problem || array(
            select 'the run had closed before it was reached' from unnest(p_run) as r where r <> all (v_reached)
        );
    elsif v_job.request ->> 'action' = 'retry' then
        with retried as materialized (
            select r.*
              from pawl.retry_runs(
                  v_bucket, v_job.tenant, p_run,
                  array(select pawl.uuid7() from generate_series(1, cardinality(p_run)))
              ) r
        )
        select array(select r.run_id from retried r where r.created),
               p_failed || array(select r.run_id from retried r where not r.created order by r.run_id),
               p_problem || array(
                   select case when r.retried_as is null
                               then 'only a failed or cancelled run can be retried; this one is ' || r.status
                               else 'it was retried before, as ' || r.retried_as end
                     from retried r
                    where not r.created
                    order by r.run_id
               )
          into v_reached, p_failed, p_problem;
    else
        -- Done by the caller, in a way that can be repeated.
        v_reached := p_run;
    end if;
    return query
    update pawl.job j
       set status = case when p_to is null then 'done' else 'running' end,
           done = j.done + cardinality(v_reached),
           failed = j.failed + cardinality(p_failed),
           examples = case when cardinality(p_failed) = 0 or jsonb_array_length(j.examples) >= 10 then j.examples
                           else j.examples || (
                               select jsonb_agg(
                                          jsonb_strip_nulls(
                                              jsonb_build_object('run', f.run, 'problem', f.problem, 'node', f.node)
                                          ) order by f.place
                                      )
                                 from unnest(p_failed, p_problem, p_node) with ordinality
                                      as f (run, problem, node, place)
                                where f.place <= 10 - jsonb_array_length(j.examples)
                           ) end,
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

-- The logs of many runs, in order.
create function pawl.load_logs(p_bucket smallint, p_run uuid[])
returns table (run_id uuid, seq int, type smallint, attempt smallint, node text, data jsonb, error jsonb,
               at timestamptz, token int)
language plpgsql stable
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
begin
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token
      from unnest(p_run) as u (run_id)
     cross join lateral (
         select o.* from pawl.event o where o.bucket = p_bucket and o.run_id = u.run_id order by o.seq offset 0
     ) as e;
end
$$;
