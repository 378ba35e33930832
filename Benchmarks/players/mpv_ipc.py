"""Reads an mpv from outside through its JSON IPC: what the player really does, whoever commands it."""

import json
import socket
import time


class MpvIpc:
    """One connection. Times are time.monotonic() seconds of this process."""

    def __init__(self, path, limit=20.0):
        deadline = time.monotonic() + limit
        while True:
            self._socket = socket.socket(socket.AF_UNIX)
            try:
                self._socket.connect(str(path))
                break
            except OSError:
                self._socket.close()
                if time.monotonic() > deadline:
                    raise TimeoutError(f"no mpv answers at {path}") from None
                time.sleep(0.05)
        self._socket.settimeout(5)
        self._buffer = b""
        self._request = 0
        #: Of properties that are observed: value, and when it was told, by name.
        self.told = {}

    def fileno(self):
        return self._socket.fileno()

    def observe(self, name):
        """From now on mpv says by itself when that property changes; the present value comes at once."""
        self.told.pop(name, None)
        self.command("observe_property", 1, name)
        while name not in self.told:
            self.hear()

    def stop_observing(self):
        self.command("unobserve_property", 1)

    def hear(self):
        """Waits for something that mpv says, and takes it in."""
        chunk = self._socket.recv(65536)
        at = time.monotonic()
        if not chunk:
            raise EOFError("mpv closed its IPC")
        self._buffer += chunk
        *lines, self._buffer = self._buffer.split(b"\n")
        return [answer for answer in map(json.loads, lines) if not self._is_told(answer, at)]

    def _is_told(self, answer, at):
        if answer.get("event") == "property-change":
            self.told[answer["name"]] = answer.get("data"), at
        return "event" in answer

    def command(self, *arguments):
        """(data or None, instant in the middle of the exchange)"""
        self._request += 1
        before = time.monotonic()
        self._socket.sendall(json.dumps({"command": arguments, "request_id": self._request}).encode() + b"\n")
        while True:
            for answer in self.hear():
                if answer.get("request_id") == self._request and "error" in answer:
                    data = answer.get("data") if answer["error"] == "success" else None
                    return data, (before + time.monotonic()) / 2

    def get(self, name):
        return self.command("get_property", name)[0]

    def position(self):
        """(seconds or None, instant): audio-pts, which has no frame grid as time-pos has."""
        return self.command("get_property", "audio-pts")

    @property
    def paused(self):
        return self.get("pause")

    def quit(self):
        """Tells mpv to end. It may be gone before it answers, or be gone already."""
        try:
            self.command("quit")
        except (EOFError, OSError):
            pass
        self.close()

    def close(self):
        self._socket.close()

    @property
    def loaded(self):
        return (self.get("duration") or 0) > 100

    @property
    def place(self):
        """Seconds where it stands; time-pos, because audio-pts says nothing then. None while it seeks."""
        return None if self.get("seeking") else self.get("time-pos")

    @property
    def speed(self):
        return self.get("speed")

    def moving(self):
        if self.get("pause") is not False:
            return False
        first, _ = self.position()
        second, _ = self.position()  # what is heard goes on between two questions, without a grid
        return None not in (first, second) and second > first


def skew(first, second, running=True):
    """Position of the first minus that of the second at one instant, seconds; None where one has none."""
    a, at = first.position()
    b, bt = second.position()
    if a is None or b is None:
        return None
    return a - b - ((at - bt) if running else 0)


def summary(values):
    """Median, p95 and maximum of |values|, in milliseconds."""
    ordered = sorted(abs(v) * 1e3 for v in values if v is not None)
    if not ordered:
        return {"n": 0}
    pick = lambda share: round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 2)
    return {"n": len(ordered), "median": pick(0.5), "p95": pick(0.95), "max": round(ordered[-1], 2)}
