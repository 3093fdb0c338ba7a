"""Plans in JSON as the tests want them: one flat dict for the one variant of the one program.

flat() leaves out what nests and keeps all that stands in the file, whole() is its reverse for plans that a
test changes. In a flat plan
  - keys of the file, of the variant and of its program's name ("model") lie side by side;
  - a step has "op", "name", "domain", "version" and "node" (the index) instead of its one entry of "nodes";
  - "frees" of a step are storages alone, what each waits for is in plan["after"], by storage;
  - a value has -1 for an extent that is open and 0 bytes when it has no place; "extents" and "bytes_text"
    have what the file says.
"""

import json

HEAD = ("format", "tenure", "digest", "layout", "facts", "pipeline", "options", "expressions", "pools")
NODE = {"index": "node", "name": "name", "domain": "domain", "op": "op", "version": "version"}


def flat(document):
    program = document["programs"][0]
    variant = program["variants"][0]
    expressions = document["expressions"]
    assert len(document["programs"]) == len(program["variants"]) == 1
    plan = {**document, "model": program["name"], **variant, "after": {}}
    del plan["programs"]
    plan["values"] = [flat_value(v, expressions) for v in variant["values"]]
    plan["steps"] = [flat_step(s, plan["after"]) for s in variant["steps"]]
    return plan


def expression(size, expressions):
    return expressions[size["expr"]] if isinstance(size, dict) else None


def flat_value(value, expressions):
    dims = [d if isinstance(d, int) else -1 for d in value["dims"]]
    size = value["bytes"]
    return {**value, "dims": dims, "extents": value["dims"], "bytes": size if isinstance(size, int) else 0,
            "size": size, "bytes_text": expression(size, expressions)}


def flat_step(step, after):
    after.update((f["storage"], f["after"]) for f in step["frees"])
    return {**flat_node(step), "frees": [f["storage"] for f in step["frees"]]}


def flat_node(step):
    assert len(step["nodes"]) == 1
    made = {key: step[key] for key in step if key != "nodes"}
    made.update((ours, step["nodes"][0][theirs]) for theirs, ours in NODE.items())
    return made


def flat_opencl(document):
    """A plan of the backend opencl-json: it has no storages, but the same values and steps."""
    return {**document, "values": [flat_value(v, document["expressions"]) for v in document["values"]],
            "steps": [flat_node(s) for s in document["steps"]]}


def whole(plan):
    """The document of a flat plan."""
    head = {key: plan[key] for key in HEAD if key in plan}
    variant = {key: plan[key] for key in plan if key not in head and key not in ("model", "after")}
    variant["values"] = [whole_value(v) for v in plan["values"]]
    variant["steps"] = [whole_step(s, plan["after"]) for s in plan["steps"]]
    return {**head, "programs": [{"name": plan["model"], "variants": [variant]}]}


def whole_value(value):
    """Numbers as the test left them; a value that lost its place has no number of bytes."""
    dims = [d if d >= 0 else e if not isinstance(e, int) else None
            for d, e in zip(value["dims"], value["extents"])]
    size = value["bytes"] if value["storage"] is not None else None
    if value["storage"] is None and not isinstance(value["size"], int):
        size = value["size"]
    kept = {key: value[key] for key in value if key not in ("extents", "size", "bytes_text")}
    return {**kept, "dims": dims, "bytes": size}


def whole_step(step, after):
    kept = {key: step[key] for key in step if key not in NODE.values()}
    return {**kept, "nodes": [{theirs: step[ours] for theirs, ours in NODE.items()}],
            "frees": [{"storage": s, "after": after.get(s, [])} for s in step["frees"]]}


def loads(text):
    return flat(json.loads(text))


def read(path):
    with open(path, encoding="utf-8") as f:
        return flat(json.load(f))


def write(plan, path):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(whole(plan), f)
