-- Before an attempt: what the provider is to send. Refused when the attempt is superseded.
create or replace function comms.get_sms_payload(payload jsonb) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    _id bigint := internal.payload_id(payload, 'send_sms_task_id');
    _attempt bigint := internal.payload_id(payload, 'attempt');
    _message jsonb;
begin
    select jsonb_strip_nulls(jsonb_build_object(
               'from', m.from_number,
               'to', m.to_number,
               'body', m.body,
               'idempotency_key', t.idempotency_key
           ))
      into _message
      from comms.send_sms_task t
      join comms.sms_message m on m.message_id = t.message_id
     where t.send_sms_task_id = _id;
    if _message is null then
        return internal.unknown(payload, 'send_sms_task_id');
    elsif comms.has_send_sms_task_succeeded(_id) then
        return internal.invalid(format('send_sms_task %s was sent already', _id));
    elsif _attempt <> coalesce(comms.open_send_sms_task_attempt(_id), 0) then
        return internal.invalid(format('attempt %s of send_sms_task %s is over', _attempt, _id));
    end if;
    return internal.succeeded(_message);
end
$$;

-- After an attempt that worked: {original_payload, worker_payload}. Saying it twice changes nothing.
create or replace function comms.record_sms_success(payload jsonb) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    _id bigint := internal.payload_id(payload -> 'original_payload', 'send_sms_task_id');
begin
    if not exists (select 1 from comms.send_sms_task t where t.send_sms_task_id = _id) or _id is null then
        return internal.unknown(payload -> 'original_payload', 'send_sms_task_id');
    end if;
    insert into comms.send_sms_task_succeeded (send_sms_task_id, attempt, provider_message_id, worker_payload)
    values (_id, internal.payload_id(payload -> 'original_payload', 'attempt'),
            payload #>> '{worker_payload,message_id}', payload -> 'worker_payload')
        on conflict do nothing;
    return internal.succeeded();
end
$$;

-- After an attempt that did not: {original_payload, error}. Saying it twice changes nothing.
create or replace function comms.record_sms_failure(payload jsonb) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    _id bigint := internal.payload_id(payload -> 'original_payload', 'send_sms_task_id');
    _attempt bigint := internal.payload_id(payload -> 'original_payload', 'attempt');
begin
    perform 1 from comms.send_sms_task t where t.send_sms_task_id = _id for update;
    if not found then
        return internal.unknown(payload -> 'original_payload', 'send_sms_task_id');
    elsif comms.has_send_sms_task_succeeded(_id) then
        return internal.invalid(format('send_sms_task %s was sent already', _id));
    end if;
    _attempt := coalesce(_attempt, comms.open_send_sms_task_attempt(_id));
    if not exists (
        select 1 from comms.send_sms_task_scheduled s where s.send_sms_task_id = _id and s.attempt = _attempt
    ) then
        return internal.invalid(format('send_sms_task %s has no attempt %s', _id, coalesce(_attempt::text, 'now')));
    end if;
    insert into comms.send_sms_task_failed (send_sms_task_id, attempt, error_message, final)
    values (_id, _attempt, left(coalesce(payload ->> 'error', 'it did not say why'), 4000),
            coalesce(payload ->> 'error_class', '') in ('validation', 'permanent', 'ambiguous'))
        on conflict do nothing;
    return internal.succeeded();
end
$$;

-- However many ask for it, one supervisor of a send waits in the queue.
create or replace function comms.enqueue_send_sms_supervisor(send_sms_task_id bigint, scheduled_at timestamptz)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    perform queues.enqueue_task('db_function', jsonb_build_object(
        'task_type', 'db_function',
        'db_function', 'comms.send_sms_supervisor',
        'send_sms_task_id', send_sms_task_id
    ), scheduled_at, 'comms.send_sms_supervisor:' || send_sms_task_id);
end
$$;

-- Looks at the facts and does what comes next: an attempt, a look later, or nothing more. Any number may run at once.
create or replace function comms.send_sms_supervisor(payload jsonb) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    _max_attempts constant int := 2;
    _look_again constant interval := '5 seconds';
    _id bigint := internal.payload_id(payload, 'send_sms_task_id');
    _due timestamptz;
    _open int;
    _failures int;
begin
    -- One supervisor at a time for this send; the others see what it did.
    select t.scheduled_at into _due from comms.send_sms_task t where t.send_sms_task_id = _id for update;
    if _due is null then
        return internal.unknown(payload, 'send_sms_task_id');
    end if;
    if comms.has_send_sms_task_succeeded(_id) then
        return internal.succeeded(jsonb_build_object('state', 'succeeded'));
    end if;

    _open := comms.open_send_sms_task_attempt(_id);
    if _open is not null and comms.is_send_sms_task_attempt_lost(_id, _open) then
        insert into comms.send_sms_task_failed (send_sms_task_id, attempt, error_message)
        values (_id, _open, 'the worker that took it did not report');
        _open := null;
    end if;
    _failures := comms.count_send_sms_task_failures(_id);
    if _failures >= _max_attempts or comms.has_send_sms_task_failed_for_good(_id) then
        return internal.succeeded(jsonb_build_object('state', 'failed', 'failures', _failures));
    end if;

    if _open is null and _due <= now() then
        insert into comms.send_sms_task_scheduled (send_sms_task_id, attempt, queue_task_id)
        values (_id, _failures + 1, queues.enqueue_task('sms', jsonb_build_object(
            'task_type', 'sms',
            'send_sms_task_id', _id,
            'attempt', _failures + 1,
            'before_handler', 'comms.get_sms_payload',
            'success_handler', 'comms.record_sms_success',
            'error_handler', 'comms.record_sms_failure'
        )));
    end if;
    perform comms.enqueue_send_sms_supervisor(_id, greatest(_due, now() + _look_again));
    return internal.succeeded(jsonb_build_object('state', 'open', 'failures', _failures));
end
$$;

-- Has a message sent, in the caller's transaction. Asking again for the same message gives the same task.
create or replace function comms.kickoff_send_sms_task(message_id bigint, scheduled_at timestamptz default now())
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
    _id bigint;
begin
    insert into comms.send_sms_task as t (message_id, scheduled_at)
    values (kickoff_send_sms_task.message_id, coalesce(kickoff_send_sms_task.scheduled_at, now()))
        on conflict (message_id) do nothing
    returning t.send_sms_task_id into _id;
    if _id is null then
        select t.send_sms_task_id into strict _id
          from comms.send_sms_task t
         where t.message_id = kickoff_send_sms_task.message_id;
        return _id;
    end if;
    perform comms.enqueue_send_sms_supervisor(_id, coalesce(kickoff_send_sms_task.scheduled_at, now()));
    return _id;
end
$$;

revoke execute on function
       comms.get_sms_payload, comms.record_sms_success, comms.record_sms_failure, comms.enqueue_send_sms_supervisor,
       comms.send_sms_supervisor, comms.kickoff_send_sms_task
  from public;

grant execute on function
       comms.get_sms_payload, comms.record_sms_success, comms.record_sms_failure, comms.send_sms_supervisor
    to worker_service_user;
