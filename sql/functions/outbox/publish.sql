-- Sends to a queue that the login of the workers does not own.
create or replace function pawl.send_to_queue(p_queue text, p_message jsonb[]) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform pgmq.send_batch(p_queue, p_message);
end
$$;

-- Channels and queues of this database: to send and to note that it was sent are one transaction. Says for each
-- target how many were sent, and how many could not be.
create or replace function pawl.publish_inside(p_bucket smallint, p_limit int)
returns table (kind text, sent int, failed int)
language plpgsql
set search_path = pg_catalog
set lock_timeout = '100ms'
set plan_cache_mode = 'force_generic_plan'
as $$
#variable_conflict use_column
declare
    v_target record;
    v_run uuid[];
    v_seq int[];
    v_message jsonb[];
    v_waits int[] := '{}';
begin
    for v_target in
        select t.id, t.tenant, t.kind, t.address, s.shard
          from pawl.outbox_lease s
          join pawl.outbox_target t on t.id = s.target
         where t.disabled_at is null and t.kind <> 'webhook' and s.next_at <= now()
           and exists (select 1 from pawl.outbox o
                        where o.bucket = p_bucket and o.target = s.target and o.shard = s.shard
                          and o.due_at <= now())
           for update of s skip locked
    loop
        -- A tenant that holds one of its queues may hold them all: one wait for it is enough.
        if v_target.tenant = any (v_waits) then
            update pawl.outbox_lease s
               set next_at = now() + interval '5 s'
             where s.target = v_target.id and s.shard = v_target.shard;
            continue;
        end if;
        select array_agg(p.run_id), array_agg(p.seq) into v_run, v_seq
          from pawl.pick_outbox(p_bucket, v_target.id, v_target.shard, p_limit) p;
        continue when v_run is null;
        begin
            v_message := array(
                select jsonb_build_object('id', 'evt_' || m.run_id || '_' || m.seq) || m.message::jsonb
                  from pawl.outbox_messages(p_bucket, v_target.id, v_run, v_seq) m
            );
            if v_target.kind = 'queue' then
                perform pawl.send_to_queue(v_target.address, v_message);
            else
                perform pawl.notify_of(v_target.address, v_message);
            end if;
            perform pawl.settle_outbox(
                p_bucket, v_target.id, null, null, v_run, v_seq, array_fill(2::smallint, array[cardinality(v_run)]),
                array_fill(true, array[cardinality(v_run)]), null, null, null, null, null, null);
            update pawl.outbox_lease s
               set failures = 0
             where s.target = v_target.id and s.shard = v_target.shard and s.failures > 0;
            kind := v_target.kind; sent := cardinality(v_run); failed := 0;
        exception
            when others then
                -- Most often the queue is gone, or its name is no name. It may come back. Whatever it is, the other
                -- targets, of other tenants too, get theirs.
                perform pawl.note_unsent(p_bucket, v_target.id, v_target.shard, v_run, v_seq, sqlerrm);
                if sqlstate = '55P03' then
                    v_waits := v_waits || v_target.tenant;
                end if;
                kind := v_target.kind; sent := 0; failed := cardinality(v_run);
        end;
        return next;
    end loop;
end
$$;

-- Tells a channel of messages: their ids, and nothing of the runs, since every role of the database may listen to every
-- channel.
create or replace function pawl.notify_of(p_channel text, p_message jsonb[]) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    perform pg_notify(p_channel, jsonb_build_object(
                'id', u.message -> 'id', 'type', u.message -> 'type',
                'timestamp', u.message -> 'timestamp',
                'data', jsonb_build_object('run_id', u.message -> 'data' -> 'run_id',
                                           'seq', u.message -> 'data' -> 'seq'))::text)
       from unnest(p_message) as u (message);
end
$$;

-- Notes that messages could not be sent, and why. Their shard is left alone for a time that doubles with each failure.
-- Called by publish_inside, which holds the shard.
create or replace function pawl.note_unsent(
    p_bucket smallint, p_target int, p_shard smallint, p_run uuid[], p_seq int[], p_error text
) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    update pawl.outbox o
       set error = p_error, attempts = least(o.attempts + 1, 32767)
      from unnest(p_run, p_seq) as u (run_id, seq)
     where o.bucket = p_bucket and o.target = p_target and o.run_id = u.run_id and o.seq = u.seq;
    update pawl.outbox_lease s
       set failures = s.failures + 1,
           next_at = now() + make_interval(secs => least(300, 5 * 2 ^ least(s.failures, 6)))
     where s.target = p_target and s.shard = p_shard;
end
$$;

-- How many messages publish_inside has sent; for older releases, which call this.
create or replace function pawl.publish_outbox(p_bucket smallint, p_limit int) returns int
language sql
set search_path = pg_catalog
return (select coalesce(sum(p.sent), 0)::int from pawl.publish_inside(p_bucket, p_limit) p);
