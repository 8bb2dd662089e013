-- The task queue of the first documents: the schemas queues, internal and comms, and the role that works on them.
-- breaking: no
-- baseline: 0092_one_truth_for_names_and_times

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
    -- The login of the workers must be able to take it. An administrator may have to grant that; the worker says so.
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
    constraint task_payload_check check (jsonb_typeof(payload) = 'object'),
    constraint task_key_fits_check check (octet_length(task_key) <= 2000)
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
