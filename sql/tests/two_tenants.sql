-- Two tenants, each with a row in every table that holds rows of tenants, and what one of them does to get at the
-- other's. What belongs to the first has the word "secret" in it.

create schema attack;

insert into pawl.tenant (name) values ('secret-org'), ('thief-org');

create table attack.side (
    name text primary key, tenant int, workflow int, open_run uuid, closed_run uuid, task uuid, job uuid, schedule int
);
insert into attack.side (name, tenant)
select split_part(t.name, '-', 1), t.id from pawl.tenant t where t.name in ('secret-org', 'thief-org');

-- Messages to people, and what belongs to them.
create function attack.fill_messages(p_side text, s attack.side) returns void language plpgsql as $$
begin
    insert into pawl.connector_definition (tenant, name, definition)
    values (s.tenant, p_side, jsonb_build_object('x', p_side));
    insert into pawl.connector_account (tenant, connector, account, channels, key_id, nonce, box, hook_token)
    values (s.tenant, p_side, p_side, array['line'], 'x', '', '', p_side || '-0123456789abcdef');
    insert into pawl.message_template (tenant, name, version, language, content)
    values (s.tenant, p_side, 1, 'en', jsonb_build_object('text', p_side));
    insert into pawl.message (bucket, id, tenant, run_id, workflow, version, node, person, channel, category, said,
                              state)
    values (0, s.task, s.tenant, s.open_run, s.workflow, 1, p_side, p_side, 'line', 'marketing', 2, 2);
    insert into pawl.message_fact (bucket, tenant, connector, account, provider_event_id, kind, at, message, detail)
    values (0, s.tenant, p_side, p_side, p_side, 'opened', now(), s.task, jsonb_build_object('x', p_side));
    insert into pawl.fact_pending (bucket, tenant, connector, account, provider_event_id)
    values (0, s.tenant, p_side, p_side, p_side);
    insert into pawl.message_settled (bucket, id, run_id) values (0, s.task, s.open_run);
    insert into pawl.message_inquiry (bucket, id, tenant, due_at) values (0, s.task, s.tenant, now());
    insert into pawl.suppression (tenant, channel, address, reason, at)
    values (s.tenant, 'line', p_side, 'unfollowed', now());
    insert into pawl.unsubscribe (tenant, person, at) values (s.tenant, p_side, now());
    insert into pawl.credential_inbox (tenant, connector, account, settings, wrap_key, wrapped, data, mac)
    values (s.tenant, p_side, p_side, jsonb_build_object('x', p_side), s.task, '', '', '');
    insert into pawl.linked_address (tenant, person, channel, address) values (s.tenant, p_side, 'line', p_side);
    insert into pawl.message_policy (tenant, channel) values (s.tenant, p_side);
    insert into pawl.message_reservation (bucket, tenant, person, channel) values (0, s.tenant, p_side, '*');
end
$$;

-- What journeys are counted by.
create function attack.fill_numbers(p_side text, s attack.side) returns void language plpgsql as $$
begin
    perform pawl.note_conversion(0::smallint, s.tenant, s.workflow, 1, s.open_run, p_side, p_side);
    insert into pawl.goal (workflow, version, tenant, event, name) values (s.workflow, 1, s.tenant, p_side, p_side);
    insert into pawl.goal_pending (bucket, id, tenant) values (0, s.tenant, s.tenant);
    insert into pawl.goal_watch (bucket, run_id, goal, tenant, workflow, version, event, key, by_person, at)
    values (0, s.open_run, p_side, s.tenant, s.workflow, 1, p_side, 1, true, now());
    insert into pawl.goal_doubt (bucket, run_id, goal, id, tenant) values (0, s.open_run, p_side, 1, s.tenant);
    insert into pawl.goal_entry (tenant, workflow, person, run_id, bucket, version, at)
    values (s.tenant, s.workflow, 1, s.open_run, 0, 1, now());
    insert into pawl.funnel_count (tenant, workflow, span, at, version, node, what, count)
    values (s.tenant, s.workflow, 'h', date_trunc('hour', now()), 1, p_side, 'passed', 1);
    insert into pawl.funnel_person (tenant, workflow, variant, person, at)
    values (s.tenant, s.workflow, p_side, 1, now());
    insert into pawl.funnel_people (tenant, workflow, variant, at, before, count)
    values (s.tenant, s.workflow, p_side, now(), '-infinity', 1);
    insert into pawl.run_place (bucket, run_id, token, tenant, workflow, version, node, state, since, subject)
    values (0, s.open_run, 0, s.tenant, s.workflow, 1, p_side || '_wait', 'event', now(), p_side);
