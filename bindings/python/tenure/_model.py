"""Models: loaded from files, bytes and objects of other packages, planned and explained."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping, Sequence
from json import loads
from typing import Any, Union

from . import _abi
from ._library import array, callback, lib, raw
from ._context import Context, _Handle
from .errors import ModelError, UsageError, error_of
from .graph import Graph, graphs_of
from ._fitting import Fit, fit_of
from ._passes import register_all
from ._plan import Plan

PathLike = Union[str, "os.PathLike[str]"]
#: A path, the bytes of a file, an `onnx.ModelProto`, an `onnx_ir.Model`, or a `Model`.
ModelLike = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, "Model", Any]

_LOADING = ("dims", "dim", "input_shape", "input_value", "op_facts", "open", "graph", "ignore_value_info",
            "overridable_initializers")


def _name_of(model: Any, name: str | None) -> str:
    """What stands for the path: weights beside the model are looked for in its folder."""
    if name is not None:
        return name
    for value in getattr(getattr(model, "graph", None), "initializers", {}).values() if _is_ir(model) else ():
        folder = getattr(value.const_value, "base_dir", "")
        if folder:
            return os.path.join(os.fspath(folder), "model.onnx")
    return "<bytes>" if isinstance(model, (bytes, bytearray, memoryview)) else "<model>"


def _is_ir(model: Any) -> bool:
    return type(model).__module__.split(".")[0] == "onnx_ir"


def _bytes_of(model: Any) -> bytes:
    """The ONNX file that a model in memory would make."""
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model)
    if _is_ir(model):
        import onnx_ir

        model = onnx_ir.to_proto(model)
    if not hasattr(model, "SerializeToString"):
        raise TypeError(f"tenure: a model is a path, bytes, an onnx.ModelProto or an onnx_ir.Model, not "
                        f"{type(model).__name__}")
    try:
        data: bytes = model.SerializeToString()
    except Exception as error:
        raise ModelError(f"error: the model cannot be put into bytes: {error}; save it with its weights in a file of "
                         "their own, and give the path") from error
    return data


class Model:
    """A model as tenure reads it: planned any number of times, and its graphs read and changed.

    `tenure.load` and `tenure.new_model` make them. What a plan does to the model is done to a copy. `graph` is the
    main graph; the bodies of ops hang on the ops, and `graphs` has all."""

    def __init__(self, handle: _Handle, loaded_with: Mapping[str, Any] | None = None):
        self._handle = handle
        self._context: Context = handle.context
        self._loaded_with = dict(loaded_with or {})  # planning has to be told the same
        self.planned_with: dict[str, Any] = {}

    @property
    def graph(self) -> Graph:
        """The main graph."""
        return Graph(self, lib.tenure_model_graph(self._handle.pointer, 0))

    @property
    def graphs(self) -> list[Graph]:
        """All graphs, the main one first; those of removed ops are empty."""
        return graphs_of(self)

    @property
    def name(self) -> str:
        """That of the main graph."""
        return self.graph.name

    @property
    def opsets(self) -> dict[str, int]:
        """The operator sets it imports; "" is ONNX's own."""
        found: dict[str, int] = {}
        domain, version = ctypes.c_char_p(), ctypes.c_int64()
        at = [ctypes.byref(domain), ctypes.byref(version)]
        while lib.tenure_model_opset(self._handle.pointer, len(found), *at):
            found[(domain.value or b"").decode()] = version.value
        return found

    def import_opset(self, domain: str, version: int) -> None:
        """Imports an operator set: what ops of that domain that are added later are of."""
        self._context.check(lib.tenure_model_import, self._handle.pointer, raw(domain), version)

    @property
    def metadata(self) -> dict[str, str]:
        """The model's metadata. "tenure.KEY" are wishes for the plan (docs/OPTIONS.md)."""
        found: dict[str, str] = {}
        key, value = ctypes.c_char_p(), ctypes.c_char_p()
        at, n = [ctypes.byref(key), ctypes.byref(value)], 0
        while lib.tenure_model_metadata(self._handle.pointer, n, *at):
            found[(key.value or b"").decode()], n = (value.value or b"").decode("utf-8", "surrogateescape"), n + 1
        return found

    def set_metadata(self, key: str, value: str) -> None:
        """Sets an entry of the metadata."""
        self._context.check(lib.tenure_model_set_metadata, self._handle.pointer, raw(key), raw(value))

    def plan(self, **options: Any) -> Plan:
        """Plans a copy of the model; options as `tenure.plan` has them. Those that were given when it was loaded
        (dimensions, shapes) count again."""
        given = {**self._loaded_with, **options}
        made, out = self._context.options("plan", given), ctypes.c_void_p()
        status, found = self._context.run(
            lib.tenure_plan_make, self._handle.pointer, made.pointer, ctypes.byref(out),
            kept=lambda: bool(options.get("keep_best") and out),
        )
        plan = None
        if out.value:
            self.planned_with = {k: v for k, v in options.items() if k not in ("strict", "capacity", "keep_best")}
            plan = Plan(_Handle(self._context, out.value, lib.tenure_plan_free), self, found)
        if plan is None or status not in (_abi.TENURE_OK, _abi.TENURE_INTERRUPTED):
            raise error_of(status, found, plan)
        return plan

    def fit(self, *, emit: str | None = None, **options: Any) -> Fit:
        """Finds what makes the model fit a budget; options as `tenure.fit` has them."""
        made = self._context.options("fit", {**self._loaded_with, **options})
        if emit is not None:
            self._context.check(lib.tenure_options_set, made.pointer, b"emit", raw(emit))
        out, ladder = ctypes.c_void_p(), ctypes.c_void_p()
        status, found = self._context.run(
            lib.tenure_fit_make, self._handle.pointer, made.pointer, ctypes.byref(out), ctypes.byref(ladder),
            kept=lambda: bool(options.get("keep_best") and out),
        )
        if not (out.value and ladder.value):
            raise error_of(status, found)
        plan = Plan(_Handle(self._context, out.value, lib.tenure_plan_free), self, found)
        result = fit_of(_Handle(self._context, ladder.value, lib.tenure_fit_free), plan)
        if status not in (_abi.TENURE_OK, _abi.TENURE_INTERRUPTED):
            raise error_of(status, found, result)
        return result

    def explain(self, *tensors: str, **options: Any) -> str:
        """What plans of the model do to tensors, and why: names or globs; with none, all steps and the peak."""
        return self._context.explained(lib.tenure_explain, self._handle.pointer, tensors, {**self._loaded_with, **options})

    def advice(self, **options: Any) -> list[dict[str, Any]]:
        """What would make the arena smaller that only the user can do, the largest gain first: the facts "advice" of
        `explain`, as docs/PASSES.md lists their keys. ``advice_steps`` bounds the plans that are made for it."""
        facts = map(loads, self.explain(**{**options, "json": True, "changes": False}).splitlines())
        return [fact for fact in facts if fact["fact"] == "advice"]

    def run(self, pipeline: str) -> None:
        """Runs any pipeline over the model and changes it: ``"infer-shapes"``, ``"my-pass,schedule{order=kahn}"``.
        Passes written in Python take part under their names."""
        self._context.check(lib.tenure_model_run, self._handle.pointer, raw(pipeline))

    def bind_dims(self, **options: Any) -> None:
        """Binds dimensions, shapes and elements of inputs of a model that was built: ``dims={"n": 4}``, `input_shape`,
        `input_value`. They are bound once."""
        given = self._context.options("plan", options)
        self._context.check(lib.tenure_model_bind_dims, self._handle.pointer, given.pointer)
        self._loaded_with.update(options)

    def verify(self) -> None:
        """Raises `ModelError` with what is wrong, where the model is not well formed."""
        self._context.check(lib.tenure_model_verify, self._handle.pointer)

    def text(self) -> str:
        """The model in text form (docs/IR.md), which `tenure.load` reads as bytes."""
        return self._context.buffer(lib.tenure_model_print, self._handle.pointer).decode("utf-8", "surrogateescape")

    def to_onnx(self) -> bytes:
        """The model as an ONNX file: what it was read from, byte for byte where nothing was changed."""
        data, context = bytearray(), self._context

        def take_piece(_user: Any, _file: bytes, at: int | None, size: int) -> int:
            data.extend(ctypes.string_at(at, size) if at and size else b"")
            return 0

        sink = _abi.tenure_sink(struct_size=ctypes.sizeof(_abi.tenure_sink))
        sink.write = callback(_abi.tenure_sink, "write", take_piece)
        context.check(lib.tenure_model_write_onnx, self._handle.pointer, ctypes.byref(sink))
        return bytes(data)

    def __repr__(self) -> str:
        return f"<tenure.Model {self.name!r}>"


