-- What journeys may do in the tables of a tenant: statements that the owner of the schema registered under a name.
-- breaking: no

set local lock_timeout = '5s';

-- Written by the owner of the schema alone (pawl.register_action): a statement runs with the rights of the engine.
-- tenant 0: for every tenant that has none of that name of its own.
create table pawl.action (
    tenant int not null,
    name text not null,
    -- With $1, $2, ... for `params`.
    statement text not null,
    params text[] not null,
    updated_at timestamptz not null default now(),
    constraint action_pk primary key (tenant, name),
    constraint action_name_check check (name ~ '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$'),
    constraint action_name_fits_check check (octet_length(name) <= 100),
    constraint action_statement_check check (octet_length(statement) <= 100000)
);
