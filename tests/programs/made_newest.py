"""Nodes at random of operators that ONNX Runtime does not know, or knows in part, for made_kernels.py: what they give is
told by onnx's reference."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "operators"))

from packages import np


class Newest:
    def cache(self):
        x = self.typed(*(self.int(1, 6) for _ in range(self.int(2, 4))), types=(np.float32, np.float64, np.float16, np.int8, np.int64, np.bool_))
        axis, mode = self.int(1, x.ndim - 1), self.pick("linear", "circular")
        entries = self.int(1, x.shape[axis])
        new = self.typed(*(entries if a == axis else d for a, d in enumerate(x.shape)), types=(x.dtype.type,))
        most = x.shape[axis] - entries if mode == "linear" else 3 * x.shape[axis]
        at = [self.input(self.rng.integers(0, most + 1, x.shape[0]).astype(np.int64))] if self.int(0, 3) else []
        self.node("TensorScatter", [self.made(x), self.input(new), *at], axis=self.pick(axis, axis - x.ndim), mode=mode)

    def causal(self):
        batch, channels, length, taps = self.int(1, 3), self.int(1, 5), self.int(1, 40), self.int(2, 6)
        length = self.pick(length, self.int(1, taps))
        operands = [self.input(self.array(batch, channels, length)), self.constant(self.array(channels, 1, taps))]
        operands.append(self.pick("", self.constant(self.array(channels))))
        operands.append(self.pick("", self.input(self.array(batch, channels, taps - 1))))
        self.node("CausalConvWithState", operands, 2, activation=self.pick("none", "silu", "swish"))

    def product_so_far(self):
        x = self.typed(*(self.int(1, 5) for _ in range(self.int(1, 4))), types=(np.float32, np.float64, np.int32, np.int64, np.uint64))
        x = x if x.dtype.kind == "f" else x % 4
        axis = np.array(self.int(-x.ndim, x.ndim - 1), np.int64)
        self.node("CumProd", [self.input(x), self.constant(axis)], exclusive=self.int(0, 1), reverse=self.int(0, 1))

    def newest(self):
        return self.cache, self.causal, self.product_so_far
