"""Control flow as C: loops, scans, branches and functions, and ops that run once more, as emitted programs, against
ONNX Runtime, in several modes of planning. Ends with 77 where onnxruntime is missing.

usage: flow_programs.py TENURE FOLDER
"""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, *(os.path.join(os.path.dirname(HERE), d) for d in ("models", "operators"))]

from packages import np, onnx  # ends with 77 where they are missing

import corpus
import programs
from onnx import TensorProto as T, helper, numpy_helper

try:
    import onnxruntime as ort
except ModuleNotFoundError as missing:
    print(missing)
    sys.exit(77)

MODES = ([], ["-O1"], ["-O3"], ["-O3", "--io=arena"], ["-O3", "--io=arena", "--reuse-inputs", "--schedule=min-peak"])
OPSETS = [helper.make_opsetid("", 13), helper.make_opsetid("own", 1)]


def info(name, dims, dtype=T.FLOAT):
    return helper.make_tensor_value_info(name, dtype, dims)


def const(name, value):
    return numpy_helper.from_array(np.asarray(value), name)


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs, outputs, **attributes)


def graph(nodes, inputs, outputs, consts=(), name="g"):
    return helper.make_graph(nodes, name, inputs, outputs, list(consts))


def model(g, functions=()):
    return helper.make_model(g, opset_imports=OPSETS, functions=list(functions), ir_version=10)


N = 6
LOOP_ARGS = [info("i", [], T.INT64), info("go", [], T.BOOL)]


def loop(body_nodes, states, body_outputs, trips, consts=(), more_outputs=(), keep=True):
    """A model of one Loop over the inputs x and y, whose body has the states of these names."""
    body = graph(body_nodes, [*LOOP_ARGS, *(info(s, [N]) for s in states)],
                 [info(body_outputs[0], [], T.BOOL), *(info(o, [N]) for o in body_outputs[1:])], consts, "body")
    results = [f"r{k}" for k in range(len(states))] + [name for name, _ in more_outputs]
    n = node("Loop", ["trips" if trips is not None else "", "keep" if keep else "", *("xy"[k] for k in range(len(states)))],
             results, body=body)
    outputs = [info(f"r{k}", [N]) for k in range(len(states))] + [info(name, dims) for name, dims in more_outputs]
    initial = [const("trips", np.int64(trips))] if trips is not None else []
    initial += [const("keep", np.bool_(True))] if keep else []
    return model(graph([n], [info(s, [N]) for s in "xy"[:len(states)]], outputs, initial))


def swap(trips):
    """(s, t) -> (t, s): a circle of copies."""
    return loop([node("Identity", ["go"], ["go_on"])], ["s", "t"], ["go_on", "t", "s"], trips)


def rotate_and_change(trips):
    """(s, t) -> (t + s, s), with what each iteration makes stacked up."""
    return loop([node("Identity", ["go"], ["go_on"]), node("Add", ["s", "t"], ["u"]), node("Mul", ["u", "half"], ["v"])],
                ["s", "t"], ["go_on", "v", "s", "u"], trips, [const("half", np.float32(0.5))], [("all", [trips, N])])


def stops_early():
    """Ends by its condition, long before its limit."""
    body = [node("Add", ["s", "one"], ["u"]), node("ReduceMax", ["u"], ["most"], keepdims=0),
            node("Less", ["most", "limit"], ["go_on"])]
    return loop(body, ["s"], ["go_on", "u"], 100, [const("one", np.float32(1)), const("limit", np.float32(7))])


def without_limit():
    body = [node("Add", ["s", "one"], ["u"]), node("ReduceMax", ["u"], ["most"], keepdims=0),
            node("Less", ["most", "limit"], ["go_on"])]
    return loop(body, ["s"], ["go_on", "u"], None, [const("one", np.float32(1)), const("limit", np.float32(5))])


def counted():
    """The number of the iteration is computed with; a value of the graph around is captured."""
    body = [node("Identity", ["go"], ["go_on"]), node("Cast", ["i"], ["f"], to=T.FLOAT), node("Mul", ["y", "f"], ["p"]),
            node("Add", ["s", "p"], ["u"])]
    m = loop(body, ["s"], ["go_on", "u"], 4)
    m.graph.input.append(info("y", [N]))
    return m


def scan(reverse_in, reverse_out, axis):
    dims = [N, 4] if axis == 0 else [4, N]
    body = graph([node("Add", ["s", "part"], ["u"]), node("Mul", ["u", "part"], ["out"])],
                 [info("s", [4]), info("part", [4])], [info("u", [4]), info("out", [4])], name="body")
    n = node("Scan", ["first", "x"], ["last", "rows"], body=body, num_scan_inputs=1, scan_input_axes=[axis],
             scan_input_directions=[int(reverse_in)], scan_output_axes=[axis], scan_output_directions=[int(reverse_out)])
    return model(graph([n], [info("first", [4]), info("x", dims)], [info("last", [4]), info("rows", dims)]))


def branches():
    """An If in an If; a branch gives back what it captures."""
    inner_then = graph([node("Mul", ["x", "x"], ["p"])], [], [info("p", [N])], name="inner_then")
    inner_else = graph([node("Neg", ["x"], ["q"])], [], [info("q", [N])], name="inner_else")
    then = graph([node("If", ["second"], ["r"], then_branch=inner_then, else_branch=inner_else),
                  node("Add", ["r", "x"], ["t"])], [], [info("t", [N])], name="then")
    other = graph([node("Identity", ["x"], ["e"])], [], [info("e", [N])], name="other")
    nodes = [node("If", ["first"], ["y0"], then_branch=then, else_branch=other), node("Exp", ["y0"], ["y"])]
    inputs = [info("first", [], T.BOOL), info("second", [], T.BOOL), info("x", [N])]
    return model(graph(nodes, inputs, [info("y", [N])]))


