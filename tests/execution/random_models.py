"""Random small models, executed in their plans: branches, views, in-place candidates, nested graphs and
calls, captured values, one value twice in a node, values nobody reads, outputs that are also read inside.

usage: random_models.py TENURE WORK_DIR [--count N] [--first SEED]

Without --count 60 of them, 150 where TENURE_SOAK is set. A model is its seed; a failing one is left in WORK_DIR as <seed>.onnx.
"""

import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [
    HERE,
    os.path.join(os.path.dirname(HERE), "models"),
    os.path.join(os.path.dirname(HERE), "operators"),
]
from packages import np  # ends with 77 where the packages are missing

import onnx
from onnx import TensorProto, helper, numpy_helper

from arena import Corruption, Mismatch
from execute import Model, Tally, report
from graphs import Unsupported

SHAPES = [
    (8,),
    (2, 4),
    (4, 2),
    (1, 8),
    (8, 1),
    (2, 2, 2),
    (2, 1, 4),
    (16,),
    (4, 4),
    (2, 8),
    (4,),
    (1, 4),
    (2, 2),
]
MODES = [
    ("-O2",),
    ("-O3",),
    ("-O3", "--align=1"),
    ("-O3", "--align=1", "--io=arena", "--reuse-inputs"),
    ("-O3", "--align=4", "--schedule=kahn"),
    ("-O2", "--schedule=longest-path", "--views=all", "--align=8"),
    ("-O3", "--memory=slots", "--align=1"),
    ("-O1", "--memory=slots"),
    ("-O3", "--align=1", "--io=arena"),
    ("-O3", "--align=1", "--schedule=file"),
    ("-O3", "--align=1", "--inplace=ordered"),
    ("-O3", "--align=1", "--pool=tiny:40", "--pool=fast:200:cost=2:align=4", "--pool=slow:cost=5"),
    ("-O2", "--align=4", "--io=arena", "--pool=fast:100", "--pool=slow:cost=3", "--pool=hot:16:const", "--pool=cold:const:cost=2"),
    ("-O3", "--align=1", "--recompute=100%"),
    ("-O2", "--align=1", "--recompute=100%"),
]
UNARY = ["Relu", "Neg", "Exp", "Abs", "Sigmoid", "Tanh", "Floor", "Sign", "Identity", "Dropout"]
BINARY = ["Add", "Sub", "Mul", "Max", "Min"]
DEEPEST = 3


