"""Programs whose ops are fused (--fuse=all) at random graphs, against the reference evaluator of the onnx package.

usage: made_groups.py TENURE FOLDER [--graphs N] [--first SEED] [--only SEED] [--jobs N]

A model is several graphs that have nothing to do with each other. It is planned in the ways of WAYS: each plan goes through
`tenure check` and the simulator of tests/simulator, each program is compiled by one of FLAGS and run with bytes poisoned where
nothing is. Without --graphs 96 of them, 10000 where TENURE_SOAK is set. Of a graph that goes wrong the shortest beginning
that does is said.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, *(os.path.join(os.path.dirname(HERE), d) for d in ("operators", "simulator", "execution", "models"))]

from packages import np, onnx  # ends with 77 where the packages are missing

import group_graphs
import programs
from model_graph import Model
from plan import Plan
from simulate import judge
from words import NotJudged

WAYS = (("-O1",), ("-O2",), ("-O3",), ("-O3", "--inplace=all", "--io=arena", "--reuse-inputs"))
STRICT = ["-std=gnu99", "-O2", "-march=native", "-Wshadow", "-Wno-psabi"]
# What -O1 does, and what -O2 does with pointers to other types; compilers take half as long with it.
QUICK = [*STRICT, "-O1", "-fstrict-aliasing"]
# Options of the backend, then flags of the compiler; each way gets another one from model to model. Sanitizers see most
# where nothing is optimised away.
FLAGS = (("inside", STRICT), ("inside", [*STRICT, "-O0", *programs.SANITIZE]), ("inside", [*QUICK, "-DNET_LANES=1"]),
         ("inside", [*QUICK, "-DNET_LANES=1", "-DNET_QUADS=1"]), ("small", QUICK))
TOGETHER = 12  # graphs of a model
GRAPHS = 96
KEPT = (30060,)  # first graphs of models that have shown faults


class Count:
    def __init__(self):
        self.graphs = self.nodes = self.plans = self.steps = self.groups = self.in_groups = self.by_rows = 0
        self.claims, self.sizes, self.left_out = (collections.Counter() for _ in range(3))

    def add(self, document):
        self.plans += 1
        for s in document["programs"][0]["variants"][0]["steps"]:
            self.steps += 1
            if s.get("fused", {}).get("domain") == "tenure.fused":
                self.groups += 1
                self.in_groups += len(s["nodes"])
                self.by_rows += any("nest" in n for n in s["nodes"])
                self.sizes[len(s["nodes"])] += 1
                self.claims.update(c["promise"] for c in s["claims"])


def tenure_of(args, *words):
    return subprocess.run([args.tenure, *words], capture_output=True, text=True, check=False, timeout=900)


def checked(path, folder, args, way, count):
    """What is wrong with the plan, by both checkers."""
    plan = os.path.join(folder, "net.json")
    done = tenure_of(args, "plan", path, "-q", *way, "--fuse=all", "--emit=json", "-o", plan)
    if done.returncode != 0:
        return f"plan: {done.stderr[-300:]}"
    done = tenure_of(args, "check", path, plan)
    if done.returncode != 0:
        return f"check: {(done.stderr + done.stdout)[-300:]}"
    with open(plan, encoding="utf-8") as f:
        document = json.load(f)
    try:
        wrong, _ = judge(Model(path), Plan(document, document["programs"][0]["variants"][0]))
    except NotJudged as why:
        wrong = None
        count.left_out[str(why)] += 1
    count.add(document)
    return f"simulator: {wrong}" if wrong else None


def differences(graphs, got):
    names = [(g, o) for g in graphs for o in g.outputs]
    for (g, name), have in zip(names, got):
        want = g.kept[name]
        equal = have.astype(np.float64) == want.exact
        away = float(np.where(equal, 0, np.abs(have.astype(np.float64) - want.exact.astype(np.float64))).max(initial=0))
        if not away <= g.tolerance(name):
            yield f"'{name}' ({g.kept[name].dtype.name}{want.dims}) is away by {away:.3g}, allowed is {g.tolerance(name):.3g}"


def made(path, folder, args, way, flags, graphs):
    """What is wrong with the program."""
    kernels, more = flags
    try:
        programs.emit(args.tenure, path, folder, [*way, "--fuse=all"][:None if len(way) > 1 else -1], kernels=kernels)  # it is what is done anyway
        program = programs.build(folder, programs.Alone(more))
        outputs = [(g.kept[o].dtype, g.kept[o].array.shape) for g in graphs for o in g.outputs]
        got = programs.run(program, [x for g in graphs for x in g.feeds.values()], outputs)
    except (programs.Refused, programs.Missing, RuntimeError, ValueError, AssertionError, subprocess.TimeoutExpired) as error:
        return f"{type(error).__name__}: {str(error)[-1500:]}"
    return next(differences(graphs, got), None)


def faults(args, folder, graphs, number, count):
    """What is wrong in each way: (way, flags, what)."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "made.onnx")
    onnx.save(group_graphs.model_of(graphs), path)
    for k, way in enumerate(WAYS):
        inside = os.path.join(folder, str(k))
        os.makedirs(inside, exist_ok=True)
        flags = FLAGS[(k + number) % len(FLAGS)]
        wrong = checked(path, inside, args, way, count) or made(path, inside, args, way, flags, graphs)
        if wrong:
            yield way, flags, wrong


