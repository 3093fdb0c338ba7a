"""Weights and inputs for the models of this folder, made up from a fixed seed.

Python alone is needed: the few fields of an ONNX file that count here are read directly. The numbers are the same
on every machine: integers of a small generator, scaled by what an op adds up, so that activations neither vanish
nor overflow.
"""

import array
import math
import os
import shutil
import sys

FLOAT, INT64 = 1, 7
PERIOD = 65521  # a prime: no extent of a network divides it, so rows of a weight differ


def fields(data):
    """(number, value) of each field of a protobuf message: an int, or the bytes of it."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
            continue
        size = {1: 8, 5: 4}.get(kind)
        size = varint() if size is None else size
        yield key >> 3, data[at:at + size]
        at += size


def every(data, number):
    return [value for n, value in fields(data) if n == number]


def text(data, number):
    return b"".join(every(data, number)).decode()


class Tensor:
    """An initializer whose bytes are in another file."""

    def __init__(self, data):
        self.name = text(data, 8)
        self.dims = []
        for d in every(data, 1):  # one by one, or packed
            self.dims += [d] if isinstance(d, int) else numbers(d)
        where = {text(e, 1): text(e, 2) for e in every(data, 13)}
        self.file = where.get("location")
        self.offset = int(where.get("offset", 0))
        self.type = (every(data, 2) or [0])[0]


def numbers(packed):
    """The integers of a packed field."""
    found, value, shift = [], 0, 0
    for byte in packed:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append(value)
            value = shift = 0
    return found


class Input:
    """A graph input; an extent that the file leaves open is a name."""

    def __init__(self, data):
        self.name = text(data, 1)
        tensor = every(every(data, 2)[0], 1)[0]
        self.type = every(tensor, 1)[0]
        dims = [d for shape in every(tensor, 2) for d in every(shape, 1)]
        self.dims = [(every(d, 1) or [text(d, 2)])[0] for d in dims]


class Graph:
    def __init__(self, path):
        with open(path, "rb") as f:
            graph = every(f.read(), 7)[0]
        self.tensors = [t for t in map(Tensor, every(graph, 5)) if t.file is not None]
        self.inputs = [Input(i) for i in every(graph, 11)]
        self.readers = {}  # name -> (op, position, whether the op transposes it) of the first that reads it
        for node in every(graph, 1):
            transposed = any(text(a, 1) == "transB" and every(a, 3) == [1] for a in every(node, 5))
            for position, name in enumerate(every(node, 1)):
                self.readers.setdefault(name.decode(), (text(node, 4), position, transposed))


def spread(reader, dims):
    """(middle, reach) of the numbers of a weight: those of He for convolutions, which a Relu follows, and for products
    what keeps the variance."""
    op, position, transposed = reader
    if position == 1 and op in ("Conv", "ConvTranspose"):
        terms = math.prod(dims[1:]) if op == "Conv" else dims[0]
        return 0.0, math.sqrt(6 / terms)
    if position == 1 and op in ("Gemm", "MatMul"):
        return 0.0, math.sqrt(3 / dims[-1 if transposed else -2])
    if position in (1, 2) and op in ("LSTM", "GRU", "RNN"):
        return 0.0, math.sqrt(3 / dims[-1])
    if op == "BatchNormalization" and position == 4:
        return 2.0, 1.0  # a variance, far from 0
    if op in ("BatchNormalization", "LayerNormalization") and position == 1:
        return 0.5, 0.1
    if op == "Gather" and position == 0:
        return 0.0, 1.0  # a table of words
    return 0.0, 0.1


def uniform():
    """PERIOD numbers of [-1, 1), multiples of 2^-23."""
    state, made = 1, []
    for _ in range(PERIOD):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        made.append((state >> 8) * 2.0**-23 - 1.0)
    return made


NUMBERS = uniform()


def floats(count, which, middle, reach):
    """The bytes of `count` numbers: those of tensor number `which`."""
    first, length = which * 7919 % PERIOD, min(count, PERIOD)
    turned = (NUMBERS[first:] + NUMBERS[:first])[:length]
    block = array.array("f", [middle + reach * u for u in turned])
    if sys.byteorder == "big":
        block.byteswap()
    block = block.tobytes()
    return (block * (count // length + 1))[:4 * count] if count > 0 else b""


def write_weights(graph, folder):
    """The files of external data. Models of this folder have one each."""
    opened = {}
    try:
        for which, t in enumerate(graph.tensors):
            if t.type != FLOAT:
                raise ValueError(f"'{t.name}': made up are tensors of floats alone")
            if t.file not in opened:
                opened[t.file] = open(os.path.join(folder, t.file), "wb")
            opened[t.file].seek(t.offset)
            reader = graph.readers.get(t.name, ("", 0, False))
            opened[t.file].write(floats(math.prod(t.dims), which, *spread(reader, t.dims)))
    finally:
        for f in opened.values():
            f.close()


def write_inputs(graph, path, extents, most):
    """Inputs one behind the other; integers are below what `most` has for their name."""
    with open(path, "wb") as f:
        for which, x in enumerate(graph.inputs):
            dims = [extents.get(d, d) for d in x.dims]
            count = math.prod(dims)
            if x.type == FLOAT:
                op, position, transposed = graph.readers.get(x.name, ("", 0, False))
                given = (0.0, 1.0) if position == 0 else spread((op, position, transposed), dims)
                f.write(floats(count, which, *given))
            elif x.type == INT64:
                drawn = [int((u + 1) / 2 * most[x.name]) for u in NUMBERS[which * 7919:][:count]]
                f.write(b"".join(n.to_bytes(8, "little") for n in drawn))
            else:
                raise ValueError(f"'{x.name}': made up are inputs of float and int64 alone")


def write(path, folder, extents=None, most=None):
    """The model as it is, the data it refers to, and inputs, into the folder."""
    graph, name = Graph(path), os.path.splitext(os.path.basename(path))[0]
    os.makedirs(folder, exist_ok=True)
    copy = os.path.join(folder, name + ".onnx")
    if os.path.abspath(copy) != os.path.abspath(path):
        shutil.copyfile(path, copy)
    write_weights(graph, folder)
    write_inputs(graph, os.path.join(folder, name + ".inputs.bin"), extents or {}, most or {})
