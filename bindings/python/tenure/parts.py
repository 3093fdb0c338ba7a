"""What a plan is made of, as plain objects. docs/PLAN.md says what it all means; the names are those of the JSON form
and of tenure/plan_read.h. Values, storages, pools, slots and steps are named by their indices in the lists of a
`Variant`; None names none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Union

Index = Union[int, None]


@dataclass(frozen=True)
class Tensor:
    """The type of a constant tensor, and its elements where they are few."""

    dtype: str  #: "f32", "i64", ...
    shape: tuple[int, ...]
    size: int  #: bytes; 0 for text
    elements: tuple[float, ...] | tuple[int, ...] | None  #: None where the library does not keep them as numbers
    external: str | None  #: the file beside the model that holds the bytes
    external_offset: int
    external_size: int


Attribute = Union[int, float, str, bytes, Tensor, tuple[int, ...], tuple[float, ...], tuple[Union[str, bytes], ...], None]


@dataclass(frozen=True)
class Pool:
    """A piece of memory of its own. `size` bytes are needed, aligned to `align`. `kind` is "arena" (shared over time),
    "io" (what the caller keeps: inputs, outputs, state; results may be written there early, so it is writable),
    "const" (data of the model, only read) or "state" (what stays from run to run, apart from "io"). A `capacity` of 0 is no limit; `bound` is proven."""

    name: str
    kind: str  #: "arena" (shared over time), "io" (inputs, outputs, state: the caller's), "const" (data of the model), "state" (apart from "io")
    align: int
    capacity: int  #: 0: no limit
    size: int
    bound: int  #: proven: no plan of this order and these aliases needs less
    cost: int  #: of a byte read or written there (`pool`); 0: nobody said
    traffic: int  #: bytes that one run reads and writes there; 0 without a cost
    section: str | None  #: of the linker, or a kind of memory
    copied: bool  #: constants: the program copies them there before the first run
    base_align: int  #: what its address is a multiple of: `align`, or more where values ask

    ENUMS: ClassVar[dict[str, str]] = {"kind": "tenure_pool_kind"}
    FLAGS: ClassVar[tuple[str, ...]] = ("copied",)


@dataclass(frozen=True)
class Slot:
    """A shared object of the slots model, as large as its largest storage."""

    pool: int
    offset: int
    size: int


@dataclass(frozen=True)
class Storage:
    """What a value and its aliases lie in: `size` bytes at `offset` of the pool with index `pool`, from step `first` to
    step `last`, both included."""

    pool: int
    slot: Index
    offset: int
    size: int
    align: int
    first: int  #: live at these steps and between; -1: before the first step
    last: int
    pinned: bool  #: nobody else may have its bytes, at any step
    root: int  #: the value that owns the bytes
    above: tuple[int, ...]  #: with open dimensions: storages of its pool that it begins behind, whatever the extents
    size_text: str | None  #: its size as an expression; None where that is a number
    second: int  #: bytes to its second place ("double-buffer"), where it lies in every second run; 0: it has one

    FLAGS: ClassVar[tuple[str, ...]] = ("pinned",)


@dataclass(frozen=True)
class Range:
    """A dimension that a plan leaves open. Offsets and sizes of the plan are those for `point`; `Plan.resolve` gives
    those for other extents."""

    name: str
    min: int
    max: int  #: 2**63 - 1 where nothing limits it
    point: int


@dataclass(frozen=True)
class DataDim:
    """An extent that is known only while running, for data give it: 0 to `most`."""

    name: str
    most: int  #: -1 where it is an expression
    most_text: str | None  #: over dimensions that are open
    value: int | None  #: the first value whose extent it is along `axis`; None: values have it in sums alone
    axis: int


@dataclass(frozen=True)
class Overlap:
    """An operand in whose bytes a result begins: it is read for the last time by `step`, which writes the result, and
    begins at least `distance` bytes behind it. That is enough for a kernel that makes the result in the order `order`:
    "rows", "rows-buffered", "elements" or "pixels" (docs/OVERLAP.md says what each asks)."""

    value: int
    step: int
    distance: int
    order: str

    ENUMS: ClassVar[dict[str, str]] = {"order": "tenure_order"}


@dataclass(frozen=True)
class Value:
    """A value of the model, and where it is: `size` bytes at `offset` of the pool named `pool` (a name; storages have
    the index of their pool). `pool` is None, and `offset` and `size` 0, for what has no place: look at that first;
    `left_out` is then "open", "data" or "unused", and `why` says more. `storage_offset` counts from the start of the
    storage. It lives from step `first` to step `last`, both included: -1 is before the first step, the number of steps
    behind the last. `role` is "internal", "input", "output", "const", "state" or "workspace"; `alias` why it shares
    bytes with `alias_of`: "none", "view", "inplace", "update" or "share". The bytes of constants are in the model
    (`Graph.find`), and all of them, at their offsets in the pool, in ``Plan.emit("weights")`` (docs/PLAN.md has its
    form)."""

    index: int
    name: str
    graph: str  #: path of its graph, "" for the main one
    role: str  #: "internal", "input", "output", "const", "state" or "workspace"
    dtype: str  #: "f32", "i64", ..., "?"
    shape: tuple[Index, ...]  #: None where an extent is open
    type: str  #: "f32[2,n]"
    why: str | None  #: why it has no place; None when it has one
    left_out: str  #: "not" (it has a place), "open", "data", "unused"
    pool: str | None
    storage: Index
    storage_offset: int  #: from the start of the storage
    offset: int  #: from the start of the pool
    size: int
    size_text: str | None  #: the size as an expression, where it has no place and is known
    first: int  #: its own live range, in steps
    last: int
    step: Index  #: that writes it; None for inputs and constants
    alias: str  #: "none", "view", "inplace", "update", "share"
    alias_of: Index
    clone_of: Index  #: value whose elements this one holds once more
    overlaps: tuple[Overlap, ...]  #: operands that it begins inside of
    channels_last: bool  #: its elements lie with axis 1 behind all others, not in row-major order

    FLAGS: ClassVar[tuple[str, ...]] = ("channels_last",)
    ENUMS: ClassVar[dict[str, str]] = {
        "role": "tenure_role", "left_out": "tenure_left_out", "alias": "tenure_alias",
    }

    @property
    def elements(self) -> Index:
        """How many elements it has; None where an extent is open."""
        return None if None in self.shape else math.prod(n for n in self.shape if n is not None)


@dataclass(frozen=True)
class Node:
    """A node of the model."""

    index: int  #: in the file's list of the graph
    name: str
    domain: str
    op: str
    version: int  #: of the operator set; 0 when the model imports none


@dataclass(frozen=True)
class Body:
    """A nested graph of the op that a "begin" starts. `attribute` is the one of the node that holds it: an If runs
    "then_branch" when its operand 0 is true, else "else_branch", in whatever order the two stand; "" is the body of a
    called function. `graph` is its path, which its steps have; `inputs` and `outputs` are values by position."""

    attribute: str  #: that holds it; "" for the body of a called function
    graph: str  #: path; its steps have this one
    inputs: tuple[Index, ...]
    outputs: tuple[Index, ...]


@dataclass(frozen=True)
class Move:
    """Bytes to be copied around the iterations of a body. Moves of one moment happen at once: all sources are read
    before any target is written. This is how a Loop or a Scan runs::

        count = 0
        do the moves of "begin"
        while count < limit and condition:
            if count > 0: do the moves of "next"
            do the moves of "iteration"
            run the steps of the body
            do the moves of "after"
            count = count + 1
        do the moves of "end" if count > 0, else those of "none"

    The limit of a Loop is operand 0 of its begin (none when that is None); its condition is the body's input 1 before the
    first iteration, its output 0 after each. The limit of a Scan is the extent of what a "slice" is taken from, along
    its axis; it has no condition. A called function runs its body once, an If the one that its condition names, with
    the moves of "begin" before and those of "end" behind.

    What `kind` moves: "copy" all bytes of `source`; "slice" what lies at the iteration's position along `axis` of
    `source`; "stack" `source` to the iteration's position along `axis` of `target`; "count" the number of the iteration,
    from 0, in the type of `target`; "true" the truth value, both with `source` None. With `reverse` iteration i has
    position extent - 1 - i. `source` and `target` are indices of values, `body` is one of the begin's `bodies`. A move
    whose two ends have one address moves nothing; "at once" matters where one move's target is another's source. The
    limit is read once, at the begin. A target without a place (`pool` None) is memory that the program finds itself."""

    when: str  #: "begin", "iteration", "next", "after", "end", "none" (in place of "end", when nothing has run)
    kind: str  #: "copy", "slice", "stack", "count" (the number of the iteration), "true"
    body: int  #: index in the bodies
    source: Index  #: value; None for "count" and "true"
    target: int  #: value
    axis: int  #: of "slice" and "stack"
    reverse: bool  #: the first iteration has the last position


@dataclass(frozen=True)
class Claim:
    """What a kernel has to keep for a result and an operand, by position, that share bytes: the `promise` "keep",
    "elements", "rows", "update", "definition", "ascending", "descending", or "overlap-" with
    an order (docs/PLAN.md says what each asks)."""

    result: Index  #: position; None: the op writes over the operand and names no result
    operand: int  #: position
    promise: str  #: "keep", "elements", "rows", "update", "definition", "ascending", "descending", "overlap-..."

    ENUMS: ClassVar[dict[str, str]] = {"promise": "tenure_promise"}


@dataclass(frozen=True)
class Release:
    """A storage that nobody needs after the step; whoever runs steps side by side waits for `after`."""

    storage: int
    after: tuple[int, ...]  #: steps


@dataclass(frozen=True)
class Workspace:
    """Bytes for the kernel beside operands and results."""

    value: int
    kept: bool  #: the bytes stay from run to run, and are 0 before the first
    way: str  #: of several ways to do the work; "" for none

    FLAGS: ClassVar[tuple[str, ...]] = ("kept",)


@dataclass(frozen=True)
class Step:
    """What to run, in this order. `operands` and `results` are values by position, None where one is left out.

    An op with nested graphs (If, Loop, Scan, a called function) is two steps: a "begin", which has operands, bodies
    and moves, and an "end", which has results; the steps of the bodies stand between, and their `graph` is that
    of the body. `Move` says how such an op runs. A step that is `idle` runs nothing; steps of Constant nodes are.

    `partner` is the index of the end of a begin, and the reverse. `shape_only` are positions of operands of which only
    type and shape are read. `reads` and `writes` are the values touched, as sets, with those that bodies capture.
    `hazards` and the `after` of `frees` are for runtimes that run steps side by side; in order both may be ignored."""

    index: int
    kind: str  #: "op", "begin", "end"
    graph: str  #: path, "" for the main one
    partner: Index  #: the begin of an end, and the reverse
    clone_of: Index  #: step whose node this one runs once more
    idle: bool  #: nothing to run
    nodes: tuple[Node, ...]  #: one, or those that one kernel does together
    fused: Node | None  #: what that kernel is called
    operands: tuple[Index, ...]
    results: tuple[Index, ...]
    shape_only: tuple[int, ...]  #: positions of operands of which only type and shape are read
    reads: tuple[int, ...]  #: values, with those that bodies capture
    writes: tuple[int, ...]
    hazards: tuple[int, ...]  #: steps that must have finished, beyond what the data say
    attributes: dict[str, Attribute]  #: defaults filled in, axes counted from the front
    bodies: tuple[Body, ...]
    moves: tuple[Move, ...]
    claims: tuple[Claim, ...]
    frees: tuple[Release, ...]
    workspaces: tuple[Workspace, ...]
    queue: int  #: that it runs in, 0 but in a plan of queues

    ENUMS: ClassVar[dict[str, str]] = {"kind": "tenure_step_kind"}
    FLAGS: ClassVar[tuple[str, ...]] = ("idle",)

    @property
    def op(self) -> str:
        """The type of the op: "Conv"; of fused ops the kernel's."""
        return self.fused.op if self.fused is not None else self.nodes[0].op if self.nodes else ""

    @property
    def name(self) -> str:
        """The name of the node."""
        return self.fused.name if self.fused is not None else self.nodes[0].name if self.nodes else ""

    @property
    def domain(self) -> str:
        """The domain of the op, "" for ONNX's own."""
        return self.fused.domain if self.fused is not None else self.nodes[0].domain if self.nodes else ""


