-- The number of a tenant by its name; 0 for null, which stands for all. PW010 when there is no such tenant.
create or replace function pawl.tenant_number(p_tenant text) returns int
language plpgsql stable
set search_path = pg_catalog as $$
declare
    v_id int;
begin
    if p_tenant is null then
        return 0;
    end if;
    select t.id into v_id from pawl.tenant t where t.name = p_tenant;
    if v_id is null then
        raise exception 'there is no tenant %', quote_literal(p_tenant) using errcode = 'PW010';
    end if;
    return v_id;
end
$$;

-- Lets a login run sql steps for one tenant: usage of the schema and execution of the functions of effects and
-- conditions. Refuses roles that see all tenants.
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
    perform pawl.grant_sql_role(p_role);
    insert into pawl.sql_login as l (role_name, tenant) values (p_role, v_tenant)
        on conflict (role_name) do update set tenant = excluded.tenant;
end
$$;

-- Lets a login call and read what statements of steps and conditions need. May run again, after an upgrade that needs
-- more.
create or replace function pawl.grant_sql_role(p_role text) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    if to_regrole(quote_ident(p_role)) is null then
        return;
    end if;
    execute format('grant usage on schema pawl to %I', p_role);
    execute format('grant execute on function pawl.begin_sql_effect(smallint, uuid, text, uuid, boolean),'
                   ' pawl.end_sql_effect, pawl.condition_tenant, pawl.condition_tenant_names,'
                   ' pawl.allowing_hint, pawl.denied_column,'
                   ' pawl.add_sql_pages, pawl.read_sql_page,'
                   ' pawl.check_condition, pawl.table_parts, pawl.condition_column_type, pawl.condition_test to %I',
                   p_role);
    execute format('grant select on pawl.condition_table to %I', p_role);
end
$$;

-- Statements run with rights of their own, so a version that has some comes from an administrator: the API asks for the
-- scope admin, and here the roles of tenants are kept from it.
create or replace function pawl.guard_sql_steps() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    if new.definition @? '$.triggers[*].audience'
       or new.definition @? '$.**.steps[*] ? (exists (@.sql) || @.type == "sql")'
       or new.definition @? '$.**.nodes[*] ? (exists (@.sql) || @.type == "sql")'
    then
        if not pawl.is_engine()
           and not coalesce(pg_has_role(pawl.session_role()::name, to_regrole('pawl_api')::oid, 'member'), false)
        then
            raise exception 'role % may not publish steps of the type sql, nor audiences', pawl.session_role()
                using errcode = 'insufficient_privilege',
                      hint = 'Publish it by the API with a key that has the scope admin, or as the owner of pawl.';
        end if;
    end if;
    return null;
end
$$;

create or replace trigger workflow_version_sql_steps after insert on pawl.workflow_version
    for each row execute function pawl.guard_sql_steps();
