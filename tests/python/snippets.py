"""Runs the Python snippets of pages, those of a page one after the other, in a folder with a net.onnx.

usage: snippets.py PAGE...
"""

import contextlib
import io
import os
import re
import sys
import tempfile

import onnx
from onnx import TensorProto, helper, numpy_helper
import numpy


def model():
    """Open in one dimension; with an op that nobody needs."""
    weights = numpy_helper.from_array(numpy.ones((8, 4), numpy.float32), "w")
    nodes = [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Identity", ["h"], ["i"]),
             helper.make_node("Relu", ["i"], ["y"])]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", n]) for name, n in (("x", 8), ("y", 4)))
    graph = helper.make_graph(nodes, "net", [x], [y], [weights])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=10)


def run(page):
    with open(page, encoding="utf-8") as f:
        text = f.read()
    space = {}
    for found in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S):
        line = text.count("\n", 0, found.start()) + 1
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile("\n" * line + found.group(1), page, "exec"), space)  # lines are those of the page
        except Exception as error:
            print(f"{page}:{line}: {type(error).__name__}: {error}")
            raise
    return len(re.findall(r"^```python$", text, re.M))


def main():
    pages = [os.path.abspath(page) for page in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in ("net.onnx", "other.onnx"):
            onnx.save(model(), name)
        for page in pages:
            print(f"{os.path.basename(page)}: {run(page)} snippets")
    return 0


if __name__ == "__main__":
    sys.exit(main())
