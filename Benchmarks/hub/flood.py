#!/usr/bin/env python3
"""Z31 at its full size: a stand-alone hub, 4,000 connections that announce a frame of 256 KiB and send one byte of it, and in
a room of their own a sender, a reader, and 16 who do not read. Says how much memory the hub took, who was closed, and how
long what was said took to the reader. Root is not needed, 10,000 file descriptors and the package `cryptography` are.

flood.py HUB [--connections 4000] [--seconds 60]
"""

import argparse
import multiprocessing
import os
import re
import resource
import selectors
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "Tests" / "independent"))

from hub import PING, PONG, SEND, Hub  # noqa: E402
from primitives import Signer, item  # noqa: E402
from room import Door  # noqa: E402
from wire import frame, frames  # noqa: E402

# Connections of one process of this script: select takes no more.
SHARE = 800
PER_ADDRESS = 16
PER_ROOM = 250
SLOW = 16
# Bytes a second of the sender: less than the hub takes from one connection.
PAYLOAD, RATE = 4_000, 50


class Guest(Hub):
    """Enters a room from an address of its own; `small`: with little room for what comes."""

    def __init__(self, address, source, door, small=False):
        connect = socket.create_connection

        def from_source(target, timeout):
            made = socket.socket()
            if small:
                made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            made.settimeout(timeout)
            made.bind((source, 0))
            made.connect(target)
            return made

        socket.create_connection = from_source
        try:
            super().__init__(address, None, door, Signer(os.urandom(32)))
        finally:
            socket.create_connection = connect

    def enter(self):
        while not self.entered:
            self.poll(1)
        return self

    @property
    def raw(self):
        return self._socket


def room():
    return Door(os.urandom(32), os.urandom(32))


def source(number):
    return f"127.{1 + number // 250 // 250}.{number // 250 % 250}.{1 + number % 250}"


def start(binary, log):
    """The hub, whose log is a file: a pipe that is not read fast enough would hold it up."""
    process = subprocess.Popen([binary, "--listen", "127.0.0.1:0"], stderr=log, stdout=log)
    while not (found := re.search(r"127\.0\.0\.1:(\d+)", Path(log.name).read_text())):
        assert process.poll() is None, "the hub ended: " + Path(log.name).read_text()
        time.sleep(0.01)
    return process, ("127.0.0.1", int(found.group(1)))


def resident(process):
    with open(f"/proc/{process.pid}/status") as status:
        fields = dict(line.split(":", 1) for line in status)
    return tuple(int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))


def flood(address, first, count, rate, ready, announce, seconds):
    """Enters all, answers the hub while it waits, then announces a frame on each and sends one byte of it."""
    watched = selectors.DefaultSelector()
    door = None
    begun = time.monotonic()
    for number in range(count):
        if number % PER_ROOM == 0:
            door = room()
        while time.monotonic() < begun + number / rate:
            pump(watched, 0.002)
        guest = Guest(address, source((first + number) // PER_ADDRESS), door).enter()
        watched.register(guest.raw, selectors.EVENT_READ, bytearray())
        pump(watched, 0)
    ready.set()
    while not announce.is_set():
        pump(watched, 0.05)
    for key in list(watched.get_map().values()):
        key.fileobj.send(struct.pack(">IB", 262_144, SEND))
    end = time.monotonic() + seconds
    while time.monotonic() < end and watched.get_map():
        pump(watched, 0.05)
    print(f"of the announcing connections {len(watched.get_map())} were still open at the end", flush=True)


def pump(watched, timeout):
    for key, _ in watched.select(timeout):
        try:
            data = key.fileobj.recv(65536)
        except ConnectionError:
            data = b""
        if not data:
            watched.unregister(key.fileobj)
            key.fileobj.close()
            continue
        key.data.extend(data)
        for kind, body in frames(key.data):
            if kind == PING:
                key.fileobj.send(frame(PONG, body))


def keep_alive(guest):
    try:
        guest.raw.send(frame(PING, item(1, bytes(8))))
    except OSError:
        pass


def converse(address, seconds, begin):
    """A sender, a reader and the slow ones; how long each envelope took, s, and how many of the slow ones were closed."""
    door = room()
    base = 60_000
    sender = Guest(address, source(base), door).enter()
    reader = Guest(address, source(base + 1), door).enter()
    slow = [Guest(address, source(base + 2 + number), door, small=True).enter() for number in range(SLOW)]
    begin.wait()
    delays, sent = [], 0
    start = alive = time.monotonic()
    while (now := time.monotonic()) < start + seconds:
        while sent < (now - start) * RATE:
            head = struct.pack(">BB8sI16s12sQ", 1, 1, bytes(8), 0, sender.signer.id, bytes(12), sent)
            body = struct.pack(">d", time.monotonic()) + os.urandom(PAYLOAD)
            sender.send(SEND, item(255, head + body))
            sent += 1
        if now >= alive:
            # They are there, and do not read.
            alive = now + 3
            for guest in slow:
                keep_alive(guest)
        sender.poll(0)
        for envelope in reader.poll(0.002):
            said = struct.unpack(">d", envelope[50:58])[0]
            delays.append((time.monotonic() - said, said - start))
    closed = 0
    for guest in slow:
        guest.raw.setblocking(True)
        guest.raw.settimeout(0.5)
        try:
            while guest.raw.recv(1 << 20):
                pass
            closed += 1
        except ConnectionError:
            closed += 1
        except TimeoutError:
            pass
    return sent, delays, closed


def main():
    options = argparse.ArgumentParser()
    options.add_argument("hub")
    options.add_argument("--connections", type=int, default=4_000)
    options.add_argument("--seconds", type=float, default=60)
    chosen = options.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (10_000, max(10_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1])))
    log = tempfile.NamedTemporaryFile()
    process, address = start(chosen.hub, log)
    announce = multiprocessing.Event()
    shares = [min(SHARE, chosen.connections - first) for first in range(0, chosen.connections, SHARE)]
    ready = [multiprocessing.Event() for _ in shares]
    begun = time.monotonic()
    # The hub lets 200 a second in.
    children = [
        multiprocessing.Process(
            target=flood, args=(address, number * SHARE, count, 180 / len(shares), ready[number], announce, chosen.seconds))
        for number, count in enumerate(shares)
    ]
    for child in children:
        child.start()
    for event in ready:
        event.wait()
    print(f"{chosen.connections} connections were in after {time.monotonic() - begun:.0f} s; hub {resident(process)[0]:.0f} MiB")
    announce.set()
    sent, delays, closed = converse(address, chosen.seconds, announce)
    for child in children:
        child.join()
    process.send_signal(signal.SIGUSR1)
    time.sleep(0.5)
    print(f"hub: largest {resident(process)[1]:.0f} MiB (bound 370 MiB)")
    delays.sort()
    middle, most = delays[len(delays) // 2][0], delays[len(delays) * 99 // 100][0]
    print(f"{len(delays)} of {sent} envelopes came to the reader; delay median {middle * 1000:.1f} ms, 99 % {most * 1000:.1f} ms")
    worst = ", ".join(f"{delay * 1000:.1f} ms (after {since:.1f} s)" for delay, since in delays[:-6:-1])
    print(f"largest: {worst} (bound 50 ms)")
    print(f"{closed} of {SLOW} slow readers were closed")
    print([line for line in Path(log.name).read_text().splitlines() if "closed_slow" in line][-1])
    process.terminate()
    process.wait()
    assert len(delays) == sent and closed == SLOW


if __name__ == "__main__":
    main()
