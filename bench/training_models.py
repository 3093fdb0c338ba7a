"""Training graphs of the networks that the older systems published figures of, for bench/training.py.

The convolutional ones are the light models that come with the package onnx: their weights are generators (ConstantOfShape), which
become initializers without bytes here, since only sizes count. Dropout and a last Softmax go, the batch becomes 32, and the
loss (SoftmaxCrossEntropyLoss) is appended. A transformer encoder and an LSTM are written down below. `autodiff` does the rest.
"""

import os

import onnx
from onnx import TensorProto, helper, numpy_helper

BATCH, OPSET = 32, 17
LIGHT = ["bvlc_alexnet", "zfnet512", "squeezenet", "vgg19", "inception_v1", "inception_v2", "resnet50", "shufflenet", "densenet121"]
STATISTICS = {"BatchNormalization": (3, 4)}  # operands that no gradient descent moves
FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


def weight(name, dims):
    """Float elements in a file that is not there."""
    t = TensorProto(name=name, data_type=FLOAT, dims=dims, data_location=TensorProto.EXTERNAL)
    t.external_data.add(key="location", value="weights.bin")
    return t


def numbers(name, values):
    return helper.make_tensor(name, INT64, [len(values)], values)


def elements(model):
    return {t.name: numpy_helper.to_array(t) for t in model.graph.initializer if t.data_location != TensorProto.EXTERNAL}


def fold_weights(model):
    """Generated weights become initializers, with extents of 1 added where they are unsqueezed."""
    known, made, kept = elements(model), {}, []
    for node in model.graph.node:
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        if node.op_type == "ConstantOfShape":
            made[node.output[0]] = [int(d) for d in known[node.input[0]]]
        elif node.op_type == "Unsqueeze" and (node.input[0] in made or node.input[0] in known):
            dims = list(made.get(node.input[0]) or known[node.input[0]].shape)
            for axis in sorted(attributes["axes"]):
                dims.insert(axis, 1)
            made[node.output[0]] = dims
        else:
            kept.append(node)
    del model.graph.node[:]
    model.graph.node.extend(kept)
    read = {i for n in kept for i in n.input}
    tensors = [t for t in model.graph.initializer if t.name in read] + [weight(n, d) for n, d in made.items() if n in read]
    del model.graph.initializer[:]
    model.graph.initializer.extend(tensors)


def drop_nodes(model):
    """Dropout and the last Softmax; the name of what is left at the end."""
    renamed, kept = {}, []
    for node in model.graph.node:
        for k, name in enumerate(node.input):
            node.input[k] = renamed.get(name, name)
        if node.op_type in ("Dropout", "Softmax"):
            renamed[node.output[0]] = node.input[0]
        else:
            kept.append(node)
    del model.graph.node[:]
    model.graph.node.extend(kept)
    return kept[-1].output[0]


