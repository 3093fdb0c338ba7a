"""Our inference against that of the onnx package (with data propagation), both without any stored type of
what ops make. Every value whose shape onnx knows must be known here, with the same element type and the
same shape; exceptions are listed with their reason.

usage: inference.py INFER_TYPES [--write]     (the program tests/tools/infer_types.c)

--write puts the counts of all models at hand into docs/generated/INFERENCE.md; without it the rows that
the page has of these models are compared.
"""

import os
import re
import sys

from packages import onnx

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "tests", "models"))
import corpus  # noqa: E402
from infer import ours  # noqa: E402
from nodes import NAMES  # noqa: E402

PAGE = os.path.join(TOP, "docs", "generated", "INFERENCE.md")
REFUSED = {"cnn/onnxmodels_super_resolution": "a Git LFS pointer, no model"}
INVENTED = re.compile(r"unk__\d+")  # a symbol that onnx made up for an extent it does not know


def all_graphs(graph, key=()):
    """(key, graph), the outermost first; a key is the first result and the region of each op on the way."""
    yield key, graph
    for node in graph.node:
        bodies = [a.g for a in node.attribute if a.type == onnx.AttributeProto.GRAPH]
        bodies += [g for a in node.attribute if a.type == onnx.AttributeProto.GRAPHS for g in a.graphs]
        at = next((o for o in node.output[:1]), "")
        for region, body in enumerate(bodies):
            yield from all_graphs(body, key + ((at, region),))


def strip(model):
    """Takes the stored types of results away; answers with the symbols the model has."""
    symbols = set()
    for _, graph in all_graphs(model.graph):
        made = {o for n in graph.node for o in n.output}
        for v in (*graph.input, *graph.output, *graph.value_info):
            symbols |= {d.dim_param for d in v.type.tensor_type.shape.dim}
        del graph.value_info[:]
        for v in graph.output:
            if v.name in made:
                v.ClearField("type")
    return symbols


def text_of(tensor_type, symbols):
    """'f32[1,n]', or None when a dimension is not known."""
    if not tensor_type.HasField("shape") or tensor_type.elem_type == 0:
        return None
    dims = []
    for d in tensor_type.shape.dim:
        if d.HasField("dim_value"):
            dims.append(str(d.dim_value))
        elif d.dim_param and (d.dim_param in symbols or not INVENTED.fullmatch(d.dim_param)):
            dims.append(d.dim_param)
        else:
            return None
    return f"{NAMES[tensor_type.elem_type]}[{','.join(dims)}]"


def theirs(path):
    """(key of graph, name) -> text, of results of ops; or what onnx says when it fails."""
    try:
        model = onnx.load(path, load_external_data=False)
        symbols = strip(model)
        model = onnx.shape_inference.infer_shapes(model, data_prop=True)
    except Exception as e:  # noqa: BLE001  whatever its C++ throws
        return str(e).splitlines()[0]
    found = {}
    for key, graph in all_graphs(model.graph):
        made = {o for n in graph.node for o in n.output}
        for v in (*graph.value_info, *graph.output):
            text = text_of(v.type.tensor_type, symbols) if v.type.HasField("tensor_type") else None
            if v.name in made and text is not None:
                found[key, v.name] = text
    return found


def extents(text):
    """(element type, dimensions) of 'f32[n,max(a, b)]'."""
    dtype, dims = text[:-1].split("[", 1)
    parts, depth, start = [], 0, 0
    for i, c in enumerate(dims):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(dims[start:i])
            start = i + 1
    return dtype, parts + [dims[start:]] if dims else []


def falls_short(their, our):
    """Why `our` is not as good as `their`, or None. Names of symbols are no matter; one of ours may be a number
    that onnx does not see, not the other way round."""
    (dtype_a, dims_a), (dtype_b, dims_b) = extents(their), extents(our)
    pairs = list(zip(dims_a, dims_b))
    if dtype_a != dtype_b or len(dims_a) != len(dims_b) or any(
            x != y and x.isdigit() and y.isdigit() for x, y in pairs):
        return "contradicts"
    return "is vaguer than" if any(x.isdigit() and not y.isdigit() for x, y in pairs) else None


def compare(name, found, rows):
    """Texts of what is wrong with one model."""
    for key, their in found.items():
        row = rows.get(key)
        what = "'" + "/".join([*(f"{at}.{region}" for at, region in key[0]), key[1]]) + "'"
        if row is None:
            yield f"{name}: {what} is {their} for onnx and not there for us"
        elif not row["known"]:
            yield f"{name}: {what} is {their} for onnx, {row['type']} for us: {row['why']}"
        else:
            short = falls_short(their, row["type"])
            if short:
                yield f"{name}: {what}: {row['type']} {short} {their} of onnx"


HEAD = """# Inference

Made by `tests/operators/inference.py INFER_TYPES --write` from the models at hand; do not edit.

For each model: the results of ops (those in bodies of If, Loop and Scan too), how many of them have a known shape
(all extents numbers or expressions of the model's symbols) after `onnx.shape_inference` with data propagation of
onnx {version}, and after `infer-shapes`. Stored types of inner values and of outputs were taken away for both. A
symbol that onnx makes up for an extent it does not know is not counted as known. The test fails when onnx knows
a shape that is not known here, or knows it better, or says something else.

| Model | Values | onnx | tenure | |
| --- | ---: | ---: | ---: | --- |
"""


def read_page():
    with open(PAGE, encoding="utf-8") as f:
        rows = [line for line in f if line.startswith("| `")]
    return {line.split("`")[1]: line for line in rows}


def examine(program, name, path):
    """(row of the page, problems); None for the row when we do not read the model."""
    rows = ours(program, path)
    if rows is None:
        return None, [] if name in REFUSED else [f"{name}: is refused"]
    found = theirs(path)
    note = "" if isinstance(found, dict) else "onnx: " + found.replace("|", "\\|")
    found = found if isinstance(found, dict) else {}
    known = sum(r["known"] for r in rows.values())
    return f"| `{name}` | {len(rows)} | {len(found)} | {known} | {note} |\n", list(compare(name, found, rows))


def main():
    program, write = sys.argv[1], "--write" in sys.argv[2:]
    page, problems, stale = read_page() if os.path.exists(PAGE) else {}, [], 0
    for name, path in corpus.models():
        if name.startswith("malformed/"):
            continue
        row, found = examine(program, name, path)
        problems += found
        if row is not None:
            stale += page.get(name) != row
            page[name] = row
    print("\n".join(problems))
    if write:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(HEAD.format(version=onnx.__version__) + "".join(page[name] for name in sorted(page)))
    elif stale:
        print(f"{stale} rows of docs/generated/INFERENCE.md are stale; --write renews them")
    return 1 if problems or (stale and not write) else 0


if __name__ == "__main__":
    sys.exit(main())
