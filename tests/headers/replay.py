"""Executes generated headers: a C program includes one, lays out its pools, and replays the plan with
marked bytes (replay/replay.h). What an op reads, writes and may share comes from the model and the op table.

usage: replay.py TENURE [--models PATTERN]... [--modes REGEX] [--random N] [--most-bytes N]
                 [--limit SECONDS] [--verbose]

Without options: the shipped models in some of MODES each, random models with nested graphs (with TENURE_SOAK set both
in all), and headers spoiled on purpose, which must be found out. --random N: so many random models.
--models: only these of tests/models/corpus.py ('*': all; TENURE_MODELS names a folder with more).
"""

import argparse
import fnmatch
import io
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE] + [os.path.join(os.path.dirname(HERE), d) for d in ("execution", "operators", "models")]
TOP = os.path.dirname(os.path.dirname(HERE))

import corpus
import facts  # ends with 77 where the packages are missing
import planfile
import random_models
import spoil_header
from graphs import Unsupported
from modes import MODES
from packages import onnx
from rows import read_table

ENGINE = ("stamp.c", "memory.c", "lists.c", "replay.c")
SPOILED = ("ds_cnn", "lstm", "train_cnn", "unet_small")
INSIDE_MODE = ("-O3", "--layout=nhwc", "--overlap=elements", "--align=1")
SPOILED_MODES = (("-O1",), ("-O3",), INSIDE_MODE, ("-O3", "--recompute=100%"))
FEW = 5  # modes of a model
FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror"]


class NotRun(Exception):
    """Why there is no replay."""


class Harness:
    """Compiles and runs programs in a folder of its own."""

    def __init__(self, tenure, work, most_bytes, limit):
        self.tenure, self.work, self.most_bytes, self.limit = tenure, work, most_bytes, limit
        self.table = read_table(tenure)
        self.cc = os.environ.get("CC", "cc")
        self.objects = [os.path.join(work, name[:-2] + ".o") for name in ENGINE]
        for name, target in zip(ENGINE, self.objects):
            source = os.path.join(HERE, "replay", name)
            subprocess.run([self.cc, "-O2", *FLAGS, "-I", TOP, "-c", source, "-o", target], check=True)

    def plan(self, path, options):
        """(plan, header) of one run of the command."""
        header, plan = (os.path.join(self.work, name) for name in ("plan.h", "plan.json"))
        arguments = ["plan", path, "--quiet", *options, "--emit=c-header,prefix=plan", "-o", header]
        done = corpus.run(self.tenure, [*arguments, "--emit=json", "-o", plan], self.limit)
        if done is None or done.returncode != 0:
            said = done.stderr.decode(errors="replace").strip().splitlines() if done else ["it takes long"]
            raise NotRun(f"no plan: {said[-1] if said else done.returncode}")
        plan = planfile.read(plan)
        size = sum(pool["size"] for pool in plan["pools"])
        if size > self.most_bytes:
            raise NotRun(f"{size} bytes, more than the {self.most_bytes} taken here")
        with open(header, encoding="utf-8") as f:
            return plan, f.read()

    def facts(self, path, plan, header):
        """The text of facts.h."""
        names = re.findall(r"^#define PLAN_(\w+)_POOL \d+$", header, re.M)[len(plan["pools"]) :]
        out = io.StringIO()
        facts.Facts(path, plan, self.table).write(out, names)
        return out.getvalue()

    def run(self, header, facts_h):
        """The finished process of a program for that header."""
        for name, text in (("plan.h", header), ("facts.h", facts_h)):
            with open(os.path.join(self.work, name), "w", encoding="utf-8") as f:
                f.write(text)
        program = os.path.join(self.work, "program")
        source = os.path.join(HERE, "replay", "program.c")
        include = ["-I", self.work, "-I", TOP]
        compiled = subprocess.run(
            [self.cc, "-O0", "-std=c11", "-w", *include, source, *self.objects, "-o", program],
            capture_output=True,
            text=True,
            check=False,
        )
        if compiled.returncode != 0:
            raise RuntimeError(f"the program does not compile: {compiled.stderr[:2000]}")
        try:
            return subprocess.run(
                [program], capture_output=True, text=True, errors="replace", check=False, timeout=self.limit
            )
        except subprocess.TimeoutExpired as error:
            raise NotRun(f"longer than {self.limit} s") from error


