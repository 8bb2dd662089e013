-- needs: functions/versions/patterns

-- Whether a text is one of these of the calendar: 2026-01-31.
create or replace function pawl.is_date(p_text text) returns boolean
language sql immutable parallel safe
return p_text ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'
       and substr(p_text, 9)::int <= case
               when substr(p_text, 6, 2) in ('04', '06', '09', '11') then 30
               when substr(p_text, 6, 2) <> '02' then 31
               when left(p_text, 4)::int % 4 = 0 and (left(p_text, 4)::int % 100 <> 0 or left(p_text, 4)::int % 400 = 0)
               then 29
               else 28 end;

-- Whether a text is of a `format` of JSON Schema. As model/json_formats.cpp has them.
create or replace function pawl.has_format(p_format text, p_text text) returns boolean
language sql immutable parallel safe
begin atomic
    select case p_format
        when 'date' then length(p_text) = 10 and pawl.is_date(p_text)
        when 'date-time' then case when p_text ~ ('^[-0-9]{10}[T ]' || z.time || z.zone || '$')
                                   then pawl.is_date(left(p_text, 10)) else false end
        when 'time' then p_text ~ ('^' || z.time || z.zone || '$') or p_text ~ '^([01][0-9]|2[0-3])(:[0-5][0-9]){1,2}$'
        when 'email' then octet_length(p_text) <= 254 and p_text ~ '^[^@\u0001-\u0020\u007f]+@[^@\u0001-\u0020\u007f]+$'
                          and split_part(p_text, '@', 2) ~ '^[^.]+([.][^.]+)+$'
        when 'uri' then p_text ~ '^[A-Za-z][A-Za-z0-9+.-]*:[^\u0001-\u0020"<>]+$'
        when 'uuid' then p_text ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'
        else true end
      from (values ('([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,6})?',
                    '([Zz]|[-+]([01][0-9]|2[0-3]):[0-5][0-9])')) as z (time, zone);
end;

-- Whether a value is of a type of JSON Schema.
create or replace function pawl.has_type(p_value jsonb, p_type text) returns boolean
language sql immutable parallel safe
return case p_type when 'integer' then case jsonb_typeof(p_value)
                                           when 'number' then trunc(p_value::numeric) = p_value::numeric
                                           else false end
                   else jsonb_typeof(p_value) = p_type end;

