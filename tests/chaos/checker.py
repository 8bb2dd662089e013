"""Is anything lost, twice, out of order or stuck? Rules over a database, a journal, a sink's log.

Nothing is changed: the journal and the log are put into temporary tables, and each rule is a query
whose rows are violations. `rules_*.py` have the rules; `damage.py` proves that each is alert.
"""

import json
from dataclasses import dataclass

import rules_log
import rules_messages
import rules_outside
import workflows

RULES = rules_log.RULES | rules_messages.RULES | rules_outside.RULES
PREPARE = """
drop table if exists pg_temp.note, pg_temp.call, pg_temp.every_run, pg_temp.effect_node;
create temp table note (ord int, what text, run uuid, fact jsonb);
create temp table call (
    ord int, kind text, key text, run uuid, action text, seq int, type text, ok bool, at timestamptz
);
create temp table every_run as
    select run_id, tenant, workflow, 0 as status, true as open from pawl.live_run
    union all
    select run_id, tenant, workflow, status::int, false from pawl.run;
alter table every_run add column name text, add column owner text;
update every_run r set name = w.name from pawl.workflow w where w.id = r.workflow;
update every_run r set owner = t.name from pawl.tenant t where t.id = r.tenant;
create index on every_run (run_id);
create temp table effect_node (workflow text, node text, times int);
"""
INDEXES = """
create index on note (what, run);
create index on call (run);
create index on call (key);
analyze note; analyze call; analyze every_run
"""
PART = 20_000
NOTES = """insert into note select x.ord + $2::int, x.e ->> 'what', (x.e ->> 'run')::uuid, x.e
    from jsonb_array_elements($1::jsonb) with ordinality as x (e, ord)"""
CALLS = """insert into call select x.ord + $2::int, x.e ->> 'kind', x.e ->> 'key',
        coalesce(x.e ->> 'run', substring(x.e ->> 'key' from '^[0-9a-f-]{36}'))::uuid,
        x.e ->> 'action',
        (x.e ->> 'seq')::int, x.e ->> 'type', coalesce((x.e ->> 'ok')::bool, true),
        to_timestamp((x.e ->> 'at')::float8)
    from jsonb_array_elements($1::jsonb) with ordinality as x (e, ord)"""
EFFECTS = """insert into effect_node
    select w.key, a.node, count(*) from jsonb_each($1::jsonb) as w (key, value),
           jsonb_array_elements_text(w.value) as a (node) group by 1, 2"""


@dataclass(frozen=True)
class Violation:
    rule: str
    run: str
    text: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.run or '-'}: {self.text}"


def prepare(connection, journal: list, calls: list) -> None:
    connection.rows("set jit = off")
    connection.rows("analyze")  # tables grew faster than their statistics
    for statement in PREPARE.split(";"):
        connection.rows(statement)
    for part in range(0, len(journal), PART):
        connection.rows(NOTES, json.dumps(journal[part : part + PART]), part)
    for part in range(0, len(calls), PART):
        connection.rows(CALLS, json.dumps(calls[part : part + PART]), part)
    connection.rows(EFFECTS, json.dumps(workflows.EFFECTS))
    for statement in INDEXES.split(";"):
        connection.rows(statement)


def check(connection, journal: list, calls: list, rules: list = None) -> list:
    """All violations, or those of some rules; empty when nothing is wrong."""
    prepare(connection, journal, calls)
    found = []
    for rule in rules or RULES:
        rows = connection.rows(RULES[rule])
        found += [Violation(rule, row[0] or "", row[1]) for row in rows]
    return found


def log_of(connection, run: str) -> list:
    """The events of a run, one line each: they explain a violation."""
    text = """select format('%s %s type %s node %s token %s attempt %s %s %s', seq,
                  to_char(at, 'HH24:MI:SS.MS'), type, node, token, attempt, left(data::text, 200),
                  left(error::text, 200))
                from pawl.event where run_id::text = $1 order by seq"""
    return [row[0] for row in connection.rows(text, run)]
