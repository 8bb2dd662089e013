-- Says what an administrator has to do, where the owner of the schema may not give roles away.
create or replace function pawl.bind_role(p_role text, p_tenant text)
returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_tenant int;
begin
    if to_regrole(quote_ident(p_role)) is null then
        raise exception 'there is no role %', quote_literal(p_role) using errcode = 'undefined_object',
            hint = format('create role %I login password ...', p_role);
    end if;
    v_tenant := nullif(pawl.tenant_number(p_tenant), 0);
    insert into pawl.tenant_role as t (role_name, tenant) values (p_role, v_tenant)
        on conflict (role_name) do update set tenant = excluded.tenant;
    if not pg_has_role(p_role::name, 'pawl_user', 'member') then
        begin
            execute format('grant pawl_user to %I', p_role);
        exception when insufficient_privilege then
            raise exception 'role % may not give roles away', current_user using errcode = 'insufficient_privilege',
                hint = format('Let an administrator run: grant pawl_user to %I with admin option. Or, for this role'
                              ' alone: grant pawl_user to %I. Then try again.', current_user, p_role);
        end;
    end if;
    perform pawl.share_queue(q.name, p_role, q.tenant = v_tenant)
       from pawl.queue q where q.name like 't' || q.tenant || '\_%';
end
$$;

-- Takes away what bind_role gave: the role stands for no tenant any more. True when it did.
create or replace function pawl.unbind_role(p_role text) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    delete from pawl.tenant_role t where t.role_name = p_role;
    if found and to_regrole(quote_ident(p_role)) is not null then
        execute format('revoke pawl_user from %I', p_role);
        perform pawl.share_queue(q.name, p_role, false)
           from pawl.queue q where q.name like 't' || q.tenant || '\_%';
        return true;
    end if;
    return found;
end
$$;
