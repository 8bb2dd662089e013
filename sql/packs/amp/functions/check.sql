-- needs: functions/nodes/configs
-- needs: functions/nodes/entries
-- needs: functions/versions/check
-- needs: functions/versions/parts
-- needs: functions/base/readable
-- needs: packs/amp/functions/steps

-- How errors call a node: `called` is what its caller calls it, where that is no UUID.
create or replace function pawl.amp_label(p_node jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case when p_node ->> 'node_name' <> '' then format('node "%s" (%s)', p_node ->> 'node_name', i.id)
                else 'node ' || i.id end
      from (select coalesce(p_node ->> 'called', p_node ->> 'id', 'without an id') as id) as i
    );
end
$$;

-- A problem of a config in the words of the merchant, who may have called a field by another name than the engine does.
create or replace function pawl.amp_said(p_problem text, p_config jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select coalesce(min(w.own || substr(p_problem, length(w.engine) + 1)), p_problem)
      from (values ('template', 'template_id'), ('text', 'message'), ('action', 'action_type')) as w (engine, own)
     where p_problem ~ ('^' || w.engine || '[:.\[]') and (p_config ? w.own or not p_config ? w.engine)
       and not (w.engine = 'text' and not p_config ? 'message')
    );
end
$$;

-- What is wrong with what a trigger says about who may enter; null: nothing. Other things that it says are its
-- builder's own.
create or replace function pawl.amp_trigger_problem(p_config jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return case
        when p_config ?| '{audience,schedule,cron}'
        then format('%s: rows of amp_workflow_trigger start a journey; for an audience or a schedule, an administrator '
                    'applies a definition', (select min(k.key) from jsonb_object_keys(p_config) as k (key)
                                              where k.key in ('audience', 'schedule', 'cron')))
        else pawl.entry_problem(pawl.amp_rules(p_config)) end;
end
$$;

-- What is wrong with a node, whose type is one of the seven, with the name of the field; null: nothing. What passes is
-- what the engine reads: pawl.config_problem.
create or replace function pawl.amp_node_problem(p_tenant int, p_type text, p_config jsonb) returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_kind text := pawl.amp_kind(p_type, p_config);
    v_step jsonb;
    v_what text;
begin
    if jsonb_typeof(p_config) is distinct from 'object' then
        return 'its node_config must be an object';
    end if;
    v_step := pawl.amp_step(gen_random_uuid(), p_type, p_config);
    if not pawl.is_readable(
        jsonb_build_object('steps', jsonb_build_array(v_step), 'rules', pawl.amp_rules(p_config))
    ) then
        return 'its node_config is nested deeper than 60 levels, or has a number that is out of range';
    end if;
    v_what := case when v_kind <> 'trigger' then pawl.config_problem(v_kind, v_step -> 'config')
                   else pawl.amp_trigger_problem(p_config) end;
    if v_what is null and v_kind = 'condition' then
        select m.key || ': ' || m.problem into v_what
          from pawl.missing_tables(p_tenant, jsonb_build_array(v_step)) as m
         limit 1;
    end if;
    return pawl.amp_said(v_what, p_config);
end
$$;
