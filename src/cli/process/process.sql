-- The business process @N@: what happened is kept as facts that are only added, and a supervisor
-- decides from them what to do next. Written by `pawl new process`; it is yours now.
-- Apply it as the user that owns the schemas queues and internal.

begin;

create schema if not exists @S@;
grant usage on schema @S@ to worker_service_user;

-- 1. Data and facts -------------------------------------------------------------------------------

-- What the process is about. Give it the columns it needs.
create table @S@.@N@ (
    @N@_id bigint generated always as identity,
@COLUMNS@
    created_at timestamptz not null default now(),
    constraint @N@_pk primary key (@N@_id)
);

-- The root: one for each row above, however often it is asked for. Supervisors wait for each other
-- at its row.
create table @S@.@N@_task (
    @N@_task_id bigint generated always as identity,
    @N@_id bigint not null,
    scheduled_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    idempotency_key uuid not null default gen_random_uuid(),
    constraint @N@_task_pk primary key (@N@_task_id),
    constraint @N@_task_unique unique (@N@_id),
    constraint @N@_task_fk foreign key (@N@_id) references @S@.@N@ (@N@_id)
);

create table @S@.@N@_task_scheduled (
    @N@_task_id bigint not null,
    attempt int not null,
    queue_task_id bigint not null,
    created_at timestamptz not null default now(),
    constraint @N@_task_scheduled_pk primary key (@N@_task_id, attempt),
    constraint @N@_task_scheduled_fk foreign key (@N@_task_id)
        references @S@.@N@_task (@N@_task_id)
);

-- `final`: trying again would not help, or could do it twice.
create table @S@.@N@_task_failed (
    @N@_task_id bigint not null,
    attempt int not null,
    error_message text not null,
    final boolean not null default false,
    created_at timestamptz not null default now(),
    constraint @N@_task_failed_pk primary key (@N@_task_id, attempt),
    constraint @N@_task_failed_fk foreign key (@N@_task_id, attempt)
        references @S@.@N@_task_scheduled (@N@_task_id, attempt)
);

create table @S@.@N@_task_succeeded (
    @N@_task_id bigint not null,
    attempt int,
    worker_payload jsonb,
    created_at timestamptz not null default now(),
    constraint @N@_task_succeeded_pk primary key (@N@_task_id),
    constraint @N@_task_succeeded_fk foreign key (@N@_task_id)
        references @S@.@N@_task (@N@_task_id)
);

select internal.make_append_only(('@S@.@N@' || t.suffix)::regclass)
  from unnest(array['', '_task', '_task_scheduled', '_task_failed', '_task_succeeded'])
       as t (suffix);

create function @S@.has_@N@_task_succeeded(@N@_task_id bigint) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select exists (select 1 from @S@.@N@_task_succeeded s where s.@N@_task_id = $1)
$$;

create function @S@.count_@N@_task_failures(@N@_task_id bigint) returns integer
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select count(*)::int from @S@.@N@_task_failed f where f.@N@_task_id = $1
$$;

create function @S@.count_@N@_task_scheduled(@N@_task_id bigint) returns integer
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select count(*)::int from @S@.@N@_task_scheduled s where s.@N@_task_id = $1
$$;

create function @S@.has_@N@_task_failed_for_good(@N@_task_id bigint) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select exists (select 1 from @S@.@N@_task_failed f where f.@N@_task_id = $1 and f.final)
$$;

-- The attempt that has not reported yet; null when there is none.
create function @S@.open_@N@_task_attempt(@N@_task_id bigint) returns integer
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select min(s.attempt)
      from @S@.@N@_task_scheduled s
     where s.@N@_task_id = $1
       and not exists (
               select 1
                 from @S@.@N@_task_failed f
                where f.@N@_task_id = s.@N@_task_id and f.attempt = s.attempt
           )
$$;

