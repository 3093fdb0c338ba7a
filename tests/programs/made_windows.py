"""Windows over narrow images at random, for made_kernels.py: of single channels and of some that share what they read, of floats and of
whole numbers of 8 bits, and those that stand for floats with what is done to sums before they are numbers of 8 bits again."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "operators"))

from packages import np


class Windows:
    def narrow(self):
        """Attributes of a window, and an image that it fits in: few rows, or more than are copied at once."""
        axes = self.pick(1, 2, 2, 2, 2, 2)
        kernel = [self.pick(1, 2, 3, 3, 3, 5, 7) for _ in range(axes)]
        stride = [self.pick(1, 1, 2)] * axes if self.int(0, 2) else [self.int(1, 4) for _ in range(axes)]
        dilation = [self.pick(1, 1, 1, 2, 3) for _ in range(axes)]
        reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
        pads = [k // 2 for k in kernel] * 2 if self.int(0, 1) else [self.int(0, k - 1) for k in kernel * 2]
        most = [20, self.pick(8, 16, 40)][-axes:]
        if axes == 2 and self.int(0, 5) == 0:
            most = self.pick((800, 13), (130, 110))
            reach = [max(r, m * 3 // 4) for r, m in zip(reach, most)]
        extents = [self.int(max(1, r - pads[i] - pads[i + axes]), max(r, most[i])) for i, r in enumerate(reach)]
        window = {"kernel_shape": kernel, "strides": stride, "dilations": dilation}
        places = [(e + pads[i] + pads[i + axes] - (kernel[i] - 1) * dilation[i] - 1) // stride[i] + 1 for i, e in enumerate(extents)]
        return {**window, "pads": pads}, extents, places

    def filters(self, extents, window):
        """Extents of the image and of its weights, how many groups there are."""
        groups = self.pick(1, self.int(2, 9), self.int(2, 9))
        groups = min(groups, 2) if max(extents) > 50 else groups
        inside = self.pick(1, 1, 2) if groups > 1 else self.pick(1, 1, 3)
        each = self.pick(1, 1, 1, 2, 5) if groups > 1 else self.int(1, 9)
        return [self.int(1, 2), groups * inside, *extents], [groups * each, inside, *window["kernel_shape"]], groups

    def narrow_floats(self):
        window, extents, _ = self.narrow()
        x, w, groups = self.filters(extents, window)
        bias = [self.constant(self.array(w[0]))] if self.int(0, 1) else []
        y = self.node("Conv", [self.input(self.array(*x)), self.constant(self.array(*w)), *bias], inside=True, group=groups, **window)
        self.node(*self.pick(("Relu", [y]), ("Identity", [y]), ("Neg", [y])))

    def narrow_bytes(self):
        window, extents, _ = self.narrow()
        x, w, groups = self.filters(extents, window)
        kind = self.pick(np.uint8, np.int8)
        x = self.input(self.bytes(*x, dtype=kind))
        if kind == np.uint8 and self.int(0, 1):
            self.node("ConvInteger", [x, self.constant(self.narrow_weights(*w, dtype=np.uint8)), self.zero(np.uint8), self.zero(np.uint8)], group=groups, **window)
            return
        bias = [self.constant(self.rng.integers(-(1 << 20), 1 << 20, w[0]).astype(np.int32))] if self.int(0, 1) else []
        weights = self.constant(self.narrow_weights(*w, dtype=np.int8))
        zero = self.constant(np.zeros(w[0], np.int8))
        self.node("QLinearConv", [x, self.scale(), self.zero(kind), weights, self.scale(w[0]), zero, self.scale(most=9), self.zero(kind), *bias],
                  group=groups, **window)

    def power(self, *dims):
        """Scales by which nothing is rounded."""
        return self.constant(np.exp2(-self.rng.integers(3, 6, dims)).astype(np.float32))

    def narrow_quantised(self):
        """Sums fit in floats, so whoever makes them, they are the same, and halves are rounded."""
        window, extents, places = self.narrow()
        x, w, groups = self.filters(extents, window)
        kind = self.pick(np.uint8, np.int8)
        image = self.node("DequantizeLinear", [self.input(self.bytes(*x, dtype=kind)), self.power(), self.zero(kind)], inside=True)
        zeros = self.constant(self.rng.integers(-9, 9, w[0]).astype(np.int8))
        weights = self.node("DequantizeLinear", [self.constant(self.bytes(*w, dtype=np.int8)), self.power(w[0]), zeros], inside=True, axis=0)
        bias = [self.constant((self.rng.integers(-999, 999, w[0]) / 64).astype(np.float32))] if self.int(0, 1) else []
        y = self.node("Conv", [image, weights, *bias], inside=True, group=groups, **window)
        if self.int(0, 1):
            other = self.array(x[0], w[0], *places, within=(-3, 3))
            other = self.node("QuantizeLinear", [self.input(other), self.power(), self.zero(kind)], inside=True)  # dies, and is written over
            other = self.node("DequantizeLinear", [other, self.power(), self.zero(kind)], inside=True)
            y = self.node("Add", [y, other], inside=True)
        if self.int(0, 1):
            y = self.node("Relu", [y], inside=True)
        self.node("QuantizeLinear", [y, self.constant(np.float32(2.0 ** self.int(-3, 4))), self.zero(kind)])

    def windows(self):
        return (self.narrow_floats, self.narrow_floats, self.narrow_bytes, self.narrow_quantised, self.narrow_quantised)
