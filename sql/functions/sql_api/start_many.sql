-- needs: functions/base/ids

-- Says what is wrong with one of many starts, apart from what its workflow needs.
create or replace function pawl.refuse_entry(p_entry jsonb, p_place text) returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_key text;
    v_priority jsonb := nullif(p_entry -> 'priority', 'null');
    v_start_at timestamptz;
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
    elsif jsonb_typeof(v_priority) <> 'number' then
        raise exception '%priority must be a whole number from -32768 to 32767, not %', p_place, v_priority
            using errcode = 'invalid_parameter_value', hint = 'A level is worth a minute of waiting.';
    end if;
    begin
        v_start_at := p_entry ->> 'start_at';
    exception when data_exception then
        raise exception '%start_at must be a time, not %', p_place, p_entry -> 'start_at'
            using errcode = 'invalid_datetime_format', hint = 'Like this: "2026-01-31T09:00:00Z".';
    end;
    perform pawl.refuse_start(
        coalesce(nullif(p_entry -> 'data', 'null'), '{}'), p_entry ->> 'correlation_id', p_entry ->> 'subject',
        v_priority::numeric, v_start_at, null, p_place
    );
end
$$;

-- Starts many runs of the version that p_head says. p_place: which ones of a longer list they are; null: that is all.
create or replace function pawl.start_entries(
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
                      or e.entry - array['data', 'correlation_id', 'subject', 'priority', 'start_at'] <> '{}'
                      or e.entry ->> 'correlation_id' = '' or octet_length(e.entry ->> 'correlation_id') > 400
                      or octet_length(e.entry ->> 'subject') > 500 or octet_length((e.entry -> 'data')::text) > 1048576
                      or e.entry ->> 'priority' !~ '^-?[0-9]{1,4}$'
                      or e.entry ->> 'start_at' !~ '^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9:.]+([-+][0-9:]+|Z)?$' then true
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
                     array_agg(e.entry ->> 'correlation_id' order by e.n) as correlation,
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

-- Starts many runs of one workflow, all or none: `runs` is an array of objects with the parameters of pawl.start.
-- Returns them in order, from 1. Where several versions are active, the subject or else the key of each says which.
create or replace function pawl.start_many(workflow text, runs jsonb, triggered_by text default 'sql')
returns table (place bigint, run_id uuid, created boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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

-- What plan::run_started writes, and that no process has counted it yet. Absent is not null here: input may hold nulls,
-- so they are not stripped.
create or replace function pawl.first_event(
    p_head pawl.definition, p_input jsonb, p_correlation text, p_subject text, p_start_at timestamptz,
    p_triggered_by text
) returns jsonb
language sql stable
return jsonb_strip_nulls(jsonb_build_object(
    'workflow', (p_head).workflow,
    'version', (p_head).version,
    'subject', nullif(p_subject, ''),
    'timeout_ms', coalesce(pawl.duration_ms((p_head).settings -> 'timeout'), (p_head).timeout_seconds::bigint * 1000),
    'correlation_id', nullif(p_correlation, ''),
    'triggered_by', nullif(p_triggered_by, ''),
    'start_at', (extract(epoch from p_start_at) * 1000000)::bigint,
    'uncounted', true
)) || jsonb_build_object('input', coalesce(p_input, '{}'));
