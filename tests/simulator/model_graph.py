"""The model as the simulator knows it: read with the `onnx` package alone, nothing of tenure's op table.

Graphs are found by walking from the main graph: a step of a plan names a node by its index in its graph, and a node's
bodies by the attributes that hold them.
"""

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator

MOST_ELEMENTS = 4096  # of a tensor that is worked out before the run


class Graph:
    """The main graph, a body, or a function (`proto` is a GraphProto or a FunctionProto)."""

    def __init__(self, model, proto, outer=None):
        self.model, self.proto, self.outer = model, proto, outer
        self.nodes = list(proto.node)
        self.is_function = isinstance(proto, onnx.FunctionProto)
        self.inputs = [i if self.is_function else i.name for i in proto.input]
        self.outputs = [o if self.is_function else o.name for o in proto.output]
        self.initializers = {} if self.is_function else {t.name: t for t in proto.initializer}
        self.maker = {o: n for n in self.nodes for o in n.output if o}
        self.found = {}

    def body(self, node, attribute):
        """The graph that a node holds in an attribute; the function it calls where that is empty."""
        if attribute:
            proto = next(a.g for a in node.attribute if a.name == attribute)
            return self.model.graph_of(proto, self)
        return self.model.graph_of(self.model.function(node), None)

    def known(self, name):
        """The elements of a small tensor that follow from the model alone, or None."""
        if name not in self.found:
            self.found[name] = None  # what depends on itself is not known
            try:
                self.found[name] = self.work_out(name)
            except Exception:  # an evaluator that does not take the node: nothing is known then
                self.found[name] = None
        return self.found[name]

    def work_out(self, name):
        if name in self.initializers:
            t = self.initializers[name]
            small = int(np.prod(t.dims)) <= MOST_ELEMENTS and t.data_location != onnx.TensorProto.EXTERNAL
            return numpy_helper.to_array(t) if small else None
        node = self.maker.get(name)
        if node is None:
            return self.outer.known(name) if self.outer is not None and name not in self.inputs else None
        if any(a.type in (onnx.AttributeProto.GRAPH, onnx.AttributeProto.GRAPHS) or a.ref_attr_name for a in node.attribute):
            return None
        given = [self.known(i) if i else None for i in node.input]
        if node.op_type.startswith("Random") or any(g is None and i for g, i in zip(given, node.input)):
            return None
        made = self.evaluate(node, dict(zip(node.input, given)))[list(node.output).index(name)]
        return made if np.size(made) <= MOST_ELEMENTS else None

    def evaluate(self, node, given):
        """The results of one node by the reference evaluator."""
        graph = onnx.helper.make_graph([node], "one", [onnx.ValueInfoProto(name=i) for i in dict.fromkeys(node.input) if i],
                                       [onnx.ValueInfoProto(name=o) for o in node.output if o])
        one = onnx.helper.make_model(graph, opset_imports=self.model.opsets)
        return ReferenceEvaluator(one).run(None, {k: v for k, v in given.items() if k})


class Model:
    def __init__(self, path):
        self.proto = onnx.load(path, load_external_data=False)
        self.opsets = list(self.proto.opset_import)
        self.graphs = {}
        self.main = self.graph_of(self.proto.graph, None)
        self.maps = {}  # (graph, node) -> what elements it moves where, see movement.py

    def graph_of(self, proto, outer):
        if id(proto) not in self.graphs:
            self.graphs[id(proto)] = (Graph(self, proto, outer), proto)  # kept, so that the id stays its own
        return self.graphs[id(proto)][0]

    def function(self, node):
        return next(f for f in self.proto.functions if (f.domain, f.name) == (node.domain, node.op_type))

    def calls(self, node):
        return any((f.domain, f.name) == (node.domain, node.op_type) for f in self.proto.functions)
