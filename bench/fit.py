#!/usr/bin/env python3
"""What fits a budget by `plan -O3`, by `plan --preset=mcu`, by `fit`; writes bench/FIT.md and fit.csv.

    TENURE_MODELS=FOLDER bench/fit.py TENURE

C programs with tenure's kernels: RAM with the stack as `fit` estimates it. Where arm-none-eabi-gcc is there, estimates of stack and code
stand beside what it makes (-O2, -fstack-usage; code without the C library's).
"""

import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOP, "tests", "models")]
import corpus  # noqa: E402

PAGE, TABLE = (os.path.join(TOP, "bench", name) for name in ("FIT.md", "fit.csv"))
SETS, MOST, BUDGETS = ("tinyml", "cnn", "rnn"), 30, (256, 128, 64, 32)
ARM = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-O2", "-ffunction-sections", "-fno-strict-aliasing", "-w",
       "-fstack-usage"]
PROGRAM = ["--emit=c-program,weights=none", "-o", "net.c"]
HEAD = """# What fits

Made by `bench/fit.py`; do not edit. The {n} static models of tinyml, cnn and rnn that need the least RAM by `-O3`, as C programs with tenure's kernels. RAM in bytes: arena, inputs, outputs,
state, and the stack as `fit` estimates it. `fit` is the least that `tenure fit --ram=1 --emit=c-program` finds, `own kernels` the same without `--emit`, for kernels that can do whatever a measure asks (stack not
counted). Time: processor seconds of `fit` where no budget is kept, so that everything is tried. The last columns say what fits so much RAM: the first of `-O3`, `mcu`, `fit`.

| model | -O3 | mcu | fit | by | operations | own kernels | by | s | {budgets} |
|---|---|---|---|---|---|---|---|---|{bars}
"""
SIZES = """
## Stack and code

Estimates beside arm-none-eabi-gcc {gcc} for a Cortex-M4, `-O2`. Stack: the largest frames of a step, a kernel and a helper, and that of the program, together: no call needs more. Code: text and
constant tables of `net.c`, without weights and without the C library. Estimate of the stack: at least the compiler's for {enough} of {n}; of the code: {within} of {n} within a third, {mean:.2f} of the
compiler's in the geometric mean.

| model | stack | estimate | code | estimate |
|---|---|---|---|---|
"""


def run(command, folder):
    before = os.times()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    after = os.times()
    return done, after.children_user + after.children_system - before.children_user - before.children_system


def planned(tenure, path, options, folder):
    """RAM, or None."""
    done, _ = run([tenure, "plan", path, "-q", *options, *PROGRAM, "--emit=json", "-o", "plan.json"], folder)
    if done.returncode != 0:
        return None
    with open(os.path.join(folder, "plan.json"), encoding="utf-8") as f:
        return json.load(f)["programs"][0]["variants"][0]["report"]["ram"]


def fitted(tenure, path, options, folder):
    """(the report, seconds)."""
    done, took = run([tenure, "fit", path, "-q", *options, "--report=fit.json"], folder)
    if done.returncode not in (0, 4):
        return None, took
    with open(os.path.join(folder, "fit.json"), encoding="utf-8") as f:
        return json.load(f), took


def frames(folder):
    """Of the program, a step, a kernel and a helper, the largest each."""
    most = {"run": 0, "step": 0, "kernel": 0, "other": 0}
    with open(os.path.join(folder, "net.su"), encoding="utf-8") as f:
        for line in f:
            place, size, _ = line.rsplit("\t", 2)
            name = place.rsplit(":", 1)[1]
            kind = "run" if name == "net_run" else "step" if "_step_" in name else "kernel" if "_kernel_" in name or re.match(r"net_[A-Z]", name) else "other"
            most[kind] = max(most[kind], int(size))
    return sum(most.values())


def compiled(tenure, path, options, folder):
    """(stack, estimate, code, estimate), or None."""
    found, _ = fitted(tenure, path, ["--flash=1G", *options, *PROGRAM], folder)
    if found is None or shutil.which("arm-none-eabi-gcc") is None:
        return None
    done, _ = run(["arm-none-eabi-gcc", *ARM, "-c", "net.c", "-o", "net.o"], folder)
    if done.returncode != 0:
        return None
    sizes = run(["arm-none-eabi-size", "-A", "net.o"], folder)[0].stdout
    code = sum(int(line.split()[1]) for line in sizes.splitlines() if re.match(r"\.(text|rodata|data)", line))
    rung = found["rungs"][0]
    return frames(folder), rung["stack"], code, rung["code"]


