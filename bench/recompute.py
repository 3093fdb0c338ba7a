#!/usr/bin/env python3
"""Plans every training graph with and without computing values once more, and keeps the figures in bench/recompute.csv.

    bench/recompute.py TENURE           measures and rewrites the file
    bench/recompute.py TENURE --check   measures, compares the bytes with the file, fails on a difference

All plans are of -O3. The base of a model is its arena with the gradients of parameters kept (--skip-param-grads);
`ratio` is the arena over that base, `flops` the operations that clones add, in percent of the model's (ir/ops/flops.h).
Fails where clones make an arena larger, or take more operations than asked for.
"""

import csv
import math
import os
import sys

import figures

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "tests", "models"))
import corpus  # noqa: E402

RESULTS = os.path.join(TOP, "bench", "recompute.csv")
COLUMNS = ["model", "gradients", "asked", "steps", "clones", "flops", "arena", "bound", "ratio"]
PERCENT = (0, 5, 10, 33, 1000)
GRADIENTS = {"kept": ["--skip-param-grads"], "reused": ["--no-skip-param-grads"]}


def arena(plan):
    return sum(p["size"] for p in plan["pools"] if p["kind"] == "arena")


def row(tenure, name, path, gradients, percent, options):
    """A row of the file without its ratio, or None where there is no whole plan of a backward part."""
    _, plan = corpus.plan(tenure, path, ["-O3", f"--recompute={percent}%", *GRADIENTS[gradients], *options])
    if plan is None or plan["report"]["backward_ops"] == 0 or plan["report"]["open"] > 0 or arena(plan) == 0:
        return None
    found = plan["report"].get("recompute", {"clones": 0, "operations": 0, "model_operations": 1})
    flops = round(100 * found["operations"] / found["model_operations"], 3)
    return [name, gradients, percent, len(plan["steps"]), found["clones"], flops, arena(plan), plan["report"]["bound"]]


def measure(tenure):
    options = corpus.bindings()
    for name, path in corpus.models():
        base = None
        for gradients in GRADIENTS:
            for percent in PERCENT:
                found = row(tenure, name, path, gradients, percent, options.get(corpus.short(name), []))
                if found is None:
                    break
                base = base or found[6]
                yield [*found, f"{found[6] / base:.4f}"]


def mistakes(rows):
    least = {}
    for r in rows:
        key = (r[0], r[1])
        if r[6] > least.get(key, r[6]):
            yield f"{key}: {r[6]} bytes with {r[2]} % more operations, {least[key]} with fewer"
        least[key] = min(r[6], least.get(key, r[6]))
        if r[5] > r[2] + 1e-6:
            yield f"{key}: {r[5]} % more operations, {r[2]} were allowed"


def means(rows):
    """Geometric means of the ratios, by gradients and percent."""
    for gradients in GRADIENTS:
        found = [[math.log(float(r[8])) for r in rows if r[1] == gradients and r[2] == p] for p in PERCENT]
        text = ", ".join(f"{p} %: {math.exp(sum(x) / len(x)):.3f}" for p, x in zip(PERCENT, found) if x)
        print(f"gradients {gradients}, {len(found[0])} models: {text}")


def main():
    tenure, check = sys.argv[1], "--check" in sys.argv[2:]
    rows = list(measure(tenure))
    worse = list(mistakes(rows))
    for line in worse:
        print("mistake:", line)
    means(rows)
    text = [[str(x) for x in r] for r in rows]
    if check:
        with open(RESULTS, newline="", encoding="utf-8") as f:
            old = {tuple(r[:3]): r for r in csv.reader(f)}
        changed = [r for r in text if old.get(tuple(r[:3])) != r]
        for r in changed:
            print("changed:", ",".join(old.get(tuple(r[:3]), ["(no row)"])), "->", ",".join(r))
        return 1 if changed or worse or not rows else 0
    figures.write(RESULTS, COLUMNS, text)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
