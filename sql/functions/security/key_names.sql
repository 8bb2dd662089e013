-- What API keys are called, by their prefixes; null: none of the names is a key of the tenant. Called by lists of what
-- was done. Keys that are gone are still known.
create or replace function pawl.key_names(p_tenant int, p_who text[]) returns jsonb
language sql stable set search_path = pg_catalog
begin atomic
    select jsonb_object_agg(k.prefix, k.name)
      from pawl.key_name k
     where k.tenant = p_tenant and k.prefix = any (p_who);
end;

-- What an API key is called by its prefix; null: that is no key of the tenant. Called as key_names is.
create or replace function pawl.name_of_key(p_tenant int, p_prefix text) returns text
language sql stable set search_path = pg_catalog
begin atomic
    select k.name from pawl.key_name k where k.tenant = p_tenant and k.prefix = p_prefix;
end;

-- Trigger on pawl.api_key: remembers what a key is called.
create or replace function pawl.keep_key_name() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    insert into pawl.key_name (tenant, prefix, name) values (new.tenant, new.prefix, new.name)
        on conflict (tenant, prefix) do update set name = excluded.name;
    return null;
end
$$;

create or replace trigger api_key_name after insert or update of name, prefix on pawl.api_key
for each row execute function pawl.keep_key_name();
