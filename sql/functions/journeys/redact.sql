-- needs: functions/journeys/tables
-- needs: functions/journeys/predicates

-- Says which columns of people (or attributes, where Pawl keeps them) are redacted: select pawl.redact('{birthday}').
-- Their values can be used by messages and conditions alone, and never reach a log, an event, an error, a trace or the
-- API. for_tenant: of that tenant alone; null: of every tenant. Replaces what was said before for the same; '{}' takes
-- it away. Returns how many columns are redacted for the tenant then. Runs with the caller's rights: for the owner of
-- the schema.
create or replace function pawl.redact(columns text[], for_tenant text default null) returns int
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_variable
declare
    v_tenant int := pawl.tenant_number(for_tenant);
    v_columns text[] := array(
        select distinct u.name from unnest(columns) as u (name) where u.name is not null order by 1
    );
    v_source pawl.person_source;
    v_ours constant text[] := array['id', 'key', 'locale', 'timezone', 'addresses'];
begin
    if columns is null or v_columns && v_ours or '' = any (v_columns) then
        raise exception 'columns must name what is known of people, but for %: not %',
            array_to_string(v_ours, ', '), columns
            using errcode = 'invalid_parameter_value', hint = 'Like this: ''{birthday, income}''; ''{}'' for none.';
    end if;
    for v_source in
        select s.* from pawl.person_source s where v_tenant in (s.tenant, 0) or s.tenant = 0 and not exists (
            select 1 from pawl.person_source x where x.tenant = v_tenant)
    loop
        if v_tenant in (v_source.tenant, 0) then
            perform pawl.require_columns(pawl.source_table(v_source), v_columns);
        end if;
        perform pawl.refuse_redacted(v_source, v_columns);
    end loop;
    if v_columns = '{}' then
        delete from pawl.person_redaction r where r.tenant = v_tenant;
    else
        insert into pawl.person_redaction as r (tenant, columns) values (v_tenant, v_columns)
            on conflict on constraint person_redaction_pk do update
           set columns = excluded.columns, updated_at = now();
    end if;
    perform pawl.put_watches_again();
    return cardinality(pawl.columns_redacted(v_tenant));
end
$$;

-- Refuses a source of people that needs a column which is redacted: a message keeps the address that it went to, and a
-- log the key of the person. Called by redact and set_person_source.
create or replace function pawl.refuse_redacted(p_source pawl.person_source, p_columns text[]) returns void
language plpgsql stable set search_path = pg_catalog as $$
declare
    v_needed text := (
        select u.name
          from unnest(array[(p_source).key_column, (p_source).tenant_column, (p_source).locale_column,
                            (p_source).timezone_column]
                      || array(select a.value from jsonb_each_text((p_source).address) as a)
                      || array(select w.subject_column from pawl.watch w
                                where w.schema_name = (p_source).schema_name and w.table_name = (p_source).table_name)
                     ) as u (name)
         where u.name = any (p_columns)
         limit 1
    );
begin
    if v_needed is not null then
        raise exception 'the column % of %.% cannot be redacted', quote_literal(v_needed), (p_source).schema_name,
            (p_source).table_name using errcode = 'invalid_parameter_value',
            hint = 'It is the key, the tenant, an address, the language or the time zone of a person, or the subject of'
                   ' the watch of the table: runs and messages keep these.';
    end if;
end
$$;

-- The columns that are redacted for a tenant; 0: for every tenant. The engine's own.
create or replace function pawl.columns_redacted(p_tenant int) returns text[]
language sql stable
begin atomic
    select coalesce(array_agg(distinct c.name order by c.name), '{}')
      from pawl.person_redaction r
     cross join lateral unnest(r.columns) as c (name)
     where r.tenant in (p_tenant, 0);
end;

-- The same for a request on behalf of the tenant.
create or replace function pawl.redacted_columns(p_tenant int) returns text[]
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform pawl.require_tenant(p_tenant);
    return pawl.columns_redacted(p_tenant);
end
$$;

-- What is known of a person, to be shown: what is redacted is there, and its value is not.
create or replace function pawl.hide_columns(p_known jsonb, p_columns text[]) returns jsonb
language sql immutable parallel safe
return p_known || coalesce((
    select jsonb_object_agg(c.name, '(secret)'::text) from unnest(p_columns) as c (name) where p_known ? c.name
), '{}');

-- The same for what pawl.read_persons gives, which says itself what is redacted.
create or replace function pawl.hide_redacted(p_person jsonb) returns jsonb
language sql immutable parallel safe
return case when p_person ? 'pawl.redacted'
            then pawl.hide_columns(p_person - 'pawl.redacted',
                                   array(select jsonb_array_elements_text(p_person -> 'pawl.redacted')))
            else p_person end;

-- What is kept of a person who is written again: the values of redacted columns that the writer leaves out, or gives
-- back as it was shown them.
create or replace function pawl.keep_redacted(p_before jsonb, p_written jsonb, p_columns text[]) returns jsonb
language sql immutable parallel safe
return p_written || coalesce((
    select jsonb_object_agg(c.name, p_before -> c.name)
      from unnest(p_columns) as c (name)
     where p_before ? c.name and (not p_written ? c.name or p_written -> c.name = '"(secret)"')
), '{}');

-- The columns of a table that changes of it do not say: what is redacted of people, where they are in this table.
create or replace function pawl.unsaid_columns(p_schema text, p_table text) returns text[]
language sql stable
begin atomic
    select coalesce(array_agg(distinct c.name order by c.name), '{}')
      from pawl.person_redaction r
     cross join lateral unnest(r.columns) as c (name)
     where exists (select 1 from pawl.person_source s where s.schema_name = p_schema and s.table_name = p_table);
end;

-- What an event says about a change, without some columns of the row.
create or replace function pawl.without_columns(p_change jsonb, p_columns text[]) returns jsonb
language sql immutable parallel safe
return p_change - array(select c.name from unnest(p_columns) as c (name) where c.name <> all (pawl.event_members()))
    || case when jsonb_typeof(p_change -> 'old') = 'object'
            then jsonb_build_object('old', (p_change -> 'old') - p_columns) else '{}' end
    || case when jsonb_typeof(p_change -> 'new') = 'object'
            then jsonb_build_object('new', (p_change -> 'new') - p_columns) else '{}' end;

-- The same, with the columns as a trigger has them: as text, which may be empty.
create or replace function pawl.said_of(p_change jsonb, p_unsaid text) returns jsonb
language sql stable parallel safe
return case when p_unsaid <> '' then pawl.without_columns(p_change, p_unsaid::text[]) else p_change end;

-- Gives each watched table the triggers that it needs now. Called when sources or redacted columns were changed.
create or replace function pawl.put_watches_again() returns void
language plpgsql set search_path = pg_catalog as $$
begin
    perform pawl.follow_watched();
    perform pawl.put_triggers(r.relation, w.operations, w.id)
       from pawl.watch w
      cross join lateral (select pawl.relation_watched(w) as relation) as r
      where r.relation is not null and has_table_privilege(r.relation, 'trigger');
end
$$;
