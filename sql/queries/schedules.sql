-- name: due_schedules
-- Those to look at now or within p_ahead, so that the scheduler knows how long it may sleep.
select s.id, s.tenant, t.bucket, s.workflow, d.version, s.cron, s.timezone, s.overlap, s.catch_up_ms, s.jitter_ms,
       s.input, s.since, s.next_at, case when s.paused_at is null then s.due_at end as due_at, s.backfill_at,
       s.backfill_to, s.backfill_due, now(), d.canary, s.audience
  from pawl.schedule s
  join pawl.tenant t on t.id = s.tenant
  join pawl.definition d on d.workflow = s.workflow
 where s.id in (
           select x.id
             from (select r.id, r.due_at
                     from pawl.schedule r
                    where r.active and r.paused_at is null and r.due_at <= now() + $2
                    union all
                   select b.id, b.backfill_due
                     from pawl.schedule b
                    where b.active and b.backfill_at is not null and b.backfill_due <= now() + $2
                  ) as x
            order by x.due_at
            limit $3
       )
   and t.bucket = $1
 order by least(s.due_at, s.backfill_due)

-- name: move_schedule
select started, skipped
  from pawl.move_schedule($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)

-- name: list_schedules
select s.id, s.tenant, t.bucket, s.workflow, d.version, s.cron, s.timezone, s.overlap, s.catch_up_ms, s.jitter_ms,
       s.input, s.since, s.next_at, s.due_at, s.backfill_at, s.backfill_to, s.backfill_due, now(),
       d.name, s.place, s.active, s.paused_at, s.pause_reason, s.last_slot, s.last_run, s.fired, s.skipped, s.missed,
       s.problem, s.audience, s.local_time
  from pawl.schedule s
  join pawl.tenant t on t.id = s.tenant
  join pawl.definition d on d.workflow = s.workflow
 where s.tenant = $1 and s.id > $2 and ($3::text is null or d.name = $3) and ($4::int is null or s.id = $4)
 order by s.id
 limit $5

-- name: pause_schedule
-- Twice is once: the first moment and reason stay.
update pawl.schedule s
   set paused_at = now(), pause_reason = $3
 where s.tenant = $1 and s.id = $2 and s.paused_at is null

-- name: resume_schedule
-- What would have fired meanwhile is left out; a backfill can bring it.
update pawl.schedule s
   set paused_at = null, pause_reason = null, since = now(), next_at = null, due_at = now()
 where s.tenant = $1 and s.id = $2 and s.paused_at is not null

-- name: backfill_schedule
-- One at a time. Nothing happens when one is under way.
update pawl.schedule s
   set backfill_at = $3, backfill_to = $4, backfill_due = now()
 where s.tenant = $1 and s.id = $2 and s.active and s.backfill_at is null

-- name: cancel_backfill
-- Runs that it has started go on.
update pawl.schedule s
   set backfill_at = null, backfill_to = null, backfill_due = null
 where s.tenant = $1 and s.id = $2 and s.backfill_at is not null

-- name: note_scheduled_run
-- A run that was started by hand counts when the next slot asks whether one is open.
update pawl.schedule s
   set fired = s.fired + 1, last_run = $3, runs = case when s.overlap = 'allow' then '{}' else s.runs || $3 end
 where s.tenant = $1 and s.id = $2 and $3 <> all (s.runs)
