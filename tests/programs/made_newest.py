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


class Attention:
    def bias(self, batch, heads, queries, keys, causal):
        """None, or one that is broadcast; it may end before the keys do. The reference is causal for each query that the mask has."""
        if self.int(0, 1):
            return ""
        dims = [self.pick(1, batch), self.pick(1, heads), queries if causal else self.pick(1, queries)][self.int(0, 2 if causal else 3):]
        if self.int(0, 3) == 0:
            keys = self.int(1, keys)
        if self.int(0, 1):
            return self.input(self.rng.random([*dims, keys]) < 0.7)
        mask = self.array(*dims, keys, within=(-2, 2))
        mask[self.rng.random(mask.shape) < 0.2] = -np.inf
        return self.input(mask)

    def attention(self):
        batch, heads, group, four = self.int(1, 2), self.int(1, 3), self.pick(1, 1, 2, 3), self.int(0, 1)
        size = self.pick(self.int(1, 40), 64)
        of_values = self.pick(size, self.int(1, 70))
        queries, new = self.pick(1, self.int(1, 12), self.int(13, 150)), self.pick(self.int(1, 12), self.int(13, 150))
        old, causal = self.pick(0, 0, self.int(1, 70)), self.int(0, 1)
        parts = lambda n, positions, size: (batch, n, positions, size) if four else (batch, positions, n * size)
        operands = [self.input(self.array(*parts(n, positions, each), within=(-2, 2)))
                    for n, positions, each in ((heads * group, queries, size), (heads, new, size), (heads, new, of_values))]
        operands.append(self.bias(batch, heads * group, queries, old + new, causal))
        operands += [self.input(self.array(batch, heads, old, each)) if old else "" for each in (size, of_values)]
        if not old and self.int(0, 2) == 0:
            operands.append(self.input(self.rng.integers(0, new + 1, batch).astype(np.int64)))
        more = {} if four else {"q_num_heads": heads * group, "kv_num_heads": heads}
        more |= {} if self.int(0, 1) else {"scale": 0.3}
        more |= {} if self.int(0, 2) else {"softcap": 1.5}
        more |= {} if self.int(0, 2) else {"left_window_size": self.int(0, 40), "right_window_size": self.int(-1, 40)}
        mode = self.int(0 if "softcap" not in more else 1, 3)  # the reference gives capped products for those of mode 0
        n = 4 if self.int(0, 2) == 0 else 3 if old else 1  # the reference takes a result left out for operands left out behind it
        self.node("Attention", operands, n, is_causal=causal, qk_matmul_output_mode=mode, **more)
