"""Makes the seeds of the fuzz corpora: usage: seeds.py TENURE [CORPUS]

Models are built here with the onnx package, small and together using most of what the format has; the
other forms are what the command makes of them. Needs python with onnx and numpy."""

import pathlib
import random
import subprocess
import sys

import numpy
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).parent
F = TensorProto.FLOAT
PIPELINES = [
    "O2", "O0,O1", "", "infer-shapes,schedule{order=kahn},pin",
    "alias-views{kinds=all},inplace{kinds=elementwise},share-gradients",
    'reuse{level=1,memory="slots",effort=2,algo=}', "infer-shapes{strict}, insert-frees",
    "reuse{level=none,memory=offsets,effort=0,algo=greedy-size}", "schedule {\n order = \"file\" }",
]
INSTANCES = [
    "id,lower,upper,size\na,0,3,4\nb,3,9,4\nc,0,9,4\n",
    "buffer_id,start,end,size,alignment,hint,gaps\nx,0,9,64,16,-1,2-3 5-6@0:8\ny,1,4,7,1,0,\n",
    "lower,upper,size,offset,id\n0,5,10,0,1\n5,8,3,0,2\n2,6,4,16,3\n\nrest",
]
PROJECTS = [
    '''{"tenure_project": 1}\n''',
    '''{"tenure_project": 1, "model": "../onnx/chain.onnx",
 "options": {"dim": {"n": 4}, "O": 3, "align": "1K", "io": "arena", "exclude": "b", "strict": true},
 "commands": {"plan": {"stats": true, "print-after": ["reuse"]}, "explain": {"changes": false}},
 "emit": [{"kind": "c-header", "file": "net.h", "options": {"prefix": "net", "tables": false}},
          {"kind": "svg", "options": {"width": 300}}, {"kind": "text"}]}\n''',
    r'''{"tenure_project": 1,
 "options": {"dim": [{"a=b": 1, "c:d": 2}], "input-shape": {"\"x\"": [1, -1], "s": []},
   "input-value": {"\u00fc": [1, 2.5, true, -1e30], "\udbff\udefe": []}, "level": "1", "capacity": 4096,
   "skip": ["a,b", "conv*", "\\*", ""], "loss": ["l"], "update": {"s\"": "=v"}, "grad-suffix": "\"_g",
   "grad-of": [{"p": "a"}, {"p": "b"}], "preset": "mcu", "no-such": 1}}''',
    r'''{"tenure_project": 1, "options": {"dim": [{"a=b": 1, "c:d": 2}],
   "input-shape": {"\"x\"": [1, -1], "s": []}, "input-value": {"\u00fc": [1, 2.5, true, -1e30]},
   "skip": ["a,b", "conv*", "\\*", ""], "update": {"s\"": "=v"}, "grad-suffix": "\"_g\n",
   "grad-of": [{"p": "a"}, {"p": "b"}], "preset": "ram"}}''',
]

# Models, settings, and the options of the plan before, if there is one.
PLACES = [
    ("chain", ["dim=n=4", "O=3", "overlap=elements", "pool=fast:128:align=16", "pool=slow:cost=4"], ["-O2"]),
    ("chain", ["dim=n=32", "O=3", "io=arena", "fix=a=arena@128", "align-value=y=512", "layout-of=*=nhwc"], None),
    ("chain", ["dim=n=8", "io=arena", "reuse-inputs=true", "based-on-slack=5%", "exclude=b", "fix=y=arena@0"], ["-O3"]),
    ("branches", ["O=3", "double-buffer=all", "pool=near:1K:io", "pool=far:io:cost=2", "fix=y=near@64"], ["--double-buffer=x"]),
    ("loop", ["O=3", "io=arena", "overlap=rows", "align=1", "inplace=ordered"], ["-O2", "--io=arena"]),
    ("scan", ["pool=only:4K:section=.fast", "align-value=h0=4096", "align-value=ys=8"], ["--pool=only:1K"]),
    ("function", ["O=3", "views=none", "inplace=none", "io=arena", "fix=m=arena@64", "schedule=file"], ["-O1"]),
    ("training", ["double-buffer=inputs", "update=sum=next", "skip-param-grads=true", "io=arena"], ["-O3"]),
    ("training_info", ["recompute=100%", "pool=hot:32:const:copied", "pool=cold:const:cost=3", "align=16"], ["--align=16"]),
]


def info(name, shape, kind=F):
    return helper.make_tensor_value_info(name, kind, shape)


