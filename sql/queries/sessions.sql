-- name: create_session
-- Sessions that have ended go on the way, so that the table stays as small as the number of people.
with ended as (
    delete from pawl.session s
     where s.id in (select o.id from pawl.session o where o.expires_at < now() order by o.expires_at limit 1000
                       for update skip locked)
)
insert into pawl.session (hash, tenant, key, subject, roles, idle, expires_at, peer, agent)
values ($1, $2, $3, $4, $5, $6, now() + $7, $8, $9)
returning id

-- name: find_session
-- None when it has ended, its key was revoked, or the person is no member any more.
select s.id, s.tenant, t.bucket, t.name as tenant_name, s.subject, s.key is null as person,
       coalesce(k.role, m.role, s.roles ->> t.name) as role, coalesce(array_to_string(k.scopes, ' '), '') as scopes,
       least(s.expires_at, k.expires_at, s.used_at + s.idle) as expires_at, s.used_at
  from pawl.session s
  join pawl.tenant t on t.id = s.tenant
  left join pawl.api_key k on k.id = s.key
  left join pawl.member m on s.key is null and m.tenant = s.tenant and m.subject = s.subject
 where s.hash = $1 and s.expires_at > now() and s.used_at > now() - s.idle
   and case when s.key is null then coalesce(m.role, s.roles ->> t.name) is not null
            else k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) end

-- name: touch_session
update pawl.session
   set used_at = now()
 where id = $1 and used_at < now() - interval '1 minute'

-- name: session_tenants
-- Where the owner of a session may act, with the role there; of a key that is one tenant.
select t.name, coalesce(k.role, m.role, s.roles ->> t.name, '') as role
  from pawl.session s
  join pawl.tenant t on case when s.key is null then true else t.id = s.tenant end
  left join pawl.api_key k on k.id = s.key
  left join pawl.member m on s.key is null and m.tenant = t.id and m.subject = s.subject
 where s.id = $1 and (s.key is not null or coalesce(m.role, s.roles ->> t.name) is not null)
 order by t.name
 limit 1000

-- name: caller_name
-- What the key is called that a session ($1) was begun with, or that a request came with ($2); none of a person.
select k.name
  from pawl.api_key k
 where k.id = coalesce($2::int, (select s.key from pawl.session s where s.id = $1::bigint))

-- name: member_tenants
-- Where a person may act before there is a session: as a member, or by what the identity provider said.
select t.name, coalesce(m.role, $2::jsonb ->> t.name) as role
  from pawl.tenant t
  left join pawl.member m on m.tenant = t.id and m.subject = $1
 where coalesce(m.role, $2::jsonb ->> t.name) is not null
 order by t.name
 limit 1000

-- name: switch_session
-- To another tenant of its owner; no row when there is none of that name.
update pawl.session s
   set tenant = t.id
  from pawl.tenant t
 where s.id = $1 and t.name = $2
   and (s.tenant = t.id
        or s.key is null and (s.roles ? t.name
                              or exists (select 1 from pawl.member m where m.tenant = t.id and m.subject = s.subject)))
returning s.tenant

-- name: end_session
delete from pawl.session where id = $1
returning hash

-- name: end_sessions
-- All of the one who owns session $1, or who has key $2.
delete from pawl.session s
 where s.key = $2
    or exists (select 1 from pawl.session o
                where o.id = $1 and s.subject = o.subject and s.key is not distinct from o.key)
returning s.hash

-- name: list_sessions
-- Of the one who owns session $1, or who has key $2; those that have not ended.
select jsonb_build_object(
           'id', s.id::text, 'current', s.id = $1, 'tenant', t.name, 'created_at', s.created_at, 'used_at', s.used_at,
           'expires_at', least(s.expires_at, s.used_at + s.idle), 'peer', s.peer, 'agent', s.agent)
  from pawl.session s
  join pawl.tenant t on t.id = s.tenant
  left join pawl.session o on o.id = $1
 where (s.subject = o.subject and s.key is not distinct from o.key or s.key = $2)
   and s.expires_at > now() and s.used_at > now() - s.idle
 order by s.used_at desc, s.id desc
 limit 1000

-- name: end_one_session
-- $3, if it is of the one who owns session $1, or who has key $2.
delete from pawl.session s
 where s.id = $3
   and (exists (select 1 from pawl.session o
                 where o.id = $1 and s.subject = o.subject and s.key is not distinct from o.key)
        or s.key = $2)
returning s.hash

-- name: create_ticket
with ended as (
    delete from pawl.session_ticket where expires_at < now()
)
insert into pawl.session_ticket (hash, tenant, key, expires_at)
select $1, k.tenant, k.id, now() + $3 from pawl.api_key k where k.hash = $2
returning expires_at

-- name: take_ticket
-- Once: the statement that deletes it has it. The key is found as a caller with it would be.
with taken as (
    delete from pawl.session_ticket where hash = $1 returning key, expires_at
)
select k.id, k.tenant, t.bucket, k.name, k.prefix, array_to_string(k.scopes, ' ') as scopes, k.created_at,
       k.expires_at, k.revoked_at, k.last_used_at, k.role
  from taken x
  join pawl.api_key k on k.id = x.key
  join pawl.tenant t on t.id = k.tenant
 where x.expires_at > now() and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())

-- name: put_member
insert into pawl.member as m (tenant, subject, role, created_by)
values ($1, $2, $3, $4)
    on conflict (tenant, subject) do update set role = excluded.role
returning m.subject, m.role, m.created_at, m.created_by, pawl.name_of_key(m.tenant, m.created_by) as created_by_name

-- name: list_members
select m.subject, m.role, m.created_at, m.created_by, pawl.name_of_key(m.tenant, m.created_by) as created_by_name
  from pawl.member m
 where m.tenant = $1 and m.subject > $2
 order by m.subject
 limit $3::int

-- name: delete_member
delete from pawl.member where tenant = $1 and subject = $2
returning subject
