-- Tenants, the roles, keys and secrets of each, and what limits them.
--
-- A text in an index has a bound in bytes (the constraints ..._fits_check of all tables): an index takes 2,700 of them,
-- and a longer value would fail the commit of everything that is written beside it. The engine and the API refuse
-- earlier, most of them at 500; these bounds are what always fits.
-- breaking: no
-- baseline: 0092_one_truth_for_names_and_times

set local lock_timeout = '5s';

-- A random v4 uuid whose first 48 bits become the time and whose version nibble becomes 7.
create function pawl.uuid7() returns uuid
language sql volatile parallel safe
return encode(
    set_bit(
        set_bit(
            overlay(
                uuid_send(gen_random_uuid())
                placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
                from 1 for 6
            ),
            52, 1
        ),
        53, 1
    ),
    'hex'
)::uuid;

create table pawl.tenant (
    id int generated always as identity,
    name text not null,
    bucket smallint not null default 0,
    created_at timestamptz not null default now(),
    -- Null: no limit. Starts beyond a limit are refused; runs under way are not touched.
    open_runs_max int,
    starts_per_second_max int,
    payload_bytes_max int,
    organization uuid not null default gen_random_uuid(),
    constraint tenant_pk primary key (id),
    constraint tenant_name_unique unique (name),
    constraint tenant_name_check check (length(name) between 1 and 200),
    constraint tenant_limits_check check (least(open_runs_max, starts_per_second_max, payload_bytes_max) > 0),
    constraint tenant_organization_unique unique (organization)
);
insert into pawl.tenant (name) values ('default');

-- A role of the database that stands for one tenant: people and programs who use SQL.
create table pawl.tenant_role (
    role_name text not null,
    tenant int not null,
    created_at timestamptz not null default now(),
    constraint tenant_role_pk primary key (role_name),
    constraint tenant_role_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint tenant_role_name_fits_check check (octet_length(role_name) <= 63)
);
create index tenant_role_tenant on pawl.tenant_role (tenant);

-- Only the hash of a key is stored; the prefix is what people see of it.
create table pawl.api_key (
    id int generated always as identity,
    tenant int not null,
    name text not null,
    prefix text not null,
    hash bytea not null,
    scopes text[] not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    constraint api_key_pk primary key (id),
    constraint api_key_hash_unique unique (hash),
    constraint api_key_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint api_key_name_check check (length(name) between 1 and 200),
    constraint api_key_hash_check check (length(hash) = 32),
    constraint api_key_scopes_check check (cardinality(scopes) > 0),
    constraint api_key_prefix_fits_check check (octet_length(prefix) <= 100)
);
create index api_key_prefix on pawl.api_key (tenant, prefix);

create table pawl.credential (
    tenant int not null,
    name text not null,
    -- XChaCha20-Poly1305 over the secret, with tenant and name bound in (src/base/vault.hpp).
    key_id text not null,
    nonce bytea not null,
    box bytea not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint credential_pk primary key (tenant, name),
    constraint credential_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint credential_name_check check (name ~ '^[A-Za-z_][A-Za-z0-9_-]{0,99}$'),
    constraint credential_box_check check (length(box) <= 66000)
);

-- The answers to calls that came with an Idempotency-Key, for a day.
create table pawl.idempotency_key (
    tenant int not null,
    key text not null,
    fingerprint bytea not null,
    status smallint not null,
    headers jsonb not null,
    body text not null,
    at timestamptz not null default now(),
    constraint idempotency_key_pk primary key (tenant, key),
    constraint idempotency_key_check check (length(key) between 1 and 255)
);
create index idempotency_key_at on pawl.idempotency_key (at);

create table pawl.latch (
    tenant int not null,
    name text collate "C" not null,
    constraint latch_pk primary key (tenant, name),
    constraint latch_name_check check (octet_length(name) <= 600)
);
insert into pawl.latch (tenant, name) values (0, 'partitions'), (0, 'release_triggers 0');
