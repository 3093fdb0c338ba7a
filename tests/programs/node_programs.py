"""ONNX's own node tests as emitted programs: each that has all kernels of backends/kernels/library is emitted, compiled with
sanitizers and run in pools that are poisoned where nothing is; its outputs are those recorded, as far off as onnx
allows. Results lie on operands wherever the op table lets them.

usage: node_programs.py TENURE WORK_DIR [--layout nhwc] [--kernels inside] [--verbose] [--only PATTERN]

--layout nhwc: those that have images, which all lie with their channels last; results begin inside operands.
--kernels inside: with the kernels that programs hold, and no others.
"""

import argparse
import collections
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE] + [os.path.join(os.path.dirname(HERE), d) for d in ("operators", "execution")]
from packages import np, onnx  # ends with 77 where the packages are missing

import collected
import expressions
import programs
from nodes import kept_cases, with_constants

BATCH = 40  # programs an executable
TOLERANCE = (1e-3, 1e-7)  # of onnx's runner for cases that say nothing else
MOST_BYTES = 1 << 22  # of values a case may have
# Types that outputs are compared in; kernels that know fewer give up.
TYPES = "fiub"

Case = collections.namedtuple("Case", "name op model inputs outputs tolerance")
Program = collections.namedtuple("Program", "case prefix kernels found")
# Where data give extents: their names, in the order of the program's array; the plan's expressions; for each output the
# bytes of its place and its extents.
Found = collections.namedtuple("Found", "names expressions outputs")
Refusal = collections.namedtuple("Refusal", "case message")
# Results lie on operands wherever the op table lets them.
OPTIONS = ("-O3", "--io=arena", "--reuse-inputs")
LAID = ("--layout-of=*=nhwc", "--overlap=elements")

