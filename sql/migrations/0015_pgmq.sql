-- Message queues with the SQL interface of pgmq 1.5, for databases that do not have that extension: the same functions,
-- types, tables and texts, so that its clients work here. A database that has a schema pgmq keeps it as it is.
-- breaking: no
-- unless: to_regnamespace('pgmq') is not null or not has_database_privilege(current_database(), 'create')
-- left out: The schema pgmq is not made by Pawl: it exists already, or this role may not create it.

set local lock_timeout = '5s';

create schema pgmq;
comment on schema pgmq is 'Queues with the SQL interface of pgmq 1.5, made by Pawl';

create table pgmq.meta (
    queue_name varchar not null,
    is_partitioned boolean not null,
    is_unlogged boolean not null,
    created_at timestamptz not null default now(),
    constraint meta_queue_name_key unique (queue_name)
);

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

grant usage on schema pgmq to pg_monitor;
grant select on all tables in schema pgmq to pg_monitor;
alter default privileges in schema pgmq grant select on tables to pg_monitor;
alter default privileges in schema pgmq grant select on sequences to pg_monitor;

-- --- Names ---------------------------------------------------------------------------------------------------------

create function pgmq.format_table_name(queue_name text, prefix text) returns text
language plpgsql immutable as $$
begin
    if queue_name ~ '[$;'']|--' then
        raise exception 'queue name contains invalid characters: $, ;, --, or \''';
    end if;
    return lower(prefix || '_' || queue_name);
end $$;

-- 47 characters leave room for the names that are made of it.
create function pgmq.validate_queue_name(queue_name text) returns void
language plpgsql as $$
begin
    if length(queue_name) > 47 then
        raise exception 'queue name is too long, maximum length is 48 characters';
    end if;
end $$;

-- --- Sending -------------------------------------------------------------------------------------------------------
-- Every form is a function of its own: one that calls another would be planned twice for each message.

create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message, headers) values ($1, $2, $3) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using delay, msg, headers;
end $$;

create function pgmq.send(queue_name text, msg jsonb) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message) values ($1, $2) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp(), msg;
end $$;

create function pgmq.send(queue_name text, msg jsonb, headers jsonb) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message, headers) values ($1, $2, $3) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp(), msg, headers;
end $$;

create function pgmq.send(queue_name text, msg jsonb, delay integer) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message) values ($1, $2) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp() + make_interval(secs => delay), msg;
end $$;

create function pgmq.send(queue_name text, msg jsonb, delay timestamptz) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message) values ($1, $2) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using delay, msg;
end $$;

create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message, headers) values ($1, $2, $3) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp() + make_interval(secs => delay), msg, headers;
end $$;

-- Lists of different length are filled up with nulls.
create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz)
returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message, headers)
                                 select $1, u.m, u.h from unnest($2, $3) as u (m, h) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using delay, msgs, headers;
end $$;

create function pgmq.send_batch(queue_name text, msgs jsonb[]) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message) select $1, u.m from unnest($2) as u (m)
                                 returning msg_id', pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp(), msgs;
end $$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[]) returns setof bigint
language plpgsql as $$
begin
    return query select b from pgmq.send_batch(queue_name, msgs, headers, clock_timestamp()) as b;
end $$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message) select $1, u.m from unnest($2) as u (m)
                                 returning msg_id', pgmq.format_table_name(queue_name, 'q'))
        using clock_timestamp() + make_interval(secs => delay), msgs;
end $$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz) returns setof bigint
language plpgsql as $$
begin
    return query execute format('insert into pgmq.%I (vt, message) select $1, u.m from unnest($2) as u (m)
                                 returning msg_id', pgmq.format_table_name(queue_name, 'q'))
        using delay, msgs;
end $$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer) returns setof bigint
language plpgsql as $$
begin
    return query select b from pgmq.send_batch(queue_name, msgs, headers,
                                               clock_timestamp() + make_interval(secs => delay)) as b;
end $$;

-- --- Reading -------------------------------------------------------------------------------------------------------
-- The order is that of msg_id, and so is the only index: vt has none, therefore a read changes no index (the new row
-- versions are heap-only). What lies at the head and is not to be read, deleted messages that nobody vacuumed yet and
-- those that are invisible, would be passed again with every read. A session that had to pass many remembers where the
-- first visible message was, for a second, or longer when finding out took long.

create function pgmq._low(queue regclass) returns bigint
language plpgsql as $$
declare
    v_note text := current_setting('pgmq.low_' || queue::oid, true);
begin
    if v_note <> '' and split_part(v_note, ' ', 2)::float8 > extract(epoch from clock_timestamp()) then
        return split_part(v_note, ' ', 1)::bigint;
    end if;
    return null;
end $$;

create function pgmq._note_low(queue regclass, took interval) returns void
language plpgsql as $$
declare
    v_now timestamptz := clock_timestamp();
    v_low bigint;
    v_soonest timestamptz;
begin
    execute format('select msg_id from %s where vt <= $1 order by msg_id limit 1', queue) into v_low using v_now;
    if v_low is null then
        execute format('select max(msg_id) + 1 from %s', queue) into v_low;
    end if;
    execute format('select min(vt) from %s where msg_id < $1', queue) into v_soonest using v_low;
    if v_low is not null then
        perform set_config('pgmq.low_' || queue::oid, v_low || ' ' || extract(epoch from least(
            v_soonest, v_now + greatest(interval '1 second', 20 * took))), false);
    end if;
end $$;

