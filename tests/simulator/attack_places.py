"""Attacks on places, claims and aliases."""

from hostile_tools import attack, by_position, idle, operand_and_result, pair, pick, same_size, write_over


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
    same = same_size(draft)
    found = operand_and_result(draft, rng, lambda s, v, r: same(s, v, r) and draft.values[v]["last"] > draft.steps.index(s))
    return bool(found) and write_over(draft, found, "elements")


@attack("a result over an operand that is broadcast, claimed element by element")
def over_broadcast(draft, rng):
    found = operand_and_result(draft, rng, lambda s, v, r: draft.values[v]["dims"] != draft.values[r]["dims"])
    return bool(found) and write_over(draft, found, "elements")


@attack("a result over an operand by an op that does not go by elements")
def over_other_op(draft, rng):
    others = "MatMul Softmax Transpose Conv ReduceSum TopK Gather Slice Concat MaxPool".split()
    found = operand_and_result(draft, rng, lambda s, v, r: s["nodes"][0]["op"] in others)
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


@attack("a step with work that is said to be idle")
def idle_with_work(draft, rng):
    s = pick(rng, (s for s in draft.steps if s["kind"] == "op" and not s["idle"]))
    if s:
        idle(s)
    return s is not None


def gatherings(draft, rng):
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
    found = gatherings(draft, rng)
    return bool(found) and gather(draft, *found)


@attack("an operand gathered into a result that lies over a live value")
def gathered_over_live(draft, rng):
    found = gatherings(draft, rng)
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
    found = gatherings(draft, rng)
    if not found:
        return False
    i, k, at = found
    s = draft.steps[i]
    room = draft.values[s["results"][0]]["bytes"] - draft.values[s["operands"][k]]["bytes"]
    wrong = [o for o in (0, room, at + 4, at - 4) if 0 <= o <= room and o != at]
    return bool(wrong) and gather(draft, i, k, rng.choice(wrong))


@attack("all of a Concat's operands at one part of the result")
def gathered_together(draft, rng):
    found = gatherings(draft, rng)
    if not found:
        return False
    done = False
    s = draft.steps[found[0]]
    for k, v in enumerate(s["operands"]):
        if v is not None and draft.in_arena(v) and draft.alone(v) and s["operands"].count(v) == 1:
            done = gather(draft, found[0], k, 0)
    return done
