"""Runs a plan on memory in which every byte holds a mark: whose byte it is. What the model says an operand holds must be
there when a step reads it; what a step writes becomes new marks, but for what the op moves without a change.

Several runs follow each other, so that state is seen to stay: loops run twice, once and not at all in them, and other branches.
Of every step the bytes that it reads and writes are kept for orders.py.
"""

import numpy as np

import groups
import movement
from clones import OVERWRITE, carried, check_clones
from words import READ, WRITE, NotJudged, Wrong
from inplace import Judge, is_defined, is_strange
from nested import MOST_DEPTH, Nested
from orders import check_orders

POISON = -2
DATA = "data of the model"
DATA_MARKS = -10  # and downwards, by address
SHAPE_READERS = {("Shape", 0), ("Size", 0), ("EyeLike", 0), ("RandomNormalLike", 0), ("RandomUniformLike", 0), ("CastLike", 1)}


class Simulation(Nested):
    def __init__(self, model, plan):
        self.model, self.plan, self.values, self.steps = model, plan, plan.values, plan.steps
        self.grain, self.judge, self.unjudged = plan.grain, Judge(), {}
        self.next = 0
        self.memory = [None if p["kind"] == "const" else np.full(p["size"] // plan.grain, POISON, np.int64) for p in plan.pools]
        self.content, self.accesses = {}, {}
        self.graph_at = {"": model.main}
        self.turn = 0

    # Memory

    def note(self, what):
        self.unjudged[what] = self.unjudged.get(what, 0) + 1

    def fresh(self, value):
        n = value.bytes // self.grain
        self.next += n
        return np.arange(self.next - n, self.next, dtype=np.int64)

    def marks(self, v):
        """What a value is to hold. Data of the model have their addresses as marks, which are made when they are asked for."""
        found = self.content.get(v)
        return self.place(self.values[v]) if found is DATA else found

    def place(self, value):
        if self.memory[value.pool] is None:
            return np.arange(DATA_MARKS - value.lo // self.grain, DATA_MARKS - value.hi // self.grain, -1)
        second = value.storage.get("second", 0) if self.turn else 0
        return self.memory[value.pool][(value.lo + second) // self.grain:(value.hi + second) // self.grain]

    def access(self, steps, kind, pool, lo, hi):
        """Of one step or several; None: of the caller."""
        if lo < hi and steps is not None:
            for step in steps if isinstance(steps, tuple) else (steps,):
                self.accesses.setdefault(step, set()).add((kind, pool, lo, hi))

    def expect(self, v, step, why):
        value = self.values[v]
        if v not in self.content:
            raise Wrong(f"{why}: '{value.name}' has not been made yet")
        if value.placed and value.bytes and self.content[v] is DATA:
            self.access(step, READ, value.pool, value.lo, value.hi)
        elif value.placed and value.bytes:
            lies, wanted = self.place(value), self.plan.as_laid(value, self.content[v])
            if not np.array_equal(lies, wanted):
                at = int(np.flatnonzero(lies != wanted)[0]) * self.grain
                raise Wrong(f"{why}: byte {at} of '{value.name}' is another's")
            self.access(step, READ, value.pool, value.lo, value.hi)

    def put(self, v, marks, step=None):
        """Writes a value; gives what has changed, by grain of its place."""
        value = self.values[v]
        self.content[v] = marks
        if not value.placed or not value.bytes:
            return None
        lies, wanted = self.place(value), self.plan.as_laid(value, marks)
        changed = lies != wanted
        if self.memory[value.pool] is None and changed.any():
            raise Wrong(f"'{value.name}' is written over data of the model")
        lies[:] = wanted
        if step is not None and changed.any():
            for lo, hi in runs_of(changed):
                self.access(step, WRITE, value.pool, value.lo + lo * self.grain, value.lo + hi * self.grain)
        return changed

    def free(self, step):
        for f in step["frees"]:
            s = self.plan.storages[f["storage"]]
            lo = (s["offset"] + (s.get("second", 0) if self.turn else 0)) // self.grain
            self.memory[s["pool"]][lo:lo + s["size"] // self.grain] = POISON

    # The frame: places, what is there before and behind a run

    def check_places(self):
        for s in self.plan.storages:
            pool = self.plan.pools[s["pool"]]
            if s["offset"] + s["size"] > pool["size"]:
                raise Wrong(f"a storage ends at {s['offset'] + s['size']} of a pool of {pool['size']} bytes")
            if s.get("second") and 2 * s["second"] < s["size"]:  # the size is that of both
                raise Wrong(f"the second place at {s['offset']} + {s['second']} lies on the first")
            if s["offset"] % pool["align"] or s["offset"] % s["align"]:
                raise Wrong(f"a storage at {s['offset']} is not aligned")
        data = sorted((s["pool"], s["offset"], s["size"]) for s in self.plan.storages if self.memory[s["pool"]] is None and s["size"])
        for (p, lo, size), (q, after, _) in zip(data, data[1:]):
            if p == q and lo + size > after:
                raise Wrong(f"constants at {lo} and {after} share bytes")
        for v in self.values:
            if v.placed and v.bytes and not v.storage["offset"] <= v.lo <= v.hi <= v.storage["offset"] + v.storage["size"]:
                raise Wrong(f"'{v.name}' lies outside of its storage")
            if v.placed and v.bound and v.item and v.role != "workspace" and v.bytes != v.item * int(np.prod(v.dims, dtype=object)):
                raise Wrong(f"'{v.name}' has {v.bytes} bytes")
            if v.placed and v.bytes and v.lo % (self.plan.pools[v.pool]["align"] if v.role != "const" else 1):
                raise Wrong(f"'{v.name}' lies unaligned")

    def given(self, value):
        return value.index not in self.plan.writer and value.role in ("input", "state", "const")

    def begin_run(self, first):
        for i in self.plan.variant["inputs"]:
            if self.values[i].role == "input" and (first or self.gives_inputs()):
                self.put(i, self.fresh(self.values[i]))
        if first:
            for i, v in enumerate(self.values):
                if v.role == "const" and v.placed:
                    self.constant(i)
                elif v.role == "state" and self.given(v) or v.role == "const" and not v.placed:
                    self.content[i] = self.fresh(v)
                    self.put(i, self.content[i])
                elif v.graph == "" and v.role == "input" and i not in self.content:
                    self.put(i, self.fresh(v))
        for i in self.plan.variant["inputs"]:
            if self.values[i].role == "input":
                self.expect(i, None, "before the first step")
        for w in (w for s in self.steps for w in s["workspace"]):
            if w["kept"] and first:
                self.put(w["value"], self.fresh(self.values[w["value"]]))

    def gives_inputs(self):
        said = dict(self.plan.options)
        return said.get("reuse-inputs", "false") != "false" or "reuse-inputs" not in said and self.wished("reuse-inputs")

    def wished(self, key):
        """Whether the model's own metadata ask for what is the caller's to give, and the plan's options let them."""
        wishes = {p.key.replace("_", "-"): p.value for p in self.model.proto.metadata_props}
        return dict(self.plan.options).get("metadata") == "all" and wishes.get("tenure." + key, "false") not in ("false", "0", "no", "off")

    def constant(self, i):
        if self.memory[self.values[i].pool] is not None:
            raise Wrong(f"the constant '{self.values[i].name}' lies where others write")
        self.content[i] = DATA

    def after_run(self, final):
        why = "after the run"
        for i in self.plan.variant["outputs"]:
            self.expect(i, None, why)
        for b in self.plan.variant["bindings"]:
            self.expect(b["value"], None, why)
        for i, v in enumerate(self.values):
            if v.role == "const" and v.placed or v.role == "input" and v.graph == "" and not self.gives_inputs() and \
                    i not in self.replaced:
                self.expect(i, None, why)
        for w in (w["value"] for s in self.steps for w in s["workspace"] if w["kept"]):
            self.expect(w, None, why)
        self.take_states(why)

    def take_states(self, why):
        """What is state becomes what the model says: the value of --update, or what is there by the definition of an op.
        What `bindings` lists the caller copies."""
        names = dict(pair for k, p in self.plan.options if k == "update" for pair in [p.split("=", 1)] if "=" in p)
        main = {v.name: i for i, v in enumerate(self.values) if v.graph == ""}
        listed = {b["state"]: b["value"] for b in self.plan.variant["bindings"]}
        there = {n: v for n, v in listed.items() if n in main and self.values[main[n]].meets(self.values[v])}
        copied = {n: v for n, v in listed.items() if n not in there}
        for name, i in main.items():
            if self.values[i].role != "state":
                continue
            if name in there:
                self.content[i] = self.content[there[name]]
            elif name not in copied and names.get(name) in main:
                self.content[i] = self.content[main[names[name]]]
            elif i in self.replaced:
                self.content[i] = self.content[self.replaced[i]]
            self.expect(i, None, f"{why} (state)")
        for name, v in copied.items():
            if name in main and self.values[main[name]].bytes == self.values[v].bytes and \
                    self.values[main[name]].role == "state":
                self.put(main[name], self.marks(v))

    def check_lists(self):
        for i, s in enumerate(self.steps):
            if any(h >= i for h in s["hazards"]):
                raise Wrong(f"{self.plan.name(i)} waits for a step that comes later")
            for v in self.has_to_list(s):
                if v is not None and v not in s["reads"] and self.values[v].placed:
                    raise Wrong(f"{self.plan.name(i)} reads '{self.values[v].name}', and nobody can know")

    def has_to_list(self, s):
        """What a step reads, by the model: operands, or what bodies give."""
        if s["kind"] == "end":
            return [o for b in self.steps[s["partner"]]["bodies"] for o in b["outputs"]]
        return [v for k, v in enumerate(s["operands"]) if k not in s["shape_only"]]

    def run(self):
        self.check_places()
        self.check_lists()
        check_clones(self.plan)
        self.check_ends()
        rounds = self.rounds()
        for number, iterations in enumerate(rounds):
            self.turn = number % 2 if any(s.get("second") for s in self.plan.storages) else 0
            self.iterations, self.number, self.depth, self.replaced = iterations, number, 0, {}
            self.begin_run(number == 0 or self.turn is not None and any(s.get("second") for s in self.plan.storages))
            self.run_graph("", 0, self.plan.n)
            self.after_run(number + 1 == len(rounds))
        self.check_all_run()

    def check_ends(self):
        """Outputs are the model's, and states become what the caller says."""
        outputs = [self.values[v] for v in self.plan.variant["outputs"]]
        if [raw(v.name) for v in outputs] != [raw(n) for n in self.model.main.outputs]:
            raise Wrong("the outputs are not those of the model")
        told = dict(pair for k, p in self.plan.options if k == "update" for pair in [p.split("=", 1)] if "=" in p)
        for b in self.plan.variant["bindings"]:
            if told.get(b["state"], self.values[b["value"]].name) != self.values[b["value"]].name:
                raise Wrong(f"'{b['state']}' is to become '{told[b['state']]}'")

    def rounds(self):
        """By run the iterations of loops: two, in all choices of branches, then one and none."""
        inside, deepest = 0, 0
        for s in self.steps:
            inside += {"begin": 1, "end": -1}.get(s["kind"], 0) * (s["nodes"][0]["op"] == "If")
            deepest = max(deepest, inside)
        loops = any(s["kind"] == "begin" for s in self.steps)
        return [2] * max(2, 1 << min(deepest, MOST_DEPTH)) + [1, 0] * loops

    def check_all_run(self):
        """Every node of the model has its step."""
        seen = {(s["graph"], n["index"]) for s in self.steps for n in s["nodes"]}
        for path, graph in self.graph_at.items():
            for k, node in enumerate(graph.nodes):
                twice = node.output and all(graph.maker.get(o) is not node for o in node.output)  # defined again, which counts
                if (path, k) not in seen and not twice:
                    raise Wrong(f"node {k} of graph '{path}' has no step")

    # Steps

    def run_graph(self, path, lo, hi):
        i = lo
        while i < hi:
            step = self.steps[i]
            if step["graph"] != path:
                i += 1
            elif step["kind"] == "begin":
                self.run_nested(i)
                i = step["partner"] + 1
            else:
                self.run_op(i)
                i += 1

    def node(self, i):
        """The node of a step; that its operands and results are the model's."""
        step = self.steps[i]
        graph = self.graph_at[step["graph"]]
        nodes = [graph.nodes[n["index"]] for n in step["nodes"]]
        if len(nodes) == 1 and "fused" not in step:
            if nodes[0].op_type != step["nodes"][0]["op"]:
                raise Wrong(f"{self.plan.name(i)} is not the node of the model")
            if step["kind"] != "end":
                self.same_names(i, step["operands"], nodes[0].input, operands=True)
            results = step["results"] if step["kind"] != "begin" else self.steps[step["partner"]]["results"]
            self.same_names(i, results, nodes[0].output, operands=False)
        elif groups.is_own(step):
            groups.check(self.plan, graph, i, nodes)
        elif "fused" in step:
            made = {o for n in nodes for o in n.output}
            wanted = [n for m in nodes for n in m.input if n and n not in made]
            listed = [raw(self.values[v].name) for v in step["operands"] if v is not None]
            if sorted(listed) != sorted(map(raw, wanted)):
                raise Wrong(f"{self.plan.name(i)} does not read what its nodes read")
        return graph, nodes[-1]

    def same_names(self, i, listed, names, operands):
        names = list(names)
        for k, name in enumerate(names):
            v = listed[k] if k < len(listed) else None
            if v is None:
                if name and operands and not self.is_left_out(name, self.steps[i]["graph"]):
                    raise Wrong(f"{self.plan.name(i)} leaves out '{name}'")
                continue
            value = self.values[v]
            of = self.values[value.row["clone_of"]] if "clone_of" in value.row else value
            inside = of.graph == "" or self.steps[i]["graph"] == of.graph or self.steps[i]["graph"].startswith(of.graph + "/")
            if raw(of.name) != raw(name) or not inside:
                raise Wrong(f"{self.plan.name(i)} has '{value.name}' in place of '{name}'")

    def is_left_out(self, name, path):
        return self.graph_at[path].is_function or not any(v.name == name for v in self.values)

    def read_operands(self, i, graph, node):
        step, why = self.steps[i], self.plan.name(i)
        for k, v in enumerate(step["operands"]):
            if v is None:
                continue
            if k in step["shape_only"]:
                left_out = any(k == r + 2 and step["results"][r] is None for r in carried(step) if r < len(step["results"]))
                if (node.op_type, k) not in SHAPE_READERS and not left_out:
                    if is_defined(step["nodes"][-1]) or (node.domain, node.op_type) in OVERWRITE:
                        raise Wrong(f"{why} reads more of '{self.values[v].name}' than its shape")
                    self.note(f"shape alone: {node.op_type} {k}")
                if v not in self.content:
                    raise Wrong(f"{why}: the shape of '{self.values[v].name}' is not known yet")
                continue
            if v not in step["reads"]:
                raise Wrong(f"{why} reads '{self.values[v].name}', and nobody can know")
            self.expect(v, i, why)

    def run_op(self, i):
        step = self.steps[i]
        graph, node = self.node(i)
        results = [None if r is None else self.values[r] for r in step["results"]]
        if step["idle"]:
            self.defined(i)
        else:
            self.read_operands(i, graph, node)
        made = self.made(i, graph, node, results)
        if step["idle"]:
            if (node.domain, node.op_type) in OVERWRITE:
                raise Wrong(f"{self.plan.name(i)} is idle, and has something to write")
            self.run_idle(i, made)
        else:
            self.run_kernel(i, graph, made)
        self.free(step)

    def defined(self, i):
        for v in self.steps[i]["operands"]:
            if v is not None and v not in self.content and self.values[v].role != "const":
                raise Wrong(f"{self.plan.name(i)}: '{self.values[v].name}' has not been made yet")

    def made(self, i, graph, node, results):
        """By result the marks that it is to hold."""
        step = self.steps[i]
        self.moved_known = True
        if "fused" in step:
            return [None if r is None else self.fresh(r) for r in results]
        values = [None if v is None else self.values[v] for v in step["operands"]]
        tags = [None if v is None or not self.values[v].placed else self.marks(v) for v in step["operands"]]
        found, self.moved_known = movement.contents(graph, node, values, tags, results, self.grain)
        kept = {c["result"] for c in step["claims"] if c["promise"] == "keep"}
        if not step["idle"]:  # what a kernel copies has marks of its own, so that it is not taken for what is there
            found = [t if p in kept else None for p, t in enumerate(found)]
        made = []
        for r, t in zip(results, found):
            if r is None:
                made.append(None)
            elif t is None and r.role == "const" and r.index in self.content:
                made.append(self.marks(r.index))
            elif t is None and len(made) in kept and not (self.knows(i) and self.moved_known):
                made.append(self.kept_on_trust(step, len(made), r))
            elif t is None or t.size != r.bytes // self.grain:
                made.append(self.fresh(r))
            else:
                made.append(np.where(t == movement.NEW, self.fresh(r), t) if (t == movement.NEW).any() else t)
        return made

    def kept_on_trust(self, step, p, result):
        """Of an op that nobody knows: new marks, but for what a claim says it keeps."""
        laid = self.plan.as_laid(result, self.fresh(result)).copy()
        for v in (step["operands"][c["operand"]] for c in step["claims"] if (c["result"], c["promise"]) == (p, "keep")):
            operand = self.values[v]
            lo, hi = max(result.lo, operand.lo), min(result.hi, operand.hi)
            here, there = ([(edge - of.lo) // self.grain for edge in (lo, hi)] for of in (result, operand))
            laid[here[0]:here[1]] = self.place(operand)[there[0]:there[1]]
        return self.plan.as_read(result, laid)

    def run_idle(self, i, made):
        """Nothing is run: the bytes have to be there."""
        step = self.steps[i]
        for r, marks in zip(step["results"], made):
            if r is None:
                continue
            value = self.values[r]
            node = step["nodes"][-1]
            if self.content.get(r) is not DATA:
                self.content[r] = marks
            if value.placed and value.bytes and not np.array_equal(self.place(value), self.plan.as_laid(value, marks)):
                if self.knows(i) and self.moved_known or "fused" in step or is_strange(node):
                    raise Wrong(f"{self.plan.name(i)} is idle, and '{value.name}' is not there")
                self.note(f"idle: {node['domain']}::{node['op']}")
                self.content[r] = DATA if self.content[r] is DATA else self.plan.as_read(value, self.place(value)).copy()

    def knows(self, i):
        return is_defined(self.steps[i]["nodes"][-1]) and "fused" not in self.steps[i]

    def run_kernel(self, i, graph, made):
        step = self.steps[i]
        self.check_claims(i, graph, made)
        self.check_overwritten(i)
        for w in step["workspace"]:
            if w["kept"]:
                self.expect(w["value"], i, self.plan.name(i))
            self.put(w["value"], self.fresh(self.values[w["value"]]), i)
        for r, marks in zip(step["results"], made):
            if r is not None:
                self.put(r, marks, i)
        for claim in step["claims"]:
            if claim["promise"] == "definition":
                self.define(i, claim)
        for v in (*step["results"], *(w["value"] for w in step["workspace"])):
            if v is not None:
                self.expect(v, None, f"{self.plan.name(i)} has written")

    def define(self, i, claim):
        v = self.steps[i]["operands"][claim["operand"]]
        if claim["result"] is None:
            self.put(v, self.fresh(self.values[v]), i)
        else:
            self.replaced[v] = self.steps[i]["results"][claim["result"]]

    def check_overwritten(self, i):
        """What an op overwrites by its definition, and names no result for."""
        step, node = self.steps[i], self.steps[i]["nodes"][-1]
        k, named = OVERWRITE.get((node["domain"], node["op"]), (None, 0))
        if k is None or named < len(step["results"]) and step["results"][named] is not None:
            return
        if not any(c["promise"] == "definition" and c["operand"] == k for c in step["claims"]):
            raise Wrong(f"{self.plan.name(i)} writes over an operand, and no claim says so")

    def check_claims(self, i, graph, made):
        """A result may have bytes in common with an operand that is read only as a claim says; workspace never."""
        step = self.steps[i]
        claims = {(c["result"], c["operand"]): c for c in step["claims"]}
        for w in step["workspace"]:
            for v in (*step["operands"], *step["results"]):
                if v is not None and self.values[w["value"]].meets(self.values[v]) and w["value"] != v:
                    raise Wrong(f"{self.plan.name(i)}: its workspace lies on '{self.values[v].name}'")
        for k, v in enumerate(step["operands"]):
            if v is None or k in step["shape_only"]:
                continue
            for p, r in enumerate(step["results"]):
                if r is not None and self.values[r].meets(self.values[v]):
                    self.check_claim(i, graph, (p, r, made[p]), (k, v), claims.get((p, k)))

    def check_claim(self, i, graph, result, operand, claim):
        p, r, marks = result
        k, v = operand
        names = f"{self.plan.name(i)} writes '{self.values[r].name}' over '{self.values[v].name}'"
        if claim is None:
            raise Wrong(f"{names}, which it reads, without a claim")
        if claim["promise"] == "keep":
            if is_strange(self.steps[i]["nodes"][-1]) and not self.plan.facts:
                raise Wrong(f"{names}: nobody knows the op, nor what it keeps")
            if self.knows(i) and self.moved_known:
                self.kept(r, v, marks, names)
            else:
                self.note(f"keep: {self.steps[i]['nodes'][-1]['op']}")
            return
        wrong = self.judge.wrong(self.plan, graph, self.steps[i], claim)
        if wrong is not None:
            raise Wrong(f"{names}: {wrong}")

    def kept(self, r, v, marks, names):
        """The bytes in common hold what the result needs."""
        result, operand = self.values[r], self.values[v]
        lo, hi = max(result.lo, operand.lo), min(result.hi, operand.hi)
        of_result = self.plan.as_laid(result, marks)[(lo - result.lo) // self.grain:(hi - result.lo) // self.grain]
        there = self.plan.as_laid(operand, self.marks(v))[(lo - operand.lo) // self.grain:(hi - operand.lo) // self.grain]
        if not np.array_equal(of_result, there):
            raise Wrong(f"{names}: it does not need there what lies there")


def raw(name):
    return name if isinstance(name, bytes) else name.encode("utf-8", "surrogateescape")


def runs_of(mask):
    """[begin, end) of the places where a mask is true."""
    if mask.all():
        return [(0, mask.size)]
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.view(np.int8), [0]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist()))


def judge(model, plan, orders=True):
    """None, or what is wrong; the simulation, for what it did not judge."""
    made = Simulation(model, plan)
    try:
        made.run()
        if orders:
            check_orders(plan, made.accesses)
    except Wrong as wrong:
        return str(wrong), made
    except (IndexError, KeyError, StopIteration) as wrong:
        return f"the plan names what is not there: {wrong!r}", made
    return None, made


__all__ = ["Simulation", "Wrong", "NotJudged", "judge"]
