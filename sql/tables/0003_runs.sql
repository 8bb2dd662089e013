-- The log, and the rows that schedule work.
--
-- A run is the fold of its events. pawl.event is the truth: (bucket, run_id, seq) is written once. pawl.live_run has
-- one narrow row per open run and says which worker holds it and when it is due; pawl.run has one row per closed run,
-- written once. A run has a row in one of the two, never in both. pawl.worker is the fence: every write of a worker
-- locks its row, so taking that row away waits for its last batch and stops all later ones.
-- breaking: no
-- baseline: 0092_one_truth_for_names_and_times

set local lock_timeout = '5s';

-- The instant that a UUIDv7 carries. Index run_created is made of it, and every run that closes has it computed: a
-- change is a numbered file that builds the index again.
create function pawl.uuid7_time(p_id uuid) returns timestamptz
language sql immutable parallel safe
return to_timestamp(('x' || encode(substring(uuid_send(p_id) from 1 for 6), 'hex'))::bit(48)::bigint::float8 / 1000);

create table pawl.event (
    run_id uuid not null,
    at timestamptz not null,
    seq int not null,
    bucket smallint not null,
    type smallint not null,
    attempt smallint,
    node text,
    data jsonb,
    error jsonb,
    external_message_id text,
    -- Null for the first token, the only one of a run without branches.
    token int,
    constraint event_pk primary key (bucket, run_id, seq)
) partition by range (run_id);
-- Events come in the order of time, so a summary of a few pages at a time finds the newest, and costs an insert next to
-- nothing. Not autosummarize: under load its requests overflow their queue and fill the server's log. Readers of the
-- tail have the new pages summarised first (pawl.summarize_log).
create index event_at on pawl.event using brin (at) with (pages_per_range = 32);

-- A run id outside every week (a clock far off, an id made by hand) must not fail a start.
create table pawl.event_default partition of pawl.event default;

create table pawl.run (
    run_id uuid not null,
    started_at timestamptz not null,
    closed_at timestamptz not null,
    tenant int not null,
    workflow int not null,
    version int not null,
    bucket smallint not null,
    status smallint not null,
    subject text,
    output jsonb,
    error jsonb,
    parent uuid,
    -- The run that continues this failed or cancelled one.
    retried_as uuid,
    constraint run_pk primary key (bucket, run_id),
    constraint run_status_check check (status in (1, 2, 3)),
    constraint run_subject_fits_check check (octet_length(subject) <= 2000)
) partition by range (run_id);
-- Closed runs by subject, and the few that did not complete. Neither costs anything for a run that completed without a
-- subject, so the hot path does not feel them.
create index run_subject on pawl.run (bucket, tenant, subject, run_id) where subject is not null;
-- A tenant is in one bucket, so the tenant comes first: a condition on `bucket + 0` keeps the planner from the primary
-- key. With the bucket at its end the index alone answers counts, those through pawl.workflow_executions too.
create index run_tenant on pawl.run (tenant, workflow, status, run_id, bucket);
-- Few: what a count of the runs that a retry would take leaves out.
create index run_retried on pawl.run (tenant, workflow, status, run_id, bucket) where retried_as is not null;
-- Costs next to nothing to write. It bounds conditions on created_at of pawl.workflow_executions; with larger ranges
-- the planner believes that it pays less by reading all.
create index run_created on pawl.run using brin (pawl.uuid7_time(run_id)) with (pages_per_range = 4);

create table pawl.run_default partition of pawl.run default;

create table pawl.live_run (
    run_id uuid not null,
    worker uuid,
    due_at timestamptz not null,
    tenant int not null,
    workflow int not null,
    version int not null,
    bucket smallint not null,
    state smallint not null,
    priority smallint not null,
    subject text,
    -- The ticket: which gates the run has to pass. Null: none.
    flow jsonb,
    -- 1: inside its gates. 2: has to pass them before it goes on. 3: goes on without, cancelled while it
    -- waited. 4: starts are gathered into it until it is due. Null: nothing holds it back.
    slot smallint,
    constraint live_run_pk primary key (bucket, run_id),
    constraint live_run_worker_check check ((state = 1) = (worker is not null)),
    constraint live_run_state_check check (state in (0, 1, 2, 3))
) with (
    fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0,
    autovacuum_analyze_scale_factor = 0,
    autovacuum_analyze_threshold = 50000,
    vacuum_truncate = off
);
create index live_run_ready on pawl.live_run (bucket, priority, due_at, run_id) where state = 0;
-- Without the priority, so that neither this index nor live_run_ready can serve a query that is meant for the other.
create index live_run_turn on pawl.live_run (bucket, tenant, due_at) where state = 0;

create table pawl.worker (
    id uuid not null,
    host text not null,
    pid int not null,
    version text not null,
    started_at timestamptz not null default now(),
    beat_at timestamptz not null default now(),
    -- The server on which the session of the worker began: after a failover its commits are refused.
    timeline text not null default substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
    constraint worker_pk primary key (id)
) with (fillfactor = 30, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100);

