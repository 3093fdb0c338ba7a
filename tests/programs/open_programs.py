"""Programs of plans with open dimensions: one program a model, run at several bindings against ONNX Runtime.

usage: open_programs.py TENURE FOLDER [--models PATTERN]... [--jobs N]
Programs whose extents data give are run too, without --models (data_programs.py).

Each program is compiled once, with sanitizers, and run at extents that its plan was not made for, in pools as large as
net_resolve says and poisoned where nothing is. A program whose layout is spoiled has to be noticed.
"""

import concurrent.futures
import fnmatch
import os
import random
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE] + [os.path.join(os.path.dirname(HERE), d) for d in ("execution", "headers", "models", "operators")]

from packages import np, onnx  # ends with 77 where the packages are missing

import corpus
import data_programs
import programs
from crossing import crossing
from model_programs import (Linked, Model, NotRun, Wrong, arguments, compare, last_line, library_of, outputs_of, program_of,
                            strict, variant_of)
from onnx import TensorProto, helper

MODES = ("-O2 --open", "-O3 --io=arena --open")
MODELS = ("made/*", "rnn/*", "transformer/ort_bert_toy*", "transformer/ort_gpt2_one*", "transformer/vespa_dummy*",
          "features/jax2onnx*")
BINDINGS = 3
LEAST = 3  # models that must have run


class Point(Model):
    """A model at extents."""

    def __init__(self, tenure, name, path, folder, extents):
        options = [word for dim, x in extents.items() for word in ("--dim", f"{dim}={x}")]
        super().__init__(tenure, name, path, folder, options)


class Open:
    """What model_programs needs of a model to make a program of it."""

    def __init__(self, tenure, path, folder):
        self.tenure, self.path, self.folder, self.options = tenure, path, folder, []


def value(name, kind, *dims):
    return helper.make_tensor_value_info(name, kind, list(dims))


