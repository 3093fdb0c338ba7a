#!/usr/bin/env python3
"""Plans models, validates the JSON against docs/plan.schema.json, and spoils each plan in many ways:
`tenure check` must accept the plan as made and refuse every spoiled one with a message that names a
tensor or a step of it.

Usage: mutate.py [--once] [--by-data] TENURE SCHEMA WORK MODEL... [-- options of `tenure plan`]
--once: each way to spoil a plan in the first of the models that can be spoiled so, not in all.
--by-data: some of the models have extents that data give, and their plans are spoiled in these, too.
"""
import copy
import json
import os
import re
import subprocess
import sys

import jsonschema

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models"))

import planfile
import spoil_data
from spoil_orders import (
    any_order, any_order_of_queues, any_order_unseen, depth_lie, lost_hazards, mixed_queues, queue_of_a_body,
)
from spoil_parts import Skip, arena, first, together
from spoil_pools import (
    cheaper_pool, copied_lie, cost_bound_lie, cost_lie, other_section, pool_lie, smaller_capacity,
    swapped_pool, traffic_lie,
)


def reused(plan):
    """Pairs (earlier, later) of storages of one arena that share bytes over time."""
    live = [s for s in plan["storages"] if s["pool"] in arena(plan) and s["size"] > 0]
    live.sort(key=lambda s: s["first"])
    for i, late in enumerate(live):
        for early in live[:i]:
            if (early["last"] < late["first"] and early["pool"] == late["pool"]
                    and early["offset"] < late["offset"] + late["size"]
                    and late["offset"] < early["offset"] + early["size"]):
                yield early, late


def shifted_offset(plan):
    a, b = first(together(plan), "two storages alive at the peak")
    b["offset"] = a["offset"]
    b["slot"] = None


def swapped_steps(plan):
    steps = plan["steps"]
    i = first((i for i in range(len(steps) - 1)
               if set(steps[i]["writes"]) & set(steps[i + 1]["reads"])), "dependent neighbours")
    steps[i], steps[i + 1] = steps[i + 1], steps[i]
    plan["reordered"] = True


def shortened_range(plan):
    s = first((s for s in plan["storages"] if s["pool"] in arena(plan) and s["last"] > s["first"]
               and not s["pinned"]), "a storage that outlives its first step")
    index = plan["storages"].index(s)
    s["last"] -= 1
    for v in plan["values"]:
        if v["storage"] == index:
            v["last"] = min(v["last"], s["last"])
            v["first"] = min(v["first"], s["last"])


def wrong_alias(plan):
    internal = [v for v in plan["values"] if v["role"] == "internal" and v["alias"] == "none"
                and v["storage"] is not None and v["bytes"] > 0]
    v = first(internal, "an internal value")
    other = first((w for w in internal if w["bytes"] == v["bytes"] and w is not v
                   and w["first"] > v["last"]), "a later value of the same size")
    other["alias"] = "view"
    other["alias_of"] = plan["values"].index(v)
    other["storage"] = v["storage"]
    other["offset"] = v["offset"]


def overlapping_io(plan):
    io = [s for s in plan["storages"] if plan["pools"][s["pool"]]["kind"] == "io" and s["size"] > 0]
    if len(io) < 2:
        raise Skip("two inputs or outputs")
    io[1]["offset"] = io[0]["offset"]


def misaligned(plan):
    s = first((s for s in plan["storages"] if s["pool"] in arena(plan) and s["align"] > 1
               and s["size"] > 0), "an aligned storage")
    s["offset"] += 1


def out_of_bounds(plan):
    s = first((s for s in plan["storages"] if s["pool"] in arena(plan) and s["size"] > 0), "storage")
    s["offset"] = plan["pools"][s["pool"]]["size"]
    s["slot"] = None


def constant_in_arena(plan):
    s = first((s for s in plan["storages"] if plan["pools"][s["pool"]]["kind"] == "const"),
              "a constant")
    s["pool"] = arena(plan)[0]
    s["offset"] = 0


def missing_step(plan):
    steps = plan["steps"]
    i = first((i for i in reversed(range(len(steps))) if steps[i]["kind"] == "op"), "a step")
    steps[i]["op"] = "Nothing"


