"""Attention as exporters write it, by length: writes ATTENTION.md. One head after the other has a product, a scale, a causal mask, a softmax
and a product; times are of the processor, the least of some runs by turns, one thread.

usage: attention.py TENURE
"""

import os
import sys
import tempfile

import programs
from programs import np
import fusion
import subprocess
import onnx
from onnx import helper, numpy_helper

LENGTHS, HEADS, DEPTH = (128, 512, 2048), 8, 64


def model(length, path):
    wide = HEADS * DEPTH
    inputs = [helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, [1, length, wide]) for n in "qkv"]
    mask = np.triu(np.full((length, length), -np.inf, np.float32), 1)
    consts = {"heads": np.array([1, length, HEADS, DEPTH]), "flat": np.array([1, length, wide]), "mask": mask, "scale": np.float32(DEPTH ** -0.5)}
    nodes = []
    for n, perm in (("q", [0, 2, 1, 3]), ("k", [0, 2, 3, 1]), ("v", [0, 2, 1, 3])):
        nodes += [helper.make_node("Reshape", [n, "heads"], [n + "1"]), helper.make_node("Transpose", [n + "1"], [n + "2"], perm=perm)]
    nodes += [helper.make_node("MatMul", ["q2", "k2"], ["s"]), helper.make_node("Mul", ["s", "scale"], ["t"]), helper.make_node("Add", ["t", "mask"], ["m"]),
              helper.make_node("Softmax", ["m"], ["p"], axis=-1), helper.make_node("MatMul", ["p", "v2"], ["o"]),
              helper.make_node("Transpose", ["o"], ["o1"], perm=[0, 2, 1, 3]), helper.make_node("Reshape", ["o1", "flat"], ["y"])]
    graph = helper.make_graph(nodes, "attention", inputs, [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1, length, wide])],
                              [numpy_helper.from_array(np.asarray(a), n) for n, a in consts.items()])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)


def main():
    lines = ["# Attention by length", "", f"Written by `bench/attention.py`: decomposed attention of {HEADS} heads of {DEPTH}, with a causal mask, as a C program at `-O3` with",
             "`--fuse=none` and with `--fuse=all`; one thread.", "", "| positions | arena | fused | ms | ms, fused | time |", "|---|---|---|---|---|---|"]
    with tempfile.TemporaryDirectory() as top:
        for length in LENGTHS:
            path, into = os.path.join(top, f"{length}.onnx"), os.path.join(top, "in.bin")
            model(length, path)
            np.random.default_rng(1).standard_normal(3 * length * HEADS * DEPTH).astype(np.float32).tofile(into)
            made = {f: fusion.program(sys.argv[1], path, [], os.path.join(top, f"{length}{f}"), f) for f in ("none", "all")}
            best = dict.fromkeys(made, 1e9)
            for _ in range(3):
                for f in made:
                    ran = subprocess.run([os.path.join(top, f"{length}{f}", "net"), into, os.path.join(top, f), str(max(2, 2000 // length))],
                                         capture_output=True, text=True, check=True)
                    best[f] = min(best[f], float(ran.stdout))
            a, b = (np.fromfile(os.path.join(top, f), np.float32) for f in made)
            if np.abs(a - b).max() > 1e-5:
                sys.exit(f"{length}: results differ by {np.abs(a - b).max()}")
            lines.append(f"| {length} | {made['none'][0]} | {made['all'][0]} | {best['none']:.2f} | {best['all']:.2f} | {best['all'] / best['none']:.2f} |")
            print(lines[-1], flush=True)
    with open(os.path.join(programs.HERE, "ATTENTION.md"), "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
