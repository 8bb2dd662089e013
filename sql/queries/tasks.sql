-- name: list_tasks
select (t.task).id, (t.task).run_id, (t.task).token, t.workflow, (t.task).node, (t.task).subject, (t.task).title,
       (t.task).description, (t.task).data, (t.task).form, (t.task).assignee, (t.task).grp,
       to_jsonb((t.task).approvers) as approvers, (t.task).approvals_needed,
       to_jsonb((t.task).approved_by) as approved_by, (t.task).due_at,
       pawl.task_state_name((t.task).state) as state, (t.task).claimed_by, (t.task).opened_at, (t.task).decided_at,
       (t.task).decided_by, (t.task).reason
  from pawl.list_tasks($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) t

-- name: find_task
select t.id, t.run_id, t.token, w.name as workflow, t.node, t.subject, t.title, t.description, t.data, t.form,
       t.assignee, t.grp, to_jsonb(t.approvers) as approvers, t.approvals_needed,
       to_jsonb(t.approved_by) as approved_by, t.due_at, pawl.task_state_name(t.state) as state, t.claimed_by,
       t.opened_at, t.decided_at, t.decided_by, t.reason
  from pawl.human_task t
  join pawl.workflow w on w.id = t.workflow
 where t.bucket = $1 and t.tenant = $2 and t.id = $3

-- name: task_decisions
select d.at, d.action, d.by, d.reason, d.data
  from pawl.task_decision d
 where d.bucket = $1 and d.task = $2
 order by d.id
 limit 1000

-- name: act_on_task
select pawl.act_on_task($1, $2, $3, $4, $5, $6, $7, $8, $9)
