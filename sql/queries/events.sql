-- name: send_signals
select send_signals from pawl.send_signals($1, $2, $3, $4)

-- name: publish_events
select tenant, event_id from pawl.publish_events($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: match_inbox
select delivered, more from pawl.match_inbox($1, $2)

-- name: list_inbox
-- As many as fit: each must begin within 2 MiB as they are stored, and within 4 MiB as text. Compressed ones look
-- small, and to write all as text only to measure them takes long. One that does not fit is told as the end of a search
-- is.
select case when p.fits then p.id else p.last end as id, p.event_id, case when p.fits then p.name end as name, p.key,
       p.subject, p.source, p."time", case when p.fits then p.data end as data, p.at, p.pending, p.problem
  from (
      select m.*, m.stored < 2097152 and coalesce(sum(case when m.stored < 2097152 then octet_length(m.data::text) end)
                 over (order by m.n rows between unbounded preceding and 1 preceding), 0) < 4194304 as fits
        from (
            select l.*, lag(l.id) over (order by l.n) as last, coalesce(sum(pg_column_size(l.data))
                       over (order by l.n rows between unbounded preceding and 1 preceding), 0) as stored
              from pawl.list_inbox($1, $2, $3, $4, $5, $6, $7) with ordinality
                   as l (id, event_id, name, key, subject, source, "time", data, at, pending, problem, n)
        ) as m
  ) as p
 order by p.n

-- name: purge_inbox
select pawl.purge_inbox($1, $2, $3)

-- name: claim_triggers
select t.id, t.tenant, t.event_id, t.name, t.key, t.subject, t.source, t."time", t.data, t.at, t.workflow, t.version,
       (select d.canary from pawl.definition d where d.workflow = t.workflow), t.told
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

-- name: dispatch_change
select pawl.amp_dispatch_call($1, $2, $3, $4, $5, $6, $7, $8, $9) as dispatched

-- name: is_merchant
select exists (
    select 1 from pawl.tenant t where t.id = $1 and $2::text in (t.name, t.organization::text)
) as yes
