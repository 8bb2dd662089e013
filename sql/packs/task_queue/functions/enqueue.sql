-- Workers are woken by what is due now; the rest is found by polling. One notification a transaction.
create or replace function queues.wake_workers() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if exists (select 1 from added a where a.scheduled_at <= now()) then
        perform pg_notify('pawl_wake', 'tasks');
    end if;
    return null;
end
$$;

create or replace trigger wake_workers after insert on queues.task
    referencing new table as added for each statement execute function queues.wake_workers();

-- How often a function is tried before its task is given up, when workers die under it.
create or replace function queues.deliveries_max() returns int language sql immutable
set search_path = pg_catalog, pg_temp return 5;

-- For supervisors and kickoffs; the worker may not. Null: a task with that key waits already.
create or replace function queues.enqueue_task(
    task_type queues.task_type, payload jsonb, scheduled_at timestamptz default now(), task_key text default null
) returns bigint
language sql
set search_path = pg_catalog, pg_temp as $$
    insert into queues.task (task_type, payload, scheduled_at, task_key) values ($1, $2, coalesce($3, now()), $4)
        on conflict (task_key) where dequeued_at is null and task_key is not null do nothing
    returning task_id
$$;

-- Whether the worker that took a task has had all its time; true also when the task does not exist any more.
create or replace function queues.is_task_lost(task_id bigint, p_after interval) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select coalesce(
        (select t.dequeued_at is not null and t.dequeued_at <= now() - $2 from queues.task t where t.task_id = $1), true
    )
$$;

revoke execute on function
       queues.wake_workers, queues.deliveries_max, queues.enqueue_task, queues.is_task_lost
  from public;
