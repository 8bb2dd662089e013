-- Batches are sent with less around them. What a statement leaves out it asks the catalog for, as often as it is run:
-- the defaults are written out. Lists in the place of a column come row by row, without a copy of all of them.
-- breaking: no
-- unless: coalesce(obj_description(to_regnamespace('pgmq'), 'pg_namespace'), '') not like '%made by Pawl'
-- left out: The schema pgmq is not Pawl's; it is used as it is.

set local lock_timeout = '5s';

-- Lists of different length are filled up with nulls.
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz)
returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (read_ct, enqueued_at, vt, message, headers)
                                 select 0, now(), $1, unnest($2), unnest($3) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using delay, msgs, headers;
end $$;

create or replace function pgmq.send_batch(queue_name text, msgs jsonb[]) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (read_ct, enqueued_at, vt, message)
                                 select 0, now(), $1, unnest($2) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp(), msgs;
end $$;

create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (read_ct, enqueued_at, vt, message)
                                 select 0, now(), $1, unnest($2) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp() + make_interval(secs => delay), msgs;
end $$;

create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (read_ct, enqueued_at, vt, message)
                                 select 0, now(), $1, unnest($2) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using delay, msgs;
end $$;
