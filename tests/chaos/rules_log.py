"""Rules about runs and their logs. A query's rows are violations: (run, what is wrong).

Types of events: 0 started, 1 step completed, 2 step failed, 4 to 6 the ends, 7 node passed, 16
skipped. The temporary tables are those of checker.py.
"""

RULES = {
    "run_missing": """
        select n.run::text, 'was acknowledged and is not there' from note n
         where n.what = 'started'
           and not exists (select 1 from every_run r where r.run_id = n.run)
        union all
        select n.run::text, 'was acknowledged and has no log' from note n
         where n.what = 'started'
           and not exists (select 1 from pawl.event e where e.run_id = n.run and e.seq = 0)""",
    "run_of_another": """
        select n.run::text, format('is %s of %s, not %s of %s', r.name, r.owner,
                                   n.fact ->> 'workflow', n.fact ->> 'tenant')
          from note n join every_run r on r.run_id = n.run
         where n.what = 'started'
           and (r.name, r.owner) <> (n.fact ->> 'workflow', n.fact ->> 'tenant')""",
    "open_and_closed": """
        select r.run_id::text, 'is among the open runs and among the closed ones'
          from pawl.run r join pawl.live_run l on l.run_id = r.run_id
        union all
        select run_id::text, format('is there %s times', count(*))
          from every_run group by run_id, open having count(*) > 1""",
    "log_without_run": """
        select e.run_id::text, 'has a log, and is neither open nor closed'
          from pawl.event e left join every_run r on r.run_id = e.run_id
         where e.seq = 0 and r.run_id is null""",
    "gap": """
        select run_id::text, format('%s events from %s to %s', count(*), min(seq), max(seq))
          from pawl.event group by run_id
        having min(seq) <> 0 or count(*) <> max(seq) + 1
            or count(distinct seq) <> count(*)
            or count(*) filter (where type = 0) <> 1 or min(seq) filter (where type = 0) <> 0""",
    "after_the_end": """
        select e.run_id::text, format('event %s of type %s after the end', e.seq, e.type)
          from pawl.event e
          join (select run_id, min(seq) as seq from pawl.event where type in (4, 5, 6)
                 group by run_id) c on c.run_id = e.run_id and e.seq > c.seq""",
    "end_differs": """
        select r.run_id::text, format('status %s, and its log ends with type %s', r.status, c.type)
          from every_run r
          left join (select run_id, max(type) as type from pawl.event where type in (4, 5, 6)
                      group by run_id) c on c.run_id = r.run_id
         where r.status <> coalesce(c.type - 3, 0)""",
    "outcome_twice": """
        select e.run_id::text, format('%s has %s outcomes on branch %s', e.node, count(*),
                                      coalesce(e.token, 0))
          from pawl.event e join every_run r on r.run_id = e.run_id
         where e.type in (1, 7, 16) and e.node is not null and r.name not in ('events', 'signals')
         group by e.run_id, e.node, coalesce(e.token, 0) having count(*) > 1
        union all
        select run_id::text, format('%s failed attempt %s twice', node, attempt)
          from pawl.event where type = 2
         group by run_id, node, coalesce(token, 0), attempt having count(*) > 1""",
    "not_completed": """
        select r.run_id::text, format('%s ended with status %s: %s', r.name, r.status, left((
                   select e.error::text from pawl.event e
                    where e.run_id = r.run_id and e.type = 5), 200))
          from every_run r
         where not r.open and r.owner <> 'mallory'
           and r.status <> case when r.name = 'held' then 3 else 1 end""",
    "steps_missing": """
        select r.run_id::text, format('%s completed %s times instead of %s', n.node, count(e.seq),
                                      n.times)
          from every_run r join effect_node n on n.workflow = r.name
          left join pawl.event e on e.run_id = r.run_id and e.node = n.node and e.type = 1
         where r.status = 1 and r.owner <> 'mallory'
         group by r.run_id, n.node, n.times having count(e.seq) <> n.times""",
    "stuck": """
        select l.run_id::text, format('%s is still open: state %s, due %s, worker %s%s', w.name,
                   l.state, l.due_at, l.worker,
                   case when l.state = 1 and not exists (
                            select 1 from pawl.worker o where o.id = l.worker
                               and o.beat_at > now() - interval '20 s')
                        then ' (not alive)' else '' end)
          from pawl.live_run l join pawl.workflow w on w.id = l.workflow""",
    "correlation": """
        select c.run_id::text, format('has the key %s, and is not there', c.key)
          from pawl.correlation c left join every_run r on r.run_id = c.run_id
         where r.run_id is null
        union all
        select r.run_id::text, format('has the key %s, which belongs to %s', e.data ->>
                                      'correlation_id', c.run_id)
          from every_run r join pawl.event e on e.run_id = r.run_id and e.seq = 0
          left join pawl.correlation c on c.tenant = r.tenant and c.workflow = r.workflow
               and c.key = e.data ->> 'correlation_id'
         where e.data ->> 'correlation_id' is not null and c.run_id is distinct from r.run_id
        union all
        select n.run::text, format('was acknowledged for the key %s, which has %s',
                                   n.fact ->> 'correlation', c.run_id)
          from note n join every_run r on r.run_id = n.run
          join pawl.correlation c on c.tenant = r.tenant and c.workflow = r.workflow
               and c.key = n.fact ->> 'correlation'
         where n.what = 'started' and c.run_id <> n.run""",
    "dead_letter": """
        select r.run_id::text, 'failed, and is no dead letter'
          from every_run r left join pawl.dead_letter d on d.run_id = r.run_id
         where r.status = 2 and d.run_id is null
        union all
        select d.run_id::text, 'is a dead letter, and did not fail'
          from pawl.dead_letter d left join every_run r on r.run_id = d.run_id
         where r.status is distinct from 2""",
    "gate": """
        select null, format('%s %s', gate, problem) from pawl.flow_problems(0::smallint)""",
    "left_behind": """
        select s.run_id::text, format('message %s of kind %s for a run that is not open', s.id,
                                      s.kind)
          from pawl.signal s left join pawl.live_run l on l.run_id = s.run_id
         where l.run_id is null
        union all
        select s.run_id::text, format('subscription to %s of a run that is not open', s.event)
          from pawl.subscription s left join pawl.live_run l on l.run_id = s.run_id
         where l.run_id is null
        union all
        select p.run_id::text, format('place at the lock %s of a run that is not open', p.key)
          from pawl.lock_place p left join pawl.live_run l on l.run_id = p.run_id
         where l.run_id is null""",
}
