"""Random models in which data decide extents, against ONNX Runtime: extents of all values are the plan's expressions in
every run, within their limits and their places, the checker takes the plan, and outputs are the bits of runs from the
plan alone.

usage: random_data.py TENURE DIR [--count N] [--first SEED]

Without --count 60 of them, 1000 where TENURE_SOAK is set. A model is its seed. A node is tried in ONNX Runtime at all
draws as it is added, and left out where it fails at most of them; draws at which it fails are none of the model's. The
first two draws find nothing and everything. What ONNX Runtime does otherwise than operators are defined, and what
docs/PLAN.md says no run has, is left out as well. A failing model stays in DIR as SEED.onnx.
"""

import argparse
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "models")]
sys.path += [os.path.join(os.path.dirname(HERE), name) for name in ("operators", "programs")]
from packages import np  # ends with 77 where the packages are missing

import onnx
from onnx import TensorProto, helper, numpy_helper

import from_plan
import runtime
from expressions import evaluate
from kernels import Kernels

FLOAT, INT, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
MODES = (("-O1",), ("-O2",), ("-O3", "--io=arena"))
DRAWS, MOST = 8, 2000


def kind_of(array):
    return helper.np_dtype_to_tensor_dtype(array.dtype)


def graph_of(nodes, name, inputs, outputs, values, draw, tensors):
    """A graph whose values have the element types that they have at a draw, and no shapes."""
    infos = [[helper.make_value_info(n, helper.make_tensor_type_proto(kind_of(values[n][draw]), None)) for n in names]
             for names in (inputs, outputs)]
    return helper.make_graph(nodes, name, *infos, tensors)


