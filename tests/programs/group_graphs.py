"""Graphs at random that grow op by op, for made_groups.py. Every value is worked out as soon as there is one, so that the
next op gets numbers it is good for: no sum of rounding errors, no number so near to where a comparison or a rounding jumps
that another order of sums would decide otherwise.

A graph is its seed and its number of steps, so a shorter one is the beginning of a longer one.
"""

import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "operators"))

from packages import np, onnx  # ends with 77 where the packages are missing

from group_parts import Parts
from group_patterns import Patterns
from group_rows import Rows
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

OPSETS = [helper.make_opsetid("", 20)]
JUMPS = {"Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Equal", "Floor", "Ceil", "Round", "Sign", "QuantizeLinear", "Cast", "Hardmax",
         "ArgMax", "ArgMin", "ThresholdedRelu", "Shrink", "Mod"}
NORMS = {"LayerNormalization", "InstanceNormalization", "MeanVarianceNormalization", "LpNormalization"}
MOST_ELEMENTS, LARGEST = 6000, 500.0
UNSURE = {"e": 3e-2, "f": 1e-3, "d": 1e-6}  # by type: error that a value may have, by its largest number
AWAY = {"e": 4e-3, "f": 1e-5, "d": 2e-8}  # of programs, likewise; numbers of definitions have 32 bits
WIDTHS = (1, 2, 3, 5, 6, 7, 9, 11, 13, 17, 19, 23, 33, 35, 37, 41, 50, 67)


class Value:
    def __init__(self, name, array, exact):
        self.name, self.array, self.exact = name, array, exact  # exact: floats of 32 and 16 bits in 64
        self.readers = 0
        self.away = AWAY.get(array.dtype.char, 0.0)  # no less than that of what it was made of

    @property
    def dims(self):
        return list(self.array.shape)

    @property
    def rank(self):
        return self.array.ndim

    @property
    def kind(self):
        return self.array.dtype.kind

    @property
    def dtype(self):
        return self.array.dtype

    def within(self, low, high):
        return self.array.size > 0 and self.array.min() >= low and self.array.max() <= high

    def unsure(self):
        """How far the value is from what it would be without rounding."""
        if self.kind != "f" or self.array.size == 0:
            return 0.0
        return float(np.abs(self.array.astype(np.float64) - self.exact).max())


def evaluated(node, given):
    if node.op_type == "Erf":  # the evaluator's has 32 bits
        x = given[node.input[0]]
        return [np.vectorize(math.erf, otypes="d")(x).astype(x.dtype)]
    graph = helper.make_graph([node], "one", [onnx.ValueInfoProto(name=i) for i in given], [onnx.ValueInfoProto(name=o) for o in node.output if o])
    with np.errstate(all="ignore"):
        made = ReferenceEvaluator(helper.make_model(graph, opset_imports=OPSETS)).run(None, given)
    return [np.asarray(m) for m in made]


def widened(array):
    return array.astype(np.float64) if array.dtype.kind == "f" else array


