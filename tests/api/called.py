#!/usr/bin/env python3
"""Fails where a function of the public headers is called by no test, and where a struct that is filled does not
begin with its size. Usage: called.py [ROOT]"""

import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.S)
FUNCTION = re.compile(r"\bTENURE_API\b[^;]*?\b(tenure_\w+)\(")
STRUCT = re.compile(r"typedef struct (\w+) \{(.*?)\n\} \1;", re.S)
# Given by value, or items of arrays, and so never to grow.
PLAIN = {"tenure_ids", "tenure_allocator", "tenure_option_def", "tenure_counter_def", "tenure_way_def",
         "tenure_pack_item", "tenure_pack_pair"}


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    root = root if root.is_dir() else root.parents[2]
    headers = [COMMENT.sub("", p.read_text()) for p in sorted((root / "include" / "tenure").glob("*.h"))]
    tests = "\n".join(p.read_text() for d in ("tests", "examples") for p in sorted((root / d).rglob("*.c")))
    functions = {name for text in headers for name in FUNCTION.findall(text)}
    called = set(re.findall(r"\b(tenure_\w+)\(", COMMENT.sub("", tests)))
    wrong = [f"{name} is called by no test" for name in sorted(functions - called)]
    for text in headers:
        for name, members in STRUCT.findall(text):
            if name not in PLAIN and not members.lstrip().startswith("size_t struct_size;"):
                wrong.append(f"{name} does not begin with its size")
    print("\n".join(wrong) or f"all {len(functions)} functions of the public headers are called by tests")
    return 1 if wrong or not functions else 0


if __name__ == "__main__":
    sys.exit(main())
