-- Events from outside, the runs that wait for them, what they start, and schedules.
-- breaking: no
-- baseline: 0092_one_truth_for_names_and_times

set local lock_timeout = '5s';

-- Events from outside, as they came; never changed but for `problem`. They are kept for a while after they were
-- matched, so that a run that comes to its wait later still finds them, and so that one sent twice is known.
create table pawl.inbox (
    id bigint generated always as identity,
    bucket smallint not null,
    tenant int not null,
    event_id text not null,
    name text not null,
    key text not null,
    subject text,
    source text,
    time timestamptz,
    data jsonb,
    -- The moment of the call, not of the transaction, which may have begun before the run that waits.
    at timestamptz not null default clock_timestamp(),
    -- Why a workflow that should have been started by it was not.
    problem text,
    constraint inbox_pk primary key (bucket, tenant, event_id),
    constraint inbox_event_id_check check (octet_length(event_id) between 1 and 400),
    constraint inbox_name_check check (octet_length(name) <= 500),
    constraint inbox_key_check check (octet_length(key) <= 500)
) with (autovacuum_vacuum_insert_scale_factor = 0.2);
create index inbox_id on pawl.inbox (id);
create index inbox_key on pawl.inbox (tenant, name, key, at);

-- Events that were not yet matched with the subscriptions. A table of its own, so that the wide rows stay untouched.
create table pawl.inbox_pending (
    bucket smallint not null,
    id bigint not null,
    -- Further events beside id: a batch is one row.
    more bigint[],
    constraint inbox_pending_pk primary key (bucket, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Runs that wait for an event. `since`: events of that time or later count. `at`: when it began to wait.
create table pawl.subscription (
    run_id uuid not null,
    since timestamptz not null,
    at timestamptz not null default now(),
    tenant int not null,
    token int not null,
    ordinal smallint not null,
    bucket smallint not null,
    event text not null,
    key text not null,
    constraint subscription_pk primary key (bucket, run_id, token, ordinal),
    constraint subscription_event_fits_check check (octet_length(event) <= 500),
    constraint subscription_key_fits_check check (octet_length(key) <= 2000)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index subscription_key on pawl.subscription (tenant, event, key);

-- Subscriptions that were not yet matched with the inbox.
create table pawl.subscription_unchecked (
    bucket smallint not null,
    run_id uuid not null,
    token int not null,
    ordinal smallint not null,
    constraint subscription_unchecked_pk primary key (bucket, run_id, token, ordinal)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Subscriptions that have not been matched with the events that came before them.
create table pawl.subscription_check (
    bucket smallint not null,
    id bigint generated always as identity,
    runs uuid[] not null,
    tokens int[] not null,
    ordinals smallint[] not null,
    constraint subscription_check_pk primary key (bucket, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Which events start which workflows, and which ones runs of a workflow may wait for ('*': any); both follow from the
-- definitions.
create table pawl.event_trigger (
    tenant int not null,
    event text not null,
    workflow int not null,
    constraint event_trigger_pk primary key (tenant, event, workflow),
    constraint event_trigger_event_fits_check check (octet_length(event) <= 2000)
);

create table pawl.event_wait (
    workflow int not null,
    event text not null,
    constraint event_wait_pk primary key (workflow, event),
    constraint event_wait_event_fits_check check (octet_length(event) <= 2000)
);

-- Events that start workflows and were not yet looked at for that.
create table pawl.trigger_pending (
    bucket smallint not null,
    id bigint not null,
    attempts smallint not null default 0,
    lease_until timestamptz not null default '-infinity',
    constraint trigger_pending_pk primary key (bucket, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Events that start nothing before their tenant has room. Apart from trigger_pending, which is looked through all the
-- time and stays small.
create table pawl.trigger_held (
    bucket smallint not null,
    tenant int not null,
    id bigint not null,
    reason text not null,
    at timestamptz not null,  -- when the event came
    constraint trigger_held_pk primary key (bucket, tenant, id)
);

-- The run that a subject has, or had, of a workflow that it may not enter twice.
create table pawl.reentry (
    bucket smallint not null,
    tenant int not null,
    workflow int not null,
    subject text not null,
    run_id uuid not null,
    at timestamptz not null default now(),
    constraint reentry_pk primary key (bucket, tenant, workflow, subject),
    constraint reentry_subject_fits_check check (octet_length(subject) <= 2000)
);

create table pawl.schedule (
    id int generated always as identity,
    tenant int not null,
    workflow int not null,
    -- Which of the definition's triggers it is, from 0.
    place int not null,
    cron text not null,
    timezone text not null,
    overlap text not null,
    catch_up_ms bigint not null,
    jitter_ms bigint not null,
    input jsonb not null,
    -- The workflow is.
    active boolean not null,
    paused_at timestamptz,
    pause_reason text,
    -- Slots after this instant count; moved on when the schedule is changed, resumed or made active again.
    since timestamptz not null default now(),
    -- The slot that is next; null: not worked out yet.
    next_at timestamptz,
    -- When to look at it again: at its next slot, later by the jitter, or sooner when it was changed.
    due_at timestamptz default now(),
    -- A backfill under way: its next slot, and where it ends.
    backfill_at timestamptz,
    backfill_to timestamptz,
    backfill_due timestamptz,
    last_slot timestamptz,
    last_run uuid,
    -- Runs it started that may still be open; not kept when they may overlap.
    runs uuid[] not null default '{}',
    fired bigint not null default 0,
    -- Left out because the run before was still open.
    skipped bigint not null default 0,
    -- Left out because no scheduler looked for longer than catch_up_ms.
    missed bigint not null default 0,
    -- Why it does not fire; null: it does.
    problem text,
    constraint schedule_pk primary key (id),
    constraint schedule_workflow_fk foreign key (workflow) references pawl.workflow (id),
    constraint schedule_overlap_check check (overlap in ('skip', 'allow', 'queue')),
    constraint schedule_backfill_check check ((backfill_at is null) = (backfill_to is null))
) with (fillfactor = 70);
create index schedule_workflow on pawl.schedule (workflow);
create index schedule_tenant on pawl.schedule (tenant, id);
create index schedule_due on pawl.schedule (due_at) where active and paused_at is null;
create index schedule_backfill on pawl.schedule (backfill_due) where active and backfill_at is not null;
