"""Small TFLite models: each has something the reader has to know about. Run by itself it writes the seeds of the corpus:
usage: small.py FOLDER"""

import pathlib
import struct
import sys

from tflitefile import FLOAT32, INT8, INT32, RESOURCE, Graph, Operator, Tensor, load_operators, make

load_operators(pathlib.Path(__file__).parents[2])


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def chain():
    """Views, an operand left out, a constant, names that repeat or are missing; the order can be better."""
    t = [Tensor("input", [1, 8]), Tensor("wide", [1, 32]), Tensor("", [1, 32]), Tensor("flat", [32]),
         Tensor("weights", [32, 8], data=floats(*([0.25, -0.5] * 128))), Tensor("same", [4], INT32, struct.pack("<4i", 1, 32, 0, 0)),
         Tensor("same", [1, 32]), Tensor("output", [1, 32]), Tensor("unused", [7])]
    ops = [Operator("FULLY_CONNECTED", [0, 4, -1], [1]), Operator("RELU", [1], [2]), Operator("SQUEEZE", [2], [3]),
           Operator("RESHAPE", [3, 5], [6]), Operator("ADD", [6, 2], [7])]
    return make(Graph(t, ops, [0], [7]), metadata=[("min_runtime_version", b"1.5.0\0\0\0")])


def late():
    """A branch that is read last comes first in the file: another order needs less."""
    t = [Tensor("x", [1, 64])] + [Tensor(f"wide{i}", [1, 64]) for i in range(6)] + [
        Tensor(f"small{i}", [1, 1]) for i in range(6)] + [Tensor("axis", [1], INT32, struct.pack("<i", 1)), Tensor("y", [1, 1])]
    ops = [Operator("RELU", [0], [1 + i]) for i in range(6)]
    ops += [Operator("REDUCE_MAX", [1 + i, 13], [7 + i]) for i in range(6)]
    ops.append(Operator("ADD_N", [7, 8, 9, 10, 11, 12], [14]))
    return make(Graph(t, ops, [0], [14]))


def variables():
    """A variable that two handles name, read and then set; a subgraph sets it first."""
    state = [Tensor("handle", [], RESOURCE), Tensor("zero", [1, 4], FLOAT32, floats(0, 0, 0, 0))]
    once = [Operator("VAR_HANDLE", [], [0], handle="v"), Operator("ASSIGN_VARIABLE", [0, 1], [])]
    t = [Tensor("x", [1, 4]), Tensor("h", [], RESOURCE), Tensor("old", [1, 4]), Tensor("new", [1, 4]),
         Tensor("again", [], RESOURCE), Tensor("y", [1, 4]), Tensor("twice", [1, 4])]
    ops = [Operator("CALL_ONCE", [], [], graph=1), Operator("VAR_HANDLE", [], [1], handle="v"),
           Operator("READ_VARIABLE", [1], [2]), Operator("ADD", [0, 2], [3]),
           Operator("VAR_HANDLE", [], [4], handle="v"), Operator("ASSIGN_VARIABLE", [4, 3], []),
           Operator("READ_VARIABLE", [1], [6]), Operator("MUL", [3, 6], [5])]
    return make(Graph(t, ops, [0], [5]), Graph(state, once, [], [], "set"))


def recurrent():
    """A variable tensor, an operator of one's own, two outputs of which one is an input."""
    t = [Tensor("x", [1, 4], INT8), Tensor("state", [1, 16], INT8, variable=True), Tensor("w", [4], INT8, b"\1\2\3\4"),
         Tensor("y", [1, 4], INT8)]
    return make(Graph(t, [Operator("CUSTOM", [0, 1, 2], [3], custom="Mine")], [0], [3, 0]))


def shared():
    """A variable tensor of two operators, which are in no other order to each other."""
    t = [Tensor("x", [1, 4]), Tensor("state", [1, 16], variable=True), Tensor("wide", [1, 64]), Tensor("a", [1, 1]),
         Tensor("wider", [1, 64]), Tensor("b", [1, 1]), Tensor("y", [1, 1])]
    mine = [Operator("CUSTOM", ins, outs, custom="Mine") for ins, outs in (([0, 1], [2]), ([0, 1], [4]), ([2], [3]), ([4], [5]))]
    return make(Graph(t, [*mine, Operator("ADD", [3, 5], [6])], [0], [6]))


SEEDS = {"shared": shared, "chain": chain, "late": late, "variables": variables, "recurrent": recurrent}

if __name__ == "__main__":
    for name, make_one in SEEDS.items():
        pathlib.Path(sys.argv[1], name + ".tflite").write_bytes(make_one())
