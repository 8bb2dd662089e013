-- What an application may call in its own transaction: start, start_many, emit, signal, cancel, status, result. What
-- they do becomes true when that transaction commits, and not at all when it does not.
--
-- None of them locks a row that workers change: a transaction of an application may stay open for long, and nobody's
-- work should wait for it. Messages are left as `unsure`, for the matching to settle once they are committed. The
-- wake-up goes out with the commit, once however much the transaction did.
-- breaking: no

set local lock_timeout = '5s';

-- For whom these functions act.
create function pawl.sql_tenant() returns pawl.tenant
language sql stable set search_path = pg_catalog
begin atomic
    select t.* from pawl.tenant t where t.id = 1;
end;

-- Workers look when the transaction commits. The same notification is sent once a transaction.
create function pawl.wake_at_commit(p_bucket smallint) returns void
language sql set search_path = pg_catalog
begin atomic
    select pg_notify('pawl_wake', p_bucket::text);
end;

-- Starting ------------------------------------------------------------------------------------------------------------

-- The head that a start of the name uses.
create function pawl.startable(p_tenant int, p_workflow text) returns pawl.definition
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_head pawl.definition;
begin
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_workflow;
    if not found or not v_head.active then
        raise exception 'Workflow not found: %', p_workflow
            using errcode = 'no_data_found',
                  detail = case when v_head.workflow is null then 'There is no workflow of that name.'
                                else 'The workflow is not active.' end,
                  hint = case when v_head.workflow is null then 'select name from pawl.workflow_definitions'
                              else format('select pawl.activate_workflow(%s, %L)', p_tenant, p_workflow) end;
    end if;
    return v_head;
end
$$;

-- Says what is missing in the data of a start, if something is. p_place: which one of many; empty: the only one.
create function pawl.refuse_input(p_workflow text, p_definition jsonb, p_data jsonb, p_place text) returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_missing record;
begin
    v_missing := pawl.missing_input(p_definition, p_data);
    if v_missing.problem is not null then
        raise exception '%Workflow % cannot be started: %', p_place, p_workflow, v_missing.problem
            using errcode = 'invalid_parameter_value', hint = 'Correct its steps in pawl.workflow_definitions.';
    elsif v_missing.fields <> '{}' or v_missing.variables <> '{}' then
        raise exception '%', p_place || case
            when v_missing.fields <> '{}' then 'Missing required fields: ' || array_to_string(v_missing.fields, ', ')
            else format('Missing template variables: %s. These placeholders exist in workflow steps but were not '
                        'provided in data.', array_to_string(v_missing.variables, ', ')) end
            using errcode = 'invalid_parameter_value',
                  detail = 'Missing in all: ' || array_to_string(array(
                      select m.name from unnest(v_missing.fields || v_missing.variables) with ordinality as m (name, n)
                       group by m.name order by min(m.n)
                  ), ', '),
                  hint = 'Give them in data, or give the placeholders a default: {{name | default: "you"}}.';
    end if;
end
$$;

