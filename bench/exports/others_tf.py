"""Networks of TensorFlow without Keras: functions of variables, as older code has them, converted as tf.function."""

import os

import numpy as np
from others_networks import BATCH, CLASSES, STEPS, WORDS, by_tensorflow, drawn, finished, images, rng, series, vectors, words

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
import tensorflow as tf  # noqa: E402


def mlp(p, x):
    return tf.nn.relu(x @ p["a"] + p["b"]) @ p["c"]


def loss(p, x):
    """The loss is in the file; what punishes large weights would be one number there, and tf.nn.l2_loss an
    op that ONNX does not have."""
    y = tf.nn.tanh(x @ p["a"] + p["b"]) @ p["c"]
    target = tf.one_hot(tf.range(BATCH) % CLASSES, CLASSES, dtype=y.dtype)
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(target, y)) + 0.01 * tf.reduce_sum(y * y)


def loss_sparse(p, x):
    y = tf.nn.leaky_relu(x @ p["a"] + p["b"]) @ p["c"]
    return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tf.range(BATCH) % CLASSES, y))


def conv(p, x):
    h = tf.nn.bias_add(tf.nn.conv2d(x, p["a"], 2, "SAME"), p["b"])
    mean, var = tf.nn.moments(h, [0, 1, 2])
    h = tf.nn.relu6(tf.nn.batch_normalization(h, mean, var, p["beta"], p["gamma"], 2.0 ** -10))
    h = tf.nn.depthwise_conv2d(tf.pad(h, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT"), p["c"], [1, 1, 1, 1], "VALID")
    h = tf.nn.avg_pool2d(h, 2, 2, "SAME") + tf.nn.max_pool2d(h, 3, 2, "SAME")
    h = tf.nn.space_to_depth(tf.pad(h, [[0, 0], [0, 1], [0, 1], [0, 0]]), 2)
    return tf.reshape(h, [BATCH, -1]) @ p["d"]


def unrolled(p, x):
    h = tf.zeros([BATCH, 5], x.dtype)
    for v in tf.unstack(x, axis=1):
        i, c = tf.split(tf.concat([v, h], 1) @ p["a"] + p["b"], 2, axis=1)
        h = tf.sigmoid(i) * tf.tanh(c) + (1 - tf.sigmoid(i)) * h
    return h @ p["c"]


def looped(p, x):
    """As dynamic_rnn wrote it: a while loop that reads and writes arrays of tensors."""
    given = tf.TensorArray(x.dtype, STEPS).unstack(tf.transpose(x, [1, 0, 2]))
    made = tf.TensorArray(x.dtype, STEPS, element_shape=[BATCH, 5])

    def step(t, h, made):
        h = tf.tanh(given.read(t) @ p["a"] + h @ p["b"])
        return t + 1, h, made.write(t, h)

    _, h, made = tf.while_loop(lambda t, h, m: t < STEPS, step, [tf.constant(0), tf.zeros([BATCH, 5], x.dtype), made])
    return h @ p["c"] + tf.reduce_sum(made.stack(), 0) @ p["d"]


def attention(p, x):
    q, k, v = tf.split(tf.einsum("btc,cd->btd", x, p["a"]), 3, axis=-1)
    q, k, v = (tf.reshape(t, [BATCH, STEPS, 2, 4]) for t in (q, k, v))
    s = tf.einsum("bqhd,bkhd->bhqk", q, k) / 2 + (1 - tf.linalg.band_part(tf.ones([STEPS, STEPS], x.dtype), -1, 0)) * -1e9
    h = tf.reshape(tf.einsum("bhqk,bkhd->bqhd", tf.nn.softmax(s), v), [BATCH, STEPS, 8])
    mean, var = tf.nn.moments(h, [-1], keepdims=True)
    h = (h - mean) * tf.math.rsqrt(var + 2.0 ** -10)
    return tf.nn.gelu(h, approximate=True) @ p["c"]


def embedding(p, x):
    """Rows by number, of two tables; one is read the other way, too."""
    h = tf.nn.embedding_lookup(p["a"], x) * tf.expand_dims(tf.cast(x > 3, p["a"].dtype), -1) + tf.gather(p["b"], x[:, ::-1])
    return tf.math.l2_normalize(tf.reduce_max(h, 1), 1) @ tf.transpose(p["a"])


def picked(p, x):
    """Parts by number, running sums, sorts and the largest few."""
    h = tf.tanh(x @ p["a"])
    best, at = tf.math.top_k(h, 3)
    h = tf.concat([best, tf.gather(h, at, batch_dims=2), tf.cumsum(h, axis=1), tf.where(h > 0, h, tf.exp(h))], -1)
    return tf.gather_nd(h, [[0, 1], [1, 2], [1, 1]]) + tf.reduce_logsumexp(h, [0, 1]) + tf.reduce_prod(h[:, 0, :2]) * h[1, -1]


NETS = {
    "mlp": (mlp, {"a": (6, 8), "b": (8,), "c": (8, CLASSES)}, vectors, "cross-entropy"),
    "loss": (loss, {"a": (6, 8), "b": (8,), "c": (8, CLASSES)}, vectors, ""),
    "loss picked": (loss_sparse, {"a": (6, 8), "b": (8,), "c": (8, CLASSES)}, vectors, ""),
    "conv": (conv, {"a": (3, 3, 3, 4), "b": (4,), "beta": (4,), "gamma": (4,), "c": (3, 3, 4, 2), "d": (128, CLASSES)}, images, "cross-entropy"),
    "unrolled": (unrolled, {"a": (9, 10), "b": (10,), "c": (5, CLASSES)}, series, "cross-entropy"),
    "loop": (looped, {"a": (4, 5), "b": (5, 5), "c": (5, CLASSES), "d": (5, CLASSES)}, series, "cross-entropy"),
    "attention": (attention, {"a": (4, 24), "c": (8, 3)}, series, "mse"),
    "embedding": (embedding, {"a": (WORDS, 6), "b": (WORDS, 6)}, words, "cross-entropy"),
    "picked": (picked, {"a": (4, 6)}, series, "mse"),
}


def case(name, kind):
    import tf2onnx
    f, shapes, given, loss = NETS[name]
    r, x = rng(), given(kind)
    params = {n: drawn(n, s, kind, r) for n, s in shapes.items()}
    variables = {n: tf.Variable(p, name=n) for n, p in params.items()}
    step = tf.function(lambda x: f(variables, x))
    model, _ = tf2onnx.convert.from_function(step, [tf.TensorSpec(x.shape, x.dtype, name="x")], opset=18)
    value, grads, target = by_tensorflow(lambda v: f(variables, v), list(variables.values()), x, loss, kind)
    made = finished(model, kind, loss, {0: x}, target, params, dict(zip([*params, 0], grads)), value)
    made.near = 1e-6 if name == "picked" else 0  # tf2onnx writes TopK and Log in single precision
    return made


def cases(kind):
    return {name: (lambda folder, name=name: case(name, kind)) for name in NETS}
