#!/usr/bin/env python3
"""How much of the traffic a small fast pool takes: bench/pools.csv.

    bench/pools.py TENURE [--models PATTERN]   plans every model that is whole, open dimensions bound as in
                                               tests/models/dims.txt, with -O3 --schedule=min-peak, once in one arena and then in a fast pool of 25, 50
                                               and 75 % of that arena beside a slow one, and rewrites the file
    bench/pools.py TENURE --means              prints the means of the file, by folder of the models

`share` is the part of bytes read and written in the fast pool, `most` a proven upper bound of it for these storages
(from the bound of the cost). A row says how large both pools became.
"""

import csv
import fnmatch
import os
import sys

import figures

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "tests", "models"))
import corpus  # noqa: E402

RESULTS = os.path.join(TOP, "bench", "pools.csv")
COLUMNS = ["model", "percent", "arena", "fast", "slow", "traffic", "share", "most", "proven"]
PERCENTS = (25, 50, 75)
SLOW = 2  # cost of a byte in the slow pool; 1 in the fast one
LEFT_OUT = ("light", "malformed")  # weights alone, or no models


def row_of(name, percent, arena, plan):
    fast, slow = (next(p for p in plan["pools"] if p["name"] == n) for n in ("fast", "slow"))
    traffic = fast["traffic"] + slow["traffic"]
    most = SLOW * traffic - plan["report"]["cost_bound"]  # saved a byte for each in the fast pool
    return [name, percent, arena, fast["size"], slow["size"], traffic, f"{fast['traffic'] / traffic:.4f}",
            f"{most / traffic:.4f}", int(plan["report"]["cost"] == plan["report"]["cost_bound"])]


def measure(tenure, pattern):
    bindings = corpus.bindings()
    for name, path in corpus.models():
        if not fnmatch.fnmatch(name, pattern) or name.split("/")[0] in LEFT_OUT:
            continue
        options = ["-O3", "--schedule=min-peak", *bindings.get(corpus.short(name), [])]
        _, plan = corpus.plan(tenure, path, options)
        if plan is None or plan["partial"] or plan["report"]["data"]:
            continue
        arena = sum(p["size"] for p in plan["pools"] if p["kind"] == "arena")
        for percent in PERCENTS:
            capacity = arena * percent // 100
            if capacity == 0:
                continue
            done, plan = corpus.plan(tenure, path, [*options, f"--pool=fast:{capacity}", f"--pool=slow:cost={SLOW}"])
            if plan is None:
                print(f"{name}: {done.stderr.decode(errors='replace') if done else 'takes too long'}", file=sys.stderr)
            elif sum(p.get("traffic", 0) for p in plan["pools"]) > 0:
                yield row_of(name, percent, arena, plan)


def means():
    with open(RESULTS, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    for folder in ["all", *sorted({r["model"].split("/")[0] for r in rows})]:
        mine = [r for r in rows if folder in ("all", r["model"].split("/")[0])]
        line = f"{folder:12} {len({r['model'] for r in mine}):4} models"
        for percent in PERCENTS:
            own = [r for r in mine if int(r["percent"]) == percent]
            share, most = (sum(float(r[k]) for r in own) / max(len(own), 1) for k in ("share", "most"))
            line += f"   {percent} %: {share:.3f} of at most {most:.3f}"
        proven = sum(int(r["proven"]) for r in mine)
        print(f"{line}   {proven} of {len(mine)} proven")


def main():
    if "--means" not in sys.argv:
        pattern = sys.argv[sys.argv.index("--models") + 1] if "--models" in sys.argv else "*"
        rows = list(measure(sys.argv[1], pattern))
        figures.write(RESULTS, COLUMNS, rows)
    means()


if __name__ == "__main__":
    main()
