"""Ops that run bodies: branches, and loops, which are unrolled."""

import numpy as np
import onnx
from cases import Case, Fixed, Input, spaced

YES, NO = np.array(True), np.array(False)


def body(text):
    """The graph of a text, whose arguments and outputs lose their types: these follow from what flows in."""
    graph = onnx.parser.parse_graph(text)
    for info in [*graph.input, *graph.output]:
        if info.type.tensor_type.elem_type == onnx.TensorProto.FLOAT:
            info.ClearField("type")
    return graph


def branches(yes, no):
    return {"then_branch": body(yes), "else_branch": body(no)}


TWO = branches("yes () => (float t, float u) { a = Mul(x1, x2)  b = Tanh(x1)  t = Add(a, b)  u = Identity(x2) }",
               "no () => (float e, float f) { e = Sub(x1, x3)  f = Mul(x3, x3) }")
INNER = body("deep () => (float p) { p = Exp(x1) }"), body("flat () => (float q) { q = Mul(x1, x1) }")
NESTED = body("nested () => (float r) { s = Tanh(x2) }")
NESTED.node.append(onnx.helper.make_node("If", ["x3"], ["c"], name="inner", then_branch=INNER[0], else_branch=INNER[1]))
NESTED.node.append(onnx.helper.make_node("Mul", ["s", "c"], ["r"]))
ROUND = "round (int64 i, bool c, float s) => (bool again, float t, float row) { again = Identity(c)  m = MatMul(s, x3)  t = Tanh(m)  row = Mul(t, x3) }"
GROWING = "round (int64 i, bool c, float s) => (bool again, float t) { again = Identity(c)  m = Sin(s)  t = Concat <axis = 0> (s, m) }"
ENDING = """round (int64 i, bool c, float s, float u) => (bool again, float t, float v, float row)
{ last = Constant <value_int = 1> ()  again = Less(i, last)  t = Mul(s, u)  v = Identity(s)  row = Sin(t) }"""
COUNTED = """round (int64 i, bool c, float s) => (bool again, float t)
{ again = Identity(c)  row = Gather <axis = 0> (x3, i)  t = Mul(s, row) }"""
LSTM_IN_IT = """with () => (float r) { all, h, cell = LSTM <hidden_size = 2> (x1, x2, x3)  r = Identity(h) }"""
STEP = """step (float s, float p, float q) => (float t, float row, float plain)
{ m = MatMul(s, x3)  n = Add(m, p)  t = Tanh(n)  row = Mul(t, q)  plain = Identity(s) }"""
STEP_8 = """step (float s, float p) => (float t, float row)
{ m = MatMul(s, x3)  n = Add(m, p)  t = Tanh(n)  row = Mul(t, p) }"""


def nested_loop():
    outer = body("round (int64 i, bool c, float s) => (bool again, float t, float row) { again = Identity(c) }")
    inner = body("inner (int64 j, bool d, float v) => (bool more, float w) { more = Identity(d)  w = Mul(v, x3) }")
    outer.node.extend([onnx.helper.make_node("Loop", ["x0", "c", "s"], ["u"], name="inner", body=inner),
                       onnx.helper.make_node("Sin", ["u"], ["t"]), onnx.helper.make_node("Mul", ["t", "x3"], ["row"])])
    return outer


def loop_in_branch():
    graph = body("with () => (float r) { yes = Constant <value_int = 1> ()  go = Cast <to = 9> (yes)  n = Constant <value_int = 2> () }")
    inner = body("inner (int64 j, bool d, float v) => (bool more, float w) { more = Identity(d)  w = Mul(v, x2) }")
    graph.node.append(onnx.helper.make_node("Loop", ["n", "go", "x1"], ["r"], name="inner", body=inner))
    return graph


