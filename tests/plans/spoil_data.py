"""Ways of spoiling a plan that has extents which data give."""
from spoil_parts import Skip, first


def extents(plan):
    return plan.get("by_data", [])


def by_data_values(plan):
    """Values, axes and the places of expressions in which such extents stand."""
    names = {d["dim"] for d in extents(plan)}
    for v in plan["values"]:
        for axis, dim in enumerate(v["extents"]):
            if isinstance(dim, dict) and plan["expressions"][dim["expr"]] in names:
                yield v, axis, dim["expr"]


def limit_lie(plan):
    d = first((d for d in extents(plan) if isinstance(d["most"], int) and d["most"] > 0), "an extent that data give")
    d["most"] -= 1


def renamed_extent(plan):
    first(extents(plan), "an extent that data give")["dim"] += "'"


def other_axis(plan):
    d = first((d for d in extents(plan) if len(plan["values"][d["value"]]["dims"]) > 1),
              "an extent that data give among others")
    d["axis"] = (d["axis"] + 1) % len(plan["values"][d["value"]]["dims"])


def other_holder(plan):
    d = first((d for d in extents(plan)), "an extent that data give")
    holders = {id(v) for v, _, expr in by_data_values(plan) if plan["expressions"][expr] == d["dim"]}
    d["value"] = first((i for i, v in enumerate(plan["values"]) if id(v) not in holders and len(v["dims"]) > d["axis"]),
                       "a value without that extent")


def later_holder(plan):
    """A value that has the extent, too, and is made of the one that has it first."""
    for d in extents(plan):
        steps = {i: v["step"] for i, v in enumerate(plan["values"]) if v.get("step") is not None}
        for i, v in enumerate(plan["values"]):
            for axis, dim in enumerate(v["extents"]):
                if (isinstance(dim, dict) and plan["expressions"][dim["expr"]] == d["dim"] and i in steps
                        and steps[i] > steps.get(d["value"], -1)):
                    d["value"], d["axis"] = i, axis
                    return
    raise Skip("a value with an extent of one before")


def forgotten_extent(plan):
    first(extents(plan), "an extent that data give")
    del plan["by_data"][0]
    if not plan["by_data"]:
        del plan["by_data"]


def extent_of_nobody(plan):
    """One more than the values have."""
    d = first(extents(plan), "an extent that data give")
    plan["by_data"].append({**d, "dim": "zz nobody's"})


def extent_at_its_most(plan):
    most = {d["dim"]: d["most"] for d in extents(plan) if isinstance(d["most"], int)}
    v, axis, expr = first((e for e in by_data_values(plan) if plan["expressions"][e[2]] in most), "a value of such an extent")
    v["dims"][axis] = v["extents"][axis] = most[plan["expressions"][expr]]


def extent_of_another(plan):
    found = list(by_data_values(plan))
    v, axis, other = first(((v, axis, b) for v, axis, a in found for _, _, b in found if a != b), "two extents that data give")
    v["extents"][axis] = {"expr": other}


def over_other_extents(plan):
    """Written over an operand with as many bytes at the most, and other extents in a run."""
    places = {id(v) for v, _, _ in by_data_values(plan)}
    for i, step in enumerate(plan["steps"]):
        for taker in (plan["values"][w] for w in step["writes"]):
            for at in step["reads"]:
                v = plan["values"][at]
                if (v["role"] == taker["role"] == "internal" and v["last"] == i and v["alias"] == taker["alias"] == "none"
                        and v["bytes"] == taker["bytes"] > 0 and v["extents"] != taker["extents"]
                        and {id(v), id(taker)} & places):
                    taker.update(alias="inplace", alias_of=at, storage=v["storage"], offset=v["offset"])
                    return
    raise Skip("an operand of other extents that is as large at the most")


SPOILS = [limit_lie, renamed_extent, other_axis, other_holder, later_holder, forgotten_extent, extent_of_nobody, extent_at_its_most,
          extent_of_another, over_other_extents]
