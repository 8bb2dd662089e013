-- name: send_signals
select send_signals from pawl.send_signals($1, $2, $3, $4)

-- name: publish_events
select tenant, event_id from pawl.publish_events($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: match_inbox
select delivered, more from pawl.match_inbox($1, $2)

-- name: list_inbox
select id, event_id, name, key, subject, source, "time", data, at, pending, problem
  from pawl.list_inbox($1, $2, $3, $4, $5, $6, $7)

-- name: purge_inbox
select pawl.purge_inbox($1, $2, $3)

-- name: claim_triggers
select t.id, t.tenant, t.event_id, t.name, t.key, t.subject, t.source, t."time", t.data, t.at, t.workflow, t.version,
       (select d.canary from pawl.definition d where d.workflow = t.workflow)
  from pawl.claim_triggers($1, $2, $3) t

-- name: finish_triggers
select pawl.finish_triggers($1, $2, $3)

-- name: hold_triggers
select pawl.hold_triggers($1, $2, $3)

-- name: release_triggers
select tenant, first from pawl.release_triggers($1, $2)

-- name: start_guarded_runs
select requested, existing
  from pawl.start_guarded_runs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)

-- name: put_off_runs
-- In the transaction of commit_runs.
select pawl.put_off_runs($1, $2, $3)

-- name: end_children
-- In the transaction of commit_runs. Asked twice, a run goes on ending.
select pawl.end_children($1, $2, $3)

-- name: repin_runs
-- In the transaction of commit_runs.
select pawl.repin_runs($1, $2, $3)

-- name: project_runs
-- In the transaction of commit_runs, right after it.
select pawl.project_runs(
    $1, $2, $3, $4, $5, $6, $7, $8, pawl.since_start($1, $4, $9), $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
    $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33
)
