-- A queue of tasks that live in the database: functions to run, emails and text messages to send. The worker takes
-- them as a role that may do nothing but that, and runs functions that were granted to that role by name.
-- breaking: no

set local lock_timeout = '5s';

-- What needs rights that the owner of the schema pawl may not have: say at once all that is missing.
do $$
declare
    v_wanted constant text[] := array['queues', 'internal', 'comms'];
    v_schema text;
    v_missing text[] := '{}';
begin
    if to_regclass('queues.task') is not null or to_regclass('comms.message') is not null then
        raise exception 'there is a table queues.task or comms.message that is not Pawl''s'
              using errcode = 'duplicate_table',
                    hint = 'Move it to another schema (alter table ... set schema ...), then migrate again.';
    end if;
    foreach v_schema in array v_wanted loop
        if to_regnamespace(v_schema) is null then
            begin
                execute format('create schema %I', v_schema);
            exception when insufficient_privilege then
                v_missing := v_missing || format('create schema %I authorization %I;', v_schema, current_user);
            end;
        elsif not has_schema_privilege(v_schema, 'create') then
            v_missing := v_missing || format('grant all on schema %I to %I with grant option;', v_schema, current_user);
        end if;
    end loop;
    -- Roles belong to the cluster: another database may have made it, or be making it now.
    if not exists (select 1 from pg_roles r where r.rolname = 'worker_service_user') then
        begin
            create role worker_service_user nologin;
        exception
            when duplicate_object or unique_violation then
                null;
            when insufficient_privilege then
                v_missing := v_missing || format(
                    'create role worker_service_user nologin; grant worker_service_user to %I;', current_user
                );
        end;
    end if;
    if v_missing <> '{}' then
        raise exception '% may not create what tasks need: the schemas % and the role worker_service_user',
                        current_user, array_to_string(v_wanted, ', ')
              using errcode = 'insufficient_privilege',
                    hint = 'Let somebody who may run: ' || array_to_string(v_missing, ' ');
    end if;
    -- Who serves must be able to become it. Somebody else may have to say so; the worker tells when that is missing.
    if not pg_has_role(current_user, 'worker_service_user', 'member') then
        begin
            execute format('grant worker_service_user to %I', current_user);
        exception when insufficient_privilege or unique_violation then
            null;
        end;
    end if;
    foreach v_schema in array v_wanted loop
        if not has_schema_privilege('worker_service_user', v_schema, 'usage') then
            execute format('grant usage on schema %I to worker_service_user', v_schema);
        end if;
        if not has_schema_privilege('worker_service_user', v_schema, 'usage') then
            raise exception '% may not grant usage on schema %', current_user, v_schema
                  using errcode = 'insufficient_privilege',
                        hint = format('Let its owner run: grant usage on schema %I to worker_service_user;', v_schema);
        end if;
    end loop;
end
$$;

-- Facts are only added ------------------------------------------------------------------------------------------------

-- As a statement trigger it also refuses what would touch no row, and nobody is too privileged for it.
create function internal.refuse_change() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    raise exception '%.% is append-only: % is not allowed', tg_table_schema, tg_table_name, tg_op
          using errcode = 'integrity_constraint_violation', hint = 'Record another fact that says what changed.';
end
$$;
revoke execute on function internal.refuse_change from public;

-- Makes a table append-only, for its owner and for superusers too.
create function internal.make_append_only(p_table regclass) returns void
language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    execute format('create trigger append_only before update or delete or truncate on %s '
                   'for each statement execute function internal.refuse_change()', p_table);
    execute format('alter table %s enable always trigger append_only', p_table);
end
$$;
revoke execute on function internal.make_append_only from public;

-- The queue -----------------------------------------------------------------------------------------------------------

create domain queues.task_type as text
    constraint task_type_check check (value in ('db_function', 'email', 'sms'));

