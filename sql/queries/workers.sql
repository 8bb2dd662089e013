-- name: register_worker
insert into pawl.worker (id, host, pid, version) values ($1, $2, $3, $4) returning clock_timestamp()

-- name: heartbeat
update pawl.worker set beat_at = now() where id = $1 returning clock_timestamp()

-- name: retire_worker
select pawl.retire_worker($1)

-- name: sweep_dead_workers
select worker, runs from pawl.sweep_dead_workers($1)

-- name: end_silent_sessions
select pid, ended from pawl.end_silent_sessions($1)

-- name: notify_workers
-- In a transaction of its own that does not wait for the disk: the global notify lock is never held over an fsync.
select set_config('synchronous_commit', 'off', true), pg_notify('pawl_wake', $1)

-- name: listen_for_wakes
listen pawl_wake

-- name: is_listening
-- False behind a pooler in transaction mode: the LISTEN went to a session that is not ours any more.
select 'pawl_wake' = any (array(select pg_listening_channels()))

-- name: takes_writes
-- False on a standby, and where transactions are read-only by default.
select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'

-- name: ensure_partitions
select pawl.ensure_partitions($1)

-- name: retain
-- One step of retiring the oldest week. $1: the process, $2: how long closed runs are kept, $3: rows a batch, $4: the
-- longest wait for a lock that stops others.
select did, busy from pawl.retain($1, $2, $3, $4)
