"""Attention of com.microsoft and what is fused there, in double precision, for evaluate.py."""

import numpy as np
from onnx.reference.op_run import OpRun


def attend(q, k, v, bias, scale, causal, past):
    """Of [batch,heads,length,size]; joined as [batch,length,heads size]."""
    scores = np.einsum("bhsd,bhtd->bhst", q, k) * (scale or q.shape[-1] ** -0.5) + bias
    if causal:
        scores = np.where(np.arange(k.shape[2]) > np.arange(q.shape[2])[:, None] + past, -np.inf, scores)
    parts = np.exp(scores - scores.max(axis=-1, keepdims=True))
    y = np.einsum("bhst,bhtd->bshd", parts / parts.sum(axis=-1, keepdims=True), v)
    return y.reshape(*y.shape[:2], -1)


def heads(x, n):
    return x if x.ndim == 4 else np.stack(np.split(x, n, axis=2), axis=1)


def padding(mask, value):
    if mask is None:
        return 0
    hidden = np.where(mask == 0, -10000.0 if value is None else value, 0.0)
    return hidden[:, None, None] if mask.ndim == 2 else hidden[:, None]


class Attention(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, weights, bias=None, mask=None, past=None, score_bias=None, num_heads=None, mask_filter_value=None,
             qkv_hidden_sizes=None, scale=None, unidirectional=None, **_):
        sizes = qkv_hidden_sizes or [weights.shape[1] // 3] * 3
        q, k, v = (heads(part, num_heads) for part in
                   np.split(x @ weights + (0 if bias is None else bias), np.cumsum(sizes)[:2], axis=2))
        if past is not None:
            k, v = np.concatenate((past[0], k), axis=2), np.concatenate((past[1], v), axis=2)
        bias = padding(mask, mask_filter_value) + (0 if score_bias is None else score_bias)
        y = attend(q, k, v, bias, scale, unidirectional, k.shape[2] - q.shape[2])
        return (y, np.stack((k, v)))[: len(self.onnx_node.output)] if sizes[1] == sizes[2] else (y,)


class MultiHeadAttention(OpRun):
    op_domain = "com.microsoft"

    def _run(self, q, k, v, bias=None, mask=None, score_bias=None, past_k=None, past_v=None, num_heads=None,
             mask_filter_value=None, scale=None, unidirectional=None, **_):
        if bias is not None:
            at = np.cumsum([q.shape[2], k.shape[2] if k.ndim == 3 else q.shape[2]])
            q, k, v = (x + b if x.ndim == 3 else x for x, b in zip((q, k, v), np.split(bias, at)))
        q, k, v = (heads(x, num_heads) for x in (q, k, v))
        if past_k is not None:
            k, v = np.concatenate((past_k, k), axis=2), np.concatenate((past_v, v), axis=2)
        bias = padding(mask, mask_filter_value) + (0 if score_bias is None else score_bias)
        y = attend(q, k, v, bias, scale, unidirectional, k.shape[2] - q.shape[2])
        return (y, k, v)[: len(self.onnx_node.output)]


class RotaryEmbedding(OpRun):
    op_domain = "com.microsoft"

    def _run(self, x, places, cos, sin, interleaved=None, num_heads=None, rotary_embedding_dim=None, **_):
        n = num_heads or (1 if x.ndim == 4 else x.shape[2] // (2 * cos.shape[1]))
        y = heads(x, n).copy()  # [batch,heads,length,size]
        places = places + np.arange(y.shape[2])[None] if places.ndim == 1 else places
        cos, sin = cos[places][:, None], sin[places][:, None]
        size = rotary_embedding_dim or y.shape[3]
        at = (slice(0, size, 2), slice(1, size, 2)) if interleaved else (slice(0, size // 2), slice(size // 2, size))
        a, b = y[..., at[0]].copy(), y[..., at[1]].copy()
        y[..., at[0]], y[..., at[1]] = cos * a - sin * b, sin * a + cos * b
        return (y if x.ndim == 4 else np.concatenate(list(np.moveaxis(y, 1, 0)), axis=2),)


def activated(y, name, params):
    return {"": lambda: y, "Relu": lambda: np.maximum(y, 0), "Tanh": lambda: np.tanh(y), "Sigmoid": lambda: 1 / (1 + np.exp(-y)),
            "LeakyRelu": lambda: np.where(y < 0, params[0] * y, y), "Clip": lambda: np.clip(y, *params),
            "HardSigmoid": lambda: np.clip(params[0] * y + params[1], 0, 1)}[name or ""]()


class FusedGemm(OpRun):
    op_domain = "com.microsoft"

    def _run(self, a, b, c=None, activation=None, activation_alpha=None, activation_beta=None, alpha=None, beta=None,
             transA=None, transB=None, **_):
        a, b = a.T if transA else a, b.T if transB else b
        y = (1 if alpha is None else alpha) * (a @ b) + (0 if c is None else (1 if beta is None else beta) * c)
        return (activated(y, activation, (activation_alpha, activation_beta)),)


class RMSNorm(OpRun):
    def _run(self, x, scale, eps=None, epsilon=None):
        return (x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + (eps if eps is not None else epsilon)) * scale,)


OWN = [Attention, MultiHeadAttention, RotaryEmbedding, FusedGemm, RMSNorm]
