"""The shipped models with the weights of examples/models/make.py: as C programs with the kernels of backends/kernels/library,
and as OpenCL programs, outputs equal ONNX Runtime's. What is stored for scripts/demo.sh is
what ONNX Runtime gives, and the demo runs to its end.

usage: shipped_programs.py TENURE FOLDER [--opencl RUNTIME] [--models NAME]... [--large] [--store]

RUNTIME is the folder of libtenure_cl.a; without it there are no OpenCL programs. --store writes what the demo compares with.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS, TOP = os.path.dirname(HERE), os.path.dirname(os.path.dirname(HERE))
SHIPPED = os.path.join(TOP, "examples", "models")
sys.path[:0] = [SHIPPED, os.path.join(TESTS, "operators")]

from packages import np, onnx  # noqa: F401  ends with 77 where they are missing

try:
    import onnxruntime
except ModuleNotFoundError as gone:
    print(gone)
    sys.exit(77)

import make

LARGE = ["resnet50", "bert_base", "gpt_decoder"]  # up to a minute each, and 650 MB
MODELS = [name for name in make.MODELS if name not in ("train_cnn", *LARGE)]  # ops of training are not in ONNX Runtime's package
BOUND = 1e-4  # relative to the largest magnitude of the output
DTYPES = {"tensor(float)": np.float32, "tensor(int64)": np.int64}
MOST_TEXT = 1 << 19  # bytes of weights as C
STORED = os.path.join(SHIPPED, "ds_cnn.outputs")
# The same bytes on every machine.
DIGESTS = {"ds_cnn.weights": "cdb5705207fe1a6b", "ds_cnn.inputs.bin": "d8f269d882185047", "lstm.weights": "7fdb7e1b134d9170"}


class Failed(Exception):
    """A program is not built, does not run, or gives other numbers."""


def reference(path, name):
    """(name, array) of each output."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    extents, given, at = make.MODELS[name][0], {}, 0
    with open(path[:-len(".onnx")] + ".inputs.bin", "rb") as f:
        data = f.read()
    for x in session.get_inputs():
        dims, dtype = [extents.get(d, d) for d in x.shape], np.dtype(DTYPES[x.type])
        count = int(np.prod(dims))
        given[x.name] = np.frombuffer(data, dtype, count, at).reshape(dims)
        at += count * dtype.itemsize
    if at != len(data):
        raise Failed(f"the inputs have {at} bytes, the file {len(data)}")
    outputs = session.run(None, given)
    if not all(np.isfinite(w).all() and np.ptp(w) > 0 for w in outputs):
        raise Failed("outputs are not finite, or all numbers of one are the same")
    return [(o.name, w) for o, w in zip(session.get_outputs(), outputs)]


def compare(data, wanted):
    """The largest difference."""
    worst, at = 0.0, 0
    if len(data) != sum(w.nbytes for _, w in wanted):
        raise Failed(f"{len(data)} bytes of outputs, not {sum(w.nbytes for _, w in wanted)}")
    for name, w in wanted:
        got = np.frombuffer(data, w.dtype, w.size, at).reshape(w.shape)
        at += w.nbytes
        away = float(np.abs(got - w).max()) / float(np.abs(w).max())
        if not away <= BOUND:
            raise Failed(f"'{name}' is away by {away:.1e}")
        worst = max(worst, away)
    return worst


class Bench:
    def __init__(self, args):
        self.tenure, self.folder, self.runtime = args.tenure, args.folder, args.opencl
        self.environment = {**os.environ, "POCL_CACHE_DIR": os.path.join(args.folder, "pocl")}
        os.makedirs(self.environment["POCL_CACHE_DIR"], exist_ok=True)

    def run(self, kind, name, more):
        """The bytes of the outputs of a program, by the Makefile of examples/<kind>."""
        build = os.path.join(self.folder, kind)
        shutil.rmtree(build, ignore_errors=True)
        options = " ".join(f"--dim {d}={n}" for d, n in make.MODELS[name][0].items())
        command = ["make", "-s", f"-j{os.cpu_count()}", "-C", os.path.join(TOP, "examples", kind), f"TENURE={self.tenure}",
                   f"MODEL={os.path.join(self.folder, name)}.onnx", f"INPUTS={os.path.join(self.folder, name)}.inputs.bin",
                   f"BUILD={build}", *more(options), "run"]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=self.environment)
        if done.returncode != 0:
            raise Failed(f"{kind}: {(done.stdout + done.stderr)[-1500:]}")
        written = os.path.join(build, "outputs.bin")
        data = open(written, "rb").read() if os.path.exists(written) else None
        shutil.rmtree(build)
        return data if data is not None else bytes.fromhex("".join(line for line in done.stdout.split("\n") if re.fullmatch("[0-9a-f]+", line)))

    def firmware(self, name):
        large = os.path.getsize(os.path.join(self.folder, name + ".weights")) > MOST_TEXT
        return self.run("firmware", name, lambda options: [f"OPTIONS=--preset=mcu {options}", f"WEIGHTS={'asm' if large else 'c'}"])

    def opencl(self, name):
        runtime = os.path.join(TOP, "backends", "opencl", "runtime")
        return self.run("opencl", name, lambda options: [f"OPTIONS={options}", "CL_CFLAGS=-I" + runtime,
                                                         f"CL_LIBS={self.runtime}/libtenure_cl.a -lOpenCL",
                                                         f"RUN=-o {self.folder}/opencl/outputs.bin"])


