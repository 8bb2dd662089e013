-- needs: functions/versions/schemas

-- The place of a member: a JSON pointer that does not grow for ever.
create or replace function pawl.pointer_inside(p_pointer text, p_key text) returns text
language sql immutable parallel safe
return case when octet_length(p_pointer) > 500 then p_pointer
            else p_pointer || '/' || pawl.cut_text(replace(replace(p_key, '~', '~0'), '/', '~1'), 500) end;

-- Holds a value against a schema that pawl.schema_problem let through, as check_document does in the engine, with the
-- same verdict and the same words. `problems`: arrays of a JSON pointer and what is wrong there, 50 at most; `work`:
-- how much was looked at, which has an end. Both go on from what is given.
create or replace function pawl.schema_problems(
    p_schema jsonb, p_value jsonb, p_pointer text default '', inout problems jsonb default '[]',
    inout work int default 0
)
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
declare
    c_work_max constant int := 2000000;
    v_own record;
    v_inside record;
begin
    if p_schema = 'false' then
        problems := problems || jsonb_build_array(jsonb_build_array(p_pointer, 'is not allowed'));
    end if;
    if jsonb_typeof(p_schema) is distinct from 'object' or work > c_work_max then
        return;
    end if;
    work := work + 1;
    if jsonb_typeof(p_schema -> 'enum') = 'array' then
        work := least(work + jsonb_array_length(p_schema -> 'enum') * case
            when jsonb_typeof(p_value) in ('array', 'object')
            then (select count(*) from jsonb_path_query(p_value, 'strict $.**')) else 1 end, c_work_max + 1);
    end if;
    if jsonb_typeof(p_schema -> 'pattern') = 'string' and jsonb_typeof(p_value) = 'string' then
        work := least(work + 16 * least(octet_length(p_value #>> '{}'), 65536), c_work_max + 1);
    end if;
    if work > c_work_max then
        problems := problems || jsonb_build_array(
            jsonb_build_array(p_pointer, 'is too long to be checked from here on'));
        return;
    end if;
    v_own := pawl.value_problems(p_schema, p_value);
    if v_own.said <> '{}' then
        problems := problems || (select jsonb_agg(jsonb_build_array(p_pointer, pawl.cut_text(s.said, 400)) order by s.n)
                             from unnest(v_own.said) with ordinality as s (said, n));
    end if;
    if not v_own.type_fits or jsonb_typeof(p_value) not in ('object', 'array') then
        return;
    end if;
    if jsonb_typeof(p_value) = 'object' then
        problems := problems || pawl.member_problems(p_schema, p_value, p_pointer);
    end if;
    for v_inside in
        select m.key, m.value, p_schema -> 'properties' -> m.key as schema
          from jsonb_each(case jsonb_typeof(p_value) when 'object' then p_value else '{}' end) as m
         where p_schema -> 'properties' ? m.key
         union all
        select (e.n - 1)::text, e.value, p_schema -> 'items'
          from jsonb_array_elements(case jsonb_typeof(p_value) when 'array' then p_value else '[]' end)
               with ordinality as e (value, n)
         where p_schema ? 'items'
    loop
        exit when jsonb_array_length(problems) >= 50 or work > c_work_max;
        select s.problems, s.work into problems, work
          from pawl.schema_problems(v_inside.schema, v_inside.value, pawl.pointer_inside(p_pointer, v_inside.key),
                                    problems, work) as s;
    end loop;
end
$$;

-- The members of an object that are missing or not asked for, as pawl.schema_problems has them.
create or replace function pawl.member_problems(p_schema jsonb, p_value jsonb, p_pointer text) returns jsonb
language sql immutable parallel safe
return (
    select coalesce(jsonb_agg(jsonb_build_array(pawl.pointer_inside(p_pointer, m.key), m.said)), '[]')
      from (
          select r.name #>> '{}' as key, 'is required' as said
            from jsonb_array_elements(
                     case jsonb_typeof(p_schema -> 'required') when 'array' then p_schema -> 'required' else '[]' end
                 ) as r (name)
           where jsonb_typeof(r.name) = 'string' and not p_value ? (r.name #>> '{}')
           union all
          select k.key, 'is not asked for'
            from jsonb_object_keys(p_value) as k (key)
           where p_schema -> 'additionalProperties' = 'false' and not coalesce(p_schema -> 'properties' ? k.key, false)
           limit 50
      ) as m
);

-- Says what does not fit in the data of a start, as check_fits does: the first place, and how many more there are.
-- detail: all of them. message null: it fits, or there is no schema.
create or replace function pawl.unfit_input(p_schema jsonb, p_data jsonb, out message text, out detail text)
language sql immutable parallel safe
begin atomic
    with problem as (
        select p.one ->> 1 as said, row_number() over (order by (p.one ->> 0) collate "C", p.n) as place,
               'input' || replace(replace(replace(
                   regexp_replace(p.one ->> 0, '/([0-9]+)(?=/|$)', '[\1]', 'g'), '/', '.'), '~1', '/'), '~0', '~') as at
          from pawl.schema_problems(p_schema, p_data) as s
         cross join lateral jsonb_array_elements(s.problems) with ordinality as p (one, n)
         where p.n <= 50
    )
    select min(p.at || ': ' || p.said) filter (where p.place = 1)
           || case when count(*) > 1 then format(' (and %s more)', count(*) - 1) else '' end,
           string_agg(p.at || ': ' || p.said, E'\n' order by p.place)
      from problem p;
end;
