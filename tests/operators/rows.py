"""The op table as `tenure --list-ops=json` prints it."""

import json
import re
import subprocess


def read_table(tenure):
    """(domain, name) -> row, a dict by column; "" is ai.onnx."""
    lines = subprocess.run([tenure, "--list-ops=json"], capture_output=True, check=True, text=True).stdout
    rows = map(json.loads, lines.splitlines())
    return {(r["domain"], r["name"]): r for r in rows}


def inplace_claims(row, n_operands):
    """(result, operands, condition) of the in-place column, for a node of that many operands."""
    found = []
    for result, operands, cond in re.findall(r"(\d+) over ([\d ]+|all) \((\w+)\)", row["inplace"]):
        which = range(n_operands) if operands == "all" else [int(k) for k in operands.split()]
        found.append((int(result), list(which), cond))
    groups = [(int(r), int(o)) for r, o in re.findall(r"group (\d+) over group (\d+)", row["inplace"])]
    if groups:  # behind two operands as many tensors for each group
        each = (n_operands - 2) // (len(groups) + 1)
        found += [(r * each + i, [2 + o * each + i], "update") for r, o in groups for i in range(each)]
    return found
