-- needs: functions/journeys/erase

-- A person does not want messages of a channel and a category any more ('*': of all), or wants them again. A change
-- that is older than the last one changes nothing.
create or replace function pawl.set_subscription(
    p_tenant int, p_person text, p_channel text, p_category text, p_subscribed boolean, p_at timestamptz
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if p_subscribed then
        -- All that keeps such messages back.
        update pawl.unsubscribe n
           set lifted_at = greatest(n.lifted_at, coalesce(p_at, now()))
         where n.tenant = p_tenant and n.person = pawl.event_key(p_person)
           and (n.channel = p_channel or p_channel = '*') and (n.category = p_category or p_category = '*');
        return;
    end if;
    insert into pawl.unsubscribe as n (tenant, person, channel, category, at)
    values (p_tenant, pawl.event_key(p_person), coalesce(p_channel, '*'), pawl.event_key(coalesce(p_category, '*')),
            coalesce(p_at, now()))
        on conflict (tenant, person, channel, category) do update set at = greatest(n.at, excluded.at);
end
$$;

-- An address gets nothing by a channel any more.
create or replace function pawl.suppress_address(p_tenant int, p_channel text, p_address text, p_reason text)
returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into pawl.suppression as s (tenant, channel, address, reason, at)
    values (p_tenant, p_channel, pawl.address_key(p_channel, p_address), coalesce(p_reason, 'by_hand'), now())
        on conflict (tenant, channel, address, reason) do update set at = greatest(s.at, excluded.at);
end
$$;

-- An address may get messages again, whatever the reasons were. False: it might before.
create or replace function pawl.lift_suppression(p_tenant int, p_channel text, p_address text) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    update pawl.suppression s
       set lifted_at = greatest(now(), s.at)
     where s.tenant = p_tenant and s.channel = p_channel
       and s.address in (pawl.address_key(p_channel, p_address), pawl.hidden_address(p_tenant, p_channel, p_address))
       and (s.lifted_at is null or s.lifted_at < s.at);
    return found;
end
$$;

-- Takes the person out of what is known about messages. How many were sent, and what became of them, stays. Called by
-- erase_person.
create or replace function pawl.forget_messages(p_tenant int, p_person text) returns void
language plpgsql set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_bitmapscan = off
set enable_hashjoin = off set enable_mergejoin = off set jit = off as $$
declare
    v_person text := pawl.event_key(p_person);
begin
    update pawl.message_fact f
       set person = null, address = null, detail = null
      from pawl.message m
     where m.tenant = p_tenant and m.person = v_person and f.bucket = m.bucket and f.message = m.id;
    update pawl.message_fact f
       set person = null, address = null, detail = null
     where f.tenant = p_tenant and f.person = v_person;
    update pawl.message m
       set person = null, address = null, error = null, text_hash = null
     where m.tenant = p_tenant and m.person = v_person;
    delete from pawl.unsubscribe n where n.tenant = p_tenant and n.person = v_person;
    delete from pawl.message_reservation r
     using pawl.tenant t
     where t.id = p_tenant and r.bucket = t.bucket and r.tenant = p_tenant and r.person = v_person;
end
$$;
