#!/usr/bin/env python3
"""Fails on every #include that tests/layers.txt does not allow, on a private header (x_t.h) that another folder
includes, on a header of the system outside of ir/os, and on two sources or headers of one name. Usage:
check_layers.py [ROOT]"""

import os
import re
import sys

TESTING = {"tests", "bench"}  # may look into private headers; names are their own
TEXT = os.path.join("backends", "kernels", "library")  # what programs hold: tenure compiles none of it, and it knows no tree
SYSTEM = os.path.join("ir", "os")
# What every C compiler has, without what asks for a system (signals, threads, times), and the libraries that tenure uses.
PLAIN = re.compile(r"(assert|ctype|errno|float|inttypes|limits|locale|math|setjmp|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|"
                   r"stdio|stdlib|string|jansson|xxhash|onnx\.pb-c|nettle/\w+|tenure/\w+|tenure_cl\w*|CL/cl|sanitizer/\w+)\.h")
ANGLED = re.compile(r"^\s*#\s*include\s*<([^>]+)>", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def load(path):
    rules = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            line = line.split("#")[0].strip()
            if line:
                folder, allowed = line.split(":")
                rules[folder.strip()] = set(allowed.split())
    return rules


def rule_of(folder, rules):
    """What the folder may include by its own line, or by `<parent>/*`; None when no line is about it."""
    return rules.get(folder, rules.get(os.path.dirname(folder) + "/*"))


def folder_of(path, rules):
    """The longest folder with a rule that holds the path, or None."""
    folder = os.path.dirname(path)
    while folder:
        if rule_of(folder, rules) is not None:
            return folder
        folder = os.path.dirname(folder)
    return None


def sources(root, rules):
    """Paths from the root of all sources in the folders of the table."""
    for folder in sorted({r.split("/")[0] for r in rules}):
        for where, folders, files in os.walk(os.path.join(root, folder)):
            folders.sort()
            for name in sorted(files):
                if name.endswith((".c", ".h", ".def")):
                    yield os.path.relpath(os.path.join(where, name), root)


def repeated(paths):
    """A file is found by its name, so no two have one."""
    first = {}
    for path in paths:
        if path.split("/")[0] not in TESTING:
            other = first.setdefault(os.path.basename(path), path)
            if other != path:
                yield f"{path}: there is {other} already"


def is_private(path, target):
    return (target.endswith("_t.h") and os.path.dirname(target) != os.path.dirname(path)
            and path.split("/")[0] not in TESTING)


def check(root, path, rules):
    if os.path.dirname(path) == TEXT:
        return
    folder = folder_of(path, rules)
    with open(os.path.join(root, path), encoding="utf-8") as f:
        text = f.read()
    if os.path.dirname(path) != SYSTEM and path.split("/")[0] not in TESTING | {"include"}:
        yield from (f"{path}: <{target}> is no header of plain C: what asks the system stands in {SYSTEM}"
                    for target in ANGLED.findall(text) if not PLAIN.fullmatch(target))
    for target in INCLUDE.findall(text):
        if ".." in target.split("/"):
            yield f'{path}: include "{target}" climbs with ..'
        elif target.endswith(".pb-c.h"):
            if not path.startswith("frontends/onnx/") and not path.startswith("tests/"):
                yield f'{path}: include "{target}" outside frontends/onnx'
        elif is_private(path, target):
            yield f'{path}: include "{target}" is private to its folder'
        elif not os.path.exists(os.path.join(root, target)):
            if not os.path.exists(os.path.join(root, "include", target)):
                yield f'{path}: include "{target}" is not written from the root'
        elif "*" not in rule_of(folder, rules) and folder_of(target, rules) not in rule_of(folder, rules) | {folder}:
            yield f'{path}: {folder} may not include "{target}"'


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    rules = load(os.path.join(root, "tests", "layers.txt"))
    paths = list(sources(root, rules))
    found = [breach for path in paths for breach in check(root, path, rules)] + list(repeated(paths))
    print("\n".join(found) or "no include breaks the layer table or asks a system, no file name repeats")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