class Maker:
    def __init__(self, seed, session):
        self.rng, self.session = np.random.default_rng(seed), session
        self.opset, self.count = int(self.rng.integers(13, 22)), 0
        self.draws, self.values, self.inputs = list(range(DRAWS)), {}, {}
        self.nodes, self.tensors, self.scope, self.inside = [], {}, [], False

    def below(self, n):
        return int(self.rng.integers(n))

    def one_of(self, things):
        return things[self.below(len(things))]

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def const(self, array):
        name = self.name()
        self.tensors[name] = numpy_helper.from_array(np.asarray(array), name)
        self.values[name] = [np.asarray(array)] * DRAWS
        return name

    def at(self, name):
        return self.values[name][self.draws[0]]

    def model(self, graph):
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)

    def results(self, node, reads):
        """The results at each draw at which ONNX Runtime runs the node."""
        tensors = [self.tensors[n] for n in reads if n in self.tensors]
        given = [n for n in reads if n not in self.tensors]
        graph = graph_of([node], "one", given, [], self.values, self.draws[0], tensors)
        graph.output.extend(helper.make_value_info(o, onnx.TypeProto()) for o in node.output)
        found = {}
        try:
            session = self.session(self.model(graph))
            for d in self.draws:
                found[d] = session.run(None, {n: self.values[n][d] for n in given})
        except Exception:  # what it does not take is no node of the model
            pass
        return {d: r for d, r in found.items() if all(x.size <= MOST and x.ndim < 6 for x in r)}

    def ends_everything(self, op, names, attributes):
        """Whether ONNX Runtime ends the process at one of the draws; in bodies it may at one that is not tried."""
        last = [self.values[names[-1]][d] for d in self.draws]
        if op in ("Div", "Mod"):
            return self.inside or any((x == 0).any() for x in last)
        return op == "Unique" and "axis" in attributes and (self.inside or any(x.size == 0 for x in last))

    def is_own_way(self, op, names, attributes, d):
        """Whether there is no such run by the definition, or by docs/PLAN.md."""
        x = [self.values[n][d] for n in names]
        if op == "Reshape":
            varies = len({tuple(v) for v in self.values[names[1]]}) > 1
            return varies and any(w == 0 and (k >= x[0].ndim or x[0].shape[k]) for k, w in enumerate(x[1]))
        if op == "Concat":
            k = attributes["axis"]
            return len({a.shape[:k] + a.shape[k + 1 :] for a in x}) > 1
        if op in ("NonZero", "ReduceSum", "ArgMax"):
            return x[0].ndim == 0 or (op != "NonZero" and x[0].size == 0)
        if op == "Slice":
            return any(step < 0 and end > 2**31 for end, step in zip(x[2], x[4]))
        shapes = [x[0].shape, tuple(x[1])] if op == "Expand" else [a.shape[: -2 if op == "MatMul" else None] for a in x]
        if op in ("Add", "Sub", "Mul", "Max", "Min", "Div", "Mod", "Where", "Expand", "MatMul", "Less", "Equal", "Greater"):
            return any({s[-k] for s in shapes if len(s) >= k} == {0, 1} for k in range(1, 6))
        return False

    def add(self, op, names, outs=1, reads=None, **attributes):
        """The results' names; None where the node is left out."""
        if None in names or self.ends_everything(op, names, attributes):
            return None
        node = helper.make_node(op, names, [self.name() for _ in range(outs)], **attributes)
        found = self.results(node, reads or list(dict.fromkeys(names)))
        found = {d: r for d, r in found.items() if not self.is_own_way(op, names, attributes, d)}
        if len(found) < max(3, len(self.draws) - self.below(4)) or any(len({x.ndim for x in k}) > 1 for k in zip(*found.values())):
            return None
        self.draws = sorted(found)
        for k, n in enumerate(node.output):
            self.values[n] = [found[d][k] if d in found else np.zeros(0) for d in range(DRAWS)]
        self.nodes.append(node)
        self.scope += node.output
        return list(node.output)

    def first(self, *arguments, **attributes):
        return (self.add(*arguments, **attributes) or [None])[0]

    def pick(self, fits, tries=3):
        """Rather one whose extents differ from run to run, and one made of late."""
        names = [n for n in self.scope if fits(self.at(n))]
        names = names[-8:] if self.below(2) else names
        for _ in range(tries if names else 0):
            name = self.one_of(names)
            if len({self.values[name][d].shape for d in self.draws}) > 1:
                break
        return name if names else None

    def floats(self, least=0):
        return self.pick(lambda a: a.dtype == np.float32 and a.ndim >= least)

    # numbers that become extents: int64[1]

    def number(self):
        how, old = self.below(6), self.pick(lambda a: a.dtype == np.int64 and a.shape == (1,))
        if how == 0:
            return self.const([self.one_of([0, 1, 2, 3, 5, -1, -2])])
        if how < 3 or old is None:
            x = self.pick(lambda a: a.ndim > 0)
            k = self.const([self.below(self.at(x).ndim)])
            return self.first("Gather", [self.first("Shape", [x]), k], axis=0)
        if how == 3:
            return old
        other = self.number() if self.below(2) else self.const([self.one_of([1, 2, 3, -1, 4])])
        pair = [old, other][:: self.one_of([1, -1])]
        op = self.one_of(["Add", "Sub", "Sub", "Mul", "Div", "Div", "Mod", "Min", "Max", "Less", "ReduceSum"])
        if op == "Less":
            return self.first("Cast", [self.first("Less", pair)], to=INT)
        if op == "ReduceSum":
            return self.first("ReduceSum", [self.first("Concat", pair, axis=0), self.const([0])])
        return self.first(op, pair)

    def numbers(self, n):
        return self.first("Concat", [self.number() for _ in range(n)], axis=0)

    def scalar(self):
        return self.first("Squeeze", [self.number(), self.const([0])])

    # nodes

    def grow(self):
        x = self.floats(1)
        shape, axis = self.at(x).shape, self.below(self.at(x).ndim)
        how = self.one_of([self.find, self.find, self.cut, self.cut, self.shape, self.shape, self.join, self.plain, self.plain]
                          + [self.branch, self.loop] * (not self.inside))
        how(x, len(shape), axis)

    def find(self, x, rank, axis):
        how = self.below(5)
        if how == 0:
            at = self.first("Transpose", [self.first("NonZero", [x])], perm=[1, 0])
            self.add("GatherND", [x, at])
        elif how == 1:
            self.add("Unique", [x], 1 + self.below(4), **({"axis": axis} if self.below(2) else {}))
        elif how == 2:
            self.add("TopK", [x, self.number()], 2, axis=axis)
        else:
            y = self.pick(lambda a: a.dtype == np.float32 and a.ndim == 1)
            if y:
                known = self.const(self.rng.random(2) < 0.6)
                keep = self.first("Greater", [y, self.const(np.float32(0))]) if self.below(4) else known
                self.add("Compress", [x, keep], **({"axis": axis} if self.below(3) else {}))

    def cut(self, x, rank, axis):
        bounds = [self.number(), self.number()]
        if self.below(2):
            k = self.below(2)
            bounds[k] = self.const([self.one_of([0, 1, -2, 4, -(2**63), 2**63 - 1])])
        step = self.const([self.one_of([1, 1, 2, -1, -2, 3])])
        if self.below(4):
            self.add("Slice", [x, *bounds, self.const([axis]), step])
        else:
            all_ = self.first("Gather", [self.first("Shape", [x]), self.const([axis])], axis=0)
            part = self.number()
            rest = self.first("Sub", [all_, part])
            self.add("Split", [x, self.first("Concat", [part, rest], axis=0)], 2, axis=axis)

    def shape(self, x, rank, axis):
        how = self.below(7)
        if how < 3:
            sizes = self.first("Shape", [x])
            entries = [self.first("Gather", [sizes, self.const([k])], axis=0) for k in range(rank)]
            entries[axis] = self.const([self.one_of([-1, -1, 0])])
            entries.insert(self.below(rank + 1), self.number() if self.below(3) == 0 else self.const([1]))
            self.add("Reshape", [x, self.first("Concat", entries, axis=0)])
        elif how == 3:
            self.add("Expand", [x, self.numbers(rank)])
        elif how == 4:
            self.add("Tile", [x, self.numbers(rank)])
        elif how == 5:
            self.add("ConstantOfShape", [self.numbers(1 + self.below(2))])
        else:
            range_ = self.first("Range", [self.scalar(), self.scalar(), self.const(self.one_of([1, 2, -1]))])
            self.first("Cast", [range_], to=FLOAT)

    def join(self, x, rank, axis):
        def fits(a):
            return a.dtype == np.float32 and a.ndim == rank and all(a.shape[k] == d for k, d in enumerate(self.at(x).shape) if k != axis)

        self.add("Concat", [x, self.pick(fits), self.pick(fits)], axis=axis)

    def plain(self, x, rank, axis):
        y = self.floats()
        how = self.below(5)
        if how == 0:
            self.add(self.one_of(["Relu", "Neg", "Abs"]), [x])
        elif how == 1:
            self.add(self.one_of(["Add", "Mul", "Max"]), [x, y])
        elif how == 2:
            self.add("Transpose", [x], perm=[int(k) for k in self.rng.permutation(rank)])
        elif how == 3:
            self.add("MatMul", [x, y])
        else:
            self.add("ReduceSum", [x, self.const([axis])], keepdims=self.below(2))

    def body(self, arguments, make):
        """(graph, what it reads of outside): a graph of nodes of its own. `make` grows it and names its outputs."""
        nodes, scope, self.nodes, self.inside = self.nodes, list(self.scope), [], True
        self.scope += [a for a in arguments if self.at(a).ndim or self.at(a).dtype == np.float32]
        outputs = make()
        inner, self.nodes, self.scope, self.inside = self.nodes, nodes, scope, False
        if None in outputs:
            return None, []
        made = {o for n in inner for o in n.output}
        reads = [i for n in inner for i in n.input if i not in made and i not in arguments]
        return graph_of(inner, self.name(), arguments, outputs, self.values, self.draws[0], []), reads

    def branch(self, x, rank, axis):
        def side():
            self.grow()
            return [self.first(self.one_of(["Neg", "Abs"]), [self.pick(lambda a: a.dtype == np.float32 and a.ndim == rank)])]

        (then, one), (other, two) = self.body([], side), self.body([], side)
        test = self.first("Less", [self.scalar(), self.scalar()])
        if then and other and test:
            reads = list(dict.fromkeys([test, *one, *two]))
            self.add("If", [test], reads=reads, then_branch=then, else_branch=other)

    def loop(self, x, rank, axis):
        """Of at least one round: ONNX Runtime does not know the rank of what no round makes."""
        names = [self.name() for _ in range(3)]
        for n, array in zip(names, (np.array(0), np.array(True))):
            self.values[n] = [array] * DRAWS
        self.values[names[2]] = list(self.values[x])

        def rounds():
            self.grow()
            row = self.first("Neg", [self.floats()])
            go = self.first("Identity", [names[1]])
            return [go, self.first("Abs", [names[2]]), *([row] if row else [])]

        body, reads = self.body(names, rounds)
        trips = self.const(np.array(1 + self.below(3)))
        if body:
            reads = list(dict.fromkeys([trips, x, *reads]))
            self.add("Loop", [trips, "", x], len(body.output) - 1, reads=reads, body=body)

    # the model

    def give(self, name, shape, arrays):
        self.inputs[name], self.values[name] = shape, arrays
        self.scope.append(name)

    def make(self):
        """The model, with the values that nobody reads as outputs."""
        for k in range(1 + self.below(3)):
            shape = [self.one_of([1, 2, 3, 4, 5, 8]) for _ in range(self.one_of([1, 1, 2, 2, 3]))]
            arrays = [np.round(self.rng.standard_normal(shape) * 3) * (self.rng.random(shape) < self.rng.random()) for _ in range(DRAWS)]
            arrays[:2] = np.zeros(shape), np.abs(arrays[1]) + 1
            self.give(f"x{k}", shape, [a.astype(np.float32) for a in arrays])
        self.give("k", [1], [np.array([d]) if d < 2 else self.rng.integers(-2, 6, 1) for d in range(DRAWS)])
        self.find("x0", len(self.inputs["x0"]), 0)
        for _ in range(4 + self.below(8)):
            self.grow()
        made = [n for n in self.scope if n not in self.inputs]
        read = {i for n in self.nodes for i in n.input}
        outputs = [n for n in made if n not in read] or made[-1:]
        graph = graph_of(self.nodes, "random", [], outputs, self.values, self.draws[0], list(self.tensors.values()))
        graph.input.extend(helper.make_tensor_value_info(n, kind_of(self.at(n)), s) for n, s in self.inputs.items())
        return self.model(graph), outputs


