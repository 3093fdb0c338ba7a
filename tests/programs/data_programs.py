"""Programs of models whose extents data give (tests/execution/by_data.py), at several data against ONNX Runtime: one
program each, in pools as large as the plan says, poisoned where nothing is. open_programs.py runs them."""

import os
import subprocess

import by_data
import expressions
import from_plan
import programs
from model_programs import HERE, Wrong, compare, onnxruntime, program_of, strict
from onnx import TensorProto, helper
from packages import np, onnx

MODES = ("-O2", "-O3 --io=arena", "-O1")
DRAWS = range(8)
MODELS = (by_data.nonzero, by_data.compress, by_data.boxes, by_data.unique, by_data.parts, by_data.branches,
          by_data.reshaped, by_data.cut, by_data.backwards)


class Bare:
    """What model_programs needs of a model to make a program of it."""

    def __init__(self, tenure, path, folder, options=()):
        self.tenure, self.path, self.folder, self.options = tenure, path, folder, list(options)


def run(program, variant, feeds):
    """(bytes of each output's place, extents that data gave)"""
    folder = os.path.dirname(program)
    paths = [os.path.join(folder, name) for name in ("in.bin", "out.bin")]
    with open(paths[0], "wb") as f:
        for v in variant["inputs"]:
            f.write(np.ascontiguousarray(feeds[variant["values"][v]["name"]]).tobytes())
    done = subprocess.run([program, *paths, "2"], capture_output=True, text=True, check=False, timeout=900)
    if done.returncode != 0:
        raise Wrong(f"exit code {done.returncode}: {done.stderr[-2000:]}")
    with open(paths[1], "rb") as f:
        places = [f.read(variant["values"][v]["bytes"]) for v in variant["outputs"]]
    return places, dict(zip((d["dim"] for d in variant.get("by_data", [])), map(int, done.stdout.split())))


def check(program, plan, variant, session, feeds):
    """The extents met."""
    places, found = run(program, variant, feeds)
    for v, place in zip(variant["outputs"], places):
        value, dtype = variant["values"][v], from_plan.dtype_of(variant["values"][v])
        want = session.run([value["name"]], feeds)[0]
        shape = [expressions.evaluate(x, plan["expressions"], found) for x in value["dims"]]
        if shape != list(np.shape(want)):
            raise Wrong(f"'{value['name']}' has {shape}, not {list(np.shape(want))}")
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        compare(np.frombuffer(place[:size], dtype).reshape(shape), np.asarray(want))
    return found


def try_model(args, make, library, modes):
    """(lines, what is wrong)"""
    folder = os.path.join(args.folder, "data-" + make.__name__)
    os.makedirs(folder, exist_ok=True)
    path = make(folder)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    lines = []
    for mode in modes:
        try:
            program, plan, variant = program_of(Bare(args.tenure, path, folder), mode, library)
            strict(os.path.dirname(program))
            met = {tuple(check(program, plan, variant, session, by_data.feeds_of(path, draw)).items()) for draw in DRAWS}
            lines.append(f"{'data/' + make.__name__:40} {mode:25} {len(DRAWS)} runs at {len(met)} extents equal")
        except Wrong as error:
            return lines, [f"data/{make.__name__} {mode}: {error}"]
    return lines, []


def rounds(folder):
    """A loop that stacks up a row each round; how many rounds there are is an input."""
    node, info = helper.make_node, helper.make_tensor_value_info
    body = helper.make_graph(
        [node("Identity", ["go"], ["next"]), node("Add", ["s", "s"], ["t"]), node("Neg", ["t"], ["row"])], "body",
        [info("it", TensorProto.INT64, []), info("go", TensorProto.BOOL, []), info("s", TensorProto.FLOAT, [2])],
        [info("next", TensorProto.BOOL, []), info("t", TensorProto.FLOAT, [2]), info("row", TensorProto.FLOAT, [2])])
    graph = helper.make_graph(
        [node("Loop", ["n", "", "x"], ["last", "all"], body=body)], "rounds",
        [info("n", TensorProto.INT64, []), info("x", TensorProto.FLOAT, [2])], [info("all", TensorProto.FLOAT, ["k", 2])])
    path = os.path.join(folder, "rounds.onnx")
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)
    return path


def demand_end(what, program, variant, feeds, where="net_run gives 1"):
    """What is wrong: nobody noticed it, or something else is."""
    try:
        run(program, variant, feeds)
        return [f"nobody noticed {what}"]
    except Wrong as error:
        return [] if where in str(error) else [str(error)]


def try_refused(args, library):
    """A kernel that says nothing, more than there is room for, and too little: what nobody noticed."""

    def program_for(make, *options, more=()):
        folder = os.path.join(args.folder, f"data-{make.__name__}-{len(options)}-{len(more)}")
        os.makedirs(folder, exist_ok=True)
        path = make(folder)
        program, _, variant = program_of(Bare(args.tenure, path, folder, options), "-O2", library, list(more))
        return path, program, variant

    silent = ["-include", "tenure_kernels.h", "-include", os.path.join(HERE, "broken_kernels.h"),
              "-DNET_STEP_0_KERNEL=broken_silent", os.path.join(HERE, "broken_kernels.c")]
    path, *built = program_for(by_data.nonzero, more=silent)
    wrong = demand_end("a kernel that says no extent", *built, by_data.feeds_of(path, 0))
    path, *built = program_for(by_data.nonzero, "--dim", "at.1=0..3")
    wrong += demand_end("more elements than there is room for", *built, by_data.feeds_of(path, 1))
    path, *built = program_for(by_data.less)
    wrong += demand_end("a tensor of fewer elements than none", *built, by_data.feeds_of(path, 0), "net_run gives")
    run(*built, by_data.feeds_of(path, 1))
    for options, fits in ((("--dim", "k=0..4"), (0, 3, 4)), (("--dim", "k=4", "-q"), (4,))):
        path, *built = program_for(rounds, *options)
        for n in range(7):
            feeds = {"n": np.array(n, np.int64), "x": np.ones(2, np.float32)}
            if n in fits:
                run(*built, feeds)
            elif n > 4 or options[1] == "k=4":
                wrong += demand_end(f"{n} rounds of {options[1]}", *built, feeds)
    return wrong


def try_all(args, library, some):
    """(lines, what is wrong)"""
    results = [try_model(args, make, library, some(MODES, number)) for number, make in enumerate(MODELS)]
    return [line for lines, _ in results for line in lines], [w for _, bad in results for w in bad] + try_refused(args, library)
