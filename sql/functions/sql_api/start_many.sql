-- needs: functions/base/ids
-- needs: functions/versions/schema_test

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

-- What a start of a version must bring, as a test in a strict jsonpath: what is missing when nothing is given. To find
-- that out anew for each run takes long. path null: nothing; problem: the definition cannot be read.
create or replace function pawl.needed_input(p_definition jsonb, out problem text, out path jsonpath)
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_needs record := pawl.missing_input(p_definition, '{}');
begin
    problem := v_needs.problem;
    select ('strict ' || string_agg(n.test, ' && '))::jsonpath into path
      from (
          select format('exists($.%s)', to_json(f.name)) as test from unnest(v_needs.fields) as f (name)
           union
          select case p.segments -> 0 ->> 1 when 'input' then format('exists($%s)', m.below)
                      -- Another word for the input, or a member of it.
                      when 'trigger' then format('(exists($%s) || exists($.trigger%1$s))', m.below)
                      else format('exists($.%s%s)', p.segments -> 0 -> 1, m.below) end
            from unnest(v_needs.variables) as v (path)
           cross join lateral pawl.parse_path(v.path) as p
           cross join lateral (
               select coalesce(string_agg(case s.segment ->> 0 when 'index' then format('[%s]', s.segment -> 1)
                                               else '.' || (s.segment -> 1)::text end, '' order by s.n), '') as below
                 from jsonb_array_elements(p.segments) with ordinality as s (segment, n)
                where s.n > 1
           ) as m
           where m.below <> '' or p.segments -> 0 ->> 1 not in ('input', 'trigger')
      ) as n;
end
$$;

-- Whether data has what pawl.needed_input found; false: it has to be looked at closely.
create or replace function pawl.has_input(p_data jsonb, p_path jsonpath) returns boolean
language sql immutable parallel safe
return p_path is null or coalesce(jsonb_path_match(p_data, p_path, '{}', true), false);

-- Says what is wrong with the first of many starts that is wrong, if one is.
create or replace function pawl.refuse_entries(
    p_head pawl.definition, p_definition jsonb, p_runs jsonb, p_place bigint[]
) returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_entry record;
begin
    for v_entry in
        select e.entry, format('runs[%s]: ', coalesce(p_place[e.n::int], e.n) - 1) as place
          from jsonb_array_elements(p_runs) with ordinality as e (entry, n)
         order by e.n
    loop
        perform pawl.refuse_entry(v_entry.entry, v_entry.place);
        perform pawl.refuse_input(
            (p_head).name, p_definition, coalesce(nullif(v_entry.entry -> 'data', 'null'), '{}'), v_entry.place
        );
    end loop;
end
$$;

-- Starts many runs of the version that p_head says. p_place: which ones of a longer list they are; null: that is all.
-- Returns what start_checked does.
create or replace function pawl.start_entries(
    p_bucket smallint, p_head pawl.definition, p_runs jsonb, p_place bigint[], p_triggered_by text,
    out run_id uuid[], out created boolean[]
)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan as $$
declare
    c_part constant int := 2000;
    c_known constant text[] := array['data', 'correlation_id', 'subject', 'priority', 'start_at'];
    v_definition jsonb;
    v_needs record;
    v_schema jsonb;
    v_test jsonpath;
    v_all record;
    v_part record;
    v_first int;
    v_last int;
begin
    select v.definition into v_definition
      from pawl.workflow_version v
     where v.workflow = (p_head).workflow and v.version = (p_head).version;
    v_needs := pawl.needed_input(v_definition);
    v_schema := nullif(v_definition -> 'input_schema', 'null');
    v_test := pawl.schema_test(v_schema);
    -- In the order of the list: to sort it for each array would take longer than all the rest.
    select array_agg(f.data) as data, array_agg(f.key) as key, array_agg(nullif(f.subject, '')) as subject,
           array_agg(case when w.wrong then 0::smallint else coalesce(f.priority, '0')::smallint end) as priority,
           array_agg(case when not w.wrong then f.start_at::timestamptz end) as start_at, bool_or(w.wrong) as wrong
      into v_all
      from jsonb_array_elements(p_runs) as e (entry)
     cross join lateral (
         select coalesce(e.entry -> 'data', '{}') as data, e.entry ->> 'correlation_id' as key,
                e.entry ->> 'subject' as subject, e.entry ->> 'priority' as priority, e.entry ->> 'start_at' as start_at
         offset 0
     ) as f
     cross join lateral (
         -- What seems to be wrong is looked at closely.
         select v_needs.problem is not null or jsonb_typeof(e.entry) <> 'object' or jsonb_typeof(f.data) <> 'object'
                or e.entry - c_known <> '{}' or pg_column_size(f.data) > 30000
                or coalesce(octet_length(f.key) not between 1 and 400, false)
                or coalesce(octet_length(f.subject) > 500, false)
                or coalesce(f.priority !~ '^-?[0-9]{1,4}$', false)
                or coalesce(f.start_at !~ '^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9:.]+([-+][0-9:]+|Z)?$', false)
                or not pawl.has_input(f.data, v_needs.path)
                or case when v_schema is not null then not pawl.fits(v_schema, f.data, v_test) else false end as wrong
         offset 0
     ) as w;
    if v_all.wrong then
        perform pawl.refuse_entries(p_head, v_definition, p_runs, p_place);
        v_all := pawl.plain_entries(p_runs);
    end if;
    if num_nonnulls(variadic v_all.key) > 0 then
        perform pawl.refuse_reserved_keys(v_all.key);
    end if;
    for v_first in select g from generate_series(1, cardinality(v_all.data), c_part) as g loop
        v_last := v_first + c_part - 1;
        v_part := pawl.start_checked(
            p_bucket, p_head, v_definition, v_all.data[v_first:v_last], v_all.key[v_first:v_last],
            v_all.subject[v_first:v_last], v_all.priority[v_first:v_last], v_all.start_at[v_first:v_last],
            p_triggered_by
        );
        if v_part.created is not null or created is not null then
            created := coalesce(created, array_fill(true, array[v_first - 1]))
                       || coalesce(v_part.created, array_fill(true, array[cardinality(v_part.run_id)]));
        end if;
        run_id := run_id || v_part.run_id;
    end loop;
