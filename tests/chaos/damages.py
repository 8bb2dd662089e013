"""Every way to damage a clean database, journal or sink, and the rule that must notice it.

A damage is SQL, or a function that changes copies of the journal and of the sink's log. {graph} and
the like are runs of that workflow; {a} and {b} are two runs of `line`.
"""

# The database itself refuses some damages; here they happen all the same.
DEFENCELESS = """do $$ declare r record; begin
    for r in select conrelid::regclass as t, conname from pg_constraint
              where connamespace = 'pawl'::regnamespace and contype in ('p', 'u', 'c', 'f', 'x')
                and conparentid = 0 and conrelid <> 0 loop
        execute format('alter table if exists %s drop constraint if exists %I cascade', r.t,
                       r.conname);
    end loop;
    for r in select i.indexrelid::regclass as t
               from pg_index i join pg_class c on c.oid = i.indexrelid
              where c.relnamespace = 'pawl'::regnamespace and i.indisunique
                and not c.relispartition loop
        execute format('drop index %s cascade', r.t);
    end loop; end $$"""

AGAIN = """insert into pawl.event (run_id, at, seq, bucket, type, attempt, node, data, token)
    select run_id, at, (select max(seq) + 1 from pawl.event where run_id = e.run_id), bucket, type,
           attempt, node, data, token
      from pawl.event e where run_id = '{run}' and %s order by seq limit 1"""
LIVE = """insert into pawl.live_run (run_id, due_at, tenant, workflow, version, bucket, state,
                                     priority, worker)
    select run_id, now(), tenant, workflow, version, bucket, %s, 0, %s
      from pawl.run where run_id = '{a}'"""
SWAP = """update pawl.event e set data = o.data from pawl.event o
    where e.run_id = '{run}' and o.run_id = e.run_id and e.type = 7 and o.type = 7
      and e.node = 'next' and o.node = 'next' and e.seq <> o.seq
      and o.seq in (select seq from pawl.event where run_id = '{run}' and node = 'next' and type = 7
                     order by seq limit 2)
      and e.seq in (select seq from pawl.event where run_id = '{run}' and node = 'next' and type = 7
                     order by seq limit 2)"""


def of(run: str, text: str) -> str:
    return text.replace("{run}", "{" + run + "}")


