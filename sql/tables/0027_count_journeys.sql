-- How journeys do: counts behind the log, made by a projector that reads what was committed since its last look.
--
-- Rows of the log, facts and conversions say which transaction wrote them. A projector remembers a snapshot: what is
-- new is what that snapshot does not see and the present one does, however long the transaction was open. The numbers
-- are those of whole transactions (txid_current), also for rows that a subtransaction wrote.
-- breaking: no

set local lock_timeout = '5s';

-- Without a default at first: rows that are there stay as they are, and count as old.
alter table pawl.event add column xid bigint;
alter table pawl.event alter column xid set default txid_current();
create index event_xid on pawl.event using brin (xid) with (pages_per_range = 128);

-- Of a fact that gets its message later: the transaction that gave it.
alter table pawl.message_fact add column xid bigint;
alter table pawl.message_fact alter column xid set default txid_current();
create index message_fact_xid on pawl.message_fact (xid) where message is not null;

-- A person did what a journey was for (pawl.note_conversion). A run converts once for each of its goals.
create table pawl.conversion (
    bucket smallint not null,
    run_id uuid not null,
    goal text not null,
    tenant int not null,
    workflow int not null,
    version int not null,
    -- Null: it was erased.
    subject text,
    at timestamptz not null,
    xid bigint not null default txid_current(),
    constraint conversion_pk primary key (bucket, run_id, goal),
    constraint conversion_goal_check check (octet_length(goal) <= 500),
    constraint conversion_subject_fits_check check (octet_length(subject) <= 500)
);
create index conversion_xid on pawl.conversion (xid);
create index conversion_made on pawl.conversion (tenant, workflow, at, run_id);
create index conversion_subject on pawl.conversion (tenant, subject) where subject is not null;

-- Which events are goals of which versions, and how long after a start they count. Follows from the definitions.
create table pawl.goal (
    workflow int not null,
    version int not null,
    tenant int not null,
    event text not null,
    within_ms bigint,
    name text not null,
    -- It hangs on more than the event and its person: only the run itself can tell.
    particular boolean not null default false,
    constraint goal_pk primary key (workflow, version, name),
    constraint goal_event_fits_check check (octet_length(event) <= 500),
    constraint goal_name_fits_check check (octet_length(name) <= 500)
);
create index goal_event on pawl.goal (tenant, event);

-- Events that are goals, until the projector has looked whose.
create table pawl.goal_pending (
    bucket smallint not null,
    id bigint not null,
    tenant int not null,
    constraint goal_pending_pk primary key (bucket, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Runs that may convert yet. `person` is a hash of the subject (pawl.person_number).
create table pawl.goal_entry (
    tenant int not null,
    workflow int not null,
    person bigint not null,
    run_id uuid not null,
    bucket smallint not null,
    version int not null,
    at timestamptz not null,
    until timestamptz not null default 'infinity',
    constraint goal_entry_pk primary key (bucket, run_id, workflow)
);
create index goal_entry_person on pawl.goal_entry (tenant, workflow, person);
create index goal_entry_until on pawl.goal_entry (until);

-- Counts. `span`: h for an hour, d for a day (of UTC), n for now, whose `at` is -infinity. `node` is empty for what
-- is about a whole run. `detail`: the handle of `passed`, the reason of `skipped`, the code of `failed`, the place of
-- the edge of `routed`. `variant`: SPLIT:NAME of a split that the run had passed, beside the row of all, where it is
-- empty.
create table pawl.funnel_count (
    tenant int not null,
    workflow int not null,
    span "char" not null,
    variant text not null default '',
    at timestamptz not null,
    version int not null,
    node text not null default '',
    what text not null,
    detail text not null default '',
    channel text not null default '',
    count bigint not null,
    constraint funnel_count_pk primary key (tenant, workflow, span, variant, at, version, node, what, detail, channel),
    constraint funnel_count_span_check check (span in ('h', 'd', 'n')),
    constraint funnel_count_variant_check check (octet_length(variant) <= 500),
    constraint funnel_count_node_check check (octet_length(node) <= 500),
    constraint funnel_count_what_check check (octet_length(what) <= 60),
    constraint funnel_count_detail_check check (octet_length(detail) <= 500),
    constraint funnel_count_channel_check check (octet_length(channel) <= 60)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- Who entered in which hour, as hashes: a person counts once in any range of hours, so each hour knows the hour before
-- in which the person entered. `variant` as above, for people who passed a split.
create table pawl.funnel_person (
    tenant int not null,
    workflow int not null,
    variant text not null,
    person bigint not null,
    at timestamptz not null,
    constraint funnel_person_pk primary key (tenant, workflow, variant, person, at),
    constraint funnel_person_variant_check check (octet_length(variant) <= 500)
);

-- How many people entered in an hour whose hour before was `before` (-infinity: none). Those of a range are the counts
-- whose `at` is in it and whose `before` is not.
create table pawl.funnel_people (
    tenant int not null,
    workflow int not null,
    variant text not null,
    at timestamptz not null,
    before timestamptz not null,
    count bigint not null,
    constraint funnel_people_pk primary key (tenant, workflow, variant, at, before),
    constraint funnel_people_variant_check check (octet_length(variant) <= 500)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- Where people are in open runs: at a wait, or at a step that is tried again. A row for each branch.
create table pawl.run_place (
    bucket smallint not null,
    run_id uuid not null,
    token int not null,
    tenant int not null,
    workflow int not null,
    version int not null,
    node text not null,
    -- What is waited for: time, event, task, ...; retry: the next attempt.
    state text not null,
    since timestamptz not null,
    subject text,
    constraint run_place_pk primary key (bucket, run_id, token),
    constraint run_place_node_check check (octet_length(node) <= 500),
    constraint run_place_state_check check (octet_length(state) <= 60)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index run_place_node on pawl.run_place (tenant, workflow, node, run_id, token);

-- How far a projector is. While `walk` is set it goes over what its snapshot sees, run by run; after that it follows.
create table pawl.projector (
    name text not null,
    bucket smallint not null,
    seen text not null,
    walk boolean not null default true,
    at_run uuid,
    -- Hours before this one cannot be counted again: retention has taken a part of their log.
    complete_since timestamptz not null default '-infinity',
    counted bigint not null default 0,
    started_at timestamptz not null default now(),
    looked_at timestamptz not null default now(),
    constraint projector_pk primary key (name, bucket),
    constraint projector_name_check check (octet_length(name) <= 60)
) with (fillfactor = 30);
