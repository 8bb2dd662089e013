-- Keys of locks are many and come and go; so many latches of a tenant stand for all of them.
create or replace function pawl.lock_latch(p_bucket smallint, p_key text) returns text
language sql immutable parallel safe
return 'lock ' || p_bucket || ' ' || (hashtext(p_key) & 255);

-- Waits until no other transaction holds it; held until this one ends.
create or replace function pawl.hold(p_tenant int, p_name text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    loop
        perform 1 from pawl.latch l where l.tenant = p_tenant and l.name = p_name for no key update;
        exit when found;
        insert into pawl.latch (tenant, name) values (p_tenant, p_name) on conflict do nothing;
    end loop;
end
$$;

-- The same without waiting: false when another transaction holds it.
create or replace function pawl.try_hold(p_tenant int, p_name text) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform 1 from pawl.latch l where l.tenant = p_tenant and l.name = p_name for no key update skip locked;
    if found then
        return true;
    elsif exists (select 1 from pawl.latch l where l.tenant = p_tenant and l.name = p_name) then
        return false;
    end if;
    insert into pawl.latch (tenant, name) values (p_tenant, p_name) on conflict do nothing;
    return found;
end
$$;

-- Writers of definitions of a tenant come one after the other (lock_definitions).
create or replace function pawl.hold_definitions(p_tenant int) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.hold(p_tenant, 'definitions');
    perform set_config('pawl.defines_for', p_tenant::text, true);
end
$$;
