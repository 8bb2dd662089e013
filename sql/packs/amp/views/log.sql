-- needs: functions/base/names
-- needs: functions/journeys/message_names
-- needs: functions/journeys/take
-- needs: functions/security/tenants
-- needs: packs/amp/functions/merchants

-- The workflows that the session may see the log of, with what the engine calls them. No role has a right on it.
create or replace view pawl.amp_visible_workflow as
select w.id, w.merchant_id, w.name, w.tenant, w.workflow
  from pawl.amp_workflow w
 where (select pawl.amp_sees_all()) or w.merchant_id = (select pawl.amp_merchant())
    or w.tenant = (select pawl.current_tenant());

-- Their runs, open and closed. Lateral: the planner expects as many runs as a workflow has, and not as many as two
-- conditions would leave that say the same.
create or replace view pawl.amp_run as
select w.merchant_id, w.id as workflow_id, x.bucket, x.run_id, pawl.uuid_of(x.subject) as user_id
  from pawl.amp_visible_workflow w
 cross join lateral (
     select l.bucket, l.run_id, l.subject from pawl.live_run l where l.tenant = w.tenant and l.workflow = w.workflow
      union all
     select r.bucket, r.run_id, r.subject from pawl.run r where r.tenant = w.tenant and r.workflow = w.workflow
 ) as x;

-- Their runs that ended, and when: after all else of the commit that ended them.
create or replace view pawl.amp_ended_run as
select w.merchant_id, w.id as workflow_id, pawl.uuid_of(r.subject) as user_id, r.run_id, r.status, r.output, r.error,
       greatest(r.closed_at, pawl.uuid7_time(r.run_id)) + coalesce((
           select max(e.seq) + 1 from pawl.event e where e.bucket = r.bucket and e.run_id = r.run_id
       ), 0) * interval '10 microseconds' as at
  from pawl.amp_visible_workflow w
  join pawl.run r on r.tenant = w.tenant and r.workflow = w.workflow;

-- What their runs did, apart from messages. Events of one commit have one time: ten microseconds between one and the
-- next give them their order, with room for what became of a message.
create or replace view pawl.amp_run_step as
select r.merchant_id, r.workflow_id, r.user_id, r.run_id, e.seq, e.type,
       e.at + e.seq * interval '10 microseconds' as at, e.data, e.error, k.node_id, k.node_type,
       k.action_type
  from pawl.amp_run r
  join pawl.event e on e.bucket = r.bucket and e.run_id = r.run_id
  join pawl.amp_known_node k on k.node = e.node and k.node_type <> 'message';

-- Their messages, sent and skipped. An open counts once, and a click is one too; a send whose answer never came is
-- proved by what came later. Providers give whole seconds, and programs open messages before they are said to be
-- delivered: what follows from a thing comes a microsecond after it at the earliest.
create or replace view pawl.amp_message as
select w.merchant_id, w.id as workflow_id, pawl.uuid_of(m.person) as user_id, m.id, m.bucket, m.run_id,
       x.executed as created_at, m.state, k.node_id, k.action_type, m.external_id, m.connector, m.channel, m.reason,
       m.error, s.sent as sent_at, d.delivered as delivered_at,
       case when least(m.opened_at, m.clicked_at) is not null
            then greatest(least(m.opened_at, m.clicked_at), s.sent + c.next, d.delivered + c.next) end as opened_at,
       case when least(m.bounced_at, m.failed_at) is not null
            then greatest(least(m.bounced_at, m.failed_at), x.executed + 4 * c.next, s.sent + 3 * c.next)
       end as failed_at
  from pawl.amp_visible_workflow w
  join pawl.message m on m.tenant = w.tenant and m.workflow = w.workflow
  join pawl.amp_known_node k on k.node = m.node and k.node_type = 'message'
 cross join lateral (select interval '1 microsecond' as next) as c
 cross join lateral (select coalesce(m.ended_at, m.created_at) as executed) as x
 cross join lateral (
     select case when m.sent_at is not null or m.state in (5, 6, 7, 8, 9)
                 then greatest(coalesce(m.sent_at, least(m.delivered_at, m.opened_at, m.machine_opened_at, m.clicked_at,
                                                         m.bounced_at, m.complained_at, m.unsubscribed_at,
                                                         m.replied_at)), x.executed + c.next) end as sent
 ) as s
 cross join lateral (
     select case when m.delivered_at is not null then greatest(m.delivered_at, s.sent + c.next) end as delivered
 ) as d;

-- What happened in journeys, a line for each: of the log of runs, of messages and what became of them, and the lines
-- that callers added. A wait is executed when it begins. `status + 0` lets the planner expect few runs: only then does
-- it hash them for a NOT IN (a count of the runs in flight) instead of comparing each with each.
create or replace view pawl.amp_workflow_log with (security_barrier) as
select md5(r.run_id || ':started')::uuid as id, r.merchant_id, r.workflow_id, r.user_id,
       r.run_id::text as inngest_run_id, 'execution_started'::text as event_type, null::uuid as node_id,
       null::text as node_type, null::text as action_type, null::text as status, null::text as external_message_id,
       (select e.data -> 'input' from pawl.event e where e.bucket = r.bucket and e.run_id = r.run_id and e.seq = 0)
           as event_data,
       null::text as error_message, pawl.uuid7_time(r.run_id) as created_at
  from pawl.amp_run r
 union all