# How many programs of an op have to run at least, by the op of a case's first node, with the kernels that they hold.
LEAST_INSIDE = dict((op, int(n)) for op, n in (entry.split(":") for entry in """
Abs:20 Acos:2 Acosh:2 Add:15 And:8 ArgMax:16 ArgMin:16 Asin:2 Asinh:2 Atan:2 Atanh:2 Attention:88 AveragePool:25
BatchNormalization:9 BitCast:10 BitShift:28 BitwiseAnd:4 BitwiseNot:3 BitwiseOr:4 BitwiseXor:4 Cast:23 CastLike:8
Ceil:2 Celu:2 Clip:13 Compress:4 Concat:13 Constant:324 ConstantOfShape:5 Conv:33 ConvInteger:2 ConvTranspose:14 Cos:2
Cosh:2 CumProd:9 CumSum:11 DepthToSpace:2 DequantizeLinear:6 Div:10 Dropout:8 DynamicQuantizeLinear:3 Einsum:5 Elu:4 Equal:8
Erf:1 Exp:5 Expand:11 EyeLike:3 Flatten:11 Floor:2 GRU:6 Gather:6 GatherElements:3 GatherND:3 Gelu:4 Gemm:13
GlobalAveragePool:2 GlobalMaxPool:2 Greater:16 GreaterOrEqual:8 GroupNormalization:2 HardSigmoid:4 HardSwish:1
Hardmax:7 Identity:3 If:1 InstanceNormalization:3 IsInf:4 IsNaN:2 LRN:2 LSTM:6 LayerNormalization:19 LeakyRelu:5
Less:26 LessOrEqual:8 Log:2 LogSoftmax:10 Loop:2 LpNormalization:6 LpPool:8 MatMul:7 MatMulInteger:1 Max:15 MaxPool:28
Mean:3 MeanVarianceNormalization:1 Min:15 Mish:1 Mod:13 Mul:38 Neg:3 NegativeLogLikelihoodLoss:18 NonMaxSuppression:10
NonZero:1 Not:3 OneHot:10 Or:8 PRelu:8 Pad:17 Pow:13 QLinearConv:1 QLinearMatMul:4 QuantizeLinear:6
RMSNormalization:19 RNN:6 Range:3 Reciprocal:2 ReduceL1:18 ReduceL2:18 ReduceLogSum:10 ReduceLogSumExp:6 ReduceMax:20
ReduceMean:18 ReduceMin:18 ReduceProd:16 ReduceSum:31 ReduceSumSquare:18 Relu:3 Reshape:10 Resize:69 ReverseSequence:2
RoiAlign:3 RotaryEmbedding:8 Round:1 Scan:3 Scatter:2 ScatterElements:7 ScatterND:7 Selu:5 Shape:132 Shrink:3
Sigmoid:3 Sign:2 Sin:2 Sinh:2 Size:2 Slice:17 Softmax:10 CausalConvWithState:13 SoftmaxCrossEntropyLoss:34 TensorScatter:3 Softplus:4 Softsign:2
SpaceToDepth:4 Split:25 Sqrt:3 Squeeze:2 Sub:11 Sum:4 SwiGLU:3 Swish:4 Tan:2 Tanh:3 ThresholdedRelu:3 Tile:4 TopK:14
Transpose:9 Trilu:18 Unique:3 Unsqueeze:9 Upsample:2 Where:2 Xor:8
""".split()))
# The same with the library as objects.
LEAST = dict((op, int(n)) for op, n in (entry.split(":") for entry in """
Abs:16 Acos:1 Acosh:1 Add:8 And:6 ArgMax:12 ArgMin:12 Asin:1 Asinh:1 Atan:1 Atanh:1 AveragePool:20
BatchNormalization:7 BitCast:8 BitShift:17 BitwiseAnd:3 BitwiseNot:2 BitwiseOr:3 BitwiseXor:3 Cast:10 CastLike:4
Ceil:1 Celu:1 Clip:10 Compress:4 Concat:10 ConstantOfShape:4 Conv:26 ConvInteger:1 ConvTranspose:11 Cos:1 Cosh:1
CumSum:1 DepthToSpace:1 DequantizeLinear:4 Div:8 Dropout:6 DynamicQuantizeLinear:2 Elu:3 Equal:6 Erf:1 Exp:4 Expand:8
EyeLike:1 Flatten:8 Floor:1 GRU:4 Gather:4 GatherElements:2 GatherND:2 Gelu:3 Gemm:10 GlobalAveragePool:1
GlobalMaxPool:1 Greater:12 GreaterOrEqual:6 GroupNormalization:1 HardSigmoid:3 HardSwish:1 Hardmax:5 Identity:2
InstanceNormalization:2 IsInf:2 IsNaN:1 LRN:1 LSTM:4 LayerNormalization:15 LeakyRelu:4 Less:20 LessOrEqual:6 Log:1
LogSoftmax:8 LpNormalization:4 LpPool:6 MatMul:5 MatMulInteger:1 Max:10 MaxPool:22 Mean:2 Min:10 Mish:1 Mod:10 Mul:30
Neg:2 NegativeLogLikelihoodLoss:14 NonMaxSuppression:10 NonZero:1 Not:2 OneHot:8 Or:6 PRelu:6 Pad:13 Pow:10
QLinearConv:1 QLinearMatMul:3 QuantizeLinear:4 RMSNormalization:15 RNN:4 Range:1 Reciprocal:1 ReduceL1:14 ReduceL2:14
ReduceLogSum:8 ReduceLogSumExp:1 ReduceMax:16 ReduceMean:14 ReduceMin:14 ReduceProd:12 ReduceSum:24
ReduceSumSquare:14 Relu:2 Reshape:8 Resize:52 ReverseSequence:1 RotaryEmbedding:6 Round:1 Scatter:1 ScatterElements:5
ScatterND:5 Selu:4 Shape:104 Shrink:2 Sigmoid:2 Sign:1 Sin:1 Sinh:1 Size:1 Slice:12 Softmax:8
SoftmaxCrossEntropyLoss:27 Softplus:3 Softsign:1 SpaceToDepth:3 Split:20 Sqrt:2 Squeeze:1 Sub:8 Sum:3 Swish:2 Tan:1
Tanh:2 ThresholdedRelu:2 Tile:3 TopK:11 Transpose:7 Trilu:14 Unique:3 Unsqueeze:7 Upsample:1 Where:1 Xor:6
""".split()))
# The same where all images have their channels last.
LEAST_LAID = dict((op, int(n)) for op, n in (entry.split(":") for entry in """
Abs:11 Add:8 And:7 AveragePool:14 BatchNormalization:7 Ceil:1 Celu:1 Clip:5 Concat:6 Constant:145 ConstantOfShape:1
Conv:25 ConvTranspose:13 DepthToSpace:2 Div:8 Dropout:7 Elu:3 Equal:8 Erf:1 Exp:2 Expand:4 Flatten:10 Floor:1 Gather:4
Gelu:2 GlobalAveragePool:1 GlobalMaxPool:1 Greater:16 GreaterOrEqual:8 HardSigmoid:3 HardSwish:1 Hardmax:5 LRN:2
LeakyRelu:4 Less:21 LessOrEqual:8 Log:1 LogSoftmax:6 LpPool:7 MaxPool:14 Mul:26 Neg:1 Or:7 PRelu:2 Pad:10 Pow:1
Reciprocal:1 ReduceL1:9 ReduceL2:9 ReduceLogSum:5 ReduceLogSumExp:1 ReduceMax:10 ReduceMean:10 ReduceMin:9
ReduceProd:9 ReduceSum:19 ReduceSumSquare:9 Relu:2 Reshape:10 Selu:4 Shape:10 Sigmoid:2 Slice:8 Softmax:6 Softplus:1
Softsign:1 SpaceToDepth:4 Split:1 Sqrt:1 Squeeze:2 Sub:8 Tanh:2 ThresholdedRelu:2 Transpose:7 Unsqueeze:9 Xor:7
""".split()))


