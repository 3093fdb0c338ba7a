#!/usr/bin/env python3
"""Plans made by hand that would corrupt bytes when executed, or free what is needed, and that are right in everything
but the one rule they break: `tenure check` refuses each with the message of that rule. The same plan without the attack
is accepted.

Usage: attacks.py TENURE WORK
"""
import copy
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "models"))

import attack_sets
import planfile
from attack_graphs import (
    JOIN, PAD, TWICE, NESTED, LOOP, BRANCHES, BOTH, CALLERS, STATES, MOMENT, READ, KEPT, UNNAMED, MUTE, CONSTANTS, ROOMS, SQUARE,
    BESIDE, NO_DERIVATIVE, KEPT_OPEN, BEHIND, SCATTER, NORM, NIBBLES,
)
from handmade import Handmade

OPTIONS = ["--views=none", "--inplace=none"]
ATTACKS = []


def attack(model, message, *options, facts=None, before=None):
    """Registers an attack on a plan of the model. `before` changes the plan in a way that is right."""
    def register(edit):
        ATTACKS.append((edit.__name__, model, message, list(options), facts, before, edit))
        return edit
    return register


# ---- what is gathered ----


def split_views(h):
    for name, at in (("a", 0), ("b", 64)):
        h.put(name, "view", "x", at)
    h.step("a")["idle"] = True


@attack(JOIN, r"'y' written at step 3 .* overwrites bytes \[0,64\) of 'b', which step 5", before=split_views)
def gathered_over_neighbour(h):
    """The Concat copies its second operand over the other half of what its first is a view of."""
    h.put("y", "view", "a")


@attack(BEHIND, r"'y' written at step 3 .* overwrites bytes \[0,64\) of 'a', which step 5", before=split_views)
def gathered_in_front(h):
    """The same with the operand that is there already behind the one that is copied."""
    h.put("y", "view", "b", -64)


@attack(JOIN, r"'c' written at step 2 .* overwrites bytes \[0,64\) of 'b', which step 5", before=split_views)
def made_over_neighbour(h):
    """The operand of a Concat is made right over the other half, which is read later."""
    h.put("y", "view", "a")
    h.put("c", "view", "y", 64)
    h.step("y")["idle"] = True


@attack(PAD, r"'y' written at step 2 .* overwrites bytes \[0,64\) of 'b', which step 4", before=split_views)
def padded_over_neighbour(h):
    """The zeros of a Pad go over the other half."""
    h.put("y", "view", "a")


def nested_views(h):
    for name, of, at in (("a", "y", 0), ("b", "y", 64), ("p", "y", 0), ("q", "y", 64)):
        h.put(name, "view", of, at)
    h.step("y")["idle"] = h.step("p")["idle"] = True


@attack(NESTED, r"'t' written at step 5 .* overwrites bytes \[0,64\) of 'b'|of 'q'", before=nested_views)
def gathered_twice(h):
    """Half of a Concat is gathered into another one, which copies over the other half."""
    h.put("t", "view", "p")


@attack(NESTED, r"'c' written at step 4 .* overwrites bytes \[0,64\) of '(b|q)'", before=nested_views)
def made_over_half(h):
    """The same with the operand made in its place."""
    h.put("t", "view", "p")
    h.put("c", "view", "t", 64)
    h.step("t")["idle"] = True


@attack(JOIN, r"step 3 .* has something to run", before=split_views)
def idle_with_a_gap(h):
    """The second operand is somewhere else, and nobody copies it."""
    h.own("y")
    h.own("a")
    h.put("a", "view", "y")
    h.step("a")["idle"] = False
    h.step("y")["idle"] = True


@attack(TWICE, r"step 1 .* has something to run")
def idle_of_one_twice(h):
    """One operand stands in two places and lies in one."""
    h.put("a", "view", "y")
    h.step("y")["idle"] = True


@attack(CONSTANTS, r"'y', written at step 1 .* lies among constants")
def gathered_among_constants(h):
    """A result that begins with a constant is written where that lies."""
    h.put("y", "view", "c")


# ---- views, room in parts ----


def reshaped(h):
    h.put("v", "view", "x")
    h.step("v")["idle"] = True


