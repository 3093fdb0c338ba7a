"""Where parts lie in wholes: the arithmetic behind the views of Concat, ConcatTraining, Gather, Pad,
Slice, Split and SplitTraining, executed.

For each op many nodes over shapes, axes, element types and bounds. Elements are all different, so that a part
has one place in the whole at most; the bytes of every view a plan makes must be at its offset, and an offset
one element off must be found wrong. How often a part lies in one piece and the plan makes no view is counted.

usage: view_offsets.py TENURE WORK_DIR
"""

import itertools
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), d) for d in ("execution", "models", "operators")]

from packages import np, onnx  # ends with 77 where the packages are missing

from onnx import helper, numpy_helper

import corpus
from arena import DTYPES, pack
from kernels import Kernels

SHAPES = [(4,), (3, 4), (1, 4), (4, 1), (2, 3, 2), (1, 3, 1), (2, 1, 3), (1, 1, 4)]
TYPES = ["f32", "u8", "f16", "i64", "bf16", "u4"]
OPTIONS = ("-O3", "--views=all", "--inplace=none", "--align=1")
MS = "com.microsoft"
LEAST_VIEWS = 1000


def axes(shape):
    yield from range(len(shape))
    yield -1


def ints(*numbers):
    return np.array(numbers, np.int64)


# Each gives (op, domain, shapes of the data, constants behind them, attributes, number of results).


def slices(shape):
    for axis in axes(shape):
        extent = shape[axis]
        for start, end, step in itertools.product(range(-extent, extent), range(1, extent + 1), (1, 2, -1)):
            if step < 0:
                start, end = end - 1, start - 1 if start > 0 else -extent - 1
            bounds = [ints(start), ints(end), ints(axis), ints(step)]
            if len(range(extent)[start:end:step]) > 0:
                yield "Slice", "", [shape], bounds, {}, 1
    if len(shape) > 1:
        yield "Slice", "", [shape], [ints(0, 0), ints(1, shape[1]), ints(0, 1)], {}, 1
        yield "Slice", "", [shape], [ints(0, 0), ints(shape[0], 1)], {}, 1


def gathers(shape):
    for axis in axes(shape):
        for index in range(-shape[axis], shape[axis]):
            yield "Gather", "", [shape], [np.array(index)], {"axis": axis}, 1
        for first, last in itertools.combinations(range(shape[axis]), 2):
            yield "Gather", "", [shape], [np.arange(first, last + 1)], {"axis": axis}, 1
            yield "Gather", "", [shape], [ints(last, first)], {"axis": axis}, 1


def splits(shape):
    for axis in axes(shape):
        for cuts in itertools.chain.from_iterable(
            itertools.combinations(range(1, shape[axis]), n) for n in (1, 2)
        ):
            parts = np.diff([0, *cuts, shape[axis]])
            yield "Split", "", [shape], [parts], {"axis": axis}, len(parts)
            yield "SplitTraining", MS, [shape], [parts], {"axis": axis}, len(parts)


def concats(shape):
    for axis in axes(shape):
        for extents in ((1, 1), (2, 1), (1, 3, 2)):
            shapes = [list(shape) for _ in extents]
            for other, extent in zip(shapes, extents):
                other[axis] = extent
            yield "Concat", "", shapes, [], {"axis": axis}, 1
            yield "ConcatTraining", MS, shapes, [], {"axis": axis}, 1


def pads(shape):
    for axis in range(len(shape)):
        for before, after in ((0, 1), (1, 0), (2, 1)):
            bounds = np.zeros((2, len(shape)), np.int64)
            bounds[:, axis] = before, after
            yield "Pad", "", [shape], [bounds.reshape(-1)], {}, 1


KINDS = (slices, gathers, splits, concats, pads)


class Case:
    """One node over data of its own, in a graph with the others."""

    def __init__(self, number, dtype, spec):
        self.op, self.domain, shapes, constants, attributes, n = spec
        self.data = [distinct(shape, dtype, k) for k, shape in enumerate(shapes)]
        self.constants = constants
        self.inputs = [f"{number}.x{k}" for k in range(len(shapes))]
        fresh = [f"{number}.a{k}" for k in range(len(shapes))]
        known = [f"{number}.c{k}" for k in range(len(constants))]
        self.results = [f"{number}.r{k}" for k in range(n)]
        self.node = helper.make_node(
            self.op, fresh + known, self.results, domain=self.domain, **attributes
        )
        kind = helper.np_dtype_to_tensor_dtype(DTYPES[dtype])
        self.infos = [
            helper.make_tensor_value_info(i, kind, shape) for i, shape in zip(self.inputs, shapes)
        ]
        # Shared with nobody on either side: made before, and read after.
        self.nodes = [custom([i], [f]) for i, f in zip(self.inputs, fresh)] + [self.node]
        self.nodes += [custom([r], [f"{r}.o"]) for r in self.results] + [custom(fresh, [f"{number}.end"])]
        self.nodes = self.nodes[:-1] if self.op in ("Concat", "ConcatTraining", "Pad") else self.nodes
        self.initializers = [numpy_helper.from_array(c, name) for c, name in zip(constants, known)]
        self.arrays = dict(zip(fresh, self.data))

    def evaluate(self, kernels):
        given = [*self.data, *self.constants]
        if self.op == "SplitTraining":
            parts = np.cumsum(self.constants[0])[:-1]
            results = np.split(self.data[0], parts, axis=self.node.attribute[0].i)
        elif self.op == "ConcatTraining":
            results = [np.concatenate(self.data, axis=self.node.attribute[0].i)]
        else:
            results = kernels.refer(self.node, given, {"": 21})
        self.arrays.update(zip(self.results, results))


