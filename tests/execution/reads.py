"""Which elements of an operand an element of a result is made from, op by op as ONNX defines them.

Every result element gets a time at which it is made; what is worked out is when each element of the operand is
read for the last time. Rules go axis by axis: what an element reads is a product of coordinates.
"""

import numpy as np

NEVER = -1

ELEMENTWISE = {
    *("Abs Add And BatchNormalization BitShift Cast CastLike Ceil Clip CumProd DequantizeLinear Div Dropout Elu Equal").split(),
    *("Erf Exp Floor Gelu Greater GreaterOrEqual HardSigmoid HardSwish IsNaN LeakyRelu Less LessOrEqual Log Max").split(),
    *("Mean Min Mod Mul Neg Not Or PRelu Pow QuantizeLinear Reciprocal Relu Round Selu Sigmoid Sign Softplus Sqrt").split(),
    *("Sub Sum Tan Tanh ThresholdedRelu Where Xor Sin Cos").split(),
}
COPIES = {"Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze"}


class Node:
    """A node as rules need it: `attributes` by name, `version` of the op set, `shapes` of the operands and of the
    result, and `content(k)`, the elements of an operand where they are constants."""

    def __init__(self, op, attributes, version, shapes, result, content):
        self.op, self.attributes, self.version = op, attributes, version
        self.shapes, self.result, self.content = shapes, tuple(result), content

    def get(self, name, otherwise):
        found = self.attributes.get(name, otherwise)
        return found.decode() if isinstance(found, bytes) else found

    def ints(self, name, k, otherwise):
        """A list that is an attribute or operand k, by the version."""
        if name in self.attributes:
            return [int(i) for i in self.attributes[name]]
        given = self.content(k) if k < len(self.shapes) and self.shapes[k] is not None else None
        return otherwise if given is None else [int(i) for i in np.asarray(given).reshape(-1)]


def last_reads(node, k, times):
    """An array as operand k: the largest of `times`, one for each element of the result, at which an element is read, or
    NEVER; None for ops and operands that no rule is for."""
    rule = RULES.get(node.op)
    if node.op in ELEMENTWISE:
        rule = same
    if node.op in COPIES:
        rule = copied
    found = rule(node, k, times) if rule is not None else None
    if found is None or found.shape != tuple(node.shapes[k]):
        return None
    return found


def fold(times, axis, size, taps):
    """Along one axis: coordinate c of the result reads those of an axis of `size` that the taps list for c; -1: none."""
    front = np.moveaxis(times, axis, 0)
    found = np.full((size, *front.shape[1:]), NEVER, times.dtype)
    for tap in taps:
        for c, at in enumerate(tap):
            if 0 <= at < size:
                found[at] = np.maximum(found[at], front[c])
    return np.moveaxis(found, 0, axis)


def over(times, axes, shape):
    """Everything along the axes is read for each element."""
    return np.broadcast_to(times.max(axis=tuple(axes), keepdims=True), shape) if times.size else None


def same(node, k, times):
    return times if tuple(node.shapes[k]) == node.result else None


def copied(node, k, times):
    return times.reshape(node.shapes[k]) if k == 0 else None


def transposed(node, k, times):
    perm = list(node.get("perm", range(times.ndim)[::-1]))
    return times.transpose(np.argsort(perm))


def joined(node, k, times):
    axis = node.get("axis", 1) % times.ndim
    start = sum(s[axis] for s in node.shapes[:k])
    return np.take(times, range(start, start + node.shapes[k][axis]), axis)


