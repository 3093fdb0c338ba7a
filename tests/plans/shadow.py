#!/usr/bin/env python3
"""Runs plans in the mind: every byte of every pool holds a mark, a step writes the marks of what it
makes and looks whether the marks of what it reads are still there. This is what a plan has to get
right, worked out in a way that has nothing in common with the checker. Each plan of a model must pass; then
placements and aliases are changed at random, and whatever `tenure check` still accepts must pass too.

Usage: shadow.py TENURE WORK ROUNDS MODEL... [-- options of `tenure plan`]
"""
import copy
import os
import random
import subprocess
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models"))

import planfile

MAX_BYTES = 1 << 28  # of all pools: marks take eight times as much


class Wrong(Exception):
    pass


class Shadow:
    def __init__(self, plan):
        self.plan = plan
        self.values = plan["values"]
        self.memory = [numpy.full(p["size"], -1, numpy.int64) for p in plan["pools"]]
        self.marks = {}
        self.written = set()
        self.next = 0

    def bytes_of(self, v):
        value = self.values[v]
        storage = self.plan["storages"][value["storage"]]
        start = storage["offset"] + value["offset"]
        return self.memory[storage["pool"]][start:start + value["bytes"]]

    def is_placed(self, v):
        return self.values[v]["storage"] is not None and self.values[v]["bytes"] > 0

    def views_inside(self, v):
        """Views of v that were written before it: operands gathered into v."""
        return [w for w in self.views.get(v, []) if w in self.written]

    def prepare(self):
        self.views = {}
        for i, v in enumerate(self.values):
            if v["alias"] == "view" and v["alias_of"] is not None:
                self.views.setdefault(v["alias_of"], []).append(i)
                self.views.setdefault(i, []).append(v["alias_of"])

    def fresh(self, n):
        self.next += n
        return numpy.arange(self.next - n, self.next, dtype=numpy.int64)

    def write(self, v):
        """Marks of a value just made. Where it is a view of what is there already, by whichever way
        the edge points, the marks are those that are there; the rest is new."""
        if not self.is_placed(v):
            return
        value = self.values[v]
        marks = self.fresh(value["bytes"])
        for w in self.views_inside(v):
            other = self.values[w]
            lo = max(value["offset"], other["offset"])
            hi = min(value["offset"] + value["bytes"], other["offset"] + other["bytes"])
            if lo < hi:
                self.expect(w, f"a view, '{value['name']}', is made of it")
                marks[lo - value["offset"]:hi - value["offset"]] = \
                    self.marks[w][lo - other["offset"]:hi - other["offset"]]
        self.marks[v] = marks
        self.bytes_of(v)[:] = marks
        self.written.add(v)

    def expect(self, v, when):
        if self.is_placed(v) and not numpy.array_equal(self.bytes_of(v), self.marks[v]):
            raise Wrong(f"'{self.values[v]['name']}' is not what was written when {when}")

    def read(self, step):
        for v in step["reads"]:
            if v in self.written:
                self.expect(v, f"{step['op']} '{step['name']}' reads it")

    def run(self):
        self.prepare()
        steps = self.plan["steps"]
        for i, v in enumerate(self.values):
            if v["role"] in ("input", "const", "state") and v["step"] is None:
                self.write(i)
        at, again = 0, set()
        while at < len(steps):
            step = steps[at]
            self.read(step)
            if step["kind"] == "end":
                begin = steps[step["partner"]]
                self.read(begin)
                if step["partner"] not in again and begin["op"] in ("Loop", "Scan"):
                    again.add(step["partner"])  # the body once more, with values of its own
                    for inner in steps[step["partner"] + 1:at]:
                        self.written -= set(inner["writes"])
                    for v in begin["writes"]:
                        self.write(v)
                    at = step["partner"] + 1
                    continue
            stacked = [v for v in step["writes"] if self.values[v]["first"] < at]
            for v in step["writes"]:
                if v not in stacked or v not in self.written:
                    self.write(v)
            at += 1
        for i, v in enumerate(self.values):
            if v["role"] == "output" or (v["role"] == "const" and i in self.written):
                self.expect(i, "the caller reads it after the run")


