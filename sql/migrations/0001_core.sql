-- The core of Pawl: configuration, the log, and the rows that schedule work.
--
-- A run is the fold of its events. pawl.event is the truth: (bucket, run_id, seq) is written
-- once, whoever tries. pawl.live_run has one narrow row per open run and says who may work on it
-- and when; pawl.run has one row per closed run, written once. A run has a row in one of the
-- two, never in both. pawl.worker is the fence: every write of a worker locks its row, so taking
-- that row away waits for its last batch and stops all later ones.
-- breaking: no

set local lock_timeout = '5s';

-- Configuration -------------------------------------------------------------------------------------------------------

create table pawl.tenant (
    id int generated always as identity,
    name text not null,
    bucket smallint not null default 0,
    created_at timestamptz not null default now(),
    constraint tenant_pk primary key (id),
    constraint tenant_name_unique unique (name),
    constraint tenant_name_check check (length(name) between 1 and 200)
);
insert into pawl.tenant (name) values ('default');

create table pawl.workflow (
    id int generated always as identity,
    tenant int not null,
    name text not null,
    active_version int not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint workflow_pk primary key (id),
    constraint workflow_name_unique unique (tenant, name),
    constraint workflow_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint workflow_name_check check (length(name) between 1 and 200)
);

create table pawl.workflow_version (
    workflow int not null,
    version int not null,
    definition jsonb not null,
    created_at timestamptz not null default now(),
    constraint workflow_version_pk primary key (workflow, version),
    constraint workflow_version_workflow_fk foreign key (workflow) references pawl.workflow (id),
    constraint workflow_version_check check (version >= 1)
);

-- The log -------------------------------------------------------------------------------------------------------------

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
    constraint event_pk primary key (bucket, run_id, seq)
) partition by range (run_id);

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
    constraint run_pk primary key (bucket, run_id),
    constraint run_status_check check (status in (1, 2, 3))
) partition by range (run_id);

-- Scheduling ----------------------------------------------------------------------------------------------------------

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
    constraint live_run_pk primary key (bucket, run_id),
    constraint live_run_state_check check (state in (0, 1, 2)),
    constraint live_run_worker_check check ((state = 1) = (worker is not null))
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

create table pawl.worker (
    id uuid not null,
    host text not null,
    pid int not null,
    version text not null,
    started_at timestamptz not null default now(),
    beat_at timestamptz not null default now(),
    constraint worker_pk primary key (id)
) with (fillfactor = 30, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100);

create table pawl.signal (
    id bigint generated always as identity,
    bucket smallint not null,
    run_id uuid not null,
    kind text not null,
    data jsonb,
    at timestamptz not null default now(),
    constraint signal_pk primary key (bucket, run_id, id),
    constraint signal_kind_check check (kind in ('cancel'))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create table pawl.correlation (
    bucket smallint not null,
    tenant int not null,
    workflow int not null,
    key text not null,
    run_id uuid not null,
    at timestamptz not null default now(),
    constraint correlation_pk primary key (bucket, tenant, workflow, key),
    constraint correlation_key_check check (length(key) between 1 and 500)
);

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
    constraint dead_letter_pk primary key (bucket, run_id)
);
create index dead_letter_fingerprint on pawl.dead_letter (bucket, tenant, fingerprint, run_id);

-- Names of the small numbers (ARCHITECTURE.md, glossary) -------------------------------------------------------------

create function pawl.event_type_name(p_type smallint) returns text
language sql immutable parallel safe
return (array['run_started', 'step_completed', 'step_failed', 'wait_started', 'run_completed', 'run_failed',
              'run_cancelled'])[p_type + 1];

create function pawl.run_status_name(p_status smallint) returns text
language sql immutable parallel safe
return (array['running', 'completed', 'failed', 'cancelled'])[p_status + 1];

create function pawl.live_state_name(p_state smallint) returns text
language sql immutable parallel safe
return (array['ready', 'leased', 'parked'])[p_state + 1];

-- Ids and partitions --------------------------------------------------------------------------------------------------

