"""Models whose best layout depends on extents: values of two open dimensions, and some of no open one."""

import random

from packages import onnx  # ends with 77 where the packages are missing

from onnx import TensorProto, helper

WIDTHS = (4, 16, 64)


def crossing(seed, n=40):
    """A random model of n nodes."""
    rng, weights, nodes = random.Random(seed), {}, []
    values = {("n", 4): ["x"], ("m", 16): ["y"], ("64", 4): ["w"]}
    for i in range(n):
        extent, width = key = rng.choice(sorted(values))
        old = values[key][max(0, len(values[key]) - 1 - rng.randrange(3))]
        wide = rng.choice(WIDTHS)
        if rng.random() < 0.3 and len(values[key]) > 1:
            nodes.append(helper.make_node("Add", [values[key][-1], rng.choice(values[key])], [f"v{i}"]))
        else:
            weights[f"k{width}_{wide}"] = (width, wide)
            nodes.append(helper.make_node("MatMul", [old, f"k{width}_{wide}"], [f"v{i}"]))
            key = (extent, wide)
        values.setdefault(key, []).append(f"v{i}")
    value = lambda name, *dims: helper.make_tensor_value_info(name, TensorProto.FLOAT, list(dims))
    last = [names[-1] for _, names in sorted(values.items()) if names[-1] not in "xyw"]
    graph = helper.make_graph(nodes, "crossing", [value("x", "n", 4), value("y", "m", 16), value("w", 64, 4)],
                              [value(name, None, None) for name in last],
                              [helper.make_tensor(name, TensorProto.FLOAT, dims, [0.01] * (dims[0] * dims[1]))
                               for name, dims in sorted(weights.items())])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
