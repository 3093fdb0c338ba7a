"""Ops of com.microsoft, of training exporters and of older opsets in numpy: few lines each. What they compute
is what the plan is tried with; none stands for another runtime's bits."""

import math

import numpy as np
from onnx import TensorProto, helper


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
    return [(0.5 * z * (1 + np.tanh(0.7978845608 * (z + 0.044715 * z**3)))).astype(x[0].dtype)]


def fused_matmul(attributes, x, _):
    a, b = (
        np.swapaxes(m, -1, -2) if attributes.get(key) and m.ndim > 1 else m
        for m, key in zip(x, ("transA", "transB"))
    )
    return [(np.matmul(a, b) * np.float32(attributes.get("alpha", 1.0))).astype(x[0].dtype)]


def windows(attributes, x_shape, y_shape):
    """For each element of a kernel: its index, and the part of the padded operand it meets."""
    n = len(attributes["kernel_shape"])
    strides, dilations = attributes.get("strides", [1] * n), attributes.get("dilations", [1] * n)
    pads = attributes.get("pads", [0] * 2 * n)
    padded = [d + pads[k] + pads[k + n] for k, d in enumerate(x_shape[2:])]
    parts = [
        (
            index,
            tuple(
                [slice(None), slice(None)]
                + [
                    slice(i * d, i * d + s * (y - 1) + 1, s)
                    for i, d, s, y in zip(index, dilations, strides, y_shape[2:])
                ]
            ),
        )
        for index in np.ndindex(*attributes["kernel_shape"])
    ]
    inner = tuple(
        [slice(None), slice(None)] + [slice(pads[k], pads[k] + d) for k, d in enumerate(x_shape[2:])]
    )
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


def few(*shape, seed=0):
    return np.random.Generator(np.random.PCG64(seed)).uniform(-1, 1, shape).astype(np.float32)


def erf(z):
    return np.vectorize(math.erf)(z).astype(z.dtype)


def gelu_grad(_, x, __):
    dy, z = x[0], x[1] + (x[2] if len(x) > 2 else 0)
    slope = 0.5 * (1 + erf(z / np.sqrt(2))) + z * np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    return [(dy * slope).astype(dy.dtype)]


def fast_gelu_grad(_, x, __):
    dy, z = x[0], x[1] + (x[2] if len(x) > 2 else 0)
    inner = np.tanh(0.7978845608 * (z + 0.044715 * z**3))
    slope = 0.5 * (1 + inner) + 0.5 * z * (1 - inner**2) * 0.7978845608 * (1 + 3 * 0.044715 * z * z)
    return [(dy * slope).astype(dy.dtype)]


def logistic(z):
    return 1 / (1 + np.exp(-z))


def quick_gelu_grad(attributes, x, _):
    a = np.float32(attributes.get("alpha", 1.702))
    s = logistic(a * x[1])
    return [(x[0] * (s + a * x[1] * s * (1 - s))).astype(x[0].dtype)]


def log_softmax_grad(attributes, x, _):
    axis = attributes.get("axis", -1)
    return [(x[0] - np.exp(x[1]) * x[0].sum(axis=axis, keepdims=True)).astype(x[0].dtype)]


def norm_grad(_, x, n):
    """LayerNormalizationGrad(dY, X, scale, mean, inverse) over the last axis."""
    dy, data, scale, mean, inverse = x[:5]
    normal = (data - mean) * inverse
    wide = dy * scale
    dx = inverse * (wide - wide.mean(-1, keepdims=True) - normal * (wide * normal).mean(-1, keepdims=True))
    flat = tuple(range(dy.ndim - 1))
    return [a.astype(dy.dtype) for a in (dx, (dy * normal).sum(axis=flat), dy.sum(axis=flat))][:n]


def root_norm(attributes, x, n):
    """SimplifiedLayerNormalization(X, scale) over the last axis."""
    inverse = 1 / np.sqrt((x[0] ** 2).mean(-1, keepdims=True) + attributes.get("epsilon", 1e-5))
    return [(x[0] * inverse * x[1]).astype(x[0].dtype), inverse.astype(x[0].dtype)][:n]


def skip_root_norm(attributes, x, n):
    total = x[0] + x[1]
    return (root_norm(attributes, [total, x[2]], 1) + [None, None, total])[:n]


def bias_softmax(_, x, __):
    z = np.exp(x[0] + x[1])
    return [(z / z.sum(-1, keepdims=True)).astype(x[0].dtype)]


def adam(attributes, x, n):
    """AdamOptimizer(R, T, W, G, M1, M2) -> T, M1, M2, W."""
    del attributes
    rate, step, w, g, m1, m2 = x[:6]
    m1, m2 = (0.9 * m1 + 0.1 * g).astype(w.dtype), (0.999 * m2 + 0.001 * g * g).astype(w.dtype)
    return [step + 1, m1, m2, (w - rate * m1 / (np.sqrt(m2) + 1e-8)).astype(w.dtype)][:n]


