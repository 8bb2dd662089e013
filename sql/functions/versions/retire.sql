-- Nothing starts the version any more. Refused while it has open runs, unless those may go to their end with it
-- (p_drain). p_retired false: brings it back. Returns what is wrong; null: done.
create or replace function pawl.retire_version(
    p_tenant int, p_name text, p_version int, p_drain boolean default false, p_retired boolean default true
)
returns text
language plpgsql set search_path = pg_catalog as $$
declare
    v_workflow int;
    v_open bigint;
begin
    perform pawl.hold_definitions(p_tenant);
    select v.workflow into v_workflow
      from pawl.workflow w
      join pawl.workflow_version v on v.workflow = w.id
     where w.tenant = p_tenant and w.name = p_name and v.version = p_version;
    if not found then
        return format('there is no version %s of it', p_version);
    end if;
    if p_retired then
        if exists (select 1 from pawl.definition d where d.workflow = v_workflow and d.version = p_version) then
            return format('version %s is the one that starts use: activate another one first', p_version);
        end if;
        select c.open_runs into v_open
          from pawl.count_open_versions(p_tenant, p_name) c where c.version = p_version;
        if v_open > 0 and not p_drain then
            return format('version %s has %s open run%s: migrate them, or let them go to their end (drain)', p_version,
                          v_open, case when v_open = 1 then '' else 's' end);
        end if;
        update pawl.definition d
           set restore = d.version,
               canary = (select jsonb_agg(c) from jsonb_array_elements(d.canary) as c
                          where (c -> 'version')::int <> p_version)
         where d.workflow = v_workflow and d.canary @> jsonb_build_array(jsonb_build_object('version', p_version));
    end if;
    update pawl.workflow_version v
       set retired_at = case when p_retired then now() end
     where v.workflow = v_workflow and v.version = p_version and (v.retired_at is not null) <> p_retired;
    if found then
        perform pawl.note_version(p_tenant, v_workflow, case when p_retired then 'retired' else 'unretired' end,
                                  p_version);
    end if;
    return null;
end
$$;

-- What went: the version that was the head, how many schedules and events that started it. No row: it is not there.
create or replace function pawl.delete_workflow(p_tenant int, p_name text)
returns table (version int, schedules bigint, events bigint)
language plpgsql
set search_path = pg_catalog
as $$
declare
    v_workflow int;
begin
    perform pawl.hold_definitions(p_tenant);
    select d.workflow, d.version into v_workflow, delete_workflow.version
      from pawl.definition d where d.tenant = p_tenant and d.name = p_name;
    if v_workflow is null then
        return;
    end if;
    delete_workflow.schedules := (select count(*) from pawl.schedule s where s.workflow = v_workflow);
    delete_workflow.events := (select count(*) from pawl.event_trigger e where e.workflow = v_workflow);
    -- Triggers of the table take its schedules and its events with it.
    delete from pawl.definition d where d.workflow = v_workflow;
    perform pawl.note_version(p_tenant, v_workflow, 'deleted', delete_workflow.version);
    return next;
end
$$;
