"""Attacks on frees, waits and the order of steps."""

from hostile_tools import attack, pick


@attack("bytes freed a step early, ranges shortened alike")
def freed_early(draft, rng):
    i = pick(rng, (i for i in draft.movable() if draft.storages[i]["last"] > draft.storages[i]["first"] + 1))
    if i is None:
        return False
    last = draft.storages[i]["last"] - 1
    for v in draft.members(i):
        draft.values[v]["last"] = min(draft.values[v]["last"], last)
        draft.values[v]["first"] = min(draft.values[v]["first"], last)
    return True


@attack("bytes freed a step early, and taken by the next value")
def freed_and_taken(draft, rng):
    found = [(i, j) for i in draft.movable() for j in draft.movable() if i != j
             and draft.storages[j]["pool"] == draft.storages[i]["pool"] and draft.storages[j]["first"] == draft.storages[i]["last"]
             and draft.storages[i]["last"] > draft.storages[i]["first"]]
    found = pick(rng, found)
    if not found:
        return False
    i, j = found
    last = draft.storages[i]["last"] - 1
    for v in draft.members(i):
        draft.values[v]["last"] = min(draft.values[v]["last"], last)
    draft.storages[j]["offset"] = draft.storages[i]["offset"]
    return True


@attack("a free, in its step, that waits for nobody")
def free_waits_not(draft, rng):
    f = pick(rng, (f for s in draft.steps for f in s["frees"] if f["after"]))
    if f:
        f["after"].pop(rng.randrange(len(f["after"])))
        draft.keep_frees = True
    return f is not None


@attack("a free in an earlier step")
def free_moved(draft, rng):
    found = pick(rng, ((i, f) for i, s in enumerate(draft.steps) for f in s["frees"] if i > 0))
    if not found:
        return False
    i, f = found
    draft.steps[i]["frees"].remove(f)
    draft.steps[rng.randrange(i)]["frees"].append({**f, "after": []})
    draft.keep_frees = True
    return True


@attack("a hazard that is left out")
def hazard_lost(draft, rng):
    s = pick(rng, (s for s in draft.steps if s["hazards"]))
    if s:
        s["hazards"].pop(rng.randrange(len(s["hazards"])))
        draft.keep_hazards = True
    return s is not None


@attack("all hazards left out")
def hazards_lost(draft, rng):
    some = any(s["hazards"] for s in draft.steps)
    for s in draft.steps:
        s["hazards"] = []
    draft.keep_hazards = True
    return some


@attack("a read that is not listed, so that nobody waits for its writer")
def read_lost(draft, rng):
    s = pick(rng, (s for s in draft.steps if s["reads"]))
    if s:
        s["reads"].pop(rng.randrange(len(s["reads"])))
    return s is not None


def is_flat(draft):
    return all(s["kind"] == "op" for s in draft.steps) and not any("clone_of" in v or "overlaps" in v for v in draft.values)


@attack("two steps next to each other in the other order")
def swapped_steps(draft, rng):
    n = len(draft.steps)
    if n < 2 or not is_flat(draft):
        return False
    i = rng.randrange(n - 1)
    order = list(range(n))
    order[i], order[i + 1] = i + 1, i
    draft.reorder(order)
    return True


@attack("a step that runs far earlier or later")
def moved_step(draft, rng):
    n = len(draft.steps)
    if n < 3 or not is_flat(draft):
        return False
    order = list(range(n))
    order.insert(rng.randrange(n), order.pop(rng.randrange(n)))
    draft.reorder(order)
    return order != list(range(n))
