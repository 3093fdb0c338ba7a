"""Ops of com.microsoft, of training exporters and of older opsets in numpy: few lines each. What they compute
is what the plan is tried with; none stands for another runtime's bits."""

import math

import numpy as np
from onnx import TensorProto, helper, numpy_helper

import caches


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


def constant_of_shape(attributes, x, _):
    """With a tensor as the value, or as some exporters write it, a number."""
    value = attributes.get("value", 0.0)
    filled = numpy_helper.to_array(value) if isinstance(value, TensorProto) else np.int64(value)
    return [np.full(x[0], filled.reshape(()), filled.dtype if "value" in attributes else np.float32)]


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


def group_norm_forward(attributes, x, _):
    """GroupNormForward(X, scale, bias, stats): stats hold mean and inverse deviation of each group."""
    data, scale, bias, stats = x
    wide = data.reshape(data.shape[0], attributes["num_groups"], -1)
    normal = ((wide - stats[..., :1]) * stats[..., 1:]).reshape(data.shape)
    along = (1, -1) + (1,) * (data.ndim - 2)
    return [(normal * scale.reshape(along) + bias.reshape(along)).astype(data.dtype)]


def group_norm_grad(attributes, x, _):
    """GroupNormGradX(dY, X, scale, stats, grad_stats): grad_stats hold the means of the scaled gradient, and
    of it times the normalised data, of each group."""
    dy, data, scale, stats, means = x
    along = (1, -1) + (1,) * (data.ndim - 2)
    shape = (data.shape[0], attributes["num_groups"], -1)
    normal = (data.reshape(shape) - stats[..., :1]) * stats[..., 1:]
    wide = (dy * scale.reshape(along)).reshape(shape)
    dx = stats[..., 1:] * (wide - means[..., :1] - normal * means[..., 1:])
    return [dx.reshape(dy.shape).astype(dy.dtype)]


def requant(attributes, x, _):
    """RequantShift(X, mul, add): (X * mul + add) / div, cut to the levels."""

    def number(key, default):
        value = attributes.get(key, default)
        value = numpy_helper.to_array(value) if isinstance(value, TensorProto) else value
        return float(np.asarray(value).reshape(-1)[0])

    levels, signed = number("n_levels", 256), number("signed", 1)
    low = -levels / 2 if signed else 0
    mul, add = (a if len(x) > k + 1 and (a := x[k + 1]) is not None else k * 0 + (k == 0) for k in (0, 1))
    scaled = np.floor((x[0] * mul + add) / number("div", 1) + 0.5)
    return [np.clip(scaled, low, low + levels - 1).astype(x[0].dtype)]


def quant(attributes, x, _):
    """Quant(X, scale, zero point, bit width) of brevitas and qonnx."""
    data, scale, zero, bits = x
    signed, narrow = attributes.get("signed", 1), attributes.get("narrow", 0)
    low = -(2 ** (bits - 1)) + narrow if signed else np.zeros_like(bits)
    high = 2 ** (bits - 1) - 1 if signed else 2**bits - 1 - narrow
    return [((np.round(np.clip(data / scale + zero, low, high)) - zero) * scale).astype(data.dtype)]


def trunc(_, x, __):
    """Trunc(X, scale, zero point, bits before, bits after) of brevitas and qonnx."""
    data, scale, zero, before, after = x
    step = 2.0 ** (before - after)
    return [((np.floor(np.round(data / scale + zero) / step) - zero) * scale).astype(data.dtype)]


def softmax_dropout_grad(attributes, x, _):
    dy, y, mask = x[:3]
    ratio = x[3] if len(x) > 3 else np.float32(0.5)
    return softmax_grad(attributes, [np.where(mask, dy / (1 - ratio), 0).astype(dy.dtype), y], 1)


def bits_of(mask, shape):
    """The mask of one bit an element, 32 to a word, the first lowest."""
    flat = np.unpackbits(mask.view(np.uint8), bitorder="little")
    return flat[: math.prod(shape)].reshape(shape).astype(np.bool_)


def bitmask_dropout_grad(_, x, __):
    ratio = x[2] if len(x) > 2 else np.float32(0.5)
    return [np.where(bits_of(x[1], x[0].shape), x[0] / (1 - ratio), 0).astype(x[0].dtype)]


def bias_dropout(_, x, n):
    """BiasDropout(data, bias, residual) when it drops nothing, which is what it does unless it trains."""
    total = x[0] + x[1] + (x[2] if len(x) > 2 and x[2] is not None else 0)
    return [total.astype(x[0].dtype), np.ones(x[0].shape, np.bool_)][:n]


def quantized_gelu(_, x, __):
    """QOrderedGelu(X, scale of X, scale of Y)."""
    z = x[0] * x[1]
    y = 0.5 * z * (1 + erf(z / np.float32(math.sqrt(2))))
    return [np.clip(np.round(y / x[2]), -128, 127).astype(x[0].dtype)]


