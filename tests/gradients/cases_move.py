"""Operators that move, take and put elements."""

import numpy as np
from cases import Case, Fixed, Input, spaced

I64, F64 = np.int64, np.float64
SINGLE = 2e-5  # the evaluator finds rows of Resize by scales in single precision


def ints(*values):
    return Fixed(values, I64)


def since(opset, what, version):
    """The refusal of a model whose operator set is too old."""
    return {opset: rf"the gradient of \w+ takes {what}, which ai.onnx has from version {version} on; the model imports "
                   rf"version {opset}: convert it first"}


def shapes():
    x = spaced(2, 3, 4)
    yield Case("Reshape", [x, ints(4, 6)], {}, opsets=(7, 14, 28))
    yield Case("Reshape", [x, ints(0, -1)], {}, opsets=(7, 28))
    for axis in (0, 1, 2, -1):
        yield Case("Flatten", [x], {"axis": axis}, opsets=(11, 28))
    yield Case("Squeeze", [spaced(1, 3, 1, 2), ints(0, 2)], {}, opsets=(13, 28))
    yield Case("Squeeze", [spaced(1, 3, 1, 2)], {}, opsets=(7, 13, 28))
    yield Case("Squeeze", [spaced(1, 3, 1, 2)], {"axes": [2]}, opsets=(7, 11))
    yield Case("Unsqueeze", [spaced(3, 2), ints(0, -1)], {}, opsets=(13, 28))
    yield Case("Unsqueeze", [spaced(3, 2)], {"axes": [0, 2]}, opsets=(7, 11))
    for perm in (None, [1, 0, 2], [2, 0, 1], [0, 1, 2]):
        yield Case("Transpose", [x], {} if perm is None else {"perm": perm}, opsets=(7, 28))
    yield Case("Expand", [spaced(3, 1), ints(2, 3, 4)], {}, opsets=(8, 28))
    yield Case("Expand", [spaced(2, 3), ints(1, 1)], {})
    yield Case("Expand", [spaced(), ints(2, 3)], {})
    yield Case("Tile", [spaced(2, 3), ints(2, 2)], {}, opsets=(7, 28))
    yield Case("Tile", [spaced(2, 1, 2), ints(1, 3, 2)], {})
    yield Case("DepthToSpace", [spaced(1, 8, 2, 3)], {"blocksize": 2}, opsets=(7, 11, 28))
    yield Case("DepthToSpace", [spaced(1, 8, 2, 3)], {"blocksize": 2, "mode": "CRD"}, opsets=(11, 28))
    yield Case("SpaceToDepth", [spaced(1, 2, 4, 6)], {"blocksize": 2}, opsets=(7, 28))
    yield Case("ReverseSequence", [spaced(4, 3, 2), ints(2, 4, 1)], {"time_axis": 0, "batch_axis": 1}, opsets=(10, 28))
    for upper in (0, 1):
        yield Case("Trilu", [spaced(2, 3, 4)], {"upper": upper}, opsets=(14, 28))
        yield Case("Trilu", [spaced(3, 3), Fixed(-1, I64)], {"upper": upper})


def joins():
    for axis in (0, 1, -1):
        parts = [list((2, 3, 2)) for _ in range(3)]
        for k, p in enumerate(parts):
            p[axis] = k + 1
        yield Case("Concat", [spaced(*p) for p in parts], {"axis": axis}, opsets=(11, 13, 28))
    yield Case("Concat", [spaced(2, 3), spaced(1, 3)], {"axis": 0}, opsets=(7, 28))
    yield Case("Concat", [spaced(2, 3)], {"axis": 1})
    yield Case("Concat", [spaced(2, 3), Fixed(spaced(2, 2)), spaced(2, 1)], {"axis": 1}, note="with a constant")
    yield Case("Concat", [spaced(2, 3), None], {"axis": 1}, repeat={1: 0}, note="one value twice")
    yield Case("Split", [spaced(2, 6)], {"axis": 1}, outputs=3, used=(0, 1, 2), opsets=(7, 11))
    yield Case("Split", [spaced(2, 6)], {"axis": 1, "num_outputs": 3}, outputs=3, used=(0, 1, 2), opsets=(18, 28))
    yield Case("Split", [spaced(2, 6)], {"axis": 1, "split": [1, 2, 3]}, outputs=3, used=(0, 2), named=(1,), opsets=(7, 11))
    yield Case("Split", [spaced(2, 6), ints(1, 2, 3)], {"axis": 1}, outputs=3, used=(0, 2), named=(1,), opsets=(13, 28))
    yield Case("Split", [spaced(5, 2)], {"axis": 0, "num_outputs": 2}, outputs=2, used=(0, 1), opsets=(18, 28))


