"""Results that begin inside an operand, as docs/OVERLAP.md says.

At each byte that the two share: no element of the operand may be read in a later unit than that which writes there, which
follows from what each element of the result reads. And with the kernel itself: it is stopped before a unit of its result is
stored, everything that it may have stored until then is spoiled, and what is still to come is worked out again from the
operands as they lie now. It has to be what it was.
"""

import numpy as np

import reads

MOST_STOPS = 12  # of one result; a result of fewer units is stopped at each
POISON = 0xFF
ORDERS = ("rows", "rows-buffered", "elements", "pixels")  # as headers number what kernels promise


def is_inside(claim):
    return claim["promise"].startswith("overlap-")


def laid(value):
    """Axes of a value from the outermost to the innermost, as its elements lie."""
    axes = list(range(len(value["dims"])))
    return [0, *axes[2:], 1] if "strides" in value else axes


def unit_elements(value, order):
    """Elements of a result that are made in one go: a row has all channels of its places where these lie last, a
    pixel all channels of one place."""
    last = "strides" in value
    n = {"rows": 2 if last else 1, "rows-buffered": 2 if last else 1, "pixels": 1 if last else 0, "elements": 0}[order]
    axes = laid(value)
    return int(np.prod([value["dims"][a] for a in axes[len(axes) - min(n, len(axes)) :]], dtype=np.int64))


def places(value):
    """By element of a value, how many lie before it."""
    axes = laid(value)
    dims = [value["dims"][a] for a in axes]
    return np.arange(int(np.prod(dims, dtype=np.int64))).reshape(dims).transpose(np.argsort(axes))


def distance(node, k, result, operand, order, widths):
    """(bytes that operand k has to begin behind the result, the unit that asks for most of them): what a unit reads
    lies behind all that is stored until then. None where nobody knows what the op reads.

    `result` and `operand` are values of a plan, `widths` the bytes of an element of each."""
    per = unit_elements(result, order)
    if per == 0:
        return 0, 0
    last = reads.last_reads(node, k, places(result) // per)
    if last is None:
        return None
    begun = last + (order == "rows")  # a row's own elements may be stored while others of it are made
    asked = np.where(last >= 0, begun * (per * widths[0]) - places(operand) * widths[1], 0)
    at = asked.argmax() if asked.size else 0
    return (max(0, int(asked.flat[at])), max(0, int(last.flat[at]))) if asked.size else (0, 0)


def stops(n, tight):
    if n <= MOST_STOPS:
        return range(n)
    return sorted({int(x) for x in np.linspace(0, n - 1, MOST_STOPS)} | {t for t in tight if t < n})


def go_through(memory, vid, array, order, again, tight=()):
    """again() runs the kernel on what lies in memory, and gives the result. `tight`: units before which to stop."""
    value = memory.plan["values"][vid]
    target, raw = memory.place(vid), memory.bytes_of(vid, value, array)
    unit = unit_elements(value, order) * array.dtype.itemsize
    loose = order == "rows"
    for u in stops(raw.size // unit, tight):
        there = target.copy()
        target[: (u + loose) * unit] = POISON
        with np.errstate(all="ignore"):
            now = memory.bytes_of(vid, value, again())
        memory.compare(vid, now[u * unit :], raw[u * unit :], f"cannot be made in the order {order} where it lies")
        target[:] = there
        memory.stops += 1
    memory.write(vid, array)