def change(plan, rng):
    """One small random change."""
    storages = [s for s in plan["storages"] if s["size"] > 0]
    s = rng.choice(storages)
    kind = rng.randrange(6)
    space = plan["pools"][s["pool"]]["size"] - s["size"]
    if kind == 0:
        s["offset"] = rng.randint(0, max(0, space) // s["align"]) * s["align"]
    elif kind == 1:
        t = rng.choice(storages)
        s["offset"], t["offset"] = t["offset"], s["offset"]
    elif kind == 2:
        s["offset"] = rng.choice(storages)["offset"]
    elif kind == 3:
        v = rng.choice([v for v in plan["values"] if v["storage"] is not None])
        v["offset"] = max(0, v["offset"] + rng.choice([-64, -4, 4, 64]))
    elif kind == 4:
        v = rng.choice([v for v in plan["values"] if v["storage"] is not None])
        other = rng.choice([i for i, w in enumerate(plan["values"]) if w["storage"] is not None])
        v["alias"] = rng.choice(["view", "inplace", "share"])
        v["alias_of"] = other
        v["storage"] = plan["values"][other]["storage"]
        v["offset"] = plan["values"][other]["offset"]
    else:
        v = rng.choice(plan["values"])
        v["alias"] = rng.choice(["view", "inplace", "share", "update"])
    s["slot"] = None


def settle(plan):
    """Figures that follow from a change, so that they are not what gets it refused."""
    counts = {"view": "views", "inplace": "inplace", "update": "updates", "share": "shared"}
    for alias, key in counts.items():
        plan["report"][key] = sum(v["alias"] == alias for v in plan["values"])
    for s in plan["storages"]:
        s["slot"] = None
    plan["slots"] = []


def accepts(tenure, model, path):
    done = subprocess.run([tenure, "check", model, path], capture_output=True, text=True,
                          timeout=900)
    if done.returncode not in (0, 1):
        raise Wrong(f"tenure check ended with {done.returncode}: {done.stderr}")
    return done.returncode == 0


def is_wrong(plan):
    try:
        Shadow(plan).run()
    except (Wrong, ValueError):  # ValueError: bytes outside the pool
        return True
    return False


def test_model(tenure, work, rounds, model, options):
    path = os.path.join(work, os.path.splitext(os.path.basename(model))[0] + ".shadow.json")
    made = subprocess.run([tenure, "plan", model, "-q", "--emit=json", "-o", path, *options],
                          capture_output=True, text=True, timeout=900)
    if made.returncode != 0:
        raise Wrong(f"no plan: {made.stderr}")
    plan = planfile.read(path)
    if sum(p["size"] for p in plan["pools"]) > MAX_BYTES:
        return None
    Shadow(plan).run()
    rng = random.Random(1)
    accepted = refuted = 0
    for _ in range(rounds if any(s["size"] > 0 for s in plan["storages"]) else 0):
        changed = copy.deepcopy(plan)
        change(changed, rng)
        settle(changed)
        if changed == plan:
            continue
        planfile.write(changed, path)
        if accepts(tenure, model, path):
            accepted += 1
            Shadow(changed).run()
        else:
            refuted += is_wrong(changed)
    os.remove(path)
    return accepted, refuted


def main():
    args = sys.argv[1:]
    options = args[args.index("--") + 1:] if "--" in args else []
    tenure, work, rounds, *models = args[:args.index("--")] if "--" in args else args
    os.makedirs(work, exist_ok=True)
    failures = ran = accepted = refuted = 0
    for model in models:
        try:
            got = test_model(tenure, work, int(rounds), model, options)
            ran += got is not None
            accepted += got[0] if got else 0
            refuted += got[1] if got else 0
        except Wrong as e:
            print(f"{model}: {e}")
            failures += 1
    print(f"{ran} models run, {accepted} changed plans accepted and run, {refuted} refused ones shown "
          f"to be wrong, {failures} failures")
    return 1 if failures or ran == 0 or (int(rounds) > 0 and refuted == 0) else 0


if __name__ == "__main__":
    sys.exit(main())