def arrays(values):
    """The values as arrays; None where one is something else than a tensor of plain numbers."""
    done = []
    for value in values:
        if isinstance(value, onnx.TensorProto):
            value = onnx.numpy_helper.to_array(value)
        if not (isinstance(value, np.ndarray) or np.isscalar(value)):
            return None
        done.append(np.asarray(value))
        if done[-1].dtype.kind not in TYPES:
            return None
    return done if sum(a.nbytes for a in done) <= MOST_BYTES else None


def cases(pattern, folder):
    """All cases that are tensors alone, and how many are not. `folder`: where collected ones are kept."""
    found, left = {}, collections.Counter()

    def add(name, model, values, outputs, tolerance):
        name = name.split("/")[-1]
        if name in found or not fnmatch.fnmatch(name, pattern):
            return
        ins, outs = arrays(values), arrays(outputs)
        if ins is None or outs is None:
            left["no plain tensors of numbers, or large ones"] += 1
        else:
            defaults = {t.name for t in model.graph.initializer}
            inputs = [i for i in model.graph.input if i.name not in defaults]
            del model.graph.input[:]
            model.graph.input.extend(inputs)
            if len(inputs) != len(ins):
                left["optional inputs left out"] += 1
                return
            given = dict(zip([i.name for i in inputs], ins))
            found[name] = Case(name, model.graph.node[0].op_type, model, given, outs, tolerance)

    for case in collected.cases(folder):
        if case.data_sets:
            add(case.name, case.model, *case.data_sets[0], (case.rtol, case.atol))
    for case in kept_cases():
        if case.name.startswith("onnx/"):
            add(case.name, case.model, case.values, case.outputs, TOLERANCE)
    return list(found.values()), left


def has_no_images(case):
    """No value has more than two axes, which is certain of one node without bodies; so nothing can have its channels last."""
    graph = case.model.graph
    if len(graph.node) != 1 or case.model.functions or any(a.HasField("g") or a.graphs for a in graph.node[0].attribute):
        return False
    axes = [a.ndim for a in [*case.inputs.values(), *case.outputs]] + [len(t.dims) for t in graph.initializer]
    return max(axes) <= 2 and len(graph.output) == len(case.outputs)


def as_they_lie(value, of_axes):
    """What belongs to a value's axes, from the outermost to the innermost of its bytes."""
    return [of_axes[0], *of_axes[2:], of_axes[1]] if "strides" in value else of_axes


def laid(case, variant):
    """The case with its inputs and outputs as a plan has them lie; None where no value has its channels last."""
    values = variant["values"]
    if not any("strides" in v for v in values):
        return None
    last = {v["name"] for v in values if "strides" in v}
    names = [values[v]["name"] for v in variant["outputs"]]
    move = lambda name, a: np.moveaxis(a, 1, -1) if name in last else a
    return case._replace(inputs={n: move(n, a) for n, a in case.inputs.items()},
                         outputs=[move(n, a) for n, a in zip(names, case.outputs)])