def model(nodes, inputs, outputs, init=(), opsets=(("", 17),), functions=(), **more):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(init))
    imports = [helper.make_opsetid(d, v) for d, v in opsets]
    made = helper.make_model(graph, opset_imports=imports, functions=list(functions), ir_version=8)
    for key, value in more.items():
        entry = made.metadata_props.add()
        entry.key, entry.value = "tenure." + key, value
    return made


def ints(name, *values):
    return numpy_helper.from_array(numpy.array(values, dtype=numpy.int64), name)


def chain():
    n = helper.make_node
    weights = numpy_helper.from_array(numpy.zeros((4, 4), numpy.float32), "w")
    nodes = [n("MatMul", ["x", "w"], ["a"]), n("Relu", ["a"], ["b"]),
             n("Reshape", ["b", "s"], ["c"]), n("Split", ["c", "parts"], ["d", "e"], axis=0),
             n("Concat", ["e", "d"], ["f"], axis=0), n("Softmax", ["f"], ["y"])]
    return model(nodes, [info("x", ["n", 4])], [info("y", None)],
                 [weights, ints("s", -1, 2), ints("parts", 4, 4)], exclude="b")


def branches():
    n = helper.make_node
    then = helper.make_graph([n("Exp", ["x"], ["t"])], "then", [], [info("t", [2, 3])])
    other = helper.make_graph([n("Add", ["x", "x"], ["e"])], "else", [], [info("e", [2, 3])])
    node = n("If", ["c"], ["y"], name="pick", then_branch=then, else_branch=other)
    return model([node], [info("x", [2, 3]), info("c", [], TensorProto.BOOL)], [info("y", [2, 3])])


def loop():
    n = helper.make_node
    body = helper.make_graph(
        [n("Identity", ["go"], ["on"]), n("Add", ["v", "x"], ["w"]), n("Relu", ["w"], ["s"])],
        "body",
        [info("i", [], TensorProto.INT64), info("go", [], TensorProto.BOOL), info("v", [2])],
        [info("on", [], TensorProto.BOOL), info("w", [2]), info("s", [2])])
    count = helper.make_tensor("m", TensorProto.INT64, [], [3])
    node = n("Loop", ["m", "", "x"], ["y", "z"], body=body)
    return model([node], [info("x", [2])], [info("y", None), info("z", None)], [count])


def scan():
    n = helper.make_node
    body = helper.make_graph([n("Add", ["h", "e"], ["k"]), n("Identity", ["k"], ["o"])], "body",
                             [info("h", [3]), info("e", [3])], [info("k", [3]), info("o", [3])])
    node = n("Scan", ["h0", "x"], ["h1", "ys"], num_scan_inputs=1, body=body)
    return model([node], [info("h0", [3]), info("x", [5, 3])], [info("h1", None), info("ys", None)])


def function():
    n = helper.make_node
    f = helper.make_function("mine", "Twice", ["a"], ["b"],
                             [n("Add", ["a", "a"], ["t"]), n("Relu", ["t"], ["b"])],
                             [helper.make_opsetid("", 17)])
    nodes = [n("Twice", ["x"], ["m"], domain="mine"), n("Twice", ["m"], ["y"], domain="mine")]
    return model(nodes, [info("x", [4])], [info("y", [4])], opsets=(("", 17), ("mine", 1)),
                 functions=[f])


def odds():
    """Sequences, strings, sparse and external data, sub-byte types, names that bite."""
    n = helper.make_node
    external = helper.make_tensor("far", F, [2], [0, 0])
    external.ClearField("float_data")
    external.data_location = TensorProto.EXTERNAL
    for key, value in (("location", "weights.bin"), ("offset", "0"), ("length", "8")):
        entry = external.external_data.add()
        entry.key, entry.value = key, value
    nodes = [n("SequenceConstruct", ["x", "x"], ["q"]), n("SequenceAt", ["q", "i"], ["r"]),
             n("Add", ["x", "far"], ["*/\"\\n"]), n("Cast", ["x"], ["k"], to=TensorProto.INT4),
             n("Mystery", ["k", ""], ["y"], domain="acme", tune=[1.5, 2.5], words=["a", "b"])]
    return model(nodes, [info("x", [2])], [info("y", None), info("r", None)],
                 [external, helper.make_tensor("i", TensorProto.INT64, [], [0])],
                 opsets=(("", 21), ("acme", 1)))


