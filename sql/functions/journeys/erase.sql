-- needs: functions/journeys/message_names
-- needs: functions/security/tenants

-- An address that a person who was erased had, as pawl.suppression has it from then on: it can be recognised, and not
-- read. Addresses can be tried, though: within seconds a server that has a secret key makes an HMAC of this
-- (store::HiddenAddresses). Stable, as what it calls: else a query would call it as a function, which takes five times
-- as long.
create or replace function pawl.hidden_address(p_tenant int, p_channel text, p_address text) returns text
language sql stable parallel safe
return 'sha256:' || encode(sha256(convert_to(
    p_tenant || ':' || p_channel || ':' || pawl.address_key(p_channel, p_address), 'UTF8')), 'hex');

-- Whom nothing may be sent to stays known when a person is erased, by hashes of their addresses, here or in a table of
-- the tenant: what kept an address back, and what the person did not want. Called by erase_person, with its settings.
create or replace function pawl.hide_suppressions(p_tenant int, p_person text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    with theirs as (
        select distinct a.channel, pawl.address_key(a.channel, a.address) as address
          from (
              select x.key as channel, x.value as address
                from pawl.read_persons(array[p_tenant], array[p_person]) as p
               cross join lateral jsonb_each_text(p.person -> 'addresses') as x
              union all
              select l.channel, l.address from pawl.linked_address l where l.tenant = p_tenant and l.person = p_person
              union all
              select m.channel, m.address
                from pawl.message m where m.tenant = p_tenant and m.person = pawl.event_key(p_person)
          ) as a
         where a.address <> ''
    ), gone as (
        delete from pawl.suppression s
         using theirs t
         where s.tenant = p_tenant and s.channel = t.channel and s.address = t.address
        returning s.channel, s.address, s.reason, s.at, s.lifted_at
    )
    insert into pawl.suppression as s (tenant, channel, address, reason, at, lifted_at)
    select p_tenant, k.channel, pawl.hidden_address(p_tenant, k.channel, k.address), k.reason, max(k.at),
           max(k.lifted_at)
      from (
          select g.* from gone g
          union all
          select t.channel, t.address, 'unsubscribed', n.at, null
            from theirs t
            join pawl.unsubscribe n on n.channel in (t.channel, '*')
           where n.tenant = p_tenant and n.person = pawl.event_key(p_person)
             and (n.lifted_at is null or n.lifted_at < n.at)
      ) as k
     group by k.channel, k.address, k.reason
        on conflict (tenant, channel, address, reason) do update
       set at = greatest(s.at, excluded.at), lifted_at = excluded.lifted_at;
end
$$;

-- A provider has refused an address for good, perhaps that of a person who was erased since it was asked. Called by
-- workers.
create or replace function pawl.suppress_refused(p_tenant int, p_person text, p_channel text, p_address text)
returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into pawl.suppression as s (tenant, channel, address, reason, at)
    values (p_tenant, p_channel, case
                when exists (select 1 from pawl.person p
                              where p.tenant = p_tenant and p.key = p_person and p.erased_at is not null)
                then pawl.hidden_address(p_tenant, p_channel, p_address)
                else pawl.address_key(p_channel, p_address) end, 'refused', now())
        on conflict (tenant, channel, address, reason) do update set at = greatest(s.at, excluded.at);
end
$$;

-- What a provider says about a message to a person who was erased since: an address that bounced or complained, or must
-- get nothing for another reason, is known by its hash from then on. The message has no address any more; the fact has,
-- and take_facts does not keep it. Called with take_facts, for the same facts.
create or replace function pawl.suppress_erased(
    p_bucket smallint, p_tenant int[], p_connector text[], p_account text[], p_kind text[], p_external_id text[],
    p_message_id uuid[], p_address text[], p_at timestamptz[], p_detail jsonb[]
) returns void
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
begin
    if not p_kind && array['bounced', 'complained', 'unsubscribed', 'unfollowed'] then
        return;
    end if;
    insert into pawl.suppression as s (tenant, channel, address, reason, at)
    select u.tenant, m.channel, pawl.hidden_address(u.tenant, m.channel, u.address), u.kind, max(coalesce(u.at, now()))
      from unnest(p_tenant, p_connector, p_account, p_kind, p_external_id, p_message_id, p_address, p_at, p_detail)
           as u (tenant, connector, account, kind, external_id, message_id, address, at, detail)
     cross join lateral (
         (select x.channel from pawl.message x
           where x.bucket = p_bucket and x.id = u.message_id and x.tenant + 0 = u.tenant
             and x.person is null and x.address is null and x.said <> 1
          offset 0)
         union
         (select x.channel from pawl.message x
           where x.external_id = pawl.event_key(u.external_id) and u.external_id <> '' and u.message_id is null
             and x.tenant + 0 = u.tenant and x.bucket + 0 = p_bucket and x.connector = u.connector
             and x.account = u.account and x.person is null and x.address is null and x.said <> 1
          offset 0)
     ) as m
     where u.address <> '' and (u.kind in ('complained', 'unsubscribed', 'unfollowed')
                                or pawl.is_permanent_bounce(u.kind, u.detail))
     group by 1, 2, 3, 4
     order by 1, 2, 3, 4
        on conflict (tenant, channel, address, reason) do update set at = greatest(s.at, excluded.at);
end
$$;

-- Takes a person who was erased out of messages that were on their way then, or are skipped since. Called by
-- project_messages, with its settings, where there may be any.
create or replace function pawl.forget_late_messages(
    p_bucket smallint, p_id uuid[], p_tenant int[], p_person text[]
) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    update pawl.message m
       set person = null, address = null, error = null, text_hash = null
      from (
          select p_bucket as bucket, u.id
            from unnest(p_id, p_tenant, p_person) as u (id, tenant, person)
           cross join lateral (
               select 1 from pawl.person x
                where x.tenant = u.tenant and x.key = u.person and x.erased_at is not null
               offset 0
           ) as p
           order by u.id
      ) as e
     where m.bucket = e.bucket and m.id = e.id;
end
$$;

-- Forgets the closed runs that were about a person, with their logs; how many there were. Runs that are open go on: no
-- message of theirs reaches the person. The tenant is checked.
create or replace function pawl.forget_runs(p_tenant int, p_person text) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set jit = off as $$
declare
    v_bucket smallint := (select t.bucket from pawl.tenant t where t.id = p_tenant);
    v_runs uuid[];
begin
    perform pawl.require_tenant(p_tenant);
    v_runs := array(select r.run_id from pawl.run r
                     where r.bucket = v_bucket and r.tenant = p_tenant and r.subject = p_person);
    delete from pawl.correlation c where c.bucket = v_bucket and c.run_id = any (v_runs);
    delete from pawl.dead_letter d where d.bucket = v_bucket and d.run_id = any (v_runs);
    delete from pawl.event e where e.bucket = v_bucket and e.run_id = any (v_runs);
    delete from pawl.goal_watch w where w.bucket = v_bucket and w.run_id = any (v_runs);
    delete from pawl.goal_doubt d where d.bucket = v_bucket and d.run_id = any (v_runs);
    delete from pawl.run r where r.bucket = v_bucket and r.run_id = any (v_runs);
    return cardinality(v_runs);
end
$$;

-- Whether the people of a tenant are in a table of the application. The tenant is checked.
create or replace function pawl.has_person_source(p_tenant int) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.require_tenant(p_tenant);
    return exists (select 1 from pawl.person_source s where s.tenant in (p_tenant, 0));
end
$$;

-- Erases a person: what is known of them, also from messages and facts; with p_runs also the closed runs about them.
-- known: the person was kept here. In a table of the tenant the row is the tenant's to delete, before or after; that
-- the person is erased is kept here.
create or replace function pawl.erase_person(
    p_tenant int, p_person text, p_runs boolean, out known boolean, out runs int
)
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.hide_suppressions(p_tenant, p_person);
    perform pawl.forget_messages(p_tenant, p_person);
    delete from pawl.linked_address l where l.tenant = p_tenant and l.person = p_person;
    update pawl.person p
       set attributes = '{}', addresses = '{}', locale = null, timezone = null, updated_at = now(), erased_at = now()
     where p.tenant = p_tenant and p.key = p_person and p.erased_at is null;
    known := found;
    insert into pawl.person (tenant, key, erased_at)
    select p_tenant, p_person, now()
     where pawl.has_person_source(p_tenant)
        on conflict do nothing;
    update pawl.conversion c set subject = null where c.tenant = p_tenant and c.subject = p_person;
    runs := case when p_runs then pawl.forget_runs(p_tenant, p_person) else 0 end;
end
$$;
