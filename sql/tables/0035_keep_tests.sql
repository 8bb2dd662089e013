-- Test cases of a workflow, as `pawl test` reads them, kept beside it: a page runs them and shows what they reach.
-- breaking: no

set local lock_timeout = '5s';

create table pawl.workflow_tests (
    tenant int not null,
    name text not null,
    text text not null,
    -- A writer says which one it saw, so that no work is overwritten unseen.
    etag text not null,
    updated_at timestamptz not null default now(),
    updated_by text not null,
    constraint workflow_tests_pk primary key (tenant, name),
    constraint workflow_tests_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint workflow_tests_name_check check (octet_length(name) <= 400),
    constraint workflow_tests_text_check check (octet_length(text) <= 1048576)
);