-- The choices of a schema in a sentence: the first ones, and how many more there are.
create or replace function pawl.shown_choices(p_choices jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_list text := '';
    v_one text;
    v_count int := 0;
begin
    for v_one in select pawl.shown_json(e.value) from jsonb_array_elements(p_choices) as e (value) limit 20 loop
        exit when v_count > 0 and octet_length(v_list) + octet_length(v_one) > 200;
        v_list := v_list || case v_count when 0 then '' else ', ' end || v_one;
        v_count := v_count + 1;
    end loop;
    return v_list || case when v_count < jsonb_array_length(p_choices)
                          then format(' and %s more', jsonb_array_length(p_choices) - v_count) else '' end;
end
$$;

-- A value of a schema in a sentence.
create or replace function pawl.shown_json(p_value jsonb) returns text
language sql immutable parallel safe
return case when jsonb_typeof(p_value) = 'string' and octet_length(p_value #>> '{}') > 200
            then pawl.plain_json(to_jsonb(pawl.cut_text(p_value #>> '{}', 200)))
            else pawl.cut_text(pawl.plain_json(p_value), 200) end;

-- A limit of a schema; null: it has none that is a number.
create or replace function pawl.schema_limit(p_schema jsonb, p_word text) returns numeric
language sql immutable parallel safe
return case jsonb_typeof(p_schema -> p_word) when 'number' then (p_schema -> p_word)::numeric end;

-- What is wrong with a number, a text or the length of a list, in the words of model/schema_words.cpp.
create or replace function pawl.limit_problems(p_schema jsonb, p_value jsonb) returns text[]
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_type text := jsonb_typeof(p_value);
    v_size numeric := case v_type when 'number' then p_value::numeric when 'string' then length(p_value #>> '{}')
                                  when 'array' then jsonb_array_length(p_value) end;
    v_words text[];
    v_limit numeric;
    v_wrong boolean;
    v_said text[] := '{}';
    v_text text := case v_type when 'string' then p_value #>> '{}' end;
begin
    for v_words in
        select array[w.word, w.wrong, w.said, w.one]
          from (values ('number', 1, 'minimum', '<', 'must be at least %s', null),
                       ('number', 2, 'maximum', '>', 'must be at most %s', null),
                       ('number', 3, 'exclusiveMinimum', '<=', 'must be more than %s', null),
                       ('number', 4, 'exclusiveMaximum', '>=', 'must be less than %s', null),
                       ('number', 5, 'multipleOf', '/', 'must be a multiple of %s', null),
                       ('string', 1, 'minLength', '<', 'must have at least %s characters', 'must not be empty'),
                       ('string', 2, 'maxLength', '>', 'must have at most %s characters', null),
                       ('array', 1, 'minItems', '<', 'must have at least %s items', 'must have at least %s item'),
                       ('array', 2, 'maxItems', '>', 'must have at most %s items', 'must have at most %s item'))
               as w (type, n, word, wrong, said, one)
         where w.type = v_type and p_schema ? w.word
         order by w.n
    loop
        v_limit := pawl.schema_limit(p_schema, v_words[1]);
        v_wrong := case v_words[2] when '<' then v_size < v_limit when '>' then v_size > v_limit
                                   when '<=' then v_size <= v_limit when '>=' then v_size >= v_limit
                                   else v_limit > 0 and not pawl.is_multiple(v_size, v_limit) end;
        if v_wrong then
            v_said := v_said || format(case v_limit when 1 then coalesce(v_words[4], v_words[3]) else v_words[3] end,
                                       trim_scale(v_limit));
        end if;
    end loop;
    if v_type = 'string' and jsonb_typeof(p_schema -> 'pattern') = 'string'
       and pawl.first_bytes(v_text, 65536) collate "C" !~ pawl.database_pattern(p_schema ->> 'pattern') then
        v_said := v_said || format('must match %s', p_schema ->> 'pattern');
    end if;
    if v_type = 'string' and p_schema ? 'format' and not pawl.has_format(p_schema ->> 'format', v_text) then
        v_said := v_said || format('must be %s', case p_schema ->> 'format'
            when 'date' then 'a date like 2026-01-31' when 'date-time' then 'a time like 2026-01-31T09:00:00Z'
            when 'time' then 'a time of day like 09:30' when 'email' then 'an e-mail address like ann@example.com'
            when 'uri' then 'an address like https://example.com/page'
            when 'uuid' then 'an id like 0190c5d0-0000-7000-8000-000000000000' end);
    end if;
    return v_said;
end
$$;

-- As the engine counts, which has doubles: 0.07 is a multiple of 0.01.
create or replace function pawl.is_multiple(p_number numeric, p_step numeric) returns boolean
language sql immutable parallel safe
return (
    select abs(t.times - round(t.times)) <= 1e-9 * greatest(1, abs(t.times))
      from (values (p_number / p_step)) as t (times)
);

-- What is wrong with a value by itself, apart from what is in it. type_fits false: the rest says nothing about it.
create or replace function pawl.value_problems(
    p_schema jsonb, p_value jsonb, out said text[], out type_fits boolean
)
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    v_types jsonb := p_schema -> 'type';
begin
    said := '{}';
    if jsonb_typeof(v_types) <> 'array' then
        type_fits := pawl.has_type(p_value, v_types #>> '{}');
        v_types := jsonb_build_array(v_types);
    else
        type_fits := v_types is null
                     or exists (select 1 from jsonb_array_elements_text(v_types) as t (type)
                                 where pawl.has_type(p_value, t.type));
    end if;
    if not type_fits then
        said := array['must be ' || coalesce((
            select string_agg(case t.type when 'object' then 'an object' when 'array' then 'an array'
                                          when 'string' then 'a text' when 'number' then 'a number'
                                          when 'integer' then 'an integer' when 'boolean' then 'a boolean'
                                          else t.type end, ' or ' order by t.n)
              from jsonb_array_elements_text(v_types) with ordinality as t (type, n)
        ), '')];
        return;
    end if;
    if jsonb_typeof(p_schema -> 'enum') = 'array' and not exists (
        select 1 from jsonb_array_elements(p_schema -> 'enum') as e (value) where e.value = p_value
    ) then
        said := said || ('must be one of ' || pawl.shown_choices(p_schema -> 'enum'));
    end if;
    if p_schema ? 'const' and p_schema -> 'const' <> p_value then
        said := said || ('must be ' || pawl.shown_json(p_schema -> 'const'));
    end if;
    if p_schema ?| array['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength',
                         'maxLength', 'pattern', 'format', 'minItems', 'maxItems'] then
        said := said || pawl.limit_problems(p_schema, p_value);
    end if;
end
$$;
