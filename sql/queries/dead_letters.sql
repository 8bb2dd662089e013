-- name: list_dead_letters
select run_id, at, workflow, version, node, error, fingerprint, replayed_as, replayed_at
  from pawl.list_dead_letters($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)

-- name: group_dead_letters
select fingerprint, workflow, node, message, count, first_at, last_at, sample_run, complete
  from pawl.group_dead_letters($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: find_dead_letter
select d.run_id, d.at, w.name as workflow, d.version, d.node, d.error, d.fingerprint, d.replayed_as, d.replayed_at
  from pawl.dead_letter d
  join pawl.workflow w on w.id = d.workflow
 where d.bucket = $1 and d.tenant = $2 and d.run_id = $3

-- name: retry_runs
select run_id, status, retried_as, created from pawl.retry_runs($1, $2, $3, $4)
