-- needs: packs/task_queue/functions/enqueue

-- Whether the message was sent.
create or replace function comms.has_send_sms_task_succeeded(send_sms_task_id bigint) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select exists (select 1 from comms.send_sms_task_succeeded s where s.send_sms_task_id = $1)
$$;

-- How many attempts have failed.
create or replace function comms.count_send_sms_task_failures(send_sms_task_id bigint) returns integer
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select count(*)::int from comms.send_sms_task_failed f where f.send_sms_task_id = $1
$$;

-- How many attempts were scheduled.
create or replace function comms.count_send_sms_task_scheduled(send_sms_task_id bigint) returns integer
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select count(*)::int from comms.send_sms_task_scheduled s where s.send_sms_task_id = $1
$$;

-- Whether an attempt failed in a way that another one does not cure.
create or replace function comms.has_send_sms_task_failed_for_good(send_sms_task_id bigint) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select exists (select 1 from comms.send_sms_task_failed f where f.send_sms_task_id = $1 and f.final)
$$;

-- The attempt that has not reported yet; null when there is none. One at a time is scheduled, so there is at most one.
create or replace function comms.open_send_sms_task_attempt(send_sms_task_id bigint) returns integer
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select min(s.attempt)
      from comms.send_sms_task_scheduled s
     where s.send_sms_task_id = $1
       and not exists (
               select 1
                 from comms.send_sms_task_failed f
                where f.send_sms_task_id = s.send_sms_task_id and f.attempt = s.attempt
           )
$$;

-- Whether a worker took the attempt and did not report in all the time it had.
create or replace function comms.is_send_sms_task_attempt_lost(send_sms_task_id bigint, attempt int) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select queues.is_task_lost(s.queue_task_id, interval '5 minutes')
      from comms.send_sms_task_scheduled s
     where s.send_sms_task_id = $1 and s.attempt = $2
$$;

revoke execute on function
       comms.has_send_sms_task_succeeded, comms.count_send_sms_task_failures, comms.count_send_sms_task_scheduled,
       comms.has_send_sms_task_failed_for_good, comms.open_send_sms_task_attempt,
       comms.is_send_sms_task_attempt_lost
  from public;
