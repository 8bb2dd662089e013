-- Changes of the application's own tables start and continue runs: which tables are watched, and which changes are
-- wanted. A change that is not wanted writes nothing.
-- breaking: no

set local lock_timeout = '5s';

-- Written by the owner of the schema alone (pawl.watch_table).
create table pawl.watch (
    id int generated always as identity,
    schema_name text not null,
    table_name text not null,
    event text not null,
    operations text[] not null,
    tenant_column text,
    -- Whose every row is, where no column says so.
    tenant int,
    subject_column text,
    -- The table has columns with names that an event has itself: they are found below new and old.
    clash boolean not null default false,
    created_at timestamptz not null default now(),
    constraint watch_pk primary key (id),
    constraint watch_table_unique unique (schema_name, table_name),
    constraint watch_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint watch_tenant_check check ((tenant is null) = (tenant_column is not null)),
    constraint watch_event_check check (octet_length(event) between 1 and 200),
    constraint watch_operations_check check (
        operations <> '{}' and operations <@ array['INSERT', 'UPDATE', 'DELETE']
    ),
    constraint watch_schema_fits_check check (octet_length(schema_name) <= 63),
    constraint watch_name_fits_check check (octet_length(table_name) <= 63)
);
comment on column pawl.watch.tenant_column is 'holds the name of a tenant, or its organization';

-- Which changes a tenant wants, as its definitions say: place is that of a trigger; -1: runs may wait for the event or
-- end by it. event '*': any. operations and conditions null: every one.
create table pawl.watch_wish (
    tenant int not null,
    event text not null,
    workflow int not null,
    place int not null,
    operations text[],
    conditions jsonb,
    -- The conditions once more, to be asked fast (pawl.conditions_path).
    path jsonpath,
    constraint watch_wish_pk primary key (tenant, event, workflow, place),
    constraint watch_wish_event_fits_check check (octet_length(event) <= 2000)
);
create index watch_wish_event on pawl.watch_wish (event);
create index watch_wish_workflow on pawl.watch_wish (workflow);
