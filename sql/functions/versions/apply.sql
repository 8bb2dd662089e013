-- Makes p_definition the head of a workflow and activates it. The same definition twice is one version. A definition
-- that is there already under its label, or as a draft, is that version. A definition that has another name is not
-- taken for this one.
create or replace function pawl.apply_workflow(p_name text, p_definition jsonb, p_tenant int default 1)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_head pawl.definition;
    v_definition jsonb;
    v_known int;
begin
    if p_definition ->> 'name' <> p_name then
        raise exception 'the definition calls itself %, not %', quote_literal(p_definition ->> 'name'),
            quote_literal(p_name)
            using errcode = 'invalid_parameter_value',
                  hint = 'Give both the same name, or leave it out of the definition.';
    end if;
    perform pawl.hold_definitions(p_tenant);
    select v.version into v_known
      from pawl.workflow w
      join pawl.workflow_version v on v.workflow = w.id
     where w.tenant = p_tenant and w.name = p_name and v.definition = p_definition and v.retired_at is null
       and (v.draft or v.label is not null)
     order by v.version desc
     limit 1;
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_name;
    if not found and v_known is null then
        changed := true;
        insert into pawl.definition as d (tenant, name, source) values (p_tenant, p_name, p_definition)
        returning d.workflow, d.version into id, version;
        return next;
        return;
    end if;
    select v.definition into v_definition
      from pawl.workflow_version v where v.workflow = v_head.workflow and v.version = v_head.version;
    id := v_head.workflow;
    version := v_head.version;
    changed := v_definition is distinct from p_definition;
    if changed and v_known is not null then
        return query select a.id, a.version, a.changed from pawl.activate_workflow(p_tenant, p_name, v_known) a;
        return;
    elsif changed then
        update pawl.definition d set source = p_definition, active = true
         where d.workflow = v_head.workflow returning d.version into version;
    elsif not v_head.active then
        update pawl.definition d set restore = d.version, active = true where d.workflow = v_head.workflow;
    end if;
    return next;
end
$$;

-- Keeps a definition as a version that nothing starts until it is activated. The same content as that of the newest
-- version, or under the same label, is that version.
create or replace function pawl.save_draft(p_tenant int, p_name text, p_definition jsonb)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_newest jsonb;
begin
    perform pawl.hold_definitions(p_tenant);
    id := pawl.workflow_id(p_tenant, p_name);
    select v.version, v.definition into version, v_newest
      from pawl.workflow_version v where v.workflow = save_draft.id order by v.version desc limit 1;
    changed := v_newest is distinct from p_definition;
    if changed and pawl.label_of(p_definition) is not null then
        select v.version, false into version, changed
          from pawl.workflow_version v
         where v.workflow = save_draft.id and v.label = pawl.label_of(p_definition) and v.definition = p_definition
         union all
        select save_draft.version, true
         limit 1;
    end if;
    if changed then
        version := coalesce(version, 0) + 1;
        perform pawl.refuse_label(save_draft.id, pawl.label_of(p_definition), save_draft.version);
        insert into pawl.workflow_version (workflow, version, definition, label, draft)
        values (save_draft.id, save_draft.version, p_definition, pawl.label_of(p_definition), true);
        perform pawl.note_version(p_tenant, save_draft.id, 'drafted', save_draft.version);
    end if;
    return next;
end
$$;

-- Publishes a sample; no row when the workflow was written by SQL. A workflow that exists as a sample only says so in
-- created_by, until another caller changes it.
create or replace function pawl.publish_sample(p_tenant int, p_name text, p_definition jsonb)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_head pawl.definition;
begin
    perform pawl.hold_definitions(p_tenant);
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_name;
    if found and v_head.applied is null then
        return;
    end if;
    perform set_config('pawl.sample', 'on', true);
    return query select a.id, a.version, a.changed from pawl.apply_workflow(p_name, p_definition, p_tenant) a;
    if v_head.workflow is null then
        update pawl.definition d
           set restore = d.version, created_by = 'pawl dev'
         where d.tenant = p_tenant and d.name = p_name;
    end if;
    perform set_config('pawl.sample', '', true);
end
$$;