def training():
    n = helper.make_node
    weights = numpy_helper.from_array(numpy.zeros((4, 2), numpy.float32), "w")
    nodes = [n("MatMul", ["x", "w"], ["h"]), n("Relu", ["h"], ["a"]),
             n("ReduceSum", ["a"], ["loss"], keepdims=0),
             n("ReluGrad", ["seed", "a"], ["h_grad"], domain="com.microsoft"),
             n("Transpose", ["x"], ["xt"]), n("MatMul", ["xt", "h_grad"], ["w_grad"]),
             n("InPlaceAccumulator", ["sum", "w_grad"], ["next"], domain="com.microsoft")]
    return model(nodes, [info("x", [3, 4]), info("seed", [3, 2]), info("sum", [4, 2])],
                 [info("loss", None), info("next", None)], [weights],
                 opsets=(("", 17), ("com.microsoft", 1)), loss="loss")


def training_info():
    """Inference graph, algorithm, initialization graph, and bindings of both kinds."""
    n = helper.make_node
    made = model([n("MatMul", ["x", "w"], ["y"])], [info("x", [3, 4])], [info("y", [3, 2])],
                 [numpy_helper.from_array(numpy.zeros((4, 2), numpy.float32), "w")])
    step = helper.make_graph(
        [n("Transpose", ["x"], ["xt"]), n("MatMul", ["xt", "y"], ["g"]), n("Mul", ["g", "rate"], ["d"]),
         n("Sub", ["w", "d"], ["w_next"])], "step", [], [info("w_next", [4, 2])],
        [helper.make_tensor("rate", F, [], [0.1])])
    start = helper.make_graph(
        [n("RandomNormal", [], ["w_start"], shape=[4, 2]), n("Constant", [], ["c"], value_float=0.1),
         n("Identity", ["c"], ["rate_start"])], "start", [], [info("w_start", [4, 2]), info("rate_start", [])])
    made.training_info.append(helper.make_training_info(
        step, [("w", "w_next")], start, [("w", "w_start"), ("rate", "rate_start")]))
    return made


def main():
    tenure = sys.argv[1]
    corpus = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else HERE / "corpus")
    for target in ("onnx", "tir", "json", "annotated", "pipeline", "csv", "project", "facts", "ir", "places"):
        (corpus / target).mkdir(parents=True, exist_ok=True)
    for make in (chain, branches, loop, scan, function, odds, training, training_info):
        path = corpus / "onnx" / (make.__name__ + ".onnx")
        seed = make()
        seed.graph.name = make.__name__
        path.write_bytes(seed.SerializeToString())
        plan = [tenure, "plan", str(path), "--dim", "n=4"]
        out = corpus / "tir" / (make.__name__ + ".tir")
        subprocess.run([tenure, "opt", str(path), "--passes=", "-o", str(out)], check=True)
        if make is training_info:
            out = corpus / "tir" / "initialization.tir"
            subprocess.run([tenure, "opt", str(path), "--graph=initialization", "--passes=", "-o", str(out)],
                           check=True)
        plan = plan if make is chain else plan[:3]
        for level in ("-O1", "-O3"):
            out = corpus / "json" / f"{make.__name__}{level}.json"
            made = subprocess.run(plan + [level, "--emit=json"], capture_output=True, check=True)
            out.write_bytes(made.stdout)
        made = subprocess.run(plan + ["-O3", "--emit=onnx"], capture_output=True, check=True)
        (corpus / "annotated" / path.name).write_bytes(made.stdout)
    for i, (name, settings, before) in enumerate(PLACES):
        made = [tenure, "plan", str(corpus / "onnx" / (name + ".onnx")), "--dim", "n=4", "-q", "--emit=json", *(before or [])]
        text = subprocess.run(made if name == "chain" else made[:3] + made[5:], capture_output=True, check=True).stdout
        lines = "".join(line + "\n" for line in [name, *settings])
        (corpus / "places" / f"seed{i}").write_bytes(lines.encode() + (text if before else b""))
    for i, text in enumerate(PIPELINES):
        (corpus / "pipeline" / f"seed{i}.txt").write_text(text)
    for i, text in enumerate(INSTANCES):
        (corpus / "csv" / f"seed{i}.csv").write_text(text)
    for i, text in enumerate(PROJECTS):
        (corpus / "project" / f"seed{i}.json").write_text(text)
    for path in (HERE.parents[1] / "examples" / "facts").glob("*.json"):
        (corpus / "facts" / path.name).write_text(path.read_text())
    for i in range(16):
        draw = random.Random(i)
        calls = bytes(draw.choice((draw.randrange(256), draw.randrange(16), 6, 7, 8, 0)) for _ in range(100 + 60 * i))
        (corpus / "ir" / f"seed{i}").write_bytes(calls)


main()
