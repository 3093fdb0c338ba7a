"""The plans that fields.py alters: each has what others lack, and together they have every field of the schema."""

import json
import os
import subprocess

HEAD = 'tir 1\nmodule "net"\nopset "" 22\nopset "com.microsoft" 1\nopset "my" 1\n{more}graph @0 "net" {{\n'

PARTS = HEAD.format(more="") + """
  const %w: f32[16,16] = tensor(1024 bytes, external "weights.bin" 0 1024)
  const %b: f32[16] = tensor(64 bytes, external "weights.bin" 0 64)
  input %x: f32[4,16]
  input %z: f32[4,16]
  %r: f32[4,16] = Relu(%x)
  %m: f32[4,16] = MatMul(%r, %w)
  %n: f32[4,16] = Add(%m, %b)
  %p: f32[2,16], %q: f32[2,16] = Split(%n) {axis = 0, num_outputs = 2}
  %e: f32[2,16] = Exp(%p)
  %c: f32[4,16] = Concat(%e, %q) {axis = 0}
  %s: f32[4,16] = Softmax(%c)
  %t: f32[4,16] = Tanh(%z)
  %u: f32[4,16] = Mul(%s, %t)
  %y: f32[4,16] = Add(%u, %r)
  %k: f32[4,16] = Neg(%t)
  return %y, %k
}
"""

ATTRIBUTES = HEAD.format(more="") + """
  input %x: f32[4,16]
  %r: f32[4,16] = Relu(%x)
  %o: f32[4,16] = my::Odd(%r) {a = 1, b = 1.5, c = "word", d = [1, 2], e = floats [1.5, 2.5], f = strings ["a", "b"],
    g = tensor(i64[2], 16 bytes, ints [3, 4]), h = type f32[2], i = tensors [], j = types []}
  %y: f32[4,16] = Neg(%o)
  return %y
}
"""

OPEN = HEAD.format(more="") + """
  const %w: f32[16,16] = tensor(1024 bytes, external "weights.bin" 0 1024)
  input %x: f32[n,16]
  input %past: f32[m,16]
  input %all: f32[t,16]
  %r: f32[n,16] = Relu(%x)
  %k: f32[n,16] = MatMul(%r, %w)
  %j: f32[?,16] = Concat(%past, %k) {axis = 0}
  %s: f32[?,16] = Softmax(%j)
  %a: f32[t,16] = Tanh(%all)
  %u: f32[t,16] = Add(%s, %a)
  %y: f32[t,16] = Exp(%u)
  %z: f32[n,16] = Neg(%k)
  return %y, %z
}
"""

DATA = HEAD.format(more="") + """
  input %x: f32[n,16]
  %r: f32[n,16] = Relu(%x)
  %i: i64[2,?] = NonZero(%r)
  %f: f32[2,?] = Cast(%i) {to = 1}
  %e: f32[2,?] = Exp(%f)
  %y: f32[?,2] = Transpose(%e) {perm = [1, 0]}
  %k: f32[n,16] = Neg(%r)
  return %y, %k
}
"""

FIXED = HEAD.format(more="") + """
  input %x: f32[4,16]
  input %shape: i64[2]
  %r: f32[4,16] = Relu(%x)
  %v: f32[8,8] = Reshape(%r, %shape)
  %t: f32[8,8] = Transpose(%v) {perm = [1, 0]}
  %y: f32[8,8] = Softmax(%t)
  return %y
}
"""

IMAGES = HEAD.format(more="") + """
  const %w: f32[8,8,3,3] = tensor(2304 bytes, external "weights.bin" 0 2304)
  const %v: f32[8,8,1,1] = tensor(256 bytes, external "weights.bin" 0 256)
  input %x: f32[1,8,6,6]
  %c: f32[1,8,6,6] = Conv(%x, %w) {pads = [1, 1, 1, 1]}
  %r: f32[1,8,6,6] = Relu(%c)
  %d: f32[1,8,6,6] = Conv(%r, %v)
  %p: f32[1,8,3,3] = MaxPool(%d) {kernel_shape = [2, 2], strides = [2, 2]}
  %g: f32[1,8,1,1] = GlobalAveragePool(%p)
  %y: f32[1,8] = Flatten(%g)
  return %y
}
"""

ONE = HEAD.format(more="").replace('"net"', '"one"') + """
  const %w: f32[16,16] = tensor(1024 bytes, external "weights.bin" 0 1024)
  input %x: f32[4,16]
  input %past: f32[4,16]
  %r: f32[4,16] = Relu(%x)
  %m: f32[4,16] = MatMul(%r, %w)
  %present: f32[4,16] = Add(%past, %m)
  %k: f32[4,16] = Softmax(%m)
  %y: f32[4,16] = Exp(%k)
  return %y, %present
}
"""

