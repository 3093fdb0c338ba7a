"""One plan for all models that differ in weights alone: same digest, same bytes of every artefact.

Every model at hand is trained anew: each float constant from which no shape can come gets other numbers, in
initializers and in Constant nodes. Then a small model is changed in one way after another, each of which a plan
must either not notice or notice; `tenure check` takes the old plan for the new model in the first case alone.

usage: retrained.py TENURE WORK_DIR
Exit code 77: no onnx package.
"""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models"))

import corpus

try:
    import google.protobuf.message
    import numpy
    import onnx
    from onnx import AttributeProto as A, TensorProto as T, helper, numpy_helper
except ImportError:
    sys.exit(77)

# Operands from which results get their shapes.
SHAPING = {"Reshape": (1,), "Resize": (1, 2, 3), "Upsample": (1,), "Slice": (1, 2, 3, 4), "Expand": (1,), "Tile": (1, 2),
           "Pad": (1, 3), "Range": (0, 1, 2), "ConstantOfShape": (0,), "TopK": (1,), "OneHot": (1,), "Loop": (0, 1),
           "If": (0,), "Split": (1,), "NonZero": (0,), "Compress": (1,), "Trilu": (1,), "Squeeze": (1,), "Unsqueeze": (1,),
           "CenterCropPad": (1,), "MaxUnpool": (2,), "Gather": (1,), "Dropout": (2,)}
LARGEST = 32 << 20
FLOATS = {T.FLOAT, T.FLOAT16, T.DOUBLE, T.BFLOAT16}


# ---- all models ----

def graphs_of(model):
    """Graphs and functions, those inside others too."""
    todo = [model.graph, *model.functions, *(t.algorithm for t in model.training_info)]
    while todo:
        graph = todo.pop()
        yield graph
        for node in graph.node:
            for a in node.attribute:
                todo += [a.g] if a.type == A.GRAPH else a.graphs


def shaping_names(model):
    """Names (whatever their graph) from which a shape may come."""
    makers, found = {}, set()
    todo = []
    for graph in graphs_of(model):
        for node in graph.node:
            for name in node.output:
                makers.setdefault(name, []).append(node)
            inside = node.op_type in SHAPING or any(a.type == A.GRAPH for a in node.attribute)
            every = node.domain not in ("", "ai.onnx") or (inside and node.op_type not in SHAPING)
            todo += [n for k, n in enumerate(node.input) if every or k in SHAPING.get(node.op_type, ())]
    while todo:
        name = todo.pop()
        if name and name not in found:
            found.add(name)
            for node in makers.get(name, []):
                todo += node.input
    return found


def train(tensor):
    if tensor.data_type not in FLOATS or tensor.data_location == T.EXTERNAL:
        return 0
    try:
        array = numpy_helper.to_array(tensor)
    except (TypeError, ValueError):
        return 0  # no elements in the file
    other = numpy_helper.from_array((array * 3 + 1).astype(array.dtype), tensor.name)
    tensor.CopyFrom(other)
    return 1


def train_constant(node):
    n = 0
    for a in node.attribute:
        if a.name == "value" and a.type == A.TENSOR:
            n += train(a.t)
        elif a.name == "value_float":
            a.f, n = a.f * 3 + 1, n + 1
        elif a.name == "value_floats":
            a.floats[:], n = [f * 3 + 1 for f in a.floats], n + 1
    return n


def retrain(model):
    """Number of constants changed."""
    shaping, n = shaping_names(model), 0
    for graph in graphs_of(model):
        n += sum(train(t) for t in getattr(graph, "initializer", []) if t.name not in shaping)
        n += sum(train_constant(node) for node in graph.node
                 if node.op_type == "Constant" and not shaping & set(node.output))
    return n


class Planner:
    def __init__(self, tenure, work):
        self.tenure, self.work = tenure, work
        os.makedirs(work, exist_ok=True)
        listed = corpus.run(tenure, ["--list-backends"]).stdout.decode()
        self.backends = re.findall(r"^  ([a-z-]+) ", listed, re.MULTILINE)
        self.backends = [b for b in self.backends if b not in ("weights", "onnx", "tflm")]  # which hold the weights
        self.bindings = corpus.bindings()

    def artefacts(self, path, options):
        """Backend -> bytes, of those that take the plan; an empty map where there is no plan."""
        out = {}
        for backend in self.backends:
            done = corpus.run(self.tenure, ["plan", path, "-q", "--emit=" + backend, "-o", "-", *options])
            if done is not None and done.returncode == 0:
                out[backend] = done.stdout
        return out

    def save(self, model, name):
        path = os.path.join(self.work, name + ".onnx")
        with open(path, "wb") as f:
            f.write(model.SerializeToString())
        return path

    def check(self, model, plan):
        path = os.path.join(self.work, "plan.json")
        with open(path, "wb") as f:
            f.write(plan)
        return corpus.run(self.tenure, ["check", model, path])


