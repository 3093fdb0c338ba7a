"""Ops with bodies besides If, Loop, Scan and calls, run body by body in the memory of a plan: SequenceMap,
FlexAttention, Scan as it was in opset 8, and any other (BeamSearch) by a stand-in that runs its bodies. Each
function gives the node's results."""

import math

import numpy as np

from arena import DTYPES
from graphs import Unsupported
from kernels import sized, stand_in


def options_of(node):
    return {a.name: a for a in node.attribute}


def arguments(run, body, values):
    for name, value in zip(body.inputs, values):
        if value is not None:
            run.write(body, name, value)


def sequence_map(run, graph, node, bodies, begin, end):
    """The body once for every element of the first sequence; other sequences lend their elements in step,
    tensors go in whole."""
    body = bodies["body"]
    first, *others = [run.value(graph, name) for name in node.input]
    results = [[] for _ in body.outputs]
    for at, element in enumerate(first):
        given = [element] + [o[at] if isinstance(o, (list, tuple)) else o for o in others]
        arguments(run, body, given)
        for listed, result in zip(results, run.body(body, begin, end)):
            listed.append(result)
    for name in node.input:  # still needed at the end
        run.value(graph, name)
    return results


def flex_attention(run, graph, node, bodies, begin, end):
    """Scores and probabilities lie where the plan has the arguments of the bodies; between them is numpy."""
    options = options_of(node)
    q, k = (run.value(graph, name) for name in node.input[:2])
    scale = options["scale"].f if "scale" in options else 1 / math.sqrt(q.shape[-1])
    inner = inner_type(options, q.dtype)
    k = np.repeat(k, q.shape[1] // k.shape[1], axis=1)
    scores = (np.matmul(q, np.swapaxes(k, -1, -2)) * np.asarray(scale, q.dtype)).astype(inner)
    scores = modified(run, bodies.get("score_mod"), scores, begin, end)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    probabilities = powers / powers.sum(axis=-1, keepdims=True)
    probabilities = modified(run, bodies.get("prob_mod"), probabilities, begin, end)
    v = run.value(graph, node.input[2])
    for name in node.input:
        run.value(graph, name)
    v = np.repeat(v, q.shape[1] // v.shape[1], axis=1)
    return [np.matmul(probabilities, v.astype(inner)).astype(v.dtype)]


def inner_type(options, dtype):
    if "softmax_precision" in options:
        planned = {1: "f32", 10: "f16", 11: "f64", 16: "bf16"}[options["softmax_precision"].i]
        return DTYPES[planned]
    return np.dtype(np.float64) if dtype == np.float64 else np.dtype(np.float32)


def modified(run, body, value, begin, end):
    if body is None:
        return value
    arguments(run, body, [value])
    return run.body(body, begin, end)[0]


def scan_8(run, graph, node, bodies, begin, end):
    """Scan(lengths, states, inputs) of opset 8: a run of its own for every entry of the batch, so that final
    states are filled entry by entry too."""
    body, options = bodies["body"], options_of(node)
    n_scan = options["num_scan_inputs"].i
    if "directions" in options and any(options["directions"].ints):
        raise Unsupported("a Scan of opset 8 that goes backwards")
    lengths, *given = [run.value(graph, name) for name in node.input]
    states, inputs = given[: len(given) - n_scan], given[len(given) - n_scan :]
    batch, longest = inputs[0].shape[:2]
    results = [[] for _ in body.outputs]
    for entry in range(batch):
        length = longest if lengths is None else int(lengths[entry])
        parts = one_entry(
            run, graph, node, (body, begin, end), entry, length, longest, [s[entry] for s in states], inputs
        )
        for listed, part in zip(results, parts):
            listed.append(part)
    for name in node.input:
        run.value(graph, name)
    return [np.stack(listed) for listed in results]


def one_entry(run, graph, node, where, entry, length, longest, states, inputs):
    body, begin, end = where
    n = len(states)
    rows = [[] for _ in body.outputs[n:]]
    for at in range(length):
        arguments(run, body, [*states, *(x[entry][at] for x in inputs)])
        outputs = run.body(body, begin, end)
        states = outputs[:n]
        for k, part in enumerate(outputs[n:]):
            run.put_row(graph, node, n + k, entry * longest + at, part)
            rows[k].append(part)
    for k, state in enumerate(states):
        run.put_row(graph, node, k, entry, state)
    return [*states, *(np.stack(r + [np.zeros_like(r[0])] * (longest - length)) for r in rows)]


ROUNDS = 2  # of a body of which nobody here knows how often it runs


def unknown(run, graph, node, bodies, begin, end):
    """Bodies run with arguments of the planned types made from the operands; results are made from what the
    bodies give, so that a byte spoiled in any of them shows."""
    values = run.plan["values"]
    seen = [run.value(graph, name) for name in node.input]
    for body in bodies.values():
        planned = [values[run.ids[body.path, name]] for name in body.inputs]
        if not all(map(sized, planned)):
            run.skip(body, begin, end)
            continue
        for _ in range(ROUNDS):
            arguments(run, body, stand_in(node, seen, planned))
            seen += run.body(body, begin, end)
    for name in node.input:
        run.value(graph, name)
    ids = [run.find(graph, name) if name else None for name in node.output]
    types = [values[v] if v is not None else None for v in ids]
    return run.kernels.stand_in(node, seen, types)


MORE = {"SequenceMap": sequence_map, "FlexAttention": flex_attention}
