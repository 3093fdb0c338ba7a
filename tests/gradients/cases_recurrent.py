"""Recurrent layers, which are expanded step by step."""

import numpy as np
from cases import Case, Fixed, spaced

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
ACTIVATIONS = {"RNN": ["Softsign"], "GRU": ["Sigmoid", "Softplus"], "LSTM": ["Sigmoid", "Softsign", "Tanh"]}


def operands(op, steps, batch, width, hidden, directions, bias=True, states=False, peepholes=False, layout=0):
    rows = GATES[op] * hidden
    x = (batch, steps, width) if layout else (steps, batch, width)
    made = [spaced(*x), spaced(directions, rows, width), spaced(directions, rows, hidden)]
    if bias:
        made.append(spaced(directions, 2 * rows))
    if states:
        state = (batch, directions, hidden) if layout else (directions, batch, hidden)
        made += [None] * (5 - len(made)) + [spaced(*state) for _ in range(2 if op == "LSTM" else 1)]
    if peepholes:
        made += [None] * (7 - len(made)) + [spaced(directions, 3 * hidden)]
    return made


def all_cases():
    for op in GATES:
        results = 3 if op == "LSTM" else 2
        every = {"outputs": results, "used": tuple(range(results))}
        yield Case(op, operands(op, 3, 2, 2, 3, 1), {"hidden_size": 3}, opsets=(7, 14, 22), **every)
        yield Case(op, operands(op, 3, 1, 2, 2, 1, bias=False), {"hidden_size": 2}, note="without bias")
        yield Case(op, operands(op, 3, 2, 2, 2, 1, states=True), {"hidden_size": 2, "direction": "reverse"}, opsets=(14, 22), **every)
        yield Case(op, operands(op, 2, 2, 2, 2, 2, states=True), {"hidden_size": 2, "direction": "bidirectional"}, opsets=(14, 22),
                   **every)
        yield Case(op, operands(op, 2, 2, 3, 2, 2, states=True, layout=1), {"hidden_size": 2, "direction": "bidirectional", "layout": 1},
                   single=False, **every)
        yield Case(op, operands(op, 2, 1, 2, 2, 1), {"hidden_size": 2, "activations": ACTIVATIONS[op]}, **every)
        whole = operands(op, 2, 2, 2, 2, 1) + [Fixed([2, 2], np.int32)]
        yield Case(op, whole, {"hidden_size": 2}, note="lengths that are all whole")
        part = whole[:4] + [Fixed([2, 1], np.int32)]
        yield Case(op, part, {"hidden_size": 2}, note="lengths that differ",
                   refused={0: rf"the expansion of {op} by 'x0' cannot be made: 'x4' \(sequence_lens\) is not known to be all 2"})
        yield Case(op, operands(op, 2, 2, 2, 2, 1), {"hidden_size": 2, "clip": 0.5}, note="clipped",
                   refused={0: "clip and input_forget cannot be expanded"})
    yield Case("LSTM", operands("LSTM", 3, 2, 2, 2, 1, states=True, peepholes=True), {"hidden_size": 2}, outputs=3, used=(0, 2),
               named=(1,), note="peepholes")
    yield Case("GRU", operands("GRU", 3, 2, 2, 2, 1), {"hidden_size": 2, "linear_before_reset": 1}, opsets=(7, 22))
