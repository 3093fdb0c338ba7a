#!/usr/bin/env python3
"""Plans whose ops became one by --fuse=all: altered in what steps are made of they are refused, by a message that says where;
a module is planned again and again, with groups and without.

Usage: groups.py TENURE LIBRARY [--graphs N]
"""

import argparse
import copy
import json
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), d) for d in ("operators", "simulator", "models", "execution", "programs")]
from packages import onnx  # ends with 77 where the packages are missing

import corpus
import group_graphs
from verdicts import Checker

TEXTS = os.path.join(os.path.dirname(HERE), "text", "passes", "Inputs")
MODES = (("-O1",), ("-O2",), ("-O3", "--inplace=all"), ("-O3", "--recompute=100%"), ("-O3", "--io=arena", "--reuse-inputs"))
ALTERED = []


def altering(function):
    """Of functions that alter a step, which is a group; they say False where they find nothing to do."""
    ALTERED.append(function)
    return function


def steps_of(document):
    return document["programs"][0]["variants"][0]["steps"]


def groups_of(document):
    return [i for i, s in enumerate(steps_of(document)) if s.get("fused", {}).get("domain") == "tenure.fused"]


# ---- what is altered: the nodes ----

@altering
def without_the_first_node(steps, i, rng):
    del steps[i]["nodes"][0]


@altering
def without_the_last_node(steps, i, rng):
    del steps[i]["nodes"][-1]


@altering
def without_a_node(steps, i, rng):
    del steps[i]["nodes"][rng.randrange(len(steps[i]["nodes"]))]


@altering
def no_nodes(steps, i, rng):
    steps[i]["nodes"] = []


@altering
def backwards(steps, i, rng):
    steps[i]["nodes"].reverse()


@altering
def another_order(steps, i, rng):
    before = copy.deepcopy(steps[i]["nodes"])
    rng.shuffle(steps[i]["nodes"])
    return steps[i]["nodes"] != before


@altering
def a_node_twice(steps, i, rng):
    steps[i]["nodes"].insert(0, copy.deepcopy(steps[i]["nodes"][0]))


def of_another(steps, i, rng):
    others = [n for k, s in enumerate(steps) if k != i for n in s["nodes"]]
    return copy.deepcopy(rng.choice(others)) if others else None


@altering
def a_node_of_another_step_too(steps, i, rng):
    node = of_another(steps, i, rng)
    if node is None:
        return False
    nodes = steps[i]["nodes"]
    nodes.insert(rng.randrange(len(nodes) + 1), node)
    return True


@altering
def a_node_of_another_step_instead(steps, i, rng):
    node = of_another(steps, i, rng)
    if node is None:
        return False
    steps[i]["nodes"][rng.randrange(len(steps[i]["nodes"]))] = node
    return True


@altering
def a_node_handed_to_another_group(steps, i, rng):
    others = [k for k, s in enumerate(steps) if k != i and "fused" in s]
    if not others:
        return False
    node = steps[i]["nodes"].pop(rng.randrange(len(steps[i]["nodes"])))
    steps[rng.choice(others)]["nodes"].insert(0, node)
    return True


@altering
def no_such_node(steps, i, rng):
    rng.choice(steps[i]["nodes"])["index"] = rng.choice((-1, 10 ** 6, 2 ** 31 - 1, -2 ** 31, 2 ** 40))


@altering
def another_node_by_number(steps, i, rng):
    node = rng.choice(steps[i]["nodes"])
    node["index"] += rng.choice((-1, 1, 2))


@altering
def one_with_the_step_behind(steps, i, rng):
    """Two steps as one: of the second nothing is left."""
    if i + 1 == len(steps):
        return False
    steps[i]["nodes"] += copy.deepcopy(steps[i + 1]["nodes"])
    steps[i]["results"] = steps[i + 1]["results"]
    return True


@altering
def no_such_nest(steps, i, rng):
    rng.choice(steps[i]["nodes"])["nest"] = rng.choice((17, 10 ** 6, 2 ** 31 - 1))


@altering
def one_nest_for_all(steps, i, rng):
    return any([n.pop("nest", 0) for n in steps[i]["nodes"]])


@altering
def nests_backwards(steps, i, rng):
    nests = [n.get("nest", 0) for n in steps[i]["nodes"]]
    for node, nest in zip(steps[i]["nodes"], reversed(nests)):
        node["nest"] = nest + 1
    return max(nests) > 0


@altering
def no_workspace(steps, i, rng):
    had = bool(steps[i]["workspace"])
    steps[i]["workspace"] = []
    return had


# ---- what else says that it is a group ----

@altering
def no_group(steps, i, rng):
    del steps[i]["fused"]