-- Whether a worker took the attempt and did not report in all the time it had.
create function @S@.is_@N@_task_attempt_lost(@N@_task_id bigint, attempt int) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select queues.is_task_lost(s.queue_task_id, interval '5 minutes')
      from @S@.@N@_task_scheduled s
     where s.@N@_task_id = $1 and s.attempt = $2
$$;

-- 2. Handlers -------------------------------------------------------------------------------------

-- Before an attempt: what to send. Refused when it is no longer wanted.
create function @S@.get_@N@_payload(payload jsonb) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    _id bigint := internal.payload_id(payload, '@N@_task_id');
    _attempt bigint := internal.payload_id(payload, 'attempt');
    _message jsonb;
begin
    select jsonb_strip_nulls(jsonb_build_object(
@FIELDS@
               'idempotency_key', t.idempotency_key
           ))
      into _message
      from @S@.@N@_task t
      join @S@.@N@ m on m.@N@_id = t.@N@_id
     where t.@N@_task_id = _id;
    if _message is null then
        return internal.unknown(payload, '@N@_task_id');
    elsif @S@.has_@N@_task_succeeded(_id) then
        return internal.invalid(format('@N@_task %s was done already', _id));
    elsif _attempt <> coalesce(@S@.open_@N@_task_attempt(_id), 0) then
        return internal.invalid(format('attempt %s of @N@_task %s is over', _attempt, _id));
    end if;
    return internal.succeeded(_message);
end
$$;

-- After an attempt that worked: {original_payload, worker_payload}. Twice is once.
create function @S@.record_@N@_success(payload jsonb) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    _id bigint := internal.payload_id(payload -> 'original_payload', '@N@_task_id');
begin
    if _id is null or not exists (select 1 from @S@.@N@_task t where t.@N@_task_id = _id) then
        return internal.unknown(payload -> 'original_payload', '@N@_task_id');
    end if;
    insert into @S@.@N@_task_succeeded (@N@_task_id, attempt, worker_payload)
    values (_id, internal.payload_id(payload -> 'original_payload', 'attempt'),
            payload -> 'worker_payload')
        on conflict do nothing;
    return internal.succeeded();
end
$$;

-- After an attempt that did not: {original_payload, error}. Twice is once.
create function @S@.record_@N@_failure(payload jsonb) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    _id bigint := internal.payload_id(payload -> 'original_payload', '@N@_task_id');
    _attempt bigint := internal.payload_id(payload -> 'original_payload', 'attempt');
begin
    perform 1 from @S@.@N@_task t where t.@N@_task_id = _id for update;
    if not found then
        return internal.unknown(payload -> 'original_payload', '@N@_task_id');
    elsif @S@.has_@N@_task_succeeded(_id) then
        return internal.invalid(format('@N@_task %s was done already', _id));
    end if;
    _attempt := coalesce(_attempt, @S@.open_@N@_task_attempt(_id));
    if not exists (
        select 1 from @S@.@N@_task_scheduled s where s.@N@_task_id = _id and s.attempt = _attempt
    ) then
        return internal.invalid(format('@N@_task %s has no attempt %s', _id, _attempt));
    end if;
    insert into @S@.@N@_task_failed (@N@_task_id, attempt, error_message, final)
    values (_id, _attempt, left(coalesce(payload ->> 'error', 'it did not say why'), 4000),
            coalesce(payload ->> 'error_class', '') in ('validation', 'permanent', 'ambiguous'))
        on conflict do nothing;
    return internal.succeeded();
end
$$;

-- 3. Supervisor -----------------------------------------------------------------------------------

-- However many ask for it, one supervisor of a task waits in the queue.
create function @S@.enqueue_@N@_supervisor(@N@_task_id bigint, scheduled_at timestamptz)
returns void
language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    perform queues.enqueue_task('db_function', jsonb_build_object(
        'task_type', 'db_function',
        'db_function', '@S@.@N@_supervisor',
        '@N@_task_id', @N@_task_id
    ), scheduled_at, '@S@.@N@_supervisor:' || @N@_task_id);
