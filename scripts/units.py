#!/usr/bin/env python3
"""Writes the units: files of a layer that are compiled together, as one.

    scripts/units.py --lines N --out FOLDER --include FOLDER... --layer TARGET FILE.cpp... [...]

Prints what tells CMake to compile them. What the files of a unit share is then compiled once: their
headers and, more than these, the templates and inline functions that each of them needs.

A call must never find another function than it finds when each file is compiled alone. So a name
that is private to a file (of an unnamed namespace, a constant, an alias), and that occurs in
another file of the unit, or that a header offers which only another file includes, is renamed: a
macro appends the name of the file to it. All headers of a unit come first, so that neither a
private name nor a macro reaches one. Where a macro would hit more than that name (a member, a
function of a header, a text that a macro makes of it), the two files do not share a unit.
"""

import argparse
import functools
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from cxx_text import PREPROCESSOR, Cxx, blank, matching_brace, until_stable

WORD = re.compile(r"(?<![\w.:>])[A-Za-z_]\w*")  # as it is looked up: no member, no qualified name
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
ANY_INCLUDE = re.compile(r"^#include .*$", re.M)
LINKAGE = re.compile(r'^extern "C" \{', re.M)
UNNAMED = re.compile(r"\bnamespace\s*\{")
NAMED = re.compile(r"\bnamespace\s+[\w:]+\s*\{")
# Outside of unnamed namespaces, too, some names belong to their file alone.
CONSTANT = re.compile(
    r"^(?:(?:static|constexpr)\s[^;={(]*?(?<![:\w])(\w+)\s*[;=\[{(]"
    # A function that returns a pointer or a reference to a constant is none.
    r"|const\s[^;={(]*?(?<![:\w])(\w+)\s*[;=\[{]|const\s[^;={(]*[^\s*&]\s+(\w+)\()",
    re.M,
)
ALIAS = re.compile(r"^using\s+(?!namespace\b)(?:[\w:]*::)?(\w+)\s*[=;]", re.M)
TAKEN_OVER = re.compile(r"^(?:using|namespace)\s+(?:[\w:]*::)?(\w+)\s*(?:=[^;{]*)?;", re.M)
TYPE = re.compile(r"\b(?:class|struct|enum)\s+(\w+)")
CLASS = re.compile(r"\b(?:class|struct)\s+([\w:]+)\s*(?:final\s*)?(:[^;{}()]*)?\{")
# Found by the type of an argument, by name: the library, a test or a formatter calls them.
FOUND_BY_NAME = {
    "begin", "end", "format_as", "get", "hash_value", "main", "operator", "PrintTo", "swap",
    "tag_invoke", "to_string",
}  # fmt: skip


@functools.cache
def code_of(path: pathlib.Path) -> str:
    return PREPROCESSOR.sub(lambda m: blank(m[0]), Cxx(path.read_text()).code)


@functools.cache
def words_of(path: pathlib.Path) -> frozenset:
    return frozenset(WORD.findall(code_of(path)))


@functools.cache
def types_of(path: pathlib.Path) -> frozenset:
    return frozenset(re.findall(r"\b(?:class|struct) (\w+)[^;(){}]*\{", code_of(path)))


@functools.cache
def included_by(path: pathlib.Path, folders: tuple) -> frozenset:
    places = (path.parent, *folders)
    named = [[f / name for f in places] for name in INCLUDE.findall(path.read_text())]
    found = (next((path for path in paths if path.is_file()), None) for paths in named)
    return frozenset(path for path in found if path)


def include_lines(path: pathlib.Path):
    """The includes of a file, such that they mean the same in a file of another folder."""
    for line in ANY_INCLUDE.findall(path.read_text()):
        name = INCLUDE.match(line)
        beside = path.parent / name[1] if name else None
        yield f'#include "{beside}"' if beside and beside.is_file() else line


