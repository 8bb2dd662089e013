-- Queues with the SQL interface of pgmq, where the extension is not there.
-- breaking: no
-- baseline: 0092_one_truth_for_names_and_times
-- unless: to_regnamespace('pgmq') is not null or not has_database_privilege(current_database(), 'create')
-- left out: The schema pgmq is not made by Pawl: it exists already, or this role may not create it.

set local lock_timeout = '5s';

create schema pgmq;
comment on schema pgmq is 'Queues with the SQL interface of pgmq 1.5, made by Pawl';
grant usage on schema pgmq to pg_monitor;
alter default privileges in schema pgmq grant select on tables to pg_monitor;
alter default privileges in schema pgmq grant select on sequences to pg_monitor;

create type pgmq.message_record as (
    msg_id bigint, read_ct integer, enqueued_at timestamptz, vt timestamptz, message jsonb, headers jsonb
);

create type pgmq.queue_record as (
    queue_name varchar, is_partitioned boolean, is_unlogged boolean, created_at timestamptz
);

create type pgmq.metrics_result as (
    queue_name text, queue_length bigint, newest_msg_age_sec int, oldest_msg_age_sec int, total_messages bigint,
    scrape_time timestamptz, queue_visible_length bigint
);

create table pgmq.meta (
    queue_name varchar not null,
    is_partitioned boolean not null,
    is_unlogged boolean not null,
    created_at timestamptz not null default now(),
    constraint meta_queue_name_key unique (queue_name)
);

-- A table that is kept in partitions: by msg_id, or by the time in enqueued_at or archived_at.
create table pgmq._partitioned (
    table_name text not null,
    queue_table text not null,  -- whose ids count, for an archive too
    control text not null,
    step numeric not null,  -- ids, or seconds
    retention numeric not null,
    constraint _partitioned_pk primary key (table_name)
);

create table pgmq._partition (
    table_name text not null,
    lower numeric not null,
    upper numeric not null,
    partition text not null,
    constraint _partition_pk primary key (table_name, lower),
    constraint _partition_fk foreign key (table_name) references pgmq._partitioned on delete cascade
);
