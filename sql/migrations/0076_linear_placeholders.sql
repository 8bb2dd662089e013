-- A text with 62,000 placeholders took more than 30 seconds to publish: each placeholder took the rest of the text
-- apart. Now every character is looked at once. What a start must bring is found in one statement, and an error names
-- the first twenty names.
-- breaking: no

set local lock_timeout = '5s';

-- Goes on through a placeholder. quote and depth: what is open, before and after. place: where the closing "}}" stands;
-- 0: not in this text.
create function pawl.scan_placeholder(p_text text, inout quote text, inout depth int, out place int)
language plpgsql immutable parallel safe
set search_path = pg_catalog
as $$
declare
    v_chars text[] := string_to_array(p_text, null);
    v_char text;
begin
    place := 1;
    while place <= cardinality(v_chars) loop
        v_char := v_chars[place];
        if quote is not null then
            if v_char = '\' then
                place := place + 1;
            elsif v_char = quote then
                quote := null;
            end if;
        elsif v_char in ('"', '''') then
            quote := v_char;
        elsif v_char in ('{', '[') then
            depth := depth + 1;
        elsif depth > 0 and v_char in ('}', ']') then
            depth := depth - 1;
        elsif v_char = '}' and v_chars[place + 1] = '}' then
            return;
        end if;
        place := place + 1;
    end loop;
    place := 0;
end
$$;

-- What stands between "{{" and "}}".
create function pawl.read_placeholder(
    p_inside text, out path text, out segments jsonb, out has_default boolean, out problem text
)
language plpgsql immutable parallel safe
set search_path = pg_catalog
as $$
declare
    c_space constant text := E' \t\n\r';
    v_content text := btrim(p_inside, c_space);
    v_bar int := strpos(v_content, '|');
    v_filter text;
begin
    has_default := false;
    if left(v_content, 1) in ('"', '''') then
        problem := pawl.literal_problem(v_content);
    else
        path := btrim(case when v_bar > 0 then left(v_content, v_bar - 1) else v_content end, c_space);
        select p.segments, p.problem into segments, problem from pawl.parse_path(path) p;
        if problem is null and v_bar > 0 then
            has_default := true;
            v_filter := btrim(substr(v_content, v_bar + 1), c_space);
            if left(v_filter, 7) <> 'default' then
                problem := 'the only filter is ''| default: value''';
            elsif left(btrim(substr(v_filter, 8), c_space), 1) <> ':' then
                problem := 'write the default as ''| default: value''';
            else
                problem := pawl.literal_problem(
                    btrim(substr(btrim(substr(v_filter, 8), c_space), 2), c_space)
                );
            end if;
        end if;
    end if;
    if problem is not null then
        problem := format('malformed placeholder ''{{%s}}'': %s', left(p_inside, 60), problem);
    end if;
end
$$;

create or replace function pawl.placeholders(p_text text)
returns table (path text, segments jsonb, has_default boolean, problem text)
language plpgsql immutable parallel safe
set search_path = pg_catalog
as $$
declare
    v_piece text;  -- what follows an opening, up to the next one
    v_before boolean := true;
    v_inside text[];  -- the pieces of a placeholder that is not closed yet; null: there is none
    v_quote text;
    v_depth int;
    v_end int;
    v_rest text;
begin
    foreach v_piece in array coalesce(string_to_array(p_text, '{{'), '{}') loop
        if v_before then
            v_before := false;
            continue;
        end if;
        if v_inside is null then
            v_inside := '{}';
            v_quote := null;
            v_depth := 0;
        elsif v_quote is null then
            v_depth := v_depth + 2;
        end if;
        select s.quote, s.depth, s.place into v_quote, v_depth, v_end
          from pawl.scan_placeholder(v_piece, v_quote, v_depth) s;
        v_inside := v_inside || case when v_end > 0 then left(v_piece, v_end - 1) else v_piece end;
        continue when v_end = 0;
        select r.path, r.segments, r.has_default, r.problem into path, segments, has_default, problem
          from pawl.read_placeholder(array_to_string(v_inside, '{{')) r;
        v_inside := null;
        continue when path is null and problem is null;
        return next;
        if problem is not null then
            return;
        end if;
    end loop;
    if v_inside is null then
        return;
    end if;
    v_rest := array_to_string(v_inside, '{{');
    path := null;
    segments := null;
    has_default := false;
    problem := case when strpos(v_rest, '}}') > 0
        then format('malformed placeholder ''{{%s}}'': a quote or bracket is not closed',
                    left(left(v_rest, strpos(v_rest, '}}') - 1), 60))
        else format('placeholder ''%s'' is not closed with ''}}''', left('{{' || v_rest, 60)) end;
    return next;
end
$$;

create or replace function pawl.missing_input(
    p_definition jsonb, p_data jsonb, out fields text[], out variables text[], out problem text
)
language plpgsql immutable parallel safe
set search_path = pg_catalog
set jit = off
as $$
declare
    -- The item of a foreach, the error that an edge caught, the visit that is undone.
    v_items boolean := p_definition @? '$.nodes[*] ? (@.type == "foreach")';
    v_errors boolean := p_definition @? '$.edges[*] ? (@.handle starts with "error")';
    v_undo boolean := p_definition @? '$.nodes[*].compensate' or p_definition @? '$.steps[*].compensate';
begin
    fields := array(
        select f.field
          from jsonb_array_elements_text(p_definition -> 'required_fields') with ordinality as f (field, place)
         where jsonb_typeof(p_data) is distinct from 'object' or not p_data ? f.field
         group by f.field
         order by min(f.place)
    );
    with found as materialized (
        select p.path, p.segments, p.segments -> 0 ->> 1 as root, p.has_default, p.problem,
               row_number() over (order by s.place, p.n) as place
          from jsonb_array_elements(pawl.steps_of(p_definition)) with ordinality as s (step, place)
         cross join lateral pawl.step_placeholders(s.step)
               with ordinality as p (path, segments, has_default, problem, n)
    )
    select array(
               select f.path
                 from found f
                where not f.has_default and f.root not in ('steps', 'run', 'credentials')
                  and f.root !~ '^step_[0-9]+_(result|error)$'
                  and not (v_items and f.root in ('item', 'index')) and not (v_errors and f.root = 'error')
                  and not (v_undo and f.root = 'undo')
                  and pawl.walk(p_data, f.segments, case when f.root = 'input' then 1 else 0 end) is null
                group by f.path
                order by min(f.place)
           ),
           (select f.problem from found f where f.problem is not null order by f.place limit 1)
      into variables, problem;
end
$$;

-- "a, b and 3 more"
create function pawl.first_names(p_names text[]) returns text
language sql immutable parallel safe
return array_to_string(array(
           select case when octet_length(n.name) > 200 then left(n.name, 200) || '...' else n.name end
             from unnest(p_names[:20]) with ordinality as n (name, place)
            order by n.place
       ), ', ')
       || case when cardinality(p_names) > 20 then format(' and %s more', cardinality(p_names) - 20) else '' end;

create or replace function pawl.refuse_input(p_workflow text, p_definition jsonb, p_data jsonb, p_place text)
returns void
language plpgsql stable
set search_path = pg_catalog
as $$
declare
    v_missing record;
begin
    v_missing := pawl.missing_input(p_definition, p_data);
    if v_missing.problem is not null then
        raise exception '%Workflow % cannot be started: %', p_place, p_workflow, v_missing.problem
            using errcode = 'invalid_parameter_value', hint = 'Correct its steps in pawl.workflow_definitions.';
    elsif v_missing.fields <> '{}' or v_missing.variables <> '{}' then
        raise exception '%', p_place || case
            when v_missing.fields <> '{}' then 'Missing required fields: ' || pawl.first_names(v_missing.fields)
            else format('Missing template variables: %s. These placeholders exist in workflow steps but were not '
                        'provided in data.', pawl.first_names(v_missing.variables)) end
            using errcode = 'invalid_parameter_value',
                  detail = 'Missing in all: ' || pawl.first_names(array(
                      select m.name from unnest(v_missing.fields || v_missing.variables) with ordinality as m (name, n)
                       group by m.name order by min(m.n)
                  )),
                  hint = 'Give them in data, or give the placeholders a default: {{name | default: "you"}}.';
    end if;
end
$$;
