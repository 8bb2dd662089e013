-- kind: what the messages start; 'trigger': the definitions that have a trigger for the queue decide.
create or replace view pawl.consumed_queue as
with triggered as (
    select distinct t.tenant, substr(t.event, 7) as name from pawl.event_trigger t where t.event like 'queue:%'
)
select t.name, t.tenant, 'trigger' as kind, null::text as workflow, coalesce(q.reads_max, 5) as reads_max,
       coalesce(q.dead_letter_queue, 'workflow_dlq') as dead_letter_queue, coalesce(q.archive, false) as archive,
       false as organizations
  from triggered t
  left join pawl.queue q on q.name = t.name
 where coalesce(q.tenant, 1) = t.tenant and coalesce(q.active, true)
 union all
select q.name, q.tenant, case when q.workflow is null then 'message' else 'workflow' end, q.workflow, q.reads_max,
       q.dead_letter_queue, q.archive, q.organizations
  from pawl.queue q
 where q.active and not exists (select 1 from triggered t where t.tenant = q.tenant and t.name = q.name);
