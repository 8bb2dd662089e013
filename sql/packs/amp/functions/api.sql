-- needs: packs/amp/functions/bff

-- The node of a workflow at which runs begin; no row: there is none.
create or replace function pawl.fn_get_amp_workflow_entry_node(p_workflow_id uuid)
returns table (
    id uuid, workflow_id uuid, merchant_id uuid, node_type text, node_name text, node_config jsonb, position_x numeric,
    position_y numeric, created_at timestamptz, updated_at timestamptz
)
language sql stable set search_path = pg_catalog
begin atomic
    select n.id, n.workflow_id, n.merchant_id, n.node_type, n.node_name, n.node_config, n.position_x, n.position_y,
           n.created_at, n.updated_at
      from pawl.amp_graph(p_workflow_id) g
      join pawl.amp_workflow_node n on n.id = pawl.amp_entry(g.nodes, g.edges)
     where n.workflow_id = p_workflow_id;
end;

-- The nodes that a run comes to when it leaves a node by a handle.
create or replace function pawl.fn_get_amp_workflow_next_nodes(
    p_workflow_id uuid, p_node_id uuid, p_handle text default 'default'
)
returns table (
    id uuid, workflow_id uuid, merchant_id uuid, node_type text, node_name text, node_config jsonb, position_x numeric,
    position_y numeric, created_at timestamptz, updated_at timestamptz
)
language sql stable set search_path = pg_catalog
begin atomic
    select n.id, n.workflow_id, n.merchant_id, n.node_type, n.node_name, n.node_config, n.position_x, n.position_y,
           n.created_at, n.updated_at
      from pawl.amp_workflow_edge e
      join pawl.amp_workflow_node n on n.id = e.to_node_id
     where e.workflow_id = p_workflow_id and e.from_node_id = p_node_id
       and coalesce(e.source_handle, 'default') = coalesce(p_handle, 'default')
     order by e.created_at, e.id;
end;

-- The graph of a workflow for a program that executes it: what bff_get_amp_workflow_full gives, and the entry.
create or replace function pawl.api_get_amp_workflow_definition(p_workflow_id uuid) returns jsonb
language sql stable set search_path = pg_catalog
begin atomic
    select f.workflow
        || jsonb_build_object('entry_node_id', pawl.amp_entry(f.workflow -> 'nodes', f.workflow -> 'edges'))
      from (select pawl.bff_get_amp_workflow_full(p_workflow_id) as workflow) as f
     where f.workflow is not null;
end;

-- Adds a line to the log of a workflow and returns its id. The engine writes its own by itself.
create or replace function pawl.api_log_amp_workflow_event(
    p_workflow_id uuid, p_user_id uuid, p_inngest_run_id text, p_event_type text, p_node_id uuid default null,
    p_node_type text default null, p_action_type text default null, p_status text default null,
    p_external_message_id text default null, p_event_data jsonb default null, p_error_message text default null,
    p_merchant_id uuid default null
) returns uuid
language sql set search_path = pg_catalog
begin atomic
    insert into pawl.amp_event (workflow_id, merchant_id, user_id, inngest_run_id, event_type, node_id, node_type,
                                action_type, status, external_message_id, event_data, error_message)
    values (p_workflow_id, p_merchant_id, p_user_id, p_inngest_run_id, p_event_type, p_node_id, p_node_type,
            p_action_type, p_status, p_external_message_id, p_event_data, p_error_message)
    returning id;
end;
