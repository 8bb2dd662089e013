-- name: find_execution
-- A run as document 000 shows it.
select to_jsonb(e) from pawl.workflow_executions e where e.id = $1
