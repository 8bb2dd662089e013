-- name: list_tasks
-- As many as fit, as in list_inbox.
select case when t.fits then (t.task).id else t.last end as id, (t.task).run_id, (t.task).token, t.workflow,
       (t.task).node, (t.task).subject, case when t.fits then (t.task).title end as title,
       case when t.fits then (t.task).description end as description,
       case when t.fits then (t.task).data end as data, case when t.fits then (t.task).form end as form,
       (t.task).assignee, (t.task).grp,
       to_jsonb((t.task).approvers) as approvers, (t.task).approvals_needed,
       to_jsonb((t.task).approved_by) as approved_by, (t.task).due_at,
       pawl.task_state_name((t.task).state) as state, (t.task).claimed_by, (t.task).opened_at, (t.task).decided_at,
       (t.task).decided_by, (t.task).reason, (t.task).rejections_needed, to_jsonb((t.task).rejected_by) as rejected_by,
       to_jsonb((t.task).excluded) as excluded, (t.task).escalated_to,
       pawl.key_names((t.task).tenant, pawl.who_acted(t.task)) as key_names
  from (
      select m.*, m.stored < 2097152 and coalesce(sum(case when m.stored < 2097152 then octet_length(m.task::text) end)
                 over (order by m.n rows between unbounded preceding and 1 preceding), 0) < 4194304 as fits
        from (
            select l.*, lag((l.task).id) over (order by l.n) as last, coalesce(sum(pg_column_size(l.task))
                       over (order by l.n rows between unbounded preceding and 1 preceding), 0) as stored
              from pawl.list_tasks($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) with ordinality as l (task, workflow, n)
        ) as m
  ) as t
 order by t.n

-- name: find_task
select t.id, t.run_id, t.token, w.name as workflow, t.node, t.subject, t.title, t.description, t.data, t.form,
       t.assignee, t.grp, to_jsonb(t.approvers) as approvers, t.approvals_needed,
       to_jsonb(t.approved_by) as approved_by, t.due_at, pawl.task_state_name(t.state) as state, t.claimed_by,
       t.opened_at, t.decided_at, t.decided_by, t.reason, t.rejections_needed, to_jsonb(t.rejected_by) as rejected_by,
       to_jsonb(t.excluded) as excluded, t.escalated_to, pawl.key_names(t.tenant, pawl.who_acted(t)) as key_names
  from pawl.human_task t
  join pawl.workflow w on w.id = t.workflow
 where t.bucket = $1 and t.tenant = $2 and t.id = $3

-- name: task_decisions
select d.at, d.action, d.by, d.reason, d.data, pawl.name_of_key($3, d.by) as by_name
  from pawl.task_decision d
 where d.bucket = $1 and d.task = $2
 order by d.id
 limit 1000

-- name: act_on_task
select pawl.act_on_task($1, $2, $3, $4, $5, $6, $7, $8, $9)
