-- name: put_people
-- The last of those with the same key counts. A person who was erased is there again.
insert into pawl.person as p (tenant, key, attributes, addresses, locale, timezone)
select distinct on (u.key) $1::int, u.key, u.attributes, u.addresses, u.locale, u.timezone
  from unnest($2::text[], $3::jsonb[], $4::jsonb[], $5::text[], $6::text[]) with ordinality
       as u (key, attributes, addresses, locale, timezone, place)
 order by u.key, u.place desc
    on conflict (tenant, key) do update
   set attributes = excluded.attributes, addresses = excluded.addresses, locale = excluded.locale,
       timezone = excluded.timezone, updated_at = now(), erased_at = null
returning p.key, p.attributes, p.addresses, p.locale, p.timezone, p.created_at, p.updated_at

-- name: find_person
select key, attributes, addresses, locale, timezone, created_at, updated_at
  from pawl.person
 where tenant = $1 and key = $2 and erased_at is null

-- name: list_people
-- After the key $2.
select key, attributes, addresses, locale, timezone, created_at, updated_at
  from pawl.person
 where tenant = $1 and ($2::text is null or key > $2) and erased_at is null
 order by key
 limit $3::int

-- name: erase_person
-- Where a table of the tenant has its people, only what is kept of messages goes here.
with gone as (
    update pawl.person
       set attributes = '{}', addresses = '{}', locale = null, timezone = null, updated_at = now(), erased_at = now()
     where tenant = $1 and key = $2 and erased_at is null
    returning key
)
select exists (select 1 from gone) as known, pawl.forget_messages($1, $2) as forgotten

-- name: person_source_of
-- The table that has the people of a tenant, for sentences.
select s.schema_name || '.' || s.table_name as source
  from pawl.person_source s
 where s.tenant in ($1, 0)
 order by s.tenant desc
 limit 1

-- name: person_items
-- Messages to a person and what became of them, newest first, from before ($4, $5, $6) on. An old message may have a
-- new fact, so all messages of the person are looked at.
select i.kind, i.at, i.id, i.entry
  from (
      (select 'message' as kind, m.created_at as at, m.id::text collate "C" as id,
              jsonb_build_object(
                  'message_id', m.id, 'run_id', m.run_id, 'workflow', w.name, 'node', m.node, 'channel', m.channel,
                  'connector', m.connector, 'account', m.account, 'template', m.template, 'category', m.category,
                  'state', pawl.message_state_name(m.state), 'reason', m.reason, 'error', m.error,
                  'external_id', m.external_id
              ) as entry
         from pawl.message m
         left join pawl.workflow w on w.id = m.workflow
        where m.tenant = $2 and m.person = pawl.event_key($3) and m.bucket + 0 = $1
          and ($4::timestamptz is null or m.created_at <= $4)
          and ($4 is null or (m.created_at, 'message', m.id::text collate "C") < ($4, $5::text, $6::text collate "C"))
        order by m.created_at desc, m.id desc
        limit $7::int)
      union all
      (select 'fact', f.at, (f.connector || '/' || f.account || '/' || f.provider_event_id) collate "C",
              jsonb_build_object(
                  'fact', f.kind, 'message_id', m.id, 'run_id', m.run_id, 'workflow', w.name, 'node', m.node,
                  'channel', m.channel, 'connector', f.connector, 'account', f.account, 'machine', f.machine,
                  'detail', f.detail
              )
         from pawl.message m
         join pawl.message_fact f on f.bucket = $1 and f.message = m.id
         left join pawl.workflow w on w.id = m.workflow
        where m.tenant = $2 and m.person = pawl.event_key($3) and m.bucket + 0 = $1
          and ($4 is null
               or (f.at, 'fact', (f.connector || '/' || f.account || '/' || f.provider_event_id) collate "C")
                  < ($4, $5, $6 collate "C"))
        order by 2 desc, 3 desc
        limit $7)
  ) as i
 order by i.at desc, i.kind desc, i.id desc
 limit $7

-- name: list_suppressions
-- Of channel $2, of address $3, after ($4, $5, $6).
select s.channel, s.address, s.reason, s.at
  from pawl.suppression s
 where s.tenant = $1 and (s.lifted_at is null or s.lifted_at < s.at)
   and ($2::text is null or s.channel = $2)
   and ($3::text is null or s.address = pawl.address_key(s.channel, $3))
   and ($4::text is null or (s.channel, s.address, s.reason) > ($4, $5::text, $6::text))
 order by s.channel, s.address, s.reason
 limit $7::int

-- name: settled_messages
-- Messages whose send had an unknown outcome until facts proved it. No node: there is nothing to settle any more.
select s.id, s.run_id, m.tenant, case when m.said = 2 then m.node end as node, pawl.message_state_name(m.state) as state,
       m.channel, m.connector, m.account, m.category, m.template, m.template_version, m.external_id
  from pawl.message_settled s
  left join pawl.message m on m.bucket = s.bucket and m.id = s.id
 where s.bucket = $1
 limit $2::int

-- name: drop_settled
delete from pawl.message_settled where bucket = $1 and id = any ($2::uuid[]) returning id
