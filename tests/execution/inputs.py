"""Generated inputs of a model: numbers made from the names, the same in every run."""

import re

import numpy as np

from arena import DTYPES
from graphs import Unsupported, numbers, variances

# Inputs that are settings, by model and name; what they are not changes what runs.
SETTINGS = {
    "ort_subgraph_input_shadows_outer": {"max_trip_count": 10, "keep_going_inp": True, "b": 0.5},
}
EXTENT = 2  # of a dimension nobody knows, in what has no place in a plan
MEMBERS = 2  # of sequences and maps


def values_given(plan):
    """Inputs whose elements the plan was made for."""
    given = (o["value"].rpartition("=") for o in plan["options"] if o["key"] == "input-value")
    return {name: [float(x) for x in elements.split(",")] for name, _, elements in given}


def inputs_of(file, plan, model):
    """name -> value of every input of the main graph."""
    feeds, given = {}, values_given(plan)
    settings = SETTINGS.get(model, {})
    positive = variances(file.main.nodes)
    for value in plan["values"]:
        if value["graph"] != "" or value["role"] not in ("input", "state") or value["step"] is not None:
            continue
        name = value["name"]
        if name in file.main.initializers:
            feeds[name] = file.main.initializers[name]
        elif name in given:
            feeds[name] = np.array(given[name], DTYPES[value["dtype"]]).reshape(value["dims"])
        elif name in settings:
            feeds[name] = np.full(value["dims"], settings[name], DTYPES[value["dtype"]])
        else:
            feeds[name] = made(name, value["type"], name in positive)
    return feeds


def made(name, text, positive=False):
    """A value of a type as plans write it: "f32[2,3]", "seq(f32[*])", "opt(i32[a])", "map(i64,f32[*])"."""
    outer = re.fullmatch(r"(seq|opt)\((.*)\)", text)
    if outer:
        kind, inner = outer.groups()
        if kind == "opt":
            return made(name, inner, positive)
        return [made(f"{name}.{k}", inner, positive) for k in range(MEMBERS)]
    pair = re.fullmatch(r"map\((i64|str),(.*)\)", text)
    if pair:
        keys = range(MEMBERS) if pair[1] == "i64" else [f"a{k}" for k in range(MEMBERS)]
        return {k: made(f"{name}.{k}", pair[2], positive) for k in keys}
    tensor = re.fullmatch(r"(\w+)\[([^\[\]]*)\]", text)
    if tensor is None:
        raise Unsupported(f"input '{name}' is {text}")
    dtype = np.dtype(object) if tensor[1] == "str" else DTYPES[tensor[1]]
    extents = tensor[2].split(",") if tensor[2] not in ("", "*") else []
    shape = tuple(int(e) if e.strip().isdigit() else EXTENT for e in extents)
    return numbers(name, shape, dtype, positive)
