"""ONNX Runtime with examples/adapters/onnxruntime_bound.py: outputs are those of plain runs, bit for bit, again and again, with
state that goes from run to run; and a run allocates less by at least its outputs. Bytes are counted by heap_peak.c, loaded in
front of the C library.

usage: onnxruntime_bound_runs.py HEAP_PEAK.so FOLDER [MODEL.onnx...]      exit code 77: no onnxruntime
"""

import ctypes
import glob
import os
import subprocess
import sys

try:
    import numpy
    import onnx
    import onnxruntime
except ImportError as e:
    print("left out:", e)
    sys.exit(77)

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "examples", "adapters"))
import tenure  # noqa: E402
from onnxruntime_bound import DTYPES, Bound  # noqa: E402


def session(model):
    options = onnxruntime.SessionOptions()
    options.enable_cpu_mem_arena = options.enable_mem_pattern = False  # which would hide what a run needs
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def fed(plan, names, seed):
    """What inputs hold: small numbers, so that integers are good as indices, too."""
    random = numpy.random.default_rng(seed)
    return {n: (random.random(plan[n].shape) * 2).astype(DTYPES[plan[n].dtype]) for n in names}


def peak(heap, run):
    run()
    heap.heap_begin()
    result = run()
    return heap.heap_peak(), result


def compare(heap, model):
    plain, plan = session(model), tenure.plan(model)
    bound = Bound(session(model), plan)
    for seed in range(3):
        given = fed(plan, bound.inputs, seed)
        for name, array in given.items():
            bound[name][:] = array
        before, expected = peak(heap, lambda: plain.run(None, given))
        after, _ = peak(heap, bound.run)
        for name, array in zip(bound.outputs, expected, strict=True):
            assert bound[name].tobytes() == array.tobytes(), f"{model}: {name} is another"
    print(f"{os.path.basename(model):32} {before:>10} bytes by a run, {after:>10} bound, {bound.bytes:>9} for all runs"
          f" (tenure's arena {plan.arena_size})", flush=True)
    assert after <= before, f"{model}: more bytes"


def recurrent(folder):
    """y = h + x, and the next h is y + 1: what comes of several runs depends on all of them."""
    helper = onnx.helper
    h, x, y, after = (helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, [4096]) for n in ("h", "x", "y", "h_next"))
    graph = helper.make_graph([helper.make_node("Add", ["h", "x"], ["y"]), helper.make_node("Add", ["y", "one"], ["h_next"])], "counts", [h, x],
                              [y, after], [helper.make_tensor("one", onnx.TensorProto.FLOAT, [], [1.0])])
    path = os.path.join(folder, "counts.onnx")
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10), path)
    return path


def carried(heap, folder):
    path = recurrent(folder)
    plain, bound = session(path), Bound(session(path), tenure.plan(path, update={"h": "h_next"}), {"h": "h_next"})
    h, x = numpy.zeros(4096, "f4"), numpy.arange(4096, dtype="f4")
    bound["h"][:], bound["x"][:] = h, x
    for _ in range(5):
        y, h = plain.run(["y", "h_next"], {"h": h, "x": x})
        bound.run()
        assert numpy.array_equal(bound["y"], y) and numpy.array_equal(bound["h"], h), "state is lost"
    assert peak(heap, bound.run)[0] < 4096, "what is carried is copied"
    print("state goes from run to run without a copy")


def main():
    if "heap_peak" not in os.environ.get("LD_PRELOAD", ""):
        library = os.path.abspath(sys.argv[1])
        return subprocess.run([sys.executable, "-B", *sys.argv], env={**os.environ, "LD_PRELOAD": library}, check=False).returncode
    heap = ctypes.CDLL(None)
    heap.heap_peak.restype = ctypes.c_long
    folder = os.path.abspath(sys.argv[2])
    os.makedirs(folder, exist_ok=True)
    models = sys.argv[3:]
    if not models:
        subprocess.run([sys.executable, "-B", os.path.join(TOP, "examples", "models", "make.py"), "--weights", folder, "ds_cnn", "lstm",
                        "unet_small"], check=True, env={**os.environ, "LD_PRELOAD": ""})
        models = sorted(glob.glob(os.path.join(folder, "[dlu]*.onnx")))
    for model in models:
        compare(heap, model)
    carried(heap, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
