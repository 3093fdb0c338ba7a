"""Operators that work element by element, with and without broadcasts."""

import numpy as np
from cases import Case, Fixed, positive, spaced

UNARY = {  # op -> (low, high) of its operand
    **dict.fromkeys(["Abs", "Atan", "Asinh", "Cos", "Sin", "Sinh", "Cosh", "Exp", "Erf", "Neg", "Relu", "Sigmoid", "Tanh",
                     "Softplus", "Softsign", "Identity", "Selu", "HardSwish", "Mish", "Elu", "Celu", "LeakyRelu",
                     "ThresholdedRelu", "HardSigmoid", "Shrink", "Gelu", "Swish"], (-3.1, 3.1)),
    **dict.fromkeys(["Asin", "Acos", "Atanh"], (-0.9, 0.9)),
    **dict.fromkeys(["Tan"], (-1.2, 1.2)),
    **dict.fromkeys(["Log", "Sqrt", "Reciprocal"], (0.3, 3.0)),
    "Acosh": (1.2, 4.0),
}
MORE = {
    "Elu": [{"alpha": 0.4}, {"alpha": 2.0}],
    "Celu": [{"alpha": 0.5}, {"alpha": 2.0}],
    "Selu": [{"alpha": 1.2, "gamma": 0.7}],
    "LeakyRelu": [{"alpha": 0.3}],
    "ThresholdedRelu": [{"alpha": 0.5}],
    "HardSigmoid": [{"alpha": 0.4, "beta": 0.3}],
    "Shrink": [{"lambd": 0.8, "bias": 0.1}],
    "Gelu": [{"approximate": "tanh"}],
    "Swish": [{"alpha": 0.7}],
}
OLDER = {"Relu": (7, 13, 28), "Sigmoid": (7, 28), "Exp": (7, 28), "Abs": (7, 28), "Tanh": (7, 28), "Sqrt": (7, 28),
         "LeakyRelu": (7, 28), "Elu": (7, 28), "Softplus": (7, 28), "Softsign": (7, 28), "Erf": (9, 28), "Selu": (7, 28),
         "Neg": (7, 28), "Log": (7, 28), "HardSigmoid": (7, 28), "Reciprocal": (7, 28), "Identity": (7, 28)}
PAIRS = [((3, 4), (3, 4)), ((3, 4), (4,)), ((2, 3, 4), (3, 1)), ((3, 1), (1, 4)), ((2, 1, 3), (4, 1)), ((1,), (2, 3)),
         ((2, 3), ()), ((2, 1, 2), (2, 3, 2)), ((1, 1), (1, 1, 1))]
WIDE = {"HardSwish": (-5.0, 5.0)}  # beyond both of its bends


def unary():
    for op, (low, high) in UNARY.items():
        low, high = WIDE.get(op, (low, high))
        for attributes in [{}, *MORE.get(op, [])]:
            for shape in ((3, 5), (2, 3, 2), (1,), ()):
                if shape == () and op != "Relu":
                    continue
                yield Case(op, [spaced(*shape, low=low, high=high)], attributes,
                           opsets=OLDER.get(op, ()) if shape == (3, 5) else (), single=shape == (3, 5))


def binary():
    for a, b in PAIRS:
        older = (7, 13, 28) if (a, b) == ((2, 3, 4), (3, 1)) else ()
        for op in ("Add", "Sub", "Mul"):
            yield Case(op, [spaced(*a), spaced(*b)], {}, opsets=older)
        for op in ("Div", "Pow"):
            yield Case(op, [positive(*a), positive(*b)], {}, opsets=older)
        for op in ("Max", "Min", "Sum", "Mean"):
            yield Case(op, [spaced(*a), spaced(*b) + 0.011], {}, opsets=(8, 28) if older else ())
        yield Case("Where", [Fixed(spaced(*b) > 0), spaced(*a), spaced(*b)], {}, opsets=(9, 28))
        yield Case("PRelu", [spaced(2, 3, 4), positive(3, 1)], {}, opsets=(7, 9, 28))
    x = spaced(3, 4)
    for op in ("Add", "Mul", "Sub", "Max"):
        if op != "Max":
            yield Case(op, [x, None], {}, repeat={1: 0}, note="one value twice")
    yield Case("Div", [positive(3, 4), Fixed(positive(4))], {}, note="by a constant")
    yield Case("Div", [Fixed(positive(4)), positive(3, 4)], {}, note="of a constant")
    yield Case("Pow", [spaced(3, 4), Fixed(2.0, np.float64)], {}, note="square of any sign")
    yield Case("Pow", [spaced(3, 4), Fixed(3.0, np.float64)], {}, note="cube of any sign")
    yield Case("Pow", [positive(3, 4), Fixed(np.array([0.5, 2, -1, 0]))], {})
    yield Case("Pow", [positive(3, 4), Fixed(3, np.int64)], {}, opsets=(12, 28), note="integer exponent")
    yield Case("Pow", [Fixed(positive(2, 3)), spaced(2, 3)], {}, note="of a constant")
    for op in ("Max", "Min", "Sum", "Mean"):
        yield Case(op, [spaced(3, 4)], {})
        yield Case(op, [spaced(3, 4), spaced(4) + 0.011, spaced(1, 1) + 0.017], {})
    yield Case("Max", [spaced(2, 3), Fixed(0.07, np.float64)], {}, note="with a constant")


def others():
    x = spaced(3, 5)
    yield Case("Clip", [x, Fixed(-0.71, np.float64), Fixed(1.03, np.float64)], {}, opsets=(11, 12, 28))
    yield Case("Clip", [x, Fixed(-0.71, np.float64)], {}, opsets=(11, 28))
    yield Case("Clip", [x, None, Fixed(0.5, np.float64)], {}, opsets=(11, 28))
    yield Case("Clip", [x], {}, opsets=(7, 11, 28))
    yield Case("Clip", [x], {"min": -0.75, "max": 1.0}, opsets=(7, 10))
    yield Case("Mod", [positive(3, 4), Fixed(0.7, np.float64)], {"fmod": 1})
    yield Case("Cast", [x], {"to": 11}, single=False)
    yield Case("CastLike", [x, Fixed(np.ones(1))], {}, opsets=(15, 28))
    yield Case("SwiGLU", [spaced(3, 4), spaced(3, 4)], {})


def all_cases():
    yield from unary()
    yield from binary()
    yield from others()
