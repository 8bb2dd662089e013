-- name: list_dead_letters
select run_id, at, workflow, version, node, error, fingerprint, replayed_as, replayed_at
  from pawl.list_dead_letters($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)

-- name: group_dead_letters
select g.fingerprint, g.workflow, g.node, g.message, g.count, g.first_at, g.last_at, g.sample_run, g.complete,
       pawl.dead_letter_pulse($1, $2, g.fingerprint) as pulse, m.reason as mute_reason, m.by as muted_by,
       m.at as muted_at, pawl.name_of_key(m.tenant, m.by) as muted_by_name
  from pawl.group_dead_letters($1, $2, $3, $4, $5, $6, $7, $8, $9) as g
  left join pawl.dead_letter_mute m on m.tenant = $2 and m.fingerprint = g.fingerprint
 order by g.count desc, g.last_at desc

-- name: mute_dead_letters
-- Only an error that the tenant has; no row: it has none.
insert into pawl.dead_letter_mute as m (tenant, fingerprint, reason, by)
select $2, $3, $4, $5
 where exists (select 1 from pawl.dead_letter d where d.bucket = $1 and d.tenant = $2 and d.fingerprint = $3)
    on conflict (tenant, fingerprint) do update set reason = excluded.reason, by = excluded.by, at = now()
returning m.at

-- name: unmute_dead_letters
delete from pawl.dead_letter_mute where tenant = $1 and fingerprint = $2 returning at

-- name: find_dead_letter
select d.run_id, d.at, w.name as workflow, d.version, d.node, d.error, d.fingerprint, d.replayed_as, d.replayed_at
  from pawl.dead_letter d
  join pawl.workflow w on w.id = d.workflow
 where d.bucket = $1 and d.tenant = $2 and d.run_id = $3

-- name: retry_runs
select run_id, status, retried_as, created from pawl.retry_runs($1, $2, $3, $4)
