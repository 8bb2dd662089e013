#!/usr/bin/env python3
"""Checks what the compiler cannot: layers, banned calls, sizes, words. Fast, and part of the tests.

    scripts/tidy.py              check the tree; exit 1 when something is found
    scripts/tidy.py --self-test  prove that every rule can fail and can pass

Exceptions stand in scripts/tidy_ratchet.txt with their present size. They may shrink, not grow, and
an entry that is no longer needed is itself a finding.
"""

import argparse
import ast
import collections
import pathlib
import re
import sys
from dataclasses import dataclass

sys.dont_write_bytecode = True
from cxx_text import Cxx, functions

ROOT = pathlib.Path(__file__).resolve().parent.parent
RATCHET = "scripts/tidy_ratchet.txt"
FOLDERS = ("src", "include", "connectors", "workflows", "examples", "tests", "scripts", "sql")
COLUMNS_MAX, FILE_LINES_MAX, FUNCTION_LINES_MAX = 100, 400, 70
SQL_COLUMNS_MAX = 120  # column lists of one table stay on one line
# The rooms of a layer, as ARCHITECTURE.md draws them: each uses only rooms that come after it.
ROOMS = {
    "engine": (("services",), ("worker",), ("start", "observe"), ("core", "async")),
    "store": (("repos",), ("pg", "mem")),
    "api": (("routes", "adapters", "sandbox"), ("ui", "streams"), ("http",), ("auth",)),
    "cli": (("commands",), ("door",), ("parse",), ("terminal",)),
}
# What pawl migrate applies, and numbered files among it: those are never edited again.
SQL_TEXT = re.compile(r"^sql/(functions|views|packs|tables|once\.sql)")
SQL_NUMBERED = re.compile(r"/tables/\d{4}_")
# Where texts must name the process that acts (CONTRIBUTING.md, Words), and what is left to do.
# A folder that is not in FOLDERS, such as docs/, is checked for words only.
WORD_FOLDERS = ("src/", "sql/", "tests/", "docs/", "clients/", "workflows/", "ui/")
WORD_FOLDERS_LATER = ("sql/packs/task_queue/tables/",)
# Also over the end of a line of comment.
PERSON_WORDS = re.compile(
    r"\b(nobody|somebody|anybody|whoever|those_who|what_is_to_be)\b".replace("_", r"[\s/*#-]+"),
    re.I,
)


@dataclass(frozen=True)
class Ban:
    rule: str
    pattern: str  # searched in code without comments and literals
    where: str  # paths the rule is about
    instead: str
    allowed: str = r"(?!)"  # paths that may


BANS = (
    Ban("pqexec", r"\bPQexec\w*\s*\(", r"^(src|include|tests)/",
        "it blocks: use pg::Connection", r"^src/pg/"),
    Ban("libpq", r"#\s*include\s*[<\"](postgresql/)?libpq-fe\.h", r"^(src|include|tests)/",
        "libpq is a detail of src/pg: include pg/connection.hpp",
        r"^src/pg/[^/]+(\.cpp|_impl\.hpp)$"),
    Ban("wall-clock", r"\bsystem_clock::now\b", r"^(src|include)/",
        "take the instant as a parameter, or use base/clock.hpp", r"^src/base/clock\."),
    Ban("randomness", r"\brandom_device\b", r"^(src|include)/",
        "use pawl::Rng (base/rng.hpp), which tests can seed", r"^src/base/rng\."),
    Ban("sleep", r"\bsleep_(for|until)\b", r"^(src|include|tests)/",
        "await a timer, or in a test the thing you are waiting for"),
    Ban("detached", r"\basio::detached\b", r"^(src|include|tests)/",
        "it swallows exceptions: pass a handler that looks at the exception_ptr"),
    Ban("asio-all", r"#\s*include\s*<boost/asio\.hpp>", r"^(src|include|tests)/",
        "include the leaf header, e.g. <boost/asio/awaitable.hpp>"),
    Ban("beast-all", r"#\s*include\s*<boost/beast\.hpp>", r"^(src|include|tests)/",
        "include the leaf header, e.g. <boost/beast/http/parser.hpp>"),
    Ban("spdlog", r"#\s*include\s*<spdlog/", r"^(src|include|tests)/",
        "slow to compile: use base/log.hpp", r"^src/base/log\.cpp$"),
    Ban("cli11", r"#\s*include\s*<CLI/", r"^(src|include|tests)/",
        "slow to compile: parse arguments in src/cli", r"^src/cli/"),
    Ban("iostream", r"#\s*include\s*<iostream>", r"^(src|include)/",
        "only the CLI talks on streams: use base/log.hpp or return the text", r"^src/cli/"),
)  # fmt: skip

