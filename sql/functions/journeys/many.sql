-- needs: functions/journeys/predicates
-- needs: functions/journeys/take
-- needs: functions/journeys/told
-- needs: functions/journeys/redact
-- needs: functions/base/readable

-- The columns of a table, as they are written for a row of it.
create or replace function pawl.row_columns(p_relation regclass, p_row text) returns text
language sql stable
begin atomic
    select string_agg(format('%s as %I', pawl.kept_column(format('%s.%I', p_row, a.attname), a.atttypid, false),
                             a.attname), ', ' order by a.attnum)
      from pg_attribute a
     where a.attrelid = p_relation and a.attnum > 0 and not a.attisdropped;
end;

-- The same without values that are too long.
create or replace function pawl.said_columns(p_relation regclass, p_row text) returns text
language sql stable
begin atomic
    select string_agg(format('%s as %I', pawl.said_column(format('%s.%I', p_row, a.attname), a.atttypid, false),
                             a.attname), ', ' order by a.attnum)
      from pg_attribute a
     where a.attrelid = p_relation and a.attnum > 0 and not a.attisdropped;
end;

-- Whether a row of a transition table is so long that a few hundred could not be written down together, as SQL. What is
-- stored in 8000 bytes is less than 1 MiB.
create or replace function pawl.long_rows_sql(p_relation regclass, p_table text) returns text
language sql stable
begin atomic
    select coalesce('exists (select from ' || quote_ident(p_table) || ' as n where ' || string_agg(
               format('coalesce(pg_column_size(n.%I), 0)', a.attname), ' + ') || ' > 8000)', 'false')
      from pg_attribute a
     where a.attrelid = p_relation and a.attnum > 0 and not a.attisdropped and a.attlen = -1;
end;

-- How many bytes a row of a table has where it may have many, as SQL.
create or replace function pawl.row_bytes(p_relation regclass, p_row text) returns text
language sql stable
begin atomic
    select coalesce(string_agg(format(case when a.atttypid = 'bytea'::regtype then 'coalesce(octet_length(%I.%I), 0)'
                                           else 'coalesce(octet_length(%I.%I::text), 0)' end, p_row, a.attname), ' + '),
                    '0')
      from pg_attribute a
     where a.attrelid = p_relation and a.attnum > 0 and not a.attisdropped and a.attlen = -1
       and a.atttypid <> 'numeric'::regtype;
end;

-- A row as JSON, as SQL: p_said, without values that are too long for an event; with them, for conditions, but not
-- where they are too many for a statement that must not fail.
create or replace function pawl.row_as_json(p_relation regclass, p_row text, p_said boolean) returns text
language sql stable
return case when p_said
            then format('(select to_jsonb(k.*) from (select %s) as k)', pawl.said_columns(p_relation, p_row))
            else format('(select to_jsonb(k.*) from (select %s) as k where %s <= 8388608)',
                        pawl.row_columns(p_relation, p_row), pawl.row_bytes(p_relation, p_row)) end;

-- The rows of a change before and after it as arrays of JSON, a few at a time, as SQL; nothing where none is long. With
-- what conditions have found in values that were left out, which needs the watch as its parameter.
create or replace function pawl.parts_sql(p_relation regclass, p_operation text) returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    c_rows constant text := '(select row_number() over () as pawl_place, * from pawl_%s) as %s';
    v_old boolean := p_operation <> 'INSERT';
    v_new boolean := p_operation <> 'DELETE';
    v_json text[];
begin
    for i in 1 .. 2 loop
        v_json := v_json || case when v_old then pawl.row_as_json(p_relation, 'o', i = 1) else 'null::jsonb' end
                         || case when v_new then pawl.row_as_json(p_relation, 'n', i = 1) else 'null::jsonb' end;
    end loop;
    return format(
        'select case when %L then array_agg(q.old order by q.place) end,'
        ' case when %L then array_agg(q.new order by q.place) end, array_agg(q.told order by q.place)'
        ' from (select pawl_place as place, s.old, s.new, case when l.columns <> ''{}'' then pawl.told_of_long('
        '$1, %L, s.old, s.new, %s, %s, l.columns) end as told'
        ' from %s cross join lateral (select %s as old, %s as new offset 0) as s'
        ' cross join lateral (select pawl.long_members(s.old) || pawl.long_members(s.new) as columns offset 0) as l'
        ' where %s or %s) as q group by q.place / 10 order by min(q.place)',
        v_old, v_new, p_operation, v_json[3], v_json[4],
        case when v_old and v_new
             then format(c_rows || ' join ' || c_rows || ' using (pawl_place)', 'new', 'n', 'old', 'o')
             when v_old then format(c_rows, 'old', 'o') else format(c_rows, 'new', 'n') end,
        v_json[1], v_json[2],
        case when v_old then pawl.long_rows_sql(p_relation, 'pawl_old') else 'false' end,
        case when v_new then pawl.long_rows_sql(p_relation, 'pawl_new') else 'false' end
    );
