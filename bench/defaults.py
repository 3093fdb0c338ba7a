#!/usr/bin/env python3
"""What each change of a default is worth: arenas of every model before and after it, in bench/defaults.csv.

    bench/defaults.py TENURE STEP           plans every model with every setting and writes the rows of STEP
    bench/defaults.py --table               geometric means of arenas beside the step before, in bench/DEFAULTS.md

STEP is one of STEPS. Rows of other steps stay as they are, so each was measured with the tenure of its time.
--table fails when an arena is larger than in the step before.
"""

import csv
import math
import os
import sys

import figures

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "tests", "models"))
import corpus  # noqa: E402

PAGE = os.path.join(TOP, "bench", "DEFAULTS.md")
RESULTS = os.path.join(TOP, "bench", "defaults.csv")
COLUMNS = ["model", "setting", "step", "arena"]
STEPS = {
    "before": "",
    "io": "outputs in the arena live from their first write",
    "initializers": "initializers that are inputs are constants",
    "gradients": "gradients of parameters that an op reads take part in reuse",
    "width": "results of another element width over their operands (`--inplace=ordered`, no default)",
    "order": "`-O3` reorders (its settings were in the file's order before); more trust costs no bytes",
    "rooms": "`-O3` puts values into the room of parts (`fill-parts`), and all since the step before",
    "loops": "states that a loop hands on as they are lie where its operand does",
}
# What a step asks for that is no default, so it stays behind all others, and only of settings that trust kernels with all else.
ASKED = {"width": ["--inplace=ordered"]}
HEAD = """# Defaults

What each change of a default made of the arenas of all models that are planned whole: geometric means of the arena
divided by that of the step before, by class, and how many models need less and more. Made by `bench/defaults.py`,
from [defaults.csv](defaults.csv). "One arena" is `--io=arena --reuse-inputs`. One arena is larger: `cnn/basic_pitch_nmp`, `-O3`
with min-peak, where an output no longer draws a larger tensor out to the caller; its RAM goes from 5,817,152 to 3,929,152 bytes.
"""
ONE_ARENA = ["--io=arena", "--reuse-inputs"]
SETTINGS = {
    "-O2": ["-O2"],
    "-O3": ["-O3"],
    "-O2 min-peak": ["-O2", "--schedule=min-peak"],
    "-O3 min-peak": ["-O3", "--schedule=min-peak"],
    "-O2 one arena": ["-O2", *ONE_ARENA],
    "-O3 one arena": ["-O3", *ONE_ARENA],
    "-O3 min-peak one arena": ["-O3", "--schedule=min-peak", *ONE_ARENA],
}
CLASSES = ["tinyml", "cnn", "transformer", "train", "rnn"]


def measure(tenure, step):
    options = corpus.bindings()
    settings = {s: ask for s, ask in SETTINGS.items() if step not in ASKED or "-O3" in ask}
    for name, path in corpus.models():
        for setting, ask in settings.items():
            _, plan = corpus.plan(tenure, path, [*ask, *ASKED.get(step, []), *options.get(corpus.short(name), [])])
            if plan is not None and plan["report"]["open"] + plan["report"]["data"] == 0:
                yield name, setting, step, sum(p["size"] for p in plan["pools"] if p["kind"] == "arena")


def read():
    if not os.path.exists(RESULTS):
        return {}
    with open(RESULTS, newline="", encoding="utf-8") as f:
        return {tuple(row[:3]): int(row[3]) for row in list(csv.reader(f))[1:]}


def write(rows):
    figures.write(RESULTS, COLUMNS, ([*key, arena] for key, arena in sorted(rows.items())))


def class_of(name):
    folder = name.split("/")[0]
    return folder if folder in CLASSES else "other"


def pairs(rows, setting, step, before):
    """(class, arena before, arena after) of the models that both steps plan whole; empty arenas are left out."""
    for (name, s, t), arena in rows.items():
        old = rows.get((name, s, before), 0)
        if (s, t) == (setting, step) and arena > 0 and old > 0:
            yield class_of(name), old, arena


def mean(found):
    if not found:
        return ""
    return f"{math.exp(sum(math.log(new / old) for old, new in found) / len(found)):.3f}"


def table(rows):
    worse, lines = 0, [HEAD]
    done = [s for s in STEPS if any(key[2] == s for key in rows)]
    for i, step in enumerate(done[1:], 1):
        before = [s for s in done[:i] if s not in ASKED][-1]
        lines += [f"## {STEPS[step][0].upper()}{STEPS[step][1:]}\n",
                  "| setting | smaller | larger | " + " | ".join([*CLASSES, "other", "all"]) + " |",
                  "|" + "---|" * (5 + len(CLASSES))]
        for setting in SETTINGS:
            found = list(pairs(rows, setting, step, before))
            if not found:
                continue
            smaller = sum(new < old for _, old, new in found)
            larger = sum(new > old for _, old, new in found)
            worse += larger
            means = [mean([p[1:] for p in found if p[0] == c]) for c in [*CLASSES, "other"]]
            lines.append(f"| {setting} | {smaller} | {larger} | "
                         + " | ".join([*means, mean([p[1:] for p in found])]) + " |")
        lines.append("")
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write("\n".join(lines))
    return 1 if worse else 0


def main():
    if len(sys.argv) == 2 and sys.argv[1] == "--table":
        sys.exit(table(read()))
    tenure, step = sys.argv[1:]
    assert step in STEPS, step
    rows = {key: arena for key, arena in read().items() if key[2] != step}
    rows.update({(name, setting, s): arena for name, setting, s, arena in measure(tenure, step)})
    write(rows)


if __name__ == "__main__":
    main()
