-- queued, running, waiting, completed, failed or cancelled; null: there is no such run.
create or replace function pawl.status(run uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
begin
    return (select r.status from pawl.find_run(v_tenant.bucket, v_tenant.id, run) r);
end
$$;

-- How a run ended: one row, which says `closed` once it has; no row when there is no such run. Waits for nothing.
create or replace function pawl.result(run uuid)
returns table (closed boolean, status text, output jsonb, error jsonb, closed_at timestamptz)
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
    v_tenant pawl.tenant := pawl.sql_tenant();
begin
    return query
    select r.closed_at is not null, r.status, r.output, r.error,
           case when r.closed_at is not null then greatest(r.closed_at, pawl.uuid7_time(run)) end
      from pawl.find_run(v_tenant.bucket, v_tenant.id, run) r;
end
$$;
