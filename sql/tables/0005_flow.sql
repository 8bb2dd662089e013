-- Gates: limits, rates and groups that runs pass before they begin.
-- breaking: no
-- baseline: 0092_one_truth_for_names_and_times

set local lock_timeout = '5s';

-- held: how many runs are inside; waited: runs may wait at it; look: it got room since then. All of it changes under
-- the lock of the row, so that a transaction that waited for the lock sees it.
create table pawl.flow_gate (
    bucket smallint not null,
    gate text collate "C" not null,
    base int not null,
    "limit" int not null,
    held int not null,
    waited boolean not null default false,
    look boolean not null default false,
    constraint flow_gate_pk primary key (bucket, gate),
    constraint flow_gate_gate_fits_check check (octet_length(gate) <= 2000)
) with (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
    autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off
);
-- Gates that got room while runs wait.
create index flow_gate_look on pawl.flow_gate (gate) where look;

create table pawl.flow_wait (
    bucket smallint not null,
    run_id uuid not null,
    gate text collate "C" not null,
    rank timestamptz not null,
    constraint flow_wait_pk primary key (bucket, run_id),
    constraint flow_wait_gate_fits_check check (octet_length(gate) <= 2000)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
create index flow_wait_turn on pawl.flow_wait (gate, rank, run_id);

-- When the next one may begin, by gate of a rate.
create table pawl.flow_rate (
    bucket smallint not null,
    gate text collate "C" not null,
    next_at timestamptz not null,
    constraint flow_rate_pk primary key (bucket, gate),
    constraint flow_rate_gate_fits_check check (octet_length(gate) <= 2000)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index flow_rate_over on pawl.flow_rate (next_at);

-- The run that starts with the same key are gathered into, until it begins.
create table pawl.flow_group (
    bucket smallint not null,
    gate text collate "C" not null,
    run_id uuid not null,
    first_at timestamptz not null,
    count int not null,
    constraint flow_group_pk primary key (bucket, gate),
    constraint flow_group_gate_fits_check check (octet_length(gate) <= 2000)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Limits that people have set on a running system, over those of the definitions: of one gate, or of every gate with
-- this beginning (its name without the key: 'tenant/workflow/name/').
create table pawl.flow_limit (
    gate text collate "C" not null,
    "limit" int not null,
    at timestamptz not null default now(),
    constraint flow_limit_pk primary key (gate),
    constraint flow_limit_check check ("limit" between 0 and 1000000),
    constraint flow_limit_gate_fits_check check (octet_length(gate) <= 2000)
);
