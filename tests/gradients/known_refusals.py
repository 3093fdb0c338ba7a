"""Models that are refused, and a pattern that the message must match."""

KNOWN = [
    ("big/onnxflow_avgpool_kws_loops_3414", "the body of Loop would become more than"),
    ("cnn/ngraph_superres_op6", "imports version 6 of ai.onnx, gradients are made for 7 and later"),
    ("rnn/onnxflow_ad01_loops", "the body of Loop would become more than"),
    ("rnn/tract_qlstm_*", "takes Round, which ai.onnx has from version 11 on"),
    ("transformer/deeploy_qsleepvit", "the gradient of RQSPerturbRademacher by"),
    ("transformer/ort_dummy_t5_outer_scope_init", "the gradient of BeamSearch by"),
]
