-- What is wrong with an agent, as src/model/agent_reader.cpp reads it.
-- needs: functions/nodes/reviews

-- What is wrong with the address of a model or a tool; null: nothing.
create or replace function pawl.agent_url_problem(p_url jsonb) returns text
language sql immutable parallel safe
return case when p_url #>> '{}' !~ '^https?://' then 'must begin with https:// or http://' end;


-- What is wrong with headers and the name of a credential; null: nothing.
create or replace function pawl.agent_headers_problem(p_config jsonb) returns text
language sql immutable parallel safe
return case when jsonb_typeof(p_config -> 'headers') <> 'object'
            then 'headers: must be a map of names and values'
            when not pawl.is_identifier(coalesce(p_config ->> 'credential', 'none'))
            then 'credential: must name a credential: pawl credentials set' end;


-- What is wrong with a JSON Schema in a config; null: nothing.
create or replace function pawl.config_schema_problem(p_schema jsonb) returns text
language sql stable
return case when jsonb_typeof(p_schema) <> 'object' then 'must be a JSON Schema, such as {type: object, properties: {}}'
            else pawl.schema_problem(p_schema) end;


-- What is wrong with what a model may see; null: nothing.
create or replace function pawl.sees_problem(p_sees jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case
        when jsonb_typeof(p_sees) = 'array' and exists (
            select 1
              from jsonb_array_elements(p_sees) as e (path)
             where jsonb_typeof(e.path) <> 'string'
                or pawl.placeholder_end(' ' || (e.path #>> '{}') || ' }}') is distinct from length(e.path #>> '{}') + 3
                or (pawl.read_placeholder(e.path #>> '{}')).problem is not null
        ) then 'must list paths such as user.first_name'
        when jsonb_typeof(p_sees) not in ('array', 'object') or (
            select count(*) from jsonb_object_keys(case jsonb_typeof(p_sees) when 'object' then p_sees else '{}' end)
        ) > 100 or (
            select count(distinct e.path) from jsonb_array_elements(case jsonb_typeof(p_sees) when 'array' then p_sees
                                                                         else '[]' end) as e (path)
        ) > 100 then 'must be a list of paths, or a map of templates; 100 at most' end
    );
end
$$;

-- What is wrong with what a model may decide; null: nothing.
create or replace function pawl.decide_problem(p_decide jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case
        when jsonb_typeof(p_decide) <> 'array' or p_decide = '[]'
             or jsonb_path_exists(p_decide, 'strict $[*] ? (@.type() != "string")')
        then 'must list what can be decided, such as [accept, refuse]'
        when exists (select 1 from jsonb_array_elements_text(p_decide) as e (word)
                      where not pawl.is_identifier(e.word, true) or e.word like 'error%')
        then 'must list names of ways out, such as accept'
        when (select count(*) > count(distinct e.word) from jsonb_array_elements_text(p_decide) as e (word))
        then 'has one of them twice'
        when jsonb_array_length(p_decide) > 20 then 'may list 20 at most' end
    );
end
$$;

-- What is wrong with a tool; null: nothing.
create or replace function pawl.tool_problem(p_tool jsonb) returns text
language plpgsql stable set search_path = pg_catalog as $$
begin
    return (
    select case
        when jsonb_typeof(p_tool) <> 'object' then ': must be a map of keys and values'
        when num_nonnulls(p_tool -> 'action', p_tool -> 'http', p_tool -> 'sql') <> 1
        then ': must be one of action, http, sql'
        else '.' || coalesce(
            pawl.fields_problem(p_tool, array[
                array['name', 'fixed', null], array['description', 'text', 'must tell the model what the tool is for'],
                array['parameters', 'any', null], array['http', 'any', null], array['sql', 'raw', null],
                array['action', 'name', case when p_tool ? 'action' then 'must name a registered action' end]]),
            pawl.map_problem(p_tool, 'http', array[
                array['url', 'name', 'must be the address that the tool calls; arguments are no part of it'],
                array['method', 'one of GET, POST, PUT, PATCH, DELETE', null], array['headers', 'any', null],
                array['credential', 'fixed', null]]),
            'http.url: ' || pawl.agent_url_problem(p_tool -> 'http' -> 'url'),
            'http.' || pawl.agent_headers_problem(p_tool -> 'http'),
            pawl.map_problem(p_tool, 'sql', array[
                array['statement', 'fixed', 'must be a query, with $1, $2 for params'], array['params', 'any', null]]),
            case when jsonb_typeof(p_tool -> 'sql' -> 'params') <> 'array'
                 then 'sql.params: must be a list; "$name" stands for an argument'
                 when not pawl.is_identifier(coalesce(p_tool ->> 'name', p_tool ->> 'action'))
                 then 'name: must be how the model calls it, such as look_up' end,
            pawl.template_problem(p_tool #- '{sql,statement}'),
            (select format('sql.statement: ''{{%s}}'' stands in a program, which is not a template: values go into '
                           'params', min(p.path))
               from pawl.placeholders(p_tool -> 'sql' ->> 'statement') as p
             having count(*) > count(p.problem) and count(p.problem) = 0),
            'parameters: ' || pawl.config_schema_problem(p_tool -> 'parameters')) end
    );
end
$$;

-- What is wrong with the tools of a model; null: nothing.
create or replace function pawl.tools_problem(p_tools jsonb) returns text
language plpgsql stable set search_path = pg_catalog as $$
begin
    return (
    select case
        when jsonb_typeof(p_tools) <> 'array' or jsonb_array_length(p_tools) > 20
        then 'tools: must be a list of {name, description, action | http | sql}'
        when jsonb_typeof(p_tools) = 'array' then (
            select format('tools[%s]', t.place - 1) || coalesce(p.problem, case when t.same > 1 and t.nth > 1
                          then '.name: is the name of another tool too' end)
              from (
                  select e.tool, e.place, count(*) over (partition by n.name) as same,
                         row_number() over (partition by n.name order by e.place) as nth
                    from jsonb_array_elements(p_tools) with ordinality as e (tool, place)
                   cross join lateral (select case when jsonb_typeof(e.tool) = 'object'
                                                   then coalesce(e.tool ->> 'name', e.tool ->> 'action') end)
                     as n (name)
              ) as t
             cross join lateral pawl.tool_problem(t.tool) as p (problem)
             where p.problem is not null or t.nth > 1
             order by t.place
             limit 1
        ) end
    );
end
$$;

-- What is wrong with the budget of a model, and its prices; null: nothing.
create or replace function pawl.budget_problem(p_config jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select coalesce(
        pawl.map_problem(p_config, 'budget', array[
            array['tokens', 'whole 1 100000000', null], array['calls', 'whole 1 100', null],
            array['cost', 'number 0 1000000', null]]),
        case when p_config -> 'budget' ->> 'cost' is not null and not p_config ? 'prices'
             then 'prices: must say what a million tokens cost, for a budget of cost: {input, output}' end,
        pawl.map_problem(p_config, 'prices', array[
            array['input', 'number 0 1000000', 'must be the price of a million tokens'],
            array['output', 'number 0 1000000', 'must be the price of a million tokens']]))
    );
end
$$;

-- What is wrong with the config of an agent; null: nothing.
create or replace function pawl.agent_problem(p_config jsonb) returns text
language plpgsql stable set search_path = pg_catalog as $$
begin
    return (
    select coalesce(
        pawl.fields_problem(p_config, array[
            array['instructions', 'text', 'must tell the model what to do'], array['prompt', 'text', null],
            array['url', 'name', 'must be where the model is asked, such as https://HOST/v1/chat/completions'],
            array['model', 'text', 'must name the model'], array['headers', 'any', null],
            array['credential', 'fixed', null], array['schema', 'any', null], array['sees', 'any', null],
            array['decide', 'any', null], array['budget', 'any', null], array['prices', 'any', null],
            array['tools', 'raw', null], array['review', 'any', null], array['options', 'map', null]]),
        'url: ' || pawl.agent_url_problem(p_config -> 'url'), pawl.agent_headers_problem(p_config),
        'schema: ' || pawl.config_schema_problem(p_config -> 'schema'),
        'sees: ' || pawl.sees_problem(p_config -> 'sees'),
        'decide: ' || pawl.decide_problem(p_config -> 'decide'),
        case when p_config ?& '{decide,schema}' and p_config -> 'schema' ->> 'type' is distinct from 'object'
             then 'schema: must be of an object beside decide: {type: object, ...}' end,
        pawl.budget_problem(p_config), pawl.tools_problem(p_config -> 'tools'),
        case when jsonb_typeof(p_config -> 'review') = 'object'
             then 'review.' || pawl.review_problem(p_config -> 'review')
             else 'review: ' || pawl.review_problem(p_config -> 'review') end)
    );
end
$$;
