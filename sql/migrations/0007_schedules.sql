-- Schedules: the cron triggers of workflows. One row a trigger, kept in step with the head of its workflow by a
-- trigger on pawl.definition, so that it does not matter who writes the head and how. When a slot comes is worked out
-- by the scheduler (src/engine/scheduler.cpp), which knows cron and time zones; here a decision of it is carried out,
-- in one transaction: the runs of the slots that are due, and the move to the next slot. So each slot fires once,
-- whoever crashes and however many schedulers look at it.
-- breaking: no

set local lock_timeout = '5s';

create table pawl.schedule (
    id int generated always as identity,
    tenant int not null,
    workflow int not null,
    -- Which of the definition's triggers it is, from 0.
    place int not null,
    cron text not null,
    timezone text not null,
    overlap text not null,
    catch_up_ms bigint not null,
    jitter_ms bigint not null,
    input jsonb not null,
    -- The workflow is.
    active boolean not null,
    paused_at timestamptz,
    pause_reason text,
    -- Slots after this instant count; moved on when the schedule is changed, resumed or made active again.
    since timestamptz not null default now(),
    -- The slot that is next; null: not worked out yet.
    next_at timestamptz,
    -- When to look at it again: at its next slot, later by the jitter, or sooner when somebody has changed it.
    due_at timestamptz default now(),
    -- A backfill under way: its next slot, and where it ends.
    backfill_at timestamptz,
    backfill_to timestamptz,
    backfill_due timestamptz,
    last_slot timestamptz,
    last_run uuid,
    -- Runs it started that may still be open; not kept when they may overlap.
    runs uuid[] not null default '{}',
    fired bigint not null default 0,
    -- Left out because the run before was still open.
    skipped bigint not null default 0,
    -- Left out because nobody looked for longer than catch_up_ms.
    missed bigint not null default 0,
    -- Why it does not fire; null: it does.
    problem text,
    constraint schedule_pk primary key (id),
    constraint schedule_workflow_fk foreign key (workflow) references pawl.workflow (id),
    constraint schedule_overlap_check check (overlap in ('skip', 'allow', 'queue')),
    constraint schedule_backfill_check check ((backfill_at is null) = (backfill_to is null))
) with (fillfactor = 70);
create index schedule_workflow on pawl.schedule (workflow);
create index schedule_tenant on pawl.schedule (tenant, id);
create index schedule_due on pawl.schedule (due_at) where active and paused_at is null;
create index schedule_backfill on pawl.schedule (backfill_due) where active and backfill_at is not null;

-- The cron triggers of a workflow, as rows.
create function pawl.cron_triggers(p_triggers jsonb)
returns table (
    place int, cron text, timezone text, overlap text, catch_up_ms bigint, jitter_ms bigint, input jsonb, nth bigint
)
language sql immutable parallel safe
begin atomic
    select (t.place - 1)::int, t.spec ->> 'cron', coalesce(t.spec ->> 'timezone', 'UTC'),
           coalesce(t.spec ->> 'overlap', 'skip'),
           coalesce(pawl.duration_ms(t.spec -> 'catch_up'), 3600000),
           coalesce(pawl.duration_ms(t.spec -> 'jitter'), 0),
           coalesce(t.spec -> 'input', '{}'),
           row_number() over (
               partition by t.spec ->> 'cron', coalesce(t.spec ->> 'timezone', 'UTC') order by t.place
           )
      from jsonb_array_elements(case when jsonb_typeof(p_triggers) = 'array' then p_triggers else '[]' end)
           with ordinality as t (spec, place)
     where t.spec ? 'cron';
end;

-- Makes the schedules of a workflow those of its head. A trigger that has not moved in time keeps its row and its next
-- slot, wherever it stands in the list now. One that has been changed keeps its row, with whether it is paused, and
-- counts from now on.
create function pawl.sync_schedules() returns trigger
language plpgsql set search_path = pg_catalog as $$
begin
    if tg_op = 'DELETE' then
        delete from pawl.schedule s where s.workflow = old.workflow;
        return null;
    end if;
    if not new.settings ? 'triggers'
       and not exists (select 1 from pawl.schedule s where s.workflow = new.workflow) then
        return null;
    end if;
    with wanted as materialized (
        select * from pawl.cron_triggers(new.settings -> 'triggers')
    ), kept as materialized (
        select s.id, s.place, s.cron, s.timezone,
               row_number() over (partition by s.cron, s.timezone order by s.place) as nth
          from pawl.schedule s
         where s.workflow = new.workflow
    ), same as materialized (
        select k.id, w.place
          from wanted w
          join kept k on k.cron = w.cron and k.timezone = w.timezone and k.nth = w.nth
    ), changed as materialized (
        select k.id, w.place
          from (select w.place, row_number() over (order by w.place) as turn
                  from wanted w where w.place not in (select s.place from same s)) as w
          join (select k.id, row_number() over (order by k.place) as turn
                  from kept k where k.id not in (select s.id from same s)) as k using (turn)
    ), pairs as materialized (
        select s.id, s.place, false as restart from same s
         union all
        select c.id, c.place, true from changed c
    ), gone as (
        delete from pawl.schedule s
         where s.workflow = new.workflow and s.id not in (select p.id from pairs p)
    ), updated as (
        update pawl.schedule s
           set place = w.place, cron = w.cron, timezone = w.timezone, overlap = w.overlap,
               catch_up_ms = w.catch_up_ms, jitter_ms = w.jitter_ms, input = w.input, active = new.active,
               problem = null, due_at = now(),
               since = case when p.restart or (new.active and not s.active) then now() else s.since end,
               next_at = case when not p.restart and (s.active or not new.active) then s.next_at end
          from pairs p
          join wanted w on w.place = p.place
         where s.id = p.id
    )
    insert into pawl.schedule
        (tenant, workflow, place, cron, timezone, overlap, catch_up_ms, jitter_ms, input, active)
    select new.tenant, new.workflow, w.place, w.cron, w.timezone, w.overlap, w.catch_up_ms, w.jitter_ms, w.input,
           new.active
      from wanted w
     where w.place not in (select p.place from pairs p)
     order by w.place;
    return null;
end
$$;

create trigger definition_schedules after insert or update or delete on pawl.definition
for each row execute function pawl.sync_schedules();

-- Carries out what a scheduler has decided about one schedule, unless somebody was quicker: p_seen is the slot it saw
-- as the next one (of the schedule, or of its backfill). p_slot are the slots that are due, oldest first, p_run the
-- runs for them, or for the first of them where only one may be started. Returns how many runs were started, and how
-- many slots were left out because a run was open; nothing when the decision came too late.
create function pawl.move_schedule(
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
                                   when p_next is not null then v_now end,
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
