-- Whose tables a login may ask, of those that p_tenant may: a login of another tenant than the first asks for that
-- tenant alone. One of the first may serve the conditions of all, and so does the engine's own.
create or replace function pawl.condition_tenant(p_tenant int) returns int
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select case when l.tenant = 1 or l.tenant is null and e.is_engine then p_tenant else coalesce(l.tenant, 0) end
      from (select exists (
                select 1
                  from pg_roles r
                  join pg_namespace n on n.nspname = 'pawl'
                 where r.rolname = session_user
                   and (r.rolsuper or pg_has_role(r.oid, n.nspowner, 'usage')
                        or coalesce(pg_has_role(r.oid, to_regrole('pawl_worker')::oid, 'usage'), false))
            ) as is_engine) as e
      left join pawl.sql_login l on l.role_name = session_user
$$;

-- What a tenant is called in a column that says whose a row is: its name and its organization. Of the tenant that the
-- login may ask for.
create or replace function pawl.condition_tenant_names(p_tenant int) returns text[]
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return (select array[t.name, t.organization::text] from pawl.tenant t where t.id = pawl.condition_tenant(p_tenant));
end
$$;

-- Schema and name of a table as people write it: public unless a schema is given; as it is, unless it has quotes.
create or replace function pawl.table_parts(p_table text) returns text[]
language plpgsql stable
set search_path = pg_catalog as $$
declare
    v_parts text[];
begin
    v_parts := case when strpos(p_table, '"') > 0 then parse_ident(p_table) else string_to_array(p_table, '.') end;
    if cardinality(v_parts) = 1 then
        return array['public', v_parts[1]];
    elsif cardinality(v_parts) = 2 then
        return v_parts;
    end if;
    raise exception 'write a table as "schema.table"' using errcode = 'PW010';
exception when invalid_parameter_value then
    raise exception '% is not the name of a table', quote_literal(p_table) using errcode = 'PW010';
end
$$;

-- The type of a column, as it is written in SQL.
create or replace function pawl.condition_column_type(p_relation regclass, p_column text) returns text
language plpgsql stable
set search_path = pg_catalog as $$
declare
    v_type text;
begin
    -- Without its length, which a cast would cut the value to.
    select format_type(a.atttypid, -1) into v_type
      from pg_attribute a
     where a.attrelid = p_relation and a.attname = p_column and a.attnum > 0 and not a.attisdropped;
    if v_type is null then
        raise exception 'the table % has no column %', p_relation, quote_literal(p_column) using errcode = 'PW011';
    end if;
    return v_type;
end
$$;

-- What one operator means for one column, as SQL over the parameters $1 (the value as text), $2 (its items as text)
-- and $3 (the value as JSON). Only names from the catalog and words of this function go into the text.
create or replace function pawl.condition_test(p_column text, p_type text, p_operator text) returns text
language plpgsql immutable
set search_path = pg_catalog as $$
declare
    v_is_json boolean := p_type in ('json', 'jsonb');
    v_is_list boolean := p_type like '%[]';
begin
    if p_operator in ('=', '<', '<=', '>', '>=') then
        if v_is_json then
            return format('t.%I::jsonb %s $3', p_column, p_operator);
        end if;
        return format('t.%I %s $1::%s', p_column, p_operator, p_type);
    elsif p_operator = 'in' then
        if v_is_json then
            return format('$3 @> jsonb_build_array(t.%I::jsonb)', p_column);
        end if;
        return format('t.%I = any ($2::%s[])', p_column, p_type);
    elsif p_operator = 'between' then
        return format('t.%1$I between $2[1]::%2$s and $2[2]::%2$s', p_column, p_type);
    elsif p_operator = 'before' then
        return format('t.%I::timestamptz < $1::timestamptz', p_column);
    elsif p_operator = 'after' then
        return format('t.%I::timestamptz > $1::timestamptz', p_column);
    elsif p_operator = 'contains' then
        if v_is_json then
            return format('t.%I::jsonb @> $3', p_column);
        elsif v_is_list then
            return format('$1::%s = any (t.%I)', rtrim(p_type, '[]'), p_column);
        end if;
        return format('strpos(t.%I::text, $1) > 0', p_column);
    elsif p_operator = 'starts with' then
        return format('starts_with(t.%I::text, $1)', p_column);
    elsif p_operator = 'matches' then
        return format('t.%I::text ~ $1', p_column);
    elsif p_operator = 'exists' then
        return format('t.%I is not null', p_column);
    end if;
    raise exception 'there is no operator %', quote_literal(p_operator) using errcode = 'PW012';
