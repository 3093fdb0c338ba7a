"""Models run by from_plan.py, from plan and weights image alone: outputs equal, bit for bit, those of the model run
node by node with the same kernels (tests/execution), every value in memory of its own.

usage: executed.py TENURE [--all] [--models PATTERN]... [--limit SECONDS] [--most-bytes N] [--verbose]

Without options: the shipped models, in all MODES; --all: those of TENURE_MODELS as well. Plans spoiled on purpose
have to be noticed.
"""

import argparse
import collections
import copy
import fnmatch
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "execution")]

import execute  # of tests/execution: inputs, the run without a plan, kernels; brings the paths of its modules
import corpus
import from_plan
import graphs
import kernels
import more_bodies
import numpy as np
import onnx
import planfile
import spoil
from interpreter import MOST_ROUNDS
from onnx import TensorProto, helper

MOST = 6  # faults of a kind a plan
MODES = (("-O2",), ("-O3",), ("--io=arena",), ("-O3", "--inplace=ordered"), ("-O2", "--recompute=33%"))
# Models whose kernels of the reference evaluator take long: ONNX Runtime, or a stand-in.
LARGE = ("bert_base", "gpt_decoder", "mobilenet_v2", "resnet50", "squeezenet1_1", "unet_small")


class Definitions:
    """Ops whose bodies run by the op's own definition, with the kernels of the run without a plan."""

    def __init__(self, kernels):
        self.kernels = kernels

    def table(self):
        return {("", "SequenceMap"): self.sequence_map, ("", "Scan"): self.scan_8, None: self.unknown}

    def sequence_map(self, node, contents, run_body, arguments, results):
        def arguments_of(k):
            return [c[k] if isinstance(c, list) else c for c in contents]
        return [list(column) for column in zip(*(run_body(0, arguments_of(k)) for k in range(len(contents[0]))))]

    def scan_8(self, node, contents, run_body, arguments, results):
        """Scan(lengths, states, inputs) for every entry of the batch by itself."""
        sliced = next(a.i for a in node.attribute if a.name == "num_scan_inputs")
        lengths, states, inputs = contents[0], contents[1:-sliced], contents[-sliced:]
        batch, longest = inputs[0].shape[:2]
        entries = []
        for entry in range(batch):
            length, state, rows = longest if lengths is None else int(lengths[entry]), [s[entry] for s in states], []
            for at in range(length):
                outputs = run_body(0, [*state, *(x[entry][at] for x in inputs)])
                state = outputs[: len(states)]
                rows.append(outputs[len(states) :])
            filled = [np.stack([*column] + [np.zeros_like(column[0])] * (longest - length)) for column in zip(*rows)]
            entries.append([*state, *filled])
        return [np.stack(column) for column in zip(*entries)]

    def unknown(self, node, contents, run_body, arguments, results):
        """Results made from all that the bodies give, as more_bodies.py makes them."""
        seen = list(contents)
        for number, values in enumerate(arguments):
            if all(map(kernels.sized, values)):
                for _ in range(more_bodies.ROUNDS):
                    seen += run_body(number, kernels.stand_in(node, seen, values))
        return self.kernels.stand_in(node, seen, results)


def with_data(file, path, folder):
    """The path of a model all of whose data are there: missing files are made, of the numbers of graphs.py."""
    protos = [t for t in file.model.graph.initializer if t.data_location == t.EXTERNAL]
    where = [{e.key: e.value for e in t.external_data} for t in protos]
    missing = {w["location"] for w in where if not os.path.exists(os.path.join(file.folder, w["location"]))}
    if not missing:
        return path
    copy = os.path.join(folder, os.path.basename(path))
    shutil.copyfile(path, copy)
    for t, w in zip(protos, where):
        if w["location"] in missing:
            target = os.path.join(folder, w["location"])
            with open(target, "r+b" if os.path.exists(target) else "wb") as f:
                f.seek(int(w.get("offset", 0)))
                f.write(file.main.initializers[t.name].tobytes())
        else:
            shutil.copyfile(os.path.join(file.folder, w["location"]), os.path.join(folder, w["location"]))
    return copy


class Failed(Exception):
    """A plan, run, gives something else."""