def function_twice():
    f = helper.make_function("own", "Twist", ["a", "b"], ["c", "d"],
                             [node("Sub", ["a", "b"], ["c"]), node("Add", ["c", "b"], ["e"]), node("Neg", ["e"], ["d"])],
                             [OPSETS[0]])
    nodes = [node("Twist", ["x", "y"], ["p", "q"], domain="own"), node("Twist", ["q", "p"], ["r", "s"], domain="own"),
             node("Twist", ["s", "s"], ["t", "u"], domain="own")]
    return model(graph(nodes, [info("x", [N]), info("y", [N])], [info(o, [N]) for o in "rtu"]), [f])


def loop_in_loop():
    inner = graph([node("Identity", ["go2"], ["on2"]), node("Add", ["w", "x"], ["w2"])],
                  [info("j", [], T.INT64), info("go2", [], T.BOOL), info("w", [N])],
                  [info("on2", [], T.BOOL), info("w2", [N])], name="inner")
    body = [node("Identity", ["go"], ["go_on"]), node("Loop", ["inner_trips", "", "s"], ["in_r"], body=inner),
            node("Mul", ["in_r", "half"], ["u"])]
    return loop(body, ["s"], ["go_on", "u"], 3, [const("inner_trips", np.int64(2)), const("half", np.float32(0.5))])


def again():
    """Values that lie idle beside a wide middle, one made from the other."""
    rng = np.random.default_rng(3)
    weights = [const(name, (rng.standard_normal(dims) / 8).astype(np.float32))
               for name, dims in (("thin", (16, 2)), ("up", (2, 128)), ("down", (128, 16)))]
    nodes = [node("Neg", ["x"], ["a"]), node("Exp", ["a"], ["b"]), node("MatMul", ["b", "thin"], ["small"]),
             node("MatMul", ["small", "up"], ["wide"]), node("Softmax", ["wide"], ["soft"], axis=-1),
             node("MatMul", ["soft", "down"], ["narrow"]), node("Add", ["narrow", "b"], ["c"]), node("Neg", ["c"], ["y"])]
    return model(graph(nodes, [info("x", [16, 16])], [info("y", [16, 16])], weights))


CASES = {
    "swap": (swap(3), 1), "swap-once": (swap(1), 1), "swap-even": (swap(4), 1), "swap-none": (swap(0), 1),
    "rotate": (rotate_and_change(5), 1), "stops-early": (stops_early(), 1), "without-limit": (without_limit(), 1),
    "counted": (counted(), 1), "scan": (scan(False, False, 0), 1), "scan-back": (scan(True, False, 0), 1),
    "scan-back-axis-1": (scan(True, True, 1), 1), "branches": (branches(), 4), "function-twice": (function_twice(), 1),
    "loop-in-loop": (loop_in_loop(), 1), "again": (again(), 1),
}
# Modes in which plans of these models have clones.
REPEATED = {"again": (["-O2", "--recompute=1000%"], ["-O3", "--recompute=1000%"])}


def clones(tenure, path, mode):
    """Steps of the plan that run a node once more."""
    text = subprocess.run([tenure, "plan", path, "--quiet", *mode, "--emit=json", "-o", "-"], capture_output=True, check=True)
    variant = json.loads(text.stdout)["programs"][0]["variants"][0]
    return sum(step["clone_of"] is not None for step in variant["steps"])


def inputs_for(m, draw, number):
    """Case `number` sets booleans by its bits."""
    out, bit = {}, 0
    for x in m.graph.input:
        dims = [d.dim_value for d in x.type.tensor_type.shape.dim]
        if x.type.tensor_type.elem_type == T.BOOL:
            out[x.name] = np.array(bool(number >> bit & 1))
            bit += 1
        elif x.type.tensor_type.elem_type == T.INT64:
            out[x.name] = draw.integers(1, 9, dims)
        else:
            out[x.name] = draw.standard_normal(dims).astype(np.float32)
    return out


def main():
    tenure, folder = sys.argv[1:]
    library, ran, draw = None, 0, np.random.default_rng(7)
    for turn, (name, (m, variants)) in enumerate(CASES.items()):
        onnx.checker.check_model(m)
        session = ort.InferenceSession(m.SerializeToString(), providers=["CPUExecutionProvider"])
        path = os.path.join(folder, name + ".onnx")
        os.makedirs(folder, exist_ok=True)
        onnx.save(m, path)
        chosen = corpus.some(MODES, turn, 2)
        for k, mode in enumerate((*chosen, *REPEATED.get(name, ()))):
            assert k < len(chosen) or clones(tenure, path, mode) > 0, mode
            where = os.path.join(folder, f"{name}-{k}")
            programs.emit(tenure, path, where, mode)
            library = library or programs.Library(folder, where, programs.SANITIZE)
            program = programs.build(where, library)
            for number in range(variants):
                given = inputs_for(m, draw, number)
                want = session.run(None, given)
                got = programs.run(program, list(given.values()), [(w.dtype, w.shape) for w in want])
                for w, g in zip(want, got):
                    np.testing.assert_allclose(g, w, rtol=1e-6, err_msg=f"{name} {' '.join(mode)}, inputs {number}")
                ran += 1
    print(f"{len(CASES)} models: {ran} runs, outputs equal")


if __name__ == "__main__":
    main()