end
$$;

-- A journey that is written as rows.
create function attack.fill_journey(p_side text, s attack.side) returns void language plpgsql as $$
declare
    v_merchant uuid := (select t.organization from pawl.tenant t where t.id = s.tenant);
begin
    insert into pawl.amp_workflow (id, merchant_id, workflow_code, name)
    values (s.job, v_merchant, p_side || '_journey', p_side);
    insert into pawl.amp_workflow_node (id, workflow_id, merchant_id, node_type, node_name)
    values (s.job, s.job, v_merchant, 'trigger', p_side), (s.task, s.job, v_merchant, 'agent', p_side);
    insert into pawl.amp_workflow_edge (workflow_id, merchant_id, from_node_id, to_node_id, edge_label)
    values (s.job, v_merchant, s.job, s.task, p_side);
    insert into pawl.amp_workflow_trigger (workflow_id, merchant_id, trigger_type, trigger_table, trigger_operation)
    values (s.job, v_merchant, 'custom', p_side, 'INSERT');
    insert into pawl.amp_event (workflow_id, merchant_id, user_id, inngest_run_id, event_type)
    values (s.job, v_merchant, s.task, p_side, 'custom');
    insert into pawl.amp_known_node (node, node_type, action_type, node_id, tenant)
    values (p_side, 'message', p_side, s.task, s.tenant);
    -- Saves it now, before what is there is looked at.
    set constraints pawl.amp_workflow_saved_check immediate;
    set constraints pawl.amp_workflow_saved_check deferred;
end
$$;

create function attack.fill(p_side text) returns void language plpgsql as $$
declare
    s attack.side;
