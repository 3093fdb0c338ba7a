"""What exporters make of one op, in several, at random, for group_graphs.py. A method gives the last value, or None."""

import numpy as np
from group_parts import is_float


class Patterns:
    def patterns(self):
        return [self.layer_norm_by_hand, self.layer_norm_by_hand, self.rms_norm, self.gelu_by_erf, self.gelu_by_tanh, self.silu, self.mish, self.hard_swish,
                self.softmax_by_hand, self.quantised, self.quantised, self.residual, self.residual, self.chain, self.chain, self.twice, self.scaled_rows, self.looked_up, self.looked_up]

    def of(self, op, x, number):
        return x and self.op(op, [x, self.number(number, x.dtype)])

    def row(self, least=2):
        return self.some(lambda v: is_float(v) and v.rank > 0 and v.dims[-1] >= least)

    def mean(self, x, axis):
        return x and self.op("ReduceMean", [x, self.constants_of(axis)], keepdims=1)

    def layer_norm_by_hand(self):
        x = self.row(3)
        if x is None:
            return None
        axis = -1 if self.chance(0.8) else self.int(0, x.rank - 1)
        centred = self.op("Sub", [x, self.mean(x, axis)])
        square = centred and (self.of("Pow", centred, 2) if self.chance(0.5) else self.op("Mul", [centred, centred]))
        deviation = self.of("Add", self.mean(square, axis), 0.01)
        normal = deviation and self.op("Div", [centred, self.op("Sqrt", [deviation])])
        return self.scaled(normal)

    def scaled(self, x):
        """By a weight, and a bias, of the last axis."""
        if x is None or self.chance(0.2):
            return x
        scaled = self.op("Mul", [x, self.given(self.numbers(x.dims[-1:], x.dtype))])
        return scaled and self.op("Add", [scaled, self.given(self.numbers(x.dims[-1:], x.dtype))]) if self.chance(0.7) else scaled

    def rms_norm(self):
        x = self.row(2)
        if x is None:
            return None
        square = self.of("Pow", x, 2) if self.chance(0.5) else self.op("Mul", [x, x])
        mean = self.of("Add", self.mean(square, -1), 0.01)
        root = mean and self.op("Sqrt", [mean])
        if self.chance(0.5):
            return root and self.scaled(self.op("Div", [x, root]))
        by = root and self.op("Reciprocal", [root])
        return by and self.scaled(self.op("Mul", [x, by]))

    def gelu_by_erf(self):
        x = self.some(is_float)
        y = self.of("Div", x, 1.4142135)
        y = y and self.op("Erf", [y])
        y = self.of("Add", y, 1.0)
        return y and self.of("Mul", self.op("Mul", self.pick([x, y], [y, x])), 0.5)

    def gelu_by_tanh(self):
        x = self.some(lambda v: is_float(v) and v.within(-7, 7))
        cube = self.of("Mul", self.of("Pow", x, 3), 0.044715)
        inner = cube and self.of("Mul", self.op("Add", [x, cube]), 0.7978846)
        inner = inner and self.of("Add", self.op("Tanh", [inner]), 1.0)
        return inner and self.op("Mul", [self.of("Mul", x, 0.5), inner])

    def silu(self):
        x = self.some(is_float)
        y = x and self.op("Sigmoid", [x])
        return y and self.op("Mul", self.pick([x, y], [y, x]))

    def mish(self):
        x = self.some(lambda v: is_float(v) and v.within(-20, 20))
        y = x and self.op("Softplus", [x])
        y = y and self.op("Tanh", [y])
        return y and self.op("Mul", [x, y])

    def hard_swish(self):
        x = self.some(is_float)
        y = self.of("Add", x, 3.0)
        y = y and self.op("Clip", [y, self.number(0, x.dtype), self.number(6, x.dtype)])
        return y and self.of("Div", self.op("Mul", [x, y]), 6.0)

    def softmax_by_hand(self):
        x = self.row(2)
        if x is None:
            return None
        return self.softmax_of(x, self.constants_of(-1 if self.chance(0.7) else self.int(0, x.rank - 1)))

    def softmax_of(self, x, axis):
        most = self.op("ReduceMax", [x, axis], keepdims=1)
        power = most and self.op("Exp", [self.op("Sub", [x, most])])
        total = power and self.op("ReduceSum", [power, axis], keepdims=1)
        return total and self.op("Div", [power, total])

    def scaled_rows(self):
        """A row by its largest number: reduced without its axis, which comes back by another op."""
        x = self.row(2)
        if x is None:
            return None
        size = self.op("Abs", [x])
        size = size and self.op("ReduceMax", [size, self.constants_of(x.rank - 1)], keepdims=0)
        size = size and self.op("Unsqueeze", [self.of("Add", size, 0.5), self.constants_of(-1)])
        return size and self.op("Div", [x, size])

    def looked_up(self):
        """Rows of a table whose numbers are something else first."""
        rows, wide, axis = self.int(3, 40), self.pick(1, 4, 7, 12), self.pick(0, 0, 1)
        table = self.constant(self.numbers([rows, wide], self.pick(np.int8, np.uint8)))
        x = self.dequantised(table) if self.chance(0.6) else self.op("Cast", [table], to=1)
        x = self.op(self.pick("Neg", "Abs", "Relu"), [x]) if x and self.chance(0.3) else x
        extent = [rows, wide][axis]
        indices = self.rng.integers(-extent, extent, self.pick([5], [2, 9], [1, 3])).astype(np.int64)
        x = x and self.op("Gather", [x, self.given(indices)], axis=axis)
        return x and self.op(self.pick("Add", "Mul"), [x, self.given(self.numbers(x.dims[-1:], x.dtype))])

    # ---- whole numbers of 8 bits ----

    def scale(self, x):
        return self.number(max(0.01, float(np.abs(x.array).max()) / self.pick(20, 60, 100)), np.float32)

    def quantised(self):
        """Numbers of 8 bits from a value, and back again."""
        x = self.some(lambda v: is_float(v) and v.dtype.char == "f")
        if x is None:
            return None
        if self.chance(0.5):
            x = self.op(self.pick("Relu", "Sigmoid", "Tanh"), [x]) or x
        kind = self.pick(np.int8, np.uint8)
        zero = [self.number(self.pick(0, 3) if kind == np.int8 else self.pick(0, 120), kind)]
        whole = self.op("QuantizeLinear", [x, self.scale(x), *zero])
        return whole and (self.dequantised(whole) if self.chance(0.8) else whole)

    def dequantised(self, whole):
        many = whole.rank > 1 and self.chance(0.2)
        dims = [whole.dims[1]] if many else []
        scale = self.constant(self.numbers(dims, np.float32, (0.01, 0.03)))
        zero = [self.constant(self.numbers(dims, whole.dtype))] if self.chance(0.7) else []
        return self.op("DequantizeLinear", [whole, scale, *zero], **({"axis": 1} if many else {}))

    # ---- forms of graphs ----

    def residual(self):
        """Two ways that meet again."""
        x = self.some(is_float)
        if x is None:
            return None
        y = self.op(self.pick("Tanh", "Relu", "Sigmoid", "Neg", "Sin" if x.within(-50, 50) else "Abs"), [x])
        for _ in range(self.int(0, 2)):
            y = y and (self.op("Mul", [y, self.given(self.numbers(self.pick([], x.dims[-1:], [1] * x.rank), x.dtype))]) or y)
        if x.rank > 1 and self.chance(0.3) and y is not None:
            y = self.op("MatMul", [y, self.constant(self.numbers([x.dims[-1], x.dims[-1]], x.dtype, (-0.3, 0.3)))])
        return y and self.op(self.pick("Add", "Sub", "Mul", "Max"), self.pick([x, y], [y, x]))

    def chain(self):
        """Several in a row, each the only reader of the one before."""
        x = self.some(is_float)
        for _ in range(self.int(2, 6)):
            if x is None:
                return None
            op = self.pick("Relu", "Sigmoid", "Tanh", "Abs", "Neg", "Add", "Mul", "Add", "Mul", "Clip", "Max")
            if op == "Clip":
                x = self.op(op, [x, self.number(-1.5, x.dtype), self.number(1.5, x.dtype)])
            elif op in ("Add", "Mul", "Max"):
                x = self.op(op, [x, self.given(self.numbers([self.pick(1, d) for d in x.dims][self.int(0, x.rank):], x.dtype))])
            else:
                x = self.op(op, [x])
        return x

    def twice(self):
        """The same operand twice."""
        x = self.some(is_float)
        y = x and self.op(self.pick("Mul", "Add", "Max"), [x, x])
        return y and self.op(self.pick("Relu", "Tanh", "Neg"), [y])
