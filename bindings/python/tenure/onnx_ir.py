"""tenure in a chain of passes of the package onnx_ir, behind onnxscript's optimizer, a simplifier, or your own::

    import onnx_ir as ir
    import tenure.onnx_ir

    planned = tenure.onnx_ir.PlanMemory(dims={"batch": 1}, align=64)
    ir.passes.Sequential(my_pass, planned)(model)
    print(planned.plan.arena_size)

It goes last: what changes nodes behind it, or sorts them, makes another model than the one that was planned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import onnx
import onnx_ir as ir

from ._model import plan
from ._plan import Plan

__all__ = ["PlanMemory"]

_OURS = "tenure.plan."


class PlanMemory(ir.passes.InPlacePass):
    """Plans the memory of a model, puts its nodes into the order of the plan, and the plan into its metadata.

    Options are those of `tenure.plan`. After a run `plan` is the plan. The metadata is what the backend "onnx" writes
    (docs/ONNX.md): the model has the whole plan under "tenure.plan.json", which ``tenure check`` proves and
    ``tenure plan --from-annotations`` makes artefacts of; graphs, nodes and values say where they are. With
    ``annotate=False`` the model only gets the order. What goes wrong raises a `TenureError`, inside the `PassError` of
    onnx_ir where it makes one."""

    def __init__(self, *, annotate: bool = True, **options: Any):
        super().__init__()
        self.plan: Plan | None = None
        self.annotate = annotate
        self.options = options

    def call(self, model: ir.Model) -> ir.passes.PassResult:
        """Plans a model; for onnx_ir, which calls it."""
        self.plan = plan(model, **self.options)
        written = ir.from_proto(onnx.load_model_from_string(self.plan.emit("onnx")))
        modified = _copy_graph(model.graph, written.graph, self.annotate)
        if self.annotate:
            modified = _take_props(model.metadata_props, written.metadata_props) or modified
        return ir.passes.PassResult(model, modified)


def _take_props(mine: dict[str, str], planned: dict[str, str]) -> bool:
    """Entries about an older plan go, those of the new one come."""
    before = dict(mine)
    for key in [key for key in mine if key.startswith(_OURS)]:
        del mine[key]
    mine.update({key: value for key, value in planned.items() if key.startswith(_OURS)})
    return mine != before


def _key(node: ir.Node) -> tuple[str, ...]:
    """Names of results are unique in a graph, those of nodes need not be."""
    return tuple(value.name or "" for value in node.outputs)


def _graphs(node: ir.Node) -> Iterator[tuple[str, ir.Graph]]:
    for name, attribute in node.attributes.items():
        if attribute.type == ir.AttributeType.GRAPH:
            yield name, attribute.as_graph()
        elif attribute.type == ir.AttributeType.GRAPHS:
            for index, graph in enumerate(attribute.as_graphs()):
                yield f"{name}[{index}]", graph


def _values(graph: ir.Graph) -> dict[str, ir.Value]:
    made = [value for node in graph for value in node.outputs]
    return {value.name: value for value in [*graph.inputs, *graph.initializers.values(), *made] if value.name}


def _copy_graph(mine: ir.Graph, planned: ir.Graph, annotate: bool) -> bool:
    """Order and metadata of one graph and of those nested in it; whether anything has changed."""
    nodes = {_key(node): node for node in mine}
    pairs = [(nodes[_key(node)], node) for node in planned]
    modified = [node for node, _ in pairs] != list(mine)
    if modified:
        mine.remove([node for node, _ in pairs])
        mine.extend([node for node, _ in pairs])
    for node, other in pairs:
        if annotate:
            modified = _take_props(node.metadata_props, other.metadata_props) or modified
        inner = dict(_graphs(other))
        for name, graph in _graphs(node):
            modified = _copy_graph(graph, inner[name], annotate) or modified
    if annotate:
        modified = _take_props(mine.metadata_props, planned.metadata_props) or modified
        values = _values(planned)
        for name, value in _values(mine).items():
            if name in values:
                modified = _take_props(value.metadata_props, values[name].metadata_props) or modified
    return modified
