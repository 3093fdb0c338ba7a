"""Kernels of ops: the reference evaluator of the onnx package, ONNX Runtime, numpy where both are wrong or
lack the op, and stand-ins.

A stand-in has the types of the op and no meaning: its results are numbers made from every byte of its
operands, so a spoiled byte changes them. It stands for ops nobody implements here, and on request for
those that take long, since memory does not care what a kernel computes.
"""

import collections
import hashlib
import zlib

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper
from onnx.reference import ReferenceEvaluator

import formulas
import runtime
from arena import DTYPES, same_bytes
from graphs import Unsupported

# Ops the reference evaluator takes long for: ONNX Runtime, or else a stand-in, when time is short. LRN is none of them:
# ONNX Runtime keeps a running sum, in which bytes that are gone stay for ever.
SLOW = {
    "Conv",
    "ConvTranspose",
    "MatMul",
    "Gemm",
    "LSTM",
    "GRU",
    "RNN",
    "MaxPool",
    "AveragePool",
    "Resize",
    "Upsample",
    "Einsum",
    "ConvInteger",
    "MatMulInteger",
    "QLinearConv",
    "QLinearMatMul",
    "GlobalAveragePool",
    "BatchNormalization",
    "InstanceNormalization",
    "LpPool",
    "GridSample",
    "RoiAlign",
    "STFT",
    "DFT",
    "Attention",
    "NonMaxSuppression",
}
# Loops in Python there, element by element: ONNX Runtime is asked first.
LOOPS = {"AveragePool", "LpPool", "MaxPool"}


class TooLong(Exception):
    """The time a model may take is over."""


def sized(planned):
    """Whether a result (None: nobody wants it) has a type a stand-in can have."""
    return planned is None or (planned["storage"] is not None and planned["dtype"] in DTYPES)


def is_number(extent):
    """Else it is one that data give."""
    return isinstance(extent, int) and extent >= 0


def stand_in(node, inputs, types):
    """Results of the planned types, made from the operands' bytes."""
    seed = zlib.crc32(f"{node.domain}.{node.op_type}".encode())
    for value in inputs:
        if isinstance(value, np.ndarray):
            raw = np.ascontiguousarray(value)
            seed = zlib.crc32(raw.tobytes(), zlib.crc32(str(raw.shape).encode(), seed))
    rng = np.random.Generator(np.random.PCG64(seed))
    results = []
    for planned in types:
        if planned is None:
            results.append(None)
            continue
        dtype, shape = DTYPES[planned["dtype"]], [d if is_number(d) else 1 for d in planned["dims"]]
        if dtype == np.bool_ or dtype.kind in "iu":
            results.append(rng.integers(0, 2, shape).astype(dtype))
        else:
            results.append(rng.uniform(-1, 1, shape).astype(dtype))
    return results


def quirk_of(node, results, types):
    """How a result differs from what is planned: evaluators have quirks (a float where the op gives a
    tensor, other element types)."""
    for result, planned in zip(results, types):
        if planned is None or planned["storage"] is None:
            continue
        array = np.asarray(result)
        fits = len(array.shape) == len(planned["dims"]) and all(
            p == d or not is_number(p) for p, d in zip(planned["dims"], array.shape))
        if array.dtype != DTYPES[planned["dtype"]] or not fits:
            return f"{node.op_type}: {array.dtype}{list(array.shape)} for {planned['type']}"
    return None


def defaults(op, domain, version):
    """name -> AttributeProto of what the op takes for attributes that a node leaves out."""
    try:
        known = onnx.defs.get_schema(op, version, domain).attributes
    except onnx.defs.SchemaError:
        return {}
    return {name: a.default_value for name, a in known.items() if a.default_value.type}


def completed(node, opsets):
    """The node with the defaults of its version where these are not those of the newest, which evaluators take, and
    without attributes that say nothing."""
    domain = "" if node.domain == "ai.onnx" else node.domain
    own = defaults(node.op_type, domain, opsets.get(domain, 1))
    newest = defaults(node.op_type, domain, onnx.defs.onnx_opset_version() if domain == "" else 1)
    given = {a.name: a for a in node.attribute if a.type != AttributeProto.UNDEFINED}
    for name, default in own.items():
        if default != newest.get(name):
            given.setdefault(name, default)
        elif given.get(name) == default:
            del given[name]
    full = onnx.NodeProto()
    full.CopyFrom(node)
    del full.attribute[:]
    full.attribute.extend(given.values())
    return full