end
$$;

-- A column as text, as it is in JSON.
create or replace function pawl.column_as_text(p_relation regclass, p_row text, p_column text) returns text
language sql stable
begin atomic
    select case when a.atttypid in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'text'::regtype,
                                    'varchar'::regtype, 'uuid'::regtype)
                then format('%s.%I::text', p_row, a.attname)
                else pawl.kept_column(format('%s.%I', p_row, a.attname), a.atttypid, true) || ' #>> ''{}''' end
      from pg_attribute a
     where a.attrelid = p_relation and a.attname = p_column and a.attnum > 0 and not a.attisdropped;
end;

-- Which columns an UPDATE has changed, as SQL that gives an array of their names. Values are the same when they are so
-- in JSON.
create or replace function pawl.changed_columns(p_relation regclass) returns text
language sql stable
begin atomic
    select format('array_remove(array[%s], null)', string_agg(
               case when a.atttypid in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'numeric'::regtype,
                                        'uuid'::regtype, 'bool'::regtype, 'timestamptz'::regtype, 'date'::regtype)
                    then format('case when n.%1$I is distinct from o.%1$I then %1$L end', a.attname)
                    else format('case when %s is distinct from %s then %L end',
                                pawl.kept_column(format('n.%I', a.attname), a.atttypid, true),
                                pawl.kept_column(format('o.%I', a.attname), a.atttypid, true), a.attname) end,
               ', ' order by a.attname collate "C"))
      from pg_attribute a
     where a.attrelid = p_relation and a.attnum > 0 and not a.attisdropped;
end;

-- Whether an updated row, p before and n now, stays with its tenant, as SQL over the names ($1) and tenants ($2) of a
-- statement; null: all rows are of one.
create or replace function pawl.stays_sql(p_relation regclass, p_column text) returns text
language sql stable
begin atomic
    select format('(%1$s = %2$s or exists (select 1 from unnest($1, $2) as f (name, tenant)'
                  ' join unnest($1, $2) as g (name, tenant) using (tenant) where f.name = %1$s and g.name = %2$s))'
                  ' is true',
                  pawl.column_as_text(p_relation, 'p', p_column), pawl.column_as_text(p_relation, 'n', p_column))
     where pawl.column_as_text(p_relation, 'p', p_column) is not null;
end;

-- The rows of a change: n (new), o (old), and x, which is what an event says about it but for its chain.
create or replace function pawl.change_rows(p_watch pawl.watch, p_relation regclass, p_operation text) returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_new text := pawl.row_columns(p_relation, 'n');
    v_old text := pawl.row_columns(p_relation, 'o');
    v_about text := format('%L::text as source, %L::text as operation', (p_watch).table_name, p_operation);
    v_stays text := pawl.stays_sql(p_relation, (p_watch).tenant_column);
