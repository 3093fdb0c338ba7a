"""Small networks with random weights, as users of TensorFlow, Keras and JAX write them, and their gradients by the framework."""

import dataclasses
import os

import numpy as np
import onnx

BATCH, CLASSES, SIDE, STEPS, WORDS = 2, 5, 12, 5, 20


@dataclasses.dataclass
class Case:
    model: onnx.ModelProto
    kind: str  # float64, float32
    loss: str  # mse, cross-entropy of the output, or none: the output is the loss
    output: str
    inputs: dict  # name in the file -> array
    target: np.ndarray | None
    params: dict
    grads: dict  # by parameters, and by inputs of floats under their names in the file
    value: float
    batch: int = BATCH  # what symbolic dimensions are
    near: float = 0  # where the framework computes in single precision itself


def rng():
    return np.random.default_rng(7)


# Inputs of networks that are not Keras'.


def images(kind):
    return rng().standard_normal((BATCH, SIDE, SIDE, 3)).astype(kind)


def series(kind):
    return rng().standard_normal((BATCH, STEPS, 4)).astype(kind)


def vectors(kind):
    return rng().standard_normal((BATCH, 6)).astype(kind)


def words(kind):
    return rng().integers(0, WORDS, (BATCH, STEPS)).astype(np.int32)


def drawn(name, shape, kind, r):
    """Random weights: scales near 1, variances above 0, all elements different."""
    x = r.standard_normal(shape) * 0.3
    if any(w in name for w in ("gamma", "scale")):
        x = 1 + 0.3 * x
    if "var" in name:
        x = 0.5 + np.abs(x)
    return x.astype(kind)


def target_of(shape, loss, kind, axis=-1):
    r = np.random.default_rng(11)
    if loss == "cross-entropy":
        return r.integers(0, shape[axis], shape[:-1])
    return r.standard_normal(shape).astype(kind) if loss else None


# ---- Keras, of either version and backend: (inputs, what they are, outputs, loss) ----


