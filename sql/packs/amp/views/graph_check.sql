-- needs: packs/amp/functions/save

-- Looks at a graph that is inserted, and keeps nothing: raises what is wrong with it. A view, so that the workflow is
-- looked up with the caller's rights, and what its tenant has with those of the owner: a function with such rights
-- would tell every caller about every tenant.
create or replace view pawl.amp_graph_check with (security_invoker) as
select null::uuid as workflow_id, null::jsonb as nodes, null::jsonb as edges where false;

-- Trigger on the view, before the other: the workflow is one that the caller sees. Runs with the caller's rights.
create or replace function pawl.amp_allow_check() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if not exists (select 1 from pawl.amp_workflow w where w.id = new.workflow_id) then
        raise exception 'there is no workflow %', coalesce(new.workflow_id::text, 'null')
            using errcode = 'foreign_key_violation', hint = 'Insert its row of amp_workflow first.';
    end if;
    return new;
end
$$;

-- Trigger on the view: looks at the graph with what the workflow's tenant has.
create or replace function pawl.amp_run_check() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.amp_check_graph(w.tenant, new.nodes, new.edges) from pawl.amp_workflow w where w.id = new.workflow_id;
    return new;
end
$$;

create or replace trigger amp_graph_check_allow instead of insert on pawl.amp_graph_check
for each row execute function pawl.amp_allow_check();

create or replace trigger amp_graph_check_run instead of insert on pawl.amp_graph_check
for each row execute function pawl.amp_run_check();