@attack(SQUARE, r"'u' written at step 2 .* overwrites bytes \[0,64\) of 'v', which step 4", before=reshaped)
def inplace_under_a_view(h):
    """The operand dies, a view of it does not."""
    h.put("u", "inplace", "x")
    h.promises["u", "x"] = "elements"


def joined(h):
    h.put("a", "view", "y")
    h.put("b", "view", "y", 64)
    h.step("y")["idle"] = True


@attack(ROOMS, r"'b' written at step 2 .* overwrites bytes \[0,64\) of 'k', which step 5", before=joined)
def shared_room(h):
    """What lies in the room of a part is still to be read when the part is made."""
    h.put("k", "share", "b")


@attack(ROOMS, r"'k' written at step 1 .* overwrites bytes \[0,64\) of 'a', which step 3", before=joined)
def shared_with_a_made_part(h):
    """The part is made already."""
    h.put("k", "share", "a")


# ---- in place ----


@attack(SCATTER, r"'y' cannot be an update of 'x'")
def scattered_over_updates(h):
    """The op updates its data, not what it puts there."""
    h.put("y", "update", "x")
    h.promises["y", "x"] = "update"


@attack(NORM, r"'y' cannot be written in place of 'x'")
def over_its_own_scale(h):
    """Rows are written over rows, but here they are the scale, too, which all rows read."""
    h.put("y", "inplace", "x")
    h.promises["y", "x"] = "rows"


@attack(NIBBLES, r"'y' cannot be written in place of 'x'")
def bytes_over_nibbles(h):
    """Two elements share a byte: a kernel that goes through them from the last on writes over one it has not read."""
    h.put("y", "inplace", "x")
    h.promises["y", "x"] = "descending"


# ---- bodies ----


@attack(LOOP, r"'state' written at step 3 .* overwrites bytes \[0,64\) of 's'|overwrites bytes .* of 's', which step")
def argument_over_operand(h):
    """The operand of a loop is read once more behind it."""
    h.put("state", "inplace", "s")


@attack(LOOP, r"next' written at step \d+ .* overwrites bytes \[0,64\) of '.*state'")
def output_over_argument(h):
    """The next state is written over the argument, which the iteration still reads."""
    h.put("next", "inplace", "state")


@attack(BRANCHES, r"'.*t' written at step 2 .* overwrites bytes \[0,64\) of 'x'")
def branch_over_capture(h):
    """A branch writes over what it captured and reads once more."""
    h.put("t", "inplace", "x")
    h.promises["t", "x"] = "elements"


@attack(BRANCHES, r"'.*u' written at step 3 .* overwrites bytes \[0,64\) of 'x'|'.*e' written at step 4")
def branch_over_shared(h):
    """One branch takes the place of a value that the other one reads: captures live to the end."""
    h.put("u", "share", "x")


@attack(BOTH, r"'.*q' written at step 2 .* overwrites bytes \[0,64\) of '.*p'")
def bodies_that_both_run(h):
    """Nothing says that an unknown op runs only one of its bodies."""
    h.lay_over("q", "p")


@attack(BOTH, r"cannot be written in place of '.*p'|overwrites bytes .* of '.*p'")
def result_over_a_body(h):
    """Nor that its result is a copy of what a body gives."""
    h.own("y")
    h.put("y", "inplace", "p")


# ---- steps side by side, frees ----


def begin_of(h, op):
    return next(i for i, s in enumerate(h.plan["steps"]) if s["kind"] == "begin" and s["op"] == op)


def all_hazards(h):
    h.waits = {i: list(range(i)) for i in range(len(h.plan["steps"]))}


@attack(LOOP, r"step \d+ .* over bytes that step \d+ .*Loop.* uses, but no hazard", before=all_hazards)
def over_what_a_loop_stacks(h):
    """Nobody reads what the loop stacks up, and a later step takes its bytes while the loop may still write there."""
    h.lay_over("late", "all")
    h.waits[h.value("late")["step"]] = [begin_of(h, "Loop")]


def no_hazards(h):
    h.waits = {}


