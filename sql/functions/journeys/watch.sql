-- needs: functions/journeys/tables
-- needs: functions/journeys/note
-- needs: functions/journeys/redact
-- needs: functions/base/readable

-- Watches a table: each row that a statement inserts, updates or deletes there becomes an event, if a workflow of its
-- tenant wants it. select pawl.watch_table('public.wallet_ledger', operations => '{INSERT}', tenant => 'merchant_id',
-- subject => 'user_id'). The event has the name of the table unless one is given; its key and subject are the column
-- `subject`. tenant: the column with the name or organization of a tenant; without it all rows are of for_tenant, or of
-- the default tenant. Watching again replaces, also by another name that the table has now. TRUNCATE is no change of
-- rows. Name the parent of partitions: what is written to a partition by its own name is not seen. Runs with the
-- caller's rights: for the owner of the schema, who needs TRIGGER on the table.
create or replace function pawl.watch_table(
    source text, operations text[] default '{INSERT,UPDATE,DELETE}', tenant text default null,
    subject text default null, event text default null, for_tenant text default null
) returns int
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_variable
declare
    v_relation regclass := pawl.application_table(source, false);
    v_parts text[] := pawl.table_parts(source);
    v_operations text[] := array(select distinct upper(o.name) from unnest(operations) as o (name) order by 1);
    v_event text := coalesce(event, v_parts[2]);
    v_id int;
begin
    perform pawl.require_columns(v_relation, array[tenant, subject]);
    if v_operations = '{}' or not v_operations <@ array['INSERT', 'UPDATE', 'DELETE'] then
        raise exception 'operations must be some of INSERT, UPDATE and DELETE, not %', operations
            using errcode = 'invalid_parameter_value', hint = 'Like this: ''{INSERT,UPDATE}''.';
    elsif v_event = '' or octet_length(v_event) > 200 or v_event like 'pawl.%' or v_event like 'queue:%' then
        raise exception '% cannot be the name of an event', quote_literal(v_event)
            using errcode = 'invalid_parameter_value',
                  hint = 'Take a name of 1 to 200 bytes that does not begin with pawl. or queue:.';
    elsif subject = any (pawl.unsaid_columns(v_parts[1], v_parts[2])) then
        raise exception 'the column % of % is redacted, and runs keep their subject', quote_literal(subject), v_relation
            using errcode = 'invalid_parameter_value', hint = 'Name the column with the key of the person.';
    elsif tenant is not null and for_tenant is not null then
        raise exception 'give the column tenant or for_tenant, not both' using errcode = 'invalid_parameter_value',
            hint = 'tenant: the column says whose a row is. for_tenant: all rows are of that tenant.';
    elsif not has_table_privilege(v_relation, 'trigger') then
        raise exception 'role % may not watch %', current_user, v_relation using errcode = 'insufficient_privilege',
            hint = format('grant trigger on %s to %I', v_relation, current_user);
    end if;
    perform pawl.follow_watched();
    insert into pawl.watch as w (schema_name, table_name, event, operations, tenant_column, tenant, subject_column,
                                 clash)
    values (v_parts[1], v_parts[2], v_event, v_operations, tenant,
            case when tenant is null then coalesce(nullif(pawl.tenant_number(for_tenant), 0), 1) end, subject,
            exists (select 1 from pg_attribute a
                     where a.attrelid = v_relation and a.attname = any (pawl.event_members()) and not a.attisdropped))
        on conflict on constraint watch_table_unique do update
       set event = excluded.event, operations = excluded.operations, tenant_column = excluded.tenant_column,
           tenant = excluded.tenant, subject_column = excluded.subject_column, clash = excluded.clash
    returning id into v_id;
    perform pawl.put_triggers(v_relation, v_operations, v_id);
    -- The table that had this name before, if the caller may.
    perform pawl.put_triggers(r.relation, '{}', v_id)
       from unnest(pawl.relations_watched(v_id)) as r (relation)
       join pg_class c on c.oid = r.relation
      where r.relation <> v_relation and pg_has_role(c.relowner, 'usage');
    return v_id;