@dataclass(frozen=True)
class RecomputePoint:
    """An arena, and the operations that clones take for it."""

    operations: int
    arena: int


@dataclass(frozen=True)
class Shift:
    """A value that lies elsewhere than in the plan before (`based_on`)."""

    value: int
    pool: str  #: where it lay
    offset: int
    why: str  #: "pool", "alias", "fix", "align", "size" or "taken"
    by: int | None  #: a value that lies there at the same time

    ENUMS: ClassVar[dict[str, str]] = {"why": "tenure_shift_why"}


@dataclass(frozen=True)
class Base:
    """How near a plan stays to an earlier one (`based_on`)."""

    digest: str  #: of that plan
    n_matched: int  #: values that have places in both
    n_moved: int  #: those that lie elsewhere now
    n_least: int  #: proven: so many have to
    free: int  #: bytes of all arenas without that plan
    moved: tuple[Shift, ...]


@dataclass(frozen=True)
class Figures:
    """How good a plan is: bytes of arenas, where nothing else is said."""

    naive: int  #: each value with bytes of its own
    level0: int  #: reuse among equal types and shapes
    level1: int  #: reuse among any
    bound: int  #: no layout for this order and these aliases is smaller
    order_bound: int  #: no order can do with less; 0: not known
    other_order: int  #: what another order would need; 0: none found
    saved_by_sharing: int  #: more without sharing of gradients
    const_bytes: int
    io_bytes: int
    ram: int  #: all pools that are written
    flash: int  #: all that are only read
    n_inplace: int
    n_views: int
    n_updates: int
    n_shared: int
    optimal: bool  #: nothing is left out, and the arena is as small as `bound`
    algorithm: str | None  #: the packer that won
    peak_step: int  #: where the most is alive; -1: nowhere
    peak: tuple[int, ...]  #: storages alive there, largest first
    n_planned: int
    n_unplanned: int
    n_open: int
    n_data: int
    n_backward_ops: int
    n_backward_values: int
    n_param_grads: int
    n_clones: int  #: steps that run a node once more
    clone_operations: int  #: of these, by a model
    model_operations: int  #: of all others; 0 where nothing was asked to be computed once more
    arena_without_clones: int  #: 0: not known
    curve: tuple[RecomputePoint, ...]  #: plans that were found: more operations, a smaller arena
    interrupted: bool  #: searches were ended early (`keep_best`): another run may make another plan
    cost: int  #: traffic times cost of all pools; 0 without costs
    cost_bound: int  #: no way to spread the same storages costs less
    depth: int  #: steps that come one after the other at least, where steps run side by side
    data_depth: int  #: the same by data alone
    serial: int  #: the arena of a plan for one order, where steps run side by side; 0: not known

    FLAGS: ClassVar[tuple[str, ...]] = ("optimal", "interrupted")


@dataclass(frozen=True)
class Info:
    """Where a plan comes from."""

    format: int  #: version of plans
    version: str  #: of tenure, that made it
    digest: str  #: of what the plan depends on in the model
    pipeline: str  #: the passes that made it
    layout: str  #: where constants, inputs and state lie, in hexadecimal