SQL = re.compile(
    r"\bselect\b[^;]*?\bfrom\b|\binsert\s+into\b|\bupdate\s+[\w.\"]+(\s+\w+)?\s+set\b"
    r"|\bdelete\s+from\b",
    re.I,
)
UNOWNED_NOTE = re.compile(r"\b(TODO|FIXME)\b(?!.*#\d+)")


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    rule: str
    message: str
    name: str = ""  # function, when the ratchet is about one
    size: int = 1  # what the ratchet compares; findings that are counted weigh 1

    @property
    def key(self):
        return (self.rule, self.path + (f":{self.name}" if self.name else ""))


def made_of(path):
    """Whether a file is made by a tool, and not kept in the repository."""
    return not {"__pycache__", "dist", "node_modules"}.isdisjoint(path.parts)


def read_layers(text: str) -> dict:
    """The table in cmake/layers.cmake: layer -> layers it may include."""
    layers = {}
    for name, rest in re.findall(r"^pawl_layer\((\w+)([^)]*)\)", text, re.M):
        uses = re.search(r"\bUSES\b(.*?)(?:\bLINKS\b|$)", rest, re.S)
        layers[name] = set(uses[1].split()) if uses else set()
    return layers


def check_layer_table(layers: dict):
    above = set()
    for name, uses in layers.items():
        for other in sorted(uses - above):
            yield Finding("cmake/layers.cmake", 1, "layer-table",
                          f"{name} uses {other}, which is not declared above it: no cycles")
        above.add(name)


