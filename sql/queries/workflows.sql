-- name: apply_workflow
select id, version, changed from pawl.apply_workflow($1, $2)

-- name: find_workflow
select w.id, w.tenant, t.bucket, v.version, w.name, v.created_at, v.definition
  from pawl.workflow w
  join pawl.tenant t on t.id = w.tenant
  join pawl.workflow_version v on v.workflow = w.id and v.version = w.active_version
 where w.tenant = 1 and w.name = $1

-- name: find_version
select w.id, w.tenant, t.bucket, v.version, w.name, v.created_at, v.definition
  from pawl.workflow w
  join pawl.tenant t on t.id = w.tenant
  join pawl.workflow_version v on v.workflow = w.id
 where w.id = $1 and v.version = $2

-- name: list_workflows
select w.id, w.tenant, t.bucket, v.version, w.name, v.created_at, v.definition
  from pawl.workflow w
  join pawl.tenant t on t.id = w.tenant
  join pawl.workflow_version v on v.workflow = w.id and v.version = w.active_version
 where w.tenant = 1
 order by w.name
 limit 1000