DATABASE = [
    ("run_missing", "a run is gone", "delete from pawl.run where run_id = '{a}'"),
    ("run_missing", "a log is gone", "delete from pawl.event where run_id = '{a}'"),
    ("log_without_run", "only its log is there", "delete from pawl.run where run_id = '{a}'"),
    ("run_of_another", "a run changed hands", """update pawl.run set tenant =
        (select id from pawl.tenant where name = 'mallory') where run_id = '{a}'"""),
    ("open_and_closed", "a closed run is open again", LIVE % ("0", "null")),
    ("gap", "an event is missing", "delete from pawl.event where run_id = '{a}' and seq = 2"),
    ("gap", "the start is missing", "delete from pawl.event where run_id = '{a}' and seq = 0"),
    ("after_the_end", "an event after the end", of("a", AGAIN % "type = 1")),
    ("end_differs", "completed, says only the log",
     "update pawl.run set status = 2 where run_id = '{a}'"),
    ("end_differs", "the end is missing",
     "delete from pawl.event where run_id = '{a}' and type = 4"),
    ("outcome_twice", "a step completed twice", of("a", AGAIN % "node = 'a'")),
    ("not_completed", "a run failed", "update pawl.run set status = 2 where run_id = '{a}'"),
    ("steps_missing", "a step is not in the log",
     "update pawl.event set node = 'other' where run_id = '{a}' and node = 'b'"),
    ("stuck", "leased by a worker that is gone", LIVE % ("1", "gen_random_uuid()")),
    ("stuck", "due, and no worker takes it", LIVE % ("0", "null")),
    ("correlation", "two keys lead to one run", """update pawl.correlation set run_id = '{b}'
        where run_id = '{a}'"""),
    ("correlation", "a key is gone", "delete from pawl.correlation where run_id = '{a}'"),
    ("correlation", "a key leads nowhere", """update pawl.correlation
        set run_id = gen_random_uuid() where run_id = '{a}'"""),
    ("dead_letter", "a run that completed is one", """insert into pawl.dead_letter
        (bucket, run_id, tenant, workflow, version, error, fingerprint)
        select bucket, run_id, tenant, workflow, version, '{{}}', 'x' from pawl.run
         where run_id = '{a}'"""),
    ("dead_letter", "a failed run is none", "update pawl.run set status = 2 where run_id = '{a}'"),
    ("letter_twice", "a step has two messages", """update pawl.message m set node = 'safe'
        where m.run_id = '{letter}' and m.node = 'pigeon'"""),
    ("letter_lost", "a message is gone",
     "delete from pawl.message where run_id = '{letter}' and node = 'safe'"),
    ("letter_lost", "a run failed", "update pawl.run set status = 2 where run_id = '{letter}'"),
    ("letter_unknown", "an outcome is unknown", """update pawl.message set said = 2, state = 2
        where run_id = '{letter}' and node = 'pigeon'"""),
    ("letter_unknown", "a provider is still asked", """insert into pawl.message_inquiry
        (bucket, id, tenant, due_at) select bucket, id, tenant, now() from pawl.message
         where run_id = '{letter}' and node = 'pigeon'"""),
    ("gate", "a place leaked", """insert into pawl.flow_gate (bucket, gate, base, "limit", held)
        values (0, '1/9/concurrency/leak', 2, 2, 1)"""),
    ("left_behind", "a message for a closed run", """insert into pawl.signal
        (bucket, run_id, kind) values (0, '{a}', 'signal')"""),
    ("left_behind", "a subscription of a closed run", """insert into pawl.subscription
        (run_id, since, tenant, token, ordinal, bucket, event, key)
        values ('{a}', now(), 1, 0, 0, 0, 'tick', 'x')"""),
    ("left_behind", "a place at a lock", """insert into pawl.lock_place
        (bucket, tenant, key, run_id, token) values (0, 1, 'x', '{a}', 0)"""),
    ("message_twice", "a message came twice",
     of("signals", AGAIN % "type = 10 and data ->> 'kind' = 'signal'")),
    ("mail_twice", "one message ended two waits",
     of("signals", AGAIN % "type = 7 and node = 'next'")),
    ("signal_twice", "a signal was sent twice",
     of("signals", AGAIN % "type = 10 and data ->> 'kind' = 'signal'")),
    ("signal_lost", "a signal did not come",
     "delete from pawl.event where run_id = '{signals}' and type = 10"),
    ("signal_order", "signals are out of order", of("signals", SWAP)),
    ("event_lost", "an event did not come", """delete from pawl.event
        where run_id = '{events}' and type = 7 and node = 'next'"""),
    ("event_twice", "an event ended two waits", of("events", AGAIN % "type = 7 and node = 'next'")),
    ("message_twice", "an event was received twice",
     of("events", AGAIN % "type = 10 and data ->> 'kind' = 'event'")),
    ("event_order", "events are out of order", of("events", SWAP)),
    ("inbox", "an event is gone", "delete from pawl.inbox where name = 'tick'"),
    ("trigger", "an event started nothing",
     "delete from pawl.event where run_id = '{triggered}'"),
    ("trigger", "an event started two runs", """update pawl.event set data = data ||
        (select jsonb_build_object('correlation_id', data -> 'correlation_id') from pawl.event
          where run_id = '{triggered}' and seq = 0) where run_id = '{a}' and seq = 0"""),
    ("queue", "a message started nothing", "delete from pawl.event where run_id = '{queued}'"),
    ("queue", "a message started two runs", """update pawl.event set data = data ||
        (select jsonb_build_object('input', data -> 'input') from pawl.event
          where run_id = '{queued}' and seq = 0) where run_id = '{a}' and seq = 0"""),
    ("counter", "a statement ran twice", "insert into chaos.counted select * from chaos.counted"),
    ("counter", "a statement did not run", "delete from chaos.counted where n = 2"),
    ("child", "a call has two children", """update pawl.event set data = data ||
        (select data from pawl.event where run_id = '{child}' and seq = 0)
        where run_id = '{a}' and seq = 0"""),
    ("child", "a call has no child", "delete from pawl.event where run_id = '{child}'"),
    ("child", "a child answered twice", of("graph", AGAIN % "data ->> 'kind' = 'child'")),
    ("task", "a task was decided twice", """insert into pawl.task_decision
        (bucket, task, action, by) select bucket, task, 'reject', 'bob'
        from pawl.task_decision where action = 'approve' limit 1"""),
    ("task", "a person was asked twice", """insert into pawl.human_task
        (bucket, tenant, run_id, token, visit, workflow, node, title, state)
        select bucket, tenant, run_id, token, visit, workflow, node, title, 4
          from pawl.human_task limit 1"""),
    ("task", "a decision is forgotten", "update pawl.human_task set state = 4"),
    ("task", "a decision did not reach its run",
     "delete from pawl.event where run_id = '{human}' and type = 10"),
    ("task", "a task outlived its run", "update pawl.human_task set state = 0"),
    ("cancel", "a cancel was forgotten", "update pawl.run set status = 1 where run_id = '{held}'"),
    ("effect_missing", "a step was recorded that never ran", of("a", AGAIN % "node = 'a'").replace(
        "attempt, node, data, token\n      from", "attempt, node, data, 7\n      from")),
    ("hook_missing", "an end was not told", "update pawl.event set seq = 99 "
     "where run_id = '{a}' and type = 4"),
    ("hook_of_nothing", "the log forgot what was told",
     "delete from pawl.event where run_id = '{a}' and seq = 3"),
    ("outbox", "a message waits for ever", """update pawl.outbox set state = 0, due_at = now()
        where run_id = '{a}'"""),
    ("outbox", "a message was given up", "update pawl.outbox set state = 3 where run_id = '{a}'"),
    ("outbox", "noted as told, and was not", """update pawl.outbox set seq = 77
        where run_id = '{a}' and seq = 1"""),
]