def short(measures):
    return measures.replace("--", "").replace("reuse-inputs io=arena", "io") or "-"


def measure(tenure, name, path, folder):
    options = corpus.bindings().get(corpus.short(name), [])
    by = [planned(tenure, path, [*options, *more], folder) for more in (["-O3"], ["--preset=mcu"])]
    if None in by:
        return None
    least, took = fitted(tenure, path, ["--ram=1", *options, *PROGRAM], folder)
    own, _ = fitted(tenure, path, ["--ram=1", *options], folder)
    if least is None or own is None:
        return None
    first, rung, other = least["rungs"][0], least["rungs"][least["chosen"]], own["rungs"][own["chosen"]]
    added = rung["operations"] / rung["model_operations"] if rung["model_operations"] else 0
    return {"model": corpus.short(name), "o3": by[0] + first["stack"], "mcu": by[1] + first["stack"], "fit": rung["ram"],
            "by": least["measures"], "operations": round(added, 4), "own": other["ram"], "own_by": own["measures"], "seconds": round(took, 2)}


def fits(row, kib):
    return next((word for word, key in (("-O3", "o3"), ("mcu", "mcu"), ("fit", "fit")) if row[key] <= kib * 1024), "")


def main():
    tenure = os.path.abspath(sys.argv[1])
    rows, sizes = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, path in corpus.models():
            if name.split("/")[0] in SETS:
                row = measure(tenure, name, os.path.abspath(path), folder)
                if row is not None:
                    rows.append((row, name, os.path.abspath(path)))
                    print(row, flush=True)
        rows = sorted(rows, key=lambda r: r[0]["o3"])
        slowest = max(rows, key=lambda r: r[0]["seconds"])[0]
        rows = [r for r in rows if r[0]["o3"] > BUDGETS[-1] * 1024][:MOST]
        for row, name, path in rows:
            found = compiled(tenure, path, corpus.bindings().get(corpus.short(name), []), folder)
            if found is not None:
                sizes.append((row["model"], *found))
    rows = [row for row, _, _ in rows]
    with open(TABLE, "w", encoding="utf-8", newline="") as f:
        writer = csv.DictWriter(f, [*rows[0], *(f"{b}K" for b in BUDGETS)], lineterminator="\n")
        writer.writeheader()
        writer.writerows({**row, **{f"{b}K": fits(row, b) for b in BUDGETS}} for row in rows)
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(HEAD.format(n=len(rows), budgets=" | ".join(f"{b} KiB" for b in BUDGETS), bars="---|" * len(BUDGETS)))
        for row in rows:
            cells = [row["model"], *(f"{row[k]:,}" for k in ("o3", "mcu", "fit")), short(row["by"]), f"+{row['operations'] * 100:.1f} %" if row["operations"] else "=",
                     f"{row['own']:,}", short(row["own_by"]), f"{row['seconds']:.1f}", *(fits(row, b) for b in BUDGETS)]
            f.write("| " + " | ".join(cells) + " |\n")
        for word, keys in (("-O3", ("o3",)), ("mcu", ("o3", "mcu")), ("fit", ("o3", "mcu", "fit"))):
            counts = [sum(min(row[k] for k in keys) <= b * 1024 for row in rows) for b in BUDGETS]
            f.write(f"| **fit by {word}** | | | | | | | | | " + " | ".join(map(str, counts)) + " |\n")
        f.write(f"\nOf all static models of these sets `fit` takes longest for {slowest['model']}: {slowest['seconds']:.1f} s.\n")
        if sizes:
            gcc = run(["arm-none-eabi-gcc", "-dumpversion"], None)[0].stdout.strip()
            ratios = [s[4] / s[3] for s in sizes]
            f.write(SIZES.format(gcc=gcc, n=len(sizes), enough=sum(s[2] >= s[1] for s in sizes), within=sum(2 / 3 <= r <= 4 / 3 for r in ratios),
                                 mean=math.exp(sum(map(math.log, ratios)) / len(ratios))))
            f.writelines("| " + " | ".join([s[0], *(f"{x:,}" for x in s[1:])]) + " |\n" for s in sizes)
    print(f"{len(rows)} models")


if __name__ == "__main__":
    main()
