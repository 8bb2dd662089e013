-- needs: functions/security/tenants

-- What happened in workflows of the tenant, by hour. `variant` is empty where all variants are counted together;
-- do not add those that have one to them.
create or replace view pawl.funnel with (security_invoker) as
select w.name as workflow, c.version, c.at as hour, c.node, c.what, c.detail, c.channel, c.variant, c.count
  from pawl.funnel_count c
  join pawl.workflow w on w.id = c.workflow
 where c.tenant = (select pawl.current_tenant()) and c.span = 'h' and c.count <> 0;

-- Where the people are who are in workflows of the tenant and wait.
create or replace view pawl.people_inside with (security_invoker) as
select w.name as workflow, r.version, r.node, r.state, r.since, r.subject as person, r.run_id
  from pawl.run_place r
  join pawl.workflow w on w.id = r.workflow
 where r.tenant = (select pawl.current_tenant());
