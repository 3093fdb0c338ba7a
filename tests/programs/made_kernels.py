"""Kernels that a program holds (ir/compute, backends/kernels) at random extents and attributes, against ONNX Runtime.

usage: made_kernels.py TENURE FOLDER [SEED]

A model is many nodes that have nothing to do with each other. Each is compiled under sanitizers, which see most where nothing
is optimised, with vectors of 1, 4, 8 and 16 floats, with one of them optimised as well, without; and must need no kernel
from elsewhere. Extents are such that tiles, their rests and borders all occur.
"""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "operators")]

from packages import np, onnx  # ends with 77 where the packages are missing

try:
    import onnxruntime
except ModuleNotFoundError as gone:
    print(gone)
    sys.exit(77)

import programs
import quant_programs
from made_elements import Elements
from made_fused import Fused
from made_moves import Moves
from made_newest import Attention, Newest
from made_rows import Rows
from made_windows import Windows
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

LANES = (1, 4, 8, 16)
LARGE = 0
SEEN = ["-O0", *programs.SANITIZE]
NODES = 14
SEEDS = (0, 1, 2, 4, 19)  # of the models of a run, which notice what tests/planted has about these kernels; with TENURE_SOAK=1 a hundred
WORST = 2e-5  # by the largest number of a result
STEPS = quant_programs.ROUNDED | {"QLinearSoftmax": 1}  # how far whole numbers may be away; 0 where left out. Softmax:
# ONNX Runtime takes powers from a table of whole numbers
MS = quant_programs.MS
UNARY = ("Abs Acos Acosh Asin Asinh Atan Atanh Celu Ceil Cos Cosh Elu Erf Exp Floor Gelu HardSigmoid HardSwish LeakyRelu Log Mish Neg "
         "Reciprocal Relu Selu Sigmoid Sin Sinh Softplus Softsign Sqrt Tan Tanh ThresholdedRelu").split()
WITHIN = {"Acos": (-1, 1), "Asin": (-1, 1), "Atanh": (-0.9, 0.9), "Acosh": (1, 9), "Log": (0.1, 9), "Sqrt": (0, 9),
          "Reciprocal": (0.5, 9), "Tan": (-1, 1)}