def found_in(plan, variant):
    """Found, or None where data give no extents."""
    if "by_data" not in variant:
        return None
    outputs = [variant["values"][v] for v in variant["outputs"]]
    return Found([d["dim"] for d in variant["by_data"]], plan["expressions"],
                 [(v["bytes"], as_they_lie(v, v["dims"])) for v in outputs])


def emit(tenure, folder, prefix, case, options, kernels):
    """The program of a case, or what tenure says against it. `kernels`: as in programs.emit."""
    if options != OPTIONS and has_no_images(case):
        return Refusal(case, "nothing has its channels last")
    path = os.path.join(folder, prefix + ".onnx")
    onnx.save(case.model, path)
    done = subprocess.run([tenure, "plan", path, "-q", *options, f"--emit=c-program,target-size-bits=64,kernels={kernels}", "-o",
                           os.path.join(folder, prefix + ".c"), "--emit=json", "-o", path + ".json"],
                          capture_output=True, text=True, check=False)
    os.remove(path)
    if done.returncode != 0:
        return Refusal(case, re.sub(r"^\S+ (error: )?", "", done.stderr.strip().splitlines()[-1]))
    with open(path + ".json", encoding="utf-8") as f:
        plan = json.load(f)
    os.remove(path + ".json")
    variant = plan["programs"][0]["variants"][0]
    if options != OPTIONS:
        case = laid(case, variant) or Refusal(case, "nothing has its channels last")
        if isinstance(case, Refusal):
            return case
    with open(os.path.join(folder, prefix + ".c"), encoding="utf-8") as f:
        text = f.read()
    called = {"tenure_" + kernel for kernel in re.findall(r"^#ifdef TENURE_KERNEL_(\w+)$", text, re.M)}
    if kernels == "inside":
        missing = re.search(r"^/\* Kernels that are not in here: (.*) \*/$", text, re.M)
        if missing:
            return Refusal(case, f"no kernel {missing[1]}")
    return Program(case, prefix, called, found_in(plan, variant))


def folding_kernels(folder):
    """Kernels that get the elements of operands as attributes where the plan knows them."""
    with open(os.path.join(folder, "tenure_kernels.h"), encoding="utf-8") as f:
        return {f"tenure_{name}" for name, body in re.findall(r"^typedef struct tenure_(\w+)_attributes \{(.*?)^\}",
                                                              f.read(), re.M | re.S) if "of the operand" in body}


def emit_all(tenure, folder, found, pool, options, kernels):
    """Programs and refusals: cases as they are, and with their small operands as constants where these are told
    to kernels, or where tenure needs them."""
    first = list(pool.map(lambda job: emit(tenure, folder, f"n{job[0]}", job[1], options, kernels), enumerate(found)))
    folding, again = folding_kernels(folder), []
    for k, (case, program) in enumerate(zip(found, first)):
        # Groups may hold nodes of these.
        if isinstance(program, Refusal) or program.kernels & folding or any("tenure_fused" in kernel for kernel in program.kernels):
            constant = with_constants(case.model, list(case.inputs.values()))
            if len(constant.graph.input) < len(case.inputs):
                again.append((f"c{k}", case._replace(name=case.name + "+constants", model=constant)))
    second = list(pool.map(lambda job: emit(tenure, folder, *job, options, kernels), again))
    done = {p.case.name for p in second if isinstance(p, Program)}
    return [p for p in first if isinstance(p, Program) or p.case.name + "+constants" not in done] + second


