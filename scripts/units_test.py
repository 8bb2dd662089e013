#!/usr/bin/env python3
"""Proves what scripts/units.py keeps apart, what it renames, and what it leaves as it is."""

import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import units

PRIVATE = "namespace {{\n{}\n}}  // namespace\n"

# (what it shows, one file, another, whether a name of one means something in the other)
MEETINGS = (
    ("nothing in common", PRIVATE.format("int a() { return 1; }"), "int x = b();\n", False),
    ("the same function twice", PRIVATE.format("int a();"), PRIVATE.format("int a();"), True),
    ("an overload would be found", PRIVATE.format("void a(int v) {}"), "auto x = a(1L);\n", True),
    ("a template", PRIVATE.format("template <class T>\nT a(T t) { return t; }"), "a(1);\n", True),
    ("a type", PRIVATE.format("struct A {\n    int x;\n};"), "A a;\n", True),
    ("members of a type are its own",
     PRIVATE.format("struct A {\n    int x;\n};"), "x();\n", False),
    ("a variable", PRIVATE.format("std::map<int, int> a{{1, 2}};"), "a.clear();\n", True),
    ("a constant", "constexpr int a = 1;\n", "int b = a;\n", True),
    ("a static function", "static int a(int b) {\n}\n", "a(1);\n", True),
    ("an alias", "using A = B<int>;\n", "A a;\n", True),
    ("a name from elsewhere", "using std::chrono::days;\n", "days(1);\n", True),
    ("the same name from elsewhere",
     "using b::days;\n", "using b::days;\nint x = days(1);\n", False),
    ("one name from two places", "using b::days;\n", "using c::days;\n", True),
    ("words of an enumeration", PRIVATE.format("enum A { b, c };"), "int x = c;\n", True),
    ("words of a class of values", PRIVATE.format("enum class A { b };"), "int x = b;\n", False),
    ("a member of that name", PRIVATE.format("int a();"), "b.a(); b->a(); c::a();\n", False),
    ("in a comment or a literal", PRIVATE.format("int a();"), '// a()\nauto x = "a()";\n', False),
    ("the same short name", "namespace a = b::a;\n", "namespace a = b::a;\nint x = a(1);\n", False),
    ("literals", PRIVATE.format("using namespace b::c_literals;"), "c_literals();\n", False),
    ("a header that offers it", PRIVATE.format("int a();"), '#include "has_a.hpp"\n', True),
    ("a header that calls it", PRIVATE.format("int a();"), '#include "calls_a.hpp"\n', False),
    ("a header that has such a member",
     PRIVATE.format("int a();"), '#include "member_a.hpp"\n', False),
    ("a header that both include", '#include "has_a.hpp"\n' + PRIVATE.format("int a();"),
     '#include "has_a.hpp"\n', False),
)  # fmt: skip

HEADERS = {
    "deep.hpp": "inline int b() { return a(); }\n",
    "calls_a.hpp": '#include "deep.hpp"\n',
    "has_a.hpp": "namespace p {\nint a(long v);\nstruct C {\n    int a();\n    int x();\n};\n}\n",
    "from_c.hpp": '#include "has_a.hpp"\nstruct D : p::C {\n    int y();\n};\n',
    "member_a.hpp": "struct E {\n    int a();\n    int x();\n};\nstruct F : E {\n};\n",
}

TWICE = PRIVATE.format("int a();")

# (what it shows, a file whose private name occurs in another, whether it can be renamed there)
RENAMINGS = (
    ("a function", TWICE + "int b() { return a(); }\n", True),
    ("a member of that name", TWICE + "int b(X x) { return x.a; }\n", False),
    ("a name of that end", TWICE + "int b() { return x::a(); }\n", False),
    ("a member that gets its value", TWICE + "X b() { return {.a = 1}; }\n", False),
    ("a text made of it", TWICE + "int b() { return PAWL_SHOW(x, (c, (a))); }\n", False),
    ("a function of a header", '#include "has_a.hpp"\n' + TWICE, False),
    ("a member of a header's class", '#include "member_a.hpp"\n' + TWICE, True),
    ("within that class", '#include "member_a.hpp"\nint E::x() { return a(); }\n' + TWICE, False),
    ("within what is from it",
     '#include "member_a.hpp"\nint F::z() { return 1; }\n' + TWICE, False),
    ("in a class of its own from it",
     '#include "member_a.hpp"\nstruct G : F {\n    int w();\n};\n' + TWICE, False),
    ("a name that is found by itself", PRIVATE.format("std::string to_string(A a);"), False),
)  # fmt: skip


