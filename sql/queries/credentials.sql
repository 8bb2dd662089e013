-- name: put_credential
insert into pawl.credential as c (tenant, name, key_id, nonce, box)
values ($1, $2, $3, $4, $5)
    on conflict (tenant, name) do update
   set key_id = excluded.key_id, nonce = excluded.nonce, box = excluded.box, updated_at = now()
returning name, key_id, created_at, updated_at

-- name: list_credentials
select name, key_id, created_at, updated_at from pawl.credential where tenant = $1 order by name limit 1000

-- name: delete_credential
delete from pawl.credential where tenant = $1 and name = $2 returning name

-- name: find_credential
select key_id, nonce, box from pawl.credential where tenant = $1 and name = $2

-- name: other_credentials
-- Those that are not under this key, of all tenants.
select tenant, name, key_id, nonce, box from pawl.credential where key_id <> $1 order by tenant, name

-- name: replace_credential_box
-- Not when the credential was set meanwhile.
update pawl.credential
   set key_id = $3, nonce = $4, box = $5
 where tenant = $1 and name = $2 and nonce = $6
returning name
