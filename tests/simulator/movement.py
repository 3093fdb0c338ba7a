"""Which bytes of a result are bytes of an operand: a node that moves elements and changes none is evaluated on numbers
of elements, by the reference evaluator of the `onnx` package. Of any other node all bytes of the results are new."""

import numpy as np
import onnx

SAME_BYTES = {"BitCast", "Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze"}
EVALUATED = {"Slice", "Split", "Concat", "Transpose", "Gather", "Expand", "Tile", "DepthToSpace", "SpaceToDepth", "Pad"}
ONE_OPERAND = {"Sum", "Max", "Min", "Mean"}
NEW = -1


def copies(node, op, values, result):
    """Whether result 0 has the very bytes of operand 0, whatever they are."""
    first = values[0]
    if op in SAME_BYTES or (op in ONE_OPERAND and len(values) == 1) or op == "ReshapeTraining":
        return True
    if op == "Expand" and first.dims == result.dims and first.bound:
        return True
    if op in ("Cast", "CastLike"):
        return first.row["dtype"] == result.row["dtype"]
    return False


def is_inference_dropout(graph, node):
    if node.op_type != "Dropout" or len(node.input) > 2 and node.input[2] and not false(graph.known(node.input[2])):
        return False
    version = next((o.version for o in graph.model.opsets if o.domain in ("", "ai.onnx")), 0)
    return version >= 7 or any(a.name == "is_test" and a.i for a in node.attribute)


def false(array):
    return array is not None and not np.asarray(array).any()


def element_maps(graph, node, values, results):
    """By result an array: the number of the element that lies there, counted through all data operands, or NEW. None
    where that is not known before the run, or the node computes."""
    key = (id(graph), id(node))
    if key not in graph.model.maps:
        try:
            graph.model.maps[key] = work_out(graph, node, values, results)
        except Exception:  # the evaluator does not take it
            graph.model.maps[key] = None
    return graph.model.maps[key]


def work_out(graph, node, values, results):
    if node.domain not in ("", "ai.onnx") or node.op_type not in EVALUATED:
        return None
    data = range(len(node.input)) if node.op_type == "Concat" else [0]
    given, count = {}, 0
    plain = onnx.NodeProto()
    plain.CopyFrom(node)
    for k, name in enumerate(node.input):
        if not name:
            continue
        plain.input[k] = f"operand{k}"
        if k in data:
            if values[k] is None or not values[k].bound:
                return None
            n = int(np.prod(values[k].dims, dtype=np.int64))
            given[f"operand{k}"] = np.arange(count, count + n, dtype=np.int64).reshape(values[k].dims)
            count += n
        else:
            given[f"operand{k}"] = graph.known(name)
            if given[f"operand{k}"] is None:
                return None
    if node.op_type == "Pad":  # what is filled in is new
        if len(node.input) > 2 and node.input[2]:
            given["operand2"] = np.array(NEW, np.int64)
        elif "operand1" in given:
            given["operand2"] = np.array(NEW, np.int64)
            del plain.input[2:]
            plain.input.append("operand2")
        else:
            return None
    made = graph.evaluate(plain, given)
    return [np.asarray(m, np.int64).reshape(-1) if r is None or list(np.shape(m)) == r.dims else None
            for m, r in zip(made, results)]


def contents(graph, node, values, tags, results, grain):
    """Marks of each result as far as they are those of operands, None for one that is new; and whether that is known.

    `tags`: marks of each operand, None for one without a place; `values`, `results`: Value or None."""
    nothing = [None] * len(results)
    if node.domain not in ("", "ai.onnx") or not values or values[0] is None or not results or results[0] is None:
        return nothing, True
    op = node.op_type
    if copies(node, op, values, results[0]) or is_inference_dropout(graph, node):
        same = tags[0] is not None and values[0].bytes == results[0].bytes
        return [tags[0] if same else None, *nothing[1:]], True
    if op not in EVALUATED:
        return nothing, True
    maps = element_maps(graph, node, values, results)
    data = range(len(values)) if op == "Concat" else [0]
    if maps is None or any(tags[k] is None or values[k].item == 0 or values[k].item % grain for k in data):
        return nothing, False
    each = values[0].item // grain
    rows = np.concatenate([tags[k].reshape(-1, each) for k in data])
    return [gathered(rows, m, each) for m in maps], True


def gathered(rows, numbers, each):
    if numbers is None:
        return None
    made = rows[numbers].copy() if len(rows) else np.zeros((numbers.size, each), np.int64)
    made[numbers < 0] = NEW
    return made.reshape(-1)