def group_norm(attributes, x, _):
    """GroupNorm(X, gamma, beta) with channels last, and SiLU if activation is 1."""
    data, gamma, beta = x
    n, channels, groups = data.shape[0], data.shape[-1], attributes["groups"]
    wide = data.reshape(n, -1, groups, channels // groups)
    mean, var = wide.mean((1, 3), keepdims=True), wide.var((1, 3), keepdims=True)
    y = ((wide - mean) / np.sqrt(var + attributes.get("epsilon", 1e-5))).reshape(data.shape) * gamma + beta
    return [(y * logistic(y) if attributes["activation"] else y).astype(data.dtype)]


def fused_conv_last(attributes, x, n):
    """NhwcFusedConv(X, W, B, Z): channels last in X and Z."""
    first = [np.moveaxis(x[0], -1, 1), *x[1:3], np.moveaxis(x[3], -1, 1)]
    return [np.moveaxis(fused_conv(attributes, first, n)[0], 1, -1)]


def layer_norm(attributes, x, n):
    """LayerNormalization(X, scale, bias) over the last axis."""
    mean = x[0].mean(-1, keepdims=True)
    inverse = 1 / np.sqrt(x[0].var(-1, keepdims=True) + attributes.get("epsilon", 1e-5))
    y = (x[0] - mean) * inverse * x[1] + (x[2] if len(x) > 2 else 0)
    return [a.astype(x[0].dtype) for a in (y, mean, inverse)][:n]


def perturb(attributes, x, _):
    """RQSPerturbRademacher(X, mul): a drawn sign an element, scaled, cut to the levels."""
    rng = np.random.Generator(np.random.PCG64(attributes["seed"] + attributes["idx"]))
    signs = rng.choice([-1, 1], x[0].shape)
    low = -(attributes["n_levels"] // 2) if attributes["signed"] else 0
    moved = x[0] + np.floor(signs * x[1] / attributes["div"])
    return [np.clip(moved, low, low + attributes["n_levels"] - 1).astype(x[0].dtype)]


def formula(f):
    """A kernel of an op that is one expression of its operands."""
    return lambda attributes, x, n: [np.asarray(f(*x)).astype(x[0].dtype)]


def of_attributes(f):
    """A kernel of an op that is one expression of an operand and its attributes."""
    return lambda attributes, x, n: [np.asarray(f(x[0], **attributes)).astype(x[0].dtype)]


def image_scaler(attributes, x, _):
    bias = np.array(attributes["bias"], np.float32).reshape(1, -1, 1, 1)
    return [(x[0] * attributes.get("scale", 1.0) + bias).astype(x[0].dtype)]


def multi_threshold(attributes, x, _):
    """MultiThreshold(X, thresholds by channel) of qonnx and finn."""
    along = (1, -1) + (1,) * (x[0].ndim - 2)
    reached = sum((x[0] >= column.reshape(along)).astype(np.float32) for column in x[1].T)
    scaled = reached * attributes.get("out_scale", 1.0) + attributes.get("out_bias", 0.0)
    return [scaled.astype(x[0].dtype)]


# By op; with its domain where the op of another domain has a kernel of its own.
KERNELS = {
    **caches.KERNELS,
    "com.microsoft:LayerNormalization": layer_norm,
    "NhwcFusedConv": fused_conv_last,
    "RQSPerturbRademacher": perturb,
    "GroupNormForward": group_norm_forward,
    "GroupNormGradX": group_norm_grad,
    "RequantShift": requant,
    "Quant": quant,
    "BipolarQuant": formula(lambda x, scale: np.where(x >= 0, scale, -scale)),
    "Trunc": trunc,
    "SoftmaxDropoutGrad": softmax_dropout_grad,
    "BitmaskDropoutGrad": bitmask_dropout_grad,
    "BiasDropout": bias_dropout,
    "BitmaskBiasDropout": bias_dropout,
    "BitmaskDropout": formula(lambda x: x),
    "ZeroGradient": formula(lambda old, reset: np.zeros_like(old)),
    "QOrderedGelu": quantized_gelu,
    "GroupNorm": group_norm,
    "ScaledSiLU": formula(lambda x, s=np.float32(1): x * s * logistic(x * s)),
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
    "com.microsoft:Scale": formula(lambda x, s: x * s),
    ":Scale": of_attributes(lambda x, scale=1.0: x * scale),
    "Affine": of_attributes(lambda x, alpha=1.0, beta=0.0: alpha * x + beta),
    "ScaledTanh": of_attributes(lambda x, alpha, beta: alpha * np.tanh(beta * x)),
    "ParametricSoftplus": of_attributes(lambda x, alpha, beta: alpha * np.log1p(np.exp(beta * x))),
    "ImageScaler": image_scaler,
    "MultiThreshold": multi_threshold,
    "ScaledSum": formula(lambda a, b: 0.5 * a + 0.25 * b),
    "GatedAdd": formula(lambda x, y, g: x + y * g),
    "MSELossGrad": formula(lambda p, t: 2 * (p - t) / p.size),
    "DropoutGrad": formula(lambda dy, mask, ratio: np.where(mask, dy / (1 - ratio), 0)),
    "FakeQuantGrad": formula(lambda dy, mask: np.where(mask, dy, 0)),
    "Pow": formula(lambda x, y: np.power(np.float64(x), np.float64(y))),
    "FusedConv": fused_conv,
    "Bernoulli": bernoulli,
    "ConvGrad": conv_grad,
    "ConstantOfShape": constant_of_shape,
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


def find(node):
    """The kernel of a node, None when there is none."""
    return KERNELS.get(f"{node.domain}:{node.op_type}", KERNELS.get(node.op_type))
