-- name: read_queues
select queue, kind, tenant, id, reads, at, message, headers, known, workflow, version
  from pawl.read_queues($1, $2, $3)

-- name: settle_queue
select started, dead
  from pawl.settle_queue($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)

-- name: hand_over_dead_runs
select pawl.hand_over_dead_runs($1, $2)

-- name: keep_queue_partitions
select pawl.keep_queue_partitions()

-- name: queue_provider
select provider, usable from pawl.queue_provider()