-- Starts runs of one head whose data was checked; all arrays are of one length. Returns for each the run that is there
-- now, in order, and whether it is new.
create function pawl.start_checked(
    p_bucket smallint, p_head pawl.definition, p_definition jsonb, p_data jsonb[], p_correlation text[],
    p_subject text[], p_priority smallint[], p_start_at timestamptz[], p_triggered_by text
) returns table (place bigint, run_id uuid, created boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_count int := cardinality(p_data);
    v_reentry smallint := case p_definition ->> 'reentry' when 'once' then 1 when 'while_none_open' then 2 else 0 end;
    -- In order: of two with one key the first is started.
    v_run uuid[] := array(select pawl.uuid7() from generate_series(1, v_count) order by 1);
begin
    return query
    with existing as materialized (
        select s.requested, s.existing
          from pawl.start_guarded_runs(
              p_bucket, null, false, v_run, array_fill((p_head).tenant, array[v_count]),
              array_fill((p_head).workflow, array[v_count]), array_fill((p_head).version, array[v_count]),
              p_subject, p_priority, p_start_at,
              array(
                  select pawl.first_event(p_head, u.data, u.key, u.subject, u.start_at, p_triggered_by)
                    from unnest(p_data, p_correlation, p_subject, p_start_at) with ordinality
                         as u (data, key, subject, start_at, n)
                   order by u.n
              ),
              case when exists (select 1 from unnest(p_correlation) as c where c is not null) then p_correlation end,
              array_fill(false, array[v_count]), array_fill(v_reentry, array[v_count])
          ) s
    )
    select u.n, coalesce(e.existing, u.run_id), e.existing is null
      from unnest(v_run) with ordinality as u (run_id, n)
      left join existing e on e.requested = u.run_id
     order by u.n;
    if exists (select 1 from unnest(p_start_at) as s (at) where s.at is null or s.at <= now()) then
        perform pawl.wake_at_commit(p_bucket);
    end if;
end
$$;

-- Starts a run in the caller's own transaction, after checking that `data` has what the workflow needs. A taken
-- correlation id gives back the run that has it, and so does a workflow that the subject may not enter again.
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
    select v.definition into v_definition
      from pawl.workflow_version v
     where v.workflow = v_head.workflow and v.version = v_head.version;
    perform pawl.refuse_input(start.workflow, v_definition, coalesce(start.data, '{}'), '');
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

-- Says what is wrong with an entry of start_many, if something is.
create function pawl.refuse_entry(p_entry jsonb, p_place text) returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_key text;
begin
    if jsonb_typeof(p_entry) <> 'object' then
        raise exception '%must be an object, not a %', p_place, jsonb_typeof(p_entry)
            using errcode = 'invalid_parameter_value',
                  hint = 'Each run is an object like {"data": {"name": "Ada"}, "correlation_id": "order-17"}.';
    end if;
    select k.key into v_key
      from jsonb_object_keys(p_entry) as k (key)
     where k.key not in ('data', 'correlation_id', 'subject', 'priority', 'start_at')
     limit 1;
    if found then
        raise exception '%there is no setting "%"', p_place, v_key
            using errcode = 'invalid_parameter_value',
                  hint = 'Known are data, correlation_id, subject, priority and start_at; the input goes below data.';
    end if;
end
$$;

-- Starts many runs of one workflow, all or none: `runs` is an array of objects with the parameters of pawl.start.
-- Returns them in order, from 1.
create function pawl.start_many(workflow text, runs jsonb, triggered_by text default 'sql')
returns table (place bigint, run_id uuid, created boolean)
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
    v_head pawl.definition := pawl.startable(v_tenant.id, start_many.workflow);
    v_definition jsonb;
    v_needs record;
    v_paths jsonb;
    v_entry record;
    v_part int;
begin
    if jsonb_typeof(runs) is distinct from 'array' then
        raise exception 'runs must be a JSON array' using errcode = 'invalid_parameter_value',
            hint = 'jsonb_agg(jsonb_build_object(''data'', to_jsonb(t))) makes one of the rows of a table.';
    elsif jsonb_array_length(runs) > 100000 then
        raise exception 'runs has % entries; at most 100000 can be started by one call', jsonb_array_length(runs)
            using errcode = 'program_limit_exceeded', hint = 'Call it several times; one transaction is enough.';
    end if;
    select v.definition into v_definition
      from pawl.workflow_version v
     where v.workflow = v_head.workflow and v.version = v_head.version;
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
        select e.entry, format('runs[%s]: ', e.n - 1) as place
          from jsonb_array_elements(runs) with ordinality as e (entry, n)
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
            start_many.workflow, v_definition, coalesce(nullif(v_entry.entry -> 'data', 'null'), '{}'), v_entry.place
        );
    end loop;
    for v_part in 0 .. (jsonb_array_length(runs) - 1) / 1000 loop
        return query
        select v_part * 1000 + s.place, s.run_id, s.created
          from (
              select array_agg(coalesce(nullif(e.entry -> 'data', 'null'), '{}') order by e.n) as data,
                     array_agg(nullif(e.entry ->> 'correlation_id', '') order by e.n) as correlation,
                     array_agg(nullif(e.entry ->> 'subject', '') order by e.n) as subject,
                     array_agg(coalesce((e.entry ->> 'priority')::smallint, 0::smallint) order by e.n) as priority,
                     array_agg((e.entry ->> 'start_at')::timestamptz order by e.n) as start_at
                from jsonb_array_elements(runs) with ordinality as e (entry, n)
               where e.n > v_part * 1000 and e.n <= (v_part + 1) * 1000
          ) as part
         cross join lateral pawl.start_checked(
             v_tenant.bucket, v_head, v_definition, part.data, part.correlation, part.subject, part.priority,
             part.start_at, start_many.triggered_by
         ) as s
         where part.data is not null;
    end loop;
end
$$;

-- Events --------------------------------------------------------------------------------------------------------------

-- Publishes an event: it starts runs of workflows with such a trigger and wakes runs that wait for it. Returns its id;
-- the same id again is the same event and counts once. Without a key, runs that wait for the name alone get it.
create function pawl.emit(
    name text, key text default null, data jsonb default null, subject text default null, id text default null
) returns text
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_variable
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
    v_id text := coalesce(nullif(id, ''), pawl.uuid7()::text);
    v_part record;
begin
    if coalesce(name, '') = '' then
        raise exception 'an event needs a name' using errcode = 'invalid_parameter_value',
            hint = 'Like this: select pawl.emit(''order.paid'', key => ''order-17'').';
    end if;
    for v_part in
        select p.what, octet_length(p.given) as size, p.most
          from (values ('name', name, 200), ('key', key, 500), ('subject', subject, 500), ('id', v_id, 400))
               as p (what, given, most)
         where octet_length(p.given) > p.most
    loop
        raise exception 'the % of an event has at most % bytes, not %', v_part.what, v_part.most, v_part.size
            using errcode = 'string_data_right_truncation', hint = 'What is long belongs into data.';
    end loop;
    perform pawl.publish_events(
        v_tenant.bucket, array[v_tenant.id], array[v_id], array[name], array[coalesce(key, subject, '')],
        array[subject], array['sql'], array[null::timestamptz], array[data]
    );
    perform pawl.wake_at_commit(v_tenant.bucket);
    return v_id;
