-- Whether the current transaction makes the changes of a step, as pawl.open_sql_effect has told: a setting is read much
-- faster than a table. A statement that takes the setting back leaves the circle that it may be in unnoticed.
create or replace function pawl.is_in_effect() returns boolean
language sql stable
return coalesce(current_setting('pawl.in_effect', true), '') <> '';

-- The names of the workflows that led to a change which the current transaction makes for a step of the type sql, the
-- last one being that of the step; null outside of such a step. Goes from the run back to the change that started it,
-- also through calls and events of runs. A change that is no longer in the inbox ends the way.
create or replace function pawl.change_chain() returns text[]
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    c_way constant int := 100;
    c_run constant text := '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
    v_bucket smallint;
    v_run uuid;
    v_tenant int;
    v_own text;
    v_key text;
    v_chain text[] := '{}';
begin
    select e.bucket, e.run_id into v_bucket, v_run from pawl.sql_effect e where e.begun_in = pg_current_xact_id();
    if not found then
        return null;
    end if;
    select l.tenant, w.name into v_tenant, v_own
      from pawl.live_run l
      join pawl.workflow w on w.id = l.workflow
     where l.bucket = v_bucket and l.run_id = v_run;
    for i in 1 .. c_way loop
        select c.key into v_key from pawl.correlation c where c.run_id = v_run and c.bucket = v_bucket;
        exit when not found;
        if v_key like 'event:watch:%' then
            select array(select jsonb_array_elements_text(i.data -> 'chain')) into v_chain
              from pawl.inbox i
             where i.bucket = v_bucket and i.tenant = v_tenant and i.event_id = substr(v_key, 7);
            exit;
        end if;
        v_run := (regexp_match(v_key, '^(?:event|call):(' || c_run || '):'))[1];
        exit when v_run is null;
    end loop;
    return v_chain || v_own;
end
$$;

-- Refuses a change that would start runs in a circle for ever.
create or replace function pawl.refuse_circle(p_chain text[], p_table text) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    c_most constant int := 10;
begin
    if cardinality(p_chain) > c_most then
        raise exception 'changes of % go round in a circle: %', p_table, array_to_string(p_chain, ' -> ')
            using errcode = 'PW013',
                  detail = format('%s steps of the type sql, each in a run that the one before started.', c_most),
                  hint = 'Give the trigger conditions that the workflow''s own changes do not meet.';
    end if;
end
$$;

-- The chain of a change that a workflow wants, which must not be a circle.
create or replace function pawl.checked_chain(p_table text) returns text[]
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    v_chain text[] := pawl.change_chain();
begin
    perform pawl.refuse_circle(v_chain, p_table);
    return v_chain;
end
$$;
