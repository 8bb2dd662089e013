-- needs: functions/journeys/erase
-- needs: functions/journeys/message_names

-- What a person has unsubscribed from ('*': all channels, all categories) without what they want again: what else that
-- says is said by rows for the other channels and the other categories that the tenant has, of the same time. Called by
-- set_subscription.
create or replace function pawl.narrow_unsubscribes(
    p_tenant int, p_person text, p_channel text, p_category text, p_at timestamptz
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    with wide as (
        select n.channel, n.category, n.at
          from pawl.unsubscribe n
         where n.tenant = p_tenant and n.person = p_person and n.at <= p_at
           and (n.lifted_at is null or n.lifted_at < n.at) and (n.channel in (p_channel, '*') or p_channel = '*')
           and (n.category in (p_category, '*') or p_category = '*')
           and (n.channel = '*' and p_channel <> '*' or n.category = '*' and p_category <> '*')
    )
    insert into pawl.unsubscribe as n (tenant, person, channel, category, at)
    select p_tenant, p_person, r.channel, r.category, max(r.at)
      from (
          select c.channel, w.category, w.at
            from wide w
           cross join unnest(pawl.message_channels()) as c (channel)
           where w.channel = '*' and p_channel <> '*' and c.channel <> p_channel
          union all
          select case w.channel when '*' then p_channel else w.channel end, g.category, w.at
            from wide w
           cross join pawl.message_categories(p_tenant, p_person) as g (category)
           where w.category = '*' and p_category <> '*' and g.category <> p_category
      ) as r
     group by r.channel, r.category
     order by r.channel, r.category
        on conflict (tenant, person, channel, category) do update set at = greatest(n.at, excluded.at);
    update pawl.unsubscribe n
       set lifted_at = p_at
     where n.tenant = p_tenant and n.person = p_person and n.at <= p_at
       and (n.lifted_at is null or n.lifted_at < n.at) and (n.channel in (p_channel, '*') or p_channel = '*')
       and (n.category in (p_category, '*') or p_category = '*')
       and (n.channel = '*' and p_channel <> '*' or n.category = '*' and p_category <> '*');
end
$$;

-- The categories of messages that a person can say no to: of the tenant's templates, marketing, and what they have said
-- no to.
create or replace function pawl.message_categories(p_tenant int, p_person text) returns setof text
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
    (select pawl.event_key(t.category) from pawl.message_template t where t.tenant = p_tenant
      union
     select n.category from pawl.unsubscribe n where n.tenant = p_tenant and n.person = p_person
      union
     select 'marketing')
    except
    select unnest('{transactional,*}'::text[]);
end;

-- A person does not want messages of a channel and a category any more ('*': of all), or wants them again, and then
-- nothing else of what they had unsubscribed from. A change that is older than the last one changes nothing.
create or replace function pawl.set_subscription(
    p_tenant int, p_person text, p_channel text, p_category text, p_subscribed boolean, p_at timestamptz
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if p_subscribed then
        perform pawl.narrow_unsubscribes(
            p_tenant, pawl.event_key(p_person), p_channel, pawl.event_key(p_category), coalesce(p_at, now())
        );
        update pawl.unsubscribe n
           set lifted_at = greatest(n.lifted_at, coalesce(p_at, now()))
         where n.tenant = p_tenant and n.person = pawl.event_key(p_person)
           and (n.channel = p_channel or p_channel = '*')
           and (n.category = pawl.event_key(p_category) or p_category = '*');
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

-- An address may get messages again, whatever the reasons were. p_sealed: the address as a server has sealed it. False:
-- it might before.
create or replace function pawl.lift_suppression(
    p_tenant int, p_channel text, p_address text, p_sealed text[] default '{}'
)
returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    update pawl.suppression s
       set lifted_at = greatest(now(), s.at)
     where s.tenant = p_tenant and s.channel = p_channel
       and s.address = any (array[pawl.address_key(p_channel, p_address),
                                  pawl.hidden_address(p_tenant, p_channel, p_address)] || p_sealed)
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
