"""Plans by hand about ops that hand on or call out, kernels of several nodes, workspace, moves, queues, state and double places."""

import hand_models as models
from hand_draft import attack

UNKNOWN = "ops of nobody's, and ops that call out"
FUSED = "kernels of several nodes"
WORK = "workspace"
STATE = "state"
MOVES = "moves and bodies"
BESIDE = "queues and any order"
DOUBLE = "double places"

GROUP = {"tenure_facts": 1, "groups": [{"op": "ConvRelu", "domain": "acme", "chain": ["Conv", "Relu"]}]}
NEEDS = {"tenure_facts": 1, "ops": [{"op": "Tanh", "workspace": [{"bytes": 256}]}]}
KEEPS = {"tenure_facts": 1, "ops": [{"op": "Tanh", "kept": [{"bytes": 256}]}]}


@attack(UNKNOWN, models.called_out)
def odd_view(h):
    """The op is said to give its operand as it is."""
    h.put("f", "view", "e")
    h.step("f").update(idle=True, claims=[])


@attack(UNKNOWN, models.called_out)
def odd_keep(h):
    """The same with a kernel that is said to keep what lies there."""
    h.put("f", "view", "e")


@attack(UNKNOWN, models.called_out)
def odd_elements(h):
    """The op is said to go element by element."""
    h.put("f", "inplace", "e", promise="elements")


@attack(UNKNOWN, models.called_out)
def odd_definition(h):
    """The op is said to make both one buffer by definition."""
    h.put("f", "inplace", "e", promise="definition")


@attack(UNKNOWN, models.called_out)
def odd_shape(h):
    """Only the shape of the operand is said to be read; its bytes are another's."""
    h.step("b").update(shape_only=[0], reads=[])
    h.put("b", "share", "a")


@attack(UNKNOWN, models.called_out)
def yield_view(h):
    """The gradient is said to be the output that was given out."""
    h.put("g", "view", "c")
    h.step("g").update(idle=True, claims=[])


@attack(UNKNOWN, models.called_out)
def yield_over(h):
    """The gradient comes back over the output, which is read later."""
    h.put("g", "inplace", "c", promise="definition")


@attack(UNKNOWN, models.called_out)
def yield_gone(h):
    """What is given out lies where another value is written, and the step does not list it."""
    h.step("g")["reads"] = []
    h.over("g", "c")


@attack(UNKNOWN, models.contrib)
def over_broadcast_bias(h):
    """A result over the bias, which each row reads."""
    h.put("b", "inplace", "bias", promise="elements")


@attack(UNKNOWN, models.contrib)
def over_matrix(h):
    """A product element by element over an operand."""
    h.put("c", "inplace", "b", promise="elements")


@attack(UNKNOWN, models.contrib)
def over_skip_read_later(h):
    """A row over a row of an operand that a later step reads."""
    h.put("d", "inplace", "k", promise="rows")


@attack(UNKNOWN, models.accumulated)
def accumulator_idle(h):
    """The addition is left out."""
    h.step("first").update(idle=True, claims=[])


@attack(UNKNOWN, models.accumulated)
def accumulator_unclaimed(h):
    """The kernel is not told that it writes over its operand."""
    h.step("first")["claims"] = []


@attack(UNKNOWN, models.accumulated)
def accumulator_over_neighbour(h):
    """The accumulator has the bytes of a value that is read behind it."""
    h.over("l", "a")


@attack(FUSED, models.images, facts=GROUP)
def fused_over_later(h):
    """The kernel writes over what it reads and a later step reads."""
    h.put("c", "inplace", "a", promise="elements")


@attack(FUSED, models.images, facts=GROUP)
def fused_unclaimed(h):
    """It writes over an operand, and is not told."""
    h.over("e", "c")
    h.step("e")["claims"] = []
    h.claims = lambda step: []


@attack(FUSED, models.images, facts=GROUP)
def fused_over_live(h):
    """Over a value that it does not read."""
    h.over("e", "n")


@attack(FUSED, models.images, facts=GROUP)
def fused_node_lost(h):
    """One of its nodes is none of the step's any more."""
    h.step("e")["nodes"].pop(0)


@attack(FUSED, models.images, facts=GROUP)
def fused_node_twice(h):
    """It is made of the nodes of another kernel."""
    h.step("e")["nodes"] = [dict(n) for n in h.step("c")["nodes"]]


@attack(FUSED, models.images, facts=GROUP)
def fused_left_out(h):
    """It is said to have nothing to run."""
    h.step("e").update(idle=True, claims=[])


@attack(FUSED, models.images, facts=GROUP)
def fused_other_operand(h):
    """It reads another image."""
    h.read("e", "c", "n")


@attack(WORK, models.wide, facts=NEEDS)
def work_on_operand(h):
    """The workspace lies on what the kernel reads."""
    h.storages[h.work("d")["storage"]]["offset"] = h.address(h.index("b"))


@attack(WORK, models.wide, facts=NEEDS)
def work_on_result(h):
    """On what it writes."""
    h.storages[h.work("d")["storage"]]["offset"] = h.address(h.index("d"))


