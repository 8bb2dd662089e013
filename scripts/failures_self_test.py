"""Proves what scripts/failures.py shows of a failed test, and what it leaves out."""

DASHES = "-" * 58


def entry(number: int, name: str, output: str, ended: str = "Test Failed.") -> str:
    """What ctest writes of a test into LastTest.log."""
    return (
        f"{number}/9 Testing: {name}\n{number}/9 Test: {name}\nCommand: \"x\"\nDirectory: /\n"
        f'"{name}" start time: now\nOutput:\n{DASHES}\n{output}\n<end of output>\n'
        f'Test time =   1.50 sec\n{DASHES}\n{ended}\n"{name}" end time: now\n\n'
    )


GTEST = "\n".join(
    [
        *[f"[ RUN      ] Suite.A{n}\nnoise {n}\n[       OK ] Suite.A{n}" for n in range(99)],
        "[ RUN      ] Suite.Fails",
        "12:00:00 info noise of the log",
        "tests/store/suite_test.cpp:17: Failure",
        "Expected equality of these values:",
        "  one()",
        "    Which is: 1",
        "[  FAILED  ] Suite.Fails (3 ms)",
        "[ RUN      ] Suite.After",
        "[       OK ] Suite.After (0 ms)",
        "[  FAILED  ] 1 test, listed below:",
    ]
)
NODE = """▶ runs
  ✔ this passes (1ms)
  ✖ that fails (2ms)
ℹ fail 1

✖ failing tests:

test at build/api/runs.test.js:156:5
✖ that fails (2ms)
  AssertionError: 1 !== 2
      at TestContext.<anonymous> (file:///build/api/runs.test.js:160:9)
      at async Test.run (node:internal/test_runner/test:797:9)
"""
PYTHON = "line\n" * 200 + "Traceback (most recent call last):\n  File x, line 3\nKeyError: 'lost'\n"
CRASH = "[ RUN      ] Suite.Dies\nterminate called without an active exception\n"
LONG = "\n".join(f"a.cpp:{n}: Failure\nwrong {n}" for n in range(100))

# (name, output, how it ended, what must be shown, what must not)
CASES = (
    ("store_A", GTEST, "Test Failed.", ["Suite.Fails", "suite_test.cpp:17", "is: 1"], ["noise"]),
    ("api_runs", NODE, "Test Failed.", ["runs.test.js:160", "1 !== 2"], ["internal", "passes"]),
    ("chaos_short", PYTHON, "Test Failed.", ["Traceback", "KeyError: 'lost'"], []),
    ("unit_Dies", CRASH, "Test Failed.", ["Suite.Dies", "terminate called"], []),
    ("unit_Hangs", "[ RUN      ] A.B", "Test Timeout.", ["Timeout after 1.50 s", "A.B"], []),
    ("unit_Silent", "", "Test Failed.", ["unit_Silent", "it printed nothing"], []),
    ("unit_Long", LONG, "Test Failed.", ["a.cpp:0:", "more lines"], ["wrong 99"]),
    ("unit_Wide", "error: " + "x" * 5000, "Test Failed.", ["error: xxx", "..."], ["x" * 400]),
)


def run(failures) -> int:
    log = entry(1, "unit_Passes", "a.cpp:1: Failure of another", "Test Passed.")
    for number, (name, output, ended, _, _) in enumerate(CASES, 2):
        log += entry(number, name, output, ended)
    wrong = []
    for name, _, _, shown, hidden in CASES:
        told = failures.report([name], log)
        text = "\n".join(told)
        wrong += [f"{name}: not shown: {part}" for part in shown if part not in text]
        wrong += [f"{name}: shown: {part[:40]}" for part in hidden if part in text]
        if len(told) > failures.LINES_MAX + 5:
            wrong.append(f"{name}: {len(told)} lines")
        if "of another" in text:
            wrong.append(f"{name}: shows a test that passed")
    many = failures.report([f"t{n}" for n in range(30)], log)
    if "t29" not in many[-1] or "t0: not run" not in "\n".join(many):
        wrong.append("tests beyond the first are not named")
    print("\n".join(wrong) or f"failures.py: {len(CASES)} cases as they should be")
    return 1 if wrong else 0
