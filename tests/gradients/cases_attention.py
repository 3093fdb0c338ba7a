"""Attention, rotary embeddings, and fused ops, which are expanded into plain ones."""

import numpy as np
from cases import Case, Fixed, Input, spaced

MS = "com.microsoft"


def truth(*shape):
    """A mask with a few places left out, none of them all of a row."""
    mask = np.arange(int(np.prod(shape))).reshape(shape) % 3 != 1
    mask[..., 0] = True
    return mask


def onnx_cases():
    x3 = [spaced(2, 3, 8), spaced(2, 4, 8), spaced(2, 4, 8)]
    x4 = [spaced(1, 2, 3, 2), spaced(1, 2, 4, 2), spaced(1, 2, 4, 3)]
    for opset in (23, 24, 28):
        yield Case("Attention", x3, {"q_num_heads": 2, "kv_num_heads": 2}, opsets=(opset,))
        yield Case("Attention", x4, {"is_causal": 1, "scale": 0.25}, opsets=(opset,))
    yield Case("Attention", [spaced(1, 3, 8), spaced(1, 4, 4), spaced(1, 4, 6)], {"q_num_heads": 4, "kv_num_heads": 2}, opsets=(23,))
    yield Case("Attention", [*x4, spaced(3, 4)], {"softcap": 2.0}, opsets=(24,), single=False)
    yield Case("Attention", [*x4, Input(truth(1, 2, 3, 4))], {}, opsets=(23,))
    past = [spaced(1, 2, 3, 2), spaced(1, 2, 2, 2), spaced(1, 2, 2, 3), None, spaced(1, 2, 3, 2), spaced(1, 2, 3, 3)]
    yield Case("Attention", past, {"is_causal": 1}, opsets=(23,), outputs=3, used=(0, 1, 2))
    yield Case("Attention", x4, {}, opsets=(23,), outputs=4, named=(3,), refused={0: "result qk_matmul_output cannot be expanded"})
    caches = [spaced(5, 2), spaced(5, 2)]
    places = Input(np.array([[4, 0, 2], [1, 1, 3]]))
    for interleaved in (0, 1):
        yield Case("RotaryEmbedding", [spaced(2, 2, 3, 4), *caches, places], {"interleaved": interleaved}, opsets=(23,))
        yield Case("RotaryEmbedding", [spaced(2, 3, 12), *caches, places], {"interleaved": interleaved, "num_heads": 2, "rotary_embedding_dim": 4},
                   opsets=(23,))
    yield Case("RotaryEmbedding", [spaced(2, 2, 3, 4), spaced(2, 3, 2), spaced(2, 3, 2)], {}, opsets=(23,))


def ms_cases():
    every = {"domain": MS, "checked": False, "opsets": (14,)}
    x, weights, bias = spaced(2, 3, 4), spaced(4, 12), spaced(12)
    mask = Input(truth(2, 3).astype(np.int32))
    yield Case("Attention", [x, weights, bias], {"num_heads": 2}, **every)
    yield Case("Attention", [x, weights, bias, mask], {"num_heads": 2, "unidirectional": 1}, **every)
    yield Case("Attention", [x, weights, bias, None, None, spaced(2, 2, 3, 3)], {"num_heads": 2, "scale": 0.4}, **every)
    yield Case("Attention", [x, weights, bias, None, spaced(2, 2, 2, 2, 2)], {"num_heads": 2, "unidirectional": 1}, outputs=2, used=(0, 1), **every)
    yield Case("Attention", [x, spaced(4, 14), spaced(14)], {"num_heads": 2, "qkv_hidden_sizes": [4, 4, 6]}, **every)
    q, k, v = spaced(2, 3, 4), spaced(2, 5, 4), spaced(2, 5, 6)
    yield Case("MultiHeadAttention", [q, k, v], {"num_heads": 2}, **every)
    yield Case("MultiHeadAttention", [q, k, v, spaced(14), Input(truth(2, 5).astype(np.int32)), spaced(1, 2, 3, 5)], {"num_heads": 2, "scale": 0.7}, **every)
    past = [q, spaced(2, 3, 4), spaced(2, 3, 4), spaced(12), None, None, spaced(2, 2, 2, 2), spaced(2, 2, 2, 2)]
    yield Case("MultiHeadAttention", past, {"num_heads": 2, "unidirectional": 1}, outputs=3, used=(0, 1, 2), **every)
    yield Case("MultiHeadAttention", [q, spaced(2, 2, 5, 2), spaced(2, 2, 5, 2)], {"num_heads": 2}, **every)
    yield Case("MultiHeadAttention", [q, spaced(2, 2, 5, 2), spaced(2, 2, 5, 2), spaced(12)], {"num_heads": 2}, **every)
    caches = [spaced(6, 2), spaced(6, 2)]
    for interleaved in (0, 1):
        yield Case("RotaryEmbedding", [spaced(2, 3, 8), Input(np.array([[4, 0, 2], [1, 1, 3]])), *caches], {"interleaved": interleaved}, **every)
    yield Case("RotaryEmbedding", [spaced(1, 2, 3, 4), Input(np.array([2])), *caches], {}, **every)
    a, b, c = spaced(2, 3), spaced(3, 4), spaced(4)
    for activation, more in (("Relu", {}), ("Tanh", {}), ("Sigmoid", {}), ("LeakyRelu", {"activation_alpha": 0.2})):
        yield Case("FusedGemm", [a, b, c], {"activation": activation, "alpha": 0.5, "beta": 2.0, **more}, **every)
    yield Case("FusedGemm", [a.T, b.T], {"activation": "Relu", "transA": 1, "transB": 1}, **every)
    image, kernel = spaced(1, 2, 5, 5), spaced(4, 1, 3, 3)
    attributes = {"group": 2, "pads": [1, 1, 1, 1], "strides": [2, 2]}
    for activation, params in (("Relu", []), ("LeakyRelu", [0.1]), ("Clip", [-1.0, 1.5]), ("HardSigmoid", [0.1, 0.5])):
        more = {"activation": activation, **({"activation_params": params} if params else {})}
        yield Case("FusedConv", [image, kernel, spaced(4)], {**attributes, **more}, **every)
    yield Case("FusedConv", [image, kernel, spaced(4), spaced(1, 4, 3, 3)], {**attributes, "activation": "Relu"}, **every)


def all_cases():
    yield from onnx_cases()
    yield from ms_cases()
    yield Case("RMSNorm", [spaced(2, 3, 4), spaced(4)], {"eps": 0.01}, checked=False, single=False)