-- The smallest UUIDv7 of a millisecond: partition bounds.
create function pawl.uuid7_bound(p_at timestamptz) returns uuid
language sql immutable parallel safe
return (lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- A random v4 uuid whose first 48 bits become the time and whose version nibble becomes 7.
create function pawl.uuid7() returns uuid
language sql volatile parallel safe
return encode(
    set_bit(
        set_bit(
            overlay(
                uuid_send(gen_random_uuid())
                placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
                from 1 for 6
            ),
            52, 1
        ),
        53, 1
    ),
    'hex'
)::uuid;

-- One partition a week, from last week to `p_weeks_ahead` weeks ahead. Run ids carry their time,
-- so old weeks are dropped whole. Idempotent; safe when many processes call it at once. Returns
-- how many partitions were made.
create function pawl.ensure_partitions(p_weeks_ahead int default 4) returns int
language plpgsql set search_path = pg_catalog as $$
declare
    v_week timestamptz;
    v_table text;
    v_name text;
    v_made int := 0;
begin
    perform pg_advisory_xact_lock(hashtext('pawl.ensure_partitions'));
    for v_week in
        select generate_series(
            date_trunc('week', now() at time zone 'UTC') - interval '1 week',
            date_trunc('week', now() at time zone 'UTC') + p_weeks_ahead * interval '1 week',
            interval '1 week'
        ) at time zone 'UTC'
    loop
        foreach v_table in array array['event', 'run'] loop
            v_name := format('%s_%s', v_table, to_char(v_week at time zone 'UTC', 'YYYYMMDD'));
            continue when to_regclass('pawl.' || v_name) is not null;
            -- Rows of that week may be in the default partition already, written by a clock that ran ahead. They stay
            -- there, and so do the rest of that week: the weeks after it must be made all the same.
            begin
                execute format(
                    'create table pawl.%I partition of pawl.%I for values from (%L) to (%L)'
                    ' with (autovacuum_vacuum_insert_scale_factor = 0.2)',
                    v_name, v_table, pawl.uuid7_bound(v_week), pawl.uuid7_bound(v_week + interval '1 week')
                );
                v_made := v_made + 1;
            exception when check_violation then
                raise warning 'pawl.%_default holds rows of the week %: no partition made', v_table, v_week;
            end;
        end loop;
    end loop;
    return v_made;
end
$$;

-- A run id outside every week (a clock far off, an id made by hand) must not fail a start.
create table pawl.event_default partition of pawl.event default;
create table pawl.run_default partition of pawl.run default;

-- Drops whole weeks that ended before `p_keep` ago and hold no open run. Returns the names of
-- what was dropped.
create function pawl.drop_old_partitions(p_keep interval) returns setof text
language plpgsql set search_path = pg_catalog as $$
declare
    v_week timestamptz;
    v_until uuid;
    v_name text;
    v_table text;
begin
    perform pg_advisory_xact_lock(hashtext('pawl.ensure_partitions'));
    for v_week, v_name in
        select to_timestamp(substring(c.relname from '\d{8}$') || '+00', 'YYYYMMDDTZH'),
               substring(c.relname from '\d{8}$')
          from pg_inherits i
          join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'pawl.event'::regclass and c.relname ~ '^event_\d{8}$'
    loop
        v_until := pawl.uuid7_bound(v_week + interval '1 week');
        continue when v_week + interval '1 week' > now() - p_keep;
        continue when exists (
            select 1 from pawl.live_run l where l.run_id >= pawl.uuid7_bound(v_week) and l.run_id < v_until
        );
        foreach v_table in array array['event', 'run'] loop
            execute format('drop table if exists pawl.%I', v_table || '_' || v_name);
            return next v_table || '_' || v_name;
        end loop;
        delete from pawl.correlation c where c.run_id >= pawl.uuid7_bound(v_week) and c.run_id < v_until;
        delete from pawl.dead_letter d where d.run_id >= pawl.uuid7_bound(v_week) and d.run_id < v_until;
    end loop;
end
$$;

select pawl.ensure_partitions();
