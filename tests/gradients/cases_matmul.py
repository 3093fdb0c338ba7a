"""Products."""

from cases import Case, Fixed, spaced


def all_cases():
    for a, b in [((3, 4), (4, 2)), ((2, 3, 4), (4, 2)), ((2, 3, 4), (2, 4, 2)), ((2, 1, 3, 4), (3, 4, 2)), ((4,), (4, 2)),
                 ((3, 4), (4,)), ((4,), (4,)), ((4,), (2, 4, 3)), ((2, 3, 4), (4,)), ((3, 4), (2, 4, 2)),
                 ((1, 3, 4), (2, 4, 1)), ((2, 2, 3, 4), (1, 2, 4, 1))]:
        yield Case("MatMul", [spaced(*a), spaced(*b)], {}, opsets=(7, 13, 28) if a == (2, 3, 4) else ())
    yield Case("MatMul", [spaced(2, 3), Fixed(spaced(3, 4))], {}, note="frozen weights")
    yield Case("MatMul", [Fixed(spaced(2, 3)), spaced(3, 4)], {}, note="of data")
    yield Case("MatMul", [spaced(3, 3), None], {}, repeat={1: 0}, note="square")
    for ta in (0, 1):
        for tb in (0, 1):
            a, b = ((4, 3) if ta else (3, 4)), ((2, 4) if tb else (4, 2))
            for k, c in enumerate((None, (3, 2), (2,), (3, 1), (1, 2), (), (1,))):
                operands = [spaced(*a), spaced(*b)] + ([spaced(*c)] if c is not None else [])
                attributes = {"transA": ta, "transB": tb, **({"alpha": 0.7, "beta": 1.3} if k % 2 else {})}
                yield Case("Gemm", operands, attributes, opsets=(7, 9, 11, 28) if k == 1 else (11, 28))
    for equation, shapes in [("ij,jk->ik", ((3, 4), (4, 2))), ("bij,bjk->bik", ((2, 3, 4), (2, 4, 2))),
                             ("ij->ji", ((3, 4),)), ("ij->i", ((3, 4),)), ("ij->", ((3, 4),)), ("i,j->ij", ((3,), (4,))),
                             ("bhqd,bhkd->bhqk", ((1, 2, 3, 2), (1, 2, 4, 2))), ("ij,ij->", ((3, 4), (3, 4))),
                             ("ij,k->i", ((3, 4), (2,))), ("ik,kj", ((3, 4), (4, 2))), ("...ij,...jk->...ik", ((2, 3, 4), (2, 4, 2))),
                             ("ij,jk,kl->il", ((2, 3), (3, 4), (4, 2)))]:
        yield Case("Einsum", [spaced(*s) for s in shapes], {"equation": equation}, opsets=(12, 28))