def emitted(args, path, options, kind, to):
    done = corpus.run(args.tenure, ["plan", path, "--quiet", "--partial", *options, f"--emit={kind}", "-o", to])
    if done is None or done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines() if done else ["it takes long"]
        raise graphs.Unsupported(f"no {kind}: {said[-1] if said else done.returncode}")
    return to


def plan_of(args, path, options, folder, images):
    """The plan and its weights, as any reader of the documentation gets them. One image serves all plans of a layout:
    `images` are those there are."""
    with open(emitted(args, path, options, "json", os.path.join(folder, "plan.json")), encoding="utf-8") as f:
        plan = json.load(f)
    size = sum(pool["size"] for pool in plan["pools"])
    if size > args.most_bytes:
        raise graphs.Unsupported(f"{size} bytes, more than the {args.most_bytes} taken here")
    if plan["layout"] not in images:
        weights = emitted(args, path, options, "weights", os.path.join(folder, "net.bin"))
        images[plan["layout"]] = from_plan.load_weights(weights, plan)
    return plan, images[plan["layout"]]


def run(plan, weights, model):
    """Raises Failed where an output is not what it is without a plan."""
    variant = plan["programs"][0]["variants"][0]
    read = {v for step in variant["steps"] if not step["idle"] for v in step["reads"]}
    for v in read:
        if variant["values"][v]["role"] == "const" and variant["values"][v]["left_out"] == "data":
            raise graphs.Unsupported(f"'{variant['values'][v]['name']}' is data that no image holds (strings, sparse tensors)")
    names = [[variant["values"][v]["name"] for v in variant[key]] for key in ("inputs", "outputs")]
    machine = from_plan.Machine(plan, weights, model.kernels.run, Definitions(model.kernels).table(), MOST_ROUNDS)
    defaults = model.file.main.initializers
    try:
        outputs = machine.run([None if name in defaults else model.inputs.get(name) for name in names[0]])
    except from_plan.PlanError as error:
        raise Failed(str(error)) from error
    for name, content in zip(names[1], outputs):
        if not execute.same(content, model.wanted[name]):
            raise Failed(f"output '{name}' differs")


def try_model(args, name, path, options, tally):
    signal.setitimer(signal.ITIMER_PROF, args.limit)
    start, done = time.monotonic(), 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            model = execute.Model(args.tenure, path, options, corpus.short(name) in LARGE or args.all)
            path = with_data(model.file, path, folder)
            images = {}
            for mode in MODES:
                try:
                    run(*plan_of(args, path, [*options, *mode], folder, images), model)
                    done += 1
                except Failed as error:
                    tally["wrong"].append(f"{name} {' '.join(mode)}: {error}")
    except kernels.TooLong:
        tally["not run"].append(f"{name}: longer than {args.limit} s of processor time, {done} plans run")
    except (graphs.Unsupported, MemoryError) as error:
        tally["not run"].append(f"{name}: {error}")
    except Exception as error:  # a fault of this test: reported, and counted as a failure
        tally["wrong"].append(f"{name}: {type(error).__name__}: {error}\n{traceback.format_exc()}")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    tally["plans"] += done
    tally["models"] += done > 0
    if args.verbose:
        print(f"{name}: {done} plans, {time.monotonic() - start:.1f} s", flush=True)


def operands_swapped(plan):
    """The two operands of a step exchanged where the result shows it."""
    for at, step in enumerate(plan["steps"]):
        if step["op"] in ("Sub", "Div", "MatMul", "Concat") and len(step["operands"]) == 2 and not step["idle"]:
            wrong = copy.deepcopy(plan)
            wrong["steps"][at]["operands"].reverse()
            yield wrong


def called_idle(plan):
    """A step left out that computes something."""
    for at, step in enumerate(plan["steps"][:MOST]):
        if step["kind"] == "op" and not step["idle"]:
            wrong = copy.deepcopy(plan)
            wrong["steps"][at]["idle"] = True
            yield wrong


def direction_reversed(plan):
    """A kernel that goes through the elements the other way."""
    other = {"ascending": "descending", "descending": "ascending"}
    for at, step in enumerate(plan["steps"]):
        for k, claim in enumerate(step["claims"]):
            if claim["promise"] in other:
                wrong = copy.deepcopy(plan)
                wrong["steps"][at]["claims"][k]["promise"] = other[claim["promise"]]
                yield wrong


