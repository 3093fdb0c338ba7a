"""The small models that plans are made of by hand (hand_plans.py)."""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from bases import F, make, node

V = [64]


def with_domains(model, *domains):
    for d in domains:
        model.opset_import.append(helper.make_opsetid(d, 1))
    return model


def own(op, operands, results, domain="my", **attributes):
    return helper.make_node(op, operands.split(), results.split(), domain=domain, **attributes)


def chain():
    """`b` and `k` are read early and late; `p` and `q` differ in an attribute alone."""
    return make({"x": V, "z": V}, [
        node("Relu", "x", "a"), node("LeakyRelu", "a", "p", alpha=0.25), node("LeakyRelu", "a", "q", alpha=0.5), node("Neg", "a", "b"),
        node("Add", "p q", "c"), node("Mul", "c b", "d"), node("Abs", "d", "e"), node("Tanh", "e", "f"), node("Mul", "f b", "g"),
        node("Sub", "g p", "h"), node("Exp", "z", "k"), node("Add", "h k", "y")], {"y": V, "e": V})


def drawn():
    return make({"x": V}, [
        node("Relu", "x", "a"), node("RandomNormalLike", "a", "r"), node("Bernoulli", "a", "s"), node("Add", "r a", "b"),
        node("Mul", "b s", "c"), node("Mul", "c r", "d"), node("Add", "d s", "y")], {"y": V})


def normalised():
    """A batch is normalised by its own statistics; the running ones are state. `a` and `n` are read early and late."""
    data = [numpy_helper.from_array(np.ones(4, np.float32), name) for name in ("scale", "shift")]
    return make({"x": [16, 4], "mean": [4], "var": [4]}, [
        node("Mul", "mean var", "m"), node("Relu", "x", "a"), node("BatchNormalization", "a scale shift mean var", "n new_mean new_var", training_mode=1),
        node("Tanh", "n", "b"), node("Neg", "b", "c"), node("Abs", "c", "d"), node("Mul", "d n", "e"), node("Add", "e a", "y")], {"y": [16, 4], "m": [4], "new_mean": [4], "new_var": [4]}, data)


def masked():
    """Dropout that trains: its mask is another one each time."""
    more = [numpy_helper.from_array(np.array(0.5, np.float32), "ratio"), numpy_helper.from_array(np.array(True), "train")]
    return make({"x": V}, [node("Relu", "x", "a"), node("Dropout", "a ratio train", "r m"), node("Neg", "r", "b"), node("Mul", "b r", "c"),
                           node("Cast", "m", "w", to=1), node("Add", "c w", "y")], {"y": V}, more)


def branches():
    def body(name, op):
        return helper.make_graph([node(op, "b", name + "0"), node("Add", f"{name}0 b", name + "1")], name, [],
                                 [helper.make_tensor_value_info(name + "1", F, V)])
    return make({"c": (TensorProto.BOOL, []), "x": V}, [
        node("Relu", "x", "a"), node("Neg", "a", "b"), node("Exp", "b", "d"), node("Abs", "d", "e"),
        helper.make_node("If", ["c"], ["r"], then_branch=body("t", "Exp"), else_branch=body("u", "Tanh")),
        node("Tanh", "e", "f"), node("Add", "r f", "g"), node("Mul", "g d", "y")], {"y": V})


def cache():
    """State that is written over where it lies, its old content read before."""
    return make({"past": [8, 16], "x": [1, 16], "i": (TensorProto.INT64, [1, 1])}, [
        node("Relu", "x", "r"), node("Neg", "past", "old"), node("ScatterND", "past i r", "present"), node("Abs", "present", "u"),
        node("Tanh", "u", "v"), node("Add", "v old", "y")], {"y": [8, 16]})


def two_states():
    return make({"s": V, "t": V, "g": V}, [
        node("Mul", "s t", "m"), node("Add", "s g", "sn"), node("Sub", "t g", "tn"), node("Exp", "m", "e"), node("Tanh", "e", "y")],
        {"y": V, "sn": V, "tn": V})


