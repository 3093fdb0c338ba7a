"""Models that are refused, and a pattern that the message must match."""

QUANTISED = r"depends on no initializer of floats|the gradient of (RequantShift|Quant|ConvInteger|MatMulInteger|QLinear\w+) by"
FLOW = "how often it runs, is not known|the body of Loop would become more than"
FUSED = r"the gradient of (EmbedLayerNormalization|BeamSearch) by"

KNOWN = [
    ("tinyml/deeploy_*", QUANTISED),
    ("tinyml/emx_micro_kws_qdq", QUANTISED),
    ("cnn/*int8", QUANTISED),
    ("cnn/ort_qdq*", QUANTISED),
    ("cnn/qonnx_espcn_quant", QUANTISED),
    ("cnn/ngraph_superres_op6", "imports version 6 of ai.onnx, gradients are made for 7 and later"),
    ("transformer/deeploy_deepquant", QUANTISED),
    ("transformer/deeploy_qsleepvit", "RequantShift|warning"),
    ("rnn/ort_three_layer_nested_subgraph", QUANTISED),
    ("rnn/*", FLOW),
    ("transformer/*", FUSED),
]
