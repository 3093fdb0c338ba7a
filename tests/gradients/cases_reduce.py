"""Reductions."""

import numpy as np
from cases import Case, Fixed, positive, spaced

OPS = ["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare",
       "ReduceLogSum", "ReduceLogSumExp"]


def all_cases():
    for op in OPS:
        made = positive if op in ("ReduceLogSum", "ReduceProd") else spaced
        since = 13 if op == "ReduceSum" else 18
        for keep in (0, 1):
            yield Case(op, [made(3, 4)], {"keepdims": keep}, opsets=(7, 11, 13, 28))
            for axes in ([0], [1], [-1, 0], [2]):
                shape = (2, 3, 2)
                if max(axes) < 2:
                    yield Case(op, [made(*shape), Fixed(axes, np.int64)], {"keepdims": keep}, opsets=(since, 28))
                attribute_opsets = (11, 12) if min(axes) < 0 else (7, 12)
                yield Case(op, [made(*shape)], {"keepdims": keep, "axes": axes}, opsets=attribute_opsets)
        yield Case(op, [made(2, 3), Fixed([], np.int64)], {"noop_with_empty_axes": 1}, opsets=(since, 28))
        yield Case(op, [made(2, 3), Fixed([], np.int64)], {}, opsets=(since, 28))
    yield Case("CumSum", [spaced(3, 4), Fixed(1, np.int64)], {}, opsets=(11, 28))
    for exclusive in (0, 1):
        for reverse in (0, 1):
            yield Case("CumSum", [spaced(2, 3, 2), Fixed(-2, np.int32)], {"exclusive": exclusive, "reverse": reverse},
                       opsets=(11, 28))
