-- The condition that a row belongs to the session's tenant; null: rows belong to no tenant, and only the engine sees
-- them.
create or replace function pawl.row_condition(p_table regclass) returns text
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    v_name text := (select c.relname from pg_class c where c.oid = p_table);
    v_columns text[] := array(
        select a.attname from pg_attribute a where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped
    );
begin
    case
        -- Secrets and settings of the service's operators, and queues that hold nothing but numbers.
        when v_name in ('api_key', 'tenant_role', 'worker', 'migration', 'condition_table', 'inbox_pending',
                        'trigger_pending', 'person_source', 'person_redaction', 'action', 'watch', 'member', 'session',
                        'session_ticket', 'wrap_key', 'mark_key') then
            return null;
        when v_name = 'tenant' then
            return 'id = (select pawl.current_tenant())';
        when 'tenant' = any (v_columns) then
            return 'tenant = (select pawl.current_tenant())';
        when array['bucket', 'run_id'] <@ v_columns then
            return format(
                'exists (select 1 from pawl.live_run o where o.bucket = %1$I.bucket and o.run_id = %1$I.run_id'
                ' and o.tenant = (select pawl.current_tenant()))'
                ' or exists (select 1 from pawl.run o where o.bucket = %1$I.bucket and o.run_id = %1$I.run_id'
                ' and o.tenant = (select pawl.current_tenant()))', v_name
            );
        when 'gate' = any (v_columns) then
            -- Begins with the tenant; gates of no tenant are the engine's.
            return 'split_part(gate, ''/'', 1) = (select pawl.current_tenant())::text';
        when 'workflow' = any (v_columns) then
            return format('exists (select 1 from pawl.workflow o where o.id = %I.workflow'
                          ' and o.tenant = (select pawl.current_tenant()))', v_name);
        when array['bucket', 'task'] <@ v_columns then
            return format('exists (select 1 from pawl.human_task o where o.bucket = %1$I.bucket and o.id = %1$I.task'
                          ' and o.tenant = (select pawl.current_tenant()))', v_name);
        else
            return null;
    end case;
end
$$;

-- A policy for a role, made again for another one when the tables have another owner (a restored dump).
create or replace function pawl.secure_policy(p_table regclass, p_name text, p_role text, p_condition text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if not exists (select 1 from pg_policy y where y.polrelid = p_table and y.polname = p_name) then
        execute format('create policy %I on %s to %s using (%s) with check (%s)', p_name, p_table, p_role, p_condition,
                       p_condition);
    elsif p_name = 'owner' and not exists (
        select 1 from pg_policy y
         where y.polrelid = p_table and y.polname = p_name and p_role::regrole::oid = any (y.polroles)
    ) then
        execute format('alter policy %I on %s to %s', p_name, p_table, p_role);
    end if;
end
$$;

-- Row-level security and grants of a table. Only the owner has grants on partitions: they are reached through their
-- parents, whose policies count.
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
    if v_name in ('live_run', 'run', 'event', 'correlation', 'workflow', 'workflow_version', 'tenant', 'message',
                  'funnel_count', 'run_place')
       and to_regrole('pawl_user') is not null then
        -- What pawl.workflow_executions, pawl.messages, pawl.funnel and pawl.people_inside read.
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
