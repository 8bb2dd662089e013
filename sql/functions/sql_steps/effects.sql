-- What a worker takes as the result of a statement: 1000 rows with 1 MiB of values, or where 100,000 of them are. Names
-- of columns, which stand in every row, and what has to be escaped make more of it as JSON.
create or replace function pawl.refuse_result(p_result jsonb) returns void
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

-- Rows that a worker could not read, or not hold. A column may hold JSON of 64 levels, below what the rows are in.
-- Bytes are those of the text, which is what a worker gets: a value may come compressed.
create or replace function pawl.refuse_rows(p_rows jsonb, p_bytes_max int) returns void
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

-- The one place where an effect is begun: for a run of the login's tenant that a worker holds. The engine's own login
-- is of no tenant: a worker uses it for sql steps of the default one, and for the registered actions of all. A person
-- who publishes a step can call what the login may call, so the login may call only the two functions below.
create or replace function pawl.open_sql_effect(
    p_bucket smallint, p_run uuid, p_key text, p_worker uuid, p_as_engine boolean
) returns jsonb
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
    v_tenant int := (select l.tenant from pawl.sql_login l where l.role_name = session_user);
    v_engine boolean := v_tenant is null and p_as_engine and pawl.is_engine();
    v_result jsonb;
begin
    if v_engine and p_worker is null then
        v_tenant := 1;
    elsif v_tenant is null and not v_engine then
        raise exception 'login % is not one for sql steps', session_user using errcode = 'insufficient_privilege',
            hint = format('The owner of the schema pawl can change that: select pawl.allow_sql_role(%L, ''TENANT'')',
                          session_user);
    end if;
    if exists (select 1 from pawl.sql_effect e where e.begun_in = pg_current_xact_id()) then
        raise exception 'this transaction has begun an effect already' using errcode = 'PW001';
    end if;
    perform 1
       from pawl.live_run l
      where l.bucket = p_bucket and l.run_id = p_run and l.tenant = coalesce(v_tenant, l.tenant) and l.state = 1
        and (p_worker is null or l.worker = p_worker);
    if not found then
        raise exception 'run % is not held by this worker for the tenant of login %', p_run, session_user
            using errcode = 'PW001';
    end if;
    insert into pawl.sql_effect (bucket, run_id, key, begun_in) values (p_bucket, p_run, p_key, pg_current_xact_id())
        on conflict (bucket, run_id, key) do nothing;
    if found then
        perform set_config('pawl.in_effect', 'true', true);
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

-- For workers of the release before, which do not say who they are.
create or replace function pawl.begin_sql_effect(
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

-- Records the result of an effect that begin_sql_effect began in the same transaction; PW001 when it did not.
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

-- An effect with pages stays as long as its run can be looked at: a run that goes on from it reads them again.
create or replace function pawl.purge_sql_effects(p_bucket smallint, p_limit int) returns int
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_seen int;
begin
    with old as materialized (
        select e.ctid as row_id,
               exists (select 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = e.run_id)
               or exists (select 1
                            from pawl.sql_page p
                           where p.bucket = p_bucket and p.run_id = e.run_id and p.key = e.key)
                  and exists (select 1 from pawl.run r where r.bucket = p_bucket and r.run_id = e.run_id) as live
          from pawl.sql_effect e
         where e.bucket = p_bucket and e.at <= now() - interval '1 day'
         order by e.at
         limit p_limit
           for update of e skip locked
    ), kept as (
        update pawl.sql_effect e set at = now() where e.ctid = any (array(select o.row_id from old o where o.live))
    ), removed as (
        delete from pawl.sql_effect e
         where e.ctid = any (array(select o.row_id from old o where not o.live))
        returning e.run_id, e.key
    ), pages as (
        delete from pawl.sql_page p
         using removed r
         where p.bucket = p_bucket and p.run_id = r.run_id and p.key = r.key
    )
    select count(*) into v_seen from old;
    return v_seen;
end
$$;
