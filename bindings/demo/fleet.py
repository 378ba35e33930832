"""Hosts in processes of their own: started, driven through their keyboard, watched through their status lines."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from typing import Any, Callable, Dict, List, Optional, Tuple

Status = Dict[str, Any]
SECOND = 1_000_000_000


def position_at(status: Status, when: int) -> Optional[float]:
    """Where a host is at another instant, in seconds, from its line at one instant."""
    if status["position"] is None:
        return None
    return status["position"] + status["rate"] * (when - status["host_time"]) / 1e9


class Host:
    """One process. Its status lines are kept with the host time at which they held (one clock for all of them)."""

    def __init__(self, name: str, kind: str, command: List[str], environment: Dict[str, str]) -> None:
        self.name, self.kind = name, kind
        self.statuses: List[Status] = []
        self.complaints: List[str] = []
        self.invite = ""
        self.killed = False
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            command + ["--name", name, "--status-fd", str(writing)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[writing],
            env=environment,
            text=True,
            bufsize=1,
        )
        os.close(writing)
        assert self.process.stdout and self.process.stderr
        for source, reader in (
            (os.fdopen(reading), self._read_status),
            (self.process.stdout, self._read_output),
            (self.process.stderr, self.complaints.append),
        ):
            threading.Thread(target=_each_line, args=(source, reader), daemon=True).start()

    def _read_status(self, line: str) -> None:
        self.statuses.append(json.loads(line))

    def _read_output(self, line: str) -> None:
        if line.startswith("invite "):
            self.invite = line[len("invite ") :].strip()

    @property
    def status(self) -> Optional[Status]:
        return self.statuses[-1] if self.statuses else None

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def type(self, command: str) -> int:
        """Types a command; returns the host time of doing so."""
        assert self.process.stdin
        now = time.monotonic_ns()
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except OSError:
            self.complaints.append(f"could not be told to {command}: its process is gone")
        return now

    def first(self, since: int, holds: Callable[[Status], bool]) -> Optional[Status]:
        """The first status after `since` for which `holds`, if the newest one does as well."""
        if self.status is None or not holds(self.status):
            return None
        for status in list(self.statuses):
            if status["host_time"] >= since and holds(status):
                return status
        return None

    def after(self, since: int) -> List[Status]:
        return [s for s in list(self.statuses) if s["host_time"] >= since]

    def kill(self) -> None:
        """Abruptly, as a crash or a pulled plug: no goodbye."""
        self.killed = True
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self, limit: float = 3.0) -> Optional[int]:
        """Asks it to quit; its exit status, or None when it had to be killed."""
        if self.alive:
            self.type("quit")
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None


def _each_line(source: Any, reader: Callable[[str], Any]) -> None:
    with source:
        for line in source:
            try:
                reader(line.rstrip("\n"))
            except ValueError:
                continue  # a line cut off by the end of its process


def skews(hosts: List[Host], when: int, fresh: float = 0.5) -> Dict[str, float]:
    """Seconds by which each playing host differs from the one it differs most from, ahead positive.

    Measured from outside: all hosts of the demo share one clock, so their positions can be compared at one instant.
    """
    positions: List[Tuple[str, float]] = []
    for host in hosts:
        status = host.status
        if status is None or not host.alive or not in_step(status) or when - status["host_time"] > fresh * SECOND:
            continue
        position = position_at(status, when)
        if position is not None:
            positions.append((host.name, position))
    if len(positions) < 2:
        return {}
    return {
        name: max((mine - theirs for other, theirs in positions if other != name), key=abs)
        for name, mine in positions
    }


def in_step(status: Status) -> bool:
    return status["state"] == "playing" and not status["stalled"] and not status["suspended"]
