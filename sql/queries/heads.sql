-- name: find_heads
-- Which version each of these workflows starts now, and which others are active.
select d.name, d.workflow, d.version, d.active, d.canary, d.off_reason, d.xmin::text::bigint as stamp
  from pawl.definition d
 where d.tenant = $1 and d.name = any ($2)

-- name: assert_heads
select pawl.assert_heads($1, $2)
