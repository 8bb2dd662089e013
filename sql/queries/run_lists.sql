-- name: find_run
select run_id, workflow, version, status, subject, started_at, closed_at, due_at, output, error, workflow_id,
       priority, retried_as, data
  from pawl.find_run($1, $2, $3)

-- name: list_runs
-- One statement, one snapshot: a run that closes meanwhile is seen once. Only closed ones have an output: as many as
-- fit, as in list_inbox.
select false as closed, run_id, workflow, version, status, subject, started_at, closed_at, due_at, output, error,
       scanned_to, scanned
  from pawl.list_open_runs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
 union all
select true, run_id, workflow, version, status, subject, started_at, closed_at, due_at,
       case when fits then output end as output, case when fits then error end as error,
       case when fits then scanned_to else last end as scanned_to, scanned
  from (
      select m.*, m.stored < 2097152 and coalesce(sum(case when m.stored < 2097152 then
                     coalesce(octet_length(m.output::text), 0) + coalesce(octet_length(m.error::text), 0) end)
                 over (order by m.n rows between unbounded preceding and 1 preceding), 0) < 4194304 as fits
        from (
            select l.*, lag(l.run_id) over (order by l.n) as last, coalesce(sum(
                       coalesce(pg_column_size(l.output), 0) + coalesce(pg_column_size(l.error), 0))
                       over (order by l.n rows between unbounded preceding and 1 preceding), 0) as stored
              from pawl.list_closed_runs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) with ordinality
                   as l (run_id, workflow, version, status, subject, started_at, closed_at, due_at, output, error,
                         scanned_to, scanned, n)
        ) as m
  ) as p
