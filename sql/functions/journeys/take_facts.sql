-- needs: functions/journeys/people
-- needs: functions/events/publish

-- Whom a fact is about that names an address and no message, as a reply does: the person who has linked it, or who has
-- it; null: that is not known. Called by take_facts.
create or replace function pawl.person_of_fact(p_tenant int, p_kind text, p_channel text, p_address text) returns text
language plpgsql stable set search_path = pg_catalog as $$
begin
    if p_kind not in ('replied', 'unsubscribed', 'followed', 'unfollowed') or coalesce(p_address, '') = '' then
        return null;
    end if;
    return coalesce(
        (select l.person from pawl.linked_address l
          where l.tenant = p_tenant and l.channel = p_channel
            and l.address = pawl.address_key(p_channel, p_address)),
        pawl.event_key(pawl.person_at(p_tenant, p_channel, p_address))
    );
end
$$;

-- What of a fact is kept beside its kind: of a person who was erased, whether a bounce is for good. Called by
-- take_facts.
create or replace function pawl.kept_detail(p_erased boolean, p_detail jsonb) returns jsonb
language sql immutable parallel safe
return case when p_erased then jsonb_strip_nulls(jsonb_build_object('permanent', p_detail -> 'permanent'))
            else p_detail end;

-- Notes facts whose message is not there, for match_facts to look again. Called by take_facts, with its settings.
create or replace function pawl.keep_pending(p_bucket smallint, p_row tid[]) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    insert into pawl.fact_pending (bucket, tenant, connector, account, provider_event_id)
    select p_bucket, f.tenant, f.connector, f.account, f.provider_event_id
      from pawl.message_fact f
     where f.ctid = any (p_row);
end
$$;

-- The message that a fact names: by our id, and only where that finds none by the provider's, of which the newest
-- counts. The second part is not begun where the first one finds it. Called by take_facts, with its settings.
create or replace function pawl.message_of_fact(
    p_bucket smallint, p_tenant int, p_message_id uuid, p_external_id text, p_connector text, p_account text
) returns table (id uuid, begun timestamptz, erased boolean)
language sql stable
begin atomic
    select x.id, coalesce(x.sent_at, x.created_at) as begun,
           x.person is null and x.address is null and x.said <> 1 as erased
      from pawl.message x
     where x.bucket = p_bucket and x.id = p_message_id and x.tenant + 0 = p_tenant
     union all
    (select x.id, null, x.person is null and x.address is null and x.said <> 1
       from pawl.message x
      where x.external_id = pawl.event_key(p_external_id) and p_external_id <> '' and x.tenant + 0 = p_tenant
        and x.bucket + 0 = p_bucket and x.connector = p_connector and x.account = p_account
      order by x.created_at + interval '0' desc
      limit 1)
     limit 1;
end;

-- Whether a workflow of one of these tenants may want to know of facts of one of these kinds. Nearly always none does:
-- then they need not be read again. Called by take_facts, with its settings.
create or replace function pawl.wants_facts(p_tenant int[], p_kind text[]) returns boolean
language plpgsql stable set search_path = pg_catalog as $$
begin
    return exists (
        select 1 from pawl.watch_wish w
         where w.tenant = any (p_tenant)
           and w.event = any (array['*'] || array(select 'message.' || k.kind from unnest(p_kind) as k (kind)))
    );
end
$$;

-- Takes in what providers said about messages. A fact that is known is not taken twice. p_message_id, p_external_id:
-- the message as the provider names it, if it does. p_person, p_channel, p_address: where the fact is about no message,
-- as an unfollow is; the person is found by the address (person_of_fact). p_detail: `permanent: false` in a bounce that
-- is not for good. Of one about a message to a person who was erased, address and detail are not kept. What follows
-- from a fact, see advance_messages and tell_about_facts. An open or a click that Pawl itself has heard of within two
-- seconds of the sending is one of a program, and another one than that of a person who comes right after it.
-- `waiting`: facts whose message is not there; project_messages and match_facts give them to it. The setting
-- pawl.facts_told is 'on' afterwards if events were published or steps are to be settled. Called by the server that was
-- called by a provider, which answers after the commit.
create or replace function pawl.take_facts(
    p_bucket smallint, p_tenant int[], p_connector text[], p_account text[], p_event_id text[], p_kind text[],
    p_external_id text[], p_message_id uuid[], p_person text[], p_channel text[], p_address text[],
    p_at timestamptz[], p_machine boolean[], p_detail jsonb[], out fresh int, out matched int, out waiting int
)
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_row tid[];
    v_pending tid[];
    v_settled tid[];
    v_kinds text[];
