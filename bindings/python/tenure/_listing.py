"""What there is: passes, backends, presets, operators, and options with their types."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, ClassVar

from . import _abi
from ._library import lib, raw, sized, take
from ._context import Context
from .errors import UsageError
from ._passes import register_all


@dataclass(frozen=True)
class Option:
    """An option: of a command, a pass or a backend."""

    name: str  #: as the command has it; keywords have underscores for dashes
    kind: str  #: "text", "flag", "number", "bytes", "choice", "file", "name", "pair"
    values: str | None  #: "file|kahn", or what help calls the value
    fallback: str | None  #: what counts when it is not set; None where the library chooses
    help: str
    repeats: bool  #: whether values add up

    ENUMS: ClassVar[dict[str, str]] = {"kind": "tenure_option_kind"}
    FLAGS: ClassVar[tuple[str, ...]] = ("repeats",)


@dataclass(frozen=True)
class Entry:
    """A pass, a pipeline, a backend, a frontend, a preset or an operator."""

    name: str
    summary: str | None
    text: str | None  #: of a pipeline its passes, of a backend the end of its files' names, of a preset its options
    options: tuple[Option, ...]


def _options_of(context: Context, which: int, index: int, n: int) -> tuple[Option, ...]:
    found = []
    for k in range(n):
        out = sized(_abi.tenure_option)
        if lib.tenure_list_option(context._pointer, which, index, k, ctypes.byref(out)):
            found.append(take(Option, out))
    return tuple(found)


def _entries(which: int) -> dict[str, Entry]:
    context, found, out = Context(), {}, sized(_abi.tenure_entry)
    register_all(context)
    for index in range(lib.tenure_list_count(context._pointer, which)):
        if lib.tenure_list_get(context._pointer, which, index, ctypes.byref(out)):
            entry = take(Entry, out, options=_options_of(context, which, index, out.n_options))
            found[entry.name] = entry
    return found


def passes() -> dict[str, Entry]:
    """All passes by name, those written in Python too."""
    return _entries(_abi.TENURE_LIST_PASSES)


def pipelines() -> dict[str, Entry]:
    """Named pipelines: what `O` stands for, among others."""
    return _entries(_abi.TENURE_LIST_PIPELINES)


def backends() -> dict[str, Entry]:
    """What `Plan.emit` can write, by name."""
    return _entries(_abi.TENURE_LIST_BACKENDS)


def presets() -> dict[str, Entry]:
    """Sets of options that fit a purpose, by name."""
    return _entries(_abi.TENURE_LIST_PRESETS)


def options(command: str = "plan") -> dict[str, Option]:
    """The options of "plan", "explain", "check" or "pack", by the keywords that functions take."""
    context = Context()
    pointer = lib.tenure_options_for(context._pointer, raw(command))
    if not pointer:
        raise UsageError(f"error: no command '{command}'; there are plan, explain, check and pack")
    found: dict[str, Option] = {}
    out: Any = sized(_abi.tenure_option)
    for index in range(lib.tenure_options_count(pointer)):
        if lib.tenure_options_get(pointer, index, ctypes.byref(out)):
            option = take(Option, out)
            found[option.name.replace("-", "_")] = option
    return found
