"""Gradients by tenure of what tf2onnx, Keras 3 and jax2onnx write, beside those of TensorFlow and JAX.

Each network of others_networks.py, others_tf.py and others_jax.py is exported, differentiated (`autodiff`) and run (by the evaluator
of tests/gradients, or in single precision by ONNX Runtime); the gradients by all parameters, and by inputs of floats, are compared:
|a - b| at most 1e-8 of the largest element in double precision, 1e-4 in single; more where the exporter or the framework computes in
single precision itself (Case.near). The largest element counts as at least a thousandth of the largest of all gradients, a hundredth in
single precision, as some gradients are 0 but for rounding (by the bias of keys). Elements of parameters are found in the file by their
values, wherever an exporter has turned, cut or joined them; those it has folded together are in no file. An exporter runs in a
process of its own, as two versions of Keras, or two backends, do not go into one. What ran last is in others.csv.

usage: others.py TENURE [-v] [-k] [EXPORTER [NET...]]   (-v: differences by parameter, -k: the files stay in the current folder;
       pip install tensorflow-cpu tf2onnx keras jax jax2onnx flax onnx onnxruntime; pip install --no-deps tf_keras)
"""

import csv
import logging
import os
import re
import subprocess
import sys
import tempfile
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("gradients", "models", "plans", "programs", "execution"):
    sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", folder))
import numpy as np  # noqa: E402
import onnx  # noqa: E402
from differentiate import Refused, run  # noqa: E402
from evaluate import Evaluator  # noqa: E402
from onnx import numpy_helper  # noqa: E402

TABLE = os.path.join(HERE, "others.csv")
EXPORTERS = {  # what others_networks.py has of each, in which precision, and the options of a form
    "tf2onnx, Keras 2": ("keras2", "float64", {}),
    "tf2onnx, Keras 2, single": ("keras2", "float32", {}),
    "tf2onnx, Keras 2, training": ("keras2", "float64", {"training": True}),
    "tf2onnx, tf.function": ("function", "float64", {}),
    "Keras 3, TensorFlow": ("tensorflow", "float64", {}),
    "Keras 3, TensorFlow, single": ("tensorflow", "float32", {}),
    "Keras 3, JAX, single": ("jax", "float32", {}),
    "jax2onnx": ("plain", "float64", {}),
    "jax2onnx, single": ("plain", "float32", {}),
}
NEAR = {"float64": 1e-8, "float32": 1e-4}


def located(params):
    """Value of an element -> parameter and position; values that two elements have are not among them."""
    found, twice = {}, set()
    for name, p in params.items():
        for at, value in enumerate(np.asarray(p).ravel().tolist()):
            twice.update([value] if value in found else [])
            found[value] = name, at
    return {v: w for v, w in found.items() if v not in twice}


def initializers(graph):
    """Those of bodies, too."""
    yield from graph.initializer
    for a in (a for n in graph.node for a in n.attribute):
        yield from initializers(a.g) if a.type == onnx.AttributeProto.GRAPH else ()


def gathered(model, ours, params):
    """Gradients as the framework has them, added up over all copies of an element, and which elements some initializer has."""
    where = located(params)
    grads = {n: np.zeros(p.size) for n, p in params.items()}
    seen = {n: np.zeros(p.size, bool) for n, p in params.items()}
    missing = []
    for t in initializers(model.graph):
        values = numpy_helper.to_array(t).ravel().tolist()
        if len(values) < 2 or not any(v in where for v in values) or not all(v in where or v == 0 for v in values):
            continue
        g = ours.get(t.name + "_grad")
        missing += [t.name] if g is None else []
        for value, d in zip(values, [0] * len(values) if g is None else g.ravel()):
            if value in where:  # the second bias of an LSTM is 0
                name, at = where[value]
                grads[name][at] += d
                seen[name][at] = True
    whole = {n: g.reshape(params[n].shape) for n, g in grads.items() if seen[n].all()}
    return whole, missing


def reason(refused):
    """Without the path, which is another one each time."""
    if "-v" in sys.argv:
        print(refused)
    line = next((line for line in str(refused).splitlines() if "error" in line), str(refused).splitlines()[0])
    return line.split("in.onnx: ")[-1]


def computed(model, feeds, kind):
    """ONNX Runtime has most kernels in single precision, and not in double."""
    if kind == "float64":
        return Evaluator(model)(feeds)
    import onnxruntime as ort
    ort.set_default_logger_severity(3)
    try:
        session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
        return dict(zip([o.name for o in session.get_outputs()], session.run(None, feeds)))
    except Exception:  # OneHot of floats, and MaxPool with some pads, it has not
        return Evaluator(model)(feeds)


