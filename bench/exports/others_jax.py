"""Networks of JAX as its users write them: flax modules, and plain functions of arrays."""

import os

import numpy as np
from others_networks import BATCH, CLASSES, STEPS, WORDS, drawn, finished, images, jax_loss, rng, series, vectors, words

os.environ["JAX_PLATFORMS"] = "cpu"
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
from flax import nnx  # noqa: E402
from jax import lax  # noqa: E402


class Block(nnx.Module):
    """Convolutions with normalisation, and a way around them; depthwise ones between two of one by one."""

    def __init__(self, options, mobile, training):
        conv = lambda a, b, k, **more: nnx.Conv(a, b, (k, k), **more, **options)
        norm = lambda n: nnx.BatchNorm(n, use_running_average=not training, **options)
        self.mobile = mobile
        self.first, self.norm = conv(3, 6, 3, strides=2, use_bias=False), norm(6)
        if mobile:
            self.convs = nnx.List([conv(6, 8, 1), conv(8, 8, 3, feature_group_count=8), conv(8, 6, 1)])
        else:
            self.convs = nnx.List([conv(6, 8, 3), conv(8, 6, 3, kernel_dilation=2)])
        self.norms = nnx.List([norm(c.out_features) for c in self.convs])
        self.head = nnx.Linear(6, CLASSES, **options)

    def __call__(self, x):
        x = nnx.relu(self.norm(self.first(x)))
        h = x = (nnx.avg_pool if self.mobile else nnx.max_pool)(x, window_shape=(2, 2), strides=(2, 2))
        for conv, norm in zip(self.convs, self.norms):
            h = norm(conv(h))
            h = nnx.relu6(h) if self.mobile else nnx.silu(h)
        return self.head(jnp.mean(x + h, axis=(1, 2)))


class Attends(nnx.Module):
    def __init__(self, options):
        self.words = nnx.Embed(WORDS, 8, **options)
        self.before, self.after = nnx.LayerNorm(8, **options), nnx.RMSNorm(8, **options)
        self.attention = nnx.MultiHeadAttention(2, 8, decode=False, **options)
        self.up, self.down, self.head = nnx.Linear(8, 12, **options), nnx.Linear(12, 8, **options), nnx.Linear(8, CLASSES, **options)

    def __call__(self, x):
        h = self.words(x)
        h = h + self.attention(self.before(h))
        h = h + self.down(nnx.gelu(self.up(self.after(h))))
        return self.head(h.mean(axis=1))


class Recurrent(nnx.Module):
    def __init__(self, cell, options):
        self.rnn, self.head = nnx.RNN(cell(4, 5, **options)), nnx.Linear(5, CLASSES, **options)
        self.states = 2 if "LSTM" in cell.__name__ else 1

    def __call__(self, x):
        zero = jnp.zeros((BATCH, 5), x.dtype)  # the cell's own would draw random numbers
        return self.head(self.rnn(x, initial_carry=(zero, zero) if self.states == 2 else zero)[:, -1])


class Counts(nnx.Module):
    def __init__(self, options):
        self.words, self.head = nnx.Embed(WORDS, 6, **options), nnx.Linear(6, CLASSES, **options)

    def __call__(self, x):
        return self.head(self.words(x).mean(axis=1))


class Layers(nnx.Module):
    def __init__(self, options):
        self.a, self.b, self.c = nnx.Linear(6, 8, **options), nnx.Linear(8, 7, **options), nnx.Linear(7, CLASSES, **options)
        self.drop = nnx.Dropout(0.5, deterministic=True)

    def __call__(self, x):
        return self.c(jnp.tanh(self.b(self.drop(nnx.relu(self.a(x))))))


MODULES = {
    "mlp": (lambda o: Layers(o), vectors, "cross-entropy"),
    "resnet": (lambda o: Block(o, False, False), images, "cross-entropy"),
    "mobilenet": (lambda o: Block(o, True, False), images, "cross-entropy"),
    "lstm": (lambda o: Recurrent(nnx.OptimizedLSTMCell, o), series, "cross-entropy"),
    "gru": (lambda o: Recurrent(nnx.GRUCell, o), series, "cross-entropy"),
    "transformer": (lambda o: Attends(o), words, "cross-entropy"),
    "embedding": (lambda o: Counts(o), words, "cross-entropy"),
}


# ---- plain functions of a dictionary of arrays ----


def softmax_loss(p, x):
    """The loss is in the file."""
    y = jax.nn.log_softmax(jax.nn.gelu(x @ p["a"] + p["b"]) @ p["c"])
    return -jnp.mean(jnp.sum(y * jax.nn.one_hot(jnp.arange(BATCH) % CLASSES, CLASSES, dtype=y.dtype), -1))


def picked_loss(p, x):
    y = jax.nn.log_softmax(jnp.tanh(x @ p["a"] + p["b"]) @ p["c"])
    return -jnp.take_along_axis(y, (jnp.arange(BATCH) % CLASSES)[:, None], 1).mean()


def convolved(p, x):
    """NCHW, as few write it: lax itself."""
    numbers = ("NCHW", "OIHW", "NCHW")
    h = lax.conv_general_dilated(x.transpose(0, 3, 1, 2), p["a"], (2, 2), "SAME", dimension_numbers=numbers)
    h = jnp.where(h > 0, h, 0.1 * h) + p["b"][:, None, None]
    mean, var = h.mean((0, 2, 3), keepdims=True), h.var((0, 2, 3), keepdims=True)
    h = (h - mean) * lax.rsqrt(var + 2.0 ** -10)  # as normalisation trains
    h = lax.conv_general_dilated(h, p["c"], (1, 1), "VALID", feature_group_count=2, dimension_numbers=numbers)
    h = lax.reduce_window(h, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 1, 1), "VALID")
    return h.reshape(BATCH, -1) @ p["d"]


