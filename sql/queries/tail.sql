-- name: summarize_log
select pawl.summarize_log()

-- name: tail_events
select run_id, workflow, seq, type, node, attempt, at from pawl.tail_events($1, $2, $3, $4)

-- name: events_after
select run_id, seq, type, attempt, node, data, error, at, token from pawl.events_after($1, $2, $3, $4)
