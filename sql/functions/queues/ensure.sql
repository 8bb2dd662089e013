-- Reads the catalog: a lookup by name raises where the caller may not use the schema, and commits of runs call this.
create or replace function pawl.queue_exists(p_name text) returns boolean
language sql stable set search_path = pg_catalog as $$
    select exists (
        select 1
          from pg_class c
          join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'pgmq' and c.relname = lower('q_' || p_name) and has_schema_privilege(n.oid, 'usage')
           and has_table_privilege(c.oid, 'insert, update, delete')
    )
$$;

-- Which pgmq there is, for `pawl doctor`.
create or replace function pawl.queue_provider(out provider text, out usable boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select coalesce(
               (select 'the extension pgmq ' || e.extversion from pg_extension e where e.extname = 'pgmq'),
               (select case when obj_description(n.oid, 'pg_namespace') like '%made by Pawl' then 'made by Pawl'
                            else 'a schema pgmq not made by Pawl' end
                  from pg_namespace n where n.nspname = 'pgmq'),
               'none'
           ),
           pawl.queue_exists('workflow_queue') and pawl.queue_exists('workflow_dlq')
$$;

-- Makes the queue where that is possible; where it is not, its first sender makes it.
create or replace function pawl.ensure_queue(p_name text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if exists (select 1 from pg_namespace n where n.nspname = 'pgmq') and not pawl.queue_exists(p_name) then
        perform pgmq.create(p_name);
    end if;
exception when others then
    raise warning 'the queue % could not be made: %', p_name, sqlerrm;
end
$$;

-- Partitioned queues of the schema that Pawl made; the extension has pg_partman for that.
create or replace function pawl.keep_queue_partitions() returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if to_regprocedure('pgmq.maintain_partitions()') is not null then
        perform pgmq.maintain_partitions();
    end if;
end
$$;
