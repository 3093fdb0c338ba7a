"""Operators of com.microsoft."""

from cases import Case, spaced

MS = "com.microsoft"


def all_cases():
    for op in ("Gelu", "QuickGelu", "FastGelu"):
        yield Case(op, [spaced(3, 4)], {}, domain=MS)
    yield Case("QuickGelu", [spaced(3, 4)], {"alpha": 0.9}, domain=MS)
    for op in ("FastGelu", "BiasGelu"):
        yield Case(op, [spaced(2, 3, 4), spaced(4)], {}, domain=MS)
    for ta in (0, 1):
        for tb in (0, 1):
            for stack in ((), (2,)):
                a, b = (*stack, *((4, 3) if ta else (3, 4))), (*stack, *((2, 4) if tb else (4, 2)))
                attributes = {"transA": ta, "transB": tb, "alpha": 0.7}
                for op in ("FusedMatMul", "TransposeMatMul"):
                    yield Case(op, [spaced(*a), spaced(*b)], attributes, domain=MS, single=op == "FusedMatMul")
