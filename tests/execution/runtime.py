"""Single nodes run by ONNX Runtime, where its package is there (tests/requirements.txt).

Its kernels are real ones: for ops of com.microsoft the only word on what they compute that is not ours.
One thread, no graph optimisation, operands at addresses of equal alignment: the same bits in every run.
"""

import numpy as np
import onnx
from onnx import TensorProto, helper

try:
    import onnxruntime
except ImportError:
    onnxruntime = None

ALIGN = 64
SHIPPED = {"", "ai.onnx.ml", "com.microsoft", "com.microsoft.nchwc"}  # domains it has kernels for
# What draws numbers draws others in the next run of the same session.
DRAWING = {"Bernoulli", "Multinomial", "BiasDropout", "BitmaskDropout", "BitmaskBiasDropout"}


def is_there():
    return onnxruntime is not None


def version():
    return onnxruntime.__version__ if is_there() else None


def aligned(array):
    """The array in memory that starts at a multiple of ALIGN; vector code takes other ways elsewhere."""
    space = np.empty(array.nbytes + ALIGN, np.uint8)
    start = -space.ctypes.data % ALIGN
    copy = space[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def is_taken(value):
    """Whether a value can be handed over: arrays of numpy's own types, strings, lists of arrays."""
    if isinstance(value, list):
        return all(map(is_taken, value))
    return value is None or (isinstance(value, np.ndarray) and value.dtype.kind in "biufcO")


def element_type(value):
    return TensorProto.STRING if value.dtype.kind == "O" else helper.np_dtype_to_tensor_dtype(value.dtype)


def type_of(name, value, shaped=False):
    """The ValueInfoProto of an operand: a tensor, or a list of tensors."""
    if isinstance(value, list):
        inner = helper.make_tensor_type_proto(element_type(value[0]) if value else TensorProto.FLOAT, None)
        return helper.make_value_info(name, helper.make_sequence_type_proto(inner))
    return helper.make_tensor_value_info(name, element_type(value), value.shape if shaped else None)


def handed(value):
    if isinstance(value, list):
        return [aligned(v) for v in value]
    return aligned(value) if value.dtype.kind != "O" else value


def draws(node, inputs):
    dropping = node.op_type == "Dropout" and len(inputs) > 2 and inputs[2] is not None
    return node.op_type in DRAWING or node.op_type.startswith("Random") or dropping


class Sessions:
    """Sessions of one node each, kept by node and operand types; None for a node without a kernel."""

    def __init__(self):
        self.made = {}

    def run(self, node, inputs, opsets):
        """Results by output, None for those nobody wants; None when it has no kernel for the node."""
        domain = "" if node.domain == "ai.onnx" else node.domain
        if not is_there() or domain not in SHIPPED or draws(node, inputs):
            return None
        if not all(map(is_taken, inputs)):
            return None
        given = [(f"in{k}", v) for k, v in enumerate(inputs) if node.input[k] != "" and v is not None]
        session = self.session(node, domain, [type_of(name, v) for name, v in given], opsets)
        if session is None:  # few ops want to know shapes before
            session = self.session(node, domain, [type_of(name, v, True) for name, v in given], opsets)
        if session is None:
            return None
        feeds = {name: handed(v) for name, v in given}
        named = iter(session.run(None, feeds))
        return [next(named) if name else None for name in node.output]

    def session(self, node, domain, infos, opsets):
        key = (node.SerializeToString(), tuple(i.SerializeToString() for i in infos))
        if key not in self.made:
            self.made[key] = make(node, domain, infos, opsets)
        return self.made[key]


def make(node, domain, infos, opsets):
    """None when it takes no such node."""
    alone = onnx.NodeProto()
    alone.CopyFrom(node)
    alone.domain = domain
    names = {i.name for i in infos}
    del alone.input[:]
    alone.input.extend(f"in{k}" if f"in{k}" in names else "" for k in range(len(node.input)))
    outputs = [onnx.ValueInfoProto(name=n) for n in alone.output if n]
    imports = dict(opsets)
    imports.setdefault(domain, 1)
    graph = helper.make_graph([alone], "one", infos, outputs)
    model = helper.make_model(
        graph, ir_version=10, opset_imports=[helper.make_opsetid(d, v) for d, v in imports.items()]
    )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.use_deterministic_compute = True
    try:
        return onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
    except Exception:  # no kernel, no such version, types it does not take
        return None
