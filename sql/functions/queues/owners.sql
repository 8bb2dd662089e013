-- Makes the queue that a tenant means by a name: t2_orders. The first tenant's are called what they are.
create or replace function pawl.own_queue(p_tenant int, p_name text) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    c_queues_max constant int := 20;
    v_queue text := case when p_tenant = 1 then p_name else format('t%s_%s', p_tenant, p_name) end;
begin
    perform pawl.require_tenant(p_tenant);
    if p_name !~ '^[a-zA-Z0-9_-]+$' or length(v_queue) > 47 then
        raise exception 'a queue cannot be called %', quote_literal(p_name) using errcode = 'invalid_parameter_value';
    end if;
    if to_regnamespace('pgmq') is not null and not pawl.queue_exists(v_queue) then
        -- One after the other, or two at once would both be the last.
        perform pawl.hold(p_tenant, 'webhook_queues');
        -- Those that were not empty when their webhook went. One that was made just now may wait for its webhook.
        perform pawl.drop_webhook_queue(w.name)
           from (select w.name from pawl.webhook_queue w
                  where w.tenant = p_tenant and w.made_at < now() - interval '1 minute'
                  order by w.made_at limit c_queues_max) as w;
        if (select count(*) from pawl.webhook_queue w where w.tenant = p_tenant) >= c_queues_max then
            raise exception 'webhooks have made % queues already, and may make no more', c_queues_max
                using errcode = 'configuration_limit_exceeded',
                      hint = 'Name one of them, or delete webhooks whose queues are empty.';
        end if;
        insert into pawl.webhook_queue (name, tenant) values (v_queue, p_tenant) on conflict do nothing;
    end if;
    perform pawl.ensure_queue(v_queue);
    if p_tenant = 1 then
        return;
    end if;
    insert into pawl.queue (name, tenant, active) values (v_queue, p_tenant, false) on conflict do nothing;
    perform pawl.share_queue(v_queue, r.role_name, true) from pawl.tenant_role r where r.tenant = p_tenant;
end
$$;

-- Opens a queue to a role, or closes it. Where another role owns the queues, their owner has to do that.
create or replace function pawl.share_queue(p_queue text, p_role text, p_open boolean) returns void
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

-- Whether a login can only have written for other tenants: what it has not committed is nothing to wait for.
create or replace function pawl.works_for_others(p_role oid, p_tenant int) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_others boolean;
begin
    perform pawl.require_tenant(p_tenant);
    if p_role is null or pg_has_role(p_role, (select n.nspowner from pg_namespace n where n.nspname = 'pawl'), 'member')
       or coalesce(pg_has_role(p_role, to_regrole('pawl_worker')::oid, 'member'), false)
       or coalesce(pg_has_role(p_role, to_regrole('pawl_api')::oid, 'member'), false) then
        return false;
    end if;
    select bool_and(t.tenant <> p_tenant) into v_others
      from pawl.tenant_role t
     where pg_has_role(p_role, to_regrole(quote_ident(t.role_name))::oid, 'member');
    return coalesce(v_others, false);
end
$$;
