"""Hostile plans by pattern. Each attack changes a draft in one way that would corrupt data, or might, and says whether it
found a place for it; what follows from the change is worked out by the draft."""

ATTACKS = {}
PLAIN = "the plan as it is, made consistent again"


def attack(says):
    def add(function):
        ATTACKS[function.__name__] = (says, function)
        return function
    return add


def pick(rng, choices):
    choices = list(choices)
    return rng.choice(choices) if choices else None


def pair(draft, rng, alive=True):
    """Two storages of one arena that are alive together, or not."""
    found = draft.movable()
    rng.shuffle(found)
    for k, a in enumerate(found):
        for b in found[k + 1:]:
            if draft.storages[a]["pool"] == draft.storages[b]["pool"] and draft.alive_together(a, b) == alive:
                return (a, b) if rng.random() < 0.5 else (b, a)
    return None


def operand_and_result(draft, rng, fits):
    """(step, position of the operand, of the result) of an op where both have storages of their own."""
    found = []
    for i, s in enumerate(draft.steps):
        if s["kind"] != "op" or s["idle"]:
            continue
        for k, v in enumerate(s["operands"]):
            for p, r in enumerate(s["results"]):
                if v is not None and r is not None and draft.in_arena(v) and draft.in_arena(r) and draft.alone(r) \
                        and draft.values[v]["storage"] != draft.values[r]["storage"] and fits(s, v, r):
                    found.append((i, k, p))
    return pick(rng, found)


def same_size(draft):
    return lambda s, v, r: draft.values[v]["bytes"] == draft.values[r]["bytes"]


def by_position(claim):
    return -1 if claim["result"] is None else claim["result"], claim["operand"]


def write_over(draft, found, promise, alias="inplace", offset=0):
    i, k, p = found
    s = draft.steps[i]
    v, r = s["operands"][k], s["results"][p]
    if promise is not None:
        s["claims"] = [c for c in s["claims"] if c["result"] != p] + [{"result": p, "operand": k, "promise": promise}]
        s["claims"].sort(key=by_position)
    draft.join(r, v, draft.values[v]["offset"] + offset, alias)
    return True


@attack("a storage over another of overlapping life")
def over_live(draft, rng):
    found = pair(draft, rng)
    if found:
        draft.storages[found[0]]["offset"] = draft.storages[found[1]]["offset"]
    return bool(found)


@attack("a storage over the end of another of overlapping life")
def over_tail(draft, rng):
    found = pair(draft, rng)
    if not found:
        return False
    a, b = (draft.storages[x] for x in found)
    align = max(a["align"], draft.pools[a["pool"]]["align"])
    a["offset"] = b["offset"] + (b["size"] - 1) // align * align
    return True


@attack("a storage a step of the alignment nearer to its neighbour")
def shifted(draft, rng):
    s = pick(rng, (draft.storages[i] for i in draft.movable()))
    if s is None:
        return False
    align = max(s["align"], draft.pools[s["pool"]]["align"])
    s["offset"] = max(0, s["offset"] + rng.choice((-align, align)))
    return True


@attack("a storage an element further, its alignment with it")
def shifted_element(draft, rng):
    s = pick(rng, (draft.storages[i] for i in draft.movable()))
    if s is not None:
        s["offset"], s["align"] = s["offset"] + rng.choice((1, 4)), rng.choice((1, 4, s["align"]))
    return s is not None


@attack("a result over an operand that a later step reads, claimed element by element")
def over_read_later(draft, rng):
    found = operand_and_result(draft, rng, lambda s, v, r: same_size(draft)(s, v, r) and draft.values[v]["last"] > draft.steps.index(s))
    return bool(found) and write_over(draft, found, "elements")


@attack("a result over an operand that is broadcast, claimed element by element")
def over_broadcast(draft, rng):
    found = operand_and_result(draft, rng, lambda s, v, r: draft.values[v]["dims"] != draft.values[r]["dims"])
    return bool(found) and write_over(draft, found, "elements")


@attack("a result over an operand by an op that does not go by elements")
def over_other_op(draft, rng):
    found = operand_and_result(draft, rng, lambda s, v, r: s["nodes"][0]["op"] in
                               ("MatMul", "Softmax", "Transpose", "Conv", "ReduceSum", "TopK", "Gather", "Slice", "Concat", "MaxPool"))
    return bool(found) and write_over(draft, found, rng.choice(("elements", "rows", "update", "ascending", "keep")))


@attack("a result over an operand, nothing claimed")
def over_silent(draft, rng):
    found = operand_and_result(draft, rng, same_size(draft))
    return bool(found) and write_over(draft, found, None)


@attack("a claim that is left out")
def claim_lost(draft, rng):
    s = pick(rng, (s for s in draft.steps if s["claims"] and not s["idle"]))
    if s:
        s["claims"].pop(rng.randrange(len(s["claims"])))
    return s is not None