@attack(WORK, models.wide, facts=NEEDS)
def work_on_live(h):
    """On what a later step reads."""
    h.storages[h.work("d")["storage"]]["offset"] = h.address(h.index("c"))


@attack(WORK, models.wide, facts=KEEPS)
def kept_on_arena(h):
    """What the kernel keeps from run to run has the bytes of a value."""
    s = h.storages[h.work("d")["storage"]]
    s.update(pool=h.storage("a")["pool"], offset=h.storage("a")["offset"])


@attack(WORK, models.wide, facts=KEEPS)
def kept_on_input(h):
    """Of an input."""
    h.storages[h.work("d")["storage"]]["offset"] = h.address(h.index("x"))


@attack(STATE, models.two_states, "--update=s=sn", "--update=t=tn")
def states_crossed(h):
    """The new content of one state is written over the other, which is read later."""
    h.put("sn", "update", "t", promise="elements")


@attack(STATE, models.two_states, "--update=s=sn", "--update=t=tn")
def states_together(h):
    """Both states have the same bytes."""
    h.storage("t")["offset"] = h.storage("s")["offset"]


@attack(STATE, models.two_states, "--update=s=sn", "--update=t=tn")
def state_in_arena(h):
    """What stays from run to run lies where every run writes."""
    h.storage("s").update(pool=h.storage("m")["pool"], offset=h.storage("m")["offset"])


@attack(STATE, models.two_states, "--update=s=sn", "--update=t=tn")
def state_given_away(h):
    """A value takes the bytes of a state behind its last read."""
    h.put("e", "share", "s")


@attack(STATE, models.cache, "--update=past=present", "--inplace=all")
def updated_too_early(h):
    """The state is written over before its old content is read."""
    order = list(range(len(h.steps)))
    order.insert(order.index(h.at("u")), order.pop(order.index(h.at("old"))))
    h.reorder(order)


@attack(STATE, models.cache, "--update=past=present", "--inplace=all")
def bound_to_another(h):
    """The state is said to become another value of the same type."""
    for b in h.variant["bindings"]:
        b["value"] = h.index("u")
    h.put("u", "update", "past", promise="elements")


@attack(STATE, models.cache, "--update=past=present", "--inplace=all")
def new_state_given_away(h):
    """The new content of the state is written over once all have read it."""
    h.put("v", "inplace", "present", promise="elements")


@attack(STATE, models.cache, "--update=past=present", "--inplace=all")
def update_idle(h):
    """The update is said to have nothing to run, as its result lies where the state does."""
    h.step("present").update(idle=True, claims=[])


@attack(STATE, models.cache, "--update=past=present", "--inplace=all")
def update_by_elements(h):
    """The kernel is told to go element by element, as if it read each once."""
    h.promises["present"] = "elements"


@attack(MOVES, models.looped)
def states_swapped(h):
    """What the loop carries on becomes the argument of the other state."""
    next_ = [m for m in h.begin("Loop")["moves"] if m["when"] == "next" and m["what"] == "copy" and m["from"] is not None]
    by_name = {h.values[m["from"]]["name"]: m for m in next_}
    by_name["so"]["from"], by_name["to"]["from"] = by_name["to"]["from"], by_name["so"]["from"]


@attack(MOVES, models.looped)
def move_lost(h):
    """The first content of a state is not copied."""
    moves = h.begin("Loop")["moves"]
    moves.remove(next(m for m in moves if m["when"] == "begin" and m["from"] == h.index("s0")))


@attack(MOVES, models.looped)
def capture_lent(h):
    """A value of the body takes the bytes of what every iteration reads."""
    h.over("w", "cap")


@attack(MOVES, models.looped)
def carried_over_argument(h):
    """The next content of one state is written over the argument that the other one still reads."""
    h.over("so", "s")


@attack(MOVES, models.looped)
def row_over_stack(h):
    """A value of the body over the rows that earlier iterations left behind."""
    h.over("u", "rows")


@attack(BESIDE, models.wide, "--concurrency=dataflow")
def any_order(h):
    """A value over one of the other chain."""
    h.over("f", "a")


@attack(BESIDE, models.wide, "--queues=2")
def two_queues(h):
    """The same in two queues that do not wait for each other."""
    for name, queue in (("a", 0), ("c", 0), ("e", 0), ("b", 1), ("d", 1), ("f", 1), ("y", 0)):
        h.step(name)["queue"] = queue
    h.over("f", "a")
    for s in h.steps:
        s["hazards"] = []


@attack(DOUBLE, models.wide, "--double-buffer=x")
def second_on_other(h):
    """The second place of an input is the first one of another."""
    h.second("x", "z")


@attack(DOUBLE, models.wide, "--double-buffer=x")
def second_on_first(h):
    """The second place reaches into the first one."""
    h.storage("x")["second"] = 64


@attack(DOUBLE, models.wide, "--double-buffer=x")
def second_beyond(h):
    """The second place ends behind its pool."""
    s = h.storage("y")
    s["second"] = h.pools[s["pool"]]["size"] - s["offset"] - 64
    h.keep_sizes = True
