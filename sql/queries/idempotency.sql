-- name: find_idempotency_key
select fingerprint, status, headers, body, at
  from pawl.idempotency_key
 where tenant = $1 and key = $2 and at > now() - interval '1 day'

-- name: remember_idempotency_key
-- The first answer stays; one that is too old to count is replaced.
insert into pawl.idempotency_key as k (tenant, key, fingerprint, status, headers, body)
values ($1, $2, $3, $4, $5, $6)
    on conflict (tenant, key) do update
   set fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers, body = excluded.body,
       at = excluded.at
 where k.at <= now() - interval '1 day'

-- name: purge_idempotency_keys
delete from pawl.idempotency_key k
 where k.ctid = any (array(
       select o.ctid
         from pawl.idempotency_key o
        where o.at <= now() - interval '1 day'
        order by o.at
        limit $1
          for update skip locked
   ))

-- name: send_signal_once
select before, reached from pawl.send_signal_once($1, $2, $3, $4, $5, $6)

-- name: signal_was_sent
-- The mark that send_signal_once leaves.
select exists (
    select 1
      from pawl.idempotency_key k
     where k.tenant = $1 and k.key = 'sent:' || encode(sha256(convert_to($2, 'UTF8')), 'hex')
)
