"""Operators of com.microsoft and few others in double precision, for evaluate.py."""

import math

import numpy as np
from onnx.reference.op_run import OpRun

erf = np.vectorize(math.erf, otypes=[np.float64])


def gelu(x, approximate):
    if approximate == "tanh":
        return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    return 0.5 * x * (1 + erf(x / math.sqrt(2)))


class FusedMatMul(OpRun):
    op_domain = "com.microsoft"

    def _run(self, a, b, alpha=None, transA=None, transB=None, transBatchA=None, transBatchB=None):
        a = np.swapaxes(a, -1, -2) if transA else a
        b = np.swapaxes(b, -1, -2) if transB else b
        return ((1.0 if alpha is None else alpha) * (a @ b),)


class TransposeMatMul(FusedMatMul):
    pass


class HardSwish(OpRun):
    """Some models have it in sets from before its first version."""

    def _run(self, x):
        return (x * np.clip(x / 6 + 0.5, 0, 1),)


class MsGelu(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, approximate=None):
        return (gelu(x, "none"),)


class BiasGelu(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, bias):
        return (gelu(x + bias, "none"),)


class FastGelu(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, bias=None):
        return (gelu(x if bias is None else x + bias, "tanh"),)


class QuickGelu(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, alpha=None):
        return (x / (1 + np.exp(-(1.702 if alpha is None else alpha) * x)),)


class Det(OpRun):
    def _run(self, x):
        return (np.asarray(np.linalg.det(x)),)


class Inverse(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x):
        return (np.linalg.inv(x),)


def normalised(x, epsilon, centre=True):
    x = x - x.mean(axis=-1, keepdims=True) if centre else x
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + epsilon)


class SkipLayerNormalization(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, skip, gamma, beta=None, bias=None, epsilon=None):
        total = x + skip + (0 if bias is None else bias)
        y = normalised(total, 1e-12 if epsilon is None else epsilon) * gamma + (0 if beta is None else beta)
        return (y, total, total, total)[: len(self.onnx_node.output)]


class SkipSimplifiedLayerNormalization(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, skip, gamma, bias=None, epsilon=None):
        total = x + skip + (0 if bias is None else bias)
        y = normalised(total, 1e-12 if epsilon is None else epsilon, False) * gamma
        return (y, total, total, total)[: len(self.onnx_node.output)]


class SimplifiedLayerNormalization(OpRun):
    def _run(self, x, scale, axis=None, epsilon=None, stash_type=None):
        return (normalised(x, 1e-5 if epsilon is None else epsilon, False) * scale,)


class MsLayerNormalization(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, scale, bias=None, axis=None, epsilon=None, stash_type=None):
        return (normalised(x, 1e-5 if epsilon is None else epsilon) * scale + (0 if bias is None else bias),)


class EmbedLayerNormalization(OpRun):
    op_domain = "com.microsoft"

    def _run(self, ids, segments, words, positions, kinds, gamma, beta, mask=None, places=None, epsilon=None, mask_index_type=None):
        total = words[ids] + (positions[: ids.shape[1]] if places is None else positions[places])
        total = total + (0 if segments is None else kinds[segments])
        y = normalised(total, 1e-12 if epsilon is None else epsilon) * gamma + beta
        lengths = (0 * ids if mask is None else mask).sum(axis=1).astype(np.int32)
        return (y, lengths, total)[: len(self.onnx_node.output)]


class RequantShift(OpRun):
    op_domain = "PACTOps"

    def _run(self, x, mul, add, div=None, n_levels=None, signed=None):
        low = -n_levels / 2 if signed else 0
        return (np.clip(np.floor((x * mul + add) / div + 0.5), low, low + n_levels - 1).astype(x.dtype),)


MsSimplified = type("SimplifiedLayerNormalization", (SimplifiedLayerNormalization,), {"op_domain": "com.microsoft"})
MsLayerNormalization.__name__ = "LayerNormalization"
MsGelu.__name__ = "Gelu"  # the evaluator finds operators by the names of their classes

OWN = [HardSwish, FusedMatMul, TransposeMatMul, MsGelu, BiasGelu, FastGelu, QuickGelu, Det, Inverse, SkipLayerNormalization,
       SkipSimplifiedLayerNormalization, SimplifiedLayerNormalization, MsSimplified, MsLayerNormalization, EmbedLayerNormalization,
       RequantShift]
