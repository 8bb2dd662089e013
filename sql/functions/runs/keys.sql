-- The run that has a correlation key, one a workflow, and those that went on from it.
create or replace function pawl.correlated_runs(p_bucket smallint, p_tenant int, p_key text) returns uuid[]
language plpgsql stable set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set jit = off as $$
begin
    return array(
        with recursive related as (
            select x.run_id
              from pawl.workflow w
             cross join lateral (
                 select c.run_id
                   from pawl.correlation c
                  where c.bucket = p_bucket and c.tenant = p_tenant and c.workflow = w.id and c.key = p_key
                 offset 0
             ) as x
             where w.tenant = p_tenant
             union
            select x.retried_as
              from related
             cross join lateral (
                 select r.retried_as
                   from pawl.run r
                  where r.bucket = p_bucket and r.run_id = related.run_id and r.retried_as is not null
                 offset 0
             ) as x
        )
        select related.run_id from related
    );
end
$$;

-- The run of a tenant that has a key, whichever workflow it is of.
create or replace function pawl.run_of_key(p_tenant int, p_key text, out workflow int, out run uuid)
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

-- Whether a message may start a run under its key. Only where messages name their workflow: one that triggers several
-- workflows starts them all.
create or replace function pawl.claims_document_key(p_queue text, p_tenant int, p_workflow int, p_key text)
returns boolean
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

-- Reserves a key for a workflow. `run`: the run that has it already. `mine`: the caller starts the run, under the same
-- key. Neither: another call is about to start one; one that does not do so in c_patience has died, and loses the key.
create or replace function pawl.reserve_document_key(
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
    -- The caller that had it may have started its run meanwhile.
    select k.run into run from pawl.run_of_key(p_tenant, p_key) k;
    mine := mine and run is null;
end
$$;

-- Gives back a key that reserve_document_key reserved when no run was started under it.
create or replace function pawl.release_document_key(p_tenant int, p_workflow text, p_key text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.require_tenant(p_tenant);
    delete from pawl.document_key k
     using pawl.workflow w
     where w.tenant = p_tenant and w.name = p_workflow and k.tenant = p_tenant and k.workflow = w.id and k.key = p_key
       and (pawl.run_of_key(p_tenant, p_key)).run is null;
end
$$;

-- Trigger on pawl.correlation: the key of a run that is deleted is free again.
create or replace function pawl.free_document_keys() returns trigger
language plpgsql set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
begin
    delete from pawl.document_key k
     using gone g
     where k.tenant = g.tenant and k.key = g.key and k.workflow = g.workflow;
    return null;
end
$$;

create or replace trigger correlation_frees_document_keys after delete on pawl.correlation
    referencing old table as gone for each statement execute function pawl.free_document_keys();
