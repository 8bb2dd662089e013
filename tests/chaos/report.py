"""What a run of the harness says: counts, then violations with the log of a run for each rule."""

import collections
import pathlib

import checker

SHOWN_OF_RULE = 3
LINES_OF_LOG = 45
ACKNOWLEDGED = ("started", "event", "signal", "approved", "queued", "triggered", "cancelled")


def counts_of(journal: list, calls: list, connection) -> dict:
    notes = collections.Counter(entry["what"] for entry in journal)
    effects = [call for call in calls if call["kind"] == "effect"]
    keys = collections.Counter(call["key"] for call in effects if call["action"] != "flaky")
    hooks = collections.Counter(call["key"] for call in calls if call["kind"] == "hook")
    return {
        "runs": connection.value("select count(*) from pawl.event where seq = 0"),
        "events in logs": connection.value("select count(*) from pawl.event"),
        "acknowledged": ", ".join(f"{name} {notes[name]}" for name in ACKNOWLEDGED),
        "attacks of the hostile tenant": notes["attack"],
        "effects": f"{len(keys)}, of which {sum(n > 1 for n in keys.values())} seen again",
        "webhooks": f"{len(hooks)}, of which {sum(n > 1 for n in hooks.values())} seen again",
    }


def faults_of(journal: list) -> str:
    counts = collections.Counter(e["name"] for e in journal if e["what"] == "fault")
    listed = ", ".join(f"{name} {n}" for name, n in sorted(counts.items()))
    return f"{sum(counts.values())} ({listed})" if counts else "none"


def show(journal: list, calls: list, found: list, connection, path: pathlib.Path) -> None:
    print(f"faults: {faults_of(journal)}")
    for name, value in counts_of(journal, calls, connection).items():
        print(f"{name}: {value}")
    by_rule = collections.Counter(violation.rule for violation in found)
    print(f"violations: {len(found)}")
    for rule, count in by_rule.items():
        of_rule = [violation for violation in found if violation.rule == rule]
        print(f"  {rule}: {count}")
        for violation in of_rule[:SHOWN_OF_RULE]:
            print(f"    {violation.run or '-'}: {violation.text[:300]}")
    if found:
        write_logs(found, connection, path)
        print(f"the logs of these runs are in {path}")


def write_logs(found: list, connection, path: pathlib.Path) -> None:
    shown = collections.Counter()
    with open(path, "w", encoding="utf-8") as file:
        for violation in found:
            file.write(f"{violation}\n")
            shown[violation.rule] += 1
            if violation.run and shown[violation.rule] <= SHOWN_OF_RULE:
                for line in checker.log_of(connection, violation.run)[:LINES_OF_LOG]:
                    file.write(f"    {line}\n")
