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