def dropped_value(plan):
    v = first((v for v in plan["values"] if v["role"] == "internal" and v["bytes"] > 0), "a value")
    v.update(storage=None, why="forgotten", left_out="data", alias="none", alias_of=None)


def wrong_size(plan):
    v = first((v for v in plan["values"] if v["role"] == "internal" and v["bytes"] > 1), "a value")
    v["bytes"] //= 2


def early_free(plan):
    for i, step in enumerate(plan["steps"]):
        for s in step["frees"]:
            if plan["storages"][s]["first"] < i:
                step["frees"].remove(s)
                plan["steps"][i - 1]["frees"].append(s)
                return
    raise Skip("a storage freed after its first step")


def double_free(plan):
    step = first((s for s in plan["steps"][:-1] if s["frees"]), "a free")
    plan["steps"][-1]["frees"].append(step["frees"][0])


def inplace_before_reader(plan):
    """A value with readers at two steps is said to be written over at the first of them."""
    readers = {}
    for i, s in enumerate(plan["steps"]):
        for v in s["reads"]:
            readers.setdefault(v, []).append(i)
    for v, at in readers.items():
        value = plan["values"][v]
        if len(at) < 2 or value["role"] != "internal" or value["storage"] is None:
            continue
        for w in plan["steps"][at[0]]["writes"]:
            taker = plan["values"][w]
            if (taker["role"] == "internal" and taker["alias"] == "none" and taker["storage"]
                    is not None and taker["bytes"] == value["bytes"] > 0):
                taker.update(alias="inplace", alias_of=v, storage=value["storage"],
                             offset=value["offset"])
                return
    raise Skip("a value with two readers")


def shared_before_reader(plan):
    """A value is said to take the bytes of one that is dead, but a later step reads it."""
    last = {v: i for i, s in enumerate(plan["steps"]) for v in s["reads"]}
    for i, s in enumerate(plan["steps"]):
        for taker in (plan["values"][w] for w in s["writes"]):
            for v, value in enumerate(plan["values"]):
                if (value["first"] < i < last.get(v, -1) and value["role"] == taker["role"] == "internal"
                        and taker["alias"] == "none" and 0 < taker["bytes"] <= value["bytes"]):
                    taker.update(alias="share", alias_of=v, storage=value["storage"], offset=value["offset"])
                    return
    raise Skip("a value that lives on")


def early_update(plan):
    """What a state becomes is written where the state lies before the state is read for the last time."""
    name = {v["name"]: i for i, v in enumerate(plan["values"]) if v["graph"] == ""}
    last = {v: i for i, s in enumerate(plan["steps"]) for v in s["reads"]}
    for b in plan["bindings"]:
        state, value = name[b["state"]], plan["values"][b["value"]]
        if value["step"] is not None and value["step"] < last.get(state, -1) and value["alias"] == "none":
            value.update(alias="update", alias_of=state, storage=plan["values"][state]["storage"], offset=0)
            return
    raise Skip("a state that is read after it could be updated")


def sharers(plan):
    return [(v, plan["storages"][v["storage"]]) for v in plan["values"] if v["alias"] == "share" and v["bytes"] > 0]


def shifted_sharer(plan):
    v, s = first(((v, s) for v, s in sharers(plan) if v["offset"] + v["bytes"] + s["align"] <= s["size"]),
                 "a value that takes the bytes of a larger one")
    v["offset"] += s["align"]


def early_output(plan):
    """An output in the arena lies over bytes that are still needed when it is written."""
    outputs = [v for v in plan["values"] if v["role"] == "output" and v["alias"] == "none" and v["storage"] is not None]
    for out in (plan["storages"][v["storage"]] for v in outputs):
        for s in plan["storages"]:
            if (out["pool"] == s["pool"] in arena(plan) and s is not out and not out["pinned"] and s["size"] > 0 < out["size"]
                    and s["first"] < out["first"] <= s["last"]
                    and s["offset"] + out["size"] <= plan["pools"][s["pool"]]["size"]):
                out["offset"], out["slot"] = s["offset"], None
                return
    raise Skip("an output that is written while something else is needed")


