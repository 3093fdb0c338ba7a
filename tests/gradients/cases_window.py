"""Convolutions and pooling."""

from cases import Case, Fixed, spaced


def convolutions():
    shapes = [  # X, W, attributes
        ((2, 3, 6, 5), (4, 3, 3, 3), {}),
        ((1, 2, 7, 8), (3, 2, 3, 2), {"strides": [2, 3]}),  # positions the kernel never reaches
        ((1, 2, 8, 7), (2, 2, 3, 3), {"strides": [3, 2], "pads": [1, 0, 2, 1]}),
        ((1, 2, 9, 8), (2, 2, 3, 2), {"dilations": [2, 3], "pads": [1, 2, 0, 1]}),
        ((1, 2, 9, 9), (2, 2, 3, 3), {"dilations": [2, 2], "strides": [2, 2], "pads": [1, 1, 1, 1]}),
        ((2, 4, 6, 6), (6, 2, 3, 3), {"group": 2, "pads": [1, 1, 1, 1]}),
        ((2, 6, 7, 7), (9, 2, 3, 2), {"group": 3, "strides": [2, 2], "pads": [0, 1, 1, 0]}),
        ((2, 3, 6, 6), (3, 1, 3, 3), {"group": 3, "strides": [2, 2], "pads": [1, 1, 1, 1]}),  # depthwise
        ((2, 3, 5, 5), (6, 1, 2, 2), {"group": 3}),
        ((2, 3, 5, 5), (4, 3, 1, 1), {"strides": [2, 2]}),
        ((2, 3, 9), (2, 3, 4), {"strides": [2], "pads": [1, 2]}),
        ((1, 2, 4, 4, 5), (2, 2, 2, 2, 3), {"strides": [1, 2, 1], "pads": [0, 1, 1, 1, 0, 1]}),
        ((1, 2, 7, 7), (2, 2, 3, 3), {"auto_pad": "SAME_UPPER", "strides": [2, 2]}),
        ((1, 2, 6, 6), (2, 2, 3, 3), {"auto_pad": "SAME_LOWER", "strides": [2, 2]}),
        ((1, 2, 6, 6), (2, 2, 3, 3), {"auto_pad": "VALID", "strides": [2, 2]}),
    ]
    for x, w, attributes in shapes:
        for bias in (False, True):
            opsets = (9, 11, 28) if x == (2, 3, 6, 5) or attributes.get("group") == 3 else ()
            operands = [spaced(*x), spaced(*w)] + ([spaced(w[0])] if bias else [])
            yield Case("Conv", operands, attributes, opsets=opsets)
    x, w = spaced(1, 2, 5, 5), spaced(3, 2, 3, 3)
    yield Case("Conv", [x, Fixed(w)], {}, note="frozen weights")
    yield Case("Conv", [Fixed(x), w, spaced(3)], {"pads": [1, 1, 1, 1]}, note="of data")
    yield Case("Conv", [Fixed(x), Fixed(w), spaced(3)], {}, note="bias alone")


def transposed():
    shapes = [
        ((2, 3, 4, 5), (3, 2, 3, 3), {}),
        ((1, 2, 4, 4), (2, 3, 3, 2), {"strides": [2, 3]}),
        ((1, 2, 4, 4), (2, 3, 3, 3), {"strides": [2, 2], "pads": [1, 0, 1, 1]}),
        ((1, 2, 4, 4), (2, 3, 3, 3), {"strides": [2, 3], "pads": [1, 1, 1, 1], "output_padding": [1, 2]}),
        ((1, 2, 4, 4), (2, 2, 2, 3), {"dilations": [3, 2]}),
        ((1, 4, 4, 4), (4, 3, 3, 3), {"group": 2, "strides": [2, 2], "pads": [1, 1, 1, 1]}),
        ((2, 3, 4, 3), (3, 1, 2, 2), {"group": 3, "strides": [2, 2]}),
        ((1, 2, 5), (2, 3, 3), {"strides": [2]}),
        ((1, 2, 4, 4), (2, 2, 3, 3), {"auto_pad": "SAME_UPPER", "strides": [2, 2]}),
        ((1, 2, 4, 4), (2, 2, 3, 3), {"output_shape": [8, 7], "strides": [2, 2]}),
    ]
    for at, (x, w, attributes) in enumerate(shapes):
        operands = [spaced(*x), spaced(*w)] + ([spaced(w[1] * attributes.get("group", 1))] if at % 2 else [])
        yield Case("ConvTranspose", operands, attributes, opsets=(9, 11, 28) if at == 0 else ())


def pools():
    windows = [
        ((2, 3, 6, 6), {"kernel_shape": [2, 2], "strides": [2, 2]}),
        ((1, 2, 7, 6), {"kernel_shape": [3, 2], "strides": [2, 1]}),
        ((1, 2, 7, 7), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 0, 1, 1]}),
        ((1, 2, 6, 7), {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}),
        ((1, 2, 7, 7), {"kernel_shape": [3, 3], "strides": [2, 2], "auto_pad": "SAME_UPPER"}),
        ((1, 2, 6, 6), {"kernel_shape": [3, 3], "strides": [2, 2], "auto_pad": "SAME_LOWER"}),
        ((1, 2, 6, 6), {"kernel_shape": [3, 3], "strides": [1, 1], "auto_pad": "VALID"}),
        ((2, 2, 9), {"kernel_shape": [3], "strides": [2]}),
        ((1, 1, 5, 4, 4), {"kernel_shape": [2, 2, 2], "strides": [1, 2, 2]}),
        ((1, 2, 8, 8), {"kernel_shape": [2, 3], "dilations": [3, 2]}),
        ((1, 2, 4, 4), {"kernel_shape": [4, 4]}),
    ]
    for at, (x, attributes) in enumerate(windows):
        for op in ("MaxPool", "AveragePool", "LpPool"):
            opsets = ((7, 8, 10, 28) if op == "MaxPool" else (7, 10, 28)) if at < 3 and op != "LpPool" else ()
            yield Case(op, [spaced(*x)], attributes, opsets=opsets)
            if op == "AveragePool":
                yield Case(op, [spaced(*x)], {**attributes, "count_include_pad": 1})
            if op == "LpPool" and at in (0, 2):
                yield Case(op, [spaced(*x)], {**attributes, "p": 3}, opsets=(11, 28))
                yield Case(op, [spaced(*x)], {**attributes, "p": 1})
            if op == "MaxPool":
                yield Case(op, [spaced(*x)], attributes, outputs=2, named=(1,), note="with its indices")
                yield Case(op, [spaced(*x)], attributes, options="indices=keep", note="kept")
                yield Case(op, [spaced(*x)], attributes, options="indices=recompute", note="recomputed")
    yield Case("MaxPool", [spaced(1, 1, 3, 130)], {"kernel_shape": [3, 2], "strides": [1, 3]}, options="indices=keep", note="kept in two bytes")
    for op in ("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"):
        for shape in ((2, 3, 4, 5), (1, 2, 6), (2, 2, 2, 3, 2)):
            yield Case(op, [spaced(*shape)], {}, opsets=(9, 28))
    yield Case("GlobalLpPool", [spaced(1, 2, 3, 3)], {"p": 3})


def all_cases():
    yield from convolutions()
    yield from transposed()
    yield from pools()