def source_of(folder, batch):
    """One translation unit with all programs, each behind its tables."""
    lines = ['#include "run_cases.h"']
    for program in batch:
        low, up = program.prefix, program.prefix.upper()
        with open(os.path.join(folder, low + "_weights.h"), encoding="utf-8") as f:
            weights = f"#define {up}_WEIGHTS " in f.read()
        lines += [f"#define {up}_TABLES", f"#define {up}_NO_ARRAYS",
                  f"static void {low}_poison(unsigned step);",
                  f"#define {up}_AFTER(step, op, node, user) {low}_poison(step)", f'#include "{low}.c"']
        lines += [f'#include "{low}_weights.c"'] if weights else []
        # A program that finds one of these defined calls that kernel instead of its own.
        lines += [f"#undef TENURE_KERNEL_{kernel.removeprefix('tenure_')}" for kernel in sorted(program.kernels)]
        lines += [f"#define CASE(name) {low}_##name", f"#define CASE_(name) {up}_##name",
                  f"#define CASE_WEIGHTS {up + '_WEIGHTS' if weights else 'NULL'}",
                  f"#define CASE_FOUND {len(program.found.names) if program.found else 0}", '#include "run_case.h"']
    names = ", ".join(f"{p.prefix}_case" for p in batch)
    lines += [f"static run_case *const all_cases[] = {{{names}}};",
              f"int main(int argc, char **argv) {{ return argc == 3 ? run_from(all_cases, {len(batch)}, argv) : 2; }}"]
    return "\n".join(lines) + "\n"


# Kernels are what is tested: they alone have sanitizers, which see blocks of other code as well.
def compile_batch(folder, library, number, batch):
    program = os.path.join(folder, f"batch{number}")
    with open(program + ".c", "w", encoding="utf-8") as f:
        f.write(source_of(folder, batch))
    flags = [*programs.FLAGS, "-O0", "-g0", "-Wno-unused-const-variable", "-I", folder, "-I", HERE]
    kernels = [library.path] if library else []
    done = programs.compile_one(flags, program + ".c", program + ".o")
    if done.returncode == 0:
        done = subprocess.run([*programs.cc(), *flags, *programs.SANITIZE, program + ".o", *kernels, "-lm", "-o", program],
                              capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[:300])
    return program


def outputs_of(p, data):
    """The bytes of each output, from those of its place on; raises ValueError where they are not as many as recorded."""
    case = p.case
    if p.found is None:
        places = [o.nbytes for o in case.outputs]
    else:
        places = [size for size, _ in p.found.outputs]
        given = np.frombuffer(data[sum(places):], np.int32)
        data = data[:sum(places)]
        extents = dict(zip(p.found.names, map(int, given)))
        shapes = [[expressions.evaluate(x, p.found.expressions, extents) for x in dims] for _, dims in p.found.outputs]
        if shapes != [list(o.shape) for o in case.outputs]:
            raise ValueError(f"outputs of {shapes}, {[list(o.shape) for o in case.outputs]} expected")
    if len(data) != sum(places):
        raise ValueError(f"{len(data)} bytes of outputs, {sum(places)} expected")
    at = 0
    for size in places:
        yield data[at:at + size]
        at += size


def compared(p, path):
    """What is wrong with the outputs; None: nothing."""
    with open(path, "rb") as f:
        data = f.read()
    case = p.case
    try:
        outputs = list(outputs_of(p, data))
    except ValueError as error:
        return str(error)
    for number, (want, output) in enumerate(zip(case.outputs, outputs)):
        got = np.frombuffer(output[:want.nbytes], want.dtype).reshape(want.shape)
        if want.dtype.kind == "f":
            rtol, atol = case.tolerance
            # What is recorded was rounded to 16 bits after each term; kernels sum in 32.
            rtol = max(rtol, 2 ** -9) if want.dtype == np.float16 else rtol
            off = ~np.isclose(got, want, rtol, atol, equal_nan=True)
        else:
            off = got != want
        if np.any(off):
            first = tuple(int(i[0]) for i in np.nonzero(np.atleast_1d(off)))
            return (f"output {number} differs in {int(np.sum(off))} of {off.size} elements, first at {first}: "
                    f"{np.atleast_1d(got)[first]} for {np.atleast_1d(want)[first]}")
    return None


def write_inputs(program, number, case):
    with open(f"{program}.{number}.in", "wb") as f:
        for declared in case.model.graph.input:
            f.write(np.ascontiguousarray(case.inputs[declared.name]).tobytes())


