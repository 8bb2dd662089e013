-- needs: functions/versions/check_schema
-- needs: functions/versions/check

-- What is wrong with a word of a JSON Schema; null: nothing. Words that say nothing about what is allowed pass.
create or replace function pawl.word_problem(p_word text, p_value jsonb) returns text
language sql stable
begin atomic
    select case
        when p_word = 'type' and p_value = '[]' then 'must have at least one type'
        when p_word = 'type' and exists (
            select 1
              from jsonb_array_elements(case jsonb_typeof(p_value) when 'array' then p_value
                                             else jsonb_build_array(p_value) end) as t (type)
             where t.type not in ('"object"', '"array"', '"string"', '"number"', '"integer"', '"boolean"', '"null"')
        ) then 'must be one of object, array, string, number, integer, boolean, null'
        when p_word = 'properties' and jsonb_typeof(p_value) <> 'object' then 'must be an object'
        when p_word in ('enum', 'required') and jsonb_typeof(p_value) <> 'array' then 'must be a list'
        when p_word = 'enum' and p_value = '[]' then 'must have at least one value'
        when p_word = 'required' and jsonb_path_exists(p_value, 'strict $[*] ? (@.type() != "string")')
        then 'must be a list of names'
        when p_word = 'additionalProperties' and jsonb_typeof(p_value) <> 'boolean' then 'must be true or false'
        when p_word = 'pattern' and jsonb_typeof(p_value) <> 'string' then 'must be text'
        when p_word = 'pattern' then pawl.pattern_problem(p_value #>> '{}')
        when p_word = 'format' and coalesce(p_value #>> '{}', '') not in (
            'date', 'date-time', 'time', 'email', 'uri', 'uuid'
        ) then 'must be date, date-time, time, email, uri or uuid'
        when p_word in ('minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum',
                        'exclusiveMaximum', 'multipleOf')
             and jsonb_typeof(p_value) <> 'number' then 'must be a number'
        when p_word not in ('type', 'properties', 'items', 'enum', 'required', 'additionalProperties', 'pattern',
                            'format', 'minItems', 'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum',
                            'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'title', 'description', 'default',
                            'examples', '$schema', '$id', '$comment', 'readOnly', 'writeOnly', 'deprecated', 'const')
             and not starts_with(p_word, 'x-') then 'is not understood: leave it out' end;
end;

-- What is wrong with a schema, with its place in it: null: nothing that pawl.schema_problems does not know.
create or replace function pawl.schema_problem(p_schema jsonb, p_pointer text default '', p_depth int default 0)
returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_part record;
    v_problem text;
begin
    if jsonb_typeof(p_schema) = 'boolean' then
        return null;
    elsif jsonb_typeof(p_schema) <> 'object' then
        return p_pointer || ': must be a JSON Schema';
    elsif p_depth > 32 then
        return p_pointer || ': is nested too deeply';
    end if;
    select format('%s/%s: %s', p_pointer, w.word, w.problem) into v_problem
      from (select m.key as word, pawl.word_problem(m.key, m.value) as problem from jsonb_each(p_schema) as m) as w
     where w.problem is not null
     limit 1;
    for v_part in
        select '/properties/' || replace(replace(m.key, '~', '~0'), '/', '~1') as place, m.value as schema
          from jsonb_each(p_schema -> 'properties') as m
         where v_problem is null
         union all
        select '/items', p_schema -> 'items' where v_problem is null and p_schema ? 'items'
    loop
        v_problem := pawl.schema_problem(v_part.schema, p_pointer || v_part.place, p_depth + 1);
        exit when v_problem is not null;
    end loop;
    return v_problem;
end
$$;

-- Refuses the input_schema of a definition that the engine or the database could not hold an input against
-- (refuse_definition). null: it has none.
create or replace function pawl.check_input_schema(p_schema jsonb) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_problem text;
begin
    if jsonb_typeof(p_schema) <> 'object' then
        v_problem := 'must be a JSON Schema, such as {"properties": {...}}';
    elsif (select count(*) from jsonb_path_query(
        p_schema, 'strict $.** ? (exists (@.pattern ? (@.type() == "string")))')) > 100
    then
        v_problem := 'has more than 100 patterns';
    else
        v_problem := coalesce(pawl.schema_problem(p_schema), case
            when not coalesce(p_schema -> 'type', '"object"') @> '"object"'
            then '/type: must be object: an input is always an object' end);
    end if;
    if v_problem is not null then
        perform pawl.refuse_definition(
            'input_schema: ' || v_problem,
            'Known are type, required, properties, additionalProperties, items, enum, const, limits, pattern, format.'
        );
    end if;
end
$$;
