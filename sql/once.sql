-- What calls functions or is made of them: run after all of them when this text changes, like a function. Each
-- statement may run again.

-- A row that a tenant's role writes is that tenant's.
alter table pawl.definition alter column tenant set default pawl.current_tenant();

-- Tasks are found by any spelling of a name.
create index if not exists human_task_person on pawl.human_task (tenant, pawl.person_key(assignee), id) where state = 0;

select pawl.ensure_partitions();

-- The queues of the first documents, where the schema pgmq exists.
select pawl.ensure_queue(q.name)
  from unnest(array['workflow_queue', 'workflow_dlq', 'workflow_execution_queue']) as q (name);

-- What the definitions want of watched tables, for those that are older than pawl.watch_wish.
select pawl.keep_wishes(d) from pawl.definition d where d.active;
select pawl.keep_wait_wishes(w.tenant, w.id, v.definition)
  from pawl.workflow_version v
  join pawl.workflow w on w.id = v.workflow;
select pawl.keep_goal(w.tenant, w.id, v.version, v.definition)
  from pawl.workflow_version v
  join pawl.workflow w on w.id = v.workflow;

-- Logins of an earlier release.
select pawl.grant_sql_role(l.role_name) from pawl.sql_login l;
