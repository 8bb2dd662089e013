-- Weeks beyond the retention go one by one, each in a few milliseconds under a lock that is waited for but briefly;
-- runs of such a week that are still open, or closed only lately, are carried over.
-- breaking: no

set local lock_timeout = '5s';

-- Partitions ----------------------------------------------------------------------------------------------------------

-- A table that can become a partition of pawl.event or pawl.run, made beside it: what is attached afterwards locks the
-- parent only against other changes of its partitions, where `create table ... partition of` stops all who use it.
create function pawl.make_partition(p_table text, p_name text, p_from uuid, p_until uuid) returns void
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

create function pawl.attach_partition(p_table text, p_name text, p_from uuid, p_until uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    execute format('alter table pawl.%I attach partition pawl.%I for values from (%L) to (%L)', p_table, p_name, p_from,
                   p_until);
    execute format('alter table pawl.%I drop constraint bounds_check', p_name);
end
$$;

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

-- Retention -----------------------------------------------------------------------------------------------------------

-- One row: which process retires a week, and how far it is. Steps are transactions of their own, and each can be done
-- again: a process that dies leaves the row to the next one when its lease is over, which begins the week anew.
create table pawl.retention (
    id int not null default 1,
    token uuid,
    lease_until timestamptz,
    week timestamptz,
    step text,
    at_bucket smallint,
    at_run uuid,
    constraint retention_pk primary key (id),
    constraint retention_check check (id = 1)
);
insert into pawl.retention default values;

-- Runs of the week that is retired whose rows changed after they were looked at for what must be carried over.
create table pawl.retention_late (
    id bigint generated always as identity,
    parent text not null,
    of_bucket smallint not null,
    run uuid not null,
    constraint retention_late_pk primary key (id)
);

create function pawl.note_late() returns trigger
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

-- The bounds of an attached partition; no row when there is none of that name.
create function pawl.partition_bounds(p_table text, p_name text, out from_id uuid, out until_id uuid)
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

-- What a step on a table works with: the partition of the week, that of the runs carried over before, when the week
-- follows it at once, and the bounds of both together. No row when that week has gone already.
create function pawl.retiring(
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

-- Whether a transaction that has been open for long uses a table: to ask for its lock would stop others in vain.
create function pawl.in_use(p_table text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return exists (
    select 1
      from pg_locks l
      join pg_stat_activity a on a.pid = l.pid
     where l.relation = to_regclass('pawl.' || p_table) and l.granted and l.pid <> pg_backend_pid()
       and l.database = (select d.oid from pg_database d where d.datname = current_database())
       and a.xact_start < clock_timestamp() - interval '500 ms'
);

create function pawl.watch_retiring(p_table text, p_week timestamptz) returns void
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

-- Copies what must be carried over of the next p_batch runs. Where it stopped; null after the last.
create function pawl.keep_runs(
    p_week timestamptz, p_keep interval, p_batch int, inout p_at_bucket smallint, inout p_at_run uuid
)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
declare
    v_part record;
    v_walked bigint;
begin
    select * into v_part from pawl.retiring('run', p_week);
    -- Closed lately. A run that is open has no row here yet.
    with walked as materialized (
        select r.*
          from pawl.run r
         where r.run_id >= v_part.from_id and r.run_id < v_part.until_id
           and (r.bucket, r.run_id) > (coalesce(p_at_bucket, -1), coalesce(p_at_run, v_part.from_id))
         order by r.bucket, r.run_id
         limit p_batch
    ), copied as (
        insert into pawl.run_keeping select w.* from walked w where w.closed_at > now() - p_keep
            on conflict do nothing
    ), last as (
        select w.bucket, w.run_id from walked w order by w.bucket desc, w.run_id desc limit 1
    )
    select count(*), (select l.bucket from last l), (select l.run_id from last l)
      into v_walked, p_at_bucket, p_at_run
      from walked;
    if v_walked < p_batch then
        p_at_bucket := null;
        p_at_run := null;
    end if;
end
$$;

create function pawl.keep_events(
    p_week timestamptz, p_batch int, inout p_at_bucket smallint, inout p_at_run uuid
)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
declare
    v_part record;
    v_bucket smallint[];
    v_run uuid[];
begin
    select * into v_part from pawl.retiring('event', p_week);
    -- Open runs, and runs whose rows were carried over.
    select array_agg(x.bucket order by x.bucket, x.run_id), array_agg(x.run_id order by x.bucket, x.run_id)
      into v_bucket, v_run
      from (select b.bucket, u.run_id
              from (select distinct t.bucket from pawl.tenant t) as b
             cross join lateral (
                 (select l.run_id
                    from pawl.live_run l
                   where l.bucket = b.bucket and l.run_id >= v_part.from_id and l.run_id < v_part.until_id
                     and (b.bucket > p_at_bucket or l.run_id > p_at_run or p_at_run is null)
                   order by l.run_id
                   limit p_batch)
                 union
                 (select r.run_id
                    from pawl.run r
                   where r.bucket = b.bucket and r.run_id >= v_part.from_id and r.run_id < v_part.until_id
                     and (b.bucket > p_at_bucket or r.run_id > p_at_run or p_at_run is null)
                   order by r.run_id
                   limit p_batch)
             ) as u
             where p_at_bucket is null or b.bucket >= p_at_bucket
             order by b.bucket, u.run_id
             limit p_batch) as x;
    insert into pawl.event_keeping
    select e.*
      from unnest(v_bucket, v_run) as u (bucket, run_id)
     cross join lateral (
         select * from pawl.event x where x.bucket = u.bucket and x.run_id = u.run_id offset 0
     ) as e
        on conflict do nothing;
    p_at_bucket := null;
    p_at_run := null;
    if cardinality(v_run) = p_batch then
        p_at_bucket := v_bucket[p_batch];
        p_at_run := v_run[p_batch];
    end if;
end
$$;

-- Under the lock: what changed meanwhile is copied anew, the week goes, and what was carried over takes its place.
create function pawl.swap_retiring(p_table text, p_week timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set enable_hashjoin = off
set enable_mergejoin = off as $$
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

-- Rows beside the runs of a week, and beside the runs carried over before. The next p_batch of a table are looked at;
-- a row goes whose run is not open and did not close lately. Where it stopped; null after the last.
create function pawl.sweep_retired(
    p_table text, p_week timestamptz, p_keep interval, p_batch int, inout p_at_run uuid
)
language plpgsql security definer
set search_path = pg_catalog, pg_temp set jit = off
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
    v_walk text := 'select s.bucket, s.run_id, s.ctid as row_id from pawl.%1$I s'
        ' where s.run_id > $1 and s.run_id < $2 order by s.run_id fetch first $3 rows with ties';
    v_walked bigint;
    v_task uuid[];
    v_bucket smallint[];
begin
    if p_table = 'dead_letter' then
        -- Its key begins with the bucket.
        v_walk := 'select x.* from (select distinct t.bucket from pawl.tenant t) as b cross join lateral ('
            ' select s.bucket, s.run_id, s.ctid as row_id from pawl.%1$I s where s.bucket = b.bucket and s.run_id > $1'
            ' and s.run_id < $2 order by s.run_id limit $3'
            ') as x order by x.run_id fetch first $3 rows with ties';
    end if;
    execute format(
        'with walked as materialized (' || v_walk || '), gone as ('
        ' delete from pawl.%1$I d where d.ctid = any (array(select w.row_id from walked w'
        ' where not exists (select 1 from pawl.live_run l where l.bucket = w.bucket and l.run_id = w.run_id)'
        ' and not exists (select 1 from pawl.run r where r.bucket = w.bucket and r.run_id = w.run_id'
        ' and r.closed_at > now() - $4))) returning d.bucket, %2$s as id'
        ') select (select count(*) from walked), (select max(w.run_id::text)::uuid from walked w),'
        ' array_agg(g.id), array_agg(g.bucket) from gone g',
        p_table, case when p_table = 'human_task' then 'd.id' else 'null::uuid' end
    ) into v_walked, p_at_run, v_task, v_bucket
      using coalesce(p_at_run, (select r.from_id from pawl.retiring('event', p_week) r), pawl.uuid7_bound(p_week)),
        pawl.uuid7_bound(p_week + interval '1 week'), p_batch, p_keep;
    if p_table = 'human_task' then
        delete from pawl.task_decision d
         using unnest(v_bucket, v_task) as g (bucket, id)
         where d.bucket = g.bucket and d.task = g.id;
    end if;
    if v_walked < p_batch then
        p_at_run := null;
    end if;
end
$$;

-- Runs that lie in the default partition, of clocks that were wrong: these go row by row. How many went.
create function pawl.sweep_strayed(p_keep interval, p_batch int) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp set jit = off as $$
declare
    v_bucket smallint[];
    v_run uuid[];
begin
    select array_agg(r.bucket), array_agg(r.run_id) into v_bucket, v_run
      from (select d.bucket, d.run_id from pawl.run_default d where d.closed_at <= now() - p_keep limit p_batch) as r;
    delete from pawl.correlation c using unnest(v_bucket, v_run) as g (bucket, run_id)
     where c.bucket = g.bucket and c.run_id = g.run_id;
    delete from pawl.dead_letter d using unnest(v_bucket, v_run) as g (bucket, run_id)
     where d.bucket = g.bucket and d.run_id = g.run_id;
    with gone as (
        delete from pawl.human_task t using unnest(v_bucket, v_run) as g (bucket, run_id)
         where t.bucket = g.bucket and t.run_id = g.run_id
        returning t.bucket, t.id
    )
    delete from pawl.task_decision d using gone g where d.bucket = g.bucket and d.task = g.id;
    delete from pawl.event_default e using unnest(v_bucket, v_run) as g (bucket, run_id)
     where e.bucket = g.bucket and e.run_id = g.run_id;
    delete from pawl.run_default r using unnest(v_bucket, v_run) as g (bucket, run_id)
     where r.bucket = g.bucket and r.run_id = g.run_id;
    return coalesce(cardinality(v_run), 0);
end
$$;

-- One step, in a transaction of its own. `did`: what it was, null when nothing is left to do or another process does
-- it. `busy`: a lock was not to be had within p_wait, nothing has changed, try again later.
--
-- A week goes in these steps: rows beside its runs, a batch at a time; then for pawl.run and after it for pawl.event a
-- copy of what must be carried over, a batch at a time, while changes are noted, and the swap of the week for the copy,
-- the only step under a lock that others wait for; then the files.
create function pawl.retain(p_token uuid, p_keep interval, p_batch int, p_wait interval, out did text, out busy boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp set client_min_messages = warning as $$
declare
    c_steps constant text[] := array['correlation', 'dead_letter', 'human_task', 'watch run', 'copy run', 'swap run',
                                     'watch event', 'copy event', 'swap event'];
    v_state pawl.retention;
    v_table text;
    v_gone text;
begin
    busy := false;
    select r.* into v_state from pawl.retention r for update skip locked;
    if not found or (v_state.token <> p_token and v_state.lease_until > now()) then
        return;
    end if;
    if v_state.token is distinct from p_token then
        -- Another process did not finish: what it copied may be old.
        v_state.week := null;
    end if;
    if v_state.week is null then
        select c.relname into v_gone
          from pg_class c
         where c.relnamespace = 'pawl'::regnamespace and c.relname ~ '^(event|run)_gone_' and not c.relispartition
         order by c.relname
         limit 1;
        if found then
            did := 'drop ' || v_gone;
            begin
                perform set_config('lock_timeout', '1s', true);
                execute format('drop table pawl.%I', v_gone);
            exception when lock_not_available then
                -- Read by a transaction that is still open.
                busy := true;
            end;
        else
            select min(to_timestamp(substring(c.relname from '\d{8}$') || '+00', 'YYYYMMDDTZH')) into v_state.week
              from pg_inherits i
              join pg_class c on c.oid = i.inhrelid
             where i.inhparent in ('pawl.event'::regclass, 'pawl.run'::regclass) and c.relname ~ '^(event|run)_\d{8}$';
            if v_state.week + interval '1 week' <= now() - p_keep then
                v_state.step := c_steps[1];
                v_state.at_bucket := null;
                v_state.at_run := null;
                did := 'begin ' || to_char(v_state.week at time zone 'UTC', 'YYYYMMDD');
            else
                v_state.week := null;
                if pawl.sweep_strayed(p_keep, p_batch) > 0 then
                    did := 'strayed';
                end if;
            end if;
        end if;
    else
        did := v_state.step;
        v_table := split_part(v_state.step, ' ', 2);
        begin
            perform set_config('lock_timeout', (extract(epoch from p_wait) * 1000)::int::text, true);
            if v_table = '' then
                select s.p_at_run into v_state.at_run
                  from pawl.sweep_retired(v_state.step, v_state.week, p_keep, p_batch, v_state.at_run) s;
            elsif not exists (select 1 from pawl.retiring(v_table, v_state.week)) then
                v_state.at_run := null;
            elsif v_state.step like 'watch %' then
                perform pawl.watch_retiring(v_table, v_state.week);
            elsif v_state.step = 'copy run' then
                select k.p_at_bucket, k.p_at_run into v_state.at_bucket, v_state.at_run
                  from pawl.keep_runs(v_state.week, p_keep, p_batch, v_state.at_bucket, v_state.at_run) k;
            elsif v_state.step = 'copy event' then
                select k.p_at_bucket, k.p_at_run into v_state.at_bucket, v_state.at_run
                  from pawl.keep_events(v_state.week, greatest(p_batch / 10, 1), v_state.at_bucket, v_state.at_run) k;
            elsif pawl.in_use(v_table) then
                busy := true;
            else
                perform pawl.swap_retiring(v_table, v_state.week);
            end if;
            if v_state.at_run is null and not busy then
                v_state.at_bucket := null;
                v_state.step := c_steps[array_position(c_steps, v_state.step) + 1];
                if v_state.step is null then
                    v_state.week := null;
                end if;
            end if;
        exception when lock_not_available or deadlock_detected then
            busy := true;
        end;
    end if;
    update pawl.retention r
       set token = p_token, lease_until = case when did is not null then now() + interval '2 minutes' end,
           week = v_state.week, step = v_state.step, at_bucket = v_state.at_bucket, at_run = v_state.at_run
     where r.id = 1;
end
$$;

-- The log is read by time from where runs were carried over as well.
create or replace function pawl.summarize_log() returns void
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
         where h.inhparent = 'pawl.event'::regclass and a.amname = 'brin'
           and (h.inhrelid::regclass::text ~ '(default|kept)$'
                or substring(h.inhrelid::regclass::text from '\d{8}$')
                   between to_char(now() at time zone 'UTC' - interval '2 weeks', 'YYYYMMDD')
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

-- Just-in-time compilation --------------------------------------------------------------------------------------------

-- A way that is switched off and has to be taken all the same has a cost beyond every threshold: compiling the plan
-- then takes longer than running it a thousand times.
do $$
declare
    v_function regprocedure;
begin
    for v_function in
        select p.oid
          from pg_proc p
         where p.pronamespace = 'pawl'::regnamespace
           and exists (select 1 from unnest(p.proconfig) as s (setting) where s.setting like 'enable\_%=off')
           and not 'jit=off' = any (p.proconfig)
    loop
        execute format('alter function %s set jit = off', v_function);
    end loop;
end
$$;
