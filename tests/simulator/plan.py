"""A plan as docs/PLAN.md and its schema say, for one program in one variant: values with places, steps in order.

Memory is an array of marks for each pool, one mark a grain: the largest number of bytes that divides every size, offset
and element in the plan.
"""

import math

import numpy as np
from words import NotJudged

SIZES = {"8": 1, "16": 2, "32": 4, "64": 8, "128": 16}


def element_bytes(dtype):
    """Bytes of an element, 0 for elements of less than a byte and for what has none."""
    if dtype == "bool" or dtype.startswith("f8"):
        return 1
    return SIZES.get(dtype.lstrip("iufcb"), 0) if dtype not in ("str", "?") else 0


def plain(name):
    """A name as the model has it: bytes that are no UTF-8 stand as characters of their own."""
    raw = b"".join(bytes([ord(c) - 0x10FE00]) if 0x10FE80 <= ord(c) <= 0x10FEFF else c.encode("utf-8", "surrogateescape") for c in name)
    return raw.decode("utf-8", "surrogateescape")


def sets(document):
    """(program, variant) of every plan in a file."""
    return [(p, v) for p in document["programs"] for v in p["variants"]]


class Value:
    def __init__(self, index, row, storages):
        self.index, self.row, self.name = index, row, plain(row["name"])
        self.graph, self.role, self.dims = row["graph"], row["role"], row["dims"]
        self.item = element_bytes(row["dtype"])
        self.placed = row["storage"] is not None
        self.bytes = row["bytes"] if self.placed else 0
        if self.placed:
            self.storage = storages[row["storage"]]
            self.pool, self.lo = self.storage["pool"], self.storage["offset"] + row["offset"]
            self.hi = self.lo + self.bytes
        self.bound = all(isinstance(d, int) for d in self.dims)
        strides = row.get("strides")
        self.axes = None if not strides else sorted(range(len(strides)), key=lambda a: (-strides[a], a))

    def meets(self, other):
        return self.placed and other.placed and self.pool == other.pool and self.lo < other.hi and other.lo < self.hi


class Plan:
    def __init__(self, document, variant):
        self.document, self.variant = document, variant
        if variant["guard"] is not None:
            raise NotJudged("dimensions stay open")
        self.pools, self.storages, self.steps = document["pools"], variant["storages"], variant["steps"]
        self.values = [Value(i, v, self.storages) for i, v in enumerate(variant["values"])]
        self.options = [(o["key"], o["value"]) for o in document["options"]]
        self.facts = document.get("facts", [])
        self.n = len(self.steps)
        placed = [v for v in self.values if v.placed]
        numbers = [n for v in placed for n in (v.lo, v.bytes, v.item)] + [s["offset"] for s in self.storages]
        self.grain = math.gcd(*numbers, *(s["size"] for s in self.storages), *(p["size"] for p in self.pools)) or 1
        self.writer = {}
        for i, s in enumerate(self.steps):
            self.writer.update((r, i) for r in s["results"] if r is not None)
            self.writer.update((a, i) for b in s["bodies"] for a in b["inputs"])

    def marks(self):
        """How many marks memory takes, without data of the model, whose marks are worked out."""
        return sum(p["size"] for p in self.pools if p["kind"] != "const") // self.grain

    def as_laid(self, value, marks):
        """Marks in row-major order as they lie in memory."""
        if value.axes is None or value.axes == sorted(value.axes):
            return marks
        shaped = marks.reshape(*value.dims, -1)
        return np.ascontiguousarray(shaped.transpose(*value.axes, len(value.dims))).reshape(-1)

    def as_read(self, value, laid):
        """Marks as they lie in memory in row-major order."""
        if value.axes is None or value.axes == sorted(value.axes):
            return laid
        shaped = laid.reshape(*(value.dims[a] for a in value.axes), -1)
        return np.ascontiguousarray(shaped.transpose(*np.argsort(value.axes), len(value.dims))).reshape(-1)

    def name(self, step):
        s = self.steps[step]
        node = s["nodes"][-1]
        return f"step {step} ({node['op']} '{node['name']}')"
