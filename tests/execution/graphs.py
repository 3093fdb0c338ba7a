"""The graphs of an ONNX file by the paths a plan gives them, and the data of their constants.

Weights whose data are not at hand get small numbers made from their names, the same in every run.
"""

import collections.abc
import math
import re
import zlib

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper, numpy_helper


class Unsupported(Exception):
    """Why a model cannot be executed here; nothing is said about the plan."""


def numbers(name, shape, dtype, positive=False):
    """Small numbers for a tensor of that name: of a size that keeps products of them small."""
    rng = np.random.Generator(np.random.PCG64(zlib.crc32(name.encode())))
    kind = np.dtype(dtype)
    if kind == np.bool_:
        return rng.integers(0, 2, shape).astype(np.bool_)
    if kind.kind in "iu":
        return rng.integers(0, 2, shape).astype(kind)
    if kind.kind == "O":
        return np.full(shape, "a", dtype=object)
    if positive:
        return rng.uniform(0.5, 1.5, shape).astype(kind)
    spread = math.sqrt(3 / max(1, math.prod(shape[1:]))) if len(shape) > 1 else 1
    real = rng.uniform(-spread, spread, shape)
    return (real + 1j * real).astype(kind) if kind.kind == "c" else real.astype(kind)


def tensor(proto, folder, positive=False):
    """A TensorProto as an array, made up when its data are elsewhere and not there."""
    if proto.data_location == TensorProto.EXTERNAL:
        try:
            return numpy_helper.to_array(proto, folder)
        except Exception:  # whatever the package says of a missing or short file
            return made_up(proto, positive)
    try:
        return numpy_helper.to_array(proto)
    except ValueError:  # no data at all
        return made_up(proto, positive)


def made_up(proto, positive):
    dtype = helper.tensor_dtype_to_np_dtype(proto.data_type)
    return numbers(proto.name, tuple(proto.dims), dtype, positive)


def variances(nodes):
    """Names that must be positive for an op to give numbers."""
    return {n.input[4] for n in nodes if n.op_type == "BatchNormalization" and len(n.input) > 4}


def dense(sparse):
    """A sparse tensor as a dense one of the same name."""
    values, at = numpy_helper.to_array(sparse.values), numpy_helper.to_array(sparse.indices)
    array = np.zeros(list(sparse.dims), values.dtype)
    array[np.unravel_index(at, array.shape) if at.ndim == 1 else tuple(at.T)] = values
    return numpy_helper.from_array(array, sparse.values.name)


class Data(collections.abc.Mapping):
    """name -> array of initializers, made when they are asked for: many want only a few of them."""

    def __init__(self, initializers, folder, positive):
        self.protos = {t.name: t for t in initializers}
        self.folder, self.positive, self.arrays = folder, positive, {}

    def __getitem__(self, name):
        if name not in self.arrays:
            self.arrays[name] = tensor(self.protos[name], self.folder, name in self.positive)
            self.arrays[name].flags.writeable = False
        return self.arrays[name]

    def __iter__(self):
        return iter(self.protos)

    def __len__(self):
        return len(self.protos)


class Graph:
    """One graph or function body. `outer` is the graph around it, None where names end."""

    def __init__(self, path, outer, nodes, inputs, outputs, initializers=None, attributes=None):
        self.path, self.outer = path, outer
        self.nodes, self.inputs, self.outputs = nodes, inputs, outputs
        self.initializers = initializers or {}
        self.attributes = attributes or {}  # what attribute references mean here