begin
    -- In the order of their keys: sessions that take the same facts wait for each other, and never in a circle.
    with new as (
        insert into pawl.message_fact (
            bucket, tenant, connector, account, provider_event_id, kind, external_id, message_id, message, person,
            channel, address, at, machine, detail
        )
        select p_bucket, u.tenant, u.connector, u.account, pawl.fact_key(u.event_id || e.word), u.kind,
               case when u.external_id <> '' then pawl.event_key(u.external_id) end, u.message_id, m.id,
               case when u.person is not null then pawl.event_key(u.person)
                    when m.id is null then pawl.person_of_fact(u.tenant, u.kind, u.channel, u.address) end,
               u.channel, case when m.erased is not true then u.address end, coalesce(u.at, now()),
               coalesce(u.machine, false) or e.word <> '',
               case when m.erased then pawl.kept_detail(true, u.detail) else u.detail end
          -- Not unnest of all of them at once: that keeps all rows before the first one is looked at.
          from (
              select unnest(p_tenant) as tenant, unnest(p_connector) as connector, unnest(p_account) as account,
                     unnest(p_event_id) as event_id, unnest(p_kind) as kind, unnest(p_external_id) as external_id,
                     unnest(p_message_id) as message_id, unnest(p_person) as person, unnest(p_channel) as channel,
                     unnest(p_address) as address, unnest(p_at) as at, unnest(p_machine) as machine,
                     unnest(p_detail) as detail
          ) as u
          left join lateral pawl.message_of_fact(p_bucket, u.tenant, u.message_id, u.external_id, u.connector,
                                                 u.account) as m on true
         cross join lateral (
             select case when u.connector = 'pawl' and u.kind in ('opened', 'clicked')
                          and coalesce(m.begun, u.at) > u.at - interval '2 seconds' then ':early' else '' end as word
         ) as e
         order by pawl.fact_key(u.event_id || e.word), u.tenant, u.connector, u.account
            on conflict do nothing
        returning ctid as row_id, message, external_id, message_id, kind
    ), told as (
        select n.*, n.message is null and coalesce(n.external_id, n.message_id::text) <> '' as waits from new n
    )
    select array_agg(t.row_id), count(*), count(t.message), count(*) filter (where t.waits),
           array_agg(t.row_id) filter (where t.waits),
           -- What a person wrote has an id of its own, by which no message may ever be found: it is told at once.
           array_agg(t.row_id) filter (where t.waits is not true or t.message_id is null
                                         and t.kind in ('replied', 'unsubscribed', 'followed', 'unfollowed')),
           array_agg(distinct t.kind)
      into v_row, fresh, matched, waiting, v_pending, v_settled, v_kinds
      from told t;
    if v_pending is not null then
        perform pawl.keep_pending(p_bucket, v_pending);
    end if;
    -- An address that must get nothing is known without the message.
    if v_kinds && array['bounced', 'complained', 'unsubscribed', 'followed', 'unfollowed'] then
        perform pawl.suppress_by_facts(p_bucket, v_row);
    end if;
    if v_settled is not null then
        perform pawl.advance_messages(p_bucket, v_settled);
        if pawl.wants_facts(p_tenant, v_kinds) then
            perform pawl.tell_about_facts(p_bucket, v_settled);
        end if;
    end if;
end
$$;

-- Gives facts their messages, where no other session has done that meanwhile, and does what follows. The messages are
-- locked by the caller. Called by adopt_facts and match_facts, with their settings.
create or replace function pawl.give_facts(p_bucket smallint, p_row tid[], p_message uuid[]) returns int
language plpgsql set search_path = pg_catalog as $$
declare
    v_row tid[];
begin
    with given as (
        update pawl.message_fact f
           set message = p_message[array_position(p_row, f.ctid)], xid = txid_current()
         where f.ctid = any (p_row) and f.message is null
        returning f.ctid as row_id
    )
    select array_agg(g.row_id) into v_row from given g;
    perform pawl.suppress_by_facts(p_bucket, v_row);
    perform pawl.apply_facts(p_bucket, v_row);
    return coalesce(cardinality(v_row), 0);
end
$$;
