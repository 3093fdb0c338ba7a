"""Whether what steps wait for is enough, worked out from the plan's own lists, without the checker."""


def closure(variant, hazards):
    """For each step all that have finished before it starts; `hazards` by step."""
    steps, values, before = variant["steps"], variant["values"], []
    around, last_in_queue = [], {}
    for i, step in enumerate(steps):
        if step["kind"] == "end":
            around.pop()
        direct = {values[v]["step"] for v in step["reads"]} | set(hazards[i])
        direct |= {around[-1]} if around else set()
        if step["kind"] == "end":
            direct |= set(range(step["partner"], i))
        if variant.get("concurrency") == "queues":
            direct |= {last_in_queue.get(step["queue"])}
            last_in_queue[step["queue"]] = i
        direct = {d for d in direct if d is not None and d < i}
        before.append(direct.union(*(before[d] for d in direct)))
        if step["kind"] == "begin":
            around.append(i)
    return before


def users(variant):
    """By value: the steps that read or write it."""
    found = [set() for _ in variant["values"]]
    for i, step in enumerate(variant["steps"]):
        for v in step["reads"] + step["writes"]:
            found[v].add(i)
    return found


def place(variant, v):
    value = variant["values"][v]
    if value["storage"] is None or not value["bytes"]:
        return None
    s = variant["storages"][value["storage"]]
    return s["pool"], s["offset"] + value["offset"], s["offset"] + value["offset"] + value["bytes"]


def overwrites(variant, taker, old):
    a, b = place(variant, taker), place(variant, old)
    if a is None or b is None or a[0] != b[0] or a[1] >= b[2] or b[1] >= a[2]:
        return False
    one = variant["values"][taker]
    return one["storage"] != variant["values"][old]["storage"] or one["alias"] not in ("none", "view")


def exclusive(variant, a, b):
    """Whether two steps lie in different bodies of one op: of an If one runs; nobody else's bytes are looked at here."""
    x, y = variant["steps"][a]["graph"], variant["steps"][b]["graph"]
    return x != y and not x.startswith(y) and not y.startswith(x)


def enough(variant, hazards):
    before, used = closure(variant, hazards), users(variant)
    for i, step in enumerate(variant["steps"]):
        for w in step["writes"] if not step["idle"] else []:
            for v, at in enumerate(used):
                late = {s for s in at if s < i and s not in before[i] and not exclusive(variant, s, i)}
                if v != w and late and overwrites(variant, w, v):
                    return False
    return True


def orders(variant, step, hazards):
    """Whether all overwriting is ordered when `step` waits for these; plans with open offsets are not judged."""
    if any(s["offset"] is None for s in variant["storages"]) or variant["guard"] is not None:
        return True
    stated = [hazards if s is step else s["hazards"] for s in variant["steps"]]
    return enough(variant, stated)


def frees(variant, free, after):
    """Whether all who use the storage have finished once the step that frees it and `after` have."""
    at, step = next((i, s) for i, s in enumerate(variant["steps"]) if any(f is free for f in s["frees"]))
    before = closure(variant, [s["hazards"] for s in variant["steps"]])
    done = {at, *after}.union(before[at], *(before[a] for a in after))
    used = users(variant)
    needed = set().union(*(used[v] for v, x in enumerate(variant["values"]) if x["storage"] == free["storage"]))
    return all(a <= at for a in after) and all(s in done or exclusive(variant, s, at) for s in needed)


def fits(variant, storage, offset):
    """Whether the storage may lie at that offset: apart from all that live meanwhile, behind all that it overwrites."""
    whole = range(-1, len(variant["steps"]) + 1)

    def life(s):
        return set(whole) if s["pinned"] else set(range(s["first"], s["last"] + 1))
    for s in variant["storages"]:
        beside = s["pool"] == storage["pool"] and s["offset"] < offset + storage["size"] and offset < s["offset"] + s["size"]
        if s is not storage and beside and life(s) & life(storage):
            return False
    before, storage["offset"] = storage["offset"], offset
    good = enough(variant, [s["hazards"] for s in variant["steps"]])
    storage["offset"] = before
    return good
