-- needs: functions/base/ids

-- The name of a node in a definition and in the log.
create or replace function pawl.amp_step_name(p_node uuid) returns text
language sql immutable parallel safe
return 'n-' || p_node;


-- The operator of a condition, in the words of the engine; null: it is none.
create or replace function pawl.amp_operator(p_operator text) returns text
language sql immutable parallel safe
return case lower(replace(btrim(p_operator), '_', ' '))
    when '=' then '=' when '==' then '=' when 'eq' then '=' when 'equals' then '=' when 'is' then '='
    when '!=' then '!=' when '<>' then '!=' when 'ne' then '!=' when 'neq' then '!=' when 'not equals' then '!='
    when '>' then '>' when 'gt' then '>' when 'greater than' then '>'
    when '>=' then '>=' when 'gte' then '>=' when 'greater than or equal' then '>='
    when '<' then '<' when 'lt' then '<' when 'less than' then '<'
    when '<=' then '<=' when 'lte' then '<=' when 'less than or equal' then '<='
    when 'in' then 'in' when 'not in' then 'not in' when 'nin' then 'not in'
    when 'contains' then 'contains' when 'like' then 'contains' when 'not contains' then 'not contains'
    when 'starts with' then 'starts with' when 'matches' then 'matches' when 'between' then 'between'
    when 'before' then 'before' when 'after' then 'after'
    when 'older than' then 'older than' when 'within last' then 'within last'
    when 'exists' then 'exists' when 'is not null' then 'exists' when 'not null' then 'exists'
    when 'not exists' then 'not exists' when 'is null' then 'not exists' when 'null' then 'not exists'
end;


-- One test as the engine takes it: its operator in the engine's words.
create or replace function pawl.amp_test(p_test jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case when o.operator is null then p_test
                when o.operator like '%exists' then p_test - 'value' || jsonb_build_object('operator', o.operator)
                else p_test || jsonb_build_object('operator', o.operator) end
      from (select pawl.amp_operator(case jsonb_typeof(coalesce(p_test -> 'operator', 'null'))
                                         when 'null' then '=' when 'string' then p_test ->> 'operator' end))
           as o (operator)
    );
end
$$;

-- A condition as the engine takes it: a question about a row of the person, or whatever else the engine can ask.
-- `not_contains` is the opposite of another test.
create or replace function pawl.amp_condition(p_condition jsonb, p_depth int default 1) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_key text := (select k.key from unnest(array['all', 'any', 'not']) as k (key) where p_condition ? k.key limit 1);
    v_test jsonb := case when p_condition ? 'query' then p_condition -> 'query' else p_condition end;
    v_named jsonb;
begin
    if jsonb_typeof(p_condition) <> 'object' or p_depth > 16 then
        return p_condition;
    elsif v_key = 'not' then
        return p_condition || jsonb_build_object('not', pawl.amp_condition(p_condition -> 'not', p_depth + 1));
    elsif v_key is not null then
        return p_condition || case when jsonb_typeof(p_condition -> v_key) <> 'array' then '{}'
            else jsonb_build_object(v_key, (select coalesce(jsonb_agg(pawl.amp_condition(e.value, p_depth + 1)
                                                                      order by e.place), '[]')
                                              from jsonb_array_elements(p_condition -> v_key)
                                                   with ordinality as e (value, place))) end;
    elsif p_condition = '{}' or jsonb_typeof(v_test) <> 'object' then
        return p_condition;
    end if;
    v_named := pawl.amp_test(v_test);
    if v_named ->> 'operator' = 'not contains' then
        v_named := v_named || '{"operator": "contains"}';
        return jsonb_build_object('not', case when p_condition ? 'query'
                                              then p_condition || jsonb_build_object('query', v_named)
                                              else v_named end);
    end if;
    return case when p_condition ? 'query' then p_condition || jsonb_build_object('query', v_named) else v_named end;
end
$$;

-- The config of a message. Beside a template, what else it says is for the template: {{ with.subject }}.
create or replace function pawl.amp_message(p_config jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select n.about || case when not n.config ? 'template' then n.content
                           else jsonb_build_object('template', n.config -> 'template')
                             || case when jsonb_typeof(n.content -> 'with') = 'object'
                                     then jsonb_build_object('with', n.content - 'with' || (n.content -> 'with'))
                                     when n.content = '{}' then '{}' else jsonb_build_object('with', n.content) end end
      from (
          select c.config, c.about, c.config - array['template', 'action_type'] - array(
                     select jsonb_object_keys(c.about)) as content
            from (
                select r.config, coalesce((
                           select jsonb_object_agg(m.key, m.value)
                             from jsonb_each(r.config) as m
                            where m.key in ('channel', 'connector', 'account', 'category', 'track', 'to')
                       ), '{}') as about
                  from (
                      select p_config - array['message', 'template_id']
                          || case when p_config ? 'message' then jsonb_build_object('text', p_config -> 'message')
                                  else '{}' end
                          || case when p_config ? 'template_id'
                                  then jsonb_build_object('template', p_config -> 'template_id') else '{}' end as config
                  ) as r
            ) as c
      ) as n
    );
end
$$;

-- A duration as the engine reads it: "3d", "3 days" and "1w" are all that people write. What is none stays as it is.
create or replace function pawl.amp_duration(p_duration text) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case when m.part is null then p_duration
                when m.part[2] ~* '^(w|wks?|weeks?)$' then trim_scale(m.part[1]::numeric * 7) || 'd'
                when m.part[2] ~* '^(ms|millis?|milliseconds?)$' then m.part[1] || 'ms'
                when m.part[2] ~* '^(d|days?|h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)$'
                then m.part[1] || lower(left(m.part[2], 1))
                else p_duration end
      from (select regexp_match(p_duration, '^\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]+)\s*$') as part) as m
    );
