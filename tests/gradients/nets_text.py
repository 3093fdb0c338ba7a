"""The networks of nets.py, each written twice: as ONNX text and over autograd's numpy."""

import dataclasses
import typing

import autograd.numpy as np
from cases import spaced


@dataclasses.dataclass
class Net:
    name: str
    text: str
    parameters: dict  # name -> shape
    feeds: dict
    loss: typing.Callable  # of parameters and feeds
    size: float = 0.3  # of parameters
    options: str = ""  # more of autodiff
    checked: bool = True  # by the onnx package: it knows the operators, and lets them have doubles
    given: dict = dataclasses.field(default_factory=dict)  # further parameters, by name: their numbers
    made: dict = dataclasses.field(default_factory=dict)  # parameters that autodiff makes


def softmax(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def log_softmax(scores):
    shifted = scores - np.max(scores, axis=1, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))


def cross_entropy(scores, labels):
    """Mean over the rows of scores[N, C]."""
    return -np.mean(log_softmax(scores)[np.arange(len(labels)), labels])


def layer_norm(x, scale, bias):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.mean((x - mean) ** 2, axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * scale + bias


def rms_norm(x, scale):
    return x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + 1e-5) * scale


def conv(x, w, stride=1, pad=0, group=1):
    """Two-dimensional, one element of the kernel after another."""
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)), "constant")
    rows = (x.shape[2] - w.shape[2]) // stride + 1
    columns = (x.shape[3] - w.shape[3]) // stride + 1
    ins, outs = w.shape[1], w.shape[0] // group
    results = []
    for g in range(group):
        total = 0
        for i in range(w.shape[2]):
            for j in range(w.shape[3]):
                part = x[:, g * ins : (g + 1) * ins, i : i + stride * (rows - 1) + 1 : stride,
                         j : j + stride * (columns - 1) + 1 : stride]
                total = total + np.einsum("nchw,mc->nmhw", part, w[g * outs : (g + 1) * outs, :, i, j])
        results.append(total)
    return np.concatenate(results, axis=1)


def max_pool(x, k, stride):
    rows, columns = (x.shape[2] - k) // stride + 1, (x.shape[3] - k) // stride + 1
    parts = [x[:, :, i : i + stride * (rows - 1) + 1 : stride, j : j + stride * (columns - 1) + 1 : stride]
             for i in range(k) for j in range(k)]
    return np.max(np.stack(parts), axis=0)


def batch_norm(x, scale, bias, epsilon=1e-5):
    mean = np.mean(x, axis=(0, 2, 3), keepdims=True)
    variance = np.mean((x - mean) ** 2, axis=(0, 2, 3), keepdims=True)
    channel = (1, -1, 1, 1)
    return (x - mean) / np.sqrt(variance + epsilon) * scale.reshape(channel) + bias.reshape(channel)


def relu(x):
    return np.maximum(x, 0)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def perceptron():
    text = """<ir_version: 10, opset_import: ["": 20]>
    net (double[4,6] x, int64[4] t) => (double loss) <double[6,8] w1, double[8] b1, double[8] g, double[8] h, double[8,3] w2, double[3] b2> {
      a = Gemm(x, w1, b1)
      n = LayerNormalization(a, g, h)
      r = Gelu<approximate = "tanh">(n)
      y = Gemm(r, w2, b2)
      loss = SoftmaxCrossEntropyLoss(y, t)
    }"""

    def loss(p, f):
        n = layer_norm(f["x"] @ p["w1"] + p["b1"], p["g"], p["h"])
        r = 0.5 * n * (1 + np.tanh(np.sqrt(2 / np.pi) * (n + 0.044715 * n**3)))
        return cross_entropy(r @ p["w2"] + p["b2"], f["t"])

    shapes = {"w1": (6, 8), "b1": (8,), "g": (8,), "h": (8,), "w2": (8, 3), "b2": (3,)}
    return Net("perceptron", text, shapes, {"x": spaced(4, 6), "t": np.array([0, 2, 1, 1])}, loss)


