"""Plans spoiled by hand, in which the simulator must find what is wrong: each with a part of what it says."""

import json
import os

import bases
import corpus
import onnx
from model_graph import Model
from plan import Plan
from simulate import judge


def by_name(variant):
    return {v["name"]: v for v in variant["values"]}


def storage_of(variant, name):
    return variant["storages"][by_name(variant)[name]["storage"]]


def step_of(variant, op):
    return next(s for s in variant["steps"] if s["nodes"][0]["op"] == op)


def joined(document, variant):
    """The Concat's result over a part of the Split that the last step still reads, an operand gathered into it."""
    values, b = by_name(variant), storage_of(variant, "b")
    storage_of(variant, "y").update(pool=b["pool"], offset=b["offset"] - 64 * (b["offset"] > 0), size=128)
    values["c"].update(storage=values["y"]["storage"], offset=64)
    step_of(variant, "Concat")["claims"] = [{"result": 0, "operand": 1, "promise": "keep"}]


def gathered_over_part(document, variant):
    """The same, where what is gathered itself lies over the part."""
    joined(document, variant)
    storage_of(variant, "y")["offset"] = storage_of(variant, "b")["offset"] - 64


def overlapping(document, variant):
    storage_of(variant, "c")["offset"] = storage_of(variant, "a")["offset"]


def not_claimed(document, variant):
    step_of(variant, "Neg")["claims"] = []


def no_hazards(document, variant):
    for s in variant["steps"]:
        s["hazards"] = []


def idle_work(document, variant):
    step_of(variant, "Sigmoid").update(idle=True, claims=[])


def freed_early(document, variant):
    free = next(f for s in variant["steps"] for f in s["frees"] if f["storage"] == by_name(variant)["a"]["storage"])
    for s in variant["steps"]:
        s["frees"] = [f for f in s["frees"] if f is not free]
    step_of(variant, "Sigmoid")["frees"].append(free)


def swapped(document, variant):
    steps = variant["steps"]
    steps[0], steps[1] = steps[1], steps[0]


# Groups of tenure's own

def grouped():
    """A Transpose, and rows, in groups with what is done to their elements; one operand is broadcast."""
    return bases.make({"x": [16, 16], "s": [16]}, [
        bases.node("TopK", "x k", "a i", axis=1), bases.node("Transpose", "a", "t", perm=[1, 0]), bases.node("Neg", "t", "n"), bases.node("Relu", "n", "turned"),
        bases.node("TopK", "turned k", "b j", axis=1), bases.node("Mul", "b s", "m"), bases.node("Tanh", "m", "y")],
        {"y": [16, 16]}, [bases.ints("k", 16)])


def group_of(variant, op):
    return next(s for s in variant["steps"] if s.get("fused", {}).get("domain") == "tenure.fused" and s["nodes"][0]["op"] == op)


def index_of(variant, name):
    return next(i for i, v in enumerate(variant["values"]) if v["name"] == name)


def reads_less(document, variant):
    step = group_of(variant, "Mul")
    step["operands"].remove(index_of(variant, "s"))


def reads_more(document, variant):
    step = group_of(variant, "Mul")
    step["operands"].append(index_of(variant, "x"))
    step["reads"].append(index_of(variant, "x"))


def reads_twice(document, variant):
    step = group_of(variant, "Mul")
    step["operands"].append(step["operands"][0])


def reads_backwards(document, variant):
    group_of(variant, "Mul")["operands"].reverse()


def makes_another(document, variant):
    step = group_of(variant, "Mul")
    step["nodes"].pop()


def lies_over(document, variant, result, operand, promise):
    step = next(s for s in variant["steps"] if index_of(variant, result) in s["results"])
    storage_of(variant, result)["offset"] = storage_of(variant, operand)["offset"]
    step["claims"] = [{"result": 0, "operand": step["operands"].index(index_of(variant, operand)), "promise": promise}]


def over_turned(document, variant):
    lies_over(document, variant, "turned", "a", "elements")


def over_rows(document, variant):
    lies_over(document, variant, "turned", "a", "rows")


def promises_other(document, variant):
    lies_over(document, variant, "y", "b", "ascending")


PLANTED = [(joined, "is another's"), (gathered_over_part, "is another's"), (overlapping, "is another's"), (not_claimed, "without a claim"),
           (no_hazards, "wait for"), (idle_work, "is idle"), (freed_early, "is another's"), (swapped, "not been made")]
OF_GROUPS = [(reads_less, "does not read ['s']"), (reads_more, "reads ['x']"), (reads_twice, "an operand twice"), (reads_backwards, "in their order"), (makes_another, "more or less"),
             (over_turned, "element by element"), (over_rows, "element by element"),
             (promises_other, "does not promise")]
COUNT = len(PLANTED) + len(OF_GROUPS)


def missed(tenure, folder):
    """What the simulator takes for right, or finds for another reason."""
    return [*missed_of(tenure, folder, bases.gathered, (), PLANTED),
            *missed_of(tenure, folder, grouped, ("--fuse=all", "-O1", "--io=arena"), OF_GROUPS)]


def missed_of(tenure, folder, maker, options, planted):
    path = os.path.join(folder, maker.__name__ + ".onnx")
    onnx.save(maker(), path)
    done = corpus.run(tenure, ["plan", path, "-q", "--emit=json", "-o", "-", *options])
    model, found = Model(path), []
    wrong, _ = verdict(model, json.loads(done.stdout))
    if wrong:
        found.append(f"the plan as it is: {wrong}")
    for spoil, says in planted:
        document = json.loads(done.stdout)
        spoil(document, document["programs"][0]["variants"][0])
        wrong, _ = verdict(model, document)
        if wrong is None or says not in wrong:
            found.append(f"{spoil.__name__}: {wrong}")
    return found


def verdict(model, document):
    return judge(model, Plan(document, document["programs"][0]["variants"][0]))