def keras_nets(K):
    L = K.layers
    image = lambda: (K.Input((SIDE, SIDE, 3), name="x"), "float")
    series = lambda: (K.Input((STEPS, 4), name="x"), "float")
    words = lambda: (K.Input((STEPS,), dtype="int32", name="x"), "words")
    gelu = lambda x: K.activations.gelu(x, approximate=True)  # exact, it becomes an op Erfc that no version of ONNX has: conv1d

    def mlp():
        x = K.Input((6,), name="x")
        h = L.Dropout(0.5)(L.Dense(8, activation="relu")(x))
        return (x, "float"), L.Dense(CLASSES)(L.Dense(7, activation="tanh")(h)), "cross-entropy"

    def softmax():
        x = K.Input((6,), name="x")
        return (x, "float"), L.Dense(CLASSES, activation="softmax")(L.Dense(8, activation="elu")(x)), "cross-entropy"

    def resnet():
        given = image()
        h = L.ReLU()(L.BatchNormalization()(L.Conv2D(4, 3, padding="same", use_bias=False)(given[0])))
        h = L.MaxPooling2D(3, 2, padding="same")(h)
        b = L.ReLU()(L.BatchNormalization()(L.Conv2D(6, 3, strides=2, padding="same")(h)))
        b = L.BatchNormalization()(L.Conv2D(6, 3, padding="same")(b))
        h = L.ReLU()(L.Add()([b, L.BatchNormalization()(L.Conv2D(6, 1, strides=2)(h))]))
        return given, L.Dense(CLASSES)(L.GlobalAveragePooling2D()(h)), "cross-entropy"

    def mobilenet():
        given = image()
        h = L.ZeroPadding2D(((0, 1), (0, 1)))(given[0])
        h = L.ReLU(6.0)(L.BatchNormalization()(L.Conv2D(4, 3, strides=2, use_bias=False)(h)))
        b = L.Activation("swish")(L.BatchNormalization()(L.Conv2D(8, 1)(h)))
        b = L.ReLU(6.0)(L.BatchNormalization()(L.DepthwiseConv2D(3, padding="same", use_bias=False)(b)))
        s = L.Dense(8, activation="sigmoid")(L.Dense(2, activation="relu")(L.GlobalAveragePooling2D()(b)))
        b = L.Multiply()([b, L.Reshape((1, 1, 8))(s)])
        h = L.Add()([h, L.BatchNormalization()(L.Conv2D(4, 1)(b))])
        h = L.AveragePooling2D(2)(L.SeparableConv2D(6, 3, padding="same", depth_multiplier=2)(h))
        return given, L.Dense(CLASSES)(L.Flatten()(h)), "cross-entropy"

    def unet():
        given = image()
        h = L.LeakyReLU()(L.Conv2D(4, 3, padding="same")(given[0]))
        d = L.MaxPooling2D()(h)
        d = L.Conv2D(6, 3, dilation_rate=2, padding="same", activation="softplus")(d)
        u = L.Concatenate()([L.UpSampling2D(2, interpolation="bilinear")(d), L.UpSampling2D(2)(d),
                             L.Conv2DTranspose(4, 3, strides=2, padding="same")(d), h])
        return given, L.Conv2D(2, 1)(L.PReLU(shared_axes=[1, 2])(L.Cropping2D(1)(u))), "mse"

    def conv1d():
        given = series()
        h = L.Conv1D(6, 3, padding="causal", dilation_rate=2, activation="gelu")(given[0])
        h = L.GlobalMaxPooling1D()(L.Conv1D(6, 2, activation="selu")(h))
        return given, L.Dense(CLASSES)(h), "cross-entropy"

    def lstm():
        given = series()
        return given, L.Dense(CLASSES)(L.LSTM(5)(L.LSTM(6, return_sequences=True)(given[0]))), "cross-entropy"

    def gru():
        given = series()
        return given, L.Dense(CLASSES)(L.Bidirectional(L.GRU(5))(given[0])), "cross-entropy"

    def rnn():
        given = series()
        return given, L.Dense(CLASSES)(L.SimpleRNN(5)(given[0])), "cross-entropy"

    def masked():
        given = words()
        return given, L.Dense(CLASSES)(L.LSTM(5)(L.Embedding(WORDS, 6, mask_zero=True)(given[0]))), "cross-entropy"

    def transformer():
        given = words()
        h = L.Embedding(WORDS, 8)(given[0])
        n = L.LayerNormalization()(h)
        h = L.Add()([h, L.MultiHeadAttention(2, 4)(n, n)])
        f = L.Dense(8)(L.Dense(12, activation=gelu)(L.LayerNormalization()(h)))
        return given, L.Dense(CLASSES)(L.GlobalAveragePooling1D()(L.Add()([h, f]))), "cross-entropy"

    def causal():
        given = words()
        h = L.Embedding(WORDS, 8)(given[0])
        h = L.LayerNormalization()(L.Add()([h, L.MultiHeadAttention(2, 4)(h, h, use_causal_mask=True)]))
        return given, L.Dense(WORDS)(h), "mse"

    def embedding():
        given = words()
        return given, L.Dense(CLASSES)(L.GlobalAveragePooling1D()(L.Embedding(WORDS, 6)(given[0]))), "cross-entropy"

    return [mlp, softmax, resnet, mobilenet, unet, conv1d, lstm, gru, rnn, masked, transformer, causal, embedding]


def given_to(what, shape, kind):
    r = rng()
    shape = [BATCH, *shape[1:]]
    if what == "words":
        x = r.integers(1, WORDS, shape)
        x[0, -2:] = 0
        return x.astype(np.int32)
    return r.standard_normal(shape).astype(kind)


