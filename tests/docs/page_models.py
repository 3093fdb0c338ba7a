"""Small models under the names that pages use, and what their commands take."""

import os
import shutil
import subprocess

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


def weights(name, *shape):
    return numpy_helper.from_array(numpy.full(shape, 0.01, numpy.float32), name)


def save(path, nodes, inputs, outputs, consts):
    values = [[helper.make_tensor_value_info(n, t, s) for n, t, s in side] for side in (inputs, outputs)]
    graph = helper.make_graph([helper.make_node(op, i, o, **a) for op, i, o, a in nodes], "net", *values, consts)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


FLOAT, INT = TensorProto.FLOAT, TensorProto.INT64


def image(path, first="input", last="output"):
    """With a convolution, and tensors that `conv1*` and `decoder/*` find."""
    save(path, [("Conv", [first, "w"], ["conv1/out"], {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}),
                ("Relu", ["conv1/out"], ["conv1/relu"], {}), ("Flatten", ["conv1/relu"], ["flat"], {}),
                ("MatMul", ["flat", "decoder/w"], ["decoder/h"], {}), ("Softmax", ["decoder/h"], [last], {})],
         [(first, FLOAT, [1, 1, 49, 10])], [(last, FLOAT, [1, 12])],
         [weights("w", 4, 1, 3, 3), weights("decoder/w", 4 * 490, 12)])


def language(path):
    save(path, [("Gather", ["table", "ids"], ["e"], {}), ("MatMul", ["e", "w"], ["h"], {}), ("Relu", ["h"], ["y"], {})],
         [("ids", INT, ["batch", "sequence"])], [("y", FLOAT, ["batch", "sequence", 8])],
         [weights("table", 30, 8), weights("w", 8, 8)])


def plain(path, first="x", middle="h", last="y", weight="w", rows=(1,)):
    save(path, [("MatMul", [first, weight], [middle], {}), ("Relu", [middle], ["r"], {}), ("MatMul", ["r", weight], [last], {})],
         [(first, FLOAT, [*rows, 64])], [(last, FLOAT, [*rows, 64])], [weights(weight, 64, 64)])


def one_op(path, op, **attributes):
    """Ops of a user's own domain, which FACTS.md tells of, beside what it names."""
    save(path, [("Conv", ["x", "w"], ["c"], {"kernel_shape": [3, 3]}), (op, ["c"], ["y"], attributes)],
         [("x", FLOAT, [1, 1, 8, 8])], [("y", FLOAT, [1, 1, 6, 6])], [weights("w", 1, 1, 3, 3)])


def cached(path):
    """A decoder that adds what it sees to a cache."""
    save(path, [("MatMul", ["tokens", "w"], ["q"], {}), ("ReduceMean", ["q"], ["m"], {"axes": [0], "keepdims": 0}),
                ("Add", ["past", "m"], ["present"], {}), ("MatMul", ["q", "present"], ["y"], {})],
         [("tokens", FLOAT, ["seq", 8]), ("past", FLOAT, [8, 8])], [("y", FLOAT, ["seq", 8]), ("present", FLOAT, [8, 8])],
         [weights("w", 8, 8)])


def write(page, folder, top, environment):
    """What a reader of the page has at hand, from the pages before it and of his own."""

    def tenure(*command):
        subprocess.run(["tenure", *command, "-q"], cwd=folder, check=True, env=environment)

    names = {"docs/EMBED.md": ("input_1", "Identity")}.get(page, ("input", "output"))
    for name in ("model", "net", "main", "kws", "vad"):
        image(os.path.join(folder, name + ".onnx"), *names)
    one_op(os.path.join(folder, "facts.onnx"), "Relu")
    shutil.copy(os.path.join(top, "examples", "models", "train_cnn.onnx"), os.path.join(folder, "train.onnx"))
    language(os.path.join(folder, "bert.onnx"))
    if page == "docs/HEADER.md":
        plain(os.path.join(folder, "net.onnx"), "data", "hidden", "out")
    elif page == "docs/SETS.md":
        plain(os.path.join(folder, "detector.onnx"), last="boxes")
        plain(os.path.join(folder, "landmark.onnx"), first="input")
        cached(os.path.join(folder, "decoder.onnx"))
        plain(os.path.join(folder, "encoder.onnx"), rows=("frames",))
        os.mkdir(os.path.join(folder, "speech"))  # programs with open dimensions in one memory
        tenure("plan", "encoder.onnx", "decoder.onnx", "--shared-arena", "--dim=encoder/frames=1..3000", "--dim=decoder/seq=1..",
               "--emit=c-program", "-o", "speech/net.c")
    elif page == "docs/PROGRAM.md":
        image(os.path.join(folder, "net.onnx"), "x", "y")
    with open(os.path.join(folder, "net.tir"), "w", encoding="utf-8") as f:
        f.write('tir 1\nmodule "net"\nir_version 8\nproducer "" ""\nopset "" 17\n\n'
                'graph @0 "net" {\n  input %x: f32[4]\n  %y: f32[4] = Relu(%x) #0\n  return %y\n}\n')
    os.mkdir(os.path.join(folder, "main"))
    with open(os.path.join(folder, "inputs.bin"), "wb") as f:
        f.write(bytes(490 * 4))
    for name in ("in.csv", "instance.csv"):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write("id,lower,upper,size\na,0,3,4\nb,1,9,4\n")
    with open(os.path.join(folder, "pairs.csv"), "w", encoding="utf-8") as f:
        f.write("a,b\na,b\n")
    shutil.copy(os.path.join(top, "tests", "fuzz", "corpus", "tflite", "chain.tflite"),
                os.path.join(folder, "model.tflite"))
    shutil.copy(os.path.join(top, "examples", "plugin", "plugin.c"), folder)
    shutil.copy(os.path.join(top, "examples", "facts", "cmsis-nn-cortex-m4.json"), folder)
    for name, level in (("plan", "-O2"), ("before", "-O1"), ("after", "-O2"), ("main/plan", "-O2")):
        tenure("plan", "model.onnx", level, "-o", name + ".json")
    tenure("plan", "model.onnx", "--emit=onnx", "-o", "planned.onnx")
    os.mkdir(os.path.join(folder, "open"))  # a plan with open dimensions
    if page in ("docs/HEADER.md", "docs/PROGRAM.md"):
        plain(os.path.join(folder, "open.onnx"), "x", "hidden", "y", rows=("batch", "seq"))
        tenure("plan", "open.onnx", "--open", *{"docs/HEADER.md": ("--emit=c-header", "-o", "open/net.h"),
                                               "docs/PROGRAM.md": ("--emit=c-program", "-o", "open/net.c")}[page])
    if page == "docs/PROGRAM.md":  # extents that data give
        os.mkdir(os.path.join(folder, "found"))
        with open(os.path.join(folder, "found.tir"), "w", encoding="utf-8") as f:
            f.write('tir 1 module "found" opset "" 17\ngraph "found" { input %x: f32[10,4] input %c: bool[10]\n'
                    '%kept: ? = Compress(%x, %c) {axis = 0} %boxes: ? = Relu(%kept) return %boxes }\n')
        tenure("plan", "found.tir", "--emit=c-program", "-o", "found/net.c")
    if page == "docs/HEADER.md":
        tenure("plan", "net.onnx", "--emit=c-header", "-o", "net.h")
    elif page in ("docs/FACTS.md", "docs/PROGRAM.md"):
        tenure("plan", "net.onnx", "--emit=c-program", "-o", "net.c")
