"""Proves that each rule of scripts/tidy.py can fail, and that it lets the right thing pass."""

LAYERS = {"base": set(), "model": {"base"}, "pg": {"base"}, "cli": {"base", "model", "pg"}}
NOTE = "TO" + "DO"
SQL_HEAD = "create function pawl.f() returns int as $$\n"
LONG_BODY = "    x();\n" * 75

# (rule, path, text that must be found, text that must pass)
CASES = (
    ("layer", "src/model/a.cpp", '#include "pg/query.hpp"\n', '#include "base/ids.hpp"\n'),
    ("layer", "src/model/a.cpp", '#include "a.hpp"\n', '#include "model/a.hpp"\n'),
    ("layer", "src/cli/a.cpp", '#include "pg/a_impl.hpp"\n', '#include "pg/a.hpp"\n'),
    ("layer", "src/nowhere/a.cpp", "int x;\n", None),
    ("room", "src/engine/core/a.cpp", '#include "engine/worker/worker.hpp"\n', "int x;\n"),
    ("room", "src/cli/door/a.cpp", '#include "cli/commands/a.hpp"\n', '#include "cli/parse/a.hpp"'),
    ("room", "src/api/ui/a.cpp", '#include "api/streams/a.hpp"\n', '#include "api/http/a.hpp"\n'),
    ("pqexec", "src/base/a.cpp", "PQexec(c, q);\n", "// PQexec( blocks\n"),
    ("pqexec", "src/base/a.cpp", "PQexecParams(c);\n", 'f("PQexec(");\n'),
    ("libpq", "src/pg/a.hpp", "#include <libpq-fe.h>\n", "#include <string>\n"),
    ("wall-clock", "src/base/a.cpp", "x = system_clock::now();\n", "wall_now();\n"),
    ("randomness", "src/base/a.cpp", "std::random_device d;\n", "Rng rng;\n"),
    ("sleep", "tests/unit/a.cpp", "std::this_thread::sleep_for(1s);\n", "co_await timer;\n"),
    ("detached", "src/base/a.cpp", "co_spawn(e, f(), asio::detached);\n", "co_spawn(e, f(), h);\n"),
    ("asio-all", "src/base/a.cpp", "#include <boost/asio.hpp>\n", "#include <boost/asio/x.hpp>\n"),
    ("beast-all", "src/base/a.cpp", "#include <boost/beast.hpp>\n", "int x;\n"),
    ("spdlog", "src/base/a.cpp", "#include <spdlog/spdlog.h>\n", '#include "base/log.hpp"\n'),
    ("cli11", "src/base/a.cpp", "#include <CLI/CLI.hpp>\n", "int x;\n"),
    ("iostream", "src/base/a.cpp", "#include <iostream>\n", "#include <sstream>\n"),
    ("sql", "src/base/a.cpp", 'q("select a "\n  "from b");\n', 'q("select a colour");\n'),
    ("sql", "src/base/a.cpp", 'q(R"(\nDELETE FROM x\n)");\n', "// select a from b\n"),
    ("sql", "src/base/a.cpp", 'q("update pawl.run set x = 1");\n', 'q("update the log");\n'),
    ("sql", "src/base/a.cpp", 'q("Insert  into t values (1)");\n', 'q("insert a coin");\n'),
    ("todo", "src/base/a.cpp", f"// {NOTE}: later\n", f"// {NOTE}(#7): later\n"),
    ("todo", "sql/queries/a.sql", f"-- {NOTE} later\n", f"-- {NOTE} #7 later\n"),
    ("todo", "scripts/a", f"x=1 # {NOTE} later\n", f'echo "{NOTE}"\n'),
    ("words", "src/base/a.hpp", "// Runs that nobody holds.\n", "// Runs without a worker.\n"),
    ("words", "src/base/a.hpp", "// For those\n    // who wait.\n", "// Those\n// that wait.\n"),
    ("words", "src/api/a.yaml", "description: Whoever asks\n", "code: nobody_asked\n"),
    ("contract", "sql/views/b.sql", f"{SQL_HEAD}$$\n", f"-- One.\n{SQL_HEAD}$$\n"),
    (
        "function-lines",
        "sql/functions/a/b.sql",
        f"-- One.\n{SQL_HEAD}" + "\n" * 70 + "$$;\n",
        f"-- One.\n{SQL_HEAD}" + "\n" * 68 + "$$;\n",
    ),
    ("columns", "sql/a.sql", "x" * 121 + "\n", "x" * 120 + "\n"),
    ("file-lines", "src/base/a.cpp", "\n" * 401, "\n" * 400),
    ("file-lines", "ui/src/a.tsx", "\n" * 401, "\n" * 400),
    ("function-lines", "src/base/a.cpp", f"void f() {{\n{LONG_BODY}}}\n", "void f() {\n}\n"),
    ("function-lines", "scripts/a.py", "def f():\n" + LONG_BODY, "def f():\n    x()\n"),
    (
        "function-lines",
        "src/base/a.cpp",
        f"F::F(int a = 1) noexcept : a_{{a}}, b_{{}}, c_(a) {{\n{LONG_BODY}}}\n",
        f"namespace a {{\nconstexpr T t[] = {{\n{LONG_BODY}}};\n}}\n",
    ),
    (
        "function-lines",
        "src/base/a.hpp",
        f"struct S {{\n  template <class T>\n  auto f(T t) -> X<T> {{\n{LONG_BODY}  }}\n}};\n",
        f"class S : public T<int> {{\npublic:\n{LONG_BODY}}};\n",
    ),
    (
        "function-lines",
        "tests/unit/a.cpp",
        f"TEST(A, b) {{\n  auto c = '{{'; auto d = 1'000;\n{LONG_BODY}}}\n",
        f'extern "C" {{\n{LONG_BODY}}}\nenum class E : int {{\n{LONG_BODY}}};\n',
    ),
)  # fmt: skip

