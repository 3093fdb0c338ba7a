"""Harnesses of emitted programs: kernels that keep what plans rest on pass, those that do not are named.

usage: harness_programs.py TENURE FOLDER [--models PATTERN]... [--mode TEXT]...

Of each model in all MODES the harness is emitted, compiled as C99 under sanitizers with the kernels of
backends/kernels/library, and run: none may be broken; once more, in INSIDE, with the kernels that programs hold, and no others. Then each of FAULTS stands in the place of a right kernel
(broken_kernels.c, tardy_kernels.c; plain ones make no rows elsewhere): the harness has to name a step of that kernel, and none of another.
"""

import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE] + [os.path.join(os.path.dirname(HERE), d) for d in ("execution", "models", "operators")]

from packages import np  # ends with 77 where the packages are missing  # noqa: F401

import corpus
import executed
import model_programs
import programs
from graphs import File

LAST = f"-O3 --layout=nhwc --overlap=elements --io=arena {model_programs.PIXELS}"
MODES = ("-O2", "-O3 --overlap=elements", "-O3 --overlap=elements --io=arena --reuse-inputs", LAST)
MODELS = ("shipped/ds_cnn", "shipped/lstm", "tinyml/mlperf_resnet8", "transformer/deeploy_cct2_opset20", "transformer/deeploy_deepquant")
INSIDE = ("-O2", "-O3 --io=arena --reuse-inputs")
LEAST_CALLS = 5  # of a model, in the mean; where ops are done in one go few steps are left that promise anything
LIMIT = 900

# (what it does, kernel, function, model, mode, what the harness says)
FAULTS = (
    ("accumulates operand by operand", "Add_7", "broken_accumulating", "tinyml/mlperf_resnet8", "-O2",
     "is another one than where all lie apart"),
    ("reads after writing", "Softmax_11", "broken_rereading", "tinyml/mlperf_resnet8", "-O3",
     "is another one than where all lie apart"),
    ("writes beyond its result", "Softmax_11", "broken_overshooting", "tinyml/mlperf_resnet8", "-O3",
     "it writes bytes that are of no result"),
    ("fills its result first", "Conv_11", "tardy_filling", "tinyml/mlperf_resnet8", "-O3 --overlap=elements",
     "is another one than where all lie apart"),
    ("makes its result from the last element on", "Conv_11", "tardy_backwards", "tinyml/mlperf_resnet8",
     "-O3 --overlap=elements", "is another one than where all lie apart"),
    ("makes rows element by element", "Conv_11", "tenure_Conv_11", "tinyml/mlperf_resnet8", "-O3 --overlap=rows-buffered",
     "make row by row, each elsewhere before it is stored"),
    ("makes places element by element", "Conv_11_nhwc", "tenure_Conv_11_nhwc", "tinyml/mlperf_resnet8",
     "-O3 --layout=nhwc --overlap=pixels", "make all channels of a place before they are stored"),
    ("gives something else each time", "Conv_11", "tardy_counting", "tinyml/mlperf_resnet8", "-O3 --overlap=elements",
     "not tried: the kernel gives something else each time"),
)


def harness_of(tenure, path, folder, options, library, more=(), weights="c", kernels="extern"):
    """The executable."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    path = executed.with_data(File(path), path, folder)
    done = subprocess.run([tenure, "plan", path, "-q", *options, f"--emit=c-program,target-size-bits=64,harness=true,weights={weights},kernels={kernels}",
                           "-o", os.path.join(folder, "net.c")], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise programs.Refused(done.stderr.strip())
    program = os.path.join(folder, "harness")
    sources = [os.path.join(folder, name) for name in ("net_harness.c", "net_weights.c")]
    if weights == "asm":
        sources.append(programs.assembled_weights(folder))
    flags = [flag for flag in library.flags if not flag.startswith("-D_POSIX")]
    done = subprocess.run([*programs.cc(), *flags, "-I", folder, *more, *filter(os.path.exists, sources),
                           *filter(None, [library.path]), "-lm", "-o", program], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[:3000])
    return program


def run(program, rounds=2):
    """(exit code, output)"""
    done = subprocess.run([program, str(rounds)], capture_output=True, text=True, check=False, timeout=LIMIT)
    if done.stderr or done.returncode not in (0, 1):
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr[:2000]}")
    return done.returncode, done.stdout


def counts(text):
    """(kept, broken, not tried)"""
    return tuple(map(int, re.findall(r"(\d+) (?:calls keep|break it|not tried)", text.splitlines()[-1])))


def try_model(args, name, path, library, modes, kernels="extern"):
    """Calls that were tried, or None where something is wrong."""
    kept_in_all, well = 0, True
    for mode in modes:
        folder = os.path.join(args.folder, "model")
        try:
            options = [*corpus.bindings().get(corpus.short(name), []), *mode.split()]
            code, text = run(harness_of(args.tenure, path, folder, options, library, kernels=kernels))
        except (programs.Refused, RuntimeError) as error:
            print(f"WRONG: {name} {mode}: {error}")
            return None
        kept, broken, not_tried = counts(text)
        kept_in_all += kept
        print(f"{name:35} {mode:55} {kernels:6} {kept:4} kept {not_tried:3} not tried", flush=True)
        if code != 0 or broken != 0:
            print(f"WRONG: {text}")
            well = False
    return kept_in_all if well else None


def try_fault(args, models, fault, library):
    what, kernel, function, name, mode, says = fault
    if name not in models:
        return True
    config = ["-include", "tenure_kernels.h"]
    for file in ("broken_kernels", "tardy_kernels"):
        config += ["-include", os.path.join(HERE, file + ".h"), os.path.join(HERE, file + ".c")]
    options = [*corpus.bindings().get(corpus.short(name), []), *mode.split()]
    program = harness_of(args.tenure, models[name], os.path.join(args.folder, "fault"), options, library,
                         [*config, f"-DTENURE_KERNEL_{kernel}={function}"], "asm")
    code, text = run(program)
    undecided = says.startswith("not tried")
    word = "not tried" if undecided else "BROKEN"
    named = {line.split()[2] for line in text.splitlines() if line.startswith("step ") and word in line}
    others = {line.split()[2] for line in text.splitlines() if "BROKEN" in line} - {kernel}
    if code != (0 if undecided else 1) or named != {kernel} or others or says not in text:
        print(f"WRONG: a kernel that {what}: exit code {code}: {text}")
        return False
    print(f"named: a kernel that {what}: {next(line for line in text.splitlines() if kernel in line)}")
    return True


def main():
    args = model_programs.arguments("--models", "--mode")
    library = model_programs.library_of(args)
    models = dict(corpus.models())
    chosen = model_programs.chosen(args.models or MODELS)
    tried = [try_model(args, name, path, library, args.mode or corpus.some(MODES, number))
             for number, (name, path) in enumerate(chosen)]
    if not (args.models or args.mode):
        alone = programs.Alone([*programs.SANITIZE, "-O2"])
        tried += [try_model(args, name, path, alone, corpus.some(INSIDE, number), "inside") for number, (name, path) in enumerate(chosen)]
    well = [calls is not None for calls in tried]
    if all(well) and sum(tried) < LEAST_CALLS * len(chosen):
        print(f"WRONG: {sum(tried)} calls tried in all")
        well.append(False)
    well += [try_fault(args, models, fault, library) for fault in FAULTS] if not args.models else []
    print(f"{len(chosen)} models, {well.count(False)} wrong")
    return 0 if chosen and all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
