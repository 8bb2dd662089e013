-- Leaves a message for a run of this tenant without locking it. False: the run is closed.
create or replace function pawl.leave_message(p_tenant pawl.tenant, p_run uuid, p_kind text, p_data jsonb)
returns boolean
language plpgsql set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off
set jit = off as $$
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

-- Sends a run a message that it waits for, or will wait for. False: the run has closed, and gets nothing.
create or replace function pawl.signal(run uuid, name text, data jsonb default null) returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_variable
begin
    if coalesce(name, '') = '' or char_length(name) > 200 then
        raise exception 'a signal needs a name of 1 to 200 characters' using errcode = 'invalid_parameter_value',
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

-- Asks a run to stop before its next step. False: it had closed before.
create or replace function pawl.cancel(
    run uuid, reason text default 'cancelled through SQL', force boolean default false
)
returns boolean
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
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

-- Publishes an event in the caller's transaction.
create or replace function pawl.emit(
    name text, key text default NULL::text, data jsonb default NULL::jsonb, subject text default NULL::text,
    id text default NULL::text
)
returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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
$$;
