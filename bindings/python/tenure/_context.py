"""Contexts: calls into the library, what it says meanwhile, and how they are ended."""

from __future__ import annotations

import _thread
import collections
import ctypes
import os
import queue
import sys
import threading
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from . import _abi
from ._library import lib, raw, text
from .errors import Diagnostic, OutOfMemoryError, UsageError, error_of, in_python

_NAMES = {"dims": "dim"}  # what keywords call options
_LOOK_S = 0.05  # how long a signal may wait
_PAIRS_OF_NAMES = {"update", "grad-of"}
_FOR_THE_COMMAND = {
    "emit", "output", "emit-opt", "quiet", "from-annotations", "print-project", "print-pipeline", "project", "json",
}


def quoted(name: str) -> str:
    """A name in quotes, as options take it wherever they ask for one."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(_word(item) for item in value)
    return value if isinstance(value, str) else str(value)


def _values(option: str, value: Any) -> list[bytes]:
    """The values to set an option to, one after the other."""
    if isinstance(value, Mapping):
        word = quoted if option in _PAIRS_OF_NAMES else _word
        return [raw(f"{quoted(name)}={word(item)}") for name, item in value.items()]
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(value) if isinstance(value, (set, frozenset)) else value
        return [one for item in items for one in _values(option, item)]
    return [raw(value if isinstance(value, (bytes, str)) or hasattr(value, "__fspath__") else _word(value))]


class _Handle:
    """What belongs to a context, freed by the first call into it after nobody refers to it any more: a context is
    for one thread at a time, and the garbage collector runs in any."""

    def __init__(self, context: Context, pointer: int, free: Any, keep: Any = None):
        self.context, self.pointer, self.keep = context, pointer, keep
        weakref.finalize(self, context._dead.append, (free, pointer, keep))


class _Task:
    """What a call has this program do meanwhile: a callback."""

    def __init__(self, function: Callable[[], Any]):
        self.function, self.reply = function, queue.SimpleQueue[Any]()


class _Callers:
    """Threads that make calls, one at a time each. One that is done waits for the next: to start a thread takes as
    long as to plan a small model."""

    def __init__(self) -> None:
        self.idle: collections.deque[queue.SimpleQueue[Callable[[], None]]] = collections.deque()
        if sys.platform != "win32":  # which makes no children so
            os.register_at_fork(after_in_child=self.idle.clear)  # a child has none of its parent's threads

    def make(self, call: Callable[[], None]) -> None:
        try:
            self.idle.pop().put(call)
        except IndexError:
            _thread.start_new_thread(self._make_all, (call,))

    def _make_all(self, call: Callable[[], None] | None) -> None:
        calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        while call is not None:
            call()
            call = None  # what it keeps alive may go
            self.idle.append(calls)
            call = calls.get()


_callers = _Callers()


class _Served:
    """A call made by another thread, which the thread that wanted it serves. The other one keeps all alive that the
    call needs."""

    def __init__(self, context: Context, function: Any, args: tuple[Any, ...]):
        self.context, self.function, self.args = context, function, args
        self.once = threading.Lock()
        self.wake: queue.SimpleQueue[None] = queue.SimpleQueue()
        self.tasks: list[_Task] = []
        self.result: list[Any] = []

    def begin(self) -> None:
        if not self.once.locked():
            _callers.make(self.call)

    def withdraw(self) -> bool:
        """Whether no thread has begun the call; none will."""
        return self.once.acquire(blocking=False)

    def call(self) -> None:
        if self.once.acquire(blocking=False):
            try:
                self.result.append(self.function(*self.args))
            except BaseException as error:  # arguments that ctypes refuses
                self.context._raised = self.context._raised or error
                self.result.append(None)
            self.wake.put(None)

    def serve(self) -> Any:
        while not self.result:
            while self.tasks:
                self.tasks[0].reply.put(self.tasks[0].function())
                self.tasks.pop(0)
            try:
                self.wake.get(timeout=_LOOK_S)
            except queue.Empty:  # a signal that another thread took is seen here
                pass
        return self.result[0]

    def give_up(self) -> None:
        """After an exception nobody knows which tasks were done: a second reply is not read."""
        while self.tasks:
            self.tasks.pop().reply.put(None)


def _in_main() -> bool:
    return threading.get_ident() == threading.main_thread().ident


class Context:
    """Where models and plans live. `tenure.plan` and `tenure.load` make one each, so that you need your own only for
    callbacks and `cancel`.

    on_diagnostic
        is called with each `Diagnostic` as it comes: warnings and remarks too, which raise nothing.
    on_progress
        is called with what is begun, in a word or two: "read", the name of a pass, "check", "write".
    on_log
        is called with pieces of what options such as `stats` and `print_after` have a run say; without it that goes
        to `sys.stderr`.

    Callbacks run in the thread that called into the context. What they raise ends the call and is raised by it. A
    context serves one call at a time; threads that share one wait for each other, different contexts share nothing."""

    def __init__(
        self,
        on_diagnostic: Callable[[Diagnostic], object] | None = None,
        on_progress: Callable[[str], object] | None = None,
        on_log: Callable[[str], object] | None = None,
    ):
        self._pointer = lib.tenure_context_new(None)
        if not self._pointer:
            raise OutOfMemoryError("out of memory")
        self._dead: collections.deque[tuple[Any, int, Any]] = collections.deque()
        self._lock = threading.RLock()
        self._served: _Served | None = None
        self._found: list[Diagnostic] = []
        self._raised: BaseException | None = None
        self._cancelled = False
        self._passes: dict[str, Any] = {}
        self._listen(on_diagnostic, on_progress, on_log)
        weakref.finalize(self, lib.tenure_context_free, self._pointer)

    def _listen(self, on_diagnostic: Any, on_progress: Any, on_log: Any) -> None:
        """Callbacks refer to the context weakly: it owns them, and the library calls only while it lives."""
        me = weakref.ref(self)

        def diagnostic(_user: Any, struct: Any) -> None:
            found, context = Diagnostic.of(struct.contents), me()
            if context is not None:
                context._found.append(found)
                if on_diagnostic is not None:
                    context._call_back(on_diagnostic, found)

        def progress(_user: Any, doing: bytes) -> None:
            context = me()
            if context is not None:
                context._call_back(on_progress, text(doing))

        def log(_user: Any, file: bytes | None, data: Any, size: int) -> None:
            context, piece = me(), ctypes.string_at(data, size)
            if context is not None:
                context._call_back(context._log, on_log, file, piece)

        self._callbacks = [_abi.tenure_diagnostic_fn(diagnostic), _abi.tenure_log_fn(log)]
        lib.tenure_on_diagnostic(self._pointer, self._callbacks[0], None)
        lib.tenure_on_log(self._pointer, self._callbacks[1], None)
        if on_progress is not None:
            self._callbacks.append(_abi.tenure_progress_fn(progress))
            lib.tenure_on_progress(self._pointer, self._callbacks[2], None)

    @staticmethod
    def _log(on_log: Any, file: bytes | None, piece: bytes) -> None:
        if file is not None:  # of a reproducer
            with open(file, "wb") as f:
                f.write(piece)
            return
        said = piece.decode("utf-8", "replace")
        if on_log is not None:
            on_log(said)
        else:
            sys.stderr.write(said)

    def cancel(self) -> None:
        """Ends the call that is running, or else the next one: soon, and with `InterruptedPlanning`. For other
        threads, timers and signal handlers. With the option `keep_best` the search ends, and the best plan found so
        far is what the call returns; a second `cancel` ends that, too."""
        self._cancelled = True
        lib.tenure_cancel(self._pointer)

    # ---- calls ----

    def _call_back(self, function: Any, *args: Any) -> Any:
        """Calls a function of the user in the thread that called into the context. An exception is kept for the
        end of the call, which comes soon."""

        def task() -> Any:
            try:
                return function(*args)
            except BaseException as error:  # it must not go through C
                self._raised = self._raised or error
                self.cancel()
                return None

        return self._where_called(task)

    def _where_called(self, function: Callable[[], Any]) -> Any:
        served = self._served
        if served is None or _in_main():
            return function()
        task = _Task(function)
        served.tasks.append(task)
        served.wake.put(None)
        return task.reply.get()

    def _beside(self, function: Any, args: tuple[Any, ...]) -> Any:
        """Signals reach Python in the main thread and between its instructions only. So calls from there are made by
        another thread, while this one waits for what it has to do: callbacks, and the end. An exception here,
        KeyboardInterrupt above all, cancels the call. It may come between any two instructions: nothing is taken off a
        list before it is done."""
        served = _Served(self, function, args)
        outer, self._served = self._served, served
        try:
            while True:
                try:
                    served.begin()
                    return served.serve()
                except BaseException as error:
                    if served.withdraw():  # no thread could be had, or none so far
                        raise
                    self._raised = self._raised or error
                    self.cancel()
                    served.give_up()
        finally:
            self._served = outer

    def _free_dead(self) -> None:
        while self._dead:
            free, pointer, _ = self._dead.popleft()
            free(pointer)

    def _forget_cancel(self) -> None:
        """A wish that came too late must not end the next call."""
        if self._cancelled:
            self._cancelled = False
            lib.tenure_options_free(lib.tenure_options_for(self._pointer, b"plan"))

    def run(
        self, function: Any, *args: Any, beside: bool = True, kept: Callable[[], bool] = lambda: False
    ) -> tuple[Any, tuple[Diagnostic, ...]]:
        """Calls a function of the library: its result, and the messages that came with it. Where `kept` says that
        an interrupted call has a result all the same, Ctrl-C raises nothing."""
        with self._lock:
            self._free_dead()
            outer, self._found = (self._found, self._raised), []
            self._raised = None
            try:
                in_main = beside and _in_main()
                result = self._beside(function, args) if in_main else function(*args)
                found, raised = tuple(self._found), self._raised
                self._forget_cancel()
            finally:
                self._found, self._raised = outer
            if raised is not None and not (isinstance(raised, KeyboardInterrupt) and kept()):
                raise raised
            return result, found

    def check(self, function: Any, *args: Any, beside: bool = True) -> tuple[Diagnostic, ...]:
        """The same for functions that return a status: raises what is not OK."""
        status, found = self.run(function, *args, beside=beside)
        if status != _abi.TENURE_OK:
            raise error_of(status, found)
        return found

    def handle(self, function: Any, *args: Any, free: Any, keep: Any = None, beside: bool = True) -> _Handle:
        """The same for functions that return a handle, NULL when they fail."""
        pointer, found = self.run(function, *args, beside=beside)
        if not pointer:
            raise error_of(lib.tenure_last_status(self._pointer), found)
        return _Handle(self, pointer, free, keep)

    def explained(self, call: Any, pointer: Any, tensors: tuple[str, ...], options: dict[str, Any]) -> str:
        """What `call` explains of a model or a plan."""
        json = options.pop("json", False)
        given = self.options("explain", options)
        if json:
            self.check(lib.tenure_options_set, given.pointer, b"json", b"true")
        names = (ctypes.c_char_p * max(len(tensors), 1))(*map(raw, tensors))
        said = self.buffer(call, pointer, given.pointer, names, len(tensors)).decode("utf-8", "replace")
        return said if json else in_python(said)

    def buffer(self, function: Any, *args: Any) -> bytes:
        """The same for functions whose last argument takes a buffer: its bytes."""
        out = ctypes.c_void_p()
        self.check(function, *args, ctypes.byref(out))
        data = ctypes.string_at(lib.tenure_buffer_data(out), lib.tenure_buffer_size(out))
        lib.tenure_buffer_free(out)
        return data

    def options(self, command: str, given: Mapping[str, Any]) -> _Handle:
        """The options of a command from keywords."""
        options = self.handle(
            lib.tenure_options_for, self._pointer, command.encode(), free=lib.tenure_options_free, beside=False
        )
        for name, value in given.items():
            option = _NAMES.get(name, name.replace("_", "-"))
            if option in _FOR_THE_COMMAND:
                raise UsageError(f"error: '{name}' is an option of the command; see Plan.emit and Plan.report")
            for one in () if value is None else _values(option, value):
                self.check(lib.tenure_options_set, options.pointer, option.encode(), one, beside=False)
        return options
