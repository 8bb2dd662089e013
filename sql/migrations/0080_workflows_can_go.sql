-- A workflow can be deleted: nothing starts it any more, by hand, by time or by event. Its versions stay, because runs
-- have them, and so does what was done to them; a definition of the same name goes on with the next number.
-- breaking: no
set local lock_timeout = '5s';

-- What went: the version that was the head, how many schedules and events that started it. No row: it is not there.
create function pawl.delete_workflow(p_tenant int, p_name text)
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