def residual():
    """Convolutions with strides, groups and a shortcut, normalised by batch statistics."""
    text = """<ir_version: 10, opset_import: ["": 17]>
    net (double[2,3,9,9] x, int64[2] t) => (double loss)
      <double[4,3,3,3] w1, double[4] s1, double[4] b1, double[4,2,3,3] w2, double[4] s2, double[4] b2, double[4,4,1,1] w3,
       double[4,3] f, double[3] c, double[4] m = {0.0,0.0,0.0,0.0}, double[4] v = {1.0,1.0,1.0,1.0}> {
      c1 = Conv<strides = [2, 2], pads = [1, 1, 1, 1]>(x, w1)
      n1, m1, v1 = BatchNormalization<training_mode = 1>(c1, s1, b1, m, v)
      r1 = Relu(n1)
      c2 = Conv<group = 2, pads = [1, 1, 1, 1]>(r1, w2)
      n2, m2, v2 = BatchNormalization<training_mode = 1>(c2, s2, b2, m, v)
      short = Conv(r1, w3)
      both = Add(n2, short)
      r2 = Relu(both)
      pool = MaxPool<kernel_shape = [3, 3], strides = [2, 2]>(r2)
      mean = GlobalAveragePool(pool)
      flat = Flatten(mean)
      y = Gemm(flat, f, c)
      loss = SoftmaxCrossEntropyLoss(y, t)
    }"""

    def loss(p, f):
        r1 = relu(batch_norm(conv(f["x"], p["w1"], 2, 1), p["s1"], p["b1"]))
        n2 = batch_norm(conv(r1, p["w2"], 1, 1, 2), p["s2"], p["b2"])
        r2 = relu(n2 + conv(r1, p["w3"]))
        mean = np.mean(max_pool(r2, 3, 2), axis=(2, 3))
        return cross_entropy(mean @ p["f"] + p["c"], f["t"])

    shapes = {"w1": (4, 3, 3, 3), "s1": (4,), "b1": (4,), "w2": (4, 2, 3, 3), "s2": (4,), "b2": (4,),
              "w3": (4, 4, 1, 1), "f": (4, 3), "c": (3,)}
    return Net("residual", text, shapes, {"x": spaced(2, 3, 9, 9), "t": np.array([2, 0])}, loss)


def transformer():
    """Tied embedding, causal attention of two heads, gated feed-forward."""
    text = """<ir_version: 10, opset_import: ["": 23]>
    net (int64[2,4] tokens, int64[8] t) => (double loss)
      <double[7,6] e, double[6] s1, double[6,18] qkv, double[6,6] o, double[6] s2, double[6,10] up, double[6,10] gate, double[10,6] down,
       int64[5] heads = {2,4,3,2,3}, int64[3] back = {2,4,6}, int64[2] rows = {-1,6}, double scale = {0.5773502691896258},
       double[4,4] mask = {0.0,-1e9,-1e9,-1e9, 0.0,0.0,-1e9,-1e9, 0.0,0.0,0.0,-1e9, 0.0,0.0,0.0,0.0}, int64[1] first = {0}> {
      x = Gather(e, tokens)
      n1 = RMSNormalization(x, s1)
      all = MatMul(n1, qkv)
      parts = Reshape(all, heads)
      turned = Transpose<perm = [2, 0, 3, 1, 4]>(parts)
      q, k, v = Split<num_outputs = 3>(turned)
      q1 = Squeeze(q, first)
      k1 = Squeeze(k, first)
      v1 = Squeeze(v, first)
      kt = Transpose<perm = [0, 1, 3, 2]>(k1)
      raw = MatMul(q1, kt)
      scaled = Mul(raw, scale)
      masked = Add(scaled, mask)
      p = Softmax(masked)
      mixed = MatMul(p, v1)
      order = Transpose<perm = [0, 2, 1, 3]>(mixed)
      joined = Reshape(order, back)
      out = MatMul(joined, o)
      h = Add(x, out)
      n2 = RMSNormalization(h, s2)
      g = MatMul(n2, gate)
      u = MatMul(n2, up)
      sg = Sigmoid(g)
      silu = Mul(g, sg)
      inner = Mul(silu, u)
      d = MatMul(inner, down)
      z = Add(h, d)
      flat = Reshape(z, rows)
      et = Transpose(e)
      y = MatMul(flat, et)
      loss = SoftmaxCrossEntropyLoss(y, t)
    }"""

    def loss(p, f):
        x = p["e"][f["tokens"]]
        parts = np.transpose(np.reshape(rms_norm(x, p["s1"]) @ p["qkv"], (2, 4, 3, 2, 3)), (2, 0, 3, 1, 4))
        q, k, v = parts[0], parts[1], parts[2]
        mask = np.triu(np.ones((4, 4)), 1) * -1e9
        a = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(3) + mask)
        h = x + np.reshape(np.transpose(a @ v, (0, 2, 1, 3)), (2, 4, 6)) @ p["o"]
        n2 = rms_norm(h, p["s2"])
        g = n2 @ p["gate"]
        z = h + (g * sigmoid(g) * (n2 @ p["up"])) @ p["down"]
        return cross_entropy(np.reshape(z, (-1, 6)) @ p["e"].T, f["t"])

    shapes = {"e": (7, 6), "s1": (6,), "qkv": (6, 18), "o": (6, 6), "s2": (6,), "up": (6, 10), "gate": (6, 10), "down": (10, 6)}
    feeds = {"tokens": np.array([[0, 3, 3, 6], [5, 1, 2, 0]]), "t": np.array([3, 3, 6, 1, 1, 2, 0, 4])}
    return Net("transformer", text, shapes, feeds, loss)


