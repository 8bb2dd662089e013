-- Runs that lie in the default partition, of clocks that were wrong: these go row by row. How many went.
create or replace function pawl.sweep_strayed(p_keep interval, p_batch int) returns bigint
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

-- Rows beside the runs of a week, and beside the runs carried over before. The next p_batch of a table are looked at;
-- a row goes whose run is not open and did not close lately. Where it stopped; null after the last.
create or replace function pawl.sweep_retired(
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

-- Drops a table that a week was swapped out with. `name`: the table, null when there is none. `busy`: a transaction
-- that is still open reads it, and it stays. Called by retain, as its owner.
create or replace function pawl.drop_gone(out name text, out busy boolean)
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    busy := false;
    select c.relname into name
      from pg_class c
     where c.relnamespace = 'pawl'::regnamespace and c.relname ~ '^(event|run)_gone_' and not c.relispartition
     order by c.relname
     limit 1;
    if found then
        perform set_config('lock_timeout', '1s', true);
        execute format('drop table pawl.%I', name);
    end if;
exception when lock_not_available then
    busy := true;
end
$$;

-- Does the next part of a step of a week (see retain) and moves the place where it stopped, which is null after the
-- last part. `busy`: the tables are in use, and nothing has changed. Raises lock_not_available when a lock was not to
-- be had. Called by retain, as its owner.
create or replace function pawl.retain_step(
    p_step text, p_week timestamptz, p_keep interval, p_batch int, inout p_at_bucket smallint, inout p_at_run uuid,
    out busy boolean
)
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    v_table text := split_part(p_step, ' ', 2);
begin
    busy := false;
    if v_table = '' then
        select s.p_at_run into p_at_run
          from pawl.sweep_retired(p_step, p_week, p_keep, p_batch, p_at_run) s;
    elsif not exists (select 1 from pawl.retiring(v_table, p_week)) then
        p_at_run := null;
    elsif p_step like 'watch %' then
        perform pawl.watch_retiring(v_table, p_week);
    elsif p_step = 'copy run' then
        select k.p_at_bucket, k.p_at_run into p_at_bucket, p_at_run
          from pawl.keep_runs(p_week, p_keep, p_batch, p_at_bucket, p_at_run) k;
    elsif p_step = 'copy event' then
        select k.p_at_bucket, k.p_at_run into p_at_bucket, p_at_run
          from pawl.keep_events(p_week, greatest(p_batch / 10, 1), p_at_bucket, p_at_run) k;
    elsif pawl.in_use(v_table) then
        busy := true;
    else
        perform pawl.swap_retiring(v_table, p_week);
    end if;
end
$$;

-- One step, in a transaction of its own. `did`: what it was, null when nothing is left to do or another process does
-- it. `busy`: a lock was not to be had within p_wait, nothing has changed, try again later.
--
-- A week goes in these steps: rows beside its runs, a batch at a time; then for pawl.run and after it for pawl.event a
-- copy of what must be carried over, a batch at a time, while changes are noted, and the swap of the week for the copy,
-- the only step under a lock that others wait for; then the files.
create or replace function pawl.retain(
    p_token uuid, p_keep interval, p_batch int, p_wait interval, out did text, out busy boolean
)
language plpgsql security definer set search_path = pg_catalog, pg_temp set client_min_messages = warning as $$
declare
    c_steps constant text[] := array['correlation', 'dead_letter', 'human_task', 'watch run', 'copy run', 'swap run',
                                     'watch event', 'copy event', 'swap event'];
    v_state pawl.retention;
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
        select 'drop ' || d.name, d.busy into did, busy from pawl.drop_gone() d;
        if did is null then
            select min(to_timestamp(substring(c.relname from '\d{8}$') || '+00', 'YYYYMMDDTZH')) into v_state.week
              from pg_inherits i
              join pg_class c on c.oid = i.inhrelid
             where i.inhparent in ('pawl.event'::regclass, 'pawl.run'::regclass) and c.relname ~ '^(event|run)_\d{8}$';
            if v_state.week + interval '1 week' <= now() - p_keep then
                v_state.step := c_steps[1];
                v_state.at_bucket := null;
                v_state.at_run := null;
                did := 'begin ' || to_char(v_state.week at time zone 'UTC', 'YYYYMMDD');
                -- What is counted of runs that go cannot be counted again.
                update pawl.projector p
                   set complete_since = greatest(p.complete_since,
                                                 date_trunc('day', now() - p_keep, 'UTC') + interval '1 day');
            else
                v_state.week := null;
                if pawl.sweep_strayed(p_keep, p_batch) > 0 then
                    did := 'strayed';
                elsif pawl.sweep_messages(p_keep, p_batch) > 0 then
                    did := 'message';
                end if;
            end if;
        end if;
    else
        did := v_state.step;
        begin
            perform set_config('lock_timeout', (extract(epoch from p_wait) * 1000)::int::text, true);
            select s.p_at_bucket, s.p_at_run, s.busy into v_state.at_bucket, v_state.at_run, busy
              from pawl.retain_step(
                  v_state.step, v_state.week, p_keep, p_batch, v_state.at_bucket, v_state.at_run
              ) s;
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
