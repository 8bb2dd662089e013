-- needs: packs/amp/functions/merchants
-- needs: packs/amp/functions/seal
-- needs: functions/security/tenants

-- Accounts of merchants at providers. The credentials are encrypted and never shown. status: active; pending, until the
-- server has taken in what was written; or why it could not.
create or replace view pawl.merchant_credentials with (security_barrier) as
select md5(concat_ws(':', a.tenant, a.connector, a.account))::uuid as id,
       coalesce(pawl.uuid_of(t.name), t.organization) as merchant_id, a.connector as service_name,
       a.account as account_name, null::jsonb as credentials, a.settings, a.created_at, a.updated_at, a.status
  from (
      select c.tenant, c.connector, c.account, c.settings, c.created_at, c.updated_at,
             coalesce(i.problem, case when i.tenant is null then 'active' else 'pending' end) as status
        from pawl.connector_account c
        left join pawl.credential_inbox i
          on i.tenant = c.tenant and i.connector = c.connector and i.account = c.account
       union all
      select i.tenant, i.connector, i.account, i.settings, i.at, i.at, coalesce(i.problem, 'pending')
        from pawl.credential_inbox i
       where not exists (select 1 from pawl.connector_account c
                          where c.tenant = i.tenant and c.connector = i.connector and c.account = i.account)
  ) as a
  join pawl.tenant t on t.id = a.tenant
 where (select pawl.amp_sees_all()) or (select pawl.amp_merchant()) in (t.organization, pawl.uuid_of(t.name))
    or t.id = (select pawl.current_tenant());

-- The connector that a merchant's programs mean by a name.
create or replace function pawl.amp_connector(p_service text) returns text
language sql immutable parallel safe
return case when lower(p_service) in ('8x8', 'sms-8x8', 'sms_8x8') then 'sms_8x8' else lower(p_service) end;

-- Leaves credentials for the server. One that is left already for the account is replaced.
create or replace function pawl.amp_leave_credentials(
    p_tenant int, p_connector text, p_account text, p_credentials jsonb, p_settings jsonb
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if jsonb_typeof(p_credentials) is distinct from 'object' then
        raise exception 'credentials must be an object' using errcode = 'invalid_parameter_value',
            hint = 'Like this: {"channel_access_token": "...", "channel_secret": "..."}.';
    elsif jsonb_typeof(coalesce(p_settings, '{}')) <> 'object' then
        raise exception 'settings must be an object' using errcode = 'invalid_parameter_value';
    elsif p_connector is null then
        raise exception 'service_name is missing' using errcode = 'null_value_not_allowed',
            hint = 'It is the name of a connector, such as line or sendgrid.';
    end if;
    insert into pawl.credential_inbox as i (tenant, connector, account, settings, wrap_key, wrapped, data, mac)
    select p_tenant, p_connector, p_account, p_settings, w.wrap_key, w.wrapped, w.data, w.mac
      from pawl.wrap_text(p_credentials::text,
                            concat_ws('/', 'connector', p_tenant, p_connector, p_account)) as w
        on conflict (tenant, connector, account) do update
       set settings = excluded.settings, wrap_key = excluded.wrap_key, wrapped = excluded.wrapped,
           data = excluded.data, mac = excluded.mac, problem = null, writing = excluded.writing, at = now();
end
$$;

-- Trigger on the view, before the other: an insert is for the session's own merchant, unless it sees all. Runs with the
-- caller's rights, as amp_merchant has to.
create or replace function pawl.amp_check_credentials() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    new.merchant_id := coalesce(new.merchant_id, pawl.amp_merchant());
    if not pawl.amp_sees_all() and pawl.current_tenant() is null
       and pawl.amp_merchant() is distinct from new.merchant_id then
        raise exception 'merchant % is another one', new.merchant_id using errcode = 'insufficient_privilege';
    end if;
    return new;
end
$$;

-- Trigger on the view: an insert adds an account or replaces its credentials, an update changes credentials or
-- settings, a delete removes the account. Credentials are encrypted for the server, which takes them in.
create or replace function pawl.amp_write_credentials() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_tenant int;
begin
    if tg_op = 'INSERT' then
        new.service_name := pawl.amp_connector(new.service_name);
        new.account_name := coalesce(new.account_name, 'default');
        v_tenant := pawl.amp_tenant(new.merchant_id);
        if not pawl.amp_sees_all() and v_tenant <> pawl.current_tenant() then
            raise exception 'merchant % is another one', new.merchant_id using errcode = 'insufficient_privilege';
        end if;
        perform pawl.amp_leave_credentials(v_tenant, new.service_name, new.account_name, new.credentials, new.settings);
    else
        v_tenant := pawl.amp_tenant(old.merchant_id);
    end if;
    if tg_op = 'DELETE' then
        delete from pawl.credential_inbox i
         where i.tenant = v_tenant and i.connector = old.service_name and i.account = old.account_name;
        delete from pawl.connector_account a
         where a.tenant = v_tenant and a.connector = old.service_name and a.account = old.account_name;
        return old;
    elsif tg_op = 'UPDATE' and (new.merchant_id, new.service_name, new.account_name)
          is distinct from (old.merchant_id, old.service_name, old.account_name) then
        raise exception 'an account keeps its merchant, service_name and account_name'
            using errcode = 'check_violation', hint = 'Add another account, and delete this one.';
    elsif tg_op = 'UPDATE' and new.credentials is not null then
        perform pawl.amp_leave_credentials(v_tenant, old.service_name, old.account_name, new.credentials, new.settings);
    elsif tg_op = 'UPDATE' and new.settings -> 'base_url' is distinct from old.settings -> 'base_url' then
        raise exception 'base_url needs the credentials in the same statement: they go there'
            using errcode = 'insufficient_privilege';
    elsif tg_op = 'UPDATE' then
        update pawl.connector_account a
           set settings = coalesce(new.settings, '{}'), updated_at = now()
         where a.tenant = v_tenant and a.connector = old.service_name and a.account = old.account_name;
    end if;
    if new.credentials is not null then
        new.credentials := null;
        new.status := 'pending';
    end if;
    new.id := md5(concat_ws(':', v_tenant, new.service_name, new.account_name))::uuid;
    return new;
end
$$;

create or replace trigger merchant_credentials_write instead of insert or update or delete
on pawl.merchant_credentials for each row execute function pawl.amp_write_credentials();

create or replace trigger merchant_credentials_check instead of insert
on pawl.merchant_credentials for each row execute function pawl.amp_check_credentials();
