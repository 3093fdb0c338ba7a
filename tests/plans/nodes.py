#!/usr/bin/env python3
"""Holds every step of every plan against its node in the ONNX file: operands and results by position, graphs of
its bodies, and the attributes as the onnx package and its schemas resolve them.

Usage: nodes.py TENURE [PATTERN]...   (names of tests/models/corpus.py; without: all of them)
"""

import fnmatch
import math
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), d) for d in ("execution", "operators", "models")]

from packages import np, onnx  # ends with 77 where the packages are missing
from onnx import AttributeProto as A

import corpus
import nodes_attributes
from graphs import File, Unsupported, resolved

LEVELS = ("-O0", "-O2", "-O3")
OPENCL = "opencl-json"  # the plan of -O2 once more, as the OpenCL backend writes it


class Nodes:
    """The nodes of one file, found by the steps of its plans."""

    def __init__(self, path):
        self.file = File(path)
        self.opsets = {"": self.file.opsets}  # of a graph, by its path
        self.wanted = {}  # attributes of a node that were worked out before

    def differences(self, plan):
        """What is not as in the file, a line each."""
        self.plan, self.graphs = plan, {"": self.file.main}
        self.ids = {(v["graph"], v["name"]): k for k, v in enumerate(plan["values"])}
        for at, step in enumerate(plan["steps"]):
            graph = self.graphs[step["graph"]]
            node = graph.nodes[step["node"]]
            for what in self.of_step(at, step, graph, node):
                yield f"step {at}, node {step['node']} ({node.op_type} '{node.name}') of '{graph.path}': {what}"

    def of_step(self, at, step, graph, node):
        domain = "" if node.domain == "ai.onnx" else node.domain
        version = self.opsets[graph.path].get(domain, 0)
        said = step["op"], step["domain"], step["name"], step["version"]
        if said != (node.op_type, domain, node.name, version):
            yield f"is {said}, version {version} in the file"
        inputs = [self.find(graph, name) for name in node.input] if step["kind"] != "end" else []
        outputs = [self.ids.get((graph.path, name)) for name in node.output] if step["kind"] != "begin" else []
        for what, have, names, want in (("operands", step["operands"], node.input, inputs),
                                        ("results", step["results"], node.output, outputs)):
            if have != want or any((name == "") != (v is None) for name, v in zip(names, want)):
                yield f"{what} are {have}, and {want} in the file"
        if step["kind"] == "begin":
            yield from self.of_bodies(at, step, graph, node)
        elif step["bodies"]:
            yield "bodies on a step that begins none"
        if step["kind"] != "end":
            yield from self.of_attributes(step, graph, node, domain, version)
        elif step["attributes"]:
            yield "attributes on an end"

    def find(self, graph, name):
        while name and graph is not None:
            if (graph.path, name) in self.ids:
                return self.ids[graph.path, name]
            graph = graph.outer
        return None

    def of_bodies(self, at, step, graph, node):
        function = self.file.function_of(node)
        inside = {self.plan["steps"][s]["graph"] for s in range(at + 1, step["partner"])}
        inside |= {self.plan["values"][v]["graph"] for v in step["writes"]} | {b["graph"] for b in step["bodies"]}
        bodies = self.file.bodies(graph, node, inside)
        have = {b["attribute"]: b for b in step["bodies"]}
        want = {"" if function is not None else name: body for name, body in bodies.items()}
        if list(have) != list(want):
            yield f"bodies are of {list(have)}, and of {list(want)} in the file"
        for name, body in want.items():
            self.graphs[body.path] = body
            self.opsets[body.path] = self.opsets[graph.path] if function is None else {
                "" if o.domain == "ai.onnx" else o.domain: o.version for o in function.opset_import}
            b = have.get(name)
            said = (b["graph"], b["inputs"], b["outputs"]) if b else None
            file = (body.path, [self.find(body, n) for n in body.inputs], [self.find(body, n) for n in body.outputs])
            if said != file:
                yield f"body '{name}' is {said}, and {file} in the file"

    def of_attributes(self, step, graph, node, domain, version):
        key = graph.path, step["node"]
        if key not in self.wanted:
            self.wanted[key] = self.attributes(step, graph, node, domain, version)
        want, exact = self.wanted[key]
        have = {a["name"]: a for a in step["attributes"]}
        if len(have) != len(step["attributes"]) or list(have) != sorted(have, key=lambda n: n.encode()):
            yield "attributes are not sorted by name"
        for name in sorted(set(have) | set(want)):
            if name not in want and not exact:
                continue
            if name not in want or name not in have or not same(have[name], want[name]):
                yield f"attribute {have.get(name, name)}, and {want.get(name)} in the file"

    def attributes(self, step, graph, node, domain, version):
        """(what the plan must say, whether it may say no more): without a schema defaults are not known."""
        if node.op_type == "Constant" and domain == "":
            return {}, True  # data of the model, which no plan holds
        given = [a for a in (resolved(a, graph.attributes) for a in node.attribute) if a is not None]
        found = {a.name: value_of(a) for a in given if kind_of(a) not in (A.GRAPH, A.GRAPHS, None)}
        schema = None if self.file.function_of(node) is not None else schema_of(node.op_type, domain, version)
        if schema is None:
            loose = {n: v for n, v in found.items() if n not in nodes_attributes.NORMALISED}
            return (found if self.file.function_of(node) is not None else loose), False
        for name, attribute in schema.attributes.items():
            default = attribute.default_value
            if name not in found and default is not None and default.type != A.UNDEFINED:
                found[name] = value_of(default)
        shapes = [self.shape(v) for v in step["operands"]]
        results = step["results"] if step["kind"] == "op" else self.plan["steps"][step["partner"]]["results"]
        nodes_attributes.resolve(node.op_type, schema, found, shapes, [self.shape(v) for v in results])
        return found, True

    def shape(self, vid):
        """Extents, -1 where open; None when the rank is not known or the value is no tensor."""
        if vid is None:
            return None
        value = self.plan["values"][vid]
        ranked = re.fullmatch(r"\w+\[(?!\*\]).*\]", value["type"])
        return value["dims"] if ranked else None


