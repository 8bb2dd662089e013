-- name: read_persons
select p.place, p.person from pawl.read_persons($1, $2) as p

-- name: find_action
select a.statement, to_jsonb(a.params) as params, a.tenant, a.organization::text as organization
  from pawl.find_action($1, $2) as a