def read_after_given(plan):
    """An input that may be overwritten after its last read is overwritten before it."""
    for v in plan["values"]:
        s = plan["storages"][v["storage"]] if v["role"] == "input" and v["storage"] is not None else None
        if s is None or s["pinned"] or s["pool"] not in arena(plan) or s["size"] == 0:
            continue
        for other in plan["storages"]:
            if (other["pool"] == s["pool"] and other["size"] > 0 and -1 < other["first"] < s["last"] and not other["pinned"]
                    and s["offset"] + other["size"] <= plan["pools"][s["pool"]]["size"]):
                other["offset"], other["slot"] = s["offset"], None
                s["last"] = v["last"] = other["first"] - 1
                return
    raise Skip("an input that may be overwritten, with two reads")


def naive_lie(plan):
    plan["report"]["naive"] += 64


def ram_lie(plan):
    plan["report"]["ram"] -= min(64, plan["report"]["ram"]) or -64


def hidden_read(plan):
    step = first((s for s in plan["steps"] if s["kind"] == "op" and len(s["reads"]) > 0
                  and s["op"] not in ("Shape", "Size")), "a step that reads")
    step["reads"] = []


def renamed_value(plan):
    v = first((v for v in plan["values"] if v["role"] == "internal"), "a value")
    v["name"] += "'"


def other_model(plan):
    plan["digest"] = "0" * 64


def computing(plan):
    """Steps that have something to run."""
    return [s for s in plan["steps"] if s["kind"] == "op" and not s["idle"]]


def swapped_operands(plan):
    s = first((s for s in plan["steps"] if s["kind"] == "op" and len(s["operands"]) > 1
               and s["operands"][0] != s["operands"][1]), "a step of two operands")
    s["operands"][:2] = s["operands"][1::-1]


def removed_operand(plan):
    first((s for s in plan["steps"] if len(s["operands"]) > 1), "a step of two operands")["operands"].pop()


def hole_for_operand(plan):
    first((s for s in plan["steps"] if s["operands"]), "a step with operands")["operands"][0] = None


def filled_result(plan):
    """What the node leaves out is said to be there; without a hole, one result more."""
    s = first((s for s in plan["steps"] if s["results"]), "a step with results")
    s = next((t for t in plan["steps"] if None in t["results"]), s)
    if None in s["results"]:
        s["results"][s["results"].index(None)] = s["writes"][0]
    else:
        s["results"].append(s["results"][0])


def attributes(plan):
    return [(s, a) for s in plan["steps"] for a in s["attributes"]]


def changed_attribute(plan):
    _, a = first(((s, a) for s, a in attributes(plan) if "int" in a), "an attribute of one integer")
    a["int"] += 1


def changed_list(plan):
    _, a = first(((s, a) for s, a in attributes(plan) if a.get("ints")), "an attribute of integers")
    a["ints"][-1] += 1


def removed_attribute(plan):
    s, a = first(attributes(plan), "an attribute")
    s["attributes"].remove(a)


def added_attribute(plan):
    first(computing(plan), "a step that computes")["attributes"].append({"name": "zzz", "int": 0})


def false_idle(plan):
    first(computing(plan), "a step that computes")["idle"] = True


def lazy_kernel(plan):
    """Not idle: a kernel would write over a view, with no promise to keep what is there."""
    first((s for s in plan["steps"] if s["idle"] and s["operands"]), "an idle step")["idle"] = False


PROMISES = ("definition", "keep", "rows", "elements")
ORDERS = {"ascending": "descending", "descending": "ascending"}


def weakened_promise(plan):
    c = first((c for s in plan["steps"] for c in s["claims"]), "a claim")
    c["promise"] = PROMISES[PROMISES.index(c["promise"]) - 1] if c["promise"] in PROMISES else "keep"


def other_direction(plan):
    c = first((c for s in plan["steps"] for c in s["claims"] if c["promise"] in ORDERS), "a claim of an order")
    c["promise"] = ORDERS[c["promise"]]


def removed_claim(plan):
    first((s for s in plan["steps"] if s["claims"]), "a claim")["claims"].pop()


