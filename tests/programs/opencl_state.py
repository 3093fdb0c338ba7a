"""OpenCL programs whose state stays with the host: what steps need of it is copied to a window ahead of them, and what they wrote goes
back behind them. Networks train to the same bytes as with all state on the device, whatever the window and the queues.
opencl_programs.py --training calls try_all with its bench."""

import glob
import os
import subprocess

import prepared
from opencl_ahead import buffers, json_plan
from opencl_misuse import Failed
from packages import np, onnx
from onnx import TensorProto as T, helper, numpy_helper

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MLP = os.path.join(os.path.dirname(TESTS), "examples", "training", "mlp.onnx")
POOL = "--pool=kept:state:copied:section=host"
QUEUES = ("in-order", "out-of-order", "2")
RUNS = 25


def images():
    """A convolution with running statistics, and a product."""
    rng, weights = np.random.default_rng(11), {}
    for name, dims in (("w1", (4, 2, 3, 3)), ("scale", (4,)), ("shift", (4,)), ("mean", (4,)), ("w2", (3, 64))):
        weights[name] = rng.standard_normal(dims).astype(np.float32) / 4
    weights["var"] = np.ones(4, np.float32)
    nodes = [helper.make_node("Conv", ["x", "w1"], ["a"], pads=[1, 1, 1, 1]), helper.make_node("BatchNormalization", ["a", "scale", "shift", "mean", "var"], ["b"]),
             helper.make_node("Relu", ["b"], ["c"]), helper.make_node("MaxPool", ["c"], ["d"], kernel_shape=[2, 2], strides=[2, 2]),
             helper.make_node("Flatten", ["d"], ["e"]), helper.make_node("Gemm", ["e", "w2"], ["scores"], transB=1)]
    infos = [helper.make_tensor_value_info(n, T.FLOAT, d) for n, d in (("x", (4, 2, 8, 8)), ("scores", (4, 3)))]
    graph = helper.make_graph(nodes, "images", infos[:1], infos[1:], [numpy_helper.from_array(w, n) for n, w in weights.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def kept():
    """State that a step on the host reads once it has been written over, that a loop carries on and a branch goes by."""
    rng, width = np.random.default_rng(12), 4
    weights = {"w": rng.standard_normal((1, 4 * width, 3)), "r": rng.standard_normal((1, 4 * width, width)), "b": rng.standard_normal((1, 8 * width))}
    inits = [numpy_helper.from_array((w / 4).astype(np.float32), n) for n, w in weights.items()]
    inits += [numpy_helper.from_array(np.int64(3), "three"), numpy_helper.from_array(np.float32([0.5]), "half"),
              numpy_helper.from_array(np.int64([0]), "begin"), numpy_helper.from_array(np.int64([2]), "end"), numpy_helper.from_array(np.array(True), "yes")]
    state = {"h": np.zeros((1, 2, width), np.float32), "c": np.zeros((1, 2, width), np.float32), "sum": np.ones((2, width), np.float32), "flag": np.array([True])}
    inits += [numpy_helper.from_array(v, n) for n, v in state.items()]
    info = helper.make_tensor_value_info
    body = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Add", ["s", "y1"], ["t"]), helper.make_node("Mul", ["t", "half"], ["u"])], "body",
        [info("i", T.INT64, []), info("go", T.BOOL, []), info("s", T.FLOAT, [2, width])], [info("on", T.BOOL, []), info("u", T.FLOAT, [2, width])])
    left = helper.make_graph([helper.make_node("Neg", ["sum_new"], ["l"])], "left", [], [info("l", T.FLOAT, [2, width])])
    right = helper.make_graph([helper.make_node("Mul", ["y1", "half"], ["r2"])], "right", [], [info("r2", T.FLOAT, [2, width])])
    nodes = [helper.make_node("Mul", ["h", "half"], ["h0"]),
             helper.make_node("LSTM", ["x", "w", "r", "b", "", "h0", "c"], ["y", "h1", "c_new"], hidden_size=width),
             helper.make_node("Add", ["h0", "h1"], ["h_new"]), helper.make_node("Squeeze", ["h1", "begin"], ["y1"]),
             helper.make_node("Loop", ["three", "yes", "sum"], ["sum_new"], body=body),
             helper.make_node("Slice", ["y1", "begin", "end", "begin"], ["part"]),
             helper.make_node("If", ["flag"], ["z"], then_branch=left, else_branch=right), helper.make_node("Add", ["z", "part"], ["out"]),
             helper.make_node("Not", ["flag"], ["flag_new"])]
    outputs = [info("out", T.FLOAT, [2, width]), info("h_new", T.FLOAT, [1, 2, width]), info("c_new", T.FLOAT, [1, 2, width]), info("sum_new", T.FLOAT, [2, width]),
               info("flag_new", T.BOOL, [1])]
    graph = helper.make_graph(nodes, "kept", [info("x", T.FLOAT, [5, 2, 3])], outputs, inits)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def prove(plan):
    """What steps need of such chunks is in the window when they run; what they write goes back before it is copied there again."""
    chunks, batches = plan["chunks"], plan["batches"]
    size = chunks[plan["window"]]["size"]

    def place(value):
        handle = plan["handles"][value["handle"]] if value["handle"] is not None else None
        at = handle["origin"] + value["offset"] if handle else 0
        return (handle["chunk"], at, at + value["bytes"]) if handle and chunks[handle["chunk"]]["ahead"] else None

    def covers(copies, span):
        return any(c["chunk"] == span[0] and c["from"] <= span[1] and span[2] <= c["from"] + c["size"] for c in copies)

    for k, b in enumerate(batches):
        before = batches[k - 1]["back"] if k > 0 else []
        near = sorted((c["to"], c["to"] + c["size"]) for other in batches[k:k + 2] for c in other["copies"])
        if near[-1][1] > size or any(a[1] > c[0] for a, c in zip(near, near[1:])):
            raise Failed(f"batch {k} shares bytes of the window with itself or the next: {near}")
        for c in b["copies"][:len(b["copies"]) - b["late"]]:
            if any(c["chunk"] == o["chunk"] and c["from"] < o["from"] + o["size"] and o["from"] < c["from"] + c["size"] for o in before):
                raise Failed(f"batch {k} copies {c} before the one in front of it has written that")
        for step in plan["steps"][b["first"]:b["end"]]:
            for v in (*step["reads"], *step["writes"]) if step["kind"] != "op" or not step["idle"] else ():
                value = plan["values"][v]
                span = place(value)
                if span is not None and not (covers(b["copies"], span) and (v not in step["writes"] or covers(b["back"], span))):
                    raise Failed(f"batch {k}: '{value['name']}' is not in the window, or does not go back")


def train(bench, folder, queues, runs, **more):
    """What the program writes down: outputs of all runs, and the state in the end."""
    out = os.path.join(folder, "trained")
    done = subprocess.run([os.path.join(folder, "train"), os.path.join(folder, "net_weights.bin"), str(runs), queues, out],
                          env={**bench.environment, **more}, capture_output=True, text=True, check=False, timeout=900)
    if done.returncode != 0:
        raise Failed(f"{folder}: {done.stdout} {done.stderr[-1500:]}")
    with open(out, encoding="ascii") as f:
        return f.read()


def build(bench, path, options, more, name):
    folder = os.path.join(bench.folder, name)
    prepared.emit(bench.tenure, path, options, folder, more)
    sources = [f for f in glob.glob(os.path.join(folder, "net*.c")) if not f.endswith("_main.c")]
    runtime = glob.glob(os.path.join(bench.folder, "runtime", "tenure_cl*.o"))
    bench.compile(folder, [*sources, os.path.join(TESTS, "opencl", "train.c"), *runtime, *bench.environment["LINKED"].split(), "-lOpenCL", "-lm",
                           "-o", os.path.join(folder, "train")])
    return folder


def cases(bench):
    """(name, model, options, runs) of what is trained."""
    pictures, other = os.path.join(bench.folder, "images.onnx"), os.path.join(bench.folder, "kept.onnx")
    onnx.save(images(), pictures)
    onnx.save(kept(), other)
    adam = '--passes=autodiff{loss="cross-entropy(scores)",optimizer=adam,rate=0.01}'
    yield "mlp", MLP, [f"{adam},O3"], RUNS
    yield "mlp-groups", MLP, [f"{adam},fuse{{groups=all}},O3"], RUNS
    yield "mlp-beside", MLP, [f"{adam},O1"], 5
    yield "images", pictures, ['--passes=autodiff{loss="cross-entropy(scores)",optimizer=momentum,train=on,accumulate=2},O3'], 7
    yield "host", pictures, ["-O3", "--op-facts=" + os.path.join(TESTS, "opencl", "workspace.json")], 4
    yield "kept", other, ["-O3", "--fuse=none", *(f"--update={n}={n}_new" for n in ("h", "c", "sum", "flag"))], 7


def try_state(bench):
    late = set()
    for name, path, options, runs in cases(bench):
        plain = build(bench, path, options, "", f"{name}-plain")
        want = train(bench, plain, "in-order", runs)
        all_bytes = buffers(json_plan(bench, path, options, ""))
        least = json_plan(bench, path, [*options, POOL], "")
        window = least["chunks"][least["window"]]["size"]
        for number, more in enumerate(("", f",window={window + window // 2}", ",window=1000000,max-alloc=4000000")):
            plan = json_plan(bench, path, [*options, POOL], more)
            prove(plan)
            late |= {name for b in plan["batches"] if b["late"] > 0}
            ahead = build(bench, path, [*options, POOL], more, f"{name}-ahead{number}")
            for queues in QUEUES if number == 0 else QUEUES[:2]:
                if train(bench, ahead, queues, runs) != want:
                    raise Failed(f"{name}{more}, {queues}: not the bytes that it trains to with its state on the device")
            if number == 0:
                print(f"{name}: the same bytes after {runs} runs, {buffers(plan)} instead of {all_bytes} bytes of the device, in {len(plan['batches'])} batches")
        if name.startswith("mlp"):
            continue
        shared = build(bench, path, [*options, "--pool=kept:state:section=host"], "", f"{name}-shared")
        if train(bench, shared, "in-order", runs) != want:
            raise Failed(f"{name}: not the bytes that it trains to in memory of its own")
    if not late >= {"mlp-groups", "images"}:
        raise Failed(f"batches that need what the one before them writes: of {late}")
    folder = os.path.join(bench.folder, "mlp-ahead0")
    want = train(bench, folder, "in-order", RUNS)
    for drop in ("ahead", "back"):
        if train(bench, folder, "out-of-order", RUNS, LATE_DROP=drop) == want:
            raise Failed(f"nobody noticed that what is copied {drop} does not wait")


def try_all(bench):
    """The exit code."""
    first = os.path.join(bench.folder, "first")
    prepared.emit(bench.tenure, MLP, [], first)
    bench.link(first)
    try:
        try_state(bench)
    except Failed as error:
        print(f"WRONG: {error}")
        return 1
    return 0
