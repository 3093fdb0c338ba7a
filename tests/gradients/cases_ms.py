"""Operators of com.microsoft."""

import numpy as np
from cases import Case, Fixed, positive, spaced

MS = "com.microsoft"


def embeddings():
    ids = Fixed(np.array([[1, 4, 1], [0, 2, 4]], np.int32))
    kinds, places = Fixed(np.array([[0, 1, 1], [0, 0, 0]], np.int32)), Fixed(np.array([[0, 1, 2], [3, 1, 1]], np.int32))
    mask, tables = Fixed(np.array([[1, 1, 0], [1, 1, 1]], np.int32)), [spaced(5, 4), spaced(6, 4)]
    norm, named = [positive(4), spaced(4)], {"domain": MS, "outputs": 2, "named": (1,)}
    op, attributes = "EmbedLayerNormalization", {"epsilon": 0.01}
    yield Case(op, [ids, None, *tables, None, *norm], attributes, **named)
    yield Case(op, [ids, kinds, *tables, spaced(2, 4), *norm, mask], attributes, **named, note="segments")
    yield Case(op, [ids, kinds, *tables, spaced(2, 4), *norm, None, places], attributes, **named, note="positions")
    yield Case(op, [ids, None, *tables, None, *norm, mask, places], attributes, domain=MS, outputs=3, used=(0, 2), named=(1,),
               note="both results")


def all_cases():
    yield from embeddings()
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
    x, skip, gamma, bias = spaced(2, 3, 4), spaced(2, 3, 4), positive(4), spaced(4)
    for made in ({"outputs": 1}, {"outputs": 4, "named": (3,)}, {"outputs": 4, "used": (0, 3)}, {"outputs": 4, "used": (3,), "named": (0,)}):
        named = {"domain": MS, **made}
        yield Case("SkipLayerNormalization", [x, skip, gamma, spaced(4), bias], {"epsilon": 0.01}, **named)
        yield Case("SkipSimplifiedLayerNormalization", [x, skip, gamma, bias], {"epsilon": 0.01}, **named)
    yield Case("SkipLayerNormalization", [x, skip, gamma], {"epsilon": 0.01}, domain=MS)
    yield Case("SkipLayerNormalization", [x, skip, gamma, spaced(4)], {"epsilon": 0.01}, domain=MS)
    yield Case("LayerNormalization", [x, gamma, bias], {"epsilon": 0.01}, domain=MS, single=False)
    for domain in ("", MS):
        yield Case("SimplifiedLayerNormalization", [x, gamma], {"epsilon": 0.01}, domain=domain, single=False, checked=False)
