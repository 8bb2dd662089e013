-- name: run_rates
-- From $2 until $3 in steps of $4 minutes, with zeros where nothing happened; $5: of one workflow. Steps of whole hours
-- are read from the hours.
with counted as (
    select date_bin(make_interval(mins => $4), r.at, 'epoch') as at, sum(r.started)::bigint as started,
           sum(r.completed)::bigint as completed, sum(r.failed)::bigint as failed, sum(r.cancelled)::bigint as cancelled
      from pawl.run_rate r
     where r.tenant = $1 and r.step = case when $4 % 60 = 0 then 60 else 1 end and r.at >= $2 and r.at < $3
       and ($5::text is null or r.workflow = (select w.id from pawl.workflow w where w.tenant = $1 and w.name = $5))
     group by 1
)
select g.at, coalesce(c.started, 0) as started, coalesce(c.completed, 0) as completed, coalesce(c.failed, 0) as failed,
       coalesce(c.cancelled, 0) as cancelled
  from generate_series($2::timestamptz, $3::timestamptz - interval '1 second', make_interval(mins => $4)) as g (at)
  left join counted c on c.at = g.at
 order by g.at

-- name: workflow_rates
-- As run_rates, of each of the $6 workflows after $5 by name: a row for each piece in which something happened, or one
-- without a time. `open`: the runs that are in it, as the projector counted them.
with listed as materialized (
    select d.workflow, d.name from pawl.definition d where d.tenant = $1 and d.name > $5 order by d.name limit $6::int
),
counted as (
    select r.workflow, date_bin(make_interval(mins => $4), r.at, 'epoch') as at, sum(r.started)::bigint as started,
           sum(r.completed)::bigint as completed, sum(r.failed)::bigint as failed, sum(r.cancelled)::bigint as cancelled
      from pawl.run_rate r
     where r.tenant = $1 and r.step = case when $4 % 60 = 0 then 60 else 1 end and r.at >= $2 and r.at < $3
       and r.workflow = any (array(select l.workflow from listed l))
     group by 1, 2
)
select l.name, (select coalesce(sum(f.count), 0)::bigint
                  from pawl.funnel_count f
                 where f.tenant = $1 and f.workflow = l.workflow and f.span = 'n' and f.what = 'inside') as open,
       c.at, coalesce(c.started, 0) as started, coalesce(c.completed, 0) as completed, coalesce(c.failed, 0) as failed,
       coalesce(c.cancelled, 0) as cancelled
  from listed l
  left join counted c on c.workflow = l.workflow
 order by l.name, c.at
