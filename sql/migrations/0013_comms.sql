-- Emails and text messages as business processes: what happened is kept as facts that are only added, a supervisor
-- decides from them what is to be done next.
-- breaking: no

set local lock_timeout = '5s';

-- Messages ------------------------------------------------------------------------------------------------------------

create table comms.message (
    message_id bigint generated always as identity,
    channel text not null,
    created_at timestamptz not null default now(),
    constraint message_pk primary key (message_id),
    constraint message_channel_unique unique (message_id, channel),
    constraint message_channel_check check (channel in ('email', 'sms'))
);

-- What goes into a header must not be able to begin another one.
create table comms.email_message (
    message_id bigint not null,
    channel text not null default 'email',
    from_address text,
    to_address text not null,
    reply_to text,
    subject text not null,
    body_text text,
    body_html text,
    constraint email_message_pk primary key (message_id),
    constraint email_message_fk foreign key (message_id, channel) references comms.message (message_id, channel),
    constraint email_message_channel_check check (channel = 'email'),
    constraint email_message_body_check check (num_nonnulls(body_text, body_html) > 0),
    constraint email_message_address_check check (
        to_address ~ '^[^\s@<>]+@[^\s@<>]+$' and length(to_address) <= 320
        and from_address !~ '[\r\n]' and length(from_address) <= 500
        and reply_to !~ '[\r\n]' and length(reply_to) <= 500
    ),
    constraint email_message_subject_check check (subject !~ '[\r\n]' and length(subject) <= 998)
);

create table comms.sms_message (
    message_id bigint not null,
    channel text not null default 'sms',
    from_number text,
    to_number text not null,
    body text not null,
    constraint sms_message_pk primary key (message_id),
    constraint sms_message_fk foreign key (message_id, channel) references comms.message (message_id, channel),
    constraint sms_message_channel_check check (channel = 'sms'),
    constraint sms_message_number_check check (to_number ~ '^\+?[0-9]{3,20}$' and length(from_number) <= 50),
    constraint sms_message_body_check check (length(body) between 1 and 1600)
);

select internal.make_append_only(t.name::regclass)
  from unnest(array['comms.message', 'comms.email_message', 'comms.sms_message']) as t (name);

-- The id of a new message.
create function comms.create_email_message(
    to_address text, subject text, body_text text default null, body_html text default null,
    from_address text default null, reply_to text default null
) returns bigint
language sql security definer
set search_path = pg_catalog, pg_temp as $$
    with message as (
        insert into comms.message (channel) values ('email') returning message_id
    )
    insert into comms.email_message (message_id, to_address, subject, body_text, body_html, from_address, reply_to)
    select m.message_id, $1, $2, $3, $4, $5, $6 from message m
    returning message_id
$$;

create function comms.create_sms_message(to_number text, body text, from_number text default null) returns bigint
language sql security definer
set search_path = pg_catalog, pg_temp as $$
    with message as (
        insert into comms.message (channel) values ('sms') returning message_id
    )
    insert into comms.sms_message (message_id, to_number, body, from_number)
    select m.message_id, $1, $2, $3 from message m
    returning message_id
$$;

revoke execute on function comms.create_email_message, comms.create_sms_message from public;

-- Sending an email ----------------------------------------------------------------------------------------------------

-- The root of the process: one for each message, however often it is asked for.
create table comms.send_email_task (
    send_email_task_id bigint generated always as identity,
    message_id bigint not null,
    scheduled_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    idempotency_key uuid not null default gen_random_uuid(),
    constraint send_email_task_pk primary key (send_email_task_id),
    constraint send_email_task_message_unique unique (message_id),
    constraint send_email_task_message_fk foreign key (message_id) references comms.email_message (message_id)
);

create table comms.send_email_task_scheduled (
    send_email_task_id bigint not null,
    attempt int not null,
    queue_task_id bigint not null,
    created_at timestamptz not null default now(),
    constraint send_email_task_scheduled_pk primary key (send_email_task_id, attempt),
    constraint send_email_task_scheduled_fk foreign key (send_email_task_id)
        references comms.send_email_task (send_email_task_id)
);

-- `final`: trying again would not help, or could do it twice.
create table comms.send_email_task_failed (
    send_email_task_id bigint not null,
    attempt int not null,
    error_message text not null,
    final boolean not null default false,
    created_at timestamptz not null default now(),
    constraint send_email_task_failed_pk primary key (send_email_task_id, attempt),
    constraint send_email_task_failed_fk foreign key (send_email_task_id, attempt)
        references comms.send_email_task_scheduled (send_email_task_id, attempt)
);

