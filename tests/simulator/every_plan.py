#!/usr/bin/env python3
"""Every plan that the tests make by the command, judged by the simulator.

Usage: every_plan.py BUILD_DIR [--keep FOLDER] [--one-in N] [CTEST OPTION]...
       every_plan.py --judge FOLDER [--one-in N]     what another run kept there

While this runs, BUILD_DIR/cli/tenure is a script that writes down each `plan` and `fit` (the model, and the plan as JSON of
the same options) before it does what was asked. ctest runs the tests with it, then each plan written down is judged once.
Tests may fail because the command takes longer: their names are printed, and do not decide. The command is as it was when
this ends.

Exit code 0: no plan is found wrong, and there were some. 1: some are wrong.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MOST_MARKS = 8_000_000  # of memory in a plan that is judged: some seconds each
LONGEST = 300  # seconds that a plan may take to be made once more
FORMS = (".onnx", ".tir", ".tflite")
TAKES_FILE = ("-o", "--output", "--op-facts", "--based-on", "--config", "--emit")

SCRIPT = """#!/bin/sh
case "$1" in
plan | fit) {python} -B {itself} --write-down {real} {store} "$@" </dev/null ;;
esac
exec {real} "$@"
"""


def models_of(arguments):
    """The files of an argument list that are models."""
    named = [(k, a.split("=", 1)[-1]) for k, a in enumerate(arguments) if not a.startswith("-")]
    return [a for k, a in named if a.endswith(FORMS) and os.path.isfile(a) and (k == 0 or arguments[k - 1] not in TAKES_FILE)]


def without_artefacts(arguments):
    """The arguments without what says which artefacts go where, and what to show."""
    kept, skip = [], False
    for a in arguments:
        if skip:
            skip = False
        elif a in ("-o", "--output", "--emit", "--emit-opt"):
            skip = True
        elif not re.match(r"(-o.|--output=|--emit|--report|--save|--diagnostics|--remarks|--print|--trace|--stats|--time)", a) and a not in ("-q", "-v"):
            kept.append(a)
    return kept


def write_down(real, store, arguments):
    """Puts the plan of a command line into the store, or why it is not there. The test that runs sees nothing of it."""
    try:
        reason = put(real, store, arguments)
    except (OSError, subprocess.SubprocessError) as error:
        reason = f"not written down, {type(error).__name__}"
    if reason:
        (store / "left-out" / f"{reason}.{os.getpid()}").write_text(" ".join(arguments), errors="surrogateescape")


def put(real, store, arguments):
    """The same; why it was left out, or None."""
    models, wanted = models_of(arguments[1:]), without_artefacts(arguments)
    if not models:
        return "no model"
    read = [pathlib.Path(a).read_bytes() for a in re.split(r"[=\0]", "\0".join(wanted)) if os.path.isfile(a)]
    key = hashlib.sha256(b"\0".join([*read, *(a.encode("utf-8", "surrogateescape") for a in wanted)])).hexdigest()[:24]
    folder = store / "plans" / key
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        return None
    (folder / "arguments").write_text(" ".join(wanted), errors="surrogateescape")
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": LONGEST}
    for k, model in enumerate(models):
        if model.endswith(".onnx"):
            shutil.copyfile(model, model_file(folder, k))
        else:
            as_onnx(real, model, model_file(folder, k), quiet)
            wanted = [a.replace(model, str(model_file(folder, k))) if a.split("=", 1)[-1] == model and not a.startswith("-") else a
                      for a in wanted]
    if (folder / "model.onnx").is_file():
        parts = ["--emit=onnx", "-o", folder / "parts.onnx"] if any("tile" in a for a in wanted) or wanted[0] == "fit" else []
        subprocess.run([real, *wanted, "-q", "--emit=json", "-o", folder / "plan.json", *parts], check=False, **quiet)
    return None


def model_file(folder, program):
    return folder / f"model{program or ''}.onnx"


def as_onnx(real, text, file, quiet):
    """Writes another form of a model as ONNX; weights that a text gives no elements are those of a file that there is not."""
    if text.endswith(".tir"):
        weights = re.sub(rb"(\d+) bytes\)", rb'\1 bytes, external "weights" 0 \1)', pathlib.Path(text).read_bytes())
        text = file.with_suffix(".tir")
        text.write_bytes(weights)
    subprocess.run([real, "opt", text, "--passes=", "-o", file], check=False, **quiet)


def renumbered(variant, model):
    """Steps that are parts belong to no node of the model: to those of the model as it is written with its parts."""
    at = {o: k for k, n in enumerate(model.main.nodes) for o in n.output}
    for step in variant["steps"]:
        for r in step["results"]:
            if step["graph"] == "" and r is not None and len(step["nodes"]) == 1:
                step["nodes"][0]["index"] = at.get(variant["values"][r]["name"], -1)


def arguments_of(folder):
    return (folder / "arguments").read_text(errors="backslashreplace")


def judged(folder):
    """(plans, steps, what was not judged, what is wrong) of one folder of the store."""
    from model_graph import Model
    from plan import Plan, sets
    from simulate import judge
    from words import NotJudged

    plans, steps, left_out, wrongs = 0, 0, [], []
    if not (folder / "model.onnx").is_file():
        return 0, 0, ["text that does not become ONNX"], []
    if not (folder / "plan.json").is_file():
        return 0, 0, ["refused"], []
    if any(Model(f).proto.training_info for f in folder.glob("model*.onnx")):
        return 0, 0, ["the graph is one that training information adds to"], []
    if ".tflite" in arguments_of(folder):
        return 0, 0, ["ops of TFLite"], []
    if "autodiff" in arguments_of(folder):
        return 0, 0, ["the graph is one that autodiff makes"], []
    document = json.loads((folder / "plan.json").read_text())
    models = [None] * len(document["programs"])
    if len(models) != len(list(folder.glob("model*.onnx"))):
        return 0, 0, ["a model whose name does not end as those of models do"], []
    for program, variant in sets(document):
        at = document["programs"].index(program)
        try:
            in_parts = any(n["index"] < 0 for s in variant["steps"] for n in s["nodes"])
            if in_parts and models[at] is None:
                models[at] = Model(folder / "parts.onnx")
                renumbered(variant, models[at])
            if any(n["version"] == 0 and n["domain"] == "" for s in variant["steps"] for n in s["nodes"]):
                raise NotJudged("nobody knows of which version its ops are")
            plan = Plan(document, variant)
            if plan.marks() > MOST_MARKS:
                raise NotJudged("more bytes than the run has time for")
            models[at] = models[at] or Model(model_file(folder, at))
            wrong, _ = judge(models[at], plan)
        except NotJudged as why:
            left_out.append(str(why))
            continue
        plans, steps = plans + 1, steps + plan.n
        if wrong:
            wrongs.append(wrong)
    return plans, steps, left_out, wrongs


def judge_one(folder):
    try:
        return folder, judged(folder)
    except Exception as error:  # noqa: BLE001  what the simulator trips over is a finding, too
        return folder, (0, 0, [], [f"the simulator ended by {error!r}"])


def main():
    if sys.argv[1:2] == ["--write-down"]:
        if "--help" not in sys.argv:
            write_down(sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:])
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for what was written down, instead of one that goes")
    parser.add_argument("--judge", type=pathlib.Path)
    parser.add_argument("--one-in", type=int, default=1, help="judge one in so many of the plans")
    args, options = parser.parse_known_args()
    if args.judge:
        return report(args.judge.resolve(), args.one_in)
    command = (args.build / "cli" / "tenure").resolve()
    with tempfile.TemporaryDirectory() as made:
        store = (args.keep or pathlib.Path(made)).resolve()
        (store / "plans").mkdir(parents=True, exist_ok=True)
        (store / "left-out").mkdir(exist_ok=True)
        real = command.with_name("tenure-itself")
        os.rename(command, real)
        try:
            command.write_text(SCRIPT.format(python=sys.executable, itself=shlex.quote(__file__), real=shlex.quote(str(real)),
                                             store=shlex.quote(str(store))))
            command.chmod(0o755)
            said = subprocess.run(["ctest", "-j", str(os.cpu_count()), *options], cwd=args.build, capture_output=True, text=True).stdout
        finally:
            os.rename(real, command)
        failed = re.findall(r"^\s+\d+ - (\S+) \(", said, flags=re.M)
        ran = re.search(r"tests failed out of (\d+)", said)
        print(f"{ran.group(1) if ran else 0} tests ran; of these, for the time it takes or what the command's name is now, failed: "
              f"{', '.join(failed) or 'none'}")
        return report(store, args.one_in)


def report(store, one_in):
    sys.path[:0] = [str(HERE), *(str(HERE.parent / d) for d in ("execution", "models", "operators"))]
    found = sorted((store / "plans").iterdir())
    folders = found[::one_in]
    plans, steps, wrong, left_out = 0, 0, 0, collections.Counter(p.name.split(".")[0] for p in (store / "left-out").iterdir())
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for folder, (made, run, not_judged, wrongs) in pool.map(judge_one, folders, chunksize=8):
            plans, steps = plans + made, steps + run
            left_out.update(not_judged)
            for why in wrongs:
                wrong += 1
                print(f"{arguments_of(folder)}: {why}", flush=True)
    print(f"{len(folders)} of {len(found)} command lines, {plans} plans judged, {steps} steps: {wrong} wrong")
    for why, n in left_out.most_common():
        print(f"  not judged, {why}: {n}")
    return 1 if wrong or not plans else 0


if __name__ == "__main__":
    sys.exit(main())