@functools.cache
def members_of(path: pathlib.Path) -> dict:
    """Of each class of a file the words of its body, and the words of its head: what it is from."""
    classes = {}
    for match in CLASS.finditer(code_of(path)):
        body = code_of(path)[match.end() : matching_brace(code_of(path), match.end() - 1)]
        words, bases = classes.setdefault(match[1].split("::")[-1], (set(), set()))
        words.update(re.findall(r"\w+", body))
        bases.update(re.findall(r"\w+", match[2] or ""))
    return classes


@functools.cache
def offered_by(path: pathlib.Path) -> frozenset:
    """The names that a header declares outside of classes."""
    return frozenset(declarations(without_namespaces(code_of(path))))


def without_namespaces(code: str) -> str:
    while match := NAMED.search(code):
        close = matching_brace(code, match.end() - 1)
        code = code[: match.start()] + code[match.end() : close] + code[close + 1 :]
    return code


def declared(head: str) -> set:
    """The names that a declaration makes, told from what stands before its body or its end."""
    head = re.sub(r"\[\[.*?\]\]", " ", head, flags=re.S).strip()
    if re.match(r"[A-Z_]+\(", head):
        return set()  # TEST(Suite, name) and its like, whose names are unique in the program
    if re.match(r"using\s+namespace\s.*literals$", head):
        return set()
    alias = re.match(r"using\s+(?:[\w:]*::)?(\w+)\s*(?:=|$)", head)
    if alias:
        return {alias[1]}
    head = until_stable(r"<[^<>]*>", "", re.split(r"(?<![=!<>])=(?!=)", head)[0])
    of_type = re.match(r"(?:template\s*)?(?:struct|class|union|enum(?:\s+class)?)\s+(\w+)", head)
    name = of_type or re.search(r"(\w+)\s*\(", head) or re.search(r"(\w+)\s*(?:\[.*)?$", head)
    return {name[1]} if name else set()


def declarations(body: str) -> set:
    """The names that are declared at the outermost level of some code."""
    names, head, at = set(), 0, 0
    while at < len(body):
        if body[at] == "{":
            close = matching_brace(body, at)
            names |= declared(body[head:at])
            if re.search(r"\benum\s+(?!class)", body[head:at]):
                names.update(re.findall(r"[A-Za-z_]\w*", body[at:close]))
            head = at = close + 1
        elif body[at] == ";":
            names |= declared(body[head:at])
            head = at = at + 1
        else:
            at += 1
    return names


def private_names(code: str) -> set:
    names = {name for match in CONSTANT.findall(code) for name in match if name}
    names.update(ALIAS.findall(code))
    for match in UNNAMED.finditer(code):
        opening = match.end() - 1
        names |= declarations(code[opening + 1 : matching_brace(code, opening)])
    return names


def words_in_macros(code: str) -> set:
    words = set()
    for match in re.finditer(r"\b[A-Z][A-Z0-9_]+\(", code):
        depth, at = 1, match.end()
        while depth and at < len(code):
            depth += {"(": 1, ")": -1}.get(code[at], 0)
            at += 1
        words.update(re.findall(r"\w+", code[match.end() : at]))
    return words


