-- unless: coalesce(obj_description(to_regnamespace('pgmq'), 'pg_namespace'), '') not like '%made by Pawl'

-- The column that partitions a queue: msg_id for a number of messages, enqueued_at for a time.
create or replace function pgmq._get_partition_col(partition_interval text) returns text
language plpgsql immutable as $$
begin
    perform partition_interval::integer;
    return 'msg_id';
exception when others then
    return 'enqueued_at';
end $$;

-- The size of a partition as a number: ids, or seconds.
create or replace function pgmq._measure(control text, amount text) returns numeric
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

-- The name of a partition by its lower bound.
create or replace function pgmq._partition_name(table_name text, control text, lower_bound numeric) returns text
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
create or replace function pgmq._add_partition(kept pgmq._partitioned, lower_bound numeric) returns void
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

-- Partitions that rows come to before their own is made are kept like the others.
create or replace function pgmq._partition_table(kept pgmq._partitioned) returns void
language plpgsql as $$
begin
    execute format('create table if not exists pgmq.%I partition of pgmq.%I default',
                   kept.table_name || '_default', kept.table_name);
    if kept.table_name = kept.queue_table then
        perform pgmq._tune(kept.table_name || '_default');
    end if;
    insert into pgmq._partitioned values (kept.*) on conflict do nothing;
    perform pgmq._keep_partitions(kept);
end $$;

-- Makes the partitions that will be wanted next, four ahead, and drops those that are beyond the retention whole.
create or replace function pgmq._keep_partitions(kept pgmq._partitioned) returns void
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

-- Called on a schedule, by the workers of Pawl or by pg_cron. A table that is in use is left for the next time.
create or replace function pgmq.maintain_partitions() returns void
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