@altering
def another_name(steps, i, rng):
    steps[i]["fused"]["op"] = rng.choice((steps[i]["fused"]["op"] + "_v999999999999", steps[i]["fused"]["op"] + "_", "Relu", "", "x" * 1000))


@altering
def another_domain(steps, i, rng):
    steps[i]["fused"]["domain"] = rng.choice(("", "own", "tenure"))


@altering
def another_version(steps, i, rng):
    steps[i]["fused"]["version"] = 2


@altering
def without_an_operand(steps, i, rng):
    del steps[i]["operands"][rng.randrange(len(steps[i]["operands"]))]


@altering
def an_operand_too_many(steps, i, rng):
    steps[i]["operands"].append(rng.choice(steps[i]["operands"]))


@altering
def operands_in_another_order(steps, i, rng):
    steps[i]["operands"].reverse()
    return len(set(map(str, steps[i]["operands"]))) > 1


@altering
def no_operand_there(steps, i, rng):
    steps[i]["operands"][rng.randrange(len(steps[i]["operands"]))] = rng.choice((None, 10 ** 6))


@altering
def in_place_of_what_it_may_not(steps, i, rng):
    have = {c["operand"] for c in steps[i]["claims"]}
    free = [k for k in range(len(steps[i]["operands"])) if k not in have]
    if not free:
        return False
    steps[i]["claims"] = [{"result": 0, "operand": rng.choice(free), "promise": rng.choice(("elements", "rows"))}]
    return True


def plan(tenure, path, mode):
    done = corpus.run(tenure, ["plan", path, "-q", "--fuse=all", "--emit=json", "-o", "-", *mode])
    if done is None or done.returncode != 0:
        raise SystemExit(f"{path} {' '.join(mode)}: {done.stderr if done else 'no time'}")
    return json.loads(done.stdout)


def alter_all(checker, loaded, document, rng, where, counts):
    """What is accepted though it was altered."""
    for i in groups_of(document):
        for fn in ALTERED:
            other = copy.deepcopy(document)
            if fn(steps_of(other), i, rng) is False or other == document:
                continue
            said = checker.messages(loaded, other)
            counts[fn.__name__] = counts.get(fn.__name__, 0) + 1
            if not said:
                yield f"{where}, step {i}: {fn.__name__}: accepted"
            elif said[0].startswith("status"):
                yield f"{where}, step {i}: {fn.__name__}: {said[0]}, and no message"


def again(checker, path, where):
    """Plans of one module, made one after the other, are right, and those of the same options the same."""
    context, model, _ = checker.load(path)
    texts = {}
    for fuse, level in (("all", 3), ("none", 3), ("all", 3), ("all", 1), ("none", 3), ("all", 3)):
        made = model.plan(fuse=fuse, O=level).json()
        if texts.setdefault((fuse, level), made) != made:
            yield f"{where}: --fuse={fuse} -O{level} gives another plan the second time"
        said = checker.messages(checker.load(path), json.loads(made))
        if said:
            yield f"{where}: planned again with --fuse={fuse} -O{level}: {said[0]}"


def models(folder, n):
    for name in ("groups", "named", "apart", "conv", "statistics", "standardised"):
        yield name, os.path.join(TEXTS, name + ".tir")
    for seed in range(n):
        graphs = [g for g in (group_graphs.Graph(50000 + 3 * seed + k, f"g{k}_") for k in range(3)) if g.outputs]
        path = os.path.join(folder, f"random{seed}.onnx")
        onnx.save(group_graphs.model_of(graphs), path)
        yield f"random{seed}", path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("library")
    parser.add_argument("--graphs", type=int, default=200 if os.environ.get("TENURE_SOAK") else 8)
    args = parser.parse_args()
    rng, checker, counts, wrong, plans = random.Random(1), Checker(args.library), {}, [], 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, path) in enumerate(models(folder, args.graphs)):
            loaded = checker.load(path)
            for mode in corpus.some(MODES, number, 1):
                document = plan(args.tenure, path, mode)
                where = f"{name} {' '.join(mode)}"
                said = checker.messages(loaded, document)
                wrong += [f"{where}: {said[0]}"] if said else []
                wrong += alter_all(checker, loaded, document, rng, where, counts)
                plans += 1
            wrong += again(checker, path, name)
    for line in wrong:
        print("WRONG:", line)
    missing = [fn.__name__ for fn in ALTERED if fn.__name__ not in counts]
    print(f"{plans} plans, {sum(counts.values())} altered ones of {len(counts)} kinds, {len(wrong)} wrong" + (f"; never tried: {missing}" if missing else ""))
    return 1 if wrong or missing else 0


if __name__ == "__main__":
    sys.exit(main())