def parts():
    x = spaced(5, 6)
    yield Case("Slice", [x], {"starts": [1, 0], "ends": [4, 9]}, opsets=(7, 9))
    yield Case("Slice", [x], {"starts": [1], "ends": [-1], "axes": [1]}, opsets=(7, 9))
    for starts, ends, axes, steps in [((1, 2), (4, 6), None, None), ((1,), (99,), (1,), None), ((-3,), (-1,), (-2,), (1,)),
                                      ((0, 1), (5, 6), (0, 1), (2, 3)), ((4,), (-99,), (0,), (-1,)),
                                      ((-1, 5), (0, 1), (0, 1), (-2, -1))]:
        more = [None if a is None else ints(*a) for a in (axes, steps)]
        while more and more[-1] is None:
            more.pop()
        yield Case("Slice", [x, ints(*starts), ints(*ends), *more], {}, opsets=(10, 13, 28))
    for pads in ((0, 1, 2, 0), (1, 1, 1, 1), (0, -1, 0, -2), (-1, 2, 1, -1)):
        yield Case("Pad", [spaced(4, 5), ints(*pads)], {}, opsets=(11, 13, 28), single=min(pads) >= 0)
    yield Case("Pad", [spaced(3, 4), ints(0, 1, 2, 0), Fixed(0.5, F64)], {}, opsets=(11, 28))
    yield Case("Pad", [spaced(3, 4), ints(1, 2), None, ints(1)], {}, opsets=(18, 28))
    yield Case("Pad", [spaced(3, 4)], {"pads": [0, 1, 2, 0]}, opsets=(7, 10))
    for mode in ("reflect", "edge", "wrap"):
        yield Case("Pad", [spaced(3, 4), ints(1, 2, 1, 1)], {"mode": mode}, opsets=(19, 28) if mode == "wrap" else (11, 28))
    yield Case("CenterCropPad", [spaced(5, 4), ints(3, 6)], {})
    yield Case("CenterCropPad", [spaced(5, 4, 2), ints(2)], {"axes": [1]})