def test_models(planner):
    failures = changed = models = 0
    for name, path in corpus.some_models():
        if os.path.getsize(path) > LARGEST:
            continue
        options = planner.bindings.get(corpus.short(name), [])
        if len(name) % 3 == 0:
            options = [*options, "--double-buffer=all", "--io=arena"]
        try:
            model = onnx.load(path, load_external_data=False)
        except google.protobuf.message.DecodeError:
            continue
        before = planner.artefacts(planner.save(model, "model"), options)
        n = retrain(model)
        after = planner.save(model, "model")
        if not before or n == 0:
            continue
        models, changed = models + 1, changed + n
        for backend, bytes_after in planner.artefacts(after, options).items():
            if bytes_after != before.get(backend):
                failures += 1
                print(f"{name}: {backend} is another artefact after {n} weights changed")
        done = planner.check(after, before["json"])
        if done.returncode != 0:
            failures += 1
            print(f"{name}: retrained, its plan is refused: {done.stderr.decode()}")
    print(f"{models} models, {changed} constants changed")
    return failures + (models == 0)


# ---- one model, changed ----

def ints(name, *values):
    return numpy_helper.from_array(numpy.array(values, numpy.int64), name)


def floats(name, *shape):
    return numpy_helper.from_array(numpy.arange(numpy.prod(shape), dtype=numpy.float32).reshape(shape), name)


def constant(name, **value):
    return helper.make_node("Constant", [], [name], name="make_" + name, **value)


def small(opset=17):
    n = helper.make_node
    twice = helper.make_function("own", "Twice", ["v"], ["t"], [n("Add", ["v", "v"], ["t"])], [helper.make_opsetid("", opset)])
    nodes = [
        n("MatMul", ["x", "w"], ["a"]), constant("bias", value=floats("", 12)), n("Add", ["a", "bias"], ["b"]),
        constant("rate", value_float=0.5), n("Mul", ["b", "rate"], ["c"]),
        n("Gather", ["target", "which"], ["part"], axis=0), n("Concat", ["part", "rest"], ["shape"], axis=0),
        n("Reshape", ["c", "shape"], ["d"]),
        n("Slice", ["d", "starts", "ends", "axes"], ["e"]), n("Pad", ["e", "pads"], ["f"]),
        n("Dropout", ["f", "ratio", "training"], ["g"]), n("Twice", ["g"], ["h"], domain="own"),
        constant("axis", value_ints=[0]), n("Unsqueeze", ["h", "axis"], ["i"]),
        n("Softmax", ["i"], ["y"], name="last", axis=-1)]
    init = [floats("w", 8, 12), ints("target", 2, 3), ints("which", 1), ints("rest", 4), ints("starts", 1),
            ints("ends", 3), ints("axes", 0), ints("pads", 0, 0, 1, 0), floats("unused", 3), ints("unread", 7),
            numpy_helper.from_array(numpy.float32(0.25), "ratio"), numpy_helper.from_array(numpy.bool_(False), "training")]
    info = helper.make_tensor_value_info
    graph = helper.make_graph(nodes, "small", [info("x", T.FLOAT, [1, 8])], [info("y", T.FLOAT, None)], init)
    return helper.make_model(graph, functions=[twice], ir_version=8,
                             opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid("own", 1)])


def initializer(model, name):
    return next(t for t in model.graph.initializer if t.name == name)


def node_of(model, result):
    return next(n for n in model.graph.node if result in n.output)


def put(name, array):
    def change(model):
        initializer(model, name).CopyFrom(numpy_helper.from_array(array, name))
    return change


def put_ints(name, *values):
    return put(name, numpy.array(values, numpy.int64))


def bias(model):
    node_of(model, "bias").attribute[0].t.CopyFrom(numpy_helper.from_array(numpy.ones(12, numpy.float32)))


def rate(model):
    node_of(model, "rate").attribute[0].f = 0.75


