"""Plans in TFLite models, as TensorFlow Lite Micro's interpreter keeps them: models that packages carry are run with and
without their plan. Outputs are the same, run after run, the arena has just the bytes of the plan and no more than
without it, and a place that was moved shows. usage: interpreter.py TENURE. Exit code 77: a package is missing."""

import importlib.util
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

try:
    import numpy
    from tflite_micro.python.tflite_micro import runtime
    from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema
except ImportError as e:
    print("left out:", e)
    sys.exit(77)

import small
from tflitefile import OPERATORS, plan_of, plan_place, root

ARENA = 4 << 20
SMALL = 1 << 17  # bytes of a file
# The interpreter finds places for these beside the plan.
BESIDE = {"pyopen_wakeword/hey_jarvis.tflite": "tensors of the subgraphs of an IF", "late": "what ADD_N needs meanwhile"}
CARRY = ("tflite_micro", "pymicro_wakeword", "pyopen_wakeword")  # packages with models


def models():
    """(name, content), each content once."""
    seen = set()
    for package in CARRY:
        spec = importlib.util.find_spec(package)
        if spec is None:
            print("left out: no package", package)
            sys.exit(77)
        for path in sorted(pathlib.Path(spec.submodule_search_locations[0]).rglob("*.tflite")):
            content = path.read_bytes()
            if content not in seen:
                seen.add(content)
                yield f"{package}/{path.name}", content
    for name in ("chain", "late", "variables"):
        yield name, small.SEEDS[name]()


def said(interpreter):
    """What print_allocations writes to standard error, by name: total, head, tail."""
    with tempfile.TemporaryFile() as file:
        sys.stderr.flush()
        kept = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            interpreter.print_allocations()
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        file.seek(0)
        text = file.read().decode()
    return {name: int(size) for name, size in re.findall(r"Arena allocation (\w+) (\d+) bytes", text)}


def draw_input(draw, number, shape, dtype):
    """Models that wait for a word say something else than 0 when a roar follows silence."""
    if numpy.issubdtype(dtype, numpy.floating):
        return draw.standard_normal(shape).astype(dtype)
    loud = -128 if number < 20 else 127
    return numpy.clip(draw.normal(loud, number // 50 * 40, size=shape), -128, 127).astype(dtype)


def run(content):
    """Outputs of all runs, and the bytes of the arena that tensors share."""
    interpreter = runtime.Interpreter.from_bytes(content, arena_size=ARENA)
    draw = numpy.random.default_rng(1)
    graph = root(content).tables(2)[0]
    inputs = [interpreter.get_input_details(i) for i in range(graph.vector(1)[1])]
    outputs = []
    for number in range(60 if len(content) < SMALL else 2):
        for i, d in enumerate(inputs):
            interpreter.set_input(draw_input(draw, number, d["shape"], d["dtype"]), i)
        interpreter.invoke()
        outputs += [interpreter.get_output(i) for i in range(graph.vector(2)[1])]
    return outputs, said(interpreter)["head"]


def same(a, b):
    return len(a) == len(b) and all(numpy.array_equal(x, y) for x, y in zip(a, b))


def plan(tenure, folder, name, content, *more):
    model, planned, report = folder / "model.tflite", folder / "planned.tflite", folder / "plan.json"
    model.write_bytes(content)
    made = subprocess.run([tenure, "plan", model, "-q", "--preset=tflm", "--emit=tflm", "-o", planned, "--emit=json", "-o",
                           report, *more], capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(f"{name}: exit code {made.returncode}: {made.stderr}")
    return planned.read_bytes(), json.loads(report.read_text())["pools"][0]["size"]


def moved(planned, place, to):
    """The file with another offset for one tensor."""
    at, _ = plan_place(planned)
    spoiled = bytearray(planned)
    struct.pack_into("<i", spoiled, at + 4 * place, to)
    return bytes(spoiled)


def try_moving(name, planned, outputs, arena):
    """A tensor behind the arena makes it larger; some tensor in the place of another one changes what comes out."""
    places = plan_of(planned)
    mine = [i for i, offset in enumerate(places) if offset >= 0]
    far, head = run(moved(planned, mine[-1], arena + 4096))
    if not same(far, outputs) or head <= arena + 4096:
        sys.exit(f"{name}: a tensor was moved behind the arena of {arena} bytes, which has {head} now")
    for i in mine:
        for j in mine:
            if places[i] != places[j] and not same(run(moved(planned, i, places[j]))[0], outputs):
                return
    sys.exit(f"{name}: no tensor in the place of another one changes what comes out")


def check(tenure, folder, name, content, more):
    outputs, before = run(content)
    planned, arena = plan(tenure, folder, name, content, *more)
    again, after = run(planned)
    if not same(again, outputs):
        sys.exit(f"{name} {more}: other outputs with the plan than without")
    kept = arena <= after <= before * 1.01 if name in BESIDE else arena == after <= before
    if not kept:
        sys.exit(f"{name} {more}: {before} bytes without the plan, {arena} planned, {after} with it")
    twice, _ = plan(tenure, folder, name, planned, *more)
    if sorted(plan_of(twice)) != sorted(plan_of(planned)) or not same(run(twice)[0], outputs):
        sys.exit(f"{name} {more}: planned twice, it is another plan")
    beside = f", {BESIDE[name]} beside it" if name in BESIDE else ""
    print(f"{name}{''.join(' ' + m for m in more)}: {before} bytes without the plan, {after} with it{beside}")
    tells = any(numpy.any(o != outputs[0]) for o in outputs)
    return tells, planned, outputs, arena


def main():
    tenure = sys.argv[1]
    numbers = {k: v for k, v in vars(schema.BuiltinOperator).items() if not k.startswith("_")}
    for name, number in OPERATORS.items():
        if numbers.get(name) != number:
            sys.exit(f"operator {name} is {numbers.get(name)}, not {number}")
    with tempfile.TemporaryDirectory() as folder:
        checked, telling = 0, 0
        for name, content in models():
            for more in ((), ("--schedule=file",)):
                tells, planned, outputs, arena = check(tenure, pathlib.Path(folder), name, content, more)
                checked, telling = checked + 1, telling + tells
            if len(planned) < SMALL and tells:
                try_moving(name, planned, outputs, arena)
    print(f"{checked} plans kept, {telling} by models that do not always say the same")
    sys.exit(telling < 20)


main()
