"""Small models with what hostile plans are about: parts gathered and cut, branches, loops, state, casts, updates, clones."""

import json
import os
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "execution"), os.path.join(os.path.dirname(HERE), "models")]

import corpus
import random_models

F = TensorProto.FLOAT
MODES = (("-O2",), ("-O3",), ("-O2", "--io=arena"), ("-O3", "--io=arena", "--reuse-inputs"), ("-O3", "--inplace=ordered"),
         ("-O2", "--concurrency=dataflow"), ("-O3", "--queues=2"), ("-O1",), ("-O2", "--views=all", "--align=4"),
         ("-O2", "--recompute=100%"), ("-O3", "--overlap=elements", "--io=arena"), ("-O3", "--fuse=all"),
         ("-O2", "--fuse=all", "--io=arena"))


def make(inputs, nodes, outputs, data=()):
    """A model; inputs and outputs as {name: shape} of floats, or (type, shape)."""
    def infos(table):
        return [helper.make_tensor_value_info(n, *(s if isinstance(s, tuple) else (F, s))) for n, s in table.items()]
    graph = helper.make_graph(nodes, "hostile", infos(inputs), infos(outputs), list(data))
    return helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 22)])


def node(op, operands, results, **attributes):
    return helper.make_node(op, operands.split(), results.split(), **attributes)


def ints(name, *numbers):
    return numpy_helper.from_array(np.array(numbers, np.int64), name)


def gathered():
    return make({"in1": [32], "in2": [16]}, [
        node("Relu", "in1", "x"), node("Split", "x", "a b", axis=0, num_outputs=2), node("Sigmoid", "in2", "c"),
        node("Concat", "a c", "y", axis=0), node("Neg", "y", "z"), node("Exp", "b", "w")], {"z": [32], "w": [16]})


def pieces():
    """Parts cut off, worked on and joined, each read elsewhere too."""
    return make({"x": [4, 16]}, [
        node("Tanh", "x", "t"), node("Split", "t", "a b c d", axis=0, num_outputs=4), node("Relu", "a", "e"),
        node("Sigmoid", "b", "f"), node("Neg", "c", "g"), node("Abs", "d", "h"), node("Concat", "e f g h", "j", axis=0),
        node("Exp", "j", "k"), node("Add", "k t", "l"), node("Reshape", "l shape", "m"), node("Softmax", "m", "n"),
        node("Mul", "e f", "o")], {"n": [16, 4], "o": [1, 16]}, [ints("shape", 16, 4)])


def residual():
    data = [numpy_helper.from_array(np.ones((16, 16), np.float32), f"w{k}") for k in range(4)]
    nodes = [node("Relu", "x", "r0")]
    for k in range(4):
        nodes += [node("MatMul", f"r{k} w{k}", f"m{k}"), node("Relu", f"m{k}", f"n{k}"), node("Add", f"n{k} r{k}", f"r{k + 1}")]
    return make({"x": [8, 16]}, [*nodes, node("Softmax", "r4", "y")], {"y": [8, 16]}, data)


def broadcasts():
    """Operands of other extents, other widths, and several of one op."""
    return make({"x": [8, 16], "s": [16], "c": [8, 1]}, [
        node("Exp", "s", "t"), node("Tanh", "c", "d"), node("Add", "x t", "a"), node("Mul", "a d", "b"), node("Cast", "b", "i", to=6),
        node("Cast", "i", "h", to=10), node("Cast", "h", "j", to=1), node("ReduceSum", "j ax", "k"), node("Sub", "j k", "l"),
        node("Greater", "b j", "q"), node("Where", "q l b", "m"), node("Transpose", "m", "y", perm=[1, 0]),
        node("MatMul", "y m", "z")], {"y": [16, 8], "z": [16, 16]}, [ints("ax", 1)])


def two_results():
    return make({"x": [4, 8]}, [
        node("Abs", "x", "a"), node("TopK", "a k", "v i", axis=1), node("Neg", "v", "n"), node("Cast", "i", "f", to=1),
        node("Add", "n f", "y"), node("Split", "a", "p q", axis=1, num_outputs=2), node("Mul", "p q", "z")],
        {"y": [4, 4], "z": [4, 4]}, [ints("k", 4)])


def branch():
    def body(name, ops):
        nodes, last = [], "outer"
        for k, op in enumerate(ops):
            nodes.append(node(op, last, f"{name}{k}"))
            last = f"{name}{k}"
        nodes.append(node("Add", f"{last} outer", f"{name}y"))
        return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(f"{name}y", F, [16])])
    return make({"c": (TensorProto.BOOL, []), "x": [16]}, [
        node("Relu", "x", "outer"), node("Exp", "x", "later"),
        node("If", "c", "r", then_branch=body("t", ("Exp", "Neg")), else_branch=body("e", ("Tanh", "Abs", "Sin"))),
        node("Add", "r later", "s"), node("Mul", "s outer", "y")], {"y": [16]})


