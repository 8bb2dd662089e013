-- needs: views/workflow_executions

-- Rows of the view stand for runs: an insert starts one, a cancel is asked for, a closed one may be forgotten. A key
-- that another workflow's run has gives that run.
create or replace function pawl.start_execution() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_version int;
    v_taken record;
begin
    if new.id is not null then
        raise exception 'a run gets its id when it is started' using errcode = 'invalid_parameter_value',
            hint = 'Leave id out and read it with RETURNING id; give a correlation_id to start a run only once.';
    elsif new.status <> 'pending' then
        raise exception 'a run cannot be inserted as %', new.status using errcode = 'invalid_parameter_value',
            hint = 'Leave status out: the run is pending until a worker takes it.';
    end if;
    select d.version into v_version
      from pawl.definition d
     where d.tenant = pawl.current_tenant() and d.name = new.workflow_name;
    if new.workflow_version <> v_version then
        raise exception 'workflow % is at version %, not %', new.workflow_name, v_version, new.workflow_version
            using errcode = 'invalid_parameter_value',
                  hint = 'Leave workflow_version out, or make that version the active one: pawl.activate_workflow.';
    end if;
    if new.correlation_id <> '' then
        loop
            select r.run, r.mine into v_taken
              from pawl.reserve_document_key(pawl.current_tenant(), new.workflow_name, new.correlation_id) r;
            exit when v_taken.mine or v_taken.run is not null;
            perform pg_sleep(0.05);
        end loop;
        new.id := v_taken.run;
    end if;
    if new.id is null then
        new.id := pawl.start(new.workflow_name, new.input_payload, new.correlation_id,
                             triggered_by => coalesce(new.triggered_by, 'sql'));
    end if;
    select e.* into new from pawl.workflow_executions e where e.id = new.id;
    return new;
end
$$;

create or replace trigger workflow_executions_insert instead of insert on pawl.workflow_executions
for each row execute function pawl.start_execution();

-- Instead of an update on pawl.workflow_executions: cancels a run whose status is set to cancelled. Refuses every other
-- change.
create or replace function pawl.change_execution() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if to_jsonb(new) - 'status' <> to_jsonb(old) - 'status' or new.status not in ('cancelled', old.status) then
        raise exception 'a run cannot be changed' using errcode = 'object_not_in_prerequisite_state',
            hint = 'What can be asked for is a cancel: update ... set status = ''cancelled''.';
    end if;
    if new.status = old.status then
        return new;
    end if;
    if not pawl.cancel(old.id, 'cancelled through workflow_executions') then
        raise exception 'run % is over: %', old.id, old.status using errcode = 'object_not_in_prerequisite_state',
            hint = 'Only an open run can be cancelled.';
    end if;
    return new;
end
$$;

create or replace trigger workflow_executions_update instead of update on pawl.workflow_executions
for each row execute function pawl.change_execution();

-- Instead of a delete on pawl.workflow_executions: removes what is left of a closed run. Refuses an open one.
create or replace function pawl.forget_execution() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_run pawl.run;
begin
    select r.* into v_run
      from pawl.run r
     where r.bucket = (select t.bucket from pawl.tenant t where t.id = pawl.current_tenant()) and r.run_id = old.id;
    if not found then
        raise exception 'run % is still open: cancel it first', old.id
            using errcode = 'object_not_in_prerequisite_state',
                  hint = format('update pawl.workflow_executions set status = ''cancelled'' where id = %L', old.id);
    end if;
    delete from pawl.correlation c where c.bucket = v_run.bucket and c.run_id = v_run.run_id;
    delete from pawl.dead_letter d where d.bucket = v_run.bucket and d.run_id = v_run.run_id;
    delete from pawl.event e where e.bucket = v_run.bucket and e.run_id = v_run.run_id;
    delete from pawl.run r where r.bucket = v_run.bucket and r.run_id = v_run.run_id;
    return old;
end
$$;

create or replace trigger workflow_executions_delete instead of delete on pawl.workflow_executions
for each row execute function pawl.forget_execution();
