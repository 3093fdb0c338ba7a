"""What ways of spoiling a plan in JSON (mutate.py) share."""


class Skip(Exception):
    """The plan has nothing this way of spoiling could change."""


def arena(plan):
    return [i for i, p in enumerate(plan["pools"]) if p["kind"] == "arena"]


def first(items, what):
    for item in items:
        return item
    raise Skip(what)


def together(plan):
    """Pairs of unpinned storages of one arena that live at the same time."""
    peak = [plan["storages"][i] for i in plan["report"]["peak"]]
    for i, a in enumerate(peak):
        for b in peak[i + 1:]:
            yield a, b
