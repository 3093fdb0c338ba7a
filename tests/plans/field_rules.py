"""What `tenure check` may accept of a plan with one field altered: for each such field the sentence of docs/PLAN.md that
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
    ("plan.tenure plan.pipeline report.algorithm", a_text, "`tenure`, `pipeline` and `algorithm` say who made the plan, and how"),
    ("plan.facts", nothing_more, "a list that is left out is an empty one"),
    ("plan.options", lambda c: fewer_options(c) or same_set(c),
     "an option that is missing asks for nothing"),
    ("plan.options[].value plan.options[].key", a_text, "What an option can only ask of a planner, how much was searched, and what `state` and `link` were given, is a record"),
    ("plan.expressions", unused_now, "An expression that nothing names means nothing"),
    ("plan.links step.reads step.writes step.hazards free.after storage.above report.peak program.variants "
     "value.overlaps step.claims", same_set,
     "are sets: their order says nothing, and what stands there twice stands there once"),
    ("step.moves", same_items, "The order of `moves` says nothing"),
    ("pool.name", a_text, "The name of a pool is any that no other one has"),
    ("pool.section", a_text, "`section` is handed on as it is"),
    ("pool.capacity", kept, "`capacity` is any that the pool keeps"),
    ("pool.kind pool.align", holds_nothing, "may be of any kind, and have any power of two for its alignment"),
    ("pool.align pool.base_align", more, "more alignment than what lies in the pool needs"),
    ("pool.bound need.bound report.cost_bound report.order_bound", less, "a lower bound that is lower"),
    ("pool.bound need.bound report.order_bound", below_size, "a lower bound below the size"),
    ("storage.align", still_aligned, "`align` of a storage is any that its place keeps"),
    ("storage.pinned", pinned_anyway, "`pinned` where nobody else has the bytes"),
    ("storage.offset", elsewhere, "another place, where all that it has to prove holds, is another plan"),
    ("storage.above", more_below, "another place, where all that it has to prove holds, is another plan"),
    ("report.optimal", false_now, "an `optimal` that is not said"),
    ("report.level0 report.level1 report.order_bound report.other_order report.serial report.saved_by_sharing "
     "report.data_depth report.backward_ops report.backward_values report.param_grads report.recompute.without "
     "report.recompute.curve* report.based_on* report.interrupted", anything, "Figures that only a search knows"),
    ("report.peak_step", at_the_peak, "Of several steps at which the most is alive `peak_step` is any"),
    ("storage.first storage.last", wider, "a live range that is longer"),
    ("value.first value.last", covers_uses, "a live range that is longer"),
    ("storage.size", larger, "a storage that is larger"),
    ("storage.root", in_storage, "`root` is any value of the storage"),
    ("value.step", of_the_loop, "what a loop stacks up is written from its begin to its end, and `step` is either"),
    ("value.name", lambda c: a_text(c) and "clone_of" in c.obj, "values that the model does not have, with names of their own"),
    ("value.why", a_text, "The wording of `why` is for people"),
    ("plan.pools", without_empty, "A pool of 0 bytes may be left out"),
    ("variant.reordered", lambda c: true_now(c) or in_order(c), "`reordered` where the order is that of the file"),
    ("variant.queues", more, "more queues than there are steps for"),
    ("step.queue", lambda c: not one_order(c), "another place, where all that it has to prove holds, is another plan"),
    ("step.frees", only_fewer, "fewer frees"),
    ("step.hazards", more_waits, "other hazards that order all overwriting"),
    ("free.after", waits_enough, "an `after` that names all whom nothing else puts before the free"),
    ("guard.dims[].min guard.dims[].max", lambda c: c.new is None or (less if c.key == "min" else more)(c),
     "a wider `guard`"),
    ("overlap.distance", more, "a larger `distance` that the operand keeps"),
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
    """What is wrong with the table: sentences that docs/PLAN.md has not, and fields that the schema has not."""
    with open(os.path.join(root, "docs", "PLAN.md"), encoding="utf-8") as f:
        page = " ".join(f.read().split())
    wrong = [f"docs/PLAN.md does not say '{s}'" for _, _, s in RULES if s not in page]
    for fields, _, _ in RULES:
        wrong += [f"the schema has no field {f}" for f in fields.split() if not any(matches(k, f) for k in schema.fields)]
    return wrong + [f"the schema has no field {f}" for f in NEVER if f not in schema.fields]
