#!/usr/bin/env python3
"""Proves that scripts/suites.py leaves out no test of a binary."""

import sys

sys.dont_write_bytecode = True
import suites

LISTING = """Plain.
  One
  Two
Typed/Pg.  # TypeParam = pawl::test::PgUnderTest
  One
All/Valued.
  IsNoticed/a.b  # GetParam() = "x#y."
  IsNoticed/c  # GetParam() = 7
Off.
  DISABLED_One
"""

FOUND = {
    "Plain": ["One", "Two"],
    "Typed/Pg": ["One"],
    "All/Valued": ["IsNoticed/a.b", "IsNoticed/c"],
    "Off": ["DISABLED_One"],
}
FILTERS = ["Plain.*", "Typed/Pg.*", "All/Valued.IsNoticed/a.b", "All/Valued.IsNoticed/c"]


def main() -> int:
    found = suites.tests_of(LISTING)
    rows = suites.entries(found, ["All/Valued"])
    text = suites.cmake("unit", "/b", rows, ["TIMEOUT", "9"])
    wrong = []
    if found != FOUND:
        wrong.append(f"suites: {found}")
    if [wanted for _, wanted, _ in rows] != FILTERS:
        wrong.append(f"filters: {rows}")
    if 'add_test([=[unit_Plain]=] "/b" [=[--gtest_filter=Plain.*]=])' not in text:
        wrong.append(f"no entry: {text}")
    if "set_tests_properties([=[unit_Plain]=] PROPERTIES LABELS unit COST 2 TIMEOUT 9)" not in text:
        wrong.append(f"no properties: {text}")
    print("\n".join(wrong) or "suites.py: as it should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
