-- needs: packs/amp/functions/check_graph

-- The name of a workflow in Pawl, from its code. One that another workflow of the tenant has, or had, gets a part of
-- the id.
create or replace function pawl.amp_name(p_tenant int, p_code text, p_id uuid) returns text
language sql stable set search_path = pg_catalog
begin atomic
    select case when exists (select 1 from pawl.workflow w where w.tenant = p_tenant and w.name = n.name)
                then format('%s_%s', left(n.name, 91), left(p_id::text, 8)) else n.name end
      from (
          select left(case when c.code ~ '^[A-Za-z_]' then c.code else '_' || c.code end, 100) as name
            from (select regexp_replace(p_code, '[^A-Za-z0-9_.-]', '_', 'g') as code) as c
      ) as n;
end;

-- What is wrong with the table of a trigger; null: nothing. It need not be there yet.
create or replace function pawl.amp_table_problem(p_table text) returns text
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_parts text[];
begin
    v_parts := pawl.table_parts(p_table);
    return case when '' = any (v_parts) or v_parts[2] ~ '^(queue:|\s)'
                then format('''%s'' is not the name of a table', left(p_table, 100)) end;
exception when sqlstate 'PW010' then
    return sqlerrm;
end
$$;

-- Refuses triggers of a workflow that the engine does not take.
create or replace function pawl.amp_check_triggers(p_workflow uuid) returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_trigger record;
begin
    select t.id, t.trigger_table, w.what into v_trigger
      from pawl.amp_workflow_trigger t
     cross join lateral (select nullif(t.trigger_conditions, 'null') as given) as c
     cross join lateral (
         select coalesce(
             'trigger_table: ' || pawl.amp_table_problem(t.trigger_table),
             case when not pawl.is_readable(jsonb_build_object('triggers', jsonb_build_array(c.given)))
                  then 'trigger_conditions: is nested deeper than 60 levels, or has a number that is out of range' end,
             'trigger_conditions: ' || pawl.row_conditions_problem(
                 case jsonb_typeof(c.given) when 'object' then pawl.amp_conditions(c.given) else c.given end)) as what
     ) as w
     where t.workflow_id = p_workflow and t.is_active and w.what is not null
     order by t.created_at, t.id
     limit 1;
    if found then
        perform pawl.refuse_definition(
            format('trigger %s on %s: %s', v_trigger.id, v_trigger.trigger_table, v_trigger.what),
            'A condition is a value, a list of values, or {operator, value}: {"transaction_type": "earn"}.');
    end if;
end
$$;

-- What starts a workflow, as its definition says it: changes of tables. The event has the name that the table's watch
-- gives it, or that of the table.
create or replace function pawl.amp_triggers(p_workflow uuid) returns jsonb
language sql stable set search_path = pg_catalog
begin atomic
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
               'event', coalesce(w.event, t.parts[2]), 'operation', jsonb_build_array(t.trigger_operation),
               'subject', '{{ key }}'))
               || case when t.conditions is null then '{}' else jsonb_build_object('conditions', t.conditions) end
               order by t.trigger_table, t.trigger_operation, t.id)
      from (
          select g.id, g.trigger_table, g.trigger_operation, pawl.table_parts(g.trigger_table) as parts,
                 case when jsonb_typeof(g.trigger_conditions) = 'object'
                      then nullif(pawl.amp_conditions(g.trigger_conditions), '{}') end as conditions
            from pawl.amp_workflow_trigger g
           where g.workflow_id = p_workflow and g.is_active
      ) as t
      left join pawl.watch w on w.schema_name = t.parts[1] and w.table_name = t.parts[2];
end;

-- The rows of a workflow's graph as JSON.
create or replace function pawl.amp_graph(p_workflow uuid, out nodes jsonb, out edges jsonb)
language sql stable set search_path = pg_catalog
begin atomic
    select (select coalesce(jsonb_agg(to_jsonb(n) - 'tenant' order by n.created_at, n.id), '[]')
              from pawl.amp_workflow_node n where n.workflow_id = p_workflow),
           (select coalesce(jsonb_agg(to_jsonb(e) - 'tenant' order by e.created_at, e.id), '[]')
              from pawl.amp_workflow_edge e where e.workflow_id = p_workflow);
end;

-- What a graph that was checked is in a definition: nodes, edges, and who may enter and what ends the runs, which the
-- trigger where they begin says.
create or replace function pawl.amp_body(p_nodes jsonb, p_edges jsonb) returns jsonb
language sql immutable parallel safe set search_path = pg_catalog
begin atomic
    select jsonb_build_object(
        'nodes', (
            select jsonb_agg(pawl.amp_step((n.value ->> 'id')::uuid, n.value ->> 'node_type', n.value -> 'node_config')
                             order by r.depth, r.id)
              from jsonb_array_elements(p_nodes) as n
              join pawl.amp_reached(p_nodes, p_edges) r on r.id = (n.value ->> 'id')::uuid),
        'edges', (
            select coalesce(jsonb_agg(jsonb_build_object(
                       'from', pawl.amp_step_name((e.value ->> 'from_node_id')::uuid),
                       'to', pawl.amp_step_name((e.value ->> 'to_node_id')::uuid),
                       'handle', coalesce(e.value ->> 'source_handle', 'default'))
                       order by e.value ->> 'from_node_id', e.value ->> 'source_handle', e.value ->> 'to_node_id'),
                       '[]')
              from jsonb_array_elements(p_edges) as e))
        || coalesce((
            select pawl.amp_rules(n.value -> 'node_config')
              from jsonb_array_elements(p_nodes) as n
             where (n.value ->> 'id')::uuid = pawl.amp_entry(p_nodes, p_edges) and n.value ->> 'node_type' = 'trigger'
        ), '{}');
end;

-- The definition that the rows of a workflow say; raises what is wrong with them.
create or replace function pawl.amp_definition(p_workflow pawl.amp_workflow) returns jsonb
language plpgsql stable set search_path = pg_catalog set jit = off as $$
declare
    v_nodes jsonb;
    v_edges jsonb;
    v_triggers jsonb;
begin
    select g.nodes, g.edges into v_nodes, v_edges from pawl.amp_graph((p_workflow).id) g;
    perform pawl.amp_check_graph((p_workflow).tenant, v_nodes, v_edges);
    perform pawl.amp_check_triggers((p_workflow).id);
    v_triggers := pawl.amp_triggers((p_workflow).id);
    return pawl.amp_body(v_nodes, v_edges) || jsonb_build_object(
        'name', (select w.name from pawl.workflow w where w.id = (p_workflow).workflow),
        'description', coalesce(nullif((p_workflow).description, ''), (p_workflow).name), 'person', true)
        || case when v_triggers is null then '{}' else jsonb_build_object('triggers', v_triggers) end;
end
$$;
