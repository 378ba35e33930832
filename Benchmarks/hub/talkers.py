"""Two who talk through a hub while it is measured, each a process of its own: what one says the other hears, and beside that directly, so
that what is measured is the hub and not what shares its processors."""

import multiprocessing
import os
import selectors
import socket
import struct
import sys
import threading
import time
from pathlib import Path

from guests import HEADER, Guest, header, source
from hub import SEND
from primitives import item

# Bytes and messages a second: less than the hub takes from one connection.
PAYLOAD, RATE = 4_000, 50
STAMP = struct.Struct(">Qd")


def prefer(real_time):
    """This process goes before all others of this machine."""
    if real_time:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(5))


class Waits(threading.Thread):
    """How long the threads of a process were ready to run and had no processor, 50 times a second, s."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self._tasks = Path(f"/proc/{pid}/task")
        self._known = []
        self._ended = threading.Event()

    def run(self):
        while not self._ended.wait(0.02):
            try:
                waited = sum(int((task / "schedstat").read_text().split()[1]) for task in self._tasks.iterdir())
            except OSError:
                continue
            self._known.append((time.monotonic(), waited / 1e9))

    def end(self):
        self._ended.set()

    def between(self, first, last):
        before = [waited for at, waited in self._known if at <= first]
        after = [waited for at, waited in self._known if at >= last]
        return after[0] - before[-1] if before and after else 0.0


def speak(hub, number, door, direct, ready, announce, seconds, real_time, result):
    """Says something 50 times a second: through the hub, and directly. Returns how often, and how late at most, s."""
    prefer(real_time)
    sender = Guest(hub, source(number), door)
    ready.set()
    announce.wait()
    sent, latest = 0, 0.0
    start = time.monotonic()
    while (now := time.monotonic()) < start + seconds:
        due = start + sent / RATE
        if now < due:
            sender.poll(due - now)
            continue
        latest = max(latest, now - due)
        padding = os.urandom(PAYLOAD)
        direct.sendall(STAMP.pack(sent, time.monotonic()) + padding)
        sender.send(SEND, item(255, header(sender.signer.id, sent) + STAMP.pack(sent, time.monotonic()) + padding))
        sender.poll(0)
        sent += 1
    result.send((start, sent, latest))
    # Whoever hangs up now is told to the reader, which is not part of what is measured.
    while not result.poll(0):
        sender.poll(0.05)


def listen(hub, number, door, direct, ready, real_time, result):
    """Returns when what was said, and how long it took: number -> (said, s), through the hub and directly."""
    prefer(real_time)
    reader = Guest(hub, source(number), door)
    heard, beside = {}, {}
    incoming = bytearray()
    ready.set()
    size = STAMP.size + PAYLOAD
    with selectors.DefaultSelector() as watched:
        watched.register(reader.raw, selectors.EVENT_READ)
        watched.register(direct, selectors.EVENT_READ)
        watched.register(result, selectors.EVENT_READ)
        while True:
            readable = [key.fileobj for key, _ in watched.select(0.1)]
            if direct in readable:
                incoming += direct.recv(65536)
                now = time.monotonic()
                while len(incoming) >= size:
                    index, said = STAMP.unpack_from(incoming)
                    beside[index] = (said, now - said)
                    del incoming[:size]
            envelopes = reader.poll(0)
            now = time.monotonic()
            for envelope in envelopes:
                index, said = STAMP.unpack_from(envelope, HEADER)
                heard[index] = (said, now - said)
            if result in readable:
                result.recv()
                return result.send((heard, beside))


def line_between():
    """Two ends of a TCP connection of this machine that does not pass the hub."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        one = socket.create_connection(listener.getsockname())
        other = listener.accept()[0]
    for end in (one, other):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return one, other


def spawn(target, *arguments):
    """A process of this script, once it is ready, and the pipe its result comes through."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=target, args=(*arguments, there), daemon=True)
    process.start()
    return process, here


def await_all(ready):
    for event, (process, _) in ready:
        while not event.wait(1):
            if not process.is_alive():
                sys.exit("not measured: a process of this script ended")


def milliseconds(delays):
    delays = sorted(delays)
    figures = [delays[len(delays) // 2], delays[len(delays) * 99 // 100], delays[-1]]
    return "median {:.2f} ms, 99 % {:.2f} ms, greatest {:.2f} ms".format(*(figure * 1000 for figure in figures))