class Body:
    """A graph that grows op by op. `outer`: the body around it."""

    def __init__(self, maker, outer=None, depth=0):
        self.maker, self.outer, self.depth = maker, outer, depth
        self.rng = maker.rng
        self.nodes, self.constants, self.values = [], [], []  # values: (name, shape), all f32

    def name(self):
        self.maker.count += 1
        return f"v{self.maker.count}"

    def known(self):
        """Values a node here may read; those around it less often."""
        found, body = list(self.values) * 3, self.outer
        while body is not None:
            found += body.values
            body = body.outer
        return found

    def pick(self, shape=None):
        fitting = [v for v in self.known() if shape is None or v[1] == shape]
        return fitting[self.rng.integers(len(fitting))] if fitting else None

    def const(self, array):
        name = self.name()
        if self.rng.integers(2) or self.maker.in_function:
            self.nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(array)))
        else:
            self.constants.append(numpy_helper.from_array(array, name))
        return name

    def node(self, op, inputs, shapes, **attributes):
        names = [self.name() for _ in shapes]
        domain = attributes.pop("domain", "")
        self.nodes.append(
            helper.make_node(op, inputs, names, name=f"n{self.maker.count}", domain=domain, **attributes)
        )
        self.values += [(n, tuple(int(d) for d in s)) for n, s in zip(names, shapes) if s is not None]
        return names

    def of_shape(self, shape):
        """A value of that shape, made if there is none."""
        found = self.pick(shape)
        if found is not None:
            return found[0]
        name = self.const(self.rng.uniform(-1, 1, shape).astype(np.float32))
        return self.node("Neg", [name], [shape])[0]

    # one op

    def grow(self):
        kinds = (
            [self.unary] * 4
            + [self.binary] * 4
            + [self.reshape] * 3
            + [self.transpose] * 2
            + [self.split] * 2
            + [self.concat] * 3
            + [self.slice] * 2
            + [
                self.gather,
                self.pad,
                self.softmax,
                self.scatter,
                self.where,
                self.matmul,
                self.reduce,
                self.norm,
            ]
        )
        if self.depth < DEEPEST and not self.maker.in_function:
            kinds += [self.branch, self.loop, self.scan, self.call]
        kinds[self.rng.integers(len(kinds))]()

    def unary(self):
        name, shape = self.pick()
        self.node(UNARY[self.rng.integers(len(UNARY))], [name], [shape])

    def binary(self):
        name, shape = self.pick()
        other = name if self.rng.integers(4) == 0 else self.of_shape(shape)
        if self.rng.integers(4) == 0 and shape:
            other = self.of_shape(tuple(1 if self.rng.integers(2) else d for d in shape))
        pair = [name, other][:: self.rng.choice([1, -1])]
        self.node(BINARY[self.rng.integers(len(BINARY))], pair, [shape])

    def reshape(self):
        name, shape = self.pick()
        fitting = [s for s in SHAPES if np.prod(s) == np.prod(shape)]
        target = fitting[self.rng.integers(len(fitting))] if fitting else (int(np.prod(shape)),)
        self.node("Reshape", [name, self.const(np.array(target, np.int64))], [target])

    def transpose(self):
        name, shape = self.pick()
        if shape:
            perm = [int(k) for k in self.rng.permutation(len(shape))]
            self.node("Transpose", [name], [[shape[k] for k in perm]], perm=perm)

    def split(self):
        name, shape = self.pick()
        axis = int(self.rng.integers(len(shape))) if shape else 0
        if not shape or shape[axis] < 2:
            return
        first = int(self.rng.integers(1, shape[axis]))
        parts = [first, shape[axis] - first]
        self.node(
            "Split",
            [name, self.const(np.array(parts, np.int64))],
            [[*shape[:axis], p, *shape[axis + 1 :]] for p in parts],
            axis=axis,
        )

    def concat(self):
        name, shape = self.pick()
        if not shape or np.prod(shape) > 64:
            return
        axis = int(self.rng.integers(len(shape)))
        others = [
            self.of_shape(shape) if self.rng.integers(3) else name for _ in range(self.rng.integers(1, 3))
        ]
        fresh = [
            self.node(UNARY[self.rng.integers(4)], [o], [shape])[0] if self.rng.integers(2) else o
            for o in [name, *others]
        ]
        self.node("Concat", fresh, [[*shape[:axis], shape[axis] * len(fresh), *shape[axis + 1 :]]], axis=axis)

    def slice(self):
        name, shape = self.pick()
        axis = int(self.rng.integers(len(shape))) if shape else 0
        if not shape or shape[axis] < 2:
            return
        start = int(self.rng.integers(0, shape[axis] - 1))
        end = int(self.rng.integers(start + 1, shape[axis] + 1))
        step = int(self.rng.choice([1, 1, 1, 2]))
        bounds = [self.const(np.array([k], np.int64)) for k in (start, end, axis, step)]
        self.node("Slice", [name, *bounds], [[*shape[:axis], -(-(end - start) // step), *shape[axis + 1 :]]])

    def gather(self):
        name, shape = self.pick()
        if shape:
            index = np.array(self.rng.integers(shape[0]), np.int64)
            self.node("Gather", [name, self.const(index)], [shape[1:]], axis=0)

    def pad(self):
        name, shape = self.pick()
        if shape and np.prod(shape) <= 64:
            pads = [
                int(self.rng.integers(2)) * (k == 0 or self.rng.integers(3) == 0) for k in range(len(shape))
            ] * 2
            self.node(
                "Pad",
                [name, self.const(np.array(pads, np.int64))],
                [[d + pads[k] + pads[k + len(shape)] for k, d in enumerate(shape)]],
            )

    def softmax(self):
        name, shape = self.pick()
        if shape:
            self.node("Softmax", [name], [shape], axis=-1)

    def norm(self):
        name, shape = self.pick()
        if shape:
            scale = self.const(self.rng.uniform(0.5, 1, shape[-1]).astype(np.float32))
            self.node("LayerNormalization", [name, scale], [shape], axis=-1)

    def scatter(self):
        name, shape = self.pick()
        if shape:
            part = (1, *shape[1:])
            where = np.full(part, self.rng.integers(shape[0]), np.int64)
            self.node("ScatterElements", [name, self.const(where), self.of_shape(part)], [shape], axis=0)

    def where(self):
        name, shape = self.pick()
        other = self.of_shape(shape)
        test = self.name()
        self.nodes.append(helper.make_node("Less", [other, name], [test]))
        self.node("Where", [test, name, self.of_shape(shape)], [shape])

    def matmul(self):
        name, shape = self.pick()
        if len(shape) == 2:
            weight = self.of_shape((shape[1], 4))
            self.node("MatMul", [name, weight], [(shape[0], 4)])

    def reduce(self):
        name, shape = self.pick()
        if shape:
            axes = self.const(np.array([0], np.int64))
            self.node("ReduceSum", [name, axes], [[1, *shape[1:]]], keepdims=1)

    # bodies

    def inside(self, n_ops):
        body = Body(self.maker, self, self.depth + 1)
        return body, n_ops

    def fill(self, body, n_ops):
        for _ in range(n_ops):
            body.grow()

    @staticmethod
    def graph(body, name, inputs, outputs):
        infos = [helper.make_tensor_value_info(n, t, s) for n, t, s in inputs]
        outs = [
            helper.make_tensor_value_info(
                n, TensorProto.FLOAT if s is not None else TensorProto.BOOL, s or []
            )
            for n, s in outputs
        ]
        return helper.make_graph(body.nodes, name, infos, outs, body.constants)

    def last_of(self, body, shape):
        """A value to return, of that shape: of the body itself, or one from around it, untouched."""
        around = [v for v in body.known() if v[1] == shape and v not in body.values]
        if around and body.rng.integers(4) == 0:
            return around[body.rng.integers(len(around))][0]
        mine = [v for v in body.values if v[1] == shape and any(v[0] in n.output for n in body.nodes)]
        if mine and body.rng.integers(3):
            return mine[body.rng.integers(len(mine))][0]
        return body.node("Sigmoid", [body.of_shape(shape)], [shape])[0]

    def branch(self):
        name, shape = self.pick()
        total, axes = self.name(), self.name()
        self.nodes.append(helper.make_node("ReduceMax", [name], [total], keepdims=0))
        zero = self.const(np.array(0, np.float32))
        self.nodes.append(helper.make_node("Greater", [total, zero], [axes]))
        graphs = []
        for side in ("then", "else"):
            body, n = self.inside(int(self.rng.integers(1, 4)))
            self.fill(body, n)
            graphs.append(self.graph(body, side, [], [(self.last_of(body, shape), shape)]))
        self.node("If", [axes], [shape], then_branch=graphs[0], else_branch=graphs[1])

    def loop(self):
        name, shape = self.pick()
        body, n = self.inside(int(self.rng.integers(1, 4)))
        counter, go, state = self.name(), self.name(), self.name()
        body.values.append((state, shape))
        self.fill(body, n)
        again = self.name()
        body.nodes.append(helper.make_node("Identity", [go], [again]))
        outputs = [(again, None), (self.last_of(body, shape), shape)]
        rows = []
        if self.rng.integers(2):
            row = body.values[-1]
            if any(row[0] in n.output for n in body.nodes) and row[0] != outputs[1][0]:
                outputs.append(row)
                rows.append((3, *row[1]))
        graph = self.graph(
            body,
            "body",
            [(counter, TensorProto.INT64, []), (go, TensorProto.BOOL, []), (state, TensorProto.FLOAT, shape)],
            outputs,
        )
        trips = self.const(np.array(3, np.int64))
        self.node("Loop", [trips, "", name], [shape, *rows], body=graph)

    def scan(self):
        name, shape = self.pick()
        fitting = [v for v in self.known() if len(v[1]) > 1]
        if not fitting:
            return
        source, source_shape = fitting[self.rng.integers(len(fitting))]
        body, n = self.inside(int(self.rng.integers(1, 3)))
        state, part = self.name(), self.name()
        body.values += [(state, shape), (part, source_shape[1:])]
        self.fill(body, n)
        first = self.last_of(body, shape)
        row = body.node("Tanh", [part], [source_shape[1:]])[0]
        graph = self.graph(
            body,
            "scan",
            [(state, TensorProto.FLOAT, shape), (part, TensorProto.FLOAT, source_shape[1:])],
            [(first, shape), (row, source_shape[1:])],
        )
        self.node("Scan", [name, source], [shape, source_shape], body=graph, num_scan_inputs=1)

    def call(self):
        name, shape = self.pick()
        body = Body(self.maker)
        argument = self.name()
        body.values.append((argument, shape))
        self.maker.in_function = True
        self.fill(body, int(self.rng.integers(1, 4)))
        result = self.last_of(body, shape)
        self.maker.in_function = False
        title = f"F{len(self.maker.functions)}"
        self.maker.functions.append(
            helper.make_function(
                "local", title, [argument], [result], body.nodes, [helper.make_opsetid("", 17)]
            )
        )
        self.node(title, [name], [shape], domain="local")


class Maker:
    def __init__(self, seed):
        self.rng = np.random.Generator(np.random.PCG64(seed))
        self.count, self.functions, self.in_function = 0, [], False

    def accumulate(self, main):
        """A value is added into a buffer of the caller, of which the node names no new form. The buffer."""
        name, shape = main.pick()
        buffer = f"sum_{main.name()}"
        names = [buffer, name], [main.name()]
        main.nodes.append(helper.make_node("InPlaceAccumulatorV2", *names, domain="com.microsoft"))
        return helper.make_tensor_value_info(buffer, TensorProto.FLOAT, shape)

    def model(self):
        main = Body(self)
        inputs = []
        for k in range(self.rng.integers(1, 4)):
            shape = SHAPES[self.rng.integers(len(SHAPES))]
            inputs.append(helper.make_tensor_value_info(f"in{k}", TensorProto.FLOAT, shape))
            main.values.append((f"in{k}", shape))
        for _ in range(self.rng.integers(4, 25)):
            main.grow()
            if self.rng.integers(25) == 0:
                inputs.append(self.accumulate(main))
        made = [v for v in main.values if not v[0].startswith("in")] or main.values
        chosen = self.rng.choice(len(made), min(len(made), int(self.rng.integers(1, 4))), replace=False)
        outputs = [helper.make_tensor_value_info(made[k][0], TensorProto.FLOAT, made[k][1]) for k in chosen]
        graph = helper.make_graph(main.nodes, "random", inputs, outputs, main.constants)
        return helper.make_model(
            graph,
            functions=self.functions,
            ir_version=8,
            opset_imports=[helper.make_opsetid(d, v) for d, v in (("", 17), ("local", 1), ("com.microsoft", 1))],
        )


def main():
    np.seterr(all="ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("work")
    parser.add_argument("--count", type=int, default=150 if os.environ.get("TENURE_SOAK") else 60)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    tally = Tally()
    for seed in range(args.first, args.first + args.count):
        path = os.path.join(args.work, f"{seed}.onnx")
        onnx.save(Maker(seed).model(), path)
        wrong = len(tally.corrupt)
        try:
            model = Model(args.tenure, path, [], False)
            for mode in MODES:
                try:
                    tally.add(model.execute_plan(model.plan(mode)))
                except (Corruption, Mismatch, Unsupported) as error:
                    tally.corrupt.append(f"seed {seed} {' '.join(mode)}: {error}")
            tally.models += 1
            tally.add_kernels(seed, model.kernels)
            tally.corrupt += [f"seed {seed}: {op}" for op in model.kernels.stood_in]
        except Unsupported as error:
            tally.corrupt.append(f"seed {seed}: {error}")
        if len(tally.corrupt) == wrong:
            os.remove(path)
    report(tally)
    return 1 if tally.corrupt or tally.plans == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
