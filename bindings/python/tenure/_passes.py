"""Passes written in Python, which take part in pipelines like tenure's own."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _abi
from ._library import array, callback, lib, raw, sized, text
from .errors import UsageError, error_of

if TYPE_CHECKING:
    from ._context import Context
    from .graph import Op
    from ._model import Model

_HAS = {"types": _abi.TENURE_HAS_TYPES, "order": _abi.TENURE_HAS_ORDER, "pins": _abi.TENURE_HAS_PINS}
_SEVERITIES = {"error": 0, "warning": 1, "remark": 2, "note": 3}


class Run:
    """A run of a pass: the model to read and change, and what the pipeline gave.

    `model` is valid during the run only. `options` has a value for each option that the pass was registered with:
    bool, int or str."""

    def __init__(self, context: Context, pointer: int, options: Mapping[str, Any]):
        from ._context import _Handle
        from ._model import Model

        self._pointer, self._context = pointer, context
        handle = _Handle.__new__(_Handle)  # the pipeline's, which nobody frees here
        handle.context, handle.pointer, handle.keep = context, lib.tenure_pass_model(pointer), None
        self.model: Model = Model(handle)
        self.options = dict(options)

    def report(self, severity: str, said: str, op: Op | None = None) -> None:
        """Gives a message: "error", "warning", "remark" or "note", located at an op where one is given. It ends
        nothing; an exception does."""
        if severity not in _SEVERITIES:
            raise UsageError(f"error: no severity '{severity}'; there are {', '.join(_SEVERITIES)}")
        where = op._pointer if op is not None else None
        lib.tenure_report(self._context._pointer, _SEVERITIES[severity], where, raw(said))

    def count(self, counter: str, n: int = 1) -> None:
        """Adds to a counter, which ``stats=True`` prints."""
        lib.tenure_pass_count(self._pointer, raw(counter), n)


@dataclass(frozen=True)
class _Pass:
    run: Callable[[Run], object]
    name: str
    summary: str
    needs: int
    keeps: int
    options: Mapping[str, Any]
    counters: Mapping[str, str]


_passes: dict[str, _Pass] = {}


def register_pass(
    name: str, *, needs: Iterable[str] = (), keeps: Iterable[str] = (), options: Mapping[str, Any] | None = None,
    counters: Mapping[str, str] | None = None, summary: str | None = None,
) -> Callable[[Callable[[Run], object]], Callable[[Run], object]]:
    """A decorator that makes a pass of a function, for all contexts that are made later::

        @tenure.register_pass("drop-identity", counters={"dropped": "ops taken out"})
        def drop_identity(run):
            "take out ops that change nothing"
            for op in run.model.graph:
                if op.type == "Identity":
                    op.result.replace_by(op.operands[0])
                    op.remove()
                    run.count("dropped")

        plan = tenure.plan("net.onnx", passes="drop-identity,O2")

    `name` is what pipelines call it: lower case, with dashes. `needs` and `keeps` are of "types", "order" and "pins": what
    has to be known before, and what is still so afterwards. `options` are defaults by name, of kind bool, int or str,
    which pipelines set (``drop-identity{most=3}``) and ``run.options`` has. The first line of the function's docstring
    is its summary. An exception ends the pipeline, and is raised by whoever ran it. A pass that changes the model stands
    before those that plan, and behind it the model is verified. A name that is registered again means the newer
    function."""

    def bits(words: Iterable[str]) -> int:
        unknown = [word for word in words if word not in _HAS]
        if unknown:
            raise UsageError(f"error: pass '{name}': no '{unknown[0]}'; there are {', '.join(_HAS)}")
        return sum(_HAS[word] for word in set(words))

    def register(run: Callable[[Run], object]) -> Callable[[Run], object]:
        said = summary or (run.__doc__ or "a pass written in Python").strip().splitlines()[0].rstrip(".")
        _passes[name] = _Pass(run, name, said, bits(needs), bits(keeps), dict(options or {}), dict(counters or {}))
        return run

    return register


def _option_table(p: _Pass) -> Any:
    kinds = {bool: _abi.TENURE_OPTION_FLAG, int: _abi.TENURE_OPTION_NUMBER, str: _abi.TENURE_OPTION_TEXT}
    rows = []
    for name, default in p.options.items():
        if type(default) not in kinds:
            raise UsageError(f"error: pass '{p.name}': the default of '{name}' is no bool, int or str")
        word = str(default).lower() if isinstance(default, bool) else str(default)
        rows.append((raw(name.replace("_", "-")), kinds[type(default)], raw(word), None, raw(name.replace("_", " "))))
    return array(_abi.tenure_option_def, rows, room=1)


def _given(p: _Pass, pointer: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, default in p.options.items():
        word = text(lib.tenure_pass_value(pointer, raw(name.replace("_", "-")))) or ""
        found[name] = word == "true" if isinstance(default, bool) else type(default)(word)
    return found


def _define(context: Context, p: _Pass) -> Any:
    """The definition, and all that it refers to: the context keeps them as long as it lives."""

    def run(pointer: int, _user: Any) -> int:
        done = context_of()._call_back(lambda: (p.run(Run(context_of(), pointer, _given(p, pointer))), True)[1])
        return _abi.TENURE_OK if done else _abi.TENURE_ERROR

    import weakref

    weak = weakref.ref(context)

    def context_of() -> Context:
        found = weak()
        assert found is not None  # it is running
        return found

    d = sized(_abi.tenure_pass_def)
    d.name, d.summary, d.needs, d.keeps = raw(p.name), raw(p.summary), p.needs, p.keeps
    counters = [(raw(name), raw(said)) for name, said in p.counters.items()]
    d.options = options = _option_table(p)
    d.counters = listed = array(_abi.tenure_counter_def, counters, room=1)
    d.run = called = callback(_abi.tenure_pass_def, "run", run)
    return d, options, listed, called


def register_all(context: Context) -> None:
    """Registers on a context what has been registered since it was made."""
    for name, p in _passes.items():
        if context._passes.get(name) is p:
            continue
        kept = _define(context, p)
        status, found = context.run(
            lib.tenure_register_pass, context._pointer, ctypes.byref(kept[0]), beside=False
        )
        if status != _abi.TENURE_OK:
            raise error_of(status, found)
        context._passes[name] = p
        context._callbacks.append(kept)