end
$$;

-- What many starts say that were looked at closely.
create or replace function pawl.plain_entries(
    p_runs jsonb, out data jsonb[], out key text[], out subject text[], out priority smallint[],
    out start_at timestamptz[], out wrong boolean
)
language sql stable
begin atomic
    select array_agg(coalesce(nullif(e.entry -> 'data', 'null'), '{}') order by e.n),
           array_agg(e.entry ->> 'correlation_id' order by e.n),
           array_agg(nullif(e.entry ->> 'subject', '') order by e.n),
           array_agg(coalesce((e.entry ->> 'priority')::smallint, 0::smallint) order by e.n),
           array_agg((e.entry ->> 'start_at')::timestamptz order by e.n), false
      from jsonb_array_elements(p_runs) with ordinality as e (entry, n);
end;

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
    v_run uuid[];
    v_created boolean[];
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
          from jsonb_array_elements(case when v_tenant.payload_bytes_max is not null then runs end) as e (entry)
    ));
    if v_head.canary is null then
        select s.run_id, s.created into v_run, v_created
          from pawl.start_entries(v_tenant.bucket, v_head, runs, null, start_many.triggered_by) as s;
        return query
        select u.n, u.id, coalesce(v_created[u.n], true) from unnest(v_run) with ordinality as u (id, n);
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
        select s.run_id, s.created into v_run, v_created
          from pawl.start_entries(
              v_tenant.bucket, v_head, v_share.entries, v_share.places, start_many.triggered_by
          ) as s;
        return query
        select v_share.places[u.n], u.id, coalesce(v_created[u.n], true)
          from unnest(v_run) with ordinality as u (id, n);
    end loop;
end
$$;

-- What plan::run_started writes for each of many starts, in order, and that no process has counted it yet. Absent is
-- not null here: input may hold nulls, so they are not stripped. To sort the keys of an object is most of the work: so
-- they come in about the order in which they are kept, the short ones first. The plan has to be generic: in one that
-- was made for these arrays, each look-up of an element walks over those before it.
create or replace function pawl.first_events(
    p_head pawl.definition, p_input jsonb[], p_correlation text[], p_subject text[], p_start_at timestamptz[],
    p_triggered_by text
) returns jsonb[]
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan as $$
declare
    v_same jsonb := jsonb_strip_nulls(jsonb_build_object(
        'workflow', (p_head).workflow, 'version', (p_head).version,
        'timeout_ms',
        coalesce(pawl.duration_ms((p_head).settings -> 'timeout'), (p_head).timeout_seconds::bigint * 1000),
        'triggered_by', nullif(p_triggered_by, ''), 'uncounted', true
    ));
begin
    return array(
        select jsonb_set(case
                   when p_start_at[i] is not null then jsonb_strip_nulls(jsonb_build_object(
                       'subject', nullif(p_subject[i], ''), 'correlation_id', nullif(p_correlation[i], ''),
                       'start_at', (extract(epoch from p_start_at[i]) * 1000000)::bigint))
                   when p_correlation[i] <> '' and p_subject[i] <> ''
                   then jsonb_object(array['subject', p_subject[i], 'correlation_id', p_correlation[i]])
                   when p_correlation[i] <> '' then jsonb_object(array['correlation_id', p_correlation[i]])
                   when p_subject[i] <> '' then jsonb_object(array['subject', p_subject[i]])
                   else '{}' end, '{input}', coalesce(p_input[i], '{}')) || v_same
          from generate_series(1, cardinality(p_input)) as u (i)
    );
end
$$;