def autoencoder():
    text = """<ir_version: 10, opset_import: ["": 13]>
    net (double[2,2,8,8] x) => (double loss) <double[3,2,3,3] w1, double[3] b1, double[3,2,4,4] w2, double[2] b2> {
      c = Conv<strides = [2, 2], pads = [1, 1, 1, 1]>(x, w1, b1)
      a = Tanh(c)
      p = AveragePool<kernel_shape = [2, 2]>(a)
      y = ConvTranspose<strides = [2, 2], pads = [0, 0, 0, 0]>(p, w2, b2)
      s = Sigmoid(y)
      e = Sub(s, x)
      q = Mul(e, e)
      loss = ReduceMean<keepdims = 0>(q)
    }"""

    def loss(p, f):
        a = np.tanh(conv(f["x"], p["w1"], 2, 1) + p["b1"].reshape(1, -1, 1, 1))
        pooled = sum(a[:, :, i : i + 3, j : j + 3] for i in range(2) for j in range(2)) / 4
        wide = np.zeros((2, 2, 8, 8))
        for i in range(4):
            for j in range(4):
                part = np.einsum("nchw,cm->nmhw", pooled, p["w2"][:, :, i, j])
                rows, columns = np.zeros((8, 3)), np.zeros((3, 8))
                for k in range(3):
                    rows[2 * k + i, k] = columns[k, 2 * k + j] = 1
                wide = wide + np.einsum("ar,nmrc,cb->nmab", rows, part, columns)
        s = sigmoid(wide + p["b2"].reshape(1, -1, 1, 1))
        return np.mean((s - f["x"]) ** 2)

    shapes = {"w1": (3, 2, 3, 3), "b1": (3,), "w2": (3, 2, 4, 4), "b2": (2,)}
    return Net("autoencoder", text, shapes, {"x": spaced(2, 2, 8, 8)}, loss)


def recurrent():
    """LSTM with peepholes' bias, its last state classified."""
    text = """<ir_version: 10, opset_import: ["": 22]>
    net (double[4,2,3] x, int64[2] t) => (double loss) <double[1,20,3] w, double[1,20,5] r, double[1,40] b, double[5,3] f, int64[1] zero = {0}> {
      all, last, cell = LSTM<hidden_size = 5>(x, w, r, b)
      h = Squeeze(last, zero)
      y = MatMul(h, f)
      loss = SoftmaxCrossEntropyLoss(y, t)
    }"""

    def loss(p, f):
        h = c = np.zeros((2, 5))
        for x in f["x"]:
            gates = x @ p["w"][0].T + h @ p["r"][0].T + p["b"][0, :20] + p["b"][0, 20:]
            i, o, g, n = (gates[:, k * 5 : k * 5 + 5] for k in range(4))
            c = sigmoid(g) * c + sigmoid(i) * np.tanh(n)
            h = sigmoid(o) * np.tanh(c)
        return cross_entropy(h @ p["f"], f["t"])

    shapes = {"w": (1, 20, 3), "r": (1, 20, 5), "b": (1, 40), "f": (5, 3)}
    return Net("recurrent", text, shapes, {"x": spaced(4, 2, 3), "t": np.array([2, 0])}, loss)