class File:
    def __init__(self, path: str, folders: list):
        self.path = pathlib.Path(path)
        self.folders = tuple(folders)
        self.code = code_of(self.path)
        self.lines = self.code.count("\n")
        self.private = private_names(self.code)
        self.headers = set()
        self.collect_headers(self.path)
        # `using std::chrono::seconds;` means the same wherever it stands.
        self.taken_over = {match[1]: match[0] for match in TAKEN_OVER.finditer(self.code)}
        self.fixed = frozenset(self.fixed_names())
        types = frozenset().union(*(types_of(header) for header in self.headers))
        self.types = types & words_of(self.path)
        directives = [m[0].lstrip() for m in PREPROCESSOR.finditer(self.path.read_text())]
        plain = all(d.startswith(("#include", "#pragma")) for d in directives)
        # A header of C that is included as such must not be included before, as one of C++.
        self.stands_alone = not plain or bool(LINKAGE.search(self.path.read_text()))

    def collect_headers(self, path: pathlib.Path):
        for found in included_by(path, self.folders) - self.headers:
            self.headers.add(found)
            self.collect_headers(found)

    def fixed_names(self):
        """The private names that a macro cannot rename."""
        in_macros = words_in_macros(self.code)
        own_members = self.words_of_own_classes()
        own_types = set(TYPE.findall(self.code)) - {"class"}
        qualified = set(re.findall(r"(?:\.|->)\s*(\w+)", self.code))
        for qualifier, name in re.findall(r"(\w*)(?=::(\w+))", self.code):
            if qualifier not in own_types:
                qualified.add(name)
        for name in self.private:
            if (
                name in FOUND_BY_NAME
                or name in in_macros
                or name in own_members
                or name in qualified
                or any(name in offered_by(header) for header in self.headers)
            ):
                yield name

    def words_of_own_classes(self) -> set:
        """What a bare word may mean in the members that this file defines of others' classes."""
        classes = {}
        for header in self.headers:
            for name, (words, bases) in members_of(header).items():
                known = classes.setdefault(name, (set(), set()))
                known[0].update(words)
                known[1].update(bases)
        own = set(re.findall(r"\b(\w+)::", self.code))
        for _, bases in members_of(self.path).values():
            own |= bases
        reached, words = set(), set()
        while own := own - reached:
            reached |= own
            found = [classes[name] for name in own if name in classes]
            words.update(*(of for of, _ in found))
            own = set().union(*(bases for _, bases in found))
        return words

    def met_by(self, other) -> set:
        """The private names of this file that mean something, or would, in the other."""
        met = self.private & (words_of(other.path) | other.private)
        for header in other.headers - self.headers:
            met |= self.private & offered_by(header)
        same = self.taken_over.items() & other.taken_over.items()
        return met - {name for name, _ in same}

    def hides_a_type_of(self, other) -> bool:
        """Whether a header of this file has another type by the name of one that the other uses."""
        return any(types_of(header) & other.types for header in self.headers - other.headers)

    def disturbs(self, other) -> bool:
        return self.hides_a_type_of(other) or bool(self.met_by(other) & self.fixed)


def units_of(files: list, lines: int) -> list:
    """Sorts files into units of about the same size, of at most so many lines."""
    total = sum(file.lines for file in files)
    room = max(total / max(1, -(-total // lines)) * 1.05, *(file.lines for file in files))
    units = []
    for file in files:
        for unit in units:
            fits = sum(f.lines for f in unit) + file.lines <= room and not file.stands_alone
            if fits and not any(
                f.stands_alone or file.disturbs(f) or f.disturbs(file) for f in unit
            ):
                unit.append(file)
                break
        else:
            units.append([file])
    return units


def text_of(unit: list) -> str:
    headers = dict.fromkeys(line for file in unit for line in include_lines(file.path))
    lines = ["// Made by scripts/units.py, which says how.", *headers]
    for file in unit:
        met = sorted(set().union(*(file.met_by(other) for other in unit if other is not file)))
        lines += [f"#define {word} {word}_of_{file.path.stem}" for word in met]
        lines.append(f'#include "{file.path}"')
        lines += [f"#undef {word}" for word in met]
    return "\n".join(lines) + "\n"


def write(path: pathlib.Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lines", type=int, required=True, help="how many lines a unit may have")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="where the units go")
    parser.add_argument("--include", type=pathlib.Path, nargs="+", default=[])
    parser.add_argument("--layer", nargs="+", action="append", required=True, metavar="FILE")
    args = parser.parse_args()
    for target, *paths in args.layer:
        files = [File(path, args.include) for path in paths]
        written = set()
        for number, unit in enumerate(units_of(files, args.lines)):
            if len(unit) == 1:
                continue
            path = args.out / target / f"{number}.cpp"
            write(path, text_of(unit))
            written.add(path)
            paths = " ".join(f'"{file.path}"' for file in unit)
            print(f"set_source_files_properties({paths} PROPERTIES HEADER_FILE_ONLY ON)")
            print(f'target_sources({target} PRIVATE "{path}")')
        for path in set((args.out / target).glob("*.cpp")) - written:
            path.unlink()


if __name__ == "__main__":
    main()
