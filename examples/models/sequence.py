"""Transformers and a recurrent network."""

import numpy as np
from net import INT64, Net, gemm


def linear(net, x, cin, cout, name):
    y = net.node("MatMul", [x, net.weight(name + ".weight", [cin, cout])], name=name + "/MatMul")
    return net.node("Add", [net.weight(name + ".bias", [cout]), y], name=name + "/Add")


def layer_norm(net, x, width, name):
    return net.node("LayerNormalization", [x, net.weight(name + ".weight", [width]),
                                           net.weight(name + ".bias", [width])],
                    name=name + "/LayerNormalization", axis=-1, epsilon=1e-12)


class ShapeOf:
    """Extents of a tensor read at run time, as exporters write them: Shape, Gather, Unsqueeze, Concat."""

    def __init__(self, net):
        self.net = net
        self.index = {}
        self.zero_axis = net.const("axes_0", [0])

    def at(self, x, i):
        net = self.net
        if i not in self.index:
            self.index[i] = net.const(f"index_{i}", i)
        return net.node("Gather", [net.node("Shape", [x]), self.index[i]], axis=0)

    def reshape(self, x, parts):
        """parts: result names of at(), or integers."""
        net = self.net
        pieces = []
        for p in parts:
            if isinstance(p, int):
                name = f"extent_{p}".replace("-", "m")
                if name not in self.index:
                    self.index[name] = net.const(name, [p])
                pieces.append(name)
            else:
                pieces.append(net.node("Unsqueeze", [p, self.zero_axis]))
        return net.node("Reshape", [x, net.node("Concat", pieces, axis=0)])


def bert_base():
    """BERT-base (Devlin et al. 2018), batch and sequence left symbolic."""
    layers, width, heads, inner = 12, 768, 12, 3072
    size = width // heads
    net = Net("bert_base", 17)
    ids = net.input("input_ids", ["batch", "sequence"], INT64)
    mask = net.input("attention_mask", ["batch", "sequence"], INT64)
    kinds = net.input("token_type_ids", ["batch", "sequence"], INT64)
    shape = ShapeOf(net)
    one = net.const("one", 1.0, np.float32)
    lowest = net.const("lowest", np.finfo(np.float32).min, np.float32)
    sqrt2 = net.const("sqrt2", np.sqrt(2.0), np.float32)
    half = net.const("half", 0.5, np.float32)
    scale = net.const("scale", np.sqrt(float(size)), np.float32)

    long_mask = net.node("Unsqueeze", [mask, net.const("axes_12", [1, 2])])
    bias = net.node("Mul", [net.node("Sub", [one, net.node("Cast", [long_mask], to=1)]), lowest])

    words = net.node("Gather", [net.weight("embeddings.word", [30522, width]), ids])
    types = net.node("Gather", [net.weight("embeddings.type", [2, width]), kinds])
    length = shape.at(ids, 1)
    positions = net.node("Slice", [net.const("position_ids", [list(range(512))]),
                                   net.const("starts", [0]),
                                   net.node("Unsqueeze", [length, shape.zero_axis]),
                                   net.const("axes_1", [1])])
    places = net.node("Gather", [net.weight("embeddings.position", [512, width]), positions])
    x = net.node("Add", [net.node("Add", [words, types]), places])
    x = layer_norm(net, x, width, "embeddings.norm")

    def split_heads(y, perm):
        y = shape.reshape(y, [shape.at(y, 0), shape.at(y, 1), heads, size])
        return net.node("Transpose", [y], perm=perm)

    for i in range(layers):
        p = f"layer{i}"
        q = split_heads(linear(net, x, width, width, p + ".query"), [0, 2, 1, 3])
        k = split_heads(linear(net, x, width, width, p + ".key"), [0, 2, 3, 1])
        v = split_heads(linear(net, x, width, width, p + ".value"), [0, 2, 1, 3])
        scores = net.node("Div", [net.node("MatMul", [q, k]), scale])
        weights = net.node("Softmax", [net.node("Add", [scores, bias])], axis=-1)
        context = net.node("Transpose", [net.node("MatMul", [weights, v])], perm=[0, 2, 1, 3])
        context = shape.reshape(context, [shape.at(context, 0), shape.at(context, 1), width])
        y = net.node("Add", [linear(net, context, width, width, p + ".output"), x])
        x = layer_norm(net, y, width, p + ".norm1")
        y = linear(net, x, width, inner, p + ".up")
        gate = net.node("Add", [net.node("Erf", [net.node("Div", [y, sqrt2])]), one])
        y = net.node("Mul", [net.node("Mul", [y, gate]), half])
        y = net.node("Add", [linear(net, y, inner, width, p + ".down"), x])
        x = layer_norm(net, y, width, p + ".norm2")
    net.nodes[-1].output[0] = "last_hidden_state"
    first = net.node("Gather", ["last_hidden_state", net.const("first", 0)], axis=1)
    pooled = gemm(net, first, width, width, "pooler")
    net.node("Tanh", [pooled], ["pooler_output"], name="pooler/Tanh")
    net.output("last_hidden_state", ["batch", "sequence", width])
    net.output("pooler_output", ["batch", width])
    return net


