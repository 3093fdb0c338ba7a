"""Real models as C programs: their outputs against those of ONNX Runtime, its optimisations turned off.

usage: model_programs.py TENURE FOLDER [--models PATTERN]... [--inside | --mode TEXT...] [--plain] [--jobs N] [--limit SECONDS]

Each model in all MODES: emitted, compiled with the kernels of backends/kernels/library under sanitizers, run on inputs made
from a seed in pools of exactly the planned size, freed bytes poisoned, twice; outputs have the same bits in all modes.
gcc and clang take programs and kernels as C99, C17 and C++17 without warnings. Kernels that break what the plan rests on
have to be noticed (broken_kernels.c). One mode more has the kernels that programs hold, and links no others. Some run as streams, with two places for inputs and outputs
(streamed_programs.py). Models of TENURE_MODELS that are not there are left out.

--inside: in the modes of INSIDE, where what runs in one layout has to run in both; models that ONNX Runtime does not take
are compared among these alone, and those that take long are run without sanitizers. --plain: all are.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE] + [os.path.join(os.path.dirname(HERE), d) for d in ("execution", "models", "operators")]

from packages import np, onnx  # ends with 77 where the packages are missing

try:
    import onnxruntime
except ModuleNotFoundError as gone:
    print(gone)
    sys.exit(77)

import corpus
import executed
import from_plan
import programs
import streamed_programs
from execute import SMALLER
from graphs import File, Unsupported
from inputs import inputs_of, values_given
from onnx import helper

PIXELS = f"--op-facts={os.path.join(programs.TOP, 'examples', 'facts', 'pixels.json')}"
MODES = ("-O2", "-O3", "-O3 --io=arena", "--preset=mcu", "-O3 --overlap=elements",
         "-O3 --overlap=elements --io=arena --pool=fast:16K --pool=slow:cost=4",
         "-O2 --layout=nhwc", f"-O3 --layout=nhwc --overlap=elements --io=arena {PIXELS}",
         "-O3 --pool=fast:16K --pool=slow:cost=4 --pool=tcm:4K:const:copied --pool=flash:const:cost=2")
# Results inside operands, in both layouts, beside programs without.
INSIDE = ("-O2", "-O3 --overlap=elements --io=arena --reuse-inputs", "-O2 --layout=nhwc",
          f"-O3 --layout=nhwc --overlap=elements --io=arena --reuse-inputs {PIXELS}")
STREAMS = ("shipped/ds_cnn", "tinyml/mlperf_resnet8")
# Models that must have run where TENURE_MODELS is set: of all of them, and of the third that one run has.
LEAST, LEAST_DRAWN = 20, 12
LEAST_SHIPPED = 2
MODELS = (
    "shipped/ds_cnn",
    "shipped/lstm",
    "tinyml/*",
    "rnn/*",
    "cnn/deeploy_mcunet",
    "features/conv_qdq*",
    "features/jax2onnx*",
    "features/onnx_selu*",
    "features/ort_github*",
    "features/ort_ngraph*",
    "transformer/deeploy*",
    "transformer/diag*",
    "transformer/nntrainer_attention*",
    "transformer/ort_bart*",
    "transformer/ort_bert_toy*",
    "transformer/ort_gpt2_one_layer",
    "transformer/vespa_dummy*",
)
COMPILERS = (("gcc", "g++"), ("clang", "clang++"))
STRICT = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-DNET_NO_ARRAYS"]
PRECOMPILED, PRECOMPILING, PRECOMPILED_FOLDER = {}, threading.Lock(), tempfile.TemporaryDirectory()
MOST_TEXT = 1 << 17  # bytes of weights as C, which take compilers long; more come by the assembler
MOST_WEIGHTS = 32 << 20
SEED = 7
ALONE = "without ONNX Runtime"

# Kernels of broken_kernels.c in the place of right ones: (what, which, function, model, mode).
FAULTS = (
    ("accumulates operand by operand", "Add_7", "broken_accumulating", "tinyml/mlperf_resnet8", "-O2"),
    ("reads after writing", "Softmax_11", "broken_rereading", "tinyml/mlperf_resnet8", "-O3"),
    ("writes beyond its result", "Softmax_11", "broken_overshooting", "tinyml/mlperf_resnet8", "-O2"),
    ("does not write all of its result", "Relu_6", "broken_unfinished", "tinyml/mlperf_resnet8", "-O0"),
)


class NotRun(Exception):
    """Why a model gives no program, or no numbers to compare with."""


class TooSlow(NotRun):
    """A program takes longer than it may."""


class Wrong(Exception):
    """A program does not compile, or gives other numbers."""


class Model:
    """A model, its inputs, and what ONNX Runtime makes of them; `alone`: nothing, where it does not take the model."""

    def __init__(self, tenure, name, path, folder, options=None, alone=False):
        self.tenure, self.name, self.folder = tenure, name, folder
        short = corpus.short(name)
        self.options = SMALLER.get(short, corpus.bindings().get(short, [])) if options is None else options
        done, plan = corpus.plan(tenure, path, [*self.options, "-O0", "--io=separate"])
        if plan is None:
            raise NotRun(f"no plan: {last_line(done.stderr.decode(errors='replace')) if done else 'it takes long'}")
        file = File(path)
        self.path = executed.with_data(file, path, folder)
        self.inputs = spread(inputs_of(file, plan, short), values_given(plan), file.main.initializers)
        try:
            self.wanted = reference(self.path, self.inputs)
        except NotRun:
            if not alone:
                raise
            self.wanted = {}
        self.got = None  # the bytes of outputs in the first mode; the same kernels give the same in all others

    def given(self, variant):
        values = [variant["values"][v] for v in variant["inputs"]]
        return [self.inputs[v["name"]].transpose(laid(v)) for v in values]


def laid(value):
    """Axes from the outermost to the innermost, as the elements lie: the caller sees inputs and outputs so."""
    axes = list(range(len(value["dims"])))
    return [0, *axes[2:], 1] if "strides" in value else axes


def last_line(text):
    return (text.strip().splitlines() or ["?"])[-1]


def spread(inputs, given, defaults):
    """Floats as large as 1, bytes of all sizes: what quantised networks do not round to nothing."""
    made = {}
    for name, x in inputs.items():
        rng = np.random.default_rng([SEED, len(made)])
        if name not in given and name not in defaults and isinstance(x, np.ndarray) and x.size > 1:
            if x.dtype.kind == "f":
                x = x / np.abs(x).max().astype(x.dtype)
            elif x.dtype in (np.int8, np.uint8):
                x = rng.integers(np.iinfo(x.dtype).min, np.iinfo(x.dtype).max + 1, x.shape, x.dtype)
        made[name] = x
    return made


def reference(path, inputs):
    """name -> output."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        known = {i.name for i in session.get_inputs()}
        outputs = session.run(None, {name: x for name, x in inputs.items() if name in known})
    except Exception as error:  # its classes have no common base but this
        raise NotRun(f"ONNX Runtime: {last_line(str(error))[:150]}") from error
    return dict(zip((o.name for o in session.get_outputs()), outputs))