@attack("a claim that promises something else")
def claim_other(draft, rng):
    s = pick(rng, (s for s in draft.steps if s["claims"]))
    if s:
        c = rng.choice(s["claims"])
        c["promise"] = rng.choice([p for p in ("keep", "elements", "rows", "update", "ascending", "descending", "definition")
                                   if p != c["promise"]])
    return s is not None


@attack("a view at another part of its storage")
def view_elsewhere(draft, rng):
    found = [v for v in draft.values if v["alias"] == "view" and v["storage"] is not None and v["bytes"] > 0
             and draft.storages[v["storage"]]["size"] > v["bytes"]]
    v = pick(rng, found)
    if v is None:
        return False
    room = draft.storages[v["storage"]]["size"] - v["bytes"]
    steps = [o for o in (v["offset"] + 4, v["offset"] - 4, v["offset"] + v["bytes"], v["offset"] - v["bytes"], 0, room)
             if 0 <= o <= room and o != v["offset"]]
    if not steps:
        return False
    v["offset"] = rng.choice(steps)
    return True


@attack("a view of what an op computes, and nothing run")
def view_of_computed(draft, rng):
    found = operand_and_result(draft, rng, lambda s, v, r: same_size(draft)(s, v, r) and len(s["results"]) == 1)
    if not found:
        return False
    idle(draft.steps[found[0]])
    return write_over(draft, found, None, "view")


def idle(step):
    step.update(idle=True, claims=[])


@attack("a step with work that is said to be idle")
def idle_with_work(draft, rng):
    s = pick(rng, (s for s in draft.steps if s["kind"] == "op" and not s["idle"]))
    if s:
        idle(s)
    return s is not None


def gatherings(draft, rng, whole):
    """(step, position) of a Concat's operand that could lie in the result; its offset there."""
    found = []
    for i, s in enumerate(draft.steps):
        if s["kind"] != "op" or s["idle"] or s["nodes"][0]["op"] != "Concat" or draft.values[s["results"][0]]["storage"] is None:
            continue
        at = 0
        for k, v in enumerate(s["operands"]):
            if v is None or not isinstance(draft.values[v]["bytes"], int):
                break
            if draft.in_arena(v) and draft.alone(v) and draft.values[v]["storage"] != draft.values[s["results"][0]]["storage"]:
                found.append((i, k, at))
            at += draft.values[v]["bytes"]
    return pick(rng, found)


def gather(draft, i, k, offset):
    s = draft.steps[i]
    r = s["results"][0]
    s["claims"].append({"result": 0, "operand": k, "promise": "keep"})
    s["claims"].sort(key=by_position)
    draft.join(s["operands"][k], r, draft.values[r]["offset"] + offset, "view")
    return True


@attack("an operand gathered into a Concat's result (where the result is free, right)")
def gathered(draft, rng):
    found = gatherings(draft, rng, True)
    return bool(found) and gather(draft, *found)


@attack("an operand gathered into a result that lies over a live value")
def gathered_over_live(draft, rng):
    found = gatherings(draft, rng, True)
    if not found:
        return False
    i, k, at = found
    result = draft.values[draft.steps[i]["results"][0]]["storage"]
    born = draft.values[draft.steps[i]["operands"][k]]["first"]
    others = [x for x in draft.movable() if x != result and draft.storages[x]["pool"] == draft.storages[result]["pool"]
              and draft.storages[x]["last"] >= born and x != draft.values[draft.steps[i]["operands"][k]]["storage"]]
    other = pick(rng, others)
    if other is None or draft.pools[draft.storages[result]["pool"]]["kind"] != "arena":
        return False
    draft.storages[result]["offset"] = draft.storages[other]["offset"]
    return gather(draft, i, k, at)


@attack("an operand gathered at the part of another")
def gathered_elsewhere(draft, rng):
    found = gatherings(draft, rng, True)
    if not found:
        return False
    i, k, at = found
    s = draft.steps[i]
    room = draft.values[s["results"][0]]["bytes"] - draft.values[s["operands"][k]]["bytes"]
    wrong = [o for o in (0, room, at + 4, at - 4) if 0 <= o <= room and o != at]
    return bool(wrong) and gather(draft, i, k, rng.choice(wrong))


@attack("all of a Concat's operands at one part of the result")
def gathered_together(draft, rng):
    found = gatherings(draft, rng, True)
    if not found:
        return False
    done = False
    s = draft.steps[found[0]]
    for k, v in enumerate(s["operands"]):
        if v is not None and draft.in_arena(v) and draft.alone(v) and s["operands"].count(v) == 1:
            done = gather(draft, found[0], k, 0)
    return done


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
