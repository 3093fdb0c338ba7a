"""Ops of com.microsoft, of training exporters and of older opsets in numpy: few lines each. What they compute
is what the plan is tried with; none stands for another runtime's bits."""

import numpy as np


def reshaped(gradient, like):
    """Sums a gradient over the axes along which `like` was broadcast."""
    while gradient.ndim > like.ndim:
        gradient = gradient.sum(axis=0)
    for axis, extent in enumerate(like.shape):
        if extent == 1 and gradient.shape[axis] != 1:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return gradient


def relu_grad(_, x, __):
    return [np.where(x[1] > 0, x[0], 0).astype(x[0].dtype)]


def softmax_grad(attributes, x, _):
    axis = attributes.get("axis", -1)
    dy, y = x[:2]
    return [(y * (dy - (dy * y).sum(axis=axis, keepdims=True))).astype(dy.dtype)]


def loss_grad(attributes, x, _):
    """SoftmaxCrossEntropyLossGrad(dY?, log_prob, labels)."""
    dy, log_prob, labels = x if len(x) > 2 else (np.float32(1), *x)
    classes = log_prob.shape[1]
    moved = np.moveaxis(np.exp(log_prob), 1, -1)
    one = np.eye(classes, dtype=moved.dtype)[labels.astype(np.int64) % classes]
    mean = attributes.get("reduction", b"mean") == b"mean"
    return [(np.moveaxis(moved - one, -1, 1) * dy / (labels.size if mean else 1)).astype(log_prob.dtype)]


def sgd(_, x, __):
    eta, w, g = x[:3]
    step = -(eta.reshape(()) * g)
    return [(w + step).astype(w.dtype), step.astype(w.dtype)]


def accumulate(_, x, n):
    """InPlaceAccumulatorV2(buffer, value, overwrite?) -> updated, buffer."""
    over = len(x) > 2 and x[2] is not None and bool(x[2].reshape(-1)[0])
    return [np.ones([1], np.bool_), (x[1] if over else x[0] + x[1]).astype(x[0].dtype)][:n]


def accumulate_old(_, x, __):
    return [(x[0] + x[1]).astype(x[0].dtype)]


def sgd_plain(attributes, x, _):
    return [(x[0] - np.float32(attributes.get("lr", 0.01)) * x[1]).astype(x[0].dtype)]


def skip_norm(attributes, x, n):
    """SkipLayerNormalization(input, skip, gamma, beta?, bias?)."""
    total = x[0] + x[1] + (x[4] if len(x) > 4 and x[4] is not None else 0)
    mean = total.mean(axis=-1, keepdims=True)
    inverse = 1 / np.sqrt(total.var(axis=-1, keepdims=True) + attributes.get("epsilon", 1e-12))
    y = (total - mean) * inverse * x[2] + (x[3] if len(x) > 3 and x[3] is not None else 0)
    return [a.astype(x[0].dtype) for a in (y, mean, inverse, total)][:n]


def fast_gelu(_, x, __):
    z = x[0] + (x[1] if len(x) > 1 and x[1] is not None else 0)
    return [(0.5 * z * (1 + np.tanh(0.7978845608 * (z + 0.044715 * z ** 3)))).astype(x[0].dtype)]


def fused_matmul(attributes, x, _):
    a, b = (np.swapaxes(m, -1, -2) if attributes.get(key) and m.ndim > 1 else m
            for m, key in zip(x, ("transA", "transB")))
    return [(np.matmul(a, b) * np.float32(attributes.get("alpha", 1.0))).astype(x[0].dtype)]


def windows(attributes, x_shape, y_shape):
    """For each element of a kernel: its index, and the part of the padded operand it meets."""
    n = len(attributes["kernel_shape"])
    strides, dilations = attributes.get("strides", [1] * n), attributes.get("dilations", [1] * n)
    pads = attributes.get("pads", [0] * 2 * n)
    padded = [d + pads[k] + pads[k + n] for k, d in enumerate(x_shape[2:])]
    parts = [(index, tuple([slice(None), slice(None)] + [
        slice(i * d, i * d + s * (y - 1) + 1, s) for i, d, s, y in zip(index, dilations, strides, y_shape[2:])]))
        for index in np.ndindex(*attributes["kernel_shape"])]
    inner = tuple([slice(None), slice(None)] + [slice(pads[k], pads[k] + d) for k, d in enumerate(x_shape[2:])])
    return padded, inner, parts


def conv_grad(attributes, x, n):
    """ConvGrad(dY, X, W) -> dX, dW, dB."""
    dy, data, w = x[:3]
    group = attributes.get("group", 1)
    padded, inner, parts = windows(attributes, data.shape, dy.shape)
    wide = np.zeros([*data.shape[:2], *padded], data.dtype)
    wide[inner] = data
    dx, dw = np.zeros_like(wide), np.zeros_like(w)
    outs, ins = w.shape[0] // group, w.shape[1]
    for index, part in parts:
        at = (slice(None), slice(None), *index)
        seen, back = wide[part], np.empty_like(wide[part])
        for g in range(group):
            o, i = slice(g * outs, (g + 1) * outs), slice(g * ins, (g + 1) * ins)
            dw[(o, *at[1:])] = np.tensordot(dy[:, o], seen[:, i], ([0, *range(2, dy.ndim)],) * 2)
            back[:, i] = np.moveaxis(np.tensordot(dy[:, o], w[(o, *at[1:])], ([1], [0])), -1, 1)
        dx[part] += back
    return [dx[inner], dw, dy.sum(axis=(0, *range(2, dy.ndim)))][:n]


def concat(attributes, x, n):
    """ConcatTraining(inputs...) -> result, length of each along the axis."""
    axis = attributes["axis"]
    return [np.concatenate(x, axis=axis), np.array([a.shape[axis] for a in x], np.int64)][:n]


def split(attributes, x, n):
    """SplitTraining(input, lengths)."""
    del n
    return np.split(x[0], np.cumsum(x[1])[:-1], axis=attributes.get("axis", 0))


def axes_of(attributes, x):
    axes = x[1] if len(x) > 1 and x[1] is not None else attributes.get("axes")
    return None if axes is None else tuple(int(a) for a in np.atleast_1d(axes))


def squeeze(attributes, x, _):
    """With the axes as an attribute in any opset: some exporters write it so."""
    axes = axes_of(attributes, x)
    return [np.squeeze(x[0], axis=axes)]


def unsqueeze(attributes, x, _):
    axes = axes_of(attributes, x)
    return [np.expand_dims(x[0], axis=axes)]


def reshape(attributes, x, _):
    """In any opset with either form of the shape."""
    shape = x[1] if len(x) > 1 else attributes["shape"]
    kept = not attributes.get("allowzero", 0)
    return [x[0].reshape([x[0].shape[k] if d == 0 and kept else int(d) for k, d in enumerate(shape)])]


KERNELS = {
    "ConvGrad": conv_grad,
    "Reshape": reshape,
    "Squeeze": squeeze, "Unsqueeze": unsqueeze,
    "ConcatTraining": concat, "SplitTraining": split,
    "ReluGrad": relu_grad, "SoftmaxGrad": softmax_grad, "SoftmaxGrad_13": softmax_grad,
    "SoftmaxCrossEntropyLossGrad": loss_grad, "SGDOptimizer": sgd, "InPlaceAccumulatorV2": accumulate,
    "InPlaceAccumulator": accumulate_old, "SGD": sgd_plain, "SkipLayerNormalization": skip_norm,
    "FastGelu": fast_gelu, "BiasGelu": fast_gelu, "FusedMatMul": fused_matmul,
}