def batched(model):
    """The batch in shapes that Reshape has as numbers; weights that are reshaped keep theirs."""
    known, new = elements(model), []
    weights = {t.name for t in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Reshape" and node.input[0] not in weights:
            shape = [int(d) for d in known[node.input[1]]]
            new.append(numbers(node.output[0] + "_shape", [BATCH, *shape[1:]] if shape[0] == 1 else shape))
            node.input[1] = new[-1].name
    model.graph.initializer.extend(new)


def parameters(graph):
    """Names of the initializers that training changes."""
    fixed = {n.input[k] for n in graph.node for k in STATISTICS.get(n.op_type, ()) if k < len(n.input)}
    return [t.name for t in graph.initializer if t.data_type == FLOAT and t.name not in fixed]


def with_loss(nodes, tensors, inputs, scores, flatten):
    """A model with a loss over scores, which are [BATCH, classes] once what is behind the second axis is flattened."""
    if flatten:
        nodes = [*nodes, helper.make_node("Flatten", [scores], ["scores"], axis=1)]
        scores = "scores"
    nodes = [*nodes, helper.make_node("SoftmaxCrossEntropyLoss", [scores, "labels"], ["loss", "log_prob"])]
    graph = helper.make_graph(nodes, "net", [*inputs, helper.make_tensor_value_info("labels", INT64, [BATCH])],
                              [helper.make_tensor_value_info("loss", FLOAT, [])], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)


def light(name):
    folder = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data", "light")
    model = onnx.load(os.path.join(folder, f"light_{name}.onnx"))
    fold_weights(model)
    scores = drop_nodes(model)
    batched(model)
    given = {t.name for t in model.graph.initializer}
    read = {i for n in model.graph.node for i in n.input}
    image, = [i for i in model.graph.input if i.name not in given and i.name in read]
    image.type.tensor_type.shape.dim[0].dim_value = BATCH
    return with_loss(list(model.graph.node), list(model.graph.initializer), [image], scores, True)


class Builder:
    def __init__(self):
        self.nodes, self.tensors = [], []

    def op(self, kind, *inputs, outputs=1, **attributes):
        names = [f"{kind.lower()}_{len(self.nodes)}{'abcd'[k] if outputs > 1 else ''}" for k in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def weight(self, *dims):
        self.tensors.append(weight(f"w{len(self.tensors)}", list(dims)))
        return self.tensors[-1].name

    def constant(self, array):
        self.tensors.append(array)
        return array.name

    def linear(self, x, n, m):
        return self.op("Add", self.op("MatMul", x, self.weight(n, m)), self.weight(m))


def transformer(layers=6, seq=128, wide=512, heads=8):
    """An encoder of plain ops, the mean of its last layer classified."""
    b, part = Builder(), wide // heads
    split = b.constant(numbers("split_shape", [BATCH, seq, heads, part]))
    joined = b.constant(numbers("join_shape", [BATCH, seq, wide]))
    half = b.constant(helper.make_tensor("root", FLOAT, [], [part ** -0.5]))
    x = "x"
    for _ in range(layers):
        q, k, v = (b.op("Transpose", b.op("Reshape", b.linear(x, wide, wide), split), perm=p)
                   for p in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]))
        scores = b.op("Softmax", b.op("Mul", b.op("MatMul", q, k), half), axis=-1)
        context = b.op("Reshape", b.op("Transpose", b.op("MatMul", scores, v), perm=[0, 2, 1, 3]), joined)
        x = b.op("LayerNormalization", b.op("Add", x, b.linear(context, wide, wide)), b.weight(wide), b.weight(wide), axis=-1)
        hidden = b.op("Relu", b.linear(x, wide, 4 * wide))
        x = b.op("LayerNormalization", b.op("Add", x, b.linear(hidden, 4 * wide, wide)), b.weight(wide), b.weight(wide), axis=-1)
    mean = b.op("ReduceMean", x, axes=[1], keepdims=0)
    return with_loss(b.nodes, b.tensors, [helper.make_tensor_value_info("x", FLOAT, [BATCH, seq, wide])], b.linear(mean, wide, 1000),
                     False)


def lstm(steps=20, wide=512):
    """One layer, unrolled; its last state classified."""
    b = Builder()
    kernel, recurrent, bias = b.weight(wide, 4 * wide), b.weight(wide, 4 * wide), b.weight(4 * wide)
    h, c = "h0", "c0"
    for t in range(steps):
        gates = b.op("Add", b.op("Add", b.op("MatMul", f"x{t}", kernel), b.op("MatMul", h, recurrent)), bias)
        i, o, f, n = b.op("Split", gates, outputs=4, axis=1)
        c = b.op("Add", b.op("Mul", b.op("Sigmoid", f), c), b.op("Mul", b.op("Sigmoid", i), b.op("Tanh", n)))
        h = b.op("Mul", b.op("Sigmoid", o), b.op("Tanh", c))
    inputs = [helper.make_tensor_value_info(n, FLOAT, [BATCH, wide]) for n in ["h0", "c0", *(f"x{t}" for t in range(steps))]]
    return with_loss(b.nodes, b.tensors, inputs, b.linear(h, wide, 1000), False)


def nets():
    """(name, model with a loss) of all."""
    for name in LIGHT:
        yield name, light(name)
    yield "transformer", transformer()
    yield "lstm", lstm()
