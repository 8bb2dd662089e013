-- Journeys are about people. A tenant says which of its tables has them, or keeps them here.
-- breaking: no

set local lock_timeout = '5s';

-- Written by the owner of the schema alone (pawl.set_person_source): it says what is read with the owner's rights.
-- tenant 0: for every tenant that has no source of its own.
create table pawl.person_source (
    tenant int not null,
    schema_name text not null,
    table_name text not null,
    key_column text not null,
    tenant_column text,
    address jsonb not null default '{}',
    locale_column text,
    timezone_column text,
    columns text[],
    updated_at timestamptz not null default now(),
    constraint person_source_pk primary key (tenant),
    -- Without the column every row is of that one tenant.
    constraint person_source_tenant_check check (tenant > 0 or tenant_column is not null),
    constraint person_source_address_check check (jsonb_typeof(address) = 'object')
);
comment on column pawl.person_source.tenant_column is 'holds the name of a tenant, or its organization';
comment on column pawl.person_source.address is 'the column of each channel, by the name of the channel';
comment on column pawl.person_source.columns is 'what workflows see of a row; null: every column';

-- The people of tenants without a source.
create table pawl.person (
    tenant int not null,
    key text not null,
    attributes jsonb not null default '{}',
    addresses jsonb not null default '{}',
    locale text,
    timezone text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- Set: the person is gone, and this row says only that.
    erased_at timestamptz,
    constraint person_pk primary key (tenant, key),
    constraint person_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint person_key_check check (octet_length(key) between 1 and 500),
    constraint person_attributes_check check (jsonb_typeof(attributes) = 'object'),
    constraint person_addresses_check check (jsonb_typeof(addresses) = 'object'),
    constraint person_erased_check check (erased_at is null or attributes = '{}' and addresses = '{}')
);
