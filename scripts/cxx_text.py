"""Just enough C++ reading for scripts/tidy.py: comments, string literals, function bodies."""

import bisect
import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r'(?P<comment>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/)'
    r'|(?P<raw>(?:u8|[uUL])?R"(?P<delim>[^()\\\s]{0,16})\(.*?\)(?P=delim)")'
    r'|(?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")'
    r"|(?P<char>(?<![0-9a-fA-F])(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')",
    re.S,
)
PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.M)
TYPE_HEAD = re.compile(r"\b(?:namespace|class|struct|union|enum)\b")


@dataclass
class Cxx:
    """A C++ file whose comments and literals have been told apart from its code."""

    text: str
    code: str = ""  # same length and lines; comments and literals are blank
    comments: list = field(default_factory=list)  # (offset, text)
    literals: list = field(default_factory=list)  # (offset, text), neighbours joined
    starts: list = field(default_factory=list)

    def __post_init__(self):
        self.starts = [0] + [m.end() for m in re.finditer("\n", self.text)]
        pieces, end, last_literal_end = [], 0, -1
        for m in TOKEN.finditer(self.text):
            pieces.append(self.text[end : m.start()])
            pieces.append(blank(m[0]))
            if m["comment"]:
                self.comments.append((m.start(), m[0]))
            elif (m["raw"] or m["string"]) and not self.in_include(m.start()):
                between = blank_comments(self.text[last_literal_end : m.start()])
                if last_literal_end >= 0 and not between.strip():
                    offset, before = self.literals[-1]
                    self.literals[-1] = (offset, before + inner(m))
                else:
                    self.literals.append((m.start(), inner(m)))
                last_literal_end = m.end()
            end = m.end()
        pieces.append(self.text[end:])
        self.code = "".join(pieces)

    def in_include(self, offset: int) -> bool:
        line_start = self.starts[self.line(offset) - 1]
        return self.text[line_start:offset].lstrip().startswith("#include")

    def line(self, offset: int) -> int:
        return bisect.bisect_right(self.starts, offset)


def blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def blank_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)


def inner(match) -> str:
    if match["raw"]:
        return match[0].split("(", 1)[1].rsplit(")", 1)[0]
    return match[0].split('"', 1)[1][:-1].replace("\\n", "\n")


def functions(file: Cxx):
    """Yields (name, first line, number of lines of the body) of each outermost function."""
    code = PREPROCESSOR.sub(lambda m: blank(m[0]), file.code)
    head_start, depth_of_parens, at = 0, 0, 0
    while at < len(code):
        char = code[at]
        if char == "(":
            depth_of_parens += 1
        elif char == ")":
            depth_of_parens -= 1
        elif char == ";" and depth_of_parens == 0:
            head_start = at + 1
        elif char == "}":
            head_start, depth_of_parens = at + 1, 0
        elif char == "{":
            kind, name = classify(code[head_start:at], depth_of_parens)
            if kind == "scope":
                head_start, depth_of_parens = at + 1, 0
            else:
                close = matching_brace(code, at)
                if kind == "function":
                    first, last = file.line(at), file.line(close)
                    yield name, first, last - first + 1
                    head_start = close + 1
                at = close  # an initialiser is part of its head: go on behind it
        at += 1


def matching_brace(code: str, opening: int) -> int:
    depth = 0
    for m in re.compile(r"[{}]").finditer(code, opening):
        depth += 1 if m[0] == "{" else -1
        if depth == 0:
            return m.start()
    return len(code) - 1


def classify(head: str, depth_of_parens: int):
    """What a brace opens, told from the code since the last statement."""
    if depth_of_parens > 0:
        return "initialiser", ""
    flat = strip_nested(re.sub(r"operator\s*[^\w\s(]+", "operator_", head))
    declared = re.sub(r"\b(?:public|private|protected)\s*:(?!:)", " ", flat)
    if "()" not in declared or TYPE_HEAD.match(declared.strip()):
        is_value = re.search(r"=\s*$|[\w>\]]\s*$", declared) and not TYPE_HEAD.search(declared)
        is_value = is_value and "extern" not in declared
        return ("initialiser" if is_value else "scope"), ""
    if re.search(r"(?<![=!<>])=(?!=)", declared):
        return "initialiser", ""
    if re.search(r"\)[^()]*(?<!:):(?!:)(?:.*,)?\s*[\w:<>]+\s*$", declared):
        return "initialiser", ""  # member{value} of a constructor
    return "function", function_name(head)


def function_name(head: str) -> str:
    test = re.search(r"\bTEST\w*\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)", head)
    if test:
        return f"{test[1]}.{test[2]}"
    name = re.search(r"([\w:~]+)\s*\(", re.sub(r"operator\s*[^\w\s(]+", "operator", head))
    return name[1] if name else "?"


def strip_nested(head: str) -> str:
    """Empties parentheses, attributes and template argument lists: f(int a = 1) -> f()."""
    head = re.sub(r"\[\[.*?\]\]", " ", head, flags=re.S)
    head = until_stable(r"\([^()]*\)", "\a", head).replace("\a", "()")
    head = until_stable(r"<[^<>]*>", "", head)
    head = until_stable(r"\{[^{}]*\}", "()", head)
    return re.sub(r"\btemplate\b", " ", head)


def until_stable(pattern: str, replacement: str, text: str) -> str:
    before = None
    while before != text:
        before, text = text, re.sub(pattern, replacement, text)
    return text
