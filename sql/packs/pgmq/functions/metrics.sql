-- unless: coalesce(obj_description(to_regnamespace('pgmq'), 'pg_namespace'), '') not like '%made by Pawl'

-- All queues.
create or replace function pgmq.list_queues() returns setof pgmq.queue_record
language plpgsql as $$
begin
    return query select m.queue_name, m.is_partitioned, m.is_unlogged, m.created_at from pgmq.meta m;
end $$;

-- Length, ages and totals of a queue.
create or replace function pgmq.metrics(queue_name text) returns pgmq.metrics_result
language plpgsql as $$
declare
    v_table text := pgmq.format_table_name(queue_name, 'q');
    v_result pgmq.metrics_result;
begin
    execute format(
        'select $1, count(*), extract(epoch from now() - max(q.enqueued_at))::int,
                extract(epoch from now() - min(q.enqueued_at))::int,
                (select case when s.is_called then s.last_value else 0 end from pgmq.%I s),
                now(), count(*) filter (where q.vt <= now())
           from pgmq.%I q', v_table || '_msg_id_seq', v_table)
        into v_result using queue_name;
    return v_result;
end $$;

-- pgmq.metrics of every queue.
create or replace function pgmq.metrics_all() returns setof pgmq.metrics_result
language plpgsql as $$
begin
    return query select x.* from pgmq.meta m cross join lateral pgmq.metrics(m.queue_name) x;
end $$;