end
$$;

-- The config of a wait: {"duration": "3d"}, {"duration": 3, "unit": "days"}, or whatever else the engine waits for.
create or replace function pawl.amp_wait(p_config jsonb) returns jsonb
language sql immutable parallel safe
return case when jsonb_typeof(p_config -> 'duration') in ('string', 'number') then p_config - 'unit'
    || jsonb_build_object('duration', pawl.amp_duration(concat(p_config ->> 'duration', p_config ->> 'unit')))
    else p_config end;


-- The config without what is null: builders write that for what was left empty.
create or replace function pawl.amp_given(p_config jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return case when jsonb_typeof(p_config) <> 'object' then p_config
                else (select coalesce(jsonb_object_agg(m.key, m.value) filter (where m.value <> 'null'), '{}')
                        from jsonb_each(p_config) as m) end;
end
$$;

-- What a node is to the engine: message, http, action, or the type it has.
create or replace function pawl.amp_kind(p_type text, p_config jsonb) returns text
language sql immutable parallel safe
return case when p_type = 'message' or p_type = 'action' and p_config ->> 'channel' is not null then 'message'
            when p_type = 'api_call' or p_type = 'action' and p_config ->> 'action_type' = 'api_call' then 'http'
            else p_type end;


-- What the log calls an action: the channel of a message, the name of an action.
create or replace function pawl.amp_action(p_type text, p_config jsonb) returns text
language sql immutable parallel safe
return case pawl.amp_kind(p_type, p_config) when 'message' then p_config ->> 'channel' when 'http' then 'api_call'
                                            when 'action' then p_config ->> 'action_type' end;


-- The config of a request. What has no method is sent by POST.
create or replace function pawl.amp_request(p_config jsonb) returns jsonb
language sql immutable parallel safe
return p_config - array['action_type', 'headers']
    || jsonb_build_object('method', case when not p_config ? 'method' then to_jsonb('POST'::text)
                                         when jsonb_typeof(p_config -> 'method') = 'string'
                                         then to_jsonb(upper(p_config ->> 'method')) else p_config -> 'method' end)
    || case when p_config ? 'headers' then jsonb_build_object('headers', pawl.amp_given(p_config -> 'headers'))
            else '{}' end;


-- The config of an action: what stands beside its action_type are params too.
create or replace function pawl.amp_action_config(p_config jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select jsonb_strip_nulls(jsonb_build_object('action', p_config -> 'action_type')) || jsonb_build_object(
               'params', case when not p_config ? 'params' then b.beside
                              when jsonb_typeof(p_config -> 'params') = 'object' then b.beside || (p_config -> 'params')
                              else p_config -> 'params' end)
      from (select p_config - array['action_type', 'params'] as beside) as b
    );
end
$$;

-- The config of an agent.
create or replace function pawl.amp_agent(p_config jsonb) returns jsonb
language sql immutable parallel safe
return p_config || case when p_config ? 'review'
                        then jsonb_build_object('review', jsonb_strip_nulls(p_config -> 'review')) else '{}' end;


-- What the config of a node is to the engine. p_kind: as amp_kind has it.
create or replace function pawl.amp_config(p_kind text, p_config jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case p_kind when 'condition' then pawl.amp_condition(p_config) when 'wait' then pawl.amp_wait(c.given)
                       when 'message' then pawl.amp_message(c.given) when 'http' then pawl.amp_request(c.given)
                       when 'action' then pawl.amp_action_config(c.given) when 'agent' then pawl.amp_agent(c.given)
                       else c.given end
      from (select pawl.amp_given(p_config) as given) as c
    );
end
$$;

-- Conditions on a row as the engine takes them: a list of values stands for `in`.
create or replace function pawl.amp_conditions(p_conditions jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select coalesce(jsonb_object_agg(c.key, case
               when jsonb_typeof(c.value) = 'array' then jsonb_build_object('operator', 'in', 'value', c.value)
               when jsonb_typeof(c.value) = 'object' and c.value ? 'operator' then pawl.amp_test(c.value)
               else c.value end), '{}')
      from jsonb_each(p_conditions) as c
    );
end
$$;

-- Who may enter and what ends the runs, as the node says it where they begin.
create or replace function pawl.amp_rules(p_config jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select coalesce(jsonb_object_agg(m.key, case when m.key = 'enter_if' and jsonb_typeof(m.value) = 'object'
                                                 then pawl.amp_conditions(m.value) else m.value end), '{}')
      from jsonb_each(pawl.amp_given(p_config)) as m
     where m.key in ('reentry', 'enter_if', 'holdout', 'exit_on', 'goal')
    );
end
$$;

-- A node as a step of a definition. What may fail by itself is tried three times.
create or replace function pawl.amp_step(p_node uuid, p_type text, p_config jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select jsonb_build_object('id', pawl.amp_step_name(p_node), 'type', k.kind)
        || case when k.kind in ('message', 'http', 'action', 'agent')
                then '{"retry": {"attempts": 3, "base": "1s", "factor": 2}}'::jsonb else '{}' end
        || case k.kind when 'trigger' then '{}' else jsonb_build_object('config', pawl.amp_config(k.kind, p_config)) end
      from (select pawl.amp_kind(p_type, p_config) as kind) as k
    );
end
$$;
