"""Rules about what the world outside saw: effects of steps, and webhooks."""

RULES = {
    "effect_missing": """
        select e.run_id::text, format('%s completed, and the sink was not called', e.node)
          from pawl.event e join every_run r on r.run_id = e.run_id
          join effect_node n on n.workflow = r.name and n.node = e.node
         where e.type = 1 and not exists (
               select 1 from call c
                where c.kind = 'effect'
                  and c.key = format('%s:%s:%s:1', e.run_id, coalesce(e.token, 0), e.node))""",
    "effect_unknown": """
        select c.run::text,
               format('the sink was called with the key %s, and no run has such a step', c.key)
          from (select distinct run, key from call where kind = 'effect') c
          left join every_run r on r.run_id = c.run
         where r.run_id is null""",
    "effect_keys": """
        select run::text, format('%s has %s keys on branch %s', action, count(distinct key),
                           split_part(key, ':', 2))
          from call where kind = 'effect'
         group by run, action, split_part(key, ':', 2) having count(distinct key) > 1
        union all
        select run::text, format('the key %s has %s actions', min(key), count(distinct action))
          from call where kind = 'effect' group by run, key having count(distinct action) > 1""",
    # A worker whose fate was unclear, or an attempt that failed. Some faults last for 20 s.
    "effect_repeated": """
        select t.run::text,
               format('the key %s was used again at %s, and no fault explains it', t.key, t.at)
          from (select run, key, action, at, lag(at) over (partition by key order by ord) as before
                  from call where kind = 'effect') t
         where t.before is not null
           and not exists (select 1 from note f where f.what = 'fault'
                              and (f.fact ->> 'at')::float8
                                  between extract(epoch from t.before) - 20
                                      and extract(epoch from t.at))
           and not exists (select 1 from pawl.event e where e.run_id = t.run and e.type = 2
                              and e.node = t.action)""",
    # Providers that recognise a repeat may be called again; the others have a message once.
    "letter_twice": """
        select m.run_id::text, format('%s was taken %s times as %s', m.node, count(*), m.id)
          from call c join pawl.message m on m.id::text = c.key
         where c.kind = 'letter' and m.connector = 'pigeon'
         group by m.run_id, m.node, m.id having count(*) > 1
        union all
        select run_id::text, format('%s has %s messages', node, count(*))
          from pawl.message group by run_id, node having count(*) > 1
        union all
        select null, format('the provider has a message %s that is not known here', c.key)
          from (select distinct key from call where kind = 'letter') c
         where not exists (select 1 from pawl.message m where m.id::text = c.key)""",
    "letter_lost": """
        select m.run_id::text, format('%s is %s, and its provider never had it', m.node,
                                      pawl.message_state_name(m.state))
          from pawl.message m
         where m.state >= 3 and not exists (
               select 1 from call c where c.kind = 'letter' and c.key = m.id::text)
        union all
        select r.run_id::text, format('completed, and sent %s messages', count(m.id))
          from every_run r left join pawl.message m on m.run_id = r.run_id and m.state = 3
         where r.name = 'letter' and r.status = 1 group by r.run_id having count(m.id) <> 2
        union all
        select r.run_id::text, 'did not complete' from every_run r
         where r.name = 'letter' and r.status <> 1""",
    # By its provider's answer, or because that was asked.
    "letter_unknown": """
        select m.run_id::text, format('%s is %s at the end', m.node,
                                      pawl.message_state_name(m.state))
          from pawl.message m where m.state in (1, 2)
        union all
        select null, format('message %s is still asked about', id) from pawl.message_inquiry""",
    "hook_missing": """
        select r.run_id::text, format('%s of event %s was never told', o.type, o.seq)
          from every_run r
          join (select run_id, seq,
                       case type when 0 then 'run.started' when 4 then 'run.completed'
                                 when 5 then 'run.failed' when 6 then 'run.cancelled'
                                 when 1 then 'step.completed' else 'step.failed' end as type
                  from pawl.event
                 where type in (0, 2, 4, 5, 6)
                    or type = 1 and node in (select node from effect_node)) o on o.run_id = r.run_id
         where r.owner in ('default', 'acme') and r.name not in ('quick', 'one') and not exists (
               select 1 from call c
                where c.kind = 'hook' and c.ok and c.run = r.run_id and c.seq = o.seq)""",
    "hook_of_nothing": """
        select c.run::text,
               format('%s of event %s was told, and the log does not have it', c.type, c.seq)
          from (select distinct run, seq, type from call where kind = 'hook') c
          left join pawl.event e on e.run_id = c.run and e.seq = c.seq
         where c.run is not null and e.run_id is null""",
    "hook_id": """
        select run::text, format('event %s was told with %s ids', seq, count(distinct key))
          from call where kind = 'hook' and run is not null
         group by run, seq having count(distinct key) > 1
        union all
        select min(run::text), format('the id %s was used for %s messages', key,
                                count(distinct (run, seq, type)))
          from call where kind = 'hook' group by key having count(distinct (run, seq, type)) > 1""",
    "hook_order": """
        select run::text, format('event %s was told before event %s had arrived', seq, missed)
          from (
            select t.run, t.seq, t.first, max(t.seq) filter (where true) over earlier as missed,
                   max(t.arrived) over earlier as arrived
              from (select run, seq, min(ord) as first, min(ord) filter (where ok) as arrived
                      from call where kind = 'hook' and run is not null group by run, seq) t
            window earlier as (partition by t.run order by t.seq
                               rows between unbounded preceding and 1 preceding)) x
         where arrived > first""",
    "outbox": """
        select run_id::text, format('message %s of event %s is in state %s: %s', type, seq, state,
                                    error)
          from pawl.outbox where state <> 2
        union all
        select o.run_id::text, format('event %s is noted as told and did not arrive', o.seq)
          from pawl.outbox o join pawl.outbox_target t on t.id = o.target
         where o.state = 2 and t.kind = 'webhook' and not exists (
               select 1 from call c
                where c.kind = 'hook' and c.ok and c.run = o.run_id and c.seq = o.seq)""",
    "contradiction": """
        select null, left(fact ->> 'text', 500) from note where what = 'contradiction'""",
    "http_500": """
        select null, format('%s: %s', fact ->> 'path', left(fact ->> 'answer', 300))
          from note where what = 'http_500'""",
}