def load(model: ModelLike, *, name: str | None = None, context: Context | None = None, **options: Any) -> Model:
    """Reads a model: a path, the bytes of a file (ONNX, or tenure's text form), an `onnx.ModelProto` or an
    `onnx_ir.Model`.

    `name` stands for the path in messages, and weights in files of their own are looked for in its folder.
    Options are those that count when a model is read: ``dims={"batch": 1}``, ``input_shape={"x": [1, 3, -1, 224]}``,
    ``input_value={"n": 4}``, `op_facts`, `graph`, `ignore_value_info`, `overridable_initializers`."""
    if isinstance(model, Model):
        return model
    context = context if context is not None else Context()
    register_all(context)
    given = {k: v for k, v in options.items() if v is not None}
    made = context.options("plan", given)
    if isinstance(model, (str, os.PathLike)):
        handle = context.handle(
            lib.tenure_load_file, context._pointer, raw(model), made.pointer, free=lib.tenure_model_free
        )
        return Model(handle, given)
    data = _bytes_of(model)
    handle = context.handle(
        lib.tenure_load_memory, context._pointer, raw(_name_of(model, name)), data, len(data), made.pointer,
        free=lib.tenure_model_free, keep=data,
    )
    return Model(handle, given)


def new_model(name: str, *, opsets: Mapping[str, int] | None = None, context: Context | None = None,
              op_facts: Any = None) -> Model:
    """A model with an empty main graph, to be built: see `Graph`. `opsets` are what it imports, ``{"": 17}``;
    without one the newest that tenure knows is assumed. `op_facts` are files of kernels' facts (docs/FACTS.md)."""
    context = context if context is not None else Context()
    register_all(context)
    made = context.options("plan", {"op_facts": op_facts})
    handle = context.handle(
        lib.tenure_model_new, context._pointer, raw(name), made.pointer, free=lib.tenure_model_free
    )
    model = Model(handle, {"op_facts": op_facts} if op_facts is not None else {})
    for domain, version in (opsets or {}).items():
        model.import_opset(domain, version)
    return model


