"""Operators whose derivative is 0 almost everywhere: a loss that depends on a value through them alone has no gradient by it,
which is said; and refusals of what cannot be differentiated."""

import numpy as np
from cases import Case, Fixed, Input, spaced

NOWHERE = "no gradient reaches 'x0': the loss 'term0' does not depend on it, or only through ops whose derivative is 0"


def all_cases():
    x = spaced(3, 4)
    for op in ("Ceil", "Floor", "Round", "Sign"):
        yield Case(op, [x], {}, refused={0: NOWHERE})
    yield Case("Hardmax", [x], {"axis": 1}, refused={0: NOWHERE})
    yield Case("EyeLike", [x], {"dtype": 11}, refused={0: NOWHERE})
    shape = Input(np.array([2, 3]))
    yield Case("ConstantOfShape", [shape], {}, wrt=(0,), refused={0: "expected|no gradient reaches|floats"}, single=False)
