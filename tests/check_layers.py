#!/usr/bin/env python3
"""Fails on every #include that tests/layers.txt does not allow. Usage: check_layers.py [ROOT]"""

import os
import re
import sys

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


def breaches(root, rules):
    for folder in sorted({r.split("/")[0] for r in rules}):
        for where, folders, files in os.walk(os.path.join(root, folder)):
            folders.sort()
            for name in sorted(files):
                if name.endswith((".c", ".h", ".def")):
                    yield from check(root, os.path.relpath(os.path.join(where, name), root), rules)


def check(root, path, rules):
    folder = folder_of(path, rules)
    with open(os.path.join(root, path), encoding="utf-8") as f:
        text = f.read()
    for target in INCLUDE.findall(text):
        if ".." in target.split("/"):
            yield f'{path}: include "{target}" climbs with ..'
        elif target.endswith(".pb-c.h"):
            if not path.startswith("frontends/onnx/") and not path.startswith("tests/"):
                yield f'{path}: include "{target}" outside frontends/onnx'
        elif not os.path.exists(os.path.join(root, target)):
            if not os.path.exists(os.path.join(root, "include", target)):
                yield f'{path}: include "{target}" is not written from the root'
        elif "*" not in rule_of(folder, rules) and folder_of(target, rules) not in rule_of(folder, rules) | {folder}:
            yield f'{path}: {folder} may not include "{target}"'


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    rules = load(os.path.join(root, "tests", "layers.txt"))
    found = list(breaches(root, rules))
    print("\n".join(found) or "no include breaks the layer table")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
