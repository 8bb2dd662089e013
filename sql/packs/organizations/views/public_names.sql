-- The short names of what organizations use, where they are free. They do what those of pawl do, with the rights of
-- the caller.
-- needs: packs/organizations/functions/executions
-- needs: packs/organizations/functions/forms
-- needs: packs/organizations/functions/tenants
-- needs: packs/organizations/views/fw

do $$
declare
    v_view text;
    v_call record;
begin
    foreach v_view in array array['fw_workflow_executions', 'fw_module_settings'] loop
        begin
            if to_regclass('public.' || v_view) is not null
               and coalesce(pg_get_viewdef(to_regclass('public.' || v_view)), '')
                   !~ ('FROM pawl\.' || v_view || '\M') then
                raise notice 'public.% exists already: use pawl.%', v_view, v_view;
            else
                execute format('create or replace view public.%1$I as select * from pawl.%1$I', v_view);
            end if;
        exception when insufficient_privilege or invalid_schema_name then
            raise notice 'public.% could not be made: use pawl.%', v_view, v_view;
        end;
    end loop;
    for v_call in
        select p.proname as name, pg_get_function_arguments(p.oid) as parameters,
               pg_get_function_result(p.oid) as result,
               (select string_agg(quote_ident(a.name), ', ' order by a.n)
                  from unnest(p.proargnames) with ordinality as a (name, n) where a.n <= p.pronargs) as arguments,
               case p.provolatile when 's' then 'stable' else 'volatile' end as volatility
          from pg_proc p
         where p.pronamespace = 'pawl'::regnamespace
           and p.proname in ('fw_has_org_access', 'fw_enqueue_form_submission_automation',
                             'fw_claim_queued_executions', 'fw_finish_execution')
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
