-- name: read_persons
-- With the values of redacted columns: for steps alone.
select p.place, p.person from pawl.read_persons($1, $2) as p

-- name: read_shown_persons
select p.place, pawl.hide_redacted(p.person) as person from pawl.read_persons($1, $2) as p

-- name: find_action
select a.statement, to_jsonb(a.params) as params, a.tenant, a.organization::text as organization, a.schema
  from pawl.find_action($1, $2) as a

-- name: list_actions
select a.name, to_jsonb(a.params) as params, a.schema, a.own from pawl.list_actions($1) as a
