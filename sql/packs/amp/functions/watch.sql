-- needs: functions/journeys/watch

-- The column of a table that says whose a row is: user_id; in the table of the people their key. Null: none does.
create or replace function pawl.amp_person_column(p_relation regclass) returns text
language sql stable set search_path = pg_catalog
begin atomic
    select a.attname
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pawl.person_source s on s.schema_name = n.nspname and s.table_name = c.relname
     where c.oid = p_relation
       and (a.attname = 'user_id' or a.attname = s.key_column or c.relname = 'user_accounts' and a.attname = 'id')
     order by a.attname = 'user_id' desc, a.attname = s.key_column desc nulls last
     limit 1;
end;

-- Watches the table of a trigger, so that its changes start runs. Does nothing when the table is watched, when it has
-- no column that says whose a row is, and when the caller may not read it or the owner of Pawl may not watch it: then
-- an administrator does it, with pawl.watch_table or with a trigger that executes fn_dispatch_amp_workflow_event.
create or replace function pawl.amp_watch(p_table text, p_operation text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_parts text[] := pawl.table_parts(p_table);
    v_source text := format('%I.%I', v_parts[1], v_parts[2]);
    v_relation regclass := to_regclass(v_source);
    v_person text := pawl.amp_person_column(v_relation);
    v_watch pawl.watch;
begin
    select w.* into v_watch from pawl.watch w where w.schema_name = v_parts[1] and w.table_name = v_parts[2];
    if v_relation is null
       or v_watch.id is not null and p_operation = any (v_watch.operations) and pawl.watch_sees(v_relation, p_operation)
       or pawl.amp_dispatches(v_relation, p_operation) then
        return;
    elsif v_parts[1] = 'pawl' or v_person is null
          or not exists (select 1 from pg_attribute a where a.attrelid = v_relation and a.attname = 'merchant_id'
                                                        and not a.attisdropped)
          or (select c.relkind not in ('r', 'p') from pg_class c where c.oid = v_relation)
          or not has_table_privilege(pawl.session_role(), v_relation, 'select')
          or not has_table_privilege(v_relation, 'select') or not has_table_privilege(v_relation, 'trigger') then
        raise notice 'changes of % start no runs before an administrator watches it: select pawl.watch_table(%, ...)',
            v_source, quote_literal(v_source);
        return;
    end if;
    perform pawl.watch_table(
        v_source, v_watch.operations || p_operation,
        tenant => case when v_watch.id is null then 'merchant_id' else v_watch.tenant_column end,
        subject => case when v_watch.id is null then v_person else v_watch.subject_column end,
        event => v_watch.event,
        for_tenant => (select t.name from pawl.tenant t where t.id = v_watch.tenant));
end
$$;

-- Whether a table has a trigger of its own that makes events of its rows (fn_dispatch_amp_workflow_event).
create or replace function pawl.amp_dispatches(p_relation regclass, p_operation text) returns boolean
language sql stable set search_path = pg_catalog
begin atomic
    select exists (
        select 1
          from pg_trigger g
          join pg_proc p on p.oid = g.tgfoid
         where g.tgrelid = p_relation and not g.tgisinternal and g.tgenabled <> 'D'
           and p.proname = 'fn_dispatch_amp_workflow_event'
           and g.tgtype & case p_operation when 'INSERT' then 4 when 'DELETE' then 8 else 16 end <> 0);
end;

-- Makes an event of a row that was inserted, updated or deleted, if a workflow of its merchant wants it; in the
-- transaction of the change. Changes of watched tables are seen by their watch already. A row of a partition is one of
-- its table, by whose name workflows know it.
create or replace function pawl.amp_dispatch(p_relation regclass, p_operation text, p_old jsonb, p_new jsonb)
returns void
language plpgsql set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set jit = off as $$
declare
    v_table regclass := coalesce(pg_partition_root(p_relation), p_relation);
    v_watch pawl.watch;
    v_tenant int[];
    v_data jsonb[];
    v_told jsonb[];
    v_chain text[];
begin
    select n.nspname, c.relname, c.relname into v_watch.schema_name, v_watch.table_name, v_watch.event
      from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = v_table;
    if exists (select 1 from pawl.watch w
                where w.schema_name = v_watch.schema_name and w.table_name = v_watch.table_name
                  and p_operation = any (w.operations)) and pawl.watch_sees(v_table, p_operation) then
        return;
    elsif not coalesce(p_new, p_old) ? 'merchant_id' then
        raise exception 'the table % has no column merchant_id', p_relation using errcode = 'undefined_column',
            hint = 'fn_dispatch_amp_workflow_event is for tables whose rows say which merchant they are of.';
    end if;
    v_watch.id := 0;
    v_watch.tenant_column := 'merchant_id';
    v_watch.subject_column := pawl.amp_person_column(v_table);
    v_watch.clash := coalesce(p_new, p_old) ?| pawl.event_members();
    select w.tenants, w.data, w.told into v_tenant, v_data, v_told
      from pawl.wanted_changes(
          v_watch.event, v_watch.tenant, v_watch.tenant_column, v_watch.clash, v_watch.table_name, p_operation,
          case when p_old is not null then array[p_old] end,
          case when p_new is not null then array[p_new] end, null) as w;
    if v_tenant is not null then
        v_chain := pawl.change_chain();
        perform pawl.refuse_circle(v_chain, v_watch.table_name);
        perform pawl.write_few_changes(v_watch, v_tenant, v_data, v_told, v_chain);
    end if;
end
$$;
