#!/usr/bin/env python3
"""Fails where code tells ops apart by anything but the columns of the op table: by name, by the number or
the strings of a row, by the address of a rule. Frontends and the table itself (ir/ops) may.
Usage: check_op_facts.py [ROOT]"""

import os
import re
import sys

FOLDERS = ("include", "ir", "passes", "backends", "lib", "cli")
TABLE = os.path.join("ir", "ops")
GRADIENTS = os.path.join("ir", "gradient")  # what column .grad is made of: it emits ops by name
ROW = re.compile(r'\b(?:OP[23]?|BOTH)\(((?:\s*(?:"[^"]*"|[A-Z]+)\s*,)+)')
RULE = re.compile(r"\b(RULE|PART_RULE|REACH_RULE|STATES_RULE|MEMBERS_RULE|VIEW_RULE)\((\w+)\)")
PREFIX = {"RULE": "shape", "PART_RULE": "part", "REACH_RULE": "reach",
          "STATES_RULE": "states", "MEMBERS_RULE": "members"}
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
COMPARES = r"\b(?:str\w+|mem(?:cmp|chr|mem))\s*\([^;{}]*"
COLUMN = r"(?:domain|name|versions|sig|attrs|doc|inplace|view_of|shape_only|reads)\b"
FORBIDDEN = (
    (re.compile(r"\bTN_OP_(?!EXTERN\b|COUNT\b)[A-Z]\w*"), "names a row"),
    (re.compile(r"->code\s*[!=]=(?!\s*TN_OP_EXTERN\b)|\bswitch\s*\([^)]*->code\b"), "compares the number of a row"),
    (re.compile(r"->(?:shape|part|reach|states|members|view_if)\s*[!=]=(?!\s*NULL\b)"), "compares a rule's address"),
    (re.compile(COMPARES + r"\b(?:info|row)\s*->\s*" + COLUMN), "searches the strings of a row"),
    (re.compile(r"\btn_op_info_get\((?:[^()]|\([^()]*\))*\)\s*->\s*" + COLUMN), "reads the strings of a row"),
    (re.compile(r"\btn_op_find\("), "looks for a row by name"),
)
# Ops get the number of their row when they are made; the verifier checks it; the list shows rows.
ALLOWED = {
    ("backends/kernels/library/fused_quant.c", 'names op "Relu"'),  # of another's list, which a fused op holds
    ("ir/verify.c", "compares the number of a row"),
    ("ir/infer/infer.c", "names rule tn_shape_call"),  # called functions have no row of their own
    ("lib/listing/list_ops.c", 'names op "View"'),  # titles of columns
    ("lib/listing/list_ops.c", 'names op "Gradient"'),
    ("backends/core/step_call.c", "looks for a row by name"),  # plans name ops
    ("ir/compute/nest_formula.c", "looks for a row by name"),  # fused ops name another in an attribute
    ("ir/ops/op_set.c", "looks for a row by name"),
    ("lib/op_facts.c", "looks for a row by name"),  # facts name ops
    ("lib/op_facts.c", "searches the strings of a row"),
    ("lib/api/api_op_facts.c", "looks for a row by name"),  # programs ask by name
    ("ir/onnx/write_function.c", 'names op "Constant"'),  # what ONNX has for initializers of functions
    ("lib/advice/advise_cache.c", 'names op "TensorScatter"'),  # made in a trial: what ONNX has for caches
    ("passes/tile/rewrite.c", 'names op "Slice"'),  # made: parts are cut, joined, and put together in place
    *(("passes/tile/leave.c", f'names op "{name}"') for name in ("Concat", "Reshape", "Pad", "ScatterND")),
    ("lib/api/api_plugin_op.c", "looks for a row by name"),  # plug-ins name ops
    ("lib/api/api_plugin_op.c", "searches the strings of a row"),
    ("lib/api/api_plugin_pass.c", "searches the strings of a row"),  # names of analyses, in fact
}


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def files(root, folder, endings):
    for where, folders, names in os.walk(os.path.join(root, folder)):
        folders.sort()
        for name in sorted(names):
            if name.endswith(endings):
                yield os.path.relpath(os.path.join(where, name), root)


def names_of_table(root):
    """Op types, and the functions that rows name."""
    ops, rules = set(), set()
    for path in files(root, TABLE, ".def"):
        text = read(os.path.join(root, path))
        for head in ROW.findall(text):
            strings = [s for s in LITERAL.findall(head) if re.search("[A-Za-z]", s)]
            ops.update(strings[-1:])
        rules.update(f"tn_{PREFIX.get(kind, 'view')}_{name}" for kind, name in RULE.findall(text))
    return ops, rules


def problems(text, ops, rules):
    code = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    for pattern, what in FORBIDDEN:
        yield from ((m.start(), what) for m in pattern.finditer(code))
    for m in LITERAL.finditer(code):
        if m.group(1) in ops:
            yield m.start(), f'names op "{m.group(1)}"'
    for m in re.finditer(r"\btn_\w+", code):
        if m.group() in rules:
            yield m.start(), f"names rule {m.group()}"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    ops, rules = names_of_table(root)
    n = 0
    for folder in FOLDERS:
        for path in files(root, folder, (".c", ".h")):
            if path.startswith((TABLE + os.sep, GRADIENTS + os.sep)):
                continue
            text = read(os.path.join(root, path))
            for at, what in sorted(problems(text, ops, rules)):
                if (path, what) not in ALLOWED:
                    print(f"{path}:{text.count(chr(10), 0, at) + 1}: {what}; ask a column of the op table")
                    n += 1
    print(f"{len(ops)} op types, {len(rules)} rules: {n} places tell ops apart outside the op table")
    return 1 if n or len(ops) < 490 or len(rules) < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
