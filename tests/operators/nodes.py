"""ONNX's own test cases: the inferred type and shape of every output equals the recorded one. The cases are
those that the onnx package makes, and those that it and Debian's libonnx-testdata keep as files.

Each case is tried twice, both times without the types its file states for inner values and outputs: as it
is, where what depends on operand data must be reported as unknown with the right rank; and with its small
operands as initializers, where all must be exact but what RUN_TIME lists.

usage: nodes.py TENURE OUT_DIR
"""

import collections
import glob
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from packages import np, onnx

from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.case.node import collect_testcases

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SMALL = 64  # elements an operand may have to become an initializer
INTEGERS = ("i8", "i3", "i6", "u8", "bo")  # what type names of indices and truths start with
LEAST_EXACT = 0.97

# Operators (of the case's first node) and cases whose results no reader of the graph can size.
RUN_TIME = {
    "ImageDecoder": "the size is in the file",
    "NonMaxSuppression": "the number of boxes depends on their scores",
    "StringNormalizer": "stop words are dropped",
    "StringSplit": "the number of parts depends on the strings",
    "Unique": "the number of distinct elements depends on their values",
    "test_loop16_seq_none": "the body decides by a value what the optional holds",
}


# Where recorded cases lie: <kind>/<case>/model.onnx beside test_data_set_0/{input,output}_<k>.pb.
FOLDERS = {"onnx": os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data"),
           "Debian": "/usr/share/libonnx-testdata/data"}

Case = collections.namedtuple("Case", "name model values outputs")


def dtype_names():
    with open(os.path.join(TOP, "ir", "dtype.def"), encoding="utf-8") as f:
        rows = re.findall(r'^DTYPE\(\w+,\s*(\d+),\s*"(\w+)"', f.read(), re.M)
    return {int(number): name for number, name in rows}


NAMES = dtype_names()


def tensor_type(value):
    if isinstance(value, TensorProto):
        return value.data_type, list(value.dims)
    array = np.asarray(value)
    if array.dtype == object:
        return TensorProto.STRING, list(array.shape)
    return helper.np_dtype_to_tensor_dtype(array.dtype), list(array.shape)


def recorded(value):
    """The text of the type a recorded output has; only the kind for what holds several tensors."""
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return "seq("
    if isinstance(value, dict):
        return "map("
    dtype, shape = tensor_type(value)
    return f"{NAMES[dtype]}[{','.join(map(str, shape))}]"


def read_value(path, declared):
    """A TensorProto, a list for a sequence, None for an empty optional."""
    with open(path, "rb") as f:
        data = f.read()
    kind = declared.type.WhichOneof("value")
    if kind == "sequence_type":
        return numpy_helper.to_list(onnx.SequenceProto.FromString(data))
    if kind == "optional_type":
        return numpy_helper.to_optional(onnx.OptionalProto.FromString(data))
    tensor = TensorProto.FromString(data)
    if declared.type.tensor_type.elem_type == TensorProto.BFLOAT16 and tensor.data_type == TensorProto.UINT16:
        tensor.data_type = TensorProto.BFLOAT16  # recorded by a numpy that had no such type
    return tensor


def kept_cases():
    for whose, folder in FOLDERS.items():
        for path in sorted(glob.glob(os.path.join(folder, "*", "*", "model.onnx"))):
            model, data = onnx.load(path), os.path.join(os.path.dirname(path), "test_data_set_0")
            values, outputs = ([read_value(os.path.join(data, f"{what}_{k}.pb"), d) for k, d in enumerate(group)
                                if os.path.exists(os.path.join(data, f"{what}_{k}.pb"))]
                               for what, group in (("input", model.graph.input), ("output", model.graph.output)))
            yield Case(f"{whose}/" + "/".join(path.split(os.sep)[-3:-1]), model, values, outputs)


def made_cases():
    for case in collect_testcases(None):
        if case.model is not None and case.data_sets:
            yield Case(case.name, case.model, *case.data_sets[0])


def to_initializer(value, name):
    if isinstance(value, TensorProto):
        tensor = TensorProto()
        tensor.CopyFrom(value)
        tensor.name = name
        return tensor
    return numpy_helper.from_array(np.asarray(value), name)


def stripped(model):
    bare = onnx.ModelProto()
    bare.CopyFrom(model)
    del bare.graph.value_info[:]
    for output in bare.graph.output:
        output.ClearField("type")
    return bare


