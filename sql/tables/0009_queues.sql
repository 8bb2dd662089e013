-- Queues that start runs, and what is handed to the queue of dead letters.
-- breaking: no
-- baseline: 0092_one_truth_for_names_and_times

set local lock_timeout = '5s';

-- Queues of pgmq whose messages start runs, and how they are read. A queue that a definition has a trigger for needs no
-- row, unless it is another tenant's than the first.
create table pawl.queue (
    name text not null,
    tenant int not null default 1,
    -- Which workflow its messages start, with the message as input. Null: each message names its workflow.
    workflow text,
    -- A message that cannot start a run is looked at so many times before it is given up.
    reads_max int not null default 5,
    dead_letter_queue text not null default 'workflow_dlq',
    -- What was dealt with is kept in the queue's archive.
    archive boolean not null default false,
    active boolean not null default true,
    -- A sender to such a queue sends for every organization: only the owner of the queues grants that.
    organizations boolean not null default false,
    constraint queue_pk primary key (name),
    constraint queue_reads_max_check check (reads_max between 1 and 1000),
    constraint queue_dead_letter_queue_check check (lower(dead_letter_queue) <> lower(name)),
    constraint queue_name_fits_check check (octet_length(name) <= 63)
);
comment on column pawl.queue.organizations is 'a message says by organization_id which tenant it is for';
-- The queues of the first documents, where they exist.
insert into pawl.queue (name, organizations) values ('workflow_queue', false), ('workflow_execution_queue', true);

-- Runs that failed for good and are not in workflow_dlq yet: the commit that closes them only notes them here.
create table pawl.dead_run_pending (
    bucket smallint not null,
    run_id uuid not null,
    constraint dead_run_pending_pk primary key (bucket, run_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Which workflow a key of those doors belongs to. The first call writes it before it starts the run, so that two calls
-- at once for two workflows start one run.
create table pawl.document_key (
    tenant int not null,
    workflow int not null,
    reserved_at timestamptz not null default clock_timestamp(),
    key text not null,
    constraint document_key_pk primary key (tenant, key),
    constraint document_key_key_fits_check check (octet_length(key) <= 2000)
);
