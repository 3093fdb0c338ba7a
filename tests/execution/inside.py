"""Results that begin inside an operand: the kernel is stopped before a unit of its result is stored, everything that
it may have stored until then is spoiled, and what is still to come is worked out again from the operands as they lie
now. It has to be what it was."""

import numpy as np

MOST_STOPS = 12  # of one result; a result of fewer units is stopped at each
POISON = 0xFF


def is_inside(claim):
    return claim["promise"].startswith("overlap-")


def unit_bytes(value, order, width):
    """Bytes of a result that are made in one go (docs/OVERLAP.md): a row has all channels of its places where these
    lie last, a pixel all channels of one place."""
    last = "strides" in value
    dims = value["dims"]
    laid = [dims[0], *dims[2:], dims[1]] if last else dims
    axes = {"rows": 2 if last else 1, "rows-buffered": 2 if last else 1, "pixels": 1 if last else 0, "elements": 0}
    inner = laid[len(laid) - min(axes[order], len(laid)) :]
    return width * int(np.prod(inner, dtype=np.int64))


def stops(n):
    return range(n) if n <= MOST_STOPS else sorted({int(x) for x in np.linspace(0, n - 1, MOST_STOPS)})


def go_through(memory, vid, array, order, again):
    """again() runs the kernel on what lies in memory, and gives the result."""
    value = memory.plan["values"][vid]
    target, raw = memory.place(vid), memory.bytes_of(vid, value, array)
    unit = unit_bytes(value, order, array.dtype.itemsize)
    loose = order == "rows"  # a row's own elements may be stored while others of it are made
    for u in stops(raw.size // unit):
        there = target.copy()
        target[: (u + loose) * unit] = POISON
        with np.errstate(all="ignore"):
            now = memory.bytes_of(vid, value, again())
        memory.compare(vid, now[u * unit :], raw[u * unit :], f"cannot be made in the order {order} where it lies")
        target[:] = there
    memory.write(vid, array)
