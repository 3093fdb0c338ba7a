"""What may be run once more, by docs/PLAN.md ("Nodes that run twice")."""

from words import Wrong

DRAWS = {"RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Bernoulli", "Multinomial"}
EFFECTS = {"YieldOp", "InPlaceAccumulator", "InPlaceAccumulatorV2", "PythonOp", "RecordEvent", "WaitEvent"}
OVERWRITE = {("com.microsoft", "InPlaceAccumulatorV2"): (0, 1)}  # operand 0, unless result 1 is named


def check_clones(plan):
    overwritten = {s["operands"][0] for s in plan.steps if s["kind"] == "op" and is_one(s) in OVERWRITE}
    states = {n.split("=", 1)[1] for k, n in plan.options if k == "update" and "=" in n}
    seen = set()
    for i, s in enumerate(plan.steps):
        nodes = {(s["graph"], n["index"]) for n in s["nodes"]} if s["clone_of"] is None and s["kind"] != "end" else set()
        if nodes & seen:
            raise Wrong(f"{plan.name(i)} runs a node that another step runs, and is no clone of it")
        seen |= nodes
        if s["clone_of"] is not None:
            wrong = why_not(plan, s, overwritten, states)
            if wrong:
                raise Wrong(f"{plan.name(i)} is run once more: {wrong}")


def is_one(step):
    node = step["nodes"][-1]
    return node["domain"], node["op"]


def carried(step):
    """Results that a run of the node carries an operand on by, which one run more leaves out."""
    trains = any(a["name"] == "training_mode" and a.get("int") == 1 for a in step["attributes"])
    return (1, 2) if is_one(step) == ("", "BatchNormalization") and trains else ()


def origin(plan, v):
    return v if v is None else plan.values[v].row.get("clone_of", v)


def why_not(plan, step, overwritten, states):
    own = plan.steps[step["clone_of"]]
    domain, op = is_one(step)
    if own["clone_of"] is not None or own["nodes"] != step["nodes"] or own["graph"] != step["graph"]:
        return "the other step is not the node's own"
    if own["attributes"] != step["attributes"]:
        return "it has other attributes"
    if step["graph"] or step["kind"] != "op" or step["bodies"] or "fused" in step:
        return "it is no op of the main graph alone"
    if op in DRAWS or op == "Dropout" and len(step["operands"]) > 2:
        return "it draws random numbers"
    if op in EFFECTS or domain not in ("", "ai.onnx", "ai.onnx.ml", "com.microsoft"):
        return "nobody knows that it does nothing else"
    if {origin(plan, v) for v in (*step["operands"], *step["results"])} & overwritten:
        return "an op writes over its bytes by definition"
    if any(plan.values[origin(plan, v)].name in states for v in step["results"] if v is not None):
        return "it moves state on"
    if any(v is None and own["results"][r] is not None and r not in carried(step) for r, v in enumerate(step["results"])):
        return "it leaves a result out"
    if any(v is not None and r in carried(step) for r, v in enumerate(step["results"])):
        return "it carries an operand on"
    return None
