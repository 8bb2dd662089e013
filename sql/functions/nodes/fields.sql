-- needs: functions/nodes/values

-- What is wrong with a text of a config; null: nothing. p_kind: text; fixed, which is not rendered; name, which may not
-- even look like a template.
create or replace function pawl.text_problem(p_kind text, p_value jsonb, p_why text) returns text
language sql immutable parallel safe
return case when jsonb_typeof(p_value) <> 'string' then 'must be text'
            when p_value = '""' and p_why is not null then p_why
            when p_kind = 'name' and pawl.is_template(p_value) then 'may not be a template'
            when p_kind = 'text' then pawl.template_problem(p_value) end;


-- What is wrong with a number of a config, which has to lie in a range such as {1,100}; null: nothing.
create or replace function pawl.number_problem(p_whole boolean, p_value jsonb, p_range numeric[]) returns text
language sql immutable parallel safe
return case when jsonb_typeof(p_value) = 'number' and (not p_whole or p_value #>> '{}' ~ '^-?[0-9]+$')
                 and p_value::numeric between p_range[1] and p_range[2] then null
            else format('must be a %s from %s to %s', case when p_whole then 'whole number' else 'number' end,
                        p_range[1], p_range[2]) end;


-- What is wrong with one field of a config; null: nothing. p_kind: any, raw, text, fixed, name, flag, map, duration,
-- offset, 'one of a, b', 'whole 1 100', 'number 0 1'; what is raw is looked at elsewhere. p_why: what is said when it
-- is missing or empty; null: it may be.
create or replace function pawl.field_problem(p_kind text, p_value jsonb, p_why text default null) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case
        when coalesce(p_value, 'null') = 'null' then p_why
        when p_kind = 'any' then pawl.template_problem(p_value)
        when p_kind in ('text', 'fixed', 'name') then pawl.text_problem(p_kind, p_value, p_why)
        when p_kind = 'flag' then case when jsonb_typeof(p_value) <> 'boolean' then 'must be true or false' end
        when p_kind = 'map' then case when jsonb_typeof(p_value) <> 'object' then 'must be a map of names and values'
                                      else pawl.template_problem(p_value) end
        when p_kind in ('duration', 'offset') then pawl.duration_problem(p_value, p_kind = 'offset')
        when p_kind like 'one of %' then case
            when jsonb_typeof(p_value) <> 'string' then 'must be text'
            when p_value #>> '{}' <> all (string_to_array(substr(p_kind, 8), ', '))
            then format('''%s'' is not known: use %s', left(p_value #>> '{}', 100), p_kind) end
        when p_kind like 'whole %' or p_kind like 'number %'
        then pawl.number_problem(p_kind like 'whole %', p_value,
                                 (string_to_array(p_kind, ' '))[2:3]::numeric[]) end
    );
end
$$;

-- The first thing that is wrong with a config, with the name of its field; null: nothing. p_fields: {name, kind, why}
-- for each that it may have (field_problem).
create or replace function pawl.fields_problem(p_config jsonb, p_fields text[]) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select p.problem
      from (
          select f.place, format('%s: %s', p_fields[f.place][1], w.what) as problem
            from generate_subscripts(p_fields, 1) as f (place)
           cross join lateral pawl.field_problem(p_fields[f.place][2], p_config -> p_fields[f.place][1],
                                                 p_fields[f.place][3]) as w (what)
           where w.what is not null
           union all
          select 1000, format('%s: unknown key: known here are %s', left(k.key, 500),
                             array_to_string(p_fields[:][1:1], ', '))
            from jsonb_object_keys(p_config) as k (key)
           where k.key <> all (p_fields[:][1:1])
      ) as p
     order by p.place, p.problem
     limit 1
    );
end
$$;

-- The same for a map that stands under a name; null: it may be missing.
create or replace function pawl.map_problem(p_config jsonb, p_name text, p_fields text[]) returns text
language sql immutable parallel safe
return case when coalesce(p_config -> p_name, 'null') = 'null' then null
            when jsonb_typeof(p_config -> p_name) <> 'object' then p_name || ': must be a map of keys and values'
            else p_name || '.' || pawl.fields_problem(p_config -> p_name, p_fields) end;


-- The same for each map of a list; null: it may be missing.
create or replace function pawl.items_problem(p_config jsonb, p_name text, p_most int, p_fields text[]) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return case when coalesce(p_config -> p_name, 'null') = 'null' then null
                when jsonb_typeof(p_config -> p_name) <> 'array' or jsonb_array_length(p_config -> p_name) > p_most
                then format('%s: must be a list of {%s}, %s at most', p_name,
                        array_to_string(p_fields[:][1:1], ', '), p_most)
                else (
                    select format('%s[%s]', p_name, e.place - 1) || w.problem
                      from jsonb_array_elements(p_config -> p_name) with ordinality as e (item, place)
                     cross join lateral (
                         select case when jsonb_typeof(e.item) <> 'object' then ': must be a map of keys and values'
                                     else '.' || pawl.fields_problem(e.item, p_fields) end as problem
                     ) as w
                     where w.problem is not null
                     order by e.place
                     limit 1
                ) end;
end
$$;
