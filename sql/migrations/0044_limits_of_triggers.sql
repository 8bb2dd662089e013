-- Limits of a tenant hold for runs that events start, too. What is beyond them is not refused: an event that would
-- start more than there is room for is held, with the reason beside it, and starts them when there is room, in the
-- order of arrival. A slot of a schedule waits as well, as long as its catch_up says.
-- breaking: no

set local lock_timeout = '5s';

-- Events that start nothing before their tenant has room. Apart from trigger_pending, which is looked through all the
-- time and stays small.
create table pawl.trigger_held (
    bucket smallint not null,
    tenant int not null,
    id bigint not null,
    reason text not null,
    at timestamptz not null,  -- when the event came
    constraint trigger_held_pk primary key (bucket, tenant, id)
);

create function pawl.hold_triggers(p_bucket smallint, p_id bigint[], p_reason text[]) returns void
language plpgsql
set search_path = pg_catalog set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
begin
    insert into pawl.trigger_held (bucket, tenant, id, reason, at)
    select p_bucket, i.tenant, i.id, u.reason, i.at
      from unnest(p_id, p_reason) as u (id, reason)
     cross join lateral (
         select x.tenant, x.id, x.at from pawl.inbox x where x.bucket + 0 = p_bucket and x.id = u.id offset 0
     ) as i
        on conflict do nothing;
    delete from pawl.trigger_pending q using unnest(p_id) as u (id) where q.bucket = p_bucket and q.id = u.id;
end
$$;

-- Lets as many of the held events start their runs as there is room for now, the oldest first, a thousand of a tenant
-- at a time. Says of each tenant that has more which one is the first of them: later ones have to wait behind it.
create function pawl.release_triggers(p_bucket smallint) returns table (tenant int, first bigint)
language plpgsql
set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    c_most constant int := 1000;
    v_tenant pawl.tenant;
    v_after int := 0;
    v_room int;
    v_alone boolean;
begin
    if not exists (select 1 from pawl.trigger_held h where h.bucket = p_bucket) then
        return;
    end if;
    -- Two at once would give the same room away twice.
    v_alone := pg_try_advisory_xact_lock(hashtext('pawl.release_triggers'), p_bucket);
    loop
        select h.tenant into v_after
          from pawl.trigger_held h
         where h.bucket = p_bucket and h.tenant > v_after
         order by h.bucket, h.tenant
         limit 1;
        exit when not found;
        select t.* into v_tenant from pawl.tenant t where t.id = v_after;
        v_room := least(c_most, coalesce(v_tenant.starts_per_second_max, c_most));
        if v_tenant.open_runs_max is not null then
            v_room := least(v_room, v_tenant.open_runs_max
                                    - pawl.count_open_runs(p_bucket, v_after, v_tenant.open_runs_max));
        end if;
        if v_alone and v_room > 0 then
            with freed as (
                delete from pawl.trigger_held h
                 where h.bucket = p_bucket and h.tenant = v_after and h.id in (
                           select x.id from pawl.trigger_held x
                            where x.bucket = p_bucket and x.tenant = v_after
                            order by x.id
                            limit v_room)
                returning h.id
            )
            insert into pawl.trigger_pending (bucket, id) select p_bucket, f.id from freed f on conflict do nothing;
        end if;
        tenant := v_after;
        first := (select min(h.id) from pawl.trigger_held h where h.bucket = p_bucket and h.tenant = v_after);
        if first is not null then
            return next;
        end if;
    end loop;
end
$$;

-- As before, and with those that are held: they are pending, and the reason is what is wrong with them.
create or replace function pawl.list_inbox(
    p_bucket smallint, p_tenant int, p_name text, p_key text, p_before bigint, p_limit int, p_scan int
) returns table (
    id bigint, event_id text, name text, key text, subject text, source text, "time" timestamptz, data jsonb,
    at timestamptz, pending boolean, problem text
)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    v_event pawl.inbox;
    v_looked int := 0;
    v_found int := 0;
