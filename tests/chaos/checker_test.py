#!/usr/bin/env python3
"""Proves that the checker is alert: a clean database is damaged in every way it must notice.

    tests/chaos/checker_test.py --binary build/dev/pawl

Every kind of traffic goes through once, without a fault: the checker must find nothing. Then each
damage is done in a transaction of its own, the rule that is named with it must speak, and the
damage is rolled back. A rule that no damage is for fails the test too.
"""

import argparse
import copy
import pathlib
import shutil
import sys
import tempfile
import time

import checker
import damages
import pg
import traffic
from world import World

NAMED = ("line", "graph", "events", "signals", "human", "counter", "queued", "triggered", "held",
         "letter")


def go_through(world: World) -> None:
    """Each scenario twice: some do one thing over HTTP and the other in SQL."""
    for n, tenant in enumerate(("default", "acme")):
        caller = traffic.Caller(world, tenant, f"checker/{n}")
        caller.patient = True
        for scenario in dict.fromkeys(traffic.scenarios_of(tenant)):
            scenario(caller)
        traffic.line(caller)
        caller.drop()


def runs_of(connection) -> dict:
    """A closed run of each workflow, of the default tenant."""
    text = """select w.name, r.run_id from pawl.run r join pawl.workflow w on w.id = r.workflow
               where r.tenant = 1 order by r.run_id"""
    found = {}
    for name, run in connection.rows(text):
        found.setdefault(name, []).append(run)
    named = {name: runs[0] for name, runs in found.items()}
    return named | {"a": found["line"][0], "b": found["line"][1]}


def noticed_in_database(connection, world: World, rule: str, text: str) -> bool:
    """The damage lasts as long as a transaction that is rolled back."""
    connection.rows("begin")
    try:
        connection.rows("set local session_replication_role = replica")  # no triggers
        connection.rows(text)
        return bool(checker.check(connection, world.journal.all(), world.sink.log(), [rule]))
    finally:
        connection.rows("rollback")


def noticed_outside(connection, world: World, rule: str, change, runs: dict) -> bool:
    journal = copy.deepcopy(world.journal.all())
    calls = copy.deepcopy(world.sink.log())
    change(journal, calls, runs)
    return bool(checker.check(connection, journal, calls, [rule]))


def damage_all(connection, world: World, runs: dict) -> list:
    wrong = []
    for rule, what, text in damages.DATABASE:
        try:
            if not noticed_in_database(connection, world, rule, text.format(**runs)):
                wrong.append(f"{rule} did not notice: {what}")
        except pg.Refused as refused:
            wrong.append(f"{rule}: {what}: the damage was not done: {refused}")
    for rule, change in damages.OUTSIDE:
        if not noticed_outside(connection, world, rule, change, runs):
            wrong.append(f"{rule} did not notice: {change.__name__}")
    tried = {damage[0] for damage in damages.DATABASE + damages.OUTSIDE}
    return wrong + [f"no damage is for the rule {rule}" for rule in checker.RULES.keys() - tried]


def leave_alone(connection, world: World) -> None:
    """No process works on the database any more, nor does a backend that one has left behind."""
    for process in world.processes:
        process.kill()
    deadline = time.monotonic() + 20
    others = "where backend_type = 'client backend' and pid <> pg_backend_pid()"
    connection.rows(f"select pg_terminate_backend(pid) from pg_stat_activity {others}")
    while connection.value(f"select count(*) from pg_stat_activity {others}") != "0":
        if time.monotonic() > deadline:
            raise SystemExit("checker_test: backends of killed processes do not end")
        time.sleep(0.02)


def test(world: World) -> list:
    """What went wrong, a line each."""
    go_through(world)
    if not world.settle(90):  # a provider says only after 45 s that it does not have a message
        return ["the clean world does not settle"]
    with world.cluster.connect() as connection:
        clean = checker.check(connection, world.journal.all(), world.sink.log())
        if clean:
            return [f"the clean world: {violation}" for violation in clean]
        runs = runs_of(connection)
        wrong = [f"no run of {name}" for name in NAMED if name not in runs]
        leave_alone(connection, world)
        connection.rows(damages.DEFENCELESS)
        wrong += damage_all(connection, world, runs)
        again = checker.check(connection, world.journal.all(), world.sink.log())
        wrong += [f"after all damages: {violation}" for violation in again]
        return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", required=True)
    options = parser.parse_args()
    home = pathlib.Path(tempfile.mkdtemp(prefix="pawl-chaos."))
    home.chmod(0o755)
    world = World(home, options.binary, slow=False, flush=False)
    try:
        world.create(servers=1, workers=1)
        world.start()
        wrong = test(world)
    finally:
        world.close()
        shutil.rmtree(home, ignore_errors=True)
    for line in wrong:
        print(f"checker_test: {line}", file=sys.stderr)
    damages_count = len(damages.DATABASE) + len(damages.OUTSIDE)
    if not wrong:
        print(f"checker_test: {damages_count} damages, each noticed by its rule of "
              f"{len(checker.RULES)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
