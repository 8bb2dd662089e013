-- The operator of one condition: {"tier": "gold"} is short for {"tier": {"operator": "=", "value": "gold"}}. One
-- that has two names gets the one that functions here know.
create or replace function pawl.condition_operator(p_test jsonb) returns text
language sql immutable parallel safe
return case when jsonb_typeof(p_test) = 'object' and p_test ? 'operator'
            then case replace(p_test ->> 'operator', '_', ' ') when 'is null' then 'not exists'
                      when 'is not null' then 'exists' else replace(p_test ->> 'operator', '_', ' ') end
            else '=' end;

-- The value of one condition.
create or replace function pawl.condition_value(p_test jsonb) returns jsonb
language sql immutable parallel safe
return case when jsonb_typeof(p_test) = 'object' and p_test ? 'operator'
            then coalesce(p_test -> 'value', 'null') else p_test end;

-- Whether the member p_at is equal to a value (or not), as a test in a strict jsonpath. Values of different types are
-- not equal: to compare them is unknown there.
create or replace function pawl.equality_path(p_at text, p_value jsonb, p_equal boolean) returns text
language sql immutable parallel safe
return case when p_equal then format('(%s == %s)', p_at, p_value)
            else format('(exists(%1$s) && (%1$s != %2$s || (%1$s == %2$s) is unknown))', p_at, p_value) end;

-- One condition as a test in a strict jsonpath; p_at is the member. It decides as holds() of src/model/condition.hpp
-- does. What only the engine can tell passes: it looks at every event again. Those are lists and maps that have to be
-- equal, ranges of times, and operators that are not known here.
create or replace function pawl.condition_path(p_at text, p_operator text, p_value jsonb) returns text
language plpgsql immutable set search_path = pg_catalog as $$
declare
    c_passes constant text := '(1 == 1)';
    v_type text := jsonb_typeof(p_value);
    v_list boolean := v_type = 'array';
begin
    if p_operator = 'exists' then
        return format('(exists(%1$s) && !(%1$s == null))', p_at);
    elsif p_operator = 'not exists' then
        return format('(%1$s == null || (exists(%1$s)) is unknown)', p_at);
    elsif p_operator in ('=', '!=') then
        return case when v_type in ('array', 'object') then c_passes
                    else pawl.equality_path(p_at, p_value, p_operator = '=') end;
    elsif p_operator in ('<', '<=', '>', '>=') then
        return case when v_type in ('number', 'string') then format('(%s %s %s)', p_at, p_operator, p_value)
                    else '(1 == 2)' end;
    elsif v_list and jsonb_path_exists(p_value, '$[*] ? (@.type() == "array" || @.type() == "object")') then
        return c_passes;
    elsif p_operator in ('in', 'not in') and v_list then
        return coalesce((
            select '(' || string_agg(pawl.equality_path(p_at, v.value, p_operator = 'in'),
                                     case p_operator when 'in' then ' || ' else ' && ' end) || ')'
              from jsonb_array_elements(p_value) as v
        ), case p_operator when 'in' then '(1 == 2)' else format('exists(%s)', p_at) end);
    elsif p_operator = 'between' and v_list and jsonb_array_length(p_value) = 2
          and not jsonb_path_exists(p_value, '$[*] ? (@ like_regex "^[0-9]{4}-")') then
        return format('(%1$s >= %2$s && %1$s <= %3$s)', p_at, p_value -> 0, p_value -> 1);
    elsif p_operator = 'contains' and v_type = 'string' then
        return format('(%1$s.type() == "array" && exists(%1$s[*] ? (@ == %2$s)) || %1$s.type() == "string"'
                      ' && %1$s like_regex %2$s flag "q")', p_at, p_value);
    elsif p_operator = 'contains' and not v_list and v_type <> 'object' then
        return format('(%1$s.type() == "array" && exists(%1$s[*] ? (@ == %2$s)))', p_at, p_value);
    elsif p_operator = 'starts with' and v_type = 'string' then
        return format('(%s starts with %s)', p_at, p_value);
    end if;
    return c_passes;
end
$$;

-- What all conditions ask of a record, as a jsonpath for jsonb_path_match: {"type": "earn", "amount": {"operator":
-- ">=", "value": 100}}. A dot leads into the record: {"old.tier": "silver"}. A field that the record does not have
-- meets only `not exists`. Null: nothing is asked.
create or replace function pawl.conditions_path(p_conditions jsonb) returns jsonpath
language plpgsql immutable set search_path = pg_catalog as $$
begin
    if jsonb_typeof(p_conditions) is distinct from 'object' then
        return null;
    end if;
    return (
        select ('strict ' || string_agg(pawl.condition_path(
                   '$' || (select string_agg('.' || to_jsonb(m.name)::text, '' order by m.place)
                             from string_to_table(c.key, '.') with ordinality as m (name, place)),
                   pawl.condition_operator(c.value), pawl.condition_value(c.value)
               ), ' && '))::jsonpath
          from jsonb_each(p_conditions) as c
    );
end
$$;

-- Whether a record has what conditions ask; what only the engine can tell passes (pawl.condition_path).
create or replace function pawl.matches_conditions(p_conditions jsonb, p_record jsonb) returns boolean
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_path jsonpath := pawl.conditions_path(p_conditions);
begin
    return v_path is null or coalesce(jsonb_path_match(p_record, v_path, '{}', true), false);
end
$$;
