-- The merchant of the session: what get_current_merchant_id() of the application says, where there is one; else the
-- claim of the request. Runs with the caller's rights: that function is not Pawl's.
create or replace function pawl.amp_merchant() returns uuid
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_merchant uuid;
begin
    if to_regprocedure('public.get_current_merchant_id()') is null then
        return pawl.amp_claimed_merchant();
    end if;
    execute 'select public.get_current_merchant_id()' into v_merchant;
    return v_merchant;
end
$$;

-- The merchant that the claims of the request name: merchant_id, or app_metadata.merchant_id. Null: none.
create or replace function pawl.amp_claimed_merchant() returns uuid
language sql stable set search_path = pg_catalog
begin atomic
    select nullif(coalesce(c.claims ->> 'merchant_id', c.claims -> 'app_metadata' ->> 'merchant_id'), '')::uuid
      from (select nullif(current_setting('request.jwt.claims', true), '')::jsonb as claims) as c;
end;

-- Whether the session sees the journeys of all merchants: the service role does, and roles that work for all tenants.
create or replace function pawl.amp_sees_all() returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
begin atomic
    select pawl.is_engine()
        or coalesce(pg_has_role(pawl.session_role()::name, to_regrole('service_role')::oid, 'usage'), false);
end;

-- The tenant that stands for a merchant: its organization, or its name, is the merchant's id.
create or replace function pawl.amp_tenant(p_merchant uuid) returns int
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    v_tenant int;
begin
    select t.id into v_tenant
      from pawl.tenant t
     where t.organization = p_merchant or t.name = p_merchant::text
     order by t.organization = p_merchant desc
     limit 1;
    if not found then
        raise exception 'there is no merchant %', coalesce(p_merchant::text, 'null')
            using errcode = 'foreign_key_violation',
                  hint = format('A merchant is a tenant: pawl tenants create %s', p_merchant);
    end if;
    return v_tenant;
end
$$;
