"""Makes models that can be differentiated of models of inference: a loss over their outputs, and double precision."""

import graphlib

import numpy as np
import onnx
from cases import rng_of
from onnx import AttributeProto, TensorProto, helper, numpy_helper

FLOATS = {TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.FLOAT16, TensorProto.BFLOAT16}
LOSS = "loss_of_all"


class NotTrainable(Exception):
    """Why nothing of a model can be trained."""


MOST_CONSTANTS = 1 << 28  # elements that are drawn for one model


def drawn(name, shape, kind):
    """Small numbers made from the name, the same in every run."""
    rng = rng_of(name)
    dtype = helper.tensor_dtype_to_np_dtype(kind)
    fan = max(1, int(np.prod(shape[1:])))
    return numpy_helper.from_array((rng.standard_normal(shape) * (1.5 / fan) ** 0.5).astype(dtype), name)


def with_data(model):
    """The model with numbers for weights whose data are elsewhere, or which ConstantOfShape makes: published models come
    like that, to be small."""
    graph = model.graph
    for t in graph.initializer:
        if t.data_location == TensorProto.EXTERNAL:
            t.CopyFrom(drawn(t.name, tuple(t.dims), t.data_type))
    shapes = {t.name: numpy_helper.to_array(t) for t in graph.initializer if t.data_type == TensorProto.INT64}
    shapes.update({n.output[0]: numpy_helper.to_array(n.attribute[0].t) for n in graph.node
                   if n.op_type == "Constant" and n.attribute[0].name == "value"})
    made = [n for n in graph.node if n.op_type == "ConstantOfShape" and n.input[0] in shapes and shapes[n.input[0]].size
            and not any(a.t.data_type not in FLOATS for a in n.attribute)]
    if sum(int(np.prod(shapes[n.input[0]])) for n in made) > MOST_CONSTANTS:
        return model
    for node in made:
        graph.initializer.append(drawn(node.output[0], tuple(shapes[node.input[0]]), TensorProto.FLOAT))
        graph.node.remove(node)
    return model


def float_outputs(model):
    return [o for o in model.graph.output if o.type.tensor_type.elem_type in FLOATS]


def backward_ops(model):
    """Ops that only the backward part of a training graph has."""
    ends = ("Grad", "GradX", "GradW", "Grad_dX", "Grad_13", "SGD", "Optimizer", "OptimizerV2", "AccumulatorV2")
    return sorted({n.op_type for n in model.graph.node if n.op_type.endswith(ends)})


def check_trainable(model, over=None):
    backward = backward_ops(model)
    if backward:
        raise NotTrainable(f"has a backward part already ({', '.join(backward[:3])})")
    if not over and not float_outputs(model):
        raise NotTrainable("has no output of floats")


def add_loss(model, over=None):
    """A copy whose loss is the sum, over the outputs of floats (or the one value given, of single precision), of the mean
    of squares. In place of the outputs there is the loss alone, which every parameter that matters reaches."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    graph, terms = copy.graph, []
    kinds = [(over, TensorProto.FLOAT)] if over else [(o.name, o.type.tensor_type.elem_type) for o in float_outputs(model)]
    kind = kinds[0][1]
    for k, (name, own) in enumerate(kinds):
        if own != kind:
            continue
        graph.node.append(helper.make_node("Mul", [name, name], [f"loss_square{k}"], name=f"loss_square{k}"))
        graph.node.append(helper.make_node("ReduceMean", [f"loss_square{k}"], [f"loss_term{k}"], name=f"loss_term{k}", keepdims=0))
        terms.append(f"loss_term{k}")
    for k, term in enumerate(terms[1:]):
        graph.node.append(helper.make_node("Add", [terms[0] if k == 0 else f"loss_sum{k}", term], [f"loss_sum{k + 1}"], name=f"loss_sum{k + 1}"))
    last = terms[0] if len(terms) == 1 else f"loss_sum{len(terms) - 1}"
    graph.node.append(helper.make_node("Identity", [last], [LOSS], name=LOSS))
    graph.output.append(helper.make_tensor_value_info(LOSS, kind, []))
    return copy


def widened(tensor):
    if tensor.data_type not in FLOATS or tensor.data_location == TensorProto.EXTERNAL:
        return tensor
    return numpy_helper.from_array(numpy_helper.to_array(tensor).astype("f8"), tensor.name)


def to_double(model):
    """A copy in which all floats have double precision, and nodes stand behind those they read from."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    widen_graph(copy.graph)
    return copy


def read_by(node):
    """Names that a node reads, in its bodies too."""
    yield from node.input
    for attribute in node.attribute:
        for inner in attribute.g.node:
            yield from read_by(inner)


def in_order(nodes):
    """The nodes, each behind those it reads from: files have them in any order, which evaluators do not take."""
    maker = {name: k for k, node in enumerate(nodes) for name in node.output if name}
    behind = {k: {maker[name] for name in read_by(node) if name in maker} - {k} for k, node in enumerate(nodes)}
    return [nodes[k] for k in graphlib.TopologicalSorter(behind).static_order()]


def widen_graph(graph):
    nodes = in_order(list(graph.node))
    del graph.node[:]
    graph.node.extend(nodes)
    for tensor in graph.initializer:
        tensor.CopyFrom(widened(tensor))
    for info in [*graph.input, *graph.output]:
        if info.type.tensor_type.elem_type in FLOATS:
            info.type.tensor_type.elem_type = TensorProto.DOUBLE
    del graph.value_info[:]
    for node in graph.node:
        for attribute in node.attribute:
            widen_attribute(node, attribute)


def widen_attribute(node, attribute):
    if attribute.type == AttributeProto.TENSOR:
        keep = node.op_type in ("Resize", "Upsample")
        if not keep:
            attribute.t.CopyFrom(widened(attribute.t))
    elif attribute.type == AttributeProto.GRAPH:
        widen_graph(attribute.g)
    elif attribute.name in ("to", "dtype") and attribute.i in FLOATS:
        attribute.i = TensorProto.DOUBLE
    elif node.op_type == "Constant" and attribute.name in ("value_float", "value_floats"):
        values = attribute.f if attribute.type == AttributeProto.FLOAT else list(attribute.floats)
        attribute.CopyFrom(helper.make_attribute("value", numpy_helper.from_array(np.array(values, "f8"))))