begin
    perform pawl.require_tenant(p_tenant);
    for v_event in
        select * from pawl.inbox i
         where i.bucket + 0 = p_bucket and (p_before is null or i.id < p_before)
         order by i.id desc
         limit p_scan
    loop
        v_looked := v_looked + 1;
        id := v_event.id;
        continue when v_event.tenant <> p_tenant or v_event.name <> coalesce(p_name, v_event.name)
            or v_event.key <> coalesce(p_key, v_event.key);
        event_id := v_event.event_id;
        name := v_event.name;
        key := v_event.key;
        subject := v_event.subject;
        source := v_event.source;
        time := v_event.time;
        data := v_event.data;
        at := v_event.at;
        problem := coalesce(v_event.problem, (
            select h.reason from pawl.trigger_held h
             where h.bucket = p_bucket and h.tenant = p_tenant and h.id = v_event.id));
        pending := exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket and q.id = v_event.id)
            or exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket and q.id = v_event.id)
            or exists (select 1 from pawl.trigger_held h
                        where h.bucket = p_bucket and h.tenant = p_tenant and h.id = v_event.id);
        return next;
        v_found := v_found + 1;
        exit when v_found = p_limit;
    end loop;
    if v_found < p_limit and v_looked = p_scan then
        event_id := null;
        name := null;
        key := null;
        subject := null;
        source := null;
        time := null;
        data := null;
        at := null;
        problem := null;
        pending := null;
        return next;
    end if;
end
$$;

-- As before; an event that is held stays.
create or replace function pawl.purge_inbox(p_bucket smallint, p_keep interval, p_limit int) returns bigint
language plpgsql
set search_path = pg_catalog set enable_seqscan = off set enable_bitmapscan = off as $$
declare
    v_oldest timestamptz;
    v_from bigint := 0;
    v_last bigint;
    v_gone bigint := 0;
    v_count bigint;
