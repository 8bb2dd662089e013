-- name: put_people
-- The last of those with the same key counts. A person who was erased is there again.
insert into pawl.person as p (tenant, key, attributes, addresses, locale, timezone)
select distinct on (u.key) $1::int, u.key, u.attributes, u.addresses, u.locale, u.timezone
  from unnest($2::text[], $3::jsonb[], $4::jsonb[], $5::text[], $6::text[]) with ordinality
       as u (key, attributes, addresses, locale, timezone, place)
 order by u.key, u.place desc
    on conflict (tenant, key) do update
   set attributes = pawl.keep_redacted(p.attributes, excluded.attributes, (select pawl.redacted_columns($1))),
       addresses = excluded.addresses, locale = excluded.locale, timezone = excluded.timezone, updated_at = now(),
       erased_at = null
returning p.key, pawl.hide_columns(p.attributes, (select pawl.redacted_columns($1))) as attributes, p.addresses,
          p.locale, p.timezone, p.created_at, p.updated_at

-- name: find_person
select key, pawl.hide_columns(attributes, pawl.redacted_columns($1)) as attributes, addresses, locale, timezone,
       created_at, updated_at
  from pawl.person
 where tenant = $1 and key = $2 and erased_at is null

-- name: list_people
-- After the key $2.
select key, pawl.hide_columns(attributes, (select pawl.redacted_columns($1))) as attributes, addresses, locale,
       timezone, created_at, updated_at
  from pawl.person
 where tenant = $1 and ($2::text is null or key > $2) and erased_at is null
 order by key
 limit $3::int

-- name: search_people
-- Of the next $5 people after the key $2 up to $3 that have the text $4 in their key, an address or an attribute, in
-- any case; `looked` and `last` of each row say how many were looked at, and up to where. A row without a key: none
-- has it.
with looked as materialized (
    select p.key, pawl.hide_columns(p.attributes, (select pawl.redacted_columns($1))) as attributes, p.addresses,
           p.locale, p.timezone, p.created_at, p.updated_at
      from pawl.person p
     where p.tenant = $1 and ($2::text is null or p.key > $2) and p.erased_at is null
     order by p.key
     limit $5::int
), found as (
    select l.*
      from looked l
     where strpos(lower(l.key), lower($4::text)) > 0
        or exists (select 1 from jsonb_each_text(l.addresses) as a where strpos(lower(a.value), lower($4)) > 0)
        or exists (select 1 from jsonb_each_text(l.attributes) as a where strpos(lower(a.value), lower($4)) > 0)
     order by l.key
     limit $3::int
)
select f.key, f.attributes, f.addresses, f.locale, f.timezone, f.created_at, f.updated_at, s.looked::int as looked,
       s.last
  from (select count(*) as looked, max(l.key) as last from looked l) as s
  left join found f on true
 order by f.key

-- name: search_source
select key, person, looked, last from pawl.search_source($1, $2, $3, $4, $5)

-- name: erase_person
-- Where a table of the tenant has its people, only what is kept of messages and runs goes here.
select known, runs from pawl.erase_person($1, $2, $3)

-- name: link_address
select pawl.link_address($1, $2, $3, $4)

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
-- Of channel $2, of address $3 ($8: as it was sealed), after ($4, $5, $6).
select s.channel, s.address, s.reason, s.at
  from pawl.suppression s
 where s.tenant = $1 and (s.lifted_at is null or s.lifted_at < s.at)
   and ($2::text is null or s.channel = $2)
   and ($3::text is null
        or s.address in (pawl.address_key(s.channel, $3), pawl.hidden_address(s.tenant, s.channel, $3))
        or s.address = any ($8::text[]))
   and ($4::text is null or (s.channel, s.address, s.reason) > ($4, $5::text, $6::text))
 order by s.channel, s.address, s.reason
 limit $7::int

-- name: settled_messages
select id, run_id, tenant, node, state, channel, connector, account, category, template, template_version, external_id
  from pawl.settled_messages($1, $2)

-- name: settle_message
select pawl.settle_message($1, $2, $3, $4, $5) as known

-- name: drop_settled
delete from pawl.message_settled where bucket = $1 and id = any ($2::uuid[]) returning id
