-- The rest of the interface of pgmq: queues come and go, and partitioned ones are kept without pg_partman.
-- breaking: no
-- unless: coalesce(obj_description(to_regnamespace('pgmq'), 'pg_namespace'), '') not like '%made by Pawl'
-- left out: The schema pgmq is not Pawl's; it is used as it is.

set local lock_timeout = '5s';

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

-- One queue is made, changed or dropped by one session at a time.
create function pgmq._lock_queue(queue_name text) returns void
language sql as $$ select pg_advisory_xact_lock(hashtext('pgmq.queue_' || queue_name)) $$;

-- Half of each page is left for what a read makes of the rows in it. Queues are vacuumed often and at full speed: what
-- is deleted there is most of what was ever in it.
create function pgmq._create_tables(queue_name text, persistence text, key text, partition_by text, archive_by text)
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

create function pgmq._tune(queue_table text) returns void
language plpgsql as $$
begin
    execute format('alter table pgmq.%I set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0,
                        autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_cost_delay = 0)', queue_table);
end $$;

create function pgmq.create_non_partitioned(queue_name text) returns void
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

create function pgmq.create(queue_name text) returns void
language plpgsql as $$
begin
    perform pgmq.create_non_partitioned(queue_name);
end $$;

-- The archive is logged all the same.
create function pgmq.create_unlogged(queue_name text) returns void
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

-- --- Partitions ----------------------------------------------------------------------------------------------------

create function pgmq._get_partition_col(partition_interval text) returns text
language plpgsql immutable as $$
begin
    perform partition_interval::integer;
    return 'msg_id';
exception when others then
    return 'enqueued_at';
end $$;

-- Ids, or seconds.
create function pgmq._measure(control text, amount text) returns numeric
language plpgsql as $$
declare
    v_amount numeric;
begin
    v_amount := case when control = 'msg_id' then amount::bigint
                     else extract(epoch from amount::interval) end;
    if v_amount <= 0 then
        raise exception 'partition and retention intervals must be positive, not %', amount
            using errcode = 'invalid_parameter_value';
    end if;
    return v_amount;
end $$;

create function pgmq._partition_name(table_name text, control text, lower_bound numeric) returns text
language plpgsql as $$
declare
    v_suffix text := '_p' || case when control = 'msg_id' then lower_bound::text
                                  else to_char(to_timestamp(lower_bound) at time zone 'utc', 'YYYYMMDD_HH24MISS') end;
begin
    if length(table_name || v_suffix) <= 63 then
        return table_name || v_suffix;
    end if;
    return left(table_name, 54 - length(v_suffix)) || '_' || left(md5(table_name), 8) || v_suffix;
end $$;

-- What came before its partition is in the default one; it moves when the partition is made.
create function pgmq._add_partition(kept pgmq._partitioned, lower_bound numeric) returns void
language plpgsql as $$
declare
    v_name text := pgmq._partition_name(kept.table_name, kept.control, lower_bound);
    v_bounds text[] := array(select case when kept.control = 'msg_id' then b::text
                                         else quote_literal(to_timestamp(b)) end
                               from unnest(array[lower_bound, lower_bound + kept.step]) b);
begin
    execute format('lock table pgmq.%I in access exclusive mode', kept.table_name || '_default');
    execute format('create table pgmq.%I (like pgmq.%I including defaults including constraints including storage)',
                   v_name, kept.table_name);
    if kept.table_name = kept.queue_table then
        perform pgmq._tune(v_name);
    end if;
    execute format('with moved as (delete from pgmq.%1$I where %2$I >= %3$s and %2$I < %4$s returning *)
                    insert into pgmq.%5$I select * from moved',
                   kept.table_name || '_default', kept.control, v_bounds[1], v_bounds[2], v_name);
    execute format('alter table pgmq.%I attach partition pgmq.%I for values from (%s) to (%s)',
                   kept.table_name, v_name, v_bounds[1], v_bounds[2]);
    insert into pgmq._partition values (kept.table_name, lower_bound, lower_bound + kept.step, v_name);
