"""Memory to load a model must follow its graph, not its weights: loads the same chain of MatMul
without weights, with 512 MiB of them inside the file and with 2 GiB beside it, and compares the
largest resident sizes. Usage: check_memory.py LOAD_ALL [INLINE_MIB]. The files have holes for
weights, so they take no space on the disk."""
import os
import re
import subprocess
import sys
import tempfile

SIDE = 2048
WEIGHT = SIDE * SIDE * 4  # 16 MiB
ALLOWED = 16 << 10 # KiB: pages around the tags of each tensor are mapped with them


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def value(name):
    dims = field(1, b"\x08\x01") + field(1, b"\x08" + varint(SIDE))
    return field(1, name) + field(2, field(1, b"\x08\x01" + field(2, dims)))


def tensor(i, kind):
    """The fields of weight i, and the bytes that follow them in the file."""
    head = field(8, b"w%d" % i) + 2 * (b"\x08" + varint(SIDE)) + b"\x10\x01"
    if kind == "inline":
        return head + varint(9 << 3 | 2) + varint(WEIGHT), WEIGHT
    if kind == "beside":
        for key, text in (("location", "weights.bin"), ("offset", i * WEIGHT), ("length", WEIGHT)):
            head += field(13, field(1, key.encode()) + field(2, str(text).encode()))
        head += b"\x70\x01"
    return head, 0


def write(path, layers, kind):
    parts = []
    for i in range(layers):
        node = field(1, b"h%d" % i) + field(1, b"w%d" % i) + field(2, b"h%d" % (i + 1))
        parts.append((field(1, node + field(4, b"MatMul")), 0))
    for i in range(layers):
        head, hole = tensor(i, kind)
        parts.append((varint(5 << 3 | 2) + varint(len(head) + hole) + head, hole))
    parts.append((field(11, value(b"h0")) + field(12, value(b"h%d" % layers)), 0))
    size = sum(len(data) + hole for data, hole in parts)
    with open(path, "wb") as f:
        f.write(b"\x08\x0a" + field(8, b"\x10\x12") + varint(7 << 3 | 2) + varint(size))
        for data, hole in parts:
            f.write(data)
            f.seek(hole, os.SEEK_CUR)


def resident(program, path):
    """Largest resident KiB of the program while it loads the model."""
    run = subprocess.run([program, "--quiet", "--resident", path], capture_output=True, text=True)
    found = re.search(r"^resident (\d+) KiB$", run.stdout, re.MULTILINE)
    if run.returncode != 0 or found is None:
        sys.exit(f"{path} did not load (status {run.returncode}): {run.stdout}{run.stderr}")
    return int(found.group(1))


def main():
    program = sys.argv[1]
    inline = int(sys.argv[2]) if len(sys.argv) > 2 else 512
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.onnx")
        with open(os.path.join(folder, "weights.bin"), "wb") as f:
            f.truncate(2 << 30)
        bad = False
        for kind, layers in (("inline", (inline << 20) // WEIGHT), ("beside", (2 << 30) // WEIGHT)):
            write(path, layers, "none")
            without = resident(program, path)
            write(path, layers, kind)
            with_weights = resident(program, path)
            print(f"{kind}: {layers * WEIGHT >> 20} MiB of weights, resident {with_weights} KiB, "
                  f"without them {without} KiB")
            bad |= with_weights > without + ALLOWED
        sys.exit(1 if bad else 0)


main()
