-- The tenant that the functions for applications act for: the session's.
create or replace function pawl.sql_tenant() returns pawl.tenant
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_tenant pawl.tenant;
begin
    select t.* into v_tenant from pawl.tenant t where t.id = pawl.current_tenant();
    if not found then
        raise exception 'role % belongs to no tenant', pawl.session_role() using errcode = 'insufficient_privilege',
            hint = format('The owner of the schema pawl can change that: select pawl.bind_role(%L, ''TENANT'')',
                          pawl.session_role());
    end if;
    return v_tenant;
end
$$;

-- Workers look when the transaction commits. The same notification is sent once a transaction.
create or replace function pawl.wake_at_commit(p_bucket smallint) returns void
language sql set search_path = pg_catalog
begin atomic
    select pg_notify('pawl_wake', p_bucket::text);
end;

-- Lets a role call them, and nothing else, for the default tenant unless it is bound to another.
create or replace function pawl.allow_sql_api(p_role text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    execute format('grant usage on schema pawl to %I', p_role);
    execute format(
        'grant execute on function pawl.start, pawl.start_many, pawl.emit, pawl.signal, pawl.cancel, pawl.status,'
        ' pawl.result to %I', p_role
    );
    insert into pawl.tenant_role (role_name, tenant) values (p_role, 1) on conflict do nothing;
end
$$;