def indices():
    x = spaced(4, 3)
    for shape, axis in (((4, 3), 0), ((2, 4, 3), 1), ((2, 3, 4), -1), ((4,), 0)):
        for index in (Fixed([0, 3, 3, -1] if shape != (2, 3, 4) else [0, 1, 3, 3], I64), Fixed([[1, 0], [2, 2]], I64), Fixed(2, I64),
                      Input(np.array([1, 1, 2]))):
            yield Case("Gather", [spaced(*shape), index], {"axis": axis}, opsets=(11, 13, 28))
    yield Case("Gather", [x, Fixed(np.array([[0, -1], [2, 0]], np.int32))], {}, opsets=(11, 13, 28), note="of 32 bits")
    yield Case("Gather", [x, Fixed([0, 2], I64)], {}, opsets=(7, 28), refused=since(7, "OneHot", 9))
    added = {k: v for o in (11, 12, 13) for k, v in since(o, "ScatterElements with reduction", 16).items()}
    for axis in (0, 1):  # the evaluator is wrong about those below 0
        yield Case("GatherElements", [spaced(3, 3), Fixed([[0, 1, 2], [2, 2, -1]] if axis == 0 else [[0, 1], [2, 2], [-1, 0]], I64)],
                   {"axis": axis}, opsets=(11, 13, 28), refused=added)
    added = {k: v.replace("Elements", "ND") for k, v in added.items()}
    yield Case("GatherND", [spaced(3, 4), Fixed([[0, 1], [2, 3], [0, 1]], I64)], {}, opsets=(11, 12, 28), refused=added)
    yield Case("GatherND", [spaced(3, 4), Fixed([[1], [-1]], I64)], {}, opsets=(11, 28), refused=added)
    yield Case("GatherND", [spaced(2, 3, 4), Fixed([[1], [2]], I64)], {"batch_dims": 1}, opsets=(12, 28), refused=added)
    yield Case("GatherND", [spaced(2, 3, 4), Fixed([[[1, 0], [1, 0]], [[-1, 3], [2, 0]]], I64)], {"batch_dims": 1}, opsets=(28,))
    yield Case("GatherND", [spaced(2, 3, 4), Fixed([[[1], [3], [1]], [[0], [0], [2]]], I64)], {"batch_dims": 2}, opsets=(28,))
    chosen = Fixed([[0, 2, 1], [2, 0, 0]], I64)
    for reduction in (None, "add"):
        attributes = {"axis": 0, **({"reduction": reduction} if reduction else {})}
        yield Case("ScatterElements", [spaced(4, 3), chosen, spaced(2, 3)], attributes,
                   opsets=(16, 28) if reduction else (11, 28))
        attributes.pop("axis")
        yield Case("ScatterND", [spaced(4, 3), Fixed([[1], [3]], I64), spaced(2, 3)], attributes,
                   opsets=(16, 28) if reduction else (11, 28))
    yield Case("ScatterElements", [spaced(3, 4), Fixed([[1], [0], [3]], I64), spaced(3, 1)], {"axis": -1})
    yield Case("Scatter", [spaced(4, 3), chosen, spaced(2, 3)], {"axis": 0}, opsets=(9, 10),
               refused={**since(9, "GatherElements", 11), **since(10, "GatherElements", 11)})
    yield Case("TopK", [spaced(3, 5), ints(2)], {}, outputs=2, named=(1,), opsets=(10, 11, 28))
    yield Case("TopK", [spaced(5, 3), ints(2)], {"axis": 0, "largest": 0}, outputs=2, named=(1,), opsets=(11, 28))
    yield Case("TopK", [spaced(3, 5)], {"k": 2}, outputs=2, named=(1,), opsets=(7, 9), single=False,
               refused=since(7, "Scatter", 9))


def others():
    depth = Fixed(4, I64)
    yield Case("OneHot", [Fixed([[0, 2], [3, 1]], I64), depth, spaced(2)], {}, opsets=(9, 11, 28), wrt=(2,))
    yield Case("OneHot", [Fixed([1, 3], I64), depth, spaced(2)], {"axis": 0}, wrt=(2,))
    yield Case("Det", [spaced(3, 3)], {}, single=False, checked=False)


def resizes():
    x = spaced(1, 2, 3, 4)
    scales = Fixed(np.array([1, 1, 2, 3]).astype(np.float32))
    yield Case("Upsample", [x, scales], {}, opsets=(9,))
    yield Case("Upsample", [x], {"scales": [1.0, 1.0, 2.0, 2.0]}, opsets=(7,))
    yield Case("Resize", [x, scales], {}, opsets=(10,))
    for sizes in ([1, 2, 6, 9], [1, 2, 7, 4], [1, 2, 2, 2]):  # as tf2onnx writes the nearest row
        yield Case("Resize", [spaced(1, 2, 3, 4), None, None, Fixed(sizes, I64)], {
            "mode": "nearest", "nearest_mode": "floor", "coordinate_transformation_mode": "tf_half_pixel_for_nn"}, opsets=(13, 28))
    for mode in ("nearest", "linear", "cubic"):
        for transform in ("asymmetric", "half_pixel", "align_corners", "pytorch_half_pixel"):
            attributes = {"mode": mode, "coordinate_transformation_mode": transform}
            if mode == "nearest":
                attributes["nearest_mode"] = "floor" if transform == "asymmetric" else "round_prefer_floor"
            yield Case("Resize", [x, None, scales], attributes, opsets=(13, 18, 28), tolerance=SINGLE)
            smaller = Fixed(np.array([1, 1, 0.5, 0.75]).astype(np.float32))
            yield Case("Resize", [spaced(1, 1, 6, 8), None, smaller], attributes, opsets=(13, 28), tolerance=SINGLE)
            yield Case("Resize", [spaced(1, 1, 4, 3), None, None, Fixed([1, 1, 7, 5], I64)], attributes, opsets=(13, 28),
                       tolerance=SINGLE)


def all_cases():
    for family in (shapes, joins, parts, indices, others, resizes):
        yield from family()
