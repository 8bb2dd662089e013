-- Workflows, their versions, and the definition that is the head of each.
-- breaking: no
-- baseline: 0092_one_truth_for_names_and_times

set local lock_timeout = '5s';

create table pawl.workflow (
    id int generated always as identity,
    tenant int not null,
    name text not null,
    created_at timestamptz not null default now(),
    constraint workflow_pk primary key (id),
    constraint workflow_name_unique unique (tenant, name),
    constraint workflow_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint workflow_name_check check (length(name) between 1 and 200)
);

create table pawl.workflow_version (
    workflow int not null,
    version int not null,
    definition jsonb not null,
    created_at timestamptz not null default now(),
    -- The semantic version that the definition gives itself.
    label text,
    -- Saved, but no run starts with it.
    draft boolean not null default false,
    -- Since when no run starts with it; runs that have it go on.
    retired_at timestamptz,
    constraint workflow_version_pk primary key (workflow, version),
    constraint workflow_version_workflow_fk foreign key (workflow) references pawl.workflow (id),
    constraint workflow_version_check check (version >= 1),
    constraint workflow_version_label_unique unique (workflow, label),
    constraint workflow_version_label_fits_check check (octet_length(label) <= 500)
);

create table pawl.definition (
    workflow int not null,
    id uuid not null default gen_random_uuid(),
    tenant int not null default 1,
    name text not null,
    -- The name, where the tenant is the default one: ON CONFLICT (name) needs a unique index on one column.
    document_name text,
    description text,
    steps jsonb not null,
    required_fields text[] not null default '{}',
    timeout_seconds int default 300,
    visibility_timeout int default 60,
    max_retries int default 3,
    -- What else the definition says: edges, a timeout that is not whole seconds, whatever comes later.
    settings jsonb not null default '{}',
    active boolean not null default true,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    created_by text,
    version int not null default 1,
    -- Always null at rest. Written to say where the content comes from: a definition as JSON, or an older version.
    source jsonb,
    restore int,
    -- Versions that are active beside the head, as [{"version": 3, "share": 5.5}], the share in percent of
    -- the starts. Null: none.
    canary jsonb,
    -- Set: the workflow is switched off, also for later versions.
    off_reason text,
    applied jsonb,
    constraint definition_pk primary key (workflow),
    constraint definition_id_unique unique (id),
    constraint definition_name_unique unique (tenant, name),
    constraint definition_document_name_unique unique (document_name),
    constraint definition_workflow_fk foreign key (workflow) references pawl.workflow (id),
    constraint definition_source_check check (source is null and restore is null),
    constraint definition_document_name_fits_check check (octet_length(document_name) <= 2000),
    constraint definition_name_fits_check check (octet_length(name) <= 2000)
);
comment on column pawl.definition.applied is 'the definition as it was applied, while the columns say the same';

-- What was done to the versions of a workflow; only added.
create table pawl.version_change (
    id bigint generated always as identity,
    tenant int not null,
    workflow int not null,
    at timestamptz not null default now(),
    action text not null,
    version int not null,
    detail jsonb,
    constraint version_change_pk primary key (workflow, id),
    constraint version_change_workflow_fk foreign key (workflow) references pawl.workflow (id)
);
