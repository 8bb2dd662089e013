-- name: create_replay
select pawl.create_replay($1, $2, $3)

-- name: find_job
select j.id, j.tenant, t.bucket, j.kind, j.filter, j.status, j.total, j.done, j.failed, j.error, j.created_at,
       j.updated_at, j.request, j.examples, j.cursor_run, j.counts, j.schedule, j.slot
  from pawl.job j
  join pawl.tenant t on t.id = j.tenant
 where j.id = $1 and j.tenant = $2

-- name: list_jobs
select j.id, j.tenant, t.bucket, j.kind, j.filter, j.status, j.total, j.done, j.failed, j.error, j.created_at,
       j.updated_at, j.request, j.examples, j.cursor_run, j.counts, j.schedule, j.slot
  from pawl.job j
  join pawl.tenant t on t.id = j.tenant
 where j.tenant = $1 and ($2::text is null or j.status = $2)
   and ($3::timestamptz is null or (j.created_at, j.id) < ($3, $4::uuid))
 order by j.created_at desc, j.id desc
 limit $5::int

-- name: cancel_job
-- The server that works on it finds out with its next part.
update pawl.job j
   set status = 'cancelled', error = $3, updated_at = now()
 where j.id = $1 and j.tenant = $2 and j.status in ('queued', 'running', 'paused')

-- name: pause_job
-- The server that works on it finds out with its next part.
update pawl.job j
   set status = 'paused', updated_at = now()
 where j.id = $1 and j.tenant = $2 and j.kind = 'audience' and j.status in ('queued', 'running')

-- name: resume_job
update pawl.job j
   set status = 'queued', lease_until = null, updated_at = now()
 where j.id = $1 and j.tenant = $2 and j.status = 'paused'

-- name: claim_job
-- Of the next tenant after $2 that has one, the one that was worked on the longest time ago: many jobs of one tenant do
-- not keep those of others waiting. A job whose server went silent is taken over when its lease is over. $3: those that
-- start the runs of an audience, or all others.
update pawl.job j
   set status = 'running', lease_until = now() + $1, updated_at = now()
  from pawl.tenant t
 where t.id = j.tenant and j.id = (
     select q.id
       from pawl.job q
      where q.status in ('queued', 'running') and (q.lease_until is null or q.lease_until < now())
        and (q.kind = 'audience') = $3
      order by q.tenant <= $2, q.tenant, q.updated_at
      limit 1
        for no key update skip locked
 )
returning j.id, j.tenant, t.bucket, j.kind, j.filter, j.status, j.total, j.done, j.failed, j.error, j.created_at,
          j.updated_at, j.request, j.examples, j.cursor_run, j.counts, j.schedule, j.slot

-- name: replay_batch
select j.id, j.tenant, t.bucket, j.kind, j.filter, j.status, j.total, j.done, j.failed, j.error, j.created_at,
       j.updated_at, j.request, j.examples, j.cursor_run, j.counts, j.schedule, j.slot
  from pawl.replay_batch($1, $2, $3) j
  join pawl.tenant t on t.id = j.tenant

-- name: let_job_go
update pawl.job
   set lease_until = null, updated_at = now()
 where id = $1 and status = 'running'

-- name: fail_job
update pawl.job
   set status = 'failed', error = $2, updated_at = now()
 where id = $1 and status in ('queued', 'running')

-- name: count_runs
select c.total, c.complete, s.run_id as sample
  from pawl.count_runs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) c
  left join lateral unnest(c.sample) as s (run_id) on true

-- name: count_runs_by_status
select c.status, c.total, c.complete
  from pawl.count_runs_by_status($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as c
 order by array_position(array['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled'], c.status)

-- name: create_bulk
select pawl.create_bulk($1, $2, $3, $4, $5)

-- name: bulk_batch
select j.id, j.tenant, t.bucket, j.kind, j.filter, j.status, j.total, j.done, j.failed, j.error, j.created_at,
       j.updated_at, j.request, j.examples, j.cursor_run, j.counts, j.schedule, j.slot
  from pawl.bulk_batch($1, $2, $3, $4, $5, $6, $7, $8, $9) j
  join pawl.tenant t on t.id = j.tenant

-- name: retried_runs
select u.run_id
  from unnest($2::uuid[]) as u (run_id)
 cross join lateral (
     select 1 from pawl.run r where r.bucket = $1 and r.run_id = u.run_id and r.retried_as is not null offset 0
 ) as r

-- name: begin_audience
select j.id, j.tenant, t.bucket, j.kind, j.filter, j.status, j.total, j.done, j.failed, j.error, j.created_at,
       j.updated_at, j.request, j.examples, j.cursor_run, j.counts, j.schedule, j.slot
  from pawl.begin_audience($1, $2) j
  join pawl.tenant t on t.id = j.tenant

-- name: add_audience
select j.id, j.tenant, t.bucket, j.kind, j.filter, j.status, j.total, j.done, j.failed, j.error, j.created_at,
       j.updated_at, j.request, j.examples, j.cursor_run, j.counts, j.schedule, j.slot
  from pawl.add_audience($1, $2, $3, $4) j
  join pawl.tenant t on t.id = j.tenant

-- name: end_audience
select j.id, j.tenant, t.bucket, j.kind, j.filter, j.status, j.total, j.done, j.failed, j.error, j.created_at,
       j.updated_at, j.request, j.examples, j.cursor_run, j.counts, j.schedule, j.slot
  from pawl.end_audience($1) j
  join pawl.tenant t on t.id = j.tenant

-- name: enter_audience
select j.id, j.tenant, t.bucket, j.kind, j.filter, j.status, j.total, j.done, j.failed, j.error, j.created_at,
       j.updated_at, j.request, j.examples, j.cursor_run, j.counts, j.schedule, j.slot
  from pawl.enter_audience($1, $2, $3) j
  join pawl.tenant t on t.id = j.tenant

-- name: prolong_job
update pawl.job
   set lease_until = now() + $2
 where id = $1 and status = 'running'

-- name: purge_audiences
select pawl.purge_audiences($1)

-- name: open_audience
-- A slot that a caller asks for, which is now.
select unnest(pawl.open_audiences(s, array[date_trunc('milliseconds', now())]))
  from pawl.schedule s
 where s.tenant = $1 and s.id = $2
