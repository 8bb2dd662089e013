-- needs: functions/journeys/conditions
-- needs: functions/base/readable

-- Some values of a change are not in its event: those of redacted columns, and those that are too long or that the
-- engine cannot read. What conditions of triggers find in them is told with the event: {columns, met}, where columns
-- are those whose values are not there, and met the digests of the conditions that ask for one of them and hold. Those
-- that ask for none of them are asked of the event.

-- Whether conditions ask for one of these columns.
create or replace function pawl.asks_for(p_conditions jsonb, p_columns text[]) returns boolean
language sql immutable parallel safe
return jsonb_typeof(p_conditions) = 'object' and exists (
    select 1
      from jsonb_object_keys(case when jsonb_typeof(p_conditions) = 'object' then p_conditions else '{}' end)
           as k (name)
     where split_part(k.name, '.', 1) = any (p_columns)
        or split_part(k.name, '.', 1) in ('old', 'new') and split_part(k.name, '.', 2) = any (p_columns)
        or k.name in ('old', 'new') and p_columns <> '{}'
);

-- A moment that is written as the engine reads it; null: it is none.
create or replace function pawl.moment_of(p_value jsonb) returns timestamptz
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_text text := case when jsonb_typeof(p_value) = 'string' then p_value #>> '{}' end;
begin
    if v_text ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then
        return (v_text || 'T00:00:00Z')::timestamptz;
    elsif v_text ~ ('^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?'
                    '([Zz]|[+-][0-9]{2}:[0-9]{2})$') then
        return v_text::timestamptz;
    end if;
    return null;
exception when others then
    return null;
end
$$;

-- Whether a value passes a test that pawl.condition_path leaves to the engine; as holds() of src/model/condition.hpp
-- decides it.
create or replace function pawl.passes_exactly(p_actual jsonb, p_operator text, p_value jsonb) returns boolean
language plpgsql immutable set search_path = pg_catalog as $$
declare
    v_ends timestamptz[];
begin
    if p_operator = '=' then
        return p_actual = p_value;
    elsif p_operator = '!=' then
        return p_actual <> p_value;
    elsif p_operator in ('in', 'not in') and jsonb_typeof(p_value) = 'array' then
        return (p_operator = 'in') = exists (select 1 from jsonb_array_elements(p_value) as v where v.value = p_actual);
    elsif p_operator = 'contains' and jsonb_typeof(p_actual) = 'array' then
        return exists (select 1 from jsonb_array_elements(p_actual) as v where v.value = p_value);
    elsif p_operator = 'between' and jsonb_typeof(p_value) = 'array' and jsonb_array_length(p_value) = 2 then
        v_ends := array[pawl.moment_of(p_value -> 0), pawl.moment_of(p_value -> 1)];
        if array_position(v_ends, null) is null then
            return pawl.moment_of(p_actual) between v_ends[1] and v_ends[2];
        end if;
        return jsonb_path_match(
            p_actual, 'strict $ >= $low && $ <= $high',
            jsonb_build_object('low', p_value -> 0, 'high', p_value -> 1), true);
    end if;
    return false;
end
$$;

