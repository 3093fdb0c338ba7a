#!/usr/bin/env python3
"""Weights images against the onnx package: every constant of every model byte for byte at its place, each element
type in each way a file can hold it, the C and assembler forms compiled, and how much memory 300 MB of weights take.

Usage: weights.py TENURE FOLDER
"""

import hashlib
import json
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), d) for d in ("execution", "operators", "models")]

from packages import np, onnx  # ends with 77 where the packages are missing
from onnx import TensorProto as T, helper, numpy_helper

import corpus
import planfile

HEAD = struct.Struct("<8sIIQQ32s32s8sII")
ROW = struct.Struct("<4Q")
ABSENT = "are not at hand"  # the message about data that is not in the file


class Image:
    """A weights image, read as docs/PLAN.md describes it."""

    def __init__(self, data, plan):
        magic, version, first, size, align, digest, content, layout, n, zero = HEAD.unpack_from(data)
        assert (magic, version, zero) == (b"TNWEIGHT", 1, 0)
        assert digest.hex() == (plan["digest"] or "0" * 64) and layout.hex() == plan["layout"]
        self.rows = [ROW.unpack_from(data, HEAD.size + ROW.size * i) for i in range(n)]
        parts = [data[at:at + size] for _, _, size, at in self.rows]
        assert hashlib.sha256(b"".join(parts)).digest() == content
        consts = [p for p in plan["pools"] if p["kind"] == "const"]
        assert size == sum(p["size"] for p in consts) and all(align % p["align"] == 0 for p in consts)
        assert all(at % align == 0 for _, _, _, at in self.rows) and (not n or self.rows[0][3] == first)
        self.pools = [bytearray(p["size"]) if p["kind"] != "arena" else None for p in plan["pools"]]
        for (pool, offset, size, _), part in zip(self.rows, parts):
            self.pools[pool][offset:offset + size] = part

OVERRIDABLE = ["--overridable-initializers"]


def raw(tensor, folder):
    """The bytes of a TensorProto as raw data has them; None for text."""
    if tensor.data_type == T.STRING:
        return None
    if tensor.data_location == T.EXTERNAL:
        onnx.external_data_helper.load_external_data_for_tensor(tensor, folder)
    if tensor.HasField("raw_data"):
        return tensor.raw_data
    if tensor.int32_data and tensor.data_type in (T.UINT4, T.INT4, T.FLOAT4E2M1):
        return bytes(x & 255 for x in tensor.int32_data)
    return numpy_helper.to_array(tensor).tobytes()


def of_constant(node):
    attribute = node.attribute[0]
    value = helper.get_attribute_value(attribute)
    if attribute.type == onnx.AttributeProto.TENSOR:
        return attribute.t
    kind = T.INT64 if attribute.name.startswith("value_int") else T.FLOAT
    return helper.make_tensor("", kind, [], [value]) if np.isscalar(value) else helper.make_tensor(
        "", kind, [len(value)], value)


def contents(model):
    """name -> TensorProto of the main graph."""
    found = {t.name: t for t in model.graph.initializer}
    found.update((n.output[0], of_constant(n)) for n in model.graph.node
                 if n.op_type == "Constant" and n.domain in ("", "ai.onnx") and not n.attribute[0].name.endswith(
                     ("string", "strings", "sparse_value")))
    return found


def compare(image, plan, path):
    """How many constants are equal; a wrong one ends the test."""
    model, equal = onnx.load(path, load_external_data=False), 0
    have = contents(model)
    for v in plan["values"]:
        if v["graph"] or v["storage"] is None or v["name"] not in have or v["alias"] != "none":
            continue
        storage = plan["storages"][v["storage"]]
        if image.pools[storage["pool"]] is None:
            continue
        want, at = raw(have[v["name"]], os.path.dirname(path)), storage["offset"] + v["offset"]
        got = bytes(image.pools[storage["pool"]][at:at + v["bytes"]])
        if got != want:
            sys.exit(f"{path}: constant '{v['name']}' is {got[:16].hex()}..., in the file {want[:16].hex()}...")
        equal += 1
    return equal


def make(tenure, folder, path, options=()):
    """(plan, image) or None when the data is not there."""
    files = [os.path.join(folder, "net." + end) for end in ("json", "bin")]
    done = corpus.run(tenure, ["plan", path, "-q", "--emit=json", "-o", files[0], "--emit=weights", "-o", files[1],
                               *options])
    if done.returncode != 0:
        return None if ABSENT.encode() in done.stderr else sys.exit(f"{path}: {done.stderr.decode()}")
    with open(files[0], encoding="utf-8") as f:
        plan = planfile.flat(json.load(f))
    with open(files[1], "rb") as f:
        return plan, Image(f.read(), plan)


