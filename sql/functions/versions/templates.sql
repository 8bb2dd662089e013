-- The same reading as src/model/template_syntax.cpp, which a test compares it with. `segments` is the path as
-- [["key", "a"], ["index", 0], ...]; `problem` is set when the text is malformed, and ends the list.
create or replace function pawl.parse_path(p_path text, out segments jsonb, out problem text)
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_rest text := p_path;
    v_key text;
    v_key_due boolean := true;
    v_close int;
begin
    segments := '[]';
    while v_rest <> '' loop
        if jsonb_array_length(segments) = 32 then
            problem := 'the path is too deep';
            return;
        end if;
        if v_key_due then
            v_key := substring(v_rest from '^(?:[A-Za-z0-9_$-]|[^\u0001-\u007f])+');
            exit when v_key is null;
            segments := segments || jsonb_build_array(jsonb_build_array('key', v_key));
            v_rest := substr(v_rest, length(v_key) + 1);
            v_key_due := false;
        elsif left(v_rest, 1) = '[' then
            v_close := strpos(v_rest, ']');
            v_key := substr(v_rest, 2, greatest(v_close - 2, 0));
            v_rest := substr(v_rest, v_close + 1);
            if v_close > 0 and length(v_key) > 2 and left(v_key, 1) in ('"', '''') and right(v_key, 1) = left(v_key, 1)
            then
                segments := segments
                    || jsonb_build_array(jsonb_build_array('key', substr(v_key, 2, length(v_key) - 2)));
            elsif v_close > 0 and v_key ~ '^[0-9]+$' and v_key::numeric <= 18446744073709551615 then
                segments := segments || jsonb_build_array(jsonb_build_array('index', v_key::numeric));
            else
                problem := 'brackets hold an index or a quoted key';
                return;
            end if;
        elsif left(v_rest, 1) = '.' then
            v_rest := substr(v_rest, 2);
            v_key_due := true;
        else
            exit;
        end if;
    end loop;
    if segments = '[]' and v_rest = '' then
        problem := 'it is empty';
    elsif v_rest <> '' or v_key_due then
        problem := 'a path looks like customer.emails[0].address';
    end if;
end
$$;

-- Where the "}}" stands that closes a placeholder; 0 when there is none. Quotes and the nested braces of a default
-- are skipped over.
create or replace function pawl.placeholder_end(p_text text) returns int
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_chars text[] := string_to_array(p_text, null);
    v_char text;
    v_quote text;
    v_depth int := 0;
    v_place int := 1;
begin
    while v_place <= cardinality(v_chars) loop
        v_char := v_chars[v_place];
        if v_quote is not null then
            if v_char = '\' then
                v_place := v_place + 1;
            elsif v_char = v_quote then
                v_quote := null;
            end if;
        elsif v_char in ('"', '''') then
            v_quote := v_char;
        elsif v_char in ('{', '[') then
            v_depth := v_depth + 1;
        elsif v_depth > 0 and v_char in ('}', ']') then
            v_depth := v_depth - 1;
        elsif v_char = '}' and v_chars[v_place + 1] = '}' then
            return v_place;
        end if;
        v_place := v_place + 1;
    end loop;
    return 0;
end
$$;

-- Null when the text is a JSON literal or a text in single quotes.
create or replace function pawl.literal_problem(p_text text) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    if length(p_text) < 2 or left(p_text, 1) <> '''' or right(p_text, 1) <> '''' then
        perform p_text::jsonb;
    end if;
    return null;
exception when others then
    return 'a default is a JSON literal such as 0, true or "text"';
end
$$;

-- What stands between "{{" and "}}".
create or replace function pawl.read_placeholder(
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

-- Goes on through a placeholder. quote and depth: what is open, before and after. place: where the closing "}}" stands;
-- 0: not in this text.
create or replace function pawl.scan_placeholder(p_text text, inout quote text, inout depth int, out place int)
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

-- The placeholders {{...}} of a text, in order: the path, its segments, whether it has a default, and what is wrong
-- with it. Reads the text once; the same reading as src/model/template_syntax.cpp, which a test compares it with.
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

-- A step without its programs, which have no templates: statements and jq. As model/step_template.cpp has them.
create or replace function pawl.without_programs(p_step jsonb) returns jsonb
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    c_texts constant jsonb := '{"sql": "statement", "transform": "jq"}';
    v_type text := coalesce(p_step ->> 'type', (select k.key from unnest('{sql,transform,agent}'::text[]) as k (key)
                                                 where p_step ? k.key limit 1));
    v_place text := case when jsonb_typeof(p_step -> 'config') = 'object' then 'config'
                         when jsonb_typeof(p_step -> v_type) = 'object' then v_type end;
    v_config jsonb := case when v_place is null then p_step else p_step -> v_place end;
begin
    if v_type is null or v_type not in ('sql', 'transform', 'agent') then
        return p_step;
    elsif v_type <> 'agent' then
        v_config := v_config - (c_texts ->> v_type);
    elsif jsonb_typeof(v_config -> 'tools') = 'array' then
        v_config := jsonb_set(v_config, '{tools}', (
            select coalesce(jsonb_agg(case when jsonb_typeof(e.tool -> 'sql') = 'object'
                                           then e.tool #- '{sql,statement}' else e.tool end order by e.place), '[]')
              from jsonb_array_elements(v_config -> 'tools') with ordinality as e (tool, place)));
    end if;
    if v_place is not null then
        return p_step || jsonb_build_object(v_place, v_config);
    end if;
    -- `sql: select 1` is a program too.
    return case when v_type <> 'agent' and jsonb_typeof(v_config -> v_type) = 'string' then v_config - v_type
                else v_config end;
end
$$;

-- The values of a step that may hold templates, in the order in which the engine reads them.
create or replace function pawl.step_templates(p_step jsonb) returns table (place bigint, value jsonb)
language sql immutable parallel safe
begin atomic
    with body as (
        select case
            when jsonb_typeof(s.step -> 'config') = 'object' then s.step -> 'config'
            when jsonb_typeof(s.step -> 'http') = 'object' then s.step -> 'http'
            when jsonb_typeof(s.step -> 'code') = 'object' then s.step -> 'code'
            when jsonb_typeof(s.step -> 'wait') = 'object' then s.step -> 'wait'
            else s.step - array['id', 'name', 'type', 'retry', 'timeout', 'on_failure', 'code']
        end - 'function' as value
          from (select pawl.without_programs(p_step) as step) as s
    )
    select row_number() over (
               order by array_position(
                   array['action', 'payload', 'payload_template', 'url', 'headers', 'body', 'input', 'duration'], m.key
               ) nulls last
           ), m.value
      from body b
     cross join jsonb_each(b.value) as m
     where m.key <> 'payload' or not b.value ? 'payload_template';
end;

-- The placeholders of all templates of a step.
create or replace function pawl.step_placeholders(p_step jsonb)
returns table (path text, segments jsonb, has_default boolean, problem text)
language sql immutable parallel safe
begin atomic
    select p.path, p.segments, p.has_default, p.problem
      from pawl.step_templates(p_step) t
     cross join lateral jsonb_path_query(t.value, 'strict $.** ? (@.type() == "string")')
           with ordinality as s (text, place)
     cross join lateral pawl.placeholders(s.text #>> '{}')
           with ordinality as p (path, segments, has_default, problem, n)
     where s.text #>> '{}' like '%{{%'
     order by t.place, s.place, p.n;
end;
