"""Updates that autodiff appends, run step by step in ONNX Runtime, state handed on by the bindings of the file: parameters
and losses must be those of numpy, which is given the same gradients, and the loss must fall. Of a network, of one whose
layers are functions that call functions, and of one whose weights are Constant nodes; with and without accumulation.

usage: optimizers.py TENURE
"""

import sys

from gradient_paths import np  # ends with 77 where packages are missing

try:
    import onnxruntime

    onnxruntime.set_default_logger_severity(3)
except ImportError:
    print("the package onnxruntime is missing (tests/requirements.txt)")
    sys.exit(77)
import onnx
from differentiate import differentiate, plan
from onnx import numpy_helper, parser

STEPS, RATE, MOMENTUM, BETA2, EPSILON = 30, 0.05, 0.9, 0.999, 1e-8
BOUND = 2e-5  # single precision, over all steps, relative to the largest element or 1
HEAD = '<ir_version: 8, opset_import: ["" : 17{more}]>\nnet (float[8,5] x) => (float[8,3] y) '
PLAIN = HEAD.format(more="") + """{
    h = Gemm(x, W1, b1)
    a = Tanh(h)
    y = MatMul(a, W2)
}"""
FUNCTIONS = HEAD.format(more=', "local" : 1') + """{
    a = local.layer(x, W1, b1)
    y = MatMul(a, W2)
}
<domain: "local", opset_import: ["" : 17, "local" : 1]>
layer (x, w, b) => (y) {
    h = local.affine(x, w, b)
    y = Tanh(h)
}
<domain: "local", opset_import: ["" : 17]>
affine (x, w, b) => (y) {
    y = Gemm(x, w, b)
}"""
PARAMETERS = {"W1": (5, 6), "b1": (6,), "W2": (6, 3)}
OPTIMIZERS = ("sgd", "momentum", "adam", "adamw")
DECAY, CLIP, SCALE = 0.02, 0.05, 64.0


def model_of(text, constants=False):
    model = parser.parse_model(text)
    rng = np.random.default_rng(1)
    arrays = {n: (rng.standard_normal(s) * 0.5).astype("f4") for n, s in PARAMETERS.items()}
    tensors = [numpy_helper.from_array(a, n) for n, a in arrays.items()]
    if constants:
        for t in tensors:
            model.graph.node.insert(0, onnx.helper.make_node("Constant", [], [t.name], value=t))
    else:
        model.graph.initializer.extend(tensors)
    onnx.checker.check_model(model)
    return model, arrays


def batch(step):
    rng = np.random.default_rng(100 + step % 2)  # two batches by turns
    x = rng.standard_normal((8, 5)).astype("f4")
    return {"x": x, "y_target": np.tanh(x[:, :3]) * np.float32(0.5)}


class Stepper:
    """A training graph: state is an input of each run, and what the file binds it to is the next one."""

    def __init__(self, model):
        model = onnx.ModelProto.FromString(model.SerializeToString())
        self.bound = {b.key: b.value for t in model.training_info for b in t.update_binding}
        self.state = {}
        kept = []
        for t in model.graph.initializer:
            if t.name in self.bound:
                self.state[t.name] = numpy_helper.to_array(t)
                model.graph.input.append(onnx.helper.make_tensor_value_info(t.name, t.data_type, t.dims))
            else:
                kept.append(t)
        del model.graph.initializer[:], model.training_info[:]
        model.graph.initializer.extend(kept)
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])

    def run(self, feeds):
        names = [o.name for o in self.session.get_outputs()]
        got = dict(zip(names, self.session.run(names, {**feeds, **self.state})))
        self.state = {s: got[v] for s, v in self.bound.items()}
        return got


class Numpy:
    """The same updates as their authors state them, in double precision."""

    def __init__(self, kind, accumulate, parameters, decay=0.0, clip=0.0):
        self.kind, self.accumulate, self.decay, self.clip = kind, accumulate, decay, clip
        self.w = {n: a.astype("f8") for n, a in parameters.items()}
        self.sums = {n: np.zeros(a.shape) for n, a in parameters.items()}
        self.first, self.second = ({n: np.zeros(a.shape) for n, a in parameters.items()} for _ in range(2))
        self.runs = self.updates = 0

    def add(self, grads):
        self.runs += 1
        for name, g in grads.items():
            self.sums[name] += g
        if self.runs % self.accumulate == 0:
            self.updates += 1
            norm = np.sqrt(sum((s**2).sum() for s in self.sums.values())) / self.accumulate
            factor = min(1.0, self.clip / (norm + 1e-6)) if self.clip else 1.0
            for name, w in self.w.items():
                g = self.sums[name] / self.accumulate * factor
                if self.kind == "adamw":
                    self.w[name] = w * (1 - RATE * self.decay) - RATE * self.step(name, g)
                else:
                    self.w[name] = w - RATE * self.step(name, g + self.decay * w)
                self.sums[name][:] = 0

    def step(self, name, g):
        if self.kind == "sgd":
            return g
        if self.kind == "momentum":
            self.first[name] = MOMENTUM * self.first[name] + g
            return self.first[name]
        self.first[name] = MOMENTUM * self.first[name] + (1 - MOMENTUM) * g
        self.second[name] = BETA2 * self.second[name] + (1 - BETA2) * g * g
        mean = self.first[name] / (1 - MOMENTUM**self.updates)
        return mean / (np.sqrt(self.second[name] / (1 - BETA2**self.updates)) + EPSILON)