TWO = HEAD.format(more="").replace('"net"', '"two"') + """
  const %w: f32[16,16] = tensor(1024 bytes, external "weights.bin" 0 1024)
  input %in: f32[4,16]
  input %other: f32[n,16]
  input %past: f32[4,16]
  %a: f32[4,16] = Abs(%in)
  %b: f32[4,16] = MatMul(%a, %w)
  %c: f32[n,16] = Softmax(%other)
  %present: f32[4,16] = Mul(%past, %b)
  %out: f32[n,16] = Exp(%c)
  return %out, %b, %present
}
"""

KEEPS = {"tenure_facts": 1, "ops": [
    {"op": "Conv", "workspace": [{"name": "wide", "bytes": "X.n * X.e"}, {"name": "small", "bytes": 64}],
     "kept": [{"bytes": 16}]}], "groups": [{"op": "ConvRelu", "domain": "fused", "chain": ["Conv", "Relu"]}]}

# By name: models, options of `tenure plan`. A text is a model of this file, others are files of the repository.
PLANS = [
    ("bound", [PARTS], []),
    ("attributes", [ATTRIBUTES], []),
    ("open", [OPEN], ["--dim=n=1..100", "--dim=t=n+m", "--open"]),
    ("set", [ONE, TWO], ["--shared-arena", "--dim=two/n=2,4", "--link=one/y=two/in", "--update=past=present", "--state=past"]),
    ("set in pools", [ONE, TWO], ["--shared-arena", "--dim=two/n=4", "--pool=fast:256", "--pool=slow:cost=4"]),
    ("pools", [PARTS], ["--pool=fast:384", "--pool=slow:cost=4:section=dram"]),
    ("copied", [PARTS], ["--pool=fast:copied:cost=1", "--pool=ram:cost=1:align=128", "--align-value=s=256"]),
    ("queues", [PARTS], ["--queues=2"]),
    ("dataflow", [PARTS], ["--concurrency=dataflow"]),
    ("double", [PARTS], ["--double-buffer=all"]),
    ("overlap", [IMAGES], ["-O3", "--overlap=elements", "--io=arena"]),
    ("recompute", ["examples/models/train_cnn.onnx"], ["-O3", "--recompute=20%"]),
    ("training", ["examples/models/train_cnn.onnx"], ["-O3"]),
    ("state pools", ["examples/models/train_cnn.onnx"], ["-O3", "--pool=kept:state:copied", "--pool=more:state:cost=2"]),
    ("loop", ["tests/fuzz/corpus/onnx/loop.onnx"], []),
    ("branches", ["tests/fuzz/corpus/onnx/branches.onnx"], []),
    ("scan", ["tests/fuzz/corpus/onnx/scan.onnx"], []),
    ("function", ["tests/fuzz/corpus/onnx/function.onnx"], []),
    ("states", [ONE], ["--update=past=present", "-O3"]),
    ("info", ["tests/fuzz/corpus/onnx/training_info.onnx"], []),
    ("data", [DATA], ["--dim=n=4"]),
    ("open data", [DATA], ["--open"]),
    ("partial", [DATA], ["--partial"]),
    ("fixed", [FIXED], ["--input-value=shape=8,8"]),
    ("facts", [IMAGES], []),
    ("channels", [IMAGES], ["--layout=nhwc"]),
    ("slots", [PARTS], ["--memory=slots", "--io=arena", "--reuse-inputs"]),
    ("based", [PARTS], []),
]


class Planned:
    """A plan as made, with what `tenure check` is given beside it."""

    def __init__(self, name, models, facts, document):
        self.name, self.models, self.facts, self.document = name, models, facts, document


def put(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def make(tenure, root, folder, entry):
    name, models, options = entry
    names = ["one", "two"] if len(models) > 1 else [name.replace(" ", "_")]
    given = [os.path.join(root, m) if m.endswith(".onnx") else put(folder, f"{n}.tir", m) for n, m in zip(names, models)]
    facts = [put(folder, "kernels.json", json.dumps(KEEPS))] if name == "facts" else []
    more = [f"--op-facts={f}" for f in facts]
    if name == "based":
        before = os.path.join(folder, "before.json")
        plan(tenure, [*given, "--schedule=kahn"], before)
        more.append(f"--based-on={before}")
    path = os.path.join(folder, name.replace(" ", "_") + ".json")
    plan(tenure, [*given, *options, *more], path)
    with open(path, encoding="utf-8") as f:
        return Planned(name, given, facts, json.load(f))


def plan(tenure, args, path):
    subprocess.run([tenure, "plan", *args, "-q", "--emit=json", "-o", path], check=True, timeout=900,
                   stderr=subprocess.PIPE, text=True)