begin
    perform pawl.use_tenant(p_side || '-org');
    select * into s from attack.side where name = p_side;
    s.open_run := pawl.uuid7();
    s.closed_run := pawl.uuid7();
    s.task := pawl.uuid7();
    s.job := gen_random_uuid();
    select a.id into s.workflow
      from pawl.apply_workflow(p_side || '_flow', jsonb_build_object(
          'name', p_side || '_flow', 'description', p_side, 'triggers', jsonb_build_array(
              jsonb_build_object('cron', '0 9 * * *', 'timezone', 'UTC'),
              jsonb_build_object('event', p_side || '.came')),
          'nodes', jsonb_build_array(
              jsonb_build_object('id', p_side || '_wait', 'type', 'wait', 'config',
                                 jsonb_build_object('event', p_side || '.more', 'key', 'k'))),
          'edges', '[]'::jsonb), s.tenant) a;
    select min(x.id) into s.schedule from pawl.schedule x where x.tenant = s.tenant;
    insert into pawl.event_wait (workflow, event) values (s.workflow, p_side || '.extra') on conflict do nothing;

    insert into pawl.event (run_id, at, seq, bucket, type, data)
    select r, now(), 0, 0, 0,
           jsonb_build_object('workflow', s.workflow, 'version', 1, 'input', jsonb_build_object('x', p_side))
      from unnest(array[s.open_run, s.closed_run]) r;
    insert into pawl.event (run_id, at, seq, bucket, type, node, error)
    values (s.closed_run, now(), 1, 0, 5, p_side || '_wait', jsonb_build_object('message', p_side));
    insert into pawl.live_run (run_id, due_at, tenant, workflow, version, bucket, state, priority, subject)
    values (s.open_run, now() + interval '1 day', s.tenant, s.workflow, 1, 0, 2, 0, p_side);
    insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, version, bucket, status, subject, error)
    values (s.closed_run, now(), now(), s.tenant, s.workflow, 1, 0, 2, p_side, jsonb_build_object('message', p_side));
    insert into pawl.dead_letter (bucket, run_id, tenant, workflow, version, node, error, fingerprint)
    values (0, s.closed_run, s.tenant, s.workflow, 1, p_side, jsonb_build_object('message', p_side), p_side);
    insert into pawl.dead_letter_mute (tenant, fingerprint, reason, by) values (s.tenant, p_side, p_side, p_side);
    insert into pawl.correlation (bucket, tenant, workflow, key, run_id)
    values (0, s.tenant, s.workflow, p_side, s.closed_run);
    insert into pawl.document_key (tenant, workflow, key) values (s.tenant, s.workflow, p_side);
    insert into pawl.reentry (bucket, tenant, workflow, subject, run_id)
    values (0, s.tenant, s.workflow, p_side, s.open_run);
    insert into pawl.signal (bucket, run_id, kind, data)
    values (0, s.open_run, 'signal', jsonb_build_object('name', p_side));
    insert into pawl.trigger_held (bucket, tenant, id, reason, at) values (0, s.tenant, s.tenant, p_side, now());
    insert into pawl.sql_effect (bucket, run_id, key, result) values (0, s.open_run, p_side, '{}');
    insert into pawl.webhook_queue (name, tenant) values (p_side, s.tenant);
    insert into pawl.sql_page (bucket, run_id, key, page, rows)
    values (0, s.open_run, p_side, 1, jsonb_build_array(p_side));
    insert into pawl.lock_place (bucket, tenant, key, run_id, token) values (0, s.tenant, p_side, s.open_run, 1);
    insert into pawl.subscription (run_id, since, tenant, token, ordinal, bucket, event, key)
    values (s.open_run, now(), s.tenant, 1, 0, 0, p_side || '.more', 'k');
    insert into pawl.subscription_unchecked (bucket, run_id, token, ordinal) values (0, s.open_run, 1, 0);
    perform pawl.publish_events(0::smallint, array[s.tenant], array[p_side], array[p_side || '.came'], array['k'],
                                array[p_side], array[p_side], array[now()], array[jsonb_build_object('x', p_side)]);
    insert into pawl.human_task (id, bucket, tenant, run_id, token, workflow, node, title, assignee)
    values (s.task, 0, s.tenant, s.open_run, 1, s.workflow, p_side, p_side, p_side);
    insert into pawl.task_decision (bucket, task, action, by) values (0, s.task, 'open', p_side);
    insert into pawl.credential (tenant, name, key_id, nonce, box) values (s.tenant, p_side, 'x', '', '');
    insert into pawl.crm_contact (tenant, id, name) values (s.tenant, p_side, p_side);
    insert into pawl.crm_ticket (tenant, id, body) values (s.tenant, p_side, p_side);
    insert into pawl.crm_activity (tenant, idempotency_key, kind) values (s.tenant, p_side, p_side);
    insert into pawl.person (tenant, key, attributes, addresses)
    values (s.tenant, p_side, jsonb_build_object('x', p_side), jsonb_build_object('email', p_side));
    insert into pawl.knowledge (tenant, id, body) values (s.tenant, p_side, p_side);
    insert into pawl.calendar_event (tenant, uid, title, starts_at, ends_at)
    values (s.tenant, p_side, p_side, now(), now() + interval '1 hour');
    insert into pawl.outbox_target (tenant, name, kind, address, events)
    values (s.tenant, p_side, 'webhook', p_side, '{none}');
    insert into pawl.outbox_lease (target, shard, tenant)
    select t.id, 0, t.tenant from pawl.outbox_target t where t.name = p_side;
    insert into pawl.outbox (bucket, target, run_id, seq, tenant, type, data)
    select 0, t.id, s.open_run, 0, s.tenant, p_side, jsonb_build_object('x', p_side)
      from pawl.outbox_target t where t.name = p_side;
    insert into pawl.queue (name, tenant, active) values (p_side, s.tenant, false);
    insert into pawl.job (id, tenant, kind, filter, total) values (s.job, s.tenant, 'replay', '{}', 1);
    insert into pawl.audience_member (job, tenant, subject, data) values (s.job, s.tenant, p_side, '{}');
    insert into pawl.change_batch (bucket, tenant, event, prefix, source, count, changes)
    values (0, s.tenant, p_side, 'watch:1:', p_side, 0, '[]');
    insert into pawl.idempotency_key (tenant, key, fingerprint, status, headers, body)
    values (s.tenant, p_side, '\x00', 200, '{}', p_side);
    insert into pawl.api_key (tenant, name, prefix, hash, scopes)
    values (s.tenant, p_side, p_side, sha256(p_side::bytea), array['admin']);
    insert into pawl.workflow_layout (tenant, name, layout)
    values (s.tenant, p_side, jsonb_build_object('x', p_side));
    insert into pawl.workflow_draft (tenant, name, text, etag, updated_by)
    values (s.tenant, p_side, p_side, p_side, p_side);
    insert into pawl.workflow_tests (tenant, name, text, etag, updated_by)
    values (s.tenant, p_side, p_side, p_side, p_side);
    insert into pawl.run_rate (tenant, workflow, step, at, started, completed, failed, cancelled)
    values (s.tenant, s.workflow, 1, now(), 1, 1, 1, 1);
    insert into pawl.audit (tenant, by, person, action, target, status, door)
    values (s.tenant, p_side, true, p_side, p_side, 200, 'ui');
    insert into pawl.worker (id, host, pid, version) values (s.open_run, p_side, 1, p_side);
    insert into pawl.circuit (worker, tenant, target, state, opened, error)
    values (s.open_run, s.tenant, 'https://' || p_side, 'open', 1, p_side);
    insert into pawl.dead_run_pending (bucket, run_id) values (0, s.closed_run) on conflict do nothing;
    insert into pawl.flow_wait (bucket, run_id, gate, rank)
    values (0, s.open_run, s.tenant || '/0/' || p_side || '/', now());
    insert into pawl.flow_group (bucket, gate, run_id, first_at, count)
    values (0, s.tenant || '/0/' || p_side || '/', s.open_run, now(), 1);
    insert into pawl.flow_gate (bucket, gate, base, "limit", held)
    values (0, s.tenant || '/0/' || p_side || '/', 1, 1, 1);
    insert into pawl.flow_rate (bucket, gate, next_at) values (0, s.tenant || '/0/' || p_side || '/', now());
    insert into pawl.flow_limit (gate, "limit") values (s.tenant || '/0/' || p_side || '/', 1);
    insert into pawl.organization_worker (tenant) values (s.tenant);
    insert into pawl.callback_use (bucket, run_id, token, fingerprint, expires_at)
    values (0, s.open_run, sha256(p_side::bytea), sha256('x'), now() + interval '1 day');
    insert into pawl.sql_login (role_name, tenant) values (p_side, s.tenant);
    perform attack.fill_messages(p_side, s);
    perform attack.fill_journey(p_side, s);
    perform attack.fill_numbers(p_side, s);
    update attack.side set (workflow, open_run, closed_run, task, job, schedule)
        = (s.workflow, s.open_run, s.closed_run, s.task, s.job, s.schedule) where name = p_side;