def looped():
    def info(name, kind, shape):
        return helper.make_tensor_value_info(name, kind, shape)
    body = helper.make_graph([
        node("Identity", "ci", "co"), node("Exp", "s", "u"), node("Add", "u cap", "so"), node("Neg", "t", "w"), node("Mul", "w s", "to"),
        node("Relu", "so", "row")], "body",
        [info("it", TensorProto.INT64, []), info("ci", TensorProto.BOOL, []), info("s", F, V), info("t", F, V)],
        [info("co", TensorProto.BOOL, []), info("so", F, V), info("to", F, V), info("row", F, V)])
    return make({"x": V, "z": V}, [
        node("Relu", "x", "cap"), node("Tanh", "z", "s0"), node("Abs", "x", "t0"), node("Exp", "z", "beside"),
        helper.make_node("Loop", ["n", "", "s0", "t0"], ["s1", "t1", "rows"], body=body), node("Add", "s1 beside", "a"),
        node("Mul", "a t1", "y"), node("Neg", "rows", "q")], {"y": V, "q": [3, 64]}, [numpy_helper.from_array(np.array(3, np.int64), "n")])


def accumulated():
    """An accumulator that is written over by definition, once with a result for it and once without."""
    graph = make({"x": V, "g": V}, [
        node("Relu", "x", "a"), node("Tanh", "x", "o"), node("Neg", "a", "b"), node("Exp", "b", "l"),
        own("InPlaceAccumulatorV2", "a g", "first", "com.microsoft"), own("InPlaceAccumulatorV2", "o g", "second on", "com.microsoft"),
        node("Abs", "a", "e"), node("Mul", "e l", "h"), node("Add", "h on", "y")],
        {"y": V, "first": (TensorProto.BOOL, [1]), "second": (TensorProto.BOOL, [1])})
    return with_domains(graph, "com.microsoft")


def called_out():
    """An op of nobody's, and YieldOp, which gives results out and gets gradients for them."""
    graph = make({"x": V}, [
        node("Relu", "x", "a"), own("Odd", "a", "b"), node("Neg", "b", "c"), own("YieldOp", "c", "g", "com.microsoft", non_differentiable_outputs=[0],
                                                                               full_shape_outputs=[0]),
        node("Mul", "g c", "d"), node("Exp", "d", "e"), own("Odd", "e", "f"), node("Add", "f a", "y")], {"y": V})
    for name in ("b", "g", "f"):
        graph.graph.value_info.append(helper.make_tensor_value_info(name, F, V))
    return with_domains(graph, "my", "com.microsoft")


def contrib():
    """Ops of ONNX Runtime that do several things at once."""
    w = numpy_helper.from_array(np.ones((8, 8), np.float32), "w")
    graph = make({"x": [8, 8], "z": [8]}, [
        node("Relu", "x", "a"), node("Exp", "z", "bias"), own("BiasGelu", "a bias", "b", "com.microsoft"), node("Neg", "b", "k"),
        own("FusedMatMul", "b w", "c", "com.microsoft", alpha=0.5), node("Abs", "k", "skip"),
        own("SkipLayerNormalization", "c skip bias", "d", "com.microsoft"), node("Mul", "d k", "e"), node("Add", "e bias", "y")], {"y": [8, 8]}, [w])
    for name in ("b", "c", "d"):
        graph.graph.value_info.append(helper.make_tensor_value_info(name, F, [8, 8]))
    return with_domains(graph, "com.microsoft")


def images():
    w = [numpy_helper.from_array(np.ones((4, 4, 3, 3), np.float32), f"k{i}") for i in range(2)]
    return make({"x": [1, 4, 8, 8]}, [
        node("Relu", "x", "a"), node("Conv", "a k0", "b", pads=[1, 1, 1, 1]), node("Relu", "b", "c"), node("Neg", "c", "n"),
        node("Conv", "c k1", "d", pads=[1, 1, 1, 1]), node("Relu", "d", "e"), node("Add", "e n", "f"), node("Mul", "f a", "y")], {"y": [1, 4, 8, 8]}, w)


def wide():
    return make({"x": V, "z": V}, [
        node("Relu", "x", "a"), node("Exp", "z", "b"), node("Neg", "a", "c"), node("Tanh", "b", "d"), node("Abs", "c", "e"), node("Sin", "d", "f"),
        node("Add", "e f", "y")], {"y": V})

