"""Steps that do several nodes in one go by a kernel of tenure's own: what they read, and what their results may lie over,
worked out by running the nodes on numbers."""

import numpy as np
import onnx
from onnx.reference import ReferenceEvaluator
from words import Wrong

OWN = "tenure.fused"
# Operands whose elements the plan rests on, so that the kernel reads none of them; those of Reduce* are 1.
PARAMETERS = {"Reshape": (1,), "Squeeze": (1,), "Unsqueeze": (1,), "Expand": (1,), "Tile": (1,), "Slice": (1, 2, 3, 4), "Pad": (1, 3),
              "Resize": (1, 2, 3), "Upsample": (1,), "Split": (1,), "CumSum": (1,), "CumProd": (1,), "Trilu": (1,), "OneHot": (1,), "CastLike": (1,),
              "ConstantOfShape": (0,), "Range": (1,)}
ROWS = set("Softmax LogSoftmax Hardmax LayerNormalization RMSNormalization InstanceNormalization GroupNormalization LpNormalization "
           "MeanVarianceNormalization LRN CumSum CumProd GlobalAveragePool GlobalMaxPool ArgMax ArgMin".split())
TRIES = 4


def is_own(step):
    return step.get("fused", {}).get("domain") == OWN


def is_parameter(node, k):
    return k in PARAMETERS.get(node.op_type, (1,) if node.op_type.startswith("Reduce") else ())


def check(plan, graph, i, nodes):
    """That a step reads what its nodes read of others, from the last node to the first, each once, but for what no kernel has
    to read; that nobody else reads what lies between them."""
    step, name = plan.steps[i], plan.name(i)
    made = {o for n in nodes for o in n.output if o}
    listed = [None if v is None else plan.values[v].name for v in step["operands"]]
    if len(set(listed)) != len(listed) or None in listed:
        raise Wrong(f"{name} lists an operand twice, or none")
    needed = {n for m in nodes for k, n in enumerate(m.input) if n and n not in made and not is_parameter(m, k)}
    known = {n for m in nodes for n in m.input if n}
    strange, missing = set(listed) - (known - made), needed - set(listed)
    if strange:
        raise Wrong(f"{name} reads {sorted(strange)}, which its nodes do not")
    if missing:
        raise Wrong(f"{name} does not read {sorted(missing)}, which its nodes read")
    if listed != [n for n in dict.fromkeys(n for m in reversed(nodes) for n in m.input) if n in listed]:
        raise Wrong(f"{name} does not read what its nodes read in their order, from the last one on")
    if [plan.values[v].name for v in step["results"] if v is not None] != [nodes[-1].output[0]]:
        raise Wrong(f"{name} makes more or less than the result of its last node")
    check_inside(plan, graph, step["graph"], name, nodes, made - {nodes[-1].output[0]})


def check_inside(plan, graph, path, name, nodes, inside):
    """Parameters of nodes in other such steps are read by nobody."""
    mine = [id(n) for n in nodes]
    grouped = {n["index"] for s in plan.steps if is_own(s) and s["graph"] == path for n in s["nodes"]}
    for k, other in enumerate(graph.nodes):
        read = set(names_in(other)) if k not in grouped else {n for i, n in enumerate(other.input) if not is_parameter(other, i)}
        found = inside & read if id(other) not in mine else None
        if found:
            raise Wrong(f"{name} keeps {sorted(found)} to itself, which '{other.op_type}' reads")
    if inside & set(graph.outputs):
        raise Wrong(f"{name} keeps {sorted(inside & set(graph.outputs))} to itself, an output")


def names_in(node):
    """What a node and the graphs in it read by name."""
    yield from node.input
    for a in node.attribute:
        for g in [a.g] if a.type == onnx.AttributeProto.GRAPH else a.graphs:
            yield from (o.name for o in g.output)
            for n in g.node:
                yield from names_in(n)


def numbers(dtype, dims, least, rng):
    kind = onnx.helper.tensor_dtype_to_np_dtype(dtype)
    if kind.kind == "f":
        return rng.uniform(least, 2, dims).astype(kind)
    return rng.integers(0, 2 if kind.kind == "b" else 100, dims).astype(kind)


TYPES = {"f16": "FLOAT16", "f32": "FLOAT", "f64": "DOUBLE", "i8": "INT8", "u8": "UINT8", "i16": "INT16", "u16": "UINT16", "i32": "INT32", "u32": "UINT32",
         "i64": "INT64", "u64": "UINT64", "bool": "BOOL"}