create table pawl.signal (
    id bigint generated always as identity,
    bucket smallint not null,
    run_id uuid not null,
    kind text not null,
    data jsonb,
    at timestamptz not null default now(),
    -- The worker that held the run when the message was left; it finds its messages by this.
    worker uuid,
    -- The run was locked when the message was left: pawl.settle_signals looks at it again.
    unsure boolean not null default false,
    constraint signal_pk primary key (bucket, run_id, id),
    constraint signal_kind_check check (
        kind in ('cancel', 'pause', 'resume', 'skip', 'event', 'signal', 'task', 'child', 'callback', 'lock', 'gather',
                 'repin', 'interrupted')
    )
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index signal_worker on pawl.signal (worker, id) where worker is not null;
create index signal_unsure on pawl.signal (bucket, id) where unsure;

create table pawl.correlation (
    bucket smallint not null,
    tenant int not null,
    workflow int not null,
    key text not null,
    run_id uuid not null,
    at timestamptz not null default now(),
    constraint correlation_pk primary key (bucket, tenant, workflow, key),
    constraint correlation_key_check check (length(key) between 1 and 500),
    -- From a run to its key. Led by the run: an index led by the bucket could be taken for a look-up by key.
    constraint correlation_run_unique unique (run_id, bucket)
);

-- Runs inside a critical section, and runs that wait for it: the one with the lowest place is inside.
create table pawl.lock_place (
    bucket smallint not null,
    tenant int not null,
    key text not null,
    place bigint generated always as identity,
    run_id uuid not null,
    token int not null,
    constraint lock_place_pk primary key (bucket, tenant, key, place),
    constraint lock_place_key_check check (length(key) between 1 and 500)
);
create index lock_place_run on pawl.lock_place (bucket, run_id, token);

create table pawl.dead_letter (
    bucket smallint not null,
    run_id uuid not null,
    tenant int not null,
    workflow int not null,
    version int not null,
    node text,
    error jsonb not null,
    fingerprint text not null,
    at timestamptz not null default now(),
    replayed_as uuid,
    replayed_at timestamptz,
    constraint dead_letter_pk primary key (bucket, run_id),
    constraint dead_letter_fingerprint_fits_check check (octet_length(fingerprint) <= 100)
);
create index dead_letter_fingerprint on pawl.dead_letter (bucket, tenant, fingerprint, at, run_id);
create index dead_letter_at on pawl.dead_letter (bucket, tenant, at, run_id);
-- Failed runs that were not replayed yet.
create index dead_letter_open on pawl.dead_letter (bucket, at) where replayed_as is null;
create index dead_letter_waiting on pawl.dead_letter (tenant, fingerprint, at, run_id, bucket)
    where replayed_as is null;

-- Work that an API call asked for and that takes longer than a call: today the replay of many dead letters. The row is
-- changed in the transaction that does a part of the work, so a server that dies loses nothing and repeats nothing.
create table pawl.job (
    id uuid not null,
    tenant int not null,
    kind text not null,
    filter jsonb not null,
    status text not null default 'queued',
    total bigint not null,
    done bigint not null default 0,
    failed bigint not null default 0,
    error text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    lease_until timestamptz,
    -- The last dead letter that was looked at; of a bulk job: runs older than cursor_run are still to do.
    cursor_at timestamptz,
    cursor_run uuid,
    -- What is done to each run; null for a replay.
    request jsonb,
    -- A few of the runs to which it could not be done, and why.
    examples jsonb not null default '[]',
    -- What the job found out, by name.
    counts jsonb not null default '{}',
    constraint job_pk primary key (id),
    constraint job_kind_check check (kind in ('replay', 'bulk')),
    constraint job_status_check
        check (status in ('queued', 'running', 'done', 'failed', 'cancelled'))
);
create index job_open on pawl.job (created_at) where status in ('queued', 'running');
create index job_of_tenant on pawl.job (tenant, created_at desc, id desc);

-- Only hashes: a copy of the database must not hold what answers a step.
create table pawl.callback_use (
    bucket smallint not null,
    run_id uuid not null,
    token bytea not null,
    fingerprint bytea not null,
    expires_at timestamptz not null,
    at timestamptz not null default now(),
    constraint callback_use_pk primary key (bucket, token),
    constraint callback_use_check check (length(token) = 32 and length(fingerprint) = 32)
);
create index callback_use_expires on pawl.callback_use (expires_at);

create table pawl.figures (
    bucket smallint not null,
    taken_at timestamptz not null,
    figures jsonb not null,
    constraint figures_pk primary key (bucket)
) with (fillfactor = 30);

-- One row: which process retires a week, and how far it is. Steps are transactions of their own, and each can be done
-- again: a process that dies leaves the row to the next one when its lease is over, which begins the week anew.
create table pawl.retention (
    id int not null default 1,
    token uuid,
    lease_until timestamptz,
    week timestamptz,
    step text,
    at_bucket smallint,
    at_run uuid,
    constraint retention_pk primary key (id),
    constraint retention_check check (id = 1)
);
insert into pawl.retention default values;

-- Runs of the week that is retired whose rows changed after they were looked at for what must be carried over.
create table pawl.retention_late (
    id bigint generated always as identity,
    parent text not null,
    of_bucket smallint not null,
    run uuid not null,
    constraint retention_late_pk primary key (id)
);