def check_layers(path: str, file: Cxx, layers: dict):
    match = re.match(r"src/(\w+)/", path)
    if not match:
        return
    layer = match[1] or match[2]
    if layer not in layers:
        yield Finding(path, 1, "layer", f"folder '{layer}' is not in cmake/layers.cmake: add it")
        return
    for m in re.finditer(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', file.text, re.M):
        line, target = file.line(m.start()), m[1].split("/")[0]
        if target in (layer, "pawl"):
            continue
        if m[1].endswith("_impl.hpp"):
            yield Finding(path, line, "layer", f'"{m[1]}" is private to {target}/: include the '
                          "header without _impl")
        elif "/" not in m[1] or target not in layers:
            yield Finding(path, line, "layer", f'"{m[1]}": quotes are for our headers, written '
                          "with their path from src/; use <> for others")
        elif target not in layers[layer]:
            allowed = ", ".join(sorted(layers[layer])) or "nothing"
            yield Finding(path, line, "layer", f"{layer} may not include {target}/ (it may: "
                          f"{allowed}); move the code, or pass what it needs as a parameter")


def check_rooms(path: str, file: Cxx):
    match = re.match(r"src/(\w+)/(\w+)/", path)
    floors = ROOMS.get(match[1], ()) if match else ()
    level = {room: number for number, floor in enumerate(floors) for room in floor}
    if not match or match[2] not in level:
        return
    for m in re.finditer(rf'^[ \t]*#[ \t]*include[ \t]*"{match[1]}/(\w+)/', file.text, re.M):
        if m[1] != match[2] and level.get(m[1], len(floors)) <= level[match[2]]:
            yield Finding(path, file.line(m.start()), "room", f"{match[1]}/{match[2]} may not "
                          f"include {match[1]}/{m[1]}: it is beside or above it (ARCHITECTURE.md)")


def check_bans(path: str, file: Cxx):
    for ban in BANS:
        if not re.search(ban.where, path) or re.search(ban.allowed, path):
            continue
        # Includes are matched in the text, since "file.h" is blank in the code.
        text = file.text if "include" in ban.pattern else file.code
        for m in re.finditer(ban.pattern, text):
            if file.code[m.start() : m.end()].strip():
                what = m[0].strip()
                yield Finding(path, file.line(m.start()), ban.rule, f"{what}: {ban.instead}")


def check_sql(path: str, file: Cxx):
    if not path.startswith("src/") or ".gen." in path:
        return
    for offset, literal in file.literals:
        if SQL.search(literal):
            yield Finding(path, file.line(offset), "sql",
                          "SQL in a literal: make it a named block in sql/queries/*.sql")


def comments_of(path: str, text: str, file):
    if file:
        for offset, comment in file.comments:
            for number, line in enumerate(comment.splitlines()):
                yield file.line(offset) + number, line
        return
    mark = "--" if path.endswith(".sql") else "#"
    for number, line in enumerate(text.splitlines(), start=1):
        m = re.search(rf"(?:^|\s){mark}\s(.*)", line)
        if m:
            yield number, m[1]


def check_notes(path: str, text: str, file):
    for line, comment in comments_of(path, text, file):
        m = UNOWNED_NOTE.search(comment)
        if m:
            yield Finding(path, line, "todo", f"{m[1]} without an issue: write {m[1]}(#12), "
                          "or do it now")


def check_words(path: str, text: str):
    if not path.startswith(WORD_FOLDERS) or path.startswith(WORD_FOLDERS_LATER):
        return
    for m in PERSON_WORDS.finditer(text):
        line, words = text.count("\n", 0, m.start()) + 1, " ".join(re.findall(r"\w+", m[0]))
        yield Finding(path, line, "words", f"'{words}': name the process that acts (worker, "
                      "claimer, caller, subscriber, matcher), or the person by their part")


def check_sizes(path: str, text: str, file):
    lines = text.splitlines()
    limit = SQL_COLUMNS_MAX if path.startswith("sql/") else COLUMNS_MAX
    for number, line in enumerate(lines, start=1):
        if len(line) > limit:
            yield Finding(path, number, "columns", f"{len(line)} columns, at most {limit}: "
                          "break the line")
    yield from check_file_lines(path, len(lines))
    if SQL_TEXT.match(path):
        found = [(name, line, count) for name, line, count, _ in sql_functions(text)]
    else:
        found = functions(file) if file else python_functions(path, text)
    for name, line, count in found:
        if count > FUNCTION_LINES_MAX:
            yield Finding(path, line, "function-lines", f"{name} has {count} lines, at most "
                          f"{FUNCTION_LINES_MAX}: extract a function", name=name, size=count)


def check_file_lines(path: str, count: int):
    if count > FILE_LINES_MAX and not SQL_NUMBERED.search(path):
        yield Finding(path, count, "file-lines", f"{count} lines, at most {FILE_LINES_MAX}: "
                      "split it by noun", size=count)


def python_functions(path: str, text: str):
    if not path.endswith(".py") and "python3" not in text.split("\n", 1)[0]:
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def sql_functions(text: str):
    """(name, line, lines, whether a comment stands above it) of each function that a file makes."""
    for m in re.finditer(r"^create (?:or replace )?function ([\w.\"]+)\s*\(", text, flags=re.M):
        rest = text[m.start():]
        body = re.search(r"\bas\s+(\$\w*\$)|\bbegin atomic\b|^return\b", rest, flags=re.M)
        if not body:
            continue
        if body[1]:
            end = rest.index(body[1], body.end())
        else:
            last = r"^end;" if body[0].startswith("begin") else r";$"
            end = re.compile(last, flags=re.M).search(rest, body.end()).start()
        line = text.count("\n", 0, m.start()) + 1
        above = text[:m.start()].splitlines()[-1:]
        yield m[1], line, rest.count("\n", 0, end) + 1, above and above[0].startswith("--")


def check_sql_text(path: str, text: str):
    if not SQL_TEXT.match(path):
        return
    for name, line, _, header in sql_functions(text):
        if not header:
            yield Finding(path, line, "contract", f"{name} has no comment above it: say what it "
                          "does, who calls it, what it locks, what it returns")


def check_header_names(paths: list):
    """An include should say by its name alone which header it means, in src/ and in tests/ each."""
    first = {}
    for path in paths:
        tree, name = path.split("/")[0], path.split("/")[-1]
        if tree not in ("src", "tests") or not name.endswith(".hpp"):
            continue
        other = first.setdefault((tree, name), path)
        if other != path:
            yield Finding(path, 1, "header-name", f"{other} has that name too: name it by what "
                          "it has")


def check_file(path: str, text: str, layers: dict):
    yield from check_words(path, text)
    if path.startswith("ui/"):  # Biome checks the rest
        yield from check_file_lines(path, text.count("\n"))
    if not path.startswith(tuple(f"{folder}/" for folder in FOLDERS)):
        return
    file = Cxx(text) if path.endswith((".cpp", ".hpp")) else None
    if file:
        yield from check_layers(path, file, layers)
        yield from check_rooms(path, file)
        yield from check_bans(path, file)
        yield from check_sql(path, file)
    yield from check_sql_text(path, text)
    yield from check_notes(path, text, file)
    yield from check_sizes(path, text, file)


def read_ratchet(text: str) -> dict:
    """Lines 'rule path[:function] size reason' -> {(rule, place): (size, line)}."""
    entries = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split(None, 3)
        if len(fields) < 4 or not fields[2].isdigit():
            sys.exit(f"{RATCHET}:{number}: expected 'rule path[:function] size reason'")
        entries[(fields[0], fields[1])] = (int(fields[2]), number)
    return entries


def apply_ratchet(findings: list, ratchet: dict) -> list:
    sizes = collections.Counter()
    for finding in findings:
        sizes[finding.key] += finding.size
    left = []
    for finding in findings:
        allowed, _ = ratchet.get(finding.key, (0, 0))
        if allowed == 0:
            left.append(finding)
        elif sizes[finding.key] > allowed:
            note = f"{finding.message} [{RATCHET} allows {allowed}, now {sizes[finding.key]}]"
            left.append(Finding(finding.path, finding.line, finding.rule, note))
    for key, (_, line) in ratchet.items():
        if key not in sizes:
            left.append(Finding(RATCHET, line, "ratchet", f"'{key[0]} {key[1]}' is no longer "
                                "needed: remove the line"))
    return left


def text_files(root: pathlib.Path):
    others = {name.split("/")[0] for name in WORD_FOLDERS} - set(FOLDERS)
    for folder in (*FOLDERS, *sorted(others)):
        for path in sorted((root / folder).rglob("*")):
            # Definitions of users and what releases wrote are not code: their lines may be long.
            definition = folder == "workflows" and path.suffix == ".yaml"
            recorded = path.is_relative_to(root / "tests/histories")
            if path.is_file() and not made_of(path) and not definition | recorded:
                try:
                    yield path.relative_to(root).as_posix(), path.read_text()
                except UnicodeDecodeError:
                    continue  # not text


def check_tree(root: pathlib.Path) -> int:
    layers = read_layers((root / "cmake/layers.cmake").read_text())
    findings, paths = list(check_layer_table(layers)), []
    for path, text in text_files(root):
        findings.extend(check_file(path, text, layers))
        paths.append(path)
    findings.extend(check_header_names(paths))
    ratchet_path = root / RATCHET
    ratchet = read_ratchet(ratchet_path.read_text()) if ratchet_path.exists() else {}
    findings = apply_ratchet(findings, ratchet)
    for finding in findings:
        print(f"{finding.path}:{finding.line}: {finding.rule}: {finding.message}")
    print(f"{len(paths)} files checked, {len(findings)} findings")
    return 1 if findings else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--self-test", action="store_true", help="prove that every rule can fail")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.self_test:
        import tidy_self_test

        return tidy_self_test.run(sys.modules[__name__])
    return check_tree(args.root)


if __name__ == "__main__":
    sys.exit(main())