end
$$;
select attack.fill('secret'), attack.fill('thief');
reset pawl.tenant;

-- Tables that have rows of tenants, by the rule that makes their policies.
create table attack.tenant_table as
select c.oid::regclass as name, c.relname, pawl.row_condition(c.oid) as condition
  from pg_class c
 where c.relnamespace = 'pawl'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
   and pawl.row_condition(c.oid) is not null;

-- Becomes the first tenant, with all rights.
create function attack.own() returns void language plpgsql as $$
begin
    perform set_config('role', 'none', true);
    perform set_config('pawl.tenant', (select tenant::text from attack.side where name = 'secret'), true);
end
$$;

-- attack.digest(): everything that is the first tenant's, as one number. It is asked for hundreds of times: each table
-- has a statement of its own in it, so that each is planned once.
do $$
begin
    execute (
        select 'create function attack.digest() returns text language plpgsql as $digest$'
               ' declare v_all text := ''''; begin perform attack.own(); '
               || string_agg(format('v_all := v_all || %L || coalesce((select md5(string_agg(%2$I::text, chr(10)'
                                    ' order by %2$I::text)) from %3$s where %4$s), ''-'');',
                                    t.relname, t.relname, t.name, t.condition), ' ' order by t.relname)
               || ' return md5(v_all); end $digest$'
          from attack.tenant_table t);
end
$$;

-- The state before the first attempt; every attempt is undone.
create table attack.baseline as select attack.digest() as digest;

-- Becomes the thief: a role, and a tenant that it may say or not.
create function attack.become(p_role text) returns void language sql as $$
    select set_config('pawl.tenant', (select tenant::text from attack.side
                       where name = case when p_role = 'pawl_api' then 'thief' else 'secret' end), true),
           set_config('role', p_role, true);
$$;

-- Whether the attempt, which is a transaction inside another, has written anything at all: it has an id of its own
-- then, and so a lock on it. What only reads changes nothing, and needs no digest.
create function attack.has_written() returns boolean language sql as $$
    select count(*) > 1 from pg_locks l
     where l.pid = pg_backend_pid() and l.locktype = 'transactionid' and l.mode = 'ExclusiveLock';
$$;

-- Runs a statement as the thief and undoes it. Null: it was refused, or gave nothing of the first tenant and changed
-- nothing of it.
create function attack.try(p_role text, p_statement text) returns text language plpgsql as $$
declare
    v_answer text := '';
    v_after text;
begin
    begin
        perform attack.become(p_role);
        execute p_statement into v_answer;
        if attack.has_written() then
            v_after := attack.digest();
        end if;
        raise exception 'undo' using errcode = 'ZZZZZ';
    exception
        when sqlstate 'ZZZZZ' then null;
        -- A refusal may repeat what was asked.
        when others then v_answer := replace(sqlerrm, 'secret_flow', '') || coalesce(v_answer, '');
    end;
    if v_after <> (select b.digest from attack.baseline b) then
        return 'changed: ' || p_statement;
    elsif v_answer ~ 'secret' then
        return format('shown: %s: %s', p_statement, left(v_answer, 200));
    end if;
    return null;
end
$$;

-- An argument of a function: what the first tenant has, wherever the name or the type asks for something of it.
create function attack.argument(p_function text, p_name text, p_type regtype, p_tenant int) returns text
language sql as $$
    select case
        when p_name = 'p_bucket' then '0::smallint'
        when p_name = 'p_tenant' and p_type = 'int'::regtype then p_tenant::text
        when p_name = 'p_tenant' and p_type = 'int[]'::regtype then format('array[%s]', p_tenant)
        when p_name in ('p_run', 'p_sub_run', 'p_open_run') and p_type = 'uuid[]'::regtype
            then format('array[%L::uuid, %L]', s.closed_run, s.open_run)
        when p_name = 'run' then quote_literal(s.open_run) || '::uuid'
        when p_name = 'p_run' then quote_literal(s.closed_run) || '::uuid'
        when p_name = 'p_task' and p_type = 'uuid'::regtype then quote_literal(s.task) || '::uuid'
        when p_name = 'p_job' then quote_literal(s.job) || '::uuid'
        when p_name = 'p_name' and p_function in ('list_inbox', 'tell_about_tasks') then 'null'
        when p_name in ('p_name', 'p_workflow', 'workflow') and p_type = 'text'::regtype
            then quote_literal('secret_flow')
        when p_name in ('p_from', 'p_before', 'p_before_run') then 'null'
        when p_name = 'p_new' and p_type = 'uuid[]'::regtype then 'array[gen_random_uuid(), gen_random_uuid()]'
        when p_name = 'p_action' then quote_literal('approve')
        when p_name = 'p_kind' then 'array[''cancel'']'
        when p_name = 'p_id' and p_type = 'int'::regtype then s.schedule::text
        when p_name = 'p_workflow' and p_type = 'int'::regtype then s.workflow::text
        when p_name = 'p_limit' or p_name = 'p_scan' then '100'
        when p_type in ('int'::regtype, 'smallint'::regtype, 'bigint'::regtype) then format('1::%s', p_type)
        when p_type = 'boolean'::regtype then 'true'
        when p_type = 'jsonb'::regtype then quote_literal('{}') || '::jsonb'
        when p_type = 'uuid'::regtype then 'gen_random_uuid()'
        when p_type = 'interval'::regtype then quote_literal('1 hour') || '::interval'
        else format('null::%s', p_type)
    end
    from attack.side s where s.name = 'secret';
$$;

-- Every function of the schema, as a statement with such arguments.
create view attack.call as
select p.oid::regprocedure as function, p.proname, n.tenant,
       format('select string_agg(x::text, chr(10)) from pawl.%I(%s) x', p.proname, (
           select string_agg(attack.argument(p.proname, p.proargnames[a.place::int], a.type::regtype, n.tenant), ', '
                             order by a.place)
             from unnest(p.proargtypes) with ordinality as a (type, place)
       )) as statement
  from pg_proc p
 cross join attack.side n
 where p.pronamespace = 'pawl'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype;

-- What can be said about every table.
create view attack.touch as
select t.name, x.statement
  from attack.tenant_table t
 cross join lateral (
     values (format('select string_agg(x::text, chr(10)) from %s x', t.name)),
            (format('with d as (delete from %s returning *) select string_agg(d::text, chr(10)) from d', t.name)),
            (format('with u as (update %1$s set %2$I = %2$I returning *) select string_agg(u::text, chr(10)) from u',
                    t.name, (select a.attname from pg_attribute a where a.attrelid = t.name and a.attnum > 0
                                and not a.attisdropped and a.attidentity = '' and a.attname <> 'tenant' limit 1)))
 ) as x (statement)
 union all
select v.name::regclass, x.statement
  from (values ('pawl.workflow_executions'), ('pawl.workflow_definitions'), ('public.workflow_executions'),
               ('public.workflow_definitions')) as v (name)
 cross join lateral (
     values (format('select string_agg(x::text, chr(10)) from %s x', v.name)),
            (format('with d as (delete from %s returning *) select string_agg(d::text, chr(10)) from d', v.name))
 ) as x (statement);

-- A row of the first tenant, put in once more or under a name of one's own.
create function attack.try_insert(p_role text, p_table regclass) returns text language plpgsql as $$
declare
    v_row jsonb;
    v_name text := (select c.relname from pg_class c where c.oid = p_table);
begin
    perform attack.own();
    execute format('select to_jsonb(%I) from %s where %s limit 1', v_name, p_table, pawl.row_condition(p_table))
       into v_row;
    begin
        perform attack.become(p_role);
        execute format('insert into %1$s overriding system value'
                       ' select (jsonb_populate_record(null::%1$s, $1)).*', p_table) using v_row;
        raise exception 'undo' using errcode = 'ZZZZZ';
    exception
        when sqlstate 'ZZZZZ' then return 'put in: ' || p_table;
        when insufficient_privilege then return null;
        when others then return format('not refused by policy: %s: %s', p_table, sqlerrm);
    end;
end
$$;

do $$
begin
    create role attack_thief login;
exception when duplicate_object or unique_violation then
    null;
end
$$;
select pawl.bind_role('attack_thief', 'thief-org');
grant usage on schema attack to public;

-- Tables of tenants in which the first one has no row: nothing would be stolen from them.
create function attack.empty() returns table (name text) language plpgsql as $$
declare
    v_table record;
    v_rows bigint;
begin
    perform attack.own();
    for v_table in select * from attack.tenant_table loop
        execute format('select count(*) from %s where %s', v_table.name, v_table.condition) into v_rows;
        name := v_table.relname;
        if v_rows = 0 then
            return next;
        end if;
    end loop;
end
$$;