# (path where the banned thing is at home, text)
AT_HOME = (
    ("src/pg/a.cpp", "#include <libpq-fe.h>\nauto r = PQexec(c, q);\n"),
    ("src/pg/a_impl.hpp", "#include <libpq-fe.h>\n"),
    ("src/base/clock.cpp", "std::chrono::system_clock::now();\n"),
    ("src/base/rng.cpp", "std::random_device d;\n"),
    ("src/base/log.cpp", "#include <spdlog/spdlog.h>\n"),
    ("src/cli/a.cpp", "#include <CLI/CLI.hpp>\n#include <iostream>\n"),
    ("tests/store/a.cpp", 'run("select 1 from pawl.run");\n'),
    ("src/store/queries.gen.hpp", 'q("select a from b");\n'),
)


def run(tidy) -> int:
    wrong = [*wrong_cases(tidy), *wrong_at_home(tidy), *wrong_tables(tidy)]
    untested = {ban.rule for ban in tidy.BANS} - {case[0] for case in CASES}
    wrong += [f"rule {rule} has no case" for rule in sorted(untested)]
    for line in wrong:
        print(f"tidy_self_test: {line}")
    print(f"self-test: {len(CASES) + len(AT_HOME)} cases, {len(wrong)} wrong")
    return 1 if wrong else 0


def wrong_cases(tidy):
    for rule, path, bad, good in CASES:
        if rule not in rules(tidy, path, bad):
            yield f"{rule}: not found in {bad[:60]!r}"
        if good is not None and rule in rules(tidy, path, good):
            yield f"{rule}: wrongly found in {good[:60]!r}"


def wrong_at_home(tidy):
    for path, text in AT_HOME:
        found = rules(tidy, path, text) - {"layer"}
        if found:
            yield f"{path}: {', '.join(sorted(found))} wrongly found"


def wrong_tables(tidy):
    layers = tidy.read_layers("pawl_layer(a USES b LINKS x::y)\npawl_layer(b)\n")
    if layers != {"a": {"b"}, "b": set()}:
        yield f"layer table misread: {layers}"
    if not list(tidy.check_layer_table(layers)):
        yield "layer-table: a layer that uses a later one was not found"

    for second, expected in (("src/b/x.hpp", 1), ("tests/b/x.hpp", 0), ("src/a/y.hpp", 0)):
        if len(list(tidy.check_header_names(["src/a/x.hpp", second]))) != expected:
            yield f"header-name: src/a/x.hpp beside {second}"

    def left(size, entry):
        findings = [tidy.Finding("p", 1, "columns", "m", size=size)] if size else []
        return [f.rule for f in tidy.apply_ratchet(findings, tidy.read_ratchet(entry))]

    entry = "columns p 5 a reason\n"
    for size, expected in ((5, []), (4, []), (6, ["columns"]), (0, ["ratchet"])):
        if left(size, entry) != expected:
            yield f"ratchet: size {size} against 5 gave {left(size, entry)}"


def rules(tidy, path: str, text: str) -> set:
    return {finding.rule for finding in tidy.check_file(path, text, LAYERS)}