def every_model(tenure, folder):
    models = constants = absent = 0
    for name, path in corpus.some_models():
        options = corpus.bindings().get(corpus.short(name), [])
        if corpus.run(tenure, ["plan", path, "-q", *options, "--emit=json", "-o", os.devnull]).returncode != 0:
            continue
        made = make(tenure, folder, path, options)
        absent += made is None
        if made is not None:
            models += 1
            constants += compare(made[1], made[0], path)
    print(f"{models} models, {constants} constants equal; {absent} models without their data")


# ---- element types ----

TYPES = [T.FLOAT, T.UINT8, T.INT8, T.UINT16, T.INT16, T.INT32, T.INT64, T.BOOL, T.FLOAT16, T.DOUBLE, T.UINT32, T.UINT64,
         T.COMPLEX64, T.COMPLEX128, T.BFLOAT16, T.UINT4, T.INT4]


def unpacked(tensor):
    """The message with each element of a typed field as a field of its own, as old writers had it."""
    data, made = tensor.SerializeToString(), b""
    bare = onnx.TensorProto()
    bare.CopyFrom(tensor)
    for field, number, width in (("float_data", 4, 4), ("int32_data", 5, 0), ("int64_data", 7, 0),
                                 ("double_data", 10, 8), ("uint64_data", 11, 0)):
        values = list(getattr(tensor, field))
        bare.ClearField(field)
        for v in values:
            if width:
                made += bytes([number << 3 | (5 if width == 4 else 1)]) + struct.pack("<f" if width == 4 else "<d", v)
            else:
                made += bytes([number << 3]) + varint(v % 2**64)
    return (bare.SerializeToString() + made) if made else data


def varint(v):
    out = b""
    while v > 127:
        out, v = out + bytes([v & 127 | 128]), v >> 7
    return out + bytes([v])