def one_way(args, folder, graph, way, flags):
    """The same of one graph in one way."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "made.onnx")
    onnx.save(group_graphs.model_of([graph]), path)
    return checked(path, folder, args, way, Count()) or made(path, folder, args, way, flags, [graph])


def explain(args, folder, seeds, way, flags):
    """The graph that is wrong, as short as it is wrong."""
    for seed in seeds:
        whole = group_graphs.Graph(seed)
        if not whole.outputs or one_way(args, folder, whole, way, flags) is None:
            continue
        for steps in range(1, whole.steps + 1):
            graph = group_graphs.Graph(seed, steps=steps)
            wrong = one_way(args, folder, graph, way, flags) if graph.outputs else None
            if wrong:
                return f"graph {seed} of {steps} steps: {wrong}\n  " + "\n  ".join(graph.text())
        return f"graph {seed}, and no beginning of it"
    return "no graph alone is wrong"


def try_model(args, first):
    """(count, what is wrong)"""
    count, wrong = Count(), []
    seeds = range(first, first + args.together)
    graphs = [group_graphs.Graph(seed, f"g{seed}_") for seed in seeds]
    graphs = [g for g in graphs if g.outputs]
    count.graphs, count.nodes = len(graphs), sum(len(g.nodes) for g in graphs)
    folder = os.path.join(args.folder, str(first))
    for way, flags, what in faults(args, folder, graphs, first // args.together, count):
        why = "" if wrong else "\n " + explain(args, os.path.join(folder, "alone"), seeds, way, flags)
        wrong.append(f"{' '.join(way)}, {flags[0]} {' '.join(flags[1])}: {what}{why}")
    if not wrong:
        subprocess.run(["rm", "-r", folder], check=True)
    return count, wrong


def total(counts):
    all_of = Count()
    for c in counts:
        for name, n in vars(c).items():
            setattr(all_of, name, getattr(all_of, name) + n)
    return all_of


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("folder")
    parser.add_argument("--graphs", type=int, default=10000 if os.environ.get("TENURE_SOAK") else GRAPHS)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    args.together = TOGETHER if args.only is None else 1
    starts = [*range(args.first, args.first + args.graphs, TOGETHER), *KEPT] if args.only is None else [args.only]
    wrong, counts = [], []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for first, (count, bad) in zip(starts, pool.map(lambda first: try_model(args, first), starts)):
            counts.append(count)
            wrong += bad
            for line in bad:
                print(f"WRONG: model {first}: {line}", flush=True)
    c = total(counts)
    sizes = ", ".join(f"{n} of {k}" for k, n in sorted(c.sizes.items()))
    print(f"{c.graphs} graphs of {c.nodes} nodes, {c.plans} plans of {c.steps} steps, {c.groups} of them groups, of {c.in_groups} nodes ({sizes}), {c.by_rows} by rows")
    print(f"claims of groups: {dict(c.claims)}; not simulated: {dict(c.left_out)}; {len(wrong)} wrong")
    few = args.only is None and (c.groups < c.plans or c.by_rows < c.plans or not {"elements", "rows"} <= set(c.claims))
    if few:
        print("WRONG: too few groups for a test of them")
    return 1 if wrong or few else 0


if __name__ == "__main__":
    sys.exit(main())
