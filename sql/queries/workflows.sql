-- name: apply_workflow
select id, version, changed from pawl.apply_workflow($2, $3, $1)

-- name: publish_sample
select id, version, changed from pawl.publish_sample($1, $2, $3)

-- name: activate_workflow
select id, version, changed from pawl.activate_workflow($1, $2, $3)

-- name: deactivate_workflow
select pawl.deactivate_workflow($1, $2)

-- name: delete_workflow
select version, schedules, events from pawl.delete_workflow($1, $2)

-- name: find_workflow
select d.workflow as id, d.tenant, t.bucket, v.version, d.name, v.created_at, v.definition, d.active, v.label, v.draft,
       v.retired_at, d.canary, d.off_reason, w.owner, c.by as changed_by, c.at as changed_at
  from pawl.definition d
  join pawl.workflow w on w.id = d.workflow
  join pawl.tenant t on t.id = d.tenant
  join pawl.workflow_version v on v.workflow = d.workflow and v.version = d.version
  left join lateral (
      select l.by, l.at from pawl.version_change l where l.workflow = d.workflow order by l.id desc limit 1
  ) as c on true
 where d.tenant = $1 and d.name = $2

-- name: find_version
select w.id, w.tenant, t.bucket, v.version, w.name, v.created_at, v.definition,
       coalesce(d.active and (
           d.version = v.version or d.canary @> jsonb_build_array(jsonb_build_object('version', v.version))
       ), false) as active,
       v.label, v.draft, v.retired_at, d.canary, d.off_reason, w.owner, null::text as changed_by,
       null::timestamptz as changed_at
  from pawl.workflow w
  join pawl.tenant t on t.id = w.tenant
  join pawl.workflow_version v on v.workflow = w.id
  left join pawl.definition d on d.workflow = w.id
 where w.id = $1 and v.version = $2

-- name: find_version_by_name
select w.id, w.tenant, t.bucket, v.version, w.name, v.created_at, v.definition,
       coalesce(d.active and (
           d.version = v.version or d.canary @> jsonb_build_array(jsonb_build_object('version', v.version))
       ), false) as active,
       v.label, v.draft, v.retired_at, d.canary, d.off_reason, w.owner, null::text as changed_by,
       null::timestamptz as changed_at
  from pawl.workflow w
  join pawl.tenant t on t.id = w.tenant
  join pawl.workflow_version v on v.workflow = w.id
  left join pawl.definition d on d.workflow = w.id
 where w.tenant = $1 and w.name = $2 and v.version = $3

-- name: list_workflows
select d.workflow as id, d.tenant, t.bucket, v.version, d.name, v.created_at, v.definition, d.active, v.label, v.draft,
       v.retired_at, d.canary, d.off_reason, w.owner, c.by as changed_by, c.at as changed_at
  from pawl.definition d
  join pawl.workflow w on w.id = d.workflow
  join pawl.tenant t on t.id = d.tenant
  join pawl.workflow_version v on v.workflow = d.workflow and v.version = d.version
  left join lateral (
      select l.by, l.at from pawl.version_change l where l.workflow = d.workflow order by l.id desc limit 1
  ) as c on true
 where d.tenant = $1 and (d.active or $2) and d.name > $3
 order by d.name
 limit $4

-- name: list_versions
select w.id, w.tenant, t.bucket, v.version, w.name, v.created_at, v.definition,
       coalesce(d.active and (
           d.version = v.version or d.canary @> jsonb_build_array(jsonb_build_object('version', v.version))
       ), false) as active,
       v.label, v.draft, v.retired_at, d.canary, d.off_reason, w.owner, null::text as changed_by,
       null::timestamptz as changed_at
  from pawl.workflow w
  join pawl.tenant t on t.id = w.tenant
  join pawl.workflow_version v on v.workflow = w.id
  left join pawl.definition d on d.workflow = w.id
 where w.tenant = $1 and w.name = $2
 order by v.version desc
 limit 1000

-- name: save_draft
select id, version, changed from pawl.save_draft($1, $2, $3)

-- name: missing_parts
select node, key, problem, remedy from pawl.missing_parts($1, $2)

-- name: version_number
select pawl.version_number($1, $2, $3)

-- name: version_before
select pawl.version_before($1, $2)

-- name: set_canary
select pawl.set_canary($1, $2, $3)

-- name: switch_workflow
select pawl.switch_workflow($1, $2, $3)

-- name: set_workflow_owner
-- Who answers for it; null: no one. No row: there is no such workflow.
update pawl.workflow w
   set owner = $3
  from pawl.definition d
 where d.tenant = $1 and d.name = $2 and w.id = d.workflow and w.tenant = $1
returning w.id

-- name: retire_version
select pawl.retire_version($1, $2, $3, $4, $5)

-- name: count_open_versions
select version, open_runs from pawl.count_open_versions($1, $2)

-- name: list_version_changes
select c.at, c.action, c.version, c.by, c.detail
  from pawl.workflow w
  join pawl.version_change c on c.workflow = w.id
 where w.tenant = $1 and w.name = $2
 order by c.id desc
 limit $3
