-- What programs in C++ ask through include/pawl.

-- name: embed_start
select pawl.start($1, $2, $3, $4, $5, null, 'cpp')

-- name: embed_signal
select pawl.signal($1, $2, $3)

-- name: embed_cancel
select pawl.cancel($1, $2)

-- name: embed_emit
select pawl.emit($1, $2, $3, null, $4)

-- name: embed_queue_create
select pgmq.create($1) where not exists (select 1 from pgmq.meta m where m.queue_name = lower($1))

-- name: embed_queue_send
select q.msg_id from pgmq.send($1, $2::jsonb) as q (msg_id)

-- name: embed_queue_read
select r.msg_id, r.read_ct, r.message from pgmq.read($1, $2::int, 1) as r

-- name: embed_queue_delete
select pgmq.delete($1, $2::bigint)
