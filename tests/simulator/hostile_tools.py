"""What attacks are made of. Each attack changes a draft in one way that would corrupt data, or might, and says whether it
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


def idle(step):
    step.update(idle=True, claims=[])
