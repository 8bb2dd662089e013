-- needs: functions/base/ids
-- needs: functions/versions/check_schema

-- The head of a workflow that may be started; says so when it is switched off.
create or replace function pawl.startable(p_tenant int, p_workflow text) returns pawl.definition
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_head pawl.definition;
begin
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_workflow;
    if not found or not v_head.active then
        raise exception '%', case when v_head.off_reason is null then format('Workflow not found: %s', p_workflow)
                                  else format('Workflow %s is switched off: %s', p_workflow, v_head.off_reason) end
            using errcode = 'no_data_found',
                  detail = case when v_head.workflow is null then 'There is no workflow of that name.'
                                when v_head.off_reason is not null
                                then 'No run of it is started until it is switched on again.'
                                else 'The workflow is not active.' end,
                  hint = case when v_head.workflow is null then 'select name from pawl.workflow_definitions'
                              when v_head.off_reason is not null
                              then format('select pawl.switch_workflow(%s, %L, null)', p_tenant, p_workflow)
                              else format('select pawl.activate_workflow(%s, %L)', p_tenant, p_workflow) end;
    end if;
    return v_head;
end
$$;

-- Says what is wrong with a start, in the limits of the API; called when something is. p_place: which of many.
create or replace function pawl.refuse_start(
    p_data jsonb, p_correlation text, p_subject text, p_priority numeric, p_start_at timestamptz, p_triggered_by text,
    p_place text
) returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_part record;
begin
    if jsonb_typeof(p_data) <> 'object' then
        raise exception '%data must be a JSON object (given: %)', p_place, jsonb_typeof(p_data)
            using errcode = 'invalid_parameter_value', hint = 'Like this: ''{"name": "Ada"}''.';
    elsif p_correlation = '' then
        raise exception '%correlation_id is empty', p_place using errcode = 'invalid_parameter_value',
            detail = 'A start with a key happens once; with an empty one it would happen every time.',
            hint = 'Leave it out (null), or give what makes the start the same, such as ''order-17''.';
    elsif p_priority not between -32768 and 32767 or p_priority <> trunc(p_priority) then
        raise exception '%priority must be a whole number from -32768 to 32767, not %', p_place, p_priority
            using errcode = 'invalid_parameter_value', hint = 'A level is worth a minute of waiting.';
    elsif not isfinite(p_start_at) or p_start_at >= timestamptz '10000-01-01 00:00:00+00'
          or p_start_at < timestamptz '0001-01-01 00:00:00+00' then
        raise exception '%start_at must be a time of the years 1 to 9999, not %', p_place, p_start_at
            using errcode = 'datetime_field_overflow', hint = 'Like this: now() + interval ''2 days''.';
    end if;
    for v_part in
        select p.what, octet_length(p.given) as size, p.most
          from (values ('correlation_id', p_correlation, 400), ('subject', p_subject, 500),
                       ('triggered_by', p_triggered_by, 200)) as p (what, given, most)
         where octet_length(p.given) > p.most
    loop
        raise exception '%the % has at most % bytes, not %', p_place, v_part.what, v_part.most, v_part.size
            using errcode = 'string_data_right_truncation', hint = 'What is long belongs into data.';
    end loop;
    if octet_length(p_data::text) > 1048576 then
        raise exception '%data has % bytes; at most 1048576 are possible', p_place, octet_length(p_data::text)
            using errcode = 'program_limit_exceeded',
                  hint = 'Keep it in a table of your own, and give the run its key.';
    end if;
end
$$;

-- Says what is missing in the data of a start, or does not fit its input_schema, if something is. p_place: which one of
-- many; empty: the only one.
create or replace function pawl.refuse_input(p_workflow text, p_definition jsonb, p_data jsonb, p_place text)
returns void
language plpgsql stable
set search_path = pg_catalog
as $$
declare
    v_missing record;
