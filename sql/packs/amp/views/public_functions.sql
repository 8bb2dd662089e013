-- Functions in the schema public that applications name in policies and triggers. Those of the application stay.
-- needs: packs/amp/functions/merchants
-- needs: packs/amp/functions/watch

do $do$
begin
    if exists (select 1 from pg_proc p
                where p.oid = to_regprocedure('public.get_current_merchant_id()')
                  and p.prosrc not like '%pawl.amp_claimed_merchant%') then
        raise notice 'public.get_current_merchant_id exists already, and says which merchant a session is for';
    else
        create or replace function public.get_current_merchant_id() returns uuid
        language sql stable as 'select pawl.amp_claimed_merchant()';
    end if;
    if exists (select 1 from pg_proc p
                where p.oid = to_regprocedure('public.fn_dispatch_amp_workflow_event()')
                  and p.prosrc not like '%pawl.amp_dispatch%') then
        raise notice 'public.fn_dispatch_amp_workflow_event exists already: use pawl.watch_table';
        return;
    end if;
    -- For tables whose owner cannot have them watched: for each row, after it was written.
    create or replace function public.fn_dispatch_amp_workflow_event() returns trigger
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
    declare
        v_old jsonb;
        v_new jsonb;
    begin
        begin
            v_old := case when tg_op <> 'INSERT' then to_jsonb(old) end;
            v_new := case when tg_op <> 'DELETE' then to_jsonb(new) end;
        exception when others then
            v_old := case when tg_op <> 'INSERT' then pawl.kept_row(row_to_json(old)) end;
            v_new := case when tg_op <> 'DELETE' then pawl.kept_row(row_to_json(new)) end;
        end;
        perform pawl.amp_dispatch(tg_relid, tg_op, v_old, v_new);
        return coalesce(new, old);
    end
    $$;
    -- A trigger on a table of one's own would make events of any merchant.
    revoke execute on function public.fn_dispatch_amp_workflow_event() from public;
exception when insufficient_privilege or invalid_schema_name then
    raise notice 'functions in the schema public could not be made: use pawl.watch_table';
end
$do$;
