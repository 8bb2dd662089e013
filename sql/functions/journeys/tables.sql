-- needs: functions/sql_steps/conditions

-- A table that people name for journeys: a table or partitioned table (a view too where p_views) that the owner of the
-- schema pawl may read. Says what is wrong with it, and what to do.
create or replace function pawl.application_table(p_table text, p_views boolean) returns regclass
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_parts text[] := pawl.table_parts(p_table);
    v_relation regclass := to_regclass(format('%I.%I', v_parts[1], v_parts[2]));
    v_kind "char" := (select c.relkind from pg_class c where c.oid = v_relation);
    v_owner regrole := (select n.nspowner from pg_namespace n where n.nspname = 'pawl');
begin
    if v_relation is null then
        raise exception 'there is no table %.%', v_parts[1], v_parts[2] using errcode = 'undefined_table',
            hint = 'Write its name with its schema, as it is spelled in the database: sales.customers.';
    elsif v_kind not in ('r', 'p') and not (p_views and v_kind in ('v', 'm', 'f')) then
        raise exception '%.% is not a table', v_parts[1], v_parts[2] using errcode = 'wrong_object_type',
            hint = case when v_kind in ('v', 'm') then 'Name the table that the view reads.'
                        else 'Name an ordinary or a partitioned table.' end;
    elsif v_parts[1] = 'pawl' then
        raise exception '%.% is the engine''s own', v_parts[1], v_parts[2] using errcode = 'reserved_name',
            hint = 'Name a table of the application.';
    elsif not has_table_privilege(v_owner, v_relation, 'select') then
        raise exception 'role % may not read %.%', v_owner, v_parts[1], v_parts[2]
            using errcode = 'insufficient_privilege',
                  hint = format('grant usage on schema %I to %s; grant select on %s to %s', v_parts[1], v_owner,
                                v_relation, v_owner);
    end if;
    return v_relation;
end
$$;

-- Refuses columns that a table does not have; nulls are passed over.
create or replace function pawl.require_columns(p_relation regclass, p_columns text[]) returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_missing text;
    v_there text;
begin
    select string_agg(quote_literal(c.name), ', ' order by c.name) into v_missing
      from (select distinct u.name from unnest(p_columns) as u (name)) as c
     where c.name is not null and not exists (
               select 1 from pg_attribute a
                where a.attrelid = p_relation and a.attname = c.name and a.attnum > 0 and not a.attisdropped
           );
    if v_missing is null then
        return;
    end if;
    select string_agg(a.attname, ', ' order by a.attnum) into v_there
      from pg_attribute a
     where a.attrelid = p_relation and a.attnum > 0 and not a.attisdropped;
    raise exception 'the table % has no column %', p_relation, v_missing using errcode = 'undefined_column',
        hint = format('It has %s.', left(v_there, 500));
end
$$;
