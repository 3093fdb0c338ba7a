"""Runs ONNX models in double precision: the reference evaluator of the onnx package, with numpy in place of those
of its kernels that compute in single precision or refuse what the definition allows.

What numpy computes here is held against ONNX Runtime by ops.py, which runs every model in single precision too.
"""

import math

import evaluate_attention
import evaluate_flow
import evaluate_more
import evaluate_rnn
import numpy as np
import onnx
from evaluate_more import erf, gelu
from kernels import completed
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun
from onnx.reference.ops.op_resize import Resize as Resize_of_onnx



def spread(index, steps, extents):
    """The part of a padded tensor that element `index` of a kernel meets: (strides, dilations) and results' extents."""
    strides, dilations = steps
    return (slice(None), slice(None)) + tuple(
        slice(i * d, i * d + s * (e - 1) + 1, s) for i, s, d, e in zip(index, strides, dilations, extents)
    )


def per_axis(attribute, n):
    return [1] * n if attribute is None else list(attribute)


def pads_of(auto_pad, pads, extents, kernel, steps):
    """Rows put before and behind each axis."""
    n = len(extents)
    if auto_pad in (None, "NOTSET"):
        pads = [0] * 2 * n if pads is None else list(pads)
        return list(zip(pads[:n], pads[n:]))
    if auto_pad == "VALID":
        return [(0, 0)] * n
    total = [
        max(0, (-(-x // s) - 1) * s + d * (k - 1) + 1 - x) for x, k, s, d in zip(extents, kernel, *steps)
    ]
    return [(t // 2, t - t // 2) if auto_pad == "SAME_UPPER" else (t - t // 2, t // 2) for t in total]


def over_kernel(wide, w, steps, out):
    """A convolution of [n, group, channels, ...] by [group, maps, channels, ...], an element of the kernel at a time."""
    y = np.zeros([*wide.shape[:2], w.shape[1], math.prod(out)], wide.dtype)
    for index in np.ndindex(*w.shape[3:]):
        seen = wide[(slice(None), *spread(index, steps, out))]
        y += w[(slice(None),) * 3 + index] @ seen.reshape(*wide.shape[:3], -1)
    return y.reshape(*y.shape[:3], *out)


def over_results(wide, w, steps, out):
    """The same an element of the result at a time, for kernels that are larger than that."""
    y, flat = np.zeros([*wide.shape[:2], w.shape[1], *out], wide.dtype), w.reshape(*w.shape[:2], -1)
    for index in np.ndindex(*out):
        met = tuple(slice(i * s, i * s + d * (k - 1) + 1, d) for i, s, d, k in zip(index, *steps, w.shape[3:]))
        seen = wide[(slice(None),) * 3 + met].reshape(*wide.shape[:2], -1, 1)
        y[(slice(None),) * 3 + index] = (flat @ seen)[..., 0]
    return y


class Conv(OpRun):
    def _run(self, X, W, B=None, auto_pad=None, dilations=None, group=None, kernel_shape=None, pads=None, strides=None):
        n, group = X.ndim - 2, group or 1
        steps = per_axis(strides, n), per_axis(dilations, n)
        around = pads_of(auto_pad, pads, X.shape[2:], W.shape[2:], steps)
        wide = np.pad(X, [(0, 0), (0, 0), *around])
        out = [
            (x - d * (k - 1) - 1) // s + 1 for x, k, s, d in zip(wide.shape[2:], W.shape[2:], *steps)
        ]
        w = W.reshape(group, W.shape[0] // group, *W.shape[1:])
        of = over_results if math.prod(out) < math.prod(W.shape[2:]) else over_kernel
        y = of(wide.reshape(X.shape[0], group, -1, *wide.shape[2:]), w, steps, out)
        y = y.reshape(X.shape[0], W.shape[0], *out)
        return (y if B is None else y + B.reshape(-1, *[1] * n),)


class FusedConv(OpRun):
    op_domain = "com.microsoft"

    def _run(self, X, W, B=None, Z=None, activation=None, activation_params=None, **attributes):
        y = Conv._run(self, X, W, B, **attributes)[0]
        return (evaluate_attention.activated(y if Z is None else y + Z, activation, activation_params),)


class ConvTranspose(OpRun):
    def _run(self, X, W, B=None, auto_pad=None, dilations=None, group=None, kernel_shape=None, output_padding=None,
             output_shape=None, pads=None, strides=None):
        n, group = X.ndim - 2, group or 1
        strides, dilations = per_axis(strides, n), per_axis(dilations, n)
        more = [0] * n if output_padding is None else list(output_padding)
        full = [s * (x - 1) + d * (k - 1) + 1 for x, k, s, d in zip(X.shape[2:], W.shape[2:], strides, dilations)]
        if output_shape is not None or auto_pad in ("SAME_UPPER", "SAME_LOWER"):
            wanted = output_shape[-n:] if output_shape is not None else [x * s for x, s in zip(X.shape[2:], strides)]
            total = [max(0, f + m - o) for f, m, o in zip(full, more, wanted)]
            upper = auto_pad == "SAME_UPPER"
            around = [(t // 2, t - t // 2) if upper else (t - t // 2, t // 2) for t in total]
        else:
            around = pads_of("NOTSET", pads if auto_pad != "VALID" else None, X.shape[2:], W.shape[2:], None)
        y = np.zeros([X.shape[0], group, W.shape[1], *[f + m for f, m in zip(full, more)]], X.dtype)
        x = X.reshape(X.shape[0], group, -1, *X.shape[2:])
        w = W.reshape(group, -1, *W.shape[1:])
        for index in np.ndindex(*W.shape[2:]):
            at = (slice(None), *spread(index, (strides, dilations), X.shape[2:]))
            seen = w[(slice(None),) * 3 + index].swapaxes(1, 2) @ x.reshape(*x.shape[:3], -1)
            y[at] += seen.reshape(*seen.shape[:3], *x.shape[3:])
        y = y.reshape(X.shape[0], group * W.shape[1], *y.shape[3:])
        y = y[(slice(None), slice(None)) + tuple(slice(b, e - a) for (b, a), e in zip(around, y.shape[2:]))]
        return (y if B is None else y + B.reshape(-1, *[1] * n),)


def windows_of(x, fill, attributes):
    """Result extents and, for each element of the kernel, what it meets of x: values and whether they are x's."""
    auto_pad, ceil_mode, dilations, kernel, pads, strides = attributes
    n = x.ndim - 2
    steps = per_axis(strides, n), per_axis(dilations, n)
    around = pads_of(auto_pad, pads, x.shape[2:], kernel, steps)
    extents, out = x.shape[2:], []
    for e, (b, a), k, s, d in zip(extents, around, kernel, *steps):
        span = e + a + b - d * (k - 1) - 1
        o = (-(-span // s) if ceil_mode and auto_pad in (None, "NOTSET") else span // s) + 1
        out.append(o - 1 if ceil_mode and (o - 1) * s >= e + b else o)
    need = [(o - 1) * s + d * (k - 1) + 1 for o, k, s, d in zip(out, kernel, *steps)]
    behind = [max(a, m - e - b) for (b, a), m, e in zip(around, need, extents)]
    wide = np.pad(x, [(0, 0), (0, 0)] + [(b, a) for (b, _), a in zip(around, behind)], constant_values=fill)
    inside = [(0, 0), (0, 0)] + [(b, a) for (b, _), a in zip(around, behind)]
    own = np.pad(np.ones(x.shape[2:], bool)[None, None], inside)
    padded = np.ones([1, 1] + [e + b + a for e, (b, a) in zip(extents, around)], bool)
    padded = np.pad(padded, [(0, 0), (0, 0)] + [(0, w - p) for w, p in zip(wide.shape[2:], padded.shape[2:])])
    parts = [spread(i, steps, out) for i in np.ndindex(*kernel)]
    return np.stack([wide[p] for p in parts]), np.stack([own[p] for p in parts]), np.stack([padded[p] for p in parts])


class AveragePool(OpRun):
    def _run(self, x, auto_pad=None, ceil_mode=None, count_include_pad=None, dilations=None, kernel_shape=None,
             pads=None, strides=None):
        seen, own, padded = windows_of(x, 0, (auto_pad, ceil_mode, dilations, kernel_shape, pads, strides))
        return (seen.sum(0) / (padded if count_include_pad else own).sum(0),)


class LpPool(OpRun):
    def _run(self, x, auto_pad=None, ceil_mode=None, dilations=None, kernel_shape=None, p=None, pads=None,
             strides=None):
        seen, _, __ = windows_of(x, 0, (auto_pad, ceil_mode, dilations, kernel_shape, pads, strides))
        p = 2 if p is None else p
        return ((np.abs(seen) ** p).sum(0) ** (1 / p),)


class GlobalLpPool(OpRun):
    def _run(self, x, p=None):
        p = 2 if p is None else p
        return ((np.abs(x) ** p).sum(axis=tuple(range(2, x.ndim)), keepdims=True) ** (1 / p),)


class MaxPool(OpRun):
    def _run(self, x, auto_pad=None, ceil_mode=None, dilations=None, kernel_shape=None, pads=None, storage_order=None,
             strides=None):
        attributes = (auto_pad, ceil_mode, dilations, kernel_shape, pads, strides)
        y = windows_of(x, -np.inf, attributes)[0]
        if len(self.onnx_node.output) == 1:
            return (y.max(0),)
        order = "F" if storage_order else "C"
        plane = np.arange(math.prod(x.shape[2:])).reshape(x.shape[2:], order=order)
        flat = plane + (np.arange(x.shape[0] * x.shape[1]) * plane.size).reshape(*x.shape[:2], *[1] * plane.ndim)
        at = windows_of(flat, -1, attributes)[0]
        return y.max(0), np.take_along_axis(at, y.argmax(0)[None], 0)[0].astype(np.int64)


class LRN(OpRun):
    def _run(self, x, alpha=None, beta=None, bias=None, size=None):
        alpha, beta, bias = 1e-4 if alpha is None else alpha, 0.75 if beta is None else beta, bias or 1.0
        total = np.zeros_like(x)
        for c in range(x.shape[1]):
            near = x[:, max(0, c - (size - 1) // 2) : c + size // 2 + 1]
            total[:, c] = (near**2).sum(1)
        return (x / (bias + alpha / size * total) ** beta,)


class Pad(OpRun):
    """With pads below 0, which take rows away."""

    def _run(self, data, pads=None, constant_value=None, axes=None, mode=None, value=None):
        axes = range(data.ndim) if axes is None else [int(a) % data.ndim for a in axes]
        around, crop = [(0, 0)] * data.ndim, [slice(None)] * data.ndim
        for k, axis in enumerate(axes):
            b, a = int(pads[k]), int(pads[k + len(pads) // 2])
            around[axis] = (max(b, 0), max(a, 0))
            crop[axis] = slice(-min(b, 0), data.shape[axis] + min(a, 0))
        if mode not in (None, "constant"):
            return (np.pad(data[tuple(crop)], around, mode=mode),)
        fill = constant_value if constant_value is not None else value or 0
        return (np.pad(data[tuple(crop)], around, constant_values=fill),)


class Mean(OpRun):
    def _run(self, *operands):
        return (sum(operands) / len(operands),)


class Erf(OpRun):
    def _run(self, x):
        return (erf(x).astype(x.dtype) if x.size else x,)


class Gelu(OpRun):
    def _run(self, x, approximate=None):
        return (gelu(x, approximate),)


def normalised(x, axis, epsilon, centre=True):
    axes = tuple(range(axis % x.ndim, x.ndim))
    mean = x.mean(axis=axes, keepdims=True) if centre else np.zeros_like(x[(slice(0, 1),) * x.ndim])
    inverse = 1 / np.sqrt(((x - mean) ** 2).mean(axis=axes, keepdims=True) + epsilon)
    return (x - mean) * inverse, mean, inverse


class LayerNormalization(OpRun):
    def _run(self, x, scale, bias=None, axis=None, epsilon=None, stash_type=None):
        y, mean, inverse = normalised(x, -1 if axis is None else axis, 1e-5 if epsilon is None else epsilon)
        y = y * scale + (0 if bias is None else bias)
        return (y, mean, inverse)[: len(self.onnx_node.output)]


class RMSNormalization(OpRun):
    def _run(self, x, scale, axis=None, epsilon=None, stash_type=None):
        return (normalised(x, -1 if axis is None else axis, 1e-5 if epsilon is None else epsilon, False)[0] * scale,)


class GroupNormalization(OpRun):
    def _run(self, x, scale, bias, epsilon=None, num_groups=None, stash_type=None):
        parts = x.reshape(x.shape[0], num_groups, -1)
        y = normalised(parts, 2, epsilon)[0]
        if scale.size == num_groups and x.shape[1] != num_groups:
            return ((y * scale[:, None] + bias[:, None]).reshape(x.shape),)
        channel = (-1, *[1] * (x.ndim - 2))
        return (y.reshape(x.shape) * scale.reshape(channel) + bias.reshape(channel),)


class BatchNormalization(OpRun):
    def _run(self, x, scale, bias, mean, variance, epsilon=None, momentum=None, training_mode=None, spatial=None):
        channel = (-1, *[1] * (x.ndim - 2))
        results = len(self.onnx_node.output)
        if training_mode or (results > 1 and self.run_params["opsets"][""] < 14):
            axes = (0, *range(2, x.ndim))
            own = x.mean(axis=axes), x.var(axis=axes)
            running = [a * momentum + b * (1 - momentum) for a, b in zip((mean, variance), own)]
            mean, variance = own
        y = (x - mean.reshape(channel)) / np.sqrt(variance.reshape(channel) + epsilon)
        y = y * scale.reshape(channel) + bias.reshape(channel)
        return (y, *running, *own)[:results] if results > 1 else (y,)


class Scatter(OpRun):
    def _run(self, data, indices, updates, axis=None, reduction=None):
        y, axis = data.copy(), (axis or 0) % data.ndim
        at = list(np.indices(indices.shape))
        at[axis] = indices % data.shape[axis]
        if reduction == "add":
            np.add.at(y, tuple(at), updates)
        else:
            y[tuple(at)] = updates
        return (y,)


class ScatterElements(Scatter):
    pass


class GlobalMaxPool(OpRun):
    def _run(self, x):
        return (x.max(axis=tuple(range(2, x.ndim)), keepdims=True),)


class LpNormalization(OpRun):
    def _run(self, x, axis=None, p=None):
        return (x / (np.abs(x) ** p).sum(axis=axis, keepdims=True) ** (1 / p),)


class MeanVarianceNormalization(OpRun):
    def _run(self, x, axes=None):
        axes = tuple(axes)
        mean = x.mean(axis=axes, keepdims=True)
        return ((x - mean) / (np.sqrt((x**2).mean(axis=axes, keepdims=True) - mean**2) + 1e-9),)


class Resize(OpRun):
    """In version 10 there is nothing but scales, and rows are those below."""

    def _run(self, x, *operands, **attributes):
        if attributes.get("coordinate_transformation_mode") == "tf_half_pixel_for_nn":  # the evaluator's own has it not
            if attributes.get("nearest_mode") != "floor":
                raise NotImplementedError("Resize: tf_half_pixel_for_nn but with nearest_mode=floor")
            roi, scales, sizes = (*operands, None, None, None)[:3]
            extents = [int(n) for n in sizes] if sizes is not None else [int(n * s) for n, s in zip(x.shape, scales)]
            for axis, extent in enumerate(extents):
                at = np.floor((np.arange(extent) + 0.5) * x.shape[axis] / extent).astype(int)
                x = np.take(x, np.minimum(at, x.shape[axis] - 1), axis)
            return (x,)
        if self.run_params["opsets"][""] > 10:
            return Resize_of_onnx._run(self, x, *operands, **attributes)
        return (below(x, operands[0], attributes.get("mode", "nearest")),)


class Upsample(OpRun):
    def _run(self, x, scales=None, mode=None):
        return (below(x, scales, mode),)


def below(x, scales, mode):
    """Each axis by its scale: row y is row y / scale, rounded down or between two."""
    for axis, scale in enumerate(scales):
        at = np.arange(int(np.floor(x.shape[axis] * scale))) / scale
        low = np.floor(at).astype(int)
        part = (at - low).reshape([-1 if k == axis else 1 for k in range(x.ndim)])
        y = np.take(x, low, axis)
        if mode != "nearest":
            y = y * (1 - part) + np.take(x, np.minimum(low + 1, x.shape[axis] - 1), axis) * part
        x = y
    return x


class Softmax(OpRun):
    """Before opset 13 over all axes from `axis` on."""

    def _run(self, x, axis=None):
        return (np.exp(log_softmax(x, axis, self.run_params["opsets"][""])),)


class LogSoftmax(OpRun):
    def _run(self, x, axis=None):
        return (log_softmax(x, axis, self.run_params["opsets"][""]),)


def log_softmax(x, axis, opset):
    axes = axis if opset >= 13 else tuple(range(axis % x.ndim, x.ndim))
    x = x - x.max(axis=axes, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=axes, keepdims=True))


OWN = [
    *(Mean, GlobalMaxPool, LpNormalization, BatchNormalization, GroupNormalization, Scatter, ScatterElements, Conv, ConvTranspose, AveragePool, LpPool, GlobalLpPool, MaxPool, LRN, Pad, Erf, Gelu),
    *(LayerNormalization, RMSNormalization, MeanVarianceNormalization, Softmax, LogSoftmax, Resize, Upsample),
    *evaluate_more.OWN,
    *evaluate_flow.OWN,
    *evaluate_attention.OWN,
    FusedConv,
    *evaluate_rnn.OWN,
]


def complete(nodes, opsets):
    """Defaults of the version at hand put into nodes, bodies too: the evaluator takes those of the newest."""
    for node in nodes:
        node.CopyFrom(completed(node, opsets))
        for attribute in node.attribute:
            complete(attribute.g.node, opsets)


class Evaluator:
    """Feeds by name in, all outputs by name out."""

    def __init__(self, model):
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        complete(copy.graph.node, {o.domain: o.version for o in copy.opset_import})
        self.names = [o.name for o in copy.graph.output]
        self.evaluator = ReferenceEvaluator(copy, new_ops=OWN)

    def __call__(self, feeds):
        with np.errstate(all="ignore"):
            return dict(zip(self.names, self.evaluator.run(None, feeds)))
