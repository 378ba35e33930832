"""Who comes to a hub in its benchmarks: participants that speak its real protocol, from addresses of their own, as one address may not
enter so often; and the hub, started and seen from outside."""

import atexit
import os
import re
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "Tests" / "independent"))

from hub import Hub  # noqa: E402
from invite import Line  # noqa: E402
from link import MEMBER  # noqa: E402
from primitives import Signer  # noqa: E402
from room import Door  # noqa: E402

# Connections of one process of a benchmark: select takes no more.
SHARE = 750
PER_ADDRESS = 16
# Bytes of an envelope before what is sealed.
HEADER = 50


class Guest(Hub):
    """Enters a room from an address of its own; `small`: with little room for what comes."""

    def __init__(self, hub, source, door, small=False, role=MEMBER):
        """`hub`: its Line."""
        self._source, self._small = source, small
        super().__init__(hub.address.pair, hub.hub, door, Signer(os.urandom(32)), role=role)
        while not self.entered:
            self.poll(1)

    def _connect(self, address):
        made = socket.socket()
        if self._small:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.settimeout(30)
        made.bind((self._source, 0))
        made.connect(address)
        return made

    @property
    def backlog(self):
        """Bytes that wait to be sent."""
        return len(self._outgoing)

    def answer(self, data):
        """Says at once what there is to say to what came, which it returns."""
        envelopes = self.take(data)
        self.flush()
        return envelopes

    def flush(self):
        """Says what there is to say, as far as the link takes it now."""
        try:
            if self._outgoing:
                self._write()
        except BlockingIOError:
            pass


def enter(kind, *arguments):
    """A Guest of that kind, who tries until the hub has time for it: too many may come at once, over all processes of a benchmark."""
    while True:
        try:
            return kind(*arguments)
        except ConnectionRefusedError:
            time.sleep(0.5)


def header(sender, number=0, kind=1):
    """Of an envelope; the hub reads version, kind and sender of it."""
    return struct.pack(">BB8sI16s12sQ", 2, kind, bytes(8), 0, sender, bytes(12), number)


def room():
    return Door(os.urandom(32), os.urandom(32))


def source(number):
    return f"127.{1 + number // 250 // 250}.{number // 250 % 250}.{1 + number % 250}"


# --- The hub, seen from outside ---------------------------------------------------------------------------------------


def start(binary, log, options, prepare=None):
    """The hub and its line. Its log is a file: a pipe that is not read fast enough would hold it up."""
    command = [binary, "hub", "--listen", "127.0.0.1:0", "--drain", "0", *options]
    process = subprocess.Popen(command, stderr=log, stdout=log, preexec_fn=prepare)
    atexit.register(process.kill)
    while not (found := re.search(r"unisono-hub://[^/\s]+/[a-z2-7]{26}", Path(log.name).read_text())):
        assert process.poll() is None, "the hub ended: " + Path(log.name).read_text()
        time.sleep(0.01)
    return process, Line(found.group())


def resident(process):
    """Memory of a process now, and at most, MiB."""
    with open(f"/proc/{process.pid}/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    return tuple(int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))


def processor(pid):
    """User and system time that a process used, s."""
    fields = Path(f"/proc/{pid}/schedstat").read_text().split()
    total = sum(int((task / "schedstat").read_text().split()[0]) for task in Path(f"/proc/{pid}/task").iterdir())
    return max(total, int(fields[0])) / 1e9