def plan(model: ModelLike, *, dims: Mapping[str, int] | None = None, name: str | None = None,
         context: Context | None = None, **options: Any) -> Plan:
    """Plans the memory of a model, and checks the plan: ``tenure.plan("net.onnx", dims={"batch": 1}, align=64)``.

    `model` is what `tenure.load` takes, or a `Model`. Options are those of the command `tenure plan`, with underscores
    for dashes; ``tenure.options()`` lists them with what they mean. What takes no value is True or False, bytes are
    numbers or texts (``capacity="256K"``), pairs are mappings (``update={"cache": "cache_next"}``), what may be
    repeated takes a list, and None is as if nothing was given. Some of them:

    dims
        numbers for the dimensions that the model leaves open; texts such as ``"1..64"`` and ``"1.."`` keep them open.
    open
        one plan for every extent, from 1 on, of all dimensions that are not bound: see `Plan.ranges`, `Plan.resolve`.
    O
        0 to 3: every value its own bytes; reuse among equal types; views and in-place results; any order.
    level, memory, algo, schedule, views, inplace, passes
        change what `O` stands for.
    align, capacity, io, reuse_inputs, exclude, update, preset
        what the target asks for.
    strict, partial
        values without a place are an error; artefacts although dimensions are open.
    keep_best
        Ctrl-C (or `Context.cancel`) ends the search, and the best plan found so far is returned: its `interrupted`
        is True. Without it Ctrl-C raises KeyboardInterrupt.

    Raises `UsageError` for options that are wrong, `ModelError` for a model that is, `CapacityError` where a
    capacity was given and nothing fits. It lets other threads run meanwhile."""
    given = {k: v for k, v in {"dims": dims, **options}.items() if v is not None}
    if isinstance(model, Model):
        return model.plan(**given)
    context = context if context is not None else Context()
    context.options("plan", given)  # what is wrong with them is said before a large model is read
    loaded = load(model, name=name, context=context, **{k: v for k, v in given.items() if k in _LOADING})
    return loaded.plan(**{k: v for k, v in given.items() if k not in _LOADING})