begin
    v_missing := pawl.missing_input(p_definition, p_data);
    if v_missing.problem is not null then
        raise exception '%Workflow % cannot be started: %', p_place, p_workflow, v_missing.problem
            using errcode = 'invalid_parameter_value', hint = 'Correct its steps in pawl.workflow_definitions.';
    elsif v_missing.fields <> '{}' or v_missing.variables <> '{}' then
        raise exception '%', p_place || case
            when v_missing.fields <> '{}' then 'Missing required fields: ' || pawl.first_names(v_missing.fields)
            else format('Missing template variables: %s. These placeholders exist in workflow steps but were not '
                        'provided in data.', pawl.first_names(v_missing.variables)) end
            using errcode = 'invalid_parameter_value',
                  detail = 'Missing in all: ' || pawl.first_names(array(
                      select m.name from unnest(v_missing.fields || v_missing.variables) with ordinality as m (name, n)
                       group by m.name order by min(m.n)
                  )),
                  hint = 'Give them in data, or give the placeholders a default: {{name | default: "you"}}.';
    end if;
    if p_definition ? 'input_schema' then
        perform pawl.refuse_unfit(p_workflow, p_definition, p_data, p_place);
    end if;
end
$$;

-- Says what does not fit the input_schema of a definition in the data of a start, if something does not.
create or replace function pawl.refuse_unfit(p_workflow text, p_definition jsonb, p_data jsonb, p_place text)
returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_unfit record := pawl.unfit_input(nullif(p_definition -> 'input_schema', 'null'), p_data);
begin
    if v_unfit.message is not null then
        raise exception '%', p_place || v_unfit.message
            using errcode = 'invalid_parameter_value', detail = v_unfit.detail,
                  hint = format('The workflow %s says in its input_schema what data may hold.', p_workflow);
    end if;
end
$$;

-- The engine starts runs of many tenants together: none of its keys may be held by an open transaction.
create or replace function pawl.refuse_reserved_keys(p_correlation text[]) returns void
language plpgsql immutable set search_path = pg_catalog as $$
begin
    if exists (
        select 1 from unnest(p_correlation) as c (key)
         where c.key ~ '^(event:|(schedule|audience):[0-9]+:[0-9]{4}-|call:[0-9a-f]{8}-[0-9a-f]{4}-)'
    ) then
        raise exception 'correlation ids such as event:..., schedule:17:2026-... and call:... are the engine''s own'
            using errcode = 'reserved_name', hint = 'Take another, such as order-17.';
    end if;
end
$$;

-- The rule of entry of a version as pawl.start_guarded_runs knows it.
create or replace function pawl.entry_rule(p_definition jsonb) returns bigint
language sql immutable parallel safe
return case when p_definition ->> 'reentry' = 'once' then 1 when p_definition ->> 'reentry' = 'while_none_open' then 2
            when jsonb_typeof(p_definition -> 'reentry') = 'object'
            then greatest(pawl.duration_ms(p_definition -> 'reentry' -> 'after'), 1000)
            else 0 end;

-- Starts runs of one head whose data was checked; all arrays are of one length. Returns for each the run that is there
-- now, in order (null where the person may not enter), and whether it is new; created null: all are.
create or replace function pawl.start_checked(
    p_bucket smallint, p_head pawl.definition, p_definition jsonb, p_data jsonb[], p_correlation text[],
    p_subject text[], p_priority smallint[], p_start_at timestamptz[], p_triggered_by text,
    out run_id uuid[], out created boolean[]
)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan as $$
declare
    v_count int := cardinality(p_data);
    v_rule bigint := pawl.entry_rule(p_definition);
    -- In order: of two with one key the first is started.
    v_run uuid[] := pawl.fresh_ids(v_count);
    v_event jsonb[] := pawl.first_events(p_head, p_data, p_correlation, p_subject, p_start_at, p_triggered_by);
    v_tenant int[] := array_fill((p_head).tenant, array[v_count]);
    v_workflow int[] := array_fill((p_head).workflow, array[v_count]);
    v_version int[] := array_fill((p_head).version, array[v_count]);
    v_lease boolean[] := array_fill(false, array[v_count]);
    v_requested uuid[];
    v_existing uuid[];
