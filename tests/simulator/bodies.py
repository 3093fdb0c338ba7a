"""The moves that the definitions of If, Loop, Scan and of calls ask for, to hold those of a plan against."""


def listed(moves):
    return {(m["when"], m["what"], m["body"], m["from"], m["to"], m["axis"], m["reverse"]) for m in moves}


def expected_moves(plan, begin, end, graph, node):
    """None, or what is wrong with the moves of an op with bodies."""
    if graph.model.calls(node):
        wanted = call(begin, end)
    elif node.op_type in RULES and node.domain in ("", "ai.onnx"):
        wanted = RULES[node.op_type](begin, end, node, plan)
    else:
        return None
    if wanted is None:
        return None
    given, wanted = listed(begin["moves"]), set(wanted)
    for m in given - wanted:
        return f"it moves what its definition does not ask for: {m[0]} {m[1]} to '{plan.values[m[4]].name}'"
    for m in wanted - given:
        if plan.values[m[4]].placed or m[3] is not None and plan.values[m[3]].placed:
            if plan.values[m[4]].row["left_out"] != "unused":
                return f"a move is missing: {m[0]} {m[1]} to '{plan.values[m[4]].name}'"
    return None


def row(when, what, body, source, target, axis=0, reverse=False):
    return (when, what, body, source, target, axis, reverse)


def branches(begin, end, node, plan):
    return [row("end", "copy", k, o, r) for k, b in enumerate(begin["bodies"])
            for o, r in zip(b["outputs"], end["results"]) if r is not None]


def call(begin, end):
    body = begin["bodies"][0]
    given = [row("begin", "copy", 0, v, a) for v, a in zip(begin["operands"], body["inputs"]) if v is not None]
    return given + [row("end", "copy", 0, o, r) for o, r in zip(body["outputs"], end["results"]) if r is not None]


def states(arguments, given, outputs, results):
    wanted = []
    for argument, operand, output, result in zip(arguments, given, outputs, results):
        wanted.append(row("begin", "copy", 0, operand, argument))
        wanted.append(row("next", "copy", 0, output, argument))
        if result is not None:
            wanted += [row("end", "copy", 0, output, result), row("none", "copy", 0, argument, result)]
    return wanted


def loop(begin, end, node, plan):
    body, operands = begin["bodies"][0], begin["operands"]
    arguments, outputs = body["inputs"], body["outputs"]
    condition = operands[1] if len(operands) > 1 else None
    n = len(arguments) - 2
    results = end["results"] + [None] * (len(outputs) - 1 - len(end["results"]))
    wanted = [row("iteration", "count", 0, None, arguments[0]), row("next", "copy", 0, outputs[0], arguments[1]),
              row("begin", "true" if condition is None else "copy", 0, condition, arguments[1])]
    wanted += states(arguments[2:], operands[2:2 + n], outputs[1:1 + n], results[:n])
    return wanted + [row("after", "stack", 0, o, r) for o, r in zip(outputs[1 + n:], results[n:]) if r is not None]


def scan(begin, end, node, plan):
    attributes = {a["name"]: a.get("int", a.get("ints")) for a in begin["attributes"]}
    body, operands = begin["bodies"][0], begin["operands"]
    n_in = attributes["num_scan_inputs"]
    n = len(operands) - n_in
    outputs, results = body["outputs"], end["results"]
    in_axes, in_back = attributes.get("scan_input_axes"), attributes.get("scan_input_directions")
    out_axes, out_back = attributes.get("scan_output_axes"), attributes.get("scan_output_directions")
    results = results + [None] * (len(outputs) - len(results))
    wanted = states(body["inputs"][:n], operands[:n], outputs[:n], results[:n])
    for k, (v, a) in enumerate(zip(operands[n:], body["inputs"][n:])):
        wanted.append(row("iteration", "slice", 0, v, a, in_axes[k] if in_axes else 0, bool(in_back and in_back[k])))
    for k, (o, r) in enumerate(zip(outputs[n:], results[n:])):
        if r is not None:
            wanted.append(row("after", "stack", 0, o, r, out_axes[k] if out_axes else 0, bool(out_back and out_back[k])))
    return wanted


RULES = {"If": branches, "Loop": loop, "Scan": scan}
