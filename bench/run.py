#!/usr/bin/env python3
"""Plans every model with several pipelines and keeps the figures in bench/results.csv.

    bench/run.py TENURE           measures and rewrites the file
    bench/run.py TENURE --check   measures, compares the bytes with the file, fails on a difference

Rows of models that are not at hand (TENURE_MODELS not set) are left as they are. Times are those of the
planning passes in milliseconds, one run; they are for orientation and never compared.
"""

import csv
import os
import sys
import time

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "tests", "models"))
import corpus  # noqa: E402

RESULTS = os.path.join(TOP, "bench", "results.csv")
COLUMNS = ["model", "pipeline", "values", "unplanned", "naive", "level0", "level1", "bound", "arena",
           "io", "const", "ms"]
PIPELINES = ("O1", "O2", "O3")


def measure(tenure):
    options = corpus.bindings()
    for name, path in corpus.models():
        for pipeline in PIPELINES:
            start = time.monotonic()
            _, plan = corpus.plan(tenure, path, ["-" + pipeline, *options.get(corpus.short(name), [])])
            if plan is None:
                continue
            r = plan["report"]
            arena = sum(p["size"] for p in plan["pools"] if p["kind"] == "arena")
            yield [name, pipeline, r["planned"], r["unplanned"], r["naive"], r["level0"],
                   r["level1"], r["bound"], arena, r["io_bytes"], r["const_bytes"],
                   round((time.monotonic() - start) * 1000)]


def read():
    if not os.path.exists(RESULTS):
        return {}
    with open(RESULTS, newline="", encoding="utf-8") as f:
        return {(row[0], row[1]): row for row in list(csv.reader(f))[1:]}


def main():
    tenure, check = sys.argv[1], "--check" in sys.argv[2:]
    old = read()
    new = {(row[0], row[1]): [str(x) for x in row] for row in measure(tenure)}
    if check:
        changed = [key for key, row in new.items() if old.get(key, [])[:-1] != row[:-1]]
        for key in changed:
            print("changed:", ",".join(old.get(key, ["(no row)"])), "->", ",".join(new[key]))
        print(f"{len(new)} rows measured, {len(changed)} differ from bench/results.csv")
        return 1 if changed or not new else 0
    rows = {**(old if not os.environ.get("TENURE_MODELS") else {}), **new}
    with open(RESULTS, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(COLUMNS)
        out.writerows(rows[key] for key in sorted(rows))
    print(f"{len(new)} rows written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
