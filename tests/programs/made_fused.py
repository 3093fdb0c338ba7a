"""Nodes at random of com.microsoft, RotaryEmbedding of it and Einsum, for made_kernels.py."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "operators"))

from packages import np

MS = "com.microsoft"
ACTIVATIONS = {"Relu": [], "Tanh": [], "Sigmoid": [], "LeakyRelu": [0.2], "Clip": [-0.5, 0.75], "HardSigmoid": [0.3, 0.4]}


class Fused:
    def fused_conv(self):
        window, extents = self.window(2)
        groups, inside, filters = self.pick(1, 2), self.int(1, 4), self.int(1, 6)
        x = self.array(1, groups * inside, *extents)
        operands = [self.input(x), self.constant(self.array(groups * filters, inside, *window["kernel_shape"])), self.constant(self.array(groups * filters))]
        if self.int(0, 1):
            places = [(e + p0 + p1 - (k - 1) * d - 1) // s + 1 for e, p0, p1, k, d, s in
                      zip(extents, window["pads"][:2], window["pads"][2:], window["kernel_shape"], window["dilations"], window["strides"])]
            operands.append(self.input(self.array(1, groups * filters, *places)))
        name = self.pick(*ACTIVATIONS)
        more = {"activation_params": ACTIVATIONS[name]} if ACTIVATIONS[name] else {}
        self.node("FusedConv", operands, domain=MS, group=groups, activation=name, **window, **more)

    def fused_product(self):
        m, k, n = self.int(1, 9), self.int(1, 20), self.int(1, 20)
        a, b = self.int(0, 1), self.int(0, 1)
        if self.int(0, 1):
            name = self.pick("Relu", "Tanh", "Sigmoid", "LeakyRelu")
            more = {"activation_alpha": 0.2} if name == "LeakyRelu" else {}
            self.node("FusedGemm", [self.input(self.array(*((k, m) if a else (m, k)))), self.input(self.array(*((n, k) if b else (k, n)))),
                                    self.constant(self.array(n))], domain=MS, transA=a, transB=b, alpha=0.5, activation=name, **more)
            return
        stack = [self.int(1, 3) for _ in range(self.int(0, 2))]
        self.node("FusedMatMul", [self.input(self.array(*stack, *((k, m) if a else (m, k)))), self.input(self.array(*stack, *((n, k) if b else (k, n))))],
                  domain=MS, transA=a, transB=b, alpha=self.pick(1.0, 0.25))

    def gelu_kin(self):
        x, n = self.array(self.int(1, 4), self.int(1, 30), within=(-3, 3)), self.int(0, 4)
        bias = self.constant(self.array(x.shape[1]))
        op, operands = (("Gelu", []), ("QuickGelu", []), ("FastGelu", []), ("FastGelu", [bias]), ("BiasGelu", [bias]))[n]
        self.node(op, [self.input(x), *operands], domain=MS, **({"alpha": 1.5} if op == "QuickGelu" else {}))

    def skip_norm(self):
        batch, length, hidden = self.int(1, 3), self.int(1, 5), self.int(2, 30)
        x, skip = self.array(batch, length, hidden, within=(-2, 3)), self.array(*self.pick((batch, length, hidden), (1, length, hidden), (length, hidden)))
        numbers = [self.constant(self.array(hidden)) for _ in range(3)]
        plain = self.int(0, 1)
        given = numbers[:2 if plain else self.int(1, 3)]
        results = self.pick(1, 4)
        self.node("SkipSimplifiedLayerNormalization" if plain else "SkipLayerNormalization", [self.input(x), self.input(skip), *given], results,
                  left_out=(1, 2), domain=MS, epsilon=0.001)

    def rotary(self):
        batch, length, heads, half = self.int(1, 2), self.int(1, 5), self.int(1, 3), self.int(1, 5)
        cosines, sines = self.array(length + 4, half), self.array(length + 4, half)
        first = self.int(0, 1)
        ids = np.array([self.int(0, 4)], np.int64) if first else self.rng.integers(0, length + 4, (batch, length)).astype(np.int64)
        x = self.array(*((batch, heads, length, 2 * half) if self.int(0, 1) else (batch, length, heads * 2 * half)))
        self.node("RotaryEmbedding", [self.input(x), self.input(ids), self.constant(cosines), self.constant(sines)], domain=MS, interleaved=self.int(0, 1))

    def einsum(self):
        equation = self.pick("ij,jk->ik", "bij,bjk->bik", "bhid,bhjd->bhij", "ij,ij->", "i,j->ij", "ij->ji", "ii->i", "ij,jk", "abc,cd,d->ab", "bij, kj -> bik")
        extent = {}
        operands = [self.array(*(extent.setdefault(letter, self.int(1, 7)) for letter in part.strip())) for part in equation.split("->")[0].split(",")]
        self.node("Einsum", [self.input(x) for x in operands], equation=equation)

    def fused(self):
        return (self.fused_conv, self.fused_conv, self.fused_product, self.fused_product, self.gelu_kin, self.skip_norm, self.rotary, self.einsum)
