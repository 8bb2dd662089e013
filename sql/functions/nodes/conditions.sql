-- What is wrong with a condition, as src/model/condition_parse.cpp reads it.
-- needs: functions/nodes/fields
-- needs: functions/versions/patterns

-- What is wrong with a path of a condition; null: nothing.
create or replace function pawl.condition_path_problem(p_path jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case
        when p_path is null then 'is missing: a path looks like input.order.total or steps.pay.result.id'
        when jsonb_typeof(p_path) <> 'string'
        then 'must be text: a path looks like input.order.total or steps.pay.result.id'
        when pawl.is_template(p_path) then 'write the path without braces: {{ }} is for values'
        when pawl.placeholder_end((p_path #>> '{}') || '}}') is distinct from length(p_path #>> '{}') + 1
             or r.problem is not null or r.path is null or r.has_default
        then format('''%s'' is not a path: a path looks like input.order.total or steps.pay.result.id',
                    left(p_path #>> '{}', 60)) end
      from pawl.read_placeholder(coalesce(p_path #>> '{}', '')) as r
    );
end
$$;

-- The operator of a test, as the engine calls it; null: it is none. A test without one asks for equality.
create or replace function pawl.condition_operator(p_test jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return case when not p_test ? 'operator' then '='
                when jsonb_typeof(p_test -> 'operator') <> 'string' then null
                else (
                    select case when w.word = 'is null' then 'not exists' when w.word = 'is not null' then 'exists'
                                when w.word = any (array['=', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'contains',
                                    'starts with', 'matches', 'exists', 'not exists', 'between', 'before', 'after',
                                    'older than', 'within last']) then w.word end
                      from (select replace(p_test ->> 'operator', '_', ' ') as word) as w
                ) end;
end
$$;

-- What is wrong with the value of a test for its operator; null: nothing.
create or replace function pawl.misfit(p_operator text, p_value jsonb) returns text
language sql immutable parallel safe
return case
    when p_value is null then format('is missing: ''%s'' needs something to compare with', p_operator)
    when pawl.template_problem(p_value) is not null then pawl.template_problem(p_value)
    when pawl.has_template(p_value) then null
    when p_operator in ('in', 'not in') and jsonb_typeof(p_value) <> 'array'
    then 'must be a list, such as ["new", "open"]'
    when p_operator = 'between' and (jsonb_typeof(p_value) <> 'array' or jsonb_array_length(p_value) <> 2)
    then 'must be a list of two: the lowest and the highest value'
    when p_operator in ('before', 'after') and p_value <> 'null'
         and (jsonb_typeof(p_value) <> 'string' or not pawl.is_moment(p_value #>> '{}'))
    then 'must be a time such as "2026-03-01T09:00:00Z" or "2026-03-01"'
    when p_operator in ('older than', 'within last') and pawl.duration_problem(p_value) is not null
    then 'must be a duration such as 30d'
    when p_operator = 'starts with' and jsonb_typeof(p_value) not in ('string', 'null') then 'must be text'
    when p_operator = 'matches' and jsonb_typeof(p_value) <> 'string' then 'must be a regular expression as text'
    when p_operator = 'matches' then pawl.pattern_problem(p_value #>> '{}')
end;


-- What is wrong with one test: of a path, or of a column of a table (p_query); null: nothing.
create or replace function pawl.test_problem(p_test jsonb, p_query boolean) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case
        when k.unknown is not null then k.unknown || ': unknown key'
        when p_query and not n.table ~ '^[A-Za-z_][A-Za-z0-9_]{0,62}([.][A-Za-z_][A-Za-z0-9_]{0,62})?$'
        then 'table: write a table such as orders or sales.orders, of letters, digits and ''_'''
        when p_query and not n.field ~ c.column
        then 'field: write a column such as status, of letters, digits and ''_'''
        when p_query and p_test ? 'subject_field' and not n.subject ~ c.column
        then 'subject_field: write a column such as status, of letters, digits and ''_'''
        when not p_query and p_test ? 'path' and p_test ? 'field'
        then 'field: is another word for ''path'': keep one of them'
        when not p_query and pawl.condition_path_problem(coalesce(p_test -> 'path', p_test -> 'field')) is not null
        then case when p_test ? 'field' then 'field: ' else 'path: ' end
             || pawl.condition_path_problem(coalesce(p_test -> 'path', p_test -> 'field'))
        when o.operator is null
        then format('operator: %s is not an operator: use =, !=, >, >=, <, <=, in, not in, contains, between, is_null, '
                    'is_not_null, older_than or within_last', coalesce(left((p_test -> 'operator')::text, 60), 'null'))
        when o.operator like '%exists' and coalesce(p_test -> 'value', 'null') <> 'null'
        then format('value: ''%s'' takes no value: leave it out', o.operator)
        when o.operator not like '%exists' then 'value: ' || pawl.misfit(o.operator, p_test -> 'value') end
      from (select pawl.condition_operator(p_test) as operator) as o
     cross join (select '^[A-Za-z_][A-Za-z0-9_]{0,62}$' as column) as c
     cross join lateral (
         select coalesce(case jsonb_typeof(p_test -> 'table') when 'string' then p_test ->> 'table' end, '') as table,
                coalesce(case jsonb_typeof(p_test -> 'field') when 'string' then p_test ->> 'field' end, '') as field,
                coalesce(case jsonb_typeof(p_test -> 'subject_field') when 'string' then p_test ->> 'subject_field' end,
                         '') as subject
     ) as n
     cross join lateral (
         select min(k.key) as unknown
           from jsonb_object_keys(p_test) as k (key)
          where k.key <> all (case when p_query then '{table,field,operator,value,subject_field}'::text[]
                                   else '{path,field,operator,value}'::text[] end)
     ) as k
    );
end
$$;

-- The parts of a condition, with their places in it: what all, any and not hold too.
create or replace function pawl.condition_parts(p_condition jsonb) returns table (place text, depth int, part jsonb)
language sql immutable parallel safe
begin atomic
    with recursive part (place, depth, part) as (
        select '', 1, p_condition
         union all
        select p.place || x.place, p.depth + 1, x.part
          from part p
         cross join lateral (
             select 'not.' as place, p.part -> 'not' as part
              where jsonb_typeof(p.part) = 'object' and p.part ? 'not'
              union all
             select format('%s[%s].', k.key, e.place - 1), e.value
               from (values ('all'), ('any')) as k (key)
              cross join lateral jsonb_array_elements(
                  case when jsonb_typeof(p.part) = 'object' and jsonb_typeof(p.part -> k.key) = 'array'
                       then p.part -> k.key else '[]' end
              ) with ordinality as e (value, place)
         ) as x
         where p.depth <= 16
    )
    select p.place, p.depth, p.part from part p;
end;

-- What is wrong with a condition, with its place in it; null: nothing.
create or replace function pawl.condition_problem(p_condition jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case when p.what not like ': %' then p.place || p.what when p.place = '' then substr(p.what, 3)
                else rtrim(p.place, '.') || p.what end
      from (
          select c.place, case
                     when c.depth > 16 then ': conditions may be nested 16 levels deep'
                     when jsonb_typeof(c.part) <> 'object'
                     then ': a condition is an object: {path, operator, value}, {all: [...]}, {any: [...]}, '
                          '{not: {...}} or {query: {...}}'
                     when not c.part ?| '{all,any,not,query}' then pawl.test_problem(c.part, false)
                     when (select count(*) from jsonb_object_keys(c.part)) > 1
                     then ': all, any, not and query stand alone: put both into a list under all or any'
                     when c.part ? 'query' and jsonb_typeof(c.part -> 'query') <> 'object'
                     then 'query: must be an object: {table, field, operator, value}'
                     when c.part ? 'query' then 'query.' || pawl.test_problem(c.part -> 'query', true)
                     when not c.part ? 'not' and (
                              jsonb_typeof(coalesce(c.part -> 'all', c.part -> 'any')) <> 'array'
                              or coalesce(c.part -> 'all', c.part -> 'any') = '[]')
                     then case when c.part ? 'all' then 'all' else 'any' end
                          || ': must be a list of at least one condition'
                     when count(*) filter (where jsonb_typeof(c.part) = 'object' and not c.part ?| '{all,any,not}')
                          over () > 200 then ': a condition may have 200 comparisons; split it' end as what
            from pawl.condition_parts(p_condition) as c
      ) as p
     where p.what is not null
     order by p.place
     limit 1
    );
end
$$;
