"""Runs models whose extents data give (NonZero, Compress, ...) at several data from one plan each: places are those
of the plan, values as small as they come out, and outputs equal, bit for bit, those of a run without a plan and
those of ONNX Runtime.

usage: by_data.py TENURE DIR
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "models")]
sys.path += [os.path.join(os.path.dirname(HERE), name) for name in ("operators", "programs")]
from packages import np  # ends with 77 where the packages are missing

import onnx
from onnx import TensorProto, helper, numpy_helper

import from_plan
import planfile
from arena import Arena, Corruption, Mismatch, Plain
from execute import same
from graphs import File
from interpreter import Run
from kernels import Kernels

FLOAT, INT, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
MODES = ((), ("-O1",), ("-O3", "--io=arena"), ("-O2", "--memory=slots"), ("-O3", "--inplace=ordered", "--concurrency=dataflow"))
node = helper.make_node


def model(folder, name, nodes, inputs, outputs, constants=()):
    """inputs: name -> (type, shape); outputs: name -> type, of a rank that nobody states."""
    infos = [helper.make_tensor_value_info(n, t, s) for n, (t, s) in inputs.items()]
    results = [helper.make_tensor_value_info(n, t, None) for n, t in outputs.items()]
    tensors = [numpy_helper.from_array(np.asarray(a), n) for n, a in dict(constants).items()]
    graph = helper.make_graph(nodes, name, infos, results, tensors)
    path = os.path.join(folder, f"{name}.onnx")
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def nonzero(folder):
    """What is not 0 is picked, made and changed in place; the number of it comes out, too."""
    return model(folder, "nonzero", [
        node("NonZero", ["x"], ["at"]), node("Transpose", ["at"], ["rows"], perm=[1, 0]),
        node("GatherND", ["x", "rows"], ["picked"]), node("Relu", ["picked"], ["a"]), node("Neg", ["a"], ["b"]),
        node("Add", ["a", "b"], ["c"]), node("Abs", ["c"], ["d"]), node("Shape", ["d"], ["n"]), node("Mul", ["d", "a"], ["y"]),
    ], {"x": (FLOAT, [8, 16])}, {"y": FLOAT, "n": INT})


def compress(folder):
    """Rows that a condition keeps go through a layer; beside them all rows do, which are as many at the most."""
    return model(folder, "compress", [
        node("Greater", ["score", "least"], ["keep"]), node("Compress", ["x", "keep"], ["some"], axis=0),
        node("Relu", ["some"], ["a"]), node("MatMul", ["a", "w"], ["b"]), node("Relu", ["b"], ["c"]),
        node("MatMul", ["x", "w"], ["all"]), node("Relu", ["all"], ["other"]),
        node("Concat", ["c", "other"], ["both"], axis=0), node("Abs", ["both"], ["y"]),
    ], {"x": (FLOAT, [10, 4]), "score": (FLOAT, [10])}, {"y": FLOAT},
        {"least": np.float32(0), "w": np.arange(24, dtype=np.float32).reshape(4, 6)})


def boxes(folder):
    return model(folder, "boxes", [
        node("NonMaxSuppression", ["boxes", "scores", "most", "overlap", "least"], ["kept"]),
        node("Gather", ["kept", "two"], ["at"], axis=1), node("Neg", ["at"], ["a"]), node("Abs", ["a"], ["b"]),
        node("Reshape", ["b", "flat"], ["list"]), node("Gather", ["boxes", "zero"], ["corners"], axis=0),
        node("Gather", ["corners", "list"], ["picked"], axis=0), node("Neg", ["picked"], ["y"]),
    ], {"boxes": (FLOAT, [1, 20, 4]), "scores": (FLOAT, [1, 3, 20])}, {"y": FLOAT, "b": INT},
        {"most": np.array([5]), "overlap": np.array([0.5], np.float32), "least": np.array([0.1], np.float32),
         "two": np.array([2]), "flat": np.array([-1]), "zero": np.int64(0)})


def unique(folder):
    return model(folder, "unique", [
        node("Unique", ["x"], ["u", "first", "back", "times"]), node("Neg", ["u"], ["a"]), node("Abs", ["a"], ["y"]),
        node("Mul", ["first", "times"], ["b"]), node("Neg", ["b"], ["c"]),
    ], {"x": (FLOAT, [4, 6])}, {"y": FLOAT, "c": INT, "back": INT})


def parts(folder):
    """A Slice and a TopK whose sizes are operands."""
    return model(folder, "parts", [
        node("Slice", ["x", "from", "to"], ["part"]), node("Neg", ["part"], ["a"]), node("Abs", ["a"], ["y"]),
        node("TopK", ["x", "k"], ["best", "at"]), node("Neg", ["best"], ["b"]), node("Neg", ["at"], ["c"]),
    ], {"x": (FLOAT, [4, 20]), "from": (INT, [2]), "to": (INT, [2]), "k": (INT, [1])}, {"y": FLOAT, "b": FLOAT, "c": INT})


def cut(folder):
    """Parts of a tensor of numbers that end and begin where data say, which may be behind its end."""
    return model(folder, "cut", [
        node("NonZero", ["x"], ["found"]), node("Shape", ["found"], ["n"]), node("Slice", ["n", "one", "two", "zero"], ["k"]),
        node("Slice", ["v", "zero", "k", "zero"], ["front"]), node("Neg", ["front"], ["a"]), node("Abs", ["a"], ["y"]),
        node("Slice", ["v", "k", "end", "zero"], ["back"]), node("Neg", ["back"], ["b"]), node("Abs", ["b"], ["z"]),
    ], {"x": (FLOAT, [9]), "v": (FLOAT, [4])}, {"y": FLOAT, "z": FLOAT},
        {"zero": np.array([0]), "one": np.array([1]), "two": np.array([2]), "end": np.array([2**62])})


def backwards(folder):
    """From where data say to the front, one from behind the end on too, and a part of what may be nothing."""
    return model(folder, "backwards", [
        node("NonZero", ["x"], ["at"]), node("Shape", ["at"], ["n"]), node("Slice", ["n", "one", "two", "zero"], ["k"]),
        node("Slice", ["x", "k", "five", "zero", "back"], ["part"]), node("Neg", ["part"], ["a"]), node("Abs", ["a"], ["y"]),
        node("Squeeze", ["at", "zero"], ["found"]), node("Slice", ["found", "first", "five", "zero", "back"], ["none"]),
        node("Neg", ["none"], ["b"]), node("Abs", ["b"], ["z"]),
    ], {"x": (FLOAT, [8])}, {"y": FLOAT, "z": INT},
        {"zero": np.array([0]), "one": np.array([1]), "two": np.array([2]), "five": np.array([5]), "back": np.array([-2]),
         "first": np.array([-(2**63)])})


def less(folder):
    """Three elements less than are found: a run that finds fewer is none."""
    return model(folder, "less", [
        node("NonZero", ["x"], ["found"]), node("Shape", ["found"], ["n"]), node("Slice", ["n", "one", "two", "zero"], ["k"]),
        node("Sub", ["k", "three"], ["few"]), node("ConstantOfShape", ["few"], ["y"], value=numpy_helper.from_array(np.array([7], np.uint8))),
    ], {"x": (FLOAT, [9])}, {"y": TensorProto.UINT8},
        {"zero": np.array([0]), "one": np.array([1]), "two": np.array([2]), "three": np.array([3])})


def reshaped(folder):
    """As many rows as data say, but for 0, which stands for as many as there were."""
    return model(folder, "reshaped", [
        node("NonZero", ["f"], ["at"]), node("Shape", ["at"], ["s"]), node("Gather", ["s", "last"], ["k"]),
        node("Concat", ["k", "rest"], ["shape"], axis=0), node("Reshape", ["x", "shape"], ["r"]), node("Neg", ["r"], ["y"]),
    ], {"x": (FLOAT, [4, 6]), "f": (FLOAT, [4])}, {"y": FLOAT}, {"rest": np.array([-1]), "last": np.array([1])})


def branches(folder):
    """An If whose branches give results of different lengths."""
    def branch(name, nodes, out):
        return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(out, FLOAT, None)])

    return model(folder, "branches", [
        node("If", ["which"], ["r"],
             then_branch=branch("long", [node("Concat", ["x", "x"], ["t"], axis=0)], "t"),
             else_branch=branch("short", [node("Neg", ["x"], ["e"])], "e")),
        node("Neg", ["r"], ["a"]), node("Abs", ["a"], ["b"]), node("Relu", ["b"], ["y"]),
    ], {"x": (FLOAT, [3, 4]), "which": (BOOL, [])}, {"y": FLOAT})


def feeds_of(path, draw):
    """The first two draws have nothing and everything."""
    rng = np.random.default_rng(draw)
    feeds = {}
    for info in onnx.load(path).graph.input:
        shape = [d.dim_value for d in info.type.tensor_type.shape.dim]
        kind = info.type.tensor_type.elem_type
        if kind == BOOL:
            feeds[info.name] = np.array(draw % 2 == 0)
        elif info.name in ("from", "to", "k"):
            extent = 4 if info.name != "k" else 20
            feeds[info.name] = rng.integers(0 if info.name != "k" else 1, extent + 1, shape)
        else:
            values = np.round(rng.standard_normal(shape) * 4)
            values *= 0 if draw == 0 else 1 if draw == 1 else rng.random(shape) < rng.random()
            feeds[info.name] = (values + 9 * (draw == 1)).astype(np.float32)
    return feeds


def plan_of(tenure, path, *options):
    made = subprocess.run([tenure, "plan", path, *options, "--strict", "-q", "--emit=json"], capture_output=True)
    assert made.returncode == 0, made.stderr.decode()
    return planfile.flat(json.loads(made.stdout))


def alone(tenure, path, mode, folder):
    """The plan for those who read docs/PLAN.md and nothing else, and its weights."""
    plan = json.loads(subprocess.run([tenure, "plan", path, *mode, "-q", "--emit=json"], capture_output=True, check=True).stdout)
    if not any(pool["kind"] == "const" for pool in plan["pools"]):
        return plan, []
    image = os.path.join(folder, "net.bin")
    subprocess.run([tenure, "plan", path, *mode, "-q", "--emit=weights", "-o", image], check=True)
    return plan, from_plan.load_weights(image, plan)


def run_model(tenure, path, runtime):
    """Plans, runs, and sizes that extents had."""
    file, kernels, runs, met = File(path), Kernels(False), 0, set()
    unplanned = plan_of(tenure, path, "-O0", "--io=separate")
    plans = [plan_of(tenure, path, *mode) for mode in MODES]
    documents = [alone(tenure, path, mode, os.path.dirname(path)) for mode in MODES]
    for plan in plans:
        assert plan["by_data"], f"{path}: no extent is given by data"
        assert all(v["left_out"] in (None, "unused") for v in plan["values"])
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    for draw in range(8):
        feeds = feeds_of(path, draw)
        wanted = Run(file, unplanned, Plain(unplanned), kernels).run(dict(feeds))
        names = [o.name for o in session.get_outputs()]
        for name, array in zip(names, session.run(names, feeds)):
            assert same(wanted[name], np.asarray(array)), f"{path} {draw}: '{name}' is not what ONNX Runtime gives"
        for document, weights in documents:
            variant = document["programs"][0]["variants"][0]
            machine = from_plan.Machine(document, weights, kernels.run, {})
            got = machine.run([feeds[variant["values"][v]["name"]] for v in variant["inputs"]])
            for v, array in zip(variant["outputs"], got):
                name = variant["values"][v]["name"]
                assert same(array, wanted[name]), f"{path} {draw}: '{name}' differs for who has the plan alone"
        for mode, plan in zip(MODES, plans):
            arena = Arena(plan)
            got = Run(file, plan, arena, kernels).run(dict(feeds))
            arena.check_consts()
            for name in wanted:
                assert same(got[name], wanted[name]), f"{path} {mode} {draw}: '{name}' differs"
            met |= set(arena.extents.items())
            runs += 1
    return len(plans), runs, len(met)


def run_refined(tenure, path):
    """A smaller limit is the user's word: data within it run, and more do not fit."""
    plan, file = plan_of(tenure, path, "--dim", "at.1=0..40"), File(path)
    whole = plan_of(tenure, path)
    sizes = [sum(p["size"] for p in x["pools"] if p["kind"] == "arena") for x in (plan, whole)]
    assert sizes[0] < sizes[1], sizes
    few = np.zeros((8, 16), np.float32)
    few[2:4] = 1
    Run(file, plan, Arena(plan), Kernels(False)).run({"x": few})
    try:
        Run(file, plan, Arena(plan), Kernels(False)).run({"x": np.ones((8, 16), np.float32)})
    except Mismatch:
        return
    raise AssertionError("nobody noticed that there are more than the plan has room for")


def run_spoiled(tenure, path):
    """A plan whose storages lie on each other is noticed at small extents, too."""
    plan, file = plan_of(tenure, path, "-O1"), File(path)
    for storage in plan["storages"]:
        if plan["pools"][storage["pool"]]["kind"] == "arena":
            storage["offset"] = 0
    try:
        Run(file, plan, Arena(plan), Kernels(False)).run(feeds_of(path, 5))
    except Corruption:
        return
    raise AssertionError("nobody noticed that all storages lie on each other")


def main():
    tenure, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    try:
        import onnxruntime
    except ImportError:
        sys.exit(77)
    paths = [make(folder) for make in (nonzero, compress, boxes, unique, parts, branches, reshaped, cut, backwards)]
    results = [run_model(tenure, path, onnxruntime) for path in paths]
    run_refined(tenure, paths[0])
    run_spoiled(tenure, paths[0])
    print(f"{sum(r[0] for r in results)} plans of {len(paths)} models, {sum(r[1] for r in results)} runs at "
          f"{sum(r[2] for r in results)} extents that data gave, bit-equal to ONNX Runtime")


if __name__ == "__main__":
    main()
