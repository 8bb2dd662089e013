-- needs: functions/journeys/conditions
-- needs: functions/base/readable

-- A value as a literal that can be compared with a column of this type; null: as JSON only. Text is compared by its
-- bytes.
create or replace function pawl.plain_literal(p_type regtype, p_value jsonb) returns text
language sql immutable parallel safe
return case
    when p_type in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'numeric'::regtype)
    then case when jsonb_typeof(p_value) <> 'number' then null
              when p_value::text ~ '^-?[0-9]{1,18}$' then '(' || p_value::text || ')'
              else format('%L::numeric', p_value::text) end
    when p_type in ('text'::regtype, 'varchar'::regtype, 'uuid'::regtype)
    then case when jsonb_typeof(p_value) = 'string' then quote_literal(p_value #>> '{}') end
    when p_type = 'bool'::regtype then case when jsonb_typeof(p_value) = 'boolean' then p_value::text end
end;

-- Whether a column is null (or is not), as it is in JSON, as SQL; null: it has to be asked as JSON. A null in JSON is
-- one, and a row of nulls is none.
create or replace function pawl.null_sql(p_column text, p_type regtype, p_null boolean) returns text
language sql stable
return case when p_type = 'jsonb'::regtype and p_null then format('coalesce(%s = ''null'', true)', p_column)
            when p_type = 'jsonb'::regtype then format('coalesce(%s <> ''null'', false)', p_column)
            when pawl.is_always_jsonb(p_type)
            then format('%s is %snull', p_column, case when not p_null then 'not ' end) end;

-- One condition on a column as SQL that decides as pawl.condition_path does; null: it has to be asked as JSON. p_column
-- null: there is no such column.
create or replace function pawl.condition_sql(p_column text, p_type regtype, p_operator text, p_value jsonb)
returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_column text := p_column || case when p_type in ('text'::regtype, 'varchar'::regtype, 'uuid'::regtype)
                                      then '::text collate "C"' else '' end;
    v_literal text := pawl.plain_literal(p_type, p_value);
    v_many text[];
begin
    if p_column is null then
        return null;
    elsif p_operator in ('exists', 'not exists') then
        return pawl.null_sql(p_column, p_type, p_operator = 'not exists');
    elsif p_operator in ('=', '!=') and p_value = 'null' then
        return pawl.null_sql(p_column, p_type, p_operator = '=');
    elsif p_operator in ('in', 'not in', 'between') and jsonb_typeof(p_value) = 'array' then
        v_many := array(select pawl.plain_literal(p_type, v.value) from jsonb_array_elements(p_value) as v);
        if v_many = '{}' or array_position(v_many, null) is not null then
            return null;
        elsif p_operator = 'between' then
            return case when cardinality(v_many) = 2 and p_type in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype,
                                                                    'numeric'::regtype)
                        then format('%s between %s and %s', v_column, v_many[1], v_many[2]) end;
        end if;
        return format(case p_operator when 'in' then '%s in (%s)' else '(%1$s in (%2$s)) is not true' end, v_column,
                      array_to_string(v_many, ', '));
    elsif v_literal is null then
        return null;
    elsif p_operator = '!=' then
        return format('%s is distinct from %s', v_column, v_literal);
    elsif p_operator in ('<', '<=', '>', '>=') and p_type = 'numeric'::regtype then
        -- What is no number is text in JSON; NaN is above Infinity here.
        return format(case when p_operator in ('>', '>=') then '%s %s %s and %1$s < ''Infinity'''
                           else '%s %s %s and %1$s > ''-Infinity''' end, v_column, p_operator, v_literal);
    elsif p_operator = '=' or p_operator in ('<', '<=', '>', '>=') and p_type <> 'bool'::regtype then
        return format('%s %s %s', v_column, p_operator, v_literal);
    elsif p_operator = 'contains' and p_type in ('text'::regtype, 'varchar'::regtype) then
        return format('strpos(%s, %s) > 0', v_column, v_literal);
    elsif p_operator = 'starts with' and p_type in ('text'::regtype, 'varchar'::regtype) then
        return format('starts_with(%s, %s)', v_column, v_literal);
    end if;
    return null;
end
$$;

-- All conditions of a wish as SQL over the rows n (new) and o (old) of a change; null: they have to be asked as JSON.
-- Fields that an event has itself (source, operation, changed) are such.
create or replace function pawl.conditions_sql(p_relation regclass, p_operation text, p_conditions jsonb)
returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_row text := case p_operation when 'DELETE' then 'o' else 'n' end;
    v_parts text[];
begin
    if jsonb_typeof(p_conditions) <> 'object' then
        return null;
    end if;
    v_parts := array(
        select pawl.condition_sql(f.row_name || '.' || quote_ident(a.attname), a.atttypid,
                                  pawl.condition_operator(c.value), pawl.condition_value(c.value))
          from jsonb_each(p_conditions) as c
         cross join lateral (
             select case when c.key like 'old.%' and p_operation <> 'INSERT' then 'o'
                         when c.key like 'new.%' and p_operation = 'UPDATE' then 'n'
                         when strpos(c.key, '.') = 0 and c.key <> all (pawl.event_members()) then v_row end as row_name,
                    substr(c.key, 1 + strpos(c.key, '.')) as name
         ) as f
          left join pg_attribute a on a.attrelid = p_relation and a.attname = f.name and a.attnum > 0
                                  and not a.attisdropped
    );
    return case when array_position(v_parts, null) is null
                then coalesce(nullif(array_to_string(v_parts, ' and '), ''), 'true') end;
end
$$;

-- The members that an event of a change has beside the columns.
create or replace function pawl.event_members() returns text[]
language sql immutable parallel safe
return array['source', 'operation', 'old', 'new', 'changed', 'chain'];
