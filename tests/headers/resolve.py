"""Headers of plans with open dimensions: NAME_resolve says the same as the library.

usage: resolve.py TENURE RESOLVE_PLAN FOLDER [--time] [MODEL]...

Each header is compiled as C99 to C++17 by gcc and clang without warnings, and run under the undefined behaviour
sanitizer at extents drawn with a fixed seed, at the ends of all ranges, and beyond, where it has to refuse.
resolve_plan gives the numbers of the library for the same plan. Without models: the shipped ones that have open
dimensions, and some of TENURE_MODELS. --time: how long a call takes instead.
"""

import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "operators")]

from packages import onnx  # ends with 77 where the packages are missing

from crossing import crossing
from onnx import TensorProto, helper

LANGUAGES = (["gcc", "-std=c99"], ["gcc", "-std=c17"], ["clang", "-std=c99"], ["clang", "-std=c11"],
             ["g++", "-std=c++11", "-x", "c++"], ["clang++", "-std=c++17", "-x", "c++"])
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"]
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O1"]
LARGEST = 2**63 - 1
TARGETS = {64: ("int64_t", []), 32: ("int32_t", ["target-size-bits=32", "names=off"])}
POINTS = 40
CROSSING = (2, 6, 14)  # seeds; the plans of the last two have several variants
SOME = ("transformer/ort_gpt2_past.onnx", "transformer/ort_bart_self*.onnx", "cnn/*yunet*.onnx", "rnn/*.onnx")


