"""Programs with ops of kernels' facts that say by a formula what they compute (docs/FACTS.md), against numpy.

usage: formula_programs.py TENURE FOLDER [SEED]

A formula is an expression of Python, too: numpy evaluates the same text. Each program is compiled under sanitizers, with
warnings as errors, and must need no kernel from elsewhere.
"""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "operators")]

from packages import np, onnx  # ends with 77 where the packages are missing

import programs
from onnx import helper, numpy_helper

DOMAIN, QONNX = "acme", "qonnx.custom_op.general"
OPTIONS = (("-O1", "inside"), ("-O3", "inside"), ("-O3 --io=arena", "inside"), ("-O3", "small"))
WORST = {np.float16: 2e-3, np.float32: 2e-6, np.float64: 1e-14}  # by the largest number of a result
FUNCTIONS = {"max": np.maximum, "min": np.minimum, "abs": np.abs, "tanh": np.tanh, "sin": np.sin, "exp": np.exp, "sqrt": np.sqrt,
             "floor": np.floor, "convert": np.float32, "round": np.rint, "select": np.where, "less": np.less, "greater": np.greater, "at_most": np.less_equal,
             "Sigmoid": lambda x: 1 / (1 + np.exp(-x)), "Softsign": lambda x: x / (1 + np.abs(x)), "Relu": lambda x: np.maximum(x, 0),
             "HardSwish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1)}


class Own:
    """An op that facts are about, and what it gives by them. Of one in another domain the table has the definition."""

    def __init__(self, name, sig, compute, attrs="", domain=DOMAIN, wanted=None, **more):
        """`wanted`: type of what it gives, if not that of the last operand, or bool."""
        self.wanted = wanted
        self.facts = {"op": name, "domain": domain, "compute": compute, **more}
        self.facts |= {"sig": sig, "attrs": attrs} if domain == DOMAIN else {}
        self.names = sig.split(" -> ")[0].split()
        self.defaults = {spec.split(":")[0]: float(spec.split("=")[1]) for spec in attrs.split() if "=" in spec}

    def __call__(self, *operands, **attributes):
        known = {**self.defaults, **attributes, **dict(zip(self.names, operands))}
        return eval(self.facts["compute"], {}, {**FUNCTIONS, **known})  # what stands above, and formulas made below


class Model:
    """Nodes and, as they are added, what they give."""

    def __init__(self, *ops, groups=()):
        self.ops, self.groups = {own.facts["op"]: own for own in ops}, list(groups)
        self.nodes, self.feeds, self.values, self.outputs, self.constants = [], {}, {}, [], []

    def input(self, array):
        name = f"x{len(self.feeds)}"
        self.feeds[name] = self.values[name] = array
        return name

    def node(self, op, *operands, inside=False, value=None, **attributes):
        """`value`: what it gives, of ops of ONNX; `inside`: it is no output."""
        name = f"y{len(self.nodes)}"
        own = self.ops.get(op)
        self.nodes.append(helper.make_node(op, operands, [name], name, domain=own.facts["domain"] if own else "", **attributes))
        given = [self.values[operand] for operand in operands]
        wanted = own(*given, **attributes) if own else value
        self.values[name] = wanted if wanted.dtype == bool or not own else wanted.astype(own.wanted or given[-1].dtype)
        self.outputs += [] if inside else [name]
        return name

    def write(self, folder, stated):
        """`stated`: types of outputs stand in the model; else the facts alone give them."""
        os.makedirs(folder, exist_ok=True)
        ports = [[helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(self.values[n].dtype), self.values[n].shape) for n in names]
                 for names in (self.feeds, self.outputs)]
        ports[1] = ports[1] if stated else [onnx.ValueInfoProto(name=n) for n in self.outputs]
        graph = helper.make_graph(self.nodes, "own", *ports, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid(*known) for known in (("", 20), (DOMAIN, 3), (QONNX, 1))], ir_version=9)
        onnx.save(model, os.path.join(folder, "own.onnx"))
        with open(os.path.join(folder, "facts.json"), "w", encoding="utf-8") as f:
            json.dump({"tenure_facts": 1, "ops": [own.facts for own in self.ops.values()], "groups": self.groups}, f)


def text_of(folder):
    with open(os.path.join(folder, "net.c"), encoding="utf-8") as f:
        return f.read()


