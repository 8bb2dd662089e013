-- name: take_inquiries
select id, tenant, run_id, node, connector, account, address, text_hash, begun_at, tries, asked_since
  from pawl.take_inquiries($1, $2, $3::bigint * interval '1 microsecond')

-- name: put_off_inquiry
-- Not when another attempt has become unknown since try $3.
update pawl.message_inquiry
   set due_at = now() + $4::bigint * interval '1 microsecond'
 where bucket = $1 and id = $2 and tries = $3
returning id

-- name: drop_inquiry
delete from pawl.message_inquiry where bucket = $1 and id = $2 and tries = $3 returning id

-- name: other_messages
-- Which ids of a provider are those of messages other than $2.
select u.external_id
  from unnest($3::text[]) as u (external_id)
 where exists (select 1 from pawl.message m
                where m.external_id = pawl.event_key(u.external_id) and m.tenant + 0 = $1 and m.id <> $2)