def grads_by_hand(w, feeds):
    """(loss, gradients) of the network, in double precision."""
    x, t = feeds["x"].astype("f8"), feeds["y_target"].astype("f8")
    a = np.tanh(x @ w["W1"] + w["b1"])
    y = a @ w["W2"]
    d = 2 * (y - t) / y.size
    dh = (d @ w["W2"].T) * (1 - a * a)
    return np.mean((y - t) ** 2), {"W1": x.T @ dh, "b1": dh.sum(0), "W2": a.T @ d}


def close(got, want, what):
    error = np.abs(got - want).max() / max(1, np.abs(want).max())
    if not error <= BOUND:
        raise AssertionError(f"{what} differs by {error:.2g}")


def try_optimizer(tenure, text, kind, accumulate, constants=False, more=""):
    model, arrays = model_of(text, constants)
    options = f"optimizer={kind},rate={RATE}" + (f",accumulate={accumulate}" if accumulate > 1 else "") + more
    step = differentiate(tenure, model, '"mse(y)"', "params", options)
    if any(n.domain == "local" for n in step.graph.node):
        raise AssertionError("functions are not inlined")
    for level in ("-O2", "-O3"):
        plan(tenure, step, level, "--emit=json", "-o", "-")
    decay, clip = (DECAY if "decay" in more else 0.0), (CLIP if "clip" in more else 0.0)
    run, other, losses = Stepper(step), Numpy(kind, accumulate, arrays, decay, clip), []
    for k in range(STEPS * accumulate):
        feeds = batch(k // accumulate)
        loss, grads = grads_by_hand(other.w, feeds)
        other.add(grads)
        losses.append(float(run.run(feeds)["loss"]))
        close(losses[-1], loss, f"the loss of run {k}")
        for name, want in other.w.items():
            close(run.state[name], want, f"'{name}' behind run {k}")
    if not clip and not losses[-1] < 0.5 * losses[0]:  # clipped, it falls slowly
        raise AssertionError(f"the loss falls from {losses[0]:.3g} to {losses[-1]:.3g} only")
    return f"loss {losses[0]:.4g} to {losses[-1]:.4g}, {len(run.bound)} states"


def try_masters(tenure):
    """Parameters of 16 bits are rounded from state of 32, whose updates are numpy's as far as the gradients are exact."""
    model, arrays = model_of(PLAIN.replace("float[", "float16["))
    for t in model.graph.initializer:
        t.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(t).astype("f2"), t.name))
    first = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    step = differentiate(tenure, model, '"mse(y)"', "params", f"optimizer=sgd,rate=1e-4,masters=on,scale={SCALE}")
    run, moved = Stepper(step), 0
    for name, w in first.items():
        if not np.array_equal(run.state[f"{name}_master"], w.astype("f4")):
            raise AssertionError(f"'{name}_master' does not begin as '{name}'")
    for k in range(STEPS):
        wide = {n: run.state[n].astype("f8") for n in first}
        before = {n: run.state[f"{n}_master"].astype("f8") for n in first}
        feeds = {n: v.astype("f2") for n, v in batch(k).items()}
        grads = grads_by_hand(wide, feeds)[1]
        run.run(feeds)
        for name, g in grads.items():
            master = run.state[f"{name}_master"]
            if not np.array_equal(run.state[name], master.astype("f2")):
                raise AssertionError(f"'{name}' is not '{name}_master' rounded")
            if np.abs(before[name] - master - 1e-4 * g).max() > 1e-4 * 0.02 * np.abs(g).max():
                raise AssertionError(f"the update of '{name}' in run {k} is not that of its gradient")
            moved += not np.array_equal(master, before[name])
    return f"{len(run.bound)} states, {moved} moved"


def try_sums(tenure):
    """Without an optimizer gradients are summed in state, which the caller empties."""
    model, arrays = model_of(PLAIN)
    run = Stepper(differentiate(tenure, model, '"mse(y)"', "params", "accumulate=3"))
    wide = {n: a.astype("f8") for n, a in arrays.items()}
    sums = {n: np.zeros(a.shape) for n, a in arrays.items()}
    for k in range(5):
        run.run(batch(k))
        for name, g in grads_by_hand(wide, batch(k))[1].items():
            sums[name] += g
            close(run.state[f"{name}_grad_sum"], sums[name], f"the sum of '{name}' behind run {k}")
    return f"{len(run.bound)} sums"


def main():
    wrong = 0
    cases = [(f"{name}, {kind}, accumulate={n}", lambda t=text, k=kind, n=n: try_optimizer(sys.argv[1], t, k, n))
             for name, text in (("plain", PLAIN), ("functions", FUNCTIONS)) for kind in OPTIMIZERS for n in (1, 3)]
    cases += [(f"constants, {kind}", lambda k=kind: try_optimizer(sys.argv[1], PLAIN, k, 1, True)) for kind in OPTIMIZERS]
    for kind in OPTIMIZERS:
        for more in (f",decay={DECAY}", f",clip={CLIP},scale={SCALE}", f",decay={DECAY},clip={CLIP}"):
            n = 3 if "decay" in more and "clip" in more else 1
            cases.append((f"plain, {kind}{more}, accumulate={n}",
                          lambda k=kind, m=more, n=n: try_optimizer(sys.argv[1], PLAIN, k, n, more=m)))
    cases.append(("masters", lambda: try_masters(sys.argv[1])))
    for name, case in [*cases, ("sums of gradients", lambda: try_sums(sys.argv[1]))]:
        try:
            print(f"{name}: {case()}")
        except Exception as error:
            wrong += 1
            print(f"WRONG: {name}: {type(error).__name__}: {str(error)[:500]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
