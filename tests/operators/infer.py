"""Runs the program tests/tools/infer_types.c."""

import json
import subprocess

LIMIT_S = 900


def ours(program, path):
    """(key of graph, name) -> row, of the results of ops, but not those in bodies of functions. A key of a graph is
    a pair for each op on the way in: its first result and the number of the region. None when it fails."""
    done = subprocess.run([program, path], capture_output=True, check=False, timeout=LIMIT_S)
    keys, found = {0: ()}, {}
    for line in done.stdout.splitlines():
        row = json.loads(line)
        if row.get("status"):
            return None
        if "graph" in row and not row["call"] and row["in"] in keys:
            keys[row["graph"]] = keys[row["in"]] + ((row["at"], row["region"]),)
        elif "value" in row and row["of"] in keys:
            found[keys[row["of"]], row["value"]] = row
    return found
