"""A training step of a small CNN, written as ONNX Runtime's training exporter writes one: parameters
are inputs, gradients are called <value>_grad, pieces of a summed gradient <value>_grad_0, ..., nodes of
the backward part <forward node>_Grad/<op>_<n>, and the seed is the initializer <loss>_grad."""

import numpy as np
from net import FLOAT, INT64, Net

MS = "com.microsoft"


def train_cnn():
    """Two convolutions with a residual connection, pooling and a classifier; SGD updates each
    parameter at the end."""
    batch, classes = 16, 10
    net = Net("train_cnn", 17, extra_opsets=((MS, 1),))
    x = net.input("input", [batch, 3, 32, 32])
    labels = net.input("labels", [batch], INT64)
    shapes = {"conv1.weight": [16, 3, 3, 3], "conv1.bias": [16], "conv2.weight": [16, 16, 3, 3],
              "conv2.bias": [16], "fc.weight": [classes, 16 * 16 * 16], "fc.bias": [classes]}
    for name, shape in shapes.items():
        net.input(name, shape)
    rate = net.input("learning_rate", [1])

    window = dict(auto_pad="NOTSET", dilations=[1, 1], group=1, kernel_shape=[3, 3],
                  pads=[1, 1, 1, 1], strides=[1, 1])

    # forward
    def fwd(op, ins, name, outs=None, **attrs):
        outs = outs or [f"{name}_output_0"]
        net.node(op, ins, outs, name=name, **attrs)
        return outs[0]

    c1 = fwd("Conv", [x, "conv1.weight", "conv1.bias"], "/conv1/Conv", **window)
    r1 = fwd("Relu", [c1], "/relu1/Relu")
    c2 = fwd("Conv", [r1, "conv2.weight", "conv2.bias"], "/conv2/Conv", **window)
    s = fwd("Add", [c2, r1], "/Add")
    r2 = fwd("Relu", [s], "/relu2/Relu")
    pool = fwd("MaxPool", [r2], "/pool/MaxPool", ["/pool/MaxPool_output_0", "/pool/MaxPool_indices"],
               kernel_shape=[2, 2], strides=[2, 2])
    shape = fwd("Shape", [pool], "/Flatten_Grad/Shape_0", ["/Flatten_Grad/input_shape"])
    flat = fwd("Flatten", [pool], "/Flatten", axis=1)
    fwd("Gemm", [flat, "fc.weight", "fc.bias"], "/fc/Gemm", ["output"], alpha=1.0, beta=1.0,
        transB=1)
    net.node("SoftmaxCrossEntropyLoss", ["output", labels], ["loss", "log_prob"], name="loss_fn",
             reduction="mean")

    # backward
    def bwd(op, ins, outs, name, domain="", **attrs):
        net.node(op, ins, outs, name=name, domain=domain, **attrs)

    net.const("loss_grad", 1.0, np.float32)
    bwd("SoftmaxCrossEntropyLossGrad", ["loss_grad", "log_prob", labels], ["output_grad"],
        "loss_fn_Grad/SoftmaxCrossEntropyLossGrad_0", MS, reduction="mean")
    axes = net.const("/fc/Gemm_Grad/ReduceAxes", [0])
    bwd("ReduceSum", ["output_grad", axes], ["/fc/Gemm_Grad/dC_reduced"],
        "/fc/Gemm_Grad/ReduceSum_3", keepdims=0)
    bwd("Identity", ["/fc/Gemm_Grad/dC_reduced"], ["fc.bias_grad"], "/fc/Gemm_Grad/Identity_4")
    bwd("Gemm", ["output_grad", flat], ["fc.weight_grad"], "/fc/Gemm_Grad/Gemm_1", alpha=1.0,
        beta=0.0, transA=1)
    bwd("Gemm", ["output_grad", "fc.weight"], [flat + "_grad"], "/fc/Gemm_Grad/Gemm_0", alpha=1.0,
        beta=0.0)
    bwd("Reshape", [flat + "_grad", shape], [pool + "_grad"], "/Flatten_Grad/Reshape_1")
    bwd("MaxPoolGrad", [pool + "_grad", "/pool/MaxPool_indices"], [r2 + "_grad"],
        "/pool/MaxPool_Grad/MaxPoolGrad_0", kernel_shape=[2, 2], strides=[2, 2])
    # The extents of this one follow from no operand; the exporter stores them, as it does for all.
    net.value_info(r2 + "_grad", [batch, 16, 32, 32])
    bwd("ReluGrad", [r2 + "_grad", r2], [s + "_grad"], "/relu2/Relu_Grad/ReluGrad_0", MS)
    bwd("Identity", [s + "_grad"], [c2 + "_grad"], "/Add_Grad/Identity_0")
    bwd("Identity", [s + "_grad"], [r1 + "_grad_1"], "/Add_Grad/Identity_1")
    bwd("ConvGrad", [c2 + "_grad", r1, "conv2.weight"],
        [r1 + "_grad_0", "conv2.weight_grad", "conv2.bias_grad"], "/conv2/Conv_Grad/ConvGrad_0", MS,
        **window)
    bwd("Sum", [r1 + "_grad_0", r1 + "_grad_1"], [r1 + "_grad"], f"AccumulateGrad_{r1}_grad")
    bwd("ReluGrad", [r1 + "_grad", r1], [c1 + "_grad"], "/relu1/Relu_Grad/ReluGrad_0", MS)
    bwd("ConvGrad", [c1 + "_grad", x, "conv1.weight"], ["", "conv1.weight_grad", "conv1.bias_grad"],
        "/conv1/Conv_Grad/ConvGrad_0", MS, **window)

    # weight update
    net.output("loss", [], FLOAT)
    for i, (name, shape) in enumerate(shapes.items()):
        bwd("SGDOptimizer", [rate, name, name + "_grad"], [name + "_updated"], f"SGD_{i}", MS)
        net.output(name + "_updated", shape)
    return net
