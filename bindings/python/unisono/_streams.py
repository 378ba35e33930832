"""Readers of a context's events in asyncio: each has a queue of its own."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Deque, Optional

from .events import Command, Event, OverflowEvent, RendererTask

#: Events that a reader may be behind.
LIMIT = 4096


class EventStream:
    """One reader: ``async for event in context.stream()``. It has what comes from the moment on at which it was made.

    One that is 4,096 events behind loses what follows, and is told how much by an OverflowEvent where that would be.
    Commands are not lost: a newer one of the same source takes the place of an older one. It ends when the context is
    detached or closed.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._events: Deque[Event] = deque()
        self._arrived = asyncio.Event()
        self._messages = self._others = 0  # lost
        self._ended = False

    def close(self) -> None:
        """No more events; those that are there can still be read."""
        self._on_loop(self._end)

    def __aiter__(self) -> "EventStream":
        return self

    async def __anext__(self) -> Event:
        while not self._events:
            lost = self._lost()
            if lost is not None:
                return lost
            if self._ended:
                raise StopAsyncIteration
            self._arrived.clear()
            await self._arrived.wait()
        return self._events.popleft()

    # ---- inside ----

    def put(self, event: Event, is_message: bool) -> None:
        """From whatever thread fetched it."""
        self._on_loop(self._add, event, is_message)

    def _add(self, event: Event, is_message: bool) -> None:
        if len(self._events) >= LIMIT and not self._replaces(event):
            self._messages += is_message
            self._others += not is_message
            return
        lost = self._lost() if len(self._events) < LIMIT else None
        if lost is not None:
            self._events.append(lost)
        self._events.append(event)
        self._arrived.set()

    def _replaces(self, event: Event) -> bool:
        if not isinstance(event, (Command, RendererTask)):
            return False
        kind = Command if isinstance(event, Command) else RendererTask
        for older in self._events:
            if isinstance(older, kind) and older.source is event.source:
                self._events.remove(older)
                break
        return True

    def _lost(self) -> Optional[OverflowEvent]:
        if self._messages == self._others == 0:
            return None
        lost = OverflowEvent(None, 0, self._messages, self._others)
        self._messages = self._others = 0
        return lost

    def _end(self) -> None:
        self._ended = True
        self._arrived.set()

    def _on_loop(self, function: object, *arguments: object) -> None:
        try:
            here = asyncio.get_running_loop() is self._loop
        except RuntimeError:
            here = False
        if here:
            function(*arguments)  # type: ignore[operator]
        elif not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *arguments)  # type: ignore[arg-type]
