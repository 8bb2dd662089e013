-- name: doctor_watches
-- Tables that journeys need: watched ones, and those with people. Who changes a table does not know about that.
with needed as (
    select w.schema_name, w.table_name, 'watched table' as what, array[w.tenant_column, w.subject_column] as columns,
           array(select 'pawl_watch_' || lower(o.name) from unnest(w.operations) as o (name)) as triggers,
           'pawl.watch_table' as remedy, pawl.relation_watched(w) as relation
      from pawl.watch w
    union all
    select s.schema_name, s.table_name, 'table of people',
           s.columns || array[s.key_column, s.tenant_column, s.locale_column, s.timezone_column]
           || array(select a.value from jsonb_each_text(s.address) as a),
           '{}', 'pawl.set_person_source', to_regclass(format('%I.%I', s.schema_name, s.table_name))
      from pawl.person_source s
), found as (
    select coalesce(x.nspname, n.schema_name) as schema_name, coalesce(c.relname, n.table_name) as table_name, n.what,
           n.columns, n.triggers, n.remedy, n.relation
      from needed n
      left join pg_class c on c.oid = n.relation
      left join pg_namespace x on x.oid = c.relnamespace
), wrong as (
    select format('the %s %I.%I is gone', f.what, f.schema_name, f.table_name) as detail,
           case f.what when 'watched table'
                then format('select pawl.unwatch_table(%L)', format('%I.%I', f.schema_name, f.table_name))
                else format('select %s(...) with another table', f.remedy) end as next,
           case f.what when 'watched table' then 'watched_table_gone' else 'people_table_gone' end as code,
           jsonb_build_object('table', format('%I.%I', f.schema_name, f.table_name)) as values
      from found f where f.relation is null
    union all
    select format('the %s %I.%I has no column %I any more', f.what, f.schema_name, f.table_name, c.name),
           format('select %s(%L, ...) with columns that exist', f.remedy, format('%I.%I', f.schema_name, f.table_name)),
           case f.what when 'watched table' then 'watched_column_gone' else 'people_column_gone' end,
           jsonb_build_object('table', format('%I.%I', f.schema_name, f.table_name), 'column', c.name)
      from found f
     cross join lateral (select distinct u.name from unnest(f.columns) as u (name) where u.name is not null) as c
     where f.relation is not null and not exists (
               select 1 from pg_attribute a
                where a.attrelid = f.relation and a.attname = c.name and a.attnum > 0 and not a.attisdropped)
    union all
    select format('the watched table %I.%I has lost the trigger %s, or it is disabled: its changes are not seen',
                  f.schema_name, f.table_name, g.name),
           format('select pawl.watch_table(%L, ...) once more', format('%I.%I', f.schema_name, f.table_name)),
           'trigger_lost',
           jsonb_build_object('table', format('%I.%I', f.schema_name, f.table_name), 'trigger', g.name)
      from found f
     cross join lateral unnest(f.triggers) as g (name)
     where f.relation is not null and not exists (
               select 1 from pg_trigger t
                where t.tgrelid = f.relation and t.tgname = g.name and t.tgenabled in ('O', 'A'))
)
(select 'fail', w.detail, w.next, w.code, w.values from wrong w order by w.detail limit 20)
union all
select 'ok', 'watched tables and tables of people are as they should be', '', 'tables_right', '{}'
 where not exists (select 1 from wrong)

-- name: list_watches
select w.source, w.event, to_jsonb(w.operations) as operations, w.tenant_column, w.subject_column,
       to_jsonb(w.workflows) as workflows, w.problem
  from pawl.list_watches($1) w
