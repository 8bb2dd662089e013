-- needs: functions/journeys/tables
-- needs: functions/base/readable
-- needs: functions/journeys/redact

-- Says where people are: select pawl.set_person_source('public.customers', key => 'id', tenant => 'merchant_id',
-- address => '{"email": "email", "sms": "phone"}', columns => '{first_name, tier}'). The tenant column holds a tenant's
-- name or organization. Without it every row is of one tenant: for_tenant, or the default one. for_tenant: the source
-- is for that tenant alone. Replaces what was said before. Runs with the caller's rights: for the owner of the schema.
create or replace function pawl.set_person_source(
    source text, key text, tenant text default null, address jsonb default '{}', locale text default null,
    timezone text default null, columns text[] default null, for_tenant text default null
) returns void
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_variable
declare
    v_relation regclass := pawl.application_table(source, true);
    v_parts text[] := pawl.table_parts(source);
    v_tenant int := case when for_tenant is null and tenant is null then 1 else pawl.tenant_number(for_tenant) end;
begin
    if key is null then
        raise exception 'a source of people needs the column of their keys' using errcode = 'null_value_not_allowed',
            hint = 'Like this: key => ''id''.';
    elsif jsonb_typeof(coalesce(address, '{}')) <> 'object' or exists (
        select 1 from jsonb_each(coalesce(address, '{}')) as a where jsonb_typeof(a.value) <> 'string'
    ) then
        raise exception 'address must name a column for each channel, not %', address
            using errcode = 'invalid_parameter_value', hint = 'Like this: ''{"email": "email", "sms": "phone"}''.';
    end if;
    perform pawl.require_columns(v_relation, columns || array[key, tenant, locale, timezone] || array(
        select a.value from jsonb_each_text(coalesce(address, '{}')) as a
    ));
    perform pawl.refuse_redacted(
        row(v_tenant, v_parts[1], v_parts[2], key, tenant, coalesce(address, '{}'), locale, timezone, columns,
            now())::pawl.person_source,
        pawl.columns_redacted(v_tenant)
    );
    insert into pawl.person_source as s (tenant, schema_name, table_name, key_column, tenant_column, address,
                                         locale_column, timezone_column, columns)
    values (v_tenant, v_parts[1], v_parts[2], key, tenant, coalesce(address, '{}'), locale, timezone, columns)
        on conflict on constraint person_source_pk do update
       set schema_name = excluded.schema_name, table_name = excluded.table_name, key_column = excluded.key_column,
           tenant_column = excluded.tenant_column, address = excluded.address, locale_column = excluded.locale_column,
           timezone_column = excluded.timezone_column, columns = excluded.columns, updated_at = now();
    perform pawl.put_watches_again();
end
$$;

-- Takes away what set_person_source said for a tenant alone, and then what it said for every tenant counts there. Null:
-- takes away what was said without for_tenant: for every tenant, or else for the default one. True when it had been
-- said. Runs with the caller's rights, as set_person_source does.
create or replace function pawl.forget_person_source(for_tenant text default null) returns boolean
language plpgsql set search_path = pg_catalog as $$
begin
    delete from pawl.person_source s
     where s.tenant = case when for_tenant is not null then pawl.tenant_number(for_tenant)
                           else (select min(x.tenant) from pawl.person_source x where x.tenant in (0, 1)) end;
    return found;
end
$$;

-- How a key that came as text finds its row by an index; null where it cannot be one. Keys of other types than these
-- are compared as text, which reads the whole table.
create or replace function pawl.key_test(p_column text, p_type regtype) returns text
language sql immutable parallel safe
return case
    when p_type in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) then format(
        't.%I = case when u.key ~ ''^-?[0-9]{1,19}$'' and u.key::numeric between -9223372036854775808'
        ' and 9223372036854775807 then u.key::int8 end', p_column)
    when p_type = 'uuid'::regtype then format(
        't.%I = case when u.key ~ ''^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'' then u.key::uuid end', p_column)
    when p_type in ('text'::regtype, 'varchar'::regtype) then format('t.%I = u.key', p_column)
    else format('t.%I::text = u.key', p_column)
end;

-- Whether an index leads to the rows of a table by this column, as pawl.key_test asks for it. In a language that keeps
-- its plans: it is asked for each batch.
create or replace function pawl.is_indexed(p_relation regclass, p_column text) returns boolean
language plpgsql stable set search_path = pg_catalog as $$
begin
    return exists (
        select 1
          from pg_index i
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
          join pg_class c on c.oid = i.indexrelid
          join pg_am m on m.oid = c.relam
         where i.indrelid = p_relation and i.indisvalid and i.indpred is null and a.attname = p_column
           and m.amname in ('btree', 'hash')
           and a.atttypid in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'uuid'::regtype, 'text'::regtype,
                              'varchar'::regtype)
    );
