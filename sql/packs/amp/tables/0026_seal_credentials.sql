-- Credentials that are written with SQL: the database encrypts them for the server, which alone can open them, checks
-- them and keeps them with the account.
-- breaking: no

set local lock_timeout = '5s';

-- Keys of the server (RSA, 2048 bits): the modulus is public; the private key is encrypted like every secret. The
-- newest counts.
create table pawl.wrap_key (
    id uuid not null default gen_random_uuid(),
    modulus numeric not null,
    key_id text not null,
    nonce bytea not null,
    box bytea not null,
    created_at timestamptz not null default now(),
    constraint wrap_key_pk primary key (id)
);

-- What was written and is not yet with its account. problem: why it cannot be; then nothing of it is left here.
create table pawl.credential_inbox (
    tenant int not null,
    connector text not null,
    account text not null,
    settings jsonb,
    wrap_key uuid not null,
    wrapped bytea not null,
    data bytea not null,
    mac bytea not null,
    problem text,
    -- Of this writing: a later one has another.
    writing uuid not null default gen_random_uuid(),
    at timestamptz not null default now(),
    constraint credential_inbox_pk primary key (tenant, connector, account),
    constraint credential_inbox_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint credential_inbox_connector_check
        check (connector ~ '^[a-z][a-z0-9_]*$' and octet_length(connector) <= 60),
    constraint credential_inbox_account_check
        check (account ~ '^[A-Za-z0-9][A-Za-z0-9_.-]*$' and octet_length(account) <= 60),
    constraint credential_inbox_data_check check (length(data) <= 16384 and length(wrapped) <= 256)
);
