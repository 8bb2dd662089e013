-- The doors of the workflow-enqueue document (its function, its executions view, workflow_queue) know a correlation id
-- once, whichever workflow it was used for. Elsewhere a key is one of its workflow.
-- breaking: no

set local lock_timeout = '5s';

-- Which workflow a key of those doors belongs to. Whoever comes first writes it before the run is started, so that two
-- calls at once for two workflows start one run.
create table pawl.document_key (
    tenant int not null,
    workflow int not null,
    reserved_at timestamptz not null default clock_timestamp(),
    key text not null,
    constraint document_key_pk primary key (tenant, key),
    constraint document_key_key_fits_check check (octet_length(key) <= 2000)
);

-- The key of a run that is forgotten is free again.
create function pawl.free_document_keys() returns trigger
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
begin
    delete from pawl.document_key k
     using gone g
     where k.tenant = g.tenant and k.key = g.key and k.workflow = g.workflow;
    return null;
end
$$;
create trigger correlation_frees_document_keys after delete on pawl.correlation
    referencing old table as gone for each statement execute function pawl.free_document_keys();

-- The run of a tenant that has a key, whichever workflow it is of.
create function pawl.run_of_key(p_tenant int, p_key text, out workflow int, out run uuid)
language plpgsql stable set search_path = pg_catalog, pg_temp set enable_seqscan = off set jit = off as $$
begin
    select c.workflow, c.run_id into workflow, run
      from pawl.correlation c
     where c.bucket = (select t.bucket from pawl.tenant t where t.id = p_tenant) and c.tenant = p_tenant
       and c.workflow = any (array(select w.id from pawl.workflow w where w.tenant = p_tenant)) and c.key = p_key
     order by c.at
     limit 1;
end
$$;

-- Reserves a key for a workflow. `run`: the run that has it already. `mine`: the caller starts the run, under the same
-- key. Neither: another call is about to start one; one that does not do so in c_patience has died, and loses the key.
create function pawl.reserve_document_key(
    p_tenant int, p_workflow text, p_key text, out run uuid, out mine boolean
)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    c_patience constant interval := '10 s';
    v_workflow int;
    v_holder pawl.document_key;
begin
    perform pawl.require_tenant(p_tenant);
    select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
    mine := true;
    if not found then
        return;  -- the start says so
    end if;
    select k.run into run from pawl.run_of_key(p_tenant, p_key) k;
    if run is not null then
        mine := false;
        return;
    end if;
    insert into pawl.document_key as k (tenant, workflow, key) values (p_tenant, v_workflow, p_key)
        on conflict (tenant, key) do update set workflow = excluded.workflow, reserved_at = clock_timestamp()
     where k.workflow = excluded.workflow or k.reserved_at < clock_timestamp() - c_patience;
    mine := found;
    -- Whoever had it may have started its run meanwhile.
    select k.run into run from pawl.run_of_key(p_tenant, p_key) k;
    mine := mine and run is null;
end
$$;

-- Nothing was started under it after all.
create function pawl.release_document_key(p_tenant int, p_workflow text, p_key text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.require_tenant(p_tenant);
    delete from pawl.document_key k
     using pawl.workflow w
     where w.tenant = p_tenant and w.name = p_workflow and k.tenant = p_tenant and k.workflow = w.id and k.key = p_key
       and (pawl.run_of_key(p_tenant, p_key)).run is null;
end
$$;

-- As before; also: a key that another workflow's run has gives that run.
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

-- Whether a message may start a run under its key. Only where messages name their workflow: one that triggers several
-- workflows starts them all.
create function pawl.claims_document_key(p_queue text, p_tenant int, p_workflow int, p_key text) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_workflow int;
begin
    if p_key is null or not exists (
        select 1 from pawl.consumed_queue c where c.name = p_queue and c.kind = 'message'
    ) then
        return true;
    end if;
    select k.workflow into v_workflow from pawl.run_of_key(p_tenant, p_key) k;
    if v_workflow is null then
        insert into pawl.document_key (tenant, workflow, key) values (p_tenant, p_workflow, p_key)
            on conflict do nothing;
        select k.workflow into v_workflow from pawl.document_key k where k.tenant = p_tenant and k.key = p_key;
    end if;
    return v_workflow = p_workflow;
end
$$;

do $$
declare
    v_old text := pg_get_functiondef('pawl.settle_queue'::regproc);
    v_new text := replace(v_old, E'     where u.message = any (v_gone);\n',
                          E'     where u.message = any (v_gone)\n'
                          '       and pawl.claims_document_key(p_queue, u.tenant, u.workflow, u.key);\n');
begin
    if v_new = v_old then
        raise exception 'pawl.settle_queue is not as this migration expects it';
    end if;
    execute v_new;
end
$$;