def moved():
    """Parameters as exporters leave them, each behind ops that only move its elements or change their type."""
    text = """<ir_version: 10, opset_import: ["": 17]>
    net (double[2,4] x, int64[2] t) => (double loss) <double[3,4] w, double[12] v, double[4,1] a, double[4,2] b, float[4,3] c,
         double[5,3] table, int64[2] s = {4, 3}, int64[2] rows = {1, 3}> {
      wt = Transpose<perm = [1, 0]>(w)
      vr = Reshape(v, s)
      ab = Concat<axis = 1>(a, b)
      cd = Cast<to = 11>(c)
      wv = Add(wt, vr)
      abc = Add(ab, cd)
      all = Add(wv, abc)
      y = MatMul(x, all)
      bias = Gather(table, rows)
      z = Add(y, bias)
      loss = SoftmaxCrossEntropyLoss(z, t)
    }"""

    def loss(p, f):
        weights = p["w"].T + p["v"].reshape(4, 3) + np.concatenate([p["a"], p["b"]], axis=1) + p["c"].astype(np.float64)
        return cross_entropy(f["x"] @ weights + p["table"][np.array([1, 3])], f["t"])

    shapes = {"w": (3, 4), "v": (12,), "a": (4, 1), "b": (4, 2), "table": (5, 3)}
    return Net("moved", text, shapes, {"x": spaced(2, 4), "t": np.array([2, 0])}, loss,
               given={"c": spaced(4, 3).astype(np.float32)})


def tied():
    """One table that embeds and, turned, gives the scores."""
    text = """<ir_version: 10, opset_import: ["": 17]>
    net (int64[3] ids, int64[3] t) => (double loss) <double[6,4] e, double[4,4] w> {
      h = Gather(e, ids)
      g = MatMul(h, w)
      k = Tanh(g)
      et = Transpose<perm = [1, 0]>(e)
      y = MatMul(k, et)
      loss = SoftmaxCrossEntropyLoss(y, t)
    }"""

    def loss(p, f):
        return cross_entropy(np.tanh(p["e"][f["ids"]] @ p["w"]) @ p["e"].T, f["t"])

    return Net("tied", text, {"e": (6, 4), "w": (4, 4)}, {"ids": np.array([1, 4, 1]), "t": np.array([2, 0, 5])}, loss)


def long_attention():
    """Scores of three heads that are the largest tensors, made for one text after the other, with a mask of each text and one of all."""
    text = """<ir_version: 10, opset_import: ["": 17]>
    net (double[5,9,6] x, double[5,1,1,9] seen) => (double loss)
      <double[6,6] wq, double[6,6] wk, double[6,6] wv, int64[4] heads = {0,0,3,2}, int64[3] back = {0,0,6}, double[9,9] near, double half = {0.7}> {
      q0 = MatMul(x, wq)
      k0 = MatMul(x, wk)
      v0 = MatMul(x, wv)
      q1 = Reshape(q0, heads)
      k1 = Reshape(k0, heads)
      v1 = Reshape(v0, heads)
      q = Transpose<perm = [0, 2, 1, 3]>(q1)
      kt = Transpose<perm = [0, 2, 3, 1]>(k1)
      v = Transpose<perm = [0, 2, 1, 3]>(v1)
      raw = MatMul(q, kt)
      scaled = Mul(raw, half)
      there = Add(scaled, near)
      masked = Add(there, seen)
      p = Softmax<axis = -1>(masked)
      o = MatMul(p, v)
      o1 = Transpose<perm = [0, 2, 1, 3]>(o)
      y = Reshape(o1, back)
      z = Tanh(y)
      loss = ReduceMean<keepdims = 0>(z)
    }"""
    near = -0.3 * np.abs(np.arange(9)[:, None] - np.arange(9)[None, :])
    text = text.replace("double[9,9] near", f"double[9,9] near = {{{','.join(str(x) for x in near.reshape(-1))}}}")

    def loss(p, f):
        q, k, v = (np.transpose(np.reshape(f["x"] @ p[w], (5, 9, 3, 2)), (0, 2, 1, 3)) for w in ("wq", "wk", "wv"))
        a = softmax(0.7 * (q @ np.swapaxes(k, -1, -2)) + near + f["seen"])
        return np.mean(np.tanh(np.reshape(np.transpose(a @ v, (0, 2, 1, 3)), (5, 9, 6))))

    seen = np.where(np.arange(9)[None, :] < np.array([9, 4, 7, 9, 5])[:, None], 0.0, -1e9).reshape(5, 1, 1, 9)
    feeds = {"x": spaced(5, 9, 6), "seen": seen}
    return Net("long attention", text, {"wq": (6, 6), "wk": (6, 6), "wv": (6, 6)}, feeds, loss, size=0.8, options="stop=near")


