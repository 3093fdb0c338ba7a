"""OpenCL programs on the OpenCL device at hand (PoCL on plain machines), by the script that a machine with another device
runs (prepared.py, tests/opencl/run_prepared.sh): on queues in order, out of order and on two, outputs equal ONNX Runtime's.
Networks of convolutions, a transformer block, and all models of flow_programs.py, whose bodies run under the host's control;
--all: every model at hand. Commands of out-of-order queues run as late as they may (tests/opencl/late.c), so that waits that
are left out have to be noticed. Buffers have no byte more than the plan says, and no handle is made or released in a run
(tests/opencl/counted.c). Host and runtime run under sanitizers. What is used wrongly is refused in words, and networks larger than the
device's memory run; those that train do so with their state on the host (opencl_state.py).

usage: opencl_programs.py TENURE FOLDER [--models PATTERN]... [--all] [--training]; --training: those that train, alone

Ends with 77 where onnx or onnxruntime is missing.
"""

import argparse
import fnmatch
import glob
import itertools
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS, TOP = os.path.dirname(HERE), os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE] + [os.path.join(TESTS, d) for d in ("execution", "models", "operators")]

from packages import np, onnx  # ends with 77 where they are missing

import corpus
import flow_programs  # ends with 77 where onnxruntime is missing
import opencl_ahead
import opencl_misuse
import opencl_state
import prepared
import programs
from model_programs import NotRun
from onnx import TensorProto as T, helper, numpy_helper
import onnxruntime

OPENCL = os.path.join(TESTS, "opencl")
SANITIZE = "-O1 -g -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=all"
WRAPPED = ("clEnqueueNDRangeKernel", "clEnqueueWriteBuffer", "clEnqueueReadBuffer", "clFinish", "tenure_cl_waits", "tenure_cl_run_queues", "clCreateBuffer", "clCreateSubBuffer",
           "clCreateKernel", "clGetDeviceInfo", "clGetKernelWorkGroupInfo",
           "clCreateProgramWithSource", "clRetainMemObject", "clReleaseMemObject", "clReleaseKernel", "tenure_cl_close")
# A device's memory and the host's, for what is computed and for constants.
POOLS = "-O3 --pool=near:16K --pool=far:cost=4:section=host --pool=hot:4K:const --pool=cold:const:cost=2:section=host"
AHEAD = "-O3 --pool=cold:const:copied:section=host"  # all constants, to a window as they are read
FACTS = "-O2 --op-facts=" + os.path.join(OPENCL, "workspace.json")  # steps with workspaces, which the host runs
BOTH = ("-O2", "-O3")
# model -> modes, in the quick run.
REAL = {"shipped/ds_cnn": (*prepared.MODES, FACTS, POOLS, AHEAD, "-O2 --concurrency=dataflow --pool=hot:2K:const --pool=cold:const:copied:cost=2:section=host", "-O3 --double-buffer=all --io=arena"), "shipped/lstm": BOTH,
        "shipped/squeezenet1_1": ("-O3 --concurrency=dataflow",), "tinyml/emx_micro_kws_fp32": ("-O2", POOLS), "rnn/onnx2tf_loop_3": ("-O2", POOLS, AHEAD),
        "tinyml/mlperf_resnet8": prepared.MODES, "tinyml/onnxflow_kws_int8": BOTH, "transformer/ort_bert_toy_optimized": BOTH,
        "cnn/ort_qdq_multi_consumer_dq": ("-O2",)}
# Those whose compiled kernels are kept, which PoCL makes by compiling all of them twice, and whose host is optimized, beside
# the small ones made here; where TENURE_SOAK is set, and with --all, every model's.
KEPT = ("shipped/ds_cnn",)
# PoCL takes the text of kernels as it is, and makes them in half the time: what is tested are their numbers.
PLAINLY = {"POCL_EXTRA_BUILD_FLAGS": "-cl-opt-disable"}
OPTIMIZED = (*KEPT, "block")  # by PoCL as well; where every model's kernels are kept, all are
LEAST = 100  # models that must have run where all do


