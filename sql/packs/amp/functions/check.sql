-- needs: functions/versions/check
-- needs: packs/amp/functions/steps

-- How errors call a node: `called` is what its caller calls it, where that is no UUID.
create or replace function pawl.amp_label(p_node jsonb) returns text
language sql immutable parallel safe
return (
    select case when p_node ->> 'node_name' <> '' then format('node "%s" (%s)', p_node ->> 'node_name', i.id)
                else 'node ' || i.id end
      from (select coalesce(p_node ->> 'called', p_node ->> 'id', 'without an id') as id) as i
);

-- The first key of p_object that is not among p_known; null: all are.
create or replace function pawl.amp_unknown_key(p_object jsonb, p_known text[]) returns text
language sql immutable parallel safe
return (select k.key from jsonb_object_keys(p_object) as k (key) where k.key <> all (p_known) order by 1 limit 1);

-- What is wrong with the question of a condition; null: nothing.
create or replace function pawl.amp_query_problem(p_tenant int, p_query jsonb) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    if jsonb_typeof(p_query) <> 'object' or coalesce(p_query ->> 'table', '') = ''
       or coalesce(p_query ->> 'field', '') = '' then
        return 'its query needs a table and a field: {"query": {"table", "field", "operator", "value"}}';
    elsif pawl.amp_unknown_key(p_query, '{table,field,operator,value,subject_field}') is not null then
        return format('its query has the unknown key "%s"',
                      pawl.amp_unknown_key(p_query, '{table,field,operator,value,subject_field}'));
    elsif pawl.amp_operator(coalesce(p_query ->> 'operator', '=')) is null then
        return format('"%s" is not an operator: use =, !=, >, >=, <, <=, in, not_in, contains, between, is_null, '
                      'is_not_null, older_than or within_last', p_query ->> 'operator');
    elsif not p_query ? 'value' and pawl.amp_operator(coalesce(p_query ->> 'operator', '=')) not like '%exists' then
        return 'its query needs a value to compare with';
    end if;
    return pawl.query_problem(p_tenant, p_query ->> 'table', p_query ->> 'field', p_query ->> 'subject_field');
end
$$;

-- What is wrong with a message; null: nothing.
create or replace function pawl.amp_message_problem(p_config jsonb) returns text
language plpgsql immutable set search_path = pg_catalog as $$
declare
    c_content constant text[] := '{text,subject,html,messages,title,body,data}';
    v_config jsonb := pawl.amp_message(p_config);
begin
    if coalesce(p_config ->> 'channel', '') not in ('line', 'sms', 'email', 'push', 'webhook') then
        return format('its channel must be line, sms, email, push or webhook, not %s',
                      coalesce(p_config -> 'channel', 'null'));
    elsif v_config ? 'template' then
        return case when coalesce(v_config ->> 'template', '') = '' then 'its template_id is empty' end;
    elsif not v_config ?| c_content then
        return 'it says nothing: give it a template_id, messages, a message or a text';
    elsif pawl.amp_unknown_key(v_config, c_content || '{channel,connector,account,category,track,to}') is not null then
        return format('it has the unknown key "%s"',
                      pawl.amp_unknown_key(v_config, c_content || '{channel,connector,account,category,track,to}'));
    elsif v_config ? 'messages' and (jsonb_typeof(v_config -> 'messages') <> 'array' or v_config -> 'messages' = '[]')
    then
        return 'its messages must be a list of at least one';
    end if;
    return null;
end
$$;

-- What is wrong with a wait; null: nothing.
create or replace function pawl.amp_wait_problem(p_config jsonb) returns text
language plpgsql immutable set search_path = pg_catalog as $$
declare
    c_known constant text[] := '{duration,until,event,events,signal,date,offset,local_time,weekdays,timezone,timeout,
                                 key,filter,mode}';
    v_config jsonb := pawl.amp_wait(p_config);
    v_duration text := v_config ->> 'duration';
begin
    if not v_config ?| '{duration,until,event,events,signal,date,local_time}' then
        return 'it does not say how long it waits: {"duration": "3d"}';
    elsif pawl.amp_unknown_key(v_config, c_known) is not null then
        return format('it has the unknown key "%s"', pawl.amp_unknown_key(v_config, c_known));
    elsif v_config ? 'duration' and coalesce(v_duration, '') !~ '^\s*P'
          and coalesce(v_duration, '') !~ '^\s*([0-9]+(\.[0-9]+)?(d|h|ms|m|s|us)\s*)+$' and v_duration not like '%{{%'
    then
        return format('"%s" is not a duration: write it like 30m, 2h or 3d', coalesce(v_duration, 'null'));
    end if;
    return null;
end
$$;

-- What is wrong with an agent; null: nothing.
create or replace function pawl.amp_agent_problem(p_config jsonb) returns text
language plpgsql immutable set search_path = pg_catalog as $$
declare
    c_known constant text[] := '{instructions,prompt,url,credential,headers,model,options,sees,schema,decide,tools,
                                 budget,prices,review}';
begin
    if coalesce(p_config ->> 'instructions', '') = '' then
        return 'it does not say what the model is to do: give it instructions';
    elsif coalesce(p_config ->> 'url', '') !~* '^https?://' then
        return 'its url must begin with https:// or http://: where the model is asked';
    elsif coalesce(p_config ->> 'model', '') = '' then
        return 'it does not name a model';
    elsif pawl.amp_unknown_key(p_config, c_known) is not null then
        return format('it has the unknown key "%s"', pawl.amp_unknown_key(p_config, c_known));
    elsif p_config ? 'decide' and (jsonb_typeof(p_config -> 'decide') <> 'array' or p_config -> 'decide' = '[]') then
        return 'decide must be a list of what can be decided';
    end if;
    return null;
end
$$;

-- What is wrong with a node, whose type is one of the seven; null: nothing.
create or replace function pawl.amp_node_problem(p_tenant int, p_type text, p_config jsonb) returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_kind text := pawl.amp_kind(p_type, p_config);
    v_method text := upper(coalesce(p_config ->> 'method', 'POST'));
    v_what text;
begin
    if jsonb_typeof(p_config) is distinct from 'object' then
        return 'its node_config must be an object';
    end if;
    v_what := case
        when v_kind = 'condition' and p_config ? 'query' then pawl.amp_query_problem(p_tenant, p_config -> 'query')
        when v_kind = 'condition' and not p_config ?| '{path,field,all,any,not}'
        then 'it asks nothing: {"query": {"table", "field", "operator", "value"}}'
        when v_kind = 'message' then pawl.amp_message_problem(p_config)
        when v_kind = 'wait' then pawl.amp_wait_problem(p_config)
        when v_kind = 'http' and coalesce(p_config ->> 'url', '') !~* '^(https?://|\{\{)'
        then 'its url must begin with https:// or http://'
        when v_kind = 'http' and v_method not in ('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS')
        then format('its method must be GET, POST, PUT, PATCH or DELETE, not %s', p_config -> 'method')
        when v_kind = 'agent' then pawl.amp_agent_problem(p_config)
        when v_kind = 'action' and coalesce(p_config ->> 'action_type', '') = ''
        then 'it does not say what to do: give it an action_type, or the channel of a message' end;
    return coalesce(v_what, (
        select p.problem
          from pawl.step_placeholders(pawl.amp_step(gen_random_uuid(), p_type, p_config)) p
         where p.problem is not null
         limit 1
    ));
end
$$;
