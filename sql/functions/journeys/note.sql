-- needs: functions/journeys/many
-- needs: functions/journeys/chain

-- The trigger function of watched tables: writes an event for each row of the statement that a workflow wants, in the
-- transaction of the statement. Its argument is the number of the watch. Runs as the owner of the schema, so that the
-- role that changes the table needs no right of its own. Rows of unknown tenants are passed over.
create or replace function pawl.note_changes() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set jit = off as $$
declare
    c_few constant int := 50;
    v_watch pawl.watch;
    v_old jsonb[];
    v_new jsonb[];
    v_data jsonb[];
    v_plan record;
    v_chain text[];
    v_bucket smallint[];
    v_tenant int[];
    v_id bigint[];
begin
    select w.* into v_watch
      from pawl.watch w
     where w.id = tg_argv[0]::int
       and exists (
               select 1 from pawl.watch_wish x
                where x.event in (w.event, '*') and (x.operations is null or tg_op = any (x.operations))
           );
    if not found then
        return null;
    end if;
    if tg_op = 'INSERT' then
        v_new := array(select to_jsonb(n.*) from pawl_new n limit c_few + 1);
    elsif tg_op = 'DELETE' then
        v_old := array(select to_jsonb(o.*) from pawl_old o limit c_few + 1);
    else
        v_old := array(select to_jsonb(o.*) from pawl_old o limit c_few + 1);
        v_new := array(select to_jsonb(n.*) from pawl_new n limit c_few + 1);
        -- Both are written row by row, so the places tell which belong together.
        if cardinality(v_old) <> cardinality(v_new)
           or cardinality(v_new) > c_few and (select count(*) from pawl_old) <> (select count(*) from pawl_new) then
            raise exception 'the rows of % before and after this UPDATE do not belong together', tg_relid::regclass
                using errcode = 'triggered_data_change_violation',
                      hint = 'A trigger of a partition drops rows that come to it: let it raise an error instead.';
        end if;
    end if;
    if coalesce(cardinality(v_new), cardinality(v_old)) <= c_few then
        select w.tenants, w.data into v_tenant, v_data
          from pawl.wanted_changes(v_watch, tg_op, v_old, v_new) as w;
        if v_tenant is not null then
            if exists (select 1 from pawl.sql_effect e where e.begun_in = pg_current_xact_id()) then
                v_chain := pawl.change_chain();
                perform pawl.refuse_circle(v_chain, v_watch.table_name);
            end if;
            perform pawl.write_few_changes(v_watch, v_tenant, v_data, v_chain);
        end if;
        return null;
    end if;
    v_plan := pawl.plan_many_changes(v_watch, tg_relid, tg_op);
    if v_plan.statement is null then
        return null;
    end if;
    v_chain := pawl.change_chain();
    execute v_plan.statement into v_bucket, v_tenant, v_id
      using v_plan.names, v_plan.tenants, v_plan.buckets, v_plan.wants, v_chain;
    if v_id is not null then
        perform pawl.refuse_circle(v_chain, v_watch.table_name);
        perform pawl.pend_changes(v_watch.event, v_bucket, v_tenant, v_id);
    end if;
    return null;
end
$$;
