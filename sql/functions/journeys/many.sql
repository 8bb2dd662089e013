-- needs: functions/journeys/predicates
-- needs: functions/journeys/take
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

-- The first rows of a transition table as an array of JSON, as SQL: for when to_jsonb of them fails, or gives too much.
create or replace function pawl.few_rows_sql(p_relation regclass, p_table text, p_limit int) returns text
language sql stable
begin atomic
    select format('select array(select to_jsonb(r.*) from (select * from %I limit %s) as n'
                  ' cross join lateral (select %s) as r)', p_table, p_limit, pawl.said_columns(p_relation, 'n'));
end;

-- Whether a row of a transition table is so long that a few hundred could not be written down together, as SQL. What is
-- stored in 8000 bytes is less than 1 MiB.
create or replace function pawl.long_rows_sql(p_relation regclass, p_table text) returns text
language sql stable
begin atomic
    select coalesce(format('exists (select from %I as n where %s > 8000)', p_table, string_agg(
               format('coalesce(pg_column_size(n.%I), 0)', a.attname), ' + ')), 'false')
      from pg_attribute a
     where a.attrelid = p_relation and a.attnum > 0 and not a.attisdropped and a.attlen = -1;
end;

-- The rows of a change before and after it as arrays of JSON, a few at a time, as SQL; nothing where none is long.
create or replace function pawl.parts_sql(p_relation regclass, p_operation text) returns text
language sql stable
begin atomic
    select case when p_operation = 'UPDATE' then format(
               'select array_agg(to_jsonb(b.*) order by pawl_place), array_agg(to_jsonb(r.*) order by pawl_place)'
               ' from (select row_number() over () as pawl_place, * from pawl_new) as n'
               ' join (select row_number() over () as pawl_place, * from pawl_old) as o using (pawl_place)'
               ' cross join lateral (select %s) as r cross join lateral (select %s) as b where %s or %s'
               ' group by pawl_place / 10 order by min(pawl_place)',
               pawl.said_columns(p_relation, 'n'), pawl.said_columns(p_relation, 'o'),
               pawl.long_rows_sql(p_relation, 'pawl_new'), pawl.long_rows_sql(p_relation, 'pawl_old'))
           else format(
               'select case when %L then a.rows end, case when not %1$L then a.rows end'
               ' from (select array_agg(to_jsonb(r.*) order by n.pawl_place) as rows, min(n.pawl_place) as first'
               ' from (select row_number() over () as pawl_place, * from %I) as n cross join lateral (select %s) as r'
               ' where %s group by n.pawl_place / 10) as a order by a.first',
               p_operation = 'DELETE', t.name, pawl.said_columns(p_relation, 'n'),
               pawl.long_rows_sql(p_relation, t.name)) end
      from (values (case p_operation when 'DELETE' then 'pawl_old' else 'pawl_new' end)) as t (name);
end;

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

-- The rows of a change: n (new), o (old), and x, which is what an event says about it but for its chain.
create or replace function pawl.change_rows(p_watch pawl.watch, p_relation regclass, p_operation text) returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_new text := pawl.row_columns(p_relation, 'n');
    v_old text := pawl.row_columns(p_relation, 'o');
    v_about text := format('%L::text as source, %L::text as operation', (p_watch).table_name, p_operation);
begin
    -- Rows of an UPDATE have no name that stays: the old and the new one of each are at one place.
    return case p_operation
        when 'INSERT' then format(
            'pawl_new n cross join lateral (select %1$s) as r cross join lateral (select %1$s, %2$s%3$s) as x', v_new,
            v_about, case when (p_watch).clash then ', to_jsonb(r.*) as new' end)
        when 'DELETE' then format(
            'pawl_old o cross join lateral (select %1$s) as r'
            ' cross join lateral (select %1$s, %2$s, to_jsonb(r.*) as old) as x', v_old, v_about)
        else format(
            '(select row_number() over () as pawl_place, * from pawl_new) as n'
            ' join (select row_number() over () as pawl_place, * from pawl_old) as o using (pawl_place)'
            ' cross join lateral (select %1$s) as r cross join lateral (select %2$s) as b'
            ' cross join lateral (select %4$s as names offset 0) as c'
            ' cross join lateral (select %1$s, %3$s, to_jsonb(b.*) as old, to_jsonb(r.*) as new, c.names as changed)'
            ' as x',
            v_new, v_old, v_about, pawl.changed_columns(p_relation)) end;
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
begin
    return format(
        'with fresh as (insert into pawl.change_batch (id, bucket, tenant, event, prefix, source, subject_column,'
        ' chain, count, changes, says, plain) overriding system value'
        ' select min(s.place), s.bucket, s.tenant, %1$L, %2$L, %3$L, %4$L, $5, count(*), %5$s, %6$L::jsonb, %12$L'
        ' from (select t.bucket, t.tenant, %7$s, nextval(''pawl.change_batch_id_seq'') as place'
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
        pawl.is_plain_table(p_relation)
    );
end
$$;
