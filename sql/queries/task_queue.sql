-- name: claim_tasks
select task_id, task_type, payload, deliveries from queues.claim_tasks($1)

-- name: run_function
select internal.run_function($1, $2)

-- name: finish_task
select queues.finish_task($1)

-- name: retry_task
select queues.retry_task($1, $2)

-- name: record_task_error
select queues.record_error($1, $2, $3, $4, $5)

-- name: purge_tasks
select queues.purge_tasks($1, $2)
