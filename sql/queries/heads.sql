-- name: find_heads
-- Which version each of these workflows starts now.
select d.name, d.workflow, d.version, d.active
  from pawl.definition d
 where d.tenant = $1 and d.name = any ($2)
