"""Finds and loads libtenure, and gives its functions their types."""

import ctypes
import dataclasses
import os
import sys
from collections.abc import Iterable
from typing import Any, TypeVar

from . import _abi

T = TypeVar("T")

NONE = 0xFFFFFFFF
_NAMES = {"win32": ("libtenure.dll", "libtenure.dll"), "darwin": ("libtenure.dylib", "libtenure.0.dylib")}


def _candidates() -> list[str]:
    """TENURE_LIBRARY, the library of this package, and the system's, in this order."""
    asked = os.environ.get("TENURE_LIBRARY")
    if asked:
        return [asked]
    name, installed = _NAMES.get(sys.platform, ("libtenure.so", "libtenure.so.0"))
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    return [own if os.path.exists(own) else installed]


def _load() -> Any:
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
            break
        except OSError as error:
            raise ImportError(f"tenure: cannot load the library '{path}': {error}; set TENURE_LIBRARY to its path, or "
                              "install the package again") from error
    for name, result, arguments in _abi.FUNCTIONS:
        function = getattr(library, name, None)
        if function is None:
            raise ImportError(f"tenure: the library '{path}' is older than this package: it lacks {name}")
        function.restype, function.argtypes = result, arguments
    for name in ("tenure_buffer_data", "tenure_attribute_text"):  # bytes that may hold NUL
        getattr(library, name).restype = ctypes.c_void_p
    return library


lib = _load()


def text(value: "bytes | None") -> "str | None":
    """Names are the bytes that the model has; those that are not UTF-8 come back as they were."""
    return None if value is None else value.decode("utf-8", "surrogateescape")


def raw(value: "str | bytes | os.PathLike[str]") -> bytes:
    """What `text` makes text of."""
    value = os.fspath(value)
    return value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")


def sized(struct: Any) -> Any:
    """A struct to be filled, with its size in it."""
    made = struct()
    made.struct_size = ctypes.sizeof(struct)
    return made


def _words(enum: str) -> "dict[int, str]":
    """An enum's values as words: what its names do not have in common, in lower case, with dashes."""
    names = _abi.ENUMS[enum]
    common = os.path.commonprefix(list(names)).rpartition("_")[0] + "_"
    return {value: name.removeprefix(common).lower().replace("_", "-") for name, value in names.items()}


WORDS = {enum: _words(enum) for enum in _abi.ENUMS}


def ids(value: Any) -> "tuple[int | None, ...]":
    """A list of indices; None where one is left out."""
    return tuple(None if value.data[i] == NONE else value.data[i] for i in range(value.count))


def array(kind: Any, rows: Iterable[Any], room: int = 0) -> Any:
    """An array of a ctypes type, with room for more behind the rows."""
    listed = list(rows)
    return (kind * (len(listed) + room))(*listed)


def callback(struct: Any, member: str, function: Any) -> Any:
    """A function for a member that is a pointer to one. Whoever hands it out keeps it."""
    return {field[0]: field[1] for field in struct._fields_}[member](function)


def take(cls: type[T], struct: Any, **more: Any) -> T:
    """An object of a dataclass, its fields filled from members of the same name. ENUMS of the class says which
    are enums, and of which kind."""
    given = dict(more)
    enums: dict[str, str] = getattr(cls, "ENUMS", {})
    for name in (field.name for field in dataclasses.fields(cls)):  # type: ignore[arg-type]
        if name in given:
            continue
        value = getattr(struct, name)
        if name in enums:
            value = WORDS[enums[name]].get(value, str(value))
        elif isinstance(value, bytes):
            value = text(value)
        elif isinstance(value, _abi.tenure_ids):
            value = ids(value)
        elif name in getattr(cls, "FLAGS", ()):
            value = bool(value)
        elif value == NONE:
            value = None
        given[name] = value
    return cls(**given)
