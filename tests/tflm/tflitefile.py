"""TFLite files made with the package flatbuffers alone, by numbers of fields (ir/tflite/tflite_file.h has them), and the
plan read back out of one."""

import struct

import flatbuffers

OPERATORS = {}  # name -> number, filled by whoever has frontends/tflite/operators.def
FLOAT32, INT32, INT8, RESOURCE = 0, 2, 9, 13
KEY = "OfflineMemoryAllocation"


def load_operators(source):
    lines = (source / "frontends/tflite/operators.def").read_text().splitlines()
    names = [line[len("OPERATOR("):-1] for line in lines if line.startswith("OPERATOR(")]
    OPERATORS.update({name: i for i, name in enumerate(names)})


class Tensor:
    def __init__(self, name, shape, kind=FLOAT32, data=None, variable=False):
        self.name, self.shape, self.kind, self.data, self.variable = name, shape, kind, data, variable


class Operator:
    """`handle`: of VAR_HANDLE, the name of its variable; `custom`: the name of an operator of one's own; `graph`: of
    CALL_ONCE, its subgraph."""

    def __init__(self, name, inputs, outputs, handle=None, custom=None, graph=None):
        self.name, self.inputs, self.outputs, self.handle, self.custom = name, inputs, outputs, handle, custom
        self.graph = graph


class Graph:
    def __init__(self, tensors, operators, inputs, outputs, name="main"):
        self.tensors, self.operators, self.inputs, self.outputs, self.name = tensors, operators, inputs, outputs, name


def table(b, n, fields):
    """`fields`: number -> (kind, value), where kind is u8, i8, u32, i32, bool or offset."""
    b.StartObject(n)
    for number, (kind, value) in fields.items():
        if value is None:
            continue
        if kind == "offset":
            b.PrependUOffsetTRelativeSlot(number, value, 0)
        else:
            put = {"u8": b.PrependUint8Slot, "i8": b.PrependInt8Slot, "u32": b.PrependUint32Slot,
                   "i32": b.PrependInt32Slot, "bool": b.PrependBoolSlot}[kind]
            put(number, value, 0)
    return b.EndObject()


def ints(b, values):
    b.StartVector(4, len(values), 4)
    for v in reversed(values):
        b.PrependInt32(v)
    return b.EndVector()


def offsets(b, values):
    b.StartVector(4, len(values), 4)
    for v in reversed(values):
        b.PrependUOffsetTRelative(v)
    return b.EndVector()


def data(b, content):
    b.StartVector(1, len(content), 16)
    b.head -= len(content)
    b.Bytes[b.head:b.head + len(content)] = content
    return b.EndVector()


def put_operator(b, op, codes):
    options = kind = None
    if op.handle is not None:
        options, kind = table(b, 2, {1: ("offset", b.CreateString(op.handle))}), 111
    if op.graph is not None:
        options, kind = table(b, 1, {0: ("i32", op.graph)}), 103
    which = codes.setdefault((OPERATORS[op.name], op.custom), len(codes))
    return table(b, 5, {0: ("u32", which), 1: ("offset", ints(b, op.inputs)), 2: ("offset", ints(b, op.outputs)),
                        3: ("u8", kind), 4: ("offset", options)})


def put_graph(b, graph, codes, buffers):
    tensors = []
    for t in graph.tensors:
        index = 0
        if t.data is not None:
            index = len(buffers)
            buffers.append(t.data)
        name = b.CreateString(t.name) if t.name else None
        tensors.append(table(b, 6, {0: ("offset", ints(b, t.shape)), 1: ("i8", t.kind), 2: ("u32", index),
                                    3: ("offset", name), 5: ("bool", t.variable)}))
    operators = [put_operator(b, op, codes) for op in graph.operators]
    name = b.CreateString(graph.name)
    return table(b, 5, {0: ("offset", offsets(b, tensors)), 1: ("offset", ints(b, graph.inputs)),
                        2: ("offset", ints(b, graph.outputs)), 3: ("offset", offsets(b, operators)), 4: ("offset", name)})


def make(*graphs, metadata=()):
    """`metadata`: pairs of name and content."""
    b = flatbuffers.Builder(1024)
    codes, buffers = {}, [b""]
    subgraphs = offsets(b, [put_graph(b, g, codes, buffers) for g in graphs])
    entries = []
    for name, content in metadata:
        entries.append(table(b, 2, {0: ("offset", b.CreateString(name)), 1: ("u32", len(buffers))}))
        buffers.append(content)
    entries = offsets(b, entries) if entries else None
    stored = offsets(b, [table(b, 3, {0: ("offset", data(b, c) if c else None)}) for c in buffers])
    listed = []
    for number, custom in codes:
        text = b.CreateString(custom) if custom else None
        listed.append(table(b, 4, {0: ("i8", min(number, 127)), 1: ("offset", text), 2: ("i32", 1), 3: ("i32", number)}))
    root = table(b, 7, {0: ("u32", 3), 1: ("offset", offsets(b, listed)), 2: ("offset", subgraphs),
                        3: ("offset", b.CreateString("made by a test")), 4: ("offset", stored), 6: ("offset", entries)})
    b.Finish(root, file_identifier=b"TFL3")
    return bytes(b.Output())


# Reading, as flatbuffers say it and without the reader that is tested.


class Table:
    def __init__(self, file, at):
        self.file, self.at = file, at

    def field(self, number):
        vtable = self.at - struct.unpack_from("<i", self.file, self.at)[0]
        if 4 + 2 * number >= struct.unpack_from("<H", self.file, vtable)[0]:
            return None
        by = struct.unpack_from("<H", self.file, vtable + 4 + 2 * number)[0]
        return self.at + by if by else None

    def number(self, number, form="<I"):
        at = self.field(number)
        return 0 if at is None else struct.unpack_from(form, self.file, at)[0]

    def vector(self, number):
        """Place of item 0, and how many there are."""
        at = self.field(number)
        if at is None:
            return 0, 0
        at += struct.unpack_from("<I", self.file, at)[0]
        return at + 4, struct.unpack_from("<I", self.file, at)[0]

    def tables(self, number):
        at, n = self.vector(number)
        places = [at + 4 * i for i in range(n)]
        return [Table(self.file, p + struct.unpack_from("<I", self.file, p)[0]) for p in places]

    def bytes(self, number):
        at, n = self.vector(number)
        return bytes(self.file[at:at + n])

    def ints(self, number):
        at, n = self.vector(number)
        return list(struct.unpack_from(f"<{n}i", self.file, at))


def root(file):
    return Table(file, struct.unpack_from("<I", file, 0)[0])


def plan_place(file):
    """Where the offsets of the plan in a file begin, and how many there are."""
    model = root(file)
    found = [m.number(1) for m in model.tables(6) if m.bytes(0) == KEY.encode()]
    assert len(found) == 1, found
    at, size = model.tables(4)[found[0]].vector(0)
    version, graphs, n = struct.unpack_from("<3i", file, at)
    assert version == 1 and size == 4 * (3 + n) and at % 16 == 0
    assert n == sum(g.vector(0)[1] for g in model.tables(2)) and graphs == model.vector(2)[1]
    return at + 12, n


def plan_of(file):
    at, n = plan_place(file)
    return list(struct.unpack_from(f"<{n}i", file, at))
