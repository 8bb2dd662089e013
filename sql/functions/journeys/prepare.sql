-- What a worker needs to send messages, one row for each place of the arrays, in one query for a batch: the person as
-- it is now, the address, the content of the template in the person's language, the account, and whether to send.
--   verdict     null: send it. quiet_hours: not before wait_until, then ask again. Others, in the order in which they
--               are looked at: no_person, no_address, suppressed, unsubscribed, frequency_cap, holdout: skip it.
--   problem     why it cannot be sent to any person: no such account, no such template. Counts before a verdict.
--   hidden      the address as it was hidden if it was that of a person who was erased, where the tenant has such
--               addresses that a server has sealed: that server says whether it is one of them.
-- p_to: an address instead of the person's. p_person null: of no person. A category that neither the step nor the
-- template says is marketing; transactional is held back by no address and by suppressed alone. Where a cap is set, a
-- message that may go is counted at once, once however often it is asked for; one that project_messages says was not
-- sent does not count any more. Called by workers; locks rows of pawl.message_reservation until its transaction ends.
create or replace function pawl.prepare_messages(
    p_bucket smallint, p_tenant int[], p_person text[], p_channel text[], p_to text[], p_template text[],
    p_category text[], p_connector text[], p_account text[], p_message uuid[], p_now timestamptz
)
returns table (
    place int, person jsonb, address text, template jsonb, template_version int, language text, category text,
    connector text, account text, verdict text, wait_until timestamptz, problem text, hidden text
)
language plpgsql set search_path = pg_catalog set jit = off as $$
#variable_conflict use_column
declare
    v_now timestamptz := coalesce(p_now, now());
    v_person jsonb[];
    v_address text[];
    v_category text[];
    v_verdict text[];
    v_until timestamptz[];
    v_problem text[];
    v_connector text[];
    v_account text[];
    v_content jsonb[];
    v_version int[];
    v_language text[];
begin
    select r.person, r.address into v_person, v_address
      from pawl.find_recipients(p_tenant, p_person, p_channel, p_to) as r;
    v_category := array(select coalesce(c.category, 'marketing') from unnest(p_category) as c (category));
    if cardinality(array_remove(p_template, null)) > 0 then
        select array_agg(x.version), array_agg(x.language),
               array_agg(coalesce(p_category[x.place], x.category, 'marketing')), array_agg(x.content)
          into v_version, v_language, v_category, v_content
          from (
              select t.*
                from pawl.choose_templates(
                    p_tenant, p_template, array(select x.person ->> 'locale' from unnest(v_person) as x (person))
                ) as t
               order by t.place
          ) as x;
    end if;
    select array_agg(x.connector), array_agg(x.account),
           array_agg(coalesce(x.problem, case when p_template[x.place] is not null and v_version[x.place] is null
                                              then format('there is no template %L', p_template[x.place]) end))
      into v_connector, v_account, v_problem
      from (
          select a.* from pawl.choose_accounts(p_tenant, p_channel, p_connector, p_account) as a order by a.place
      ) as x;
    select array_agg(x.verdict), array_agg(x.wait_until) into v_verdict, v_until
      from (
          select g.*
            from pawl.guard_messages(
                p_tenant, p_person, p_channel, v_address, v_category,
                array(select x.person ->> 'timezone' from unnest(v_person) as x (person)),
                array(select x.person is not null from unnest(v_person) as x (person)),
                array(select x.address is not null from unnest(p_to) as x (address)), v_now
            ) as g
           order by g.place
      ) as x;
    v_verdict := pawl.reserve_messages(
        p_bucket, p_tenant, p_person, p_channel, v_address, v_category, p_message, v_verdict, v_problem, v_now
    );
    return query
    select u.place::int, u.person, u.address, u.content, u.version, u.language, u.category, u.connector, u.account,
           u.verdict, u.until, u.problem, u.hidden
      from unnest(v_person, v_address, v_content, v_version, v_language, v_category, v_connector, v_account, v_verdict,
                  v_until, v_problem, pawl.hidden_to_ask(p_tenant, p_channel, v_address)) with ordinality
           as u (person, address, content, version, language, category, connector, account, verdict, until, problem,
                 hidden, place);
end
$$;

-- The addresses of messages as they were hidden, where their tenants have some that are sealed; null: none has. Called
-- by prepare_messages.
create or replace function pawl.hidden_to_ask(p_tenant int[], p_channel text[], p_address text[]) returns text[]
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
begin
    if not exists (
        select 1 from pawl.suppression x where x.tenant = any (p_tenant) and x.address like 'hmac:%'
    ) then
        return null;
    end if;
    return array(
        select case when u.address is not null and exists (
                   select 1 from pawl.suppression x
                    where x.tenant = u.tenant and x.channel = u.channel and x.address like 'hmac:%')
                    then pawl.hidden_address(u.tenant, u.channel, u.address) end
          from unnest(p_tenant, p_channel, p_address) with ordinality as u (tenant, channel, address, place)
         order by u.place
    );
