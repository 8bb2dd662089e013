-- Some of what is known about people may be used in a message or a condition, and must not be kept or shown anywhere
-- else: which columns these are.
-- breaking: no

set local lock_timeout = '5s';

-- Written by the owner of the schema alone (pawl.redact). tenant 0: of every tenant.
create table pawl.person_redaction (
    tenant int not null,
    columns text[] not null,
    updated_at timestamptz not null default now(),
    constraint person_redaction_pk primary key (tenant),
    constraint person_redaction_columns_check check (columns <> '{}')
);
