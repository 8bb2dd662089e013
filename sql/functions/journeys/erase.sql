-- needs: functions/journeys/message_names
-- needs: functions/security/tenants

-- An address that a person who was erased had, as pawl.suppression has it from then on: it can be recognised, and not
-- read. Stable, as what it calls: else a query would call it as a function, which takes five times as long.
create or replace function pawl.hidden_address(p_tenant int, p_channel text, p_address text) returns text
language sql stable parallel safe
return 'sha256:' || encode(sha256(convert_to(
    p_tenant || ':' || p_channel || ':' || pawl.address_key(p_channel, p_address), 'UTF8')), 'hex');

-- Whom nothing may be sent to stays known when a person is erased, by hashes of their addresses: what kept an address
-- back, and what the person did not want. Called by erase_person, with its settings.
create or replace function pawl.hide_suppressions(p_tenant int, p_person text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    with theirs as (
        select distinct a.channel, pawl.address_key(a.channel, a.address) as address
          from (
              select x.key as channel, x.value as address
                from pawl.person p cross join lateral jsonb_each_text(p.addresses) as x
               where p.tenant = p_tenant and p.key = p_person
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

-- Erases a person: what is known of them, also from messages and facts; with p_runs also the closed runs about them.
-- known: the person was kept here. In a table of the tenant the row is the tenant's to delete, before or after.
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
    update pawl.conversion c set subject = null where c.tenant = p_tenant and c.subject = p_person;
    runs := case when p_runs then pawl.forget_runs(p_tenant, p_person) else 0 end;
end
$$;