def differences(name, got, wanted):
    for g, w in zip(got, wanted):
        away = np.abs(g.astype(np.float64) - w.astype(np.float64)).max(initial=0)
        away /= max(np.abs(w).max(initial=0), 1e-6) if w.dtype.kind == "f" else 1
        if not away <= WORST.get(w.dtype.type, 0):
            yield f"{name}: away by {away:.2g}"


def try_model(tenure, folder, name, model, options=OPTIONS, stated=(True, False), turned=()):
    """`turned`: inputs and outputs whose channels lie last in the program."""
    def placed(value):
        return np.moveaxis(model.values[value], 1, -1) if value in turned else model.values[value]

    wrong = []
    for given in stated:
        model.write(folder, given)
        for level, kernels in options:
            programs.emit(tenure, os.path.join(folder, "own.onnx"), folder,
                          [*level.split(), "--op-facts=" + os.path.join(folder, "facts.json")], kernels=kernels)
            if "/* All kernels are in here. */" not in text_of(folder):
                return [f"{name}: a kernel is not made for the program"]
            program = programs.build(folder, programs.Alone([*programs.SANITIZE, "-Wno-psabi"]))
            wanted = [placed(y) for y in model.outputs]
            got = programs.run(program, [placed(x) for x in model.feeds], [(w.dtype, w.shape) for w in wanted], 2)
            wrong += differences(f"{name} {level} {kernels}", got, wanted)
    return wrong


# ---- models ----

SWASH = Own("Swash", "X -> Y", "X * Sigmoid(alpha * X)", "alpha:float=1.5", inplace="Y over X (same)")
# Ops of ONNX up to set 6 would take an operand of one axis for channels: this one is not ONNX's, for all that its version is 1.
BLEND = Own("Blend", "A B -> Y", "select(greater(A, B), A, 0.25 * (A + B))", traits=["broadcast"], inplace="Y over A B (same)")


def in_place(tenure, folder, rng):
    """One operand with an attribute, two with broadcast, over their operands where the plan has them so."""
    model = Model(SWASH, BLEND)
    x, other, row = (model.input(rng.normal(size=dims).astype(np.float32)) for dims in ((2, 3, 3), (3, 1), (3,)))
    a = model.node("Swash", x, inside=True, alpha=2.0)
    b = model.node("Blend", a, other, inside=True)
    model.node("Swash", model.node("Blend", b, row, inside=True))
    wrong = try_model(tenure, folder, "in place", model, OPTIONS[:-1])
    over = text_of(folder).count("lies on in0: read each element before it is written")
    return wrong + ([] if over >= 3 else [f"{over} steps work in place"])


def types(tenure, folder, rng):
    """Elements that are computed with as others, results that are truths, attributes that are whole numbers."""
    model = Model(SWASH, BLEND, Own("Above", "X -> Y", "greater(X, limit)", "limit:int=0"),
                  Own("Less", "A B -> C", "max(min(A, B) - step, -B)", "step:int=3"),
                  Own("Lift", "X -> Y", "exp(convert(X) / 10)", types={"Y": {"like": "X", "elem": "f32"}}, wanted=np.float32),
                  Own("Gate", "M X -> Y", "select(M, X, 0)"))
    for kind in (np.float16, np.float32, np.float64):
        x = model.input(rng.normal(size=(3, 7)).astype(kind))
        model.node("Swash", x)
        model.node("Blend", x, model.input(rng.normal(size=(1, 7)).astype(kind)))
        model.node("Above", x)
    for kind in (np.int8, np.int32, np.int64):
        model.node("Less", *(model.input(rng.integers(-50, 50, dims).astype(kind)) for dims in ((4, 5), (5,))), step=2)
    whole = model.input(rng.integers(-50, 50, (3, 7)).astype(np.int16))
    model.node("Gate", model.node("Above", model.node("Lift", whole, inside=True), inside=True), whole)
    return try_model(tenure, folder, "types", model)


def fused(tenure, folder, rng):
    """Two ops of ONNX as one, which a formula computes."""
    group = {"op": "Silu", "domain": DOMAIN, "chain": ["Sigmoid", "Mul"], "sig": "X Z -> Y", "compute": "Z * Sigmoid(X)",
             "inplace": "Y over X (same)"}
    model = Model(groups=[group])
    x = rng.normal(size=(5, 6)).astype(np.float32)
    gate = model.node("Sigmoid", model.input(x), inside=True, value=FUNCTIONS["Sigmoid"](x))
    model.node("Mul", "x0", gate, value=x * model.values[gate])
    wrong = try_model(tenure, folder, "fused", model)
    return wrong + ([] if "Step 0: Silu" in text_of(folder) else ["the two did not become one"])