class Graph(Parts, Patterns, Rows):
    def __init__(self, seed, prefix="", steps=None):
        self.rng = np.random.default_rng(seed)
        self.prefix = prefix
        self.nodes, self.inputs, self.constants, self.feeds, self.values = [], [], [], {}, []
        self.kept, self.outputs = {}, []  # values by name; names
        start = self.pick(*self.starts())
        wanted = self.pick(3, 4, 5, 6, 8, 10, 14)
        start()
        for _ in range(wanted if steps is None else min(steps, wanted)):
            self.step()
        self.steps = wanted
        self.finish()

    # ---- drawing ----

    def int(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def pick(self, *what):
        return what[self.int(0, len(what) - 1)]

    def chance(self, part):
        return bool(self.rng.random() < part)

    def numbers(self, dims, dtype=np.float32, within=(-2, 2)):
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return self.rng.integers(0, 2, dims).astype(dtype)
        if dtype.kind in "iu":
            limits = np.iinfo(dtype)
            wide = dtype.itemsize == 1
            return self.rng.integers(limits.min if wide else -9, limits.max + 1 if wide else 10, dims).astype(dtype)
        return self.rng.uniform(*within, dims).astype(dtype)

    # ---- building ----

    def hold(self, name, array):
        value = Value(name, array, widened(array))
        self.kept[name] = value
        return value

    def input(self, array):
        name = f"{self.prefix}x{len(self.inputs)}"
        self.inputs.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape))
        self.feeds[name] = array
        value = self.hold(name, array)
        self.values.append(value)
        return value

    def constant(self, array):
        name = f"{self.prefix}c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return self.hold(name, np.asarray(array))

    def constants_of(self, *numbers, dtype=np.int64):
        return self.constant(np.array(numbers, dtype))

    def number(self, x, dtype=np.float32):
        return self.constant(np.array(x, dtype))

    def given(self, array):
        """An operand of its own: data of the model, or an input."""
        return self.constant(array) if self.chance(0.6) else self.input(array)

    def op(self, op, operands, dims=None, **attributes):
        """The value, or None where its numbers are good for nothing, or the evaluator gives it others than these extents; then
        there is no such node."""
        if any(o is None for o in operands):
            return None
        names = [o if o == "" else o.name for o in operands]
        count = len(self.nodes)
        node = helper.make_node(op, names, [f"{self.prefix}y{count}"], name=f"{self.prefix}n{count}", **attributes)
        there = [o for o in operands if o != ""]
        try:
            made = evaluated(node, {o.name: o.array for o in there})[0]
        except Exception:  # no such op for the type, or the evaluator has none
            return None
        exact = self.exactly(node, there, made)
        value = Value(node.output[0], made, exact)
        if value.kind == "f":
            value.away = max(value.away, *(o.away for o in there))
        if dims not in (None, value.dims) or not self.is_good(node, there, value):
            return None
        self.nodes.append(node)
        for o in there:
            o.readers += 1
        self.values.append(value)
        self.kept[value.name] = value
        return value

    def exactly(self, node, operands, made):
        if made.dtype.kind != "f":
            return made
        try:
            found = evaluated(node, {o.name: o.exact for o in operands})[0]
        except Exception:  # not of this type
            found = made
        return widened(found) if found.shape == made.shape else widened(made)

    def is_good(self, node, operands, value):
        a = value.array
        if not 0 < a.size <= MOST_ELEMENTS or a.ndim > 6:
            return False
        if a.dtype.kind == "f":
            largest = float(np.abs(value.exact).max())
            if not largest < LARGEST or not value.unsure() <= UNSURE[a.dtype.char] * max(largest, 1e-3):
                return False
            if node.op_type in NORMS and largest < 0.05:  # what is left of numbers that are all the same
                return False
        elif a.dtype.itemsize >= 4 and a.dtype.kind != "b" and np.abs(a.astype(np.float64)).max() > 1 << 20:
            return False
        return node.op_type not in JUMPS or self.is_far_from_jumps(node, operands, value)

    def is_far_from_jumps(self, node, operands, value):
        if not operands or operands[0].kind != "f":
            return True
        first = operands[0]
        by = 2 * first.unsure() + 20 * first.away * float(np.abs(first.array).max())
        for sign in (-1, 1):
            moved = {o.name: o.exact if o.kind == "f" else o.array for o in operands}
            moved[first.name] = first.exact + sign * by
            try:
                there = evaluated(node, moved)[0]
            except Exception:
                return False
            jumped = np.abs(there.astype(np.float64) - value.array.astype(np.float64)) > (0 if value.kind != "f" else 4 * by)
            if jumped.any():
                return False
        return True

    # ---- a step, and the end ----

    def some(self, fits=lambda v: True):
        """One of the values, often the last, or one that nobody reads yet; None where there is none."""
        fitting = [v for v in self.values if fits(v)]
        if not fitting:
            return None
        unread = [v for v in fitting if v.readers == 0]
        return self.pick(*(fitting[-1:] * 2 + unread * 2 + fitting)) if unread else self.pick(*(fitting[-1:] * 3 + fitting))

    def step(self):
        for _ in range(8):
            if self.pick(*self.choices())() is not None:
                return

    def finish(self):
        made = {o for n in self.nodes for o in n.output}
        for v in self.values:
            if v.name in made and (v.readers == 0 or self.chance(0.12)):
                self.outputs.append(v.name)

    def tolerance(self, name):
        v = self.kept[name]
        if v.kind != "f":
            return 0.0
        return 16 * v.unsure() + v.away * max(0.1, float(np.abs(v.exact).max()))

    def text(self):
        """A line a node."""
        return [f"{n.output[0]}{self.kept[n.output[0]].dims} = {n.op_type}(" +
                ", ".join(f"{i}{self.kept[i].dims}" if i else "" for i in n.input) + ") " +
                " ".join(f"{a.name}={helper.get_attribute_value(a)}" for a in n.attribute) for n in self.nodes]


def model_of(graphs):
    """One model of graphs that have nothing to do with each other."""
    outputs = [onnx.ValueInfoProto(name=o) for g in graphs for o in g.outputs]
    proto = helper.make_graph([n for g in graphs for n in g.nodes], "groups", [i for g in graphs for i in g.inputs], outputs,
                              [c for g in graphs for c in g.constants])
    return helper.make_model(proto, opset_imports=OPSETS, ir_version=9)