def loop():
    def info(name, kind, shape):
        return helper.make_tensor_value_info(name, kind, shape)
    body = helper.make_graph([
        node("Identity", "ci", "co"), node("Exp", "s", "u"), node("Add", "u cap", "v"), node("Mul", "v t", "so"),
        node("Neg", "s", "to"), node("Relu", "so", "row")], "body",
        [info("it", TensorProto.INT64, []), info("ci", TensorProto.BOOL, []), info("s", F, [16]), info("t", F, [16])],
        [info("co", TensorProto.BOOL, []), info("so", F, [16]), info("to", F, [16]), info("row", F, [16])])
    return make({"x": [16], "z": [16]}, [
        node("Relu", "x", "cap"), node("Tanh", "z", "s0"), node("Abs", "x", "t0"), node("Exp", "z", "beside"),
        helper.make_node("Loop", ["n", "", "s0", "t0"], ["s1", "t1", "rows"], body=body), node("Add", "s1 beside", "a"),
        node("Mul", "a t1", "y"), node("Neg", "rows", "q")], {"y": [16], "q": [3, 16]}, [numpy_helper.from_array(np.array(3, np.int64), "n")])


def scatter():
    """A cache that is updated where it lies, and read in other steps."""
    return make({"past": [8, 16], "x": [1, 16], "at": (TensorProto.INT64, [1, 1])}, [
        node("Relu", "x", "r"), node("ScatterND", "past at r", "present"), node("Transpose", "present", "turned", perm=[1, 0]),
        node("MatMul", "r turned", "s"), node("Softmax", "s", "p"), node("MatMul", "p present", "o"), node("Tanh", "o", "y")],
        {"y": [1, 16], "present": [8, 16]})


def images():
    data = [numpy_helper.from_array(np.ones((8, 8, 3, 3), np.float32), f"k{i}") for i in range(3)]
    nodes = [node("Relu", "x", "r0")]
    for i in range(3):
        nodes += [node("Conv", f"r{i} k{i}", f"c{i}", pads=[1, 1, 1, 1]), node("Relu", f"c{i}", f"r{i + 1}")]
    nodes += [node("Concat", "r1 r3", "j", axis=1), node("MaxPool", "j", "m", kernel_shape=[2, 2], strides=[2, 2]),
              node("GlobalAveragePool", "m", "g"), node("Flatten", "g", "y")]
    return make({"x": [1, 8, 8, 8]}, nodes, {"y": [1, 16]}, data)


def shapes():
    return make({"x": [32]}, [
        node("NonZero", "x", "n"), node("Shape", "n", "s"), node("Cast", "n", "f", to=1), node("Relu", "x", "r"),
        node("Shape", "r", "t"), node("Exp", "x", "e"), node("Neg", "e", "y"), node("ReduceSum", "f", "z", keepdims=0)],
        {"s": (TensorProto.INT64, [2]), "t": (TensorProto.INT64, [1]), "y": [32], "z": []})


def wide():
    """Chains side by side that meet."""
    nodes = []
    for k, op in enumerate(("Exp", "Neg", "Tanh", "Abs")):
        nodes += [node(op, "x", f"a{k}"), node("Softmax", f"a{k}", f"b{k}"), node("Transpose", f"b{k}", f"c{k}", perm=[1, 0])]
    return make({"x": [4, 16]}, [*nodes, node("Add", "c0 c1", "d"), node("Add", "c2 c3", "e"), node("Mul", "d e", "y")], {"y": [16, 4]})


HAND = [gathered, pieces, residual, broadcasts, two_results, branch, loop, scatter, images, shapes, wide]


def models(folder, n_random):
    """(name, path, more options) of models by hand and at random."""
    made = []
    for maker in HAND:
        path = os.path.join(folder, maker.__name__ + ".onnx")
        onnx.save(maker(), path)
        made.append((maker.__name__, path, ()))
        if maker is scatter:
            made.append(("scatter-state", path, ("--update=past=present",)))
    for seed in range(n_random):
        path = os.path.join(folder, f"random{seed}.onnx")
        onnx.save(random_models.Maker(seed).model(), path)
        made.append((f"random{seed}", path, ()))
    return made


def plans(tenure, path, options):
    """(mode, text of the plan in JSON); modes that a model has no plan in are left out."""
    for mode in MODES:
        done = corpus.run(tenure, ["plan", path, "-q", "--emit=json", "-o", "-", *options, *mode])
        if done is not None and done.returncode == 0:
            document = json.loads(done.stdout)
            yield " ".join((*options, *mode)), document
