#!/usr/bin/env python3
"""Other tools before and behind: onnxsim, onnxoptimizer and ONNX Runtime's own optimiser take models with plans in them, and
tenure plans what they make; ONNX Runtime computes the same all along.

Usage: chained.py TENURE [N]      at most N models of TENURE_MODELS, besides the shipped ones (60)
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), d) for d in ("execution", "operators", "models")]

from packages import np, onnx  # ends with 77 where the packages are missing

import annotated
import corpus
import planfile
import runtime

if not runtime.is_there():
    print("no onnxruntime")
    sys.exit(77)

SMALL, LARGE = 2**20, 2**25  # bytes of a model, and of all its files
NOT_TAKEN, TAKEN, WRONG = range(3)
os.environ.setdefault("ONNXSIM_FIXED_POINT_ITERS", "4")
NEAR = {"rtol": 1e-3, "atol": 1e-4}  # what a tool folds or fuses is rounded otherwise


def simplified(source, target):
    import onnxsim
    made, good = onnxsim.simplify(onnx.load(source))
    if not good:
        raise ValueError("onnxsim finds its own result wrong")
    onnx.save(made, target)


def optimized(source, target):
    import onnxoptimizer
    onnx.save(onnxoptimizer.optimize(onnx.load(source)), target)


def by_runtime(source, target):
    ort = runtime.onnxruntime
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = target
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    ort.InferenceSession(source, options, providers=["CPUExecutionProvider"])


TOOLS = {"onnxsim": simplified, "onnxoptimizer": optimized, "onnxruntime": by_runtime}


def near(a, b):
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(near, a, b))
    if isinstance(a, np.ndarray) and a.dtype.kind in "fc":
        return a.shape == b.shape and np.allclose(a, b, equal_nan=True, **NEAR)
    return annotated.equal(a, b)


def plan_of(tenure, path, options):
    return planfile.loads(annotated.tenure([tenure], "plan", "-q", "--partial", path, *options, "--emit=json", "-o", "-"))


def try_tool(tenure, tool, path, options, folder, want):
    """False where the tool does not take the model as it was. `want` is what that computes."""
    noted, before, behind, both = (os.path.join(folder, n + ".onnx") for n in ("noted", "before", "behind", "both"))
    try:
        TOOLS[tool](path, before)
    except Exception:
        return False
    plan = plan_of(tenure, before, options)
    made = annotated.outputs(before, plan)
    if made is None or not near(want, made):
        return False  # the tool's own affair
    annotated.tenure([tenure], "plan", "-q", "--partial", before, *options, "--emit=onnx", "-o", both)
    annotated.tenure([tenure], "check", "-q", both)
    annotated.demand(annotated.equal(made, annotated.outputs(both, plan)), "behind", tool, "the annotated model computes something else")
    TOOLS[tool](noted, behind)
    plan = plan_of(tenure, behind, options)
    annotated.demand(near(want, annotated.outputs(behind, plan)), "before", tool, "the annotated model computes something else")
    # Where the tool keeps the metadata, the plan is right if it changed nothing, and refused otherwise.
    kept = subprocess.run([tenure, "check", "-q", behind], capture_output=True, check=False)
    annotated.demand(kept.returncode in (0, 1), "the plan in a model that", tool, "made:", kept.stderr.decode(errors="replace")[:500])
    return True


def chosen(most):
    listed = [(n, p) for n, p in corpus.models() if "malformed/" not in n and os.path.getsize(p) < SMALL]
    most = most if os.environ.get("TENURE_SOAK") else most // 4
    shipped = [m for m in listed if m[0].startswith("shipped/")]
    others = [m for m in listed if m not in shipped]
    return shipped + others[::max(1, len(others) // most)][:most]


def is_large(folder):
    return sum(os.path.getsize(os.path.join(folder, f)) for f in os.listdir(folder)) > LARGE


def result_of(name, *args):
    """NOT_TAKEN, TAKEN or WRONG."""
    try:
        return TAKEN if try_tool(*args) else NOT_TAKEN
    except (annotated.Wrong, subprocess.TimeoutExpired) as why:
        print(f"{name}: {why}", flush=True)
        return WRONG


def try_model(tenure, tools, name, path, bindings):
    """The result of each tool."""
    with tempfile.TemporaryDirectory() as folder:
        own = os.path.join(folder, "model.onnx")
        with open(path, "rb") as f, open(own, "wb") as g:
            g.write(f.read())
        if not annotated.beside(path, folder) or is_large(folder) or annotated.draws(own):
            return [NOT_TAKEN] * len(tools)
        options = [*bindings.get(corpus.short(name), []), "-O3"]
        try:
            want = annotated.outputs(own, plan_of(tenure, own, options))
            if want is None:
                return [NOT_TAKEN] * len(tools)
            noted = os.path.join(folder, "noted.onnx")
            annotated.tenure([tenure], "plan", "-q", "--partial", own, *options, "--emit=onnx", "-o", noted)
        except (annotated.Wrong, subprocess.TimeoutExpired) as why:
            print(f"{name}: {why}", flush=True)
            return [WRONG] * len(tools)
        return [apart(lambda: result_of(name, tenure, tool, own, options, folder, want)) for tool in tools]


def apart(run):
    """The number in a process of its own: the tools keep the memory of every model they have had. 0 where one of them crashes."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(run())
        except BaseException:
            traceback.print_exc()
            os._exit(WRONG)
    status = os.waitpid(child, 0)[1]
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else NOT_TAKEN  # the tool's own affair


def main():
    tenure, most = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 60
    tools = [t for t in TOOLS if importlib.util.find_spec(t) is not None]
    for tool in TOOLS:
        if tool in tools:
            importlib.import_module(tool)  # once, and not in each process
        else:
            print(f"no {tool}")
    bindings, results = corpus.bindings(), []
    for name, path in chosen(most):
        code = apart(lambda: sum(r << 2 * i for i, r in enumerate(try_model(tenure, tools, name, path, bindings))))
        results.append([code >> 2 * i & 3 for i in range(len(tools))])
    counts = {tool: sum(r[i] == TAKEN for r in results) for i, tool in enumerate(tools)}
    wrong = sum(r not in (TAKEN, NOT_TAKEN) for of_model in results for r in of_model)
    print(", ".join(f"{n} models through {tool}" for tool, n in counts.items()) + f", {wrong} wrong")
    sys.exit(wrong > 0 or not all(counts.values()))


if __name__ == "__main__":
    main()
