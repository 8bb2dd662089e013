-- What the workers csr, bdr, sdr and va ask their tables, each for the tenant $1 of its run.

-- name: crm_ticket
select to_jsonb(t) - 'tenant' || jsonb_build_object('email', c.email, 'name', c.name)
  from pawl.crm_ticket t left join pawl.crm_contact c on c.tenant = t.tenant and c.id = t.contact
 where t.tenant = $1 and t.id = $2

-- name: crm_contact
select to_jsonb(c) - 'tenant'
  from pawl.crm_contact c
 where c.tenant = $1 and (c.id = $2 or lower(c.email) = lower($2))
 order by c.id = $2 desc, c.id limit 1

-- name: crm_set_ticket_status
update pawl.crm_ticket t set status = $3, updated_at = now() where t.tenant = $1 and t.id = $2

-- name: crm_record
insert into pawl.crm_activity (tenant, contact, ticket, kind, text, data, idempotency_key)
values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing

-- name: knowledge_search
select jsonb_build_object('id', k.id, 'title', k.title, 'text', left(k.body, 4000), 'score', round(k.score::numeric, 4))
  from pawl.knowledge_search($1, $2, $3::int, $4) as k

-- name: calendar_slots
select s from pawl.free_slots($1, $2::int, $3::int) as s

-- name: calendar_book
select pawl.book_meeting($1, $2, $3, $4, $5, $6::timestamptz, $7::int)
