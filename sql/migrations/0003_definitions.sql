-- Definitions as rows that people write. pawl.workflow is the identity of a workflow and stays for
-- ever, so that every run keeps its name. pawl.definition has its head: what the next start uses.
-- pawl.workflow_version has every head there ever was. The head is a plain table with plain
-- columns, so that INSERT, UPDATE, DELETE and INSERT ... ON CONFLICT (name) work through a view,
-- with the right row counts; triggers keep the three tables in step.
-- breaking: yes

set local lock_timeout = '5s';

-- Values --------------------------------------------------------------------------------------------------------------

-- A duration as the definition JSON has it: a number of seconds, or text like "1h30m" or "PT5M".
create function pawl.duration_ms(p_duration jsonb) returns bigint
language sql immutable parallel safe
return case
    when jsonb_typeof(p_duration) = 'number' then ceil((p_duration #>> '{}')::numeric * 1000)::bigint
    when p_duration #>> '{}' ~ '^ *P' then ceil(extract(epoch from (p_duration #>> '{}')::interval) * 1000)::bigint
    when p_duration #>> '{}' ~ '^ *[0-9.]+ *$' then ceil((p_duration #>> '{}')::numeric * 1000)::bigint
    else (
        select ceil(sum(m.part[1]::numeric * case m.part[2]
                   when 'd' then 86400000 when 'h' then 3600000 when 'm' then 60000 when 's' then 1000
                   when 'ms' then 1 when 'us' then 0.001 end))::bigint
          from regexp_matches(p_duration #>> '{}', '([0-9.]+)(d|h|ms|m|s|us)', 'g') as m (part)
    )
end;

create function pawl.is_whole(p_value jsonb) returns boolean
language sql immutable parallel safe
return jsonb_typeof(p_value) = 'number' and p_value #>> '{}' ~ '^-?[0-9]{1,9}$';

-- The steps of a definition, however it calls them, and their names in order: step_N counts from 0.
create function pawl.steps_of(p_definition jsonb) returns jsonb
language sql immutable parallel safe
return coalesce(p_definition -> 'steps', p_definition -> 'nodes');

create function pawl.step_names(p_definition jsonb) returns text[]
language sql immutable parallel safe
return array(
    select coalesce(s.step ->> 'id', s.step ->> 'name')
      from jsonb_array_elements(pawl.steps_of(p_definition)) with ordinality as s (step, place)
     order by s.place
);

-- Which step (from 0) comes after the one called p_node; null when the path ends there.
create function pawl.step_after(p_definition jsonb, p_node text) returns int
language sql immutable parallel safe
return case
    when p_definition ? 'edges' then (
        select array_position(pawl.step_names(p_definition), e.edge ->> 'to') - 1
          from jsonb_array_elements(p_definition -> 'edges') as e (edge)
         where e.edge ->> 'from' = p_node and coalesce(e.edge ->> 'handle', 'default') = 'default'
         limit 1
    )
    when p_definition ? 'steps' then (
        select nullif(array_position(n.names, p_node), cardinality(n.names))
          from (select pawl.step_names(p_definition)) as n (names)
    )
end;

-- Placeholders --------------------------------------------------------------------------------------------------------

-- The same reading as src/model/template_syntax.cpp, which a test compares it with. `segments` is the path as
-- [["key", "a"], ["index", 0], ...]; `problem` is set when the text is malformed, and ends the list.
create function pawl.parse_path(p_path text, out segments jsonb, out problem text)
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_rest text := p_path;
    v_key text;
    v_key_due boolean := true;
    v_close int;
begin
    segments := '[]';
    while v_rest <> '' loop
        if jsonb_array_length(segments) = 32 then
            problem := 'the path is too deep';
            return;
        end if;
        if v_key_due then
            v_key := substring(v_rest from '^(?:[A-Za-z0-9_$-]|[^\u0001-\u007f])+');
            exit when v_key is null;
            segments := segments || jsonb_build_array(jsonb_build_array('key', v_key));
            v_rest := substr(v_rest, length(v_key) + 1);
            v_key_due := false;
        elsif left(v_rest, 1) = '[' then
            v_close := strpos(v_rest, ']');
            v_key := substr(v_rest, 2, greatest(v_close - 2, 0));
            v_rest := substr(v_rest, v_close + 1);
            if v_close > 0 and length(v_key) > 2 and left(v_key, 1) in ('"', '''') and right(v_key, 1) = left(v_key, 1)
            then
                segments := segments
                    || jsonb_build_array(jsonb_build_array('key', substr(v_key, 2, length(v_key) - 2)));
            elsif v_close > 0 and v_key ~ '^[0-9]+$' and v_key::numeric <= 18446744073709551615 then
                segments := segments || jsonb_build_array(jsonb_build_array('index', v_key::numeric));
            else
                problem := 'brackets hold an index or a quoted key';
                return;
            end if;
        elsif left(v_rest, 1) = '.' then
            v_rest := substr(v_rest, 2);
            v_key_due := true;
        else
            exit;
        end if;
    end loop;
    if segments = '[]' and v_rest = '' then
        problem := 'it is empty';
    elsif v_rest <> '' or v_key_due then
        problem := 'a path looks like customer.emails[0].address';
    end if;
end
$$;

-- Null when the text is a JSON literal or a text in single quotes.
create function pawl.literal_problem(p_text text) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    if length(p_text) < 2 or left(p_text, 1) <> '''' or right(p_text, 1) <> '''' then
        perform p_text::jsonb;
    end if;
    return null;
exception when others then
    return 'a default is a JSON literal such as 0, true or "text"';
end
$$;

-- Where the "}}" stands that closes a placeholder; 0 when there is none. Quotes and the nested braces of a default
-- are skipped over.
create function pawl.placeholder_end(p_text text) returns int
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_chars text[] := string_to_array(p_text, null);
    v_char text;
    v_quote text;
    v_depth int := 0;
    v_place int := 1;
begin
    while v_place <= cardinality(v_chars) loop
        v_char := v_chars[v_place];
        if v_quote is not null then
            if v_char = '\' then
                v_place := v_place + 1;
            elsif v_char = v_quote then
                v_quote := null;
            end if;
        elsif v_char in ('"', '''') then
            v_quote := v_char;
        elsif v_char in ('{', '[') then
            v_depth := v_depth + 1;
        elsif v_depth > 0 and v_char in ('}', ']') then
            v_depth := v_depth - 1;
        elsif v_char = '}' and v_chars[v_place + 1] = '}' then
            return v_place;
        end if;
        v_place := v_place + 1;
    end loop;
    return 0;
end
$$;

create function pawl.placeholders(p_text text)
returns table (path text, segments jsonb, has_default boolean, problem text)
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    c_space constant text := E' \t\n\r';
    v_rest text := p_text;
    v_end int;
    v_inside text;
    v_content text;
    v_bar int;
    v_filter text;
begin
    while strpos(v_rest, '{{') > 0 loop
        path := null;
        segments := null;
        has_default := false;
        problem := null;
        v_rest := substr(v_rest, strpos(v_rest, '{{') + 2);
        v_end := pawl.placeholder_end(v_rest);
        if v_end = 0 and strpos(v_rest, '}}') > 0 then
            problem := format('malformed placeholder ''{{%s}}'': a quote or bracket is not closed',
                              left(left(v_rest, strpos(v_rest, '}}') - 1), 60));
        elsif v_end = 0 then
            problem := format('placeholder ''%s'' is not closed with ''}}''', left('{{' || v_rest, 60));
        else
            v_inside := left(v_rest, v_end - 1);
            v_rest := substr(v_rest, v_end + 2);
            v_content := btrim(v_inside, c_space);
            if left(v_content, 1) in ('"', '''') then
                problem := pawl.literal_problem(v_content);
                continue when problem is null;
            else
                v_bar := strpos(v_content, '|');
                path := btrim(case when v_bar > 0 then left(v_content, v_bar - 1) else v_content end, c_space);
                select p.segments, p.problem into segments, problem from pawl.parse_path(path) p;
                if problem is null and v_bar > 0 then
                    has_default := true;
                    v_filter := btrim(substr(v_content, v_bar + 1), c_space);
                    if left(v_filter, 7) <> 'default' then
                        problem := 'the only filter is ''| default: value''';
                    elsif left(btrim(substr(v_filter, 8), c_space), 1) <> ':' then
                        problem := 'write the default as ''| default: value''';
                    else
                        problem := pawl.literal_problem(
                            btrim(substr(btrim(substr(v_filter, 8), c_space), 2), c_space)
                        );
                    end if;
                end if;
            end if;
            if problem is not null then
                problem := format('malformed placeholder ''{{%s}}'': %s', left(v_inside, 60), problem);
            end if;
        end if;
        return next;
        exit when problem is not null;
    end loop;
end
$$;

-- The values of a step that may hold templates, in the order in which the engine reads them.
create function pawl.step_templates(p_step jsonb) returns table (place bigint, value jsonb)
language sql immutable parallel safe
begin atomic
    with body as (
        select case
            when jsonb_typeof(p_step -> 'config') = 'object' then p_step -> 'config'
            when jsonb_typeof(p_step -> 'http') = 'object' then p_step -> 'http'
            when jsonb_typeof(p_step -> 'code') = 'object' then p_step -> 'code'
            when jsonb_typeof(p_step -> 'wait') = 'object' then p_step -> 'wait'
            else p_step - array['id', 'name', 'type', 'retry', 'timeout', 'on_failure', 'code']
        end - 'function' as value
    )
    select row_number() over (
               order by array_position(
                   array['action', 'payload', 'payload_template', 'url', 'headers', 'body', 'input', 'duration'], m.key
               ) nulls last
           ), m.value
      from body b
     cross join jsonb_each(b.value) as m
     where m.key <> 'payload' or not b.value ? 'payload_template';
end;

create function pawl.step_placeholders(p_step jsonb)
returns table (path text, segments jsonb, has_default boolean, problem text)
language sql immutable parallel safe
begin atomic
    select p.path, p.segments, p.has_default, p.problem
      from pawl.step_templates(p_step) t
     cross join lateral jsonb_path_query(t.value, 'strict $.** ? (@.type() == "string")')
           with ordinality as s (text, place)
     cross join lateral pawl.placeholders(s.text #>> '{}')
           with ordinality as p (path, segments, has_default, problem, n)
     where s.text #>> '{}' like '%{{%'
     order by t.place, s.place, p.n;
end;

-- Follows a path from its segment p_from (0: the root); null when it leads nowhere.
create function pawl.walk(p_value jsonb, p_segments jsonb, p_from int) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_value jsonb := p_value;
    v_segment jsonb;
begin
    for place in p_from .. jsonb_array_length(p_segments) - 1 loop
        v_segment := p_segments -> place;
        if v_segment ->> 0 = 'index' then
            v_value := case when jsonb_typeof(v_value) = 'array' and (v_segment ->> 1)::numeric < 1000000000
                            then v_value -> (v_segment ->> 1)::int end;
        else
            v_value := case when jsonb_typeof(v_value) = 'object' then v_value -> (v_segment ->> 1) end;
        end if;
        exit when v_value is null;
    end loop;
    return v_value;
end
$$;

-- What a start must bring and p_data does not: the required fields, and a value for every placeholder of every step
-- that has no default and is not filled at run time.
create function pawl.missing_input(
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
            or pawl.walk(p_data, v_placeholder.segments, case when v_root = 'input' then 1 else 0 end) is not null;
        variables := variables || v_placeholder.path;
    end loop;
end
$$;

-- The head ------------------------------------------------------------------------------------------------------------

create table pawl.definition (
    workflow int not null,
    id uuid not null default gen_random_uuid(),
    tenant int not null default 1,
    name text not null,
    -- The name, where the tenant is the default one: ON CONFLICT (name) needs a unique index on one column.
    document_name text,
    description text,
    steps jsonb not null,
    required_fields text[] not null default '{}',
    timeout_seconds int default 300,
    visibility_timeout int default 60,
    max_retries int default 3,
    -- What else the definition says: edges, a timeout that is not whole seconds, whatever comes later.
    settings jsonb not null default '{}',
    active boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    created_by text,
    version int not null default 1,
    -- Always null at rest. Written to say where the content comes from: a definition as JSON, or an older version.
    source jsonb,
    restore int,
    constraint definition_pk primary key (workflow),
    constraint definition_id_unique unique (id),
    constraint definition_name_unique unique (tenant, name),
    constraint definition_document_name_unique unique (document_name),
    constraint definition_workflow_fk foreign key (workflow) references pawl.workflow (id),
    constraint definition_source_check check (source is null and restore is null)
);

-- The definition JSON of a head, as pawl.workflow_version stores it.
create function pawl.definition_json(p_head pawl.definition) returns jsonb
language sql immutable parallel safe
return (
    select jsonb_object_agg(m.key, m.value)
      from (
          select 'name', to_jsonb((p_head).name)
           union all
          select 'description', to_jsonb((p_head).description)
           union all
          select case when (p_head).settings ? 'nodes' then 'nodes' else 'steps' end, (p_head).steps
           union all
          select 'required_fields', to_jsonb(nullif((p_head).required_fields, '{}'))
           union all
          select 'timeout_seconds', to_jsonb((p_head).timeout_seconds) where not (p_head).settings ? 'timeout'
           union all
          select 'visibility_timeout', to_jsonb((p_head).visibility_timeout)
           union all
          select 'max_retries', to_jsonb((p_head).max_retries)
           union all
          select s.key, s.value from jsonb_each((p_head).settings - 'nodes') as s
      ) as m (key, value)
     where m.value is not null
);

-- The other way round. Whatever a column cannot hold exactly goes to settings.
create function pawl.definition_head(p_definition jsonb) returns pawl.definition
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_head pawl.definition;
    v_rest jsonb := p_definition - 'name';
    v_key text;
begin
    v_head.name := p_definition ->> 'name';
    if jsonb_typeof(v_rest -> 'description') = 'string' then
        v_head.description := v_rest ->> 'description';
        v_rest := v_rest - 'description';
    end if;
    if v_rest ? 'steps' then
        v_head.steps := v_rest -> 'steps';
        v_rest := v_rest - 'steps';
    else
        v_head.steps := v_rest -> 'nodes';
        v_rest := v_rest || '{"nodes": true}';
    end if;
    v_head.required_fields := '{}';
    if jsonb_typeof(v_rest -> 'required_fields') = 'array' and v_rest -> 'required_fields' <> '[]' then
        v_head.required_fields := array(select jsonb_array_elements_text(v_rest -> 'required_fields'));
        v_rest := v_rest - 'required_fields';
    end if;
    if v_rest ? 'timeout' then
        v_head.timeout_seconds := ceil(pawl.duration_ms(v_rest -> 'timeout') / 1000.0);
    elsif pawl.is_whole(v_rest -> 'timeout_seconds') then
        v_head.timeout_seconds := v_rest -> 'timeout_seconds';
        v_rest := v_rest - 'timeout_seconds';
    end if;
    if pawl.is_whole(v_rest -> 'visibility_timeout') then
        v_head.visibility_timeout := v_rest -> 'visibility_timeout';
        v_rest := v_rest - 'visibility_timeout';
    end if;
    if pawl.is_whole(v_rest -> 'max_retries') then
        v_head.max_retries := v_rest -> 'max_retries';
        v_rest := v_rest - 'max_retries';
    end if;
    v_head.settings := v_rest;
    return v_head;
end
$$;

create function pawl.refuse_definition(p_what text, p_hint text) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    raise exception '%', p_what using errcode = 'invalid_parameter_value', hint = p_hint;
end
$$;

-- What the engine would refuse is refused when it is written, not when it is started.
create function pawl.check_step(p_step jsonb, p_path text, p_names text[]) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    c_example constant text := 'A step looks like {"name": "send_email", "function": "send-email", "action": "send", '
        '"payload_template": {"to": "{{email}}"}, "on_failure": "retry"}.';
    v_name text;
    v_wrong text;
begin
    if jsonb_typeof(p_step) <> 'object' then
        perform pawl.refuse_definition(p_path || ': must be an object', c_example);
    end if;
    v_name := coalesce(p_step ->> 'id', p_step ->> 'name', '');
    if v_name = '' then
        perform pawl.refuse_definition(p_path || '.name: is missing: every step needs a name', c_example);
    elsif v_name !~ '^[A-Za-z_][A-Za-z0-9_-]{0,99}$' then
        perform pawl.refuse_definition(
            format('%s.name: ''%s'' is not a step name', p_path, left(v_name, 60)),
            'A name starts with a letter or _ and holds only letters, digits, _ and - (100 at most).'
        );
    elsif cardinality(array_positions(p_names, v_name)) > 1 then
        perform pawl.refuse_definition(
            format('%s.name: ''%s'' is used twice', p_path, v_name), 'Give every step a name of its own.'
        );
    end if;
    if coalesce(p_step -> 'on_failure', 'null') not in ('null', '"abort"', '"continue"', '"retry"') then
        perform pawl.refuse_definition(
            p_path || '.on_failure: must be ''continue'', ''abort'' or ''retry''',
            'continue goes on with the next step, abort fails the run, retry tries again up to max_retries times.'
        );
    end if;
    if not p_step ?| array['type', 'function', 'code', 'http', 'url', 'wait', 'duration'] then
        perform pawl.refuse_definition(p_path || '.function: is missing: which function is to be called?', c_example);
    end if;
    if not p_step ?| array['type', 'code', 'wait', 'duration'] and p_step ? 'function' then
        perform pawl.check_function_step(p_step, p_path, c_example);
    end if;
    select coalesce(
               p.problem,
               format('''{{%s}}'' refers to a step that does not exist', p.path)
           ) into v_wrong
      from pawl.step_placeholders(p_step) p
     where p.problem is not null
        or (p.segments -> 0 ->> 1 = 'steps' and p.segments -> 1 ->> 1 <> all (p_names))
     limit 1;
    if v_wrong is not null then
        perform pawl.refuse_definition(
            format('%s: %s', p_path, v_wrong),
            'Placeholders look like {{customer.emails[0]}} or {{name | default: "you"}}; '
            'results of earlier steps are {{step_0_result.field}} and {{steps.NAME.result.field}}.'
        );
    end if;
end
$$;

create function pawl.check_function_step(p_step jsonb, p_path text, p_example text) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    c_known constant text[] := array['id', 'name', 'function', 'action', 'payload', 'payload_template', 'url',
        'headers', 'on_failure', 'retry', 'timeout'];
    v_key text;
begin
    if jsonb_typeof(p_step -> 'function') <> 'string' or p_step ->> 'function' = '' then
        perform pawl.refuse_definition(p_path || '.function: must name the function to call', p_example);
    elsif strpos(p_step ->> 'function', '{{') > 0 then
        perform pawl.refuse_definition(
            p_path || '.function: may not be a template', 'What is called is part of the definition, never of the data.'
        );
    end if;
    foreach v_key in array array['action', 'url'] loop
        if jsonb_typeof(p_step -> v_key) not in ('string', 'null') then
            perform pawl.refuse_definition(format('%s.%s: must be text', p_path, v_key), p_example);
        end if;
    end loop;
    select k.key into v_key from jsonb_object_keys(p_step) as k (key) where k.key <> all (c_known) limit 1;
    if found then
        perform pawl.refuse_definition(
            format('%s.%s: unknown key', p_path, v_key), 'A step may have: ' || array_to_string(c_known, ', ') || '.'
        );
    end if;
end
$$;

-- Without jit: the planner takes a few placeholders for millions, and compiling for them costs 0.2 s a step.
create function pawl.check_steps(p_steps jsonb) returns void
language plpgsql set search_path = pg_catalog set jit = off as $$
declare
    v_names text[];
begin
    if jsonb_typeof(p_steps) is distinct from 'array' or p_steps = '[]' then
        perform pawl.refuse_definition('steps: must be an array of at least one step', 'Give steps as a JSON array.');
    elsif jsonb_array_length(p_steps) > 1000 then
        perform pawl.refuse_definition('steps: may hold 1000 at most', 'Split the workflow.');
    end if;
    v_names := pawl.step_names(jsonb_build_object('steps', p_steps));
    perform pawl.check_step(s.step, format('steps[%s]', s.place - 1), v_names)
       from jsonb_array_elements(p_steps) with ordinality as s (step, place);
end
$$;

create function pawl.check_number(p_column text, p_value int, p_min int, p_max int) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    if p_value not between p_min and p_max then
        perform pawl.refuse_definition(
            format('%s: must be a whole number from %s to %s, not %s', p_column, p_min, p_max, p_value),
            'null stands for no limit of its own.'
        );
    end if;
end
$$;

-- Whether the edges lead from each step to the one after it, and nowhere else.
create function pawl.is_line(p_names text[], p_edges jsonb) returns boolean
language sql immutable parallel safe
return coalesce(p_edges, '[]') = coalesce((
    select jsonb_agg(jsonb_build_object('from', p_names[i], 'to', p_names[i + 1], 'handle', 'default') order by i)
      from generate_series(1, cardinality(p_names) - 1) as i
), '[]');

-- Writers of definitions come one after the other, before any row is locked: versions are numbered without gaps and
-- two inserts of one name meet at its unique index, never at another.
create function pawl.lock_definitions() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    perform pg_advisory_xact_lock(hashtext('pawl.definition'));
    return null;
end
$$;

-- The identity under a name; made when there is none.
create function pawl.workflow_id(p_tenant int, p_name text) returns int
language plpgsql set search_path = pg_catalog as $$
declare
    v_id int;
begin
    select w.id into v_id from pawl.workflow w where w.tenant = p_tenant and w.name = p_name;
    if not found then
        insert into pawl.workflow (tenant, name) values (p_tenant, p_name) returning id into v_id;
    end if;
    return v_id;
end
$$;

-- Fills and checks a head before it is written. It fires before ON CONFLICT is looked at, so it leaves nothing behind
-- that a conflict would have to take back: the identity of a name that is taken exists already.
create function pawl.prepare_definition() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    v_content pawl.definition;
    v_highest int;
begin
    if tg_op = 'UPDATE' and new.document_name is distinct from old.document_name then
        new.name := new.document_name;
    end if;
    new.name := coalesce(new.name, new.document_name);
    if new.name is null or new.name !~ '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$' then
        perform pawl.refuse_definition(
            case when coalesce(new.name, '') = '' then 'name: is missing: a workflow needs a name'
                 else format('name: ''%s'' is not a workflow name', left(new.name, 60)) end,
            'A name starts with a letter or _ and holds only letters, digits, _, - and . (100 at most).'
        );
    end if;
    new.document_name := case when new.tenant = 1 then new.name end;
    if tg_op = 'INSERT' then
        new.workflow := pawl.workflow_id(new.tenant, new.name);
    end if;
    select coalesce(max(v.version), 0) into v_highest from pawl.workflow_version v where v.workflow = new.workflow;
    if new.restore is not null then
        select v.definition into new.source
          from pawl.workflow_version v where v.workflow = new.workflow and v.version = new.restore;
    end if;
    if new.source is not null then
        v_content := pawl.definition_head(new.source);
        new.description := v_content.description;
        new.steps := v_content.steps;
        new.required_fields := v_content.required_fields;
        new.timeout_seconds := v_content.timeout_seconds;
        new.visibility_timeout := v_content.visibility_timeout;
        new.max_retries := v_content.max_retries;
        new.settings := v_content.settings;
    elsif tg_op = 'UPDATE' then
        new := pawl.keep_graph(old, new);
    end if;
    if new.restore is not null then
        new.version := new.restore;
    else
        -- A row brought along from elsewhere may keep a higher number; an update is always one more.
        new.version := greatest(v_highest + 1, case when tg_op = 'INSERT' then new.version end);
        new.required_fields := coalesce(new.required_fields, '{}');
        perform pawl.check_steps(new.steps);
        perform pawl.check_number('timeout_seconds', new.timeout_seconds, 1, 31622400);
        perform pawl.check_number('visibility_timeout', new.visibility_timeout, 1, 31622400);
        perform pawl.check_number('max_retries', new.max_retries, 0, 99);
        if array_position(new.required_fields, null) is not null or '' = any (new.required_fields) then
            perform pawl.refuse_definition('required_fields: must hold field names', 'Take out the empty ones.');
        end if;
    end if;
    new.created_at := coalesce(new.created_at, now());
    new.updated_at := case when tg_op = 'UPDATE' then now() else coalesce(new.updated_at, now()) end;
    new.source := null;
    new.restore := null;
    return new;
end
$$;

-- Columns were changed one by one: what settings says about them must not contradict.
create function pawl.keep_graph(p_old pawl.definition, p_new pawl.definition) returns pawl.definition
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_old text[];
    v_new text[];
begin
    if p_new.timeout_seconds is distinct from p_old.timeout_seconds then
        p_new.settings := p_new.settings - 'timeout';
    end if;
    if not p_new.settings ? 'nodes' or jsonb_typeof(p_new.steps) is distinct from 'array' then
        return p_new;
    end if;
    v_old := pawl.step_names(jsonb_build_object('steps', p_old.steps));
    v_new := pawl.step_names(jsonb_build_object('steps', p_new.steps));
    if v_new is distinct from v_old then
        if not pawl.is_line(v_old, p_old.settings -> 'edges') then
            raise exception 'workflow "%" is a graph: its steps cannot be changed as a list', p_old.name
                using errcode = 'invalid_parameter_value',
                      hint = 'Keep the names of the steps, or apply the whole graph: pawl workflows apply FILE.';
        end if;
        p_new.settings := p_new.settings - array['nodes', 'edges'];
    end if;
    return p_new;
end
$$;

-- Every head is kept as a version that never changes, and a new name is the identity's too.
create function pawl.record_definition() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    insert into pawl.workflow_version (workflow, version, definition)
    values (new.workflow, new.version, pawl.definition_json(new))
        on conflict (workflow, version) do nothing;
    if tg_op = 'UPDATE' and new.name <> old.name then
        update pawl.workflow w set name = new.name where w.id = new.workflow;
    end if;
    return null;
exception when unique_violation then
    raise exception 'the name "%" belonged to another workflow, whose runs keep it', new.name
        using errcode = 'unique_violation', hint = 'Choose another name.';
end
$$;

create trigger definition_lock before insert or update or delete on pawl.definition
for each statement execute function pawl.lock_definitions();
create trigger definition_prepare before insert or update on pawl.definition
for each row execute function pawl.prepare_definition();
create trigger definition_record after insert or update on pawl.definition
for each row execute function pawl.record_definition();

insert into pawl.definition (workflow, tenant, name, created_at, updated_at, restore)
select w.id, w.tenant, w.name, w.created_at, w.updated_at, w.active_version from pawl.workflow w;
alter table pawl.workflow drop column active_version, drop column updated_at;

-- Makes p_definition the head of a workflow and activates it. The same definition twice is one version.
create or replace function pawl.apply_workflow(p_name text, p_definition jsonb, p_tenant int default 1)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_head pawl.definition;
    v_definition jsonb;
begin
    perform pg_advisory_xact_lock(hashtext('pawl.definition'));
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_name;
    if not found then
        changed := true;
        insert into pawl.definition as d (tenant, name, source) values (p_tenant, p_name, p_definition)
        returning d.workflow, d.version into id, version;
        return next;
        return;
    end if;
    select v.definition into v_definition
      from pawl.workflow_version v where v.workflow = v_head.workflow and v.version = v_head.version;
    id := v_head.workflow;
    version := v_head.version;
    changed := v_definition is distinct from p_definition;
    if changed then
        update pawl.definition d set source = p_definition, active = true
         where d.workflow = v_head.workflow returning d.version into version;
    elsif not v_head.active then
        update pawl.definition d set restore = d.version, active = true where d.workflow = v_head.workflow;
    end if;
    return next;
end
$$;

-- Makes one of the versions that a workflow has had the head again, or only active again when none is named. Makes no
-- new version. No row: there is no such workflow or version.
create function pawl.activate_workflow(p_tenant int, p_name text, p_version int default null)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_head pawl.definition;
begin
    perform pg_advisory_xact_lock(hashtext('pawl.definition'));
    select w.id into id from pawl.workflow w where w.tenant = p_tenant and w.name = p_name;
    select d.* into v_head from pawl.definition d where d.workflow = activate_workflow.id;
    version := coalesce(p_version, v_head.version, (
        select max(v.version) from pawl.workflow_version v where v.workflow = activate_workflow.id
    ));
    if not exists (
        select 1 from pawl.workflow_version v
         where v.workflow = activate_workflow.id and v.version = activate_workflow.version
    ) then
        return;
    end if;
    changed := v_head.workflow is null or not v_head.active or v_head.version <> version;
    if v_head.workflow is null then
        insert into pawl.definition (tenant, name, restore) values (p_tenant, p_name, activate_workflow.version);
    elsif changed then
        update pawl.definition d set restore = activate_workflow.version, active = true
         where d.workflow = activate_workflow.id;
    end if;
    return next;
end
$$;

-- No more starts; runs under way go on. False: there is no such workflow.
create function pawl.deactivate_workflow(p_tenant int, p_name text) returns boolean
language plpgsql set search_path = pg_catalog as $$
begin
    perform pg_advisory_xact_lock(hashtext('pawl.definition'));
    update pawl.definition d set restore = d.version, active = false
     where d.tenant = p_tenant and d.name = p_name and d.active;
    return exists (select 1 from pawl.definition d where d.tenant = p_tenant and d.name = p_name);
end
$$;

create view pawl.workflow_definitions as
select id, document_name as name, description, steps, required_fields, timeout_seconds, visibility_timeout,
       max_retries, active, created_at, updated_at, created_by, version
  from pawl.definition
 where document_name is not null;

-- Starting from SQL ---------------------------------------------------------------------------------------------------

drop function pawl.start(text, jsonb, text, text, smallint, timestamptz, text);

-- Starts a run in the caller's own transaction, after checking that `data` has what the workflow needs. A taken
-- correlation id gives back the run that has it. Workers are woken when the transaction commits, once however many
-- runs it started.
create function pawl.start(
    workflow text, data jsonb default '{}', correlation_id text default null, subject text default null,
    priority int default 0, start_at timestamptz default null, triggered_by text default 'sql'
) returns uuid
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_run uuid := pawl.uuid7();
    v_head pawl.definition;
    v_definition jsonb;
    v_bucket smallint;
    v_missing record;
    v_existing uuid;
begin
    select d.* into v_head from pawl.definition d where d.tenant = 1 and d.name = start.workflow;
    if not found or not v_head.active then
        raise exception 'Workflow not found: %', start.workflow
            using errcode = 'no_data_found',
                  detail = case when v_head.workflow is null then 'There is no workflow of that name.'
                                else 'The workflow is not active.' end,
                  hint = case when v_head.workflow is null then 'select name from pawl.workflow_definitions'
                              else format('select pawl.activate_workflow(1, %L)', start.workflow) end;
    end if;
    select v.definition, t.bucket into v_definition, v_bucket
      from pawl.workflow_version v
     cross join pawl.tenant t
     where v.workflow = v_head.workflow and v.version = v_head.version and t.id = v_head.tenant;
    v_missing := pawl.missing_input(v_definition, coalesce(start.data, '{}'));
    if v_missing.problem is not null then
        raise exception 'Workflow % cannot be started: %', start.workflow, v_missing.problem
            using errcode = 'invalid_parameter_value', hint = 'Correct its steps in pawl.workflow_definitions.';
    elsif v_missing.fields <> '{}' or v_missing.variables <> '{}' then
        raise exception '%', case
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
    select s.existing into v_existing
      from pawl.start_runs(
          v_bucket, null, false, array[v_run], array[v_head.tenant], array[v_head.workflow], array[v_head.version],
          array[nullif(start.subject, '')], array[start.priority::smallint], array[start.start_at],
          array[pawl.first_event(v_head, start.data, start.correlation_id, start.subject, start.start_at,
                                 start.triggered_by)],
          case when start.correlation_id <> '' then array[start.correlation_id] end, array[false]
      ) s;
    if v_existing is null and (start.start_at is null or start.start_at <= now()) then
        perform pg_notify('pawl_wake', v_bucket::text);
    end if;
    return coalesce(v_existing, v_run);
end
$$;

-- What plan::run_started writes. Absent is not null here: input may hold nulls, so they are not stripped.
create function pawl.first_event(
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
    'start_at', (extract(epoch from p_start_at) * 1000000)::bigint
)) || jsonb_build_object('input', coalesce(p_input, '{}'));

-- Executions ----------------------------------------------------------------------------------------------------------

-- What one event adds to the context of a run: the keys of the input, then those of each result, then what each step
-- left under its number. A later one of the same name wins, and a higher rank always (src/plan/scope.cpp).
create function pawl.context_part(p_definition jsonb, p_type smallint, p_node text, p_data jsonb, p_error jsonb)
returns table (rank int, key text, value jsonb)
language sql immutable parallel safe
begin atomic
    select 0, i.key, i.value
      from jsonb_each(case when p_type = 0 and jsonb_typeof(p_data -> 'input') = 'object' then p_data -> 'input' end) i
     union all
    select 1, r.key, r.value
      from jsonb_each(case when p_type = 1 and jsonb_typeof(p_data) = 'object' then p_data end) r
     union all
    select 2, format('step_%s_%s', n.place - 1, case p_type when 1 then 'result' else 'error' end),
           case p_type when 1 then coalesce(p_data, 'null') else coalesce(p_error -> 'message', '""') end
      from (select array_position(pawl.step_names(p_definition), p_node)) as n (place)
     where n.place is not null
       and (p_type = 1 or (p_type = 2 and not coalesce(p_data ? 'retry_at', false)
                           and pawl.steps_of(p_definition) -> (n.place - 1) ->> 'on_failure' = 'continue'));
end;

create function pawl.uuid7_time(p_id uuid) returns timestamptz
language sql immutable parallel safe
return to_timestamp(('x' || substr(replace(p_id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0);

-- From a run to its key. Unique, so that the join below is left out when the key is not asked for.
-- Led by the run: an index led by the bucket could be taken for a look-up by key, and read through.
alter table pawl.correlation add constraint correlation_run_unique unique (run_id, bucket);

-- Every run of the default tenant as one row. What needs the log is a sub-select of its own: it costs index probes
-- for the rows that are shown, and nothing when the column is not asked for. The two halves have no conditions of their
-- own, because only then are they planned as one relation, with its indexes.
create view pawl.workflow_executions as
select x.run_id as id,
       w.name as workflow_name,
       x.version as workflow_version,
       case when x.status > 0 then pawl.run_status_name(x.status)
            when x.state = 1 or exists (
                select 1 from pawl.event e where e.bucket = x.bucket and e.run_id = x.run_id and e.seq = 1
            ) then 'running' else 'pending' end as status,
       coalesce((
           select coalesce(pawl.step_after(v.definition, e.node),
                           array_position(pawl.step_names(v.definition), e.node) - 1)
             from pawl.event e
            cross join pawl.workflow_version v
            where e.bucket = x.bucket and e.run_id = x.run_id and v.workflow = x.workflow and v.version = x.version
              and (e.type = 1 or (e.type = 2 and not coalesce(e.data ? 'retry_at', false)
                   and pawl.steps_of(v.definition) -> (array_position(pawl.step_names(v.definition), e.node) - 1)
                       ->> 'on_failure' = 'continue'))
            order by e.seq desc
            limit 1
       ), 0) as current_step,
       (select jsonb_array_length(pawl.steps_of(v.definition))
          from pawl.workflow_version v where v.workflow = x.workflow and v.version = x.version) as total_steps,
       (select e.data -> 'input' from pawl.event e
         where e.bucket = x.bucket and e.run_id = x.run_id and e.seq = 0) as input_payload,
       (select coalesce(jsonb_object_agg(p.key, p.value order by p.rank, e.seq), '{}')
          from pawl.event e
         cross join pawl.workflow_version v
         cross join lateral pawl.context_part(v.definition, e.type, e.node, e.data, e.error) p
         where e.bucket = x.bucket and e.run_id = x.run_id and v.workflow = x.workflow and v.version = x.version
       ) as context,
       case x.status when 0 then (
           select case when e.type = 2 then e.error ->> 'message' end
             from pawl.event e where e.bucket = x.bucket and e.run_id = x.run_id order by e.seq desc limit 1
       ) else x.error ->> 'message' end as error_message,
       case when x.status in (0, 2) then (
           select case when x.status = 2 or e.type = 2 then e.node end
             from pawl.event e
            where e.bucket = x.bucket and e.run_id = x.run_id and (x.status = 0 or e.type = 2)
            order by e.seq desc limit 1
       ) end as error_step,
       (select count(*)::int from pawl.event e
         where e.bucket = x.bucket and e.run_id = x.run_id and e.type = 2 and e.data ? 'retry_at') as retry_count,
       pawl.uuid7_time(x.run_id) as created_at,
       case when x.status > 0 or x.state = 1 or exists (
           select 1 from pawl.event e where e.bucket = x.bucket and e.run_id = x.run_id and e.seq = 1
       ) then greatest(pawl.uuid7_time(x.run_id), (
           select to_timestamp((e.data ->> 'start_at')::bigint / 1000000.0)
             from pawl.event e where e.bucket = x.bucket and e.run_id = x.run_id and e.seq = 0
       )) end as started_at,
       x.closed_at as completed_at,
       c.key as correlation_id,
       (select e.data ->> 'triggered_by' from pawl.event e
         where e.bucket = x.bucket and e.run_id = x.run_id and e.seq = 0) as triggered_by
  from (
      select l.bucket, l.run_id, l.tenant, l.workflow, l.version, 0::smallint as status, l.state,
             null::timestamptz as closed_at, null::jsonb as error
        from pawl.live_run l
       union all
      select r.bucket, r.run_id, r.tenant, r.workflow, r.version, r.status, null, r.closed_at, r.error
        from pawl.run r
  ) as x
  join pawl.workflow w on w.id = x.workflow
  left join pawl.correlation c
    on c.bucket = x.bucket and c.tenant = 1 and c.workflow = x.workflow and c.run_id = x.run_id
 where x.tenant = 1 and x.bucket = (select t.bucket from pawl.tenant t where t.id = 1);

-- Rows of the view stand for runs: an insert starts one, a cancel is asked for, a closed one may be forgotten.
create function pawl.start_execution() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    v_version int;
begin
    if new.id is not null then
        raise exception 'a run gets its id when it is started' using errcode = 'invalid_parameter_value',
            hint = 'Leave id out and read it with RETURNING id; give a correlation_id to start a run only once.';
    elsif new.status <> 'pending' then
        raise exception 'a run cannot be inserted as %', new.status using errcode = 'invalid_parameter_value',
            hint = 'Leave status out: the run is pending until a worker takes it.';
    end if;
    select d.version into v_version from pawl.definition d where d.tenant = 1 and d.name = new.workflow_name;
    if new.workflow_version <> v_version then
        raise exception 'workflow % is at version %, not %', new.workflow_name, v_version, new.workflow_version
            using errcode = 'invalid_parameter_value',
                  hint = 'Leave workflow_version out, or make that version the active one: pawl.activate_workflow.';
    end if;
    new.id := pawl.start(new.workflow_name, new.input_payload, new.correlation_id,
                         triggered_by => coalesce(new.triggered_by, 'sql'));
    select e.* into new from pawl.workflow_executions e where e.id = new.id;
    return new;
end
$$;

create function pawl.change_execution() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    v_bucket smallint;
begin
    if to_jsonb(new) - 'status' <> to_jsonb(old) - 'status' or new.status not in ('cancelled', old.status) then
        raise exception 'a run cannot be changed' using errcode = 'object_not_in_prerequisite_state',
            hint = 'What can be asked for is a cancel: update ... set status = ''cancelled''.';
    end if;
    if new.status = old.status then
        return new;
    end if;
    select t.bucket into v_bucket from pawl.tenant t where t.id = 1;
    if not pawl.request_cancel(v_bucket, old.id, 'cancelled through workflow_executions') then
        raise exception 'run % is over: %', old.id, old.status using errcode = 'object_not_in_prerequisite_state',
            hint = 'Only an open run can be cancelled.';
    end if;
    perform pg_notify('pawl_wake', v_bucket::text);
    return new;
end
$$;

create function pawl.forget_execution() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    v_run pawl.run;
begin
    select r.* into v_run
      from pawl.run r
     where r.bucket = (select t.bucket from pawl.tenant t where t.id = 1) and r.run_id = old.id;
    if not found then
        raise exception 'run % is still open: cancel it first', old.id
            using errcode = 'object_not_in_prerequisite_state',
                  hint = format('update pawl.workflow_executions set status = ''cancelled'' where id = %L', old.id);
    end if;
    delete from pawl.correlation c where c.bucket = v_run.bucket and c.run_id = v_run.run_id;
    delete from pawl.dead_letter d where d.bucket = v_run.bucket and d.run_id = v_run.run_id;
    delete from pawl.event e where e.bucket = v_run.bucket and e.run_id = v_run.run_id;
    delete from pawl.run r where r.bucket = v_run.bucket and r.run_id = v_run.run_id;
    return old;
end
$$;

create trigger workflow_executions_insert instead of insert on pawl.workflow_executions
for each row execute function pawl.start_execution();
create trigger workflow_executions_update instead of update on pawl.workflow_executions
for each row execute function pawl.change_execution();
create trigger workflow_executions_delete instead of delete on pawl.workflow_executions
for each row execute function pawl.forget_execution();

-- The short names, where they are free: an application may have tables of the same name.
do $$
declare
    v_name text;
begin
    foreach v_name in array array['workflow_definitions', 'workflow_executions'] loop
        begin
            if to_regclass('public.' || v_name) is not null then
                raise notice 'public.% exists already: use pawl.%', v_name, v_name;
            else
                execute format('create view public.%1$I as select * from pawl.%1$I', v_name);
            end if;
        exception when insufficient_privilege or invalid_schema_name then
            raise notice 'public.% could not be made: use pawl.%', v_name, v_name;
        end;
    end loop;
end
$$;
