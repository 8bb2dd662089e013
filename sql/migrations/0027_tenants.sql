-- Tenants see nothing of each other, and the database says so too: row-level security on every table, roles that own
-- nothing, and a tenant that comes from who is connected.
-- breaking: no

set local lock_timeout = '5s';

-- Who is connected ----------------------------------------------------------------------------------------------------

-- A role of the database that stands for one tenant: people and programs who use SQL.
create table pawl.tenant_role (
    role_name text not null,
    tenant int not null,
    created_at timestamptz not null default now(),
    constraint tenant_role_pk primary key (role_name),
    constraint tenant_role_tenant_fk foreign key (tenant) references pawl.tenant (id)
);
create index tenant_role_tenant on pawl.tenant_role (tenant);

-- Who asks, also inside a function that runs as its owner: SET ROLE is possible only to roles that one is a member of.
create function pawl.session_role() returns text
language sql stable parallel safe
return coalesce(nullif(current_setting('role'), 'none'), session_user);

-- Whether that is somebody who works for all tenants: workers, the owner of the schema, superusers.
create function pawl.is_engine() returns boolean
language sql stable parallel safe security definer set search_path = pg_catalog, pg_temp
begin atomic
    select coalesce(bool_or(
               r.rolsuper or pg_has_role(r.oid, n.nspowner, 'usage')
               or coalesce(pg_has_role(r.oid, to_regrole('pawl_worker')::oid, 'usage'), false)
           ), false)
      from pg_roles r
      join pg_namespace n on n.nspname = 'pawl'
     where r.rolname = pawl.session_role();
end;

-- Whose rows this session works with; null: nobody's. The setting pawl.tenant counts only for those who could read all
-- tenants anyway (then the default one is 1), and for the API, which sets it for every request.
create function pawl.current_tenant() returns int
language plpgsql stable parallel safe security definer set search_path = pg_catalog, pg_temp as $$
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

-- For functions that run as their owner, and would give anybody's rows to anybody.
create function pawl.require_tenant(p_tenant int) returns void
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    if p_tenant is distinct from pawl.current_tenant() and not pawl.is_engine() then
        raise exception 'role % may not work for tenant %', pawl.session_role(), p_tenant
            using errcode = 'insufficient_privilege', hint = 'Tenants are given to roles with pawl.bind_role.';
    end if;
end
$$;

-- The tenant of the session, for those who may choose: select pawl.use_tenant('acme').
create function pawl.use_tenant(p_name text) returns int
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_tenant int := pawl.tenant_number(p_name);
begin
    perform set_config('pawl.tenant', v_tenant::text, false);
    return v_tenant;
end
$$;

-- The role requests of the API run as, when whoever is connected may be that.
create function pawl.api_role() returns text
language sql stable parallel safe
return case when pg_has_role(session_user, to_regrole('pawl_api')::oid, 'member') then 'pawl_api'
            else current_setting('role') end;

