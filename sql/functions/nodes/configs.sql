-- needs: functions/nodes/agents
-- needs: functions/nodes/sending
-- needs: functions/nodes/waits

-- What is wrong with the credentials that the templates of a config ask for; null: nothing. Only what sends a request
-- may ask, and a text that does holds no other template.
create or replace function pawl.credentials_problem(p_type text, p_config jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case
        when p_type not in ('http', 'function', 'agent')
        then format('''{{%s}}'' may stand in http, function and agent steps only', min(t.path) filter (where t.asks))
        when bool_or(t.asks and t.odd)
        then format('''{{%s}}'' must be ''{{credentials.NAME}}''', min(t.path) filter (where t.asks and t.odd))
        else 'a text with ''{{credentials...}}'' may hold no other placeholders' end
      from (
          select p.path, p.segments -> 0 ->> 1 = 'credentials' as asks,
                 jsonb_array_length(p.segments) <> 2 or p.segments -> 1 ->> 0 <> 'key' or p.has_default as odd,
                 count(*) filter (where p.segments -> 0 ->> 1 <> 'credentials') over (partition by s.place) as others
            from jsonb_path_query(p_config, 'strict $.** ? (@.type() == "string" && @ like_regex "[{][{]")')
                 with ordinality as s (text, place)
           cross join lateral pawl.placeholders(s.text #>> '{}') as p
           where p.segments <> '[]'
      ) as t
    having bool_or(t.asks and (p_type not in ('http', 'function', 'agent') or t.odd or t.others > 0))
    );
end
$$;

-- What is wrong with the config of a node of one of these types, with the name of the field; null: nothing. Says the
-- same as the engine when it reads a definition (src/model): what one of them takes, the other takes.
create or replace function pawl.config_problem(p_type text, p_config jsonb) returns text
language plpgsql stable set search_path = pg_catalog as $$
begin
    return (
    select coalesce(case p_type
               when 'condition' then case when p_config = '{}'
                   then 'has no condition: give path, operator and value, or all, any, not'
                   else coalesce((
                       select min(k.key) || ': unknown key'
                         from jsonb_object_keys(p_config) as k (key)
                        where k.key not in ('path', 'field', 'operator', 'value', 'all', 'any', 'not', 'query')
                   ), pawl.condition_problem(p_config)) end
               when 'message' then pawl.message_problem(p_config)
               when 'wait' then pawl.wait_problem(p_config)
               when 'http' then pawl.request_problem(p_config)
               when 'action' then pawl.action_problem(p_config)
               when 'agent' then pawl.agent_problem(p_config) end,
           -- An agent has programs in it, which have no templates.
           case when p_type <> 'agent' then pawl.template_problem(p_config) end,
           pawl.credentials_problem(p_type, p_config))
    );
end
$$;
