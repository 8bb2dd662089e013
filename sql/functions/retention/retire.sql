-- needs: functions/retention/partitions

-- Whether a transaction that has been open for long uses a table: to ask for its lock would stop others in vain.
create or replace function pawl.in_use(p_table text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return exists (
    select 1
      from pg_locks l
      join pg_stat_activity a on a.pid = l.pid
     where l.relation = to_regclass('pawl.' || p_table) and l.granted and l.pid <> pg_backend_pid()
       and l.database = (select d.oid from pg_database d where d.datname = current_database())
       and a.xact_start < clock_timestamp() - interval '500 ms'
);

-- What a step on a table works with: the partition of the week, that of the runs carried over before, when the week
-- follows it at once, and the bounds of both together. No row when that week has gone already.
create or replace function pawl.retiring(
    p_table text, p_week timestamptz, out leaf text, out kept text, out from_id uuid, out until_id uuid
)
returns setof record
language sql stable set search_path = pg_catalog, pg_temp
begin atomic
    select w.name, case when k.until_id = b.from_id then p_table || '_kept' end,
           case when k.until_id = b.from_id then k.from_id else b.from_id end, b.until_id
      from (select p_table || '_' || to_char(p_week at time zone 'UTC', 'YYYYMMDD') as name) as w
     cross join lateral pawl.partition_bounds(p_table, w.name) as b
      left join lateral pawl.partition_bounds(p_table, p_table || '_kept') as k on true;
end;

-- The first step of retiring a week: makes the table that takes what is kept (..._keeping), and from then on notes
-- every change of the partition's rows (note_late). May be done again.
create or replace function pawl.watch_retiring(p_table text, p_week timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    v_part record;
    v_name text;
begin
    select * into v_part from pawl.retiring(p_table, p_week);
    if v_part.kept is null and to_regclass(format('pawl.%I', p_table || '_kept')) is not null then
        -- Weeks in between were never made: it stays as it is, under another name.
        execute format('alter table pawl.%I rename to %I', p_table || '_kept', p_table || '_kept_' || to_char(
            pawl.uuid7_time((select b.from_id from pawl.partition_bounds(p_table, p_table || '_kept') b))
            at time zone 'UTC', 'YYYYMMDD'));
    end if;
    execute format('drop table if exists pawl.%I', p_table || '_keeping');
    perform pawl.make_partition(p_table, p_table || '_keeping', v_part.from_id, v_part.until_id);
    delete from pawl.retention_late l where l.parent = p_table;
    -- From here on every change of a row is noted.
    foreach v_name in array array_remove(array[v_part.leaf, v_part.kept], null) loop
        execute format('drop trigger if exists note_late on pawl.%I', v_name);
        execute format(
            'create trigger note_late after insert or update or delete on pawl.%I'
            ' for each row execute function pawl.note_late(%L)', v_name, p_table
        );
    end loop;
end
$$;

-- Trigger on the partition of a week that is retired: notes runs whose rows change while others are copied.
create or replace function pawl.note_late() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if tg_op <> 'INSERT' then
        insert into pawl.retention_late (parent, of_bucket, run) values (tg_argv[0], old.bucket, old.run_id);
    else
        insert into pawl.retention_late (parent, of_bucket, run) values (tg_argv[0], new.bucket, new.run_id);
    end if;
    return null;
end
$$;

-- Under the lock: what changed meanwhile is copied anew, the week goes, and what was carried over takes its place.
create or replace function pawl.swap_retiring(p_table text, p_week timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_hashjoin = off
set enable_mergejoin = off set jit = off as $$
declare
    v_part record;
    v_name text;
    v_keeps boolean;
begin
    execute format('lock table only pawl.%I in access exclusive mode', p_table);
    select * into v_part from pawl.retiring(p_table, p_week);
    execute format(
        'delete from pawl.%1$I k'
        ' using (select distinct l.of_bucket, l.run from pawl.retention_late l where l.parent = $1) as l'
        ' where k.bucket = l.of_bucket and k.run_id = l.run', p_table || '_keeping'
    ) using p_table;
    execute format(
        'insert into pawl.%1$I select x.*'
        '  from (select distinct l.of_bucket, l.run from pawl.retention_late l where l.parent = $1) as l'
        ' cross join lateral ('
        '     select * from pawl.%2$I r where r.bucket = l.of_bucket and r.run_id = l.run offset 0) as x',
        p_table || '_keeping', p_table
    ) using p_table;
    execute format('select exists (select 1 from pawl.%I)', p_table || '_keeping') into v_keeps;
    -- An open run writes here when it closes.
    v_keeps := v_keeps or exists (
        select 1
          from (select distinct t.bucket from pawl.tenant t) as b
         cross join lateral (
             select 1
               from pawl.live_run l
              where l.bucket = b.bucket and l.run_id >= v_part.from_id and l.run_id < v_part.until_id
              limit 1
         ) as l
    );
    foreach v_name in array array_remove(array[v_part.leaf, v_part.kept], null) loop
        execute format('alter table pawl.%I detach partition pawl.%I', p_table, v_name);
        execute format('alter table pawl.%I rename to %I', v_name,
                       p_table || '_gone_' || coalesce(substring(v_name from '\d{8}$'), 'kept'));
    end loop;
    if v_keeps then
        perform pawl.attach_partition(p_table, p_table || '_keeping', v_part.from_id, v_part.until_id);
        execute format('alter table pawl.%I rename to %I', p_table || '_keeping', p_table || '_kept');
    else
        execute format('drop table pawl.%I', p_table || '_keeping');
    end if;
    delete from pawl.retention_late l where l.parent = p_table;
end
$$;
