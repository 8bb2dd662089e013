-- The largest double was refused by starts through SQL and taken over HTTP: both take it now. Who is kept from a
-- decision is kept from it in any spelling of the name. The log of steps has an order of its own.
-- breaking: no

set local lock_timeout = '5s';

create or replace function pawl.refuse_unreadable(p_data jsonb) returns void
language plpgsql immutable
set search_path = pg_catalog
as $$
begin
    -- Depth takes room: small data need not be walked for it.
    if pg_column_size(p_data) > 200 and jsonb_path_exists(p_data, 'strict $.**{64 to last}') then
        raise exception 'data is nested deeper than 64 levels' using errcode = 'invalid_parameter_value',
            hint = 'Give it as text, or give the key of a row that has it.';
    elsif jsonb_path_exists(
        -- What is above rounds to infinity.
        p_data, 'strict $.** ? (@.type() == "number" && (@ > 1.7976931348623158e308 || @ < -1.7976931348623158e308))'
    ) then
        raise exception 'a number in data is out of range' using errcode = 'numeric_value_out_of_range',
            hint = 'Numbers are double precision here: give it as text.';
    end if;
end
$$;

create function pawl.is_excluded(p_excluded text[], p_by text) returns boolean
language sql immutable parallel safe
return lower(p_by) = any (lower(p_excluded::text)::text[]);

create or replace function pawl.may_decide(p_task pawl.human_task, p_by text) returns boolean
language sql immutable parallel safe
return not pawl.is_excluded((p_task).excluded, p_by)
       and case when cardinality((p_task).approvers) > 0
                then p_by = any ((p_task).approvers) or coalesce((p_task).escalated_to = p_by, false)
                else coalesce((p_task).assignee = p_by, true) end;

do $$
declare
    v_old text := pg_get_functiondef('pawl.act_on_task'::regproc);
    v_new text := replace(replace(v_old, 'p_by = any (v_task.excluded)', 'pawl.is_excluded(v_task.excluded, p_by)'),
                          'p_to = any (v_task.excluded)', 'pawl.is_excluded(v_task.excluded, p_to)');
begin
    if v_new = v_old or v_new like '%any (v_task.excluded)%' then
        raise exception 'pawl.act_on_task is not as this migration expects it';
    end if;
    execute v_new;
end
$$;

-- A run has the time of the process that made its id, which may be a little ahead of that of the database.
create or replace view pawl.step_logs with (security_invoker) as
select md5(x.run_id || ':' || e.seq)::uuid as id,
       md5(d.key)::uuid as step_id,
       case when e.type <> 2 then 'info' when e.data ? 'retry_at' then 'warn' else 'error' end as level,
       pawl.event_type_name(e.type) || coalesce(': ' || (e.error ->> 'message'), '') as message,
       jsonb_strip_nulls(jsonb_build_object(
           'run_id', x.run_id, 'step_name', e.node, 'seq', e.seq, 'attempt', nullif(e.attempt, 0), 'data', e.data,
           'error', e.error)) as meta,
       greatest(e.at, pawl.uuid7_time(x.run_id)) as created_at,
       x.run_id,
       e.seq
  from (
      select l.bucket, l.run_id, l.tenant, l.workflow, l.version from pawl.live_run l
       union all
      select r.bucket, r.run_id, r.tenant, r.workflow, r.version from pawl.run r
  ) as x
  join pawl.workflow_version v on v.workflow = x.workflow and v.version = x.version
 cross join lateral pawl.execution_visits(x.bucket, x.run_id) e
  join lateral pawl.execution_steps_done(x.bucket, x.run_id, v.definition) d
    on d.token = e.token and d.node = e.node and d.visit = e.visit
 where x.tenant = (select pawl.current_tenant())
   and x.bucket = (select t.bucket from pawl.tenant t where t.id = pawl.current_tenant());

-- Its short name, where it is ours.
do $$
begin
    if pg_get_viewdef(to_regclass('public.step_logs')) like '%FROM pawl.step_logs%' then
        create or replace view public.step_logs with (security_invoker) as select * from pawl.step_logs;
    end if;
exception when insufficient_privilege then
    raise notice 'public.step_logs could not be changed: use pawl.step_logs';
end
$$;
