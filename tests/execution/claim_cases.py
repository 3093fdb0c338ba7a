"""Cases of the op table's claims for ops, or forms of them, that the node tests of onnx lack."""

import numpy as np
from onnx import TensorProto, helper

def few(*shape, seed=0):
    return np.random.Generator(np.random.PCG64(seed)).uniform(-1, 1, shape).astype(np.float32)


def bytes_of(*shape, seed=0, signed=False):
    drawn = np.random.Generator(np.random.PCG64(seed)).integers(0, 256, shape)
    return (drawn - 128).astype(np.int8) if signed else drawn.astype(np.uint8)


def whole(*shape, seed=0):
    return np.random.Generator(np.random.PCG64(seed)).integers(-200, 200, shape).astype(np.int32)


def number(value):
    return helper.make_tensor("", TensorProto.FLOAT, [1], [value])


MS, MLD = "com.microsoft", "ai.onnx.ml"
scale, zero = np.float32(0.1), np.uint8(120)

QONNX = ("qonnx.custom_op.general", "finn.custom_op.general")
BREVITAS = ("onnx.brevitas", *QONNX)

ML = [
    (MLD, "Imputer", [few(2, 3)], {"imputed_value_floats": [1.5], "replaced_value_float": 0.0}, 1),
    (
        MLD,
        "Imputer",
        [whole(2, 3).astype(np.int64)],
        {"imputed_value_int64s": [7], "replaced_value_int64": 3},
        1,
    ),
    (MLD, "Scaler", [few(2, 3)], {"offset": [0.5], "scale": [2.0]}, 1),
    (MLD, "Scaler", [few(2, 3)], {"offset": [0.5, 1.0, 0.0], "scale": [2.0, 1.0, 3.0]}, 1),
]
QUANTIZED = [
    ("", "CastLike", [90 * few(2, 3), np.int8([1])], {}, 1),
    (
        "mezo",
        "RQSPerturbRademacher",
        [bytes_of(2, 3, signed=True), np.int32(3)],
        {"div": 2, "idx": 0, "n_levels": 256, "seed": 1, "signed": 1},
        1,
    ),
    (MS, "QuantizeLinear", [few(2, 3), scale, zero], {}, 1),
    (MS, "QuantizeLinear", [few(2, 3).astype(np.float16), np.float16(0.1), np.int16(3)], {}, 1),
    (MS, "DequantizeLinear", [bytes_of(2, 3), scale, zero], {}, 1),
    (MS, "DequantizeLinear", [whole(2, 3), scale, np.int32(0)], {}, 1),
    *(
        (MS, op, [bytes_of(*a), scale, zero, bytes_of(*b, seed=1), scale, zero, scale, zero], {}, 1)
        for op in ("QLinearAdd", "QLinearMul")
        for a, b in (((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (2, 3)))
    ),
    (MS, "QLinearLeakyRelu", [bytes_of(2, 3), scale, zero, scale, zero], {"alpha": 0.1}, 1),
    (MS, "QLinearSigmoid", [bytes_of(2, 3), scale, zero, np.float32(1 / 256), np.uint8(0)], {}, 1),
    (
        MS,
        "QLinearSoftmax",
        [bytes_of(3, 4), scale, zero, np.float32(1 / 256), np.uint8(0)],
        {"axis": -1, "opset": 13},
        1,
    ),
    (
        MS,
        "QLinearWhere",
        [few(2, 3) > 0, bytes_of(2, 3), scale, zero, bytes_of(2, 3, seed=1), scale, zero, scale, zero],
        {},
        1,
    ),
    (MS, "QOrderedGelu", [bytes_of(2, 3, signed=True), scale, scale], {"order_X": 1, "order_Y": 1}, 1),
    *(
        (d, "RequantShift", [whole(2, 3), np.int32([3]), np.int32([5])], {"div": number(4.0)}, 1)
        for d in ("", "PACTOps", "ai.onnx.contrib")
    ),
    *((d, "Quant", [few(2, 3), scale, np.float32(0), np.float32(4)], {}, 1) for d in BREVITAS),
    *(
        (d, "MultiThreshold", [few(1, 3, 4), few(3, 5, seed=1)], {"out_dtype": "INT4", "out_bias": -2.0}, 1)
        for d in QONNX
    ),
    *((d, "BipolarQuant", [few(2, 3), scale], {}, 1) for d in BREVITAS),
    *(
        (d, "Trunc", [few(2, 3), scale, np.float32(0), np.float32(8), np.float32(4)], {}, 1)
        for d in BREVITAS
    ),
]
OLD = [  # of opset 1
    ("", "Affine", [few(2, 3)], {"alpha": 2.0, "beta": 0.5}, 1),
    ("", "Scale", [few(2, 3)], {"scale": 2.0}, 1),
    ("", "ScaledTanh", [few(2, 3)], {"alpha": 2.0, "beta": 0.5}, 1),
    ("", "ParametricSoftplus", [few(2, 3)], {"alpha": 2.0, "beta": 0.5}, 1),
    ("", "ImageScaler", [few(1, 3, 2, 2)], {"bias": [0.1, 0.2, 0.3], "scale": 2.0}, 1),
]
TRAINED = [
    ("", "GroupNormForward", [few(1, 4, 3), few(4), few(4, seed=1), few(1, 2, 2)], {"num_groups": 2}, 1),
    (
        "",
        "GroupNormGradX",
        [few(1, 4, 3), few(1, 4, 3, seed=1), few(4), few(1, 2, 2), few(1, 2, 2, seed=1)],
        {"num_groups": 2},
        1,
    ),
    (MS, "SoftmaxDropoutGrad", [few(3, 4), few(3, 4, seed=1) ** 2, few(3, 4, seed=2) > 0], {}, 1),
    (MS, "BitmaskDropoutGrad", [few(2, 3), np.uint32([0b101101])], {}, 1),
    (MS, "BitmaskDropout", [few(2, 3)], {}, 1),
    *(
        (MS, op, [few(2, 3), few(3), few(2, 3, seed=1)], {}, 1)
        for op in ("BiasDropout", "BitmaskBiasDropout")
    ),
    (MS, "ZeroGradient", [few(2, 3), few(1)], {}, 1),
]
# Keys and values of full length, and how many are filled.
CACHES = [few(1, 2, 4, 4), few(1, 2, 4, 4, seed=1), np.array([2], np.int32)]
# A cache of two rows that grows, and one of four rows of which two count.
MERGED = [few(1, 1, 4), few(4, 12), few(12, seed=1), None]
GROWING, FULL = few(2, 1, 2, 2, 2), few(2, 1, 2, 4, 2)
LENGTH = np.array([2], np.int32)
# Two requests with two tokens and one, after three and none; blocks of two rows.
PAGED = [
    *(few(3, 8), few(3, 4), few(3, 4, seed=1), few(5, 2, 1, 4), few(5, 2, 1, 4, seed=1)),
    *(np.int32([0, 2, 3]), np.int32([3, 0]), np.int32([[4, 1, 0], [2, 3, 3]])),
]
CACHED = [
    (MS, "Attention", [*MERGED, GROWING], {"num_heads": 2}, 2),
    (MS, "Attention", [few(1, 2, 4), *MERGED[1:], GROWING], {"num_heads": 2, "unidirectional": 1}, 2),
    *(
        (MS, op, [*MERGED, FULL, None, LENGTH], {"num_heads": 2, "past_present_share_buffer": 1}, 2)
        for op in ("Attention", "DecoderMaskedSelfAttention")
    ),
    (
        MS,
        "SparseAttention",
        [
            *(few(1, 2, 8), few(1, 2, 4), few(1, 2, 4, seed=1), few(1, 1, 8, 4), few(1, 1, 8, 4, seed=1)),
            *(np.int32([[0, 1, 2, 4, 5]]), np.int32([[0, 1, 0, 2, 3]]), np.array(6, np.int32), np.int32([6])),
        ],
        {"num_heads": 2, "kv_num_heads": 1, "sparse_block_size": 2},
        3,
    ),
    (MS, "PagedAttention", PAGED, {"num_heads": 2, "kv_num_heads": 1}, 3),
    (
        MS,
        "SparsePagedAttention",
        [*PAGED, None, np.int32([[0, 3, -1], [4, 1, 2], [0, -1, -1]]), np.int32([2, 3, 1])],
        {"num_heads": 2, "kv_num_heads": 1},
        3,
    ),
]
FUSED = [
    (
        MS,
        "GroupQueryAttention",
        [
            *(few(1, 1, 16), few(1, 1, 8), few(1, 1, 8, seed=1)),
            *(few(1, 1, 4, 8), few(1, 1, 4, 8, seed=1), np.array([2], np.int32), np.array(3, np.int32)),
        ],
        {"num_heads": 2, "kv_num_heads": 1},
        3,
    ),
    (
        MS,
        "DecoderMaskedMultiHeadAttention",
        [few(1, 1, 8), few(1, 1, 8), few(1, 1, 8, seed=1), None, None, *CACHES],
        {"num_heads": 2, "past_present_share_buffer": 1},
        3,
    ),
    (
        MS,
        "MultiHeadAttention",
        [few(1, 1, 8), few(1, 1, 8), few(1, 1, 8, seed=1), None, None, None, *CACHES],
        {"num_heads": 2},
        3,
    ),
    (MS, "Gelu", [few(2, 3)], {}, 1),
    (MS, "ScaledSiLU", [few(2, 3)], {}, 1),
    (MS, "ExpandDims", [few(2, 3), np.int32(1)], {}, 1),
    (MS, "Trilu", [few(3, 3)], {}, 1),
    (MS, "Trilu", [few(2, 3, 3), np.int64(1)], {"upper": 0}, 1),
    (MS, "LayerNormalization", [few(3, 4), few(4), few(4, seed=1)], {}, 1),
    (MS, "GatedRMSNorm", [few(3, 4), few(4), few(3, 4, seed=1)], {}, 1),
    (MS, "BranchwiseRMSNorm", [few(2, 12), few(12)], {"num_branches": 3}, 1),
    (MS, "GroupNorm", [few(1, 2, 2, 4), few(4), few(4, seed=1)], {"groups": 2, "activation": 0}, 1),
    (MS, "GroupNorm", [few(2, 1, 2, 2), few(2), few(2, seed=1)], {"groups": 2, "activation": 1}, 1),
    (
        MS,
        "NhwcFusedConv",
        [few(1, 3, 3, 2), few(2, 2, 3, 3), few(2), few(1, 3, 3, 2, seed=1)],
        {"pads": [1, 1, 1, 1]},
        1,
    ),
    (
        "com.microsoft.nchwc",
        "Conv",
        [few(1, 16, 1, 2), few(16, 16, 1, 1), few(16), few(1, 16, 1, 2, seed=1)],
        {"kernel_shape": [1, 1]},
        1,
    ),
]

# Operands, attributes and number of results for ops, or forms of them, that the node tests of onnx lack.
CASES = [
    *(
        (d, op, [few(2, 3), few(2, 3, seed=1)], {}, 1)
        for d in ("", MS)
        for op in (
            "ReluGrad",
            "SigmoidGrad",
            "TanhGrad",
            "SinGrad",
            "LeakyReluGrad",
            "GeluGrad",
            "FastGeluGrad",
            "QuickGeluGrad",
            "LogSoftmaxGrad",
            "SoftmaxGrad",
        )
    ),
    (MS, "LogSoftmaxGrad_13", [few(2, 3), few(2, 3, seed=1)], {}, 1),
    (MS, "QuickGelu", [few(2, 3)], {}, 1),
    *(
        (MS, op, [few(2, 3), few(2, 3, seed=1), few(3)], {}, 1)
        for op in ("BiasGeluGrad_dX", "BiasFastGeluGrad_dX")
    ),
    *(
        (
            d,
            "LayerNormalizationGrad",
            [few(3, 4), few(3, 4, seed=1), few(4), few(3, 1), few(3, 1, seed=1)],
            {},
            3,
        )
        for d in ("", MS)
    ),
    *((d, "SimplifiedLayerNormalization", [few(3, 4), few(4)], {}, 2) for d in ("", MS)),
    ("", "RMSNorm", [few(3, 4), few(4)], {}, 1),
    (MS, "BiasSoftmax", [few(3, 4), few(3, 4, seed=1)], {}, 1),
    (MS, "SkipSimplifiedLayerNormalization", [few(3, 4), few(3, 4, seed=1), few(4)], {}, 4),
    (
        MS,
        "AdamOptimizer",
        [np.float32(0.1), np.array(1), *(few(2, 3, seed=k) for k in range(3)), few(2, 3, seed=3) ** 2],
        {},
        4,
    ),
    (MS, "BiasAdd", [few(2, 3, 4), few(4), few(2, 3, 4, seed=1)], {}, 1),
    (MS, "Scale", [few(2, 3), np.float32(2)], {}, 1),
    (MS, "ScaledSum", [few(2, 3), few(2, 3, seed=1)], {}, 1),
    (MS, "GatedAdd", [few(2, 3), few(2, 3, seed=1), few(2, 1)], {}, 1),
    ("", "MSELossGrad", [few(2, 3), few(2, 3, seed=1)], {}, 1),
    (MS, "DropoutGrad", [few(2, 3), few(2, 3, seed=1) > 0, np.float32(0.3)], {}, 1),
    (MS, "FakeQuantGrad", [few(2, 3), few(2, 3, seed=1) > 0], {}, 1),
    (MS, "FusedConv", [few(1, 2, 3, 3), few(2, 2, 3, 3), few(2), few(1, 2, 3, 3, seed=1)], {}, 1),
    (MS, "SoftmaxGrad_13", [few(3, 4), few(3, 4, seed=1)], {}, 1),
    (MS, "SGDOptimizer", [few(1), few(2, 3), few(2, 3, seed=1)], {}, 2),
    (MS, "InPlaceAccumulator", [few(2, 3), few(2, 3, seed=1)], {}, 1),
    (MS, "InPlaceAccumulatorV2", [few(2, 3), few(2, 3, seed=1)], {}, 2),
    ("", "SGD", [few(2, 3), few(2, 3, seed=1)], {"lr": 0.1}, 1),
    (MS, "SkipLayerNormalization", [few(2, 3, 4), few(2, 3, 4, seed=1), few(4), few(4, seed=1)], {}, 1),
    (MS, "FastGelu", [few(2, 4), few(4)], {}, 1),
    (MS, "BiasGelu", [few(2, 4), few(4)], {}, 1),
    ("", "Cast", [few(2, 3) * 9], {"to": TensorProto.INT32}, 1),
    ("", "Cast", [few(2, 3) * 9], {"to": TensorProto.FLOAT}, 1),
    ("", "CastLike", [few(2, 3) * 9, np.zeros(1, np.int32)], {}, 1),
    ("", "CastLike", [few(2, 3) * 9, np.zeros(1, np.float32)], {}, 1),
    ("", "DequantizeLinear", [np.arange(6, dtype=np.int32).reshape(2, 3), np.float32(0.5)], {}, 1),
    ("", "DequantizeLinear", [np.arange(6, dtype=np.int32).reshape(2, 3), few(3)], {"axis": 1}, 1),
    ("", "QuantizeLinear", [few(2, 3).astype(np.float16), np.float16(0.1), np.int16(3)], {}, 1),
    (
        "",
        "BatchNormalization",
        [few(2, 3, 4), few(3), few(3, seed=1), few(3, seed=2), few(3, seed=3) ** 2],
        {},
        1,
    ),
    (
        "",
        "BatchNormalization",
        [few(2, 3, 4), few(3), few(3, seed=1), few(3, seed=2), few(3, seed=3) ** 2],
        {"training_mode": 1},
        3,
    ),
    ("", "GroupNormalization", [few(1, 4, 3), few(4), few(4, seed=1)], {"num_groups": 2}, 1),
    ("", "InstanceNormalization", [few(2, 3, 4), few(3), few(3, seed=1)], {}, 1),
    ("", "MeanVarianceNormalization", [few(2, 3, 2, 2)], {}, 1),
    ("", "RotaryEmbedding", [few(1, 2, 2, 4), few(1, 2, 2), few(1, 2, 2, seed=1)], {}, 1),
    ("", "LRN", [few(4, 4, 2, 1)], {"size": 3, "alpha": 1.0, "beta": 0.75, "bias": 1.0}, 1),
    ("", "MatMul", [few(3, 3), few(3, 3, seed=1)], {}, 1),
    ("", "Slice", [few(4), np.array([3]), np.array([-5]), np.array([0]), np.array([-1])], {}, 1),
    ("", "Expand", [few(2, 3), np.array([2, 3])], {}, 1),
    ("", "Tile", [few(2, 3), np.array([1, 1])], {}, 1),
    ("", "Transpose", [few(1, 3, 1, 2)], {"perm": [1, 2, 3, 0]}, 1),
    ("", "Transpose", [few(1, 3, 2)], {"perm": [1, 0, 2]}, 1),
    ("", "Transpose", [few(3, 3)], {}, 1),
    *ML,
    *OLD,
    *QUANTIZED,
    *TRAINED,
    *FUSED,
    *CACHED,
]