end
$$;

-- What a query shows of a row `t` of a source, of the person with the key `u.key`. Where a column may hold what jsonb
-- or the engine cannot, each person is looked at for it: what one of them has must not keep others from their messages.
-- Called by person_query and search_source.
create or replace function pawl.person_shown(p_source pawl.person_source) returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_relation regclass := pawl.source_table(p_source);
    v_plain boolean := pawl.is_plain_table(v_relation);
    v_address text := coalesce((select string_agg(format('%L, nullif(t.%I::text, '''')', a.key, a.value), ', ')
                                  from jsonb_each_text((p_source).address) as a), '');
    -- What stands last counts.
    v_person text := format(
        '''key'', u.key, ''locale'', %s, ''timezone'', %s, ''addresses'','
        ' jsonb_strip_nulls(jsonb_build_object(%s)))',
        coalesce('t.' || quote_ident((p_source).locale_column), 'null'),
        coalesce('t.' || quote_ident((p_source).timezone_column), 'null'), v_address
    );
begin
    v_person := case
        when (p_source).columns is null then
            format('jsonb_build_object(''id'', t.%I) || %s || jsonb_build_object(%s', (p_source).key_column,
                   case when v_plain then 'to_jsonb(t.*)' else 'pawl.kept_row(row_to_json(t.*))' end, v_person)
        else format('jsonb_build_object(''id'', t.%I, %s%s', (p_source).key_column, (
            select string_agg(format('%L, %s, ', c.name, case
                       when v_plain then format('t.%I', c.name)
                       else pawl.kept_column(format('t.%I', c.name), a.atttypid, true) end), '')
              from unnest((p_source).columns) as c (name)
              join pg_attribute a on a.attrelid = v_relation and a.attname = c.name
        ), v_person)
    end;
    return case when v_plain then v_person else format('pawl.readable_whole(%s)', v_person) end;
end
$$;

-- The table of a source. Refuses one that is gone.
create or replace function pawl.source_table(p_source pawl.person_source) returns regclass
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_relation regclass := to_regclass(format('%I.%I', (p_source).schema_name, (p_source).table_name));
begin
    if v_relation is null then
        raise exception 'the table of people %.% is gone', (p_source).schema_name, (p_source).table_name
            using errcode = 'undefined_table', hint = 'select pawl.set_person_source(...) names another.';
    end if;
    return v_relation;
end
$$;

-- The query that reads people of one source. Its parameters: places, keys, names and organizations of tenants, arrays
-- of one length. By an index each is looked up: a planner that reads the whole table instead, because a batch seems
-- large, would do so for each batch. Without one, or where a key is compared as text, a join is better than to read the
-- table for each key.
create or replace function pawl.person_query(p_source pawl.person_source) returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_relation regclass := pawl.source_table(p_source);
    v_key text := (p_source).key_column;
    v_type regtype := (select a.atttypid from pg_attribute a where a.attrelid = v_relation and a.attname = v_key);
    v_test text := pawl.key_test(v_key, v_type);
begin
    -- A number that is not written as it is stored is another key.
    v_test := v_test || format(case when v_type in ('text'::regtype, 'varchar'::regtype) then ''
                                    else ' and t.%I::text = u.key' end, v_key)
        || coalesce(' and t.' || quote_ident((p_source).tenant_column) || '::text in (u.tenant, u.organization)', '');
    return format(
        case when pawl.is_indexed(v_relation, v_key) then
            'select u.place, p.person from unnest($1, $2, $3, $4) as u (place, key, tenant, organization)'
            ' cross join lateral (select %1$s as person from %2$s t where %3$s limit 1) as p'
        else
            'select distinct on (u.place) u.place, %1$s'
            ' from unnest($1, $2, $3, $4) as u (place, key, tenant, organization)'
            ' join %2$s t on %3$s order by u.place'
        end, pawl.person_shown(p_source), v_relation, v_test);
end
$$;

-- People of a tenant in its own table, in the order of their keys: of the next p_looked after the key p_after up to
-- p_limit that have p_text in their key, an address or what else the source shows, in any case; null: all. `looked` and
-- `last` of each row say how many were looked at, and up to where. A row without a key: none has it. Reads with the
-- rights of the owner of the schema, and only rows of the tenant.
create or replace function pawl.search_source(p_tenant int, p_after text, p_limit int, p_text text, p_looked int)
returns table (key text, person jsonb, looked int, last text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set jit = off as $$
#variable_conflict use_column
declare
    v_source pawl.person_source;
    v_relation regclass;
    v_type regtype;
    v_key text;
    v_after text;
begin
    perform pawl.require_tenant(p_tenant);
    select x.* into v_source from pawl.person_source x where x.tenant in (p_tenant, 0) order by x.tenant desc limit 1;
    v_relation := pawl.source_table(v_source);
    v_type := (select a.atttypid from pg_attribute a
                where a.attrelid = v_relation and a.attname = v_source.key_column);
    v_key := format('t.%I', v_source.key_column);
    v_after := case
        when v_type in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype) then
            'case when $2 ~ ''^-?[0-9]{1,18}$'' then $2::int8 end'
        when v_type = 'uuid'::regtype then 'case when pawl.is_uuid($2) then $2::uuid end'
        else '$2' end;
    if v_type not in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'uuid'::regtype, 'text'::regtype,
                      'varchar'::regtype) then
        v_key := v_key || '::text';
    end if;
    return query execute format(
        'with looked as materialized (select u.key, pawl.hide_columns(%1$s, $6) as person,'
        '   row_number() over (order by %2$s) as n'
        '   from %3$s t cross join lateral (select t.%4$I::text as key) as u join pawl.tenant o on o.id = $1'
        '  where ($2 is null or %2$s > %5$s)%6$s order by %2$s limit $5),'
        ' found as (select l.* from looked l where $4 is null or strpos(lower(l.key), lower($4)) > 0'
        '   or exists (select 1 from jsonb_each_text(l.person || (l.person -> ''addresses'')) as a'
        '               where a.key <> ''addresses'' and strpos(lower(a.value), lower($4)) > 0)'
        '  order by l.n limit $3)'
        ' select f.key, f.person, s.looked::int, s.last from (select count(*) as looked,'
        '   (select l.key from looked l order by l.n desc limit 1) as last from looked) as s'
        ' left join found f on true order by f.n',
        pawl.person_shown(v_source), v_key, v_relation, v_source.key_column, v_after,
        coalesce(' and t.' || quote_ident(v_source.tenant_column) || '::text in (o.name, o.organization::text)', '')
    ) using p_tenant, p_after, p_limit, p_text, p_looked, pawl.columns_redacted(p_tenant);
end
$$;

-- People of the table that Pawl keeps. Called by read_persons. The settings are not that function's, which reads tables
-- of others: they would hold for these, and for the functions that it calls.
create or replace function pawl.read_own_persons(p_place int[], p_tenant int[], p_key text[])
returns table (place int, person jsonb)
language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
begin
    return query
    select u.place, jsonb_build_object('id', p.key) || p.attributes || jsonb_build_object(
               'key', p.key, 'locale', p.locale, 'timezone', p.timezone, 'addresses', p.addresses)
      from unnest(p_place, p_tenant, p_key) as u (place, tenant, key)
     cross join lateral (
         select * from pawl.person x where x.tenant = u.tenant and x.key = u.key and x.erased_at is null offset 0
     ) as p;
end
$$;

-- The people of these keys as they are now: {key, id, locale, timezone, addresses, and what the source shows}. If the
-- tenant has redacted columns, "pawl.redacted" has their names: what is shown goes through pawl.hide_redacted. place is
-- the place of a key in p_key; a person who is gone has no row. Reads with the rights of the owner of the schema, one
-- query for each source, and only rows of the tenant.
create or replace function pawl.read_persons(p_tenant int[], p_key text[])
returns table (place int, person jsonb)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set jit = off as $$
#variable_conflict use_column
declare
    v_group record;
    v_source pawl.person_source;
    v_tenant pawl.tenant;
    v_count int := cardinality(p_key);
begin
    perform pawl.require_tenant(t.tenant) from (select distinct u.tenant from unnest(p_tenant) as u (tenant)) as t;
    -- Most often they are of one tenant that redacts nothing: then nothing has to be grouped.
    if p_tenant = array_fill(p_tenant[1], array[v_count]) and array_position(p_key, null) is null
       and not exists (select 1 from pawl.person_redaction r where r.tenant in (p_tenant[1], 0)) then
        select x.* into v_source
          from pawl.person_source x where x.tenant in (p_tenant[1], 0) order by x.tenant desc limit 1;
        if found then
            select t.* into v_tenant from pawl.tenant t where t.id = p_tenant[1];
            return query execute pawl.person_query(v_source)
                using array(select generate_series(1, v_count)), p_key, array_fill(v_tenant.name, array[v_count]),
                      array_fill(v_tenant.organization::text, array[v_count]);
            return;
        end if;
    end if;
    for v_group in
        select o.source, o.mark, array_agg(u.place::int) as places, array_agg(u.key) as keys,
               array_agg(o.name) as names, array_agg(o.organization::text) as organizations, array_agg(o.id) as tenants
          from unnest(p_tenant, p_key) with ordinality as u (tenant, key, place)
          join (
              select t.id, t.name, t.organization, (
                         select x.tenant from pawl.person_source x where x.tenant in (t.id, 0)
                          order by x.tenant desc limit 1
                     ) as source, (
                         select jsonb_build_object('pawl.redacted', jsonb_agg(distinct c.name))
                           from pawl.person_redaction x, unnest(x.columns) as c (name)
                          where x.tenant in (t.id, 0)
                         having count(*) > 0
                     ) as mark
                from (select distinct d.tenant from unnest(p_tenant) as d (tenant)) as d
                join pawl.tenant t on t.id = d.tenant
          ) as o on o.id = u.tenant
         where u.key is not null
         group by o.source, o.mark
    loop
        if v_group.source is not null then
            select x.* into v_source from pawl.person_source x where x.tenant = v_group.source;
            return query execute case when v_group.mark is null then pawl.person_query(v_source) else
                format('select q.place, q.person || $5 from (%s) as q (place, person)', pawl.person_query(v_source)) end
                using v_group.places, v_group.keys, v_group.names, v_group.organizations, v_group.mark;
        elsif v_group.mark is null then
            return query select * from pawl.read_own_persons(v_group.places, v_group.tenants, v_group.keys);
        else
            return query
            select q.place, q.person || v_group.mark
              from pawl.read_own_persons(v_group.places, v_group.tenants, v_group.keys) as q;
        end if;
    end loop;
end
$$;

-- Who of those that Pawl keeps has this address: two at most. Called by person_at.
create or replace function pawl.own_persons_at(p_tenant int, p_channel text, p_address text) returns text[]
language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set jit = off as $$
begin
    return case p_channel
        when 'sms' then array(
            select p.key from pawl.person p
             where p.tenant = p_tenant
               and regexp_replace(p.addresses ->> 'sms', '[^0-9+]', '', 'g') = pawl.address_key('sms', p_address)
             limit 2)
        when 'line' then array(
            select p.key from pawl.person p
             where p.tenant = p_tenant and btrim(p.addresses ->> 'line') = pawl.address_key('line', p_address)
             limit 2)
    end;
end
$$;

-- The key of the person whose address this is, by sms or line; null: of none that is known, or of several. A table
-- of the tenant is asked only where an index leads to the address, which must be written there as the provider writes
-- it: the provider waits. Reads with the rights of the owner of the schema, and only rows of the tenant.
create or replace function pawl.person_at(p_tenant int, p_channel text, p_address text) returns text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set jit = off as $$
declare
    v_source pawl.person_source;
    v_relation regclass;
    v_column text;
    v_keys text[];
begin
    perform pawl.require_tenant(p_tenant);
    select x.* into v_source from pawl.person_source x where x.tenant in (p_tenant, 0) order by x.tenant desc limit 1;
    if not found then
        v_keys := pawl.own_persons_at(p_tenant, p_channel, p_address);
        return case when cardinality(v_keys) = 1 then v_keys[1] end;
    end if;
    v_relation := to_regclass(format('%I.%I', v_source.schema_name, v_source.table_name));
    v_column := v_source.address ->> p_channel;
    if p_channel not in ('sms', 'line') or v_column is null or v_relation is null
       or not pawl.is_indexed(v_relation, v_column) or not exists (
           select 1 from pg_attribute a
            where a.attrelid = v_relation and a.attname = v_column
              and a.atttypid in ('text'::regtype, 'varchar'::regtype)) then
        return null;
    end if;
    execute format(
        'select array(select t.%I::text from %s t, pawl.tenant o where o.id = $1 and t.%I = $2%s limit 2)',
        v_source.key_column, v_relation, v_column,
        coalesce(' and t.' || quote_ident(v_source.tenant_column) || '::text in (o.name, o.organization::text)', '')
    ) into v_keys using p_tenant, pawl.address_key(p_channel, p_address);
    return case when cardinality(v_keys) = 1 then v_keys[1] end;
end
$$;
