#!/usr/bin/env python3
"""What the models' arenas and bounds lose without each step of passes/order, as lines for its map.md.

    bench/order_without.py <build>/bench/tenure_without

Models come from examples/models and TENURE_MODELS, pipelines from bench/run.py.
"""

import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "bench"))
import run  # noqa: E402

ASKED = ("O2", "O3", "min-peak", "O3-min-peak")


def steps():
    with open(os.path.join(TOP, "passes", "order", "steps.def"), encoding="utf-8") as f:
        return re.findall(r"^STEP\((\w+)\)", f.read(), re.MULTILINE)


def measure(tenure, without):
    os.environ["TENURE_ORDER_WITHOUT"] = str(without)
    return {(row[0], row[1]): row for row in run.measure(tenure)}


def worse(rows, base, column, sign):
    """(model, pipeline, percent) of the rows whose number is worse; `sign` 1: more is worse."""
    for key, row in rows.items():
        old, new = int(base[key][column] or 0), int(row[column] or 0)
        if (new - old) * sign > 0:
            yield (*key, 100 * (new - old) / old if old else 0)


def show(name, found):
    found = sorted(found, key=lambda x: -abs(x[2]))
    print(f"  {name}: {len(found)} worse", "; ".join(f"{m} {p} {x:+.1f} %" for m, p, x in found[:6]))


def main():
    run.REPEATS = 1
    run.PIPELINES = {name: run.PIPELINES[name] for name in ASKED}
    base = measure(sys.argv[1], 0)
    print(f"{len(base)} rows")
    for i, step in enumerate(steps()):
        rows = measure(sys.argv[1], 1 << i)
        print("without", step)
        show("arenas", worse(rows, base, run.COLUMNS.index("arena"), 1))
        show("better", worse(rows, base, run.COLUMNS.index("arena"), -1))
        show("bounds over all orders", worse(rows, base, run.COLUMNS.index("any_order"), -1))


if __name__ == "__main__":
    main()
