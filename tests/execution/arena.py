"""A plan's memory, executed: one byte array a pool, every value at its planned place, freed bytes poisoned.

Every value read is compared with what was written last under its name, so a plan that lets two values
meet is caught at the first read of a spoiled byte, with the names of both ends.
"""

import collections

import ml_dtypes
import numpy as np

from expressions import evaluate

POISON = 0xFF  # a NaN in every floating type, -1 in every integer

# Element types by the name of ir/dtype.def.
DTYPES = {
    "f32": np.dtype(np.float32),
    "u8": np.dtype(np.uint8),
    "i8": np.dtype(np.int8),
    "u16": np.dtype(np.uint16),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "bool": np.dtype(np.bool_),
    "f16": np.dtype(np.float16),
    "f64": np.dtype(np.float64),
    "u32": np.dtype(np.uint32),
    "u64": np.dtype(np.uint64),
    "c64": np.dtype(np.complex64),
    "c128": np.dtype(np.complex128),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f8e4m3fn": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8e4m3fnuz": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "f8e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "f8e5m2fnuz": np.dtype(ml_dtypes.float8_e5m2fnuz),
    "u4": np.dtype(ml_dtypes.uint4),
    "i4": np.dtype(ml_dtypes.int4),
    "f4e2m1": np.dtype(ml_dtypes.float4_e2m1fn),
    "f8e8m0": np.dtype(ml_dtypes.float8_e8m0fnu),
    "u2": np.dtype(ml_dtypes.uint2),
    "i2": np.dtype(ml_dtypes.int2),
}
BITS = {"u4": 4, "i4": 4, "f4e2m1": 4, "u2": 2, "i2": 2}
SUB_BYTE = {DTYPES[name]: bits for name, bits in BITS.items()}


MOST_PIECES = 1000  # of a value that is gone through in an order


class Corruption(Exception):
    """The plan let bytes be overwritten or freed that somebody still reads."""


class Mismatch(Exception):
    """A result has another type or size than the plan says."""


def as_laid(array, value):
    """The elements in the order in which they lie; where the value has strides, axis 1 is behind all others."""
    return np.moveaxis(array, 1, -1) if "strides" in value else array


def as_meant(array, value):
    return np.ascontiguousarray(np.moveaxis(array, -1, 1)) if "strides" in value else array


def laid_dims(value):
    dims = value["dims"]
    return [dims[0], *dims[2:], dims[1]] if "strides" in value else dims


