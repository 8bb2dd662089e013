-- Organizations: workers of others that claim runs by SQL.
-- breaking: no
-- baseline: 0092_one_truth_for_names_and_times

set local lock_timeout = '5s';

-- The call that works for an organization: at most one at a time, and not for ever when it dies.
create table pawl.organization_worker (
    tenant int not null,
    running_until timestamptz not null default '-infinity',
    last_run_at timestamptz,
    last_batch_size int,
    constraint organization_worker_pk primary key (tenant),
    constraint organization_worker_tenant_fk foreign key (tenant) references pawl.tenant (id)
);
