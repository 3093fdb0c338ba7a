#!/usr/bin/env python3
"""Runs plans whose steps run side by side in many orders, in the mind: every range of bytes holds the mark of who wrote it
last, a step looks whether what it reads bears the marks it should, and what is freed is poisoned. Orders are drawn at
random among all that docs/PLAN.md allows; an adversary runs, for pairs of storages that share bytes, whoever takes the
bytes as early as can be. Branches are drawn too. A plan for one order that is run so without its hazards must be
caught by it and refused by `tenure check`, or is right in any order.

Usage: any_order.py TENURE [ORDERS [PART...]]
All models of tests/models/corpus.py, or those whose names hold one of the parts.
"""

import os
import random
import sys
import tempfile
from bisect import bisect_left

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models"))

import corpus
import planfile

MODES = (["--concurrency=dataflow"], ["--queues=2"])
POOLED = ["--queues=2", "-O3", "--pool=fast:8K", "--pool=slow:cost=4"]  # of small models
POISON = -1
MOST_PAIRS = 40  # of a model, drawn among all that share bytes
MOST_STEPS = 3000  # more are run in fewer orders


class Wrong(Exception):
    pass


class Cells:
    """Pools cut at every border of a value or storage: one mark for each piece."""

    def __init__(self, plan):
        self.plan = plan
        borders = [{0} for _ in plan["pools"]]
        for s in plan["storages"]:
            borders[s["pool"]] |= {s["offset"], s["offset"] + s["size"]}
        for v in plan["values"]:
            if v["storage"] is not None:
                s = plan["storages"][v["storage"]]
                at = s["offset"] + v["offset"]
                borders[s["pool"]] |= {at, at + v["bytes"]}
        self.borders = [sorted(b) for b in borders]
        self.memory = [[POISON] * len(b) for b in self.borders]
        self.of_value = [self.cells(v["storage"], v["offset"], v["bytes"]) if v["storage"] is not None and v["bytes"] > 0
                         else None for v in plan["values"]]
        self.of_storage = [self.cells(i, 0, s["size"]) for i, s in enumerate(plan["storages"])]

    def cells(self, storage, offset, size):
        s = self.plan["storages"][storage]
        at = s["offset"] + offset
        cut = self.borders[s["pool"]]
        return s["pool"], bisect_left(cut, at), bisect_left(cut, at + size)


class Waits:
    """Which steps have to be done before each, by data, hazards, nesting and queues alone."""

    def __init__(self, plan):
        steps = plan["steps"]
        n = len(steps)
        made = {}
        for i, s in enumerate(steps):
            for v in s["writes"]:
                if plan["values"][v]["role"] != "const":  # whose bytes are there before
                    made[v] = max(i, made.get(v, -1))
        begin_of = {}  # graph -> begin of the op around
        for i, s in enumerate(steps):
            for b in s["bodies"]:
                begin_of[b["graph"]] = i
        self.before = [set(s["hazards"]) for s in steps]
        last = {}
        for i, s in enumerate(steps):
            around = begin_of.get(s["graph"])
            self.before[i] |= {made[v] for v in s["reads"] if made.get(v, i) != i and v in made}
            if around is not None:
                self.before[i].add(around)
                self.before[steps[around]["partner"]].add(i)
            if s["kind"] == "end":
                self.before[i].add(s["partner"])
            if plan.get("concurrency") == "queues":
                if s["queue"] in last:
                    self.before[i].add(last[s["queue"]])
                last[s["queue"]] = i
        self.after = [[] for _ in range(n)]
        for i, before in enumerate(self.before):
            if i in before or any(b > i for b in before):
                raise Wrong(f"step {i} waits for itself or for a later step")
            for b in before:
                self.after[b].append(i)

    def all_before(self, step):
        found, stack = set(), [step]
        while stack:
            for b in self.before[stack.pop()]:
                if b not in found:
                    found.add(b)
                    stack.append(b)
        return found


def depth(plan):
    """Of the steps that run something, how many come one after the other at least."""
    waits, chain = Waits(plan), []
    for i, s in enumerate(plan["steps"]):
        chain.append(max((chain[b] for b in waits.before[i]), default=0) + (s["kind"] == "op" and not s["idle"]))
    return max(chain, default=0)


