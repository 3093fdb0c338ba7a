"""Makes docs/generated/OPS.md from the op table, or with --check tells when it is stale.

usage: ops_md.py OP_TABLE [--check]     (the program tests/tools/op_table.c)
"""

import os
import sys

from rows import read_table

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(TOP, "docs", "generated", "OPS.md")
HEAD = """# Operators

Made from the op table (`ir/ops.def`) by `tests/operators/ops_md.py`; do not edit.

**In place**: which result may take the bytes of which dying operand, and when: *same*, element-wise at equal
index (equal shape and element width); *rows*, the kernel reads a row or group before it writes it; *update*,
the kernel touches each element once; *must*, by definition. **View**: result and first operand share bytes:
*whole*, always; *if equal*, when their types are; *part*, *parts*, *gathered*, when the part is contiguous;
*permuted*, when only extents of 1 move. **Shape only**: operands whose data are not read. **Gradient**: what
it needs from the forward pass; empty when the table knows none.
"""
COLUMNS = (("Operator", "name"), ("Since", "versions"), ("Operands and results", "sig"),
           ("Traits", "traits"), ("In place", "inplace"), ("View", "view"), ("Shape only", "shape_only"),
           ("Gradient", "grad"), ("", "doc"))


def cell(row, key):
    text = row[key].replace("|", "\\|")
    if key == "grad" and text == "operands ; results ":
        return "shapes"
    if key == "grad":
        text = "; ".join(part for part in text.split("; ") if not part.endswith(" "))
    return f"`{text}`" if key in ("name", "sig") and text else text


def page(table):
    parts = [HEAD]
    for domain in sorted({d for d, _ in table}):
        rows = sorted((r for r in table.values() if r["domain"] == domain), key=lambda r: r["name"])
        parts.append(f"\n## {domain or 'ai.onnx'}: {len(rows)} operators\n")
        parts.append("| " + " | ".join(title for title, _ in COLUMNS) + " |")
        parts.append("|" + " --- |" * len(COLUMNS))
        parts += ["| " + " | ".join(cell(r, key) for _, key in COLUMNS) + " |" for r in rows]
    return "\n".join(parts) + "\n"


def main():
    text = page(read_table(sys.argv[1]))
    if "--check" in sys.argv[2:]:
        with open(PAGE, encoding="utf-8") as f:
            stale = f.read() != text
        if stale:
            print(f"docs/generated/OPS.md is stale: run {os.path.basename(__file__)} {sys.argv[1]}")
        return 1 if stale else 0
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
