"""Losses over classes."""

import numpy as np
from cases import Case, Fixed, Input, positive, spaced


def labels(shape, classes, ignore=None):
    found = np.arange(int(np.prod(shape))).reshape(shape) % classes
    if ignore is not None:
        found.reshape(-1)[::3] = ignore
    return found.astype(np.int64)


def all_cases():
    for shape in ((4, 3), (2, 3, 4), (2, 3, 2, 2)):
        target = (shape[0], *shape[2:])
        for reduction in ("mean", "sum", "none"):
            for weights in (None, Fixed(positive(shape[1]))):
                for ignore in (None, 1, 255):  # the evaluator takes -1 for no ignored label
                    attributes = {"reduction": reduction, **({} if ignore is None else {"ignore_index": ignore})}
                    chosen = Input(labels(target, shape[1], ignore))
                    operands = [spaced(*shape), chosen] + ([weights] if weights else [])
                    opsets = (12, 13, 28) if shape == (2, 3, 4) else ()
                    for beside in (0, 999):  # where scores are among the largest results, and where they are not
                        yield Case("SoftmaxCrossEntropyLoss", operands, attributes, opsets=opsets, beside=beside)
                        yield Case("NegativeLogLikelihoodLoss", operands, attributes, opsets=opsets, beside=beside)
    both = [spaced(2, 3, 2), Input(labels((2, 2), 3))]
    yield Case("SoftmaxCrossEntropyLoss", both, {}, outputs=2, named=(1,), note="log_prob named")
    yield Case("SoftmaxCrossEntropyLoss", both, {}, outputs=2, used=(0, 1), note="loss of log_prob too")
    yield Case("SoftmaxCrossEntropyLoss", both, {}, outputs=2, used=(1,), named=(0,), note="loss of log_prob")
    int32 = Input(labels((2, 2), 3).astype(np.int32))
    yield Case("SoftmaxCrossEntropyLoss", [spaced(2, 3, 2), int32], {}, note="int32 labels")
