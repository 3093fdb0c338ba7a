"""How often loops run that a counter of their own ends: what shape inference finds is what ONNX Runtime does.

Loops are drawn: limits, counters in 32 and 64 bits with starts and increments, conditions that are conjunctions
of comparisons, some of which never end the loop.

usage: trips.py TENURE WORK_DIR
"""

import os
import random
import re
import subprocess
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from packages import np, onnx  # ends with 77 where the packages are missing

try:
    import onnxruntime
except ImportError:
    sys.exit(77)
from onnx import TensorProto, helper, numpy_helper

N_LOOPS, LEAST_KNOWN, MOST_TRIPS = 400, 150, 60
TYPES = {np.int32: TensorProto.INT32, np.int64: TensorProto.INT64}
FAR = {np.int32: [2**31 - 1], np.int64: [2**31, 2**63 - 1]}


class Drawn:
    """One loop, and the model around it."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.nodes, self.consts, self.states, self.nexts, self.starts = [], [], [], [], []
        for k in range(self.r.randint(1, 2)):
            self.add_counter(k)
        conditions = [self.comparison(k) for k in range(self.r.randint(1, 3))]
        go = conditions[0]
        for other in conditions[1:]:
            go = self.node("And", [go, other])
        if self.r.random() < 0.3:
            go = self.node("Identity", [go])
        self.go = go

    def const(self, value, dtype, shape=()):
        name = f"c{len(self.consts)}"
        self.consts.append(numpy_helper.from_array(np.full(shape, value, dtype), name))
        return name

    def node(self, op, inputs, **attributes):
        name = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        return name

    def add_counter(self, k):
        dtype = self.r.choice(list(TYPES))
        start, step = self.r.randint(-9, 9), self.r.choice([1, 1, 1, 2, 3, -1, 0])
        name = f"k{k}"
        after = self.next_state(name, self.const(step, dtype), self.const(-step, dtype))
        self.states.append((name, dtype))
        self.nexts.append(after)
        self.starts.append(self.const(start, dtype))

    def next_state(self, name, step, back):
        """Mostly a step further; some are no such: a number less it, twice itself, one number."""
        kind = self.r.random()
        if kind < 0.6:
            return self.node("Add", self.r.choice([[name, step], [step, name]]))
        if kind < 0.85:
            return self.node("Sub", [name, back])
        return self.node(*self.r.choice([("Sub", [step, name]), ("Add", [name, name]), ("Identity", [step]), ("Sub", [name, name])]))

    def comparison(self, k):
        side = self.r.randrange(len(self.states) * 2 + 1)
        if side == 2 * len(self.states):
            counter, dtype = "i", np.int64
        else:
            name, dtype = self.states[side // 2]
            counter = self.nexts[side // 2] if side % 2 else name
        if self.r.random() < 0.3:
            dtype = self.r.choice(list(TYPES))
            counter = self.node("Cast", [counter], to=TYPES[dtype])
        far = self.r.random() < 0.25
        limit = self.const(self.r.choice(FAR[dtype]) if far else self.r.randint(-12, 40), dtype)
        op = self.r.choice(["Less", "LessOrEqual", "Greater", "GreaterOrEqual"])
        return self.node(op, [counter, limit] if op[0] == "L" else [limit, counter])

    def model(self):
        body = helper.make_graph(
            [*self.nodes, helper.make_node("Identity", [self.go], ["go"]), helper.make_node("Identity", ["i"], ["row"]),
             *(helper.make_node("Identity", [n], [f"n{k}"]) for k, n in enumerate(self.nexts))], "body",
            [helper.make_tensor_value_info("i", TensorProto.INT64, []), helper.make_tensor_value_info("was", TensorProto.BOOL, []),
             *(helper.make_tensor_value_info(n, TYPES[t], []) for n, t in self.states)],
            [helper.make_tensor_value_info("go", TensorProto.BOOL, []),
             *(helper.make_tensor_value_info(f"n{k}", TYPES[t], []) for k, (_, t) in enumerate(self.states)),
             helper.make_tensor_value_info("row", TensorProto.INT64, [])])
        limit = self.r.choice([None, MOST_TRIPS, self.r.randint(0, 20), 2**62])
        begin = self.r.choice(["", "", "yes", "flag"])
        inputs = [self.const(limit, np.int64) if limit is not None else "", begin, *self.starts]
        loop = helper.make_node("Loop", inputs, [*(f"last{k}" for k in range(len(self.states))), "rows"], body=body)
        graph = helper.make_graph(
            [loop], "drawn", [helper.make_tensor_value_info("flag", TensorProto.BOOL, [])],
            [helper.make_tensor_value_info("rows", TensorProto.INT64, [None])],
            [*self.consts, numpy_helper.from_array(np.array(True), "yes")])
        self.ends = limit is not None and limit <= MOST_TRIPS
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def limited(model):
    """The model with a limit where it may run for long, one above what is tried."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    copy.graph.initializer.append(numpy_helper.from_array(np.array(MOST_TRIPS + 1), "most"))
    copy.graph.node[0].input[0] = "most"
    return copy


def main():
    tenure, work = sys.argv[1:3]
    os.makedirs(work, exist_ok=True)
    path, known, wrong = os.path.join(work, "loop.onnx"), 0, 0
    for seed in range(N_LOOPS):
        drawn = Drawn(seed)
        model = drawn.model()
        onnx.save(model, path)
        done = subprocess.run([tenure, "opt", path, "--passes=infer-shapes"], capture_output=True, text=True)
        found = re.search(r"%rows: i64\[(\d+|\?|rows\.0)\]", done.stdout)
        if done.returncode != 0 or found is None:
            print(f"{seed}: exit code {done.returncode}, {done.stderr}")
            wrong += 1
            continue
        if not found[1].isdigit():
            continue
        known += 1
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        text = (model if drawn.ends else limited(model)).SerializeToString()
        session = onnxruntime.InferenceSession(text, options, providers=["CPUExecutionProvider"])
        rows = session.run(["rows"], {"flag": np.array(False)})[0]
        if len(rows) > MOST_TRIPS:  # it was stopped
            wrong += int(found[1]) <= MOST_TRIPS
        elif len(rows) != int(found[1]):
            print(f"{seed}: {found[1]} iterations are found, and {len(rows)} run")
            wrong += 1
    print(f"{N_LOOPS} loops, of {known} the iterations are known, {wrong} wrong")
    sys.exit(wrong > 0 or known < LEAST_KNOWN)


if __name__ == "__main__":
    main()