begin
    -- Rows of an UPDATE have no name that stays: the old and the new one of each are at one place. What was another
    -- tenant's before is not told (pawl.old_of_tenant).
    return case p_operation
        when 'INSERT' then format(
            'pawl_new n cross join lateral (select %1$s) as r cross join lateral (select %1$s, %2$s%3$s) as x', v_new,
            v_about, case when (p_watch).clash then ', to_jsonb(r.*) as new' end)
        when 'DELETE' then format(
            'pawl_old o cross join lateral (select %1$s) as r'
            ' cross join lateral (select %1$s, %2$s, to_jsonb(r.*) as old) as x', v_old, v_about)
        else format(
            '(select row_number() over () as pawl_place, * from pawl_new) as n'
            ' join (select row_number() over () as pawl_place, * from pawl_old) as %5$s using (pawl_place)%6$s'
            ' cross join lateral (select %1$s) as r cross join lateral (select %2$s) as b'
            ' cross join lateral (select %4$s as names offset 0) as c'
            ' cross join lateral (select %1$s, %3$s, %7$s as old, to_jsonb(r.*) as new, c.names as changed) as x',
            v_new, v_old, v_about,
            case when v_stays is null then pawl.changed_columns(p_relation)
                 else format('case when m.stays then %s else %L::text[] end', pawl.changed_columns(p_relation), array(
                     select a.attname from pg_attribute a
                      where a.attrelid = p_relation and a.attnum > 0 and not a.attisdropped
                      order by a.attname collate "C")) end,
            case when v_stays is null then 'o' else 'p' end,
            case when v_stays is not null
                 then format(' cross join lateral (select %s as stays offset 0) as m'
                             ' left join lateral (select p.* where m.stays) as o on true', v_stays) end,
            case when v_stays is null then 'to_jsonb(b.*)' else 'case when m.stays then to_jsonb(b.*) end' end) end;
end
$$;

-- How many changes at once are taken in: a statement that writes those down that are wanted, and returns whether there
-- are any. names are values of the tenant column, and of each the tenant, its bucket and which tests let a change pass,
-- as bits (1: every change does; 2: the wishes are asked as JSON). statement null: no change is wanted. The parameters
-- of the statement: names, tenants, buckets, wants, the chain or null. settings: what it runs with.
create or replace function pawl.plan_many_changes(
    p_watch pawl.watch, p_relation regclass, p_operation text,
    out statement text, out names text[], out tenants int[], out buckets smallint[], out wants bigint[],
    out settings text[]
)
language plpgsql stable set search_path = pg_catalog as $$
declare
    c_tests_max constant int := 60;
    v_tests text;
begin
    with wish as (
        select x.tenant, x.conditions,
               case when x.conditions is null then 0 else dense_rank() over (order by x.conditions) end as test
          from pawl.watch_wish x
         where x.event in ((p_watch).event, '*') and (x.operations is null or p_operation = any (x.operations))
           and x.tenant = coalesce((p_watch).tenant, x.tenant)
    ), test as (
        select w.test, case when w.test = 0 then 'true' when w.test <= c_tests_max
                            then pawl.conditions_sql(p_relation, p_operation, w.conditions) end as text
          from (select distinct w.test, w.conditions from wish w) as w
    ), bit as (
        select t.test, t.text,
               case when t.test = 0 then 1 when t.text is null then 2 else 1::bigint << (t.test + 1)::int end as bit
          from test t
    ), tenant as (
        select w.tenant, bit_or(b.bit) as bits from wish w join bit b on b.test = w.test group by w.tenant
    )
    -- Where all rows are of one tenant, it has all the wishes.
    select (select string_agg(format(case when (p_watch).tenant is null then 't.wants & %s <> 0 and (%s)'
                                          else '(%2$s)' end, b.bit, b.text), ' or ' order by b.bit)
              from bit b where b.text is not null),
           array_agg(n.name), array_agg(t.tenant), array_agg(o.bucket), array_agg(t.bits)
      into v_tests, names, tenants, buckets, wants
      from tenant t
      join pawl.tenant o on o.id = t.tenant
     cross join lateral (values (o.name), (o.organization::text)) as n (name)
     where (p_watch).tenant is null or n.name = o.name;
    if names is null then
        return;
    end if;
    settings := array['work_mem', '64MB', 'enable_sort', 'off'];
    statement := pawl.many_changes_sql(p_watch, p_relation, p_operation, concat_ws(' or ', v_tests, case
        when (select bit_or(u.bits) from unnest(wants) as u (bits)) & 2 <> 0 then format(
            't.wants & 2 <> 0 and exists (select 1 from pawl.watch_wish w where w.tenant = t.tenant'
            ' and w.event in (%L, ''*'') and (w.operations is null or %L = any (w.operations))'
            ' and (w.path is null or jsonb_path_match(to_jsonb(x.*), w.path, ''{}'', true)))',
            (p_watch).event, p_operation) end));
end
$$;

