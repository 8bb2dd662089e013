-- unless: coalesce(obj_description(to_regnamespace('pgmq'), 'pg_namespace'), '') not like '%made by Pawl'

-- Drops a queue with its archive. False when there is none.
create or replace function pgmq.drop_queue(queue_name text) returns boolean
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

-- The signature of older clients: warns, and drops the queue.
create or replace function pgmq.drop_queue(queue_name text, partitioned boolean) returns boolean
language plpgsql as $$
begin
    raise warning 'drop_queue(queue_name, partitioned) is deprecated and will be removed in PGMQ v2.0. '
                  'Use drop_queue(queue_name) instead';
    perform pgmq.drop_queue(queue_name);
    return true;
end $$;

-- The lock first: a message that came after the count would go uncounted.
create or replace function pgmq.purge_queue(queue_name text) returns bigint
language plpgsql as $$
declare
    v_table text := pgmq.format_table_name(queue_name, 'q');
    v_count bigint;
begin
    execute format('lock table pgmq.%I in access exclusive mode', v_table);
    execute format('select count(*) from pgmq.%I', v_table) into v_count;
    execute format('truncate pgmq.%I', v_table);
    return v_count;
end $$;