class Run:
    def __init__(self, plan, waits, rng):
        self.plan, self.waits, self.rng = plan, waits, rng
        self.values, self.steps = plan["values"], plan["steps"]
        self.cells = Cells(plan)
        self.marks = {}
        self.done = [False] * len(self.steps)
        self.skipped = set()
        self.captured = {}  # by end step: what its bodies read from outside
        self.next = 0
        self.views = {}
        for i, v in enumerate(self.values):
            if v["alias"] == "view" and v["alias_of"] is not None:
                self.views.setdefault(v["alias_of"], []).append(i)
                self.views.setdefault(i, []).append(v["alias_of"])
        self.frees = {}  # by step: storages that may be free when it is done
        self.open = {}  # by storage: steps that are not done
        self.owner = {}  # by storage: the step that frees it; one that is skipped does not
        for i, s in enumerate(self.steps):
            for storage in s["frees"]:
                users = {i, *plan["after"].get(storage, [])}
                self.open[storage] = users
                self.owner[storage] = i
                for u in users:
                    self.frees.setdefault(u, []).append(storage)

    def write(self, v):
        """What lies in views of the value that are there already stays; the rest is new."""
        at = self.cells.of_value[v]
        if at is None:
            return
        pool, lo, hi = at
        memory = self.cells.memory[pool]
        kept = {}
        for w in self.views.get(v, []):
            if w in self.marks:
                p, a, b = self.cells.of_value[w]
                self.expect(w, f"'{self.values[v]['name']}', a view, is made of it")
                kept.update((c, memory[c]) for c in range(max(a, lo), min(b, hi)))
        self.next += 1
        for c in range(lo, hi):
            memory[c] = kept.get(c, (self.next, c))
        self.marks[v] = memory[lo:hi]

    def expect(self, v, when):
        pool, lo, hi = self.cells.of_value[v]
        if self.cells.memory[pool][lo:hi] != self.marks[v]:
            raise Wrong(f"'{self.values[v]['name']}' is not what was written when {when}")

    def read(self, i, step, values):
        for v in values:
            if v in self.marks:
                self.expect(v, f"step {i} ({step['op']} '{step['name']}') reads it")

    def choose(self, i, step):
        """Of branches one is drawn; the steps of the others do nothing."""
        if step["op"] != "If":
            return
        taken = self.rng.choice(step["bodies"])["graph"]
        others = {b["graph"] for b in step["bodies"]} - {taken}
        self.skip(i, others)

    def skip(self, i, graphs):
        for k in range(i + 1, self.steps[i]["partner"]):
            s = self.steps[k]
            if s["graph"] in graphs:
                self.skipped.add(k)
                graphs = graphs | {b["graph"] for b in s["bodies"]}

    def start(self, i):
        step = self.steps[i]
        if i not in self.skipped:
            self.read(i, step, step["reads"])
            if step["kind"] == "begin":
                self.choose(i, step)
                stacked = [v for v in self.steps[step["partner"]]["writes"] if self.values[v]["first"] == i]
                for v in stacked:
                    self.write(v)
                self.captured[step["partner"]] = set(step["reads"]) - set(step["operands"])
            if step["kind"] == "end":
                self.read(i, step, self.captured.get(i, ()))
            for v in step["writes"]:
                if not (step["kind"] == "end" and v in self.marks):
                    self.write(v)
        self.done[i] = True
        for storage in self.frees.get(i, ()):
            self.open[storage].discard(i)
            if not self.open[storage] and self.owner[storage] not in self.skipped:
                pool, lo, hi = self.cells.of_storage[storage]
                self.cells.memory[pool][lo:hi] = [POISON] * (hi - lo)

    def run(self, first=()):
        """In an order that the waits allow: the steps of `first` as they come, then the others by chance."""
        for i, v in enumerate(self.values):
            if v["step"] is None and v["storage"] is not None and v["role"] != "workspace":
                self.write(i)
        left = [len(b) for b in self.waits.before]
        ready = [i for i, n in enumerate(left) if n == 0]
        wanted = set(first)
        while ready:
            hurry = [k for k, i in enumerate(ready) if i in wanted] if wanted else []
            k = hurry[0] if hurry else self.rng.randrange(len(ready))
            ready[k], ready[-1] = ready[-1], ready[k]
            i = ready.pop()
            wanted.discard(i)
            self.start(i)
            for a in self.waits.after[i]:
                left[a] -= 1
                if left[a] == 0:
                    ready.append(a)
        if not all(self.done):
            raise Wrong(f"step {self.done.index(False)} waits for what never happens")
        for i, v in enumerate(self.values):
            if (v["role"] == "output" or v["role"] == "const") and i in self.marks:
                self.expect(i, "the caller reads it after the run")


