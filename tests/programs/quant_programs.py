"""Quantised, recurrent and fused ops as C: one network that has a node of each case, its outputs against those of
ONNX Runtime. Ends with 77 where onnxruntime is missing.

usage: quant_programs.py TENURE FOLDER
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "operators")]

from packages import np, onnx  # ends with 77 where they are missing

try:
    import onnxruntime
except ModuleNotFoundError as gone:
    print(gone)
    sys.exit(77)

import programs
from onnx import helper, numpy_helper

MS = "com.microsoft"
MODES = (["-O1"], ["-O3", "--io=arena"])
KERNELS = ("extern", "inside")
OPSETS = [helper.make_opsetid("", 21), helper.make_opsetid(MS, 1)]
LENGTHS = np.array([4, 2, 3], np.int32)
ROUNDED = {  # by op: steps or a part of the largest number that results may be away; 0 where left out
    "QLinearAdd": 1, "QLinearSigmoid": 1, "QLinearAveragePool": 1, "QLinearConcat": 1, "QLinearMul": 1,
}


class Net:
    """A network that grows by a node a case. Operands that are arrays are constants, tuples are inputs."""

    def __init__(self):
        self.rng = np.random.default_rng(3)
        self.nodes, self.constants, self.inputs, self.outputs = [], [], {}, {}

    def floats(self, *dims):
        return self.rng.uniform(-1, 1, dims).astype(np.float32)

    def bytes(self, *dims, dtype=np.uint8):
        limits = np.iinfo(dtype)
        return self.rng.integers(limits.min, limits.max + 1, dims, dtype)

    def operand(self, x, name):
        if x is None:
            return ""
        if isinstance(x, tuple):
            self.inputs[name] = x[0]
        else:
            self.constants.append(numpy_helper.from_array(np.asarray(x), name))
        return name

    def add(self, op, operands, outputs=1, domain="", left_out=(), **attributes):
        at = len(self.nodes)
        names = [self.operand(x, f"n{at}_{k}") for k, x in enumerate(operands)]
        results = ["" if k in left_out else f"{op}_{at}_{k}" for k in range(outputs)]
        self.nodes.append(helper.make_node(op, names, results, domain=domain, **attributes))
        self.outputs.update((r, op) for r in results if r)

    def ms(self, op, operands, outputs=1, **attributes):
        self.add(op, operands, outputs, MS, **attributes)

    def model(self):
        inputs = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
                  for n, x in self.inputs.items()]
        outputs = [onnx.ValueInfoProto(name=n) for n in self.outputs]
        graph = helper.make_graph(self.nodes, "cases", inputs, outputs, self.constants)
        return helper.make_model(graph, opset_imports=OPSETS, ir_version=10)


def f(x):
    return np.float32(x)


def linear(net):
    for dtype in (np.int8, np.uint8, np.int16, np.uint16):
        net.add("QuantizeLinear", [(net.floats(3, 5) * 3,), f(0.02), dtype(3)])
        net.add("DequantizeLinear", [(net.bytes(3, 5, dtype=dtype),), f(0.02), dtype(3)])
    scales, zeros = np.array([0.5, 0.02, 1 / 3], np.float32), np.array([1, -7, 90], np.int8)
    for axis, dims in ((0, (3, 4, 2)), (1, (2, 3, 4)), (-1, (2, 4, 3))):
        net.add("QuantizeLinear", [(net.floats(*dims) * 9,), scales, zeros], axis=axis)
        net.add("DequantizeLinear", [(net.bytes(*dims, dtype=np.int8),), scales, zeros], axis=axis)
    blocks = np.abs(net.floats(2, 2, 3)) + f(0.1)
    net.add("QuantizeLinear", [(net.floats(2, 4, 3) * 9,), blocks, np.zeros((2, 2, 3), np.int8)], axis=1, block_size=2)
    net.add("DequantizeLinear", [(net.bytes(2, 4, 3, dtype=np.int8),), blocks], axis=1, block_size=2)
    net.add("DequantizeLinear", [(net.bytes(5, dtype=np.int32) // 9,), f(0.25)])
    net.add("QuantizeLinear", [(np.array([0.5, 1.5, 2.5, -0.5, -1.5, 1e9, -1e9], np.float32),), f(1), np.int8(0)])
    net.add("DynamicQuantizeLinear", [(net.floats(3, 7),)], 3)
    net.add("DynamicQuantizeLinear", [(net.floats(3, 7) + 2,)], 3)


def convolutions(net):
    scale, per_filter = (f(0.03), np.uint8(120)), (np.array([0.1, 0.02, 0.3, 0.04], np.float32), np.zeros(4, np.int8))
    x, w, bias = (net.bytes(2, 4, 6, 5),), net.bytes(4, 4, 3, 3, dtype=np.int8), net.bytes(4, dtype=np.int32) // 1000000
    for attributes in ({}, {"pads": [1, 0, 2, 1]}, {"strides": [2, 1]}, {"dilations": [2, 1]},
                       {"auto_pad": "SAME_UPPER"}):
        net.add("QLinearConv", [x, *scale, w, *per_filter, f(0.9), np.uint8(100), bias], **attributes)
    net.add("QLinearConv", [x, *scale, w[:, :2], *per_filter, f(0.9), np.uint8(100)], group=2)
    net.add("QLinearConv", [x, *scale, w[:, :1], f(0.1), np.int8(0), f(0.5), np.uint8(100)], group=4)
    net.add("QLinearConv", [(net.bytes(1, 2, 9),), *scale, net.bytes(3, 2, 3), f(0.1), np.uint8(99), f(5), np.uint8(9)])
    net.add("ConvInteger", [x, net.bytes(3, 4, 2, 2), np.uint8(7), np.uint8(100)], pads=[1, 1, 0, 0])
    net.ms("FusedConv", [(net.floats(1, 4, 5, 5),), net.floats(6, 2, 3, 3), net.floats(6)], group=2, activation="Relu")
    net.ms("FusedConv", [(net.floats(1, 2, 5, 5),), net.floats(3, 2, 3, 3), net.floats(3), (net.floats(1, 3, 3, 3),)],
           activation="LeakyRelu", activation_params=[0.2])
    pool = [x, f(0.03), np.uint8(120), f(0.02), np.uint8(90)]
    net.ms("QLinearGlobalAveragePool", pool)
    net.ms("QLinearGlobalAveragePool", pool, channels_last=1)
    for count in (0, 1):
        net.ms("QLinearAveragePool", pool, kernel_shape=[3, 2], pads=[1, 1, 1, 0], strides=[2, 1],
               count_include_pad=count)


def products(net):
    a, b = (net.bytes(2, 3, 4),), net.bytes(4, 5)
    net.add("MatMulInteger", [a, b, np.uint8(12), np.uint8(100)])
    net.add("MatMulInteger", [(net.bytes(3, 4),), b, np.uint8(12), net.bytes(5)])
    net.add("QLinearMatMul", [a, f(0.02), np.uint8(12), b, f(0.05), np.uint8(100), f(0.9), np.uint8(128)])
    net.add("QLinearMatMul", [a, f(0.02), np.uint8(12), net.bytes(4, 5, dtype=np.int8) // 2, np.full(5, 0.1, np.float32),
                              np.zeros(5, np.int8), f(0.9), np.uint8(128)])
    net.ms("MatMulIntegerToFloat", [a, b, f(0.02), np.abs(net.floats(5)), np.uint8(9), net.bytes(5), net.floats(5)])
    net.ms("DynamicQuantizeMatMul", [(net.floats(3, 4),), b, f(0.02), np.uint8(120), net.floats(5)])
    for trans in (0, 1):
        right = [net.bytes(5, 4) if trans else b, f(0.05), np.uint8(100), net.bytes(5, dtype=np.int32) // 1000000]
        net.ms("QGemm", [(net.bytes(3, 4),), f(0.02), np.uint8(12), *right, f(0.9), np.uint8(128)], transB=trans)
    net.ms("FusedMatMul", [(net.floats(2, 4, 3),), (net.floats(2, 5, 4),)], transA=1, transB=1, alpha=0.5)
    net.ms("FusedMatMul", [(net.floats(3, 2, 4),), (net.floats(2, 4, 5),)], transBatchA=1)
    net.ms("FusedMatMul", [(net.floats(2, 1, 3, 4),), (net.floats(3, 4, 2),)])
    net.ms("FusedGemm", [(net.floats(3, 4),), net.floats(5, 4), net.floats(5)], transB=1, activation="Relu", beta=0.5)


def elements(net):
    x, y = (net.bytes(2, 3, 4),), (net.bytes(3, 1),)
    for op in ("QLinearAdd", "QLinearMul"):
        for other in (y, (net.bytes(2, 3, 4),)):
            net.ms(op, [x, f(0.02), np.uint8(120), other, f(0.03), np.uint8(99), f(0.05), np.uint8(128)])
    one = [x, f(0.05), np.uint8(120), f(1 / 128), np.uint8(3)]
    net.ms("QLinearSigmoid", one)
    net.ms("QLinearLeakyRelu", one, alpha=0.1)
    net.ms("QLinearConcat", [f(0.04), np.uint8(100), x, f(0.02), np.uint8(90), (net.bytes(2, 2, 4),), f(0.04),
                             np.uint8(100)], axis=1)
    for op in ("Gelu", "QuickGelu", "FastGelu"):
        net.ms(op, [(net.floats(3, 4) * 4,)])
    net.ms("FastGelu", [(net.floats(3, 4) * 4,), net.floats(4)])
    net.ms("BiasGelu", [(net.floats(3, 4) * 4,), net.floats(4)])
    norm = [(net.floats(2, 3, 8),), (net.floats(2, 3, 8),), net.floats(8)]
    net.ms("SkipLayerNormalization", [*norm, net.floats(8), net.floats(8)], epsilon=1e-5)
    net.ms("SkipLayerNormalization", norm, 4, epsilon=1e-5, left_out=(1, 2))
    net.ms("SkipSimplifiedLayerNormalization", norm, 4, epsilon=1e-5, left_out=(1, 2))


def recurrent(net):
    """All gates, both ends of Y, states from outside, lengths, clipping, other functions."""
    for op, gates, states in (("RNN", 1, 1), ("GRU", 3, 1), ("LSTM", 4, 2)):
        for direction in ("forward", "reverse", "bidirectional"):
            n = 2 if direction == "bidirectional" else 1
            layer = [(net.floats(4, 3, 5),), net.floats(n, gates * 6, 5), net.floats(n, gates * 6, 6)]
            bias, first = net.floats(n, gates * 12), [(net.floats(n, 3, 6),) for _ in range(states)]
            common = {"hidden_size": 6, "direction": direction}
            net.add(op, layer, states + 1, **common)
            net.add(op, [*layer, bias, LENGTHS, *first], states + 1, **common)
            net.add(op, [*layer, bias, None, *first], states + 1, left_out=(0,), clip=0.4, **common)
        if op == "GRU":
            net.add(op, [*layer, bias, None, *first], 2, linear_before_reset=1, **common)
        if op == "LSTM":
            net.add(op, [*layer, bias, None, *first, net.floats(2, 18)], 3, **common)
            net.add(op, [*layer, bias], 3, input_forget=1, **common)
            names = ["Sigmoid", "Softsign", "LeakyRelu", "HardSigmoid", "Tanh", "Relu"]
            net.add(op, layer, 3, activations=names, activation_alpha=[0.3, 0.25], activation_beta=[0.4], **common)


def recurrent_quantised(net):
    """Weights of 8 bits with a scale for all, and for each column; states from outside. One entry, as those of a batch share the
    scale of their states only where ONNX Runtime takes them together."""
    for kind, columns in ((np.int8, ()), (np.uint8, ()), (np.int8, (24,))):
        for direction in ("forward", "bidirectional"):
            n = 2 if direction == "bidirectional" else 1
            weights = [net.bytes(n, 5, 24, dtype=kind), net.bytes(n, 6, 24, dtype=kind)]
            quanta = [part for _ in weights for part in (np.abs(net.floats(n, *columns)) * 0.02 + 0.001, np.zeros((n, *columns), kind))]
            first = [(net.floats(n, 1, 6),) for _ in range(2)]
            common = {"hidden_size": 6, "direction": direction}
            net.ms("DynamicQuantizeLSTM", [(net.floats(4, 1, 5),), *weights, net.floats(n, 48), None, *first, None, *quanta], 3, **common)
            net.ms("DynamicQuantizeLSTM", [(net.floats(4, 1, 5),), *weights, None, None, None, None, None, *quanta], 3, clip=0.8, **common)


def reference(path, inputs):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.add_session_config_entry("session.x64quantprecision", "1")  # without VNNI its other kernels saturate, and
    # by columns all of them: weights of QLinearMatMul have seven bits there
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return session.run(None, inputs)


def differ(op, got, want):
    """What is wrong, or None."""
    away = np.abs(got.astype(np.float64) - want.astype(np.float64)).max()
    most = ROUNDED.get(op, 0) if want.dtype.kind != "f" else 1e-5 * max(1, np.abs(want).max())
    return None if away <= most else f"wrong by {away:.3g}, {most:.3g} are allowed"


def main():
    tenure, folder = sys.argv[1:]
    net = Net()
    for part in (linear, convolutions, products, elements, recurrent, recurrent_quantised):
        part(net)
    path = os.path.join(folder, "cases.onnx")
    os.makedirs(folder, exist_ok=True)
    onnx.save(net.model(), path)
    wanted, library, wrong = reference(path, net.inputs), None, 0
    for mode, kernels in ((m, k) for m in MODES for k in KERNELS):
        here = os.path.join(folder, "-".join([*mode, kernels]).replace("=", ""))
        programs.emit(tenure, path, here, mode, kernels=kernels)
        library = library or programs.Library(folder, here, programs.SANITIZE)
        kinds = [(x.dtype, x.shape) for x in wanted]
        got = programs.run(programs.build(here, library), list(net.inputs.values()), kinds)
        for (name, op), x, want in zip(net.outputs.items(), got, wanted):
            bad = differ(op, x, want)
            if bad:
                print(f"WRONG: {name} {' '.join(mode)}, kernels {kernels}: {bad}")
                wrong += 1
    print(f"{len(net.nodes)} nodes, {len(wanted)} outputs, in {len(MODES)} modes, with kernels of the library and of the program, against ONNX Runtime "
          f"{onnxruntime.__version__}, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