def try_model(bench, name):
    path = os.path.join(bench.folder, name + ".onnx")
    make.write_weights(bench.folder, [name])
    try:
        wanted = reference(path, name)
        said = [f"C {compare(bench.firmware(name), wanted):.1e}"]
        if bench.runtime:
            said.append(f"OpenCL {compare(bench.opencl(name), wanted):.1e}")
        print(f"{name}: {', '.join(said)}", flush=True)
        return wanted
    finally:
        if name != "ds_cnn":
            os.remove(path[:-len(".onnx")] + ".weights")  # up to 650 MB


def try_digests(folder):
    make.write_weights(folder, ["ds_cnn", "lstm"])
    for name, digest in DIGESTS.items():
        with open(os.path.join(folder, name), "rb") as f:
            found = hashlib.sha256(f.read()).hexdigest()[:16]
        if found != digest:
            raise Failed(f"{name} has the digest {found}, not {digest}")


def stored(outputs):
    lines = ["# What ONNX Runtime gives for ds_cnn with the weights and inputs of make.py; tests/programs/shipped_programs.py --store"]
    lines += [" ".join([name, *(f"{x:.9g}" for x in w.ravel())]) for name, w in outputs]
    return "\n".join(lines) + "\n"


def try_demo(bench, wanted):
    """What is stored is what ONNX Runtime gives; the demo says so, and what is spoiled it notices."""
    compare_py = [sys.executable, "-B", os.path.join(SHIPPED, "compare.py")]
    lines = "".join(w.tobytes().hex() + "\n" for _, w in wanted)
    spoiled = "".join((w * np.float32(1.001)).tobytes().hex() + "\n" for _, w in wanted)
    for given, code in ((lines, 0), (spoiled, 1), ("", 1), (lines[:-9] + "\n", 1), (lines + lines, 1)):
        done = subprocess.run([*compare_py, STORED], input=given, capture_output=True, text=True, check=False)
        if done.returncode != code:
            raise Failed(f"compare.py ends with {done.returncode}, not {code}: {done.stdout}{done.stderr}")
    done = subprocess.run([os.path.join(TOP, "scripts", "demo.sh")], capture_output=True, text=True, check=False,
                          env={**os.environ, "TENURE": bench.tenure})
    for said in ("keywords: 12 numbers, away from those stored by ", "as planned:    RAM 64000 B (62.50 KiB), flash 90416 B",
                 "without reuse: RAM 578576 B (565.02 KiB), flash 90416 B"):
        if done.returncode != 0 or said not in done.stdout:
            raise Failed(f"demo.sh: exit code {done.returncode}, '{said}' is not there: {done.stdout}{done.stderr}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure", type=os.path.abspath)
    parser.add_argument("folder", type=os.path.abspath)
    parser.add_argument("--opencl", type=os.path.abspath)
    parser.add_argument("--models", action="append")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--store", action="store_true")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    if args.store:
        make.write_weights(args.folder, ["ds_cnn"])
        with open(STORED, "w", encoding="utf-8") as f:
            f.write(stored(reference(os.path.join(args.folder, "ds_cnn.onnx"), "ds_cnn")))
        return 0
    bench, wrong, chosen = Bench(args), 0, args.models or (LARGE if args.large else MODELS)
    for name in chosen:
        try:
            wanted = try_model(bench, name)
            if name == "ds_cnn":
                try_demo(bench, wanted)
                try_digests(args.folder)
        except Failed as error:
            print(f"WRONG: {name}: {error}", flush=True)
            wrong += 1
    print(f"{len(chosen) - wrong} of {len(chosen)} models")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
