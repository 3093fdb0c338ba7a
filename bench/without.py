#!/usr/bin/env python3
"""What the models' arenas lose without each step of some passes, as lines for their map.md.

    bench/without.py order <build>/bench/tenure_without    the search for orders (passes/order)
    bench/without.py passes <build>/bench/tenure_without   the choice of aliases and orders (passes/alias, passes/schedule)

Models come from examples/models and TENURE_MODELS, pipelines from bench/run.py.
"""

import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "bench"))
import run  # noqa: E402

ASKED = ("O2", "O3-file", "min-peak", "O3")


LISTS = {"order": ("passes/order/order_steps.def", "TENURE_ORDER_WITHOUT"),
         "passes": ("passes/core/measured_steps.def", "TENURE_PASSES_WITHOUT")}


def steps(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as f:
        return re.findall(r"^STEP\((\w+)\)", f.read(), re.MULTILINE)


def measure(tenure, variable, without):
    os.environ[variable] = str(without)
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
    path, variable = LISTS[sys.argv[1]]
    tenure = sys.argv[2]
    run.REPEATS = 1
    run.PIPELINES = {name: run.PIPELINES[name] for name in ASKED}
    base = measure(tenure, variable, 0)
    print(f"{len(base)} rows")
    for i, step in enumerate(steps(path)):
        rows = measure(tenure, variable, 1 << i)
        print("without", step)
        for title, column, sign in (("arenas", "arena", 1), ("better", "arena", -1), ("level 0", "level0", 1),
                                    ("level 0 better", "level0", -1), ("refused", "refused_grow", 1),
                                    ("bounds over all orders", "any_order", -1)):
            show(title, worse(rows, base, run.COLUMNS.index(column), sign))


if __name__ == "__main__":
    main()
