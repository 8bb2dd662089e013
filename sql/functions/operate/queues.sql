-- A queue of pgmq: how much is in it (counted up to 10,000: a list must answer while a queue has millions), since when,
-- and what its messages start. For operators of the database.
create or replace function pawl.describe_queue(p_name text) returns jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_table text := lower('q_' || p_name);
    v_length bigint;
    v_visible bigint;
    v_oldest timestamptz;
begin
    execute format(
        'select count(*), count(*) filter (where q.vt <= now()),
                (select o.enqueued_at from pgmq.%1$I o order by o.msg_id limit 1)
           from (select x.vt from pgmq.%1$I x limit 10000) as q', v_table)
       into v_length, v_visible, v_oldest;
    return jsonb_build_object('name', p_name, 'kind', 'pgmq', 'length', v_length, 'visible', v_visible,
                              'oldest_at', v_oldest)
           || coalesce((
               select jsonb_build_object('starts', c.kind, 'workflow', c.workflow, 'tenant', t.name,
                                         'dead_letter_queue', c.dead_letter_queue, 'reads_max', c.reads_max)
                 from pawl.consumed_queue c join pawl.tenant t on t.id = c.tenant
                where c.name = p_name order by c.tenant limit 1),
               '{"starts": null, "workflow": null, "tenant": null, "dead_letter_queue": null, "reads_max": null}');
end
$$;

-- All queues of pgmq, by name, at most 1,000; none where there is no pgmq.
create or replace function pawl.describe_queues() returns setof jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    if to_regclass('pgmq.meta') is null then
        return;
    end if;
    return query execute
        'select pawl.describe_queue(m.queue_name::text) from (
             select x.queue_name from pgmq.meta x
              where to_regclass(format(''pgmq.%I'', lower(''q_'' || x.queue_name))) is not null
              order by x.queue_name limit 1000) as m';
end
$$;

-- Whether pgmq has a queue of that name.
create or replace function pawl.has_queue(p_name text) returns boolean
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_found boolean := false;
begin
    if to_regclass('pgmq.meta') is not null then
        execute 'select exists (select 1 from pgmq.meta m where m.queue_name = $1)' into v_found using p_name;
    end if;
    return v_found;
end
$$;

-- The oldest messages of a queue, after p_after, as they are: nothing is taken or hidden. A message beyond 64 kB is
-- left out and its size given. For operators of the database.
create or replace function pawl.peek_queue(p_name text, p_after bigint, p_limit int) returns setof jsonb
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query execute format(
        'select jsonb_build_object(
                    ''id'', q.msg_id::text, ''reads'', q.read_ct, ''sent_at'', q.enqueued_at,
                    ''visible_at'', q.vt, ''bytes'', octet_length(q.message::text),
                    ''message'', case when octet_length(q.message::text) <= 65536 then q.message end,
                    ''headers'', case when octet_length(q.headers::text) <= 65536 then q.headers end)
           from (select * from pgmq.%I x where x.msg_id > $1 order by x.msg_id limit $2) as q
          order by q.msg_id', lower('q_' || p_name)) using p_after, p_limit;
end
$$;

-- Deletes every message of a queue, also those that a reader has hidden. Returns how many. For operators of the
-- database.
create or replace function pawl.purge_queue(p_name text) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_count bigint;
begin
    execute 'select pgmq.purge_queue($1)' into v_count using p_name;
    return v_count;
end
$$;

-- What waits in Pawl's own tables, counted up to 10,000: events that were not matched yet, messages to webhooks, tasks
-- of the database. Runs that are due are counted by the query health.
create or replace function pawl.describe_own_queues(p_bucket smallint) returns setof jsonb
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select jsonb_build_object('name', w.name, 'kind', 'own', 'length', w.length, 'visible', w.length,
                              'oldest_at', w.oldest, 'starts', null, 'workflow', null, 'tenant', null,
                              'dead_letter_queue', null, 'reads_max', null)
      from (
          select 'events' as name,
                 (select count(*) from (select 1 from pawl.inbox_pending p where p.bucket = p_bucket
                   limit 10000) as x) as length,
                 (select e.at from pawl.inbox e
                   where e.id = (select min(p.id) from pawl.inbox_pending p where p.bucket = p_bucket)) as oldest
          union all
          select 'webhook messages',
                 (select count(*) from (select 1 from pawl.outbox o
                   where o.bucket = p_bucket and o.due_at is not null limit 10000) as x),
                 (select min(o.created_at) from (select q.created_at from pawl.outbox q
                   where q.bucket = p_bucket and q.due_at is not null limit 10000) as o)
          union all
          select 'tasks',
                 (select count(*) from (select 1 from queues.task k
                   where k.dequeued_at is null limit 10000) as x),
                 (select min(k.scheduled_at) from queues.task k
                   where k.dequeued_at is null and k.scheduled_at <= now())
      ) as w
$$;