SCHEMAS = {}


def schema_of(op, domain, version):
    key = op, domain, version
    if key not in SCHEMAS:
        try:
            SCHEMAS[key] = onnx.defs.get_schema(op, *([version] if version > 0 else []), domain)
        except onnx.defs.SchemaError:
            SCHEMAS[key] = None
    return SCHEMAS[key]


def text(data):
    """As plans write bytes that are not UTF-8."""
    return "".join(chr(0x10FE00 + ord(c) - 0xDC00) if 0xDC80 <= ord(c) <= 0xDCFF else c
                   for c in data.decode("utf-8", "surrogateescape"))


def kind_of(a):
    """Old files do not say it, but the one field that is set does; None for an attribute without any value."""
    fields = {"f": A.FLOAT, "i": A.INT, "s": A.STRING, "t": A.TENSOR, "floats": A.FLOATS, "ints": A.INTS,
              "strings": A.STRINGS, "tensors": A.TENSORS, "g": A.GRAPH, "graphs": A.GRAPHS}
    found = [fields[f.name] for f, _ in a.ListFields() if f.name in fields]
    return a.type or (found[0] if found else None)


def value_of(a):
    """(key, value) as a plan has them; tensors as the proto, kinds it does not carry as None."""
    return {A.INT: lambda: ("int", a.i), A.FLOAT: lambda: ("float", a.f), A.STRING: lambda: ("string", text(a.s)),
            A.INTS: lambda: ("ints", list(a.ints)), A.FLOATS: lambda: ("floats", list(a.floats)),
            A.STRINGS: lambda: ("strings", [text(s) for s in a.strings]), A.TENSOR: lambda: ("tensor", a.t),
            A.SPARSE_TENSOR: lambda: ("tensor", a.sparse_tensor), A.TYPE_PROTO: lambda: ("type", None),
            A.TENSORS: lambda: ("tensors", None), A.TYPE_PROTOS: lambda: ("types", None),
            A.SPARSE_TENSORS: lambda: ("tensors", None)}[kind_of(a)]()


def same(have, want):
    key, value = want
    if key not in have or len(have) != 2:
        return False
    if key == "float":
        return same_float(have[key], value)
    if key == "floats":
        return len(have[key]) == len(value) and all(map(same_float, have[key], value))
    return same_tensor(have[key], value) if key == "tensor" else have[key] == value


def same_float(a, b):
    a = float(a)
    return a == b or (math.isnan(a) and math.isnan(b))


def same_tensor(have, proto):
    """Elements may be left out; those that are there are those of the file."""
    if isinstance(proto, onnx.SparseTensorProto):
        return have["dims"] == list(proto.dims)
    if have["dims"] != list(proto.dims):
        return False
    if have["elements"] is None:
        return True
    array = onnx.numpy_helper.to_array(proto).reshape(-1)
    return len(array) == len(have["elements"]) and all(
        same_float(a, float(b)) if array.dtype.kind not in "iub" else a == int(b)
        for a, b in zip(have["elements"], array))


def plan_of(tenure, path, level, options):
    if level == OPENCL:
        return corpus.opencl_plan(tenure, path, options)
    return corpus.plan(tenure, path, [level, *options])[1]


def main():
    tenure, patterns = sys.argv[1], sys.argv[2:] or ["*"]
    bindings = corpus.bindings()
    plans = steps = wrong = 0
    for name, path in corpus.some_models():
        if not any(fnmatch.fnmatch(name, p) for p in patterns):
            continue
        nodes = None
        for level in (*LEVELS, OPENCL):
            plan = plan_of(tenure, path, level, bindings.get(corpus.short(name), []))
            if plan is None:
                continue
            try:
                nodes = nodes or Nodes(path)
            except Unsupported as why:
                print(f"not compared: {name}: {why}")
                break
            found = list(nodes.differences(plan))
            plans, steps, wrong = plans + 1, steps + len(plan["steps"]), wrong + len(found)
            for line in found[:5]:
                print(f"{name} {level}: {line}")
    print(f"{plans} plans, {steps} steps compared with their nodes, {wrong} differences")
    return 1 if wrong or steps == 0 else 0


if __name__ == "__main__":
    np.seterr(all="ignore")
    sys.exit(main())
