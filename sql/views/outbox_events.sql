-- needs: functions/outbox/messages

-- The outbox for readers in SQL: messages, their targets and states.
create or replace view pawl.outbox_events with (security_invoker) as
select 'evt_' || o.run_id || '_' || o.seq as id, o.target, o.run_id, o.seq, o.type as event_type,
       (select m.message::jsonb
          from pawl.outbox_messages(o.bucket, o.target, array[o.run_id], array[o.seq]) m) as payload,
       (array['pending', 'in_flight', 'published', 'failed'])[o.state + 1] as state, o.state = 2 as published,
       'evt_' || o.run_id || '_' || o.seq as idempotency_key, o.attempts, o.due_at as next_attempt_at, o.created_at,
       o.finished_at, o.error
  from pawl.outbox o;
