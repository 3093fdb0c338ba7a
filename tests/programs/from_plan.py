"""Runs a network from its plan and its weights image alone, as docs/PLAN.md and docs/plan.schema.json say.

Written from these two: it imports nothing of tenure and never sees the model. What an op computes is not a plan's
matter, so kernels come from outside:

    kernel(node, contents, opsets, results) -> contents of the results

with a NodeProto made from the step, its operands by position (None where one is left out), {domain: version}, and
the plan's values for the results. Ops whose bodies run by the op's own definition come from outside as well:

    definition(node, contents, run_body, arguments, results) -> contents of the results

where run_body(number, contents of the arguments) gives the outputs of a body and `arguments` are the plan's values
for them, by body.

Where a step claims an order of elements, its kernel is called once for each of some pieces of the result, in this
order, with the operands as they are by then.

Pools are memory of the planned size. Every operand is read from and every result written to its planned address;
bytes that hold nothing, or nothing any more, hold POISON. Values without a place lie outside of the pools.
"""

import hashlib
import math
import re
import struct

import ml_dtypes
import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper

POISON = 0xDB

# Element types by their names in plans, and how many bits those have that are below a byte.
TYPES = {
    "bool": (TensorProto.BOOL, np.bool_),
    "f16": (TensorProto.FLOAT16, np.float16),
    "f32": (TensorProto.FLOAT, np.float32),
    "f64": (TensorProto.DOUBLE, np.float64),
    "bf16": (TensorProto.BFLOAT16, ml_dtypes.bfloat16),
    "i2": (TensorProto.INT2, ml_dtypes.int2),
    "i4": (TensorProto.INT4, ml_dtypes.int4),
    "i8": (TensorProto.INT8, np.int8),
    "i16": (TensorProto.INT16, np.int16),
    "i32": (TensorProto.INT32, np.int32),
    "i64": (TensorProto.INT64, np.int64),
    "u2": (TensorProto.UINT2, ml_dtypes.uint2),
    "u4": (TensorProto.UINT4, ml_dtypes.uint4),
    "u8": (TensorProto.UINT8, np.uint8),
    "u16": (TensorProto.UINT16, np.uint16),
    "u32": (TensorProto.UINT32, np.uint32),
    "u64": (TensorProto.UINT64, np.uint64),
    "c64": (TensorProto.COMPLEX64, np.complex64),
    "c128": (TensorProto.COMPLEX128, np.complex128),
    "f4e2m1": (TensorProto.FLOAT4E2M1, ml_dtypes.float4_e2m1fn),
    "f8e4m3fn": (TensorProto.FLOAT8E4M3FN, ml_dtypes.float8_e4m3fn),
    "f8e4m3fnuz": (TensorProto.FLOAT8E4M3FNUZ, ml_dtypes.float8_e4m3fnuz),
    "f8e5m2": (TensorProto.FLOAT8E5M2, ml_dtypes.float8_e5m2),
    "f8e5m2fnuz": (TensorProto.FLOAT8E5M2FNUZ, ml_dtypes.float8_e5m2fnuz),
    "f8e8m0": (TensorProto.FLOAT8E8M0, ml_dtypes.float8_e8m0fnu),
}
BITS = {"i2": 2, "u2": 2, "i4": 4, "u4": 4, "f4e2m1": 4}

KINDS = {
    "int": AttributeProto.INT,
    "ints": AttributeProto.INTS,
    "float": AttributeProto.FLOAT,
    "floats": AttributeProto.FLOATS,
    "string": AttributeProto.STRING,
    "strings": AttributeProto.STRINGS,
}

# Claims of an order of elements, and whether it is from the last to the first.
ORDERS = {"ascending": False, "descending": True}
# A result is written in so many pieces then, a small one element by element.
PIECES, SMALL = 8, 64

# Ops that may leave out the result that is an operand's new content: its position, by their definition.
NEW_CONTENT = {("com.microsoft", "InPlaceAccumulatorV2"): 1}