def windows(node, channels, times):
    """Spatial axes of a convolution or pooling, behind a sample and `channels`."""
    shape, rank = node.shapes[0], times.ndim - 2
    kernel = node.get("kernel_shape", None) or node.shapes[3 if node.op == "QLinearConv" else 1][2:]
    strides, dilations = (node.get(name, [1] * rank) for name in ("strides", "dilations"))
    pads = list(node.get("pads", [0] * 2 * rank))
    auto = node.get("auto_pad", "NOTSET")
    found = channels
    for i in range(rank):
        size, out = shape[2 + i], times.shape[2 + i]
        if auto.startswith("SAME"):
            whole = max(0, (out - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1 - size)
            pads[i] = whole // 2 if auto == "SAME_UPPER" else whole - whole // 2
        elif auto == "VALID":
            pads[i] = 0
        start = np.arange(out) * strides[i] - pads[i]
        found = fold(found, 2 + i, size, [start + j * dilations[i] for j in range(kernel[i])])
    return found


def convolved(node, k, times):
    if k != 0:
        return None
    groups, (n, m), c = node.get("group", 1), times.shape[:2], node.shapes[0][1]
    per_group = times.reshape(n, groups, m // groups, *times.shape[2:]).max(axis=2)
    return windows(node, np.repeat(per_group, c // groups, axis=1), times)


def pooled(node, k, times):
    return windows(node, times, times) if k == 0 else None


def imaged(node, k, times):
    """All of the image of a channel."""
    return over(times, range(2, times.ndim), node.shapes[0]) if k == 0 else None


def reduced(node, k, times):
    if k != 0:
        return None
    rank = len(node.shapes[0])
    axes = node.ints("axes", 1, [])
    if not axes and node.get("noop_with_empty_axes", 0):
        return times
    axes = sorted(a % rank for a in axes) or list(range(rank))
    return along(node, axes, times)


def along(node, axes, times):
    kept = times if node.get("keepdims", 1) else np.expand_dims(times, tuple(axes))
    return np.broadcast_to(kept, node.shapes[0])


def found_at(node, k, times):
    """ArgMax and ArgMin."""
    return along(node, [node.get("axis", 0) % len(node.shapes[0])], times)


def rows(node, k, times):
    old = node.version < 13
    axis = node.get("axis", 1 if old else -1) % times.ndim
    return over(times, range(axis, times.ndim) if old else [axis], node.shapes[0])


def normalised(node, k, times):
    """Over the trailing axes."""
    return over(times, range(node.get("axis", -1) % times.ndim, times.ndim), node.shapes[0]) if k == 0 else None


def neighbours(node, k, times):
    size, n = node.get("size", 1), times.shape[1]
    c = np.arange(n)
    return fold(times, 1, n, [c + j for j in range(-((size - 1) // 2), size // 2 + 1)])


def repeated(times, shape):
    """Axes in which the operand is broadcast are read for all of the result."""
    times = times.max(axis=tuple(range(times.ndim - len(shape)))) if times.ndim > len(shape) else times
    ones = tuple(i for i, n in enumerate(shape) if n == 1 and times.shape[i] != 1)
    return times.max(axis=ones, keepdims=True) if ones else times


def multiplied(node, k, times):
    if k > 1 or min(len(s) for s in node.shapes[:2]) < 2:
        return None
    shape = list(node.shapes[k])
    mixed = times.max(axis=-1 if k == 0 else -2, keepdims=True)
    summed = -1 if k == 0 else -2
    shape[summed] = 1
    return np.broadcast_to(repeated(mixed, shape), node.shapes[k])


def gemm(node, k, times):
    if k > 1:
        return repeated(times, node.shapes[2]) if len(node.shapes[2]) == 2 else None
    turned = node.get("transA" if k == 0 else "transB", 0)
    mixed = times.max(axis=1 - k, keepdims=True)
    return np.broadcast_to(mixed.T if turned else mixed, node.shapes[k])


def padded(node, k, times):
    if k != 0:
        return None
    rank, mode = times.ndim, node.get("mode", "constant")
    pads = node.ints("pads", 1, None)
    axes = node.ints("axes", 3, list(range(rank)))
    if pads is None:
        return None
    found = times
    for i, axis in enumerate(axes):
        size = node.shapes[0][axis]
        at = np.arange(times.shape[axis]) - pads[i]
        if mode == "edge":
            at = at.clip(0, size - 1)
        elif mode == "wrap":
            at = at % size
        elif mode == "reflect":
            at = at % max(1, 2 * size - 2)
            at = np.where(at < size, at, 2 * size - 2 - at)
        found = fold(found, axis % rank, size, [at])
    return found


def sliced(node, k, times):
    if k != 0:
        return None
    starts = node.ints("starts", 1, None)
    if starts is None:
        return None
    axes = node.ints("axes", 3, list(range(len(starts))))
    steps = node.ints("steps", 4, [1] * len(starts))
    found = times
    for start, axis, step in zip(starts, axes, steps):
        size = node.shapes[0][axis]
        first = min(max(start + size * (start < 0), 0), size - (step < 0))
        found = fold(found, axis % times.ndim, size, [first + step * np.arange(times.shape[axis])])
    return found


RULES = {
    "Transpose": transposed,
    "Concat": joined,
    "Conv": convolved,
    "ConvInteger": convolved,
    "QLinearConv": convolved,
    "MatMul": multiplied,
    "MatMulInteger": multiplied,
    "Gemm": gemm,
    "ArgMax": found_at,
    "ArgMin": found_at,
    "LRN": neighbours,
    "LayerNormalization": normalised,
    "RMSNormalization": normalised,
    "Pad": padded,
    "Slice": sliced,
    **dict.fromkeys(("MaxPool", "AveragePool", "LpPool"), pooled),
    **dict.fromkeys(("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool", "InstanceNormalization"), imaged),
    **dict.fromkeys(("Softmax", "LogSoftmax", "Hardmax"), rows),
    **dict.fromkeys(
        [f"Reduce{what}" for what in "L1 L2 LogSum LogSumExp Max Mean Min Prod Sum SumSquare".split()], reduced
    ),
}
