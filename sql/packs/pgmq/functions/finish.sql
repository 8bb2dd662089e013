-- unless: coalesce(obj_description(to_regnamespace('pgmq'), 'pg_namespace'), '') not like '%made by Pawl'

-- Deletes a message. False when there is none.
create or replace function pgmq.delete(queue_name text, msg_id bigint) returns boolean
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
declare
    v_count bigint;
begin
    execute format('delete from pgmq.%I where msg_id = $1', pgmq.format_table_name(queue_name, 'q')) using msg_id;
    get diagnostics v_count = row_count;
    return v_count > 0;
end $$;

-- Deletes messages and returns the ids of those that were there.
create or replace function pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    return query execute format('delete from pgmq.%I where msg_id = any ($1) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using msg_ids;
end $$;

-- Moves messages to the archive and returns the ids of those that were there.
create or replace function pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    return query execute format(
        'with gone as (delete from pgmq.%I where msg_id = any ($1)
                       returning msg_id, read_ct, enqueued_at, vt, message, headers)
         insert into pgmq.%I (msg_id, read_ct, enqueued_at, vt, message, headers)
         select g.* from gone g returning msg_id',
        pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a'))
        using msg_ids;
end $$;

-- Moves a message to the archive. False when there is none.
create or replace function pgmq.archive(queue_name text, msg_id bigint) returns boolean
language plpgsql as $$
begin
    return exists (select from pgmq.archive(queue_name, array[msg_id]));
end $$;
