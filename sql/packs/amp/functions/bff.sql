-- needs: packs/amp/functions/graph

-- A workflow with its nodes, edges and triggers, for a builder; null: there is none, or it is another merchant's.
create or replace function pawl.bff_get_amp_workflow_full(p_workflow_id uuid) returns jsonb
language sql stable set search_path = pg_catalog
begin atomic
    select jsonb_build_object(
               'workflow', to_jsonb(w) - array['tenant', 'workflow', 'changes'], 'nodes', g.nodes, 'edges', g.edges,
               'triggers', (select coalesce(jsonb_agg(to_jsonb(t) - 'tenant' order by t.created_at, t.id), '[]')
                              from pawl.amp_workflow_trigger t where t.workflow_id = w.id))
      from pawl.amp_workflow w
     cross join lateral pawl.amp_graph(w.id) g
     where w.id = p_workflow_id;
end;

-- Saves a workflow with all of its nodes and edges, as one version, and returns it as bff_get_amp_workflow_full does.
-- One error names the node that is wrong and says why; then nothing is saved. Nodes and edges that are not given are
-- deleted. Ids that are no UUIDs are names of the caller's own, for edges to name nodes.
create or replace function pawl.bff_upsert_amp_workflow_with_graph(p_workflow jsonb, p_nodes jsonb[], p_edges jsonb[])
returns jsonb
language plpgsql set search_path = pg_catalog as $$
declare
    v_workflow pawl.amp_workflow;
    v_nodes jsonb := pawl.amp_list(p_nodes, 'p_nodes');
    v_edges jsonb := pawl.amp_list(p_edges, 'p_edges');
begin
    v_workflow := pawl.amp_put_workflow(p_workflow);
    v_nodes := pawl.amp_own_nodes(v_workflow.id, v_nodes);
    v_edges := pawl.amp_own_edges(v_workflow.id, v_nodes, v_edges);
    insert into pawl.amp_graph_check (workflow_id, nodes, edges) values (v_workflow.id, v_nodes, v_edges);
    perform pawl.amp_put_nodes(v_workflow, v_nodes);
    perform pawl.amp_put_edges(v_workflow, v_edges);
    set constraints pawl.amp_workflow_saved_check immediate;
    set constraints pawl.amp_workflow_saved_check deferred;
    return pawl.bff_get_amp_workflow_full(v_workflow.id);
end
$$;

-- The same with nodes and edges as one JSON list each.
create or replace function pawl.bff_upsert_amp_workflow_with_graph(
    p_workflow jsonb, p_node_list jsonb, p_edge_list jsonb
) returns jsonb
language sql set search_path = pg_catalog
begin atomic
    select pawl.bff_upsert_amp_workflow_with_graph(p_workflow, array[p_node_list], array[p_edge_list]);
end;

-- Makes a copy of a workflow with ids of its own, which is not active, and returns its id. Null: there is none.
create or replace function pawl.bff_duplicate_amp_workflow(p_workflow_id uuid, p_new_name text) returns uuid
language plpgsql set search_path = pg_catalog as $$
declare
    v_id uuid := gen_random_uuid();
    v_from pawl.amp_workflow;
begin
    select w.* into v_from from pawl.amp_workflow w where w.id = p_workflow_id;
    if not found then
        return null;
    end if;
    insert into pawl.amp_workflow (id, merchant_id, workflow_code, name, description, created_by)
    values (v_id, v_from.merchant_id, format('%s_%s', left(v_from.workflow_code, 90), left(v_id::text, 8)),
            coalesce(p_new_name, v_from.name || ' (copy)'), v_from.description, v_from.created_by);
    insert into pawl.amp_workflow_node (id, workflow_id, merchant_id, node_type, node_name, node_config, position_x,
                                        position_y, created_at)
    select md5(v_id || ':' || n.id)::uuid, v_id, n.merchant_id, n.node_type, n.node_name, n.node_config, n.position_x,
           n.position_y, n.created_at
      from pawl.amp_workflow_node n where n.workflow_id = p_workflow_id;
    insert into pawl.amp_workflow_edge (workflow_id, merchant_id, from_node_id, to_node_id, source_handle, edge_label,
                                        created_at)
    select v_id, e.merchant_id, md5(v_id || ':' || e.from_node_id)::uuid, md5(v_id || ':' || e.to_node_id)::uuid,
           e.source_handle, e.edge_label, e.created_at
      from pawl.amp_workflow_edge e where e.workflow_id = p_workflow_id;
    insert into pawl.amp_workflow_trigger (workflow_id, merchant_id, trigger_type, trigger_table, trigger_operation,
                                           trigger_conditions, is_active)
    select v_id, t.merchant_id, t.trigger_type, t.trigger_table, t.trigger_operation, t.trigger_conditions, t.is_active
      from pawl.amp_workflow_trigger t where t.workflow_id = p_workflow_id;
    return v_id;
end
$$;
