-- The short names of the views, where they are free: an application may have tables of the same name.
-- needs: views/outbox_events
-- needs: views/runs
-- needs: views/steps
-- needs: views/workflow_definitions
-- needs: views/workflow_executions

do $$
declare
    v_view record;
begin
    for v_view in
        select v.name, v.options, to_regclass('public.' || v.name) as taken
          from (values ('workflow_definitions', ''),
                       ('workflow_executions', 'with (security_invoker)'),
                       ('workflow_runs', 'with (security_invoker)'),
                       ('workflow_steps', 'with (security_invoker)'),
                       ('step_logs', 'with (security_invoker)'),
                       ('retry_meta', 'with (security_invoker)'),
                       ('outbox_events', 'with (security_invoker)')) as v (name, options)
    loop
        begin
            if v_view.taken is not null
               and coalesce(pg_get_viewdef(v_view.taken), '') !~ ('FROM pawl\.' || v_view.name || '\M') then
                raise notice 'public.% exists already: use pawl.%', v_view.name, v_view.name;
            else
                execute format('create or replace view public.%1$I %2$s as select * from pawl.%1$I', v_view.name,
                               v_view.options);
            end if;
        exception when insufficient_privilege or invalid_schema_name then
            raise notice 'public.% could not be made: use pawl.%', v_view.name, v_view.name;
        end;
    end loop;
end
$$;