def variant_of(model, mode, folder):
    """The plan that the program follows, for names, types and sizes."""
    path = os.path.join(folder, "plan.json")
    done = corpus.run(model.tenure, ["plan", model.path, "--quiet", *model.options, *mode.split(), "--emit=json", "-o",
                                     path])
    if done is None or done.returncode != 0:
        raise NotRun(f"no plan: {last_line(done.stderr.decode(errors='replace')) if done else 'it takes long'}")
    with open(path, encoding="utf-8") as f:
        plan = json.load(f)
    return plan, plan["programs"][0]["variants"][0]


class Linked:
    """A library, and more to compile a program with."""

    def __init__(self, library, more):
        self.flags, self.path = [*library.flags, "-O0", "-g0", *more], library.path


def program_of(model, mode, library, more=(), kernels="extern"):
    """(executable, plan, variant)"""
    folder = os.path.join(model.folder, "".join(c if c.isalnum() else "_" for c in mode))
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    plan, variant = variant_of(model, mode, folder)
    size = sum(pool["size"] for pool in plan["pools"] if pool["kind"] == "const")
    if size > MOST_WEIGHTS:
        raise NotRun(f"{size} bytes of weights, more than the {MOST_WEIGHTS} taken here")
    weights = "asm" if size > MOST_TEXT else "c"
    try:
        programs.emit(model.tenure, model.path, folder, [*model.options, *mode.split()], weights, kernels)
        if weights == "asm":
            more = [*more, programs.assembled_weights(folder)]
        held = kernels == "inside"
        return programs.build(folder, Linked(programs.Alone([*programs.SANITIZE, "-O2"]) if held else library, more)), plan, variant
    except programs.Refused as error:
        raise NotRun(f"refused: {last_line(str(error))}") from error
    except programs.Missing as error:
        raise NotRun("no kernels " + " ".join(error.args[0])) from error


