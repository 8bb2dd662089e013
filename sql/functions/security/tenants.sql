-- The caller's role, also inside a function that runs as its owner. A login can SET ROLE only to roles it is in.
create or replace function pawl.session_role() returns text
language sql stable parallel safe
return coalesce(nullif(current_setting('role'), 'none'), session_user);

-- Whether that role works for all tenants: workers, the owner of the schema, superusers. In a language that keeps its
-- plans: it is asked for each call.
create or replace function pawl.is_engine() returns boolean
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
begin
    return (
        select coalesce(bool_or(
                   r.rolsuper or pg_has_role(r.oid, n.nspowner, 'usage')
                   or coalesce(pg_has_role(r.oid, to_regrole('pawl_worker')::oid, 'usage'), false)
               ), false)
          from pg_roles r
          join pg_namespace n on n.nspname = 'pawl'
         where r.rolname = pawl.session_role()
    );
end
$$;

-- The tenant whose rows this session works with; null: none. The setting pawl.tenant counts only for roles that can
-- read all tenants anyway (then the default is 1), and for the API, which sets it for every request.
create or replace function pawl.current_tenant() returns int
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_role text := pawl.session_role();
    v_set int := nullif(current_setting('pawl.tenant', true), '');
    v_tenant int;
begin
    if pawl.is_engine() then
        return coalesce(v_set, 1);
    elsif pg_has_role(v_role::name, to_regrole('pawl_api')::oid, 'usage') then
        return v_set;
    end if;
    select t.tenant into v_tenant from pawl.tenant_role t where t.role_name = v_role;
    if v_tenant is null then
        -- By a group; a role in the groups of two tenants has to say which with SET ROLE.
        select min(t.tenant) into v_tenant
          from pawl.tenant_role t
         where pg_has_role(v_role::name, to_regrole(quote_ident(t.role_name))::oid, 'usage')
        having count(distinct t.tenant) = 1;
    end if;
    return v_tenant;
end
$$;

-- For functions that run as their owner, and would otherwise show every tenant's rows to every caller.
create or replace function pawl.require_tenant(p_tenant int) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    if p_tenant is distinct from pawl.current_tenant() and not pawl.is_engine() then
        raise exception 'role % may not work for tenant %', pawl.session_role(), p_tenant
            using errcode = 'insufficient_privilege', hint = 'Tenants are given to roles with pawl.bind_role.';
    end if;
end
$$;

-- Sets the tenant of the session, for roles that may choose: select pawl.use_tenant('acme').
create or replace function pawl.use_tenant(p_name text) returns int
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_tenant int := pawl.tenant_number(p_name);
begin
    perform set_config('pawl.tenant', v_tenant::text, false);
    return v_tenant;
end
$$;

-- The role that requests of the API run as, where the login may take it.
create or replace function pawl.api_role() returns text
language sql stable parallel safe
return case when pg_has_role(session_user, to_regrole('pawl_api')::oid, 'member') then 'pawl_api'
            else current_setting('role') end;

-- For starts from SQL, also those of programs that embed Pawl; a server looks by itself, with counts that may be a
-- second old.
create or replace function pawl.check_limits(p_tenant pawl.tenant, p_starts int, p_bytes int) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    if p_bytes > (p_tenant).payload_bytes_max then
        raise exception 'the data of the run has % bytes; tenant % may give %', p_bytes, (p_tenant).name,
            (p_tenant).payload_bytes_max using errcode = 'program_limit_exceeded';
    elsif (p_tenant).open_runs_max is not null
          and p_starts + pawl.count_open_runs((p_tenant).bucket, (p_tenant).id, (p_tenant).open_runs_max)
              > (p_tenant).open_runs_max then
        raise exception 'tenant % may have % open runs, and this would be more', (p_tenant).name,
            (p_tenant).open_runs_max
            using errcode = 'configuration_limit_exceeded', hint = 'Try again when some of them have ended.';
    -- More than a second's worth at once is taken whole when none began in the second before.
    elsif (p_tenant).starts_per_second_max is not null
          and least(p_starts, (p_tenant).starts_per_second_max)
              + pawl.count_recent_starts((p_tenant).bucket, (p_tenant).id, (p_tenant).starts_per_second_max)
              > (p_tenant).starts_per_second_max then
        raise exception 'tenant % may start % runs a second, and this would be more', (p_tenant).name,
            (p_tenant).starts_per_second_max
            using errcode = 'configuration_limit_exceeded', hint = 'Try again in a second.';
    end if;
end
$$;
