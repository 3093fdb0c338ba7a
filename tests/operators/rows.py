"""Reads what the program tests/tools/op_table.c prints."""

import subprocess

COLUMNS = ("domain name versions min_in max_in min_out max_out sig attrs traits inplace view shape_only grad "
           "rule doc").split()


def read_table(program):
    """(domain, name) -> row, a dict by column; "" is ai.onnx."""
    lines = subprocess.run([program], capture_output=True, check=True, text=True).stdout.splitlines()
    rows = [dict(zip(COLUMNS, line.split("\t"), strict=True)) for line in lines]
    return {(r["domain"], r["name"]): r for r in rows}
