-- A person who publishes a sql step can call what its login can call, and a role of a tenant can do to its queues what
-- it likes. Neither fills the database, nor keeps others from their figures, nor sees what is allowed to others.
-- breaking: no
set local lock_timeout = '5s';

-- Which transaction has begun it: one begins one. What its pages come to so far.
alter table pawl.sql_effect
    add column begun_in xid8,
    add column pages int not null default 0,
    add column page_rows int not null default 0,
    add column page_bytes bigint not null default 0;
create unique index sql_effect_begun_in on pawl.sql_effect (begun_in);

-- Rows that a worker could not read, or not hold. A column may hold JSON of 64 levels, below what the rows are in.
-- Bytes are those of the text, which is what a worker gets: a value may come compressed.
create function pawl.refuse_rows(p_rows jsonb, p_bytes_max int) returns void
language plpgsql immutable
set search_path = pg_catalog
as $$
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
$$;

-- What a worker takes as the result of a statement: 1000 rows with 1 MiB of values, or where 100,000 of them are. Names
-- of columns, which stand in every row, and what has to be escaped make more of it as JSON.
create function pawl.refuse_result(p_result jsonb) returns void
language plpgsql immutable
set search_path = pg_catalog
as $$
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

create or replace function pawl.open_sql_effect(
    p_bucket smallint, p_run uuid, p_key text, p_worker uuid, p_as_engine boolean
) returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
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
     where e.bucket = p_bucket and e.run_id = p_run and e.key = p_key and e.begun_in = pg_current_xact_id();
    if not found then
        raise exception 'this transaction has not begun the effect %', p_key using errcode = 'PW001';
    end if;
    perform pawl.refuse_result(p_result);
end
$$;

-- Pages from p_first on, of an effect that this very transaction has begun, as a worker writes them: one after the
-- other, up to 1000 rows in each and 100,000 in all.
create or replace function pawl.add_sql_pages(p_bucket smallint, p_run uuid, p_key text, p_first int, p_rows jsonb[])
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
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

create or replace function pawl.read_sql_page(
    p_bucket smallint, p_run uuid, p_key text, p_page int, p_as_engine boolean
) returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
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

-- Whose tables a login may ask, of those that p_tenant may: a login of another tenant than the first asks for that
-- tenant alone. One of the first may serve the conditions of all, and so does the engine's own.
create function pawl.condition_tenant(p_tenant int) returns int
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
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
revoke execute on function pawl.condition_tenant from public;

create or replace function pawl.check_condition(
    p_tenant int, p_table text, p_field text, p_operator text, p_value jsonb, p_subject text, p_subject_field text
) returns boolean
language plpgsql stable
set search_path = pg_catalog set timezone = 'UTC' as $$
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
$$;

create or replace function pawl.allow_sql_role(p_role text, p_tenant text default null) returns void
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

create or replace function pawl.secure_table(p_table regclass, p_owner regrole) returns void
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

drop policy if exists everybody on pawl.condition_table;
select pawl.secure_policy('pawl.condition_table', 'login', 'public',
                          'tenant = 0 or tenant = pawl.condition_tenant(tenant)');

-- The overload that does not ask for the worker is for the engine's own login: a statement cannot name its worker, so
-- it begins no effects of other steps.
do $$
declare
    v_role text;
begin
    for v_role in
        select distinct r.rolname
          from pg_class c
         cross join lateral aclexplode(c.relacl) as a
          join pg_roles r on r.oid = a.grantee
         where c.oid = 'pawl.condition_table'::regclass and r.oid <> c.relowner and r.rolname <> 'pawl_worker'
    loop
        execute format('revoke execute on function pawl.begin_sql_effect(smallint, uuid, text) from %I', v_role);
        execute format('grant execute on function pawl.condition_tenant to %I', v_role);
    end loop;
end
$$;

-- The first tenant's queues come first: it is the one that runs the service. What a tenant has made of a queue of its
-- own (times that are none, a lock that it holds) costs it the figures of that queue, and no others theirs.
create or replace function pawl.figures_of_queues()
returns table (metric text, labels jsonb, value double precision)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set jit = off
set lock_timeout = '100ms'
as $_$
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

-- With how old they are: those that nothing takes any more look like those of a quiet service.
create or replace function pawl.take_figures(p_bucket smallint, p_every interval) returns jsonb
language plpgsql
set search_path = pg_catalog as $$
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

-- Queues that were made for webhooks, and go with them.
create table pawl.webhook_queue (
    name text not null,
    tenant int not null,
    made_at timestamptz not null default now(),
    constraint webhook_queue_pk primary key (name),
    constraint webhook_queue_tenant_fk foreign key (tenant) references pawl.tenant (id),
    constraint webhook_queue_name_check check (octet_length(name) <= 47)
);
create index webhook_queue_by_tenant on pawl.webhook_queue (tenant);

-- Drops a queue that was made for a webhook, that nothing writes to or reads any more, and that holds nothing. One that
-- is in use at this moment stays until the next time.
create function pawl.drop_webhook_queue(p_queue text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp set lock_timeout = '200ms'
as $$
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

create function pawl.drop_queue_of_webhook() returns trigger
language plpgsql security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    perform pawl.require_tenant(old.tenant);
    perform pawl.drop_webhook_queue(old.address);
    return null;
end
$$;
create trigger outbox_target_queue after delete on pawl.outbox_target
    for each row when (old.kind = 'queue') execute function pawl.drop_queue_of_webhook();

create or replace function pawl.own_queue(p_tenant int, p_name text) returns void
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
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
$$;
