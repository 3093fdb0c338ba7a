"""What results that begin inside dying operands are worth: the arena of every model at hand whose sizes are known, in both layouts
and all orders of kernels, each beside the same layout without overlap.

Writes bench/overlap.csv: bytes of the arena by layout and order, and the lower bound of each. Plans are made with -O3 and --io=arena,
inputs given away, so that what the caller owns takes part. Byte figures are the same on every machine; with --check they must be
those of the file. Rows of models that are not at hand are left as they are. Prints the geometric mean of new to old by folder of
models, and ends with an error where a plan is larger than without.

usage: overlap.py TENURE [--check] [--models PATTERN]; models: examples/models and the folder TENURE_MODELS
"""

import argparse
import csv
import fnmatch
import json
import math
import os
import subprocess
import sys

import figures

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
TABLE = os.path.join(HERE, "overlap.csv")
ORDERS = {"nchw": ("rows", "rows-buffered", "elements"), "nhwc": ("rows", "rows-buffered", "elements", "pixels")}
FORMS = [(layout, order) for layout, orders in ORDERS.items() for order in ("none", *orders)]
COLUMNS = ["model", *(f"{layout}.{order}{what}" for layout, order in FORMS for what in ("", ".bound"))]
MOST_BYTES, SECONDS = 60 << 20, 60


def models():
    for folder in (os.path.join(TOP, "examples", "models"), os.environ.get("TENURE_MODELS", "")):
        for root, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(root, name)
                left_out = any(word in root for word in ("malformed", "light", "big"))
                if name.endswith(".onnx") and not left_out and os.path.getsize(path) <= MOST_BYTES:
                    yield os.path.relpath(path, folder), path


def arena(tenure, path, layout, order):
    """Bytes and bound, or None where there is no whole plan."""
    made = subprocess.run(
        [tenure, "plan", path, "-O3", "--io=arena", "--reuse-inputs", f"--layout={layout}", f"--overlap={order}", "-q", "--strict",
         "--emit=json", "-o", "-"], capture_output=True, timeout=SECONDS)
    if made.returncode == 70:
        sys.exit(f"{path} {layout} {order}: {made.stderr.decode(errors='replace')}")
    if made.returncode != 0:
        return None
    pool = json.loads(made.stdout)["pools"][0]
    return pool["size"], pool["bound"]


def measure(tenure, name, path):
    row = [name]
    try:
        for layout, order in FORMS:
            found = arena(tenure, path, layout, order)
            if found is None or found[0] == 0:
                return None
            row += found
    except subprocess.TimeoutExpired:
        return None
    return [str(cell) for cell in row]


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def summary(rows):
    """Prints means by folder; returns the models that are larger with overlap than without."""
    worse, folders = [], sorted({r["model"].split("/")[0] if "/" in r["model"] else "shipped" for r in rows})
    print(f"{'':24}" + "".join(f"{layout + ' ' + order:>20}" for layout, order in FORMS if order != "none"))
    for folder in (*folders, "all"):
        of = [r for r in rows if folder == "all" or (r["model"].split("/")[0] if "/" in r["model"] else "shipped") == folder]
        line = f"{folder + ' (' + str(len(of)) + ')':24}"
        for layout, order in FORMS:
            if order != "none":
                line += f"{mean([int(r[f'{layout}.{order}']) / int(r[f'{layout}.none']) for r in of]):20.3f}"
        print(line)
    for r in rows:
        worse += [f"{r['model']} {layout} {order}" for layout, order in FORMS
                  if int(r[f"{layout}.{order}"]) > int(r[f"{layout}.none"])]
    return worse


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure", type=os.path.abspath)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--models", default="*")
    args = parser.parse_args()
    known = {}
    if os.path.exists(TABLE):
        with open(TABLE, newline="") as f:
            known = {row[0]: row for row in list(csv.reader(f))[1:]}
    rows = [measure(args.tenure, name, path) for name, path in sorted(models()) if fnmatch.fnmatch(name, args.models)]
    rows = [row for row in rows if row is not None]
    different = [row[0] for row in rows if known.get(row[0]) != row]
    if args.check:
        print("\n".join(f"other bytes: {name}" for name in different) or f"{len(rows)} models have the bytes of the file")
        return 1 if different else 0
    print("\n".join(f"other bytes: {name}" for name in different))
    known.update({row[0]: row for row in rows})
    figures.write(TABLE, COLUMNS, (known[name] for name in sorted(known)))
    worse = summary([dict(zip(COLUMNS, known[name])) for name in sorted(known)])
    print("\n".join(f"larger with overlap: {what}" for what in worse))
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
