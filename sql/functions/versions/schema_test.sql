-- needs: functions/versions/check_schema

-- A condition on a text of a format that only what is of the format meets: of dates those that every month has.
create or replace function pawl.format_condition(p_format text) returns text
language sql immutable parallel safe
begin atomic
    select case p_format
        when 'date' then format('@ like_regex "^%s$"', f.date)
        when 'date-time' then format('@ like_regex "^%s[T ]%s%s$"', f.date, f.time, f.zone)
        when 'time' then format('@ like_regex "^%s%s$" || @ like_regex "^([01][0-9]|2[0-3])(:[0-5][0-9]){1,2}$"',
                                f.time, f.zone)
        when 'email' then '@ like_regex "^[^@\u0001-\u0020\u007f]+@[^@.\u0001-\u0020\u007f]+'
                          '([.][^@.\u0001-\u0020\u007f]+)+$" && @ like_regex "^[!-~]{1,254}$"'
        when 'uri' then '@ like_regex "^[A-Za-z][A-Za-z0-9+.-]*:[^\u0001-\u0020\"<>]+$"'
        when 'uuid' then '@ like_regex "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"' end
      from (values ('[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])',
                    '([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,6})?',
                    '([Zz]|[-+]([01][0-9]|2[0-3]):[0-5][0-9])')) as f (date, time, zone);
end;

-- A condition of jsonpath on @ for a word of a schema that only what the word allows meets. Null: the word allows all.
create or replace function pawl.word_condition(p_schema jsonb, p_word text) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    c_never constant text := '1 == 0';
    v_value jsonb := p_schema -> p_word;
    -- Postgres repeats 255 times at most.
    v_count text := case when v_value::text ~ '^[0-9]+$' and length(v_value::text) < 4
                         then case when v_value::int <= 255 then v_value::text end end;
    v_all jsonb := case when p_word = 'const' or jsonb_typeof(v_value) <> 'array' then jsonb_build_array(v_value)
                        else v_value end;
begin
    return case
        when p_word in ('title', 'description', 'default', 'examples', '$schema', '$id', '$comment', 'readOnly',
                        'writeOnly', 'deprecated') or starts_with(p_word, 'x-') then null
        when p_word = 'type' then coalesce((
            select string_agg(case t.type when 'integer' then '@.type() == "number" && @.floor() == @'
                                          else '@.type() == ' || to_jsonb(t.type)::text end, ' || ')
              from jsonb_array_elements_text(v_all) as t (type)), c_never)
        when p_word in ('enum', 'const') then case
            when jsonb_array_length(v_all) > 50
                 or v_all @? 'strict $[*] ? (@.type() == "object" || @.type() == "array")' then c_never
            else coalesce((select string_agg('@ == ' || e.value::text, ' || ')
                             from jsonb_array_elements(v_all) as e (value)), c_never) end
        when p_word = 'minimum' then '@.type() != "number" || @ >= ' || v_value::text
        when p_word = 'maximum' then '@.type() != "number" || @ <= ' || v_value::text
        when p_word = 'exclusiveMinimum' then '@.type() != "number" || @ > ' || v_value::text
        when p_word = 'exclusiveMaximum' then '@.type() != "number" || @ < ' || v_value::text
        when p_word = 'multipleOf' then format('@.type() != "number" || %1$s <= 0 || @ %% %1$s == 0', v_value)
        when p_word = 'minItems' then '@.type() != "array" || @.size() >= ' || v_value::text
        when p_word = 'maxItems' then '@.type() != "array" || @.size() <= ' || v_value::text
        when p_word = 'minLength' then coalesce(
            '@.type() != "string" || @ like_regex "^.{' || v_count || ',}" flag "s"', c_never)
        when p_word = 'maxLength' then coalesce(
            '@.type() != "string" || @ like_regex "^.{0,' || v_count || '}$" flag "s"', c_never)
        when p_word = 'pattern' then '@.type() != "string" || @ like_regex '
                                     || to_jsonb(pawl.database_pattern(v_value #>> '{}'))::text
        when p_word = 'format' then format('@.type() != "string" || (%s)', pawl.format_condition(v_value #>> '{}'))
        when p_word = 'required' then '@.type() != "object" || (' || coalesce((
            select string_agg(format('exists(@.%s)', e.value), ' && ')
              from jsonb_array_elements(v_all) as e (value)
             where jsonb_typeof(e.value) = 'string'), '1 == 1') || ')'
        when p_word = 'properties' then '@.type() != "object" || (' || coalesce((
            -- Of a member that is not there it is unknown whether it exists.
            select string_agg(format('((exists(@.%1$s)) is unknown || exists(@.%1$s ? (%2$s)))', to_jsonb(m.key),
                                     pawl.schema_condition(m.value)), ' && ')
              from jsonb_each(v_value) as m), '1 == 1') || ')'
        when p_word = 'additionalProperties' then case when v_value = 'true' then null else
            '@.type() != "object" || !exists(@.keyvalue() ? (!(1 == 0' || coalesce((
                select string_agg(' || @.key == ' || to_jsonb(k.key)::text, '')
                  from jsonb_object_keys(p_schema -> 'properties') as k (key)), '') || ')))' end
        when p_word = 'items' then format('@.type() != "array" || !exists(@[*] ? (!exists(@ ? (%s))))',
                                          pawl.schema_condition(v_value))
        else c_never end;
end
$$;

-- A condition of jsonpath on @ that only what fits a schema meets.
create or replace function pawl.schema_condition(p_schema jsonb) returns text
language sql immutable parallel safe
return case jsonb_typeof(p_schema)
    when 'object' then (
        select coalesce(string_agg('(' || c.condition || ')', ' && '), '1 == 1')
          from jsonb_object_keys(p_schema) as k (word)
         cross join lateral pawl.word_condition(p_schema, k.word) as c (condition))
    else case p_schema when 'true' then '1 == 1' else '1 == 0' end end;

-- A test that only data which fits a schema passes, made once for many starts: to look at each closely takes a hundred
-- times as long. Null: there is no such test.
create or replace function pawl.schema_test(p_schema jsonb) returns jsonpath
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_condition text := case when octet_length(p_schema::text) <= 20000 then pawl.schema_condition(p_schema) end;
begin
    return ('strict exists($ ? (' || v_condition || '))')::jsonpath;
end
$$;

-- Whether the data of a start fits the input_schema of its definition. p_test: what pawl.schema_test made of it. Of a
-- text that is very long, a pattern looks at the beginning.
create or replace function pawl.fits(p_schema jsonb, p_data jsonb, p_test jsonpath) returns boolean
language sql immutable parallel safe
return case when octet_length(p_data::text) <= 65536
                 and coalesce(jsonb_path_match(p_data, p_test, '{}', true), false)
            then true
            else (select s.problems = '[]' from pawl.schema_problems(p_schema, p_data) as s) end;
