"""The context: one loop, fetched from by polling, by iterating over events, or by asyncio."""

from __future__ import annotations

import asyncio
import ctypes
import logging
import time
import weakref
from types import TracebackType
from typing import Any, AsyncIterator, Callable, Dict, Iterator, Optional, Protocol, Type

from . import _ffi
from ._events import event_from
from .errors import check
from .types import ActivityType, Event, EventType, LogEvent, LogLevel, TimerEvent, encoded_or_none

logger = logging.getLogger("unisono")
_SLICE = 0.25  # seconds spent in the library at once, so that Ctrl-C is answered while waiting
_LEVELS = {LogLevel.ERROR: logging.ERROR, LogLevel.WARNING: logging.WARNING, LogLevel.INFO: logging.INFO}


class Source(Protocol):
    """What receives events: a session or a coordinator."""

    def _deliver(self, event: Event) -> None: ...


def version() -> str:
    """The version of the loaded library."""
    text: bytes = _ffi.library().version()
    return text.decode("ascii", "replace")


def host_time() -> int:
    """Nanoseconds of the clock in which all host times are told; the same as ``time.monotonic_ns()`` on Linux."""
    now: int = _ffi.library().host_time()
    return now


class Context:
    """Owns the loop, and everything made from it; closing it closes them all.

    Events come from ``events()`` (an iterator), ``poll()`` (which only calls the handlers) or, in asyncio, by
    ``attach()`` and ``stream()``. Handlers (delegates, ``on_...`` attributes, ``call_at`` functions) run in whatever
    thread fetches the events, one at a time. An exception in a handler is given to ``on_exception`` and ends nothing.
    With ``own_thread`` the library runs its loop by itself; events are fetched the same way.
    """

    def __init__(
        self,
        *,
        device_name: Optional[str] = None,
        storage_path: Optional[str] = None,
        own_thread: bool = False,
        log_level: int = LogLevel.DEFAULT,
        random_seed: int = 0,
        person: bytes = b"",
    ) -> None:
        if len(person) not in (0, 16):
            raise ValueError("person is a secret of exactly 16 bytes, or empty")
        library = _ffi.library()
        options = _ffi.ContextOptions(
            own_thread=int(own_thread),
            event_queue=1,
            device_name=encoded_or_none(device_name),
            storage_path=encoded_or_none(storage_path),
            log_level=log_level,
            random_seed=random_seed,
        )
        if person:
            options.person = (ctypes.c_uint8 * 16)(*person)
        handle = ctypes.c_void_p()
        check(library.context_create(ctypes.byref(options), None, None, ctypes.byref(handle)))
        self._handle = handle.value
        self._library = library
        self._sources: Dict[int, Source] = {}
        self._timers: Dict[int, Callable[[TimerEvent], None]] = {}
        self._woken = False
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._stream: Optional["asyncio.Queue[Optional[Event]]"] = None
        self.on_exception: Callable[[BaseException], None] = _log_exception
        #: Runs when the context is closed, when it is collected, and at the latest when the interpreter ends.
        self._finalizer = weakref.finalize(self, library.context_destroy, self._handle)

    # ---- life ----

    def close(self) -> None:
        """Leaves and ends everything made from this context. Closing twice is fine."""
        self.detach()
        if self._finalizer.alive:
            self._finalizer()
        self._sources.clear()
        self._timers.clear()

    def forget_answers(self, activity_type: int = ActivityType.ALL) -> None:
        """Remembered answers about activities of a type, or of all: people are asked again."""
        check(self._library.context_forget_answers(self._handle, activity_type))

    @property
    def closed(self) -> bool:
        return not self._finalizer.alive

    def __enter__(self) -> "Context":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    # ---- fetching events ----

    def next_event(self, max_wait: float = 0.0) -> Optional[Event]:
        """Waits up to ``max_wait`` seconds (negative: no limit), calls the event's handler and returns the event.

        None when nothing came, or after ``wake``.
        """
        pointer = ctypes.POINTER(_ffi.ContextEvent)()
        end = time.monotonic() + max_wait
        while True:
            left = _SLICE if max_wait < 0 else min(_SLICE, end - time.monotonic())
            wait = max(0, int(left * 1e9))
            if check(self._library.context_next_event(self._handle, wait, ctypes.byref(pointer))) > 0:
                break
            if self._woken or (max_wait >= 0 and time.monotonic() >= end):
                self._woken = False
                return None
        source = self._sources.get(pointer.contents.source or 0)
        event = event_from(pointer, source)
        self._dispatch(event)
        return event

    def events(self, max_wait: float = 0.0) -> Iterator[Event]:
        """Everything that is there now; waits up to ``max_wait`` seconds for the first one."""
        event = self.next_event(max_wait)
        while event is not None:
            yield event
            event = None if self.closed else self.next_event(0.0)

    def poll(self, max_wait: float = 0.0) -> int:
        """Like ``events``, for hosts that only use handlers; returns how many events came."""
        return sum(1 for _ in self.events(max_wait))

    def wake(self) -> None:
        """Ends a waiting ``poll``, from any thread."""
        self._woken = True
        check(self._library.context_wake(self._handle))

    def fileno(self) -> int:
        """A descriptor that is readable when something is due, timers included; for select, poll and other loops."""
        return check(self._library.context_fd(self._handle))

    # ---- asyncio ----

    def attach(self, loop: Optional[asyncio.AbstractEventLoop] = None) -> None:
        """Fetches events whenever the descriptor is readable, until ``detach`` or ``close``."""
        self.detach()
        self._loop = loop or asyncio.get_running_loop()
        self._loop.add_reader(self.fileno(), self._readable)
        self._loop.call_soon(self._readable)  # what came before there was a reader

    def detach(self) -> None:
        if self._loop is not None and not self.closed and not self._loop.is_closed():
            self._loop.remove_reader(self.fileno())
        self._loop = None
        if self._stream is not None:
            self._stream.put_nowait(None)
            self._stream = None

    async def stream(self) -> AsyncIterator[Event]:
        """The events as they come, while attached; attaches itself if need be. Ends when detached or closed."""
        if self._loop is None:
            self.attach()
        queue: "asyncio.Queue[Optional[Event]]" = asyncio.Queue()
        self._stream = queue
        while True:
            event = await queue.get()
            if event is None:
                return
            yield event

    def _readable(self) -> None:
        if self._loop is None or self.closed:
            return
        try:
            for event in self.events():
                if self._stream is not None:
                    self._stream.put_nowait(event)
        except Exception as error:
            self.detach()  # the library refuses to be polled: trying again would only spin
            self.on_exception(error)

    # ---- timers ----

    @property
    def host_time(self) -> int:
        """Now, in nanoseconds of the clock this context lives by."""
        return int(self._library.context_host_time(self._handle))

    def call_at(self, host_time: int, function: Callable[[TimerEvent], None]) -> int:
        """Calls ``function`` exactly once: at ``host_time``, or with ``canceled`` set. Returns a token for ``cancel``."""
        token = ctypes.c_uint64()
        check(self._library.context_call_at(self._handle, host_time, None, None, ctypes.byref(token)))
        self._timers[token.value] = function
        return token.value

    def cancel(self, token: int) -> bool:
        """False when it fired already."""
        from .errors import NotFoundError

        try:
            check(self._library.context_cancel(self._handle, token))
        except NotFoundError:
            return False
        return True

    # ---- inside ----

    def _register(self, handle: Any, source: Source) -> None:
        self._sources[handle] = source

    def _forget(self, handle: Any) -> None:
        self._sources.pop(handle, None)

    def _dispatch(self, event: Event) -> None:
        try:
            if isinstance(event, TimerEvent):
                function = self._timers.pop(event.token, None)
                if function is not None:
                    function(event)
            elif isinstance(event, LogEvent):
                logger.log(_LEVELS.get(LogLevel(event.level), logging.DEBUG), "%s", event.message)
            elif event.type == EventType.ERROR and event.source is None:
                logger.error("%s", getattr(event, "error", event))
            elif event.source is not None:
                event.source._deliver(event)
        except Exception as error:
            self.on_exception(error)


def _log_exception(error: BaseException) -> None:
    logger.error("a handler failed", exc_info=error)
