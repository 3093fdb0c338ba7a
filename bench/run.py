#!/usr/bin/env python3
"""Plans every model with several pipelines and keeps the figures in bench/results.csv.

    bench/run.py TENURE           measures and rewrites the file
    bench/run.py TENURE --check   measures, compares the bytes with the file, fails on a difference

Either way it fails when aliases, more of them, or another order make an arena larger than it is without. Rows of models that are
not at hand (TENURE_MODELS not set) are left as they are. Times are processor time of the passes, reading left
out, in milliseconds, the least of a few runs; they are never compared. bench/table.py makes a page of the file.
"""

import csv
import os
import re
import sys

import figures

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "tests", "models"))
import corpus  # noqa: E402

RESULTS = os.path.join(TOP, "bench", "results.csv")
COLUMNS = ["model", "pipeline", "steps", "values", "unplanned", "naive", "level0", "level1", "bound", "arena",
           "io", "const", "any_order", "proven_order", "refused_grow", "ms"]
PIPELINES = {
    "O1": ["-O1"],
    "plain": ["--passes=infer-shapes,schedule,pin,reuse,insert-frees"],  # level 1 without aliases
    "O2": ["-O2"],
    "O3-file": ["-O3", "--schedule=file"],
    "min-peak": ["-O2", "--schedule=min-peak"],
    "O3": ["-O3"],
}
# Arena of the first, of the second.
NO_LARGER = (("O2", "plain"), ("O3-file", "plain"), ("O3-file", "O2"), ("min-peak", "O2"), ("O3", "O3-file"),
             ("O3", "min-peak"))
REPEATS, QUICK_MS = 3, 5


def number(pattern, text):
    found = re.search(pattern, text, re.MULTILINE)
    return found.group(1) if found else ""


def measure_one(tenure, path, options):
    """(plan, statistics as text, milliseconds) or None."""
    best = None
    for _ in range(REPEATS):
        done, plan = corpus.plan(tenure, path, ["--stats", "--time-passes", *options])
        if plan is None:
            return None
        text = done.stderr.decode()
        ms = float(number(r" s +([0-9.]+) s  100\.0%  total$", text)) * 1000
        best = min(best, ms) if best is not None else ms
        if best < QUICK_MS:
            break
    return plan, text, best


def measure(tenure):
    options = corpus.bindings()
    for name, path in corpus.models():
        for pipeline, ask in PIPELINES.items():
            found = measure_one(tenure, path, [*ask, *options.get(corpus.short(name), [])])
            if found is None:
                continue
            plan, text, ms = found
            r = plan["report"]
            arena = sum(p["size"] for p in plan["pools"] if p["kind"] == "arena")
            yield [name, pipeline, len(plan["steps"]), r["planned"], r["open"] + r["data"], r["naive"], r["level0"],
                   r["level1"], r["bound"], arena, r["io_bytes"], r["const_bytes"], r["order_bound"],
                   number(r"^ +(\d)  schedule\.proven", text), number(r"^ +(\d+)  reuse\.refused-grow", text) or 0,
                   f"{ms:.2f}"]


def read():
    if not os.path.exists(RESULTS):
        return {}
    with open(RESULTS, newline="", encoding="utf-8") as f:
        return {(row[0], row[1]): row for row in list(csv.reader(f))[1:]}


def larger(rows):
    """Models whose arena a choice made larger."""
    arena = COLUMNS.index("arena")
    for name in sorted({key[0] for key in rows}):
        for pipeline, other in NO_LARGER:
            a, b = rows.get((name, pipeline)), rows.get((name, other))
            if a and b and int(a[arena]) > int(b[arena]):
                yield f"{name}: {a[arena]} bytes with {pipeline}, {b[arena]} with {other}"


def main():
    tenure, check = sys.argv[1], "--check" in sys.argv[2:]
    old = read()
    new = {(row[0], row[1]): [str(x) for x in row] for row in measure(tenure)}
    worse = list(larger(new))
    for line in worse:
        print("larger:", line)
    if check:
        changed = [key for key, row in new.items() if old.get(key, [])[:-1] != row[:-1]]
        for key in changed:
            print("changed:", ",".join(old.get(key, ["(no row)"])), "->", ",".join(new[key]))
        print(f"{len(new)} rows measured, {len(changed)} differ from bench/results.csv")
        return 1 if changed or worse or not new else 0
    rows = {**(old if not os.environ.get("TENURE_MODELS") else {}), **new}
    figures.write(RESULTS, COLUMNS, (rows[key] for key in sorted(rows)))
    print(f"{len(new)} rows written")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
