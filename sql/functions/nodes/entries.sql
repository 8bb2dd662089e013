-- What is wrong with who may enter a workflow, and what ends its runs, as src/model/entry_reader.cpp reads it.
-- needs: functions/nodes/waits

-- What is wrong with a condition on one column of a row; null: nothing.
create or replace function pawl.row_condition_problem(p_column text, p_test jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case
        when exists (select 1 from string_to_table(p_column, '.') as n (name) where n.name ~ '^[0-9]*$')
             or p_column = ''
        then 'is not the name of a column'
        when jsonb_typeof(p_test) = 'object' and not p_test ? 'operator' then 'write {operator, value}, or a value'
        when jsonb_typeof(p_test) = 'array' then 'for one of several values write {operator: in, value: [...]}'
        when pawl.has_template(p_test) then 'templates are for filters; here are values'
        when pawl.condition_operator(w.test) in ('matches', 'before', 'after', 'older than', 'within last')
        then format('''%s'' is for filters, which see the whole event', pawl.condition_operator(w.test))
        else pawl.test_problem(w.test, false) end
      from (select case when jsonb_typeof(p_test) = 'object' then p_test || '{"path": "column"}'
                        else jsonb_build_object('path', 'column', 'value', p_test) end as test) as w
    );
end
$$;

-- What is wrong with conditions on a row, by column; null: nothing. p_plain: only plain values can be compared with.
create or replace function pawl.row_conditions_problem(p_conditions jsonb, p_plain boolean default false) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case
        when p_conditions is null or p_conditions = 'null' then null
        when jsonb_typeof(p_conditions) <> 'object' then 'must be a map of columns and the values they must have'
        when (select count(*) from jsonb_object_keys(p_conditions)) > 200 then 'has more than 200 columns'
        else (
            select format('%s: %s', left(c.key, 100), p.problem)
              from jsonb_each(p_conditions) as c
             cross join lateral (
                 select case jsonb_typeof(c.value) when 'object' then pawl.condition_operator(c.value) else '=' end
                            as operator,
                        case jsonb_typeof(c.value) when 'object' then c.value -> 'value' else c.value end as value
             ) as t
             cross join lateral (
                 select coalesce(
                     pawl.row_condition_problem(c.key, c.value),
                     case when p_plain and (
                                   t.operator not in ('in', 'not in', 'between')
                                   and jsonb_typeof(t.value) in ('array', 'object')
                                   or t.operator in ('in', 'not in', 'between')
                                   and jsonb_path_exists(
                                       t.value, 'strict $[*] ? (@.type() == "array" || @.type() == "object")'))
                          then 'compare with plain values'
                          when p_plain and t.operator = 'between' and jsonb_typeof(t.value -> 0) = 'string'
                          then 'between is for numbers here' end) as problem
             ) as p
             where p.problem is not null
             order by c.key
             limit 1
        ) end
    );
end
$$;

-- What is wrong with one event that ends a run, or is its goal; null: nothing. p_fields: as pawl.fields_problem has
-- them.
create or replace function pawl.entry_event_problem(p_event jsonb, p_fields text[]) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return case when jsonb_typeof(p_event) <> 'object' then ': must be a map of keys and values'
                else '.' || coalesce(pawl.fields_problem(p_event, p_fields),
                                     pawl.event_filter_problem(nullif(p_event -> 'filter', 'null')), (
                    select format('%s: is longer than 500 bytes', n.name)
                      from unnest('{event,name}'::text[]) as n (name)
                     where octet_length(p_event ->> n.name) > 500
                     limit 1),
                    case when pawl.is_template(p_event -> 'within') or pawl.duration_seconds(p_event -> 'within') = 0
                         then 'within: must be a duration such as 7d, longer than zero' end) end;
end
$$;

-- What is wrong with the events that end a run; null: nothing.
create or replace function pawl.exit_problem(p_exits jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case
        when jsonb_typeof(p_exits) <> 'array' or jsonb_array_length(p_exits) > 50
        then 'exit_on: must be a list of {event, key, filter}, 50 at most'
        when p_exits is not null then (
            select format('exit_on[%s]', e.place - 1) || p.problem
              from jsonb_array_elements(p_exits) with ordinality as e (event, place)
             cross join lateral pawl.entry_event_problem(e.event, array[
                 array['event', 'fixed', 'must name the event that ends the run'], array['key', 'text', null],
                 array['filter', 'any', null]]) as p (problem)
             where p.problem is not null
             order by e.place
             limit 1
        ) end
    );
end
$$;

-- What is wrong with the goals of a workflow, one or a list; null: nothing.
create or replace function pawl.goal_problem(p_goals jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select case
        when jsonb_typeof(p_goals) not in ('array', 'object') or p_goals = '[]' or jsonb_array_length(
                 case jsonb_typeof(p_goals) when 'array' then p_goals else '[]' end) > 20
        then 'goal: must be {event, within, exit}, or a list of them, 20 at most'
        when p_goals is not null then (
            select format('goal%s', case jsonb_typeof(p_goals) when 'array' then format('[%s]', g.place - 1) end)
                   || coalesce(p.problem, '.name: is that of another goal: give each a name of its own')
              from (
                  select e.goal, e.place, row_number() over (partition by n.name order by e.place) as nth
                    from jsonb_array_elements(case jsonb_typeof(p_goals) when 'array' then p_goals
                                                   else jsonb_build_array(p_goals) end)
                         with ordinality as e (goal, place)
                   cross join lateral (select case when jsonb_typeof(e.goal) = 'object' then coalesce(
                                  e.goal ->> 'name', e.goal ->> 'event') else e.place::text end) as n (name)
              ) as g
             cross join lateral pawl.entry_event_problem(g.goal, array[
                 array['event', 'fixed', 'must name the event that counts'], array['name', 'fixed', null],
                 array['key', 'text', null], array['filter', 'any', null], array['within', 'duration', null],
                 array['exit', 'flag', null]]) as p (problem)
             where p.problem is not null or g.nth > 1
             order by g.place
             limit 1
        ) end
    );
end
$$;

-- What is wrong with who may enter, and what ends runs; null: nothing. Looks at reentry, enter_if, holdout, exit_on and
-- goal, and at nothing else.
create or replace function pawl.entry_problem(p_entry jsonb) returns text
language plpgsql immutable parallel safe set search_path = pg_catalog as $$
begin
    return (
    select coalesce(
        case when jsonb_typeof(p_entry -> 'reentry') = 'object' then coalesce(
                 'reentry.' || pawl.fields_problem(p_entry -> 'reentry', array[
                     array['after', 'duration', 'must say how long, such as 30d']]),
                 case when pawl.is_template(p_entry -> 'reentry' -> 'after')
                           or pawl.duration_seconds(p_entry -> 'reentry' -> 'after') < 1
                      then 'reentry.after: must be 1s or longer' end)
             else 'reentry: ' || pawl.field_problem('one of always, once, while_none_open', p_entry -> 'reentry') end,
        'enter_if: ' || pawl.row_conditions_problem(p_entry -> 'enter_if', true),
        'holdout: ' || pawl.field_problem('whole 0 99', p_entry -> 'holdout'),
        pawl.exit_problem(nullif(p_entry -> 'exit_on', 'null')), pawl.goal_problem(nullif(p_entry -> 'goal', 'null')))
    );
end
$$;