def with_constants(model, values):
    """A copy whose small inputs are initializers, but a first one that is data of a layer: all inputs
    after it, scalars, and the integers of ops with one operand."""
    bare = onnx.ModelProto()
    bare.CopyFrom(model)
    inputs = list(bare.graph.input)
    del bare.graph.input[:]
    for k, declared in enumerate(inputs):
        value = values[k] if k < len(values) else None
        plain = value is not None and not isinstance(value, (list, tuple, dict))
        dtype, shape = tensor_type(value) if plain else (0, [SMALL + 1])
        size = int(np.prod(shape))
        few = size <= SMALL and (k > 0 or size == 1 or (len(inputs) == 1 and NAMES[dtype][:2] in INTEGERS))
        if declared.type.HasField("tensor_type") and few:
            bare.graph.initializer.append(to_initializer(value, declared.name))
        else:
            bare.graph.input.append(declared)
    return bare


def inferred(tenure, path):
    """name -> type of the main graph's results, or None and what the command said."""
    done = subprocess.run([tenure, "opt", "--passes=infer-shapes", path], capture_output=True, check=False)
    text = done.stdout.decode(errors="replace")
    value = r'%("(?:[^"\\]|\\.)*"|[A-Za-z0-9_./$-]+): ((?:(?:seq|opt|map)\(|sparse )*[a-z0-9?]+(?:\[[^\]]*\])?)'
    return (dict((n.strip('"'), t) for n, t in re.findall(value, text)) if done.returncode == 0 else None,
            f"exit code {done.returncode}: {done.stderr.decode(errors='replace')[:200]}")


def judge(want, got):
    """'exact', 'open' (extents unknown, or given by data; nothing wrong) or 'wrong'."""
    if want is None or got == want or (want.endswith("(") and got.startswith((want, "opt("))):
        return "exact"
    if got == "?" and want.endswith("("):
        return "open"
    if "[" not in got or "[" not in want or got.split("[")[0] != want.split("[")[0]:
        return "wrong"
    have, need = (x[x.index("[") + 1:-1] for x in (got, want))
    have, need = have.split(",") if have else [], need.split(",") if need else []
    fits = len(have) == len(need) and all(a == b or not a.isdigit() for a, b in zip(have, need))
    return "open" if fits else "wrong"


def verdict(tenure, path, names, wants):
    types, said = inferred(tenure, path)
    if types is None:
        return "wrong", said
    pairs = [(types.get(n, "?"), w) for n, w in zip(names, wants)]
    verdicts = [judge(w, g) for g, w in pairs]
    worst = "wrong" if "wrong" in verdicts else "open" if "open" in verdicts else "exact"
    return worst, ", ".join(f"{g} for {w}" for g, w in pairs if g != w)


def run_case(job):
    tenure, work, case = job
    names = [o.name for o in case.model.graph.output]
    wants = [recorded(o) for o in case.outputs]
    bare = stripped(case.model)
    answers = []
    for model in (bare, with_constants(bare, case.values)):
        path = os.path.join(work, f"{case.name.replace('/', '.')}.{len(answers)}.onnx")
        onnx.save(model, path)
        answers.append(verdict(tenure, path, names, wants))
    return case, answers


def main():
    tenure, work = sys.argv[1:3]
    os.makedirs(work, exist_ok=True)
    cases = [*made_cases(), *kept_cases()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(run_case, [(tenure, work, c) for c in cases]))
    count = {"as given": [0, 0], "constant operands": [0, 0]}
    failures, run_time, listed = [], 0, set()
    for case, answers in results:
        op = case.model.graph.node[0].op_type
        reason = next((r for r in (case.name.split("/")[-1], op) if r in RUN_TIME), None)
        for what, (how, said) in zip(count, answers):
            count[what][how == "exact"] += 1
            if how == "wrong":
                failures.append(f"{case.name}, {what}: {said}")
        if answers[1][0] == "open":
            run_time += 1
            listed.add(reason)
            if reason is not None:
                print(f"{case.name}: {answers[1][1]}: {RUN_TIME[reason]}")
            else:
                failures.append(f"{case.name}: {answers[1][1]} is not known, though all operands are")
    failures += [f"{name} is listed as unknowable, but all is known" for name in set(RUN_TIME) - listed]
    share = count["constant operands"][1] / max(1, len(cases) - run_time)
    print("\n".join(failures))
    print(f"{len(cases)} cases; exact as given: {count['as given'][1]}, with constant operands: "
          f"{count['constant operands'][1]}; {run_time} depend on run-time data; "
          f"{share:.1%} of the others exact")
    return 1 if failures or share < LEAST_EXACT or len(cases) < 1000 else 0


if __name__ == "__main__":
    sys.exit(main())
