"""What rows of the op table state (.reads, .inplace) beside what follows from what they compute, over random nodes and
ONNX's node cases.

usage: derived.py DERIVED_FACTS FOLDER [--few]     (the program tests/tools/derived_facts.c)

--few: random nodes of fewer seeds, from which nothing follows of what no row states.
"""

import collections
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "programs")]

from packages import np, onnx  # ends with 77 where the packages are missing

import made_kernels
from onnx.backend.test.case.node import collect_testcases

SEEDS, FEW_SEEDS, NODES = range(100, 130), range(100, 104), 56
LEAST = {"ops": 150, "reads": 4000, "in_place": 2000}  # compared
FEW = 3  # times that a result could lie over an operand, before that is taken for more than chance
# Operands that the result could lie over by its nest, and why no row states it.
KNOWN = {
    ("Gemm", 2): "tiles make the last columns of a row twice",
    ("RMSNormalization", 1): "a scale of as many elements as there are: one row",
    ("LayerNormalization", 1): "likewise",
    ("LayerNormalization", 2): "likewise",
    ("GatherElements", 1): "indices as wide as the elements, in as many places",
    ("DepthToSpace", 0): "of one shape where nothing moves",
    ("SpaceToDepth", 0): "likewise",
    ("Resize", 0): "likewise",
    ("EyeLike", 0): "only its shape is read",
    ("CausalConvWithState", 3): "as many places were carried along as there are: kernels elsewhere may go from the last one",
    ("RotaryEmbedding", 0): "kernels elsewhere may store one of a pair before they read the other",
    ("SkipLayerNormalization", 1): "kernels elsewhere may add it once more after they stored the sum",
    ("SkipSimplifiedLayerNormalization", 1): "likewise",
}
# Operators of which a place that no float holds exactly counts as a little lower than it is.
LOOSE = ("Resize",)


def models(folder, seeds):
    for seed in seeds:
        path = os.path.join(folder, f"random{seed}.onnx")
        onnx.save(made_kernels.Maker(seed, NODES).proto, path)
        yield path
        path = os.path.join(folder, f"newest{seed}.onnx")
        onnx.save(made_kernels.NewestMaker(seed, NODES).proto, path)
        yield path
    np.seterr(all="ignore")
    for i, case in enumerate(collect_testcases(None)):
        if case.model is not None and len(case.model.graph.node) == 1:
            path = os.path.join(folder, f"case{i}.onnx")
            onnx.save(case.model, path)
            yield path


def main():
    tool, folder, fewer = *sys.argv[1:3], sys.argv[3:] == ["--few"]
    os.makedirs(folder, exist_ok=True)
    paths = list(models(folder, FEW_SEEDS if fewer else SEEDS))
    done = subprocess.run([tool, *paths], capture_output=True, text=True, check=False, timeout=900)
    found, wrong = collections.Counter(), collections.Counter()
    ops, could, could_not = set(), collections.Counter(), set()
    for line in done.stdout.splitlines():
        op = json.loads(line)
        ops.add(op["op"])
        found["reads"] += op["reads"]
        found["in_place"] += op["in_place"]
        wrong.update(f"{op['op']}: {text}" for text in op["wrong"]
                     if op["op"] not in LOOSE or "is not read from where" not in text)
        could.update((op["op"], k) for k in op["could"])
        could_not |= {(op["op"], k) for k in op["not"]}
    found["ops"] = len(ops)
    could = {key for key, n in could.items() if n >= FEW}
    if fewer:
        could, could_not = set(KNOWN), set()
    wrong.update(f"{op}: the result could lie over operand {k}, which .inplace does not state" for op, k in could - could_not - set(KNOWN))
    wrong.update(f"{op}: operand {k} is not as the test knows it" for op, k in set(KNOWN) - (could - could_not))
    if done.returncode != 0:
        wrong[f"{tool} ended with {done.returncode}: {done.stderr[-300:]}"] += 1
    for line, n in sorted(wrong.items()):
        print(f"WRONG: {line} ({n} times)")
    few = [f"{found[key]} {key} compared, at least {n} have to" for key, n in LEAST.items() if found[key] < (1 if fewer else n)]
    for line in few:
        print("WRONG:", line)
    print(f"{found['ops']} operators in {len(paths)} models: {found['reads']} times .reads, {found['in_place']} times .inplace compared")
    return 1 if wrong or few else 0


if __name__ == "__main__":
    sys.exit(main())
