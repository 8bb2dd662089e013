-- Carries out what a scheduler decided about one schedule, unless another one was quicker: p_seen is the slot it saw
-- as the next one (of the schedule, or of its backfill). p_slot are the slots that are due, oldest first, p_run the
-- runs for them, or for the first of them where only one may be started; slots of an audience get jobs. Returns how
-- many runs were started, and how many slots were left out because a run was open; nothing when the decision came too
-- late. A slot of a backfill that has to wait does so until p_due.
create or replace function pawl.move_schedule(
    p_bucket smallint, p_id int, p_backfill boolean, p_seen timestamptz, p_next timestamptz, p_due timestamptz,
    p_missed bigint, p_problem text, p_slot timestamptz[],
    p_run uuid[], p_workflow int[], p_version int[], p_data jsonb[], p_correlation text[]
) returns table (started int, skipped int)
language plpgsql set search_path = pg_catalog set lock_timeout = '250ms' as $$
#variable_conflict use_column
declare
    v_schedule pawl.schedule;
    v_now timestamptz := clock_timestamp();
    v_open boolean;
    v_waits boolean;
    v_count int := cardinality(p_run);
    v_new uuid[] := '{}';
begin
    select s.* into v_schedule from pawl.schedule s where s.id = p_id for no key update skip locked;
    if not found or not v_schedule.active
       or (p_backfill and v_schedule.backfill_at is distinct from p_seen)
       or (not p_backfill and v_schedule.next_at is distinct from p_seen)
       or (not p_backfill and v_schedule.paused_at is not null) then
        return;
    end if;
    v_schedule.runs := pawl.open_of_schedule(p_bucket, v_schedule);
    if v_schedule.audience is not null then
        v_count := case v_schedule.overlap when 'allow' then cardinality(p_slot) else least(1, cardinality(p_slot)) end;
    end if;
    v_open := v_schedule.overlap <> 'allow' and cardinality(v_schedule.runs) > 0;
    v_waits := v_open and v_count > 0 and (p_backfill or v_schedule.overlap = 'queue');
    started := 0;
    skipped := 0;
    if v_count > 0 and not v_open then
        if v_schedule.audience is null then
            v_new := pawl.start_slots(p_bucket, v_schedule.tenant, p_run, p_workflow, p_version, p_data, p_correlation);
        else
            v_new := pawl.open_audiences(v_schedule, p_slot[1:v_count]);
        end if;
        started := cardinality(v_new);
    end if;
    if not v_waits then
        skipped := cardinality(p_slot) - case when v_open then 0 else v_count end;
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
               last_slot = greatest(s.last_slot, p_slot[v_count]),
               last_run = case when s.audience is null then v_new[cardinality(v_new)] end,
               runs = case when s.overlap = 'allow' or s.audience is not null then '{}'
                           else v_schedule.runs || v_new end
         where s.id = p_id;
    end if;
    return next;
end
$$;

-- Starts the runs of a schedule. Returns those that were started: a slot whose key is taken has its run already. Locks
-- what start_runs locks. Called by move_schedule.
create or replace function pawl.start_slots(
    p_bucket smallint, p_tenant int, p_run uuid[], p_workflow int[], p_version int[], p_data jsonb[],
    p_correlation text[]
) returns uuid[]
language plpgsql set search_path = pg_catalog as $$
declare
    v_existing uuid[];
begin
    select coalesce(array_agg(s.requested), '{}') into v_existing
      from pawl.start_runs(
          p_bucket, null, false, p_run, array_fill(p_tenant, array[cardinality(p_run)]), p_workflow,
          p_version, array_fill(null::text, array[cardinality(p_run)]),
          array_fill(0::smallint, array[cardinality(p_run)]),
          array_fill(null::timestamptz, array[cardinality(p_run)]), p_data, p_correlation,
          array_fill(false, array[cardinality(p_run)])
      ) s;
    return array(select r.id from unnest(p_run) as r (id) where r.id <> all (v_existing));
end
$$;

-- What a schedule started before that is still open: runs, or jobs of its audience.
create or replace function pawl.open_of_schedule(p_bucket smallint, p_schedule pawl.schedule) returns uuid[]
language sql stable
begin atomic
    select case when (p_schedule).audience is null then array(
                    select r.id
                      from unnest((p_schedule).runs) as r (id)
                     where exists (select 1 from pawl.live_run l where l.bucket = p_bucket and l.run_id = r.id))
                else array(
                    select j.id from pawl.job j
                     where j.schedule = (p_schedule).id and j.status in ('queued', 'running', 'paused')) end;
end;
