"""A converter: C for element-wise networks with loops, of what a plan says. converter.py MODEL OUT.c [DIM=N]...

The program reads the inputs from standard input and writes the outputs, as the bytes that they are."""

import sys

import tenure

TYPES = {"f32": ("float", 4), "i64": ("int64_t", 8), "i32": ("int32_t", 4), "bool": ("bool", 1)}
KERNELS = {"Add": "{0} + {1}", "Sub": "{0} - {1}", "Mul": "{0} * {1}", "Relu": "{0} > 0 ? {0} : 0", "Identity": "{0}",
           "Less": "{0} < {1}", "And": "{0} && {1}", "Tanh": "tanhf({0})", "Cast": "{0}"}


def place(plan, index, typed=True):
    v = plan.values[index]
    if v.pool is None:
        sys.exit(f"{v.name} has no place: {v.why}")
    return f"(({TYPES[v.dtype][0] if typed else 'char'} *)(pool_{v.pool} + {v.offset}))"


def moves(plan, begin, *moments):
    """All sources are read before any target is written."""
    reads, writes = [], []
    for k, m in enumerate(m for m in begin.moves if m.when in moments):
        if m.kind in ("count", "true"):
            writes.append(f"*{place(plan, m.target)} = {'n' if m.kind == 'count' else 'true'};")
            continue
        if m.axis != 0 or m.reverse:
            sys.exit("only along the first axis, forwards")
        size = plan.values[m.source if m.kind == "stack" else m.target].size
        offset = {"stack": ("", f" + n * {size}"), "slice": (f" + n * {size}", ""), "copy": ("", "")}[m.kind]
        reads.append(f"char t{k}[{size}]; memcpy(t{k}, {place(plan, m.source, typed=False)}{offset[0]}, {size});")
        writes.append(f"memcpy({place(plan, m.target, typed=False)}{offset[1]}, t{k}, {size});")
    return "{ " + " ".join(reads + writes) + " }"


def loop(plan, begin):
    body, limit = begin.bodies[0], begin.operands[0]
    until = f"n < *{place(plan, limit)} && " if limit is not None else ""
    yield f"{{ int64_t n = 0; {moves(plan, begin, 'begin')}"
    yield f"for (bool go = *{place(plan, body.inputs[1])}; {until}go; go = *{place(plan, body.outputs[0])}, n++) {{"
    yield f"if (n > 0) {moves(plan, begin, 'next')} {moves(plan, begin, 'iteration')}"
    yield from steps(plan, body.graph)
    yield f"{moves(plan, begin, 'after')} }} if (n > 0) {moves(plan, begin, 'end')} else {moves(plan, begin, 'none')} }}"


def steps(plan, graph):
    for step in plan.steps:
        if step.graph != graph or step.idle or step.kind == "end":
            continue
        if step.op == "Loop":
            yield from loop(plan, step)
            continue
        if step.op not in KERNELS:
            sys.exit(f"no kernel for {step.op}")
        n = {v: plan.values[v].size // TYPES[plan.values[v].dtype][1] for v in (*step.operands, *step.results)}
        read, to = [f"{place(plan, v)}[i % {n[v]}]" for v in step.operands], step.results[0]
        yield f"for (size_t i = 0; i < {n[to]}; i++) {place(plan, to)}[i] = {KERNELS[step.op].format(*read)};"


def program(plan):
    yield from (f"#include <{name}.h>" for name in ("math", "stdbool", "stdint", "stdio", "string"))
    data = {(g.path, c.name): c.bytes for g in plan.model.graphs for c in g.constants}
    for pool in plan.pools:
        image = bytearray(max(pool.size, 1))
        for v in plan.values:
            if v.pool == pool.name and v.role == "const":
                image[v.offset : v.offset + v.size] = data[v.graph, v.name]
        start = ", ".join(map(str, image)) if any(image) else "0"
        yield f"static _Alignas({pool.align}) unsigned char pool_{pool.name}[{len(image)}] = {{{start}}};"
    yield "int main(void) {"
    yield from (f"if (fread({place(plan, v.index)}, {v.size}, 1, stdin) != 1) return 1;" for v in plan.inputs)
    yield from steps(plan, "")
    yield from (f"fwrite({place(plan, v.index)}, {v.size}, 1, stdout);" for v in plan.outputs)
    yield "return 0; }"


if __name__ == "__main__":
    dims = {name: int(n) for name, n in (word.split("=") for word in sys.argv[3:])}
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.writelines(line + "\n" for line in program(tenure.plan(sys.argv[1], dims=dims)))
