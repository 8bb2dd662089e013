-- needs: functions/journeys/message_names
-- needs: functions/security/tenants

-- Messages of the tenant, sent and skipped, and what became of them.
create or replace view pawl.messages with (security_invoker) as
select m.id, m.created_at, m.person, m.channel, pawl.message_state_name(m.state) as state, m.reason, m.error,
       w.name as workflow, m.version, m.run_id, m.node, m.variant, m.category, m.template, m.template_version,
       m.connector, m.account, m.address, m.external_id, m.sent_at, m.delivered_at, m.opened_at, m.machine_opened_at,
       m.clicked_at, m.bounced_at, m.complained_at, m.failed_at, m.unsubscribed_at, m.replied_at
  from pawl.message m
  join pawl.workflow w on w.id = m.workflow
 where m.tenant = (select pawl.current_tenant())
   and m.bucket + 0 = (select t.bucket from pawl.tenant t where t.id = pawl.current_tenant());
