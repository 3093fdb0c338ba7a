"""Executes the steps of a plan in their order, in a memory of arena.py.

If, Loop, Scan and calls of model-local functions are run here, body by body, because their steps are steps
of the plan; other ops with nested graphs by more_bodies.py.
"""

import functools

import numpy as np

import formulas
import inside
import more_bodies
import reads
from arena import DTYPES, Arena
from graphs import Unsupported, plain_node
from kernels import attributes_of

MOST_ROUNDS = 16  # iterations of a loop whose results do not show how many there were; more add nothing
MOST_ROWS = 1000  # of any other
# Claims of an order of elements, and whether it is from the last to the first.
ORDERS = {"ascending": False, "descending": True}


class Run:
    """One execution of `plan`, for `file`, in `memory`, with `kernels`."""

    def __init__(self, file, plan, memory, kernels):
        self.file, self.plan, self.memory, self.kernels = file, plan, memory, kernels
        self.steps = plan["steps"]
        self.ids = {(v["graph"], v["name"]): k for k, v in enumerate(plan["values"])}
        self.stacked = set()  # results of a loop that are there already, row by row
        self.changed = set()  # values that an op overwrote without a result for their new content

    # names

    def find(self, graph, name):
        """The value a name means in a graph."""
        while graph is not None:
            vid = self.ids.get((graph.path, name))
            if vid is not None:
                return vid
            graph = graph.outer
        return None

    def value(self, graph, name):
        if name == "":
            return None
        vid = self.find(graph, name)
        if vid is None:
            raise Unsupported(f"'{name}' is no value of the plan")
        return self.memory.read(vid)

    def write(self, graph, name, array, covered=()):
        vid = self.ids.get((graph.path, name)) if name else None
        if vid is not None:
            self.memory.write(vid, array, covered)

    # constants and inputs

    def set_up(self, graph):
        """Writes the constants of a graph, once."""
        for name, array in graph.initializers.items():
            vid = self.ids.get((graph.path, name))
            if vid is not None and not self.memory.knows(vid):
                self.memory.write(vid, array)
        for node in graph.nodes:
            if node.op_type == "Constant" and node.domain in ("", "ai.onnx"):
                vid = self.ids.get((graph.path, node.output[0]))
                if vid is not None and self.plan["values"][vid]["step"] is None:
                    self.memory.write(vid, self.file.constant(graph, node))

    def run(self, inputs):
        """name -> array of every output of the main graph."""
        main = self.file.main
        for name, array in inputs.items():
            self.write(main, name, array)
        self.set_up(main)
        self.sequence(main, self.top_level(0, len(self.steps)))
        self.memory.at = "the end"
        for vid in self.changed:  # the caller's, who wants them as the run left them
            self.memory.read(vid)
        return {name: self.value(main, name) for name in main.outputs}

    # steps

    def top_level(self, low, high):
        """Steps of [low, high) that lie in no body begun there."""
        at = low
        while at < high:
            yield at
            step = self.steps[at]
            at = step["partner"] + 1 if step["kind"] == "begin" else at + 1

    def sequence(self, graph, steps):
        for at in steps:
            step = self.steps[at]
            if step["graph"] != graph.path or not 0 <= step["node"] < len(graph.nodes):
                raise Unsupported(f"step {at} lies in '{step['graph']}', not in '{graph.path}'")
            node = graph.nodes[step["node"]]
            if node.op_type != step["op"]:
                raise Unsupported(f"node {step['node']} is {node.op_type}, the plan says {step['op']}")
            self.memory.at = f"step {at} ({node.op_type} '{node.name}')"
            node = self.with_clones(node, step)
            if step["kind"] == "begin":
                self.with_bodies(graph, node, at)
            else:
                self.node(graph, node, at)
                self.memory.free(step["frees"])

    def with_clones(self, node, step):
        """The node with the names that its step has: it may read results of clones, or be one."""
        values = self.plan["values"]
        clones = [(what, k, values[v]["name"]) for what in ("operands", "results") for k, v in enumerate(step[what])
                  if v is not None and "clone_of" in values[v]]
        if not clones:
            return node
        made = type(node)()
        made.CopyFrom(node)
        for what, k, name in clones:
            (made.input if what == "operands" else made.output)[k] = name
        return made

    def node(self, graph, node, at):
        plain = plain_node(node, graph.attributes) if graph.attributes else node
        inputs = [self.operand(graph, name, self.steps[at]["reads"]) for name in node.input]
        types = [
            self.plan["values"][v] if v is not None else None
            for v in (self.find(graph, name) if name else None for name in node.output)
        ]
        results = self.kernels.run(plain, inputs, self.file.opsets, types)
        begun = self.begun(graph, node, at)
        again = None
        if begun and not self.kernels.last_stood_in:  # operands as they lie, though the result has been begun
            def again():
                given = [self.memory.peek(self.find(graph, name)) if k in begun else inputs[k]
                         for k, name in enumerate(node.input)]
                return self.kernels.run_once(plain, given, self.file.opsets, types)[0]
        tight = self.in_time(plain, at, inputs) if begun and isinstance(self.memory, Arena) else ()
        self.results(graph, node, results, self.steps[at]["claims"], again, tight)
        self.unnamed(graph, node, inputs)

    def begun(self, graph, node, at):
        """Positions of the operands in which the result begins."""
        return {c["operand"] for c in self.steps[at]["claims"] if inside.is_inside(c)}

    def in_time(self, node, at, inputs):
        """Checks that a step whose result begins inside operands reads all their elements before it writes there; the
        units of the result that come closest."""
        step, tight = self.steps[at], []
        result = next(v for v in step["results"] if v is not None)
        value, overlaps = self.plan["values"][result], self.plan["values"][result]["overlaps"]
        version = self.file.opsets.get("" if node.domain == "ai.onnx" else node.domain, 1)
        shapes = [getattr(x, "shape", None) for x in inputs]
        facts = reads.Node(node.op_type, attributes_of(node), version, shapes, value["dims"], lambda k: inputs[k])
        for said in overlaps:
            operand = self.plan["values"][said["value"]]
            widths = [DTYPES[v["dtype"]].itemsize for v in (value, operand)]
            found = [inside.distance(facts, k, value, operand, said["order"], widths)
                     for k, v in enumerate(step["operands"]) if v == said["value"]]
            if None in found:
                self.memory.unknown[node.op_type] += 1
                continue
            tight += [unit for _, unit in found]
            self.memory.begin(result, said, max(least for least, _ in found))
        return tight

    def unnamed(self, graph, node, inputs):
        """Accumulators change their first operand, whether or not a result is named for that."""
        if node.op_type == "InPlaceAccumulatorV2" and not any(node.output[1:]):
            vid = self.find(graph, node.input[0])
            self.memory.write(vid, formulas.accumulate({}, inputs, 2)[1])
            if graph is self.file.main and node.input[0] in (*graph.inputs, *graph.initializers):
                self.changed.add(vid)

    def operand(self, graph, name, reads):
        """The value; for one whose data the step does not read (Shape, the type of CastLike), and whose bytes
        may be gone, zeros of its type."""
        vid = self.find(graph, name) if name else None
        if vid is None or vid in reads:
            return self.value(graph, name)
        planned = self.plan["values"][vid]
        if planned["storage"] is None:
            return self.memory.read(vid)
        dims = self.memory.shape(vid) if -1 in planned["dims"] else planned["dims"]
        return np.zeros(dims, DTYPES[planned["dtype"]])

    def results(self, graph, node, results, claims=(), again=None, tight=()):
        """Writes the results, but where they are views of operands or hold them; in the order claimed, where one is."""
        ids = [(name, self.ids.get((graph.path, name))) for name in node.output]
        for at, ((name, vid), array) in enumerate(zip(ids, results)):
            if vid is not None:
                covered = self.views_between(graph, node, vid)
                if covered and self.kernels.last_stood_in:
                    raise Unsupported(f"a view of unknown content: {self.kernels.last_stood_in}")
                over = [c for c in claims if c["promise"] in ORDERS and c["result"] == at]
                if again is not None and isinstance(self.memory, Arena):
                    order = self.plan["values"][vid]["overlaps"][0]["order"]
                    inside.go_through(self.memory, vid, array, order, again, tight)
                elif over:
                    operands = {self.find(graph, node.input[c["operand"]]) for c in over}
                    self.memory.go_through(vid, array, operands, ORDERS[over[0]["promise"]])
                else:
                    self.memory.write(vid, array, covered)
        for name, vid in ids:  # no result may have gone over another
            if vid is not None:
                self.memory.read(vid)

    def views_between(self, graph, node, vid):
        """Operands that share their bytes with a result by an edge of the plan that says view."""
        others = (self.find(graph, name) if name else None for name in node.input)
        return [other for other in others if self.is_view(vid, other)]

    def is_view(self, vid, other):
        """Whether an edge of the plan says that one of two placed values is a view of the other."""
        values = self.plan["values"]
        return (
            None not in (vid, other)
            and values[other]["storage"] is not None
            and any(values[a]["alias"] == "view" and values[a]["alias_of"] == b for a, b in ((vid, other), (other, vid)))
        )

    # ops with bodies

    def with_bodies(self, graph, node, begin):
        end = self.steps[begin]["partner"]
        inside = {self.steps[s]["graph"] for s in range(begin + 1, end)}
        inside |= {self.plan["values"][v]["graph"] for v in self.steps[begin]["writes"]}
        bodies = self.file.bodies(graph, node, inside)
        run = {"If": self.branches, "Loop": self.loop, "Scan": self.scan}.get(node.op_type)
        if self.file.function_of(node) is not None:
            run = self.call
        if run is not None and node.op_type == "Scan" and self.file.opsets.get("", 0) < 9:
            run = functools.partial(more_bodies.scan_8, self)
        elif run is None:
            run = functools.partial(more_bodies.MORE.get(node.op_type, more_bodies.unknown), self)
        for body in bodies.values():
            self.set_up(body)
        if self.file.function_of(node) is None:
            self.memory.free(self.steps[begin]["frees"])
        results = run(graph, node, bodies, begin, end)
        self.memory.at = f"step {end} (end of {node.op_type} '{node.name}')"
        for name, array in zip(node.output, results):
            vid = self.ids.get((graph.path, name))
            self.write(graph, name, array, [vid] if vid in self.stacked else ())
            self.stacked.discard(vid)
        for name in node.output:
            if name and self.ids.get((graph.path, name)) is not None:
                self.value(graph, name)
        self.memory.free(self.steps[end]["frees"])

    def body(self, body, begin, end):
        """Runs the steps of one body between begin and end; the outputs are read where they lie."""
        steps = [s for s in self.top_level(begin + 1, end) if self.steps[s]["graph"] == body.path]
        self.sequence(body, steps)
        self.memory.at = f"the end of '{body.path}'"
        return [self.value(body, name) for name in body.outputs]

    def skip(self, body, begin, end):
        for at in range(begin + 1, end):
            if self.steps[at]["graph"].startswith(body.path or "?"):
                self.memory.free(self.steps[at]["frees"])

    def branches(self, graph, node, bodies, begin, end):
        chosen = (
            "then_branch"
            if bool(np.asarray(self.value(graph, node.input[0])).reshape(-1)[0])
            else "else_branch"
        )
        results = None
        for name, body in bodies.items():
            if name == chosen:
                results = self.body(body, begin, end)
            else:
                self.skip(body, begin, end)
        return results

    def call(self, graph, node, bodies, begin, end):
        """Arguments are copies of operands, or the operands; those may end with the begin."""
        body = bodies["body"]
        given = [self.value(graph, name) for name in node.input]
        for name, outer, array in zip(body.inputs, node.input, given):
            if array is not None:
                vid, of = self.ids.get((body.path, name)), self.find(graph, outer)
                self.write(body, name, array, [of] if self.is_view(vid, of) else ())
        for name, array in zip(body.inputs, given):  # none may have gone over another
            if array is not None and self.ids.get((body.path, name)) is not None:
                self.value(body, name)
        self.memory.free(self.steps[begin]["frees"])
        return self.body(body, begin, end)

    def rounds(self, body, begin, end, first, again, limit=None):
        """Writes arguments and runs the body until `again` gives no more of them, or `limit` times."""
        arguments, count = first, 0
        while arguments is not None:
            if count == limit:
                return
            count += 1
            if count > MOST_ROWS:
                raise Unsupported(f"more than {MOST_ROWS} rounds of a loop")
            for name, array in zip(body.inputs, arguments):
                if array is not None:
                    self.write(body, name, array)
            arguments = again(count, self.body(body, begin, end))

    def loop(self, graph, node, bodies, begin, end):
        body = bodies["body"]
        given = [self.value(graph, name) for name in node.input]
        most = None if given[0] is None else int(np.asarray(given[0]).reshape(-1)[0])
        go = True if len(given) < 2 or given[1] is None else bool(np.asarray(given[1]).reshape(-1)[0])
        state = given[2:]
        n_state, rows = len(state), [[] for _ in range(len(body.outputs) - 1 - len(state))]
        shape = self.condition_shape(body)

        def again(count, outputs):
            state[:] = outputs[1 : 1 + n_state]
            for k, part in enumerate(outputs[1 + n_state :]):
                self.put_row(graph, node, n_state + k, count - 1, part)
                rows[k].append(part)
            if not bool(np.asarray(outputs[0]).reshape(-1)[0]) or (most is not None and count >= most):
                return None
            return [scalar(count, np.int64, shape[0]), scalar(True, np.bool_, shape[1]), *state]

        if go and (most is None or most > 0):
            self.rounds(
                body,
                begin,
                end,
                [scalar(0, np.int64, shape[0]), scalar(True, np.bool_, shape[1]), *state],
                again,
                None if rows else MOST_ROUNDS,
            )
        self.still_there(graph, node, body, 2, n_state)
        return state + [
            np.stack(r) if r else self.no_rows(graph, node, n_state + k) for k, r in enumerate(rows)
        ]

    def still_there(self, graph, node, body, first, n_state):
        """Operands of a loop are needed to its end, but states that the body's argument lies on."""
        values = self.plan["values"]
        for k, name in enumerate(node.input):
            vid, inner = self.find(graph, name) if name else None, None
            if first <= k < first + n_state:
                inner = self.ids.get((body.path, body.inputs[k]))
            if vid is None or inner is None or values[vid]["storage"] is None or any(
                values[vid][what] != values[inner][what] for what in ("storage", "offset", "bytes")
            ):
                self.value(graph, name)

    # what a loop stacks up is written row by row, while the body's values are alive

    def put_row(self, graph, node, result, at, part):
        vid = self.ids.get((graph.path, node.output[result])) if result < len(node.output) else None
        if vid is not None:
            self.memory.write_row(vid, at, part)
            self.stacked.add(vid)

    def no_rows(self, graph, node, result):
        vid = self.ids.get((graph.path, node.output[result])) if result < len(node.output) else None
        planned = self.plan["values"][vid] if vid is not None else None
        if planned is None or planned["storage"] is None:
            raise Unsupported("a loop that does not run stacks up rows of unknown size")
        return np.zeros([0, *(max(d, 0) for d in planned["dims"][1:])], DTYPES[planned["dtype"]])

    def condition_shape(self, body):
        """Extents of the counter and of the condition: some exporters give them one extent of 1."""
        shapes = []
        for name in body.inputs[:2]:
            vid = self.ids.get((body.path, name))
            dims = self.plan["values"][vid]["dims"] if vid is not None else []
            shapes.append([max(1, d) for d in dims])
        return shapes + [[]] * (2 - len(shapes))

    def scan(self, graph, node, bodies, begin, end):
        body = bodies["body"]
        options = {a.name: a for a in node.attribute}
        n_scan = options["num_scan_inputs"].i
        given = [self.value(graph, name) for name in node.input]
        state, inputs = given[: len(given) - n_scan], given[len(given) - n_scan :]
        n_out = len(body.outputs) - len(state)

        def of(name, count):
            return list(options[name].ints) if name in options else [0] * count

        if len({x.shape[axis] for x, axis in zip(inputs, of("scan_input_axes", n_scan))}) > 1:
            raise Unsupported("operands of a Scan of different lengths")
        inputs = [np.moveaxis(x, axis, 0) for x, axis in zip(inputs, of("scan_input_axes", n_scan))]
        inputs = [x[::-1] if back else x for x, back in zip(inputs, of("scan_input_directions", n_scan))]
        rows = [[] for _ in range(n_out)]
        n_state = len(state)
        axes, backs = of("scan_output_axes", n_out), of("scan_output_directions", n_out)

        def again(count, outputs):
            state[:] = outputs[:n_state]
            for k, part in enumerate(outputs[n_state:]):
                if axes[k] == 0:
                    self.put_row(
                        graph, node, n_state + k, len(inputs[0]) - count if backs[k] else count - 1, part
                    )
                rows[k].append(part)
            return [*state, *(x[count] for x in inputs)] if count < len(inputs[0]) else None

        if len(inputs[0]) > 0:
            self.rounds(body, begin, end, [*state, *(x[0] for x in inputs)], again)
        self.still_there(graph, node, body, 0, n_state)
        outs = []
        for k, row in enumerate(rows):
            if not row:
                outs.append(self.no_rows(graph, node, n_state + k))
                continue
            outs.append(np.moveaxis(np.stack(row[::-1] if backs[k] else row), 0, axes[k]))
        return state + outs


def scalar(value, dtype, shape):
    return np.full(shape, value, dtype)
