"""Single ops at random for group_graphs.py, each on values that it is good for. A method gives the value it made, or None."""

import numpy as np
from onnx import helper

WIDTHS = (1, 2, 3, 5, 6, 7, 9, 11, 13, 17, 19, 23, 33, 35, 37, 41, 50, 67)
FLOATS = (np.float32, np.float32, np.float32, np.float32, np.float16, np.float64)
# By name of the op: attributes, and between which numbers it is asked.
UNARY = {
    "Relu": ({}, None), "Sigmoid": ({}, None), "Tanh": ({}, None), "Abs": ({}, None), "Neg": ({}, None), "Erf": ({}, None),
    "Exp": ({}, (-20, 5)), "Log": ({}, (0.05, 500)), "Sqrt": ({}, (0.02, 500)), "Reciprocal": ({}, (0.2, 500)), "Sin": ({}, (-50, 50)),
    "Cos": ({}, (-50, 50)), "Atan": ({}, None), "Softplus": ({}, (-50, 50)), "Softsign": ({}, None), "Elu": ({"alpha": 0.5}, None),
    "Celu": ({"alpha": 1.5}, None), "Selu": ({}, None), "LeakyRelu": ({"alpha": 0.1}, None), "HardSigmoid": ({"alpha": 0.3, "beta": 0.4}, None),
    "HardSwish": ({}, None), "Mish": ({}, (-50, 50)), "Gelu": ({}, (-50, 50)), "ThresholdedRelu": ({"alpha": 0.4}, None), "Floor": ({}, None),
    "Ceil": ({}, None), "Round": ({}, None), "Sign": ({}, None), "Identity": ({}, None), "Dropout": ({}, None), "Shrink": ({"lambd": 0.3, "bias": 0.1}, None),
}
BINARY = ("Add", "Add", "Sub", "Mul", "Mul", "Div", "Max", "Min", "Pow", "PRelu", "Mod")
COMPARE = ("Less", "Greater", "LessOrEqual", "GreaterOrEqual", "Equal")
REDUCE = ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp")


def is_float(v):
    return v.kind == "f"


