-- What a merchant does to get at the rows of another one, in the roles that applications give their users. Goes on from
-- two_tenants.sql: what belongs to the victim has the word "secret" in it, and the thief is a merchant too.

do $$
begin
    create role anon nologin;
exception when duplicate_object or unique_violation then
    null;
end
$$;
select pawl.allow_condition_table('attack.side', 'name', array['task'], 'secret-org');

-- Both have journeys that were gone through: by the engine, which sent a message, and by a program of the merchant.
insert into pawl.run (run_id, started_at, closed_at, tenant, workflow, version, bucket, status, subject, error)
select pawl.uuid7(), now(), now(), w.tenant, w.workflow, 1, 0, 2, s.task::text, jsonb_build_object('message', s.name)
  from pawl.amp_workflow w join attack.side s on s.job = w.id;
insert into pawl.event (run_id, at, seq, bucket, type, data)
select r.run_id, now(), 0, 0, 0, jsonb_build_object('input', jsonb_build_object('x', s.name))
  from pawl.run r
  join pawl.amp_workflow w on w.workflow = r.workflow
  join attack.side s on s.job = w.id;
insert into pawl.message (bucket, id, tenant, run_id, workflow, version, node, person, channel, category, said, state,
                          external_id, sent_at)
select 0, gen_random_uuid(), r.tenant, r.run_id, r.workflow, 1, s.name, r.subject, 'line', 'marketing', 2, 2, s.name,
       now()
  from pawl.run r
  join pawl.amp_workflow w on w.workflow = r.workflow
  join attack.side s on s.job = w.id;
insert into pawl.amp_event (workflow_id, merchant_id, user_id, inngest_run_id, event_type, node_type, action_type,
                            status)
select w.id, w.merchant_id, s.task, s.name, 'node_executed', 'message', s.name, 'executed'
  from pawl.amp_workflow w join attack.side s on s.job = w.id;
update attack.baseline set digest = attack.digest();
reset role;
reset pawl.tenant;

-- Becomes one of these: a merchant, who also says that it is the other tenant; the same without a merchant; a visitor
-- without an account of the application; or its own server.
create function attack.become_as(p_as text) returns void language sql as $$
    select set_config('pawl.tenant', (select s.tenant::text from attack.side s where s.name = 'secret'), true),
           set_config('request.jwt.claims', case p_as when 'stranger' then '{}' when 'server' then '{}' else (
               select jsonb_build_object('merchant_id', t.organization)::text
                 from pawl.tenant t join attack.side s on s.tenant = t.id
                where s.name = case p_as when 'visitor' then 'secret' else 'thief' end) end, true),
           set_config('role', case p_as when 'visitor' then 'anon' when 'server' then 'service_role'
                                        else 'authenticated' end, true);
$$;
create table attack.disguise (name text, role text);
insert into attack.disguise values ('merchant', 'authenticated'), ('stranger', 'authenticated'), ('visitor', 'anon'),
                                   ('server', 'service_role');

-- Tables and views that a role may do anything with, and functions that it may call.
create view attack.relation as
select distinct d.role, c.oid::regclass as name, c.relkind in ('v', 'm') as is_view
  from attack.disguise d
  join pg_class c on c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  join pg_namespace n on n.oid = c.relnamespace
 where n.nspname not in ('pg_catalog', 'information_schema', 'attack') and n.nspname !~ '^pg_'
   and has_schema_privilege(d.role, n.oid, 'usage')
   and (has_any_column_privilege(d.role, c.oid, 'select, insert, update, references')
        or has_table_privilege(d.role, c.oid, 'select, insert, update, delete, truncate, references, trigger'));
create view attack.routine as
select distinct d.role, p.oid, p.oid::regprocedure as name, p.proname, n.nspname, p.proargnames, p.proargtypes
  from attack.disguise d
  join pg_proc p on p.prokind = 'f' and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
  join pg_namespace n on n.oid = p.pronamespace
 where n.nspname not in ('pg_catalog', 'information_schema', 'attack') and n.nspname !~ '^pg_'
   and has_schema_privilege(d.role, n.oid, 'usage') and has_function_privilege(d.role, p.oid, 'execute');

-- A row of the victim in a relation, or what could be one.
create function attack.loot(p_relation regclass) returns jsonb language plpgsql as $$
declare
    v_row jsonb;
    v_merchant uuid := (select t.organization from pawl.tenant t join attack.side s on s.tenant = t.id
                         where s.name = 'secret');
begin
    perform attack.own();
    execute format('select to_jsonb(x) from %s x where to_jsonb(x) ->> ''merchant_id'' = $1 limit 1', p_relation)
       into v_row using v_merchant::text;
    return coalesce(v_row, (select jsonb_build_object('merchant_id', v_merchant, 'workflow_id', s.job,
                                                      'nodes', '[]'::jsonb, 'edges', '[]'::jsonb)
                              from attack.side s where s.name = 'secret'));
end
$$;

