-- needs: packs/amp/functions/save

-- The tables with the columns that the merchant's programs know. Plain views: they are written to like tables.
create or replace view pawl.amp_workflows with (security_invoker) as
select id, merchant_id, workflow_code, name, description, is_active, created_at, updated_at, created_by
  from pawl.amp_workflow;

create or replace view pawl.amp_workflow_nodes with (security_invoker) as
select id, workflow_id, merchant_id, node_type, node_name, node_config, position_x, position_y, created_at, updated_at
  from pawl.amp_workflow_node;

create or replace view pawl.amp_workflow_edges with (security_invoker) as
select id, workflow_id, merchant_id, from_node_id, to_node_id, source_handle, edge_label, created_at
  from pawl.amp_workflow_edge;

create or replace view pawl.amp_workflow_triggers with (security_invoker) as
select id, workflow_id, merchant_id, trigger_type, trigger_table, trigger_operation, trigger_conditions, is_active,
       created_at
  from pawl.amp_workflow_trigger;
