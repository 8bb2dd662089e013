-- unless: coalesce(obj_description(to_regnamespace('pgmq'), 'pg_namespace'), '') not like '%made by Pawl'

-- Storage settings of a queue's table: it is emptied as fast as it is filled.
create or replace function pgmq._tune(queue_table text) returns void
language plpgsql as $$
begin
    execute format('alter table pgmq.%I set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0,
                        autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_delay = 0)', queue_table);
end $$;

-- Half of each page is left for what a read makes of the rows in it. Queues are vacuumed often and at full speed: what
-- is deleted there is most of what was ever in it.
create or replace function pgmq._create_tables(
    queue_name text, persistence text, key text, partition_by text, archive_by text
)
returns void
language plpgsql as $$
declare
    v_queue text := pgmq.format_table_name(queue_name, 'q');
    v_archive text := pgmq.format_table_name(queue_name, 'a');
begin
    execute format(
        'create %s table if not exists pgmq.%I (
             msg_id bigint %s generated always as identity,
             read_ct int default 0 not null,
             enqueued_at timestamptz default now() not null,
             vt timestamptz not null,
             message jsonb,
             headers jsonb
         ) %s', persistence, v_queue, key, partition_by);
    execute format(
        'create table if not exists pgmq.%I (
             msg_id bigint %s not null,
             read_ct int default 0 not null,
             enqueued_at timestamptz default now() not null,
             archived_at timestamptz default now() not null,
             vt timestamptz not null,
             message jsonb,
             headers jsonb
         ) %s', v_archive, key, archive_by);
    execute format('create index if not exists %I on pgmq.%I (archived_at)', 'archived_at_idx_' || queue_name,
                   v_archive);
end $$;

-- Makes a queue of ordinary tables. A queue that exists stays as it is.
create or replace function pgmq.create_non_partitioned(queue_name text) returns void
language plpgsql as $$
declare
    v_queue text := pgmq.format_table_name(queue_name, 'q');
begin
    perform pgmq.validate_queue_name(queue_name);
    perform pgmq._lock_queue(queue_name);
    perform pgmq._create_tables(queue_name, '', 'primary key', '', '');
    perform pgmq._tune(v_queue);
    insert into pgmq.meta (queue_name, is_partitioned, is_unlogged)
    values (create_non_partitioned.queue_name, false, false) on conflict do nothing;
end $$;

-- Makes a queue whose messages are lost when the server crashes. Its archive is logged.
create or replace function pgmq.create_unlogged(queue_name text) returns void
language plpgsql as $$
declare
    v_queue text := pgmq.format_table_name(queue_name, 'q');
begin
    perform pgmq.validate_queue_name(queue_name);
    perform pgmq._lock_queue(queue_name);
    perform pgmq._create_tables(queue_name, 'unlogged', 'primary key', '', '');
    perform pgmq._tune(v_queue);
    insert into pgmq.meta (queue_name, is_partitioned, is_unlogged)
    values (create_unlogged.queue_name, false, true) on conflict do nothing;
end $$;

-- Makes a queue that is kept in partitions, by a number of messages or by time. A queue that exists stays as it is.
create or replace function pgmq.create_partitioned(
    queue_name text, partition_interval text default '10000', retention_interval text default '100000'
) returns void
language plpgsql as $$
declare
    v_queue text := pgmq.format_table_name(queue_name, 'q');
    v_archive text := pgmq.format_table_name(queue_name, 'a');
    v_control text := pgmq._get_partition_col(partition_interval);
    v_archive_control text := case when v_control = 'msg_id' then v_control else 'archived_at' end;
    v_step numeric := pgmq._measure(v_control, partition_interval);
    v_retention numeric := pgmq._measure(v_control, retention_interval);
begin
    perform pgmq.validate_queue_name(queue_name);
    perform pgmq._lock_queue(queue_name);
    if exists (select from pgmq._partitioned p where p.table_name = v_queue) then
        return;
    end if;
    perform pgmq._create_tables(queue_name, '', '', format('partition by range (%I)', v_control),
                                format('partition by range (%I)', v_archive_control));
    execute format('create index if not exists %I on pgmq.%I (msg_id)', v_queue || '_msg_id_idx', v_queue);
    perform pgmq._partition_table((v_queue, v_queue, v_control, v_step, v_retention)::pgmq._partitioned);
    perform pgmq._partition_table((v_archive, v_queue, v_archive_control, v_step, v_retention)::pgmq._partitioned);
    insert into pgmq.meta (queue_name, is_partitioned, is_unlogged)
    values (create_partitioned.queue_name, true, false) on conflict do nothing;
end $$;

-- Makes an ordinary queue. A queue that exists stays as it is.
create or replace function pgmq.create(queue_name text) returns void
language plpgsql as $$
begin
    perform pgmq.create_non_partitioned(queue_name);
end $$;

-- What is in the archive already stays in a table of its own, named ..._old.
create or replace function pgmq.convert_archive_partitioned(
    table_name text, partition_interval text default '10000', retention_interval text default '100000',
    leading_partition int default 10
) returns void
language plpgsql as $$
declare
    v_archive text := pgmq.format_table_name(table_name, 'a');
    v_queue text := pgmq.format_table_name(table_name, 'q');
    v_kind "char" := (select c.relkind from pg_class c
                       where c.relname = v_archive and c.relnamespace = 'pgmq'::regnamespace);
    v_control text := case pgmq._get_partition_col(partition_interval) when 'msg_id' then 'msg_id'
                           else 'archived_at' end;
begin
    if v_kind = 'p' then
        raise notice 'Table %s is already partitioned', v_archive;
        return;
    elsif v_kind is distinct from 'r' then
        raise notice 'Table %s does not exists', v_archive;
        return;
    end if;
    execute format('alter table pgmq.%I rename to %I', v_archive, v_archive || '_old');
    execute format('alter index if exists pgmq.%I rename to %I', 'archived_at_idx_' || table_name,
                   'archived_at_idx_' || table_name || '_old');
    execute format('create table pgmq.%I (like pgmq.%I including defaults including constraints)
                    partition by range (%I)', v_archive, v_archive || '_old', v_control);
    execute format('create index %I on pgmq.%I (archived_at)', 'archived_at_idx_' || table_name, v_archive);
    perform pgmq._partition_table((v_archive, v_queue, v_control, pgmq._measure(v_control, partition_interval),
                                   pgmq._measure(v_control, retention_interval))::pgmq._partitioned);
end $$;

-- An archive does not belong to an extension here, so there is nothing to detach it from.
create or replace function pgmq.detach_archive(queue_name text) returns void
language plpgsql as $$
begin
    perform pgmq.format_table_name(queue_name, 'a');
end $$;
