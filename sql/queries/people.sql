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
), unnamed as (
    update pawl.conversion set subject = null where tenant = $1 and subject = $2
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
select kind, at, id, entry from pawl.person_items($1, $2, $3, $4, $5, $6, $7)

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
select id, run_id, tenant, node, state, channel, connector, account, category, template, template_version, external_id
  from pawl.settled_messages($1, $2)

-- name: drop_settled
delete from pawl.message_settled where bucket = $1 and id = any ($2::uuid[]) returning id