class PlanError(Exception):
    """The plan asks for what this program cannot do, or contradicts itself."""


def need(condition, message):
    if not condition:
        raise PlanError(message)


# Bytes and elements


def dtype_of(value):
    return np.dtype(TYPES[value["dtype"]][1])


def from_bytes(data, value):
    """The elements of a value, in memory of their own."""
    bits = BITS.get(value["dtype"])
    if bits is None:
        return data.copy().view(dtype_of(value)).reshape(value["dims"])
    codes = np.stack([data >> shift & (1 << bits) - 1 for shift in range(0, 8, bits)], axis=-1)
    codes = codes.reshape(-1)[: math.prod(value["dims"])]
    if value["dtype"][0] == "i":  # ml_dtypes wants the sign in all bits above
        codes = (codes ^ 1 << bits - 1) - np.uint8(1 << bits - 1)
    return codes.astype(np.uint8).view(dtype_of(value)).reshape(value["dims"])


def to_bytes(content, value):
    flat = np.ascontiguousarray(content).reshape(-1).view(np.uint8)
    bits = BITS.get(value["dtype"])
    if bits is None:
        return flat
    per = 8 // bits
    codes = np.zeros((value["bytes"], per), np.uint8)
    codes.reshape(-1)[: flat.size] = flat & (1 << bits) - 1
    return np.bitwise_or.reduce(codes << np.arange(0, 8, bits, dtype=np.uint8), axis=1)


def aligned(size, align):
    block = np.full(size + align, POISON, np.uint8)
    start = -block.ctypes.data % align
    return block[start : start + size]


# What is in the files


def load_weights(path, plan):
    """(pool, offset, bytes) of everything that has content before the run."""
    data = np.fromfile(path, np.uint8)
    magic, version, contents, layout, count = struct.unpack_from("<8sI52x32s8sI", data)
    need(magic == b"TNWEIGHT" and version == 1, f"{path} is no weights image of version 1")
    need(layout.hex() == plan["layout"], f"{path} is of another layout than the plan")
    rows = [struct.unpack_from("<4Q", data, 112 + 32 * k) for k in range(count)]
    segments = [(pool, offset, data[at : at + size]) for pool, offset, size, at in rows]
    digest = hashlib.sha256()
    for _, _, segment in segments:
        digest.update(segment)
    need(digest.digest() == contents, f"{path} is damaged")
    return segments


def variant_of(plan):
    """The one variant of the one program, when nothing in it is of another version of tenure."""
    need(plan["format"] == 2, "the plan is not of format 2")
    need(len(plan["programs"]) == 1 == len(plan["programs"][0]["variants"]), "there are several programs or variants")
    variant = plan["programs"][0]["variants"][0]
    need(variant["guard"] is None, "the variant has a guard")
    for pool in plan["pools"]:
        need(isinstance(pool["size"], int), f"pool {pool['name']}")
    for storage in variant["storages"]:
        need(isinstance(storage["offset"], int) and isinstance(storage["size"], int), "a storage without numbers")
        need(not storage["above"], "a storage above others")
    for step in variant["steps"]:
        need(len(step["nodes"]) == 1, "a fused step")
        need(step["queue"] == 0 and not step["workspace"], "a step with a queue or workspace")
    return variant


def name_bytes(text):
    """A name: its characters U+10FE80 to U+10FEFF stand for bytes that are not UTF-8."""
    return b"".join(
        bytes([ord(c) - 0x10FE00]) if 0x10FE80 <= ord(c) <= 0x10FEFF else c.encode() for c in text
    )


def make_type(text):
    """A type as plans write it, extents left out."""
    kind, _, inner = text.partition("(")
    if kind in ("seq", "opt"):
        make = helper.make_sequence_type_proto if kind == "seq" else helper.make_optional_type_proto
        return make(make_type(inner[:-1]))
    return helper.make_tensor_type_proto(TYPES[text.partition("[")[0]][0], None)


