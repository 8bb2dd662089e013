-- Every tenant may have what happens to its runs put into a queue. Queues are shared by the whole database, so those of
-- other tenants than the first have names that nobody else gets, and are open to the roles of their tenant alone.
-- breaking: no

set local lock_timeout = '5s';

-- Opens a queue to a role, or closes it. Where somebody else owns the queues, that is for them to do.
create function pawl.share_queue(p_queue text, p_role text, p_open boolean) returns void
language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    v_table text;
begin
    if to_regrole(quote_ident(p_role)) is null then
        return;
    end if;
    if p_open then
        execute format('grant usage on schema pgmq to %I', p_role);
    end if;
    foreach v_table in array array['q_', 'a_'] loop
        v_table := lower(v_table || p_queue);
        continue when to_regclass(format('pgmq.%I', v_table)) is null;
        if p_open then
            execute format('grant select, insert, update, delete on pgmq.%I to %I', v_table, p_role);
        else
            execute format('revoke all on pgmq.%I from %I', v_table, p_role);
        end if;
    end loop;
exception when insufficient_privilege then
    raise warning 'role % cannot be given the queue %: %', p_role, p_queue, sqlerrm;
end
$$;

-- Makes the queue that a tenant means by a name: t2_orders. The first tenant's are called what they are.
create function pawl.own_queue(p_tenant int, p_name text) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    v_queue text := format('t%s_%s', p_tenant, p_name);
begin
    perform pawl.require_tenant(p_tenant);
    if p_tenant = 1 then
        return;
    end if;
    if p_name !~ '^[a-zA-Z0-9_-]+$' or length(v_queue) > 47 then
        raise exception 'a queue cannot be called %', quote_literal(p_name) using errcode = 'invalid_parameter_value';
    end if;
    perform pawl.ensure_queue(v_queue);
    insert into pawl.queue (name, tenant, active) values (v_queue, p_tenant, false) on conflict do nothing;
    perform pawl.share_queue(v_queue, r.role_name, true) from pawl.tenant_role r where r.tenant = p_tenant;
end
$$;

-- As before, and with the queues of its tenant.
create or replace function pawl.bind_role(p_role text, p_tenant text) returns void
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
    execute format('grant pawl_user to %I', p_role);
    perform pawl.share_queue(q.name, p_role, q.tenant = v_tenant)
       from pawl.queue q where q.name like 't' || q.tenant || '\_%';
end
$$;

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
