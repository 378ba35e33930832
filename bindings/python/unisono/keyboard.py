"""Lines from the keyboard, or from a pipe or a file, in asyncio."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Callable, Optional

from . import _arguments as a

_LONGEST = 65_536  # a line that is longer is cut


def read_lines(handler: Callable[[Optional[str]], object]) -> None:
    """Calls ``handler`` with each line of the standard input, without its end, while the running loop does other things;
    None, once, at the end of the input."""
    LineReader(asyncio.get_running_loop(), sys.stdin.fileno(), handler)


class LineReader:
    """Reads lines from a descriptor, which it does not close."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, descriptor: int, handler: Callable[[Optional[str]], object]
    ) -> None:
        self._loop = loop
        self._descriptor = descriptor
        self._handler = a.function(handler, "handler")
        self._waiting = b""
        try:
            loop.add_reader(descriptor, self._readable)
        except PermissionError:  # a file cannot be waited for: everything is there already
            loop.call_soon(self._read_file)

    def _read_file(self) -> None:
        if self._read():
            self._loop.call_soon(self._read_file)

    def _readable(self) -> None:
        if not self._read():
            self._loop.remove_reader(self._descriptor)

    def _read(self) -> bool:
        """False at the end."""
        data = os.read(self._descriptor, 4096)
        *lines, self._waiting = (self._waiting + data).split(b"\n")
        self._waiting = self._waiting[:_LONGEST]
        if not data and self._waiting:
            lines, self._waiting = [self._waiting], b""
        for line in lines:
            self._handler(line.decode("utf-8", "replace").rstrip("\r"))
        if not data:
            self._handler(None)
        return bool(data)
