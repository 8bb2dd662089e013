#!/usr/bin/env python3
"""Says what failed, after ctest: the name of each failed test and the lines that tell why.

    scripts/failures.py build/PRESET
    scripts/failures.py --self-test

It reads what ctest leaves in Testing/Temporary. The output of a test may have thousands of lines,
and many tests may end after the one that failed; this is short, and the last thing that is printed.
"""

import pathlib
import re
import sys

LINES_MAX = 40  # of a test
COLUMNS_MAX = 300
TESTS_MAX = 20
END = "<end of output>"

# GoogleTest: file:line: Failure, and what was expected, until the next of its lines.
GTEST_BEGIN = re.compile(r":\d+: Failure$|^unknown file: Failure|: runtime error: |^==\d+==ERROR")
GTEST_END = re.compile(r"^\[[ =\-A-Z]{10}\]|^$")
NODE_BEGIN = "✖ failing tests:"
# Anything else: scripts, compilers, sanitizers.
SPEAKING = re.compile(
    r"error|fail|assert|exception|traceback|expected|abort|segmentation|not ok|✖|terminate called",
    re.IGNORECASE,
)


def outputs_of(log: str) -> dict[str, tuple[str, str]]:
    """What each test printed, and how it ended, by LastTest.log."""
    found = {}
    for part in re.split(r"^\d+/\d+ Testing: ", log, flags=re.MULTILINE)[1:]:
        name, _, rest = part.partition("\n")
        head, _, printed = rest.partition("Output:\n")
        printed = printed.partition("\n")[2]  # a line of dashes
        text, _, after = printed.rpartition(END)
        ended = re.search(r"^Test (?!time)(.*)$", after, re.MULTILINE)
        spent = re.search(r"Test time = +([\d.]+) sec", after)
        how = f"{ended[1].rstrip('.') if ended else 'did not end'}"
        found[name] = (text or head, f"{how} after {spent[1]} s" if spent else how)
    return found


def blocks_of_gtest(lines: list[str]) -> list[str]:
    told: list[str] = []
    inside = False
    test = ""
    for line in lines:
        if line.startswith("[ RUN      ]"):
            test = line
        if GTEST_BEGIN.search(line):
            inside = True
            if test:
                told.append(test)
                test = ""
        elif inside and GTEST_END.search(line):
            inside = False
        if inside:
            told.append(line)
    return told


def without_frames(lines: list[str]) -> list[str]:
    """Frames of the test runner itself say nothing."""
    return [line for line in lines if "node:internal/" not in line]


def speaking(lines: list[str]) -> list[str]:
    """Lines that seem to tell it with their neighbours, and the last ones."""
    wanted: set[int] = set()
    for place, line in enumerate(lines):
        if SPEAKING.search(line):
            wanted.update(range(max(0, place - 1), min(len(lines), place + 3)))
    last = range(max(0, len(lines) - 12), len(lines))
    early = sorted(wanted - set(last))[-(LINES_MAX - len(last)) :]
    return [lines[place] for place in [*early, *last]]


def excerpt(text: str) -> list[str]:
    """The lines of an output that say what failed; at most LINES_MAX."""
    lines = [line.rstrip() for line in text.splitlines()]
    if NODE_BEGIN in lines:
        begin = len(lines) - lines[::-1].index(NODE_BEGIN)
        told = without_frames(lines[begin:])
    else:
        told = blocks_of_gtest(lines) or speaking(lines)
    told = [line for line in told if line]
    if len(told) > LINES_MAX:
        told = [*told[: LINES_MAX - 1], f"... and {len(told) - LINES_MAX + 1} more lines"]
    return [line if len(line) <= COLUMNS_MAX else line[:COLUMNS_MAX] + "..." for line in told]


def report(failed: list[str], log: str) -> list[str]:
    outputs = outputs_of(log)
    told = ["", f"What failed: {len(failed)} of the tests"]
    for name in failed[:TESTS_MAX]:
        text, how = outputs.get(name, ("", "not run"))
        told += ["", f"=== {name}: {how}"]
        told += [f"    {line}" for line in excerpt(text)] or ["    (it printed nothing)"]
    if len(failed) > TESTS_MAX:
        told += ["", "and also: " + ", ".join(failed[TESTS_MAX:])]
    return told


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    if sys.argv[1] == "--self-test":
        import failures_self_test

        return failures_self_test.run(sys.modules[__name__])
    folder = pathlib.Path(sys.argv[1], "Testing", "Temporary")
    try:
        numbered = (folder / "LastTestsFailed.log").read_text(errors="replace").splitlines()
        log = (folder / "LastTest.log").read_text(errors="replace")
    except OSError as error:
        print(f"failures.py: {error}; ctest has not run there", file=sys.stderr)
        return 2
    failed = [line.partition(":")[2] for line in numbered if ":" in line]
    print("\n".join(report(failed, log)))
    return 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main())
