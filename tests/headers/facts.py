"""What an op reads, writes and may share, from the model file and the op table: facts.h of a replay.

Nothing here comes from the plan but the numbers of its values and steps, and their types. A false "no"
is safe: the replay then reports a plan that is right.
"""

import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), d) for d in ("execution", "operators", "models")]

from packages import onnx  # ends with 77 where the packages are missing

import inside
import reads
from arena import DTYPES, BITS
from graphs import File
from kernels import attributes_of
from rows import inplace_claims

OVER, VIEW, WIDTH, INSIDE = 1, 2, 4, 8
ANYWHERE = "RP_ANYWHERE"


def is_placed(value):
    return value["storage"] is not None


class Steps:
    """The nodes of the steps: `node`, `inputs` and `outputs` (values or None), `bodies` of a begin."""

    def __init__(self, file, plan):
        self.file, self.plan = file, plan
        self.ids = {(v["graph"], v["name"]): k for k, v in enumerate(plan["values"])}
        self.graphs = {"": file.main}
        self.nodes = []
        self.own = {}  # node -> the step that makes the values it names; all others are clones
        self.known = []  # operands that are constants and false, of a Dropout
        for at, step in enumerate(plan["steps"]):
            if step["kind"] == "end":
                self.nodes.append(self.nodes[step["partner"]])
                self.known.append(())
                continue
            graph = self.graphs[step["graph"]]
            node = graph.nodes[step["node"]]
            assert node.op_type == step["op"], (step, node.op_type)
            bodies = self.bodies_of(graph, node, at) if step["kind"] == "begin" else {}
            inputs = [self.find(graph, name) for name in node.input]
            outputs = [self.ids.get((graph.path, name)) if name else None for name in node.output]
            if step["kind"] == "op":
                inputs, outputs = self.cloned(step["operands"], inputs), self.cloned(step["results"], outputs)
                if not self.is_clone(outputs):
                    self.own[step["graph"], step["node"]] = at
            self.nodes.append((node, inputs, outputs, bodies))
            self.known.append(known_falsehoods(file, graph, node) if node.op_type == "Dropout" else ())

    def cloned(self, stated, named):
        """The values of a step, where the node names these: they, or clones of them."""
        found = []
        for said, value in zip([*stated, *[None] * len(named)], named):
            of = said
            while of is not None and of != value and self.plan["values"][of].get("clone_of") is not None:
                of = self.plan["values"][of]["clone_of"]
            found.append(said if value is not None and of == value else value)
        return found

    def is_clone(self, outputs):
        return any(v is not None and self.plan["values"][v].get("clone_of") is not None for v in outputs)

    def clone_of(self, at):
        """The step of the same node that this one repeats, or None."""
        step = self.plan["steps"][at]
        again = step["kind"] == "op" and self.is_clone(self.nodes[at][2])
        return self.own[step["graph"], step["node"]] if again else None

    def content(self, graph, name):
        """The elements of a constant, None of other values."""
        while name and graph is not None:
            made = [n for n in graph.nodes if n.op_type == "Constant" and name in n.output]
            if name in graph.initializers or made:
                return self.file.constant(graph, made[0]) if made else graph.initializers[name]
            graph = graph.outer
        return None

    def bodies_of(self, graph, node, at):
        end = self.plan["steps"][at]["partner"]
        inside = {self.plan["steps"][s]["graph"] for s in range(at + 1, end)}
        inside |= {self.plan["values"][v]["graph"] for v in self.plan["steps"][at]["writes"]}
        bodies = self.file.bodies(graph, node, inside)
        for body in bodies.values():
            self.graphs[body.path] = body
        return bodies

    def find(self, graph, name):
        while name and graph is not None:
            if (graph.path, name) in self.ids:
                return self.ids[graph.path, name]
            graph = graph.outer
        return None


