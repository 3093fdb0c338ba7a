"""No name breaks out of what it stands in: usage: hostile.py TENURE CC [FOLDER...]

A model is planned twice, with plain names and with names made to break out of comments, strings,
identifiers, markup, cells and lines: values, nodes, graphs, functions and the model itself. Every artefact
must have the same structure both times: the same tokens of C, elements and attributes of HTML and SVG, keys
and lengths of JSON, cells of CSV, lines of text. C sources are compiled, too, those for OpenCL
with headers from the folders, if there are any."""

import csv
import html.parser
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

NAMES = [
    b"*/ int broken; /*", b"// gone", b"ends in a backslash\\", b"trigraph??/", b"??/\n#error trigraph",
    b"line\n#error broken\n", b"carriage\r#error", b"\x0b\x0c", b'"; int broken; //', b"'quoted'", b"\\\"", b"%s%n%d",
    b"<script>alert(1)</script>", b"</title><b>", b"]]>", b"--><b>", b"&lt;b&gt;&#60;b", b'" onload="alert(1)',
    b"`${alert(1)}`", b"a,b,c", b'",="x', b"=1+1", b"\t\tcells\t", b"#include <nothing>", b"_Pragma(\"x\")",
    b"int", b"main", b"NULL", b"0x1p3", b"-", b"", b" ", b".", b"..", b"__FILE__", b"\xe2\x80\xae right to left",
    b"\xe2\x80\xa8separator", b"\xc2\x85next line", b"\xef\xbb\xbfmark", b"\xff\xfe", b"\xc3\x28", b"\xed\xa0\x80",
    b"\xf4\x8f\xbb\xbf", b"\xff", b"\x7f\x1b[31m", b"\\u0022", b"{\"a\": 1}", b"x" * 5000, b"'); DROP TABLE x; --",
]

LATE = pathlib.Path(__file__).parents[1] / "fuzz/corpus/tflite/late.tflite"


def quoted(name):
    """A name in the text form, byte by byte."""
    return '"' + "".join(f"\\{b:02x}" for b in name) + '"'


def model(name):
    """A graph whose names are name(0), name(1), ...: a chain, a view, a branch and a value of no size."""
    count = iter(range(10**6))
    take = lambda: quoted(name(next(count)))
    lines = [f"tir 1 module {take()} ir_version 10 opset \"\" 17", f"graph {take()} {{"]
    x, last, c, n = take(), take(), take(), take()
    lines += [f"input %{x}: f32[4,8] input %{c}: bool[] input %{n}: f32[q,2]", f"%{last}: f32[4,8] = Exp(%{x}) @{take()}"]
    for _ in range(len(NAMES)):
        result = take()
        lines.append(f"%{result}: f32[4,8] = Relu(%{last}) @{take()}")
        last = result
    flat, inner, picked = take(), take(), take()
    lines.append(f"%{flat}: f32[4,8] = Flatten(%{last}) @{take()}")
    branches = "{then_branch = region 0, else_branch = region 1}"
    lines.append(f"%{picked}: f32[4,8] = If(%{c}) @{take()} {branches}")
    for _ in range(2):
        inner = take()
        lines.append(f"graph {take()} {{ %{inner}: f32[4,8] = Neg(%{last}) @{take()} return %{inner} }}")
    free = take()
    lines.append(f"%{free}: f32[q,2] = Neg(%{n})")
    lines.append(f"return %{picked}, %{free} }}")
    return "\n".join(lines) + "\n"