def attributes_of(node):
    return {a.name: helper.get_attribute_value(a) for a in node.attribute}


FORMULA, REFERENCE, RUNTIME, STAND_IN = "numpy", "reference", "onnxruntime", "stand-in"
MOST_KEPT = 1 << 29  # bytes of results that are kept, and of large operands
SMALL, LARGE = 1 << 8, 1 << 12  # bytes of operands that stand for themselves, and of those


def digest(raw):
    return hashlib.blake2b(raw, digest_size=16).digest()


class Kept:
    """Results by node and bytes of operands, from which they follow: the plans of a model ask for the same again and
    again. Large operands, too, weights above all, are kept, and have a number: comparing takes a tenth of the time of a
    digest."""

    def __init__(self):
        self.results, self.bytes, self.met = {}, 0, 0
        self.large, self.large_bytes, self.numbers = {}, 0, 0  # type, shape, first bytes -> [(bytes, number)]

    def content(self, x):
        """Equal for equal operands; None for what has no plain bytes."""
        if x is None:
            return ()
        if not isinstance(x, np.ndarray) or x.dtype.kind == "O":
            return None
        if x.nbytes <= SMALL:
            return x.dtype, x.shape, x.tobytes()
        raw, kind = np.ascontiguousarray(x).reshape(-1).view(np.uint8), (x.dtype, x.shape)
        return *kind, digest(raw) if raw.size < LARGE else self.number(raw, kind)

    def number(self, raw, kind):
        alike = self.large.setdefault((kind, raw[:64].tobytes()), [])
        for other, number in alike:
            if same_bytes(raw, other):
                return number
        if self.large_bytes + raw.size > MOST_KEPT:
            return digest(raw)
        self.large_bytes += raw.size
        self.numbers += 1
        alike.append((raw.copy(), self.numbers))
        return self.numbers

    def key(self, node, inputs, opsets, types):
        contents = [self.content(x) for x in inputs]
        if None in contents:
            return None
        planned = [None if t is None else (t["storage"] is None, t["dtype"], tuple(t["dims"])) for t in types]
        return node.SerializeToString(), opsets.get(node.domain), tuple(contents), tuple(planned)

    def find(self, key):
        found = self.results.get(key)
        self.met += found is not None
        return found

    def add(self, key, results, why):
        arrays = [r for r in results if r is not None]
        if key is None or not all(isinstance(r, np.ndarray) and r.dtype.kind != "O" for r in arrays):
            return
        size = sum(r.nbytes for r in arrays)
        if self.bytes + size > MOST_KEPT:
            return
        self.bytes += size
        own = [None if r is None else np.array(r, order="C") for r in results]
        for r in own:
            if r is not None:
                r.flags.writeable = False
        self.results[key] = own, why


