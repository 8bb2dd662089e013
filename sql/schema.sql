-- Written by scripts/schema-snapshot --write; compared with the migrations by a test.

CREATE SCHEMA comms;

CREATE SCHEMA internal;

CREATE SCHEMA pawl;

CREATE SCHEMA queues;

CREATE DOMAIN queues.task_type AS text
	CONSTRAINT task_type_check CHECK ((VALUE = ANY (ARRAY['db_function'::text, 'email'::text, 'sms'::text])));

CREATE FUNCTION comms.count_send_email_task_failures(send_email_task_id bigint) RETURNS integer
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select count(*)::int from comms.send_email_task_failed f where f.send_email_task_id = $1
$_$;

CREATE FUNCTION comms.count_send_email_task_scheduled(send_email_task_id bigint) RETURNS integer
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select count(*)::int from comms.send_email_task_scheduled s where s.send_email_task_id = $1
$_$;

CREATE FUNCTION comms.count_send_sms_task_failures(send_sms_task_id bigint) RETURNS integer
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select count(*)::int from comms.send_sms_task_failed f where f.send_sms_task_id = $1
$_$;

CREATE FUNCTION comms.count_send_sms_task_scheduled(send_sms_task_id bigint) RETURNS integer
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select count(*)::int from comms.send_sms_task_scheduled s where s.send_sms_task_id = $1
$_$;

CREATE FUNCTION comms.create_email_message(to_address text, subject text, body_text text DEFAULT NULL::text, body_html text DEFAULT NULL::text, from_address text DEFAULT NULL::text, reply_to text DEFAULT NULL::text) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    with message as (
        insert into comms.message (channel) values ('email') returning message_id
    )
    insert into comms.email_message (message_id, to_address, subject, body_text, body_html, from_address, reply_to)
    select m.message_id, $1, $2, $3, $4, $5, $6 from message m
    returning message_id
$_$;

CREATE FUNCTION comms.create_sms_message(to_number text, body text, from_number text DEFAULT NULL::text) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    with message as (
        insert into comms.message (channel) values ('sms') returning message_id
    )
    insert into comms.sms_message (message_id, to_number, body, from_number)
    select m.message_id, $1, $2, $3 from message m
    returning message_id
$_$;

CREATE FUNCTION comms.enqueue_send_email_supervisor(send_email_task_id bigint, scheduled_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform queues.enqueue_task('db_function', jsonb_build_object(
        'task_type', 'db_function',
        'db_function', 'comms.send_email_supervisor',
        'send_email_task_id', send_email_task_id
    ), scheduled_at, 'comms.send_email_supervisor:' || send_email_task_id);
end
$$;

CREATE FUNCTION comms.enqueue_send_sms_supervisor(send_sms_task_id bigint, scheduled_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform queues.enqueue_task('db_function', jsonb_build_object(
        'task_type', 'db_function',
        'db_function', 'comms.send_sms_supervisor',
        'send_sms_task_id', send_sms_task_id
    ), scheduled_at, 'comms.send_sms_supervisor:' || send_sms_task_id);
end
$$;

CREATE FUNCTION comms.get_email_payload(payload jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION comms.get_sms_payload(payload jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION comms.has_send_email_task_failed_for_good(send_email_task_id bigint) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select exists (select 1 from comms.send_email_task_failed f where f.send_email_task_id = $1 and f.final)
$_$;

CREATE FUNCTION comms.has_send_email_task_succeeded(send_email_task_id bigint) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select exists (select 1 from comms.send_email_task_succeeded s where s.send_email_task_id = $1)
$_$;

CREATE FUNCTION comms.has_send_sms_task_failed_for_good(send_sms_task_id bigint) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select exists (select 1 from comms.send_sms_task_failed f where f.send_sms_task_id = $1 and f.final)
$_$;

CREATE FUNCTION comms.has_send_sms_task_succeeded(send_sms_task_id bigint) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select exists (select 1 from comms.send_sms_task_succeeded s where s.send_sms_task_id = $1)
$_$;

CREATE FUNCTION comms.is_send_email_task_attempt_lost(send_email_task_id bigint, attempt integer) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select queues.is_task_lost(s.queue_task_id, interval '5 minutes')
      from comms.send_email_task_scheduled s
     where s.send_email_task_id = $1 and s.attempt = $2
$_$;

CREATE FUNCTION comms.is_send_sms_task_attempt_lost(send_sms_task_id bigint, attempt integer) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select queues.is_task_lost(s.queue_task_id, interval '5 minutes')
      from comms.send_sms_task_scheduled s
     where s.send_sms_task_id = $1 and s.attempt = $2
$_$;

CREATE FUNCTION comms.kickoff_send_email_task(message_id bigint, scheduled_at timestamp with time zone DEFAULT now()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION comms.kickoff_send_sms_task(message_id bigint, scheduled_at timestamp with time zone DEFAULT now()) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION comms.open_send_email_task_attempt(send_email_task_id bigint) RETURNS integer
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select min(s.attempt)
      from comms.send_email_task_scheduled s
     where s.send_email_task_id = $1
       and not exists (
               select 1
                 from comms.send_email_task_failed f
                where f.send_email_task_id = s.send_email_task_id and f.attempt = s.attempt
           )
$_$;

CREATE FUNCTION comms.open_send_sms_task_attempt(send_sms_task_id bigint) RETURNS integer
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select min(s.attempt)
      from comms.send_sms_task_scheduled s
     where s.send_sms_task_id = $1
       and not exists (
               select 1
                 from comms.send_sms_task_failed f
                where f.send_sms_task_id = s.send_sms_task_id and f.attempt = s.attempt
           )
$_$;

CREATE FUNCTION comms.record_email_failure(payload jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION comms.record_email_success(payload jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION comms.record_sms_failure(payload jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION comms.record_sms_success(payload jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION comms.send_email_supervisor(payload jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION comms.send_sms_supervisor(payload jsonb) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION internal.invalid(message text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    RETURN jsonb_build_object('success', false, 'validation_failure_message', message);

CREATE FUNCTION internal.make_append_only(p_table regclass) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    execute format('create trigger append_only before update or delete or truncate on %s '
                   'for each statement execute function internal.refuse_change()', p_table);
    execute format('alter table %s enable always trigger append_only', p_table);
end
$$;

CREATE FUNCTION internal.payload_id(payload jsonb, key text) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    RETURN CASE WHEN ((payload ->> key) ~ '^[0-9]{1,18}$'::text) THEN ((payload ->> key))::bigint ELSE NULL::bigint END;

CREATE FUNCTION internal.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    raise exception '%.% is append-only: % is not allowed', tg_table_schema, tg_table_name, tg_op
          using errcode = 'integrity_constraint_violation', hint = 'Record another fact that says what changed.';
end
$$;

CREATE FUNCTION internal.run_function(function_name text, payload jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
    v_parts text[];
    v_acl aclitem[];
    v_result jsonb;
begin
    begin
        v_parts := parse_ident(function_name);
    exception when invalid_parameter_value then
        v_parts := null;
    end;
    if v_parts is null or cardinality(v_parts) <> 2 then
        raise exception '% is not the name of a function', coalesce(quote_literal(left(function_name, 200)), 'null')
              using errcode = 'invalid_name', hint = 'Write it with its schema: comms.send_email_supervisor';
    end if;
    select coalesce(p.proacl, acldefault('f', p.proowner)) into v_acl
      from pg_proc p
      join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = v_parts[1] and p.proname = v_parts[2] and p.prokind = 'f' and not p.proretset
       and p.pronargs = 1 and p.proargtypes[0] = 'pg_catalog.jsonb'::regtype and p.provariadic = 0
       and p.prorettype = 'pg_catalog.jsonb'::regtype;
    if not found then
        raise exception 'there is no function %.%(jsonb) returns jsonb', v_parts[1], v_parts[2]
              using errcode = 'undefined_function';
    end if;
    if not exists (
        select 1
          from aclexplode(v_acl) a
         where a.privilege_type = 'EXECUTE' and a.grantee <> 0 and pg_has_role(a.grantee, 'usage')
    ) then
        raise exception '% may not run %.%(jsonb)', current_user, v_parts[1], v_parts[2]
              using errcode = 'insufficient_privilege',
                    hint = format('grant execute on function %I.%I(jsonb) to %I', v_parts[1], v_parts[2], current_user);
    end if;
    execute format('select %I.%I($1)', v_parts[1], v_parts[2]) into v_result using payload;
    return v_result;
end
$_$;

CREATE FUNCTION internal.succeeded(payload jsonb DEFAULT NULL::jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    RETURN (jsonb_build_object('success', true) || CASE WHEN (payload IS NULL) THEN '{}'::jsonb ELSE jsonb_build_object('payload', payload) END);

CREATE FUNCTION internal.unknown(payload jsonb, key text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    RETURN internal.invalid(format('there is no %s %s'::text, key, COALESCE((payload ->> key), 'null'::text)));

CREATE FUNCTION pawl.act_on_task(p_bucket smallint, p_tenant integer, p_task uuid, p_action text, p_by text, p_reason text, p_data jsonb, p_to text, p_force boolean) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
declare
    v_task pawl.human_task;
    v_by text := pawl.person_name(p_by);
    v_to text := pawl.person_name(p_to);
    v_claims boolean;  -- whether it is the person who claimed it; null: the task is not claimed
    v_alone boolean;  -- whether it went to this person after the others
begin
    perform 1
       from pawl.live_run l
       join pawl.human_task t on t.bucket = l.bucket and t.run_id = l.run_id
      where t.bucket = p_bucket and t.id = p_task and t.tenant = p_tenant
        for no key update of l;
    select t.* into v_task
      from pawl.human_task t
     where t.bucket = p_bucket and t.id = p_task and t.tenant = p_tenant
       for no key update;
    v_claims := pawl.is_same_person(v_task.claimed_by, v_by);
    v_alone := coalesce(pawl.is_same_person(v_task.escalated_to, v_by), false);
    if v_task.id is null then
        return 'not_found';
    elsif v_task.state <> 0 then
        return 'closed';
    elsif v_task.due_at <= now() then
        return 'late';
    -- Whatever rights a person has: who asked does not answer.
    elsif p_action in ('approve', 'reject', 'claim') and pawl.is_among(v_task.excluded, v_by) then
        return 'excluded';
    elsif p_action = 'delegate' and pawl.is_among(v_task.excluded, v_to) then
        return 'excluded';
    elsif not p_force and v_task.approvals_needed = 1 and not v_claims then
        return 'claimed';
    elsif not p_force and not pawl.may_decide(v_task, v_by) and v_claims is distinct from true then
        return 'not_allowed';
    elsif p_action = 'approve' and pawl.is_among(v_task.approved_by, v_by) then
        return 'twice';
    elsif p_action = 'reject' and pawl.is_among(v_task.rejected_by, v_by) then
        return 'twice';
    elsif p_action = 'delegate' and cardinality(v_task.approvers) > 0
          and pawl.is_among(v_task.approved_by || v_task.rejected_by, v_by) then
        return 'voted';
    elsif p_action = 'delegate' and cardinality(v_task.approvers) > 0
          and not pawl.is_among(v_task.approvers, v_by) and not v_alone then
        return 'not_allowed';
    elsif p_action = 'delegate' and pawl.is_among(v_task.approvers || v_task.escalated_to, v_to) then
        return 'seated';
    end if;
    case p_action
        when 'claim' then
            v_task.claimed_by := v_by;
        when 'unclaim' then
            v_task.claimed_by := null;
        when 'delegate' then
            v_task.claimed_by := null;
            if v_alone and cardinality(v_task.approvers) > 0 then
                v_task.escalated_to := v_to;
                v_task.assignee := v_to;
            elsif cardinality(v_task.approvers) = 0 then
                v_task.assignee := v_to;
            else
                v_task.approvers := pawl.replace_person(v_task.approvers, v_by, v_to);
            end if;
        when 'approve' then
            v_task := pawl.vote_on_task(v_task, true, v_by, v_alone);
            v_task.data := coalesce(p_data, v_task.data);
        when 'reject' then
            v_task := pawl.vote_on_task(v_task, false, v_by, v_alone);
    end case;
    if p_data is not null then
        insert into pawl.task_decision (bucket, task, action, by, data)
        values (p_bucket, p_task, 'edit', v_by, p_data);
    end if;
    insert into pawl.task_decision (bucket, task, action, by, reason, data)
    values (p_bucket, p_task, p_action, v_by, p_reason,
            case when v_to is not null then jsonb_build_object('to', v_to) end);
    update pawl.human_task t
       set claimed_by = v_task.claimed_by, assignee = v_task.assignee, approvers = v_task.approvers,
           escalated_to = v_task.escalated_to, approved_by = v_task.approved_by, rejected_by = v_task.rejected_by,
           data = v_task.data, state = v_task.state,
           decided_at = case when v_task.state <> 0 then now() end,
           decided_by = case when v_task.state <> 0 then v_by end,
           reason = case when v_task.state <> 0 then p_reason end
     where t.bucket = p_bucket and t.id = p_task;
    if v_task.state <> 0 then
        perform pawl.leave_signals(
            p_bucket, array[v_task.run_id], array['task'],
            array[jsonb_build_object(
                'token', v_task.token, 'visit', v_task.visit, 'task', v_task.id,
                'decision', pawl.task_state_name(v_task.state), 'by', v_by, 'reason', p_reason, 'data', v_task.data
            )],
            true
        );
    end if;
    return 'done';
end
$$;

CREATE FUNCTION pawl.activate_workflow(p_tenant integer, p_name text, p_version integer DEFAULT NULL::integer) RETURNS TABLE(id integer, version integer, changed boolean)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
#variable_conflict use_column
declare
    v_head pawl.definition;
    v_retired timestamptz;
begin
    perform pawl.hold_definitions(p_tenant);
    select w.id into id from pawl.workflow w where w.tenant = p_tenant and w.name = p_name;
    select d.* into v_head from pawl.definition d where d.workflow = activate_workflow.id;
    version := coalesce(p_version, v_head.version, (
        select max(v.version) from pawl.workflow_version v where v.workflow = activate_workflow.id and not v.draft
    ));
    select v.retired_at into v_retired
      from pawl.workflow_version v
     where v.workflow = activate_workflow.id and v.version = activate_workflow.version;
    if not found then
        return;
    end if;
    if v_retired is not null then
        raise exception 'version % of workflow "%" is retired', version, p_name
            using errcode = 'object_not_in_prerequisite_state',
                  hint = format('select pawl.retire_version(%s, %L, %s, p_retired => false) brings it back', p_tenant,
                                p_name, version);
    end if;
    changed := v_head.workflow is null or not v_head.active or v_head.version <> version;
    if v_head.workflow is null then
        insert into pawl.definition (tenant, name, restore) values (p_tenant, p_name, activate_workflow.version);
    elsif changed then
        update pawl.definition d set restore = activate_workflow.version, active = true
         where d.workflow = activate_workflow.id;
    end if;
    return next;
end
$$;

CREATE FUNCTION pawl.add_sql_pages(p_bucket smallint, p_run uuid, p_key text, p_first integer, p_rows jsonb[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    c_page_rows constant int := 1000;
    c_page_bytes constant int := 16777216;
    c_rows constant int := 100000;
    c_bytes constant bigint := 134217728;
    v_effect pawl.sql_effect;
    v_page jsonb;
begin
    select e.* into v_effect
      from pawl.sql_effect e
     where e.bucket = p_bucket and e.run_id = p_run and e.key = p_key and e.begun_in = pg_current_xact_id()
       for update;
    if not found then
        raise exception 'this transaction has not begun the effect %', p_key using errcode = 'PW001';
    elsif p_first is distinct from v_effect.pages + 1 then
        raise exception 'page % does not come next', p_first using errcode = 'PW001';
    end if;
    foreach v_page in array p_rows loop
        if jsonb_typeof(v_page) is distinct from 'array'
           or jsonb_array_length(v_page) not between 1 and c_page_rows then
            raise exception 'a page is a list of 1 to % rows', c_page_rows using errcode = 'invalid_parameter_value';
        end if;
        perform pawl.refuse_rows(v_page, c_page_bytes);
        v_effect.pages := v_effect.pages + 1;
        v_effect.page_rows := v_effect.page_rows + jsonb_array_length(v_page);
        v_effect.page_bytes := v_effect.page_bytes + octet_length(v_page::text);
        if v_effect.page_rows > c_rows or v_effect.page_bytes > c_bytes then
            raise exception 'the pages have more than % rows, or more than % bytes as JSON', c_rows, c_bytes
                using errcode = 'program_limit_exceeded';
        end if;
        insert into pawl.sql_page (bucket, run_id, key, page, rows)
        values (p_bucket, p_run, p_key, v_effect.pages, v_page);
    end loop;
    update pawl.sql_effect e
       set pages = v_effect.pages, page_rows = v_effect.page_rows, page_bytes = v_effect.page_bytes
     where e.bucket = p_bucket and e.run_id = p_run and e.key = p_key;
end
$$;

CREATE FUNCTION pawl.admit_at(p_bucket smallint, p_worker uuid, p_gate text, p_limit integer) RETURNS uuid[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_gate record;
    v_wait record;
    v_run record;
    v_others text[];
    v_other text;
    v_state record;
    v_full text;
    v_skipped boolean := false;
    v_waited boolean;
    v_admitted uuid[];
    v_run_row tid[] := '{}';
    v_wait_row tid[] := '{}';
begin
    -- Read now: those that were let in at the gates before may have passed this one too.
    select g.gate, g."limit", g.held into v_gate
      from pawl.flow_gate g
     where g.bucket = p_bucket and g.gate = p_gate;
    if not found then
        return '{}';
    end if;
    for v_wait in
        select w.ctid as row_id, w.run_id
          from pawl.flow_wait w
         where w.bucket + 0 = p_bucket and w.gate = v_gate.gate
         order by w.rank, w.run_id
         limit greatest(least(v_gate."limit" - v_gate.held, p_limit), 0)
           for update skip locked
    loop
        select l.ctid as row_id, l.flow -> 'slots' as slots into v_run
          from pawl.live_run l
         where l.bucket = p_bucket and l.run_id = v_wait.run_id and l.state = 3
           for no key update skip locked;
        if not found then
            v_skipped := true;
            continue;
        end if;
        v_full := null;
        v_others := '{}';
        if jsonb_array_length(v_run.slots) > 1 then
            for v_other in
                select s.slot ->> 0 from jsonb_array_elements(v_run.slots) as s (slot)
                 where s.slot ->> 0 <> v_gate.gate
                 order by 1
            loop
                insert into pawl.flow_gate (bucket, gate, base, "limit", held)
                select p_bucket, v_other, (s.slot ->> 1)::int, pawl.limit_of(v_other, (s.slot ->> 1)::int), 0
                  from jsonb_array_elements(v_run.slots) as s (slot)
                 where s.slot ->> 0 = v_other
                   and not exists (select 1 from pawl.flow_gate g where g.bucket = p_bucket and g.gate = v_other)
                    on conflict do nothing;
                select g.held, g."limit" into v_state
                  from pawl.flow_gate g
                 where g.bucket = p_bucket and g.gate = v_other
                   for no key update skip locked;
                if not found then
                    v_skipped := true;
                    v_full := '';
                elsif v_state.held >= v_state."limit" then
                    v_full := v_other;
                end if;
                exit when v_full is not null;
                v_others := v_others || v_other;
            end loop;
        end if;
        if v_full <> '' then
            update pawl.flow_wait w set gate = v_full where w.ctid = v_wait.row_id;
            update pawl.flow_gate g set waited = true where g.bucket = p_bucket and g.gate = v_full;
        end if;
        continue when v_full is not null;
        update pawl.flow_gate g set held = g.held + 1 where g.bucket = p_bucket and g.gate = any (v_others);
        v_run_row := v_run_row || v_run.row_id;
        v_wait_row := v_wait_row || v_wait.row_id;
    end loop;
    delete from pawl.flow_wait w where w.ctid = any (v_wait_row);
    with admitted as (
        update pawl.live_run l
           set state = 1, worker = p_worker, slot = 1
         where l.ctid = any (v_run_row)
        returning l.run_id
    )
    select coalesce(array_agg(a.run_id), '{}') into v_admitted from admitted a;
    v_waited := exists (
        select 1 from pawl.flow_wait w where w.bucket + 0 = p_bucket and w.gate = v_gate.gate
    );
    update pawl.flow_gate g
       set held = g.held + cardinality(v_admitted), waited = v_waited,
           look = v_waited and (v_skipped or g.held + cardinality(v_admitted) < g."limit")
     where g.bucket = p_bucket and g.gate = v_gate.gate;
    delete from pawl.flow_gate g
     where g.bucket = p_bucket and g.gate = v_gate.gate and g.held = 0 and not v_waited;
    return v_admitted;
end
$$;

CREATE FUNCTION pawl.admit_waiting(p_bucket smallint, p_worker uuid, p_limit integer, p_without integer[] DEFAULT '{}'::integer[], p_each integer DEFAULT NULL::integer) RETURNS uuid[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_marked record;
    v_name text;
    v_tenant text;
    v_part int;
    v_left int;
    v_got uuid[];
    v_ids uuid[] := '{}';
begin
    select m.gates, m.tenants into v_marked from pawl.gates_with_room(p_bucket, p_without) m;
    v_part := least((p_limit + v_marked.tenants - 1) / greatest(v_marked.tenants, 1), p_each);
    for round in 1 .. 2 loop
        v_tenant := '';
        foreach v_name in array v_marked.gates loop
            exit when cardinality(v_ids) >= p_limit;
            if split_part(v_name, '/', 1) <> v_tenant then
                v_tenant := split_part(v_name, '/', 1);
                v_left := v_part;
            end if;
            continue when v_left <= 0;
            v_got := pawl.admit_at(p_bucket, p_worker, v_name, least(v_left, p_limit - cardinality(v_ids)));
            v_left := v_left - cardinality(v_got);
            v_ids := v_ids || v_got;
        end loop;
        exit when v_marked.tenants < 2 or p_each is not null;
        v_part := p_limit;
    end loop;
    return v_ids;
end
$$;

CREATE FUNCTION pawl.allow_condition_table(p_table text, p_subject_column text, p_columns text[] DEFAULT NULL::text[], p_tenant text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_parts text[] := pawl.table_parts(p_table);
    v_relation regclass := to_regclass(format('%I.%I', v_parts[1], v_parts[2]));
    v_missing text;
begin
    if v_relation is null then
        raise exception 'there is no table %.%', v_parts[1], v_parts[2] using errcode = 'PW010';
    end if;
    select c.name into v_missing
      from unnest(coalesce(p_columns, '{}') || p_subject_column) as c (name)
     where not exists (
               select 1
                 from pg_attribute a
                where a.attrelid = v_relation and a.attname = c.name and a.attnum > 0 and not a.attisdropped
           )
     limit 1;
    if v_missing is not null then
        raise exception '%.% has no column %', v_parts[1], v_parts[2], quote_literal(v_missing)
              using errcode = 'PW011';
    end if;
    insert into pawl.condition_table as t (tenant, schema_name, table_name, subject_column, columns)
    values (pawl.tenant_number(p_tenant), v_parts[1], v_parts[2], p_subject_column, p_columns)
        on conflict (tenant, schema_name, table_name) do update
       set subject_column = excluded.subject_column, columns = excluded.columns;
end
$$;

CREATE FUNCTION pawl.allow_sql_api(p_role text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    execute format('grant usage on schema pawl to %I', p_role);
    execute format(
        'grant execute on function pawl.start, pawl.start_many, pawl.emit, pawl.signal, pawl.cancel, pawl.status,'
        ' pawl.result to %I', p_role
    );
    insert into pawl.tenant_role (role_name, tenant) values (p_role, 1) on conflict do nothing;
end
$$;

CREATE FUNCTION pawl.allow_sql_role(p_role text, p_tenant text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_tenant int := coalesce(nullif(pawl.tenant_number(p_tenant), 0), 1);
begin
    if to_regrole(quote_ident(p_role)) is null then
        raise exception 'there is no role %', quote_literal(p_role) using errcode = 'undefined_object',
            hint = format('create role %I login password ...', p_role);
    end if;
    if exists (
        select 1
          from pg_roles r
          join pg_namespace n on n.nspname = 'pawl'
         where r.rolname = p_role
           and (r.rolsuper or pg_has_role(r.oid, n.nspowner, 'member')
                or pg_has_role(r.oid, to_regrole('pawl_worker')::oid, 'member')
                or pg_has_role(r.oid, to_regrole('pawl_api')::oid, 'member'))
    ) then
        raise exception 'role % sees all tenants, and statements of steps would too', quote_literal(p_role)
            using errcode = 'invalid_grant_operation',
                  hint = 'Make a login for steps that is no superuser and in no role of the engine.';
    end if;
    execute format('grant usage on schema pawl to %I', p_role);
    execute format('grant execute on function pawl.begin_sql_effect(smallint, uuid, text, uuid, boolean),'
                   ' pawl.end_sql_effect, pawl.condition_tenant,'
                   ' pawl.add_sql_pages, pawl.read_sql_page,'
                   ' pawl.check_condition, pawl.table_parts, pawl.condition_column_type, pawl.condition_test to %I',
                   p_role);
    execute format('grant select on pawl.condition_table to %I', p_role);
    insert into pawl.sql_login as l (role_name, tenant) values (p_role, v_tenant)
        on conflict (role_name) do update set tenant = excluded.tenant;
end
$$;

CREATE FUNCTION pawl.answer_callback(p_bucket smallint, p_run uuid, p_token bytea, p_fingerprint bytea, p_expires timestamp with time zone, p_data jsonb) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_fingerprint bytea;
begin
    -- Waits for a transaction that uses the same token, so that the next statement sees what came of it.
    insert into pawl.callback_use (bucket, run_id, token, fingerprint, expires_at)
    values (p_bucket, p_run, p_token, p_fingerprint, p_expires)
        on conflict do nothing;
    if not found then
        select u.fingerprint into v_fingerprint from pawl.callback_use u
         where u.bucket = p_bucket and u.token = p_token;
        return case when v_fingerprint = p_fingerprint then 'repeated' else 'answered' end;
    end if;
    perform pawl.send_signals(p_bucket, array[p_run], array['callback'], array[p_data]);
    if not found then
        delete from pawl.callback_use u where u.bucket = p_bucket and u.token = p_token;
        return 'closed';
    end if;
    return 'accepted';
end
$$;

CREATE FUNCTION pawl.api_role() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN pg_has_role(SESSION_USER, (to_regrole('pawl_api'::text))::oid, 'member'::text) THEN 'pawl_api'::text ELSE current_setting('role'::text) END;

CREATE FUNCTION pawl.apply_workflow(p_name text, p_definition jsonb, p_tenant integer DEFAULT 1) RETURNS TABLE(id integer, version integer, changed boolean)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
#variable_conflict use_column
declare
    v_head pawl.definition;
    v_definition jsonb;
    v_known int;
begin
    if p_definition ->> 'name' <> p_name then
        raise exception 'the definition calls itself %, not %', quote_literal(p_definition ->> 'name'),
            quote_literal(p_name)
            using errcode = 'invalid_parameter_value',
                  hint = 'Give both the same name, or leave it out of the definition.';
    end if;
    perform pawl.hold_definitions(p_tenant);
    select v.version into v_known
      from pawl.workflow w
      join pawl.workflow_version v on v.workflow = w.id
     where w.tenant = p_tenant and w.name = p_name and v.definition = p_definition and v.retired_at is null
       and (v.draft or v.label is not null)
     order by v.version desc
     limit 1;
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_name;
    if not found and v_known is null then
        changed := true;
        insert into pawl.definition as d (tenant, name, source) values (p_tenant, p_name, p_definition)
        returning d.workflow, d.version into id, version;
        return next;
        return;
    end if;
    select v.definition into v_definition
      from pawl.workflow_version v where v.workflow = v_head.workflow and v.version = v_head.version;
    id := v_head.workflow;
    version := v_head.version;
    changed := v_definition is distinct from p_definition;
    if changed and v_known is not null then
        return query select a.id, a.version, a.changed from pawl.activate_workflow(p_tenant, p_name, v_known) a;
        return;
    elsif changed then
        update pawl.definition d set source = p_definition, active = true
         where d.workflow = v_head.workflow returning d.version into version;
    elsif not v_head.active then
        update pawl.definition d set restore = d.version, active = true where d.workflow = v_head.workflow;
    end if;
    return next;
end
$$;

CREATE FUNCTION pawl.assert_heads(p_workflow integer[], p_stamp bigint[]) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if exists (
        select 1
          from unnest(p_workflow, p_stamp) as u (workflow, stamp)
          left join pawl.definition d on d.workflow = u.workflow
         where d.xmin::text::bigint is distinct from u.stamp
    ) then
        raise exception 'a workflow was changed since it was looked up' using errcode = 'PW002';
    end if;
end
$$;

CREATE FUNCTION pawl.assert_worker(p_worker uuid) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
    perform 1
       from pawl.worker w
      where w.id = p_worker and w.timeline = substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
        for key share;
    if not found then
        raise exception 'worker % is not registered or was declared dead', p_worker using errcode = 'PW001';
    end if;
end
$$;

CREATE FUNCTION pawl.attach_partition(p_table text, p_name text, p_from uuid, p_until uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    execute format('alter table pawl.%I attach partition pawl.%I for values from (%L) to (%L)', p_table, p_name, p_from,
                   p_until);
    execute format('alter table pawl.%I drop constraint bounds_check', p_name);
end
$$;

CREATE FUNCTION pawl.attempts_of(p_definition jsonb, p_step jsonb) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE jsonb_typeof((p_step -> 'retry'::text)) WHEN 'object'::text THEN COALESCE((((p_step -> 'retry'::text) ->> 'attempts'::text))::integer, (((p_definition ->> 'max_retries'::text))::integer + 1), 5) WHEN 'array'::text THEN (SELECT max(COALESCE(((r.rule ->> 'attempts'::text))::integer, 5)) AS max FROM jsonb_array_elements((attempts_of.p_step -> 'retry'::text)) r(rule)) ELSE CASE WHEN ((p_step ->> 'on_failure'::text) = 'retry'::text) THEN (COALESCE(((p_definition ->> 'max_retries'::text))::integer, 3) + 1) WHEN (p_step ? 'on_failure'::text) THEN 1 ELSE COALESCE((((p_definition -> 'retry'::text) ->> 'attempts'::text))::integer, (((p_definition ->> 'max_retries'::text))::integer + 1), 5) END END;

CREATE FUNCTION pawl.begin_sql_effect(p_bucket smallint, p_run uuid, p_key text) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    return pawl.open_sql_effect(p_bucket, p_run, p_key, null, true);
end
$$;

CREATE FUNCTION pawl.begin_sql_effect(p_bucket smallint, p_run uuid, p_key text, p_worker uuid, p_as_engine boolean) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if p_worker is null then
        raise exception 'an effect needs the worker that holds its run' using errcode = 'null_value_not_allowed';
    end if;
    return pawl.open_sql_effect(p_bucket, p_run, p_key, p_worker, p_as_engine);
end
$$;

CREATE FUNCTION pawl.bind_role(p_role text, p_tenant text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_tenant int;
begin
    if to_regrole(quote_ident(p_role)) is null then
        raise exception 'there is no role %', quote_literal(p_role) using errcode = 'undefined_object',
            hint = format('create role %I login password ...', p_role);
    end if;
    v_tenant := nullif(pawl.tenant_number(p_tenant), 0);
    insert into pawl.tenant_role as t (role_name, tenant) values (p_role, v_tenant)
        on conflict (role_name) do update set tenant = excluded.tenant;
    if not pg_has_role(p_role::name, 'pawl_user', 'member') then
        begin
            execute format('grant pawl_user to %I', p_role);
        exception when insufficient_privilege then
            raise exception 'role % may not give roles away', current_user using errcode = 'insufficient_privilege',
                hint = format('Let an administrator run: grant pawl_user to %I with admin option. Or, for this role'
                              ' alone: grant pawl_user to %I. Then try again.', current_user, p_role);
        end;
    end if;
    perform pawl.share_queue(q.name, p_role, q.tenant = v_tenant)
       from pawl.queue q where q.name like 't' || q.tenant || '\_%';
end
$$;

CREATE FUNCTION pawl.book_meeting(p_tenant integer, p_uid text, p_title text, p_description text, p_attendee text, p_starts timestamp with time zone, p_minutes integer) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform pawl.hold(p_tenant, 'calendar');
    insert into pawl.calendar_event (tenant, uid, title, description, attendee, starts_at, ends_at)
    select p_tenant, p_uid, p_title, p_description, p_attendee, p_starts, p_starts + make_interval(mins => p_minutes)
     where not exists (
         select 1 from pawl.calendar_event e
          where e.tenant = p_tenant and e.ends_at > p_starts
            and e.starts_at < p_starts + make_interval(mins => p_minutes)
     )
        on conflict do nothing;
    return (select e.starts_at from pawl.calendar_event e where e.tenant = p_tenant and e.uid = p_uid);
end
$$;

CREATE TABLE pawl.job (
    id uuid NOT NULL,
    tenant integer NOT NULL,
    kind text NOT NULL,
    filter jsonb NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    total bigint NOT NULL,
    done bigint DEFAULT 0 NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    lease_until timestamp with time zone,
    cursor_at timestamp with time zone,
    cursor_run uuid,
    request jsonb,
    examples jsonb DEFAULT '[]'::jsonb NOT NULL,
    counts jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT job_kind_check CHECK ((kind = ANY (ARRAY['replay'::text, 'bulk'::text]))),
    CONSTRAINT job_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY pawl.job FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pawl.bulk_batch(p_job uuid, p_lease interval, p_from uuid, p_to uuid, p_run uuid[], p_failed uuid[], p_problem text[], p_node text[] DEFAULT '{}'::text[], p_counts jsonb DEFAULT '{}'::jsonb) RETURNS SETOF pawl.job
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '250ms'
    AS $$
declare
    v_job pawl.job;
    v_bucket smallint;
    v_reached uuid[] := '{}';
    v_signal jsonb;
begin
    select j.* into v_job from pawl.job j where j.id = p_job for no key update;
    if not found or v_job.status not in ('queued', 'running') or v_job.cursor_run is distinct from p_from then
        return query select j.* from pawl.job j where j.id = p_job;
        return;
    end if;
    select t.bucket into v_bucket from pawl.tenant t where t.id = v_job.tenant;
    v_signal := v_job.request -> 'signal';
    if v_signal is not null then
        -- A run whose row is locked is not waited for: its message is unsure until the lock is gone.
        v_reached := array(
            select s
              from pawl.leave_signals(
                  v_bucket, p_run, array_fill(v_signal ->> 'kind', array[cardinality(p_run)]),
                  array_fill(v_signal -> 'data', array[cardinality(p_run)]), false
              ) as s
        );
        p_failed := p_failed || array(select r from unnest(p_run) as r where r <> all (v_reached));
        p_problem := p_problem || array(
            select 'the run had closed before it was reached' from unnest(p_run) as r where r <> all (v_reached)
        );
    elsif v_job.request ->> 'action' = 'retry' then
        with retried as materialized (
            select r.*
              from pawl.retry_runs(
                  v_bucket, v_job.tenant, p_run,
                  array(select pawl.uuid7() from generate_series(1, cardinality(p_run)))
              ) r
        )
        select array(select r.run_id from retried r where r.created),
               p_failed || array(select r.run_id from retried r where not r.created order by r.run_id),
               p_problem || array(
                   select case when r.retried_as is null
                               then 'only a failed or cancelled run can be retried; this one is ' || r.status
                               else 'it was retried before, as ' || r.retried_as end
                     from retried r
                    where not r.created
                    order by r.run_id
               )
          into v_reached, p_failed, p_problem;
    else
        -- Done by the caller, in a way that can be repeated.
        v_reached := p_run;
    end if;
    return query
    update pawl.job j
       set status = case when p_to is null then 'done' else 'running' end,
           done = j.done + cardinality(v_reached),
           failed = j.failed + cardinality(p_failed),
           examples = case when cardinality(p_failed) = 0 or jsonb_array_length(j.examples) >= 10 then j.examples
                           else j.examples || (
                               select jsonb_agg(
                                          jsonb_strip_nulls(
                                              jsonb_build_object('run', f.run, 'problem', f.problem, 'node', f.node)
                                          ) order by f.place
                                      )
                                 from unnest(p_failed, p_problem, p_node) with ordinality
                                      as f (run, problem, node, place)
                                where f.place <= 10 - jsonb_array_length(j.examples)
                           ) end,
           counts = j.counts || coalesce((
               select jsonb_object_agg(c.key, coalesce((j.counts -> c.key)::bigint, 0) + c.value::bigint)
                 from jsonb_each(p_counts) as c
           ), '{}'),
           updated_at = now(),
           lease_until = now() + p_lease,
           cursor_run = p_to
     where j.id = p_job
    returning j.*;
end
$$;

CREATE FUNCTION pawl.cancel(run uuid, reason text DEFAULT 'cancelled through SQL'::text, force boolean DEFAULT false) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
begin
    if pawl.leave_message(
        pawl.sql_tenant(), run, 'cancel',
        jsonb_build_object('reason', left(coalesce(reason, ''), 1000))
        || case when force then jsonb_build_object('force', true) else '{}' end
    ) then
        return true;
    end if;
    perform pawl.confirm_found();
    return false;
end
$$;

CREATE FUNCTION pawl.change_execution() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
    if to_jsonb(new) - 'status' <> to_jsonb(old) - 'status' or new.status not in ('cancelled', old.status) then
        raise exception 'a run cannot be changed' using errcode = 'object_not_in_prerequisite_state',
            hint = 'What can be asked for is a cancel: update ... set status = ''cancelled''.';
    end if;
    if new.status = old.status then
        return new;
    end if;
    if not pawl.cancel(old.id, 'cancelled through workflow_executions') then
        raise exception 'run % is over: %', old.id, old.status using errcode = 'object_not_in_prerequisite_state',
            hint = 'Only an open run can be cancelled.';
    end if;
    return new;
end
$$;

CREATE FUNCTION pawl.check_condition(p_tenant integer, p_table text, p_field text, p_operator text, p_value jsonb, p_subject text, p_subject_field text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET "TimeZone" TO 'UTC'
    AS $_$
declare
    v_tenant int := pawl.condition_tenant(p_tenant);
    v_parts text[] := pawl.table_parts(p_table);
    v_relation regclass;
    v_allowed pawl.condition_table;
    v_operator text := case p_operator when '!=' then '=' when 'not in' then 'in' when 'not exists' then 'exists'
                                       else p_operator end;
    v_negated boolean := v_operator <> p_operator;
    v_subject_column text;
    v_found boolean;
begin
    -- What a tenant was given by name comes before what everybody was given.
    select t.* into v_allowed
      from pawl.condition_table t
     where t.tenant in (v_tenant, 0) and t.schema_name = v_parts[1] and t.table_name = v_parts[2]
     order by t.tenant desc
     limit 1;
    v_relation := to_regclass(format('%I.%I', v_parts[1], v_parts[2]));
    if v_allowed.tenant is null or v_relation is null then
        raise exception 'conditions may not ask the table %', quote_literal(p_table)
              using errcode = 'PW010', hint = format('select pawl.allow_condition_table(%L, ''id'')', p_table);
    end if;
    v_subject_column := coalesce(p_subject_field, v_allowed.subject_column);
    if v_allowed.columns is not null and not (
           array[p_field, v_subject_column] <@ (v_allowed.columns || v_allowed.subject_column)
       ) then
        raise exception 'conditions may ask only some columns of %', quote_literal(p_table) using errcode = 'PW011';
    end if;
    if v_operator = '=' and coalesce(p_value, 'null') = 'null' then
        v_operator := 'exists';
        v_negated := not v_negated;
    end if;
    -- Types of extensions bring operators of their own: citext compares without case.
    perform set_config('search_path', concat_ws(', ', 'pg_catalog', quote_ident(n.nspname)), true)
       from pg_attribute a
       join pg_type y on y.oid = a.atttypid
       join pg_namespace n on n.oid = y.typnamespace
      where a.attrelid = v_relation and a.attname = p_field and n.nspname <> 'pg_catalog';
    execute format(
        'select exists (select 1 from %s t where t.%I = $4::%s and %s)',
        v_relation, v_subject_column, pawl.condition_column_type(v_relation, v_subject_column),
        pawl.condition_test(p_field, pawl.condition_column_type(v_relation, p_field), v_operator)
    ) into v_found
      using p_value #>> '{}',
            case when jsonb_typeof(p_value) = 'array'
                 then array(select jsonb_array_elements_text(p_value)) end,
            p_value, p_subject;
    return v_found <> v_negated;
end
$_$;

CREATE FUNCTION pawl.check_function_step(p_step jsonb, p_path text, p_example text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    c_known constant text[] := array['id', 'name', 'function', 'action', 'payload', 'payload_template', 'url',
        'headers', 'on_failure', 'retry', 'timeout', 'compensate'];
    v_key text;
begin
    if jsonb_typeof(p_step -> 'function') <> 'string' or p_step ->> 'function' = '' then
        perform pawl.refuse_definition(p_path || '.function: must name the function to call', p_example);
    elsif strpos(p_step ->> 'function', '{{') > 0 then
        perform pawl.refuse_definition(
            p_path || '.function: may not be a template', 'What is called is part of the definition, never of the data.'
        );
    end if;
    foreach v_key in array array['action', 'url'] loop
        if jsonb_typeof(p_step -> v_key) not in ('string', 'null') then
            perform pawl.refuse_definition(format('%s.%s: must be text', p_path, v_key), p_example);
        end if;
    end loop;
    select k.key into v_key from jsonb_object_keys(p_step) as k (key) where k.key <> all (c_known) limit 1;
    if found then
        perform pawl.refuse_definition(
            format('%s.%s: unknown key', p_path, v_key), 'A step may have: ' || array_to_string(c_known, ', ') || '.'
        );
    end if;
end
$$;

CREATE FUNCTION pawl.check_subscriptions(p_bucket smallint, p_run uuid[], p_token integer[], p_ordinal smallint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    c_list constant int := 64;
begin
    insert into pawl.subscription_check (bucket, runs, tokens, ordinals)
    select p_bucket, p_run[n:n + c_list - 1], p_token[n:n + c_list - 1], p_ordinal[n:n + c_list - 1]
      from generate_series(1, cardinality(p_run), c_list) as n;
end
$$;

CREATE TABLE pawl.subscription_check (
    bucket smallint NOT NULL,
    id bigint NOT NULL,
    runs uuid[] NOT NULL,
    tokens integer[] NOT NULL,
    ordinals smallint[] NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

ALTER TABLE ONLY pawl.subscription_check FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pawl.check_last(p_bucket smallint) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    BEGIN ATOMIC
 WITH old AS (
          DELETE FROM pawl.subscription_check q
           WHERE (q.ctid = ( SELECT h.ctid
                    FROM pawl.subscription_check h
                   WHERE (h.bucket = check_last.p_bucket)
                   ORDER BY h.id
                  LIMIT 1
                  FOR UPDATE OF h SKIP LOCKED))
           RETURNING q.runs,
             q.tokens,
             q.ordinals
         )
  SELECT pawl.check_subscriptions(check_last.p_bucket, (o.runs[2:] || o.runs[:1]), (o.tokens[2:] || o.tokens[:1]), (o.ordinals[2:] || o.ordinals[:1])) AS check_subscriptions
    FROM old o;
END;

CREATE TABLE pawl.tenant (
    id integer NOT NULL,
    name text NOT NULL,
    bucket smallint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    open_runs_max integer,
    starts_per_second_max integer,
    payload_bytes_max integer,
    organization uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT tenant_limits_check CHECK ((LEAST(open_runs_max, starts_per_second_max, payload_bytes_max) > 0)),
    CONSTRAINT tenant_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

ALTER TABLE ONLY pawl.tenant FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pawl.check_limits(p_tenant pawl.tenant, p_starts integer, p_bytes integer) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if p_bytes > (p_tenant).payload_bytes_max then
        raise exception 'the data of the run has % bytes; tenant % may give %', p_bytes, (p_tenant).name,
            (p_tenant).payload_bytes_max using errcode = 'program_limit_exceeded';
    elsif (p_tenant).open_runs_max is not null
          and p_starts + pawl.count_open_runs((p_tenant).bucket, (p_tenant).id, (p_tenant).open_runs_max)
              > (p_tenant).open_runs_max then
        raise exception 'tenant % may have % open runs, and this would be more', (p_tenant).name,
            (p_tenant).open_runs_max
            using errcode = 'configuration_limit_exceeded', hint = 'Try again when some of them have ended.';
    end if;
end
$$;

CREATE FUNCTION pawl.check_number(p_column text, p_value integer, p_min integer, p_max integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
    if p_value not between p_min and p_max then
        perform pawl.refuse_definition(
            format('%s: must be a whole number from %s to %s, not %s', p_column, p_min, p_max, p_value),
            'null stands for no limit of its own.'
        );
    end if;
end
$$;

CREATE FUNCTION pawl.check_step(p_step jsonb, p_path text, p_names text[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $_$
declare
    c_example constant text := 'A step looks like {"name": "send_email", "function": "send-email", "action": "send", '
        '"payload_template": {"to": "{{email}}"}, "on_failure": "retry"}.';
    v_name text;
    v_wrong text;
begin
    if jsonb_typeof(p_step) <> 'object' then
        perform pawl.refuse_definition(p_path || ': must be an object', c_example);
    end if;
    v_name := coalesce(p_step ->> 'id', p_step ->> 'name', '');
    if v_name = '' then
        perform pawl.refuse_definition(p_path || '.name: is missing: every step needs a name', c_example);
    elsif v_name !~ '^[A-Za-z_][A-Za-z0-9_-]{0,99}$' then
        perform pawl.refuse_definition(
            format('%s.name: ''%s'' is not a step name', p_path, left(v_name, 60)),
            'A name starts with a letter or _ and holds only letters, digits, _ and - (100 at most).'
        );
    elsif cardinality(array_positions(p_names, v_name)) > 1 then
        perform pawl.refuse_definition(
            format('%s.name: ''%s'' is used twice', p_path, v_name), 'Give every step a name of its own.'
        );
    end if;
    if coalesce(p_step -> 'on_failure', 'null') not in ('null', '"abort"', '"continue"', '"retry"') then
        perform pawl.refuse_definition(
            p_path || '.on_failure: must be ''continue'', ''abort'' or ''retry''',
            'continue goes on with the next step, abort fails the run, retry tries again up to max_retries times.'
        );
    end if;
    if not p_step ?| array['type', 'function', 'code', 'http', 'url', 'wait', 'duration'] then
        perform pawl.refuse_definition(p_path || '.function: is missing: which function is to be called?', c_example);
    end if;
    if not p_step ?| array['type', 'code', 'wait', 'duration'] and p_step ? 'function' then
        perform pawl.check_function_step(p_step, p_path, c_example);
    end if;
    select coalesce(
               p.problem,
               format('''{{%s}}'' refers to a step that does not exist', p.path)
           ) into v_wrong
      from pawl.step_placeholders(p_step) p
     where p.problem is not null
        or (p.segments -> 0 ->> 1 = 'steps' and p.segments -> 1 ->> 1 <> all (p_names))
     limit 1;
    if v_wrong is not null then
        perform pawl.refuse_definition(
            format('%s: %s', p_path, v_wrong),
            'Placeholders look like {{customer.emails[0]}} or {{name | default: "you"}}; '
            'results of earlier steps are {{step_0_result.field}} and {{steps.NAME.result.field}}.'
        );
    end if;
end
$_$;

CREATE FUNCTION pawl.check_steps(p_steps jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET jit TO 'off'
    AS $$
declare
    v_names text[];
begin
    if jsonb_typeof(p_steps) is distinct from 'array' or p_steps = '[]' then
        perform pawl.refuse_definition('steps: must be an array of at least one step', 'Give steps as a JSON array.');
    elsif jsonb_array_length(p_steps) > 1000 then
        perform pawl.refuse_definition('steps: may hold 1000 at most', 'Split the workflow.');
    end if;
    v_names := pawl.step_names(jsonb_build_object('steps', p_steps));
    perform pawl.check_step(s.step, format('steps[%s]', s.place - 1), v_names)
       from jsonb_array_elements(p_steps) with ordinality as s (step, place);
end
$$;

CREATE FUNCTION pawl.place_of(p_text text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN mod(((('x00'::text || "left"(encode(sha256(convert_to(p_text, 'UTF8'::name)), 'hex'::text), 14)))::bit(64))::bigint, (10000)::bigint);

CREATE FUNCTION pawl.choose_version(p_workflow integer, p_head integer, p_canary jsonb, p_key text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE((SELECT c.version FROM (SELECT ((e.one -> 'version'::text))::integer AS version, e.n, sum(round((((e.one ->> 'share'::text))::numeric * (100)::numeric))) OVER (ORDER BY e.n) AS upto FROM jsonb_array_elements(choose_version.p_canary) WITH ORDINALITY e(one, n)) c WHERE ((pawl.place_of(((choose_version.p_workflow || ':'::text) || choose_version.p_key)))::numeric < c.upto) ORDER BY c.n LIMIT 1), p_head);

CREATE FUNCTION pawl.claim_beside(p_bucket smallint, p_worker uuid, p_limit integer, p_turn integer, p_each integer, p_without integer[]) RETURNS TABLE(run_id uuid, seq integer, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamp with time zone, token integer, signal bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_taken record;
    v_back uuid[];
    v_ids uuid[];
begin
    perform pawl.assert_worker(p_worker);
    with recursive bounds as materialized (
        select (select l.tenant from pawl.live_run l
                 where l.bucket = p_bucket and l.state = 0
                 order by l.bucket, l.tenant, l.due_at limit 1) as first,
               (select l.tenant from pawl.live_run l
                 where l.bucket = p_bucket and l.state = 0
                 order by l.bucket desc, l.tenant desc, l.due_at desc limit 1) as last
    ), tenant (id) as (
        select (select l.tenant from pawl.live_run l
                 where l.bucket = p_bucket and l.state = 0
                   and l.tenant >= b.first
                                   + ((p_turn & 1) * p_turn::bigint * 64 % (b.last::bigint - b.first + 1))::int
                 order by l.bucket, l.tenant, l.due_at limit 1)
          from bounds b
        union all
        select (select l.tenant from pawl.live_run l
                 where l.bucket = p_bucket and l.state = 0 and l.tenant > t.id
                 order by l.bucket, l.tenant, l.due_at limit 1)
          from tenant t
         where t.id is not null
    ), due as materialized (
        select x.row_id, x.run_id, x.slot, x.flow
          from tenant t
         cross join lateral (
             select l.ctid as row_id, l.run_id, l.slot, l.flow
               from pawl.live_run l
              where l.bucket = p_bucket and l.state = 0 and l.tenant = t.id and l.due_at <= now()
              order by l.due_at
              limit p_each
                for no key update skip locked
         ) as x
         where t.id <> all (p_without)
         limit p_limit
    ), taken as (
        update pawl.live_run l
           set state = 1, worker = p_worker, slot = case when l.slot in (2, 4) then 1 else l.slot end
         where l.ctid = any (array(select due.row_id from due))
        returning l.run_id
    )
    select coalesce(array_agg(t.run_id), '{}') as ids,
           coalesce((select array_agg(due.run_id) from due where due.slot in (2, 4)), '{}') as tickets,
           coalesce((select array_agg(due.flow) from due where due.slot in (2, 4)), '{}') as flows
      into v_taken
      from taken t;
    v_ids := v_taken.ids;
    if v_taken.tickets <> '{}' then
        v_back := pawl.pass_gates(p_bucket, v_taken.tickets, v_taken.flows);
        v_ids := array(select u.run_id from unnest(v_ids) as u (run_id) where u.run_id <> all (v_back));
    end if;
    if cardinality(v_ids) < p_limit and exists (select 1 from pawl.flow_gate g where g.look) then
        v_ids := v_ids || pawl.admit_waiting(p_bucket, p_worker, p_limit - cardinality(v_ids), p_without, p_each);
    end if;
    -- Read after the leases were taken: others may have written until then.
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token, null::bigint
      from unnest(v_ids) as u (run_id)
     cross join lateral (select * from pawl.event l where l.bucket = p_bucket and l.run_id = u.run_id offset 0) as e
     order by e.run_id, e.seq;
    return query
    select s.run_id, null::int, null::smallint, null::smallint, s.kind, s.data, null::jsonb, now(), null::int, s.id
      from pawl.signals_at_once(p_bucket, v_ids) s
     order by s.id;
end
$$;

CREATE FUNCTION pawl.claim_runs(p_bucket smallint, p_worker uuid, p_limit integer, p_turn integer DEFAULT 0) RETURNS TABLE(run_id uuid, seq integer, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamp with time zone, token integer, signal bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
    c_rounds constant int := 10;
    c_few constant int := 100;
    v_seen record;
    v_taken record;
    v_matched record;
    v_due int;
    v_matches boolean;
    v_signals boolean;
    v_delivered boolean := false;
    v_back uuid[];
    v_kept int := 0;
    v_gates boolean;
    v_ids uuid[] := '{}';
    v_told uuid[];
begin
    -- Who asks for many has seen that there are.
    if p_limit between 1 and c_few then
        v_ids := pawl.take_alone(p_bucket, p_worker);
    else
        v_ids := null;
    end if;
    if v_ids is null then
        v_ids := pawl.take_alike(p_bucket, p_worker, p_limit);
    end if;
    if v_ids is null then
        v_ids := '{}';
        v_seen := pawl.look_at_ready(p_bucket, p_worker);
        if v_seen.look is null then
            perform pawl.assert_worker(p_worker);
        end if;
        v_gates := v_seen.look;
        -- Half of the claim is kept for those who wait at a gate. They come last: letting them in holds locks, and
        -- nothing is waited for after that.
        if v_gates then
            v_kept := least(greatest(p_limit / 2, 1), p_limit);
        end if;
        for round in 1 .. c_rounds loop
            exit when v_seen.low is null;
            if v_seen.low = v_seen.high and v_seen.first = v_seen.last then
                select t.ids, t.tickets, t.flows into v_taken
                  from pawl.take_level(p_bucket, p_worker, v_seen.low, p_limit - v_kept - cardinality(v_ids)) t;
            else
                select t.ids, t.tickets, t.flows into v_taken
                  from pawl.take_due(
                      p_bucket, p_worker, p_limit - v_kept - cardinality(v_ids), (p_turn & 1073741823) + round - 1
                  ) t;
            end if;
            v_ids := v_ids || v_taken.ids;
            exit when v_taken.tickets = '{}';
            v_gates := true;
            v_back := pawl.pass_gates(p_bucket, v_taken.tickets, v_taken.flows);
            exit when v_back = '{}';
            v_ids := array(select u.run_id from unnest(v_ids) as u (run_id) where u.run_id <> all (v_back));
        end loop;
        if v_gates and cardinality(v_ids) < p_limit then
            if exists (select 1 from pawl.flow_gate g where g.look) then
                v_ids := v_ids || pawl.admit_waiting(p_bucket, p_worker, p_limit - cardinality(v_ids));
            end if;
        end if;
    end if;
    -- Those who have waited for an event come after those who are due, who are not to wait for them. Nothing is waited
    -- for here either. What goes wrong with an event is for match_inbox to tell: claims go on.
    v_due := cardinality(v_ids);
    select v_due < p_limit and (
               exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket)
               or exists (select 1 from pawl.subscription_check q where q.bucket = p_bucket)
           ),
           exists (select 1 from pawl.signal s where s.bucket = p_bucket)
      into v_matches, v_signals;
    if v_matches then
        begin
            for round in 1 .. c_rounds loop
                v_matched := pawl.match_all(p_bucket, p_limit - cardinality(v_ids), p_worker);
                v_ids := v_ids || v_matched.leased;
                v_delivered := v_delivered or v_matched.delivered > 0;
                exit when not v_matched.more or v_matched.stuck or v_due > 0 or cardinality(v_ids) >= p_limit;
            end loop;
            -- A claim may be lost with a crash of the database, as long as it leaves the run ready. This one would
            -- leave it parked.
            if v_delivered then
                perform set_config('synchronous_commit', 'on', true);
            end if;
        exception when others then
            v_ids := v_ids[:v_due];
        end;
    end if;
    if cardinality(v_ids) = 1 then
        return query
        select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token, null::bigint
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = v_ids[1]
         order by e.seq;
    elsif cardinality(v_ids) > 1 then
        return query
        select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token, null::bigint
          from unnest(v_ids) as u (run_id)
         cross join lateral (
             select * from pawl.event l where l.bucket = p_bucket and l.run_id = u.run_id offset 0
         ) as e
         order by e.run_id, e.seq;
    end if;
    -- In the same transaction, so that a run woken by a signal is seen together with it.
    if v_signals or v_delivered then
        v_told := array(
            select distinct w.run_id
              from (
                  select g.run_id
                    from pawl.signal g
                   where g.bucket + 0 = p_bucket and g.worker = p_worker and g.run_id <> all (v_ids)
                   order by g.id
                   limit 1000
              ) as w
        );
        return query
        select s.run_id, null::int, null::smallint, null::smallint, s.kind, s.data, null::jsonb, now(), null::int, s.id
          from pawl.signals_at_once(p_bucket, v_ids || v_told) s
         order by s.id;
    end if;
end
$$;

CREATE FUNCTION pawl.claim_triggers(p_bucket smallint, p_limit integer, p_lease interval) RETURNS TABLE(id bigint, tenant integer, event_id text, name text, key text, subject text, source text, "time" timestamp with time zone, data jsonb, at timestamp with time zone, workflow integer, version integer)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
    c_attempts_max constant int := 5;
    v_id bigint[];
    v_row tid[];
begin
    if not exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket) then
        return;
    end if;
    select array_agg(q.id), array_agg(q.row_id) into v_id, v_row
      from (
          select q.id, q.ctid as row_id
            from pawl.trigger_pending q
           where q.bucket = p_bucket and q.lease_until < now()
           order by q.bucket, q.id
           limit p_limit
             for update skip locked
      ) as q;
    if v_id is null then
        return;
    end if;
    update pawl.inbox i
       set problem = format('tried %s times to start workflows by it, and the worker died each time', c_attempts_max)
     where i.bucket + 0 = p_bucket
       and i.id = any (array(
           select q.id from pawl.trigger_pending q where q.ctid = any (v_row) and q.attempts >= c_attempts_max
       ));
    delete from pawl.trigger_pending q where q.ctid = any (v_row) and q.attempts >= c_attempts_max;
    update pawl.trigger_pending q
       set attempts = q.attempts + 1, lease_until = now() + p_lease
     where q.ctid = any (v_row);
    -- An event without a workflow (it was taken away meanwhile) comes too, so that it can be finished.
    return query
    select e.id, e.tenant, e.event_id, e.name, e.key, e.subject, e.source, e.time, e.data, e.at, w.workflow, w.version
      from unnest(v_id) as u (id)
     cross join lateral (
         select i.* from pawl.inbox i where i.bucket + 0 = p_bucket and i.id = u.id and i.problem is null offset 0
     ) as e
      left join lateral (
         select d.workflow, d.version
           from pawl.event_trigger t
           join pawl.definition d on d.workflow = t.workflow and d.active
          where t.tenant = e.tenant and t.event = e.name
         offset 0
     ) as w on true
     order by e.id, w.workflow;
end
$$;

CREATE FUNCTION pawl.claims_document_key(p_queue text, p_tenant integer, p_workflow integer, p_key text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_workflow int;
begin
    if p_key is null or not exists (
        select 1 from pawl.consumed_queue c where c.name = p_queue and c.kind = 'message'
    ) then
        return true;
    end if;
    select k.workflow into v_workflow from pawl.run_of_key(p_tenant, p_key) k;
    if v_workflow is null then
        insert into pawl.document_key (tenant, workflow, key) values (p_tenant, p_workflow, p_key)
            on conflict do nothing;
        select k.workflow into v_workflow from pawl.document_key k where k.tenant = p_tenant and k.key = p_key;
    end if;
    return v_workflow = p_workflow;
end
$$;

CREATE FUNCTION pawl.closed_run_ids(p_bucket smallint, p_tenant integer, p_workflow integer, p_status smallint[], p_subject text, p_ids uuid[], p_from uuid, p_before uuid, p_limit integer, p_walk integer, p_unretried boolean) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_sort TO 'off'
    SET enable_memoize TO 'off'
    AS $$
declare
    v_from uuid := coalesce(p_from, '00000000-0000-0000-0000-000000000000');
    v_before uuid := coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
    v_status smallint[] := coalesce(p_status, array[1, 2, 3]::smallint[]);
    v_rest int := p_limit;
    v_walked int := 0;
    v_id uuid;
    v_fits boolean;
begin
    if p_ids is not null then
        return query
        select u.id
          from unnest(p_ids) as u (id)
         cross join lateral (
             select 1
               from pawl.run r
              where r.bucket = p_bucket and r.run_id = u.id and r.tenant = p_tenant and r.status = any (v_status)
                and (p_workflow is null or r.workflow = p_workflow) and (p_subject is null or r.subject = p_subject)
                and (not p_unretried or r.retried_as is null)
             offset 0
         ) as found
         where u.id >= v_from and u.id < v_before
         order by u.id desc
         limit p_limit;
        return;
    end if;
    if p_subject is not null then
        return query
        select r.run_id
          from pawl.run r
         where r.bucket = p_bucket and r.tenant = p_tenant and r.subject = p_subject
           and r.run_id >= v_from and r.run_id < v_before and r.status = any (v_status)
           and (p_workflow is null or r.workflow = p_workflow) and (not p_unretried or r.retried_as is null)
         order by r.run_id desc
         limit p_limit;
        return;
    end if;
    if p_workflow is null then
        for v_id, v_fits in
            select r.run_id,
                   r.tenant = p_tenant and r.status = any (v_status) and (not p_unretried or r.retried_as is null)
              from pawl.run r
             where r.bucket = p_bucket and r.run_id >= v_from and r.run_id < v_before
             order by r.run_id desc
             limit p_walk
        loop
            v_walked := v_walked + 1;
            v_before := v_id;
            continue when not v_fits;
            return next v_id;
            v_rest := v_rest - 1;
            exit when v_rest = 0;
        end loop;
        if v_rest = 0 or v_walked < p_walk then
            return;
        end if;
    end if;
    if p_unretried then
        return query
        select x.run_id
          from pawl.workflow w
         cross join unnest(v_status) as s (status)
         cross join lateral (
             select r.run_id
               from pawl.run r
              where r.bucket + 0 = p_bucket and r.tenant = p_tenant and r.workflow = w.id and r.status = s.status
                and r.run_id >= v_from and r.run_id < v_before and r.retried_as is null
              order by r.run_id desc
              limit v_rest
         ) as x
         where w.tenant = p_tenant and (p_workflow is null or w.id = p_workflow)
         order by x.run_id desc
         limit v_rest;
    else
        -- As above, from the index alone.
        return query
        select x.run_id
          from pawl.workflow w
         cross join unnest(v_status) as s (status)
         cross join lateral (
             select r.run_id
               from pawl.run r
              where r.bucket + 0 = p_bucket and r.tenant = p_tenant and r.workflow = w.id and r.status = s.status
                and r.run_id >= v_from and r.run_id < v_before
              order by r.run_id desc
              limit v_rest
         ) as x
         where w.tenant = p_tenant and (p_workflow is null or w.id = p_workflow)
         order by x.run_id desc
         limit v_rest;
    end if;
end
$$;

CREATE FUNCTION pawl.run_status_name(p_status smallint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (ARRAY['running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])[(p_status + 1)];

CREATE FUNCTION pawl.closed_statuses(p_status text[]) RETURNS smallint[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (p_status IS NOT NULL) THEN ARRAY(SELECT s.status FROM unnest(ARRAY[(1)::smallint, (2)::smallint, (3)::smallint]) s(status) WHERE (pawl.run_status_name(s.status) = ANY (closed_statuses.p_status))) ELSE NULL::smallint[] END;

CREATE FUNCTION pawl.commit_runs(p_bucket smallint, p_worker uuid, p_resend boolean, p_run uuid[], p_seq integer[], p_type smallint[], p_attempt smallint[], p_node text[], p_data jsonb[], p_error jsonb[], p_token integer[], p_park_run uuid[], p_park_due timestamp with time zone[], p_close_run uuid[], p_close_started timestamp with time zone[], p_close_tenant integer[], p_close_workflow integer[], p_close_version integer[], p_close_status smallint[], p_close_subject text[], p_close_output jsonb[], p_close_error jsonb[], p_close_node text[], p_signal bigint[], p_signal_run uuid[], p_held uuid[] DEFAULT NULL::uuid[], p_row tid[] DEFAULT NULL::tid[]) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    AS $$
declare
    c_looks constant int := 10;
    v_through uuid[];
    v_held tid[];
    v_lost uuid[];
    v_known int;
    v_mark bigint;
    v_row tid[];
    v_left jsonb[];
    v_freed jsonb[];
    v_count int[];
    v_found int;
    v_gone int := 0;
    v_gates boolean := false;
begin
    perform pawl.assert_worker(p_worker);
    p_held := coalesce(p_held, p_close_run || p_park_run);
    if p_resend then
        v_through := pawl.resent_runs(
            p_bucket, p_worker, p_held, p_run, p_seq, p_type, p_attempt, p_node, p_data, p_token
        );
        if p_held <@ v_through then
            -- The answer stands for a commit that was lost sight of: it waits for whatever that one waits for.
            perform pg_logical_emit_message(true, 'pawl', '');
            return now();
        end if;
        if v_through <> '{}' then
            select array_agg(u.run_id), array_agg(u.seq), array_agg(u.type), array_agg(u.attempt), array_agg(u.node),
                   array_agg(u.data), array_agg(u.error), array_agg(u.token)
              into p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error, p_token
              from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_error, p_token)
                   as u (run_id, seq, type, attempt, node, data, error, token)
             where u.run_id <> all (v_through);
            select coalesce(array_agg(u.run_id), '{}'), array_agg(u.due) into p_park_run, p_park_due
              from unnest(p_park_run, p_park_due) as u (run_id, due)
             where u.run_id <> all (v_through);
            select coalesce(array_agg(u.run_id), '{}'), array_agg(u.started_at), array_agg(u.tenant),
                   array_agg(u.workflow), array_agg(u.version), array_agg(u.status), array_agg(u.subject),
                   array_agg(u.output), array_agg(u.error), array_agg(u.node)
              into p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version, p_close_status,
                   p_close_subject, p_close_output, p_close_error, p_close_node
              from unnest(p_close_run, p_close_started, p_close_tenant, p_close_workflow, p_close_version,
                          p_close_status, p_close_subject, p_close_output, p_close_error, p_close_node)
                   as u (run_id, started_at, tenant, workflow, version, status, subject, output, error, node)
             where u.run_id <> all (v_through);
            select coalesce(array_agg(u.id), '{}'), coalesce(array_agg(u.run_id), '{}') into p_signal, p_signal_run
              from unnest(p_signal, p_signal_run) as u (id, run_id)
             where u.run_id <> all (v_through);
            p_held := array(select u.run_id from unnest(p_held) as u (run_id) where u.run_id <> all (v_through));
        end if;
    end if;
    -- While the worker's row is locked, no other session changes a row that is leased to it: its place stays known.
    -- A row that stands where its holder last knew it needs no look into the index. What is there is compared as a
    -- whole: as many rows of this worker, and their ids together. Any doubt, and each is looked for by its id. (The
    -- cast keeps the planner from reading the whole bucket by its index.)
    if p_row is not null and not p_resend then
        select count(*), bit_xor(uuid_hash_extended(h.run_id, 0)) into v_found, v_mark
          from pawl.live_run h
         where h.ctid = any (p_row) and h.bucket::int = p_bucket and h.worker = p_worker;
        select count(*) into v_known
          from generate_series(1, cardinality(p_held)) as u (i)
         where p_row[i] is not null
        having coalesce(bit_xor(uuid_hash_extended(p_held[i], 0)), 0) = coalesce(v_mark, 0);
        if v_known = v_found then
            v_held := p_row;
        end if;
    end if;
    if v_held is null or array_position(v_held, null) is not null then
        select array_agg(coalesce(u.row_id, x.row_id)),
               array_agg(u.run_id) filter (where u.row_id is null and x.row_id is null)
          into v_held, v_lost
          from unnest(p_held, v_held) as u (run_id, row_id)
          left join lateral (
              select h.ctid as row_id
                from pawl.live_run h
               where h.bucket = p_bucket and h.run_id = u.run_id and h.worker = p_worker and u.row_id is null
              offset 0
          ) as x on true;
        -- For the next commit of the runs that stay with their holder.
        perform set_config('pawl.rows', (v_held[cardinality(p_close_run) + cardinality(p_park_run) + 1:])::text, true);
    end if;
    if v_lost is not null then
        raise exception 'worker % does not hold these runs', p_worker
            using errcode = 'PW002', detail = array_to_string(v_lost, ',');
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select p_run[i], now(), p_seq[i], p_bucket, p_type[i], p_attempt[i], p_node[i], p_data[i], p_error[i], p_token[i]
      from generate_series(1, cardinality(p_run)) as u (i);
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox(p_bucket, p_run, p_seq, p_type, p_data);
    end if;
    if cardinality(p_close_run) > 0 or cardinality(p_park_run) > 0 then
        v_gates := exists (select 1 from pawl.flow_gate g);
    end if;
    if cardinality(p_close_run) > 0 then
        v_row := v_held[:cardinality(p_close_run)];
        -- A run inside a gate gives its place back: without gates there is none.
        if v_gates then
            v_left := array(select h.flow from pawl.live_run h where h.ctid = any (v_row) and h.slot = 1);
            select array_agg(w.flow), array_agg(w.count) into v_left, v_count
              from (select u.flow, count(*)::int as count from unnest(v_left) as u (flow) group by u.flow) as w;
        end if;
        delete from pawl.live_run l where l.ctid = any (v_row);
        get diagnostics v_found = row_count;
        if v_found <> cardinality(p_close_run) then
            raise exception 'a run that closes was changed by another session' using errcode = 'serialization_failure';
        end if;
        -- To be ready for a conflict costs a look into the index and a record of the log for every row.
        insert into pawl.run
            (run_id, started_at, closed_at, tenant, workflow, version, bucket, status, subject, output, error)
        select p_close_run[i], p_close_started[i], now(), p_close_tenant[i], p_close_workflow[i], p_close_version[i],
               p_bucket, p_close_status[i], p_close_subject[i], p_close_output[i], p_close_error[i]
          from generate_series(1, cardinality(p_close_run)) as u (i);
        -- Those that failed, and those that could not undo all that they did.
        if 2 = any (p_close_status)
            or exists (select 1 from unnest(p_close_error) as u (error) where u.error is not null)
        then
            insert into pawl.dead_letter (bucket, run_id, tenant, workflow, version, node, error, fingerprint)
            select p_bucket, u.run_id, u.tenant, u.workflow, u.version, u.node, coalesce(u.error, 'null'),
                   pawl.error_fingerprint(u.workflow, u.node, u.error)
              from unnest(p_close_run, p_close_tenant, p_close_workflow, p_close_version, p_close_status, p_close_node,
                          p_close_error)
                   as u (run_id, tenant, workflow, version, status, node, error)
             where u.status = 2 or u.error ->> 'code' <> 'children_not_undone'
                on conflict do nothing;
        end if;
    end if;
    if cardinality(p_signal) > 0 then
        -- Another session may rewrite a message while this one waits for it (settle_signals): then its place is
        -- another one, and the next look finds it there.
        for v_look in 1 .. c_looks loop
            delete from pawl.signal s
             where s.ctid = any (array(
                   select x.row_id
                     from unnest(p_signal, p_signal_run) as u (id, run_id)
                    cross join lateral (
                        select h.ctid as row_id
                          from pawl.signal h
                         where h.bucket = p_bucket and h.run_id = u.run_id and h.id = u.id
                        offset 0
                    ) as x
               ));
            get diagnostics v_found = row_count;
            v_gone := v_gone + v_found;
            exit when v_gone >= cardinality(p_signal);
        end loop;
        if v_gone < cardinality(p_signal) then
            raise exception 'worker % consumes a message that is not there', p_worker using errcode = 'PW002';
        end if;
    end if;
    if cardinality(p_park_run) > 0 then
        v_row := v_held[cardinality(p_close_run) + 1:cardinality(p_close_run) + cardinality(p_park_run)];
        -- Some give their places back while they wait.
        if v_gates then
            select array_agg(h.flow) into v_freed
              from unnest(v_row, p_park_due) as u (row_id, due)
             cross join lateral (
                 select l.flow
                   from pawl.live_run l
                  where l.ctid = u.row_id and l.slot = 1 and l.flow ? 'free' and (u.due is null or u.due > now())
                 offset 0
             ) as h;
        end if;
        update pawl.live_run l
           set state = case when u.due is null then 2 else 0 end, worker = null, due_at = coalesce(u.due, l.due_at),
               slot = case when l.slot = 1 and l.flow ? 'free' and (u.due is null or u.due > now()) then 2
                           else l.slot end,
               flow = case when l.slot = 1 and l.flow ? 'free' and (u.due is null or u.due > now())
                           then l.flow - 'rate' - 'gather' else l.flow end
          from unnest(v_row, p_park_due) as u (row_id, due)
         where l.ctid = u.row_id;
        get diagnostics v_found = row_count;
        if v_found <> cardinality(p_park_run) then
            raise exception 'a run that parks was changed by another session' using errcode = 'serialization_failure';
        end if;
        v_left := v_left || v_freed;
        v_count := v_count || array_fill(1, array[coalesce(cardinality(v_freed), 0)]);
    end if;
    -- A signal may have come for a run while its holder was parking or closing it: the sender saw a leased run and only
    -- left the message. The row lock orders the two, so the message is visible here or there.
    if (cardinality(p_park_run) > 0 or cardinality(p_close_run) > 0)
        and exists (select 1 from pawl.signal s where s.bucket = p_bucket)
    then
        update pawl.live_run l
           set state = 0, due_at = least(l.due_at, now())
         where l.ctid = any (array(
               select x.row_id
                 from unnest(p_park_run) as u (run_id)
                cross join lateral (
                    select 1 from pawl.signal s where s.bucket = p_bucket and s.run_id = u.run_id limit 1
                ) as waiting
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.live_run h
                     where h.bucket = p_bucket and h.run_id = u.run_id and h.state in (0, 2)
                    offset 0
                ) as x
           ));
        for v_look in 1 .. c_looks loop
            v_row := array(
                select x.row_id
                  from unnest(p_close_run) as u (run_id)
                 cross join lateral (
                     select h.ctid as row_id from pawl.signal h where h.bucket = p_bucket and h.run_id = u.run_id
                     offset 0
                 ) as x
            );
            exit when v_row = '{}';
            delete from pawl.signal s where s.ctid = any (v_row);
        end loop;
    end if;
    if v_left is not null then
        perform pawl.leave_gates(p_bucket, array_agg(s.slot ->> 0), array_agg(s.count))
           from (
               select jsonb_array_elements(u.flow -> 'slots') as slot, u.count
                 from unnest(v_left, v_count) as u (flow, count)
           ) as s
         having count(*) > 0;
    end if;
    return now();
end
$$;

CREATE FUNCTION pawl.condition_column_type(p_relation regclass, p_column text) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_type text;
begin
    -- Without its length, which a cast would cut the value to.
    select format_type(a.atttypid, -1) into v_type
      from pg_attribute a
     where a.attrelid = p_relation and a.attname = p_column and a.attnum > 0 and not a.attisdropped;
    if v_type is null then
        raise exception 'the table % has no column %', p_relation, quote_literal(p_column) using errcode = 'PW011';
    end if;
    return v_type;
end
$$;

CREATE FUNCTION pawl.condition_tenant(p_tenant integer) RETURNS integer
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select case when l.tenant = 1 or l.tenant is null and e.is_engine then p_tenant else coalesce(l.tenant, 0) end
      from (select exists (
                select 1
                  from pg_roles r
                  join pg_namespace n on n.nspname = 'pawl'
                 where r.rolname = session_user
                   and (r.rolsuper or pg_has_role(r.oid, n.nspowner, 'usage')
                        or coalesce(pg_has_role(r.oid, to_regrole('pawl_worker')::oid, 'usage'), false))
            ) as is_engine) as e
      left join pawl.sql_login l on l.role_name = session_user
$$;

CREATE FUNCTION pawl.condition_test(p_column text, p_type text, p_operator text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog'
    AS $_$
declare
    v_is_json boolean := p_type in ('json', 'jsonb');
    v_is_list boolean := p_type like '%[]';
begin
    if p_operator in ('=', '<', '<=', '>', '>=') then
        if v_is_json then
            return format('t.%I::jsonb %s $3', p_column, p_operator);
        end if;
        return format('t.%I %s $1::%s', p_column, p_operator, p_type);
    elsif p_operator = 'in' then
        if v_is_json then
            return format('$3 @> jsonb_build_array(t.%I::jsonb)', p_column);
        end if;
        return format('t.%I = any ($2::%s[])', p_column, p_type);
    elsif p_operator = 'between' then
        return format('t.%1$I between $2[1]::%2$s and $2[2]::%2$s', p_column, p_type);
    elsif p_operator = 'before' then
        return format('t.%I::timestamptz < $1::timestamptz', p_column);
    elsif p_operator = 'after' then
        return format('t.%I::timestamptz > $1::timestamptz', p_column);
    elsif p_operator = 'contains' then
        if v_is_json then
            return format('t.%I::jsonb @> $3', p_column);
        elsif v_is_list then
            return format('$1::%s = any (t.%I)', rtrim(p_type, '[]'), p_column);
        end if;
        return format('strpos(t.%I::text, $1) > 0', p_column);
    elsif p_operator = 'starts with' then
        return format('starts_with(t.%I::text, $1)', p_column);
    elsif p_operator = 'matches' then
        return format('t.%I::text ~ $1', p_column);
    elsif p_operator = 'exists' then
        return format('t.%I is not null', p_column);
    end if;
    raise exception 'there is no operator %', quote_literal(p_operator) using errcode = 'PW012';
end
$_$;

CREATE FUNCTION pawl.confirm_found() RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    BEGIN ATOMIC
 SELECT pg_logical_emit_message(true, 'pawl'::text, ''::text) AS pg_logical_emit_message;
END;

CREATE FUNCTION pawl.steps_of(p_definition jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE((p_definition -> 'steps'::text), (p_definition -> 'nodes'::text));

CREATE FUNCTION pawl.step_names(p_definition jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT COALESCE((s.step ->> 'id'::text), (s.step ->> 'name'::text)) AS "coalesce" FROM jsonb_array_elements(pawl.steps_of(step_names.p_definition)) WITH ORDINALITY s(step, place) ORDER BY s.place);

CREATE FUNCTION pawl.context_part(p_definition jsonb, p_type smallint, p_node text, p_data jsonb, p_error jsonb) RETURNS TABLE(rank integer, key text, value jsonb)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT
         CASE
             WHEN ((s.step ->> 'type'::text) = ANY (ARRAY['wait'::text, 'human'::text])) THEN '-1'::integer
             ELSE 1
         END AS "case",
     a.key,
     a.value
    FROM (( SELECT (pawl.steps_of(context_part.p_definition) -> (array_position(pawl.step_names(context_part.p_definition), context_part.p_node) - 1)) AS "?column?") s(step)
      CROSS JOIN LATERAL jsonb_each(
         CASE
             WHEN ((context_part.p_type = 7) AND (jsonb_typeof((context_part.p_data -> 'value'::text)) = 'object'::text)) THEN (context_part.p_data -> 'value'::text)
             ELSE NULL::jsonb
         END) a(key, value))
 UNION ALL
  SELECT 0,
     i.key,
     i.value
    FROM jsonb_each(
         CASE
             WHEN ((context_part.p_type = 0) AND (jsonb_typeof((context_part.p_data -> 'input'::text)) = 'object'::text)) THEN (context_part.p_data -> 'input'::text)
             ELSE NULL::jsonb
         END) i(key, value)
 UNION ALL
  SELECT 1,
     r.key,
     r.value
    FROM jsonb_each(
         CASE
             WHEN ((context_part.p_type = 1) AND (jsonb_typeof(context_part.p_data) = 'object'::text)) THEN context_part.p_data
             ELSE NULL::jsonb
         END) r(key, value)
 UNION ALL
  SELECT 2,
     format('step_%s_%s'::text, (n.place - 1),
         CASE context_part.p_type
             WHEN 1 THEN 'result'::text
             ELSE 'error'::text
         END) AS format,
         CASE context_part.p_type
             WHEN 1 THEN COALESCE(context_part.p_data, 'null'::jsonb)
             ELSE COALESCE((context_part.p_error -> 'message'::text), '""'::jsonb)
         END AS "coalesce"
    FROM ( SELECT array_position(pawl.step_names(context_part.p_definition), context_part.p_node) AS array_position) n(place)
   WHERE ((n.place IS NOT NULL) AND ((context_part.p_type = 1) OR ((context_part.p_type = 2) AND (NOT COALESCE((context_part.p_data ? 'retry_at'::text), false)) AND (((pawl.steps_of(context_part.p_definition) -> (n.place - 1)) ->> 'on_failure'::text) = 'continue'::text))));
END;

CREATE FUNCTION pawl.correlated_runs(p_bucket smallint, p_tenant integer, p_key text) RETURNS uuid[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
begin
    return array(
        with recursive related as (
            select x.run_id
              from pawl.workflow w
             cross join lateral (
                 select c.run_id
                   from pawl.correlation c
                  where c.bucket = p_bucket and c.tenant = p_tenant and c.workflow = w.id and c.key = p_key
                 offset 0
             ) as x
             where w.tenant = p_tenant
             union
            select x.retried_as
              from related
             cross join lateral (
                 select r.retried_as
                   from pawl.run r
                  where r.bucket = p_bucket and r.run_id = related.run_id and r.retried_as is not null
                 offset 0
             ) as x
        )
        select related.run_id from related
    );
end
$$;

CREATE FUNCTION pawl.count_dead_letters(p_bucket smallint, p_tenant integer, p_fingerprint text, p_replayed boolean, p_from timestamp with time zone, p_before timestamp with time zone, p_most integer, OUT count bigint, OUT first_at timestamp with time zone, OUT last_at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
begin
    if p_replayed = false then
        select count(*), min(x.at), max(x.at) into count, first_at, last_at
          from (select d.at
                  from pawl.dead_letter d
                 where d.bucket + 0 = p_bucket and d.tenant = p_tenant and d.fingerprint = p_fingerprint
                   and d.replayed_as is null
                   and d.at > coalesce(p_from, '-infinity') and d.at < coalesce(p_before, 'infinity')
                 order by d.at desc
                 limit p_most) as x;
    else
        select count(*), min(x.at), max(x.at) into count, first_at, last_at
          from (select d.at
                  from pawl.dead_letter d
                 where d.bucket = p_bucket and d.tenant = p_tenant and d.fingerprint = p_fingerprint
                   and (p_replayed is null or d.replayed_as is not null)
                   and d.at > coalesce(p_from, '-infinity') and d.at < coalesce(p_before, 'infinity')
                 order by d.at desc
                 limit p_most) as x;
    end if;
end
$$;

CREATE FUNCTION pawl.count_due(p_bucket smallint, p_priority smallint, p_limit integer) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    AS $$
begin
    return (
        select count(*)
          from (
              select 1
                from pawl.live_run l
               where l.bucket = p_bucket and l.state = 0 and l.priority = p_priority and l.due_at <= now()
               order by l.due_at, l.run_id
               limit p_limit
          ) as due
    );
end
$$;

CREATE FUNCTION pawl.count_open_matches(p_bucket smallint, p_tenant integer, p_workflow integer, p_status text[], p_subject text, p_from uuid, p_before uuid, p_most bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_custom_plan'
    SET jit TO 'off'
    SET enable_indexscan TO 'off'
    SET enable_indexonlyscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_seqscan TO 'on'
    SET enable_sort TO 'on'
    SET max_parallel_workers_per_gather TO '0'
    AS $$
begin
    return (
        select count(*)
          from (select 1
                  from pawl.live_run l
                 where l.bucket = p_bucket and l.tenant = p_tenant and l.run_id >= p_from and l.run_id < p_before
                   and (p_workflow is null or l.workflow = p_workflow) and (p_subject is null or l.subject = p_subject)
                   and (p_status is null or pawl.open_status_name(l.state, l.due_at) = any (p_status))
                 limit p_most) as x
    );
end
$$;

CREATE TABLE pawl.live_run (
    run_id uuid NOT NULL,
    worker uuid,
    due_at timestamp with time zone NOT NULL,
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    version integer NOT NULL,
    bucket smallint NOT NULL,
    state smallint NOT NULL,
    priority smallint NOT NULL,
    subject text,
    flow jsonb,
    slot smallint,
    CONSTRAINT live_run_state_check CHECK ((state = ANY (ARRAY[0, 1, 2, 3]))),
    CONSTRAINT live_run_worker_check CHECK (((state = 1) = (worker IS NOT NULL)))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0', autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='50000', vacuum_truncate=off);

ALTER TABLE ONLY pawl.live_run FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pawl.count_open_runs(p_bucket smallint, p_tenant integer, p_limit integer) RETURNS integer
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    BEGIN ATOMIC
 SELECT (count(*))::integer AS count
    FROM ( SELECT 1 AS "?column?"
            FROM pawl.live_run l
           WHERE ((l.bucket = count_open_runs.p_bucket) AND (l.tenant = count_open_runs.p_tenant))
          LIMIT count_open_runs.p_limit) x;
END;

CREATE TABLE pawl.workflow (
    id integer NOT NULL,
    tenant integer NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

ALTER TABLE ONLY pawl.workflow FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pawl.count_open_versions(p_tenant integer, p_name text) RETURNS TABLE(version integer, open_runs bigint)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog'
    BEGIN ATOMIC
 SELECT l.version,
     count(*) AS count
    FROM ((pawl.tenant t
      JOIN pawl.workflow w ON ((w.tenant = t.id)))
      JOIN pawl.live_run l ON (((l.bucket = t.bucket) AND (l.tenant = t.id) AND (l.workflow = w.id))))
   WHERE ((t.id = count_open_versions.p_tenant) AND (w.name = count_open_versions.p_name))
   GROUP BY l.version;
END;

CREATE FUNCTION pawl.count_runs(p_bucket smallint, p_tenant integer, p_workflow text, p_status text[], p_subject text, p_correlation text, p_from uuid, p_before uuid, p_sample integer, p_scan integer, p_unretried boolean) RETURNS TABLE(total bigint, complete boolean, sample uuid[])
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
declare
    v_from uuid := coalesce(p_from, '00000000-0000-0000-0000-000000000000');
    v_before uuid := coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
    v_status smallint[] := pawl.closed_statuses(p_status);
    v_workflow int;
    v_workflows int[];
    v_ids uuid[];
    v_open bigint := 0;
    v_closed bigint := 0;
    v_retried bigint := 0;
begin
    perform pawl.require_tenant(p_tenant);
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return query select 0::bigint, true, '{}'::uuid[];
            return;
        end if;
    end if;
    if v_workflow is not null then
        v_workflows := array[v_workflow];
    elsif v_status is not null then
        -- From the runs of a workflow and status to those of the next, not over all of the tenant.
        v_workflows := array(select w.id from pawl.workflow w where w.tenant = p_tenant);
    end if;
    if p_correlation is not null then
        v_ids := pawl.correlated_runs(p_bucket, p_tenant, p_correlation);
        select count(*) into v_open
          from pawl.open_run_ids(p_bucket, p_tenant, v_workflow, pawl.open_statuses(p_status), p_subject, v_ids, p_from,
                                 p_before, p_scan + 1, 1000)
         where coalesce(p_status && array['queued', 'waiting', 'running'], true);
    elsif coalesce(p_status && array['queued', 'waiting', 'running'], true) then
        v_open := pawl.count_open_matches(p_bucket, p_tenant, v_workflow, pawl.open_statuses(p_status), p_subject,
                                          v_from, v_before, p_scan + 1);
    end if;
    if cardinality(v_status) = 0 then
        null;
    elsif p_correlation is not null or p_subject is not null then
        select count(*) into v_closed
          from pawl.closed_run_ids(p_bucket, p_tenant, v_workflow, v_status, p_subject, v_ids, p_from, p_before,
                                   p_scan + 1, 1000, p_unretried);
    else
        if p_unretried then
            select count(*) into v_retried
              from pawl.run r
             where r.bucket + 0 = p_bucket and r.tenant = p_tenant and r.retried_as is not null
               and (v_workflows is null or r.workflow = any (v_workflows))
                   and (v_status is null or r.status = any (v_status))
               and (p_from is null or r.run_id >= p_from) and (p_before is null or r.run_id < p_before);
        end if;
        -- From the index alone.
        select count(*) - v_retried into v_closed
          from (select 1
                  from pawl.run r
                 where r.bucket + 0 = p_bucket and r.tenant = p_tenant
                   and (v_workflows is null or r.workflow = any (v_workflows))
                   and (v_status is null or r.status = any (v_status))
                   and (p_from is null or r.run_id >= p_from) and (p_before is null or r.run_id < p_before)
                 limit p_scan + v_retried + 1) as x;
    end if;
    return query
    select v_open + v_closed, greatest(v_open, v_closed) <= p_scan, array(
               select s.run_id
                 from (select o.run_id
                         from pawl.open_run_ids(p_bucket, p_tenant, v_workflow, pawl.open_statuses(p_status), p_subject,
                                                v_ids, p_from, p_before, p_sample, 1000) as o (run_id)
                        where v_open > 0
                        union all
                       select c.run_id
                         from pawl.closed_run_ids(p_bucket, p_tenant, v_workflow, v_status, p_subject, v_ids, p_from,
                                                  p_before, p_sample, 1000, p_unretried) as c (run_id)
                        where v_closed > 0) as s
                order by s.run_id desc
                limit p_sample
           );
end
$$;

CREATE FUNCTION pawl.create_bulk(p_job uuid, p_tenant integer, p_filter jsonb, p_request jsonb, p_total bigint) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
    insert into pawl.job (id, tenant, kind, filter, request, total, cursor_run)
    select p_job, t.id, 'bulk', p_filter, p_request, p_total,
           -- After the newest run, whatever the clock of whoever made its id.
           pawl.uuid7_bound(greatest(
               now(), pawl.uuid7_time(o.newest), pawl.uuid7_time(c.newest)
           ) + interval '2 ms')
      from pawl.tenant t
      left join lateral (
          select l.run_id as newest from pawl.live_run l where l.bucket = t.bucket order by l.run_id desc limit 1
      ) as o on true
      left join lateral (
          select r.run_id as newest from pawl.run r where r.bucket = t.bucket order by r.run_id desc limit 1
      ) as c on true
     where t.id = p_tenant
        on conflict do nothing;
end
$$;

CREATE FUNCTION pawl.create_replay(p_job uuid, p_tenant integer, p_filter jsonb) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_workflow int;
begin
    select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_filter ->> 'workflow';
    insert into pawl.job (id, tenant, kind, filter, total)
    select p_job, t.id, 'replay', p_filter, (
               select coalesce(sum(c.count), 0)
                 from pawl.dead_letter_errors(t.bucket, t.id, v_workflow, p_filter ->> 'step',
                                              p_filter ->> 'fingerprint', true) e
                cross join lateral pawl.count_dead_letters(
                    t.bucket, t.id, e.fingerprint, false, (p_filter ->> 'after')::timestamptz,
                    (p_filter ->> 'before')::timestamptz, null
                ) c
                where p_filter ->> 'workflow' is null or v_workflow is not null
           )
      from pawl.tenant t
     where t.id = p_tenant
        on conflict do nothing;
end
$$;

CREATE FUNCTION pawl.duration_ms(p_duration jsonb) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (jsonb_typeof(p_duration) = 'number'::text) THEN (ceil((((p_duration #>> '{}'::text[]))::numeric * (1000)::numeric)))::bigint WHEN ((p_duration #>> '{}'::text[]) ~ '^ *P'::text) THEN (ceil((EXTRACT(epoch FROM ((p_duration #>> '{}'::text[]))::interval) * (1000)::numeric)))::bigint WHEN ((p_duration #>> '{}'::text[]) ~ '^ *[0-9.]+ *$'::text) THEN (ceil((((p_duration #>> '{}'::text[]))::numeric * (1000)::numeric)))::bigint ELSE (SELECT (ceil(sum(((m.part[1])::numeric * CASE m.part[2] WHEN 'd'::text THEN (86400000)::numeric WHEN 'h'::text THEN (3600000)::numeric WHEN 'm'::text THEN (60000)::numeric WHEN 's'::text THEN (1000)::numeric WHEN 'ms'::text THEN (1)::numeric WHEN 'us'::text THEN 0.001 ELSE NULL::numeric END))))::bigint AS ceil FROM regexp_matches((duration_ms.p_duration #>> '{}'::text[]), '([0-9.]+)(d|h|ms|m|s|us)'::text, 'g'::text) m(part)) END;

CREATE FUNCTION pawl.cron_triggers(p_triggers jsonb) RETURNS TABLE(place integer, cron text, timezone text, overlap text, catch_up_ms bigint, jitter_ms bigint, input jsonb, nth bigint)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT ((t.place - 1))::integer AS int4,
     (t.spec ->> 'cron'::text),
     COALESCE((t.spec ->> 'timezone'::text), 'UTC'::text) AS "coalesce",
     COALESCE((t.spec ->> 'overlap'::text), 'skip'::text) AS "coalesce",
     COALESCE(pawl.duration_ms((t.spec -> 'catch_up'::text)), (3600000)::bigint) AS "coalesce",
     COALESCE(pawl.duration_ms((t.spec -> 'jitter'::text)), (0)::bigint) AS "coalesce",
     COALESCE((t.spec -> 'input'::text), '{}'::jsonb) AS "coalesce",
     row_number() OVER (PARTITION BY (t.spec ->> 'cron'::text), COALESCE((t.spec ->> 'timezone'::text), 'UTC'::text) ORDER BY t.place) AS row_number
    FROM jsonb_array_elements(
         CASE
             WHEN (jsonb_typeof(cron_triggers.p_triggers) = 'array'::text) THEN cron_triggers.p_triggers
             ELSE '[]'::jsonb
         END) WITH ORDINALITY t(spec, place)
   WHERE (t.spec ? 'cron'::text);
END;

CREATE FUNCTION pawl.current_tenant() RETURNS integer
    LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_role text := pawl.session_role();
    v_set int := nullif(current_setting('pawl.tenant', true), '');
    v_tenant int;
begin
    if pawl.is_engine() then
        return coalesce(v_set, 1);
    elsif pg_has_role(v_role::name, to_regrole('pawl_api')::oid, 'usage') then
        return v_set;
    end if;
    select t.tenant into v_tenant from pawl.tenant_role t where t.role_name = v_role;
    if v_tenant is null then
        -- By a group; one who is in the groups of two tenants has to say which with SET ROLE.
        select min(t.tenant) into v_tenant
          from pawl.tenant_role t
         where pg_has_role(v_role::name, to_regrole(quote_ident(t.role_name))::oid, 'usage')
        having count(distinct t.tenant) = 1;
    end if;
    return v_tenant;
end
$$;

CREATE FUNCTION pawl.deactivate_workflow(p_tenant integer, p_name text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
    perform pawl.hold_definitions(p_tenant);
    update pawl.definition d set restore = d.version, active = false
     where d.tenant = p_tenant and d.name = p_name and d.active;
    return exists (select 1 from pawl.definition d where d.tenant = p_tenant and d.name = p_name);
end
$$;

CREATE FUNCTION pawl.dead_letter_errors(p_bucket smallint, p_tenant integer, p_workflow integer, p_node text, p_prefix text, p_waiting boolean) RETURNS TABLE(fingerprint text, workflow integer, node text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_next text := coalesce(p_prefix, '');
begin
    loop
        if p_waiting then
            select d.fingerprint, d.workflow, d.node into fingerprint, workflow, node
              from pawl.dead_letter d
             where d.bucket + 0 = p_bucket and d.tenant = p_tenant and d.fingerprint >= v_next
               and d.replayed_as is null
             order by d.fingerprint
             limit 1;
        else
            select d.fingerprint, d.workflow, d.node into fingerprint, workflow, node
              from pawl.dead_letter d
             where d.bucket = p_bucket and d.tenant = p_tenant and d.fingerprint >= v_next
             order by d.fingerprint
             limit 1;
        end if;
        exit when not found or not starts_with(fingerprint, coalesce(p_prefix, ''));
        -- The smallest text after this one that can be a fingerprint's beginning.
        v_next := fingerprint || '0';
        continue when p_workflow <> workflow or (p_node is not null and node is distinct from p_node);
        return next;
    end loop;
end
$$;

CREATE FUNCTION pawl.dead_message(p_queue text, p_id bigint, p_message jsonb, p_reason text, p_reads integer) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog'
    AS $$
    select m.message
           || jsonb_build_object(
               'error', p_reason,
               'failed_at', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
               'attempt', p_reads, 'total_attempts', p_reads, 'queue', p_queue, 'msg_id', p_id,
               'organization_id', coalesce(
                   nullif(m.message -> 'organization_id', 'null'),
                   (select to_jsonb(t.organization)
                      from pawl.consumed_queue q join pawl.tenant t on t.id = q.tenant
                     where q.name = p_queue limit 1)))
      from (select case when jsonb_typeof(p_message) = 'object' then p_message
                        else jsonb_build_object('message', p_message) end) as m (message)
$$;

CREATE FUNCTION pawl.dead_run_message(p_bucket smallint, p_run uuid) RETURNS jsonb
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog'
    AS $$
    select jsonb_build_object(
               'execution_id', d.run_id, 'workflow_name', w.name, 'workflow_version', d.version,
               'steps', pawl.steps_of(v.definition),
               'current_step', coalesce(array_position(pawl.step_names(v.definition), d.node) - 1, 0),
               'context', c.context,
               'visibility_timeout', coalesce(v.definition -> 'visibility_timeout', '60'),
               'max_retries', coalesce(v.definition -> 'max_retries', '3'),
               'rule_id', coalesce(c.context -> 'rule_id', to_jsonb(h.id)),
               'trigger_type', coalesce(c.context -> 'trigger_type', b.triggered_by),
               'organization_id', coalesce(nullif(c.context -> 'organization_id', 'null'), to_jsonb(t.organization)),
               'attempt', f.attempts, 'total_attempts', f.attempts,
               'error', coalesce(d.error ->> 'message', d.error ->> 'code', 'failed'), 'error_step', d.node,
               'failed_at', to_char(d.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
           )
      from pawl.dead_letter d
      join pawl.tenant t on t.id = d.tenant
      join pawl.workflow w on w.id = d.workflow
      join pawl.workflow_version v on v.workflow = d.workflow and v.version = d.version
      left join pawl.definition h on h.workflow = d.workflow
     cross join lateral (
         -- Beyond 8 MB it is empty: the run has it.
         select coalesce(jsonb_object_agg(p.key, p.value order by p.rank, e.seq) filter (where p.key is not null), '{}')
                    as context
           from pawl.event e
           left join lateral pawl.context_part(v.definition, e.type, e.node, e.data, e.error) p on true
          where e.bucket = d.bucket and e.run_id = d.run_id
            and 8388608 >= (
                select sum(pg_column_size(s.data)) from pawl.event s where s.bucket = d.bucket and s.run_id = d.run_id
            )
     ) as c
     cross join lateral (
         -- Once: beside the parts of the context it would be read for each of them.
         select e.data -> 'triggered_by' as triggered_by
           from pawl.event e where e.bucket = d.bucket and e.run_id = d.run_id and e.seq = 0
     ) as b
     cross join lateral (
         -- A foreign worker names no step, and its last failure is that of the run.
         select case when d.node is null then 1 + count(*) filter (where e.node is null and e.data ? 'retry_at')
                     else greatest(count(*) filter (where e.node = d.node), 1) end as attempts
           from pawl.event e
          where e.bucket = d.bucket and e.run_id = d.run_id and e.type = 2
     ) as f
     where d.bucket = p_bucket and d.run_id = p_run
$$;

CREATE FUNCTION pawl.deadline_moved(p_data jsonb, p_since timestamp with time zone) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN (p_data ? 'until'::text) THEN (p_data || jsonb_build_object('until', (((p_data ->> 'until'::text))::bigint + ((EXTRACT(epoch FROM (now() - p_since)) * (1000000)::numeric))::bigint))) ELSE p_data END;

CREATE TABLE pawl.definition (
    workflow integer NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    tenant integer DEFAULT pawl.current_tenant() NOT NULL,
    name text NOT NULL,
    document_name text,
    description text,
    steps jsonb NOT NULL,
    required_fields text[] DEFAULT '{}'::text[] NOT NULL,
    timeout_seconds integer DEFAULT 300,
    visibility_timeout integer DEFAULT 60,
    max_retries integer DEFAULT 3,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    active boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text,
    version integer DEFAULT 1 NOT NULL,
    source jsonb,
    restore integer,
    canary jsonb,
    off_reason text,
    applied jsonb,
    CONSTRAINT definition_source_check CHECK (((source IS NULL) AND (restore IS NULL)))
);

ALTER TABLE ONLY pawl.definition FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN pawl.definition.applied IS 'the definition as it was applied, while the columns say the same';

CREATE FUNCTION pawl.definition_head(p_definition jsonb) RETURNS pawl.definition
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_head pawl.definition;
    v_rest jsonb := p_definition - 'name';
    v_key text;
begin
    v_head.name := p_definition ->> 'name';
    if jsonb_typeof(v_rest -> 'description') = 'string' then
        v_head.description := v_rest ->> 'description';
        v_rest := v_rest - 'description';
    end if;
    if v_rest ? 'steps' then
        v_head.steps := v_rest -> 'steps';
        v_rest := v_rest - 'steps';
    else
        v_head.steps := v_rest -> 'nodes';
        v_rest := v_rest || '{"nodes": true}';
    end if;
    v_head.required_fields := '{}';
    if jsonb_typeof(v_rest -> 'required_fields') = 'array' and v_rest -> 'required_fields' <> '[]' then
        v_head.required_fields := array(select jsonb_array_elements_text(v_rest -> 'required_fields'));
        v_rest := v_rest - 'required_fields';
    end if;
    if v_rest ? 'timeout' then
        v_head.timeout_seconds := ceil(pawl.duration_ms(v_rest -> 'timeout') / 1000.0);
    elsif pawl.is_whole(v_rest -> 'timeout_seconds') then
        v_head.timeout_seconds := v_rest -> 'timeout_seconds';
        v_rest := v_rest - 'timeout_seconds';
    end if;
    if pawl.is_whole(v_rest -> 'visibility_timeout') then
        v_head.visibility_timeout := v_rest -> 'visibility_timeout';
        v_rest := v_rest - 'visibility_timeout';
    end if;
    if pawl.is_whole(v_rest -> 'max_retries') then
        v_head.max_retries := v_rest -> 'max_retries';
        v_rest := v_rest - 'max_retries';
    end if;
    v_head.settings := v_rest;
    return pawl.in_listed_form(v_head);
end
$$;

CREATE FUNCTION pawl.definition_json(p_head pawl.definition) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT jsonb_object_agg(m.key, m.value) AS jsonb_object_agg FROM (SELECT 'name'::text AS "?column?", to_jsonb((definition_json.p_head).name) AS to_jsonb UNION ALL SELECT 'description'::text, to_jsonb((definition_json.p_head).description) AS to_jsonb UNION ALL SELECT CASE WHEN ((definition_json.p_head).settings ? 'nodes'::text) THEN 'nodes'::text ELSE 'steps'::text END AS "case", (definition_json.p_head).steps AS steps UNION ALL SELECT 'required_fields'::text, to_jsonb(NULLIF((definition_json.p_head).required_fields, '{}'::text[])) AS to_jsonb UNION ALL SELECT 'timeout_seconds'::text, to_jsonb((definition_json.p_head).timeout_seconds) AS to_jsonb WHERE (NOT ((definition_json.p_head).settings ? 'timeout'::text)) UNION ALL SELECT 'visibility_timeout'::text, to_jsonb((definition_json.p_head).visibility_timeout) AS to_jsonb UNION ALL SELECT 'max_retries'::text, to_jsonb((definition_json.p_head).max_retries) AS to_jsonb UNION ALL SELECT s.key, s.value FROM jsonb_each(((definition_json.p_head).settings - 'nodes'::text)) s(key, value)) m(key, value) WHERE (m.value IS NOT NULL));

CREATE FUNCTION pawl.delete_workflow(p_tenant integer, p_name text) RETURNS TABLE(version integer, schedules bigint, events bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_workflow int;
begin
    perform pawl.hold_definitions(p_tenant);
    select d.workflow, d.version into v_workflow, delete_workflow.version
      from pawl.definition d where d.tenant = p_tenant and d.name = p_name;
    if v_workflow is null then
        return;
    end if;
    delete_workflow.schedules := (select count(*) from pawl.schedule s where s.workflow = v_workflow);
    delete_workflow.events := (select count(*) from pawl.event_trigger e where e.workflow = v_workflow);
    -- Triggers of the table take its schedules and its events with it.
    delete from pawl.definition d where d.workflow = v_workflow;
    perform pawl.note_version(p_tenant, v_workflow, 'deleted', delete_workflow.version);
    return next;
end
$$;

CREATE FUNCTION pawl.deliver_events(p_bucket smallint, p_worker uuid, p_subscription tid[], p_run uuid[], p_data jsonb[]) RETURNS uuid[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_row tid[];
    v_holder uuid[];
    v_open boolean[];
    v_free tid[];
    v_leased uuid[] := '{}';
begin
    delete from pawl.subscription s where s.ctid = any (p_subscription);
    -- A row that cannot be locked is open, or is being closed: its message is unsure (see leave_signals).
    select array_agg(l.row_id), array_agg(l.worker), array_agg(l.row_id is not null or o.one is not null),
           array_agg(l.row_id) filter (where l.state in (0, 2) and (l.slot is null or l.slot in (1, 3)))
      into v_row, v_holder, v_open, v_free
      from unnest(p_run) as u (run_id)
      left join lateral (
          select h.ctid as row_id, h.worker, h.state, h.slot
            from pawl.live_run h
           where h.bucket = p_bucket and h.run_id = u.run_id
             for no key update skip locked
      ) as l on true
      left join lateral (
          select 1 as one
            from pawl.live_run h
           where l.row_id is null and h.bucket = p_bucket and h.run_id = u.run_id
          offset 0
      ) as o on true;
    insert into pawl.signal (bucket, run_id, kind, data, worker, unsure)
    select p_bucket, u.run_id, 'event', u.data, u.holder, u.row_id is null
      from unnest(p_run, p_data, v_row, v_holder, v_open) as u (run_id, data, row_id, holder, open)
     where u.open;
    if p_worker is not null and v_free is not null then
        with taken as (
            update pawl.live_run l
               set state = 1, worker = p_worker, due_at = least(l.due_at, now())
             where l.ctid = any (v_free)
            returning l.run_id
        )
        select array_agg(t.run_id) into v_leased from taken t;
        if cardinality(v_free) = cardinality(p_run) then
            return v_leased;
        end if;
    end if;
    update pawl.live_run l
       set state = 0, due_at = least(l.due_at, now())
     where l.ctid = any (v_row) and l.state in (0, 2);
    if p_worker is not null then
        perform pg_notify('pawl_wake', p_bucket::text);
    end if;
    return v_leased;
end
$$;

CREATE FUNCTION pawl.drop_old_partitions(p_keep interval) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '100ms'
    AS $_$
declare
    v_week timestamptz;
    v_until uuid;
    v_name text;
    v_table text;
begin
    if not pawl.try_hold(0, 'partitions') then
        return;
    end if;
    for v_week, v_name in
        select to_timestamp(substring(c.relname from '\d{8}$') || '+00', 'YYYYMMDDTZH'),
               substring(c.relname from '\d{8}$')
          from pg_inherits i
          join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'pawl.event'::regclass and c.relname ~ '^event_\d{8}$'
    loop
        v_until := pawl.uuid7_bound(v_week + interval '1 week');
        continue when v_week + interval '1 week' > now() - p_keep;
        continue when exists (
            select 1 from pawl.live_run l where l.run_id >= pawl.uuid7_bound(v_week) and l.run_id < v_until
        );
        foreach v_table in array array['event', 'run'] loop
            execute format('drop table if exists pawl.%I', v_table || '_' || v_name);
            return next v_table || '_' || v_name;
        end loop;
        delete from pawl.correlation c where c.run_id >= pawl.uuid7_bound(v_week) and c.run_id < v_until;
        delete from pawl.dead_letter d where d.run_id >= pawl.uuid7_bound(v_week) and d.run_id < v_until;
        with gone as (
            delete from pawl.human_task t
             where t.run_id >= pawl.uuid7_bound(v_week) and t.run_id < v_until
            returning t.bucket, t.id
        )
        delete from pawl.task_decision d using gone g where d.bucket = g.bucket and d.task = g.id;
    end loop;
end
$_$;

CREATE FUNCTION pawl.drop_queue_of_webhook() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform pawl.require_tenant(old.tenant);
    perform pawl.drop_webhook_queue(old.address);
    return null;
end
$$;

CREATE FUNCTION pawl.drop_webhook_queue(p_queue text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '200ms'
    AS $$
declare
    v_used boolean;
begin
    if not exists (select 1 from pawl.webhook_queue w where w.name = p_queue)
       or exists (select 1 from pawl.outbox_target t where t.kind = 'queue' and lower(t.address) = lower(p_queue))
       or exists (select 1 from pawl.event_trigger t where t.event = 'queue:' || p_queue)
       or exists (select 1 from pawl.queue q where q.name = p_queue and (q.active or q.workflow is not null)) then
        return;
    end if;
    if to_regclass(format('pgmq.%I', lower('q_' || p_queue))) is not null then
        execute format('lock table pgmq.%I, pgmq.%I in access exclusive mode', lower('q_' || p_queue),
                       lower('a_' || p_queue));
        execute format('select exists (select 1 from pgmq.%I) or exists (select 1 from pgmq.%I)',
                       lower('q_' || p_queue), lower('a_' || p_queue)) into v_used;
        if v_used then
            return;
        end if;
        perform pgmq.drop_queue(p_queue);
    end if;
    delete from pawl.queue q where q.name = p_queue and q.tenant <> 1;
    delete from pawl.webhook_queue w where w.name = p_queue;
exception when others then
    raise warning 'the queue % could not be dropped: %', p_queue, sqlerrm;
end
$$;

CREATE FUNCTION pawl.emit(name text, key text DEFAULT NULL::text, data jsonb DEFAULT NULL::jsonb, subject text DEFAULT NULL::text, id text DEFAULT NULL::text) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_variable
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
    v_id text := coalesce(nullif(id, ''), pawl.uuid7()::text);
    v_part record;
begin
    if coalesce(name, '') = '' then
        raise exception 'an event needs a name' using errcode = 'invalid_parameter_value',
            hint = 'Like this: select pawl.emit(''order.paid'', key => ''order-17'').';
    end if;
    if name like 'pawl.%' then
        raise exception 'names that begin with pawl. are the engine''s own: %', quote_literal(name)
            using errcode = 'reserved_name', hint = 'Take another, such as ''order.paid''.';
    end if;
    if v_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:[0-9]+$' then
        raise exception 'ids of this form are the engine''s own: %', quote_literal(v_id)
            using errcode = 'reserved_name', hint = 'Take another, such as ''payment-17''.';
    end if;
    for v_part in
        select p.what, octet_length(p.given) as size, p.most
          from (values ('name', name, 200), ('key', key, 500), ('subject', subject, 500), ('id', v_id, 400))
               as p (what, given, most)
         where octet_length(p.given) > p.most
    loop
        raise exception 'the % of an event has at most % bytes, not %', v_part.what, v_part.most, v_part.size
            using errcode = 'string_data_right_truncation', hint = 'What is long belongs into data.';
    end loop;
    perform pawl.refuse_unreadable(data);
    perform pawl.publish_events(
        v_tenant.bucket, array[v_tenant.id], array[v_id], array[name], array[coalesce(key, subject, '')],
        array[subject], array['sql'], array[null::timestamptz], array[data]
    );
    if not found then
        perform pawl.confirm_found();
    end if;
    perform pawl.wake_at_commit(v_tenant.bucket);
    return v_id;
end
$_$;

CREATE FUNCTION pawl.end_children(p_bucket smallint, p_child uuid[], p_reason text[]) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    AS $$
    select count(*)
      from (
          select array_agg(u.child) as child, array_agg('cancel'::text) as kind,
                 array_agg(jsonb_build_object('reason', u.reason)) as data
            from unnest(p_child, p_reason) as u (child, reason)
      ) as a
     cross join lateral pawl.leave_signals(p_bucket, a.child, a.kind, a.data, false);
$$;

CREATE FUNCTION pawl.end_silent_sessions(p_patience interval) RETURNS TABLE(pid integer, ended boolean)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
#variable_conflict use_column
declare
    v_pid int;
begin
    for v_pid in
        with silent as materialized (
            select a.pid, a.application_name
              from pg_stat_activity a
             where a.datname = current_database() and a.pid <> pg_backend_pid()
               and a.state = 'active' and a.wait_event_type = 'Client' and a.wait_event = 'ClientRead'
               and a.backend_xid is not null
               and a.state_change < clock_timestamp() - p_patience
               and a.query !~* '^\s*copy\M'
        )
        select s.pid
          from silent s
         where exists (
                 select 1
                   from pg_locks l
                   join pg_class c on c.oid = l.relation
                  where l.pid = s.pid and l.locktype = 'relation' and l.granted
                    and l.database = (select d.oid from pg_database d where d.datname = current_database())
                    and l.mode in ('RowShareLock', 'RowExclusiveLock')
                    and c.relnamespace = 'pawl'::regnamespace
                    and (c.relname = 'worker' or s.application_name like 'pawl%')
               )
    loop
        pid := v_pid;
        begin
            ended := pg_terminate_backend(v_pid);
        exception when insufficient_privilege then
            ended := false;
        end;
        return next;
    end loop;
end
$$;

CREATE FUNCTION pawl.end_sql_effect(p_bucket smallint, p_run uuid, p_key text, p_result jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    -- Only what this transaction has begun.
    update pawl.sql_effect e
       set result = p_result
     where e.bucket = p_bucket and e.run_id = p_run and e.key = p_key and e.begun_in = pg_current_xact_id();
    if not found then
        raise exception 'this transaction has not begun the effect %', p_key using errcode = 'PW001';
    end if;
    perform pawl.refuse_result(p_result);
end
$$;

CREATE FUNCTION pawl.ensure_partitions(p_weeks_ahead integer DEFAULT 4) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '50ms'
    AS $$
declare
    v_week timestamptz;
    v_table text;
    v_name text;
    v_made int := 0;
begin
    if not pawl.try_hold(0, 'partitions') then
        return 0;
    end if;
    for v_week in
        select generate_series(
            date_trunc('week', now() at time zone 'UTC') - interval '1 week',
            date_trunc('week', now() at time zone 'UTC') + p_weeks_ahead * interval '1 week',
            interval '1 week'
        ) at time zone 'UTC'
    loop
        foreach v_table in array array['event', 'run'] loop
            v_name := format('%s_%s', v_table, to_char(v_week at time zone 'UTC', 'YYYYMMDD'));
            continue when to_regclass('pawl.' || v_name) is not null;
            -- Rows of that week may be in the default partition already, written by a clock that ran ahead. They stay
            -- there, and so do the rest of that week: the weeks after it must be made all the same.
            begin
                perform pawl.make_partition(v_table, v_name, pawl.uuid7_bound(v_week),
                                            pawl.uuid7_bound(v_week + interval '1 week'));
                perform pawl.attach_partition(v_table, v_name, pawl.uuid7_bound(v_week),
                                              pawl.uuid7_bound(v_week + interval '1 week'));
                v_made := v_made + 1;
            exception
                when check_violation then
                    raise warning 'pawl.%_default holds rows of the week %: no partition made', v_table, v_week;
                when lock_not_available then
                    -- Made ahead of time: the next call makes it.
                    raise warning 'pawl.%_default is in use: no partition made for the week % yet', v_table, v_week;
            end;
        end loop;
    end loop;
    return v_made;
end
$$;

CREATE FUNCTION pawl.ensure_queue(p_name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if exists (select 1 from pg_namespace n where n.nspname = 'pgmq') and not pawl.queue_exists(p_name) then
        perform pgmq.create(p_name);
    end if;
exception when others then
    raise warning 'the queue % could not be made: %', p_name, sqlerrm;
end
$$;

CREATE FUNCTION pawl.enter_gates(p_bucket smallint, p_gate text[], p_base integer[], p_limit integer[], p_count integer[], OUT gate text[], OUT room integer[]) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_gate text[];
    v_base int[];
    v_limit int[];
    v_count int[];
    v_row tid[];
begin
    select array_agg(w.gate), array_agg(w.base), array_agg(w."limit"), array_agg(w.count)
      into v_gate, v_base, v_limit, v_count
      from (
          select u.gate collate "C" as gate, max(u.base) as base, max(u."limit") as "limit",
                 sum(u.count)::int as count
            from unnest(p_gate, p_base, p_limit, p_count) as u (gate, base, "limit", count)
           group by u.gate collate "C"
           order by u.gate collate "C"
      ) as w;
    loop
        begin
            select array_agg(g.row_id order by u.n) into v_row
              from unnest(v_gate) with ordinality as u (gate, n)
              left join lateral (
                  select h.ctid as row_id
                    from pawl.flow_gate h
                   where h.bucket = p_bucket and h.gate = u.gate
                     for no key update
              ) as g on true;
            insert into pawl.flow_gate (bucket, gate, base, "limit", held)
            select p_bucket, u.gate, u.base, u."limit", u.count
              from unnest(v_gate, v_base, v_limit, v_count, v_row) as u (gate, base, "limit", count, row_id)
             where u.row_id is null;
            exit;
        exception when unique_violation then
            -- Somebody else has made one of them meanwhile. Again, without the locks of this try.
            null;
        end;
    end loop;
    with entered as (
        update pawl.flow_gate g
           set held = g.held + u.count, "limit" = u."limit", base = u.base, look = g.look or u."limit" > g."limit"
          from unnest(v_base, v_limit, v_count, v_row) as u (base, "limit", count, row_id)
         where g.ctid = u.row_id
        returning g.gate, g.held, g."limit", g.waited, u.count
    ), fresh as (
        select u.gate, u.count as held, u."limit", false, u.count
          from unnest(v_gate, v_limit, v_count, v_row) as u (gate, "limit", count, row_id)
         where u.row_id is null and u.count > u."limit"
    )
    select array_agg(e.gate), array_agg(case when e.waited then 0 else greatest(e."limit" - e.held + e.count, 0) end)
      into gate, room
      from (select * from entered union all select * from fresh) as e (gate, held, "limit", waited, count)
     where e.waited or e.held > e."limit";
end
$$;

CREATE FUNCTION pawl.enter_lock(p_bucket smallint, p_tenant integer, p_key text, p_run uuid, p_token integer) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_first record;
begin
    -- The commit that closes a run takes the row away and then the places: a later claim gets none. Commits take
    -- these locks in the same order.
    perform 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = p_run for key share;
    if not found then
        return false;
    end if;
    perform pawl.hold(p_tenant, pawl.lock_latch(p_bucket, p_key));
    if not exists (
        select 1
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = p_tenant and l.key = p_key and l.run_id = p_run and l.token = p_token
    ) then
        insert into pawl.lock_place (bucket, tenant, key, run_id, token)
        values (p_bucket, p_tenant, p_key, p_run, p_token);
    end if;
    select l.run_id, l.token into v_first
      from pawl.lock_place l
     where l.bucket = p_bucket and l.tenant = p_tenant and l.key = p_key
     order by l.place
     limit 1;
    return v_first.run_id = p_run and v_first.token = p_token;
end
$$;

CREATE FUNCTION pawl.enter_organization(p_tenant integer, p_for interval) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    insert into pawl.organization_worker as o (tenant, running_until, last_run_at)
    values (p_tenant, now() + p_for, now())
        on conflict (tenant) do update set running_until = excluded.running_until, last_run_at = now()
     where o.running_until <= now();
    return found;
end
$$;

CREATE FUNCTION pawl.error_fingerprint(p_workflow integer, p_node text, p_error jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN md5(concat_ws('|'::text, p_workflow, p_node, (p_error ->> 'code'::text), regexp_replace(regexp_replace("left"((p_error ->> 'message'::text), 1000), '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\m[0-9a-f]{8,}\M|\w*[0-9]\w*'::text, '#'::text, 'gi'::text), '#([-+.,:/@]+#)+'::text, '#'::text, 'g'::text)));

CREATE FUNCTION pawl.event_key(p_key text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (octet_length(p_key) <= 500) THEN COALESCE(p_key, ''::text) ELSE ('md5:'::text || md5(p_key)) END;

CREATE FUNCTION pawl.event_type_name(p_type smallint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (ARRAY['run_started'::text, 'step_completed'::text, 'step_failed'::text, 'wait_started'::text, 'run_completed'::text, 'run_failed'::text, 'run_cancelled'::text, 'node_passed'::text, 'routed'::text, 'joined'::text, 'signal_received'::text, 'wait_noted'::text, 'run_paused'::text, 'run_resumed'::text, 'compensation_started'::text, 'items_listed'::text, 'step_skipped'::text, 'planned'::text, 'run_repinned'::text, 'run_held'::text, 'run_stopping'::text, 'items_reopened'::text])[(p_type + 1)];

CREATE FUNCTION pawl.events_after(p_bucket smallint, p_run uuid[], p_seq integer[], p_limit integer) RETURNS TABLE(run_id uuid, seq integer, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamp with time zone, token integer)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error,
           greatest(e.at, pawl.uuid7_time(e.run_id), (
               select s.at from pawl.event s where s.bucket = p_bucket and s.run_id = e.run_id and s.seq = 0
           )), e.token
      from unnest(p_run, p_seq) as u (run_id, seq)
     cross join lateral (
         select * from pawl.event x where x.bucket = p_bucket and x.run_id = u.run_id and x.seq > u.seq
          order by x.seq
          limit p_limit
     ) as e
     limit p_limit;
end
$$;

CREATE FUNCTION pawl.events_between(p_bucket smallint, p_after timestamp with time zone, p_until timestamp with time zone, p_limit integer) RETURNS TABLE(run_id uuid, seq integer, type smallint, node text, attempt smallint, at timestamp with time zone)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET enable_indexscan TO 'off'
    SET enable_indexonlyscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    select e.run_id, e.seq, e.type, e.node, e.attempt, e.at
      from pawl.event e
     where e.bucket + 0 = p_bucket and e.at > p_after and e.at < p_until
     order by e.at
     fetch first p_limit rows with ties;
end
$$;

CREATE FUNCTION pawl.execution_beat(p_bucket smallint, p_run uuid) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    return (
        select w.beat_at
          from pawl.live_run l
          join pawl.worker w on w.id = l.worker
         where l.bucket = p_bucket and l.run_id = p_run and l.state = 1 and l.tenant = pawl.current_tenant()
    );
end
$$;

CREATE TABLE pawl.event (
    run_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    seq integer NOT NULL,
    bucket smallint NOT NULL,
    type smallint NOT NULL,
    attempt smallint,
    node text,
    data jsonb,
    error jsonb,
    external_message_id text,
    token integer
)
PARTITION BY RANGE (run_id);

ALTER TABLE ONLY pawl.event FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pawl.execution_begun(p_bucket smallint, p_run uuid) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    SET jit TO 'off'
    BEGIN ATOMIC
 SELECT (EXISTS ( SELECT 1
            FROM pawl.event e
           WHERE ((e.bucket = execution_begun.p_bucket) AND (e.run_id = execution_begun.p_run) AND (e.seq = 1)))) AS "exists";
END;

CREATE FUNCTION pawl.execution_context(p_bucket smallint, p_run uuid, p_workflow integer, p_version integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
begin
    return (
        select coalesce(jsonb_object_agg(p.key, p.value order by p.rank, e.seq), '{}')
          from pawl.event e
         cross join pawl.workflow_version v
         cross join lateral pawl.context_part(
                   v.definition, e.type, e.node,
                   case when e.seq = 0 then pawl.execution_start(p_bucket, p_run) else e.data end, e.error
               ) p
         where e.bucket = p_bucket and e.run_id = p_run and v.workflow = p_workflow and v.version = p_version
    );
end
$$;

CREATE FUNCTION pawl.execution_failure(p_bucket smallint, p_run uuid, p_status smallint, OUT message text, OUT node text) RETURNS record
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
begin
    if p_status = 0 then
        select case when e.type = 2 then e.error ->> 'message' end, case when e.type = 2 then e.node end
          into message, node
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run
         order by e.seq desc
         limit 1;
    else
        select e.node into node
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type = 2
         order by e.seq desc
         limit 1;
    end if;
end
$$;

CREATE FUNCTION pawl.execution_pulse(p_bucket smallint, p_run uuid, OUT paused boolean, OUT at timestamp with time zone) RETURNS record
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
begin
    select e.at into at from pawl.event e where e.bucket = p_bucket and e.run_id = p_run order by e.seq desc limit 1;
    paused := coalesce((
        select e.type = 12 from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type in (12, 13) order by e.seq desc limit 1
    ), false);
end
$$;

CREATE FUNCTION pawl.execution_retries(p_bucket smallint, p_run uuid) RETURNS integer
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
begin
    return (
        select count(*)
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type = 2 and e.data ? 'retry_at'
    );
end
$$;

CREATE FUNCTION pawl.execution_start(p_bucket smallint, p_run uuid) RETURNS jsonb
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
declare
    v_data jsonb := (select e.data from pawl.event e where e.bucket = p_bucket and e.run_id = p_run and e.seq = 0);
    v_last jsonb;
    v_items jsonb;
begin
    if not coalesce(v_data -> 'flow' ? 'gather', false) then
        return v_data;
    end if;
    select (array_agg(e.data -> 'data' -> 'input' order by e.seq desc) filter (where e.data -> 'data' ? 'input'))[1],
           jsonb_agg(e.data -> 'data' -> 'item' order by e.seq) filter (where e.data -> 'data' ? 'item')
      into v_last, v_items
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = p_run and e.type = 10 and e.data ->> 'kind' = 'gather';
    if v_last is not null then
        v_data := jsonb_set(v_data, '{input}', v_last);
    end if;
    if v_items is not null and jsonb_typeof(v_data #> '{input,items}') = 'array' then
        v_data := jsonb_set(v_data, '{input,items}', (v_data #> '{input,items}') || v_items);
    end if;
    return v_data;
end
$$;

CREATE FUNCTION pawl.execution_step(p_bucket smallint, p_run uuid, p_workflow integer, p_version integer) RETURNS integer
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
begin
    return coalesce((
        select coalesce(pawl.step_after(v.definition, e.node),
                        array_position(pawl.step_names(v.definition), e.node) - 1)
          from pawl.event e
         cross join pawl.workflow_version v
         where e.bucket = p_bucket and e.run_id = p_run and v.workflow = p_workflow and v.version = p_version
           and (e.type = 1 or (e.type = 2 and not coalesce(e.data ? 'retry_at', false)
                and pawl.steps_of(v.definition) -> (array_position(pawl.step_names(v.definition), e.node) - 1)
                    ->> 'on_failure' = 'continue'))
         order by e.seq desc
         limit 1
    ), 0);
end
$$;

CREATE FUNCTION pawl.execution_steps(p_bucket smallint, p_run uuid, p_workflow integer, p_version integer, p_status smallint, p_held boolean) RETURNS TABLE(id uuid, step_name text, seq integer, status text, input jsonb, result jsonb, attempts integer, max_attempts integer, next_attempt_at timestamp with time zone, idempotency_key text, error text, created_at timestamp with time zone, updated_at timestamp with time zone, backoff_seconds integer, dead_letter boolean)
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_definition jsonb := (
        select v.definition from pawl.workflow_version v where v.workflow = p_workflow and v.version = p_version
    );
    v_ways text[] := array(select w."from" || ' ' || w."to" from pawl.ways_of(v_definition) w);
    v_undoing text[] := array(select s.step ->> 'compensate'
                                from jsonb_array_elements(pawl.steps_of(v_definition)) as s (step)
                               where s.step ? 'compensate');
    v_start timestamptz;
    v_chain jsonb;
begin
    select greatest(e.at, pawl.uuid7_time(p_run), to_timestamp((e.data ->> 'start_at')::bigint / 1000000.0)),
           e.data
      into v_start, v_chain
      from pawl.event e where e.bucket = p_bucket and e.run_id = p_run and e.seq = 0;
    return query
    with done as materialized (
        select d.*, lag(d.last_seq) over w as before_seq, lag(d.at) over w as before_at
          from pawl.execution_steps_done(p_bucket, p_run, v_definition) d
        window w as (partition by d.token order by d.first_seq)
    ), undoing as (
        -- What undoes comes one after the other, since the run went back. The last of what it did is undone first.
        select d.token, d.node, d.visit, coalesce(lag(d.last_seq) over w, u.seq) as since_seq,
               coalesce(lag(d.at) over w, greatest(u.at, v_start)) as since,
               pawl.undo_key(p_run, v_chain, d.node, u.undo -> (jsonb_array_length(u.undo) - row_number() over w)::int,
                             c.first_seq, c.last_seq) as key
          from done d
         cross join lateral (
             select e.seq, e.at, case when jsonb_typeof(e.data -> 'undo') = 'array' then e.data -> 'undo' end as undo
               from pawl.event e
              where e.bucket = p_bucket and e.run_id = p_run and e.type = 14 and e.seq < d.first_seq
              order by e.seq desc
              limit 1
         ) as u
         cross join lateral (
             select min(p.last_seq) as first_seq, max(p.last_seq) as last_seq
               from done p
               join jsonb_array_elements(pawl.steps_of(v_definition)) as s (step)
                 on coalesce(s.step ->> 'id', s.step ->> 'name') = p.node and s.step ->> 'compensate' = d.node
              where p.ended and p.last_seq < u.seq
         ) as c
         where d.node = any (v_undoing)
        window w as (partition by u.seq order by d.first_seq)
    ), everything as (
        -- A step is come to when the one before it ends: of its branch, or where its branch began.
        select d.node, d.key, d.first_seq, d.last_type, d.ended, d.withdrawn, d.attempts, d.data, d.error, d.at,
               coalesce(u.since_seq, d.before_seq, b.last_seq, 0) as since_seq,
               coalesce(u.since, d.before_at, b.at, v_start) as since, null::jsonb as config, u.key as undo_key
          from done d
          left join undoing u on u.token = d.token and u.node = d.node and u.visit = d.visit
          left join lateral (
              select p.last_seq, p.at
                from done p
               where d.before_seq is null and p.ended and p.last_seq < d.first_seq
                 and p.node || ' ' || d.node = any (v_ways)
               order by p.last_seq desc
               limit 1
          ) as b on true
         union all
        select u.node,
               -- Which branch comes to it is known here when there is but one.
               case when (select count(distinct d.token) from done d) <= 1 and not v_definition ? 'code'
                    then pawl.step_key(
                   p_run, coalesce((select max(d.token) from done d), 0), u.node,
                   1 + (select count(*) from done d where d.node = u.node)::int) end,
               2147483647, null, false, false, 0, null, null, u.at, u.since_seq, u.at, u.config, null
          from pawl.execution_steps_due(p_bucket, p_run, v_definition) u
         where p_status = 0
    ), placed as (
        select a.*, s.step, s.place, to_timestamp((a.data ->> 'retry_at')::bigint / 1000000.0) as retry_at,
               row_number() over (order by a.since_seq, s.place, a.first_seq) as n
          from everything a
          left join jsonb_array_elements(pawl.steps_of(v_definition)) with ordinality as s (step, place)
            on coalesce(s.step ->> 'id', s.step ->> 'name') = a.node
    )
    select md5(coalesce(p.key, p_run || ':' || p.node || ':' || p.since_seq))::uuid, p.node, p.n::int,
           case when p.ended and p.error is null then 'completed'
                when p.ended then 'failed'
                when p_status > 0 or p.withdrawn then 'cancelled'
                when p.last_type in (3, 11) then 'waiting'
                when p_held and (p.retry_at is null or p.retry_at <= now()) then 'in_progress'
                else 'pending' end,
           coalesce(p.config, pawl.input_of(p.step)),
           case when p.last_type = 1 then p.data when p.ended then p.data -> 'value' end,
           p.attempts, pawl.attempts_of(v_definition, p.step),
           case when p.ended or p_status > 0 or p.withdrawn then null
                when p.last_type = 2 then p.retry_at
                else to_timestamp((p.data ->> 'until')::bigint / 1000000.0) end,
           coalesce(p.undo_key, pawl.shown_key(p.key, v_chain, p.step, v_definition)),
           coalesce(p.error ->> 'message', p.error ->> 'code'), p.since, greatest(p.since, p.at),
           coalesce(ceil(extract(epoch from p.retry_at - p.at)), 0)::int,
           p.ended and p_status = 2 and p.last_type = 2 and not coalesce(p.data ? 'caught', false)
               and p.step ->> 'on_failure' is distinct from 'continue'
      from placed p;
end
$$;

CREATE FUNCTION pawl.execution_steps_done(p_bucket smallint, p_run uuid, p_definition jsonb) RETURNS TABLE(token integer, node text, visit integer, key text, first_seq integer, last_seq integer, last_type smallint, ended boolean, withdrawn boolean, attempts integer, data jsonb, error jsonb, at timestamp with time zone)
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_items text[] := case when p_definition::text like '%foreach%' then pawl.steps_of_items(p_definition) end;
    v_withdrawn int[] := array(
        select t.token::int
          from pawl.event e
         cross join jsonb_array_elements_text(
             case when jsonb_typeof(e.data -> 'cancelled') = 'array' then e.data -> 'cancelled' end
         ) as t (token)
         where e.bucket = p_bucket and e.run_id = p_run and e.type in (7, 9)
    );
begin
    return query
    select g.token, g.node, g.visit,
           pawl.step_key(p_run, g.token, g.node, case
               when g.node = any (v_items) then g.visit + 1
               else (row_number() over (partition by g.node order by g.first_seq))::int end),
           g.first_seq, g.seq, g.type, g.ends, g.token = any (v_withdrawn), g.attempts, g.data, g.error, g.at
      from (
          select distinct on (v.token, v.node, v.visit) v.*,
                 min(v.seq) over (partition by v.token, v.node, v.visit) as first_seq,
                 (count(*) filter (where v.type in (1, 2))
                      over (partition by v.token, v.node, v.visit))::int as attempts
            from pawl.execution_visits(p_bucket, p_run) v
           order by v.token, v.node, v.visit, v.seq desc
      ) as g;
end
$$;

CREATE FUNCTION pawl.execution_steps_due(p_bucket smallint, p_run uuid, p_definition jsonb) RETURNS TABLE(node text, since_seq integer, at timestamp with time zone, config jsonb)
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
begin
    if p_definition ? 'code' then
        return query
        select a.node, a.seq, a.at, a.config
          from (
              select s.step ->> 'step' as node, e.seq, e.at, s.step -> 'config' as config,
                     row_number() over (partition by s.step ->> 'step' order by e.seq, s.place) as n
                from pawl.event e
               cross join jsonb_array_elements(e.data -> 'steps') with ordinality as s (step, place)
               where e.bucket = p_bucket and e.run_id = p_run and e.type = 17
          ) as a
         where a.n > (select count(distinct (v.token, v.visit))
                        from pawl.execution_visits(p_bucket, p_run) v where v.node = a.node);
        return;
    elsif exists (select 1 from pawl.event e where e.bucket = p_bucket and e.run_id = p_run and e.type = 14) then
        return;  -- it goes back, and not on
    end if;
    return query
    with done as materialized (
        select d.* from pawl.execution_steps_done(p_bucket, p_run, p_definition) d
    ), ended as (
        select d.node, d.last_seq, d.at,
               case d.last_type
                   when 7 then d.data ->> 'handle'
                   when 2 then coalesce(d.data ->> 'caught', 'default')
                   when 1 then case when s.step ->> 'type' = 'condition'
                                    then coalesce(d.data ->> 'result', 'false') else 'default' end
                   else coalesce(d.data ->> 'handle', 'default') end as handle,
               (select r.data -> 'edges' from pawl.event r
                 where r.bucket = p_bucket and r.run_id = p_run and r.type = 8 and r.token = d.token
                   and r.node = d.node and r.seq > d.last_seq
                 order by r.seq limit 1) as edges
          from done d
          left join jsonb_array_elements(pawl.steps_of(p_definition)) as s (step)
            on coalesce(s.step ->> 'id', s.step ->> 'name') = d.node
         where d.ended and not d.withdrawn
    ), led as (
        select w."to" as node, e.last_seq as seq, e.at
          from ended e
          join pawl.ways_of(p_definition) w
            on w."from" = e.node
               and case when e.edges is null then w.handle = e.handle else e.edges @> to_jsonb(w.place) end
         union all
        select (pawl.step_names(p_definition))[1], e.seq, e.at
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.seq = 0
    )
    select l.node, max(l.seq), max(l.at), null::jsonb
      from led l
     where not exists (select 1 from done d where d.node = l.node and d.first_seq > l.seq)
     group by l.node;
end
$$;

CREATE FUNCTION pawl.execution_visits(p_bucket smallint, p_run uuid) RETURNS TABLE(seq integer, type smallint, node text, token integer, attempt integer, data jsonb, error jsonb, at timestamp with time zone, ends boolean, visit integer)
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_began timestamptz := greatest(pawl.uuid7_time(p_run), (
        select s.at from pawl.event s where s.bucket = p_bucket and s.run_id = p_run and s.seq = 0
    ));
begin
    return query
    select e.seq, e.type, e.node, coalesce(e.token, 0), e.attempt::int, e.data, e.error, greatest(e.at, v_began),
           e.ends,
           coalesce(sum(e.ends::int) over (partition by e.token, e.node order by e.seq
                                           rows between unbounded preceding and 1 preceding), 0)::int
      from (
          select v.seq, v.type, v.node, v.token, v.attempt, v.data, v.error, v.at,
                 v.type in (1, 7, 9, 16) or v.type = 2 and not coalesce(v.data ? 'retry_at', false) as ends
            from pawl.event v
           where v.bucket = p_bucket and v.run_id = p_run and v.node is not null
             and v.type in (1, 2, 3, 7, 9, 11, 15, 16)
      ) as e
     order by e.seq;
end
$$;

CREATE FUNCTION pawl.has_usual_retry(p_node jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((jsonb_typeof((p_node -> 'retry'::text)) = 'object'::text) AND (((p_node -> 'retry'::text) - ARRAY['attempts'::text, 'permanent'::text]) = jsonb_build_object('base', '1s', 'factor', 2, 'cap', '1h', 'jitter', '[0.1, 0.4]'::jsonb, 'ambiguous', CASE WHEN (((p_node ->> 'type'::text) = 'http'::text) AND (upper(COALESCE(((p_node -> 'config'::text) ->> 'method'::text), CASE WHEN ((p_node -> 'config'::text) ? 'body'::text) THEN 'POST'::text ELSE NULL::text END)) = ANY (ARRAY['POST'::text, 'PATCH'::text]))) THEN 'settle'::text ELSE 'retry'::text END)));

CREATE FUNCTION pawl.failure_words(p_node jsonb, p_retries integer) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (pawl.has_usual_retry(p_node) AND (((p_node -> 'retry'::text) -> 'attempts'::text) = '1'::jsonb)) THEN jsonb_build_object('on_failure', (p_node -> 'on_failure'::text)) WHEN (pawl.has_usual_retry(p_node) AND ((p_node ->> 'on_failure'::text) = 'abort'::text) AND ((((p_node -> 'retry'::text) ->> 'attempts'::text))::integer = (p_retries + 1))) THEN CASE WHEN (((p_node -> 'retry'::text) -> 'permanent'::text) = 'true'::jsonb) THEN '{"on_failure": "retry"}'::jsonb ELSE '{}'::jsonb END ELSE jsonb_build_object('on_failure', CASE (p_node ->> 'on_failure'::text) WHEN 'abort'::text THEN 'retry'::text ELSE 'continue'::text END, 'retry', (p_node -> 'retry'::text)) END;

CREATE FUNCTION pawl.figures_of_database() RETURNS TABLE(metric text, labels jsonb, value double precision)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    select 'pawl_xmin_age_seconds', null::jsonb,
           coalesce(extract(epoch from now() - min(a.xact_start)), 0)::float8
      from pg_stat_activity a where a.backend_xmin is not null and a.pid <> pg_backend_pid()
    union all
    select 'pawl_database_connections', null, count(*)::float8
      from pg_stat_activity a where a.backend_type = 'client backend'
    union all
    select 'pawl_database_connections_max', null, current_setting('max_connections')::float8
    union all
    select 'pawl_database_size_bytes', null, pg_database_size(current_database())::float8
    union all
    select 'pawl_transaction_id_age', null, age(d.datfrozenxid)::float8
      from pg_database d where d.datname = current_database();
    return query
    select m.metric, null::jsonb, m.value
      from pg_stat_database d
     cross join lateral (values
         ('pawl_database_commits_total', d.xact_commit::float8), ('pawl_database_rollbacks_total', d.xact_rollback),
         ('pawl_database_deadlocks_total', d.deadlocks), ('pawl_database_blocks_read_total', d.blks_read),
         ('pawl_database_blocks_hit_total', d.blks_hit)) as m (metric, value)
     where d.datname = current_database();
    return query
    select 'pawl_open_runs', null::jsonb, s.n_live_tup::float8 from pg_stat_user_tables s
     where s.relid = 'pawl.live_run'::regclass;
    return query
    select m.metric, jsonb_build_object('table', t.name), m.value
      from (values ('event'), ('run'), ('live_run'), ('signal'), ('inbox'), ('subscription'), ('human_task'),
                   ('dead_letter')) as t (name)
     cross join lateral (
         select sum(pg_total_relation_size(p.relid))::float8 as bytes, coalesce(sum(s.n_dead_tup), 0)::float8 as dead
           from (select ('pawl.' || t.name)::regclass as relid
                 union
                 select b.relid from pg_partition_tree(('pawl.' || t.name)::regclass) b) as p
           left join pg_stat_user_tables s on s.relid = p.relid) as z
     cross join lateral (values ('pawl_table_bytes', z.bytes), ('pawl_table_dead_rows', z.dead)) as m (metric, value);
    return query
    select 'pawl_partition_weeks_ahead', null::jsonb, count(*)::float8
      from generate_series(1, 8) as w (week)
     where to_regclass('pawl.event_' || to_char(date_trunc('week', now() at time zone 'UTC')
                                                + w.week * interval '1 week', 'YYYYMMDD')) is not null;
    return query
    select 'pawl_replication_lag_bytes', null::jsonb,
           coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), r.replay_lsn)), 0)::float8 from pg_stat_replication r
    union all
    select 'pawl_replication_slot_retained_bytes', null,
           coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)), 0)::float8 from pg_replication_slots s;
end
$$;

CREATE FUNCTION pawl.figures_of_held(p_bucket smallint) RETURNS TABLE(metric text, labels jsonb, value double precision)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    with held as (select h.at from pawl.trigger_held h where h.bucket = p_bucket limit 10000)
    select 'pawl_held_events', null::jsonb, count(*)::float8 from held
    union all
    select 'pawl_oldest_held_event_age_seconds', null,
           coalesce(extract(epoch from now() - min(h.at)), 0)::float8 from held h;
end
$$;

CREATE FUNCTION pawl.figures_of_outbox(p_bucket smallint) RETURNS TABLE(metric text, labels jsonb, value double precision)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    with target as materialized (
        select t.id, t.kind,
               case when t.disabled_at is not null then 'disabled'
                    when exists (select 1 from pawl.outbox_lease s where s.target = t.id and s.failures > 0)
                    then 'failing' else 'working' end as state
          from pawl.outbox_target t order by t.id limit 1000
    ), counted as (
        select k.kind, waiting.count, waiting.oldest, head.oldest as first, given_up.count as failed
          from (values ('webhook'), ('notify'), ('queue')) as k (kind)
         cross join lateral (
             select count(*) as count, min(w.created_at) as oldest
               from (select o.created_at
                       from target t
                      cross join lateral (
                          select x.created_at from pawl.outbox x
                           where x.bucket = p_bucket and x.target = t.id and x.due_at is not null
                           order by x.shard, x.due_at
                           limit 10000) as o
                      where t.kind = k.kind and t.state <> 'disabled'
                      limit 10000) as w) as waiting
         -- The first of each target, also of those behind the end of the count.
         cross join lateral (
             select min(o.created_at) as oldest
               from target t
              cross join generate_series(0, 1) as s (shard)
              cross join lateral (
                  select x.created_at from pawl.outbox x
                   where x.bucket = p_bucket and x.target = t.id and x.shard = s.shard and x.due_at is not null
                   order by x.due_at
                   limit 1) as o
              where t.kind = k.kind and t.state <> 'disabled') as head
         cross join lateral (
             select count(*) as count
               from (select 1
                       from target t
                      cross join lateral (
                          select 1 from pawl.outbox x
                           where x.bucket = p_bucket and x.target = t.id and x.finished_at is not null
                             and x.error is not null and x.state = 3
                           limit 10000) as o
                      where t.kind = k.kind
                      limit 10000) as g) as given_up
    )
    select m.metric, jsonb_build_object('kind', c.kind), m.value
      from counted c
     cross join lateral (values
         ('pawl_outbox_pending', c.count::float8),
         ('pawl_oldest_outbox_age_seconds',
          coalesce(extract(epoch from now() - least(c.oldest, c.first)), 0)::float8),
         ('pawl_outbox_failed', c.failed::float8)) as m (metric, value)
    union all
    select 'pawl_outbox_targets', jsonb_build_object('kind', k.kind, 'state', s.state), count(t.id)::float8
      from (values ('webhook'), ('notify'), ('queue')) as k (kind)
     cross join (values ('working'), ('failing'), ('disabled')) as s (state)
      left join target t on t.kind = k.kind and t.state = s.state
     group by k.kind, s.state;
end
$$;

CREATE FUNCTION pawl.figures_of_queues() RETURNS TABLE(metric text, labels jsonb, value double precision)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET lock_timeout TO '100ms'
    AS $_$
#variable_conflict use_column
declare
    c_locked_max constant int := 10;
    v_queue text;
    v_locked int := 0;
begin
    begin
        return query
        with due as (
            select t.scheduled_at from queues.task t
             where t.dequeued_at is null and t.scheduled_at <= now() order by t.scheduled_at limit 10000
        )
        select 'pawl_tasks_due', null::jsonb, count(*)::float8 from due
        union all
        select 'pawl_oldest_task_age_seconds', null,
               coalesce(extract(epoch from now() - min(d.scheduled_at) filter (where isfinite(d.scheduled_at))), 0)
                   ::float8 from due d;
    exception when others then
        null;
    end;
    if to_regnamespace('pgmq') is null or not has_schema_privilege('pgmq', 'usage') then
        return;
    elsif to_regclass('pgmq.meta') is null or not has_table_privilege('pgmq.meta', 'select') then
        return;
    end if;
    for v_queue in
        select m.queue_name::text
          from pgmq.meta m
         order by exists (select 1 from pawl.queue q where q.name = m.queue_name::text and q.tenant <> 1), 1
         limit 100
    loop
        begin
            return query execute format(
                'with head as (select q.enqueued_at from pgmq.%1$I q order by q.msg_id limit 10000)
                 select ''pawl_queue_messages'', %2$L::jsonb, count(*)::float8 from head
                 union all
                 select ''pawl_queue_oldest_age_seconds'', %2$L::jsonb,
                        coalesce(extract(epoch from now() - min(h.enqueued_at) filter (where isfinite(h.enqueued_at))),
                                 0)::float8 from head h',
                'q_' || lower(v_queue), jsonb_build_object('queue', v_queue));
        exception
            when lock_not_available then
                v_locked := v_locked + 1;
                exit when v_locked >= c_locked_max;
            when others then
                continue;
        end;
    end loop;
end
$_$;

CREATE FUNCTION pawl.figures_of_work(p_bucket smallint) RETURNS TABLE(metric text, labels jsonb, value double precision)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    with recursive head as (
        (select l.priority, l.due_at from pawl.live_run l
          where l.bucket = p_bucket and l.state = 0 order by l.bucket, l.priority, l.due_at limit 1)
        union all
        select following.priority, following.due_at
          from head
         cross join lateral (
             select l.priority, l.due_at from pawl.live_run l
              where l.bucket = p_bucket and l.state = 0 and l.priority > head.priority
              order by l.bucket, l.priority, l.due_at limit 1) as following
    )
    select 'pawl_ready_runs', null::jsonb,
           least(coalesce(sum(pawl.count_due(p_bucket, h.priority, 10000)), 0), 10000)::float8 from head h
    union all
    select 'pawl_oldest_ready_age_seconds', null,
           coalesce(extract(epoch from now() - min(h.due_at) filter (where h.due_at <= now())), 0)::float8 from head h;
    return query
    select 'pawl_workers', null::jsonb, count(*)::float8 from pawl.worker;
    return query
    with waits as (select f.gate, f.rank from pawl.flow_wait f where f.bucket = p_bucket limit 10000)
    select 'pawl_queued_runs', null::jsonb, count(*)::float8 from waits
    union all
    select 'pawl_oldest_queued_age_seconds', null,
           greatest(coalesce(extract(epoch from now() - min(w.rank)), 0), 0)::float8 from waits w
    union all
    select 'pawl_full_gates', null, count(distinct w.gate)::float8 from waits w;
    return query
    with asked as (
        select w.name, t.opened_at, t.due_at
          from (select h.workflow, h.opened_at, h.due_at from pawl.human_task h
                 where h.bucket = p_bucket and h.state = 0 limit 10000) as t
          join pawl.workflow w on w.id = t.workflow
    ), by_workflow as (
        select a.name, count(*) as open, count(*) filter (where a.due_at < now()) as overdue, min(a.opened_at) as oldest
          from asked a group by a.name order by 2 desc limit 100
    )
    select m.metric, jsonb_build_object('workflow', b.name), m.value
      from by_workflow b
     cross join lateral (values
         ('pawl_human_tasks_open', b.open::float8),
         ('pawl_human_tasks_overdue', b.overdue::float8),
         ('pawl_oldest_human_task_age_seconds', extract(epoch from now() - b.oldest)::float8)) as m (metric, value);
    return query
    with dead as (
        select d.workflow, count(*) as count
          from (select o.workflow from pawl.dead_letter o
                 where o.bucket = p_bucket and o.replayed_as is null order by o.at desc limit 10000) as d
         group by d.workflow order by 2 desc limit 100
    )
    select 'pawl_dead_letters_open', jsonb_build_object('workflow', w.name), sum(d.count)::float8
      from dead d join pawl.workflow w on w.id = d.workflow group by w.name;
    return query
    with unmatched as (
        select i.id, 1 + coalesce(cardinality(i.more), 0) as count
          from pawl.inbox_pending i where i.bucket = p_bucket order by i.id limit 10000
    )
    select 'pawl_unmatched_events', null::jsonb, coalesce(sum(u.count), 0)::float8 from unmatched u
    union all
    select 'pawl_oldest_unmatched_event_age_seconds', null,
           coalesce((select extract(epoch from now() - e.at) from pawl.inbox e
                      where e.id = (select min(u.id) from unmatched u)), 0)::float8;
    return query
    with sent as (select s.at from pawl.signal s where s.bucket = p_bucket limit 10000)
    select 'pawl_pending_signals', null::jsonb, count(*)::float8 from sent
    union all
    select 'pawl_oldest_signal_age_seconds', null,
           coalesce(extract(epoch from now() - min(s.at)), 0)::float8 from sent s;
    return query
    select 'pawl_schedule_overdue_seconds', null::jsonb,
           greatest(coalesce(extract(epoch from now() - min(s.due_at)), 0), 0)::float8
      from pawl.schedule s where s.active and s.paused_at is null;
end
$$;

CREATE FUNCTION pawl.fill_outbox(p_bucket smallint, p_run uuid[], p_seq integer[], p_type smallint[], p_data jsonb[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    AS $$
begin
    insert into pawl.outbox (bucket, target, run_id, seq, shard, tenant, workflow, version, subject, type, due_at)
    select p_bucket, t.id, u.run_id, u.seq, get_byte(uuid_send(u.run_id), 15) & 1, l.tenant, l.workflow, l.version,
           l.subject, k.type, greatest(now(), before.due_at)
      from unnest(p_run, p_seq, p_type, p_data) as u (run_id, seq, type, data)
     cross join lateral (select pawl.outbox_type(u.type, u.data) as type offset 0) as k
     cross join lateral (
         select o.tenant, o.workflow, o.version, o.subject
           from pawl.live_run o
          where o.bucket = p_bucket and o.run_id = u.run_id
         offset 0
     ) as l
     cross join lateral (
         select x.id
           from pawl.outbox_target x
          where x.tenant = l.tenant and x.disabled_at is null and pawl.outbox_wants(x.events, k.type)
            and (x.workflows is null
                 or exists (select 1 from pawl.workflow w where w.id = l.workflow and w.name = any (x.workflows)))
         offset 0
     ) as t
      left join lateral (
         select o.due_at
           from pawl.outbox o
          where o.bucket = p_bucket and o.target = t.id and o.run_id = u.run_id and o.seq < u.seq
          order by o.seq desc
          limit 1
     ) as before on true
     where k.type is not null
        on conflict do nothing;
end
$$;

CREATE FUNCTION pawl.fill_outbox_starts(p_bucket smallint, p_run uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
begin
    perform pawl.fill_outbox(p_bucket, p_run, array_fill(0, array[cardinality(p_run)]),
                             array_fill(0::smallint, array[cardinality(p_run)]),
                             array_fill(null::jsonb, array[cardinality(p_run)]));
end
$$;

CREATE FUNCTION pawl.find_run(p_bucket smallint, p_tenant integer, p_run uuid) RETURNS TABLE(run_id uuid, workflow text, version integer, status text, subject text, started_at timestamp with time zone, closed_at timestamp with time zone, due_at timestamp with time zone, output jsonb, error jsonb, workflow_id integer, priority smallint, retried_as uuid, data jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    select x.run_id, w.name, x.version, x.status, x.subject, x.started_at, x.closed_at, x.due_at, x.output, x.error,
           x.workflow, x.priority, x.retried_as, pawl.execution_start(p_bucket, p_run)
      from (
          select l.run_id, l.workflow, l.version, pawl.open_status_name(l.state, l.due_at) as status, l.subject,
                 pawl.uuid7_time(l.run_id) as started_at, null::timestamptz as closed_at,
                 case when l.state <> 2 then l.due_at end as due_at, null::jsonb as output, null::jsonb as error,
                 l.priority, null::uuid as retried_as
            from pawl.live_run l
           where l.bucket = p_bucket and l.run_id = p_run and l.tenant = p_tenant
           union all
          select r.run_id, r.workflow, r.version, pawl.run_status_name(r.status), r.subject,
                 least(r.started_at, r.closed_at), r.closed_at, null, r.output, r.error, null, r.retried_as
            from pawl.run r
           where r.bucket = p_bucket and r.run_id = p_run and r.tenant = p_tenant
      ) as x
      join pawl.workflow w on w.id = x.workflow;
end
$$;

CREATE FUNCTION pawl.finish_triggers(p_bucket smallint, p_id bigint[], p_problem text[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
    delete from pawl.trigger_pending q
     using unnest(p_id) as u (id)
     where q.bucket = p_bucket and q.id = u.id;
    update pawl.inbox i
       set problem = concat_ws('; ', u.problem, off.problem)
      from unnest(p_id, p_problem) as u (id, problem)
     cross join lateral (
         select e.tenant, e.name from pawl.inbox e where e.bucket + 0 = p_bucket and e.id = u.id offset 0
     ) as e
     cross join lateral (
         select string_agg(format('workflow ''%s'' was not started, it is switched off: %s', d.name, d.off_reason),
                           '; ') as problem
           from pawl.event_trigger t
           join pawl.definition d on d.workflow = t.workflow and d.off_reason is not null
          where t.tenant = e.tenant and t.event = e.name
         offset 0
     ) as off
     where (u.problem is not null or off.problem is not null) and i.bucket + 0 = p_bucket and i.id = u.id;
end
$$;

CREATE FUNCTION pawl.first_event(p_head pawl.definition, p_input jsonb, p_correlation text, p_subject text, p_start_at timestamp with time zone, p_triggered_by text) RETURNS jsonb
    LANGUAGE sql STABLE
    RETURN (jsonb_strip_nulls(jsonb_build_object('workflow', (p_head).workflow, 'version', (p_head).version, 'subject', NULLIF(p_subject, ''::text), 'timeout_ms', COALESCE(pawl.duration_ms(((p_head).settings -> 'timeout'::text)), (((p_head).timeout_seconds)::bigint * 1000)), 'correlation_id', NULLIF(p_correlation, ''::text), 'triggered_by', NULLIF(p_triggered_by, ''::text), 'start_at', ((EXTRACT(epoch FROM p_start_at) * (1000000)::numeric))::bigint, 'uncounted', true)) || jsonb_build_object('input', COALESCE(p_input, '{}'::jsonb)));

CREATE FUNCTION pawl.first_names(p_names text[]) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (array_to_string(ARRAY(SELECT CASE WHEN (octet_length(n.name) > 200) THEN ("left"(n.name, 200) || '...'::text) ELSE n.name END AS name FROM unnest((first_names.p_names)[:20]) WITH ORDINALITY n(name, place) ORDER BY n.place), ', '::text) || CASE WHEN (cardinality(p_names) > 20) THEN format(' and %s more'::text, (cardinality(p_names) - 20)) ELSE ''::text END);

CREATE FUNCTION pawl.flow_problems(p_bucket smallint) RETURNS TABLE(gate text, problem text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    with inside as (
        select s.slot ->> 0 as gate, count(*)::int as count
          from pawl.live_run l
         cross join lateral jsonb_array_elements(l.flow -> 'slots') as s (slot)
         where l.bucket = p_bucket and l.slot = 1
         group by 1
    )
    select coalesce(g.gate, i.gate), format('counts %s, and %s are inside', coalesce(g.held, 0), coalesce(i.count, 0))
      from (select * from pawl.flow_gate o where o.bucket = p_bucket) as g
      full join inside i on i.gate = g.gate
     where coalesce(g.held, 0) <> coalesce(i.count, 0)
    union all
    select g.gate, 'has room, and somebody waits'
      from pawl.flow_gate g
     where g.bucket = p_bucket and (g.held < g."limit" and not g.look or not g.waited)
       and exists (select 1 from pawl.flow_wait w where w.bucket = p_bucket and w.gate = g.gate)
    union all
    select g.gate, 'is left behind'
      from pawl.flow_gate g
     where g.bucket = p_bucket and g.held = 0 and not g.look
       and not exists (select 1 from pawl.flow_wait w where w.bucket = p_bucket and w.gate = g.gate)
    union all
    select w.gate, format('run %s waits, and %s', w.run_id,
                          case when l.run_id is null then 'is not queued' else 'the gate is not there' end)
      from pawl.flow_wait w
      left join pawl.live_run l on l.bucket = w.bucket and l.run_id = w.run_id and l.state = 3
     where w.bucket = p_bucket
       and (l.run_id is null
            or not exists (select 1 from pawl.flow_gate g where g.bucket = w.bucket and g.gate = w.gate))
    union all
    select l.flow -> 'slots' -> 0 ->> 0, format('run %s is queued and waits nowhere', l.run_id)
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 3
       and not exists (select 1 from pawl.flow_wait w where w.bucket = p_bucket and w.run_id = l.run_id);
end
$$;

CREATE FUNCTION pawl.render_key(p_text text, p_data jsonb, p_subject text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $_$
declare
    c_space constant text := E' \t\n\r';
    v_rest text := p_text;
    v_key text := '';
    v_end int;
    v_content text;
    v_bar int;
    v_segments jsonb;
    v_value jsonb;
    v_literal text;
begin
    while strpos(v_rest, '{{') > 0 loop
        v_key := v_key || left(v_rest, strpos(v_rest, '{{') - 1);
        v_rest := substr(v_rest, strpos(v_rest, '{{') + 2);
        v_end := pawl.placeholder_end(v_rest);
        exit when v_end = 0;
        v_content := btrim(left(v_rest, v_end - 1), c_space);
        v_rest := substr(v_rest, v_end + 2);
        v_value := null;
        v_literal := v_content;
        if left(v_content, 1) not in ('"', '''') then
            v_bar := strpos(v_content, '|');
            select p.segments into v_segments
              from pawl.parse_path(
                  btrim(case when v_bar > 0 then left(v_content, v_bar - 1) else v_content end, c_space)
              ) p;
            v_literal := case when v_bar > 0
                              then btrim(substring(v_content from 'default\s*:(.*)$'), c_space) end;
            if v_segments -> 0 ->> 1 = 'run' then
                v_value := pawl.walk(jsonb_build_object('subject', coalesce(p_subject, '')), v_segments, 1);
            end if;
            v_value := coalesce(
                v_value, pawl.walk(p_data, v_segments, case when v_segments -> 0 ->> 1 = 'input' then 1 else 0 end)
            );
        end if;
        if (v_value is null or v_value = 'null') and v_literal is not null then
            v_value := case when left(v_literal, 1) = ''''
                            then to_jsonb(substr(v_literal, 2, length(v_literal) - 2)) else v_literal::jsonb end;
        end if;
        v_key := v_key || case when v_value = 'null' then 'null' else coalesce(v_value #>> '{}', '') end;
    end loop;
    return regexp_replace(left(v_key || v_rest, 200), '[\u0001-\u001f]', ' ', 'g');
end
$_$;

CREATE FUNCTION pawl.flow_ticket(p_flow jsonb, p_tenant integer, p_workflow integer, p_input jsonb, p_subject text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    RETURN (WITH entry AS (SELECT e.kind, e.value, e.n, format('%s/%s/%s/%s'::text, flow_ticket.p_tenant, CASE WHEN (COALESCE((e.value ->> 'scope'::text), 'workflow'::text) = 'workflow'::text) THEN flow_ticket.p_workflow ELSE 0 END, COALESCE((e.value ->> 'name'::text), e.name), pawl.render_key(COALESCE((e.value ->> 'key'::text), ''::text), flow_ticket.p_input, flow_ticket.p_subject)) AS gate FROM (SELECT 'slot'::text AS "?column?", s.value, s.n, CASE WHEN (s.n = 1) THEN 'concurrency'::text ELSE ('concurrency_'::text || s.n) END AS "case" FROM jsonb_array_elements(CASE jsonb_typeof((flow_ticket.p_flow -> 'concurrency'::text)) WHEN 'object'::text THEN jsonb_build_array((flow_ticket.p_flow -> 'concurrency'::text)) ELSE (flow_ticket.p_flow -> 'concurrency'::text) END) WITH ORDINALITY s(value, n) UNION ALL SELECT 'rate'::text, (flow_ticket.p_flow -> 'rate'::text), 1, 'rate'::text WHERE (jsonb_typeof((flow_ticket.p_flow -> 'rate'::text)) = 'object'::text) UNION ALL SELECT 'gather'::text, (flow_ticket.p_flow -> g.kind), 1, g.kind FROM (VALUES ('batch'::text), ('debounce'::text)) g(kind) WHERE (jsonb_typeof((flow_ticket.p_flow -> g.kind)) = 'object'::text)) e(kind, value, n, name)) SELECT NULLIF(jsonb_strip_nulls(jsonb_build_object('slots', (SELECT jsonb_agg(jsonb_build_array(e.gate, ((e.value ->> 'limit'::text))::integer) ORDER BY e.n) AS jsonb_agg FROM entry e WHERE (e.kind = 'slot'::text)), 'free', (SELECT true WHERE (((p_flow ->> 'while_waiting'::text) = 'free'::text) AND (p_flow ? 'concurrency'::text))), 'rate', (SELECT jsonb_build_array(e.gate, ((e.value ->> 'limit'::text))::integer, (pawl.duration_ms((e.value -> 'per'::text)) * 1000), COALESCE(((e.value ->> 'burst'::text))::integer, 1), (COALESCE((e.value ->> 'over'::text), 'wait'::text) = 'drop'::text)) AS jsonb_build_array FROM entry e WHERE (e.kind = 'rate'::text)), 'gather', (SELECT jsonb_build_array(e.gate, COALESCE(((e.value ->> 'size'::text))::integer, 0), (COALESCE(pawl.duration_ms((e.value -> 'period'::text)), (0)::bigint) * 1000), (COALESCE(pawl.duration_ms((e.value -> 'max_wait'::text)), (0)::bigint) * 1000)) AS jsonb_build_array FROM entry e WHERE (e.kind = 'gather'::text)))), '{}'::jsonb) AS "nullif");

CREATE FUNCTION pawl.forbid_condition_table(p_table text, p_tenant text DEFAULT NULL::text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_parts text[] := pawl.table_parts(p_table);
begin
    delete from pawl.condition_table t
     where t.tenant = pawl.tenant_number(p_tenant) and t.schema_name = v_parts[1] and t.table_name = v_parts[2];
    return found;
end
$$;

CREATE FUNCTION pawl.foreign_worker(p_tenant integer) RETURNS uuid
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_minute timestamptz := date_trunc('minute', now());
    v_worker uuid := md5(format('foreign worker %s %s', p_tenant, extract(epoch from v_minute)))::uuid;
begin
    insert into pawl.worker as w (id, host, pid, version, beat_at)
    values (v_worker, 'sql', 0, 'foreign', v_minute + interval '1 minute' + pawl.fw_lease())
        on conflict (id) do update set beat_at = greatest(w.beat_at, excluded.beat_at);
    return v_worker;
end
$$;

CREATE FUNCTION pawl.forget_execution() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_run pawl.run;
begin
    select r.* into v_run
      from pawl.run r
     where r.bucket = (select t.bucket from pawl.tenant t where t.id = pawl.current_tenant()) and r.run_id = old.id;
    if not found then
        raise exception 'run % is still open: cancel it first', old.id
            using errcode = 'object_not_in_prerequisite_state',
                  hint = format('update pawl.workflow_executions set status = ''cancelled'' where id = %L', old.id);
    end if;
    delete from pawl.correlation c where c.bucket = v_run.bucket and c.run_id = v_run.run_id;
    delete from pawl.dead_letter d where d.bucket = v_run.bucket and d.run_id = v_run.run_id;
    delete from pawl.event e where e.bucket = v_run.bucket and e.run_id = v_run.run_id;
    delete from pawl.run r where r.bucket = v_run.bucket and r.run_id = v_run.run_id;
    return old;
end
$$;

CREATE FUNCTION pawl.form_filter_holds(p_filter jsonb, p_data jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_path text := regexp_replace(coalesce(p_filter ->> 'path', p_filter ->> 'field'), '^(event\.)?(data\.)?', '');
    v_found jsonb := p_data #> string_to_array(v_path, '.');
begin
    if coalesce(p_filter, 'null') = 'null' then
        return true;
    elsif p_filter ? 'all' then
        return (select coalesce(bool_and(pawl.form_filter_holds(f.value, p_data)), true)
                  from jsonb_array_elements(p_filter -> 'all') f);
    elsif p_filter ? 'any' then
        return (select coalesce(bool_or(pawl.form_filter_holds(f.value, p_data)), false)
                  from jsonb_array_elements(p_filter -> 'any') f);
    elsif p_filter ? 'not' then
        return not pawl.form_filter_holds(p_filter -> 'not', p_data);
    end if;
    case coalesce(p_filter ->> 'operator', '=')
        when '=' then return coalesce(v_found = p_filter -> 'value', false);
        when '!=' then return coalesce(v_found <> p_filter -> 'value', true);
        when 'exists' then return v_found is not null;
        when 'in' then return coalesce(p_filter -> 'value' @> jsonb_build_array(v_found), false);
        else
            raise exception 'a form is not compared with the operator %', p_filter ->> 'operator'
                using errcode = 'feature_not_supported',
                      hint = 'Use =, !=, in or exists in the filter, or publish the submission with pawl.emit.';
    end case;
end
$$;

CREATE FUNCTION pawl.free_document_keys() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
    delete from pawl.document_key k
     using gone g
     where k.tenant = g.tenant and k.key = g.key and k.workflow = g.workflow;
    return null;
end
$$;

CREATE TABLE pawl.calendar_event (
    tenant integer DEFAULT 1 NOT NULL,
    uid text NOT NULL,
    title text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    attendee text,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    CONSTRAINT calendar_event_check CHECK ((ends_at > starts_at))
);

ALTER TABLE ONLY pawl.calendar_event FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pawl.free_slots(p_tenant integer, p_minutes integer, p_count integer, p_from timestamp with time zone DEFAULT now()) RETURNS SETOF timestamp with time zone
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    BEGIN ATOMIC
 WITH busy AS MATERIALIZED (
          SELECT e.starts_at,
             e.ends_at
            FROM pawl.calendar_event e
           WHERE ((e.tenant = free_slots.p_tenant) AND (e.ends_at > free_slots.p_from) AND (e.starts_at < ((free_slots.p_from + '30 days'::interval) + make_interval(mins => free_slots.p_minutes))))
         )
  SELECT s.at
    FROM generate_series(((date_trunc('day'::text, (free_slots.p_from AT TIME ZONE 'UTC'::text)) AT TIME ZONE 'UTC'::text) + '33:00:00'::interval), (free_slots.p_from + '30 days'::interval), '01:00:00'::interval) s(at)
   WHERE ((EXTRACT(isodow FROM (s.at AT TIME ZONE 'UTC'::text)) < (6)::numeric) AND ((EXTRACT(hour FROM (s.at AT TIME ZONE 'UTC'::text)) >= (9)::numeric) AND (EXTRACT(hour FROM (s.at AT TIME ZONE 'UTC'::text)) <= (16)::numeric)) AND (NOT (EXISTS ( SELECT 1
            FROM busy b
           WHERE ((b.starts_at < (s.at + make_interval(mins => free_slots.p_minutes))) AND (b.ends_at > s.at))))))
   ORDER BY s.at
  LIMIT free_slots.p_count;
END;

CREATE FUNCTION pawl.session_role() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN COALESCE(NULLIF(current_setting('role'::text), 'none'::text), (SESSION_USER)::text);

CREATE FUNCTION pawl.is_engine() RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    BEGIN ATOMIC
 SELECT COALESCE(bool_or((r.rolsuper OR pg_has_role(r.oid, n.nspowner, 'usage'::text) OR COALESCE(pg_has_role(r.oid, (to_regrole('pawl_worker'::text))::oid, 'usage'::text), false))), false) AS "coalesce"
    FROM (pg_roles r
      JOIN pg_namespace n ON ((n.nspname = 'pawl'::name)))
   WHERE (r.rolname = pawl.session_role());
END;

CREATE FUNCTION pawl.uuid7_time(p_id uuid) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN to_timestamp(((((('x'::text || encode(SUBSTRING(uuid_send(p_id) FROM 1 FOR 6), 'hex'::text)))::bit(48))::bigint)::double precision / (1000)::double precision));

CREATE TABLE pawl.run (
    run_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone NOT NULL,
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    version integer NOT NULL,
    bucket smallint NOT NULL,
    status smallint NOT NULL,
    subject text,
    output jsonb,
    error jsonb,
    parent uuid,
    retried_as uuid,
    CONSTRAINT run_status_check CHECK ((status = ANY (ARRAY[1, 2, 3])))
)
PARTITION BY RANGE (run_id);

ALTER TABLE ONLY pawl.run FORCE ROW LEVEL SECURITY;

CREATE VIEW pawl.fw_workflow_executions WITH (security_barrier='true') AS
 SELECT x.run_id AS id,
    t.organization AS organization_id,
    d.id AS rule_id,
    w.name AS workflow_name,
    COALESCE(((e.data -> 'input'::text) ->> 'trigger_type'::text), 'manual'::text) AS trigger_type,
    (e.data -> 'input'::text) AS trigger_data,
        CASE
            WHEN (x.status > 0) THEN pawl.run_status_name(x.status)
            WHEN (x.state = 1) THEN 'running'::text
            WHEN ((x.state = 0) AND (a.retries > 0)) THEN 'retry_pending'::text
            WHEN (x.state = 0) THEN 'queued'::text
            ELSE 'waiting'::text
        END AS status,
    (a.retries + 1) AS attempt,
        CASE
            WHEN (x.state = 0) THEN x.due_at
            ELSE NULL::timestamp with time zone
        END AS next_retry_at,
    COALESCE((x.error ->> 'message'::text), a.last_error) AS error_message,
    x.output AS result,
    (e.data ->> 'correlation_id'::text) AS correlation_id,
    pawl.uuid7_time(x.run_id) AS created_at,
        CASE
            WHEN (x.closed_at IS NOT NULL) THEN GREATEST(x.closed_at, pawl.uuid7_time(x.run_id))
            ELSE NULL::timestamp with time zone
        END AS completed_at
   FROM (((((( SELECT l.bucket,
            l.run_id,
            l.tenant,
            l.workflow,
            (0)::smallint AS status,
            l.state,
            l.due_at,
            NULL::timestamp with time zone AS closed_at,
            NULL::jsonb AS output,
            NULL::jsonb AS error
           FROM pawl.live_run l
        UNION ALL
         SELECT r.bucket,
            r.run_id,
            r.tenant,
            r.workflow,
            r.status,
            NULL::smallint AS int2,
            NULL::timestamp with time zone AS timestamptz,
            r.closed_at,
            r.output,
            r.error
           FROM pawl.run r) x
     JOIN pawl.tenant t ON (((t.id = x.tenant) AND (t.bucket = x.bucket))))
     JOIN pawl.workflow w ON ((w.id = x.workflow)))
     LEFT JOIN pawl.definition d ON ((d.workflow = x.workflow)))
     LEFT JOIN LATERAL ( SELECT e_1.data
           FROM pawl.event e_1
          WHERE ((e_1.bucket = x.bucket) AND (e_1.run_id = x.run_id) AND (e_1.seq = 0))) e ON (true))
     CROSS JOIN LATERAL ( SELECT (count(*) FILTER (WHERE (f.data ? 'retry_at'::text)))::integer AS retries,
            (array_agg((f.error ->> 'message'::text) ORDER BY f.seq DESC))[1] AS last_error
           FROM pawl.event f
          WHERE ((f.bucket = x.bucket) AND (f.run_id = x.run_id) AND (f.type = 2))) a)
  WHERE ((t.id = pawl.current_tenant()) OR pawl.is_engine());

CREATE FUNCTION pawl.fw_claim_queued_executions(p_batch_size integer, p_org_id uuid) RETURNS SETOF pawl.fw_workflow_executions
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $$
#variable_conflict use_column
declare
    v_tenant pawl.tenant := pawl.organization_tenant(p_org_id);
    v_worker uuid;
    v_runs uuid[];
begin
    if p_batch_size is null or p_batch_size not between 1 and 50 then
        raise exception 'the batch size must be between 1 and 50, not %', coalesce(p_batch_size::text, 'null')
            using errcode = 'invalid_parameter_value';
    end if;
    v_worker := pawl.foreign_worker(v_tenant.id);
    with due as materialized (
        select l.ctid as row_id
          from pawl.live_run l
         where l.bucket = v_tenant.bucket and l.tenant = v_tenant.id and l.state = 0 and l.due_at <= now()
           and not exists (
               select 1
                 from pawl.event e
                where e.bucket = l.bucket and e.run_id = l.run_id
                  and (e.seq = 0 and e.data ? 'caller' or e.seq > 0 and (e.type <> 2 or e.node is not null))
           )
           and not exists (select 1 from pawl.signal s where s.bucket = l.bucket and s.run_id = l.run_id)
         order by l.priority, l.due_at, l.run_id
         limit p_batch_size
           for no key update skip locked
    ), taken as (
        update pawl.live_run l
           set state = 1, worker = v_worker
         where l.ctid = any (array(select due.row_id from due))
        returning l.run_id
    )
    select array_agg(t.run_id) into v_runs from taken t;
    return query
    select e.* from pawl.fw_workflow_executions e where e.id = any (v_runs) order by e.created_at, e.id;
end
$$;

CREATE FUNCTION pawl.fw_enqueue_form_submission_automation(p_form_id uuid, p_submission_id uuid, p_organization_id uuid) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_tenant pawl.tenant := pawl.organization_tenant(p_organization_id);
    v_before text := coalesce(current_setting('pawl.tenant', true), '');
    v_data jsonb;
    v_rule record;
    v_run uuid;
    v_first uuid;
begin
    if p_form_id is null or p_submission_id is null then
        raise exception '% is required', case when p_form_id is null then 'p_form_id' else 'p_submission_id' end
            using errcode = 'null_value_not_allowed';
    end if;
    v_data := jsonb_build_object(
        'trigger_type', 'form_submitted', 'submission_id', p_submission_id, 'form_id', p_form_id,
        'organization_id', p_organization_id,
        'submission_data', pawl.submission_data(p_form_id, p_submission_id, p_organization_id));
    -- Whoever works for all tenants starts for this one; for everybody else it is their own already.
    perform set_config('pawl.tenant', v_tenant.id::text, true);
    for v_rule in
        select distinct on (d.name) d.name
          from pawl.definition d
         cross join jsonb_array_elements(
             case when jsonb_typeof(d.settings -> 'triggers') = 'array' then d.settings -> 'triggers' else '[]' end
         ) as t (trigger)
         where d.tenant = v_tenant.id and d.active and t.trigger ->> 'event' = 'form_submitted'
           and pawl.form_filter_holds(t.trigger -> 'filter', v_data)
         order by d.name
    loop
        v_run := pawl.start(v_rule.name, v_data, 'form:' || p_submission_id, triggered_by => 'form_submitted');
        v_first := coalesce(v_first, v_run);
    end loop;
    perform set_config('pawl.tenant', v_before, true);
    return v_first;
end
$$;

CREATE FUNCTION pawl.fw_finish_execution(p_execution_id uuid, p_status text, p_result jsonb DEFAULT NULL::jsonb, p_error text DEFAULT NULL::text, p_retry_at timestamp with time zone DEFAULT NULL::timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    c_result_max constant int := 1048576;
    c_error_max constant int := 10000;
    v_run pawl.live_run;
    v_seq int;
    v_started timestamptz;
    v_closes boolean := p_status in ('completed', 'failed');
    v_error jsonb := case when p_status <> 'completed' then jsonb_build_object(
        'code', 'foreign_worker', 'class', case when p_status = 'failed' then 'permanent' else 'retryable' end,
        'message', coalesce(left(p_error, c_error_max), 'the worker gave no reason')) end;
begin
    if p_status is null or p_status not in ('completed', 'failed', 'retry_pending') then
        raise exception 'an execution ends as completed, failed or retry_pending, not %', coalesce(p_status, 'null')
            using errcode = 'invalid_parameter_value';
    end if;
    if not isfinite(p_retry_at) then
        raise exception 'the time of the next attempt must be a time, not %', p_retry_at
            using errcode = 'datetime_field_overflow', hint = 'Like this: now() + interval ''1 minute''.';
    end if;
    perform pawl.refuse_unreadable(p_result);
    if octet_length(p_result::text) > c_result_max then
        raise exception 'the result has % bytes; at most % are possible', octet_length(p_result::text), c_result_max
            using errcode = 'program_limit_exceeded',
                  hint = 'Keep it in a table of your own, and give the run its key.';
    end if;
    select l.* into v_run
      from (select distinct t.bucket from pawl.tenant t) as b
     cross join lateral (
         select * from pawl.live_run h where h.bucket = b.bucket and h.run_id = p_execution_id offset 0
     ) as l
      join pawl.worker w on w.id = l.worker and w.version = 'foreign'
     where l.state = 1 and (l.tenant = pawl.current_tenant() or pawl.is_engine());
    if not found then
        raise exception 'execution % is not claimed', p_execution_id
            using errcode = 'object_not_in_prerequisite_state',
                  hint = format('It was finished, or its lease of %s ran out and it went to somebody else.',
                                pawl.fw_lease());
    end if;
    select max(e.seq) + 1, min(e.at) into v_seq, v_started
      from pawl.event e where e.bucket = v_run.bucket and e.run_id = v_run.run_id;
    perform pawl.commit_runs(
        v_run.bucket, v_run.worker, false,
        array[v_run.run_id], array[v_seq],
        array[case p_status when 'completed' then 4 when 'failed' then 5 else 2 end]::smallint[],
        array[null]::smallint[], array[null]::text[],
        array[case p_status
                  when 'completed' then p_result
                  when 'retry_pending' then jsonb_build_object(
                      'retry_at', (extract(epoch from coalesce(p_retry_at, now())) * 1000000)::bigint) end],
        array[v_error], null,
        case when v_closes then '{}' else array[v_run.run_id] end,
        case when v_closes then '{}' else array[coalesce(p_retry_at, now())] end,
        case when v_closes then array[v_run.run_id] else '{}' end, array[v_started], array[v_run.tenant],
        array[v_run.workflow], array[v_run.version],
        array[case p_status when 'completed' then 1 else 2 end]::smallint[],
        array[v_run.subject], array[p_result], array[v_error], array[null]::text[],
        '{}', '{}'
    );
end
$$;

CREATE FUNCTION pawl.fw_has_org_access(p_organization_id uuid) RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    return exists (
        select 1
          from pawl.tenant t
         where t.organization = p_organization_id and (t.id = pawl.current_tenant() or pawl.is_engine())
    );
end
$$;

CREATE FUNCTION pawl.fw_lease() RETURNS interval
    LANGUAGE sql STABLE
    RETURN (COALESCE(NULLIF(current_setting('pawl.fw_lease'::text, true), ''::text), '5 minutes'::text))::interval;

CREATE FUNCTION pawl.gates_with_room(p_bucket smallint, p_without integer[], OUT gates text[], OUT tenants integer) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    c_gates constant int := 50;
    c_tenants constant int := 16;
    c_counted constant int := 1000;
    v_from text collate "C" := (100 + floor(random() * 900))::int::text;
    v_after text collate "C" := v_from;
    v_wrapped boolean := false;
    v_name text collate "C";
    v_tenant text;
    v_tenants text[] := '{}';
    v_share int;
    v_begin int;
begin
    gates := '{}';
    for place in 0 .. c_tenants + cardinality(p_without) loop
        exit when cardinality(v_tenants) = c_tenants;
        select g.gate into v_name
          from pawl.flow_gate g
         where g.bucket + 0 = p_bucket and g.look and g.gate > v_after
         order by g.gate
         limit 1;
        if not found then
            exit when v_wrapped;
            v_wrapped := true;
            v_after := '';
            continue;
        end if;
        exit when v_wrapped and v_name > v_from;
        v_tenant := split_part(v_name, '/', 1);
        v_after := v_tenant || '0';
        if v_tenant::int <> all (p_without) then
            v_tenants := v_tenants || v_tenant;
        end if;
    end loop;
    tenants := cardinality(v_tenants);
    v_share := greatest(c_gates / greatest(tenants, 1), 1);
    foreach v_tenant in array v_tenants loop
        v_begin := 0;
        if exists (
            select 1 from pawl.flow_gate g
             where g.bucket + 0 = p_bucket and g.look and g.gate > v_tenant || '/' and g.gate < v_tenant || '0'
            offset v_share
        ) then
            select floor(random() * count(*)) into v_begin
              from (
                  select 1 from pawl.flow_gate g
                   where g.bucket + 0 = p_bucket and g.look and g.gate > v_tenant || '/' and g.gate < v_tenant || '0'
                   limit c_counted
              ) as c;
        end if;
        v_after := v_tenant || '/';
        if v_begin > 0 then
            select g.gate into v_after
              from pawl.flow_gate g
             where g.bucket + 0 = p_bucket and g.look and g.gate > v_tenant || '/' and g.gate < v_tenant || '0'
             order by g.gate
            offset v_begin - 1
             limit 1;
        end if;
        gates := gates || array(
            select g.gate
              from pawl.flow_gate g
             where g.bucket + 0 = p_bucket and g.look and g.gate > v_after and g.gate < v_tenant || '0'
             order by g.gate
             limit v_share
               for no key update skip locked
        );
        if v_begin > 0 then
            gates := gates || array(
                select g.gate
                  from pawl.flow_gate g
                 where g.bucket + 0 = p_bucket and g.look and g.gate > v_tenant || '/' and g.gate <= v_after
                 order by g.gate
                 limit greatest(v_share - v_begin, 0)
                   for no key update skip locked
            );
        end if;
    end loop;
end
$$;

CREATE FUNCTION pawl.gather_starts(p_bucket smallint, p_resend boolean, p_run uuid[], p_tenant integer[], p_workflow integer[], p_data jsonb[], p_correlation text[], p_flow jsonb[]) RETURNS TABLE(place integer, requested uuid, existing uuid, due timestamp with time zone)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
    c_micro constant interval := interval '1 microsecond';
    v_start record;
    v_group record;
    v_open boolean;
begin
    for v_start in
        select u.n::int as place, u.run_id, u.tenant, u.workflow, u.key, u.data -> 'input' as input,
               u.flow -> 'gather' ->> 0 as gate, (u.flow -> 'gather' ->> 1)::int as size,
               (u.flow -> 'gather' ->> 2)::bigint * c_micro as period,
               nullif((u.flow -> 'gather' ->> 3)::bigint, 0) * c_micro as max_wait
          from unnest(p_run, p_tenant, p_workflow, p_data, p_correlation, p_flow) with ordinality
               as u (run_id, tenant, workflow, data, key, flow, n)
         where u.flow ? 'gather'
         order by u.flow -> 'gather' ->> 0, u.n
    loop
        place := v_start.place;
        requested := v_start.run_id;
        due := null;
        -- A taken key leads to its run, whatever that is doing; and what happened already does not happen again.
        select c.run_id into existing
          from pawl.correlation c
         where c.bucket = p_bucket and c.tenant = v_start.tenant and c.workflow = v_start.workflow
           and c.key in (v_start.key, 'gathered:' || requested::text)
         limit 1;
        if found then
            if existing <> requested then
                return next;
            end if;
            continue;
        end if;
        continue when p_resend
            and exists (select 1 from pawl.event e where e.bucket = p_bucket and e.run_id = requested and e.seq = 0);
        insert into pawl.flow_group (bucket, gate, run_id, first_at, count)
        values (p_bucket, v_start.gate, requested, now(), 0)
            on conflict do nothing;
        select g.run_id, g.first_at, g.count into v_group
          from pawl.flow_group g
         where g.bucket = p_bucket and g.gate = v_start.gate
           for no key update;
        v_open := v_group.run_id <> requested and (v_start.size = 0 or v_group.count < v_start.size);
        if v_open and v_group.run_id <> all (p_run) then
            -- One that is being claimed has begun.
            perform 1
               from pawl.live_run l
              where l.bucket = p_bucket and l.run_id = v_group.run_id and l.state = 0 and l.slot = 4
                for no key update skip locked;
            v_open := found;
        end if;
        if not v_open then
            update pawl.flow_group g
               set run_id = requested, first_at = now(), count = 1
             where g.bucket = p_bucket and g.gate = v_start.gate;
            existing := requested;
            due := now() + case when v_start.size > 0 then v_start.max_wait else v_start.period end;
            return next;
            continue;
        end if;
        existing := v_group.run_id;
        insert into pawl.correlation (bucket, tenant, workflow, key, run_id)
        select p_bucket, v_start.tenant, v_start.workflow, k.key, existing
          from (values ('gathered:' || requested::text), (v_start.key)) as k (key)
         where k.key is not null
            on conflict do nothing;
        insert into pawl.signal (bucket, run_id, kind, data)
        values (
            p_bucket, existing, 'gather',
            case when v_start.size > 0 then jsonb_build_object('item', v_start.input -> 'items' -> 0)
                 else jsonb_build_object('input', v_start.input) end
        );
        update pawl.flow_group g set count = g.count + 1 where g.bucket = p_bucket and g.gate = v_start.gate;
        return next;
        due := case when v_start.size > 0 and v_group.count + 1 >= v_start.size then now()
                    when v_start.size > 0 then v_group.first_at + v_start.max_wait
                    else least(now() + v_start.period, v_group.first_at + v_start.max_wait) end;
        if existing = any (p_run) then
            place := array_position(p_run, existing);
            requested := existing;
            return next;
        else
            update pawl.live_run l set due_at = due where l.bucket = p_bucket and l.run_id = existing;
        end if;
    end loop;
end
$$;

CREATE FUNCTION pawl.group_dead_letters(p_bucket smallint, p_tenant integer, p_workflow text, p_node text, p_replayed boolean, p_from timestamp with time zone, p_before timestamp with time zone, p_limit integer, p_scan integer) RETURNS TABLE(fingerprint text, workflow text, node text, message text, count bigint, first_at timestamp with time zone, last_at timestamp with time zone, sample_run uuid, complete boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_workflow int;
begin
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    return query
    with counted as materialized (
        select e.fingerprint, e.workflow, e.node, c.count, c.first_at, c.last_at
          from pawl.dead_letter_errors(p_bucket, p_tenant, v_workflow, p_node, null, coalesce(not p_replayed, false)) e
         cross join lateral pawl.count_dead_letters(p_bucket, p_tenant, e.fingerprint, p_replayed, p_from, p_before,
                                                    p_scan) c
         where c.count > 0
    )
    select g.fingerprint, w.name, g.node, s.error ->> 'message', g.count, g.first_at, g.last_at, s.run_id,
           (select max(c.count) from counted c) < p_scan
      from (select c.* from counted c order by c.count desc, c.last_at desc limit p_limit) as g
      join pawl.workflow w on w.id = g.workflow
     cross join lateral (
         select d.run_id, d.error
           from pawl.dead_letter d
          where d.bucket = p_bucket and d.tenant = p_tenant and d.fingerprint = g.fingerprint and d.at = g.last_at
            and (p_replayed is null or p_replayed = (d.replayed_as is not null))
          order by d.run_id desc
          limit 1
     ) as s
     order by g.count desc, g.last_at desc;
end
$$;

CREATE FUNCTION pawl.guard_sql_steps() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
    if new.definition @? '$.**.steps[*] ? (exists (@.sql) || @.type == "sql")'
       or new.definition @? '$.**.nodes[*] ? (exists (@.sql) || @.type == "sql")'
    then
        if not pawl.is_engine()
           and not coalesce(pg_has_role(pawl.session_role()::name, to_regrole('pawl_api')::oid, 'member'), false)
        then
            raise exception 'role % may not publish steps of the type sql', pawl.session_role()
                using errcode = 'insufficient_privilege',
                      hint = 'Publish it by the API with a key that has the scope admin, or as the owner of pawl.';
        end if;
    end if;
    return null;
end
$_$;

CREATE FUNCTION pawl.hand_over_dead_runs(p_bucket smallint, p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
declare
    c_time constant interval := interval '200 ms';
    v_begun timestamptz := clock_timestamp();
    v_run uuid;
    v_message jsonb;
    v_messages jsonb[] := '{}';
    v_count int := 0;
begin
    if not exists (select 1 from pawl.dead_run_pending p where p.bucket = p_bucket) then
        return 0;
    end if;
    for v_run in
        select q.run_id from pawl.dead_run_pending q where q.bucket = p_bucket
         order by q.run_id limit p_limit for update skip locked
    loop
        begin
            v_message := pawl.dead_run_message(p_bucket, v_run);
        exception when others then
            v_message := jsonb_build_object('execution_id', v_run, 'error', 'no message could be made: ' || sqlerrm);
        end;
        if v_message is not null then
            v_messages := v_messages || v_message;
        end if;
        delete from pawl.dead_run_pending p where p.bucket = p_bucket and p.run_id = v_run;
        v_count := v_count + 1;
        exit when clock_timestamp() > v_begun + c_time;
    end loop;
    if v_messages <> '{}' and pawl.queue_exists('workflow_dlq') then
        perform pgmq.send_batch('workflow_dlq', v_messages);
    end if;
    return v_count;
end
$$;

CREATE FUNCTION pawl.hold(p_tenant integer, p_name text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    loop
        perform 1 from pawl.latch l where l.tenant = p_tenant and l.name = p_name for no key update;
        exit when found;
        insert into pawl.latch (tenant, name) values (p_tenant, p_name) on conflict do nothing;
    end loop;
end
$$;

CREATE FUNCTION pawl.hold_definitions(p_tenant integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform pawl.hold(p_tenant, 'definitions');
    perform set_config('pawl.defines_for', p_tenant::text, true);
end
$$;

CREATE FUNCTION pawl.hold_triggers(p_bucket smallint, p_id bigint[], p_reason text[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
    insert into pawl.trigger_held (bucket, tenant, id, reason, at)
    select p_bucket, i.tenant, i.id, u.reason, i.at
      from unnest(p_id, p_reason) as u (id, reason)
     cross join lateral (
         select x.tenant, x.id, x.at from pawl.inbox x where x.bucket + 0 = p_bucket and x.id = u.id offset 0
     ) as i
        on conflict do nothing;
    delete from pawl.trigger_pending q using unnest(p_id) as u (id) where q.bucket = p_bucket and q.id = u.id;
end
$$;

CREATE FUNCTION pawl.in_listed_form(p_head pawl.definition) RETURNS pawl.definition
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    -- What a step has that says nothing (src/steps/step.cpp).
    c_timeout constant int := 60;
    v_timeouts text[];
begin
    if not p_head.settings ? 'nodes' or p_head.settings ? 'code' or jsonb_typeof(p_head.steps) <> 'array'
       or p_head.max_retries is not null or p_head.visibility_timeout is not null
       or exists (select 1 from jsonb_array_elements(p_head.steps) as s (step)
                   where jsonb_typeof(s.step) <> 'object'
                      or not s.step ?& array['id', 'type', 'config', 'retry', 'on_failure']) then
        return p_head;
    end if;
    select coalesce(mode() within group (order by (s.step -> 'retry' ->> 'attempts')::int - 1), 3)
      into p_head.max_retries
      from jsonb_array_elements(p_head.steps) as s (step)
     where s.step ->> 'type' in ('function', 'code', 'http', 'transform', 'sql') and pawl.has_usual_retry(s.step)
       and s.step ->> 'on_failure' = 'abort' and (s.step -> 'retry' ->> 'attempts')::int > 1;
    select array_agg(distinct coalesce(s.step ->> 'timeout', 'none')) into v_timeouts
      from jsonb_array_elements(p_head.steps) as s (step);
    if v_timeouts = '{none}' and not exists (select 1 from jsonb_array_elements(p_head.steps) as s (step)
                                              where s.step ->> 'type' not in ('function', 'code', 'http', 'sql')) then
        p_head.visibility_timeout := c_timeout;
    elsif cardinality(v_timeouts) = 1 and v_timeouts <> '{none}'
          and pawl.duration_ms(to_jsonb(v_timeouts[1])) % 1000 = 0 then
        p_head.visibility_timeout := pawl.duration_ms(to_jsonb(v_timeouts[1])) / 1000;
    end if;
    p_head.steps := (
        select jsonb_agg(pawl.listed_step(s.step, p_head.max_retries, p_head.visibility_timeout is null)
                         order by s.place)
          from jsonb_array_elements(p_head.steps) with ordinality as s (step, place)
    );
    return p_head;
end
$$;

CREATE FUNCTION pawl.in_use(p_table text) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    RETURN (EXISTS (SELECT 1 FROM (pg_locks l JOIN pg_stat_activity a ON ((a.pid = l.pid))) WHERE ((l.relation = (to_regclass(('pawl.'::text || in_use.p_table)))::oid) AND l.granted AND (l.pid <> pg_backend_pid()) AND (l.database = (SELECT d.oid FROM pg_database d WHERE (d.datname = current_database()))) AND (a.xact_start < (clock_timestamp() - '00:00:00.5'::interval)))));

CREATE FUNCTION pawl.input_of(p_step jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT COALESCE((b.body -> 'payload'::text), (b.body -> 'payload_template'::text), (b.body -> 'input'::text), (b.body -> 'params'::text), (b.body -> 'body'::text), (b.body -> 'data'::text)) AS "coalesce" FROM (SELECT CASE WHEN (jsonb_typeof((input_of.p_step -> 'config'::text)) = 'object'::text) THEN (input_of.p_step -> 'config'::text) WHEN (jsonb_typeof((input_of.p_step -> (input_of.p_step ->> 'type'::text))) = 'object'::text) THEN (input_of.p_step -> (input_of.p_step ->> 'type'::text)) WHEN (jsonb_typeof((input_of.p_step -> 'http'::text)) = 'object'::text) THEN (input_of.p_step -> 'http'::text) ELSE input_of.p_step END AS p_step) b(body));

CREATE FUNCTION pawl.person_name(p_written text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN btrim(p_written, '

v'::text);

CREATE FUNCTION pawl.is_same_person(p_one text, p_other text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (lower(pawl.person_name(p_one)) = lower(pawl.person_name(p_other)));

CREATE FUNCTION pawl.is_among(p_names text[], p_by text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE((SELECT bool_or(pawl.is_same_person(n.name, is_among.p_by)) AS bool_or FROM unnest(is_among.p_names) n(name)), false);

CREATE FUNCTION pawl.is_line(p_names text[], p_edges jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (COALESCE(p_edges, '[]'::jsonb) = COALESCE((SELECT jsonb_agg(jsonb_build_object('from', (is_line.p_names)[i.i], 'to', (is_line.p_names)[(i.i + 1)], 'handle', 'default') ORDER BY i.i) AS jsonb_agg FROM generate_series(1, (cardinality(is_line.p_names) - 1)) i(i)), '[]'::jsonb));

CREATE FUNCTION pawl.is_uuid(p_text text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN COALESCE((p_text ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'::text), false);

CREATE FUNCTION pawl.is_whole(p_value jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((jsonb_typeof(p_value) = 'number'::text) AND ((p_value #>> '{}'::text[]) ~ '^-?[0-9]{1,9}$'::text));

CREATE FUNCTION pawl.keep_events(p_week timestamp with time zone, p_batch integer, INOUT p_at_bucket smallint, INOUT p_at_run uuid) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_part record;
    v_bucket smallint[];
    v_run uuid[];
begin
    select * into v_part from pawl.retiring('event', p_week);
    -- Open runs, and runs whose rows were carried over.
    select array_agg(x.bucket order by x.bucket, x.run_id), array_agg(x.run_id order by x.bucket, x.run_id)
      into v_bucket, v_run
      from (select b.bucket, u.run_id
              from (select distinct t.bucket from pawl.tenant t) as b
             cross join lateral (
                 (select l.run_id
                    from pawl.live_run l
                   where l.bucket = b.bucket and l.run_id >= v_part.from_id and l.run_id < v_part.until_id
                     and (b.bucket > p_at_bucket or l.run_id > p_at_run or p_at_run is null)
                   order by l.run_id
                   limit p_batch)
                 union
                 (select r.run_id
                    from pawl.run r
                   where r.bucket = b.bucket and r.run_id >= v_part.from_id and r.run_id < v_part.until_id
                     and (b.bucket > p_at_bucket or r.run_id > p_at_run or p_at_run is null)
                   order by r.run_id
                   limit p_batch)
             ) as u
             where p_at_bucket is null or b.bucket >= p_at_bucket
             order by b.bucket, u.run_id
             limit p_batch) as x;
    insert into pawl.event_keeping
    select e.*
      from unnest(v_bucket, v_run) as u (bucket, run_id)
     cross join lateral (
         select * from pawl.event x where x.bucket = u.bucket and x.run_id = u.run_id offset 0
     ) as e
        on conflict do nothing;
    p_at_bucket := null;
    p_at_run := null;
    if cardinality(v_run) = p_batch then
        p_at_bucket := v_bucket[p_batch];
        p_at_run := v_run[p_batch];
    end if;
end
$$;

CREATE FUNCTION pawl.keep_graph(p_old pawl.definition, p_new pawl.definition) RETURNS pawl.definition
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_old text[];
    v_new text[];
begin
    if p_new.timeout_seconds is distinct from p_old.timeout_seconds then
        p_new.settings := p_new.settings - 'timeout';
    end if;
    if not p_new.settings ? 'nodes' or jsonb_typeof(p_new.steps) is distinct from 'array' then
        return p_new;
    end if;
    v_old := pawl.step_names(jsonb_build_object('steps', p_old.steps));
    v_new := pawl.step_names(jsonb_build_object('steps', p_new.steps));
    if v_new is distinct from v_old then
        if not pawl.is_line(v_old, p_old.settings -> 'edges') then
            raise exception 'workflow "%" is a graph: its steps cannot be changed as a list', p_old.name
                using errcode = 'invalid_parameter_value',
                      hint = 'Keep the names of the steps, or apply the whole graph: pawl workflows apply FILE.';
        end if;
        p_new.settings := p_new.settings - array['nodes', 'edges'];
    end if;
    return p_new;
end
$$;

CREATE FUNCTION pawl.keep_queue_partitions() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if to_regprocedure('pgmq.maintain_partitions()') is not null then
        perform pgmq.maintain_partitions();
    end if;
end
$$;

CREATE FUNCTION pawl.keep_runs(p_week timestamp with time zone, p_keep interval, p_batch integer, INOUT p_at_bucket smallint, INOUT p_at_run uuid) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_part record;
    v_walked bigint;
begin
    select * into v_part from pawl.retiring('run', p_week);
    -- Closed lately. A run that is open has no row here yet.
    with walked as materialized (
        select r.*
          from pawl.run r
         where r.run_id >= v_part.from_id and r.run_id < v_part.until_id
           and (r.bucket, r.run_id) > (coalesce(p_at_bucket, -1), coalesce(p_at_run, v_part.from_id))
         order by r.bucket, r.run_id
         limit p_batch
    ), copied as (
        insert into pawl.run_keeping select w.* from walked w where w.closed_at > now() - p_keep
            on conflict do nothing
    ), last as (
        select w.bucket, w.run_id from walked w order by w.bucket desc, w.run_id desc limit 1
    )
    select count(*), (select l.bucket from last l), (select l.run_id from last l)
      into v_walked, p_at_bucket, p_at_run
      from walked;
    if v_walked < p_batch then
        p_at_bucket := null;
        p_at_run := null;
    end if;
end
$$;

CREATE FUNCTION pawl.keep_triggers() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_queue text;
begin
    if tg_op <> 'INSERT' then
        delete from pawl.event_trigger t where t.workflow = old.workflow;
    end if;
    if tg_op <> 'DELETE' and (new.active or new.off_reason is not null) then
        insert into pawl.event_trigger (tenant, event, workflow)
        select distinct new.tenant, coalesce(t.value ->> 'event', 'queue:' || (t.value ->> 'queue')), new.workflow
          from jsonb_array_elements(
              case when jsonb_typeof(new.settings -> 'triggers') = 'array' then new.settings -> 'triggers' else '[]' end
          ) as t
         where jsonb_typeof(t.value -> 'event') = 'string'
            or (jsonb_typeof(t.value -> 'queue') = 'string' and new.active)
            on conflict do nothing;
        for v_queue in
            select substr(t.event, 7) from pawl.event_trigger t
             where t.workflow = new.workflow and t.event like 'queue:%' order by 1
        loop
            if new.tenant = 1
               or exists (select 1 from pawl.queue q where q.name = v_queue and q.tenant = new.tenant) then
                perform pawl.ensure_queue(v_queue);
            elsif tg_op = 'INSERT' or new.settings -> 'triggers' is distinct from old.settings -> 'triggers' then
                perform pawl.refuse_definition(
                    format('triggers: the queue %s is not one of this organization', quote_literal(v_queue)),
                    'Queues are shared by the whole database. Who runs it gives one to an organization: '
                    'insert into pawl.queue (name, tenant) values (...).'
                );
            end if;
        end loop;
    end if;
    return null;
end
$$;

CREATE FUNCTION pawl.keep_version() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
    if (new.workflow, new.version, new.definition, new.label, new.created_at)
       is distinct from (old.workflow, old.version, old.definition, old.label, old.created_at) then
        raise exception 'version % of workflow number % never changes', old.version, old.workflow
            using errcode = 'object_not_in_prerequisite_state', hint = 'Apply the changed definition as a new version.';
    end if;
    return new;
end
$$;

CREATE FUNCTION pawl.keep_waits() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
    insert into pawl.event_wait (workflow, event)
    select distinct new.workflow, case when strpos(e.name #>> '{}', '{{') > 0 then '*' else e.name #>> '{}' end
      from jsonb_path_query(new.definition, 'strict $.**.event ? (@.type() == "string")', '{}', true) as e (name)
     where octet_length(e.name #>> '{}') <= 500 or strpos(e.name #>> '{}', '{{') > 0
        on conflict do nothing;
    return null;
end
$_$;

CREATE FUNCTION pawl.knowledge_search(p_tenant integer, p_text text, p_limit integer, p_vector text DEFAULT NULL::text) RETURNS TABLE(id text, title text, body text, score double precision)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_column
declare
    v_words tsquery := (
        select string_agg(quote_literal(w.lexeme), ' | ')::tsquery
          from (select u.lexeme from unnest(to_tsvector('english', left(p_text, 4000))) as u limit 100) as w
    );
    v_schema text := (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace
                       where e.extname = 'vector');
begin
    if p_vector is null or v_schema is null or to_regclass('pawl.knowledge_vector') is null then
        return query
        select k.id, k.title, k.body, ts_rank_cd(pawl.knowledge_words(k.title, k.body), v_words, 32)::float8 as s
          from pawl.knowledge k
         where k.tenant = p_tenant and pawl.knowledge_words(k.title, k.body) @@ v_words
         order by s desc, k.id limit p_limit;
        return;
    end if;
    return query execute format(
        'with near as (select v.id, 1 - (v.embedding operator(%1$I.<=>) $3::%1$I.vector) as s '
        'from pawl.knowledge_vector v where v.tenant = $1 '
        'order by v.embedding operator(%1$I.<=>) $3::%1$I.vector limit $4 * 4), '
        'words as (select k.id, ts_rank_cd(pawl.knowledge_words(k.title, k.body), $2, 32)::float8 as s '
        'from pawl.knowledge k where k.tenant = $1 and pawl.knowledge_words(k.title, k.body) @@ $2 '
        'order by s desc limit $4 * 4), '
        'both as (select a.id, sum(a.s) as s from (select * from near union all select * from words) a group by a.id) '
        'select k.id, k.title, k.body, b.s::float8 from both b join pawl.knowledge k on k.tenant = $1 and k.id = b.id '
        'order by b.s desc, k.id limit $4', v_schema) using p_tenant, v_words, p_vector, p_limit;
end
$_$;

CREATE FUNCTION pawl.knowledge_words(p_title text, p_body text) RETURNS tsvector
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (setweight(to_tsvector('english'::regconfig, p_title), 'A'::"char") || setweight(to_tsvector('english'::regconfig, p_body), 'B'::"char"));

CREATE FUNCTION pawl.label_of(p_definition jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((jsonb_typeof((p_definition -> 'version'::text)) = 'string'::text) AND ((p_definition ->> 'version'::text) ~ '^[0-9]+\.[0-9]+\.'::text)) THEN (p_definition ->> 'version'::text) ELSE NULL::text END;

CREATE FUNCTION pawl.leased_runs(p_bucket smallint, p_worker uuid, p_held uuid[]) RETURNS TABLE(run_id uuid, seq integer, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamp with time zone, token integer)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token
      from pawl.live_run l
     cross join lateral (
         select * from pawl.event h where h.bucket = p_bucket and h.run_id = l.run_id offset 0
     ) as e
     where l.bucket = p_bucket and l.worker = p_worker and l.state = 1 and l.run_id <> all (p_held)
     order by e.run_id, e.seq;
end
$$;

CREATE FUNCTION pawl.leave_gates(p_bucket smallint, p_gate text[], p_count integer[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_row tid[];
    v_count int[];
    v_idle tid[];
    v_waited boolean;
begin
    -- What is read of a row is as it is now that it is locked.
    select array_agg(g.row_id) filter (where not g.idle), array_agg(w.count) filter (where not g.idle),
           array_agg(g.row_id) filter (where g.idle), bool_or(g.waited)
      into v_row, v_count, v_idle, v_waited
      from (
          select u.gate collate "C" as gate, sum(u.count)::int as count
            from unnest(p_gate, p_count) as u (gate, count)
           group by u.gate collate "C"
           order by u.gate collate "C"
          offset 0
      ) as w
     cross join lateral (
         select h.ctid as row_id, h.waited, h.held <= w.count and not h.waited as idle
           from pawl.flow_gate h
          where h.bucket = p_bucket and h.gate = w.gate
            for no key update
     ) as g;
    if v_idle is not null then
        delete from pawl.flow_gate g where g.ctid = any (v_idle);
    end if;
    if v_row is not null then
        update pawl.flow_gate g
           set held = g.held - u.count, look = g.look or g.waited
          from unnest(v_row, v_count) as u (row_id, count)
         where g.ctid = u.row_id;
    end if;
    if v_waited then
        perform set_config('pawl.made_room', 'on', true);
    end if;
end
$$;

CREATE FUNCTION pawl.leave_places(p_bucket smallint, p_run uuid[], p_token integer[], p_key text[]) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_left record;
    v_before bigint;
    v_next record;
    v_count int := 0;
begin
    if not exists (select 1 from pawl.lock_place l where l.bucket = p_bucket) then
        return 0;
    end if;
    for v_left in
        select distinct l.tenant, pawl.lock_latch(p_bucket, l.key) as latch, l.key, l.run_id, u.token
          from unnest(p_run, p_token, p_key) as u (run_id, token, key)
          join pawl.lock_place l
            on l.bucket = p_bucket and l.run_id = u.run_id
           and (u.token is null or l.token = u.token) and (u.key is null or l.key = u.key)
         order by l.tenant, latch, l.key, l.run_id
    loop
        perform pawl.hold(v_left.tenant, v_left.latch);
        select min(l.place) into v_before
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key;
        delete from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key and l.run_id = v_left.run_id
           and (v_left.token is null or l.token = v_left.token);
        v_count := v_count + 1;
        select l.place, l.run_id, l.token into v_next
          from pawl.lock_place l
         where l.bucket = p_bucket and l.tenant = v_left.tenant and l.key = v_left.key
         order by l.place
         limit 1;
        if v_next.place <> v_before then
            perform pawl.leave_signals(
                p_bucket, array[v_next.run_id], array['lock'],
                array[jsonb_build_object('token', v_next.token, 'key', v_left.key)], false
            );
        end if;
    end loop;
    return v_count;
end
$$;

CREATE FUNCTION pawl.leave_locks(p_bucket smallint, p_run uuid[], p_token integer[], p_key text[]) RETURNS integer
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    RETURN (SELECT COALESCE(pawl.leave_places(leave_locks.p_bucket, array_agg(u.run_id), array_agg(u.token), array_agg(u.key)), 0) AS "coalesce" FROM UNNEST(leave_locks.p_run, leave_locks.p_token, leave_locks.p_key) u(run_id, token, key) WHERE (u.token IS NULL));

CREATE FUNCTION pawl.leave_message(p_tenant pawl.tenant, p_run uuid, p_kind text, p_data jsonb) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
    insert into pawl.signal (bucket, run_id, kind, data, unsure)
    select (p_tenant).bucket, l.run_id, p_kind, p_data, true
      from pawl.live_run l
     where l.bucket = (p_tenant).bucket and l.run_id = p_run and l.tenant = (p_tenant).id;
    if found then
        perform pawl.wake_at_commit((p_tenant).bucket);
        return true;
    end if;
    perform 1
       from pawl.run r
      where r.bucket = (p_tenant).bucket and r.run_id = p_run and r.tenant = (p_tenant).id;
    if not found then
        raise exception 'there is no run %', coalesce(p_run::text, 'null') using errcode = 'no_data_found',
            hint = 'pawl.start returns the id of a run; pawl.workflow_executions lists all of them.';
    end if;
    return false;
end
$$;

CREATE TABLE pawl.organization_worker (
    tenant integer NOT NULL,
    running_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    last_run_at timestamp with time zone,
    last_batch_size integer
);

ALTER TABLE ONLY pawl.organization_worker FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pawl.leave_organization(p_tenant integer, p_batch_size integer) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    BEGIN ATOMIC
 UPDATE pawl.organization_worker o SET running_until = '-infinity'::timestamp with time zone, last_batch_size = leave_organization.p_batch_size
   WHERE (o.tenant = leave_organization.p_tenant);
END;

CREATE FUNCTION pawl.leave_queue(p_bucket smallint, p_row tid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_gate text[];
    v_idle tid[];
begin
    with awake as (
        update pawl.live_run l
           set state = 0, due_at = least(l.due_at, now()), slot = 3
         where l.ctid = any (p_row) and l.state = 3
        returning l.run_id
    ), gone as (
        delete from pawl.flow_wait w
         where w.ctid = any (array(
               select x.row_id
                 from awake a
                cross join lateral (
                    select q.ctid as row_id from pawl.flow_wait q where q.bucket = p_bucket and q.run_id = a.run_id
                    offset 0
                ) as x
           ))
        returning w.gate
    )
    select array_agg(distinct g.gate) into v_gate from gone g;
    -- A gate that nobody waits at or is inside of any more; one that is locked is somebody else's matter.
    select array_agg(g.row_id) into v_idle
      from unnest(v_gate) as u (gate)
     cross join lateral (
         select h.ctid as row_id
           from pawl.flow_gate h
          where h.bucket = p_bucket and h.gate = u.gate and h.held = 0
            for update skip locked
     ) as g;
    delete from pawl.flow_gate g
     where g.ctid = any (v_idle)
       and not exists (select 1 from pawl.flow_wait w where w.bucket + 0 = p_bucket and w.gate = g.gate);
end
$$;

CREATE FUNCTION pawl.leave_signals(p_bucket smallint, p_run uuid[], p_kind text[], p_data jsonb[], p_wait boolean) RETURNS SETOF uuid
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_row tid[];
    v_worker uuid[];
    v_open boolean[];
begin
    -- A statement of its own: what it waited for is seen by the next one only.
    if p_wait then
        select array_agg(l.row_id order by u.place), array_agg(l.worker order by u.place),
               array_agg(l.row_id is not null order by u.place)
          into v_row, v_worker, v_open
          from (
              select n.run_id, n.place from unnest(p_run) with ordinality as n (run_id, place) order by 1, 2 offset 0
          ) as u
          left join lateral (
              select h.ctid as row_id, h.worker
                from pawl.live_run h
               where h.bucket = p_bucket and h.run_id = u.run_id
                 for no key update
          ) as l on true;
    else
        select array_agg(l.row_id order by u.place), array_agg(l.worker order by u.place),
               array_agg(o.one is not null order by u.place)
          into v_row, v_worker, v_open
          from unnest(p_run) with ordinality as u (run_id, place)
          left join lateral (
              select 1 as one from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
          ) as o on true
          left join lateral (
              select h.ctid as row_id, h.worker
                from pawl.live_run h
               where h.bucket = p_bucket and h.run_id = u.run_id
                 for no key update skip locked
          ) as l on true;
    end if;
    insert into pawl.signal (bucket, run_id, kind, data, worker, unsure)
    select p_bucket, u.run_id, u.kind, u.data, u.worker, u.row_id is null
      from unnest(p_run, p_kind, p_data, v_row, v_worker, v_open) as u (run_id, kind, data, row_id, worker, open)
     where u.open;
    update pawl.live_run l
       set state = 0, due_at = least(l.due_at, now())
     where l.ctid = any (v_row) and l.state in (0, 2);
    if 'cancel' = any (p_kind) then
        perform pawl.leave_queue(p_bucket, array(
            select u.row_id from unnest(v_row, p_kind) as u (row_id, kind) where u.kind = 'cancel'
        ));
    end if;
    return query
    select distinct u.run_id from unnest(p_run, v_open) as u (run_id, open) where u.open;
end
$$;

CREATE FUNCTION pawl.limit_of(p_gate text, p_base integer) RETURNS integer
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_limit int;
begin
    select l."limit" into v_limit
      from pawl.flow_limit l
     where l.gate in (p_gate, substring(p_gate from '^[^/]*/[^/]*/[^/]*/'))
     order by length(l.gate) desc
     limit 1;
    return coalesce(v_limit, p_base);
end
$$;

CREATE FUNCTION pawl.limit_outbox_targets() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    c_targets_max constant int := 50;
begin
    -- One after the other, or two at once would both be the last.
    perform pawl.hold(new.tenant, 'outbox_targets');
    if (select count(*) from pawl.outbox_target t where t.tenant = new.tenant) >= c_targets_max then
        raise exception 'there are % webhooks already, and a tenant may have no more', c_targets_max
            using errcode = 'configuration_limit_exceeded', hint = 'Delete one, or let one hear of more.';
    end if;
    return new;
end
$$;

CREATE FUNCTION pawl.list_closed_runs(p_bucket smallint, p_tenant integer, p_workflow text, p_status text[], p_subject text, p_correlation text, p_from uuid, p_before uuid, p_limit integer, p_scan integer) RETURNS TABLE(run_id uuid, workflow text, version integer, status text, subject text, started_at timestamp with time zone, closed_at timestamp with time zone, due_at timestamp with time zone, output jsonb, error jsonb, scanned_to uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_workflow int;
    v_ids uuid[];
begin
    perform pawl.require_tenant(p_tenant);
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    if cardinality(pawl.closed_statuses(p_status)) = 0 then
        return;
    end if;
    if p_correlation is not null then
        v_ids := pawl.correlated_runs(p_bucket, p_tenant, p_correlation);
    end if;
    return query
    select r.run_id, w.name, r.version, pawl.run_status_name(r.status), r.subject, r.started_at, r.closed_at,
           null::timestamptz, r.output, r.error, null::uuid
      from pawl.closed_run_ids(p_bucket, p_tenant, v_workflow, pawl.closed_statuses(p_status), p_subject, v_ids,
                               p_from, p_before, p_limit, least(p_scan, 1000), false)
           with ordinality as i (run_id, place)
     cross join lateral (
         select * from pawl.run x where x.bucket = p_bucket and x.run_id = i.run_id offset 0
     ) as r
      join pawl.workflow w on w.id = r.workflow
     order by i.place;
end
$$;

CREATE FUNCTION pawl.list_dead_letters(p_bucket smallint, p_tenant integer, p_workflow text, p_fingerprint text, p_node text, p_replayed boolean, p_from timestamp with time zone, p_before timestamp with time zone, p_before_run uuid, p_limit integer, p_scan integer) RETURNS TABLE(run_id uuid, at timestamp with time zone, workflow text, version integer, node text, error jsonb, fingerprint text, replayed_as uuid, replayed_at timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    AS $_$
#variable_conflict use_column
declare
    v_from timestamptz := coalesce(p_from, '-infinity');
    v_before timestamptz := coalesce(p_before, 'infinity');
    v_before_run uuid := coalesce(p_before_run, '00000000-0000-0000-0000-000000000000');
    v_scan int := least(p_scan, 1000);
    v_walked int := 0;
    v_ids uuid[] := '{}';
    v_workflow int;
    v_letter record;
begin
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    if num_nonnulls(p_workflow, p_fingerprint, p_node) = 0 then
        for v_letter in
            select d.run_id, d.at, p_replayed is null or p_replayed = (d.replayed_as is not null) as fits
              from pawl.dead_letter d
             where d.bucket = p_bucket and d.tenant = p_tenant and d.at > v_from
               and (d.at, d.run_id) < (v_before, v_before_run)
             order by d.at desc, d.run_id desc
             limit v_scan
        loop
            v_walked := v_walked + 1;
            v_before := v_letter.at;
            v_before_run := v_letter.run_id;
            continue when not v_letter.fits;
            v_ids := v_ids || v_letter.run_id;
            exit when cardinality(v_ids) = p_limit;
        end loop;
    end if;
    if cardinality(v_ids) < p_limit and (v_walked = v_scan or num_nonnulls(p_workflow, p_fingerprint, p_node) > 0) then
        for v_letter in execute format(
            'select x.at, x.run_id from pawl.dead_letter_errors($1, $2, $3, $4, $5, $6) e cross join lateral ('
            ' select d.at, d.run_id from pawl.dead_letter d where %s = $1 and d.tenant = $2'
            ' and d.fingerprint = e.fingerprint and %s and d.at > $7 and (d.at, d.run_id) < ($8, $9)'
            ' order by d.at desc, d.run_id desc limit $10'
            ') as x order by x.at desc, x.run_id desc limit $10',
            case when not p_replayed then 'd.bucket + 0' else 'd.bucket' end, pawl.replayed_condition(p_replayed)
        ) using p_bucket, p_tenant, v_workflow, p_node, p_fingerprint, coalesce(not p_replayed, false), v_from,
            v_before, v_before_run, p_limit - cardinality(v_ids)
        loop
            v_ids := v_ids || v_letter.run_id;
        end loop;
    end if;
    return query
    select d.run_id, d.at, w.name, d.version, d.node, d.error, d.fingerprint, d.replayed_as, d.replayed_at
      from unnest(v_ids) with ordinality as i (run_id, place)
     cross join lateral (
         select * from pawl.dead_letter x where x.bucket = p_bucket and x.run_id = i.run_id offset 0
     ) as d
      join pawl.workflow w on w.id = d.workflow
     order by i.place;
end
$_$;

CREATE FUNCTION pawl.list_inbox(p_bucket smallint, p_tenant integer, p_name text, p_key text, p_before bigint, p_limit integer, p_scan integer) RETURNS TABLE(id bigint, event_id text, name text, key text, subject text, source text, "time" timestamp with time zone, data jsonb, at timestamp with time zone, pending boolean, problem text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_scan int := least(p_scan, 1000);
    v_before bigint := coalesce(p_before, 9223372036854775807);
    v_ids bigint[] := '{}';
    v_walked int := 0;
    v_id bigint;
    v_fits boolean;
begin
    perform pawl.require_tenant(p_tenant);
    for v_id, v_fits in
        select i.id, i.tenant = p_tenant and (p_name is null or i.name = p_name) and (p_key is null or i.key = p_key)
          from pawl.inbox i
         where i.bucket + 0 = p_bucket and i.id < v_before
         order by i.id desc
         limit v_scan
    loop
        v_walked := v_walked + 1;
        v_before := v_id;
        continue when not v_fits;
        v_ids := v_ids || v_id;
        exit when cardinality(v_ids) = p_limit;
    end loop;
    if v_walked = v_scan and cardinality(v_ids) < p_limit then
        v_ids := v_ids || array(
            select i.id
              from pawl.inbox i
             where i.bucket + 0 = p_bucket and i.tenant = p_tenant and (p_name is null or i.name = p_name)
               and (p_key is null or i.key = p_key) and i.id + 0 < v_before
             order by i.id + 0 desc
             limit p_limit - cardinality(v_ids)
        );
    end if;
    return query
    select i.id, i.event_id, i.name, i.key, i.subject, i.source, i.time, i.data, i.at,
           exists (
               select 1
                 from (
                     select q.id, q.more from pawl.inbox_pending q
                      where q.bucket = p_bucket and q.id <= i.id
                      order by q.id desc limit 1000
                 ) as q
                where q.id = i.id or i.id = any (q.more)
           )
           or exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket and q.id = i.id)
           or exists (select 1 from pawl.trigger_held h
                       where h.bucket = p_bucket and h.tenant = p_tenant and h.id = i.id),
           coalesce(i.problem, (
               select h.reason from pawl.trigger_held h
                where h.bucket = p_bucket and h.tenant = p_tenant and h.id = i.id))
      from unnest(v_ids) with ordinality as u (id, place)
     cross join lateral (
         select * from pawl.inbox x where x.bucket + 0 = p_bucket and x.id = u.id offset 0
     ) as i
     order by u.place;
end
$$;

CREATE FUNCTION pawl.list_limits(p_tenant integer, p_workflow text, p_after text, p_limit integer) RETURNS TABLE(gate text, scope text, workflow text, name text, key text, "limit" integer, defined integer, set integer, running integer, waiting integer)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $_$
#variable_conflict use_column
begin
    return query
    select x.gate, case when p.workflow = 0 then 'tenant' else 'workflow' end, w.name,
           p.name, nullif(p.key, ''), coalesce(x."limit", x.set), x.base, x.set, coalesce(x.held, 0),
           (select count(*)::int
              from (select 1 from pawl.flow_wait q where q.gate = x.gate limit 10000) as q)
      from (
          select coalesce(g.gate, l.gate) as gate, g."limit", g.base, g.held, l."limit" as set
            from pawl.flow_gate g
            full join pawl.flow_limit l on l.gate = g.gate
      ) as x
     cross join lateral (
         select split_part(x.gate, '/', 1)::int, split_part(x.gate, '/', 2)::int, split_part(x.gate, '/', 3),
                substring(x.gate from '^[^/]*/[^/]*/[^/]*/(.*)$')
     ) as p (tenant, workflow, name, key)
      left join pawl.workflow w on w.id = p.workflow
     where p.tenant = p_tenant and (p_workflow is null or w.name = p_workflow)
       and (p_after is null or x.gate collate "C" > p_after collate "C")
     order by x.gate collate "C"
     limit p_limit;
end
$_$;

CREATE FUNCTION pawl.list_open_runs(p_bucket smallint, p_tenant integer, p_workflow text, p_status text[], p_subject text, p_correlation text, p_from uuid, p_before uuid, p_limit integer, p_scan integer) RETURNS TABLE(run_id uuid, workflow text, version integer, status text, subject text, started_at timestamp with time zone, closed_at timestamp with time zone, due_at timestamp with time zone, output jsonb, error jsonb, scanned_to uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_workflow int;
    v_ids uuid[];
begin
    perform pawl.require_tenant(p_tenant);
    if not coalesce(p_status && array['queued', 'waiting', 'running'], true) then
        return;
    end if;
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
    end if;
    if p_correlation is not null then
        v_ids := pawl.correlated_runs(p_bucket, p_tenant, p_correlation);
    end if;
    return query
    select l.run_id, w.name, l.version, pawl.open_status_name(l.state, l.due_at), l.subject,
           pawl.uuid7_time(l.run_id), null::timestamptz, case when l.state <> 2 then l.due_at end, null::jsonb,
           null::jsonb, null::uuid
      from pawl.open_run_ids(p_bucket, p_tenant, v_workflow, pawl.open_statuses(p_status), p_subject, v_ids, p_from,
                             p_before, p_limit, least(p_scan, 1000))
           with ordinality as i (run_id, place)
     cross join lateral (
         select * from pawl.live_run x where x.bucket = p_bucket and x.run_id = i.run_id offset 0
     ) as l
      join pawl.workflow w on w.id = l.workflow
     order by i.place;
end
$$;

CREATE FUNCTION pawl.list_runs(p_bucket smallint, p_workflow text, p_status text, p_before uuid, p_limit bigint) RETURNS TABLE(run_id uuid, workflow text, version integer, status text, subject text, started_at timestamp with time zone, closed_at timestamp with time zone, due_at timestamp with time zone, output jsonb, error jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    select * from (
        (select l.run_id, w.name, l.version, pawl.live_state_name(l.state), l.subject,
                to_timestamp(('x' || substr(replace(l.run_id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0),
                null::timestamptz, l.due_at, null::jsonb, null::jsonb
           from pawl.live_run l
           join pawl.workflow w on w.id = l.workflow
          where l.bucket = p_bucket and (p_workflow is null or w.name = p_workflow)
            and (p_status is null or pawl.live_state_name(l.state) = p_status or p_status = 'running')
            and (p_before is null or l.run_id < p_before)
          order by l.run_id desc
          limit p_limit)
        union all
        (select r.run_id, w.name, r.version, pawl.run_status_name(r.status), r.subject, r.started_at, r.closed_at,
                null, r.output, r.error
           from pawl.run r
           join pawl.workflow w on w.id = r.workflow
          where r.bucket = p_bucket and (p_workflow is null or w.name = p_workflow)
            and (p_status is null or pawl.run_status_name(r.status) = p_status)
            and (p_before is null or r.run_id < p_before)
          order by r.run_id desc
          limit p_limit)
    ) as both_kinds
     order by 1 desc
     limit p_limit;
end
$$;

CREATE FUNCTION pawl.uuid7() RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    RETURN (encode(set_bit(set_bit(OVERLAY(uuid_send(gen_random_uuid()) PLACING SUBSTRING(int8send(((EXTRACT(epoch FROM clock_timestamp()) * (1000)::numeric))::bigint) FROM 3) FROM 1 FOR 6), (52)::bigint, 1), (53)::bigint, 1), 'hex'::text))::uuid;

CREATE TABLE pawl.human_task (
    id uuid DEFAULT pawl.uuid7() NOT NULL,
    bucket smallint NOT NULL,
    tenant integer NOT NULL,
    run_id uuid NOT NULL,
    token integer NOT NULL,
    visit integer DEFAULT 1 NOT NULL,
    workflow integer NOT NULL,
    node text NOT NULL,
    subject text,
    title text NOT NULL,
    description text,
    data jsonb,
    form jsonb,
    assignee text,
    grp text,
    approvers text[] DEFAULT '{}'::text[] NOT NULL,
    approvals_needed smallint DEFAULT 1 NOT NULL,
    approved_by text[] DEFAULT '{}'::text[] NOT NULL,
    due_at timestamp with time zone,
    state smallint DEFAULT 0 NOT NULL,
    claimed_by text,
    opened_at timestamp with time zone DEFAULT now() NOT NULL,
    decided_at timestamp with time zone,
    decided_by text,
    reason text,
    escalated_to text,
    excluded text[] DEFAULT '{}'::text[] NOT NULL,
    rejections_needed smallint DEFAULT 1 NOT NULL,
    rejected_by text[] DEFAULT '{}'::text[] NOT NULL,
    CONSTRAINT human_task_state_check CHECK (((state >= 0) AND (state <= 4)))
);

ALTER TABLE ONLY pawl.human_task FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pawl.list_tasks(p_bucket smallint, p_tenant integer, p_state text, p_assignee text, p_group text, p_workflow text, p_run uuid, p_before uuid, p_limit integer, p_scan integer) RETURNS TABLE(task pawl.human_task, workflow text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_sort TO 'off'
    AS $_$
#variable_conflict use_column
declare
    v_workflow int;
    v_where text := 't.bucket + 0 = $1 and t.tenant = $2';
begin
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return;
        end if;
        v_where := v_where || ' and t.workflow = $3';
    end if;
    -- Spelled as the partial indexes have it.
    if p_state = 'open' then
        v_where := v_where || ' and t.state = 0';
    elsif p_state is not null then
        v_where := v_where || ' and pawl.task_state_name(t.state) = $4';
    end if;
    if p_assignee is not null then
        v_where := v_where || ' and t.assignee = $5';
    end if;
    if p_group is not null then
        v_where := v_where || ' and t.grp = $6';
    end if;
    if p_run is not null then
        v_where := v_where || ' and t.run_id = $7';
    end if;
    if p_before is not null then
        v_where := v_where || ' and t.id < $8';
    end if;
    return query execute format(
        'select x.task, w.name from (select t as task from pawl.human_task t where %s order by t.id desc limit $9) as x'
        ' join pawl.workflow w on w.id = (x.task).workflow order by (x.task).id desc', v_where
    ) using p_bucket, p_tenant, v_workflow, p_state, p_assignee, p_group, p_run, p_before, p_limit;
end
$_$;

CREATE FUNCTION pawl.listed_step(p_node jsonb, p_retries integer, p_own_timeout boolean) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((p_node ->> 'type'::text) <> ALL (ARRAY['function'::text, 'code'::text, 'http'::text, 'transform'::text, 'sql'::text])) THEN (p_node - CASE WHEN p_own_timeout THEN ''::text ELSE 'timeout'::text END) ELSE ((((jsonb_build_object('name', (p_node -> 'id'::text)) || CASE WHEN (((p_node ->> 'type'::text) = 'function'::text) AND (((p_node -> 'config'::text) - ARRAY['function'::text, 'action'::text, 'payload'::text, 'url'::text, 'headers'::text]) = '{}'::jsonb)) THEN (((p_node -> 'config'::text) - 'payload'::text) || CASE WHEN ((p_node -> 'config'::text) ? 'payload'::text) THEN jsonb_build_object('payload_template', ((p_node -> 'config'::text) -> 'payload'::text)) ELSE '{}'::jsonb END) ELSE jsonb_build_object('type', (p_node -> 'type'::text), 'config', (p_node -> 'config'::text)) END) || pawl.failure_words(p_node, p_retries)) || CASE WHEN (p_own_timeout AND (p_node ? 'timeout'::text)) THEN jsonb_build_object('timeout', (p_node -> 'timeout'::text)) ELSE '{}'::jsonb END) || (p_node - ARRAY['id'::text, 'type'::text, 'config'::text, 'retry'::text, 'on_failure'::text, 'timeout'::text])) END;

CREATE FUNCTION pawl.literal_problem(p_text text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
begin
    if length(p_text) < 2 or left(p_text, 1) <> '''' or right(p_text, 1) <> '''' then
        perform p_text::jsonb;
    end if;
    return null;
exception when others then
    return 'a default is a JSON literal such as 0, true or "text"';
end
$$;

CREATE FUNCTION pawl.live_state_name(p_state smallint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (ARRAY['ready'::text, 'leased'::text, 'parked'::text, 'queued'::text])[(p_state + 1)];

CREATE FUNCTION pawl.load_log(p_bucket smallint, p_run uuid) RETURNS TABLE(seq integer, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamp with time zone, token integer)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
begin
    return query
    select e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = p_run
     order by e.seq;
end
$$;

CREATE FUNCTION pawl.load_logs(p_bucket smallint, p_run uuid[]) RETURNS TABLE(run_id uuid, seq integer, type smallint, attempt smallint, node text, data jsonb, error jsonb, at timestamp with time zone, token integer)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
    return query
    select e.run_id, e.seq, e.type, e.attempt, e.node, e.data, e.error, e.at, e.token
      from unnest(p_run) as u (run_id)
     cross join lateral (
         select o.* from pawl.event o where o.bucket = p_bucket and o.run_id = u.run_id order by o.seq offset 0
     ) as e;
end
$$;

CREATE FUNCTION pawl.lock_definitions() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
    if has_table_privilege('pawl.latch', 'update') then
        perform pawl.hold(
            coalesce(nullif(current_setting('pawl.defines_for', true), '')::int, pawl.current_tenant()), 'definitions'
        );
    end if;
    return null;
end
$$;

CREATE FUNCTION pawl.lock_latch(p_bucket smallint, p_key text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((('lock '::text || p_bucket) || ' '::text) || (hashtext(p_key) & 255));

CREATE FUNCTION pawl.look_at_ready(p_bucket smallint, p_worker uuid, OUT low smallint, OUT high smallint, OUT first integer, OUT last integer, OUT look boolean) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    AS $$
begin
    select (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket, l.priority, l.due_at, l.run_id limit 1),
           (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket desc, l.priority desc, l.due_at desc, l.run_id desc limit 1),
           (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket, l.tenant, l.due_at limit 1),
           (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
             order by l.bucket desc, l.tenant desc, l.due_at desc limit 1),
           exists (select 1 from pawl.flow_gate g where g.look)
      into low, high, first, last, look
      from pawl.worker w
     where w.id = p_worker
       for key share;
end
$$;

CREATE FUNCTION pawl.make_partition(p_table text, p_name text, p_from uuid, p_until uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
begin
    -- The constraint is what spares the attach a look at every row.
    execute format(
        'create table pawl.%1$I (like pawl.%2$I including all,'
        ' constraint bounds_check check (run_id >= %3$L and run_id < %4$L))'
        ' with (autovacuum_vacuum_insert_scale_factor = 0.2)', p_name, p_table, p_from, p_until
    );
end
$_$;

CREATE FUNCTION pawl.match_all(p_bucket smallint, p_limit integer, p_worker uuid, OUT delivered integer, OUT more boolean, OUT stuck boolean, OUT leased uuid[]) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_one record;
begin
    delivered := 0;
    more := false;
    stuck := false;
    leased := '{}';
    if exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket) then
        select m.* into delivered, more, stuck, leased from pawl.match_events(p_bucket, p_limit, p_worker) as m;
    end if;
    if delivered < p_limit and exists (select 1 from pawl.subscription_check q where q.bucket = p_bucket) then
        v_one := pawl.match_subscriptions(p_bucket, p_limit - delivered, p_worker);
        delivered := delivered + v_one.delivered;
        more := more or v_one.more;
        stuck := stuck or v_one.stuck;
        leased := leased || v_one.leased;
    end if;
end
$$;

CREATE FUNCTION pawl.match_apart(p_bucket smallint, p_reason text, OUT delivered integer, OUT more boolean, OUT stuck boolean, OUT leased uuid[]) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    c_tries constant int := 100;
    v_id bigint;
    v_aside bigint[] := '{}';
    v_left bigint[];
    v_delivered int;
    v_failed boolean := false;
begin
    delivered := 0;
    stuck := false;
    leased := '{}';
    for v_id in
        select u.id
          from (
              select q.id || q.more as ids
                from pawl.inbox_pending q
               where q.bucket = p_bucket
               order by q.id
               limit c_tries
          ) as q
         cross join lateral unnest(q.ids) as u (id)
         limit c_tries
    loop
        begin
            perform pawl.match_events(p_bucket, 100, null, v_id);
            raise exception 'tried' using errcode = 'PW010';
        exception
            when sqlstate 'PW010' or lock_not_available or deadlock_detected or serialization_failure then
                null;
            when others then
                update pawl.inbox i set problem = left('not delivered: ' || sqlerrm, 500)
                 where i.bucket + 0 = p_bucket and i.id = v_id;
                v_aside := v_aside || v_id;
        end;
    end loop;
    if v_aside = '{}' then
        -- A wait whose event is there already: one by one, and one that fails goes to the end.
        for v_try in 1 .. c_tries loop
            begin
                select m.delivered, m.more into v_delivered, more from pawl.match_subscriptions(p_bucket, 1, null) as m;
                delivered := delivered + v_delivered;
                exit when not more;
            exception
                when lock_not_available or deadlock_detected or serialization_failure then
                    exit;
                when others then
                    perform pawl.check_last(p_bucket);
                    exit when v_failed;
                    v_failed := true;
            end;
        end loop;
        raise warning 'waits for events cannot all be served: %', p_reason;
        more := coalesce(more, false) and delivered > 0;
        return;
    end if;
    raise warning 'events % are set aside: %', v_aside, p_reason;
    with old as (
        delete from pawl.inbox_pending q
         where q.bucket = p_bucket and (q.id || q.more) && v_aside
        returning q.id || q.more as ids
    )
    select array_agg(u.id order by u.id) into v_left
      from old o cross join lateral unnest(o.ids) as u (id)
     where u.id <> all (v_aside);
    if v_left is not null then
        perform pawl.pend_events(p_bucket, v_left);
    end if;
    more := true;
end
$$;

CREATE FUNCTION pawl.match_events(p_bucket smallint, p_limit integer, p_worker uuid, p_only bigint DEFAULT NULL::bigint, OUT delivered integer, OUT more boolean, OUT stuck boolean, OUT leased uuid[]) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_memoize TO 'off'
    SET jit TO 'off'
    AS $$
declare
    -- No run waits for many of them.
    v_most int := greatest(p_limit, 100);
    v_lists refcursor;
    v_list record;
    v_taken tid[] := '{}';
    v_id bigint[] := '{}';
    v_left bigint[] := '{}';
    v_last bigint;
    v_place bigint[];
    v_subscription tid[];
    v_run uuid[];
    v_token int[];
    v_since timestamptz[];
    v_tenant int[];
    v_name text[];
    v_key text[];
    v_oldest bigint[];
    v_data jsonb[];
    v_locked boolean[];
begin
    delivered := 0;
    stuck := false;
    leased := '{}';
    if p_only is not null then
        v_id := array[p_only];
    else
        -- One by one: a loop over the query would lock more than are taken.
        open v_lists for
            select q.ctid as row_id, q.id, q.more
              from pawl.inbox_pending q
             where q.bucket = p_bucket
             order by q.id
               for update skip locked;
        loop
            fetch v_lists into v_list;
            exit when not found;
            v_taken := v_taken || v_list.row_id;
            v_id := v_id || v_list.id || v_list.more;
            exit when cardinality(v_id) >= v_most;
        end loop;
        close v_lists;
    end if;
    more := cardinality(v_id) >= v_most;
    -- One event after the other: where the limit ends this, all before the last one have been looked at whole.
    select array_agg(h.place), array_agg(h.subscription), array_agg(h.run_id), array_agg(h.token), array_agg(h.since),
           array_agg(h.tenant), array_agg(h.name), array_agg(h.key), array_agg(h.locked)
      into v_place, v_subscription, v_run, v_token, v_since, v_tenant, v_name, v_key, v_locked
      from (
          select q.place, s.row_id as subscription, s.run_id, s.token, s.since, e.tenant, e.name, e.key,
                 l.one is not null as locked
            from unnest(v_id) with ordinality as q (id, place)
           cross join lateral (
               select i.tenant, i.event_id, i.name, i.key, i.at
                 from pawl.inbox i
                where i.bucket + 0 = p_bucket and i.id = q.id
               offset 0
           ) as e
           cross join lateral (
               select h.ctid as row_id, h.run_id, h.token, h.since
                 from pawl.subscription h
                where h.bucket + 0 = p_bucket and h.tenant = e.tenant and h.event = e.name and h.key = e.key
                  and h.since <= e.at
                  and case when h.at <= e.at then true
                           else not pawl.was_delivered(p_bucket, h.run_id, h.token, e.event_id) end
                limit p_limit
           ) as s
            left join lateral (
               select 1 as one from pawl.subscription h where h.ctid = s.row_id for update skip locked
           ) as l on true
           limit p_limit
      ) as h;
    if cardinality(v_run) = p_limit then
        v_last := v_id[v_place[p_limit]];
        v_left := v_id[v_place[p_limit] + 1:];
    end if;
    if false = any (v_locked) then
        stuck := true;
        v_left := v_left || array(
            select v_id[u.place] from unnest(v_place, v_locked) as u (place, locked) where not u.locked
        );
    end if;
    if stuck or (select count(distinct u.row_id) from unnest(v_subscription) as u (row_id)) < cardinality(v_run) then
        -- Of two events for one subscription the first one counts; the other is there when the run waits again.
        select array_agg(f.place), array_agg(f.subscription), array_agg(f.run_id), array_agg(f.token),
               array_agg(f.since), array_agg(f.tenant), array_agg(f.name), array_agg(f.key)
          into v_place, v_subscription, v_run, v_token, v_since, v_tenant, v_name, v_key
          from (
              select distinct on (u.subscription) u.*
                from unnest(v_place, v_subscription, v_run, v_token, v_since, v_tenant, v_name, v_key, v_locked)
                     as u (place, subscription, run_id, token, since, tenant, name, key, locked)
               where u.locked
               order by u.subscription, v_id[u.place]
          ) as f;
    end if;
    if v_run is not null then
        -- Only now: an event may be large, and of many for one only the first is needed.
        select array_agg(e.id), array_agg(jsonb_build_object(
                   'id', e.event_id, 'name', e.name, 'key', e.key, 'data', e.data, 'token', u.token
               ))
          into v_oldest, v_data
          from unnest(v_token, v_since, v_tenant, v_name, v_key) as u (token, since, tenant, name, key)
          left join lateral (
              select i.id, i.event_id, i.name, i.key, i.data
                from pawl.inbox i
               where i.bucket + 0 = p_bucket and i.tenant = u.tenant and i.name = u.name and i.key = u.key
                 and i.at >= u.since
               order by i.at, i.id
               limit 1
          ) as e on true;
        -- A run that is behind gets what came before this event and it has not had.
        if exists (select 1 from unnest(v_place, v_oldest) as u (place, oldest) where v_id[u.place] <> u.oldest) then
            select array_agg(case when v_id[u.place] = u.oldest then u.data
                                  else (
                                      select jsonb_build_object(
                                                 'id', i.event_id, 'name', i.name, 'key', i.key, 'data', i.data,
                                                 'token', u.token
                                             )
                                        from pawl.inbox i
                                       where i.bucket + 0 = p_bucket and i.id = pawl.oldest_event(
                                                 p_bucket, u.run_id, u.token, u.tenant, u.name, u.key, u.since
                                             )
                                  ) end)
              into v_data
              from unnest(v_place, v_oldest, v_data, v_run, v_token, v_since, v_tenant, v_name, v_key)
                   as u (place, oldest, data, run_id, token, since, tenant, name, key);
        end if;
        leased := pawl.deliver_events(p_bucket, p_worker, v_subscription, v_run, v_data);
        delivered := cardinality(v_run);
    end if;
    delete from pawl.inbox_pending q where q.ctid = any (v_taken);
    if v_last is null and not stuck then
        return;
    end if;
    more := true;
    perform pawl.pend_events(p_bucket, array(
        select u.id from unnest(v_left) as u (id)
        union
        select e.id
          from (
              select i.id, i.tenant, i.event_id, i.name, i.key, i.at
                from pawl.inbox i
               where i.bucket + 0 = p_bucket and i.id = v_last
              offset 0
          ) as e
         cross join lateral (
             select 1
               from pawl.subscription h
              where h.bucket + 0 = p_bucket and h.tenant = e.tenant and h.event = e.name and h.key = e.key
                and h.since <= e.at
                and case when h.at <= e.at then true
                         else not pawl.was_delivered(p_bucket, h.run_id, h.token, e.event_id) end
              limit 1
         ) as left_over
         order by 1
    ));
end
$$;

CREATE FUNCTION pawl.match_inbox(p_bucket smallint, p_limit integer) RETURNS TABLE(delivered integer, more boolean)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_all record;
    v_unsure int := (
        select count(*)
          from (select 1 from pawl.signal s where s.bucket = p_bucket and s.unsure limit p_limit) as u
    );
    v_left int;
begin
    if exists (select 1 from pawl.subscription_unchecked q where q.bucket = p_bucket) then
        with old as (
            delete from pawl.subscription_unchecked q
             where q.ctid = any (array(
                   select h.ctid from pawl.subscription_unchecked h
                    where h.bucket = p_bucket limit p_limit for update skip locked
               ))
            returning q.run_id, q.token, q.ordinal
        )
        select pawl.check_subscriptions(p_bucket, array_agg(o.run_id), array_agg(o.token), array_agg(o.ordinal))
          into v_all
          from old o
         having count(*) > 0;
    end if;
    begin
        v_all := pawl.match_all(p_bucket, p_limit, null);
    exception
        when lock_not_available or deadlock_detected or serialization_failure then
            raise;
        when others then
            v_all := pawl.match_apart(p_bucket, sqlerrm);
    end;
    v_left := pawl.settle_signals(p_bucket, p_limit);
    -- Those that were settled may be ready now.
    delivered := v_all.delivered + greatest(v_unsure - v_left, 0);
    more := v_left > 0 or v_all.more;
    return next;
end
$$;

CREATE FUNCTION pawl.match_subscriptions(p_bucket smallint, p_limit integer, p_worker uuid, OUT delivered integer, OUT more boolean, OUT stuck boolean, OUT leased uuid[]) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_memoize TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_lists refcursor;
    v_list record;
    v_taken tid[] := '{}';
    v_run uuid[] := '{}';
    v_token int[] := '{}';
    v_ordinal smallint[] := '{}';
    v_subscription tid[];
    v_data jsonb[];
    v_locked boolean[];
begin
    delivered := 0;
    stuck := false;
    leased := '{}';
    open v_lists for
        select q.ctid as row_id, q.runs, q.tokens, q.ordinals
          from pawl.subscription_check q
         where q.bucket = p_bucket
         order by q.id
           for update skip locked;
    loop
        fetch v_lists into v_list;
        exit when not found;
        v_taken := v_taken || v_list.row_id;
        v_run := v_run || v_list.runs;
        v_token := v_token || v_list.tokens;
        v_ordinal := v_ordinal || v_list.ordinals;
        exit when cardinality(v_run) >= p_limit;
    end loop;
    close v_lists;
    more := cardinality(v_run) >= p_limit;
    delete from pawl.subscription_check q where q.ctid = any (v_taken);
    if cardinality(v_run) > p_limit then
        perform pawl.check_subscriptions(
            p_bucket, v_run[p_limit + 1:], v_token[p_limit + 1:], v_ordinal[p_limit + 1:]
        );
        v_run := v_run[:p_limit];
        v_token := v_token[:p_limit];
        v_ordinal := v_ordinal[:p_limit];
    end if;
    -- One without an event needs no lock: who holds it has an event that was not to be seen here yet, and is pending.
    select array_agg(s.row_id), array_agg(s.run_id), array_agg(s.token), array_agg(s.ordinal),
           array_agg(jsonb_build_object(
               'id', e.event_id, 'name', e.name, 'key', e.key, 'data', e.data, 'token', s.token
           )),
           array_agg(l.one is not null)
      into v_subscription, v_run, v_token, v_ordinal, v_data, v_locked
      -- A wait may stand in two lists: one whose subscription was held by another session is looked at again.
      from (
          select distinct u.run_id, u.token, u.ordinal
            from unnest(v_run, v_token, v_ordinal) as u (run_id, token, ordinal)
      ) as q (run_id, token, ordinal)
     cross join lateral (
         select h.ctid as row_id, h.run_id, h.token, h.ordinal, h.tenant, h.event, h.key, h.since
           from pawl.subscription h
          where h.bucket = p_bucket and h.run_id = q.run_id and h.token = q.token and h.ordinal = q.ordinal
         offset 0
     ) as s
     cross join lateral (
         select i.id, i.event_id, i.name, i.key, i.data
           from pawl.inbox i
          where i.bucket + 0 = p_bucket and i.tenant = s.tenant and i.name = s.event and i.key = s.key
            and i.at >= s.since
          order by i.at, i.id
          limit 1
     ) as f
     cross join lateral (
         select f.event_id, f.name, f.key, f.data
          where not pawl.was_delivered(p_bucket, s.run_id, s.token, f.event_id)
         union all
         select i.event_id, i.name, i.key, i.data
           from pawl.inbox i
          where pawl.was_delivered(p_bucket, s.run_id, s.token, f.event_id)
            and i.bucket + 0 = p_bucket and i.id = pawl.oldest_event(
                    p_bucket, s.run_id, s.token, s.tenant, s.event, s.key, s.since
                )
     ) as e
      left join lateral (
         select 1 as one from pawl.subscription h where h.ctid = s.row_id for update skip locked
     ) as l on true;
    if v_run is null then
        return;
    end if;
    if false = any (v_locked) then
        -- A locked one is looked at again: the transaction that holds it may not commit.
        more := true;
        stuck := true;
        perform pawl.check_subscriptions(p_bucket, array_agg(u.run_id), array_agg(u.token), array_agg(u.ordinal))
           from unnest(v_run, v_token, v_ordinal, v_locked) as u (run_id, token, ordinal, locked)
          where not u.locked;
        select array_agg(u.subscription), array_agg(u.run_id), array_agg(u.data)
          into v_subscription, v_run, v_data
          from unnest(v_subscription, v_run, v_data, v_locked) as u (subscription, run_id, data, locked)
         where u.locked;
        if v_run is null then
            return;
        end if;
    end if;
    leased := pawl.deliver_events(p_bucket, p_worker, v_subscription, v_run, v_data);
    delivered := cardinality(v_run);
end
$$;

CREATE TABLE pawl.dead_letter (
    bucket smallint NOT NULL,
    run_id uuid NOT NULL,
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    version integer NOT NULL,
    node text,
    error jsonb NOT NULL,
    fingerprint text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    replayed_as uuid,
    replayed_at timestamp with time zone
);

ALTER TABLE ONLY pawl.dead_letter FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pawl.matches_replay(p_letter pawl.dead_letter, p_filter jsonb, p_workflow integer) RETURNS boolean
    LANGUAGE sql STABLE
    RETURN (((p_letter).replayed_as IS NULL) AND (((p_filter ->> 'fingerprint'::text) IS NULL) OR starts_with((p_letter).fingerprint, (p_filter ->> 'fingerprint'::text))) AND (((p_filter ->> 'step'::text) IS NULL) OR ((p_letter).node = (p_filter ->> 'step'::text))) AND (((p_filter ->> 'workflow'::text) IS NULL) OR ((p_letter).workflow = p_workflow)) AND (((p_filter ->> 'after'::text) IS NULL) OR ((p_letter).at > ((p_filter ->> 'after'::text))::timestamp with time zone)) AND (((p_filter ->> 'before'::text) IS NULL) OR ((p_letter).at < ((p_filter ->> 'before'::text))::timestamp with time zone)));

CREATE FUNCTION pawl.may_decide(p_task pawl.human_task, p_by text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((NOT pawl.is_among((p_task).excluded, p_by)) AND CASE WHEN (cardinality((p_task).approvers) > 0) THEN pawl.is_among(((p_task).approvers || (p_task).escalated_to), p_by) ELSE COALESCE(pawl.is_same_person((p_task).assignee, p_by), true) END);

CREATE FUNCTION pawl.mend_runs(p_bucket smallint, p_run uuid[] DEFAULT NULL::uuid[]) RETURNS SETOF uuid
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_mended record;
begin
    for v_mended in
        delete from pawl.live_run l
         where l.bucket = p_bucket and (p_run is null or l.run_id = any (p_run))
           and exists (select 1 from pawl.run r where r.bucket = p_bucket and r.run_id = l.run_id)
           and exists (
               select 1
                 from pawl.event e
                where e.bucket = p_bucket and e.run_id = l.run_id and e.type in (4, 5, 6)
           )
        returning l.run_id, l.flow, l.slot
    loop
        delete from pawl.signal s where s.bucket = p_bucket and s.run_id = v_mended.run_id;
        delete from pawl.subscription s where s.bucket = p_bucket and s.run_id = v_mended.run_id;
        delete from pawl.flow_wait w where w.bucket = p_bucket and w.run_id = v_mended.run_id;
        if v_mended.slot = 1 then
            perform pawl.leave_gates(p_bucket, array_agg(s.slot ->> 0), array_agg(1))
               from jsonb_array_elements(v_mended.flow -> 'slots') as s (slot)
             having count(*) > 0;
        end if;
        return next v_mended.run_id;
    end loop;
end
$$;

CREATE FUNCTION pawl.missing_input(p_definition jsonb, p_data jsonb, OUT fields text[], OUT variables text[], OUT problem text) RETURNS record
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    SET jit TO 'off'
    AS $_$
declare
    -- The item of a foreach, the round of a loop, the error that was caught, the visit that is undone.
    v_steps jsonb := pawl.steps_of(p_definition);
    v_items boolean := v_steps @? '$[*] ? (@.type == "foreach" || exists (@.foreach))';
    v_rounds boolean := v_steps @? '$[*] ? (@.type == "loop" || exists (@.loop))';
    v_errors boolean := p_definition @? '$.edges[*] ? (@.handle starts with "error")'
                        or v_steps @? '$[*] ? (@.on_failure == "continue")';
    v_undo boolean := v_steps @? '$[*].compensate';
begin
    fields := array(
        select f.field
          from jsonb_array_elements_text(p_definition -> 'required_fields') with ordinality as f (field, place)
         where jsonb_typeof(p_data) is distinct from 'object' or not p_data ? f.field
         group by f.field
         order by min(f.place)
    );
    with found as materialized (
        select p.path, p.segments, p.segments -> 0 ->> 1 as root, p.has_default, p.problem,
               row_number() over (order by s.place, p.n) as place
          from jsonb_array_elements(v_steps) with ordinality as s (step, place)
         cross join lateral pawl.step_placeholders(s.step)
               with ordinality as p (path, segments, has_default, problem, n)
    )
    select array(
               select f.path
                 from found f
                where not f.has_default and f.root not in ('steps', 'run', 'credentials')
                  and f.root !~ '^step_[0-9]+_(result|error)$'
                  and not (v_items and f.root in ('item', 'index', 'outer'))
                  and not (v_rounds and f.root = 'index') and not (v_errors and f.root = 'error')
                  and not (v_undo and f.root = 'undo')
                  and pawl.walk(p_data, f.segments, case when f.root = 'input' then 1 else 0 end) is null
                group by f.path
                order by min(f.place)
           ),
           (select f.problem from found f where f.problem is not null order by f.place limit 1)
      into variables, problem;
end
$_$;

CREATE FUNCTION pawl.move_schedule(p_bucket smallint, p_id integer, p_backfill boolean, p_seen timestamp with time zone, p_next timestamp with time zone, p_due timestamp with time zone, p_missed bigint, p_problem text, p_slot timestamp with time zone[], p_run uuid[], p_workflow integer[], p_version integer[], p_data jsonb[], p_correlation text[]) RETURNS TABLE(started integer, skipped integer)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '250ms'
    AS $$
#variable_conflict use_column
declare
    v_schedule pawl.schedule;
    v_now timestamptz := clock_timestamp();
    v_open boolean;
    v_waits boolean;
    v_existing uuid[];
    v_new uuid[] := '{}';
begin
    select s.* into v_schedule from pawl.schedule s where s.id = p_id for no key update skip locked;
    if not found or not v_schedule.active
       or (p_backfill and v_schedule.backfill_at is distinct from p_seen)
       or (not p_backfill and v_schedule.next_at is distinct from p_seen)
       or (not p_backfill and v_schedule.paused_at is not null) then
        return;
    end if;
    v_schedule.runs := array(
        select r.id
          from unnest(v_schedule.runs) as r (id)
         where exists (select 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = r.id)
    );
    v_open := v_schedule.overlap <> 'allow' and cardinality(v_schedule.runs) > 0;
    v_waits := v_open and cardinality(p_run) > 0 and (p_backfill or v_schedule.overlap = 'queue');
    started := 0;
    skipped := 0;
    if cardinality(p_run) > 0 and not v_open then
        select coalesce(array_agg(s.requested), '{}') into v_existing
          from pawl.start_runs(
              p_bucket, null, false, p_run, array_fill(v_schedule.tenant, array[cardinality(p_run)]), p_workflow,
              p_version, array_fill(null::text, array[cardinality(p_run)]),
              array_fill(0::smallint, array[cardinality(p_run)]),
              array_fill(null::timestamptz, array[cardinality(p_run)]), p_data, p_correlation,
              array_fill(false, array[cardinality(p_run)])
          ) s;
        v_new := array(select r.id from unnest(p_run) as r (id) where r.id <> all (v_existing));
        started := cardinality(v_new);
    end if;
    if not v_waits then
        skipped := cardinality(p_slot) - case when v_open then 0 else cardinality(p_run) end;
    end if;
    if p_backfill then
        update pawl.schedule s
           set backfill_at = case when v_waits then p_slot[1] else p_next end,
               backfill_to = case when v_waits or p_next is not null then s.backfill_to end,
               backfill_due = case when v_waits then v_now + interval '1 second'
                                   when p_next is not null then greatest(v_now, p_due) end,
               problem = p_problem
         where s.id = p_id;
    else
        update pawl.schedule s
           set next_at = case when v_waits then p_slot[1] else p_next end,
               due_at = case when v_waits then v_now + interval '1 second' else p_due end,
               skipped = s.skipped + move_schedule.skipped,
               missed = s.missed + p_missed,
               problem = p_problem
         where s.id = p_id;
    end if;
    if started > 0 then
        update pawl.schedule s
           set fired = s.fired + move_schedule.started,
               last_slot = greatest(s.last_slot, p_slot[cardinality(p_run)]),
               last_run = v_new[cardinality(v_new)],
               runs = case when s.overlap = 'allow' then '{}' else v_schedule.runs || v_new end
         where s.id = p_id;
    end if;
    return next;
end
$$;

CREATE FUNCTION pawl.name_later(p_node text, p_maps jsonb[]) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_map jsonb;
begin
    foreach v_map in array p_maps loop
        p_node := coalesce(v_map ->> p_node, p_node);
    end loop;
    return p_node;
end
$$;

CREATE FUNCTION pawl.note_dead_runs() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if pawl.queue_exists('workflow_dlq') then
        insert into pawl.dead_run_pending (bucket, run_id)
        select a.bucket, a.run_id from added a on conflict do nothing;
    end if;
    return null;
end
$$;

CREATE FUNCTION pawl.note_late() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if tg_op <> 'INSERT' then
        insert into pawl.retention_late (parent, of_bucket, run) values (tg_argv[0], old.bucket, old.run_id);
    else
        insert into pawl.retention_late (parent, of_bucket, run) values (tg_argv[0], new.bucket, new.run_id);
    end if;
    return null;
end
$$;

CREATE TABLE pawl.version_change (
    id bigint NOT NULL,
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    action text NOT NULL,
    version integer NOT NULL,
    detail jsonb
);

ALTER TABLE ONLY pawl.version_change FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pawl.note_version(p_tenant integer, p_workflow integer, p_action text, p_version integer, p_detail jsonb DEFAULT NULL::jsonb) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    BEGIN ATOMIC
 INSERT INTO pawl.version_change (tenant, workflow, action, version, detail)
   VALUES (note_version.p_tenant, note_version.p_workflow, note_version.p_action, note_version.p_version, note_version.p_detail);
END;

CREATE FUNCTION pawl.oldest_event(p_bucket smallint, p_run uuid, p_token integer, p_tenant integer, p_name text, p_key text, p_since timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_custom_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    AS $$
declare
    -- As a constant of the plan, so that it is looked up and not walked through.
    v_had text[] := array(
        select s.data ->> 'id'
          from pawl.signal s
         where s.bucket = p_bucket and s.run_id = p_run and s.kind = 'event' and (s.data ->> 'token')::int = p_token
        union all
        select e.data -> 'data' ->> 'id'
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type = 10 and e.data ->> 'kind' = 'event'
           and (e.data -> 'data' ->> 'token')::int = p_token
    );
begin
    return (
        select i.id
          from pawl.inbox i
         where i.bucket + 0 = p_bucket and i.tenant = p_tenant and i.name = p_name and i.key = p_key and i.at >= p_since
           and i.event_id <> all (v_had)
         order by i.at, i.id
         limit 1
    );
end
$$;

CREATE FUNCTION pawl.open_run_ids(p_bucket smallint, p_tenant integer, p_workflow integer, p_status text[], p_subject text, p_ids uuid[], p_from uuid, p_before uuid, p_limit integer, p_walk integer) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_sort TO 'off'
    AS $$
declare
    v_from uuid := coalesce(p_from, '00000000-0000-0000-0000-000000000000');
    v_before uuid := coalesce(p_before, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
    v_rest int := p_limit;
    v_walked int := 0;
    v_id uuid;
    v_fits boolean;
begin
    if p_ids is not null then
        return query
        select u.id
          from unnest(p_ids) as u (id)
         cross join lateral (
             select 1
               from pawl.live_run l
              where l.bucket = p_bucket and l.run_id = u.id and l.tenant = p_tenant
                and (p_workflow is null or l.workflow = p_workflow) and (p_subject is null or l.subject = p_subject)
                and (p_status is null or pawl.open_status_name(l.state, l.due_at) = any (p_status))
             offset 0
         ) as found
         where u.id >= v_from and u.id < v_before
         order by u.id desc
         limit p_limit;
        return;
    end if;
    for v_id, v_fits in
        select l.run_id,
               l.tenant = p_tenant and (p_workflow is null or l.workflow = p_workflow)
               and (p_subject is null or coalesce(l.subject = p_subject, false))
               and (p_status is null or pawl.open_status_name(l.state, l.due_at) = any (p_status))
          from pawl.live_run l
         where l.bucket = p_bucket and l.run_id >= v_from and l.run_id < v_before
         order by l.run_id desc
         limit p_walk
    loop
        v_walked := v_walked + 1;
        v_before := v_id;
        continue when not v_fits;
        return next v_id;
        v_rest := v_rest - 1;
        exit when v_rest = 0;
    end loop;
    if v_rest > 0 and v_walked = p_walk then
        return query
        select i.run_id
          from pawl.scan_open_runs(p_bucket, p_tenant, p_workflow, p_status, p_subject, v_from, v_before, v_rest)
               as i (run_id);
    end if;
end
$$;

CREATE FUNCTION pawl.open_sql_effect(p_bucket smallint, p_run uuid, p_key text, p_worker uuid, p_as_engine boolean) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_tenant int := (select l.tenant from pawl.sql_login l where l.role_name = session_user);
    v_result jsonb;
begin
    if v_tenant is null and p_as_engine and pawl.is_engine() then
        v_tenant := 1;
    end if;
    if v_tenant is null then
        raise exception 'login % is not one for sql steps', session_user using errcode = 'insufficient_privilege',
            hint = format('The owner of the schema pawl can change that: select pawl.allow_sql_role(%L, ''TENANT'')',
                          session_user);
    end if;
    if exists (select 1 from pawl.sql_effect e where e.begun_in = pg_current_xact_id()) then
        raise exception 'this transaction has begun an effect already' using errcode = 'PW001';
    end if;
    perform 1
       from pawl.live_run l
      where l.bucket = p_bucket and l.run_id = p_run and l.tenant = v_tenant and l.state = 1
        and (p_worker is null or l.worker = p_worker);
    if not found then
        raise exception 'run % is not held by this worker for the tenant of login %', p_run, session_user
            using errcode = 'PW001';
    end if;
    insert into pawl.sql_effect (bucket, run_id, key, begun_in) values (p_bucket, p_run, p_key, pg_current_xact_id())
        on conflict (bucket, run_id, key) do nothing;
    if found then
        return null;
    end if;
    select coalesce(e.result, '{}') into v_result
      from pawl.sql_effect e
     where e.bucket = p_bucket and e.run_id = p_run and e.key = p_key;
    if v_result <> '{}' then
        perform pawl.refuse_result(v_result);
    end if;
    return v_result;
end
$$;

CREATE FUNCTION pawl.open_status_name(p_state smallint, p_due timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN (p_state = 1) THEN 'running'::text WHEN (((p_state = 0) AND (p_due <= now())) OR (p_state = 3)) THEN 'queued'::text ELSE 'waiting'::text END;

CREATE FUNCTION pawl.open_statuses(p_status text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (NOT COALESCE((p_status @> ARRAY['queued'::text, 'waiting'::text, 'running'::text]), true)) THEN p_status ELSE NULL::text[] END;

CREATE FUNCTION pawl.organization_messages(p_tenant integer, p_within interval) RETURNS TABLE(state text, execution_id text, problem text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
#variable_conflict use_column
declare
    c_most constant int := 1000;
    v_organization text := (select t.organization::text from pawl.tenant t where t.id = p_tenant);
    v_queue record;
begin
    perform pawl.require_tenant(p_tenant);
    for v_queue in
        select c.name, c.dead_letter_queue
          from pawl.consumed_queue c
         where c.organizations and pawl.queue_exists(c.name)
    loop
        return query execute format(
            'select case when q.vt <= clock_timestamp() or r.found then ''waiting'' else ''tried'' end,
                    q.message ->> ''execution_id'',
                    case when not r.found then concat_ws('': '', ''Rule not found'', q.message ->> ''rule_id'') end
               from pgmq.%I q
              cross join lateral (
                  select exists (select 1 from pawl.definition d
                                  where d.tenant = $1 and d.active
                                    and (d.id::text = lower(q.message ->> ''rule_id'')
                                         or d.name = q.message ->> ''workflow_name''))
              ) as r (found)
              where lower(q.message ->> ''organization_id'') = $2
                and (q.read_ct > 0 or q.vt <= clock_timestamp())
              limit $3', lower('q_' || v_queue.name)
        ) using p_tenant, v_organization, c_most;
        if pawl.queue_exists(v_queue.dead_letter_queue) then
            return query execute format(
                'select ''dead'', q.message ->> ''execution_id'', q.message ->> ''error''
                   from pgmq.%I q
                  where q.enqueued_at > clock_timestamp() - $1 and q.message ->> ''queue'' = $2
                    and lower(q.message ->> ''organization_id'') = $3
                  limit $4', lower('q_' || v_queue.dead_letter_queue)
            ) using p_within, v_queue.name, v_organization, c_most;
        end if;
    end loop;
end
$_$;

CREATE FUNCTION pawl.organization_tenant(p_organization_id uuid) RETURNS pawl.tenant
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_tenant pawl.tenant;
begin
    if p_organization_id is null or not pawl.fw_has_org_access(p_organization_id) then
        raise exception 'no access to organization %', coalesce(p_organization_id::text, 'null')
            using errcode = 'insufficient_privilege',
                  hint = 'Organizations belong to tenants (pawl.tenant.organization); roles are bound to tenants with '
                         'pawl.bind_role.';
    end if;
    select t.* into v_tenant from pawl.tenant t where t.organization = p_organization_id;
    return v_tenant;
end
$$;

CREATE FUNCTION pawl.outbox_data(p_type smallint, p_data jsonb, p_error jsonb) RETURNS jsonb
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE p_type WHEN 0 THEN jsonb_build_object('input', (p_data -> 'input'::text)) WHEN 1 THEN jsonb_build_object('result', p_data) WHEN 2 THEN jsonb_build_object('error', p_error, 'will_retry', COALESCE((p_data ? 'retry_at'::text), false)) WHEN 3 THEN jsonb_build_object('title', (p_data -> 'title'::text), 'assignee', (p_data -> 'assignee'::text), 'group', (p_data -> 'group'::text), 'error', (p_data -> 'error'::text)) WHEN 4 THEN jsonb_build_object('status', 'completed', 'output', p_data) WHEN 5 THEN jsonb_build_object('status', 'failed', 'error', p_error) WHEN 6 THEN jsonb_build_object('status', 'cancelled', 'reason', (p_data -> 'reason'::text)) WHEN 7 THEN jsonb_build_object('key', ((p_data -> 'emit'::text) -> 'key'::text), 'emitted', ((p_data -> 'emit'::text) -> 'data'::text)) WHEN 12 THEN jsonb_build_object('reason', (p_data -> 'reason'::text)) WHEN 16 THEN jsonb_build_object('by', (p_data -> 'by'::text), 'reason', (p_data -> 'reason'::text)) ELSE '{"more": null}'::jsonb END;

CREATE FUNCTION pawl.outbox_messages(p_bucket smallint, p_target integer, p_run uuid[], p_seq integer[]) RETURNS TABLE(run_id uuid, seq integer, message text)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    AS $$
begin
    return query
        select u.run_id, u.seq, pawl.outbox_text(o.row, w.name, e.node, e.attempt, e.type, e.data, e.error)
          from unnest(p_run, p_seq) with ordinality as u (run_id, seq, n)
         cross join lateral (
             select x as row, x.workflow from pawl.outbox x
              where x.bucket = p_bucket and x.target = p_target and x.run_id = u.run_id and x.seq = u.seq
             offset 0
         ) as o
          left join lateral (
             select x.node, x.attempt, x.type, x.data, x.error from pawl.event x
              where x.bucket = p_bucket and x.run_id = u.run_id and x.seq = u.seq
             offset 0
         ) as e on true
          left join lateral (select x.name from pawl.workflow x where x.id = o.workflow offset 0) as w on true
         order by u.n;
end
$$;

CREATE TABLE pawl.outbox (
    run_id uuid NOT NULL,
    due_at timestamp with time zone DEFAULT now(),
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    seq integer NOT NULL,
    target integer NOT NULL,
    tenant integer NOT NULL,
    workflow integer,
    version integer,
    bucket smallint NOT NULL,
    shard smallint DEFAULT 0 NOT NULL,
    state smallint DEFAULT 0 NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    status smallint,
    type text NOT NULL,
    subject text,
    response text,
    error text,
    data jsonb,
    CONSTRAINT outbox_due_check CHECK (((state >= 2) OR (due_at IS NOT NULL))),
    CONSTRAINT outbox_state_check CHECK (((state >= 0) AND (state <= 3)))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE ONLY pawl.outbox FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pawl.outbox_text(p_row pawl.outbox, p_workflow text, p_node text, p_attempt smallint, p_type smallint, p_data jsonb, p_error jsonb) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (((((('{"type": '::text || to_json((p_row).type)) || ', "timestamp": "'::text) || to_char(((p_row).created_at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'::text)) || '", "data": '::text) || COALESCE(((p_row).data)::text, (("left"((json_build_object('run_id', (p_row).run_id, 'seq', (p_row).seq, 'workflow', p_workflow, 'version', (p_row).version, 'subject', (p_row).subject, 'step', p_node, 'attempt', p_attempt))::text, '-1'::integer) || ', '::text) || CASE WHEN ((pg_column_size(p_data) > 100000) OR ((pg_column_size(p_data) > 64) AND (octet_length((p_data)::text) > 20000))) THEN '"truncated": true}'::text ELSE substr((pawl.outbox_data(p_type, p_data, p_error))::text, 2) END))) || '}'::text);

CREATE FUNCTION pawl.outbox_type(p_type smallint, p_data jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    RETURN CASE p_type WHEN 0 THEN 'run.started'::text WHEN 1 THEN 'step.completed'::text WHEN 2 THEN 'step.failed'::text WHEN 3 THEN CASE WHEN ((p_data ->> 'for'::text) = 'task'::text) THEN 'task.opened'::text WHEN (p_data ? 'unknown'::text) THEN 'step.unknown'::text ELSE NULL::text END WHEN 4 THEN 'run.completed'::text WHEN 5 THEN 'run.failed'::text WHEN 6 THEN 'run.cancelled'::text WHEN 7 THEN ('event.'::text || ((p_data -> 'emit'::text) ->> 'event'::text)) WHEN 12 THEN 'run.paused'::text WHEN 13 THEN 'run.resumed'::text WHEN 16 THEN 'step.skipped'::text WHEN 19 THEN 'run.held'::text ELSE NULL::text END;

CREATE FUNCTION pawl.outbox_wants(p_events text[], p_type text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    RETURN ((p_type = ANY (p_events)) OR ('*'::text = ANY (p_events)) OR (EXISTS (SELECT 1 FROM unnest(outbox_wants.p_events) e(pattern) WHERE (("right"(e.pattern, 2) = '.*'::text) AND starts_with(outbox_wants.p_type, "left"(e.pattern, '-1'::integer))))));

CREATE FUNCTION pawl.own_queue(p_tenant integer, p_name text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
    c_queues_max constant int := 20;
    v_queue text := case when p_tenant = 1 then p_name else format('t%s_%s', p_tenant, p_name) end;
begin
    perform pawl.require_tenant(p_tenant);
    if p_name !~ '^[a-zA-Z0-9_-]+$' or length(v_queue) > 47 then
        raise exception 'a queue cannot be called %', quote_literal(p_name) using errcode = 'invalid_parameter_value';
    end if;
    if to_regnamespace('pgmq') is not null and not pawl.queue_exists(v_queue) then
        -- One after the other, or two at once would both be the last.
        perform pawl.hold(p_tenant, 'webhook_queues');
        -- Those that were not empty when their webhook went. One that was made just now may wait for its webhook.
        perform pawl.drop_webhook_queue(w.name)
           from (select w.name from pawl.webhook_queue w
                  where w.tenant = p_tenant and w.made_at < now() - interval '1 minute'
                  order by w.made_at limit c_queues_max) as w;
        if (select count(*) from pawl.webhook_queue w where w.tenant = p_tenant) >= c_queues_max then
            raise exception 'webhooks have made % queues already, and may make no more', c_queues_max
                using errcode = 'configuration_limit_exceeded',
                      hint = 'Name one of them, or delete webhooks whose queues are empty.';
        end if;
        insert into pawl.webhook_queue (name, tenant) values (v_queue, p_tenant) on conflict do nothing;
    end if;
    perform pawl.ensure_queue(v_queue);
    if p_tenant = 1 then
        return;
    end if;
    insert into pawl.queue (name, tenant, active) values (v_queue, p_tenant, false) on conflict do nothing;
    perform pawl.share_queue(v_queue, r.role_name, true) from pawl.tenant_role r where r.tenant = p_tenant;
end
$_$;

CREATE FUNCTION pawl.owners_moved(p_data jsonb, p_seqs integer[]) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT CASE WHEN (count(*) = 0) THEN '{}'::jsonb ELSE jsonb_build_object('owners', jsonb_agg((o.one || jsonb_build_object('until', ((SELECT count(*) AS count FROM unnest(owners_moved.p_seqs) s(seq) WHERE (s.seq <= ((o.one ->> 'until'::text))::integer)) - 1))) ORDER BY o.place)) END AS jsonb_build_object FROM jsonb_array_elements((owners_moved.p_data -> 'owners'::text)) WITH ORDINALITY o(one, place));

CREATE FUNCTION pawl.parse_path(p_path text, OUT segments jsonb, OUT problem text) RETURNS record
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $_$
declare
    v_rest text := p_path;
    v_key text;
    v_key_due boolean := true;
    v_close int;
begin
    segments := '[]';
    while v_rest <> '' loop
        if jsonb_array_length(segments) = 32 then
            problem := 'the path is too deep';
            return;
        end if;
        if v_key_due then
            v_key := substring(v_rest from '^(?:[A-Za-z0-9_$-]|[^\u0001-\u007f])+');
            exit when v_key is null;
            segments := segments || jsonb_build_array(jsonb_build_array('key', v_key));
            v_rest := substr(v_rest, length(v_key) + 1);
            v_key_due := false;
        elsif left(v_rest, 1) = '[' then
            v_close := strpos(v_rest, ']');
            v_key := substr(v_rest, 2, greatest(v_close - 2, 0));
            v_rest := substr(v_rest, v_close + 1);
            if v_close > 0 and length(v_key) > 2 and left(v_key, 1) in ('"', '''') and right(v_key, 1) = left(v_key, 1)
            then
                segments := segments
                    || jsonb_build_array(jsonb_build_array('key', substr(v_key, 2, length(v_key) - 2)));
            elsif v_close > 0 and v_key ~ '^[0-9]+$' and v_key::numeric <= 18446744073709551615 then
                segments := segments || jsonb_build_array(jsonb_build_array('index', v_key::numeric));
            else
                problem := 'brackets hold an index or a quoted key';
                return;
            end if;
        elsif left(v_rest, 1) = '.' then
            v_rest := substr(v_rest, 2);
            v_key_due := true;
        else
            exit;
        end if;
    end loop;
    if segments = '[]' and v_rest = '' then
        problem := 'it is empty';
    elsif v_rest <> '' or v_key_due then
        problem := 'a path looks like customer.emails[0].address';
    end if;
end
$_$;

CREATE FUNCTION pawl.partition_bounds(p_table text, p_name text, OUT from_id uuid, OUT until_id uuid) RETURNS SETOF record
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    BEGIN ATOMIC
 SELECT ("substring"(pg_get_expr(c.relpartbound, c.oid), 'FROM \(''([0-9a-f-]{36})''\)'::text))::uuid AS "substring",
     ("substring"(pg_get_expr(c.relpartbound, c.oid), 'TO \(''([0-9a-f-]{36})''\)'::text))::uuid AS "substring"
    FROM ((pg_class c
      JOIN pg_inherits i ON ((i.inhrelid = c.oid)))
      JOIN pg_class p ON ((p.oid = i.inhparent)))
   WHERE ((c.relnamespace = (to_regnamespace('pawl'::text))::oid) AND (p.relnamespace = c.relnamespace) AND (p.relname = partition_bounds.p_table) AND (c.relname = partition_bounds.p_name));
END;

CREATE FUNCTION pawl.pass_gates(p_bucket smallint, p_run uuid[], p_flow jsonb[], p_ticket jsonb[] DEFAULT NULL::jsonb[], p_count integer[] DEFAULT NULL::integer[]) RETURNS uuid[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_back uuid[] := '{}';
begin
    if p_ticket is null then
        select array_agg(w.flow), array_agg(w.count) into p_ticket, p_count
          from (select u.flow, count(*)::int as count from unnest(p_flow) as u (flow) group by u.flow) as w;
    end if;
    if exists (select 1 from unnest(p_ticket) as u (flow) where u.flow ?| array['gather', 'rate']) then
        -- What comes from now on begins another group. A group that a transaction holds is left as it is: whoever comes
        -- next finds that its run has begun.
        delete from pawl.flow_group g
         where g.ctid = any (array(
               select x.row_id
                 from unnest(p_run, p_flow) as u (run_id, flow)
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.flow_group h
                     where h.bucket = p_bucket and h.gate = u.flow -> 'gather' ->> 0 and h.run_id = u.run_id
                       for update skip locked
                ) as x
           ));
        v_back := pawl.take_turns(p_bucket, p_run, p_flow);
        if v_back <> '{}' then
            select array_agg(u.run_id order by u.n), array_agg(u.flow order by u.n), array_agg(u.flow), array_agg(1)
              into p_run, p_flow, p_ticket, p_count
              from unnest(p_run, p_flow) with ordinality as u (run_id, flow, n)
             where u.run_id <> all (v_back);
        end if;
    end if;
    return v_back || pawl.take_slots(p_bucket, p_run, p_flow, p_ticket, p_count);
end
$$;

CREATE FUNCTION pawl.pend_events(p_bucket smallint, p_number bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    c_list constant int := 100;
begin
    insert into pawl.inbox_pending (bucket, id, more)
    select p_bucket, p_number[n], p_number[n + 1:n + c_list - 1]
      from generate_series(1, cardinality(p_number), c_list) as n;
end
$$;

CREATE FUNCTION pawl.pending_signals(p_bucket smallint, p_worker uuid, p_held uuid[]) RETURNS TABLE(id bigint, run_id uuid, kind text, data jsonb)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
begin
    if not exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        return;
    end if;
    return query
    select s.id, s.run_id, s.kind, s.data
      from pawl.signals_at_once(p_bucket, array(
          select u.run_id
            from unnest(p_held) as u (run_id)
           cross join lateral (
               select 1 from pawl.signal h where h.bucket = p_bucket and h.run_id = u.run_id limit 1
           ) as told
           cross join lateral (
               select 1
                 from pawl.live_run l
                where l.bucket = p_bucket and l.run_id = u.run_id and l.worker = p_worker
               offset 0
           ) as held
      )) s
     order by s.id
     limit 1000;
end
$$;

CREATE FUNCTION pawl.pick_outbox(p_bucket smallint, p_target integer, p_shard smallint, p_limit integer) RETURNS TABLE(run_id uuid, seq integer, due_at timestamp with time zone)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_run uuid[];
    v_seq int[];
    v_due timestamptz[];
    v_until timestamptz[];
begin
    with batch as materialized (
        select o.run_id, o.seq, o.due_at
          from pawl.outbox o
         where o.bucket = p_bucket and o.target = p_target and o.shard = p_shard and o.due_at <= now()
         order by o.due_at, o.run_id, o.seq
         limit p_limit
    ), final as (
        select b.run_id, b.seq, b.due_at from batch b order by b.due_at desc, b.run_id desc, b.seq desc limit 1
    ), judged as (
        select b.run_id, b.seq, max(b.due_at) over by_run as due_at,
               max(p.due_at) filter (where p.ahead) over by_run as until
          from batch b
         cross join final f
          left join lateral (
              select e.due_at, (e.due_at, e.run_id, e.seq) > (f.due_at, f.run_id, f.seq) as ahead
                from pawl.outbox e
               where e.bucket = p_bucket and e.target = p_target and e.run_id = b.run_id and e.seq < b.seq
               order by e.seq desc
               limit 1
          ) as p on true
        window by_run as (partition by b.run_id order by b.seq)
    )
    select array_agg(j.run_id order by j.due_at, j.run_id, j.seq), array_agg(j.seq order by j.due_at, j.run_id, j.seq),
           array_agg(j.due_at order by j.due_at, j.run_id, j.seq), array_agg(j.until order by j.due_at, j.run_id, j.seq)
      into v_run, v_seq, v_due, v_until
      from judged j;
    if array_length(v_run, 1) is null then
        return;
    end if;
    if exists (select 1 from unnest(v_until) as u (until) where u.until is not null) then
        update pawl.outbox o
           set due_at = u.until
          from (
              select v.until, x.row_id
                from unnest(v_run, v_seq, v_until) as v (run_id, seq, until)
               cross join lateral (
                   select h.ctid as row_id
                     from pawl.outbox h
                    where h.bucket = p_bucket and h.target = p_target and h.run_id = v.run_id and h.seq = v.seq
                   offset 0
               ) as x
               where v.until is not null
          ) as u
         where o.ctid = u.row_id;
    end if;
    return query
        select u.run_id, u.seq, u.due_at
          from unnest(v_run, v_seq, v_due, v_until) with ordinality as u (run_id, seq, due_at, until, n)
         where u.until is null
         order by u.n;
end
$$;

CREATE FUNCTION pawl.placeholder_end(p_text text) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_chars text[] := string_to_array(p_text, null);
    v_char text;
    v_quote text;
    v_depth int := 0;
    v_place int := 1;
begin
    while v_place <= cardinality(v_chars) loop
        v_char := v_chars[v_place];
        if v_quote is not null then
            if v_char = '\' then
                v_place := v_place + 1;
            elsif v_char = v_quote then
                v_quote := null;
            end if;
        elsif v_char in ('"', '''') then
            v_quote := v_char;
        elsif v_char in ('{', '[') then
            v_depth := v_depth + 1;
        elsif v_depth > 0 and v_char in ('}', ']') then
            v_depth := v_depth - 1;
        elsif v_char = '}' and v_chars[v_place + 1] = '}' then
            return v_place;
        end if;
        v_place := v_place + 1;
    end loop;
    return 0;
end
$$;

CREATE FUNCTION pawl.placeholders(p_text text) RETURNS TABLE(path text, segments jsonb, has_default boolean, problem text)
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_piece text;  -- what follows an opening, up to the next one
    v_before boolean := true;
    v_inside text[];  -- the pieces of a placeholder that is not closed yet; null: there is none
    v_quote text;
    v_depth int;
    v_end int;
    v_rest text;
begin
    foreach v_piece in array coalesce(string_to_array(p_text, '{{'), '{}') loop
        if v_before then
            v_before := false;
            continue;
        end if;
        if v_inside is null then
            v_inside := '{}';
            v_quote := null;
            v_depth := 0;
        elsif v_quote is null then
            v_depth := v_depth + 2;
        end if;
        select s.quote, s.depth, s.place into v_quote, v_depth, v_end
          from pawl.scan_placeholder(v_piece, v_quote, v_depth) s;
        v_inside := v_inside || case when v_end > 0 then left(v_piece, v_end - 1) else v_piece end;
        continue when v_end = 0;
        select r.path, r.segments, r.has_default, r.problem into path, segments, has_default, problem
          from pawl.read_placeholder(array_to_string(v_inside, '{{')) r;
        v_inside := null;
        continue when path is null and problem is null;
        return next;
        if problem is not null then
            return;
        end if;
    end loop;
    if v_inside is null then
        return;
    end if;
    v_rest := array_to_string(v_inside, '{{');
    path := null;
    segments := null;
    has_default := false;
    problem := case when strpos(v_rest, '}}') > 0
        then format('malformed placeholder ''{{%s}}'': a quote or bracket is not closed',
                    left(left(v_rest, strpos(v_rest, '}}') - 1), 60))
        else format('placeholder ''%s'' is not closed with ''}}''', left('{{' || v_rest, 60)) end;
    return next;
end
$$;

CREATE FUNCTION pawl.prepare_definition() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $_$
declare
    v_content pawl.definition;
    v_highest int;
begin
    if tg_op = 'UPDATE' and new.document_name is distinct from old.document_name then
        new.name := new.document_name;
    end if;
    new.name := coalesce(new.name, new.document_name);
    if new.name is null or new.name !~ '^[A-Za-z_][A-Za-z0-9_.-]{0,99}$' then
        perform pawl.refuse_definition(
            case when coalesce(new.name, '') = '' then 'name: is missing: a workflow needs a name'
                 else format('name: ''%s'' is not a workflow name', left(new.name, 60)) end,
            'A name starts with a letter or _ and holds only letters, digits, _, - and . (100 at most).'
        );
    end if;
    new.document_name := case when new.tenant = 1 then new.name end;
    if tg_op = 'INSERT' then
        new.workflow := pawl.workflow_id(new.tenant, new.name);
        if new.source is null and new.restore is null then
            delete from pawl.definition d
             where d.tenant = new.tenant and d.name = new.name and d.created_by = 'pawl dev';
        end if;
    end if;
    select coalesce(max(v.version), 0) into v_highest from pawl.workflow_version v where v.workflow = new.workflow;
    if new.restore is not null then
        select v.definition into new.source
          from pawl.workflow_version v where v.workflow = new.workflow and v.version = new.restore;
    end if;
    if new.source is not null then
        v_content := pawl.definition_head(new.source);
        new.description := v_content.description;
        new.steps := v_content.steps;
        new.required_fields := v_content.required_fields;
        new.timeout_seconds := v_content.timeout_seconds;
        new.visibility_timeout := v_content.visibility_timeout;
        new.max_retries := v_content.max_retries;
        new.settings := v_content.settings;
        new.applied := new.source;
    elsif tg_op = 'UPDATE' then
        new := pawl.keep_graph(old, new);
        if (new.name, new.description, new.steps, new.required_fields, new.timeout_seconds,
            new.visibility_timeout, new.max_retries, new.settings) is distinct from
           (old.name, old.description, old.steps, old.required_fields, old.timeout_seconds,
            old.visibility_timeout, old.max_retries, old.settings) then
            new.applied := null;
        end if;
        new.applied := new.applied - 'version';
        -- The label is that of the definition as it was.
        new.settings := new.settings - 'version';
    end if;
    if new.restore is not null then
        new.version := new.restore;
    else
        -- A row brought along from elsewhere may keep a higher number; an update is always one more.
        new.version := greatest(v_highest + 1, case when tg_op = 'INSERT' then new.version end);
        new.required_fields := coalesce(new.required_fields, '{}');
        perform pawl.check_steps(new.steps);
        perform pawl.check_number('timeout_seconds', new.timeout_seconds, 1, 31622400);
        perform pawl.check_number('visibility_timeout', new.visibility_timeout, 1, 31622400);
        perform pawl.check_number('max_retries', new.max_retries, 0, 99);
        if array_position(new.required_fields, null) is not null or '' = any (new.required_fields) then
            perform pawl.refuse_definition('required_fields: must hold field names', 'Take out the empty ones.');
        end if;
        perform pawl.refuse_label(new.workflow, pawl.label_of(new.settings), new.version);
    end if;
    if new.canary is not null then
        new.canary := (select jsonb_agg(c order by (c -> 'version')::int)
                         from jsonb_array_elements(new.canary) as c
                        where (c -> 'version')::int <> new.version);
    end if;
    if new.off_reason is not null then
        new.active := false;
    end if;
    if tg_op = 'UPDATE' and new.version <> old.version and new.created_by = 'pawl dev'
       and coalesce(current_setting('pawl.sample', true), '') <> 'on' then
        new.created_by := null;
    end if;
    new.created_at := coalesce(new.created_at, now());
    new.updated_at := case when tg_op = 'UPDATE' then now() else coalesce(new.updated_at, now()) end;
    new.source := null;
    new.restore := null;
    return new;
end
$_$;

CREATE FUNCTION pawl.project_runs(p_bucket smallint, p_resent_run uuid[], p_resent_seq integer[], p_sub_run uuid[], p_sub_token integer[], p_sub_tenant integer[], p_sub_event text[], p_sub_key text[], p_sub_since timestamp with time zone[], p_unsub_run uuid[], p_unsub_token integer[], p_open_run uuid[], p_open_token integer[], p_open_tenant integer[], p_open_workflow integer[], p_open_node text[], p_open_subject text[], p_open_data jsonb[], p_note_run uuid[], p_note_token integer[], p_note_data jsonb[], p_close_run uuid[], p_close_token integer[], p_close_state text[], p_publish_run uuid[], p_publish_tenant integer[], p_publish_id text[], p_publish_event text[], p_publish_key text[], p_publish_data jsonb[], p_child_parent uuid[], p_child_data jsonb[], p_ended uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_done uuid[] := '{}';
begin
    if cardinality(p_resent_run) > 0 then
        -- Written by a transaction before this one.
        v_done := array(
            select u.run_id
              from unnest(p_resent_run, p_resent_seq) as u (run_id, seq)
             cross join lateral (
                 select e.xmin as writer
                   from pawl.event e
                  where e.bucket = p_bucket and e.run_id = u.run_id and e.seq = u.seq
                 offset 0
             ) as e
             where e.writer <> pg_current_xact_id()::xid
        );
    end if;
    if cardinality(p_unsub_run) > 0 then
        delete from pawl.subscription s
         where s.ctid = any (array(
               select x.row_id
                 from unnest(p_unsub_run, p_unsub_token) as u (run_id, token)
                cross join lateral (
                    select h.ctid as row_id
                      from pawl.subscription h
                     where h.bucket = p_bucket and h.run_id = u.run_id and h.token = u.token
                    offset 0
                ) as x
                where u.run_id <> all (v_done)
           ));
    end if;
    if cardinality(p_unsub_run) > 0 or cardinality(p_ended) > 0 then
        perform pawl.leave_locks(
            p_bucket, p_unsub_run || p_ended, p_unsub_token || array_fill(null::int, array[cardinality(p_ended)]),
            array_fill(null::text, array[cardinality(p_unsub_run) + cardinality(p_ended)])
        );
    end if;
    if cardinality(p_ended) > 0 then
        delete from pawl.subscription s
         where s.ctid = any (array(
               select x.row_id
                 from unnest(p_ended) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id from pawl.subscription h
                     where h.bucket = p_bucket and h.run_id = u.run_id
                    offset 0
                ) as x
           ));
        perform pawl.project_tasks(
            p_bucket, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
            array_agg(t.run_id), array_agg(t.token), array_agg('withdrawn'::text)
        )
           from unnest(p_ended) as u (run_id)
          cross join lateral (
              select h.run_id, h.token from pawl.human_task h
               where h.run_id = u.run_id and h.bucket + 0 = p_bucket and h.state + 0 = 0
                 -- Those that end for a reason of their own are dealt with below.
                 and not exists (
                     select 1
                       from unnest(p_close_run, p_close_token) as c (run_id, token)
                      where c.run_id = h.run_id and c.token = h.token
                 )
              offset 0
          ) as t
         having count(*) > 0;
    end if;
    if cardinality(p_sub_run) > 0 then
        if v_done = '{}' then
            perform pawl.subscribe_runs(
                p_bucket, p_sub_run, p_sub_token, p_sub_tenant, p_sub_event, p_sub_key, p_sub_since
            );
        else
            perform pawl.subscribe_runs(
                p_bucket, array_agg(u.run_id), array_agg(u.token), array_agg(u.tenant), array_agg(u.event),
                array_agg(u.key), array_agg(u.since)
            )
               from unnest(p_sub_run, p_sub_token, p_sub_tenant, p_sub_event, p_sub_key, p_sub_since)
                    as u (run_id, token, tenant, event, key, since)
              where u.run_id <> all (v_done)
             having count(*) > 0;
        end if;
    end if;
    if cardinality(p_open_run) > 0 or cardinality(p_note_run) > 0 or cardinality(p_close_run) > 0 then
        if v_done = '{}' then
            perform pawl.project_tasks(
                p_bucket, p_open_run, p_open_token, p_open_tenant, p_open_workflow, p_open_node, p_open_subject,
                p_open_data, p_note_run, p_note_token, p_note_data, p_close_run, p_close_token, p_close_state
            );
        else
            perform pawl.project_tasks(
                p_bucket, o.run_id, o.token, o.tenant, o.workflow, o.node, o.subject, o.data, n.run_id, n.token, n.data,
                c.run_id, c.token, c.state
            )
               from (
                   select array_agg(u.run_id), array_agg(u.token), array_agg(u.tenant), array_agg(u.workflow),
                          array_agg(u.node), array_agg(u.subject), array_agg(u.data)
                     from unnest(p_open_run, p_open_token, p_open_tenant, p_open_workflow, p_open_node, p_open_subject,
                                 p_open_data) as u (run_id, token, tenant, workflow, node, subject, data)
                    where u.run_id <> all (v_done)
               ) as o (run_id, token, tenant, workflow, node, subject, data),
               (
                   select array_agg(u.run_id), array_agg(u.token), array_agg(u.data)
                     from unnest(p_note_run, p_note_token, p_note_data) as u (run_id, token, data)
                    where u.run_id <> all (v_done)
               ) as n (run_id, token, data),
               (
                   select array_agg(u.run_id), array_agg(u.token), array_agg(u.state)
                     from unnest(p_close_run, p_close_token, p_close_state) as u (run_id, token, state)
                    where u.run_id <> all (v_done)
               ) as c (run_id, token, state);
        end if;
    end if;
    if cardinality(p_publish_run) > 0 then
        -- Ids are made from run, token and visit: the same event is not taken twice.
        perform pawl.publish_events(
            p_bucket, p_publish_tenant, p_publish_id, p_publish_event, p_publish_key,
            array_fill(null::text, array[cardinality(p_publish_run)]),
            array(select 'run:' || u.run_id::text from unnest(p_publish_run) as u (run_id)),
            array_fill(now(), array[cardinality(p_publish_run)]), p_publish_data
        );
    end if;
    if cardinality(p_child_parent) > 0 then
        perform pawl.leave_signals(
            p_bucket, array_agg(u.parent), array_agg('child'::text), array_agg(u.data), false
        )
           from unnest(p_child_parent, p_child_data) as u (parent, data)
          where (u.data ->> 'run')::uuid <> all (v_done)
         having count(*) > 0;
    end if;
end
$$;

CREATE FUNCTION pawl.project_tasks(p_bucket smallint, p_open_run uuid[], p_open_token integer[], p_open_tenant integer[], p_open_workflow integer[], p_open_node text[], p_open_subject text[], p_open_data jsonb[], p_note_run uuid[], p_note_token integer[], p_note_data jsonb[], p_close_run uuid[], p_close_token integer[], p_close_state text[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_task uuid[];
begin
    if cardinality(p_close_run) > 0 then
        with closed as (
            update pawl.human_task t
               set state = case u.state when 'timed_out' then 3 else 4 end, decided_at = now(), claimed_by = null
              from unnest(p_close_run, p_close_token, p_close_state) as u (run_id, token, state)
             where t.run_id = u.run_id and t.token = u.token and t.bucket + 0 = p_bucket and t.state + 0 = 0
            returning t.id, u.state
        )
        insert into pawl.task_decision (bucket, task, action, by, reason)
        select p_bucket, c.id, 'close', 'pawl', c.state from closed c;
    end if;
    if cardinality(p_note_run) > 0 then
        -- An escalation takes no vote away: who is asked since then decides alone, and those who were asked before may
        -- still get there together. Where one person is asked, another one takes over.
        with noted as (
            update pawl.human_task t
               set assignee = coalesce(u.data ->> 'assignee', t.assignee),
                   escalated_to = coalesce(u.data ->> 'assignee', t.escalated_to),
                   claimed_by = case when u.data ? 'assignee' then null else t.claimed_by end
              from unnest(p_note_run, p_note_token, p_note_data) as u (run_id, token, data)
             where t.run_id = u.run_id and t.token = u.token and t.bucket + 0 = p_bucket and t.state + 0 = 0
            returning t.id, u.data
        ), written as (
            insert into pawl.task_decision (bucket, task, action, by, data)
            select p_bucket, n.id, case n.data ->> 'note' when 'escalated' then 'escalate' else 'remind' end, 'pawl',
                   case when n.data ? 'assignee' then jsonb_build_object('to', n.data -> 'assignee') end
              from noted n
            returning task, action
        )
        select array_agg(w.task) into v_task from written w;
        perform pawl.tell_about_tasks(p_bucket, 'pawl.task.reminded', v_task);
    end if;
    if cardinality(p_open_run) > 0 then
        with opened as (
            insert into pawl.human_task (
                bucket, tenant, run_id, token, visit, workflow, node, subject, title, description, data, form, assignee,
                grp, approvers, approvals_needed, rejections_needed, excluded, due_at
            )
            select p_bucket, u.tenant, u.run_id, u.token, coalesce((u.data ->> 'visit')::int, 1), u.workflow, u.node,
                   u.subject,
                   coalesce(u.data ->> 'title', u.node), u.data ->> 'description', nullif(u.data -> 'data', 'null'),
                   nullif(u.data -> 'form', 'null'), nullif(u.data ->> 'assignee', ''), nullif(u.data ->> 'group', ''),
                   case when jsonb_typeof(u.data -> 'approvers') = 'array'
                        then array(select jsonb_array_elements_text(u.data -> 'approvers')) else '{}' end,
                   case when jsonb_typeof(u.data -> 'approvals') = 'number'
                        then least(greatest(floor((u.data ->> 'approvals')::numeric), 1), 1000) else 1 end,
                   case when jsonb_typeof(u.data -> 'rejections_needed') = 'number'
                        then least(greatest(floor((u.data ->> 'rejections_needed')::numeric), 1), 1000) else 1 end,
                   case when jsonb_typeof(u.data -> 'exclude') = 'array'
                        then array(select jsonb_array_elements_text(u.data -> 'exclude')) else '{}' end,
                   to_timestamp((u.data ->> 'until')::bigint / 1000000.0)
              from unnest(p_open_run, p_open_token, p_open_tenant, p_open_workflow, p_open_node, p_open_subject,
                          p_open_data) as u (run_id, token, tenant, workflow, node, subject, data)
                on conflict do nothing
            returning id
        ), written as (
            insert into pawl.task_decision (bucket, task, action, by)
            select p_bucket, o.id, 'open', 'pawl' from opened o
            returning task
        )
        select array_agg(w.task) into v_task from written w;
        perform pawl.tell_about_tasks(p_bucket, 'pawl.task.opened', v_task);
    end if;
end
$$;

CREATE FUNCTION pawl.publish_events(p_bucket smallint, p_tenant integer[], p_id text[], p_name text[], p_key text[], p_subject text[], p_source text[], p_time timestamp with time zone[], p_data jsonb[]) RETURNS TABLE(tenant integer, event_id text)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_number bigint[];
    v_tenant int[];
    v_name text[];
    v_id text[];
begin
    begin
        with fresh as (
            insert into pawl.inbox (bucket, tenant, event_id, name, key, subject, source, time, data)
            select p_bucket, u.tenant, u.id, pawl.event_key(u.name), pawl.event_key(u.key), u.subject, u.source,
                   u.time, u.data
              from unnest(p_tenant, p_id, p_name, p_key, p_subject, p_source, p_time, p_data) with ordinality
                   as u (tenant, id, name, key, subject, source, time, data, place)
             order by u.place
            returning id, tenant, name, event_id
        )
        select array_agg(f.id), array_agg(f.tenant), array_agg(f.name), array_agg(f.event_id)
          into v_number, v_tenant, v_name, v_id
          from fresh f;
    exception when unique_violation then
        with fresh as (
            insert into pawl.inbox (bucket, tenant, event_id, name, key, subject, source, time, data)
            select p_bucket, u.tenant, u.id, pawl.event_key(u.name), pawl.event_key(u.key), u.subject, u.source,
                   u.time, u.data
              from unnest(p_tenant, p_id, p_name, p_key, p_subject, p_source, p_time, p_data) with ordinality
                   as u (tenant, id, name, key, subject, source, time, data, place)
             order by u.place
                on conflict do nothing
            returning id, tenant, name, event_id
        )
        select array_agg(f.id), array_agg(f.tenant), array_agg(f.name), array_agg(f.event_id)
          into v_number, v_tenant, v_name, v_id
          from fresh f;
    end;
    perform pawl.pend_events(p_bucket, v_number);
    insert into pawl.trigger_pending (bucket, id)
    select p_bucket, f.id
      from unnest(v_number, v_tenant, v_name) as f (id, tenant, name)
     cross join lateral (
         select 1 from pawl.event_trigger t where t.tenant = f.tenant and t.event = f.name limit 1
     ) as t;
    return query select f.tenant, f.id from unnest(v_tenant, v_id) as f (tenant, id);
end
$$;

CREATE FUNCTION pawl.publish_inside(p_bucket smallint, p_limit integer) RETURNS TABLE(kind text, sent integer, failed integer)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '100ms'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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
                -- Every role of the database may listen to every channel: ids, and nothing of the run.
                perform pg_notify(v_target.address, jsonb_build_object(
                            'id', u.message -> 'id', 'type', u.message -> 'type',
                            'timestamp', u.message -> 'timestamp',
                            'data', jsonb_build_object('run_id', u.message -> 'data' -> 'run_id',
                                                       'seq', u.message -> 'data' -> 'seq'))::text)
                   from unnest(v_message) as u (message);
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
                update pawl.outbox o
                   set error = sqlerrm, attempts = least(o.attempts + 1, 32767)
                  from unnest(v_run, v_seq) as u (run_id, seq)
                 where o.bucket = p_bucket and o.target = v_target.id and o.run_id = u.run_id and o.seq = u.seq;
                update pawl.outbox_lease s
                   set failures = s.failures + 1,
                       next_at = now() + make_interval(secs => least(300, 5 * 2 ^ least(s.failures, 6)))
                 where s.target = v_target.id and s.shard = v_target.shard;
                if sqlstate = '55P03' then
                    v_waits := v_waits || v_target.tenant;
                end if;
                kind := v_target.kind; sent := 0; failed := cardinality(v_run);
        end;
        return next;
    end loop;
end
$$;

CREATE FUNCTION pawl.publish_outbox(p_bucket smallint, p_limit integer) RETURNS integer
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    RETURN (SELECT (COALESCE(sum(p.sent), (0)::bigint))::integer AS "coalesce" FROM pawl.publish_inside(publish_outbox.p_bucket, publish_outbox.p_limit) p(kind, sent, failed));

CREATE FUNCTION pawl.publish_sample(p_tenant integer, p_name text, p_definition jsonb) RETURNS TABLE(id integer, version integer, changed boolean)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
#variable_conflict use_column
declare
    v_head pawl.definition;
begin
    perform pawl.hold_definitions(p_tenant);
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_name;
    if found and v_head.applied is null then
        return;
    end if;
    perform set_config('pawl.sample', 'on', true);
    return query select a.id, a.version, a.changed from pawl.apply_workflow(p_name, p_definition, p_tenant) a;
    if v_head.workflow is null then
        update pawl.definition d
           set restore = d.version, created_by = 'pawl dev'
         where d.tenant = p_tenant and d.name = p_name;
    end if;
    perform set_config('pawl.sample', '', true);
end
$$;

CREATE FUNCTION pawl.purge_inbox(p_bucket smallint, p_keep interval, p_limit integer) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_oldest timestamptz;
    v_from bigint := 0;
    v_last bigint;
    v_gone bigint := 0;
    v_count bigint;
begin
    -- Run ids carry their time.
    select to_timestamp(('x' || left(replace(l.run_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) into v_oldest
      from pawl.live_run l
     where l.bucket = p_bucket
     order by l.bucket, l.run_id
     limit 1;
    loop
        select max(w.id) into v_last
          from (select i.id, i.at from pawl.inbox i where i.bucket + 0 = p_bucket and i.id > v_from
                 order by i.id limit p_limit) as w
         where w.at < now() - p_keep;
        exit when v_last is null;
        delete from pawl.inbox i
         where i.bucket + 0 = p_bucket and i.id > v_from and i.id <= v_last and i.at < now() - p_keep
           and not exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket and q.id <= i.id)
           and not exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket and q.id = i.id)
           and not exists (select 1 from pawl.trigger_held h
                            where h.bucket = p_bucket and h.tenant = i.tenant and h.id = i.id)
           and (v_oldest is null or v_oldest > i.at
                or not exists (select 1 from pawl.event_wait w where w.event in (i.name, '*')));
        get diagnostics v_count = row_count;
        v_gone := v_gone + v_count;
        exit when v_gone >= p_limit or v_count > 0;
        v_from := v_last;
    end loop;
    return v_gone;
end
$$;

CREATE FUNCTION pawl.purge_outbox(p_bucket smallint, p_keep interval, p_limit integer) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_gone int;
begin
    -- From one target that has messages to the next.
    with recursive told as (
        (select o.target + 0 as id from pawl.outbox o where o.bucket = p_bucket order by o.target + 0 limit 1)
        union all
        select (select o.target + 0
                  from pawl.outbox o
                 where o.bucket = p_bucket and o.target + 0 > t.id
                 order by o.target + 0
                 limit 1)
          from told t
         where t.id is not null
    ), old as (
        select o.row_id
          from told k
          left join pawl.outbox_target t on t.id = k.id
         cross join lateral (
             select x.ctid as row_id
               from pawl.outbox x
              where x.bucket = p_bucket and x.target + 0 = k.id
                and x.created_at < case when t.id is null then 'infinity' else now() - p_keep end
                and (x.due_at is null or t.id is null or t.disabled_at < now() - p_keep)
              order by x.created_at
              limit p_limit
         ) as o
         limit p_limit
    ), gone as (
        delete from pawl.outbox o where o.ctid = any (array(select old.row_id from old)) returning 1
    )
    select count(*)::int into v_gone from gone;
    return v_gone;
end
$$;

CREATE FUNCTION pawl.purge_sql_effects(p_bucket smallint, p_limit integer) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_seen int;
begin
    with old as materialized (
        select e.ctid as row_id,
               exists (select 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = e.run_id)
               or exists (select 1
                            from pawl.sql_page p
                           where p.bucket = p_bucket and p.run_id = e.run_id and p.key = e.key)
                  and exists (select 1 from pawl.run r where r.bucket = p_bucket and r.run_id = e.run_id) as live
          from pawl.sql_effect e
         where e.bucket = p_bucket and e.at <= now() - interval '1 day'
         order by e.at
         limit p_limit
           for update of e skip locked
    ), kept as (
        update pawl.sql_effect e set at = now() where e.ctid = any (array(select o.row_id from old o where o.live))
    ), removed as (
        delete from pawl.sql_effect e
         where e.ctid = any (array(select o.row_id from old o where not o.live))
        returning e.run_id, e.key
    ), pages as (
        delete from pawl.sql_page p
         using removed r
         where p.bucket = p_bucket and p.run_id = r.run_id and p.key = r.key
    )
    select count(*) into v_seen from old;
    return v_seen;
end
$$;

CREATE FUNCTION pawl.put_off_runs(p_bucket smallint, p_run uuid[], p_due timestamp with time zone[]) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    AS $$
    update pawl.live_run l
       set due_at = x.due
      from (
          select h.ctid as row_id, u.due
            from unnest(p_run, p_due) as u (run_id, due)
           cross join lateral (
               select o.ctid from pawl.live_run o
                where o.bucket = p_bucket and o.run_id = u.run_id and o.state = 0 and o.worker is null
               offset 0
           ) as h
      ) as x
     where l.ctid = x.row_id
$$;

CREATE FUNCTION pawl.put_off_unclaimable(p_bucket smallint, p_worker uuid, p_limit integer) RETURNS TABLE(run_id uuid, reason text)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
#variable_conflict use_column
declare
    v_run uuid;
begin
    for v_run in
        select l.run_id
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.due_at <= now()
         order by l.priority, l.due_at, l.run_id
         limit p_limit
    loop
        begin
            update pawl.live_run l set state = 1, worker = p_worker
             where l.bucket = p_bucket and l.run_id = v_run and l.state = 0;
            perform md5(e.data::text || e.error::text)
               from pawl.event e
              where e.bucket = p_bucket and e.run_id = v_run;
            raise exception 'tried' using errcode = 'PW010';
        exception
            when sqlstate 'PW010' or lock_not_available or deadlock_detected or serialization_failure then
                null;
            when others then
                run_id := v_run;
                reason := sqlerrm;
                update pawl.live_run l set due_at = now() + interval '1 minute'
                 where l.bucket = p_bucket and l.run_id = v_run and l.state = 0;
                return next;
        end;
    end loop;
end
$$;

CREATE FUNCTION pawl.queue_at_gates(p_bucket smallint, p_run uuid[], p_gate text[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
    with queued as (
        update pawl.live_run l
           set state = 3, worker = null, slot = 2
         where l.ctid = any (array(
               select x.row_id
                 from unnest(p_run) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id
                    offset 0
                ) as x
           ))
        returning l.run_id, l.due_at + l.priority * interval '1 minute' as rank
    )
    insert into pawl.flow_wait (bucket, run_id, gate, rank)
    select p_bucket, q.run_id, p_gate[array_position(p_run, q.run_id)], q.rank from queued q;
end
$$;

CREATE FUNCTION pawl.queue_exists(p_name text) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog'
    AS $$
    select exists (
        select 1
          from pg_class c
          join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'pgmq' and c.relname = lower('q_' || p_name) and has_schema_privilege(n.oid, 'usage')
           and has_table_privilege(c.oid, 'insert, update, delete')
    )
$$;

CREATE FUNCTION pawl.queue_provider(OUT provider text, OUT usable boolean) RETURNS record
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select coalesce(
               (select 'the extension pgmq ' || e.extversion from pg_extension e where e.extname = 'pgmq'),
               (select case when obj_description(n.oid, 'pg_namespace') like '%made by Pawl' then 'made by Pawl'
                            else 'a schema pgmq of somebody else' end
                  from pg_namespace n where n.nspname = 'pgmq'),
               'none'
           ),
           pawl.queue_exists('workflow_queue') and pawl.queue_exists('workflow_dlq')
$$;

CREATE FUNCTION pawl.read_placeholder(p_inside text, OUT path text, OUT segments jsonb, OUT has_default boolean, OUT problem text) RETURNS record
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    c_space constant text := E' \t\n\r';
    v_content text := btrim(p_inside, c_space);
    v_bar int := strpos(v_content, '|');
    v_filter text;
begin
    has_default := false;
    if left(v_content, 1) in ('"', '''') then
        problem := pawl.literal_problem(v_content);
    else
        path := btrim(case when v_bar > 0 then left(v_content, v_bar - 1) else v_content end, c_space);
        select p.segments, p.problem into segments, problem from pawl.parse_path(path) p;
        if problem is null and v_bar > 0 then
            has_default := true;
            v_filter := btrim(substr(v_content, v_bar + 1), c_space);
            if left(v_filter, 7) <> 'default' then
                problem := 'the only filter is ''| default: value''';
            elsif left(btrim(substr(v_filter, 8), c_space), 1) <> ':' then
                problem := 'write the default as ''| default: value''';
            else
                problem := pawl.literal_problem(
                    btrim(substr(btrim(substr(v_filter, 8), c_space), 2), c_space)
                );
            end if;
        end if;
    end if;
    if problem is not null then
        problem := format('malformed placeholder ''{{%s}}'': %s', left(p_inside, 60), problem);
    end if;
end
$$;

CREATE FUNCTION pawl.read_queues(p_bucket smallint, p_limit integer, p_lease integer) RETURNS TABLE(queue text, kind text, tenant integer, reads_max integer, id bigint, reads integer, at timestamp with time zone, message jsonb, headers jsonb, known boolean, workflow integer, version integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    SET lock_timeout TO '250ms'
    AS $_$
#variable_conflict use_column
declare
    v_queue record;
    c_hide_max constant int := 1000;
    v_any boolean;
    v_off text[];
    v_hidden int;
begin
    for v_queue in
        select c.*
          from pawl.consumed_queue c
          join pawl.tenant t on t.id = c.tenant and t.bucket = p_bucket
         where pawl.queue_exists(c.name)
         order by c.name
    loop
        -- What is wrong with one queue does not keep the others from being read.
        begin
            -- Most looks find nothing, and this is the quickest way to know.
            execute format('select true from pgmq.%I order by msg_id limit 1', lower('q_' || v_queue.name))
               into v_any;
            continue when v_any is null;
            -- Messages for a workflow that is switched off wait, and were not read: otherwise they would be given up.
            -- Those that stand among others are hidden for the time of a lease; nothing is read before all of them are.
            v_off := array(
                select n.name
                  from pawl.definition d
                 cross join lateral (values (d.name), (d.id::text)) as n (name)
                 where (d.tenant = v_queue.tenant or v_queue.organizations and n.name = d.id::text)
                   and d.off_reason is not null and v_queue.kind <> 'trigger'
            );
            continue when v_queue.workflow = any (v_off);
            if v_off <> '{}' and v_queue.kind = 'message' then
                execute format(
                    'with waiting as (select q.msg_id from pgmq.%1$I q where q.vt <= clock_timestamp()'
                    ' and coalesce(q.message ->> ''workflow_name'', q.message ->> ''workflow'','
                    ' lower(q.message ->> ''rule_id'')) = any ($1) limit $2 for update skip locked), '
                    'hidden as (update pgmq.%1$I q set vt = clock_timestamp() + make_interval(secs => $3)'
                    ' from waiting w where q.msg_id = w.msg_id returning 1) select count(*) from hidden',
                    lower('q_' || v_queue.name)
                ) into v_hidden using v_off, c_hide_max, p_lease;
                continue when v_hidden = c_hide_max;
            end if;
            return query
            select v_queue.name, v_queue.kind, o.tenant, v_queue.reads_max, m.msg_id, m.read_ct, m.enqueued_at,
                   m.message, to_jsonb(m) -> 'headers',
                   v_queue.kind = 'message' and pawl.is_uuid(m.message ->> 'execution_id')
                       and (exists (select 1 from pawl.live_run l where l.bucket = p_bucket and l.tenant = o.tenant
                                       and l.run_id = (m.message ->> 'execution_id')::uuid)
                            or exists (select 1 from pawl.run r where r.bucket = p_bucket and r.tenant = o.tenant
                                          and r.run_id = (m.message ->> 'execution_id')::uuid)),
                   w.workflow, w.version
              from pgmq.read(v_queue.name, p_lease, p_limit) m
             cross join lateral (
                  select coalesce((select t.id from pawl.tenant t
                                    where v_queue.organizations and t.bucket = p_bucket
                                      and t.organization::text = lower(m.message ->> 'organization_id')),
                                  v_queue.tenant)
             ) as o (tenant)
              left join lateral (
                  select d.workflow, d.version
                    from pawl.event_trigger t
                    join pawl.definition d on d.workflow = t.workflow and d.active
                   where v_queue.kind = 'trigger' and t.tenant = v_queue.tenant and t.event = 'queue:' || v_queue.name
                   union all
                  select d.workflow, coalesce(v.version, d.version)
                    from pawl.definition d
                    left join pawl.workflow_version v
                      on v.workflow = d.workflow and v.version::text = m.message ->> 'workflow_version'
                         and v_queue.kind = 'message'
                   where v_queue.kind <> 'trigger' and d.active and d.tenant = o.tenant
                     and (d.name = coalesce(v_queue.workflow, m.message ->> 'workflow_name', m.message ->> 'workflow')
                          or (v_queue.kind = 'message' and d.id::text = lower(m.message ->> 'rule_id')
                              and not m.message ? 'workflow_name'))
              ) as w on true
             order by m.msg_id, w.workflow;
        exception
            when others then
                queue := v_queue.name;
                kind := v_queue.kind;
                tenant := v_queue.tenant;
                reads_max := v_queue.reads_max;
                id := 0;
                reads := 0;
                at := now();
                message := to_jsonb(sqlerrm);
                known := false;
                return next;
        end;
    end loop;
end
$_$;

CREATE FUNCTION pawl.read_sql_page(p_bucket smallint, p_run uuid, p_key text, p_page integer, p_as_engine boolean) RETURNS jsonb
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_tenant int := (select l.tenant from pawl.sql_login l where l.role_name = session_user);
    v_rows jsonb;
begin
    if v_tenant is null and p_as_engine and pawl.is_engine() then
        v_tenant := 1;
    end if;
    select p.rows into v_rows
      from pawl.sql_page p
     where p.bucket = p_bucket and p.run_id = p_run and p.key = p_key and p.page = p_page
       and (exists (select 1
                      from pawl.live_run l
                     where l.bucket = p_bucket and l.run_id = p_run and l.tenant = v_tenant)
            or exists (select 1
                         from pawl.run r
                        where r.bucket = p_bucket and r.run_id = p_run and r.tenant = v_tenant));
    if jsonb_typeof(v_rows) <> 'array' or jsonb_array_length(v_rows) > 1000 then
        raise exception 'this is not a page of up to 1000 rows' using errcode = 'program_limit_exceeded';
    elsif v_rows is not null then
        perform pawl.refuse_rows(v_rows, 16777216);
    end if;
    return v_rows;
end
$$;

CREATE FUNCTION pawl.record_definition() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_new boolean;
begin
    insert into pawl.workflow_version (workflow, version, definition, label)
    values (new.workflow, new.version, coalesce(new.applied, pawl.definition_json(new)), pawl.label_of(new.settings))
        on conflict (workflow, version) do nothing;
    v_new := found;
    if not v_new then
        update pawl.workflow_version v
           set draft = false
         where v.workflow = new.workflow and v.version = new.version and v.draft;
    end if;
    if tg_op = 'UPDATE' and new.name <> old.name then
        update pawl.workflow w set name = new.name where w.id = new.workflow;
    end if;
    if tg_op = 'INSERT' or new.version <> old.version then
        perform pawl.note_version(new.tenant, new.workflow, case when v_new then 'applied' else 'activated' end,
                                  new.version,
                                  case when tg_op = 'UPDATE' then jsonb_build_object('from', old.version) end);
    end if;
    if tg_op = 'UPDATE' and new.off_reason is distinct from old.off_reason then
        perform pawl.note_version(new.tenant, new.workflow,
                                  case when new.off_reason is null then 'switched_on' else 'switched_off' end,
                                  new.version, jsonb_build_object('reason', new.off_reason));
    elsif tg_op = 'UPDATE' and new.active <> old.active and new.version = old.version then
        perform pawl.note_version(new.tenant, new.workflow,
                                  case when new.active then 'activated' else 'deactivated' end, new.version);
    end if;
    if tg_op = 'UPDATE' and new.canary is distinct from old.canary then
        perform pawl.note_version(new.tenant, new.workflow, 'canary', new.version,
                                  jsonb_build_object('canary', new.canary));
    end if;
    return null;
exception when unique_violation then
    raise exception 'the name "%" belonged to another workflow, whose runs keep it', new.name
        using errcode = 'unique_violation', hint = 'Choose another name.';
end
$$;

CREATE FUNCTION pawl.refuse_definition(p_what text, p_hint text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
    raise exception '%', p_what using errcode = 'invalid_parameter_value', hint = p_hint;
end
$$;

CREATE FUNCTION pawl.refuse_entry(p_entry jsonb, p_place text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_key text;
    v_priority jsonb := nullif(p_entry -> 'priority', 'null');
    v_start_at timestamptz;
begin
    if jsonb_typeof(p_entry) <> 'object' then
        raise exception '%must be an object, not a %', p_place, jsonb_typeof(p_entry)
            using errcode = 'invalid_parameter_value',
                  hint = 'Each run is an object like {"data": {"name": "Ada"}, "correlation_id": "order-17"}.';
    end if;
    select k.key into v_key
      from jsonb_object_keys(p_entry) as k (key)
     where k.key not in ('data', 'correlation_id', 'subject', 'priority', 'start_at')
     limit 1;
    if found then
        raise exception '%there is no setting "%"', p_place, v_key
            using errcode = 'invalid_parameter_value',
                  hint = 'Known are data, correlation_id, subject, priority and start_at; the input goes below data.';
    elsif jsonb_typeof(v_priority) <> 'number' then
        raise exception '%priority must be a whole number from -32768 to 32767, not %', p_place, v_priority
            using errcode = 'invalid_parameter_value', hint = 'A level is worth a minute of waiting.';
    end if;
    begin
        v_start_at := p_entry ->> 'start_at';
    exception when data_exception then
        raise exception '%start_at must be a time, not %', p_place, p_entry -> 'start_at'
            using errcode = 'invalid_datetime_format', hint = 'Like this: "2026-01-31T09:00:00Z".';
    end;
    perform pawl.refuse_start(
        coalesce(nullif(p_entry -> 'data', 'null'), '{}'), p_entry ->> 'correlation_id', p_entry ->> 'subject',
        v_priority::numeric, v_start_at, null, p_place
    );
end
$$;

CREATE FUNCTION pawl.refuse_input(p_workflow text, p_definition jsonb, p_data jsonb, p_place text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_missing record;
begin
    v_missing := pawl.missing_input(p_definition, p_data);
    if v_missing.problem is not null then
        raise exception '%Workflow % cannot be started: %', p_place, p_workflow, v_missing.problem
            using errcode = 'invalid_parameter_value', hint = 'Correct its steps in pawl.workflow_definitions.';
    elsif v_missing.fields <> '{}' or v_missing.variables <> '{}' then
        raise exception '%', p_place || case
            when v_missing.fields <> '{}' then 'Missing required fields: ' || pawl.first_names(v_missing.fields)
            else format('Missing template variables: %s. These placeholders exist in workflow steps but were not '
                        'provided in data.', pawl.first_names(v_missing.variables)) end
            using errcode = 'invalid_parameter_value',
                  detail = 'Missing in all: ' || pawl.first_names(array(
                      select m.name from unnest(v_missing.fields || v_missing.variables) with ordinality as m (name, n)
                       group by m.name order by min(m.n)
                  )),
                  hint = 'Give them in data, or give the placeholders a default: {{name | default: "you"}}.';
    end if;
end
$$;

CREATE FUNCTION pawl.refuse_label(p_workflow integer, p_label text, p_version integer) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_taken int;
begin
    select v.version into v_taken
      from pawl.workflow_version v
     where v.workflow = p_workflow and v.label = p_label and v.version <> p_version;
    if found then
        perform pawl.refuse_definition(
            format('version: %s is taken by another definition of this workflow (number %s)', p_label, v_taken),
            'A version never changes: raise the version of the changed definition.'
        );
    end if;
end
$$;

CREATE FUNCTION pawl.refuse_result(p_result jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_rows jsonb := p_result -> 'rows';
begin
    if jsonb_typeof(p_result) is distinct from 'object' or jsonb_typeof(p_result -> 'count') is distinct from 'number'
       or p_result - 'rows' - 'count' <> '{}' or jsonb_typeof(v_rows) is null
       or jsonb_typeof(v_rows) not in ('array', 'object') then
        raise exception 'a result has rows and count' using errcode = 'invalid_parameter_value';
    elsif jsonb_typeof(v_rows) = 'array' and jsonb_array_length(v_rows) > 1000 then
        raise exception 'a result has more than 1000 rows' using errcode = 'program_limit_exceeded';
    end if;
    perform pawl.refuse_rows(p_result, case jsonb_typeof(v_rows) when 'array' then 20971520 else 4096 end);
end
$$;

CREATE FUNCTION pawl.refuse_rows(p_rows jsonb, p_bytes_max integer) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog'
    AS $_$
begin
    if octet_length(p_rows::text) > p_bytes_max then
        raise exception 'rows have more than % bytes as JSON', p_bytes_max using errcode = 'program_limit_exceeded';
    elsif jsonb_path_exists(p_rows, 'strict $.**{70 to last}') then
        raise exception 'rows are nested deeper than 64 levels' using errcode = 'invalid_parameter_value';
    elsif jsonb_path_exists(
        p_rows,
        'strict $.** ? (@.type() == "number" && (@ > 1.7976931348623158e308 || @ < -1.7976931348623158e308))'
    ) then
        raise exception 'a number in rows is out of range' using errcode = 'numeric_value_out_of_range';
    end if;
end
$_$;

CREATE FUNCTION pawl.refuse_start(p_data jsonb, p_correlation text, p_subject text, p_priority numeric, p_start_at timestamp with time zone, p_triggered_by text, p_place text) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_part record;
begin
    if jsonb_typeof(p_data) <> 'object' then
        raise exception '%data must be a JSON object (given: %)', p_place, jsonb_typeof(p_data)
            using errcode = 'invalid_parameter_value', hint = 'Like this: ''{"name": "Ada"}''.';
    elsif p_correlation = '' then
        raise exception '%correlation_id is empty', p_place using errcode = 'invalid_parameter_value',
            detail = 'A start with a key happens once; with an empty one it would happen every time.',
            hint = 'Leave it out (null), or give what makes the start the same, such as ''order-17''.';
    elsif p_priority not between -32768 and 32767 or p_priority <> trunc(p_priority) then
        raise exception '%priority must be a whole number from -32768 to 32767, not %', p_place, p_priority
            using errcode = 'invalid_parameter_value', hint = 'A level is worth a minute of waiting.';
    elsif not isfinite(p_start_at) or p_start_at >= timestamptz '10000-01-01 00:00:00+00'
          or p_start_at < timestamptz '0001-01-01 00:00:00+00' then
        raise exception '%start_at must be a time of the years 1 to 9999, not %', p_place, p_start_at
            using errcode = 'datetime_field_overflow', hint = 'Like this: now() + interval ''2 days''.';
    end if;
    for v_part in
        select p.what, octet_length(p.given) as size, p.most
          from (values ('correlation_id', p_correlation, 400), ('subject', p_subject, 500),
                       ('triggered_by', p_triggered_by, 200)) as p (what, given, most)
         where octet_length(p.given) > p.most
    loop
        raise exception '%the % has at most % bytes, not %', p_place, v_part.what, v_part.most, v_part.size
            using errcode = 'string_data_right_truncation', hint = 'What is long belongs into data.';
    end loop;
    if octet_length(p_data::text) > 1048576 then
        raise exception '%data has % bytes; at most 1048576 are possible', p_place, octet_length(p_data::text)
            using errcode = 'program_limit_exceeded',
                  hint = 'Keep it in a table of your own, and give the run its key.';
    end if;
end
$$;

CREATE FUNCTION pawl.refuse_unreadable(p_data jsonb) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'pg_catalog'
    AS $_$
begin
    -- Depth takes room: small data need not be walked for it.
    if pg_column_size(p_data) > 200 and jsonb_path_exists(p_data, 'strict $.**{64 to last}') then
        raise exception 'data is nested deeper than 64 levels' using errcode = 'invalid_parameter_value',
            hint = 'Give it as text, or give the key of a row that has it.';
    elsif jsonb_path_exists(
        -- What is above rounds to infinity.
        p_data, 'strict $.** ? (@.type() == "number" && (@ > 1.7976931348623158e308 || @ < -1.7976931348623158e308))'
    ) then
        raise exception 'a number in data is out of range' using errcode = 'numeric_value_out_of_range',
            hint = 'Numbers are double precision here: give it as text.';
    end if;
end
$_$;

CREATE FUNCTION pawl.release_document_key(p_tenant integer, p_workflow text, p_key text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform pawl.require_tenant(p_tenant);
    delete from pawl.document_key k
     using pawl.workflow w
     where w.tenant = p_tenant and w.name = p_workflow and k.tenant = p_tenant and k.workflow = w.id and k.key = p_key
       and (pawl.run_of_key(p_tenant, p_key)).run is null;
end
$$;

CREATE FUNCTION pawl.release_held(p_worker uuid) RETURNS bigint
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    AS $$
    with released as (
        update pawl.live_run l set state = 0, worker = null
         where l.worker = p_worker and l.state = 1
        returning l.bucket, l.run_id
    ), told as (
        insert into pawl.signal (bucket, run_id, kind, data)
        select r.bucket, r.run_id, 'interrupted', '{}' from released r
        returning 1
    )
    select count(*) from told;
$$;

CREATE FUNCTION pawl.release_triggers(p_bucket smallint, p_not integer[] DEFAULT '{}'::integer[]) RETURNS TABLE(tenant integer, first bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
    c_most constant int := 1000;
    v_tenant pawl.tenant;
    v_after int := 0;
    v_room int;
    v_alone boolean;
begin
    if not exists (select 1 from pawl.trigger_held h where h.bucket = p_bucket) then
        return;
    end if;
    -- Two at once would give the same room away twice.
    v_alone := pawl.try_hold(0, 'release_triggers ' || p_bucket);
    loop
        select h.tenant into v_after
          from pawl.trigger_held h
         where h.bucket = p_bucket and h.tenant > v_after
         order by h.bucket, h.tenant
         limit 1;
        exit when not found;
        select t.* into v_tenant from pawl.tenant t where t.id = v_after;
        v_room := least(c_most, coalesce(v_tenant.starts_per_second_max, c_most));
        if v_tenant.open_runs_max is not null then
            v_room := least(v_room, v_tenant.open_runs_max
                                    - pawl.count_open_runs(p_bucket, v_after, v_tenant.open_runs_max));
        end if;
        if v_alone and v_room > 0 and v_after <> all (p_not) then
            with freed as (
                delete from pawl.trigger_held h
                 where h.bucket = p_bucket and h.tenant = v_after and h.id in (
                           select x.id from pawl.trigger_held x
                            where x.bucket = p_bucket and x.tenant = v_after
                            order by x.id
                            limit v_room)
                returning h.id
            )
            insert into pawl.trigger_pending (bucket, id) select p_bucket, f.id from freed f on conflict do nothing;
        end if;
        tenant := v_after;
        first := (select min(h.id) from pawl.trigger_held h where h.bucket = p_bucket and h.tenant = v_after);
        if first is not null then
            return next;
        end if;
    end loop;
end
$$;

CREATE FUNCTION pawl.repin_runs(p_bucket smallint, p_run uuid[], p_version integer[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
    update pawl.live_run l
       set version = u.version
      from unnest(p_run, p_version) as u (run_id, version)
     where l.bucket = p_bucket and l.run_id = u.run_id;
end
$$;

CREATE FUNCTION pawl.replace_person(p_names text[], p_by text, p_to text) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY(SELECT CASE WHEN pawl.is_same_person(n.name, replace_person.p_by) THEN replace_person.p_to ELSE n.name END AS name FROM unnest(replace_person.p_names) WITH ORDINALITY n(name, place) WHERE ((replace_person.p_to IS NOT NULL) OR (NOT pawl.is_same_person(n.name, replace_person.p_by))) ORDER BY n.place);

CREATE FUNCTION pawl.replay_batch(p_job uuid, p_limit integer, p_lease interval) RETURNS SETOF pawl.job
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET lock_timeout TO '250ms'
    AS $$
declare
    v_job pawl.job;
    v_bucket smallint;
    v_workflow int;
    v_walked int;
    v_runs uuid[];
    v_done bigint;
begin
    select j.* into v_job from pawl.job j where j.id = p_job for no key update;
    if not found or v_job.status not in ('queued', 'running') then
        return query select j.* from pawl.job j where j.id = p_job;
        return;
    end if;
    select t.bucket into v_bucket from pawl.tenant t where t.id = v_job.tenant;
    select w.id into v_workflow
      from pawl.workflow w
     where w.tenant = v_job.tenant and w.name = v_job.filter ->> 'workflow';
    with walked as materialized (
        select row_number() over (order by d.at, d.run_id) as place, d.run_id, d.at,
               pawl.matches_replay(d, v_job.filter, v_workflow) as matches
          from pawl.walk_dead_letters(
              v_bucket, v_job.tenant, v_job.filter ->> 'fingerprint', v_job.cursor_at, v_job.cursor_run,
              v_job.created_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff', false, p_limit
          ) d
    )
    select count(*), array_agg(w.run_id) filter (where w.matches),
           coalesce((array_agg(w.at order by w.place desc))[1], v_job.cursor_at),
           coalesce((array_agg(w.run_id order by w.place desc))[1], v_job.cursor_run)
      into v_walked, v_runs, v_job.cursor_at, v_job.cursor_run
      from walked w;
    select count(*) filter (where r.created) into v_done
      from pawl.retry_runs(
          v_bucket, v_job.tenant, v_runs, array(select pawl.uuid7() from generate_series(1, cardinality(v_runs)))
      ) r;
    return query
    update pawl.job j
       set status = case when v_walked < p_limit then 'done' else 'running' end,
           done = j.done + v_done,
           failed = j.failed + coalesce(cardinality(v_runs), 0) - v_done,
           updated_at = now(),
           lease_until = now() + p_lease,
           cursor_at = v_job.cursor_at,
           cursor_run = v_job.cursor_run
     where j.id = p_job
    returning j.*;
end
$$;

CREATE FUNCTION pawl.replayed_condition(p_replayed boolean) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN p_replayed THEN 'd.replayed_as is not null'::text WHEN (NOT p_replayed) THEN 'd.replayed_as is null'::text ELSE 'true'::text END;

CREATE FUNCTION pawl.request_cancel(p_bucket smallint, p_run uuid, p_reason text, p_force boolean DEFAULT false) RETURNS boolean
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    BEGIN ATOMIC
 SELECT (EXISTS ( SELECT 1
            FROM pawl.leave_signals(request_cancel.p_bucket, ARRAY[request_cancel.p_run], ARRAY['cancel'::text], ARRAY[(jsonb_build_object('reason', request_cancel.p_reason) ||
                 CASE
                     WHEN request_cancel.p_force THEN '{"force": true}'::jsonb
                     ELSE '{}'::jsonb
                 END)], true) leave_signals(leave_signals))) AS "exists";
END;

CREATE FUNCTION pawl.require_tenant(p_tenant integer) RETURNS void
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if p_tenant is distinct from pawl.current_tenant() and not pawl.is_engine() then
        raise exception 'role % may not work for tenant %', pawl.session_role(), p_tenant
            using errcode = 'insufficient_privilege', hint = 'Tenants are given to roles with pawl.bind_role.';
    end if;
end
$$;

CREATE FUNCTION pawl.rerun_from(p_bucket smallint, p_tenant integer, p_run uuid, p_new uuid, p_before integer, p_input jsonb, p_released jsonb DEFAULT NULL::jsonb) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_run record;
begin
    perform pawl.require_tenant(p_tenant);
    select r.workflow, r.version, r.subject into v_run
      from (
          select l.workflow, l.version, l.subject, l.tenant
            from pawl.live_run l
           where l.bucket = p_bucket and l.run_id = p_run
           union all
          select c.workflow, c.version, c.subject, c.tenant
            from pawl.run c
           where c.bucket = p_bucket and c.run_id = p_run
      ) as r
     where r.tenant = p_tenant;
    if not found then
        return false;
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select p_new, case when kept.type = 0 then now() else kept.at end, kept.place, p_bucket, kept.type, kept.attempt,
           kept.node,
           case when kept.type = 0
                then kept.data - 'start_at' - 'caller' - 'retry_of' - 'first_run' - 'anew_run' - 'released'
                     || jsonb_build_object('parent', p_run, 'rerun_of', p_run, 'copied', kept.copied,
                                           'triggered_by', 'rerun', 'input', coalesce(p_input, kept.data -> 'input'),
                                           -- Who did what it does not do again: undoing that is the same for all.
                                           'owners', coalesce(pawl.owners_moved(kept.data, kept.seqs) -> 'owners', '[]')
                                                     || jsonb_build_object(
                                               'run', coalesce(kept.data -> 'anew_run', kept.data -> 'first_run',
                                                               to_jsonb(p_run)),
                                               'until', kept.copied))
                     || case when p_released is null then '{}' else jsonb_build_object('released', p_released) end
                     || jsonb_build_object('started_at', coalesce(kept.data ->> 'started_at', pawl.rfc3339(kept.at)))
                when kept.type = 15 then pawl.deadline_moved(kept.data, greatest(kept.at, kept.began_at))
                else kept.data end,
           kept.error, kept.token
      from (
          select e.*, row_number() over (order by e.seq) - 1 as place, count(*) over () - 1 as copied,
                 min(e.at) filter (where e.type = 0) over () as began_at,
                 case when e.type = 0 then array_agg(e.seq) over () end as seqs
            from pawl.event e
           where e.bucket = p_bucket and e.run_id = p_run and e.seq < greatest(p_before, 1)
             and e.type not in (4, 5, 6, 20)
             and (e.type <> 3 or coalesce(e.data ->> 'for', '') not in ('child', 'callback', 'lock'))
             and (e.type <> 10 or e.data ->> 'kind' not in ('child', 'callback', 'lock', 'task'))
      ) as kept;
    insert into pawl.live_run
        (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
    select p_new, now(), p_tenant, v_run.workflow,
           -- That of its log, which may end before the run was moved.
           coalesce(
               (select (p.data ->> 'version')::int
                  from pawl.event p
                 where p.bucket = p_bucket and p.run_id = p_new
                   and (p.seq = 0 or p.type = 18 and not p.data ? 'refused')
                 order by p.seq desc
                 limit 1),
               v_run.version
           ), p_bucket, 0, 0, v_run.subject,
           (e.data -> 'flow') - 'gather', case when e.data ? 'flow' then 2 end
      from pawl.event e
     where e.bucket = p_bucket and e.run_id = p_new and e.seq = 0;
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox_starts(p_bucket, array[p_new]);
    end if;
    return true;
end
$$;

CREATE FUNCTION pawl.rerun_from_once(p_bucket smallint, p_tenant integer, p_run uuid, p_new uuid, p_before integer, p_input jsonb, p_released jsonb, p_key text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_workflow int;
    v_known uuid;
begin
    perform pawl.require_tenant(p_tenant);
    if p_key is not null then
        select r.workflow into v_workflow
          from (
              select l.workflow, l.tenant from pawl.live_run l where l.bucket = p_bucket and l.run_id = p_run
               union all
              select c.workflow, c.tenant from pawl.run c where c.bucket = p_bucket and c.run_id = p_run
          ) as r
         where r.tenant = p_tenant;
        -- Waits for a call with the same key that is under way.
        insert into pawl.correlation (bucket, tenant, workflow, key, run_id)
        select p_bucket, p_tenant, v_workflow, p_key, p_new where v_workflow is not null
            on conflict (bucket, tenant, workflow, key) do nothing;
        if not found then
            select c.run_id into v_known
              from pawl.correlation c
             where c.bucket = p_bucket and c.tenant = p_tenant and c.workflow = v_workflow and c.key = p_key;
            return v_known;
        end if;
    end if;
    if pawl.rerun_from(p_bucket, p_tenant, p_run, p_new, p_before, p_input, p_released) then
        return p_new;
    end if;
    return null;
end
$$;

CREATE FUNCTION pawl.resent_runs(p_bucket smallint, p_worker uuid, p_held uuid[], p_run uuid[], p_seq integer[], p_type smallint[], p_attempt smallint[], p_node text[], p_data jsonb[], p_token integer[]) RETURNS uuid[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_through uuid[];
    v_lost uuid[];
begin
    select array_agg(h.run_id) filter (where h.same = h.events and (h.events > 0 or not h.mine)),
           array_agg(h.run_id) filter (where h.other > 0 or h.same < h.events and not h.mine)
      into v_through, v_lost
      from (
          select u.run_id, l.one is not null as mine, w.events, w.same, w.other
            from unnest(p_held) as u (run_id)
            left join lateral (
                select 1 as one
                  from pawl.live_run o
                 where o.bucket = p_bucket and o.run_id = u.run_id and o.worker = p_worker
                offset 0
            ) as l on true
           cross join lateral (
               select count(*) as events, count(*) filter (where x.same) as same,
                      count(*) filter (where not x.same) as other
                 from unnest(p_run, p_seq, p_type, p_attempt, p_node, p_data, p_token)
                      as n (run_id, seq, type, attempt, node, data, token)
                 left join lateral (
                     select e.type = n.type and e.attempt is not distinct from n.attempt
                            and e.node is not distinct from n.node and e.data is not distinct from n.data
                            and coalesce(e.token, 0) = coalesce(n.token, 0) as same
                       from pawl.event e
                      where e.bucket = p_bucket and e.run_id = n.run_id and e.seq = n.seq
                     offset 0
                 ) as x on true
                where n.run_id = u.run_id
           ) as w
      ) as h;
    if v_lost is not null then
        raise exception 'worker % does not hold these runs any more', p_worker
            using errcode = 'PW002', detail = array_to_string(v_lost, ',');
    end if;
    return coalesce(v_through, '{}');
end
$$;

CREATE FUNCTION pawl.reserve_document_key(p_tenant integer, p_workflow text, p_key text, OUT run uuid, OUT mine boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    c_patience constant interval := '10 s';
    v_workflow int;
    v_holder pawl.document_key;
begin
    perform pawl.require_tenant(p_tenant);
    select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
    mine := true;
    if not found then
        return;  -- the start says so
    end if;
    select k.run into run from pawl.run_of_key(p_tenant, p_key) k;
    if run is not null then
        mine := false;
        return;
    end if;
    insert into pawl.document_key as k (tenant, workflow, key) values (p_tenant, v_workflow, p_key)
        on conflict (tenant, key) do update set workflow = excluded.workflow, reserved_at = clock_timestamp()
     where k.workflow = excluded.workflow or k.reserved_at < clock_timestamp() - c_patience;
    mine := found;
    -- Whoever had it may have started its run meanwhile.
    select k.run into run from pawl.run_of_key(p_tenant, p_key) k;
    mine := mine and run is null;
end
$$;

CREATE FUNCTION pawl.result(run uuid) RETURNS TABLE(closed boolean, status text, output jsonb, error jsonb, closed_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
begin
    return query
    select r.closed_at is not null, r.status, r.output, r.error,
           case when r.closed_at is not null then greatest(r.closed_at, pawl.uuid7_time(run)) end
      from pawl.find_run(v_tenant.bucket, v_tenant.id, run) r;
end
$$;

CREATE FUNCTION pawl.retain(p_token uuid, p_keep interval, p_batch integer, p_wait interval, OUT did text, OUT busy boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET client_min_messages TO 'warning'
    AS $_$
declare
    c_steps constant text[] := array['correlation', 'dead_letter', 'human_task', 'watch run', 'copy run', 'swap run',
                                     'watch event', 'copy event', 'swap event'];
    v_state pawl.retention;
    v_table text;
    v_gone text;
begin
    busy := false;
    select r.* into v_state from pawl.retention r for update skip locked;
    if not found or (v_state.token <> p_token and v_state.lease_until > now()) then
        return;
    end if;
    if v_state.token is distinct from p_token then
        -- Another process did not finish: what it copied may be old.
        v_state.week := null;
    end if;
    if v_state.week is null then
        select c.relname into v_gone
          from pg_class c
         where c.relnamespace = 'pawl'::regnamespace and c.relname ~ '^(event|run)_gone_' and not c.relispartition
         order by c.relname
         limit 1;
        if found then
            did := 'drop ' || v_gone;
            begin
                perform set_config('lock_timeout', '1s', true);
                execute format('drop table pawl.%I', v_gone);
            exception when lock_not_available then
                -- Read by a transaction that is still open.
                busy := true;
            end;
        else
            select min(to_timestamp(substring(c.relname from '\d{8}$') || '+00', 'YYYYMMDDTZH')) into v_state.week
              from pg_inherits i
              join pg_class c on c.oid = i.inhrelid
             where i.inhparent in ('pawl.event'::regclass, 'pawl.run'::regclass) and c.relname ~ '^(event|run)_\d{8}$';
            if v_state.week + interval '1 week' <= now() - p_keep then
                v_state.step := c_steps[1];
                v_state.at_bucket := null;
                v_state.at_run := null;
                did := 'begin ' || to_char(v_state.week at time zone 'UTC', 'YYYYMMDD');
            else
                v_state.week := null;
                if pawl.sweep_strayed(p_keep, p_batch) > 0 then
                    did := 'strayed';
                end if;
            end if;
        end if;
    else
        did := v_state.step;
        v_table := split_part(v_state.step, ' ', 2);
        begin
            perform set_config('lock_timeout', (extract(epoch from p_wait) * 1000)::int::text, true);
            if v_table = '' then
                select s.p_at_run into v_state.at_run
                  from pawl.sweep_retired(v_state.step, v_state.week, p_keep, p_batch, v_state.at_run) s;
            elsif not exists (select 1 from pawl.retiring(v_table, v_state.week)) then
                v_state.at_run := null;
            elsif v_state.step like 'watch %' then
                perform pawl.watch_retiring(v_table, v_state.week);
            elsif v_state.step = 'copy run' then
                select k.p_at_bucket, k.p_at_run into v_state.at_bucket, v_state.at_run
                  from pawl.keep_runs(v_state.week, p_keep, p_batch, v_state.at_bucket, v_state.at_run) k;
            elsif v_state.step = 'copy event' then
                select k.p_at_bucket, k.p_at_run into v_state.at_bucket, v_state.at_run
                  from pawl.keep_events(v_state.week, greatest(p_batch / 10, 1), v_state.at_bucket, v_state.at_run) k;
            elsif pawl.in_use(v_table) then
                busy := true;
            else
                perform pawl.swap_retiring(v_table, v_state.week);
            end if;
            if v_state.at_run is null and not busy then
                v_state.at_bucket := null;
                v_state.step := c_steps[array_position(c_steps, v_state.step) + 1];
                if v_state.step is null then
                    v_state.week := null;
                end if;
            end if;
        exception when lock_not_available or deadlock_detected then
            busy := true;
        end;
    end if;
    update pawl.retention r
       set token = p_token, lease_until = case when did is not null then now() + interval '2 minutes' end,
           week = v_state.week, step = v_state.step, at_bucket = v_state.at_bucket, at_run = v_state.at_run
     where r.id = 1;
end
$_$;

CREATE FUNCTION pawl.retire_version(p_tenant integer, p_name text, p_version integer, p_drain boolean DEFAULT false, p_retired boolean DEFAULT true) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_workflow int;
    v_open bigint;
begin
    perform pawl.hold_definitions(p_tenant);
    select v.workflow into v_workflow
      from pawl.workflow w
      join pawl.workflow_version v on v.workflow = w.id
     where w.tenant = p_tenant and w.name = p_name and v.version = p_version;
    if not found then
        return format('there is no version %s of it', p_version);
    end if;
    if p_retired then
        if exists (select 1 from pawl.definition d where d.workflow = v_workflow and d.version = p_version) then
            return format('version %s is the one that starts use: activate another one first', p_version);
        end if;
        select c.open_runs into v_open
          from pawl.count_open_versions(p_tenant, p_name) c where c.version = p_version;
        if v_open > 0 and not p_drain then
            return format('version %s has %s open run%s: migrate them, or let them go to their end (drain)', p_version,
                          v_open, case when v_open = 1 then '' else 's' end);
        end if;
        update pawl.definition d
           set restore = d.version,
               canary = (select jsonb_agg(c) from jsonb_array_elements(d.canary) as c
                          where (c -> 'version')::int <> p_version)
         where d.workflow = v_workflow and d.canary @> jsonb_build_array(jsonb_build_object('version', p_version));
    end if;
    update pawl.workflow_version v
       set retired_at = case when p_retired then now() end
     where v.workflow = v_workflow and v.version = p_version and (v.retired_at is not null) <> p_retired;
    if found then
        perform pawl.note_version(p_tenant, v_workflow, case when p_retired then 'retired' else 'unretired' end,
                                  p_version);
    end if;
    return null;
end
$$;

CREATE FUNCTION pawl.retire_worker(p_worker uuid) RETURNS bigint
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
    delete from pawl.worker w where w.id = p_worker;
    return pawl.release_held(p_worker);
end
$$;

CREATE FUNCTION pawl.retiring(p_table text, p_week timestamp with time zone, OUT leaf text, OUT kept text, OUT from_id uuid, OUT until_id uuid) RETURNS SETOF record
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    BEGIN ATOMIC
 SELECT w.name,
         CASE
             WHEN (k.until_id = b.from_id) THEN (retiring.p_table || '_kept'::text)
             ELSE NULL::text
         END AS "case",
         CASE
             WHEN (k.until_id = b.from_id) THEN k.from_id
             ELSE b.from_id
         END AS from_id,
     b.until_id
    FROM ((( SELECT ((retiring.p_table || '_'::text) || to_char((retiring.p_week AT TIME ZONE 'UTC'::text), 'YYYYMMDD'::text)) AS name) w
      CROSS JOIN LATERAL pawl.partition_bounds(retiring.p_table, w.name) b(from_id, until_id))
      LEFT JOIN LATERAL pawl.partition_bounds(retiring.p_table, (retiring.p_table || '_kept'::text)) k(from_id, until_id) ON (true));
END;

CREATE FUNCTION pawl.retry_runs(p_bucket smallint, p_tenant integer, p_run uuid[], p_new uuid[]) RETURNS TABLE(run_id uuid, status text, retried_as uuid, created boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_old uuid[] := '{}';
    v_new uuid[] := '{}';
begin
    perform pawl.require_tenant(p_tenant);
    -- The row of the old run is the lock: of two retries one waits and then sees the other's run. Ordered, so that two
    -- batches do not wait for each other.
    for run_id, status, retried_as, created in
        select u.old,
               coalesce(pawl.run_status_name(r.status),
                        case when l.state is null then '' else pawl.open_status_name(l.state, l.due_at) end),
               r.retried_as, r.status in (2, 3) and r.retried_as is null
          from (select distinct on (x.old) x.old from unnest(p_run) as x (old) order by x.old) as u
          left join lateral (
              select c.status, c.retried_as
                from pawl.run c
               where c.bucket = p_bucket and c.run_id = u.old and c.tenant = p_tenant
                 for no key update
          ) as r on true
          left join lateral (
              select o.state, o.due_at
                from pawl.live_run o
               where o.bucket = p_bucket and o.run_id = u.old and o.tenant = p_tenant
              offset 0
          ) as l on true
    loop
        created := coalesce(created, false);
        if created then
            retried_as := p_new[array_position(p_run, run_id)];
            v_old := v_old || run_id;
            v_new := v_new || retried_as;
        end if;
        return next;
    end loop;
    if cardinality(v_old) = 0 then
        return;
    end if;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select kept.new, case when kept.type = 0 then now() else kept.at end, kept.place, p_bucket, kept.type,
           kept.attempt, kept.node,
           case when kept.type = 0
                then kept.data - 'start_at' - 'caller' - case when kept.anew then array['released'] else '{}' end
                     || jsonb_build_object('parent', kept.old, 'retry_of', kept.old, 'copied', kept.copied,
                                           'triggered_by', 'retry',
                                           -- Whose steps it tries again: they keep their keys.
                                           'first_run', coalesce(kept.data -> 'first_run', to_jsonb(kept.old)))
                     -- What a plan was told stays so.
                     || jsonb_build_object('started_at', coalesce(kept.data ->> 'started_at', pawl.rfc3339(kept.at)))
                     -- What was undone is something new.
                     || case when kept.anew
                             then jsonb_build_object('version', kept.version, 'anew_run', kept.new) else '{}' end
                     || pawl.owners_moved(kept.data, kept.seqs)
                when kept.type = 15 then pawl.deadline_moved(kept.data, greatest(kept.at, kept.began_at))
                else kept.data end,
           kept.error, kept.token
      from (
          select u.old, u.new, e.type, e.at, e.attempt, e.node, e.data, e.error, e.token,
                 e.undone and not e.resumes as anew, e.began_at,
                 parts.versions[cardinality(parts.versions)] as version,
                 row_number() over (partition by u.new order by e.seq) - 1 as place,
                 count(*) over (partition by u.new) - case when e.resumes then 0 else 1 end as copied,
                 case when e.type = 0 and e.data ? 'owners'
                      then array_agg(e.seq) over (partition by u.new) end as seqs
            from unnest(v_old, v_new) as u (old, new)
           cross join lateral (
               -- The versions that the run has had: from which event on, and their names for the nodes before.
               select array_agg(p.seq order by p.seq) as seqs,
                      array_agg((p.data ->> 'version')::int order by p.seq) as versions,
                      array_agg(coalesce(p.data -> 'map', '{}') order by p.seq) as maps
                 from pawl.event p
                where p.bucket = p_bucket and p.run_id = u.old
                  and (p.seq = 0 or p.type = 18 and not p.data ? 'refused')
               offset 0
           ) as parts
           cross join lateral (
               select array(
                          select v.version || ' ' || coalesce(n.node ->> 'id', n.node ->> 'name')
                            from pawl.workflow_version v
                           cross join lateral jsonb_array_elements(pawl.steps_of(v.definition)) as n (node)
                           where v.workflow = c.workflow and v.version = any (parts.versions)
                             and n.node ->> 'on_failure' = 'continue'
                      ) as nodes
                 from pawl.run c
                where c.bucket = p_bucket and c.run_id = u.old
               offset 0
           ) as continuing
           cross join lateral (
               -- Whether the visit of the node came to an end at this event or later: it completed, or gave up and the
               -- run went on. The node may have got another name in between.
               select f.*,
                      bool_or(
                          f.type in (1, 7, 16)
                          or f.type = 2 and f.data -> 'retry_at' is null
                          and (parts.versions[width_bucket(f.seq, parts.seqs)] || ' ' || f.node = any (continuing.nodes)
                               or f.data ?| array['caught', 'withdrawn'])
                      ) over (
                          partition by pawl.name_later(f.node, parts.maps[width_bucket(f.seq, parts.seqs) + 1 :]),
                                       f.token
                              order by f.seq desc
                      ) as finished,
                      min(f.at) filter (where f.type = 0) over () as began_at,
                      bool_or(f.type = 14) over () as undone,
                      bool_or(f.type in (5, 6) and f.error ? 'not_undone') over () as resumes
                 from pawl.event f
                where f.bucket = p_bucket and f.run_id = u.old
               offset 0
           ) as e
           where e.type not in (4, 5, 6)
             -- One that could not undo everything goes on with that.
             and (e.resumes
                  -- What was undone must be done again: such a run begins anew, in the version it had at last.
                  or e.type <> 20 and (e.type <> 2 or e.finished) and (not e.undone or e.type = 0)
                  -- Children, callbacks and locks answer the old run and do not know the new one: it asks again.
                  and (e.type <> 3 or coalesce(e.data ->> 'for', '') not in ('child', 'callback', 'lock'))
                  -- A wait that was not over begins anew with all of its time, and a person is asked anew. What ends
                  -- the run has no node.
                  and (e.finished or e.node is null or e.type <> 11
                       and (e.type <> 3 or coalesce(e.data ->> 'for', '') not in ('event', 'signal', 'task')))
                  and (e.type <> 10 or e.data ->> 'kind' not in ('child', 'callback', 'lock', 'task')))
      ) as kept;
    insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, error, token)
    select u.new, now(), l.seq, p_bucket, 14, 0, null,
           jsonb_strip_nulls(jsonb_build_object(
               'status', case when l.type = 6 then 'cancelled' when l.code = 'compensation_failed' then 'completed'
                              else 'failed' end,
               'reason', l.reason, 'undo', l.undo
           )),
           case when l.type = 5 and l.code <> 'compensation_failed' then l.error - 'not_undone' end, 0
      from unnest(v_old, v_new) as u (old, new)
     cross join lateral (
         select f.type, f.error, f.error ->> 'code' as code, f.data ->> 'reason' as reason,
                (select count(*) from pawl.event c where c.bucket = p_bucket and c.run_id = u.new) as seq,
                (select jsonb_agg(n.one -> 'record' order by (n.one ->> 'record')::bigint)
                   from jsonb_array_elements(f.error -> 'not_undone') as n (one)) as undo
           from pawl.event f
          where f.bucket = p_bucket and f.run_id = u.old and f.type in (5, 6) and f.error ? 'not_undone'
         offset 0
     ) as l;
    insert into pawl.live_run
        (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
    select u.new, now(), p_tenant, r.workflow, r.version, p_bucket, 0, coalesce(r.priority, 0), r.subject, r.flow,
           case when r.flow is not null then 2 end
      from unnest(v_old, v_new) as u (old, new)
     cross join lateral (
         select c.workflow, c.version, c.subject,
                (select (e.data ->> 'priority')::smallint
                   from pawl.event e
                  where e.bucket = p_bucket and e.run_id = u.old and e.seq = 0) as priority,
                (select (e.data -> 'flow') - 'gather'
                   from pawl.event e
                  where e.bucket = p_bucket and e.run_id = u.old and e.seq = 0) as flow
           from pawl.run c
          where c.bucket = p_bucket and c.run_id = u.old
         offset 0
     ) as r;
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox_starts(p_bucket, v_new);
    end if;
    update pawl.run r
       set retried_as = v_new[array_position(v_old, r.run_id)]
     where r.bucket = p_bucket and r.run_id = any (v_old);
    update pawl.dead_letter d
       set replayed_as = v_new[array_position(v_old, d.run_id)], replayed_at = now()
     where d.bucket = p_bucket and d.run_id = any (v_old);
end
$$;

CREATE FUNCTION pawl.rfc3339(p_at timestamp with time zone) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN to_char((p_at AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'::text);

CREATE FUNCTION pawl.row_condition(p_table regclass) RETURNS text
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
    v_name text := (select c.relname from pg_class c where c.oid = p_table);
    v_columns text[] := array(
        select a.attname from pg_attribute a where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped
    );
begin
    case
        -- Secrets and settings of those who run the service, and queues that hold nothing but numbers.
        when v_name in ('api_key', 'tenant_role', 'worker', 'migration', 'condition_table', 'inbox_pending',
                        'trigger_pending') then
            return null;
        when v_name = 'tenant' then
            return 'id = (select pawl.current_tenant())';
        when 'tenant' = any (v_columns) then
            return 'tenant = (select pawl.current_tenant())';
        when array['bucket', 'run_id'] <@ v_columns then
            return format(
                'exists (select 1 from pawl.live_run o where o.bucket = %1$I.bucket and o.run_id = %1$I.run_id'
                ' and o.tenant = (select pawl.current_tenant()))'
                ' or exists (select 1 from pawl.run o where o.bucket = %1$I.bucket and o.run_id = %1$I.run_id'
                ' and o.tenant = (select pawl.current_tenant()))', v_name
            );
        when 'gate' = any (v_columns) then
            -- Begins with the tenant; those of nobody are the engine's.
            return 'split_part(gate, ''/'', 1) = (select pawl.current_tenant())::text';
        when 'workflow' = any (v_columns) then
            return format('exists (select 1 from pawl.workflow o where o.id = %I.workflow'
                          ' and o.tenant = (select pawl.current_tenant()))', v_name);
        when array['bucket', 'task'] <@ v_columns then
            return format('exists (select 1 from pawl.human_task o where o.bucket = %1$I.bucket and o.id = %1$I.task'
                          ' and o.tenant = (select pawl.current_tenant()))', v_name);
        else
            return null;
    end case;
end
$_$;

CREATE FUNCTION pawl.run_of_key(p_tenant integer, p_key text, OUT workflow integer, OUT run uuid) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
    select c.workflow, c.run_id into workflow, run
      from pawl.correlation c
     where c.bucket = (select t.bucket from pawl.tenant t where t.id = p_tenant) and c.tenant = p_tenant
       and c.workflow = any (array(select w.id from pawl.workflow w where w.tenant = p_tenant)) and c.key = p_key
     order by c.at
     limit 1;
end
$$;

CREATE FUNCTION pawl.runs_done(p_bucket smallint, p_run uuid[]) RETURNS TABLE(run_id uuid, status text, error text, dead boolean, last_seq integer)
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    BEGIN ATOMIC
 SELECT u.run_id,
         CASE
             WHEN (r.status IS NOT NULL) THEN pawl.run_status_name(r.status)
             WHEN ((l.state = 2) OR (l.due_at > now())) THEN 'waiting'::text
             ELSE 'open'::text
         END AS "case",
     (r.error ->> 'message'::text),
     (r.status = 2),
     ( SELECT e.seq
            FROM pawl.event e
           WHERE ((e.bucket = runs_done.p_bucket) AND (e.run_id = u.run_id) AND (e.type <> 19))
           ORDER BY e.seq DESC
          LIMIT 1) AS seq
    FROM ((unnest(runs_done.p_run) WITH ORDINALITY u(run_id, place)
      LEFT JOIN LATERAL ( SELECT h.state,
             h.due_at
            FROM pawl.live_run h
           WHERE ((h.bucket = runs_done.p_bucket) AND (h.run_id = u.run_id))
          OFFSET 0) l ON (true))
      LEFT JOIN LATERAL ( SELECT c.status,
             c.error
            FROM pawl.run c
           WHERE ((c.bucket = runs_done.p_bucket) AND (c.run_id = u.run_id))
          OFFSET 0) r ON (true))
   ORDER BY u.place;
END;

CREATE FUNCTION pawl.runs_to_do(p_bucket smallint, p_tenant integer, p_limit integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    BEGIN ATOMIC
 SELECT l.run_id
    FROM pawl.live_run l
   WHERE ((l.bucket = runs_to_do.p_bucket) AND (l.tenant = runs_to_do.p_tenant) AND (((l.state = 0) AND (l.due_at <= now())) OR (l.state = 1)))
   ORDER BY l.due_at, l.run_id
  LIMIT runs_to_do.p_limit;
END;

CREATE FUNCTION pawl.save_draft(p_tenant integer, p_name text, p_definition jsonb) RETURNS TABLE(id integer, version integer, changed boolean)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
#variable_conflict use_column
declare
    v_newest jsonb;
begin
    perform pawl.hold_definitions(p_tenant);
    id := pawl.workflow_id(p_tenant, p_name);
    select v.version, v.definition into version, v_newest
      from pawl.workflow_version v where v.workflow = save_draft.id order by v.version desc limit 1;
    changed := v_newest is distinct from p_definition;
    if changed and pawl.label_of(p_definition) is not null then
        select v.version, false into version, changed
          from pawl.workflow_version v
         where v.workflow = save_draft.id and v.label = pawl.label_of(p_definition) and v.definition = p_definition
         union all
        select save_draft.version, true
         limit 1;
    end if;
    if changed then
        version := coalesce(version, 0) + 1;
        perform pawl.refuse_label(save_draft.id, pawl.label_of(p_definition), save_draft.version);
        insert into pawl.workflow_version (workflow, version, definition, label, draft)
        values (save_draft.id, save_draft.version, p_definition, pawl.label_of(p_definition), true);
        perform pawl.note_version(p_tenant, save_draft.id, 'drafted', save_draft.version);
    end if;
    return next;
end
$$;

CREATE FUNCTION pawl.scan_open_runs(p_bucket smallint, p_tenant integer, p_workflow integer, p_status text[], p_subject text, p_from uuid, p_before uuid, p_limit bigint) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_custom_plan'
    SET jit TO 'off'
    SET enable_indexscan TO 'off'
    SET enable_indexonlyscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_seqscan TO 'on'
    SET enable_sort TO 'on'
    SET max_parallel_workers_per_gather TO '0'
    AS $$
begin
    return query
    select l.run_id
      from pawl.live_run l
     where l.bucket = p_bucket and l.tenant = p_tenant and l.run_id >= p_from and l.run_id < p_before
       and (p_workflow is null or l.workflow = p_workflow) and (p_subject is null or l.subject = p_subject)
       and (p_status is null or pawl.open_status_name(l.state, l.due_at) = any (p_status))
     order by l.run_id desc
     limit p_limit;
end
$$;

CREATE FUNCTION pawl.scan_placeholder(p_text text, INOUT quote text, INOUT depth integer, OUT place integer) RETURNS record
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_chars text[] := string_to_array(p_text, null);
    v_char text;
begin
    place := 1;
    while place <= cardinality(v_chars) loop
        v_char := v_chars[place];
        if quote is not null then
            if v_char = '\' then
                place := place + 1;
            elsif v_char = quote then
                quote := null;
            end if;
        elsif v_char in ('"', '''') then
            quote := v_char;
        elsif v_char in ('{', '[') then
            depth := depth + 1;
        elsif depth > 0 and v_char in ('}', ']') then
            depth := depth - 1;
        elsif v_char = '}' and v_chars[place + 1] = '}' then
            return;
        end if;
        place := place + 1;
    end loop;
    place := 0;
end
$$;

CREATE FUNCTION pawl.secure() RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_role text;
begin
    return query select pawl.secure_roles();
    perform pawl.secure_table(c.oid, c.relowner::regrole)
       from pg_class c
      where c.relnamespace = 'pawl'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      order by c.relname;
    perform pawl.secure_functions();
    foreach v_role in array array['pawl_worker', 'pawl_api', 'pawl_user'] loop
        continue when to_regrole(v_role) is null;
        execute format('grant usage on schema pawl to %I', v_role);
        if v_role <> 'pawl_user' then
            execute format('grant usage on all sequences in schema pawl to %I', v_role);
        end if;
        perform pawl.secure_view(c.oid, v_role::regrole)
           from pg_class c
           join pg_namespace n on n.oid = c.relnamespace
          where c.relkind = 'v' and c.relname = any (pawl.views_for_users())
            and (n.nspname = 'pawl'
                 or n.nspname = 'public' and pg_get_viewdef(c.oid) ~ ('FROM pawl\.' || c.relname || '\M'));
    end loop;
end
$$;

CREATE FUNCTION pawl.secure_functions() RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    c_for_users constant text[] := array['start', 'start_many', 'emit', 'signal', 'cancel', 'status', 'result',
                                         'current_tenant', 'session_role', 'is_engine', 'fw_has_org_access',
                                         'fw_enqueue_form_submission_automation', 'fw_claim_queued_executions',
                                         'fw_finish_execution'];
    v_function record;
begin
    for v_function in
        select p.oid::regprocedure as name, p.prosecdef,
               (select s.setting from unnest(p.proconfig) as s (setting) where s.setting like 'search\_path=%') as path,
               p.proname = any (c_for_users) or p.proname like 'execution\_%' or p.provolatile = 'i' as for_users,
               p.prosrc ~ 'pawl\.(require|current|sql|organization)_tenant\(' or p.proname = any (c_for_users) as asks
          from pg_proc p
         where p.pronamespace = 'pawl'::regnamespace and p.prokind = 'f'
    loop
        execute format('revoke execute on function %s from public', v_function.name);
        if v_function.prosecdef and v_function.path = 'search_path=pg_catalog' then
            -- Temporary tables last: one called pg_class would come first otherwise.
            execute format('alter function %s set search_path = pg_catalog, pg_temp', v_function.name);
        end if;
        if to_regrole('pawl_worker') is not null then
            execute format('grant execute on function %s to pawl_worker', v_function.name);
        end if;
        if to_regrole('pawl_api') is not null and (v_function.asks or not v_function.prosecdef) then
            execute format('grant execute on function %s to pawl_api', v_function.name);
        end if;
        if to_regrole('pawl_user') is not null and v_function.for_users then
            execute format('grant execute on function %s to pawl_user', v_function.name);
        end if;
    end loop;
end
$$;

CREATE FUNCTION pawl.secure_policy(p_table regclass, p_name text, p_role text, p_condition text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if not exists (select 1 from pg_policy y where y.polrelid = p_table and y.polname = p_name) then
        execute format('create policy %I on %s to %s using (%s) with check (%s)', p_name, p_table, p_role, p_condition,
                       p_condition);
    elsif p_name = 'owner' and not exists (
        select 1 from pg_policy y
         where y.polrelid = p_table and y.polname = p_name and p_role::regrole::oid = any (y.polroles)
    ) then
        execute format('alter policy %I on %s to %s', p_name, p_table, p_role);
    end if;
end
$$;

CREATE FUNCTION pawl.secure_roles() RETURNS SETOF text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_role text;
    v_owner text := (select n.nspowner::regrole::text from pg_namespace n where n.nspname = 'pawl');
begin
    foreach v_role in array array['pawl_worker', 'pawl_api', 'pawl_user'] loop
        continue when to_regrole(v_role) is not null;
        begin
            execute format('create role %I nologin', v_role);
        exception
            -- Roles belong to the whole cluster: another database may be making them at this moment.
            when duplicate_object or unique_violation then
                null;
            when insufficient_privilege then
                return next format('%s may not create roles. Ask who may for: create role %s nologin', current_user,
                                   v_role);
        end;
    end loop;
    -- The owner, when it serves requests itself, steps down for them.
    if to_regrole('pawl_api') is not null and not pg_has_role(v_owner::regrole::oid, 'pawl_api', 'member') then
        begin
            execute format('grant pawl_api to %s', v_owner);
        exception when insufficient_privilege or unique_violation or internal_error then
            return next format('%s may not grant roles. Ask who may for: grant pawl_api to %s', current_user, v_owner);
        end;
    end if;
    -- To see how long transactions of others have been open: the feed of events waits for them.
    if to_regrole('pawl_worker') is not null and not pg_has_role('pawl_worker', 'pg_read_all_stats', 'member') then
        begin
            grant pg_read_all_stats to pawl_worker;
        exception when insufficient_privilege or unique_violation or internal_error then
            null;
        end;
    end if;
end
$$;

CREATE FUNCTION pawl.secure_table(p_table regclass, p_owner regrole) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_condition text := pawl.row_condition(p_table);
    v_name text := (select c.relname from pg_class c where c.oid = p_table);
begin
    if not (select c.relrowsecurity and c.relforcerowsecurity from pg_class c where c.oid = p_table) then
        execute format('alter table %s enable row level security, force row level security', p_table);
    end if;
    if not (select r.rolsuper from pg_roles r where r.oid = p_owner) then
        perform pawl.secure_policy(p_table, 'owner', p_owner::text, 'true');
    end if;
    if v_name = 'condition_table' then
        -- Says which tables conditions may ask, to the roles that ask them (pawl.allow_sql_role).
        perform pawl.secure_policy(p_table, 'login', 'public', 'tenant = 0 or tenant = pawl.condition_tenant(tenant)');
    end if;
    if to_regrole('pawl_worker') is not null then
        perform pawl.secure_policy(p_table, 'engine', 'pawl_worker', 'true');
        execute format('grant select, insert, update, delete on %s to pawl_worker', p_table);
    end if;
    if v_name in ('live_run', 'run', 'event', 'correlation', 'workflow', 'workflow_version', 'tenant')
       and to_regrole('pawl_user') is not null then
        -- What pawl.workflow_executions reads.
        perform pawl.secure_policy(p_table, 'sql_user', 'pawl_user', v_condition);
        execute format('grant select on %s to pawl_user', p_table);
    end if;
    if to_regrole('pawl_api') is not null and v_condition is not null then
        perform pawl.secure_policy(p_table, 'tenant', 'pawl_api', v_condition);
        -- The log and the ends of runs are written by functions and workers alone, and whose a queue is by its owner.
        execute format('grant %s on %s to pawl_api',
                       case when v_name in ('event', 'run', 'tenant', 'queue', 'webhook_queue') then 'select'
                            else 'select, insert, update, delete' end, p_table);
    end if;
end
$$;

CREATE FUNCTION pawl.secure_view(p_view regclass, p_role regrole) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_as_caller boolean := exists (
        select 1
          from pg_class c
         cross join lateral pg_options_to_table(c.reloptions) as o
         where c.oid = p_view and o.option_name = 'security_invoker' and o.option_value::boolean
    );
begin
    execute format('grant select on %s to %s', p_view, p_role);
    if p_role <> 'pawl_user'::regrole or v_as_caller then
        execute format('grant insert, update, delete on %s to %s', p_view, p_role);
    else
        execute format('revoke insert, update, delete on %s from %s', p_view, p_role);
    end if;
end
$$;

CREATE FUNCTION pawl.send_signal_once(p_bucket smallint, p_tenant integer, p_key text, p_run uuid, p_kind text, p_data jsonb, OUT before boolean, OUT reached boolean) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_mark text := 'sent:' || encode(sha256(convert_to(p_key, 'UTF8')), 'hex');
begin
    insert into pawl.idempotency_key (tenant, key, fingerprint, status, headers, body)
    values (p_tenant, v_mark, '', 202, '{}', '')
        on conflict do nothing;
    before := not found;
    if before then
        reached := true;
        -- The caller is told that the message is kept: that waits for whatever the mark's own commit waited for.
        perform pg_logical_emit_message(true, 'pawl', '');
        return;
    end if;
    reached := exists (
        select 1 from pawl.leave_signals(p_bucket, array[p_run], array[p_kind], array[p_data], true)
    );
    if not reached then
        delete from pawl.idempotency_key k where k.tenant = p_tenant and k.key = v_mark;
    end if;
end
$$;

CREATE FUNCTION pawl.send_signals(p_bucket smallint, p_run uuid[], p_kind text[], p_data jsonb[]) RETURNS SETOF uuid
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    BEGIN ATOMIC
 SELECT leave_signals.leave_signals
    FROM pawl.leave_signals(send_signals.p_bucket, send_signals.p_run, send_signals.p_kind, send_signals.p_data, true) leave_signals(leave_signals);
END;

CREATE FUNCTION pawl.send_to_queue(p_queue text, p_message jsonb[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform pgmq.send_batch(p_queue, p_message);
end
$$;

CREATE FUNCTION pawl.set_canary(p_tenant integer, p_name text, p_canary jsonb) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_head pawl.definition;
    v_problem text;
begin
    perform pawl.hold_definitions(p_tenant);
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_name;
    if not found then
        return 'there is no such workflow';
    end if;
    select case when v.version is null then format('there is no version %s of it', c.version)
                when v.retired_at is not null then format('version %s is retired', c.version)
                when c.version = v_head.version then format('version %s is the head: it gets what the others leave',
                                                            c.version)
                when c.share not between 0 and 100 then format('the share of version %s must be from 0 to 100',
                                                               c.version) end
      into v_problem
      from jsonb_to_recordset(coalesce(p_canary, '[]')) as c (version int, share numeric)
      left join pawl.workflow_version v on v.workflow = v_head.workflow and v.version = c.version
     where v.version is null or v.retired_at is not null or c.version = v_head.version
        or c.share not between 0 and 100 or c.share is null
     order by c.version
     limit 1;
    if found then
        return coalesce(v_problem, 'every version needs a share');
    end if;
    if (select sum(c.share) from jsonb_to_recordset(p_canary) as c (share numeric)) > 100 then
        return 'the shares come to more than 100 percent';
    elsif (select count(*) <> count(distinct c.version) from jsonb_to_recordset(p_canary) as c (version int)) then
        return 'a version is named twice';
    end if;
    update pawl.workflow_version v
       set draft = false
     where v.workflow = v_head.workflow and v.draft
       and v.version in (select c.version from jsonb_to_recordset(p_canary) as c (version int));
    update pawl.definition d
       set restore = d.version, canary = nullif(p_canary, '[]')
     where d.workflow = v_head.workflow and d.canary is distinct from nullif(p_canary, '[]');
    return null;
end
$$;

CREATE FUNCTION pawl.set_limit(p_tenant integer, p_workflow text, p_name text, p_key text, p_limit integer) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_workflow int := 0;
    v_gate text collate "C";
    v_bucket smallint;
begin
    if p_limit not between 0 and 1000000 then
        raise exception 'a limit is a number from 0 to 1000000' using errcode = 'invalid_parameter_value';
    elsif coalesce(p_name, '') = '' or strpos(p_name, '/') > 0 then
        raise exception 'a limit has a name, without a slash' using errcode = 'invalid_parameter_value';
    end if;
    if p_workflow is not null then
        select w.id into v_workflow from pawl.workflow w where w.tenant = p_tenant and w.name = p_workflow;
        if not found then
            return null;
        end if;
    end if;
    v_gate := format('%s/%s/%s/%s', p_tenant, v_workflow, p_name, left(p_key, 200));
    if p_limit is null then
        delete from pawl.flow_limit l where l.gate = v_gate;
    else
        insert into pawl.flow_limit (gate, "limit") values (v_gate, p_limit)
            on conflict (gate) do update set "limit" = excluded."limit", at = now();
    end if;
    -- In the order in which others lock them.
    perform 1
       from pawl.flow_gate g
      where g.gate >= v_gate and g.gate < v_gate || chr(1114111) and (p_key is null or g.gate = v_gate)
      order by g.gate
        for no key update;
    for v_bucket in
        with changed as (
            update pawl.flow_gate g
               set "limit" = pawl.limit_of(g.gate, g.base), look = true
             where g.gate >= v_gate and g.gate < v_gate || chr(1114111) and (p_key is null or g.gate = v_gate)
            returning g.bucket
        )
        select distinct c.bucket from changed c
    loop
        perform pg_notify('pawl_wake', v_bucket::text);
    end loop;
    return v_gate;
end
$$;

CREATE FUNCTION pawl.settle_outbox(p_bucket smallint, p_target integer, p_shard smallint, p_worker uuid, p_run uuid[], p_seq integer[], p_state smallint[], p_tried boolean[], p_status smallint[], p_response text[], p_error text[], p_wait bigint[], p_pause bigint, p_disable text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_ours boolean := p_shard is null;
begin
    if p_shard is not null then
        -- First of all: whoever takes or settles messages of the shard waits here, and nowhere else.
        select s.worker is not distinct from p_worker into v_ours
          from pawl.outbox_lease s
         where s.target = p_target and s.shard = p_shard
           for update;
    end if;
    update pawl.outbox o
       set state = u.state,
           attempts = least(o.attempts + case when u.tried then 1 else 0 end, 32767),
           due_at = case when u.state >= 2 then null
                         when u.wait > 0 then now() + make_interval(secs => u.wait / 1000.0)
                         else least(o.due_at, now()) end,
           finished_at = case when u.state >= 2 then now() end,
           status = case when u.tried then u.status else o.status end,
           response = case when u.tried then u.response else o.response end,
           error = case when u.tried then u.error else coalesce(u.error, o.error) end
      from (
          select v.*, x.row_id
            from unnest(p_run, p_seq, p_state, p_tried, p_status, p_response, p_error, p_wait)
                 as v (run_id, seq, state, tried, status, response, error, wait)
           cross join lateral (
               select h.ctid as row_id
                 from pawl.outbox h
                where h.bucket = p_bucket and h.target = p_target and h.run_id = v.run_id and h.seq = v.seq
               offset 0
           ) as x
           where v_ours or v.state = 2
      ) as u
     where o.ctid = u.row_id and (o.state = 1 or p_shard is null);
    if v_ours is not true then
        return;
    end if;
    if exists (select 1 from unnest(p_wait) as u (wait) where u.wait > 0) then
        update pawl.outbox o
           set due_at = now() + make_interval(secs => u.wait / 1000.0)
          from (
              select v.wait, x.row_id
                from (select w.run_id, min(w.seq) as seq, max(w.wait) as wait
                        from unnest(p_run, p_seq, p_wait) as w (run_id, seq, wait)
                       where w.wait > 0
                       group by w.run_id) as v
               cross join lateral (
                   select h.ctid as row_id
                     from pawl.outbox h
                    where h.bucket = p_bucket and h.target = p_target and h.run_id = v.run_id and h.seq > v.seq
                   offset 0
               ) as x
          ) as u
         where o.ctid = u.row_id and o.due_at < now() + make_interval(secs => u.wait / 1000.0);
    end if;
    update pawl.outbox_lease s
       set worker = null, leased_until = '-infinity',
           next_at = coalesce(now() + make_interval(secs => p_pause / 1000.0), '-infinity'),
           failures = case when p_pause is null then 0 else s.failures + 1 end
     where s.target = p_target and s.shard = p_shard;
    if p_disable is not null then
        update pawl.outbox_target t
           set disabled_at = now(), disabled_because = p_disable
         where t.id = p_target and t.disabled_at is null;
    end if;
end
$$;

CREATE FUNCTION pawl.settle_queue(p_bucket smallint, p_queue text, p_done bigint[], p_unwanted bigint[], p_failed bigint[], p_reads integer[], p_reason text[], p_message jsonb[], p_of bigint[], p_run uuid[], p_tenant integer[], p_workflow integer[], p_version integer[], p_subject text[], p_data jsonb[], p_correlation text[], p_reentry smallint[]) RETURNS TABLE(started integer, dead integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '250ms'
    AS $_$
#variable_conflict use_column
declare
    v_settings record;
    v_gone bigint[] := '{}';
    v_left record;
    v_row record;
    v_message jsonb;
begin
    started := 0;
    dead := 0;
    select coalesce(max(c.reads_max), 5) as reads_max, coalesce(bool_or(c.archive), false) as archive,
           coalesce(max(c.dead_letter_queue), 'workflow_dlq') as dead_letter_queue
      into v_settings
      from pawl.consumed_queue c where c.name = p_queue;
    if p_done <> '{}' then
        if v_settings.archive then
            v_gone := array(select pgmq.archive(p_queue, p_done));
        else
            v_gone := array(select pgmq.delete(p_queue, p_done));
        end if;
    end if;
    if p_unwanted <> '{}' then
        perform pgmq.archive(p_queue, p_unwanted);
    end if;
    select array_agg(u.run order by u.place) as run, array_agg(u.tenant order by u.place) as tenant,
           array_agg(u.workflow order by u.place) as workflow, array_agg(u.version order by u.place) as version,
           array_agg(u.subject order by u.place) as subject, array_agg(u.data order by u.place) as data,
           array_agg(u.key order by u.place) as key, array_agg(u.reentry order by u.place) as reentry,
           count(*)::int as n, count(u.key) as keys
      into v_left
      from unnest(p_of, p_run, p_tenant, p_workflow, p_version, p_subject, p_data, p_correlation, p_reentry)
           with ordinality as u (message, run, tenant, workflow, version, subject, data, key, reentry, place)
     where u.message = any (v_gone)
       and pawl.claims_document_key(p_queue, u.tenant, u.workflow, u.key);
    if v_left.n > 0 then
        select v_left.n - count(*) into started
          from pawl.start_guarded_runs(
              p_bucket, null, false, v_left.run, v_left.tenant, v_left.workflow, v_left.version, v_left.subject,
              array_fill(0::smallint, array[v_left.n]), array_fill(null::timestamptz, array[v_left.n]), v_left.data,
              case when v_left.keys > 0 then v_left.key end, array_fill(false, array[v_left.n]), v_left.reentry
          );
    end if;
    for v_row in
        select u.id, u.reads, u.reason, u.message
          from unnest(p_failed, p_reads, p_reason, p_message) as u (id, reads, reason, message) order by u.id
    loop
        if v_row.reads < v_settings.reads_max then
            perform pgmq.set_vt(p_queue, v_row.id, least(300, 2 ^ least(v_row.reads, 10))::int);
            continue;
        end if;
        -- The engine cannot send back what it cannot read.
        v_message := v_row.message;
        if v_message is null then
            execute format('select q.message from pgmq.%I q where q.msg_id = $1', lower('q_' || p_queue))
               into v_message using v_row.id;
        end if;
        if exists (select 1 from pgmq.delete(p_queue, array[v_row.id])) then
            perform pawl.ensure_queue(v_settings.dead_letter_queue);
            perform pgmq.send(v_settings.dead_letter_queue,
                              pawl.dead_message(p_queue, v_row.id, v_message, v_row.reason, v_row.reads));
            dead := dead + 1;
        end if;
    end loop;
    return next;
end
$_$;

CREATE FUNCTION pawl.settle_signals(p_bucket smallint, p_limit integer) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_signal tid[];
    v_row tid[];
    v_worker uuid[];
    v_open boolean[];
    v_kind text[];
begin
    if not exists (select 1 from pawl.signal s where s.bucket = p_bucket and s.unsure) then
        return 0;
    end if;
    select array_agg(s.row_id), array_agg(l.row_id), array_agg(l.worker), array_agg(o.one is not null),
           array_agg(s.kind)
      into v_signal, v_row, v_worker, v_open, v_kind
      from (
          select s.ctid as row_id, s.run_id, s.kind
            from pawl.signal s
           where s.bucket = p_bucket and s.unsure
           order by s.id
           limit p_limit
             for update skip locked
      ) as s
      left join lateral (
          select 1 as one from pawl.live_run h where h.bucket = p_bucket and h.run_id = s.run_id offset 0
      ) as o on true
      left join lateral (
          select h.ctid as row_id, h.worker
            from pawl.live_run h
           where h.bucket = p_bucket and h.run_id = s.run_id
             for no key update skip locked
      ) as l on true;
    delete from pawl.signal s
     where s.ctid = any (array(
           select u.signal from unnest(v_signal, v_open) as u (signal, open) where not u.open
       ));
    update pawl.signal s
       set unsure = false, worker = u.worker
      from unnest(v_signal, v_row, v_worker) as u (signal, row_id, worker)
     where s.ctid = u.signal and u.row_id is not null;
    update pawl.live_run l
       set state = 0, due_at = least(l.due_at, now())
     where l.ctid = any (v_row) and l.state in (0, 2);
    if 'cancel' = any (v_kind) then
        perform pawl.leave_queue(p_bucket, array(
            select u.row_id from unnest(v_row, v_kind) as u (row_id, kind) where u.kind = 'cancel'
        ));
    end if;
    return (select count(*) from unnest(v_row, v_open) as u (row_id, open) where u.open and u.row_id is null);
end
$$;

CREATE FUNCTION pawl.share_queue(p_queue text, p_role text, p_open boolean) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_table text;
begin
    if to_regrole(quote_ident(p_role)) is null then
        return;
    end if;
    if p_open then
        execute format('grant usage on schema pgmq to %I', p_role);
    end if;
    foreach v_table in array array['q_', 'a_'] loop
        v_table := lower(v_table || p_queue);
        continue when to_regclass(format('pgmq.%I', v_table)) is null;
        if p_open then
            execute format('grant select, insert, update, delete on pgmq.%I to %I', v_table, p_role);
        else
            execute format('revoke all on pgmq.%I from %I', v_table, p_role);
        end if;
    end loop;
exception when insufficient_privilege then
    raise warning 'role % cannot be given the queue %: %', p_role, p_queue, sqlerrm;
end
$$;

CREATE FUNCTION pawl.shown_key(p_key text, p_chain jsonb, p_step jsonb, p_definition jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (p_key IS NULL) THEN NULL::text WHEN (EXISTS (SELECT 1 FROM jsonb_array_elements(pawl.steps_of(shown_key.p_definition)) s(step) WHERE ((s.step ->> 'compensate'::text) = COALESCE((shown_key.p_step ->> 'id'::text), (shown_key.p_step ->> 'name'::text))))) THEN NULL::text WHEN ((NOT (p_chain ? 'first_run'::text)) OR (p_step ?| ARRAY['call'::text, 'foreach'::text]) OR ((p_step ->> 'type'::text) = ANY (ARRAY['call'::text, 'foreach'::text]))) THEN p_key WHEN ((p_chain ? 'anew_run'::text) AND ((p_step ? 'compensate'::text) OR (split_part(p_key, ':'::text, 2) <> '0'::text))) THEN ((p_chain ->> 'anew_run'::text) || substr(p_key, 37)) ELSE ((p_chain ->> 'first_run'::text) || substr(p_key, 37)) END;

CREATE FUNCTION pawl.signal(run uuid, name text, data jsonb DEFAULT NULL::jsonb) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
begin
    if coalesce(name, '') = '' or octet_length(name) > 200 then
        raise exception 'a signal needs a name of 1 to 200 bytes' using errcode = 'invalid_parameter_value',
            hint = 'The one that a step waits for: wait: {signal: approved}.';
    end if;
    perform pawl.refuse_unreadable(data);
    if pawl.leave_message(
        pawl.sql_tenant(), run, 'signal', jsonb_build_object('name', name, 'data', data)
    ) then
        return true;
    end if;
    perform pawl.confirm_found();
    return false;
end
$$;

CREATE FUNCTION pawl.signals_at_once(p_bucket smallint, p_run uuid[]) RETURNS TABLE(id bigint, run_id uuid, kind text, data jsonb)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
    c_each constant int := 1000;
    c_bytes constant bigint := 16777216;
    c_message constant bigint := 1048576;
    c_packed constant bigint := 100;
begin
    return query
    select s.id, s.run_id, s.kind, s.data
      from (
          select h.id, h.run_id, h.kind, h.data,
                 sum(
                     case when pg_column_compression(h.data) is null then pg_column_size(h.data)
                          else least(c_message, c_packed * pg_column_size(h.data)) end
                 ) over (order by h.id rows between unbounded preceding and 1 preceding) as bytes
            from unnest(p_run) as u (run_id)
           cross join lateral (
               select g.id, g.run_id, g.kind, g.data
                 from pawl.signal g
                where g.bucket = p_bucket and g.run_id = u.run_id
                order by g.id
                limit c_each
           ) as h
      ) as s
     where s.bytes is null or s.bytes < c_bytes or s.kind in ('interrupted', 'repin')
     order by s.id;
end
$$;

CREATE FUNCTION pawl.since_start(p_bucket smallint, p_run uuid[], p_since timestamp with time zone[]) RETURNS timestamp with time zone[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
    return array(
        select least(u.since, e.at)
          from unnest(p_run, p_since) with ordinality as u (run_id, since, place)
          left join lateral (
              select f.at from pawl.event f where f.bucket = p_bucket and f.run_id = u.run_id and f.seq = 0 offset 0
          ) as e on true
         order by u.place
    );
end
$$;

CREATE FUNCTION pawl.sql_tenant() RETURNS pawl.tenant
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_tenant pawl.tenant;
begin
    select t.* into v_tenant from pawl.tenant t where t.id = pawl.current_tenant();
    if not found then
        raise exception 'role % belongs to no tenant', pawl.session_role() using errcode = 'insufficient_privilege',
            hint = format('The owner of the schema pawl can change that: select pawl.bind_role(%L, ''TENANT'')',
                          pawl.session_role());
    end if;
    return v_tenant;
end
$$;

CREATE FUNCTION pawl.start(workflow text, data jsonb DEFAULT '{}'::jsonb, correlation_id text DEFAULT NULL::text, subject text DEFAULT NULL::text, priority integer DEFAULT 0, start_at timestamp with time zone DEFAULT NULL::timestamp with time zone, triggered_by text DEFAULT 'sql'::text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
    v_head pawl.definition := pawl.startable(v_tenant.id, start.workflow);
    v_definition jsonb;
    v_data jsonb := coalesce(nullif(start.data, 'null'), '{}');
    v_bytes int := octet_length(v_data::text);
begin
    if jsonb_typeof(v_data) <> 'object' or v_bytes > 1048576 or start.correlation_id = ''
        or octet_length(start.correlation_id) > 400 or octet_length(start.subject) > 500
        or octet_length(start.triggered_by) > 200 or start.priority not between -32768 and 32767
        or not isfinite(start.start_at) or start.start_at >= timestamptz '10000-01-01 00:00:00+00'
        or start.start_at < timestamptz '0001-01-01 00:00:00+00'
    then
        perform pawl.refuse_start(
            v_data, start.correlation_id, start.subject, start.priority, start.start_at, start.triggered_by, ''
        );
    end if;
    if v_head.canary is not null then
        v_head.version := pawl.choose_version(
            v_head.workflow, v_head.version, v_head.canary,
            coalesce(nullif(start.subject, ''), start.correlation_id, gen_random_uuid()::text)
        );
    end if;
    select v.definition into v_definition
      from pawl.workflow_version v
     where v.workflow = v_head.workflow and v.version = v_head.version;
    perform pawl.refuse_input(start.workflow, v_definition, v_data, '');
    perform pawl.check_limits(v_tenant, 1, v_bytes);
    return (
        select s.run_id
          from pawl.start_checked(
              v_tenant.bucket, v_head, v_definition, array[v_data], array[start.correlation_id],
              array[nullif(start.subject, '')], array[coalesce(start.priority, 0)::smallint], array[start.start_at],
              start.triggered_by
          ) s
    );
end
$$;

CREATE FUNCTION pawl.start_checked(p_bucket smallint, p_head pawl.definition, p_definition jsonb, p_data jsonb[], p_correlation text[], p_subject text[], p_priority smallint[], p_start_at timestamp with time zone[], p_triggered_by text) RETURNS TABLE(place bigint, run_id uuid, created boolean)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
#variable_conflict use_column
declare
    v_found boolean := false;
    v_count int := cardinality(p_data);
    v_reentry smallint := case p_definition ->> 'reentry' when 'once' then 1 when 'while_none_open' then 2 else 0 end;
    -- In order: of two with one key the first is started.
    v_run uuid[] := array(select pawl.uuid7() from generate_series(1, v_count) order by 1);
begin
    perform pawl.refuse_unreadable(u.data) from unnest(p_data) as u (data);
    -- The engine starts runs of many tenants together: none of its keys may be held by an open transaction.
    if exists (
        select 1 from unnest(p_correlation) as c (key)
         where c.key ~ '^(event:|schedule:[0-9]+:[0-9]{4}-|call:[0-9a-f]{8}-[0-9a-f]{4}-)'
    ) then
        raise exception 'correlation ids such as event:..., schedule:17:2026-... and call:... are the engine''s own'
            using errcode = 'reserved_name', hint = 'Take another, such as order-17.';
    end if;
    for place, run_id, created in
    with existing as materialized (
        select s.requested, s.existing
          from pawl.start_guarded_runs(
              p_bucket, null, false, v_run, array_fill((p_head).tenant, array[v_count]),
              array_fill((p_head).workflow, array[v_count]), array_fill((p_head).version, array[v_count]),
              p_subject, p_priority, p_start_at,
              array(
                  select pawl.first_event(p_head, u.data, u.key, u.subject, u.start_at, p_triggered_by)
                    from unnest(p_data, p_correlation, p_subject, p_start_at) with ordinality
                         as u (data, key, subject, start_at, n)
                   order by u.n
              ),
              case when exists (select 1 from unnest(p_correlation) as c where c is not null) then p_correlation end,
              array_fill(false, array[v_count]), array_fill(v_reentry, array[v_count])
          ) s
    )
    select u.n, coalesce(e.existing, u.run_id), e.existing is null
      from unnest(v_run) with ordinality as u (run_id, n)
      left join existing e on e.requested = u.run_id
     order by u.n
    loop
        v_found := v_found or not created;
        return next;
    end loop;
    if v_found then
        perform pawl.confirm_found();
    end if;
    if exists (select 1 from unnest(p_start_at) as s (at) where s.at is null or s.at <= now()) then
        perform pawl.wake_at_commit(p_bucket);
    end if;
end
$$;

CREATE FUNCTION pawl.start_entries(p_bucket smallint, p_head pawl.definition, p_runs jsonb, p_place bigint[], p_triggered_by text) RETURNS TABLE(place bigint, run_id uuid, created boolean)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $_$
#variable_conflict use_column
declare
    v_definition jsonb;
    v_needs record;
    v_paths jsonb;
    v_entry record;
    v_part int;
begin
    select v.definition into v_definition
      from pawl.workflow_version v
     where v.workflow = (p_head).workflow and v.version = (p_head).version;
    -- What is missing when nothing is given is what must be given. To find that out anew for each run takes long; so
    -- only a run that seems to be wrong is looked at closely.
    v_needs := pawl.missing_input(v_definition, '{}');
    v_paths := (
        select jsonb_agg(jsonb_build_array(
                   p.segments, case when p.segments -> 0 ->> 1 = 'input' then 1 else 0 end
               ))
          from unnest(v_needs.variables) as v (path)
         cross join lateral pawl.parse_path(v.path) as p
    );
    for v_entry in
        select e.entry, format('runs[%s]: ', coalesce(p_place[e.n::int], e.n) - 1) as place
          from jsonb_array_elements(p_runs) with ordinality as e (entry, n)
         where v_needs.problem is not null
            or case when jsonb_typeof(e.entry) <> 'object' or jsonb_typeof(e.entry -> 'data') <> 'object'
                      or e.entry - array['data', 'correlation_id', 'subject', 'priority', 'start_at'] <> '{}'
                      or e.entry ->> 'correlation_id' = '' or octet_length(e.entry ->> 'correlation_id') > 400
                      or octet_length(e.entry ->> 'subject') > 500 or octet_length((e.entry -> 'data')::text) > 1048576
                      or e.entry ->> 'priority' !~ '^-?[0-9]{1,4}$'
                      or e.entry ->> 'start_at' !~ '^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9:.]+([-+][0-9:]+|Z)?$' then true
                    else not coalesce(e.entry -> 'data', '{}') ?& v_needs.fields
                      or exists (
                          select 1
                            from jsonb_array_elements(v_paths) as p (need)
                           where pawl.walk(
                                     coalesce(e.entry -> 'data', '{}'), p.need -> 0, (p.need ->> 1)::int
                                 ) is null
                      ) end
         order by e.n
    loop
        perform pawl.refuse_entry(v_entry.entry, v_entry.place);
        perform pawl.refuse_input(
            (p_head).name, v_definition, coalesce(nullif(v_entry.entry -> 'data', 'null'), '{}'), v_entry.place
        );
    end loop;
    for v_part in 0 .. (jsonb_array_length(p_runs) - 1) / 1000 loop
        return query
        select coalesce(p_place[(v_part * 1000 + s.place)::int], v_part * 1000 + s.place), s.run_id, s.created
          from (
              select array_agg(coalesce(nullif(e.entry -> 'data', 'null'), '{}') order by e.n) as data,
                     array_agg(e.entry ->> 'correlation_id' order by e.n) as correlation,
                     array_agg(nullif(e.entry ->> 'subject', '') order by e.n) as subject,
                     array_agg(coalesce((e.entry ->> 'priority')::smallint, 0::smallint) order by e.n) as priority,
                     array_agg((e.entry ->> 'start_at')::timestamptz order by e.n) as start_at
                from jsonb_array_elements(p_runs) with ordinality as e (entry, n)
               where e.n > v_part * 1000 and e.n <= (v_part + 1) * 1000
          ) as part
         cross join lateral pawl.start_checked(
             p_bucket, p_head, v_definition, part.data, part.correlation, part.subject, part.priority,
             part.start_at, p_triggered_by
         ) as s
         where part.data is not null;
    end loop;
end
$_$;

CREATE FUNCTION pawl.start_execution() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_version int;
    v_taken record;
begin
    if new.id is not null then
        raise exception 'a run gets its id when it is started' using errcode = 'invalid_parameter_value',
            hint = 'Leave id out and read it with RETURNING id; give a correlation_id to start a run only once.';
    elsif new.status <> 'pending' then
        raise exception 'a run cannot be inserted as %', new.status using errcode = 'invalid_parameter_value',
            hint = 'Leave status out: the run is pending until a worker takes it.';
    end if;
    select d.version into v_version
      from pawl.definition d
     where d.tenant = pawl.current_tenant() and d.name = new.workflow_name;
    if new.workflow_version <> v_version then
        raise exception 'workflow % is at version %, not %', new.workflow_name, v_version, new.workflow_version
            using errcode = 'invalid_parameter_value',
                  hint = 'Leave workflow_version out, or make that version the active one: pawl.activate_workflow.';
    end if;
    if new.correlation_id <> '' then
        loop
            select r.run, r.mine into v_taken
              from pawl.reserve_document_key(pawl.current_tenant(), new.workflow_name, new.correlation_id) r;
            exit when v_taken.mine or v_taken.run is not null;
            perform pg_sleep(0.05);
        end loop;
        new.id := v_taken.run;
    end if;
    if new.id is null then
        new.id := pawl.start(new.workflow_name, new.input_payload, new.correlation_id,
                             triggered_by => coalesce(new.triggered_by, 'sql'));
    end if;
    select e.* into new from pawl.workflow_executions e where e.id = new.id;
    return new;
end
$$;

CREATE FUNCTION pawl.start_guarded_runs(p_bucket smallint, p_worker uuid, p_resend boolean, p_run uuid[], p_tenant integer[], p_workflow integer[], p_version integer[], p_subject text[], p_priority smallint[], p_due timestamp with time zone[], p_data jsonb[], p_correlation text[], p_lease boolean[], p_reentry smallint[], p_flow jsonb[] DEFAULT NULL::jsonb[]) RETURNS TABLE(requested uuid, existing uuid)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_skip uuid[] := '{}';
    v_row record;
begin
    -- A start that happened already is not in its own way, whatever became of its run.
    for requested, existing in
        select u.run_id, held.run_id
          from unnest(p_run, p_tenant, p_workflow, p_correlation) as u (run_id, tenant, workflow, key)
         cross join lateral (
             select c.run_id
               from pawl.correlation c
              where c.bucket = p_bucket and c.tenant = u.tenant and c.workflow = u.workflow and c.key = u.key
             offset 0
         ) as held
         where held.run_id <> u.run_id
    loop
        v_skip := v_skip || requested;
        return next;
    end loop;
    -- One after the other and in order: of two new runs of one subject the second finds the first, and two such
    -- transactions do not deadlock.
    for v_row in
        select u.run_id, u.tenant, u.workflow, u.subject, u.reentry
          from unnest(p_run, p_tenant, p_workflow, p_subject, p_reentry)
               as u (run_id, tenant, workflow, subject, reentry)
         where u.reentry > 0 and u.subject is not null and u.run_id <> all (v_skip)
         order by u.tenant, u.workflow, u.subject, u.run_id
    loop
        insert into pawl.reentry (bucket, tenant, workflow, subject, run_id)
        values (p_bucket, v_row.tenant, v_row.workflow, v_row.subject, v_row.run_id)
            on conflict do nothing;
        continue when found;
        select r.run_id into existing
          from pawl.reentry r
         where r.bucket = p_bucket and r.tenant = v_row.tenant and r.workflow = v_row.workflow
           and r.subject = v_row.subject
           for no key update;
        continue when existing = v_row.run_id;
        if v_row.reentry = 2 and existing <> all (p_run)
            and not exists (select 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = existing)
        then
            update pawl.reentry r
               set run_id = v_row.run_id, at = now()
             where r.bucket = p_bucket and r.tenant = v_row.tenant and r.workflow = v_row.workflow
               and r.subject = v_row.subject;
            continue;
        end if;
        requested := v_row.run_id;
        v_skip := v_skip || requested;
        return next;
    end loop;
    return query
    select s.requested, s.existing
      from (
          select array_agg(u.run_id order by u.place) as run, array_agg(u.tenant order by u.place) as tenant,
                 array_agg(u.workflow order by u.place) as workflow, array_agg(u.version order by u.place) as version,
                 array_agg(u.subject order by u.place) as subject, array_agg(u.priority order by u.place) as priority,
                 array_agg(u.due order by u.place) as due, array_agg(u.data order by u.place) as data,
                 array_agg(u.key order by u.place) as key, array_agg(u.lease order by u.place) as lease,
                 array_agg(u.flow order by u.place) as flow
            from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_data, p_correlation,
                        p_lease, p_flow) with ordinality
                 as u (run_id, tenant, workflow, version, subject, priority, due, data, key, lease, flow, place)
           where u.run_id <> all (v_skip)
      ) as left_over
     cross join lateral pawl.start_runs(
         p_bucket, p_worker, p_resend, left_over.run, left_over.tenant, left_over.workflow, left_over.version,
         left_over.subject, left_over.priority, left_over.due, left_over.data,
         case when p_correlation is not null then left_over.key end, left_over.lease,
         case when p_flow is not null then left_over.flow end
     ) as s
     where left_over.run is not null;
end
$$;

CREATE FUNCTION pawl.start_many(workflow text, runs jsonb, triggered_by text DEFAULT 'sql'::text) RETURNS TABLE(place bigint, run_id uuid, created boolean)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_column
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
    v_head pawl.definition := pawl.startable(v_tenant.id, start_many.workflow);
    v_share record;
begin
    if jsonb_typeof(runs) is distinct from 'array' then
        raise exception 'runs must be a JSON array' using errcode = 'invalid_parameter_value',
            hint = 'jsonb_agg(jsonb_build_object(''data'', to_jsonb(t))) makes one of the rows of a table.';
    elsif jsonb_array_length(runs) > 100000 then
        raise exception 'runs has % entries; at most 100000 can be started by one call', jsonb_array_length(runs)
            using errcode = 'program_limit_exceeded', hint = 'Call it several times; one transaction is enough.';
    end if;
    perform pawl.check_limits(v_tenant, jsonb_array_length(runs), (
        select max(octet_length((e.entry -> 'data')::text))
          from jsonb_array_elements(runs) as e (entry)
    ));
    if v_head.canary is null then
        return query
        select s.place, s.run_id, s.created
          from pawl.start_entries(v_tenant.bucket, v_head, runs, null, start_many.triggered_by) s;
        return;
    end if;
    for v_share in
        select c.version, jsonb_agg(c.entry order by c.n) as entries, array_agg(c.n order by c.n) as places
          from (
              select e.entry, e.n, pawl.choose_version(
                         v_head.workflow, v_head.version, v_head.canary,
                         coalesce(nullif(e.entry ->> 'subject', ''), nullif(e.entry ->> 'correlation_id', ''),
                                  gen_random_uuid()::text)
                     ) as version
                from jsonb_array_elements(runs) with ordinality as e (entry, n)
          ) as c
         group by c.version
         order by c.version
    loop
        v_head.version := v_share.version;
        return query
        select s.place, s.run_id, s.created
          from pawl.start_entries(v_tenant.bucket, v_head, v_share.entries, v_share.places, start_many.triggered_by) s;
    end loop;
end
$$;

CREATE FUNCTION pawl.start_runs(p_bucket smallint, p_worker uuid, p_resend boolean, p_run uuid[], p_tenant integer[], p_workflow integer[], p_version integer[], p_subject text[], p_priority smallint[], p_due timestamp with time zone[], p_data jsonb[], p_correlation text[], p_lease boolean[], p_flow jsonb[] DEFAULT NULL::jsonb[]) RETURNS TABLE(requested uuid, existing uuid)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_skip uuid[] := '{}';
    v_tickets uuid[];
    v_joined record;
    v_ticket jsonb[];
    v_count int[];
    v_gathers boolean;
    v_all boolean;
    v_row tid[];
begin
    if p_worker is not null then
        perform pawl.assert_worker(p_worker);
    end if;
    if p_flow is null then
        select t.flow, t.data into p_flow, p_data
          from pawl.tickets_for(p_workflow, p_version, p_tenant, p_subject, p_data) t;
    end if;
    if cardinality(p_flow) > 0 then
        select array_agg(w.flow), array_agg(w.count), bool_or(w.flow ? 'gather') into v_ticket, v_count, v_gathers
          from (select u.flow, count(*)::int as count from unnest(p_flow) as u (flow) group by u.flow) as w;
    end if;
    if v_gathers then
        for v_joined in
            select *
              from pawl.gather_starts(
                  p_bucket, p_resend, p_run, p_tenant, p_workflow, p_data, p_correlation, p_flow
              )
        loop
            if v_joined.requested = v_joined.existing then
                p_due[v_joined.place] := v_joined.due;
            else
                v_skip := v_skip || v_joined.requested;
            end if;
            if p_lease[v_joined.place] or v_joined.requested <> v_joined.existing then
                requested := v_joined.requested;
                existing := v_joined.existing;
                return next;
            end if;
            p_lease[v_joined.place] := false;
        end loop;
    end if;
    if p_correlation is not null then
        -- Ordered, so that two batches with the same keys wait for each other instead of deadlocking.
        insert into pawl.correlation (bucket, tenant, workflow, key, run_id)
        select p_bucket, u.tenant, u.workflow, u.key, u.run_id
          from unnest(p_run, p_tenant, p_workflow, p_correlation) as u (run_id, tenant, workflow, key)
         where u.key is not null and u.run_id <> all (v_skip)
         order by u.tenant, u.workflow, u.key, u.run_id
            on conflict do nothing;
        for requested, existing in
            select u.run_id, holder.run_id
              from unnest(p_run, p_tenant, p_workflow, p_correlation) as u (run_id, tenant, workflow, key)
             cross join lateral (
                 -- A join may be planned as a scan of the bucket, when the table was empty then.
                 select c.run_id
                   from pawl.correlation c
                  where c.bucket = p_bucket and c.tenant = u.tenant and c.workflow = u.workflow and c.key = u.key
                 offset 0
             ) as holder
             where u.key is not null and holder.run_id <> u.run_id and u.run_id <> all (v_skip)
        loop
            v_skip := v_skip || requested;
            return next;
        end loop;
    end if;
    if p_resend or cardinality(v_skip) > 0 then
        with started as (
            insert into pawl.event (run_id, at, seq, bucket, type, data)
            select u.run_id, now(), 0, p_bucket, 0,
                   case when u.priority = 0 then u.data else u.data || jsonb_build_object('priority', u.priority) end
              from unnest(p_run, p_data, p_priority) as u (run_id, data, priority)
             where u.run_id <> all (v_skip)
                on conflict do nothing
            returning run_id
        ), live as (
            insert into pawl.live_run
                (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
            select u.run_id, case when u.lease then p_worker end, coalesce(u.due, now()), u.tenant, u.workflow,
                   u.version, p_bucket, case when u.lease then 1 else 0 end, u.priority, u.subject, u.flow,
                   case when u.flow is null then null when v_gathers and u.flow ? 'gather' then 4
                        when u.lease then 1 else 2 end
              from unnest(p_run, p_tenant, p_workflow, p_version, p_subject, p_priority, p_due, p_lease, p_flow)
                   as u (run_id, tenant, workflow, version, subject, priority, due, lease, flow)
             where u.run_id = any (array(select s.run_id from started s))
            returning run_id, slot
        )
        select array_agg(l.run_id order by array_position(p_run, l.run_id)) into v_tickets from live l where l.slot = 1;
    else
        insert into pawl.event (run_id, at, seq, bucket, type, data)
        select p_run[i], now(), 0, p_bucket, 0,
               case when p_priority[i] = 0 then p_data[i]
                    else p_data[i] || jsonb_build_object('priority', p_priority[i]) end
          from generate_series(1, cardinality(p_run)) as u (i);
        with live as (
            insert into pawl.live_run
                (run_id, worker, due_at, tenant, workflow, version, bucket, state, priority, subject, flow, slot)
            select p_run[i], case when p_lease[i] then p_worker end, coalesce(p_due[i], now()), p_tenant[i],
                   p_workflow[i], p_version[i], p_bucket, case when p_lease[i] then 1 else 0 end, p_priority[i],
                   p_subject[i], p_flow[i],
                   case when p_flow[i] is null then null when v_gathers and p_flow[i] ? 'gather' then 4
                        when p_lease[i] then 1 else 2 end
              from generate_series(1, cardinality(p_run)) as u (i)
            returning ctid
        )
        select array_agg(l.ctid) into v_row from live l;
        -- For the first commit of a run that its starter goes on with. A gate may write the row anew.
        if p_worker is not null and cardinality(p_flow) = 0 then
            perform set_config('pawl.rows', v_row::text, true);
        end if;
    end if;
    if exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        perform pawl.fill_outbox_starts(p_bucket, p_run);
    end if;
    if cardinality(p_flow) = 0 or p_worker is null then
        return;
    end if;
    -- Nearly always all of them: then nothing has to be picked out.
    v_all := not coalesce(v_gathers, false) and not p_resend and cardinality(v_skip) = 0 and not false = any (p_lease)
             and array_position(p_flow, null) is null;
    if v_all then
        v_tickets := p_run;
    elsif not p_resend and cardinality(v_skip) = 0 then
        v_tickets := array(
            select u.run_id from unnest(p_run, p_flow, p_lease) with ordinality as u (run_id, flow, lease, n)
             where u.flow is not null and u.lease
             order by u.n
        );
    end if;
    if cardinality(v_tickets) > 0 then
        for requested in
            select b.run_id
              from unnest(
                  case when v_all then pawl.pass_gates(p_bucket, p_run, p_flow, v_ticket, v_count)
                       else pawl.pass_gates(
                           p_bucket, v_tickets,
                           array(
                               select p_flow[array_position(p_run, t.run_id)]
                                 from unnest(v_tickets) with ordinality as t (run_id, n)
                                order by t.n
                           )
                       ) end
              ) as b (run_id)
        loop
            existing := requested;
            return next;
        end loop;
    end if;
    if p_resend then
        -- What became of those that the lost first try has started: the caller may go on with what it holds only.
        for requested in
            select u.run_id
              from unnest(p_run, p_flow, p_lease) as u (run_id, flow, lease)
             where u.flow is not null and u.lease and u.run_id <> all (v_skip || coalesce(v_tickets, '{}'))
               and not exists (
                       select 1 from pawl.live_run l
                        where l.bucket = p_bucket and l.run_id = u.run_id and l.worker = p_worker
                   )
        loop
            existing := requested;
            return next;
        end loop;
    end if;
end
$$;

CREATE FUNCTION pawl.startable(p_tenant integer, p_workflow text) RETURNS pawl.definition
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_head pawl.definition;
begin
    select d.* into v_head from pawl.definition d where d.tenant = p_tenant and d.name = p_workflow;
    if not found or not v_head.active then
        raise exception '%', case when v_head.off_reason is null then format('Workflow not found: %s', p_workflow)
                                  else format('Workflow %s is switched off: %s', p_workflow, v_head.off_reason) end
            using errcode = 'no_data_found',
                  detail = case when v_head.workflow is null then 'There is no workflow of that name.'
                                when v_head.off_reason is not null
                                then 'No run of it is started until it is switched on again.'
                                else 'The workflow is not active.' end,
                  hint = case when v_head.workflow is null then 'select name from pawl.workflow_definitions'
                              when v_head.off_reason is not null
                              then format('select pawl.switch_workflow(%s, %L, null)', p_tenant, p_workflow)
                              else format('select pawl.activate_workflow(%s, %L)', p_tenant, p_workflow) end;
    end if;
    return v_head;
end
$$;

CREATE FUNCTION pawl.status(run uuid) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
#variable_conflict use_variable
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
begin
    return (select r.status from pawl.find_run(v_tenant.bucket, v_tenant.id, run) r);
end
$$;

CREATE FUNCTION pawl.step_after(p_definition jsonb, p_node text) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (p_definition ? 'edges'::text) THEN (SELECT (array_position(pawl.step_names(step_after.p_definition), (e.edge ->> 'to'::text)) - 1) FROM jsonb_array_elements((step_after.p_definition -> 'edges'::text)) e(edge) WHERE (((e.edge ->> 'from'::text) = step_after.p_node) AND (COALESCE((e.edge ->> 'handle'::text), 'default'::text) = 'default'::text)) LIMIT 1) WHEN (p_definition ? 'steps'::text) THEN (SELECT NULLIF(array_position(n.names, step_after.p_node), cardinality(n.names)) AS "nullif" FROM (SELECT pawl.step_names(step_after.p_definition) AS step_names) n(names)) ELSE NULL::integer END;

CREATE FUNCTION pawl.step_key(p_run uuid, p_token integer, p_node text, p_visit integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN format('%s:%s:%s:%s'::text, p_run, p_token, p_node, p_visit);

CREATE FUNCTION pawl.step_templates(p_step jsonb) RETURNS TABLE(place bigint, value jsonb)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 WITH body AS (
          SELECT (
                 CASE
                     WHEN (jsonb_typeof((step_templates.p_step -> 'config'::text)) = 'object'::text) THEN (step_templates.p_step -> 'config'::text)
                     WHEN (jsonb_typeof((step_templates.p_step -> 'http'::text)) = 'object'::text) THEN (step_templates.p_step -> 'http'::text)
                     WHEN (jsonb_typeof((step_templates.p_step -> 'code'::text)) = 'object'::text) THEN (step_templates.p_step -> 'code'::text)
                     WHEN (jsonb_typeof((step_templates.p_step -> 'wait'::text)) = 'object'::text) THEN (step_templates.p_step -> 'wait'::text)
                     ELSE (step_templates.p_step - ARRAY['id'::text, 'name'::text, 'type'::text, 'retry'::text, 'timeout'::text, 'on_failure'::text, 'code'::text])
                 END - 'function'::text) AS value
         )
  SELECT row_number() OVER (ORDER BY (array_position(ARRAY['action'::text, 'payload'::text, 'payload_template'::text, 'url'::text, 'headers'::text, 'body'::text, 'input'::text, 'duration'::text], m.key))) AS row_number,
     m.value
    FROM (body b
      CROSS JOIN LATERAL jsonb_each(b.value) m(key, value))
   WHERE ((m.key <> 'payload'::text) OR (NOT (b.value ? 'payload_template'::text)));
END;

CREATE FUNCTION pawl.step_placeholders(p_step jsonb) RETURNS TABLE(path text, segments jsonb, has_default boolean, problem text)
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT p.path,
     p.segments,
     p.has_default,
     p.problem
    FROM ((pawl.step_templates(step_placeholders.p_step) t(place, value)
      CROSS JOIN LATERAL jsonb_path_query(t.value, 'strict $.**?(@.type() == "string")'::jsonpath) WITH ORDINALITY s(text, place))
      CROSS JOIN LATERAL pawl.placeholders((s.text #>> '{}'::text[])) WITH ORDINALITY p(path, segments, has_default, problem, n))
   WHERE ((s.text #>> '{}'::text[]) ~~ '%{{%'::text)
   ORDER BY t.place, s.place, p.n;
END;

CREATE FUNCTION pawl.ways_of(p_definition jsonb) RETURNS TABLE(place integer, "from" text, "to" text, handle text)
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
begin
    return query
    select (e.place - 1)::int, e.edge ->> 'from', e.edge ->> 'to', coalesce(e.edge ->> 'handle', 'default')
      from jsonb_array_elements(p_definition -> 'edges') with ordinality as e (edge, place)
     union all
    select i - 1, n.names[i], n.names[i + 1], 'default'
      from (select pawl.step_names(p_definition)) as n (names)
     cross join generate_series(1, cardinality(n.names) - 1) as i
     where p_definition ? 'steps' and not p_definition ?| array['edges', 'code'];
end
$$;

CREATE FUNCTION pawl.steps_of_items(p_definition jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    BEGIN ATOMIC
 WITH RECURSIVE inside AS (
          SELECT w."to" AS node,
             w."from" AS list
            FROM (pawl.ways_of(steps_of_items.p_definition) w(place, "from", "to", handle)
              JOIN jsonb_array_elements(pawl.steps_of(steps_of_items.p_definition)) s(step) ON ((COALESCE((s.step ->> 'id'::text), (s.step ->> 'name'::text)) = w."from")))
           WHERE ((w.handle = 'each'::text) AND (((s.step ->> 'type'::text) = 'foreach'::text) OR (s.step ? 'foreach'::text)))
         UNION
          SELECT w."to",
             i_1.list
            FROM (inside i_1
              JOIN pawl.ways_of(steps_of_items.p_definition) w(place, "from", "to", handle) ON ((w."from" = i_1.node)))
           WHERE (w."to" <> i_1.list)
         )
  SELECT COALESCE(array_agg(DISTINCT i.node), '{}'::text[]) AS "coalesce"
    FROM inside i;
END;

CREATE FUNCTION pawl.submission_data(p_form uuid, p_submission uuid, p_organization uuid) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
    v_table regclass := to_regclass('public.fw_form_submissions');
    v_columns text[];
    v_data text;
    v_found jsonb;
begin
    select array_agg(a.attname::text),
           min(a.attname::text) filter (where a.attname = 'submission_data')
      into v_columns, v_data
      from pg_class c
      join pg_roles r on r.oid = c.relowner
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.oid = v_table
       and (r.rolsuper
            or c.relowner in (select n.nspowner from pg_namespace n where n.nspname in ('pawl', 'public'))
            or c.relowner = (select b.datdba from pg_database b where b.datname = current_database()));
    v_data := coalesce(v_data, case when 'data' = any (v_columns) then 'data' end);
    if v_data is null or not 'id' = any (v_columns) then
        return '{}';
    end if;
    execute format(
        'select to_jsonb(s.%I) from %s s where s.id::text = $1 and %s and %s', v_data, v_table,
        case when 'form_id' = any (v_columns) then 's.form_id::text = $2' else 'true' end,
        case when 'organization_id' = any (v_columns) then 's.organization_id::text = $3' else 'true' end
    ) into v_found using p_submission::text, p_form::text, p_organization::text;
    return coalesce(nullif(v_found, 'null'), '{}');
end
$_$;

CREATE FUNCTION pawl.subscribe_runs(p_bucket smallint, p_run uuid[], p_token integer[], p_tenant integer[], p_event text[], p_key text[], p_since timestamp with time zone[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
    v_ordinal smallint[];
    v_run uuid[];
    v_token int[];
begin
    select array_agg(u.ordinal order by u.place) into v_ordinal
      from (
          select n.place, row_number() over (partition by n.run_id, n.token order by n.place) - 1 as ordinal
            from unnest(p_run, p_token) with ordinality as n (run_id, token, place)
      ) as u;
    begin
        insert into pawl.subscription (bucket, run_id, token, ordinal, tenant, event, key, since)
        select p_bucket, u.run_id, u.token, u.ordinal, u.tenant, pawl.event_key(u.event), pawl.event_key(u.key), u.since
          from unnest(p_run, p_token, v_ordinal, p_tenant, p_event, p_key, p_since)
               as u (run_id, token, ordinal, tenant, event, key, since);
        perform pawl.check_subscriptions(p_bucket, p_run, p_token, v_ordinal);
    exception when unique_violation then
        with fresh as (
            insert into pawl.subscription (bucket, run_id, token, ordinal, tenant, event, key, since)
            select p_bucket, u.run_id, u.token, u.ordinal, u.tenant, pawl.event_key(u.event), pawl.event_key(u.key),
                   u.since
              from unnest(p_run, p_token, v_ordinal, p_tenant, p_event, p_key, p_since)
                   as u (run_id, token, ordinal, tenant, event, key, since)
                on conflict do nothing
            returning run_id, token, ordinal
        )
        select array_agg(f.run_id), array_agg(f.token), array_agg(f.ordinal) into v_run, v_token, v_ordinal
          from fresh f;
        perform pawl.check_subscriptions(p_bucket, v_run, v_token, v_ordinal);
    end;
end
$$;

CREATE FUNCTION pawl.summarize_log() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '20ms'
    AS $_$
declare
    v_index regclass;
begin
    for v_index in
        select i.indexrelid::regclass
          from pg_inherits h
          join pg_index i on i.indrelid = h.inhrelid
          join pg_class c on c.oid = i.indexrelid
          join pg_am a on a.oid = c.relam
         where h.inhparent = 'pawl.event'::regclass and a.amname = 'brin'
           and (h.inhrelid::regclass::text ~ '(default|kept)$'
                or substring(h.inhrelid::regclass::text from '\d{8}$')
                   between to_char(now() at time zone 'UTC' - interval '2 weeks', 'YYYYMMDD')
                       and to_char(now() at time zone 'UTC', 'YYYYMMDD'))
    loop
        begin
            perform brin_summarize_new_values(v_index);
        exception when lock_not_available then
            null;
        end;
    end loop;
end
$_$;

CREATE FUNCTION pawl.swap_retiring(p_table text, p_week timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $_$
declare
    v_part record;
    v_name text;
    v_keeps boolean;
begin
    execute format('lock table only pawl.%I in access exclusive mode', p_table);
    select * into v_part from pawl.retiring(p_table, p_week);
    execute format(
        'delete from pawl.%1$I k'
        ' using (select distinct l.of_bucket, l.run from pawl.retention_late l where l.parent = $1) as l'
        ' where k.bucket = l.of_bucket and k.run_id = l.run', p_table || '_keeping'
    ) using p_table;
    execute format(
        'insert into pawl.%1$I select x.*'
        '  from (select distinct l.of_bucket, l.run from pawl.retention_late l where l.parent = $1) as l'
        ' cross join lateral ('
        '     select * from pawl.%2$I r where r.bucket = l.of_bucket and r.run_id = l.run offset 0) as x',
        p_table || '_keeping', p_table
    ) using p_table;
    execute format('select exists (select 1 from pawl.%I)', p_table || '_keeping') into v_keeps;
    -- An open run writes here when it closes.
    v_keeps := v_keeps or exists (
        select 1
          from (select distinct t.bucket from pawl.tenant t) as b
         cross join lateral (
             select 1
               from pawl.live_run l
              where l.bucket = b.bucket and l.run_id >= v_part.from_id and l.run_id < v_part.until_id
              limit 1
         ) as l
    );
    foreach v_name in array array_remove(array[v_part.leaf, v_part.kept], null) loop
        execute format('alter table pawl.%I detach partition pawl.%I', p_table, v_name);
        execute format('alter table pawl.%I rename to %I', v_name,
                       p_table || '_gone_' || coalesce(substring(v_name from '\d{8}$'), 'kept'));
    end loop;
    if v_keeps then
        perform pawl.attach_partition(p_table, p_table || '_keeping', v_part.from_id, v_part.until_id);
        execute format('alter table pawl.%I rename to %I', p_table || '_keeping', p_table || '_kept');
    else
        execute format('drop table pawl.%I', p_table || '_keeping');
    end if;
    delete from pawl.retention_late l where l.parent = p_table;
end
$_$;

CREATE FUNCTION pawl.sweep_dead_workers(p_ttl interval) RETURNS TABLE(worker uuid, runs bigint)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
#variable_conflict use_column
declare
    v_worker uuid;
begin
    for v_worker in
        select w.id from pawl.worker w where w.beat_at < now() - p_ttl for update skip locked
    loop
        runs := pawl.release_held(v_worker);
        delete from pawl.worker w where w.id = v_worker;
        worker := v_worker;
        return next;
    end loop;
end
$$;

CREATE FUNCTION pawl.sweep_retired(p_table text, p_week timestamp with time zone, p_keep interval, p_batch integer, INOUT p_at_run uuid) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    AS $_$
declare
    v_walk text := 'select s.bucket, s.run_id, s.ctid as row_id from pawl.%1$I s'
        ' where s.run_id > $1 and s.run_id < $2 order by s.run_id fetch first $3 rows with ties';
    v_walked bigint;
    v_task uuid[];
    v_bucket smallint[];
begin
    if p_table = 'dead_letter' then
        -- Its key begins with the bucket.
        v_walk := 'select x.* from (select distinct t.bucket from pawl.tenant t) as b cross join lateral ('
            ' select s.bucket, s.run_id, s.ctid as row_id from pawl.%1$I s where s.bucket = b.bucket and s.run_id > $1'
            ' and s.run_id < $2 order by s.run_id limit $3'
            ') as x order by x.run_id fetch first $3 rows with ties';
    end if;
    execute format(
        'with walked as materialized (' || v_walk || '), gone as ('
        ' delete from pawl.%1$I d where d.ctid = any (array(select w.row_id from walked w'
        ' where not exists (select 1 from pawl.live_run l where l.bucket = w.bucket and l.run_id = w.run_id)'
        ' and not exists (select 1 from pawl.run r where r.bucket = w.bucket and r.run_id = w.run_id'
        ' and r.closed_at > now() - $4))) returning d.bucket, %2$s as id'
        ') select (select count(*) from walked), (select max(w.run_id::text)::uuid from walked w),'
        ' array_agg(g.id), array_agg(g.bucket) from gone g',
        p_table, case when p_table = 'human_task' then 'd.id' else 'null::uuid' end
    ) into v_walked, p_at_run, v_task, v_bucket
      using coalesce(p_at_run, (select r.from_id from pawl.retiring('event', p_week) r), pawl.uuid7_bound(p_week)),
        pawl.uuid7_bound(p_week + interval '1 week'), p_batch, p_keep;
    if p_table = 'human_task' then
        delete from pawl.task_decision d
         using unnest(v_bucket, v_task) as g (bucket, id)
         where d.bucket = g.bucket and d.task = g.id;
    end if;
    if v_walked < p_batch then
        p_at_run := null;
    end if;
end
$_$;

CREATE FUNCTION pawl.sweep_strayed(p_keep interval, p_batch integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    AS $$
declare
    v_bucket smallint[];
    v_run uuid[];
begin
    select array_agg(r.bucket), array_agg(r.run_id) into v_bucket, v_run
      from (select d.bucket, d.run_id from pawl.run_default d where d.closed_at <= now() - p_keep limit p_batch) as r;
    delete from pawl.correlation c using unnest(v_bucket, v_run) as g (bucket, run_id)
     where c.bucket = g.bucket and c.run_id = g.run_id;
    delete from pawl.dead_letter d using unnest(v_bucket, v_run) as g (bucket, run_id)
     where d.bucket = g.bucket and d.run_id = g.run_id;
    with gone as (
        delete from pawl.human_task t using unnest(v_bucket, v_run) as g (bucket, run_id)
         where t.bucket = g.bucket and t.run_id = g.run_id
        returning t.bucket, t.id
    )
    delete from pawl.task_decision d using gone g where d.bucket = g.bucket and d.task = g.id;
    delete from pawl.event_default e using unnest(v_bucket, v_run) as g (bucket, run_id)
     where e.bucket = g.bucket and e.run_id = g.run_id;
    delete from pawl.run_default r using unnest(v_bucket, v_run) as g (bucket, run_id)
     where r.bucket = g.bucket and r.run_id = g.run_id;
    return coalesce(cardinality(v_run), 0);
end
$$;

CREATE FUNCTION pawl.switch_workflow(p_tenant integer, p_name text, p_reason text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
    perform pawl.hold_definitions(p_tenant);
    update pawl.definition d
       set restore = d.version, off_reason = p_reason, active = p_reason is null
     where d.tenant = p_tenant and d.name = p_name and d.off_reason is distinct from p_reason;
    return exists (select 1 from pawl.definition d where d.tenant = p_tenant and d.name = p_name);
end
$$;

CREATE FUNCTION pawl.sync_schedules() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if tg_op = 'DELETE' then
        delete from pawl.schedule s where s.workflow = old.workflow;
        return null;
    end if;
    if not new.settings ? 'triggers'
       and not exists (select 1 from pawl.schedule s where s.workflow = new.workflow) then
        return null;
    end if;
    with wanted as materialized (
        select * from pawl.cron_triggers(new.settings -> 'triggers')
    ), kept as materialized (
        select s.id, s.place, s.cron, s.timezone,
               row_number() over (partition by s.cron, s.timezone order by s.place) as nth
          from pawl.schedule s
         where s.workflow = new.workflow
    ), same as materialized (
        select k.id, w.place
          from wanted w
          join kept k on k.cron = w.cron and k.timezone = w.timezone and k.nth = w.nth
    ), changed as materialized (
        select k.id, w.place
          from (select w.place, row_number() over (order by w.place) as turn
                  from wanted w where w.place not in (select s.place from same s)) as w
          join (select k.id, row_number() over (order by k.place) as turn
                  from kept k where k.id not in (select s.id from same s)) as k using (turn)
    ), pairs as materialized (
        select s.id, s.place, false as restart from same s
         union all
        select c.id, c.place, true from changed c
    ), gone as (
        delete from pawl.schedule s
         where s.workflow = new.workflow and s.id not in (select p.id from pairs p)
    ), updated as (
        update pawl.schedule s
           set place = w.place, cron = w.cron, timezone = w.timezone, overlap = w.overlap,
               catch_up_ms = w.catch_up_ms, jitter_ms = w.jitter_ms, input = w.input, active = new.active,
               problem = null, due_at = now(),
               since = case when p.restart or (new.active and not s.active) then now() else s.since end,
               next_at = case when not p.restart and (s.active or not new.active) then s.next_at end
          from pairs p
          join wanted w on w.place = p.place
         where s.id = p.id
    )
    insert into pawl.schedule
        (tenant, workflow, place, cron, timezone, overlap, catch_up_ms, jitter_ms, input, active)
    select new.tenant, new.workflow, w.place, w.cron, w.timezone, w.overlap, w.catch_up_ms, w.jitter_ms, w.input,
           new.active
      from wanted w
     where w.place not in (select p.place from pairs p)
     order by w.place;
    return null;
end
$$;

CREATE FUNCTION pawl.table_parts(p_table text) RETURNS text[]
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_parts text[];
begin
    v_parts := case when strpos(p_table, '"') > 0 then parse_ident(p_table) else string_to_array(p_table, '.') end;
    if cardinality(v_parts) = 1 then
        return array['public', v_parts[1]];
    elsif cardinality(v_parts) = 2 then
        return v_parts;
    end if;
    raise exception 'write a table as "schema.table"' using errcode = 'PW010';
exception when invalid_parameter_value then
    raise exception '% is not the name of a table', quote_literal(p_table) using errcode = 'PW010';
end
$$;

CREATE FUNCTION pawl.tail_events(p_bucket smallint, p_tenant integer, p_after timestamp with time zone, p_limit integer) RETURNS TABLE(run_id uuid, workflow text, seq integer, type text, node text, attempt smallint, at timestamp with time zone)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
declare
    v_after timestamptz := greatest(p_after, now() - interval '1 hour');
    v_until timestamptz;
    v_walked bigint := 0;
    v_event record;
begin
    select greatest(least(clock_timestamp() - interval '20 ms',
                          min(coalesce(a.xact_start, clock_timestamp() - interval '5 s'))),
                    clock_timestamp() - interval '5 s')
      into v_until
      from pg_stat_activity a
     where a.datname = current_database()
       and (a.xact_start is not null or a.query = '<insufficient privilege>')
       and a.pid <> pg_backend_pid()
       and not pawl.works_for_others(a.usesysid, p_tenant);
    for v_event in
        select e.*, r.tenant, w.name as workflow
          from pawl.events_between(p_bucket, v_after, v_until, p_limit) e
          left join lateral (
              select l.tenant, l.workflow
                from pawl.live_run l
               where l.bucket = p_bucket and l.run_id = e.run_id
               union all
              select c.tenant, c.workflow
                from pawl.run c
               where c.bucket = p_bucket and c.run_id = e.run_id
               limit 1
          ) as r on true
          left join pawl.workflow w on w.id = r.workflow
         order by e.at, e.run_id, e.seq
    loop
        v_walked := v_walked + 1;
        at := v_event.at;
        continue when v_event.tenant is distinct from p_tenant;
        run_id := v_event.run_id;
        workflow := v_event.workflow;
        seq := v_event.seq;
        type := pawl.event_type_name(v_event.type);
        node := v_event.node;
        attempt := v_event.attempt;
        return next;
    end loop;
    run_id := null;
    at := case when v_walked < p_limit then greatest(v_after, v_until - interval '1 microsecond') else at end;
    return next;
end
$$;

CREATE FUNCTION pawl.take_alike(p_bucket smallint, p_worker uuid, p_limit integer) RETURNS uuid[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_ids uuid[];
begin
    with seen as materialized (
        -- The lock is that of assert_worker.
        select (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
                 order by l.bucket, l.priority, l.due_at, l.run_id limit 1) as low,
               (select l.priority from pawl.live_run l where l.bucket = p_bucket and l.state = 0
                 order by l.bucket desc, l.priority desc, l.due_at desc, l.run_id desc limit 1) as high,
               (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
                 order by l.bucket, l.tenant, l.due_at limit 1) as first,
               (select l.tenant from pawl.live_run l where l.bucket = p_bucket and l.state = 0
                 order by l.bucket desc, l.tenant desc, l.due_at desc limit 1) as last
          from pawl.worker w
         where w.id = p_worker and not exists (select 1 from pawl.flow_gate g)
           for key share
    ), due as materialized (
        select l.ctid as row_id, l.slot
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.due_at <= now()
           and l.priority = (select s.low from seen s where s.low = s.high and s.first = s.last)
         order by l.due_at, l.run_id
         limit p_limit
           for no key update skip locked
    ), taken as (
        update pawl.live_run l
           set state = 1, worker = p_worker
         where l.ctid = any (array(
               select due.row_id from due where not exists (select 1 from due where due.slot in (2, 4))
           ))
        returning l.run_id
    )
    select array_agg(t.run_id) into v_ids from taken t;
    return v_ids;
end
$$;

CREATE FUNCTION pawl.take_alone(p_bucket smallint, p_worker uuid) RETURNS uuid[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_ids uuid[];
begin
    with first as materialized (
        select l.ctid as row_id, l.priority, l.due_at <= now() as due, l.slot
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0
         order by l.bucket, l.priority, l.due_at, l.run_id
         limit 2
    )
    update pawl.live_run l
       set state = 1, worker = p_worker
     where l.ctid = (
           select h.row_id
             from (select 1 from pawl.worker w where w.id = p_worker for key share) as w
            cross join lateral (
                select h.ctid as row_id
                  from pawl.live_run h
                 where h.ctid = (
                       select f.row_id
                         from first f
                        where f.due and (f.slot is null or f.slot in (1, 3))
                          and not exists (
                              select 1
                                from first o
                               where o.row_id <> f.row_id
                                 and (o.due or o.priority <> f.priority or f.priority <> (
                                     select l.priority
                                       from pawl.live_run l
                                      where l.bucket = p_bucket and l.state = 0
                                      order by l.bucket desc, l.priority desc, l.due_at desc, l.run_id desc
                                      limit 1
                                 ))
                          )
                   )
                   and h.state = 0
                   for no key update skip locked
            ) as h
            where not exists (select 1 from pawl.flow_gate g)
       )
    returning array[l.run_id] into v_ids;
    return v_ids;
end
$$;

CREATE FUNCTION pawl.take_due(p_bucket smallint, p_worker uuid, p_limit integer, p_turn integer, OUT ids uuid[], OUT tickets uuid[], OUT flows jsonb[]) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_first int;
    v_last int;
    v_pressing int := p_limit;
    v_more record;
begin
    select l.tenant into v_first
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 0
     order by l.bucket, l.tenant, l.due_at
     limit 1;
    if not found then
        ids := '{}';
        tickets := '{}';
        flows := '{}';
        return;
    end if;
    select l.tenant into v_last
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 0
     order by l.bucket desc, l.tenant desc, l.due_at desc
     limit 1;
    if v_first <> v_last then
        v_pressing := (p_limit + 1 - (p_turn & 1)) / 2;
    end if;
    select t.ids, t.tickets, t.flows into ids, tickets, flows
      from pawl.take_pressing(p_bucket, p_worker, v_pressing) t;
    if v_pressing = p_limit or cardinality(ids) < v_pressing then
        return;
    end if;
    select t.ids, t.tickets, t.flows into v_more
      from pawl.take_in_turn(p_bucket, p_worker, p_limit - v_pressing, p_turn & 2147483647, v_first, v_last) t;
    ids := ids || v_more.ids;
    tickets := tickets || v_more.tickets;
    flows := flows || v_more.flows;
    if cardinality(ids) < p_limit then
        select t.ids, t.tickets, t.flows into v_more
          from pawl.take_pressing(p_bucket, p_worker, p_limit - cardinality(ids)) t;
        ids := ids || v_more.ids;
        tickets := tickets || v_more.tickets;
        flows := flows || v_more.flows;
    end if;
end
$$;

CREATE FUNCTION pawl.take_figures(p_bucket smallint, p_every interval) RETURNS jsonb
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
    if not exists (select 1 from pawl.figures f where f.bucket = p_bucket) then
        insert into pawl.figures (bucket, taken_at, figures) values (p_bucket, '-infinity', '[]')
            on conflict do nothing;
    end if;
    perform 1 from pawl.figures f where f.bucket = p_bucket and f.taken_at <= now() - p_every for update skip locked;
    if found then
        update pawl.figures f
           set taken_at = now(),
               figures = (
                   select coalesce(jsonb_agg(jsonb_build_array(c.metric, c.labels, c.value)), '[]')
                     from (select * from pawl.figures_of_work(p_bucket)
                           union all
                           select * from pawl.figures_of_queues()
                           union all
                           select * from pawl.figures_of_outbox(p_bucket)
                           union all
                           select * from pawl.figures_of_held(p_bucket)
                           union all
                           select * from pawl.figures_of_database()) as c)
         where f.bucket = p_bucket;
    end if;
    return (
        select case when isfinite(f.taken_at)
                    then f.figures || jsonb_build_array(jsonb_build_array(
                             'pawl_figures_age_seconds', null, extract(epoch from now() - f.taken_at)))
                    else f.figures end
          from pawl.figures f
         where f.bucket = p_bucket
    );
end
$$;

CREATE FUNCTION pawl.take_in_turn(p_bucket smallint, p_worker uuid, p_limit integer, p_turn integer, p_first integer, p_last integer, OUT ids uuid[], OUT tickets uuid[], OUT flows jsonb[]) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    AS $$
declare
    c_look constant int := 64;
    v_from int := p_first + ((p_turn::bigint * c_look) % (p_last::bigint - p_first + 1))::int;
    v_tenant int := v_from - 1;
    v_wrapped boolean := false;
    v_due timestamptz;
    v_tenants int[] := '{}';
begin
    ids := '{}';
    tickets := '{}';
    flows := '{}';
    for place in 1 .. c_look loop
        exit when cardinality(v_tenants) >= p_limit;
        select l.tenant, l.due_at into v_tenant, v_due
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.tenant > v_tenant
         order by l.bucket, l.tenant, l.due_at
         limit 1;
        if not found and not v_wrapped then
            v_wrapped := true;
            v_tenant := p_first - 1;
            continue;
        end if;
        exit when not found or v_wrapped and v_tenant >= v_from;
        if v_due <= now() then
            v_tenants := v_tenants || v_tenant;
        end if;
    end loop;
    if v_tenants = '{}' then
        return;
    end if;
    with due as materialized (
        select x.row_id, x.run_id, x.slot, x.flow
          from unnest(v_tenants) as u (tenant)
         cross join lateral (
             select l.ctid as row_id, l.run_id, l.slot, l.flow
               from pawl.live_run l
              where l.bucket = p_bucket and l.state = 0 and l.tenant = u.tenant and l.due_at <= now()
              order by l.due_at
              limit (p_limit + cardinality(v_tenants) - 1) / cardinality(v_tenants)
                for no key update skip locked
         ) as x
         limit p_limit
    ), taken as (
        update pawl.live_run l
           set state = 1, worker = p_worker, slot = case when l.slot in (2, 4) then 1 else l.slot end
         where l.ctid = any (array(select due.row_id from due))
        returning l.run_id
    )
    select coalesce(array_agg(t.run_id), '{}'),
           coalesce((select array_agg(due.run_id) from due where due.slot in (2, 4)), '{}'),
           coalesce((select array_agg(due.flow) from due where due.slot in (2, 4)), '{}')
      into ids, tickets, flows
      from taken t;
end
$$;

CREATE FUNCTION pawl.take_level(p_bucket smallint, p_worker uuid, p_priority smallint, p_limit integer, OUT ids uuid[], OUT tickets uuid[], OUT flows jsonb[], OUT last_due timestamp with time zone) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    AS $$
begin
    -- Materialized: a plain sub-select may be evaluated again and lock more rows than the limit.
    with due as materialized (
        select l.ctid as row_id, l.run_id, l.slot, l.flow
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.priority = p_priority and l.due_at <= now()
         order by l.due_at, l.run_id
         limit p_limit
           for no key update skip locked
    ), taken as (
        -- By the place of the row, which its lock keeps still, and by nothing else: a condition on
        -- bucket or run_id may become a scan of the whole index with a filter, depending on how
        -- small the table was when the plan was made.
        update pawl.live_run l
           set state = 1, worker = p_worker, slot = case when l.slot in (2, 4) then 1 else l.slot end
         where l.ctid = any (array(select due.row_id from due))
        returning l.run_id, l.due_at
    )
    select coalesce(array_agg(t.run_id), '{}'), max(t.due_at),
           coalesce((select array_agg(due.run_id) from due where due.slot in (2, 4)), '{}'),
           coalesce((select array_agg(due.flow) from due where due.slot in (2, 4)), '{}')
      into ids, last_due, tickets, flows
      from taken t;
end
$$;

CREATE FUNCTION pawl.take_outbox(p_bucket smallint, p_worker uuid, p_limit integer, p_lease interval) RETURNS TABLE(target integer, shard smallint, run_id uuid, seq integer, type text, attempts smallint, message text)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_target int;
    v_shard smallint;
    v_most int;
    v_run uuid[];
    v_seq int[];
begin
    select s.target, s.shard, greatest(t.batch_max, p_limit) into v_target, v_shard, v_most
      from pawl.outbox_lease s
      join pawl.outbox_target t on t.id = s.target
     where t.disabled_at is null and t.kind = 'webhook' and s.leased_until <= now() and s.next_at <= now()
       and exists (select 1 from pawl.outbox o
                    where o.bucket = p_bucket and o.target = s.target and o.shard = s.shard and o.due_at <= now())
     order by s.taken_at
     limit 1
       for update of s skip locked;
    if not found then
        return;
    end if;
    select array_agg(p.run_id), array_agg(p.seq) into v_run, v_seq
      from pawl.pick_outbox(p_bucket, v_target, v_shard, v_most) p;
    -- Whoever gets nothing has nothing to settle, and would keep the lease until it ends.
    update pawl.outbox_lease s
       set worker = case when v_run is not null then p_worker end,
           leased_until = case when v_run is not null then now() + p_lease else '-infinity' end,
           taken_at = clock_timestamp()
     where s.target = v_target and s.shard = v_shard;
    if v_run is null then
        return;
    end if;
    return query
        with moved as (
            update pawl.outbox o
               set state = 1
             where o.ctid = any (array(
                   select x.row_id
                     from unnest(v_run, v_seq) as u (run_id, seq)
                    cross join lateral (
                        select h.ctid as row_id
                          from pawl.outbox h
                         where h.bucket = p_bucket and h.target = v_target and h.run_id = u.run_id and h.seq = u.seq
                        offset 0
                    ) as x
               ))
            returning o as row, o.run_id, o.seq, o.type, o.attempts, o.workflow, o.due_at
        ), placed as (
            select m.*, max(m.due_at) over (partition by m.run_id order by m.seq) as place from moved m
        )
        select v_target, v_shard, m.run_id, m.seq, m.type, m.attempts,
               pawl.outbox_text(m.row, w.name, e.node, e.attempt, e.type, e.data, e.error)
          from placed m
          left join lateral (
              select x.node, x.attempt, x.type, x.data, x.error from pawl.event x
               where x.bucket = p_bucket and x.run_id = m.run_id and x.seq = m.seq
              offset 0
          ) as e on true
          left join lateral (select x.name from pawl.workflow x where x.id = m.workflow offset 0) as w on true
         order by m.place, m.run_id, m.seq;
end
$$;

CREATE FUNCTION pawl.take_pressing(p_bucket smallint, p_worker uuid, p_limit integer, OUT ids uuid[], OUT tickets uuid[], OUT flows jsonb[]) RETURNS record
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    AS $$
declare
    c_level constant interval := interval '1 minute';
    v_priority smallint;
    v_due timestamptz;
    v_level smallint[] := '{}';
    v_head timestamptz[] := '{}';
    v_best int := 1;
    v_ask int;
    v_taken record;
begin
    ids := '{}';
    tickets := '{}';
    flows := '{}';
    select l.priority, l.due_at into v_priority, v_due
      from pawl.live_run l
     where l.bucket = p_bucket and l.state = 0
     order by l.bucket, l.priority, l.due_at, l.run_id
     limit 1;
    while v_priority is not null loop
        if v_due <= now() then
            v_level := v_level || v_priority;
            v_head := v_head || (v_due + v_priority * c_level);
        end if;
        select l.priority, l.due_at into v_priority, v_due
          from pawl.live_run l
         where l.bucket = p_bucket and l.state = 0 and l.priority > v_priority
         order by l.bucket, l.priority, l.due_at, l.run_id
         limit 1;
    end loop;
    while cardinality(v_level) > 0 and cardinality(ids) < p_limit loop
        v_ask := p_limit - cardinality(ids);
        if cardinality(v_level) > 1 then
            v_ask := least(v_ask, greatest(p_limit / 4, 1));
            v_best := array_position(v_head, (select min(h.head) from unnest(v_head) as h (head)));
        end if;
        select t.ids, t.tickets, t.flows, t.last_due into v_taken
          from pawl.take_level(p_bucket, p_worker, v_level[v_best], v_ask) t;
        ids := ids || v_taken.ids;
        tickets := tickets || v_taken.tickets;
        flows := flows || v_taken.flows;
        if cardinality(v_taken.ids) < v_ask then
            v_level := v_level[:v_best - 1] || v_level[v_best + 1:];
            v_head := v_head[:v_best - 1] || v_head[v_best + 1:];
            v_best := 1;
        else
            v_head[v_best] := v_taken.last_due + v_level[v_best] * c_level;
        end if;
    end loop;
end
$$;

CREATE FUNCTION pawl.take_slots(p_bucket smallint, p_run uuid[], p_flow jsonb[], p_ticket jsonb[], p_count integer[]) RETURNS uuid[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_run uuid[];
    v_gate text[];
    v_base int[];
    v_count int[];
    v_limit int[];
    v_full text[];
    v_room int[];
    v_wanted record;
    v_place int;
    v_at int;
    v_waits uuid[] := '{}';
    v_waits_at text[] := '{}';
    v_stops uuid[];
begin
    select array_agg(s.slot ->> 0), array_agg((s.slot -> 1)::int), array_agg(s.count)
      into v_gate, v_base, v_count
      from (
          select jsonb_array_elements(u.flow -> 'slots') as slot, u.count
            from unnest(p_ticket, p_count) as u (flow, count)
      ) as s;
    if v_gate is null then
        return '{}';
    end if;
    v_limit := v_base;
    if exists (select 1 from pawl.flow_limit) then
        v_limit := array(
            select pawl.limit_of(u.gate, u.base) from unnest(v_gate, v_base) with ordinality as u (gate, base, n)
             order by u.n
        );
    end if;
    -- Everybody gets in first; nearly always that is all there is to do.
    select e.gate, e.room into v_full, v_room from pawl.enter_gates(p_bucket, v_gate, v_base, v_limit, v_count) e;
    if v_full is null then
        return '{}';
    end if;
    select array_agg(s.run_id), array_agg(s.slot ->> 0) into v_run, v_gate
      from (
          select u.run_id, jsonb_array_elements(u.flow -> 'slots') as slot
            from unnest(p_run, p_flow) as u (run_id, flow)
      ) as s;
    for v_wanted in
        select u.run_id, array_agg(u.gate) as gates
          from unnest(v_run, v_gate) with ordinality as u (run_id, gate, n)
         group by u.run_id
        having array_agg(u.gate) && v_full
         order by min(u.n)
    loop
        v_at := null;
        foreach v_place in array array(select array_position(v_full, g) from unnest(v_wanted.gates) as g) loop
            if v_place is not null and v_room[v_place] <= 0 then
                v_at := v_place;
                exit;
            end if;
        end loop;
        if v_at is not null then
            v_waits := v_waits || v_wanted.run_id;
            v_waits_at := v_waits_at || v_full[v_at];
        else
            foreach v_place in array array(select array_position(v_full, g) from unnest(v_wanted.gates) as g) loop
                if v_place is not null then
                    v_room[v_place] := v_room[v_place] - 1;
                end if;
            end loop;
        end if;
    end loop;
    if v_waits = '{}' then
        return v_waits;
    end if;
    update pawl.flow_gate g
       set held = g.held - w.count, waited = g.waited or w.waits,
           look = g.look or g.waited and g.held - w.count < g."limit"
      from (
          select u.gate, count(*)::int as count, u.gate = any (v_waits_at) as waits
            from unnest(v_run, v_gate) as u (run_id, gate)
           where u.run_id = any (v_waits)
           group by u.gate
      ) as w
     cross join lateral (
         select h.ctid as row_id from pawl.flow_gate h where h.bucket = p_bucket and h.gate = w.gate offset 0
     ) as x
     where g.ctid = x.row_id;
    delete from pawl.flow_gate g
     where g.ctid = any (array(
           select x.row_id
             from (select distinct u.gate from unnest(v_gate) as u (gate)) as w
            cross join lateral (
                select h.ctid as row_id
                  from pawl.flow_gate h
                 where h.bucket = p_bucket and h.gate = w.gate and h.held = 0 and not h.waited
                offset 0
            ) as x
       ));
    -- Who was asked to stop does not wait for a place to stop in.
    if exists (select 1 from pawl.signal s where s.bucket = p_bucket) then
        v_stops := array(
            select u.run_id
              from unnest(v_waits) as u (run_id)
             cross join lateral (
                 select 1 from pawl.signal s
                  where s.bucket = p_bucket and s.run_id = u.run_id and s.kind = 'cancel'
                  limit 1
             ) as asked
        );
        update pawl.live_run l
           set slot = 3
         where l.ctid = any (array(
               select x.row_id
                 from unnest(v_stops) as u (run_id)
                cross join lateral (
                    select h.ctid as row_id from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id
                    offset 0
                ) as x
           ));
        select coalesce(array_agg(u.run_id), '{}'), coalesce(array_agg(u.gate), '{}') into v_waits, v_waits_at
          from unnest(v_waits, v_waits_at) as u (run_id, gate)
         where u.run_id <> all (v_stops);
    end if;
    perform pawl.queue_at_gates(p_bucket, v_waits, v_waits_at);
    return v_waits;
end
$$;

CREATE FUNCTION pawl.take_turns(p_bucket smallint, p_run uuid[], p_flow jsonb[]) RETURNS uuid[]
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_material TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_run record;
    v_gate text;
    v_next timestamptz;
    v_step interval;
    v_spare interval;
    v_later uuid[] := '{}';
    v_later_at timestamptz[] := '{}';
    v_dropped uuid[] := '{}';
begin
    for v_run in
        select u.run_id, u.flow -> 'rate' ->> 0 as gate, u.flow -> 'rate' as rate
          from unnest(p_run, p_flow) with ordinality as u (run_id, flow, n)
         where u.flow ? 'rate'
         order by u.flow -> 'rate' ->> 0, u.n
    loop
        if v_gate is distinct from v_run.gate then
            update pawl.flow_rate r set next_at = v_next where r.bucket = p_bucket and r.gate = v_gate;
            v_gate := v_run.gate;
            insert into pawl.flow_rate (bucket, gate, next_at) values (p_bucket, v_gate, now()) on conflict do nothing;
            select r.next_at into v_next
              from pawl.flow_rate r
             where r.bucket = p_bucket and r.gate = v_gate
               for no key update;
            v_next := greatest(v_next, now());
            v_step := (v_run.rate ->> 2)::bigint * interval '1 microsecond'
                / greatest(pawl.limit_of(v_gate, (v_run.rate ->> 1)::int), 1);
            v_spare := ((v_run.rate ->> 3)::int - 1) * v_step;
        end if;
        if v_next - v_spare > now() then
            if (v_run.rate ->> 4)::boolean then
                v_dropped := v_dropped || v_run.run_id;
                continue;
            end if;
            v_later := v_later || v_run.run_id;
            v_later_at := v_later_at || (v_next - v_spare);
        end if;
        v_next := v_next + v_step;
    end loop;
    if v_gate is null then
        return '{}';
    end if;
    update pawl.flow_rate r set next_at = v_next where r.bucket = p_bucket and r.gate = v_gate;
    -- A gate whose time is over says nothing any more.
    delete from pawl.flow_rate r
     where r.ctid = any (array(
           select o.ctid from pawl.flow_rate o
            where o.next_at < now() - interval '1 minute'
            order by o.next_at
            limit 20
              for update skip locked
       ));
    update pawl.live_run l
       set state = 0, worker = null, flow = l.flow - 'rate', due_at = u.due,
           slot = case when l.flow ? 'slots' then 2 end
      from unnest(v_later, v_later_at) as u (run_id, due)
     cross join lateral (
         select h.ctid as row_id from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
     ) as x
     where l.ctid = x.row_id;
    if v_dropped <> '{}' then
        insert into pawl.signal (bucket, run_id, kind, data)
        select p_bucket, u.run_id, 'cancel',
               jsonb_build_object('reason', 'dropped: over the rate limit of its workflow')
          from unnest(v_dropped) as u (run_id);
        update pawl.live_run l
           set state = 0, worker = null, slot = 3
          from unnest(v_dropped) as u (run_id)
         cross join lateral (
             select h.ctid as row_id from pawl.live_run h where h.bucket = p_bucket and h.run_id = u.run_id offset 0
         ) as x
         where l.ctid = x.row_id;
    end if;
    return v_later || v_dropped;
end
$$;

CREATE FUNCTION pawl.task_state_name(p_state smallint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (ARRAY['open'::text, 'approved'::text, 'rejected'::text, 'timed_out'::text, 'withdrawn'::text])[(p_state + 1)];

CREATE FUNCTION pawl.tell_about_tasks(p_bucket smallint, p_name text, p_task uuid[]) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
    if not exists (select 1 from pawl.event_trigger t where t.event = p_name) then
        return;
    end if;
    perform pawl.publish_events(
        p_bucket, array_agg(t.tenant), array_agg(format('%s:%s:%s', p_name, t.id, extract(epoch from now()))),
        array_agg(p_name), array_agg(coalesce(t.assignee, t.grp, '')), array_agg(t.subject), array_agg('pawl'::text),
        array_agg(now()),
        array_agg(jsonb_strip_nulls(jsonb_build_object(
            'task', t.id, 'run', t.run_id, 'node', t.node, 'title', t.title, 'description', t.description,
            'assignee', t.assignee, 'group', t.grp, 'approvers', to_jsonb(nullif(t.approvers, '{}')), 'due_at', t.due_at
        )))
    )
      from unnest(p_task) as u (id)
     cross join lateral (
         select h.* from pawl.human_task h where h.bucket = p_bucket and h.id = u.id offset 0
     ) as t
    having count(*) > 0;
end
$$;

CREATE FUNCTION pawl.tell_of_dead_letters() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    c_seq constant int := 1073741824;
    c_type constant text := 'dead_letter.created';
begin
    if not exists (select 1 from pawl.outbox_target t where t.disabled_at is null) then
        return null;
    end if;
    insert into pawl.outbox (bucket, target, run_id, seq, shard, tenant, workflow, version, subject, type, due_at, data)
    select a.bucket, t.id, a.run_id, c_seq, get_byte(uuid_send(a.run_id), 15) & 1, a.tenant, a.workflow, a.version,
           r.subject, c_type, greatest(now(), before.due_at),
           jsonb_build_object('run_id', a.run_id, 'workflow', w.name, 'version', a.version, 'subject', r.subject,
                              'step', a.node, 'error', a.error, 'fingerprint', a.fingerprint)
      from added a
      join pawl.workflow w on w.id = a.workflow
     cross join lateral (
         select x.id
           from pawl.outbox_target x
          where x.tenant = a.tenant and x.disabled_at is null and pawl.outbox_wants(x.events, c_type)
            and (x.workflows is null or w.name = any (x.workflows))
         offset 0
     ) as t
      left join lateral (
         select x.subject from pawl.run x where x.bucket = a.bucket and x.run_id = a.run_id offset 0
     ) as r on true
      left join lateral (
         select o.due_at
           from pawl.outbox o
          where o.bucket = a.bucket and o.target = t.id and o.run_id = a.run_id and o.seq < c_seq
          order by o.seq desc
          limit 1
     ) as before on true
        on conflict do nothing;
    return null;
end
$$;

CREATE FUNCTION pawl.tenant_number(p_tenant text) RETURNS integer
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_id int;
begin
    if p_tenant is null then
        return 0;
    end if;
    select t.id into v_id from pawl.tenant t where t.name = p_tenant;
    if v_id is null then
        raise exception 'there is no tenant %', quote_literal(p_tenant) using errcode = 'PW010';
    end if;
    return v_id;
end
$$;

CREATE FUNCTION pawl.tickets_for(p_workflow integer[], p_version integer[], p_tenant integer[], p_subject text[], p_data jsonb[], OUT flow jsonb[], OUT data jsonb[]) RETURNS record
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
    flow := '{}';
    data := p_data;
    if not exists (
        select 1
          from (select distinct u.workflow, u.version from unnest(p_workflow, p_version) as u (workflow, version)) as u
         cross join lateral (
             select 1 from pawl.workflow_version v
              where v.workflow = u.workflow and v.version = u.version and v.definition ? 'flow'
             offset 0
         ) as v
    ) then
        return;
    end if;
    select array_agg(t.ticket order by u.n),
           array_agg(
               case when t.ticket is null then u.data
                    else u.data || jsonb_build_object('flow', t.ticket)
                         || case when v.flow ? 'batch'
                                 then jsonb_build_object(
                                          'input', jsonb_build_object('items', jsonb_build_array(u.data -> 'input'))
                                      )
                                 else '{}' end
               end order by u.n
           )
      into flow, data
      from unnest(p_workflow, p_version, p_tenant, p_subject, p_data) with ordinality
           as u (workflow, version, tenant, subject, data, n)
      left join lateral (
          select w.definition -> 'flow' as flow
            from pawl.workflow_version w
           where w.workflow = u.workflow and w.version = u.version
          offset 0
      ) as v on true
     cross join lateral (
         select case when v.flow is not null
                     then pawl.flow_ticket(v.flow, u.tenant, u.workflow, u.data -> 'input', u.subject) end
     ) as t (ticket);
end
$$;

CREATE FUNCTION pawl.try_hold(p_tenant integer, p_name text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    perform 1 from pawl.latch l where l.tenant = p_tenant and l.name = p_name for no key update skip locked;
    if found then
        return true;
    elsif exists (select 1 from pawl.latch l where l.tenant = p_tenant and l.name = p_name) then
        return false;
    end if;
    insert into pawl.latch (tenant, name) values (p_tenant, p_name) on conflict do nothing;
    return found;
end
$$;

CREATE FUNCTION pawl.unbind_role(p_role text) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    delete from pawl.tenant_role t where t.role_name = p_role;
    if found and to_regrole(quote_ident(p_role)) is not null then
        execute format('revoke pawl_user from %I', p_role);
        perform pawl.share_queue(q.name, p_role, false)
           from pawl.queue q where q.name like 't' || q.tenant || '\_%';
        return true;
    end if;
    return found;
end
$$;

CREATE FUNCTION pawl.undo_key(p_run uuid, p_chain jsonb, p_node text, p_record jsonb, p_first integer, p_last integer) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT ((((COALESCE(min(o.run), (undo_key.p_chain ->> 'anew_run'::text), (undo_key.p_chain ->> 'first_run'::text), (undo_key.p_run)::text) || ':undo-'::text) || (undo_key.p_record #>> '{}'::text[])) || ':'::text) || undo_key.p_node) FROM (unnest(ARRAY[undo_key.p_first, undo_key.p_last]) p(seq) CROSS JOIN LATERAL (SELECT (SELECT (w.one ->> 'run'::text) FROM jsonb_array_elements((undo_key.p_chain -> 'owners'::text)) WITH ORDINALITY w(one, place) WHERE (p.seq <= ((w.one ->> 'until'::text))::integer) ORDER BY w.place LIMIT 1) AS run) o) HAVING (count(DISTINCT COALESCE(o.run, ''::text)) = 1));

CREATE FUNCTION pawl.use_tenant(p_name text) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_tenant int := pawl.tenant_number(p_name);
begin
    perform set_config('pawl.tenant', v_tenant::text, false);
    return v_tenant;
end
$$;

CREATE FUNCTION pawl.use_vectors(p_dimensions integer) RETURNS boolean
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_schema text := (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace
                       where e.extname = 'vector');
begin
    if v_schema is null or to_regclass('pawl.knowledge_vector') is not null then
        return v_schema is not null;
    end if;
    execute format(
        'create table pawl.knowledge_vector (tenant int not null default 1, id text not null, '
        'embedding %I.vector(%s) not null, constraint knowledge_vector_pk primary key (tenant, id), '
        'constraint knowledge_vector_fk foreign key (tenant, id) references pawl.knowledge on delete cascade)',
        v_schema, p_dimensions);
    execute format(
        'create index knowledge_vector_near on pawl.knowledge_vector using hnsw (embedding %I.vector_cosine_ops)',
        v_schema
    );
    perform pawl.secure();
    return true;
end
$$;

CREATE FUNCTION pawl.uuid7_bound(p_at timestamp with time zone) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((lpad(to_hex(((EXTRACT(epoch FROM p_at) * (1000)::numeric))::bigint), 12, '0'::text) || repeat('0'::text, 20)))::uuid;

CREATE TABLE pawl.workflow_version (
    workflow integer NOT NULL,
    version integer NOT NULL,
    definition jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    label text,
    draft boolean DEFAULT false NOT NULL,
    retired_at timestamp with time zone,
    CONSTRAINT workflow_version_check CHECK ((version >= 1))
);

ALTER TABLE ONLY pawl.workflow_version FORCE ROW LEVEL SECURITY;

CREATE FUNCTION pawl.version_before(p_tenant integer, p_name text) RETURNS integer
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog'
    BEGIN ATOMIC
 SELECT c.version
    FROM ((pawl.definition d
      JOIN pawl.version_change c ON ((c.workflow = d.workflow)))
      JOIN pawl.workflow_version v ON (((v.workflow = c.workflow) AND (v.version = c.version))))
   WHERE ((d.tenant = version_before.p_tenant) AND (d.name = version_before.p_name) AND (c.action = ANY (ARRAY['applied'::text, 'activated'::text])) AND (c.version <> d.version) AND (v.retired_at IS NULL) AND (c.id < ( SELECT max(h.id) AS max
            FROM pawl.version_change h
           WHERE ((h.workflow = d.workflow) AND (h.version = d.version) AND (h.action = ANY (ARRAY['applied'::text, 'activated'::text]))))))
   ORDER BY c.id DESC
  LIMIT 1;
END;

CREATE FUNCTION pawl.version_number(p_tenant integer, p_name text, p_version text) RETURNS integer
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog'
    BEGIN ATOMIC
 SELECT v.version
    FROM (pawl.workflow w
      JOIN pawl.workflow_version v ON ((v.workflow = w.id)))
   WHERE ((w.tenant = version_number.p_tenant) AND (w.name = version_number.p_name) AND (((v.version)::text = version_number.p_version) OR (v.label = version_number.p_version)));
END;

CREATE FUNCTION pawl.views_for_users() RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY['workflow_definitions'::text, 'workflow_executions'::text, 'fw_workflow_executions'::text, 'fw_module_settings'::text, 'workflow_runs'::text, 'workflow_steps'::text, 'step_logs'::text, 'retry_meta'::text];

CREATE FUNCTION pawl.vote_on_task(p_task pawl.human_task, p_yes boolean, p_by text, p_alone boolean) RETURNS pawl.human_task
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_task pawl.human_task := p_task;
begin
    v_task.claimed_by := null;
    v_task.approved_by := pawl.replace_person(v_task.approved_by, p_by, null);
    v_task.rejected_by := pawl.replace_person(v_task.rejected_by, p_by, null);
    if p_yes then
        v_task.approved_by := v_task.approved_by || p_by;
    else
        v_task.rejected_by := v_task.rejected_by || p_by;
    end if;
    if p_yes and (p_alone or cardinality(v_task.approved_by) >= v_task.approvals_needed) then
        v_task.state := 1;
    elsif not p_yes and (p_alone or cardinality(v_task.rejected_by) >= v_task.rejections_needed) then
        v_task.state := 2;
    end if;
    return v_task;
end
$$;

CREATE FUNCTION pawl.wake_at_commit(p_bucket smallint) RETURNS void
    LANGUAGE sql
    SET search_path TO 'pg_catalog'
    BEGIN ATOMIC
 SELECT pg_notify('pawl_wake'::text, (p_bucket)::text) AS pg_notify;
END;

CREATE FUNCTION pawl.wake_for_jobs() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
begin
    perform pg_notify('pawl_wake', 'jobs');
    return null;
end
$$;

CREATE FUNCTION pawl.walk(p_value jsonb, p_segments jsonb, p_from integer) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_value jsonb := p_value;
    v_segment jsonb;
begin
    for place in p_from .. jsonb_array_length(p_segments) - 1 loop
        v_segment := p_segments -> place;
        if v_segment ->> 0 = 'index' then
            v_value := case when jsonb_typeof(v_value) = 'array' and (v_segment ->> 1)::numeric < 1000000000
                            then v_value -> (v_segment ->> 1)::int end;
        else
            v_value := case when jsonb_typeof(v_value) = 'object' then v_value -> (v_segment ->> 1) end;
        end if;
        exit when v_value is null;
    end loop;
    return v_value;
end
$$;

CREATE FUNCTION pawl.walk_dead_letters(p_bucket smallint, p_tenant integer, p_fingerprint text, p_from timestamp with time zone, p_from_run uuid, p_before timestamp with time zone, p_before_run uuid, p_newest_first boolean, p_scan integer) RETURNS SETOF pawl.dead_letter
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET jit TO 'off'
    AS $_$
begin
    return query execute format(
        'select d.* from pawl.dead_letter d where d.bucket = $1 and d.tenant = $2 and %1$s (d.at, d.run_id) > ($4, $5)'
        ' and (d.at, d.run_id) < ($6, $7) order by d.at %2$s, d.run_id %2$s limit $8',
        case when length(p_fingerprint) = 32 then 'd.fingerprint = $3 and' else '' end,
        case when p_newest_first then 'desc' else 'asc' end
    ) using p_bucket, p_tenant, p_fingerprint, coalesce(p_from, '-infinity'),
        coalesce(p_from_run, '00000000-0000-0000-0000-000000000000'), coalesce(p_before, 'infinity'),
        coalesce(p_before_run, '00000000-0000-0000-0000-000000000000'), p_scan;
end
$_$;

CREATE FUNCTION pawl.was_delivered(p_bucket smallint, p_run uuid, p_token integer, p_event text) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog'
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
begin
    return exists (
        select 1
          from pawl.signal s
         where s.bucket = p_bucket and s.run_id = p_run and s.kind = 'event' and s.data ->> 'id' = p_event
           and (s.data ->> 'token')::int = p_token
    ) or exists (
        select 1
          from pawl.event e
         where e.bucket = p_bucket and e.run_id = p_run and e.type = 10 and e.data ->> 'kind' = 'event'
           and e.data -> 'data' ->> 'id' = p_event and (e.data -> 'data' ->> 'token')::int = p_token
    );
end
$$;

CREATE FUNCTION pawl.watch_retiring(p_table text, p_week timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_part record;
    v_name text;
begin
    select * into v_part from pawl.retiring(p_table, p_week);
    if v_part.kept is null and to_regclass(format('pawl.%I', p_table || '_kept')) is not null then
        -- Weeks in between were never made: it stays as it is, under another name.
        execute format('alter table pawl.%I rename to %I', p_table || '_kept', p_table || '_kept_' || to_char(
            pawl.uuid7_time((select b.from_id from pawl.partition_bounds(p_table, p_table || '_kept') b))
            at time zone 'UTC', 'YYYYMMDD'));
    end if;
    execute format('drop table if exists pawl.%I', p_table || '_keeping');
    perform pawl.make_partition(p_table, p_table || '_keeping', v_part.from_id, v_part.until_id);
    delete from pawl.retention_late l where l.parent = p_table;
    -- From here on every change of a row is noted.
    foreach v_name in array array_remove(array[v_part.leaf, v_part.kept], null) loop
        execute format('drop trigger if exists note_late on pawl.%I', v_name);
        execute format(
            'create trigger note_late after insert or update or delete on pawl.%I'
            ' for each row execute function pawl.note_late(%L)', v_name, p_table
        );
    end loop;
end
$$;

CREATE FUNCTION pawl.workflow_id(p_tenant integer, p_name text) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog'
    AS $$
declare
    v_id int;
begin
    select w.id into v_id from pawl.workflow w where w.tenant = p_tenant and w.name = p_name;
    if not found then
        insert into pawl.workflow (tenant, name) values (p_tenant, p_name) returning id into v_id;
    end if;
    return v_id;
end
$$;

CREATE FUNCTION pawl.works_for_others(p_role oid, p_tenant integer) RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    v_others boolean;
begin
    perform pawl.require_tenant(p_tenant);
    if p_role is null or pg_has_role(p_role, (select n.nspowner from pg_namespace n where n.nspname = 'pawl'), 'member')
       or coalesce(pg_has_role(p_role, to_regrole('pawl_worker')::oid, 'member'), false)
       or coalesce(pg_has_role(p_role, to_regrole('pawl_api')::oid, 'member'), false) then
        return false;
    end if;
    select bool_and(t.tenant <> p_tenant) into v_others
      from pawl.tenant_role t
     where pg_has_role(p_role, to_regrole(quote_ident(t.role_name))::oid, 'member');
    return coalesce(v_others, false);
end
$$;

CREATE FUNCTION queues.claim_tasks(p_limit integer) RETURNS TABLE(task_id bigint, task_type text, payload jsonb, deliveries integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
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

CREATE FUNCTION queues.deliveries_max() RETURNS integer
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    RETURN 5;

CREATE TABLE queues.task (
    task_id bigint NOT NULL,
    task_type queues.task_type NOT NULL,
    payload jsonb DEFAULT '{}'::jsonb NOT NULL,
    enqueued_at timestamp with time zone DEFAULT now() NOT NULL,
    scheduled_at timestamp with time zone DEFAULT now() NOT NULL,
    dequeued_at timestamp with time zone,
    task_key text,
    deliveries integer DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    CONSTRAINT task_payload_check CHECK ((jsonb_typeof(payload) = 'object'::text))
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

COMMENT ON COLUMN queues.task.task_key IS 'at most one task that waits has it';

COMMENT ON COLUMN queues.task.lease_until IS 'null once dequeued: it was dealt with. Past: whoever took it is gone';

CREATE FUNCTION queues.dequeue_next_available_task() RETURNS SETOF queues.task
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
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

CREATE FUNCTION queues.enqueue_task(task_type queues.task_type, payload jsonb, scheduled_at timestamp with time zone DEFAULT now(), task_key text DEFAULT NULL::text) RETURNS bigint
    LANGUAGE sql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    insert into queues.task (task_type, payload, scheduled_at, task_key) values ($1, $2, coalesce($3, now()), $4)
        on conflict (task_key) where dequeued_at is null and task_key is not null do nothing
    returning task_id
$_$;

CREATE FUNCTION queues.finish_task(task_id bigint) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    update queues.task t set lease_until = null where t.task_id = $1 and t.lease_until is not null
$_$;

CREATE FUNCTION queues.is_task_lost(task_id bigint, p_after interval) RETURNS boolean
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    select coalesce(
        (select t.dequeued_at is not null and t.dequeued_at <= now() - $2 from queues.task t where t.task_id = $1), true
    )
$_$;

CREATE FUNCTION queues.oldest_task() RETURNS timestamp with time zone
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$ select min(t.scheduled_at) from queues.task t where t.dequeued_at is null $$;

CREATE FUNCTION queues.purge_tasks(p_keep interval, p_limit integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    AS $$
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

CREATE FUNCTION queues.record_error(task_id bigint, stage text, function_name text, message text, details jsonb DEFAULT '{}'::jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
    insert into queues.error (task_id, stage, function_name, message, details)
    values ($1, $2, $3, left(coalesce(nullif($4, ''), 'it did not say why'), 4000), coalesce($5, '{}'))
$_$;

CREATE FUNCTION queues.retry_task(task_id bigint, p_delay interval) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION queues.wake_workers() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    if exists (select 1 from added a where a.scheduled_at <= now()) then
        perform pg_notify('pawl_wake', 'tasks');
    end if;
    return null;
end
$$;

CREATE TABLE comms.email_message (
    message_id bigint NOT NULL,
    channel text DEFAULT 'email'::text NOT NULL,
    from_address text,
    to_address text NOT NULL,
    reply_to text,
    subject text NOT NULL,
    body_text text,
    body_html text,
    CONSTRAINT email_message_address_check CHECK (((to_address ~ '^[^\s@<>]+@[^\s@<>]+$'::text) AND (length(to_address) <= 320) AND (from_address !~ '[\r\n]'::text) AND (length(from_address) <= 500) AND (reply_to !~ '[\r\n]'::text) AND (length(reply_to) <= 500))),
    CONSTRAINT email_message_body_check CHECK ((num_nonnulls(body_text, body_html) > 0)),
    CONSTRAINT email_message_channel_check CHECK ((channel = 'email'::text)),
    CONSTRAINT email_message_subject_check CHECK (((subject !~ '[\r\n]'::text) AND (length(subject) <= 998)))
);

CREATE TABLE comms.message (
    message_id bigint NOT NULL,
    channel text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT message_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text])))
);

ALTER TABLE comms.message ALTER COLUMN message_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME comms.message_message_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE comms.send_email_task (
    send_email_task_id bigint NOT NULL,
    message_id bigint NOT NULL,
    scheduled_at timestamp with time zone DEFAULT now() NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    idempotency_key uuid DEFAULT gen_random_uuid() NOT NULL
);

CREATE TABLE comms.send_email_task_failed (
    send_email_task_id bigint NOT NULL,
    attempt integer NOT NULL,
    error_message text NOT NULL,
    final boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE comms.send_email_task_scheduled (
    send_email_task_id bigint NOT NULL,
    attempt integer NOT NULL,
    queue_task_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE comms.send_email_task ALTER COLUMN send_email_task_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME comms.send_email_task_send_email_task_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE comms.send_email_task_succeeded (
    send_email_task_id bigint NOT NULL,
    attempt integer,
    provider_message_id text,
    worker_payload jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE comms.send_sms_task (
    send_sms_task_id bigint NOT NULL,
    message_id bigint NOT NULL,
    scheduled_at timestamp with time zone DEFAULT now() NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    idempotency_key uuid DEFAULT gen_random_uuid() NOT NULL
);

CREATE TABLE comms.send_sms_task_failed (
    send_sms_task_id bigint NOT NULL,
    attempt integer NOT NULL,
    error_message text NOT NULL,
    final boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE comms.send_sms_task_scheduled (
    send_sms_task_id bigint NOT NULL,
    attempt integer NOT NULL,
    queue_task_id bigint NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE comms.send_sms_task ALTER COLUMN send_sms_task_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME comms.send_sms_task_send_sms_task_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE comms.send_sms_task_succeeded (
    send_sms_task_id bigint NOT NULL,
    attempt integer,
    provider_message_id text,
    worker_payload jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE comms.sms_message (
    message_id bigint NOT NULL,
    channel text DEFAULT 'sms'::text NOT NULL,
    from_number text,
    to_number text NOT NULL,
    body text NOT NULL,
    CONSTRAINT sms_message_body_check CHECK (((length(body) >= 1) AND (length(body) <= 1600))),
    CONSTRAINT sms_message_channel_check CHECK ((channel = 'sms'::text)),
    CONSTRAINT sms_message_number_check CHECK (((to_number ~ '^\+?[0-9]{3,20}$'::text) AND (length(from_number) <= 50)))
);

CREATE TABLE pawl.api_key (
    id integer NOT NULL,
    tenant integer NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    hash bytea NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    CONSTRAINT api_key_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT api_key_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT api_key_scopes_check CHECK ((cardinality(scopes) > 0))
);

ALTER TABLE ONLY pawl.api_key FORCE ROW LEVEL SECURITY;

ALTER TABLE pawl.api_key ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.api_key_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pawl.callback_use (
    bucket smallint NOT NULL,
    run_id uuid NOT NULL,
    token bytea NOT NULL,
    fingerprint bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT callback_use_check CHECK (((length(token) = 32) AND (length(fingerprint) = 32)))
);

ALTER TABLE ONLY pawl.callback_use FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.condition_table (
    tenant integer NOT NULL,
    schema_name text NOT NULL,
    table_name text NOT NULL,
    subject_column text NOT NULL,
    columns text[]
);

ALTER TABLE ONLY pawl.condition_table FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN pawl.condition_table.columns IS 'what may be asked; null: every column';

CREATE TABLE pawl.event_trigger (
    tenant integer NOT NULL,
    event text NOT NULL,
    workflow integer NOT NULL
);

ALTER TABLE ONLY pawl.event_trigger FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.queue (
    name text NOT NULL,
    tenant integer DEFAULT 1 NOT NULL,
    workflow text,
    reads_max integer DEFAULT 5 NOT NULL,
    dead_letter_queue text DEFAULT 'workflow_dlq'::text NOT NULL,
    archive boolean DEFAULT false NOT NULL,
    active boolean DEFAULT true NOT NULL,
    organizations boolean DEFAULT false NOT NULL,
    CONSTRAINT queue_dead_letter_queue_check CHECK ((lower(dead_letter_queue) <> lower(name))),
    CONSTRAINT queue_reads_max_check CHECK (((reads_max >= 1) AND (reads_max <= 1000)))
);

ALTER TABLE ONLY pawl.queue FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN pawl.queue.organizations IS 'a message says by organization_id which tenant it is for';

CREATE VIEW pawl.consumed_queue AS
 WITH triggered AS (
         SELECT DISTINCT t.tenant,
            substr(t.event, 7) AS name
           FROM pawl.event_trigger t
          WHERE (t.event ~~ 'queue:%'::text)
        )
 SELECT t.name,
    t.tenant,
    'trigger'::text AS kind,
    NULL::text AS workflow,
    COALESCE(q.reads_max, 5) AS reads_max,
    COALESCE(q.dead_letter_queue, 'workflow_dlq'::text) AS dead_letter_queue,
    COALESCE(q.archive, false) AS archive,
    false AS organizations
   FROM (triggered t
     LEFT JOIN pawl.queue q ON ((q.name = t.name)))
  WHERE ((COALESCE(q.tenant, 1) = t.tenant) AND COALESCE(q.active, true))
UNION ALL
 SELECT q.name,
    q.tenant,
        CASE
            WHEN (q.workflow IS NULL) THEN 'message'::text
            ELSE 'workflow'::text
        END AS kind,
    q.workflow,
    q.reads_max,
    q.dead_letter_queue,
    q.archive,
    q.organizations
   FROM pawl.queue q
  WHERE (q.active AND (NOT (EXISTS ( SELECT 1
           FROM triggered t
          WHERE ((t.tenant = q.tenant) AND (t.name = q.name))))));

CREATE TABLE pawl.correlation (
    bucket smallint NOT NULL,
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    key text NOT NULL,
    run_id uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT correlation_key_check CHECK (((length(key) >= 1) AND (length(key) <= 500)))
);

ALTER TABLE ONLY pawl.correlation FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.credential (
    tenant integer NOT NULL,
    name text NOT NULL,
    key_id text NOT NULL,
    nonce bytea NOT NULL,
    box bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT credential_box_check CHECK ((length(box) <= 66000)),
    CONSTRAINT credential_name_check CHECK ((name ~ '^[A-Za-z_][A-Za-z0-9_-]{0,99}$'::text))
);

ALTER TABLE ONLY pawl.credential FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.crm_activity (
    tenant integer DEFAULT 1 NOT NULL,
    idempotency_key text NOT NULL,
    contact text,
    ticket text,
    kind text NOT NULL,
    text text DEFAULT ''::text NOT NULL,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY pawl.crm_activity FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.crm_contact (
    tenant integer DEFAULT 1 NOT NULL,
    id text NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    email text,
    company text,
    fields jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT crm_contact_id_check CHECK (((length(id) >= 1) AND (length(id) <= 200)))
);

ALTER TABLE ONLY pawl.crm_contact FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.crm_ticket (
    tenant integer DEFAULT 1 NOT NULL,
    id text NOT NULL,
    contact text,
    subject text DEFAULT ''::text NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    fields jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT crm_ticket_id_check CHECK (((length(id) >= 1) AND (length(id) <= 200)))
);

ALTER TABLE ONLY pawl.crm_ticket FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.dead_run_pending (
    bucket smallint NOT NULL,
    run_id uuid NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

ALTER TABLE ONLY pawl.dead_run_pending FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.document_key (
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    reserved_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    key text NOT NULL,
    CONSTRAINT document_key_key_fits_check CHECK ((octet_length(key) <= 2000))
);

ALTER TABLE ONLY pawl.document_key FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.event_default (
    run_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    seq integer NOT NULL,
    bucket smallint NOT NULL,
    type smallint NOT NULL,
    attempt smallint,
    node text,
    data jsonb,
    error jsonb,
    external_message_id text,
    token integer
);

CREATE TABLE pawl.event_wait (
    workflow integer NOT NULL,
    event text NOT NULL
);

ALTER TABLE ONLY pawl.event_wait FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.figures (
    bucket smallint NOT NULL,
    taken_at timestamp with time zone NOT NULL,
    figures jsonb NOT NULL
)
WITH (fillfactor='30');

ALTER TABLE ONLY pawl.figures FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.flow_gate (
    bucket smallint NOT NULL,
    gate text NOT NULL COLLATE pg_catalog."C",
    base integer NOT NULL,
    "limit" integer NOT NULL,
    held integer NOT NULL,
    waited boolean DEFAULT false NOT NULL,
    look boolean DEFAULT false NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0', vacuum_truncate=off);

ALTER TABLE ONLY pawl.flow_gate FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.flow_group (
    bucket smallint NOT NULL,
    gate text NOT NULL COLLATE pg_catalog."C",
    run_id uuid NOT NULL,
    first_at timestamp with time zone NOT NULL,
    count integer NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

ALTER TABLE ONLY pawl.flow_group FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.flow_limit (
    gate text NOT NULL COLLATE pg_catalog."C",
    "limit" integer NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT flow_limit_check CHECK ((("limit" >= 0) AND ("limit" <= 1000000)))
);

ALTER TABLE ONLY pawl.flow_limit FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.flow_rate (
    bucket smallint NOT NULL,
    gate text NOT NULL COLLATE pg_catalog."C",
    next_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

ALTER TABLE ONLY pawl.flow_rate FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.flow_wait (
    bucket smallint NOT NULL,
    run_id uuid NOT NULL,
    gate text NOT NULL COLLATE pg_catalog."C",
    rank timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY pawl.flow_wait FORCE ROW LEVEL SECURITY;

CREATE VIEW pawl.fw_module_settings WITH (security_barrier='true') AS
 SELECT t.organization AS organization_id,
    COALESCE((o.running_until > now()), false) AS worker_running,
    o.last_run_at AS worker_last_run_at,
    o.last_batch_size AS worker_last_batch_size
   FROM (pawl.tenant t
     LEFT JOIN pawl.organization_worker o ON ((o.tenant = t.id)))
  WHERE ((t.id = pawl.current_tenant()) OR pawl.is_engine());

CREATE TABLE pawl.idempotency_key (
    tenant integer NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    headers jsonb NOT NULL,
    body text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT idempotency_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)))
);

ALTER TABLE ONLY pawl.idempotency_key FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.inbox (
    id bigint NOT NULL,
    bucket smallint NOT NULL,
    tenant integer NOT NULL,
    event_id text NOT NULL,
    name text NOT NULL,
    key text NOT NULL,
    subject text,
    source text,
    "time" timestamp with time zone,
    data jsonb,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    problem text,
    CONSTRAINT inbox_event_id_check CHECK (((octet_length(event_id) >= 1) AND (octet_length(event_id) <= 400))),
    CONSTRAINT inbox_key_check CHECK ((octet_length(key) <= 500)),
    CONSTRAINT inbox_name_check CHECK ((octet_length(name) <= 500))
)
WITH (autovacuum_vacuum_insert_scale_factor='0.2');

ALTER TABLE ONLY pawl.inbox FORCE ROW LEVEL SECURITY;

ALTER TABLE pawl.inbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.inbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pawl.inbox_pending (
    bucket smallint NOT NULL,
    id bigint NOT NULL,
    more bigint[]
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

ALTER TABLE ONLY pawl.inbox_pending FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.knowledge (
    tenant integer DEFAULT 1 NOT NULL,
    id text NOT NULL,
    title text DEFAULT ''::text NOT NULL,
    body text NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY pawl.knowledge FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.latch (
    tenant integer NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT latch_name_check CHECK ((octet_length(name) <= 600))
);

ALTER TABLE ONLY pawl.latch FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.lock_place (
    bucket smallint NOT NULL,
    tenant integer NOT NULL,
    key text NOT NULL,
    place bigint NOT NULL,
    run_id uuid NOT NULL,
    token integer NOT NULL,
    CONSTRAINT lock_place_key_check CHECK (((length(key) >= 1) AND (length(key) <= 500)))
);

ALTER TABLE ONLY pawl.lock_place FORCE ROW LEVEL SECURITY;

ALTER TABLE pawl.lock_place ALTER COLUMN place ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.lock_place_place_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pawl.migration (
    number integer NOT NULL,
    name text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY pawl.migration FORCE ROW LEVEL SECURITY;

CREATE VIEW pawl.outbox_events WITH (security_invoker='true') AS
 SELECT ((('evt_'::text || o.run_id) || '_'::text) || o.seq) AS id,
    o.target,
    o.run_id,
    o.seq,
    o.type AS event_type,
    ( SELECT (m.message)::jsonb AS message
           FROM pawl.outbox_messages(o.bucket, o.target, ARRAY[o.run_id], ARRAY[o.seq]) m(run_id, seq, message)) AS payload,
    (ARRAY['pending'::text, 'in_flight'::text, 'published'::text, 'failed'::text])[(o.state + 1)] AS state,
    (o.state = 2) AS published,
    ((('evt_'::text || o.run_id) || '_'::text) || o.seq) AS idempotency_key,
    o.attempts,
    o.due_at AS next_attempt_at,
    o.created_at,
    o.finished_at,
    o.error
   FROM pawl.outbox o;

CREATE TABLE pawl.outbox_lease (
    target integer NOT NULL,
    shard smallint NOT NULL,
    tenant integer NOT NULL,
    worker uuid,
    leased_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    next_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    taken_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE ONLY pawl.outbox_lease FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.outbox_target (
    id integer NOT NULL,
    tenant integer NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    kind text NOT NULL,
    address text NOT NULL,
    events text[] DEFAULT '{*}'::text[] NOT NULL,
    workflows text[],
    batch_max integer DEFAULT 1 NOT NULL,
    retries integer[],
    key_id text,
    nonce bytea,
    box bytea,
    old_key_id text,
    old_nonce bytea,
    old_box bytea,
    old_until timestamp with time zone,
    disabled_at timestamp with time zone,
    disabled_because text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT outbox_target_address_check CHECK (((length(address) >= 1) AND (length(address) <= 2000))),
    CONSTRAINT outbox_target_batch_check CHECK (((batch_max >= 1) AND (batch_max <= 1000))),
    CONSTRAINT outbox_target_box_check CHECK (((length(box) <= 1000) AND (length(old_box) <= 1000))),
    CONSTRAINT outbox_target_events_check CHECK (((cardinality(events) >= 1) AND (cardinality(events) <= 100))),
    CONSTRAINT outbox_target_kind_check CHECK ((kind = ANY (ARRAY['webhook'::text, 'notify'::text, 'queue'::text]))),
    CONSTRAINT outbox_target_name_check CHECK ((length(name) <= 200))
);

ALTER TABLE ONLY pawl.outbox_target FORCE ROW LEVEL SECURITY;

ALTER TABLE pawl.outbox_target ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME pawl.outbox_target_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pawl.reentry (
    bucket smallint NOT NULL,
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    subject text NOT NULL,
    run_id uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY pawl.reentry FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.retention (
    id integer DEFAULT 1 NOT NULL,
    token uuid,
    lease_until timestamp with time zone,
    week timestamp with time zone,
    step text,
    at_bucket smallint,
    at_run uuid,
    CONSTRAINT retention_check CHECK ((id = 1))
);

ALTER TABLE ONLY pawl.retention FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.retention_late (
    id bigint NOT NULL,
    parent text NOT NULL,
    of_bucket smallint NOT NULL,
    run uuid NOT NULL
);

ALTER TABLE ONLY pawl.retention_late FORCE ROW LEVEL SECURITY;

ALTER TABLE pawl.retention_late ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.retention_late_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW pawl.retry_meta WITH (security_invoker='true') AS
 SELECT s.id AS step_id,
    s.attempts,
    s.backoff_seconds,
    s.dead_letter,
    x.run_id
   FROM (( SELECT l.bucket,
            l.run_id,
            l.tenant,
            l.workflow,
            l.version,
            (0)::smallint AS status,
            (l.state = 1) AS held
           FROM pawl.live_run l
        UNION ALL
         SELECT r.bucket,
            r.run_id,
            r.tenant,
            r.workflow,
            r.version,
            r.status,
            false
           FROM pawl.run r) x
     CROSS JOIN LATERAL pawl.execution_steps(x.bucket, x.run_id, x.workflow, x.version, x.status, x.held) s(id, step_name, seq, status, input, result, attempts, max_attempts, next_attempt_at, idempotency_key, error, created_at, updated_at, backoff_seconds, dead_letter))
  WHERE ((x.tenant = ( SELECT pawl.current_tenant() AS current_tenant)) AND (x.bucket = ( SELECT t.bucket
           FROM pawl.tenant t
          WHERE (t.id = pawl.current_tenant()))));

CREATE TABLE pawl.run_default (
    run_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone NOT NULL,
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    version integer NOT NULL,
    bucket smallint NOT NULL,
    status smallint NOT NULL,
    subject text,
    output jsonb,
    error jsonb,
    parent uuid,
    retried_as uuid,
    CONSTRAINT run_status_check CHECK ((status = ANY (ARRAY[1, 2, 3])))
);

CREATE TABLE pawl.schedule (
    id integer NOT NULL,
    tenant integer NOT NULL,
    workflow integer NOT NULL,
    place integer NOT NULL,
    cron text NOT NULL,
    timezone text NOT NULL,
    overlap text NOT NULL,
    catch_up_ms bigint NOT NULL,
    jitter_ms bigint NOT NULL,
    input jsonb NOT NULL,
    active boolean NOT NULL,
    paused_at timestamp with time zone,
    pause_reason text,
    since timestamp with time zone DEFAULT now() NOT NULL,
    next_at timestamp with time zone,
    due_at timestamp with time zone DEFAULT now(),
    backfill_at timestamp with time zone,
    backfill_to timestamp with time zone,
    backfill_due timestamp with time zone,
    last_slot timestamp with time zone,
    last_run uuid,
    runs uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    fired bigint DEFAULT 0 NOT NULL,
    skipped bigint DEFAULT 0 NOT NULL,
    missed bigint DEFAULT 0 NOT NULL,
    problem text,
    CONSTRAINT schedule_backfill_check CHECK (((backfill_at IS NULL) = (backfill_to IS NULL))),
    CONSTRAINT schedule_overlap_check CHECK ((overlap = ANY (ARRAY['skip'::text, 'allow'::text, 'queue'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY pawl.schedule FORCE ROW LEVEL SECURITY;

ALTER TABLE pawl.schedule ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.schedule_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pawl.signal (
    id bigint NOT NULL,
    bucket smallint NOT NULL,
    run_id uuid NOT NULL,
    kind text NOT NULL,
    data jsonb,
    at timestamp with time zone DEFAULT now() NOT NULL,
    worker uuid,
    unsure boolean DEFAULT false NOT NULL,
    CONSTRAINT signal_kind_check CHECK ((kind = ANY (ARRAY['cancel'::text, 'pause'::text, 'resume'::text, 'skip'::text, 'event'::text, 'signal'::text, 'task'::text, 'child'::text, 'callback'::text, 'lock'::text, 'gather'::text, 'repin'::text, 'interrupted'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

ALTER TABLE ONLY pawl.signal FORCE ROW LEVEL SECURITY;

ALTER TABLE pawl.signal ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.signal_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pawl.sql_effect (
    bucket smallint NOT NULL,
    run_id uuid NOT NULL,
    key text NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    result jsonb,
    begun_in xid8,
    pages integer DEFAULT 0 NOT NULL,
    page_rows integer DEFAULT 0 NOT NULL,
    page_bytes bigint DEFAULT 0 NOT NULL
);

ALTER TABLE ONLY pawl.sql_effect FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.sql_login (
    role_name text NOT NULL,
    tenant integer NOT NULL,
    CONSTRAINT sql_login_role_name_check CHECK ((octet_length(role_name) <= 63))
);

ALTER TABLE ONLY pawl.sql_login FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.sql_page (
    bucket smallint NOT NULL,
    run_id uuid NOT NULL,
    key text NOT NULL,
    page integer NOT NULL,
    rows jsonb NOT NULL,
    CONSTRAINT sql_page_key_fits_check CHECK ((octet_length(key) <= 2000))
);

ALTER TABLE ONLY pawl.sql_page FORCE ROW LEVEL SECURITY;

CREATE VIEW pawl.step_logs WITH (security_invoker='true') AS
 SELECT (md5(((x.run_id || ':'::text) || e.seq)))::uuid AS id,
    (md5(d.key))::uuid AS step_id,
        CASE
            WHEN (e.type <> 2) THEN 'info'::text
            WHEN (e.data ? 'retry_at'::text) THEN 'warn'::text
            ELSE 'error'::text
        END AS level,
    (pawl.event_type_name(e.type) || COALESCE((': '::text || (e.error ->> 'message'::text)), ''::text)) AS message,
    jsonb_strip_nulls(jsonb_build_object('run_id', x.run_id, 'step_name', e.node, 'seq', e.seq, 'attempt', NULLIF(e.attempt, 0), 'data', e.data, 'error', e.error)) AS meta,
    GREATEST(e.at, pawl.uuid7_time(x.run_id)) AS created_at,
    x.run_id,
    e.seq
   FROM (((( SELECT l.bucket,
            l.run_id,
            l.tenant,
            l.workflow,
            l.version
           FROM pawl.live_run l
        UNION ALL
         SELECT r.bucket,
            r.run_id,
            r.tenant,
            r.workflow,
            r.version
           FROM pawl.run r) x
     JOIN pawl.workflow_version v ON (((v.workflow = x.workflow) AND (v.version = x.version))))
     CROSS JOIN LATERAL pawl.execution_visits(x.bucket, x.run_id) e(seq, type, node, token, attempt, data, error, at, ends, visit))
     JOIN LATERAL pawl.execution_steps_done(x.bucket, x.run_id, v.definition) d(token, node, visit, key, first_seq, last_seq, last_type, ended, withdrawn, attempts, data, error, at) ON (((d.token = e.token) AND (d.node = e.node) AND (d.visit = e.visit))))
  WHERE ((x.tenant = ( SELECT pawl.current_tenant() AS current_tenant)) AND (x.bucket = ( SELECT t.bucket
           FROM pawl.tenant t
          WHERE (t.id = pawl.current_tenant()))));

CREATE TABLE pawl.subscription (
    run_id uuid NOT NULL,
    since timestamp with time zone NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    tenant integer NOT NULL,
    token integer NOT NULL,
    ordinal smallint NOT NULL,
    bucket smallint NOT NULL,
    event text NOT NULL,
    key text NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_threshold='1000');

ALTER TABLE ONLY pawl.subscription FORCE ROW LEVEL SECURITY;

ALTER TABLE pawl.subscription_check ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.subscription_check_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pawl.subscription_unchecked (
    bucket smallint NOT NULL,
    run_id uuid NOT NULL,
    token integer NOT NULL,
    ordinal smallint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

ALTER TABLE ONLY pawl.subscription_unchecked FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.task_decision (
    id bigint NOT NULL,
    bucket smallint NOT NULL,
    task uuid NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    action text NOT NULL,
    by text NOT NULL,
    reason text,
    data jsonb,
    CONSTRAINT task_decision_action_check CHECK ((action = ANY (ARRAY['open'::text, 'claim'::text, 'unclaim'::text, 'delegate'::text, 'edit'::text, 'approve'::text, 'reject'::text, 'remind'::text, 'escalate'::text, 'close'::text])))
);

ALTER TABLE ONLY pawl.task_decision FORCE ROW LEVEL SECURITY;

ALTER TABLE pawl.task_decision ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.task_decision_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE pawl.tenant ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.tenant_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pawl.tenant_role (
    role_name text NOT NULL,
    tenant integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY pawl.tenant_role FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.trigger_held (
    bucket smallint NOT NULL,
    tenant integer NOT NULL,
    id bigint NOT NULL,
    reason text NOT NULL,
    at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY pawl.trigger_held FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.trigger_pending (
    bucket smallint NOT NULL,
    id bigint NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='1000');

ALTER TABLE ONLY pawl.trigger_pending FORCE ROW LEVEL SECURITY;

ALTER TABLE pawl.version_change ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.version_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pawl.webhook_queue (
    name text NOT NULL,
    tenant integer NOT NULL,
    made_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT webhook_queue_name_check CHECK ((octet_length(name) <= 47))
);

ALTER TABLE ONLY pawl.webhook_queue FORCE ROW LEVEL SECURITY;

CREATE TABLE pawl.worker (
    id uuid NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    version text NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    beat_at timestamp with time zone DEFAULT now() NOT NULL,
    timeline text DEFAULT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) NOT NULL
)
WITH (fillfactor='30', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='100');

ALTER TABLE ONLY pawl.worker FORCE ROW LEVEL SECURITY;

CREATE VIEW pawl.workflow_definitions WITH (security_barrier='true') AS
 SELECT definition.id,
    definition.document_name AS name,
    definition.description,
    definition.steps,
    definition.required_fields,
    definition.timeout_seconds,
    definition.visibility_timeout,
    definition.max_retries,
    definition.active,
    definition.created_at,
    definition.updated_at,
    definition.created_by,
    definition.version
   FROM pawl.definition
  WHERE ((definition.document_name IS NOT NULL) AND (definition.tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE VIEW pawl.workflow_executions WITH (security_invoker='true') AS
 SELECT x.run_id AS id,
    w.name AS workflow_name,
    x.version AS workflow_version,
        CASE
            WHEN (x.status > 0) THEN pawl.run_status_name(x.status)
            WHEN ((x.state = ANY (ARRAY[1, 2])) OR pawl.execution_begun(x.bucket, x.run_id)) THEN 'running'::text
            ELSE 'pending'::text
        END AS status,
    pawl.execution_step(x.bucket, x.run_id, x.workflow, x.version) AS current_step,
    ( SELECT jsonb_array_length(pawl.steps_of(v.definition)) AS jsonb_array_length
           FROM pawl.workflow_version v
          WHERE ((v.workflow = x.workflow) AND (v.version = x.version))) AS total_steps,
    (pawl.execution_start(x.bucket, x.run_id) -> 'input'::text) AS input_payload,
    pawl.execution_context(x.bucket, x.run_id, x.workflow, x.version) AS context,
        CASE x.status
            WHEN 0 THEN (pawl.execution_failure(x.bucket, x.run_id, x.status)).message
            ELSE (x.error ->> 'message'::text)
        END AS error_message,
        CASE
            WHEN (x.status = ANY (ARRAY[0, 2])) THEN (pawl.execution_failure(x.bucket, x.run_id, x.status)).node
            ELSE NULL::text
        END AS error_step,
    pawl.execution_retries(x.bucket, x.run_id) AS retry_count,
    pawl.uuid7_time(x.run_id) AS created_at,
        CASE
            WHEN ((x.status > 0) OR (x.state = ANY (ARRAY[1, 2])) OR pawl.execution_begun(x.bucket, x.run_id)) THEN GREATEST(pawl.uuid7_time(x.run_id), to_timestamp((((((pawl.execution_start(x.bucket, x.run_id) ->> 'start_at'::text))::bigint)::numeric / 1000000.0))::double precision))
            ELSE NULL::timestamp with time zone
        END AS started_at,
        CASE
            WHEN (x.closed_at IS NOT NULL) THEN GREATEST(x.closed_at, pawl.uuid7_time(x.run_id))
            ELSE NULL::timestamp with time zone
        END AS completed_at,
    c.key AS correlation_id,
    (pawl.execution_start(x.bucket, x.run_id) ->> 'triggered_by'::text) AS triggered_by
   FROM ((( SELECT l.bucket,
            l.run_id,
            l.tenant,
            l.workflow,
            l.version,
            (0)::smallint AS status,
            l.state,
            NULL::timestamp with time zone AS closed_at,
            NULL::jsonb AS error
           FROM pawl.live_run l
        UNION ALL
         SELECT r.bucket,
            r.run_id,
            r.tenant,
            r.workflow,
            r.version,
            r.status,
            NULL::smallint AS int2,
            r.closed_at,
            r.error
           FROM pawl.run r) x
     JOIN pawl.workflow w ON ((w.id = x.workflow)))
     LEFT JOIN pawl.correlation c ON (((c.bucket = x.bucket) AND (c.tenant = x.tenant) AND (c.workflow = x.workflow) AND (c.run_id = x.run_id))))
  WHERE ((x.tenant = ( SELECT pawl.current_tenant() AS current_tenant)) AND (x.bucket = ( SELECT t.bucket
           FROM pawl.tenant t
          WHERE (t.id = pawl.current_tenant()))));

ALTER TABLE pawl.workflow ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pawl.workflow_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW pawl.workflow_runs WITH (security_invoker='true') AS
 SELECT x.run_id AS id,
    w.name AS workflow_type,
    ( SELECT COALESCE(v.label, (v.version)::text) AS "coalesce"
           FROM pawl.workflow_version v
          WHERE ((v.workflow = x.workflow) AND (v.version = x.version))) AS workflow_version,
        CASE
            WHEN (x.status > 0) THEN pawl.run_status_name(x.status)
            WHEN (pawl.execution_pulse(x.bucket, x.run_id)).paused THEN 'paused'::text
            ELSE 'running'::text
        END AS status,
    pawl.execution_context(x.bucket, x.run_id, x.workflow, x.version) AS payload,
    pawl.uuid7_time(x.run_id) AS created_at,
    GREATEST(pawl.uuid7_time(x.run_id), (pawl.execution_pulse(x.bucket, x.run_id)).at) AS updated_at
   FROM (( SELECT l.bucket,
            l.run_id,
            l.tenant,
            l.workflow,
            l.version,
            (0)::smallint AS status
           FROM pawl.live_run l
        UNION ALL
         SELECT r.bucket,
            r.run_id,
            r.tenant,
            r.workflow,
            r.version,
            r.status
           FROM pawl.run r) x
     JOIN pawl.workflow w ON ((w.id = x.workflow)))
  WHERE ((x.tenant = ( SELECT pawl.current_tenant() AS current_tenant)) AND (x.bucket = ( SELECT t.bucket
           FROM pawl.tenant t
          WHERE (t.id = pawl.current_tenant()))));

CREATE VIEW pawl.workflow_steps WITH (security_invoker='true') AS
 SELECT s.id,
    x.run_id,
    s.step_name,
    s.seq,
    s.status,
    s.input,
    s.result,
    s.attempts,
    s.max_attempts,
    s.next_attempt_at,
        CASE
            WHEN (s.status = 'in_progress'::text) THEN (x.worker)::text
            ELSE NULL::text
        END AS lock_owner,
    s.idempotency_key,
    s.error,
    s.created_at,
    s.updated_at,
        CASE
            WHEN (s.status = 'in_progress'::text) THEN GREATEST(s.created_at, x.due_at)
            ELSE NULL::timestamp with time zone
        END AS claimed_at,
        CASE
            WHEN (s.status = 'in_progress'::text) THEN pawl.execution_beat(x.bucket, x.run_id)
            ELSE NULL::timestamp with time zone
        END AS last_heartbeat,
    x.priority
   FROM (( SELECT l.bucket,
            l.run_id,
            l.tenant,
            l.workflow,
            l.version,
            (0)::smallint AS status,
            (l.state = 1) AS held,
            l.worker,
            l.due_at,
            (l.priority)::integer AS priority
           FROM pawl.live_run l
        UNION ALL
         SELECT r.bucket,
            r.run_id,
            r.tenant,
            r.workflow,
            r.version,
            r.status,
            false,
            NULL::uuid,
            NULL::timestamp with time zone,
            COALESCE(((pawl.execution_start(r.bucket, r.run_id) ->> 'priority'::text))::integer, 0) AS "coalesce"
           FROM pawl.run r) x
     CROSS JOIN LATERAL pawl.execution_steps(x.bucket, x.run_id, x.workflow, x.version, x.status, x.held) s(id, step_name, seq, status, input, result, attempts, max_attempts, next_attempt_at, idempotency_key, error, created_at, updated_at, backoff_seconds, dead_letter))
  WHERE ((x.tenant = ( SELECT pawl.current_tenant() AS current_tenant)) AND (x.bucket = ( SELECT t.bucket
           FROM pawl.tenant t
          WHERE (t.id = pawl.current_tenant()))));

CREATE TABLE queues.error (
    error_id bigint NOT NULL,
    task_id bigint,
    occurred_at timestamp with time zone DEFAULT now() NOT NULL,
    stage text NOT NULL,
    function_name text,
    message text NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT error_stage_check CHECK ((stage = ANY (ARRAY['task'::text, 'db_function'::text, 'before_handler'::text, 'send'::text, 'success_handler'::text, 'error_handler'::text])))
);

ALTER TABLE queues.error ALTER COLUMN error_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME queues.error_error_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE queues.task ALTER COLUMN task_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME queues.task_task_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY pawl.event ATTACH PARTITION pawl.event_default DEFAULT;

ALTER TABLE ONLY pawl.run ATTACH PARTITION pawl.run_default DEFAULT;

ALTER TABLE ONLY comms.email_message
    ADD CONSTRAINT email_message_pk PRIMARY KEY (message_id);

ALTER TABLE ONLY comms.message
    ADD CONSTRAINT message_channel_unique UNIQUE (message_id, channel);

ALTER TABLE ONLY comms.message
    ADD CONSTRAINT message_pk PRIMARY KEY (message_id);

ALTER TABLE ONLY comms.send_email_task_failed
    ADD CONSTRAINT send_email_task_failed_pk PRIMARY KEY (send_email_task_id, attempt);

ALTER TABLE ONLY comms.send_email_task
    ADD CONSTRAINT send_email_task_message_unique UNIQUE (message_id);

ALTER TABLE ONLY comms.send_email_task
    ADD CONSTRAINT send_email_task_pk PRIMARY KEY (send_email_task_id);

ALTER TABLE ONLY comms.send_email_task_scheduled
    ADD CONSTRAINT send_email_task_scheduled_pk PRIMARY KEY (send_email_task_id, attempt);

ALTER TABLE ONLY comms.send_email_task_succeeded
    ADD CONSTRAINT send_email_task_succeeded_pk PRIMARY KEY (send_email_task_id);

ALTER TABLE ONLY comms.send_sms_task_failed
    ADD CONSTRAINT send_sms_task_failed_pk PRIMARY KEY (send_sms_task_id, attempt);

ALTER TABLE ONLY comms.send_sms_task
    ADD CONSTRAINT send_sms_task_message_unique UNIQUE (message_id);

ALTER TABLE ONLY comms.send_sms_task
    ADD CONSTRAINT send_sms_task_pk PRIMARY KEY (send_sms_task_id);

ALTER TABLE ONLY comms.send_sms_task_scheduled
    ADD CONSTRAINT send_sms_task_scheduled_pk PRIMARY KEY (send_sms_task_id, attempt);

ALTER TABLE ONLY comms.send_sms_task_succeeded
    ADD CONSTRAINT send_sms_task_succeeded_pk PRIMARY KEY (send_sms_task_id);

ALTER TABLE ONLY comms.sms_message
    ADD CONSTRAINT sms_message_pk PRIMARY KEY (message_id);

ALTER TABLE ONLY pawl.api_key
    ADD CONSTRAINT api_key_hash_unique UNIQUE (hash);

ALTER TABLE ONLY pawl.api_key
    ADD CONSTRAINT api_key_pk PRIMARY KEY (id);

ALTER TABLE pawl.api_key
    ADD CONSTRAINT api_key_prefix_fits_check CHECK ((octet_length(prefix) <= 100)) NOT VALID;

ALTER TABLE ONLY pawl.calendar_event
    ADD CONSTRAINT calendar_event_pk PRIMARY KEY (tenant, uid);

ALTER TABLE pawl.calendar_event
    ADD CONSTRAINT calendar_event_uid_fits_check CHECK ((octet_length(uid) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.callback_use
    ADD CONSTRAINT callback_use_pk PRIMARY KEY (bucket, token);

ALTER TABLE pawl.condition_table
    ADD CONSTRAINT condition_table_name_fits_check CHECK ((octet_length(table_name) <= 63)) NOT VALID;

ALTER TABLE ONLY pawl.condition_table
    ADD CONSTRAINT condition_table_pk PRIMARY KEY (tenant, schema_name, table_name);

ALTER TABLE pawl.condition_table
    ADD CONSTRAINT condition_table_schema_fits_check CHECK ((octet_length(schema_name) <= 63)) NOT VALID;

ALTER TABLE ONLY pawl.correlation
    ADD CONSTRAINT correlation_pk PRIMARY KEY (bucket, tenant, workflow, key);

ALTER TABLE ONLY pawl.correlation
    ADD CONSTRAINT correlation_run_unique UNIQUE (run_id, bucket);

ALTER TABLE ONLY pawl.credential
    ADD CONSTRAINT credential_pk PRIMARY KEY (tenant, name);

ALTER TABLE pawl.crm_activity
    ADD CONSTRAINT crm_activity_contact_fits_check CHECK ((octet_length(contact) <= 2000)) NOT VALID;

ALTER TABLE pawl.crm_activity
    ADD CONSTRAINT crm_activity_key_fits_check CHECK ((octet_length(idempotency_key) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.crm_activity
    ADD CONSTRAINT crm_activity_pk PRIMARY KEY (tenant, idempotency_key);

ALTER TABLE pawl.crm_contact
    ADD CONSTRAINT crm_contact_email_fits_check CHECK ((octet_length(email) <= 1000)) NOT VALID;

ALTER TABLE ONLY pawl.crm_contact
    ADD CONSTRAINT crm_contact_pk PRIMARY KEY (tenant, id);

ALTER TABLE ONLY pawl.crm_ticket
    ADD CONSTRAINT crm_ticket_pk PRIMARY KEY (tenant, id);

ALTER TABLE pawl.dead_letter
    ADD CONSTRAINT dead_letter_fingerprint_fits_check CHECK ((octet_length(fingerprint) <= 100)) NOT VALID;

ALTER TABLE ONLY pawl.dead_letter
    ADD CONSTRAINT dead_letter_pk PRIMARY KEY (bucket, run_id);

ALTER TABLE ONLY pawl.dead_run_pending
    ADD CONSTRAINT dead_run_pending_pk PRIMARY KEY (bucket, run_id);

ALTER TABLE pawl.definition
    ADD CONSTRAINT definition_document_name_fits_check CHECK ((octet_length(document_name) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.definition
    ADD CONSTRAINT definition_document_name_unique UNIQUE (document_name);

ALTER TABLE ONLY pawl.definition
    ADD CONSTRAINT definition_id_unique UNIQUE (id);

ALTER TABLE pawl.definition
    ADD CONSTRAINT definition_name_fits_check CHECK ((octet_length(name) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.definition
    ADD CONSTRAINT definition_name_unique UNIQUE (tenant, name);

ALTER TABLE ONLY pawl.definition
    ADD CONSTRAINT definition_pk PRIMARY KEY (workflow);

ALTER TABLE ONLY pawl.document_key
    ADD CONSTRAINT document_key_pk PRIMARY KEY (tenant, key);

ALTER TABLE ONLY pawl.event
    ADD CONSTRAINT event_pk PRIMARY KEY (bucket, run_id, seq);

ALTER TABLE ONLY pawl.event_default
    ADD CONSTRAINT event_default_pkey PRIMARY KEY (bucket, run_id, seq);

ALTER TABLE pawl.event_trigger
    ADD CONSTRAINT event_trigger_event_fits_check CHECK ((octet_length(event) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.event_trigger
    ADD CONSTRAINT event_trigger_pk PRIMARY KEY (tenant, event, workflow);

ALTER TABLE pawl.event_wait
    ADD CONSTRAINT event_wait_event_fits_check CHECK ((octet_length(event) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.event_wait
    ADD CONSTRAINT event_wait_pk PRIMARY KEY (workflow, event);

ALTER TABLE ONLY pawl.figures
    ADD CONSTRAINT figures_pk PRIMARY KEY (bucket);

ALTER TABLE pawl.flow_gate
    ADD CONSTRAINT flow_gate_gate_fits_check CHECK ((octet_length(gate) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.flow_gate
    ADD CONSTRAINT flow_gate_pk PRIMARY KEY (bucket, gate);

ALTER TABLE pawl.flow_group
    ADD CONSTRAINT flow_group_gate_fits_check CHECK ((octet_length(gate) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.flow_group
    ADD CONSTRAINT flow_group_pk PRIMARY KEY (bucket, gate);

ALTER TABLE pawl.flow_limit
    ADD CONSTRAINT flow_limit_gate_fits_check CHECK ((octet_length(gate) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.flow_limit
    ADD CONSTRAINT flow_limit_pk PRIMARY KEY (gate);

ALTER TABLE pawl.flow_rate
    ADD CONSTRAINT flow_rate_gate_fits_check CHECK ((octet_length(gate) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.flow_rate
    ADD CONSTRAINT flow_rate_pk PRIMARY KEY (bucket, gate);

ALTER TABLE pawl.flow_wait
    ADD CONSTRAINT flow_wait_gate_fits_check CHECK ((octet_length(gate) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.flow_wait
    ADD CONSTRAINT flow_wait_pk PRIMARY KEY (bucket, run_id);

ALTER TABLE pawl.human_task
    ADD CONSTRAINT human_task_assignee_fits_check CHECK ((octet_length(assignee) <= 2000)) NOT VALID;

ALTER TABLE pawl.human_task
    ADD CONSTRAINT human_task_group_fits_check CHECK ((octet_length(grp) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.human_task
    ADD CONSTRAINT human_task_pk PRIMARY KEY (bucket, id);

ALTER TABLE ONLY pawl.idempotency_key
    ADD CONSTRAINT idempotency_key_pk PRIMARY KEY (tenant, key);

ALTER TABLE ONLY pawl.inbox_pending
    ADD CONSTRAINT inbox_pending_pk PRIMARY KEY (bucket, id);

ALTER TABLE ONLY pawl.inbox
    ADD CONSTRAINT inbox_pk PRIMARY KEY (bucket, tenant, event_id);

ALTER TABLE ONLY pawl.job
    ADD CONSTRAINT job_pk PRIMARY KEY (id);

ALTER TABLE pawl.knowledge
    ADD CONSTRAINT knowledge_id_fits_check CHECK ((octet_length(id) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.knowledge
    ADD CONSTRAINT knowledge_pk PRIMARY KEY (tenant, id);

ALTER TABLE ONLY pawl.latch
    ADD CONSTRAINT latch_pk PRIMARY KEY (tenant, name);

ALTER TABLE ONLY pawl.live_run
    ADD CONSTRAINT live_run_pk PRIMARY KEY (bucket, run_id);

ALTER TABLE ONLY pawl.lock_place
    ADD CONSTRAINT lock_place_pk PRIMARY KEY (bucket, tenant, key, place);

ALTER TABLE ONLY pawl.migration
    ADD CONSTRAINT migration_pk PRIMARY KEY (number);

ALTER TABLE ONLY pawl.organization_worker
    ADD CONSTRAINT organization_worker_pk PRIMARY KEY (tenant);

ALTER TABLE ONLY pawl.outbox_lease
    ADD CONSTRAINT outbox_lease_pk PRIMARY KEY (target, shard);

ALTER TABLE ONLY pawl.outbox
    ADD CONSTRAINT outbox_pk PRIMARY KEY (bucket, run_id, target, seq);

ALTER TABLE ONLY pawl.outbox_target
    ADD CONSTRAINT outbox_target_pk PRIMARY KEY (id);

ALTER TABLE pawl.queue
    ADD CONSTRAINT queue_name_fits_check CHECK ((octet_length(name) <= 63)) NOT VALID;

ALTER TABLE ONLY pawl.queue
    ADD CONSTRAINT queue_pk PRIMARY KEY (name);

ALTER TABLE ONLY pawl.reentry
    ADD CONSTRAINT reentry_pk PRIMARY KEY (bucket, tenant, workflow, subject);

ALTER TABLE pawl.reentry
    ADD CONSTRAINT reentry_subject_fits_check CHECK ((octet_length(subject) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.retention_late
    ADD CONSTRAINT retention_late_pk PRIMARY KEY (id);

ALTER TABLE ONLY pawl.retention
    ADD CONSTRAINT retention_pk PRIMARY KEY (id);

ALTER TABLE ONLY pawl.run
    ADD CONSTRAINT run_pk PRIMARY KEY (bucket, run_id);

ALTER TABLE ONLY pawl.run_default
    ADD CONSTRAINT run_default_pkey PRIMARY KEY (bucket, run_id);

ALTER TABLE pawl.run
    ADD CONSTRAINT run_subject_fits_check CHECK ((octet_length(subject) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.schedule
    ADD CONSTRAINT schedule_pk PRIMARY KEY (id);

ALTER TABLE ONLY pawl.signal
    ADD CONSTRAINT signal_pk PRIMARY KEY (bucket, run_id, id);

ALTER TABLE pawl.sql_effect
    ADD CONSTRAINT sql_effect_key_fits_check CHECK ((octet_length(key) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.sql_effect
    ADD CONSTRAINT sql_effect_pk PRIMARY KEY (bucket, run_id, key);

ALTER TABLE ONLY pawl.sql_login
    ADD CONSTRAINT sql_login_pk PRIMARY KEY (role_name);

ALTER TABLE ONLY pawl.sql_page
    ADD CONSTRAINT sql_page_pk PRIMARY KEY (bucket, run_id, key, page);

ALTER TABLE ONLY pawl.subscription_check
    ADD CONSTRAINT subscription_check_pk PRIMARY KEY (bucket, id);

ALTER TABLE pawl.subscription
    ADD CONSTRAINT subscription_event_fits_check CHECK ((octet_length(event) <= 500)) NOT VALID;

ALTER TABLE pawl.subscription
    ADD CONSTRAINT subscription_key_fits_check CHECK ((octet_length(key) <= 2000)) NOT VALID;

ALTER TABLE ONLY pawl.subscription
    ADD CONSTRAINT subscription_pk PRIMARY KEY (bucket, run_id, token, ordinal);

ALTER TABLE ONLY pawl.subscription_unchecked
    ADD CONSTRAINT subscription_unchecked_pk PRIMARY KEY (bucket, run_id, token, ordinal);

ALTER TABLE ONLY pawl.task_decision
    ADD CONSTRAINT task_decision_pk PRIMARY KEY (bucket, task, id);

ALTER TABLE ONLY pawl.tenant
    ADD CONSTRAINT tenant_name_unique UNIQUE (name);

ALTER TABLE ONLY pawl.tenant
    ADD CONSTRAINT tenant_organization_unique UNIQUE (organization);

ALTER TABLE ONLY pawl.tenant
    ADD CONSTRAINT tenant_pk PRIMARY KEY (id);

ALTER TABLE pawl.tenant_role
    ADD CONSTRAINT tenant_role_name_fits_check CHECK ((octet_length(role_name) <= 63)) NOT VALID;

ALTER TABLE ONLY pawl.tenant_role
    ADD CONSTRAINT tenant_role_pk PRIMARY KEY (role_name);

ALTER TABLE ONLY pawl.trigger_held
    ADD CONSTRAINT trigger_held_pk PRIMARY KEY (bucket, tenant, id);

ALTER TABLE ONLY pawl.trigger_pending
    ADD CONSTRAINT trigger_pending_pk PRIMARY KEY (bucket, id);

ALTER TABLE ONLY pawl.version_change
    ADD CONSTRAINT version_change_pk PRIMARY KEY (workflow, id);

ALTER TABLE ONLY pawl.webhook_queue
    ADD CONSTRAINT webhook_queue_pk PRIMARY KEY (name);

ALTER TABLE ONLY pawl.worker
    ADD CONSTRAINT worker_pk PRIMARY KEY (id);

ALTER TABLE ONLY pawl.workflow
    ADD CONSTRAINT workflow_name_unique UNIQUE (tenant, name);

ALTER TABLE ONLY pawl.workflow
    ADD CONSTRAINT workflow_pk PRIMARY KEY (id);

ALTER TABLE pawl.workflow_version
    ADD CONSTRAINT workflow_version_label_fits_check CHECK ((octet_length(label) <= 500)) NOT VALID;

ALTER TABLE ONLY pawl.workflow_version
    ADD CONSTRAINT workflow_version_label_unique UNIQUE (workflow, label);

ALTER TABLE ONLY pawl.workflow_version
    ADD CONSTRAINT workflow_version_pk PRIMARY KEY (workflow, version);

ALTER TABLE ONLY queues.error
    ADD CONSTRAINT error_pk PRIMARY KEY (error_id);

ALTER TABLE queues.task
    ADD CONSTRAINT task_key_fits_check CHECK ((octet_length(task_key) <= 2000)) NOT VALID;

ALTER TABLE ONLY queues.task
    ADD CONSTRAINT task_pk PRIMARY KEY (task_id);

CREATE INDEX api_key_prefix ON pawl.api_key USING btree (tenant, prefix);

CREATE INDEX calendar_event_ends ON pawl.calendar_event USING btree (tenant, ends_at);

CREATE INDEX callback_use_expires ON pawl.callback_use USING btree (expires_at);

CREATE INDEX crm_activity_contact ON pawl.crm_activity USING btree (tenant, contact, at);

CREATE INDEX crm_contact_email ON pawl.crm_contact USING btree (tenant, lower(email));

CREATE INDEX dead_letter_at ON pawl.dead_letter USING btree (bucket, tenant, at, run_id);

CREATE INDEX dead_letter_fingerprint ON pawl.dead_letter USING btree (bucket, tenant, fingerprint, at, run_id);

CREATE INDEX dead_letter_open ON pawl.dead_letter USING btree (bucket, at) WHERE (replayed_as IS NULL);

CREATE INDEX dead_letter_waiting ON pawl.dead_letter USING btree (tenant, fingerprint, at, run_id, bucket) WHERE (replayed_as IS NULL);

CREATE INDEX event_at ON ONLY pawl.event USING brin (at) WITH (pages_per_range='32');

CREATE INDEX event_default_at_idx ON pawl.event_default USING brin (at) WITH (pages_per_range='32');

CREATE INDEX flow_gate_look ON pawl.flow_gate USING btree (gate) WHERE look;

CREATE INDEX flow_rate_over ON pawl.flow_rate USING btree (next_at);

CREATE INDEX flow_wait_turn ON pawl.flow_wait USING btree (gate, rank, run_id);

CREATE INDEX human_task_assignee ON pawl.human_task USING btree (tenant, assignee, id) WHERE (state = 0);

CREATE INDEX human_task_group ON pawl.human_task USING btree (tenant, grp, id) WHERE (state = 0);

CREATE INDEX human_task_open ON pawl.human_task USING btree (tenant, id) WHERE (state = 0);

CREATE INDEX human_task_run ON pawl.human_task USING btree (run_id, id);

CREATE INDEX human_task_tenant ON pawl.human_task USING btree (tenant, id);

CREATE UNIQUE INDEX human_task_token ON pawl.human_task USING btree (run_id, token) WHERE (state = 0);

CREATE INDEX idempotency_key_at ON pawl.idempotency_key USING btree (at);

CREATE INDEX inbox_id ON pawl.inbox USING btree (id);

CREATE INDEX inbox_key ON pawl.inbox USING btree (tenant, name, key, at);

CREATE INDEX job_of_tenant ON pawl.job USING btree (tenant, created_at DESC, id DESC);

CREATE INDEX job_open ON pawl.job USING btree (created_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX knowledge_search ON pawl.knowledge USING gin (pawl.knowledge_words(title, body));

CREATE INDEX live_run_ready ON pawl.live_run USING btree (bucket, priority, due_at, run_id) WHERE (state = 0);

CREATE INDEX live_run_turn ON pawl.live_run USING btree (bucket, tenant, due_at) WHERE (state = 0);

CREATE INDEX lock_place_run ON pawl.lock_place USING btree (bucket, run_id, token);

CREATE INDEX outbox_due ON pawl.outbox USING btree (bucket, target, shard, due_at, run_id, seq) WHERE (due_at IS NOT NULL);

CREATE INDEX outbox_given_up ON pawl.outbox USING btree (bucket, target) WHERE ((finished_at IS NOT NULL) AND (error IS NOT NULL));

CREATE INDEX outbox_recent ON pawl.outbox USING btree (bucket, ((target + 0)), created_at);

CREATE INDEX outbox_target_by_tenant ON pawl.outbox_target USING btree (tenant);

CREATE INDEX outbox_target_told ON pawl.outbox_target USING btree (id) WHERE (disabled_at IS NULL);

CREATE INDEX run_created ON ONLY pawl.run USING brin (pawl.uuid7_time(run_id)) WITH (pages_per_range='4');

CREATE INDEX run_subject ON ONLY pawl.run USING btree (bucket, tenant, subject, run_id) WHERE (subject IS NOT NULL);

CREATE INDEX run_default_bucket_tenant_subject_run_id_idx ON pawl.run_default USING btree (bucket, tenant, subject, run_id) WHERE (subject IS NOT NULL);

CREATE INDEX run_tenant ON ONLY pawl.run USING btree (tenant, workflow, status, run_id, bucket);

CREATE INDEX run_default_tenant_workflow_status_run_id_bucket_idx ON pawl.run_default USING btree (tenant, workflow, status, run_id, bucket);

CREATE INDEX run_retried ON ONLY pawl.run USING btree (tenant, workflow, status, run_id, bucket) WHERE (retried_as IS NOT NULL);

CREATE INDEX run_default_tenant_workflow_status_run_id_bucket_idx1 ON pawl.run_default USING btree (tenant, workflow, status, run_id, bucket) WHERE (retried_as IS NOT NULL);

CREATE INDEX run_default_uuid7_time_idx ON pawl.run_default USING brin (pawl.uuid7_time(run_id)) WITH (pages_per_range='4');

CREATE INDEX schedule_backfill ON pawl.schedule USING btree (backfill_due) WHERE (active AND (backfill_at IS NOT NULL));

CREATE INDEX schedule_due ON pawl.schedule USING btree (due_at) WHERE (active AND (paused_at IS NULL));

CREATE INDEX schedule_tenant ON pawl.schedule USING btree (tenant, id);

CREATE INDEX schedule_workflow ON pawl.schedule USING btree (workflow);

CREATE INDEX signal_unsure ON pawl.signal USING btree (bucket, id) WHERE unsure;

CREATE INDEX signal_worker ON pawl.signal USING btree (worker, id) WHERE (worker IS NOT NULL);

CREATE INDEX sql_effect_at ON pawl.sql_effect USING btree (bucket, at);

CREATE UNIQUE INDEX sql_effect_begun_in ON pawl.sql_effect USING btree (begun_in);

CREATE INDEX sql_login_tenant ON pawl.sql_login USING btree (tenant);

CREATE INDEX subscription_key ON pawl.subscription USING btree (tenant, event, key);

CREATE INDEX tenant_role_tenant ON pawl.tenant_role USING btree (tenant);

CREATE INDEX webhook_queue_by_tenant ON pawl.webhook_queue USING btree (tenant);

CREATE INDEX error_task ON queues.error USING btree (task_id);

CREATE INDEX task_done ON queues.task USING btree (dequeued_at) WHERE (dequeued_at IS NOT NULL);

CREATE INDEX task_due ON queues.task USING btree (scheduled_at, task_id) WHERE (dequeued_at IS NULL);

CREATE UNIQUE INDEX task_key_unique ON queues.task USING btree (task_key) WHERE ((dequeued_at IS NULL) AND (task_key IS NOT NULL));

CREATE INDEX task_lease ON queues.task USING btree (lease_until) WHERE (lease_until IS NOT NULL);

ALTER INDEX pawl.event_at ATTACH PARTITION pawl.event_default_at_idx;

ALTER INDEX pawl.event_pk ATTACH PARTITION pawl.event_default_pkey;

ALTER INDEX pawl.run_subject ATTACH PARTITION pawl.run_default_bucket_tenant_subject_run_id_idx;

ALTER INDEX pawl.run_pk ATTACH PARTITION pawl.run_default_pkey;

ALTER INDEX pawl.run_tenant ATTACH PARTITION pawl.run_default_tenant_workflow_status_run_id_bucket_idx;

ALTER INDEX pawl.run_retried ATTACH PARTITION pawl.run_default_tenant_workflow_status_run_id_bucket_idx1;

ALTER INDEX pawl.run_created ATTACH PARTITION pawl.run_default_uuid7_time_idx;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON comms.email_message FOR EACH STATEMENT EXECUTE FUNCTION internal.refuse_change();

ALTER TABLE comms.email_message ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON comms.message FOR EACH STATEMENT EXECUTE FUNCTION internal.refuse_change();

ALTER TABLE comms.message ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON comms.send_email_task FOR EACH STATEMENT EXECUTE FUNCTION internal.refuse_change();

ALTER TABLE comms.send_email_task ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON comms.send_email_task_failed FOR EACH STATEMENT EXECUTE FUNCTION internal.refuse_change();

ALTER TABLE comms.send_email_task_failed ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON comms.send_email_task_scheduled FOR EACH STATEMENT EXECUTE FUNCTION internal.refuse_change();

ALTER TABLE comms.send_email_task_scheduled ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON comms.send_email_task_succeeded FOR EACH STATEMENT EXECUTE FUNCTION internal.refuse_change();

ALTER TABLE comms.send_email_task_succeeded ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON comms.send_sms_task FOR EACH STATEMENT EXECUTE FUNCTION internal.refuse_change();

ALTER TABLE comms.send_sms_task ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON comms.send_sms_task_failed FOR EACH STATEMENT EXECUTE FUNCTION internal.refuse_change();

ALTER TABLE comms.send_sms_task_failed ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON comms.send_sms_task_scheduled FOR EACH STATEMENT EXECUTE FUNCTION internal.refuse_change();

ALTER TABLE comms.send_sms_task_scheduled ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON comms.send_sms_task_succeeded FOR EACH STATEMENT EXECUTE FUNCTION internal.refuse_change();

ALTER TABLE comms.send_sms_task_succeeded ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON comms.sms_message FOR EACH STATEMENT EXECUTE FUNCTION internal.refuse_change();

ALTER TABLE comms.sms_message ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER correlation_frees_document_keys AFTER DELETE ON pawl.correlation REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION pawl.free_document_keys();

CREATE TRIGGER dead_letter_to_outbox AFTER INSERT ON pawl.dead_letter REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION pawl.tell_of_dead_letters();

CREATE TRIGGER dead_letter_to_queue AFTER INSERT ON pawl.dead_letter REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION pawl.note_dead_runs();

CREATE TRIGGER definition_lock BEFORE INSERT OR DELETE OR UPDATE ON pawl.definition FOR EACH STATEMENT EXECUTE FUNCTION pawl.lock_definitions();

CREATE TRIGGER definition_prepare BEFORE INSERT OR UPDATE ON pawl.definition FOR EACH ROW EXECUTE FUNCTION pawl.prepare_definition();

CREATE TRIGGER definition_record AFTER INSERT OR UPDATE ON pawl.definition FOR EACH ROW EXECUTE FUNCTION pawl.record_definition();

CREATE TRIGGER definition_schedules AFTER INSERT OR DELETE OR UPDATE ON pawl.definition FOR EACH ROW EXECUTE FUNCTION pawl.sync_schedules();

CREATE TRIGGER definition_triggers AFTER INSERT OR DELETE OR UPDATE ON pawl.definition FOR EACH ROW EXECUTE FUNCTION pawl.keep_triggers();

CREATE TRIGGER outbox_target_limit BEFORE INSERT ON pawl.outbox_target FOR EACH ROW EXECUTE FUNCTION pawl.limit_outbox_targets();

CREATE TRIGGER outbox_target_queue AFTER DELETE ON pawl.outbox_target FOR EACH ROW WHEN ((old.kind = 'queue'::text)) EXECUTE FUNCTION pawl.drop_queue_of_webhook();

CREATE TRIGGER wake_for_jobs AFTER INSERT ON pawl.job FOR EACH STATEMENT EXECUTE FUNCTION pawl.wake_for_jobs();

CREATE TRIGGER workflow_executions_delete INSTEAD OF DELETE ON pawl.workflow_executions FOR EACH ROW EXECUTE FUNCTION pawl.forget_execution();

CREATE TRIGGER workflow_executions_insert INSTEAD OF INSERT ON pawl.workflow_executions FOR EACH ROW EXECUTE FUNCTION pawl.start_execution();

CREATE TRIGGER workflow_executions_update INSTEAD OF UPDATE ON pawl.workflow_executions FOR EACH ROW EXECUTE FUNCTION pawl.change_execution();

CREATE TRIGGER workflow_version_keep BEFORE UPDATE ON pawl.workflow_version FOR EACH ROW EXECUTE FUNCTION pawl.keep_version();

CREATE TRIGGER workflow_version_sql_steps AFTER INSERT ON pawl.workflow_version FOR EACH ROW EXECUTE FUNCTION pawl.guard_sql_steps();

CREATE TRIGGER workflow_version_waits AFTER INSERT ON pawl.workflow_version FOR EACH ROW EXECUTE FUNCTION pawl.keep_waits();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON queues.error FOR EACH STATEMENT EXECUTE FUNCTION internal.refuse_change();

ALTER TABLE queues.error ENABLE ALWAYS TRIGGER append_only;

CREATE TRIGGER wake_workers AFTER INSERT ON queues.task REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queues.wake_workers();

ALTER TABLE ONLY comms.email_message
    ADD CONSTRAINT email_message_fk FOREIGN KEY (message_id, channel) REFERENCES comms.message(message_id, channel);

ALTER TABLE ONLY comms.send_email_task_failed
    ADD CONSTRAINT send_email_task_failed_fk FOREIGN KEY (send_email_task_id, attempt) REFERENCES comms.send_email_task_scheduled(send_email_task_id, attempt);

ALTER TABLE ONLY comms.send_email_task
    ADD CONSTRAINT send_email_task_message_fk FOREIGN KEY (message_id) REFERENCES comms.email_message(message_id);

ALTER TABLE ONLY comms.send_email_task_scheduled
    ADD CONSTRAINT send_email_task_scheduled_fk FOREIGN KEY (send_email_task_id) REFERENCES comms.send_email_task(send_email_task_id);

ALTER TABLE ONLY comms.send_email_task_succeeded
    ADD CONSTRAINT send_email_task_succeeded_fk FOREIGN KEY (send_email_task_id) REFERENCES comms.send_email_task(send_email_task_id);

ALTER TABLE ONLY comms.send_sms_task_failed
    ADD CONSTRAINT send_sms_task_failed_fk FOREIGN KEY (send_sms_task_id, attempt) REFERENCES comms.send_sms_task_scheduled(send_sms_task_id, attempt);

ALTER TABLE ONLY comms.send_sms_task
    ADD CONSTRAINT send_sms_task_message_fk FOREIGN KEY (message_id) REFERENCES comms.sms_message(message_id);

ALTER TABLE ONLY comms.send_sms_task_scheduled
    ADD CONSTRAINT send_sms_task_scheduled_fk FOREIGN KEY (send_sms_task_id) REFERENCES comms.send_sms_task(send_sms_task_id);

ALTER TABLE ONLY comms.send_sms_task_succeeded
    ADD CONSTRAINT send_sms_task_succeeded_fk FOREIGN KEY (send_sms_task_id) REFERENCES comms.send_sms_task(send_sms_task_id);

ALTER TABLE ONLY comms.sms_message
    ADD CONSTRAINT sms_message_fk FOREIGN KEY (message_id, channel) REFERENCES comms.message(message_id, channel);

ALTER TABLE ONLY pawl.api_key
    ADD CONSTRAINT api_key_tenant_fk FOREIGN KEY (tenant) REFERENCES pawl.tenant(id);

ALTER TABLE ONLY pawl.credential
    ADD CONSTRAINT credential_tenant_fk FOREIGN KEY (tenant) REFERENCES pawl.tenant(id);

ALTER TABLE ONLY pawl.definition
    ADD CONSTRAINT definition_workflow_fk FOREIGN KEY (workflow) REFERENCES pawl.workflow(id);

ALTER TABLE ONLY pawl.organization_worker
    ADD CONSTRAINT organization_worker_tenant_fk FOREIGN KEY (tenant) REFERENCES pawl.tenant(id);

ALTER TABLE ONLY pawl.outbox_lease
    ADD CONSTRAINT outbox_lease_target_fk FOREIGN KEY (target) REFERENCES pawl.outbox_target(id) ON DELETE CASCADE;

ALTER TABLE ONLY pawl.outbox_target
    ADD CONSTRAINT outbox_target_tenant_fk FOREIGN KEY (tenant) REFERENCES pawl.tenant(id);

ALTER TABLE ONLY pawl.schedule
    ADD CONSTRAINT schedule_workflow_fk FOREIGN KEY (workflow) REFERENCES pawl.workflow(id);

ALTER TABLE ONLY pawl.sql_login
    ADD CONSTRAINT sql_login_tenant_fk FOREIGN KEY (tenant) REFERENCES pawl.tenant(id);

ALTER TABLE ONLY pawl.tenant_role
    ADD CONSTRAINT tenant_role_tenant_fk FOREIGN KEY (tenant) REFERENCES pawl.tenant(id);

ALTER TABLE ONLY pawl.version_change
    ADD CONSTRAINT version_change_workflow_fk FOREIGN KEY (workflow) REFERENCES pawl.workflow(id);

ALTER TABLE ONLY pawl.webhook_queue
    ADD CONSTRAINT webhook_queue_tenant_fk FOREIGN KEY (tenant) REFERENCES pawl.tenant(id);

ALTER TABLE ONLY pawl.workflow
    ADD CONSTRAINT workflow_tenant_fk FOREIGN KEY (tenant) REFERENCES pawl.tenant(id);

ALTER TABLE ONLY pawl.workflow_version
    ADD CONSTRAINT workflow_version_workflow_fk FOREIGN KEY (workflow) REFERENCES pawl.workflow(id);

ALTER TABLE pawl.api_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.calendar_event ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.callback_use ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.condition_table ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.correlation ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.credential ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.crm_activity ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.crm_contact ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.crm_ticket ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.dead_letter ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.dead_run_pending ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.definition ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.document_key ENABLE ROW LEVEL SECURITY;

CREATE POLICY engine ON pawl.api_key TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.calendar_event TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.callback_use TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.condition_table TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.correlation TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.credential TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.crm_activity TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.crm_contact TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.crm_ticket TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.dead_letter TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.dead_run_pending TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.definition TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.document_key TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.event TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.event_trigger TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.event_wait TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.figures TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.flow_gate TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.flow_group TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.flow_limit TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.flow_rate TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.flow_wait TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.human_task TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.idempotency_key TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.inbox TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.inbox_pending TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.job TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.knowledge TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.latch TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.live_run TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.lock_place TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.migration TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.organization_worker TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.outbox TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.outbox_lease TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.outbox_target TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.queue TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.reentry TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.retention TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.retention_late TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.run TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.schedule TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.signal TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.sql_effect TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.sql_login TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.sql_page TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.subscription TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.subscription_check TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.subscription_unchecked TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.task_decision TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.tenant TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.tenant_role TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.trigger_held TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.trigger_pending TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.version_change TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.webhook_queue TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.worker TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.workflow TO pawl_worker USING (true) WITH CHECK (true);

CREATE POLICY engine ON pawl.workflow_version TO pawl_worker USING (true) WITH CHECK (true);

ALTER TABLE pawl.event ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.event_trigger ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.event_wait ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.figures ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.flow_gate ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.flow_group ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.flow_limit ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.flow_rate ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.flow_wait ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.human_task ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.idempotency_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.inbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.inbox_pending ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.job ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.knowledge ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.latch ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.live_run ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.lock_place ENABLE ROW LEVEL SECURITY;

CREATE POLICY login ON pawl.condition_table USING (((tenant = 0) OR (tenant = pawl.condition_tenant(tenant)))) WITH CHECK (((tenant = 0) OR (tenant = pawl.condition_tenant(tenant))));

ALTER TABLE pawl.migration ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.organization_worker ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.outbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.outbox_lease ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.outbox_target ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.queue ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.reentry ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.retention ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.retention_late ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.run ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.schedule ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.signal ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.sql_effect ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.sql_login ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.sql_page ENABLE ROW LEVEL SECURITY;

CREATE POLICY sql_user ON pawl.correlation TO pawl_user USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY sql_user ON pawl.event TO pawl_user USING (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = event.bucket) AND (o.run_id = event.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = event.bucket) AND (o.run_id = event.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))))) WITH CHECK (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = event.bucket) AND (o.run_id = event.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = event.bucket) AND (o.run_id = event.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))));

CREATE POLICY sql_user ON pawl.live_run TO pawl_user USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY sql_user ON pawl.run TO pawl_user USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY sql_user ON pawl.tenant TO pawl_user USING ((id = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((id = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY sql_user ON pawl.workflow TO pawl_user USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY sql_user ON pawl.workflow_version TO pawl_user USING ((EXISTS ( SELECT 1
   FROM pawl.workflow o
  WHERE ((o.id = workflow_version.workflow) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))) WITH CHECK ((EXISTS ( SELECT 1
   FROM pawl.workflow o
  WHERE ((o.id = workflow_version.workflow) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))));

ALTER TABLE pawl.subscription ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.subscription_check ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.subscription_unchecked ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.task_decision ENABLE ROW LEVEL SECURITY;

CREATE POLICY tenant ON pawl.calendar_event TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.callback_use TO pawl_api USING (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = callback_use.bucket) AND (o.run_id = callback_use.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = callback_use.bucket) AND (o.run_id = callback_use.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))))) WITH CHECK (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = callback_use.bucket) AND (o.run_id = callback_use.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = callback_use.bucket) AND (o.run_id = callback_use.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))));

CREATE POLICY tenant ON pawl.correlation TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.credential TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.crm_activity TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.crm_contact TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.crm_ticket TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.dead_letter TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.dead_run_pending TO pawl_api USING (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = dead_run_pending.bucket) AND (o.run_id = dead_run_pending.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = dead_run_pending.bucket) AND (o.run_id = dead_run_pending.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))))) WITH CHECK (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = dead_run_pending.bucket) AND (o.run_id = dead_run_pending.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = dead_run_pending.bucket) AND (o.run_id = dead_run_pending.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))));

CREATE POLICY tenant ON pawl.definition TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.document_key TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.event TO pawl_api USING (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = event.bucket) AND (o.run_id = event.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = event.bucket) AND (o.run_id = event.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))))) WITH CHECK (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = event.bucket) AND (o.run_id = event.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = event.bucket) AND (o.run_id = event.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))));

CREATE POLICY tenant ON pawl.event_trigger TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.event_wait TO pawl_api USING ((EXISTS ( SELECT 1
   FROM pawl.workflow o
  WHERE ((o.id = event_wait.workflow) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))) WITH CHECK ((EXISTS ( SELECT 1
   FROM pawl.workflow o
  WHERE ((o.id = event_wait.workflow) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))));

CREATE POLICY tenant ON pawl.flow_gate TO pawl_api USING ((split_part(gate, '/'::text, 1) = (( SELECT pawl.current_tenant() AS current_tenant))::text)) WITH CHECK ((split_part(gate, '/'::text, 1) = (( SELECT pawl.current_tenant() AS current_tenant))::text));

CREATE POLICY tenant ON pawl.flow_group TO pawl_api USING (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = flow_group.bucket) AND (o.run_id = flow_group.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = flow_group.bucket) AND (o.run_id = flow_group.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))))) WITH CHECK (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = flow_group.bucket) AND (o.run_id = flow_group.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = flow_group.bucket) AND (o.run_id = flow_group.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))));

CREATE POLICY tenant ON pawl.flow_limit TO pawl_api USING ((split_part(gate, '/'::text, 1) = (( SELECT pawl.current_tenant() AS current_tenant))::text)) WITH CHECK ((split_part(gate, '/'::text, 1) = (( SELECT pawl.current_tenant() AS current_tenant))::text));

CREATE POLICY tenant ON pawl.flow_rate TO pawl_api USING ((split_part(gate, '/'::text, 1) = (( SELECT pawl.current_tenant() AS current_tenant))::text)) WITH CHECK ((split_part(gate, '/'::text, 1) = (( SELECT pawl.current_tenant() AS current_tenant))::text));

CREATE POLICY tenant ON pawl.flow_wait TO pawl_api USING (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = flow_wait.bucket) AND (o.run_id = flow_wait.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = flow_wait.bucket) AND (o.run_id = flow_wait.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))))) WITH CHECK (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = flow_wait.bucket) AND (o.run_id = flow_wait.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = flow_wait.bucket) AND (o.run_id = flow_wait.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))));

CREATE POLICY tenant ON pawl.human_task TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.idempotency_key TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.inbox TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.job TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.knowledge TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.latch TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.live_run TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.lock_place TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.organization_worker TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.outbox TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.outbox_lease TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.outbox_target TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.queue TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.reentry TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.run TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.schedule TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.signal TO pawl_api USING (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = signal.bucket) AND (o.run_id = signal.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = signal.bucket) AND (o.run_id = signal.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))))) WITH CHECK (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = signal.bucket) AND (o.run_id = signal.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = signal.bucket) AND (o.run_id = signal.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))));

CREATE POLICY tenant ON pawl.sql_effect TO pawl_api USING (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = sql_effect.bucket) AND (o.run_id = sql_effect.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = sql_effect.bucket) AND (o.run_id = sql_effect.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))))) WITH CHECK (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = sql_effect.bucket) AND (o.run_id = sql_effect.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = sql_effect.bucket) AND (o.run_id = sql_effect.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))));

CREATE POLICY tenant ON pawl.sql_login TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.sql_page TO pawl_api USING (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = sql_page.bucket) AND (o.run_id = sql_page.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = sql_page.bucket) AND (o.run_id = sql_page.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))))) WITH CHECK (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = sql_page.bucket) AND (o.run_id = sql_page.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = sql_page.bucket) AND (o.run_id = sql_page.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))));

CREATE POLICY tenant ON pawl.subscription TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.subscription_unchecked TO pawl_api USING (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = subscription_unchecked.bucket) AND (o.run_id = subscription_unchecked.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = subscription_unchecked.bucket) AND (o.run_id = subscription_unchecked.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))))) WITH CHECK (((EXISTS ( SELECT 1
   FROM pawl.live_run o
  WHERE ((o.bucket = subscription_unchecked.bucket) AND (o.run_id = subscription_unchecked.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))) OR (EXISTS ( SELECT 1
   FROM pawl.run o
  WHERE ((o.bucket = subscription_unchecked.bucket) AND (o.run_id = subscription_unchecked.run_id) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))));

CREATE POLICY tenant ON pawl.task_decision TO pawl_api USING ((EXISTS ( SELECT 1
   FROM pawl.human_task o
  WHERE ((o.bucket = task_decision.bucket) AND (o.id = task_decision.task) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))) WITH CHECK ((EXISTS ( SELECT 1
   FROM pawl.human_task o
  WHERE ((o.bucket = task_decision.bucket) AND (o.id = task_decision.task) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))));

ALTER TABLE pawl.tenant ENABLE ROW LEVEL SECURITY;

CREATE POLICY tenant ON pawl.tenant TO pawl_api USING ((id = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((id = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.trigger_held TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.version_change TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.webhook_queue TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.workflow TO pawl_api USING ((tenant = ( SELECT pawl.current_tenant() AS current_tenant))) WITH CHECK ((tenant = ( SELECT pawl.current_tenant() AS current_tenant)));

CREATE POLICY tenant ON pawl.workflow_version TO pawl_api USING ((EXISTS ( SELECT 1
   FROM pawl.workflow o
  WHERE ((o.id = workflow_version.workflow) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant)))))) WITH CHECK ((EXISTS ( SELECT 1
   FROM pawl.workflow o
  WHERE ((o.id = workflow_version.workflow) AND (o.tenant = ( SELECT pawl.current_tenant() AS current_tenant))))));

ALTER TABLE pawl.tenant_role ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.trigger_held ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.trigger_pending ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.version_change ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.webhook_queue ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.worker ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.workflow ENABLE ROW LEVEL SECURITY;

ALTER TABLE pawl.workflow_version ENABLE ROW LEVEL SECURITY;
