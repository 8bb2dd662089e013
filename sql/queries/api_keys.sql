-- name: create_api_key
insert into pawl.api_key (tenant, name, prefix, hash, scopes, expires_at, role)
values ($1, $2, $3, $4, $5, $6, $7)
returning id, created_at, (select t.bucket from pawl.tenant t where t.id = api_key.tenant) as bucket

-- name: find_api_key
-- The answer to every request: a key that was revoked or has expired is not found.
select k.id, k.tenant, t.bucket, k.name, k.prefix, array_to_string(k.scopes, ' ') as scopes, k.created_at,
       k.expires_at, k.revoked_at, k.last_used_at, k.role
  from pawl.api_key k
  join pawl.tenant t on t.id = k.tenant
 where k.hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())

-- name: list_api_keys
select k.id, k.tenant, t.bucket, k.name, k.prefix, array_to_string(k.scopes, ' ') as scopes, k.created_at,
       k.expires_at, k.revoked_at, k.last_used_at, k.role
  from pawl.api_key k
  join pawl.tenant t on t.id = k.tenant
 where k.tenant = $1
 order by k.id
 limit 1000

-- name: revoke_api_key
-- By the prefix people see or by the number. When it fits several keys, nothing is revoked.
with fitting as (
    select k.id from pawl.api_key k where k.tenant = $1 and (k.prefix = $2 or k.id::text = $2) limit 2
), revoked as (
    update pawl.api_key k
       set revoked_at = coalesce(k.revoked_at, now())
     where k.id = (select min(f.id) from fitting f) and (select count(*) from fitting) = 1
)
select count(*) from fitting

-- name: key_names
select pawl.key_names($1, $2)

-- name: touch_api_key
-- Once a minute is enough to see whether a key is in use, and keeps requests from writing.
update pawl.api_key
   set last_used_at = now()
 where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')

-- name: any_api_key
select exists (select 1 from pawl.api_key)

-- name: create_tenant
-- All in bucket 0: that is the one workers claim from. A name that is an id of the application is its organization too.
insert into pawl.tenant (name, organization)
select $1, coalesce((select u.id from pawl.uuid_of($1) as u (id)
                      where not exists (select 1 from pawl.tenant t where t.organization = u.id)), gen_random_uuid())
    on conflict (name) do nothing
returning id, bucket, name, created_at, open_runs_max, starts_per_second_max, payload_bytes_max

-- name: list_tenants
select t.id, t.bucket, t.name, t.created_at, t.open_runs_max, t.starts_per_second_max, t.payload_bytes_max
  from pawl.tenant t
 where $1::text is null or t.name = $1
 order by t.id
 limit 10000

-- name: limit_tenant
update pawl.tenant t
   set open_runs_max = $2, starts_per_second_max = $3, payload_bytes_max = $4
 where t.name = $1
returning id, bucket, name, created_at, open_runs_max, starts_per_second_max, payload_bytes_max

-- name: tenant_limits
select open_runs_max, starts_per_second_max, payload_bytes_max from pawl.tenant where id = $1

-- name: count_open_runs
select pawl.count_open_runs($1, $2, $3)

-- name: count_recent_starts
select pawl.count_recent_starts($1, $2, $3)

-- name: enter_tenant
-- For the rest of the transaction: whose rows there are, and a role that sees no others. A pooler's sessions are not
-- set up by us: just-in-time compilation would cost these short statements more than all else.
select set_config('pawl.tenant', $1, true), set_config('role', pawl.api_role(), true), set_config('jit', 'off', true),
       set_config('lock_timeout', $2, true)

-- name: act_for
-- For the rest of the transaction: who changes workflows, as pawl.note_version notes it.
select set_config('pawl.acting', $1, true)

-- name: find_tenant
select t.id, t.bucket, now() from pawl.tenant t where t.name = $1

-- name: find_tenant_by_id
select t.id, t.bucket, now(), t.name from pawl.tenant t where t.id = $1