end
$$;

-- The tables that have triggers of a watch, whatever they are called.
create or replace function pawl.relations_watched(p_watch int) returns regclass[]
language sql stable set search_path = pg_catalog
begin atomic
    select coalesce(array_agg(distinct g.tgrelid), '{}')::regclass[]
      from pg_trigger g
      join pg_proc p on p.oid = g.tgfoid and p.pronamespace = 'pawl'::regnamespace
                    and p.proname in ('note_inserts', 'note_changes')
     where g.tgname in ('pawl_watch_insert', 'pawl_watch_update', 'pawl_watch_delete')
       and split_part(encode(g.tgargs, 'escape'), '\000', 1) = p_watch::text;
end;

-- The table of a watch: the one that has its name, or else the one that had it when it was watched.
create or replace function pawl.relation_watched(p_watch pawl.watch) returns regclass
language sql stable set search_path = pg_catalog
begin atomic
    select coalesce(to_regclass(format('%I.%I', (p_watch).schema_name, (p_watch).table_name)),
                    (pawl.relations_watched((p_watch).id))[1]);
end;

-- Gives the watches of tables that were renamed the names of these.
create or replace function pawl.follow_watched() returns void
language sql set search_path = pg_catalog
begin atomic
    update pawl.watch w
       set schema_name = n.nspname, table_name = c.relname
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
     where to_regclass(format('%I.%I', w.schema_name, w.table_name)) is null and c.oid = pawl.relation_watched(w)
       and not exists (select 1 from pawl.watch x where x.schema_name = n.nspname and x.table_name = c.relname);
end;

-- The arguments of pawl.note_inserts and pawl.note_changes: the watch, its event, the tenant or the column that names
-- it, the source, the column of the subject, what every event says, whether the whole row is below `new`, and whether a
-- row of the table may hold what the engine cannot read; then the bucket of the tenant, if all rows have the same, the
-- columns that no event says, and the number of the table's last column.
create or replace function pawl.watch_arguments(p_watch int, p_operation text) returns text
language sql stable
begin atomic
    select format('%L, %L, %L, %L, %L, %L, %L, %L, %L, %L, %L, %L', w.id, w.event, coalesce(w.tenant::text, ''),
                  coalesce(w.tenant_column, ''), w.schema_name || '.' || w.table_name, coalesce(w.subject_column, ''),
                  jsonb_build_object('source', w.table_name, 'operation', p_operation), w.clash, exists (
                      select 1 from pg_attribute a
                       where a.attrelid = pawl.relation_watched(w) and a.attnum > 0
                         and not a.attisdropped and not pawl.is_plain_type(a.atttypid, a.atttypmod)),
                  coalesce((select t.bucket::text from pawl.tenant t where t.id = w.tenant), ''),
                  coalesce(nullif(pawl.unsaid_columns(w.schema_name, w.table_name), '{}')::text, ''),
                  (select c.relnatts from pg_class c where c.oid = pawl.relation_watched(w)))
      from pawl.watch w
     where w.id = p_watch;
end;

-- Gives a table the triggers of a watch, and takes away those that it does not need.
create or replace function pawl.put_triggers(p_relation regclass, p_operations text[], p_watch int) returns void
language plpgsql set search_path = pg_catalog as $$
declare
    v_one record;