end
$$;

-- Looks at the facts and does what comes next: an attempt, a look later, or nothing more. Any
-- number may run at once.
create function @S@.@N@_supervisor(payload jsonb) returns jsonb
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    _max_attempts constant int := 2;
    _look_again constant interval := '5 seconds';
    _id bigint := internal.payload_id(payload, '@N@_task_id');
    _due timestamptz;
    _open int;
    _failures int;
begin
    select t.scheduled_at into _due from @S@.@N@_task t where t.@N@_task_id = _id for update;
    if _due is null then
        return internal.unknown(payload, '@N@_task_id');
    end if;
    if @S@.has_@N@_task_succeeded(_id) then
        return internal.succeeded(jsonb_build_object('state', 'succeeded'));
    end if;

    _open := @S@.open_@N@_task_attempt(_id);
    if _open is not null and @S@.is_@N@_task_attempt_lost(_id, _open) then
        insert into @S@.@N@_task_failed (@N@_task_id, attempt, error_message)
        values (_id, _open, 'the worker that took it did not report');
        _open := null;
    end if;
    _failures := @S@.count_@N@_task_failures(_id);
    if _failures >= _max_attempts or @S@.has_@N@_task_failed_for_good(_id) then
        return internal.succeeded(jsonb_build_object('state', 'failed', 'failures', _failures));
    end if;

    if _open is null and _due <= now() then
        insert into @S@.@N@_task_scheduled (@N@_task_id, attempt, queue_task_id)
        values (_id, _failures + 1, queues.enqueue_task('@C@', jsonb_build_object(
            'task_type', '@C@',
            '@N@_task_id', _id,
            'attempt', _failures + 1,
            'before_handler', '@S@.get_@N@_payload',
            'success_handler', '@S@.record_@N@_success',
            'error_handler', '@S@.record_@N@_failure'
        )));
    end if;
    perform @S@.enqueue_@N@_supervisor(_id, greatest(_due, now() + _look_again));
    return internal.succeeded(jsonb_build_object('state', 'open', 'failures', _failures));
end
$$;

-- 4. Kickoff --------------------------------------------------------------------------------------

-- In the caller's transaction. Asking again for the same row gives the same task.
create function @S@.kickoff_@N@_task(@N@_id bigint, scheduled_at timestamptz default now())
returns bigint
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
    _id bigint;
begin
    insert into @S@.@N@_task as t (@N@_id, scheduled_at)
    values (kickoff_@N@_task.@N@_id, coalesce(kickoff_@N@_task.scheduled_at, now()))
        on conflict (@N@_id) do nothing
    returning t.@N@_task_id into _id;
    if _id is null then
        select t.@N@_task_id into strict _id
          from @S@.@N@_task t
         where t.@N@_id = kickoff_@N@_task.@N@_id;
        return _id;
    end if;
    perform @S@.enqueue_@N@_supervisor(_id, coalesce(kickoff_@N@_task.scheduled_at, now()));
    return _id;
end
$$;

-- 5. Grants ---------------------------------------------------------------------------------------

revoke execute on function
       @S@.has_@N@_task_succeeded, @S@.count_@N@_task_failures, @S@.count_@N@_task_scheduled,
       @S@.has_@N@_task_failed_for_good, @S@.open_@N@_task_attempt, @S@.is_@N@_task_attempt_lost,
       @S@.get_@N@_payload, @S@.record_@N@_success, @S@.record_@N@_failure,
       @S@.enqueue_@N@_supervisor, @S@.@N@_supervisor, @S@.kickoff_@N@_task
  from public;
grant execute on function
      @S@.get_@N@_payload, @S@.record_@N@_success, @S@.record_@N@_failure, @S@.@N@_supervisor
   to worker_service_user;
-- Who may begin it: grant execute on function @S@.kickoff_@N@_task to ...;

commit;
