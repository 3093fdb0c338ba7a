"""Attacks on what the caller keeps, on bodies, operands, clones, sizes and queues; and changes that do no harm."""

from hostile_tools import PLAIN, attack, pair, pick
from attack_times import is_flat


def in_kind(draft, kind):
    return [s for s in draft.storages if draft.pools[s["pool"]]["kind"] == kind and s["size"] > 0]


@attack("an output over an input, or a state, in the pool that the caller keeps")
def io_over_io(draft, rng):
    found = in_kind(draft, "io")
    if len(found) < 2:
        return False
    a, b = rng.sample(found, 2)
    a["offset"] = b["offset"]
    return True


@attack("a constant over another")
def data_over_data(draft, rng):
    found = in_kind(draft, "const")
    if len(found) < 2:
        return False
    a, b = rng.sample(found, 2)
    a["offset"] = b["offset"]
    return True


@attack("a value in the pool of constants")
def among_data(draft, rng):
    pools = [i for i, p in enumerate(draft.pools) if p["kind"] == "const" and p["size"] > 0]
    s = pick(rng, (draft.storages[i] for i in draft.movable()))
    if s is None or not pools or draft.pools[pools[0]]["size"] < s["size"]:
        return False
    s.update(pool=pools[0], offset=0)
    return True


@attack("a value over an input that the caller keeps")
def over_input(draft, rng):
    found = [i for i, s in enumerate(draft.storages) if draft.values[s["root"]]["role"] in ("input", "state")]
    s, t = pick(rng, (draft.storages[i] for i in draft.movable() if i not in found)), pick(rng, (draft.storages[i] for i in found))
    if s is None or t is None or s["size"] > t["size"]:
        return False
    s.update(pool=t["pool"], offset=t["offset"])
    return True


def nested(draft, rng, ops, outside):
    """(storage of a body's value, storage of a value around it, or of the body, alive meanwhile)."""
    found = []
    for i, s in enumerate(draft.steps):
        if s["kind"] != "begin" or s["nodes"][0]["op"] not in ops:
            continue
        graphs = tuple(b["graph"] for b in s["bodies"])
        inner = [x for x in draft.movable() if draft.values[draft.storages[x]["root"]]["graph"] in graphs]
        for a in inner:
            for b in draft.movable():
                of_body = draft.values[draft.storages[b]["root"]]["graph"] in graphs
                if a != b and of_body != outside and draft.storages[a]["pool"] == draft.storages[b]["pool"] and \
                        draft.storages[b]["first"] < s["partner"] and draft.storages[b]["last"] >= i:
                    found.append((a, b))
    return pick(rng, found)


@attack("a value of a branch over one of the graph around it")
def branch_over_outer(draft, rng):
    found = nested(draft, rng, ("If",), True)
    if found:
        draft.storages[found[0]]["offset"] = draft.storages[found[1]]["offset"]
    return bool(found)


@attack("a value of a loop's body over one of the graph around it")
def loop_over_outer(draft, rng):
    found = nested(draft, rng, ("Loop", "Scan"), True)
    if found:
        draft.storages[found[0]]["offset"] = draft.storages[found[1]]["offset"]
    return bool(found)


@attack("a value of a loop's body over another, or over what it carries on")
def loop_over_carried(draft, rng):
    found = nested(draft, rng, ("Loop", "Scan"), False)
    if found:
        draft.storages[found[0]]["offset"] = draft.storages[found[1]]["offset"]
    return bool(found)


@attack("what a loop carries on written over its argument, which is still read")
def carried_in_place(draft, rng):
    found = []
    for s in draft.steps:
        for m in s["moves"]:
            if m["when"] == "next" and m["what"] == "copy" and draft.in_arena(m["from"]) and draft.in_arena(m["to"]) \
                    and draft.alone(m["from"]) and draft.values[m["from"]]["storage"] != draft.values[m["to"]]["storage"]:
                found.append(m)
    m = pick(rng, found)
    if m is None:
        return False
    draft.join(m["from"], m["to"], draft.values[m["to"]]["offset"], "inplace")
    return True