def op_of(variant, step):
    nodes = variant["steps"][step]["nodes"]
    return f"{nodes[0]['domain']} {nodes[0]['op']}".strip()


def outputs_of(model, program, variant, runs, limit, extents=()):
    values = [variant["values"][v] for v in variant["outputs"]]
    kinds = [(from_plan.dtype_of(v), [v["dims"][a] for a in laid(v)]) for v in values]
    try:
        got = programs.run(program, model.given(variant), kinds, runs, limit, extents)
    except subprocess.TimeoutExpired as error:
        raise TooSlow(f"longer than {limit} s") from error
    except RuntimeError as error:
        refused = re.search(r"net_run gives (\d+)$", str(error).strip())
        if refused:
            step = int(refused[1]) - 1
            raise NotRun(f"a kernel refuses step {step}: {op_of(variant, step)}") from error
        raise Wrong(str(error)) from error
    return {v["name"]: x.transpose(np.argsort(laid(v))) for v, x in zip(values, got)}


def compare(got, want):
    """The largest difference by the largest magnitude; raises Wrong. Quantised numbers may differ by a step."""
    if got.shape != want.shape or got.dtype != want.dtype:
        raise Wrong(f"{got.dtype}{list(got.shape)}, not {want.dtype}{list(want.shape)}")
    if got.size == 0:
        return 0.0
    if want.dtype.kind != "f":
        step = 1 if want.dtype in (np.int8, np.uint8) else 0
        error = int(np.abs(got.astype(np.int64) - want.astype(np.int64)).max())
        if error > step:
            raise Wrong(f"an integer is wrong by {error}")
        return float(error)
    if not np.array_equal(np.isfinite(got), np.isfinite(want)):
        raise Wrong("numbers that are not finite")
    finite = np.isfinite(want)
    error = float(np.abs(np.where(finite, got, 0) - np.where(finite, want, 0)).max())
    largest = float(np.abs(np.where(finite, want, 0)).max())
    if error > 1e-3 * largest + 1e-4:
        raise Wrong(f"wrong by {error:.3g}, the largest is {largest:.3g}")
    return error / largest if largest > 0 else error


def check_mode(model, mode, library, limit, more=(), kernels="extern"):
    """A line of the table."""
    program, plan, variant = program_of(model, mode, library, ["-DIO_IN_TURN", *more], kernels)
    keeps = any(value["role"] == "state" for value in variant["values"])
    got = outputs_of(model, program, variant, 1 if keeps else 2, limit)
    worst = max((compare(got[name], want) for name, want in model.wanted.items()), default=None)
    bits = {name: x.tobytes() for name, x in got.items()}
    model.got = bits if model.got is None else model.got
    if model.got != bits and kernels == "extern":
        raise Wrong(f"other bits than in the first mode: {[name for name in bits if bits[name] != model.got[name]]}")
    if kernels == "inside":
        strict(os.path.dirname(program))
    if mode == MODES[0]:
        first = outputs_of(model, program, variant, 1, limit)
        if any(got[name].tobytes() != x.tobytes() for name, x in first.items()):
            raise Wrong("the second run gives something else than the first")
        strict(os.path.dirname(program))
    arena = next((p["size"] for p in plan["pools"] if p["name"] == "arena"), 0)
    return f"{len(variant['steps']):6} {arena:10} {ALONE if worst is None else format(worst, '9.2g')}"


def strict(folder, sources=("net.c",)):
    """The files by all compilers and languages; `folder` has the program's headers."""
    for c, cpp in COMPILERS:
        if shutil.which(c) is None or shutil.which(cpp) is None:
            continue
        for compiler in ([c, "-std=c99"], [c, "-std=c17"], [cpp, "-x", "c++", "-std=c++17"]):
            first = first_headers(compiler, folder) if compiler[0] == cpp else []
            accept([*compiler, *STRICT, "-fsyntax-only", *first, "-I", folder, *(os.path.join(folder, s) for s in sources)])