def keras_case(K, build, kind, how, training, folder):
    K.backend.clear_session()
    (x, what), y, loss = build()
    net = K.Model(x, y)
    r = rng()
    net.set_weights([drawn(getattr(w, "path", w.name), w.shape, kind, r) for w in net.weights])
    if training:  # random parts off
        for layer in net.layers:
            if hasattr(layer, "rate"):
                layer.rate = 0.0
    given = given_to(what, x.shape, kind)
    trained = {getattr(w, "path", w.name): w for w in net.trainable_weights}
    path = os.path.join(folder, "exported.onnx")
    if how == "keras2":
        import tensorflow as tf
        import tf2onnx
        spec = [tf.TensorSpec(given.shape, given.dtype, name="x")]
        step = tf.function(lambda v: net(v, training=training))
        model, _ = tf2onnx.convert.from_function(step, spec, opset=18) if training else tf2onnx.convert.from_keras(net, spec, opset=18)
    else:
        net(given)
        net.export(path, format="onnx", verbose=False)
        model = onnx.load(path)
    params = {n: np.array(w) for n, w in trained.items()}  # before statistics of a training step
    if how == "jax":
        value, grads, target = by_keras_jax(net, given, loss, kind)
    else:
        value, grads, target = by_tensorflow(lambda v: net(v, training=training), list(trained.values()), given, loss, kind, softmax=build.__name__ == "softmax")
    case = finished(model, kind, loss, {0: given}, target, params, dict(zip([*trained, 0], grads)), value)
    case.near = 1e-6 if build.__name__ == "unet" else 0  # TensorFlow resizes in single precision
    return case


def finished(model, kind, loss, inputs, target, params, grads, value):
    """Inputs are under their numbers so far; the file's names are the exporter's."""
    names = [i.name for i in model.graph.input]
    named = {names[k]: v for k, v in inputs.items()}
    grads = {names[n] if isinstance(n, int) else n: np.asarray(g) for n, g in grads.items() if g is not None}
    params = {n: np.asarray(p) for n, p in params.items()}
    return Case(model, kind, loss, model.graph.output[0].name, named, target, params, grads, float(value))


def by_tensorflow(f, variables, given, loss, kind, softmax=False):
    import tensorflow as tf
    x = tf.constant(given)
    with tf.GradientTape() as tape:
        if given.dtype.kind == "f":
            tape.watch(x)
        y = f(x)
        target = target_of(tuple(y.shape), loss, kind)
        if loss == "cross-entropy":
            scores = tf.math.log(y) if softmax else y
            value = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(target, scores))
        else:
            value = tf.reduce_mean(tf.square(y - target)) if loss else y
    grads = tape.gradient(value, [*variables, *([x] if given.dtype.kind == "f" else [])])
    return value.numpy(), [None if g is None else tf.convert_to_tensor(g).numpy() for g in grads], target


def jax_loss(y, loss, kind, softmax=False):
    import jax
    import jax.numpy as jnp
    target = target_of(y.shape, loss, kind)
    if loss == "cross-entropy":
        scores = jnp.log(y) if softmax else jax.nn.log_softmax(y)
        return -jnp.mean(jnp.take_along_axis(scores, target[..., None], -1)), target
    return (jnp.mean((y - target) ** 2) if loss else y), target


def by_keras_jax(net, given, loss, kind):
    import jax
    rest = [v.value for v in net.non_trainable_variables]

    def f(params, x):
        y = net.stateless_call(params, rest, x, training=False)[0]
        return jax_loss(y, loss, kind, softmax=net.layers[-1].get_config().get("activation") == "softmax")

    by = (0, 1) if given.dtype.kind == "f" else (0,)
    (value, target), grads = jax.value_and_grad(f, by, has_aux=True)([v.value for v in net.trainable_variables], given)
    return value, [*grads[0], grads[1] if len(grads) > 1 else None], target


def keras_cases(how, kind, training):
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", KERAS_BACKEND="jax" if how == "jax" else "tensorflow")
    if how == "jax":
        import jax
        jax.config.update("jax_enable_x64", kind == "float64")
    if how == "keras2":
        import tf_keras as K
    else:
        import keras as K
    K.backend.set_floatx(kind)
    return {build.__name__: (lambda folder, build=build: keras_case(K, build, kind, how, training, folder)) for build in keras_nets(K)}


def cases(how, kind, training=False):
    """Name of a network -> what makes its case in a folder."""
    if how == "function":
        import others_tf
        return others_tf.cases(kind)
    if how == "plain":
        import others_jax
        return others_jax.cases(kind)
    return keras_cases(how, kind, training)