-- What the changes of a batch are, as SQL over the rows n, x and o of its changes: for each column the list of its
-- values, where that says all; else a list of rows.
create or replace function pawl.batch_sql(p_watch pawl.watch, p_relation regclass, p_operation text) returns text
language sql stable
begin atomic
    select case when p_operation = 'INSERT' and not (p_watch).clash and count(*) <= 100
                then '(''{'' || ' || string_agg(format('%L || json_agg(s.%I)::text', to_json(a.attname)::text || ':',
                                                       'c' || a.attnum), ' || '','' || ' order by a.attnum)
                     || ' || ''}'')::json'
                else 'json_agg(s.change)' end
      from pg_attribute a
     where a.attrelid = p_relation and a.attnum > 0 and not a.attisdropped
       and a.attname <> all (pawl.unsaid_columns((p_watch).schema_name, (p_watch).table_name));
end;

-- What batch_sql takes from each change.
create or replace function pawl.batch_columns(p_watch pawl.watch, p_relation regclass, p_operation text) returns text
language sql stable
begin atomic
    select case when p_operation = 'INSERT' and not (p_watch).clash and count(*) <= 100
                then string_agg(format('%s as %I', pawl.kept_column(format('n.%I', a.attname), a.atttypid, false),
                                       'c' || a.attnum), ', ' order by a.attnum)
                when pawl.unsaid_columns((p_watch).schema_name, (p_watch).table_name) = '{}'
                then 'to_json(x.*) as change'
                else format('pawl.without_columns(to_jsonb(x.*), %L) as change',
                            pawl.unsaid_columns((p_watch).schema_name, (p_watch).table_name)) end
      from pg_attribute a
     where a.attrelid = p_relation and a.attnum > 0 and not a.attisdropped
       and a.attname <> all (pawl.unsaid_columns((p_watch).schema_name, (p_watch).table_name));
end;

-- The text of that statement. p_tests: what lets a change pass, over n, o, x and t.
create or replace function pawl.many_changes_sql(
    p_watch pawl.watch, p_relation regclass, p_operation text, p_tests text
) returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    c_together constant int := 500;
    v_row text := case p_operation when 'DELETE' then 'o' else 'n' end;
    v_columns text := pawl.batch_columns(p_watch, p_relation, p_operation);
    v_unsaid text[] := pawl.unsaid_columns((p_watch).schema_name, (p_watch).table_name);
begin
    return format(
        'with fresh as (insert into pawl.change_batch (id, bucket, tenant, event, prefix, source, subject_column,'
        ' chain, count, changes, says, plain, met) overriding system value'
        ' select min(s.place), s.bucket, s.tenant, %1$L, %2$L, %3$L, %4$L, $5, count(*), %5$s, %6$L::jsonb, %12$L,'
        ' %14$s from (select t.bucket, t.tenant, %7$s%13$s, nextval(''pawl.change_batch_id_seq'') as place'
        ' from %8$s join unnest($1, $2, $3, $4) as t (name, tenant, bucket, wants) on %9$s'
        ' where %10$s) as s group by s.bucket, s.tenant, s.place / %11$s'
        ' returning bucket)'
        ' select count(pg_notify(''pawl_wake'', b.bucket::text)) > 0 from (select distinct f.bucket from fresh f) as b',
        (p_watch).event, format('watch:%s:', (p_watch).id), (p_watch).schema_name || '.' || (p_watch).table_name,
        (p_watch).subject_column, pawl.batch_sql(p_watch, p_relation, p_operation),
        case when v_columns not like '% as change'
             then jsonb_build_object('source', (p_watch).table_name, 'operation', p_operation) end,
        v_columns, pawl.change_rows(p_watch, p_relation, p_operation),
        case when (p_watch).tenant_column is null then 'true'
             -- A column that was dropped says of no row whose it is.
             else coalesce('t.name = ' || pawl.column_as_text(p_relation, v_row, (p_watch).tenant_column), 'false') end,
        format(case p_operation when 'UPDATE' then 'c.names <> ''{}'' and (%s)' else '(%s)' end, p_tests), c_together,
        pawl.is_plain_table(p_relation),
        case when v_unsaid <> '{}'
             then format(', pawl.told_of(t.tenant, %L, to_jsonb(x.*), %L) as told', (p_watch).event, v_unsaid) end,
        case when v_unsaid <> '{}' then 'jsonb_agg(s.told)' else 'null::jsonb' end
    );
end
$$;
