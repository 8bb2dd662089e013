-- needs: packs/amp/views/log

-- How workflows do. The engine's runs are counted where they are, by their indexes; the lines that callers added come
-- on top. A column that is not asked for costs nothing.
create or replace view pawl.v_amp_workflow_performance with (security_barrier) as
select w.id as workflow_id, w.name as workflow_name, w.merchant_id,
       (select count(*) from pawl.live_run l where l.tenant = w.tenant and l.workflow = w.workflow)
       + (select count(*) from pawl.run r where r.tenant = w.tenant and r.workflow = w.workflow)
       + (select count(*) from pawl.amp_event e where e.workflow_id = w.id and e.event_type = 'execution_started')
           as total_triggers,
       (select count(*)
          from (select l.subject from pawl.live_run l
                 where l.tenant = w.tenant and l.workflow = w.workflow and length(l.subject) = 36
                 union
                select r.subject from pawl.run r
                 where r.tenant = w.tenant and r.workflow = w.workflow and length(r.subject) = 36
                 union
                select e.user_id::text from pawl.amp_event e
                 where e.workflow_id = w.id and e.event_type = 'execution_started') as s) as unique_users,
       (select count(*) from pawl.run r where r.tenant = w.tenant and r.workflow = w.workflow and r.status = 1)
       + (select count(*) from pawl.amp_event e where e.workflow_id = w.id and e.event_type = 'execution_completed')
           as completed,
       (select count(*) from pawl.run r where r.tenant = w.tenant and r.workflow = w.workflow and r.status = 2)
       + (select count(*) from pawl.amp_event e where e.workflow_id = w.id and e.event_type = 'execution_failed')
           as failed,
       (select count(*) from pawl.run r where r.tenant = w.tenant and r.workflow = w.workflow and r.status = 3)
       + (select count(*) from pawl.amp_event e where e.workflow_id = w.id and e.event_type = 'execution_exited')
           as exited,
       (select count(*) from pawl.live_run l
         where l.tenant = w.tenant and l.workflow = w.workflow
           and not exists (select 1 from pawl.amp_event x
                            where x.inngest_run_id = l.run_id::text
                              and x.event_type in ('execution_completed', 'execution_failed', 'execution_exited')))
       + (select count(distinct e.inngest_run_id) from pawl.amp_event e
           where e.workflow_id = w.id and e.event_type = 'execution_started'
             and not exists (select 1 from pawl.amp_event x
                              where x.inngest_run_id = e.inngest_run_id
                                and x.event_type in ('execution_completed', 'execution_failed', 'execution_exited')))
           as in_flight
  from pawl.amp_visible_workflow w;

-- Messages by workflow and channel: how many nodes were executed, and what became of what they sent.
create or replace view pawl.v_amp_workflow_action_funnel with (security_barrier) as
select l.workflow_id, l.merchant_id, l.action_type,
       count(*) filter (where l.status = 'executed') as executed, count(*) filter (where l.status = 'sent') as sent,
       count(*) filter (where l.status = 'delivered') as delivered,
       count(*) filter (where l.status = 'opened') as opened, count(*) filter (where l.status = 'failed') as failed
  from pawl.amp_workflow_log l
 where l.node_type = 'message'
 group by l.workflow_id, l.merchant_id, l.action_type;
