-- Journeys as merchants write them: a workflow, its nodes, edges and triggers as rows. The columns that come after
-- created_by and created_at are Pawl's own; the views of the same names do not show them.
-- breaking: no

set local lock_timeout = '5s';

create table pawl.amp_workflow (
    id uuid not null default gen_random_uuid(),
    merchant_id uuid not null,
    workflow_code text not null,
    name text not null,
    description text,
    is_active boolean default false,
    created_at timestamptz default now(),
    updated_at timestamptz default now(),
    created_by uuid,
    -- The merchant's tenant, and the workflow whose versions the saves make.
    tenant int not null,
    workflow int not null,
    -- Grows with every change of the workflow and of its graph, so that a transaction saves one version.
    changes int not null default 0,
    constraint amp_workflow_pk primary key (id),
    constraint amp_workflow_merchant_unique unique (id, merchant_id),
    constraint amp_workflow_code_unique unique (merchant_id, workflow_code),
    constraint amp_workflow_workflow_unique unique (workflow),
    constraint amp_workflow_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint amp_workflow_workflow_fk foreign key (workflow) references pawl.workflow (id),
    constraint amp_workflow_code_check check (octet_length(workflow_code) between 1 and 500)
);
create index amp_workflow_tenant on pawl.amp_workflow (tenant);

create table pawl.amp_workflow_node (
    id uuid not null default gen_random_uuid(),
    workflow_id uuid not null,
    merchant_id uuid not null,
    node_type text not null,
    node_name text,
    node_config jsonb not null default '{}',
    position_x numeric default 0,
    position_y numeric default 0,
    created_at timestamptz default now(),
    updated_at timestamptz default now(),
    tenant int not null,
    constraint amp_workflow_node_pk primary key (id),
    constraint amp_workflow_node_workflow_unique unique (id, workflow_id),
    constraint amp_workflow_node_workflow_fk foreign key (workflow_id, merchant_id)
        references pawl.amp_workflow (id, merchant_id) on delete cascade
);
create index amp_workflow_node_workflow on pawl.amp_workflow_node (workflow_id, merchant_id);
create index amp_workflow_node_merchant on pawl.amp_workflow_node (merchant_id);

-- Both ends are nodes of the edge's own workflow.
create table pawl.amp_workflow_edge (
    id uuid not null default gen_random_uuid(),
    workflow_id uuid not null,
    merchant_id uuid not null,
    from_node_id uuid not null,
    to_node_id uuid not null,
    source_handle text default 'default',
    edge_label text,
    created_at timestamptz default now(),
    tenant int not null,
    constraint amp_workflow_edge_pk primary key (id),
    constraint amp_workflow_edge_workflow_fk foreign key (workflow_id, merchant_id)
        references pawl.amp_workflow (id, merchant_id) on delete cascade,
    constraint amp_workflow_edge_from_fk foreign key (from_node_id, workflow_id)
        references pawl.amp_workflow_node (id, workflow_id) on delete cascade,
    constraint amp_workflow_edge_to_fk foreign key (to_node_id, workflow_id)
        references pawl.amp_workflow_node (id, workflow_id) on delete cascade
);
create index amp_workflow_edge_workflow on pawl.amp_workflow_edge (workflow_id, merchant_id);
create index amp_workflow_edge_from on pawl.amp_workflow_edge (from_node_id, workflow_id);
create index amp_workflow_edge_to on pawl.amp_workflow_edge (to_node_id, workflow_id);

create table pawl.amp_workflow_trigger (
    id uuid not null default gen_random_uuid(),
    workflow_id uuid not null,
    merchant_id uuid not null,
    trigger_type text not null,
    trigger_table text not null,
    trigger_operation text not null,
    trigger_conditions jsonb,
    is_active boolean default true,
    created_at timestamptz default now(),
    tenant int not null,
    constraint amp_workflow_trigger_pk primary key (id),
    constraint amp_workflow_trigger_workflow_fk foreign key (workflow_id, merchant_id)
        references pawl.amp_workflow (id, merchant_id) on delete cascade,
    constraint amp_workflow_trigger_operation_check check (trigger_operation in ('INSERT', 'UPDATE', 'DELETE')),
    constraint amp_workflow_trigger_operation_fits_check check (octet_length(trigger_operation) <= 10),
    constraint amp_workflow_trigger_table_check check (octet_length(trigger_table) between 1 and 200)
);
create index amp_workflow_trigger_workflow on pawl.amp_workflow_trigger (workflow_id, merchant_id);
create index amp_workflow_trigger_table on pawl.amp_workflow_trigger (trigger_table, trigger_operation);
create index amp_workflow_trigger_merchant on pawl.amp_workflow_trigger (merchant_id);

-- What the nodes of saved versions are to the log, also of those that are deleted since. Messages are apart, so that
-- the planner knows which questions about the log do not need the log of the runs.
create table pawl.amp_known_node (
    -- As pawl.event has it.
    node text not null,
    node_type text not null,
    action_type text,
    node_id uuid not null,
    tenant int not null,
    constraint amp_known_node_pk primary key (node, node_type),
    constraint amp_known_node_name_check check (octet_length(node) <= 100),
    constraint amp_known_node_type_fits_check check (octet_length(node_type) <= 100)
) partition by list (node_type);
create table pawl.amp_known_message partition of pawl.amp_known_node for values in ('message');
create table pawl.amp_known_step partition of pawl.amp_known_node default;

-- Lines that callers add to the log (api_log_amp_workflow_event); only added.
create table pawl.amp_event (
    id uuid not null default gen_random_uuid(),
    merchant_id uuid not null,
    workflow_id uuid not null,
    user_id uuid not null,
    inngest_run_id text not null,
    event_type text not null,
    node_id uuid,
    node_type text,
    action_type text,
    status text,
    external_message_id text,
    event_data jsonb,
    error_message text,
    created_at timestamptz default now(),
    tenant int not null,
    constraint amp_event_pk primary key (id),
    constraint amp_event_workflow_fk foreign key (workflow_id, merchant_id)
        references pawl.amp_workflow (id, merchant_id) on delete cascade,
    constraint amp_event_type_check check (octet_length(event_type) between 1 and 200),
    constraint amp_event_run_check check (octet_length(inngest_run_id) between 1 and 500),
    constraint amp_event_external_fits_check check (octet_length(external_message_id) <= 500)
);
create index amp_event_workflow on pawl.amp_event (workflow_id, merchant_id, created_at);
create index amp_event_merchant on pawl.amp_event (merchant_id, created_at);
create index amp_event_run on pawl.amp_event (inngest_run_id);
create index amp_event_external on pawl.amp_event (external_message_id) where external_message_id is not null;
