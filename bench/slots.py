"""Shared objects: tenure beside memonger, Caffe and Paddle, on the arena's live ranges of every model at hand.

Writes bench/slots.csv: bytes of all objects by each, the proven lower bound, whether tenure's sharing is proven to be the
cheapest, and by which of its ways. The others are those of tests/plans/seeds.py. Byte figures are the same on every
machine, and with --check they must be those of the file. Rows of models that are not at hand are left as they are.

usage: slots.py TENURE [--check]; models: examples/models and the folder TENURE_MODELS
"""

import csv
import os
import re
import subprocess
import sys
import tempfile

import figures

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(TOP, "tests", "plans"))
import seeds  # noqa: E402

TABLE = os.path.join(HERE, "slots.csv")
COLUMNS = ["model", "buffers", "bound", "tenure", "optimal", "by", "objects", "memonger", "caffe", "paddle", "clusters"]
MOST_BYTES, MOST_BUFFERS, SECONDS = 60 << 20, 4000, 60


def models():
    for folder in (os.path.join(TOP, "examples", "models"), os.environ.get("TENURE_MODELS", "")):
        for root, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(root, name)
                if name.endswith(".onnx") and "malformed" not in root and os.path.getsize(path) <= MOST_BYTES:
                    yield os.path.relpath(path, folder), path


def measure(tenure, work, name, path):
    instance = os.path.join(work, "instance.csv")
    made = subprocess.run([tenure, "plan", path, "-q", "--partial", "--emit=csv,offsets=off", "-o", instance], capture_output=True,
                          timeout=SECONDS)
    if made.returncode != 0:
        return None
    with open(instance, newline="") as f:
        buffers = [(int(r["lower"]), int(r["upper"]), int(r["size"])) for r in csv.DictReader(f)]
    if not 0 < len(buffers) <= MOST_BUFFERS:
        return None
    report = subprocess.run([tenure, "pack", instance, "--memory=slots", "-o", os.devnull], capture_output=True,
                            text=True, check=True, timeout=SECONDS).stderr
    objects, total, by, bound = re.search(r"(\d+) objects of (\d+) in all by ([a-z]+), lower bound (\d+)", report).groups()
    theirs = [sum(seeds.recycle(buffers, rule)) for rule in (seeds.memonger, seeds.caffe, seeds.paddle)]
    theirs.append(sum(seeds.clusters(buffers)))
    return [name, len(buffers), bound, total, int(", optimal" in report), by, objects, *theirs]


def main():
    tenure = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as work:
        rows = [measure(tenure, work, name, path) for name, path in sorted(models())]
    rows = [[str(cell) for cell in row] for row in rows if row is not None]
    with open(TABLE, newline="") as f:
        known = {row[0]: row for row in list(csv.reader(f))[1:]}
    if "--check" in sys.argv[2:]:
        changed = [row for row in rows if known.get(row[0]) != row]
        for row in changed:
            print(f"{row[0]}: {','.join(row[1:])}, not {','.join(known.get(row[0], ['', 'in the table'])[1:])}")
        return 1 if changed else 0
    figures.write(TABLE, COLUMNS, (row for _, row in sorted((known | {row[0]: row for row in rows}).items())))
    proven, worse = sum(row[4] == "1" for row in rows), sum(int(row[3]) > min(map(int, row[7:])) for row in rows)
    print(f"{len(rows)} models, {proven} proven cheapest, {worse} above the best of the others")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
