#!/usr/bin/env python3
"""Plans every model at hand and fails when one crashes, hangs, ends without a diagnostic, or when a
promise about the figures is broken. Usage: real.py TENURE [REPORT.tsv]

What must hold:
  - shipped and light models: no unplanned value, and each backend emits;
  - everywhere: level 1 <= level 0 <= naive, bound <= arena, exit code 0, 1 or 4, a diagnostic when not 0;
  - everywhere: aliases make no arena larger, nor does the order min-peak;
  - all models outside malformed/ are planned with only truly dynamic values left out, but those of LEFT.
"""

import os
import re
import sys
import tempfile

import corpus

# Models that cannot be planned completely, and why.
NO_FUNCTION = "calls functions that the file does not hold, inside loops over slices of unknown length"
LEFT = {
    "onnxmodels_super_resolution": "a Git LFS pointer",
    "mlprodict_stft2_functions": NO_FUNCTION,
    "mlprodict_stft_functions": NO_FUNCTION,
}
# Reasons that no planner can lift: the extent depends on data, or the value is no dense tensor.
DYNAMIC = re.compile(r"depends on (the )?(values|data|contents)|data-dependent|sequence|optional|map|sparse|string|run time")
BACKENDS = ("c-header", "json", "opencl", "opencl-json", "text")


def figures(plan):
    r = plan["report"]
    arena = sum(p["size"] for p in plan["pools"] if p["kind"] == "arena")
    if not r["level1"] <= r["level0"] <= r["naive"]:
        yield f"level 1 {r['level1']}, level 0 {r['level0']}, naive {r['naive']} are out of order"
    if r["bound"] > arena:
        yield f"bound {r['bound']} is above the arena's {arena} bytes"


PLAIN = "--passes=infer-shapes,schedule,pin,reuse,insert-frees"  # no aliases


def regrets(tenure, path, options, plan):
    """Arenas that a choice made larger than they are without it."""
    def arena(of):
        return sum(p["size"] for p in of["pools"] if p["kind"] == "arena")

    size = {"aliases": arena(plan)}
    for name, ask in (("no aliases", [PLAIN]), ("all aliases", ["-O3"]), ("min-peak", ["--schedule=min-peak"])):
        _, other = corpus.plan(tenure, path, [*options, *ask])
        if other is None:
            yield f"no plan with {name}"
            return
        size[name] = arena(other)
    for choice, without in (("aliases", "no aliases"), ("all aliases", "no aliases"), ("min-peak", "aliases")):
        if size[choice] > size[without]:
            yield f"{size[choice]} bytes with {choice}, {size[without]} with {without}"


def emit_all(tenure, path, options):
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["plan", path, "--quiet", "--align", "128", *options]
        for kind in BACKENDS:
            arguments += [f"--emit={kind}", "-o", os.path.join(folder, kind)]
        done = corpus.run(tenure, arguments)
        if done is None or done.returncode != 0:
            yield "emitting failed: " + (done.stderr.decode(errors="replace")[:300] if done else "no end")
        for kind in BACKENDS:
            if not os.path.exists(os.path.join(folder, kind)):
                yield f"no {kind} was written"


def examine(tenure, name, path, options):
    """(state, detail, broken promises) of one model."""
    done, plan = corpus.plan(tenure, path, options)
    if done is None:
        return "hang", "", [f"no end within {corpus.LIMIT_S} s"]
    text = done.stderr.decode(errors="replace")
    if plan is None:
        first = next((line for line in text.splitlines() if "error" in line), "")
        broken = []
        if done.returncode not in (1, 4):
            broken.append(f"exit code {done.returncode}: {text[:300]}")
        elif not first:
            broken.append("failed without a diagnostic")
        return "refused", first, broken
    broken = [*figures(plan), *regrets(tenure, path, options, plan)]
    open_values = [v for v in plan["values"] if v["left_out"] not in (None, "unused")]
    static = [v for v in open_values if not DYNAMIC.search(v["why"])]
    if name.split("/")[0] in ("shipped", "light"):
        if open_values:
            broken.append(f"{len(open_values)} values unplanned: {open_values[0]['name']}: {open_values[0]['why']}")
        broken += emit_all(tenure, path, options)
    if static:
        return "partly", f"{len(static)} open, e.g. {static[0]['name']}: {static[0]['why']}", broken
    return "planned", f"{len(open_values)} dynamic" if open_values else "", broken


def main():
    tenure = sys.argv[1]
    report = open(sys.argv[2], "w", encoding="utf-8") if len(sys.argv) > 2 else None
    options, counts, failures = corpus.bindings(), {}, 0
    for name, path in corpus.models():
        state, detail, broken = examine(tenure, name, path, options.get(corpus.short(name), []))
        if not name.startswith("malformed/") and (state == "planned") == (corpus.short(name) in LEFT):
            broken.append(f"{state}, though {LEFT.get(corpus.short(name), 'nothing speaks against a plan')}: {detail}")
        where = "malformed" if name.startswith("malformed/") else "models"
        counts[where, state] = counts.get((where, state), 0) + 1
        if report:
            print(name, state, detail, sep="\t", file=report)
        for what in broken:
            failures += 1
            print(f"{name}: {what}")
    for key in sorted(counts):
        print(f"{key[0]}: {counts[key]} {key[1]}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
