-- Locks messages in the order of their ids, as all who change several do.
create or replace function pawl.lock_messages(p_bucket smallint, p_message uuid[]) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    perform l.one
       from (select distinct u.id from unnest(p_message) as u (id) order by 1) as k
      cross join lateral (
          select 1 as one from pawl.message m where m.bucket = p_bucket and m.id = k.id offset 0
             for no key update
      ) as l;
end
$$;

-- Advances the messages of facts that were taken in; a step whose outcome was unknown is to be settled, and the setting
-- pawl.facts_told is 'on' then until the transaction ends. The order of facts does not matter: states only rise, and
-- times are those of the first. Called by take_facts and apply_facts, with their settings.
create or replace function pawl.advance_messages(p_bucket smallint, p_row tid[]) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    -- In the order of their ids, as all who lock several. The bucket comes with the facts: with one that is known
    -- before, an empty table would be read whole.
    with advanced as (
        update pawl.message m
           set heard = greatest(m.heard, u.heard), state = greatest(m.state, u.heard),
               external_id = coalesce(m.external_id, u.external_id), sent_at = least(m.sent_at, u.sent_at),
               delivered_at = least(m.delivered_at, u.delivered_at), opened_at = least(m.opened_at, u.opened_at),
               machine_opened_at = least(m.machine_opened_at, u.machine_opened_at),
               clicked_at = least(m.clicked_at, u.clicked_at), bounced_at = least(m.bounced_at, u.bounced_at),
               complained_at = least(m.complained_at, u.complained_at), failed_at = least(m.failed_at, u.failed_at),
               unsubscribed_at = least(m.unsubscribed_at, u.unsubscribed_at),
               replied_at = least(m.replied_at, u.replied_at)
          from (
              select p_bucket as bucket, f.message, max(pawl.fact_state(f.kind, f.machine, f.detail)) as heard,
                     min(f.external_id) as external_id,
                     min(f.at) filter (where f.kind = 'sent') as sent_at,
                     min(f.at) filter (where f.kind = 'delivered') as delivered_at,
                     min(f.at) filter (where f.kind = 'opened' and not f.machine) as opened_at,
                     min(f.at) filter (where f.kind = 'opened' and f.machine) as machine_opened_at,
                     min(f.at) filter (where f.kind = 'clicked' and not f.machine) as clicked_at,
                     min(f.at) filter (where f.kind = 'bounced') as bounced_at,
                     min(f.at) filter (where f.kind = 'complained') as complained_at,
                     min(f.at) filter (where f.kind = 'failed') as failed_at,
                     min(f.at) filter (where f.kind = 'unsubscribed') as unsubscribed_at,
                     min(f.at) filter (where f.kind = 'replied') as replied_at
                -- By itself: a condition on the message would let an index that is small now be read whole.
                from (select * from pawl.message_fact x where x.ctid = any (p_row) offset 0) as f
               where f.message is not null
               group by f.message
               order by f.message
          ) as u
         where m.bucket = u.bucket and m.id = u.message
        returning m.id, m.run_id, m.said, m.heard
    )
    insert into pawl.message_settled (bucket, id, run_id)
    select p_bucket, a.id, a.run_id from advanced a where a.said in (1, 2) and a.heard > 2
        on conflict do nothing;
    if found then
        perform set_config('pawl.facts_told', 'on', true);
    end if;
end
$$;

-- What follows from facts that were given their messages, each of them once: advance_messages and tell_about_facts.
-- Called by give_facts, with its settings.
create or replace function pawl.apply_facts(p_bucket smallint, p_row tid[]) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    if cardinality(p_row) > 0 then
        perform pawl.advance_messages(p_bucket, p_row);
        perform pawl.tell_about_facts(p_bucket, p_row);
    end if;
end
$$;

-- Notes who must not get messages any more because of these facts: the address, after a permanent bounce, a complaint
-- or an unfollow, until it follows again; the person who unsubscribed, or the address where the person is not known. A
-- fact that is older than a change that is known changes nothing. Called by take_facts and give_facts, with their
-- settings.
create or replace function pawl.suppress_by_facts(p_bucket smallint, p_row tid[]) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    if not exists (
        select 1 from pawl.message_fact f
         where f.ctid = any (p_row) and f.kind in ('bounced', 'complained', 'unsubscribed', 'followed', 'unfollowed')
    ) then
        return;
    end if;
    insert into pawl.suppression as s (tenant, channel, address, reason, at, lifted_at)
    select f.tenant, f.channel, pawl.address_key(f.channel, f.address),
           case f.kind when 'followed' then 'unfollowed' else f.kind end,
           coalesce(max(f.at) filter (where f.kind <> 'followed'), '-infinity'),
           max(f.at) filter (where f.kind = 'followed')
      from pawl.facts_with_messages(p_bucket, p_row) as f
     where f.channel is not null and f.address <> ''
       and (f.kind in ('complained', 'followed', 'unfollowed') or pawl.is_permanent_bounce(f.kind, f.detail)
            or f.kind = 'unsubscribed' and f.person is null)
     group by 1, 2, 3, 4
     order by 1, 2, 3, 4
        on conflict (tenant, channel, address, reason) do update
       set at = greatest(s.at, excluded.at), lifted_at = greatest(s.lifted_at, excluded.lifted_at);
    insert into pawl.unsubscribe as n (tenant, person, channel, category, at)
    select f.tenant, f.person, coalesce(f.channel, '*'),
           case when f.category <> 'transactional' then pawl.event_key(f.category) else '*' end, max(f.at)
      from pawl.facts_with_messages(p_bucket, p_row) as f
     where f.kind = 'unsubscribed' and f.person is not null
     group by 1, 2, 3, 4
     order by 1, 2, 3, 4
        on conflict (tenant, person, channel, category) do update set at = greatest(n.at, excluded.at);
    perform pawl.lift_by_facts(p_bucket, p_row);