def if_cases():
    x = [spaced(2, 3), spaced(2, 3), spaced(2, 3)]
    for cond in (YES, NO):
        both = {"outputs": 2, "used": (0, 1), "captured": (1, 2, 3)}
        yield Case("If", [Input(cond), *x], TWO, opsets=(11, 14, 22), **both, note=f"{cond}")
        yield Case("If", [Fixed(cond), *x[: 2 if cond else 3]], TWO if not cond else branches(
            "yes () => (float t) { t = Mul(x1, x2) }", "no () => (float e) { e = Exp(x1) }"), note=f"always {cond}",
            captured=(1, 2, 3), outputs=1 if cond else 2, wrt=(1, 2) if cond else (1, 3))
        for inner in (YES, NO):
            yield Case("If", [Input(cond), *x[:2], Input(inner)], {"then_branch": NESTED, "else_branch": body("no () => (float e) { e = Exp(x1) }")},
                       captured=(1, 2, 3), note=f"{cond} with {inner} in it")
        yield Case("If", [Input(cond), *x[:2]], {"then_branch": loop_in_branch(), "else_branch": body("no () => (float e) { e = Add(x1, x2) }")},
                   captured=(1, 2), note=f"{cond} with a loop in it")
        yield Case("If", [Input(cond), spaced(2, 1, 2), spaced(1, 8, 2), spaced(1, 8, 2), spaced(1, 1, 2)],
                   {"then_branch": body(LSTM_IN_IT), "else_branch": body("no () => (float e) { e = Sin(x4) }")},
                   captured=(1, 2, 3, 4), note=f"{cond} with a layer in it")
    yield Case("If", [Input(YES), spaced(2, 3)], branches("yes () => (float t) { a = Dropout(x1)  t = Mul(x1, x1) }",
                                                          "no () => (float e) { b = RandomNormalLike(x1)  e = Mul(x1, b) }"),
               captured=(1,), refused={0: "its branch would run RandomNormalLike once more"})
    yield Case("If", [Input(YES), spaced(2, 3), spaced(1, 3)], branches("yes () => (float t) { t = Exp(x1) }", "no () => (float e) { e = Exp(x2) }"),
               captured=(1, 2), refused={0: "'y0' is not known to have one shape whatever branch is taken"})


def loop_cases():
    square = [spaced(2, 2), spaced(2, 2)]
    all_of = {"outputs": 2, "used": (0, 1), "captured": (3,)}
    for cond in (Fixed(YES), None):
        yield Case("Loop", [Fixed(3, "i8"), cond, *square], {"body": body(ROUND)}, opsets=(11, 13, 22), **all_of)
    yield Case("Loop", [Fixed(3, "i8"), Fixed(YES), *square], {"body": nested_loop()}, **all_of, note="with a loop in it")
    yield Case("Loop", [Fixed(2, "i8"), Fixed(YES), spaced(1, 3)], {"body": body(GROWING)}, note="whose state grows")
    yield Case("Loop", [None, Fixed(YES), spaced(2), spaced(2)], {"body": body(ENDING)}, outputs=3, used=(0, 1, 2), note="that ends itself")
    yield Case("Loop", [Fixed(3, "i8"), Fixed(YES), spaced(2), spaced(4, 2)], {"body": body(COUNTED)}, captured=(3,), note="that counts")
    yield Case("Loop", [Fixed(0, "i8"), Fixed(YES), *square], {"body": body(GROWING)}, captured=(3,), wrt=(2,), note="without rounds")
    yield Case("Loop", [Input(3, "i8"), Fixed(YES), *square], {"body": body(ROUND)}, **all_of, refused={0: "'x0', how often it runs, is not known"})
    yield Case("Loop", [Fixed(3, "i8"), Input(YES), *square], {"body": body(ROUND)}, **all_of,
               refused={0: "whether its condition 'x1' holds before round 0 is not known"})
    yield Case("Loop", [Fixed(5000, "i8"), Fixed(YES), *square], {"body": body(ROUND)}, **all_of, refused={0: "it runs more than 4096 times"})


def scan_cases():
    x = [spaced(1, 2), spaced(3, 1, 2), spaced(1, 3, 2), spaced(2, 2)]
    every = {"outputs": 3, "used": (0, 1, 2), "captured": (3,)}
    attributes = {"body": body(STEP), "num_scan_inputs": 2}
    yield Case("Scan", x, {**attributes, "scan_input_axes": [0, 1]}, opsets=(9, 11, 22), **every)
    yield Case("Scan", x, {**attributes, "scan_input_axes": [0, -2], "scan_input_directions": [1, 0], "scan_output_directions": [0, 1],
                           "scan_output_axes": [-1, 1]}, opsets=(11, 22), **every)
    yield Case("Scan", [x[0], x[1][:1], x[2][:, :1], x[3]], {**attributes, "scan_input_axes": [0, 1]}, **every, note="of one round")
    batch = [None, spaced(2, 1, 2), spaced(2, 3, 1, 2), spaced(2, 2)]
    yield Case("Scan", batch, {"body": body(STEP_8), "num_scan_inputs": 1, "directions": [1]}, opsets=(8,), outputs=2, used=(0, 1), captured=(3,))


def all_cases():
    yield from if_cases()
    yield from loop_cases()
    yield from scan_cases()