begin
    perform pawl.refuse_unreadable(u.data) from unnest(p_data) as u (data) where not pawl.is_readable(u.data);
    if num_nonnulls(variadic p_correlation) = 0 then
        p_correlation := null;
    end if;
    if v_rule = 0 and not p_definition ? 'enter_if' then
        select array_agg(s.requested), array_agg(s.existing) into v_requested, v_existing
          from pawl.start_runs(p_bucket, null, false, v_run, v_tenant, v_workflow, v_version, p_subject, p_priority,
                               p_start_at, v_event, p_correlation, v_lease,
                               -- Without limits there are no tickets to make out.
                               case when not p_definition ? 'flow' then '{}'::jsonb[] end) as s;
    else
        select array_agg(s.requested), array_agg(s.existing) into v_requested, v_existing
          from pawl.start_guarded_runs(p_bucket, null, false, v_run, v_tenant, v_workflow, v_version, p_subject,
                                       p_priority, p_start_at, v_event, p_correlation, v_lease,
                                       array_fill(v_rule, array[v_count])) as s;
    end if;
    if v_requested is null then
        run_id := v_run;
    else
        select array_agg(case when e.requested is null then u.id else e.existing end order by u.n),
               array_agg(e.requested is null order by u.n)
          into run_id, created
          from unnest(v_run) with ordinality as u (id, n)
          left join unnest(v_requested, v_existing) as e (requested, existing) on e.requested = u.id;
        if num_nonnulls(variadic v_existing) > 0 then
            perform pawl.confirm_found();
        end if;
    end if;
    if array_position(p_start_at, null) > 0 or now() >= any (p_start_at) then
        perform pawl.wake_at_commit(p_bucket);
    end if;
end
$$;

-- Starts a run in the caller's transaction; null: its person may not enter (enter_if). Where several versions are
-- active, the subject or else the key says which.
create or replace function pawl.start(
    workflow text, data jsonb default '{}', correlation_id text default null, subject text default null,
    priority int default 0, start_at timestamptz default null, triggered_by text default 'sql'
) returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
    v_head pawl.definition := pawl.startable(v_tenant.id, start.workflow);
    v_definition jsonb;
    v_data jsonb := coalesce(nullif(start.data, 'null'), '{}');
    v_bytes int := octet_length(v_data::text);
begin
    if jsonb_typeof(v_data) <> 'object' or v_bytes > 1048576 or start.correlation_id = ''
        or octet_length(start.correlation_id) > 400 or octet_length(start.subject) > 500
        or octet_length(start.triggered_by) > 200 or start.priority not between -32768 and 32767
        or not isfinite(start.start_at) or start.start_at >= timestamptz '10000-01-01 00:00:00+00'
        or start.start_at < timestamptz '0001-01-01 00:00:00+00'
    then
        perform pawl.refuse_start(
            v_data, start.correlation_id, start.subject, start.priority, start.start_at, start.triggered_by, ''
        );
    end if;
    if v_head.canary is not null then
        v_head.version := pawl.choose_version(
            v_head.workflow, v_head.version, v_head.canary,
            coalesce(nullif(start.subject, ''), start.correlation_id, gen_random_uuid()::text)
        );
    end if;
    select v.definition into v_definition
      from pawl.workflow_version v
     where v.workflow = v_head.workflow and v.version = v_head.version;
    perform pawl.refuse_input(start.workflow, v_definition, v_data, '');
    perform pawl.check_limits(v_tenant, 1, v_bytes);
    perform pawl.refuse_reserved_keys(array[start.correlation_id]);
    return (
        select s.run_id[1]
          from pawl.start_checked(
              v_tenant.bucket, v_head, v_definition, array[v_data], array[start.correlation_id],
              array[nullif(start.subject, '')], array[coalesce(start.priority, 0)::smallint], array[start.start_at],
              start.triggered_by
          ) s
    );
end
$$;