end
$$;

-- Takes back what an address said by sms itself, by a STOP before its START, and what the provider refused because of
-- it. Called by suppress_by_facts, with its settings.
create or replace function pawl.lift_by_facts(p_bucket smallint, p_row tid[]) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    update pawl.suppression s
       set lifted_at = greatest(s.lifted_at, f.at)
      from pawl.facts_with_messages(p_bucket, p_row) as f
     where f.kind = 'followed' and f.channel = 'sms' and s.tenant = f.tenant and s.channel = 'sms'
       and s.address = pawl.address_key('sms', f.address) and s.reason in ('unsubscribed', 'refused') and s.at < f.at;
    update pawl.unsubscribe n
       set lifted_at = greatest(n.lifted_at, f.at)
      from pawl.facts_with_messages(p_bucket, p_row) as f
     where f.kind = 'followed' and f.channel = 'sms' and n.tenant = f.tenant and n.person = f.person
       and n.channel = 'sms' and n.category = '*' and n.at < f.at;
end
$$;

-- Facts with what their messages add to them; where there is no message, whose address it is.
create or replace function pawl.facts_with_messages(p_bucket smallint, p_row tid[])
returns table (
    tenant int, kind text, at timestamptz, machine boolean, detail jsonb, connector text, account text,
    provider_event_id text, external_id text, channel text, address text, person text, category text, message uuid,
    run_id uuid, workflow int, node text, template text, variant text
)
language plpgsql stable set search_path = pg_catalog as $$
#variable_conflict use_column
begin
    return query
    select f.tenant, f.kind, f.at, f.machine, f.detail, f.connector, f.account, f.provider_event_id, f.external_id,
           coalesce(m.channel, f.channel), coalesce(f.address, m.address), coalesce(m.person, f.person, l.person),
           m.category,
           f.message, m.run_id, m.workflow, m.node, m.template, m.variant
      from pawl.message_fact f
      left join lateral (
          select * from pawl.message x where x.bucket = p_bucket and x.id = f.message offset 0
      ) as m on true
      left join lateral (
          select x.person
            from pawl.linked_address x
           where m.id is null and f.person is null and x.tenant = f.tenant and x.channel = f.channel
             and x.address = pawl.address_key(f.channel, f.address)
          offset 0
      ) as l on true
     where f.ctid = any (p_row);
end
$$;

-- Publishes message.KIND for facts, with the person as key and subject, where a workflow of the tenant wants it; what
-- programs did (machine) tells about no person and is not published, nor is what became of a test (of no workflow).
-- Called by take_facts and apply_facts, with their settings.
create or replace function pawl.tell_about_facts(p_bucket smallint, p_row tid[]) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_wanted text[];
begin
    select array_agg(k.tenant || ' ' || k.kind) into v_wanted
      from (
          select distinct f.tenant, f.kind from pawl.message_fact f where f.ctid = any (p_row) and not f.machine
          offset 0
      ) as k
     where pawl.wants_event(k.tenant, 'message.' || k.kind);
    if v_wanted is null then
        return;
    end if;
    perform pawl.publish_events(
        p_bucket, array_agg(f.tenant),
        array_agg(format('fact:%s:%s:%s', f.connector, f.account, f.provider_event_id)),
        array_agg('message.' || f.kind), array_agg(coalesce(f.person, f.address, '')), array_agg(f.person),
        array_agg('connector:' || f.connector), array_agg(f.at),
        array_agg(jsonb_strip_nulls(jsonb_build_object(
            'kind', f.kind, 'message', f.message, 'run', f.run_id, 'workflow', w.name, 'node', f.node,
            'person', f.person, 'channel', f.channel, 'connector', f.connector, 'account', f.account,
            'template', f.template, 'variant', f.variant, 'external_id', f.external_id, 'at', f.at, 'detail', f.detail
        )))
    )
       from pawl.facts_with_messages(p_bucket, p_row) as f
       left join lateral (select x.name from pawl.workflow x where x.id = f.workflow offset 0) as w on true
      where not f.machine and f.workflow is distinct from 0 and f.tenant || ' ' || f.kind = any (v_wanted)
     having count(*) > 0;
    perform set_config('pawl.facts_told', 'on', true);
end
$$;