@attack(BESIDE, r"step 2 .* is said to read 'b', which it does not", "--concurrency=dataflow", before=no_hazards)
def order_by_a_read_that_is_none(h):
    """Steps may run in any order that data allow, and one writes over what another may still read: the plan says that
    it reads a value which it does not, as if that kept the two apart."""
    h.lay_over("c", "a")
    h.step("c")["reads"].append(h.index["b"])
    h.plan["report"]["depth"] = h.plan["report"]["data_depth"] = 4


@attack(NO_DERIVATIVE, r"step 2 .* is said to read 'b', which it does not", "--concurrency=dataflow", before=no_hazards)
def order_by_attributes_of_a_derivative(h):
    """The same by an op with attributes of the names that a derivative has, and numbers in them."""
    order_by_a_read_that_is_none(h)


@attack(CALLERS, r"step \d+ \(Neg.* writes '.*e' over bytes that step \d+ .* uses, but no hazard", before=all_hazards)
def waits_of_the_other_branch(h):
    """What one branch waits for is not waited for when the other one runs."""
    h.lay_over("t", "x")
    h.lay_over("e", "x", 64)
    h.waits[h.value("e")["step"]] = []
    h.waits[begin_of(h, "If")] = []


@attack(LOOP, r"step \d+ .* frees the storage of 'gone' in each iteration")
def freed_in_each_iteration(h):
    """A value made before the loop is freed in its body, once for each iteration."""
    plan = h.settle()
    storage = h.value("gone")["storage"]
    h.step("next")["frees"] = [storage]
    plan["after"][storage] = [h.value("gone")["step"]]
    return plan


@attack(LOOP, r"frees the storage of 'all' without waiting for step \d+ \(end of Loop")
def freed_while_a_loop_stacks(h):
    """A step that does not wait for the loop frees what it stacks up."""
    h.waits = {}
    plan = h.settle()
    storage = h.value("all")["storage"]
    h.step("late")["frees"] = [storage]
    plan["after"][storage] = [begin_of(h, "Loop")]
    return plan


# ---- what stays ----


@attack(STATES, r"'v' written at step 1 .* overwrites bytes \[0,64\) of 's'", "--update=s=v", "--update=t=s")
def state_that_another_takes(h):
    """t becomes what s was, and s has been written over by then."""
    h.own("v", h.pool("io"))
    h.put("v", "update", "s")
    h.promises["v", "s"] = "elements"


@attack(MOMENT, r"'old' written at step 0 .* overwrites bytes \[0,64\) of 's'", "--update=s=v")
def state_on_the_way(h):
    """What is made of a state is written over it, while what it becomes lies elsewhere: the state is lost when the run ends."""
    h.put("old", "inplace", "s")
    h.promises["old", "s"] = "elements"


def update_in_place(h):
    h.put("v", "update", "s")
    h.promises["v", "s"] = "elements"


@attack(READ, r"'old' written at step 0 .* overwrites bytes \[0,64\) of 's'", "--update=s=v", before=update_in_place)
def state_read_on_the_way(h):
    """The same where the state is read once more."""
    h.put("old", "inplace", "s")
    h.promises["old", "s"] = "elements"


KEEPS = {"tenure_facts": 1, "ops": [{"op": "Sigmoid", "kept": [{"bytes": 64}]}]}


@attack(KEPT, r"'a' written at step 0 .* overwrites bytes \[0,64\) of 'c.kept'", facts=KEEPS)
def over_what_a_kernel_keeps(h):
    """What the kernel left behind in the run before is written over before it runs again."""
    h.put("a", "share", "c.kept")


# ---- what no value shows ----


@attack(UNNAMED, r"writes over 'a' by definition, and so over '(y|.*)', which step \d+ .* still reads")
def changed_under_a_join(h):
    """An accumulator changes bytes of a Concat that is read later."""
    h.put("a", "view", "y")
    h.put("b", "view", "y", 64)
    h.step("y")["idle"] = True


@attack(MUTE, r"step 1 .* has something to run", "--update=sum=sum")
def idle_without_a_result(h):
    """An op that changes its operand and has no result is left out."""
    h.plan["steps"][1]["idle"] = True


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, timeout=900)


def settled(plan, *edits):
    h = Handmade(copy.deepcopy(plan))
    made = None
    for edit in edits:
        made = edit(h) if edit is not None else made
    return made if made is not None else h.settle()


