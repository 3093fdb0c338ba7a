"""What makes a model fit a budget."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from json import loads
from typing import Any

from . import _abi
from ._context import _Handle
from ._library import lib, raw, sized, text
from ._plan import Plan


@dataclass(frozen=True)
class Rung:
    """A measure that was tried on top of those before it that are part of the result; the first is the plan without."""

    measure: str  #: "order", "io", ...; "none" of the first
    options: str  #: as on a command line
    asks: str  #: for what: of the user, his kernels or his program
    ram: int  #: bytes, with the stack of the program where tenure writes it; 0 without a plan
    flash: int  #: bytes, with its code
    arena: int
    stack: int
    operations: int  #: that are added
    model_operations: int  #: of the model; 0 where none are added
    made: bool  #: there is a plan
    fits: bool
    part: bool  #: of the result
    chosen: bool  #: its numbers are those of the result


class Fit:
    """What was found: `plan` is the plan, `rungs` all that was tried. ``print(fit)`` shows the ladder."""

    def __init__(self, handle: _Handle, plan: Plan, rungs: list[Rung], command: str):
        self._handle = handle
        self.plan, self.rungs, self.command = plan, rungs, command

    @property
    def chosen(self) -> Rung:
        """The rung that is the result."""
        return next(rung for rung in self.rungs if rung.chosen)

    @property
    def fits(self) -> bool:
        """Whether the budget is kept."""
        return self.chosen.fits

    def report(self, form: str = "text") -> str:
        """The ladder: "text", "json" (docs/FIT.md), or "html", a page with the curve of bytes by operations."""
        context = self._handle.context
        return context.buffer(lib.tenure_fit_report, self._handle.pointer, raw(form)).decode("utf-8", "replace")

    def facts(self) -> dict[str, Any]:
        """The same as Python has it."""
        found: dict[str, Any] = loads(self.report("json"))
        return found

    def __str__(self) -> str:
        return self.report()

    def __repr__(self) -> str:
        return f"<tenure.Fit {self.chosen.ram} bytes of RAM{'' if self.fits else ', does not fit'}>"


def _rung(r: Any) -> Rung:
    return Rung(
        text(r.measure) or "", text(r.options) or "", text(r.asks) or "", r.ram, r.flash, r.arena, r.stack, r.operations,
        r.model_operations, bool(r.made), bool(r.fits), bool(r.part), bool(r.chosen),
    )


def fit_of(handle: _Handle, plan: Plan) -> Fit:
    """All of it, read."""
    rungs: list[Rung] = []
    out = sized(_abi.tenure_rung)
    while lib.tenure_fit_rung(handle.pointer, len(rungs), ctypes.byref(out)):
        rungs.append(_rung(out))
    return Fit(handle, plan, rungs, text(lib.tenure_fit_command(handle.pointer)) or "")
