-- The steps of a definition, however it calls them, and their names in order: step_N counts from 0.
create or replace function pawl.steps_of(p_definition jsonb) returns jsonb
language sql immutable parallel safe
return coalesce(p_definition -> 'steps', p_definition -> 'nodes');

-- The names of the steps of a definition, in order.
create or replace function pawl.step_names(p_definition jsonb) returns text[]
language sql immutable parallel safe
return array(
    select coalesce(s.step ->> 'id', s.step ->> 'name')
      from jsonb_array_elements(pawl.steps_of(p_definition)) with ordinality as s (step, place)
     order by s.place
);

-- Which step (from 0) comes after the one called p_node; null when the path ends there.
create or replace function pawl.step_after(p_definition jsonb, p_node text) returns int
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

-- Whether the edges lead from each step to the one after it, and nowhere else.
create or replace function pawl.is_line(p_names text[], p_edges jsonb) returns boolean
language sql immutable parallel safe
return coalesce(p_edges, '[]') = coalesce((
    select jsonb_agg(jsonb_build_object('from', p_names[i], 'to', p_names[i + 1], 'handle', 'default') order by i)
      from generate_series(1, cardinality(p_names) - 1) as i
), '[]');

-- Follows a path from its segment p_from (0: the root); null when it leads nowhere.
create or replace function pawl.walk(p_value jsonb, p_segments jsonb, p_from int) returns jsonb
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

-- The ways from step to step, numbered as the log numbers them. A workflow in C++ has none: its plan says what is next.
-- (In plpgsql, which keeps its plans: a view asks for them once for each run.)
create or replace function pawl.ways_of(p_definition jsonb)
returns table (place int, "from" text, "to" text, handle text)
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return query
    select (e.place - 1)::int, e.edge ->> 'from', e.edge ->> 'to', coalesce(e.edge ->> 'handle', 'default')
      from jsonb_array_elements(p_definition -> 'edges') with ordinality as e (edge, place)
     union all
    select i - 1, n.names[i], n.names[i + 1], 'default'
      from (select pawl.step_names(p_definition)) as n (names)
     cross join generate_series(1, cardinality(n.names) - 1) as i
     where p_definition ? 'steps' and not p_definition ?| array['edges', 'code'];
end
$$;

-- The config of a step: under `config`, under the name of its type, or beside its other keys.
create or replace function pawl.config_of(p_step jsonb) returns jsonb
language sql immutable parallel safe
return case when jsonb_typeof(p_step -> 'config') = 'object' then p_step -> 'config'
            when jsonb_typeof(p_step -> (p_step ->> 'type')) = 'object' then p_step -> (p_step ->> 'type')
            when jsonb_typeof(p_step -> 'http') = 'object' then p_step -> 'http'
            else p_step end;

-- What a step was given by its definition, templates and all.
create or replace function pawl.input_of(p_step jsonb) returns jsonb
language sql immutable parallel safe
return (
    select coalesce(b.body -> 'payload', b.body -> 'payload_template', b.body -> 'input', b.body -> 'params',
                    b.body -> 'body', b.body -> 'data')
      from (select pawl.config_of(p_step)) as b (body)
);

-- How often a step is tried at most (src/model/node_reader.cpp).
create or replace function pawl.attempts_of(p_definition jsonb, p_step jsonb) returns int
language sql immutable parallel safe
return case jsonb_typeof(p_step -> 'retry')
    when 'object' then coalesce((p_step -> 'retry' ->> 'attempts')::int,
                                (p_definition ->> 'max_retries')::int + 1, 5)
    when 'array' then (select max(coalesce((r.rule ->> 'attempts')::int, 5))
                         from jsonb_array_elements(p_step -> 'retry') as r (rule))
    else case when p_step ->> 'on_failure' = 'retry' then coalesce((p_definition ->> 'max_retries')::int, 3) + 1
              when p_step ? 'on_failure' then 1
              else coalesce((p_definition -> 'retry' ->> 'attempts')::int,
                            (p_definition ->> 'max_retries')::int + 1, 5) end
end;

-- The semantic version that a definition gives itself; null when it gives none.
create or replace function pawl.label_of(p_definition jsonb) returns text
language sql immutable parallel safe
return case when jsonb_typeof(p_definition -> 'version') = 'string' and p_definition ->> 'version' ~ '^[0-9]+\.[0-9]+\.'
            then p_definition ->> 'version' end;