class Parts:
    # ---- where a graph starts ----

    def starts(self):
        return [self.table] * 4 + [self.image] * 4 + [self.sequence] * 2 + [self.whole, self.octets, self.quantised_input]

    def dims(self, least=1, most=4):
        return [*(self.int(1, 5) for _ in range(self.int(least, most) - 1)), self.pick(*WIDTHS)]

    def table(self):
        dtype = self.pick(*FLOATS)
        for _ in range(self.int(1, 2)):
            self.input(self.numbers(self.dims(), dtype))

    def image(self):
        dtype = self.pick(np.float32, np.float32, np.float32, np.float32, np.float64)
        self.input(self.numbers([self.int(1, 2), self.int(1, 9), self.int(2, 9), self.pick(*WIDTHS[2:])], dtype))

    def sequence(self):
        self.input(self.numbers([self.int(1, 2), self.int(1, 9), self.pick(*WIDTHS[3:])]))

    def whole(self):
        for _ in range(self.int(1, 2)):
            self.input(self.numbers(self.dims(), self.pick(np.int32, np.int32, np.int64)))

    def octets(self):
        for _ in range(self.int(1, 2)):
            self.input(self.numbers(self.dims(), self.pick(np.int8, np.uint8)))

    def quantised_input(self):
        dims = [1, self.int(1, 9), self.int(2, 7), self.pick(*WIDTHS[2:])] if self.chance(0.5) else self.dims()
        x = self.input(self.numbers(dims, self.pick(np.int8, np.uint8)))
        self.dequantised(x)

    def choices(self):
        return [self.unary] * 6 + [self.binary] * 8 + [self.whole_op] * 3 + [self.compare, self.where, self.where, self.clip, self.clip, self.cast, self.truth] + \
            [self.reshape, self.transpose, self.flatten, self.unsqueeze, self.squeeze] + [self.reduce] * 3 + [self.softmax, self.layer_norm, self.image_norm] + \
            [self.conv] * 4 + [self.matmul] * 3 + [self.gemm] * 2 + [self.pool] * 2 + [self.move, self.move] + self.patterns() * 1 + self.rows()

    # ---- element by element ----

    def unary(self):
        x = self.some(is_float)
        op = self.pick(*UNARY)
        attributes, within = UNARY[op]
        if x is None or within is not None and not x.within(*within):
            op, attributes = self.pick("Tanh", "Relu", "Sigmoid", "Neg"), {}
        return x and self.op(op, [x], **attributes)

    def other_dims(self, dims):
        """What is broadcast to these, or to which these are."""
        some = [self.pick(1, d, d) for d in dims]
        if self.chance(0.1) and len(dims) < 5:
            return [self.int(2, 4), *some]
        if dims and self.chance(0.15):
            k = self.int(0, len(dims) - 1)
            some[k] = self.int(2, 5) if dims[k] == 1 else some[k]
        return some[self.int(0, len(some)):] if self.chance(0.4) else some

    def partner(self, x, within=(-2, 2)):
        """A second operand: one that is there, the same once more, a number, data, an input."""
        kind = self.int(0, 9)
        if kind == 0:
            return x
        if kind <= 4:
            fitting = [v for v in self.values if v is not x and v.dtype == x.dtype and broadcasts(v.dims, x.dims) and inside(v, within)]
            if fitting:
                return self.pick(*fitting)
        if kind == 5:
            return self.number(self.numbers([], x.dtype, within), x.dtype)
        return self.given(self.numbers(self.other_dims(x.dims), x.dtype, within))

    def binary(self):
        x = self.some(is_float)
        if x is None:
            return None
        op = self.pick(*BINARY)
        if op == "Div":
            return self.op(op, [x, self.partner(x, (0.5, 3))])
        if op == "Pow":
            power = self.number(self.pick(2, 3, 2), x.dtype) if not x.within(0.1, 20) else self.partner(x, (0.5, 2))
            return self.op(op, [x, power])
        if op == "PRelu":
            return self.op(op, [x, self.given(self.numbers([self.pick(1, d) for d in x.dims][self.int(0, x.rank):], x.dtype))])
        if op == "Mod":
            return self.op(op, [x, self.partner(x, (0.7, 3))], fmod=1)
        operands = [x, self.partner(x)]
        return self.op(op, operands if self.chance(0.6) else operands[::-1])

    def whole_op(self):
        x = self.some(lambda v: v.kind in "iu")
        if x is None:
            return None
        octet = x.dtype.itemsize == 1
        op = self.pick("Add", "Sub", "Mul", "Max", "Min", "BitwiseAnd", "BitwiseXor", "Clip", "Abs", "Neg", "Relu", "Mod", "ReduceSum", "ReduceMax", "BitwiseNot", "MatMul")
        if op in ("Abs", "Neg", "BitwiseNot", "Relu"):
            return self.op(op, [x]) if x.kind == "i" or op == "BitwiseNot" else None
        if op == "Clip":
            return self.op(op, [x, self.number(3 if x.kind == "u" else -20, x.dtype), self.number(100, x.dtype)])
        if op in ("ReduceSum", "ReduceMax"):
            return self.reduced(op, x) if x.rank > 0 and (not octet or op == "ReduceMax") else None
        if op == "Mod":
            divisor = self.numbers(self.other_dims(x.dims), x.dtype)
            return self.op(op, [x, self.given(np.where(divisor == 0, np.array(7, x.dtype), divisor))])
        if op == "MatMul":
            return self.op(op, [x, self.given(self.numbers([x.dims[-1], self.pick(*WIDTHS)], x.dtype))]) if not octet and x.rank > 1 else None
        operands = [x, self.partner(x)]
        return self.op(op, operands if self.chance(0.6) else operands[::-1])

    def compare(self):
        x = self.some(lambda v: v.kind in "fiu")
        if x is None:
            return None
        if x.kind != "f":
            return self.op(self.pick(*COMPARE), [x, self.partner(x)])
        return self.op(self.pick(*COMPARE[:4]), [x, self.number(self.between(x), x.dtype)])

    def between(self, x):
        """A number in the widest gap between those of the middle half."""
        have = np.sort(x.exact.reshape(-1))
        have = have[len(have) // 4:max(len(have) * 3 // 4, len(have) // 4 + 2)]
        gaps = np.diff(have)
        return 0.0 if not len(gaps) else float(have[gaps.argmax()] + gaps.max() / 2)

    def truth(self):
        x = self.some(lambda v: v.kind == "b")
        if x is None:
            return self.compare()
        op = self.pick("And", "Or", "Xor", "Not")
        return self.op(op, [x] if op == "Not" else [x, self.partner(x)])

    def where(self):
        x = self.some(lambda v: v.kind in "fiu")
        if x is None:
            return None
        masks = [v for v in self.values if v.kind == "b" and broadcasts(v.dims, x.dims)]
        mask = self.pick(*masks) if masks and self.chance(0.7) else self.given(self.numbers(self.other_dims(x.dims), np.bool_))
        operands = [x, self.partner(x)]
        return self.op("Where", [mask, *(operands if self.chance(0.5) else operands[::-1])])

    def clip(self):
        x = self.some(is_float)
        if x is None:
            return None
        low, high = self.number(-0.75, x.dtype), self.number(1.25, x.dtype)
        return self.op("Clip", self.pick([x, low, high], [x, low], [x, "", high], [x, low, high]))

    def cast(self):
        x = self.some()
        to = self.pick(np.float32, np.float32, np.float64, np.float16, np.int32, np.int64, np.int8, np.uint8, np.bool_)
        if np.dtype(to).kind in "iu" and np.dtype(to).itemsize == 1 and not x.within(0, 100):
            to = np.int32
        if x.kind == "f" and np.dtype(to).kind == "b":
            return None
        return self.op("Cast", [x], to=helper.np_dtype_to_tensor_dtype(np.dtype(to)))

    # ---- views ----

    def reshape(self):
        x = self.some(lambda v: v.rank > 0)
        if x is None:
            return None
        dims, rest = [], x.array.size
        for _ in range(self.int(0, 3)):
            part = self.pick(*[d for d in range(1, min(rest, 70) + 1) if rest % d == 0])
            dims.append(part)
            rest //= part
        dims.insert(self.int(0, len(dims)), rest)
        if self.chance(0.3):
            dims[self.int(0, len(dims) - 1)] = -1
        return self.op("Reshape", [x, self.constants_of(*dims)])

    def transpose(self):
        x = self.some(lambda v: v.rank > 1)
        return x and self.op("Transpose", [x], perm=[int(a) for a in self.rng.permutation(x.rank)])

    def flatten(self):
        x = self.some(lambda v: v.rank > 0)
        return x and self.op("Flatten", [x], axis=self.int(0, x.rank))

    def unsqueeze(self):
        x = self.some(lambda v: v.rank < 5)
        return x and self.op("Unsqueeze", [x, self.constants_of(self.int(0, x.rank))])

    def squeeze(self):
        x = self.some(lambda v: 1 in v.dims)
        return x and self.op("Squeeze", [x, self.constants_of(self.pick(*[a for a, d in enumerate(x.dims) if d == 1]))])

    def move(self):
        x = self.some(lambda v: v.rank > 0 and v.kind != "b")
        if x is None:
            return None
        axis = self.int(0, x.rank - 1)
        kind = self.int(0, 7)
        if kind == 0:
            start, end, step = self.pick((0, 1, 1), (1, 99, 1), (-1, -99, -1), (0, 99, 2))
            return self.op("Slice", [x, *(self.constants_of(v) for v in (start, end, axis, step))])
        if kind == 1:
            pads = [self.int(0, 2) for _ in range(2 * x.rank)]
            return self.op("Pad", [x, self.constants_of(*pads), self.number(self.pick(0, 1), x.dtype)]) if self.chance(0.6) else \
                self.op("Pad", [x, self.constants_of(*[min(p, x.dims[k % x.rank] - 1) for k, p in enumerate(pads)])], mode=self.pick("edge", "reflect"))
        if kind == 2:
            other = x.dims
            other[axis] = self.int(1, 5)
            return self.op("Concat", self.pick([x, self.given(self.numbers(other, x.dtype))], [self.given(self.numbers(other, x.dtype)), x]), axis=axis)
        if kind == 3:
            return self.op("Tile", [x, self.constants_of(*(self.pick(1, 1, 2, 3) for _ in x.dims))])
        if kind == 4:
            ids = self.rng.integers(0, x.dims[axis], self.int(1, 7))
            return self.op("Gather", [x, self.constants_of(*ids)], axis=axis)
        if kind == 5 and x.rank == 4:
            scales = [1, 1, self.pick(1, 2), self.pick(2, 3)]
            return self.op("Resize", [x, "", self.constants_of(*scales, dtype=np.float32)], mode="nearest", coordinate_transformation_mode="asymmetric",
                           nearest_mode="floor")
        if kind == 6 and 1 in x.dims:
            return self.op("Expand", [x, self.constants_of(*(self.int(1, 4) if d == 1 else d for d in x.dims))])
        return None

    # ---- rows ----

    def reduced(self, op, x):
        axes = [a for a in range(x.rank) if self.chance(0.5)] or [self.int(0, x.rank - 1)]
        return self.op(op, [x, self.constants_of(*axes)] if self.chance(0.9) else [x], keepdims=self.pick(1, 1, 0))

    def reduce(self):
        x = self.some(lambda v: is_float(v) and v.rank > 0)
        op = self.pick(*REDUCE, "ReduceSum", "ReduceMean", "ArgMax", "GlobalAveragePool")
        if x is None:
            return None
        if op == "ArgMax":
            return self.op(op, [x], axis=self.int(0, x.rank - 1), keepdims=self.int(0, 1))
        if op == "GlobalAveragePool":
            return self.op(op, [x]) if x.rank > 2 else None
        return self.reduced(op, x)

    def softmax(self):
        x = self.some(lambda v: is_float(v) and v.rank > 0)
        return x and self.op(self.pick("Softmax", "Softmax", "LogSoftmax", "Hardmax"), [x], axis=self.int(-x.rank, x.rank - 1))

    def layer_norm(self):
        x = self.some(lambda v: is_float(v) and v.rank > 0 and v.dims[-1] > 2)
        if x is None:
            return None
        axis = self.int(0, x.rank - 1) if self.chance(0.3) else x.rank - 1
        scale = [self.given(self.numbers(x.dims[axis:], x.dtype)) for _ in range(self.int(1, 2))]
        if self.chance(0.2):
            return self.op("LpNormalization", [x], axis=axis, p=2)
        return self.op("LayerNormalization", [x, *scale], axis=axis - x.rank, epsilon=0.01)

    def image_norm(self):
        x = self.some(lambda v: is_float(v) and v.rank > 2)
        if x is None:
            return None
        channels = x.dims[1]
        plain = [self.given(self.numbers([channels], x.dtype, (0.5, 2))) for _ in range(2)]
        if self.chance(0.6):
            more = [self.given(self.numbers([channels], x.dtype, within)) for within in ((-1, 1), (0.5, 2))]
            return self.op("BatchNormalization", [x, *plain, *more])
        if self.chance(0.3) and x.exact.std() > 0.2 * abs(x.exact.mean()):  # of squares' mean less the mean's square little is left else
            return self.op("MeanVarianceNormalization", [x], axes=[0, *range(2, x.rank)])
        return self.op("InstanceNormalization", [x, *plain], epsilon=0.01)

    # ---- work ----

    def conv(self):
        x = self.some(lambda v: is_float(v) and 3 <= v.rank <= 4 and v.dims[1] <= 24 and v.dtype.char in "fd")
        if x is None:
            return None
        channels, axes = x.dims[1], x.rank - 2
        groups = self.pick(1, 1, 1, channels, *[g for g in (2, 3) if channels % g == 0])
        filters = groups * self.int(1, 3 if groups > 1 else 11)
        kernel = [self.pick(*[k for k in (1, 1, 3, 3, 2, 5) if k <= d] or [1]) for d in x.dims[2:]]
        kernel = [1] * axes if self.chance(0.3) else kernel
        strides = [self.pick(1, 1, 1, 2, 3) for _ in range(axes)]
        pads = [self.int(0, k // 2) for k in kernel * 2]
        weights = self.constant(self.numbers([filters, channels // groups, *kernel], x.dtype, (-0.5, 0.5)))
        bias = [self.constant(self.numbers([filters], x.dtype))] if self.chance(0.5) else []
        if self.chance(0.1):
            weights = self.constant(self.numbers([channels, 2, *kernel], x.dtype, (-0.5, 0.5)))
            return self.op("ConvTranspose", [x, weights], strides=[min(s, 2) for s in strides])
        return self.op("Conv", [x, weights, *bias], group=groups, strides=strides, pads=pads)

    def matmul(self):
        x = self.some(lambda v: is_float(v) and v.rank > 0)
        if x is None:
            return None
        fitting = [v for v in self.values if v.dtype == x.dtype and v.rank > 1 and x.rank > 1 and v.dims[-2] == x.dims[-1] and v.rank == 2]
        if x.rank > 1 and self.chance(0.2):
            turned = self.op("Transpose", [x], perm=[*range(x.rank - 2), x.rank - 1, x.rank - 2])
            return turned and self.op("MatMul", [x, turned])
        n = self.pick(*WIDTHS)
        scale = 1 / max(1.0, x.dims[-1] ** 0.5)
        b = self.pick(*fitting) if fitting and self.chance(0.6) else self.given(self.numbers([x.dims[-1], n], x.dtype, (-scale, scale)))
        if self.chance(0.15) and x.rank > 1:
            return self.op("MatMul", [self.given(self.numbers([self.int(1, 9), x.dims[-2]], x.dtype, (-0.5, 0.5))), x])
        return self.op("MatMul", [x, b])

    def gemm(self):
        x = self.some(lambda v: is_float(v) and v.rank == 2)
        if x is None:
            return None
        turned_a, turned_b = self.int(0, 1), self.int(0, 1)
        m, k = x.dims[::-1] if turned_a else x.dims
        n, scale = self.pick(*WIDTHS), 1 / max(1.0, k ** 0.5)
        b = self.given(self.numbers((n, k) if turned_b else (k, n), x.dtype, (-scale, scale)))
        c = [self.given(self.numbers(self.pick((n,), (m, n), (1, 1), (m, 1)), x.dtype))] if self.chance(0.7) else []
        return self.op("Gemm", [x, b, *c], transA=turned_a, transB=turned_b, alpha=self.pick(1.0, 0.5), beta=self.pick(1.0, 2.0))

    def pool(self):
        x = self.some(lambda v: is_float(v) and 3 <= v.rank <= 4 and v.dtype.char == "f" and min(v.dims[2:]) > 1)
        if x is None:
            return None
        kernel, by = [self.int(1, min(3, d)) for d in x.dims[2:]], [self.int(1, 2) for _ in x.dims[2:]]
        pads = [self.int(0, k // 2) for k in kernel] * 2
        places = [(d + 2 * p - k) // s + 1 for d, p, k, s in zip(x.dims[2:], pads, kernel, by)]
        more = {"count_include_pad": self.int(0, 1)}
        op = self.pick("MaxPool", "AveragePool")
        return self.op(op, [x], dims=[*x.dims[:2], *places], kernel_shape=kernel, strides=by, pads=pads, **(more if op == "AveragePool" else {}))


def broadcasts(a, b):
    return all(x == y or 1 in (x, y) for x, y in zip(a[::-1], b[::-1]))


def inside(v, within):
    return v.kind != "f" or within[0] < 0 or v.within(within[0], 500)
