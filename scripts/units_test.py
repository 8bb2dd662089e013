#!/usr/bin/env python3
"""Proves what scripts/units.py keeps apart, and what it does not."""

import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import units

PRIVATE = "namespace {{\n{}\n}}  // namespace\n"

# (what it shows, one file, another, whether they may share a unit)
CASES = (
    ("nothing in common", PRIVATE.format("int a() { return 1; }"), "int x = b();\n", True),
    ("the same function twice", PRIVATE.format("int a();"), PRIVATE.format("int a();"), False),
    ("an overload would be found", PRIVATE.format("void a(int v) {}"), "auto x = a(1L);\n", False),
    ("a template", PRIVATE.format("template <class T>\nT a(T t) { return t; }"), "a(1);\n", False),
    ("a type", PRIVATE.format("struct A {\n    int x;\n};"), "A a;\n", False),
    ("members of a type are its own", PRIVATE.format("struct A {\n    int x;\n};"), "x();\n", True),
    ("a variable", PRIVATE.format("std::map<int, int> a{{1, 2}};"), "a.clear();\n", False),
    ("a constant", "constexpr int a = 1;\n", "int b = a;\n", False),
    ("a static function", "static int a(int b) {\n}\n", "a(1);\n", False),
    ("an alias", "using A = B<int>;\n", "A a;\n", False),
    ("a name from elsewhere", "using std::chrono::days;\n", "days(1);\n", False),
    ("words of an enumeration", PRIVATE.format("enum A { b, c };"), "int x = c;\n", False),
    ("words of a class of values", PRIVATE.format("enum class A { b };"), "int x = b;\n", True),
    ("a member of that name", PRIVATE.format("int a();"), "b.a(); b->a(); c::a();\n", True),
    ("in a comment or a literal", PRIVATE.format("int a();"), '// a()\nauto x = "a()";\n', True),
    ("a header that calls it", PRIVATE.format("int a();"), '#include "calls_a.hpp"\n', False),
    ("a header that both include", '#include "calls_a.hpp"\n' + PRIVATE.format("int a();"),
     '#include "calls_a.hpp"\n', True),
)  # fmt: skip


def may_share(folder: pathlib.Path, one: str, other: str) -> bool:
    units.code_of.cache_clear()
    units.words_of.cache_clear()
    files = []
    for name, text in (("one.cpp", one), ("other.cpp", other)):
        (folder / name).write_text(text)
        files.append(units.File(str(folder / name), [folder]))
    return len(units.units_of(files, 2)) == 1


def main() -> int:
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "deep.hpp").write_text("inline int b() { return a(); }\n")
        (folder / "calls_a.hpp").write_text('#include "deep.hpp"\n')
        for what, one, other, expected in CASES:
            for first, second in ((one, other), (other, one)):
                if may_share(folder, first, second) != expected:
                    wrong.append(what)
    for what in wrong:
        print(f"units: {what}: decided wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