end
$$;

-- Messages to runs ----------------------------------------------------------------------------------------------------

-- Leaves a message for a run of this tenant without locking it. False: the run is closed.
create function pawl.leave_message(p_tenant pawl.tenant, p_run uuid, p_kind text, p_data jsonb) returns boolean
language plpgsql set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    insert into pawl.signal (bucket, run_id, kind, data, unsure)
    select (p_tenant).bucket, l.run_id, p_kind, p_data, true
      from pawl.live_run l
     where l.bucket = (p_tenant).bucket and l.run_id = p_run and l.tenant = (p_tenant).id;
    if found then
        perform pawl.wake_at_commit((p_tenant).bucket);
        return true;
    end if;
    perform 1
       from pawl.run r
      where r.bucket = (p_tenant).bucket and r.run_id = p_run and r.tenant = (p_tenant).id;
    if not found then
        raise exception 'there is no run %', coalesce(p_run::text, 'null') using errcode = 'no_data_found',
            hint = 'pawl.start returns the id of a run; pawl.workflow_executions lists all of them.';
    end if;
    return false;
end
$$;

-- Sends a run a message that it waits for, or will wait for. False: the run has closed, and gets nothing.
create function pawl.signal(run uuid, name text, data jsonb default null) returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_variable
begin
    if coalesce(name, '') = '' or octet_length(name) > 200 then
        raise exception 'a signal needs a name of 1 to 200 bytes' using errcode = 'invalid_parameter_value',
            hint = 'The one that a step waits for: wait: {signal: approved}.';
    end if;
    return pawl.leave_message(
        pawl.sql_tenant(), run, 'signal', jsonb_build_object('name', name, 'data', data)
    );
end
$$;

-- Asks a run to stop before its next step. False: it had closed before.
create function pawl.cancel(run uuid, reason text default 'cancelled through SQL') returns boolean
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_variable
begin
    return pawl.leave_message(
        pawl.sql_tenant(), run, 'cancel', jsonb_build_object('reason', left(coalesce(reason, ''), 1000))
    );
end
$$;

-- The same when a row of the view is updated.
create or replace function pawl.change_execution() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if to_jsonb(new) - 'status' <> to_jsonb(old) - 'status' or new.status not in ('cancelled', old.status) then
        raise exception 'a run cannot be changed' using errcode = 'object_not_in_prerequisite_state',
            hint = 'What can be asked for is a cancel: update ... set status = ''cancelled''.';
    end if;
    if new.status = old.status then
        return new;
    end if;
    if not pawl.cancel(old.id, 'cancelled through workflow_executions') then
        raise exception 'run % is over: %', old.id, old.status using errcode = 'object_not_in_prerequisite_state',
            hint = 'Only an open run can be cancelled.';
    end if;
    return new;
end
$$;

-- Looking -------------------------------------------------------------------------------------------------------------

-- queued, running, waiting, completed, failed or cancelled; null: there is no such run.
create function pawl.status(run uuid) returns text
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_variable
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
begin
    return (select r.status from pawl.find_run(v_tenant.bucket, v_tenant.id, run) r);
end
$$;

-- How a run ended: one row, which says `closed` once it has; no row when there is no such run. Waits for nothing.
create function pawl.result(run uuid)
returns table (closed boolean, status text, output jsonb, error jsonb, closed_at timestamptz)
language plpgsql security definer set search_path = pg_catalog as $$
#variable_conflict use_variable
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
begin
    return query
    select r.closed_at is not null, r.status, r.output, r.error, r.closed_at
      from pawl.find_run(v_tenant.bucket, v_tenant.id, run) r;
end
$$;

-- Who may -------------------------------------------------------------------------------------------------------------

-- They act with the rights of the owner, so nobody may call them who was not told to.
revoke execute on function
    pawl.start(text, jsonb, text, text, int, timestamptz, text), pawl.start_many(text, jsonb, text),
    pawl.emit(text, text, jsonb, text, text), pawl.signal(uuid, text, jsonb), pawl.cancel(uuid, text),
    pawl.status(uuid), pawl.result(uuid)
from public;

-- Lets a role call them, and nothing else: it needs no rights on any table of Pawl.
create function pawl.allow_sql_api(p_role text) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    execute format('grant usage on schema pawl to %I', p_role);
    execute format(
        'grant execute on function pawl.start, pawl.start_many, pawl.emit, pawl.signal, pawl.cancel, pawl.status,'
        ' pawl.result to %I', p_role
    );
end
$$;
