"""Ops that are done by rows, at random, for group_graphs.py: what one makes cannot be made element by element where the next
one reads it. A method gives the last value, or None."""

import numpy as np
from group_parts import is_float


class Rows:
    def rows(self):
        return [self.attention] * 4 + [self.feed_forward] * 3 + [self.norm_in_front, self.norm_in_front, self.pooled, self.pooled, self.wide_and_deep]

    def by(self, x, columns, bias=None):
        """x times a matrix, with small numbers."""
        y = x and self.op("MatMul", [x, self.given(self.numbers([x.dims[-1], columns], x.dtype, (-0.3, 0.3)))])
        return y and self.op("Add", [y, self.given(self.numbers([columns], x.dtype))]) if bias or (bias is None and self.chance(0.4)) else y

    def heads(self, x, heads, perm=(0, 2, 1, 3)):
        """[batch, tokens, wide] as [batch, heads, tokens, wide / heads]."""
        if x is None:
            return None
        batch, tokens, wide = x.dims
        x = self.op("Reshape", [x, self.constants_of(batch, tokens, heads, wide // heads)])
        return x and self.op("Transpose", [x], perm=list(perm))

    def masked(self, scores):
        if scores is None or self.chance(0.3):
            return scores
        batch, _, queries, keys = scores.dims
        if self.chance(0.4):  # causal, or of padding
            mask = np.where(np.tri(queries, keys, keys - queries), 0, -30).astype(scores.dtype)
            return self.op("Add", [scores, self.given(mask[None, None] if self.chance(0.5) else mask)])
        there = self.numbers([batch, 1, 1, keys], np.bool_)
        there[..., 0] = True
        return self.op("Where", [self.given(there), scores, self.number(-30, scores.dtype)])

    def attention(self):
        """Of its own tokens, or of others; heads that share keys; with what is in front of it and behind it, or without."""
        dtype = self.pick(np.float32, np.float32, np.float32, np.float64)
        batch, queries, heads, deep = self.int(1, 2), self.pick(3, 9, 16, 17, 24, 33), self.pick(1, 2, 3, 4), self.pick(2, 3, 4, 8)
        wide, own = heads * deep, self.chance(0.6)
        keys = queries if own else self.pick(5, 8, 19)
        if batch * heads * queries * keys > 5000:
            return None
        x = self.input(self.numbers([batch, queries, wide], dtype))
        y = x if own else self.input(self.numbers([batch, keys, wide], dtype))
        normal = self.scaled(self.op("LayerNormalization", [x, self.given(self.numbers([wide], dtype))])) if self.chance(0.3) else x
        shared = self.pick(1, heads)
        q = self.heads(self.by(normal, wide), heads)
        k = self.heads(self.by(y, shared * deep), shared, self.pick((0, 2, 3, 1), (0, 2, 1, 3)))
        v = self.heads(self.by(y, shared * deep), shared)
        if self.chance(0.5):
            q = self.of("Mul", q, deep ** -0.5)
        if k and k.dims[2] == keys and k.dims[3] == deep:
            k = self.op("Transpose", [k], perm=[0, 1, 3, 2])
        scores = self.op("MatMul", [q, k]) if q and k else None
        scores = self.masked(self.of("Div", scores, deep ** 0.5) if scores and self.chance(0.5) else scores)
        weights = scores and (self.op("Softmax", [scores], axis=-1) if self.chance(0.7) else self.softmax_of(scores, self.constants_of(-1)))
        out = self.op("MatMul", [weights, v]) if weights and v else None
        out = out and self.op("Transpose", [out], perm=[0, 2, 1, 3])
        out = out and self.op("Reshape", [out, self.constants_of(batch, queries, wide)])
        out = self.by(out, wide) if out and self.chance(0.6) else out
        return self.op("Add", self.pick([x, out], [out, x])) if out and self.chance(0.6) else out

    def feed_forward(self):
        """Tokens, each by itself: wider, an activation or a gate, and back."""
        dtype = self.pick(np.float32, np.float32, np.float64)
        tokens, wide, inner = self.pick(7, 16, 18, 33, 48), self.pick(4, 7, 16), self.pick(8, 17, 32)
        dims = self.pick([tokens, wide], [1, tokens, wide], [2, tokens, wide])
        x = self.input(self.numbers(dims, dtype))
        normal = self.op("LayerNormalization", [x, self.given(self.numbers([wide], dtype))]) if self.chance(0.4) else x
        hidden = self.by(normal, inner)
        if hidden and self.chance(0.4):
            gate = self.by(normal, inner)
            hidden = gate and self.op("Mul", [hidden, self.op(self.pick("Sigmoid", "Gelu", "Tanh"), [gate])])
        elif hidden:
            hidden = self.op(self.pick("Relu", "Gelu", "Tanh", "Sigmoid"), [hidden])
        y = self.by(hidden, wide)
        return self.op("Add", self.pick([x, y], [y, x])) if y and self.chance(0.7) else y

    def norm_in_front(self):
        x = self.row(3)
        if x is None or x.rank < 2 or x.dtype.char == "e":
            return None
        y = self.pick(self.rms_of, self.layer_norm_of)(x)
        return self.by(y, self.pick(3, 8, 17))

    def rms_of(self, x):
        mean = self.of("Add", self.mean(self.op("Mul", [x, x]), -1), 0.01)
        root = mean and self.op("Sqrt", [mean])
        return root and self.scaled(self.op("Div", [x, root]))

    def layer_norm_of(self, x):
        return self.op("LayerNormalization", [x, self.given(self.numbers(x.dims[-1:], x.dtype))], axis=-1)

    def image_of(self, channels):
        dims = [self.int(1, 2), channels, self.pick(4, 7, 8), self.pick(5, 8, 11)]
        return self.input(self.numbers(dims))

    def windows(self, x, channels, group, size):
        w = self.given(self.numbers([channels, x.dims[1] // group, size, size], x.dtype, (-0.3, 0.3)))
        bias = [self.given(self.numbers([channels], x.dtype))] if self.chance(0.5) else []
        return self.op("Conv", [x, w, *bias], group=group, pads=[size // 2] * 4, strides=[self.pick(1, 1, 2)] * 2)

    def pooled(self):
        """Windows over what a convolution made, channel by channel."""
        y = self.windows(self.image_of(self.int(1, 5)), self.pick(4, 9, 16, 18), 1, self.pick(1, 3))
        y = self.op(self.pick("Relu", "Sigmoid", "Tanh"), [y]) if y and self.chance(0.6) else y
        size = self.pick(2, 3)
        return y and self.op(self.pick("MaxPool", "AveragePool"), [y], kernel_shape=[size, size], strides=[2, 2], pads=[0, 0, size - 2, size - 2])

    def wide_and_deep(self):
        """A convolution of all channels, then one of each by itself."""
        channels = self.pick(6, 16, 17, 24)
        y = self.windows(self.image_of(self.int(2, 5)), channels, 1, 1)
        y = self.op("Clip", [y, self.number(0), self.number(6)]) if y and self.chance(0.6) else y
        return y and self.windows(y, channels, channels, 3)
