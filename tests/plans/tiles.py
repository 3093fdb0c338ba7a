"""Cuts images into tiles: a range of steps of a model becomes one row of nodes, tile by tile, each with the windows'
reach beyond it. What they read is sliced, what they leave behind is written into a buffer piece by piece, by ops of a
domain of their own (FACTS); or, with join=True, joined by Concat, so that any runtime can run it."""

import onnx
from onnx import helper, numpy_helper
import numpy as np

WINDOWS = {"Conv", "MaxPool", "AveragePool", "QLinearConv", "ConvInteger", "LpPool"}
BY_PLACE = {"Relu", "LeakyRelu", "Clip", "Sigmoid", "HardSigmoid", "HardSwish", "Tanh", "PRelu", "Elu", "Add", "Mul", "Sub", "Div",
            "Sum", "Max", "Min", "BatchNormalization", "Concat", "Split", "LRN", "Neg", "Exp", "Sqrt", "Abs", "Identity", "Pow",
            "QuantizeLinear", "DequantizeLinear", "Cast", "Dropout", "Softplus", "Log", "Reciprocal", "Floor"}
FACTS = {"tenure_facts": 1, "ops": [{"op": "Write", "domain": "tiles", "sig": "data tile -> out",
                                     "types": {"out": {"like": "data"}}, "inplace": "out over data (same)"}]}


class CannotCut(Exception):
    """An op whose tiles this does not know."""


