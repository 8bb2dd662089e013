-- needs: functions/security/key_names

-- Adds a line to the history of a workflow's versions. Who did it: the author that store::call_as names (pawl.acting),
-- an API key by its name; otherwise it was SQL.
create or replace function pawl.note_version(
    p_tenant int, p_workflow int, p_action text, p_version int, p_detail jsonb default null
) returns void
language sql set search_path = pg_catalog
begin atomic
    insert into pawl.version_change (tenant, workflow, action, version, detail, by)
    select p_tenant, p_workflow, p_action, p_version, p_detail,
           left(coalesce(pawl.name_of_key(p_tenant, a.who), a.who), 500)
      from (select coalesce(nullif(current_setting('pawl.acting', true), ''), 'sql') as who) as a;
end;

-- Trigger on pawl.workflow_version: what a version says never changes; only draft and retired_at do.
create or replace function pawl.keep_version() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if (new.workflow, new.version, new.definition, new.label, new.created_at)
       is distinct from (old.workflow, old.version, old.definition, old.label, old.created_at) then
        raise exception 'version % of workflow number % never changes', old.version, old.workflow
            using errcode = 'object_not_in_prerequisite_state', hint = 'Apply the changed definition as a new version.';
    end if;
    return new;
end
$$;

create or replace trigger workflow_version_keep before update on pawl.workflow_version
for each row execute function pawl.keep_version();

-- Which number a version has that is written as a number or as a label. Null: there is no such one.
create or replace function pawl.version_number(p_tenant int, p_name text, p_version text) returns int
language sql stable set search_path = pg_catalog
begin atomic
    select v.version
      from pawl.workflow w
      join pawl.workflow_version v on v.workflow = w.id
     where w.tenant = p_tenant and w.name = p_name and (v.version::text = p_version or v.label = p_version);
end;

-- Which version was the head before this one: null when there was none that could be it again.
create or replace function pawl.version_before(p_tenant int, p_name text) returns int
language sql stable set search_path = pg_catalog
begin atomic
    select c.version
      from pawl.definition d
      join pawl.version_change c on c.workflow = d.workflow
      join pawl.workflow_version v on v.workflow = c.workflow and v.version = c.version
     where d.tenant = p_tenant and d.name = p_name and c.action in ('applied', 'activated')
       and c.version <> d.version and v.retired_at is null
       and c.id < (select max(h.id)
                     from pawl.version_change h
                    where h.workflow = d.workflow and h.version = d.version and h.action in ('applied', 'activated'))
     order by c.id desc
     limit 1;
end;

-- Open runs of a workflow by version.
create or replace function pawl.count_open_versions(p_tenant int, p_name text)
returns table (version int, open_runs bigint)
language sql stable set search_path = pg_catalog
begin atomic
    select l.version, count(*)
      from pawl.tenant t
      join pawl.workflow w on w.tenant = t.id
      join pawl.live_run l on l.bucket = t.bucket and l.tenant = t.id and l.workflow = w.id
     where t.id = p_tenant and w.name = p_name
     group by l.version;
end;
