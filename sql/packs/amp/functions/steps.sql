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

-- The config of a condition: a question about a row of the person, or whatever else the engine can ask.
create or replace function pawl.amp_condition(p_config jsonb) returns jsonb
language sql immutable parallel safe
return (
    select case when o.operator is null then p_config
                when p_config ? 'query' then case when o.negated
                     then jsonb_build_object('not', jsonb_build_object('query', t.test))
                     else jsonb_build_object('query', t.test) end
                when o.negated then jsonb_build_object('not', t.test)
                else t.test end
      from (select case when p_config ? 'query' then p_config -> 'query' else p_config end as test) as q
     cross join lateral (
         select replace(w.word, 'not contains', 'contains') as operator, w.word = 'not contains' as negated
           from (select pawl.amp_operator(coalesce(q.test ->> 'operator',
                                                   case when p_config ? 'query' then '=' end)) as word) as w
     ) as o
     cross join lateral (
         select case when o.operator in ('exists', 'not exists') then q.test - 'value' else q.test end
                || jsonb_build_object('operator', o.operator) as test
     ) as t
);

-- The config of a message. Beside a template, what else it says is for the template: {{ with.subject }}.
create or replace function pawl.amp_message(p_config jsonb) returns jsonb
language sql immutable parallel safe
return (
    select n.about || case when not n.config ? 'template' then n.content
                           when n.content = '{}' then jsonb_build_object('template', n.config -> 'template')
                           else jsonb_build_object('template', n.config -> 'template', 'with', n.content) end
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

-- A duration as the engine reads it: "3d", "3 days" and "1w" are all that people write. What is none stays as it is.
create or replace function pawl.amp_duration(p_duration text) returns text
language sql immutable parallel safe
return (
    select case when m.part is null then p_duration
                when m.part[2] ~* '^w' then trim_scale(m.part[1]::numeric * 7) || 'd'
                when m.part[2] ~* '^(ms|milli)' then m.part[1] || 'ms'
                when m.part[2] ~* '^(d|h|s|m$|mi)' then m.part[1] || lower(left(m.part[2], 1))
                else p_duration end
      from (select regexp_match(p_duration, '^\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]+)\s*$') as part) as m
);

-- The config of a wait: {"duration": "3d"}, {"duration": 3, "unit": "days"}, or whatever else the engine waits for.
create or replace function pawl.amp_wait(p_config jsonb) returns jsonb
language sql immutable parallel safe
return case when jsonb_typeof(p_config -> 'duration') in ('string', 'number') then p_config - 'unit'
    || jsonb_build_object('duration', pawl.amp_duration(concat(p_config ->> 'duration', p_config ->> 'unit')))
    else p_config end;

-- What a node is to the engine: message, http, action, or the type it has.
create or replace function pawl.amp_kind(p_type text, p_config jsonb) returns text
language sql immutable parallel safe
return case when p_type = 'message' or p_type = 'action' and p_config ? 'channel' then 'message'
            when p_type = 'api_call' or p_type = 'action' and p_config ->> 'action_type' = 'api_call' then 'http'
            else p_type end;

-- What the log calls an action: the channel of a message, the name of an action.
create or replace function pawl.amp_action(p_type text, p_config jsonb) returns text
language sql immutable parallel safe
return case pawl.amp_kind(p_type, p_config) when 'message' then p_config ->> 'channel' when 'http' then 'api_call'
                                            when 'action' then p_config ->> 'action_type' end;

-- A node as a step of a definition. What may fail by itself is tried three times.
create or replace function pawl.amp_step(p_node uuid, p_type text, p_config jsonb) returns jsonb
language sql immutable parallel safe
return (
    select jsonb_build_object('id', pawl.amp_step_name(p_node), 'type', k.kind)
        || case when k.kind in ('message', 'http', 'action', 'agent')
                then '{"retry": {"attempts": 3, "base": "1s", "factor": 2}}'::jsonb else '{}' end
        || case k.kind
               when 'trigger' then '{}'::jsonb
               when 'condition' then jsonb_build_object('config', pawl.amp_condition(p_config))
               when 'wait' then jsonb_build_object('config', pawl.amp_wait(p_config))
               when 'message' then jsonb_build_object('config', pawl.amp_message(p_config))
               when 'http' then jsonb_build_object('config', jsonb_strip_nulls(jsonb_build_object(
                        'url', p_config -> 'url', 'method', upper(coalesce(p_config ->> 'method', 'POST')),
                        'headers', p_config -> 'headers')) || case when p_config ? 'body'
                        then jsonb_build_object('body', p_config -> 'body') else '{}' end)
               when 'action' then jsonb_build_object('config', jsonb_build_object(
                        'action', p_config -> 'action_type', 'params', p_config - array['action_type', 'params']
                        || case jsonb_typeof(p_config -> 'params') when 'object' then p_config -> 'params'
                                else '{}' end))
               else jsonb_build_object('config', p_config) end
      from (select pawl.amp_kind(p_type, p_config) as kind) as k
);
