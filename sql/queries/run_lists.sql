-- name: find_run
select run_id, workflow, version, status, subject, started_at, closed_at, due_at, output, error, workflow_id,
       priority, retried_as, data
  from pawl.find_run($1, $2, $3)

-- name: list_runs
-- One statement, one snapshot: a run that closes meanwhile is seen once.
select false as closed, run_id, workflow, version, status, subject, started_at, closed_at, due_at, output, error,
       scanned_to
  from pawl.list_open_runs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
 union all
select true, run_id, workflow, version, status, subject, started_at, closed_at, due_at, output, error, scanned_to
  from pawl.list_closed_runs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
