-- needs: functions/journeys/many
-- needs: functions/journeys/chain

-- The tenant of this name or organization; null: there is none.
create or replace function pawl.tenant_called(p_name text) returns int
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    return coalesce((select t.id from pawl.tenant t where t.name = p_name),
                    (select t.id from pawl.tenant t where t.organization = pawl.uuid_of(p_name)));
end
$$;

-- Whether a column is called like a member of an event; one may have been added since the table was watched.
create or replace function pawl.has_event_member(p_relation regclass) returns boolean
language sql stable
begin atomic
    select exists (
        select 1 from pg_attribute a
         where a.attrelid = p_relation and a.attname = any (pawl.event_members()) and not a.attisdropped);
end;

-- Whether a workflow of the tenant wants a change.
create or replace function pawl.is_wanted(p_tenant int, p_event text, p_operation text, p_data jsonb) returns boolean
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    return exists (
        select 1 from pawl.watch_wish x
         where x.tenant = p_tenant and x.event in (p_event, '*')
           and (x.operations is null or p_operation = any (x.operations))
           and (x.path is null or jsonb_path_match(p_data, x.path, '{}', true)));
end
$$;

-- Whether a row of a table that had plain columns alone when it was watched has no others now: one may have been added
-- after the last one of then (p_last null: not known), or have become JSON or another kind of number. Planned with the
-- function that asks.
create or replace function pawl.is_still_plain(p_relation oid, p_last text, p_row jsonb) returns boolean
language sql stable
return p_last is not null and has_column_privilege(p_relation, (p_last::int2 + 1)::int2, 'select') is null
       and not jsonb_path_exists(
           p_row, 'strict $.* ? (@.type() == "object" || @.type() == "array" || @ > 1.7976931348623158e308'
                  ' || @ < -1.7976931348623158e308)'
       );

-- Writes those of a few changes down that a workflow wants. p_told: what is told of values that are not in the rows.
create or replace function pawl.note_few_changes(
    p_watch pawl.watch, p_operation text, p_old jsonb[], p_new jsonb[], p_told jsonb[] default null
) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_wanted record;
begin
    v_wanted := pawl.wanted_changes((p_watch).event, (p_watch).tenant, (p_watch).tenant_column, (p_watch).clash,
                                    (p_watch).table_name, p_operation, p_old, p_new, p_told);
    if v_wanted.tenants is not null then
        perform pawl.write_few_changes(p_watch, v_wanted.tenants, v_wanted.data, v_wanted.told,
                                       pawl.checked_chain((p_watch).table_name));
    end if;
end
$$;

-- The same for rows that are inserted.
create or replace function pawl.note_few_inserts(p_watch pawl.watch, p_operation text, p_new jsonb[]) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.note_few_changes(p_watch, p_operation, null, p_new);
end
$$;

-- The trigger function of watched tables for rows that are inserted: writes each down that a workflow wants, in the
-- transaction of the statement, for a matcher to make events of them (pawl.take_changes). Its arguments
-- (pawl.watch_arguments) save a look-up: for a single row, which is what most statements insert, it takes small
-- statements one after the other, since to set up a large one takes longer than to run it. Runs as the owner of the
-- schema, so that the role that changes the table needs no right of its own. Rows of unknown tenants are passed over. A
-- statement never fails because of what it writes: see pawl.said_column and pawl.readable_part.
create or replace function pawl.note_inserts() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set jit = off as $$
declare
    c_few constant int := 50;
    v_watch pawl.watch;
    v_old jsonb[];
    v_new jsonb[];
    v_told jsonb[];
    v_data jsonb;
    v_tenant int;
    v_wishes int;
    v_path jsonpath;
    v_plan record;
    v_any boolean;
begin
    select x.tenant, x.path into v_wishes, v_path
      from pawl.watch_wish x
     where x.event in (tg_argv[1], '*') and (x.operations is null or tg_op = any (x.operations)) limit 1;
    if not found then
        return null;
    end if;
    begin
        v_new := array(select to_jsonb(n.*) from pawl_new n limit c_few + 1);
        v_new := case when pg_column_size(v_new) <= 1048576 then v_new end;
    exception when others then
        v_new := null;
    end;
    if cardinality(v_new) = 1 then
        v_data := v_new[1] || tg_argv[6]::jsonb || case when tg_argv[7] = 't' or v_new[1] ?| pawl.event_members()
                                                        then jsonb_build_object('new', v_new[1]) else '{}' end;
        v_tenant := case tg_argv[2] when '' then pawl.tenant_called(v_data ->> tg_argv[3]) else tg_argv[2]::int end;
        -- The wish that was found is, most often, the only one.
        if (v_wishes is distinct from v_tenant
            or not (v_path is null or coalesce(jsonb_path_match(v_data, v_path, '{}', true), false)))
           and not pawl.is_wanted(v_tenant, tg_argv[1], tg_op, v_data) then
            return null;
        end if;
        insert into pawl.change_batch
            (bucket, tenant, event, prefix, source, subject_column, chain, count, changes, met, plain)
        values (coalesce(nullif(tg_argv[9], '')::smallint, (select o.bucket from pawl.tenant o where o.id = v_tenant)),
                v_tenant, tg_argv[1], 'watch:' || tg_argv[0] || ':', tg_argv[4], nullif(tg_argv[5], ''),
                case when pawl.is_in_effect() then pawl.checked_chain(tg_table_name) end, 1,
                json_build_array(pawl.said_of(v_data, tg_argv[10])),
                pawl.told_alone(v_tenant, tg_argv[1], v_data, tg_argv[10]),
                tg_argv[8] = 'f' and pawl.is_still_plain(tg_relid, tg_argv[11], v_new[1]));
        perform pg_notify('pawl_wake', 'changes');
        return null;
    end if;
    select w.* into v_watch from pawl.watch w where w.id = tg_argv[0]::int;
    v_watch.clash := v_watch.clash or pawl.has_event_member(tg_relid);
    if cardinality(v_new) <= c_few then  -- none, perhaps
        perform pawl.note_few_inserts(v_watch, tg_op, v_new);
        return null;
    end if;
    for v_old, v_new, v_told in execute pawl.parts_sql(tg_relid, tg_op) using v_watch loop
        perform pawl.note_few_changes(v_watch, tg_op, v_old, v_new, v_told);
    end loop;
    if found then
        return null;
    end if;
    v_plan := pawl.begin_many_changes(v_watch, tg_relid, tg_op);
    if v_plan.statement is not null then
        execute v_plan.statement into v_any
          using v_plan.names, v_plan.tenants, v_plan.buckets, v_plan.wants, v_plan.chain;
        perform pawl.end_many_changes(v_watch, v_plan.settings, case when v_any then v_plan.chain end);
    end if;
    return null;
