-- name: list_limits
select gate, scope, workflow, name, key, "limit", defined, set, running, waiting
  from pawl.list_limits($1, $2, $3, $4)

-- name: set_limit
select pawl.set_limit($1, $2, $3, $4, $5)

-- name: gate_of_run
-- The gate that a queued run waits at. One that workflows of all tenants share tells no numbers to a tenant.
select w.gate, case when p.tenant = 0 then 'global' when p.workflow = 0 then 'tenant' else 'workflow' end,
       coalesce(f.name, ''), p.name, coalesce(p.key, ''), coalesce(g."limit", 0), coalesce(g.held, 0),
       (select count(*)::int from (select 1 from pawl.flow_wait q where q.gate = w.gate limit 10000) as q)
  from pawl.flow_wait w
 cross join lateral (
     select split_part(w.gate, '/', 1)::int, split_part(w.gate, '/', 2)::int, split_part(w.gate, '/', 3),
            substring(w.gate from '^[^/]*/[^/]*/[^/]*/(.*)$')
 ) as p (tenant, workflow, name, key)
  left join pawl.flow_gate g on g.bucket = w.bucket and g.gate = w.gate
  left join pawl.workflow f on f.id = p.workflow
 where w.bucket = $1 and w.run_id = $2
 limit 1
