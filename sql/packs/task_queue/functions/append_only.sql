-- Trigger of append-only tables: refuses update, delete and truncate. As a statement trigger it also refuses what would
-- touch no row, also for superusers.
create or replace function internal.refuse_change() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    raise exception '%.% is append-only: % is not allowed', tg_table_schema, tg_table_name, tg_op
          using errcode = 'integrity_constraint_violation', hint = 'Record another fact that says what changed.';
end
$$;

-- Makes a table append-only, for its owner and for superusers too.
create or replace function internal.make_append_only(p_table regclass) returns void
language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    execute format('create or replace trigger append_only before update or delete or truncate on %s '
                   'for each statement execute function internal.refuse_change()', p_table);
    execute format('alter table %s enable always trigger append_only', p_table);
end
$$;

revoke execute on function
       internal.refuse_change, internal.make_append_only
  from public;

select internal.make_append_only('queues.error');
