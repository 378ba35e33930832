"""mpv as a process of its own, driven through its JSON commands over a pair of sockets. When this process ends, however it
does, its end of the pair is closed, and mpv quits: it never outlives its host."""

from __future__ import annotations

import asyncio
import json
import select
import socket
import subprocess
import sys
from typing import Any, Callable, Dict, List


class MpvError(OSError):
    """mpv could not be started or went away."""


class Mpv:
    """mpv's JSON commands. A request waits for its answer, which takes a sixth of a millisecond."""

    def __init__(self, arguments: List[str], on_event: Callable[[Dict[str, Any]], None]) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            command = ["mpv", f"--input-ipc-client=fd://{theirs.fileno()}", *arguments]
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
            )
        self._socket.settimeout(10)  # it takes a moment to start
        self._on_event = on_event
        self._events: List[Dict[str, Any]] = []
        self._buffer = b""
        self._request = 0
        self._loop = asyncio.get_running_loop()
        if not isinstance(self.get("mpv-version"), str):
            self.process.kill()
            self.process.wait()
            raise MpvError("mpv did not start")
        self._socket.settimeout(5)
        self._loop.add_reader(self._socket, self._readable)

    def command(self, *words: Any) -> Any:
        """The answer's data; None when mpv has none or refuses."""
        self._request += 1
        request = {"command": list(words), "request_id": self._request}
        try:
            self._socket.sendall(json.dumps(request).encode() + b"\n")
            while True:
                message = self._next_message()
                if message.get("request_id") == self._request and "error" in message:
                    if self._events or b"\n" in self._buffer:  # what came right behind the answer, too
                        self._loop.call_soon(self._deliver)
                    return message.get("data") if message["error"] == "success" else None
                self._events.append(message)
        except OSError:
            self._loop.call_soon(self._lost)
            return None

    def get(self, name: str) -> Any:
        return self.command("get_property", name)

    def set(self, name: str, value: Any) -> None:
        self.command("set_property", name, value)

    def close(self) -> None:
        self._loop.remove_reader(self._socket)
        self._socket.close()
        self.process.terminate()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _next_message(self) -> Dict[str, Any]:
        while b"\n" not in self._buffer:
            data = self._socket.recv(65536)
            if not data:
                raise MpvError("mpv is gone")
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        message: Dict[str, Any] = json.loads(line)
        return message

    def _readable(self) -> None:
        if not select.select([self._socket], [], [], 0)[0]:
            return  # a request of this same turn of the loop has read it
        try:
            self._events.append(self._next_message())
        except OSError:
            self._lost()
            return
        self._deliver()

    def _deliver(self) -> None:
        while self._events or b"\n" in self._buffer:
            event = self._events.pop(0) if self._events else self._next_message()
            if "event" in event:
                self._on_event(event)

    def _lost(self) -> None:
        self._loop.remove_reader(self._socket)
        status = self.process.poll()
        if status is not None and status < 0:
            print(f"mpv ended by signal {-status}", file=sys.stderr)
        self._on_event({"event": "shutdown"})
