"""Nodes at random that compute element by element in types other than f32, for made_kernels.py."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "operators"))

from packages import np

WHOLE = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
WORDS = (np.int32, np.int64)


class Elements:
    def some(self, dtype, *dims, odd=False):
        """Numbers of a type, all of its range; `odd`: none is 0."""
        dtype = np.dtype(dtype)
        if dtype.kind == "f":
            return self.rng.uniform(-9, 9, dims).astype(dtype)
        if dtype.kind == "b":
            return self.rng.integers(0, 2, dims).astype(dtype)
        limits = np.iinfo(dtype)
        x = self.rng.integers(limits.min, limits.max, dims, dtype, endpoint=True)
        return x | 1 if odd else x

    def pair(self, dtype, second=None, odd=False):
        """Two operands that are broadcast to each other."""
        dims = [self.int(1, 6) for _ in range(self.int(1, 4))]
        other = [self.pick(1, d, d) for d in dims][self.int(0, len(dims) - 1):]
        return [self.input(self.some(dtype, *dims)), self.input(self.some(second or dtype, *other, odd=odd))]

    def arithmetic(self):
        op = self.pick("Add", "Sub", "Mul", "Div", "Mod", "Max", "Min")
        kinds = {"Max": (*WORDS, np.float64), "Min": (*WORDS, np.float64), "Mod": WHOLE}.get(op, (*WORDS, np.float64))
        dtype = self.pick(*kinds)
        operands = self.pair(dtype, odd=op in ("Div", "Mod"))
        self.node(op, operands, **({"fmod": 0} if op == "Mod" else {}))

    def comparison(self):
        op = self.pick("Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual")
        dtype = self.pick(*WORDS, np.float32, np.float64)
        self.node(op, self.pair(dtype))

    def truth(self):
        operands = self.pair(np.bool_)
        op = self.pick("And", "Or", "Xor", "Not")
        self.node(op, operands[:1] if op == "Not" else operands)

    def bits(self):
        op = self.pick("BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot", "BitShift")
        if op == "BitShift":
            dtype = self.pick(np.uint8, np.uint32, np.uint64)
            dims = [self.int(1, 5), self.int(1, 9)]
            by = self.rng.integers(0, 8, dims).astype(dtype)
            self.node(op, [self.input(self.some(dtype, *dims)), self.input(by)], direction=self.pick("LEFT", "RIGHT"))
            return
        operands = self.pair(self.pick(*WHOLE))
        self.node(op, operands[:1] if op == "BitwiseNot" else operands)

    def where(self):
        dims = [self.int(1, 6) for _ in range(self.int(1, 3))]
        dtype = self.pick(np.float32, np.float32, np.int32, np.int64, np.uint8)
        parts = [dims if self.int(0, 1) else [self.pick(1, d) for d in dims] for _ in range(3)]
        self.node("Where", [self.input(self.some(np.bool_, *parts[0])), *(self.input(self.some(dtype, *p)) for p in parts[1:])])

    def cast(self):
        kinds = (np.float32, np.float64, np.float16, np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint32, np.bool_)
        start, end = self.pick(*kinds), np.dtype(self.pick(*kinds))
        x = self.some(start, self.int(1, 5), self.int(1, 9))
        if np.dtype(start).kind == "f" and end.kind in "iu":
            x = np.abs(x) if end.kind == "u" else x  # what does not fit is not said
        if end == np.float16 and np.dtype(start).kind in "iu":
            x = (x % 100).astype(start)
        self.node("Cast", [self.input(x)], to=self.number_of(end))

    def sign(self):
        op, dtype = self.pick("Abs", "Neg", "Sign"), self.pick(np.int8, np.int32, np.int64, np.float64)
        self.node(op, [self.input(self.some(dtype, self.int(1, 4), self.int(1, 20)))])

    def elements(self):
        return (self.arithmetic, self.arithmetic, self.comparison, self.truth, self.bits, self.where, self.where, self.cast, self.cast, self.sign)