def scanned(p, x):
    def step(h, v):
        h = jnp.tanh(v @ p["a"] + h @ p["b"])
        return h, h

    last, all_of_them = lax.scan(step, jnp.zeros((BATCH, 5), x.dtype), x.transpose(1, 0, 2))
    return last @ p["c"] + all_of_them.sum(0) @ p["d"]


def gated(p, x):
    """An LSTM."""
    def step(both, v):
        h, c = both
        i, f, g, o = jnp.split(v @ p["a"] + h @ p["b"] + p["bias"], 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zero = jnp.zeros((BATCH, 5), x.dtype)
    return lax.scan(step, (zero, zero), x.swapaxes(0, 1))[1][-1] @ p["c"]


def looped(p, x):
    step = lambda _, both: (jnp.sin(both[0] @ p["a"]) + both[1], both[1])
    return lax.fori_loop(0, 3, step, (x, x))[0] @ p["c"]


def attended(p, x):
    q, k, v = jnp.split(jnp.einsum("btc,cd->btd", x, p["a"]), 3, axis=-1)
    q, k, v = (t.reshape(BATCH, STEPS, 2, 4) for t in (q, k, v))
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 2
    s = jnp.where(jnp.tril(jnp.ones((STEPS, STEPS), bool)), s, -1e9)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s), v).reshape(BATCH, STEPS, 8) @ p["c"]


def picked(p, x):
    """Rows by number, twice: gradients add up; and a running sum, a sort, parts that are put into others."""
    h = p["a"][x] + jnp.take(p["b"], x[:, ::-1], axis=0)
    h = h.at[:, 0].add(p["c"]).at[:, -1].set(0.5 * p["d"])
    return jnp.cumsum(h, axis=1) * jax.nn.sigmoid(jnp.sort(h, axis=1)) + jnp.linalg.norm(h, axis=-1, keepdims=True)


FUNCTIONS = {
    "loss": (softmax_loss, {"a": (6, 8), "b": (8,), "c": (8, CLASSES)}, vectors, ""),
    "loss picked": (picked_loss, {"a": (6, 8), "b": (8,), "c": (8, CLASSES)}, vectors, ""),
    "conv": (convolved, {"a": (4, 3, 3, 3), "b": (4,), "c": (6, 2, 3, 3), "d": (54, CLASSES)}, images, "cross-entropy"),
    "scan": (scanned, {"a": (4, 5), "b": (5, 5), "c": (5, CLASSES), "d": (5, CLASSES)}, series, "cross-entropy"),
    "lstm scan": (gated, {"a": (4, 20), "b": (5, 20), "bias": (20,), "c": (5, CLASSES)}, series, "cross-entropy"),
    "loop": (looped, {"a": (6, 6), "c": (6, CLASSES)}, vectors, "cross-entropy"),
    "attention": (attended, {"a": (4, 24), "c": (8, 3)}, series, "mse"),
    "picked": (picked, {"a": (WORDS, 6), "b": (WORDS, 6), "c": (6,), "d": (6,)}, words, "mse"),
}


def export(f, x, kind):
    import jax2onnx
    return jax2onnx.to_onnx(f, [jax.ShapeDtypeStruct(x.shape, x.dtype)], input_names=["x"], output_names=["y"],
                            enable_double_precision=kind == "float64")


def differentiated(f, params, x, loss, kind):
    """Of f(params, x): the loss and its gradients, by the input last."""
    by = (0, 1) if x.dtype.kind == "f" else (0,)
    (value, target), grads = jax.value_and_grad(lambda p, v: jax_loss(f(p, v), loss, kind), by, has_aux=True)(params, x)
    return value, target, grads


def of_module(name, kind):
    build, given, loss = MODULES[name]
    real = jnp.float64 if kind == "float64" else jnp.float32
    net = build({"rngs": nnx.Rngs(0), "param_dtype": real, "dtype": real})
    net.eval()
    r, x = rng(), given(kind)
    graph, params, rest = nnx.split(net, nnx.Param, ...)
    params = jax.tree_util.tree_map_with_path(lambda p, v: jnp.asarray(drawn(jax.tree_util.keystr(p), v.shape, kind, r)), params)
    f = lambda p, v: nnx.merge(graph, p, rest)(v)
    value, target, grads = differentiated(f, params, x, loss, kind)
    model = export(nnx.merge(graph, params, rest), x, kind)
    flat = lambda tree: {jax.tree_util.keystr(p): np.asarray(v) for p, v in jax.tree_util.tree_leaves_with_path(tree)}
    made = finished(model, kind, loss, {0: x}, target, flat(params), flat(grads[0]) | ({0: grads[1]} if len(grads) > 1 else {}), value)
    made.near = 1e-4 if name == "transformer" else 0  # attention of flax is in single precision
    return made


def of_function(name, kind):
    f, shapes, given, loss = FUNCTIONS[name]
    r, x = rng(), given(kind)
    params = {n: jnp.asarray(drawn(n, s, kind, r)) for n, s in shapes.items()}
    value, target, grads = differentiated(f, params, x, loss, kind)
    model = export(lambda v: f(params, v), x, kind)
    return finished(model, kind, loss, {0: x}, target, params, grads[0] | ({0: grads[1]} if len(grads) > 1 else {}), value)


def cases(kind):
    jax.config.update("jax_enable_x64", kind == "float64")
    return ({n: (lambda folder, n=n: of_module(n, kind)) for n in MODULES} |
            {n: (lambda folder, n=n: of_function(n, kind)) for n in FUNCTIONS})
