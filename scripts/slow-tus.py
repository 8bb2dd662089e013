#!/usr/bin/env python3
"""Prints the slowest translation units of a Ninja build, and those that are slower than allowed.

    scripts/slow-tus.py BUILD_DIR [--since EPOCH_SECONDS] [--top N] [--strict]

A unit over the limit needs an entry with a reason in scripts/slow_tus.txt. Times are wall time
under whatever else the machine does, so this warns; --strict makes it fail. Files that are compiled
together (cmake/units.cmake) have no limit: the dev build holds each of them against it.
"""

import argparse
import pathlib
import re
import sys

LIMIT_SECONDS = 10.0
UNIT = re.compile(r"CMakeFiles/(\w+)\.dir/(?:\w+/)*units/\1/(\d+)\.cpp\.o$")
ALLOWED_FILE = pathlib.Path(__file__).with_name("slow_tus.txt")


def allowed_seconds() -> dict:
    allowed = {}
    for number, line in enumerate(ALLOWED_FILE.read_text().splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split(None, 2)
        if len(fields) < 3:
            sys.exit(f"{ALLOWED_FILE.name}:{number}: expected 'source seconds reason'")
        allowed[fields[0]] = float(fields[1])
    return allowed


def source_of(target: str) -> str:
    """tests/CMakeFiles/unit_tests.dir/unit/a.cpp.o -> tests/unit/a.cpp"""
    unit = UNIT.search(target)
    if unit:
        return f"{unit[1]}, unit {unit[2]}"
    return re.sub(r"CMakeFiles/[^/]+\.dir/", "", target).removesuffix(".o")


def is_unit(target: str) -> bool:
    return target.endswith(".cpp.o")


def compile_times(build: pathlib.Path, since: float) -> dict:
    times = {}
    for line in (build / ".ninja_log").read_text().splitlines():
        fields = line.split("\t")
        if line.startswith("#") or len(fields) < 4 or not is_unit(fields[3]):
            continue
        start, end, mtime = int(fields[0]), int(fields[1]), int(fields[2]) / 1e9
        if mtime >= since:
            times[source_of(fields[3])] = (end - start) / 1000
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--since", type=float, default=0, help="only what was built after this")
    parser.add_argument("--top", type=int, default=10)
    parser.add_argument("--strict", action="store_true")
    args = parser.parse_args()
    if not (args.build / ".ninja_log").exists():
        return 0

    times = compile_times(args.build, args.since)
    if not times:
        return 0
    slowest = sorted(times.items(), key=lambda item: -item[1])[: args.top]
    print(f"slowest of {len(times)} translation units:")
    for source, seconds in slowest:
        print(f"  {seconds:6.1f} s  {source}")

    allowed = allowed_seconds()
    late = [
        (source, seconds, allowed.get(source, LIMIT_SECONDS))
        for source, seconds in sorted(times.items())
        if ", unit " not in source and seconds > allowed.get(source, LIMIT_SECONDS)
    ]
    for source, seconds, limit in late:
        print(f"{source}: took {seconds:.1f} s, {limit:.0f} s allowed (scripts/slow_tus.txt)")
    return 1 if late and args.strict else 0


if __name__ == "__main__":
    sys.exit(main())
