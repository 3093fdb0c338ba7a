"""Gradients by tenure of what torch.onnx.export writes, beside PyTorch's autograd, in double precision.

Each network of networks.py is exported in six forms, differentiated (`autodiff`), run by the evaluator of tests/gradients, and the
gradients by all parameters, and by inputs of floats, compared: |a - b| <= 1e-8 of the largest element. Parameters that the exporter
has transposed are found by their elements; those it has folded together (a convolution and its normalisation) are in no file.

usage: gradients.py TENURE [-k] [NET...]   (with torch, torchvision, transformers, diffusers, timm, onnx, onnxscript)
"""

import collections
import contextlib
import csv
import io
import logging
import os
import sys
import tempfile
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("gradients", "models", "plans", "programs", "execution"):
    sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", folder))
import numpy as np  # noqa: E402
import onnx  # noqa: E402
import torch  # noqa: E402
from differentiate import Refused, run  # noqa: E402
from evaluate import Evaluator  # noqa: E402
from onnx import numpy_helper  # noqa: E402

import networks  # noqa: E402

TABLE = os.path.join(HERE, "gradients.csv")
FORMS = {
    "dynamo": {"dynamo": True, "optimize": True},
    "dynamo plain": {"dynamo": True, "optimize": False},
    "dynamo training": {"dynamo": True, "optimize": False, "train": True},
    "dynamo fresh": {"dynamo": True, "optimize": True, "fresh": True},
    "script": {"dynamo": False, "do_constant_folding": True},
    "script training": {"dynamo": False, "do_constant_folding": False, "train": True},
}
NEAR = 1e-8
SINGLE = {"llama": 1e-5, "t5": 1e-5, "mamba": 1e-5}  # networks that compute norms or angles in single precision themselves
EPSILON = 2.0 ** -17  # of norms: attributes of ONNX are in single precision


def still(module, train):
    """Random parts off: they would differ from run to run."""
    module.train(train)
    for m in module.modules():
        for name, value in (("p", 0.0), ("dropout", 0.0), ("eps", EPSILON), ("variance_epsilon", EPSILON)):
            if isinstance(getattr(m, name, None), float):
                setattr(m, name, value)
    return module


def trained(net, far=0.1):
    """No two parameters, and no statistics, are equal any more: exporters write equal ones once."""
    with torch.no_grad():
        for p in net.parameters():
            p.add_(far * torch.randn_like(p))
        for name, b in net.named_buffers():
            if name.endswith(("running_mean", "running_var")):
                b.add_(0.1 * torch.rand_like(b))


def export(net, inputs, path, form):
    form = {k: v for k, v in form.items() if k != "fresh"}
    train = form.pop("train", False)
    still(net, train)
    names = [f"x{i}" for i in range(len(inputs))]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mode = {} if form["dynamo"] else {"training": torch.onnx.TrainingMode.TRAINING if train else torch.onnx.TrainingMode.EVAL}
        torch.onnx.export(net, inputs, path, input_names=names, output_names=["y"], verbose=False, **mode, **form)
    return names


def by_torch(net, inputs, target, train):
    still(net, train)
    inputs = [x.clone().requires_grad_(x.is_floating_point()) for x in inputs]
    net.zero_grad()
    loss = torch.nn.functional.mse_loss(net(*inputs), target)
    loss.backward()
    grads = {n: p.grad for n, p in net.named_parameters() if p.grad is not None}
    grads.update({f"x{i}": x.grad for i, x in enumerate(inputs) if x.grad is not None})
    return loss.item(), {n: g.numpy() for n, g in grads.items()}


