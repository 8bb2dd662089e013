-- A sql step may hand more rows to a foreach than one event of a log should hold: they are kept in pages, which the
-- foreach reads one after the other.
-- breaking: no

set local lock_timeout = '5s';

-- Written in the transaction of the statement, like the effect that it belongs to, and gone with it.
create table pawl.sql_page (
    bucket smallint not null,
    run_id uuid not null,
    key text not null,
    page int not null,
    rows jsonb not null,
    constraint sql_page_pk primary key (bucket, run_id, key, page),
    constraint sql_page_key_fits_check check (octet_length(key) <= 2000)
);

-- Pages from p_first on, of an effect that this very transaction has begun.
create function pawl.add_sql_pages(p_bucket smallint, p_run uuid, p_key text, p_first int, p_rows jsonb[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform 1
       from pawl.sql_effect e
      where e.bucket = p_bucket and e.run_id = p_run and e.key = p_key and e.xmin = pg_current_xact_id()::xid;
    if not found then
        raise exception 'this transaction has not begun the effect %', p_key using errcode = 'PW001';
    end if;
    insert into pawl.sql_page (bucket, run_id, key, page, rows)
    select p_bucket, p_run, p_key, p_first + u.place::int - 1, u.rows
      from unnest(p_rows) with ordinality as u (rows, place);
end
$$;

-- A page, for the login of the tenant whose run has made it; null: there is none. The run may be one that has ended and
-- that another one goes on from.
create function pawl.read_sql_page(p_bucket smallint, p_run uuid, p_key text, p_page int, p_as_engine boolean)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
    v_tenant int := (select l.tenant from pawl.sql_login l where l.role_name = session_user);
begin
    if v_tenant is null and p_as_engine and pawl.is_engine() then
        v_tenant := 1;
    end if;
    return (
        select p.rows
          from pawl.sql_page p
         where p.bucket = p_bucket and p.run_id = p_run and p.key = p_key and p.page = p_page
           and (exists (select 1
                          from pawl.live_run l
                         where l.bucket = p_bucket and l.run_id = p_run and l.tenant = v_tenant)
                or exists (select 1
                             from pawl.run r
                            where r.bucket = p_bucket and r.run_id = p_run and r.tenant = v_tenant))
    );
end
$$;

revoke execute on function pawl.add_sql_pages from public;
revoke execute on function pawl.read_sql_page from public;

create or replace function pawl.allow_sql_role(p_role text, p_tenant text default null) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_tenant int := coalesce(nullif(pawl.tenant_number(p_tenant), 0), 1);
begin
    if to_regrole(quote_ident(p_role)) is null then
        raise exception 'there is no role %', quote_literal(p_role) using errcode = 'undefined_object',
            hint = format('create role %I login password ...', p_role);
    end if;
    if exists (
        select 1
          from pg_roles r
          join pg_namespace n on n.nspname = 'pawl'
         where r.rolname = p_role
           and (r.rolsuper or pg_has_role(r.oid, n.nspowner, 'member')
                or pg_has_role(r.oid, to_regrole('pawl_worker')::oid, 'member')
                or pg_has_role(r.oid, to_regrole('pawl_api')::oid, 'member'))
    ) then
        raise exception 'role % sees all tenants, and statements of steps would too', quote_literal(p_role)
            using errcode = 'invalid_grant_operation',
                  hint = 'Make a login for steps that is no superuser and in no role of the engine.';
    end if;
    execute format('grant usage on schema pawl to %I', p_role);
    execute format('grant execute on function pawl.begin_sql_effect(smallint, uuid, text),'
                   ' pawl.begin_sql_effect(smallint, uuid, text, uuid, boolean), pawl.end_sql_effect,'
                   ' pawl.add_sql_pages, pawl.read_sql_page,'
                   ' pawl.check_condition, pawl.table_parts, pawl.condition_column_type, pawl.condition_test to %I',
                   p_role);
    execute format('grant select on pawl.condition_table to %I', p_role);
    insert into pawl.sql_login as l (role_name, tenant) values (p_role, v_tenant)
        on conflict (role_name) do update set tenant = excluded.tenant;
end
$$;

do $$
declare
    v_role text;
begin
    for v_role in select l.role_name from pawl.sql_login l where to_regrole(quote_ident(l.role_name)) is not null loop
        execute format('grant execute on function pawl.add_sql_pages, pawl.read_sql_page to %I', v_role);
    end loop;
end
$$;

-- An effect with pages stays as long as its run can be looked at: a run that goes on from it reads them again.
create or replace function pawl.purge_sql_effects(p_bucket smallint, p_limit int) returns int
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_seen int;
begin
    with old as materialized (
        select e.ctid as row_id,
               exists (select 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = e.run_id)
               or exists (select 1
                            from pawl.sql_page p
                           where p.bucket = p_bucket and p.run_id = e.run_id and p.key = e.key)
                  and exists (select 1 from pawl.run r where r.bucket = p_bucket and r.run_id = e.run_id) as live
          from pawl.sql_effect e
         where e.bucket = p_bucket and e.at <= now() - interval '1 day'
         order by e.at
         limit p_limit
           for update of e skip locked
    ), kept as (
        update pawl.sql_effect e set at = now() where e.ctid = any (array(select o.row_id from old o where o.live))
    ), removed as (
        delete from pawl.sql_effect e
         where e.ctid = any (array(select o.row_id from old o where not o.live))
        returning e.run_id, e.key
    ), pages as (
        delete from pawl.sql_page p
         using removed r
         where p.bucket = p_bucket and p.run_id = r.run_id and p.key = r.key
    )
    select count(*) into v_seen from old;
    return v_seen;
end
$$;
