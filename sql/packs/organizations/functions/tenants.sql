-- The tenant behind an organization. An unknown one and one of another tenant look the same.
create or replace function pawl.organization_tenant(p_organization_id uuid) returns pawl.tenant
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_tenant pawl.tenant;
begin
    if p_organization_id is null or not pawl.fw_has_org_access(p_organization_id) then
        raise exception 'no access to organization %', coalesce(p_organization_id::text, 'null')
            using errcode = 'insufficient_privilege',
                  hint = 'Organizations belong to tenants (pawl.tenant.organization); roles are bound to tenants with '
                         'pawl.bind_role.';
    end if;
    select t.* into v_tenant from pawl.tenant t where t.organization = p_organization_id;
    return v_tenant;
end
$$;

-- Whether the session may work for an organization: its own, or any for roles that work for all tenants.
create or replace function pawl.fw_has_org_access(p_organization_id uuid) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return exists (
        select 1
          from pawl.tenant t
         where t.organization = p_organization_id and (t.id = pawl.current_tenant() or pawl.is_engine())
    );
end
$$;