def channels_last(tenure, folder, rng):
    """Between convolutions of images with channels last, and with a number of its own."""
    model = Model(SWASH, BLEND)
    x, w, v = (rng.normal(size=dims).astype(np.float32) for dims in ((1, 4, 5, 6), (7, 4, 1, 1), (2, 7, 1, 1)))
    number = rng.normal(size=(1,)).astype(np.float32)
    model.constants = [numpy_helper.from_array(a, n) for a, n in ((w, "w"), (v, "v"), (number, "n"))]
    model.values.update(w=w, v=v, n=number)
    one = np.einsum("oi,nihw->nohw", w[..., 0, 0], x)
    a = model.node("Conv", model.input(x), "w", inside=True, value=one)
    b = model.node("Blend", model.node("Swash", a, inside=True), a, inside=True)
    c = model.node("Blend", b, "n", inside=True)
    model.node("Conv", c, "v", value=np.einsum("oi,nihw->nohw", v[..., 0, 0], model.values[c]))
    wrong = try_model(tenure, folder, "channels last", model, [("-O3 --layout=nhwc", "inside")], [True], ("x0", model.outputs[0]))
    return wrong + ([] if "acme_Blend_3_nhwc" in text_of(folder) else ["channels do not lie last"])


def of_the_table(tenure, folder, rng):
    """Element-wise ops of the table, of which that does not say what they compute."""
    model = Model(Own("BipolarQuant", "X scale -> Y", "select(less(X, 0), -scale, scale)", domain=QONNX),
                  Own("Quant", "X scale zeropt bitwidth -> Y", "round(X / scale) * scale", domain=QONNX))
    x, scale = model.input(rng.normal(size=(5, 3)).astype(np.float32)), model.input(np.array([0.25], np.float32))
    model.node("BipolarQuant", x, scale)
    model.node("Quant", x, scale, model.input(np.zeros(1, np.float32)), model.input(np.full(1, 8, np.float32)), signed=1, narrow=0)
    return try_model(tenure, folder, "of the table", model)


def made_up(rng, depth):
    pick = rng.integers(0, 6 if depth > 0 else 3)
    if pick < 3:
        return ("X", "W", "slope", f"{rng.uniform(0.1, 3):.3g}")[rng.integers(0, 4)]
    a, b, c, d = (made_up(rng, depth - 1) for _ in range(4))
    return (f"({a} {'+-*'[rng.integers(0, 3)]} {b})",
            f"{('max', 'min')[rng.integers(0, 2)]}({a}, {b})",
            f"select({('less', 'greater', 'at_most')[rng.integers(0, 3)]}({a}, {b}), {c}, -{d})",
            f"{('abs', 'tanh', 'sin', 'Sigmoid', 'Softsign', 'Relu', 'HardSwish')[rng.integers(0, 7)]}({a})")[rng.integers(0, 4)]


def at_random(tenure, folder, rng):
    """Formulas of all kinds, in 64 bits, where no sum is near a jump by rounding."""
    owns = [Own(f"Any{i}", "X W -> Y", f"0 * X + 0 * W + {made_up(rng, 4)}", "slope:float=0.3") for i in range(24)]
    model = Model(*owns)
    for own in owns:
        rank = int(rng.integers(1, 5))
        dims = [int(n) for n in rng.integers(1, 5, rank)]
        other = [d if rng.integers(0, 2) else 1 for d in dims][int(rng.integers(0, rank)):]
        model.node(own.facts["op"], *(model.input(rng.uniform(-2, 2, size=d)) for d in (dims, other)), slope=0.5)
    return try_model(tenure, folder, "at random", model, [("-O1", "inside"), ("-O1", "small")], [True])


def main():
    tenure, folder = sys.argv[1:3]
    rng = np.random.default_rng(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    np.seterr(all="ignore")
    wrong = []
    for kind in (in_place, types, fused, channels_last, of_the_table, at_random):
        wrong += kind(tenure, os.path.join(folder, kind.__name__), rng)
    for line in wrong:
        print(f"WRONG: {line}")
    print(f"formulas: {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