create table comms.send_email_task_succeeded (
    send_email_task_id bigint not null,
    attempt int,
    provider_message_id text,
    worker_payload jsonb,
    created_at timestamptz not null default now(),
    constraint send_email_task_succeeded_pk primary key (send_email_task_id),
    constraint send_email_task_succeeded_fk foreign key (send_email_task_id)
        references comms.send_email_task (send_email_task_id)
);

select internal.make_append_only(('comms.send_email_task' || t.suffix)::regclass)
  from unnest(array['', '_scheduled', '_failed', '_succeeded']) as t (suffix);

create function comms.has_send_email_task_succeeded(send_email_task_id bigint) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select exists (select 1 from comms.send_email_task_succeeded s where s.send_email_task_id = $1)
$$;

create function comms.count_send_email_task_failures(send_email_task_id bigint) returns integer
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select count(*)::int from comms.send_email_task_failed f where f.send_email_task_id = $1
$$;

create function comms.count_send_email_task_scheduled(send_email_task_id bigint) returns integer
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select count(*)::int from comms.send_email_task_scheduled s where s.send_email_task_id = $1
$$;

create function comms.has_send_email_task_failed_for_good(send_email_task_id bigint) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select exists (select 1 from comms.send_email_task_failed f where f.send_email_task_id = $1 and f.final)
$$;

-- The attempt that has not reported yet; null when there is none. One at a time is scheduled, so there is at most one.
create function comms.open_send_email_task_attempt(send_email_task_id bigint) returns integer
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select min(s.attempt)
      from comms.send_email_task_scheduled s
     where s.send_email_task_id = $1
       and not exists (
               select 1
                 from comms.send_email_task_failed f
                where f.send_email_task_id = s.send_email_task_id and f.attempt = s.attempt
           )
$$;

-- Whether a worker took the attempt and did not report in all the time it had.
create function comms.is_send_email_task_attempt_lost(send_email_task_id bigint, attempt int) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select queues.is_task_lost(s.queue_task_id, interval '5 minutes')
      from comms.send_email_task_scheduled s
     where s.send_email_task_id = $1 and s.attempt = $2
$$;

-- Before an attempt: what the provider is to send. Refused when it is not wanted any more.
create function comms.get_email_payload(payload jsonb) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    _id bigint := internal.payload_id(payload, 'send_email_task_id');
    _attempt bigint := internal.payload_id(payload, 'attempt');
    _message jsonb;
begin
    select jsonb_strip_nulls(jsonb_build_object(
               'from', m.from_address,
               'to', m.to_address,
               'reply_to', m.reply_to,
               'subject', m.subject,
               'text', m.body_text,
               'html', m.body_html,
               'idempotency_key', t.idempotency_key
           ))
      into _message
      from comms.send_email_task t
      join comms.email_message m on m.message_id = t.message_id
     where t.send_email_task_id = _id;
    if _message is null then
        return internal.unknown(payload, 'send_email_task_id');
    elsif comms.has_send_email_task_succeeded(_id) then
        return internal.invalid(format('send_email_task %s was sent already', _id));
    elsif _attempt <> coalesce(comms.open_send_email_task_attempt(_id), 0) then
        return internal.invalid(format('attempt %s of send_email_task %s is over', _attempt, _id));
    end if;
    return internal.succeeded(_message);
end
$$;

