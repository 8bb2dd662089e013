-- name: find_execution
-- A run as document 000 shows it.
select to_jsonb(e) from pawl.workflow_executions e where e.id = $1

-- name: find_document_runs
-- Runs as document 002 shows them, newest first.
select to_jsonb(r) from pawl.workflow_runs r where r.id = any ($1::uuid[]) order by r.id desc

-- name: find_document_steps
select to_jsonb(s) from pawl.workflow_steps s where s.run_id = $1 order by s.seq

-- name: find_document_logs
select to_jsonb(l) - 'run_id' from pawl.step_logs l where l.run_id = $1 order by (l.meta ->> 'seq')::int

-- name: reserve_document_key
select run, mine from pawl.reserve_document_key($1, $2, $3)

-- name: release_document_key
select pawl.release_document_key($1, $2, $3)