def compare(tenure, case, folder):
    """`case`: see others_networks.Case."""
    path, out = os.path.join(folder, "in.onnx"), os.path.join(folder, "out.onnx")
    onnx.save(case.model, path)
    floats = [n for n, x in case.inputs.items() if x.dtype.kind == "f"]
    wrt = '"' + ",".join(["params", *floats]) + '"'
    loss = f'"{case.loss}({case.output})"' if case.loss else f'"{case.output}"'
    passes, more = f"--passes=autodiff{{loss={loss},wrt={wrt}}}", ""
    try:
        done = run(tenure, "opt", path, passes, "-o", out)
    except Refused as e:
        said, more = reason(e), ", with --dim"
        dims = sorted({d.dim_param for i in case.model.graph.input for d in i.type.tensor_type.shape.dim if d.dim_param})
        if "--dim" not in said or not dims:
            return f"refused: {said}"
        print("    at first:", said)
        try:
            done = run(tenure, "opt", path, *(f"--dim={d}={case.batch}" for d in dims), passes, "-o", out)
        except Refused as again:
            return f"refused: {reason(again)}"
    if "-v" in sys.argv and done.stderr:
        print(done.stderr.decode())
    made = onnx.load(out)
    given = dict(case.inputs) | ({f"{case.output}_target": case.target} if case.loss else {})
    ours = computed(made, {i.name: given[i.name] for i in made.graph.input if i.name in given}, case.kind)
    value = ours["loss" if case.loss else case.output]
    if abs(value - case.value) > 1e-5 * abs(case.value):
        return f"the file computes another loss than the network: {float(value):.6g}, {float(case.value):.6g}"
    whole, missing = gathered(case.model, ours, case.params)
    whole.update({n: ours[n + "_grad"] for n in floats})
    theirs = case.grads
    if not whole:
        return "no gradient found"
    if missing and any(np.abs(theirs[n]).max() > 1e-12 for n in whole if not np.any(whole[n])):
        return f"no gradient by {missing[0]}"
    floor = {"float64": 1e-3, "float32": 1e-2}[case.kind]  # the bias of keys, and one in front of a norm, have a gradient of 0
    worst, floor = 0, floor * max(np.abs(g).max() for g in theirs.values())
    for name, g in whole.items():
        off = np.abs(g - theirs[name]).max() / max(np.abs(theirs[name]).max(), floor)
        if "-v" in sys.argv:
            print("   ", name, g.shape, off)
        worst = max(worst, off)
    return f"{'equal' if worst <= max(NEAR[case.kind], case.near) else 'DIFFERENT'} {worst:.0e}, {len(whole)} of {len(theirs)}{more}"


def work(tenure, exporter, names):
    """Rows of one exporter."""
    import others_networks
    how, kind, options = EXPORTERS[exporter]
    cases = others_networks.cases(how, kind, **options)
    rows = []
    for name in [n for n in cases if not names or n in names]:
        with tempfile.TemporaryDirectory() as folder:
            try:
                case = cases[name](folder)
            except Exception as e:
                if "-v" in sys.argv:
                    traceback.print_exc()
                said = f"not exported: {type(e).__name__}: {' '.join(str(e).split())[:160]}"
            else:
                if "-k" in sys.argv:
                    onnx.save(case.model, f"{exporter}_{name}.onnx".replace(", ", "_").replace(" ", ""))
                try:
                    said = compare(tenure, case, folder)
                except Exception as e:
                    if "-v" in sys.argv:
                        traceback.print_exc()
                    said = f"not run: {type(e).__name__}: {' '.join(str(e).split())[:160]}"
        said = re.sub("\x1b.[0-9;]*m", "", said)  # colours
        rows.append((name, exporter, said))
        print(f"{name:12} {exporter:26} {said}", flush=True)
    return rows


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("-")]
    tenure, exporter, names = os.path.abspath(arguments[0]), arguments[1:2], arguments[2:]
    if not exporter:
        codes = [subprocess.run([sys.executable, os.path.abspath(__file__), tenure, e], check=False).returncode for e in EXPORTERS]
        return max(codes)
    logging.disable(logging.ERROR)
    rows = work(tenure, exporter[0], names)
    with open(TABLE, newline="", encoding="utf-8") if os.path.exists(TABLE) else open(os.devnull, encoding="utf-8") as f:
        said = {(r[0], r[1]): r for r in list(csv.reader(f))[1:] if names or r[1] != exporter[0]}
    said.update({(r[0], r[1]): r for r in rows})
    with open(TABLE, "w", newline="", encoding="utf-8") as f:
        csv.writer(f, lineterminator="\n").writerows([("net", "exporter", "said"), *sorted(said.values(), key=lambda r: list(EXPORTERS).index(r[1]))])
    return any("DIFFERENT" in r[2] or "refused" in r[2] or "no gradient" in r[2] or "not run" in r[2] for r in rows)


if __name__ == "__main__":
    sys.exit(main())