class Trial:
    """The nodes of a step, to be run on numbers from `least` on."""

    def __init__(self, plan, graph, step, least):
        rng = np.random.default_rng(1)
        nodes = [graph.nodes[n["index"]] for n in step["nodes"]]
        made = {o for n in nodes for o in n.output}
        self.given = {n: graph.known(n) for m in nodes for n in m.input if n and n not in made}
        for v in (plan.values[v] for v in step["operands"]):
            if self.given[v.name] is None or v.role != "const":
                self.given[v.name] = numbers(getattr(onnx.TensorProto, TYPES[v.row["dtype"]]), v.dims, least, rng)
        of = onnx.helper.make_graph(nodes, "group", [onnx.ValueInfoProto(name=n) for n in self.given], [onnx.ValueInfoProto(name=nodes[-1].output[0])])
        self.evaluator = ReferenceEvaluator(onnx.helper.make_model(of, opset_imports=graph.model.opsets))
        self.usual = self.run({})

    def run(self, other):
        with np.errstate(all="ignore"):
            return np.asarray(self.evaluator.run(None, {**self.given, **other})[0]).reshape(-1)

    def changed(self, name, at):
        """Places in the result that an element of an operand has to do with."""
        array = self.given[name].copy().reshape(-1)
        array[at] = not array[at] if array.dtype == bool else array[at] * 3 + 1 if array.dtype.kind == "f" else array[at] ^ 7
        there = self.run({name: array.reshape(self.given[name].shape)})
        return np.flatnonzero((there != self.usual) & ~((there != there) & (self.usual != self.usual)))  # none of both is a number


def cannot_be_run(step):
    """The evaluator takes the statistics of a batch for a BatchNormalization of old versions, as if it trained."""
    return any(n["op"] == "BatchNormalization" and n["version"] < 14 for n in step["nodes"])


def goes_by_rows(plan, graph, step, operand):
    """Whether what follows from an element stays in a row of the result, of some of its last axes; None where nobody can say."""
    size, dims = int(np.prod(operand.dims)), operand.dims
    rows = [int(np.prod(dims[k:])) for k in range(1, len(dims)) if np.prod(dims[k:]) < size]
    try:
        trial = Trial(plan, graph, step, 0.5)
        for at in {0, size - 1, *np.random.default_rng(2).integers(0, size, TRIES).tolist()}:
            changed = trial.changed(operand.name, at)
            rows = [r for r in rows if {c // r for c in changed} <= {at // r}]
        return bool(rows)
    except Exception:  # an evaluator that does not take the nodes
        return None


def goes_by_elements(plan, graph, step, name):
    """Whether element i of the operand is seen in no element but i of the result; None where nobody knows."""
    try:
        for trial in (Trial(plan, graph, step, least) for least in (0.5, -2)):
            size = trial.given[name].size
            places = {0, size - 1, *np.random.default_rng(2).integers(0, size, TRIES).tolist()}
            if not all(set(trial.changed(name, at)) <= {at} for at in places):
                return False
        return True
    except Exception:  # an evaluator that does not take the nodes
        return None


def wrong_claim(plan, graph, step, claim, trust):
    """None, or what is wrong with a claim of such a step."""
    operand, result = plan.values[step["operands"][claim["operand"]]], plan.values[step["results"][claim["result"]]]
    if operand.lo != result.lo or operand.bytes != result.bytes or operand.item != result.item:
        return "they have not the same place"
    if operand.dims != result.dims or operand.row.get("strides") != result.row.get("strides"):
        return "their extents differ: the operand is broadcast"
    ops = {n["op"] for n in step["nodes"]}
    if claim["promise"] == "rows" and (ops & ROWS or any(op.startswith("Reduce") for op in ops)) and not any("nest" in n for n in step["nodes"]):
        return None
    if claim["promise"] not in ("elements", "rows"):  # rows of one element
        return "its kernel does not promise that"
    by_rows = claim["promise"] == "rows" and any("nest" in n for n in step["nodes"])
    good = None if cannot_be_run(step) else \
        goes_by_rows(plan, graph, step, operand) if by_rows else goes_by_elements(plan, graph, step, operand.name)
    if good is None:
        trust(step["fused"], claim["promise"])
    return f"its nodes do not go {'row by row' if by_rows else 'element by element'}" if good is False else None