def custom(inputs, outputs):
    return helper.make_node("Opaque", inputs, outputs, domain="test")


def distinct(shape, dtype, which):
    """Elements that occur nowhere else."""
    size = int(np.prod(shape))
    return (np.arange(size) + 1 + which * 8).reshape(shape).astype(DTYPES[dtype])


def model_of(cases):
    nodes = [n for c in cases for n in c.nodes]
    graph = helper.make_graph(
        nodes, "views", [i for c in cases for i in c.infos], [], [t for c in cases for t in c.initializers]
    )
    for case in cases:
        kind = case.infos[0].type.tensor_type.elem_type
        for name, array in case.arrays.items():
            graph.value_info.append(helper.make_tensor_value_info(name, kind, array.shape))
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid(d, v) for d, v in (("", 21), (MS, 1), ("test", 1))]
    )


class Tally:
    def __init__(self):
        self.nodes = self.views = self.missed = self.shifted = 0
        self.by, self.wrong = {}, []


def check_case(case, values, ids, dtype, tally):
    """Every pair of an operand and a result of which one lies in the other, in the plan or by its bytes."""
    tally.nodes += 1
    for operand, result in itertools.product(case.node.input, case.results):
        if operand not in case.arrays:
            continue
        o, r = values[ids[operand]], values[ids[result]]
        whole, part = sorted((operand, result), key=lambda name: -case.arrays[name].size)
        raw, piece = (pack(case.arrays[name], dtype).tobytes() for name in (whole, part))
        if o["storage"] != r["storage"]:
            tally.missed += piece in raw and len(piece) > 0
            continue
        at = values[ids[part]]["offset"] - values[ids[whole]]["offset"]
        step = max(1, DTYPES[dtype].itemsize)
        tally.views += 1
        tally.by[case.op] = tally.by.get(case.op, 0) + 1
        if at < 0 or raw[at : at + len(piece)] != piece:
            tally.wrong.append(f"{case.op} {case.node.attribute}: {part} is not at {at} of {whole}")
        elif len(piece) < len(raw):
            tally.shifted += 1
            beside = [raw[k : k + len(piece)] for k in (at + step, at - step) if k >= 0]
            if piece in beside:
                tally.wrong.append(f"{case.op}: {part} has no one place in {whole}")


def try_type(tenure, work, dtype, tally):
    kernels = Kernels()
    specs = [spec for kind in KINDS for shape in SHAPES for spec in kind(shape)]
    cases = [Case(number, dtype, spec) for number, spec in enumerate(specs)]
    for case in cases:
        case.evaluate(kernels)
    path = os.path.join(work, f"{dtype}.onnx")
    onnx.save(model_of(cases), path)
    done, plan = corpus.plan(tenure, path, OPTIONS)
    if plan is None:
        tally.wrong.append(f"no plan: {done.stderr.decode()[-500:]}")
        return
    ids = {v["name"]: k for k, v in enumerate(plan["values"])}
    for case in cases:
        check_case(case, plan["values"], ids, dtype, tally)


def main():
    tenure, work = sys.argv[1:3]
    os.makedirs(work, exist_ok=True)
    tally = Tally()
    for dtype in TYPES:
        try_type(tenure, work, dtype, tally)
    print("\n".join(tally.wrong[:20]))
    print(
        f"{tally.nodes} nodes, {tally.views} views at the right offset ("
        + ", ".join(f"{n} {op}" for op, n in sorted(tally.by.items()))
        + f"), {tally.shifted} would not be one element off; {tally.missed} parts in one piece are no views, "
        f"{len(tally.wrong)} wrong"
    )
    return 1 if tally.wrong or tally.views < LEAST_VIEWS or len(tally.by) < 7 else 0


if __name__ == "__main__":
    sys.exit(main())