def fused_conv(_, x, __):
    """FusedConv(X, W, B, Z) with 3 x 3 windows and a border of 1: the sum of the convolution and Z."""
    wide = np.pad(x[0], ((0, 0), (0, 0), (1, 1), (1, 1)))
    y = sum(
        np.einsum("oi,nihw->nohw", x[1][:, :, i, j], wide[:, :, i : i + x[0].shape[2], j : j + x[0].shape[3]])
        for i in range(3)
        for j in range(3)
    )
    return [(y + x[2][:, None, None] + x[3]).astype(x[0].dtype)]


def bernoulli(attributes, x, _):
    """One draw an element, whatever its probability is."""
    drawn = np.random.Generator(np.random.PCG64(int(attributes.get("seed", 0)))).uniform(size=x[0].shape)
    return [
        (drawn < x[0]).astype(
            helper.tensor_dtype_to_np_dtype(attributes["dtype"]) if "dtype" in attributes else x[0].dtype
        )
    ]


def formula(f):
    """A kernel of an op that is one expression of its operands."""
    return lambda attributes, x, n: [np.asarray(f(*x)).astype(x[0].dtype)]


KERNELS = {
    "SigmoidGrad": formula(lambda dy, y: dy * y * (1 - y)),
    "TanhGrad": formula(lambda dy, y: dy * (1 - y * y)),
    "SinGrad": formula(lambda dy, x: dy * np.cos(x)),
    "LeakyReluGrad": formula(lambda dy, y: np.where(y > 0, dy, dy * np.float32(0.01))),
    "QuickGelu": formula(lambda x: x * logistic(np.float32(1.702) * x)),
    "GeluGrad": gelu_grad,
    "BiasGeluGrad_dX": gelu_grad,
    "FastGeluGrad": fast_gelu_grad,
    "BiasFastGeluGrad_dX": fast_gelu_grad,
    "QuickGeluGrad": quick_gelu_grad,
    "LogSoftmaxGrad": log_softmax_grad,
    "LogSoftmaxGrad_13": log_softmax_grad,
    "LayerNormalizationGrad": norm_grad,
    "SimplifiedLayerNormalization": root_norm,
    "RMSNorm": root_norm,
    "SkipSimplifiedLayerNormalization": skip_root_norm,
    "BiasSoftmax": bias_softmax,
    "AdamOptimizer": adam,
    "BiasAdd": formula(lambda x, bias, skip: x + bias + skip),
    "Scale": formula(lambda x, s: x * s),
    "ScaledSum": formula(lambda a, b: 0.5 * a + 0.25 * b),
    "GatedAdd": formula(lambda x, y, g: x + y * g),
    "MSELossGrad": formula(lambda p, t: 2 * (p - t) / p.size),
    "DropoutGrad": formula(lambda dy, mask, ratio: np.where(mask, dy / (1 - ratio), 0)),
    "FakeQuantGrad": formula(lambda dy, mask: np.where(mask, dy, 0)),
    "Pow": formula(lambda x, y: np.power(np.float64(x), np.float64(y))),
    "FusedConv": fused_conv,
    "Bernoulli": bernoulli,
    "ConvGrad": conv_grad,
    "Reshape": reshape,
    "Squeeze": squeeze,
    "Unsqueeze": unsqueeze,
    "ConcatTraining": concat,
    "SplitTraining": split,
    "ReluGrad": relu_grad,
    "SoftmaxGrad": softmax_grad,
    "SoftmaxGrad_13": softmax_grad,
    "SoftmaxCrossEntropyLossGrad": loss_grad,
    "SGDOptimizer": sgd,
    "InPlaceAccumulatorV2": accumulate,
    "InPlaceAccumulator": accumulate_old,
    "SGD": sgd_plain,
    "SkipLayerNormalization": skip_norm,
    "FastGelu": fast_gelu,
    "BiasGelu": fast_gelu,
    "FusedMatMul": fused_matmul,
}

