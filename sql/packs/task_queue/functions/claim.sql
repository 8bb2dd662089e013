-- Takes up to p_limit tasks at once, each with a lease. A function whose worker never said that it finished comes
-- again; an email or a text message does not, since it may have gone out: its supervisor decides.
create or replace function queues.claim_tasks(p_limit int)
returns table (task_id bigint, task_type text, payload jsonb, deliveries int)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
#variable_conflict use_column
declare
    v_lost bigint[] := array(
        select t.task_id from queues.task t
         where t.lease_until is not null and t.lease_until <= now()
         order by t.lease_until
         limit p_limit
           for update skip locked
    );
begin
    if v_lost <> '{}' then
        perform queues.record_error(t.task_id, 'task', t.payload ->> 'db_function',
                                    'the worker that took it did not come back',
                                    jsonb_build_object('task_type', t.task_type, 'delivery', t.deliveries))
           from queues.task t
          where t.task_id = any (v_lost);
        update queues.task t set lease_until = null
         where t.task_id = any (v_lost)
           and (t.task_type <> 'db_function' or t.deliveries >= queues.deliveries_max());
    end if;
    return query
        update queues.task t
           set dequeued_at = now(), deliveries = t.deliveries + 1,
               lease_until = now() + case t.task_type when 'db_function' then interval '1 minute'
                                                      else interval '5 minutes' end
         where t.task_id = any (array(
                   select l.task_id from queues.task l where l.task_id = any (v_lost) and l.lease_until is not null
               ) || array(
                   select n.task_id
                     from queues.task n
                    where n.dequeued_at is null and n.scheduled_at <= now()
                    order by n.scheduled_at, n.task_id
                    limit p_limit - cardinality(v_lost)
                      for update skip locked
               ))
        returning t.task_id, t.task_type::text, t.payload, t.deliveries;
end
$$;

-- Takes the task that has been due longest: no row when none is due. It is the caller's from then on, whatever happens
-- to the caller.
create or replace function queues.dequeue_next_available_task() returns setof queues.task
language sql security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
    update queues.task t
       set dequeued_at = now(), deliveries = t.deliveries + 1
     where t.task_id = any (array(
               select n.task_id
                 from queues.task n
                where n.dequeued_at is null and n.scheduled_at <= now()
                order by n.scheduled_at, n.task_id
                limit 1
                  for update skip locked
           ))
    returning t.*
$$;

-- In the transaction of the function it was about: both are done, or neither.
create or replace function queues.finish_task(task_id bigint) returns void
language sql security definer
set search_path = pg_catalog, pg_temp as $$
    update queues.task t set lease_until = null where t.task_id = $1 and t.lease_until is not null
$$;

-- The same task once more, later: what it ran into may have passed by then. False when it has been tried often enough.
create or replace function queues.retry_task(task_id bigint, p_delay interval) returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
    update queues.task t
       set dequeued_at = null, lease_until = null, scheduled_at = now() + p_delay
     where t.task_id = retry_task.task_id and t.dequeued_at is not null and t.lease_until is not null
       and t.deliveries < queues.deliveries_max();
    if found then
        return true;
    end if;
    perform queues.finish_task(retry_task.task_id);
    return false;
exception when unique_violation then
    -- Another task with its key waits already and does the same.
    perform queues.finish_task(retry_task.task_id);
    return true;
end
$$;

-- Adds a row to queues.error. Called by workers.
create or replace function queues.record_error(
    task_id bigint, stage text, function_name text, message text, details jsonb default '{}'
) returns void
language sql security definer
set search_path = pg_catalog, pg_temp as $$
    insert into queues.error (task_id, stage, function_name, message, details)
    values ($1, $2, $3, left(coalesce(nullif($4, ''), 'it did not say why'), 4000), coalesce($5, '{}'))
$$;

-- Since when the oldest task waits, for `pawl doctor` of a login that may not read the table.
create or replace function queues.oldest_task() returns timestamptz
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select min(t.scheduled_at) from queues.task t where t.dequeued_at is null $$;

-- Takes away tasks that were dealt with. Returns how many.
create or replace function queues.purge_tasks(p_keep interval, p_limit int)
returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
    v_gone int;
begin
    delete from queues.task t
     where t.task_id = any (array(
               select o.task_id
                 from queues.task o
                where o.dequeued_at is not null and o.dequeued_at <= now() - p_keep and o.lease_until is null
                order by o.dequeued_at
                limit p_limit
                  for update skip locked
           ));
    get diagnostics v_gone = row_count;
    return v_gone;
end
$$;

revoke execute on function
       queues.claim_tasks, queues.dequeue_next_available_task, queues.finish_task, queues.retry_task,
       queues.record_error, queues.oldest_task, queues.purge_tasks
  from public;

grant execute on function
       queues.claim_tasks, queues.dequeue_next_available_task, queues.finish_task, queues.retry_task,
       queues.record_error, queues.oldest_task, queues.purge_tasks
    to worker_service_user;
