"""Plans, read whole, checked and written."""

from __future__ import annotations

import ctypes
import dataclasses
import os
import struct
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from . import _abi, parts
from ._library import NONE, WORDS, array, callback, lib, raw, sized, take, text
from ._context import Context, _Handle, _word, quoted
from .errors import Diagnostic, UsageError, in_python
from ._show import page_of

if TYPE_CHECKING:
    from ._model import Model, ModelLike


def tensor_of(t: Any) -> parts.Tensor:
    """A constant as the library describes it."""
    n = t.n_elements
    elements = tuple(t.ints[:n]) if t.ints else tuple(t.floats[:n]) if t.floats else None
    return parts.Tensor(
        text(lib.tenure_dtype_name(t.dtype)) or "?", tuple(t.dims[: t.rank]), t.size, elements, text(t.external),
        t.external_offset, t.external_size,
    )


def _words_of(a: Any) -> tuple[Any, ...]:
    size = ctypes.c_size_t()
    found: list[str | bytes] = []
    for i in range(a.count):
        at = lib.tenure_attribute_text(ctypes.byref(a), i, ctypes.byref(size))
        word = ctypes.string_at(at, size.value) if at else b""
        try:
            found.append(word.decode())
        except UnicodeDecodeError:
            found.append(word)
    return tuple(found)


def attribute_of(a: Any) -> parts.Attribute:
    """An attribute as a number, a text, a tensor, or a tuple of them; None for kinds without content."""
    kind = WORDS["tenure_attribute_kind"][a.kind]
    if kind in ("string", "strings"):
        values: tuple[Any, ...] = _words_of(a)
    elif kind == "tensor":
        t = sized(_abi.tenure_tensor)
        values = (tensor_of(t),) if lib.tenure_attribute_tensor(ctypes.byref(a), 0, ctypes.byref(t)) else ()
    elif a.ints:
        values = tuple(a.ints[: a.count])
    else:
        values = tuple(a.floats[: a.count]) if a.floats else ()
    if kind.endswith("s"):
        return values
    return values[0] if values else None