def typed_model(path):
    """Each type raw, packed in its typed field, as single items, and in a file beside."""
    nodes, tensors, outputs = [], [], []
    for kind in TYPES:
        values = [0, 1, 1, 0, 1] if kind == T.BOOL else [0, 1, 2, 3, 5]
        for how in ("typed", "raw", "single", "outside"):
            name = f"{T.DataType.Name(kind).lower()}_{how}"
            t = helper.make_tensor(name, kind, [5], values)
            if how in ("raw", "outside"):
                t = helper.make_tensor(name, kind, [5], raw(t, ""), raw=True)
            if how == "outside":
                onnx.external_data_helper.set_external_data(t, os.path.basename(path) + ".data")
            tensors.append((t, how))
            nodes.append(helper.make_node("Identity", [name], ["y_" + name]))
            outputs.append(helper.make_tensor_value_info("y_" + name, kind, [5]))
    for name, value in (("value_float", 1.5), ("value_floats", [1.5, 2.5]), ("value_int", 7), ("value_ints", [7, -8])):
        nodes += [helper.make_node("Constant", [], [name], **{name: value}),
                  helper.make_node("Identity", [name], ["y_" + name])]
        outputs.append(helper.make_tensor_value_info("y_" + name, T.FLOAT if "float" in name else T.INT64,
                                                     [2] if name.endswith("s") else []))
    graph = helper.make_graph(nodes, "types", [helper.make_tensor_value_info("given", T.FLOAT, [3])], outputs,
                              [t for t, _ in tensors] + [helper.make_tensor("given", T.FLOAT, [3], [1, 2, 3])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=10)
    onnx.save(model, path)
    data = with_tensors(onnx.load(path, load_external_data=False),
                        {t.name: unpacked(t) for t, how in tensors if how == "single"})
    with open(path, "wb") as f:
        f.write(data)


def with_tensors(model, given):
    """The bytes of the model, where initializers named in `given` have those."""
    graph, tensors = onnx.GraphProto(), model.graph.initializer
    graph.CopyFrom(model.graph)
    graph.ClearField("initializer")
    body = graph.SerializeToString()
    for t in tensors:
        data = given.get(t.name, t.SerializeToString())
        body += bytes([5 << 3 | 2]) + varint(len(data)) + data
    head = onnx.ModelProto(ir_version=model.ir_version, opset_import=model.opset_import)
    return head.SerializeToString() + bytes([7 << 3 | 2]) + varint(len(body)) + body


def element_types(tenure, folder):
    path = os.path.join(folder, "types.onnx")
    typed_model(path)
    plan, image = make(tenure, folder, path)
    assert len(image.rows) == 1  # `given` is a constant like the others
    compare(image, plan, path)
    plan, image = make(tenure, folder, path, OVERRIDABLE)
    n = compare(image, plan, path)
    assert n == 4 * len(TYPES) + 4 + 1, n  # constants, Constant nodes, the default of `given`
    assert len(image.rows) == 2 and image.rows[1][2] == 12  # the pool of constants, and `given`
    print(f"{n} constants of {len(TYPES)} element types")
    return path


# ---- C and assembler ----

USER = """
#include <stdio.h>
#include "net_weights.h"
int main(void) {
    fwrite(NET_WEIGHTS, 1, NET_WEIGHTS_SIZE, stdout);
    struct row { unsigned pool, offset, size, from; } rows[] = NET_INITIAL_ROWS;
    for (int i = 0; i < NET_INITIALS; i++) fwrite(NET_INITIAL + rows[i].from, 1, rows[i].size, stdout);
    return (size_t)NET_WEIGHTS % NET_WEIGHTS_ALIGN != 0;
}
"""


def compiled_forms(tenure, folder, path):
    plan, image = make(tenure, folder, path, OVERRIDABLE)
    want = b"".join(bytes(image.pools[pool][offset:offset + size]) for pool, offset, size, _ in image.rows)
    with open(os.path.join(folder, "user.c"), "w", encoding="utf-8") as f:
        f.write(USER)
    cc = os.environ.get("CC", "cc")
    for file in ("net.c", "net_weights.c", "net.S"):
        done = corpus.run(tenure, ["plan", path, "-q", *OVERRIDABLE, "--emit=weights", "-o", os.path.join(folder, file)])
        assert done.returncode == 0, done.stderr
        subprocess.run([cc, "-std=c99", "-Wall", "-Wextra", "-Werror", "-o", "user", "user.c", file], cwd=folder, check=True)
        got = subprocess.run([os.path.join(folder, "user")], capture_output=True, check=True).stdout
        assert got == want, file
    with open(os.path.join(folder, "stale.c"), "w", encoding="utf-8") as f:
        f.write("#define NET_LAYOUT 0x1ull\n" + USER)
    stale = subprocess.run([cc, "-c", "stale.c"], cwd=folder, capture_output=True, check=False)
    assert stale.returncode != 0 and b"another layout" in stale.stderr, stale.stderr
    print("C and assembler hold the same bytes; a plan of another layout does not compile")


# ---- size ----

def resident(tenure, folder, size):
    """The most KiB that the command keeps in memory while it writes `size` bytes of weights out of a file with
    holes, seen when all but the last MiB of them is written."""
    path = os.path.join(folder, "large.onnx")
    t = T(name="w", data_type=T.FLOAT, dims=[size // 4])
    t.data_location = T.EXTERNAL
    t.external_data.add(key="location", value="large.data")
    graph = helper.make_graph([helper.make_node("Mul", ["x", "w"], ["y"])], "large",
                              [helper.make_tensor_value_info("x", T.FLOAT, [1])],
                              [helper.make_tensor_value_info("y", T.FLOAT, [size // 4])], [t])
    onnx.save(helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 19)]), path)
    with open(os.path.join(folder, "large.data"), "wb") as f:
        f.truncate(size)
    process = subprocess.Popen([tenure, "plan", path, "-q", "--emit=weights", "-o", "-"], stdout=subprocess.PIPE)
    taken = len(process.stdout.read(size - 2**20))
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as f:
        most = next(int(line.split()[1]) for line in f if line.startswith("VmHWM"))
    taken += len(process.stdout.read())
    assert process.wait() == 0 and taken == size + 192, taken
    return most


def large(tenure, folder):
    """What the command keeps in memory does not grow with the weights it writes. Sanitizers keep tables of their
    own, so the memory for 300 MiB is held against that for 2 MiB."""
    if not os.path.exists("/proc/self/status"):
        print("no /proc: memory is not measured")
        return
    few, many = resident(tenure, folder, 2 * 2**20), resident(tenure, folder, 300 * 2**20)
    assert many < few + 4 * 1024, f"2 MiB of weights keep {few} KiB resident, 300 MiB {many}"
    print(f"2 MiB of weights keep {few} KiB resident, 300 MiB {many}")


def main():
    tenure, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    path = element_types(tenure, folder)
    compiled_forms(tenure, folder, path)
    large(tenure, folder)
    every_model(tenure, folder)


if __name__ == "__main__":
    main()