def gpt_decoder():
    """One decoding step of a GPT-2-like network (Radford et al. 2019) with its key and value caches."""
    layers, width, heads, inner, vocabulary = 12, 768, 12, 3072, 50257
    size = width // heads
    net = Net("gpt_decoder", 17)
    ids = net.input("input_ids", ["batch", 1], INT64)
    position = net.input("position_ids", ["batch", 1], INT64)
    pasts = [[net.input(f"past.{i}.{kind}", ["batch", heads, "past", size])
              for kind in ("key", "value")] for i in range(layers)]
    shape = ShapeOf(net)
    scale = net.const("scale", np.sqrt(float(size)), np.float32)
    cube, half, one, inner_scale, three = (
        net.const(n, v, np.float32)
        for n, v in (("cube", 0.044715), ("half", 0.5), ("one", 1.0),
                     ("sqrt_2_over_pi", np.sqrt(2.0 / np.pi)), ("three", 3.0)))
    table = net.weight("wte", [vocabulary, width])
    x = net.node("Add", [net.node("Gather", [table, ids]),
                         net.node("Gather", [net.weight("wpe", [1024, width]), position])])
    split = net.const("split_qkv", [width, width, width])
    for i in range(layers):
        p = f"h{i}"
        qkv = linear(net, layer_norm(net, x, width, p + ".ln_1"), width, 3 * width, p + ".attn")
        parts = net.node("Split", [qkv, split], 3, axis=2)
        q, k, v = (net.node("Transpose", [shape.reshape(t, [shape.at(t, 0), shape.at(t, 1), heads,
                                                            size])], perm=[0, 2, 1, 3])
                   for t in parts)
        net.node("Concat", [pasts[i][0], k], [f"present.{i}.key"], name=p + "/key", axis=2)
        net.node("Concat", [pasts[i][1], v], [f"present.{i}.value"], name=p + "/value", axis=2)
        keys = net.node("Transpose", [f"present.{i}.key"], perm=[0, 1, 3, 2])
        scores = net.node("Div", [net.node("MatMul", [q, keys]), scale])
        weights = net.node("Softmax", [scores], axis=-1)
        context = net.node("MatMul", [weights, f"present.{i}.value"])
        context = net.node("Transpose", [context], perm=[0, 2, 1, 3])
        context = shape.reshape(context, [shape.at(context, 0), shape.at(context, 1), width])
        x = net.node("Add", [linear(net, context, width, width, p + ".proj"), x])
        y = linear(net, layer_norm(net, x, width, p + ".ln_2"), width, inner, p + ".fc")
        t = net.node("Mul", [net.node("Pow", [y, three]), cube])
        t = net.node("Tanh", [net.node("Mul", [net.node("Add", [y, t]), inner_scale])])
        y = net.node("Mul", [net.node("Mul", [y, half]), net.node("Add", [t, one])])
        x = net.node("Add", [x, linear(net, y, inner, width, p + ".out")])
        for kind in ("key", "value"):
            net.output(f"present.{i}.{kind}", ["batch", heads, "total", size])
    x = layer_norm(net, x, width, "ln_f")
    net.node("MatMul", [x, net.weight("lm_head", [width, vocabulary])], ["logits"], name="lm_head")
    net.output("logits", ["batch", 1, vocabulary])
    return net


def lstm():
    """A two-layer bidirectional LSTM tagger (Hochreiter and Schmidhuber 1997; Graves 2005)."""
    steps, batch, features, hidden, tags = 64, 1, 40, 128, 32
    net = Net("lstm", 14)
    x = net.input("frames", [steps, batch, features])
    width = features
    for i in range(2):
        p = f"lstm{i}"
        ins = [x, net.weight(p + ".W", [2, 4 * hidden, width]),
               net.weight(p + ".R", [2, 4 * hidden, hidden]),
               net.weight(p + ".B", [2, 8 * hidden])]
        y = net.node("LSTM", ins, [p + "_Y", "", ""], name=p, direction="bidirectional",
                     hidden_size=hidden)
        y = net.node("Transpose", [p + "_Y"], perm=[0, 2, 1, 3])
        width = 2 * hidden
        x = net.node("Reshape", [y, net.const(p + ".shape", [0, 0, width])])
    y = net.node("MatMul", [x, net.weight("head.weight", [width, tags])])
    y = net.node("Add", [y, net.weight("head.bias", [tags])])
    net.node("LogSoftmax", [y], ["log_probabilities"], name="log_softmax", axis=-1)
    net.output("log_probabilities", [steps, batch, tags])
    return net
