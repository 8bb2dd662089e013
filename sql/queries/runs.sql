-- name: start_runs
-- The last row, without ids: where the rows of the runs stand, in the order of $4, when their starter keeps them.
select requested, existing, null as rows
  from pawl.start_runs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
 union all
select null, null, current_setting('pawl.rows', true)
 where coalesce(current_setting('pawl.rows', true), '') <> ''

-- name: claim_runs
-- It does not wait for the disk. A crash of the database may take a claim back: the run is ready again, and the commit
-- of the worker that went on with it is refused (pawl.commit_runs). One that delivers events does wait.
select run_id, seq, type, attempt, node, data, error, at, token, signal
  from set_config('synchronous_commit', 'off', true), pawl.claim_runs($1, $2, $3, $4)

-- name: claim_runs_beside
-- For a worker without room: $5 runs of each tenant that is not among $6.
select run_id, seq, type, attempt, node, data, error, at, token, signal
  from pawl.claim_beside($1, $2, $3, $4, $5, $6)

-- name: leased_runs
select run_id, seq, type, attempt, node, data, error, at, token from pawl.leased_runs($1, $2, $3)

-- name: commit_runs
-- What the function calls may have set pawl.made_room, for this transaction. pawl.rows: where the rows of the runs that
-- stay with the worker stand, in the order of $26 and without those that close or park; empty when all is as $27 says.
select c.at, coalesce(current_setting('pawl.made_room', true), '') = 'on' as made_room,
       coalesce(current_setting('pawl.rows', true), '') as rows
  from pawl.commit_runs(
           $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
           $24, $25, $26, $27
       ) as c (at)

-- name: put_off_unclaimable
select run_id, reason from pawl.put_off_unclaimable($1, $2, $3)

-- name: mend_runs
select mend_runs from pawl.mend_runs($1, $2)

-- name: pending_signals
select id, run_id, kind, data from pawl.pending_signals($1, $2, $3)

-- name: request_cancel
select pawl.request_cancel($1, $2, $3, $4)

-- name: load_log
select seq, type, attempt, node, data, error, at, token from pawl.load_log($1, $2)

-- name: load_logs
select run_id, seq, type, attempt, node, data, error, at, token from pawl.load_logs($1, $2)

-- name: health
-- The oldest ready run by the head of each priority: a million sleeping runs are not walked
-- over. xmin age as the age of the oldest open transaction that holds one.
with recursive head as (
    (select l.priority, l.due_at
       from pawl.live_run l
      where l.bucket = $1 and l.state = 0
      order by l.bucket, l.priority, l.due_at
      limit 1)
    union all
    select following.priority, following.due_at
      from head
     cross join lateral (
         select l.priority, l.due_at
           from pawl.live_run l
          where l.bucket = $1 and l.state = 0 and l.priority > head.priority
          order by l.bucket, l.priority, l.due_at
          limit 1) as following
)
select (select least(coalesce(sum(pawl.count_due($1, head.priority, 10000)), 0), 10000)::bigint as count from head),
       coalesce((select extract(epoch from now() - min(head.due_at)) from head where head.due_at <= now()), 0)::float8,
       coalesce((select extract(epoch from now() - min(a.xact_start))
                   from pg_stat_activity a
                  where a.backend_xmin is not null and a.pid <> pg_backend_pid()), 0)::float8,
       (select count(*) from pawl.worker)

-- name: earlier_child
select run_id, first_run, anew_run, undone from pawl.earlier_child($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)

-- name: enter_lock
select pawl.enter_lock($1, $2, $3, $4, $5)

-- name: leave_places
select pawl.leave_places($1, $2, $3, $4)

-- name: rerun_from
select pawl.rerun_from_once($1, $2, $3, $4, $5, $6, $7, $8)

-- name: limit_waits
-- In one transaction with what follows: how long that waits for rows of others.
select set_config('lock_timeout', $1, true)

-- name: confirm_found
-- In a transaction of its own: its commit waits for the standbys, as those of the rows that were found may not have.
select pawl.confirm_found()
