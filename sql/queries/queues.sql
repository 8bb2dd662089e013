-- name: read_queues
-- Where the message itself names a version, no share counts.
select q.queue, q.kind, q.tenant, q.id, q.reads, q.at, q.message, q.headers, q.known, q.workflow, q.version,
       (select d.canary from pawl.definition d where d.workflow = q.workflow and d.version = q.version),
       case when q.id = 0 then q.message #>> '{}' end
  from pawl.read_queues($1, $2, $3) q

-- name: settle_queue
select started, dead
  from pawl.settle_queue($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)

-- name: hand_over_dead_runs
select pawl.hand_over_dead_runs($1, $2)

-- name: keep_queue_partitions
select pawl.keep_queue_partitions()

-- name: queue_provider
select provider, usable from pawl.queue_provider()