create function pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb default '{}')
returns setof pgmq.message_record
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
    v_table text := pgmq.format_table_name(queue_name, 'q');
    v_queue regclass := to_regclass(format('pgmq.%I', v_table));
    v_low bigint := pgmq._low(v_queue);
    v_now timestamptz := clock_timestamp();
    v_took interval;
begin
    return query execute format(
        'with taken as (
             update pgmq.%1$I m set vt = clock_timestamp() + $3, read_ct = m.read_ct + 1
              where m.msg_id = any (array(
                  select q.msg_id from pgmq.%1$I q where q.msg_id >= $1 and q.vt <= $2 %2$s
                   order by q.msg_id limit $4 for update skip locked))
          returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers)
         select * from taken t order by t.msg_id',
        v_table, case when conditional <> '{}' then 'and q.message @> $5' end)
        using coalesce(v_low, -9223372036854775808), v_now, make_interval(secs => vt), qty, conditional;
    v_took := clock_timestamp() - v_now;
    if v_low is null and v_took > interval '3 ms' + coalesce(qty, 1000000) * interval '0.05 ms' then
        perform pgmq._note_low(v_queue, v_took);
    end if;
end $$;

create function pgmq.read_with_poll(
    queue_name text, vt integer, qty integer, max_poll_seconds integer default 5, poll_interval_ms integer default 100,
    conditional jsonb default '{}'
) returns setof pgmq.message_record
language plpgsql as $$
declare
    v_end timestamptz := clock_timestamp() + make_interval(secs => max_poll_seconds);
begin
    perform pgmq.format_table_name(queue_name, 'q');
    while clock_timestamp() < v_end loop
        return query select * from pgmq.read(queue_name, vt, qty, conditional);
        exit when found;
        perform pg_sleep(poll_interval_ms::numeric / 1000);
    end loop;
end $$;

create function pgmq.pop(queue_name text) returns setof pgmq.message_record
language plpgsql set enable_seqscan = off set enable_bitmapscan = off set jit = off as $$
declare
    v_table text := pgmq.format_table_name(queue_name, 'q');
    v_queue regclass := to_regclass(format('pgmq.%I', v_table));
    v_low bigint := pgmq._low(v_queue);
    v_now timestamptz := clock_timestamp();
    v_took interval;
begin
    return query execute format(
        'delete from pgmq.%1$I m where m.msg_id = (
             select q.msg_id from pgmq.%1$I q where q.msg_id >= $1 and q.vt <= $2
              order by q.msg_id limit 1 for update skip locked)
         returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers', v_table)
        using coalesce(v_low, -9223372036854775808), v_now;
    v_took := clock_timestamp() - v_now;
    if v_low is null and v_took > interval '3 ms' then
        perform pgmq._note_low(v_queue, v_took);
    end if;
end $$;

create function pgmq.set_vt(queue_name text, msg_ids bigint[], vt integer) returns setof pgmq.message_record
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
declare
    v_table text := pgmq.format_table_name(queue_name, 'q');
    v_note text := 'pgmq.low_' || to_regclass(format('pgmq.%I', v_table))::oid;
begin
    return query execute format(
        'update pgmq.%I m set vt = clock_timestamp() + $1 where m.msg_id = any ($2)
         returning m.msg_id, m.read_ct, m.enqueued_at, m.vt, m.message, m.headers', v_table)
        using make_interval(secs => vt), msg_ids;
    if current_setting(v_note, true) <> '' then
        perform set_config(v_note, '', false);
    end if;
end $$;

create function pgmq.set_vt(queue_name text, msg_id bigint, vt integer) returns setof pgmq.message_record
language plpgsql as $$
begin
    return query select * from pgmq.set_vt(queue_name, array[msg_id], vt);
end $$;

-- Parameters whose types a client leaves open would fit one id and many alike; text is what Postgres prefers then.
create function pgmq.set_vt(queue_name text, msg_id text, vt integer) returns setof pgmq.message_record
language plpgsql as $$
begin
    return query select * from pgmq.set_vt(queue_name, case when msg_id like '{%' then msg_id::bigint[]
                                                            else array[msg_id::bigint] end, vt);
end $$;

-- --- Deleting and archiving ----------------------------------------------------------------------------------------

create function pgmq.delete(queue_name text, msg_id bigint) returns boolean
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
declare
    v_count bigint;
begin
    execute format('delete from pgmq.%I where msg_id = $1', pgmq.format_table_name(queue_name, 'q')) using msg_id;
    get diagnostics v_count = row_count;
    return v_count > 0;
end $$;

create function pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint
language plpgsql set enable_seqscan = off set enable_bitmapscan = off as $$
begin
    return query execute format('delete from pgmq.%I where msg_id = any ($1) returning msg_id',
                                pgmq.format_table_name(queue_name, 'q'))
        using msg_ids;
end $$;

create function pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint
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

create function pgmq.archive(queue_name text, msg_id bigint) returns boolean
language plpgsql as $$
begin
    return exists (select from pgmq.archive(queue_name, array[msg_id]));
end $$;

-- The lock first: a message that came after the count would go uncounted.
create function pgmq.purge_queue(queue_name text) returns bigint
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

-- --- Looking -------------------------------------------------------------------------------------------------------

create function pgmq.metrics(queue_name text) returns pgmq.metrics_result
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

create function pgmq.metrics_all() returns setof pgmq.metrics_result
language plpgsql as $$
begin
    return query select x.* from pgmq.meta m cross join lateral pgmq.metrics(m.queue_name) x;
end $$;

create function pgmq.list_queues() returns setof pgmq.queue_record
language plpgsql as $$
begin
    return query select m.queue_name, m.is_partitioned, m.is_unlogged, m.created_at from pgmq.meta m;
end $$;
