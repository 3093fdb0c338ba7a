"""What goes wrong, as exceptions that carry the messages of the library."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ._library import take


_BOUND = r"--dim[ =](?:'[^']*'|[^\s,;)=]+=[^\s,;)]+)"
_BOUNDS = re.compile(rf"{_BOUND}(?: {_BOUND})*")
_LEVEL = re.compile(r"(?<![\w-])-O(\d?)(?!\w)")
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z-]*)(?:=([^\s,;)']+))?")


def in_python(said: str) -> str:
    """A message with options as keywords, as functions of this package take them: ``dims={"n": 4}`` for ``--dim n=4``."""
    def bound(found: re.Match[str]) -> str:
        pairs = (one[6:].strip("'").rpartition("=") for one in re.findall(_BOUND, found[0]))
        return "dims={" + ", ".join(f'"{n}": {v}' if re.fullmatch(r"-?\d+|N|VALUE", v) else f'"{n}": "{v}"' for n, _, v in pairs) + "}"

    def keyword(found: re.Match[str]) -> str:
        name = {"dim": "dims"}.get(found[1], found[1].replace("-", "_"))
        return name if found[2] is None else f"{name}={found[2] if found[2].isdigit() else repr(found[2])}"

    said = _LEVEL.sub(lambda found: "O=" + found[1] if found[1] else "O", said)
    return _OPTION.sub(keyword, _BOUNDS.sub(bound, said))


@dataclass(frozen=True)
class Diagnostic:
    """One message. What is not known of its place is None, 0, or -1 for `index`."""

    severity: str  #: "error", "warning", "remark", or "note", which belongs to the message before it
    status: int  #: of an error: the exit code that the command ends with
    text: str  #: without place and severity
    rendered: str  #: a whole line, as the command prints it, but for options, which are keywords here
    file: str | None  #: path as given, or the name it was loaded under
    line: int
    column: int
    graph: str | None  #: path of a nested graph
    node: str | None  #: its name
    op: str | None  #: its type
    value: str | None  #: its first result, which stands for a node without a name
    index: int  #: of the node in the file's list

    ENUMS: ClassVar[dict[str, str]] = {"severity": "tenure_severity"}

    def __str__(self) -> str:
        return self.rendered

    @classmethod
    def of(cls, struct: Any) -> Diagnostic:
        """The one that the library hands to a callback."""
        made = take(cls, struct)
        return replace(made, text=in_python(made.text), rendered=in_python(made.rendered))


class TenureError(Exception):
    """A call that failed. Its text is what the command would print.

    `status` is the exit code that the command ends with, `diagnostics` are all messages of the call, warnings too,
    and `plan` is the plan for the sake of its report, where one was made all the same (else None)."""

    status = 1

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = (), plan: Any = None):
        super().__init__(message)
        self.diagnostics = diagnostics
        self.plan = plan


class ModelError(TenureError):
    """The model, the plan or the request is wrong (1)."""


class UsageError(TenureError, ValueError):
    """An unknown option or backend, a value that does not fit (2)."""

    status = 2


class OutOfMemoryError(TenureError, MemoryError):
    """Memory ran out (3)."""

    status = 3


class CapacityError(TenureError):
    """The plan does not fit the capacity that was asked for (4). The messages say what stands in the way; `plan` is the
    lowest one found, None where it was clear before that nothing fits."""

    status = 4


class InternalError(TenureError):
    """A mistake of tenure, such as a plan that its checker refuses (70). Please report it."""

    status = 70


class InterruptedPlanning(TenureError):
    """`Context.cancel` ended the call (130). Ctrl-C is KeyboardInterrupt, as everywhere in Python."""

    status = 130


KINDS: dict[int, type[TenureError]] = {
    kind.status: kind
    for kind in (ModelError, UsageError, OutOfMemoryError, CapacityError, InternalError, InterruptedPlanning)
}


def error_of(status: int, diagnostics: tuple[Diagnostic, ...], plan: Any = None) -> TenureError:
    """The exception for a status, with the messages that explain it for its text."""
    told = [d for d in diagnostics if d.severity in ("error", "note")]
    message = "\n".join(d.rendered for d in told) or f"tenure ended with status {status}"
    return KINDS.get(status, TenureError)(message, diagnostics, plan)
