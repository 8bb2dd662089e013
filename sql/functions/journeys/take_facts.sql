-- needs: functions/journeys/people

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
    if p_row is not null then
        insert into pawl.fact_pending (bucket, tenant, connector, account, provider_event_id)
        select p_bucket, f.tenant, f.connector, f.account, f.provider_event_id
          from pawl.message_fact f
         where f.ctid = any (p_row);
    end if;
end
$$;

-- Takes in what providers said about messages. A fact that is known is not taken twice. p_message_id, p_external_id:
-- the message as the provider names it, if it does. p_person, p_channel, p_address: where the fact is about no message,
-- as an unfollow is; the person is found by the address (person_of_fact). p_detail: `permanent: false` in a bounce that
-- is not for good. Of one about a message to a person who was erased, address and detail are not kept. What follows
-- from a fact, see apply_facts. An open or a click that Pawl itself has heard of within two seconds of the sending is
-- one of a program. `waiting`: facts whose message is not there; project_messages and match_facts give them to it. The
-- setting pawl.facts_told is 'on' afterwards if events were published or steps are to be settled. Called by the server
-- that was called by a provider, which answers after the commit.
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
        select p_bucket, u.tenant, u.connector, u.account, pawl.fact_key(u.event_id), u.kind,
               case when u.external_id <> '' then pawl.event_key(u.external_id) end, u.message_id,
               coalesce(n.id, x.id), case when u.person is not null then pawl.event_key(u.person)
                    when coalesce(n.id, x.id) is null
                    then pawl.person_of_fact(u.tenant, u.kind, u.channel, u.address) end,
               u.channel, case when not coalesce(n.erased, x.erased, false) then u.address end, coalesce(u.at, now()),
               coalesce(u.machine, false) or u.connector = 'pawl' and u.kind in ('opened', 'clicked')
                   and coalesce(n.begun, u.at) > u.at - interval '2 seconds',
               pawl.kept_detail(coalesce(n.erased, x.erased, false), u.detail)
          from unnest(p_tenant, p_connector, p_account, p_event_id, p_kind, p_external_id, p_message_id, p_person,
                      p_channel, p_address, p_at, p_machine, p_detail)
               as u (tenant, connector, account, event_id, kind, external_id, message_id, person, channel, address, at,
                     machine, detail)
          left join lateral (
              select m.id, coalesce(m.sent_at, m.created_at) as begun,
                     m.person is null and m.address is null and m.said <> 1 as erased from pawl.message m
               where m.bucket = p_bucket and m.id = u.message_id and m.tenant + 0 = u.tenant
              offset 0
          ) as n on true
          left join lateral (
              select m.id, m.person is null and m.address is null and m.said <> 1 as erased from pawl.message m
               where m.external_id = pawl.event_key(u.external_id) and u.external_id <> '' and n.id is null
                 and m.tenant + 0 = u.tenant and m.bucket + 0 = p_bucket and m.connector = u.connector
                 and m.account = u.account
               order by m.created_at + interval '0' desc
               limit 1
          ) as x on true
         order by u.tenant, u.connector, u.account, pawl.fact_key(u.event_id)
            on conflict do nothing
        returning ctid as row_id, message, external_id, message_id, kind
    ), told as (
        select n.*, n.message is null and coalesce(n.external_id, n.message_id::text) <> '' as waits from new n
    )
    select array_agg(t.row_id), count(*), count(t.message), count(*) filter (where t.waits),
           array_agg(t.row_id) filter (where t.waits),
           -- What a person wrote has an id of its own, by which no message may ever be found: it is told at once.
           array_agg(t.row_id) filter (
               where t.waits is not true
                  or t.message_id is null and t.kind in ('replied', 'unsubscribed', 'followed', 'unfollowed')),
           array_agg(distinct t.kind)
      into v_row, fresh, matched, waiting, v_pending, v_settled, v_kinds
      from told t;
    perform pawl.keep_pending(p_bucket, v_pending);
    -- An address that must get nothing is known without the message.
    if v_kinds && array['bounced', 'complained', 'unsubscribed', 'followed', 'unfollowed'] then
        perform pawl.suppress_by_facts(p_bucket, v_row);
    end if;
    perform pawl.apply_facts(p_bucket, v_settled);
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
