-- name: read_persons
select p.place, p.person from pawl.read_persons($1, $2) as p