def files_of(folder: pathlib.Path, *texts) -> list:
    units.code_of.cache_clear()
    units.words_of.cache_clear()
    units.members_of.cache_clear()
    units.offered_by.cache_clear()
    units.included_by.cache_clear()
    units.types_of.cache_clear()
    files = []
    for number, text in enumerate(texts):
        path = folder / f"file_{number}.cpp"
        path.write_text(text)
        files.append(units.File(str(path), [folder]))
    return files


def wrong_meetings(folder: pathlib.Path):
    for what, one, other, expected in MEETINGS:
        for first, second in ((one, other), (other, one)):
            one_file, other_file = files_of(folder, first, second)
            met = one_file.met_by(other_file) | other_file.met_by(one_file)
            if bool(met) != expected:
                yield f"{what}: met {met or 'nothing'}"


def wrong_renamings(folder: pathlib.Path):
    for what, text, expected in RENAMINGS:
        name = "to_string" if "to_string" in text else "a"
        files = files_of(folder, text, f"int z = {name}(2);\n")
        found = units.units_of(files, 100)
        if (len(found) == 1) != expected:
            yield f"{what}: {len(found)} units"
        if len(found) == 1 and f"#define {name} {name}_of_file_0\n" not in units.text_of(found[0]):
            yield f"{what}: not renamed"


def wrong_sizes(folder: pathlib.Path):
    four = ["\n" * 100] * 4
    sizes = [len(unit) for unit in units.units_of(files_of(folder, *four), 300)]
    if sizes != [2, 2]:
        yield f"four files of 100 lines in units of at most 300: {sizes}"
    for text in ("#define A 1\n", 'extern "C" {\n#include <jq.h>\n}\n'):
        if len(units.units_of(files_of(folder, text, "int x;\n"), 300)) != 2:
            yield f"a file shares a unit that must not: {text}"
    (folder / "one_type.hpp").write_text("namespace p {\nstruct T {\n};\n}\n")
    (folder / "other_type.hpp").write_text("namespace p::q {\nstruct T {\n};\n}\n")
    texts = ('#include "one_type.hpp"\nint a(T t);\n', '#include "other_type.hpp"\nint b();\n')
    if len(units.units_of(files_of(folder, *texts), 300)) != 2:
        yield "a file shares a unit with a header that hides a type it uses"


def wrong_results(folder: pathlib.Path):
    """What is compiled together says the same as what is compiled alone."""
    say = "namespace {\nint a(int) { return %d; }\n}\nint %s() { return a(1L); }\n"
    (folder / "beside.hpp").write_text("#include <cstdio>\nint one();\nint two();\n")
    main = '#include "beside.hpp"\nint a(long) { return 3; }\n'
    main += 'int main() { std::printf("%d%d%d", one(), two(), a(1)); }\n'
    files = files_of(folder, say % (1, "one"), say % (2, "two"), main)
    found = units.units_of(files, 100)
    if len(found) != 1:
        yield f"three small programs are {len(found)} units"
        return
    (folder / "unit.cpp").write_text(units.text_of(found[0]))
    (folder / "units").mkdir()
    (folder / "unit.cpp").rename(folder / "units" / "unit.cpp")
    compiled = ["clang++-16", "-std=c++20", "-o", str(folder / "program")]
    subprocess.run([*compiled, str(folder / "units" / "unit.cpp")], check=True)
    said = subprocess.run([str(folder / "program")], capture_output=True, check=True).stdout
    if said != b"123":
        yield f"three files say {said}, not 123"


def main() -> int:
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for header, text in HEADERS.items():
            (folder / header).write_text(text)
        for check in (wrong_meetings, wrong_renamings, wrong_sizes, wrong_results):
            wrong += check(folder)
    for what in wrong:
        print(f"units: {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
