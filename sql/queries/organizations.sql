-- name: organization_of
select t.organization from pawl.tenant t where t.id = $1

-- name: enter_organization
select pawl.enter_organization($1, $2::bigint * interval '1 millisecond')

-- name: leave_organization
select pawl.leave_organization($1, $2)

-- name: runs_to_do
select pawl.runs_to_do($1, $2, $3)

-- name: runs_done
select run_id, status, error, last_seq from pawl.runs_done($1, $2)

-- name: has_workers
-- Whether a worker is alive that could execute steps. Foreign workers, which are rows of SQL alone, never do.
select exists (
    select 1 from pawl.worker w where w.version <> 'foreign' and w.beat_at > now() - interval '20 s'
)

-- name: organization_messages
select state, execution_id, problem from pawl.organization_messages($1, $2)
