"""`tenure fit`: what it writes is, byte by byte, what the command line that it prints makes, and the project file that it
saves; RAM is what the plan has with the stack that is said; programs of plans that fit, run with ONNX Runtime beside them.

usage: fitted.py TENURE FOLDER
"""

import json
import os
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS, TOP = os.path.dirname(HERE), os.path.dirname(os.path.dirname(HERE))
SHIPPED = os.path.join(TOP, "examples", "models")
sys.path[:0] = [SHIPPED, os.path.join(TESTS, "operators"), os.path.join(TESTS, "programs")]

from packages import np, onnx  # noqa: F401  ends with 77 where they are missing

try:
    import shipped_programs
except ImportError as gone:
    print(gone)
    sys.exit(77)

import make

TENURE, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
KINDS = {  # of artefacts: the options of both commands, and the file that is named
    "program": (["--emit=c-program,weights=none"], "net.c"),
    "small": (["--emit=c-program,weights=none,kernels=small", "--preset=mcu"], "net.c"),
    "plan": (["--emit=json"], "plan.json"),
    "header": (["--emit=c-header,names=false"], "net.h"),
}
PARTS = (1.0, 0.93, 0.7)  # of the RAM that a plan without measures has
FLAGS = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# A program of 64,000 lines: optimized, and with a check of each pointer beside those of address, it takes a compiler a minute.
LARGE = {"squeezenet1_1": ["-O0", "-fno-sanitize=null,object-size,alignment,pointer-overflow"]}
RUN = {"ds_cnn": "c", "squeezenet1_1": "asm", "lstm": "asm"}  # weights: as C, which takes a compiler long, or as an image


def run(command, folder=None):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def need(condition, message):
    if not condition:
        sys.exit(message)


def files_of(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as f:
            found[name] = f.read()
    return found


def dims_of(name):
    return [f"--dim={d}={n}" for d, n in make.MODELS[name][0].items()]


def fresh(*names):
    folder = os.path.join(FOLDER, *names)
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    return folder


def fit(path, folder, ram, more):
    """The report in JSON, and the exit code; all files lie in the folder, but for the report."""
    report = os.path.join(FOLDER, "fit.json")
    done = run([TENURE, "fit", path, "-q", f"--ram={ram}", "--fit-steps=10000", f"--report={report}", "--save-project=project.json", *more],
               folder)
    need(done.returncode in (0, 4), f"{path} {more}: exit code {done.returncode}: {done.stderr}")
    with open(report, encoding="utf-8") as f:
        return json.load(f), done.returncode


def plan(arguments, folder):
    done = run([TENURE, *arguments], folder)
    need(done.returncode == 0, f"{shlex.join(arguments)}: {done.stderr}")
    return done.stdout


def ram_of(text):
    return json.loads(text)["programs"][0]["variants"][0]["report"]["ram"]


def try_budget(name, path, kind, ram):
    """Whether it fits."""
    options, file = KINDS[kind]
    first, again, third = (fresh(which) for which in ("fitted", "again", "project"))
    found, code = fit(path, first, ram, [*dims_of(name), *options, "-o", file])
    what, rung = f"{name} {kind} --ram={ram}", found["rungs"][found["chosen"]]
    need(found["fits"] == (code == 0) == (rung["ram"] <= ram), f"{what}: exit code {code}, and {rung['ram']} bytes")
    need(code == 0 or os.listdir(first) == [], f"{what}: it does not fit, and something is written")
    plan([*shlex.split(found["command"])[1:], "-q"], again)
    if kind == "plan":
        with open(os.path.join(again, file), encoding="utf-8") as f:
            need(ram_of(f.read()) == rung["pools"], f"{what}: {rung['pools']} bytes are not those of the plan")
    if code == 0:
        os.rename(os.path.join(first, "project.json"), os.path.join(third, "project.json"))
        need(files_of(first) == files_of(again), f"{what}: other bytes by {found['command']}")
        plan(["plan", "-q", "--project=project.json"], third)
        os.remove(os.path.join(third, "project.json"))
        need(files_of(first) == files_of(third), f"{what}: other bytes by the project file")
    return code == 0


def same_files(name, path, kinds):
    base = ram_of(plan(["plan", path, "-q", "--emit=json", *dims_of(name)], FOLDER))
    tried = [try_budget(name, path, kind, int(base * part) + 2000) for kind in kinds for part in PARTS]
    print(f"{name}: {len(tried)} budgets, {sum(tried)} fit", flush=True)
    return sum(tried)


def executed(name):
    """A program that fits in the least that there is gives the numbers of ONNX Runtime. Its images lie as the model has them."""
    asked = [*dims_of(name), f"--emit=c-program,main=true,weights={RUN[name]}", "-o", "net.c", "--allow=order,inplace,align,io,overlap,tile,recompute"]
    make.write_weights(FOLDER, [name])
    path = os.path.join(FOLDER, name + ".onnx")
    wanted = shipped_programs.reference(path, name)
    folder = fresh("run")
    found, code = fit(path, folder, 1, asked)
    least = found["rungs"][found["chosen"]]["ram"]
    folder = fresh("run")
    found, code = fit(path, folder, least, asked)
    need(code == 0, f"{name}: {least} bytes are found once and not again")
    given, outputs = os.path.join(FOLDER, name + ".inputs.bin"), os.path.join(folder, "outputs")
    command = [*os.environ.get("CC", "cc").split(), "-Wall", "-Wextra", "-Werror", *FLAGS, *LARGE.get(name, []), "net.c", "net_main.c",
               "net_weights." + {"c": "c", "asm": "S"}[RUN[name]], "-lm", "-o", "net"]
    done = run(command, folder)
    need(done.returncode == 0, f"{name}: {done.stderr[-2000:]}")
    done = run(["./net", "-i", given, "-o", outputs], folder)
    need(done.returncode == 0, f"{name}: {done.stdout}{done.stderr}")
    with open(outputs, "rb") as f:
        data = f.read()
    away = shipped_programs.compare(data, wanted)
    print(f"{name}: {least} B of RAM by {found['measures']}, away by {away:.1e}", flush=True)


def main():
    os.makedirs(FOLDER, exist_ok=True)
    kinds, fitted = list(KINDS), 0
    for i, name in enumerate(make.MODELS):  # a kind each in turn, or all of them
        drawn = kinds if os.environ.get("TENURE_SOAK") else [kinds[i % len(kinds)]]
        fitted += same_files(name, os.path.join(SHIPPED, name + ".onnx"), drawn)
    need(fitted >= len(make.MODELS), f"only {fitted} budgets are kept")
    for name in RUN:
        executed(name)


if __name__ == "__main__":
    main()
