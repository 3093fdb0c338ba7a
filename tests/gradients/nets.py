"""Whole networks: gradients as the command writes them, in double precision, against those of the package autograd,
for which each network is written a second time. Parameters are initializers, all of which are differentiated.

usage: nets.py TENURE
"""

import sys

from gradient_paths import np  # ends with 77 where packages are missing

try:
    import autograd
except ImportError:
    print("the package autograd is missing (tests/requirements.txt)")
    sys.exit(77)
import nets_rounding
import nets_text
import onnx
from cases import spaced
from differentiate import differentiate, plan
from evaluate import Evaluator
from onnx import numpy_helper, parser

BOUND = 1e-10  # relative to the largest element of a gradient or 1: both sides are double precision


def model_of(net):
    """The text of a network as a model, its parameters as initializers; and its parameters."""
    model = parser.parse_model(net.text)
    model.ir_version = 10
    parameters = {name: spaced(*shape) * net.size for name, shape in net.parameters.items()} | net.given
    model.graph.initializer.extend(numpy_helper.from_array(a, n) for n, a in parameters.items())
    if net.checked:
        onnx.checker.check_model(model, full_check=True)
    return model, parameters | net.made


def try_net(tenure, net):
    """The largest relative difference of a gradient."""
    model, parameters = model_of(net)
    both = differentiate(tenure, model, "loss", "params", net.options)
    if net.checked:
        onnx.checker.check_model(both, full_check=True)
    for t in both.graph.initializer:
        if t.name in net.made and not np.allclose(numpy_helper.to_array(t), net.made[t.name], rtol=1e-12, atol=0):
            raise AssertionError(f"{t.name} is {numpy_helper.to_array(t)}")
    for level in ("-O2", "-O3"):
        plan(tenure, both, level, "--emit=json", "-o", "-")
    got = Evaluator(both)(net.feeds)
    wanted = autograd.grad(lambda p: net.loss(p, net.feeds))(parameters)
    loss = net.loss(parameters, net.feeds)
    if not abs(float(got["loss"]) - loss) <= BOUND * max(1, abs(loss)):
        raise AssertionError(f"the loss is {got['loss']}, not {loss}")
    worst = 0.0
    for name, want in wanted.items():
        if not np.abs(want).max() > 0:
            raise AssertionError(f"the test says nothing of {name}, whose gradient is 0")
        worst = max(worst, np.abs(got[f"{name}_grad"] - want).max() / max(1, np.abs(want).max()))
    return worst


DROPPED = """<ir_version: 10, opset_import: ["": 17]>
    net (double[6,3,16,4] x, double[6,3,16,4] t) => (double loss, double[6,3,16,16] p, bool[6,3,16,16] mask, double[6,3,16,4] o)
      <double[4,4] wq, double[4,4] wv, double ratio = {0.25}, bool yes = {1}> {
      q = MatMul(x, wq)
      v = MatMul(x, wv)
      xt = Transpose<perm = [0, 1, 3, 2]>(x)
      raw = MatMul(q, xt)
      p = Softmax<axis = -1>(raw)
      dropped, mask = Dropout<seed = 3>(p, ratio, yes)
      o = MatMul(dropped, v)
      away = Sub(o, t)
      square = Mul(away, away)
      loss = ReduceMean<keepdims = 0>(square)
    }"""


def try_dropout(tenure):
    """What a Dropout left is made again by its mask: the largest relative difference of a gradient that reads it."""
    net = nets_text.Net("dropout by its mask", DROPPED, {"wq": (4, 4), "wv": (4, 4)}, {"x": spaced(6, 3, 16, 4), "t": spaced(6, 3, 16, 4)[::-1]}, None)
    model, _ = model_of(net)
    both = differentiate(tenure, model, "loss", "params")
    if not any("dropped_again" in n.output for n in both.graph.node):
        raise AssertionError("it is kept")
    got = Evaluator(both)(net.feeds)
    d = 2 * (got["o"] - net.feeds["t"]) / got["o"].size
    left = np.where(got["mask"], got["p"], 0) / 0.75
    want = np.einsum("nhij,nhqi,nhqk->jk", net.feeds["x"], left, d)
    return np.abs(got["wv_grad"] - want).max() / np.abs(want).max()


def main():
    wrong = 0
    if not (worst := try_dropout(sys.argv[1])) <= BOUND:
        print(f"WRONG: dropout by its mask: the largest difference {worst:.2g}")
        wrong += 1
    for net in [*nets_text.all_nets(), *nets_rounding.all_nets()]:
        try:
            worst = try_net(sys.argv[1], net)
            bad = "" if worst <= BOUND else "WRONG: "
            print(f"{bad}{net.name}: {len(net.parameters | net.given | net.made)} parameters, the largest difference {worst:.2g}")
        except Exception as error:
            bad = "WRONG: "
            print(f"{bad}{net.name}: {type(error).__name__}: {error}")
        wrong += bad != ""
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
