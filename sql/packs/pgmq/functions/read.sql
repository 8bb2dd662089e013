-- unless: coalesce(obj_description(to_regnamespace('pgmq'), 'pg_namespace'), '') not like '%made by Pawl'

-- The lowest id that a message of a queue may have, as this session noted it: a reader does not look at what is gone.
create or replace function pgmq._low(queue regclass) returns bigint
language plpgsql as $$
declare
    v_note text := current_setting('pgmq.low_' || queue::oid, true);
begin
    if v_note <> '' and split_part(v_note, ' ', 2)::float8 > extract(epoch from clock_timestamp()) then
        return split_part(v_note, ' ', 1)::bigint;
    end if;
    return null;
end $$;

-- The note of a session about a queue: the first message that may be visible, until when that holds, when to follow it
-- from there, and when to look from the beginning again (a transaction that was open for long may have committed
-- messages before it), which may take a twentieth of the time.
create or replace function pgmq._note_low(queue regclass, took interval) returns void
language plpgsql as $$
declare
    v_name text := 'pgmq.low_' || queue::oid;
    v_note text[] := string_to_array(nullif(current_setting(v_name, true), ''), ' ');
    v_at timestamptz := clock_timestamp();
    v_now float8 := extract(epoch from v_at);
    v_from bigint := -9223372036854775808;
    v_until float8 := v_now + greatest(1, 20 * extract(epoch from took));
    v_whole float8 := v_until;
    v_low bigint;
    v_soonest timestamptz;
begin
    if v_note[2]::float8 > v_now then
        if v_note[3]::float8 > v_now then
            return;
        end if;
        v_from := v_note[1];
        v_until := v_note[2];
        v_whole := v_note[4];
    elsif v_note[4]::float8 > v_now then
        return;
    end if;
    execute format('select msg_id from %s where msg_id >= $1 and vt <= $2 order by msg_id limit 1', queue)
       into v_low using v_from, v_at;
    if v_low is null then
        execute format('select greatest(max(msg_id) + 1, $1) from %s', queue) into v_low using v_from;
    end if;
    execute format('select min(vt) from %s where msg_id >= $1 and msg_id < $2', queue)
       into v_soonest using v_from, v_low;
    if v_low is not null then
        perform set_config(v_name, concat_ws(' ', v_low, least(v_until, extract(epoch from v_soonest)::float8),
                                             v_now + 0.1, v_whole), false);
    end if;
end $$;

-- Takes up to qty visible messages, oldest first, and hides them for vt seconds. Skips messages that another reader
-- locks.
create or replace function pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb default '{}')
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
    if v_took > interval '0.5 ms' and pg_relation_size(v_queue) > 1048576 then
        perform pgmq._note_low(v_queue, v_took);
    end if;
end $$;

-- Like pgmq.read, but waits for a message up to max_poll_seconds.
create or replace function pgmq.read_with_poll(
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

-- Takes the oldest visible message and deletes it.
create or replace function pgmq.pop(queue_name text) returns setof pgmq.message_record
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
    if v_took > interval '0.5 ms' and pg_relation_size(v_queue) > 1048576 then
        perform pgmq._note_low(v_queue, v_took);
    end if;
end $$;

-- Parameters whose types a client leaves open would fit one id and many alike; text is what Postgres prefers then.
create or replace function pgmq.set_vt(queue_name text, msg_ids bigint[], vt integer) returns setof pgmq.message_record
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

-- Parameters whose types a client leaves open would fit one id and many alike; text is what Postgres prefers then.
create or replace function pgmq.set_vt(queue_name text, msg_id bigint, vt integer) returns setof pgmq.message_record
language plpgsql as $$
begin
    return query select * from pgmq.set_vt(queue_name, array[msg_id], vt);
end $$;

-- Parameters whose types a client leaves open would fit one id and many alike; text is what Postgres prefers then.
create or replace function pgmq.set_vt(queue_name text, msg_id text, vt integer) returns setof pgmq.message_record
language plpgsql as $$
begin
    return query select * from pgmq.set_vt(queue_name, case when msg_id like '{%' then msg_id::bigint[]
                                                            else array[msg_id::bigint] end, vt);
end $$;