class Variant:
    """A program for one binding of its dimensions: what there is to run, and where the bytes are.

    ``variant["conv1"]`` is the `Value` of that name; ``in`` says whether there is one, and iterating gives all
    values."""

    def __init__(self, handle: _Handle, pointer: int):
        self._handle, self._pointer = handle, pointer

    # ---- reading ----

    def _all(self, function: Any, struct: Any, *before: int, n: int | None = None) -> Iterator[Any]:
        at = 0
        while n is None or at < n:
            out = sized(struct)
            if not function(self._pointer, *before, at, ctypes.byref(out)):
                return
            yield out
            at += 1

    def _list(self, function: Any, struct: Any, cls: Any, *before: int) -> tuple[Any, ...]:
        return tuple(take(cls, s) for s in self._all(function, struct, *before))

    @cached_property
    def _raw(self) -> Any:
        out = sized(_abi.tenure_variant)
        lib.tenure_plan_get_variant(self._pointer, ctypes.byref(out))
        return out

    @property
    def guard(self) -> str | None:
        """When it may run; None: always."""
        return text(self._raw.guard)

    @property
    def reordered(self) -> bool:
        """Whether the order of the steps is not that of the file."""
        return bool(self._raw.reordered)

    @property
    def concurrency(self) -> str:
        """Which steps may run side by side: "serial" (those that have waited for their hazards too), "dataflow"
        (all whose operands are written) or "queues" (the same, steps of one queue one after the other)."""
        return ("serial", "dataflow", "queues")[self._raw.concurrency]

    @property
    def n_queues(self) -> int:
        """How many queues there are, 0 but where `concurrency` is "queues"."""
        return int(self._raw.n_queues)

    @property
    def partial(self) -> bool:
        """Whether dimensions are open, and values left out for that."""
        return bool(self._raw.partial)

    def _ids(self, member: str) -> tuple[int, ...]:
        listed = getattr(self._raw, member)
        return tuple(listed.data[i] for i in range(listed.count))

    @property
    def inputs(self) -> tuple[parts.Value, ...]:
        """The inputs of the model, in its order."""
        return tuple(self.values[i] for i in self._ids("inputs"))

    @property
    def outputs(self) -> tuple[parts.Value, ...]:
        """The outputs of the model, in its order."""
        return tuple(self.values[i] for i in self._ids("outputs"))

    @property
    def fixed(self) -> tuple[parts.Value, ...]:
        """Inputs that must have the elements the plan was made with."""
        return tuple(self.values[i] for i in self._ids("fixed"))

    @cached_property
    def dims(self) -> dict[str, int]:
        """The dimensions that the model leaves open, and what they were bound to."""
        found: dict[str, int] = {}
        name, value = ctypes.c_char_p(), ctypes.c_int64()
        while lib.tenure_plan_bound_dim(self._pointer, len(found), ctypes.byref(name), ctypes.byref(value)):
            found[text(name.value) or ""] = value.value
        return found

    @cached_property
    def open_dims(self) -> tuple[str, ...]:
        """Those that are open still, of a partial plan."""
        names: list[str] = []
        while (name := lib.tenure_plan_open_dim(self._pointer, len(names))) is not None:
            names.append(text(name) or "")
        return tuple(names)

    @cached_property
    def ranges(self) -> tuple[parts.Range, ...]:
        """Dimensions that the plan leaves open: it is for every extent of each."""
        return self._list(lib.tenure_plan_range, _abi.tenure_range, parts.Range)

    @cached_property
    def related_dims(self) -> dict[str, str]:
        """Dimensions of the model that follow from those of `ranges`, and the expressions that they are."""
        found: dict[str, str] = {}
        name, expression = ctypes.c_char_p(), ctypes.c_char_p()
        while lib.tenure_plan_related_dim(self._pointer, len(found), ctypes.byref(name), ctypes.byref(expression)):
            found[text(name.value) or ""] = text(expression.value) or ""
        return found

    @cached_property
    def data_dims(self) -> tuple[parts.DataDim, ...]:
        """Extents that are known only while running, for data give them, and what they are at most."""
        return self._list(lib.tenure_plan_data_dim, _abi.tenure_data_dim, parts.DataDim)

    @cached_property
    def bindings(self) -> dict[str, parts.Value]:
        """After the run, the tensor of that name takes the bytes of the value."""
        found: dict[str, parts.Value] = {}
        state, value = ctypes.c_char_p(), ctypes.c_uint32()
        while lib.tenure_plan_binding(self._pointer, len(found), ctypes.byref(state), ctypes.byref(value)):
            found[text(state.value) or ""] = self.values[value.value]
        return found

    @cached_property
    def pools(self) -> tuple[parts.Pool, ...]:
        """The pieces of memory, which all programs of the plan share."""
        return self._list(lib.tenure_plan_pool, _abi.tenure_pool, parts.Pool)

    @cached_property
    def slots(self) -> tuple[parts.Slot, ...]:
        """The shared objects, with ``memory="slots"``."""
        return self._list(lib.tenure_plan_slot, _abi.tenure_slot, parts.Slot)

    @cached_property
    def storages(self) -> tuple[parts.Storage, ...]:
        """What values lie in."""
        return self._list(lib.tenure_plan_storage, _abi.tenure_storage, parts.Storage)

    def _value(self, v: Any) -> parts.Value:
        shape = tuple(None if v.dims[k] < 0 else v.dims[k] for k in range(v.rank))
        return take(parts.Value, v, dtype=text(lib.tenure_dtype_name(v.dtype)) or "?", shape=shape,
                    overlaps=self._list(lib.tenure_plan_overlap, _abi.tenure_overlap, parts.Overlap, v.index))

    @cached_property
    def values(self) -> tuple[parts.Value, ...]:
        """The values of all graphs of the model."""
        return tuple(map(self._value, self._all(lib.tenure_plan_value, _abi.tenure_placement)))

    def find(self, name: str) -> parts.Value | None:
        """The value of that name in the main graph, or of "path/name" in a nested one."""
        out = sized(_abi.tenure_placement)
        found = lib.tenure_plan_find(self._pointer, raw(name), ctypes.byref(out))
        return self._value(out) if found else None

    def __getitem__(self, name: str) -> parts.Value:
        value = self.find(name)
        if value is None:
            names = (ctypes.c_char_p * len(self.values))(*(raw(v.name) for v in self.values))
            near = text(lib.tenure_nearest(raw(name), names, len(names)))
            raise KeyError(f"the plan has no value '{name}'" + (f"; did you mean '{near}'?" if near else ""))
        return value

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) is not None

    def __iter__(self) -> Iterator[parts.Value]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def _step(self, index: int, s: Any) -> parts.Step:
        fused = sized(_abi.tenure_node)
        has_name = s.fused and lib.tenure_plan_fused(self._pointer, index, ctypes.byref(fused))
        attributes = self._all(lib.tenure_plan_attribute, _abi.tenure_attribute, index, n=s.n_attributes)
        moves = tuple(
            parts.Move(
                WORDS["tenure_move_when"][m.when], WORDS["tenure_move_kind"][m.kind], m.body,
                None if getattr(m, "from") == NONE else getattr(m, "from"), m.to, m.axis, bool(m.reverse),
            )
            for m in self._all(lib.tenure_plan_move, _abi.tenure_move, index, n=s.n_moves)
        )
        return take(
            parts.Step, s, index=index, moves=moves,
            nodes=self._list(lib.tenure_plan_node, _abi.tenure_node, parts.Node, index),
            fused=take(parts.Node, fused) if has_name else None,
            attributes={text(a.name) or "": attribute_of(a) for a in attributes},
            bodies=self._list(lib.tenure_plan_body, _abi.tenure_body, parts.Body, index),
            claims=self._list(lib.tenure_plan_claim, _abi.tenure_claim, parts.Claim, index),
            frees=self._list(lib.tenure_plan_release, _abi.tenure_release, parts.Release, index),
            workspaces=self._list(lib.tenure_plan_workspace, _abi.tenure_workspace, parts.Workspace, index),
        )

    @cached_property
    def steps(self) -> tuple[parts.Step, ...]:
        """What to run, in this order."""
        found = self._all(lib.tenure_plan_step, _abi.tenure_step)
        return tuple(self._step(i, s) for i, s in enumerate(found))

    def steps_of(self, graph: str = "") -> Iterator[parts.Step]:
        """What there is to run of one graph, by its path: its ops, and for those with nested graphs the "begin", whose
        `bodies` say which graphs these are. Idle steps and ends are left out."""
        return (s for s in self.steps if s.graph == graph and not s.idle and s.kind != "end")

    @cached_property
    def figures(self) -> parts.Figures:
        """How good the plan is."""
        out = sized(_abi.tenure_figures)
        lib.tenure_plan_figures(self._pointer, ctypes.byref(out))
        curve = self._list(lib.tenure_plan_recompute_point, _abi.tenure_recompute_point, parts.RecomputePoint)
        return take(parts.Figures, out, curve=curve)

    @cached_property
    def base(self) -> parts.Base | None:
        """What has moved since the plan that this one is based on (option `based_on`); None without one."""
        out = sized(_abi.tenure_base)
        if not lib.tenure_plan_base(self._pointer, ctypes.byref(out)):
            return None
        moved = self._list(lib.tenure_plan_shift, _abi.tenure_shift, parts.Shift)
        return take(parts.Base, out, moved=moved)

    # ---- tables ----

    def columns(self, what: str = "values") -> dict[str, list[Any]]:
        """"values", "storages", "steps", "pools" or "slots" as a column for each field."""
        if what not in ("values", "storages", "steps", "pools", "slots"):
            raise UsageError(f"error: no table '{what}'; there are values, storages, steps, pools and slots")
        cls = {"values": parts.Value, "storages": parts.Storage, "steps": parts.Step, "pools": parts.Pool,
               "slots": parts.Slot}[what]
        rows = getattr(self, what)
        names = [*(["op", "name"] if what == "steps" else []), *(field.name for field in dataclasses.fields(cls))]
        return {name: [getattr(row, name) for row in rows] for name in names}

    def arrays(self, what: str = "values") -> dict[str, Any]:
        """The same as numpy arrays; indices that name none are -1. Needs numpy."""
        import numpy

        found = {}
        for name, column in self.columns(what).items():
            numbers = column and all(item is None or isinstance(item, int) for item in column)
            if numbers and not all(item is None for item in column):
                found[name] = numpy.array([-1 if item is None else item for item in column])
            else:
                cells = numpy.empty(len(column), dtype=object)
                cells[:] = column
                found[name] = cells
        return found

    def frame(self, what: str = "values") -> Any:
        """The same as a pandas frame. Needs pandas."""
        import pandas

        return pandas.DataFrame(self.columns(what))