end $$;

-- Makes the partitions that will be wanted next, four ahead, and drops those that are beyond the retention whole.
create function pgmq._keep_partitions(kept pgmq._partitioned) returns void
language plpgsql as $$
declare
    v_top numeric;
    v_old record;
    v_lower numeric;
begin
    if kept.control = 'msg_id' then
        execute format('select case when is_called then last_value else 0 end from pgmq.%I',
                       kept.queue_table || '_msg_id_seq') into v_top;
    else
        v_top := extract(epoch from clock_timestamp());
    end if;
    for v_lower in select (floor(v_top / kept.step) + n) * kept.step from generate_series(0, 4) n loop
        if not exists (select from pgmq._partition p where p.table_name = kept.table_name and p.lower = v_lower) then
            perform pgmq._add_partition(kept, v_lower);
        end if;
    end loop;
    for v_old in delete from pgmq._partition p
                  where p.table_name = kept.table_name and p.upper <= v_top - kept.retention returning p.partition loop
        execute format('drop table if exists pgmq.%I', v_old.partition);
    end loop;
    execute format('delete from pgmq.%I where %I < %s', kept.table_name || '_default', kept.control,
                   case when kept.control = 'msg_id' then floor(v_top - kept.retention)::text
                        else quote_literal(to_timestamp(v_top - kept.retention)) end);
end $$;

-- For whoever keeps the time: the workers of Pawl, or pg_cron. A table that is in use is left for the next time.
create function pgmq.maintain_partitions() returns void
language plpgsql set lock_timeout = '1s' as $$
declare
    v_kept pgmq._partitioned;
begin
    for v_kept in select * from pgmq._partitioned order by table_name for update skip locked loop
        begin
            perform pgmq._keep_partitions(v_kept);
        exception when lock_not_available then
            null;
        end;
    end loop;
end $$;

create function pgmq._partition_table(kept pgmq._partitioned) returns void
language plpgsql as $$
begin
    execute format('create table if not exists pgmq.%I partition of pgmq.%I default',
                   kept.table_name || '_default', kept.table_name);
    insert into pgmq._partitioned values (kept.*) on conflict do nothing;
    perform pgmq._keep_partitions(kept);
end $$;

create function pgmq.create_partitioned(
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

-- What is in the archive already stays in a table of its own, named ..._old.
create function pgmq.convert_archive_partitioned(
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

-- --- Going ---------------------------------------------------------------------------------------------------------

create function pgmq.drop_queue(queue_name text) returns boolean
language plpgsql as $$
declare
    v_queue text := pgmq.format_table_name(queue_name, 'q');
    v_archive text := pgmq.format_table_name(queue_name, 'a');
begin
    perform pgmq._lock_queue(queue_name);
    if to_regclass(format('pgmq.%I', v_queue)) is null then
        raise notice 'pgmq queue `%` does not exist', queue_name;
        return false;
    end if;
    execute format('drop table if exists pgmq.%I, pgmq.%I', v_queue, v_archive);
    delete from pgmq.meta m where m.queue_name = drop_queue.queue_name;
    delete from pgmq._partitioned p where p.table_name in (v_queue, v_archive);
    return true;
end $$;

create function pgmq.drop_queue(queue_name text, partitioned boolean) returns boolean
language plpgsql as $$
begin
    raise warning 'drop_queue(queue_name, partitioned) is deprecated and will be removed in PGMQ v2.0. '
                  'Use drop_queue(queue_name) instead';
    perform pgmq.drop_queue(queue_name);
    return true;
end $$;

-- An archive does not belong to an extension here, so there is nothing to detach it from.
create function pgmq.detach_archive(queue_name text) returns void
language plpgsql as $$
begin
    perform pgmq.format_table_name(queue_name, 'a');
end $$;
