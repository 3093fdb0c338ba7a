"""Puts the intermediate buffers of C that emx-onnx-cgen (1.4) or onnx2c generated into one arena, where tenure says.

    python generated_c.py net.c placed.c [NAME=VALUE...]      options of `tenure pack`: align=16 effort=3

Both write one function that calls a function for each node, one behind the other. A buffer is live from the first of those
calls that names it to the last; its declaration (an array on the stack, a malloc, a member of a union) becomes a pointer into
the arena. Nothing else changes. With `#define NET_ARENA pointer` in front of it the code takes memory of yours,
NET_ARENA_BYTES bytes aligned to NET_ARENA_ALIGN, in place of memory of its own.
"""

import dataclasses
import math
import re
import sys

import tenure

SIZES = {"bool": 1, "int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2, "_Float16": 2, "int32_t": 4, "uint32_t": 4,
         "float": 4, "int64_t": 8, "uint64_t": 8, "double": 8}
TYPE = rf"(?P<type>{'|'.join(SIZES)})"
ARRAY = re.compile(rf"^\s*{TYPE} (?P<name>\w+)(?P<dims>(\[\d+\])*);\n", re.M)
HEAP = re.compile(rf"^\s*{TYPE} \(?\*(?P<name>\w+)\)?(?P<dims>(\[\d+\])*) = malloc\(sizeof\(\*\w+\) \* (?P<count>\d+)\);\n"
                  r"\s*if \((?P=name) == NULL\) \{\n\s*return;\n\s*\}\n", re.M)
UNION = re.compile(r"^\s*union (?P<tag>\w+) \{\n(?P<members>[^}]*)\};\n(static )?union (?P=tag) (?P<name>\w+);\n", re.M)
LOCAL_UNION = re.compile(r"^\s*union \w+ (\w+);\n", re.M)
ENTRY = re.compile(r"^void \w+\([^;{}]*\)\s*\{\n(?P<body>.*?)^\}", re.M | re.S)


@dataclasses.dataclass
class Buffer:
    name: str
    pointer: str  # its declaration up to what it points to, as "float (*name)[3][4]"
    size: int
    uses: str  # what the calls write where they mean it: a regular expression


@dataclasses.dataclass
class Placed:
    code: str
    buffers: list[Buffer]
    before: int  # bytes that the buffers had
    packed: tenure.Packed

    def __str__(self):
        return (f"{len(self.buffers)} buffers: {self.before} bytes as generated, {self.packed.height} in one arena"
                f" (lower bound {self.packed.bound})")


def place(code, align=8, **options):
    """`options`: those of `tenure pack`. Raises ValueError where the code is none that it knows."""
    entry = list(ENTRY.finditer(code))[-1:]
    if not entry:
        raise ValueError("no function that calls the nodes")
    top, body, end = code[:entry[0].start("body")], entry[0]["body"], code[entry[0].end("body"):]
    buffers, before = [], 0

    def found(m, uses, dims, pointer=None):
        size = SIZES[m["type"]] * math.prod(map(int, re.findall(r"\d+", dims)))
        buffers.append(Buffer(m["name"], pointer or f"{m['type']} (*{m['name']}){m['dims']}", size, uses))
        return size

    def members(union):
        nonlocal before
        before += max(found(m, rf"\b{union['name']}\.{m['name']}\b", m["dims"]) for m in ARRAY.finditer(union["members"]))
        return ""

    def heap(m):
        nonlocal before
        before += found(m, "", m["dims"] + m["count"], f"{m['type']} (*{m['name']}){m['dims']}")
        return ""

    def array(m):
        nonlocal before
        before += found(m, rf"\b{m['name']}\b", m["dims"])
        return ""

    top = UNION.sub(members, top)
    body = ARRAY.sub(array, HEAP.sub(heap, LOCAL_UNION.sub("", body)))
    for b in buffers:
        body = re.sub(rf"^\s*free\({b.name}\);\n", "", body, flags=re.M)
        if b.uses:
            body = re.sub(b.uses, f"(*{b.name})", body)
    calls = re.findall(r"^\s*(?:\w+\([^;{}]*\);|[^\n]*)\n", body, re.M)
    times = _times(calls, {b.name for b in buffers})
    buffers = [b for b in buffers if b.name in times]
    packed = tenure.pack(first=[times[b.name][0] for b in buffers], last=[times[b.name][1] + 1 for b in buffers],
                         size=[b.size for b in buffers], align=align, **options)
    pointers = "".join(f"    {b.pointer} = (void *)((unsigned char *)NET_ARENA + {offset});\n"
                       for b, offset in zip(buffers, packed.offsets, strict=True))
    at = top.rindex("\nvoid ") + 1
    arena = f"#define NET_ARENA_BYTES {max(packed.height, 1)}\n#define NET_ARENA_ALIGN {align}\n{ARENA}"
    return Placed(top[:at] + arena + top[at:] + pointers + body + end, buffers, before, packed)


ARENA = """#ifndef NET_ARENA
static _Alignas(NET_ARENA_ALIGN) unsigned char net_arena[NET_ARENA_BYTES];
#define NET_ARENA net_arena
#endif

"""


def _times(calls, names):
    """The first and the last call that has a buffer's name, by name."""
    times = {}
    for time, line in enumerate(calls):
        for name in names.intersection(re.findall(r"\w+", line)):
            if not re.match(r"\s*\w+\(", line):
                raise ValueError(f"{name} is used by what is no call: {line.strip()}")
            times.setdefault(name, [time, time])[1] = time
    return times


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as f:
        code = f.read()
    options = dict(option.split("=", 1) for option in sys.argv[3:])
    try:
        made = place(code, int(options.pop("align", 8)), **options)
    except (ValueError, tenure.TenureError) as e:
        sys.exit(f"{sys.argv[1]}: {e}")
    with open(sys.argv[2], "w", encoding="utf-8") as f:
        f.write(made.code)
    print(made)


if __name__ == "__main__":
    main()