class Kernels:
    """`fast`: no slow kernels. `keep`: results, which then nobody may write to. `ran`: evaluator -> op -> how often it
    ran. `stood_in`: what stand-ins stood for, and why."""

    def __init__(self, fast=False, keep=False):
        self.kept = Kept() if keep else None
        self.fast = fast
        self.made = {}
        self.completed = {}
        self.sessions = runtime.Sessions()
        self.ran = collections.defaultdict(collections.Counter)
        self.stood_in = set()
        self.last_stood_in = None

    def evaluators(self, node):
        """Who is asked for the results, one after another."""
        formula = [FORMULA] if formulas.find(node) else []
        if node.domain not in ("", "ai.onnx"):
            return [RUNTIME, *formula, REFERENCE]
        if self.fast and node.op_type in SLOW:
            return [RUNTIME]
        return [*formula, RUNTIME, REFERENCE] if node.op_type in LOOPS else [*formula, REFERENCE, RUNTIME]

    def run(self, node, inputs, opsets, types):
        """Results of the planned types."""
        if self.kept is None:
            return self.run_once(node, inputs, opsets, types)
        key = self.kept.key(node, inputs, opsets, types)
        found = self.kept.find(key) if key is not None else None
        if found is not None:
            self.last_stood_in = found[1]
            return found[0]
        results = self.run_once(node, inputs, opsets, types)
        self.kept.add(key, results, self.last_stood_in)
        return results

    def run_once(self, node, inputs, opsets, types):
        self.last_stood_in = None
        why = None
        node = self.complete(node, opsets)
        for who in self.evaluators(node):
            try:
                results = self.ask(who, node, inputs, opsets)
            except TooLong:
                raise
            except Exception as error:  # what no kernel takes is no fault of the plan
                shapes = [getattr(x, "shape", None) for x in inputs]
                why = why or f"{node.op_type}{shapes}: {str(error)[:80]}"
                continue
            quirk = None if results is None else quirk_of(node, results, types)
            why = why or quirk
            if results is not None and quirk is None:
                self.ran[who][node.op_type] += 1
                return results
        return self.stand_in(node, inputs, types, why)

    def forget(self):
        """What is kept, where nobody will ask for it again."""
        self.kept = Kept()

    def complete(self, node, opsets):
        key = (node.SerializeToString(), opsets.get(node.domain))
        if key not in self.completed:
            self.completed[key] = completed(node, opsets)
        return self.completed[key]

    def ask(self, who, node, inputs, opsets):
        """Results by output, of one evaluator; None when it does not know the op."""
        np.random.seed(1)
        if who == FORMULA:
            own = formulas.find(node)
            return own(attributes_of(node), inputs, len(node.output)) if own else None
        if who == RUNTIME:
            return self.sessions.run(node, inputs, opsets)
        return self.refer(node, inputs, opsets)

    def refer(self, node, inputs, opsets):
        evaluator = self.evaluator(node, opsets)
        seeded = any(a.name == "seed" for a in node.attribute) and not node.op_type.startswith("Random")
        if evaluator is None or (runtime.draws(node, inputs) and not seeded):
            return None  # without a seed it draws other numbers each time
        alone = evaluator.rt_nodes_[0]
        if alone.need_context() or alone.has_linked_attribute:
            feeds = {f"in{k}": v for k, v in enumerate(inputs) if node.input[k] != ""}
            named = iter(evaluator.run(None, feeds))
            return [next(named) if name else None for name in node.output]
        made = dict(zip(node.output, alone.run(*(v if name else None for v, name in zip(inputs, node.input)))))
        return [made[name] if name else None for name in node.output]

    def stand_in(self, node, inputs, types, why=None):
        self.stood_in.add(why or node.op_type)
        self.ran[STAND_IN][node.op_type] += 1
        self.last_stood_in = why or "there is no kernel"
        if not all(sized(planned) for planned in types):
            raise Unsupported(f"no kernel for {why or node.op_type}, whose results have no known size")
        return stand_in(node, inputs, types)

    def evaluator(self, node, opsets):
        """A reference evaluator of the node alone, None when there is none for it."""
        key = (node.SerializeToString(), opsets.get(node.domain))
        if key not in self.made:
            self.made[key] = self.make(node, opsets)
        return self.made[key]

    @staticmethod
    def make(node, opsets):
        alone = onnx.NodeProto()
        alone.CopyFrom(node)
        alone.domain = "" if node.domain == "ai.onnx" else node.domain
        del alone.input[:]
        alone.input.extend(f"in{k}" if name else "" for k, name in enumerate(node.input))
        feeds = [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in alone.input if n]
        outs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in alone.output if n]
        imports = [helper.make_opsetid(d, v) for d, v in opsets.items()]
        if alone.domain not in opsets:
            imports.append(helper.make_opsetid(alone.domain, 1))
        model = helper.make_model(helper.make_graph([alone], "one", feeds, outs), opset_imports=imports)
        try:
            return ReferenceEvaluator(model)
        except Exception:  # ops it does not know raise many things
            return None