@attack("a move left out, turned round, or of something else")
def wrong_move(draft, rng):
    s = pick(rng, (s for s in draft.steps if s["moves"]))
    if s is None:
        return False
    m = rng.choice(s["moves"])
    way = rng.randrange(4)
    if way == 0:
        s["moves"].remove(m)
    elif way == 1 and m["from"] is not None:
        m["from"], m["to"] = m["to"], m["from"]
    elif way == 2:
        other = rng.choice(s["moves"])
        m["to"], other["to"] = other["to"], m["to"]
        return m is not other
    else:
        m["when"] = rng.choice([w for w in ("begin", "iteration", "next", "after", "end", "none") if w != m["when"]])
    return True


@attack("operands of a step, or its results, in another order")
def operands_swapped(draft, rng):
    lists = [s[key] for s in draft.steps for key in ("operands", "results") if len(set(s[key])) > 1]
    found = pick(rng, lists)
    if found is None:
        return False
    before = list(found)
    a, b = rng.sample(range(len(found)), 2)
    found[a], found[b] = found[b], found[a]
    return found != before


@attack("a step that reads another value of the same type")
def other_operand(draft, rng):
    found = []
    for i, s in enumerate(draft.steps):
        for k, v in enumerate(s["operands"]):
            for w, value in enumerate(draft.values):
                if v is not None and w != v and value["type"] == draft.values[v]["type"] and value["graph"] == s["graph"] \
                        and value["storage"] is not None and value["first"] < i:
                    found.append((s, k, w))
    found = pick(rng, found)
    if found:
        s, k, w = found
        old = s["operands"][k]
        s["operands"][k] = w
        s["reads"] = list(dict.fromkeys(w if r == old else r for r in s["reads"]))
    return bool(found)


@attack("an operand of which only the shape is said to be read, its bytes given away")
def shape_only_lie(draft, rng):
    found = [(s, k, v) for s in draft.steps if s["kind"] == "op" and not s["idle"] for k, v in enumerate(s["operands"])
             if v is not None and k not in s["shape_only"] and s["operands"].count(v) == 1 and v in s["reads"]]
    found = pick(rng, found)
    if not found:
        return False
    s, k, v = found
    s["shape_only"] = sorted([*s["shape_only"], k])
    s["reads"].remove(v)
    value = draft.values[v]
    if value["last"] == draft.steps.index(s):
        value["last"] = max([value["first"], *draft.readers(v)])
    return True


@attack("a clone, or who reads it, that needs what is gone")
def clone_of_gone(draft, rng):
    found = []
    for i, s in enumerate(draft.steps):
        if s["clone_of"] is None:
            continue
        for v in s["operands"]:
            if v is not None and draft.in_arena(v):
                found += [(v, x) for x in draft.movable() if x != draft.values[v]["storage"] and draft.storages[x]["first"] < i
                          and draft.storages[x]["first"] > draft.values[v]["first"]]
    found = pick(rng, found)
    if found:
        v, x = found
        draft.storages[x]["offset"] = draft.storages[draft.values[v]["storage"]]["offset"]
    return bool(found)


@attack("a step behind a clone that reads the first result, given up since")
def clone_not_used(draft, rng):
    clones = {i: v["clone_of"] for i, v in enumerate(draft.values) if "clone_of" in v}
    found = [(s, k) for s in draft.steps for k, v in enumerate(s["operands"]) if v in clones]
    found = pick(rng, found)
    if found:
        s, k = found
        v = s["operands"][k]
        s["operands"][k] = clones[v]
        s["reads"] = list(dict.fromkeys(clones[v] if r == v else r for r in s["reads"]))
    return bool(found)