def check_extents(plan, values, draws):
    """Extents of values of the main graph, by name and draw."""
    variant, texts, seen = plan["programs"][0]["variants"][0], plan["expressions"], 0
    known = [(v, values[v["name"]]) for v in variant["values"] if v["name"] in values]
    for d in draws:
        found = {}
        for data in variant.get("by_data", []):
            name = variant["values"][data["value"]]["name"] if data["value"] is not None else None
            if name in values:
                found[data["dim"]] = values[name][d].shape[data["axis"]]
                assert found[data["dim"]] <= data["most"], f"draw {d}: '{data['dim']}' is {found[data['dim']]}, at most {data['most']}"
        for value, arrays in known:
            ranked = value["storage"] is not None or value["dims"]
            for axis, (extent, real) in enumerate(zip(value["dims"], arrays[d].shape, strict=True) if ranked else ()):
                try:
                    said = None if extent is None else evaluate(extent, texts, found)
                except KeyError:  # of what only a body has
                    continue
                assert said in (None, real), f"draw {d}: axis {axis} of '{value['name']}', {value['type']}, is {said}, {real} in the run"
                seen += 1
            assert value["storage"] is None or arrays[d].nbytes <= value["bytes"], f"draw {d}: '{value['name']}' is larger than its place"
    return seen


