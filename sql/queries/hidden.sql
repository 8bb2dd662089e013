-- name: mark_keys
select id, key_id, nonce, box from pawl.mark_key order by created_at, id

-- name: add_mark_key
insert into pawl.mark_key (id, key_id, nonce, box) values ($1, $2, $3, $4)

-- name: other_mark_keys
-- Those that are not under this key.
select 0 as tenant, id::text as name, key_id, nonce, box from pawl.mark_key where key_id <> $1 order by id

-- name: replace_mark_key_box
update pawl.mark_key
   set key_id = $3, nonce = $4, box = $5
 where $1::int = 0 and id = $2::text::uuid and nonce = $6
returning id

-- name: plain_hashes
-- Of all tenants.
select tenant, channel, address, reason from pawl.suppression where address like 'sha256:%' limit $1::int

-- name: seal_hashes
-- One that is sealed already is the same address, from another time.
with gone as (
    delete from pawl.suppression s
     using unnest($1::int[], $2::text[], $3::text[], $4::text[]) as u (tenant, channel, address, mark)
     where s.tenant = u.tenant and s.channel = u.channel and s.address = u.address
    returning s.tenant, s.channel, u.mark, s.reason, s.at, s.lifted_at
)
insert into pawl.suppression as s (tenant, channel, address, reason, at, lifted_at)
select g.tenant, g.channel, g.mark, g.reason, max(g.at), max(g.lifted_at)
  from gone g
 group by 1, 2, 3, 4
 order by 1, 2, 3, 4
    on conflict (tenant, channel, address, reason) do update
   set at = greatest(s.at, excluded.at), lifted_at = greatest(s.lifted_at, excluded.lifted_at)

-- name: held_back
-- Which of these places ($1) are of addresses that get nothing, or none but transactional messages.
select u.place, bool_or(s.reason <> 'unsubscribed') as refused, bool_or(s.reason = 'unsubscribed') as unwanted
  from unnest($1::int[], $2::int[], $3::text[], $4::text[]) as u (place, tenant, channel, mark)
 cross join lateral (
     select x.reason
       from pawl.suppression x
      where x.tenant = u.tenant and x.channel = u.channel and x.address = u.mark
        and (x.lifted_at is null or x.lifted_at < x.at)
     offset 0
 ) as s
 group by u.place

-- name: hidden_forms
-- An address as it would be hidden, of each channel of the tenant that has any: of all, or of channel $2.
select distinct pawl.hidden_address(s.tenant, s.channel, $3) as address
  from pawl.suppression s
 where s.tenant = $1 and s.address like 'hmac:%' and ($2::text is null or s.channel = $2)
