#!/usr/bin/env python3
"""Plans models made for their size and keeps seconds and memory in bench/scale.csv.

    bench/scale.py TENURE [-o FILE.csv]    all sizes; the table goes to bench/scale.csv, or to FILE
    bench/scale.py TENURE --check          the smaller sizes, in instructions; no file is written

Both fail when a plan fails, or when ten times the size takes more than STEEPEST times the time or the memory (STEEPEST_COUNT
times the blocks of instructions). Times are
processor time of one run of `tenure plan`, loading and checking included; where they look too steep, both sizes are run
again, and the best of RUNS counts: other work on the machine only ever adds. --check counts instructions instead, or, of
models that take longer, blocks of instructions up to a jump, some 15 each; valgrind finds either to be the same whatever else
the machine does.
The models are written byte by byte, by the field numbers of onnx.proto, which is faster than any library.
"""

import csv
import math
import multiprocessing
import os
import re
import resource
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RESULTS = os.path.join(TOP, "bench", "scale.csv")
RUNS = 3
STEEPEST = 20       # linear is 10, n log n up to 12; the rest is what no longer fits the caches
STEEPEST_COUNT = 15 # of blocks of instructions, which know no caches
SHORT_S = 0.05      # what takes less says nothing about growth
SHORT_MIB = 64
LIMIT_S = 120       # of processor time
FLOAT, INT64, BOOL = 1, 7, 9
NODE, INITIALIZER, INPUT, OUTPUT, INFO = 1, 5, 11, 12, 13  # fields of GraphProto
INT, GRAPH = 2, 5                                          # kinds of attribute


def varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def number(field, n):
    return varint(field << 3) + varint(n)


