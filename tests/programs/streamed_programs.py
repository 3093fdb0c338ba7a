"""Emitted programs with two places for inputs and outputs, run as a stream (streamed_net.c): the outputs of each run have
the bits that a program without them gives. A program that does not swap has to be noticed."""

import json
import os
import shutil

import numpy as np

import from_plan
import programs

RUNS = 5
MODES = ("-O2 --double-buffer=all",
         "-O3 --double-buffer=all --io=arena --pool=fast:16K --pool=slow:cost=4:align=128",
         "-O2 --double-buffer=inputs --io=arena --reuse-inputs",
         "-O2 --double-buffer=outputs --memory=slots --io=arena")


def made(value, rng):
    dtype, dims = np.dtype(from_plan.dtype_of(value)), value["dims"]
    return (rng.uniform(-1, 1, dims) if dtype.kind == "f" else rng.integers(0, 100, dims)).astype(dtype)


def built(tenure, path, folder, options, library, *driver):
    """(executable, variant)"""
    shutil.rmtree(folder, ignore_errors=True)
    programs.emit(tenure, path, folder, [*options, "--emit=json", "-o", os.path.join(folder, "plan.json")])
    with open(os.path.join(folder, "plan.json"), encoding="utf-8") as f:
        variant = json.load(f)["programs"][0]["variants"][0]
    return programs.build(folder, library, *driver), variant


def check(tenure, path, folder, library, options, mode, swaps=True):
    """What is wrong, or None."""
    plain, variant = built(tenure, path, os.path.join(folder, "plain"), options, library)
    ins, outs = ([variant["values"][v] for v in variant[what]] for what in ("inputs", "outputs"))
    kinds = [(from_plan.dtype_of(v), v["dims"]) for v in outs]
    rng = np.random.default_rng(3)
    given = [[made(v, rng) for v in ins] for _ in range(RUNS)]
    wanted = [x.tobytes() for one in given for x in programs.run(plain, one, kinds)]
    streamed, _ = built(tenure, path, os.path.join(folder, "streamed"), [*options, *mode.split()], library, "streamed_net")
    if not swaps:
        with open(os.path.join(folder, "streamed", "net.c"), "r+", encoding="utf-8") as f:
            text = f.read().replace("m->turn = !m->turn;", "(void)m;")
            f.seek(0)
            f.write(text)
            f.truncate()
        streamed = programs.build(os.path.join(folder, "streamed"), library, "streamed_net")
    try:
        got = programs.run(streamed, [x for one in given for x in one], kinds * RUNS, RUNS)
    except RuntimeError as error:
        return str(error)
    different = [i // len(outs) for i, x in enumerate(got) if x.tobytes() != wanted[i]]
    return f"the outputs of runs {different} are others than without two places" if different else None