def pack(array, dtype):
    """The bytes of an array as ONNX stores them: elements below a byte packed, the first lowest."""
    flat = np.ascontiguousarray(array).reshape(-1)
    bits = BITS.get(dtype)
    if bits is None:
        return flat.view(np.uint8)
    per = 8 // bits
    raw = np.zeros(-(-flat.size // per) * per, np.uint8)
    raw[: flat.size] = flat.view(np.uint8) & ((1 << bits) - 1)
    shifts = np.arange(per, dtype=np.uint8) * bits
    return np.bitwise_or.reduce(raw.reshape(-1, per) << shifts, axis=1).astype(np.uint8)


def unpack(raw, dtype, shape):
    """The reverse of pack, in memory of its own."""
    bits = BITS.get(dtype)
    if bits is None:
        return raw.copy().view(DTYPES[dtype]).reshape(shape)
    shifts = np.arange(8 // bits, dtype=np.uint8) * bits
    parts = (raw[:, None] >> shifts) & ((1 << bits) - 1)
    flat = parts.reshape(-1)[: int(np.prod(shape))].astype(np.uint8)
    if DTYPES[dtype] in (np.dtype(ml_dtypes.int4), np.dtype(ml_dtypes.int2)):
        flat = np.where(flat >> (bits - 1), flat | (0xFF << bits) & 0xFF, flat).astype(np.uint8)
    return flat.view(DTYPES[dtype]).reshape(shape)


def same_bytes(a, b):
    """Of two arrays of equally many bytes."""
    if a.size < 4096:
        return a.tobytes() == b.tobytes()
    whole = a.size & ~7
    return bool((a[:whole].view(np.uint64) == b[:whole].view(np.uint64)).all()) and a[whole:].tobytes() == b[whole:].tobytes()


class Plain:
    """Memory without a place for anything: every value an array of its own, for as long as the plan, one
    of nothing shared, needs it."""

    def __init__(self, plan):
        self.values, self.shapes = {}, {}
        self.at = None
        self.members = {}
        for vid, value in enumerate(plan["values"]):
            self.members.setdefault(value["storage"], []).append(vid)

    def write(self, vid, array, covered=()):
        del covered
        own = isinstance(array, np.ndarray) and array.flags.writeable
        self.values[vid] = np.array(array, order="C") if own else array
        self.shapes[vid] = getattr(array, "shape", ())

    def write_row(self, vid, at, array):
        pass

    def go_through(self, vid, array, *_):
        self.write(vid, array)

    def read(self, vid):
        return self.values[vid]

    def shape(self, vid):
        return self.shapes[vid]

    def knows(self, vid):
        return vid in self.values

    def free(self, storages):
        for storage in storages:
            for vid in self.members[storage]:
                self.values.pop(vid, None)


class Arena:
    """The memory of one plan, a dict as docs/plan.schema.json describes it."""

    def __init__(self, plan):
        self.plan = plan
        self.pools = [np.full(pool["size"], POISON, np.uint8) for pool in plan["pools"]]
        self.written = {}  # value -> the bytes it was last given
        self.loose = {}  # values the plan has no place for
        self.owner = {}  # storage -> whether it holds anything
        self.extents = {}  # that data give, by name, as they were last
        self.actual = {}  # values with such extents, as they are
        self.at = "before the run"
        self.bytes_compared = 0
        self.bytes_poisoned = 0
        self.views_met = 0
        self.gathered_bytes = 0
        self.begun = self.bytes_begun = self.stops = 0  # results inside operands: how many, shared bytes, stops of kernels
        self.unknown = collections.Counter()  # ops of them of which nobody knows what they read

    def settle(self, vid, array):
        """Of a value with extents that data give: what they are in this run. They may be no more than the plan
        says, and those of one name are equal; the value lies compact at the beginning of its place."""
        value = self.plan["values"][vid]
        if -1 not in value["dims"] or value["storage"] is None or not isinstance(array, np.ndarray):
            return
        texts, names = self.plan["expressions"], {d["dim"]: d for d in self.plan.get("by_data", [])}
        for d in names.values():
            if d["value"] == vid:
                self.extents[d["dim"]] = array.shape[d["axis"]]
                if array.shape[d["axis"]] > d["most"]:
                    raise Mismatch(f"{d['dim']} is {array.shape[d['axis']]}, the plan has room for {d['most']}")
        if array.ndim != len(value["dims"]):
            raise Mismatch(f"{self.name(vid)} is {list(array.shape)}, planned as {value['type']}")
        for extent, have in zip(value["extents"], array.shape):
            want = evaluate(extent, texts, self.extents)
            if want != have:
                raise Mismatch(f"{self.name(vid)} is {list(array.shape)}, planned as {value['type']}, with {self.extents}")
        size = pack(array, value["dtype"]).size if value["dtype"] in DTYPES else 0
        if size > value["size"]:
            raise Mismatch(f"{self.name(vid)} has {size} bytes, the plan has room for {value['size']}")
        self.actual[vid] = {**value, "dims": list(array.shape), "bytes": size}

    def shape(self, vid):
        return self.actual[vid]["dims"]

    def value_of(self, vid):
        return self.actual.get(vid, self.plan["values"][vid])

    def place(self, vid):
        """The bytes of a placed value, or None."""
        value = self.value_of(vid)
        if value["storage"] is None:
            return None
        storage = self.plan["storages"][value["storage"]]
        start = storage["offset"] + value["offset"]
        pool = self.pools[storage["pool"]]
        inside = value["offset"] >= 0 and value["offset"] + value["bytes"] <= storage["size"]
        if not inside or start + value["bytes"] > pool.size:
            raise Corruption(f"{self.name(vid)} lies outside its storage or pool")
        return pool[start : start + value["bytes"]]

    def name(self, vid):
        value = self.plan["values"][vid]
        return f"{value['graph']}:{value['name']}" if value["graph"] else value["name"]

    def span(self, vid):
        value = self.value_of(vid)
        start = self.plan["storages"][value["storage"]]["offset"] + value["offset"]
        return start, start + value["bytes"]

    def begin(self, result, said, least):
        """A result begins inside an operand, which has to lie `least` bytes behind it, as the plan says."""
        (start, end), (low, high) = self.span(result), self.span(said["value"])
        if low - start < least or said["distance"] != least:
            raise Corruption(
                f"at {self.at}: {self.name(result)} begins {low - start} bytes before {self.name(said['value'])}, the plan "
                f"says {said['distance']}, and in the order {said['order']} it has to be {least}"
            )
        self.begun += 1
        self.bytes_begun += max(0, min(end, high) - low)

    def write(self, vid, array, covered=()):
        """`covered` are values whose bytes are this one's already, by a view: they are compared and
        not written."""
        self.settle(vid, array)
        target = self.place(vid)
        if target is None:
            self.loose[vid] = array
            return
        value = self.value_of(vid)
        raw = self.bytes_of(vid, value, array)
        keep = np.zeros(raw.size, np.bool_) if covered else None
        start, end = self.span(vid)
        for other in covered:
            low, high = self.span(other)
            low, high = max(low, start) - start, min(high, end) - start
            keep[low:high] = True
        if keep is None:
            target[:] = raw
        else:
            self.views_met += 1
            self.gathered_bytes += int(keep.sum())
            self.compare(vid, target[keep], raw[keep], "is a view, and its bytes are not there")
            target[~keep] = raw[~keep]
        self.owner[value["storage"]] = True
        self.written[vid] = raw

    def go_through(self, vid, array, operands, descending):
        """A kernel that writes a value over operands of another width: each element is written once those of the
        operands are read, which must be as they were written. Values of many elements go by some at a time."""
        self.settle(vid, array)
        target, raw = self.place(vid), self.bytes_of(vid, self.value_of(vid), array)
        borders = np.linspace(0, array.size, min(array.size, MOST_PIECES) + 1).astype(int)
        pieces = list(zip(borders, borders[1:]))
        for start, end in reversed(pieces) if descending else pieces:
            for other in operands:
                width = self.written[other].size // array.size
                have, want = self.place(other), self.written[other]
                low, high = start * width, end * width
                self.compare(other, have[low:high], want[low:high], "is written over before it is read")
            width = raw.size // array.size
            target[start * width : end * width] = raw[start * width : end * width]
        self.write(vid, array)

    def write_row(self, vid, at, array):
        """Row `at` of a value of which more are to come."""
        target = self.place(vid)
        value = self.plan["values"][vid]
        if target is None or value["dtype"] in BITS or array.dtype != DTYPES[value["dtype"]]:
            return
        raw = pack(array, value["dtype"])
        if (at + 1) * raw.size > target.size:
            raise Mismatch(f"row {at} of {self.name(vid)} is behind its end")
        target[at * raw.size : (at + 1) * raw.size] = raw

    def bytes_of(self, vid, value, array):
        if not isinstance(array, np.ndarray):
            array = np.asarray(array)
        want = DTYPES[value["dtype"]]
        if array.dtype != want:
            raise Mismatch(
                f"{self.name(vid)} is {array.dtype}{list(array.shape)}, planned as {value['type']}"
            )
        if list(array.shape) != value["dims"]:
            raise Mismatch(f"{self.name(vid)} is {list(array.shape)}, planned as {value['type']}")
        raw = pack(as_laid(array, value), value["dtype"])
        if raw.size != value["bytes"]:
            raise Mismatch(f"{self.name(vid)} has {raw.size} bytes, planned are {value['bytes']}")
        return raw

    def compare(self, vid, have, want, what):
        self.bytes_compared += want.size
        if have.size != want.size or not same_bytes(have, want):
            bad = np.flatnonzero(have != want)
            raise Corruption(
                f"at {self.at}: {self.name(vid)} {what}: {bad.size} of {want.size} bytes differ, "
                f"the first at {bad[0]}"
            )

    def read(self, vid):
        """The value from its planned bytes, after a look that they are what was written."""
        source = self.place(vid)
        if source is None:
            return self.loose[vid]
        value = self.value_of(vid)
        if vid not in self.written:
            raise Corruption(f"at {self.at}: {self.name(vid)} is read before it was written")
        if not self.owner.get(value["storage"]):
            raise Corruption(f"at {self.at}: {self.name(vid)} is read after it was freed")
        if self.is_const(value) and value["dtype"] not in BITS:  # compared once, at the end
            fixed = source.view(DTYPES[value["dtype"]]).reshape(value["dims"])
            fixed.flags.writeable = False
            return fixed
        self.compare(vid, source, self.written[vid], "was overwritten before this read")
        return self.peek(vid)

    def peek(self, vid):
        """What lies in the bytes of a placed value, whoever wrote it."""
        value = self.value_of(vid)
        return as_meant(unpack(self.place(vid), value["dtype"], laid_dims(value)), value)

    def is_const(self, value):
        return self.plan["pools"][self.plan["storages"][value["storage"]]["pool"]]["kind"] == "const"

    def check_consts(self):
        """Data of the model must be what they were, however much of the model ran."""
        for vid, raw in self.written.items():
            if self.is_const(self.plan["values"][vid]):
                self.compare(vid, self.place(vid), raw, "is data of the model, and was overwritten")

    def knows(self, vid):
        return vid in self.written or vid in self.loose

    def free(self, storages):
        for index in storages:
            storage = self.plan["storages"][index]
            start = storage["offset"]
            self.pools[storage["pool"]][start : start + storage["size"]] = POISON
            self.bytes_poisoned += storage["size"]
            self.owner[index] = False
