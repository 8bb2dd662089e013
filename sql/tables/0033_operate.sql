-- Operators see and steer workers from afar: which targets they leave alone, and that one takes no more runs.
-- breaking: no

set local lock_timeout = '5s';

alter table pawl.worker
    -- Since when it should take no more runs, and give back those that it has. Null: it works.
    add column drain_at timestamptz,
    -- Since when it looks for that; null: not yet.
    add column heard_at timestamptz,
    -- How many runs it held when it told last: to count them would read all that are open.
    add column runs int not null default 0;

-- What each worker knows of targets whose circuit was open: it learns about them by itself.
create table pawl.circuit (
    worker uuid not null,
    tenant int not null,
    target text not null,
    state text not null,
    -- How often it was opened, and until when nothing is called.
    opened bigint not null,
    until timestamptz,
    error text,
    changed_at timestamptz not null default now(),
    -- An operator wants it closed; the worker does so and takes this away.
    close_at timestamptz,
    constraint circuit_pk primary key (tenant, target, worker),
    constraint circuit_worker_fk foreign key (worker) references pawl.worker (id) on delete cascade,
    constraint circuit_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint circuit_target_check check (octet_length(target) between 1 and 500),
    constraint circuit_state_check check (state in ('closed', 'open', 'half_open'))
) with (fillfactor = 50);
create index circuit_worker on pawl.circuit (worker);
