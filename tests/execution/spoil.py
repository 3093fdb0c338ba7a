"""Plans made wrong on purpose: an execution that does not notice each of them proves nothing.

Every spoiler takes a plan and gives copies of it with one fault each, of which every one corrupts data
that a later step reads.
"""

import copy

MOST = 6  # faults of a kind a plan


def reads_of(plan):
    """value -> steps that read it."""
    found = {}
    for at, step in enumerate(plan["steps"]):
        for vid in step["reads"]:
            found.setdefault(vid, []).append(at)
    return found


def movable(plan):
    """Storages of the arena that hold one value, which an op writes and some later op reads."""
    members = {}
    for vid, value in enumerate(plan["values"]):
        if value["storage"] is not None:
            members.setdefault(value["storage"], []).append(vid)
    reads = reads_of(plan)
    for index, storage in enumerate(plan["storages"]):
        inside = members.get(index, [])
        alone = len(inside) == 1 and plan["pools"][storage["pool"]]["kind"] == "arena"
        if (
            alone
            and storage["size"] >= 16
            and plan["values"][inside[0]]["step"] is not None
            and reads.get(inside[0])
        ):
            yield index, inside[0], reads[inside[0]]


def overlapping(plan):
    """One value moved onto another that is still read after it is written."""
    some = list(movable(plan))
    n = 0
    for first, vid, reads in some:
        for second, other, _ in some:
            at = plan["values"][other]["step"]
            if first != second and n < MOST and plan["values"][vid]["step"] < at < max(reads):
                wrong = copy.deepcopy(plan)
                wrong["storages"][second]["offset"] = wrong["storages"][first]["offset"]
                wrong["pools"][wrong["storages"][second]["pool"]]["size"] += wrong["storages"][second]["size"]
                n += 1
                yield wrong
                break


def freed_early(plan):
    """The bytes of a value freed before the last step that reads it."""
    for index, vid, reads in list(movable(plan))[:MOST]:
        if index in plan["steps"][max(reads)]["frees"] and max(reads) > plan["values"][vid]["step"]:
            wrong = copy.deepcopy(plan)
            wrong["steps"][max(reads)]["frees"].remove(index)
            wrong["steps"][max(reads) - 1]["frees"].append(index)
            yield wrong


def false_views(plan):
    """A result called a view of an operand where the op computes."""
    n = 0
    for step in plan["steps"]:
        if (
            step["op"] not in ("Relu", "Add", "LogSoftmax", "Softmax", "Conv", "BatchNormalization")
            or n == MOST
        ):
            continue
        result = plan["values"][step["writes"][0]]
        for vid in step["reads"][:1]:
            operand = plan["values"][vid]
            if operand["bytes"] == result["bytes"] and operand["storage"] is not None:
                wrong = copy.deepcopy(plan)
                wrong["values"][step["writes"][0]].update(
                    alias="view", alias_of=vid, storage=operand["storage"], offset=operand["offset"]
                )
                wrong["steps"][plan["steps"].index(step)]["claims"] = []
                n += 1
                yield wrong


def reordered(plan):
    """Two neighbouring steps of one graph swapped though the second reads what the first writes."""
    n = 0
    for at in range(len(plan["steps"]) - 1):
        one, two = plan["steps"][at : at + 2]
        if one["kind"] == two["kind"] == "op" and set(one["writes"]) & set(two["reads"]) and n < MOST:
            wrong = copy.deepcopy(plan)
            wrong["steps"][at], wrong["steps"][at + 1] = wrong["steps"][at + 1], wrong["steps"][at]
            n += 1
            yield wrong


def begun_too_late(plan):
    """A result that has to begin before an operand, in whose bytes it ends, moved to where that begins, or to where it
    begins a byte too late."""
    n = 0
    for vid, value in enumerate(plan["values"]):
        for inside in value.get("overlaps", []):
            if inside["distance"] == 0 or n == MOST:
                continue
            wrong = copy.deepcopy(plan)
            result, operand = wrong["values"][vid], wrong["values"][inside["value"]]
            into, of = (wrong["storages"][v["storage"]] for v in (result, operand))
            apart = of["offset"] + operand["offset"] - into["offset"] - result["offset"]
            left = 0 if n % 2 == 0 else inside["distance"] - 1
            into["offset"] += apart - left
            result["overlaps"][0]["distance"] = left
            pool = wrong["pools"][into["pool"]]
            pool["size"] = max(pool["size"], into["offset"] + into["size"])
            n += 1
            yield wrong


SPOILERS = (overlapping, freed_early, false_views, reordered, begun_too_late)