-- After an attempt that worked: {original_payload, worker_payload}. Saying it twice changes nothing.
create function comms.record_email_success(payload jsonb) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    _id bigint := internal.payload_id(payload -> 'original_payload', 'send_email_task_id');
begin
    if not exists (select 1 from comms.send_email_task t where t.send_email_task_id = _id) or _id is null then
        return internal.unknown(payload -> 'original_payload', 'send_email_task_id');
    end if;
    insert into comms.send_email_task_succeeded (send_email_task_id, attempt, provider_message_id, worker_payload)
    values (_id, internal.payload_id(payload -> 'original_payload', 'attempt'),
            payload #>> '{worker_payload,message_id}', payload -> 'worker_payload')
        on conflict do nothing;
    return internal.succeeded();
end
$$;

-- After an attempt that did not: {original_payload, error}. Saying it twice changes nothing.
create function comms.record_email_failure(payload jsonb) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    _id bigint := internal.payload_id(payload -> 'original_payload', 'send_email_task_id');
    _attempt bigint := internal.payload_id(payload -> 'original_payload', 'attempt');
begin
    perform 1 from comms.send_email_task t where t.send_email_task_id = _id for update;
    if not found then
        return internal.unknown(payload -> 'original_payload', 'send_email_task_id');
    elsif comms.has_send_email_task_succeeded(_id) then
        return internal.invalid(format('send_email_task %s was sent already', _id));
    end if;
    _attempt := coalesce(_attempt, comms.open_send_email_task_attempt(_id));
    if not exists (
        select 1 from comms.send_email_task_scheduled s where s.send_email_task_id = _id and s.attempt = _attempt
    ) then
        return internal.invalid(format('send_email_task %s has no attempt %s', _id, coalesce(_attempt::text, 'now')));
    end if;
    insert into comms.send_email_task_failed (send_email_task_id, attempt, error_message, final)
    values (_id, _attempt, left(coalesce(payload ->> 'error', 'it did not say why'), 4000),
            coalesce(payload ->> 'error_class', '') in ('validation', 'permanent', 'ambiguous'))
        on conflict do nothing;
    return internal.succeeded();
end
$$;

-- Looks at the facts and does what comes next: an attempt, a look later, or nothing more. Any number may run at once.
create function comms.send_email_supervisor(payload jsonb) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    _max_attempts constant int := 2;
    _look_again constant interval := '5 seconds';
    _id bigint := internal.payload_id(payload, 'send_email_task_id');
    _due timestamptz;
    _open int;
    _failures int;
begin
    -- One supervisor at a time for this send; the others see what it did.
    select t.scheduled_at into _due from comms.send_email_task t where t.send_email_task_id = _id for update;
    if _due is null then
        return internal.unknown(payload, 'send_email_task_id');
    end if;
    if comms.has_send_email_task_succeeded(_id) then
        return internal.succeeded(jsonb_build_object('state', 'succeeded'));
    end if;

    _open := comms.open_send_email_task_attempt(_id);
    if _open is not null and comms.is_send_email_task_attempt_lost(_id, _open) then
        insert into comms.send_email_task_failed (send_email_task_id, attempt, error_message)
        values (_id, _open, 'the worker that took it did not report');
        _open := null;
    end if;
    _failures := comms.count_send_email_task_failures(_id);
    if _failures >= _max_attempts or comms.has_send_email_task_failed_for_good(_id) then
        return internal.succeeded(jsonb_build_object('state', 'failed', 'failures', _failures));
    end if;

    if _open is null and _due <= now() then
        insert into comms.send_email_task_scheduled (send_email_task_id, attempt, queue_task_id)
        values (_id, _failures + 1, queues.enqueue_task('email', jsonb_build_object(
            'task_type', 'email',
            'send_email_task_id', _id,
            'attempt', _failures + 1,
            'before_handler', 'comms.get_email_payload',
            'success_handler', 'comms.record_email_success',
            'error_handler', 'comms.record_email_failure'
        )));
    end if;
    perform comms.enqueue_send_email_supervisor(_id, greatest(_due, now() + _look_again));
    return internal.succeeded(jsonb_build_object('state', 'open', 'failures', _failures));
end
$$;

-- However many ask for it, one supervisor of a send waits in the queue.
create function comms.enqueue_send_email_supervisor(send_email_task_id bigint, scheduled_at timestamptz) returns void
language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    perform queues.enqueue_task('db_function', jsonb_build_object(
        'task_type', 'db_function',
        'db_function', 'comms.send_email_supervisor',
        'send_email_task_id', send_email_task_id
    ), scheduled_at, 'comms.send_email_supervisor:' || send_email_task_id);
end
$$;

-- Has a message sent, in the caller's transaction. Asking again for the same message gives the same task.
create function comms.kickoff_send_email_task(message_id bigint, scheduled_at timestamptz default now()) returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
    _id bigint;
begin
    insert into comms.send_email_task as t (message_id, scheduled_at)
    values (kickoff_send_email_task.message_id, coalesce(kickoff_send_email_task.scheduled_at, now()))
        on conflict (message_id) do nothing
    returning t.send_email_task_id into _id;
    if _id is null then
        select t.send_email_task_id into strict _id
          from comms.send_email_task t
         where t.message_id = kickoff_send_email_task.message_id;
        return _id;
    end if;
    perform comms.enqueue_send_email_supervisor(_id, coalesce(kickoff_send_email_task.scheduled_at, now()));
    return _id;
end
$$;

revoke execute on function
       comms.has_send_email_task_succeeded, comms.count_send_email_task_failures, comms.count_send_email_task_scheduled,
       comms.has_send_email_task_failed_for_good, comms.open_send_email_task_attempt,
       comms.is_send_email_task_attempt_lost, comms.get_email_payload, comms.record_email_success,
       comms.record_email_failure, comms.send_email_supervisor, comms.enqueue_send_email_supervisor,
       comms.kickoff_send_email_task
  from public;
grant execute on function
      comms.get_email_payload, comms.record_email_success, comms.record_email_failure, comms.send_email_supervisor
   to worker_service_user;