def check_runs(tenure, path, mode, plan, made, outputs, kernel):
    weights = []
    if any(pool["kind"] == "const" for pool in plan["pools"]):
        subprocess.run([tenure, "plan", path, *mode, "-q", "--emit=weights", "-o", path + ".bin"], capture_output=True, check=True)
        weights = from_plan.load_weights(path + ".bin", plan)
        os.remove(path + ".bin")
    for d in made.draws:
        machine = from_plan.Machine(plan, weights, kernel, {})
        names = [[machine.values[v]["name"] for v in machine.variant[which]] for which in ("inputs", "outputs")]
        for name, got in zip(names[1], machine.run([made.values[n][d] for n in names[0]])):
            want = made.values[name][d]
            assert got.shape == want.shape and got.tobytes() == want.tobytes(), f"draw {d}: '{name}' differs"
    return len(made.draws)


def try_model(tenure, path, made, outputs, kernel):
    """(plans, extents, runs)"""
    extents = runs = 0
    for mode in MODES:
        done = subprocess.run([tenure, "plan", path, *mode, "-q", "--emit=json", "-o", path + ".json"], capture_output=True, text=True)
        assert done.returncode == 0, f"{mode}: exit code {done.returncode}: {done.stderr}"
        with open(path + ".json", encoding="utf-8") as f:
            plan = json.load(f)
        done = subprocess.run([tenure, "check", path, path + ".json"], capture_output=True, text=True)
        assert done.returncode == 0, f"{mode}: {done.stderr}"
        os.remove(path + ".json")
        extents += check_extents(plan, made.values, made.draws)
        runs += check_runs(tenure, path, mode, plan, made, outputs, kernel)
    return len(MODES), extents, runs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("folder")
    parser.add_argument("--count", type=int, default=1000 if os.environ.get("TENURE_SOAK") else 60)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    if not runtime.is_there():
        sys.exit(77)
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    sessions, kernels = runtime.Sessions(), Kernels(False)

    def session(model):
        return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])

    def kernel(node, contents, opsets, results):
        got = sessions.run(node, contents, opsets)
        return kernels.run(node, contents, opsets, results) if got is None else got

    os.makedirs(args.folder, exist_ok=True)
    total, wrong = [0, 0, 0], []
    for seed in range(args.first, args.first + args.count):
        made = Maker(seed, session)
        model, outputs = made.make()
        path = os.path.join(args.folder, f"{seed}.onnx")
        onnx.save(model, path)
        try:
            total = [a + b for a, b in zip(total, try_model(args.tenure, path, made, outputs, kernel))]
            os.remove(path)
        except (AssertionError, ZeroDivisionError, from_plan.PlanError, KeyError, TypeError, ValueError) as error:
            wrong.append(f"seed {seed}: {type(error).__name__} {error}")
    print("\n".join(wrong))
    print(f"{total[0]} plans of {args.count - len(wrong)} models, {total[1]} extents as planned, {total[2]} runs equal to ONNX Runtime")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