-- What can be said to a relation about the row of the victim.
create function attack.on_relation(p_relation regclass) returns setof text language plpgsql as $$
declare
    v_row jsonb := attack.loot(p_relation);
    v_columns text[] := array(select a.attname from pg_attribute a
                               where a.attrelid = p_relation and a.attnum > 0 and not a.attisdropped order by a.attnum);
    v_all text := (select string_agg(quote_ident(c.name), ', ' order by c.n)
                     from unnest(v_columns) with ordinality as c (name, n));
    v_mine text := (select t.organization::text from pawl.tenant t join attack.side s on s.tenant = t.id
                     where s.name = 'thief');
    v_put text := format('with i as (insert into %s (%s) select %s from jsonb_populate_record(null::%s, %%L)'
                         ' returning *) select string_agg(i::text, chr(10)) from i',
                         p_relation, v_all, v_all, p_relation);
begin
    perform set_config('role', 'none', true);
    return next format('select string_agg(x::text, chr(10) order by x::text) from %s x', p_relation);
    return next format('select count(*)::text from %s', p_relation);
    return next format('with d as (delete from %s returning *) select string_agg(d::text, chr(10) order by d::text)'
                       ' from d', p_relation);
    return next format(v_put, v_row);
    return next format(v_put, v_row || jsonb_build_object('merchant_id', null));
    return next format(v_put, v_row || jsonb_build_object('merchant_id', v_mine));
    return next format(v_put, v_row || jsonb_build_object('merchant_id', v_mine, 'id', gen_random_uuid()));
    return next format(v_put, v_row || jsonb_build_object('merchant_id', null, 'id', gen_random_uuid()));
    return query
    select format('with u as (update %s set %I = %s returning *) select string_agg(u::text, chr(10) order by u::text)'
                  ' from u', p_relation, c.name, coalesce(quote_literal(v_row ->> c.name), quote_ident(c.name)))
      from unnest(v_columns) as c (name);
    return next format('truncate %s', p_relation);
end
$$;

