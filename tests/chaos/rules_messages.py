"""Rules about what reaches runs: events, signals, decisions, children, messages of queues.

Type 10 is a message that was received, 3 a wait that began, 7 a node that was passed.
"""

RULES = {
    "message_twice": """
        select run_id::text, format('message %s of kind %s was received %s times', data ->> 'id',
                                    data ->> 'kind', count(*))
          from pawl.event where type = 10 and data ->> 'id' is not null
         group by run_id, data ->> 'id', data ->> 'kind' having count(*) > 1
        union all
        select run_id::text, format('event %s was received %s times', data -> 'data' ->> 'id',
                                    count(*))
          from pawl.event where type = 10 and data ->> 'kind' = 'event'
         group by run_id, data -> 'data' ->> 'id', data -> 'data' ->> 'token'
        having count(*) > 1""",
    "mail_twice": """
        select e.run_id::text, format('message %s ended %s waits', m.id, count(*))
          from pawl.event e, jsonb_array_elements_text(e.data -> 'mail') as m (id)
         where e.type = 7 and jsonb_typeof(e.data -> 'mail') = 'array'
         group by e.run_id, m.id having count(*) > 1""",
    "signal_lost": """
        select n.run::text, format('signal %s (%s) was acknowledged and not received',
                                   n.fact ->> 'n', n.fact ->> 'via')
          from note n
         where n.what = 'signal' and not exists (
               select 1 from pawl.event e
                where e.run_id = n.run and e.type = 10 and e.data ->> 'kind' = 'signal'
                  and e.data -> 'data' -> 'data' -> 'n' = n.fact -> 'n')""",
    "signal_twice": """
        select e.run_id::text, format('signal %s (%s) was received %s times',
                   e.data -> 'data' -> 'data' ->> 'n', min(n.fact ->> 'via'), count(*))
          from pawl.event e left join note n on n.what = 'signal' and n.run = e.run_id
               and n.fact -> 'n' = e.data -> 'data' -> 'data' -> 'n'
         where e.type = 10 and e.data ->> 'kind' = 'signal'
           and e.data -> 'data' -> 'data' ? 'n'
         group by e.run_id, e.data -> 'data' -> 'data' ->> 'n' having count(*) > 1""",
    "signal_order": """
        select run_id::text, format('signal %s came after %s', n, before) from (
            select run_id, n, lag(n) over (partition by run_id order by seq) as before from (
                select e.run_id, e.seq, (e.data -> 'value' -> 'data' ->> 'n')::int as n
                  from pawl.event e join every_run r on r.run_id = e.run_id
                 where r.name = 'signals' and e.type = 7 and e.node = 'next') x) y
         where n < before""",
    "event_lost": """
        select r.run_id::text, format('event %s was acknowledged and did not arrive',
                                      n.fact ->> 'event')
          from note n
          join note s on s.what = 'started' and s.fact -> 'data' ->> 'key' = n.fact ->> 'key'
          join every_run r on r.run_id = s.run
         where n.what = 'event' and not exists (
               select 1 from pawl.event e
                where e.run_id = r.run_id and e.type = 7 and e.node = 'next'
                  and e.data -> 'value' ->> 'id' = n.fact ->> 'event')""",
    "event_order": """
        select run_id::text, format('event %s came after %s', n, before) from (
            select run_id, n, lag(n) over (partition by run_id order by seq) as before from (
                select e.run_id, e.seq, (e.data -> 'value' -> 'data' ->> 'n')::int as n
                  from pawl.event e join every_run r on r.run_id = e.run_id
                 where r.name = 'events' and e.type = 7 and e.node = 'next') x) y
         where n < before""",
    "event_twice": """
        select e.run_id::text, format('event %s ended %s waits', e.data -> 'value' ->> 'id',
                                      count(*))
          from pawl.event e join every_run r on r.run_id = e.run_id
         where r.name = 'events' and e.type = 7 and e.node = 'next'
         group by e.run_id, e.data -> 'value' ->> 'id' having count(*) > 1""",
    "inbox": """
        select null, format('event %s was acknowledged and is not in the inbox', n.fact ->> 'event')
          from note n
         where n.what in ('event', 'triggered') and not exists (
               select 1 from pawl.inbox i join pawl.tenant t on t.id = i.tenant
                where i.event_id = n.fact ->> 'event' and t.name = n.fact ->> 'tenant')
        union all
        select null, format('event %s is %s times in the inbox', event_id, count(*))
          from pawl.inbox where source is null group by tenant, event_id having count(*) > 1""",
    "trigger": """
        select null, format('event %s started %s runs', n.fact ->> 'event', count(r.run_id))
          from note n
          left join pawl.event e on e.seq = 0 and e.type = 0
               and e.data ->> 'correlation_id' = 'event:' || (n.fact ->> 'event')
          left join every_run r on r.run_id = e.run_id and r.owner = n.fact ->> 'tenant'
         where n.what = 'triggered'
         group by n.fact ->> 'event', n.fact ->> 'tenant' having count(r.run_id) <> 1""",
    "queue": """
        select null, format('message %s started %s runs', n.fact ->> 'key', count(e.run_id))
          from note n left join pawl.event e on e.seq = 0 and e.type = 0
               and e.data -> 'input' ->> 'key' = n.fact ->> 'key'
         where n.what = 'queued' group by n.fact ->> 'key' having count(e.run_id) <> 1""",
    "counter": """
        select null, format('the sql step %s of %s added %s times', n, key, count(*))
          from chaos.counted group by key, n having count(*) > 1
        union all
        select r.run_id::text, format('the sql step %s added nothing', s.n)
          from every_run r join pawl.event e on e.run_id = r.run_id and e.seq = 0
          cross join (values (1), (2)) as s (n)
         where r.name = 'counter' and r.status = 1 and not exists (
               select 1 from chaos.counted c
                where c.key = e.data -> 'input' ->> 'key' and c.n = s.n)""",
    "child": """
        select w.run_id::text, format('the call of event %s has %s children', w.seq,
                                      count(c.run_id))
          from pawl.event w left join pawl.event c on c.seq = 0
               and (c.data ->> 'parent')::uuid = w.run_id and c.data ->> 'triggered_by' = 'call'
               and coalesce((c.data -> 'caller' ->> 'token')::int, 0) = coalesce(w.token, 0)
         where w.type = 3 and w.data ->> 'for' = 'child'
         group by w.run_id, w.seq having count(c.run_id) <> 1
        union all
        select c.run_id::text, 'is a child, and its caller does not know it'
          from pawl.event c
         where c.seq = 0 and c.data ->> 'triggered_by' = 'call' and not exists (
               select 1 from pawl.event w
                where w.run_id = (c.data ->> 'parent')::uuid and w.type = 3
                  and w.data ->> 'run' = c.run_id::text)
        union all
        select e.run_id::text, format('child %s answered %s times', e.data -> 'data' ->> 'run',
                                      count(*))
          from pawl.event e where e.type = 10 and e.data ->> 'kind' = 'child'
         group by e.run_id, e.data -> 'data' ->> 'run' having count(*) > 1""",
    "task": """
        select t.run_id::text, format('task %s was decided %s times', t.id, count(*))
          from pawl.human_task t join pawl.task_decision d on d.task = t.id
         where d.action in ('approve', 'reject') group by t.run_id, t.id having count(*) > 1
        union all
        select run_id::text, format('%s is asked %s times', node, count(*))
          from pawl.human_task group by run_id, token, node, visit having count(*) > 1
        union all
        select n.run::text, format('task %s was acknowledged (%s) as approved and is not',
                                   n.fact ->> 'task', n.fact ->> 'status')
          from note n left join pawl.human_task t on t.id::text = n.fact ->> 'task'
         where n.what = 'approved' and t.state is distinct from 1
        union all
        select n.run::text, 'the decision was acknowledged and did not reach the run'
          from note n
         where n.what = 'approved' and not exists (
               select 1 from pawl.event e
                where e.run_id = n.run and e.type = 10 and e.data ->> 'kind' = 'task')
        union all
        select t.run_id::text, format('task %s is open, and its run is not', t.id)
          from pawl.human_task t left join pawl.live_run l on l.run_id = t.run_id
         where t.state = 0 and l.run_id is null""",
    "cancel": """
        select n.run::text, format('the cancel was acknowledged (%s), and the run is not cancelled',
                                   n.fact ->> 'status')
          from note n left join every_run r on r.run_id = n.run
         where n.what = 'cancelled' and r.status is distinct from 3""",
}
