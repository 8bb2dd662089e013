-- The roles, where they are missing. Says what could not be done, and what to do about it.
create or replace function pawl.secure_roles() returns setof text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_role text;
    v_owner text := (select n.nspowner::regrole::text from pg_namespace n where n.nspname = 'pawl');
begin
    foreach v_role in array array['pawl_worker', 'pawl_api', 'pawl_user'] loop
        continue when to_regrole(v_role) is not null;
        begin
            execute format('create role %I nologin', v_role);
        exception
            -- Roles belong to the whole cluster: another database may be making them at this moment.
            when duplicate_object or unique_violation then
                null;
            when insufficient_privilege then
                return next format('%s may not create roles. Let an administrator run: create role %s nologin',
                                   current_user, v_role);
        end;
    end loop;
    -- The owner, when it serves requests itself, steps down for them.
    if to_regrole('pawl_api') is not null and not pg_has_role(v_owner::regrole::oid, 'pawl_api', 'member') then
        begin
            execute format('grant pawl_api to %s', v_owner);
        exception when insufficient_privilege or unique_violation or internal_error then
            return next format('%s may not grant roles. Let an administrator run: grant pawl_api to %s', current_user,
                               v_owner);
        end;
    end if;
    -- To see how long transactions of others have been open: the feed of events waits for them.
    if to_regrole('pawl_worker') is not null and not pg_has_role('pawl_worker', 'pg_read_all_stats', 'member') then
        begin
            grant pg_read_all_stats to pawl_worker;
        exception when insufficient_privilege or unique_violation or internal_error then
            null;
        end;
    end if;
end
$$;

-- The views that roles of tenants read, by whichever schema they are found in.
create or replace function pawl.views_for_users() returns text[]
language sql immutable parallel safe
return array['workflow_definitions', 'workflow_executions', 'fw_workflow_executions', 'fw_module_settings',
             'workflow_runs', 'workflow_steps', 'step_logs', 'retry_meta', 'messages'];

-- UPDATE or DELETE on a view is the right to lock it, and everything it reads as its owner, in every mode. Roles of
-- tenants get them only where their own rights count (security_invoker), and those are not enough to lock a table.
create or replace function pawl.secure_view(p_view regclass, p_role regrole) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_as_caller boolean := exists (
        select 1
          from pg_class c
         cross join lateral pg_options_to_table(c.reloptions) as o
         where c.oid = p_view and o.option_name = 'security_invoker' and o.option_value::boolean
    );
begin
    execute format('grant select on %s to %s', p_view, p_role);
    if p_role <> 'pawl_user'::regrole or v_as_caller then
        execute format('grant insert, update, delete on %s to %s', p_view, p_role);
    else
        execute format('revoke insert, update, delete on %s from %s', p_view, p_role);
    end if;
end
$$;

-- Grants on the functions of the schema pawl: none to public; all to pawl_worker; to pawl_api those that ask for the
-- tenant or run with the caller's rights; to pawl_user the SQL interface and what its views call. Called by secure().
create or replace function pawl.secure_functions() returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    c_for_users constant text[] := array['start', 'start_many', 'emit', 'signal', 'cancel', 'status', 'result',
                                         'current_tenant', 'session_role', 'is_engine', 'fw_has_org_access',
                                         'fw_enqueue_form_submission_automation', 'fw_claim_queued_executions',
                                         'fw_finish_execution'];
    v_function record;
begin
    for v_function in
        select p.oid::regprocedure as name, p.prosecdef,
               (select s.setting from unnest(p.proconfig) as s (setting) where s.setting like 'search\_path=%') as path,
               p.proname = any (c_for_users) or p.proname like 'execution\_%' or p.provolatile = 'i' as for_users,
               p.prosrc ~ 'pawl\.(require|current|sql|organization)_tenant\(' or p.proname = any (c_for_users) as asks
          from pg_proc p
         where p.pronamespace = 'pawl'::regnamespace and p.prokind = 'f'
    loop
        execute format('revoke execute on function %s from public', v_function.name);
        if v_function.path = 'search_path=pg_catalog' then
            -- Temporary tables and types last: a table pg_class, or a domain "text" whose check is a function of the
            -- caller's, would come first otherwise. Also of those that a function calls which runs as its owner.
            execute format('alter function %s set search_path = pg_catalog, pg_temp', v_function.name);
        end if;
        if to_regrole('pawl_worker') is not null then
            execute format('grant execute on function %s to pawl_worker', v_function.name);
        end if;
        if to_regrole('pawl_api') is not null and (v_function.asks or not v_function.prosecdef) then
            execute format('grant execute on function %s to pawl_api', v_function.name);
        end if;
        if to_regrole('pawl_user') is not null and v_function.for_users then
            execute format('grant execute on function %s to pawl_user', v_function.name);
        end if;
    end loop;
end
$$;

-- Brings roles, row-level security, policies and grants up to date for the tables, functions and views there are, with
-- the short names in public. Returns what is missing and who may do it. Called at the end of every pawl migrate up; may
-- run again.
create or replace function pawl.secure() returns setof text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_role text;
begin
    return query select pawl.secure_roles();
    perform pawl.secure_table(c.oid, c.relowner::regrole)
       from pg_class c
      where c.relnamespace = 'pawl'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      order by c.relname;
    perform pawl.secure_functions();
    foreach v_role in array array['pawl_worker', 'pawl_api', 'pawl_user'] loop
        continue when to_regrole(v_role) is null;
        execute format('grant usage on schema pawl to %I', v_role);
        if v_role <> 'pawl_user' then
            execute format('grant usage on all sequences in schema pawl to %I', v_role);
        end if;
        perform pawl.secure_view(c.oid, v_role::regrole)
           from pg_class c
           join pg_namespace n on n.oid = c.relnamespace
          where c.relkind = 'v' and c.relname = any (pawl.views_for_users())
            and (n.nspname = 'pawl'
                 or n.nspname = 'public' and pg_get_viewdef(c.oid) ~ ('FROM pawl\.' || c.relname || '\M'));
    end loop;
    return query select pawl.secure_amp();
end
$$;
