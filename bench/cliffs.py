#!/usr/bin/env python3
"""Measures what once took far longer than its like, and what min-peak takes beside -O2; makes bench/CLIFFS.md.

    bench/cliffs.py TENURE    plans the models of TENURE_MODELS, and one instance made here

Seconds are processor time of the whole process, the least of RUNS runs; MiB are its largest memory.
"""

import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "tests", "models"))
import corpus  # noqa: E402

PAGE = os.path.join(TOP, "bench", "CLIFFS.md")
RUNS = 2
LONG_S = 1          # what takes longer is run once
LIMIT_S = 120
O2 = ["-O2"]
MIN_PEAK = ["-O2", "--schedule=min-peak"]
SLOTS = [*MIN_PEAK, "--memory=slots"]
ONE_ARENA = ["--io=arena", "--reuse-inputs"]
SMALL = 17, 36      # steps of small models that once took 120 to 180 ms
FEW = 60            # values of graphs that slots are shared in exactly
HEAD = """# Cliffs

What once took far longer than its like, and min-peak beside `-O2`, made by `bench/cliffs.py`. Seconds are processor time of a
whole process, the least of {runs} runs (of one where it takes over {long} s); MiB are its largest memory.

| what | before | now | |
|---|---|---|---|
"""




def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))


def run(command):
    """GNU time says how much memory the command had: the system counts for a child what its parent, this one, had."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as said:
        child = subprocess.Popen(["/usr/bin/time", "-f", "%M", "-o", said.name, *command], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return child.returncode, usage.ru_utime + usage.ru_stime, int(said.read().split()[-1]) / 1024


def measure(command):
    """(seconds, MiB), or None where it fails."""
    best = None
    for _ in range(RUNS):
        code, seconds, mib = run(command)
        if code != 0:
            return None
        best = (seconds, mib) if best is None else min(best, (seconds, mib))
        if seconds > LONG_S:
            break
    return best


def instance(path):
    """61 small buffers, most of them with a gap in which their bytes are free."""
    draw = random.Random(61)
    with open(path, "w", encoding="utf-8") as f:
        f.write("id,lower,upper,size,gaps\n")
        for i in range(61):
            lower, length = draw.randrange(0, 40), draw.randrange(4, 20)
            a, b = sorted(draw.sample(range(lower + 1, lower + length), 2))
            f.write(f"{i},{lower},{lower + length},{draw.randrange(1, 30)},{f'{a}-{b}' if draw.random() < 0.7 else ''}\n")


def all_models(tenure):
    """Every model planned whole: name, the command that plans it, numbers of steps and values."""
    options = corpus.bindings()
    for name, path in corpus.models():
        ask = options.get(corpus.short(name), [])
        _, plan = (None, None) if name.startswith("malformed/") else corpus.plan(tenure, path, [*O2, *ask])
        if plan is not None and plan["report"]["open"] + plan["report"]["data"] == 0:
            yield name, [tenure, "plan", path, "--quiet", *ask], len(plan["steps"]), len(plan["values"])


def cell(figures):
    return "fails" if figures is None else f"{figures[0]:.2f} s, {figures[1]:.0f} MiB"


def row(what, before, now, where=""):
    return f"| {what} | {before} | {now} | {where} |\n"


def worst(figures, by):
    """The name with the most, and its figure."""
    return max(((by(f), name) for name, f in figures.items()), default=(0, ""))


def main():
    tenure, text = os.path.abspath(sys.argv[1]), HEAD.format(runs=RUNS, long=LONG_S)
    models = list(all_models(tenure))
    commands = {name: command for name, command, _, _ in models}
    both = {n: (measure([*c, *O2]), measure([*c, *MIN_PEAK])) for n, c in commands.items()}
    both = {n: f for n, f in both.items() if None not in f}
    for name, options, before in (("train/resnet18_full_training", [*MIN_PEAK, *ONE_ARENA], "50.7 s"),
                                  ("train/resnet18_full_training", ["-O3", *ONE_ARENA], ""),
                                  ("big/onnxflow_avgpool_kws_loops_3414", MIN_PEAK, "8.3 s, 262 MB"),
                                  ("big/onnxflow_avgpool_kws_loops_3414", ["-O3"], "")):
        if name in commands:
            text += row(f"`{name} {' '.join(options)}`", before, cell(measure([*commands[name], *options])))
    small = {n: both[n][1] for n, _, steps, _ in models if SMALL[0] <= steps <= SMALL[1] and n in both}
    most, name = worst(small, lambda f: f[0])
    text += row(f"the slowest of {len(small)} models of {SMALL[0]} to {SMALL[1]} steps, `{' '.join(MIN_PEAK)}`",
                "0.12 to 0.18 s", f"{most:.3f} s", f"`{name}`")
    slots = {n: measure([*c, *SLOTS]) for n, c, _, values in models if values <= FEW}
    slots = {n: f for n, f in slots.items() if f is not None}
    most, name = worst(slots, lambda f: f[0])
    text += row(f"the slowest of {len(slots)} models of up to {FEW} values, `{' '.join(SLOTS)}`", "minutes with `--algo=dp`, since gone",
                f"{most:.2f} s", f"`{name}`")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "gaps.csv")
        instance(path)
        text += row("61 small buffers with gaps, `tenure pack`", "14 s",
                    cell(measure([tenure, "pack", path, "-q", "-o", os.devnull])))
    times = {n: b[0] / a[0] for n, (a, b) in both.items()}
    slowest, slow_name = worst({n: b for n, (_, b) in both.items()}, lambda f: f[0])
    memory, memory_name = worst({n: b[1] / a[1] for n, (a, b) in both.items()}, lambda q: q)
    text += f"""
Min-peak (`{' '.join(MIN_PEAK)}`) beside `-O2` over {len(both)} models that are planned whole: in the median {statistics.median(times.values()):.2f}
times the processor time, with the start of the process in both; {sum(q > 3 for q in times.values())} models take over three times. The slowest takes
{slowest:.2f} s (`{slow_name}`), {sum(b[0] > 0.5 for _, b in both.values())} over 0.5 s. The most memory, by that of `-O2`, is {memory:.2f} times
(`{memory_name}`).
"""
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(text)


if __name__ == "__main__":
    main()
