"""examples/opencl on the OpenCL device at hand (PoCL on plain machines), on in-order and out-of-order queues: outputs
equal ONNX Runtime's. A network of convolutions, squeezenet, a transformer block, and all models of flow_programs.py,
whose bodies run under the host's control. Commands of out-of-order queues run as late as they may
(tests/opencl/late.c), so that waits that are left out, and kernels that break what plans rest on, have to be noticed. Host and runtime run
under sanitizers.

usage: opencl_programs.py TENURE FOLDER [--models PATTERN]...

Ends with 77 where onnx or onnxruntime is missing.
"""

import argparse
import fnmatch
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS, TOP = os.path.dirname(HERE), os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE] + [os.path.join(TESTS, d) for d in ("execution", "models", "operators")]

from packages import np, onnx  # ends with 77 where they are missing

import corpus
import executed
import flow_programs  # ends with 77 where onnxruntime is missing
from graphs import File
from onnx import TensorProto as T, helper, numpy_helper
import onnxruntime
import programs

EXAMPLE = os.path.join(TOP, "examples", "opencl")
KERNELS = programs.KERNELS  # whose errors are shared
RUNTIME = os.path.join(TOP, "backends", "opencl", "runtime")
OPENCL = os.path.join(TESTS, "opencl")
WRAPPED = ("clEnqueueNDRangeKernel", "clFinish", "tenure_cl_waits", "tenure_cl_run")
SANITIZE = "-O1 -g -Werror -fsanitize=address,undefined -fno-sanitize-recover=all"
TOLERANCE = 1e-5  # relative to the largest magnitude of the output
REAL = ("tinyml/emx_micro_kws_fp32", "rnn/onnx2tf_loop_3")
QUEUES = ("in-order", "out-of-order")
# A device's memory and the host's, for what is computed and for constants.
POOLS = ["-O3", "--pool=near:16K", "--pool=far:cost=4:section=host", "--pool=hot:4K:const", "--pool=cold:const:cost=2:section=host"]


class Failed(Exception):
    """The program does not build, does not run, or gives other numbers."""


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


class Model:
    def __init__(self, name, path, folder, modes, variants=1):
        self.name, self.folder, self.modes = name, os.path.join(folder, name.replace("/", "_")), modes
        os.makedirs(self.folder, exist_ok=True)
        self.path = executed.with_data(File(path), path, self.folder)
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = 4
        self.session = onnxruntime.InferenceSession(self.path, options, providers=["CPUExecutionProvider"])
        self.proto, draw = onnx.load(self.path, load_external_data=False), np.random.default_rng(7)
        self.cases = [self.case(draw, number) for number in range(variants)]

    def case(self, draw, number):
        """Path of the inputs' bytes, and the outputs wanted."""
        given = flow_programs.inputs_for(self.proto, draw, number)
        path = os.path.join(self.folder, f"inputs{number}.bin")
        with open(path, "wb") as f:
            f.writelines(x.tobytes() for x in given.values())
        wanted = self.session.run(None, given)
        assert all(np.isfinite(w).all() for w in wanted), self.name
        return path, wanted


class Bench:
    """Builds and runs programs; the kernels are compiled once."""

    def __init__(self, args):
        self.tenure, self.folder = args.tenure, args.folder
        self.library, self.objects = None, []
        self.environment = {**os.environ, "POCL_CACHE_DIR": os.path.join(self.folder, "pocl"),
                            "ASAN_OPTIONS": "detect_leaks=0"}  # OpenCL's own
        os.makedirs(self.environment["POCL_CACHE_DIR"], exist_ok=True)

    def prepare(self, model):
        """Compiles the runtime, and what stands between it and OpenCL, with the headers of any program."""
        headers = os.path.join(self.folder, "headers")
        os.makedirs(headers, exist_ok=True)
        subprocess.run([self.tenure, "plan", model.path, "-q", "--emit=opencl-program", "-o", os.path.join(headers, "net.c")], check=True)
        for source in [os.path.join(OPENCL, "late.c"), *sorted(glob.glob(os.path.join(RUNTIME, "*.c")))]:
            self.objects.append(os.path.join(headers, os.path.basename(source)[:-2] + ".o"))
            subprocess.run([*programs.cc(), *SANITIZE.split(), f"-I{headers}", f"-I{RUNTIME}", "-c", source, "-o", self.objects[-1]], check=True)

    def build(self, model, mode, broken=None):
        """The folder with the program. Kernel `broken[0]` is replaced by the function `broken[1]`."""
        folder = os.path.join(model.folder, re.sub("[=%:]", "", "-".join(["build", *map(os.path.basename, mode), *(broken or ())])))
        flags, config, objects = SANITIZE, [], list(self.objects)
        if broken:
            flags += f" -DTENURE_KERNEL_{broken[0]}={broken[1]} -I{OPENCL}"
            config = [f"CONFIG={os.path.join(OPENCL, 'broken_cl.h')}"]
            objects.append(os.path.join(OPENCL, "broken_cl.c"))
        include = [f"-I{d}" for d in (folder, RUNTIME, os.path.join(EXAMPLE, "kernels"), KERNELS)]
        wraps = [f"-Wl,--wrap={name}" for name in WRAPPED]
        libraries = [*wraps, *objects, *include, self.library or os.path.join(folder, "libkernels.a"), "-lOpenCL"]
        command = ["make", "-s", "-f", os.path.join(EXAMPLE, "Makefile"), f"TENURE={self.tenure}", f"MODEL={model.path}",
                   f"BUILD={folder}", f"OPTIONS={' '.join(mode)}", f"CL_CFLAGS=-I{RUNTIME}", f"CL_LIBS={' '.join(libraries)}",
                   f"CFLAGS={flags}", *config, os.path.join(folder, "net")]
        if self.library:
            command.insert(1, f"LIBRARY={self.library}")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed(f"not built: {done.stderr.strip()[-1500:]}")
        if "warning" in done.stderr:
            raise Failed(done.stderr)
        self.library = self.library or os.path.join(folder, "libkernels.a")
        return folder

    def run(self, folder, inputs, queue, drop=None):
        """The outputs' bytes."""
        environment = {**self.environment, **({"LATE_DROP": drop} if drop else {})}
        done = subprocess.run([os.path.join(folder, "net"), os.path.join(folder, "kernels.cl"),
                               os.path.join(folder, "net_weights.bin"), inputs, queue, "2"], env=environment,
                              capture_output=True, text=True, check=False, timeout=900)
        if done.returncode != 0:
            raise Failed(f"exit code {done.returncode}: {done.stderr.strip()[-500:]}")
        return [bytes.fromhex(line) for line in done.stdout.splitlines()]