def hostile(path):
    """Extents that are divided and multiplied, and names of dimensions that are none in C."""
    value = lambda name, *dims: helper.make_tensor_value_info(name, TensorProto.FLOAT, list(dims))
    nodes = [helper.make_node("Conv", ["x", "k"], ["a"], pads=[1, 1, 1, 1], strides=[2, 2]),
             helper.make_node("Relu", ["a"], ["b"]), helper.make_node("Exp", ["b"], ["c"]),
             helper.make_node("Add", ["c", "a"], ["d"]),
             helper.make_node("MaxPool", ["d"], ["layout"], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
             helper.make_node("Concat", ["m", "n"], ["e"], axis=0), helper.make_node("Neg", ["e"], ["f"]),
             helper.make_node("Exp", ["f"], ["dim_int_max"])]
    graph = helper.make_graph(nodes, "hostile", [value("x", "batch", 3, "h", "w"), value("m", 'a"b */ \\', 4),
                                                 value("n", "int", 4)],
                              [value("layout", None, None, None, None), value("dim_int_max", None, None)],
                              [helper.make_tensor("k", TensorProto.FLOAT, [5, 3, 3, 3], [0.5] * 135)])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    return path


def plan(tenure, model, folder, bits, options):
    """The ranges of the plan's open dimensions; None where there are none."""
    os.makedirs(folder, exist_ok=True)
    json_path = os.path.join(folder, "net.json")
    extra = "".join("," + option for option in TARGETS[bits][1])
    done = subprocess.run([tenure, "plan", model, "-q", "--partial", *options, "--emit=json", "-o", json_path,
                           "--emit=c-header" + extra, "-o", os.path.join(folder, "net.h")],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{model}: {done.stderr}")
    with open(json_path, encoding="utf-8") as f:
        variant = json.load(f)["programs"][0]["variants"][0]
    return (variant["guard"] or {}).get("dims", [])


def compile_all(folder, bits, languages=()):
    flags = ["-I", folder, '-DHEADER="net.h"', f"-DNET_DIM={TARGETS[bits][0]}", *WARNINGS]
    probe = os.path.join(HERE, "resolve_probe.c")
    for language in languages:
        if shutil.which(language[0]):
            subprocess.run([*language, *flags, "-fsyntax-only", probe], check=True)
    program = os.path.join(folder, "probe")
    subprocess.run(["gcc", "-std=c99", *flags, *SANITIZE, probe, "-o", program], check=True)
    return program


def sets_of(ranges, bits):
    """(extents, whether they are in range)"""
    rng = random.Random(7)
    most = 2**(bits - 1) - 1
    ends = [(r["min"], min(r["max"] if r["max"] is not None else LARGEST, most)) for r in ranges]
    sets = [tuple(low for low, _ in ends), tuple(high for _, high in ends)]
    for k in range(POINTS):
        widest = 10 ** (1 + k % 4)
        sets.append(tuple(rng.randint(low, min(high, low + widest)) for low, high in ends))
    for axis, (low, high) in enumerate(ends):
        for x in (-most - 1, -1, 0, low - 1, low, high, high + 1, most // 2, most):
            if -most - 1 <= x <= most:
                sets.append(sets[2][:axis] + (x,) + sets[2][axis + 1:])
    return [(s, all(low <= x <= high for x, (low, high) in zip(s, ends))) for s in sets]


def ask(command, sets):
    text = "".join(" ".join(map(str, s)) + "\n" for s, _ in sets)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command}: exit code {done.returncode}: {done.stderr}")
    return done.stdout.splitlines()


def is_too_large(line, bits):
    numbers = [int(x) for word in line.split() for x in word.replace("+", ",").split(",")]
    return max(numbers) >= 2**(bits - 1)


def compare(sets, ours, theirs, bits):
    """How many sets gave a layout; raises what is wrong."""
    good = 0
    for (extents, inside), our, their in zip(sets, ours, theirs, strict=True):
        if not inside:
            right = our == "out of range"
        elif their == "bad":
            right = our in ("too large", "no size")
        else:
            right = our == their or (our == "too large" and is_too_large(their, bits))
            good += our == their
        if not right:
            raise RuntimeError(f"at {extents}: the header says '{our[:300]}', the library '{their[:300]}'")
    return good


def corrupt(folder):
    """The first storage begins elsewhere."""
    path = os.path.join(folder, "net.h")
    with open(path, encoding="utf-8") as f:
        head, rest = f.read().split("} storages[] = {", 1)
    row, more = rest.split("}", 1)
    numbers = row.split(", ")
    numbers[0] = "\n        {4096u"
    with open(path, "w", encoding="utf-8") as f:
        f.write(head + "} storages[] = {" + ", ".join(numbers) + "}" + more)


def try_corrupted(folder, sets, theirs, bits):
    corrupt(folder)
    try:
        compare(sets, ask([compile_all(folder, bits)], sets), theirs, bits)
    except RuntimeError:
        return
    raise RuntimeError("a storage at another place is not noticed")


def variants_of(folder):
    with open(os.path.join(folder, "net.h"), encoding="utf-8") as f:
        return int(re.search(r"n_variants = (\d+);", f.read())[1])


most_variants = []


def related(tenure, tool, folder):
    """A dimension that follows from others: what contradicts is refused."""
    value = lambda name, *dims: helper.make_tensor_value_info(name, TensorProto.FLOAT, list(dims))
    nodes = [helper.make_node("Concat", ["past", "x"], ["k"], axis=0), helper.make_node("Relu", ["mask"], ["m"]),
             helper.make_node("Add", ["k", "m"], ["s"]), helper.make_node("Exp", ["s"], ["y"])]
    graph = helper.make_graph(nodes, "cache", [value("past", "past", 8), value("x", "seq", 8), value("mask", "total", 8)],
                              [value("y", None, 8)])
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "related.onnx")
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), path)
    for bits in TARGETS:
        sets = [s for s in sets_of(plan(tenure, path, folder, bits, ["--open", "--dim=total=past+seq*2-1"]), bits) if s[1]]
        theirs = ask([tool, os.path.join(folder, "net.json")], sets)
        program = compile_all(folder, bits, LANGUAGES)
        most, wrong = 2**(bits - 1) - 1, "contradicts"
        for more in (0, 1, -1):  # 0: what follows
            full = [((p, s, max(min(p + 2 * s - 1 + more, most), -most)), True) for (p, s), _ in sets]
            ours = ask([program], full)
            if more == 0:
                fits = [k for k, (e, _) in enumerate(full) if e[2] == e[0] + 2 * e[1] - 1]
                good = compare([sets[k] for k in fits], [ours[k] for k in fits], [theirs[k] for k in fits], bits)
            elif any(our != wrong for our, (e, _) in zip(ours, full) if our != "too large") or ours.count(wrong) < 40:
                raise RuntimeError(f"total is {more} too large, and that is not noticed")
        print(f"a dimension that follows from others, {bits} bits: {good} layouts")
        if good < 40:
            raise RuntimeError(f"only {good} layouts")


