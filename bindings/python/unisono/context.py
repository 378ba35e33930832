"""The context: one loop, fetched from by polling, by iterating over events, or by asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import inspect
import logging
import threading
import time
import weakref
from types import TracebackType
from typing import Any, Awaitable, Callable, Dict, Iterator, Optional, Protocol, Set, Type, TypeVar

from . import _arguments as a
from . import _ffi
from ._reading import event_from
from ._streams import EventStream
from .enums import MILLISECOND, ActivityType, LogLevel, Status
from .errors import NotFoundError, StateError, UnisonoError, check
from .events import ErrorEvent, Event, Gone, LogEvent, Message, TimerEvent

T = TypeVar("T")
#: Called with one event. It may be ``async``; then it runs as a task of the loop that fetches the events.
Handler = Callable[[T], object]

logger = logging.getLogger("unisono")
_SLICE_NS = 250 * MILLISECOND  # spent in the library at once, so that Ctrl-C is answered while waiting
_LEVELS = {LogLevel.ERROR: logging.ERROR, LogLevel.WARNING: logging.WARNING, LogLevel.INFO: logging.INFO}
_GONE = Gone()


class Source(Protocol):
    """What receives events: a session or a coordinator."""

    def _deliver(self, event: Event) -> None: ...


def version() -> str:
    """The version of the loaded library."""
    text: bytes = _ffi.library().version()
    return text.decode("ascii", "replace")


def host_time_ns() -> int:
    """The clock in which all host times are told; the same as ``time.monotonic_ns()`` on Linux."""
    now: int = _ffi.library().host_time()
    return now


class Context:
    """Owns the loop, and everything made from it; closing it closes them all.

    Events come from ``events()`` (an iterator), ``poll()`` (which only calls the handlers) or, in asyncio, by
    ``attach()`` and ``stream()``. Handlers (delegates, ``on_...`` attributes, ``call_at`` functions) run in whatever
    thread fetches the events, one at a time; those that are ``async`` run as tasks. An exception in a handler is given to
    ``on_exception`` and ends nothing. ``on_event`` gets every event, after its handler.
    With ``own_thread`` the library runs its loop by itself; events are fetched the same way.
    """

    def __init__(
        self,
        *,
        device_name: Optional[str] = None,
        storage_path: Optional[str] = None,
        own_thread: bool = False,
        log_level: LogLevel = LogLevel.DEFAULT,
        random_seed: int = 0,
        person: bytes = b"",
    ) -> None:
        options = _ffi.ContextOptions(
            own_thread=a.flag(own_thread, "own_thread"),
            event_queue=1,
            device_name=a.text_or_none(device_name, "device_name"),
            storage_path=a.text_or_none(storage_path, "storage_path"),
            log_level=a.i32(log_level, "log_level"),
            random_seed=a.u64(random_seed, "random_seed"),
        )
        secret = a.data(person, "person")
        if len(secret) not in (0, 16):
            raise a.invalid("person is a secret of exactly 16 bytes, or empty")
        if secret:
            options.person = (ctypes.c_uint8 * 16)(*secret)
        library = _ffi.library()
        handle = ctypes.c_void_p()
        check(self._create(library, ctypes.byref(options), ctypes.byref(handle)))
        self._handle = handle.value
        self._library = library
        self._sources: Dict[int, Source] = {}
        #: Held while a timer is asked for: another thread may fetch it before its token is known here.
        self._timers_lock = threading.Lock()
        self._timers: Dict[int, Handler[TimerEvent]] = {}
        self._woken = False
        self._fetched = 0, 0  # which thread did last, and when
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._streams: "weakref.WeakSet[EventStream]" = weakref.WeakSet()
        self._tasks: Set["asyncio.Task[Any]"] = set()
        self.on_event: Optional[Handler[Event]] = None
        self.on_exception: Callable[[BaseException], object] = _log_exception
        #: Runs when the context is closed, when it is collected, and at the latest when the interpreter ends.
        self._finalizer = weakref.finalize(self, library.context_destroy, self._handle)

    def _create(self, library: Any, options: Any, out: Any) -> int:
        return int(library.context_create(options, None, None, out))

    # ---- life ----

    def close(self) -> None:
        """Leaves and ends everything made from this context, handlers that are still running included. Closing twice is
        fine. For a certain goodbye leave its session's ``with`` block first, or call its ``depart``."""
        self.detach()
        for task in tuple(self._tasks):
            if not task.get_loop().is_closed() and task is not _current_task():
                task.get_loop().call_soon_threadsafe(task.cancel)
        if self._finalizer.alive:
            self._finalizer()
        self._sources.clear()
        self._timers.clear()

    def forget_answers(self, activity_type: ActivityType = ActivityType.ALL) -> None:
        """Remembered answers about activities of a type, or of all: people are asked again."""
        check(self._library.context_forget_answers(self._handle, a.i32(activity_type, "activity_type")))

    @property
    def closed(self) -> bool:
        """It was closed."""
        return not self._finalizer.alive

    def __enter__(self) -> "Context":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    # ---- fetching events ----

    def next_event(self, *, max_wait_ns: Optional[int] = 0) -> Optional[Event]:
        """Waits up to ``max_wait_ns`` (None: without limit), calls the event's handlers and returns the event.

        None when nothing came, or after ``wake``.
        """
        wait = None if max_wait_ns is None else max(0, a.ns(max_wait_ns, "max_wait_ns"))
        pointer = ctypes.POINTER(_ffi.ContextEvent)()
        began = time.monotonic_ns()
        while True:
            self._fetched = threading.get_ident(), time.monotonic_ns()
            left = _SLICE_NS if wait is None else max(0, min(_SLICE_NS, began + wait - time.monotonic_ns()))
            if check(self._library.context_next_event(self._handle, left, ctypes.byref(pointer))) > 0:
                break
            if self._woken or (wait is not None and time.monotonic_ns() - began >= wait):
                self._woken = False
                return None
        handle = pointer.contents.source or 0
        source = self._sources.get(handle)
        event = event_from(pointer, _GONE if handle and source is None else source)
        self._dispatch(event, source)
        return event

    def events(self, *, max_wait_ns: Optional[int] = 0) -> Iterator[Event]:
        """Everything that is there now; waits up to ``max_wait_ns`` (None: without limit) for the first one."""
        if max_wait_ns is not None:
            a.ns(max_wait_ns, "max_wait_ns")  # here, not when the first one is asked for
        return self._events(max_wait_ns)

    def _events(self, max_wait_ns: Optional[int]) -> Iterator[Event]:
        event = self.next_event(max_wait_ns=max_wait_ns)
        while event is not None:
            yield event
            event = None if self.closed else self.next_event()

    def poll(self, *, max_wait_ns: Optional[int] = 0) -> int:
        """Like ``events``, for hosts that only use handlers; returns how many events came."""
        return sum(1 for _ in self.events(max_wait_ns=max_wait_ns))

    def wake(self) -> None:
        """Ends a waiting ``poll``, from any thread."""
        self._woken = True
        check(self._library.context_wake(self._handle))

    def fileno(self) -> int:
        """A descriptor that is readable when something is due, timers included; for select, poll and other loops."""
        return check(self._library.context_fd(self._handle))

    # ---- asyncio ----

    def attach(self, loop: Optional[asyncio.AbstractEventLoop] = None) -> None:
        """Fetches events whenever the descriptor is readable, until ``detach`` or ``close``. Without ``loop``: the running
        one."""
        descriptor = self.fileno()
        attached = loop or asyncio.get_running_loop()
        self.detach()
        self._loop = attached
        attached.add_reader(descriptor, self._readable)
        attached.call_soon(self._readable)  # what came before there was a reader

    def detach(self) -> None:
        """Fetches no more events by itself; streams end."""
        if self._loop is not None and not self.closed and not self._loop.is_closed():
            self._loop.remove_reader(self.fileno())
        self._loop = None
        for stream in tuple(self._streams):
            stream.close()
        self._streams.clear()

    def stream(self) -> EventStream:
        """The events as they come from now on, for ``async for``; attaches to the running loop if need be. As many readers
        as you like: each gets every event. They end when the context is detached or closed."""
        loop = asyncio.get_running_loop()
        if self._loop is None:
            self.attach(loop)
        stream = EventStream(loop)
        self._streams.add(stream)
        return stream

    def _readable(self) -> None:
        if self._loop is None or self.closed:
            return
        try:
            for _ in self.events():
                if self._loop is None:
                    return
        except Exception as error:
            self.detach()  # the library refuses to be polled: trying again would only spin
            self.on_exception(error)

    # ---- timers ----

    @property
    def host_time_ns(self) -> int:
        """Now, in the clock this context lives by."""
        return int(self._library.context_host_time(self._handle))

    def call_at(self, host_time_ns: int, function: Handler[TimerEvent]) -> int:
        """Calls ``function`` exactly once: at ``host_time_ns``, or with ``canceled`` set. Returns a token for ``cancel``."""
        token = ctypes.c_uint64()
        when, called = a.ns(host_time_ns, "host_time_ns"), a.function(function, "function")
        with self._timers_lock:
            check(self._library.context_call_at(self._handle, when, None, None, ctypes.byref(token)))
            self._timers[token.value] = called
        return token.value

    def cancel(self, token: int) -> bool:
        """False when it fired already."""
        try:
            check(self._library.context_cancel(self._handle, a.u64(token, "token")))
        except NotFoundError:
            return False
        return True

    # ---- inside ----

    @property
    def _attached_here(self) -> bool:
        """To the loop that runs in this thread."""
        try:
            return self._loop is not None and self._loop is asyncio.get_running_loop()
        except RuntimeError:
            return False

    @property
    def _is_fetched_elsewhere(self) -> bool:
        """By another thread, which is still at it."""
        thread, when = self._fetched
        return thread not in (0, threading.get_ident()) and time.monotonic_ns() - when < 4 * _SLICE_NS

    def _register(self, handle: Any, source: Source) -> None:
        self._sources[handle] = source

    def _forget(self, handle: Any) -> None:
        self._sources.pop(handle, None)

    def _dispatch(self, event: Event, source: Optional[Source]) -> None:
        if isinstance(event, TimerEvent):
            with self._timers_lock:
                function = self._timers.pop(event.token, None)
            self._call(function, event)
        elif isinstance(event, LogEvent):
            logger.log(_LEVELS.get(event.level, logging.DEBUG), "%s", event.message)
        elif isinstance(event, ErrorEvent) and source is None:
            logger.error("%s", event.error)
        elif source is not None:
            source._deliver(event)
        for stream in tuple(self._streams):
            stream.put(event, isinstance(event, Message))
        self._call(self.on_event, event)

    def _call(
        self, handler: Optional[Handler[Any]], event: Event, failed: Optional[Callable[[], None]] = None
    ) -> Optional["asyncio.Task[Any]"]:
        """Runs a handler; where it is ``async``, the task that does. ``failed`` is called when it raises."""
        if handler is None:
            return None
        try:
            result = handler(event)
            return self._task(result, failed) if inspect.isawaitable(result) else None
        except Exception as error:
            self._failed(error, failed)
            return None

    def _task(self, work: Awaitable[Any], failed: Optional[Callable[[], None]]) -> "asyncio.Task[Any]":
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            if inspect.iscoroutine(work):
                work.close()
            raise StateError(
                Status.ESTATE, "an async handler needs a running loop: Context.attach() in it, instead of poll()"
            ) from None

        async def run() -> None:
            try:
                await work
            except Exception as error:
                self._failed(error, failed)

        task = loop.create_task(run())
        self._tasks.add(task)  # a loop holds tasks weakly
        task.add_done_callback(self._tasks.discard)
        return task

    def _failed(self, error: Exception, failed: Optional[Callable[[], None]]) -> None:
        if failed is not None:
            with contextlib.suppress(UnisonoError):
                failed()
        self.on_exception(error)


def _current_task() -> Optional["asyncio.Task[Any]"]:
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


def log_error(event: ErrorEvent) -> None:
    """What ``on_error`` does unless it is set: a line in the log."""
    logger.error("%s", event.error)


def _log_exception(error: BaseException) -> None:
    logger.error("a handler failed", exc_info=error)
