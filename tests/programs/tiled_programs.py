"""Programs with stretches of ops that run in parts (--tile) at random graphs: with kernels that are plain
loops they give the bits that programs without parts give, with others what is within the bound below, as the order of sums follows
the extents; under sanitizers and with bytes poisoned; the graph with parts, written as ONNX, gives in ONNX Runtime what the other one does.

usage: tiled_programs.py TENURE FOLDER [--graphs N] [--first SEED] [--only SEED]

Every plan goes through `tenure check`. Half of the stretches are found by --tile=least, half are asked for at random. Without
--graphs 40 of them, 10000 where TENURE_SOAK is set.
"""

import argparse
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "operators")]

from packages import np, onnx  # ends with 77 where the packages are missing

try:
    import onnxruntime
except ModuleNotFoundError as gone:
    print(gone)
    sys.exit(77)

import programs
import tile_graphs

STRICT = ["-std=gnu99", "-ffp-contract=off", "-Wno-psabi"]
BOUND = 2e-4  # of ONNX Runtime, whose products sum in an order that depends on extents; relative to the largest magnitude
WAYS = (["-O2"], ["-O3"], ["-O3", "--fuse=none"], ["-O3", "--io=arena"])


def tenure_of(args, *words):
    return subprocess.run([args.tenure, *words], capture_output=True, text=True, check=False, timeout=300)


def pipeline(way, stretches):
    """The options that run these stretches in parts."""
    level = way[0].lstrip("-")
    return [f"--passes=tile{{stretches={stretches}}},{level}", *[w for w in way[1:] if not w.startswith("--fuse")]]


def ort(path, x):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"]).run(None, {"x": x})


def program(args, path, folder, options, kernels, flags, x, outputs):
    programs.emit(args.tenure, path, folder, options, kernels=kernels)
    return programs.run(programs.build(folder, programs.Alone([*STRICT, *flags])), [x], outputs)


def stretches_of(plan):
    text = plan["pipeline"]
    at = text.find("tile{stretches=")
    return text[at + len("tile{stretches="):].split(",")[0].split("}")[0] if at >= 0 else ""


def fault(args, seed, count):
    graph, folder = tile_graphs.Graph(seed), os.path.join(args.folder, "made")
    os.makedirs(folder, exist_ok=True)
    path, plan, tiled = (os.path.join(folder, n) for n in ("made.onnx", "net.json", "tiled.onnx"))
    onnx.save(graph.model(), path)
    way = WAYS[seed % len(WAYS)]
    asked = graph.stretch() if seed % 2 else None
    options = pipeline(way, asked) if asked else [*way, "--tile=least", "--tile-flops=300%"]
    done = tenure_of(args, "plan", path, "-q", *options, "--emit=json", "-o", plan)
    if done.returncode == 1 and "tile: stretch" in done.stderr:
        return None
    if done.returncode != 0:
        return f"plan: {done.stderr[-400:]}"
    with open(plan, encoding="utf-8") as f:
        found = stretches_of(json.load(f))
    if not found:
        return None
    count["graphs"] += 1
    done = tenure_of(args, "check", path, plan)
    if done.returncode != 0:
        return f"{found}: check: {(done.stderr + done.stdout)[-400:]}"
    done = tenure_of(args, "opt", path, f"--passes=infer-shapes,tile{{stretches={found}}}", "-o", tiled)
    if done.returncode != 0:
        return f"{found}: opt: {done.stderr[-400:]}"
    x = np.random.default_rng(seed).standard_normal(graph.shape).astype(np.float32)
    want = ort(path, x)
    quantised = any(n.op_type == "QuantizeLinear" for n in graph.nodes)
    for a, b in zip(want, ort(tiled, x)):
        away = float(np.abs(a - b).max(initial=0) / max(1e-6, np.abs(a).max(initial=0)))
        if not (away <= BOUND or quantised):
            return f"{found}: ONNX Runtime's results with parts are away by {away:.3g}"
    if args.no_programs:
        return None
    outputs = [(a.dtype, a.shape) for a in want]
    flags = programs.SANITIZE if seed % 3 == 0 else []
    plain = [o for o in way if not o.startswith("--tile")]
    kernels = "small" if seed % 5 else "inside"
    have = program(args, path, os.path.join(folder, "parts"), options, kernels, flags, x, outputs)
    base = program(args, path, os.path.join(folder, "whole"), plain, kernels, [], x, outputs)
    for a, b in zip(base, have):
        away = float(np.abs(a - b).max(initial=0) / max(1e-6, np.abs(a).max(initial=0)))
        if a.tobytes() != b.tobytes() and not (kernels == "inside" and (away <= BOUND or quantised)):
            return f"{found}: the program with parts is away by {away:.3g}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("folder")
    parser.add_argument("--graphs", type=int, default=10000 if "TENURE_SOAK" in os.environ else 40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", type=int)
    parser.add_argument("--no-programs", action="store_true", help="ONNX Runtime and the checker alone")
    args = parser.parse_args()
    seeds = range(args.first, args.first + args.graphs) if args.only is None else [args.only]
    count, wrong = {"graphs": 0}, 0
    for seed in seeds:
        try:
            why = fault(args, seed, count)
        except (programs.Refused, programs.Missing, RuntimeError, ValueError, AssertionError) as error:
            why = f"{type(error).__name__}: {str(error)[-1500:]}"
        except Exception as error:  # of ONNX Runtime, which has no common class
            why = f"{type(error).__name__}: {str(error)[-500:]}"
        if why:
            wrong += 1
            print(f"seed {seed}: {why}", flush=True)
    print(f"{count['graphs']} of {len(seeds)} graphs ran in parts, {wrong} went wrong")
    sys.exit(wrong > 0 or count["graphs"] == 0)


main()