def sharing(plan, rng):
    """Steps that write a storage first, where another one that is used earlier has bytes in common with it."""
    arena = [s for s in enumerate(plan["storages"]) if plan["pools"][s[1]["pool"]]["kind"] == "arena" and s[1]["size"] > 0]
    arena.sort(key=lambda s: s[1]["offset"])
    pairs = []
    for k, (_, s) in enumerate(arena):
        for _, t in arena[k + 1:]:
            if t["offset"] >= s["offset"] + s["size"]:
                break
            if s["pool"] == t["pool"]:
                pairs.append(max(s["first"], t["first"]))
    return rng.sample(pairs, min(len(pairs), MOST_PAIRS)), len(pairs)


def run_orders(plan, orders, rng):
    """How many orders were run; raises where one goes wrong."""
    waits = Waits(plan)
    if len(plan["steps"]) > MOST_STEPS:
        orders = min(orders, 3)
    for _ in range(orders):
        Run(plan, waits, rng).run()
    takers, _ = sharing(plan, rng)
    for taker in takers if len(plan["steps"]) <= MOST_STEPS else takers[:2]:
        if taker >= 0:
            Run(plan, waits, rng).run(waits.all_before(taker) | {taker})
    return orders + len(takers)


def as_dataflow(plan):
    """A plan for one order, said to be for any: with no hazard left."""
    changed = {**plan, "concurrency": "dataflow", "queues": 0, "steps": [{**s, "hazards": []} for s in plan["steps"]]}
    changed["report"] = {**plan["report"], "depth": 0, "data_depth": 0, "serial": 0}
    return changed


def check_serial(tenure, path, options, rng, work):
    """Whether a plan for one order is caught when it is run in others: "caught", or "right" where it is right in any."""
    _, plan = corpus.plan(tenure, path, options)
    if plan is None or not any(s["hazards"] for s in plan["steps"]):
        return "right"
    try:
        run_orders(as_dataflow(plan), 3, rng)
        caught = False
    except Wrong:
        caught = True
    file = os.path.join(work, "serial.json")
    planfile.write({**as_dataflow(plan), "steps": plan["steps"]}, file)
    refused = corpus.run(tenure, ["check", path, file, *options])
    if caught and (refused is None or refused.returncode == 0):
        raise Wrong("a plan for one order passes as one for any order")
    return "caught" if caught else "right"


def main():
    tenure, orders = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    only = sys.argv[3:]
    bindings = corpus.bindings()
    rng = random.Random(1)
    failures = plans = ran = caught = 0
    with tempfile.TemporaryDirectory() as work:
        for name, path in corpus.models():
            if name.startswith("malformed/") or (only and not any(o in name for o in only)):
                continue
            options = bindings.get(corpus.short(name), [])
            try:
                for mode in (*MODES, *([POOLED] if name.startswith("tinyml/") else ())):
                    done, plan = corpus.plan(tenure, path, [*options, *mode])
                    if plan is None:
                        if done is None or done.returncode not in (0, 1):
                            raise Wrong(f"no plan: {done.stderr.decode(errors='replace')[:300] if done else 'no end'}")
                        continue
                    plans += 1
                    ran += run_orders(plan, orders, rng)
                    if depth(plan) != plan["report"]["depth"]:
                        raise Wrong(f"the depth is {depth(plan)}, not {plan['report']['depth']}")
                caught += check_serial(tenure, path, options, rng, work) == "caught"
            except Wrong as wrong:
                failures += 1
                print(f"{name}: {wrong}")
    print(f"{plans} plans run in {ran} orders; {caught} plans for one order caught in others and refused; "
          f"{failures} failures")
    return 1 if failures or plans == 0 or caught == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
