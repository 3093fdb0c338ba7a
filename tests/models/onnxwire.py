"""ONNX files as they lie on the wire: fields in their order with their bytes, known or not."""

PLAN = b"tenure.plan."
# Messages inside of messages, and which field of each is metadata.
NESTED = {"model": {7: "graph", 14: "entry", 20: "training", 25: "function"},
          "training": {1: "graph", 2: "graph"},
          "graph": {1: "node", 5: "tensor", 11: "value", 12: "value", 13: "value", 16: "entry"},
          "function": {7: "node", 12: "value", 14: "entry"},
          "node": {5: "attribute", 9: "entry"}, "attribute": {6: "graph", 11: "graph"},
          "value": {4: "entry"}, "tensor": {16: "entry"}, "entry": {}}


def varint(n):
    out = b""
    while n > 127:
        out, n = out + bytes([n & 127 | 128]), n >> 7
    return out + bytes([n])


def read_varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """(number, wire type, content, whole field) one by one; the content of a number is its bytes."""
    at = 0
    while at < len(data):
        start = at
        key, at = read_varint(data, at)
        kind = key & 7
        if kind == 0:
            _, end = read_varint(data, at)
        elif kind == 2:
            size, at = read_varint(data, at)
            end = at + size
        else:
            end = at + {1: 8, 5: 4}[kind]
        yield key >> 3, kind, data[at:end], data[start:end]
        at = end


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def entry(data):
    found = {number: content for number, _, content, _ in fields(data)}
    return found.get(1, b""), found.get(2, b"")


def without_plan(data, kind="model", ordered=True):
    """The message without the plan's metadata and what stands there for it alone. Unless `ordered`,
    neither the order of nodes counts nor how lengths are written; else what is unchanged keeps its bytes."""
    nested, nodes, parts = NESTED[kind], [], []
    for number, wire, content, whole in fields(data):
        inner = nested.get(number) if wire == 2 else None
        if inner == "entry" and entry(content)[0].startswith(PLAN):
            continue
        if inner is not None and inner != "entry":
            made = without_plan(content, inner, ordered)
            if inner == "value" and number == 13 and made != content and [n for n, *_ in fields(made)] == [1]:
                continue
            whole = whole if made == content and ordered else field(number, made)
        if inner == "node" and not ordered:
            nodes.append(whole)
        parts.append(whole)
    if nodes:
        places = iter(sorted(nodes))
        waiting = set(nodes)
        parts = [next(places) if p in waiting else p for p in parts]
    return b"".join(parts)


def notes(data, kind="model", path=()):
    """(kinds and names of what is around, key, value) of all metadata of plans."""
    for number, wire, content, _ in fields(data):
        inner = NESTED[kind].get(number) if wire == 2 else None
        if inner == "entry":
            key, value = entry(content)
            if key.startswith(PLAN):
                yield path, key[len(PLAN):].decode(), value.decode()
        elif inner is not None:
            names = {"value": 1, "tensor": 8, "node": 3, "graph": 2}
            name = next((c for n, _, c, _ in fields(content) if n == names.get(inner)), b"").decode(errors="replace")
            yield from notes(content, inner, (*path, (inner, name)))


def salted(data, rng, kind="model"):
    """The same with fields that no version of ONNX has, here and there, and lengths longer than need be."""
    parts = []
    for number, wire, content, whole in fields(data):
        inner = NESTED[kind].get(number) if wire == 2 else None
        if inner is not None and inner != "entry":
            content = salted(content, rng, inner)
            whole = field(number, content)
        if wire == 2 and rng.random() < 0.1:
            size = varint(len(content))
            whole = varint(number << 3 | 2) + size[:-1] + bytes([size[-1] | 128, 128, 0]) + content
        parts.append(whole)
        if rng.random() < 0.2:
            parts.append(rng.choice([field(rng.randrange(100, 5000), b"of another version"), varint(777 << 3) + varint(2**63),
                                     varint(888 << 3 | 5) + b"four", varint(999 << 3 | 1) + b"eight by"]))
    return b"".join(parts)