class Tally:
    def __init__(self):
        self.models, self.headers = set(), 0
        self.figures = [0] * 7
        self.wrong, self.not_run, self.planted = [], [], {}

    def add(self, name, line):
        self.models.add(name)
        self.headers += 1
        self.figures = [a + int(b) for a, b in zip(self.figures, line.split())]


def try_model(harness, name, path, options, modes, tally):
    for mode in modes:
        try:
            plan, header = harness.plan(path, [*options, *mode])
            done = harness.run(header, harness.facts(path, plan, header))
        except (NotRun, Unsupported) as error:
            tally.not_run.append((name, str(error)))
            break
        if done.returncode != 0:
            tally.wrong.append(f"{name} {' '.join(mode)}: {done.stderr.strip()} ({done.returncode})")
        else:
            tally.add(name, done.stdout)


def try_random(harness, count, tally):
    path = os.path.join(harness.work, "random.onnx")
    for seed in range(count):
        onnx.save(random_models.Maker(seed).model(), path)
        try_model(harness, f"random model {seed}", path, [], corpus.some(random_models.MODES, seed), tally)


def try_models(harness, patterns, modes, few, tally, verbose):
    bindings = corpus.bindings()
    wanted = [(n, path) for n, path in corpus.models() if any(fnmatch.fnmatch(n, p) for p in patterns)]
    for at, (name, path) in enumerate(wanted):
        start = time.monotonic()
        try_model(harness, name, path, bindings.get(corpus.short(name), []), corpus.some(modes, at, few), tally)
        if verbose:
            print(f"{name}: {time.monotonic() - start:.1f} s", flush=True)


def try_spoiled(harness, tally):
    """Faults planted in headers: the replay must find every one."""
    for name in SPOILED:
        path = os.path.join(corpus.SHIPPED, name + ".onnx")
        for mode in SPOILED_MODES:
            plan, header = harness.plan(path, mode)
            facts_h = harness.facts(path, plan, header)
            for spoiler, words in spoil_header.SPOILERS.items():
                for number, wrong in enumerate(spoiler(header)):
                    tally.planted[spoiler.__name__] = tally.planted.get(spoiler.__name__, 0) + 1
                    done = harness.run(wrong, facts_h)
                    if done.returncode != 1 or not any(text in done.stderr for text in words):
                        tally.wrong.append(
                            f"{name} {' '.join(mode)}: {spoiler.__name__} {number} was not noticed, but "
                            f"{done.stderr.strip() or done.returncode}"
                        )
    tally.wrong += [
        f"no header was spoiled by {s.__name__}"
        for s in spoil_header.SPOILERS
        if not tally.planted.get(s.__name__)
    ]


def report(tally):
    for name, why in tally.not_run:
        print(f"not replayed: {name}: {why}")
    for line in tally.wrong:
        print(f"WRONG: {line}")
    written, checked, poisoned, views, over, begun, orders = tally.figures
    print(
        f"{tally.headers} headers of {len(tally.models)} models replayed in {orders} orders of their steps, "
        f"{len(tally.wrong)} wrong, {len(tally.not_run)} models not replayed; {written} bytes marked, "
        f"{checked} checked, {poisoned} spoiled when freed; {views} views, {over} results in place and {begun} "
        f"begun inside operands met"
    )
    if tally.planted:
        print("planted and found: " + ", ".join(f"{n} {what}" for what, n in tally.planted.items()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("--models", action="append", default=[])
    parser.add_argument("--modes", default=".*")
    parser.add_argument("--random", type=int, default=15)
    parser.add_argument("--most-bytes", type=int, default=1 << 31)
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    tally = Tally()
    modes = [m for m in MODES if re.fullmatch(args.modes, " ".join(m))]
    with tempfile.TemporaryDirectory() as work:
        harness = Harness(args.tenure, work, args.most_bytes, args.limit)
        few = len(modes) if args.models else min(FEW, len(modes))
        try_models(harness, args.models or ["shipped/*"], modes, few, tally, args.verbose)
        if not args.models:
            try_random(harness, args.random, tally)
            try_spoiled(harness, tally)
    report(tally)
    return 1 if tally.wrong or tally.headers == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