def state_of_nobody(plan):
    first((v for v in plan["values"] if v["role"] in ("const", "input")), "what is given")["role"] = "state"


def changed_shape_only(plan):
    s = first((s for s in computing(plan) if s["operands"]), "a step with operands")
    s["shape_only"] = [] if s["shape_only"] else [0]


def waited_for(plan):
    """For each step all that are done before it, by data and by hazards."""
    before = []
    for i, step in enumerate(plan["steps"]):
        direct = {plan["values"][v]["step"] for v in step["reads"]} | set(step["hazards"])
        if step["kind"] == "end":
            direct.add(step["partner"])
        direct = {d for d in direct if d is not None and d < i}
        before.append(direct.union(*(before[d] for d in direct)))
    return before


def unordered_free(plan):
    """A reader is forgotten that neither the freeing step waits for, nor another step beside the free."""
    before = waited_for(plan)
    storage, reader = first(((s, r) for i, step in enumerate(plan["steps"]) for s in step["frees"]
                             for r in plan["after"][s]
                             if not any(r in before[x] for x in [i, *plan["after"][s]])), "a free that waits")
    plan["after"][storage].remove(reader)


def bodies(plan):
    return [b for s in plan["steps"] for b in s["bodies"]]


def swapped_inputs(plan):
    b = first((b for b in bodies(plan) if len(b["inputs"]) > 1), "a body with two inputs")
    b["inputs"][:2] = b["inputs"][1::-1]


def renamed_body(plan):
    first(bodies(plan), "a body")["attribute"] += "s"


def changed_version(plan):
    first(plan["steps"], "a step")["version"] += 1


def one_place(plan):
    del first((s for s in plan["storages"] if s.get("second", 0) > 0), "a storage with two places")["second"]


def near_place(plan):
    s = first((s for s in plan["storages"] if s.get("second", 0) > s["align"]), "a storage with two places")
    s["second"] -= s["align"]


def unasked_place(plan):
    s = first((s for s in plan["storages"] if s["size"] > 1 and s.get("second", 0) == 0), "a storage with one place")
    s["second"] = s["size"] + -s["size"] % 64
    s["size"] += s["second"]


SPOILS = [shifted_offset, swapped_steps, shortened_range, wrong_alias, overlapping_io, misaligned,
          out_of_bounds, constant_in_arena, missing_step, dropped_value, wrong_size, early_free,
          double_free, lost_hazards, inplace_before_reader, naive_lie, ram_lie, hidden_read, pool_lie,
          renamed_value, other_model, swapped_operands, removed_operand, hole_for_operand, filled_result,
          changed_attribute, changed_list, removed_attribute, added_attribute, false_idle, lazy_kernel,
          weakened_promise, other_direction, removed_claim, state_of_nobody, changed_shape_only, unordered_free, swapped_inputs,
          renamed_body, changed_version, early_output, read_after_given, traffic_lie, cost_lie, cost_bound_lie,
          cheaper_pool, smaller_capacity, swapped_pool, copied_lie, other_section, shared_before_reader,
          shifted_sharer, early_update, any_order, any_order_unseen, any_order_of_queues, mixed_queues,
          queue_of_a_body, depth_lie, one_place, near_place, unasked_place, *spoil_data.SPOILS]
# Data dependences alone may order all steps of a chain-like model.
MAY_BE_HARMLESS = {lost_hazards, any_order_unseen, any_order_of_queues, mixed_queues}
# A plan without aliases has nothing for them.
NEEDS_ALIASES = {lazy_kernel, weakened_promise, removed_claim}
NEEDS_ORDERS = {other_direction}
# Plans whose steps run side by side wait for nothing but data and queues.
NEEDS_SERIAL = {lost_hazards, any_order, any_order_unseen}
NEEDS_BESIDE, NEEDS_QUEUES = {depth_lie}, {any_order_of_queues, mixed_queues, queue_of_a_body}
# Gradients of several sizes share where nothing is in place.
NEEDS_SHARERS, NEEDS_INPLACE = {shifted_sharer, early_update}, {weakened_promise, removed_claim, unordered_free}
# What is pinned can be taken too early by nobody; and without a pool of inputs and outputs none lie in it.
NEEDS_ONE_ARENA, NEEDS_IO = {early_output, read_after_given}, {overlapping_io}
# Messages about these speak of the whole plan.
GENERAL = {naive_lie, ram_lie, pool_lie, other_model, cost_lie, cost_bound_lie, cheaper_pool, copied_lie, depth_lie}
NEEDS_POOLS = {other_section, traffic_lie, cost_lie, cost_bound_lie, cheaper_pool, smaller_capacity, swapped_pool, copied_lie}
NEEDS_DOUBLE = {one_place, near_place}
NAMED = re.compile(r"'[^']+'|step \d+ \(")


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, timeout=900)