@attack("two results of a step in the same bytes")
def results_together(draft, rng):
    found = [(s["results"], s) for s in draft.steps if s["kind"] == "op" and not s["idle"]
             and sum(r is not None and draft.in_arena(r) and draft.alone(r) for r in s["results"]) > 1]
    found = pick(rng, found)
    if not found:
        return False
    a, b = [r for r in found[0] if r is not None and draft.in_arena(r) and draft.alone(r)][:2]
    if rng.random() < 0.5:
        draft.join(b, a, 0, "share")
    else:
        draft.storages[draft.values[b]["storage"]]["offset"] = draft.storages[draft.values[a]["storage"]]["offset"]
    return True


@attack("two values of overlapping life that share one storage")
def shared_storage(draft, rng):
    found = pair(draft, rng)
    if not found or len(draft.members(found[0])) != 1:
        return False
    v, w = draft.storages[found[0]]["root"], draft.storages[found[1]]["root"]
    draft.join(v, w, 0, rng.choice(("share", "update", "view", "inplace")))
    return True


@attack("two values of one storage that take turns, in whatever order")
def shared_in_time(draft, rng):
    found = pair(draft, rng, alive=False)
    if not found or len(draft.members(found[0])) != 1:
        return False
    v, w = draft.storages[found[0]]["root"], draft.storages[found[1]]["root"]
    draft.join(v, w, 0, rng.choice(("share", "view", "update", "inplace")))
    return True


@attack("a storage that ends beyond its pool")
def beyond_pool(draft, rng):
    s = pick(rng, (draft.storages[i] for i in draft.movable()))
    if s:
        s["offset"] = draft.pools[s["pool"]]["size"] - draft.pools[s["pool"]]["align"] * rng.randrange(2)
        draft.keep_sizes = True
    return s is not None


@attack("a value said to be smaller, its storage with it")
def smaller(draft, rng):
    v = pick(rng, (v for i, v in enumerate(draft.values) if draft.in_arena(i) and draft.alone(i) and v["bytes"] > 8))
    if v:
        v["bytes"] //= 2
        draft.storages[v["storage"]]["size"] = v["bytes"]
    return v is not None


@attack("a result inside an operand, a unit nearer than its order allows")
def nearer(draft, rng):
    found = [(v, o) for v in draft.values for o in v.get("overlaps", ())]
    found = pick(rng, found)
    if not found:
        return False
    v, o = found
    s = draft.storages[v["storage"]]
    s["offset"] += rng.choice((1, 2)) * max(s["align"], draft.pools[s["pool"]]["align"])
    return True


@attack("a plan for one order that is called one for any")
def called_dataflow(draft, rng):
    if "concurrency" in draft.variant or not any(s["hazards"] for s in draft.steps) or any("overlaps" in v for v in draft.values):
        return False
    for s in draft.steps:
        s["hazards"] = []
    draft.variant.update(concurrency="dataflow", queues=0)
    draft.variant["report"].update(depth=0, data_depth=0, serial=0)
    return True


@attack("a step in another queue")
def other_queue(draft, rng):
    if draft.variant.get("concurrency") != "queues" or draft.variant["queues"] < 2 or not is_flat(draft):
        return False
    s = rng.choice(draft.steps)
    s["queue"] = (s["queue"] + 1) % draft.variant["queues"]
    return True


@attack("in a plan for any order or for queues, bytes taken that another order still needs")
def taken_beside(draft, rng):
    if "concurrency" not in draft.variant:
        return False
    found = pair(draft, rng, alive=False)
    if found:
        draft.storages[found[0]]["offset"] = draft.storages[found[1]]["offset"]
    return bool(found)


@attack("a storage further back, in bytes of nobody (right)")
def moved_away(draft, rng):
    s = pick(rng, (draft.storages[i] for i in draft.movable()))
    if s:
        s["offset"] = draft.far(s["size"], s["pool"])
    return s is not None


@attack(PLAIN + " (right)")
def untouched(draft, rng):
    return True