end
$$;

-- The same for rows that are updated or deleted, and for tables that were watched before there was pawl.note_inserts.
-- Its argument is the number of the watch.
create or replace function pawl.note_changes() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan set jit = off as $$
declare
    c_few constant int := 50;
    v_watch pawl.watch;
    v_few boolean;
    v_old jsonb[];
    v_new jsonb[];
    v_told jsonb[];
    v_plan record;
    v_any boolean;
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
    v_watch.clash := v_watch.clash or pawl.has_event_member(tg_relid);
    begin
        if tg_op <> 'DELETE' then
            v_new := array(select to_jsonb(n.*) from pawl_new n limit c_few + 1);
        end if;
        if tg_op <> 'INSERT' then
            v_old := array(select to_jsonb(o.*) from pawl_old o limit c_few + 1);
        end if;
        v_few := coalesce(cardinality(v_new), cardinality(v_old)) <= c_few
                 and coalesce(pg_column_size(v_new), 0) + coalesce(pg_column_size(v_old), 0) <= 1048576;
    exception when others then
        v_few := false;
    end;
    if tg_op = 'UPDATE' then
        perform pawl.refuse_unpaired(tg_relid, (select count(*) from pawl_old), (select count(*) from pawl_new));
    end if;
    if v_few then
        perform pawl.note_few_changes(v_watch, tg_op, v_old, v_new);
        return null;
    end if;
    for v_old, v_new, v_told in execute pawl.parts_sql(tg_relid, tg_op) using v_watch loop
        perform pawl.note_few_changes(v_watch, tg_op, v_old, v_new, v_told);
    end loop;
    if found then
        return null;
    end if;
    v_plan := pawl.begin_many_changes(v_watch, tg_relid, tg_op);
    if v_plan.statement is not null then
        execute v_plan.statement into v_any
          using v_plan.names, v_plan.tenants, v_plan.buckets, v_plan.wants, v_plan.chain;
        perform pawl.end_many_changes(v_watch, v_plan.settings, case when v_any then v_plan.chain end);
    end if;
    return null;
end
$$;

-- Both tables of an UPDATE are written row by row, so the places tell which rows belong together.
create or replace function pawl.refuse_unpaired(p_relation regclass, p_old bigint, p_new bigint) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    if p_old <> p_new then
        raise exception 'the rows of % before and after this UPDATE do not belong together', p_relation
            using errcode = 'triggered_data_change_violation',
                  hint = 'A trigger of a partition drops rows that come to it: let it raise an error instead.';
    end if;
end
$$;

-- Gives settings of this transaction other values, {name, value, ...}; returns those that they had.
create or replace function pawl.exchange_settings(p_settings text[]) returns text[]
language plpgsql set search_path = pg_catalog as $$
declare
    v_before text[] := p_settings;
begin
    for i in 1 .. cardinality(p_settings) / 2 loop
        v_before[2 * i] := current_setting(p_settings[2 * i - 1]);
        perform set_config(p_settings[2 * i - 1], p_settings[2 * i], true);
    end loop;
    return v_before;
end
$$;

-- What a trigger function executes for many changes (pawl.plan_many_changes), with the chain that led to them. From
-- here on the settings of that statement hold; settings: the values from before. The caller executes it, because the
-- tables of its changes are visible in the trigger function alone, and then calls end_many_changes. statement null: no
-- change is wanted.
create or replace function pawl.begin_many_changes(
    p_watch pawl.watch, p_relation regclass, p_operation text,
    out statement text, out names text[], out tenants int[], out buckets smallint[], out wants bigint[],
    out settings text[], out chain text[]
)
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    select p.statement, p.names, p.tenants, p.buckets, p.wants, p.settings
      into statement, names, tenants, buckets, wants, settings
      from pawl.plan_many_changes(p_watch, p_relation, p_operation) as p;
    if statement is not null then
        chain := pawl.change_chain();
        settings := pawl.exchange_settings(settings);
    end if;
end
$$;

-- Gives the settings their values back, and refuses the changes if they go round in a circle. p_chain: null if none of
-- them was wanted.
create or replace function pawl.end_many_changes(p_watch pawl.watch, p_settings text[], p_chain text[]) returns void
language plpgsql set search_path = pg_catalog as $$
begin
    perform pawl.exchange_settings(p_settings);
    perform pawl.refuse_circle(p_chain, (p_watch).table_name);
end
$$;