begin
    -- Run ids carry their time.
    select to_timestamp(('x' || left(replace(l.run_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) into v_oldest
      from pawl.live_run l
     where l.bucket = p_bucket
     order by l.bucket, l.run_id
     limit 1;
    loop
        select max(w.id) into v_last
          from (select i.id, i.at from pawl.inbox i where i.bucket + 0 = p_bucket and i.id > v_from
                 order by i.id limit p_limit) as w
         where w.at < now() - p_keep;
        exit when v_last is null;
        delete from pawl.inbox i
         where i.bucket + 0 = p_bucket and i.id > v_from and i.id <= v_last and i.at < now() - p_keep
           and not exists (select 1 from pawl.inbox_pending q where q.bucket = p_bucket and q.id = i.id)
           and not exists (select 1 from pawl.trigger_pending q where q.bucket = p_bucket and q.id = i.id)
           and not exists (select 1 from pawl.trigger_held h
                            where h.bucket = p_bucket and h.tenant = i.tenant and h.id = i.id)
           and (v_oldest is null or v_oldest > i.at
                or not exists (select 1 from pawl.event_wait w where w.event in (i.name, '*')));
        get diagnostics v_count = row_count;
        v_gone := v_gone + v_count;
        exit when v_gone >= p_limit or v_count > 0;
        v_from := v_last;
    end loop;
    return v_gone;
end
$$;

-- As before; a slot of a backfill that has to wait does so until p_due.
create or replace function pawl.move_schedule(
    p_bucket smallint, p_id int, p_backfill boolean, p_seen timestamptz, p_next timestamptz, p_due timestamptz,
    p_missed bigint, p_problem text, p_slot timestamptz[],
    p_run uuid[], p_workflow int[], p_version int[], p_data jsonb[], p_correlation text[]
) returns table (started int, skipped int)
language plpgsql set search_path = pg_catalog as $$
#variable_conflict use_column
declare
    v_schedule pawl.schedule;
    v_now timestamptz := clock_timestamp();
    v_open boolean;
    v_waits boolean;
    v_existing uuid[];
    v_new uuid[] := '{}';
begin
    select s.* into v_schedule from pawl.schedule s where s.id = p_id for no key update skip locked;
    if not found or not v_schedule.active
       or (p_backfill and v_schedule.backfill_at is distinct from p_seen)
       or (not p_backfill and v_schedule.next_at is distinct from p_seen)
       or (not p_backfill and v_schedule.paused_at is not null) then
        return;
    end if;
    v_schedule.runs := array(
        select r.id
          from unnest(v_schedule.runs) as r (id)
         where exists (select 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = r.id)
    );
    v_open := v_schedule.overlap <> 'allow' and cardinality(v_schedule.runs) > 0;
    v_waits := v_open and cardinality(p_run) > 0 and (p_backfill or v_schedule.overlap = 'queue');
    started := 0;
    skipped := 0;
    if cardinality(p_run) > 0 and not v_open then
        select coalesce(array_agg(s.requested), '{}') into v_existing
          from pawl.start_runs(
              p_bucket, null, false, p_run, array_fill(v_schedule.tenant, array[cardinality(p_run)]), p_workflow,
              p_version, array_fill(null::text, array[cardinality(p_run)]),
              array_fill(0::smallint, array[cardinality(p_run)]),
              array_fill(null::timestamptz, array[cardinality(p_run)]), p_data, p_correlation,
              array_fill(false, array[cardinality(p_run)])
          ) s;
        v_new := array(select r.id from unnest(p_run) as r (id) where r.id <> all (v_existing));
        started := cardinality(v_new);
    end if;
    if not v_waits then
        skipped := cardinality(p_slot) - case when v_open then 0 else cardinality(p_run) end;
    end if;
    if p_backfill then
        update pawl.schedule s
           set backfill_at = case when v_waits then p_slot[1] else p_next end,
               backfill_to = case when v_waits or p_next is not null then s.backfill_to end,
               backfill_due = case when v_waits then v_now + interval '1 second'
                                   when p_next is not null then greatest(v_now, p_due) end,
               problem = p_problem
         where s.id = p_id;
    else
        update pawl.schedule s
           set next_at = case when v_waits then p_slot[1] else p_next end,
               due_at = case when v_waits then v_now + interval '1 second' else p_due end,
               skipped = s.skipped + move_schedule.skipped,
               missed = s.missed + p_missed,
               problem = p_problem
         where s.id = p_id;
    end if;
    if started > 0 then
        update pawl.schedule s
           set fired = s.fired + move_schedule.started,
               last_slot = greatest(s.last_slot, p_slot[cardinality(p_run)]),
               last_run = v_new[cardinality(v_new)],
               runs = case when s.overlap = 'allow' then '{}' else v_schedule.runs || v_new end
         where s.id = p_id;
    end if;
    return next;
end
$$;

create function pawl.figures_of_held(p_bucket smallint) returns table (metric text, labels jsonb, value float8)
language plpgsql stable
set search_path = pg_catalog set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
begin
    return query
    with held as (select h.at from pawl.trigger_held h where h.bucket = p_bucket limit 10000)
    select 'pawl_held_events', null::jsonb, count(*)::float8 from held
    union all
    select 'pawl_oldest_held_event_age_seconds', null,
           coalesce(extract(epoch from now() - min(h.at)), 0)::float8 from held h;
end
$$;

-- What was counted last; counts anew when that is older than p_every and nobody else is at it.
create or replace function pawl.take_figures(p_bucket smallint, p_every interval) returns jsonb
language plpgsql
set search_path = pg_catalog as $$
begin
    if not exists (select 1 from pawl.figures f where f.bucket = p_bucket) then
        insert into pawl.figures (bucket, taken_at, figures) values (p_bucket, '-infinity', '[]')
            on conflict do nothing;
    end if;
    perform 1 from pawl.figures f where f.bucket = p_bucket and f.taken_at <= now() - p_every for update skip locked;
    if found then
        update pawl.figures f
           set taken_at = now(),
               figures = (
                   select coalesce(jsonb_agg(jsonb_build_array(c.metric, c.labels, c.value)), '[]')
                     from (select * from pawl.figures_of_work(p_bucket)
                           union all
                           select * from pawl.figures_of_queues()
                           union all
                           select * from pawl.figures_of_outbox(p_bucket)
                           union all
                           select * from pawl.figures_of_held(p_bucket)
                           union all
                           select * from pawl.figures_of_database()) as c)
         where f.bucket = p_bucket;
    end if;
    return (select f.figures from pawl.figures f where f.bucket = p_bucket);
end
$$;
