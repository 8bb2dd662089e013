-- An answer that rests on a row which is there already is as durable as that row. A transaction whose wait for a
-- synchronous standby was cut (its backend was ended, or the wait was cancelled) is committed here and perhaps not
-- there; who finds its row and says so must wait in its stead. A transaction that only reads does not wait.
-- Steps of the type sql run as a login of one tenant, and write the effects of runs of that tenant that a worker holds;
-- roles of tenants do not publish such steps.
-- breaking: no

set local lock_timeout = '5s';

-- Gives the caller's transaction WAL of its own: its commit then waits for the standbys, and what lies before it in the
-- log is there when it returns. A message for logical decoding is the smallest thing that does so.
create function pawl.confirm_found() returns void
language sql
volatile
set search_path = pg_catalog
begin atomic
    select pg_logical_emit_message(true, 'pawl', '');
end;

create or replace function pawl.start_checked(
    p_bucket smallint, p_head pawl.definition, p_definition jsonb, p_data jsonb[], p_correlation text[],
    p_subject text[], p_priority smallint[], p_start_at timestamptz[], p_triggered_by text
) returns table (place bigint, run_id uuid, created boolean)
language plpgsql
set search_path = pg_catalog
as $$
#variable_conflict use_column
declare
    v_count int := cardinality(p_data);
    v_reentry smallint := case p_definition ->> 'reentry' when 'once' then 1 when 'while_none_open' then 2 else 0 end;
    -- In order: of two with one key the first is started.
    v_run uuid[] := array(select pawl.uuid7() from generate_series(1, v_count) order by 1);
    v_found boolean := false;
begin
    perform pawl.refuse_unreadable(u.data) from unnest(p_data) as u (data);
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
                  case when exists (select 1 from unnest(p_correlation) as c where c is not null)
                       then p_correlation end,
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

create or replace function pawl.emit(
    name text, key text default null, data jsonb default null, subject text default null, id text default null
) returns text
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
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
$$;

create or replace function pawl.signal(run uuid, name text, data jsonb default null) returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
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

create or replace function pawl.cancel(run uuid, reason text default 'cancelled through SQL') returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
begin
    if pawl.leave_message(
        pawl.sql_tenant(), run, 'cancel', jsonb_build_object('reason', left(coalesce(reason, ''), 1000))
    ) then
        return true;
    end if;
    perform pawl.confirm_found();
    return false;
end
$$;

-- Logins that sql steps run as, each for one tenant.
create table pawl.sql_login (
    role_name text not null,
    tenant int not null,
    constraint sql_login_pk primary key (role_name),
    constraint sql_login_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint sql_login_role_name_check check (octet_length(role_name) <= 63)
);
create index sql_login_tenant on pawl.sql_login (tenant);

-- Those that were let in before the tenant was asked for.
insert into pawl.sql_login (role_name, tenant)
select distinct r.rolname, 1
  from pg_proc p
 cross join lateral aclexplode(p.proacl) as a
  join pg_roles r on r.oid = a.grantee
 where p.oid = 'pawl.begin_sql_effect(smallint, uuid, text)'::regprocedure and a.privilege_type = 'EXECUTE'
   and r.oid <> p.proowner and r.rolname <> 'pawl_worker';

-- The one place where an effect is begun: for a run of the login's tenant that a worker holds. A person who publishes a
-- step can call what the login may call, so the login may call only the two functions below.
create function pawl.open_sql_effect(
    p_bucket smallint, p_run uuid, p_key text, p_worker uuid, p_as_engine boolean
) returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_tenant int := (select l.tenant from pawl.sql_login l where l.role_name = session_user);
begin
    if v_tenant is null and p_as_engine and pawl.is_engine() then
        v_tenant := 1;
    end if;
    if v_tenant is null then
        raise exception 'login % is not one for sql steps', session_user using errcode = 'insufficient_privilege',
            hint = format('The owner of the schema pawl can change that: select pawl.allow_sql_role(%L, ''TENANT'')',
                          session_user);
    end if;
    perform 1
       from pawl.live_run l
      where l.bucket = p_bucket and l.run_id = p_run and l.tenant = v_tenant and l.state = 1
        and (p_worker is null or l.worker = p_worker);
    if not found then
        raise exception 'run % is not held by this worker for the tenant of login %', p_run, session_user
            using errcode = 'PW001';
    end if;
    insert into pawl.sql_effect (bucket, run_id, key) values (p_bucket, p_run, p_key) on conflict do nothing;
    if found then
        return null;
    end if;
    return (
        select coalesce(e.result, '{}')
          from pawl.sql_effect e
         where e.bucket = p_bucket and e.run_id = p_run and e.key = p_key
    );
end
$$;

-- p_worker holds the run: a number that the statement of a step does not know. p_as_engine: the engine's own login was
-- meant; without it a login must have been let in by name.
create function pawl.begin_sql_effect(
    p_bucket smallint, p_run uuid, p_key text, p_worker uuid, p_as_engine boolean
) returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if p_worker is null then
        raise exception 'an effect needs the worker that holds its run' using errcode = 'null_value_not_allowed';
    end if;
    return pawl.open_sql_effect(p_bucket, p_run, p_key, p_worker, p_as_engine);
end
$$;

-- For workers of the release before, which do not say who they are.
create or replace function pawl.begin_sql_effect(p_bucket smallint, p_run uuid, p_key text) returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    return pawl.open_sql_effect(p_bucket, p_run, p_key, null, true);
end
$$;

create or replace function pawl.end_sql_effect(p_bucket smallint, p_run uuid, p_key text, p_result jsonb)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    -- Only what this transaction has begun.
    update pawl.sql_effect e
       set result = p_result
     where e.bucket = p_bucket and e.run_id = p_run and e.key = p_key and e.xmin = pg_current_xact_id()::xid;
    if not found then
        raise exception 'this transaction has not begun the effect %', p_key using errcode = 'PW001';
    end if;
end
$$;

drop function pawl.allow_sql_role(text);

create function pawl.allow_sql_role(p_role text, p_tenant text default null) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
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
    execute format('grant execute on function pawl.begin_sql_effect(smallint, uuid, text),'
                   ' pawl.begin_sql_effect(smallint, uuid, text, uuid, boolean), pawl.end_sql_effect,'
                   ' pawl.check_condition, pawl.table_parts, pawl.condition_column_type, pawl.condition_test to %I',
                   p_role);
    execute format('grant select on pawl.condition_table to %I', p_role);
    insert into pawl.sql_login as l (role_name, tenant) values (p_role, v_tenant)
        on conflict (role_name) do update set tenant = excluded.tenant;
end
$$;

do $$
declare
    v_role text;
begin
    for v_role in select l.role_name from pawl.sql_login l loop
        execute format('grant execute on function pawl.begin_sql_effect(smallint, uuid, text, uuid, boolean) to %I',
                       v_role);
    end loop;
end
$$;

-- Statements run with rights of their own, so a version that has some comes from an administrator: the API asks for the
-- scope admin, and here the roles of tenants are kept from it.
create function pawl.guard_sql_steps() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
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
$$;

create trigger workflow_version_sql_steps after insert on pawl.workflow_version
    for each row execute function pawl.guard_sql_steps();