def chunk(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def fields(op, inputs, outputs, *attributes):
    return b"".join([*(chunk(1, i) for i in inputs), *(chunk(2, o) for o in outputs), chunk(4, op),
                     *(chunk(5, a) for a in attributes)])


def node(*of):
    return chunk(NODE, fields(*of))


def value(field, name, dtype, shape):
    dims = b"".join(chunk(1, number(1, d)) for d in shape)
    return chunk(field, chunk(1, name) + chunk(2, chunk(1, number(1, dtype) + chunk(2, dims))))


def vector(field, name):
    return value(field, name, FLOAT, (1, 64))


def graph_attribute(name, graph):
    return chunk(1, name) + chunk(6, graph) + number(20, GRAPH)


def opset(domain, version, field=9):
    return chunk(field, chunk(1, domain) + number(2, version))


def model(graph):
    return number(1, 8) + chunk(7, graph) + opset("", 17, 8)


def initializer(name, *shape):
    dims = b"".join(number(1, d) for d in shape)
    return chunk(INITIALIZER, dims + number(2, FLOAT) + chunk(8, name) + chunk(9, bytes(4 * math.prod(shape))))


def chain(n):
    """Layers with residual edges over four ops."""
    parts = [vector(INPUT, "x"), initializer("w", 64)]
    names = ["x"] + [f"v{i}" for i in range(n)]
    for i in range(n):
        op, more = (("Relu", []), ("Softmax", []), ("Mul", ["w"]), ("Add", [names[max(i - 4, 0)]]))[i % 4]
        parts.append(node(op, [names[i], *more], [names[i + 1]]))
    return model(b"".join(parts) + vector(OUTPUT, names[n]))


def views(n):
    """One storage from end to end: results in place and views in turn."""
    parts, names = [vector(INPUT, "x")], ["x"] + [f"v{i}" for i in range(n)]
    parts += [node(("Sigmoid", "Flatten")[i % 2], [names[i]], [names[i + 1]]) for i in range(n)]
    return model(b"".join(parts) + node("Softmax", [names[n]], ["y"]) + vector(OUTPUT, "y"))


def wide(n):
    """One value that all read, and one op that reads all."""
    names = [f"v{i}" for i in range(n)]
    axis = chunk(1, "axis") + number(3, 0) + number(20, INT)
    parts = [vector(INPUT, "x"), *(node("Sigmoid", ["x"], [v]) for v in names), node("Concat", names, ["y"], axis)]
    return model(b"".join(parts) + value(OUTPUT, "y", FLOAT, (n, 64)))


def weights(n):
    """A layer for each of n constants."""
    parts, names = [vector(INPUT, "x")], ["x"] + [f"v{i}" for i in range(n)]
    for i in range(n):
        parts += [initializer(f"w{i}", 1), node("Mul", [names[i], f"w{i}"], [names[i + 1]])]
    return model(b"".join(parts) + vector(OUTPUT, names[n]))


def steps(n):
    """Down and up again: what a layer of unequal width gives is read when its gradient comes back."""
    layers = n // 3
    width = [1 + i * 7 % 13 for i in range(layers + 1)]
    pairs = sorted({(width[i], width[i + 1]) for i in range(layers)})
    parts = [value(INPUT, "v0", FLOAT, (1, width[0]))]
    for a, b in pairs:
        parts += [initializer(f"w{a}_{b}", a, b), initializer(f"u{a}_{b}", b, a)]
    parts += [node("MatMul", [f"v{i}", f"w{width[i]}_{width[i + 1]}"], [f"v{i + 1}"]) for i in range(layers)]
    back = f"v{layers}"
    for i in reversed(range(layers)):
        parts += [node("MatMul", [back, f"u{width[i]}_{width[i + 1]}"], [f"d{i}"]),
                  node("Mul", [f"d{i}", f"v{i}"], [f"g{i}"])]
        back = f"g{i}"
    return model(b"".join(parts) + value(OUTPUT, back, FLOAT, (1, width[0])))


def tangle(n):
    """Values of unequal width that are read again after unequal times, so that packing is no matter of course."""
    layers, late = n // 2, {}
    width = [1 + i * 7 % 13 for i in range(layers + 1)]
    for i in range(layers):
        late.setdefault(min(i + 2 + i * 7919 % 97 * (i * 31 % 11), layers), []).append(i)
    pairs = sorted({(width[i], width[i + 1]) for i in range(layers)})
    parts = [value(INPUT, "v0", FLOAT, (1, width[0])), *(initializer(f"w{a}_{b}", a, b) for a, b in pairs)]
    for i in range(layers):
        parts.append(node("MatMul", [f"v{i}", f"w{width[i]}_{width[i + 1]}"], [f"v{i + 1}"]))
        parts += [node("Softmax", [f"v{k}"], [f"s{k}"]) for k in late.get(i + 1, [])]
    return model(b"".join(parts) + value(OUTPUT, f"v{layers}", FLOAT, (1, width[layers])))


def payload(n):
    """n MiB of weights in one tensor: what stands before them, and how many bytes follow, which are a hole."""
    size, columns = n << 20, n << 8
    tensor = number(1, 1024) + number(1, columns) + number(2, FLOAT) + chunk(8, "w") + varint(9 << 3 | 2) + varint(size)
    graph = node("MatMul", ("x", "w"), ("y",)) + value(INPUT, "x", FLOAT, (1, 1024)) + value(OUTPUT, "y", FLOAT, (1, columns))
    graph += varint(INITIALIZER << 3 | 2) + varint(len(tensor) + size) + tensor
    return number(1, 8) + opset("", 17, 8) + varint(7 << 3 | 2) + varint(len(graph) + size) + graph, size


def infos(n):
    """A stored type for every value, and as many for values that do not exist."""
    parts, names = [vector(INPUT, "x")], ["x"] + [f"v{i}" for i in range(n // 2)]
    for before, name in zip(names, names[1:]):
        parts += [node("Softmax", [before], [name]), vector(INFO, name), vector(INFO, "no_" + name)]
    return model(b"".join(parts) + vector(OUTPUT, names[-1]))


def loops(n):
    """Loops one after another, each with a body of its own."""
    parts, names = [vector(INPUT, "x"), value(INPUT, "c", BOOL, ()), value(INPUT, "m", INT64, ())], ["x"]
    names += [f"v{i}" for i in range(n)]
    for i in range(n):
        body = b"".join([value(INPUT, f"i{i}", INT64, ()), value(INPUT, f"ci{i}", BOOL, ()), vector(INPUT, f"a{i}"),
                         node("Identity", [f"ci{i}"], [f"co{i}"]), node("Tanh", [f"a{i}"], [f"b{i}"]),
                         value(OUTPUT, f"co{i}", BOOL, ()), vector(OUTPUT, f"b{i}")])
        parts.append(node("Loop", ["m", "c", names[i]], [names[i + 1]], graph_attribute("body", body)))
    return model(b"".join(parts) + vector(OUTPUT, names[n]))


def ifs(n):
    """Ifs inside Ifs, n deep, all with the same value from outside."""
    body = node("Relu", ["x"], ["leaf"]) + vector(OUTPUT, "leaf")
    for d in range(n):
        other = node("Sigmoid", ["x"], [f"e{d}"]) + vector(OUTPUT, f"e{d}")
        branches = [graph_attribute(name, graph)
                    for name, graph in (("then_branch", body), ("else_branch", other))]
        body = node("If", ["c"], [f"o{d}"], *branches) + vector(OUTPUT, f"o{d}")
    return model(vector(INPUT, "x") + value(INPUT, "c", BOOL, ()) + body)


def carries(n):
    """Loops inside Loops, n deep; each carries a value round and reads one from outside."""
    inner = node("Mul", ["a0", "x"], ["b0"])
    for d in range(n):
        body = b"".join([value(INPUT, f"i{d}", INT64, ()), value(INPUT, f"ci{d}", BOOL, ()), vector(INPUT, f"a{d}"),
                         node("Identity", [f"ci{d}"], [f"co{d}"]), inner, value(OUTPUT, f"co{d}", BOOL, ()),
                         vector(OUTPUT, f"b{d}")])
        inner = node("Loop", ["m", "c", f"a{d + 1}"], [f"b{d + 1}"], graph_attribute("body", body))
    return model(b"".join([vector(INPUT, f"a{n}"), vector(INPUT, "x"), value(INPUT, "c", BOOL, ()),
                           value(INPUT, "m", INT64, ()), inner, vector(OUTPUT, f"b{n}")]))


def calls(n):
    """Calls of one function of three ops."""
    body = (("Relu", "a", "b"), ("Flatten", "b", "c"), ("Sigmoid", "c", "d"))
    function = b"".join([chunk(1, "F"), chunk(4, "a"), chunk(5, "d"), chunk(10, "own"), opset("", 17),
                         *(chunk(7, fields(op, [i], [o])) for op, i, o in body)])
    names = ["x"] + [f"v{i}" for i in range(n)]
    parts = [chunk(1, fields("F", [names[i]], [names[i + 1]]) + chunk(7, "own")) for i in range(n)]
    return (model(vector(INPUT, "x") + b"".join(parts) + vector(OUTPUT, names[n])) + opset("own", 1, 8)
            + chunk(25, function))


def found(n):
    """Extents that only a run knows."""
    parts = [vector(INPUT, "x")]
    for i in range(n):
        parts += [node("NonZero", ["x"], [f"v{i}"]), node("Neg", [f"v{i}"], [f"y{i}"]), chunk(OUTPUT, chunk(1, f"y{i}"))]
    return model(b"".join(parts))


MANY = (10_000, 100_000, 1_000_000)
FEWER = (1_000, 10_000, 100_000)
DEEP = (10, 100, 1_000)
# The sizes of --check, where those above take long. A part that grows as the square is as plain in these with STEEPEST_COUNT
# as in twice the size with STEEPEST. A tangle keeps its sizes: at smaller ones what grows is the budget of a search for a packing.
CHECKED = {MANY: (3_000, 30_000), FEWER: (500, 5_000), tangle: MANY[:2]}
KINDS = {chain: MANY, views: MANY, wide: MANY, weights: MANY, steps: MANY, tangle: MANY, infos: MANY, loops: FEWER,
         calls: (800, 8_000, 80_000), payload: (4, 100, 2_000), ifs: DEEP, carries: DEEP, found: FEWER}
OPTIONS = {found: ["--emit=c-program", "-o", "net.c"]}
QUICK = {payload, ifs, carries}
# How valgrind counts: what says nothing about growth, options, what it prints. Counting blocks takes half the time.
COUNTERS = {
    "millions of instructions": (10, ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"],
                                 r"I\s+refs:\s+([\d,]+)"),
    "millions of blocks": (0.6, ["--tool=none", "--stats=yes"], r"scheduler: ([\d,]+) event checks"),
}


def write(path, make, n):
    """In a process of its own: a child's peak of memory counts from what its parent had."""
    made = make(n)
    head, hole = made if isinstance(made, tuple) else (made, 0)
    with open(path, "wb") as f:
        f.write(head)
        f.truncate(len(head) + hole)


def limit_time():
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S))


def measure(tenure, make, n, folder):
    """(seconds, MiB), or a text that says what went wrong."""
    path, log = os.path.join(folder, "model.onnx"), os.path.join(folder, "log")
    writer = multiprocessing.Process(target=write, args=(path, make, n))
    writer.start()
    writer.join()
    with open(log, "wb") as f:
        command = [os.path.abspath(tenure), "plan", path, *OPTIONS.get(make, [])]
        child = subprocess.Popen(command, stdout=f, stderr=f, cwd=folder, preexec_fn=limit_time)
    _, status, usage = os.wait4(child.pid, 0)
    seconds, child.returncode = usage.ru_utime + usage.ru_stime, os.waitstatus_to_exitcode(status)
    with open(log, encoding="utf-8", errors="replace") as f:
        said = f.read()
    if child.returncode != 0:
        return f"exit code {child.returncode} after {seconds:.0f} s: {said[:300]}"
    if ", 0 not" not in said:
        return f"some value was not planned: {said[-300:]}"
    return seconds, usage.ru_maxrss / 1024


def count(tenure, make, n, folder):
    """(millions of blocks or instructions, MiB), or what went wrong: memory is that of a run of its own."""
    plain = measure(tenure, make, n, folder)
    if isinstance(plain, str):
        return plain
    options, pattern = COUNTERS[unit_of(make)][1:]
    command = ["valgrind", *options, os.path.abspath(tenure), "plan", os.path.join(folder, "model.onnx"), *OPTIONS.get(make, [])]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    found = re.search(pattern, done.stderr)
    if done.returncode != 0 or found is None:
        return f"valgrind, exit code {done.returncode}: {done.stderr[-300:]}"
    return int(found[1].replace(",", "")) / 1e6, plain[1]


def unit_of(make):
    return "millions of instructions" if make in QUICK else "millions of blocks"


def too_steep(before, after, effort):
    short = COUNTERS[effort][0] if effort in COUNTERS else SHORT_S
    steepest = STEEPEST_COUNT if effort == "millions of blocks" else STEEPEST
    for what, old, new, most, least in zip((effort, "MiB"), before, after, (steepest, STEEPEST), (short, SHORT_MIB)):
        if new > most * max(old, least):
            yield f"{what} grow from {old:.1f} to {new:.1f}"


def best_of(results):
    """The least seconds and the least MiB of runs of one size, or what went wrong in one of them."""
    wrong = [r for r in results if isinstance(r, str)]
    return wrong[0] if wrong else tuple(map(min, zip(*results)))


def measure_after(tenure, make, sizes, before, folder):
    """What the larger one of two sizes takes, and what is wrong with it; `before` is what the smaller one took."""
    results = [[before], [measure(tenure, make, sizes[1], folder)]]
    for _ in range(RUNS - 1):
        best = [best_of(r) for r in results]
        if any(isinstance(b, str) for b in best) or not list(too_steep(*best, "seconds")):
            break
        for n, of_size in zip(sizes, results):
            of_size.append(measure(tenure, make, n, folder))
    before, after = (best_of(r) for r in results)
    wrong = [b for b in (before, after) if isinstance(b, str)]
    return after, wrong or list(too_steep(before, after, "seconds"))


def count_after(tenure, make, sizes, before, folder):
    after = count(tenure, make, sizes[1], folder)
    return after, [after] if isinstance(after, str) else list(too_steep(before, after, unit_of(make)))


def main():
    tenure, check = sys.argv[1], "--check" in sys.argv[2:]
    output = sys.argv[sys.argv.index("-o") + 1] if "-o" in sys.argv else RESULTS
    first, next_one = (count, count_after) if check else (measure, measure_after)
    rows, failures = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for make, sizes in KINDS.items():
            smaller, before = None, None
            for n in CHECKED.get(make, CHECKED.get(sizes, sizes[:2])) if check and make not in QUICK else sizes:
                if before is None:
                    result = first(tenure, make, n, folder)
                    broken = [result] if isinstance(result, str) else []
                else:
                    result, broken = next_one(tenure, make, (smaller, n), before, folder)
                for what in broken:
                    failures += 1
                    print(f"{make.__name__} {n}: {what}")
                if isinstance(result, str):
                    break
                smaller, before = n, result
                rows.append([make.__name__, n, f"{result[0]:.2f}", f"{result[1]:.0f}"])
                print(*rows[-1], flush=True)
    if not check:
        with open(output, "w", newline="", encoding="utf-8") as f:
            csv.writer(f, lineterminator="\n").writerows([["kind", "n", "seconds", "mib"], *rows])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
