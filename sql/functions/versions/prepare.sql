-- needs: functions/versions/input_schema

-- Before any row of pawl.definition is locked. A writer of the view pawl.workflow_definitions writes for its own
-- tenant; functions have named theirs. A role of a tenant locks nothing here: it may not write either.
create or replace function pawl.lock_definitions() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if has_table_privilege('pawl.latch', 'update') then
        perform pawl.hold(
            coalesce(nullif(current_setting('pawl.defines_for', true), '')::int, pawl.current_tenant()), 'definitions'
        );
    end if;
    return null;
end
$$;

create or replace trigger definition_lock before insert or update or delete on pawl.definition
for each statement execute function pawl.lock_definitions();

-- Refuses a name that is no name of a workflow (refuse_definition).
create or replace function pawl.check_definition_name(p_name text) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    if p_name is null or p_name !~ '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$' then
        perform pawl.refuse_definition(
            case when coalesce(p_name, '') = '' then 'name: is missing: a workflow needs a name'
                 else format('name: ''%s'' is not a workflow name', left(p_name, 60)) end,
            'A name starts with a letter or _ and holds only letters, digits, _, - and . (100 at most).'
        );
    end if;
end
$$;

-- Refuses a head whose steps, numbers, required fields or input_schema are not as they must be (refuse_definition), or
-- which the engine could not read back: its runs would be held.
create or replace function pawl.check_head(p_head pawl.definition) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    if not pawl.is_readable(p_head.settings || jsonb_build_object('steps', p_head.steps)) then
        perform pawl.refuse_definition(
            'a definition must not be nested deeper than 64 levels or have a number that is out of range',
            'Numbers are double precision here: give it as text.'
        );
    end if;
    perform pawl.check_steps(p_head.steps);
    perform pawl.check_number('timeout_seconds', p_head.timeout_seconds, 1, 31622400);
    perform pawl.check_number('visibility_timeout', p_head.visibility_timeout, 1, 31622400);
    perform pawl.check_number('max_retries', p_head.max_retries, 0, 99);
    if array_position(p_head.required_fields, null) is not null or '' = any (p_head.required_fields) then
        perform pawl.refuse_definition('required_fields: must hold field names', 'Take out the empty ones.');
    end if;
    perform pawl.check_input_schema(nullif(p_head.settings -> 'input_schema', 'null'));
end
$$;

-- The head as its source makes it: what the columns say is taken from there.
create or replace function pawl.head_from_source(p_head pawl.definition) returns pawl.definition
language plpgsql set search_path = pg_catalog as $$
declare
    v_content pawl.definition := pawl.definition_head(p_head.source);
begin
    p_head.description := v_content.description;
    p_head.steps := v_content.steps;
    p_head.required_fields := v_content.required_fields;
    p_head.timeout_seconds := v_content.timeout_seconds;
    p_head.visibility_timeout := v_content.visibility_timeout;
    p_head.max_retries := v_content.max_retries;
    p_head.settings := v_content.settings;
    p_head.applied := p_head.source;
    return p_head;
end
$$;

-- Fills and checks a head before it is written. It fires before ON CONFLICT is looked at, so it leaves nothing behind
-- that a conflict would have to take back: the identity of a name that is taken exists already. A label goes with its
-- definition, what is switched off stays off, and the head has no share of its own.
create or replace function pawl.prepare_definition() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    v_highest int;
begin
    if tg_op = 'UPDATE' and new.document_name is distinct from old.document_name then
        new.name := new.document_name;
    end if;
    new.name := coalesce(new.name, new.document_name);
    perform pawl.check_definition_name(new.name);
    new.document_name := case when new.tenant = 1 then new.name end;
    if tg_op = 'INSERT' then
        new.workflow := pawl.workflow_id(new.tenant, new.name);
        if new.source is null and new.restore is null then
            delete from pawl.definition d
             where d.tenant = new.tenant and d.name = new.name and d.created_by = 'pawl dev';
        end if;
    end if;
    select coalesce(max(v.version), 0) into v_highest from pawl.workflow_version v where v.workflow = new.workflow;
    if new.restore is not null then
        select v.definition into new.source
          from pawl.workflow_version v where v.workflow = new.workflow and v.version = new.restore;
    end if;
    if new.source is not null then
        new := pawl.head_from_source(new);
    elsif tg_op = 'UPDATE' then
        new := pawl.keep_graph(old, new);
        if (new.name, new.description, new.steps, new.required_fields, new.timeout_seconds,
            new.visibility_timeout, new.max_retries, new.settings) is distinct from
           (old.name, old.description, old.steps, old.required_fields, old.timeout_seconds,
            old.visibility_timeout, old.max_retries, old.settings) then
            new.applied := null;
        end if;
        new.applied := new.applied - 'version';
        -- The label is that of the definition as it was.
        new.settings := new.settings - 'version';
    end if;
    if new.restore is not null then
        new.version := new.restore;
    else
        -- A row brought along from elsewhere may keep a higher number; an update is always one more.
        new.version := greatest(v_highest + 1, case when tg_op = 'INSERT' then new.version end);
        new.required_fields := coalesce(new.required_fields, '{}');
        perform pawl.check_head(new);
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
    if tg_op = 'UPDATE' and new.version <> old.version and new.created_by = 'pawl dev'
       and coalesce(current_setting('pawl.sample', true), '') <> 'on' then
        new.created_by := null;
    end if;
    new.created_at := coalesce(new.created_at, now());
    new.updated_at := case when tg_op = 'UPDATE' then now() else coalesce(new.updated_at, now()) end;
    new.source := null;
    new.restore := null;
    return new;
end
$$;

create or replace trigger definition_prepare before insert or update on pawl.definition
for each row execute function pawl.prepare_definition();
