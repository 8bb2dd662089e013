-- workflow_definitions shows workflows that came as YAML or over the API as those that came by SQL: steps with name,
-- function, action, payload_template and on_failure, and the numbers that count. An UPDATE there changes what runs.
-- The definition as it was applied is kept beside that, and is the version; the columns say the same.
-- breaking: no

set local lock_timeout = '5s';

alter table pawl.definition add column applied jsonb;
comment on column pawl.definition.applied is 'the definition as it was applied, while the columns say the same';

-- Whether a step is retried as one that says nothing of its own, but for how often (src/model/retry_policy.hpp). What
-- becomes of an unknown outcome depends on what it asks for.
create function pawl.has_usual_retry(p_node jsonb) returns boolean
language sql immutable parallel safe
return jsonb_typeof(p_node -> 'retry') = 'object' and (p_node -> 'retry') - 'attempts' = jsonb_build_object(
    'base', '1s', 'factor', 2, 'cap', '1h', 'jitter', '[0.1, 0.4]'::jsonb,
    'ambiguous', case when p_node ->> 'type' = 'http'
                       and upper(coalesce(p_node -> 'config' ->> 'method', case when p_node -> 'config' ? 'body'
                                                                                then 'POST' end)) in ('POST', 'PATCH')
                      then 'settle' else 'retry' end
);

-- What becomes of a failure, in the words of a list of steps. p_retries: how often those are tried again that say no
-- more than `retry`.
create function pawl.failure_words(p_node jsonb, p_retries int) returns jsonb
language sql immutable parallel safe
return case
    when pawl.has_usual_retry(p_node) and p_node -> 'retry' -> 'attempts' = '1'
    then jsonb_build_object('on_failure', p_node -> 'on_failure')
    when pawl.has_usual_retry(p_node) and p_node ->> 'on_failure' = 'abort'
         and (p_node -> 'retry' ->> 'attempts')::int = p_retries + 1
    then '{"on_failure": "retry"}'
    else jsonb_build_object('on_failure', case p_node ->> 'on_failure' when 'abort' then 'retry' else 'continue' end,
                            'retry', p_node -> 'retry')
end;

-- A node of the canonical form (src/model/definition_json.cpp) as a list of steps has it.
create function pawl.listed_step(p_node jsonb, p_retries int, p_own_timeout boolean) returns jsonb
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

-- Steps, visibility_timeout and max_retries of a head that came as canonical nodes. Others are as somebody wrote them,
-- and stay so.
create function pawl.in_listed_form(p_head pawl.definition) returns pawl.definition
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    -- What a step has that says nothing (src/steps/step.cpp).
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

-- Steps of the list may say how they are undone.
do $$
declare
    v_patch record;
    v_old text;
    v_new text;
begin
    for v_patch in
        select *
          from (values
              ('pawl.check_function_step', '''on_failure'', ''retry'', ''timeout''];',
               '''on_failure'', ''retry'', ''timeout'', ''compensate''];'),
              ('pawl.definition_head', E'    v_head.settings := v_rest;\n    return v_head;',
               E'    v_head.settings := v_rest;\n    return pawl.in_listed_form(v_head);'),
              ('pawl.prepare_definition', E'        new.settings := v_content.settings;\n',
               E'        new.settings := v_content.settings;\n        new.applied := new.source;\n'),
              ('pawl.prepare_definition', E'        new := pawl.keep_graph(old, new);\n',
               E'        new := pawl.keep_graph(old, new);\n'
               '        if (new.name, new.description, new.steps, new.required_fields, new.timeout_seconds,\n'
               '            new.visibility_timeout, new.max_retries, new.settings) is distinct from\n'
               '           (old.name, old.description, old.steps, old.required_fields, old.timeout_seconds,\n'
               '            old.visibility_timeout, old.max_retries, old.settings) then\n'
               '            new.applied := null;\n'
               '        end if;\n'
               '        new.applied := new.applied - ''version'';\n'),
              ('pawl.record_definition', 'pawl.definition_json(new), pawl.label_of(new.settings)',
               'coalesce(new.applied, pawl.definition_json(new)), pawl.label_of(new.settings)')
          ) as p (function, before, after)
    loop
        v_old := pg_get_functiondef(v_patch.function::regproc);
        v_new := replace(v_old, v_patch.before, v_patch.after);
        if v_new = v_old then
            raise exception '% is not as this migration expects it: %', v_patch.function, v_patch.before;
        end if;
        execute v_new;
    end loop;
end
$$;

-- What is there already. Versions stay as they are, and nobody is told of a change: there is none.
alter table pawl.definition disable trigger user;
update pawl.definition d
   set applied = v.definition, steps = h.steps, visibility_timeout = h.visibility_timeout, max_retries = h.max_retries
  from pawl.workflow_version v
 cross join lateral pawl.definition_head(v.definition) h
 where v.workflow = d.workflow and v.version = d.version and d.settings ? 'nodes';
alter table pawl.definition enable trigger user;
