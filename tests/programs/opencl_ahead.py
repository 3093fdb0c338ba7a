"""OpenCL programs larger than the device's memory: their constants stay with the host, and are copied to a window ahead of the steps
that read them. opencl_programs.py calls try_ahead with its bench."""

import json
import os
import re
import subprocess

import prepared
from opencl_misuse import Failed, expect
from packages import np, onnx
from onnx import TensorProto as T, helper, numpy_helper
import onnxruntime

WIDTH, LAYERS = 96, 24
POOL = "--pool=cold:const:copied:section=host"


def layers():
    """Products, each with weights of its own, and some that all of them read."""
    rng, nodes, x = np.random.default_rng(3), [], "x"
    weights = [rng.standard_normal(WIDTH).astype(np.float32)]
    for i in range(LAYERS):
        weights.append((rng.standard_normal((WIDTH, WIDTH)) / np.sqrt(WIDTH)).astype(np.float32))
        nodes += [helper.make_node("MatMul", [x, f"w{i + 1}"], [f"a{i}"]), helper.make_node("Add", [f"a{i}", "w0"], [f"b{i}"]),
                  helper.make_node("Tanh", [f"b{i}"], [f"c{i}"])]
        x = f"c{i}"
    infos = [helper.make_tensor_value_info(name, T.FLOAT, [2, WIDTH]) for name in ("x", x)]
    graph = helper.make_graph(nodes, "net", infos[:1], infos[1:], [numpy_helper.from_array(w, f"w{i}") for i, w in enumerate(weights)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def prove(plan):
    """What steps read of such chunks is in the window when they run, and nothing is copied over what may still be read."""
    chunks, batches = plan["chunks"], plan["batches"]
    size = chunks[plan["window"]]["size"]
    for k, b in enumerate(batches):
        near = [c for other in batches[k:k + 2] for c in other["copies"]]
        if b["first"] >= b["end"] or (k > 0 and b["first"] < batches[k - 1]["end"]) or any(c["to"] + c["size"] > size for c in near):
            raise Failed(f"batch {k}: {b} in a window of {size} bytes")
        spans = sorted((c["to"], c["to"] + c["size"]) for c in near)
        if any(a[1] > c[0] for a, c in zip(spans, spans[1:])):
            raise Failed(f"batch {k} shares bytes of the window with itself or the next: {spans}")
    for number, step in enumerate(plan["steps"]):
        for value in (plan["values"][v] for v in (step["reads"] if step["kind"] != "op" or not step["idle"] else [])):
            handle = plan["handles"][value["handle"]] if value["handle"] is not None else None
            if handle is None or not chunks[handle["chunk"]]["ahead"]:
                continue
            at = handle["origin"] + value["offset"]
            if not any(c["chunk"] == handle["chunk"] and c["from"] <= at and at + value["bytes"] <= c["from"] + c["size"]
                       for b in batches if b["first"] <= number < b["end"] for c in b["copies"]):
                raise Failed(f"step {number} reads '{value['name']}', which is not in the window")


def json_plan(bench, path, options, form):
    done = subprocess.run([bench.tenure, "plan", path, "-q", *options, f"--emit=opencl-json{form}", "-o", "-"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(done.stderr)
    return json.loads(done.stdout)


def buffers(plan):
    return sum(c["size"] for c in plan["chunks"] if not c["host"])


def try_ahead(bench):
    path, x = os.path.join(bench.folder, "layers.onnx"), np.random.default_rng(5).standard_normal((2, WIDTH)).astype(np.float32)
    onnx.save(layers(), path)
    want = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]).run(None, {"x": x})
    whole, made = os.path.join(bench.folder, "whole"), {}
    all_bytes = buffers(json_plan(bench, path, [], ""))
    for form in ("", ",window=200000"):
        plan = json_plan(bench, path, [POOL], form)
        prove(plan)
        made[os.path.join(bench.folder, f"ahead{form[8:]}")] = form
        if 2 * buffers(plan) > all_bytes or len(plan["batches"]) < 3:
            raise Failed(f"{buffers(plan)} of {all_bytes} bytes in {len(plan['batches'])} batches")
    prepared.emit(bench.tenure, path, [], whole)
    for folder, form in made.items():
        prepared.emit(bench.tenure, path, [POOL], folder, form)
    for folder in (whole, *made):
        prepared.write_case(folder, [x], want, prepared.BOUND)
    said, right = bench.run([whole, *made])
    print(said.rstrip())
    if not right:
        raise Failed("networks larger than the device's memory")
    half = str(all_bytes // 2)
    expect(bench.alone(whole, DEVICE_MEMORY=half), 1, f" bytes, ", f" has {half}: put what is large into memory of the host")
    case = [word for option, name in (("-i", "inputs.bin"), ("-e", "outputs.bin")) for word in (option, name)]
    for folder in made:
        words = [os.path.join(folder, w) if w.endswith(".bin") else w for w in case]
        done = bench.alone(folder, *words, "-n", "3", "-t", "steps", DEVICE_MEMORY=half)
        if done[0] not in (0, 1) or float(re.search("away by (.*) of", done[1])[1]) > prepared.BOUND:
            raise Failed(f"a device of half the memory: {done[1]}")
        if int(re.search("([0-9]+) bytes copied ahead", done[1])[1]) < LAYERS * WIDTH * WIDTH * 4:
            raise Failed(done[1])
        away = float(re.search("away by (.*) of", bench.alone(folder, *words, "-n", "2", "-q", "out-of-order", LATE_DROP="ahead")[1])[1])
        if away <= prepared.BOUND:
            raise Failed("nobody noticed that copies ahead do not wait")
    done = subprocess.run([bench.tenure, "plan", path, POOL, "--emit=opencl-json,window=30000", "-o", "-"], capture_output=True, text=True, check=False)
    expect((done.returncode, done.stderr), 1, "and the one before it need ", "the window has 30000; use window=")
