"""What `tenure check` may accept of a plan with one field altered: for each such field the sentence of docs/CHECKER.md that
says so, and what has to hold of the alteration. Whatever else it accepts is a hole, in the checker or in the document."""

import fnmatch
import json
import os

from field_walk import ABSENT
import field_waits

# Fields that no plan here has, with the reason.
NEVER = {}


class Case:
    """One alteration: what it was made of, and the variant it was made in, if in one."""

    def __init__(self, planned, obj, key, old, new):
        self.planned, self.obj, self.key, self.old, self.new = planned, obj, key, old, new
        self.variants = [v for p in planned.document["programs"] for v in p["variants"]]
        self.variant = next((v for v in self.variants if holds(v, obj)), self.variants[0])

    def index(self, name):
        return next(i for i, x in enumerate(self.variant[name]) if x is self.obj)


def holds(value, obj):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value is obj or any(holds(v, obj) for v in inner)


def without_empty(c):
    return all(p["size"] == 0 for p in c.old if p not in c.new) and all(p in c.old for p in c.new)


def in_order(c):
    """What the file numbers comes in the order of the numbers."""
    steps = [s for s in c.variant["steps"] if s["graph"] == "" and s["kind"] != "end"]
    at = [n["index"] for s in steps for n in s["nodes"] if n["index"] >= 0]
    return at == sorted(at)


def a_text(c):
    return isinstance(c.new, str)


def anything(_):
    return True


def less(c):
    return isinstance(c.new, int) and c.new < c.old


def more(c):
    return isinstance(c.new, int) and (c.old is ABSENT or c.new > c.old)


def false_now(c):
    return c.new is False


def true_now(c):
    return c.new is True


def key_of(x):
    return json.dumps(x, sort_keys=True)


def same_set(c):
    return {key_of(x) for x in c.new} == {key_of(x) for x in c.old}


def same_items(c):
    return sorted(map(key_of, c.new)) == sorted(map(key_of, c.old))


def nothing_more(c):
    return c.old is ABSENT and c.new == []


def same_number(c):
    return c.new == c.old


def only_fewer(c):
    return all(x in c.old for x in c.new) and len({x["storage"] for x in c.new}) == len(c.new)


def wider(c):
    """Of what is in the storage nothing lives before or behind the new range; or the storage is pinned, whatever it says."""
    if c.obj["pinned"]:
        return True
    s = {**c.obj, c.key: c.new}
    inside = [v for v in c.variant["values"] if v["storage"] == c.index("storages")]
    return all(s["first"] <= v["first"] and v["last"] <= s["last"] for v in inside)


def covers_uses(c):
    """The new range has all steps that name the value, and what the caller does with it."""
    v, at = {**c.obj, c.key: c.new}, c.index("values")
    if v["first"] <= c.obj["first"] and v["last"] >= c.obj["last"]:
        return True
    used = [i for i, s in enumerate(c.variant["steps"]) if at in s["reads"] or at in s["writes"]]
    used += [-1] if v["role"] in ("input", "const", "state") else []
    used += [len(c.variant["steps"])] if v["role"] in ("input", "output", "state") and v["storage"] is not None else []
    return all(v["first"] <= i <= v["last"] for i in used)


def larger(c):
    return isinstance(c.new, dict) or more(c)


def in_storage(c):
    return c.variant["values"][c.new]["storage"] == c.index("storages")


def kept(c):
    return c.new == 0 or c.obj["size"] <= c.new


def holds_nothing(c):
    pool = next(i for i, p in enumerate(c.planned.document["pools"]) if p is c.obj)
    return c.obj["size"] == 0 and all(s["pool"] != pool for v in c.variants for s in v["storages"])


def fewer_options(c):
    return all(o in c.old for o in c.new)


def of_the_loop(c):
    step = c.variant["steps"][c.old]
    return step["kind"] == "end" and c.new == step["partner"]


def unused_now(c):
    """Nothing refers behind what was there."""
    return c.new[:len(c.old)] == c.old


def one_order(c):
    return "concurrency" not in c.variant


def more_waits(c):
    return one_order(c) and set(c.old) <= set(c.new) or field_waits.orders(c.variant, c.obj, c.new)


def waits_enough(c):
    return field_waits.frees(c.variant, c.obj, c.new)


def below_size(c):
    return c.new <= c.obj["size"]


def still_aligned(c):
    pool = c.planned.document["pools"][c.obj["pool"]]
    return all(x % c.new == 0 for x in (c.obj["offset"], pool.get("base_align", pool["align"])))


def pinned_anyway(c):
    """Either way nobody else's: the range that is stated is the whole run."""
    whole = c.obj["first"] == -1 and c.obj["last"] == len(c.variant["steps"])
    return c.new is True or whole


def elsewhere(c):
    align = max(c.obj["align"], c.planned.document["pools"][c.obj["pool"]]["align"])
    return c.new % align == 0 and field_waits.fits(c.variant, c.obj, c.new)


def more_below(c):
    return set(c.old) <= set(c.new)