def run_cases(program, count):
    """What becomes of each case: its return value, or what was said when the run broke down; then it goes on behind."""
    said = []
    while len(said) < count:
        done = subprocess.run([program, program, str(len(said))], capture_output=True, text=True, check=False,
                              timeout=900)
        said += [int(line) for line in done.stdout.split()]
        if len(said) < count:
            errors = [line for line in done.stderr.splitlines() if "ERROR" in line or "runtime error" in line]
            said.append(f"exit code {done.returncode}: {(errors or [done.stderr[-300:]])[0]}")
    return said


def verdict(program, number, p, said):
    """'ran', or 'gave up' where a kernel does, or what is wrong."""
    if isinstance(said, str):
        return said
    return "gave up" if said != 0 else compared(p, f"{program}.{number}.out") or "ran"


def run_batch(job):
    folder, library, number, batch = job
    try:
        program = compile_batch(folder, library, number, batch)
    except RuntimeError as error:
        return [(p.case, f"does not compile: {error}") for p in batch]
    for k, p in enumerate(batch):
        write_inputs(program, k, p.case)
    said = run_cases(program, len(batch))
    return [(p.case, verdict(program, k, p, said[k])) for k, p in enumerate(batch)]


def kernels_of(library):
    listed = subprocess.run(["nm", "-g", "--defined-only", library.path], capture_output=True, text=True, check=True)
    return set(re.findall(r" T (\w+)$", listed.stdout, re.M))


def is_known(a):
    return a.dtype.kind != "f" or a.dtype == np.float32


def reported(args, results, left):
    """Prints what became of the cases; whether all is as it should be."""
    ran = collections.Counter(case.op for case, said in results if said == "ran")
    wrong = [f"{case.name}: {said}" for case, said in results if said not in ("ran", "gave up")]
    gave_up = collections.Counter(case.op for case, said in results if said == "gave up")
    least = LEAST_LAID if args.layout == "nhwc" else LEAST_INSIDE if args.kernels == "inside" else LEAST
    few = [f"{op}: {ran[op]} programs ran, at least {n} have to" for op, n in least.items() if ran[op] < n]
    for reason, n in left.most_common(None if args.verbose else 12):
        print(f"not run: {n} programs: {reason}")
    print("a kernel knows not the type or the value: " + " ".join(f"{op}:{n}" for op, n in sorted(gave_up.items())))
    if args.verbose:
        print("though of types that kernels know: " + " ".join(c.name for c, said in results if said == "gave up" and
                                                               all(map(is_known, [*c.inputs.values(), *c.outputs]))))
        print("ran: " + " ".join(f"{op}:{n}" for op, n in sorted(ran.items())))
    for line in wrong + (few if args.only == "*" else []):
        print(f"WRONG: {line}")
    print(f"{sum(ran.values())} programs of {len(ran)} ops ran and gave what is recorded, {len(wrong)} wrong, "
          f"{sum(gave_up.values())} ended by a kernel, {sum(left.values())} not run")
    return not wrong and (args.only != "*" or not few)


def main():
    np.seterr(all="ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("tenure")
    parser.add_argument("work")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--only", default="*")
    parser.add_argument("--layout", choices=("nchw", "nhwc"), default="nchw")
    parser.add_argument("--kernels", choices=("extern", "inside"), default="extern")
    args = parser.parse_args()
    shutil.rmtree(args.work, ignore_errors=True)
    os.makedirs(args.work)
    found, left = cases(args.only, os.path.dirname(os.path.abspath(args.work)))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        emitted = emit_all(args.tenure, args.work, found, pool, OPTIONS + (LAID if args.layout == "nhwc" else ()), args.kernels)
        library = None if args.kernels == "inside" else programs.Library(args.work, args.work, programs.SANITIZE)
        known, ready = kernels_of(library) if library else set(), []
        for program in emitted:
            if isinstance(program, Refusal):
                left["refused: " + program.message] += 1
            elif library is None or program.kernels <= known:
                ready.append(program)
            else:
                left["no kernel " + ", ".join(sorted(k for k in program.kernels - known))] += 1
        batches = [(args.work, library, k, ready[k:k + BATCH]) for k in range(0, len(ready), BATCH)]
        results = [r for batch in pool.map(run_batch, batches) for r in batch]
    return 0 if reported(args, results, left) else 1


if __name__ == "__main__":
    sys.exit(main())