def transformer_block():
    """One layer of an encoder, as exporters write it: 16 tokens, 4 heads of 8."""
    rng, tokens, width, heads = np.random.default_rng(5), 16, 32, 4
    weights, nodes = {}, []

    def const(name, value):
        weights[name] = np.asarray(value)
        return name

    def weight(name, *dims):
        return const(name, (rng.standard_normal(dims) / np.sqrt(dims[0])).astype(np.float32))

    def node(op, inputs, **attributes):
        nodes.append(helper.make_node(op, inputs, [f"{op}_{len(nodes)}"], **attributes))
        return nodes[-1].output[0]

    def linear(x, name, n_in, n_out):
        y = node("MatMul", [x, weight(name + ".w", n_in, n_out)])
        return node("Add", [weight(name + ".b", n_out), y])

    def norm(x, name):
        return node("LayerNormalization", [x, weight(name + ".scale", width), weight(name + ".bias", width)], axis=-1)

    def heads_of(x, name, perm):
        y = node("Reshape", [linear(x, name, width, width), const("split", np.int64([1, tokens, heads, width // heads]))])
        return node("Transpose", [y], perm=perm)

    x = norm("x", "norm1")
    q, k, v = heads_of(x, "q", [0, 2, 1, 3]), heads_of(x, "k", [0, 2, 3, 1]), heads_of(x, "v", [0, 2, 1, 3])
    scores = node("Div", [node("MatMul", [q, k]), const("root", np.float32(np.sqrt(width // heads)))])
    mixed = node("Transpose", [node("MatMul", [node("Softmax", [scores], axis=-1), v])], perm=[0, 2, 1, 3])
    mixed = node("Reshape", [mixed, const("join", np.int64([1, tokens, width]))])
    y = node("Add", [linear(mixed, "out", width, width), "x"])
    up = linear(norm(y, "norm2"), "up", width, 4 * width)
    gate = node("Add", [node("Erf", [node("Div", [up, const("sqrt2", np.float32(np.sqrt(2)))])]), const("one", np.float32(1))])
    gelu = node("Mul", [node("Mul", [up, gate]), const("half", np.float32(0.5))])
    y = node("Add", [linear(gelu, "down", 4 * width, width), y])
    nodes.append(helper.make_node("Split", [y, const("halves", np.int64([width // 2, width // 2]))], ["left", "right"], axis=2))
    node("Concat", ["right", "left"], axis=2)
    info = [helper.make_tensor_value_info(name, T.FLOAT, [1, tokens, width]) for name in ("x", nodes[-1].output[0])]
    graph = helper.make_graph(nodes, "block", info[:1], info[1:], [numpy_helper.from_array(w, n) for n, w in weights.items()])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def windows():
    """Windows whose rows fill vectors, or end within one, with borders, strides, gaps and groups, and what is done behind them."""
    rng, weights, nodes, names = np.random.default_rng(9), {}, [], []
    behind = (("Relu",), ("Sigmoid", "Mul"), ("Tanh",), ("Erf",), ("HardSwish",), ("Exp", "Log"), ())

    def node(op, inputs, **attributes):
        nodes.append(helper.make_node(op, inputs, [f"{op}_{len(nodes)}"], **attributes))
        return nodes[-1].output[0]

    for i, (x, stride, gap, pads, group) in enumerate(itertools.product("xz", (1, 2), (1, 2), ((0, 0, 0, 0), (1, 2, 2, 1)), (1, 4))):
        kernel = (3, 3) if i % 3 else (1, 1)
        window = {"kernel_shape": kernel, "strides": (stride, stride), "dilations": (gap, gap), "pads": pads if kernel == (3, 3) else (0, 0, 0, 0)}
        weights[f"w{i}"] = rng.standard_normal((8, 4 // group, *kernel)).astype(np.float32)
        weights[f"b{i}"] = rng.standard_normal(8).astype(np.float32)
        y = conv = node("Conv", [x, f"w{i}", f"b{i}"], group=group, **window)
        for op in behind[i % len(behind)]:
            y = node(op, [y, conv] if op == "Mul" else [y])
        names += [y, node("MaxPool", [x], **window), node("AveragePool", [x], count_include_pad=i % 2, **{k: v for k, v in window.items() if k != "dilations"})]
    weights["last"] = rng.standard_normal((8, 8, 1, 1)).astype(np.float32)
    kept = node("Tanh", [node("Conv", ["x", "w0", "b0"])])  # that the sum is written over
    names.append(node("Add", [node("Conv", [node("Abs", [node("Conv", ["x", "w0", "b0"])]), "last"]), kept]))
    infos = [helper.make_tensor_value_info(n, T.FLOAT, d) for n, d in (("x", (1, 4, 9, 37)), ("z", (1, 4, 11, 16)))]
    outputs = [helper.make_empty_tensor_value_info(n) for n in names]
    graph = helper.make_graph(nodes, "windows", infos, outputs, [numpy_helper.from_array(w, n) for n, w in weights.items()])
    m = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9)
    return onnx.shape_inference.infer_shapes(m)


class Bench:
    """Runs what prepared.py wrote."""

    def __init__(self, args):
        self.tenure, self.folder, self.objects, self.limit = args.tenure, args.folder, [], 3000
        self.environment = {**os.environ, "POCL_CACHE_DIR": os.path.join(self.folder, "pocl"), "CC": " ".join(programs.cc()),
                            "CFLAGS": SANITIZE,
                            "ASAN_OPTIONS": "detect_leaks=0:malloc_context_size=2"}  # OpenCL's own; LLVM asks for much memory
        os.makedirs(self.environment["POCL_CACHE_DIR"], exist_ok=True)
        prepared.write_runtime(self.folder)

    def link(self, program):
        """The runtime, and what stands between it and OpenCL, compiled once, with the headers of any program."""
        for name in ("late", "counted", "misused"):
            self.objects.append(os.path.join(self.folder, name + ".o"))
            self.compile(program, ["-c", os.path.join(OPENCL, name + ".c"), "-o", self.objects[-1]])
        for source in glob.glob(os.path.join(self.folder, "runtime", "tenure_cl*.c")):
            self.compile(program, ["-std=c99", "-c", source, "-o", source[:-1] + "o"])
        self.environment["BUILT"] = "1"
        self.environment["LINKED"] = " ".join([*self.objects, *(f"-Wl,--wrap={name}" for name in WRAPPED)])

    def compile(self, program, options):
        subprocess.run([*programs.cc(), *SANITIZE.split(), f"-I{program}", f"-I{prepared.RUNTIME}", *options], check=True)

    def run(self, made, kept=True, more=()):
        """What the script says of these programs, whether all are right. Not `kept`: only numbers are compared, at less time."""
        if not self.objects:
            self.link(made[0])
        environment = {**self.environment, **dict(more), "PROGRAMS": " ".join(map(os.path.basename, made))}
        if not kept:
            environment["CFLAGS"] = SANITIZE.replace("-O1", "-O0")
        script = ["sh", os.path.join(self.folder, "runtime", "run_prepared.sh"), self.folder, *([] if kept else ["-c", "-"])]
        done = subprocess.run(script, env=environment, capture_output=True, text=True, check=False, timeout=self.limit)
        return done.stdout + done.stderr, done.returncode == 0

    def alone(self, folder, *options, **more):
        """(exit code, what it says) of one program that the script has built."""
        done = subprocess.run([os.path.join(folder, "net"), "-w", os.path.join(folder, "net_weights.bin"), "-c", folder, *options],
                              env={**self.environment, **more}, capture_output=True, text=True, check=False, timeout=900)
        return done.returncode, done.stdout + done.stderr


def own_models(bench):
    """(name, mode, folder) of programs of models made here, with cases that set their booleans."""
    made = {"block": (transformer_block(), (*BOTH, "-O2 --fuse=none"), 1), "windows": (windows(), ("-O2 --fuse=none", "-O3"), 1)}
    made |= {name: (m, BOTH if name in ("rotate", "branches", "loop-in-loop") else ("-O2",), variants) for name, (m, variants) in flow_programs.CASES.items()}
    for name, modes in flow_programs.REPEATED.items():
        made[name] = (made[name][0], (*made[name][1], *map(" ".join, modes)), made[name][2])
    for name, (m, modes, variants) in made.items():
        onnx.checker.check_model(m)
        path, draw = os.path.join(bench.folder, name + ".onnx"), np.random.default_rng(7)
        onnx.save(m, path)
        assert all(flow_programs.clones(bench.tenure, path, mode) for mode in flow_programs.REPEATED.get(name, ())), name
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        for number in range(variants):
            given = flow_programs.inputs_for(m, draw, number)
            for mode in modes:
                folder = prepared.folder_of(bench.folder, f"{name}{number}", mode)
                prepared.emit(bench.tenure, path, mode.split(), folder)
                prepared.write_case(folder, given.values(), session.run(None, given), prepared.BOUND)
                yield name, folder


# ---- what has to be noticed ----


def try_faults(bench, folder):
    """Waits left out give other numbers."""
    for drop in ("all", "reuse"):
        _, said = bench.alone(folder, "-i", os.path.join(folder, "inputs.bin"), "-e", os.path.join(folder, "outputs.bin"), "-q", "out-of-order",
                              LATE_DROP=drop)
        away = float(said.rsplit("away by ", 1)[1].split()[0])
        if away <= prepared.BOUND:
            raise opencl_misuse.Failed(f"nobody noticed waits left out: {drop}")


def try_index(bench):
    """An index that is none of its axis ends the run with the step, its values and the device."""
    infos = [helper.make_tensor_value_info(n, t, d) for n, t, d in (("x", T.FLOAT, [4]), ("i", T.INT64, [1]), ("y", T.FLOAT, [1]))]
    node = helper.make_node("Gather", ["x", "i"], ["y"], name="pick")
    m = helper.make_model(helper.make_graph([node], "net", infos[:2], infos[2:]), opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    path, folder = os.path.join(bench.folder, "pick.onnx"), os.path.join(bench.folder, "pick")
    onnx.save(m, path)
    prepared.emit(bench.tenure, path, [], folder)
    prepared.write_case(folder, [np.float32([1, 2, 3, 4]), np.int64([-1])], [np.float32([4])], 0)
    said, right = bench.run([folder])
    if not right:
        raise opencl_misuse.Failed(said)
    prepared.write_case(folder, [np.float32([1, 2, 3, 4]), np.int64([4])], [np.float32([4])], 0)
    done = bench.alone(folder, "-i", os.path.join(folder, "inputs.bin"))
    opencl_misuse.expect(done, 1, "step 0, Gather 'pick' of x f32[4], i i64[1] to y f32[1] on ")
    opencl_misuse.expect(done, 1, "an operand holds what is no index")


def try_own(bench):
    """A kernel of the user's in the place of tenure's, and a host of the user's: examples/opencl."""
    infos = [helper.make_tensor_value_info(n, T.FLOAT, [3, 5]) for n in "xy"]
    nodes = [helper.make_node("Mul", ["x", "x"], ["a"]), helper.make_node("Sigmoid", ["a"], ["b"]), helper.make_node("Neg", ["b"], ["y"])]
    m = helper.make_model(helper.make_graph(nodes, "net", infos[:1], infos[1:]), opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    path, x = os.path.join(bench.folder, "own.onnx"), np.random.default_rng(7).standard_normal([3, 5]).astype(np.float32)
    onnx.save(m, path)
    x.tofile(os.path.join(bench.folder, "own.bin"))
    runtime = os.path.join(bench.folder, "runtime")
    command = ["make", "-s", "-C", os.path.join(TOP, "examples", "opencl"), f"TENURE={bench.tenure}", f"MODEL={path}", f"BUILD={bench.folder}/own",
               f"INPUTS={bench.folder}/own.bin", f"CL_CFLAGS=-I{runtime}", f"CL_LIBS={runtime}/tenure_cl*.o -lOpenCL", f"CFLAGS={SANITIZE}",
               "OPTIONS=--fuse=none", "EMIT=own=Sigmoid", "OWN=own_sigmoid.c", "HOST=host.c", "run"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=bench.environment)
    got = [float(n) for n in done.stdout.split(":")[-1].split()]
    if done.returncode != 0 or not np.allclose(got, -1 / (1 + np.exp(-x.ravel()[:8] ** 2)), atol=1e-5):
        raise opencl_misuse.Failed(f"a kernel of the user's: {done.stdout} {done.stderr[-1500:]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure", type=os.path.abspath)
    parser.add_argument("folder", type=os.path.abspath)
    parser.add_argument("--models", action="append")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--training", action="store_true")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    bench, ran, wrong, all_kept = Bench(args), [], 0, args.all or bool(os.environ.get("TENURE_SOAK"))
    if args.training:
        return opencl_state.try_all(bench)

    def wanted(name):
        return not args.models or any(fnmatch.fnmatch(name, m) for m in args.models)

    def report(name, made):
        said, right = bench.run(made, all_kept or name in KEPT or name in flow and name != "windows",
                                {} if all_kept or name in OPTIMIZED else PLAINLY)
        print(said.rstrip().rsplit("\n", 1)[0], flush=True)
        if "undefined reference to `tenure_" in said or "KERNEL_ERROR_TYPE" in said:
            return False  # nobody has such a kernel, in C either
        ran.append(name)
        for folder in made if right and args.all and name != "block" else []:
            shutil.rmtree(folder)
        return not right

    flow = {}
    for name, folder in own_models(bench):
        if wanted(name):
            flow.setdefault(name, []).append(folder)
    for name, made in flow.items():
        wrong += report(name, made)
    for name, path in corpus.models():
        if not wanted(name) or not (args.all or name in REAL):
            continue
        try:
            wrong += report(name, prepared.prepare(args.tenure, args.folder, name, path, REAL.get(name, BOTH)))
        except NotRun as error:
            print(f"{name}: {error}", flush=True)
    checks = [(try_faults, flow["block"][2]), *((check, flow["block"][0]) for check in opencl_misuse.CHECKS)] if "block" in flow else []
    for check in [*checks, (opencl_ahead.try_ahead,), (try_index,), (try_own,)]:
        try:
            check[0](bench, *check[1:])
        except opencl_misuse.Failed as error:
            print(f"WRONG: {error}")
            wrong += 1
    few = args.all and not args.models and os.environ.get("TENURE_MODELS") and len(ran) < LEAST
    print(f"{len(ran)} models, {wrong} wrong{f', fewer than {LEAST}' if few else ''}")
    return 1 if wrong or few else 0


if __name__ == "__main__":
    sys.exit(main())