def plan_files(models: Mapping[str, PathLike] | Sequence[PathLike] | PathLike, *, context: Context | None = None,
               **options: Any) -> Plan:
    """Plans several models, or one for several extents, into one plan: programs and variants that never run at once
    and share the pools. ``tenure.plan_files({"encode": "enc.onnx", "decode": "dec.onnx"}, shared_arena=True)``; one
    path with ``dims={"batch": [1, 8]}`` makes a variant for each combination of extents. Names of dimensions and values
    that belong to one program begin with it: ``link={"encode/h": "decode/h"}``. Otherwise as `plan`;
    ``plan.programs`` has them all."""
    context = context if context is not None else Context()
    register_all(context)
    if isinstance(models, Mapping):
        listed = [raw(name) + b"=" + raw(path) for name, path in models.items()]
    else:
        listed = [raw(models)] if isinstance(models, (str, os.PathLike)) else [raw(path) for path in models]
    made, model, out = context.options("plan", options), ctypes.c_void_p(), ctypes.c_void_p()
    status, found = context.run(
        lib.tenure_plan_files, context._pointer, array(ctypes.c_char_p, listed), len(listed), made.pointer,
        ctypes.byref(model), ctypes.byref(out), kept=lambda: bool(options.get("keep_best") and out),
    )
    held = Model(_Handle(context, model.value, lib.tenure_model_free), options) if model.value else None
    plan = Plan(_Handle(context, out.value, lib.tenure_plan_free), held, found, listed) if out.value else None
    if plan is None or status not in (_abi.TENURE_OK, _abi.TENURE_INTERRUPTED):
        raise error_of(status, found, plan)
    return plan


def fit(model: ModelLike, *, name: str | None = None, emit: str | None = None, **options: Any) -> Fit:
    """Finds what makes a model fit a budget, and plans it so: ``tenure.fit("net.onnx", ram="64K").plan``.

    Options are those of the command `tenure fit` (``tenure.options("fit")``), those of `tenure.plan` among them:

    ram, flash
        what there is, in bytes; one of them has to be given.
    ops
        operations that may be added at most: ``"+30%"``.
    allow
        measures that may be tried: ``"order,inplace,io"``.
    emit
        ``"c-program"`` where the plan is for a program with tenure's kernels: its stack and code count then, and no
        measure asks for other kernels.

    Raises `CapacityError` where no measures are enough; its `plan` is the `Fit` with the least there is."""
    loading = {k: v for k, v in options.items() if k in _LOADING}
    return load(model, name=name, **loading).fit(
        emit=emit, **{k: v for k, v in options.items() if k not in _LOADING}
    )


def explain(model: ModelLike | Plan, *tensors: str, name: str | None = None, **options: Any) -> str:
    """What plans of a model do to tensors, and why: names or globs; with none, all steps and the peak. Options as
    `tenure.plan` has them, and those of the command `explain`: ``json=True``, ``peak_limit``, ``changes``. A plan is
    explained with the options it was made with."""
    if isinstance(model, Plan):
        return model.explain(*tensors, **options)
    loading = {k: v for k, v in options.items() if k in _LOADING}
    return load(model, name=name, **loading).explain(
        *tensors, **{k: v for k, v in options.items() if k not in _LOADING}
    )


def advice(model: ModelLike, *, name: str | None = None, **options: Any) -> list[dict[str, Any]]:
    """What would make the arena of a model smaller that only the user can do (`Model.advice`). Options as `explain` has
    them."""
    loading = {k: v for k, v in options.items() if k in _LOADING}
    return load(model, name=name, **loading).advice(**{k: v for k, v in options.items() if k not in _LOADING})


def dims(model: ModelLike, *, name: str | None = None) -> str:
    """What a model leaves open, and numbers for it, as text."""
    context = Context()
    if isinstance(model, (str, os.PathLike)):
        found = context.buffer(lib.tenure_dims, context._pointer, raw(model), None, 0)
    elif isinstance(model, Model):
        raise UsageError("error: dims() reads a model as it was loaded from: a path, bytes or an object of onnx")
    else:
        data = _bytes_of(model)
        found = context.buffer(lib.tenure_dims, context._pointer, raw(_name_of(model, name)), data, len(data))
    return found.decode("utf-8", "replace")


def read_plan(data: str | bytes, *, name: str = "<plan>", context: Context | None = None) -> Plan:
    """Reads a plan in JSON. It is consistent in itself; ``plan.check(model)`` holds it against a model."""
    context = context if context is not None else Context()
    data, out = raw(data), ctypes.c_void_p()
    found = context.check(
        lib.tenure_plan_read, context._pointer, raw(name), data, len(data), ctypes.byref(out)
    )
    return Plan(_Handle(context, out.value or 0, lib.tenure_plan_free), None, found)
