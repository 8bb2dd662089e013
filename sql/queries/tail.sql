-- name: summarize_log
select pawl.summarize_log()

-- name: tail_events
select run_id, workflow, seq, type, node, attempt, at from pawl.tail_events($1, $2, $3, $4)

-- name: events_after
-- As many as fit, as in list_inbox, and whether there are more.
select p.run_id, p.seq, p.type, p.attempt, p.node, p.data, p.error, p.at, p.token, p.n < p.total as more
  from (
      select m.*, coalesce(sum(coalesce(octet_length(m.data::text), 0) + coalesce(octet_length(m.error::text), 0))
                 over (order by m.n rows between unbounded preceding and 1 preceding), 0) as bytes
        from (
            select l.*, count(*) over () as total, coalesce(sum(
                       coalesce(pg_column_size(l.data), 0) + coalesce(pg_column_size(l.error), 0))
                       over (order by l.n rows between unbounded preceding and 1 preceding), 0) as stored
              from pawl.events_after($1, $2, $3, $4) with ordinality
                   as l (run_id, seq, type, attempt, node, data, error, at, token, n)
        ) as m
       where m.stored < 2097152
  ) as p
 where p.bytes < 4194304
 order by p.n

-- name: load_shape
-- The log of a run up to an event, without what no place of an event depends on: inputs, results and the contents of
-- messages, which may be a megabyte each. What is small stays as it is, so that it need not be looked into.
select l.seq, l.type, l.attempt, l.node,
       case when pg_column_size(l.data) <= 500 then l.data
            when l.type = 0 then l.data - 'input'
            when l.type in (1, 4) then null
            when l.type in (7, 16) and l.data ? 'value' then l.data || '{"value": null}'
            when l.type = 10 then jsonb_set(l.data, '{data}', jsonb_strip_nulls(jsonb_build_object(
                'token', l.data #> '{data,token}', 'visit', l.data #> '{data,visit}',
                'attempt', l.data #> '{data,attempt}', 'run', l.data #> '{data,run}',
                'key', l.data #> '{data,key}')))
            else l.data end,
       l.error, l.at, l.token
  from pawl.load_log($1, $2) as l
 where l.seq <= $3
