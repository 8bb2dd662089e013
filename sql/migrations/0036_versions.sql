-- Versions of a workflow: semantic versions as labels, drafts, several active at once with shares of the starts, a
-- switch for each workflow, versions that are retired, and runs that go from one version to another.
-- breaking: no

set local lock_timeout = '5s';

create or replace function pawl.event_type_name(p_type smallint) returns text
language sql immutable parallel safe
return (array['run_started', 'step_completed', 'step_failed', 'wait_started', 'run_completed', 'run_failed',
              'run_cancelled', 'node_passed', 'routed', 'joined', 'signal_received', 'wait_noted', 'run_paused',
              'run_resumed', 'compensation_started', 'items_listed', 'step_skipped', 'planned', 'run_repinned',
              'run_held'])[p_type + 1];

-- label: the semantic version that the definition gives itself. draft: saved, but nothing may start it. retired_at:
-- since when nothing may start it any more; runs that have it go on.
alter table pawl.workflow_version
    add column label text,
    add column draft boolean not null default false,
    add column retired_at timestamptz,
    add constraint workflow_version_label_unique unique (workflow, label);

-- canary: versions that are active beside the head, as [{"version": 3, "share": 5.5}], the share in percent of the
-- starts; null: none, and then a start costs nothing for it. off_reason: the workflow is switched off, whoever applies
-- or activates what.
alter table pawl.definition
    add column canary jsonb,
    add column off_reason text;

-- repin: somebody asks the run to become one of another version.
alter table pawl.signal drop constraint signal_kind_check;
alter table pawl.signal add constraint signal_kind_check check (
    kind in ('cancel', 'pause', 'resume', 'skip', 'event', 'signal', 'task', 'child', 'callback', 'lock', 'gather',
             'repin')
);

-- counts: what a job found out, by name.
alter table pawl.job add column counts jsonb not null default '{}';

-- What was done to the versions of a workflow; only added.
create table pawl.version_change (
    id bigint generated always as identity,
    tenant int not null,
    workflow int not null,
    at timestamptz not null default now(),
    action text not null,
    version int not null,
    detail jsonb,
    constraint version_change_pk primary key (workflow, id),
    constraint version_change_workflow_fk foreign key (workflow) references pawl.workflow (id)
);

-- A version never changes -------------------------------------------------------------------------------------------

create function pawl.keep_version() returns trigger
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

create trigger workflow_version_keep before update on pawl.workflow_version
for each row execute function pawl.keep_version();

create function pawl.label_of(p_definition jsonb) returns text
language sql immutable parallel safe
return case when jsonb_typeof(p_definition -> 'version') = 'string' and p_definition ->> 'version' ~ '^[0-9]+\.[0-9]+\.'
            then p_definition ->> 'version' end;

-- Says that a label is taken by another definition, if it is.
create function pawl.refuse_label(p_workflow int, p_label text, p_version int) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_taken int;
begin
    select v.version into v_taken
      from pawl.workflow_version v
     where v.workflow = p_workflow and v.label = p_label and v.version <> p_version;
    if found then
        perform pawl.refuse_definition(
            format('version: %s is taken by another definition of this workflow (number %s)', p_label, v_taken),
            'A version never changes: raise the version of the changed definition.'
        );
    end if;
end
$$;

-- The head ----------------------------------------------------------------------------------------------------------

-- As before; also: a label goes with its definition, what is switched off stays off, and the head has no share of its
-- own.
create or replace function pawl.prepare_definition() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    v_content pawl.definition;
    v_highest int;
