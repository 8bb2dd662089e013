-- name: list_limits
select gate, scope, workflow, name, key, "limit", defined, set, running, waiting
  from pawl.list_limits($1, $2, $3, $4)

-- name: set_limit
select pawl.set_limit($1, $2, $3, $4, $5)