TOKEN = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|\s+|.""",
                   re.S)


def c_structure(data):
    """Kinds of tokens, after what the compiler does to lines first."""
    text = data.decode().replace("??/", "\\")
    text = text.replace("\\\n", "")
    kinds = []
    for token in TOKEN.findall(text):
        if token.startswith(("/*", "//")):
            kinds.append("comment")
        elif token[0] in "\"'":
            kinds.append("string")
        elif token[0].isalpha() or token[0] == "_":
            kinds.append("word")
        elif token[0].isdigit():
            kinds.append("number")
        elif not token.isspace():
            kinds.append(token)
    return kinds


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, [key for key, _ in attrs]))

    def handle_endtag(self, tag):
        self.found.append(("end", tag))

    def handle_comment(self, data):
        self.found.append(("comment",))


def kinds_of(elements):
    """Labels come and go with the length of names, so elements are not counted, but for scripts."""
    return sorted(set(map(str, elements))), sum(e[0] == "script" for e in elements)


def html_structure(data):
    tags = Tags()
    tags.feed(data.decode())
    tags.close()
    return kinds_of(tags.found)


def svg_structure(data):
    return kinds_of([(e.tag, sorted(e.keys())) for e in xml.etree.ElementTree.fromstring(data).iter()])


def json_structure(data):
    def shape(j):
        if isinstance(j, dict):
            return {key: shape(v) for key, v in j.items()}
        return [shape(v) for v in j] if isinstance(j, list) else type(j).__name__
    return shape(json.loads(data.decode()))


def csv_structure(data):
    return [len(row) for row in csv.reader(io.StringIO(data.decode(), newline=""))]


NESTED = {"model": {7: "graph", 14: "entry"}, "graph": {1: "node", 5: "tensor", 11: "value", 12: "value", 13: "value", 16: "entry"},
          "node": {5: "attribute", 9: "entry"}, "attribute": {6: "graph"}, "value": {2: "type", 4: "entry"},
          "tensor": {16: "entry"}}


def fields_of(data):
    """(number, value) of a protobuf message: a number, or the bytes of a field of that kind."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            value |= (data[at] & 127) << shift
            at, shift = at + 1, shift + 7
            if data[at - 1] < 128:
                return value

    while at < len(data):
        key = varint()
        size = {0: 0, 1: 8, 5: 4}.get(key & 7)
        if size == 0:
            yield key >> 3, varint()
            continue
        size = varint() if size is None else size
        yield key >> 3, data[at:at + size]
        at += size


def onnx_structure(data, kind="model"):
    """Fields and messages of a model; of metadata the keys, and of the plan in it its structure."""
    if kind == "entry":
        key, value = (v for _, v in fields_of(data))
        return (key, json_structure(value)) if key == b"tenure.plan.json" else key
    nested = NESTED.get(kind, {})
    return [(number, onnx_structure(value, nested[number]) if number in nested else None) for number, value in fields_of(data)
            if (kind, number) != ("node", 3)]  # a name is left out where it is empty


def text_structure(data):
    return len(data.decode().split("\n")), [b for b in data if b < 32 and b != 10]


def tflite_structure(data):
    return data[:len(data) - LATE.stat().st_size]  # what stands in front of the old file


STRUCTURES = {"c-header": c_structure, "opencl": c_structure, "html": html_structure, "svg": svg_structure,
              "json": json_structure, "opencl-json": json_structure, "csv": csv_structure, "perfetto": json_structure, "text": text_structure,
              "weights": len, "c-program": c_structure, "opencl-program": c_structure, "onnx": onnx_structure,
              "tflm": tflite_structure}


PROGRAMS = {"c-program": ",harness=true", "opencl-program": ",mode=offsets"}  # of several files, with the options they need


def folder_of(path, kind):
    return pathlib.Path(path).with_suffix("." + kind)


