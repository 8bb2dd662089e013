-- Workflows that are being drawn: where the nodes stand, and what has not been published yet.
-- breaking: no

set local lock_timeout = '5s';

-- Not part of a version: moving a box changes nothing that runs.
create table pawl.workflow_layout (
    tenant int not null,
    name text not null,
    layout jsonb not null,
    updated_at timestamptz not null default now(),
    constraint workflow_layout_pk primary key (tenant, name),
    constraint workflow_layout_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint workflow_layout_name_check check (octet_length(name) <= 400)
);

-- As it was typed or drawn: it need not be a definition that can be read.
create table pawl.workflow_draft (
    tenant int not null,
    name text not null,
    text text not null,
    -- A writer says which one it saw, so that no work is overwritten unseen.
    etag text not null,
    updated_at timestamptz not null default now(),
    updated_by text not null,
    constraint workflow_draft_pk primary key (tenant, name),
    constraint workflow_draft_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint workflow_draft_name_check check (octet_length(name) <= 400),
    constraint workflow_draft_text_check check (octet_length(text) <= 1048576)
);
