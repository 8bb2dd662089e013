-- The one place where an effect is begun: for a run of the login's tenant that a worker holds. A person who publishes a
-- step can call what the login may call, so the login may call only the two functions below.
create or replace function pawl.open_sql_effect(
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
     where e.bucket = p_bucket and e.run_id = p_run and e.key = p_key and e.xmin = pg_current_xact_id()::xid;
    if not found then
        raise exception 'this transaction has not begun the effect %', p_key using errcode = 'PW001';
    end if;
end
$$;

-- Takes away what is older than a day and belongs to no open run; the rest is looked at again a day later, so that a
-- crowd of runs that wait for months is not walked over again and again. Returns how many rows it saw.
create or replace function pawl.purge_sql_effects(p_bucket smallint, p_limit int) returns int
language plpgsql set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set jit = off as $$
declare
    v_seen int;
begin
    with old as materialized (
        select e.ctid as row_id,
               exists (select 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = e.run_id) as live
          from pawl.sql_effect e
         where e.bucket = p_bucket and e.at <= now() - interval '1 day'
         order by e.at
         limit p_limit
           for update of e skip locked
    ), kept as (
        update pawl.sql_effect e set at = now() where e.ctid = any (array(select o.row_id from old o where o.live))
    ), removed as (
        delete from pawl.sql_effect e where e.ctid = any (array(select o.row_id from old o where not o.live))
    )
    select count(*) into v_seen from old;
    return v_seen;
end
$$;