begin
    if tg_op = 'UPDATE' and new.document_name is distinct from old.document_name then
        new.name := new.document_name;
    end if;
    new.name := coalesce(new.name, new.document_name);
    if new.name is null or new.name !~ '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$' then
        perform pawl.refuse_definition(
            case when coalesce(new.name, '') = '' then 'name: is missing: a workflow needs a name'
                 else format('name: ''%s'' is not a workflow name', left(new.name, 60)) end,
            'A name starts with a letter or _ and holds only letters, digits, _, - and . (100 at most).'
        );
    end if;
    new.document_name := case when new.tenant = 1 then new.name end;
    if tg_op = 'INSERT' then
        new.workflow := pawl.workflow_id(new.tenant, new.name);
    end if;
    select coalesce(max(v.version), 0) into v_highest from pawl.workflow_version v where v.workflow = new.workflow;
    if new.restore is not null then
        select v.definition into new.source
          from pawl.workflow_version v where v.workflow = new.workflow and v.version = new.restore;
    end if;
    if new.source is not null then
        v_content := pawl.definition_head(new.source);
        new.description := v_content.description;
        new.steps := v_content.steps;
        new.required_fields := v_content.required_fields;
        new.timeout_seconds := v_content.timeout_seconds;
        new.visibility_timeout := v_content.visibility_timeout;
        new.max_retries := v_content.max_retries;
        new.settings := v_content.settings;
    elsif tg_op = 'UPDATE' then
        new := pawl.keep_graph(old, new);
        -- The label is that of the definition as it was.
        new.settings := new.settings - 'version';
    end if;
    if new.restore is not null then
        new.version := new.restore;
    else
        -- A row brought along from elsewhere may keep a higher number; an update is always one more.
        new.version := greatest(v_highest + 1, case when tg_op = 'INSERT' then new.version end);
        new.required_fields := coalesce(new.required_fields, '{}');
        perform pawl.check_steps(new.steps);
        perform pawl.check_number('timeout_seconds', new.timeout_seconds, 1, 31622400);
        perform pawl.check_number('visibility_timeout', new.visibility_timeout, 1, 31622400);
        perform pawl.check_number('max_retries', new.max_retries, 0, 99);
        if array_position(new.required_fields, null) is not null or '' = any (new.required_fields) then
            perform pawl.refuse_definition('required_fields: must hold field names', 'Take out the empty ones.');
        end if;
        perform pawl.refuse_label(new.workflow, pawl.label_of(new.settings), new.version);
    end if;
    if new.canary is not null then
        new.canary := (select jsonb_agg(c order by (c -> 'version')::int)
                         from jsonb_array_elements(new.canary) as c
                        where (c -> 'version')::int <> new.version);
    end if;
    if new.off_reason is not null then
        new.active := false;
    end if;
    new.created_at := coalesce(new.created_at, now());
    new.updated_at := case when tg_op = 'UPDATE' then now() else coalesce(new.updated_at, now()) end;
    new.source := null;
    new.restore := null;
    return new;
end
$$;

create function pawl.note_version(
    p_tenant int, p_workflow int, p_action text, p_version int, p_detail jsonb default null
) returns void
language sql set search_path = pg_catalog
begin atomic
    insert into pawl.version_change (tenant, workflow, action, version, detail)
    values (p_tenant, p_workflow, p_action, p_version, p_detail);
end;

-- As before; also: a draft that became the head is one no more, and what was done is noted.
create or replace function pawl.record_definition() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    v_new boolean;
begin
    insert into pawl.workflow_version (workflow, version, definition, label)
    values (new.workflow, new.version, pawl.definition_json(new), pawl.label_of(new.settings))
        on conflict (workflow, version) do nothing;
    v_new := found;
    if not v_new then
        update pawl.workflow_version v
           set draft = false
         where v.workflow = new.workflow and v.version = new.version and v.draft;
    end if;
    if tg_op = 'UPDATE' and new.name <> old.name then
        update pawl.workflow w set name = new.name where w.id = new.workflow;
    end if;
    if tg_op = 'INSERT' or new.version <> old.version then
        perform pawl.note_version(new.tenant, new.workflow, case when v_new then 'applied' else 'activated' end,
                                  new.version,
                                  case when tg_op = 'UPDATE' then jsonb_build_object('from', old.version) end);
    end if;
    if tg_op = 'UPDATE' and new.off_reason is distinct from old.off_reason then
        perform pawl.note_version(new.tenant, new.workflow,
                                  case when new.off_reason is null then 'switched_on' else 'switched_off' end,
                                  new.version, jsonb_build_object('reason', new.off_reason));
    elsif tg_op = 'UPDATE' and new.active <> old.active and new.version = old.version then
        perform pawl.note_version(new.tenant, new.workflow,
                                  case when new.active then 'activated' else 'deactivated' end, new.version);
    end if;
    if tg_op = 'UPDATE' and new.canary is distinct from old.canary then
        perform pawl.note_version(new.tenant, new.workflow, 'canary', new.version,
                                  jsonb_build_object('canary', new.canary));
    end if;
    return null;
exception when unique_violation then
    raise exception 'the name "%" belonged to another workflow, whose runs keep it', new.name
        using errcode = 'unique_violation', hint = 'Choose another name.';
end
$$;

insert into pawl.version_change (tenant, workflow, at, action, version)
select d.tenant, d.workflow, d.updated_at, 'applied', d.version from pawl.definition d order by d.workflow;

-- As before; a definition that is there already under its label, or as a draft, is that version.
create or replace function pawl.apply_workflow(p_name text, p_definition jsonb, p_tenant int default 1)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_head pawl.definition;
    v_definition jsonb;
    v_known int;
begin
    perform pg_advisory_xact_lock(hashtext('pawl.definition'));
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

