"""Ops with bodies: what they move when, and how often their bodies run."""

import numpy as np
from bodies import expected_moves
from words import Wrong

MOST_DEPTH = 4  # of branches in branches that are all taken

class Nested:
    """The part of a simulation that runs them."""

    def run_nested(self, i):
        step, why = self.steps[i], self.plan.name(i)
        graph, node = self.node(i)
        for b in step["bodies"]:
            self.graph_at[b["graph"]] = graph.body(node, b["attribute"])
        self.read_operands(i, graph, node)
        if step["moves"]:
            wrong = expected_moves(self.plan, step, self.steps[step["partner"]], graph, node)
            if wrong:
                raise Wrong(f"{why}: {wrong}")
        self.move(i, "begin", i)
        for v in self.stacked(i):
            self.put(v, self.fresh(self.values[v]), i)
        self.free(step)
        times = self.run_bodies(i, graph, node)
        end = step["partner"]
        self.end(i, end, times)
        self.free(self.steps[end])

    def stacked(self, i):
        return sorted({m["to"] for m in self.steps[i]["moves"] if m["what"] == "stack"})

    def run_bodies(self, i, graph, node):
        """(iterations, body) that ran."""
        step, end = self.steps[i], self.steps[i]["partner"]
        looped = node.op_type in ("Loop", "Scan") and not graph.model.calls(node) and step["moves"]
        known = node.op_type in ("If", "Loop", "Scan", "SequenceMap") and (step["moves"] or node.op_type == "If")
        if not known and not graph.model.calls(node):
            self.note(f"bodies by definition: {node.op_type}")
            for b in step["bodies"] * 2:
                for a in b["inputs"]:
                    self.put(a, self.fresh(self.values[a]), i)
                self.run_graph(b["graph"], i + 1, end)
                for o in b["outputs"]:
                    self.expect(o, end, self.plan.name(end))
            return None
        number = self.number >> self.depth % MOST_DEPTH & 1 if node.op_type == "If" else 0
        self.depth += node.op_type == "If"
        body = step["bodies"][number]
        times = self.iterations if looped else 1
        for k in range(times):
            if looped and k > 0:
                self.move(i, "next", (i, end), k)
            if looped:
                self.move(i, "iteration", (i, end), k)
            self.run_graph(body["graph"], i + 1, end)
            if looped:
                self.move(i, "after", (i, end), k)
        self.depth -= node.op_type == "If"
        return times, number

    def end(self, i, end, ran):
        if ran is None:
            for r in self.steps[end]["results"]:
                if r is not None:
                    self.put(r, self.fresh(self.values[r]), end)
            return
        times, body = ran
        self.move(i, "end" if times else "none", end, body=body)
        for r in self.steps[end]["results"]:
            if r is not None and r not in self.content:
                self.put(r, self.fresh(self.values[r]), end)
            if r is not None:
                self.expect(r, end, self.plan.name(end))

    def move(self, i, when, step, number=0, body=None):
        """All moves of one moment at once."""
        moves = [m for m in self.steps[i]["moves"] if m["when"] == when and (body is None or m["body"] == body)]
        why = f"{self.plan.name(i)}, what it moves ({when})"
        for m in moves:
            if m["from"] is not None:
                late = when in ("next", "after") and isinstance(step, tuple)
                self.expect(m["from"], step[1] if late else step, why)
            if m["what"] == "stack":
                self.expect(m["to"], None, why)
        made = [self.moved(m, number) for m in moves]
        for m, marks in zip(moves, made):
            self.put(m["to"], marks, step)
        for m in moves:
            self.expect(m["to"], None, why)

    def moved(self, m, number):
        to = self.values[m["to"]]
        if m["what"] in ("count", "true"):
            return self.fresh(to)
        given, of = self.marks(m["from"]), self.values[m["from"]]
        if m["what"] == "copy":
            return given if given.size == to.bytes // self.grain and of.placed else self.fresh(to)
        whole, part = (of, to) if m["what"] == "slice" else (to, of)
        if not whole.placed or not part.placed or not whole.bound or not whole.bytes or not whole.item:
            return self.content.get(m["to"], self.fresh(to)) if m["what"] == "stack" else self.fresh(to)
        shape = (*whole.dims, whole.item // self.grain)
        n = whole.dims[m["axis"]]
        at = min(number, n - 1)
        at = n - 1 - at if m["reverse"] else at
        if m["what"] == "slice":
            return np.ascontiguousarray(np.take(given.reshape(shape), at, axis=m["axis"])).reshape(-1)
        marks = self.content[m["to"]].reshape(shape).copy()
        np.moveaxis(marks, m["axis"], 0)[at] = given.reshape(np.moveaxis(marks, m["axis"], 0)[at].shape)
        return marks.reshape(-1)