-- Lets a role of the database work for one tenant: select pawl.bind_role('acme_app', 'acme'). It may then start runs
-- and look at them, and sees nothing of others.
create function pawl.bind_role(p_role text, p_tenant text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
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
    execute format('grant pawl_user to %I', p_role);
end
$$;

create function pawl.unbind_role(p_role text) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    delete from pawl.tenant_role t where t.role_name = p_role;
    if found and to_regrole(quote_ident(p_role)) is not null then
        execute format('revoke pawl_user from %I', p_role);
        return true;
    end if;
    return found;
end
$$;

-- Which functions do what for others ----------------------------------------------------------------------------------

-- Run as their owner, after a look at who asks. Two reasons: a walk over rows of all tenants that stops after so many
-- would not stop if others' rows did not count; and nobody but these writes the log of a run.
do $$
declare
    v_function regprocedure;
begin
    for v_function in
        select p.oid
          from pg_proc p
         where p.pronamespace = 'pawl'::regnamespace
           and p.proname in ('list_open_runs', 'list_closed_runs', 'list_inbox', 'retry_runs', 'rerun_from')
    loop
        execute regexp_replace(
            pg_get_functiondef(v_function), '\nbegin\n', E'\nbegin\n    perform pawl.require_tenant(p_tenant);\n'
        );
        execute format('alter function %s security definer', v_function);
        execute format('alter function %s set search_path = pg_catalog, pg_temp', v_function);
    end loop;
    -- Only an owner may make and drop partitions or summarise an index; roles of sql steps own nothing either. Whoever
    -- may write a definition has its versions, schedules and triggers written too. Queues are the owner's.
    for v_function in
        select p.oid
          from pg_proc p
         where p.pronamespace = 'pawl'::regnamespace
           and p.proname in ('ensure_partitions', 'drop_old_partitions', 'summarize_log', 'begin_sql_effect',
                             'end_sql_effect', 'prepare_definition', 'record_definition', 'sync_schedules',
                             'keep_triggers', 'keep_waits', 'note_dead_runs', 'read_queues', 'settle_queue',
                             'hand_over_dead_runs', 'keep_queue_partitions', 'start', 'start_many', 'emit', 'signal',
                             'cancel', 'status', 'result')
    loop
        execute format('alter function %s security definer', v_function);
        execute format('alter function %s set search_path = pg_catalog, pg_temp', v_function);
    end loop;
    -- A role that may not look at the sessions of others does not see how long their transactions have been open. Then
    -- every session counts as one that has been at it for as long as is waited for.
    v_function := 'pawl.tail_events'::regproc::oid;
    execute replace(replace(
        pg_get_functiondef(v_function), 'min(a.xact_start))',
        'min(coalesce(a.xact_start, clock_timestamp() - interval ''5 s'')))'
    ), 'and a.xact_start is not null and',
        E'\n       and (a.xact_start is not null or a.query = ''<insufficient privilege>'')\n       and');
end
$$;

-- From SQL ------------------------------------------------------------------------------------------------------------

-- For whom the functions for applications act: for the session's tenant.
create or replace function pawl.sql_tenant() returns pawl.tenant
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
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

-- Lets a role call them, and nothing else, for the default tenant unless it is bound to another.
create or replace function pawl.allow_sql_api(p_role text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    execute format('grant usage on schema pawl to %I', p_role);
    execute format(
        'grant execute on function pawl.start, pawl.start_many, pawl.emit, pawl.signal, pawl.cancel, pawl.status,'
        ' pawl.result to %I', p_role
    );
    insert into pawl.tenant_role (role_name, tenant) values (p_role, 1) on conflict do nothing;
end
$$;
insert into pawl.tenant_role (role_name, tenant)
select distinct g.grantee::regrole::text, 1
  from pg_proc p
 cross join aclexplode(p.proacl) g
 where p.oid = 'pawl.status'::regproc and g.grantee not in (0, p.proowner);

-- Every run of the session's tenant as one row. What needs the log is a sub-select of its own: it costs index probes
-- for the rows that are shown, and nothing when the column is not asked for. The two halves have no conditions of their
-- own, because only then are they planned as one relation, with its indexes.
create or replace view pawl.workflow_executions with (security_invoker) as
select x.run_id as id,
       w.name as workflow_name,
       x.version as workflow_version,
       case when x.status > 0 then pawl.run_status_name(x.status)
            when x.state = 1 or exists (
                select 1 from pawl.event e where e.bucket = x.bucket and e.run_id = x.run_id and e.seq = 1
            ) then 'running' else 'pending' end as status,
       coalesce((
           select coalesce(pawl.step_after(v.definition, e.node),
                           array_position(pawl.step_names(v.definition), e.node) - 1)
             from pawl.event e
            cross join pawl.workflow_version v
            where e.bucket = x.bucket and e.run_id = x.run_id and v.workflow = x.workflow and v.version = x.version
              and (e.type = 1 or (e.type = 2 and not coalesce(e.data ? 'retry_at', false)
                   and pawl.steps_of(v.definition) -> (array_position(pawl.step_names(v.definition), e.node) - 1)
                       ->> 'on_failure' = 'continue'))
            order by e.seq desc
            limit 1
       ), 0) as current_step,
       (select jsonb_array_length(pawl.steps_of(v.definition))
          from pawl.workflow_version v where v.workflow = x.workflow and v.version = x.version) as total_steps,
       (select e.data -> 'input' from pawl.event e
         where e.bucket = x.bucket and e.run_id = x.run_id and e.seq = 0) as input_payload,
       (select coalesce(jsonb_object_agg(p.key, p.value order by p.rank, e.seq), '{}')
          from pawl.event e
         cross join pawl.workflow_version v
         cross join lateral pawl.context_part(v.definition, e.type, e.node, e.data, e.error) p
         where e.bucket = x.bucket and e.run_id = x.run_id and v.workflow = x.workflow and v.version = x.version
       ) as context,
       case x.status when 0 then (
           select case when e.type = 2 then e.error ->> 'message' end
             from pawl.event e where e.bucket = x.bucket and e.run_id = x.run_id order by e.seq desc limit 1
       ) else x.error ->> 'message' end as error_message,
       case when x.status in (0, 2) then (
           select case when x.status = 2 or e.type = 2 then e.node end
             from pawl.event e
            where e.bucket = x.bucket and e.run_id = x.run_id and (x.status = 0 or e.type = 2)
            order by e.seq desc limit 1
       ) end as error_step,
       (select count(*)::int from pawl.event e
         where e.bucket = x.bucket and e.run_id = x.run_id and e.type = 2 and e.data ? 'retry_at') as retry_count,
       pawl.uuid7_time(x.run_id) as created_at,
       case when x.status > 0 or x.state = 1 or exists (
           select 1 from pawl.event e where e.bucket = x.bucket and e.run_id = x.run_id and e.seq = 1
       ) then greatest(pawl.uuid7_time(x.run_id), (
           select to_timestamp((e.data ->> 'start_at')::bigint / 1000000.0)
             from pawl.event e where e.bucket = x.bucket and e.run_id = x.run_id and e.seq = 0
       )) end as started_at,
       x.closed_at as completed_at,
       c.key as correlation_id,
       (select e.data ->> 'triggered_by' from pawl.event e
         where e.bucket = x.bucket and e.run_id = x.run_id and e.seq = 0) as triggered_by
  from (
      select l.bucket, l.run_id, l.tenant, l.workflow, l.version, 0::smallint as status, l.state,
             null::timestamptz as closed_at, null::jsonb as error
        from pawl.live_run l
       union all
      select r.bucket, r.run_id, r.tenant, r.workflow, r.version, r.status, null, r.closed_at, r.error
        from pawl.run r
  ) as x
  join pawl.workflow w on w.id = x.workflow
  left join pawl.correlation c
    on c.bucket = x.bucket and c.tenant = x.tenant and c.workflow = x.workflow and c.run_id = x.run_id
 where x.tenant = (select pawl.current_tenant())
   and x.bucket = (select t.bucket from pawl.tenant t where t.id = pawl.current_tenant());

-- Rows of the view stand for runs: an insert starts one, a cancel is asked for, a closed one may be forgotten.
create or replace function pawl.start_execution() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_version int;
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
    new.id := pawl.start(new.workflow_name, new.input_payload, new.correlation_id,
                         triggered_by => coalesce(new.triggered_by, 'sql'));
    select e.* into new from pawl.workflow_executions e where e.id = new.id;
    return new;
end
$$;

create or replace function pawl.forget_execution() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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


-- Only the default tenant has this one: ON CONFLICT (name) needs a name that is unique by itself. Others publish with
-- pawl.apply_workflow, the command line or the API.
create or replace view pawl.workflow_definitions with (security_barrier) as
select id, document_name as name, description, steps, required_fields, timeout_seconds, visibility_timeout,
       max_retries, active, created_at, updated_at, created_by, version
  from pawl.definition
 where document_name is not null and tenant = (select pawl.current_tenant());
alter table pawl.definition alter column tenant set default pawl.current_tenant();

-- The short names ask as whoever asks, too.
do $$
begin
    if pg_get_viewdef(to_regclass('public.workflow_executions')) ~ 'FROM pawl\.workflow_executions' then
        alter view public.workflow_executions set (security_invoker);
    end if;
end
$$;

-- Roles, grants and policies ------------------------------------------------------------------------------------------

-- How a row of a table shows whose it is, as a condition; null: rows of it are nobody's, and only the engine sees them.
create function pawl.row_condition(p_table regclass) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
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
$$;

-- The roles, where they are missing. Says what could not be done, and what to do about it.
create function pawl.secure_roles() returns setof text
language plpgsql set search_path = pg_catalog, pg_temp as $$
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

create function pawl.secure_policy(p_table regclass, p_name text, p_role text, p_condition text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (select 1 from pg_policy y where y.polrelid = p_table and y.polname = p_name) then
        execute format('create policy %I on %s to %s using (%s) with check (%s)', p_name, p_table, p_role, p_condition,
                       p_condition);
    end if;
end
$$;

-- Row-level security and grants of a table. Nobody but the owner has any on partitions: they are reached through
-- their parents, whose policies count.
create function pawl.secure_table(p_table regclass, p_owner regrole) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
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
        perform pawl.secure_policy(p_table, 'everybody', 'public', 'true');
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
                       case when v_name in ('event', 'run', 'tenant', 'queue') then 'select'
                            else 'select, insert, update, delete' end, p_table);
    end if;
end
$$;

-- Nobody may run a function who was not given it. Workers may run all. The API may run those that do what they do with
-- the rights of whoever calls, and those that ask for the tenant first. Roles of tenants may run what SQL users need,
-- and what only computes: the views do.
create function pawl.secure_functions() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
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
               p.proname = any (c_for_users) or p.provolatile = 'i' as for_users,
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

-- Brings roles, policies and grants up to date with the tables and functions there are. Run after every migration.
-- Returns what could not be done.
create function pawl.secure() returns setof text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_role text;
    v_view text;
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
        for v_view in
            select c.oid::regclass::text
              from pg_class c
              join pg_namespace n on n.oid = c.relnamespace
             where c.relkind = 'v'
               and c.relname in ('workflow_definitions', 'workflow_executions', 'fw_workflow_executions',
                                 'fw_module_settings')
               and (n.nspname = 'pawl'
                    or n.nspname = 'public' and pg_get_viewdef(c.oid) ~ 'FROM pawl\.workflow_')
        loop
            execute format('grant select, insert, update, delete on %s to %I', v_view, v_role);
        end loop;
    end loop;
end
$$;

-- Roles that run sql steps need these, which nobody may run any more unasked.
create or replace function pawl.allow_sql_role(p_role text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    execute format('grant usage on schema pawl to %I', p_role);
    execute format('grant execute on function pawl.begin_sql_effect, pawl.end_sql_effect, pawl.check_condition,'
                   ' pawl.table_parts, pawl.condition_column_type, pawl.condition_test to %I', p_role);
    execute format('grant select on pawl.condition_table to %I', p_role);
end
$$;

do $$
begin
    perform pawl.allow_sql_role(g.grantee::regrole::text)
       from pg_proc p
      cross join aclexplode(p.proacl) g
      where p.pronamespace = 'pawl'::regnamespace and p.proname = 'begin_sql_effect'
        and g.grantee not in (0, p.proowner);
end
$$;