end
$$;

-- What an administrator does so that conditions may ask a column of a table; null: nothing, it is no table of the
-- application. p_allowed: what they may ask now. The columns of a table of people are known.
create or replace function pawl.allowing_hint(p_parts text[], p_allowed pawl.condition_table, p_column text)
returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_source pawl.person_source;
begin
    if p_parts[1] in ('pawl', 'pg_catalog', 'information_schema', 'pg_toast') then
        return null;
    elsif (p_allowed).tenant is null then
        select s.* into v_source
          from pawl.person_source s
         where s.schema_name = p_parts[1] and s.table_name = p_parts[2] order by s.tenant limit 1;
        p_allowed.subject_column := coalesce(v_source.key_column, 'COLUMN_WITH_THE_SUBJECT');
        p_allowed.tenant_column := v_source.tenant_column;
    end if;
    return format('select pawl.allow_condition_table(%L, %L', array_to_string(p_parts, '.'), (p_allowed).subject_column)
        || case when (p_allowed).columns is not null then format(', %L', (p_allowed).columns || p_column) else '' end
        || coalesce((select format(', p_tenant => %L', t.name) from pawl.tenant t where t.id = (p_allowed).tenant), '')
        || coalesce(', tenant => ' || quote_literal((p_allowed).tenant_column), '') || ')';
end
$$;

-- The first column that a condition asks for and may not; null: it may ask for all of them.
create or replace function pawl.denied_column(p_allowed pawl.condition_table, p_columns text[]) returns text
language sql immutable parallel safe
return (
    select u.name
      from unnest(p_columns) with ordinality as u (name, place)
     where (p_allowed).columns is not null and u.name <> all ((p_allowed).columns || (p_allowed).subject_column)
     order by u.place
     limit 1
);

-- Why conditions of a tenant may not ask a column of a table; null: they may. Says the same as check_condition, before
-- any run asks. Called when a definition is saved, with the rights of the engine.
create or replace function pawl.query_problem(p_tenant int, p_table text, p_field text, p_subject_field text)
returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_parts text[];
    v_relation regclass;
    v_allowed pawl.condition_table;
    v_denied text;
begin
    v_parts := pawl.table_parts(p_table);
    v_relation := to_regclass(format('%I.%I', v_parts[1], v_parts[2]));
    select t.* into v_allowed
      from pawl.condition_table t
     where t.tenant in (p_tenant, 0) and t.schema_name = v_parts[1] and t.table_name = v_parts[2]
     order by t.tenant desc
     limit 1;
    v_denied := case when found then pawl.denied_column(v_allowed, array[p_field, p_subject_field]) else p_field end;
    if v_denied is not null then
        return format('conditions may not ask %s of the table %s: %s', v_denied, p_table, coalesce(
            'an administrator allows it with ' || pawl.allowing_hint(v_parts, v_allowed, v_denied),
            'it is no table of an application'));
    elsif v_relation is null then
        return format('there is no table %s any more', p_table);
    end if;
    perform pawl.condition_column_type(v_relation, c.name)
       from unnest(array[p_field, coalesce(p_subject_field, v_allowed.subject_column), v_allowed.tenant_column])
            as c (name)
      where c.name is not null;
    return null;
exception
    when sqlstate 'PW010' then
        return format('"%s" is not the name of a table', p_table);
    when sqlstate 'PW011' then
        return sqlerrm;
end
$$;

-- Whether a row of the subject in an allowed table passes a test. !=, not in and not exists are true where their
-- opposites are false, so also where there is no such row; and null stands for what does not exist.
create or replace function pawl.check_condition(
    p_tenant int, p_table text, p_field text, p_operator text, p_value jsonb, p_subject text, p_subject_field text
) returns boolean
language plpgsql stable set search_path = pg_catalog set TimeZone = 'UTC' as $$
declare
    v_tenant int := pawl.condition_tenant(p_tenant);
    v_parts text[] := pawl.table_parts(p_table);
    v_relation regclass;
    v_allowed pawl.condition_table;
    v_operator text := case p_operator when '!=' then '=' when 'not in' then 'in' when 'not exists' then 'exists'
                                       else p_operator end;
    v_negated boolean := v_operator <> p_operator;
    v_subject_column text;
    v_whose text := '';
    v_found boolean;