create table queues.task (
    task_id bigint generated always as identity,
    task_type queues.task_type not null,
    payload jsonb not null default '{}',
    enqueued_at timestamptz not null default now(),
    scheduled_at timestamptz not null default now(),
    dequeued_at timestamptz,
    task_key text,
    deliveries int not null default 0,
    lease_until timestamptz,
    constraint task_pk primary key (task_id),
    constraint task_payload_check check (jsonb_typeof(payload) = 'object')
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
comment on column queues.task.task_key is 'at most one task that waits has it';
comment on column queues.task.lease_until is 'null once dequeued: it was dealt with. Past: whoever took it is gone';
create index task_due on queues.task (scheduled_at, task_id) where dequeued_at is null;
create unique index task_key_unique on queues.task (task_key) where dequeued_at is null and task_key is not null;
create index task_lease on queues.task (lease_until) where lease_until is not null;
create index task_done on queues.task (dequeued_at) where dequeued_at is not null;

create table queues.error (
    error_id bigint generated always as identity,
    task_id bigint,
    occurred_at timestamptz not null default now(),
    stage text not null,
    function_name text,
    message text not null,
    details jsonb not null default '{}',
    constraint error_pk primary key (error_id),
    constraint error_stage_check check (
        stage in ('task', 'db_function', 'before_handler', 'send', 'success_handler', 'error_handler')
    )
);
create index error_task on queues.error (task_id);
select internal.make_append_only('queues.error');

-- Workers are woken by what is due now; the rest is found by polling. One notification a transaction.
create function queues.wake_workers() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if exists (select 1 from added a where a.scheduled_at <= now()) then
        perform pg_notify('pawl_wake', 'tasks');
    end if;
    return null;
end
$$;
revoke execute on function queues.wake_workers from public;
create trigger wake_workers after insert on queues.task
    referencing new table as added for each statement execute function queues.wake_workers();

-- For supervisors and kickoffs; the worker may not. Null: a task with that key waits already.
create function queues.enqueue_task(
    task_type queues.task_type, payload jsonb, scheduled_at timestamptz default now(), task_key text default null
) returns bigint
language sql
set search_path = pg_catalog, pg_temp as $$
    insert into queues.task (task_type, payload, scheduled_at, task_key) values ($1, $2, coalesce($3, now()), $4)
        on conflict (task_key) where dequeued_at is null and task_key is not null do nothing
    returning task_id
$$;
revoke execute on function queues.enqueue_task from public;

-- Takes the task that has been due longest: no row when none is due. It is the caller's from then on, whatever happens
-- to the caller.
create function queues.dequeue_next_available_task() returns setof queues.task
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

-- How often a function is tried before its task is given up, when workers die under it.
create function queues.deliveries_max() returns int language sql immutable
set search_path = pg_catalog, pg_temp return 5;

create function queues.record_error(
    task_id bigint, stage text, function_name text, message text, details jsonb default '{}'
) returns void
language sql security definer
set search_path = pg_catalog, pg_temp as $$
    insert into queues.error (task_id, stage, function_name, message, details)
    values ($1, $2, $3, left(coalesce(nullif($4, ''), 'it did not say why'), 4000), coalesce($5, '{}'))
$$;

-- Takes up to p_limit tasks at once, each with a lease. A function whose worker never said that it finished comes
-- again; an email or a text message does not, since it may have gone out: its supervisor decides.
create function queues.claim_tasks(p_limit int)
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

-- In the transaction of the function it was about: both are done, or neither.
create function queues.finish_task(task_id bigint) returns void
language sql security definer
set search_path = pg_catalog, pg_temp as $$
    update queues.task t set lease_until = null where t.task_id = $1 and t.lease_until is not null
$$;

-- The same task once more, later: what it ran into may have passed by then. False when it has been tried often enough.
create function queues.retry_task(task_id bigint, p_delay interval) returns boolean
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

-- Whether whoever took it has had all the time there is: true also when nobody knows the task any more.
create function queues.is_task_lost(task_id bigint, p_after interval) returns boolean
language sql stable
set search_path = pg_catalog, pg_temp as $$
    select coalesce(
        (select t.dequeued_at is not null and t.dequeued_at <= now() - $2 from queues.task t where t.task_id = $1), true
    )
$$;

-- Takes away tasks that were dealt with. Returns how many.
create function queues.purge_tasks(p_keep interval, p_limit int) returns int
language plpgsql
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
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

-- The function runner -------------------------------------------------------------------------------------------------

-- Runs a function (jsonb) returns jsonb by its name, as whoever calls: it needs a grant of its own, to the caller or
-- to a role that the caller is in. What everybody may run is not granted. The name has a schema, so no search_path
-- matters, and only the one function with that signature is meant, whatever else has its name.
create function internal.run_function(function_name text, payload jsonb) returns jsonb
language plpgsql security invoker
set search_path = pg_catalog, pg_temp as $$
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
$$;

-- What functions that the worker runs give back.
create function internal.succeeded(payload jsonb default null) returns jsonb language sql immutable
set search_path = pg_catalog, pg_temp
return jsonb_build_object('success', true) ||
       case when payload is null then '{}'::jsonb else jsonb_build_object('payload', payload) end;

create function internal.invalid(message text) returns jsonb language sql immutable
set search_path = pg_catalog, pg_temp
return jsonb_build_object('success', false, 'validation_failure_message', message);

create function internal.unknown(payload jsonb, key text) returns jsonb language sql immutable
set search_path = pg_catalog, pg_temp
return internal.invalid(format('there is no %s %s', key, coalesce(payload ->> key, 'null')));

-- An id out of a payload; null when there is none that could be one.
create function internal.payload_id(payload jsonb, key text) returns bigint language sql immutable
set search_path = pg_catalog, pg_temp
return case when payload ->> key ~ '^[0-9]{1,18}$' then (payload ->> key)::bigint end;

revoke execute on function
       queues.deliveries_max, queues.record_error, queues.dequeue_next_available_task, queues.claim_tasks,
       queues.finish_task, queues.retry_task, queues.is_task_lost, queues.purge_tasks,
       internal.run_function, internal.succeeded, internal.invalid, internal.unknown,
       internal.payload_id
  from public;
grant execute on function
      queues.dequeue_next_available_task, queues.claim_tasks, queues.finish_task, queues.retry_task,
      queues.record_error, internal.run_function
   to worker_service_user;