def compare(got, wanted):
    for g, w in zip(got, wanted, strict=True):
        g = np.frombuffer(g, w.dtype).reshape(w.shape).astype(np.float64)
        most = TOLERANCE * max(float(np.abs(w).max(initial=0)), 1e-6)
        if not np.abs(g - w).max(initial=0) <= most:
            raise Failed(f"away by {np.abs(g - w).max():.3g}, {most:.3g} are allowed")


def try_model(bench, model):
    """Number of runs."""
    n = 0
    for mode in model.modes:
        folder = bench.build(model, mode)
        for queue in QUEUES:
            for inputs, wanted in model.cases:
                try:
                    compare(bench.run(folder, inputs, queue), wanted)
                except Failed as error:
                    raise Failed(f"{model.name} {' '.join(mode)}, {queue}: {error}") from error
                n += 1
    return n


# Kernel, function in its place, waits left out, queue: each has to give other numbers.
FAULTS = (
    (("Add_14", "broken_accumulating"), None, "in-order"),
    (("Add_14", "broken_hasty"), None, "out-of-order"),
    (None, "all", "out-of-order"),
    (None, "reuse", "out-of-order"),
)


def try_faults(bench, model):
    inputs, wanted = model.cases[0]
    for broken, drop, queue in FAULTS:
        got = bench.run(bench.build(model, model.modes[0], broken), inputs, queue, drop)
        try:
            compare(got, wanted)
        except Failed:
            continue
        raise Failed(f"nobody noticed {broken[1] if broken else 'waits left out: ' + drop}")


def try_images(bench, model):
    """Weights that are cut off, or of another plan, are refused by name."""
    folder = bench.build(model, model.modes[0])
    with open(os.path.join(folder, "net_weights.bin"), "rb") as f:
        image = f.read()
    for what, said in ((image[:-1], "is cut off"), (image[:50], "this is no weights image"),
                       (image[:96] + bytes(8) + image[104:], "is of another plan")):
        path = os.path.join(model.folder, "spoiled.bin")
        with open(path, "wb") as f:
            f.write(what)
        done = subprocess.run([os.path.join(folder, "net"), os.path.join(folder, "kernels.cl"), path, model.cases[0][0],
                               "in-order"], env=bench.environment, capture_output=True, text=True, check=False)
        if done.returncode != 1 or said not in done.stderr:
            raise Failed(f"an image that {said}: exit code {done.returncode}, {done.stderr}")


def models(tenure, folder):
    made = {"block": (transformer_block(), [[], ["-O3"]], 1)}
    made |= {name: (m, [[], ["-O3"]] if name in ("rotate", "branches", "loop-in-loop") else [[]], variants) for name, (m, variants) in flow_programs.CASES.items()}
    for name, modes in flow_programs.REPEATED.items():
        made[name][1].extend(modes)
    for name, (m, modes, variants) in made.items():
        onnx.checker.check_model(m)
        path = os.path.join(folder, name + ".onnx")
        onnx.save(m, path)
        assert all(flow_programs.clones(tenure, path, mode) for mode in flow_programs.REPEATED.get(name, ())), name
        yield Model(name, path, folder, modes, variants)
    facts = "--op-facts=" + os.path.join(OPENCL, "workspace.json")
    for name, modes in (("ds_cnn", [[], [facts], POOLS, ["-O3", "--double-buffer=all", "--io=arena"]]), ("squeezenet1_1", [[]])):
        yield Model(name, os.path.join(corpus.SHIPPED, name + ".onnx"), folder, modes)
    for name, path in corpus.models():
        if name in REAL:
            yield Model(name, path, folder, [[], POOLS])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure", type=os.path.abspath)
    parser.add_argument("folder", type=os.path.abspath)
    parser.add_argument("--models", action="append")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    bench, ran, wrong = Bench(args), [], 0
    for model in models(args.tenure, args.folder):
        if args.models and not any(fnmatch.fnmatch(model.name, m) for m in args.models):
            continue
        if not bench.objects:
            bench.prepare(model)
        try:
            ran.append(try_model(bench, model))
            if model.name == "block":
                try_faults(bench, model)
                try_images(bench, model)
        except Failed as error:
            print(f"WRONG: {error}")
            wrong += 1
    print(f"{len(ran)} models, {sum(ran)} runs, outputs equal; {len(FAULTS)} faults noticed; {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
