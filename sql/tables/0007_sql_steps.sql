-- Steps that run SQL: what they have done, what conditions may read, and the logins they run as.
-- breaking: no
-- baseline: 0092_one_truth_for_names_and_times

set local lock_timeout = '5s';

-- Written in the transaction of the statement: a step whose row is here has happened, and its result is what the
-- statement gave. So a worker that dies between that commit and the one of its event does not do it again.
create table pawl.sql_effect (
    bucket smallint not null,
    run_id uuid not null,
    key text not null,
    at timestamptz not null default now(),
    result jsonb,
    -- Which transaction has begun it: one begins one. What its pages come to so far.
    begun_in xid8,
    pages int not null default 0,
    page_rows int not null default 0,
    page_bytes bigint not null default 0,
    constraint sql_effect_pk primary key (bucket, run_id, key),
    constraint sql_effect_key_fits_check check (octet_length(key) <= 2000)
);
create index sql_effect_at on pawl.sql_effect (bucket, at);
create unique index sql_effect_begun_in on pawl.sql_effect (begun_in);

-- Written in the transaction of the statement, like the effect that it belongs to, and gone with it.
create table pawl.sql_page (
    bucket smallint not null,
    run_id uuid not null,
    key text not null,
    page int not null,
    rows jsonb not null,
    constraint sql_page_pk primary key (bucket, run_id, key, page),
    constraint sql_page_key_fits_check check (octet_length(key) <= 2000)
);

-- A condition may only ask tables that stand here. tenant 0: for every tenant.
create table pawl.condition_table (
    tenant int not null,
    schema_name text not null,
    table_name text not null,
    subject_column text not null,
    columns text[],
    constraint condition_table_pk primary key (tenant, schema_name, table_name),
    constraint condition_table_schema_fits_check check (octet_length(schema_name) <= 63),
    constraint condition_table_name_fits_check check (octet_length(table_name) <= 63)
);
comment on column pawl.condition_table.columns is 'what may be asked; null: every column';

-- Logins that sql steps run as, each for one tenant.
create table pawl.sql_login (
    role_name text not null,
    tenant int not null,
    constraint sql_login_pk primary key (role_name),
    constraint sql_login_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint sql_login_role_name_check check (octet_length(role_name) <= 63)
);
create index sql_login_tenant on pawl.sql_login (tenant);
