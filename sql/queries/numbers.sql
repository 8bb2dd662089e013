-- name: project_funnels
select counted, more from pawl.project_funnels($1, $2, $3)

-- name: goal_doubts
-- Events that may be goals, with what decides it.
select d.run_id, d.goal, d.id, w.filter,
       jsonb_build_object('id', x.event_id, 'name', x.name, 'key', x.key, 'subject', x.subject, 'data', x.data) as event
  from (
      select * from pawl.goal_doubt y where y.bucket = $1 order by y.bucket, y.run_id, y.goal, y.id limit $2::int
  ) as d
  left join pawl.goal_watch w on w.bucket = $1 and w.run_id = d.run_id and w.goal = d.goal
  left join pawl.inbox x on x.id = d.id

-- name: settle_doubts
select pawl.settle_doubts($1, $2, $3, $4, $5)

-- name: rebuild_funnels
select pawl.rebuild_funnels(p.bucket) from pawl.projector p where p.name = 'funnels'

-- name: projections
-- The lag: since when a transaction may be that is not counted.
select p.name, p.bucket, p.walk, p.counted, p.started_at, p.looked_at,
       nullif(p.complete_since, '-infinity') as complete_since,
       (select count(*) from pawl.goal_pending g where g.bucket = p.bucket) as pending,
       txid_snapshot_xmax(txid_current_snapshot()) - txid_snapshot_xmax(p.seen::txid_snapshot) as behind
  from pawl.projector p
 order by p.name, p.bucket

-- name: funnel_rows
select key, node, what, detail, count
  from pawl.funnel_rows($1, $2, coalesce($3::timestamptz, '-infinity'), coalesce($4::timestamptz, 'infinity'), $5, $6)

-- name: funnel_people_of
select key, count
  from pawl.funnel_people_of($1, $2, coalesce($3::timestamptz, '-infinity'), coalesce($4::timestamptz, 'infinity'), $5)

-- name: funnel_now
select c.node, c.what, c.detail, sum(c.count)::bigint as count
  from pawl.funnel_count c
 where c.tenant = $1 and c.workflow = $2 and c.span = 'n' and ($3::int is null or c.version = $3)
 group by c.node, c.what, c.detail
having sum(c.count) > 0

-- name: funnels_as_of
-- When the counts were made, and whether they are made anew.
select p.looked_at, p.walk from pawl.funnels_as_of($1) as p

-- name: workflow_counted
-- Whether the runs of a workflow count, and since when; null: all of them.
select w.counted_since is not null as counted, nullif(w.counted_since, '-infinity') as since
  from pawl.workflow w
 where w.tenant = $1 and w.id = $2

-- name: count_workflow
select pawl.count_workflow($1) as workflow

-- name: people_at
select r.run_id, r.token, r.version, r.node, r.state, r.since, r.subject
  from pawl.people_at($1, $2, $3, $4, $5, $6, $7, $8, $9) as r

-- name: people_out
-- Closed runs of a workflow with status $3, newest first, before run $5.
select r.run_id, r.version, r.closed_at, r.subject
  from pawl.run r
 where r.bucket + 0 = $6::smallint and r.tenant = $1 and r.workflow = $2 and r.status = $3
   and ($4::int is null or r.version = $4)
   and ($5::uuid is null or r.run_id < $5)
 order by r.run_id desc
 limit $7::int

-- name: people_ended
select p.run_id, p.version, p.state, p.closed_at, p.subject
  from pawl.people_ended($1, $2, $3, $4, $5, $6, $7, $8, $9) as p

-- name: past_events
-- What came with one of these names within $4, oldest first; before it a row without a name, with the time from which
-- on and until which.
select e.id, e.event_id, e.name, e.key, e.subject, e.source, e.time, e.data, e.at
  from (
      select null::bigint as id, null::text as event_id, null::text as name, null::text as key, null::text as subject,
             null::text as source, now() as "time", null::jsonb as data, now() - $4::interval as at
       union all
      select i.id, i.event_id, i.name, i.key, i.subject, i.source, i.time, i.data, i.at
        from (select x.*
                from pawl.inbox x
               where x.bucket + 0 = $1::smallint and x.tenant = $2 and x.name = any ($3::text[])
                 and x.at >= now() - $4::interval and x.at <= now()
               order by x.at, x.id
               limit $5::int) as i
  ) as e
 order by e.name is not null, e.at, e.id

-- name: people_of_runs
-- Where these runs are, at one node.
select r.run_id, r.token, r.version, r.node, r.state, r.since, r.subject
  from unnest($4::uuid[]) as u (run_id)
 cross join lateral (
     select x.* from pawl.run_place x
      where x.bucket = $1::smallint and x.run_id = u.run_id and x.tenant = $2 and x.workflow = $3 and x.node = $5
     offset 0
 ) as r
 order by r.run_id, r.token

-- name: runs_of_keys
-- The runs of a workflow that were started under these keys.
select c.key, c.run_id
  from unnest($4::text[]) as u (key)
 cross join lateral (
     select x.key, x.run_id from pawl.correlation x
      where x.bucket = $1::smallint and x.tenant = $2 and x.workflow = $3 and x.key = u.key
     offset 0
 ) as c

-- name: entries_of_subjects
-- The runs by which these subjects entered a workflow last, where its rules of entry ask for that.
select r.subject, r.run_id, r.at
  from unnest($4::text[]) as u (subject)
 cross join lateral (
     select x.subject, x.run_id, x.at from pawl.reentry x
      where x.bucket = $1::smallint and x.tenant = $2 and x.workflow = $3 and x.subject = u.subject
     offset 0
 ) as r