class File:
    """A model file and the graphs of its nodes."""

    def __init__(self, path):
        self.model = onnx.load(path, load_external_data=False)
        self.folder = path.rpartition("/")[0] or "."
        self.opsets = {}
        for opset in self.model.opset_import:
            domain = "" if opset.domain == "ai.onnx" else opset.domain
            self.opsets[domain] = max(opset.version, self.opsets.get(domain, 0))
        self.functions = {(f.domain, f.name, getattr(f, "overload", "")): f for f in self.model.functions}
        if self.model.training_info:
            raise Unsupported("training info: several graphs are one")
        g = self.model.graph
        self.main = Graph(
            "",
            None,
            g.node,
            [i.name for i in g.input],
            [o.name for o in g.output],
            self.data_of([*g.initializer, *map(dense, g.sparse_initializer)], g.node),
        )

    def data_of(self, initializers, nodes):
        return Data(initializers, self.folder, variances(nodes))

    def function_of(self, node):
        return self.functions.get((node.domain, node.op_type, getattr(node, "overload", "")))

    def bodies(self, graph, node, paths):
        """The graphs of a node, in the order of its attributes. `paths` are those the plan knows."""
        function = self.function_of(node)
        if function is not None:
            path = self.path_of(graph, node, function.name, paths)
            given = {a.name: a for a in node.attribute}
            meant = {a: given[a] for a in function.attribute if a in given}
            meant.update({a.name: given.get(a.name, a) for a in function.attribute_proto})
            meant = {k: resolved(a, graph.attributes) for k, a in meant.items()}
            return {
                "body": Graph(
                    path,
                    None,
                    function.node,
                    list(function.input),
                    list(function.output),
                    attributes={k: a for k, a in meant.items() if a is not None},
                )
            }
        found = {}
        previous = None
        for index, (name, body) in enumerate(nested(node, graph.attributes)):
            label = f"{body.name}#{index}" if body.name == previous else body.name
            previous = body.name
            found[name] = Graph(
                self.path_of(graph, node, label, paths),
                graph,
                body.node,
                [i.name for i in body.input],
                [o.name for o in body.output],
                self.data_of([*body.initializer, *map(dense, body.sparse_initializer)], body.node),
                graph.attributes,
            )
        return found

    @staticmethod
    def path_of(graph, node, label, paths):
        front = f"{graph.path}/" if graph.path else ""
        if node.name:
            return f"{front}{node.name}/{label}"
        pattern = re.compile(re.escape(front) + re.escape(node.op_type) + r"_\d+/" + re.escape(label))
        fitting = [p for p in paths if pattern.fullmatch(p)]
        return fitting[0] if fitting else None

    def constant(self, graph, node):
        """What a Constant node says."""
        attribute = resolved(node.attribute[0], graph.attributes)
        if attribute.name == "sparse_value" or attribute.type == AttributeProto.SPARSE_TENSOR:
            raise Unsupported("sparse constants")
        value = helper.get_attribute_value(attribute)
        if isinstance(value, TensorProto):
            return tensor(value, self.folder)
        kinds = {
            AttributeProto.FLOAT: np.float32,
            AttributeProto.FLOATS: np.float32,
            AttributeProto.INT: np.int64,
            AttributeProto.INTS: np.int64,
        }
        if attribute.type in kinds:
            return np.array(value, dtype=kinds[attribute.type])
        return np.array(value, dtype=object)


def resolved(attribute, meant):
    """The attribute with its reference replaced; None when the call gives none."""
    if not attribute.ref_attr_name:
        return attribute
    target = meant.get(attribute.ref_attr_name)
    if target is None:
        return None
    copy = AttributeProto()
    copy.CopyFrom(target)
    copy.name = attribute.name
    return copy


def nested(node, meant):
    for attribute in node.attribute:
        attribute = resolved(attribute, meant)
        if attribute is not None and attribute.type == AttributeProto.GRAPH:
            yield attribute.name, attribute.g


def plain_node(node, meant):
    """The node with all attribute references replaced."""
    copy = onnx.NodeProto()
    copy.CopyFrom(node)
    del copy.attribute[:]
    for attribute in node.attribute:
        attribute = resolved(attribute, meant)
        if attribute is not None:
            copy.attribute.append(attribute)
    return copy