def _effect(calls: list, run: str) -> dict:
    return next(c for c in calls if c["kind"] == "effect" and c["key"].startswith(run))


def effect_not_seen(_: list, calls: list, runs: dict) -> None:
    calls.remove(_effect(calls, runs["a"]))


def effect_with_two_keys(_: list, calls: list, runs: dict) -> None:
    call = _effect(calls, runs["a"])
    calls.append(call | {"key": call["key"] + "1"})


def effect_of_no_run(_: list, calls: list, runs: dict) -> None:
    call = _effect(calls, runs["a"])
    calls.append(call | {"key": call["key"].replace(runs["a"], "0" * 8 + runs["a"][8:])})


def effect_again(_: list, calls: list, runs: dict) -> None:
    calls.append(dict(_effect(calls, runs["a"])))


def _hooks(calls: list, run: str) -> list:
    """Those that arrived: a first try that the sink refused says nothing about order or ids."""
    return [c for c in calls if c["kind"] == "hook" and c.get("run") == run and c["ok"]]


def hooks_out_of_order(_: list, calls: list, runs: dict) -> None:
    hooks = _hooks(calls, runs["a"])
    calls.remove(hooks[0])
    calls.append(hooks[0])


def hook_overtook_a_refused_one(_: list, calls: list, runs: dict) -> None:
    hooks = _hooks(calls, runs["a"])
    calls.append(dict(hooks[0], ok=True))
    place = calls.index(hooks[0])
    calls[place] = dict(hooks[0], ok=False)


def hook_with_two_ids(_: list, calls: list, runs: dict) -> None:
    hook = _hooks(calls, runs["a"])[0]
    calls.append(hook | {"key": hook["key"] + "x"})


def hooks_with_one_id(_: list, calls: list, runs: dict) -> None:
    first, second = _hooks(calls, runs["a"])[:2]
    calls.append(second | {"key": first["key"]})


def hook_not_seen(_: list, calls: list, runs: dict) -> None:
    for hook in _hooks(calls, runs["a"]):
        calls.remove(hook)


def letter_taken_again(_: list, calls: list, __: dict) -> None:
    calls.append(dict(next(c for c in calls if c.get("action") == "pigeon")))


def letter_of_no_message(_: list, calls: list, __: dict) -> None:
    call = next(c for c in calls if c["kind"] == "letter")
    calls.append(call | {"key": "0" * 8 + call["key"][8:]})


def letter_not_seen(_: list, calls: list, __: dict) -> None:
    for call in [c for c in calls if c["kind"] == "letter"]:
        calls.remove(call)


def two_answers(journal: list, _: list, __: dict) -> None:
    journal.append({"what": "contradiction", "text": "one key, two runs"})


def server_error(journal: list, _: list, __: dict) -> None:
    journal.append({"what": "http_500", "path": "/v1/runs", "answer": "oops"})


def acknowledged_nothing(journal: list, _: list, runs: dict) -> None:
    started = next(e for e in journal if e["what"] == "started" and e["run"] == runs["a"])
    journal.append(started | {"run": "0" * 8 + runs["a"][8:]})


def other_run_acknowledged(journal: list, _: list, runs: dict) -> None:
    started = next(e for e in journal if e["what"] == "started" and e["run"] == runs["a"])
    journal.append(started | {"run": runs["b"]})


OUTSIDE = [
    ("effect_missing", effect_not_seen),
    ("effect_keys", effect_with_two_keys),
    ("effect_unknown", effect_of_no_run),
    ("effect_repeated", effect_again),
    ("letter_twice", letter_taken_again),
    ("letter_twice", letter_of_no_message),
    ("letter_lost", letter_not_seen),
    ("hook_order", hooks_out_of_order),
    ("hook_order", hook_overtook_a_refused_one),
    ("hook_id", hook_with_two_ids),
    ("hook_id", hooks_with_one_id),
    ("hook_missing", hook_not_seen),
    ("outbox", hook_not_seen),
    ("contradiction", two_answers),
    ("http_500", server_error),
    ("run_missing", acknowledged_nothing),
    ("correlation", other_run_acknowledged),
]