def make_attribute(attribute, result):
    """The attribute as the onnx package has it, None for a graph. `result` is the type of the first result: that of
    an Optional says what its attribute `type` does."""
    (kind, value), = ((k, v) for k, v in attribute.items() if k != "name")
    if kind == "type" and result.startswith("opt("):
        return helper.make_attribute(attribute["name"], make_type(result).optional_type.elem_type)
    if kind == "tensor" and value["elements"] is not None:
        elements = np.array([float(e) if isinstance(e, str) else e for e in value["elements"]])
        content = elements.astype(dtype_of(value)).reshape(value["dims"])
        value = helper.make_tensor("", TYPES[value["dtype"]][0], value["dims"], content.tobytes(), raw=True)
        return helper.make_attribute(attribute["name"], value)
    if kind not in KINDS:
        need(kind in ("graph", "graphs"), f"the plan does not hold the attribute '{attribute['name']}'")
        return None  # the bodies
    if kind.startswith("string"):
        value = [name_bytes(v) for v in value] if kind == "strings" else name_bytes(value)
    if kind.startswith("float"):
        value = [float(v) for v in value] if kind == "floats" else float(value)
    return helper.make_attribute(attribute["name"], value, attr_type=KINDS[kind])


def make_node(step, contents, results):
    """The step's node with operands i0, i1, ... and results o0, o1, ..., some of them left out."""
    node = step["nodes"][0]
    made = onnx.NodeProto(op_type=node["op"], domain=node["domain"], name=node["name"].encode("utf-8", "replace"))
    made.input.extend("" if c is None else f"i{k}" for k, c in enumerate(contents))
    made.output.extend("" if v is None else f"o{k}" for k, v in enumerate(results))
    first = results[0]["type"] if results and results[0] is not None else ""
    attributes = (make_attribute(a, first) for a in step["attributes"])
    made.attribute.extend(a for a in attributes if a is not None)
    return made


TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([A-Za-z_][\w.]*)|(\d+)')
SIGNS = {"floordiv": "//", "ceildiv": "@", "min": "min", "max": "max"}


