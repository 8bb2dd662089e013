-- Every head is kept as a version that never changes, and a new name is the identity's too. A draft that became the
-- head is one no more, and what was done is noted.
create or replace function pawl.record_definition() returns trigger
language plpgsql set search_path = pg_catalog as $$
declare
    v_new boolean;
begin
    insert into pawl.workflow_version (workflow, version, definition, label)
    values (new.workflow, new.version, coalesce(new.applied, pawl.definition_json(new)), pawl.label_of(new.settings))
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

create or replace trigger definition_record after insert or update on pawl.definition
for each row execute function pawl.record_definition();
