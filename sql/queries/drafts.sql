-- name: put_layout
insert into pawl.workflow_layout as l (tenant, name, layout)
values ($1, $2, $3)
    on conflict (tenant, name) do update set layout = excluded.layout, updated_at = now()
returning l.updated_at

-- name: find_layout
select l.layout from pawl.workflow_layout l where l.tenant = $1 and l.name = $2

-- name: put_workflow_draft
-- $5: the etag of the draft that the writer saw; null: there was none. No row: there is another one now.
insert into pawl.workflow_draft as d (tenant, name, text, etag, updated_by)
select $1, $2, $3, md5($3), $4
 where $5::text is null or exists (select 1 from pawl.workflow_draft o where o.tenant = $1 and o.name = $2)
    on conflict (tenant, name) do update
   set text = excluded.text, etag = excluded.etag, updated_at = now(), updated_by = excluded.updated_by
 where d.etag = $5
returning d.name, d.text, d.etag, d.updated_at, d.updated_by,
       pawl.name_of_key(d.tenant, d.updated_by) as updated_by_name

-- name: find_workflow_draft
select d.name, d.text, d.etag, d.updated_at, d.updated_by,
       pawl.name_of_key(d.tenant, d.updated_by) as updated_by_name
  from pawl.workflow_draft d
 where d.tenant = $1 and d.name = $2

-- name: list_workflow_drafts
select d.name, '' as text, d.etag, d.updated_at, d.updated_by,
       pawl.name_of_key(d.tenant, d.updated_by) as updated_by_name
  from pawl.workflow_draft d
 where d.tenant = $1 and d.name > $2
 order by d.name
 limit $3::int

-- name: delete_workflow_draft
-- $3: only the one that the caller saw; null: whichever.
delete from pawl.workflow_draft d
 where d.tenant = $1 and d.name = $2 and ($3::text is null or d.etag = $3)
returning d.name

-- name: put_workflow_tests
-- As put_workflow_draft.
insert into pawl.workflow_tests as d (tenant, name, text, etag, updated_by)
select $1, $2, $3, md5($3), $4
 where $5::text is null or exists (select 1 from pawl.workflow_tests o where o.tenant = $1 and o.name = $2)
    on conflict (tenant, name) do update
   set text = excluded.text, etag = excluded.etag, updated_at = now(), updated_by = excluded.updated_by
 where d.etag = $5
returning d.name, d.text, d.etag, d.updated_at, d.updated_by,
       pawl.name_of_key(d.tenant, d.updated_by) as updated_by_name

-- name: find_workflow_tests
select d.name, d.text, d.etag, d.updated_at, d.updated_by,
       pawl.name_of_key(d.tenant, d.updated_by) as updated_by_name
  from pawl.workflow_tests d
 where d.tenant = $1 and d.name = $2

-- name: delete_workflow_tests
-- As delete_workflow_draft.
delete from pawl.workflow_tests d
 where d.tenant = $1 and d.name = $2 and ($3::text is null or d.etag = $3)
returning d.name
