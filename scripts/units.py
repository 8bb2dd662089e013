#!/usr/bin/env python3
"""Says which files may be compiled together, as one unit.

    scripts/units.py --size N --include FOLDER... --layer FILE.cpp... [--layer FILE.cpp...]

Prints the property that tells CMake, for each unit of more than one file. What the files of a unit
share, above all their headers, is then compiled once. Two files share a unit only if no name that
is private to one (of an unnamed namespace, a constant, an alias) occurs in the other, or in a
header that only the other includes: a call must never find another function than it finds when
each file is compiled alone.
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
UNNAMED = re.compile(r"\bnamespace\s*\{")
# Outside of unnamed namespaces, too, some names belong to their file alone.
CONSTANT = re.compile(r"^(?:static|constexpr|const)\s[^;={(]*?(\w+)\s*[;=\[{(]", re.M)
ALIAS = re.compile(r"^using\s+(?!namespace\b)(?:[\w:]*::)?(\w+)\s*[=;]", re.M)


@functools.cache
def code_of(path: pathlib.Path) -> str:
    return PREPROCESSOR.sub(lambda m: blank(m[0]), Cxx(path.read_text()).code)


@functools.cache
def words_of(path: pathlib.Path) -> frozenset:
    return frozenset(WORD.findall(code_of(path)))


def declared(head: str) -> set:
    """The names that a declaration makes, told from what stands before its body or its end."""
    head = re.sub(r"\[\[.*?\]\]", " ", head, flags=re.S).strip()
    if re.match(r"[A-Z_]+\(", head):
        return set()  # TEST(Suite, name) and its like, whose names are unique in the program
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
    names = set(CONSTANT.findall(code)) | set(ALIAS.findall(code))
    for match in UNNAMED.finditer(code):
        opening = match.end() - 1
        names |= declarations(code[opening + 1 : matching_brace(code, opening)])
    return names


class File:
    def __init__(self, path: str, folders: list):
        self.path = pathlib.Path(path)
        self.folders = folders
        self.private = private_names(code_of(self.path))
        self.headers = set()
        self.collect_headers(self.path)

    def collect_headers(self, path: pathlib.Path):
        for name in INCLUDE.findall(path.read_text()):
            found = next((f / name for f in self.folders if (f / name).is_file()), None)
            if found and found not in self.headers:
                self.headers.add(found)
                self.collect_headers(found)

    def disturbs(self, other) -> bool:
        """Whether a name of this file means something, or would, in the other."""
        if self.private & words_of(other.path):
            return True
        return any(self.private & words_of(h) for h in other.headers - self.headers)


def units_of(files: list, size: int) -> list:
    units = []
    for file in files:
        for unit in units:
            fits = len(unit) < size
            if fits and not any(file.disturbs(f) or f.disturbs(file) for f in unit):
                unit.append(file)
                break
        else:
            units.append([file])
    return units


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, required=True, help="how many files a unit may have")
    parser.add_argument("--include", type=pathlib.Path, nargs="+", default=[])
    parser.add_argument("--layer", nargs="+", action="append", required=True, metavar="FILE")
    args = parser.parse_args()
    for layer in args.layer:
        files = [File(path, args.include) for path in layer]
        for number, unit in enumerate(units_of(files, args.size)):
            if len(unit) > 1:
                paths = " ".join(f'"{file.path}"' for file in unit)
                print(f"set_source_files_properties({paths} PROPERTIES UNITY_GROUP {number})")


if __name__ == "__main__":
    main()