def pairs(model, net, theirs):
    """Name of an initializer -> gradient that it should have."""
    found = {n: g for n, g in theirs.items() if n.startswith("x") and n[1:].isdigit()}
    params = {n: p.detach().numpy() for n, p in net.named_parameters() if n in theirs}
    reads = collections.Counter(i for n in model.graph.node for i in n.input)
    for t in model.graph.initializer:
        a = numpy_helper.to_array(t)
        shared = a.size > 1 and reads[t.name] > 1 and np.all(a == a.flat[0])  # copies of it are trained apart
        if a.size < 2 or a.dtype != np.float64 or reads[t.name] == 0 or shared:
            continue
        same = [n for n, p in params.items() if p.shape == a.shape and np.array_equal(p, a)]
        turned = [n for n, p in params.items() if p.ndim == 2 and p.T.shape == a.shape and np.array_equal(p.T, a)]
        if len(same) == 1 or t.name in same:
            found[t.name] = theirs[t.name if t.name in same else same[0]]
        elif len(turned) == 1:
            found[t.name] = theirs[turned[0]].T
    turned = [numpy_helper.to_array(t).T for t in model.graph.initializer if len(t.dims) == 2 and t.dims[0] > t.dims[1] > 1]
    for t in model.graph.initializer:  # the transpose of another one is trained with it
        a = numpy_helper.to_array(t) if len(t.dims) == 2 else None
        if t.name in found and any(np.array_equal(a, b) for b in turned):
            del found[t.name]
    return found


def compare(tenure, net, inputs, form, folder, near):
    path, out = os.path.join(folder, "in.onnx"), os.path.join(folder, "out.onnx")
    train = form.get("train", False)
    if not form.get("fresh"):
        trained(net)
    state = {k: v.clone() for k, v in net.state_dict().items()}
    try:
        names = export(net, inputs, path, form)
    except Exception as e:
        return f"not exported: {' '.join(str(e.__cause__ or e).split())[:160]}"
    net.load_state_dict(state)
    net.zero_grad()
    with torch.no_grad():
        target = torch.randn_like(still(net, train)(*inputs))
    net.load_state_dict(state)
    loss, theirs = by_torch(net, inputs, target, train)
    model = onnx.load(path)
    wanted = pairs(model, net, theirs)
    floats = [n for n, x in zip(names, inputs) if x.is_floating_point()]
    wrt = '"' + ",".join(["params", *floats]) + '"'
    try:
        run(tenure, "opt", path, f'--passes=autodiff{{loss="mse(y)",wrt={wrt}{",train=on" if train else ""}}}', "-o", out)
    except Refused as e:
        return f"refused: {str(e).splitlines()[0]}"
    made = onnx.load(out)
    given = {n: x.numpy() for n, x in zip(names, inputs)} | {"y_target": target.numpy()}
    ours = Evaluator(made)({i.name: given[i.name] for i in made.graph.input if i.name in given})
    if abs(ours["loss"] - loss) > 1e-6 * abs(loss):
        return f"the file computes another loss than the network: {ours['loss']:.6g}, {loss:.6g}"
    worst, n = abs(ours["loss"] - loss) / max(abs(loss), 1e-30), 0
    for name, g in wanted.items():
        if name + "_grad" not in ours:
            if not "running_" in name and np.abs(g).max() > 1e-12:
                return f"no gradient by {name}"
            continue
        off = np.abs(ours[name + "_grad"] - g).max() / max(np.abs(g).max(), 1e-6)
        if off > near and "-v" in sys.argv:
            print("   ", name, off, g.shape)
        worst, n = max(worst, off), n + 1
    return f"{'equal' if worst <= near else 'DIFFERENT'} {worst:.0e}, {n} of {len(theirs)}"


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("-")]
    tenure, names = os.path.abspath(arguments[0]), arguments[1:] or list(networks.ALL)
    logging.disable(logging.WARNING)
    rows = []
    for name in names:
        for form, options in FORMS.items():
            torch.manual_seed(1)
            torch.set_default_dtype(torch.float64)
            net, inputs = networks.ALL[name]()
            net = net.double()
            with tempfile.TemporaryDirectory() as folder:
                said = compare(tenure, net, inputs, options, folder, SINGLE.get(name, NEAR))
            rows.append((name, form, said))
            print(f"{name:14} {form:16} {said}", flush=True)
    if not arguments[1:]:
        with open(TABLE, "w", newline="", encoding="utf-8") as f:
            csv.writer(f, lineterminator="\n").writerows([("net", "form", "said"), *rows])
    return any("DIFFERENT" in r[2] or "refused" in r[2] or "no gradient" in r[2] for r in rows)


if __name__ == "__main__":
    sys.exit(main())