def at_the_peak(c):
    return c.new >= 0 or c.old < 0


# (fields, what the alteration has to be, the sentence).
RULES = [
    ("plan.tenure plan.pipeline report.algorithm", a_text, "it says who made the plan and how"),
    ("plan.facts", nothing_more, "a list left out is an empty one"),
    ("plan.options", lambda c: fewer_options(c) or same_set(c),
     "a missing one asks for nothing"),
    ("plan.options[].value plan.options[].key", a_text, "What an option only asks of a planner, how much was searched, and what `state` and `link` were given, is a record"),
    ("plan.expressions", unused_now, "| `expressions` | with more that nothing names |"),
    ("plan.links step.reads step.writes step.hazards free.after storage.above report.peak program.variants "
     "value.overlaps step.claims", same_set,
     "sets: in any order, entries repeated"),
    ("step.moves", same_items, "| `moves` | in any order beside `when` |"),
    ("pool.name", a_text, "| `name` of a pool | any that no other pool has |"),
    ("pool.section", a_text, "it is handed on as it is"),
    ("pool.capacity", kept, "| `capacity` | any that the pool keeps |"),
    ("pool.kind pool.align", holds_nothing, "of any kind, with any power of two for its alignment"),
    ("pool.align pool.base_align", more, "more alignment than what lies in the pool needs"),
    ("pool.bound need.bound report.cost_bound report.order_bound", less, "a lower bound that is lower"),
    ("pool.bound need.bound report.order_bound", below_size, "a lower bound below the size"),
    ("storage.align", still_aligned, "any alignment that its place keeps"),
    ("storage.pinned", pinned_anyway, "| `pinned` | either, where nobody else has the bytes |"),
    ("storage.offset", elsewhere, "others where everything still holds: that is another plan"),
    ("storage.above", more_below, "others where everything still holds: that is another plan"),
    ("report.optimal", false_now, "`optimal` not said"),
    ("report.level0 report.level1 report.order_bound report.other_order report.serial report.saved_by_sharing "
     "report.data_depth report.backward_ops report.backward_values report.param_grads report.recompute.without "
     "report.recompute.curve* report.based_on* report.interrupted", anything, "figures that only a search knows"),
    ("report.peak_step", at_the_peak, "| `peak_step` | any of several steps at which the most is alive |"),
    ("storage.first storage.last", wider, "a longer live range"),
    ("value.first value.last", covers_uses, "a longer live range"),
    ("storage.size", larger, "a larger storage"),
    ("storage.root", in_storage, "| `root` | any value of the storage"),
    ("value.step", of_the_loop, "| `step` of what a loop stacks up | its begin or its end |"),
    ("value.name", lambda c: a_text(c) and "clone_of" in c.obj, "| `name` of a clone's result | any: it is not the model's |"),
    ("value.why", a_text, "`why` is for people"),
    ("plan.pools", without_empty, "| a pool of 0 bytes | left out"),
    ("variant.reordered", lambda c: true_now(c) or in_order(c), "| `reordered` | true where the order is the file's |"),
    ("variant.queues", more, "| `queues` | more than there are steps for |"),
    ("step.queue", lambda c: not one_order(c), "others where everything still holds: that is another plan"),
    ("step.frees", only_fewer, "fewer frees"),
    ("step.hazards", more_waits, "other hazards that order all overwriting"),
    ("free.after", waits_enough, "an `after` that names all whom nothing else puts before the free"),
    ("guard.dims[].min guard.dims[].max", lambda c: c.new is None or (less if c.key == "min" else more)(c),
     "| `guard` | wider, where all holds for that |"),
    ("overlap.distance", more, "| `distance` | larger, where the operand keeps it |"),
    ("attribute.float tensor.elements attribute.floats", same_number, "0 and 0.0 are one number"),
]


def rule_of(planned, field, obj, key, old, new):
    """The sentence by which the alteration may be accepted, or None."""
    case = Case(planned, obj, key, old, new)
    for fields, test, sentence in RULES:
        if any(matches(field, f) for f in fields.split()) and test_of(test, case):
            return sentence
    return None


def matches(field, pattern):
    return field == pattern or (pattern.endswith("*") and fnmatch.fnmatch(field, pattern.replace("[", "[[]")))


def test_of(test, case):
    try:
        return test(case)
    except (TypeError, KeyError, AttributeError, IndexError):
        return False


def unsaid(root, schema):
    """What is wrong with the table: sentences that docs/CHECKER.md has not, and fields that the schema has not."""
    with open(os.path.join(root, "docs", "CHECKER.md"), encoding="utf-8") as f:
        page = " ".join(f.read().split())
    wrong = [f"docs/CHECKER.md does not say '{s}'" for _, _, s in RULES if s not in page]
    for fields, _, _ in RULES:
        wrong += [f"the schema has no field {f}" for f in fields.split() if not any(matches(k, f) for k in schema.fields)]
    return wrong + [f"the schema has no field {f}" for f in NEVER if f not in schema.fields]
