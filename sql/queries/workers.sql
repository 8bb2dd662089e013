-- name: register_worker
insert into pawl.worker (id, host, pid, version) values ($1, $2, $3, $4) returning clock_timestamp()

-- name: heartbeat
update pawl.worker set beat_at = now() where id = $1 returning clock_timestamp()

-- name: retire_worker
delete from pawl.worker where id = $1

-- name: sweep_dead_workers
select worker, runs from pawl.sweep_dead_workers($1)

-- name: notify
-- On its own: the caller's connection has synchronous_commit off, so the global notify lock is never held over an fsync.
select pg_notify($1, $2)

-- name: ensure_partitions
select pawl.ensure_partitions($1)

-- name: drop_old_partitions
select drop_old_partitions from pawl.drop_old_partitions($1)