-- Whether a record has what conditions ask, with nothing left to the engine.
create or replace function pawl.meets_exactly(p_conditions jsonb, p_record jsonb) returns boolean
language plpgsql immutable set search_path = pg_catalog as $$
begin
    return pawl.matches_conditions(p_conditions, p_record) and not exists (
        select 1
          from jsonb_each(p_conditions) as c
         cross join lateral (
             select pawl.condition_operator(c.value) as operator, pawl.condition_value(c.value) as value
         ) as t
         where pawl.condition_path('$', t.operator, t.value) = '(1 == 1)'
           and pawl.passes_exactly(p_record #> string_to_array(c.key, '.'), t.operator, t.value) is not true);
end
$$;

-- What the conditions of a tenant's triggers find in a change: see above. p_columns: those that its event does not
-- have; of conditions that ask for p_not too nothing is said.
create or replace function pawl.told_of(
    p_tenant int, p_event text, p_change jsonb, p_columns text[], p_not text[] default '{}'
) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    return jsonb_build_object('columns', p_columns, 'met', coalesce((
        select jsonb_agg(distinct md5(x.conditions::text))
          from pawl.watch_wish x
         where x.tenant = p_tenant and x.event = p_event and x.place >= 0
           and (x.operations is null or p_change ->> 'operation' = any (x.operations))
           and pawl.asks_for(x.conditions, p_columns) and not pawl.asks_for(x.conditions, p_not)
           and pawl.meets_exactly(x.conditions, p_change)), '[]'));
end
$$;

-- The same for a batch of one change, with the columns as a trigger has them: as text, which may be empty.
create or replace function pawl.told_alone(p_tenant int, p_event text, p_change jsonb, p_unsaid text) returns jsonb
language sql stable
return case when p_unsaid <> '' then jsonb_build_array(pawl.told_of(p_tenant, p_event, p_change, p_unsaid::text[])) end;

-- Whether conditions hold, by what was told; null: they are asked of the event.
create or replace function pawl.is_told(p_told jsonb, p_conditions jsonb) returns boolean
language plpgsql immutable set search_path = pg_catalog as $$
begin
    if pawl.asks_for(p_conditions, array(select jsonb_array_elements_text(p_told -> 'columns'))) then
        return p_told -> 'met' ? md5(p_conditions::text);
    end if;
    return null;
end
$$;

-- The columns of a row whose values are left out because they are too long.
create or replace function pawl.long_members(p_row jsonb) returns text[]
language sql immutable parallel safe
return array(
    select m.key
      from jsonb_each(case when jsonb_typeof(p_row) = 'object' then p_row else '{}' end) as m
     where jsonb_typeof(m.value) = 'object' and m.value ->> 'pawl.left_out' like 'longer than %'
);

-- The names of the members that differ.
create or replace function pawl.changed_members(p_old jsonb, p_new jsonb) returns jsonb
language plpgsql immutable set search_path = pg_catalog as $$
begin
    return (
        select jsonb_agg(n.key order by n.key collate "C")
          from jsonb_each(p_new) as n
         where p_old -> n.key is distinct from n.value
    );
end
$$;

-- What an event says of a change, but for its chain. The old row of another tenant is null.
create or replace function pawl.change_said(
    p_table text, p_operation text, p_clash boolean, p_old jsonb, p_new jsonb
) returns jsonb
language sql immutable parallel safe
return coalesce(p_new, p_old) || jsonb_build_object('source', p_table, 'operation', p_operation) || case
    when p_operation = 'UPDATE'
    then jsonb_build_object('old', p_old, 'new', p_new, 'changed', pawl.changed_members(coalesce(p_old, '{}'), p_new))
    when p_operation = 'DELETE' then jsonb_build_object('old', p_old)
    when p_clash then jsonb_build_object('new', p_new)
    else '{}' end;

-- What is told of a change with values that are too long. said: the rows without these; whole: with them, null: they
-- are too many, and then conditions see what the event has. p_columns: theirs. Called by pawl.parts_sql.
create or replace function pawl.told_of_long(
    p_watch pawl.watch, p_operation text, p_old_said jsonb, p_new_said jsonb, p_old_whole jsonb, p_new_whole jsonb,
    p_columns text[]
) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    v_whole boolean := (p_old_said is null or p_old_whole is not null)
                       and (p_new_said is null or p_new_whole is not null);
    v_old jsonb := case when v_whole then p_old_whole else p_old_said end;
    v_new jsonb := case when v_whole then p_new_whole else p_new_said end;
    v_tenant int := coalesce((p_watch).tenant,
                             pawl.tenant_called(coalesce(p_new_said, p_old_said) ->> (p_watch).tenant_column));
begin
    return pawl.told_of(
        v_tenant, (p_watch).event,
        pawl.change_said((p_watch).table_name, p_operation, (p_watch).clash,
                         pawl.old_of_tenant(v_tenant, (p_watch).tenant_column, v_old, v_new), v_new),
        p_columns || pawl.unsaid_columns((p_watch).schema_name, (p_watch).table_name));
end
$$;

-- The row before a change if it is of the tenant that has the row now, else null: a row that moves from one tenant to
-- another says nothing of the first one to the second. p_column says whose a row is; null: they are all of one.
create or replace function pawl.old_of_tenant(p_tenant int, p_column text, p_old jsonb, p_new jsonb) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    return case when p_new is null or p_column is null or p_old ->> p_column = p_new ->> p_column
                     or pawl.tenant_called(p_old ->> p_column) = p_tenant then p_old end;
end
$$;

-- What is told of a change when the engine cannot read all of it: more than before, if something was told already.
create or replace function pawl.told_of_unreadable(p_tenant int, p_event text, p_change jsonb, p_told jsonb)
returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    v_said jsonb := pawl.readable_part(p_change);
    v_before text[] := array(select jsonb_array_elements_text(p_told -> 'columns'));
    v_columns text[] := array(
        select m.key from jsonb_each(p_change) as m
         where m.key not in ('old', 'new') and v_said -> m.key is distinct from m.value
         union
        select c.key
          from unnest(array['old', 'new']) as r (name)
         cross join lateral jsonb_each(case when jsonb_typeof(p_change -> r.name) = 'object' then p_change -> r.name
                                            else '{}' end) as c
         where v_said -> r.name -> c.key is distinct from c.value);
    v_more jsonb := pawl.told_of(p_tenant, p_event, p_change, v_columns, v_before);
begin
    return jsonb_build_object('columns', v_before || v_columns,
                              'met', coalesce(p_told -> 'met', '[]') || (v_more -> 'met'));
end
$$;