def widths_of(folder):
    """A model in which elements get narrower and wider."""
    x, y = (helper.make_tensor_value_info(name, t, [7, 9]) for name, t in (("x", TensorProto.FLOAT), ("y", TensorProto.INT64)))
    types = (TensorProto.INT16, TensorProto.INT32, TensorProto.INT8, TensorProto.INT64)
    names = ("a", "b", "c", "d", "e")
    nodes = [helper.make_node("Mul", ["x", "ninety"], ["a"])]
    nodes += [helper.make_node("Cast", [o], [r], to=t) for o, r, t in zip(names, names[1:], types)]
    nodes.append(helper.make_node("CumSum", ["e", "axis"], ["y"]))
    data = [helper.make_tensor("axis", TensorProto.INT64, [], [1]), helper.make_tensor("ninety", TensorProto.FLOAT, [], [90])]
    model = helper.make_model(helper.make_graph(nodes, "widths", [x], [y], data),
                              opset_imports=[helper.make_opsetid("", 17)])
    path = os.path.join(folder, "widths.onnx")
    onnx.save(model, path)
    return path


def try_directions(args, tally, planted):
    with tempfile.TemporaryDirectory() as folder:
        path = widths_of(folder)
        model = execute.Model(args.tenure, path, [], True)
        plan, weights = plan_of(args, path, ["-O3", "--inplace=ordered"], folder, {})
        run(plan, weights, model)
        for wrong in direction_reversed(planfile.flat(plan)):
            planted["direction_reversed"] += 1
            try:
                run(planfile.whole(wrong), weights, model)
                tally["wrong"].append("nobody noticed a direction reversed")
            except Failed:
                pass
    if planted["direction_reversed"] < 4:
        tally["wrong"].append("a model of five widths has fewer claims than four")


def try_spoiled(args, tally):
    """Faults planted in plans of small models: all have to be noticed."""
    planted = collections.Counter()
    try_directions(args, tally, planted)
    for name in execute.SPOILED:
        path = os.path.join(corpus.SHIPPED, name + ".onnx")
        with tempfile.TemporaryDirectory() as folder:
            model = execute.Model(args.tenure, path, [], True)
            path = with_data(model.file, path, folder)
            plan, weights = plan_of(args, path, ["-O1"], folder, {})  # few idle steps, which may stand anywhere
        for spoiler in SPOILERS:
            for number, wrong in enumerate(spoiler(planfile.flat(plan))):
                planted[spoiler.__name__] += 1
                try:
                    run(planfile.whole(wrong), weights, model)
                    tally["wrong"].append(f"{name}: nobody noticed {spoiler.__name__} {number}")
                except Failed:
                    pass
    tally["wrong"] += [f"no plan was spoiled by {s.__name__}" for s in SPOILERS if not planted[s.__name__]]
    print("planted and noticed: " + ", ".join(f"{n} {what}" for what, n in planted.items()))


SPOILERS = (spoil.overlapping, spoil.freed_early, spoil.reordered, operands_swapped, called_idle)


def main():
    np.seterr(all="ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--models", action="append", default=[])
    parser.add_argument("--limit", type=int, default=60)
    parser.add_argument("--most-bytes", type=int, default=3 << 29)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    signal.signal(signal.SIGPROF, execute.on_alarm)
    tally = {"plans": 0, "models": 0, "wrong": [], "not run": []}
    patterns = args.models or (["*"] if args.all else ["shipped/*"])
    bindings = corpus.bindings()
    chosen = [(n, path) for n, path in corpus.models() if any(fnmatch.fnmatch(n, p) for p in patterns)]
    if not chosen and not os.environ.get("TENURE_MODELS"):
        print(f"no models {' '.join(patterns)} are shipped, and TENURE_MODELS names no folder with more")
        sys.exit(77)
    for name, path in chosen:
        options = execute.SMALLER.get(corpus.short(name), bindings.get(corpus.short(name), []))
        try_model(args, name, path, options, tally)
    if not args.models:
        try_spoiled(args, tally)
    for line in tally["not run"]:
        print(f"not run: {line}")
    for line in tally["wrong"]:
        print(f"WRONG: {line}")
    print(f"{tally['plans']} plans of {tally['models']} models run from plan and weights alone, "
          f"{len(tally['wrong'])} wrong, {len(tally['not run'])} models not run")
    return 1 if tally["wrong"] or tally["plans"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
