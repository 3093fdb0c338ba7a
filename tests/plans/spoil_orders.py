"""Plans in JSON, spoiled where they say which steps may run side by side (mutate.py)."""

import random

import any_order as orders
from spoil_parts import Skip, first


def lost_hazards(plan):
    if not any(s["hazards"] for s in plan["steps"]):
        raise Skip("a hazard")
    for s in plan["steps"]:
        s["hazards"] = []


def is_beside(plan):
    return "concurrency" in plan


def settle_depth(plan):
    """The figures that follow, so that they are not what gets the plan refused."""
    data = {**plan, "concurrency": "dataflow", "steps": [{**s, "hazards": []} for s in plan["steps"]]}
    plan["report"].update(depth=orders.depth(plan), data_depth=orders.depth(data), serial=0)


def any_order(plan):
    """A plan for one order is said to be for any: its hazards tell."""
    if is_beside(plan) or not any(s["hazards"] for s in plan["steps"]):
        raise Skip("a hazard")
    plan.update(concurrency="dataflow", queues=0)
    settle_depth(plan)


def any_order_unseen(plan):
    """The same without the hazards: bytes are overwritten that may still be needed."""
    any_order(plan)
    lost_hazards(plan)
    settle_depth(plan)


def any_order_of_queues(plan):
    """A plan of queues is said to be for any order."""
    if plan.get("concurrency") != "queues":
        raise Skip("queues")
    plan.update(concurrency="dataflow", queues=0)
    for s in plan["steps"]:
        s["queue"] = 0
    settle_depth(plan)


def mixed_queues(plan):
    """Ops of the main graph run in any queue, whatever shares bytes."""
    if plan.get("concurrency") != "queues":
        raise Skip("queues")
    around, rng = {}, random.Random(0)
    for i, s in enumerate(plan["steps"]):
        outer = around.get(s["graph"], s["partner"] if s["kind"] == "end" else None)
        s["queue"] = rng.randrange(plan["queues"]) if outer is None else plan["steps"][outer]["queue"]
        around.update((b["graph"], i if outer is None else outer) for b in s["bodies"])
    settle_depth(plan)


def queue_of_a_body(plan):
    """A step of a body runs in another queue than its op."""
    if plan.get("concurrency") != "queues":
        raise Skip("queues")
    s = first((s for s in plan["steps"] if s["graph"] != ""), "a body")
    s["queue"] = (s["queue"] + 1) % plan["queues"]


def depth_lie(plan):
    if not is_beside(plan):
        raise Skip("steps side by side")
    plan["report"]["depth"] += 1