class Facts:
    def __init__(self, path, plan, table):
        self.values, self.table = plan["values"], table
        self.steps = Steps(File(path), plan)
        self.plan = plan
        self.writers = {}
        for at in range(len(plan["steps"])):
            self.writers.update({v: at for v in self.writes(at) if v is not None})

    # what a node reads and writes

    def row(self, node):
        if self.calls(node):
            return None
        domain = "" if node.domain == "ai.onnx" else node.domain
        return self.table.get((domain, node.op_type))

    def calls(self, node):
        return self.steps.file.function_of(node) is not None

    def shape_only(self, node):
        """Operands of which an op looks at the shape alone."""
        row = self.row(node)
        return {int(k) for k in row["shape_only"].split()} if row else set()

    def reads(self, at):
        node, inputs, _, bodies = self.steps.nodes[at]
        if self.plan["steps"][at]["kind"] == "end":
            return [self.steps.find(b, name) for b in bodies.values() for name in b.outputs]
        skipped = self.shape_only(node)
        return [v for k, v in enumerate(inputs) if k not in skipped]

    def writes(self, at):
        _, __, outputs, bodies = self.steps.nodes[at]
        if self.plan["steps"][at]["kind"] == "begin":
            return [self.steps.ids.get((b.path, name)) for b in bodies.values() for name in b.inputs]
        return outputs

    def after(self, at):
        """Steps that write what a node reads, whether it has a place or not, and those of branches before its own."""
        found = {self.writers.get(v) for v in self.reads(at) if v is not None} | self.branches_before(at)
        return sorted(found - {None, at})

    def branches_before(self, at):
        """Of several branches one runs; a replay runs them one after the other."""
        steps, found = self.plan["steps"], set()
        for begin, (node, _, __, bodies) in enumerate(self.steps.nodes):
            if node.op_type != "If" or steps[begin]["kind"] != "begin" or not begin < at < steps[begin]["partner"]:
                continue
            of = {s: self.branch(bodies, steps[s]["graph"]) for s in range(begin + 1, steps[begin]["partner"])}
            order = list(dict.fromkeys(of.values()))  # that of the plan
            found |= {s for s in of if order.index(of[s]) < order.index(of[at])}
        return found

    def branch(self, bodies, path):
        """The path of the body that a graph belongs to."""
        return next(b.path for b in bodies.values() if path == b.path or path.startswith(b.path + "/"))

    # what it may share

    def legal(self, at):
        """(result, operand, how, where): of an op with bodies, what it passes into them and out of them."""
        if self.plan["steps"][at]["kind"] != "op":
            yield from ((w, r, how, 0) for w, r, how in self.passed(at)
                        if None not in (w, r) and is_placed(self.values[w]) and is_placed(self.values[r]))
            return
        node, inputs, outputs, _ = self.steps.nodes[at]
        row = self.row(node)
        if row is None:
            return
        over = set(self.over(row, node, inputs, outputs))
        known = self.steps.known[at]
        views = {(w, r): where for w, r, where in self.views(row, node, inputs, outputs, known)}
        yield from self.inside(at, node, inputs, outputs)
        for w, r in sorted(over | set(views)):
            differs = self.bytes_of(w) != self.bytes_of(r)
            how = (OVER | differs * WIDTH if (w, r) in over else 0) | (VIEW if (w, r) in views else 0)
            yield w, r, how, views.get((w, r), 0)

    def inside(self, at, node, inputs, outputs):
        """Results that may begin inside operands, by the order in which the plan has the kernel work: the least distance."""
        step = self.plan["steps"][at]
        for w in outputs:
            for said in self.values[w].get("overlaps", []) if w is not None else []:
                r, graph = said["value"], self.steps.graphs[step["graph"]]
                facts = reads.Node(
                    node.op_type, attributes_of(node), self.steps.file.opsets.get("", 1),
                    [None if v is None else self.values[v]["dims"] for v in inputs], self.values[w]["dims"],
                    lambda k: self.steps.content(graph, node.input[k]),
                )
                widths = [DTYPES[self.values[v]["dtype"]].itemsize for v in (w, r)]
                found = [inside.distance(facts, k, self.values[w], self.values[r], said["order"], widths)
                         for k, v in enumerate(inputs) if v == r]
                if found and None not in found:
                    order = inside.ORDERS.index(said["order"])
                    yield w, r, INSIDE | order << 8, max(least for least, _ in found)

    def passed(self, at):
        """A state of a loop has four forms, which may lie in one place; arguments of a called function stand for operands,
        and results for outputs of the bodies of others."""
        node, inputs, outputs, bodies = self.steps.nodes[at]
        first, n, skipped = self.states(node)
        is_begin = self.plan["steps"][at]["kind"] == "begin"
        for body in bodies.values():
            inside = lambda name: self.steps.ids.get((body.path, name))  # noqa: E731
            if is_begin and self.calls(node):
                yield from ((inside(name), r, VIEW) for name, r in zip(body.inputs, inputs)
                            if None not in (inside(name), r) and self.bytes_of(inside(name)) == self.bytes_of(r))
            elif is_begin:
                yield from ((inside(body.inputs[k]), inputs[k], OVER) for k in range(first, first + n))
            elif n > 0:
                for k in range(n):
                    yield outputs[k], inside(body.inputs[first + k]), OVER
                    yield outputs[k], inside(body.outputs[skipped + k]), OVER
            elif node.op_type == "If" or self.calls(node):
                yield from ((w, inside(name), OVER) for w, name in zip(outputs, body.outputs))

    def states(self, node):
        """Of a loop: its first state among operands, how many there are, and the first among the body's outputs."""
        if node.domain not in ("", "ai.onnx") or self.calls(node):
            return 0, 0, 0
        if node.op_type == "Loop":
            return 2, len(node.input) - 2, 1
        if node.op_type == "Scan" and self.steps.file.opsets.get("", 0) > 8:
            scanned = next(a.i for a in node.attribute if a.name == "num_scan_inputs")
            return 0, len(node.input) - scanned, 0
        return 0, 0, 0

    def bytes_of(self, vid):
        return self.values[vid]["bytes"]

    def type_of(self, vid):
        return self.values[vid]["dtype"], self.values[vid]["dims"]

    def over(self, row, node, inputs, outputs):
        claims = inplace_claims(row, len(inputs))
        skipped = self.shape_only(node)
        for index, w in enumerate(outputs):
            for r in set(inputs):
                if w is None or r is None or not is_placed(self.values[w]) or not is_placed(self.values[r]):
                    continue
                stands = [k for k, v in enumerate(inputs) if v == r and k not in skipped]
                if stands and all(self.allowed(claims, index, k, w, r) for k in stands):
                    yield w, r

    def allowed(self, claims, index, k, w, r):
        """Whether the table lets result `index` go over operand k, of these types."""
        (w_type, w_dims), (r_type, r_dims) = self.type_of(w), self.type_of(r)
        fits = {
            "width": w_dims == r_dims and (w_type == r_type or not {w_type, r_type} & set(BITS)),
            "same": w_dims == r_dims and self.bytes_of(w) == self.bytes_of(r),
            "rows": w_dims == r_dims and w_type == r_type,
            "update": w_dims == r_dims and w_type == r_type,
            "must": self.bytes_of(w) == self.bytes_of(r),
        }
        return any(result == index and k in operands and fits[cond] for result, operands, cond in claims)

    def views(self, row, node, inputs, outputs, falsehoods):
        """(result, operand, address of the result less that of the operand)."""
        kind = row["view"]
        placed = [v if v is not None and is_placed(self.values[v]) else None for v in inputs]
        results = [v if v is not None and is_placed(self.values[v]) else None for v in outputs]
        if not results or not placed:
            return
        w, r = results[0], placed[0]
        if kind == "parts":
            yield from self.parts(r, results, ANYWHERE)
        elif kind == "gathered" and w is not None:
            if node.op_type == "Pad":
                yield from [(w, r, ANYWHERE)] if r is not None else []
            else:
                yield from self.gathered(w, placed)
        elif w is None or r is None:
            return
        elif kind == "part" or (kind == "whole" and self.bytes_of(w) == self.bytes_of(r)):
            yield w, r, ANYWHERE if kind == "part" else 0
        elif kind == "if equal" and self.type_of(w) == self.type_of(r) and not drops(
            node, falsehoods, self.steps.file.opsets.get("", 0)
        ):
            yield w, r, 0
        elif kind == "permuted" and only_ones_move(node, self.values[r]["dims"]):
            yield w, r, 0

    def parts(self, whole, results, unknown):
        """Parts that follow each other; behind one without a place nobody knows where they begin."""
        at = 0
        for part in results:
            if part is not None and whole is not None:
                yield part, whole, at
            at = unknown if part is None or at == unknown else at + self.bytes_of(part)

    def gathered(self, result, operands):
        seen = {}
        for part, _, at in self.parts(result, operands, ANYWHERE):
            seen.setdefault(part, []).append(at)
        for part, places in seen.items():  # an operand that stands twice lies in one of the places
            yield result, part, -places[0] if len(places) == 1 and places[0] != ANYWHERE else ANYWHERE

    # facts.h

    def rows(self):
        """value -> row of the header's table."""
        placed = [k for k, v in enumerate(self.values) if is_placed(v)]
        return {vid: row for row, vid in enumerate(placed)}

    def kept(self):
        """What the caller finds after the run: outputs, and the constants as they were."""
        main = self.steps.file.main
        found = [self.steps.ids.get(("", name)) for name in main.outputs]
        return found + [k for k, v in enumerate(self.values) if v["role"] == "const"]

    def write(self, out, names):
        """`names`: the header's identifiers of its tensors, by row."""
        rows = self.rows()
        put_addresses(out, names)
        ids, legal, nodes = [], [], []
        for at, step in enumerate(self.plan["steps"]):
            lists = []
            reads, writes = (
                sorted({rows[v] for v in listed if v in rows}) for listed in (self.reads(at), self.writes(at))
            )
            for found in (reads, writes, self.after(at)):
                lists.append(f"{{{len(ids)}, {len(found)}}}")
                ids += found
            start = len(legal)
            legal += [(rows[w], rows[r], how, where) for w, r, how, where in self.legal(at)]
            node = self.steps.nodes[at][0]
            domain = "" if node.domain == "ai.onnx" else node.domain
            nodes.append(
                f"{quoted(domain)}, {quoted(node.op_type)}, {number(self.steps.clone_of(at))}, "
                f"{int(self.calls(node))}, {', '.join(lists)}, "
                f"{{{start}, {len(legal) - start}}}"
            )
        kept = sorted({rows[v] for v in self.kept() if v in rows})
        put_table(out, "rp_node nodes", [f"{{{n}}}" for n in nodes], "{0}")
        put_table(out, "uint32_t node_ids", map(str, ids), "0")
        put_table(out, "rp_legal legal", ["{%s, %s, %s, %s}" % entry for entry in legal], "{0}")
        put_table(out, "uint32_t kept", map(str, kept), "0")
        out.write(f"static const uint32_t n_kept = {len(kept)};\n")