begin
    -- What a tenant was given by name comes before what all tenants were given.
    select t.* into v_allowed
      from pawl.condition_table t
     where t.tenant in (v_tenant, 0) and t.schema_name = v_parts[1] and t.table_name = v_parts[2]
     order by t.tenant desc
     limit 1;
    v_relation := to_regclass(format('%I.%I', v_parts[1], v_parts[2]));
    if v_allowed.tenant is null or v_relation is null then
        raise exception 'conditions may not ask the table %', quote_literal(p_table)
              using errcode = 'PW010', hint = coalesce(pawl.allowing_hint(v_parts, v_allowed, p_field),
                                                       'Name a table of the application.');
    end if;
    v_subject_column := coalesce(p_subject_field, v_allowed.subject_column);
    if pawl.denied_column(v_allowed, array[p_field, v_subject_column]) is not null then
        raise exception 'conditions may ask only some columns of %, not %', quote_literal(p_table),
            quote_literal(pawl.denied_column(v_allowed, array[p_field, v_subject_column])) using errcode = 'PW011';
    end if;
    if v_allowed.tenant_column is not null then
        perform pawl.condition_column_type(v_relation, v_allowed.tenant_column);
        v_whose := format(' and t.%I::text = any ($5)', v_allowed.tenant_column);
    end if;
    if v_operator = '=' and coalesce(p_value, 'null') = 'null' then
        v_operator := 'exists';
        v_negated := not v_negated;
    end if;
    -- Types of extensions bring operators of their own: citext compares without case.
    perform set_config('search_path', concat_ws(', ', 'pg_catalog', quote_ident(n.nspname)), true)
       from pg_attribute a
       join pg_type y on y.oid = a.atttypid
       join pg_namespace n on n.oid = y.typnamespace
      where a.attrelid = v_relation and a.attname = p_field and n.nspname <> 'pg_catalog';
    execute format(
        'select exists (select 1 from %s t where t.%I = $4::%s%s and %s)',
        v_relation, v_subject_column, pawl.condition_column_type(v_relation, v_subject_column), v_whose,
        pawl.condition_test(p_field, pawl.condition_column_type(v_relation, p_field), v_operator)
    ) into v_found
      using p_value #>> '{}',
            case when jsonb_typeof(p_value) = 'array'
                 then array(select jsonb_array_elements_text(p_value)) end,
            p_value, p_subject,
            case when v_whose <> '' then pawl.condition_tenant_names(p_tenant) end;
    return v_found <> v_negated;
end
$$;

-- Lets conditions ask a table: select pawl.allow_condition_table('public.customers', 'id'). The subject column holds
-- what runs have as their subject. Without p_columns every column may be asked, without p_tenant every tenant may.
-- tenant: the column with the name or organization of a tenant; without it conditions look at all rows of the subject,
-- whosever they are.
create or replace function pawl.allow_condition_table(
    p_table text, p_subject_column text, p_columns text[] default null, p_tenant text default null,
    tenant text default null
) returns void
language plpgsql
set search_path = pg_catalog as $$
#variable_conflict use_variable
declare
    v_parts text[] := pawl.table_parts(p_table);
    v_relation regclass := to_regclass(format('%I.%I', v_parts[1], v_parts[2]));
    v_missing text;
begin
    if v_relation is null then
        raise exception 'there is no table %.%', v_parts[1], v_parts[2] using errcode = 'PW010';
    end if;
    select c.name into v_missing
      from unnest(coalesce(p_columns, '{}') || p_subject_column || tenant) as c (name)
     where c.name is not null and not exists (
               select 1
                 from pg_attribute a
                where a.attrelid = v_relation and a.attname = c.name and a.attnum > 0 and not a.attisdropped
           )
     limit 1;
    if v_missing is not null then
        raise exception '%.% has no column %', v_parts[1], v_parts[2], quote_literal(v_missing)
              using errcode = 'PW011';
    end if;
    insert into pawl.condition_table as t (tenant, schema_name, table_name, subject_column, columns, tenant_column)
    values (pawl.tenant_number(p_tenant), v_parts[1], v_parts[2], p_subject_column, p_columns, tenant)
        on conflict on constraint condition_table_pk do update
       set subject_column = excluded.subject_column, columns = excluded.columns,
           tenant_column = excluded.tenant_column;
end
$$;

-- Takes away what allow_condition_table allowed. True when it was allowed.
create or replace function pawl.forbid_condition_table(p_table text, p_tenant text default null) returns boolean
language plpgsql
set search_path = pg_catalog as $$
declare
    v_parts text[] := pawl.table_parts(p_table);
begin
    delete from pawl.condition_table t
     where t.tenant = pawl.tenant_number(p_tenant) and t.schema_name = v_parts[1] and t.table_name = v_parts[2];
    return found;
end
$$;
