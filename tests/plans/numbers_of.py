"""What models compute in ONNX Runtime, for models whose inputs are floats of known shapes."""

import numpy as np
import onnx
from onnx import helper, numpy_helper

try:
    import onnxruntime
except ImportError:
    onnxruntime = None

MOST_BYTES = 64 << 20  # of a model
TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16, "tensor(double)": np.float64}


def load(path):
    """With weights that are drawn where they lie in another file, which need not be there."""
    model, drawn = onnx.load(path, load_external_data=False), np.random.default_rng(2)
    for t in model.graph.initializer:
        if t.data_location == onnx.TensorProto.EXTERNAL:
            numbers = np.abs(drawn.standard_normal(list(t.dims))) / 16
            t.CopyFrom(numpy_helper.from_array(numbers.astype(helper.tensor_dtype_to_np_dtype(t.data_type)), t.name))
    return model


def outputs(model):
    """For inputs that are drawn, the same each time; None for models that cannot be run so."""
    data = model.SerializeToString()
    if onnxruntime is None or len(data) > MOST_BYTES:
        return None
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    try:
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception:  # ops that the runtime does not know, of whatever class it raises
        return None
    inputs = session.get_inputs()
    if any(i.type not in TYPES or not all(isinstance(d, int) for d in i.shape) for i in inputs):
        return None
    drawn = np.random.default_rng(1)
    return session.run(None, {i.name: drawn.standard_normal(i.shape).astype(TYPES[i.type]) for i in inputs})


def are_near(a, b):
    """Up to the order in which kernels add."""
    def near(x, y):
        if x.dtype.kind != "f":
            return np.mean(x != y) < 0.01
        scale = max(float(np.max(np.abs(x), initial=0)), 1e-6)
        return float(np.max(np.abs(x.astype(np.float64) - y), initial=0)) <= scale * (2e-2 if x.dtype == np.float16 else 1e-4)
    return b is not None and len(a) == len(b) and all(x.shape == y.shape and near(x, y) for x, y in zip(a, b))