-- As before; a retired version stays retired.
create or replace function pawl.activate_workflow(p_tenant int, p_name text, p_version int default null)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_head pawl.definition;
    v_retired timestamptz;
begin
    perform pg_advisory_xact_lock(hashtext('pawl.definition'));
    select w.id into id from pawl.workflow w where w.tenant = p_tenant and w.name = p_name;
    select d.* into v_head from pawl.definition d where d.workflow = activate_workflow.id;
    version := coalesce(p_version, v_head.version, (
        select max(v.version) from pawl.workflow_version v where v.workflow = activate_workflow.id and not v.draft
    ));
    select v.retired_at into v_retired
      from pawl.workflow_version v
     where v.workflow = activate_workflow.id and v.version = activate_workflow.version;
    if not found then
        return;
    end if;
    if v_retired is not null then
        raise exception 'version % of workflow "%" is retired', version, p_name
            using errcode = 'object_not_in_prerequisite_state',
                  hint = format('select pawl.retire_version(%s, %L, %s, p_retired => false) brings it back', p_tenant,
                                p_name, version);
    end if;
    changed := v_head.workflow is null or not v_head.active or v_head.version <> version;
    if v_head.workflow is null then
        insert into pawl.definition (tenant, name, restore) values (p_tenant, p_name, activate_workflow.version);
    elsif changed then
        update pawl.definition d set restore = activate_workflow.version, active = true
         where d.workflow = activate_workflow.id;
    end if;
    return next;
end
$$;

-- Keeps a definition as a version that nothing starts until it is activated. The same content as that of the newest
-- version is that version.
create function pawl.save_draft(p_tenant int, p_name text, p_definition jsonb)
returns table (id int, version int, changed boolean)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_newest jsonb;
begin
    perform pg_advisory_xact_lock(hashtext('pawl.definition'));
    id := pawl.workflow_id(p_tenant, p_name);
    select v.version, v.definition into version, v_newest
      from pawl.workflow_version v where v.workflow = save_draft.id order by v.version desc limit 1;
    changed := v_newest is distinct from p_definition;
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

-- Which number a version has that is written as a number or as a label. Null: there is no such one.
create function pawl.version_number(p_tenant int, p_name text, p_version text) returns int
language sql stable set search_path = pg_catalog
begin atomic
    select v.version
      from pawl.workflow w
      join pawl.workflow_version v on v.workflow = w.id
     where w.tenant = p_tenant and w.name = p_name and (v.version::text = p_version or v.label = p_version);
end;

-- Which version was the head before this one: null when there was none that could be it again.
create function pawl.version_before(p_tenant int, p_name text) returns int
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

-- Lets versions be active beside the head, each with its share of the starts. Returns what is wrong; null: done.
create function pawl.set_canary(p_tenant int, p_name text, p_canary jsonb) returns text
language plpgsql set search_path = pg_catalog as $$
declare
    v_head pawl.definition;
    v_problem text;
begin
    perform pg_advisory_xact_lock(hashtext('pawl.definition'));
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_name;
    if not found then
        return 'there is no such workflow';
    end if;
    select case when v.version is null then format('there is no version %s of it', c.version)
                when v.retired_at is not null then format('version %s is retired', c.version)
                when c.version = v_head.version then format('version %s is the head: it gets what the others leave',
                                                            c.version)
                when c.share not between 0 and 100 then format('the share of version %s must be from 0 to 100',
                                                               c.version) end
      into v_problem
      from jsonb_to_recordset(coalesce(p_canary, '[]')) as c (version int, share numeric)
      left join pawl.workflow_version v on v.workflow = v_head.workflow and v.version = c.version
     where v.version is null or v.retired_at is not null or c.version = v_head.version
        or c.share not between 0 and 100 or c.share is null
     order by c.version
     limit 1;
    if found then
        return coalesce(v_problem, 'every version needs a share');
    end if;
    if (select sum(c.share) from jsonb_to_recordset(p_canary) as c (share numeric)) > 100 then
        return 'the shares come to more than 100 percent';
    elsif (select count(*) <> count(distinct c.version) from jsonb_to_recordset(p_canary) as c (version int)) then
        return 'a version is named twice';
    end if;
    update pawl.workflow_version v
       set draft = false
     where v.workflow = v_head.workflow and v.draft
       and v.version in (select c.version from jsonb_to_recordset(p_canary) as c (version int));
    update pawl.definition d
       set restore = d.version, canary = nullif(p_canary, '[]')
     where d.workflow = v_head.workflow and d.canary is distinct from nullif(p_canary, '[]');
    return null;
end
$$;
