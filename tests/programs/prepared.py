"""OpenCL programs with the inputs and the outputs that ONNX Runtime makes of them, in a folder that a machine with a
device needs nothing beside: tests/opencl/run_prepared.sh there builds and runs them all (a C compiler, OpenCL's headers and
an ICD loader are enough).

usage: prepared.py TENURE FOLDER [--models PATTERN]... [--modes TEXT]...

FOLDER gets `runtime`, the sources of tenure_cl, and a folder a program. Ends with 77 where onnx or onnxruntime is missing.
"""

import argparse
import fnmatch
import glob
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS, TOP = os.path.dirname(HERE), os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE] + [os.path.join(TESTS, d) for d in ("execution", "models", "operators")]

import corpus
import model_programs  # ends with 77 where onnx or onnxruntime is missing
from model_programs import NotRun, np, onnx

RUNTIME = os.path.join(TOP, "backends", "opencl", "runtime")
MODES = ("-O2", "-O3", "-O2 --fuse=none", "-O3 --concurrency=dataflow", "-O2 --queues=2")
BOUND = 1e-5  # relative to the largest magnitude of the output
DEEP = 1e-4  # of networks, whose differences add up
MOST_WEIGHTS = 256 << 20  # bytes beside a model's file
ROUNDED = 5e-2  # of numbers of 16 bits, and of those that steps of quantization are made of


def bound_of(variant, outputs):
    """What rounds on its way may round elsewhere when ops are done in one go."""
    rounds = any("Quant" in n["op"] or n["op"].startswith("QLinear") for s in variant["steps"] for n in s["nodes"])
    halves = any(v["dtype"] in ("f16", "bf16") for v in variant["values"])
    return ROUNDED if rounds or halves or any(x.dtype.itemsize < 4 for x in outputs) else DEEP


def write_case(folder, inputs, outputs, bound):
    for name, arrays in (("inputs.bin", inputs), ("outputs.bin", outputs)):
        with open(os.path.join(folder, name), "wb") as f:
            f.writelines(np.ascontiguousarray(x).tobytes() for x in arrays)
    with open(os.path.join(folder, "bound"), "w", encoding="ascii") as f:
        f.write(f"{bound}\n")


def emit(tenure, path, options, folder, more=""):
    """The program, by options of the plan and `more` (",key=value") of the program; NotRun where tenure refuses it."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    done = subprocess.run([tenure, "plan", path, "-q", *options, f"--emit=opencl-program,main=true{more}", "-o", os.path.join(folder, "net.c")],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise NotRun(f"refused: {model_programs.last_line(done.stderr)}")


def write_runtime(folder):
    to = os.path.join(folder, "runtime")
    os.makedirs(to, exist_ok=True)
    for path in [*glob.glob(os.path.join(RUNTIME, "*.[ch]")), os.path.join(TESTS, "opencl", "run_prepared.sh")]:
        shutil.copy(path, to)


def weights_beside(path):
    try:
        m = onnx.load(path, load_external_data=False)
    except Exception as error:  # of protobuf, which has classes of its own
        raise NotRun("no ONNX file") from error
    return sum(4 * int(np.prod(t.dims)) for t in m.graph.initializer if t.data_location == t.EXTERNAL)


def folder_of(folder, name, mode):
    return os.path.join(folder, re.sub("[^A-Za-z0-9_]+", "_", f"{corpus.short(name)} {mode}").strip("_"))


def prepare(tenure, folder, name, path, modes, options=None):
    """The folders of the model's programs; NotRun where there is nothing to compare with."""
    work = os.path.join(folder, "models", corpus.short(name))
    os.makedirs(work, exist_ok=True)
    try:
        return prepare_in(work, tenure, folder, name, path, modes, options)
    finally:
        shutil.rmtree(work)


def prepare_in(work, tenure, folder, name, path, modes, options):
    beside = weights_beside(path)
    if beside > MOST_WEIGHTS:
        raise NotRun(f"{beside} bytes of weights, more than the {MOST_WEIGHTS} taken here")
    model, made = model_programs.Model(tenure, name, path, work, options), []
    for mode in modes:
        where = folder_of(folder, name, mode)
        _, variant = model_programs.variant_of(model, mode, work)
        outputs = [model.wanted[variant["values"][v]["name"]] for v in variant["outputs"]]
        if not all(isinstance(x, np.ndarray) and np.isfinite(x.astype(np.float64)).all() for x in outputs):
            raise NotRun("outputs that are no finite numbers")
        emit(tenure, model.path, [*model.options, *mode.split()], where)
        write_case(where, model.given(variant), outputs, bound_of(variant, outputs))
        made.append(where)
    return made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure", type=os.path.abspath)
    parser.add_argument("folder", type=os.path.abspath)
    parser.add_argument("--models", action="append")
    parser.add_argument("--modes", action="append")
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    write_runtime(args.folder)
    n = 0
    for name, path in corpus.models():
        if args.models and not any(fnmatch.fnmatch(name, m) for m in args.models):
            continue
        try:
            n += len(prepare(args.tenure, args.folder, name, path, args.modes or MODES))
        except NotRun as error:
            print(f"{name}: {error}", flush=True)
    print(f"{n} programs in {args.folder}: sh runtime/run_prepared.sh {args.folder}")


if __name__ == "__main__":
    sys.exit(main())
