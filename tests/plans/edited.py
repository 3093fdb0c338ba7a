"""Models edited as advice of `tenure explain` says, with the onnx package. Each function changes the model in place, by
the plan of the model as it was (JSON), and gives the options that the edited model needs."""

import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import tiles


class CannotEdit(Exception):
    """What is named lies in a nested graph, or is no single node."""


def value_of(plan, name):
    """The value of that name in the main graph."""
    for v in plan["values"]:
        if v["name"] == name and v["graph"] == "":
            return v
    raise CannotEdit(f"'{name}' is not in the main graph")


def maker_of(graph, name):
    for node in graph.node:
        if name in node.output:
            return node
    raise CannotEdit(f"no node of the main graph makes '{name}'")


def read_names(graph):
    """All that some node of the graph, or of one nested in it, reads, and its outputs."""
    names = {o.name for o in graph.output}
    for node in graph.node:
        names |= set(node.input)
        for a in node.attribute:
            for g in [a.g] if a.type == onnx.AttributeProto.GRAPH else a.graphs:
                names |= read_names(g)
    return names


def zeros(name, value):
    """An initializer of the value's type."""
    return helper.make_tensor(name, tiles.number_of(value), value["dims"], bytes(value["bytes"]), raw=True)


def make_constants(model, plan, advice):
    """Results become initializers; nodes that only served them go."""
    graph = model.graph
    known = {i.name for i in graph.initializer}
    known |= {o for node in graph.node if node.op_type == "Constant" for o in node.output} | {""}
    for node in graph.node:
        if all(i in known for i in node.input) and node.input:
            known |= set(node.output)
    for name in advice["tensors"]:
        value, node = value_of(plan, name), maker_of(graph, name)
        node.output[list(node.output).index(name)] = name + " (before)"
        known.add(name + " (before)")
        graph.initializer.append(zeros(name, value))
    while True:
        read = read_names(graph)
        dead = [n for n in graph.node if n.input and all(i in known for i in n.input) and not set(n.output) & read]
        if not dead:
            return []
        for node in dead:
            graph.node.remove(node)


def narrow_indices(model, plan, advice):
    """Their ops get results as the file states them."""
    graph = model.graph
    named = {}
    for name in advice["tensors"]:
        named[name] = value_of(plan, name)
    keep = [v for v in graph.value_info if v.name not in named]
    del graph.value_info[:]
    graph.value_info.extend(keep)
    known = {v.name for v in graph.value_info}
    for name in named:
        node = maker_of(graph, name)
        node.domain = "i32"
        for output in node.output:
            if output in named:
                graph.value_info.append(helper.make_tensor_value_info(output, TensorProto.INT32, named[output]["dims"]))
            elif output and output not in known and output not in {o.name for o in graph.output}:
                v = value_of(plan, output)
                graph.value_info.append(helper.make_tensor_value_info(output, tiles.number_of(v), v["dims"]))
    model.opset_import.append(helper.make_opsetid("i32", 1))
    # What follows from them has other types than the file says.
    followers = set(named)
    for node in graph.node:
        if set(node.input) & followers:
            followers |= set(node.output)
    keep = [v for v in graph.value_info if v.name in named or v.name not in followers]
    del graph.value_info[:]
    graph.value_info.extend(keep)
    return []


def update_caches(model, plan, advice):
    """Concat becomes an op that writes into a buffer of the full length."""
    graph, asked = model.graph, []
    names = advice["tensors"]
    for past, now in zip(names[::2], names[1::2]):
        asked.append(f"--update={past}={now}")
        node, full = maker_of(graph, now), value_of(plan, now)
        if node.op_type != "Concat":
            continue
        update = value_of(plan, node.input[1])
        shape = [d for d in update["dims"]]
        index = numpy_helper.from_array(np.zeros([*shape, len(shape)], np.int64), now + " index")
        graph.initializer.append(index)
        new = helper.make_node("ScatterND", [past, index.name, node.input[1]], [now], name=node.name)
        graph.node.insert(list(graph.node).index(node), new)
        graph.node.remove(node)
        for i in graph.input:
            if i.name == past:
                i.CopyFrom(helper.make_tensor_value_info(past, i.type.tensor_type.elem_type, full["dims"]))
    return asked


def cut_in_tiles(model, plan, advice, join=False):
    """The steps run tile by tile, in one long row."""
    try:
        tiles.cut(model, plan, advice, join)
    except tiles.CannotCut as e:
        raise CannotEdit(f"op {e}") from e
    return []


def decoder(folder):
    """A model with a past that grows, which is no model of the corpus; its path."""
    def tensor(name, *dims):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)
    graph = helper.make_graph(
        [helper.make_node("Tanh", ["new"], ["key"]),
         helper.make_node("Concat", ["past", "key"], ["present"], axis=2),
         helper.make_node("Transpose", ["present"], ["turned"], perm=[0, 1, 3, 2]),
         helper.make_node("MatMul", ["key", "turned"], ["y"])],
        "decoder", [tensor("past", 1, 4, 63, 16), tensor("new", 1, 4, 1, 16)],
        [tensor("y", 1, 4, 1, 64), tensor("present", 1, 4, 64, 16)])
    path = os.path.join(folder, "decoder.onnx")
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    return path
