-- The catalog of a Pawl database as text, an object a row: two databases that were made in different ways are compared
-- by it. Left out: weekly partitions (their names are dates), the order of grants, and whether a check was ever
-- validated over old rows.
with space as (
    select n.oid, n.nspname, n.nspacl
      from pg_namespace n
     where n.nspname in ('pawl', 'queues', 'internal', 'comms', 'pgmq', 'public')
), rel as (
    select c.*, s.nspname, format('%I.%I', s.nspname, c.relname) as full_name
      from pg_class c
      join space s on s.oid = c.relnamespace
     where c.relname !~ '_\d{8}(_|$)'
), found (kind, name, detail) as (
    select 'schema', s.nspname, coalesce(obj_description(s.oid, 'pg_namespace'), '') from space s
     union all
    select 'relation ' || r.relkind::text, r.full_name,
           concat_ws(' ', r.relpersistence, r.relrowsecurity, r.relforcerowsecurity, r.relispartition,
                     pg_get_partkeydef(r.oid), array(select unnest(r.reloptions) order by 1),
                     obj_description(r.oid, 'pg_class'))
      from rel r where r.relkind <> 'i' and r.relkind <> 'I'
     union all
    select 'column', r.full_name || '.' || a.attname,
           concat_ws(' ', row_number() over (partition by r.oid order by a.attnum),
                     format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, a.attstorage,
                     a.attstattarget, case when a.attcollation <> t.typcollation then a.attcollation::regcollation end,
                     pg_get_expr(d.adbin, d.adrelid), col_description(r.oid, a.attnum))
      from rel r
      join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
     where r.relkind in ('r', 'p', 'v', 'c', 'm')
     union all
    select 'constraint', coalesce(r.full_name, format_type(k.contypid, null)) || ' ' || k.conname,
           concat_ws(' ', replace(pg_get_constraintdef(k.oid), ' NOT VALID', ''), k.contype = 'c' and k.connoinherit,
                     obj_description(k.oid, 'pg_constraint'))
      from pg_constraint k
      left join rel r on r.oid = k.conrelid
      left join pg_type t on t.oid = k.contypid
     where r.oid is not null or t.typnamespace in (select s.oid from space s)
     union all
    select 'index', r.full_name,
           concat_ws(' ', pg_get_indexdef(r.oid), i.indisvalid, i.indisclustered, i.indisreplident,
                     obj_description(r.oid, 'pg_class'))
      from rel r join pg_index i on i.indexrelid = r.oid
     union all
    select 'trigger', r.full_name || ' ' || g.tgname, pg_get_triggerdef(g.oid) || ' ' || g.tgenabled::text
      from pg_trigger g join rel r on r.oid = g.tgrelid where not g.tgisinternal
     union all
    select 'policy', r.full_name || ' ' || y.polname,
           concat_ws(' ', y.polcmd, y.polpermissive,
                     array(select x.role::regrole::text from unnest(y.polroles) as x (role) order by 1),
                     pg_get_expr(y.polqual, y.polrelid), pg_get_expr(y.polwithcheck, y.polrelid))
      from pg_policy y join rel r on r.oid = y.polrelid
     union all
    select 'view', r.full_name, pg_get_viewdef(r.oid) from rel r where r.relkind in ('v', 'm')
     union all
    select 'sequence', r.full_name,
           concat_ws(' ', q.seqtypid::regtype, q.seqstart, q.seqincrement, q.seqmax, q.seqmin, q.seqcache, q.seqcycle)
      from rel r join pg_sequence q on q.seqrelid = r.oid
     union all
    select 'type', format_type(t.oid, null),
           concat_ws(' ', t.typtype, t.typnotnull, t.typdefault, format_type(t.typbasetype, t.typtypmod),
                     obj_description(t.oid, 'pg_type'))
      from pg_type t
     where t.typnamespace in (select s.oid from space s) and t.typtype in ('d', 'e')
     union all
    select 'function', p.oid::regprocedure::text,
           concat_ws(' ', pg_get_functiondef(p.oid), p.procost, p.prorows, obj_description(p.oid, 'pg_proc'))
      from pg_proc p
     where p.pronamespace in (select s.oid from space s) and p.prokind <> 'a'
     union all
    select 'grant ' || o.kind, o.name || ' ' || coalesce(g.grantee::regrole::text, '-'),
           string_agg(g.privilege_type || case when g.is_grantable then '*' else '' end, ',' order by g.privilege_type)
      from (select 'relation', r.full_name, coalesce(r.relacl, acldefault('r', r.relowner)), r.relowner from rel r
             where r.relkind in ('r', 'p', 'v', 'm', 'S')
             union all
            select 'function', p.oid::regprocedure::text, coalesce(p.proacl, acldefault('f', p.proowner)), p.proowner
              from pg_proc p where p.pronamespace in (select s.oid from space s)
             union all
            select 'schema', s.nspname, s.nspacl, 0 from space s where s.nspname <> 'public'
             union all
            select 'default ' || d.defaclobjtype::text, coalesce(s.nspname, '-'), d.defaclacl, 0
              from pg_default_acl d left join space s on s.oid = d.defaclnamespace) as o (kind, name, acl, owner)
     cross join lateral aclexplode(o.acl) as g
     where g.grantee <> o.owner
     group by o.kind, o.name, g.grantee
)
select o.object
  from (select f.kind || ' | ' || f.name || ' | ' || coalesce(f.detail, '') from found f) as o (object)
 order by o.object collate "C";
