-- name: create_replay
select pawl.create_replay($1, $2, $3)

-- name: find_job
select j.id, j.tenant, t.bucket, j.kind, j.filter, j.status, j.total, j.done, j.failed, j.error, j.created_at,
       j.updated_at
  from pawl.job j
  join pawl.tenant t on t.id = j.tenant
 where j.id = $1 and j.tenant = $2

-- name: claim_job
-- A job whose server went silent is taken over when its lease is over.
update pawl.job j
   set status = 'running', lease_until = now() + $1, updated_at = now()
  from pawl.tenant t
 where t.id = j.tenant and j.id = (
     select q.id
       from pawl.job q
      where q.status in ('queued', 'running') and (q.lease_until is null or q.lease_until < now())
      order by q.created_at
      limit 1
        for no key update skip locked
 )
returning j.id, j.tenant, t.bucket, j.kind, j.filter, j.status, j.total, j.done, j.failed, j.error, j.created_at,
          j.updated_at

-- name: replay_batch
select j.id, j.tenant, t.bucket, j.kind, j.filter, j.status, j.total, j.done, j.failed, j.error, j.created_at,
       j.updated_at
  from pawl.replay_batch($1, $2, $3) j
  join pawl.tenant t on t.id = j.tenant

-- name: fail_job
update pawl.job
   set status = 'failed', error = $2, updated_at = now()
 where id = $1 and status in ('queued', 'running')
