"""Runs models with open dimensions at several extents from one plan: offsets and sizes are worked out from the JSON
by the rules of docs/PLAN.md, and outputs equal, bit for bit, those of a run without a plan.

usage: open_plans.py TENURE DIR
"""

import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "models")]
sys.path.append(os.path.join(os.path.dirname(HERE), "operators"))
from packages import np  # ends with 77 where the packages are missing

import corpus
import planfile
from arena import Arena, Corruption, Plain
from execute import same
from expressions import evaluate
from graphs import File
from inputs import inputs_of
from interpreter import Run
from kernels import Kernels
from sets import decoder

# Shipped models, and five extents of each of their dimensions.
MODELS = {
    "gpt_decoder": {"batch": (1, 2, 1, 3, 1), "past": (1, 2, 7, 5, 16)},
}
MODES = (("-O1",), ("-O3", "--io=arena"))


def round_up(number, multiple):
    return -(-number // multiple) * multiple


def place(storages, k):
    """The offset of a storage, those below it first."""
    storage = storages[k]
    if storage["offset"] is None:
        ends = [place(storages, low) + storages[low]["size"] for low in storage["above"]]
        storage["offset"] = round_up(max(ends), storage["align"])
    return storage["offset"]


def holds(variant, dims):
    guard = (variant["guard"] or {"dims": []})["dims"]
    return all(g["min"] <= dims[g["dim"]] and (g["max"] is None or dims[g["dim"]] <= g["max"]) for g in guard)


def resolve(document, variant, dims):
    """The plan of one variant with numbers for these extents, as tests want it (planfile.py)."""
    program = document["programs"][0]
    one = json.loads(json.dumps({**document, "programs": [{**program, "variants": [variant]}]}))
    made, texts = one["programs"][0]["variants"][0], document["expressions"]
    for storage in made["storages"]:
        storage["size"] = evaluate(storage["size"], texts, dims)
    for value in made["values"]:
        value["bytes"] = evaluate(value["bytes"], texts, dims)
        value["offset"] = evaluate(value["offset"], texts, dims)
        value["dims"] = [evaluate(d, texts, dims) for d in value["dims"]]
        value["type"] = re.sub(r"\[.*\]", "[" + ",".join(map(str, value["dims"])) + "]", value["type"])
    sizes = [0] * len(one["pools"])
    for k, storage in enumerate(made["storages"]):
        end = place(made["storages"], k) + storage["size"]
        sizes[storage["pool"]] = max(sizes[storage["pool"]], end)
    plan = planfile.flat(one)
    plan["pools"] = [{**pool, "size": round_up(size, pool["align"]) if pool["kind"] == "arena" else size}
                     for pool, size in zip(one["pools"], sizes)]
    return plan


def arena_of(plan):
    return sum(pool["size"] for pool in plan["pools"] if pool["kind"] == "arena")


def smallest(document, dims):
    plans = [resolve(document, v, dims) for v in document["programs"][0]["variants"] if holds(v, dims)]
    return min(plans, key=arena_of)


def plan_open(tenure, path, *options):
    made = subprocess.run([tenure, "plan", path, "--open", *options, "-q", "--emit=json"], capture_output=True, check=True)
    return json.loads(made.stdout)


def run_model(tenure, path, extents, name_of, fast):
    """Plans executed, and bytes poisoned in them."""
    file, kernels, runs, poisoned = File(path), Kernels(fast), 0, 0
    plain = plan_open(tenure, path, "-O0", "--io=separate")
    opened = [plan_open(tenure, path, *mode) for mode in MODES]
    for k in range(5):
        dims = {name: values[k] for name, values in extents.items()}
        unplanned = smallest(plain, dims)
        feeds = inputs_of(file, unplanned, name_of)
        wanted = Run(file, unplanned, Plain(unplanned), kernels).run(dict(feeds))
        for mode, document in zip(MODES, opened):
            plan = smallest(document, dims)
            arena = Arena(plan)
            got = Run(file, plan, arena, kernels).run(dict(feeds))
            arena.check_consts()
            for name in wanted:
                assert same(got[name], wanted[name]), f"{name_of} {mode} {dims}: '{name}' differs"
            runs, poisoned = runs + 1, poisoned + arena.bytes_poisoned
    return runs, poisoned


def run_spoiled(tenure, path, extents):
    """A plan whose relation lacks what keeps two storages apart is noticed."""
    document = plan_open(tenure, path, "-O1")
    dims = {name: values[4] for name, values in extents.items()}
    for variant in document["programs"][0]["variants"]:
        for storage in variant["storages"]:
            if storage["above"]:
                storage["above"], storage["offset"] = [], 0
    file, plan = File(path), smallest(document, dims)
    try:
        Run(file, plan, Arena(plan), Kernels(True)).run(inputs_of(file, plan, "spoiled"))
    except (Corruption, KeyError):
        return
    raise AssertionError("nobody noticed that all storages lie on each other")


def main():
    tenure, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    own = {"seq": (1, 2, 7, 64, 509)}
    results = [run_model(tenure, decoder(folder), own, "decoder", False)]
    run_spoiled(tenure, decoder(folder), own)
    for name, extents in MODELS.items():
        path = os.path.join(corpus.SHIPPED, f"{name}.onnx")
        results.append(run_model(tenure, path, extents, name, True))
    print(f"{sum(r[0] for r in results)} runs of plans with open dimensions, bit-equal to runs without a plan; "
          f"{sum(r[1] for r in results)} bytes poisoned")


if __name__ == "__main__":
    main()