def convolutions():
    """Padding that follows from extents, and views with open sizes."""
    rng = np.random.default_rng(3)
    weights = {"k": rng.standard_normal((4, 2, 3, 3)), "l": rng.standard_normal((4, 4, 3, 3)),
               "t": rng.standard_normal((4, 2, 3, 3))}
    nodes = [helper.make_node("Conv", ["x", "k"], ["a"], auto_pad="SAME_UPPER", strides=[2, 2]),
             helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("MaxPool", ["b"], ["c"], kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_LOWER"),
             helper.make_node("Conv", ["c", "l"], ["d"], pads=[1, 1, 1, 1]),
             helper.make_node("Add", ["c", "d"], ["e"]),
             helper.make_node("AveragePool", ["e"], ["f"], kernel_shape=[2, 2], strides=[2, 2], auto_pad="SAME_UPPER"),
             helper.make_node("ConvTranspose", ["f", "t"], ["g"], strides=[2, 2]),
             helper.make_node("Concat", ["g", "g"], ["h"], axis=1), helper.make_node("GlobalAveragePool", ["e"], ["i"]),
             helper.make_node("Flatten", ["i"], ["y"])]
    graph = helper.make_graph(nodes, "convolutions", [value("x", TensorProto.FLOAT, "batch", 2, "h", "w")],
                              [value("y", TensorProto.FLOAT, None, None), value("h", TensorProto.FLOAT, None, None, None, None)],
                              [helper.make_tensor(n, TensorProto.FLOAT, w.shape, w.ravel()) for n, w in weights.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def scanned():
    """A Scan over an open extent, with a state and a stacked output of open sizes."""
    body = helper.make_graph([helper.make_node("Add", ["s", "e"], ["n"]), helper.make_node("Tanh", ["n"], ["o"])], "body",
                             [value("s", TensorProto.FLOAT, "b", 3), value("e", TensorProto.FLOAT, "b", 3)],
                             [value("n", TensorProto.FLOAT, "b", 3), value("o", TensorProto.FLOAT, "b", 3)])
    nodes = [helper.make_node("Transpose", ["x"], ["t"], perm=[1, 0, 2]),
             helper.make_node("Scan", ["z", "t"], ["last", "all"], body=body, num_scan_inputs=1,
                              scan_input_directions=[1]),
             helper.make_node("Neg", ["all"], ["y"])]
    graph = helper.make_graph(nodes, "scanned", [value("x", TensorProto.FLOAT, "b", "t", 3), value("z", TensorProto.FLOAT, "b", 3)],
                              [value("last", TensorProto.FLOAT, "b", 3), value("y", TensorProto.FLOAT, "t", "b", 3)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def looped():
    """A Loop that carries a value of open size, and an input with a default behind one of open size."""
    body = helper.make_graph([helper.make_node("Mul", ["s", "f"], ["n"]), helper.make_node("Identity", ["go"], ["on"])], "body",
                             [value("i", TensorProto.INT64), value("go", TensorProto.BOOL), value("s", TensorProto.FLOAT, "b", 5)],
                             [value("on", TensorProto.BOOL), value("n", TensorProto.FLOAT, "b", 5)])
    nodes = [helper.make_node("Sigmoid", ["x"], ["p"]),
             helper.make_node("Loop", ["times", "", "p"], ["q"], body=body), helper.make_node("Softmax", ["q"], ["y"], axis=-1)]
    graph = helper.make_graph(nodes, "looped", [value("x", TensorProto.FLOAT, "b", 5), value("f", TensorProto.FLOAT, 5)],
                              [value("y", TensorProto.FLOAT, "b", 5)],
                              [helper.make_tensor("f", TensorProto.FLOAT, [5], [0.5, 2, 1, 3, -1]),
                               helper.make_tensor("times", TensorProto.INT64, [], [4])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def several_variants():
    return crossing(6)


def made(folder):
    for model in (convolutions, scanned, looped, several_variants):
        path = os.path.join(folder, model.__name__ + ".onnx")
        onnx.save(model(), path)
        yield "made/" + model.__name__, path


def points_of(ranges, name):
    """Extents by dimension: the smallest, and some odd ones that no plan is made at."""
    rng = random.Random(name)
    small = {r["dim"]: r["min"] for r in ranges}
    yield small
    for k in range(1, BINDINGS):
        yield {r["dim"]: min(rng.randint(2, 5 + 4 * k) + r["min"] - 1, r["max"] or 1 << 30) for r in ranges}


def check_points(args, name, path, program, ranges, folder):
    """How many bindings gave the numbers of ONNX Runtime."""
    equal, why = 0, ""
    for k, extents in enumerate(points_of(ranges, name)):
        at = os.path.join(folder, f"point{k}")
        os.makedirs(at, exist_ok=True)
        try:
            model = Point(args.tenure, name, path, at, extents)
            _, variant = variant_of(model, "-O2", at)
            got = outputs_of(model, program, variant, 1, args.limit, [extents[r["dim"]] for r in ranges])
        except NotRun as error:
            why = f"at {extents}: {error}"
            continue
        for output, want in model.wanted.items():
            if any(list(want.shape) != v["dims"] for v in variant["values"] if v["name"] == output and v["graph"] == ""):
                raise NotRun(f"no extents that the model can have: {extents}"[:150])
            try:
                compare(got[output], want)
            except Wrong as error:
                raise Wrong(f"at {extents}, output '{output}': {error}") from error
        equal += 1
    if equal == 0:
        raise NotRun(why)
    return equal


def spoil(folder):
    """No storage lies above another any more."""
    path = os.path.join(folder, "net_plan.h")
    with open(path, encoding="utf-8") as f:
        text = f.read()
    rows = text.split("} storages[] = {", 1)[1].split("};", 1)[0]
    spoiled = re.sub(r"\d+u\},", "0u},", rows)
    assert spoiled != rows, "no storage lies above another"
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace(rows, spoiled))


def try_model(args, name, path, library, modes):
    """(lines, why it was not run, what is wrong)"""
    lines, not_run, wrong = [], [], []
    folder = os.path.join(args.folder, name.replace("/", "-"))
    os.makedirs(folder, exist_ok=True)
    for mode in modes:
        try:
            model = Open(args.tenure, path, folder)
            program, _, variant = program_of(model, mode, library)
            ranges = (variant["guard"] or {}).get("dims", [])
            if not ranges:
                raise NotRun("no dimension is open")
            if name.startswith("made/"):
                strict(os.path.dirname(program))
            n = check_points(args, name, path, program, ranges, folder)
            lines.append(f"{name:40} {mode:25} {len(ranges):2} dimensions, {n} of {BINDINGS} bindings equal")
        except NotRun as error:
            not_run.append(f"{name} {mode}: {error}")
            break  # the same for all modes
        except Wrong as error:
            wrong.append(f"{name} {mode}: {error}")
    return lines, not_run, wrong


def try_spoiled(args, library):
    """What nobody noticed."""
    folder = os.path.join(args.folder, "spoiled")
    os.makedirs(folder, exist_ok=True)
    path = dict(made(args.folder))["made/convolutions"]
    program, _, variant = program_of(Open(args.tenure, path, folder), MODES[0], library)
    spoil(os.path.dirname(program))
    program = programs.build(os.path.dirname(program), Linked(library, ()))
    try:
        check_points(args, "made/convolutions", path, program, variant["guard"]["dims"], folder)
    except Wrong as error:
        print(f"noticed: storages that lie above none: {last_line(str(error))[:100]}")
        return []
    return ["nobody noticed that storages lie in each other's bytes"]


def main():
    args = arguments("--models", "--jobs", "--limit")
    np.seterr(all="ignore")
    library = library_of(args)
    found = [*made(args.folder), *corpus.models()]
    chosen = [(n, p) for n, p in found if any(fnmatch.fnmatch(n, m) for m in args.models or MODELS)]
    table, not_run, wrong = [], [], []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [pool.submit(try_model, args, name, path, library, corpus.some(MODES, number))
                for number, (name, path) in enumerate(chosen)]
        for run in concurrent.futures.as_completed(runs):
            lines, absent, bad = run.result()
            for line in lines + [f"not run: {line}" for line in absent] + [f"WRONG: {line}" for line in bad]:
                print(line, flush=True)
            table, not_run, wrong = table + lines, not_run + absent, wrong + bad
    missed = []
    if not args.models:
        lines, missed = data_programs.try_all(args, library, corpus.some)
        print(*lines, sep="\n")
        missed += try_spoiled(args, library)
    for line in missed:
        print(f"WRONG: {line}")
    ran = len({line.split()[0] for line in table})
    print(f"{len(table)} programs of {ran} models, {len(wrong + missed)} wrong, {len(not_run)} not run")
    return 1 if wrong or missed or ran < (1 if args.models else LEAST) else 0


if __name__ == "__main__":
    sys.exit(main())
