"""A small graph builder: nodes are appended in order, weights are only described.

Weights are written as external tensors of a file that is not shipped ("<model>.weights"), which keeps a
model to the size of its graph while every type and shape stays what it is in the real network. Small
integer tensors that shapes depend on are written into the model.
"""

import math
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
PRODUCER = "tenure-examples"


class Net:
    def __init__(self, name, opset, ir_version=8, extra_opsets=()):
        self.name = name
        self.opsets = [helper.make_opsetid("", opset)]
        self.opsets += [helper.make_opsetid(d, v) for d, v in extra_opsets]
        self.ir_version = ir_version
        self.nodes, self.inputs, self.outputs, self.initializers = [], [], [], []
        self.stored = []
        self.weight_bytes = 0
        self.counts = {}

    def input(self, name, shape, dtype=FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, dtype, shape))
        return name

    def output(self, name, shape, dtype=FLOAT):
        self.outputs.append(helper.make_tensor_value_info(name, dtype, shape))

    def value_info(self, name, shape, dtype=FLOAT):
        self.stored.append(helper.make_tensor_value_info(name, dtype, shape))

    def weight(self, name, shape):
        """A float tensor whose payload is left out."""
        t = TensorProto(name=name, data_type=FLOAT, dims=shape, data_location=TensorProto.EXTERNAL)
        length = 4 * math.prod(shape)
        for key, value in (("location", self.name + ".weights"), ("offset", self.weight_bytes),
                           ("length", length)):
            t.external_data.add(key=key, value=str(value))
        self.weight_bytes += length
        self.initializers.append(t)
        return name

    def const(self, name, values, dtype=np.int64):
        self.initializers.append(numpy_helper.from_array(np.array(values, dtype=dtype), name))
        return name

    def node(self, op, inputs, outputs=1, name=None, domain="", **attrs):
        """Appends a node; returns its result name, or the list of them."""
        if name is None:
            n = self.counts.get(op, 0)
            self.counts[op] = n + 1
            name = f"{op}_{n}"
        if isinstance(outputs, int):
            outputs = [f"{name}_output_{i}" for i in range(outputs)]
        self.nodes.append(
            helper.make_node(op, inputs, outputs, name=name, domain=domain, **attrs))
        return outputs[0] if len(outputs) == 1 else outputs

    def save(self, folder):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs,
                                  self.initializers, value_info=self.stored)
        model = helper.make_model(graph, opset_imports=self.opsets, producer_name=PRODUCER)
        model.ir_version = self.ir_version
        with open(os.path.join(folder, self.name + ".onnx"), "wb") as f:
            f.write(model.SerializeToString(deterministic=True))


def conv(net, x, cin, cout, k, stride=1, pad=0, group=1, name=None, bias=True):
    kh, kw = (k, k) if isinstance(k, int) else k
    pads = [pad] * 4 if isinstance(pad, int) else list(pad)
    strides = [stride] * 2 if isinstance(stride, int) else list(stride)
    name = name or f"Conv_{net.counts.get('Conv', 0)}"
    net.counts["Conv"] = net.counts.get("Conv", 0) + 1
    ins = [x, net.weight(name + ".weight", [cout, cin // group, kh, kw])]
    if bias:
        ins.append(net.weight(name + ".bias", [cout]))
    return net.node("Conv", ins, name=name, dilations=[1, 1], group=group, kernel_shape=[kh, kw],
                    pads=pads, strides=strides)


def batch_norm(net, x, c, name):
    ins = [x] + [net.weight(f"{name}.{p}", [c])
                 for p in ("weight", "bias", "running_mean", "running_var")]
    return net.node("BatchNormalization", ins, name=name, epsilon=1e-5, momentum=0.9)


def gemm(net, x, cin, cout, name):
    return net.node("Gemm", [x, net.weight(name + ".weight", [cout, cin]),
                             net.weight(name + ".bias", [cout])], name=name, alpha=1.0, beta=1.0,
                    transB=1)