# Operands, attributes and number of results for ops, or forms of them, that the node tests of onnx lack.
MS = "com.microsoft"
CASES = [
    *(
        (d, op, [few(2, 3), few(2, 3, seed=1)], {}, 1)
        for d in ("", MS)
        for op in (
            "ReluGrad",
            "SigmoidGrad",
            "TanhGrad",
            "SinGrad",
            "LeakyReluGrad",
            "GeluGrad",
            "FastGeluGrad",
            "QuickGeluGrad",
            "LogSoftmaxGrad",
            "SoftmaxGrad",
        )
    ),
    (MS, "LogSoftmaxGrad_13", [few(2, 3), few(2, 3, seed=1)], {}, 1),
    (MS, "QuickGelu", [few(2, 3)], {}, 1),
    *(
        (MS, op, [few(2, 3), few(2, 3, seed=1), few(3)], {}, 1)
        for op in ("BiasGeluGrad_dX", "BiasFastGeluGrad_dX")
    ),
    *(
        (
            d,
            "LayerNormalizationGrad",
            [few(3, 4), few(3, 4, seed=1), few(4), few(3, 1), few(3, 1, seed=1)],
            {},
            3,
        )
        for d in ("", MS)
    ),
    *((d, "SimplifiedLayerNormalization", [few(3, 4), few(4)], {}, 2) for d in ("", MS)),
    ("", "RMSNorm", [few(3, 4), few(4)], {}, 1),
    (MS, "BiasSoftmax", [few(3, 4), few(3, 4, seed=1)], {}, 1),
    (MS, "SkipSimplifiedLayerNormalization", [few(3, 4), few(3, 4, seed=1), few(4)], {}, 4),
    (
        MS,
        "AdamOptimizer",
        [np.float32(0.1), np.array(1), *(few(2, 3, seed=k) for k in range(3)), few(2, 3, seed=3) ** 2],
        {},
        4,
    ),
    (MS, "BiasAdd", [few(2, 3, 4), few(4), few(2, 3, 4, seed=1)], {}, 1),
    (MS, "Scale", [few(2, 3), np.float32(2)], {}, 1),
    (MS, "ScaledSum", [few(2, 3), few(2, 3, seed=1)], {}, 1),
    (MS, "GatedAdd", [few(2, 3), few(2, 3, seed=1), few(2, 1)], {}, 1),
    ("", "MSELossGrad", [few(2, 3), few(2, 3, seed=1)], {}, 1),
    (MS, "DropoutGrad", [few(2, 3), few(2, 3, seed=1) > 0, np.float32(0.3)], {}, 1),
    (MS, "FakeQuantGrad", [few(2, 3), few(2, 3, seed=1) > 0], {}, 1),
    (MS, "FusedConv", [few(1, 2, 3, 3), few(2, 2, 3, 3), few(2), few(1, 2, 3, 3, seed=1)], {}, 1),
    (MS, "SoftmaxGrad_13", [few(3, 4), few(3, 4, seed=1)], {}, 1),
    (MS, "SGDOptimizer", [few(1), few(2, 3), few(2, 3, seed=1)], {}, 2),
    (MS, "InPlaceAccumulator", [few(2, 3), few(2, 3, seed=1)], {}, 1),
    (MS, "InPlaceAccumulatorV2", [few(2, 3), few(2, 3, seed=1)], {}, 2),
    ("", "SGD", [few(2, 3), few(2, 3, seed=1)], {"lr": 0.1}, 1),
    (MS, "SkipLayerNormalization", [few(2, 3, 4), few(2, 3, 4, seed=1), few(4), few(4, seed=1)], {}, 1),
    (MS, "FastGelu", [few(2, 4), few(4)], {}, 1),
    (MS, "BiasGelu", [few(2, 4), few(4)], {}, 1),
    ("", "Cast", [few(2, 3) * 9], {"to": TensorProto.INT32}, 1),
    ("", "Cast", [few(2, 3) * 9], {"to": TensorProto.FLOAT}, 1),
    ("", "CastLike", [few(2, 3) * 9, np.zeros(1, np.int32)], {}, 1),
    ("", "CastLike", [few(2, 3) * 9, np.zeros(1, np.float32)], {}, 1),
    ("", "DequantizeLinear", [np.arange(6, dtype=np.int32).reshape(2, 3), np.float32(0.5)], {}, 1),
    ("", "DequantizeLinear", [np.arange(6, dtype=np.int32).reshape(2, 3), few(3)], {"axis": 1}, 1),
    ("", "QuantizeLinear", [few(2, 3).astype(np.float16), np.float16(0.1), np.int16(3)], {}, 1),
    (
        "",
        "BatchNormalization",
        [few(2, 3, 4), few(3), few(3, seed=1), few(3, seed=2), few(3, seed=3) ** 2],
        {},
        1,
    ),
    (
        "",
        "BatchNormalization",
        [few(2, 3, 4), few(3), few(3, seed=1), few(3, seed=2), few(3, seed=3) ** 2],
        {"training_mode": 1},
        3,
    ),
    ("", "GroupNormalization", [few(1, 4, 3), few(4), few(4, seed=1)], {"num_groups": 2}, 1),
    ("", "InstanceNormalization", [few(2, 3, 4), few(3), few(3, seed=1)], {}, 1),
    ("", "MeanVarianceNormalization", [few(2, 3, 2, 2)], {}, 1),
    ("", "RotaryEmbedding", [few(1, 2, 2, 4), few(1, 2, 2), few(1, 2, 2, seed=1)], {}, 1),
    ("", "LRN", [few(4, 4, 2, 1)], {"size": 3, "alpha": 1.0, "beta": 0.75, "bias": 1.0}, 1),
    ("", "MatMul", [few(3, 3), few(3, 3, seed=1)], {}, 1),
    ("", "Slice", [few(4), np.array([3]), np.array([-5]), np.array([0]), np.array([-1])], {}, 1),
    ("", "Expand", [few(2, 3), np.array([2, 3])], {}, 1),
    ("", "Tile", [few(2, 3), np.array([1, 1])], {}, 1),
    ("", "Transpose", [few(1, 3, 1, 2)], {"perm": [1, 2, 3, 0]}, 1),
    ("", "Transpose", [few(1, 3, 2)], {"perm": [1, 0, 2]}, 1),
    ("", "Transpose", [few(3, 3)], {}, 1),
]