def accept(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Wrong(f"{' '.join(command[:3])}: {done.stderr[:2000]}")


def first_headers(compiler, folder):
    """What brings tenure_kernels.h of the folder, and the headers of C++ that C's bring, compiled once for all that have
    the same; that sources name all they need is seen in C."""
    with PRECOMPILING:
        key = (compiler[0], programs.digest([programs.bytes_of(os.path.join(folder, "tenure_kernels.h"))]))
        if key not in PRECOMPILED:
            made = os.path.join(PRECOMPILED_FOLDER.name, "-".join(key))
            os.mkdir(made)
            shutil.copy(os.path.join(folder, "tenure_kernels.h"), made)
            header = os.path.join(made, "first.h")
            with open(header, "w", encoding="ascii") as f:
                f.write('#include "tenure_kernels.h"\n#include <math.h>\n#include <string.h>\n')
            form = ".pch" if "clang" in compiler[0] else ".gch"
            accept([compiler[0], *compiler[3:], *STRICT, "-x", "c++-header", header, "-o", header + form])
            PRECOMPILED[key] = ["-include-pch", header + form] if form == ".pch" else ["-include", header]
        return PRECOMPILED[key]


def try_kernels(args):
    """As try_model: the kernels' files alone."""
    try:
        strict(os.path.join(args.folder, "library", "header"), glob.glob(os.path.join(programs.KERNELS, "*.c")))
        return [], [], []
    except Wrong as error:
        return [], [], [f"kernels: {error}"]


def try_mode(args, model, mode, libraries, kernels="extern"):
    """The line of the first of the libraries that is fast enough; slower ones are left out from then on."""
    while True:
        try:
            return check_mode(model, mode, libraries[0], args.limit, kernels=kernels)
        except TooSlow:
            if len(libraries) == 1:
                raise
            libraries.pop(0)


def try_model(args, name, path, libraries, modes):
    """(lines of the table, why it was not run, what is wrong)"""
    libraries = list(libraries)
    lines, not_run, wrong = [], [], []
    folder = os.path.join(args.folder, name.replace("/", "-"))
    os.makedirs(folder, exist_ok=True)
    try:
        model = Model(args.tenure, name, path, folder, alone=args.inside)
    except (NotRun, Unsupported, MemoryError) as error:
        return [], [f"{name}: {error}"], []
    runs = [(mode, "extern") for mode in modes]
    if not (args.inside or args.mode):
        runs.append((modes[0], "inside"))
    for mode, kernels in runs:
        try:
            lines.append(f"{name:40} {mode:15} {kernels:6} {try_mode(args, model, mode, libraries, kernels)}")
        except NotRun as error:
            if lines and str(error).startswith("no kernels"):
                wrong.append(f"{name} {mode}: {error}, though it runs otherwise")
            else:
                not_run.append(f"{name} {mode}: {error}")
            break  # the same for all modes
        except Wrong as error:
            wrong.append(f"{name} {mode}, kernels {kernels}: {error}")
    shutil.rmtree(folder)
    return lines, not_run, wrong


def try_faults(args, library):
    """What nobody noticed."""
    missed, models = [], dict(corpus.models())
    for number, (what, kernel, function, name, mode) in enumerate(FAULTS):
        if name not in models:
            continue
        folder = os.path.join(args.folder, f"fault{number}")
        os.makedirs(folder, exist_ok=True)
        more = ["-include", "tenure_kernels.h", "-include", os.path.join(HERE, "broken_kernels.h"),
                f"-DTENURE_KERNEL_{kernel}={function}", os.path.join(HERE, "broken_kernels.c")]
        try:
            check_mode(Model(args.tenure, name, models[name], folder), mode, library, args.limit, more)
            missed.append(f"nobody noticed that {function} {what}: {name} {mode}")
        except Wrong as error:
            print(f"noticed: a kernel that {what}: {last_line(str(error))[:80]}")
    return missed


def try_streams(args, library):
    """What is wrong with programs whose inputs and outputs have two places."""
    wrong, models, library = [], dict(corpus.models()), Linked(library, [])
    for number, (name, path) in enumerate((n, models[n]) for n in STREAMS if n in models):
        folder = os.path.join(args.folder, f"stream{number}")
        os.makedirs(folder, exist_ok=True)
        path = executed.with_data(File(path), path, folder)
        options = corpus.bindings().get(corpus.short(name), [])
        for mode in corpus.some(streamed_programs.MODES, number + 1):
            said = streamed_programs.check(args.tenure, path, folder, library, options, mode)
            wrong += [] if said is None else [f"{name} {mode}: {said}"]
        said = streamed_programs.check(args.tenure, path, folder, library, options, streamed_programs.MODES[0], False)
        wrong += [f"{name}: nobody noticed that places are not swapped"] if said is None else []
        shutil.rmtree(folder)
    return wrong


def library_of(args, plain=False):
    """The kernels, compiled with the header that any program brings; plain: without sanitizers."""
    folder = os.path.join(args.folder, "plain" if plain else "library")
    os.makedirs(folder, exist_ok=True)
    x, y = (helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1]) for name in "xy")
    graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "smallest", [x], [y])
    onnx.save(helper.make_model(graph), os.path.join(folder, "smallest.onnx"))
    programs.emit(args.tenure, os.path.join(folder, "smallest.onnx"), os.path.join(folder, "header"))
    return programs.Library(args.folder, os.path.join(folder, "header"), [*([] if plain else programs.SANITIZE), "-O2"])