begin
    for v_one in
        select o.name, format('pawl_watch_%s', lower(o.name)) as trigger_name, o.tables,
               pawl.watch_arguments(p_watch, o.name) as arguments
          from (values ('INSERT', 'new table as pawl_new'), ('DELETE', 'old table as pawl_old'),
                       ('UPDATE', 'old table as pawl_old new table as pawl_new')) as o (name, tables)
    loop
        if v_one.name = any (p_operations) then
            execute format('create or replace trigger %I after %s on %s referencing %s for each statement'
                           ' execute function pawl.%s(%s)', v_one.trigger_name, v_one.name, p_relation,
                           v_one.tables, case v_one.name when 'INSERT' then 'note_inserts' else 'note_changes' end,
                           v_one.arguments);
        elsif exists (select 1 from pg_trigger g where g.tgrelid = p_relation and g.tgname = v_one.trigger_name) then
            execute format('drop trigger %I on %s', v_one.trigger_name, p_relation);
        end if;
    end loop;
end
$$;

-- Ends what watch_table began, also for a table that is gone, or that has another name now: both names do. True when it
-- was watched.
create or replace function pawl.unwatch_table(source text) returns boolean
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_variable
declare
    v_parts text[] := pawl.table_parts(source);
    v_relation regclass := to_regclass(format('%I.%I', v_parts[1], v_parts[2]));
    v_watch int := (select w.id from pawl.watch w where w.schema_name = v_parts[1] and w.table_name = v_parts[2]);
    v_relations regclass[];
begin
    if v_watch is null then
        v_watch := (select w.id from pawl.watch w where pawl.relation_watched(w) = v_relation order by w.id limit 1);
    end if;
    v_relations := pawl.relations_watched(v_watch);
    perform pawl.put_triggers(r.relation, '{}', 0)
       from (select u.relation from unnest(v_relations) as u (relation)
              union
             select v_relation where v_relation is not null) as r;
    delete from pawl.watch w where w.id = v_watch;
    return found or v_relations <> '{}';
end
$$;

-- Whether the watch of a table sees such changes: a table that was made anew, or restored, has lost its triggers.
create or replace function pawl.watch_sees(p_relation regclass, p_operation text) returns boolean
language sql stable set search_path = pg_catalog
begin atomic
    select exists (select 1 from pg_trigger g
                    where g.tgrelid = p_relation and g.tgname = 'pawl_watch_' || lower(p_operation)
                      and g.tgenabled in ('O', 'A'));
end;

-- The watched tables whose changes may be of a tenant, by name: which workflows of it want them, and what is wrong with
-- the table. Runs as the owner: the list of watches is the operator's.
create or replace function pawl.list_watches(p_tenant int)
returns table (
    source text, event text, operations text[], tenant_column text, subject_column text, workflows text[], problem text
)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.require_tenant(p_tenant);
    return query
    select r.name, w.event, w.operations, w.tenant_column, w.subject_column,
           array(select distinct f.name::text
                   from pawl.watch_wish x
                   join pawl.workflow f on f.id = x.workflow
                  where x.tenant = p_tenant and x.event in (w.event, '*') order by 1),
           case when r.relation is null then 'the table is gone'
                else coalesce((
                    select format('the table has no column %s any more', string_agg(c.name, ', '))
                      from unnest(array[w.tenant_column, w.subject_column]) as c (name)
                     where c.name is not null and not exists (
                               select 1 from pg_attribute a
                                where a.attrelid = r.relation and a.attname = c.name and a.attnum > 0
                                  and not a.attisdropped)
                    having count(*) > 0), (
                    select format('the table has lost its trigger for %s, or it is disabled: watch it again',
                                  string_agg(o.name, ', '))
                      from unnest(w.operations) as o (name)
                     where not pawl.watch_sees(r.relation, o.name)
                    having count(*) > 0)) end
      from pawl.watch w
     cross join lateral (
         select k.relation, coalesce((select format('%I.%I', n.nspname, c.relname)
                                        from pg_class c join pg_namespace n on n.oid = c.relnamespace
                                       where c.oid = k.relation), format('%I.%I', w.schema_name, w.table_name)) as name
           from (select pawl.relation_watched(w) as relation) as k
     ) as r
     where w.tenant is null or w.tenant = p_tenant
     order by r.name collate "C";
end
$$;