def emit_program(tenure, path, kind):
    """The files of a program that are its own, one after the other; they stand beside the model."""
    made = folder_of(path, kind)
    made.mkdir()
    done = subprocess.run([tenure, "plan", path, "-O3", "--dim=q=2", f"--emit={kind},weights=none{PROGRAMS[kind]}", "-o",
                           str(made / "net.c")], capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{kind}: exit code {done.returncode}: {done.stderr.decode(errors='replace')}")
    return b"".join((made / name).read_bytes() for name in ("net.h", "net.c", "net_harness.c") if (made / name).exists())


BUCKETS = str(pathlib.Path(__file__).parents[1] / "text/sets/Inputs/decoder.tir")
SETS = ("json", "text", "html", "perfetto", "c-header", "c-program")  # several programs, with names of their own


def emit_set(tenure, path, kind, names):
    """The folder, and the main file with the header of a program."""
    made = pathlib.Path(path).with_suffix("." + kind + ".set")
    made.mkdir()
    programs = [*(name + b"=" + path.encode() for name in names), b"buckets=" + BUCKETS.encode()]
    done = subprocess.run([tenure.encode(), b"plan", *programs, b"-O1", b"-q", b"--shared-arena", b"--dim=buckets/seq=2,3",
                           b"--emit=" + kind.encode() + (b",weights=none" if kind == "c-program" else b""), b"-o",
                           str(made / "net.c").encode()], capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{kind} of a set: exit code {done.returncode}: {done.stderr.decode(errors='replace')}")
    return made, b"".join((made / name).read_bytes() for name in ("net.c", "net.h") if (made / name).exists())


def try_sets(tenure, cc, path):
    """How many artefacts of sets names change, or make wrong."""
    hostile, failed = [n for n in NAMES if n and n[:1] != b"-" and not set(n) & set(b"/=")], 0
    for kind in SETS:
        (_, a), (made, b) = (emit_set(tenure, path + suffix, kind, names) for suffix, names in
                             (("", [b"p%d" % i for i in range(len(hostile))]), (".odd", hostile)))
        if STRUCTURES[kind](a) != STRUCTURES[kind](b):
            print(f"{kind} of a set: names change the structure")
            failed += 1
        if kind.startswith("c-"):
            failed += sum(not compiles(cc, "-std=c99", source, ["-I", str(made)]) for source in sorted(made.glob("*.c")))
    return failed


def compiles(cc, standard, source, more):
    done = subprocess.run([cc, standard, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-trigraphs", "-Wno-unused", *more,
                           "-x", "c", str(source)], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{source}: {standard}: {done.stderr[:2000]}")
    return done.returncode == 0


def name_tensors(path):
    """A TFLite model beside the model; where names are hostile, so are some of its own, of the same length."""
    data = LATE.read_bytes()
    for i, name in enumerate(b"wide%d" % k for k in range(6)):
        assert data.count(name) == 1
        if "odd" in path:
            data = data.replace(name, (NAMES[i + 8] + b"     ")[:5])
    model = pathlib.Path(path).with_suffix(".tflite")
    model.write_bytes(data)
    return str(model)


def emit(tenure, path, kind, more):
    if kind == "tflm":
        path, more = name_tensors(path), ["--preset=tflm"]
    if kind in PROGRAMS:
        return emit_program(tenure, path, kind)
    if kind == "onnx":  # of a model of that form
        model = str(pathlib.Path(path).with_suffix(".onnx"))
        subprocess.run([tenure, "opt", path, "-o", model], check=True)
        path = model
    made = subprocess.run([tenure, "plan", path, "-O3", "--partial", "--emit=" + kind, "-o", "-", *more], capture_output=True)
    if made.returncode != 0:
        sys.exit(f"{kind}: exit code {made.returncode}: {made.stderr.decode(errors='replace')}")
    return made.stdout


def dims_model(names):
    """An input and an output a name, with a dimension of that name."""
    inputs = " ".join(f"input %x{i}: f32[{quoted(n)},4]" for i, n in enumerate(names))
    ops = "\n".join(f"%y{i}: f32[{quoted(n)},4] = Exp(%x{i}) %z{i}: f32[{quoted(n)},4] = Neg(%y{i})" for i, n in enumerate(names))
    results = ", ".join(f"%z{i}" for i in range(len(names)))
    return f'tir 1 module "m" ir_version 10 opset "" 17\ngraph "m" {{\n{inputs}\n{ops}\nreturn {results} }}\n'


def found_model(names):
    """An extent a name that data give."""
    ops = "\n".join(f"%{quoted(n)}: ? = NonZero(%x) %z{i}: ? = Neg(%{quoted(n)})" for i, n in enumerate(names))
    results = ", ".join(f"%z{i}" for i in range(len(names)))
    return f'tir 1 module "m" ir_version 10 opset "" 17\ngraph "m" {{\ninput %x: f32[3,4]\n{ops}\nreturn {results} }}\n'


def try_found(tenure, cc, folder):
    """The same of names of extents that data give."""
    hostile, structures, failed = [n for n in NAMES if n][:24] + [b"found", b"found_count", b"COUNT"], [], 0
    for suffix, names in (("found", [b"p%d" % i for i in range(len(hostile))]), ("found.odd", hostile)):
        path, made = pathlib.Path(folder, suffix + ".tir"), pathlib.Path(folder, suffix)
        path.write_text(found_model(names))
        made.mkdir()
        done = subprocess.run([tenure, "plan", str(path), "-q", "--emit=c-program,weights=none", "-o", str(made / "net.c")],
                              capture_output=True)
        if done.returncode != 0:
            sys.exit(f"extents by data: exit code {done.returncode}: {done.stderr.decode(errors='replace')}")
        structures.append(c_structure(b"".join((made / name).read_bytes() for name in ("net.h", "net.c"))))
        failed += not compiles(cc, "-std=c99", made / "net.c", ["-I", str(made)])
    if structures[0] != structures[1]:
        print("names of extents that data give change the structure of the program")
        failed += 1
    return failed


def lines_of(done, what):
    """How many lines a command says. No control characters stand in them, nor bytes that are no UTF-8."""
    said = done.stdout + done.stderr
    text = said.decode()
    wrong = re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    if wrong:
        sys.exit(f"{what}: {text[max(0, wrong.start() - 100):wrong.end()]!r}")
    return done.returncode, text.count("\n")


def try_dims(tenure, cc, folder, kinds):
    """How many artefacts and texts names of dimensions change, open and bound."""
    hostile, failed = [n for n in NAMES if n][:24] + [b"past + 1", b"N"], 0
    runs = [(("plan",), ()), (("plan",), ("--open",)), (("plan",), ("--open", "--overlap=rows")), (("explain",), ()),
            (("explain",), ("--open",)), (("dims",), ()), (("plan",), ("--open", "--emit=opencl", "-o", "-")),
            (("plan",), ("--emit=c-header", "-o", "-")), (("plan",), ("--dim=nobody=1",))]
    emits = [(kind, more) for kind in kinds if kind not in PROGRAMS and kind not in ("onnx", "tflm", "csv", "perfetto")
             for more in (("--open",), ("--partial",), "bound")]
    said = []
    for suffix, names in ((".tir", [b"p%d" % i for i in range(len(hostile))]), (".odd.tir", hostile)):
        path = pathlib.Path(folder, "dims" + suffix)
        path.write_text(dims_model(names))
        bound = [b"--dim=" + quoted(n).encode() + b"=%d" % (i + 2) for i, n in enumerate(names)]
        wrong = [*bound[:-1], b"--dim=" + quoted(names[1]).encode() + b"=77"]
        texts = [lines_of(subprocess.run([tenure, *command, str(path), *more], capture_output=True), (command, more))
                 for command, more in [*runs, (("plan",), bound), (("plan",), wrong)]]
        made = []
        for kind, more in emits:
            opt = ["--emit-opt=opencl.mode=offsets"] if kind == "opencl" else []
            done = subprocess.run([tenure, "plan", str(path), "-q", f"--emit={kind}", "-o", "-", *opt,
                                   *(bound if more == "bound" else more)], capture_output=True)
            made.append((done.returncode, STRUCTURES[kind](done.stdout) if done.returncode == 0 else lines_of(done, kind)))
            if kind == "c-header" and suffix == ".odd.tir":
                source = pathlib.Path(folder, "dims.h")
                source.write_bytes(done.stdout)
                failed += not compiles(cc, "-std=c99", source, [f"-D{p}_ALLOW_PARTIAL" for p in
                                                                re.findall(r"#ifndef (\w+)_TENURE_PLAN_H", done.stdout.decode())])
        said.append((texts, made))
    for what, a, b in zip([*runs, "bound", "bound twice", *emits], *(texts + made for texts, made in said)):
        if a != b:
            print(f"names of dimensions change what {what} says: {str(a)[:200]} and {str(b)[:200]}")
            failed += 1
    return failed


def main():
    tenure, cc, *folders = sys.argv[1:]
    listed = subprocess.run([tenure, "--list-backends"], capture_output=True, check=True, text=True).stdout
    kinds = re.findall(r"^  ([a-z][a-z-]*)  ", listed, re.M)
    failed, compared = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        plain, odd = pathlib.Path(folder, "plain.tir"), pathlib.Path(folder, "odd.tir")
        plain.write_text(model(lambda i: b"n%d" % i))
        odd.write_text(model(lambda i: NAMES[i % len(NAMES)] + (b"%d" % (i // len(NAMES)) if i >= len(NAMES) else b"")))
        for kind in kinds:
            structure = STRUCTURES.get(kind)
            if structure is None:
                sys.exit(f"backend {kind} has no row in STRUCTURES of {__file__}")
            more = ["--emit-opt", "opencl.mode=offsets"] if kind == "opencl" else []
            a, b = (emit(tenure, str(path), kind, more) for path in (plain, odd))
            compared += 1
            if structure(a) != structure(b):
                print(f"{kind}: names change the structure")
                failed += 1
            if kind == "c-header" or (kind == "opencl" and folders):
                source = pathlib.Path(folder, "made.h")
                source.write_bytes(b)
                prefix = re.search(rb"#ifndef (\w+)_TENURE_PLAN_H", b)
                partial = [f"-D{prefix[1].decode()}_ALLOW_PARTIAL"] if prefix else []
                more = [*partial, *map("-I".__add__, folders)]
                failed += sum(not compiles(cc, standard, source, more) for standard in ("-std=c99", "-std=c11"))
            if kind == "c-program" or (kind == "opencl-program" and folders):
                failed += sum(not compiles(cc, standard, folder_of(odd, kind) / "net.c", [*map("-I".__add__, folders)])
                              for standard in ("-std=c99", "-std=c11"))
        small = pathlib.Path(folder, "small.tir")
        small.write_text('tir 1 module "m" opset "" 17 graph @0 "m" { input %x: f32[2,4] %a = Exp(%x) %b = Exp(%a) return %b }')
        (pathlib.Path(folder) / "small.tir.odd").write_text(small.read_text())
        failed += try_sets(tenure, cc, str(small))
        failed += try_dims(tenure, cc, folder, kinds)
        failed += try_found(tenure, cc, folder)
    print(f"{len(NAMES)} names in {compared} kinds of artefacts, {failed} failures")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