def check(tenure, model, path, options):
    dims = [o for o in options if o.startswith(("--dim", "--input-shape"))]
    return run(tenure, "check", model, path, *dims)


def test_model(tenure, validator, work, model, options, enough):
    """Number of failures, and the names of the spoils that applied. `enough`: those that are not tried."""
    base = os.path.join(work, os.path.splitext(os.path.basename(model))[0])
    made = run(tenure, "plan", model, "--emit=json", "-o", base + ".json", *options)
    if made.returncode != 0:
        print(f"{model}: no plan: {made.stderr}")
        return 1, set()
    with open(base + ".json", encoding="utf-8") as f:
        document = json.load(f)
    validator.validate(document)
    plan = planfile.flat(document)
    good = check(tenure, model, base + ".json", options)
    if good.returncode != 0:
        print(f"{model}: the plan as made is refused:\n{good.stderr}")
        return 1, set()
    failures, applied = 0, set()
    for spoil in SPOILS:
        if spoil in enough:
            continue
        spoiled = copy.deepcopy(plan)
        try:
            spoil(spoiled)
        except Skip:
            continue
        path = f"{base}.{spoil.__name__}.json"
        planfile.write(spoiled, path)
        got = check(tenure, model, path, options)
        if spoil in MAY_BE_HARMLESS and got.returncode == 0:
            continue
        applied.add(spoil)
        named = spoil in GENERAL or NAMED.search(got.stderr)
        if got.returncode != 1 or "error: " not in got.stderr or not named:
            print(f"{model}: {spoil.__name__} gave {got.returncode}:\n{got.stderr}")
            failures += 1
        else:
            os.remove(path)
    return failures, applied


def main():
    args = sys.argv[1:]
    once = args[0] == "--once"
    args = args[once:]
    by_data = args[0] == "--by-data"
    args = args[by_data:]
    options = args[args.index("--") + 1:] if "--" in args else []
    tenure, schema, work, *models = args[:args.index("--")] if "--" in args else args
    os.makedirs(work, exist_ok=True)
    with open(schema, encoding="utf-8") as f:
        document = json.load(f)
    jsonschema.Draft202012Validator.check_schema(document)
    validator = jsonschema.Draft202012Validator(document)
    failures, applied = 0, set()
    for model in models:
        failed, used = test_model(tenure, validator, work, model, options, applied if once else ())
        failures += failed
        applied |= used
    without = set(NEEDS_ALIASES if "-O1" in options else ())
    without |= NEEDS_ORDERS if "--inplace=ordered" not in options else set()
    queues = any(o.startswith("--queues") for o in options)
    without |= NEEDS_SERIAL if queues or "--concurrency=dataflow" in options else NEEDS_BESIDE
    without |= NEEDS_QUEUES if not queues else set()
    without |= NEEDS_INPLACE if "--inplace=none" in options else NEEDS_SHARERS
    without |= NEEDS_IO if "--io=arena" in options else NEEDS_ONE_ARENA
    without |= NEEDS_POOLS if not any(o.startswith("--pool") for o in options) else set()
    without |= NEEDS_DOUBLE if not any(o.startswith("--double-buffer") for o in options) else set()
    without |= set(spoil_data.SPOILS if not by_data else ())
    for spoil in SPOILS:
        if spoil not in applied | without:
            print(f"no model could be spoiled by {spoil.__name__}")
            failures += 1
    print(f"{len(models)} models, {len(applied)} ways to spoil a plan, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
