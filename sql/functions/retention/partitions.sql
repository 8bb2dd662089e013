-- The bounds of an attached partition; no row when there is none of that name.
create or replace function pawl.partition_bounds(p_table text, p_name text, out from_id uuid, out until_id uuid)
returns setof record
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
    select substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \(''([0-9a-f-]{36})''\)')::uuid,
           substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([0-9a-f-]{36})''\)')::uuid
      from pg_class c
      join pg_inherits i on i.inhrelid = c.oid
      join pg_class p on p.oid = i.inhparent
     where c.relnamespace = to_regnamespace('pawl') and p.relnamespace = c.relnamespace and p.relname = p_table
       and c.relname = p_name;
end;

-- A table that can become a partition of pawl.event or pawl.run, made beside it: what is attached afterwards locks the
-- parent only against other changes of its partitions, where `create table ... partition of` stops all its users.
create or replace function pawl.make_partition(p_table text, p_name text, p_from uuid, p_until uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    -- The constraint is what spares the attach a look at every row.
    execute format(
        'create table pawl.%1$I (like pawl.%2$I including all,'
        ' constraint bounds_check check (run_id >= %3$L and run_id < %4$L))'
        ' with (autovacuum_vacuum_insert_scale_factor = 0.2)', p_name, p_table, p_from, p_until
    );
end
$$;

-- Attaches a table that make_partition made. Its check spares the scan, and goes afterwards.
create or replace function pawl.attach_partition(p_table text, p_name text, p_from uuid, p_until uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    execute format('alter table pawl.%I attach partition pawl.%I for values from (%L) to (%L)', p_table, p_name, p_from,
                   p_until);
    execute format('alter table pawl.%I drop constraint bounds_check', p_name);
end
$$;

-- One partition a week, from last week to `p_weeks_ahead` weeks ahead. Run ids carry their time,
-- so old weeks are dropped whole. Idempotent; safe when many processes call it at once. Returns
-- how many partitions were made.
create or replace function pawl.ensure_partitions(p_weeks_ahead int default 4) returns int
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '50ms' as $$
declare
    v_week timestamptz;
    v_table text;
    v_name text;
    v_made int := 0;
begin
    if not pawl.try_hold(0, 'partitions') then
        return 0;
    end if;
    for v_week in
        select generate_series(
            date_trunc('week', now() at time zone 'UTC') - interval '1 week',
            date_trunc('week', now() at time zone 'UTC') + p_weeks_ahead * interval '1 week',
            interval '1 week'
        ) at time zone 'UTC'
    loop
        foreach v_table in array array['event', 'run'] loop
            v_name := format('%s_%s', v_table, to_char(v_week at time zone 'UTC', 'YYYYMMDD'));
            continue when to_regclass('pawl.' || v_name) is not null;
            -- Rows of that week may be in the default partition already, written by a clock that ran ahead. They stay
            -- there, and so do the rest of that week: the weeks after it must be made all the same.
            begin
                perform pawl.make_partition(v_table, v_name, pawl.uuid7_bound(v_week),
                                            pawl.uuid7_bound(v_week + interval '1 week'));
                perform pawl.attach_partition(v_table, v_name, pawl.uuid7_bound(v_week),
                                              pawl.uuid7_bound(v_week + interval '1 week'));
                v_made := v_made + 1;
            exception
                when check_violation then
                    raise warning 'pawl.%_default holds rows of the week %: no partition made', v_table, v_week;
                when lock_not_available then
                    -- Made ahead of time: the next call makes it.
                    raise warning 'pawl.%_default is in use: no partition made for the week % yet', v_table, v_week;
            end;
        end loop;
    end loop;
    return v_made;
end
$$;

-- Drops whole weeks that ended before `p_keep` ago and hold no open run. Returns the names of
-- what was dropped.
create or replace function pawl.drop_old_partitions(p_keep interval)
returns setof text
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '100ms' as $_$
declare
    v_week timestamptz;
    v_until uuid;
    v_name text;
    v_table text;
begin
    if not pawl.try_hold(0, 'partitions') then
        return;
    end if;
    for v_week, v_name in
        select to_timestamp(substring(c.relname from '\d{8}$') || '+00', 'YYYYMMDDTZH'),
               substring(c.relname from '\d{8}$')
          from pg_inherits i
          join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'pawl.event'::regclass and c.relname ~ '^event_\d{8}$'
    loop
        v_until := pawl.uuid7_bound(v_week + interval '1 week');
        continue when v_week + interval '1 week' > now() - p_keep;
        continue when exists (
            select 1 from pawl.live_run l where l.run_id >= pawl.uuid7_bound(v_week) and l.run_id < v_until
        );
        foreach v_table in array array['event', 'run'] loop
            execute format('drop table if exists pawl.%I', v_table || '_' || v_name);
            return next v_table || '_' || v_name;
        end loop;
        delete from pawl.correlation c where c.run_id >= pawl.uuid7_bound(v_week) and c.run_id < v_until;
        delete from pawl.dead_letter d where d.run_id >= pawl.uuid7_bound(v_week) and d.run_id < v_until;
        with gone as (
            delete from pawl.human_task t
             where t.run_id >= pawl.uuid7_bound(v_week) and t.run_id < v_until
            returning t.bucket, t.id
        )
        delete from pawl.task_decision d using gone g where d.bucket = g.bucket and d.task = g.id;
    end loop;
end
$_$;

-- Summarises new pages in the BRIN indexes of a table's partitions: in those of p_column, or in all if it is null; in
-- partitions of the weeks since p_since, and in those that hold no single week. Does not wait for locks: the next call
-- summarises what this one passes over. Runs as the owner of the indexes, because PostgreSQL allows no other role to.
create or replace function pawl.summarize_partitions(p_table regclass, p_column name, p_since timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '20ms' as $$
declare
    v_index regclass;
begin
    for v_index in
        select i.indexrelid::regclass
          from pg_inherits h
          join pg_index i on i.indrelid = h.inhrelid
          join pg_class c on c.oid = i.indexrelid
          join pg_am a on a.oid = c.relam
         where h.inhparent = p_table and a.amname = 'brin'
           and (p_column is null
                or exists (select 1 from pg_attribute t where t.attrelid = i.indexrelid and t.attname = p_column))
           and (p_since = '-infinity' or h.inhrelid::regclass::text ~ '(default|kept)$'
                or substring(h.inhrelid::regclass::text from '\d{8}$')
                   between to_char(p_since at time zone 'UTC', 'YYYYMMDD')
                       and to_char(now() at time zone 'UTC', 'YYYYMMDD'))
    loop
        begin
            perform brin_summarize_new_values(v_index);
        exception when lock_not_available then
            null;
        end;
    end loop;
end
$$;
