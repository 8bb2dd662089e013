-- name: next_outbox_target
-- The number is a part of what its secret is bound to.
select nextval(pg_get_serial_sequence('pawl.outbox_target', 'id'))::int

-- name: create_outbox_target
with made as (
    insert into pawl.outbox_target
        (id, tenant, name, kind, address, events, workflows, batch_max, retries, key_id, nonce, box)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    returning id, tenant
)
insert into pawl.outbox_lease (target, shard, tenant)
select m.id, s.shard, m.tenant from made m cross join generate_series(0, 1) as s (shard)
returning target

-- name: own_queue
select pawl.own_queue($1, $2)

-- name: list_outbox_targets
select t.id, jsonb_build_object(
           'id', t.id, 'name', t.name, 'kind', t.kind,
           'url', case when t.kind = 'webhook' then t.address end,
           'channel', case when t.kind = 'notify' then t.address end,
           'queue', case when t.kind = 'queue' then t.address end,
           'events', t.events, 'workflows', t.workflows, 'batch_max', t.batch_max, 'retries', t.retries,
           'enabled', t.disabled_at is null, 'disabled_at', t.disabled_at, 'disabled_because', t.disabled_because,
           'failures', s.failures, 'next_at', case when s.next_at > now() then s.next_at end,
           'old_secret_until', case when t.old_until > now() then t.old_until end,
           'waiting', (select count(*) from (
                           select 1 from pawl.outbox o
                            where o.bucket = $2 and o.target = t.id and o.due_at is not null
                            limit 10000) as x),
           'created_at', t.created_at)
  from pawl.outbox_target t
 cross join lateral (
     select max(x.failures) as failures, max(x.next_at) as next_at from pawl.outbox_lease x where x.target = t.id
 ) as s
 where t.tenant = $1 and ($3::int is null or t.id = $3)
 order by t.id
 limit 1000

-- name: delete_outbox_target
-- Its messages go with the old ones: there may be millions. The leases first, as publishers lock them.
with leases as materialized (
    select s.shard from pawl.outbox_lease s where s.tenant = $1 and s.target = $2 order by s.shard for update
)
delete from pawl.outbox_target t
 where t.tenant = $1 and t.id = $2 and (select count(*) from leases) >= 0
returning t.id

-- name: rotate_outbox_secret
-- The old one signs beside the new one for a while.
update pawl.outbox_target t
   set old_key_id = t.key_id, old_nonce = t.nonce, old_box = t.box, old_until = now() + $6,
       key_id = $3, nonce = $4, box = $5
 where t.tenant = $1 and t.id = $2 and t.kind = 'webhook'
returning t.id

-- name: enable_outbox_target
with changed as (
    update pawl.outbox_target t
       set disabled_at = null, disabled_because = null
     where t.tenant = $1 and t.id = $2
    returning t.id
)
update pawl.outbox_lease s
   set next_at = '-infinity', failures = 0
  from changed c
 where s.target = c.id
returning s.target

-- name: test_outbox_target
insert into pawl.outbox (bucket, target, run_id, seq, tenant, type, data)
select $3, t.id, pawl.uuid7(), 0, t.tenant, 'webhook.test', jsonb_build_object('message', 'A test of Pawl.')
  from pawl.outbox_target t
 where t.tenant = $1 and t.id = $2
returning run_id, seq

-- name: list_deliveries
-- The newest first; after the message $5, $6 of the time $4.
select o.created_at, o.run_id, o.seq, jsonb_build_object(
           'id', 'evt_' || o.run_id || '_' || o.seq, 'webhook', o.target, 'type', o.type,
           'run_id', case when o.data is null then o.run_id end,
           'state', (array['pending', 'in_flight', 'published', 'failed'])[o.state + 1],
           'attempts', o.attempts, 'status', o.status, 'response', o.response, 'error', o.error,
           'next_at', o.due_at, 'created_at', o.created_at, 'finished_at', o.finished_at)
  from pawl.outbox o
 where o.bucket = $2 and o.target + 0 = $3 and o.tenant = $1
   and ($4::timestamptz is null or (o.created_at, o.run_id, o.seq) < ($4, $5, $6))
   and ($7::smallint is null or o.state = $7)
 order by o.created_at desc, o.run_id desc, o.seq desc
 limit $8::int

-- name: find_delivery
-- One of them, with what is sent.
select jsonb_build_object(
           'id', 'evt_' || o.run_id || '_' || o.seq, 'webhook', o.target, 'type', o.type,
           'run_id', case when o.data is null then o.run_id end,
           'state', (array['pending', 'in_flight', 'published', 'failed'])[o.state + 1],
           'attempts', o.attempts, 'status', o.status, 'response', o.response, 'error', o.error,
           'next_at', o.due_at, 'created_at', o.created_at, 'finished_at', o.finished_at,
           'body', (select m.message::jsonb from pawl.outbox_messages($2, $3, array[o.run_id], array[o.seq]) m))
  from pawl.outbox o
 where o.bucket = $2 and o.target = $3 and o.run_id = $4 and o.seq = $5 and o.tenant = $1

-- name: redeliver
-- Also one that was published: with the same id, so that a receiver that has it recognises it.
update pawl.outbox o
   set state = 0, due_at = now(), finished_at = null, attempts = 0
 where o.bucket = $2 and o.target = $3 and o.run_id = $4 and o.seq = $5 and o.tenant = $1 and o.state <> 1
returning o.seq

-- name: take_outbox
select x.run_id, x.seq, x.type, x.attempts, x.message, x.target, t.tenant, t.address, t.batch_max,
       to_jsonb(t.retries), s.failures, t.key_id, t.nonce, t.box,
       case when t.old_until > now() then t.old_key_id end, t.old_nonce, t.old_box, x.shard
  from pawl.take_outbox($1, $2, $3, $4) with ordinality
       as x (target, shard, run_id, seq, type, attempts, message, n)
  left join pawl.outbox_target t on t.id = x.target and x.n = 1
  left join pawl.outbox_lease s on s.target = x.target and s.shard = x.shard and x.n = 1
 order by x.n

-- name: settle_outbox
select pawl.settle_outbox($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)

-- name: publish_inside
select kind, sent, failed from pawl.publish_inside($1, $2)

-- name: purge_outbox
select pawl.purge_outbox($1, $2, $3)

-- name: has_outbox_targets
select exists (select 1 from pawl.outbox_target t where t.disabled_at is null)

-- name: other_outbox_secrets
-- Those that are not under this key, of all tenants.
select t.tenant, t.id, t.key_id, t.nonce, t.box from pawl.outbox_target t where t.key_id <> $1 order by t.id

-- name: replace_outbox_secret
update pawl.outbox_target t
   set key_id = $2, nonce = $3, box = $4, old_key_id = null, old_nonce = null, old_box = null, old_until = null
 where t.id = $1 and t.nonce = $5
returning t.id
