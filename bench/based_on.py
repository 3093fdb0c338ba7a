#!/usr/bin/env python3
"""How much moves after a small edit of a model: bench/based_on.csv.

    bench/based_on.py TENURE [--models PATTERN]   takes models that are whole, open dimensions bound as in
                                                  tests/models/dims.txt, adds, removes and changes one op of each, plans the
                                                  result alone and with --based-on the plan of the model as it was, and
                                                  rewrites the file
    bench/based_on.py TENURE --means              prints the sums of the file, by edit

The op is the one in the middle of those that can be edited: `add` puts a Softmax, which does not
work in place at -O2, between a value and its readers; `remove` takes out an op whose first operand has the type and shape of its
result; `change` makes such an op of one operand a Softmax, a Softmax a Relu, and turns one kind of pooling into the other. `offsets` are the values with places in
both plans, `moved` those that lie elsewhere with --based-on, `least` how many proven have to, `without` those that lie
elsewhere in the free plan; `moved_arena` and `without_arena` count values in the arena alone.
"""

import csv
import fnmatch
import os
import sys
import tempfile

import figures
import onnx
from onnx import helper

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "tests", "models"))
import corpus  # noqa: E402

RESULTS = os.path.join(TOP, "bench", "based_on.csv")
COLUMNS = ["model", "edit", "offsets", "moved", "least", "without", "moved_arena", "without_arena", "arena", "free"]
EDITS = ("add", "remove", "change")
LEFT_OUT = ("light", "malformed")  # weights alone, or no models
MOST_NODES = 3000
MOST_BYTES = 80 << 20
SAME_SHAPE = ("Relu", "Sigmoid", "Tanh", "Exp", "Abs", "Neg", "Sqrt", "Erf", "Softplus", "Identity", "LeakyRelu", "Clip",
              "HardSwish", "HardSigmoid", "Elu", "Softmax", "Gelu", "Dropout", "BatchNormalization")
REMOVED = (*SAME_SHAPE, "Add", "Sub", "Mul", "Div")
CHANGES = {**{op: "Softmax" for op in SAME_SHAPE}, "Softmax": "Relu", "MaxPool": "AveragePool", "AveragePool": "MaxPool"}
POOLING = ("kernel_shape", "pads", "strides", "auto_pad", "ceil_mode")
FLOATS = ("f32", "f16", "f64")


