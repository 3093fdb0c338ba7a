"""Plans in JSON, spoiled where they speak of pools: sizes, costs, traffic, capacities, sections (mutate.py)."""

from spoil_parts import Skip, arena, first, together


def pool_lie(plan):
    plan["pools"][arena(plan)[0]]["size"] += 1 << 20


def priced(plan):
    return first((p for p in plan["pools"] if p["cost"] > 0), "a pool with a cost")


def traffic_lie(plan):
    priced(plan)["traffic"] += 4


def cost_lie(plan):
    priced(plan)
    plan["report"]["cost"] -= 1


def cost_bound_lie(plan):
    priced(plan)
    plan["report"]["cost_bound"] = plan["report"]["cost"] + 1


def cheaper_pool(plan):
    """A pool costs less than what its traffic adds up to."""
    pool = first((p for p in plan["pools"] if p["cost"] > 0 < p["traffic"]), "a pool with traffic")
    pool["cost"] += 1


def smaller_capacity(plan):
    pool = first((p for p in plan["pools"] if p["capacity"] > 0 < p["size"]), "a pool with a capacity")
    pool["capacity"] = pool["size"] - 1


def swapped_pool(plan):
    """A storage at its offset in another pool of the kind, where it lies on others."""
    pools = plan["pools"]
    for a, b in together(plan):
        if a["pool"] != b["pool"] and pools[a["pool"]]["cost"] > 0 and a["size"] > 0 < b["size"]:
            a["pool"], a["offset"] = b["pool"], b["offset"]
            return
    raise Skip("two arenas in use at the peak")


def other_section(plan):
    """The plan's own options say where pools go."""
    pool = first((p for p in plan["pools"] if p["cost"] > 0), "a pool of the user's")
    pool["section"] = ".elsewhere"


def copied_lie(plan):
    pool = first((p for p in plan["pools"] if p.get("copied") and p["size"] > 0), "a pool of copies")
    del pool["copied"]
