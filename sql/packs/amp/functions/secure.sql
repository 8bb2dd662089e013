-- Roles, policies and grants of journeys: `authenticated` sees one merchant, `service_role` all. Returns what could not
-- be done, and who may do it. Called by pawl.secure().
create or replace function pawl.secure_amp() returns setof text
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    -- What views and functions that run with the caller's rights call.
    c_called constant text[] := '{amp_merchant,amp_claimed_merchant,amp_sees_all,current_tenant,session_role,uuid_of,
        uuid7_time,message_state_name,is_uuid,amp_entry,amp_graph,amp_own_nodes,amp_own_edges,amp_list,
        amp_put_workflow,amp_put_nodes,amp_put_edges}';
    v_role text;
    v_name text;
begin
    foreach v_role in array array['authenticated', 'service_role'] loop
        if to_regrole(v_role) is null then
            begin
                execute format('create role %I nologin', v_role);
            exception
                when duplicate_object or unique_violation then
                    null;
                when insufficient_privilege then
                    return next format('%s may not create roles. Let an administrator run: create role %s nologin',
                                       current_user, v_role);
                    continue;
            end;
        end if;
        execute format('grant usage on schema pawl to %I', v_role);
        execute format('revoke execute on function pawl.amp_check_graph(int, jsonb, jsonb) from %I', v_role);
        foreach v_name in array array['amp_workflow', 'amp_workflow_node', 'amp_workflow_edge', 'amp_workflow_trigger',
                                      'amp_event'] loop
            perform pawl.secure_policy(
                format('pawl.%I', v_name)::regclass, v_role, v_role,
                case v_role when 'authenticated' then 'merchant_id = (select pawl.amp_merchant())' else 'true' end);
            execute format('grant select, insert%s on pawl.%I to %I',
                           case when v_name <> 'amp_event' then ', update, delete' end, v_name, v_role);
        end loop;
        execute (
            select string_agg(format('grant %s on %s to %I', case
                       when c.relname in ('amp_workflow_log', 'amp_graph_check') then 'select, insert'
                       when c.relname like 'v\_amp%' then 'select'
                       else 'select, insert, update, delete' end, c.oid::regclass, v_role), ';')
              from pg_class c
             where c.relkind = 'v' and (
                       c.relnamespace = 'pawl'::regnamespace and c.relname in (
                           'amp_workflows', 'amp_workflow_nodes', 'amp_workflow_edges', 'amp_workflow_triggers',
                           'amp_workflow_log', 'v_amp_workflow_performance', 'v_amp_workflow_action_funnel',
                           'amp_graph_check', 'merchant_credentials')
                       or c.relnamespace = to_regnamespace('public') and pg_get_viewdef(c.oid)
                          ~ 'FROM pawl\.(amp_workflow|v_amp_workflow|merchant_credentials)'));
        execute (
            select string_agg(format('grant execute on function %s to %I', p.oid::regprocedure, v_role), ';')
              from pg_proc p
             where p.pronamespace = 'pawl'::regnamespace
               and (p.proname = any (c_called) or p.proname ~ '^(bff|api|fn)_.*amp_workflow'));
    end loop;
end
$$;
