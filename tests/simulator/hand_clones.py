"""Plans by hand with clones, which run a node once more than they may, where they may not, or on bytes that are gone."""

import hand_models as models
from hand_draft import attack

RIGHT = "clones"


def cloned(h):
    h.clone("b", "g", "g")


@attack(RIGHT, models.chain, right=cloned)
def operand_gone(h):
    """What the clone reads has been written over by then."""
    h.over("e", "a")


@attack(RIGHT, models.chain, right=cloned)
def operand_gone_in_part(h):
    """A quarter of it."""
    h.over("f", "a", 192)


@attack(RIGHT, models.chain, right=cloned)
def other_operand(h):
    """The clone reads another value of the same type."""
    h.read("b.again", "a", "p")


@attack(RIGHT, models.chain)
def other_node(h):
    """The clone of a node that differs in an attribute stands for this one."""
    h.clone("q", "h")
    h.read("h", "p", "q.again")


@attack(RIGHT, models.chain)
def other_attribute(h):
    """The clone says that it has the attribute of another node."""
    h.clone("p", "h", "h")
    h.step("p.again")["attributes"][0]["float"] = 0.5


@attack(RIGHT, models.chain)
def other_origin(h):
    """The node is right, and its result is said to be a clone of another node's."""
    h.clone("q", "h")
    h.value("q.again")["clone_of"] = h.index("p")
    h.read("h", "p", "q.again")


@attack(RIGHT, models.chain)
def clone_as_output(h):
    """The model's output is what the clone made."""
    h.clone("e", "f", "f")
    out = h.variant["outputs"]
    out[out.index(h.index("e"))] = h.index("e.again")
    h.value("e.again")["last"] = len(h.steps)


@attack(RIGHT, models.chain, right=cloned)
def early_reader(h):
    """A step in front of the clone reads what that makes."""
    h.read("d", "b", "b.again")


@attack(RIGHT, models.chain, right=cloned)
def first_result_gone(h):
    """Who stands behind the clone reads the first result, whose bytes are another's."""
    h.over("f", "b")
    h.read("g", "b.again", "b")


@attack(RIGHT, models.chain, right=cloned)
def clone_over_live(h):
    """The clone writes over a value that is read behind it."""
    h.over("b.again", "p")


def cloned_early(h):
    h.clone("b", "f", "g")


@attack(RIGHT, models.chain, right=cloned_early)
def clone_dead_too_early(h):
    """What the clone makes is written over before it is read."""
    h.over("f", "b.again")


@attack(RIGHT, models.chain)
def clone_in_place(h):
    """The clone writes over its operand, which the model's own node still has to read."""
    h.clone("p", "q", "h")
    h.put("p.again", "inplace", "a", promise="elements")


@attack(RIGHT, models.chain)
def clones_together(h):
    """Clones of two nodes have the same bytes, and both are read behind the second one."""
    h.clone("b", "g", "g")
    h.clone("p", "g", "h")
    h.over("p.again", "b.again")


@attack(RIGHT, models.chain, right=cloned)
def clone_idle(h):
    """The clone is left out."""
    h.step("b.again").update(idle=True, claims=[])


@attack(RIGHT, models.chain, right=cloned)
def no_clone_at_all(h):
    """A second step of the node is not said to be a clone."""
    h.step("b.again")["clone_of"] = None


@attack(RIGHT, models.chain, right=cloned)
def clone_of_clone(h):
    """The step that a clone is of is itself."""
    h.step("b.again")["clone_of"] = h.at("b.again")


@attack(RIGHT, models.chain, right=cloned)
def reads_unlisted(h):
    """The clone does not say what it reads, and the bytes go to another."""
    h.step("b.again")["reads"] = []
    h.value_ranges()
    h.over("e", "a")


@attack("clones of what is never the same twice", models.drawn)
def drawn_again(h):
    """Numbers drawn at random are others the second time."""
    h.clone("r", "d", "d")


