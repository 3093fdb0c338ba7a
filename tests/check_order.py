#!/usr/bin/env python3
"""Fails where one expression calls two functions that make something (ops, values, names, text of an artefact) in an
order that C leaves to the compiler: as two arguments of a call, elements of one list, or operands of one operator.
Made by gcc and by clang, graphs and artefacts would differ. Usage: check_order.py [ROOT]"""

import os
import re
import sys

FOLDERS = ("ir", "passes", "frontends", "backends", "lib", "cli", "examples", "tests", "bench", "web")
# Where making begins: all of these headers' functions that take what they change. Whoever calls one makes something,
# too, if it is given where to: of graphs in whatever structure, of texts in one that it may change.
GRAPHS = ("ir/build.h", "ir/mutate.h")
TEXTS = ("ir/base/sink.h", "tests/random/rng.h")
ALSO = {"tn_dim_sym", "fprintf", "fputs", "fputc", "fwrite", "putchar", "puts", "printf"}
# Pointers to these say nothing of what a function makes: it raises by them, takes memory there, or hands back what it
# was given (pb).
NOTHING = {"pb", "tn_ctx", "tn_arena", "char", "void", "bool", "double", "float", "size_t"}
BLANK = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*', re.S | re.M)
TOKEN = re.compile(r"[A-Za-z_]\w*|&&|\|\||->|\+\+|--|[-+*/%&|^<>=!]=|<<=?|>>=?|\d[\w.]*|\S")
HEAD = re.compile(r"^[A-Za-z_][\w *]*?[ *](\w+)\(((?:[^(){};]|\([^(){};]*\))*)\)[^(){};=]*([{;])", re.M)
ORDERED = {"&&", "||", "?", ":", ";"}  # what stands before is done before what stands behind begins
CLOSING = {"(": ")", "[": "]", "{": "}"}
WHOLE = {"if", "while", "for", "switch"}  # what stands in their brackets is done before what follows
NO_CALL = WHOLE | {"return", "sizeof", "_Static_assert", "case", "else", "do"}


def blanked(text):
    """The text without comments, literals and directives, every line where it was."""
    return BLANK.sub(lambda m: ('""' if m.group()[0] in "\"'" else "") + "\n" * m.group().count("\n"), text)


def changes(parameters, also_const=False):
    """Whether a function with these parameters is given something that it can change, or that holds such a thing."""
    for one in parameters.split(","):
        m = re.match(r"\s*(const\s+)?(?:struct\s+)?(\w+)\s*\*+\s*(?!\s*const\s*\*)", one)
        if m and (also_const or not m.group(1)) and m.group(2) not in NOTHING and not m.group(2).endswith("_t"):
            return True
    return False


class Source:
    def __init__(self, root, path):
        with open(os.path.join(root, path), encoding="utf-8") as f:
            self.text = blanked(f.read())
        self.path = path
        self.local, self.bodies = set(), []  # names of static functions of a .c; (name, parameters, tokens) of all
        self.declared = []  # (name, parameters)
        for m in HEAD.finditer(self.text):
            if m.group(3) == ";":
                self.declared.append((m.group(1), m.group(2)))
                continue
            if m.group().startswith("static") and path.endswith(".c"):
                self.local.add(m.group(1))
            end = self.text.find("\n}", m.end())
            first = self.text.count("\n", 0, m.end()) + 1
            self.bodies.append((m.group(1), m.group(2), tokens_of(self.text[m.end():end], first)))

    def known_as(self, name):
        """Static functions are known by their file, all others everywhere."""
        return (self.path, name) if name in self.local else name


def tokens_of(text, line):
    found, at = [], 0
    for m in TOKEN.finditer(text):
        line += text.count("\n", at, m.start())
        at = m.start()
        found.append((m.group(), line))
    return found


def callers_of(sources, headers, also, also_const):
    """Names of all functions that make something by these headers, in the form of known_as."""
    made = set(also)
    for s in sources:
        if s.path in headers:
            made.update(name for name, parameters, *_ in s.declared + s.bodies if changes(parameters))
    callers = {}
    for s in sources:
        for name, parameters, tokens in s.bodies:
            if changes(parameters, also_const):
                for word in {t for t, _ in tokens}:
                    callers.setdefault(s.known_as(word), set()).add(s.known_as(name))
    todo = list(made)
    while todo:
        for name in callers.get(todo.pop(), set()) - made:
            made.add(name)
            todo.append(name)
    return made


def makers(sources):
    return callers_of(sources, GRAPHS, (), True) | callers_of(sources, TEXTS, ALSO, False)


class Finder:
    """Walks the tokens of a body. Each method returns the first maker that is called there, or None."""

    def __init__(self, source, made):
        self.makes = lambda name: source.known_as(name) in made
        self.found = []

    def several(self, parts, line):
        parts = [p for p in parts if p]
        if len(parts) > 1:
            self.found.append((line, parts[0], parts[1]))
        return parts[0] if parts else None

    def group(self, tokens, i, commas_order):
        """Behind an opening bracket at i - 1 up to the closing one: (what is made, index behind it)."""
        closing = CLOSING[tokens[i - 1][0]]
        line, elements, parts, any_made = tokens[i - 1][1], [], [], None
        while i < len(tokens):
            word, at = tokens[i]
            if word == closing or word in ORDERED or word == "," or (word in "{}" and closing == "}"):
                made, parts = self.several(parts, line), []
                any_made = any_made or made
                line = at
            if word == closing:
                break
            if word == "," and not commas_order:
                elements.append(any_made)
                any_made = None
            if word in CLOSING:
                made, i, whole = self.inner(tokens, i)
                parts.append(made)
                if whole:
                    any_made, parts = self.several(parts, line) or any_made, []
                continue
            i += 1
        if not commas_order:
            any_made = self.several(elements + [any_made], tokens[i - 1][1] if i else 0)
        return any_made, i + 1

    def inner(self, tokens, i):
        before = tokens[i - 1][0] if i else ";"
        word = tokens[i][0]
        call = word == "(" and re.match(r"\w", before) and before not in NO_CALL
        listed = word == "{" and before in ("=", ")", ",", "{", "]") and self.is_list(tokens, i)
        made, behind = self.group(tokens, i + 1, not (call or listed))
        if call and self.makes(before):
            made = before
        return made, behind, word == "{" and not listed or before in WHOLE

    @staticmethod
    def is_list(tokens, i):
        """Whether the brace at i opens a list of values and no block."""
        depth = 0
        for word, _ in tokens[i:]:
            depth += (word == "{") - (word == "}")
            if word == ";":
                return False
            if depth == 0:
                return True
        return False


def check(source, made):
    for name, _, tokens in source.bodies:
        finder = Finder(source, made)
        finder.group([("{", 0)] + tokens + [("}", 0)], 1, True)
        for line, a, b in finder.found:
            yield f"{source.path}:{line}: {name}: {a} and {b} in an order that the compiler chooses"


def paths(root):
    for folder in FOLDERS:
        for where, folders, names in os.walk(os.path.join(root, folder)):
            folders.sort()
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(where, name), root)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sources = [Source(root, path) for path in paths(root)]
    made = makers(sources)
    found = [line for s in sources for line in check(s, made)]
    print(*found, f"{len(made)} functions make something: {len(found)} expressions leave their order open", sep="\n")
    return 1 if found or len(made) < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