def producer(model):
    model.producer_name, model.doc_string, model.graph.doc_string = "someone", "words", "more words"
    model.graph.node[0].doc_string = "and more"


def typed_data(model):
    """The same numbers, in the other field of the format."""
    t = initializer(model, "w")
    t.CopyFrom(helper.make_tensor("w", T.FLOAT, [8, 12], numpy_helper.to_array(t).ravel().tolist()))


def metadata(model):
    entry = model.metadata_props.add()
    entry.key, entry.value = "author", "someone"


def beside(model):
    """The weights in a file beside the model, which need not even be there."""
    t = initializer(model, "w")
    t.ClearField("raw_data")
    t.data_location = T.EXTERNAL
    entry = t.external_data.add()
    entry.key, entry.value = "location", "weights.bin"


UNNOTICED = {
    "weights": put("w", numpy.ones((8, 12), numpy.float32)), "weights of a Constant node": bias,
    "a number in an attribute of a Constant node": rate, "dropped at another rate": put("ratio", numpy.float32(0.5)),
    "an initializer nobody reads": put("unused", numpy.ones(3, numpy.float32)),
    "an integer nobody reads": put_ints("unread", 8), "producer and doc strings": producer, "another field of the format": typed_data,
    "metadata of others": metadata, "weights in another file": beside}


def attribute(result, name, value):
    def change(model):
        a = next(a for a in node_of(model, result).attribute if a.name == name)
        a.CopyFrom(helper.make_attribute(name, value))
    return change


def renamed_node(model):
    node_of(model, "y").name = "end"


def renamed_value(model):
    node_of(model, "a").output[0] = node_of(model, "b").input[0] = "z"


def renamed_graph(model):
    model.graph.name = "other"


def other_op(model):
    node_of(model, "b").op_type = "Sub"


def wider(model):
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 2
    put_ints("target", 2, 6)(model)


def other_type(model):
    initializer(model, "unused").CopyFrom(numpy_helper.from_array(numpy.ones(3, numpy.float64), "unused"))


def other_function(model):
    model.functions[0].node[0].op_type = "Mul"


def swapped(model):
    node_of(model, "b").input[:] = ["bias", "a"]


def wish(model):
    entry = model.metadata_props.add()
    entry.key, entry.value = "tenure.exclude", "b"


def newer(model):
    model.opset_import[0].version = 18
    model.functions[0].opset_import[0].version = 18


NOTICED = {
    "a row that is taken": put_ints("target", 2, 6), "which row is taken": put_ints("which", 0),
    "the rest of a target shape": put_ints("rest", 2), "start of a slice": put_ints("starts", 0),
    "end of a slice": put_ints("ends", 2), "axis of a slice": put_ints("axes", 1), "pads": put_ints("pads", 0, 0, 0, 1),
    "a Dropout that drops": put("training", numpy.bool_(True)),
    "axes in a Constant node": attribute("axis", "value_ints", [1]), "an attribute": attribute("y", "axis", 0),
    "name of a node": renamed_node, "name of a value": renamed_value, "name of the graph": renamed_graph, "an op": other_op,
    "extent of an input": wider, "type of an initializer": other_type, "body of a function": other_function,
    "order of operands": swapped, "a wish": wish, "version of the operators": newer}


def test_changes(planner):
    failures = 0
    was = planner.artefacts(planner.save(small(), "small"), [])
    if "view" not in was["json"].decode() or len(was) < 4:
        print("the small model is not planned as it should be")
        return 1
    for changes, noticed in ((UNNOTICED, False), (NOTICED, True)):
        for what, change in changes.items():
            model = small()
            change(model)
            path = planner.save(model, "changed")
            now = planner.artefacts(path, [])
            digests = [re.search(rb'"digest": "(.*)"', plan["json"]).group(1) for plan in (was, now)]
            done = planner.check(path, was["json"])
            said = b"the plan was made for another model" in done.stderr
            if (digests[0] != digests[1]) != noticed or said != noticed or (done.returncode != 0) != noticed:
                failures += 1
                print(f"{what}: {'not ' if noticed else ''}noticed: {done.stderr.decode()}")
            if not noticed and was != now:
                failures += 1
                print(f"{what}: other bytes of {[b for b in now if now[b] != was[b]]}")
    print(f"{len(UNNOTICED)} changes that no plan depends on, {len(NOTICED)} others")
    return failures


def main():
    planner = Planner(sys.argv[1], sys.argv[2])
    failures = test_changes(planner) + test_models(planner)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
