-- unless: coalesce(obj_description(to_regnamespace('pgmq'), 'pg_namespace'), '') not like '%made by Pawl'

-- Adds a message and returns its id. delay: seconds, or the instant, before which it is not read.
create or replace function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message, headers) values ($1, $2, $3) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using delay, msg, headers;
end $$;

-- Adds a message and returns its id. delay: seconds, or the instant, before which it is not read.
create or replace function pgmq.send(queue_name text, msg jsonb) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message) values ($1, $2) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp(), msg;
end $$;

-- Adds a message and returns its id. delay: seconds, or the instant, before which it is not read.
create or replace function pgmq.send(queue_name text, msg jsonb, headers jsonb) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message, headers) values ($1, $2, $3) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp(), msg, headers;
end $$;

-- Adds a message and returns its id. delay: seconds, or the instant, before which it is not read.
create or replace function pgmq.send(queue_name text, msg jsonb, delay integer) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message) values ($1, $2) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp() + make_interval(secs => delay), msg;
end $$;

-- Adds a message and returns its id. delay: seconds, or the instant, before which it is not read.
create or replace function pgmq.send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message) values ($1, $2) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using delay, msg;
end $$;

-- Adds a message and returns its id. delay: seconds, or the instant, before which it is not read.
create or replace function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message, headers) values ($1, $2, $3) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp() + make_interval(secs => delay), msg, headers;
end $$;

-- Adds messages and returns their ids, in order. Lists of different length are filled up with nulls. delay: as in
-- pgmq.send.
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz)
returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (read_ct, enqueued_at, vt, message, headers)
                                 select 0, now(), $1, unnest($2), unnest($3) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using delay, msgs, headers;
end $$;

-- Adds messages and returns their ids, in order. Lists of different length are filled up with nulls. delay: as in
-- pgmq.send.
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[]) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (read_ct, enqueued_at, vt, message)
                                 select 0, now(), $1, unnest($2) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp(), msgs;
end $$;

-- Adds messages and returns their ids, in order. Lists of different length are filled up with nulls. delay: as in
-- pgmq.send.
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[]) returns setof bigint
language plpgsql as $$
begin
    return query select b from pgmq.send_batch(queue_name, msgs, headers, clock_timestamp()) as b;
end $$;

-- Adds messages and returns their ids, in order. Lists of different length are filled up with nulls. delay: as in
-- pgmq.send.
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (read_ct, enqueued_at, vt, message)
                                 select 0, now(), $1, unnest($2) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp() + make_interval(secs => delay), msgs;
end $$;

-- Adds messages and returns their ids, in order. Lists of different length are filled up with nulls. delay: as in
-- pgmq.send.
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (read_ct, enqueued_at, vt, message)
                                 select 0, now(), $1, unnest($2) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using delay, msgs;
end $$;

-- Adds messages and returns their ids, in order. Lists of different length are filled up with nulls. delay: as in
-- pgmq.send.
create or replace function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer)
returns setof bigint
language plpgsql as $$
begin
    return query select b from pgmq.send_batch(queue_name, msgs, headers,
                                               clock_timestamp() + make_interval(secs => delay)) as b;
end $$;