def words(ignored):
    """Scores of more classes than anything else has elements, which become parts of rows; they are outputs, and labels of `ignored` count nothing."""
    text = """<ir_version: 10, opset_import: ["": 17]>
    net (int64[2,51] ids, int64[2,51] t) => (double loss, double[2,51,40] raw, double[102,40] y)
      <double[40,3] e, double[3,3] w, double[40] b, int64[2] rows = {-1,40}, int64[1] flat = {-1}> {
      h = Gather(e, ids)
      g = MatMul(h, w)
      k = Tanh(g)
      et = Transpose<perm = [1, 0]>(e)
      raw = MatMul(k, et)
      z = Add(b, raw)
      y = Reshape(z, rows)
      labels = Reshape(t, flat)
      loss = SoftmaxCrossEntropyLossIGNORED(y, labels)
    }""".replace("IGNORED", "" if ignored is None else f"<ignore_index = {ignored}>")

    def loss(p, f):
        labels = f["t"].reshape(-1)
        scores = np.tanh(p["e"][f["ids"]] @ p["w"]) @ p["e"].T + p["b"]
        return cross_entropy(scores.reshape(-1, 40)[labels >= 0], labels[labels >= 0])

    ids = np.arange(102).reshape(2, 51)
    feeds = {"ids": ids * 7 % 40, "t": ids * 11 % 40 if ignored is None else ids * 11 % 41 + ignored}
    return Net("words" if ignored is None else "words, some ignored", text, {"e": (40, 3), "w": (3, 3), "b": (40,)}, feeds, loss)


def weighted_words(reduction):
    """The same by a Gemm, with a weight for each class."""
    text = """<ir_version: 10, opset_import: ["": 17]>
    net (double[70,4] x, int64[70] t) => (double loss, double[70,50] y)
      <double[50,4] w, double[50] b, double[50] g, double scale = {0.5}, double two = {2.0}> {
      y = Gemm<transB = 1, alpha = 1.5>(x, w, b)
      s = Mul(scale, y)
      r = Tanh(s)
      p = Abs(g)
      l = SoftmaxCrossEntropyLoss<reduction = "REDUCTION", ignore_index = 7>(r, t, p)
      loss = Mul(l, two)
    }"""

    def loss(p, f):
        scores = np.tanh(0.5 * (1.5 * f["x"] @ p["w"].T + p["b"]))
        of_row = np.abs(g)[f["t"]] * (f["t"] != 7)
        total = -np.sum(log_softmax(scores)[np.arange(70), f["t"]] * of_row)
        return 2 * total / (np.sum(of_row) if reduction == "mean" else 1)

    g = spaced(50) + 2  # no gradient is made by weights of classes
    text = text.replace("double[50] g", f"double[50] g = {{{','.join(str(x) for x in g)}}}").replace("REDUCTION", reduction)
    feeds = {"x": spaced(70, 4), "t": np.arange(70) * 9 % 50}
    return Net(f"weighted words, {reduction}", text, {"w": (50, 4), "b": (50,)}, feeds, loss, options="stop=g,outputs=loss")


def all_nets():
    for net in (perceptron, residual, transformer, autoencoder, recurrent, moved, tied, long_attention):
        yield net()
    yield words(None)
    yield words(-1)
    yield weighted_words("mean")
    yield weighted_words("sum")
