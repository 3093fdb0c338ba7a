#!/usr/bin/env python3
"""Plans models with and without stretches of ops that run in parts (--tile), and keeps the figures in bench/tile.csv and bench/TILE.md.

    bench/tile.py TENURE           measures and rewrites the files
    bench/tile.py TENURE --check   measures, compares with the file, fails on a difference
    bench/tile.py TENURE --models=tinyml/   the same for models whose names begin so

All plans are of -O3. `asked` is the budget (`once`: the fewest bytes at which no operation is made twice); `ratio` the arena over that without parts, `flops` the operations that parts add, in percent of
the model's. Every plan goes through `tenure check`, and the graph with parts, written as ONNX, through ONNX Runtime where that runs the
model: `away` is the largest difference by the largest number. Fails where parts make an arena larger.
"""

import json
import math
import os
import subprocess
import sys
import tempfile

import figures

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "tests", "models"))
import corpus  # noqa: E402
import planfile  # noqa: E402

RESULTS, PAGE = os.path.join(TOP, "bench", "tile.csv"), os.path.join(TOP, "bench", "TILE.md")
COLUMNS = ["model", "asked", "steps", "without", "arena", "ratio", "flops", "away", "stretches"]
SETS, LEAST = ("cnn", "tinyml", "transformer"), 1024
ASKED = {"75%": ("75%", "30%"), "50%": ("50%", "30%"), "least": ("least", "30%"), "once": ("least", "0%")}  # budget, operations
HEAD = """# Models in parts

Written by `bench/tile.py`: each model at `-O3` without parts and with `--tile` at three budgets, for at most 30 % more operations, and (`once`) with the fewest bytes at which no operation is made twice. *ratio*: the arena by that without parts; *flops*:
operations that parts add, in percent; *away*: the largest difference by the largest number between ONNX Runtime's outputs of the model and of the graph with parts (-: it does not
run the model with the inputs at hand). What has less than 1 KiB without parts is left out. Geometric means with `least` and with `once`:

"""


def arena(plan):
    return sum(p["size"] for p in plan["pools"] if p["kind"] == "arena")


def planned(tenure, path, folder, options):
    """The plan, and operations that parts add in percent; or None."""
    out = os.path.join(folder, "net.json")
    done = subprocess.run([tenure, "plan", path, "-q", "-O3", *options, "--stats", "--emit=json", "-o", out], capture_output=True, text=True,
                          check=False, timeout=600)
    if done.returncode != 0:
        return None, 0
    text = done.stdout + done.stderr
    flops = next((int(line.split()[0]) / 10 for line in text.splitlines() if " tile.flops:" in line), 0)
    with open(out, encoding="utf-8") as f:
        return planfile.flat(json.load(f)), flops


def stretches_of(plan):
    at = plan["pipeline"].find("tile{stretches=")
    return plan["pipeline"][at + len("tile{stretches="):].split(",")[0].split("}")[0] if at >= 0 else ""


def outputs(path):
    import numpy as np
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    rng, given = np.random.default_rng(1), {}
    kinds = {"tensor(float)": np.float32, "tensor(uint8)": np.uint8, "tensor(int8)": np.int8, "tensor(float16)": np.float16}
    for x in session.get_inputs():
        if x.type not in kinds or not all(isinstance(d, int) and d > 0 for d in x.shape):
            return None
        data = rng.standard_normal(x.shape) if "float" in x.type else rng.integers(0, 100, x.shape)
        given[x.name] = data.astype(kinds[x.type])
    return [a.astype(np.float64) for a in session.run(None, given)]


def away(tenure, path, folder, stretches, want):
    """The largest difference by the largest number; "-" where ONNX Runtime has no results of the model."""
    tiled = os.path.join(folder, "tiled.onnx")
    done = subprocess.run([tenure, "opt", path, f"--passes=infer-shapes,tile{{stretches={stretches}}}", "-o", tiled], capture_output=True, check=False)
    if want is None or done.returncode != 0:
        return "-" if want is None else "not written"
    have = results(tiled)
    if have is None:
        return "not run"
    return f"{max(float(abs(a - b).max(initial=0) / max(1e-30, abs(a).max(initial=0))) for a, b in zip(want, have)):.1e}"


def results(path):
    try:
        return outputs(path)
    except Exception:  # ONNX Runtime has no common class of errors
        return None


def measure(tenure, begin):
    options = corpus.bindings()
    for name, path in corpus.models():
        if not name.startswith(begin):
            continue
        bound = options.get(corpus.short(name), [])
        with tempfile.TemporaryDirectory() as folder:
            without, _ = planned(tenure, path, folder, bound) if name.split("/")[0] in SETS else (None, 0)
            if without is None or without["report"]["open"] > 0 or arena(without) < LEAST:
                continue
            want = results(path) if not bound else None
            for asked, (budget, most) in ASKED.items():
                plan, flops = planned(tenure, path, folder, [*bound, f"--tile={budget}", f"--tile-flops={most}"])
                if plan is None:
                    print(f"{name}: no plan with {asked}")
                    continue
                found = stretches_of(plan)
                difference = away(tenure, path, folder, found, want) if found and not bound else "-"
                base = arena(without)
                yield [name, asked, len(plan["steps"]), base, arena(plan), f"{arena(plan) / base:.3f}", flops, difference, found.replace(";", " ")]
                print(*[name, asked, base, arena(plan), f"{arena(plan) / base:.3f}", flops, difference], flush=True)


def means(rows):
    for kind in SETS:
        found = [[math.log(float(r[5])) for r in rows if r[0].startswith(kind + "/") and r[1] == asked] for asked in ("least", "once")]
        if all(found):
            least, once = (math.exp(sum(logs) / len(logs)) for logs in found)
            yield f"{kind}: {least:.3f} and {once:.3f} ({len(found[0])} models)"


def main():
    tenure, check = sys.argv[1], "--check" in sys.argv[2:]
    begin = next((a.split("=", 1)[1] for a in sys.argv[2:] if a.startswith("--models=")), "")
    rows = [[str(x) for x in r] for r in measure(tenure, begin)]
    larger = [r for r in rows if int(r[4]) > int(r[3])]
    for r in larger:
        print("larger:", *r)
    code, known = figures.keep(RESULTS, COLUMNS, rows, lambda r: (r[0], r[1]), check)
    rows = [row for _, row in sorted(known.items())]
    if not check:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(HEAD + "; ".join(means(rows)) + ".\n\n")
            f.write("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|\n")
            f.writelines("| " + " | ".join(r) + " |\n" for r in rows)
    sys.exit(1 if larger or code else 0)


main()
