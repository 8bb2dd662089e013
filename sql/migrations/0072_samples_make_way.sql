-- The samples that `pawl dev` publishes are in no one's way: an INSERT into workflow_definitions takes the place of
-- one, also with ON CONFLICT DO NOTHING, and `pawl dev` does not publish over what was written by SQL.
-- breaking: no

set local lock_timeout = '5s';

-- Publishes a sample; no row when somebody has written the workflow by SQL. One that is there for its sake says so in
-- created_by, until anybody else changes it.
create function pawl.publish_sample(p_tenant int, p_name text, p_definition jsonb)
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

do $$
declare
    v_patch record;
    v_old text;
    v_new text;
begin
    for v_patch in
        select *
          from (values
              (E'        new.workflow := pawl.workflow_id(new.tenant, new.name);\n',
               E'        new.workflow := pawl.workflow_id(new.tenant, new.name);\n'
               '        if new.source is null and new.restore is null then\n'
               '            delete from pawl.definition d\n'
               '             where d.tenant = new.tenant and d.name = new.name and d.created_by = ''pawl dev'';\n'
               '        end if;\n'),
              (E'    new.created_at := coalesce(new.created_at, now());\n',
               E'    if tg_op = ''UPDATE'' and new.version <> old.version and new.created_by = ''pawl dev''\n'
               '       and coalesce(current_setting(''pawl.sample'', true), '''') <> ''on'' then\n'
               '        new.created_by := null;\n'
               '    end if;\n'
               '    new.created_at := coalesce(new.created_at, now());\n')
          ) as p (before, after)
    loop
        v_old := pg_get_functiondef('pawl.prepare_definition'::regproc);
        v_new := replace(v_old, v_patch.before, v_patch.after);
        if v_new = v_old then
            raise exception 'pawl.prepare_definition is not as this migration expects it: %', v_patch.before;
        end if;
        execute v_new;
    end loop;
end
$$;