end
$$;

-- The persons of messages and their addresses, in the order of the places. Sorted once, in a query below, and not by
-- each array that is made of it. Called by prepare_messages.
create or replace function pawl.find_recipients(
    p_tenant int[], p_person text[], p_channel text[], p_to text[], out person jsonb[], out address text[]
)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
begin
    select array_agg(x.person), array_agg(x.address) into find_recipients.person, find_recipients.address
      from (
          select r.person, nullif(coalesce(u.address, r.person -> 'addresses' ->> u.channel, l.address), '') as address
            from unnest(p_to, p_channel) with ordinality as u (address, channel, place)
            left join pawl.read_persons(p_tenant, p_person) as r on r.place = u.place
            left join lateral (
                select x.address
                  from pawl.linked_address x
                 where u.address is null and r.person is not null and r.person -> 'addresses' ->> u.channel is null
                   and x.tenant = p_tenant[u.place] and x.person = p_person[u.place] and x.channel = u.channel
            ) as l on true
           order by u.place
      ) as x;
end
$$;

-- The verdicts that need no count, one row for each place. p_known: the person is there; p_given: the address is not
-- the person's, who need not be there then but may not have been erased. Called by prepare_messages.
create or replace function pawl.guard_messages(
    p_tenant int[], p_person text[], p_channel text[], p_address text[], p_category text[], p_zone text[],
    p_known boolean[], p_given boolean[], p_now timestamptz
)
returns table (place int, verdict text, wait_until timestamptz)
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
#variable_conflict use_column
begin
    return query
    with place as materialized (
        -- Where nothing is suppressed, no address has to be hidden to look for it.
        select d.tenant, d.channel
          from (select distinct n.tenant, n.channel from unnest(p_tenant, p_channel) as n (tenant, channel)) as d
         cross join lateral (
             select 1 from pawl.suppression x where x.tenant = d.tenant and x.channel = d.channel limit 1
         ) as x
    )
    select u.place::int,
           case when u.person is not null and not u.known and (not u.given or e.one is not null) then 'no_person'
                when u.address is null then 'no_address'
                when s.refused then 'suppressed'
                when u.category = 'transactional' then null
                when s.unwanted or n.one is not null then 'unsubscribed'
                when q.until is not null then 'quiet_hours' end,
           case when u.address is not null and s.refused is not true and s.unwanted is not true and n.one is null
                then q.until end
      from unnest(p_tenant, p_person, p_channel, p_address, p_category, p_zone, p_known, p_given) with ordinality
           as u (tenant, person, channel, address, category, zone, known, given, place)
      left join lateral (
          select 1 as one
            from pawl.person p
           where u.given and not u.known and p.tenant = u.tenant and p.key = u.person and p.erased_at is not null
      ) as e on true
      left join lateral (
          select bool_or(f.reason <> 'unsubscribed') as refused, bool_or(f.reason = 'unsubscribed') as unwanted
            from (select 1 where (u.tenant, u.channel) in (select p.tenant, p.channel from place p)) as any_one
           cross join unnest(array[pawl.address_key(u.channel, u.address),
                              pawl.hidden_address(u.tenant, u.channel, u.address)]) as k (address)
           cross join lateral (
               select x.reason, x.at, x.lifted_at
                 from pawl.suppression x
                where x.tenant = u.tenant and x.channel = u.channel and x.address = k.address
               offset 0
           ) as f
           where f.lifted_at is null or f.lifted_at < f.at
      ) as s on true
      left join lateral (
          select 1 as one
            from pawl.unsubscribe x
           where u.category <> 'transactional' and x.tenant = u.tenant and x.person = pawl.event_key(u.person)
             and x.channel in (u.channel, '*') and x.category in (pawl.event_key(u.category), '*')
             and (x.lifted_at is null or x.lifted_at < x.at)
           limit 1
      ) as n on true
      left join lateral (
          select pawl.quiet_until(p_now, pawl.known_zone(u.zone, p.timezone), p.quiet_from, p.quiet_to) as until
            from (
                select x.*
                  from pawl.message_policy x
                 where u.category <> 'transactional' and x.tenant = u.tenant and x.channel in (u.channel, '*')
                 order by x.channel = '*'
                 limit 1
            ) as p
           where p.quiet_from is not null
      ) as q on true
     order by u.place;
end
$$;