def chosen(patterns):
    """The models of the patterns, those of MODELS in turn where there are none."""
    found = corpus.models() if patterns else corpus.some_models()
    return [(name, path) for name, path in found if any(fnmatch.fnmatch(name, p) for p in patterns or MODELS)]


OPTIONS = {
    "--models": {"action": "append", "default": []},
    "--mode": {"action": "append", "default": []},
    "--inside": {"action": "store_true"},
    "--plain": {"action": "store_true"},
    "--jobs": {"type": int, "default": os.cpu_count()},
    "--limit": {"type": int, "default": 60},
}


def arguments(*options):
    """The command line of the tests of programs: the command, a folder to work in, and some of OPTIONS."""
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("folder")
    for option in options:
        parser.add_argument(option, **OPTIONS[option])
    return parser.parse_args()


def main():
    args = arguments(*OPTIONS)
    np.seterr(all="ignore")
    library = library_of(args, args.plain)
    libraries = [library, library_of(args, True)] if args.inside and not args.plain else [library]
    table, not_run, wrong = [], [], []
    print(f"{'model':40} {'mode':15} kernels  steps      arena max error")
    asked = INSIDE if args.inside else args.mode
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [pool.submit(try_model, args, name, path, libraries, asked or corpus.some(MODES, number, 2))
                for number, (name, path) in enumerate(chosen(args.models))]
        if not args.models:
            runs.append(pool.submit(try_kernels, args))
        for run in concurrent.futures.as_completed(runs):
            lines, absent, bad = run.result()
            for line in lines + [f"not run: {line}" for line in absent] + [f"WRONG: {line}" for line in bad]:
                print(line, flush=True)
            table, not_run, wrong = table + lines, not_run + absent, wrong + bad
    missed = [] if args.models else try_faults(args, library) + try_streams(args, library)
    for line in missed:
        print(f"WRONG: {line}")
    wrong += missed
    ran = len({line.split()[0] for line in table})
    alone = {line.split()[0] for line in table if line.endswith(ALONE)}
    print(f"{len(table)} programs of {ran - len(alone)} models equal to ONNX Runtime {onnxruntime.__version__}, {len(wrong)} wrong, "
          f"{len(not_run)} models not run")
    if asked:
        whole = collections.Counter(line.split()[0] for line in table)
        print(f"{sum(n == len(asked) for n in whole.values())} models in all of {len(asked)} modes, to the same bits; "
              f"{len(alone)} of the models {ALONE}")
    of_all = LEAST if os.environ.get("TENURE_SOAK") else LEAST_DRAWN
    least = 0 if args.models else of_all if os.environ.get("TENURE_MODELS") else LEAST_SHIPPED
    if ran < least:
        print(f"WRONG: at least {least} models have to run")
    return 1 if wrong or ran < least or not table else 0


if __name__ == "__main__":
    sys.exit(main())
