-- An answer that rests on a row which is there already is as durable as that row. A transaction whose wait for a
-- synchronous standby was cut (its backend was ended, or somebody cancelled the wait) is committed here and perhaps not
-- there; who finds its row and says so must wait in its stead. A transaction that only reads does not wait.
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