@attack("clones of what is never the same twice", models.drawn)
def tossed_again(h):
    """Bernoulli."""
    h.clone("s", "y", "y")


@attack("clones of what is never the same twice", models.masked)
def masked_again(h):
    """A Dropout that trains."""
    h.clone("r", "c", "c")


@attack("clones of what is never the same twice", models.called_out)
def unknown_again(h):
    """Nobody knows whether the op gives the same."""
    h.clone("f", "y", "y")


@attack("clones of what is never the same twice", models.called_out)
def called_out_again(h):
    """Who calls out gets another gradient the second time."""
    h.clone("g", "e")


@attack("clones of what is never the same twice", models.accumulated)
def accumulated_again(h):
    """The accumulator is added to twice."""
    h.clone("on", "y", "y")


@attack("clones and what is written over by definition", models.accumulated)
def behind_definition(h):
    """A clone behind the accumulator reads what has been added to."""
    h.clone("b", "h")


@attack("clones and what is written over by definition", models.accumulated)
def of_the_old_operand(h):
    """What a clone made of the accumulator's first content is added to by the node."""
    h.clone("a", "e", "e")


@attack("clones and what is written over by definition", models.cache, "--update=past=present", "--inplace=all")
def of_old_state(h):
    """The state has its new content when the clone reads the old one."""
    h.clone("old", "y", "y")


@attack("clones and what is written over by definition", models.cache, "--update=past=present", "--inplace=all")
def state_moved_on_twice(h):
    """The update of a state is run twice."""
    h.clone("present", "u", "u")


RUNNING = "clones without running statistics"
STATE = ("--update=mean=new_mean", "--update=var=new_var", "--inplace=all")


def normalised_again(h):
    """Reads neither of the old statistics, which are written over by then."""
    h.clone("n", "e", "e", left_out=("new_mean", "new_var"))
    step = h.step("n.again")
    step["shape_only"] = [3, 4]
    step["reads"] = [v for k, v in enumerate(step["operands"]) if k not in (3, 4)]
    h.value_ranges()


@attack(RUNNING, models.normalised, *STATE, right=normalised_again)
def batch_gone(h):
    """What the clone normalises has been written over."""
    h.over("d", "a")


@attack(RUNNING, models.normalised, *STATE, right=normalised_again)
def node_without_statistics(h):
    """The node itself leaves a result out that the model has."""
    h.step("n")["results"][1] = None


@attack(RUNNING, models.normalised, *STATE)
def statistics_twice(h):
    """The clone carries the statistics on a second time."""
    h.clone("n", "e", "e")


@attack(RUNNING, models.normalised, *STATE)
def one_statistic_twice(h):
    """The clone leaves one out and carries the other one on."""
    h.clone("n", "e", "e", left_out=("new_mean",))
    step = h.step("n.again")
    step["shape_only"] = [3]
    step["reads"] = [v for k, v in enumerate(step["operands"]) if k != 3]


@attack(RUNNING, models.normalised, *STATE)
def reads_old_statistics(h):
    """The clone says that it reads the old statistics, which are written over by then."""
    h.clone("n", "e", "e", left_out=("new_mean", "new_var"))


@attack(RUNNING, models.normalised, *STATE)
def scale_by_shape_alone(h):
    """The clone says that it reads only the shape of the scale, too."""
    normalised_again(h)
    h.step("n.again")["shape_only"] = [1, 3, 4]


@attack("clones and bodies", models.branches)
def captured_gone(h):
    """A branch captures what a clone made, whose bytes go to another before the branch ends."""
    h.clone("b", "r", "t0", "t1", "u0", "u1")
    h.over("t0", "b.again")


@attack("clones and bodies", models.branches)
def in_a_body(h):
    """A clone of a node of a branch."""
    h.clone("t0", "t1", "t1")


@attack("clones and bodies", models.branches)
def of_bodies(h):
    """A clone of the op with the branches."""
    end = h.step("r")
    end["clone_of"] = h.steps.index(h.begin("If"))
