-- Where a session begins to look for messages follows the head of a busy queue, ten times a second: what was taken in
-- the meantime is not passed with every read.
-- breaking: no
-- unless: coalesce(obj_description(to_regnamespace('pgmq'), 'pg_namespace'), '') not like '%made by Pawl'
-- left out: The schema pgmq is not Pawl's; it is used as it is.

set local lock_timeout = '5s';

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
