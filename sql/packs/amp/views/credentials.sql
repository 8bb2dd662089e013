-- needs: packs/amp/functions/merchants
-- needs: functions/security/tenants

-- Accounts of merchants at providers. The credentials are sealed and never shown.
create or replace view pawl.merchant_credentials with (security_barrier) as
select md5(concat_ws(':', a.tenant, a.connector, a.account))::uuid as id,
       coalesce(pawl.uuid_of(t.name), t.organization) as merchant_id, a.connector as service_name,
       a.account as account_name, null::jsonb as credentials, a.settings, a.created_at, a.updated_at
  from pawl.connector_account a
  join pawl.tenant t on t.id = a.tenant
 where (select pawl.amp_sees_all()) or (select pawl.amp_merchant()) in (t.organization, pawl.uuid_of(t.name))
    or t.id = (select pawl.current_tenant());

-- Trigger on the view: settings are changed and accounts deleted here. Credentials are not: they are sealed with a key
-- that only the server has, and plain ones would stay in the database's files.
create or replace function pawl.amp_write_credentials() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_tenant int;
begin
    if tg_op = 'INSERT' or tg_op = 'UPDATE' and new.credentials is not null then
        raise exception 'credentials cannot be written with SQL: the server seals them with a key that the database'
            ' does not have' using errcode = 'feature_not_supported',
            hint = format('PUT /v1/connectors/%s/accounts/%s with {"credentials": {...}} as merchant %s.',
                          coalesce(new.service_name, 'line'), coalesce(new.account_name, 'default'), new.merchant_id);
    end if;
    v_tenant := pawl.amp_tenant(old.merchant_id);
    if tg_op = 'DELETE' then
        delete from pawl.connector_account a
         where a.tenant = v_tenant and a.connector = old.service_name and a.account = old.account_name;
        return old;
    elsif (new.merchant_id, new.service_name, new.account_name)
          is distinct from (old.merchant_id, old.service_name, old.account_name) then
        raise exception 'an account keeps its merchant, service_name and account_name'
            using errcode = 'check_violation', hint = 'Add another account, and delete this one.';
    end if;
    update pawl.connector_account a
       set settings = coalesce(new.settings, '{}'), updated_at = now()
     where a.tenant = v_tenant and a.connector = old.service_name and a.account = old.account_name;
    return new;
end
$$;

create or replace trigger merchant_credentials_write instead of insert or update or delete
on pawl.merchant_credentials for each row execute function pawl.amp_write_credentials();
