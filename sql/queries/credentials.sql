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

-- name: newest_wrap_key
select id, key_id, nonce, box from pawl.wrap_key order by created_at desc, id limit 1

-- name: find_wrap_key
select key_id, nonce, box from pawl.wrap_key where id = $1

-- name: add_wrap_key
insert into pawl.wrap_key (id, modulus, key_id, nonce, box) values ($1, $2::text::numeric, $3, $4, $5)

-- name: left_credentials
-- Of all tenants.
select tenant, connector, account, settings, wrap_key, wrapped, data, mac, writing
  from pawl.credential_inbox
 where problem is null
 order by at, tenant, connector, account
 limit $1::int

-- name: finish_credentials
-- Unless others were written meanwhile. With a problem the row stays to tell of it, without what was written.
with told as (
    update pawl.credential_inbox
       set problem = $5::text, wrapped = '', data = '', mac = ''
     where tenant = $1 and connector = $2 and account = $3 and writing = $4 and $5::text is not null
)
delete from pawl.credential_inbox
 where tenant = $1 and connector = $2 and account = $3 and writing = $4 and $5::text is null