class Maker(Elements, Moves, Rows, Fused, Windows):
    OPSET, IR_VERSION = 20, 9
    LIBRARY = False  # whether its kernels are those of the library

    def __init__(self, seed, nodes):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.inputs, self.outputs, self.constants, self.feeds = [], [], [], [], {}
        self.makers = []  # the nodes that give outputs
        self.proto = self.model(nodes)

    def int(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def pick(self, *what):
        return what[self.int(0, len(what) - 1)]

    def array(self, *dims, within=(-1, 1)):
        return self.rng.uniform(*within, dims).astype(np.float32)

    def bytes(self, *dims, dtype=np.uint8):
        limits = np.iinfo(dtype)
        return self.rng.integers(limits.min, limits.max + 1, dims, dtype)

    def narrow_weights(self, *dims, dtype):
        """Of seven bits: with more, ONNX Runtime's sums of two products saturate on processors without VNNI."""
        low = -64 if dtype == np.int8 else 64
        return self.rng.integers(low, low + 128, dims, dtype)

    def scale(self, *dims, most=0.1):
        return self.constant(self.array(*dims, within=(most / 10, most)))

    def zero(self, dtype, *dims):
        """Zero points, or none of them."""
        return self.constant(self.pick(self.bytes(*dims, dtype=dtype), np.zeros(dims, dtype)))

    def input(self, array):
        name = f"x{len(self.inputs)}"
        self.inputs.append(helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape))
        self.feeds[name] = array
        return name

    def number_of(self, dtype):
        return helper.np_dtype_to_tensor_dtype(dtype)

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(self, op, operands, n=1, left_out=(), inside=False, **attributes):
        """`left_out`: results that are not there; `inside`: they are no outputs."""
        results = ["" if i in left_out else f"y{len(self.nodes)}_{i}" for i in range(n)]
        self.nodes.append(helper.make_node(op, operands, results, **attributes))
        results = [] if inside else [y for y in results if y]
        self.outputs += results
        self.makers += [self.nodes[-1]] * len(results)
        return self.nodes[-1].output[0]

    # ---- one node each ----

    def window(self, axes):
        """Attributes of a window, and extents of an image that it fits in."""
        kernel = [self.int(1, 4) for _ in range(axes)]
        stride, dilation = ([self.int(1, 3) for _ in range(axes)] for _ in range(2))
        dilation = [1 if self.int(0, 2) else d for d in dilation]
        pads = [self.int(0, min(2, k - 1)) for k in kernel * 2]
        extents = [self.int((k - 1) * d + 1, (7, 41)[i == axes - 1] + (k - 1) * d) for i, (k, d) in enumerate(zip(kernel, dilation))]
        return {"kernel_shape": kernel, "strides": stride, "dilations": dilation, "pads": pads}, extents

    def conv(self):
        axes, groups = self.pick(1, 2, 2, 2, 3), self.pick(1, 1, 1, 2, 5)
        window, extents = self.window(axes)
        inside, filters = self.int(1, 5), self.int(1, 11)
        x = self.input(self.array(self.int(1, 2), groups * inside, *extents))
        weights = self.constant(self.array(groups * filters, inside, *window["kernel_shape"]))
        bias = [self.constant(self.array(groups * filters))] if self.int(0, 1) else []
        self.node("Conv", [x, weights, *bias], group=groups, **window)

    def bordered(self):
        """Images wider than a vector, with borders all around: convolutions, those of single channels too, and pools."""
        kernel, stride, channels = self.pick(3, 5), self.pick(1, 1, 2), self.int(1, 9)
        x = self.input(self.array(1, channels, self.int(2, 6), self.int(18, 45)))
        window = {"kernel_shape": [kernel] * 2, "strides": [stride] * 2, "pads": [kernel // 2] * 4}
        if self.int(0, 3) == 0:
            self.node(self.pick("MaxPool", "AveragePool"), [x], **window)
            return
        alone = self.int(0, 1)
        weights = self.constant(self.array(channels if alone else self.int(1, 11), 1 if alone else channels, kernel, kernel))
        self.node("Conv", [x, weights], group=channels if alone else 1, **window)

    def pointwise(self):
        inside, filters = self.int(1, 40), self.int(1, 20)
        x = self.input(self.array(1, inside, self.int(1, 9), self.int(1, 40)))
        self.node("Conv", [x, self.constant(self.array(filters, inside, 1, 1))], strides=[self.int(1, 2)] * 2)

    def conv_transpose(self):
        axes, groups = self.pick(1, 2, 2), self.pick(1, 1, 3)
        kernel, stride = ([self.int(1, 4) for _ in range(axes)] for _ in range(2))
        stride = [min(s, 3) for s in stride]
        pads = [self.int(0, (k - 1) // 2) for k in kernel * 2]
        inside, filters = self.int(1, 4), self.int(1, 9)
        x = self.input(self.array(1, groups * inside, *(self.int(3, 21) for _ in range(axes))))
        weights = self.constant(self.array(groups * inside, filters, *kernel))
        bias = [self.constant(self.array(groups * filters))] if self.int(0, 1) else []
        self.node("ConvTranspose", [x, weights, *bias], group=groups, strides=stride, pads=pads)

    def pool(self):
        op = self.pick("MaxPool", "AveragePool")
        window, extents = self.window(self.pick(1, 2, 2, 3))
        window.pop("dilations")
        if op == "AveragePool":
            window["count_include_pad"] = self.int(0, 1)
        self.node(op, [self.input(self.array(1, self.int(1, 4), *extents))], **window)

    def global_pool(self):
        self.node(self.pick("GlobalAveragePool", "GlobalMaxPool"), [self.input(self.array(2, self.int(1, 9), self.int(1, 9), self.int(1, 9)))])

    def gemm(self):
        m, k, n = self.int(1, 20), self.int(1, 40), self.int(1, 40)
        turned_a, turned_b = self.int(0, 1), self.int(0, 1)
        a = self.input(self.array(*((k, m) if turned_a else (m, k))))
        b = self.constant(self.array(*((n, k) if turned_b else (k, n))))
        c = [self.constant(self.array(*self.pick((n,), (m, n), (1, 1), (m, 1))))] if self.int(0, 2) else []
        self.node("Gemm", [a, b, *c], transA=turned_a, transB=turned_b, alpha=self.pick(1.0, 0.5), beta=self.pick(1.0, 2.0))

    def matmul(self):
        m, k, n = self.int(1, 20), self.int(1, 40), self.int(1, 40)
        stack = [self.int(1, 3) for _ in range(self.int(0, 2))]
        a = self.array(*[self.pick(1, s) for s in stack], m, k)
        b = self.array(*stack[self.int(0, len(stack)):], k, n)
        self.node("MatMul", [self.input(a), self.input(b)])

    def unary(self):
        op = self.pick(*UNARY)
        self.node(op, [self.input(self.array(self.int(1, 5), self.int(1, 50), within=WITHIN.get(op, (-3, 3))))])

    def binary(self):
        dims = [self.int(1, 6) for _ in range(self.int(1, 4))]
        other = [self.pick(1, d) for d in dims][self.int(0, len(dims) - 1):]
        operands = [self.input(self.array(*dims)), self.input(self.array(*other, within=(0.5, 2)))]
        op = self.pick("Add", "Sub", "Mul", "Div", "Max", "Min", "PRelu")
        self.node(op, operands if self.int(0, 1) or op in ("Div", "PRelu") else operands[::-1])

    def clip(self):
        bounds = [self.pick("", self.constant(np.float32(-0.5))), self.constant(np.float32(0.5))]
        self.node("Clip", [self.input(self.array(3, 33)), *bounds])

    def softmax(self):
        rank = self.int(1, 4)
        dims = [self.int(1, 9) for _ in range(rank)]
        self.node(self.pick("Softmax", "LogSoftmax"), [self.input(self.array(*dims, within=(-5, 5)))], axis=self.int(-rank, rank - 1))

    def layer_norm(self):
        dims = [self.int(1, 5), self.int(1, 5), self.int(2, 30)]
        scale = [self.constant(self.array(dims[-1])), *([self.constant(self.array(dims[-1]))] if self.int(0, 1) else [])]
        self.node("LayerNormalization", [self.input(self.array(*dims)), *scale], axis=-1)

    def batch_norm(self):
        channels = self.int(1, 9)
        numbers = [self.constant(self.array(channels, within=w)) for w in ((-1, 1), (-1, 1), (-1, 1), (0.5, 2))]
        self.node("BatchNormalization", [self.input(self.array(2, channels, self.int(1, 9), self.int(1, 9))), *numbers])

    def reduce(self):
        rank = self.int(1, 4)
        axes = [a for a in range(rank) if self.int(0, 1)] or [0]
        x = self.input(self.array(*(self.int(1, 9) for _ in range(rank)), within=(0.5, 2)))
        op = self.pick("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum")
        self.node(op, [x, self.constant(np.array(axes, np.int64))], keepdims=self.int(0, 1))

    def resize(self):
        x = self.array(1, self.int(1, 3), self.int(2, 9), self.int(2, 9))
        mode = self.pick("nearest", "linear", "cubic")
        way, more = self.pick("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel", "half_pixel_symmetric"), {}
        if mode == "nearest":
            way, more = "asymmetric", {"nearest_mode": "floor"}  # elsewhere a rounding decides
            x = self.pick(x, np.round(x * 9).astype(np.int32), np.round(x * 9).astype(np.uint8))
        if mode == "cubic":
            more = {"cubic_coeff_a": self.pick(-0.75, -0.5), "exclude_outside": self.int(0, 1)}
        scales = np.array([1, 1, self.pick(1, 2, 1.5, 0.5), self.pick(1, 2, 3, 2.5)], np.float32)
        if way in ("align_corners", "half_pixel_symmetric"):  # of a rounded extent ONNX and its runtime say different things
            scales = np.array([1, 1, self.pick(1, 2), self.pick(1, 2, 3)], np.float32)
        if mode == "nearest" and self.int(0, 1):
            sizes = np.array([d * self.int(1, 3) for d in x.shape[2:]], np.int64)
            self.node("Resize", [self.input(x), "", "", self.constant(sizes)], mode=mode, coordinate_transformation_mode=way, axes=[2, -1], **more)
            return
        self.node("Resize", [self.input(x), "", self.constant(scales)], mode=mode, coordinate_transformation_mode=way, **more)

    def move(self):
        dims = [self.int(2, 7) for _ in range(3)]
        x = self.input(self.array(*dims))
        axis = self.int(0, 2)
        kind = self.int(0, 4)
        if kind == 0:
            self.node("Transpose", [x], perm=[int(a) for a in self.rng.permutation(3)])
        elif kind == 1:
            start, end, step = self.pick((0, 1, 1), (1, 99, 1), (-1, -99, -1), (0, 99, 2))
            self.node("Slice", [x, *(self.constant(np.array([v], np.int64)) for v in (start, end, axis, step))])
        elif kind == 2:
            other = dims[:axis] + [self.int(1, 5)] + dims[axis + 1:]
            self.node("Concat", [x, self.input(self.array(*other))], axis=axis)
        elif kind == 3:
            self.node("Tile", [x, self.constant(np.array([self.int(1, 3) for _ in dims], np.int64))])
        else:
            self.node("Expand", [self.input(self.array(*(1 if a == axis else d for a, d in enumerate(dims)))),
                                 self.constant(np.array(dims, np.int64))])

    # ---- whole numbers of 8 bits ----

    def whole_conv(self):
        """Convolutions of all kinds, and the borders and strides that tiles copy rows for."""
        axes, kind = self.pick(1, 2, 2, 2, 3), self.pick(np.uint8, np.uint8, np.int8)
        window, extents = self.window(axes)
        groups = self.pick(1, 1, 1, 2, 7)
        inside, filters = self.int(1, 1 if groups > 2 else 9), self.int(1, 2 if groups > 2 else 19)
        if self.int(0, 2) == 0:
            kernel, stride = self.pick(1, 3, 5), self.pick(1, 1, 2)
            window = {"kernel_shape": [kernel] * axes, "strides": [stride] * axes, "pads": [kernel // 2] * 2 * axes}
            extents = [self.int(5, 40 if axes < 3 else 9) for _ in range(axes)]
        x = self.input(self.bytes(self.int(1, 2), groups * inside, *extents, dtype=kind))
        each = self.int(0, 1)
        weights = self.narrow_weights(groups * filters, inside, *window["kernel_shape"], dtype=np.int8 if kind == np.int8 or each else np.uint8)
        if self.int(0, 3) == 0 and kind == np.uint8:
            zero = [self.zero(np.uint8), self.zero(weights.dtype)][:self.int(0, 2)]
            self.node("ConvInteger", [x, self.constant(weights), *zero], group=groups, **window)
            return
        many = [groups * filters] if each else []
        zero = self.zero(weights.dtype) if not each else self.constant(np.zeros(many, np.int8))
        bias = [self.constant(self.rng.integers(-9999, 9999, groups * filters).astype(np.int32))] if self.int(0, 1) else []
        self.node("QLinearConv", [x, self.scale(), self.zero(kind), self.constant(weights), self.scale(*many), zero, self.scale(most=9),
                                  self.zero(kind), *bias], group=groups, **window)

    def whole_product(self):
        m, k, n = self.pick(1, self.int(1, 20)), self.int(1, 70), self.int(1, 40)
        stack = [self.int(1, 3) for _ in range(self.int(0, 2))]
        kind = self.pick(np.uint8, np.int8)
        a, b = self.input(self.bytes(*stack, m, k)), self.pick(self.input, self.constant)(self.narrow_weights(k, n, dtype=kind))
        of = self.pick((), (n,))
        op = self.pick("MatMulInteger", "QLinearMatMul", "MatMulIntegerToFloat", "DynamicQuantizeMatMul", "QGemm", "QGemm")
        if op == "MatMulInteger":
            self.node(op, [a, b, self.zero(np.uint8), self.zero(kind, *of)])
        elif op == "QLinearMatMul":
            self.node(op, [a, self.scale(), self.zero(np.uint8), b, self.scale(*of), self.zero(kind, *of), self.scale(most=9), self.zero(np.uint8)])
        elif op == "MatMulIntegerToFloat":
            bias = [self.constant(self.array(n))] if self.int(0, 1) else []
            self.node(op, [a, b, self.scale(), self.scale(*of), self.zero(np.uint8), self.zero(kind, *of), *bias], domain=MS)
        elif op == "DynamicQuantizeMatMul":
            self.node(op, [self.input(self.array(m, k)), b, self.scale(*of), self.zero(kind, *of)], domain=MS)
        else:
            turned = self.int(0, 1)
            b = self.constant(self.narrow_weights(*((n, k) if turned else (k, n)), dtype=kind))
            c = self.constant(self.rng.integers(-9999, 9999, n).astype(np.int32))
            y = [self.scale(most=9), self.zero(np.uint8)] if self.int(0, 2) else []
            a = self.input(self.bytes(m, k))
            self.node(op, [a, self.scale(), self.zero(np.uint8), b, self.scale(*of), self.zero(kind, *of), c, *y], domain=MS, transB=turned)

    def whole_elements(self):
        kind = self.pick(np.uint8, np.int8)
        dims = [self.int(1, 6) for _ in range(self.int(1, 4))]
        op = self.pick("QLinearAdd", "QLinearMul", "QLinearSigmoid", "QLinearLeakyRelu", "QLinearConcat", "QLinearSoftmax", "DynamicQuantizeLinear")
        one = [self.input(self.bytes(*dims, dtype=kind)), self.scale(), self.zero(kind)]
        if op == "DynamicQuantizeLinear":
            self.node(op, [self.input(self.array(*dims, within=self.pick((-2, 3), (1, 2), (-3, -1))))], 3)
        elif op in ("QLinearAdd", "QLinearMul"):
            other = [self.pick(1, d) for d in dims][self.int(0, len(dims) - 1):]
            self.node(op, [*one, self.input(self.bytes(*other, dtype=kind)), self.scale(), self.zero(kind), self.scale(most=1), self.zero(kind)], domain=MS)
        elif op == "QLinearConcat":
            axis = self.int(0, len(dims) - 1)
            more = [self.input(self.bytes(*dims[:axis], self.int(1, 9), *dims[axis + 1:], dtype=kind)), self.scale(), self.zero(kind)]
            self.node(op, [self.scale(), self.zero(kind), *one, *more], domain=MS, axis=axis)
        elif op == "QLinearSoftmax":
            axis, lowest = self.int(-len(dims), len(dims) - 1), np.iinfo(kind).min
            x = self.input(self.bytes(*(d + 1 for d in dims), dtype=kind))  # rows of one element it gives 0, not 1
            self.node(op, [x, *one[1:], self.constant(np.float32(1 / 200.5)), self.constant(np.array(lowest, kind))], domain=MS, axis=axis, opset=self.pick(11, 13))
        else:
            self.node(op, [*one, self.constant(np.float32(1 / 128)), self.zero(kind)], domain=MS, **({"alpha": 0.1} if op == "QLinearLeakyRelu" else {}))

    def whole_pool(self):
        kind = self.pick(np.uint8, np.int8)
        window, extents = self.window(2)
        window.pop("dilations")
        tensors = [self.input(self.bytes(1, self.int(1, 9), *extents, dtype=kind)), self.scale(), self.zero(kind), self.scale(), self.zero(kind)]
        if self.int(0, 1):
            self.node("QLinearGlobalAveragePool", tensors, domain=MS)
        else:
            self.node("QLinearAveragePool", tensors, domain=MS, count_include_pad=self.int(0, 1), **window)

    def large(self):
        """Enough work for threads: tiles, rows, elements one by one, and whole numbers."""
        image, table = self.array(1, 16, 60, 60), self.array(150, 300, within=(-5, 5))
        self.node("Conv", [self.input(image), self.constant(self.array(20, 16, 3, 3))], pads=[1] * 4)
        self.node("MaxPool", [self.input(image)], kernel_shape=[3, 3], strides=[2, 2])
        self.node("MatMul", [self.input(table), self.constant(self.array(300, 70))])
        self.node("Softmax", [self.input(table)], axis=1)
        self.node("LayerNormalization", [self.input(table), self.constant(self.array(300))], axis=-1)
        self.node("Add", [self.input(np.tile(table, 2)), self.input(np.tile(table, 2))])
        self.node("Transpose", [self.input(np.tile(table, 2))], perm=[1, 0])
        self.node("ReduceSum", [self.input(np.tile(table, 2)), self.constant(np.array([0], np.int64))])

    def model(self, nodes):
        if nodes == LARGE:
            self.large()
            return self.finished()
        kinds = (self.conv, self.conv, self.conv, self.bordered, self.bordered, self.bordered, self.pointwise, self.conv_transpose, self.pool, self.pool, self.global_pool, self.gemm,
                 self.gemm, self.matmul, self.matmul, self.unary, self.unary, self.binary, self.binary, self.clip, self.softmax,
                 self.layer_norm, self.batch_norm, self.reduce, self.reduce, self.resize, self.move, self.move, self.whole_conv, self.whole_conv, self.whole_conv,
                 self.whole_conv, self.whole_product, self.whole_product, self.whole_elements, self.whole_elements, self.whole_pool)
        for _ in range(nodes):
            self.pick(*kinds)()
        for _ in range(nodes // 2):
            self.pick(*self.moves())()
            self.pick(*self.rows())()
            self.pick(*self.fused())()
            self.pick(*self.elements())()
            self.pick(*self.windows())()
        return self.finished()

    def finished(self):
        outputs = [onnx.ValueInfoProto(name=y) for y in self.outputs]
        graph = helper.make_graph(self.nodes, "made", self.inputs, outputs, self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.OPSET), helper.make_opsetid(MS, 1)], ir_version=self.IR_VERSION)


class NewestMaker(Newest, Maker):
    OPSET, IR_VERSION = 27, 11

    def model(self, nodes):
        for _ in range(nodes):
            self.pick(*self.newest())()
        return self.finished()


class AttentionMaker(Attention, Maker):
    OPSET, IR_VERSION = 27, 11
    LIBRARY = True

    def model(self, nodes):
        for _ in range(nodes):
            self.attention()
        return self.finished()


def session_of(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    options.add_session_config_entry("session.x64quantprecision", "1")
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def differences(maker, got, wanted):
    """What is further from ONNX Runtime than sums in another order, or roundings there, explain."""
    for node, g, w in zip(maker.makers, got, wanted):
        away = np.abs(g.astype(np.float64) - w)[g != w].max(initial=0)
        away /= max(np.abs(w)[np.isfinite(w)].max(initial=0), 1e-6) if w.dtype.kind == "f" else 1
        if not away <= (WORST if w.dtype.kind == "f" else STEPS.get(node.op_type, 0)):
            yield f"{helper.printable_node(node)}: away by {away:.2g}"


def try_model(tenure, folder, maker, forms, level="-O1"):
    """What is wrong. `forms`: options of the backend, then flags of the compiler."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "made.onnx")
    onnx.save(maker.proto, path)
    session = ReferenceEvaluator(path) if isinstance(maker, (NewestMaker, AttentionMaker)) else session_of(path)
    wanted = session.run(None, maker.feeds)
    wrong, emitted = [], None
    for kernels, flags in forms:
        if kernels != emitted:
            programs.emit(tenure, path, folder, [level], kernels=kernels)
            with open(os.path.join(folder, "net.c"), encoding="utf-8") as f:
                text = f.read()
            if "/* All kernels are in here. */" not in text or ("tenure's library" in text) != maker.LIBRARY:
                return ["a kernel is not made for the program"]
            if ("_PARALLEL\n" in text) != ("openmp" in kernels):
                return [f"{kernels}: loops for threads, or none"]
            emitted = kernels
        program = programs.build(folder, programs.Alone(["-Wno-psabi", *flags]))
        got = programs.run(program, list(maker.feeds.values()), [(w.dtype, w.shape) for w in wanted])
        wrong += [f"{kernels} {' '.join(flags)}: {line}" for line in differences(maker, got, wanted)]
    return wrong


def knows_openmp():
    """Whether the compiler of the tests has the library of threads, too."""
    done = subprocess.run([*programs.cc(), "-fopenmp", "-x", "c", "-", "-o", os.devnull], input="#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }",
                          text=True, capture_output=True, check=False)
    return done.returncode == 0


def try_bad_indices(tenure, folder):
    """Indices that are none, of which each makes a kernel fail that reads nothing with it."""
    wrong = []
    for op, last in (("Gather", 4), ("Gather", -5), ("GatherElements", 1 << 40), ("GatherElements", -(1 << 63)), ("GatherND", 4)):
        x, index = np.ones((4, 3), np.float32), np.array([[0], [3], [last]], np.int64)
        inputs = [helper.make_tensor_value_info(n, t, a.shape) for n, t, a in (("x", TensorProto.FLOAT, x), ("i", TensorProto.INT64, index))]
        graph = helper.make_graph([helper.make_node(op, ["x", "i"], ["y"])], "bad", inputs, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
        path = os.path.join(folder, "bad.onnx")
        os.makedirs(folder, exist_ok=True)
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9), path)
        programs.emit(tenure, path, folder, kernels="inside")
        try:
            programs.run(programs.build(folder, programs.Alone(SEEN)), [x, index], [])
            wrong.append(f"{op} took {last} for an index of 4")
        except RuntimeError as said:
            if "net_run gives" not in str(said) or "Sanitizer" in str(said) or "runtime error" in str(said):
                wrong.append(f"{op} of {last}: {said}")
    return wrong


def main():
    tenure, folder = sys.argv[1:3]
    seeds = [int(sys.argv[3])] if len(sys.argv) > 3 else range(100) if os.environ.get("TENURE_SOAK") else SEEDS
    wrong = []
    for seed in seeds:
        some = [lanes for i, lanes in enumerate(LANES) if i in (0, 3, 1 + seed % 2)]  # numbers alone, the widest, one between
        quads = ["-DNET_QUADS=1"] if seed % 2 else []  # of bytes, where vectors are none
        vectors = [[f"-DNET_LANES={lanes}", *(quads if lanes == 1 else [])] for lanes in some]
        forms = [("inside", [*SEEN, *lanes]) for lanes in vectors] + [("inside", ["-O2", *vectors[seed % len(vectors)]])]
        lines = try_model(tenure, os.path.join(folder, str(seed)), Maker(seed, NODES),
                          forms + [("small", SEEN)] * (seed == seeds[0]), "-O3" if seed % 2 else "-O1")
        other = NewestMaker if seed % 2 else AttentionMaker
        lines += try_model(tenure, os.path.join(folder, f"other{seed}"), other(seed, NODES), forms, "-O3")
        wrong += [f"seed {seed}, {line}" for line in lines]
    openmp = ["-fopenmp"] if knows_openmp() else []  # without, the loops stay with one thread
    wrong += try_model(tenure, os.path.join(folder, "large"), Maker(0, LARGE), [("inside,threads=openmp", [*programs.SANITIZE, *openmp])])
    wrong += try_bad_indices(tenure, os.path.join(folder, "bad"))
    for line in wrong:
        print("WRONG:", line)
    print(f"{len(seeds)} models of {NODES} nodes, with vectors of {', '.join(map(str, LANES))} floats: {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
