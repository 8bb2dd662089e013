-- name: note_audit
insert into pawl.audit (tenant, by, person, action, target, status, door, peer, request_id)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: list_audit
-- Newest first; $2: those before this one, $3: of one caller, $4: of one operation.
select a.id, a.at, a.by, a.person, a.action, a.target, a.status, a.door, a.peer, a.request_id,
       case when not a.person then pawl.name_of_key(a.tenant, a.by) end as by_name
  from pawl.audit a
 where a.tenant = $1 and a.id < coalesce($2::bigint, 9223372036854775807)
   and ($3::text is null or a.by = $3) and ($4::text is null or a.action = $4)
 order by a.id desc
 limit $5::int

-- name: purge_audit
-- Entries of all tenants that are older than $1, at most $2.
delete from pawl.audit a
 using (select o.tenant, o.id from pawl.audit o where o.at < now() - $1::interval order by o.at limit $2::int
           for update skip locked) as old
 where a.tenant = old.tenant and a.id = old.id
