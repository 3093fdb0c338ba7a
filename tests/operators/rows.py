"""The op table as `tenure --list-ops=json` prints it."""

import json
import subprocess


def read_table(tenure):
    """(domain, name) -> row, a dict by column; "" is ai.onnx."""
    lines = subprocess.run([tenure, "--list-ops=json"], capture_output=True, check=True, text=True).stdout
    rows = map(json.loads, lines.splitlines())
    return {(r["domain"], r["name"]): r for r in rows}