class Cutter:
    def __init__(self, model, plan, advice, join):
        self.model, self.graph, self.plan, self.join = model, model.graph, plan, join
        self.rows, self.columns = advice["rows"], advice["columns"]
        self.values = {v["name"]: v for v in plan["values"] if v["graph"] == ""}
        steps = plan["steps"][advice["first"]:advice["last"] + 1]
        constants = {v["name"] for v in plan["values"] if v["role"] == "const"}
        self.nodes, self.attributes = [], {}
        for s in steps:
            node = self.graph.node[s["node"]]
            if all(not i or i in constants for i in node.input):
                continue
            if node.op_type not in WINDOWS | BY_PLACE:
                raise CannotCut(node.op_type)
            self.nodes.append(node)
            self.attributes[node.output[0]] = {a["name"]: a.get("value", a.get("ints", a.get("int"))) for a in s["attributes"]}
        made = [o for n in self.nodes for o in n.output if o]
        outside = {o.name for o in self.graph.output}
        inside = {id(n) for n in self.nodes}
        for n in self.graph.node:
            if id(n) not in inside:
                outside |= set(n.input)
        self.exits = [o for o in made if o in outside]
        self.made = set(made)
        self.constants, self.new, self.count = constants, [], 0

    def is_image(self, name):
        v = self.values.get(name)
        return v is not None and name not in self.constants and len(v["dims"]) == 4

    def extents(self, name):
        return self.values[name]["dims"][2:]

    # ---- what tiles need ----

    def needs(self, node, out):
        """Of each image that the node reads: the part [(low, high), (low, high)], and the pads that are left."""
        found, pads = {}, [0, 0, 0, 0]
        a = self.attributes[node.output[0]]
        for name in dict.fromkeys(node.input):
            if not name or not self.is_image(name):
                continue
            part = []
            for i, extent in enumerate(self.extents(name)):
                low, high = out[i]
                if node.op_type in WINDOWS:
                    stride, kernel = a["strides"][i], a["kernel_shape"][i]
                    reach = (kernel - 1) * (a.get("dilations") or [1, 1])[i] + 1
                    low = low * stride - a["pads"][i]
                    high = (high - 1) * stride - a["pads"][i] + reach
                    pads[i], pads[i + 2] = max(0, -low), max(0, high - extent)
                elif extent == 1:
                    low, high = 0, 1
                part.append((max(0, low), min(extent, high)))
            found[name] = part
        return found, pads

    def parts(self, tile):
        """Backwards: the part of each image for one tile."""
        parts = {name: self.part_of(name, tile) for name in self.exits}
        for node in reversed(self.nodes):
            outs = [parts[o] for o in node.output if o in parts]
            if not outs:
                continue
            out = hull(outs)
            for o in node.output:
                parts[o] = out
            for name, part in self.needs(node, out)[0].items():
                parts[name] = hull([parts[name], part]) if name in parts else part
        return parts

    def part_of(self, name, tile):
        part = []
        for i, (at, n) in enumerate(zip(tile, (self.rows, self.columns))):
            extent = self.extents(name)[i]
            size = -(-extent // n)
            part.append((min(at * size, extent), min((at + 1) * size, extent)))
        return part

    # ---- nodes ----

    def name(self, text):
        self.count += 1
        return f"{text} tile {self.count}"

    def constant(self, numbers):
        t = numpy_helper.from_array(np.array(numbers, np.int64), self.name("numbers"))
        self.graph.initializer.append(t)
        return t.name

    def slice(self, source, at, part):
        """Of a tensor that begins at `at` of its image."""
        starts = [p[0] - a[0] for p, a in zip(part, at)]
        ends = [p[1] - a[0] for p, a in zip(part, at)]
        made = self.name(source)
        self.new.append(helper.make_node("Slice", [source, self.constant(starts), self.constant(ends),
                                                   self.constant([2, 3])], [made]))
        return made

    def operand(self, name, need, parts, have):
        if name not in have:
            whole = [(0, e) for e in self.extents(name)]
            have[name] = name if parts[name] == whole else self.slice(name, whole, parts[name])
        return have[name] if need == parts[name] else self.slice(have[name], parts[name], need)

    def run_tile(self, tile, pieces):
        parts, have = self.parts(tile), {}
        if any(low >= high for name in self.exits for low, high in parts[name]):
            return
        for node in self.nodes:
            outs = [o for o in node.output if o]
            if outs[0] not in parts:
                continue
            needs, pads = self.needs(node, parts[outs[0]])
            copy = onnx.NodeProto()
            copy.CopyFrom(node)
            copy.name = self.name(node.name)
            for i, name in enumerate(node.input):
                if name in needs:
                    copy.input[i] = self.operand(name, needs[name], parts, have)
            for i, name in enumerate(node.output):
                if name:
                    copy.output[i] = have[name] = self.name(name)
            if node.op_type in WINDOWS:
                keep = [a for a in copy.attribute if a.name not in ("pads", "auto_pad", "ceil_mode")]
                del copy.attribute[:]
                copy.attribute.extend([*keep, helper.make_attribute("pads", pads)])
            self.new.append(copy)
            for name in outs:
                if name in self.exits:
                    self.store(name, tile, have[name], pieces, parts)

    def store(self, name, tile, piece, pieces, parts):
        own = self.part_of(name, tile)
        if own != parts[name]:
            piece = self.slice(piece, parts[name], own)
        if self.join:
            pieces[name].setdefault(tile[0], []).append(piece)
            return
        made = self.name(name + " after")
        self.new.append(helper.make_node("Write", [pieces[name], piece], [made], domain="tiles"))
        pieces[name] = made

    def begin(self):
        if self.join:
            return {name: {} for name in self.exits}
        pieces = {}
        for name in self.exits:
            pieces[name] = self.name(name + " empty")
            self.new.append(helper.make_node("Empty", [], [pieces[name]], domain="tiles"))
            self.graph.value_info.append(helper.make_tensor_value_info(
                pieces[name], number_of(self.values[name]), self.values[name]["dims"]))
        return pieces

    def end(self, pieces):
        for name in self.exits:
            if self.join:
                rows = []
                for row in pieces[name].values():
                    rows.append(self.name(name + " row"))
                    self.new.append(helper.make_node("Concat", row, [rows[-1]], axis=3))
                self.new.append(helper.make_node("Concat", rows, [name], axis=2))
            else:
                for node in self.new:
                    if pieces[name] in node.output:
                        node.output[0] = name

    def cut(self):
        pieces = self.begin()
        for row in range(self.rows):
            for column in range(self.columns):
                self.run_tile((row, column), pieces)
        self.end(pieces)
        gone = {id(n) for n in self.nodes}
        at = max(i for i, n in enumerate(self.graph.node) if id(n) in gone)
        nodes = list(self.graph.node)
        kept = [n for n in nodes[:at] if id(n) not in gone], nodes[at + 1:]
        fresh = [copied(n) for n in (*kept[0], *self.new, *kept[1])]
        infos = [copied(v) for v in self.graph.value_info if v.name not in self.made]
        del self.graph.node[:]
        self.graph.node.extend(fresh)
        del self.graph.value_info[:]
        self.graph.value_info.extend(infos)
        if not self.join:
            self.model.opset_import.append(helper.make_opsetid("tiles", 1))


def copied(message):
    made = type(message)()
    made.CopyFrom(message)
    return made


def hull(parts):
    return [(min(p[i][0] for p in parts), max(p[i][1] for p in parts)) for i in range(2)]


def number_of(value):
    """ONNX's number of the value's element type."""
    names = {"f32": "FLOAT", "f16": "FLOAT16", "bf16": "BFLOAT16", "f64": "DOUBLE", "bool": "BOOL"}
    word = value["dtype"]
    kind = {"i": "INT", "u": "UINT"}.get(word[0], "")
    return getattr(onnx.TensorProto, names.get(word) or kind + word[1:])


def cut(model, plan, advice, join=False):
    Cutter(model, plan, advice, join).cut()
