"""Kernels of ops: the reference evaluator of the onnx package, numpy where it is slow or lacks the op, and
stand-ins.

A stand-in has the types of the op and no meaning: its results are numbers made from every byte of its
operands, so a spoiled byte changes them. It stands for ops nobody implements here, and on request for
those that take long, since memory does not care what a kernel computes.
"""

import zlib

import numpy as np
import onnx
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

import formulas
from arena import DTYPES
from graphs import Unsupported

# Ops whose results nothing but their size is asked of, when time is short.
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
    "LRN",
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


class TooLong(Exception):
    """The time a model may take is over."""


def sized(planned):
    """Whether a result (None: nobody wants it) has a type a stand-in can have."""
    return planned is None or (planned["storage"] is not None and planned["dtype"] in DTYPES)


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
        dtype, shape = DTYPES[planned["dtype"]], planned["dims"]
        if dtype == np.bool_ or dtype.kind in "iu":
            results.append(rng.integers(0, 2, shape).astype(dtype))
        else:
            results.append(rng.uniform(-1, 1, shape).astype(dtype))
    return results


def attributes_of(node):
    return {a.name: helper.get_attribute_value(a) for a in node.attribute}


class Kernels:
    """`fast`: stand-ins for slow ops. `stood_in`: the ops they stood for."""

    def __init__(self, fast=False):
        self.fast = fast
        self.made = {}
        self.stood_in = set()
        self.last_stood_in = None

    def run(self, node, inputs, opsets, types):
        own = formulas.KERNELS.get(node.op_type)
        np.random.seed(1)
        self.last_stood_in = None
        if self.fast and node.op_type in SLOW and all(sized(planned) for planned in types):
            return self.stand_in(node, inputs, types)
        try:
            results = (
                own(attributes_of(node), inputs, len(node.output))
                if own is not None
                else self.evaluate(node, inputs, opsets)
            )
        except TooLong:
            raise
        except Exception as error:  # what no kernel takes is no fault of the plan
            shapes = [getattr(x, "shape", None) for x in inputs]
            return self.stand_in(node, inputs, types, f"{node.op_type}{shapes}: {str(error)[:80]}")
        if results is None:
            return self.stand_in(node, inputs, types)
        return self.as_planned(node, inputs, results, types)

    def evaluate(self, node, inputs, opsets):
        """The reference evaluator's results, None when it does not know the op."""
        evaluator = self.evaluator(node, opsets)
        if evaluator is None:
            return None
        if node.op_type.startswith("Random"):
            return None  # without a seed it draws other numbers each time
        feeds = {f"in{k}": v for k, v in enumerate(inputs) if node.input[k] != ""}
        named = iter(evaluator.run(None, feeds))
        return [next(named) if name else None for name in node.output]

    def as_planned(self, node, inputs, results, types):
        """The evaluator has quirks of its own (a float where the op gives a tensor, other element
        types); where its result has not the type that is planned, the stand-in has."""
        for result, planned in zip(results, types):
            if planned is None or planned["storage"] is None:
                continue
            array = np.asarray(result)
            if array.dtype != DTYPES[planned["dtype"]] or list(array.shape) != planned["dims"]:
                return self.stand_in(
                    node,
                    inputs,
                    types,
                    f"{node.op_type}: {array.dtype}{list(array.shape)} " f"for {planned['type']}",
                )
        return results

    def stand_in(self, node, inputs, types, why=None):
        self.stood_in.add(why or node.op_type)
        self.last_stood_in = why or "there is no kernel"
        if not all(sized(planned) for planned in types):
            raise Unsupported(f"no kernel for {why or node.op_type}, whose results have no known size")
        return stand_in(node, inputs, types)

    def evaluator(self, node, opsets):
        """A reference evaluator of the node alone, None when there is none for it."""
        key = node.SerializeToString()
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
