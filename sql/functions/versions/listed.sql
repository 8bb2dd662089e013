-- Whether a step is retried as one that says nothing of its own, but for how often (src/model/retry_policy.hpp). What
-- becomes of an unknown outcome depends on what it asks for.
create or replace function pawl.has_usual_retry(p_node jsonb) returns boolean
language sql immutable parallel safe
return jsonb_typeof(p_node -> 'retry') = 'object'
   and (p_node -> 'retry') - array['attempts', 'permanent'] = jsonb_build_object(
           'base', '1s', 'factor', 2, 'cap', '1h', 'jitter', '[0.1, 0.4]'::jsonb,
           'ambiguous', case when p_node ->> 'type' = 'http'
                              and upper(coalesce(p_node -> 'config' ->> 'method',
                                                 case when p_node -> 'config' ? 'body' then 'POST' end))
                                  in ('POST', 'PATCH')
                             then 'settle' else 'retry' end
       );

-- What becomes of a failure, in the words of a list of steps. p_retries: how often those are tried again that say no
-- more than `retry`.
create or replace function pawl.failure_words(p_node jsonb, p_retries int) returns jsonb
language sql immutable parallel safe
return case
    when pawl.has_usual_retry(p_node) and p_node -> 'retry' -> 'attempts' = '1'
    then jsonb_build_object('on_failure', p_node -> 'on_failure')
    when pawl.has_usual_retry(p_node) and p_node ->> 'on_failure' = 'abort'
         and (p_node -> 'retry' ->> 'attempts')::int = p_retries + 1
    -- A step that says nothing is tried as often, but not when that cannot help.
    then case when p_node -> 'retry' -> 'permanent' = 'true' then '{"on_failure": "retry"}'::jsonb else '{}' end
    else jsonb_build_object('on_failure', case p_node ->> 'on_failure' when 'abort' then 'retry' else 'continue' end,
                            'retry', p_node -> 'retry')
end;

-- A node of the canonical form (src/model/definition_json.cpp) as a list of steps has it.
create or replace function pawl.listed_step(p_node jsonb, p_retries int, p_own_timeout boolean) returns jsonb
language sql immutable parallel safe
return case
    when p_node ->> 'type' not in ('function', 'code', 'http', 'transform', 'sql')
    then p_node - case when p_own_timeout then '' else 'timeout' end
    else jsonb_build_object('name', p_node -> 'id')
         || case when p_node ->> 'type' = 'function'
                  and (p_node -> 'config') - array['function', 'action', 'payload', 'url', 'headers'] = '{}'
                 then (p_node -> 'config') - 'payload'
                      || case when p_node -> 'config' ? 'payload'
                              then jsonb_build_object('payload_template', p_node -> 'config' -> 'payload')
                              else '{}' end
                 else jsonb_build_object('type', p_node -> 'type', 'config', p_node -> 'config') end
         || pawl.failure_words(p_node, p_retries)
         || case when p_own_timeout and p_node ? 'timeout' then jsonb_build_object('timeout', p_node -> 'timeout')
                 else '{}' end
         || (p_node - array['id', 'type', 'config', 'retry', 'on_failure', 'timeout'])
end;

-- Steps, visibility_timeout and max_retries of a head that came as canonical nodes. Other heads stay as they were
-- written.
create or replace function pawl.in_listed_form(p_head pawl.definition) returns pawl.definition
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    -- What a step has that says nothing (src/steps/step_request.cpp).
    c_timeout constant int := 60;
    v_timeouts text[];
begin
    if not p_head.settings ? 'nodes' or p_head.settings ? 'code' or jsonb_typeof(p_head.steps) <> 'array'
       or p_head.max_retries is not null or p_head.visibility_timeout is not null
       or exists (select 1 from jsonb_array_elements(p_head.steps) as s (step)
                   where jsonb_typeof(s.step) <> 'object'
                      or not s.step ?& array['id', 'type', 'config', 'retry', 'on_failure']) then
        return p_head;
    end if;
    select coalesce(mode() within group (order by (s.step -> 'retry' ->> 'attempts')::int - 1), 3)
      into p_head.max_retries
      from jsonb_array_elements(p_head.steps) as s (step)
     where s.step ->> 'type' in ('function', 'code', 'http', 'transform', 'sql') and pawl.has_usual_retry(s.step)
       and s.step ->> 'on_failure' = 'abort' and (s.step -> 'retry' ->> 'attempts')::int > 1;
    select array_agg(distinct coalesce(s.step ->> 'timeout', 'none')) into v_timeouts
      from jsonb_array_elements(p_head.steps) as s (step);
    if v_timeouts = '{none}' and not exists (select 1 from jsonb_array_elements(p_head.steps) as s (step)
                                              where s.step ->> 'type' not in ('function', 'code', 'http', 'sql')) then
        p_head.visibility_timeout := c_timeout;
    elsif cardinality(v_timeouts) = 1 and v_timeouts <> '{none}'
          and pawl.duration_ms(to_jsonb(v_timeouts[1])) % 1000 = 0 then
        p_head.visibility_timeout := pawl.duration_ms(to_jsonb(v_timeouts[1])) / 1000;
    end if;
    p_head.steps := (
        select jsonb_agg(pawl.listed_step(s.step, p_head.max_retries, p_head.visibility_timeout is null)
                         order by s.place)
          from jsonb_array_elements(p_head.steps) with ordinality as s (step, place)
    );
    return p_head;
end
$$;