def models(folder):
    yield hostile(os.path.join(folder, "hostile.onnx")), ["--dim", "h=1..600", "--dim", "w=3..700", "--open"]
    yield hostile(os.path.join(folder, "hostile.onnx")), ["--dim", "int=4..4000000000000000000", "--open"]
    for seed in CROSSING:
        path = os.path.join(folder, f"crossing{seed}.onnx")
        onnx.save(crossing(seed), path)
        yield path, ["--open"]
    shipped = os.path.join(os.path.dirname(os.path.dirname(HERE)), "examples", "models")
    more = [os.path.join(os.environ["TENURE_MODELS"], s) for s in SOME] if "TENURE_MODELS" in os.environ else []
    for pattern in [os.path.join(shipped, "*.onnx"), *more]:
        for path in sorted(glob.glob(pattern)):
            yield path, ["--open"]


def check(tenure, tool, folder, path, options):
    languages = LANGUAGES if path.endswith("hostile.onnx") else LANGUAGES[-1:]
    for bits in TARGETS:
        ranges = plan(tenure, path, folder, bits, options)
        if not ranges:
            return False
        sets = sets_of(ranges, bits)
        theirs = ask([tool, os.path.join(folder, "net.json")], sets)
        good = compare(sets, ask([compile_all(folder, bits, languages)], sets), theirs, bits)
        variants = variants_of(folder)
        print(f"{os.path.basename(path)} {' '.join(options)}, {bits} bits: {len(sets)} sets of extents, {good} layouts, "
              f"{variants} variants", flush=True)
        most_variants.append(variants)
        if good < 5:
            raise RuntimeError(f"{path}: only {good} layouts")
    if path.endswith("hostile.onnx"):
        try_corrupted(folder, sets, theirs, bits)
    return True


def measure(tenure, tool, folder, path, options):
    ranges = plan(tenure, path, folder, 64, options)
    program = os.path.join(folder, "probe")
    subprocess.run(["gcc", "-std=c99", "-O2", "-I", folder, '-DHEADER="net.h"', "-DNET_DIM=int64_t", os.path.join(HERE, "resolve_probe.c"),
                    "-o", program], check=True)
    sets = [(tuple(r["min"] + 7 + 5 * i for i, r in enumerate(ranges)), True)]
    ns = int(ask([program, "time"], sets)[0])
    text = open(os.path.join(folder, "net.h"), encoding="utf-8").read()
    rows = text.split("} storages[] = {")[1].split("};")[0].count("{")
    print(f"{os.path.basename(path)}: {rows} storages of all variants, {ns / 1000:.1f} us a call")


def main():
    given = [a for a in sys.argv[1:] if a != "--time"]
    tenure, tool, folder = given[:3]
    os.makedirs(folder, exist_ok=True)
    act = measure if "--time" in sys.argv else check
    ran = 0
    if act is check and not given[3:]:
        related(tenure, tool, os.path.join(folder, "net"))
    for path, options in [(p, ["--open"]) for p in given[3:]] or models(folder):
        ran += act(tenure, tool, os.path.join(folder, "net"), path, options) is not False
    print(f"{ran} headers")
    return 0 if given[3:] or "--time" in sys.argv or (ran >= 2 and max(most_variants) > 1) else 1


if __name__ == "__main__":
    sys.exit(main())
