"""Programs that end in a kernel of tenure's which cannot do its step: they say which step, the error's name, the operand and
its type, and what the kernel knows.

usage: kernel_errors.py TENURE FOLDER [--opencl RUNTIME]

RUNTIME is the folder of libtenure_cl.a. Ends with 77 where onnx is missing.
"""

import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "operators")]

from packages import np, onnx  # ends with 77 where they are missing

from onnx import TensorProto as T, helper


def net(op, operands, result, version=13, **attributes):
    """Operands and result as (type, extents)."""
    infos = [helper.make_tensor_value_info(name, *of) for name, of in zip("abc", operands)]
    node = helper.make_node(op, list("abc"[:len(operands)]), ["y"], name="act", **attributes)
    graph = helper.make_graph([node], "net", infos, [helper.make_tensor_value_info("y", *result)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)], ir_version=8)


# name -> model, what ends the line of the C program, of the OpenCL program (None: no error; ...: it is not run).
CASES = {
    "relu": (net("Relu", [(T.FLOAT16, [4])], (T.FLOAT16, [4]), 14), None, None),
    "cast": (net("Cast", [(T.INT32, [4])], (T.FLOAT, [4]), to=T.FLOAT), None, None),
    "add": (net("Add", [(T.DOUBLE, [4]), (T.DOUBLE, [4])], (T.DOUBLE, [4])), None, None),
    "product": (net("MatMul", [(T.DOUBLE, [2, 2]), (T.DOUBLE, [2, 2])], (T.DOUBLE, [2, 2])), None, None),
    "sums": (net("CumSum", [(T.DOUBLE, [4]), (T.INT32, [])], (T.DOUBLE, [4]), 14),
             "step 0, CumSum: KERNEL_ERROR_TYPE: x is f64; the kernel knows f32, integers and bool",
             ": its kernel failed (1): KERNEL_ERROR_TYPE: x is f64; the kernel knows f32, integers and bool"),
    "gather": (net("Gather", [(T.FLOAT, [4]), (T.INT64, [1])], (T.FLOAT, [1])),
               "step 0, Gather: KERNEL_ERROR_VALUE: an attribute, an element of an operand or its place, that the kernel cannot do",
               ": an operand holds what is no index, or no class (3)"),
}
WIDTHS = {T.FLOAT16: 2, T.INT32: 4, T.FLOAT: 4, T.DOUBLE: 8}


def inputs_of(model):
    """Zeros; an index is far outside of its axis."""
    data = b""
    for x in model.graph.input:
        tensor = x.type.tensor_type
        count = int(np.prod([d.dim_value for d in tensor.shape.dim]))
        data += np.full(count, 77, "<i8").tobytes() if tensor.elem_type == T.INT64 else bytes(count * WIDTHS[tensor.elem_type])
    return data


def said(kind, args, name, more):
    """What the program says on its error stream, by the Makefile of examples/<kind>."""
    build = os.path.join(args.folder, f"{kind}_{name}")
    command = ["make", "-s", f"-j{os.cpu_count()}", "-C", os.path.join(TOP, "examples", kind), f"TENURE={args.tenure}",
               f"MODEL={os.path.join(args.folder, name)}.onnx", f"INPUTS={os.path.join(args.folder, name)}.bin", f"BUILD={build}",
               *more, "run"]
    environment = {**os.environ, "POCL_CACHE_DIR": os.path.join(args.folder, "pocl")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    return done.returncode, done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure", type=os.path.abspath)
    parser.add_argument("folder", type=os.path.abspath)
    parser.add_argument("--opencl", type=os.path.abspath)
    args = parser.parse_args()
    os.makedirs(os.path.join(args.folder, "pocl"), exist_ok=True)
    runtime = os.path.join(TOP, "backends", "opencl", "runtime")
    kinds = {"firmware": (1, [])}
    if args.opencl:
        kinds["opencl"] = (2, ["CL_CFLAGS=-I" + runtime, f"CL_LIBS={args.opencl}/libtenure_cl.a -lOpenCL"])
    wrong = 0
    for name, case in CASES.items():
        onnx.save(case[0], os.path.join(args.folder, name + ".onnx"))
        with open(os.path.join(args.folder, name + ".bin"), "wb") as f:
            f.write(inputs_of(case[0]))
        for kind, (column, more) in kinds.items():
            if case[column] is ...:
                continue
            code, errors = said(kind, args, name, more)
            ends = any(line.endswith(case[column] or "") for line in errors.split("\n"))
            right = code == 0 if case[column] is None else code != 0 and ends
            if not right:
                print(f"WRONG: {name}, {kind}: exit code {code}, {errors}, expected {case[column]}")
                wrong += 1
    print(f"{len(CASES)} models, {len(kinds)} kinds of programs, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