def number(step):
    return "RP_NONE" if step is None else step


def put_addresses(out, names):
    out.write("static unsigned char *address_of(uint32_t row) {\n    switch (row) {\n")
    for row, name in enumerate(names):
        out.write(
            f"    case {row}:\n        return PLAN_PTR(0, bases[PLAN_{name}_POOL], PLAN_{name}, unsigned char);\n"
        )
    out.write("    }\n    return NULL;\n}\n\nstatic uint64_t size_of(uint32_t row) {\n    switch (row) {\n")
    for row, name in enumerate(names):
        out.write(f"    case {row}:\n        return PLAN_SIZE(0, PLAN_{name});\n")
    out.write("    }\n    return 0;\n}\n")


def put_table(out, what, entries, none):
    entries = list(entries) or [none]
    out.write(f"\nstatic const {what}[] = {{\n")
    for entry in entries:
        out.write(f"    {entry},\n")
    out.write("};\n")


def quoted(text):
    plain = b" _./:-"
    escaped = "".join(
        chr(c) if c < 128 and (chr(c).isalnum() or c in plain) else f"\\{c:03o}" for c in text.encode()
    )
    return f'"{escaped}"'


def known_falsehoods(file, graph, node):
    """Operands whose only element is known to be false."""
    found = []
    for k, name in enumerate(node.input):
        constants = [n for n in graph.nodes if n.op_type == "Constant" and name in n.output]
        data = graph.initializers.get(name) if name in graph.initializers else None
        data = file.constant(graph, constants[0]) if constants else data
        if data is not None and data.size == 1 and not data.reshape(-1)[0]:
            found.append(k)
    return found


def drops(node, falsehoods, opset):
    """Dropout that may drop something, or says what it dropped."""
    training = len(node.input) > 2 and node.input[2] != "" and 2 not in falsehoods
    training |= opset < 7 and not any(a.name == "is_test" and a.i for a in node.attribute)
    return node.op_type == "Dropout" and (len([o for o in node.output if o]) > 1 or training)


def only_ones_move(node, dims):
    perm = next((list(a.ints) for a in node.attribute if a.name == "perm"), list(range(len(dims)))[::-1])
    moved = [k for k in perm if dims[k] != 1]
    return moved == sorted(moved)
