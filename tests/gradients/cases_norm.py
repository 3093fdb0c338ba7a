"""Normalisations, softmax and dropout."""

import numpy as np
from cases import Case, Fixed, positive, spaced

F64 = np.float64


def softmaxes():
    for op in ("Softmax", "LogSoftmax"):
        for shape, attributes in (((3, 4), {}), ((2, 3, 4), {"axis": 1}), ((2, 3, 4), {"axis": -2}), ((5,), {"axis": 0})):
            opsets = (13, 28) if attributes.get("axis", 0) < 0 else (9, 11, 12, 13, 28)
            yield Case(op, [spaced(*shape)], attributes, opsets=opsets)


def batch():
    for shape in ((3, 4), (2, 3, 4), (2, 3, 3, 4), (1, 2, 3, 2, 2)):
        c = shape[1]
        statistics = [spaced(c), positive(c)]
        operands = [spaced(*shape), positive(c), spaced(c)]
        yield Case("BatchNormalization", [*operands, *map(Fixed, statistics)], {}, opsets=(9, 14, 28))
        yield Case("BatchNormalization", [*operands, *statistics], {"epsilon": 0.1}, note="statistics too")
        if len(shape) > 2 or shape[0] > 2:
            yield Case("BatchNormalization", [*operands, *map(Fixed, statistics)], {"training_mode": 1, "epsilon": 0.01},
                       opsets=(14, 15, 28), outputs=3, named=(1, 2), note="training", single=shape != (3, 4))
    x = spaced(2, 3, 4)
    yield Case("BatchNormalization", [x, *map(Fixed, (positive(3), spaced(3), spaced(3), positive(3)))], {},
               note="frozen")


def others():
    for shape in ((2, 3, 4), (2, 3, 3, 4), (1, 2, 2, 3, 2)):
        c = shape[1]
        yield Case("InstanceNormalization", [spaced(*shape), positive(c), spaced(c)], {"epsilon": 0.01}, opsets=(7, 28))
    for shape, axis in (((3, 5), -1), ((2, 3, 4), -1), ((2, 3, 4), 1), ((2, 3, 4), 2), ((2, 3), 0), ((2, 3, 4), -2)):
        part = shape[axis:]
        for bias in (True, False):
            operands = [spaced(*shape), positive(*part)] + ([spaced(*part)] if bias else [])
            yield Case("LayerNormalization", operands, {"axis": axis, "epsilon": 0.01}, opsets=(17, 28))
        yield Case("LayerNormalization", operands, {"axis": axis}, outputs=3, named=(1, 2), checked=False,
                   note="statistics named")
        yield Case("RMSNormalization", [spaced(*shape), positive(*part)], {"axis": axis, "epsilon": 0.01}, opsets=(23,))
    yield Case("LayerNormalization", [spaced(2, 3, 4), positive(4), spaced(4)], {}, outputs=3, used=(0, 1, 2), checked=False,
               note="loss of the statistics")
    yield Case("LayerNormalization", [spaced(2, 3, 4), positive(1), spaced(3, 1)], {}, note="broadcast scale")
    for shape, groups in (((2, 4, 3), 2), ((1, 6, 2, 3), 3), ((2, 4, 2, 2), 4), ((2, 4, 3, 2), 1)):
        c = shape[1]
        yield Case("GroupNormalization", [spaced(*shape), positive(c), spaced(c)],
                   {"num_groups": groups, "epsilon": 0.01}, opsets=(21, 28))
        yield Case("GroupNormalization", [spaced(*shape), positive(groups), spaced(groups)],
                   {"num_groups": groups, "epsilon": 0.01}, opsets=(18,), checked=False, note="scale of groups")
    for shape, axis in (((3, 4), -1), ((2, 3, 4), 1)):
        yield Case("LpNormalization", [spaced(*shape)], {"axis": axis}, opsets=(7, 28))
        yield Case("LpNormalization", [spaced(*shape)], {"axis": axis, "p": 1})
    yield Case("MeanVarianceNormalization", [spaced(2, 3, 3, 2)], {}, opsets=(9, 13, 28), checked=False)
    yield Case("MeanVarianceNormalization", [spaced(3, 4)], {"axes": [1]}, checked=False)
    for shape, size in (((2, 5, 3, 3), 3), ((1, 6, 2, 2), 5), ((2, 3, 2, 2), 7), ((1, 5, 2, 2), 4), ((1, 4, 3), 2)):
        yield Case("LRN", [spaced(*shape)], {"size": size, "alpha": 0.7, "beta": 0.6, "bias": 1.5}, opsets=(9, 13, 28),
                   single=len(shape) == 4 and size % 2 == 1)


def dropouts():
    x = spaced(3, 4)
    yield Case("Dropout", [x], {}, opsets=(7, 10, 12, 28), note="off")
    yield Case("Dropout", [x, Fixed(0.3, F64)], {}, outputs=2, named=(1,), opsets=(13, 28), note="off, with a mask")
    yield Case("Dropout", [x, Fixed(0.3, F64), Fixed(False)], {}, opsets=(12, 28))
    for ratio in (0.0, 0.4):
        yield Case("Dropout", [x, Fixed(ratio, F64), Fixed(True)], {"seed": 7}, opsets=(12, 13, 28), single=False,
                   note=f"ratio {ratio}")
        yield Case("Dropout", [x, Fixed(ratio, F64), Fixed(True)], {"seed": 7}, outputs=2, named=(1,), single=False,
                   note=f"ratio {ratio}, with a mask")


def all_cases():
    yield from softmaxes()
    yield from batch()
    yield from others()
    yield from dropouts()
