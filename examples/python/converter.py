"""A converter: C for element-wise networks with loops, of what a plan says. converter.py MODEL OUT.c [DIM=N]...

The program reads the inputs from standard input and writes the outputs, as the bytes that they are."""

import sys

import tenure

TYPES = {"f32": "float", "i64": "int64_t", "i32": "int32_t", "bool": "bool"}
KERNELS = {"Add": "{0} + {1}", "Sub": "{0} - {1}", "Mul": "{0} * {1}", "Relu": "{0} > 0 ? {0} : 0", "Identity": "{0}",
           "Less": "{0} < {1}", "And": "{0} && {1}", "Tanh": "tanhf({0})", "Cast": "{0}"}


def at(value):
    if value.pool is None:
        sys.exit(f"{value.name} has no place: {value.why}")
    return f"(({TYPES[value.dtype]} *)(pool_{value.pool} + {value.offset}))"


def moves(plan, begin, *moments):
    """All sources are read before any target is written."""
    reads, writes = [], []
    for k, m in enumerate(m for m in begin.moves if m.when in moments):
        to = plan.values[m.target]
        if m.source is None:
            writes.append(f"*{at(to)} = {'n' if m.kind == 'count' else 'true'};")
            continue
        if m.axis != 0 or m.reverse:
            sys.exit("only along the first axis, forwards")
        source = plan.values[m.source]
        part = min(source.elements, to.elements)
        reads.append(f"{TYPES[to.dtype]} t{k}[{part}]; "
                     f"memcpy(t{k}, {at(source)} + {part if m.kind == 'slice' else 0} * n, sizeof t{k});")
        writes.append(f"memcpy({at(to)} + {part if m.kind == 'stack' else 0} * n, t{k}, sizeof t{k});")
    return "{ " + " ".join(reads + writes) + " }"


def loop(plan, begin):
    body, limit = begin.bodies[0], begin.operands[0]
    until = f"n < *{at(plan.values[limit])} && " if limit is not None else ""
    yield f"{{ int64_t n = 0; {moves(plan, begin, 'begin')}"
    yield f"for (bool go = *{at(plan.values[body.inputs[1]])}; {until}go; go = *{at(plan.values[body.outputs[0]])}, n++) {{"
    yield f"if (n > 0) {moves(plan, begin, 'next')} {moves(plan, begin, 'iteration')}"
    yield from steps(plan, body.graph)
    yield f"{moves(plan, begin, 'after')} }} if (n > 0) {moves(plan, begin, 'end')} else {moves(plan, begin, 'none')} }}"


def steps(plan, graph=""):
    for step in plan.steps_of(graph):
        if step.op == "Loop":
            yield from loop(plan, step)
        elif step.op in KERNELS:
            to, *read = (plan.values[v] for v in (step.results[0], *step.operands))
            if any(v.elements != 1 and v.shape != to.shape[len(to.shape) - len(v.shape):] for v in read):
                sys.exit(f"{step.name or step.op}: an operand is repeated along an axis that is not the first")
            done = KERNELS[step.op].format(*(f"{at(v)}[i % {v.elements}]" for v in read))
            yield f"for (size_t i = 0; i < {to.elements}; i++) {at(to)}[i] = {done};"
        else:
            sys.exit(f"no kernel for {step.op}")


def program(plan):
    yield from (f"#include <{name}.h>" for name in ("math", "stdbool", "stdint", "stdio", "string"))
    for pool in plan.pools:
        data = ", ".join(map(str, plan.image(pool.name).rstrip(b"\0") or b"\0"))
        yield f"static _Alignas({pool.align}) unsigned char pool_{pool.name}[{max(pool.size, 1)}] = {{{data}}};"
    yield "int main(void) {"
    yield from (f"if (fread({at(v)}, {v.size}, 1, stdin) != 1) return 1;" for v in plan.inputs)
    yield from steps(plan)
    yield from (f"fwrite({at(v)}, {v.size}, 1, stdout);" for v in plan.outputs)
    yield "return 0; }"


if __name__ == "__main__":
    dims = {name: int(n) for name, n in (word.split("=") for word in sys.argv[3:])}
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.writelines(line + "\n" for line in program(tenure.plan(sys.argv[1], dims=dims)))