select md5(r.run_id || ':completed')::uuid, r.merchant_id, r.workflow_id, r.user_id, r.run_id::text,
       'execution_completed', null, null, null, null, null, r.output, null, r.at
  from pawl.amp_ended_run r where r.status = 1 and r.status + 0 = 1
 union all
select md5(r.run_id || ':failed')::uuid, r.merchant_id, r.workflow_id, r.user_id, r.run_id::text, 'execution_failed',
       null, null, null, null, null, r.error, r.error ->> 'message', r.at
  from pawl.amp_ended_run r where r.status = 2 and r.status + 0 = 2
 union all
select md5(r.run_id || ':exited')::uuid, r.merchant_id, r.workflow_id, r.user_id, r.run_id::text, 'execution_exited',
       null, null, null, null, null, r.error, r.error ->> 'message', r.at
  from pawl.amp_ended_run r where r.status = 3 and r.status + 0 = 3
 union all
select md5(s.run_id || ':' || s.seq)::uuid, s.merchant_id, s.workflow_id, s.user_id, s.run_id::text, 'node_executed',
       s.node_id, s.node_type, s.action_type, 'executed', null, s.data, null, s.at
  from pawl.amp_run_step s
 where s.type in (1, 3, 7, 16) and (s.node_type = 'wait') = (s.type = 3)
 union all
select md5(s.run_id || ':' || s.seq)::uuid, s.merchant_id, s.workflow_id, s.user_id, s.run_id::text, 'action_failed',
       s.node_id, s.node_type, s.action_type, 'failed', null, s.error, s.error ->> 'message', s.at
  from pawl.amp_run_step s
 where s.type = 2 and (s.data ? 'retry_at') is not true
 union all
select md5(m.id || ':executed')::uuid, m.merchant_id, m.workflow_id, m.user_id, m.run_id::text, 'node_executed',
       m.node_id, 'message', m.action_type, 'executed', null,
       jsonb_strip_nulls(jsonb_build_object('state', pawl.message_state_name(m.state), 'reason', m.reason)), null,
       m.created_at
  from pawl.amp_message m
 union all
select md5(m.id || ':sent')::uuid, m.merchant_id, m.workflow_id, m.user_id, m.run_id::text, 'action_sent', m.node_id,
       'message', m.action_type, 'sent', m.external_id,
       jsonb_build_object('channel', m.channel, 'connector', m.connector), null, m.sent_at
  from pawl.amp_message m where m.sent_at is not null
 union all
select md5(m.id || ':delivered')::uuid, m.merchant_id, m.workflow_id, m.user_id, m.run_id::text, 'action_delivered',
       m.node_id, 'message', m.action_type, 'delivered', m.external_id,
       (select f.detail from pawl.message_fact f
         where f.bucket = m.bucket and f.message = m.id and f.kind = 'delivered' order by f.at limit 1),
       null, m.delivered_at
  from pawl.amp_message m where m.delivered_at is not null
 union all
select md5(m.id || ':opened')::uuid, m.merchant_id, m.workflow_id, m.user_id, m.run_id::text, 'action_opened',
       m.node_id, 'message', m.action_type, 'opened', m.external_id,
       (select f.detail from pawl.message_fact f
         where f.bucket = m.bucket and f.message = m.id and f.kind in ('opened', 'clicked') and not f.machine
         order by f.at limit 1),
       null, m.opened_at
  from pawl.amp_message m where m.opened_at is not null
 union all
select md5(m.id || ':failed')::uuid, m.merchant_id, m.workflow_id, m.user_id, m.run_id::text, 'action_failed',
       m.node_id, 'message', m.action_type, 'failed', m.external_id,
       (select f.detail from pawl.message_fact f
         where f.bucket = m.bucket and f.message = m.id and f.kind in ('bounced', 'failed') order by f.at limit 1),
       coalesce(m.error, m.reason, 'the provider says that it was not delivered'), m.failed_at
  from pawl.amp_message m where m.failed_at is not null
 union all
select e.id, e.merchant_id, e.workflow_id, e.user_id, e.inngest_run_id, e.event_type, e.node_id, e.node_type,
       e.action_type, e.status, e.external_message_id, e.event_data, e.error_message, e.created_at
  from pawl.amp_visible_workflow w
  join pawl.amp_event e on e.workflow_id = w.id and e.merchant_id = w.merchant_id;

-- Trigger on the log: a line that a caller inserts.
create or replace function pawl.amp_add_line() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    insert into pawl.amp_event (id, merchant_id, workflow_id, user_id, inngest_run_id, event_type, node_id, node_type,
                                action_type, status, external_message_id, event_data, error_message, created_at)
    values (coalesce(new.id, gen_random_uuid()), new.merchant_id, new.workflow_id, new.user_id, new.inngest_run_id,
            new.event_type, new.node_id, new.node_type, new.action_type, new.status, new.external_message_id,
            new.event_data, new.error_message, coalesce(new.created_at, now()))
    returning id, merchant_id, created_at into new.id, new.merchant_id, new.created_at;
    return new;
end
$$;

create or replace trigger amp_workflow_log_insert instead of insert on pawl.amp_workflow_log
for each row execute function pawl.amp_add_line();
