-- Raises invalid_parameter_value for a definition, with a sentence and a hint.
create or replace function pawl.refuse_definition(p_what text, p_hint text) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    raise exception '%', p_what using errcode = 'invalid_parameter_value', hint = p_hint;
end
$$;

-- Refuses a definition whose column holds a number outside p_min to p_max; null passes.
create or replace function pawl.check_number(p_column text, p_value int, p_min int, p_max int) returns void
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

-- Refuses a step of the list form that calls a function when a key is unknown or has the wrong type.
create or replace function pawl.check_function_step(p_step jsonb, p_path text, p_example text) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    c_known constant text[] := array['id', 'name', 'function', 'action', 'payload', 'payload_template', 'url',
        'headers', 'on_failure', 'retry', 'timeout', 'compensate', 'disabled'];
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
    if coalesce(p_step -> 'disabled', 'false') not in ('true', 'false') then
        perform pawl.refuse_definition(p_path || '.disabled: must be true or false', 'true switches the step off.');
    end if;
    select k.key into v_key from jsonb_object_keys(p_step) as k (key) where k.key <> all (c_known) limit 1;
    if found then
        perform pawl.refuse_definition(
            format('%s.%s: unknown key', p_path, v_key), 'A step may have: ' || array_to_string(c_known, ', ') || '.'
        );
    end if;
end
$$;

-- What the engine would refuse is refused when it is written, not when it is started.
create or replace function pawl.check_step(p_step jsonb, p_path text, p_names text[]) returns void
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

-- Without jit: the planner takes a few placeholders for millions, and compiling for them costs 0.2 s a step.
create or replace function pawl.check_steps(p_steps jsonb) returns void
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

-- Columns were changed one by one: what settings says about them must not contradict.
create or replace function pawl.keep_graph(p_old pawl.definition, p_new pawl.definition) returns pawl.definition
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

-- Says that a label is taken by another definition, if it is.
create or replace function pawl.refuse_label(p_workflow int, p_label text, p_version int) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_taken int;
begin
    select v.version into v_taken
      from pawl.workflow_version v
     where v.workflow = p_workflow and v.label = p_label and v.version <> p_version;
    if found then
        perform pawl.refuse_definition(
            format('version: %s is taken by another definition of this workflow (number %s)', p_label, v_taken),
            'A version never changes: raise the version of the changed definition.'
        );
    end if;
end
$$;
