#!/usr/bin/env python3
"""Tells ctest the suites of a GoogleTest binary: a process for each suite, not for each test.

    scripts/suites.py BINARY OUTPUT --label LABEL [--split SUITE]... [-- PROPERTY VALUE...]

To begin a process of a hundred megabytes costs more than most tests do. A suite is LABEL_SUITE for
ctest. What takes minutes, --split makes a process for each test: LABEL_SUITE.TEST. The build runs
this after it has linked BINARY, and ctest includes OUTPUT. COST is guessed: suites of many tests
begin first.
"""

import argparse
import pathlib
import subprocess
import sys


def tests_of(listing: str) -> dict[str, list[str]]:
    """The tests of each suite, by the text that --gtest_list_tests prints."""
    suites: dict[str, list[str]] = {}
    current: list[str] = []
    for line in listing.splitlines():
        name = line.split("#")[0].strip()  # the value of a parameter follows
        if line.startswith("  "):
            current.append(name)
        elif name.endswith("."):
            current = suites.setdefault(name[:-1], [])
    return {suite: tests for suite, tests in suites.items() if tests}


def entries(suites: dict[str, list[str]], split: list[str]) -> list[tuple[str, str, int]]:
    """What ctest runs: a name, a filter, and about how much it costs."""
    rows = []
    for suite, tests in suites.items():
        if suite in split:
            rows += [(f"{suite}.{test}", f"{suite}.{test}", 30) for test in tests]
        elif not all(test.startswith("DISABLED_") for test in tests):
            rows.append((suite, f"{suite}.*", len(tests)))
    return rows


def cmake(label: str, binary: str, rows: list, properties: list[str]) -> str:
    lines = []
    for name, wanted, cost in rows:
        name = f"[=[{label}_{name}]=]"
        lines.append(f'add_test({name} "{binary}" [=[--gtest_filter={wanted}]=])')
        words = " ".join(properties)
        lines.append(f"set_tests_properties({name} PROPERTIES LABELS {label} COST {cost} {words})")
    return "\n".join(lines) + "\n"


def main() -> int:
    arguments, properties = sys.argv[1:], []
    if "--" in arguments:
        place = arguments.index("--")
        arguments, properties = arguments[:place], arguments[place + 1 :]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--label", required=True)
    parser.add_argument("--split", action="append", default=[])
    asked = parser.parse_args(arguments)
    command = [asked.binary, "--gtest_list_tests"]
    listing = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    suites = tests_of(listing.stdout)
    unknown = [suite for suite in asked.split if suite not in suites]
    if not suites or unknown:
        lacks = ", ".join(unknown) or "any suite"
        print(f"suites.py: {asked.binary} has no tests of {lacks}", file=sys.stderr)
        return 1
    text = cmake(asked.label, asked.binary, entries(suites, asked.split), properties)
    asked.output.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