def middle(items):
    return items[len(items) // 2] if items else None


def edited(path, edit, types):
    """The model with one op more, less or other, or None where no op can be edited so."""
    model = onnx.load(path)
    graph = model.graph
    outputs = {o.name for o in graph.output}
    inside = [n for n in graph.node if n.output and n.output[0] not in outputs and n.domain in ("", "ai.onnx")
              and types.get(n.output[0], "").split("[")[0] in FLOATS]
    del graph.value_info[:]
    if edit == "add":
        node = middle(inside)
        if node is None:
            return None
        old, new = node.output[0], node.output[0] + "_more"
        for n in graph.node:
            n.input[:] = [new if i == old else i for i in n.input]
        at = list(graph.node).index(node) + 1
        graph.node.insert(at, helper.make_node("Softmax", [old], [new], "one_more"))
    elif edit == "remove":
        node = middle([n for n in inside if n.op_type in REMOVED and types.get(n.input[0]) == types.get(n.output[0])])
        if node is None:
            return None
        for n in graph.node:
            n.input[:] = [node.input[0] if i == node.output[0] else i for i in n.input]
        graph.node.remove(node)
        read = {i for n in graph.node for i in n.input} | outputs
        kept = [t for t in graph.initializer if t.name in read]
        del graph.initializer[:]
        graph.initializer.extend(kept)
    else:
        node = middle([n for n in inside if n.op_type in CHANGES])
        if node is None:
            return None
        node.op_type = CHANGES[node.op_type]
        keep = [a for a in node.attribute if a.name in POOLING and "Pool" in node.op_type]
        del node.attribute[:]
        node.attribute.extend(keep)
        del node.input[1:]
        del node.output[1:]
    return model.SerializeToString()


def places(plan):
    """name -> (pool, offset) of every value with a place."""
    return {(v["graph"], v["name"]): (plan["pools"][s["pool"]]["name"], s["offset"] + v["offset"])
            for v in plan["values"] if v["storage"] is not None for s in [plan["storages"][v["storage"]]]}


def moved(before, after, pool=None):
    """How many of the values of both plans lie elsewhere."""
    return sum(after[n] != at for n, at in before.items() if n in after and pool in (None, at[0]))


def row_of(tenure, name, path, options, edit, before, old):
    types = {v["name"]: v["type"] for v in before["values"] if v["graph"] == ""}
    data = edited(path, edit, types)
    if data is None:
        return None
    with tempfile.NamedTemporaryFile(dir=os.path.dirname(old), suffix=".onnx") as f:
        f.write(data)
        f.flush()
        _, free = corpus.plan(tenure, f.name, options)
        done, near = corpus.plan(tenure, f.name, [*options, f"--based-on={old}"])
    if free is None or near is None:
        print(f"{name} {edit}: {done.stderr.decode(errors='replace') if done else 'takes too long'}", file=sys.stderr)
        return None
    base, was = near["report"]["based_on"], places(before)
    sizes = [sum(p["size"] for p in plan["pools"] if p["kind"] == "arena") for plan in (near, free)]
    return [name, edit, base["matched"], len(base["moved"]), base["least"], moved(was, places(free)),
            moved(was, places(near), "arena"), moved(was, places(free), "arena"), *sizes]


def measure(tenure, pattern, folder):
    bindings = corpus.bindings()
    old = os.path.join(folder, "old.json")
    for name, path in corpus.models():
        if not fnmatch.fnmatch(name, pattern) or name.split("/")[0] in LEFT_OUT or os.path.getsize(path) > MOST_BYTES:
            continue
        options = ["--metadata=ignore", *bindings.get(corpus.short(name), [])]
        done = corpus.run(tenure, ["plan", path, *options, "-q", "--emit=json", "-o", old])
        _, before = corpus.plan(tenure, path, options)
        if done is None or done.returncode != 0 or before is None or before["partial"] or before["report"]["data"] or \
                len(before["steps"]) > MOST_NODES:
            continue
        for edit in EDITS:
            try:
                row = row_of(tenure, name, path, options, edit, before, old)
            except (onnx.checker.ValidationError, ValueError, FileNotFoundError) as error:
                print(f"{name} {edit}: {error}", file=sys.stderr)
                continue
            if row is not None:
                yield row


def sums():
    with open(RESULTS, newline="", encoding="utf-8") as f:
        rows = list(csv.DictReader(f))
    for edit in ["all", *EDITS]:
        mine = [r for r in rows if edit in ("all", r["edit"])]
        n = {key: sum(int(r[key]) for r in mine) for key in COLUMNS[2:]}
        best = sum(r["moved"] == r["least"] for r in mine)
        larger = sum(int(r["arena"]) > int(r["free"]) for r in mine)
        print(f"{edit:8} {len(mine):4} edits of {len({r['model'] for r in mine})} models: {n['offsets']} offsets, {n['moved']} moved "
              f"(at least {n['least']}; proven least in {best} edits), {n['without']} without the option; in the arena "
              f"{n['moved_arena']} of {n['without_arena']}; {larger} arenas larger than the free one")


def main():
    if "--means" not in sys.argv:
        pattern = sys.argv[sys.argv.index("--models") + 1] if "--models" in sys.argv else "*"
        with tempfile.TemporaryDirectory() as folder:
            rows = list(measure(sys.argv[1], pattern, folder))
        figures.write(RESULTS, COLUMNS, rows)
    sums()


if __name__ == "__main__":
    main()
