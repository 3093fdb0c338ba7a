"""Models as every planner beside ours can take them: bound, with all the files they name.

A prepared model states the shapes that tenure finds for its inputs and outputs with the line of tests/models/dims.txt;
its Constant nodes are initializers, initializers are not listed as inputs, and where a file of weights is missing (none
is shipped) there is one of zeros.
"""

import dataclasses
import math
import os
import shutil

import onnx
from onnx import AttributeProto, TensorProto, helper

TYPES = {"f32": TensorProto.FLOAT, "f64": TensorProto.DOUBLE, "f16": TensorProto.FLOAT16, "bf16": TensorProto.BFLOAT16,
         "bool": TensorProto.BOOL, "i8": TensorProto.INT8, "i16": TensorProto.INT16, "i32": TensorProto.INT32,
         "i64": TensorProto.INT64, "u8": TensorProto.UINT8, "u16": TensorProto.UINT16, "u32": TensorProto.UINT32,
         "u64": TensorProto.UINT64}
LARGEST = 40_000_000  # bytes of a model's own file


class Refused(Exception):
    """Why no planner is asked about a model."""


@dataclasses.dataclass
class Prepared:
    path: str
    in_order: bool   # every node stands behind those that make what it reads
    bodies: bool     # some node has a graph of its own
    functions: bool  # the model brings functions


def input_values(options):
    """NAME -> VALUE of each `--input-value NAME=VALUE`."""
    return dict(b.rsplit("=", 1) for a, b in zip(options, options[1:]) if a == "--input-value")


def without_shapes(options):
    bound = ("--dim", "--input-shape")
    return [o for a, o in zip(["", *options], options) if a not in bound and o not in bound]


def put(field, messages):
    """Makes `messages` all there is in a repeated field, where they may lie already."""
    copies = [type(m).FromString(m.SerializeToString()) for m in messages]
    del field[:]
    field.extend(copies)


def bodies_of(nodes):
    for attribute in (a for n in nodes for a in n.attribute):
        for body in [attribute.g] if attribute.type == AttributeProto.GRAPH else attribute.graphs:
            yield from graphs_of(body)


def graphs_of(graph):
    yield graph
    yield from bodies_of(graph.node)


def constant_of(node):
    """The tensor a Constant node makes, or None where it is of another kind."""
    a = node.attribute[0]
    dtype = {"value_float": TensorProto.FLOAT, "value_floats": TensorProto.FLOAT, "value_int": TensorProto.INT64,
             "value_ints": TensorProto.INT64}.get(a.name)
    if a.name == "value":
        tensor = TensorProto()
        tensor.CopyFrom(a.t)
    elif dtype is not None:
        value = helper.get_attribute_value(a)
        tensor = helper.make_tensor("", dtype, [len(value)] if a.name.endswith("s") else [],
                                    value if a.name.endswith("s") else [value])
    else:
        return None
    tensor.name = node.output[0]
    return tensor


def lift_constants(graph):
    kept = []
    for node in graph.node:
        tensor = constant_of(node) if node.op_type == "Constant" and len(node.attribute) == 1 else None
        if tensor is None:
            kept.append(node)
        else:
            graph.initializer.append(tensor)
    put(graph.node, kept)


def fix_shape(value, dims):
    shape = value.type.tensor_type.shape
    del shape.dim[:]
    for extent in dims:
        shape.dim.add().dim_value = extent


def is_open(value):
    return any(d.dim_param for d in value.type.tensor_type.shape.dim)


def bind(graph, shapes):
    for value in [*graph.input, *graph.output]:
        if value.name in shapes and value.type.WhichOneof("value") == "tensor_type":
            fix_shape(value, shapes[value.name])
    for inner in graphs_of(graph):
        put(inner.value_info, [v for v in inner.value_info if not is_open(v)])


def tensors_of(graph):
    for inner in graphs_of(graph):
        yield from inner.initializer
        yield from (a.t for n in inner.node for a in n.attribute if a.type == AttributeProto.TENSOR)


def weights_end(tensor, entries):
    size = math.prod(tensor.dims) * helper.tensor_dtype_to_np_dtype(tensor.data_type).itemsize
    return int(entries.get("offset", 0)) + max(size, int(entries.get("length", 0)))


def bring_weights(graph, source, folder):
    """Files of weights beside the prepared model: copies, or zeros for as long as tensors want them."""
    for tensor in tensors_of(graph):
        if tensor.data_location != TensorProto.EXTERNAL:
            continue
        entries = {e.key: e.value for e in tensor.external_data}
        place = os.path.normpath(entries["location"])
        if os.path.isabs(place) or place.startswith(".."):
            raise Refused("weights outside the folder of the model")
        made, original = os.path.join(folder, place), os.path.join(source, place)
        os.makedirs(os.path.dirname(made), exist_ok=True)
        if os.path.exists(original) and not os.path.exists(made):
            shutil.copyfile(original, made)
        with open(made, "ab") as f:
            f.truncate(max(f.tell(), weights_end(tensor, entries)))


def in_order(graph):
    """Whether every node stands behind those that make what it reads."""
    made = {o for n in graph.node for o in n.output}
    for node in graph.node:
        if any(i in made for i in node.input):
            return False
        made.difference_update(node.output)
    return True


def prepare(path, shapes, folder):
    """The model at `path`, prepared in `folder`; `shapes` are those of the main graph's values."""
    if os.path.getsize(path) > LARGEST:
        raise Refused("too large")
    model = onnx.load(path, load_external_data=False)
    graph = model.graph
    bind(graph, shapes)
    bring_weights(graph, os.path.dirname(path), folder)
    for inner in graphs_of(graph):
        lift_constants(inner)
    constants = {t.name for t in graph.initializer}
    put(graph.input, [v for v in graph.input if v.name not in constants])
    model.ir_version = max(model.ir_version, 4)  # before it, initializers had to be inputs
    made = os.path.join(folder, "model.onnx")
    onnx.save(model, made)
    nodes = [*graph.node, *(n for f in model.functions for n in f.node)]
    return Prepared(made, in_order(graph), any(bodies_of(nodes)), len(model.functions) > 0)


def with_shapes(path, shapes, types):
    """The prepared model with shapes of all values of its main graph; scalars have one extent, for who knows none."""
    model = onnx.load(path, load_external_data=False)
    graph = model.graph
    ends = [v for v in [*graph.input, *graph.output] if v.name in shapes]
    for value in ends:
        fix_shape(value, shapes[value.name] or [1])
    known = {v.name for v in ends}
    kept = [v for v in graph.value_info if v.name not in shapes]
    made = [helper.make_tensor_value_info(o, TYPES[types[o]], shapes[o] or [1]) for n in graph.node for o in n.output
            if o in shapes and o not in known and types[o] in TYPES]
    put(graph.value_info, [*kept, *made])
    return model
