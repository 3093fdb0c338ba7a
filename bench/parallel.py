#!/usr/bin/env python3
"""Bytes against depth, from one order to any: bench/parallel.csv, and geometric means of it.

    bench/parallel.py TENURE [PART...]      plans every model, or those whose names hold a part, and writes the rows
    bench/parallel.py --means               geometric means by folder, from the file

A row has the arenas of plans for one order, for two and four queues, and for any order, and how many steps that run something
come one after the other at least: by data alone, with the hazards of the plan for one order, and with the order of queues.
Models that are not planned whole are left out.
"""

import csv
import math
import os
import sys

import figures

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOP, "tests", "models"), os.path.join(TOP, "tests", "plans")]
import any_order  # noqa: E402
import corpus  # noqa: E402

RESULTS = os.path.join(TOP, "bench", "parallel.csv")
MODES = {"serial": [], "queues2": ["--queues=2"], "queues4": ["--queues=4"], "dataflow": ["--concurrency=dataflow"]}
COLUMNS = ["model", "steps", "data_depth", *(f"{mode}_{what}" for mode in MODES for what in ("arena", "bound", "depth"))]


def arena(plan):
    return sum(p["size"] for p in plan["pools"] if p["kind"] == "arena")


def measure(tenure, name, path):
    """A row, or None where the model is not planned whole."""
    row = [name]
    for mode, ask in MODES.items():
        _, plan = corpus.plan(tenure, path, [*ask, *corpus.bindings().get(corpus.short(name), [])])
        if plan is None or plan["report"]["open"] + plan["report"]["data"] > 0:
            return None
        if mode == "serial":
            data = {**plan, "steps": [{**s, "hazards": []} for s in plan["steps"]]}
            row += [sum(s["kind"] == "op" and not s["idle"] for s in plan["steps"]), any_order.depth(data)]
        row += [arena(plan), plan["report"]["bound"], any_order.depth(plan)]
    return row


def read():
    with open(RESULTS, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1


def means():
    rows = read()
    folders = sorted({r["model"].split("/")[0] for r in rows})
    print("folder models" + "".join(f" {m}_arena {m}_depth" for m in MODES if m != "serial") + " serial_depth")
    for folder in [*folders, "all"]:
        of = [r for r in rows if folder in ("all", r["model"].split("/")[0]) and int(r["serial_arena"]) > 0]
        line = [folder, str(len(of))]
        for mode in MODES:
            if mode != "serial":
                line.append(f"{mean([int(r[mode + '_arena']) / int(r['serial_arena']) for r in of]):.3f}")
                line.append(f"{mean([max(int(r[mode + '_depth']), 1) / max(int(r['data_depth']), 1) for r in of]):.3f}")
        line.append(f"{mean([max(int(r['serial_depth']), 1) / max(int(r['data_depth']), 1) for r in of]):.3f}")
        print(" ".join(line))
    ratio = {r["model"]: int(r["dataflow_arena"]) / int(r["serial_arena"]) for r in rows if int(r["serial_arena"]) > 0}
    worst = max(ratio, key=ratio.get)
    print(f"worst {worst} {ratio[worst]:.2f}; more than 5 % larger: {sum(x > 1.05 for x in ratio.values())} of {len(ratio)}")


def main():
    if sys.argv[1] == "--means":
        means()
        return
    tenure, *parts = sys.argv[1:]
    rows = [row for name, path in corpus.models() if not name.startswith("malformed/")
            and (not parts or any(p in name for p in parts)) and (row := measure(tenure, name, path)) is not None]
    figures.write(RESULTS, COLUMNS, rows)
    means()


if __name__ == "__main__":
    main()
