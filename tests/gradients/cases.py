"""One case of an operator: a small model round one node, and how its gradient is compared with central differences."""

import dataclasses
import itertools
import zlib

import numpy as np
import onnx
from evaluate import Evaluator
from onnx import TensorProto, helper, numpy_helper

STEP = {np.float64: 1e-6}
MOST_ELEMENTS = 48  # of an operand that are moved one by one; of larger ones so many, drawn
DIRECTIONS = 3  # in which the whole operand is moved besides


class Fixed:
    """An operand that is a constant of the model and gets no gradient."""

    def __init__(self, array, dtype=None):
        self.array = np.asarray(array, dtype)


class Input(Fixed):
    """The same, but an input."""


@dataclasses.dataclass
class Case:
    op: str
    operands: list
    attributes: dict
    domain: str = ""
    opsets: tuple = ()  # the newest when empty
    outputs: int = 1
    used: tuple = (0,)  # results that the loss depends on
    named: tuple = ()  # further results that are named
    captured: tuple = ()  # operands that are none: bodies of the node read them
    wrt: tuple = ()  # operands; all floating ones when empty
    single: bool = True  # also run in single precision by ONNX Runtime
    options: str = ""  # more of autodiff
    checked: bool = True  # by the onnx package, which is wrong about some
    tolerance: float = 2e-6
    beside: int = 0  # elements of a result that stands beside those of the op, of which the largest may decide a form
    repeat: dict = dataclasses.field(default_factory=dict)  # operand -> the operand that is the same value
    refused: dict = dataclasses.field(default_factory=dict)  # opset -> pattern of the message; 0: of all
    note: str = ""

    def __str__(self):
        shapes = ",".join("-" if o is None else str(list(array_of(o).shape)) for o in self.operands)
        attributes = "".join(f" {k}={v if not hasattr(v, 'node') else v.name}" for k, v in self.attributes.items())
        return f"{self.domain + '.' if self.domain else ''}{self.op}({shapes}){attributes}{f' beside {self.beside}' if self.beside else ''}{' ' + self.note if self.note else ''}"


def array_of(operand):
    return operand.array if isinstance(operand, Fixed) else operand


def rng_of(text):
    return np.random.Generator(np.random.PCG64(zlib.crc32(text.encode())))


_counter = itertools.count()


def spaced(*shape, low=-2.0, high=2.0):
    """Numbers none of which are near each other or near 0 (unless low does), in an order drawn."""
    n = int(np.prod(shape))
    rng = np.random.Generator(np.random.PCG64(next(_counter)))
    values = low + (high - low) * (rng.permutation(n) + 0.5 + rng.uniform(-0.2, 0.2, n)) / max(n, 1)
    return values.reshape(shape)


def positive(*shape):
    return spaced(*shape, low=0.4, high=2.2)


def typed(operand, dtype):
    array = np.asarray(array_of(operand))
    return array.astype(dtype) if array.dtype == np.float64 else array


def model_of(case, opset, dtype=np.float64):
    """(model, feeds, names to differentiate). The loss is the sum of the results, each times constants drawn."""
    rng = rng_of(str(case))
    names, feeds, constants, wrt = [], {}, [], []
    for k, operand in enumerate(case.operands):
        if operand is None or k in case.repeat:
            names.append(f"x{case.repeat[k]}" if k in case.repeat else "")
            continue
        if k not in case.captured:
            names.append(f"x{k}")
        array = typed(operand, dtype)
        if isinstance(operand, Fixed) and not isinstance(operand, Input):
            constants.append(numpy_helper.from_array(array, f"x{k}"))
        else:
            feeds[f"x{k}"] = array
        wanted = k in case.wrt if case.wrt else array.dtype == dtype and not isinstance(operand, Fixed)
        if wanted:
            wrt.append(f"x{k}")
    results = [f"y{k}" if k in case.used or k in case.named else "" for k in range(case.outputs)]
    node = helper.make_node(case.op, names, results, name="node", domain=case.domain, **case.attributes)
    imports = [helper.make_opsetid("", opset)]
    if case.domain:
        imports.append(helper.make_opsetid(case.domain, 1))
    shapes = shapes_of(node, feeds, constants, imports, results)
    nodes, terms = [node], []
    for k in case.used:
        weights = rng.uniform(-1, 1, shapes[f"y{k}"]).astype(dtype)
        constants.append(numpy_helper.from_array(weights, f"weights{k}"))
        nodes.append(helper.make_node("Mul", [f"y{k}", f"weights{k}"], [f"weighted{k}"]))
        nodes.append(helper.make_node("ReduceSum", [f"weighted{k}"], [f"term{k}"], keepdims=0))
        terms.append(f"term{k}")
    if case.beside:
        constants += [numpy_helper.from_array(np.full(1, 1 / case.beside, dtype), "one"), numpy_helper.from_array(np.array([case.beside]), "many")]
        nodes += [helper.make_node("Expand", ["one", "many"], ["beside"]), helper.make_node("ReduceSum", ["beside"], ["term"], keepdims=0)]
        terms.append("term")
    loss = terms[0]
    for k, term in enumerate(terms[1:]):
        nodes.append(helper.make_node("Add", [loss, term], [f"sum{k}"]))
        loss = f"sum{k}"
    infos = [info(name, array) for name, array in feeds.items()]
    out = helper.make_tensor_value_info(loss, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), [])
    graph = helper.make_graph(nodes, "case", infos, [out], constants)
    return helper.make_model(graph, opset_imports=imports, ir_version=10), feeds, loss, wrt


def info(name, array):
    kind = TensorProto.STRING if array.dtype.kind == "O" else helper.np_dtype_to_tensor_dtype(array.dtype)
    return helper.make_tensor_value_info(name, kind, array.shape)


def shapes_of(node, feeds, constants, imports, results):
    """Extents of the results, by running the node."""
    outs = [onnx.ValueInfoProto(name=r) for r in results if r]
    graph = helper.make_graph([node], "one", [info(n, a) for n, a in feeds.items()], outs, constants)
    found = Evaluator(helper.make_model(graph, opset_imports=imports, ir_version=10))(feeds)
    return {name: np.shape(value) for name, value in found.items()}


def differences(evaluate, feeds, name, loss, rng, step=1e-6):
    """[(direction, slope)] of the loss along directions of one input: elements and drawn ones."""
    base = feeds[name]
    size = base.size
    chosen = range(size) if size <= MOST_ELEMENTS else rng.choice(size, MOST_ELEMENTS, replace=False)
    directions = [np.eye(1, size, k).reshape(base.shape) for k in chosen]
    directions += [rng.standard_normal(base.shape) for _ in range(DIRECTIONS if size > 1 else 0)]
    found = []
    for direction in directions:
        ends = [float(evaluate({**feeds, name: np.asarray(base + sign * step * direction)})[loss]) for sign in (1, -1)]
        found.append((direction, (ends[0] - ends[1]) / (2 * step)))
    return found


def largest_error(gradient, found):
    """Of <gradient, direction> against the slopes, relative to the largest slope or 1."""
    scale = max([1.0] + [abs(slope) for _, slope in found])
    errors = [abs(float((gradient * direction).sum()) - slope) for direction, slope in found]
    return max(errors, default=0.0) / scale
