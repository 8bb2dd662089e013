-- needs: functions/journeys/message_names

-- A person has proved that an address is theirs. It is no other person's from then on, and replaces the one that they
-- had linked before. Called by the server that heard it from a provider.
create or replace function pawl.link_address(p_tenant int, p_person text, p_channel text, p_address text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_address text := pawl.address_key(p_channel, p_address);
begin
    perform pawl.hold(p_tenant, 'links');
    delete from pawl.linked_address l
     where l.tenant = p_tenant and l.channel = p_channel and l.address = v_address and l.person <> p_person;
    insert into pawl.linked_address as l (tenant, person, channel, address)
    values (p_tenant, p_person, p_channel, v_address)
        on conflict (tenant, person, channel) do update set address = excluded.address, at = now();
    update pawl.person p
       set addresses = p.addresses || jsonb_build_object(p_channel, v_address), updated_at = now()
     where p.tenant = p_tenant and p.key = p_person and p.erased_at is null;
end
$$;
