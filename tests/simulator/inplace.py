"""When a kernel may write over an operand that it reads: judged from what the ONNX documentation says of each op.

A claim for an op that is on no list here is not judged, but of the default domain it is wrong."""

import functools
import os
import sys

import onnx

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "execution"))

import groups
import inside  # what a unit of a result reads, from the definitions of the ops
import reads

# Element i of the result is made from element i of the operand; by op the operands that this is so of (None: all).
ELEMENTS = dict.fromkeys(
    "Abs Acos Acosh Add And Asin Asinh Atan Atanh BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Cast Ceil Celu Cos Cosh "
    "Div Elu Equal Erf Exp Floor Gelu Greater GreaterOrEqual HardSigmoid HardSwish Identity IsInf IsNaN LeakyRelu Less "
    "LessOrEqual Log Max Mean Min Mish Mod Mul Neg Not Or PRelu Pow Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh Softplus "
    "Softsign Sqrt Sub Sum SwiGLU Swish Tan Tanh ThresholdedRelu Where Xor Affine ImageScaler ParametricSoftplus ScaledTanh Scale".split())
ELEMENTS.update(dict.fromkeys("BatchNormalization Bernoulli CastLike Clip DequantizeLinear Dropout DynamicQuantizeLinear "
                              "QuantizeLinear Trilu Binarizer Imputer Normalizer Scaler".split(), (0,)))
# A row or a group is read as a whole and written: operand 0.
ROWS = set("Softmax LogSoftmax Hardmax LayerNormalization RMSNormalization InstanceNormalization GroupNormalization "
           "LpNormalization MeanVarianceNormalization CumSum CumProd LRN RotaryEmbedding SimplifiedLayerNormalization "
           "ReverseSequence TopK BatchNormalization DynamicQuantizeLinear".split())
PRODUCTS = {"FusedMatMul", "TransposeMatMul", "FusedGemm", "MatMulNBits", "Attention"}  # of com.microsoft
UPDATES = {"ScatterND": {0: 0}, "ScatterElements": {0: 0}, "Scatter": {0: 0}, "TensorScatter": {0: 0},
           "BatchNormalization": {1: 3, 2: 4}}  # op: {result: operand}


def is_defined(node):
    """Whether ONNX itself defines the op of a step."""
    return node["domain"] in ("", "ai.onnx") and onnx.defs.has(node["op"])


def is_strange(node):
    """Whether the op is one of which nothing is written down, or calls out: it promises nothing but by facts."""
    known = node["domain"] in ("", "ai.onnx", "ai.onnx.ml", "ai.onnx.training", "ai.onnx.preview.training", "com.microsoft")
    return not known and (node["domain"], node["op"]) not in documented() or node["op"] == "YieldOp"


@functools.cache
def documented():
    """(domain, name) of the ops that docs/generated/OPS.md has."""
    domain, found = "", set()
    with open(os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "docs", "generated", "OPS.md"), encoding="utf-8") as f:
        for line in f:
            if line.startswith("## "):
                domain = line[3:].split(":")[0]
            elif line.startswith("| `"):
                found.add((domain, line.split("`")[1]))
    return found


class Judge:
    def __init__(self):
        self.trusted = {}

    def trust(self, node, promise):
        key = f"{node['domain']}::{node['op']} {promise}"
        self.trusted[key] = self.trusted.get(key, 0) + 1

    def wrong(self, plan, graph, step, claim):
        """None, or what is wrong with a claim for a result and an operand that have bytes in common."""
        node, promise = step["nodes"][-1], claim["promise"]
        operand = plan.values[step["operands"][claim["operand"]]]
        result = plan.values[step["results"][claim["result"]]]
        if groups.is_own(step):
            return groups.wrong_claim(plan, graph, step, claim, self.trust)
        if "fused" in step or not is_defined(node):
            if is_strange(node) and not plan.facts:
                return "nobody knows the op"
            if node["op"] in PRODUCTS:
                return "an element of a product reads a row and a column"
            if promise in ("elements", "rows") and operand.dims != result.dims:
                return "their extents differ: the operand is broadcast"
            self.trust(node, promise)
            return None
        if promise == "definition":
            return "the op does not make both one buffer"
        if promise.startswith("overlap-"):
            return self.wrong_overlap(plan, graph, step, claim, operand, result)
        if operand.lo != result.lo:
            return "they do not begin at one address"
        if promise == "update":
            return None if UPDATES.get(node["op"], {}).get(claim["result"]) == claim["operand"] and operand.bytes == result.bytes \
                else "the op does not update this operand"
        if operand.dims != result.dims or operand.row.get("strides") != result.row.get("strides"):
            return "their extents differ: the operand is broadcast"
        if promise == "rows":
            return None if node["op"] in ROWS else "the op does not go by rows"
        if node["op"] not in ELEMENTS or ELEMENTS[node["op"]] is not None and claim["operand"] not in ELEMENTS[node["op"]]:
            return "the op does not go element by element"
        widths = {"elements": operand.item == result.item and operand.row["dtype"] is not None and operand.bytes == result.bytes,
                  "ascending": result.bytes < operand.bytes, "descending": result.bytes > operand.bytes}
        return None if widths[promise] else "elements have another width"

    def wrong_overlap(self, plan, graph, step, claim, operand, result):
        """The distance has to be enough for the order, by what an element of the result reads."""
        proto = graph.nodes[step["nodes"][0]["index"]]
        shapes = [None if v is None else tuple(plan.values[v].dims) for v in step["operands"]]
        attributes = {a["name"]: next(x for k, x in a.items() if k != "name") for a in step["attributes"]}
        node = reads.Node(proto.op_type, attributes, step["nodes"][0]["version"], shapes, result.dims,
                          lambda k: graph.known(proto.input[k]))
        order = claim["promise"][len("overlap-"):]
        found = inside.distance(node, claim["operand"], result.row, operand.row, order, (result.item, operand.item))
        if found is None:
            self.trust(step["nodes"][0], claim["promise"])
            return None
        return None if operand.lo - result.lo >= found[0] else \
            f"it begins {operand.lo - result.lo} bytes behind the result, and {found[0]} are needed"
