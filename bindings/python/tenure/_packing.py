"""The packing library alone: buffers with live ranges or conflicts in, offsets out."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from . import _abi
from ._library import array, lib, sized, text
from ._context import Context
from .errors import UsageError, error_of

_FREE = (1 << 64) - 1


@dataclass(frozen=True)
class Packed:
    """A packing that has been checked."""

    offsets: list[int]  #: one a buffer
    height: int  #: the largest offset + size
    bound: int  #: no packing is lower: proven
    optimal: bool
    algorithm: str
    nodes: int  #: of the search

    def __iter__(self) -> Any:
        """``offsets, height = tenure.pack(...)``"""
        return iter((self.offsets, self.height))


def _column(values: Any, n: int, default: int, name: str) -> list[int]:
    if values is None:
        return [default] * n
    found = [values] * n if isinstance(values, int) else [default if v is None else int(v) for v in values]
    if len(found) != n:
        raise UsageError(f"error: pack: {n} sizes and {len(found)} in '{name}'")
    return found


def pack(
    first: Sequence[int] | None, last: Sequence[int] | None, size: Sequence[int], *,
    align: Sequence[int] | int | None = None, fixed: Sequence[int | None] | None = None,
    conflicts: Iterable[tuple[int, int]] | None = None, context: Context | None = None, **options: Any,
) -> Packed:
    """Packs buffers, given as a column for each property: lists, or arrays of numpy.

    Buffer i has ``size[i]`` bytes and is live from time ``first[i]`` up to but without ``last[i]``. `align` is one number
    for all or one for each; ``fixed[i]`` is the offset it must have, or None. With `conflicts`, pairs of indices, these
    may not overlap instead, and `first` and `last` are None. Options are those of the command `tenure pack`:
    ``capacity="64K"``, `algo`, `seconds`... (``tenure.options("pack")``).

    Raises `CapacityError` where nothing that fits was found; its `plan` is the lowest packing then."""
    context = context if context is not None else Context()
    n = len(size)
    columns = zip(
        _column(first, n, 0, "first"), _column(last, n, 1, "last"), _column(size, n, 0, "size"),
        _column(align, n, 1, "align"), _column(fixed, n, _FREE, "fixed"), strict=True,
    )
    items = array(_abi.tenure_pack_item, columns)
    pairs = [tuple(map(int, pair)) for pair in conflicts or ()]
    if conflicts is not None and not all(0 <= k < n for pair in pairs for k in pair):
        raise UsageError(f"error: pack: conflicts are pairs of indices from 0 to {n - 1}")
    problem = sized(_abi.tenure_packing)
    problem.item_size = ctypes.sizeof(_abi.tenure_pack_item)
    problem.items, problem.count = items, n
    if conflicts is not None:
        problem.conflicts = array(_abi.tenure_pack_pair, pairs)
        problem.n_conflicts = len(pairs)
    made, offsets, packed = context.options("pack", options), (ctypes.c_uint64 * n)(), sized(_abi.tenure_packed)
    status, found = context.run(
        lib.tenure_pack, context._pointer, ctypes.byref(problem), made.pointer, offsets, ctypes.byref(packed)
    )
    result = Packed(list(offsets), packed.height, packed.bound, bool(packed.optimal), text(packed.algorithm) or "",
                    packed.nodes)
    if status != _abi.TENURE_OK:
        raise error_of(status, found, result if status == _abi.TENURE_NOFIT else None)
    return result