def check(tenure, base, name, plan, options):
    path = f"{base}.{name}.json"
    planfile.write(plan, path)
    return run(tenure, "check", base + ".tir", path, *options)


def test(tenure, work, entry):
    name, model, message, options, facts, before, edit = entry
    base = os.path.join(work, name)
    with open(base + ".tir", "w", encoding="utf-8") as f:
        f.write(model)
    given = []
    if facts is not None:
        with open(base + ".facts.json", "w", encoding="utf-8") as f:
            json.dump(facts, f)
        given = ["--op-facts", base + ".facts.json"]
    made = run(tenure, "plan", base + ".tir", "-q", "--emit=json", "-o", base + ".json", *OPTIONS, *options, *given)
    if made.returncode != 0:
        return f"no plan: {made.stderr}"
    plan = planfile.read(base + ".json")
    good = check(tenure, base, "right", settled(plan, before), [*options, *given])
    if good.returncode != 0:
        return f"the plan without the attack is refused: {good.stderr}"
    got = check(tenure, base, "wrong", settled(plan, before, edit), [*options, *given])
    if got.returncode != 1:
        return f"accepted ({got.returncode}): {edit.__doc__}"
    first = next((line for line in got.stderr.splitlines() if " error: " in line), "")
    return None if re.search(message, first) else f"refused for something else: {got.stderr}"


def keep_in_arena(document):
    """What a kernel keeps from run to run lies in the arena, pinned, where the other variant puts what it likes."""
    variants = document["programs"][0]["variants"]
    pools = document["pools"]
    arena, io = ([p["kind"] for p in pools].index(kind) for kind in ("arena", "io"))
    for v in variants:
        kept = next(x["storage"] for x in v["values"] if x["name"] == "c.kept")
        v["storages"][kept].update(pool=arena, offset=v["needs"][arena]["size"])
        rest = max(s["offset"] + s["size"] for s in v["storages"] if s["pool"] == io)
        v["needs"][arena]["size"] += 64
        v["needs"][io] = {"size": rest, "bound": 0}
        naive = v["report"]["naive"] + 64
        v["report"].update(naive=naive, level0=naive, level1=naive, optimal=False, io_bytes=rest, peak_step=0, peak=[kept],
                           ram=v["needs"][arena]["size"] + rest)
    for i, pool in enumerate(pools):
        pool["size"], pool["bound"] = (max(v["needs"][i][key] for v in variants) for key in ("size", "bound"))
    return document


def test_variants(tenure, work):
    base = os.path.join(work, "keep_in_arena")
    with open(base + ".tir", "w", encoding="utf-8") as f:
        f.write(KEPT_OPEN)
    with open(base + ".facts.json", "w", encoding="utf-8") as f:
        json.dump(KEEPS, f)
    given = ["--op-facts", base + ".facts.json"]
    made = run(tenure, "plan", base + ".tir", "-q", "--dim=n=1,2", "-o", base + ".json", *given)
    good = run(tenure, "check", base + ".tir", base + ".json", *given)
    if made.returncode != 0 or good.returncode != 0:
        return f"no plan: {made.stderr}{good.stderr}"
    with open(base + ".json", encoding="utf-8") as f:
        document = keep_in_arena(json.load(f))
    with open(base + ".wrong.json", "w", encoding="utf-8") as f:
        json.dump(document, f)
    got = run(tenure, "check", base + ".tir", base + ".wrong.json", *given)
    first = got.stderr.splitlines()[0] if got.returncode == 1 else f"accepted ({got.returncode})"
    return None if "'c.kept' of program 'keep_in_arena' has to stay while others run" in first else first


def main():
    tenure, work = sys.argv[1:3]
    os.makedirs(work, exist_ok=True)
    failures = 0
    for entry in ATTACKS:
        fault = test(tenure, work, entry)
        if fault is not None:
            print(f"{entry[0]}: {fault}")
            failures += 1
    fault = test_variants(tenure, work)
    if fault is not None:
        print(f"keep_in_arena: {fault}")
        failures += 1
    for fault in attack_sets.test(run, tenure, work):
        print(fault)
        failures += 1
    print(f"{len(ATTACKS) + 1 + len(attack_sets.ATTACKS)} attacks, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