class Program:
    """A graph that can be run. Programs of a plan never run at the same time and share its pools."""

    def __init__(self, handle: _Handle, index: int, name: str, variants: tuple[Variant, ...]):
        self.name, self.variants = name, variants
        self._handle, self._index = handle, index

    def pick(self, extents: Mapping[str, int]) -> Variant:
        """The variant to run for these extents: the one with the smallest arena among those that are large enough."""
        out = ctypes.c_size_t()
        self._handle.context.check(
            lib.tenure_plan_pick, self._handle.pointer, self._index, *_extents(extents), ctypes.byref(out)
        )
        return self.variants[out.value]

    def __repr__(self) -> str:
        return f"<tenure.Program {self.name!r} of {len(self.variants)} variants>"


class Plan(Variant):
    """A static memory plan that the checker has proved right. `tenure.plan` makes one.

    It stands for its first program's first variant, of which it has all that a `Variant` has: `pools`, `storages`,
    `values`, `steps`, `inputs`, `outputs`, `figures`. `programs` has the others. A plan shows itself in notebooks."""

    def __init__(self, handle: _Handle, model: Model | None, diagnostics: tuple[Diagnostic, ...] = (),
                 files: Sequence[bytes] = ()):
        super().__init__(handle, handle.pointer)
        self._context: Context = handle.context
        self.model = model  #: that it was made for; None for plans that were read
        self._files = files  # of `plan_files`
        self.diagnostics = diagnostics  #: what was said while it was made: warnings and remarks

    @cached_property
    def _info(self) -> Any:
        out = sized(_abi.tenure_plan_info)
        lib.tenure_plan_get_info(self._pointer, ctypes.byref(out))
        return out

    @property
    def info(self) -> parts.Info:
        """Where the plan comes from."""
        return take(parts.Info, self._info)

    @cached_property
    def options(self) -> tuple[tuple[str, str], ...]:
        """The options that it was made with, as they count."""
        found: list[tuple[str, str]] = []
        name, value = ctypes.c_char_p(), ctypes.c_char_p()
        while lib.tenure_plan_option(self._pointer, len(found), ctypes.byref(name), ctypes.byref(value)):
            found.append((text(name.value) or "", text(value.value) or ""))
        return tuple(found)

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """All programs, each with its variants."""
        found = []
        for p, program in enumerate(self._all(lib.tenure_plan_program, _abi.tenure_program)):
            variants = (lib.tenure_plan_variant(self._pointer, p, v) for v in range(program.n_variants))
            handles = tuple(Variant(self._handle, v) for v in variants if v)
            found.append(Program(self._handle, p, text(program.name) or "", handles))
        return tuple(found)

    def resolve(self, extents: Mapping[str, int]) -> Plan:
        """The plan for one extent of each dimension that it leaves open (`ranges`), with its offsets and sizes."""
        out = ctypes.c_void_p()
        self._context.check(lib.tenure_plan_resolve, self._pointer, *_extents(extents), ctypes.byref(out))
        return Plan(_Handle(self._context, out.value or 0, lib.tenure_plan_free, keep=self._handle), self.model)

    @property
    def arena_size(self) -> int:
        """Bytes of the planned arena."""
        return lib.tenure_plan_arena_size(self._pointer)

    @property
    def lower_bound(self) -> int:
        """Bytes that no plan of this order and these aliases can do without: proven."""
        return lib.tenure_plan_lower_bound(self._pointer)

    @property
    def optimal(self) -> bool:
        """Whether the arena is as small as the bound, and nothing is left out."""
        return self.figures.optimal

    @property
    def interrupted(self) -> bool:
        """Whether it was made with ``keep_best=True`` and its searches were ended early: it is right, but another run
        may make another plan."""
        return self.figures.interrupted

    def __repr__(self) -> str:
        name = self.programs[0].name if self.programs else ""
        return f"<tenure.Plan of {name!r}: arena {self.arena_size} bytes, at least {self.lower_bound}>"

    def _repr_html_(self) -> str:
        return page_of(self)

    # ---- writing ----

    def report(self) -> str:
        """What a person reads: bytes, bound, gap, who makes the peak, what is left out and why."""
        return in_python(self._context.buffer(lib.tenure_plan_report, self._pointer).decode("utf-8", "replace"))

    def text(self) -> str:
        """The plan in text form, whatever it leaves out."""
        return self._context.buffer(lib.tenure_plan_print, self._pointer).decode("utf-8", "replace")

    def _write(self, backend: str, name: str, write: Callable[[str, bytes], None], given: dict[str, Any]) -> None:
        said = ",".join(f"{k.replace('_', '-')}={quoted(_word(v))}" for k, v in given.items() if v is not None)
        context = self._context

        def take_piece(_user: Any, file: bytes, data: int | None, size: int) -> int:
            piece = ctypes.string_at(data, size) if data and size else b""

            def put() -> int:
                try:
                    write(text(file) or "", piece)
                    return 0
                except BaseException as error:  # it must not go through C
                    context._raised = context._raised or error
                    return -1

            return context._where_called(put)

        sink = sized(_abi.tenure_sink)
        sink.name, sink.write = raw(name), callback(_abi.tenure_sink, "write", take_piece)
        model = self.model._handle.pointer if self.model is not None else None
        context.check(lib.tenure_emit, self._pointer, model, backend.encode(), raw(said) or None, ctypes.byref(sink))

    @overload
    def emit(self, backend: str, **options: Any) -> bytes: ...

    @overload
    def emit(self, backend: str, path: str | os.PathLike[str], **options: Any) -> list[str]: ...

    def emit(self, backend: str, path: str | os.PathLike[str] | None = None, **options: Any) -> bytes | list[str]:
        """Writes the plan in the form of a backend: "c-header", "c-program", "json", "html", "onnx", "weights", ...;
        `tenure.backends()` lists them with their options, which are keywords here (``prefix="net"``).

        Without a path it returns the bytes, of backends that write one file. With one it writes the file, and others
        beside it where the backend has such, and returns their paths. Files appear when all are complete; names in
        generated code begin with that of the file."""
        if path is None:
            files = self.files(backend, **options)
            if len(files) != 1:
                raise UsageError(f"error: '{backend}' writes {len(files)} files ({', '.join(files)}); give a path, "
                                 "or call files()")
            return next(iter(files.values()))
        folder, name = os.path.split(os.fspath(path))
        written: dict[str, Any] = {}
        try:
            self._write(backend, name, lambda file, piece: _append(written, folder, file, piece), options)
            for file, opened in written.items():
                opened.close()
                os.replace(opened.name, os.path.join(folder, file))
        except BaseException:
            for opened in written.values():
                opened.close()
                if os.path.exists(opened.name):
                    os.unlink(opened.name)
            raise
        return [os.path.join(folder, file) for file in written]

    def files(self, backend: str, name: str = "", **options: Any) -> dict[str, bytes]:
        """The files of an artefact, by name, the main one first. `name` is that of the main file; further ones are
        named after it, and so is what the code in them defines."""
        found: dict[str, bytearray] = {}
        self._write(backend, name, lambda file, piece: found.setdefault(file, bytearray()).extend(piece), options)
        return {file: bytes(data) for file, data in found.items()}

    def image(self, pool: str) -> bytes:
        """The bytes of a pool, by its name, before the first run: constants, state, inputs with a default, and 0 between.
        Elements are little-endian. It is what ``emit("weights")`` writes (docs/PLAN.md)."""
        found = [(i, p) for i, p in enumerate(self.pools) if p.name == pool]
        if not found:
            raise KeyError(f"the plan has no pool '{pool}'; there are {', '.join(p.name for p in self.pools)}")
        index, data = found[0][0], bytearray(found[0][1].size)
        (n,) = struct.unpack_from("<I", self._weights, 104)
        for i in range(n):
            of, offset, size, at = struct.unpack_from("<4Q", self._weights, 112 + 32 * i)
            if of == index:
                data[offset : offset + size] = self._weights[at : at + size]
        return bytes(data)

    @cached_property
    def _weights(self) -> bytes:
        return self.emit("weights")

    def json(self) -> str:
        """The plan in JSON (docs/PLAN.md), which `tenure.read_plan` reads back."""
        return self.emit("json").decode("utf-8", "surrogateescape")

    # ---- asking ----

    def check(self, model: ModelLike | None = None, **options: Any) -> None:
        """Proves that the plan is right for a model, or raises `ModelError` with what is wrong. Without one it is the
        model that it was made for. Options are demands: ``capacity``, ``align``, ``io``, ``strict``."""
        from ._model import load

        mine = self.model
        if model is None and self._files:
            self._check_files(options)
            return
        if model is not None:
            mine = load(model, dims=self._asked_dims() or None, context=self._context)
        if mine is None:
            raise UsageError("error: the plan was read, not made; check() needs the model")
        given = self._context.options("check", options)
        self._context.check(lib.tenure_plan_check, self._pointer, mine._handle.pointer, given.pointer)

    def _asked_dims(self) -> dict[str, int | str]:
        """What a model is loaded with, as the plan was made: extents, ranges of those that are open, and expressions."""
        ranges = {r.name: f"{r.min}..{r.max if r.max < 2**63 - 1 else ''}" for r in self.ranges}
        return {**self.dims, **ranges, **self.related_dims}

    def _check_files(self, options: dict[str, Any]) -> None:
        """Against the files, read again: the models at hand have been changed by planning."""
        given = self._context.options("check", options)
        with tempfile.NamedTemporaryFile(suffix=".json") as f:
            f.write(raw(self.json()))
            f.flush()
            files = array(ctypes.c_char_p, self._files)
            self._context.buffer(lib.tenure_check_models, self._context._pointer, files, len(self._files), raw(f.name),
                                 given.pointer)

    def diff(self, after: Plan, **options: Any) -> str:
        """What has changed from this plan to another one, of one model or of two that have names in common: figures, the
        peak, aliases, sizes, lives, pools, order; "" where nothing has. Options are those of the command: ``format="json"`` or "html", `limit`."""
        given, differ = self._context.options("diff", options), ctypes.c_int()
        said = self._context.buffer(
            lib.tenure_plan_diff, self._pointer, after._pointer, given.pointer, ctypes.byref(differ)
        )
        return said.decode("utf-8", "surrogateescape") if differ.value else ""

    def explain(self, *tensors: str, **options: Any) -> str:
        """What plans did to tensors of the model, and why: names or globs; with none, all steps and the peak. Of a plan that
        was read: what it says itself."""
        if self.model is None:
            return self._context.explained(lib.tenure_plan_explain, self._pointer, tensors, options)
        return self.model.explain(*tensors, **{**self.model.planned_with, **options})

    def advice(self, **options: Any) -> list[dict[str, Any]]:
        """What would make the arena smaller that only the user can do (`Model.advice`)."""
        if self.model is None:
            raise UsageError("error: the plan was read, not made; tenure.advice() needs the model")
        return self.model.advice(**{**self.model.planned_with, **options})


def _extents(extents: Mapping[str, int]) -> tuple[Any, Any, int]:
    names, numbers = map(raw, extents), extents.values()
    return array(ctypes.c_char_p, names), array(ctypes.c_int64, numbers), len(extents)


def _append(written: dict[str, Any], folder: str, file: str, piece: bytes) -> None:
    if file not in written:
        written[file] = tempfile.NamedTemporaryFile(dir=folder or ".", prefix=f".{file}.", delete=False)
        os.fchmod(written[file].fileno(), 0o666 & ~_mask())
    written[file].write(piece)


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