class Number(int):
    """With ceildiv as @, which binds as * and // do."""

    __add__ = __radd__ = lambda a, b: Number(int(a) + int(b))
    __mul__ = __rmul__ = lambda a, b: Number(int(a) * int(b))
    __sub__ = lambda a, b: Number(int(a) - int(b))
    __neg__ = lambda a: Number(-int(a))
    __floordiv__ = lambda a, b: Number(int(a) // int(b))
    __matmul__ = lambda a, b: Number(-(-int(a) // int(b)))


def work_out(text, extents):
    """An expression of the plan; KeyError where it has an extent that data have not given yet."""

    def token(found):
        quoted, word, digits = found.groups()
        if word in SIGNS:
            return SIGNS[word]
        name = re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else word
        return f"N({digits if digits is not None else extents[name]})"

    return int(eval(TOKEN.sub(token, text), {"N": Number, "min": min, "max": max}))


class Machine:
    """The pools of one plan, and what runs in them. A loop that stacks nothing up ends after `most_rounds`."""

    def __init__(self, plan, weights, kernel, definitions, most_rounds=None):
        self.variant = variant_of(plan)
        self.values, self.storages, self.steps = (self.variant[k] for k in ("values", "storages", "steps"))
        self.kernel, self.definitions, self.most_rounds = kernel, definitions, most_rounds
        self.nodes = {}  # step -> its node
        self.loose = {}  # value without a place -> its content
        self.extents, self.expressions = {}, plan["expressions"]  # that data gave, by name
        self.gives = {}  # value -> names and axes of extents that are to be read there
        for d in self.variant.get("by_data", []):
            self.gives.setdefault(d["value"], []).append((d["dim"], d["axis"]))
        self.rows = {}  # value without a place that a loop stacks up -> what it has of it
        self.pools = [aligned(pool["size"], pool["align"]) for pool in plan["pools"]]
        for pool, offset, segment in weights:
            self.pools[pool][offset : offset + len(segment)] = segment
        for pool, memory in zip(plan["pools"], self.pools):
            memory.flags.writeable = pool["kind"] != "const"

    # memory

    def value(self, index):
        """The value with the extents of this run."""
        value = self.values[index]
        if all(isinstance(d, int) for d in value["dims"]) or value["storage"] is None:
            return value
        dims = [d if isinstance(d, int) else work_out(self.expressions[d["expr"]], self.extents) for d in value["dims"]]
        bits = math.prod(dims) * BITS.get(value["dtype"], 8 * dtype_of(value).itemsize)
        need(-(-bits // 8) <= value["bytes"], f"'{value['name']}' is larger than its place")
        return {**value, "dims": dims, "bytes": -(-bits // 8)}

    def place(self, index):
        """The bytes of a value, None when it has no place."""
        value = self.value(index)
        if value["storage"] is None:
            return None
        storage = self.storages[value["storage"]]
        start = storage["offset"] + value["offset"]
        data = self.pools[storage["pool"]][start : start + value["bytes"]]
        need(len(data) == value["bytes"], f"'{value['name']}' lies outside of its pool")
        return data

    def read(self, index):
        if index is None:
            return None
        data = self.place(index)
        if data is not None:
            return from_bytes(data, self.value(index))
        need(index in self.loose, f"'{self.values[index]['name']}' has neither place nor content")
        return self.loose[index]

    def write(self, index, content):
        for name, axis in self.gives.get(index, ()):
            self.extents[name] = content.shape[axis]
        value, data = self.value(index), self.place(index)
        if data is None:
            self.loose[index] = content
            return
        need(content.dtype == dtype_of(value), f"'{value['name']}' is {content.dtype}, not {value['type']}")
        need(content.size == math.prod(value["dims"]), f"'{value['name']}' is {content.shape}, not {value['type']}")
        data[:] = to_bytes(content, value)

    def go_through(self, index, descending, content):
        """Writes a value piece by piece, each from what `content` is by then."""
        value, data = self.value(index), self.place(index)
        count, width = math.prod(value["dims"]), dtype_of(value).itemsize
        borders = np.linspace(0, count, (count if count <= SMALL else PIECES) + 1).astype(int) * width
        pieces = list(zip(borders, borders[1:]))
        for start, end in reversed(pieces) if descending else pieces:
            data[start:end] = to_bytes(content(), value)[start:end]

    def free(self, step):
        for storage in (self.storages[f["storage"]] for f in step["frees"]):
            self.pools[storage["pool"]][storage["offset"] : storage["offset"] + storage["size"]] = POISON

    # steps

    def run(self, inputs):
        """Contents of the outputs, given those of the inputs, both in the model's order. None leaves an input the content
        that the weights image has for it."""
        for index, content in zip(self.variant["inputs"], inputs, strict=True):
            if content is not None:
                self.write(index, content)
        self.run_graph("", 0, len(self.steps))
        return [self.read(index) for index in self.variant["outputs"]]

    def run_graph(self, graph, at, end):
        """The steps of one graph among those from `at` on; others are those of another branch."""
        while at < end:
            step = self.steps[at]
            if step["graph"] == graph and step["kind"] == "op":
                self.run_op(at)
            elif step["graph"] == graph:
                self.run_bodies(at)
            at = at + 1 if step["kind"] == "op" else step["partner"] + 1

    def run_op(self, at):
        step = self.steps[at]
        if not step["idle"] or any(self.values[v]["left_out"] in ("open", "data") for v in step["results"] if v is not None):
            self.call_kernel(at)
        self.free(step)

    def call_kernel(self, at):
        step = self.steps[at]
        node = step["nodes"][0]
        outputs = list(step["results"])
        for claim in step["claims"]:
            if claim["result"] is None:
                at_result = NEW_CONTENT[node["domain"], node["op"]]
                outputs += [None] * (at_result + 1 - len(outputs))
                outputs[at_result] = step["operands"][claim["operand"]]
        operands = self.operands(step)
        types = [None if v is None else self.values[v] for v in outputs]
        if at not in self.nodes:
            self.nodes[at] = make_node(step, operands, types)
        opsets = {node["domain"]: node["version"]} if node["version"] > 0 else {}
        kernel = lambda: self.kernel(self.nodes[at], self.operands(step), opsets, types)
        contents = self.kernel(self.nodes[at], operands, opsets, types)
        orders = {c["result"]: ORDERS[c["promise"]] for c in step["claims"] if c["promise"] in ORDERS}
        for position, (index, content) in enumerate(zip(outputs, contents)):
            if index is not None and position in orders:
                self.go_through(index, orders[position], lambda: kernel()[position])
            elif index is not None:
                self.write(index, content)

    def operands(self, step):
        """Contents by position; zeros where only type and shape are read."""
        contents = [None if k in step["shape_only"] else self.read(v) for k, v in enumerate(step["operands"])]
        for k in step["shape_only"]:
            value = self.value(step["operands"][k])
            placed = value["storage"] is not None
            contents[k] = np.zeros(value["dims"], dtype_of(value)) if placed else self.read(step["operands"][k])
        return contents

    # ops with bodies

    def run_bodies(self, begin):
        step = self.steps[begin]
        name = (step["nodes"][0]["domain"], step["nodes"][0]["op"])
        if step["bodies"][0]["attribute"] == "":
            self.run_once(begin, 0)
        elif name == ("", "If"):
            taken = "then_branch" if self.read(step["operands"][0]).item() else "else_branch"
            self.run_once(begin, [b["attribute"] for b in step["bodies"]].index(taken))
        elif name in (("", "Loop"), ("", "Scan")) and step["moves"]:
            self.run_loop(begin)
        else:
            self.run_by_definition(begin)
        self.free(self.steps[step["partner"]])

    def run_body(self, begin, number):
        step = self.steps[begin]
        self.run_graph(step["bodies"][number]["graph"], begin + 1, step["partner"])

    def run_once(self, begin, number):
        step = self.steps[begin]
        self.move(step, "begin", number)
        self.free(step)
        given = {m["to"] for m in step["moves"]}
        left_out = [v for v in step["bodies"][number]["inputs"] if v not in given]
        self.loose.update(dict.fromkeys(left_out))
        self.run_body(begin, number)
        self.move(step, "end", number)

    def run_loop(self, begin):
        step = self.steps[begin]
        self.move(step, "begin", 0)
        self.free(step)
        trips, count = self.trips(step), 0
        while (trips is None or count < trips) and self.goes_on(step, count):
            if count > 0:
                self.move(step, "next", 0)
            self.move(step, "iteration", 0, count, trips)
            self.run_body(begin, 0)
            self.move(step, "after", 0, count, trips)
            count += 1
        for m in (m for m in step["moves"] if m["what"] == "stack" and count == 0):
            self.extents.update((name, 0) for name, _ in self.gives.get(m["to"], ()))
        if count == 0:
            self.nothing_found(begin, step["partner"])
        self.finish_rows(step)
        self.move(step, "end" if count > 0 else "none", 0)

    def nothing_found(self, begin, end):
        """What the body of a loop finds out is 0 where it does not run: what it stacks up has no rows then."""
        inside = (k for k in self.gives if begin < (self.values[k]["step"] or 0) < end)
        self.extents.update((name, 0) for k in inside for name, _ in self.gives[k])

    def trips(self, step):
        """How often a loop runs at most, None when nothing limits it."""
        if step["nodes"][0]["op"] == "Scan":
            sliced = next(m for m in step["moves"] if m["what"] == "slice")
            return self.read(sliced["from"]).shape[sliced["axis"]]
        limits = [] if any(m["what"] == "stack" for m in step["moves"]) else [self.most_rounds]
        limits.append(None if step["operands"][0] is None else self.read(step["operands"][0]).item())
        return min((limit for limit in limits if limit is not None), default=None)

    def goes_on(self, step, count):
        """The condition of a Loop: at first its argument, then what the body gave for the next one."""
        body = step["bodies"][0]
        condition = body["outputs"][0] if count > 0 else body["inputs"][1]
        return step["nodes"][0]["op"] == "Scan" or self.read(condition).item()

    def run_by_definition(self, begin):
        step = self.steps[begin]
        end = self.steps[step["partner"]]
        self.free(step)

        def run_body(number, arguments):
            """Outputs of a body, given its arguments (None for one that is left as it is)."""
            body = step["bodies"][number]
            for index, content in zip(body["inputs"], arguments):
                if content is not None:
                    self.write(index, content)
            self.run_body(begin, number)
            return [self.read(index) for index in body["outputs"]]

        types = [None if v is None else self.values[v] for v in end["results"]]
        arguments = [[self.values[v] for v in body["inputs"]] for body in step["bodies"]]
        node = step["nodes"][0]
        definition = self.definitions.get((node["domain"], node["op"]), self.definitions[None])
        operands = self.operands(step)
        contents = definition(make_node(step, operands, types), operands, run_body, arguments, types)
        for index, content in zip(end["results"], contents):
            if index is not None:
                self.write(index, content)

    # moves

    def move(self, step, when, number, count=0, trips=None):
        """All moves of one moment: every source is read before any target is written."""
        moves = [m for m in step["moves"] if m["when"] == when and m["body"] == number]
        contents = [self.source(m, count, trips) for m in moves]
        for m, content in zip(moves, contents):
            if m["what"] == "stack":
                self.stack(m, content, count, trips)
            elif m["what"] != "copy" or not self.one_address(m):
                self.write(m["to"], content)

    def one_address(self, m):
        if m["to"] in self.gives:  # whose extents come with the content
            return False
        source, target = self.place(m["from"]), self.place(m["to"])
        return source is not None and target is not None and source.ctypes.data == target.ctypes.data

    def source(self, m, count, trips):
        dims = [d if isinstance(d, int) else 1 for d in self.values[m["to"]]["dims"]]
        if m["what"] == "count":
            return np.full(dims, count, np.int64)
        if m["what"] == "true":
            return np.full(dims, True)
        content = self.read(m["from"])
        return np.take(content, position(m, count, trips), m["axis"]) if m["what"] == "slice" else content

    def stack(self, m, content, count, trips):
        for name, axis in self.gives.get(m["to"], ()):
            if axis == m["axis"] == 0 and not m["reverse"]:
                self.extents[name] = count + 1  # rows lie one behind the other
        data, value = self.place(m["to"]), self.value(m["to"])
        if data is None:
            self.rows.setdefault(m["to"], []).append(content)
            return
        packed = value["dtype"] in BITS
        whole = from_bytes(data, value) if packed else data.view(dtype_of(value)).reshape(value["dims"])
        np.moveaxis(whole, m["axis"], 0)[position(m, count, trips)] = content
        if packed:
            self.write(m["to"], whole)

    def finish_rows(self, step):
        """What a loop has stacked up outside of the pools, because nobody knew how much it would be."""
        for m in (m for m in step["moves"] if m["what"] == "stack" and self.place(m["to"]) is None):
            rows = self.rows.pop(m["to"], [])
            self.write(m["to"], np.stack(rows[:: -1 if m["reverse"] else 1], m["axis"]) if rows else self.no_rows(m))

    def no_rows(self, m):
        value = self.values[m["from"]]
        dims = [d if isinstance(d, int) else 0 for d in value["dims"]]
        return np.zeros([*dims[: m["axis"]], 0, *dims[m["axis"] :]], dtype_of(value))


def position(m, count, trips):
    """Where an iteration's slice or piece lies along the axis."""
    return trips - 1 - count if m["reverse"] else count
