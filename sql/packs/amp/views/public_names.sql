-- The names that the merchant's programs know, in the schema public, where they are free: an application may have
-- tables of the same name. They do what those of pawl do, with the rights of the caller.
-- needs: packs/amp/functions/api
-- needs: packs/amp/views/analytics
-- needs: packs/amp/views/credentials
-- needs: packs/amp/views/tables

do $$
declare
    v_view record;
    v_call record;
begin
    for v_view in
        select v.name, v.source, to_regclass('public.' || v.name) as taken
          from (values ('amp_workflow', 'amp_workflows'), ('amp_workflow_node', 'amp_workflow_nodes'),
                       ('amp_workflow_edge', 'amp_workflow_edges'), ('amp_workflow_trigger', 'amp_workflow_triggers'),
                       ('amp_workflow_log', 'amp_workflow_log'),
                       ('v_amp_workflow_performance', 'v_amp_workflow_performance'),
                       ('v_amp_workflow_action_funnel', 'v_amp_workflow_action_funnel'),
                       ('merchant_credentials', 'merchant_credentials')) as v (name, source)
    loop
        begin
            if v_view.taken is not null
               and coalesce(pg_get_viewdef(v_view.taken), '') !~ ('FROM pawl\.' || v_view.source || '\M') then
                raise notice 'public.% exists already: use pawl.%', v_view.name, v_view.source;
            else
                execute format('create or replace view public.%I with (security_invoker) as select * from pawl.%I',
                               v_view.name, v_view.source);
            end if;
        exception when insufficient_privilege or invalid_schema_name then
            raise notice 'public.% could not be made: use pawl.%', v_view.name, v_view.source;
        end;
    end loop;
    for v_call in
        select p.proname as name, p.oid, pg_get_function_arguments(p.oid) as parameters,
               pg_get_function_result(p.oid) as result,
               (select string_agg(quote_ident(a.name), ', ' order by a.n)
                  from unnest(p.proargnames) with ordinality as a (name, n) where a.n <= p.pronargs) as arguments,
               case p.provolatile when 's' then 'stable' else 'volatile' end as volatility
          from pg_proc p
         where p.pronamespace = 'pawl'::regnamespace and p.prorettype <> 'trigger'::regtype
           and p.proname ~ '^(bff|api|fn)_.*amp_workflow'
         order by p.proname
    loop
        begin
            if exists (select 1 from pg_proc f join pg_namespace n on n.oid = f.pronamespace
                        where n.nspname = 'public' and f.proname = v_call.name
                          and f.prosrc not like 'select * from pawl.' || v_call.name || '(%') then
                raise notice 'public.% exists already: use pawl.%', v_call.name, v_call.name;
            else
                execute format('create or replace function public.%1$I(%2$s) returns %3$s language sql %4$s as %5$L',
                               v_call.name, v_call.parameters, v_call.result, v_call.volatility,
                               format('select * from pawl.%I(%s)', v_call.name, v_call.arguments));
            end if;
        exception when insufficient_privilege or invalid_schema_name then
            raise notice 'public.% could not be made: use pawl.%', v_call.name, v_call.name;
        end;
    end loop;
end
$$;