-- What an argument of a function can be; null: it is not said here yet. p_case: whose merchant is named, the victim's
-- (1), the thief's (2) or none (3).
create function attack.merchant_argument(p_name text, p_type regtype, p_case int) returns text language sql as $$
    select case
        when p_name in ('p_workflow_id', 'p_workflow') and p_type = 'uuid'::regtype
        then quote_literal(s.job) || '::uuid'
        when p_name = 'p_node_id' then quote_literal(s.task) || '::uuid'
        when p_name = 'p_merchant_id' then coalesce(quote_literal(m.id), 'null') || '::uuid'
        when p_name = 'p_user_id' then quote_literal(s.task) || '::uuid'
        when p_name = 'p_inngest_run_id' then quote_literal(s.open_run)
        when p_name = 'p_external_message_id' then quote_literal('secret')
        when p_name in ('p_workflow') and p_type = 'jsonb'::regtype
        then format('%L::jsonb', jsonb_strip_nulls(jsonb_build_object(
                 'id', s.job, 'merchant_id', m.id, 'workflow_code', 'mine', 'name', 'Mine')))
        when p_name = 'p_workflow' then format('jsonb_populate_record(null::pawl.amp_workflow, %L)', jsonb_build_object(
                 'id', s.job, 'merchant_id', m.id, 'workflow_code', 'mine', 'name', 'Mine', 'tenant', s.tenant))
        when p_name in ('p_nodes', 'p_node_list', 'p_items') then format(
                 case p_type when 'jsonb'::regtype then '%L::jsonb' else 'array[%L::jsonb]' end, jsonb_build_array(
                 jsonb_build_object('id', s.job, 'node_type', 'trigger'), jsonb_build_object(
                     'id', s.task, 'node_type', 'condition', 'node_config', jsonb_build_object(
                         'query', jsonb_build_object('table', 'attack.side', 'field', 'task', 'operator', 'is_null')))))
        when p_name in ('p_edges', 'p_edge_list') then format(
                 case p_type when 'jsonb'::regtype then '%L::jsonb' else 'array[%L::jsonb]' end, jsonb_build_array(
                 jsonb_build_object('from_node_id', s.job, 'to_node_id', s.task)))
        when p_name = 'p_tenant' then s.tenant::text
        when p_name in ('p_handle', 'p_new_name', 'p_event_type', 'p_node_type', 'p_action_type', 'p_status',
                        'p_error_message', 'p_what', 'p_text') then quote_literal('default')
        when p_name = 'p_event_data' then '''{}''::jsonb'
        when p_name in ('p_id', 'p_execution_id', 'p_org_id', 'p_organization_id', 'p_submission_id', 'p_form_id')
             and p_type = 'uuid'::regtype
        then quote_literal(s.job) || '::uuid'
        when p_name in ('p_batch_size', 'p_state') then format('1::%s', p_type)
        when p_type in ('timestamptz'::regtype, 'jsonb'::regtype) then format('null::%s', p_type)
        when p_name in ('p_error', 'p_result') then format('null::%s', p_type)
    end
    from attack.side s
   cross join (select case p_case when 1 then v.organization when 2 then h.organization end as id
                 from pawl.tenant v
                 join attack.side a on a.tenant = v.id and a.name = 'secret'
                cross join pawl.tenant h
                 join attack.side b on b.tenant = h.id and b.name = 'thief') as m
   where s.name = 'secret';
$$;

-- Every function that can be called, as statements with such arguments. Null: an argument is not known.
create view attack.on_routine as
select distinct r.role, r.name, case when a.complete then format(
           'select string_agg(x::text, chr(10)) from %I.%I(%s) x', r.nspname, r.proname, a.list) end as statement
  from attack.routine r
 cross join generate_series(1, 3) as c (number)
 cross join lateral (
     select coalesce(string_agg(v.value, ', ' order by t.place), '') as list,
            coalesce(bool_and(v.value is not null), true) as complete
       from unnest(r.proargtypes) with ordinality as t (type, place)
      cross join lateral attack.merchant_argument(r.proargnames[t.place::int], t.type::regtype, c.number) as v (value)
 ) as a;

create table attack.attempt as
select r.role, r.name::text, s.statement
  from attack.relation r cross join lateral attack.on_relation(r.name) as s (statement)
 union all
select r.role, r.name::text, r.statement from attack.on_routine r;

-- Takes all away that the victim has, or gives it another name.
create function attack.forget() returns void language plpgsql as $$
declare
    v_tenant int := (select s.tenant from attack.side s where s.name = 'secret');
    v_table record;
begin
    perform set_config('role', 'none', true);
    perform set_config('pawl.tenant', v_tenant::text, true);
    set constraints all immediate;
    set constraints all deferred;
    delete from pawl.amp_workflow w where w.tenant = v_tenant;
    delete from pawl.amp_known_node k where k.tenant = v_tenant;
    delete from pawl.live_run r where r.tenant = v_tenant;
    delete from pawl.run r where r.tenant = v_tenant;
    delete from pawl.message m where m.tenant = v_tenant;
    delete from pawl.connector_account a where a.tenant = v_tenant;
    delete from pawl.credential_inbox i where i.tenant = v_tenant;
    delete from pawl.condition_table t where t.tenant = v_tenant;
    update pawl.tenant set name = 'gone', organization = gen_random_uuid() where id = v_tenant;
    set constraints all immediate;
    set constraints all deferred;
end
$$;

-- What the answer to a try is; all is undone. p_known: as it is; else as if the victim were not there.
create function attack.told(p_as text, p_statement text, p_known boolean) returns text language plpgsql as $$
declare
    v_answer text;
    v_detail text;
    v_hint text;
    v_after text;
begin
    begin
        if not p_known then
            perform attack.forget();
        end if;
        perform attack.become_as(p_as);
        execute p_statement into v_answer;
        set constraints all immediate;
        if p_known and attack.has_written() then
            v_after := attack.digest();
        end if;
        raise exception 'undo' using errcode = 'ZZZZZ';
    exception
        when sqlstate 'ZZZZZ' then null;
        when others then
            get stacked diagnostics v_detail = pg_exception_detail, v_hint = pg_exception_hint;
            v_answer := concat_ws(' | ', sqlstate, sqlerrm, v_detail, v_hint);
    end;
    set constraints all deferred;
    return case when v_after <> (select b.digest from attack.baseline b) then 'CHANGED ' else '' end
        || coalesce(v_answer, 'nothing');
end
$$;

-- What an attempt gave the thief; null: nothing. He may be told what he said himself. Who knows an id, which cannot be
-- guessed, learns that it is taken, and nothing else: ids are unique among all merchants.
create function attack.gain(p_as text, p_statement text) returns text language plpgsql as $$
declare
    c_ids constant text := '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
    v_known text := attack.told(p_as, p_statement, true);
    v_unknown text := attack.told(p_as, p_statement, false);
begin
    if v_known like 'CHANGED %' or v_known ~ 'secret' and p_statement !~ 'secret' then
        return format('%s: %s: %s', p_as, p_statement, left(v_known, 300));
    elsif v_known ~ '^23505 \| duplicate key value violates unique constraint "amp_[a-z_]+_pk" \|  \| $'
          or v_known ~ ('^42501 \| new row violates row-level security policy \(USING expression\) for table '
                        '"amp_[a-z_]+" \|  \| $')
    then
        return null;
    -- Numbers of workflows are given one by one.
    elsif regexp_replace(regexp_replace(v_known, c_ids, '*', 'g'), ',\d+,\d+,\d+\)', '', 'g')
          <> regexp_replace(regexp_replace(v_unknown, c_ids, '*', 'g'), ',\d+,\d+,\d+\)', '', 'g') then
        return format('%s: %s: %s, and without the victim: %s', p_as, p_statement, left(v_known, 300),
                      left(v_unknown, 300));
    end if;
    return null;
end
$$;
